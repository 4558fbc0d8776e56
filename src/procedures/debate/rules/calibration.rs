//! Calibration of confidence. Every vote is a prediction, which is right if its choice wins.
//!
//! Source: A16.2 to A16.4 of the debate's design.

use super::exact::{exp, ln};
use serde::{Deserialize, Serialize};

/// Bounds of an adjusted confidence.
const BOUNDS: (f64, f64) = (0.05, 0.95);

/// Predictions in a tenth of the confidence range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bucket {
    pub total: u32,
    /// Number that came true.
    pub right: u32,
}

/// Calibration of a voter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Calibration {
    /// By confidence, 0 to 0.1 and so on; 1 is in the last.
    pub buckets: [Bucket; 10],
    /// Sum of the squared differences.
    pub brier_sum: f64,
}

/// Direction of a voter's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bias {
    /// More confident than right.
    Overconfident,
    /// Less confident than right.
    Underconfident,
    /// Within a tenth.
    WellCalibrated,
}

impl Calibration {
    /// Adds a prediction; its confidence is clamped to 0 to 1.
    pub fn add(&mut self, confidence: f64, came_true: bool) {
        let confidence = confidence.clamp(0.0, 1.0);
        if let Some(bucket) = self.buckets.get_mut(bucket(confidence)) {
            bucket.total += 1;
            bucket.right += u32::from(came_true);
        }
        let miss = confidence - f64::from(u8::from(came_true));
        self.brier_sum += miss * miss;
    }

    /// Returns the number of predictions.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.buckets.iter().map(|bucket| bucket.total).sum()
    }

    /// Returns the mean squared difference, 0 to 1, or `None` without predictions.
    #[must_use]
    pub fn brier(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| self.brier_sum / f64::from(total))
    }

    /// Returns the non-empty buckets: index, middle, fraction that came true, number of predictions.
    fn non_empty_buckets(&self) -> impl Iterator<Item = (usize, f64, f64, f64)> {
        self.buckets
            .iter()
            .enumerate()
            .filter(|(_, bucket)| bucket.total > 0)
            .map(|(at, bucket)| {
                let total = f64::from(bucket.total);
                (
                    at,
                    (at as f64 + 0.5) / 10.0,
                    f64::from(bucket.right) / total,
                    total,
                )
            })
    }

    /// Returns the expected calibration error, 0 to 1, or `None` without predictions.
    #[must_use]
    pub fn ece(&self) -> Option<f64> {
        let total = f64::from(self.total());
        (total > 0.0).then(|| {
            self.non_empty_buckets()
                .map(|(_, middle, part, n)| n / total * (part - middle).abs())
                .sum()
        })
    }

    /// Returns the bias: overconfidence is measured from 0.7, underconfidence below 0.5.
    #[must_use]
    pub fn bias(&self) -> Bias {
        let mean = |high: bool| {
            let errors: Vec<f64> = self
                .non_empty_buckets()
                .filter(|(at, ..)| if high { *at >= 7 } else { *at < 5 })
                .map(|(_, middle, part, _)| if high { middle - part } else { part - middle })
                .collect();
            errors.iter().sum::<f64>() / errors.len().max(1) as f64
        };
        if mean(true) > 0.1 {
            Bias::Overconfident
        } else if mean(false) > 0.1 {
            Bias::Underconfident
        } else {
            Bias::WellCalibrated
        }
    }

    /// See [`score`].
    #[must_use]
    pub fn score(&self) -> f64 {
        score(self.total(), self.brier_sum)
    }

    /// Returns a confidence adjusted by this voter's record.
    #[must_use]
    pub fn adjusted(&self, confidence: f64) -> f64 {
        adjusted(confidence, self.total(), self.ece().unwrap_or(0.0), self.bias())
    }
}

/// Returns the bucket of a confidence, 0 to 9.
#[must_use]
pub fn bucket(confidence: f64) -> usize {
    // Products such as 0.7 · 10 are exact enough to fall on the correct side of the integer.
    ((confidence.clamp(0.0, 1.0) * 10.0) as usize).min(9)
}

/// Returns the trust in a record, 0 to 1: 0 below ten predictions, full from fifty.
#[must_use]
pub fn score(total: u32, brier_sum: f64) -> f64 {
    if total < 10 {
        return 0.0;
    }
    let brier = brier_sum / f64::from(total);
    (1.0 - brier) * (0.5 + 0.5 * f64::from(total - 10) / 40.0).min(1.0)
}

/// Returns the factor on K for a match: up to 1.4 for bad calibration, 1 if neither measure is known.
#[must_use]
pub fn k_multiplier(ece: Option<f64>, brier: Option<f64>) -> f64 {
    let composite = match (ece, brier) {
        (Some(ece), Some(brier)) => 0.4 * ece + 0.6 * brier,
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return 1.0,
    };
    if composite < 0.1 {
        1.0
    } else if composite < 0.2 {
        1.1
    } else if composite < 0.3 {
        1.25
    } else {
        1.4
    }
}

/// Adjusts a confidence by the voter's record, to 0.05 to 0.95: up to 30 percent less for the overconfident,
/// more for the underconfident; from ten predictions.
#[must_use]
pub fn adjusted(confidence: f64, total: u32, ece: f64, bias: Bias) -> f64 {
    let by = 0.3 * (ece.min(0.2) / 0.2);
    let factor = match bias {
        _ if total < 10 => 1.0,
        Bias::Overconfident => 1.0 - by,
        Bias::Underconfident => 1.0 + by,
        Bias::WellCalibrated => 1.0,
    };
    (confidence * factor).clamp(BOUNDS.0, BOUNDS.1)
}

/// Sharpens (temperature below 1) or flattens (above) a confidence, to 0.05 to 0.95. A non-positive
/// temperature has no effect.
#[must_use]
pub fn temperature_scaled(confidence: f64, temperature: f64) -> f64 {
    let confidence = confidence.clamp(0.0, 1.0);
    let scaled = if temperature == 1.0 || temperature <= 0.0 || temperature.is_nan() {
        confidence
    } else {
        let logit = ln(confidence) - ln(1.0 - confidence);
        1.0 / (1.0 + exp(-logit / temperature))
    };
    scaled.clamp(BOUNDS.0, BOUNDS.1)
}

/// A prediction, for [`best_temperature`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// 0 to 1.
    pub confidence: f64,
    pub came_true: bool,
    pub age_days: f64,
}

/// Returns the temperature with the best Brier score, from 0.5 to 2 in steps of a twentieth, with weights
/// halving every 30 days; 1 below twenty predictions.
#[must_use]
pub fn best_temperature(predictions: &[Prediction]) -> f64 {
    if predictions.len() < 20 {
        return 1.0;
    }
    let loss = |temperature: f64| -> f64 {
        let losses = predictions.iter().map(|prediction| {
            let weight = exp(-std::f64::consts::LN_2 * prediction.age_days.max(0.0) / 30.0);
            let scaled = temperature_scaled(prediction.confidence, temperature);
            let miss = scaled - f64::from(u8::from(prediction.came_true));
            weight * miss * miss
        });
        losses.sum()
    };
    let mut best = (1.0, loss(1.0));
    for step in 10..=40 {
        let temperature = f64::from(step) / 20.0;
        let loss = loss(temperature);
        if loss < best.1 - 1e-12 {
            best = (temperature, loss);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tenths() {
        for tenth in 0..10_u8 {
            let edge = f64::from(tenth) / 10.0;
            assert_eq!(bucket(edge), usize::from(tenth), "{edge}");
        }
        assert_eq!(bucket(1.0), 9);
    }

    #[test]
    fn a_record() {
        let mut record = Calibration::default();
        assert_eq!(
            (record.brier(), record.ece(), record.bias()),
            (None, None, Bias::WellCalibrated)
        );
        for n in 0..20 {
            record.add(0.85, n % 5 == 0);
        }
        assert_eq!(record.bias(), Bias::Overconfident);
        assert!((record.ece().unwrap() - 0.65).abs() < 1e-12);
        assert!((record.adjusted(0.8) - 0.56).abs() < 1e-12);
    }

    #[test]
    fn overconfidence_is_flattened() {
        let predictions: Vec<Prediction> = (0..30)
            .map(|n| Prediction {
                confidence: 0.9,
                came_true: n % 3 != 0,
                age_days: 1.0,
            })
            .collect();
        assert_eq!(best_temperature(&predictions), 2.0);
        assert_eq!(best_temperature(&predictions[..5]), 1.0);
    }

    proptest! {
        #[test]
        fn always_a_share(predictions in proptest::collection::vec((-1.0..2.0f64, any::<bool>()), 0..40), temperature in -1.0..3.0f64) {
            let mut record = Calibration::default();
            for (confidence, came_true) in &predictions {
                record.add(*confidence, *came_true);
                prop_assert!((0.0..=1.0).contains(&record.adjusted(*confidence)));
                prop_assert!((0.0..=1.0).contains(&temperature_scaled(*confidence, temperature)));
            }
            prop_assert_eq!(record.total() as usize, predictions.len());
            prop_assert!((0.0..=1.0).contains(&record.score()));
            prop_assert!(record.ece().is_none_or(|ece| (0.0..=1.0).contains(&ece)));
        }
    }
}
