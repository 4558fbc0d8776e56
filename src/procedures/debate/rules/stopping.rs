//! When a debate may stop early, and how long a phase may take. What agents and judges said is read in
//! [`crate::reading::signals`].
//!
//! Source: A9 and A3.2 of the debate's design.

use super::tally::EPSILON;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The confidence from which a sign counts.
pub const LEAST_CONFIDENCE: f64 = 0.8;
/// The part of the agents with a proposal that have to be ready.
pub const READY_QUORUM: f64 = 0.75;

/// Whether one who is ready, or a judge who says that it is settled, counts: who gives no confidence
/// does not.
#[must_use]
pub fn counts(says_so: bool, confidence: Option<f64>) -> bool {
    says_so && confidence.is_some_and(|confidence| confidence + EPSILON >= LEAST_CONFIDENCE)
}

/// Whether enough are ready: `ready` of all `proposals`.
#[must_use]
pub fn ready_quorum(ready: usize, proposals: usize) -> bool {
    proposals > 0 && ready as f64 / proposals as f64 + EPSILON >= READY_QUORUM
}

/// Whether the agents' poll stops the debate. `answers` are those that could be read, true for stop.
#[must_use]
pub fn poll_stops(answers: &[bool], threshold: f64) -> bool {
    let stops = answers.iter().filter(|stops| **stops).count();
    !answers.is_empty() && stops as f64 / answers.len() as f64 + EPSILON >= threshold
}

/// Whether the votes that are still out can change nothing, counted one each: `choices` are those that
/// came in, of `voters`. Gives who leads then.
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
    // A consensus is more than half and the threshold.
    let reached = |votes: usize| votes as f64 / all > 0.5 && votes as f64 / all + EPSILON >= threshold;
    let is_fixed = votes > next + out && (reached(votes) || !reached(votes + out));
    is_fixed.then_some(leader)
}

/// How near the votes of two rounds are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// The largest difference of the cumulated shares, 0 to 1; 0 is no change.
    pub distance: f64,
    /// 0 to 1.
    pub score: f64,
    /// Whether the debate may stop.
    pub stable: bool,
}

/// The stability of each round's votes, given as votes by name. Off by default. The first round has
/// none to compare with.
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

/// How long a phase may take, in seconds: its agents in batches of `concurrent`, and a minute; two
/// minutes at least.
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
    fn votes_that_are_out_may_change_who_leads_or_whether_it_is_enough() {
        assert_eq!(settled_leader(&["x", "x", "y"], 5, 0.6), None);
        assert_eq!(settled_leader(&["x", "x", "x"], 5, 0.8), None);
        assert_eq!(settled_leader(&["x", "x", "x"], 5, 0.6), Some("x"));
        assert_eq!(settled_leader(&["x", "x", "x", "y", "y"], 6, 0.9), None);
        assert_eq!(settled_leader(&["x", "x", "x", "x", "y", "y"], 7, 0.9), Some("x"));
    }

    proptest! {
        #[test]
        fn no_vote_that_is_out_changes_what_is_settled(choices in proptest::collection::vec(0..3usize, 0..7), rest in proptest::collection::vec(0..3usize, 0..5), threshold in 0.0..1.0f64) {
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
