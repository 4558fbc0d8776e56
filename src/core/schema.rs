//! Building blocks of JSON Schemas for structured answers. Schemas are built from forms ([`super::form`]).
//!
//! They use the subset of JSON Schema that all providers accept: objects with required fields only and no
//! others, arrays, strings, numbers, integers, booleans, enums of strings, and null for optional values.
//! Some providers reject lengths, bounds and patterns; readers check these.

use serde_json::{Map, Value, json};

/// An object with exactly these fields, in this order.
pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let mut required = Vec::new();
    let mut properties = Map::new();
    for (name, value) in fields {
        required.push(name);
        properties.insert(name.to_owned(), value);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(super) fn one_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Value {
    let texts: Vec<&str> = texts.into_iter().collect();
    json!({ "type": "string", "enum": texts })
}

pub(super) fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

pub(super) fn maybe(value: Value) -> Value {
    json!({ "anyOf": [value, { "type": "null" }] })
}

pub(super) fn text() -> Value {
    json!({ "type": "string" })
}

pub(super) fn whole() -> Value {
    json!({ "type": "integer" })
}

pub(super) fn number() -> Value {
    json!({ "type": "number" })
}

pub(super) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// Returns everything in a schema that is outside the subset.
#[cfg(test)]
pub(crate) fn complaints(schema: &Value) -> Vec<String> {
    fn look(at: &str, schema: &Value, found: &mut Vec<String>) {
        let Some(fields) = schema.as_object() else {
            return found.push(format!("{at}: {schema} is no object"));
        };
        let mut keys: Vec<&str> = fields.keys().map(String::as_str).collect();
        keys.sort();
        match (fields.get("type").and_then(Value::as_str), keys.as_slice()) {
            (Some("object"), ["additionalProperties", "properties", "required", "type"]) => {
                let parts = fields["properties"].as_object().unwrap();
                let required: Vec<&str> = fields["required"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap())
                    .collect();
                let mut sorted = required.clone();
                sorted.sort();
                if !sorted.iter().eq(parts.keys()) || parts.is_empty() {
                    found.push(format!("{at}: {required:?} are not all fields"));
                }
                if fields["additionalProperties"] != json!(false) {
                    found.push(format!("{at}: takes other fields"));
                }
                for (name, part) in parts {
                    if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
                        found.push(format!("{at}: {name:?} is no plain name"));
                    }
                    look(&format!("{at}.{name}"), part, found);
                }
            }
            (Some("array"), ["items", "type"]) => look(&format!("{at}[]"), &fields["items"], found),
            (Some("string"), ["enum", "type"]) => {
                let texts = fields["enum"].as_array().unwrap();
                let distinct: std::collections::BTreeSet<&str> =
                    texts.iter().map(|text| text.as_str().unwrap()).collect();
                if texts.is_empty() || distinct.len() < texts.len() {
                    found.push(format!("{at}: {texts:?}"));
                }
            }
            (Some("string" | "integer" | "number" | "boolean"), ["type"]) => {}
            (None, ["anyOf"]) => {
                let either = fields["anyOf"].as_array().unwrap();
                if either.len() != 2 || either[1] != json!({ "type": "null" }) {
                    found.push(format!("{at}: {either:?}"));
                }
                look(at, &either[0], found);
            }
            _ => found.push(format!("{at}: {schema}")),
        }
    }
    let mut found = Vec::new();
    look("answer", schema, &mut found);
    if schema["type"] != json!("object") {
        found.push("answer: no object".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_pass_and_schemas_outside_the_subset_are_found() {
        let all = object([
            ("a", list(object([("b", maybe(whole()))]))),
            ("c", one_of(["x", "y"])),
            ("d", text()),
            ("e", number()),
            ("f", flag()),
        ]);
        assert_eq!(complaints(&all), [""; 0]);
        assert_eq!(all["required"], json!(["a", "c", "d", "e", "f"]));
        for wrong in [
            json!({ "type": "string" }),
            object([("a", json!({ "type": "string", "maxLength": 3 }))]),
            object([("a", json!({ "type": ["string", "null"] }))]),
            object([("a", one_of(["x", "x"]))]),
            object([("a", one_of([]))]),
            object([("a b", text())]),
            object([]),
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": [], "additionalProperties": false }),
        ] {
            assert_ne!(complaints(&wrong), [""; 0], "{wrong}");
        }
    }
}
