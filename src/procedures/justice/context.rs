//! Facts that a participant of the justice experiment may know. They exclude other seats' secret ballots, and
//! income classes before the draw.

use crate::principle::{Principle, Ranking};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Facts known to the asked participant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JusticeContext {
    /// Names of all participants, in configuration order.
    pub participants: Vec<String>,
    /// Discussion or application round, from 1; 0 outside rounds.
    pub round: u32,
    /// Maximum number of rounds in this phase.
    pub rounds: u32,
    /// Incomes of the distributions shown, each high to low; empty if none is shown.
    pub distributions: Vec<[u32; 5]>,
    /// Probabilities of the five classes, high to low, if they are shown.
    pub probabilities: Option<[f64; 5]>,
    /// Principle whose amount is requested (`constraint_retry`, `ballot_amount`).
    pub principle: Option<Principle>,
    /// Seat that asks for the vote (`vote_confirmation`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiator: Option<String>,
    /// Own rankings so far, oldest first.
    pub rankings: Vec<Ranking>,
    /// Own application rounds so far.
    pub applications: Vec<Experience>,
    /// Statements of the discussion so far, oldest first.
    pub heard: Rc<Vec<PublicStatement>>,
    /// Outcomes of the ballots so far.
    pub ballots: Vec<BallotNews>,
    /// Principle that a manipulator has to bring about.
    pub target: Option<Principle>,
    pub memory: String,
    /// New text for the memory (`memory_update`).
    pub news: String,
    /// Whether topic, key point and theory are requested beside the statement (`statement`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub points: bool,
    /// Whether statements are a few short sentences (`statement`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_brief: bool,
    /// Reason why the last answer to the same question was unusable.
    pub complaint: Option<String>,
}

/// An application round as its participant experienced it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    /// 1 to 4.
    pub round: u32,
    /// `None` if the choice could not be read.
    pub principle: Option<Principle>,
    /// Constraint in income dollars.
    pub amount: Option<u32>,
    /// Income of the drawn class in dollars; `None` if the round had no valid choice.
    pub income: Option<u32>,
}

/// A statement of the public history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublicStatement {
    /// Discussion round, from 1.
    pub round: u32,
    pub speaker: String,
    pub text: String,
}

/// Public news about a failed vote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BallotNews {
    /// Discussion round, from 1.
    pub round: u32,
    /// `not_confirmed`, `principle_disagreement`, `constraint_disagreement` or `voting_failed`.
    pub outcome: String,
}
