//! Finds JSON in an answer: between sentences, in a code fence, several in a row. Gives values, not
//! their meaning.

use serde_json::Value;

/// The top-level JSON objects in a text, in order. What is no valid JSON is passed over.
pub(super) fn objects(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let from = rest.get(start..).unwrap_or_default();
        let Some(end) = balanced(from) else { break };
        let object = from.get(..end).unwrap_or_default();
        match serde_json::from_str::<Value>(object) {
            Ok(value) => {
                found.push(value);
                rest = from.get(end..).unwrap_or_default();
            }
            Err(_) => rest = from.get(1..).unwrap_or_default(),
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// No answer holds more objects than this for a reason.
const MOST: usize = 32;

/// Where the braces that the text begins with are closed; strings are passed over.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first of these keys that the object has, in any case, `_`, `-` and blanks ignored.
pub(super) fn field<'a>(object: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    let object = object.as_object()?;
    let plain = |key: &str| {
        key.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    keys.iter().find_map(|wanted| {
        object
            .iter()
            .find(|(key, _)| plain(key) == *wanted)
            .map(|(_, value)| value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_objects() {
        assert_eq!(
            objects("so: ```json\n{\"a\": {\"b\": \"}\"}}\n``` and {\"c\": 1}"),
            [json!({"a": {"b": "}"}}), json!({"c": 1})]
        );
        assert_eq!(objects("{not json {\"a\": 1}}"), [json!({"a": 1})]);
        assert_eq!(objects("{\"a\": \"\\\"}\"}"), [json!({"a": "\"}"})]);
        assert!(objects("{\"a\": ").is_empty());
        assert!(objects("none").is_empty());
    }

    #[test]
    fn finds_fields() {
        let object = json!({"Constraint_Amount": 5});
        assert_eq!(field(&object, &["amount", "constraintamount"]), Some(&json!(5)));
        assert_eq!(field(&object, &["principle"]), None);
    }
}
