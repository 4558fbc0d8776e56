//! What a configuration says of votes and of stopping early: what a vote weighs besides its rating, how
//! choices in free words are taken, who is asked whether to go on, what counts as alike. The rules that
//! these settings feed stand in [`super::rules`].
//!
//! Source: A2 of the debate's design, its names and defaults.

use super::rules::similarity::{Measure, Texts, jaccard};
use super::settings::{Round, RoundKind};
use super::spec::{LIKENESS, OwnVote, SELF_VOTES};
use crate::procedures::spec::config_reader::ConfigReader;

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
    pub fn of(self, texts: &Texts, a: &str, b: &str) -> f64 {
        match self {
            Self::Auto | Self::Tfidf => texts.lexical(a, b).value,
            Self::Jaccard => jaccard(a, b),
        }
    }
}

/// Reads them; `schedule` says from which round on a poll makes sense where the configuration does not.
pub(super) fn read(top: &ConfigReader, schedule: &[Round]) -> Voting {
    Voting {
        self_vote: self_vote(top),
        verbosity: top.flag("enable_verbosity_normalization").then(|| Verbosity {
            target: top.whole("verbosity_target_length"),
            threshold: top.number("verbosity_penalty_threshold"),
            most: top.number("verbosity_max_penalty"),
        }),
        evidence_bonus: top
            .flag("enable_evidence_weighting")
            .then(|| top.number("evidence_citation_bonus")),
        grouping: top
            .flag("vote_grouping")
            .then(|| top.number("vote_grouping_threshold")),
        human_weight: top.number("user_vote_weight"),
        ready_signals: top.flag("enable_ready_signals"),
        poll: top.flag("early_stopping").then(|| Poll {
            threshold: top.number("early_stop_threshold"),
            from_round: top
                .maybe_whole("min_rounds_before_early_stop")
                .unwrap_or_else(|| usual_poll(schedule)),
        }),
        judge_check: top
            .flag("judge_termination")
            .then(|| top.whole("min_rounds_before_judge_check")),
        stability: top.flag("enable_stability_detection").then(|| StableVotes {
            threshold: top.number("stability_threshold"),
            distance: top.number("stability_ks_threshold"),
            rounds: top.whole("stability_min_stable_rounds"),
        }),
        view_changes: top.whole("byzantine_max_view_changes"),
        measure: top.one_of("similarity", &LIKENESS),
        breaker: top.flag("enable_circuit_breaker"),
    }
}

fn self_vote(top: &ConfigReader) -> SelfVote {
    if !top.flag("enable_self_vote_mitigation") {
        return SelfVote::Full;
    }
    match top.one_of("self_vote_mode", &SELF_VOTES) {
        OwnVote::Part => SelfVote::Part(top.number("self_vote_downweight")),
        OwnVote::Excluded => SelfVote::Excluded,
        OwnVote::Full => SelfVote::Full,
    }
}

/// One round before the last; where revisions end long before, after the whole schedule.
fn usual_poll(schedule: &[Round]) -> u32 {
    let revisions = schedule.iter().filter(|round| round.kind == RoundKind::Revise);
    match revisions.map(|round| round.number).max() {
        Some(revised) if revised > 8 => revised - 1,
        _ => schedule.iter().map(|round| round.number).max().unwrap_or(0),
    }
}
