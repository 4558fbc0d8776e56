//! The first pass: an answer in one form, cut into tokens. Not for what the words mean.

use super::normalize::normalize;
use super::words::Words;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Answers longer than this, in bytes, are declined.
pub(super) const LONGEST: usize = 180_000;

/// Traditional characters in order, and in the next line their simplified forms.
const TRADITIONAL: &str = include_str!("traditional.txt");

/// The key of a token: a word or mark of the data, or one of these.
pub(super) mod key {
    /// A word that the data do not have.
    pub(crate) const UNKNOWN: u32 = 0;
    /// A number in digits.
    pub(crate) const NUMBER: u32 = 1;
    /// A mention of a value; its number is the value.
    pub(crate) const MENTION: u32 = 2;
    /// A number that counts something else, or an amount where none was asked for.
    pub(crate) const NEUTRAL: u32 = 3;
    /// The end of a sentence.
    pub(crate) const STOP: u32 = 4;
    /// The end of a sentence that asks.
    pub(crate) const ASKS: u32 = 5;
    /// The end of a line.
    pub(crate) const LINE: u32 = 6;
    /// The number of an item at the beginning of a line.
    pub(crate) const PLACE: u32 = 7;
    /// A person referred to by a number.
    pub(crate) const PERSON: u32 = 8;
    /// The first word of the data.
    pub(crate) const WORDS: u32 = 16;
    /// The first of the marks, which follow in the order of their characters.
    const MARKS: u32 = 1 << 24;

    pub(crate) fn of_mark(mark: char) -> u32 {
        match mark {
            '.' | '。' | '!' | '！' | '…' => STOP,
            '?' | '？' => ASKS,
            '\n' => LINE,
            '，' => of_mark(','),
            '；' => of_mark(';'),
            '：' => of_mark(':'),
            mark => MARKS + u32::from(mark),
        }
    }

    pub(crate) fn is_word(key: u32) -> bool {
        key == UNKNOWN || (WORDS..MARKS).contains(&key)
    }
}

/// A word, number or mark of the normalised text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token {
    pub(super) key: u32,
    /// The value of a mention or number; the weight of a word, 1 for a Chinese character and 2 for any other.
    pub(super) number: f64,
    /// Bytes of the normalised text.
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Token {
    pub(super) fn is_end(self) -> bool {
        matches!(self.key, key::STOP | key::ASKS | key::LINE)
    }
    /// Whether it is a word, known or not.
    pub(super) fn is_word(self) -> bool {
        key::is_word(self.key)
    }
}

/// The answer in lower case and one form: thinking, markup and struck text removed, quotes, dashes and digits unified,
/// ticked boxes written as `answer:`.
pub(super) fn plain(text: &str) -> String {
    let text = with_numbers(&without_ordinals(&unboxed(&without_struck(text))));
    let mut lines = String::with_capacity(text.len());
    for line in ticked_row(&normalize(&unified(&text))).lines() {
        let start = line.trim_start().trim_start_matches(['-', '•', '>', '#', ' ']);
        let unticked = ["[ ]", "[]", "☐", "□"];
        let ticked = ["[x]", "[X]", "[✓]", "[v]", "☑", "☒", "✅", "✔"];
        if unticked.iter().any(|sign| start.starts_with(sign)) {
            continue;
        }
        match ticked.iter().find_map(|sign| start.strip_prefix(sign)) {
            Some(rest) => {
                lines.push_str("answer: ");
                lines.push_str(rest);
            }
            None => lines.push_str(line),
        }
        lines.push('\n');
    }
    let lower = unified(&lines.to_lowercase());
    lower.trim().to_owned()
}

/// A table in which one row is ticked, as that row: `| 2 | ✅ |` as `answer: 2`.
fn ticked_row(text: &str) -> String {
    const TICKS: [char; 4] = ['✅', '✔', '☑', '✓'];
    let is_row = |line: &&str| line.trim_start().starts_with('|');
    let ticked: Vec<&str> = text
        .lines()
        .filter(is_row)
        .filter(|row| row.contains(TICKS))
        .collect();
    let [row] = ticked[..] else {
        return text.to_owned();
    };
    let cells = row.split('|').map(|cell| cell.replace(TICKS, ""));
    let cells: Vec<String> = cells.filter(|cell| !cell.trim().is_empty()).collect();
    let others = text.lines().filter(|line| !is_row(line));
    let answer = format!("answer: {}", cells.join(", "));
    others
        .map(str::to_owned)
        .chain([answer])
        .collect::<Vec<_>>()
        .join("\n")
}

fn unified(text: &str) -> String {
    let one = |c: char| match c {
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '《' | '》' => '"',
        '‘' | '’' | 'ʼ' | '´' => '\'',
        '–' | '—' | '−' | '‑' | '―' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        '\u{660}'..='\u{669}' => shifted(c, 0x660),
        '\u{6f0}'..='\u{6f9}' => shifted(c, 0x6f0),
        '\u{966}'..='\u{96f}' => shifted(c, 0x966),
        '➊'..='➍' => shifted(c, 0x2789),
        '❶'..='❹' => shifted(c, 0x2775),
        '٬' => ',',
        '【' => '[',
        '】' => ']',
        c => simplified(c),
    };
    text.chars().map(one).collect()
}

fn shifted(c: char, zero: u32) -> char {
    char::from_digit(c as u32 - zero, 10).unwrap_or(c)
}

fn simplified(c: char) -> char {
    if !is_han(c) {
        return c;
    }
    let Some((traditional, simplified)) = TRADITIONAL.split_once('\n') else {
        return c;
    };
    // Each takes three bytes.
    let at = |text: &str, place: usize| text.get(place * 3..).and_then(|rest| rest.chars().next());
    let (mut from, mut to) = (0, traditional.len() / 3);
    while from < to {
        let middle = (from + to) / 2;
        match at(traditional, middle).map_or(Ordering::Greater, |known| known.cmp(&c)) {
            Ordering::Equal => return at(simplified, middle).unwrap_or(c),
            Ordering::Less => from = middle + 1,
            Ordering::Greater => to = middle,
        }
    }
    c
}

/// `$\boxed{3}$` as `3`.
fn unboxed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\boxed{") {
        let (inside, behind) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before.strip_suffix('$').unwrap_or(before));
        out.push_str(inside);
        rest = behind.strip_prefix('$').unwrap_or(behind);
    }
    out + rest
}

/// `1.º` and `1º` as `1.`
fn without_ordinals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_behind = |out: &str| out.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit());
    for c in text.chars() {
        match c {
            'º' | 'ª' | '°' if is_behind(&out) => {
                if !out.ends_with('.') {
                    out.push('.');
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// Medals, and the letters of a list from a to d, as numbers: `b) text` as `2. text`.
fn with_numbers(text: &str) -> String {
    let text = ["🥇", "🥈", "🥉"]
        .into_iter()
        .zip(["1. ", "2. ", "3. "])
        .fold(text.to_owned(), |text, (medal, number)| {
            text.replace(medal, number)
        });
    let lettered = |line: &str| {
        let (mark, rest) = line.trim_start().split_once([')', '.'])?;
        let letter = mark.trim_start_matches(['(', '-', '*', ' ']);
        let place = ["a", "b", "c", "d"]
            .iter()
            .position(|one| letter.eq_ignore_ascii_case(one))?;
        rest.starts_with(' ').then(|| format!("{}.{rest}", place + 1))
    };
    let lines: Vec<Option<String>> = text.lines().map(lettered).collect();
    if lines.iter().flatten().count() < 4 {
        return text;
    }
    let lines = lines.into_iter().zip(text.lines());
    let lines: Vec<String> = lines
        .map(|(new, line)| new.unwrap_or_else(|| line.to_owned()))
        .collect();
    lines.join("\n")
}

/// Without `~~text~~`, where it is closed in its line.
fn without_struck(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let parts: Vec<&str> = line.split("~~").collect();
        let is_closed = parts.len() % 2 == 1;
        for (at, part) in parts.iter().enumerate() {
            if at % 2 == 0 || !is_closed {
                out.push_str(part);
            }
        }
    }
    out
}

/// Words alone, to compare by: in one form, lower case, without accents and marks.
pub(super) fn word_key(text: &str) -> String {
    let plain = super::words::unaccented(&plain(text)).replace('\'', "");
    let words = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

pub(super) fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c) || c == '〇'
}

/// Cuts a plain text into tokens.
pub(super) fn tokens(text: &str, words: &Words) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let end = at + word_length(rest, c);
        let part = text.get(at..end).unwrap_or_default();
        let mut put = |key, number, from, to| {
            found.push(Token {
                key,
                number,
                from,
                to,
            })
        };
        if c.is_whitespace() && c != '\n' {
        } else if c.is_ascii_digit() {
            put(key::NUMBER, plain_number(part).unwrap_or(f64::NAN), at, end);
        } else if is_han(c) || c.is_alphabetic() {
            let weight = if is_han(c) { 1.0 } else { 2.0 };
            words.spell(part, &mut |key| put(key, weight, at, end));
        } else {
            put(key::of_mark(c), 0.0, at, end);
        }
        at = end;
    }
    places(&mut found, text);
    found
}

/// Bytes of the word, number or mark that the text begins with.
fn word_length(text: &str, first: char) -> usize {
    if first.is_ascii_digit() {
        return number_length(text);
    }
    if is_han(first) || !first.is_alphabetic() {
        return first.len_utf8();
    }
    let is_part =
        |c: char| c.is_alphabetic() && !is_han(c) || c == '\'' || ('\u{300}'..='\u{36f}').contains(&c);
    let word = text.find(|c| !is_part(c)).map_or(text, |end| &text[..end]);
    word.trim_end_matches('\'').len()
}

/// Digits with `.`, `,`, `'` or one space between groups.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(text);
    let mut end = first;
    while let Some(sign) = text[end..].chars().next() {
        let more = digits(&text[end + sign.len_utf8()..]);
        let is_group = match sign {
            // "3,13000" are two numbers.
            ',' => (1..=3).contains(&more) && (first > 1 || more == 3 || end > first),
            '.' | '\'' | '_' => more > 0,
            ' ' => more == 3 && first <= 3,
            _ => false,
        };
        if !is_group {
            break;
        }
        end += sign.len_utf8() + more;
    }
    end
}

/// A whole number without separators.
fn plain_number(text: &str) -> Option<f64> {
    let text = text.strip_suffix(".0").unwrap_or(text);
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// Numbers at the beginning of two lines or more, with `.` or `)`, are places of a list.
fn places(tokens: &mut Vec<Token>, text: &str) {
    let is_start = |tokens: &[Token], at: usize| {
        let before = tokens[..at].iter().rev();
        let mut before = before.skip_while(|token| {
            matches!(
                text.get(token.from..token.to),
                Some("-" | "(" | "*" | "#" | "•" | ">")
            )
        });
        before.next().is_none_or(|token| token.key == key::LINE)
    };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let token = tokens[at];
        let closes = tokens.get(at + 1).filter(|next| {
            next.from == token.to && matches!(text.get(next.from..next.to), Some("." | ")" | "、"))
        });
        // The first cell of a row.
        let is_cell = |at: usize| {
            at.checked_sub(1)
                .is_some_and(|bar| tokens[bar].key == key::of_mark('|') && is_start(tokens, bar))
        };
        let cell = tokens
            .get(at + 1)
            .filter(|next| next.key == key::of_mark('|') && is_cell(at));
        if token.key == key::NUMBER && token.number <= 20.0 && cell.is_some() {
            // Of two bare numbers either may be the place.
            let is_bare = |at: usize, key| tokens.get(at).is_some_and(|token| token.key == key);
            if is_bare(at + 2, key::NUMBER) && is_bare(at + 3, key::of_mark('|')) {
                continue;
            }
            found.push(at);
            continue;
        }
        let spaced = closes.is_some_and(|next| {
            let is_point = text.get(next.from..next.to) == Some(".");
            text[next.to..].starts_with(|c: char| c != '\n' && !(is_point && c.is_ascii_digit()))
        });
        if token.key == key::NUMBER && token.number <= 20.0 && spaced && is_start(tokens, at) {
            found.push(at);
        }
    }
    let rises = found
        .windows(2)
        .any(|pair| tokens[pair[0]].number + 1.0 == tokens[pair[1]].number);
    if !rises {
        return;
    }
    let marks: BTreeSet<usize> = found.iter().map(|at| at + 1).collect();
    for at in found {
        tokens[at].key = key::PLACE;
        tokens[at].to = tokens[at + 1].to;
    }
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !marks.contains(&(at - 1))
    });
}
