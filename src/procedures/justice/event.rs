//! Events of the justice experiment as stored in the record; used by the transcript, the page, the exports
//! and the replay check.

use crate::core::ask::Millis;
use crate::principle::{Certainty, Principle, Ranking};
use crate::reading::How;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event, serialized with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A step of the procedure begins; used for steppers and progress.
    StepBegan {
        /// 1 or 2.
        phase: u8,
        step: Step,
        /// Application or discussion round; 0 outside rounds.
        round: u32,
        /// `None` if the step concerns all seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
    },
    /// The choice of a manipulator's target and its reasons. Hidden from the manipulator, who receives
    /// [`Self::Targeted`] instead.
    TargetSet {
        seat: String,
        /// `None` if there is no target; `note` has the reason.
        target: Option<Principle>,
        /// Borda points of the four principles, by id.
        scores: BTreeMap<String, u32>,
        /// Principles tied for last place; empty without a tie.
        tied: Vec<Principle>,
        /// Reason why there is no target.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The target of a manipulator, visible to the manipulator.
    Targeted {
        seat: String,
        target: Principle,
        /// Principles tied for last place; empty without a tie.
        tied: Vec<Principle>,
    },
    /// A ranking was given or could not be read.
    Ranked {
        seat: String,
        moment: Moment,
        /// `None` if missing; the reason is in the ask's reading.
        ranking: Option<Ranking>,
    },
    /// An application round ended.
    Applied(AppliedRound),
    /// A memory changed.
    Remembered {
        seat: String,
        /// Phase that the memory is about.
        phase: u8,
        /// Whether `text` was appended or is the whole new memory.
        how: MemoryChange,
        text: String,
    },
    /// The speaking order of a round.
    Ordered {
        /// Discussion round, from 1.
        round: u32,
        /// Names in speaking order.
        seats: Vec<String>,
    },
    /// The open talk of a round begins, or is extended.
    Opened {
        /// Discussion round, from 1.
        round: u32,
        /// Time at which it ends, in milliseconds since the epoch.
        until: Millis,
    },
    /// Private reasoning before a statement; empty if it failed.
    Reasoned { seat: String, round: u32, text: String },
    /// A statement in the public history.
    Spoke {
        seat: String,
        round: u32,
        /// Statement without emphasis marks; empty if skipped.
        text: String,
        /// Unicode scalar values in `text`.
        character_count: u32,
        validation: Validation,
    },
    /// The principle that a statement supports, named by its speaker or inferred from the text.
    Favored {
        seat: String,
        round: u32,
        principle: Principle,
        /// Amount named by the speaker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<u32>,
        /// How the speaker named it; `None` if the lab inferred it from the text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<How>,
    },
    /// A notice of the lab in the public history.
    Announced {
        round: u32,
        /// `countdown`, `confirmations`, `consensus`, `no_consensus`, `statement_unavailable`.
        notice: String,
        /// The notice in the experiment's language.
        text: String,
    },
    /// Old statements no longer fit into the prompts; the record keeps them.
    Trimmed {
        round: u32,
        /// Number of entries left out.
        dropped: u32,
    },
    /// A participant answered whether to start a vote.
    Initiation {
        round: u32,
        seat: String,
        /// `None` counts as no: unreadable or no answer.
        answer: Option<bool>,
    },
    /// A participant asked for a vote; all are now asked whether they take part.
    VoteStarted { round: u32, initiator: String },
    /// A participant answered whether to take part in the vote.
    Confirmed {
        round: u32,
        seat: String,
        /// `None` counts as no: unreadable or no answer.
        answer: Option<bool>,
    },
    /// All participants have answered whether they take part in the vote.
    Confirmation {
        round: u32,
        initiator: String,
        /// Answers in configuration order.
        answers: Vec<(String, bool)>,
        /// Whether all take part.
        confirmed: bool,
    },
    /// A secret ballot, emitted after the count.
    Voted { round: u32, vote: BallotVote },
    /// The public result of the secret ballots.
    Counted {
        round: u32,
        /// Empty if a ballot follows each round.
        initiator: String,
        agreed: Option<Principle>,
        /// Agreed amount in income dollars.
        amount: Option<u32>,
        /// `principle_disagreement`, `constraint_disagreement` or `voting_failed`; `None` with an agreement.
        disagreement: Option<String>,
        /// Votes by rule after a failed ballot of a class, most votes first; empty in studies.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tally: Vec<RuleCount>,
    },
    /// Phase 2 paid a participant.
    Paid(Payout),
    /// The distributions of phase 2, drawn after the discussion.
    Drawn {
        /// Factor of the dynamic set.
        multiplier: f64,
        /// Incomes of the four distributions, high to low.
        distributions: Vec<[u32; 5]>,
        /// Class probabilities, high to low; `None` if equal.
        probabilities: Option<[f64; 5]>,
        /// Distribution that the agreed principle picks, 1 to 4; `None` without agreement.
        distribution: Option<u8>,
        /// Rule for incomes without agreement.
        no_consensus: Option<String>,
    },
    /// A warning for review after the run; the run goes on.
    Warned {
        /// Stable code, e.g. `choice_unreadable`.
        code: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// English sentence.
        message: String,
    },
}

/// Votes for a rule in a ballot, without names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCount {
    pub principle: Principle,
    pub votes: u32,
    /// Their amounts in income dollars, lowest first.
    pub amounts: Vec<u32>,
}

/// Outcome of an application round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AppliedRound {
    pub seat: String,
    /// 1 to 4.
    pub round: u32,
    /// Situation of the original values, `A` to `D`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
    /// Factor of the dynamic set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<f64>,
    /// Incomes of the four distributions, high to low.
    pub distributions: Vec<[u32; 5]>,
    /// Class probabilities, high to low; `None` if equal.
    pub probabilities: Option<[f64; 5]>,
    /// Chosen principle; `None` if the round has no valid choice and pays nothing.
    pub principle: Option<Principle>,
    /// Constraint in income dollars.
    pub amount: Option<u32>,
    /// `None` if not stated.
    pub certainty: Option<Certainty>,
    /// Whether a distribution met the constraint; `None` without a choice.
    pub constraint_met: Option<bool>,
    /// Distribution picked, 1 to 4.
    pub distribution: Option<u8>,
    pub class: Option<String>,
    /// In dollars.
    pub income: Option<u32>,
    /// In dollars; 0 without a valid choice.
    pub payoff: f64,
    /// Payoff of each distribution with a newly drawn class, in dollars, 1 to 4.
    pub alternatives: Vec<f64>,
    /// Payoff of each principle for the same class, by id.
    pub same_class: BTreeMap<String, f64>,
    /// Bank balance after the round, in dollars.
    pub bank: f64,
}

/// Pay of a participant in phase 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Payout {
    pub seat: String,
    /// 1 to 4.
    pub distribution: u8,
    pub class: String,
    /// In dollars.
    pub income: u32,
    /// In dollars.
    pub payoff: f64,
    /// Payoff of each principle for the same class, by id.
    pub counterfactuals: BTreeMap<String, f64>,
    /// All relevant principles and amounts for the same class.
    pub sweep: Vec<SweepRow>,
    /// Bank balance after the payment, in dollars.
    pub bank: f64,
}

/// Steps of the procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Phase 1.
    InitialRanking,
    /// Phase 1.
    Explanation,
    /// Phase 1.
    PostExplanationRanking,
    /// Phase 1, rounds 1 to 4.
    Application,
    /// Phase 1.
    FinalRanking,
    /// Phase 2, each round: statements.
    Discussion,
    /// Phase 2, each round: memories.
    MemoryUpdate,
    /// Phase 2, each round: requests for a vote.
    VoteInitiation,
    /// Phase 2: confirmations of a vote.
    VoteConfirmation,
    /// Phase 2: secret ballot.
    Ballot,
    /// Phase 2: payoffs and their delivery.
    Results,
    /// Phase 2: rankings after the results.
    ResultsRanking,
}

/// Moment of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// At the start.
    Initial,
    /// After the worked examples.
    PostExplanation,
    /// After the application rounds.
    AfterApplications,
    /// After the group's results.
    AfterResults,
}

/// Kind of memory change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryChange {
    /// Text was appended.
    Appended,
    /// The participant rewrote it.
    Rewritten,
    /// It was shortened because it exceeded the limit.
    Shortened,
}

/// Result of validating a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validation {
    /// Long enough.
    Valid,
    /// Too short after all attempts; accepted.
    BestEffort,
    /// No statement.
    Skipped,
}

/// Secret ballot of a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BallotVote {
    pub seat: String,
    pub principle: Option<Principle>,
    /// In income dollars.
    pub amount: Option<u32>,
    pub status: VoteStatus,
    /// Answers as received, principle first.
    pub raw: Vec<String>,
}

/// Status of a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteStatus {
    /// Read in full.
    Valid,
    /// Could not be read.
    Invalid,
    /// No answer in time.
    Timeout,
}

/// Pay under a principle with an amount.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    pub principle: Principle,
    /// Constraint in income dollars.
    pub amount: Option<u32>,
    /// Distribution picked, 1 to 4.
    pub distribution: u8,
    /// Income of the same class in dollars.
    pub income: u32,
    /// In dollars.
    pub payoff: f64,
}
