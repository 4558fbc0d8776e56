//! Context of an ask in a Delphi poll.

use super::rules::Spread;
use serde::Serialize;
use std::rc::Rc;

/// What the asked participant knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DelphiContext {
    /// What is to be estimated.
    pub question: String,
    /// Unit of the estimate; may be empty.
    pub unit: String,
    /// Smallest allowed estimate.
    pub minimum: Option<f64>,
    /// Largest allowed estimate.
    pub maximum: Option<f64>,
    /// From 1.
    pub round: u32,
    /// Maximum number of rounds.
    pub rounds: u32,
    /// The participant's estimate of the previous round.
    pub own: Option<f64>,
    /// Report on the previous round.
    pub report: Option<Rc<RoundReport>>,
    /// Why the previous answer to the same question was rejected.
    pub complaint: Option<String>,
}

/// Public report on a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundReport {
    /// Statistics of the estimates; `None` if there were none.
    pub spread: Option<Spread>,
    /// Anonymous reasons.
    pub reasons: Vec<String>,
}
