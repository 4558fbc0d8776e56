//! Context of a debate's questions.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// State of the debate as known to the participant that is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DebateContext {
    pub question: String,
    pub context: Rc<Vec<SourceItem>>,
    /// In configuration order.
    pub participants: Vec<String>,
    /// Assigned stance: `affirmative`, `negative`, or `neutral`.
    pub stance: String,
    /// 0 (contradict) to 10 (seek agreement).
    pub intensity: u32,
    pub round: u32,
    /// The participant's current proposal.
    pub own: Option<String>,
    /// Proposals to criticise, vote for or judge. A judge sees numbers instead of names.
    pub proposals: Vec<Proposal>,
    /// Critiques of the participant's proposal, to be answered.
    pub critiques: Vec<Objection>,
    /// Text of a challenge to be answered.
    pub challenge: Option<String>,
    /// Why the previous answer to this question was unusable.
    pub complaint: Option<String>,
}

/// A piece of material as shown. Untrusted input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceItem {
    /// Citation number, as in `[EVID-1]`.
    pub evidence: String,
    /// `typed`, `knowledge`, `debates`, `feed` or `program`.
    pub kind: String,
    pub source: String,
    /// Id within its source.
    pub id: Option<String>,
    /// May be empty.
    pub title: String,
    /// Truncation is marked.
    pub text: String,
    /// Where the source obtained it.
    pub origin: Option<String>,
    /// Time of creation, milliseconds since the epoch.
    pub at: Option<u64>,
    /// Confidence stated by its source, 0 to 1.
    pub confidence: Option<f64>,
    /// Kinds of instruction-like text found in it: `ignore_instructions`, `reveal_secrets`, `run_command`,
    /// `disable_safety`, `contact_server`.
    pub tainted: Vec<String>,
}

/// A proposal as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Name of the author, or a number.
    pub label: String,
    pub text: String,
}

/// A critique of the participant's proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Objection {
    pub critic: String,
    /// 0 to 10.
    pub severity: Option<f64>,
    pub issues: Vec<String>,
    pub suggestions: Vec<String>,
    /// The critic's words, if they name neither issues nor suggestions.
    #[serde(default)]
    pub reasoning: String,
}
