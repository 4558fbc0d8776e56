//! Counterfactual payoffs of a participant: under another principle or distribution with a newly drawn class,
//! with the class that was drawn, and over all relevant constraints.
//!
//! Source: the result notices of the justice-experiment program ("phase 2 process flow", payoff and
//! counterfactual steps).

use serde::{Deserialize, Serialize};

use super::apply::{Assignment, apply, payoff};
use super::distribution::{Distribution, IncomeClass, Probabilities};
use crate::core::random::Random;
use crate::principle::Principle;

/// Amount for principles 3 and 4 if the participant named none, in income dollars.
const DEFAULT_AMOUNT: u32 = 15_000;

/// A counterfactual: a principle, the distribution that it picks, and the pay of the participant's class
/// there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    pub principle: Principle,
    /// The constraint in income dollars; `None` for principles 1 and 2.
    pub amount: Option<u32>,
    /// Zero-based index of the distribution picked.
    pub distribution: usize,
    /// See [`super::apply::Applied`].
    pub constraint_met: bool,
    /// Income of the class there, in whole dollars.
    pub income: u32,
    /// In dollars.
    pub payoff: f64,
    /// Whether this is the chosen or agreed principle and amount.
    pub chosen: bool,
}

/// Payoffs in dollars, with a newly drawn class for each alternative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RandomAlternatives {
    /// One per principle, in the order of [`Principle::ALL`].
    pub by_principle: Vec<f64>,
    /// One per distribution, in list order.
    pub by_distribution: Vec<f64>,
}

/// Draws both kinds of random-class alternatives of an application round: first one class per principle, then
/// one per distribution. Recorded runs depend on this order.
#[must_use]
pub fn random_alternatives(
    distributions: &[Distribution],
    amount: Option<u32>,
    probabilities: Option<&Probabilities>,
    random: &mut Random,
) -> RandomAlternatives {
    RandomAlternatives {
        by_principle: random_by_principle(distributions, amount, probabilities, random),
        by_distribution: random_by_distribution(distributions, probabilities, random),
    }
}

/// Draws a class for the pick of each of the four principles (four draws). `amount` is used for both
/// constraints; 15,000 if it is missing or 0. Empty without distributions.
#[must_use]
pub fn random_by_principle(
    distributions: &[Distribution],
    amount: Option<u32>,
    probabilities: Option<&Probabilities>,
    random: &mut Random,
) -> Vec<f64> {
    let amount = amount.filter(|&amount| amount > 0).or(Some(DEFAULT_AMOUNT));
    let pick = |principle| apply(distributions, principle, amount, probabilities).ok();
    let picks = Principle::ALL.into_iter().filter_map(pick);
    picks
        .map(|applied| Assignment::drawn(&distributions[applied.index], probabilities, random).payoff)
        .collect()
}

/// Draws a class for each distribution (one draw each).
#[must_use]
pub fn random_by_distribution(
    distributions: &[Distribution],
    probabilities: Option<&Probabilities>,
    random: &mut Random,
) -> Vec<f64> {
    distributions
        .iter()
        .map(|d| Assignment::drawn(d, probabilities, random).payoff)
        .collect()
}

/// Returns the payoff of the same class under each of the four principles. The constraints are the upper
/// medians of the floors and of the ranges; an amount chosen for principle 3 or 4 replaces the median of its
/// own principle. Empty without distributions.
#[must_use]
pub fn fixed_class(
    distributions: &[Distribution],
    class: IncomeClass,
    probabilities: Option<&Probabilities>,
    chosen: Option<(Principle, Option<u32>)>,
) -> Vec<Alternative> {
    let inputs = CounterfactualInputs {
        distributions,
        class,
        probabilities,
        chosen,
    };
    let alternative_for = |principle: Principle| {
        let own = chosen
            .filter(|&(by, _)| by == principle)
            .and_then(|(_, amount)| amount);
        inputs.line(
            principle,
            own.or_else(|| median_constraint(distributions, principle)),
        )
    };
    Principle::ALL.into_iter().filter_map(alternative_for).collect()
}

/// Returns the default for an unknown constraint: the upper median of the floors (principle 3) or of the
/// ranges (principle 4), in income dollars. `None` for principles 1 and 2, without distributions, and for a
/// negative range.
#[must_use]
pub fn median_constraint(distributions: &[Distribution], principle: Principle) -> Option<u32> {
    let mut amounts = thresholds(distributions, principle);
    amounts.sort();
    amounts
        .get(amounts.len() / 2)
        .and_then(|&amount| u32::try_from(amount).ok())
}

/// Returns every possible outcome of the class: the floor, the average, then each distinct floor as a floor
/// constraint and each distinct range as a range constraint, in distribution order. Any other amount chosen
/// for principle 3 or 4 follows the lines of its principle, so that the choice always has its own line.
#[must_use]
pub fn constraint_sweep(
    distributions: &[Distribution],
    class: IncomeClass,
    probabilities: Option<&Probabilities>,
    chosen: Option<(Principle, Option<u32>)>,
) -> Vec<Alternative> {
    let inputs = CounterfactualInputs {
        distributions,
        class,
        probabilities,
        chosen,
    };
    let mut lines = Vec::new();
    for principle in Principle::ALL {
        if !principle.needs_amount() {
            lines.extend(inputs.line(principle, None));
            continue;
        }
        let mut amounts: Vec<u32> = Vec::new();
        let known = thresholds(distributions, principle)
            .into_iter()
            .filter_map(|amount| u32::try_from(amount).ok());
        let own = chosen
            .filter(|&(by, _)| by == principle)
            .and_then(|(_, amount)| amount);
        for amount in known.chain(own) {
            if !amounts.contains(&amount) {
                amounts.push(amount);
            }
        }
        lines.extend(
            amounts
                .into_iter()
                .filter_map(|amount| inputs.line(principle, Some(amount))),
        );
    }
    lines
}

/// Returns the values at which a constraint changes what it admits, in distribution order.
fn thresholds(distributions: &[Distribution], principle: Principle) -> Vec<i64> {
    match principle {
        Principle::FloorConstraint => distributions.iter().map(|d| i64::from(d.floor())).collect(),
        Principle::RangeConstraint => distributions.iter().map(Distribution::range).collect(),
        Principle::Floor | Principle::Average => Vec::new(),
    }
}

/// Inputs shared by all lines of one participant.
struct CounterfactualInputs<'a> {
    distributions: &'a [Distribution],
    class: IncomeClass,
    probabilities: Option<&'a Probabilities>,
    chosen: Option<(Principle, Option<u32>)>,
}

impl CounterfactualInputs<'_> {
    fn line(&self, principle: Principle, amount: Option<u32>) -> Option<Alternative> {
        let applied = apply(self.distributions, principle, amount, self.probabilities).ok()?;
        let income = self.distributions[applied.index].income(self.class);
        let chosen = self
            .chosen
            .is_some_and(|(by, of)| by == principle && (!by.needs_amount() || of == amount));
        Some(Alternative {
            principle,
            amount,
            distribution: applied.index,
            constraint_met: applied.constraint_met,
            income,
            payoff: payoff(income),
            chosen,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::distribution::{BASE, DistributionSet, Situation};
    use super::*;
    use Principle::{Average, Floor, FloorConstraint, RangeConstraint};

    #[test]
    fn random_alternatives_take_eight_class_draws_in_order() {
        let probabilities = Some(&Probabilities::DEFAULT);
        let (mut random, mut other) = (Random::new(9), Random::new(9));
        let got = random_alternatives(&BASE, Some(14_000), probabilities, &mut random);
        let picks = [3, 0, 2, 2, 0, 1, 2, 3];
        let expected = picks.map(|i| Assignment::drawn(&BASE[i], probabilities, &mut other).payoff);
        assert_eq!(got.by_principle, expected[..4]);
        assert_eq!(got.by_distribution, expected[4..]);
        assert_eq!(random, other);
    }

    #[test]
    fn a_missing_or_zero_amount_defaults_to_15000() {
        let run = |amount| random_by_principle(&BASE, amount, None, &mut Random::new(4));
        assert_eq!(run(None), run(Some(15_000)));
        assert_eq!(run(Some(0)), run(Some(15_000)));
    }

    #[test]
    fn medians_are_upper_ones() {
        assert_eq!(median_constraint(&BASE, FloorConstraint), Some(14_000));
        assert_eq!(median_constraint(&BASE, RangeConstraint), Some(17_000));
        assert_eq!(median_constraint(&BASE, Floor), None);
        assert_eq!(median_constraint(&[], FloorConstraint), None);
        assert_eq!(
            median_constraint(&[Distribution([1, 2, 3, 4, 5])], RangeConstraint),
            None
        );
    }

    #[test]
    fn the_agreed_amount_replaces_the_median_of_its_own_principle_only() {
        let amounts = |chosen| {
            let lines = fixed_class(&BASE, IncomeClass::Low, None, chosen);
            lines
                .iter()
                .map(|l| (l.amount, l.payoff, l.chosen))
                .collect::<Vec<_>>()
        };
        let plain = [
            (None, 1.5, false),
            (None, 1.2, false),
            (Some(14_000), 1.4, false),
            (Some(17_000), 1.4, false),
        ];
        assert_eq!(amounts(None), plain);
        let agreed = amounts(Some((FloorConstraint, Some(15_000))));
        assert_eq!(agreed[2], (Some(15_000), 1.5, true));
        assert_eq!([agreed[0], agreed[1], agreed[3]], [plain[0], plain[1], plain[3]]);
        assert!(amounts(Some((Average, None)))[1].2);
    }

    #[test]
    fn the_sweep_lists_distinct_thresholds_in_distribution_order() {
        let lines = constraint_sweep(&Situation::D.set().distributions, IncomeClass::Medium, None, None);
        let heads: Vec<_> = lines.iter().map(|l| (l.principle, l.amount)).collect();
        assert_eq!(
            heads,
            [
                (Floor, None),
                (Average, None),
                (FloorConstraint, Some(13_000)),
                (FloorConstraint, Some(12_000)),
                (FloorConstraint, Some(14_000)),
                (RangeConstraint, Some(22_000)),
                (RangeConstraint, Some(18_000)),
                (RangeConstraint, Some(8_000)),
                (RangeConstraint, Some(16_000)),
            ]
        );
        assert!(lines.iter().all(|l| l.constraint_met && !l.chosen));
    }

    #[test]
    fn the_choice_has_exactly_one_line() {
        let set = DistributionSet::drawn(2.0, 6.0, &mut Random::new(1)).distributions;
        for chosen in [
            (Floor, None),
            (Average, Some(5)),
            (FloorConstraint, Some(set[1].floor())),
            (FloorConstraint, Some(1_234)),
            (RangeConstraint, Some(9_999)),
        ] {
            let lines = constraint_sweep(&set, IncomeClass::High, None, Some(chosen));
            let marked: Vec<_> = lines.iter().filter(|l| l.chosen).collect();
            assert_eq!(marked.len(), 1, "{chosen:?}");
            assert_eq!(marked[0].principle, chosen.0);
        }
        let extra = constraint_sweep(
            &BASE,
            IncomeClass::Low,
            None,
            Some((FloorConstraint, Some(12_500))),
        );
        let position = extra.iter().position(|l| l.chosen);
        assert_eq!((extra.len(), position, extra[6].distribution), (11, Some(6), 2));
    }

    #[test]
    fn no_distributions_give_no_lines() {
        assert!(fixed_class(&[], IncomeClass::Low, None, None).is_empty());
        assert!(constraint_sweep(&[], IncomeClass::Low, None, Some((FloorConstraint, Some(1)))).is_empty());
        assert!(random_by_principle(&[], None, None, &mut Random::new(1)).is_empty());
    }
}
