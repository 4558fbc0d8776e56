//! The principle of a short label, such as an entry of a ranking: its number, its letter, or its words
//! before the explanation. Whole answers are read elsewhere.

use super::keywords::{Keywords, by_keywords};
use super::tokens::{Digits, Kind, fold, tokens};
use crate::principle::Principle;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Floor,
    Average,
    Range,
    Constraint,
    /// Says nothing about the principle.
    Neutral,
}

/// What the words of a folded text say, when it has only words known here, amounts and stops; else
/// `None`. A short cut to what `by_keywords` says as well.
pub(super) fn plain(folded: &str) -> Option<Keywords> {
    let mut found = [false; 4];
    for token in tokens(folded) {
        let family = match token.kind {
            Kind::Word(word) => family(word)?,
            // An amount; a small number may be the principle's.
            Kind::Number {
                digits: Digits::Value(value),
                ..
            } if value.times(1)? >= 1_000 => Family::Neutral,
            Kind::Sign('$' | '.' | '"') => Family::Neutral,
            _ => return None,
        };
        if let Some(known) = found.get_mut(family as usize) {
            *known = true;
        }
    }
    let [floor, average, range, constraint] = found;
    match (floor, average, range, constraint) {
        (false, _, true, _) => Some(Keywords::One(Principle::RangeConstraint)),
        (true, _, false, true) => Some(Keywords::One(Principle::FloorConstraint)),
        (false, true, false, false) => Some(Keywords::One(Principle::Average)),
        (true, false, false, false) => Some(Keywords::One(Principle::Floor)),
        _ => None,
    }
}

fn family(word: &str) -> Option<Family> {
    Some(match word {
        "floor" | "minimo" | "minimos" => Family::Floor,
        "average" | "promedio" => Family::Average,
        "range" | "rango" => Family::Range,
        "constraint" | "restriccion" => Family::Constraint,
        "maximizing" | "maximize" | "maximizar" | "the" | "a" | "an" | "income" | "incomes" | "with"
        | "of" | "i" | "choose" | "elijo" | "el" | "la" | "los" | "ingreso" | "ingresos" | "con" | "de"
        | "una" => Family::Neutral,
        _ => return None,
    })
}

/// Where an entry's explanation begins, and how long the sign is that begins it.
fn explanation(text: &str) -> Option<(usize, usize)> {
    let words = [
        " because ",
        " since ",
        " which ",
        " porque ",
        " ya que ",
        " pues ",
    ];
    text.char_indices().find_map(|(at, character)| {
        let rest = text.get(at..).unwrap_or_default();
        match character {
            '(' | ')' | '—' | '。' | ';' | '；' | ':' | '：' => Some((at, character.len_utf8())),
            '.' if rest.starts_with(". ") => Some((at, 2)),
            '-' if rest.starts_with("--") => Some((at, 2)),
            ' ' if rest.starts_with(" - ") => Some((at, 3)),
            ' ' if rest.starts_with(" – ") => Some((at, 5)),
            ' ' => words
                .iter()
                .find(|word| rest.starts_with(**word))
                .map(|word| (at, word.len())),
            '因' if rest.starts_with("因为") => Some((at, 6)),
            _ => None,
        }
    })
}

/// The principle of an entry: `whole` takes the explanation into account.
pub(super) fn label(entry: &str, whole: bool) -> Option<Principle> {
    let folded = fold(entry.trim());
    if let Some((number, rest)) = numbered_label(&folded) {
        let words = match keywords(rest, whole) {
            Keywords::None if !whole => keywords(rest, true),
            found => found,
        };
        return match words {
            Keywords::None => Some(number),
            Keywords::One(principle) => (principle == number).then_some(number),
            // What an explanation compares does not take the number away.
            Keywords::Unclear => rest
                .starts_with([' ', ':', '-', '('])
                .then_some(number)
                .filter(|_| keywords(rest, false) == Keywords::None),
        };
    }
    let found = if whole {
        by_keywords(&folded)
    } else {
        keywords(&folded, false)
    };
    match found {
        Keywords::One(principle) => Some(principle),
        Keywords::None => None,
        // "the floor, not the average as such": what stands before the comma.
        Keywords::Unclear => {
            let head = folded
                .split([',', '，'])
                .next()
                .filter(|head| head.len() < folded.len())?;
            match by_keywords(head) {
                Keywords::One(principle) => Some(principle),
                _ => None,
            }
        }
    }
}

/// The words of an entry; the first part that names something, unless the whole is asked for.
fn keywords(text: &str, whole: bool) -> Keywords {
    if whole {
        return by_keywords(text);
    }
    let mut rest = text;
    while !rest.trim().is_empty() {
        let cut = explanation(rest);
        let (head, after) = cut.map_or((rest, ""), |(at, length)| {
            (
                rest.get(..at).unwrap_or_default(),
                rest.get(at + length..).unwrap_or_default(),
            )
        });
        if head.chars().any(char::is_alphabetic) {
            let found = plain(head).unwrap_or_else(|| by_keywords(head));
            if found != Keywords::None {
                return found;
            }
        }
        rest = after;
    }
    Keywords::None
}

/// The principle whose number or letter begins a folded label ("principle 3", "3", "option c"), and
/// the rest of the label.
pub(super) fn numbered_label(folded: &str) -> Option<(Principle, &str)> {
    let text = folded.trim_start_matches([' ', '"', '\'', '(', '[', '#']);
    let nouns = [
        "the ",
        "my ",
        "el ",
        "la ",
        "principle",
        "principio",
        "option",
        "opcion",
        "原则",
        "选项",
        "number",
        "numero",
        "no.",
        "第",
        " ",
        "#",
        "(",
    ];
    let mut rest = text;
    let mut named = false;
    while let Some((noun, after)) = nouns
        .iter()
        .find_map(|noun| rest.strip_prefix(noun).map(|after| (noun, after)))
    {
        named |= noun.len() > 4 && !noun.ends_with(' ');
        rest = after;
    }
    let letter = rest.bytes().next().filter(|byte| (b'a'..=b'd').contains(byte));
    let (number, after) = match digit(rest) {
        Some(found) => found,
        None if (named
            || rest
                .get(1..)
                .is_some_and(|after| after.is_empty() || after.starts_with(')'))) =>
        {
            (letter? - b'a' + 1, rest.get(1..)?)
        }
        None => return None,
    };
    let closed = after.trim_start_matches([')', ']', '.', '"', '\'']);
    let ends = closed.is_empty()
        || !after.starts_with(char::is_alphanumeric)
        || after.starts_with(|c: char| !c.is_ascii());
    let unit = closed.trim_start().starts_with(['%', '>', '/']);
    (ends && !unit).then_some((Principle::from_number(number)?, closed))
}

/// A digit 1 to 4 that begins the text and is no part of a longer number.
pub(super) fn digit(text: &str) -> Option<(u8, &str)> {
    let first = text.bytes().next()?;
    let rest = text.get(1..)?;
    let decimal = rest.starts_with(['.', ','])
        && rest
            .get(1..)
            .is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    (matches!(first, b'1'..=b'4') && !rest.starts_with(|c: char| c.is_ascii_digit()) && !decimal)
        .then(|| (first - b'0', rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::keywords::by_keywords;

    #[test]
    fn says_what_the_keywords_say() {
        for text in [
            "maximizing the floor income",
            "maximizing average with floor constraint",
            "i choose maximizing average with range constraint with a constraint of $16,000.",
            "maximizar el ingreso promedio con restriccion de ingreso minimo",
            "maximizar los ingresos promedio",
        ] {
            assert!(plain(text).is_some(), "{text}");
            assert_eq!(plain(text), Some(by_keywords(text)), "{text}");
        }
        for text in [
            "not the floor",
            "floor or average",
            "floor with average",
            "the floor, 3",
            "the constraint",
            "",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }
}
