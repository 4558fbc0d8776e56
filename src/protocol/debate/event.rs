//! What happens in a debate besides questions and answers, as records tell it.

use super::rules::consensus::Decision;
use super::rules::convergence::Check;
use super::rules::judging::Points;
use super::rules::rhetoric::Pattern;
use super::rules::trickster::Challenge;
use crate::parse::critique::Critique;
use crate::parse::judge::Evaluation;
use crate::seat::facts::debate::Item;
use crate::session::tagged::tagged;
use serde::{Deserialize, Serialize};

/// Something that happened in a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "snake_case")]
pub enum Event {
    /// A round begins.
    RoundBegan {
        /// Its number.
        round: u32,
        /// What is done: `context`, `propose`, `critique`, `revise`, `refine`, `vote`, `judge`.
        kind: String,
    },
    /// Who takes part, where not all may.
    TeamSelected {
        /// Their names, in configuration order.
        seats: Vec<String>,
        /// All who could have taken part with their scores, the best first.
        scores: Vec<(String, f64)>,
    },
    /// What there was to know.
    Gathered {
        /// Source by source, what was typed in first.
        sources: Vec<Gathered>,
    },
    /// A proposal, or a new version of it.
    Proposed {
        /// In which round.
        round: u32,
        /// Whose.
        seat: String,
        /// Which version, from 1.
        version: u32,
        /// The whole text.
        text: String,
    },
    /// A critique of a proposal.
    Criticised {
        /// In which round.
        round: u32,
        /// Whose critique.
        seat: String,
        /// Of whose proposal.
        target: String,
        /// What it says.
        critique: Critique,
    },
    /// How alike the proposals are.
    Compared(Check),
    /// The trickster steps in.
    Challenged(Challenge),
    /// Patterns of speech in a text.
    Observed {
        /// In which round.
        round: u32,
        /// Who spoke.
        seat: String,
        /// Which.
        patterns: Vec<Pattern>,
    },
    /// Who judges.
    JudgeSelected {
        /// Name.
        seat: String,
        /// The order in which the proposals are shown, as proposers; the judge sees numbers.
        order: Vec<String>,
    },
    /// What the judge gave.
    Judged {
        /// In which round.
        round: u32,
        /// Who judged.
        seat: String,
        /// What was said.
        evaluation: Evaluation,
        /// Points by proposer, the best first.
        points: Vec<Points>,
        /// Whether the matter is settled.
        conclusive: bool,
    },
    /// What the votes came to.
    Counted {
        /// In which round.
        round: u32,
        /// The count and what follows.
        decision: Decision,
    },
    /// A seat gave nothing that could be used.
    SeatFailed {
        /// In which round.
        round: u32,
        /// Which.
        seat: String,
        /// What it was asked for.
        kind: String,
        /// Why it failed: `timed_out`, `empty`, or the reason that it could not be read.
        reason: String,
    },
    /// The debate ends before the last round.
    EndedEarly {
        /// After which round.
        round: u32,
        /// Why: `converged`, `no_proposals`, `one_proposal`.
        reason: String,
    },
}
tagged!(Event, "type");

/// What a source gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Gathered {
    /// The source's name: that of its seat, or `typed`.
    pub name: String,
    /// `typed`, `knowledge`, `debates`, `feed` or `program`.
    pub kind: String,
    /// The items as they are shown in questions.
    pub items: Vec<Item>,
    /// Items that are not shown: too many, or without a text.
    pub left_out: usize,
    /// Why there is nothing: `timed_out`, `failed`, `unavailable`, or why the answer could not be read.
    pub note: Option<String>,
    /// The same in a sentence of the source's.
    pub message: Option<String>,
}
