//! The choice of an application round: the principle, the amount where it needs one, the certainty. What was not
//! said is missing, never filled in.

use super::certainty::certainty;
use super::clean::clean;
use super::scope::Scoped;
use super::scope::flag::*;
use super::token::{Token, class};
use super::{AmountBounds, How, Reading, Reason, amount, json, letter, option, ranking, rest};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle};
use serde_json::Value;

/// The principle that an answer chooses. A letter and nothing else is none: nobody was asked for one.
#[must_use]
pub fn principle(text: &str, language: Language) -> Reading<Principle> {
    let clean = clean(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let letters: Vec<char> = clean.chars().filter(|c| c.is_alphanumeric()).collect();
    if matches!(letters[..], ['a'..='d']) {
        return Reading::unread(Reason::NoLetterChoices);
    }
    chosen(text, clean, language)
}

/// The principle of a choice, which may be told by its letter.
fn chosen(text: &str, clean: String, language: Language) -> Reading<Principle> {
    match json::decides(&clean, language, 0, |value| of_value(value, language)) {
        json::Found::One(principle) => return Reading::read(principle, How::Json),
        json::Found::Several => return Reading::unread(Reason::MultipleValidNumbers),
        json::Found::None => {}
    }
    let all = Scoped::of(text, &letter::numbered(clean, language), language);
    let whole = option::decide(&all);
    let number = |part: &Scoped, whole: bool| match option::decide(part) {
        // "What remains is one."
        Reading::Read { value, how, .. }
            if whole || how != How::Keyword && (how != How::Word || value != Principle::Floor) =>
        {
            Some(value.number().into())
        }
        _ => None,
    };
    match whole
        .value()
        .is_none()
        .then(|| rest::conclusion(&all, language, &number))
    {
        Some(Some(place)) => option::decide(&all.part(place.clone(), language)).by(all.span(place)),
        _ => whole,
    }
}

/// The principle that a statement speaks for, where it says so in so many words.
#[must_use]
pub fn favoured(statement: &str, language: Language) -> Option<Principle> {
    let all = Scoped::of(statement, &clean(statement), language);
    let read = option::decide(&all).value().copied()?;
    option::declares(&all, read).then_some(read)
}

/// A principle as a value of JSON: its number, its name or its id.
pub(super) fn of_value(value: &Value, language: Language) -> Option<Principle> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| Principle::from_number(number.try_into().ok()?)),
        Value::String(text) => Principle::from_id(text.trim())
            .or_else(|| principle(&text.replace('_', " "), language).value().copied()),
        _ => None,
    }
}

/// The choice that an answer makes.
///
/// The amount is `None` for principles 1 and 2, when none is named, when it is out of bounds and when two different
/// ones are named. "No opinion" is no certainty of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Reading<Choice> {
    let text = &listed(text);
    let clean = clean(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let all = Scoped::of(text, &clean, language);
    let (principle, how, span) = match chosen(text, clean.clone(), language) {
        Reading::Read { value, how, span } => (value, how, span),
        Reading::Unread { reason, .. } => return Reading::unread(reason),
    };
    // "The guaranteed minimum, 12 thousand": a floor that has an amount is a constraint, unless it is to be as high as it
    // can be.
    let large = |token: &Token| token.is_number() && token.number >= 1000.0;
    let floor = principle == Principle::Floor && how == How::Keyword && all.tokens.iter().any(large);
    let raised = |mention: &option::Mention| {
        let words = mention.span.start.saturating_sub(3)..mention.span.end + 3;
        mention.number == 1 && all.any(words, class::MAX)
    };
    let principle = match floor && !option::mentions(&all).iter().any(raised) {
        true if amount::amount(text, language, bounds).value().is_none() => {
            return Reading::unread(Reason::PrincipleContentUnclear);
        }
        true => Principle::FloorConstraint,
        false => principle,
    };
    let stated = if how == How::Json {
        in_json(&clean, language)
    } else {
        certainty(&all)
    };
    let amount = match principle.needs_amount() {
        true => match amount::amount(text, language, bounds) {
            Reading::Read { value, .. } => Some(value),
            // Amounts that are not understood may be part of the choice.
            Reading::Unread { reason, .. } if names_amounts(&all) => return Reading::unread(reason),
            Reading::Unread { .. } => None,
        },
        false => None,
    };
    let choice = Choice {
        principle,
        amount,
        certainty: stated.filter(|certainty| *certainty != Certainty::NoOpinion),
    };
    Reading::read(choice, how).by(span)
}

/// "3 / 12k / sure", "3 - 12k - sure" are lists, and neither a share nor a range.
fn listed(text: &str) -> String {
    let mut listed = text.to_owned();
    if text.starts_with(['1', '2', '3', '4']) {
        for sign in [" / ", " - ", " – ", " — "] {
            listed = listed.replace(sign, " , ");
        }
    }
    listed
}

/// Whether one amount is named as one's own, or several in more than one sentence; those of one are what somebody does not decide
/// between.
fn names_amounts(all: &Scoped) -> bool {
    let large = |at: &usize| {
        all.is_number(*at)
            && all.tokens[*at].number >= 1000.0
            && !all.has(*at, OTHERS | PAST | QUOTED | REASON)
    };
    let places: Vec<usize> = (0..all.tokens.len()).filter(large).collect();
    places.len() == 1 || places.iter().any(|at| !all.same_sentence(*at, places[0]))
}

fn in_json(clean: &str, language: Language) -> Option<Certainty> {
    let mut values = json::objects(clean);
    if values.is_empty() {
        values = json::objects(&json::without_comments(clean));
    }
    values.iter().find_map(|value| {
        let fields = value.as_object()?;
        let of = fields
            .iter()
            .find(|(key, _)| json::classes(key, language) & class::CERTAINTY != 0)?;
        ranking::json_certainty(of.1)
    })
}
