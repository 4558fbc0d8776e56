//! Ratings: matches between the participants of a debate, each counted once, and recomputable from the
//! list of matches.
//!
//! Source: A16.1 of the debate's design.

use super::exact::{ln, power_of_ten};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The rating of one who never played.
pub const START: f64 = 1500.0;
/// How far one match can move a rating.
pub const K: f64 = 32.0;
/// The difference at which the stronger is ten times as likely to win.
pub const SCALE: f64 = 400.0;
/// Points for a claim that was verified; taken for one that was disproven.
pub const VERIFICATION: f64 = 8.0;
/// No adjustment but that of a match goes below.
pub const FLOOR: f64 = 100.0;

/// The part of the points that a player with rating `a` is expected to take from one with `b`, 0 to 1.
#[must_use]
pub fn expected_score(a: f64, b: f64) -> f64 {
    1.0 / (1.0 + power_of_ten((b - a) / SCALE))
}

/// The rating after one game.
#[must_use]
pub fn new_rating(rating: f64, expected: f64, actual: f64, k: f64) -> f64 {
    rating + k * (actual - expected)
}

/// The difference of ratings at which the stronger wins with this probability (between 0 and 1).
#[must_use]
pub fn difference_for(probability: f64) -> f64 {
    -SCALE * ln(1.0 / probability - 1.0) / std::f64::consts::LN_10
}

/// A match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// The debate that it was; a debate counts once.
    pub debate: String,
    /// Who took part with which points, 0 and up; the judge's, or shares of the vote. In roster order.
    pub scores: Vec<(String, f64)>,
    /// The field, for ratings by field.
    pub domain: Option<String>,
    /// How much it counts, 0.1 to 1; beyond is cut.
    pub confidence_weight: f64,
    /// Factors by name for how far this match moves a rating; 1 where there is none. Others than 1 make
    /// points out of nothing.
    pub k_multipliers: BTreeMap<String, f64>,
}

/// How a match moves ratings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// See [`K`].
    pub k: f64,
    /// Divides changes by the number of opponents, so that a table of eight moves a rating no further
    /// than one of two.
    pub normalise_multiway: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            k: K,
            normalise_multiway: true,
        }
    }
}

/// What a match changes, by name; all pairs are compared with the ratings from before the match.
/// Nothing with fewer than two participants.
#[must_use]
pub fn changes(game: &Match, rating: impl Fn(&str) -> f64, settings: &Settings) -> BTreeMap<String, f64> {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let weight = game.confidence_weight.clamp(0.1, 1.0);
    let multiplier = |name: &str| game.k_multipliers.get(name).copied().unwrap_or(1.0);
    if game.scores.len() < 2 {
        return found;
    }
    for (name, _) in &game.scores {
        found.insert(name.clone(), 0.0);
    }
    let opponents = if settings.normalise_multiway {
        game.scores.len().saturating_sub(1).max(1) as f64
    } else {
        1.0
    };
    for (i, (a, points_a)) in game.scores.iter().enumerate() {
        for (b, points_b) in game.scores.iter().skip(i + 1).filter(|(b, _)| a != b) {
            let (points_a, points_b) = (points_a.max(0.0), points_b.max(0.0));
            let sum = points_a + points_b;
            let actual = if sum > 0.0 { points_a / sum } else { 0.5 };
            let base = settings.k * weight * (actual - expected_score(rating(a), rating(b))) / opponents;
            for (name, change) in [(a, base * multiplier(a)), (b, -base * multiplier(b))] {
                *found.entry(name.clone()).or_insert(0.0) += change;
            }
        }
    }
    found
}

/// Who has more points than all others; `None` is a draw.
#[must_use]
pub fn winner(scores: &[(String, f64)]) -> Option<&str> {
    let mut sorted: Vec<&(String, f64)> = scores.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, points) = sorted.first()?;
    let is_ahead = sorted.get(1).is_none_or(|(_, next)| points > next);
    is_ahead.then_some(first.as_str())
}

/// A participant's rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Over all.
    pub elo: f64,
    /// By field.
    pub domains: BTreeMap<String, f64>,
    /// Matches won.
    pub wins: u32,
    /// Matches lost.
    pub losses: u32,
    /// Matches drawn.
    pub draws: u32,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            elo: START,
            domains: BTreeMap::new(),
            wins: 0,
            losses: 0,
            draws: 0,
        }
    }
}

impl Rating {
    /// Matches played.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The rating of a field, else over all.
    #[must_use]
    pub fn in_domain(&self, domain: Option<&str>) -> f64 {
        domain
            .and_then(|domain| self.domains.get(domain))
            .copied()
            .unwrap_or(self.elo)
    }

    /// Adds what verified and disproven claims are worth; not below [`FLOOR`].
    pub fn verify(&mut self, verified: u32, disproven: u32) {
        self.elo = (self.elo + verification_change(verified, disproven)).max(FLOOR);
    }
}

/// What verified and disproven claims are worth.
#[must_use]
pub fn verification_change(verified: u32, disproven: u32) -> f64 {
    VERIFICATION * (f64::from(verified) - f64::from(disproven))
}

/// All ratings, with what each debate changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ratings {
    /// By name.
    pub players: BTreeMap<String, Rating>,
    /// Changes by debate.
    pub debates: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Ratings {
    /// The ratings after these matches, in this order.
    #[must_use]
    pub fn of(matches: &[Match], settings: &Settings) -> Self {
        let mut ratings = Self::default();
        for game in matches {
            ratings.record(game, settings);
        }
        ratings
    }

    /// A participant's rating; the first one for one who never played.
    #[must_use]
    pub fn player(&self, name: &str) -> Rating {
        self.players.get(name).cloned().unwrap_or_default()
    }

    /// Counts a match and gives what it changed. A debate that was counted before changes nothing, and
    /// gives what it changed then.
    pub fn record(&mut self, game: &Match, settings: &Settings) -> BTreeMap<String, f64> {
        if let Some(known) = self.debates.get(&game.debate) {
            return known.clone();
        }
        let changes = changes(game, |name| self.player(name).elo, settings);
        if changes.is_empty() {
            return changes;
        }
        let winner = winner(&game.scores);
        for (name, change) in &changes {
            let player = self.players.entry(name.clone()).or_default();
            player.elo += change;
            if let Some(domain) = &game.domain {
                *player.domains.entry(domain.clone()).or_insert(START) += change;
            }
            match winner {
                None => player.draws += 1,
                Some(winner) if winner == name => player.wins += 1,
                Some(_) => player.losses += 1,
            }
        }
        self.debates.insert(game.debate.clone(), changes.clone());
        changes
    }
}

/// How a rating moved over time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Learning {
    /// Points a match, as a straight line fits them.
    pub gain: f64,
    /// The part of steps upwards, 0 to 1.
    pub consistency: f64,
    /// In a word.
    pub pace: Pace,
}

/// How fast a rating rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// More than 5 points a match, in more than 60 percent of the steps.
    Rapid,
    /// More than 2, in more than half.
    Steady,
    /// More than none.
    Slow,
    /// None, or less.
    Declining,
}

/// How a rating moved, from its values over time. A report: no rating follows from it.
#[must_use]
pub fn learning(history: &[f64]) -> Learning {
    let count = history.len() as f64;
    let mean_x = (count - 1.0) / 2.0;
    let mean_y = history.iter().sum::<f64>() / count.max(1.0);
    let (mut top, mut bottom) = (0.0, 0.0);
    for (x, y) in history.iter().enumerate() {
        let x = x as f64 - mean_x;
        top += x * (y - mean_y);
        bottom += x * x;
    }
    let gain = if bottom > 0.0 { top / bottom } else { 0.0 };
    let rises = history.windows(2).filter(|pair| pair[1] > pair[0]).count() as f64;
    let consistency = if history.len() > 1 {
        rises / (count - 1.0)
    } else {
        0.0
    };
    let pace = if gain > 5.0 && consistency > 0.6 {
        Pace::Rapid
    } else if gain > 2.0 && consistency > 0.5 {
        Pace::Steady
    } else if gain > 0.0 {
        Pace::Slow
    } else {
        Pace::Declining
    };
    Learning {
        gain,
        consistency,
        pace,
    }
}

/// What a vote with or against the consensus would be worth in a field, after `with` of `all` votes
/// with it, this one included; nothing before the fifth. Off by default: it rewards going along.
#[must_use]
pub fn voting_change(with_consensus: bool, with: u32, all: u32, k: f64) -> f64 {
    if all < 5 {
        0.0
    } else if with_consensus {
        k * 2.0 * (f64::from(with) / f64::from(all) - 0.5)
    } else {
        -1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn game(debate: &str, scores: &[(&str, f64)]) -> Match {
        Match {
            debate: debate.to_owned(),
            scores: scores
                .iter()
                .map(|(name, points)| ((*name).to_owned(), *points))
                .collect(),
            domain: Some("law".to_owned()),
            confidence_weight: 1.0,
            k_multipliers: BTreeMap::new(),
        }
    }

    #[test]
    fn a_debate_counts_once() {
        let mut ratings = Ratings::default();
        let first = ratings.record(
            &game("d", &[("a", 8.0), ("b", 8.0), ("c", 2.0)]),
            &Settings::default(),
        );
        let before = ratings.clone();
        assert_eq!(
            ratings.record(&game("d", &[("a", 0.0), ("b", 9.0)]), &Settings::default()),
            first
        );
        assert_eq!(ratings, before);
        assert_eq!(ratings.player("a").draws, 1);
        assert_eq!(
            ratings.player("c").in_domain(Some("law")),
            ratings.player("c").elo
        );
        assert_eq!(ratings.player("z"), Rating::default());
        let mut poor = Rating {
            elo: 105.0,
            ..Rating::default()
        };
        poor.verify(0, 3);
        assert_eq!(poor.elo, FLOOR);
    }

    proptest! {
        #[test]
        fn points_are_won_from_others(
            matches in proptest::collection::vec(proptest::collection::vec(0.0..10.0f64, 2..9), 1..12),
            normalise_multiway: bool,
        ) {
            let settings = Settings { normalise_multiway, ..Settings::default() };
            let matches: Vec<Match> = matches
                .iter()
                .enumerate()
                .map(|(n, scores)| Match {
                    scores: scores.iter().enumerate().map(|(seat, points)| (format!("s{seat}"), *points)).collect(),
                    ..game(&format!("d{n}"), &[])
                })
                .collect();
            let ratings = Ratings::of(&matches, &settings);
            let sum: f64 = ratings.players.values().map(|player| player.elo - START).sum();
            prop_assert!(sum.abs() < 1e-9, "{sum}");
            for changes in ratings.debates.values() {
                let most = K * if normalise_multiway { 1.0 } else { 8.0 };
                prop_assert!(changes.values().all(|change| change.abs() <= most));
            }
            prop_assert_eq!(Ratings::of(&matches, &settings), ratings);
        }
    }
}
