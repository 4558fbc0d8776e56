//! Amounts as the published program read them (profile `compat`), with its faults: one point makes
//! decimals, `15.5k` is 15,000, 一万五 is 10,005. Nothing here is used under the default profile.

use crate::reading::{How, Reading, Reason};

/// The most that the published program took for a plausible amount.
const PLAUSIBLE: i64 = 1_000_000;

/// The amount of an answer as the published program read it: whole dollars from 1,000 on.
#[must_use]
pub fn extract_amount(text: &str) -> Reading<u32> {
    let text = text.trim();
    if text.is_empty() {
        return Reading::unread(Reason::EmptyAmountResponse);
    }
    let value = match direct(text).filter(|value| (1..=PLAUSIBLE).contains(value)) {
        Some(value) => value,
        None => match *search(text) {
            [] => return Reading::unread(Reason::NoAmountFound),
            [value] => value,
            _ => return Reading::unread(Reason::MultipleDifferentAmountsFound),
        },
    };
    match u32::try_from(value) {
        Ok(amount) if amount >= 1_000 => Reading::read(amount, How::Compat),
        Ok(_) => Reading::unread(Reason::AmountTooLow),
        Err(_) => Reading::unread(Reason::AmountTooHigh),
    }
}

/// The whole answer as one number.
fn direct(text: &str) -> Option<i64> {
    let bare: String = text
        .chars()
        .filter(|c| !matches!(c, '$' | '¥' | '€'))
        .map(ascii_digit)
        .collect();
    let bare = bare.trim();
    let last_group = bare.rsplit_once(',').map(|(_, last)| last.chars().count());
    let number = match last_group {
        Some(length) if bare.contains('.') || length == 3 => bare.replace(',', ""),
        Some(_) => bare.replace(',', "."),
        None => bare.to_owned(),
    };
    // Single underscores between digits are allowed, as in Python.
    let digits = number.split('_').all(|part| {
        part.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '-') && !part.is_empty()
    });
    let number = if digits { number.replace('_', "") } else { number };
    if !number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'))
    {
        return None;
    }
    #[allow(
        clippy::cast_possible_truncation,
        reason = "saturates; the caller checks the range"
    )]
    number.parse::<f64>().ok().map(|value| value as i64)
}

fn ascii_digit(character: char) -> char {
    match u32::from(character) {
        code @ 0xff10..=0xff19 => char::from_digit(code - 0xff10, 10).unwrap_or(character),
        _ => character,
    }
}

/// A number in digits within the text, in characters.
struct Run {
    start: usize,
    end: usize,
}

/// Words around which a bare number is an amount.
const CONTEXT: [&str; 9] = [
    "constraint",
    "amount",
    "dollar",
    "income",
    "floor",
    "limit",
    "thinking",
    "choose",
    "prefer",
];
/// Words near which a bare number is something else.
const REFERENCES: [&str; 5] = ["page", "year", "chapter", "section", "verse"];
const CURRENCIES: [&str; 7] = ["dollars", "dollar", "dólares", "dólar", "美元", "元", "usd"];

/// All different amounts found in the text.
fn search(text: &str) -> Vec<i64> {
    let characters: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    for run in runs(&characters) {
        let number: String = slice(&characters, run.start, run.end).iter().collect();
        let symbol = slice(&characters, 0, run.start)
            .iter()
            .rev()
            .find(|c| !c.is_whitespace());
        let symbol = symbol.is_some_and(|c| matches!(c, '$' | '¥' | '€'));
        let after = skip_blanks(&characters, run.end);
        let thousands = characters.get(after) == Some(&'k');
        let beyond = if thousands {
            skip_blanks(&characters, after + 1)
        } else {
            after
        };
        let money = CURRENCIES
            .iter()
            .any(|word| starts_with(&characters, beyond, word));
        if symbol && !thousands {
            let near_k = slice(&characters, run.end, run.end + 5).contains(&'k');
            if !near_k {
                add(&mut found, normalised(&number, false));
            }
        }
        if thousands || money {
            add(&mut found, normalised(&number, thousands));
        }
        if !symbol
            && !thousands
            && !money
            && number.len() >= 4
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && is_amount(&characters, &run, &number)
        {
            add(&mut found, normalised(&number, false));
        }
    }
    chinese(&characters, &mut found);
    found
}

fn is_amount(characters: &[char], run: &Run, number: &str) -> bool {
    let year = number
        .parse::<u32>()
        .is_ok_and(|value| (1_900..=2_099).contains(&value));
    let around: String = slice(characters, run.start.saturating_sub(20), run.end + 20)
        .iter()
        .collect();
    let any = |words: &[&str]| words.iter().any(|word| around.contains(word));
    !year && !any(&REFERENCES) && (any(&CONTEXT) || around.contains("select"))
}

/// Runs of digits, commas and points that begin with a digit.
fn runs(characters: &[char]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let length = slice(characters, at, characters.len())
            .iter()
            .take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
            .count();
        if characters.get(at).is_some_and(char::is_ascii_digit) {
            let trailing = slice(characters, at, at + length)
                .iter()
                .rev()
                .take_while(|c| !c.is_ascii_digit())
                .count();
            runs.push(Run {
                start: at,
                end: at + length - trailing,
            });
        }
        at += if characters.get(at).is_some_and(char::is_ascii_digit) {
            length
        } else {
            1
        };
    }
    runs
}

fn slice<T>(items: &[T], start: usize, end: usize) -> &[T] {
    items
        .get(start.min(items.len())..end.min(items.len()))
        .unwrap_or_default()
}

fn skip_blanks(characters: &[char], from: usize) -> usize {
    from + slice(characters, from, characters.len())
        .iter()
        .take_while(|c| c.is_whitespace())
        .count()
}

fn starts_with(characters: &[char], at: usize, word: &str) -> bool {
    word.chars()
        .enumerate()
        .all(|(offset, c)| characters.get(at + offset) == Some(&c))
}

fn add(found: &mut Vec<i64>, value: Option<i64>) {
    if let Some(value) = value
        && (100..=PLAUSIBLE).contains(&value)
        && !found.contains(&value)
    {
        found.push(value);
    }
}

/// One point with at most two digits after it makes decimals (cut off before the thousand is
/// multiplied); other points are thousands.
fn normalised(number: &str, thousands: bool) -> Option<i64> {
    let number = number.replace(',', "");
    let whole = match number.split_once('.') {
        Some((whole, rest)) if !rest.contains('.') && rest.len() <= 2 => whole.to_owned(),
        _ => number.replace('.', ""),
    };
    whole
        .parse::<i64>()
        .ok()?
        .checked_mul(if thousands { 1_000 } else { 1 })
}

fn is_numeral(character: char) -> bool {
    matches!(character, '十' | '百' | '千' | '万') || sign(character).is_some_and(|value| value < 10)
}

fn sign(character: char) -> Option<i64> {
    "一二三四五六七八九十"
        .chars()
        .zip(1..)
        .find(|(sign, _)| *sign == character)
        .map(|(_, value)| value)
}

fn chinese(characters: &[char], found: &mut Vec<i64>) {
    let digits_before = |end: usize| {
        slice(characters, 0, end)
            .iter()
            .rev()
            .take_while(|c| c.is_ascii_digit())
            .count()
    };
    let mut chained = false;
    for (at, character) in characters.iter().enumerate() {
        let count = digits_before(at);
        if *character == '万' && count > 0 {
            let number: String = slice(characters, at - count, at).iter().collect();
            add(
                found,
                number
                    .parse::<i64>()
                    .ok()
                    .and_then(|value| value.checked_mul(10_000)),
            );
        }
        let unit = starts_with(characters, at, "美元") || matches!(character, '元' | '块');
        if unit {
            let length = slice(characters, 0, at)
                .iter()
                .rev()
                .take_while(|c| is_numeral(**c))
                .count();
            let numeral: String = slice(characters, at - length, at).iter().collect();
            if numeral != "万"
                && let Some(value) = numeral_value(&numeral)
            {
                chained = true;
                add(found, Some(value));
            } else if count >= 3 {
                let number: String = slice(characters, at - count, at).iter().collect();
                add(found, number.parse().ok());
            }
        }
        if starts_with(characters, at, "人民币") && count >= 3 {
            let number: String = slice(characters, at - count, at).iter().collect();
            add(found, number.parse().ok());
        }
    }
    if chained {
        return;
    }
    for (at, character) in characters.iter().enumerate() {
        let signs: Vec<i64> = slice(characters, 0, at)
            .iter()
            .rev()
            .map_while(|c| sign(*c))
            .collect();
        let (value, unit) = match (character, signs.as_slice()) {
            ('万', [teen, 10]) => (10 + teen, 10_000),
            ('万' | '千', []) => continue,
            ('万', [first, ..]) => (*first, 10_000),
            // The signs one after the other: 十五 comes out as 105.
            ('千', signs) => (
                signs
                    .iter()
                    .rev()
                    .fold(0_i64, |sum, sign| sum.saturating_mul(10).saturating_add(*sign)),
                1_000,
            ),
            _ => continue,
        };
        add(found, value.checked_mul(unit));
    }
}

/// A Chinese numeral as the published program read it: 100 to 1,000,000 or nothing.
#[must_use]
pub fn chinese_number(text: &str) -> Option<u64> {
    let value = numeral_value(text.trim())?;
    u64::try_from(value)
        .ok()
        .filter(|_| (100..=PLAUSIBLE).contains(&value))
}

fn numeral_value(text: &str) -> Option<i64> {
    if let Some((before, after)) = text.split_once('万') {
        return Some(counted(before)? * 10_000 + below_ten_thousand(after)?);
    }
    match text.split_once('千') {
        Some((before, "")) => counted(before).map(|value| value * 1_000),
        Some(_) => None,
        None => text.strip_suffix('百').and_then(counted).map(|value| value * 100),
    }
}

/// A single sign, ten to nineteen, or nothing (one).
fn counted(text: &str) -> Option<i64> {
    let mut signs = text.chars();
    match (signs.next(), signs.next(), signs.next()) {
        (None, ..) => Some(1),
        (Some(only), None, _) => sign(only),
        (Some('十'), Some(rest), None) => sign(rest).map(|value| 10 + value),
        _ => None,
    }
}

fn below_ten_thousand(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    if let Some((before, after)) = text.split_once('千') {
        return Some(counted(before)? * 1_000 + below_ten_thousand(after)?);
    }
    if let Some((before, after)) = text.split_once('百') {
        return Some(counted(before)? * 100 + below_ten_thousand(after)?);
    }
    counted(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_published() {
        for (text, value) in [
            ("14000", Some(14_000)),
            ("$14,000", Some(14_000)),
            ("14.000", None),
            ("14.5k", Some(14_000)),
            ("a floor of 14000", Some(14_000)),
            ("14000 then", None),
            ("一万六", Some(10_000)),
            ("1.6万", Some(60_000)),
            ("2000001", None),
        ] {
            assert_eq!(extract_amount(text).value().copied(), value, "{text}");
        }
        assert_eq!(extract_amount(" ").reason(), Some(Reason::EmptyAmountResponse));
        assert_eq!(extract_amount("12").reason(), Some(Reason::AmountTooLow));
        assert_eq!(
            extract_amount("$12,000 or $13,000").reason(),
            Some(Reason::MultipleDifferentAmountsFound)
        );
    }

    #[test]
    fn numerals_as_published() {
        assert_eq!(chinese_number("一万六"), Some(10_006));
        assert_eq!(chinese_number("六千"), Some(6_000));
        assert_eq!(chinese_number("六千六百"), None);
        assert_eq!(chinese_number("十六"), None);
    }
}
