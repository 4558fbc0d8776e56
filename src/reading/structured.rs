//! Answers in the form that was asked for: the one JSON object with its fields, or a last line such as
//! `ANSWER: principle = maximizing_floor; certainty = sure`, which decides alone. Nothing is taken from the words around
//! the object. Every function here returns `None` for an answer with neither, which the other readers read.

use super::alias::unquoted;
use super::critique::{Critique, of_object};
use super::fields::{named, text_of};
use super::json::{Json, objects};
use super::judge::Evaluation;
use super::order_json::{PLACES, distinct, json_certainty, json_principle};
use super::signals::Settled;
use super::vote::{Vote, truth};
use super::{AmountBounds, How, Reading, Reason};
use crate::language::Language;
use crate::principle::{Certainty, Choice, Principle, Ranking};
use crate::thought;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// A ranking: `first` to `fourth`, or all of them as `order`, `a > b > c > d`; `certainty`.
#[must_use]
pub fn ranking(text: &str) -> Option<Reading<Ranking>> {
    one(text, &PLACES, Reason::RankingUnclear, ranking_in)
}

/// The ranking among the values of a form.
#[must_use]
pub fn ranking_in(object: &Object) -> Reading<Ranking> {
    let places = PLACES.map(|place| object.get(place).and_then(json_principle));
    let all: Vec<Principle> = places.into_iter().flatten().collect();
    match distinct(&all) {
        Some(order) => {
            let certainty = certainty(object);
            Reading::read(Ranking { order, certainty }, How::Schema)
        }
        None => Reading::unread(Reason::IncompleteRanking),
    }
}

/// The choice of an application round: `principle`, `amount`, `certainty`. As in free text, an amount
/// that is missing or out of bounds is none, and "no opinion" is no certainty of a choice.
#[must_use]
pub fn choice(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<Choice>> {
    let several = Reason::MultipleValidNumbers;
    one(text, &["principle", "amount"], several, |object| {
        choice_in(object, language, bounds)
    })
}

/// The choice among the values of a form.
#[must_use]
pub fn choice_in(object: &Object, language: Language, bounds: AmountBounds) -> Reading<Choice> {
    let principle = match principle_in(object) {
        Reading::Read { value, .. } => value,
        Reading::Unread { reason, .. } => return Reading::unread(reason),
    };
    let amount = amount_in(object, "amount", language, bounds);
    let choice = Choice {
        principle,
        amount: amount.value().copied().filter(|_| principle.needs_amount()),
        certainty: certainty(object).filter(|certainty| *certainty != Certainty::NoOpinion),
    };
    Reading::read(choice, How::Schema)
}

/// The principle of a ballot: `principle`.
#[must_use]
pub fn principle(text: &str) -> Option<Reading<Principle>> {
    one(text, &["principle"], Reason::MultipleValidNumbers, principle_in)
}

/// The principle among the values of a form.
#[must_use]
pub fn principle_in(object: &Object) -> Reading<Principle> {
    let value = object.get("principle").unwrap_or(&Value::Null);
    match json_principle(value) {
        Some(principle) => Reading::read(principle, How::Schema),
        None if value.is_number() => Reading::unread(Reason::NumberOutOfRange),
        None => Reading::unread(Reason::PrincipleContentUnclear),
    }
}

/// The amount of a constraint: `amount`.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Option<Reading<u32>> {
    let several = Reason::MultipleDifferentAmountsFound;
    one(text, &["amount"], several, |object| {
        amount_in(object, "amount", language, bounds)
    })
}

/// The amount of a field among the values of a form. Numbers are whole dollars as they are; texts are read as amounts in
/// words are.
#[must_use]
pub fn amount_in(object: &Object, field: &str, language: Language, bounds: AmountBounds) -> Reading<u32> {
    match object.get(field) {
        Some(Value::String(text)) => match super::amount(text, language, bounds) {
            Reading::Read { value, .. } => Reading::read(value, How::Schema),
            unread => unread,
        },
        Some(Value::Number(number)) => match number
            .as_f64()
            .filter(|value| value.fract() == 0.0 && *value >= 0.0)
        {
            Some(value) => bounds.check(value, How::Schema),
            None => Reading::unread(Reason::NoAmountFound),
        },
        _ => Reading::unread(Reason::NoAmountFound),
    }
}

/// A statement with what its speaker says of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    let found = one(text, &fields, none, |object| {
        stated_in(object, language, bounds)
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
pub fn stated_in(object: &Object, language: Language, bounds: AmountBounds) -> Option<Stated> {
    let said = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let favored = object.get("favored_principle").and_then(json_principle);
    let amount = amount_in(object, "favored_amount", language, bounds);
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

/// Yes or no: `answer`; `fields` are all that the form has.
#[must_use]
pub fn yes_no(text: &str, fields: &[&str], language: Language) -> Option<Reading<bool>> {
    one(text, fields, Reason::AgreementUnclear, |object| {
        yes_no_in(object, language)
    })
}

/// Yes or no among the values of a form.
#[must_use]
pub fn yes_no_in(object: &Object, language: Language) -> Reading<bool> {
    let said = match object.get("answer") {
        Some(Value::Bool(yes)) => Some(*yes),
        Some(Value::String(text)) => truth(text, language),
        Some(Value::Number(number)) => number
            .as_u64()
            .filter(|number| *number < 2)
            .map(|number| number == 1),
        _ => None,
    };
    said.map_or_else(
        || Reading::unread(Reason::AgreementUnclear),
        |yes| Reading::read(yes, How::Schema),
    )
}

/// Stop, which is true, or continue: `answer`.
#[must_use]
pub fn poll(text: &str) -> Option<Reading<bool>> {
    one(text, &["answer"], Reason::AgreementUnclear, poll_in)
}

/// Stop or continue among the values of a form.
#[must_use]
pub fn poll_in(object: &Object) -> Reading<bool> {
    let said = object.get("answer").and_then(Value::as_str);
    said.map_or_else(|| Reading::unread(Reason::AgreementUnclear), super::signals::poll)
}

/// A critique: `issues`, `suggestions`, `reasoning`, `severity`. A severity beyond 0 to 10 is none.
#[must_use]
pub fn critique(text: &str) -> Option<Reading<Critique>> {
    let fields = ["issues", "suggestions", "reasoning", "severity"];
    let unclear = Reason::NoItemsFound;
    one(text, &fields, unclear, |object| {
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
    one(text, &fields, several, |object| {
        // Whatever the reasons say, the field is the choice.
        let mut object = object.clone();
        let reasoning = object.remove("reasoning");
        match read(&Value::Object(object).to_string()) {
            Reading::Read { value, how, span } => {
                let reasoning = reasoning.as_ref().and_then(text_of).unwrap_or_default();
                Reading::read(Vote { reasoning, ..value }, how).by(span)
            }
            unread => unread,
        }
    })
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
    one(text, &fields, unclear, |object| {
        super::judge(&Value::Object(object.clone()).to_string(), language, labels)
    })
}

/// Whether a judge holds the matter for settled: `reason`, `conclusive`, `confidence`.
#[must_use]
pub fn settled(text: &str, language: Language) -> Option<Reading<Settled>> {
    let fields = ["reason", "conclusive", "confidence"];
    let unclear = Reason::NoSignalFound;
    one(text, &fields, unclear, |object| {
        super::signals::settled(&Value::Object(object.clone()).to_string(), language)
    })
}

/// What somebody else says that a text says: `quote`, the words of it that decide, and everything as it was given. `None`
/// where nothing is said of it, or `says` is not true.
#[must_use]
pub fn relied_on(text: &str) -> Option<(String, Value)> {
    let unclear = Reason::NoSignalFound;
    let read = one(text, &["quote", "says"], unclear, |object| {
        let quote = object.get("quote").and_then(Value::as_str);
        match quote.filter(|_| object.get("says") == Some(&Value::Bool(true))) {
            Some(quote) => Reading::read((quote.to_owned(), Value::Object(object.clone())), How::Schema),
            None => Reading::unread(unclear),
        }
    })?;
    match read {
        Reading::Read { value, .. } => Some(value),
        Reading::Unread { .. } => None,
    }
}

/// Reads the last line that has all `fields`, else the one object that has them. `several`: why an answer with two such
/// objects that differ is unread.
fn one<T>(
    text: &str,
    fields: &[&str],
    several: Reason,
    read: impl Fn(&Object) -> Reading<T>,
) -> Option<Reading<T>> {
    let text = thought::split(text).answer;
    let formed = |reading: Reading<T>, how| match reading {
        Reading::Read { value, .. } => Reading::read(value, how),
        unread => unread,
    };
    if let Some(found @ Reading::Read { .. }) = in_line(&text, fields).map(|values| read(&values)) {
        return Some(formed(found, How::Line));
    }
    let mut found = match objects(&text) {
        Json::CutOff => return Some(Reading::unread(Reason::AnswerBrokenOff)),
        Json::Objects(found, _) => found,
        Json::None | Json::Broken => return None,
    };
    let has_all = |object: &Object| fields.iter().all(|field| object.contains_key(*field));
    for object in &mut found {
        // One object inside one.
        let inner: Vec<&Object> = object
            .values()
            .filter_map(Value::as_object)
            .filter(|inner| has_all(inner))
            .collect();
        if let ([inner], false) = (&inner[..], has_all(object)) {
            *object = (*inner).clone();
        }
        take_apart(object);
    }
    found.retain(has_all);
    let first = found.pop()?;
    Some(match found.iter().all(|other| *other == first) {
        true => formed(read(&first), How::Schema),
        false => Reading::unread(several),
    })
}

/// An order that came whole, `a > b > c > d`, by its places.
fn take_apart(object: &mut Object) {
    let order = object
        .get("order")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if order.matches('>').count() + 1 == PLACES.len() && !object.contains_key(PLACES[0]) {
        for (place, one) in PLACES.iter().zip(order.split('>')) {
            object.insert((*place).to_owned(), one.trim().into());
        }
    }
}

/// The values of the last line, if it has all `fields` but the free words, which stand before it.
fn in_line(text: &str, fields: &[&str]) -> Option<Object> {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    let (before, line) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
    let (label, said) = line
        .trim_start_matches(['*', '#', '>', ' '])
        .split_once([':', '：'])?;
    named(label, &["answer"])?;
    let mut values = Object::new();
    for part in said
        .split([';', '；'])
        .filter(|part| !part.trim_matches(['*', ' ']).is_empty())
    {
        let (name, value) = part.split_once(['=', '＝'])?;
        let value = unquoted(value);
        let value = match serde_json::from_str(value) {
            _ if value.eq_ignore_ascii_case("none") => Value::Null,
            Ok(plain @ (Value::Null | Value::Bool(_) | Value::Number(_))) => plain,
            _ => Value::from(value),
        };
        if values.insert(unquoted(name).to_owned(), value).is_some() {
            return None;
        }
    }
    for field in fields {
        match *field {
            name if values.contains_key(name) => {}
            name @ ("text" | "reason" | "reasoning") => {
                values.insert(name.to_owned(), before.trim_end().into());
            }
            _ => return None,
        }
    }
    (!values.is_empty()).then_some(values)
}

fn certainty(object: &Object) -> Option<Certainty> {
    json_certainty(object.get("certainty")?, Language::English)
}
