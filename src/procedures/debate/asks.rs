//! What seats are asked in a debate, by the names that records keep.

/// What a source has to the question.
pub const CONTEXT: &str = "context";
/// How alike texts are, of a model that makes vectors.
pub const SIMILARITY: &str = "similarity";
/// An answer to the question.
pub const PROPOSAL: &str = "proposal";
/// What is wrong with another's proposal.
pub const CRITIQUE: &str = "critique";
/// The own proposal, changed by the critiques.
pub const REVISION: &str = "revision";
/// The own proposal in its last form.
pub const REFINEMENT: &str = "refinement";
/// A vote for a proposal.
pub const VOTE: &str = "vote";
/// Points, a ranking and a synthesis.
pub const JUDGEMENT: &str = "judgement";
/// Stop revising, or go on?
pub const POLL: &str = "poll";
/// Does the judge hold the matter for settled?
pub const TERMINATION: &str = "termination";
/// Would the seat agree to this proposal?
pub const PREPARE: &str = "prepare";
/// Does it bind itself to it?
pub const COMMIT: &str = "commit";
