//! What an error body says, whatever its shape: words, codes and the fields it names. Gateways put one
//! body into another, as an object, as a text or behind words of their own; the innermost says what is
//! wrong. Knows no vendor, and not what the words mean.

use super::error_pattern::{self, Sign};
use serde_json::Value;

/// How many bodies may be within one another.
const DEPTH: u8 = 6;
/// At how many brackets of a text a body is looked for.
const STARTS: usize = 6;

#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    /// Everything that works as a code, in lower case.
    code: String,
    /// A numeric code that is an HTTP error status; the outermost counts.
    pub(super) number: Option<u16>,
    /// The words, as they were written.
    pub(super) message: Option<String>,
    /// The words in lower case.
    lower: String,
    signs: Vec<Sign>,
    /// The fields of the request that it names, in lower case.
    pub(super) fields: Vec<String>,
}

impl ErrorBody {
    /// A web page says nothing, a plain text says itself.
    pub(super) fn in_body(body: &str) -> Self {
        let mut said = Self::default();
        match serde_json::from_str::<Value>(body.trim()) {
            Ok(value) => said.value(&value, DEPTH),
            Err(_) => said.text(body, DEPTH),
        }
        said.lower = said.message.as_deref().unwrap_or_default().to_lowercase();
        said.signs = error_pattern::signs(&said.code, &said.lower);
        said
    }

    /// Whether its codes or message have such a sign.
    pub(super) fn has(&self, sign: Sign) -> bool {
        self.signs.contains(&sign)
    }

    /// Codes and message, in lower case.
    pub(super) fn spoken(&self) -> String {
        format!("{} {}", self.code, self.lower)
    }

    fn value(&mut self, value: &Value, depth: u8) {
        match value {
            Value::String(text) => self.text(text, depth),
            Value::Array(list) if list.iter().any(|item| item.get("msg").is_some()) => self.problems(list),
            Value::Array(list) => list.iter().take(1).for_each(|first| self.value(first, depth)),
            Value::Object(_) if depth > 0 => self.object(value, depth - 1),
            _ => {}
        }
    }

    fn object(&mut self, object: &Value, depth: u8) {
        self.add_codes(object);
        let number = ["code", "status", "http_code"].iter().find_map(|key| {
            let code = object.get(key)?;
            let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
            u16::try_from(number)
                .ok()
                .filter(|number| (400..600).contains(number))
        });
        self.number = self.number.or(number);
        if let Some(field) = object.get("param").and_then(Value::as_str) {
            self.fields.push(field.to_lowercase());
        }
        let details = object.get("details").and_then(Value::as_array);
        details
            .into_iter()
            .flatten()
            .for_each(|detail| self.add_codes(detail));
        // What a router was told comes before its own words.
        for key in ["metadata", "raw", "cause", "error", "message", "detail", "msg"] {
            match object.get(key) {
                // Only what stands there in another's words.
                Some(place) if key == "metadata" && place.get("raw").is_none() => {}
                Some(place) if self.message.is_none() => self.value(place, depth),
                _ => {}
            }
        }
    }

    /// A list of what is wrong with which field.
    fn problems(&mut self, list: &[Value]) {
        for problem in list {
            self.add_codes(problem);
            let place = problem.get("loc").and_then(Value::as_array);
            let field = place.and_then(|place| place.last()?.as_str());
            self.fields.extend(field.map(str::to_lowercase));
        }
        let words = list.iter().find_map(|problem| problem.get("msg")?.as_str());
        self.message = words.map(|words| match self.fields.as_slice() {
            [] => words.to_owned(),
            fields => format!("{words} ({})", fields.join(", ")),
        });
    }

    fn add_codes(&mut self, object: &Value) {
        for key in ["code", "type", "status", "reason"] {
            if let Some(code) = object.get(key).and_then(Value::as_str) {
                self.code.push_str(&code.to_lowercase());
                self.code.push(' ');
            }
        }
    }

    fn text(&mut self, text: &str, depth: u8) {
        // A mark of the order of bytes is no white space.
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || is_html(text) {
            return;
        }
        if depth > 0
            && let Some(value) = json_in(text)
        {
            self.value(&value, depth - 1);
        }
        if self.message.is_none() {
            self.message = Some(text.to_owned());
        }
    }
}

/// A body that a text is, or has behind some words.
fn json_in(text: &str) -> Option<Value> {
    let text = text.replace('\n', " ");
    for (at, _) in text.match_indices(['{', '[']).take(STARTS) {
        match first_json(text.get(at..)?) {
            Some(Value::Object(object)) if !object.is_empty() => return Some(Value::Object(object)),
            Some(list) if list.get(0).is_some_and(Value::is_object) => return Some(list),
            _ => {}
        }
    }
    None
}

/// The value that a text of one line begins with.
fn first_json(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .or_else(|error| {
            serde_json::from_str(text.get(..error.column().saturating_sub(1)).unwrap_or_default())
        })
        .ok()
}

/// Whether a text is a web page, rather than one that begins with a number in angle brackets.
fn is_html(text: &str) -> bool {
    let inside = text.strip_prefix('<');
    inside.is_some_and(|inside| {
        inside.starts_with(|first: char| first.is_ascii_alphabetic() || "!/?".contains(first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn message(body: &str) -> Option<String> {
        ErrorBody::in_body(body).message
    }

    #[test]
    fn the_innermost_body_speaks() {
        let inner = json!({ "error": { "message": "no", "param": "seed", "code": "bad" } });
        let text = inner.to_string();
        for body in [
            inner.clone(),
            json!([inner]),
            json!(text),
            json!({ "error": text }),
            json!({ "message": format!("litellm.Error: X - {text}. Received Model Group=x") }),
            json!({ "error": { "message": "Provider returned error", "code": 400, "metadata": { "raw": text } } }),
            json!({ "error": { "message": "Provider returned error", "code": 400, "metadata": { "raw": inner } } }),
            json!({ "message": { "message": { "detail": inner } } }),
        ] {
            let said = ErrorBody::in_body(&body.to_string());
            assert_eq!(said.message.as_deref(), Some("no"), "{body}");
            assert_eq!(said.fields, ["seed"], "{body}");
            assert!(said.code.contains("bad"), "{body}");
        }
        assert_eq!(message("{\"a\":1}"), None);
        assert_eq!(message("<html>no</html>"), None);
        assert_eq!(message(" no \n").as_deref(), Some("no"));
        assert_eq!(message("<400> no").as_deref(), Some("<400> no"));
        let kept = "invalid format: \"{}\"; expected JSON";
        assert_eq!(
            message(&json!({ "error": kept }).to_string()).as_deref(),
            Some(kept)
        );
    }

    #[test]
    fn problems_name_their_fields() {
        let body = json!({ "detail": [
            { "type": "extra_forbidden", "loc": ["body", "store"], "msg": "not permitted" },
            { "type": "extra_forbidden", "loc": ["body", "Seed"], "msg": "not permitted" },
        ] });
        let said = ErrorBody::in_body(&body.to_string());
        assert_eq!(said.message.as_deref(), Some("not permitted (store, seed)"));
        assert_eq!(said.fields, ["store", "seed"]);
    }

    #[test]
    fn bodies_within_bodies_come_to_an_end() {
        let mut body = json!("deep");
        for _ in 0..40 {
            body = json!({ "error": body.to_string().chars().take(10_000).collect::<String>() });
        }
        assert!(message(&body.to_string()).is_some());
        assert!(message(&"{\"error\":".repeat(10_000)).is_some());
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "[ -~é]{0,60}", braces in "[{}\"\\\\:\\[\\]a]{0,40}") {
            let _ = message(&text);
            let _ = message(&braces);
            let _ = message(&json!({ "error": { "message": braces, "metadata": { "raw": text } } }).to_string());
        }
    }
}
