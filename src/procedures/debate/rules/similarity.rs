//! Similarity of texts, 0 to 1: by words ([`jaccard`]), by weighted words ([`tfidf`]), or by embeddings
//! ([`cosine`]). Scores name their measure, since scores of different measures are not comparable. Word
//! measures ignore meaning: "not" hardly counts ([`super::contradiction`]).
//!
//! Chinese has no spaces, so whole clauses would be single words and nothing would be similar. If one of two
//! texts has Chinese characters and neither has Japanese kana, runs of Chinese characters count by pairs (a
//! single character by itself).

use serde::{Deserialize, Serialize};

use super::text::{is_han, is_kana, is_word};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Measure of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Cosine of embeddings.
    Embedding,
    /// Cosine of weighted words.
    Tfidf,
    /// Shared words among all words.
    Jaccard,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// 0 (nothing in common) to 1.
    pub value: f64,
    pub measure: Measure,
}

/// Returns the fraction of shared words among all words: text between spaces including punctuation, in lower
/// case. 0 if a text is blank.
#[must_use]
pub fn jaccard(a: &str, b: &str) -> f64 {
    let chinese = is_chinese(a, b);
    let set = |text: &str| {
        let mut words = Vec::new();
        for word in text.to_lowercase().split_whitespace() {
            if chinese && word.contains(is_han) {
                add_terms(word, true, &mut words);
            } else {
                words.push(word.to_owned());
            }
        }
        words.sort();
        words.dedup();
        words
    };
    overlap(&set(a), &set(b)).unwrap_or(0.0)
}

/// Returns the fraction of shared items of two sorted lists without duplicates, or `None` if one is empty.
pub(super) fn overlap(a: &[String], b: &[String]) -> Option<f64> {
    let shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    (!a.is_empty() && !b.is_empty()).then(|| shared as f64 / (a.len() + b.len() - shared) as f64)
}

/// Returns the cosine of word counts, where words of only one text have weight ln 1.5 + 1: the formula of
/// scikit-learn's vectoriser, fitted on the two texts. Words have at least two characters. 0 if a text has no
/// words.
#[must_use]
pub fn tfidf(a: &str, b: &str) -> f64 {
    Words::of(a).likeness(&Words::of(b)).unwrap_or(0.0)
}

/// Returns the [`tfidf`] score, or [`jaccard`] if a text has no words (only single letters and punctuation).
#[must_use]
pub fn lexical(a: &str, b: &str) -> Score {
    score(Words::of(a).likeness(&Words::of(b)), a, b)
}

fn score(weighed: Option<f64>, a: &str, b: &str) -> Score {
    match weighed {
        Some(value) => Score {
            value,
            measure: Measure::Tfidf,
        },
        None => Score {
            value: jaccard(a, b),
            measure: Measure::Jaccard,
        },
    }
}

/// Cache of tokenized texts, for repeated comparisons.
#[derive(Debug, Default)]
pub struct Texts(RefCell<BTreeMap<String, Rc<Words>>>);

/// Number of texts at which the cache is cleared.
const MAX_TEXTS: usize = 1000;

impl Texts {
    /// See [`lexical`].
    #[must_use]
    pub fn lexical(&self, a: &str, b: &str) -> Score {
        score(self.words(a).likeness(&self.words(b)), a, b)
    }

    fn words(&self, text: &str) -> Rc<Words> {
        let mut known = self.0.borrow_mut();
        if let Some(words) = known.get(text) {
            return Rc::clone(words);
        }
        if known.len() >= MAX_TEXTS {
            *known = BTreeMap::new();
        }
        let words = Rc::new(Words::of(text));
        known.insert(text.to_owned(), Rc::clone(&words));
        words
    }
}

/// Word counts, sorted by the words' 64-bit hashes; collisions are negligible within a debate.
type Counts = Vec<(u64, u32)>;

#[derive(Debug)]
struct Words {
    all: Counts,
    /// With pairs of Chinese characters, if there are any.
    paired: Option<Counts>,
    has_kana: bool,
}

impl Words {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        Self {
            all: counts(&lower, false),
            paired: text.contains(is_han).then(|| counts(&lower, true)),
            has_kana: text.contains(is_kana),
        }
    }

    /// Returns the cosine of weighted words, or `None` if a text has no words.
    fn likeness(&self, other: &Self) -> Option<f64> {
        let japanese = self.has_kana || other.has_kana;
        let (a, b) = match (&self.paired, &other.paired) {
            (None, None) => (&self.all, &other.all),
            _ if japanese => (&self.all, &other.all),
            (a, b) => (a.as_ref().unwrap_or(&self.all), b.as_ref().unwrap_or(&other.all)),
        };
        if a.is_empty() || b.is_empty() {
            return None;
        }
        // Integers, so that the result does not depend on the order of the words.
        let (mut dot, mut shared_a, mut shared_b) = (0, 0, 0);
        let (mut one, mut two) = (0, 0);
        while let (Some((word, count)), Some((other, times))) = (a.get(one), b.get(two)) {
            let (count, times) = (u64::from(*count), u64::from(*times));
            if word == other {
                dot += count * times;
                shared_a += count * count;
                shared_b += times * times;
            }
            one += usize::from(word <= other);
            two += usize::from(other <= word);
        }
        // ln((1 + n) / (1 + texts with the word)) + 1 for n = 2: 1 for a shared word.
        let alone = (1.5_f64.ln() + 1.0).powi(2);
        let square = |counts: &Counts, shared: u64| {
            let all: u64 = counts.iter().map(|(_, count)| u64::from(*count).pow(2)).sum();
            (all - shared) as f64 * alone + shared as f64
        };
        Some(in_range(
            dot as f64 / (square(a, shared_a) * square(b, shared_b)).sqrt(),
        ))
    }
}

fn counts(lower: &str, chinese: bool) -> Counts {
    let mut counts = Counts::new();
    for_each_term(lower, chinese, &mut |term| {
        // FNV-1a.
        let mix = |hash: u64, c: &char| (hash ^ u64::from(*c)).wrapping_mul(0x0100_0000_01b3);
        counts.push((term.iter().fold(0xcbf2_9ce4_8422_2325, mix), 1));
    });
    counts.sort_by_key(|count| count.0);
    counts.dedup_by(|again, first| {
        let is_same = again.0 == first.0;
        first.1 += u32::from(is_same);
        is_same
    });
    counts
}

/// Returns the cosine of two vectors, at least 0, or `None` if their lengths differ or one is zero.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum() };
    let length = (dot(a, a) * dot(b, b)).sqrt();
    (a.len() == b.len() && length > 0.0 && length.is_finite()).then(|| in_range(dot(a, b) / length))
}

/// Clamps to 0 to 1; NaN becomes 0.
pub(super) fn in_range(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

fn is_chinese(a: &str, b: &str) -> bool {
    (a.contains(is_han) || b.contains(is_han)) && !a.contains(is_kana) && !b.contains(is_kana)
}

/// Returns the words of a text in lower case: runs of at least two word characters, and pairs of Chinese
/// characters (a single one by itself). For searches in any language.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    add_terms(&text.to_lowercase(), true, &mut terms);
    terms
}

/// Adds runs of at least two word characters and, if `chinese`, pairs of Chinese ones.
fn add_terms(lower: &str, chinese: bool, terms: &mut Vec<String>) {
    for_each_term(lower, chinese, &mut |term| terms.push(term.iter().collect()));
}

/// Visits the terms of [`add_terms`].
fn for_each_term(lower: &str, chinese: bool, take: &mut dyn FnMut(&[char])) {
    let kind = |c: char| match c {
        c if chinese && is_han(c) => 2,
        c => u8::from(is_word(c)),
    };
    let mut run: Vec<char> = Vec::new();
    let mut run_kind = 0;
    for c in lower.chars().chain([' ']) {
        let kind = kind(c);
        if kind != run_kind {
            match (run_kind, run.len()) {
                (1, 2..) | (2, 1) => take(&run),
                (2, _) => run.windows(2).for_each(&mut *take),
                _ => {}
            }
            run.clear();
            run_kind = kind;
        }
        if run_kind > 0 {
            run.push(c);
        }
    }
}

/// Pairwise similarities of several texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pairwise {
    /// Number of texts.
    pub texts: usize,
    /// First with second, first with third, …, second with third, …
    pub values: Vec<f64>,
    /// 1 for fewer than two texts.
    pub min: f64,
    /// 1 for fewer than two texts.
    pub mean: f64,
}

impl Pairwise {
    /// Compares all pairs; results of `similarity` are clamped to 0 to 1.
    #[must_use]
    pub fn of(texts: &[&str], similarity: &dyn Fn(&str, &str) -> f64) -> Self {
        let mut values = Vec::new();
        for (at, a) in texts.iter().enumerate() {
            for b in texts.get(at + 1..).unwrap_or_default() {
                values.push(in_range(similarity(a, b)));
            }
        }
        Self {
            texts: texts.len(),
            min: values.iter().copied().fold(1.0, f64::min),
            mean: mean(&values).unwrap_or(1.0),
            values,
        }
    }

    /// Returns the similarity of two texts, or `None` for the same or an unknown index.
    #[must_use]
    pub fn get(&self, one: usize, other: usize) -> Option<f64> {
        let (low, high) = (one.min(other), one.max(other));
        if low == high || high >= self.texts {
            return None;
        }
        // The rows of all earlier texts come first.
        let before = low * (2 * self.texts - low - 1) / 2;
        self.values.get(before + high - low - 1).copied()
    }

    /// Returns the first text with the greatest similarity to all others, or `None` without texts.
    #[must_use]
    pub fn medoid(&self) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for text in 0..self.texts {
            let sum: f64 = (0..self.texts).filter_map(|other| self.get(text, other)).sum();
            if best.is_none_or(|(_, most)| sum > most) {
                best = Some((text, sum));
            }
        }
        best.map(|(text, _)| text)
    }
}

/// Returns the mean, or `None` without values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chinese_is_compared_by_pairs() {
        let (a, b) = ("我们应该使用缓存来提高速度", "我们应该使用缓存，来提高速度。");
        assert!(tfidf(a, b) > 0.7 && jaccard(a, b) > 0.6);
        assert!((jaccard("提高税收", "降低税收") - 0.2).abs() < 1e-12);
        assert!(tfidf("我们反对提高税收", "今天天气很好") < 0.1);
        assert!(tfidf("使用Redis缓存", "使用memcached缓存") > 0.4);
        // Japanese is compared as written.
        assert_eq!(tfidf("日本語のテスト", "日本語の試験"), 0.0);
    }

    #[test]
    fn single_letters_are_compared_by_jaccard() {
        let score = lexical("x y", "x z");
        assert_eq!(score.measure, Measure::Jaccard);
        assert!((score.value - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(lexical("alpha x", "alpha").measure, Measure::Tfidf);
    }

    #[test]
    fn the_middle_text_is_the_one_most_like_all() {
        let texts = ["a b c", "a b d", "x y z", "a b d"];
        let pairs = Pairwise::of(&texts, &jaccard);
        assert_eq!(pairs.medoid(), Some(1));
        assert_eq!(pairs.get(3, 1), Some(1.0));
        assert_eq!(pairs.get(1, 1), None);
        assert_eq!(pairs.get(1, 4), None);
        assert_eq!(pairs.min, 0.0);
        assert_eq!(Pairwise::of(&["a"], &jaccard).medoid(), Some(0));
        assert_eq!(Pairwise::of(&[], &jaccard).medoid(), None);
        for one in 0..4 {
            for other in 0..4 {
                let expected = (one != other).then(|| jaccard(texts[one], texts[other]));
                assert_eq!(pairs.get(one, other), expected);
            }
        }
    }

    #[test]
    fn vectors_need_a_direction_and_one_length() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), Some(1.0));
        assert_eq!(cosine(&[1.0, 0.0], &[-1.0, 0.0]), Some(0.0));
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[f32::NAN], &[1.0]), None);
    }

    proptest! {
        #[test]
        fn symmetric_in_range_and_one_with_itself(
            a in "\\PC{0,40}|[a-d 税收增加]{0,30}", b in "\\PC{0,40}|[a-d 税收增加]{0,30}"
        ) {
            for measure in [jaccard, tfidf, |a: &str, b: &str| lexical(a, b).value] {
                let value = measure(&a, &b);
                prop_assert!((0.0..=1.0).contains(&value));
                prop_assert!((value - measure(&b, &a)).abs() < 1e-12);
            }
            let own = jaccard(&a, &a);
            prop_assert!(own == 1.0 || (own == 0.0 && lexical(&a, &a).value == 0.0));
            let texts = Texts::default();
            for _ in 0..2 {
                prop_assert_eq!(texts.lexical(&a, &b), lexical(&a, &b));
            }
            let own = tfidf(&a, &a);
            prop_assert!((own - 1.0).abs() < 1e-12 || own == 0.0);
        }
    }
}
