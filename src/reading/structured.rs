//! Answers in the form that was asked for: the one JSON object with its fields, between sentences or in
//! a fence. Read exactly: what is wrong in it makes the answer unread, nothing is taken from elsewhere.
//! An answer that holds no JSON is free text and the other readers' business; every function here is
//! `None` for it.
//!
//! Which forms are asked for stands with the protocols.

use super::critique::{Critique, of_object};
use super::json::objects;
use super::judge::Evaluation;
use super::normalize::without_thought;
use super::ranking::{distinct, json_certainty, json_principle};
use super::signals::Settled;
use super::vote::Vote;
use super::{AmountBounds, How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle, Ranking};
use serde_json::{Deserializer, Value};

/// A ranking: `first` to `fourth`, `certainty`.
#[must_use]
pub fn ranking(text: &str) -> Option<Reading<Ranking>> {
    const PLACES: [&str; 4] = ["first", "second", "third", "fourth"];
    let unclear = Reason::RankingUnclear;
    one(text, &PLACES, [unclear, unclear], |object, _| {
        let places = PLACES.map(|place| object.get(place).and_then(json_principle));
        let all: Vec<Principle> = places.into_iter().flatten().collect();
        if all.len() < PLACES.len() {
            return Reading::unread(Reason::IncompleteRanking);
        }
        match distinct(&all) {
            Some(order) => {
                let certainty = certainty(object);
                Reading::read(Ranking { order, certainty }, How::Schema)
            }
            None => Reading::unread(Reason::RankingUnclear),
        }
    })
}

/// The choice of an application round: `principle`, `amount`, `certainty`. As in free text, an amount
/// that is missing or out of bounds is none, and "no opinion" is no certainty of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<Choice>> {
    let failures = [Reason::PrincipleContentUnclear, Reason::MultipleValidNumbers];
    one(text, &["principle", "amount"], failures, |object, _| {
        let principle = match principle_in(object) {
            Ok(principle) => principle,
            Err(reason) => return Reading::unread(reason),
        };
        let amount = amount_in(object, language, bounds);
        let choice = Choice {
            principle,
            amount: amount.value().copied().filter(|_| principle.needs_amount()),
            certainty: certainty(object).filter(|certainty| *certainty != Certainty::NoOpinion),
        };
        Reading::read(choice, How::Schema)
    })
}

/// The principle of a ballot: `principle`. Words around the object may name no other.
#[must_use]
pub fn principle(text: &str, language: Language) -> Option<Reading<Principle>> {
    let failures = [Reason::PrincipleContentUnclear, Reason::MultipleValidNumbers];
    one(text, &["principle"], failures, |object, around| {
        let found = match principle_in(object) {
            Ok(principle) => principle,
            Err(reason) => return Reading::unread(reason),
        };
        match super::principle(around, language) {
            Reading::Read {
                value,
                how: How::Digit | How::Label | How::Noun,
            } if value != found => Reading::unread(Reason::MultipleValidNumbers),
            _ => Reading::read(found, How::Schema),
        }
    })
}

/// The amount of a constraint: `amount`. Words around the object may name no other.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<u32>> {
    let several = Reason::MultipleDifferentAmountsFound;
    one(
        text,
        &["amount"],
        [Reason::NoAmountFound, several],
        |object, around| {
            let found = amount_in(object, language, bounds);
            let other = super::amount(around, language, bounds);
            match (found.value(), other.value()) {
                (Some(found), Some(other)) if found != other => Reading::unread(several),
                _ => found,
            }
        },
    )
}

/// Yes or no: `answer`; `fields` are all that the form has. Words around the object may not say the
/// opposite.
#[must_use]
pub fn yes_no(text: &str, fields: &[&str], language: Language) -> Option<Reading<bool>> {
    let unclear = Reason::AgreementUnclear;
    one(text, fields, [unclear, unclear], |object, around| {
        let Some(yes) = object.get("answer").and_then(|said| truth(said, language)) else {
            return Reading::unread(unclear);
        };
        match super::agreement(around, language).value() {
            Some(other) if *other != yes => Reading::unread(unclear),
            _ => Reading::read(yes, How::Schema),
        }
    })
}

/// Stop, which is true, or continue: `answer`.
#[must_use]
pub fn poll(text: &str) -> Option<Reading<bool>> {
    let unclear = Reason::AgreementUnclear;
    one(text, &["answer"], [unclear, unclear], |object, _| {
        let said = object.get("answer").and_then(Value::as_str);
        said.map_or_else(|| Reading::unread(unclear), super::signals::poll)
    })
}

/// A critique: `issues`, `suggestions`, `reasoning`, `severity`. A severity beyond 0 to 10 is none.
#[must_use]
pub fn critique(text: &str) -> Option<Reading<Critique>> {
    let fields = ["issues", "suggestions", "reasoning", "severity"];
    let unclear = Reason::NoItemsFound;
    one(text, &fields, [unclear, unclear], |object, _| {
        let Some(critique) = of_object(object, "") else {
            return Reading::unread(unclear);
        };
        let severity = object.get("severity").and_then(Value::as_f64);
        let severity = severity.filter(|severity| (0.0..=10.0).contains(severity));
        Reading::read(Critique { severity, ..critique }, How::Schema)
    })
}

/// A vote: `reasoning`, `choice`, `confidence`, `continue`; `read` reads the object alone, as text.
#[must_use]
pub fn vote(text: &str, read: impl Fn(&str) -> Reading<Vote>) -> Option<Reading<Vote>> {
    let fields = ["reasoning", "choice", "confidence", "continue"];
    let failures = [Reason::NoChoiceFound, Reason::AmbiguousChoice];
    one(text, &fields, failures, |object, _| read(&object.to_string()))
}

/// A judge's evaluation: `scores`, `ranking`, `synthesis`, `reason`, `conclusive`, `confidence`.
#[must_use]
pub fn judge(text: &str, language: Language, labels: &[&str]) -> Option<Reading<Evaluation>> {
    let fields = [
        "scores",
        "ranking",
        "synthesis",
        "reason",
        "conclusive",
        "confidence",
    ];
    let unclear = Reason::NoEvaluationFound;
    one(text, &fields, [unclear, unclear], |object, _| {
        super::judge(&object.to_string(), language, labels)
    })
}

/// Whether a judge holds the matter for settled: `reason`, `conclusive`, `confidence`.
#[must_use]
pub fn settled(text: &str, language: Language) -> Option<Reading<Settled>> {
    let fields = ["reason", "conclusive", "confidence"];
    let unclear = Reason::NoSignalFound;
    one(text, &fields, [unclear, unclear], |object, _| {
        super::signals::settled(&object.to_string(), language)
    })
}

/// Reads the one object that has all `fields`, with the text around it. `failures`: why an answer is
/// unread that breaks off within its JSON, and one with two such objects that differ.
fn one<T>(
    text: &str,
    fields: &[&str],
    [broken, several]: [Reason; 2],
    read: impl Fn(&Value, &str) -> Reading<T>,
) -> Option<Reading<T>> {
    let text = without_thought(text);
    let has_all = |object: &Value| fields.iter().all(|field| object.get(field).is_some());
    let mut found = objects(&text);
    found.retain(has_all);
    match found.as_slice() {
        [] if breaks_off(&text) => Some(Reading::unread(broken)),
        [] => None,
        [first, others @ ..] if others.iter().all(|other| other == first) => {
            // However the fields were read, they came as they were asked for.
            Some(match read(first, &around(&text)) {
                Reading::Read { value, .. } => Reading::read(value, How::Schema),
                unread => unread,
            })
        }
        _ => Some(Reading::unread(several)),
    }
}

/// Whether the text begins an object and never ends it.
fn breaks_off(text: &str) -> bool {
    let begins = text.match_indices('{').find(|(at, _)| {
        let inside = text.get(at + 1..).unwrap_or_default();
        inside.trim_start().starts_with('"')
    });
    let Some(from) = begins.and_then(|(at, _)| text.get(at..)) else {
        return false;
    };
    let mut values = Deserializer::from_str(from).into_iter::<Value>();
    values.next().is_none_or(|value| value.is_err())
}

/// What stands before the first brace and behind the last.
fn around(text: &str) -> String {
    let before = text.split_once('{').map_or("", |(before, _)| before);
    let behind = text.rsplit_once('}').map_or("", |(_, behind)| behind);
    // The marks of a fence are no words.
    let plain = |part: &str| part.replace("```json", "").replace("```", "");
    format!("{}\n{}", plain(before), plain(behind)).trim().to_owned()
}

fn certainty(object: &Value) -> Option<Certainty> {
    let value = object.get("certainty")?;
    serde_json::from_value(value.clone())
        .ok()
        .or_else(|| json_certainty(value))
}

fn principle_in(object: &Value) -> Result<Principle, Reason> {
    let value = object.get("principle").unwrap_or(&Value::Null);
    json_principle(value).ok_or(if value.is_number() {
        Reason::NumberOutOfRange
    } else {
        Reason::PrincipleContentUnclear
    })
}

/// Numbers are whole dollars as they are; texts are read as amounts in words are.
fn amount_in(object: &Value, language: Language, bounds: AmountBounds) -> Reading<u32> {
    let none = || Reading::unread(Reason::NoAmountFound);
    match object.get("amount") {
        Some(Value::String(text)) => match super::amount(text, language, bounds) {
            Reading::Read { value, .. } => Reading::read(value, How::Schema),
            unread => unread,
        },
        Some(Value::Number(number)) => {
            let whole = number.as_f64().filter(|value| value.fract() == 0.0);
            match whole {
                Some(value) if value < 0.0 => none(),
                // The greatest amount is far below where numbers lose their last digit.
                Some(value) => bounds.check(value as u64, How::Schema),
                None => none(),
            }
        }
        _ => none(),
    }
}

fn truth(value: &Value, language: Language) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => super::labelled::truth(text, language),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
