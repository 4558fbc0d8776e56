//! Critics of each proposal, and rotation of thinking roles. Deterministic in the names.
//!
//! Source: A20 of the debate's design.

use crate::procedures::spec::declare::choices;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

choices! {
    /// Assignment of critics.
    #[derive(Default)]
    pub enum Topology {
        /// All others.
        #[default]
        AllToAll = "all-to-all",
        /// A fraction of the others, drawn by name.
        Sparse = "sparse",
        /// One of the others.
        RoundRobin = "round-robin",
        /// The two neighbours in alphabetical order.
        Ring = "ring",
        /// The hub criticises all, and all criticise the hub.
        Star = "star",
        /// Same as `Sparse`.
        RandomGraph = "random-graph",
        /// Depends on the similarity of the proposals, see [`adapted`].
        Adaptive = "adaptive",
    }
}

/// Returns the critics of `target`'s proposal, without `target`. `sparsity` (0 to 1) is the fraction of the
/// others for `Sparse`, at least one. The hub of a star is `hub`, else the first name. Resolve `Adaptive` by
/// [`adapted`] before; here it selects all others.
#[must_use]
pub fn critics(
    topology: Topology,
    agents: &[String],
    target: &str,
    sparsity: f64,
    hub: Option<&str>,
) -> Vec<String> {
    let others: Vec<&String> = agents.iter().filter(|agent| *agent != target).collect();
    let mut by_name = others.clone();
    by_name.sort();
    let chosen: Vec<&String> = match topology {
        Topology::AllToAll | Topology::Adaptive => others,
        Topology::RoundRobin => {
            let at = remainder(&Sha256::digest(target), by_name.len());
            by_name.get(at).copied().into_iter().collect()
        }
        Topology::Ring => neighbours(&by_name, target),
        Topology::Star => {
            let first = agents.iter().min().map(String::as_str);
            let hub = hub
                .filter(|hub| agents.iter().any(|agent| agent == hub))
                .or(first);
            if hub == Some(target) {
                others
            } else {
                others
                    .into_iter()
                    .filter(|agent| Some(agent.as_str()) == hub)
                    .collect()
            }
        }
        Topology::Sparse | Topology::RandomGraph => {
            let count = sparse_count(by_name.len(), sparsity);
            let mut drawn: Vec<([u8; 32], &String)> = by_name
                .iter()
                .map(|agent| (Sha256::digest(format!("{target}\0{agent}")).into(), *agent))
                .collect();
            drawn.sort_by_key(|draw| draw.0);
            drawn.truncate(count);
            others
                .into_iter()
                .filter(|agent| drawn.iter().any(|(_, name)| name == agent))
                .collect()
        }
    };
    chosen.into_iter().cloned().collect()
}

/// Returns the number of critics in a sparse topology.
#[must_use]
pub fn sparse_count(others: usize, sparsity: f64) -> usize {
    let part = (others as f64 * sparsity.clamp(0.0, 1.0)).floor() as usize;
    part.max(1).min(others)
}

/// Returns the names next to the target's position in the ring.
fn neighbours<'a>(by_name: &[&'a String], target: &str) -> Vec<&'a String> {
    let at = by_name.iter().filter(|name| name.as_str() < target).count();
    let count = by_name.len();
    let Some(before) = (at + count)
        .checked_sub(1)
        .and_then(|place| place.checked_rem(count))
    else {
        return Vec::new();
    };
    let mut places = vec![before, at % count];
    places.sort();
    places.dedup();
    places
        .iter()
        .filter_map(|place| by_name.get(*place).copied())
        .collect()
}

/// Returns the remainder of a big-endian number; 0 for a divisor of 0.
fn remainder(number: &[u8], by: usize) -> usize {
    let next = |rest: usize, byte: &u8| rest.wrapping_mul(256).wrapping_add(usize::from(*byte));
    number
        .iter()
        .fold(0, |rest, byte| next(rest, byte).checked_rem(by).unwrap_or(0))
}

/// Resolves `Adaptive` after a round, by the similarity of its proposals (0 to 1).
#[must_use]
pub fn adapted(similarity: f64, is_diverging: bool, is_converged: bool) -> Topology {
    if is_diverging || similarity < 0.3 {
        Topology::AllToAll
    } else if is_converged || similarity > 0.7 {
        Topology::RoundRobin
    } else {
        Topology::Ring
    }
}

/// A thinking role of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CognitiveRole {
    /// Takes the question apart.
    Analyst,
    /// Doubts.
    Skeptic,
    /// Looks for alternatives.
    LateralThinker,
    /// Combines the parts.
    Synthesizer,
    /// Argues for a position.
    Advocate,
    /// Argues against all positions.
    DevilAdvocate,
    /// Asks for evidence.
    QualityChallenger,
}

pub const ROTATION: [CognitiveRole; 4] = [
    CognitiveRole::Analyst,
    CognitiveRole::Skeptic,
    CognitiveRole::LateralThinker,
    CognitiveRole::Synthesizer,
];

/// Returns the role of the seat at an index of the roster (from 0) in a round (from 0) of `rounds`. It
/// advances every round; in the last one the first seat is the synthesizer.
#[must_use]
pub fn rotated(place: usize, round: usize, rounds: usize) -> CognitiveRole {
    if place == 0 && round + 1 == rounds {
        return CognitiveRole::Synthesizer;
    }
    ROTATION[(place % 4 + round % 4) % 4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Topology; 7] = [
        Topology::AllToAll,
        Topology::Sparse,
        Topology::RoundRobin,
        Topology::Ring,
        Topology::Star,
        Topology::RandomGraph,
        Topology::Adaptive,
    ];

    #[test]
    fn small_tables() {
        let two = ["b".to_owned(), "a".to_owned()];
        for topology in ALL {
            assert_eq!(critics(topology, &two, "b", 0.5, None), ["a"], "{topology:?}");
            assert!(
                critics(topology, &two[..1], "b", 0.5, None).is_empty(),
                "{topology:?}"
            );
        }
        assert_eq!(serde_json::to_value(Topology::AllToAll).unwrap(), "all-to-all");
        assert_eq!(adapted(0.5, false, false), Topology::Ring);
    }

    proptest! {
        #[test]
        fn critics_are_others_and_there_is_one(
            names in proptest::collection::btree_set("[a-z]{1,4}", 1..9),
            topology in 0..7usize,
            sparsity in -1.0..2.0f64,
        ) {
            let names: Vec<String> = names.into_iter().collect();
            for target in &names {
                let found = critics(ALL[topology], &names, target, sparsity, None);
                prop_assert!(!found.contains(target));
                prop_assert!(found.iter().all(|name| names.contains(name)));
                prop_assert_eq!(found.is_empty(), names.len() == 1);
                let mut once = found.clone();
                once.sort();
                once.dedup();
                prop_assert_eq!(once.len(), found.len());
            }
        }
    }
}
