//! Structured answers, independent of the wire format: serialization of schemas, instructions in the prompt for
//! providers without schemas, and a check whether an answer has the form. Parsing answers is the readers' job.

use crate::core::ask::AnsweredAs;
use crate::core::schema;
use crate::language::Language;
use serde_json::{Deserializer, Value, json};

/// Maximum number of opening braces at which an object is tried in an answer.
const MAX_OBJECT_STARTS: usize = 32;

/// Serializes JSON with the properties of every schema in the order of its `required`. Models write in this
/// order, so reasons come before the decisions. Other objects keep their order.
#[must_use]
pub fn written(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => write_list(out, ['[', ']'], items, write),
        Value::Object(fields) => {
            let order = fields.get("required").and_then(Value::as_array);
            write_list(out, ['{', '}'], fields, |(name, value), out| {
                write_name(name, out);
                match (name.as_str(), value, order) {
                    ("properties", Value::Object(parts), Some(order)) => {
                        let named = order.iter().filter_map(Value::as_str);
                        let first = named.filter_map(|name| parts.get_key_value(name));
                        let others = parts
                            .iter()
                            .filter(|(name, _)| !order.iter().any(|first| first.as_str() == Some(name)));
                        write_list(out, ['{', '}'], first.chain(others), |(name, part), out| {
                            write_name(name, out);
                            write(part, out);
                        });
                    }
                    _ => write(value, out),
                }
            });
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn write_name(name: &str, out: &mut String) {
    out.push_str(&Value::from(name).to_string());
    out.push(':');
}

fn write_list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    write_item: impl Fn(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_item(item, out);
    }
    out.push(close);
}

/// Returns the schema for constrained decoding. The ranks of an order (consecutive fields with the same options, as
/// many as there are options) become one field with all permutations, `a > b > c`: a schema cannot forbid duplicates
/// across fields. A schema without ranks is unchanged.
#[must_use]
pub fn bound(schema: &Value) -> Value {
    let names = strings(&schema["required"]);
    let field = |name: &str| &schema["properties"][name];
    let mut fields = Vec::new();
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let mut own = field(name).clone();
        let is_required = own["anyOf"].is_null();
        let choice = if is_required {
            &mut own
        } else {
            &mut own["anyOf"][0]
        };
        let options = strings(&choice["enum"]);
        let ranks = names.get(at..at + options.len()).unwrap_or_default();
        if ranks.len() > 2 && ranks.iter().all(|rank| field(rank) == field(name)) {
            at += ranks.len();
            choice["enum"] = json!(permutations(&options));
            fields.push((ORDER, own));
        } else {
            at += 1;
            fields.push((name, own));
        }
    }
    if fields.iter().any(|(name, _)| *name == ORDER) {
        schema::object(fields)
    } else {
        schema.clone()
    }
}

/// Name of the field that holds a whole order.
pub const ORDER: &str = "order";

/// Returns a schema from [`bound`] for display in the prompt, with a pattern instead of the list of permutations.
#[must_use]
pub fn shown(bound: &Value) -> Value {
    let mut shown = bound.clone();
    let Some(field) = shown["properties"].get_mut(ORDER) else {
        return shown;
    };
    let is_required = field["anyOf"].is_null();
    let choice = if is_required {
        field
    } else {
        &mut field["anyOf"][0]
    };
    // Every permutation contains each option once.
    let first = strings(&choice["enum"]).first().copied().unwrap_or_default();
    let options: Vec<&str> = first.split(" > ").collect();
    let option = format!("({})", options.join("|"));
    let pattern = vec![option; options.len()].join(" > ");
    *choice = json!({ "type": "string", "pattern": format!("^{pattern}$") });
    shown
}

fn permutations(options: &[&str]) -> Vec<String> {
    let mut orders = vec![String::new()];
    for length in 0..options.len() {
        let mut longer = Vec::new();
        for prefix in &orders {
            for option in options
                .iter()
                .filter(|option| !prefix.split(" > ").any(|used| used == **option))
            {
                longer.push(if length == 0 {
                    (*option).to_owned()
                } else {
                    format!("{prefix} > {option}")
                });
            }
        }
        orders = longer;
    }
    orders
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Returns the instruction for the last turn where the provider does not accept a schema, or does not show it to the
/// model.
#[must_use]
pub fn in_words(schema: &Value, language: Language) -> String {
    format!("{}\n{}", language.word("as_json"), written(schema))
}

/// Returns the instruction for a free answer with one last line of values, which models without schema support follow
/// more reliably than JSON. Returns `None` if the schema has lists, objects or ambiguous options.
#[must_use]
pub fn in_line(schema: &Value, language: Language) -> Option<String> {
    let names = schema["required"].as_array()?.iter().filter_map(Value::as_str);
    let texts = names.filter(|name| !line_fields(schema).contains(name));
    if texts.filter(|name| !FREE_TEXTS.contains(name)).count() > 0 {
        return None;
    }
    let blank = |name| {
        Some(format!(
            "{name} = <{}>",
            placeholder(&schema["properties"][name])?
        ))
    };
    let blanks: Option<Vec<String>> = line_fields(schema).into_iter().map(blank).collect();
    let blanks = blanks.filter(|blanks| !blanks.is_empty())?.join("; ");
    let label = language.word("answer");
    Some(format!("{}\n{label}: {blanks}", language.word("as_line")))
}

/// Text fields that are written above the last line.
const FREE_TEXTS: [&str; 3] = ["text", "reason", "reasoning"];

/// Returns the fields in the last line: all except texts, which are written above it.
fn line_fields(schema: &Value) -> Vec<&str> {
    let names = schema["required"].as_array().into_iter().flatten();
    let is_text = |name: &&str| schema["properties"][*name] == json!({ "type": "string" });
    names
        .filter_map(Value::as_str)
        .filter(|name| !is_text(name))
        .collect()
}

/// Returns the placeholder of a field in the last line.
fn placeholder(field: &Value) -> Option<String> {
    if let Some(variants) = field["anyOf"].as_array() {
        return Some(placeholder(variants.first()?)? + " | none");
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

/// Returns `asked` if the answer contains an object, or a last line, with all fields of the schema, otherwise
/// `Free`. The readers validate the values.
#[must_use]
pub fn answered_as(asked: AnsweredAs, text: &str, schema: &Value) -> AnsweredAs {
    let has = |object: &Value, schema: &Value| {
        strings(&schema["required"])
            .iter()
            .all(|name| object.get(name).is_some())
    };
    let bound = (asked == AnsweredAs::Native).then(|| bound(schema));
    let is_complete =
        |object: Value| has(&object, schema) || bound.as_ref().is_some_and(|bound| has(&object, bound));
    let object_at = |at: usize| {
        let mut values = Deserializer::from_str(text.get(at..)?).into_iter::<Value>();
        values.next()?.ok()
    };
    let has_object = text
        .match_indices('{')
        .take(MAX_OBJECT_STARTS)
        .any(|(at, _)| object_at(at).is_some_and(is_complete));
    let has_line = || {
        let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
        let is_given = |name: &&str| {
            last.split(*name)
                .skip(1)
                .any(|after| after.trim_start().starts_with(['=', '＝']))
        };
        let fields = line_fields(schema);
        asked == AnsweredAs::Text && !fields.is_empty() && fields.iter().all(is_given)
    };
    if has_object || has_line() {
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
    fn properties_are_written_in_the_order_of_required() {
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
    fn instructions_contain_the_schema_in_every_language() {
        for language in Language::ALL {
            let words = in_words(&schema(), language);
            assert!(words.contains("JSON Schema"), "{words}");
            assert!(words.ends_with(&format!("\n{}", written(&schema()))), "{words}");
        }
    }

    #[test]
    fn flat_schemas_become_a_last_line() {
        let line = |schema: &Value| in_line(schema, Language::English);
        let words = line(&schema()).unwrap();
        assert!(words.ends_with(":\nANSWER: amount = <0, 1, 2, …>"), "{words}");
        for language in Language::ALL {
            let (label, words) = (language.word("answer"), in_line(&schema(), language).unwrap());
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
            "\nANSWER: a = <x | y z>",
        );
        ends(
            json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] }),
            "\nANSWER: a = <true | false | none>",
        );
        ends(json!({ "type": "number" }), "\nANSWER: a = <0.0>");
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
    fn ranks_become_one_field_with_all_permutations() {
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
        let permutations: std::collections::BTreeSet<&str> =
            strings(&four["properties"][ORDER]["enum"]).into_iter().collect();
        assert_eq!(
            (permutations.len(), strings(&four["required"])),
            (24, vec!["why", ORDER])
        );
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
        let displayed = shown(&bound(&of(&places, &maybe(three.clone()))));
        let order = json!({ "type": "string", "pattern": "^(a|b|c) > (a|b|c) > (a|b|c)$" });
        assert_eq!(displayed, of(&[ORDER], &maybe(order)));
        assert_eq!(shown(&schema()), schema());
        let form_of = |asked, text| answered_as(asked, text, &of(&places, &three));
        let whole = r#"{"why": "", "order": "b > a > c"}"#;
        assert_eq!(form_of(AnsweredAs::Native, whole), AnsweredAs::Native);
        assert_eq!(form_of(AnsweredAs::Text, whole), AnsweredAs::Free);
        let apart = r#"{"why": "", "first": "a", "second": "b", "third": "c"}"#;
        assert_eq!(form_of(AnsweredAs::Native, apart), AnsweredAs::Native);
    }

    #[test]
    fn form_and_free_text_are_distinguished() {
        let is = |text| answered_as(AnsweredAs::Text, text, &schema());
        for formed in [
            r#"{"reason": "", "amount": 1}"#,
            "Here:\n```json\n{\"amount\": null, \"reason\": \"a } b\", \"more\": 1}\n```\nDone.",
            r#"{not} {"reason": "x", "amount": 1} {"#,
        ] {
            assert_eq!(is(formed), AnsweredAs::Text, "{formed}");
        }
        assert_eq!(is("Because.\n**ANSWER: amount = 1**\n"), AnsweredAs::Text);
        let native = answered_as(AnsweredAs::Native, "ANSWER: amount = 1", &schema());
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
