//! What a participant of a Delphi poll knows.

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
    /// The least and the greatest estimate that is allowed.
    pub minimum: Option<f64>,
    /// See `minimum`.
    pub maximum: Option<f64>,
    /// From 1.
    pub round: u32,
    /// Rounds at most.
    pub rounds: u32,
    /// The own estimate in the round before.
    pub own: Option<f64>,
    /// What everybody was told of the round before.
    pub report: Option<Rc<RoundReport>>,
    /// Why the last answer to the same question could not be used.
    pub complaint: Option<String>,
}

/// What everybody is told of a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundReport {
    /// The estimates; `None` where nobody gave one.
    pub spread: Option<Spread>,
    /// The reasons, without names.
    pub reasons: Vec<String>,
}
