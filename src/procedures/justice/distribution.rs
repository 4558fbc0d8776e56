//! Income distributions: the five classes, distributions over them, the odds of the classes, and the sets
//! shown to participants (the base set scaled by a drawn multiplier, and the tables of the original
//! laboratory study). The choice among them is in `apply`.
//!
//! Source: Frohlich and Oppenheimer, "Choosing Justice" (1992), and the "phase 2 process flow" of the
//! justice-experiment program.

use serde::{Deserialize, Serialize};

use crate::core::random::Random;

/// An income class. The order, high to low, is used everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncomeClass {
    High,
    MediumHigh,
    Medium,
    MediumLow,
    Low,
}

impl IncomeClass {
    /// All classes, high to low.
    pub const ALL: [Self; 5] = [
        Self::High,
        Self::MediumHigh,
        Self::Medium,
        Self::MediumLow,
        Self::Low,
    ];

    /// Returns the identifier used in files and results.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::MediumHigh => "medium_high",
            Self::Medium => "medium",
            Self::MediumLow => "medium_low",
            Self::Low => "low",
        }
    }
}

/// Yearly incomes in whole dollars, one per class, high to low. Positive in every table used here; the order
/// of the incomes is not checked. Serialized as an array of five numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Distribution(pub [u32; 5]);

impl Distribution {
    #[must_use]
    pub fn income(&self, class: IncomeClass) -> u32 {
        self.0[class as usize]
    }

    /// Returns the income of the low class (not necessarily the lowest of the five).
    #[must_use]
    pub fn floor(&self) -> u32 {
        self.0[4]
    }

    /// Returns high minus low income; negative if low exceeds high.
    #[must_use]
    pub fn range(&self) -> i64 {
        i64::from(self.0[0]) - i64::from(self.0[4])
    }

    /// Returns the expected income in dollars; without probabilities, all classes have equal weight. The sum
    /// runs in class order, because another order can flip ties.
    #[must_use]
    pub fn mean(&self, probabilities: Option<&Probabilities>) -> f64 {
        match probabilities {
            None => self.0.iter().map(|&income| u64::from(income)).sum::<u64>() as f64 / 5.0,
            Some(Probabilities(weights)) => weights
                .iter()
                .zip(self.0)
                .fold(0.0, |sum, (weight, income)| sum + weight * f64::from(income)),
        }
    }

    /// Returns every income times `multiplier`, truncated to whole dollars (0 for a negative or NaN
    /// multiplier, `u32::MAX` on overflow).
    #[must_use]
    pub fn scaled(&self, multiplier: f64) -> Self {
        Self(self.0.map(|income| (f64::from(income) * multiplier) as u32))
    }
}

/// Odds of the five classes, high to low: each in 0..=1, with sum 1 within a relative 1e-9. Serialized as an
/// array of five numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 5]", into = "[f64; 5]")]
pub struct Probabilities([f64; 5]);

/// Reason why five numbers are not class probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbabilityError {
    /// Class with a probability outside 0..=1.
    OutOfRange(IncomeClass),
    /// Sum other than 1.
    Sum(f64),
}

impl std::fmt::Display for ProbabilityError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfRange(class) => {
                write!(f, "the probability of class {} must be from 0 to 1", class.id())
            }
            Self::Sum(sum) => write!(f, "the five class probabilities must add up to 1, not {sum}"),
        }
    }
}

impl std::error::Error for ProbabilityError {}

impl TryFrom<[f64; 5]> for Probabilities {
    type Error = ProbabilityError;
    fn try_from(values: [f64; 5]) -> Result<Self, ProbabilityError> {
        Self::new(values)
    }
}

impl From<Probabilities> for [f64; 5] {
    fn from(probabilities: Probabilities) -> Self {
        probabilities.0
    }
}

impl Probabilities {
    /// Odds of a run whose configuration asks for weights but names none.
    pub const DEFAULT: Self = Self([0.05, 0.10, 0.50, 0.25, 0.10]);

    /// Checks probabilities, high to low.
    ///
    /// # Errors
    /// Returns the first class outside 0..=1, or a sum other than 1.
    pub fn new(values: [f64; 5]) -> Result<Self, ProbabilityError> {
        for class in IncomeClass::ALL {
            if !(0.0..=1.0).contains(&values[class as usize]) {
                return Err(ProbabilityError::OutOfRange(class));
            }
        }
        let sum = values.iter().fold(0.0, |sum, value| sum + value);
        if (sum - 1.0).abs() > 1e-9 * sum.max(1.0) {
            return Err(ProbabilityError::Sum(sum));
        }
        Ok(Self(values))
    }

    /// Returns the five values, high to low.
    #[must_use]
    pub fn values(&self) -> &[f64; 5] {
        &self.0
    }
}

/// The four base distributions; dynamic sets are multiples of them.
pub const BASE: [Distribution; 4] = [
    Distribution([32_000, 27_000, 24_000, 13_000, 12_000]),
    Distribution([28_000, 22_000, 20_000, 17_000, 13_000]),
    Distribution([31_000, 24_000, 21_000, 16_000, 14_000]),
    Distribution([21_000, 20_000, 19_000, 16_000, 15_000]),
];

/// Four distributions with their multiplier relative to [`BASE`] (1 for the fixed tables).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DistributionSet {
    /// Above 0.
    pub multiplier: f64,
    /// In the order shown; numbered from 1 in texts.
    pub distributions: [Distribution; 4],
}

impl DistributionSet {
    /// Scales the base set by one multiplier drawn uniformly from `lo` to `hi` (one draw).
    #[must_use]
    pub fn drawn(lo: f64, hi: f64, random: &mut Random) -> Self {
        let multiplier = random.uniform(lo, hi);
        Self {
            multiplier,
            distributions: BASE.map(|distribution| distribution.scaled(multiplier)),
        }
    }
}

/// A table of the original study, with its own class probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Situation {
    /// The base set, for the explanation.
    Sample,
    /// Application round 1.
    A,
    /// Application round 2.
    B,
    /// Application round 3.
    C,
    /// Application round 4.
    D,
}

impl Situation {
    pub const ALL: [Self; 5] = [Self::Sample, Self::A, Self::B, Self::C, Self::D];

    /// Returns the situation of an application round 1 to 4; `None` for other rounds.
    #[must_use]
    pub fn of_round(round: u32) -> Option<Self> {
        match round {
            1 => Some(Self::A),
            2 => Some(Self::B),
            3 => Some(Self::C),
            4 => Some(Self::D),
            _ => None,
        }
    }

    /// Parses `sample`, `a`, `b`, `c` or `d`, case-insensitively.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "sample" => Some(Self::Sample),
            "a" => Some(Self::A),
            "b" => Some(Self::B),
            "c" => Some(Self::C),
            "d" => Some(Self::D),
            _ => None,
        }
    }

    /// Returns the four distributions of the table.
    #[must_use]
    pub fn set(self) -> DistributionSet {
        let incomes = match self {
            Self::Sample => {
                return DistributionSet {
                    multiplier: 1.0,
                    distributions: BASE,
                };
            }
            Self::A => [
                [28_000, 25_000, 20_000, 15_000, 12_000],
                [35_000, 30_000, 25_000, 15_000, 10_000],
                [30_000, 29_000, 28_000, 27_000, 6_000],
                [25_000, 22_000, 19_000, 16_000, 13_000],
            ],
            Self::B => [
                [17_000, 16_000, 15_000, 14_000, 13_000],
                [30_000, 25_000, 20_000, 15_000, 12_500],
                [40_000, 30_000, 25_000, 20_000, 8_000],
                [26_000, 24_000, 22_000, 20_000, 11_000],
            ],
            Self::C => [
                [100_000, 30_000, 20_000, 15_000, 13_000],
                [35_000, 30_000, 25_000, 20_000, 8_000],
                [30_000, 25_000, 23_000, 15_000, 12_000],
                [24_000, 23_000, 22_000, 21_000, 11_000],
            ],
            Self::D => [
                [35_000, 30_000, 25_000, 20_000, 13_000],
                [30_000, 28_000, 26_000, 24_000, 12_000],
                [20_000, 18_000, 16_000, 14_000, 12_000],
                [30_000, 28_000, 24_000, 20_000, 14_000],
            ],
        };
        DistributionSet {
            multiplier: 1.0,
            distributions: incomes.map(Distribution),
        }
    }

    /// Returns the class probabilities of the table. They replace the configured ones in its round.
    #[must_use]
    pub fn probabilities(self) -> Probabilities {
        Probabilities(match self {
            Self::Sample => return Probabilities::DEFAULT,
            Self::A => [0.10, 0.20, 0.40, 0.20, 0.10],
            Self::B => [0.063_060, 0.208_333, 0.283_333, 0.345_274, 0.100_000],
            Self::C => [0.013_334, 0.043_333, 0.583_333, 0.260_000, 0.100_000],
            Self::D => [0.050_000, 0.208_333, 0.283_333, 0.358_334, 0.100_000],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_the_base_set() {
        assert_eq!(
            BASE.map(|d| d.mean(None)),
            [21_600.0, 20_000.0, 21_200.0, 18_200.0]
        );
        let weighted = BASE.map(|d| d.mean(Some(&Probabilities::DEFAULT)));
        assert_eq!(weighted, [20_750.0, 19_150.0, 19_850.0, 18_050.0]);
    }

    #[test]
    fn floor_is_the_low_class_and_range_may_be_negative() {
        let inverted = Distribution([1, 2, 3, 4, 5]);
        assert_eq!((inverted.floor(), inverted.range()), (5, -4));
        assert_eq!(Distribution([u32::MAX, 0, 0, 0, 0]).range(), i64::from(u32::MAX));
        assert_eq!(Distribution([0, 0, 0, 0, u32::MAX]).range(), -i64::from(u32::MAX));
    }

    #[test]
    fn scaling_cuts_and_never_overflows() {
        assert_eq!(
            Distribution([9, 8, 7, 6, 5]).scaled(1.25),
            Distribution([11, 10, 8, 7, 6])
        );
        assert_eq!(BASE[0].scaled(f64::NAN), Distribution([0; 5]));
        assert_eq!(BASE[0].scaled(1e300), Distribution([u32::MAX; 5]));
    }

    #[test]
    fn a_drawn_set_takes_one_draw_and_stays_in_its_range() {
        let (mut random, mut other) = (Random::new(5), Random::new(5));
        let set = DistributionSet::drawn(2.0, 6.0, &mut random);
        assert_eq!(set.multiplier, other.uniform(2.0, 6.0));
        assert!((2.0..6.0).contains(&set.multiplier));
        assert_eq!(random, other);
        assert_eq!(set.distributions[3].0[4], (15_000.0 * set.multiplier) as u32);
    }

    #[test]
    fn every_situation_has_valid_probabilities_and_positive_ordered_incomes() {
        for situation in Situation::ALL {
            assert_eq!(
                Probabilities::new(*situation.probabilities().values()),
                Ok(situation.probabilities())
            );
            for distribution in situation.set().distributions {
                assert!(distribution.0.is_sorted_by(|a, b| a >= b) && distribution.floor() > 0);
            }
        }
        assert_eq!(
            Situation::C.set().distributions[0].income(IncomeClass::High),
            100_000
        );
        assert_eq!(Situation::B.probabilities().values()[3], 0.345_274);
    }

    #[test]
    fn situations_by_round_and_by_name() {
        assert_eq!(
            (1..=4).filter_map(Situation::of_round).collect::<Vec<_>>(),
            Situation::ALL[1..]
        );
        assert_eq!((Situation::of_round(0), Situation::of_round(5)), (None, None));
        assert_eq!(Situation::from_name("SAMPLE"), Some(Situation::Sample));
        assert_eq!(Situation::from_name("E"), None);
    }

    #[test]
    fn probabilities_are_checked() {
        assert_eq!(Probabilities::new([0.2; 5]).map(|p| *p.values()), Ok([0.2; 5]));
        assert_eq!(
            Probabilities::new([1.2, -0.2, 0.0, 0.0, 0.0]),
            Err(ProbabilityError::OutOfRange(IncomeClass::High))
        );
        assert_eq!(
            Probabilities::new([0.5, 0.5, f64::NAN, 0.0, 0.0]),
            Err(ProbabilityError::OutOfRange(IncomeClass::Medium))
        );
        assert!(matches!(
            Probabilities::new([0.3; 5]),
            Err(ProbabilityError::Sum(_))
        ));
        assert!(matches!(
            Probabilities::new([0.2, 0.2, 0.2, 0.2, 0.199_999]),
            Err(ProbabilityError::Sum(_))
        ));
    }

    #[test]
    fn data_form_is_an_array() {
        let distribution: Distribution = serde_json::from_str("[5,4,3,2,1]").unwrap();
        assert_eq!(distribution, Distribution([5, 4, 3, 2, 1]));
        assert_eq!(serde_json::to_string(&distribution).unwrap(), "[5,4,3,2,1]");
        assert!(serde_json::from_str::<Distribution>("[5,4,3,2]").is_err());
        assert!(serde_json::from_str::<Distribution>("[5,4,3,2,-1]").is_err());
        let error = serde_json::from_str::<Probabilities>("[0.5,0.5,0.5,0,0]").unwrap_err();
        assert!(error.to_string().contains("add up to 1, not 1.5"), "{error}");
    }
}
