//! What a participant of the justice experiment knows: no other seat's secret ballot, no income class
//! before it is drawn.

use crate::principle::{Principle, Ranking};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What the asked participant knows of the justice experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JusticeContext {
    /// Names of all participants, in configuration order.
    pub participants: Vec<String>,
    /// Discussion or application round, from 1; 0 outside rounds.
    pub round: u32,
    /// Number of rounds of this phase at most.
    pub rounds: u32,
    /// Incomes of the distributions on the table, each high to low; empty where none is shown.
    pub distributions: Vec<[u32; 5]>,
    /// Probabilities of the five classes, high to low, where they are shown.
    pub probabilities: Option<[f64; 5]>,
    /// The principle that an amount is asked for (`constraint_retry`, `ballot_amount`).
    pub principle: Option<Principle>,
    /// Who asks for the vote (`vote_confirmation`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiator: Option<String>,
    /// Own rankings so far, oldest first.
    pub rankings: Vec<Ranking>,
    /// Own application rounds so far.
    pub applications: Vec<Experience>,
    /// What was said in the discussion so far, oldest first.
    pub heard: Rc<Vec<PublicStatement>>,
    /// Ballots held so far, by what they agreed on or failed by.
    pub ballots: Vec<BallotNews>,
    /// The principle that a manipulator was told to bring about.
    pub target: Option<Principle>,
    /// Own memory.
    pub memory: String,
    /// What the memory is to be updated with (`memory_update`).
    pub news: String,
    /// Whether topic, key point and theory are wanted beside the words (`statement`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub points: bool,
    /// Why the last answer to the same question could not be used.
    pub complaint: Option<String>,
}

/// One application round as its participant lived through it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    /// 1 to 4.
    pub round: u32,
    /// Principle chosen, if the choice could be read.
    pub principle: Option<Principle>,
    /// Constraint in income dollars.
    pub amount: Option<u32>,
    /// Income in dollars of the class drawn; `None` where the round had no valid choice.
    pub income: Option<u32>,
}

/// A statement of the public history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublicStatement {
    /// Discussion round, from 1.
    pub round: u32,
    /// Who said it.
    pub speaker: String,
    /// The whole statement.
    pub text: String,
}

/// What the group was told about a vote that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BallotNews {
    /// Discussion round, from 1.
    pub round: u32,
    /// `not_confirmed`, `principle_disagreement`, `constraint_disagreement` or `voting_failed`.
    pub outcome: String,
}
