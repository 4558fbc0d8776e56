//! Topic words of a text, without the stop words of all languages, for comparing topics; Chinese is compared by
//! pairs of characters.

use crate::core::ask::Millis;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use crate::procedures::debate::rules::similarity::terms;

/// `stop_words`: words that say nothing about a topic.
static LISTS: Files<Lists> = in_each_language!("words/topics");

/// Returns the words of a text without stop words, sorted and deduplicated; all words if only stop words are
/// left.
pub(super) fn topic_words(text: &str) -> Vec<String> {
    let mut words = terms(text);
    words.sort();
    words.dedup();
    let lists = Language::ALL.map(|language| LISTS.of(language));
    let stops: Vec<&str> = lists
        .iter()
        .filter_map(|lists| lists.get("stop_words"))
        .flatten()
        .copied()
        .collect();
    let rest: Vec<String> = words
        .iter()
        .filter(|word| !stops.contains(&word.as_str()))
        .cloned()
        .collect();
    if rest.is_empty() { words } else { rest }
}

/// Counts the topic words of a question that a text contains, in the singular or the plural.
#[must_use]
pub fn words_about(question: &str, text: &str) -> usize {
    let found = topic_words(text);
    let is_found = |word: &&String| found.iter().any(|other| is_same_word(word, other));
    topic_words(question).iter().filter(is_found).count()
}

/// Compares words without regard to short endings: "car" and "cars", "school" and "schooling".
fn is_same_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let letters = short.chars().count();
    let ending = long.strip_prefix(short).map(|ending| ending.chars().count());
    match ending {
        Some(0) => true,
        Some(1) => letters >= 3,
        Some(2 | 3) => letters >= 4,
        _ => false,
    }
}

/// Counts the words that two sorted lists share.
pub(super) fn shared(a: &[String], b: &[String]) -> usize {
    a.iter().filter(|word| b.binary_search(word).is_ok()).count()
}

/// Counts the words that two topics share; 0 if that is at most a third of the shorter one, because one
/// common word does not make a common topic.
pub(super) fn on_topic(a: &[String], b: &[String]) -> usize {
    let shared = shared(a, b);
    if shared * 3 > a.len().min(b.len()) {
        shared
    } else {
        0
    }
}

/// Returns the Jaccard index of two sorted lists, 0 to 1; 0 if both are empty.
pub(super) fn likeness(a: &[String], b: &[String]) -> f64 {
    let shared = shared(a, b);
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// Trims a text and shortens it to `most` characters, with `…` at the cut.
#[must_use]
pub(super) fn cut(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Estimates the number of tokens: four characters make one, a Chinese character one by itself.
#[must_use]
pub(super) fn tokens(text: &str) -> usize {
    let wide = text.chars().filter(|c| *c >= '\u{2e80}').count();
    (text.chars().count() - wide).div_ceil(4) + wide
}

/// Returns the hours between two moments; 0 if `to` is not later.
#[must_use]
pub(super) fn hours(from: Millis, to: Millis) -> f64 {
    to.saturating_sub(from) as f64 / super::tiers::HOUR as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_compared_without_stop_words() {
        assert_eq!(topic_words("Should we shard the Cache?"), ["cache", "shard"]);
        assert_eq!(topic_words("Should we?"), ["should", "we"]);
        assert_eq!(
            likeness(
                &topic_words("¿Deberíamos cerrar el centro?"),
                &topic_words("Cerrar el centro")
            ),
            1.0
        );
        assert!(likeness(&topic_words("城市应该禁止私家车吗？"), &topic_words("禁止私家车")) > 0.4);
        assert_eq!(likeness(&[], &[]), 0.0);
        let cars = topic_words("Should cars be banned in the centre?");
        assert_eq!(
            on_topic(&cars, &topic_words("Should phones be banned at schools?")),
            0
        );
        assert_eq!(
            on_topic(&cars, &topic_words("Should the centre be closed to cars?")),
            2
        );
    }

    #[test]
    fn cuts_by_characters() {
        assert_eq!(cut("北京大学", 3), "北京…");
        assert_eq!(cut(" abc ", 3), "abc");
        assert_eq!(cut("abc", 0), "…");
        assert_eq!((tokens("abcde"), tokens("北京"), tokens("")), (2, 2, 0));
    }
}
