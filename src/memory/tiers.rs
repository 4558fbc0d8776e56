//! The four tiers of memory and how a memory moves between them: what surprises moves to a faster tier,
//! where it is looked at more often; what no longer does moves to a slower one, where it lasts. Pure
//! arithmetic; which memories there are stands in [`super::recall`].
//!
//! Source: A21 of the debate's design.

use crate::core::ask::Millis;
use crate::procedures::debate::rules::exact::{exp, ln};
use serde::{Deserialize, Serialize};

/// Milliseconds of an hour.
pub const HOUR: Millis = 3_600_000;
/// Hours between two promotions of one memory, at least.
pub const COOLDOWN_HOURS: f64 = 24.0;
/// A memory is not moved to a slower tier before it was updated so often.
pub const DEMOTION_UPDATES: u32 = 10;
/// How far beyond a threshold surprise must be. The thresholds of the two directions complement each
/// other: with none, whatever is old enough moves at every pass.
pub const HYSTERESIS: f64 = 0.05;
/// The part of a new surprise in the running mean.
pub const SMOOTHING: f64 = 0.3;

/// How fast a memory fades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Hours.
    Fast,
    /// Days.
    Medium,
    /// Weeks.
    Slow,
    /// Months.
    Glacial,
}

/// The figures of a tier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Hours after which half is left.
    pub half_life: f64,
    /// The learning rate before the first update.
    pub rate: f64,
    /// What is left of the learning rate with every update.
    pub rate_decay: f64,
    /// Moves to the faster tier above this surprise, 0 to 1.
    pub promote: Option<f64>,
    /// Moves to the slower tier above this stability (1 − surprise).
    pub demote: Option<f64>,
    /// Memories at most.
    pub most: usize,
    /// How fast the score of a search falls, per day.
    pub slope: f64,
}

impl Tier {
    /// The fastest first.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Medium, Self::Slow, Self::Glacial];

    /// Its figures.
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

    /// The next faster one.
    #[must_use]
    pub fn faster(self) -> Option<Self> {
        match self {
            Self::Fast => None,
            Self::Medium => Some(Self::Fast),
            Self::Slow => Some(Self::Medium),
            Self::Glacial => Some(Self::Slow),
        }
    }

    /// The next slower one.
    #[must_use]
    pub fn slower(self) -> Option<Self> {
        match self {
            Self::Fast => Some(Self::Medium),
            Self::Medium => Some(Self::Slow),
            Self::Slow => Some(Self::Glacial),
            Self::Glacial => None,
        }
    }

    /// What is left of a memory after some hours, 0 to 1.
    #[must_use]
    pub fn decay(self, hours: f64) -> f64 {
        if hours > 0.0 {
            exp(-std::f64::consts::LN_2 * hours / self.figures().half_life)
        } else {
            1.0
        }
    }

    /// How much the next update may change.
    #[must_use]
    pub fn learning_rate(self, updates: u32) -> f64 {
        let figures = self.figures();
        figures.rate * exp(f64::from(updates) * ln(figures.rate_decay))
    }

    /// Whether a memory moves to the faster tier. `hours_since` its last promotion, if there was one.
    #[must_use]
    pub fn promotes(self, surprise: f64, hours_since: Option<f64>, hysteresis: f64) -> bool {
        let is_rested = hours_since.is_none_or(|hours| hours >= COOLDOWN_HOURS);
        let threshold = self.figures().promote;
        is_rested && threshold.is_some_and(|threshold| surprise > threshold + hysteresis)
    }

    /// Whether a memory that was updated so often moves to the slower tier.
    #[must_use]
    pub fn demotes(self, surprise: f64, updates: u32, hysteresis: f64) -> bool {
        let threshold = self.figures().demote;
        updates >= DEMOTION_UPDATES
            && threshold.is_some_and(|threshold| 1.0 - surprise > threshold + hysteresis)
    }
}

/// What weighs how much in the surprise of an outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// How far the outcome is from what was expected.
    pub outcome: f64,
    /// How wrong the participants were about it.
    pub error: f64,
    /// Whether the weights of what is known are made to sum up to 1. Without it surprise stays at or
    /// below a half, and nothing is ever promoted.
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
    /// The surprise of an outcome, 0 to 1. `expected`: the share of successes so far, a half before the
    /// first. `error` of the participants' predictions, 0 to 1, where it is known.
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

/// The running mean after a new surprise.
#[must_use]
pub fn smoothed(old: f64, new: f64) -> f64 {
    old * (1.0 - SMOOTHING) + new * SMOOTHING
}

/// The share of successes, as if there had been one success and one failure more.
#[must_use]
pub fn base_rate(successes: u32, failures: u32) -> f64 {
    (f64::from(successes) + 1.0) / (f64::from(successes) + f64::from(failures) + 2.0)
}

/// Two surprises in one: that of the outcome and, where it is known, the error of the participants.
#[must_use]
pub fn combined(outcome: f64, error: Option<f64>) -> f64 {
    error.map_or(outcome, |error| (0.7 * outcome + 0.3 * error).min(1.0))
}

/// How settled a memory is after so many updates, 0 to 1.
#[must_use]
pub fn consolidation(updates: u32) -> f64 {
    (ln(1.0 + f64::from(updates)) / ln(100.0)).min(1.0)
}

/// Whether a memory in the slow tier is settled enough for the glacial one.
#[must_use]
pub fn is_glacial(consolidation: f64, surprise: f64, updates: u32) -> bool {
    consolidation >= 0.8 && surprise <= 0.2 && updates >= 20
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_dead_band_keeps_a_memory_where_it_is() {
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
    fn tiers_are_a_ladder() {
        for pair in Tier::ALL.windows(2) {
            assert_eq!(pair[0].slower(), Some(pair[1]));
            assert_eq!(pair[1].faster(), Some(pair[0]));
        }
        assert!(!Tier::Fast.promotes(1.0, None, 0.0));
        assert!(!Tier::Glacial.demotes(0.0, 100, 0.0));
    }

    proptest! {
        #[test]
        fn shares_stay_shares(tier in 0..4usize, hours in any::<f64>(), updates in any::<u32>(), surprise in 0.0..=1.0f64) {
            let tier = Tier::ALL[tier];
            prop_assert!((0.0..=1.0).contains(&tier.decay(hours)));
            prop_assert!((0.0..=0.3 + 1e-12).contains(&tier.learning_rate(updates)));
            prop_assert!((0.0..=1.0).contains(&consolidation(updates)));
            let both = tier.promotes(surprise, None, HYSTERESIS) && tier.demotes(surprise, updates, HYSTERESIS);
            prop_assert!(!both);
        }
    }
}
