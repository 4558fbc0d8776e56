//! What a participant of a debate knows.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What the asked participant knows of the debate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DebateContext {
    /// What is to be answered.
    pub question: String,
    /// Material, as it is shown.
    pub context: Rc<Vec<SourceItem>>,
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

/// A piece of material, as it is shown. Nothing in it is to be trusted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceItem {
    /// The number that it is cited by, as in `[EVID-1]`.
    pub evidence: String,
    /// What it comes from: `typed`, `knowledge`, `debates`, `feed` or `program`.
    pub kind: String,
    /// The source's name.
    pub source: String,
    /// What its source knows it by.
    pub id: Option<String>,
    /// May be empty.
    pub title: String,
    /// What it says; marked where it was cut.
    pub text: String,
    /// Where its source has it from.
    pub origin: Option<String>,
    /// When it was made, milliseconds since the epoch.
    pub at: Option<u64>,
    /// How far its source trusts it, 0 to 1.
    pub confidence: Option<f64>,
    /// What it holds that looks like instructions: `ignore_instructions`, `reveal_secrets`,
    /// `run_command`, `disable_safety`, `contact_server`.
    pub tainted: Vec<String>,
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
