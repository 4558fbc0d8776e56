//! The four principles of distributive justice, with certainty, ranking and choice. Plain values shared by
//! readers, seats and protocols, without texts or rules of the experiment.

use serde::{Deserialize, Serialize};

/// A principle of distributive justice (Frohlich and Oppenheimer's four).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Principle {
    /// 1: the highest minimum income.
    #[serde(rename = "maximizing_floor")]
    Floor,
    /// 2: the highest mean income.
    #[serde(rename = "maximizing_average")]
    Average,
    /// 3: the highest mean among distributions whose lowest income reaches an amount.
    #[serde(rename = "maximizing_average_floor_constraint")]
    FloorConstraint,
    /// 4: the highest mean among distributions whose income range stays within an amount.
    #[serde(rename = "maximizing_average_range_constraint")]
    RangeConstraint,
}

impl Principle {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [
        Self::Floor,
        Self::Average,
        Self::FloorConstraint,
        Self::RangeConstraint,
    ];

    /// Returns the number on the ballot, 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the principle with that ballot number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Returns the identifier used in files and results.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Floor => "maximizing_floor",
            Self::Average => "maximizing_average",
            Self::FloorConstraint => "maximizing_average_floor_constraint",
            Self::RangeConstraint => "maximizing_average_range_constraint",
        }
    }

    /// Returns the principle with that identifier.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|principle| principle.id() == id)
    }

    /// Whether a choice of it needs an amount (principles 3 and 4).
    #[must_use]
    pub fn needs_amount(self) -> bool {
        matches!(self, Self::FloorConstraint | Self::RangeConstraint)
    }
}

/// Degree of certainty, from low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    VeryUnsure,
    Unsure,
    /// In rankings only.
    NoOpinion,
    Sure,
    VerySure,
}

impl Certainty {
    /// Returns the identifier used in files and results.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::VeryUnsure => "very_unsure",
            Self::Unsure => "unsure",
            Self::NoOpinion => "no_opinion",
            Self::Sure => "sure",
            Self::VerySure => "very_sure",
        }
    }
}

/// A ranking of the four principles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// Each principle exactly once, the best first.
    pub order: [Principle; 4],
    /// Overall certainty; `None` if not given.
    pub certainty: Option<Certainty>,
}

/// A choice of a principle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub principle: Principle,
    /// The constraint in whole income dollars; `None` if not given, and for principles 1 and 2.
    pub amount: Option<u32>,
    /// Certainty; `None` if not given.
    pub certainty: Option<Certainty>,
}
