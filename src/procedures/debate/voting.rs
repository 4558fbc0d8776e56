//! What a configuration says of votes and of stopping early: what a vote weighs besides its rating, how
//! choices in free words are taken, who is asked whether to go on, what counts as alike. The rules that
//! these settings feed stand in [`super::rules`].
//!
//! Source: A2 of the debate's design, its names and defaults.

use super::rules::similarity::{Measure, jaccard, lexical};
use super::settings::{Round, RoundKind};
use crate::procedures::config::Reader;

/// How votes are weighed and when a debate may stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voting {
    /// What a vote for the own proposal counts for.
    pub self_vote: SelfVote,
    /// What a vote for a long proposal loses; `None`: nothing.
    pub verbosity: Option<Verbosity>,
    /// What a proposal gains by each piece of evidence that a vote for it cites; `None`: nothing.
    pub evidence_bonus: Option<f64>,
    /// From which likeness on choices in free words are one; `None`: never.
    pub grouping: Option<f64>,
    /// What the vote of a seat with a person counts for under `weighted`.
    pub human_weight: f64,
    /// Whether seats are asked to say when their proposal is final.
    pub ready_signals: bool,
    /// Whether all are asked to go on or stop; `None`: nobody is.
    pub poll: Option<Poll>,
    /// From which round on the judge is asked whether the matter is settled; `None`: not asked.
    pub judge_check: Option<u32>,
    /// When votes that no longer change end further rounds; `None`: never.
    pub stability: Option<StableVotes>,
    /// How often Byzantine agreement may go over to the next proposal.
    pub view_changes: u32,
    /// What likeness is measured with.
    pub measure: Likeness,
    /// Whether a seat that keeps failing is left alone for a while.
    pub breaker: bool,
}

/// What a vote for the own proposal counts for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SelfVote {
    /// As much as any; the count says whose they are.
    Full,
    /// This part of it.
    Part(f64),
    /// Nothing.
    Excluded,
}

/// What a vote for a long proposal loses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verbosity {
    /// Characters that are asked for.
    pub target: u32,
    /// From how many times as many on it loses a tenth for each time more.
    pub threshold: f64,
    /// What it loses at most, 0 to 1.
    pub most: f64,
}

/// When all are asked to go on or stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Poll {
    /// The part of the answers that stops the debate.
    pub threshold: f64,
    /// After this round at the earliest.
    pub from_round: u32,
}

/// When votes no longer change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableVotes {
    /// The least score.
    pub threshold: f64,
    /// The distance to stay below.
    pub distance: f64,
    /// Rounds in a row.
    pub rounds: u32,
}

/// What likeness is measured with. Vectors of a model are no choice yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Likeness {
    /// The best there is: weighed words.
    #[default]
    Auto,
    /// Weighed words; shared words where a text has none.
    Tfidf,
    /// Shared words.
    Jaccard,
}

impl Likeness {
    /// What its scores were made by.
    #[must_use]
    pub fn measure(self) -> Measure {
        match self {
            Self::Auto | Self::Tfidf => Measure::Tfidf,
            Self::Jaccard => Measure::Jaccard,
        }
    }

    /// How alike two texts are, 0 to 1.
    #[must_use]
    pub fn of(self, a: &str, b: &str) -> f64 {
        match self {
            Self::Auto | Self::Tfidf => lexical(a, b).value,
            Self::Jaccard => jaccard(a, b),
        }
    }
}

const LIKENESS: [(&str, Likeness); 3] = [
    ("auto", Likeness::Auto),
    ("tfidf", Likeness::Tfidf),
    ("jaccard", Likeness::Jaccard),
];

/// Reads them; `schedule` says from which round on a poll makes sense where the configuration does not.
pub(super) fn read(top: &Reader, schedule: &[Round]) -> Voting {
    Voting {
        self_vote: self_vote(top),
        verbosity: verbosity(top),
        evidence_bonus: evidence(top),
        grouping: grouping(top),
        human_weight: top.number(&["user_vote_weight"], 1.0, 0.0..=5.0),
        ready_signals: top.flag(&["enable_ready_signals"], true),
        poll: poll(top, schedule),
        judge_check: judge_check(top),
        stability: stability(top),
        view_changes: top.whole(&["byzantine_max_view_changes"], 3, 0..=12),
        measure: top.one_of("similarity", &LIKENESS, Likeness::Auto),
        breaker: top.flag(&["enable_circuit_breaker"], true),
    }
}

fn self_vote(top: &Reader) -> SelfVote {
    let part = top.number(&["self_vote_downweight"], 0.5, 0.0..=1.0);
    let modes = [
        ("downweight", SelfVote::Part(part)),
        ("exclude", SelfVote::Excluded),
        ("log_only", SelfVote::Full),
    ];
    let mode = top.one_of("self_vote_mode", &modes, SelfVote::Part(part));
    if top.flag(&["enable_self_vote_mitigation"], false) {
        mode
    } else {
        SelfVote::Full
    }
}

fn verbosity(top: &Reader) -> Option<Verbosity> {
    let found = Verbosity {
        target: top.whole(&["verbosity_target_length"], 1_000, 1..=1_000_000),
        threshold: top.number(&["verbosity_penalty_threshold"], 3.0, 1.0..=100.0),
        most: top.number(&["verbosity_max_penalty"], 0.3, 0.0..=1.0),
    };
    top.flag(&["enable_verbosity_normalization"], false)
        .then_some(found)
}

fn evidence(top: &Reader) -> Option<f64> {
    let bonus = top.number(&["evidence_citation_bonus"], 0.15, 0.0..=1.0);
    top.flag(&["enable_evidence_weighting"], true).then_some(bonus)
}

fn grouping(top: &Reader) -> Option<f64> {
    let threshold = top.number(&["vote_grouping_threshold"], 0.85, 0.0..=1.0);
    top.flag(&["vote_grouping"], true).then_some(threshold)
}

fn poll(top: &Reader, schedule: &[Round]) -> Option<Poll> {
    let revisions = || schedule.iter().filter(|round| round.kind == RoundKind::Revise);
    let last = |rounds: &mut dyn Iterator<Item = &Round>| rounds.map(|round| round.number).max();
    // One round before the last; where revisions end long before, after the whole schedule.
    let end = last(&mut schedule.iter()).unwrap_or(0);
    let usual = match last(&mut revisions()) {
        Some(revised) if revised > 8 => revised - 1,
        _ => end,
    };
    let found = Poll {
        threshold: top.number(&["early_stop_threshold"], 0.85, 0.0..=1.0),
        from_round: top.whole(&["min_rounds_before_early_stop"], usual, 0..=1_000),
    };
    top.flag(&["early_stopping"], true).then_some(found)
}

fn judge_check(top: &Reader) -> Option<u32> {
    let from = top.whole(&["min_rounds_before_judge_check"], 2, 0..=1_000);
    top.flag(&["judge_termination"], false).then_some(from)
}

fn stability(top: &Reader) -> Option<StableVotes> {
    let found = StableVotes {
        threshold: top.number(&["stability_threshold"], 0.85, 0.0..=1.0),
        distance: top.number(&["stability_ks_threshold"], 0.1, 0.0..=1.0),
        rounds: top.whole(&["stability_min_stable_rounds"], 1, 1..=12),
    };
    top.flag(&["enable_stability_detection"], false).then_some(found)
}
