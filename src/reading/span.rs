//! Where in an answer the words stand that decided. Not for what they mean.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A part of a text: where it begins and ends, in the units of JavaScript's strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span(pub u32, pub u32);

/// Where words stand first in a text, whatever signs, blanks and capitals are in and between them. `None`: nowhere.
#[must_use]
pub fn place(text: &str, words: &str) -> Option<Span> {
    places(text, words).first().copied()
}

/// Where a part of the cleaned text stands in the text that it came of.
pub(super) fn of_clean(text: &str, clean: &str, part: Range<usize>) -> Option<Span> {
    let words = clean.get(part.clone())?;
    let before = places(clean.get(..part.start)?, words).len();
    let places = places(text, words);
    places.get(before).or(places.last()).copied()
}

fn places(text: &str, words: &str) -> Vec<Span> {
    let mut letters = String::with_capacity(text.len());
    // For each byte of the letters, where its character stands.
    let mut stands: Vec<Span> = Vec::with_capacity(text.len());
    let mut unit = 0;
    for c in text.chars() {
        let from = unit;
        unit += c.len_utf16() as u32;
        if c.is_alphanumeric() {
            letters.extend(c.to_lowercase());
            stands.resize(letters.len(), Span(from, unit));
        }
    }
    let words: String = words
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if words.is_empty() {
        return Vec::new();
    }
    // Chinese has no blanks between words.
    let joins = |c: Option<char>| c.is_some_and(|c| c < '\u{2e80}');
    let is_within = |at: usize| {
        let (before, after) = letters.split_at(at);
        let touch = at > 0 && stands.get(at).is_some_and(|next| stands[at - 1].1 == next.0);
        touch && joins(before.chars().next_back()) && joins(after.chars().next())
    };
    let found = letters
        .match_indices(&words)
        .map(|(at, _)| (at, at + words.len()));
    found
        .filter(|(from, to)| !is_within(*from) && !is_within(*to))
        .map(|(from, to)| Span(stands[from].0, stands[to - 1].1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<'t>(text: &'t str, words: &str) -> Option<&'t str> {
        let Span(from, to) = place(text, words)?;
        text.get(from as usize..to as usize)
    }

    #[test]
    fn words_are_found_whatever_stands_between_them() {
        assert_eq!(
            said("Well. I pick **Principle 3**!", "i pick principle 3"),
            Some("I pick **Principle 3")
        );
        assert_eq!(said("thirteen, 13, 3", "3"), Some("3"));
        assert_eq!(place("好的，我选第三个。", "我选第三个"), Some(Span(3, 8)));
        assert_eq!(place("🙂 yes", "yes"), Some(Span(3, 6)));
        assert_eq!(place("yes", "no"), None);
        assert_eq!(place("yes", "…"), None);
    }

    #[test]
    fn of_several_places_the_one_behind_as_many() {
        let (text, clean) = ("No. Not 2. I say 2.", "no. not 2. i say 2.");
        assert_eq!(of_clean(text, clean, 17..18), Some(Span(17, 18)));
        assert_eq!(of_clean(text, clean, 8..9), Some(Span(8, 9)));
    }
}
