//! A table of words that each line of an answer is looked up in: found by how they begin or end, so that a line is
//! compared with the few that it may hold.

use super::token::{entries, heads};
use std::sync::OnceLock;

/// Words, of one table or of a key of the lexicons in all languages.
pub(super) struct Table {
    source: Source,
    read: OnceLock<Read>,
}

enum Source {
    Words(&'static str),
    Key(&'static str),
}

/// The words by their first and by their last byte, those that have it in common as they are listed.
struct Read {
    by_first: Vec<&'static str>,
    by_last: Vec<&'static str>,
}

impl Table {
    /// The words of a table, `a|b|c`.
    pub(super) const fn words(words: &'static str) -> Self {
        Self::of(Source::Words(words))
    }

    /// The words of a key of the lexicons.
    pub(super) const fn heads(key: &'static str) -> Self {
        Self::of(Source::Key(key))
    }

    const fn of(source: Source) -> Self {
        let read = OnceLock::new();
        Self { source, read }
    }

    fn read(&self) -> &Read {
        self.read.get_or_init(|| {
            let all: Vec<&'static str> = match self.source {
                Source::Words(words) => entries(words).collect(),
                Source::Key(key) => heads(key).collect(),
            };
            Read {
                by_first: sorted(all.clone(), first),
                by_last: sorted(all, last),
            }
        })
    }

    /// Those that begin with the first byte of a text.
    pub(super) fn like_first(&self, text: &str) -> impl Iterator<Item = &'static str> + use<'_> {
        alike(&self.read().by_first, first, text)
    }

    /// Those that end with the last byte of a text.
    pub(super) fn like_last(&self, text: &str) -> impl Iterator<Item = &'static str> + use<'_> {
        alike(&self.read().by_last, last, text)
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        self.like_first(word).any(|one| one == word)
    }

    /// Whether one of them stands somewhere in a text.
    pub(super) fn is_within(&self, text: &str) -> bool {
        // Most have a letter that the text has not, which is seen sooner.
        let mut there = [false; 256];
        text.bytes().for_each(|byte| there[usize::from(byte)] = true);
        let may = |word: &str| word.bytes().all(|byte| there[usize::from(byte)]);
        let words = self.read().by_first.iter();
        words.filter(|word| may(word)).any(|word| text.contains(word))
    }

    /// What follows the first of them that a text begins with.
    pub(super) fn after<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.like_first(text).find_map(|word| text.strip_prefix(word))
    }
}

type End = fn(&str) -> Option<&u8>;

fn first(word: &str) -> Option<&u8> {
    word.as_bytes().first()
}

fn last(word: &str) -> Option<&u8> {
    word.as_bytes().last()
}

fn sorted(mut words: Vec<&'static str>, end: End) -> Vec<&'static str> {
    words.sort_by_key(|word| end(word));
    words
}

fn alike<'a>(
    words: &'a [&'static str],
    end: End,
    text: &str,
) -> impl Iterator<Item = &'static str> + use<'a> {
    let from = words.partition_point(|word| end(word) < end(text));
    let words = words.get(from..).unwrap_or_default().iter().copied();
    let end_of_text = end(text).copied();
    words.take_while(move |word| end(word).copied() == end_of_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_either_end() {
        let table = Table::words("no|none|nothing at all|其他|any|not");
        for word in ["no", "none", "nothing at all", "其他", "any", "not"] {
            assert!(table.has(word), "{word}");
        }
        for other in ["", "n", "non", "all", "其", "anything"] {
            assert!(!table.has(other), "{other}");
        }
        assert_eq!(table.after("nothing at all of it"), Some("thing at all of it"));
        assert_eq!(table.after("其他的"), Some("的"));
        assert_eq!(table.after(""), None);
        assert!(table.is_within("so nothing at allow") && !table.is_within("so is he, in"));
        let ends: Vec<&str> = table.like_last("what").collect();
        assert_eq!(ends, ["not"]);
    }

    #[test]
    fn words_of_a_key_are_those_of_all_languages() {
        let table = Table::heads("none first");
        assert!(heads("none first").all(|word| table.has(word)));
    }
}
