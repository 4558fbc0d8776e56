//! What happens in a debate besides questions and answers, as records tell it.

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

/// Something that happened in a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
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
        sources: Vec<GatheredSource>,
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
    /// Who voted for whom, once all have.
    Voted {
        /// In which round.
        round: u32,
        /// The ballots.
        ballots: Vec<Ballot>,
    },
    /// All proposals are laid before all, where not all had seen all.
    Laid {
        /// In which round.
        round: u32,
        /// Whose, which version, and the text.
        proposals: Vec<(String, u32, String)>,
    },
    /// What the votes came to.
    Counted {
        /// In which round.
        round: u32,
        /// The count and what follows.
        decision: Decision,
    },
    /// How new the proposals are next to what was proposed before.
    Novel {
        /// In which round.
        round: u32,
        /// Seat by seat.
        novelty: Novelty,
    },
    /// Who says that the own proposal is final.
    Ready {
        /// In which round.
        round: u32,
        /// Who does, with the confidence that was said.
        seats: Vec<(String, Option<f64>)>,
        /// How many of them are sure enough to count.
        count: usize,
        /// Of how many with a proposal.
        of: usize,
        /// Whether that ends the revisions.
        ends: bool,
    },
    /// All were asked whether to go on.
    Polled {
        /// After which round.
        round: u32,
        /// What each said, true for stop; `None` where nothing could be read.
        answers: Vec<Answered>,
        /// Whether that ends what was to follow: revisions, or further rounds.
        ends: bool,
    },
    /// The judge was asked whether the matter is settled.
    Settled {
        /// After which round.
        round: u32,
        /// Who was asked.
        seat: String,
        /// What was said.
        said: Settled,
        /// Whether that ends the revisions.
        ends: bool,
    },
    /// How near the votes of two rounds are.
    Stable {
        /// In which round the later ones were cast.
        round: u32,
        /// The comparison.
        stability: Stability,
        /// Whether that ends further rounds.
        ends: bool,
    },
    /// Choices in free words, and what they were taken for.
    Grouped {
        /// In which round.
        round: u32,
        /// In the order of the votes.
        groups: Vec<Group>,
    },
    /// Byzantine agreement: who would agree to a proposal.
    Prepared(View),
    /// Byzantine agreement: who binds itself to a proposal.
    Committed(View),
    /// A seat that failed again and again is left alone, is tried again, or is back.
    Circuit {
        /// In which round.
        round: u32,
        /// Which.
        seat: String,
        /// How it stands now.
        state: Circuit,
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
        /// Of whose proposal, where it was about one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        about: String,
    },
    /// The debate ends before the last round.
    EndedEarly {
        /// After which round.
        round: u32,
        /// Why: `converged`, `no_proposals`, `one_proposal`.
        reason: String,
    },
}

/// What a seat said to a question of yes and no.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Who.
    pub seat: String,
    /// What; `None` where nothing could be read.
    pub yes: Option<bool>,
}

/// A step of Byzantine agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// In which round.
    pub round: u32,
    /// Which attempt, from 0; each puts another proposal.
    pub view: usize,
    /// Whose proposal it is.
    pub leader: String,
    /// What each said.
    pub answers: Vec<Answered>,
    /// How many have to say yes.
    pub quorum: usize,
}

/// Choices in free words that were taken for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The first of them, in the voter's words.
    pub canonical: String,
    /// Who chose it, in the order of the votes.
    pub voters: Vec<String>,
    /// Whose proposal it is; `None`: nobody's, so that they abstain.
    pub choice: Option<String>,
}

/// What a source gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GatheredSource {
    /// The source's name: that of its seat, or `typed`.
    pub name: String,
    /// `typed`, `knowledge`, `debates`, `feed` or `program`.
    pub kind: String,
    /// The items as they are shown in questions.
    pub items: Vec<SourceItem>,
    /// Items that are not shown: too many, or without a text.
    pub left_out: usize,
    /// Why there is nothing: `timed_out`, `failed`, `unavailable`, or why the answer could not be read.
    pub note: Option<String>,
    /// The same in a sentence of the source's, where it answered with one.
    pub message: Option<String>,
}
