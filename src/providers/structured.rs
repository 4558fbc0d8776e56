//! Answers of a given form, as far as no wire format is concerned: how a schema is written, the words
//! that ask for it where it cannot be handed over, and whether an answer has the form. What an answer
//! means is not found out here.

use crate::core::ask::AnsweredAs;
use crate::core::schema;
use crate::language::Language;
use serde_json::{Deserializer, Value, json};

/// Begins of objects that are tried in an answer.
const MOST: usize = 32;

/// JSON with the fields of every schema in it in the order of its `required`: models write in this
/// order, so reasons come before what they are reasons for. All other objects as they are.
#[must_use]
pub fn written(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => list(out, ['[', ']'], items, write),
        Value::Object(fields) => {
            let order = fields.get("required").and_then(Value::as_array);
            list(out, ['{', '}'], fields, |(name, value), out| {
                put_name(name, out);
                match (name.as_str(), value, order) {
                    ("properties", Value::Object(parts), Some(order)) => {
                        let named = order.iter().filter_map(Value::as_str);
                        let first = named.filter_map(|name| parts.get_key_value(name));
                        let others = parts
                            .iter()
                            .filter(|(name, _)| !order.iter().any(|first| first.as_str() == Some(name)));
                        list(out, ['{', '}'], first.chain(others), |(name, part), out| {
                            put_name(name, out);
                            write(part, out);
                        });
                    }
                    _ => write(value, out),
                }
            });
        }
        plain => out.push_str(&plain.to_string()),
    }
}

fn put_name(name: &str, out: &mut String) {
    out.push_str(&Value::from(name).to_string());
    out.push(':');
}

fn list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    put: impl Fn(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        put(item, out);
    }
    out.push(close);
}

/// The schema for whoever is bound to it. The places of an order, which are as many fields in a row as there are texts that
/// each of them takes, become one field that takes all orders of them, `a > b > c`: a schema cannot say that none of
/// them may be named twice. A schema without such places stays as it is.
#[must_use]
pub fn bound(schema: &Value) -> Value {
    let names = texts(&schema["required"]);
    let field = |name: &str| &schema["properties"][name];
    let mut fields = Vec::new();
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let mut one = field(name).clone();
        let is_plain = one["anyOf"].is_null();
        let takes = if is_plain { &mut one } else { &mut one["anyOf"][0] };
        let options = texts(&takes["enum"]);
        let places = names.get(at..at + options.len()).unwrap_or_default();
        if places.len() > 2 && places.iter().all(|place| field(place) == field(name)) {
            at += places.len();
            takes["enum"] = json!(orders(&options));
            fields.push((ORDER, one));
        } else {
            at += 1;
            fields.push((name, one));
        }
    }
    if fields.iter().any(|(name, _)| *name == ORDER) {
        schema::object(fields)
    } else {
        schema.clone()
    }
}

/// The name of the field that has an order whole.
pub const ORDER: &str = "order";

/// A schema that binds, as it is shown to who is bound to it anyway: an order by what it is made of, not as the list of
/// all that there are.
#[must_use]
pub fn shown(bound: &Value) -> Value {
    let mut shown = bound.clone();
    let Some(field) = shown["properties"].get_mut(ORDER) else {
        return shown;
    };
    let is_plain = field["anyOf"].is_null();
    let takes = if is_plain { field } else { &mut field["anyOf"][0] };
    // The first of all orders has each of them once.
    let first = texts(&takes["enum"]).first().copied().unwrap_or_default();
    let places: Vec<&str> = first.split(" > ").collect();
    let one = format!("({})", places.join("|"));
    let pattern = vec![one; places.len()].join(" > ");
    *takes = json!({ "type": "string", "pattern": format!("^{pattern}$") });
    shown
}

/// All orders of these texts.
fn orders(texts: &[&str]) -> Vec<String> {
    let mut orders = vec![String::new()];
    for place in 0..texts.len() {
        let mut longer = Vec::new();
        for begun in &orders {
            for text in texts
                .iter()
                .filter(|text| !begun.split(" > ").any(|one| one == **text))
            {
                longer.push(if place == 0 {
                    (*text).to_owned()
                } else {
                    format!("{begun} > {text}")
                });
            }
        }
        orders = longer;
    }
    orders
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// What stands at the end of the last turn where the schema cannot be handed over, or where it is and
/// the model does not see it.
#[must_use]
pub fn in_words(schema: &Value, language: Language) -> String {
    format!("{}\n{}", language.word("as_json"), written(schema))
}

/// The same as a last line in words below a free answer, which models without a mode for schemas keep to more easily
/// than to JSON; `None` where the schema has lists or objects within, or choices that a line cannot tell apart.
#[must_use]
pub fn in_line(schema: &Value, language: Language) -> Option<String> {
    let names = schema["required"].as_array()?.iter().filter_map(Value::as_str);
    let others = names.filter(|name| !in_it(schema).contains(name));
    if others.filter(|name| !FREE.contains(name)).count() > 0 {
        return None;
    }
    let blank = |name| Some(format!("{name} = <{}>", blank_of(&schema["properties"][name])?));
    let blanks: Option<Vec<String>> = in_it(schema).into_iter().map(blank).collect();
    let blanks = blanks.filter(|blanks| !blanks.is_empty())?.join("; ");
    let label = language.word("decision");
    Some(format!("{}\n{label}: {blanks}", language.word("as_line")))
}

/// Texts that stand above a last line.
const FREE: [&str; 3] = ["text", "reason", "reasoning"];

/// The fields that a last line has: all but texts, which stand above it.
fn in_it(schema: &Value) -> Vec<&str> {
    let names = schema["required"].as_array().into_iter().flatten();
    let is_text = |name: &&str| schema["properties"][*name] == json!({ "type": "string" });
    names
        .filter_map(Value::as_str)
        .filter(|name| !is_text(name))
        .collect()
}

/// What stands in the blank of a field.
fn blank_of(field: &Value) -> Option<String> {
    if let Some(either) = field["anyOf"].as_array() {
        return Some(blank_of(either.first()?)? + " | none");
    }
    if let Some(options) = field["enum"].as_array() {
        let options: Option<Vec<&str>> = options.iter().map(Value::as_str).collect();
        let options = options?.join(" | ");
        return (!options.contains([';', '；', '=', '＝', '<', '>', '\n'])).then_some(options);
    }
    match field["type"].as_str()? {
        "boolean" => Some("true | false".to_owned()),
        "integer" => Some("0, 1, 2, …".to_owned()),
        "number" => Some("0.0".to_owned()),
        _ => None,
    }
}

/// How an answer came to its form: as it was asked for, if it holds an object with all fields of the
/// schema. Whether their values are as they should be is the readers' business.
#[must_use]
pub fn answered_as(asked: AnsweredAs, text: &str, schema: &Value) -> AnsweredAs {
    let has = |object: &Value, schema: &Value| {
        texts(&schema["required"])
            .iter()
            .all(|name| object.get(name).is_some())
    };
    let bound = (asked == AnsweredAs::Native).then(|| bound(schema));
    let has_all =
        |object: Value| has(&object, schema) || bound.as_ref().is_some_and(|bound| has(&object, bound));
    let object_at = |at: usize| {
        let mut values = Deserializer::from_str(text.get(at..)?).into_iter::<Value>();
        values.next()?.ok()
    };
    let found = text
        .match_indices('{')
        .take(MOST)
        .any(|(at, _)| object_at(at).is_some_and(has_all));
    let in_line = || {
        let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
        let said = |name: &&str| {
            last.split(*name)
                .skip(1)
                .any(|after| after.trim_start().starts_with(['=', '＝']))
        };
        let fields = in_it(schema);
        asked == AnsweredAs::Text && !fields.is_empty() && fields.iter().all(said)
    };
    if found || in_line() {
        asked
    } else {
        AnsweredAs::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn schema() -> Value {
        json!({
            "type": "object", "required": ["reason", "amount"], "additionalProperties": false,
            "properties": { "amount": { "type": "integer" }, "reason": { "type": "string" } },
        })
    }

    #[test]
    fn fields_are_written_in_the_order_that_is_wanted() {
        assert_eq!(
            written(&json!({ "a": [schema(), null, "\"{" ] })),
            r#"{"a":[{"additionalProperties":false,"properties":{"reason":{"type":"string"},"amount":{"type":"integer"}},"required":["reason","amount"],"type":"object"},null,"\"{"]}"#
        );
        let odd = json!({ "properties": { "b": 1, "a": 2 }, "required": ["b", "c", 3] });
        assert_eq!(
            written(&odd),
            r#"{"properties":{"b":1,"a":2},"required":["b","c",3]}"#
        );
    }

    #[test]
    fn every_language_asks_for_json_and_shows_the_schema() {
        for language in Language::ALL {
            let words = in_words(&schema(), language);
            assert!(words.contains("JSON Schema"), "{words}");
            assert!(words.ends_with(&format!("\n{}", written(&schema()))), "{words}");
        }
    }

    #[test]
    fn what_is_flat_is_asked_for_as_a_last_line() {
        let line = |schema: &Value| in_line(schema, Language::English);
        let words = line(&schema()).unwrap();
        assert!(words.ends_with(":\nDECISION: amount = <0, 1, 2, …>"), "{words}");
        for language in Language::ALL {
            let (label, words) = (language.word("decision"), in_line(&schema(), language).unwrap());
            assert!(
                words.contains(&format!("\n{label}: amount")) && !words.contains("JSON"),
                "{words}"
            );
        }
        let of = |field: Value| {
            line(
                &json!({ "type": "object", "required": ["a", "reason"], "properties": { "a": field, "reason": { "type": "string" } } }),
            )
        };
        let ends = |field, end: &str| {
            let words = of(field).unwrap();
            assert!(words.ends_with(end), "{words}");
        };
        ends(
            json!({ "type": "string", "enum": ["x", "y z"] }),
            "\nDECISION: a = <x | y z>",
        );
        ends(
            json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] }),
            "\nDECISION: a = <true | false | none>",
        );
        ends(json!({ "type": "number" }), "\nDECISION: a = <0.0>");
        for none in [
            json!({ "type": "array", "items": { "type": "string" } }),
            schema(),
            json!({ "type": "string", "enum": ["x; y = 1"] }),
            json!({ "type": "null" }),
            json!({ "type": "string" }),
        ] {
            assert_eq!(of(none), None);
        }
        let mut titled = schema();
        titled["properties"]["title"] = json!({ "type": "string" });
        titled["required"] = json!(["amount", "title"]);
        assert_eq!(line(&titled), None, "no line has room for a title");
    }

    #[test]
    fn who_is_bound_to_a_schema_cannot_name_one_place_twice() {
        let one_of = |texts: &[&str]| json!({ "type": "string", "enum": texts });
        let maybe = |field: Value| json!({ "anyOf": [field, { "type": "null" }] });
        let of = |names: &[&str], field: &Value| {
            let fields = names.iter().map(|name| ((*name).to_owned(), field.clone()));
            let mut properties: serde_json::Map<String, Value> = fields.collect();
            properties.insert("why".to_owned(), json!({ "type": "string" }));
            let names = [&["why"], names].concat();
            json!({ "type": "object", "required": names, "properties": properties, "additionalProperties": false })
        };
        let three = one_of(&["a", "b", "c"]);
        let places = ["first", "second", "third"];
        let orders = [
            "a > b > c",
            "a > c > b",
            "b > a > c",
            "b > c > a",
            "c > a > b",
            "c > b > a",
        ];
        assert_eq!(bound(&of(&places, &three)), of(&[ORDER], &one_of(&orders)));
        assert_eq!(
            bound(&of(&places, &maybe(three.clone()))),
            of(&[ORDER], &maybe(one_of(&orders)))
        );
        let four = bound(&of(&["w", "x", "y", "z"], &one_of(&["a", "ab", "abc", "abcd"])));
        let told: std::collections::BTreeSet<&str> =
            texts(&four["properties"][ORDER]["enum"]).into_iter().collect();
        assert_eq!((told.len(), texts(&four["required"])), (24, vec!["why", ORDER]));
        let mut unlike = of(&places, &three);
        unlike["properties"]["second"] = one_of(&["a", "c", "b"]);
        let two = one_of(&["yes", "no"]);
        for same in [
            json!({ "type": "object" }),
            schema(),
            of(&["x", "y"], &two),
            of(&["x", "y"], &three),
            unlike,
            four,
        ] {
            assert_eq!(bound(&same), same);
        }
        let told = shown(&bound(&of(&places, &maybe(three.clone()))));
        let order = json!({ "type": "string", "pattern": "^(a|b|c) > (a|b|c) > (a|b|c)$" });
        assert_eq!(told, of(&[ORDER], &maybe(order)));
        assert_eq!(shown(&schema()), schema());
        let came = |asked, text| answered_as(asked, text, &of(&places, &three));
        let whole = r#"{"why": "", "order": "b > a > c"}"#;
        assert_eq!(came(AnsweredAs::Native, whole), AnsweredAs::Native);
        assert_eq!(came(AnsweredAs::Text, whole), AnsweredAs::Free);
        let apart = r#"{"why": "", "first": "a", "second": "b", "third": "c"}"#;
        assert_eq!(came(AnsweredAs::Native, apart), AnsweredAs::Native);
    }

    #[test]
    fn the_form_is_told_from_free_text() {
        let is = |text| answered_as(AnsweredAs::Text, text, &schema());
        for formed in [
            r#"{"reason": "", "amount": 1}"#,
            "Here:\n```json\n{\"amount\": null, \"reason\": \"a } b\", \"more\": 1}\n```\nDone.",
            r#"{not} {"reason": "x", "amount": 1} {"#,
        ] {
            assert_eq!(is(formed), AnsweredAs::Text, "{formed}");
        }
        assert_eq!(is("Because.\n**DECISION: amount = 1**\n"), AnsweredAs::Text);
        let native = answered_as(AnsweredAs::Native, "DECISION: amount = 1", &schema());
        assert_eq!(native, AnsweredAs::Free);
        for free in [
            "The amount = 1.\nMore.",
            "The amount is 1 = one.",
            "",
            "1",
            r#"{"amount": 1}"#,
            r#"{"reason": "x", "amount": 1"#,
            "[]",
            "{}",
        ] {
            assert_eq!(is(free), AnsweredAs::Free, "{free}");
        }
    }

    proptest! {
        #[test]
        fn written_text_is_the_same_value(text in "([{}\\[\\]\",:a1]|\"required\":|\"properties\":|null){0,20}") {
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(serde_json::from_str::<Value>(&written(&value)).unwrap(), value);
            }
            let _ = answered_as(AnsweredAs::Native, &text, &schema());
        }
    }
}
