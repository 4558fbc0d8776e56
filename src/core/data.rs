//! A procedure's own value as JSON: a draw, a reading, an event. The core does not inspect it, so it stays
//! in its stored form and is parsed on demand.

use super::text::{MAX_COPIED, Stored, Texts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::fmt::{self, Debug, Display};
use std::rc::Rc;

/// Canonical JSON. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Data(Rc<str>);

impl Data {
    /// Serializes a value canonically, with object keys sorted.
    pub fn of(value: &impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        Self(value.to_string().into())
    }

    #[must_use]
    pub fn json(&self) -> &str {
        &self.0
    }

    /// Deserializes the value.
    ///
    /// # Errors
    /// Returns an error if it does not have type `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Returns the value as a record stores it: a text with lines of earlier texts as `{"=": pieces}`. Names that begin
    /// with `=` are escaped, to stay distinct. Names that begin with a digit are escaped too, because JavaScript would
    /// sort them first.
    pub(super) fn store(&self, texts: &mut Texts) -> Value {
        stored(self.value(), texts)
    }

    /// Returns the value of a stored one. Returns `None` if a text is missing or too large.
    pub(super) fn load(stored: Value, texts: &mut Texts) -> Option<Self> {
        loaded(stored, texts, &mut 0).map(|value| Self(value.to_string().into()))
    }
}

/// Bytes above which a string is stored as a text.
const TEXT_THRESHOLD: usize = 24;

fn stored(value: Value, texts: &mut Texts) -> Value {
    match value {
        Value::String(text) if text.len() > TEXT_THRESHOLD => match texts.store(&text.as_str().into()) {
            Stored::Whole(text) => Value::String(text),
            pieces => json!({ "=": pieces }),
        },
        Value::Array(items) => items.into_iter().map(|item| stored(item, texts)).collect(),
        Value::Object(members) => {
            let member = |(name, value)| (escaped(name), stored(value, texts));
            members.into_iter().map(member).collect()
        }
        other => other,
    }
}

/// `copied` counts the bytes of texts in pieces.
fn loaded(value: Value, texts: &mut Texts, copied: &mut usize) -> Option<Value> {
    match value {
        Value::String(text) if text.len() > TEXT_THRESHOLD => {
            texts.share(&text.as_str().into());
            Some(Value::String(text))
        }
        Value::Array(items) => items
            .into_iter()
            .map(|item| loaded(item, texts, copied))
            .collect(),
        Value::Object(mut members) => {
            if let Some(pieces) = members.remove("=") {
                let text = texts.load(&serde_json::from_value(pieces).ok()?)?;
                *copied += text.len();
                return (*copied <= MAX_COPIED).then(|| Value::String(text.get().into_owned()));
            }
            // Texts count in the order of the names before they were escaped.
            let members: Map<String, Value> = members.into_iter().map(unescaped).collect();
            let member = |(name, value)| Some((name, loaded(value, texts, copied)?));
            members.into_iter().map(member).collect()
        }
        other => Some(other),
    }
}

fn escaped(name: String) -> String {
    match name.as_bytes() {
        [b'=' | b'0'..=b'9', ..] => format!("={name}"),
        _ => name,
    }
}

fn unescaped((name, value): (String, Value)) -> (String, Value) {
    match name.strip_prefix('=') {
        Some(name) => (name.to_owned(), value),
        None => (name, value),
    }
}

impl Debug for Data {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Returns the stored name of a unit variant, and an empty text for any other value.
pub(crate) fn variant_name(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

impl Display for Data {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Serialize for Data {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.as_ref().to_owned()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| Self::of(&value))
    }
}
