//! Settings of voting and early stopping. The rules are in [`super::rules`].
//!
//! Source: A2 of the debate's design, its names and defaults.

use super::rules::similarity::{Measure, Texts, jaccard};
use super::settings::Settings;
use super::settings::schedule::{Round, RoundKind};
use crate::procedures::spec::declare::choices;

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

choices! {
    /// Measure of similarity. Embeddings are not offered yet.
    #[derive(Default)]
    pub enum Likeness {
        /// The best available: TF-IDF.
        #[default]
        Auto = "auto",
        /// TF-IDF; shared words if a text has no terms.
        Tfidf = "tfidf",
        /// Shared words.
        Jaccard = "jaccard",
    }
}

choices! {
    /// Treatment of votes for the voter's own proposal.
    pub enum OwnVote {
        /// Counts in part.
        Part = "downweight",
        /// Does not count.
        Excluded = "exclude",
        /// Counts fully.
        Full = "log_only",
    }
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

impl Settings {
    /// Returns the weight of a vote for the voter's own proposal.
    #[must_use]
    pub fn self_vote(&self) -> SelfVote {
        match self.self_vote_mode {
            _ if !self.enable_self_vote_mitigation => SelfVote::Full,
            OwnVote::Part => SelfVote::Part(self.self_vote_downweight),
            OwnVote::Excluded => SelfVote::Excluded,
            OwnVote::Full => SelfVote::Full,
        }
    }

    /// Returns the penalty for votes for long proposals; `None`: none.
    #[must_use]
    pub fn verbosity(&self) -> Option<Verbosity> {
        self.enable_verbosity_normalization.then_some(Verbosity {
            target: self.verbosity_target_length,
            threshold: self.verbosity_penalty_threshold,
            most: self.verbosity_max_penalty,
        })
    }

    /// Returns the poll on whether to stop; `None`: off.
    #[must_use]
    pub fn poll(&self) -> Option<Poll> {
        self.early_stopping.then(|| Poll {
            threshold: self.early_stop_threshold,
            from_round: self
                .min_rounds_before_early_stop
                .unwrap_or_else(|| default_poll_round(&self.schedule)),
        })
    }

    /// Returns when stable votes end further rounds; `None`: never.
    #[must_use]
    pub fn stable_votes(&self) -> Option<StableVotes> {
        self.enable_stability_detection.then_some(StableVotes {
            threshold: self.stability_threshold,
            distance: self.stability_ks_threshold,
            rounds: self.stability_min_stable_rounds,
        })
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
