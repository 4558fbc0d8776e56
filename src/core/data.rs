//! A value of a procedure's own, as JSON: what it drew, how it read an answer, what happened. The core passes it on and
//! looks at none of it, so it stays the text that it is stored as until somebody wants a value.

use super::text::Text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Write};
use std::rc::Rc;

/// A value as JSON, in one way of writing it. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Data(Rc<str>);

impl Data {
    /// A value as it is stored.
    pub fn of(value: &impl Serialize) -> Self {
        Self(
            serde_json::to_string(value)
                .unwrap_or_else(|_| "null".to_owned())
                .into(),
        )
    }

    /// The JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.0
    }

    /// The value as a type of the procedure's.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// The value as any JSON.
    #[must_use]
    pub fn value(&self) -> Value {
        self.read().unwrap_or_default()
    }

    /// Writes the value where texts can be told by number: a string of which `pieces` knows some is `{"=":…}` with what
    /// that writes. So that nothing else reads like that, names that begin with `=` get another one.
    pub(super) fn write(&self, out: &mut String, pieces: impl Fn(&str) -> Option<String>) {
        for (token, is_name) in Tokens(&self.0) {
            match token.as_bytes() {
                [b'"', b'=', ..] if is_name => {
                    out.push_str("\"=");
                    out.push_str(token.get(1..).unwrap_or_default());
                }
                [b'"', ..] if !is_name && token.len() > WORTH => {
                    match string(token).and_then(|text| pieces(&text)) {
                        Some(pieces) => {
                            let _ = write!(out, "{{\"=\":{pieces}}}");
                        }
                        None => out.push_str(token),
                    }
                }
                _ => out.push_str(token),
            }
        }
    }

    /// The value that was written so, by somebody who may put spaces, escapes and numbers his own way. `None`: there is
    /// no text of that number.
    pub(super) fn resolved(&self, text: impl Fn(u32) -> Option<Text>) -> Option<Self> {
        let mut out = String::with_capacity(self.0.len());
        let mut tokens = Tokens(&self.0);
        while let Some((token, is_name)) = tokens.next() {
            match token.as_bytes() {
                b"\"=\"" if is_name => {
                    out.pop();
                    let mut whole = String::new();
                    for (token, _) in tokens.by_ref().take_while(|(token, _)| *token != "}") {
                        match token.as_bytes() {
                            [b'"', ..] => whole.push_str(&string(token)?),
                            [b':' | b'[' | b']' | b',', ..] => {}
                            _ => text(token.parse().ok()?)?.push_to(&mut whole)?,
                        }
                    }
                    out.push_str(&serde_json::to_string(&whole).ok()?);
                }
                [b'"', ..] => {
                    let own = string(token)?;
                    let own = if is_name {
                        own.strip_prefix('=').unwrap_or(&own)
                    } else {
                        &own
                    };
                    out.push_str(&serde_json::to_string(own).ok()?);
                }
                [b'-' | b'0'..=b'9', rest @ ..]
                    if rest.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) =>
                {
                    out.push_str(Self::of(&token.parse::<f64>().ok()?).json());
                }
                _ => out.push_str(token),
            }
        }
        Some(Self(out.into()))
    }
}

/// Bytes from which on a string is looked up among the texts.
const WORTH: usize = 24;

fn string(token: &str) -> Option<Cow<'_, str>> {
    let inner = token.get(1..token.len() - 1)?;
    if inner.contains('\\') {
        serde_json::from_str(token).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// The parts of a JSON text, and whether each is the name of a member. Of texts that are JSON only.
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
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.get().into()))
    }
}
