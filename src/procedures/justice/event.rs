//! What happens in the justice experiment, as the record keeps it: the vocabulary of the transcript,
//! the page, the exports and the replay check. No behaviour.

use crate::principle::{Certainty, Principle, Ranking};
use crate::reading::How;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that happened. Serialised with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A step of the procedure begins; for steppers and progress.
    StepBegan {
        /// 1 or 2.
        phase: u8,
        /// Which step.
        step: Step,
        /// Application or discussion round, 0 outside rounds.
        round: u32,
        /// Whom it concerns; `None`: everybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
    },
    /// A manipulator got a target, and how: nothing of it but [`Self::Targeted`] is for the manipulator.
    TargetSet {
        /// The manipulator.
        seat: String,
        /// What it is to bring about; `None` with a reason in `note` where there is none.
        target: Option<Principle>,
        /// Borda points of the four principles, by id.
        scores: BTreeMap<String, u32>,
        /// The principles tied for last place, where there was a tie.
        tied: Vec<Principle>,
        /// What went wrong, if anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// What a manipulator is told of its target.
    Targeted {
        /// The manipulator.
        seat: String,
        /// What it is to bring about.
        target: Principle,
        /// The principles tied for last place, where there was a tie.
        tied: Vec<Principle>,
    },
    /// A ranking was given, or could not be read.
    Ranked {
        /// Who.
        seat: String,
        /// Which of the four moments.
        moment: Moment,
        /// The ranking; `None`: missing, with the reason in the ask's reading.
        ranking: Option<Ranking>,
    },
    /// An application round came to its end.
    Applied(AppliedRound),
    /// A memory changed.
    Remembered {
        /// Whose.
        seat: String,
        /// Phase the memory is about.
        phase: u8,
        /// Whether `text` was added at the end or is the whole new memory.
        how: MemoryChange,
        /// The text.
        text: String,
    },
    /// The speaking order of a round.
    Ordered {
        /// Discussion round, from 1.
        round: u32,
        /// Names in the order of speaking.
        seats: Vec<String>,
    },
    /// Private reasoning before a statement; empty where it failed.
    Reasoned {
        /// Who.
        seat: String,
        /// Discussion round.
        round: u32,
        /// The reasoning.
        text: String,
    },
    /// A statement in the public history.
    Spoke {
        /// Who.
        seat: String,
        /// Discussion round.
        round: u32,
        /// Statement without emphasis marks; empty where skipped.
        text: String,
        /// Scalar values of `text`.
        character_count: u32,
        /// Whether it passed.
        validation: Validation,
    },
    /// A statement favours a principle: its speaker names it beside the words, or it can be made out of them.
    Favored {
        /// Whose statement.
        seat: String,
        /// Discussion round.
        round: u32,
        /// The principle.
        principle: Principle,
        /// Its amount, where its speaker names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<u32>,
        /// How its speaker named it; `None`: the lab's reading of the words, not the speaker's word.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<How>,
    },
    /// A line of the lab in the public history.
    Announced {
        /// Discussion round.
        round: u32,
        /// `countdown`, `confirmations`, `consensus`, `no_consensus`, `statement_unavailable`.
        notice: String,
        /// The line in the experiment's language.
        text: String,
    },
    /// Old statements no longer fit into the prompts; the record keeps them.
    Trimmed {
        /// Discussion round.
        round: u32,
        /// How many entries were left out.
        dropped: u32,
    },
    /// Somebody was asked whether to start a vote.
    Initiation {
        /// Discussion round.
        round: u32,
        /// Who.
        seat: String,
        /// Yes or no; `None`: could not be read or no answer, counts as no.
        answer: Option<bool>,
    },
    /// Somebody asked for a vote: all are asked now whether they take part.
    VoteStarted {
        /// Discussion round.
        round: u32,
        /// Who asked for it.
        initiator: String,
    },
    /// What somebody said to whether to take part in the vote.
    Confirmed {
        /// Discussion round.
        round: u32,
        /// Who.
        seat: String,
        /// Yes or no; `None`: could not be read or no answer, counts as no.
        answer: Option<bool>,
    },
    /// All have said whether they take part in the vote.
    Confirmation {
        /// Discussion round.
        round: u32,
        /// Who had asked for the vote.
        initiator: String,
        /// Who takes part, in configuration order.
        answers: Vec<(String, bool)>,
        /// Whether all do.
        confirmed: bool,
    },
    /// A secret ballot, told when all are counted.
    Voted {
        /// Discussion round.
        round: u32,
        /// Whose it is and what it says.
        vote: BallotVote,
    },
    /// The secret ballots were counted: what the group is told of it.
    Counted {
        /// Discussion round.
        round: u32,
        /// Who had asked for the vote.
        initiator: String,
        /// The principle agreed on.
        agreed: Option<Principle>,
        /// The amount agreed on.
        amount: Option<u32>,
        /// Why there is no agreement: `principle_disagreement`, `constraint_disagreement` or `voting_failed`.
        disagreement: Option<String>,
    },
    /// Phase 2 paid a participant.
    Paid(Payout),
    /// The distributions of phase 2, drawn after the discussion.
    Drawn {
        /// Factor of the dynamic set.
        multiplier: f64,
        /// The four distributions, incomes high to low.
        distributions: Vec<[u32; 5]>,
        /// Class probabilities, high to low; `None`: equal.
        probabilities: Option<[f64; 5]>,
        /// Distribution that the agreed principle picks, 1 to 4; `None` without agreement.
        distribution: Option<u8>,
        /// How incomes are assigned without agreement.
        no_consensus: Option<String>,
    },
    /// Something to look at afterwards; the run goes on.
    Warned {
        /// Stable code, e.g. `choice_unreadable`.
        code: String,
        /// Whom it concerns.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<String>,
        /// Round, where it belongs to one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// A sentence in English.
        message: String,
    },
}

/// What came of an application round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AppliedRound {
    /// Who.
    pub seat: String,
    /// 1 to 4.
    pub round: u32,
    /// Original-values situation, `A` to `D`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
    /// Factor of the dynamic set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<f64>,
    /// The four distributions, incomes high to low.
    pub distributions: Vec<[u32; 5]>,
    /// Class probabilities, high to low; `None`: equal.
    pub probabilities: Option<[f64; 5]>,
    /// Principle chosen; `None`: the round has no valid choice and pays nothing.
    pub principle: Option<Principle>,
    /// Constraint in income dollars.
    pub amount: Option<u32>,
    /// Certainty, where it was said.
    pub certainty: Option<Certainty>,
    /// Whether a distribution met the constraint; `None` without a choice.
    pub constraint_met: Option<bool>,
    /// Distribution that follows, 1 to 4.
    pub distribution: Option<u8>,
    /// Class drawn.
    pub class: Option<String>,
    /// Income in dollars.
    pub income: Option<u32>,
    /// Payoff in dollars; 0 without a valid choice.
    pub payoff: f64,
    /// What each distribution paid with a class drawn anew, 1 to 4.
    pub alternatives: Vec<f64>,
    /// What each principle pays in the same class, by id.
    pub same_class: BTreeMap<String, f64>,
    /// Bank balance after the round.
    pub bank: f64,
}

/// What a participant gets in phase 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Payout {
    /// Who.
    pub seat: String,
    /// Distribution assigned, 1 to 4.
    pub distribution: u8,
    /// Class drawn.
    pub class: String,
    /// Income in dollars.
    pub income: u32,
    /// Payoff in dollars.
    pub payoff: f64,
    /// What each principle would have paid in the same class, by id.
    pub counterfactuals: BTreeMap<String, f64>,
    /// Every principle and amount worth telling, in the same class.
    pub sweep: Vec<SweepRow>,
    /// Bank balance after it.
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
    /// Phase 2, per round: statements.
    Discussion,
    /// Phase 2, per round: memories.
    MemoryUpdate,
    /// Phase 2, per round: who wants a vote.
    VoteInitiation,
    /// Phase 2: does everybody take part.
    VoteConfirmation,
    /// Phase 2: secret ballot.
    Ballot,
    /// Phase 2: payoffs and their delivery.
    Results,
    /// Phase 2: rankings after the results.
    ResultsRanking,
}

/// When a ranking was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// At the very start.
    Initial,
    /// After the worked examples.
    PostExplanation,
    /// After the application rounds.
    AfterApplications,
    /// After the group's results.
    AfterResults,
}

/// How a memory changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryChange {
    /// Text was added at the end.
    Appended,
    /// The participant wrote it anew.
    Rewritten,
    /// It was shortened by the rule for overflow.
    Shortened,
}

/// Whether a statement passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validation {
    /// Long enough.
    Valid,
    /// Too short after all attempts, taken as it is.
    BestEffort,
    /// Nothing was said.
    Skipped,
}

/// One seat's secret ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BallotVote {
    /// Who.
    pub seat: String,
    /// Principle voted for.
    pub principle: Option<Principle>,
    /// Amount in income dollars.
    pub amount: Option<u32>,
    /// `valid`, `invalid` or `timeout`.
    pub status: VoteStatus,
    /// The answers as given, principle first.
    pub raw: Vec<String>,
}

/// Whether a vote counts.
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

/// What a principle with an amount would have brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// The principle.
    pub principle: Principle,
    /// Its constraint in income dollars.
    pub amount: Option<u32>,
    /// Distribution it picks, 1 to 4.
    pub distribution: u8,
    /// Income in dollars in the same class.
    pub income: u32,
    /// Payoff in dollars.
    pub payoff: f64,
}
