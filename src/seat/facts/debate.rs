//! What a participant of a debate knows.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What the asked participant knows of the debate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// What is to be answered.
    pub question: String,
    /// Material from outside.
    pub context: Rc<Vec<Source>>,
    /// Names of all participants, in configuration order.
    pub participants: Vec<String>,
    /// Where it is told to stand: `affirmative`, `negative`, or `neutral`.
    pub stance: String,
    /// 0 (contradict) to 10 (seek agreement).
    pub intensity: u32,
    /// Number of the round.
    pub round: u32,
    /// The own proposal as it stands.
    pub own: Option<String>,
    /// The proposals that are shown: to criticise, to vote for, to judge. A judge sees numbers instead
    /// of names.
    pub proposals: Vec<Proposal>,
    /// Critiques of the own proposal that are to be answered.
    pub critiques: Vec<Objection>,
    /// A challenge to be met, in words.
    pub challenge: Option<String>,
    /// Why the last answer to the same question could not be used.
    pub complaint: Option<String>,
}

/// Material from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// What it is.
    pub title: String,
    /// What it says.
    pub text: String,
}

/// A proposal as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Whose, or its number.
    pub label: String,
    /// The whole text.
    pub text: String,
}

/// A critique of the own proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Objection {
    /// Who made it.
    pub critic: String,
    /// 0 to 10, if it was said.
    pub severity: Option<f64>,
    /// What is wrong.
    pub issues: Vec<String>,
    /// What would be better.
    pub suggestions: Vec<String>,
}
