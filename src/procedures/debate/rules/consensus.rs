//! Decision by a count: consensus, leader and strength, in eight modes, with tie-breaking. Votes are counted
//! in [`super::tally`], Byzantine agreement is in [`super::byzantine`].
//!
//! Source: A12 and A13 of the debate's design.

use super::tally::{Cast, Counting, EPSILON, Tally, TallyRow, Votes, compare, count};
use crate::procedures::spec::declare::choices;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;

choices! {
    /// Condition for a consensus.
    #[derive(Default)]
    pub enum Mode {
        /// More than half, and at least the threshold.
        #[default]
        Majority = "majority",
        /// At least two thirds and the threshold.
        Supermajority = "supermajority",
        /// All votes, with weight 1 each.
        Unanimous = "unanimous",
        /// As majority, weighted by rating and confidence.
        Weighted = "weighted",
        /// The judge's winner, or majority without a verdict. Whether there is a consensus depends on the votes.
        #[serde(alias = "hybrid")]
        Judge = "judge",
        /// Any vote.
        Any = "any",
        /// Never: the proposals are listed side by side.
        None = "none",
        /// Two stages of agreement, robust against a third of the voters; majority if it fails.
        Byzantine = "byzantine",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    pub mode: Mode,
    /// Minimum share of the weight, 0 to 1.
    pub threshold: f64,
    /// Whether an unreadable vote counts as dissent, under `unanimous`.
    pub failed_is_dissent: bool,
    /// Method of counting. `unanimous` always uses weight 1 and `weighted` always uses confidence.
    pub counting: Counting,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            threshold: 0.6,
            failed_is_dissent: true,
            counting: Counting::default(),
        }
    }
}

/// Data for breaking ties, by proposer.
#[derive(Debug, Clone, Default)]
pub struct Ties {
    /// Mean scores by the judge.
    pub judge_scores: BTreeMap<String, f64>,
    pub ratings: BTreeMap<String, f64>,
}

/// Result of a judge or of Byzantine agreement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// A proposer.
    pub winner: Option<String>,
    /// Whether it is an agreement; always `false` for a judge, where the votes decide.
    pub reached: bool,
    /// 0 to 1.
    pub confidence: f64,
}

/// Strength of a consensus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// All weight.
    Unanimous,
    /// At least 80 percent.
    Strong,
    /// At least 60 percent, with a lead of 20.
    Medium,
    /// Any other consensus.
    Weak,
    /// No consensus.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStatus {
    ConsensusReached,
    NoConsensus,
    /// Too few voters took part.
    InsufficientParticipation,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub status: DecisionStatus,
    /// The mode, or `majority` as its fallback.
    pub decided_by: Mode,
    /// 0 to 1: the winner's share times the confidence of its voters; with a judge, the judge's confidence.
    pub confidence: f64,
    /// The leading proposer; with a consensus, the winner.
    pub winner: Option<String>,
    /// Proposers with the same weight as the winner, including the winner; empty without a tie.
    pub tied: Vec<String>,
    pub strength: Strength,
    /// Population variance of the weights, for information only.
    pub variance: f64,
    /// Lead over the next, as a share of the weight, 0 to 1.
    pub margin: f64,
    /// The other proposers, in roster order. Dissent is in the votes.
    pub others: Vec<String>,
    pub tally: Tally,
    /// Why another mode decided than the configured one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}

/// Why another mode decided than the configured one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Byzantine agreement requires four voters.
    TooFewForByzantine,
    /// No proposal reached a quorum of commitments.
    NoByzantineAgreement,
}

impl Decision {
    #[must_use]
    pub fn reached(&self) -> bool {
        self.status == DecisionStatus::ConsensusReached
    }

    /// Returns the author of the answer: the winner, else the first proposer.
    #[must_use]
    pub fn answer<'a>(&'a self, proposers: &'a [String]) -> Option<&'a String> {
        self.winner.as_ref().or_else(|| proposers.first())
    }
}

/// Confidence of a debate in mode `none`.
const UNDECIDED: f64 = 0.5;

/// Decides by votes and rules. `verdict` is the judge's or that of Byzantine agreement, for modes that use
/// it.
#[must_use]
pub fn decide(votes: &Votes<'_>, rules: &Rules, ties: &Ties, verdict: Option<&Verdict>) -> Decision {
    let counting = Counting {
        one_each: rules.counting.one_each || rules.mode == Mode::Unanimous,
        by_confidence: rules.counting.by_confidence || rules.mode == Mode::Weighted,
        ..rules.counting
    };
    let tally = count(votes, &counting);
    let standing = standing(&tally, ties);
    let leader = standing.first().copied();
    let share = leader.map_or(0.0, |leader| tally.share(leader));
    let next = standing.get(1).map_or(0.0, |next| tally.share(next));
    let is_tie = standing.len() > 1 && share - next < EPSILON;
    let tied: Vec<String> = match leader {
        Some(leader) if is_tie => tally
            .rows
            .iter()
            .filter(|row| leader.weight - row.weight < EPSILON)
            .map(|row| row.choice.clone())
            .collect(),
        _ => Vec::new(),
    };
    // If votes are weighted by confidence, the share includes it.
    let sure = match leader {
        Some(leader) if !counting.by_confidence => mean_confidence(votes, &tally, &leader.choice),
        _ => 1.0,
    };
    let found = Agreement {
        winner: leader.map(|leader| leader.choice.clone()),
        reached: false,
        confidence: share * sure,
    };
    let more_than_half = share > 0.5 + EPSILON && !is_tie;
    let at_least = |threshold: f64| more_than_half && share + EPSILON >= threshold;
    let is_shared = leader.is_some_and(TallyRow::is_shared);
    let majority = at_least(rules.threshold) && is_shared;
    let (mode, found) = match (rules.mode, verdict) {
        (Mode::None, _) => {
            let none = Agreement {
                winner: None,
                reached: false,
                confidence: UNDECIDED,
            };
            (Mode::None, none)
        }
        (Mode::Judge | Mode::Byzantine, Some(verdict)) => {
            let winner = verdict.winner.clone();
            let agreed = match rules.mode {
                Mode::Judge => majority && tally.has_quorum() && found.winner == winner,
                _ => verdict.reached,
            };
            let agreement = Agreement {
                reached: agreed && winner.is_some(),
                winner,
                confidence: verdict.confidence.clamp(0.0, 1.0),
            };
            (rules.mode, agreement)
        }
        _ if !tally.has_quorum() => {
            let tally_of = tally.clone();
            return Decision {
                status: DecisionStatus::InsufficientParticipation,
                decided_by: match rules.mode {
                    Mode::Judge | Mode::Byzantine => Mode::Majority,
                    mode => mode,
                },
                confidence: 0.0,
                winner: None,
                tied: Vec::new(),
                strength: Strength::None,
                variance: tally.variance(),
                margin: 0.0,
                others: Vec::new(),
                tally: tally_of,
                note: None,
            };
        }
        (Mode::Unanimous, _) => {
            let failed = if rules.failed_is_dissent {
                tally.failed.len()
            } else {
                0
            };
            let all = tally.total + failed as f64;
            let share = leader
                .filter(|_| all > 0.0)
                .map_or(0.0, |leader| leader.weight / all);
            let reached = share > 1.0 - EPSILON && is_shared;
            let agreement = Agreement {
                winner: found.winner.filter(|_| reached),
                reached,
                confidence: share * sure,
            };
            (Mode::Unanimous, agreement)
        }
        (Mode::Any, _) => {
            let reached = share > 0.0;
            (Mode::Any, Agreement { reached, ..found })
        }
        (Mode::Supermajority, _) => {
            let reached = at_least(rules.threshold.max(2.0 / 3.0)) && is_shared;
            (Mode::Supermajority, Agreement { reached, ..found })
        }
        (Mode::Weighted, _) => {
            let reached = at_least(rules.threshold);
            (Mode::Weighted, Agreement { reached, ..found })
        }
        (Mode::Majority | Mode::Judge | Mode::Byzantine, _) => {
            let reached = majority;
            (Mode::Majority, Agreement { reached, ..found })
        }
    };
    let by_votes = !matches!(mode, Mode::Judge | Mode::Byzantine | Mode::None);
    let agreed = by_votes || (mode == Mode::Judge && found.reached);
    let (share, margin) = if agreed {
        (share, share - next)
    } else {
        (found.confidence, 0.0)
    };
    let strength = if !found.reached {
        Strength::None
    } else if agreed {
        strength(share, margin)
    } else {
        strength(share, share)
    };
    let status = if found.reached {
        DecisionStatus::ConsensusReached
    } else {
        DecisionStatus::NoConsensus
    };
    let others = match mode {
        Mode::None => Vec::new(),
        _ => votes
            .proposers
            .iter()
            .filter(|name| Some(*name) != found.winner.as_ref())
            .cloned()
            .collect(),
    };
    Decision {
        status,
        decided_by: mode,
        confidence: found.confidence,
        winner: found.winner,
        tied: if by_votes { tied } else { Vec::new() },
        strength,
        variance: tally.variance(),
        margin,
        others,
        tally,
        note: None,
    }
}

/// Returns the mean confidence of the voters for a proposal, weighted as their votes; 1 without any stated
/// confidence.
fn mean_confidence(votes: &Votes<'_>, tally: &Tally, choice: &str) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for (voter, weight) in &tally.weights {
        let own = votes.ballots.iter().find(|ballot| ballot.voter == *voter);
        if let Some(ballot) = own.filter(|ballot| matches!(&ballot.cast, Cast::For(name) if name == choice))
            && let Some(confidence) = ballot.confidence
        {
            sum += weight * confidence.clamp(0.0, 1.0);
            all += weight;
        }
    }
    if all > 0.0 { sum / all } else { 1.0 }
}

struct Agreement {
    winner: Option<String>,
    reached: bool,
    confidence: f64,
}

/// Returns the strength of a consensus by the winner's share and lead, both 0 to 1.
#[must_use]
pub fn strength(share: f64, margin: f64) -> Strength {
    if share > 1.0 - EPSILON {
        Strength::Unanimous
    } else if share + EPSILON >= 0.8 {
        Strength::Strong
    } else if share + EPSILON >= 0.6 && margin + EPSILON >= 0.2 {
        Strength::Medium
    } else {
        Strength::Weak
    }
}

/// Sorts the rows by weight, then confidence, judge's score, votes, rating, and roster order.
#[must_use]
pub fn standing<'a>(tally: &'a Tally, ties: &Ties) -> Vec<&'a TallyRow> {
    let mut rows: Vec<&TallyRow> = tally.rows.iter().collect();
    let of = |map: &BTreeMap<String, f64>, row: &TallyRow| {
        map.get(&row.choice).copied().unwrap_or(f64::NEG_INFINITY)
    };
    let keys = |row: &TallyRow| {
        [
            row.weight,
            row.confidence,
            of(&ties.judge_scores, row),
            f64::from(row.votes),
            of(&ties.ratings, row),
        ]
    };
    rows.sort_by(|a, b| {
        let compared = keys(a).into_iter().zip(keys(b)).map(|(a, b)| compare(b, a));
        compared.fold(Ordering::Equal, Ordering::then)
    });
    rows
}

/// Returns the threshold adapted to the voters' Brier scores (of those with at least 5 predictions): higher
/// for badly calibrated voters, 0.45 to 0.85; the base without scores.
#[must_use]
pub fn adaptive_threshold(briers: &[f64], base: f64) -> f64 {
    if briers.is_empty() {
        return base;
    }
    let mean = briers.iter().sum::<f64>() / briers.len() as f64;
    (base + 0.3 * (mean - 0.25)).clamp(0.45, 0.85)
}

#[cfg(test)]
mod tests {
    use super::super::tally::{Ballot, Cast};
    use super::*;
    use proptest::prelude::*;

    const MODES: [Mode; 8] = [
        Mode::Majority,
        Mode::Supermajority,
        Mode::Unanimous,
        Mode::Weighted,
        Mode::Judge,
        Mode::Any,
        Mode::None,
        Mode::Byzantine,
    ];

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("s{n}")).collect()
    }

    /// One vote per seat: the index of the chosen proposer.
    fn ballots(choices: &[usize]) -> Vec<Ballot> {
        let ballots = choices.iter().enumerate().map(|(voter, choice)| Ballot {
            voter: format!("s{voter}"),
            cast: Cast::For(format!("s{choice}")),
            confidence: None,
        });
        ballots.collect()
    }

    fn run(choices: &[usize], mode: Mode, ties: &Ties) -> Decision {
        let all = names(choices.len());
        let votes = Votes {
            voters: &all,
            proposers: &all,
            ballots: &ballots(choices),
            ..Votes::default()
        };
        let rules = Rules {
            mode,
            ..Rules::default()
        };
        decide(&votes, &rules, ties, None)
    }

    #[test]
    fn half_is_no_majority_and_a_tie_is_no_consensus() {
        let tie = run(&[0, 0, 1, 1], Mode::Majority, &Ties::default());
        assert!(!tie.reached());
        assert_eq!(tie.winner.as_deref(), Some("s0"));
        assert_eq!(tie.tied, ["s0", "s1"]);
        assert_eq!(tie.strength, Strength::None);
        assert!(run(&[0, 0, 0, 1], Mode::Majority, &Ties::default()).reached());
        assert!(run(&[0, 0, 0, 1], Mode::Supermajority, &Ties::default()).reached());
        assert!(!run(&[0, 0, 0, 1, 1], Mode::Supermajority, &Ties::default()).reached());
    }

    #[test]
    fn the_chain_breaks_ties() {
        let judge = Ties {
            judge_scores: BTreeMap::from([("s0".to_owned(), 4.0), ("s1".to_owned(), 7.0)]),
            ratings: BTreeMap::from([("s0".to_owned(), 1600.0)]),
        };
        assert_eq!(
            run(&[0, 0, 1, 1], Mode::Any, &judge).winner.as_deref(),
            Some("s1")
        );
        let rated = Ties {
            ratings: BTreeMap::from([("s1".to_owned(), 1600.0), ("s0".to_owned(), 1500.0)]),
            ..Ties::default()
        };
        assert_eq!(
            run(&[0, 0, 1, 1], Mode::Any, &rated).winner.as_deref(),
            Some("s1")
        );
    }

    #[test]
    fn a_failed_vote_prevents_unanimity() {
        let all = names(3);
        let votes = Votes {
            voters: &all,
            proposers: &all,
            ballots: &ballots(&[1, 1]),
            ..Votes::default()
        };
        let mut rules = Rules {
            mode: Mode::Unanimous,
            ..Rules::default()
        };
        let decision = decide(&votes, &rules, &Ties::default(), None);
        assert!(!decision.reached() && decision.winner.is_none());
        assert!((decision.confidence - 2.0 / 3.0).abs() < EPSILON);
        rules.failed_is_dissent = false;
        assert!(decide(&votes, &rules, &Ties::default(), None).reached());
    }

    #[test]
    fn a_verdict_decides_if_there_is_one() {
        let all = names(3);
        let votes = Votes {
            voters: &all,
            proposers: &all,
            ballots: &ballots(&[1, 1, 1]),
            ..Votes::default()
        };
        let verdict = Verdict {
            winner: Some("s2".to_owned()),
            reached: true,
            confidence: 0.7,
        };
        let rules = Rules {
            mode: Mode::Judge,
            ..Rules::default()
        };
        let decision = decide(&votes, &rules, &Ties::default(), Some(&verdict));
        assert_eq!(
            (decision.winner.as_deref(), decision.decided_by),
            (Some("s2"), Mode::Judge)
        );
        // Three of three voted for another: a decision, but no agreement.
        assert!(!decision.reached() && decision.strength == Strength::None);
        let same = Verdict {
            winner: Some("s1".to_owned()),
            reached: false,
            ..verdict.clone()
        };
        let decision = decide(&votes, &rules, &Ties::default(), Some(&same));
        assert!(decision.reached() && decision.strength == Strength::Unanimous);
        assert_eq!((decision.decided_by, decision.confidence), (Mode::Judge, 0.7));
        let decision = decide(&votes, &rules, &Ties::default(), None);
        assert_eq!(
            (decision.winner.as_deref(), decision.decided_by),
            (Some("s1"), Mode::Majority)
        );
        let decision = decide(&votes, &Rules::default(), &Ties::default(), Some(&verdict));
        assert_eq!(
            (decision.winner.as_deref(), decision.reached()),
            (Some("s1"), true)
        );
    }

    #[test]
    fn a_vote_for_oneself_and_abstentions_are_no_consensus() {
        let all = names(3);
        let decided = |casts: [Cast; 3], mode| {
            let ballots: Vec<Ballot> = all
                .iter()
                .zip(casts)
                .map(|(voter, cast)| Ballot {
                    voter: voter.clone(),
                    cast,
                    confidence: None,
                })
                .collect();
            let votes = Votes {
                voters: &all,
                proposers: &all,
                ballots: &ballots,
                ..Votes::default()
            };
            let rules = Rules {
                mode,
                ..Rules::default()
            };
            decide(&votes, &rules, &Ties::default(), None).status
        };
        let own = || Cast::For("s0".to_owned());
        for mode in MODES.into_iter().filter(|mode| *mode != Mode::None) {
            let alone = decided([own(), Cast::Abstained, Cast::Abstained], mode);
            assert_eq!(alone, DecisionStatus::InsufficientParticipation, "{mode:?}");
        }
        let two = decided([own(), own(), Cast::Abstained], Mode::Majority);
        assert_eq!(two, DecisionStatus::ConsensusReached);
        // A quorum of one vote is not an agreement.
        let one = names(1);
        let votes = Votes {
            voters: &one,
            proposers: &one,
            ballots: &ballots(&[0]),
            ..Votes::default()
        };
        let decision = decide(&votes, &Rules::default(), &Ties::default(), None);
        assert_eq!(
            (decision.status, decision.winner.as_deref()),
            (DecisionStatus::NoConsensus, Some("s0"))
        );
    }

    #[test]
    fn confidence_is_that_of_the_voters_for_any_number_of_proposals() {
        for count in 2..9 {
            let all = names(count);
            let sure = |confidence: f64, choices: &[usize]| {
                let mut ballots = ballots(choices);
                for ballot in &mut ballots {
                    ballot.confidence = Some(confidence);
                }
                let votes = Votes {
                    voters: &all,
                    proposers: &all,
                    ballots: &ballots,
                    ..Votes::default()
                };
                decide(&votes, &Rules::default(), &Ties::default(), None).confidence
            };
            assert!((sure(0.9, &vec![1; count]) - 0.9).abs() < EPSILON, "{count}");
            let mut one_against = vec![1; count];
            one_against[0] = 0;
            let share = (count - 1) as f64 / count as f64;
            assert!((sure(0.8, &one_against) - 0.8 * share.max(0.5)).abs() < EPSILON);
        }
    }

    proptest! {
        #[test]
        fn every_decision_is_sound(
            choices in proptest::collection::vec(0..9usize, 0..9),
            seats in 0..9usize,
            mode in 0..8usize,
            threshold in 0.0..1.0f64,
            weights in proptest::collection::vec(0.0..6.0f64, 9),
        ) {
            let all = names(seats);
            let cast = ballots(&choices);
            let reversed: Vec<Ballot> = cast.iter().rev().cloned().collect();
            let votes = |ballots| Votes {
                voters: &all,
                proposers: &all,
                ballots,
                weights: weights.iter().enumerate().map(|(n, weight)| (format!("s{n}"), *weight)).collect(),
                ..Votes::default()
            };
            let rules = Rules { mode: MODES[mode], threshold, ..Rules::default() };
            let decision = decide(&votes(&cast), &rules, &Ties::default(), None);
            prop_assert!((0.0..=1.0).contains(&decision.confidence));
            prop_assert!(decision.winner.as_ref().is_none_or(|winner| all.contains(winner)));
            prop_assert!(!decision.reached() || decision.winner.is_some());
            prop_assert!(!decision.reached() || decision.tied.is_empty() || rules.mode == Mode::Any);
            prop_assert_eq!(decide(&votes(&reversed), &rules, &Ties::default(), None), decision);
        }
    }
}
