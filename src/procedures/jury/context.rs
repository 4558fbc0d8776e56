//! Context of an ask in a trial.

use super::rules::{Counts, Opinion};
use serde::{Deserialize, Serialize};

/// What the asked juror knows. All but `own`, `round` and `complaint` is known to all jurors.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct JuryContext {
    pub charge: String,
    pub prosecution: String,
    pub defence: String,
    /// The evidence so far.
    pub evidence: Vec<Exhibit>,
    /// The counts of the last straw vote, if they are shown.
    pub counts: Option<Counts>,
    /// All speeches so far.
    pub speeches: Vec<Speech>,
    /// The last ballot.
    pub ballot: Option<Ballot>,
    /// Number of jurors.
    pub jurors: usize,
    /// Number of votes that a verdict needs.
    pub needed: usize,
    /// The juror's own last vote.
    pub own: Option<Opinion>,
    /// Number of the straw vote, round of deliberation or ballot, from 1.
    pub round: u32,
    /// Why the previous answer to the same question was rejected.
    pub complaint: Option<String>,
}

/// An item of evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exhibit {
    /// May be empty.
    pub title: String,
    pub text: String,
    /// Where it points, −1 to 1. Only scripted jurors may know, so JSON leaves it out.
    #[serde(skip)]
    pub leans: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speech {
    pub round: u32,
    pub seat: String,
    pub text: String,
}

/// What all know of a ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ballot {
    #[serde(flatten)]
    pub counts: Counts,
    /// Who voted what, by name; `None` if the ballot is secret.
    pub votes: Option<Vec<(String, Option<Opinion>)>>,
}
