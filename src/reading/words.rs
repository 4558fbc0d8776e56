//! The data of a language and the patterns in it. How they are written: CONTRIBUTING.md. Not for what follows from a
//! match.

use super::text::{Token, is_han, key};
use crate::language::Language;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Weight of the tokens that `~` may take: four words, or eight Chinese characters.
const GAP: usize = 8;
const EMPTY: &Section = &Section {
    patterns: Vec::new(),
    starts: BTreeMap::new(),
};

/// The data of one language.
#[derive(Default)]
pub(super) struct Words {
    keys: BTreeMap<String, u32>,
    /// The same without accents, where that is no other word.
    bare: BTreeMap<String, u32>,
    sections: BTreeMap<String, Arc<Section>>,
    /// The words of numbers, by their sections `num.1` and so on.
    numbers: Vec<(f64, Arc<Section>)>,
    /// Endings and what they stand for: `n't` is ` not`.
    endings: Vec<(String, String)>,
}

/// A list of patterns.
#[derive(Debug, Default, Clone)]
pub(super) struct Section {
    patterns: Vec<Pattern>,
    /// The patterns that may begin with a token.
    starts: BTreeMap<u32, Vec<usize>>,
}

type Pattern = Vec<Node>;

#[derive(Debug, Clone)]
enum Node {
    Token(u32),
    /// Up to four words.
    Gap,
    Group(Arc<Section>, bool),
    Open,
    Close,
}

/// A match: the tokens from the place of the search up to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Match {
    pub(super) end: usize,
    /// The part between `<` and `>`.
    pub(super) part: (usize, usize),
    /// Tokens that `~` took, a bit each.
    skipped: u64,
}

impl Match {
    /// Whether the pattern itself took the token, counted from the beginning of the match.
    pub(super) fn took(&self, nth: usize) -> bool {
        nth < 64 && self.skipped & (1 << nth) == 0
    }
}

impl Words {
    pub(super) fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Words>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        ALL[language as usize].get_or_init(|| Self::parse(language, |section| !section.starts_with("key.")))
    }

    /// The labels of fields alone. They are looked for in every language and are few, so an answer in a form needs none of
    /// the rest.
    pub(super) fn labels(language: Language) -> &'static Self {
        static ALL: [OnceLock<Words>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        let is_label = |section: &str| section.starts_with("key.") || section == "endings";
        ALL[language as usize].get_or_init(|| Self::parse(language, is_label))
    }

    /// Parses the sections that are wanted.
    fn parse(language: Language, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut words = Self::default();
        let (mut name, mut section) = (String::new(), Section::default());
        for line in lines(language) {
            if let Some(next) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                words
                    .sections
                    .insert(name, Arc::new(std::mem::take(&mut section)));
                name = next.to_owned();
                // A section may be continued further down.
                section = words
                    .sections
                    .remove(&name)
                    .map(|section| Section::clone(&section))
                    .unwrap_or_default();
            } else if is_example(line) || !is_wanted(&name) {
            } else if name == "endings" {
                let ending = line
                    .split_once(" = ")
                    .map(|(one, other)| (one.to_owned(), other.to_owned()));
                words.endings.extend(ending);
            } else {
                let nodes = words.pattern(line);
                nodes.into_iter().for_each(|pattern| section.add(pattern));
            }
        }
        words.sections.insert(name, Arc::new(section));
        let number = |(name, section): (&String, &Arc<Section>)| {
            Some((name.strip_prefix("num.")?.parse().ok()?, Arc::clone(section)))
        };
        words.numbers = words.sections.iter().filter_map(number).collect();
        words
    }

    /// The patterns of a line, apart by `|`.
    fn pattern(&mut self, line: &str) -> Vec<Pattern> {
        let mut all = vec![Pattern::new()];
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            let node = match c {
                '|' => {
                    all.push(Pattern::new());
                    None
                }
                '(' => {
                    let inside = inside(rest, '(', ')');
                    length = (inside.len() + 2).min(rest.len());
                    let mut group = Section::default();
                    let patterns = self.pattern(inside);
                    let may_lack = patterns.iter().any(Vec::is_empty);
                    patterns
                        .into_iter()
                        .filter(|one| !one.is_empty())
                        .for_each(|one| group.add(one));
                    Some(Node::Group(Arc::new(group), may_lack))
                }
                '{' => {
                    let inside = inside(rest, '{', '}');
                    length = (inside.len() + 2).min(rest.len());
                    let (inside, may_lack) = inside
                        .strip_suffix('?')
                        .map_or((inside, false), |inside| (inside, true));
                    let section = self.sections.get(inside).cloned().unwrap_or_default();
                    debug_assert!(!section.patterns.is_empty(), "no section {inside}");
                    Some(Node::Group(section, may_lack))
                }
                '<' => Some(Node::Open),
                '>' => Some(Node::Close),
                '@' => Some(Node::Token(key::MENTION)),
                '#' => Some(Node::Token(key::NUMBER)),
                '&' => Some(Node::Token(key::PERSON)),
                '^' => Some(Node::Token(key::NEUTRAL)),
                '~' => Some(Node::Gap),
                '?' => Some(Node::Token(key::UNKNOWN)),
                '\\' => {
                    let sign = rest.chars().nth(1).unwrap_or(' ');
                    length += sign.len_utf8();
                    Some(Node::Token(key::of_mark(sign)))
                }
                _ if c.is_whitespace() => None,
                _ => {
                    let ends = |c: char| c.is_whitespace() || "|(){}<>@#&^~?\\".contains(c);
                    length = rest.find(ends).unwrap_or(rest.len()).max(length);
                    let keys = self.learn(&rest[..length]);
                    all.iter_mut()
                        .last()
                        .into_iter()
                        .for_each(|last| last.extend(keys.iter().map(|key| Node::Token(*key))));
                    None
                }
            };
            if let Some(last) = all.last_mut() {
                last.extend(node);
            }
            rest = &rest[length..];
        }
        all
    }

    /// The keys of a word of the data; a new word gets one.
    fn learn(&mut self, word: &str) -> Vec<u32> {
        let mut keys = Vec::new();
        let (stem, ending) = self.parted(word);
        let ending = ending.to_owned();
        for part in std::iter::once(stem.to_owned()).chain(ending.split(' ').map(str::to_owned)) {
            let is_apart = part
                .chars()
                .any(|c| is_han(c) || !c.is_alphanumeric() && c != '\'');
            let parts: Vec<String> = match is_apart {
                true => part.chars().map(String::from).collect(),
                false => vec![part],
            };
            for part in parts.into_iter().filter(|part| !part.is_empty()) {
                let first = part.chars().next().unwrap_or(' ');
                if first.is_ascii_digit() {
                    keys.push(key::NUMBER);
                    continue;
                }
                if !first.is_alphanumeric() {
                    keys.push(key::of_mark(first));
                    continue;
                }
                let next = key::WORDS + self.keys.len() as u32;
                let known = *self.keys.entry(part.clone()).or_insert(next);
                self.bare.entry(unaccented(&part)).or_insert(known);
                keys.push(known);
            }
        }
        keys
    }

    /// A word and what its ending stands for.
    fn parted<'a>(&'a self, word: &'a str) -> (&'a str, &'a str) {
        if !word.contains('\'') {
            return (word, "");
        }
        let ending = self
            .endings
            .iter()
            .find_map(|(ending, stands)| Some((word.strip_suffix(ending.as_str())?, stands.as_str())));
        ending.unwrap_or((word, ""))
    }

    /// Gives the keys of a word of a text.
    pub(super) fn spell(&self, word: &str, put: &mut impl FnMut(u32)) {
        let (stem, ending) = self.parted(word);
        let of = |part: &str| {
            let known = self.keys.get(part).or_else(|| self.bare.get(part));
            known.copied().unwrap_or(key::UNKNOWN)
        };
        if !stem.is_empty() {
            put(of(stem));
        }
        ending
            .split(' ')
            .filter(|part| !part.is_empty())
            .for_each(|part| put(of(part)));
    }

    pub(super) fn is_unknown(&self, word: &str) -> bool {
        !self.keys.contains_key(word)
    }

    /// The number that a word of the data says, and its end.
    pub(super) fn number(&self, tokens: &[Token], at: usize) -> Option<(f64, usize)> {
        let said = |(number, section): &(f64, Arc<Section>)| Some((*number, section.at(tokens, at)?.end));
        self.numbers.iter().filter_map(said).max_by_key(|(_, end)| *end)
    }

    pub(super) fn section(&self, name: &str) -> &Section {
        self.sections.get(name).map_or(EMPTY, |section| section)
    }

    /// The sections whose names begin so, with what follows.
    pub(super) fn sections<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, &'a Section)> {
        let from = self.sections.range(name.to_owned()..);
        from.map_while(move |(key, section)| Some((key.strip_prefix(name)?, &**section)))
    }
}

fn file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("words/en.txt"),
        Language::Spanish => include_str!("words/es.txt"),
        Language::Mandarin => include_str!("words/zh.txt"),
    }
}

/// The lines of the data, without comments.
fn lines(language: Language) -> impl Iterator<Item = &'static str> {
    let lines = file(language).lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

fn is_example(line: &str) -> bool {
    line.starts_with("+ ") || line.starts_with("- ")
}

/// What stands between a bracket and the one that closes it.
fn inside(text: &str, open: char, close: char) -> &str {
    let (mut depth, mut escaped) = (0, false);
    let end = text.find(|c| {
        if !std::mem::replace(&mut escaped, c == '\\') {
            depth += i32::from(c == open) - i32::from(c == close);
        }
        depth == 0
    });
    text.get(1..end.unwrap_or(text.len())).unwrap_or_default()
}

pub(super) fn unaccented(word: &str) -> String {
    let plain = |c| match c {
        'á' | 'à' => 'a',
        'é' | 'è' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        c => c,
    };
    word.chars().map(plain).collect()
}

impl Section {
    fn add(&mut self, pattern: Pattern) {
        let place = self.patterns.len();
        let mut first = Vec::new();
        firsts(&pattern, &mut first);
        first.sort_unstable();
        first.dedup();
        for key in first {
            self.starts.entry(key).or_default().push(place);
        }
        self.patterns.push(pattern);
    }

    /// The longest match that begins at a token.
    pub(super) fn at(&self, tokens: &[Token], at: usize) -> Option<Match> {
        self.starts.get(&tokens.get(at)?.key)?;
        let mut found = Vec::new();
        let start = Match {
            end: at,
            part: (at, at),
            skipped: 0,
        };
        self.matches(tokens, at, start, &mut found);
        // Of two as long, the one that skips less.
        found
            .into_iter()
            .filter(|one| one.end > at)
            .max_by_key(|one| (one.end, std::cmp::Reverse(one.skipped.count_ones())))
    }

    /// All ways on from a match.
    fn matches(&self, tokens: &[Token], start: usize, from: Match, into: &mut Vec<Match>) {
        let Some(patterns) = tokens.get(from.end).and_then(|token| self.starts.get(&token.key)) else {
            return;
        };
        for &pattern in patterns {
            let mut states = vec![from];
            for node in &self.patterns[pattern] {
                let mut next = Vec::new();
                states
                    .iter()
                    .for_each(|state| node.step(tokens, start, *state, &mut next));
                next.sort_unstable();
                next.dedup();
                states = next;
                if states.is_empty() {
                    break;
                }
            }
            into.append(&mut states);
        }
    }

    /// The longest match at each token that begins one.
    pub(super) fn all<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = (usize, Match)> + 'a {
        (0..tokens.len()).filter_map(|at| Some((at, self.at(tokens, at)?)))
    }

    /// Whether it matches anywhere.
    pub(super) fn is_in(&self, tokens: &[Token]) -> bool {
        self.all(tokens).next().is_some()
    }

    /// Whether one match takes all tokens.
    pub(super) fn is_whole(&self, tokens: &[Token]) -> bool {
        self.at(tokens, 0).is_some_and(|one| one.end == tokens.len())
    }
}

/// The tokens with which a pattern may begin.
fn firsts(pattern: &[Node], into: &mut Vec<u32>) {
    for node in pattern {
        match node {
            Node::Token(key) => {
                into.push(*key);
                return;
            }
            Node::Group(section, may_lack) => {
                into.extend(section.starts.keys());
                if !may_lack {
                    return;
                }
            }
            Node::Gap | Node::Open | Node::Close => {}
        }
    }
}

impl Node {
    fn step(&self, tokens: &[Token], start: usize, mut state: Match, into: &mut Vec<Match>) {
        match self {
            Self::Token(key) => {
                if tokens.get(state.end).is_some_and(|token| token.key == *key) {
                    state.end += 1;
                    into.push(state);
                }
            }
            Self::Open => {
                state.part.0 = state.end;
                into.push(state);
            }
            Self::Close => {
                state.part.1 = state.end;
                into.push(state);
            }
            Self::Group(section, may_lack) => {
                if *may_lack {
                    into.push(state);
                }
                section.matches(tokens, start, state, into);
            }
            Self::Gap => {
                let mut weight = 0;
                loop {
                    into.push(state);
                    let Some(token) = tokens.get(state.end) else {
                        return;
                    };
                    let is_word = token.is_word() || matches!(token.key, key::NEUTRAL | key::PERSON);
                    weight += if token.is_word() { token.number as usize } else { 2 };
                    let nth = state.end - start;
                    if !is_word || weight > GAP || nth >= 64 {
                        return;
                    }
                    state.skipped |= 1 << nth;
                    state.end += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{AmountBounds, agreement, amount, principle, ranking};

    fn read(kind: &str, text: &str, language: Language) -> Option<String> {
        match kind {
            "principle" => principle(text, language)
                .value()
                .map(|one| one.number().to_string()),
            "yesno" => agreement(text, language)
                .value()
                .map(|yes| if *yes { "yes" } else { "no" }.to_owned()),
            "amount" => amount(text, language, AmountBounds::default())
                .value()
                .map(u32::to_string),
            "ranking" => ranking(text, language)
                .value()
                .map(|read| read.order.map(|one| one.number().to_string()).concat()),
            kind => panic!("{kind:?} is no kind of answer: principle, yesno, amount or ranking"),
        }
    }

    #[test]
    fn examples_are_read_and_near_misses_are_declined() {
        let mut faults = Vec::new();
        for language in Language::ALL {
            let mut section = "";
            for line in lines(language) {
                if line.starts_with('[') {
                    section = line;
                }
                if !is_example(line) {
                    continue;
                }
                let (sign, example) = line.split_at(2);
                let (kind, text) = example.split_once(": ").unwrap_or_default();
                let (text, wanted) = match sign {
                    "+ " => text
                        .rsplit_once(" = ")
                        .map(|(text, value)| (text, Some(value.to_owned())))
                        .unwrap_or_default(),
                    _ => (text, None),
                };
                let got = read(kind, text, language);
                if got != wanted {
                    faults.push(format!(
                        "{}, {section}: {line:?} is read as {got:?}",
                        language.code()
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn brackets_are_closed_and_macros_come_first() {
        for language in Language::ALL {
            let mut names = Vec::new();
            for line in lines(language) {
                if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                    names.push(name);
                    continue;
                }
                if is_example(line) {
                    continue;
                }
                for (open, close) in [('(', ')'), ('{', '}')] {
                    let plain = line
                        .replace(&format!("\\{open}"), "")
                        .replace(&format!("\\{close}"), "");
                    assert_eq!(
                        plain.matches(open).count(),
                        plain.matches(close).count(),
                        "{}: {line}",
                        language.code()
                    );
                }
                for name in line.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
                    let name = name.trim_end_matches('?');
                    assert!(
                        names.contains(&name),
                        "{}: [{name}] comes later or not at all: {line}",
                        language.code()
                    );
                }
            }
        }
    }
}
