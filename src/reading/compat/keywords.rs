//! The published program's keyword scores: tables and arithmetic, as they were.

use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use crate::principle::Principle;

/// What the scores say about a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeywordMatch {
    /// The language that the program took the text for.
    pub detected: Language,
    /// The best principle, if its score reaches 0.3.
    pub principle: Option<Principle>,
    /// The best score, 0 to 1.
    pub confidence: f64,
}

/// The lowest score that counts.
const THRESHOLD: f64 = 0.3;

/// Words of the principles by number and category, those of agreement, and those that made a text one of the language.
pub(super) static LISTS: Files<Lists> = in_each_language!("words");

/// The keys of the categories, in the order of [`Principle::ALL`].
const KEYS: [[&str; 5]; 4] = [
    [
        "1.primary",
        "1.descriptive",
        "1.phrases",
        "1.constraints",
        "1.negatives",
    ],
    [
        "2.primary",
        "2.descriptive",
        "2.phrases",
        "2.constraints",
        "2.negatives",
    ],
    [
        "3.primary",
        "3.descriptive",
        "3.phrases",
        "3.constraints",
        "3.negatives",
    ],
    [
        "4.primary",
        "4.descriptive",
        "4.phrases",
        "4.constraints",
        "4.negatives",
    ],
];

/// What a hit of each category weighs.
const WEIGHTS: [f64; 5] = [1.0, 0.8, 1.2, 3.0, -0.5];

/// Scores a text; ties go to the lower number.
#[must_use]
pub fn keyword_match(text: &str) -> KeywordMatch {
    let text = text.trim().to_lowercase();
    let detected = detect(&text);
    let mut best: (Option<Principle>, f64) = (None, 0.0);
    for (keys, principle) in KEYS.into_iter().zip(Principle::ALL) {
        let score = score(keys.map(|key| LISTS.list(detected, key)), &text);
        if score > best.1 {
            best = (Some(principle), score);
        }
    }
    KeywordMatch {
        detected,
        principle: best.0.filter(|_| best.1 >= THRESHOLD),
        confidence: best.1,
    }
}

fn detect(lower: &str) -> Language {
    if lower.contains(|c| matches!(c, '\u{4e00}'..='\u{9fff}')) {
        Language::Mandarin
    } else if LISTS
        .list(Language::Spanish, "signs")
        .iter()
        .any(|sign| lower.contains(sign))
    {
        Language::Spanish
    } else {
        Language::English
    }
}

/// The weights of the categories with a hit, over the weights of all.
fn score(categories: [&[&str]; 5], lower: &str) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    let categories = categories.into_iter().zip(WEIGHTS);
    for (words, weight) in categories.filter(|category| !category.0.is_empty()) {
        all += f64::abs(weight);
        if words.iter().any(|word| lower.contains(word)) {
            sum += weight;
        }
    }
    (sum / all).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::keyword_match;
    use crate::language::Language;
    use crate::principle::Principle;

    #[test]
    fn scores_are_shares_of_the_weights() {
        let floor = keyword_match("The minimum");
        assert_eq!((floor.principle, floor.detected), (None, Language::English));
        assert!((floor.confidence - 1.0 / 3.5).abs() < 1e-9);
        let gap = keyword_match("a gap of my choosing");
        assert_eq!(gap.principle, Some(Principle::RangeConstraint));
        assert!((gap.confidence - 0.5).abs() < 1e-9);
        assert_eq!(keyword_match("el ingreso").detected, Language::Spanish);
        assert_eq!(
            keyword_match("保证最低 promedio").principle,
            Some(Principle::FloorConstraint)
        );
    }
}
