//! Convergence of proposals: their similarity to each other and to each seat's previous proposal, the
//! resulting state, and novelty. Similarity is measured in [`super::similarity`].
//!
//! Proposals are pairs of seat and text, in roster order.

use crate::procedures::spec::declare::choices;
use serde::{Deserialize, Serialize};

use super::similarity::{Measure, Pairwise, in_range, mean};

/// A seat and its proposal.
pub type Proposal<'a> = (&'a str, &'a str);

choices! {
    /// The decisive score.
    #[derive(Default)]
    pub enum Metric {
        /// Minimum similarity between two proposals.
        #[default]
        InterAgent = "inter_agent",
        /// Minimum similarity between a proposal and the same seat's previous one.
        SelfStability = "self_stability",
        /// The lower of the two.
        Both = "both",
    }
}

/// When a debate has converged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Score from which proposals have converged.
    pub convergence: f64,
    /// Score below which they diverge.
    pub divergence: f64,
    /// Whether the score must exceed `convergence` (nine-round schedule) or may equal it (classic).
    pub strict: bool,
    /// Rounds up to this one are not checked.
    pub min_rounds: u32,
    /// Required number of consecutive converged checks.
    pub consecutive: u32,
    pub metric: Metric,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            convergence: 0.85,
            divergence: 0.40,
            strict: true,
            min_rounds: 1,
            consecutive: 1,
            metric: Metric::default(),
        }
    }
}

impl Settings {
    /// Returns whether a score has reached `convergence`.
    #[must_use]
    pub fn reached(&self, score: f64) -> bool {
        score > self.convergence || (!self.strict && score >= self.convergence)
    }
}

/// State of convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceStatus {
    Converged,
    /// The proposals are similar, or have not been converged for long enough.
    Refining,
    Diverging,
}

/// Stability of the seats' proposals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Similarity to the seat's earlier proposal, in the order of the current proposals.
    pub per_seat: Vec<(String, f64)>,
    pub min: f64,
    pub mean: f64,
}

/// Compares each proposal with the same seat's previous one. Returns `None` if no seat has both.
#[must_use]
pub fn self_stability(
    current: &[Proposal],
    previous: &[Proposal],
    similarity: &dyn Fn(&str, &str) -> f64,
) -> Option<Stability> {
    let mut per_seat = Vec::new();
    for (seat, text) in current {
        if let Some((_, before)) = previous.iter().find(|(other, _)| other == seat) {
            per_seat.push(((*seat).to_owned(), in_range(similarity(text, before))));
        }
    }
    let values: Vec<f64> = per_seat.iter().map(|(_, value)| *value).collect();
    Some(Stability {
        min: values.iter().copied().fold(1.0, f64::min),
        mean: mean(&values)?,
        per_seat,
    })
}

/// Result of a convergence check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub round: u32,
    pub status: ConvergenceStatus,
    /// The decisive score.
    pub score: f64,
    pub measure: Measure,
    /// Similarity of the proposals to each other.
    pub inter_agent: Pairwise,
    /// Similarity to the previous proposals.
    pub self_stability: Option<Stability>,
    /// Number of consecutive converged checks.
    pub stable: u32,
}

/// Tracks convergence from check to check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detector {
    pub settings: Settings,
    stable: u32,
}

impl Detector {
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, stable: 0 }
    }

    /// Compares the proposals of a round with each other and with those of the previous round. Returns `None`
    /// in a round that is too early, or without the decisive score: fewer than two proposals, or no seat with
    /// an earlier one.
    pub fn check(
        &mut self,
        round: u32,
        current: &[Proposal],
        previous: &[Proposal],
        measure: Measure,
        similarity: &dyn Fn(&str, &str) -> f64,
    ) -> Option<Check> {
        if round <= self.settings.min_rounds {
            return None;
        }
        let texts: Vec<&str> = current.iter().map(|(_, text)| *text).collect();
        let inter_agent = Pairwise::of(&texts, similarity);
        let self_stability = self_stability(current, previous, similarity);
        let between = (texts.len() > 1).then_some(inter_agent.min);
        let own = self_stability.as_ref().map(|stability| stability.min);
        let score = match self.settings.metric {
            Metric::InterAgent => between?,
            Metric::SelfStability => own?,
            Metric::Both => between?.min(own?),
        };
        Some(Check {
            round,
            status: self.step(score),
            score,
            measure,
            inter_agent,
            self_stability,
            stable: self.stable,
        })
    }

    /// Returns the state after a score.
    pub fn step(&mut self, score: f64) -> ConvergenceStatus {
        if self.settings.reached(score) {
            self.stable = self.stable.saturating_add(1);
            if self.stable >= self.settings.consecutive {
                return ConvergenceStatus::Converged;
            }
            return ConvergenceStatus::Refining;
        }
        self.stable = 0;
        if score < self.settings.divergence {
            ConvergenceStatus::Diverging
        } else {
            ConvergenceStatus::Refining
        }
    }
}

/// Returns whether all texts of a round are at least as similar as `threshold`, with minimum and mean over
/// all pairs; `true` for fewer than two texts.
#[must_use]
pub fn within_round(
    texts: &[&str],
    threshold: f64,
    similarity: &dyn Fn(&str, &str) -> f64,
) -> (bool, Pairwise) {
    let pairs = Pairwise::of(texts, similarity);
    (pairs.min >= threshold, pairs)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatNovelty {
    pub seat: String,
    /// 1 − the maximum similarity to an earlier proposal; 1 without an earlier proposal.
    pub novelty: f64,
    /// Author of the most similar earlier proposal.
    pub nearest: Option<String>,
}

/// Novelty of the proposals of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Novelty {
    /// In the order of the proposals.
    pub per_seat: Vec<SeatNovelty>,
    /// 1 without proposals.
    pub mean: f64,
    /// 1 without proposals.
    pub min: f64,
    /// 1 without proposals.
    pub max: f64,
    /// Seats below the threshold.
    pub low: Vec<String>,
}

/// Threshold of low novelty.
pub const LOW_NOVELTY: f64 = 0.15;

/// Number of rounds after which a seat's own proposals count against its novelty. Counting the previous round
/// would penalise every converging debate.
pub const OWN_ROUNDS_BACK: usize = 2;

/// Compares each proposal with those of all earlier rounds (oldest first), and with the seat's own from
/// `own_rounds_back` rounds ago and before (1 counts all; see [`OWN_ROUNDS_BACK`]).
#[must_use]
pub fn novelty(
    current: &[Proposal],
    earlier: &[Vec<Proposal>],
    threshold: f64,
    own_rounds_back: usize,
    similarity: &dyn Fn(&str, &str) -> f64,
) -> Novelty {
    let mut per_seat = Vec::new();
    for (seat, text) in current {
        let mut most = 0.0;
        let mut nearest = None;
        for (round, proposals) in earlier.iter().enumerate() {
            for (other, before) in proposals {
                if other == seat && earlier.len() - round < own_rounds_back {
                    continue;
                }
                let value = in_range(similarity(text, before));
                if value > most {
                    most = value;
                    nearest = Some((*other).to_owned());
                }
            }
        }
        per_seat.push(SeatNovelty {
            seat: (*seat).to_owned(),
            novelty: 1.0 - most,
            nearest,
        });
    }
    let values: Vec<f64> = per_seat.iter().map(|one| one.novelty).collect();
    let low = per_seat.iter().filter(|one| one.novelty < threshold);
    Novelty {
        low: low.map(|one| one.seat.clone()).collect(),
        mean: mean(&values).unwrap_or(1.0),
        min: values.iter().copied().fold(1.0, f64::min),
        max: values.iter().copied().reduce(f64::max).unwrap_or(1.0),
        per_seat,
    }
}

#[cfg(test)]
mod tests {
    use super::super::similarity::jaccard;
    use super::*;
    use proptest::prelude::*;

    fn settings(metric: Metric, strict: bool) -> Settings {
        Settings {
            metric,
            strict,
            convergence: 0.5,
            ..Settings::default()
        }
    }

    #[test]
    fn equal_to_the_threshold_is_enough_in_classic_mode_only() {
        let now = [("a", "x y z"), ("b", "x y w")];
        for (strict, expected) in [
            (true, ConvergenceStatus::Refining),
            (false, ConvergenceStatus::Converged),
        ] {
            let mut detector = Detector::new(settings(Metric::InterAgent, strict));
            let check = detector.check(3, &now, &[], Measure::Jaccard, &jaccard).unwrap();
            assert_eq!((check.score, check.status), (0.5, expected));
            assert_eq!(check.self_stability, None);
        }
    }

    #[test]
    fn the_metric_is_configurable() {
        let now = [("a", "one two"), ("b", "one two")];
        let before = [("b", "one two"), ("a", "three four")];
        for (metric, expected) in [
            (Metric::InterAgent, 1.0),
            (Metric::SelfStability, 0.0),
            (Metric::Both, 0.0),
        ] {
            let mut detector = Detector::new(settings(metric, true));
            let check = detector
                .check(3, &now, &before, Measure::Jaccard, &jaccard)
                .unwrap();
            assert_eq!(check.score, expected);
            assert!(
                detector
                    .check(1, &now, &before, Measure::Jaccard, &jaccard)
                    .is_none()
            );
            let alone = detector.check(3, &now[..1], &[], Measure::Jaccard, &jaccard);
            assert_eq!(alone, None, "nothing to compare is no convergence");
        }
    }

    #[test]
    fn own_previous_proposal_does_not_lower_novelty() {
        let first = vec![("a", "one two"), ("b", "three four")];
        let now = [("a", "one two"), ("b", "one two")];
        let new = novelty(
            &now,
            std::slice::from_ref(&first),
            LOW_NOVELTY,
            OWN_ROUNDS_BACK,
            &jaccard,
        );
        assert_eq!(new.low, ["b"]);
        assert_eq!(new.per_seat[1].nearest.as_deref(), Some("a"));
        assert_eq!(new.per_seat[0].novelty, 1.0);
        let later = novelty(
            &now,
            &[first.clone(), first],
            LOW_NOVELTY,
            OWN_ROUNDS_BACK,
            &jaccard,
        );
        assert_eq!(later.low, ["a", "b"]);
    }

    proptest! {
        #[test]
        fn scores_stay_in_range_for_any_measure(values in proptest::collection::vec(any::<f64>(), 1..9)) {
            let at = std::cell::Cell::new(0);
            let wild = |_: &str, _: &str| {
                at.set(at.get() + 1);
                values[at.get() % values.len()]
            };
            let now = [("a", "x"), ("b", "y"), ("c", "z")];
            let mut detector = Detector::new(settings(Metric::Both, true));
            let check = detector.check(2, &now, &now, Measure::Embedding, &wild).unwrap();
            prop_assert!((0.0..=1.0).contains(&check.score));
            prop_assert!((0.0..=1.0).contains(&check.inter_agent.mean));
            let new = novelty(&now, &[now.to_vec()], LOW_NOVELTY, 1, &wild);
            prop_assert!((0.0..=1.0).contains(&new.min) && new.min <= new.mean + 1e-12 && new.mean <= new.max + 1e-12);
        }
    }
}
