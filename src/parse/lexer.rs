//! Cuts an answer into marks: numbers, the words of the lexicon, punctuation. It says what stands
//! where; what follows from that is for the readers.

use super::lexicon::TABLE;
use super::noise;
use crate::sorted::sort_few;
use std::sync::LazyLock;

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A digit standing for itself, 0 to 9.
    Digit(u8),
    /// A number that cannot be a choice: an amount, a round, a share, a count.
    Amount,
    Cardinal(u8),
    Ordinal(u8),
    Noun,
    Plural,
    Round,
    Occasion,
    I,
    My,
    Other,
    OtherVerb,
    Label,
    Choose,
    ChooseMine,
    Prefer,
    Not,
    Versus,
    Because,
    Reason,
    So,
    But,
    And,
    Or,
    Earlier,
    If,
    Correction,
    Joiner,
    Floor,
    Average,
    Range,
    Constraint,
    Plain,
    Comma,
    Stop,
    Question,
    Open,
    Close,
    Colon,
    Dash,
    Line,
}

/// A span of the folded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A folded text with its marks in order.
#[derive(Debug)]
pub(super) struct Lexed {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
}

impl Lexed {
    /// Reads a normalised text.
    pub(super) fn new(normal: &str) -> Self {
        let text = fold(normal);
        let mut marks = Scanner {
            text: &text,
            marks: Vec::with_capacity(text.len() / 4 + 4),
        }
        .run();
        noise::drop(&text, &mut marks);
        Self { text, marks }
    }

    /// The text between two neighbouring marks, trimmed.
    pub(super) fn gap(&self, before: usize) -> &str {
        let (Some(a), Some(b)) = (self.marks.get(before), self.marks.get(before + 1)) else {
            return "";
        };
        self.text.get(a.end..b.start).unwrap_or_default().trim()
    }

    /// The text of a mark.
    pub(super) fn text_at(&self, at: usize) -> &str {
        self.marks
            .get(at)
            .and_then(|mark| self.text.get(mark.start..mark.end))
            .unwrap_or_default()
    }

    /// The kind of a mark.
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.marks.get(at).map(|mark| mark.kind)
    }
}

/// Lower case, no accents (but a last `í` or `ó`), plain quotes, one space at most between words.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let ends_word = !rest.peek().is_some_and(|next| next.is_alphanumeric());
        match character {
            'A'..='Z' => out.push(character.to_ascii_lowercase()),
            '-' | '‐' if out.ends_with(is_latin) && rest.peek().is_some_and(|next| is_latin(*next)) => {
                out.push(' ')
            }
            ' ' if out.ends_with([' ', '\n']) => {}
            '\n' => {
                if out.ends_with(' ') {
                    out.pop();
                }
                out.push('\n');
            }
            _ if character.is_ascii() => out.push(character),
            'í' | 'Í' if ends_word => out.push('í'),
            'ó' | 'Ó' if ends_word => out.push('ó'),
            'á' | 'à' | 'â' | 'ä' | 'Á' | 'À' => out.push('a'),
            'é' | 'è' | 'ê' | 'É' => out.push('e'),
            'í' | 'ì' | 'ï' | 'Í' => out.push('i'),
            'ó' | 'ò' | 'ö' | 'Ó' => out.push('o'),
            'ú' | 'ù' | 'ü' | 'Ú' | 'Ü' => out.push('u'),
            'ñ' | 'Ñ' => out.push('n'),
            '’' | '‘' | 'ʼ' => out.push('\''),
            '“' | '”' | '«' | '»' | '„' | '「' | '」' | '『' | '』' => out.push('"'),
            '—' | '–' | '−' | '―' => out.push('—'),
            '。' | '．' => out.push('。'),
            '¿' | '¡' => {}
            _ => out.extend(character.to_lowercase()),
        }
    }
    out
}

/// A letter of the Latin alphabet as folded text has them.
pub(super) fn is_latin(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, 'í' | 'ó' | 'à'..='ö' | 'ø'..='ÿ')
}

/// Phrases with what they mean, found at a place in a text.
pub(super) struct Lexicon<K> {
    /// By the first two characters, sorted; the longest phrases first.
    buckets: Vec<(Start, Vec<Entry<K>>)>,
}

/// The first two characters of a phrase; a phrase of one has no second.
type Start = (char, Option<char>);

struct Entry<K> {
    phrase: &'static str,
    goes_on: bool,
    kind: K,
}

impl<K: Copy> Lexicon<K> {
    /// Reads a table of phrases separated by `|`.
    pub(super) fn new(table: &[(K, &'static str)]) -> Self {
        let mut buckets: Vec<(Start, Vec<Entry<K>>)> = Vec::new();
        for &(kind, words) in table {
            for word in words.split('|') {
                let phrase = word.trim_end_matches('~');
                let mut characters = phrase.chars();
                let Some(first) = characters.next() else {
                    continue;
                };
                let start = (first, characters.next());
                let entry = Entry {
                    phrase,
                    goes_on: phrase.len() < word.len(),
                    kind,
                };
                match buckets.binary_search_by_key(&start, |bucket| bucket.0) {
                    Ok(at) => buckets[at].1.push(entry),
                    Err(at) => buckets.insert(at, (start, vec![entry])),
                }
            }
        }
        for (_, bucket) in &mut buckets {
            sort_few(bucket, |a, b| a.phrase.len() > b.phrase.len());
        }
        Self { buckets }
    }

    /// The kind and length of the longest phrase that the text begins with; Latin ones match whole
    /// words only.
    pub(super) fn look_up(&self, text: &str) -> Option<(K, usize)> {
        let mut characters = text.chars();
        let first = characters.next()?;
        let second = characters.next();
        let of_two = second.and_then(|_| self.among((first, second), text));
        of_two.or_else(|| self.among((first, None), text))
    }

    fn among(&self, start: Start, text: &str) -> Option<(K, usize)> {
        let at = self
            .buckets
            .binary_search_by_key(&start, |bucket| bucket.0)
            .ok()?;
        self.buckets.get(at)?.1.iter().find_map(|entry| {
            let after = text.strip_prefix(entry.phrase)?;
            if !entry.phrase.ends_with(is_latin) {
                return Some((entry.kind, entry.phrase.len()));
            }
            let tail = word_length(after);
            (tail == 0 || entry.goes_on).then_some((entry.kind, entry.phrase.len() + tail))
        })
    }
}

/// Bytes of the word that a text begins with; letters and apostrophes.
pub(super) fn word_length(text: &str) -> usize {
    text.find(|c| !is_latin(c) && c != '\'').unwrap_or(text.len())
}

static LEXICON: LazyLock<Lexicon<Kind>> = LazyLock::new(|| Lexicon::new(TABLE));

/// Letters before a digit that still let it stand for itself ("v2", "principle3").
const GLUED: [&str; 4] = ["v", "p", "n", "q"];

struct Scanner<'a> {
    text: &'a str,
    marks: Vec<Mark>,
}

impl Scanner<'_> {
    fn run(mut self) -> Vec<Mark> {
        let mut at = 0;
        while let Some(character) = self.rest(at).chars().next() {
            at = match character {
                '0'..='9' => self.number(at),
                'a'..='z' | 'í' | 'ó' => self.word(at),
                ' ' | '"' | '\'' => at + character.len_utf8(),
                _ if character.is_ascii() || matches!(character, '。' | '、' | '—' | '…') => {
                    self.sign(at, character)
                }
                _ => self.other(at, character),
            };
        }
        self.marks
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        self.marks.push(Mark { kind, start, end });
        end
    }

    fn word(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let abbreviated = rest.strip_prefix("no.").or_else(|| rest.strip_prefix("num."));
        if let Some(after) = abbreviated {
            let numbered = after.trim_start().starts_with(|c: char| c.is_ascii_digit());
            if numbered {
                let end = self.text.len() - after.len();
                return self.push(Kind::Noun, at, end);
            }
        }
        if let Some((kind, length)) = LEXICON
            .look_up(rest)
            .filter(|(_, length)| !rest.starts_with("no.") || *length > 3)
        {
            return self.push(kind, at, at + length);
        }
        let length = word_length(rest).max(1);
        let word = rest.get(..length).unwrap_or_default();
        if word == "no" {
            return self.push(Kind::Not, at, at + length);
        }
        if word.ends_with("'s") && !CONTRACTIONS.contains(&word) {
            return self.push(Kind::Other, at, at + length);
        }
        at + length
    }

    fn other(&mut self, at: usize, character: char) -> usize {
        match LEXICON.look_up(self.rest(at)) {
            Some((kind, length)) => self.push(kind, at, at + length),
            None => at + character.len_utf8(),
        }
    }

    fn sign(&mut self, at: usize, sign: char) -> usize {
        let end = at + sign.len_utf8();
        let kind = match sign {
            ',' | '、' => Kind::Comma,
            '.' | ';' | '!' | '。' => Kind::Stop,
            '…' => Kind::Comma,
            '?' => Kind::Question,
            '(' | '[' | '{' => Kind::Open,
            ')' | ']' | '}' => Kind::Close,
            ':' | '=' => Kind::Colon,
            '/' => Kind::Or,
            '&' => Kind::And,
            '+' => Kind::Joiner,
            '#' => Kind::Noun,
            '>' | '<' | '~' => return self.other(at, sign),
            '\n' => Kind::Line,
            '—' => Kind::Dash,
            '-' => {
                let spaced = !self.rest(end).starts_with(|c: char| c.is_ascii_digit());
                if spaced { Kind::Dash } else { return end }
            }
            _ => return end,
        };
        self.push(kind, at, end)
    }

    /// A run of digits with its grouping, and what its surroundings make of it.
    fn number(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
        let mut end = at;
        let mut grouped = false;
        loop {
            while digit(end) {
                end += 1;
            }
            let joins = match bytes.get(end) {
                Some(b'.') => digit(end + 1),
                Some(b',' | b' ') => digit(end + 1) && digit(end + 2) && digit(end + 3) && !digit(end + 4),
                _ => false,
            };
            if !joins {
                break;
            }
            grouped = true;
            end += 1;
        }
        let run = self.text.get(at..end).unwrap_or_default();
        let value = match run.strip_suffix(".0").unwrap_or(run).as_bytes() {
            [one] => Some(one - b'0'),
            _ => None,
        };
        let before = self.text.get(..at).unwrap_or_default();
        let after = self.rest(end);
        let negative = before
            .strip_suffix('-')
            .is_some_and(|left| !left.ends_with(char::is_alphanumeric) && !left.ends_with('-'));
        let money = before.trim_end().ends_with(['$', '€', '£', '¥']);
        let letters = before.len() - before.trim_end_matches(is_latin).len();
        let glued = before.get(before.len() - letters..).unwrap_or_default();
        let foreign = letters > 0
            && !GLUED.contains(&glued)
            && !self.marks.last().is_some_and(|mark| {
                mark.end == at && matches!(mark.kind, Kind::Noun | Kind::Label | Kind::Choose)
            });
        let (unit, suffix) = unit(after);
        let parts = grouped && !run.ends_with(".0");
        let stands = !(negative || money || foreign || unit || parts);
        let end = end + suffix;
        match value.filter(|_| stands) {
            Some(value) => self.push(Kind::Digit(value), at, end),
            None => self.push(Kind::Amount, at, end),
        }
    }
}

const CONTRACTIONS: [&str; 12] = [
    "it's",
    "that's",
    "let's",
    "there's",
    "what's",
    "here's",
    "today's",
    "round's",
    "who's",
    "how's",
    "where's",
    "principle's",
];

/// Letters that make an ordinal of a digit, after NFKC ("3rd", "2o", "1a").
const ORDINAL_ENDINGS: [&str; 12] = [
    "st", "nd", "rd", "th", "o", "a", "er", "ro", "ra", "do", "da", "to",
];

/// Units that make an amount of a number.
const UNITS: [&str; 14] = [
    "k",
    "m",
    "mil",
    "thousand",
    "million",
    "percent",
    "usd",
    "dollars",
    "dollar",
    "dolares",
    "euros",
    "hundred",
    "por ciento",
    "pesos",
];

/// Whether a unit follows a number, and how many bytes after the number belong to it.
fn unit(after: &str) -> (bool, usize) {
    if after.starts_with(['%', '千', '万', '百', '元', '块', '票']) {
        return (true, 0);
    }
    let spaced = after.strip_prefix(' ').unwrap_or(after);
    let length = spaced.find(|c| !is_latin(c)).unwrap_or(spaced.len());
    let word = spaced.get(..length).unwrap_or_default();
    if UNITS.contains(&word) || spaced.starts_with("por ciento") || spaced.starts_with('%') {
        return (true, 0);
    }
    if after.len() != spaced.len() || word.is_empty() {
        return (false, 0);
    }
    match ORDINAL_ENDINGS.contains(&word) {
        true => (false, length),
        false => (true, 0),
    }
}
