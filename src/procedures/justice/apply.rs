//! Rules of the principles: the distribution that each picks, the payoff of an income, and the draw of an
//! income class once the veil of ignorance is lifted.
//!
//! Source: Frohlich and Oppenheimer, "Choosing Justice" (1992). The fallbacks and the pay scale follow the
//! justice-experiment program ("phase 2 process flow").

use serde::{Deserialize, Serialize};

use super::distribution::{Distribution, IncomeClass, Probabilities};
use crate::core::random::Random;
use crate::principle::Principle;

/// The distribution that a principle picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Zero-based index in the list.
    pub index: usize,
    /// `false` if no distribution met the constraint and the fallback picked one. Always `true` for
    /// principles without a constraint.
    pub constraint_met: bool,
}

/// Reason why a principle cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyError {
    /// Principle 3 or 4 without an amount.
    MissingConstraint,
    NoDistributions,
}

impl std::fmt::Display for ApplyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::MissingConstraint => "this principle needs a constraint amount",
            Self::NoDistributions => "there is no distribution to choose from",
        })
    }
}

impl std::error::Error for ApplyError {}

/// Applies `principle` to a list of distributions. The first in the list wins ties.
///
/// `amount` is in whole income dollars and is ignored for principles 1 and 2; 0 is allowed (a floor of 0
/// admits every distribution). Without `probabilities` all classes have equal weight.
///
/// If no distribution meets a floor constraint, the one with the highest floor is picked; if none meets a
/// range constraint, the one with the smallest range.
///
/// # Errors
/// Returns [`ApplyError::MissingConstraint`] for principle 3 or 4 without an amount, and
/// [`ApplyError::NoDistributions`] if the list is empty.
pub fn apply(
    distributions: &[Distribution],
    principle: Principle,
    amount: Option<u32>,
    probabilities: Option<&Probabilities>,
) -> Result<Applied, ApplyError> {
    let amount = match amount {
        None if principle.needs_amount() => return Err(ApplyError::MissingConstraint),
        amount => i64::from(amount.unwrap_or(0)),
    };
    let highest_floor = || best(distributions, |_| true, |d| f64::from(d.floor()));
    let highest_mean =
        |admits: &dyn Fn(&Distribution) -> bool| best(distributions, admits, |d| d.mean(probabilities));
    let (met, fallback) = match principle {
        Principle::Floor => (highest_floor(), None),
        Principle::Average => (highest_mean(&|_| true), None),
        Principle::FloorConstraint => (highest_mean(&|d| i64::from(d.floor()) >= amount), highest_floor()),
        Principle::RangeConstraint => (
            highest_mean(&|d| d.range() <= amount),
            best(distributions, |_| true, |d| -(d.range() as f64)),
        ),
    };
    let constraint_met = met.is_some();
    met.or(fallback)
        .map(|index| Applied {
            index,
            constraint_met,
        })
        .ok_or(ApplyError::NoDistributions)
}

/// Returns the first index with the highest score among the admitted distributions.
fn best(
    distributions: &[Distribution],
    admits: impl Fn(&Distribution) -> bool,
    score: impl Fn(&Distribution) -> f64,
) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (index, distribution) in distributions.iter().enumerate().filter(|(_, d)| admits(d)) {
        let score = score(distribution);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// Returns the payoff of an income in dollars: $1 for each $10,000, rounded to whole cents. The binary
/// quotient is rounded correctly, exact ties to the even cent (1250 gives 0.12), as in Python's `round` and
/// unlike JavaScript's `toFixed`.
#[must_use]
pub fn payoff(income: u32) -> f64 {
    let (cents, rest) = (income / 100, income % 100);
    // Half a cent is rarely exact in binary: the quotient, an integer divided by a power of two, lies to one
    // side.
    let side = if rest == 50 {
        let bits = (f64::from(income) / 10_000.0).to_bits();
        let (power, whole) = (1_075 - (bits >> 52), bits & ((1 << 52) - 1) | 1 << 52);
        (whole * 200).cmp(&(u64::from(cents * 2 + 1) << power))
    } else {
        rest.cmp(&50)
    };
    let is_up = side.is_gt() || side.is_eq() && cents % 2 == 1;
    f64::from(cents + u32::from(is_up)) / 100.0
}

/// A drawn class with its income and payoff.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    pub class: IncomeClass,
    /// In whole dollars.
    pub income: u32,
    /// In dollars; see [`payoff`].
    pub payoff: f64,
}

impl Assignment {
    /// Returns the assignment of a known class.
    #[must_use]
    pub fn of(class: IncomeClass, distribution: &Distribution) -> Self {
        let income = distribution.income(class);
        Self {
            class,
            income,
            payoff: payoff(income),
        }
    }

    /// Draws a class (one draw, see [`draw_class`]).
    #[must_use]
    pub fn drawn(
        distribution: &Distribution,
        probabilities: Option<&Probabilities>,
        random: &mut Random,
    ) -> Self {
        Self::of(draw_class(probabilities, random), distribution)
    }
}

/// Draws a class by the given odds. Without odds, every class is equally likely, by a different kind of draw.
#[must_use]
pub fn draw_class(probabilities: Option<&Probabilities>, random: &mut Random) -> IncomeClass {
    let index = match probabilities {
        Some(probabilities) => random.weighted(probabilities.values()),
        None => random.choice(IncomeClass::ALL.len()),
    };
    IncomeClass::ALL[index]
}

#[cfg(test)]
mod tests {
    use super::super::distribution::BASE;
    use super::*;
    use proptest::prelude::*;

    fn base(principle: Principle, amount: u32) -> (usize, bool) {
        let applied = apply(&BASE, principle, Some(amount), Some(&Probabilities::DEFAULT)).unwrap();
        (applied.index + 1, applied.constraint_met)
    }

    #[test]
    fn worked_examples() {
        use Principle::{Average, Floor, FloorConstraint, RangeConstraint};
        for (principle, amount, number, met) in [
            (Floor, 0, 4, true),
            (Average, 0, 1, true),
            (FloorConstraint, 0, 1, true),
            (FloorConstraint, 13_000, 3, true),
            (FloorConstraint, 14_000, 3, true),
            (FloorConstraint, 15_000, 4, true),
            (FloorConstraint, 15_001, 4, false),
            (FloorConstraint, u32::MAX, 4, false),
            (RangeConstraint, u32::MAX, 1, true),
            (RangeConstraint, 20_000, 1, true),
            (RangeConstraint, 17_000, 3, true),
            (RangeConstraint, 15_000, 2, true),
            (RangeConstraint, 6_000, 4, true),
            (RangeConstraint, 5_999, 4, false),
        ] {
            assert_eq!(base(principle, amount), (number, met), "{principle:?} {amount}");
        }
    }

    #[test]
    fn without_weights_the_best_mean_is_the_first() {
        assert_eq!(
            apply(&BASE, Principle::Average, None, None),
            Ok(Applied {
                index: 0,
                constraint_met: true
            })
        );
    }

    #[test]
    fn errors_are_typed() {
        for principle in [Principle::FloorConstraint, Principle::RangeConstraint] {
            assert_eq!(
                apply(&BASE, principle, None, None),
                Err(ApplyError::MissingConstraint)
            );
        }
        for principle in Principle::ALL {
            assert_eq!(
                apply(&[], principle, Some(1), None),
                Err(ApplyError::NoDistributions)
            );
        }
    }

    #[test]
    fn the_first_wins_ties_and_one_is_enough() {
        let same = [BASE[2]; 3];
        for principle in Principle::ALL {
            assert_eq!(apply(&same, principle, Some(1), None).unwrap().index, 0);
            assert_eq!(apply(&same[..1], principle, Some(14_000), None).unwrap().index, 0);
        }
    }

    #[test]
    fn payoffs_round_ties_to_even_cents() {
        let known = [
            (0, 0.0),
            (49, 0.0),
            (51, 0.01),
            (1_250, 0.12),
            (3_750, 0.38),
            (6_250, 0.62),
        ];
        for (income, dollars) in known
            .into_iter()
            .chain([(8_750, 0.88), (11_250, 1.12), (12_345, 1.23)])
        {
            assert_eq!(payoff(income), dollars, "{income}");
        }
        assert_eq!(payoff(u32::MAX), 429_496.73);
    }

    #[test]
    fn without_odds_a_class_is_one_bounded_draw() {
        let (mut random, mut other) = (Random::new(1), Random::new(1));
        let class = draw_class(None, &mut random);
        assert_eq!(class, IncomeClass::ALL[other.below(5) as usize]);
        assert_eq!(random, other);
    }

    #[test]
    fn certain_odds_draw_their_class() {
        let mut random = Random::new(2);
        let only = Probabilities::new([0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
        for _ in 0..100 {
            let got = Assignment::drawn(&BASE[0], Some(&only), &mut random);
            assert_eq!(
                got,
                Assignment {
                    class: IncomeClass::MediumLow,
                    income: 13_000,
                    payoff: 1.3
                }
            );
        }
    }

    fn distributions() -> impl Strategy<Value = Vec<Distribution>> {
        // Few different values, so that ties happen.
        prop::collection::vec(prop::array::uniform5((1_u32..12).prop_map(|v| v * 1_000)), 1..7)
            .prop_map(|list| list.into_iter().map(Distribution).collect())
    }

    fn meets(distribution: &Distribution, principle: Principle, amount: u32) -> bool {
        match principle {
            Principle::FloorConstraint => distribution.floor() >= amount,
            Principle::RangeConstraint => distribution.range() <= i64::from(amount),
            _ => true,
        }
    }

    fn score(distribution: &Distribution, principle: Principle, met: bool) -> f64 {
        match principle {
            Principle::Floor => f64::from(distribution.floor()),
            Principle::FloorConstraint if !met => f64::from(distribution.floor()),
            Principle::RangeConstraint if !met => -(distribution.range() as f64),
            _ => distribution.mean(None),
        }
    }

    proptest! {
        #[test]
        fn the_constraint_is_met_whenever_it_can_be(
            list in distributions(), number in 1_u8..5, amount in 0_u32..14_000,
        ) {
            let principle = Principle::from_number(number).unwrap();
            let applied = apply(&list, principle, Some(amount), None).unwrap();
            let possible = list.iter().any(|d| meets(d, principle, amount));
            prop_assert_eq!(applied.constraint_met, possible);
            if possible {
                prop_assert!(meets(&list[applied.index], principle, amount));
            }
            let admitted = |d: &&Distribution| !possible || meets(d, principle, amount);
            let picked = score(&list[applied.index], principle, possible);
            prop_assert!(list.iter().filter(admitted).all(|d| score(d, principle, possible) <= picked));
        }

        #[test]
        fn another_order_changes_ties_only(
            list in distributions(), number in 1_u8..5, amount in 0_u32..14_000, seed: u32,
        ) {
            let principle = Principle::from_number(number).unwrap();
            let mut shuffled = list.clone();
            Random::new(seed).shuffle(&mut shuffled);
            let one = apply(&list, principle, Some(amount), None).unwrap();
            let two = apply(&shuffled, principle, Some(amount), None).unwrap();
            prop_assert_eq!(one.constraint_met, two.constraint_met);
            let met = one.constraint_met;
            prop_assert_eq!(
                score(&list[one.index], principle, met),
                score(&shuffled[two.index], principle, met)
            );
        }
    }
}
