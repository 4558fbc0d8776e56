//! Kinds of asks in the experiment, as stored in records.

/// Phase 1: the first ranking.
pub const INITIAL_RANKING: &str = "initial_ranking";
/// Phase 1: the worked examples, to be acknowledged.
pub const EXPLANATION: &str = "explanation";
/// Phase 1: the ranking after the examples.
pub const POST_EXPLANATION_RANKING: &str = "post_explanation_ranking";
/// Phase 1: an application round.
pub const APPLICATION: &str = "application";
/// Phase 1: the amount missing from a choice.
pub const CONSTRAINT_RETRY: &str = "constraint_retry";
/// Phase 1: the ranking after the application rounds.
pub const FINAL_RANKING: &str = "final_ranking";
/// Phase 2: private reasoning before a statement.
pub const INTERNAL_REASONING: &str = "internal_reasoning";
/// Phase 2: a public statement.
pub const STATEMENT: &str = "statement";
/// Either phase: rewriting or compressing the own memory.
pub const MEMORY_UPDATE: &str = "memory_update";
/// Phase 2: whether to start a vote now.
pub const VOTE_INITIATION: &str = "vote_initiation";
/// Phase 2: whether to take part in the vote.
pub const VOTE_CONFIRMATION: &str = "vote_confirmation";
/// Phase 2: the principle on the ballot.
pub const BALLOT_PRINCIPLE: &str = "ballot_principle";
/// Phase 2: the amount on the ballot.
pub const BALLOT_AMOUNT: &str = "ballot_amount";
/// Phase 2: the ranking after the results.
pub const RESULTS_RANKING: &str = "results_ranking";
