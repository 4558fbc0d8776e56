//! Detects whether a secret ballot is a consensus and, if not, how the votes differ. The result never links a
//! vote to its voter.
//!
//! Source: "voting detail" of the justice experiment (all votes name the same principle and the same amount);
//! the tolerance rule is from an older version of its program.

use serde::{Deserialize, Serialize};

use super::event::{BallotVote, VoteStatus};
use crate::principle::Principle;

/// One ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    pub status: VoteStatus,
    /// `None` if unknown.
    pub principle: Option<Principle>,
    /// The constraint in whole income dollars; `None` if unknown.
    pub amount: Option<u32>,
}

impl Vote {
    /// Creates a vote that was read. An amount on a principle without a constraint is dropped; a constraint
    /// principle without an amount makes the vote invalid.
    #[must_use]
    pub fn cast(principle: Principle, amount: Option<u32>) -> Self {
        let amount = amount.filter(|_| principle.needs_amount());
        let complete = amount.is_some() || !principle.needs_amount();
        let status = if complete {
            VoteStatus::Valid
        } else {
            VoteStatus::Invalid
        };
        Self {
            status,
            principle: Some(principle),
            amount,
        }
    }

    /// Creates a vote without a choice.
    #[must_use]
    pub fn failed(status: VoteStatus) -> Self {
        Self {
            status,
            principle: None,
            amount: None,
        }
    }

    /// Returns the choice if the vote counts. As in [`Self::cast`], a constraint principle without an amount
    /// does not count.
    fn choice(&self) -> Option<(Principle, Option<u32>)> {
        let principle = self.principle.filter(|_| self.status == VoteStatus::Valid)?;
        (self.amount.is_some() || !principle.needs_amount()).then_some((principle, self.amount))
    }
}

impl From<&BallotVote> for Vote {
    fn from(vote: &BallotVote) -> Self {
        Self {
            status: vote.status,
            principle: vote.principle,
            amount: vote.amount,
        }
    }
}

/// Condition for a consensus.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsensusRule {
    /// All votes are identical.
    #[default]
    Strict,
    /// All votes name one principle, and the amounts differ by at most this fraction of their mean (0.05 is
    /// five percent). The most frequent amount is agreed; among equally frequent ones, the one cast first.
    Tolerance(f64),
    /// The same with amounts that differ by at most so many income dollars.
    Within(u32),
}

/// `None` is strict, `Some` is the tolerance, as in the settings.
impl From<Option<f64>> for ConsensusRule {
    fn from(tolerance: Option<f64>) -> Self {
        tolerance.map_or(Self::Strict, Self::Tolerance)
    }
}

/// Result of a ballot with a consensus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Agreement {
    pub principle: Principle,
    /// The constraint in whole income dollars; `None` for principles 1 and 2.
    pub amount: Option<u32>,
}

/// Kind of difference between votes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Disagreement {
    /// A vote is missing, unreadable or late, or there are no votes.
    VotingFailed,
    /// More than one principle.
    PrincipleDisagreement,
    /// One principle, more than one amount.
    ConstraintDisagreement {
        principle: Principle,
        /// Distinct amounts, ascending.
        amounts: Vec<u32>,
    },
    /// One principle, and only some votes name an amount. Unreachable with votes made by [`Vote::cast`].
    MixedDisagreement,
}

impl Disagreement {
    /// Returns the one-line form for results, such as
    /// `constraint_disagreement:maximizing_average_floor_constraint:12000,15000`.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Self::VotingFailed => "voting_failed".to_owned(),
            Self::PrincipleDisagreement => "principle_disagreement".to_owned(),
            Self::MixedDisagreement => "mixed_disagreement".to_owned(),
            Self::ConstraintDisagreement { principle, amounts } => {
                let amounts: Vec<String> = amounts.iter().map(u32::to_string).collect();
                format!("constraint_disagreement:{}:{}", principle.id(), amounts.join(","))
            }
        }
    }
}

/// Number of identical votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoteCount {
    pub principle: Principle,
    /// `None` if no amount was named.
    pub amount: Option<u32>,
    /// At least 1.
    pub votes: u32,
}

impl VoteCount {
    /// Returns the key for results, such as `maximizing_floor_none`.
    #[must_use]
    pub fn key(&self) -> String {
        match self.amount {
            None => format!("{}_none", self.principle.id()),
            Some(amount) => format!("{}_{amount}", self.principle.id()),
        }
    }
}

/// Outcome of a ballot: exactly one of `agreed` and `disagreement` is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consensus {
    pub agreed: Option<Agreement>,
    pub disagreement: Option<Disagreement>,
    /// Votes that count, by principle and amount in ascending order, which hides their voters.
    pub counts: Vec<VoteCount>,
    /// Number of votes that do not count.
    pub failed: u32,
}

/// Evaluates all votes of one ballot, failed ones included.
#[must_use]
pub fn detect_consensus(votes: &[Vote], rule: ConsensusRule) -> Consensus {
    let choices: Vec<_> = votes.iter().filter_map(Vote::choice).collect();
    let failed = votes.len() - choices.len();
    let outcome = if failed > 0 {
        Err(Disagreement::VotingFailed)
    } else {
        agreement(&choices, rule)
    };
    let (agreed, disagreement) = match outcome {
        Ok(agreed) => (Some(agreed), None),
        Err(disagreement) => (None, Some(disagreement)),
    };
    Consensus {
        agreed,
        disagreement,
        counts: count(&choices),
        failed: failed as u32,
    }
}

fn agreement(choices: &[(Principle, Option<u32>)], rule: ConsensusRule) -> Result<Agreement, Disagreement> {
    let Some(&(principle, first)) = choices.first() else {
        return Err(Disagreement::VotingFailed);
    };
    if choices.iter().all(|&choice| choice == (principle, first)) {
        return Ok(Agreement {
            principle,
            amount: first,
        });
    }
    if choices.iter().any(|&(other, _)| other != principle) {
        return Err(Disagreement::PrincipleDisagreement);
    }
    let amounts: Vec<u32> = choices.iter().filter_map(|&(_, amount)| amount).collect();
    if amounts.len() < choices.len() {
        return Err(Disagreement::MixedDisagreement);
    }
    let mut sorted = amounts.clone();
    sorted.sort();
    if let [lowest, .., highest] = sorted.as_slice() {
        let mean = sorted.iter().map(|&amount| f64::from(amount)).sum::<f64>() / sorted.len() as f64;
        let is_close = match rule {
            ConsensusRule::Strict => false,
            ConsensusRule::Tolerance(tolerance) => f64::from(highest - lowest) <= tolerance * mean,
            ConsensusRule::Within(most) => highest - lowest <= most,
        };
        if is_close {
            return Ok(Agreement {
                principle,
                amount: most_frequent(&amounts),
            });
        }
    }
    sorted.dedup();
    Err(Disagreement::ConstraintDisagreement {
        principle,
        amounts: sorted,
    })
}

/// Returns the most frequent value; among equally frequent ones, the first.
fn most_frequent(amounts: &[u32]) -> Option<u32> {
    let times = |amount: &u32| amounts.iter().filter(|other| *other == amount).count();
    // `max_by_key` returns the last of several maxima, hence the reversed order.
    amounts.iter().rev().max_by_key(|amount| times(amount)).copied()
}

fn count(choices: &[(Principle, Option<u32>)]) -> Vec<VoteCount> {
    let mut sorted = choices.to_vec();
    sorted.sort();
    let groups = sorted.chunk_by(|a, b| a == b);
    groups
        .map(|g| VoteCount {
            principle: g[0].0,
            amount: g[0].1,
            votes: g.len() as u32,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConsensusRule::{Strict, Tolerance, Within};
    use Principle::{Average, Floor, FloorConstraint, RangeConstraint};
    use proptest::prelude::*;

    fn amounts(list: &[u32]) -> Vec<Vote> {
        list.iter()
            .map(|&amount| Vote::cast(FloorConstraint, Some(amount)))
            .collect()
    }

    #[test]
    fn identical_votes_agree() {
        let agreed = detect_consensus(&amounts(&[14_000; 4]), Strict).agreed;
        assert_eq!(
            agreed,
            Some(Agreement {
                principle: FloorConstraint,
                amount: Some(14_000)
            })
        );
        let agreed = detect_consensus(&[Vote::cast(Floor, None); 3], Strict).agreed;
        assert_eq!(
            agreed,
            Some(Agreement {
                principle: Floor,
                amount: None
            })
        );
    }

    #[test]
    fn an_amount_on_a_principle_without_constraint_is_dropped() {
        let votes = [Vote::cast(Average, Some(9_000)), Vote::cast(Average, None)];
        assert_eq!(
            detect_consensus(&votes, Strict).agreed,
            Some(Agreement {
                principle: Average,
                amount: None
            })
        );
    }

    #[test]
    fn kinds_of_disagreement() {
        let summary = |votes: &[Vote]| detect_consensus(votes, Strict).disagreement.unwrap().summary();
        assert_eq!(summary(&[]), "voting_failed");
        assert_eq!(
            summary(&[Vote::cast(Floor, None), Vote::cast(Average, None)]),
            "principle_disagreement"
        );
        assert_eq!(
            summary(&amounts(&[15_000, 9_000, 15_000, 12_000])),
            "constraint_disagreement:maximizing_average_floor_constraint:9000,12000,15000"
        );
        let same = [
            Vote::cast(FloorConstraint, Some(1)),
            Vote::cast(RangeConstraint, Some(1)),
        ];
        assert_eq!(summary(&same), "principle_disagreement");
    }

    #[test]
    fn a_failed_vote_prevents_consensus() {
        for failed in [
            Vote::failed(VoteStatus::Timeout),
            Vote::failed(VoteStatus::Invalid),
            Vote::cast(FloorConstraint, None),
            Vote {
                status: VoteStatus::Timeout,
                principle: Some(FloorConstraint),
                amount: Some(12_000),
            },
            Vote {
                status: VoteStatus::Valid,
                principle: Some(FloorConstraint),
                amount: None,
            },
            Vote {
                status: VoteStatus::Valid,
                principle: None,
                amount: Some(12_000),
            },
        ] {
            for rule in [Strict, Tolerance(1.0)] {
                let mut votes = amounts(&[12_000, 12_000]);
                votes.push(failed);
                let outcome = detect_consensus(&votes, rule);
                assert_eq!((outcome.agreed, outcome.failed), (None, 1), "{failed:?}");
                assert_eq!(outcome.disagreement, Some(Disagreement::VotingFailed));
                assert_eq!(outcome.counts[0].votes, 2);
            }
        }
    }

    #[test]
    fn tolerance_is_a_fraction_of_the_mean() {
        let agreed = |list: &[u32], tolerance| {
            detect_consensus(&amounts(list), Tolerance(tolerance))
                .agreed
                .and_then(|agreed| agreed.amount)
        };
        assert_eq!(agreed(&[10_000, 10_500], 0.05), Some(10_000)); // 500 <= 512.5
        assert_eq!(agreed(&[10_000, 10_600], 0.05), None); // 600 > 515
        assert_eq!(agreed(&[10_100, 10_000, 10_000], 0.05), Some(10_000));
        assert_eq!(agreed(&[10_100, 10_000, 10_000, 10_100], 0.05), Some(10_100));
        assert_eq!(agreed(&[975, 1_025], 0.05), Some(975)); // the bound itself is within
        assert_eq!(agreed(&[12_000, 12_000], 0.0), Some(12_000));
        assert_eq!(agreed(&[12_000, 12_001], 0.0), None);
        assert_eq!(agreed(&[12_000, 12_001], f64::NAN), None);
        let mixed = [
            Vote::cast(FloorConstraint, Some(1)),
            Vote::cast(RangeConstraint, Some(1)),
        ];
        assert_eq!(detect_consensus(&mixed, Tolerance(1.0)).agreed, None);
    }

    #[test]
    fn amounts_within_a_difference_agree() {
        let agreed = |list: &[u32], most| {
            let agreed = detect_consensus(&amounts(list), Within(most)).agreed;
            agreed.and_then(|agreed| agreed.amount)
        };
        assert_eq!(agreed(&[14_000, 15_000, 15_000], 1_000), Some(15_000));
        assert_eq!(agreed(&[14_000, 14_500, 15_000], 1_000), Some(14_000));
        assert_eq!(agreed(&[14_000, 15_001], 1_000), None);
        assert_eq!(agreed(&[14_000, 14_001], 0), None);
        let mixed = [
            Vote::cast(FloorConstraint, Some(1)),
            Vote::cast(RangeConstraint, Some(1)),
        ];
        assert_eq!(detect_consensus(&mixed, Within(9)).agreed, None);
    }

    #[test]
    fn counts_do_not_show_the_order_of_votes() {
        let one = detect_consensus(&amounts(&[3_000, 1_000, 3_000]), Strict);
        let two = detect_consensus(&amounts(&[1_000, 3_000, 3_000]), Strict);
        assert_eq!(one, two);
        assert_eq!(one.counts[1].key(), "maximizing_average_floor_constraint_3000");
        assert_eq!(one.counts[1].votes, 2);
    }

    #[test]
    fn data_form() {
        let outcome = detect_consensus(&amounts(&[2, 1]), Strict);
        assert_eq!(
            serde_json::to_value(&outcome.disagreement).unwrap(),
            serde_json::json!({"kind": "constraint_disagreement",
                "principle": "maximizing_average_floor_constraint", "amounts": [1, 2]})
        );
        assert_eq!(
            serde_json::to_value(Tolerance(0.05)).unwrap(),
            serde_json::json!({"tolerance": 0.05})
        );
    }

    fn vote() -> impl Strategy<Value = Vote> {
        let cast = (1_u8..5, prop::option::of(1_u32..3))
            .prop_map(|(number, amount)| Vote::cast(Principle::from_number(number).unwrap(), amount));
        prop_oneof![12 => cast, 1 => Just(Vote::failed(VoteStatus::Timeout)), 1 => Just(Vote::failed(VoteStatus::Invalid))]
    }

    proptest! {
        #[test]
        fn consensus_means_all_equal(votes in prop::collection::vec(vote(), 0..5)) {
            let outcome = detect_consensus(&votes, Strict);
            let equal = !votes.is_empty()
                && votes.iter().all(|vote| *vote == votes[0] && vote.status == VoteStatus::Valid);
            prop_assert_eq!(outcome.agreed.is_some(), equal);
            prop_assert_eq!(outcome.disagreement.is_none(), equal);
            let counted: u32 = outcome.counts.iter().map(|count| count.votes).sum();
            prop_assert_eq!((counted + outcome.failed) as usize, votes.len());
        }

        #[test]
        fn tolerance_only_adds_consensus(votes in prop::collection::vec(vote(), 0..5), tolerance in 0.0..2.0) {
            if let Some(agreed) = detect_consensus(&votes, Strict).agreed {
                prop_assert_eq!(detect_consensus(&votes, Tolerance(tolerance)).agreed, Some(agreed));
            }
        }
    }
}
