//! Lines such as `CHOICE: bob` in an answer: bullets and mark-up off, the label apart from its value,
//! figures in the ways people write them. Which labels there are is the readers' business.

use super::clean::simplified;
use super::one_form::one_form;
use super::token::{class, entries, heads, tokens, unaccented};
use crate::language::Language;
use serde_json::Value;
use std::borrow::Cow;

/// Words only, to compare by: lower case, no accents, anything else than letters and digits is one space.
pub(super) fn key(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut apart = false;
    let mut put = |character: char, is_word: bool| {
        if !is_word {
            apart = !out.is_empty();
            return;
        }
        if std::mem::take(&mut apart) {
            out.push(' ');
        }
        out.push(character);
    };
    if text.is_ascii() {
        let signs = text.bytes().filter(|byte| *byte != b'\'');
        signs.for_each(|byte| {
            put(
                char::from(byte.to_ascii_lowercase()),
                byte.is_ascii_alphanumeric(),
            )
        });
        return out;
    }
    // Twice: a small letter may have another form than its capital.
    for character in unaccented(&one_form(&one_form(text).to_lowercase())).chars() {
        if !matches!(character, '\'' | '’' | '‘' | 'ʼ') {
            put(simplified(character), character.is_alphanumeric());
        }
    }
    out
}

/// A value without the blank that was to be filled in: "[0 to 10] 6", "[list the issues]".
fn filled(value: &str) -> &str {
    let Some((blank, rest)) = value.strip_prefix('[').and_then(|value| value.split_once(']')) else {
        return value;
    };
    let is_told =
        blank.contains(' ') && blank.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    match rest.trim() {
        _ if !is_told => value,
        rest => rest,
    }
}

/// A line without what stands before its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Whether it is an item of a list.
    pub(super) is_item: bool,
    /// What it says.
    pub(super) text: &'a str,
}

/// Marks that a line may begin with and that say nothing.
const MARKUP: [char; 6] = ['#', '>', '*', '_', '`', '~'];

impl<'a> Line<'a> {
    /// Takes bullets, numbers of a list and mark-up off both ends.
    pub(super) fn of(line: &'a str) -> Self {
        let mut is_item = false;
        let mut text = line.trim();
        // A line has few marks before its words; a line of nothing but marks is cut down all the same.
        for _ in 0..8 {
            let before = text;
            if let Some(rest) =
                bullet(text).or_else(|| marked(text).filter(|_| !is_item).map(|(_, rest)| rest))
            {
                is_item = true;
                text = rest;
            } else {
                text = text.trim_start_matches(MARKUP);
            }
            text = text.trim_start();
            if text == before {
                break;
            }
        }
        Self {
            is_item,
            text: text.trim_end_matches(['*', '_', '`']).trim_end(),
        }
    }

    /// The label before the first colon as [`key`] gives it, and what follows.
    pub(super) fn label(self) -> Option<(String, &'a str)> {
        let cells = self.text.strip_prefix('|').and_then(|row| row.split_once('|'));
        if let Some((label, value)) = cells {
            return (label.chars().count() <= 48)
                .then(|| (key(label), unmarked(value.trim_end().trim_end_matches('|'))));
        }
        let dash = || {
            let dashes = [" - ", " – ", " — ", "——"].into_iter();
            // Most lines have none.
            let has_one = !self.text.is_ascii() || self.text.contains('-');
            dashes.filter(|_| has_one).find_map(|dash| self.text.find(dash))
        };
        // "Another round? Yes"
        let asked = self.text.find(['?', '？']).filter(|at| {
            self.text
                .get(*at..)
                .is_some_and(|rest| rest.chars().nth(1).is_some())
        });
        let Some(at) = asked.or_else(|| self.text.find([':', '：', '=', '→'])) else {
            let (label, rest) = self.text.split_at(dash()?);
            let value = rest.trim_start_matches([' ', '-', '–', '—']);
            return (label.chars().count() <= 16).then(|| (key(label), unmarked(value)));
        };
        let (label, rest) = self.text.split_at(at);
        let value = rest.trim_start_matches([':', '：', '=', '→', '?', '？']);
        (label.chars().count() <= 48).then(|| (key(label), filled(unmarked(value))))
    }
}

/// Without emphasis and blanks at both ends.
pub(super) fn unmarked(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'))
}

/// Without emphasis, quotes, brackets, commas and full stops at both ends.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`\"'“”‘’«»「」『』[]<>(){},.;。，；".contains(c))
}

/// What follows a bullet.
fn bullet(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix([
        '-', '•', '–', '—', '·', '‣', '+', '→', '➤', '▪', '●', '◦', '○', '■', '✗', '✘',
    ]) {
        return Some(rest);
    }
    text.strip_prefix('*').filter(|rest| rest.starts_with(' '))
}

/// The place that a mark of a list tells, and what follows it: `1.`, `(1)`, `1ª)`, `a)`, `A.`, `①`, `一、`, `甲、`, 第一，
/// 其一，. A letter or a stem counts to ten.
pub(super) fn marked(text: &str) -> Option<(usize, &str)> {
    let inside = text.strip_prefix(['(', '（', '第', '其', '[']).unwrap_or(text);
    let is_han = text.starts_with(['第', '其']);
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = inside.len() - rest.len();
    if digits > 0 {
        let place = inside.get(..digits)?.parse().ok().filter(|_| digits <= 3)?;
        let ordinal = rest.strip_prefix(['ª', 'º', '°']).unwrap_or(rest);
        let after = closed(ordinal, is_han)?;
        // "1.5 seconds", but "（1）2万".
        let is_figure =
            !ordinal.starts_with([')', '）', ']']) && after.starts_with(|c: char| c.is_ascii_digit());
        return (!is_figure).then_some((place, after));
    }
    const ROMAN: [&str; 6] = ["i", "ii", "iii", "iv", "v", "vi"];
    if inside.len() < text.len() {
        let roman = inside.split([')', '.']).next()?.to_lowercase();
        if let Some(place) = ROMAN.iter().position(|one| roman == *one) {
            return Some((place + 1, closed(inside.get(roman.len()..)?, false)?));
        }
    }
    let sign = inside.chars().next()?;
    let rest = inside.get(sign.len_utf8()..)?;
    let after = match sign {
        '①'..='⑩' => closed(rest, false).unwrap_or(rest),
        '一' | '二' | '三' | '四' | '五' if rest.starts_with('是') => closed(rest, true)?,
        _ => closed(rest, is_han)?,
    };
    let place = heads("list signs").find_map(|signs| signs.chars().position(|one| one == sign))? + 1;
    // "A. B. Smith", "a.m."
    let letter = sign.is_ascii();
    (!letter || text.starts_with('(') || after.starts_with(' ') || !after.is_ascii())
        .then_some((place, after))
}

/// What follows the sign that ends a mark.
fn closed(text: &str, is_han: bool) -> Option<&str> {
    let ends: &[char] = if is_han {
        &['，', ',', '、', '：', ':', '是', '条']
    } else {
        &['.', ')', '）', '、', '．', ']']
    };
    text.strip_prefix(ends)
        .map(|after| after.strip_prefix(['，', ',', '、', '：', ':']).unwrap_or(after))
}

/// Elements as lines with labels: `<choice>Ana</choice>` is `choice: Ana`, `<item>` an item of a list.
pub(super) fn untagged(text: &str) -> Cow<'_, str> {
    // "[ISSUES] 1. … [SUGGESTIONS] …"
    let bracket = |open: char, close: char| {
        let mut parts = text.split(open).skip(1);
        let is_label = |part: &str| {
            part.split_once(close).is_some_and(|(name, _)| {
                name.chars()
                    .all(|c| c.is_uppercase() || c == ' ' || c as u32 > 0x2e7f)
            })
        };
        text.starts_with(open) && parts.clone().count() > 1 && parts.all(is_label)
    };
    for (open, close) in [('[', ']'), ('【', '】')] {
        if bracket(open, close) {
            return Cow::Owned(text.replace(open, "\n").replace(close, ": "));
        }
    }
    if !text.contains("</") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let name = after.split('>').next().unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let (plain, ends) = (name.trim_start_matches('/'), name.starts_with('/'));
        out.push_str(before);
        if plain.is_empty() || name.len() > 32 || !plain.chars().all(is_name) || name.len() == after.len() {
            out.push('<');
            rest = after;
            continue;
        }
        rest = after.get(name.len() + 1..).unwrap_or_default();
        match (listed("b|i|u|em|strong|code|span|mark|small", plain), ends) {
            (true, _) => {}
            (_, true) => out.push('\n'),
            _ if listed("item|li|point", plain) => out.push_str("\n- "),
            _ if listed("p|br|div|ul|ol|answer|response|output|list", plain) => out.push('\n'),
            _ => {
                out.push('\n');
                out.push_str(plain);
                out.push_str(": ");
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a word is one of a table, `a|b|c`.
pub(super) fn listed(table: &str, word: &str) -> bool {
    entries(table).any(|entry| entry == word)
}

/// The first of the object's values whose key is one of `labels` (`a|b|c`, as [`key`] gives them).
pub(super) fn field<'a>(object: &'a Value, labels: &str) -> Option<&'a Value> {
    let fields = object.as_object()?;
    entries(labels).find_map(|label| {
        let found = fields.iter().find(|(name, _)| same_letters(&key(name), label));
        found.map(|(_, value)| value)
    })
}

fn same_letters(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
    letters(one) == letters(other)
}

/// A JSON value as its text.
pub(super) fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// What a figure is a part of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// It says nothing.
    Plain,
    /// Of a hundred.
    Percent,
    /// Of this many: `7/10`.
    Of(f64),
}

/// Words beside a figure with which it is not the figure that is meant.
pub(super) const BOUNDS: u64 = class::NEG
    | class::MORE
    | class::BETWEEN
    | class::RATHER
    | class::IF
    | class::OR
    | class::PAST
    | class::OTHER
    | class::FROM
    | class::TO
    | class::MAYBE
    | class::CORRECT;

/// Whether a word of the text is of these classes.
pub(super) fn holds(text: &str, classes: u64) -> bool {
    let lower = text.to_lowercase();
    !lower.is_empty()
        && tokens(&lower, Language::English)
            .iter()
            .any(|token| token.is(classes))
}

/// The first figure of a text, with what it is a part of. A range, a negative or a list gives none.
pub(super) fn figure(text: &str) -> Option<(f64, Scale)> {
    let mut text = one_form(text);
    // ".7" is 0.7.
    if text
        .trim_start()
        .strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        text = format!("0{}", text.trim_start());
    }
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (before, from) = text.split_at(start);
    if before.trim_end().ends_with(['-', '−', '.', '<', '>']) || holds(before, BOUNDS) {
        return None;
    }
    let (value, rest) = leading(from)?;
    let rest = rest.trim_start();
    // "7, no, 6", "6 points lower than", "2 strong points, 7": another figure or a bound may be meant instead.
    let ends = |c: char| matches!(c, '(' | '（' | '.' | '。' | ';' | '\n');
    let said = rest.split(ends).next().unwrap_or(rest);
    let near = said.split([',', '，', '—', '–']).next().unwrap_or(said);
    let near = near.split_once("- ").map_or(near, |(near, _)| near);
    let turned = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    // "6. No, 5."
    let behind = rest.get(said.len()..).unwrap_or_default();
    let next = behind.trim_start_matches(ends).lines().next().unwrap_or_default();
    let lead = next.split([',', '，', ':']).next().unwrap_or(next);
    // "0.9, no, too much; 0.5", but not "6 (not 8, as before)".
    let aside = behind.starts_with(['(', '（']) && turned(lead) && !holds(lead, class::CORRECT);
    let denied = |text: &str| holds(text, class::NEG | class::CORRECT);
    let corrected = turned(next)
        && !aside
        && (lead.len() < 16 && denied(lead) || denied(said.get(near.len()..).unwrap_or_default()));
    if corrected || rest.starts_with('+') || holds(near, class::MORE | class::RATHER) {
        return None;
    }
    let after = |marks: &[&str]| {
        let lower = rest.get(..16).unwrap_or(rest).to_lowercase();
        let mark = marks.iter().find(|mark| lower.starts_with(**mark))?;
        rest.get(mark.len()..).map(str::trim_start)
    };
    if after(&["%", "percent", "per cent", "por ciento"]).is_some() {
        return (!turned(near)).then_some((value, Scale::Percent));
    }
    if let Some(whole) = after(&["/", "out of ", "sobre ", "de "])
        && let Some((whole, _)) = leading(whole)
    {
        return (whole > 0.0).then_some((value, Scale::Of(whole)));
    }
    (!turned(said)).then_some((value, Scale::Plain))
}

/// The number that a text begins with, and what follows it.
fn leading(text: &str) -> Option<(f64, &str)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(text);
    let mut end = whole;
    if let Some(part) = text.get(whole..).and_then(|rest| rest.strip_prefix(['.', ','])) {
        let part = digits(part);
        if part > 0 {
            end += 1 + part;
        }
    }
    let (number, rest) = text.split_at_checked(end).filter(|_| whole > 0)?;
    let value = number.replace(',', ".").parse::<f64>().ok()?;
    Some((value, rest)).filter(|(value, _)| value.is_finite())
}

/// A confidence 0 to 1: `0.8`, `80%`, `8/10`, and `85`, which can only be of a hundred. A little above
/// 1 counts as 1; from 2 to 10 could be of ten or of a hundred, and is none, as is all beyond a hundred.
pub(super) fn share(text: &str) -> Option<f64> {
    let (value, scale) = figure(text)?;
    let share = match scale {
        Scale::Plain if value < 2.0 => value,
        Scale::Plain if value > 10.0 && value <= 100.0 => value / 100.0,
        Scale::Plain => return None,
        Scale::Percent => value / 100.0,
        Scale::Of(whole) => value / whole,
    };
    Some(share.clamp(0.0, 1.0))
}

/// Points 0 to 10: `7`, `7.5/10`, `70%`. Below 1 it counts as a part of one where it is written so
/// (`0.7`, `0.7/1`). Beyond 10 counts as 10.
pub(super) fn points(text: &str) -> Option<f64> {
    let (value, scale) = figure(text)?;
    let points = match scale {
        Scale::Plain if value > 0.0 && value < 1.0 => value * 10.0,
        Scale::Plain => value,
        Scale::Percent => value / 10.0,
        Scale::Of(whole) => value / whole * 10.0,
    };
    Some(points.clamp(0.0, 10.0))
}

/// Yes or no, where the text says nothing else. `si` is yes where Spanish was asked.
pub(super) fn truth(text: &str, language: Language) -> Option<bool> {
    const YES: &str = "yes|y|true|1|是|是的|对|verdadero|cierto|要|需要|有必要";
    const NO: &str = "no|n|false|0|否|不|不是|falso|不要|不需要|不用|不用了|不必|不必了|没必要|没有必要";
    let key = &key(text);
    let accented = unquoted(text).to_lowercase() == "sí";
    if listed(YES, key.as_str()) || accented || (key.as_str() == "si" && language == Language::Spanish) {
        return Some(true);
    }
    listed(NO, key.as_str()).then_some(false)
}

/// A value that may be said once, or more than once if it is the same.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Once<T> {
    Never,
    Said(T),
    Several,
}

impl<T: PartialEq> Once<T> {
    pub(super) fn add(&mut self, value: T) {
        match self {
            Self::Never => *self = Self::Said(value),
            Self::Said(said) if *said == value => {}
            _ => *self = Self::Several,
        }
    }

    pub(super) fn value(self) -> Option<T> {
        match self {
            Self::Said(value) => Some(value),
            Self::Never | Self::Several => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_marks_off_a_line() {
        let line = |text| {
            let line = Line::of(text);
            (line.is_item, line.text)
        };
        assert_eq!(line("  ## **Choice:** bob **"), (false, "Choice:** bob"));
        assert_eq!(line("- 1. one"), (true, "1. one"));
        assert_eq!(line("2) two"), (true, "two"));
        assert_eq!(line("* three"), (true, "three"));
        assert_eq!(line("1.5 seconds"), (false, "1.5 seconds"));
        assert_eq!(line("> - **x**"), (true, "x"));
        assert_eq!(line("------------------"), (true, "----------"));
    }

    #[test]
    fn words_to_compare_by() {
        assert_eq!(key("  **ELECCIÓN**: Â_ñandú "), "eleccion a nandu");
        assert_eq!(key("ＧＰＴ－5"), key("gpt-5"));
    }

    #[test]
    fn labels() {
        let label = |text| Line::of(text).label();
        assert_eq!(label("**CHOICE: bob**"), Some(("choice".to_owned(), "bob")));
        assert_eq!(
            label("- **Elección** : Ana"),
            Some(("eleccion".to_owned(), "Ana"))
        );
        assert_eq!(label("选择：小王"), Some(("选择".to_owned(), "小王")));
        assert_eq!(label("no label"), None);
        for (line, value) in [
            ("SEVERITY: [0 to 10] 6", "6"),
            ("ISSUES: [list the issues]", ""),
            ("CHOICE: [Ana]", "[Ana]"),
            ("SEVERITY: [6]", "[6]"),
        ] {
            assert_eq!(label(line).map(|(_, value)| value), Some(value));
        }
    }

    #[test]
    fn shares_and_points() {
        assert_eq!(share("0.8"), Some(0.8));
        assert_eq!(share("about 85 %"), Some(0.85));
        assert_eq!(share("0,75"), Some(0.75));
        assert_eq!(share("8/10"), Some(0.8));
        assert_eq!(share("85"), Some(0.85));
        assert_eq!(share("1.7"), Some(1.0));
        assert_eq!(share("８０％"), Some(0.8));
        for unclear in ["8", "850", "high", "-0.3", "0.6-0.8", "0.6 to 0.8", ""] {
            assert_eq!(share(unclear), None, "{unclear}");
        }
        assert_eq!(points("7 out of 10"), Some(7.0));
        assert_eq!(points("0.8"), Some(8.0));
        assert_eq!(points("1.0"), Some(1.0));
        assert_eq!(points("1.0/1"), Some(10.0));
        assert_eq!(points("0.5/10"), Some(0.5));
        assert_eq!(points("0"), Some(0.0));
        assert_eq!(points("12"), Some(10.0));
    }

    #[test]
    fn yes_and_no() {
        assert_eq!(truth("**Yes.**", Language::English), Some(true));
        assert_eq!(truth("sí", Language::English), Some(true));
        assert_eq!(truth("si", Language::English), None);
        assert_eq!(truth("否", Language::Mandarin), Some(false));
        assert_eq!(truth("yes, mostly", Language::English), None);
    }

    proptest! {
        #[test]
        fn whatever_is_written(text in "\\PC*|[-*#0-9.,/%: ]{0,20}") {
            let line = Line::of(&text);
            let _ = line.label();
            prop_assert!(share(&text).is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert!(points(&text).is_none_or(|points| (0.0..=10.0).contains(&points)));
            prop_assert_eq!(key(&key(&text)), key(&text));
        }
    }
}
