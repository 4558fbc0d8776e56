//! Finds words and phrases out of a list in a folded text: at every place the longest. Knows no
//! meanings.

use crate::sorted::sort_few;

/// A list of phrases, ready to be looked for.
pub(super) struct Phrases {
    /// By first byte, longer ones first: the phrase and its place in the list.
    by_first: Vec<Vec<(&'static str, usize)>>,
}

/// A phrase in a text, from byte `start` to byte `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Place of the phrase in its list.
    pub(super) index: usize,
}

impl Phrases {
    /// Phrases in ASCII stand for whole words, others for themselves anywhere. One that ends in `segur`
    /// is a stem, with the endings -o, -a, -os, -as.
    pub(super) fn new(phrases: impl Iterator<Item = &'static str>) -> Self {
        let mut by_first = vec![Vec::new(); 256];
        for (index, phrase) in phrases.enumerate() {
            if let Some(first) = phrase.bytes().next() {
                by_first[usize::from(first)].push((phrase, index));
            }
        }
        for bucket in &mut by_first {
            sort_few(bucket, |a: &(&str, usize), b| a.0.len() > b.0.len());
        }
        Self { by_first }
    }

    /// The first phrase in a text.
    pub(super) fn find(&self, text: &str) -> Option<Found> {
        self.find_from(text, 0)
    }

    /// All phrases in a text, none overlapping another.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Found> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.find_from(text, from)?;
            from = found.end;
            Some(found)
        })
    }

    fn find_from(&self, text: &str, from: usize) -> Option<Found> {
        let bytes = text.as_bytes();
        for (start, first) in bytes.iter().enumerate().skip(from) {
            let bucket = &self.by_first[usize::from(*first)];
            if bucket.is_empty() || (first.is_ascii() && start > 0 && is_word(bytes[start - 1])) {
                continue;
            }
            for (phrase, index) in bucket {
                if let Some(end) = end_of(bytes, start, phrase) {
                    return Some(Found {
                        start,
                        end,
                        index: *index,
                    });
                }
            }
        }
        None
    }
}

/// Where the phrase ends that begins at `start`, if it does.
fn end_of(text: &[u8], start: usize, phrase: &str) -> Option<usize> {
    let mut end = start + phrase.len();
    if text.get(start..end)? != phrase.as_bytes() {
        return None;
    }
    if !phrase.is_ascii() {
        return Some(end);
    }
    if phrase.ends_with("segur") {
        let ending = text.get(end).filter(|letter| matches!(letter, b'o' | b'a'));
        ending?;
        end += 1 + usize::from(text.get(end + 1) == Some(&b's'));
    }
    let ends_word = text.get(end).is_none_or(|byte| !is_word(*byte));
    ends_word.then_some(end)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_whole_words_at_every_place() {
        let phrases = Phrases::new(["sure", "very sure", "muy segur", "segur", "确定", "不确定"].into_iter());
        let found = |text: &'static str| -> Vec<&str> {
            phrases
                .find_all(text)
                .map(|found| &text[found.start..found.end])
                .collect()
        };
        assert_eq!(found("very sure, unsure, sure."), ["very sure", "sure"]);
        assert_eq!(
            found("muy seguras y seguro; seguridad"),
            ["muy seguras", "seguro"]
        );
        assert_eq!(found("我不确定，确定"), ["不确定", "确定"]);
        assert_eq!(found("é sure_thing sureé"), ["sure"]);
        assert_eq!(phrases.find("nothing"), None);
    }
}
