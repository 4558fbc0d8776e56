//! Arithmetic of a poll: order statistics of a round and the stopping rule. Pure functions.

use serde::{Deserialize, Serialize};

/// Five-number summary of the estimates of a round. Quartiles are interpolated linearly (Hyndman and Fan
/// 1996, type 7, the default in R and pandas).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Number of estimates.
    pub count: usize,
    pub minimum: f64,
    /// First quartile.
    pub lower: f64,
    pub median: f64,
    /// Third quartile.
    pub upper: f64,
    pub maximum: f64,
}

impl Spread {
    /// Summarizes finite estimates; `None` if there are none.
    #[must_use]
    pub fn of(estimates: &[f64]) -> Option<Self> {
        let mut sorted = estimates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let place = (sorted.len() - 1) as f64 * share;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Some(Self {
            count: sorted.len(),
            minimum: *sorted.first()?,
            lower: quantile(0.25),
            median: quantile(0.5),
            upper: quantile(0.75),
            maximum: *sorted.last()?,
        })
    }

    /// Returns the interquartile range.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

/// Returns how far an estimate is from the true value. The difference of decimals is rounded, so that 0.3 and 0.1 differ
/// by 0.2.
#[must_use]
pub fn distance(estimate: f64, truth: f64) -> f64 {
    let scale = 1e9;
    let difference = (estimate - truth).abs();
    if difference < f64::MAX / scale {
        (difference * scale).round() / scale
    } else {
        difference
    }
}

/// Returns whether a round ends the poll: the interquartile range of at least two estimates is at most
/// `limit`. Applies from the second round on, since reasons are shared after the first.
#[must_use]
pub fn is_close(round: u32, spread: Option<&Spread>, limit: Option<f64>) -> bool {
    let close = |spread: &Spread, limit: f64| spread.count > 1 && spread.width() <= limit;
    round > 1
        && spread
            .zip(limit)
            .is_some_and(|(spread, limit)| close(spread, limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quartiles_match_r_and_pandas() {
        let spread = Spread::of(&[7.0, 1.0, 3.0, 10.0]).unwrap();
        assert_eq!(
            (
                spread.minimum,
                spread.lower,
                spread.median,
                spread.upper,
                spread.maximum
            ),
            (1.0, 2.5, 5.0, 7.75, 10.0)
        );
        let one = Spread::of(&[4.0]).unwrap();
        assert_eq!(
            (one.lower, one.median, one.upper, one.width()),
            (4.0, 4.0, 4.0, 0.0)
        );
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn a_distance_has_no_rounding_error() {
        assert_eq!(distance(0.3, 0.1), 0.2);
        assert_eq!(distance(35.5, 31.0), 4.5);
        assert_eq!(distance(1e308, -1e307), 1.1e308);
    }

    #[test]
    fn the_first_round_and_a_single_estimate_do_not_end_the_poll() {
        let same = Spread::of(&[5.0, 5.0]).unwrap();
        assert!(is_close(2, Some(&same), Some(0.0)));
        assert!(!is_close(1, Some(&same), Some(0.0)));
        assert!(!is_close(2, Some(&same), None));
        assert!(!is_close(2, None, Some(9.0)));
        assert!(!is_close(2, Spread::of(&[5.0]).as_ref(), Some(9.0)));
        assert!(!is_close(2, Spread::of(&[0.0, 20.0]).as_ref(), Some(9.0)));
    }

    proptest! {
        #[test]
        fn the_five_numbers_are_sorted_for_any_input_order(mut estimates in prop::collection::vec(-1e6..1e6f64, 1..40)) {
            let spread = Spread::of(&estimates).unwrap();
            let five = [spread.minimum, spread.lower, spread.median, spread.upper, spread.maximum];
            prop_assert!(five.windows(2).all(|pair| pair[0] <= pair[1]));
            estimates.reverse();
            prop_assert_eq!(Spread::of(&estimates).unwrap(), spread);
        }
    }
}
