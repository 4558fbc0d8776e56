//! Early stopping, and time limits of phases. Answers of agents and judges are parsed in
//! [`crate::reading::signals`].
//!
//! Source: A9 and A3.2 of the debate's design.

use super::tally::EPSILON;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Minimum confidence of a signal.
pub const LEAST_CONFIDENCE: f64 = 0.8;
/// Required fraction of ready agents among those with a proposal.
pub const READY_QUORUM: f64 = 0.75;

/// Returns whether a signal (ready, or settled) counts; without a confidence it does not.
#[must_use]
pub fn counts(says_so: bool, confidence: Option<f64>) -> bool {
    says_so && confidence.is_some_and(|confidence| confidence + EPSILON >= LEAST_CONFIDENCE)
}

/// Returns whether enough of the proposals' authors are ready.
#[must_use]
pub fn ready_quorum(ready: usize, proposals: usize) -> bool {
    proposals > 0 && ready as f64 / proposals as f64 + EPSILON >= READY_QUORUM
}

/// Returns whether the agents' poll stops the debate. `answers` are the readable ones; `true` means stop.
#[must_use]
pub fn poll_stops(answers: &[bool], threshold: f64) -> bool {
    let stops = answers.iter().filter(|stops| **stops).count();
    !answers.is_empty() && stops as f64 / answers.len() as f64 + EPSILON >= threshold
}

/// Returns the leader if the missing votes cannot change the result, with weight 1 each. `choices` are the
/// votes cast by `voters` voters so far.
#[must_use]
pub fn settled_leader<'a>(choices: &[&'a str], voters: usize, threshold: f64) -> Option<&'a str> {
    let count = |name: &str| choices.iter().filter(|choice| **choice == name).count();
    let mut best: Option<(&str, usize)> = None;
    for choice in choices {
        let votes = count(choice);
        if best.is_none_or(|(_, most)| votes > most) {
            best = Some((choice, votes));
        }
    }
    let (leader, votes) = best?;
    let next = choices
        .iter()
        .filter(|choice| **choice != leader)
        .map(|choice| count(choice))
        .max()
        .unwrap_or(0);
    let out = voters.saturating_sub(choices.len());
    let all = (choices.len() + out) as f64;
    // A consensus requires more than half, and the threshold.
    let reached = |votes: usize| votes as f64 / all > 0.5 && votes as f64 / all + EPSILON >= threshold;
    let is_fixed = votes > next + out && (reached(votes) || !reached(votes + out));
    is_fixed.then_some(leader)
}

/// Stability of the votes between two rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Maximum difference of the cumulative shares, 0 to 1; 0 is no change.
    pub distance: f64,
    /// 0 to 1.
    pub score: f64,
    /// Whether the debate may stop.
    pub stable: bool,
}

/// Returns the stability of each round's votes, given as votes by name; the first round is unstable. Off by
/// default.
#[must_use]
pub fn stability(rounds: &[BTreeMap<String, f64>], threshold: f64, most_distance: f64) -> Vec<Stability> {
    let mut found = Vec::new();
    let (mut hits, mut scores) = (0_u32, 0_u32);
    let mut before: Option<&BTreeMap<String, f64>> = None;
    for round in rounds {
        let next = match before {
            None => Stability {
                distance: 1.0,
                score: 0.0,
                stable: false,
            },
            Some(before) => {
                let distance = distance(before, round);
                let sure = if scores < 2 {
                    0.5
                } else {
                    f64::from(1 + hits) / f64::from(2 + scores)
                };
                let score = 0.6 * (1.0 - distance) + 0.4 * sure;
                scores += 1;
                hits += u32::from(score > 0.7);
                Stability {
                    distance,
                    score,
                    stable: distance < most_distance && score + EPSILON >= threshold,
                }
            }
        };
        found.push(next);
        before = Some(round);
    }
    found
}

fn distance(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> f64 {
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    let sum = |map: &BTreeMap<String, f64>| map.values().sum::<f64>();
    let (all_one, all_other) = (sum(one), sum(other));
    let share = |map: &BTreeMap<String, f64>, name: &String, all: f64| {
        if all > 0.0 {
            map.get(name).copied().unwrap_or(0.0) / all
        } else {
            0.0
        }
    };
    let (mut sum_one, mut sum_other, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
    for name in names {
        sum_one += share(one, name, all_one);
        sum_other += share(other, name, all_other);
        most = most.max((sum_one - sum_other).abs());
    }
    most
}

/// Returns the time limit of a phase in seconds: agents in batches of `concurrent`, plus a minute; at least
/// two minutes.
#[must_use]
pub fn phase_timeout(agents: usize, agent_timeout: f64, concurrent: usize) -> f64 {
    let batches = agents as f64 / concurrent.max(1) as f64;
    (batches * agent_timeout + 60.0).max(120.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_without_confidence_do_not_count() {
        assert!(counts(true, Some(0.8)));
        assert!(!counts(true, None));
        assert!(!counts(false, Some(1.0)));
        assert!(ready_quorum(3, 4) && !ready_quorum(2, 3) && !ready_quorum(0, 0));
        assert!(!poll_stops(&[], 0.0));
    }

    #[test]
    fn missing_votes_may_change_leader_or_consensus() {
        assert_eq!(settled_leader(&["x", "x", "y"], 5, 0.6), None);
        assert_eq!(settled_leader(&["x", "x", "x"], 5, 0.8), None);
        assert_eq!(settled_leader(&["x", "x", "x"], 5, 0.6), Some("x"));
        assert_eq!(settled_leader(&["x", "x", "x", "y", "y"], 6, 0.9), None);
        assert_eq!(settled_leader(&["x", "x", "x", "x", "y", "y"], 7, 0.9), Some("x"));
    }

    proptest! {
        #[test]
        fn missing_votes_do_not_change_a_settled_leader(choices in proptest::collection::vec(0..3usize, 0..7), rest in proptest::collection::vec(0..3usize, 0..5), threshold in 0.0..1.0f64) {
            let names = ["x", "y", "z"];
            let read = |places: &[usize]| places.iter().map(|at| names[*at]).collect::<Vec<_>>();
            let voters = choices.len() + rest.len();
            if let Some(leader) = settled_leader(&read(&choices), voters, threshold) {
                let all: Vec<usize> = choices.iter().chain(&rest).copied().collect();
                prop_assert_eq!(settled_leader(&read(&all), voters, threshold), Some(leader));
            }
        }

        #[test]
        fn stability_is_a_share(rounds in proptest::collection::vec(proptest::collection::vec(0..5u8, 3), 0..8)) {
            let rounds: Vec<BTreeMap<String, f64>> = rounds
                .iter()
                .map(|votes| votes.iter().enumerate().map(|(n, votes)| (n.to_string(), f64::from(*votes))).collect())
                .collect();
            for round in stability(&rounds, 0.85, 0.1) {
                prop_assert!((0.0..=1.0 + EPSILON).contains(&round.score));
            }
        }
    }
}
