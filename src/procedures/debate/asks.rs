//! Kinds of questions in a debate, as named in records.

/// Material from a source.
pub const CONTEXT: &str = "context";
/// Similarity of texts, from an embedding model.
pub const SIMILARITY: &str = "similarity";
pub const PROPOSAL: &str = "proposal";
/// Critique of another seat's proposal.
pub const CRITIQUE: &str = "critique";
/// The seat's proposal, revised after critiques.
pub const REVISION: &str = "revision";
/// The seat's proposal in its final form.
pub const REFINEMENT: &str = "refinement";
pub const VOTE: &str = "vote";
/// The judge's scores, ranking and synthesis.
pub const JUDGEMENT: &str = "judgement";
/// Whether to stop revising.
pub const POLL: &str = "poll";
/// Whether the judge considers the matter settled.
pub const TERMINATION: &str = "termination";
/// Byzantine agreement: whether the seat would accept a proposal.
pub const PREPARE: &str = "prepare";
/// Byzantine agreement: whether the seat commits to a proposal.
pub const COMMIT: &str = "commit";
