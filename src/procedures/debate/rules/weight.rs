//! Weights of votes: the voter's rating, calibration and reliability, contributions of people at the table,
//! and penalties for self-votes and long proposals. Votes are counted elsewhere.
//!
//! Source: A11 and A12 of the debate's design.

use crate::reading::alias::{Alias, alias};
use serde::{Deserialize, Serialize};

/// Bounds of a weight.
pub const BOUNDS: (f64, f64) = (0.1, 5.0);
/// Minimum number of predictions for calibration to count.
pub const LEAST_PREDICTIONS: u32 = 10;

/// Factors of a voter's weight; 1 if unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Factors {
    /// From memory, 0.5 to 1.5.
    pub reputation: f64,
    /// From probing, 0 to 1.
    pub reliability: f64,
    /// 0.5 to 1, see [`consistency`].
    pub consistency: f64,
    /// 0.5 to 1.5, see [`calibration`].
    pub calibration: f64,
    /// 0.5 to 2, see [`elo_skill`].
    pub elo_skill: f64,
    /// Below 1 for a self-vote, if enabled.
    pub self_vote: f64,
    /// 0.7 to 1, see [`verbosity`].
    pub verbosity: f64,
}

impl Default for Factors {
    fn default() -> Self {
        Self {
            reputation: 1.0,
            reliability: 1.0,
            consistency: 1.0,
            calibration: 1.0,
            elo_skill: 1.0,
            self_vote: 1.0,
            verbosity: 1.0,
        }
    }
}

impl Factors {
    /// Returns the product, within [`BOUNDS`].
    #[must_use]
    pub fn weight(&self) -> f64 {
        let all = [
            self.reputation,
            self.reliability,
            self.consistency,
            self.calibration,
            self.elo_skill,
            self.self_vote,
            self.verbosity,
        ];
        product(all.map(|factor| (factor, 1.0)), BOUNDS)
    }
}

/// Multiplies factors, each scaled by its contribution (0: none, 1: full), within bounds.
#[must_use]
pub fn product(factors: impl IntoIterator<Item = (f64, f64)>, bounds: (f64, f64)) -> f64 {
    let blended = factors
        .into_iter()
        .map(|(factor, contribution)| 1.0 + (factor - 1.0) * contribution);
    let product: f64 = blended.product();
    product.max(bounds.0).min(bounds.1)
}

/// Returns the factor of a consistency score from 0 to 1.
#[must_use]
pub fn consistency(score: f64) -> f64 {
    0.5 + 0.5 * score
}

/// Returns the factor of a calibration score from 0 to 1; 1 below [`LEAST_PREDICTIONS`], so that new voters
/// have the same weight as unrated ones.
#[must_use]
pub fn calibration(score: f64, predictions: u32) -> f64 {
    if predictions < LEAST_PREDICTIONS {
        1.0
    } else {
        0.5 + score
    }
}

/// Returns the factor of a rating.
#[must_use]
pub fn elo_skill(rating: f64) -> f64 {
    (1.0 + 0.3 * (rating - 1500.0) / 500.0).clamp(0.5, 2.0)
}

#[must_use]
pub fn is_self_vote(voter: &str, choice: &str) -> bool {
    alias(choice, &[voter]) == Alias::One(0)
}

/// Returns the factor of a proposal's length in characters: 1 up to 3 times the target, then a tenth less per
/// further multiple, at least 0.7.
#[must_use]
pub fn verbosity(length: usize, target: usize) -> f64 {
    verbosity_beyond(length, target, 3.0, 0.3)
}

/// The same with other bounds: no penalty up to `free` times the target, and at most `most` (0 to 1).
#[must_use]
pub fn verbosity_beyond(length: usize, target: usize, free: f64, most: f64) -> f64 {
    let times = length as f64 / target.max(1) as f64;
    1.0 - (0.1 * (times - free).max(0.0)).min(most)
}

/// Returns the weight of a person's vote by intensity, clamped to 1 to 10: 0.5 at 1, 1 at 5, 2 at 10.
#[must_use]
pub fn user_multiplier(intensity: f64) -> f64 {
    let intensity = intensity.clamp(1.0, 10.0);
    if intensity < 5.0 {
        0.5 + 0.5 * (intensity - 1.0) / 4.0
    } else {
        1.0 + (intensity - 5.0) / 5.0
    }
}

/// Quality of a piece of evidence, each 0 to 1; 0.5 if unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EvidenceQuality {
    /// To the question.
    pub relevance: f64,
    /// Of the source.
    pub authority: f64,
    pub freshness: f64,
    pub completeness: f64,
}

impl Default for EvidenceQuality {
    fn default() -> Self {
        Self {
            relevance: 0.5,
            authority: 0.5,
            freshness: 0.5,
            completeness: 0.5,
        }
    }
}

impl EvidenceQuality {
    /// 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        0.4 * self.relevance + 0.3 * self.authority + 0.2 * self.freshness + 0.1 * self.completeness
    }
}

/// Returns the distinct known ids cited as `EVID-id`, in the order of `known`, which are the ids shown to the
/// voter.
#[must_use]
pub fn cited<'a>(reasoning: &str, known: &[&'a str]) -> Vec<&'a str> {
    let ids: Vec<&str> = reasoning
        .split("EVID-")
        .skip(1)
        .map(|rest| {
            let end = rest
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len());
            rest.get(..end).unwrap_or_default()
        })
        .collect();
    known.iter().filter(|id| ids.contains(id)).copied().collect()
}

/// Returns the bonus for cited evidence: `bonus` per piece, times the root of the mean quality.
#[must_use]
pub fn citation_bonus(qualities: &[EvidenceQuality], bonus: f64) -> f64 {
    if qualities.is_empty() {
        return 0.0;
    }
    let count = qualities.len() as f64;
    let mean = qualities.iter().map(EvidenceQuality::score).sum::<f64>() / count;
    bonus * count * mean.max(0.0).sqrt()
}

/// Returns the bonus for verified claims of a choice with this tally (at most 2 claims).
#[must_use]
pub fn verified_bonus(tally: f64, verified: usize, bonus: f64) -> f64 {
    tally * bonus * verified.min(2) as f64
}

/// Returns the penalty for missing alternatives, falsifiers, confidence levels and named unknowns.
#[must_use]
pub fn hygiene_penalty(missing: usize, required: usize, penalty: f64) -> f64 {
    if required == 0 {
        return 0.0;
    }
    penalty * (missing.min(required) as f64 / required as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn newcomers_weigh_as_much_as_the_unrated() {
        let newcomer = Factors {
            calibration: calibration(0.0, 3),
            elo_skill: elo_skill(1500.0),
            ..Factors::default()
        };
        assert_eq!(newcomer.weight(), 1.0);
        assert_eq!(calibration(0.9, 20), 1.4);
        assert_eq!(elo_skill(9000.0), 2.0);
    }

    #[test]
    fn evidence_counts_once_for_each_id_shown() {
        let ids = cited("as EVID-1 and EVID-2, EVID-2, EVID-9 say", &["1", "2", "3"]);
        assert_eq!(ids, ["1", "2"]);
        let bonus = citation_bonus(&[EvidenceQuality::default(); 2], 0.15);
        assert!((bonus - 0.3 * 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(citation_bonus(&[], 0.15), 0.0);
        assert_eq!(verified_bonus(2.0, 5, 0.2), 0.8);
    }

    #[test]
    fn own_votes() {
        assert!(is_self_vote("gpt-5", "GPT 5"));
        assert!(!is_self_vote("ann", "joanna"));
        assert_eq!(hygiene_penalty(1, 4, 0.2), 0.05);
    }

    proptest! {
        #[test]
        fn within_bounds(reputation in -9.0..9.0f64, elo in -1e4..1e4f64, length in any::<usize>(), intensity in -99.0..99.0f64) {
            let factors = Factors { reputation, elo_skill: elo_skill(elo), verbosity: verbosity(length, 1000), ..Factors::default() };
            prop_assert!((BOUNDS.0..=BOUNDS.1).contains(&factors.weight()));
            prop_assert!((0.5..=2.0).contains(&user_multiplier(intensity)));
        }
    }
}
