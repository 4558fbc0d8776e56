//! Which of the four principles an answer names. Readings only: no amounts, no rankings.
//!
//! 1. A lone digit, alone or on the last line.
//! 2. JSON.
//! 3. Digits that are left when amounts, rounds, option lists, other people's votes, earlier
//!    votes, reasons, questions and negations are gone: first those after the speaker's own label
//!    ("my vote", "I choose"), then those after any label, then all. Two different ones: unread.
//! 4. Ordinals and number words, 5. the words of the principles.
//! 6. On the last attempt, the seed's pattern: the first digit 1 to 4 that is left.

use super::clause::{Kept, Strength, own_marks};
use super::digits::{Settled, lift_first, lone_digit, one_value, settle};
use super::json;
use super::keywords;
pub(crate) use super::keywords::{Keywords, by_keywords};
use super::lexer::{Kind, Lexed};
use super::normalize::normalize;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::principle::Principle;

/// Reads the principle in an answer. On the last attempt an unclear answer is read by the seed's
/// pattern. The language is where the answer was asked; the words of all three are understood.
pub fn principle(text: &str, _language: Language, last_attempt: bool) -> Reading<Principle> {
    let normal = normalize(text);
    if normal.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if let Some(digit) = lone_digit(&normal) {
        return reading(digit, How::Digit);
    }
    if let Some(digit) = normal.lines().next_back().and_then(lone_digit) {
        return reading(digit, How::Digit);
    }
    match json::answer(&normal, json_value) {
        json::Answer::One(found, rest) => with_rest(found, rest),
        json::Answer::Several => Reading::unread(Reason::MultipleValidNumbers),
        json::Answer::None => in_text(&normal, last_attempt),
    }
}

/// The one principle that a text names by its words; `None` when it names none or several.
#[must_use]
pub fn mentioned(text: &str) -> Option<Principle> {
    match by_keywords(text) {
        Keywords::One(principle) => Some(principle),
        Keywords::None | Keywords::Unclear => None,
    }
}

/// The seed's pattern: the first digit 1 to 4 with no letter, digit or underscore beside it.
#[must_use]
pub fn seed_regex(text: &str) -> Option<u8> {
    let mut before = None;
    let mut rest = text.chars().peekable();
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(character) = rest.next() {
        let was = before.replace(character);
        if matches!(character, '1'..='4')
            && !was.is_some_and(joins)
            && !rest.peek().is_some_and(|next| joins(*next))
        {
            return u8::try_from(character).ok().map(|byte| byte - b'0');
        }
    }
    None
}

fn reading(digit: u8, how: How) -> Reading<Principle> {
    match Principle::from_number(digit) {
        Some(principle) => Reading::read(principle, how),
        None => Reading::unread(Reason::NumberOutOfRange),
    }
}

fn json_value(value: &json::Scalar<'_>) -> Option<Principle> {
    match value {
        json::Scalar::Number(number) => u8::try_from(*number).ok().and_then(Principle::from_number),
        json::Scalar::Text(text) if text.chars().count() <= 120 => match lone_digit(text) {
            Some(digit) => Principle::from_number(digit),
            None => {
                Principle::from_id(&text.replace(' ', "_")).or_else(|| in_text(text, false).value().copied())
            }
        },
        _ => None,
    }
}

/// What stands around the JSON may not say something else.
fn with_rest(found: Principle, rest: String) -> Reading<Principle> {
    let rest = rest.trim();
    let other = match lone_digit(rest) {
        Some(digit) => Principle::from_number(digit),
        None => match in_text(rest, false) {
            Reading::Read {
                value,
                how: How::Label | How::Noun,
            } => Some(value),
            _ => None,
        },
    };
    match other {
        Some(other) if other != found => Reading::unread(Reason::MultipleValidNumbers),
        _ => Reading::read(found, How::Json),
    }
}

fn in_text(normal: &str, last_attempt: bool) -> Reading<Principle> {
    let lexed = Lexed::new(normal);
    let mut kept = own_marks(&lexed);
    lift_first(&lexed, &mut kept);
    let outcome = by_digits(&lexed, &kept);
    let outcome = match outcome {
        Some(found) => found,
        None => by_words(&lexed, &kept),
    };
    if !last_attempt
        || matches!(outcome, Reading::Read { .. })
        || outcome.reason() == Some(Reason::NumberOutOfRange)
    {
        return outcome;
    }
    let first = kept.iter().find_map(|kept| match kept.kind {
        Kind::Digit(digit @ 1..=4) => Principle::from_number(digit),
        _ => None,
    });
    match first {
        Some(principle) => Reading::read(principle, How::SeedPattern),
        None => outcome,
    }
}

/// `None`: no digit says anything.
fn by_digits(lexed: &Lexed, kept: &[Kept]) -> Option<Reading<Principle>> {
    match settle(lexed, kept, |digit| (1..=4).contains(&digit)) {
        Settled::Nothing => None,
        Settled::One(digit, how) => Some(checked(lexed, kept, digit, how)),
        Settled::Several => Some(Reading::unread(Reason::MultipleValidNumbers)),
        Settled::Beyond => Some(Reading::unread(Reason::NumberOutOfRange)),
    }
}

/// A digit, unless a short answer names another principle right beside it ("4 (the floor)").
fn checked(lexed: &Lexed, kept: &[Kept], digit: u8, how: How) -> Reading<Principle> {
    let short = lexed.text.chars().count() <= 120;
    if short
        && let Keywords::One(named) = keywords::among(lexed, kept)
        && contradicts(digit, named)
    {
        return Reading::unread(Reason::PrincipleContentUnclear);
    }
    reading(digit, how)
}

/// Whether a name cannot belong to a number: 3 and 4 may be called "average", 3 "floor".
fn contradicts(digit: u8, named: Principle) -> bool {
    match named {
        Principle::Average => digit == 1,
        Principle::Floor => matches!(digit, 2 | 4),
        Principle::FloorConstraint | Principle::RangeConstraint => named.number() != digit,
    }
}

fn by_words(lexed: &Lexed, kept: &[Kept]) -> Reading<Principle> {
    let named = keywords::among(lexed, kept);
    let words: Vec<u8> = kept.iter().filter_map(|kept| number_word(lexed, kept)).collect();
    match (one_value(&words), named) {
        (None, _) if !words.is_empty() => Reading::unread(Reason::MultipleValidNumbers),
        (Some(digit), Keywords::One(principle)) if contradicts(digit, principle) => {
            Reading::unread(Reason::PrincipleContentUnclear)
        }
        (Some(digit), _) => reading(digit, How::Word),
        (None, Keywords::One(principle)) => Reading::read(principle, How::Keyword),
        (None, _) if only_a_number(lexed) => Reading::unread(Reason::NumberOutOfRange),
        (None, _) => Reading::unread(Reason::PrincipleContentUnclear),
    }
}

fn only_a_number(lexed: &Lexed) -> bool {
    let text = lexed.text.trim_matches(|c: char| !c.is_alphanumeric());
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// What may stand between a label and its number word.
const ARTICLES: [&str; 16] = [
    "", "the", "for the", "for", "is", "is the", "to the", "el", "la", "por el", "por la", "por", "es",
    "es el", "es la", "是",
];

/// The number of an ordinal or number word, where it names an option.
fn number_word(lexed: &Lexed, kept: &Kept) -> Option<u8> {
    let (number, ordinal) = match kept.kind {
        Kind::Ordinal(number) => (number, true),
        Kind::Cardinal(number) => (number, false),
        _ => return None,
    };
    let at = kept.mark;
    let mark = lexed.marks.get(at)?;
    let previous = at
        .checked_sub(1)
        .and_then(|p| lexed.kind(p))
        .map(|kind| (kind, lexed.gap(at - 1)));
    let next = lexed.kind(at + 1).map(|kind| (kind, lexed.gap(at)));
    let after_noun = matches!(previous, Some((Kind::Noun, "" | "the" | "el" | "la")));
    let before_noun = (ordinal || lexed.text_at(at + 1) == "号")
        && matches!(next, Some((Kind::Noun | Kind::Cardinal(1), "")));
    let of_mine = matches!(previous, Some((Kind::My, ""))) && before_noun;
    let after_label = kept.strength > Strength::Plain
        && previous.is_some_and(|(kind, gap)| {
            let names = matches!(
                kind,
                Kind::Label | Kind::Choose | Kind::ChooseMine | Kind::Prefer | Kind::Colon
            );
            // "My answer: first, ..." begins an enumeration; "for the first, ..." does not.
            let article = ["the", "el", "la"].iter().any(|article| gap.ends_with(article));
            let goes_on = matches!(next, Some((Kind::Label, "")))
                || matches!(next, Some((Kind::Comma, ""))) && !article;
            names && ARTICLES.contains(&gap) && !goes_on
        })
        && lexed
            .text
            .get(mark.end..)
            .is_some_and(|after| !after.trim_start().starts_with(|c: char| c.is_alphanumeric()));
    let text = lexed.text.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = text
        .strip_prefix("the ")
        .or_else(|| text.strip_prefix("el "))
        .or_else(|| text.strip_prefix("la "))
        .unwrap_or(text);
    let alone = lexed.text_at(at) == bare || opens(lexed, at);
    ((after_noun || before_noun || after_label) && !of_mine || alone).then_some(number)
}

/// "The third. It …", "el primero, porque …", "three, because …": the answer opens with it.
fn opens(lexed: &Lexed, at: usize) -> bool {
    let Some(mark) = lexed.marks.get(at) else {
        return false;
    };
    let lead = lexed.text.get(..mark.start).unwrap_or_default().trim();
    let next = if lexed.kind(at + 1) == Some(Kind::Comma) {
        at + 2
    } else {
        at + 1
    };
    let named = matches!(lead, "the" | "el" | "la");
    let ends = match lexed.kind(next) {
        Some(Kind::Because) => named || lead.is_empty() && matches!(mark.kind, Kind::Cardinal(_)),
        Some(Kind::Stop | Kind::Line) => named,
        _ => false,
    };
    ends && lexed.gap(at).is_empty()
}

#[cfg(test)]
mod tests;
