//! Elo ratings. Matches are between the participants of a debate; each debate counts once, and ratings can be
//! recomputed from the list of matches.
//!
//! Source: A16.1 of the debate's design.

use super::exact::{ln, power_of_ten};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Initial rating.
pub const START: f64 = 1500.0;
/// Maximum change of a rating per match.
pub const K: f64 = 32.0;
/// Difference at which the stronger is ten times as likely to win.
pub const SCALE: f64 = 400.0;
/// Points gained per verified claim, and lost per disproven claim.
pub const VERIFICATION: f64 = 8.0;
/// Minimum rating after adjustments other than matches.
pub const FLOOR: f64 = 100.0;

/// Returns the expected score of a player with rating `a` against one with `b`, 0 to 1.
#[must_use]
pub fn expected_score(a: f64, b: f64) -> f64 {
    1.0 / (1.0 + power_of_ten((b - a) / SCALE))
}

/// Returns the rating after one game.
#[must_use]
pub fn new_rating(rating: f64, expected: f64, actual: f64, k: f64) -> f64 {
    rating + k * (actual - expected)
}

/// Returns the difference of ratings at which the stronger wins with this probability (between 0 and 1).
#[must_use]
pub fn difference_for(probability: f64) -> f64 {
    -SCALE * ln(1.0 / probability - 1.0) / std::f64::consts::LN_10
}

/// A match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// Id of the debate; a debate counts once.
    pub debate: String,
    /// Points by participant, at least 0: the judge's scores or shares of the vote. In roster order.
    pub scores: Vec<(String, f64)>,
    /// Field of the question.
    pub domain: Option<String>,
    /// Weight, clamped to 0.1 to 1.
    pub confidence_weight: f64,
    /// Factors on K by name, 1 if missing. Factors other than 1 change the sum of all ratings.
    pub k_multipliers: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// See [`K`].
    pub k: f64,
    /// Whether changes are divided by the number of opponents, so that large tables do not move ratings
    /// further.
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

/// Returns the changes by name. All pairs are compared by their ratings before the match. Empty with fewer
/// than two participants.
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

/// Returns the participant with the most points, or `None` for a draw.
#[must_use]
pub fn winner(scores: &[(String, f64)]) -> Option<&str> {
    let mut sorted: Vec<&(String, f64)> = scores.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, points) = sorted.first()?;
    let is_ahead = sorted.get(1).is_none_or(|(_, next)| points > next);
    is_ahead.then_some(first.as_str())
}

/// Rating of a participant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Across all fields.
    pub elo: f64,
    /// By field.
    pub domains: BTreeMap<String, f64>,
    pub wins: u32,
    pub losses: u32,
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
    /// Returns the number of matches.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Returns the rating in a field, or the overall rating without one.
    #[must_use]
    pub fn in_domain(&self, domain: Option<&str>) -> f64 {
        domain
            .and_then(|domain| self.domains.get(domain))
            .copied()
            .unwrap_or(self.elo)
    }

    /// Adjusts the rating for verified and disproven claims, not below [`FLOOR`].
    pub fn verify(&mut self, verified: u32, disproven: u32) {
        self.elo = (self.elo + verification_change(verified, disproven)).max(FLOOR);
    }
}

/// Returns the points for verified and disproven claims.
#[must_use]
pub fn verification_change(verified: u32, disproven: u32) -> f64 {
    VERIFICATION * (f64::from(verified) - f64::from(disproven))
}

/// All ratings, and the changes by each debate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Ratings {
    /// By name.
    pub players: BTreeMap<String, Rating>,
    /// By debate, then by name.
    pub debates: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Ratings {
    /// Computes the ratings after these matches, in this order.
    #[must_use]
    pub fn of(matches: &[Match], settings: &Settings) -> Self {
        let mut ratings = Self::default();
        for game in matches {
            ratings.record(game, settings);
        }
        ratings
    }

    /// Returns a participant's rating, by default the initial one.
    #[must_use]
    pub fn player(&self, name: &str) -> Rating {
        self.players.get(name).cloned().unwrap_or_default()
    }

    /// Records a match and returns its changes. A debate recorded before has no effect; its earlier changes
    /// are returned.
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

/// Trend of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Learning {
    /// Slope of a linear fit, in points per match.
    pub gain: f64,
    /// Fraction of rising steps, 0 to 1.
    pub consistency: f64,
    pub pace: Pace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// More than 5 points per match, in more than 60 percent of the steps.
    Rapid,
    /// More than 2 points per match, in more than half of the steps.
    Steady,
    /// More than 0 points per match.
    Slow,
    /// Not rising.
    Declining,
}

/// Computes the trend from ratings over time, for reports only.
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

/// Returns the points for a vote with or against the consensus in a field, after `with` of `all` votes with
/// it, including this one; 0 before the fifth. Off by default, since it rewards conformity.
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
