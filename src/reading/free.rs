//! The readers of questions with one value: a principle, yes or no, an amount, a choice.

use super::decide::{Decision, decide};
use super::fields::{Fields, answer_line, text_of};
use super::span::{Span, of_clean};
use super::tag::{Kind, Tagged};
use super::text::{LONGEST, key};
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle};
use crate::thought;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The amounts that a constraint may have, both ends included, in income dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountBounds {
    pub min: u32,
    pub max: u32,
}

impl Default for AmountBounds {
    fn default() -> Self {
        Self {
            min: 1_000,
            max: 1_000_000,
        }
    }
}

impl AmountBounds {
    pub(super) fn check(self, value: f64, how: How) -> Reading<u32> {
        match value {
            value if value < f64::from(self.min) => Reading::unread(Reason::AmountTooLow),
            value if value <= f64::from(self.max) => Reading::read(value as u32, how),
            _ => Reading::unread(Reason::AmountTooHigh),
        }
    }
}

/// A value of free text, with the words that decided.
pub(super) fn decided(text: &str, language: Language, kind: Kind<'_>) -> (Decision, Option<Span>) {
    if text.len() > LONGEST {
        return (Decision::Unclear, None);
    }
    let all = Tagged::of(text, language, kind);
    let decision = decide(&all, kind);
    let span = match decision {
        Decision::Value(_, at) => of_clean(text, &all.text, all.tokens[at].from..all.tokens[at].to),
        _ => None,
    };
    (decision, span)
}

/// Names of the fields that a question with one value may have.
const FIELDS: [&str; 9] = [
    "principle",
    "amount",
    "answer",
    "yesno",
    "ranking",
    "certainty",
    "reason",
    "choice",
    "confidence",
];

/// Reads one value: of a field under `name`, else of the text.
fn one(
    text: &str,
    language: Language,
    (name, kind): (&str, Kind<'_>),
    [none, several]: [Reason; 2],
) -> Reading<f64> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let free = |text: &str| match decided(text, language, kind) {
        (Decision::Value(value, _), span) => Reading::read(value, How::Word).by(span),
        (Decision::Several, _) => Reading::unread(several),
        _ => Reading::unread(none),
    };
    // The line that was asked for decides alone.
    if let Some(line) = answer_line(&text)
        && let (Decision::Value(value, _), _) = decided(line, language, kind)
    {
        return Reading::read(value, How::Line);
    }
    let fields = match Fields::of(&text, &FIELDS) {
        Err(Reason::AnswerBrokenOff) => return Reading::unread(Reason::AnswerBrokenOff),
        Err(_) => return Reading::unread(none),
        Ok(fields) => fields,
    };
    let Some(fields) = fields else { return free(&text) };
    let read = |value: &Value| match (kind, value) {
        (Kind::YesNo, Value::Bool(yes)) => Some(f64::from(u8::from(*yes))),
        (Kind::Amount, Value::Number(number)) => number.as_f64(),
        (Kind::Principle, Value::String(id)) if Principle::from_id(id.trim()).is_some() => {
            Principle::from_id(id.trim()).map(|one| f64::from(one.number()))
        }
        _ => free(&text_of(value)?).value().copied(),
    };
    let given = match fields.one(name, read) {
        Ok(None) if !fields.is_json || fields.values("answer").len() == 1 => fields.one("answer", read),
        given => given,
    };
    match given {
        Ok(Some(value)) => {
            // Text outside the fields must not name another value.
            let (other, _) = decided(&fields.rest, language, kind);
            let revokes = Tagged::of(&fields.rest, language, kind);
            let is_revoked = revokes.words.section("revoke").is_in(&revokes.tokens);
            match other {
                _ if fields.is_json => Reading::read(value, fields.how()),
                Decision::Value(other, _) if other != value => Reading::unread(several),
                _ if is_revoked => Reading::unread(none),
                _ => Reading::read(value, fields.how()),
            }
        }
        Ok(None) if !fields.is_json => free(&text),
        Ok(None) => Reading::unread(none),
        Err(()) => Reading::unread(several),
    }
}

fn mapped<T, U>(reading: Reading<T>, map: impl FnOnce(T) -> Option<U>, none: Reason) -> Reading<U> {
    match reading {
        Reading::Read { value, how, span } => match map(value) {
            Some(value) => Reading::read(value, how).by(span),
            None => Reading::unread(none),
        },
        Reading::Unread { reason, .. } => Reading::unread(reason),
    }
}

/// The principle that an answer chooses.
#[must_use]
pub fn principle(text: &str, language: Language) -> Reading<Principle> {
    let reasons = [Reason::PrincipleContentUnclear, Reason::MultipleValidNumbers];
    let found = one(text, language, ("principle", Kind::Principle), reasons);
    if found.reason() == Some(Reason::PrincipleContentUnclear) && text.len() <= LONGEST {
        let all = Tagged::of(text, language, Kind::Principle);
        let mut numbers = all
            .tokens
            .iter()
            .filter(|token| matches!(token.key, key::NUMBER | key::MENTION));
        if numbers.clone().next().is_some() && numbers.all(|token| token.key == key::NUMBER) {
            return Reading::unread(Reason::NumberOutOfRange);
        }
    }
    mapped(
        found,
        |number| Principle::from_number(number as u8),
        Reason::NumberOutOfRange,
    )
}

/// Yes or no.
#[must_use]
pub fn agreement(text: &str, language: Language) -> Reading<bool> {
    let found = one(
        text,
        language,
        ("yesno", Kind::YesNo),
        [Reason::AgreementUnclear; 2],
    );
    mapped(found, |value| Some(value == 1.0), Reason::AgreementUnclear)
}

/// The amount that an answer names, within the bounds.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Reading<u32> {
    let reasons = [Reason::NoAmountFound, Reason::MultipleDifferentAmountsFound];
    match one(text, language, ("amount", Kind::Amount), reasons) {
        Reading::Read { value, how, span } => bounds.check(value, how).by(span),
        Reading::Unread { reason, .. } => Reading::unread(reason),
    }
}

/// The choice that an answer makes. An amount that is missing or out of bounds is none, and "no opinion" is no certainty
/// of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Reading<Choice> {
    let read = |principle: Principle| {
        let amount = amount(text, language, bounds).value().copied();
        Some(Choice {
            principle,
            amount: amount.filter(|_| principle.needs_amount()),
            certainty: certainty(text, language).filter(|certainty| *certainty != Certainty::NoOpinion),
        })
    };
    mapped(principle(text, language), read, Reason::PrincipleContentUnclear)
}

/// The principle that a statement supports in so many words.
#[must_use]
pub fn favoured(statement: &str, language: Language) -> Option<Principle> {
    match decided(statement, language, Kind::Principle) {
        (Decision::Value(value, at), _) => {
            let all = Tagged::of(statement, language, Kind::Principle);
            let declares = all.words.section("declare");
            let says = declares
                .all(&all.tokens)
                .any(|(_, one)| (one.part.0..one.part.1).contains(&at));
            says.then(|| Principle::from_number(value as u8))?
        }
        _ => None,
    }
}

/// The certainty that an answer states; `None` where it states two.
pub(super) fn certainty(text: &str, language: Language) -> Option<Certainty> {
    const DEGREES: [(&str, Certainty); 5] = [
        ("very_unsure", Certainty::VeryUnsure),
        ("unsure", Certainty::Unsure),
        ("no_opinion", Certainty::NoOpinion),
        ("sure", Certainty::Sure),
        ("very_sure", Certainty::VerySure),
    ];
    let text = thought::split(text).answer;
    let fields = Fields::of(&text, &FIELDS).ok().flatten();
    let given = fields
        .as_ref()
        .map(|fields| fields.text("certainty"))
        .filter(|given| !given.is_empty());
    let is_given = given.is_some();
    let text = given.unwrap_or(text).replace('_', " ");
    let all = Tagged::of(&text, language, Kind::Principle);
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.tokens.len() {
        let of = |(name, degree): (&str, Certainty)| {
            let section = all.words.section(&format!("certainty.{name}"));
            let bare = all.words.section(&format!("certainty.{name}.alone"));
            let one = section.at(&all.tokens, at).or_else(|| {
                bare.at(&all.tokens, at)
                    .filter(|one| is_given || is_apart(&all, at, one.end))
            });
            Some((one?.end, degree))
        };
        match DEGREES.into_iter().filter_map(of).max_by_key(|(end, _)| *end) {
            Some((end, degree)) => {
                found.push(degree);
                at = end;
            }
            None => at += 1,
        }
    }
    found.dedup();
    if all.words.section("uncertain").is_in(&all.tokens) {
        return None;
    }
    match found[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Whether marks or ends stand on both sides.
fn is_apart(all: &Tagged, from: usize, to: usize) -> bool {
    let is_word = |at: usize| all.tokens.get(at).is_some_and(|token| token.is_word());
    (from == 0 || !is_word(from - 1)) && !is_word(to)
}
