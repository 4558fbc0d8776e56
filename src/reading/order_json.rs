//! Rankings, principles and certainties as values of JSON.

use super::decide::Decision;
use super::fields::{named, text_of};
use super::free::{certainty, decided};
use super::order::free;
use super::tag::{Kind, Tagged};
use crate::language::Language;
use crate::principle::{Certainty, Principle};
use serde_json::{Map, Value};

/// Names of the places of a ranking.
pub(super) const PLACES: [&str; 4] = ["first", "second", "third", "fourth"];
/// Four different principles.
pub(super) fn distinct(found: &[Principle]) -> Option<[Principle; 4]> {
    let order: [Principle; 4] = found.try_into().ok()?;
    let is_twice = |at: usize| order[..at].contains(&order[at]);
    (!(0..4).any(is_twice)).then_some(order)
}

/// A principle as a value of JSON: its number, its id, or its name in any language.
pub(super) fn json_principle(value: &Value) -> Option<Principle> {
    let in_words = |text: &str| {
        let of = |language| match decided(&text.replace('_', " "), language, Kind::Principle).0 {
            Decision::Value(number, _) => Principle::from_number(number as u8),
            _ => None,
        };
        Language::ALL.into_iter().find_map(of)
    };
    match value {
        Value::Number(number) => Principle::from_number(u8::try_from(number.as_u64()?).ok()?),
        Value::String(text) => Principle::from_id(text.trim()).or_else(|| in_words(text)),
        Value::Object(object) => {
            let named = object
                .iter()
                .find(|(key, _)| named(key, &["principle"]).is_some());
            named.and_then(|(_, value)| json_principle(value))
        }
        _ => None,
    }
}

/// The order of an object: a list, places as keys, or a text under "ranking".
pub(super) fn of_object(object: &Map<String, Value>, language: Language) -> Option<[Principle; 4]> {
    let direction = |value: &Value| {
        let said = Tagged::of(
            &text_of(value).unwrap_or_default().replace('_', " "),
            language,
            Kind::Principle,
        );
        ["ascending", "direction"]
            .iter()
            .any(|name| said.words.section(name).is_in(&said.tokens))
    };
    for (key, value) in object {
        if named(key, &["reason", "certainty"]).is_none()
            && direction(&Value::from(key.as_str()))
            && named(key, &PLACES).is_none()
        {
            return None;
        }
        match value {
            Value::Array(list) => return distinct(&listed(list)?),
            Value::Object(inner) => return of_object(inner, language),
            Value::String(text) if named(key, &["ranking"]).is_some() => return free(text, language).ok(),
            _ => {}
        }
    }
    let mut order = [None; 4];
    for (key, value) in object {
        let place = named(key, &PLACES).and_then(|name| PLACES.iter().position(|place| *place == name));
        let place = key
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1))
            .or(place);
        if let Some(place) = place.filter(|place| *place < 4) {
            if order[place].is_some() {
                return None;
            }
            order[place] = json_principle(value);
        }
    }
    distinct(&order.into_iter().flatten().collect::<Vec<_>>())
}

/// A list of principles, or of objects with a principle and its rank.
fn listed(list: &[Value]) -> Option<Vec<Principle>> {
    let rank = |value: &Value| {
        let object = value.as_object()?;
        object
            .iter()
            .find(|(key, _)| {
                matches!(
                    key.to_lowercase().as_str(),
                    "rank" | "place" | "position" | "puesto" | "lugar" | "orden" | "排名" | "名次"
                )
            })?
            .1
            .as_i64()
    };
    let mut found: Vec<(Option<i64>, Principle)> = Vec::new();
    for value in list {
        found.push((rank(value), json_principle(value)?));
    }
    let ranks: Vec<i64> = found.iter().filter_map(|(rank, _)| *rank).collect();
    if !ranks.is_empty() {
        let mut sorted = ranks.clone();
        sorted.sort_unstable();
        if sorted != [1, 2, 3, 4] {
            return None;
        }
        found.sort_by_key(|(rank, _)| *rank);
    }
    Some(found.into_iter().map(|(_, principle)| principle).collect())
}

/// A certainty as a value of JSON.
pub(super) fn json_certainty(value: &Value, language: Language) -> Option<Certainty> {
    let text = text_of(value)?;
    serde_json::from_value(value.clone())
        .ok()
        .or_else(|| certainty(&format!("certainty: {}", text.replace('_', " ")), language))
}
