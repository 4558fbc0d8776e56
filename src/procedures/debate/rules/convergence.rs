//! Whether the proposals of a debate have become one: how alike they are to each other and to what the
//! same seat said a round before, what follows from that for the state of the debate, and how new a
//! proposal is. How alike two texts are is measured elsewhere ([`super::similarity`]).
//!
//! Proposals are pairs of a seat and its text, in the order of the roster.

use serde::{Deserialize, Serialize};

use super::similarity::{Measure, Pairwise, in_range, mean};

/// A seat and its proposal.
pub type Proposal<'a> = (&'a str, &'a str);

/// What decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The least likeness between two proposals.
    #[default]
    InterAgent,
    /// The least likeness of a proposal to the one before it of the same seat.
    SelfStability,
    /// The lesser of the two.
    Both,
}

/// When a debate has converged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// From this score on proposals are one.
    pub convergence: f64,
    /// Below this score they drift apart.
    pub divergence: f64,
    /// Whether the score must exceed `convergence` (the nine-round schedule) or may equal it (classic).
    pub strict: bool,
    /// Rounds up to this one are not checked.
    pub min_rounds: u32,
    /// How many checks in a row must find the proposals one.
    pub consecutive: u32,
    /// What decides.
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
    /// Whether a score is high enough.
    #[must_use]
    pub fn reached(&self, score: f64) -> bool {
        score > self.convergence || (!self.strict && score >= self.convergence)
    }
}

/// Where a debate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceStatus {
    /// The proposals are one.
    Converged,
    /// They are near each other, or have been one for too short.
    Refining,
    /// They drift apart.
    Diverging,
}

/// How much seats stayed with what they said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// By seat, in the order of the current proposals: likeness to its earlier proposal.
    pub per_seat: Vec<(String, f64)>,
    /// The least.
    pub min: f64,
    /// The mean.
    pub mean: f64,
}

/// Compares each proposal with the one that the same seat made before. `None` where no seat made both.
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

/// What a check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The round.
    pub round: u32,
    /// Where the debate stands.
    pub status: ConvergenceStatus,
    /// The score that decided.
    pub score: f64,
    /// What the scores were measured with.
    pub measure: Measure,
    /// How alike the proposals are to each other.
    pub inter_agent: Pairwise,
    /// How alike they are to those before.
    pub self_stability: Option<Stability>,
    /// How many checks in a row have found the proposals one.
    pub stable: u32,
}

/// Follows a debate from check to check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detector {
    /// When it has converged.
    pub settings: Settings,
    stable: u32,
}

impl Detector {
    /// Before the first check.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, stable: 0 }
    }

    /// Measures the proposals of a round, those of the round before being the baseline. `None` in a
    /// round too early, or where the score that decides cannot be had: fewer than two proposals, or no
    /// seat with an earlier one.
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

    /// The state after a score.
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

/// Whether texts of one round are all at least as alike as `threshold`, with the least and the mean
/// over all pairs; fewer than two texts are.
#[must_use]
pub fn within_round(
    texts: &[&str],
    threshold: f64,
    similarity: &dyn Fn(&str, &str) -> f64,
) -> (bool, Pairwise) {
    let pairs = Pairwise::of(texts, similarity);
    (pairs.min >= threshold, pairs)
}

/// How new a proposal is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatNovelty {
    /// Whose it is.
    pub seat: String,
    /// 1 − the greatest likeness to an earlier proposal; 1 where there is none to compare with.
    pub novelty: f64,
    /// Whose earlier proposal it is most like.
    pub nearest: Option<String>,
}

/// How new the proposals of a round are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Novelty {
    /// By seat, in the order of the proposals.
    pub per_seat: Vec<SeatNovelty>,
    /// The mean; 1 of no proposals.
    pub mean: f64,
    /// The least; 1 of no proposals.
    pub min: f64,
    /// The greatest; 1 of no proposals.
    pub max: f64,
    /// Seats below the threshold.
    pub low: Vec<String>,
}

/// What counts as hardly new.
pub const LOW_NOVELTY: f64 = 0.15;

/// How many rounds back a seat's own proposals count against it. In a debate that converges everyone
/// repeats himself, so that counting the round before would always ask for something new.
pub const OWN_ROUNDS_BACK: usize = 2;

/// Compares each proposal with those of all earlier rounds (the oldest first), with its own only from
/// `own_rounds_back` rounds back on (1 counts all; [`OWN_ROUNDS_BACK`]).
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
    fn what_decides_is_chosen() {
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
    fn ones_own_last_words_are_no_lack_of_novelty() {
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
        fn scores_stay_in_range_whatever_the_measure_says(values in proptest::collection::vec(any::<f64>(), 1..9)) {
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
