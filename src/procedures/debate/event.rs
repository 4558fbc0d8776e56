//! Events of a debate besides questions and answers, as stored in records.

use super::rules::breaker::Circuit;
use super::rules::consensus::Decision;
use super::rules::convergence::{Check, Novelty};
use super::rules::judging::Points;
use super::rules::rhetoric::Pattern;
use super::rules::stopping::Stability;
use super::rules::tally::Ballot;
use super::rules::trickster::Challenge;
use crate::procedures::debate::context::SourceItem;
use crate::reading::critique::Critique;
use crate::reading::judge::Evaluation;
use crate::reading::signals::Settled;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A round starts.
    RoundBegan {
        round: u32,
        /// `context`, `propose`, `critique`, `revise`, `refine`, `vote`, or `judge`.
        kind: String,
    },
    /// Participants, if a team was selected.
    TeamSelected {
        /// In configuration order.
        seats: Vec<String>,
        /// All candidates with their scores, best first.
        scores: Vec<(String, f64)>,
    },
    /// Material from all sources.
    Gathered {
        /// Typed material first, then source by source.
        sources: Vec<GatheredSource>,
    },
    /// A new version of a proposal.
    Proposed {
        round: u32,
        seat: String,
        /// From 1.
        version: u32,
        text: String,
    },
    Criticised {
        round: u32,
        /// The critic.
        seat: String,
        /// Author of the criticised proposal.
        target: String,
        critique: Critique,
    },
    /// Similarity of the proposals.
    Compared(Check),
    /// An intervention of the trickster.
    Challenged(Challenge),
    /// Rhetorical patterns in a text.
    Observed {
        round: u32,
        seat: String,
        patterns: Vec<Pattern>,
    },
    JudgeSelected {
        seat: String,
        /// Authors in the order in which the proposals are shown; the judge sees numbers.
        order: Vec<String>,
    },
    /// The judge's evaluation.
    Judged {
        round: u32,
        seat: String,
        evaluation: Evaluation,
        /// By proposer, best first.
        points: Vec<Points>,
        /// Whether no further round is needed.
        conclusive: bool,
    },
    /// Ballots of a round, emitted once all are cast.
    Voted { round: u32, ballots: Vec<Ballot> },
    /// All proposals, revealed to all seats; in sparse topologies only.
    Laid {
        round: u32,
        /// Author, version and text.
        proposals: Vec<(String, u32, String)>,
    },
    /// Result of a count.
    Counted { round: u32, decision: Decision },
    /// Novelty of the proposals relative to earlier ones.
    Novel { round: u32, novelty: Novelty },
    /// Seats that declare their proposal final.
    Ready {
        round: u32,
        /// Names with the stated confidence.
        seats: Vec<(String, Option<f64>)>,
        /// Number of these seats that are confident enough to count.
        count: usize,
        /// Number of proposals.
        of: usize,
        /// Whether this ends the revisions.
        ends: bool,
    },
    /// Poll on whether to stop.
    Polled {
        round: u32,
        /// `yes` means stop.
        answers: Vec<Answered>,
        /// Whether this ends the revisions, or further rounds.
        ends: bool,
    },
    /// The judge's answer to whether the matter is settled.
    Settled {
        round: u32,
        /// The judge.
        seat: String,
        said: Settled,
        /// Whether this ends the revisions.
        ends: bool,
    },
    /// Stability of the votes between two rounds.
    Stable {
        /// The later of the two rounds.
        round: u32,
        stability: Stability,
        /// Whether this ends further rounds.
        ends: bool,
    },
    /// Free-text choices and their interpretation.
    Grouped {
        round: u32,
        /// In the order of the votes.
        groups: Vec<Group>,
    },
    /// Byzantine agreement: answers of the prepare stage.
    Prepared(View),
    /// Byzantine agreement: answers of the commit stage.
    Committed(View),
    /// The circuit breaker of a seat opened, half-opened or closed.
    Circuit {
        round: u32,
        seat: String,
        state: Circuit,
    },
    /// A question without a usable answer.
    SeatFailed {
        round: u32,
        seat: String,
        /// Kind of the question.
        kind: String,
        /// `timed_out`, `empty`, or the code of the reading failure.
        reason: String,
        /// Author of the proposal concerned; empty if there is none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// The debate ends before the last scheduled round.
    EndedEarly {
        /// The last round held.
        round: u32,
        /// `converged`, `no_proposals`, or `one_proposal`.
        reason: String,
    },
}

/// Answer of a seat to a yes/no question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub seat: String,
    /// `None` if it could not be read.
    pub yes: Option<bool>,
}

/// A stage of a view of Byzantine agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub round: u32,
    /// Index of the view, from 0; each view is about another proposal.
    pub view: usize,
    /// Author of the proposal.
    pub leader: String,
    pub answers: Vec<Answered>,
    /// Number of yes answers required.
    pub quorum: usize,
}

/// Equivalent free-text choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The first of them, in the voter's words.
    pub canonical: String,
    /// In the order of the votes.
    pub voters: Vec<String>,
    /// Author of the matching proposal; the voters abstain if it is `None`.
    pub choice: Option<String>,
}

/// Material from a source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GatheredSource {
    /// Name of the source's seat, or `typed`.
    pub name: String,
    /// `typed`, `knowledge`, `debates`, `feed` or `program`.
    pub kind: String,
    /// As shown in questions.
    pub items: Vec<SourceItem>,
    /// Number of items not shown: too many, or without a text.
    pub left_out: usize,
    /// Why there are no items: `timed_out`, `failed`, `unavailable`, or the code of the reading failure.
    pub note: Option<String>,
    /// The source's own error message, if it gave one.
    pub message: Option<String>,
}
