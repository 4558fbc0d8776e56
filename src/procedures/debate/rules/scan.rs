//! Splits a text into characters, words and sentences, and finds phrases in it. Shared by the measures of a
//! debate; contains no phrases of its own.
//!
//! Positions are in characters. Chinese text has no spaces: its characters belong to no word, and Chinese
//! phrases match anywhere.
//!
//! # Syntax of phrases
//!
//! A phrase is a sequence of slots separated by spaces: `i must? admit|concede`. A slot is a word or
//! alternatives with `|`; `?` makes it optional, `*` after an alternative matches any ending (`reduc*`), `_`
//! joins the words of an alternative (`you_are`), `~` matches up to thirty words of the same sentence. Only
//! spaces and hyphens may separate consecutive words of a match. The slots of a phrase with a Chinese
//! character match anywhere in one sentence, in order.

/// Separation of a word from the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// Spaces and hyphens.
    Joined,
    /// Other characters within a sentence.
    Apart,
    /// End of a sentence.
    Sentence,
}

#[derive(Debug)]
struct Word {
    /// Byte range in [`Scan::spelt`].
    spelt: (usize, usize),
    start: usize,
    end: usize,
    gap: Gap,
}

/// Range of characters, excluding the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A tokenized text.
#[derive(Debug)]
pub(super) struct Scan {
    /// As given.
    pub(super) chars: Vec<char>,
    /// In lower case, one character each.
    pub(super) lower: Vec<char>,
    words: Vec<Word>,
    /// All words in lower case, concatenated.
    spelt: String,
}

/// Parsed phrases, found together in one pass over a text.
#[derive(Debug)]
pub(super) struct Phrases<'a> {
    all: Vec<Phrase<'a>>,
    /// Phrases of words by possible first letter, sorted.
    by_letter: Vec<(char, usize)>,
    /// Chinese phrases by first character, sorted.
    by_han: Vec<(char, usize)>,
    /// Phrases that may start with any word.
    anywhere: Vec<usize>,
}

/// A parsed phrase.
#[derive(Debug)]
pub(super) enum Phrase<'a> {
    Words(Vec<Slot<'a>>),
    /// With a Chinese character: alternatives of each slot.
    Han(Vec<Vec<Vec<char>>>),
}

#[derive(Debug)]
pub(super) enum Slot<'a> {
    /// Up to thirty words of the same sentence.
    Far,
    /// Alternatives of one or more words.
    Names {
        names: Vec<Vec<Part<'a>>>,
        optional: bool,
    },
}

/// A word of a phrase, or its beginning.
#[derive(Debug)]
pub(super) struct Part<'a> {
    text: &'a str,
    is_prefix: bool,
}

impl<'a> Phrase<'a> {
    pub(super) fn new(phrase: &'a str) -> Self {
        if phrase.chars().any(is_han) {
            let names = |slot: &str| slot.split('|').map(|name| name.chars().collect()).collect();
            return Self::Han(phrase.split(' ').map(names).collect());
        }
        Self::Words(phrase.split(' ').map(Slot::new).collect())
    }

    /// Returns the possible first characters, or `None` for any.
    fn firsts(&self) -> Option<Vec<char>> {
        let mut firsts = Vec::new();
        match self {
            Self::Han(slots) => {
                let names = slots.first().into_iter().flatten();
                firsts.extend(names.filter_map(|name| name.first()));
            }
            Self::Words(slots) => {
                for slot in slots {
                    let Slot::Names { names, optional } = slot else {
                        return None;
                    };
                    for part in names.iter().filter_map(|name| name.first()) {
                        match part.text.chars().next() {
                            Some(first) => firsts.push(first),
                            None if part.is_prefix => return None,
                            None => {}
                        }
                    }
                    if !optional {
                        return Some(firsts);
                    }
                }
                return None;
            }
        }
        Some(firsts)
    }
}

impl<'a> Slot<'a> {
    fn new(slot: &'a str) -> Self {
        if slot == "~" {
            return Self::Far;
        }
        let part = |part: &'a str| match part.strip_suffix('*') {
            Some(text) => Part {
                text,
                is_prefix: true,
            },
            None => Part {
                text: part,
                is_prefix: false,
            },
        };
        let names = slot.strip_suffix('?').unwrap_or(slot).split('|');
        Self::Names {
            names: names.map(|name| name.split('_').map(part).collect()).collect(),
            optional: slot.ends_with('?'),
        }
    }
}

impl<'a> Phrases<'a> {
    pub(super) const fn none() -> Self {
        Self {
            all: Vec::new(),
            by_letter: Vec::new(),
            by_han: Vec::new(),
            anywhere: Vec::new(),
        }
    }

    pub(super) fn new(phrases: impl IntoIterator<Item = &'a str>) -> Self {
        let mut read = Self::none();
        for (at, phrase) in phrases.into_iter().enumerate() {
            let phrase = Phrase::new(phrase);
            match (phrase.firsts(), &phrase) {
                (None, _) => read.anywhere.push(at),
                (Some(firsts), Phrase::Words(_)) => {
                    read.by_letter.extend(firsts.into_iter().map(|first| (first, at)));
                }
                (Some(firsts), Phrase::Han(_)) => {
                    read.by_han.extend(firsts.into_iter().map(|first| (first, at)));
                }
            }
            read.all.push(phrase);
        }
        for by_first in [&mut read.by_letter, &mut read.by_han] {
            by_first.sort();
            by_first.dedup();
        }
        read
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Phrase<'a>> {
        self.all.iter()
    }
}

/// Returns the phrases that may start with a character.
fn phrases_starting_with(by_first: &[(char, usize)], first: char) -> impl Iterator<Item = usize> {
    let from = by_first.partition_point(|known| known.0 < first);
    let rest = by_first.get(from..).unwrap_or_default().iter();
    rest.take_while(move |known| known.0 == first)
        .map(|known| known.1)
}

/// Maximum number of words matched by `~`.
const MAX_WORDS_BETWEEN: usize = 30;

/// Returns whether a character is Chinese (including Japanese kanji).
pub(super) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Returns whether a character is Japanese kana.
pub(super) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}

/// Returns whether a character is a letter, a digit or an underscore.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？')
}

fn is_wide_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？')
}

/// Returns a length that is comparable between scripts: a Chinese character counts as three letters.
pub(super) fn width(chars: &[char]) -> usize {
    chars.iter().map(|&c| if is_han(c) { 3 } else { 1 }).sum()
}

/// Estimates the number of words: words between spaces, and one per two Chinese characters.
pub(super) fn word_count(chars: &[char]) -> usize {
    let (mut han, mut words, mut in_word) = (0, 0, false);
    for &c in chars {
        han += usize::from(is_han(c));
        let other = !c.is_whitespace() && !is_han(c);
        words += usize::from(other && !in_word);
        in_word = other;
    }
    words + han.div_ceil(2)
}

impl Scan {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let lower = chars
            .iter()
            .map(|&c| match c {
                '’' => '\'',
                c if c.is_ascii() => c.to_ascii_lowercase(),
                c => c.to_lowercase().next().unwrap_or(c),
            })
            .collect();
        let mut scan = Self {
            chars,
            lower,
            words: Vec::new(),
            spelt: String::with_capacity(text.len()),
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
            let from = self.spelt.len();
            self.spelt.extend(&lower[start..at]);
            self.words.push(Word {
                spelt: (from, self.spelt.len()),
                start,
                end: at,
                gap,
            });
            gap = Gap::Joined;
        }
    }

    pub(super) fn text(&self, span: Span) -> String {
        self.chars[span.start..span.end].iter().collect()
    }

    /// Trims spaces.
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

    /// Splits at runs of `.`, `!`, `?` and their Chinese forms, keeping spaces. Decimal points split, too.
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

    /// Returns sentences with their stops, trimmed. A sentence ends with a stop before a space, or with a
    /// Chinese stop.
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

    /// In lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| self.spelt(word))
    }

    fn spelt(&self, word: &Word) -> &str {
        self.spelt.get(word.spelt.0..word.spelt.1).unwrap_or_default()
    }

    /// Visits the matches of phrases, those of one phrase from front to back without overlap, until
    /// `is_enough` returns `true` for a phrase's index.
    fn for_each_match(&self, phrases: &Phrases, mut is_enough: impl FnMut(usize) -> bool) {
        let mut from = vec![0; phrases.all.len()];
        let mut meets = |number: usize, span: Option<Span>| {
            let Some(span) = span.filter(|span| span.start >= from[number]) else {
                return false;
            };
            from[number] = span.end.max(from[number] + 1);
            is_enough(number)
        };
        for number in &phrases.anywhere {
            let mut next = 0;
            while let Some(span) = self.find(&phrases.all[*number], next) {
                next = span.end.max(next + 1);
                if meets(*number, Some(span)) {
                    return;
                }
            }
        }
        for (at, word) in self.words.iter().enumerate() {
            for number in phrases_starting_with(&phrases.by_letter, self.lower[word.start]) {
                if meets(number, self.match_words(&phrases.all[number], at)) {
                    return;
                }
            }
        }
        let Some((first, _)) = phrases.by_han.first() else {
            return;
        };
        for (at, c) in self.lower.iter().enumerate().filter(|(_, c)| *c >= first) {
            for number in phrases_starting_with(&phrases.by_han, *c) {
                if meets(number, self.match_han(&phrases.all[number], at)) {
                    return;
                }
            }
        }
    }

    /// Returns for each phrase whether the text has it.
    pub(super) fn find_which(&self, phrases: &Phrases) -> Vec<bool> {
        let mut which = vec![false; phrases.all.len()];
        self.for_each_match(phrases, |number| {
            which[number] = true;
            false
        });
        which
    }

    /// Returns how many of the phrases the text has.
    pub(super) fn count_distinct(&self, phrases: &Phrases) -> usize {
        self.find_which(phrases).into_iter().filter(|has| *has).count()
    }

    /// Counts all matches; matches of the same phrase do not overlap.
    pub(super) fn count_all(&self, phrases: &Phrases) -> usize {
        let mut count = 0;
        self.for_each_match(phrases, |_| {
            count += 1;
            false
        });
        count
    }

    pub(super) fn has_any(&self, phrases: &Phrases) -> bool {
        let mut has = false;
        self.for_each_match(phrases, |_| {
            has = true;
            true
        });
        has
    }

    /// Returns whether the text starts with one of the phrases.
    pub(super) fn starts_with_any(&self, phrases: &Phrases) -> bool {
        let first = self.chars.iter().take_while(|c| !is_word(**c)).count();
        let Some(letter) = self.lower.get(first).copied() else {
            return false;
        };
        let by_letter = phrases_starting_with(&phrases.by_letter, letter);
        let likely = by_letter.chain(phrases_starting_with(&phrases.by_han, letter));
        let mut all = likely.chain(phrases.anywhere.iter().copied());
        all.any(|number| {
            let found = self.find(&phrases.all[number], 0);
            found.is_some_and(|span| span.start == first)
        })
    }

    /// Returns the first match from a position.
    pub(super) fn find(&self, phrase: &Phrase, from: usize) -> Option<Span> {
        match phrase {
            Phrase::Words(_) => {
                let first = self.words.partition_point(|word| word.start < from);
                (first..self.words.len()).find_map(|at| self.match_words(phrase, at))
            }
            Phrase::Han(_) => (from..self.lower.len()).find_map(|at| self.match_han(phrase, at)),
        }
    }

    /// Matches a phrase of words at this word.
    fn match_words(&self, phrase: &Phrase, at: usize) -> Option<Span> {
        let Phrase::Words(slots) = phrase else { return None };
        let after = self.match_slots(slots, at, true)?;
        let last = self.words.get(after.checked_sub(1)?)?;
        Some(Span {
            start: self.words[at].start,
            end: last.end,
        })
    }

    /// Returns the index of the word after the slots, if they match from the word at `at`.
    fn match_slots(&self, slots: &[Slot], at: usize, fresh: bool) -> Option<usize> {
        let Some((slot, rest)) = slots.split_first() else {
            return Some(at);
        };
        let Slot::Names { names, optional } = slot else {
            let reach = self.words.len().min(at + MAX_WORDS_BETWEEN);
            return (at..reach)
                .take_while(|&next| self.words[next].gap != Gap::Sentence)
                .find_map(|next| self.match_slots(rest, next, true));
        };
        let with = names.iter().find_map(|name| {
            let mut next = at;
            for part in name {
                let word = self.words.get(next)?;
                let follows = (fresh && next == at) || word.gap == Gap::Joined;
                let spelt = self.spelt(word);
                let fits = spelt == part.text || part.is_prefix && spelt.starts_with(part.text);
                if !(follows && fits) {
                    return None;
                }
                next += 1;
            }
            self.match_slots(rest, next, false)
        });
        with.or_else(|| optional.then(|| self.match_slots(rest, at, fresh))?)
    }

    /// Matches a phrase with a Chinese character at this one: its slots follow each other in one sentence.
    fn match_han(&self, phrase: &Phrase, at: usize) -> Option<Span> {
        let Phrase::Han(slots) = phrase else { return None };
        let (first, rest) = slots.split_first()?;
        let begun = at + self.match_name(first, at, self.lower.len())?;
        let mut span = Span {
            start: at,
            end: begun,
        };
        if !rest.is_empty() {
            let stop = self.lower[begun..].iter().position(|&c| is_stop(c));
            let end = stop.map_or(self.lower.len(), |more| begun + more);
            for names in rest {
                span.end = (span.end..end).find_map(|at| Some(at + self.match_name(names, at, end)?))?;
            }
        }
        Some(span)
    }

    /// Returns the length of the first name that matches at a position.
    fn match_name(&self, names: &[Vec<char>], at: usize, to: usize) -> Option<usize> {
        let part = &self.lower[at..to];
        let stands = |name: &&Vec<char>| !name.is_empty() && part.starts_with(name);
        names.iter().find(stands).map(Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn has(text: &str, phrase: &str) -> bool {
        Scan::new(text).has_any(&Phrases::new([phrase]))
    }

    /// Counts a single phrase naively.
    fn count(scan: &Scan, phrase: &str) -> usize {
        let phrase = Phrase::new(phrase);
        let (mut from, mut count) = (0, 0);
        while let Some(span) = scan.find(&phrase, from) {
            from = span.end.max(from + 1);
            count += 1;
        }
        count
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
        assert_eq!(count(&Scan::new("no, no; knot, NO"), "no"), 3);
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
        assert_eq!(word_count(&scan.chars), 4 + 2 + 4);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,60}|[a-c.,?! '\\-\n因为所以。]{0,40}", phrases in prop::collection::vec("[a-c?*|_~ 因为]{0,8}", 1..4)) {
            let scan = Scan::new(&text);
            for span in scan.sentences().into_iter().chain(scan.pieces()) {
                prop_assert!(span.start < span.end && span.end <= scan.chars.len());
            }
            let counts: Vec<usize> = phrases.iter().map(|phrase| count(&scan, phrase)).collect();
            let read = Phrases::new(phrases.iter().map(String::as_str));
            prop_assert_eq!(scan.count_all(&read), counts.iter().sum::<usize>());
            prop_assert_eq!(scan.find_which(&read), counts.iter().map(|count| *count > 0).collect::<Vec<_>>());
            prop_assert_eq!(scan.has_any(&read), counts.iter().any(|count| *count > 0));
            let first = scan.chars.iter().position(|c| is_word(*c));
            let begins = |phrase: &Phrase| scan.find(phrase, 0).is_some_and(|span| Some(span.start) == first);
            prop_assert_eq!(scan.starts_with_any(&read), read.iter().any(begins));
        }
    }
}
