//! Phrases of the data files: regular expressions of whole words.
//!
//! # Syntax
//!
//! `i must? (admit|concede)`: a regular expression in which a word stands for the whole word, in lower case.
//! Spaces only separate; between words that follow each other, a text may have spaces and hyphens. `reduc*` is
//! a word that begins so, `*` any word, and `~` anything up to the end of the sentence. Chinese characters
//! match anywhere.
//!
//! Unicode classes such as `\w` take about 0.6 ms each to compile, a plain phrase 0.02 ms. Texts are prepared so
//! that phrases need none.

use super::text::{is_han, is_stop, is_word};
use crate::language::pattern::{pattern, patterns};
use regex::{Captures, Regex, RegexSet, SetMatches};
use serde::Deserialize;
use std::sync::{LazyLock, OnceLock};

/// A list of phrases, compiled on first use.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Phrases {
    phrases: Vec<Phrase>,
    all: OnceLock<RegexSet>,
    at_start: OnceLock<RegexSet>,
}

#[derive(Debug)]
struct Phrase {
    text: String,
    compiled: OnceLock<Regex>,
}

/// A text in lower case without spaces and hyphens, but with a space on both sides of each word, and a line for
/// each sentence: `Fair point. No?` is ` fair  point ` and ` no `.
#[derive(Debug)]
pub(super) struct SpacedText(String);

impl From<Vec<String>> for Phrases {
    fn from(texts: Vec<String>) -> Self {
        let phrase = |text| Phrase {
            text,
            compiled: OnceLock::new(),
        };
        Self {
            phrases: texts.into_iter().map(phrase).collect(),
            ..Self::default()
        }
    }
}

impl Phrases {
    fn expressions(&self) -> impl Iterator<Item = String> {
        self.phrases.iter().map(|phrase| expression(&phrase.text))
    }

    /// Returns which phrases a text has.
    pub(super) fn matches(&self, text: &SpacedText) -> SetMatches {
        let all = self.all.get_or_init(|| patterns(self.expressions()));
        all.matches(&text.0)
    }

    /// Returns whether a text has one of the phrases.
    pub(super) fn are_in(&self, text: &SpacedText) -> bool {
        self.matches(text).matched_any()
    }

    /// Returns whether a text begins with one of the phrases, apart from punctuation.
    pub(super) fn begin(&self, text: &SpacedText) -> bool {
        let expressions = || self.expressions().map(|one| format!("^(?:{one})"));
        let at_start = self.at_start.get_or_init(|| patterns(expressions()));
        at_start.is_match(text.0.trim_start_matches(|c| c != ' ' && !is_word(c)))
    }

    /// Counts the matches of all phrases; those of one phrase do not overlap.
    pub(super) fn count(&self, text: &SpacedText) -> usize {
        let count = |at: usize| {
            let Phrase {
                text: phrase,
                compiled,
            } = &self.phrases[at];
            let regex = compiled.get_or_init(|| pattern(&expression(phrase)));
            regex.find_iter(&text.0).count()
        };
        self.matches(text).iter().map(count).sum()
    }
}

/// Returns the regular expression of a phrase.
fn expression(phrase: &str) -> String {
    static PART: LazyLock<Regex> = LazyLock::new(|| pattern(r"[~ ]|[^ ~()|?\u{3400}-\u{9fff}]+"));
    let part = |part: &Captures<'_>| match &part[0] {
        " " => String::new(),
        "~" => ".*?".to_owned(),
        word => match word.strip_suffix('*') {
            Some(beginning) => format!("(?: {}[a-zà-ÿ0-9_']* )", regex::escape(beginning)),
            None => format!("(?: {} )", regex::escape(word)),
        },
    };
    PART.replace_all(phrase, part).into_owned()
}

impl SpacedText {
    pub(super) fn new(text: &str) -> Self {
        let lower = text.chars().flat_map(char::to_lowercase);
        let lower: Vec<char> = lower.map(|c| if c == '’' { '\'' } else { c }).collect();
        let is_letter = |at: usize| lower.get(at).is_some_and(|&c| is_word(c) && !is_han(c));
        let mut spaced = String::with_capacity(text.len() + text.len() / 2);
        let mut start = None;
        for (at, &c) in lower.iter().enumerate() {
            let is_inside = match (start, c) {
                (Some(_), '\'') => is_letter(at + 1),
                // As in "e.g.": single letters before a stop.
                (Some(start), '.') => {
                    let is_single = at == start + 1 || lower[at - 2] == '.';
                    is_single && lower[at - 1].is_alphabetic() && is_letter(at + 1)
                }
                _ => is_letter(at),
            };
            if is_inside != start.is_some() {
                spaced.push(' ');
                start = is_inside.then_some(at);
            }
            match c {
                c if is_inside => spaced.push(c),
                c if is_stop(c) => spaced.push('\n'),
                c if c != '\n' && (c.is_whitespace() || c == '-') => {}
                c => spaced.push(c),
            }
        }
        if start.is_some() {
            spaced.push(' ');
        }
        Self(spaced)
    }

    /// Returns the words, in lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').skip(1).step_by(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phrases(texts: &[&str]) -> Phrases {
        Phrases::from(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    fn has(text: &str, phrase: &str) -> bool {
        phrases(&[phrase]).are_in(&SpacedText::new(text))
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(has("I must admit: no.", "i must? (admit|concede)"));
        assert!(has("Well, I concede", "i must? (admit|concede)"));
        assert!(!has("I know", "no"));
        assert!(!has("fair. Point taken", "fair point"));
        assert!(!has("fair\nPoint taken", "fair point"));
        assert!(has("context-dependent", "context dependent"));
        assert!(has("You’re right", "(you're|you are) right"));
        assert!(has("you are right", "(you're|you are) right"));
        assert!(has("it was reduced", "reduc*"));
        assert!(has("Just as rain falls, so we pay", "just as ~ so"));
        assert!(!has("Just as rain falls. So we pay", "just as ~ so"));
        assert!(has("caches, e.g. Redis", "e.g"));
        assert!(!has("exg", "e.g"));
        assert!(has("因为下雨，所以不去", "因为~所以"));
        assert!(!has("因为下雨。所以不去", "因为~所以"));
        let text = SpacedText::new("no, no; knot, NO no");
        assert_eq!(phrases(&["no"]).count(&text), 4);
    }

    #[test]
    fn words_stand_between_spaces() {
        let spaced = SpacedText::new("Fair-point, no? E.g. it’s 使用Redis缓存 3.5'");
        assert_eq!(
            spaced.0,
            " fair  point , no \n e.g \n it's 使用 redis 缓存 3 \n 5 '"
        );
        let words: Vec<&str> = spaced.words().collect();
        assert_eq!(words, ["fair", "point", "no", "e.g", "it's", "redis", "3", "5"]);
    }

    #[test]
    fn phrases_at_the_start() {
        let begins = |text: &str| phrases(&["what is", "什么"]).begin(&SpacedText::new(text));
        assert!(begins("\"What is it?\"") && begins("什么？") && !begins("So what is it?") && !begins(""));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}|[a-c.,?! '\\-\n因为所以。]{0,40}", phrases in prop::collection::vec("[a-c因为]{1,4}( [a-c]{1,2}[?*]?){0,2}", 1..4)) {
            let spaced = SpacedText::new(&text);
            let phrases = Phrases::from(phrases);
            let found = phrases.matches(&spaced);
            prop_assert_eq!(found.matched_any(), phrases.are_in(&spaced));
            prop_assert!(phrases.count(&spaced) >= found.iter().count());
            prop_assert!(spaced.words().all(|word| !word.is_empty() && !word.contains(' ')));
        }
    }
}
