//! An answer as tokens: words and phrases with their classes from the lexicons, numbers with their values, signs.
//! Not for what they mean together.

use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The words of each key in one text, a `|` between them.
static WORDS: Files<BTreeMap<&'static str, &'static str>> = in_each_language!("words");

/// The words of a key, of all languages.
pub(super) fn heads(key: &str) -> impl Iterator<Item = &'static str> {
    Language::ALL
        .into_iter()
        .filter_map(move |language| WORDS.of(language).get(key))
        .flat_map(|words| entries(words))
}

/// Whether a word is one of those of a key, or begins or ends with one or contains it.
pub(super) fn is_one(word: &str, key: &str) -> bool {
    heads(key).any(|one| one == word)
}

pub(super) fn begins_so(word: &str, key: &str) -> bool {
    heads(key).any(|one| word.starts_with(one))
}

pub(super) fn ends_so(word: &str, key: &str) -> bool {
    heads(key).any(|one| word.ends_with(one))
}

pub(super) fn contains_one(word: &str, key: &str) -> bool {
    heads(key).any(|one| word.contains(one))
}

/// The entries of a table, `a|b|c`. They are short: `split` takes three times as long to look for where each ends.
pub(super) fn entries(table: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(table);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some(end) = text.as_bytes().iter().position(|byte| *byte == b'|') else {
            return Some(text);
        };
        rest = text.get(end + 1..);
        text.get(..end)
    })
}

macro_rules! classes {
    ($($name:ident = $key:literal),+ $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($name),+ }
        /// What a word or phrase may be.
        #[allow(missing_docs)]
        pub(super) mod class { $(pub(in crate::reading) const $name: u64 = 1 << super::Place::$name as u64;)+ }
        const KEYS: &[(&str, u64)] = &[$(($key, class::$name)),+];
    };
}
classes! {
    // The most frequent first: constants of low bits are shorter.
    FILLER = "filler", CHOOSE = "choose", FIRST = "first", NEG = "neg", NOUN = "noun", BUT = "but", SO = "so",
    CORRECT = "correct", AND = "and", REJECT = "reject", NAY = "nay", OTHER = "other", NOW = "now",
    DISSENT = "dissent", RANK = "rank", OR = "or", TO = "to", FLOOR = "floor", IF = "if", CTX = "ctx",
    ASSENT = "assent", CERTAIN = "certain", PAST = "past", AVG = "avg", RANGE = "range", JOIN = "join",
    SHIELD = "word", MAYBE = "maybe", RATHER = "rather", COUNTED = "counted", MORE = "more", CAP = "cap",
    REFUSE = "refuse", THEN = "then", ORD = "#", CERTAINTY = "certainty", SAYS = "says", SIGN = "moneysign",
    YES = "yes", BETWEEN = "between", MONEY = "money", TIMES = "x", RANKWORD = "rankword", BEST = "best",
    ASC = "ascending", NUM = "=", PERCENT = "percent", LOW = "low", HIGH = "high", WITHOUT = "without",
    PRAISE = "praise", ONLY = "only", MAX = "max", DOUBLE = "double", MIGHT = "might", PART = "part",
    BECAUSE = "because", BEATS = "beats", SECOND = "second", DESC = "descending", OF = "of", FROM = "from",
    GERUND = "gerund", TIE = "tie",
}

/// What a token is in the first place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or phrase; without classes where no lexicon knows it.
    Word,
    /// A number in digits, with or without words that multiply it.
    Digits,
    /// A number in words.
    Spelt,
    /// A sign; line ends are `\n`.
    Sign(char),
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) classes: u64,
    /// Of a number or ordinal.
    pub(super) number: f64,
    /// The value of a rank (1 to 4) or of a certainty (-2 to 2).
    pub(super) value: i8,
    /// Written as no whole number of an option could be: multiplied, negative, with decimals, of a hundred.
    pub(super) is_other: bool,
    /// Where it begins and ends in the text.
    pub(super) span: (usize, usize),
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
}

impl Token {
    pub(super) fn is(&self, classes: u64) -> bool {
        self.classes & classes != 0
    }
    pub(super) fn sign(&self) -> Option<char> {
        match self.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Digits | Kind::Spelt)
    }
    pub(super) fn is_unknown(&self) -> bool {
        self.kind == Kind::Word && self.classes == 0
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Meaning {
    classes: u64,
    number: f64,
    value: i8,
    /// Of phrases that are the same, the least counts.
    rank: u8,
}

/// A phrase with what it means.
type Phrase = (Vec<&'static str>, Meaning);

/// Phrases by their first atom. There are thousands, and a text holds few of them: a row is made when it is asked for.
struct Phrases {
    /// The phrases as they stand in the lexicons, each with the one before it in its row.
    listed: Vec<(&'static str, Meaning, Option<u16>)>,
    /// The last phrase of each row.
    last: [Option<u16>; ROWS],
    /// Rows as they are looked at: by first atom, then the longest first.
    rows: Vec<OnceLock<Vec<Phrase>>>,
}

/// About as many as there are first atoms, and a power of two.
const ROWS: usize = 4096;

impl Phrases {
    /// The phrases of all languages; the language's own meaning counts.
    fn of(language: Language) -> &'static Self {
        static READ: [OnceLock<Phrases>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        READ[language as usize].get_or_init(|| {
            let mut phrases = Self {
                listed: Vec::with_capacity(2 * ROWS),
                last: [None; ROWS],
                rows: vec![OnceLock::new(); ROWS],
            };
            phrases.add(language, 0);
            let others = Language::ALL.into_iter().filter(|other| *other != language);
            others
                .zip((2..).step_by(2))
                .for_each(|(other, rank)| phrases.add(other, rank));
            phrases
        })
    }

    /// Adds the phrases of a language, by which it has this rank; as they are written without accents, one more.
    fn add(&mut self, language: Language, rank: u8) {
        for (key, words) in WORDS.of(language).iter() {
            let (name, number) = match key.strip_prefix(['=', '#', 'x']).filter(|rest| !rest.is_empty()) {
                Some(number) => (key.get(..1).unwrap_or(key), number),
                None => key.split_once(' ').unwrap_or((key, "")),
            };
            let Some((_, class)) = KEYS.iter().find(|(known, _)| *known == name) else {
                continue;
            };
            let number = number
                .trim_start_matches('-')
                .parse::<f64>()
                .ok()
                .unwrap_or_default()
                * if number.starts_with('-') { -1.0 } else { 1.0 };
            let mut meaning = Meaning {
                classes: *class,
                rank,
                ..Meaning::default()
            };
            match name {
                "=" | "#" | "x" => meaning.number = number,
                _ => meaning.value = number as i8,
            }
            let plainly = Meaning {
                rank: rank + 1,
                ..meaning
            };
            for word in entries(words) {
                self.put(word, meaning);
                // Accents are left out often; where that gives another word ("si"), the other word stands. So are
                // apostrophes: "id go with", "dont".
                if word.contains('\'') {
                    self.put(word.replace('\'', "").leak(), plainly);
                } else if word.chars().any(|c| without_accent(c) != c) {
                    self.put(unaccented(word).leak(), plainly);
                }
            }
        }
    }

    /// Puts a phrase into its row.
    fn put(&mut self, phrase: &'static str, meaning: Meaning) {
        let place = u16::try_from(self.listed.len()).ok();
        let first = atom_at(phrase, 0, false).and_then(|atom| phrase.get(..atom.span.1));
        let row = &mut self.last[row_of(first.unwrap_or_default())];
        self.listed.push((phrase, meaning, std::mem::replace(row, place)));
    }

    /// Those that begin with an atom, the longest first.
    fn beginning(&self, atom: &str) -> &[Phrase] {
        let row = row_of(atom);
        let row = self.rows[row].get_or_init(|| self.row(self.last[row]));
        let is_of = |phrase: &Phrase| phrase.0.first().is_some_and(|first| *first == atom);
        let from = row.iter().position(is_of).unwrap_or(row.len());
        let row = row.get(from..).unwrap_or_default();
        let to = row.iter().position(|phrase| !is_of(phrase)).unwrap_or(row.len());
        row.get(..to).unwrap_or_default()
    }

    /// A row, by the last of its phrases as they are listed.
    fn row(&self, last: Option<u16>) -> Vec<Phrase> {
        let at = |place: Option<u16>| self.listed.get(usize::from(place?));
        let listed = std::iter::successors(at(last), |(_, _, before)| at(*before));
        let mut row: Vec<Phrase> = listed
            .map(|(phrase, meaning, _)| (atoms_of(phrase), *meaning))
            .collect();
        // As they were listed: of two figures for one phrase, the later counts.
        row.reverse();
        row.sort_by(|(one, means), (other, other_means)| {
            in_order(one, other).then(means.rank.cmp(&other_means.rank))
        });
        row.dedup_by(|again, first| {
            let is_same = again.0 == first.0;
            if is_same && again.1.rank == first.1.rank {
                merge(&mut first.1, again.1);
            }
            is_same
        });
        row
    }
}

/// In which row an atom's phrases are.
fn row_of(atom: &str) -> usize {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    atom.bytes().fold(0x811c_9dc5, mix) as usize % ROWS
}

fn in_order(one: &[&str], other: &[&str]) -> Ordering {
    let by_first = one.first().cmp(&other.first());
    let longest = other.len().cmp(&one.len());
    by_first.then(longest).then_with(|| one.cmp(other))
}

fn merge(into: &mut Meaning, more: Meaning) {
    into.classes |= more.classes;
    if more.number != 0.0 {
        into.number = more.number;
    }
    if more.value != 0 {
        into.value = more.value;
    }
}

pub(super) fn unaccented(word: &str) -> String {
    word.chars().map(without_accent).collect()
}

fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' => 'e',
        'í' | 'ì' | 'ï' => 'i',
        'ó' | 'ò' | 'ö' => 'o',
        'ú' | 'ù' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    }
}

/// A word whose letters run on, with so many of them at most: "yesss", "siiii". Two of a letter do not run on.
fn curbed(word: &str, most: usize) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs = letters.chunk_by(|one, next| one == next);
    runs.flat_map(|run| &run[..if run.len() > 2 { most } else { run.len() }])
        .collect()
}

/// The word that a long one is but for one letter, of those that decide: "averge", "prinsipio".
fn misspelt(word: &str) -> Option<&'static str> {
    const SHORTEST: usize = 6;
    let is_near = |known: &&str| {
        if known.as_bytes().first() != word.as_bytes().first() || known.len().abs_diff(word.len()) > 1 {
            return false;
        }
        let begins = word
            .bytes()
            .zip(known.bytes())
            .take_while(|(one, other)| one == other);
        let ends = word.bytes().rev().zip(known.bytes().rev());
        let (same, behind) = (
            begins.count(),
            ends.take_while(|(one, other)| one == other).count(),
        );
        let shorter = word.len().min(known.len());
        let pair = |word: &str| word.bytes().skip(same).take(2).collect::<Vec<u8>>();
        let swapped = || word.len() == known.len() && pair(word).iter().eq(pair(known).iter().rev());
        let one_off = word.len().max(known.len()) <= 1 + shorter.min(same + behind);
        one_off || word.len() == 2 + same + behind && swapped()
    };
    (word.len() >= SHORTEST)
        .then(|| heads("misspelt").find(is_near))
        .flatten()
}

/// The atoms of a phrase of a lexicon.
fn atoms_of(phrase: &'static str) -> Vec<&'static str> {
    let found = atoms(phrase);
    found
        .iter()
        .filter_map(|atom| phrase.get(atom.span.0..atom.span.1))
        .collect()
}

struct Atom {
    kind: Kind,
    number: f64,
    is_other: bool,
    is_ordinal: bool,
    span: (usize, usize),
    spaced: bool,
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3007}' | '\u{3400}'..='\u{9fff}')
}

/// What stands at a place: a word, a Chinese character, a number, a sign or a blank.
fn atom_at(text: &str, at: usize, spaced: bool) -> Option<Atom> {
    let rest = text.get(at..)?;
    let c = rest.chars().next()?;
    let mut atom = Atom {
        kind: Kind::Word,
        number: 0.0,
        is_other: false,
        is_ordinal: false,
        span: (at, at + c.len_utf8()),
        spaced,
    };
    if c.is_ascii_digit() {
        scan_number(text, at, &mut atom);
    } else if is_han(c) {
    } else if c.is_alphabetic() {
        let mut end = rest.len();
        for (i, c) in rest.char_indices() {
            let joins = c == '\''
                && rest
                    .get(i + 1..)
                    .is_some_and(|after| after.starts_with(|c: char| c.is_alphabetic() && !is_han(c)));
            if (!c.is_alphabetic() || is_han(c)) && !joins {
                end = i;
                break;
            }
        }
        atom.span.1 = at + end;
    } else {
        atom.kind = Kind::Sign(c);
    }
    Some(atom)
}

/// Words, Chinese characters, numbers and signs, one after the other.
fn atoms(text: &str) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    let mut at = 0;
    let mut spaced = false;
    while let Some(atom) = atom_at(text, at, spaced) {
        let (from, to) = atom.span;
        let sign = match atom.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        };
        at = to;
        spaced = sign.is_some_and(char::is_whitespace);
        // A hyphen within a compound word says nothing.
        let hyphen = sign == Some('-')
            && found
                .last()
                .is_some_and(|before| before.kind == Kind::Word && before.span.1 == from)
            && text
                .get(to..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
        if (sign == Some('\n') || !spaced) && !hyphen {
            found.push(atom);
        }
    }
    found
}

/// The number that begins here: digits, grouped or not, with decimals, a power of ten, an ordinal's ending.
fn scan_number(text: &str, at: usize, atom: &mut Atom) {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let first = digits(at);
    let mut whole: String = text.get(at..at + first).unwrap_or_default().to_owned();
    let mut end = at + first;
    let mut grouped = None;
    if first <= 3 {
        while let Some(sign) = text.get(end..).and_then(|rest| rest.chars().next()) {
            let is_group = matches!(sign, ',' | '.' | '\'' | '_' | ' ' | '٬' | '’')
                && grouped.is_none_or(|before| before == sign)
                && digits(end + sign.len_utf8()) == 3;
            let is_apart = sign == ' ' && whole == "0";
            if !is_group || is_apart {
                break;
            }
            grouped = Some(sign);
            end += sign.len_utf8();
            whole.push_str(text.get(end..end + 3).unwrap_or_default());
            end += 3;
        }
    }
    let mut decimals = "";
    // "3,1,4,2" are four.
    let one_of_many = first == 1 && {
        let follows = |at: usize| matches!(bytes.get(at), Some(b'.' | b',')) && digits(at + 1) == 1;
        let before = at >= 2 && follows(at - 1) && bytes[at - 2].is_ascii_digit();
        before || follows(end) && follows(end + 2)
    };
    if let Some(sign @ (b'.' | b',')) = bytes.get(end).copied()
        && !one_of_many
        && digits(end + 1) > 0
        && (sign == b'.' || digits(end + 1) < 4)
        && Some(char::from(sign)) != grouped
    {
        let length = digits(end + 1);
        decimals = text.get(end + 1..end + 1 + length).unwrap_or_default();
        end += 1 + length;
    }
    let mut value = format!("{whole}.{decimals}0")
        .parse::<f64>()
        .ok()
        .unwrap_or(f64::MAX);
    if let Some(b'e') = bytes.get(end).copied() {
        let sign = usize::from(bytes.get(end + 1) == Some(&b'+'));
        let length = digits(end + 1 + sign);
        if (1..=2).contains(&length) {
            let from = end + 1 + sign;
            let power: i32 = text
                .get(from..from + length)
                .and_then(|power| power.parse().ok())
                .unwrap_or(99);
            value *= 10f64.powi(power);
            end = from + length;
            atom.is_other = true;
        }
    }
    atom.kind = Kind::Digits;
    atom.number = value;
    atom.is_other |= grouped.is_some() || !decimals.trim_end_matches('0').is_empty() || first > 1;
    let rest = text.get(end..).unwrap_or_default();
    for ending in [
        "st", "nd", "rd", "th", ".o", ".a", "ero", "era", "er", "ro", "do", "da", "ra", "to", "ta", "o", "a",
    ] {
        if let Some(after) = rest.strip_prefix(ending)
            && !after.starts_with(char::is_alphanumeric)
        {
            atom.is_ordinal = true;
            end += ending.len();
            break;
        }
    }
    atom.span.1 = end;
}

/// The tokens of a text in lower case.
pub(super) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let phrases = Phrases::of(language);
    let atoms = atoms(text);
    let mut found: Vec<Token> = Vec::with_capacity(atoms.len());
    let word = |atom: &Atom| text.get(atom.span.0..atom.span.1).unwrap_or_default();
    let mut at = 0;
    while let Some(atom) = atoms.get(at) {
        let mut token = Token {
            kind: atom.kind,
            classes: 0,
            number: atom.number,
            value: 0,
            is_other: atom.is_other,
            span: atom.span,
            spaced: atom.spaced,
        };
        let mut length = 1;
        if atom.kind == Kind::Digits {
            token.classes = if atom.is_ordinal {
                class::ORD | class::RANK
            } else {
                class::NUM
            };
            if atom.is_ordinal {
                token.kind = Kind::Word;
                token.value = atom.number as i8;
            }
        } else {
            let key = word(atom);
            let mut list = phrases.beginning(key);
            if list.is_empty() && !key.is_ascii() {
                // Genitives and accents that the lexicon does not have.
                let plain = key.strip_suffix("'s").map_or_else(|| unaccented(key), unaccented);
                list = phrases.beginning(&plain);
            }
            for most in [2, 1] {
                if list.is_empty() {
                    list = phrases.beginning(&curbed(key, most));
                }
            }
            if list.is_empty()
                && let Some(meant) = misspelt(key)
            {
                list = phrases.beginning(meant);
            }
            let fits = |phrase: &[&str], exactly: bool| {
                phrase.iter().enumerate().skip(1).all(|(i, part)| {
                    atoms.get(at + i).is_some_and(|atom| {
                        let said = word(atom);
                        said == *part || (!exactly && !said.is_ascii() && unaccented(said) == *part)
                    })
                })
            };
            // 两万一 is a number, though 万一 is a word.
            let times = found.last().is_some_and(Token::is_number)
                && list.last().is_some_and(|(phrase, meaning)| {
                    phrase.len() == 1 && meaning.classes & class::TIMES != 0
                });
            let list = if times { &list[list.len() - 1..] } else { list };
            let loose = list.iter().find(|(phrase, _)| fits(phrase, false));
            // Of those that are as long, the one that is written so.
            let exact = |length: usize| {
                let mut as_long = list.iter().filter(|(phrase, _)| phrase.len() == length);
                as_long.find(|(phrase, _)| fits(phrase, true))
            };
            if let Some((phrase, meaning)) = loose.and_then(|(phrase, _)| exact(phrase.len())).or(loose) {
                length = phrase.len();
                token.classes = meaning.classes;
                token.number = meaning.number;
                token.value = meaning.value;
                if token.is(class::NUM) {
                    token.kind = Kind::Spelt;
                } else if !matches!(token.kind, Kind::Sign(_)) || length > 1 {
                    token.kind = Kind::Word;
                }
                token.span.1 = atoms
                    .get(at + length - 1)
                    .map_or(token.span.1, |last| last.span.1);
            }
        }
        at += length;
        found.push(token);
    }
    combine(found)
}

/// Numbers of several words as one: "twenty-five thousand", 一万五, "1万5千".
fn combine(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let begins = token.is_number() || (token.is(class::TIMES) && (10.0..=100.0).contains(&token.number));
        if !(begins || token.is(class::TIMES) && token.number >= 1000.0) {
            out.push(*token);
            at += 1;
            continue;
        }
        let (mut total, mut section, mut current) = (0.0, 0.0, None::<f64>);
        let (mut unit, mut zero, mut used, mut multiplied) = (0.0, false, 0, false);
        let mut kind = Kind::Spelt;
        while let Some(next) = tokens.get(at + used) {
            // "y" within "treinta y cinco", "and" within "one hundred and five".
            let links = next.is(class::AND)
                && used > 0
                && tokens
                    .get(at + used + 1)
                    .is_some_and(|after| after.kind == Kind::Spelt)
                && tokens.get(at + used - 1).is_some_and(|before| {
                    (before.kind == Kind::Spelt && before.number >= 30.0 && before.number < 100.0)
                        || (before.is(class::TIMES) && before.number == 100.0)
                });
            if links {
                used += 1;
                continue;
            }
            if next.is(class::TIMES) {
                multiplied = true;
                let times = next.number;
                if times >= 10_000.0 {
                    total = (total
                        + section
                        + current
                            .take()
                            .unwrap_or(if section + total > 0.0 { 0.0 } else { 1.0 }))
                        * times;
                    section = 0.0;
                } else if times == 1000.0 {
                    section =
                        (section + current.take().unwrap_or(if section > 0.0 { 0.0 } else { 1.0 })) * times;
                } else {
                    section += current.take().unwrap_or(1.0) * times;
                }
                unit = times;
                zero = false;
            } else if next.is_number() {
                let is_zero = next.kind == Kind::Spelt && next.number == 0.0;
                let joins = match current {
                    None => used == 0 || unit > 0.0,
                    Some(before) => {
                        zero && before == 0.0
                            // "twelve and a half thousand"
                            || next.number == 0.5
                            || kind == Kind::Spelt
                                && next.kind == Kind::Spelt
                                && before >= 20.0
                                && (next.number < 10.0 || before >= 100.0 && next.number < 100.0)
                    }
                };
                if !joins
                    || (next.kind == Kind::Digits && next.is_other && used > 0)
                    || (used > 0 && next.spaced && next.kind == Kind::Digits)
                {
                    break;
                }
                if next.kind == Kind::Digits {
                    kind = Kind::Digits;
                }
                zero = is_zero;
                current = Some(current.unwrap_or(0.0) + next.number);
            } else {
                break;
            }
            used += 1;
        }
        let rest = current.unwrap_or(0.0);
        // 一万五 is 15,000: the digit stands for the next lower unit.
        let colloquial = unit >= 100.0
            && unit != 1_000_000.0
            && !zero
            && rest > 0.0
            && rest < 10.0
            && is_chinese(&tokens, at, used);
        let value = total + section + if colloquial { rest * unit / 10.0 } else { rest };
        let last = tokens.get(at + used.max(1) - 1).unwrap_or(token);
        out.push(Token {
            kind,
            classes: class::NUM | if used == 1 { token.classes } else { 0 },
            number: value,
            value: 0,
            is_other: token.is_other || multiplied || used > 1,
            span: (token.span.0, last.span.1),
            spaced: token.spaced,
        });
        at += used.max(1);
    }
    out
}

/// Whether the unit before the last digit is a Chinese character, which is one character of three bytes.
fn is_chinese(tokens: &[Token], at: usize, used: usize) -> bool {
    used >= 2
        && tokens.get(at + used - 2).is_some_and(|unit| {
            let is_han = unit.span.1 - unit.span.0 == 3 || unit.number == 10_000.0;
            unit.is(class::TIMES) && is_han && unit.number != 1_000_000.0
        })
        && tokens
            .get(at + used - 1)
            .is_some_and(|last| last.span.1 - last.span.0 <= 3)
}
