//! Which digit an answer means, once what is not the speaker's answer is gone. Which digits are
//! valid is the reader's business.

use super::How;
use super::clause::{Kept, Strength};
use super::lexer::{Kind, Lexed};

/// The digit of a text that is nothing but a digit with brackets, quotes, signs or ".0" around it.
pub(super) fn lone_digit(text: &str) -> Option<u8> {
    let opened = text.trim_start_matches([
        ' ', '"', '\'', '“', '‘', '「', '(', '[', '{', '#', '>', '=', ':', '→', '•', '\\', '$',
    ]);
    let opened = opened.strip_prefix("- ").unwrap_or(opened);
    let opened = opened.strip_prefix("boxed{").unwrap_or(opened).trim_start();
    let (first, after) = opened.split_at_checked(1)?;
    let digit = match first.as_bytes() {
        [byte @ b'0'..=b'9'] => byte - b'0',
        _ => return None,
    };
    // "3$" and "$3" are amounts; "$3$" is mark-up.
    let amount = text.contains('$') && !(text.starts_with('$') && text.trim_end_matches('.').ends_with('$'));
    let after = after.strip_prefix(".0").unwrap_or(after);
    let closed = after
        .trim_matches([
            ' ', '"', '\'', '”', '’', '」', ')', ']', '}', '.', '。', '!', ',', ';', '、', '号', '$',
        ])
        .is_empty();
    (closed && !amount).then_some(digit)
}

/// An answer that begins with its digit and then explains: "3\n\nThe floor ...", "3 - because".
pub(super) fn lift_first(lexed: &Lexed, kept: &mut [Kept]) {
    let Some(first) = kept.first().copied() else {
        return;
    };
    let (Kind::Digit(_), Some(mark)) = (first.kind, lexed.marks.get(first.mark)) else {
        return;
    };
    let before = lexed.text.get(..mark.start).unwrap_or_default();
    if before.contains(|c: char| c.is_alphanumeric()) {
        return;
    }
    let after = lexed.text.get(mark.end..).unwrap_or_default();
    let line = after.split('\n').next().unwrap_or_default();
    let alone = line.chars().all(|c| !c.is_alphanumeric());
    let explained = lexed.gap(first.mark).is_empty()
        && matches!(
            lexed.kind(first.mark + 1),
            Some(Kind::Colon | Kind::Dash | Kind::Open)
        )
        && !kept
            .iter()
            .any(|other| other.kind == Kind::Or && other.sentence == first.sentence);
    if (alone || explained)
        && let Some(first) = kept.first_mut()
    {
        first.strength = Strength::Own;
        first.group = usize::MAX;
    }
}

/// What the digits of an answer say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// Nothing.
    Nothing,
    /// One valid digit.
    One(u8, How),
    /// Different valid digits.
    Several,
    /// Only digits that are not valid, where an answer should stand.
    Beyond,
}

/// The digit after the speaker's own label; without one, after any label; without one, the only
/// one. Of different labelled digits the last counts if it is said to be the last word.
pub(super) fn settle(lexed: &Lexed, kept: &[Kept], valid: impl Fn(u8) -> bool) -> Settled {
    let digits: Vec<(u8, Kept)> = kept
        .iter()
        .filter_map(|kept| match kept.kind {
            Kind::Digit(digit) => Some((digit, *kept)),
            _ => None,
        })
        .collect();
    for strength in [Strength::Own, Strength::Labelled] {
        let here = || digits.iter().filter(|(_, kept)| kept.strength == strength);
        let named: Vec<(u8, Kept)> = here().filter(|(digit, _)| valid(*digit)).copied().collect();
        let Some((_, last)) = named.last() else {
            if here().next().is_some() {
                return Settled::Beyond;
            }
            continue;
        };
        let all: Vec<u8> = named.iter().map(|(digit, _)| *digit).collect();
        let in_last: Vec<u8> = named
            .iter()
            .filter(|(_, kept)| kept.group == last.group)
            .map(|(digit, _)| *digit)
            .collect();
        return match (one_value(&all), one_value(&in_last)) {
            (Some(digit), _) => Settled::One(digit, How::Label),
            (None, Some(digit)) if last.last_word => Settled::One(digit, How::Label),
            _ => Settled::Several,
        };
    }
    let plain: Vec<u8> = digits
        .iter()
        .map(|(digit, _)| *digit)
        .filter(|digit| valid(*digit))
        .collect();
    let noun = digits.iter().any(|(_, kept)| is_numbered_noun(lexed, kept.mark));
    match one_value(&plain) {
        Some(digit) => Settled::One(digit, if noun { How::Noun } else { How::Number }),
        None if !plain.is_empty() => Settled::Several,
        None if noun => Settled::Beyond,
        None => Settled::Nothing,
    }
}

/// The value that all have.
pub(super) fn one_value(digits: &[u8]) -> Option<u8> {
    let (first, rest) = digits.split_first()?;
    rest.iter().all(|digit| digit == first).then_some(*first)
}

/// Whether the digit numbers something ("principle 3", "3号").
pub(super) fn is_numbered_noun(lexed: &Lexed, mark: usize) -> bool {
    let before = mark > 0 && lexed.kind(mark - 1) == Some(Kind::Noun) && lexed.gap(mark - 1).is_empty();
    let after = lexed.kind(mark + 1) == Some(Kind::Noun) && lexed.gap(mark).is_empty();
    before || after
}
