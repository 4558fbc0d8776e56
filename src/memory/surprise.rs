//! Surprise of a conclusion relative to what was known and to recent surprises, measured by its words.
//!
//! Source: A21 of the debate's design.

use super::words::shared;
use crate::procedures::debate::rules::similarity::terms;

/// Conclusions below this are routine.
pub const THRESHOLD: f64 = 0.3;
/// Number of recent conclusions that count for momentum.
const TOPICS: usize = 20;
/// Number of recent scores that count for momentum.
const SCORES: usize = 10;
/// Number of words stored per conclusion for momentum.
const WORDS: usize = 10;

/// Surprise of a conclusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContentSurprise {
    /// Share of the conclusion that was not known, 0 to 1.
    pub novelty: f64,
    /// Closeness to recent surprises, 0 to 1; 0.5 without history.
    pub momentum: f64,
    /// Weighted mean of both, 0 to 1.
    pub combined: f64,
}

impl ContentSurprise {
    /// Returns `true` if the conclusion is more than routine.
    #[must_use]
    pub fn is_notable(&self) -> bool {
        self.combined >= THRESHOLD
    }
}

/// History of recent surprises. Feed it in chronological order.
#[derive(Debug, Clone, Default)]
pub struct Surprises {
    topics: Vec<Vec<String>>,
    scores: Vec<f64>,
}

impl Surprises {
    /// Scores a conclusion and adds it to the history. `known`: earlier conclusions on the topic. A
    /// conclusion without words scores 0.
    pub fn score(&mut self, conclusion: &str, known: &[&str], confidence: f64) -> ContentSurprise {
        let words = keywords(&[conclusion]);
        if words.is_empty() {
            return ContentSurprise {
                novelty: 0.0,
                momentum: 0.0,
                combined: 0.0,
            };
        }
        let overlap = shared(&words, &keywords(known)) as f64 / words.len() as f64;
        let base = 1.0 - overlap;
        let momentum = self.momentum(&words);
        self.topics.push(words.into_iter().take(WORDS).collect());
        self.scores.push(rounded(weighted(base, momentum)));
        let bonus = if known.is_empty() {
            0.2
        } else if confidence >= 0.9 && base > 0.4 {
            0.1
        } else {
            0.0
        };
        let (novelty, momentum) = (rounded((rounded(base) + bonus).min(1.0)), rounded(momentum));
        ContentSurprise {
            novelty,
            momentum,
            combined: rounded(weighted(novelty, momentum)),
        }
    }

    fn momentum(&self, words: &[String]) -> f64 {
        let recent = self.topics.len().saturating_sub(TOPICS);
        let mut topics: Vec<String> = self.topics[recent..].concat();
        if topics.is_empty() {
            return 0.5;
        }
        topics.sort();
        let scores = &self.scores[self.scores.len().saturating_sub(SCORES)..];
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        let related = shared(words, &topics) as f64 / words.len() as f64;
        (0.6 * related + 0.4 * mean).min(1.0)
    }
}

fn weighted(novelty: f64, momentum: f64) -> f64 {
    0.7 * novelty + 0.3 * momentum
}

/// Rounds to four decimal places.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Extracts runs of three or more letters and pairs of Chinese characters, sorted and deduplicated.
fn keywords(texts: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for text in texts {
        for term in terms(text) {
            let is_pair = term.chars().any(|c| c >= '\u{2e80}');
            let runs = term.split(|c: char| !c.is_alphabetic());
            found.extend(
                runs.filter(|run| is_pair && !run.is_empty() || run.chars().count() >= 3)
                    .map(str::to_owned),
            );
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_conclusions_are_not_surprising() {
        let mut history = Surprises::default();
        let first = history.score("close the centre to cars", &[], 0.9);
        assert_eq!((first.novelty, first.momentum), (1.0, 0.5));
        let again = history.score("close the centre to cars", &["close the centre to cars"], 0.9);
        assert_eq!(again.novelty, 0.0);
        assert!(again.momentum > 0.9);
        let chinese = history.score("禁止私家车", &["禁止私家车进入"], 0.5);
        assert_eq!(chinese.novelty, 0.0);
        assert!(!history.score("7 % - 8 %", &[], 1.0).is_notable());
    }

    proptest! {
        #[test]
        fn scores_are_from_0_to_1(texts in proptest::collection::vec("\\PC{0,30}", 0..8), known in "\\PC{0,30}", sure in 0.0..=1.0f64) {
            let mut history = Surprises::default();
            for text in &texts {
                let found = history.score(text, &[&known], sure);
                for part in [found.novelty, found.momentum, found.combined] {
                    prop_assert!((0.0..=1.0).contains(&part));
                }
            }
        }
    }
}
