//! Settings of voting and early stopping. The rules are in [`super::rules`].
//!
//! Source: A2 of the debate's design, its names and defaults.

use super::rules::similarity::{Measure, Texts, jaccard};
use super::settings::{Round, RoundKind};
use super::spec::{LIKENESS, OwnVote, SELF_VOTES};
use crate::procedures::spec::config_reader::ConfigReader;

/// Weights of votes, and conditions of early stopping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voting {
    pub self_vote: SelfVote,
    /// Penalty for votes for long proposals; `None`: none.
    pub verbosity: Option<Verbosity>,
    /// Bonus of a proposal per piece of evidence cited in a vote for it; `None`: none.
    pub evidence_bonus: Option<f64>,
    /// Minimum similarity of equivalent free-text choices; `None`: they are not grouped.
    pub grouping: Option<f64>,
    /// Weight of a person's vote under `weighted`.
    pub human_weight: f64,
    /// Whether seats are asked to declare final proposals.
    pub ready_signals: bool,
    /// Poll on whether to stop; `None`: off.
    pub poll: Option<Poll>,
    /// First round after which the judge is asked whether the matter is settled; `None`: never.
    pub judge_check: Option<u32>,
    /// Ends further rounds when votes are stable; `None`: off.
    pub stability: Option<StableVotes>,
    /// Maximum number of view changes in Byzantine agreement.
    pub view_changes: u32,
    /// Measure of similarity.
    pub measure: Likeness,
    /// Whether seats that fail repeatedly are suspended.
    pub breaker: bool,
}

/// Weight of a vote for the voter's own proposal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SelfVote {
    /// Counts fully; the count lists such votes.
    Full,
    /// Counts this fraction.
    Part(f64),
    /// Does not count.
    Excluded,
}

/// Penalty for votes for long proposals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verbosity {
    /// Target length in characters.
    pub target: u32,
    /// Multiple of the target from which each further multiple costs a tenth.
    pub threshold: f64,
    /// Maximum penalty, 0 to 1.
    pub most: f64,
}

/// When a poll is taken, and when it stops the debate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Poll {
    /// Fraction of the answers required to stop.
    pub threshold: f64,
    /// First round after which a poll is taken.
    pub from_round: u32,
}

/// When votes are stable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StableVotes {
    /// Minimum score.
    pub threshold: f64,
    /// Exclusive upper bound of the distance.
    pub distance: f64,
    /// Number of consecutive stable rounds.
    pub rounds: u32,
}

/// Measure of similarity. Embeddings are not offered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Likeness {
    /// The best available: TF-IDF.
    #[default]
    Auto,
    /// TF-IDF; shared words if a text has no terms.
    Tfidf,
    /// Shared words.
    Jaccard,
}

impl Likeness {
    /// Returns the measure of its scores.
    #[must_use]
    pub fn measure(self) -> Measure {
        match self {
            Self::Auto | Self::Tfidf => Measure::Tfidf,
            Self::Jaccard => Measure::Jaccard,
        }
    }

    /// Returns the similarity of two texts, 0 to 1.
    #[must_use]
    pub fn of(self, texts: &Texts, a: &str, b: &str) -> f64 {
        match self {
            Self::Auto | Self::Tfidf => texts.lexical(a, b).value,
            Self::Jaccard => jaccard(a, b),
        }
    }
}

/// Reads the voting settings; the default of a poll's first round depends on `schedule`.
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
                .unwrap_or_else(|| default_poll_round(schedule)),
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

/// Returns the round before the last revision if there are revisions after round 8, else the last round.
fn default_poll_round(schedule: &[Round]) -> u32 {
    let revisions = schedule.iter().filter(|round| round.kind == RoundKind::Revise);
    match revisions.map(|round| round.number).max() {
        Some(revised) if revised > 8 => revised - 1,
        _ => schedule.iter().map(|round| round.number).max().unwrap_or(0),
    }
}
