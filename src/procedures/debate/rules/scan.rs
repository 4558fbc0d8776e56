//! Reads a text as characters, words and sentences, and looks for phrases in it. Shared by the
//! measures of a debate; knows no phrases and no meanings itself.
//!
//! Positions are counted in characters. Text in Chinese characters has no spaces: there a character
//! belongs to no word, and phrases in Chinese are looked for wherever they stand.
//!
//! # How phrases are written
//!
//! A phrase is a row of slots with spaces between: `i must? admit|concede`. A slot is a word or
//! alternatives with `|`; `?` makes it optional, `*` after an alternative lets the word go on
//! (`reduc*`), `_` joins the words of an alternative (`you_are`), `~` stands for up to thirty words of
//! the same sentence. Between the words of a text that follow each other may be spaces and hyphens
//! only. A phrase with a Chinese character has slots that follow each other anywhere in one sentence.

/// What stands between a word and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// Spaces and hyphens.
    Joined,
    /// Other signs, but the sentence goes on.
    Apart,
    /// The end of a sentence.
    Sentence,
}

/// A word, in lower case.
#[derive(Debug)]
struct Word {
    text: String,
    end: usize,
    start: usize,
    gap: Gap,
}

/// From one character to before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A text, read.
#[derive(Debug)]
pub(super) struct Scan {
    /// As it is.
    pub(super) chars: Vec<char>,
    /// The same in lower case, a character for each.
    pub(super) lower: Vec<char>,
    words: Vec<Word>,
}

/// Up to how many words `~` passes over.
const FAR: usize = 30;

/// Whether a character is a Chinese one (as Japanese uses them, too).
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether a character is part of Japanese syllabic writing.
pub(super) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}

/// Letters, digits and the underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？')
}

fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？')
}

/// The text in a length that compares Chinese with other writing: a Chinese character says about as
/// much as three letters.
pub(super) fn width(chars: &[char]) -> usize {
    chars.iter().map(|&c| if is_han(c) { 3 } else { 1 }).sum()
}

impl Scan {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let lower = chars
            .iter()
            .map(|&c| match c {
                '’' => '\'',
                c => c.to_lowercase().next().unwrap_or(c),
            })
            .collect();
        let mut scan = Self {
            chars,
            lower,
            words: Vec::new(),
        };
        scan.split_words();
        scan
    }

    fn split_words(&mut self) {
        let lower = &self.lower;
        let letter = |at: usize| lower.get(at).is_some_and(|&c| is_word(c) && !is_han(c));
        let (mut at, mut gap) = (0, Gap::Sentence);
        while at < lower.len() {
            if !letter(at) {
                gap = match lower[at] {
                    c if is_stop(c) || c == '\n' => Gap::Sentence,
                    c if c.is_whitespace() || c == '-' => gap,
                    _ if gap == Gap::Sentence => gap,
                    _ => Gap::Apart,
                };
                at += 1;
                continue;
            }
            let start = at;
            let mut piece = at;
            while at < lower.len() {
                let inside = match lower[at] {
                    '\'' => letter(at + 1),
                    // As in "e.g.": single letters before a stop.
                    '.' => at == piece + 1 && lower[piece].is_alphabetic() && letter(at + 1),
                    _ => letter(at),
                };
                if !inside {
                    break;
                }
                if lower[at] == '.' {
                    piece = at + 1;
                }
                at += 1;
            }
            self.words.push(Word {
                text: lower[start..at].iter().collect(),
                start,
                end: at,
                gap,
            });
            gap = Gap::Joined;
        }
    }

    /// The text of a part.
    pub(super) fn text(&self, span: Span) -> String {
        self.chars[span.start..span.end].iter().collect()
    }

    /// A part without the spaces around it.
    pub(super) fn trimmed(&self, span: Span) -> Span {
        let part = &self.chars[span.start..span.end];
        let before = part.iter().take_while(|c| c.is_whitespace()).count();
        let after = part[before..]
            .iter()
            .rev()
            .take_while(|c| c.is_whitespace())
            .count();
        Span {
            start: span.start + before,
            end: span.end - after,
        }
    }

    /// What stands between runs of `.`, `!`, `?` and their Chinese forms, spaces and all. A point in a
    /// number ends a sentence here.
    pub(super) fn pieces(&self) -> Vec<Span> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for (at, &c) in self.chars.iter().enumerate() {
            if is_stop(c) {
                pieces.push(Span { start, end: at });
                start = at + 1;
            }
        }
        pieces.push(Span {
            start,
            end: self.chars.len(),
        });
        pieces.retain(|span| span.end > span.start);
        pieces
    }

    /// Sentences with their stops, without the spaces around them. One ends where a space follows a
    /// stop, or with a Chinese stop.
    pub(super) fn sentences(&self) -> Vec<Span> {
        let mut sentences = Vec::new();
        let mut start = 0;
        for (at, &c) in self.chars.iter().enumerate() {
            let next = self.chars.get(at + 1);
            let ends = match next {
                None => true,
                Some(next) if is_wide_stop(c) => !is_stop(*next),
                Some(next) => is_stop(c) && next.is_whitespace(),
            };
            if ends {
                sentences.push(self.trimmed(Span { start, end: at + 1 }));
                start = at + 1;
            }
        }
        sentences.retain(|span| span.end > span.start);
        sentences
    }

    /// About how many words there are: words between spaces, and one for two Chinese characters.
    pub(super) fn word_count(&self) -> usize {
        let (mut han, mut words, mut in_word) = (0, 0, false);
        for &c in &self.chars {
            han += usize::from(is_han(c));
            let other = !c.is_whitespace() && !is_han(c);
            words += usize::from(other && !in_word);
            in_word = other;
        }
        words + han.div_ceil(2)
    }

    /// The words, in lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// Whether the text has a phrase.
    pub(super) fn has(&self, phrase: &str) -> bool {
        self.find(phrase, 0).is_some()
    }

    /// How often the text has a phrase, none overlapping another.
    pub(super) fn count(&self, phrase: &str) -> usize {
        let (mut from, mut count) = (0, 0);
        while let Some(span) = self.find(phrase, from) {
            from = span.end.max(from + 1);
            count += 1;
        }
        count
    }

    /// How many of some phrases the text has.
    pub(super) fn how_many(&self, phrases: &[&str]) -> usize {
        phrases.iter().filter(|phrase| self.has(phrase)).count()
    }

    /// How often the text has any of some phrases, all counted.
    pub(super) fn count_all(&self, phrases: &[&str]) -> usize {
        phrases.iter().map(|phrase| self.count(phrase)).sum()
    }

    /// Whether the text has one of some phrases.
    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// Whether the text begins with one of some phrases.
    pub(super) fn begins(&self, phrases: &[&str]) -> bool {
        let first = self.chars.iter().take_while(|c| !is_word(**c)).count();
        let starts = |phrase: &&str| self.find(phrase, 0).is_some_and(|span| span.start == first);
        phrases.iter().any(starts)
    }

    /// The first place of a phrase from a character on.
    pub(super) fn find(&self, phrase: &str, from: usize) -> Option<Span> {
        if phrase.chars().any(is_han) {
            return self.find_han(phrase, from);
        }
        let slots: Vec<&str> = phrase.split(' ').collect();
        let first = self.words.partition_point(|word| word.start < from);
        (first..self.words.len()).find_map(|at| {
            let after = self.matched(&slots, at, true)?;
            let last = self.words.get(after.checked_sub(1)?)?;
            Some(Span {
                start: self.words[at].start,
                end: last.end,
            })
        })
    }

    /// The word after the slots, if they match from the word at `at` on.
    fn matched(&self, slots: &[&str], at: usize, fresh: bool) -> Option<usize> {
        let Some((slot, rest)) = slots.split_first() else {
            return Some(at);
        };
        if *slot == "~" {
            let reach = self.words.len().min(at + FAR);
            return (at..reach)
                .take_while(|&next| self.words[next].gap != Gap::Sentence)
                .find_map(|next| self.matched(rest, next, true));
        }
        let (names, optional) = match slot.strip_suffix('?') {
            Some(names) => (names, true),
            None => (*slot, false),
        };
        let with = names.split('|').find_map(|name| {
            let mut next = at;
            for part in name.split('_') {
                let word = self.words.get(next)?;
                let follows = (fresh && next == at) || word.gap == Gap::Joined;
                let fits = match part.strip_suffix('*') {
                    Some(stem) => word.text.starts_with(stem),
                    None => word.text == part,
                };
                if !(follows && fits) {
                    return None;
                }
                next += 1;
            }
            self.matched(rest, next, false)
        });
        with.or_else(|| optional.then(|| self.matched(rest, at, fresh))?)
    }

    fn find_han(&self, phrase: &str, from: usize) -> Option<Span> {
        let mut slots = phrase.split(' ');
        let first = slots.next()?;
        let rest: Vec<&str> = slots.collect();
        let mut at = from;
        loop {
            let span = self.first_of(first, at, self.lower.len())?;
            let stop = self.lower[span.end..].iter().position(|&c| is_stop(c));
            let end = stop.map_or(self.lower.len(), |more| span.end + more);
            let mut last = span.end;
            let all = rest.iter().all(|slot| match self.first_of(slot, last, end) {
                Some(found) => {
                    last = found.end;
                    true
                }
                None => false,
            });
            if all {
                return Some(Span {
                    start: span.start,
                    end: last,
                });
            }
            // What follows is missing up to the end of this sentence.
            at = end.max(span.end);
        }
    }

    /// The first of alternatives between two characters.
    fn first_of(&self, alternatives: &str, from: usize, to: usize) -> Option<Span> {
        let names: Vec<Vec<char>> = alternatives
            .split('|')
            .map(|name| name.chars().collect())
            .collect();
        (from..to).find_map(|start| {
            let part = &self.lower[start..to];
            let name = names
                .iter()
                .find(|name| !name.is_empty() && part.starts_with(name))?;
            Some(Span {
                start,
                end: start + name.len(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn has(text: &str, phrase: &str) -> bool {
        Scan::new(text).has(phrase)
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(has("I must admit: no.", "i must? admit|concede"));
        assert!(has("Well, I concede", "i must? admit|concede"));
        assert!(!has("I know", "no"));
        assert!(!has("fair. Point taken", "fair point"));
        assert!(has("context-dependent", "context dependent"));
        assert!(has("You’re right", "you're|you_are right"));
        assert!(has("you are right", "you're|you_are right"));
        assert!(has("it was reduced", "reduc*"));
        assert!(has("Just as rain falls, so we pay", "just as ~ so"));
        assert!(!has("Just as rain falls. So we pay", "just as ~ so"));
        assert!(has("caches, e.g. Redis", "e.g"));
        assert!(has("因为下雨，所以不去", "因为 所以"));
        assert!(!has("因为下雨。所以不去", "因为 所以"));
        assert_eq!(Scan::new("no, no; knot, NO").count("no"), 3);
    }

    #[test]
    fn sentences_and_pieces() {
        let scan = Scan::new("It is 3.5 s. Why?  好。不好！ x");
        let all = |spans: Vec<Span>| spans.iter().map(|&span| scan.text(span)).collect::<Vec<_>>();
        assert_eq!(
            all(scan.sentences()),
            ["It is 3.5 s.", "Why?", "好。", "不好！", "x"]
        );
        assert_eq!(
            all(scan.pieces()),
            ["It is 3", "5 s", " Why", "  好", "不好", " x"]
        );
        assert_eq!(scan.word_count(), 4 + 2 + 4);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}|[a-c.,?! '\\-\n因为所以。]{0,40}", phrase in "[a-c?*|_~ 因为]{0,8}") {
            let scan = Scan::new(&text);
            for span in scan.sentences().into_iter().chain(scan.pieces()) {
                prop_assert!(span.start < span.end && span.end <= scan.chars.len());
            }
            prop_assert_eq!(scan.has(&phrase), scan.count(&phrase) > 0);
        }
    }
}
