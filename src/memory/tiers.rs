//! The four tiers of memory and the transitions between them: surprising memories move to a faster tier,
//! which is consulted more often; others move to a slower one, which lasts longer. Arithmetic only; the
//! memories are in [`super::recall`].
//!
//! Source: A21 of the debate's design.

use crate::core::ask::Millis;
use crate::procedures::debate::rules::exact::{exp, ln};
use serde::{Deserialize, Serialize};

/// Milliseconds in an hour.
pub const HOUR: Millis = 3_600_000;
/// Minimum hours between two promotions of a memory.
pub const COOLDOWN_HOURS: f64 = 24.0;
/// Minimum number of updates before a demotion.
pub const DEMOTION_UPDATES: u32 = 10;
/// Required distance of surprise beyond a threshold. The thresholds of both directions are complementary:
/// without hysteresis, every old enough memory would move at each pass.
pub const HYSTERESIS: f64 = 0.05;
/// Weight of a new surprise in the running mean.
pub const SMOOTHING: f64 = 0.3;

/// Decay class of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Half-life of an hour.
    Fast,
    /// Half-life of a day.
    Medium,
    /// Half-life of a week.
    Slow,
    /// Half-life of 30 days.
    Glacial,
}

/// Parameters of a tier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// In hours.
    pub half_life: f64,
    /// Initial learning rate.
    pub rate: f64,
    /// Factor on the learning rate per update.
    pub rate_decay: f64,
    /// Surprise (0 to 1) above which a memory moves to the faster tier.
    pub promote: Option<f64>,
    /// Stability (1 − surprise) above which it moves to the slower tier.
    pub demote: Option<f64>,
    /// Maximum number of memories.
    pub most: usize,
    /// Decrease of the search score per day.
    pub slope: f64,
}

impl Tier {
    /// Fastest first.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Medium, Self::Slow, Self::Glacial];

    #[must_use]
    pub fn figures(self) -> Figures {
        let figures = |half_life, rate, rate_decay, promote, demote, most, slope| Figures {
            half_life,
            rate,
            rate_decay,
            promote,
            demote,
            most,
            slope,
        };
        match self {
            Self::Fast => figures(1.0, 0.3, 0.95, None, Some(0.2), 1_000, 24.0),
            Self::Medium => figures(24.0, 0.1, 0.99, Some(0.7), Some(0.3), 5_000, 1.0),
            Self::Slow => figures(168.0, 0.03, 0.999, Some(0.6), Some(0.4), 10_000, 0.14),
            Self::Glacial => figures(720.0, 0.01, 0.9999, Some(0.5), None, 50_000, 0.03),
        }
    }

    #[must_use]
    pub fn faster(self) -> Option<Self> {
        match self {
            Self::Fast => None,
            Self::Medium => Some(Self::Fast),
            Self::Slow => Some(Self::Medium),
            Self::Glacial => Some(Self::Slow),
        }
    }

    #[must_use]
    pub fn slower(self) -> Option<Self> {
        match self {
            Self::Fast => Some(Self::Medium),
            Self::Medium => Some(Self::Slow),
            Self::Slow => Some(Self::Glacial),
            Self::Glacial => None,
        }
    }

    /// Returns the remaining fraction after some hours, 0 to 1.
    #[must_use]
    pub fn decay(self, hours: f64) -> f64 {
        if hours > 0.0 {
            exp(-std::f64::consts::LN_2 * hours / self.figures().half_life)
        } else {
            1.0
        }
    }

    /// Returns the weight of the next update.
    #[must_use]
    pub fn learning_rate(self, updates: u32) -> f64 {
        let figures = self.figures();
        figures.rate * exp(f64::from(updates) * ln(figures.rate_decay))
    }

    /// Returns `true` if a memory moves to the faster tier. `hours_since`: hours since its last promotion,
    /// if any.
    #[must_use]
    pub fn promotes(self, surprise: f64, hours_since: Option<f64>, hysteresis: f64) -> bool {
        let is_rested = hours_since.is_none_or(|hours| hours >= COOLDOWN_HOURS);
        let threshold = self.figures().promote;
        is_rested && threshold.is_some_and(|threshold| surprise > threshold + hysteresis)
    }

    /// Returns `true` if a memory with this many updates moves to the slower tier.
    #[must_use]
    pub fn demotes(self, surprise: f64, updates: u32, hysteresis: f64) -> bool {
        let threshold = self.figures().demote;
        updates >= DEMOTION_UPDATES
            && threshold.is_some_and(|threshold| 1.0 - surprise > threshold + hysteresis)
    }
}

/// Weights of the parts of an outcome's surprise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Weight of the distance between outcome and expectation.
    pub outcome: f64,
    /// Weight of the participants' prediction error.
    pub error: f64,
    /// Normalises the weights of the known parts to 1. Without it surprise stays at or below 0.5 and no
    /// memory is ever promoted.
    pub renormalised: bool,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            outcome: 0.3,
            error: 0.2,
            renormalised: true,
        }
    }
}

impl Weights {
    /// Returns the surprise of an outcome, 0 to 1. `expected`: share of successes so far, 0.5 at first.
    /// `error`: prediction error of the participants, 0 to 1, if known.
    #[must_use]
    pub fn surprise(&self, expected: f64, success: bool, error: Option<f64>) -> f64 {
        let miss = (f64::from(u8::from(success)) - expected).abs();
        let weight = self.outcome + error.map_or(0.0, |_| self.error);
        let sum = self.outcome * miss + self.error * error.unwrap_or(0.0);
        let found = if self.renormalised && weight > 0.0 {
            sum / weight
        } else {
            sum
        };
        found.clamp(0.0, 1.0)
    }
}

/// Updates the running mean.
#[must_use]
pub fn smoothed(old: f64, new: f64) -> f64 {
    old * (1.0 - SMOOTHING) + new * SMOOTHING
}

/// Returns the success rate with one success and one failure added (Laplace smoothing).
#[must_use]
pub fn base_rate(successes: u32, failures: u32) -> f64 {
    (f64::from(successes) + 1.0) / (f64::from(successes) + f64::from(failures) + 2.0)
}

/// Combines the surprise of the outcome with the participants' error, if known.
#[must_use]
pub fn combined(outcome: f64, error: Option<f64>) -> f64 {
    error.map_or(outcome, |error| (0.7 * outcome + 0.3 * error).min(1.0))
}

/// Returns the consolidation after a number of updates, 0 to 1.
#[must_use]
pub fn consolidation(updates: u32) -> f64 {
    (ln(1.0 + f64::from(updates)) / ln(100.0)).min(1.0)
}

/// Returns `true` if a memory in the slow tier qualifies for the glacial one.
#[must_use]
pub fn is_glacial(consolidation: f64, surprise: f64, updates: u32) -> bool {
    consolidation >= 0.8 && surprise <= 0.2 && updates >= 20
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hysteresis_prevents_moves() {
        for (tier, promote) in [(Tier::Medium, 0.7), (Tier::Slow, 0.6)] {
            for surprise in [promote - 0.04, promote, promote + 0.04] {
                assert!(!tier.promotes(surprise, None, HYSTERESIS), "{tier:?} {surprise}");
                assert!(!tier.demotes(surprise, 50, HYSTERESIS), "{tier:?} {surprise}");
            }
            assert!(tier.promotes(promote + 0.06, None, HYSTERESIS));
            assert!(tier.demotes(promote - 0.06, 50, HYSTERESIS));
        }
    }

    #[test]
    fn surprise_can_reach_promotion() {
        let weights = Weights::default();
        assert_eq!(weights.surprise(1.0, false, None), 1.0);
        assert_eq!(weights.surprise(0.0, true, Some(1.0)), 1.0);
        assert!((weights.surprise(0.5, true, Some(0.25)) - 0.4).abs() < 1e-12);
        let published = Weights {
            renormalised: false,
            ..weights
        };
        assert_eq!(published.surprise(1.0, false, Some(1.0)), 0.5);
        let mut surprise = 0.0;
        for _ in 0..6 {
            surprise = smoothed(surprise, weights.surprise(1.0, false, None));
        }
        assert!(Tier::Medium.promotes(surprise, None, HYSTERESIS));
    }

    #[test]
    fn tiers_are_ordered() {
        for pair in Tier::ALL.windows(2) {
            assert_eq!(pair[0].slower(), Some(pair[1]));
            assert_eq!(pair[1].faster(), Some(pair[0]));
        }
        assert!(!Tier::Fast.promotes(1.0, None, 0.0));
        assert!(!Tier::Glacial.demotes(0.0, 100, 0.0));
    }

    proptest! {
        #[test]
        fn results_are_shares(tier in 0..4usize, hours in any::<f64>(), updates in any::<u32>(), surprise in 0.0..=1.0f64) {
            let tier = Tier::ALL[tier];
            prop_assert!((0.0..=1.0).contains(&tier.decay(hours)));
            prop_assert!((0.0..=0.3 + 1e-12).contains(&tier.learning_rate(updates)));
            prop_assert!((0.0..=1.0).contains(&consolidation(updates)));
            let both = tier.promotes(surprise, None, HYSTERESIS) && tier.demotes(surprise, updates, HYSTERESIS);
            prop_assert!(!both);
        }
    }
}
