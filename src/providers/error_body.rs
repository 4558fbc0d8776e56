//! Error bodies of any shape: their message, codes and named fields. Gateways nest one body in another, as an
//! object, as text or after text of their own; the innermost counts. Independent of vendors; the meaning
//! of the texts is determined by `error_pattern`.

use super::error_pattern::{self, Sign};
use serde_json::Value;

/// Maximum nesting of bodies.
const DEPTH: u8 = 6;
/// Number of brackets in a text at which a body is tried.
const STARTS: usize = 6;

#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    /// Error codes and types, in lower case.
    codes: String,
    /// The outermost numeric code that is an HTTP error status.
    pub(super) status: Option<u16>,
    pub(super) message: Option<String>,
    /// The message in lower case.
    lower: String,
    signs: Vec<Sign>,
    /// The named fields of the request, in lower case.
    pub(super) fields: Vec<String>,
}

impl ErrorBody {
    /// Parses a body. Plain text is its own message; a web page has none.
    pub(super) fn parse(body: &str) -> Self {
        let mut error = Self::default();
        match serde_json::from_str::<Value>(body.trim()) {
            Ok(value) => error.read_value(&value, DEPTH),
            Err(_) => error.read_text(body, DEPTH),
        }
        error.lower = error.message.as_deref().unwrap_or_default().to_lowercase();
        error.signs = error_pattern::signs(&error.codes, &error.lower);
        error
    }

    pub(super) fn has(&self, sign: Sign) -> bool {
        self.signs.contains(&sign)
    }

    pub(super) fn message_in_lower_case(&self) -> &str {
        &self.lower
    }

    /// Returns codes and message, in lower case.
    pub(super) fn text(&self) -> String {
        format!("{} {}", self.codes, self.lower)
    }

    fn read_value(&mut self, value: &Value, depth: u8) {
        match value {
            Value::String(text) => self.read_text(text, depth),
            Value::Array(list) if list.iter().any(|item| item.get("msg").is_some()) => {
                self.read_problems(list)
            }
            Value::Array(list) => list
                .iter()
                .take(1)
                .for_each(|first| self.read_value(first, depth)),
            Value::Object(_) if depth > 0 => self.read_object(value, depth - 1),
            _ => {}
        }
    }

    fn read_object(&mut self, object: &Value, depth: u8) {
        self.add_codes(object);
        let status = ["code", "status", "http_code"].iter().find_map(|key| {
            let code = object.get(key)?;
            let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
            u16::try_from(number)
                .ok()
                .filter(|number| (400..600).contains(number))
        });
        self.status = self.status.or(status);
        if let Some(field) = object.get("param").and_then(Value::as_str) {
            self.fields.push(field.to_lowercase());
        }
        let details = object.get("details").and_then(Value::as_array);
        details
            .into_iter()
            .flatten()
            .for_each(|detail| self.add_codes(detail));
        // The upstream error precedes the router's own message.
        for key in ["metadata", "raw", "cause", "error", "message", "detail", "msg"] {
            match object.get(key) {
                // Metadata counts only with an upstream error in it.
                Some(value) if key == "metadata" && value.get("raw").is_none() => {}
                Some(value) if self.message.is_none() => self.read_value(value, depth),
                _ => {}
            }
        }
    }

    /// Reads a list of validation errors with their fields.
    fn read_problems(&mut self, list: &[Value]) {
        for problem in list {
            self.add_codes(problem);
            let path = problem.get("loc").and_then(Value::as_array);
            let field = path.and_then(|path| path.last()?.as_str());
            self.fields.extend(field.map(str::to_lowercase));
        }
        let message = list.iter().find_map(|problem| problem.get("msg")?.as_str());
        self.message = message.map(|message| match self.fields.as_slice() {
            [] => message.to_owned(),
            fields => format!("{message} ({})", fields.join(", ")),
        });
    }

    fn add_codes(&mut self, object: &Value) {
        for key in ["code", "type", "status", "reason"] {
            if let Some(code) = object.get(key).and_then(Value::as_str) {
                self.codes.push_str(&code.to_lowercase());
                self.codes.push(' ');
            }
        }
    }

    fn read_text(&mut self, text: &str, depth: u8) {
        // `trim` keeps a byte order mark.
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || is_html(text) {
            return;
        }
        if depth > 0
            && let Some(value) = find_json(text)
        {
            self.read_value(&value, depth - 1);
        }
        if self.message.is_none() {
            self.message = Some(text.to_owned());
        }
    }
}

/// Finds a JSON body that a text is or contains.
fn find_json(text: &str) -> Option<Value> {
    let text = text.replace('\n', " ");
    for (at, _) in text.match_indices(['{', '[']).take(STARTS) {
        match parse_prefix(text.get(at..)?) {
            Some(Value::Object(object)) if !object.is_empty() => return Some(Value::Object(object)),
            Some(list) if list.get(0).is_some_and(Value::is_object) => return Some(list),
            _ => {}
        }
    }
    None
}

/// Parses the JSON value at the beginning of a line.
fn parse_prefix(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .or_else(|error| {
            serde_json::from_str(text.get(..error.column().saturating_sub(1)).unwrap_or_default())
        })
        .ok()
}

/// Returns whether a text is a web page, rather than one that begins with a number in angle brackets.
fn is_html(text: &str) -> bool {
    let tag = text.strip_prefix('<');
    tag.is_some_and(|tag| tag.starts_with(|first: char| first.is_ascii_alphabetic() || "!/?".contains(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn message(body: &str) -> Option<String> {
        ErrorBody::parse(body).message
    }

    #[test]
    fn the_innermost_body_counts() {
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
            let error = ErrorBody::parse(&body.to_string());
            assert_eq!(error.message.as_deref(), Some("no"), "{body}");
            assert_eq!(error.fields, ["seed"], "{body}");
            assert!(error.codes.contains("bad"), "{body}");
        }
        assert_eq!(message("{\"a\":1}"), None);
        assert_eq!(message("<html>no</html>"), None);
        assert_eq!(message(" no \n").as_deref(), Some("no"));
        assert_eq!(message("<400> no").as_deref(), Some("<400> no"));
        let text = "invalid format: \"{}\"; expected JSON";
        assert_eq!(
            message(&json!({ "error": text }).to_string()).as_deref(),
            Some(text)
        );
    }

    #[test]
    fn validation_errors_name_their_fields() {
        let body = json!({ "detail": [
            { "type": "extra_forbidden", "loc": ["body", "store"], "msg": "not permitted" },
            { "type": "extra_forbidden", "loc": ["body", "Seed"], "msg": "not permitted" },
        ] });
        let error = ErrorBody::parse(&body.to_string());
        assert_eq!(error.message.as_deref(), Some("not permitted (store, seed)"));
        assert_eq!(error.fields, ["store", "seed"]);
    }

    #[test]
    fn nesting_is_limited() {
        let mut body = json!("deep");
        for _ in 0..40 {
            body = json!({ "error": body.to_string().chars().take(10_000).collect::<String>() });
        }
        assert!(message(&body.to_string()).is_some());
        assert!(message(&"{\"error\":".repeat(10_000)).is_some());
    }

    proptest! {
        #[test]
        fn any_text_is_parsed(text in "[ -~é]{0,60}", braces in "[{}\"\\\\:\\[\\]a]{0,40}") {
            let _ = message(&text);
            let _ = message(&braces);
            let _ = message(&json!({ "error": { "message": braces, "metadata": { "raw": text } } }).to_string());
        }
    }
}
