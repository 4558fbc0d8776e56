//! A procedure's own value as JSON: a draw, a reading, an event. The core does not inspect it, so it stays
//! in its stored form and is parsed on demand.

use super::text::{MAX_TEXT, Text};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
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

    /// Writes the value with each long text as `{"=":…}`; `text` writes the part after `=`. Names that
    /// begin with `=` are escaped, to stay distinct. Names that begin with a digit are escaped too, because
    /// JavaScript would sort them first.
    pub(super) fn write(&self, out: &mut String, mut text: impl FnMut(&mut String, &str)) {
        for (token, is_name) in Tokens(&self.0) {
            match token.as_bytes() {
                [b'"', b'=' | b'0'..=b'9', ..] if is_name => {
                    out.push_str("\"=");
                    out.push_str(token.get(1..).unwrap_or_default());
                }
                [b'"', ..] if !is_name && token.len() > TEXT_THRESHOLD => match string(token) {
                    Some(whole) => {
                        out.push_str("{\"=\":");
                        text(out, &whole);
                        out.push('}');
                    }
                    None => out.push_str(token),
                },
                _ => out.push_str(token),
            }
        }
    }

    /// Reads a value written by [`Self::write`]. `text` reads one text. Returns `None` if a text is missing
    /// or too large.
    pub(super) fn read_from(written: &str, mut text: impl FnMut(&str) -> Option<Text>) -> Option<Self> {
        let mut out = String::with_capacity(written.len());
        let mut tokens = Tokens(written);
        while let Some((token, is_name)) = tokens.next() {
            match token.as_bytes() {
                b"\"=\"" if is_name => {
                    out.pop();
                    let form = tokens.0;
                    while tokens.next()?.0 != "}" {}
                    let end = form.len() - tokens.0.len() - 1;
                    let text = text(form.get(1..end)?)?;
                    if out.len() + text.len() > MAX_TEXT {
                        return None;
                    }
                    out.push_str(&serde_json::to_string(&text).ok()?);
                }
                [b'"', b'=', ..] if is_name => {
                    out.push('"');
                    out.push_str(token.get(2..)?);
                }
                _ => out.push_str(token),
            }
        }
        Some(Self(out.into()))
    }
}

/// Removes the white space between the tokens of a JSON text.
pub(crate) fn compact(json: &str) -> String {
    Tokens(json).map(|(token, _)| token).collect()
}

/// Bytes above which a string is stored as a text.
const TEXT_THRESHOLD: usize = 24;

fn string(token: &str) -> Option<Cow<'_, str>> {
    let inner = token.get(1..token.len() - 1)?;
    if inner.contains('\\') {
        serde_json::from_str(token).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// The tokens of a valid JSON text, each with whether it is a member name.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = (&'a str, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_ascii_start();
        let end = match *rest.as_bytes().first()? {
            b'"' => end_of_string(rest),
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            _ => rest
                .find(|one: char| one.is_ascii_whitespace() || matches!(one, '}' | ']' | ','))
                .unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at(end);
        self.0 = rest;
        let is_name = token.starts_with('"') && rest.trim_ascii_start().starts_with(':');
        Some((token, is_name))
    }
}

fn end_of_string(json: &str) -> usize {
    let mut bytes = json.bytes().enumerate().skip(1);
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => return index + 1,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    json.len()
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
