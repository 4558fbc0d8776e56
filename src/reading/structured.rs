//! Answers in the form that was asked for: the one JSON object with its fields, between sentences or in
//! a fence. Read exactly: what is wrong in it makes the answer unread, nothing is taken from elsewhere.
//! A last line that was asked for comes before it and decides alone (`line`).
//! An answer that holds neither is free text and the other readers' business; every function here is
//! `None` for it.
//!
//! Which forms are asked for stands with the protocols.

use super::critique::{Critique, of_object};
use super::json::objects;
use super::judge::Evaluation;
use super::line;
use super::normalize::without_thought;
use super::ranking::{distinct, json_certainty, json_principle};
use super::signals::Settled;
use super::vote::Vote;
use super::{AmountBounds, How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle, Ranking};
use serde_json::{Deserializer, Value};

/// Names of the places of a ranking.
const PLACES: [&str; 4] = ["first", "second", "third", "fourth"];

/// A ranking: `first` to `fourth`, or all of them as `order`, `a > b > c > d`; `certainty`.
#[must_use]
pub fn ranking(text: &str) -> Option<Reading<Ranking>> {
    let unclear = Reason::RankingUnclear;
    one(text, &PLACES, unclear, |object, _| {
        let places = PLACES.map(|place| object.get(place).and_then(json_principle));
        let all: Vec<Principle> = places.into_iter().flatten().collect();
        match distinct(&all) {
            Some(order) => {
                let certainty = certainty(object);
                Reading::read(Ranking { order, certainty }, How::Schema)
            }
            None => Reading::unread(Reason::IncompleteRanking),
        }
    })
}

/// The choice of an application round: `principle`, `amount`, `certainty`. As in free text, an amount
/// that is missing or out of bounds is none, and "no opinion" is no certainty of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<Choice>> {
    let several = Reason::MultipleValidNumbers;
    one(text, &["principle", "amount"], several, |object, _| {
        let principle = match principle_in(object) {
            Ok(principle) => principle,
            Err(reason) => return Reading::unread(reason),
        };
        let amount = amount_of(object.get("amount"), language, bounds);
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
    let several = Reason::MultipleValidNumbers;
    one(text, &["principle"], several, |object, around| {
        let found = match principle_in(object) {
            Ok(principle) => principle,
            Err(reason) => return Reading::unread(reason),
        };
        match super::principle(around, language) {
            Reading::Read {
                value,
                how: How::Digit | How::Label | How::Noun,
                ..
            } if value != found => Reading::unread(Reason::MultipleValidNumbers),
            _ => Reading::read(found, How::Schema),
        }
    })
}

/// The amount of a constraint: `amount`. Words around the object may name no other.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<u32>> {
    let several = Reason::MultipleDifferentAmountsFound;
    one(text, &["amount"], several, |object, around| {
        let found = amount_of(object.get("amount"), language, bounds);
        let other = super::amount(around, language, bounds);
        match (found.value(), other.value()) {
            (Some(found), Some(other)) if found != other => Reading::unread(several),
            _ => found,
        }
    })
}

/// A statement with what its speaker says of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stated {
    /// What is said to the others.
    pub text: String,
    /// The principle that the speaker names as favoured.
    pub favored: Option<Principle>,
    /// Its amount.
    pub amount: Option<u32>,
    /// Topic, key point and theory, as far as they are given.
    pub points: [String; 3],
}

/// A statement: `text`, `favored_principle`, `favored_amount`, where they are asked for `topic`, `key_point`, `theory`.
/// Who favours none that can be made out favours none. Of a form that breaks off the text remains.
#[must_use]
pub fn statement(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<Stated>> {
    let none = Reason::EmptyResponse;
    let fields = ["text", "favored_principle"];
    let found = one(text, &fields, none, |object, _| {
        stated(object, language, bounds)
            .map_or_else(|| Reading::unread(none), |said| Reading::read(said, How::Schema))
    });
    match found {
        Some(Reading::Read { .. }) => found,
        _ => begun(text).map(|text| {
            let said = Stated {
                text,
                ..Stated::default()
            };
            Reading::read(said, How::Length)
        }),
    }
}

/// The values of a statement.
#[must_use]
pub fn stated(values: &Value, language: Language, bounds: AmountBounds) -> Option<Stated> {
    let said = |name| values.get(name).and_then(Value::as_str).unwrap_or_default();
    let favored = values.get("favored_principle").and_then(json_principle);
    let amount = amount_of(values.get("favored_amount"), language, bounds);
    let needed = favored.is_some_and(Principle::needs_amount);
    Some(Stated {
        text: Some(said("text"))
            .filter(|text| !text.trim().is_empty())?
            .to_owned(),
        favored,
        amount: amount.value().copied().filter(|_| needed),
        points: ["topic", "key_point", "theory"].map(|name| said(name).trim().to_owned()),
    })
}

/// The first field of an object that is not whole, where it is the text.
fn begun(text: &str) -> Option<String> {
    let mut rest = text
        .trim()
        .trim_start_matches("```json")
        .trim_start_matches("```");
    for sign in ["{", "\"text\"", ":", "\""] {
        rest = rest.trim_start().strip_prefix(sign)?;
    }
    let mut escaped = false;
    let end = rest.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let said = rest.get(..end.unwrap_or(rest.len()))?;
    // It may break off within the writing of one character.
    let whole = |cut: usize| {
        let said = said.get(..said.len().checked_sub(cut)?)?;
        let said = said.replace('\n', "\\n").replace('\r', "").replace('\t', "\\t");
        serde_json::from_str(&format!("\"{said}\"")).ok()
    };
    (0..12).find_map(whole)
}

/// Yes or no: `answer`; `fields` are all that the form has. Words around the object may not say the
/// opposite.
#[must_use]
pub fn yes_no(text: &str, fields: &[&str], language: Language) -> Option<Reading<bool>> {
    let unclear = Reason::AgreementUnclear;
    one(text, fields, unclear, |object, around| {
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
    one(text, &["answer"], unclear, |object, _| {
        let said = object.get("answer").and_then(Value::as_str);
        said.map_or_else(|| Reading::unread(unclear), super::signals::poll)
    })
}

/// A critique: `issues`, `suggestions`, `reasoning`, `severity`. A severity beyond 0 to 10 is none.
#[must_use]
pub fn critique(text: &str) -> Option<Reading<Critique>> {
    let fields = ["issues", "suggestions", "reasoning", "severity"];
    let unclear = Reason::NoItemsFound;
    one(text, &fields, unclear, |object, _| {
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
    let several = Reason::AmbiguousChoice;
    one(text, &fields, several, |object, _| read(&object.to_string()))
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
    one(text, &fields, unclear, |object, _| {
        super::judge(&object.to_string(), language, labels)
    })
}

/// Whether a judge holds the matter for settled: `reason`, `conclusive`, `confidence`.
#[must_use]
pub fn settled(text: &str, language: Language) -> Option<Reading<Settled>> {
    let fields = ["reason", "conclusive", "confidence"];
    let unclear = Reason::NoSignalFound;
    one(text, &fields, unclear, |object, _| {
        super::signals::settled(&object.to_string(), language)
    })
}

/// What somebody else says that a text says: `quote`, the words of it that decide, and everything as it was given. `None`
/// where nothing is said of it, or `says` is not true.
#[must_use]
pub fn relied_on(text: &str) -> Option<(String, Value)> {
    let unclear = Reason::NoSignalFound;
    let read = one(text, &["quote", "says"], unclear, |object, _| {
        let quote = object.get("quote").and_then(Value::as_str);
        match quote.filter(|_| object.get("says") == Some(&Value::Bool(true))) {
            Some(quote) => Reading::read((quote.to_owned(), object.clone()), How::Schema),
            None => Reading::unread(unclear),
        }
    })?;
    match read {
        Reading::Read { value, .. } => Some(value),
        Reading::Unread { .. } => None,
    }
}

/// Reads the one object that has all `fields`, with the text around it, or the last line that has them and then
/// decides alone. `several`: why an answer with two such objects that differ is unread.
fn one<T>(
    text: &str,
    fields: &[&str],
    several: Reason,
    read: impl Fn(&Value, &str) -> Reading<T>,
) -> Option<Reading<T>> {
    let text = without_thought(text);
    if let Some(values) = in_line(&text, fields)
        && let Reading::Read { value, .. } = read(&values, "")
    {
        return Some(Reading::read(value, How::Line));
    }
    Some(match found(&text, fields)? {
        // However the fields were read, they came as they were asked for.
        Found::One(object, around) => match read(&object, &around) {
            Reading::Read { value, .. } => Reading::read(value, How::Schema),
            unread => unread,
        },
        Found::Broken => Reading::unread(Reason::AnswerBrokenOff),
        Found::Several => Reading::unread(several),
    })
}

/// JSON of an answer.
enum Found {
    /// The object, and the text around it.
    One(Value, String),
    /// It breaks off.
    Broken,
    /// Objects that differ.
    Several,
}

fn found(text: &str, fields: &[&str]) -> Option<Found> {
    let mut found = objects(text);
    found.iter_mut().for_each(take_apart);
    found.retain(|object| fields.iter().all(|field| object.get(field).is_some()));
    let Some(first) = found.pop() else {
        return breaks_off(text).then_some(Found::Broken);
    };
    Some(match found.iter().all(|other| *other == first) {
        true => Found::One(first, around(text)),
        false => Found::Several,
    })
}

/// An order that came whole, `a > b > c > d`, by its places; said in both ways it is as it was.
fn take_apart(object: &mut Value) {
    let order = object["order"].as_str().unwrap_or_default().to_owned();
    if order.matches('>').count() + 1 != PLACES.len() || object.get(PLACES[0]).is_some() {
        return;
    }
    for (place, one) in PLACES.iter().zip(order.split('>')) {
        object[*place] = one.trim().into();
    }
}

/// The values of the last line, where it has all `fields` but the free words, which stand before it.
fn in_line(text: &str, fields: &[&str]) -> Option<Value> {
    let (mut values, before) = line::last(text)?;
    for field in fields {
        match (values.contains_key(*field), *field) {
            (true, _) => {}
            (false, "text" | "reason" | "reasoning") => {
                values.insert((*field).to_owned(), before.into());
            }
            _ => return None,
        }
    }
    Some(Value::Object(values))
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
fn amount_of(said: Option<&Value>, language: Language, bounds: AmountBounds) -> Reading<u32> {
    let none = || Reading::unread(Reason::NoAmountFound);
    match said {
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
