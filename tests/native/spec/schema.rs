//! JSON Schema of configurations, made from the tables, and as much of a validator as the test of it needs.

use super::{all, page_words, reference, words_of};
use quorate::procedures::ALL;
use quorate::procedures::spec::{AddressContent, DefaultValue, Setting, SettingKind, SettingTable};
use quorate::study;
use serde_json::{Map, Value, json};

const CONTROL: &str = "\\u0000-\\u001f\\u007f-\\u009f";

/// The schema of configurations of every procedure.
pub(super) fn whole() -> Value {
    let words = page_words("en");
    let mut definitions = Map::new();
    // Which procedure it is decides; the first is the one of a configuration that names none.
    let mut choice = json!({ "$ref": format!("#/$defs/{}", ALL[0].name) });
    for procedure in ALL {
        let table = object(procedure.spec.settings, false, "", &words);
        definitions.insert(procedure.name.to_owned(), table);
    }
    for procedure in ALL.into_iter().skip(1) {
        choice = json!({
            "if": { "type": "object", "properties": { "protocol": { "const": procedure.name } }, "required": ["protocol"] },
            "then": { "$ref": format!("#/$defs/{}", procedure.name) },
            "else": choice,
        });
    }
    definitions.insert("study".to_owned(), study());
    choice = json!({
        "if": { "type": "object", "properties": { "study": { "type": "integer" } }, "required": ["study"] },
        "then": { "$ref": "#/$defs/study" },
        "else": choice,
    });
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A configuration or a study of Quorate",
        "$defs": definitions,
    });
    schema
        .as_object_mut()
        .unwrap()
        .extend(choice.as_object().unwrap().clone());
    schema
}

/// The schema of a study file.
fn study() -> Value {
    let words = reference::study_words();
    let settings = study::plan::SPEC.settings;
    let said = all(settings)
        .into_iter()
        .map(|(path, setting)| (format!("{}.help", words_of(&path, setting)), words(&path).into()));
    object(settings, false, "", &said.collect())
}

/// The schema of a kind; `or_null`: where null counts as not given.
pub(super) fn of(kind: &SettingKind, or_null: bool) -> Value {
    described(kind, or_null, "", &Map::new())
}

fn described(kind: &SettingKind, or_null: bool, path: &str, words: &Map<String, Value>) -> Value {
    let typed = |name: &str| {
        if or_null {
            json!([name, "null"])
        } else {
            json!(name)
        }
    };
    match *kind {
        SettingKind::Flag => {
            let mut all = vec![
                json!(true),
                json!(false),
                json!("yes"),
                json!("no"),
                json!("on"),
                json!("off"),
                json!(1),
                json!(0),
            ];
            all.extend(or_null.then_some(Value::Null));
            json!({ "enum": all })
        }
        SettingKind::Whole { min, max } => {
            json!({ "type": typed("integer"), "minimum": min, "maximum": max })
        }
        SettingKind::Number { min, max } => {
            let mut schema = json!({ "type": typed("number") });
            if min.is_finite() {
                schema["minimum"] = min.into();
            }
            if max.is_finite() {
                schema["maximum"] = max.into();
            }
            schema
        }
        SettingKind::Text { most, lines } => {
            let mut schema = json!({ "type": typed("string"), "maxLength": most });
            if !lines {
                schema["pattern"] = format!("^[^{CONTROL}]*$").into();
            }
            schema
        }
        SettingKind::Address { holds } => {
            let mut schema = json!({ "type": typed("string"), "maxLength": 2000, "pattern": "^https?://[^\\s/@][^\\s@]*$" });
            if holds == AddressContent::NoKey {
                schema["not"] = json!({ "pattern": "([kK][eE][yY]|[tT][oO][kK][eE][nN]|[sS][eE][cC][rR][eE][tT]|[sS][iI][gG])=[^&]" });
            }
            schema
        }
        SettingKind::OneOf {
            words,
            also,
            any_case,
        } => {
            let mut all: Vec<String> = words
                .iter()
                .chain(also.iter().map(|(word, _)| word))
                .map(|word| (*word).to_owned())
                .collect();
            if any_case {
                let capitals: Vec<String> = all
                    .iter()
                    .flat_map(|word| [word.to_uppercase(), capital(word)])
                    .collect();
                all.extend(capitals);
            }
            let mut all: Vec<Value> = all.into_iter().map(Value::from).collect();
            all.extend(or_null.then_some(Value::Null));
            json!({ "enum": all })
        }
        SettingKind::Lines => {
            let mut types = vec!["string", "array"];
            types.extend(or_null.then_some("null"));
            json!({ "type": types })
        }
        SettingKind::Pair => json!({
            "type": typed("array"), "items": { "type": "number", "exclusiveMinimum": 0 }, "minItems": 2, "maxItems": 2,
        }),
        SettingKind::Object { settings, free } => {
            let mut schema = object(settings, free, path, words);
            schema["type"] = typed("object");
            schema
        }
        SettingKind::List { of, most } => {
            json!({ "type": typed("array"), "items": described(of, false, path, words), "maxItems": most })
        }
        SettingKind::Map { of } => {
            json!({ "type": typed("object"), "additionalProperties": described(of, false, path, words) })
        }
        SettingKind::Either { of } => {
            let mut any: Vec<Value> = of
                .iter()
                .map(|kind| described(kind, false, path, words))
                .collect();
            any.extend(or_null.then(|| json!({ "type": "null" })));
            json!({ "anyOf": any })
        }
        SettingKind::Free => json!({}),
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

fn object(settings: SettingTable, free: bool, path: &str, words: &Map<String, Value>) -> Value {
    let mut properties = Map::new();
    let mut twice = Vec::new();
    for setting in settings.iter() {
        let own = if path.is_empty() {
            setting.name.to_owned()
        } else {
            format!("{path}.{}", setting.name)
        };
        properties.insert(setting.name.to_owned(), property(setting, &own, words));
        for (at, name) in setting.also.iter().enumerate() {
            let mut other = described(&setting.kind, true, &own, words);
            other["description"] = format!("Alias of {}.", setting.name).into();
            properties.insert((*name).to_owned(), other);
            for before in std::iter::once(&setting.name).chain(&setting.also[..at]) {
                twice.push(json!({ "not": { "required": [before, name] } }));
            }
        }
    }
    let required: Vec<&str> = settings
        .iter()
        .filter(|one| one.required)
        .map(|one| one.name)
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !twice.is_empty() {
        schema["allOf"] = twice.into();
    }
    if !free {
        schema["additionalProperties"] = false.into();
    }
    schema
}

fn property(setting: &Setting, path: &str, words: &Map<String, Value>) -> Value {
    let mut schema = described(&setting.kind, !setting.required, path, words);
    if setting.required && matches!(setting.kind, SettingKind::Text { .. }) {
        schema["allOf"] = json!([{ "pattern": "\\S" }]);
    }
    let key = words_of(path, setting);
    let word = |key: &str| words.get(key).and_then(Value::as_str);
    if let Some(label) = word(&key) {
        schema["title"] = label.into();
    }
    if let Some(help) = word(&format!("{key}.help")) {
        schema["description"] = help.into();
    }
    if let DefaultValue::Is(plain) = setting.usual {
        schema["default"] = json!(plain);
    }
    if !setting.effect {
        schema["deprecated"] = true.into();
    }
    schema
}

/// Whether a value is as a schema says; knows the words that are used above.
pub(super) fn is_valid(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(rules) = schema.as_object() else {
        return schema != false;
    };
    let is = |schema: &Value, value: &Value| is_valid(root, schema, value);
    rules.iter().all(|(word, rule)| match word.as_str() {
        "$ref" => is(
            root.pointer(rule.as_str().unwrap().trim_start_matches('#'))
                .unwrap(),
            value,
        ),
        "type" => match rule {
            Value::Array(any) => any.iter().any(|one| has_type(one, value)),
            one => has_type(one, value),
        },
        "enum" => rule.as_array().unwrap().iter().any(|one| same(one, value)),
        "const" => same(rule, value),
        "minimum" => value
            .as_f64()
            .is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value
            .as_f64()
            .is_none_or(|number| number <= rule.as_f64().unwrap()),
        "exclusiveMinimum" => value
            .as_f64()
            .is_none_or(|number| number > rule.as_f64().unwrap()),
        "maxLength" => value
            .as_str()
            .is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().unwrap()),
        "pattern" => value
            .as_str()
            .is_none_or(|text| regex::Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
        "minItems" => value
            .as_array()
            .is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value
            .as_array()
            .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
        "items" => value
            .as_array()
            .is_none_or(|items| items.iter().all(|item| is(rule, item))),
        "required" => value.as_object().is_none_or(|object| {
            let mut names = rule.as_array().unwrap().iter();
            names.all(|name| object.contains_key(name.as_str().unwrap()))
        }),
        "properties" => value.as_object().is_none_or(|object| {
            object
                .iter()
                .all(|(key, value)| rule.get(key).is_none_or(|rule| is(rule, value)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let known = rules.get("properties").and_then(Value::as_object);
            let mut others = object
                .iter()
                .filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            others.all(|(_, value)| is(rule, value))
        }),
        "anyOf" => rule.as_array().unwrap().iter().any(|one| is(one, value)),
        "allOf" => rule.as_array().unwrap().iter().all(|one| is(one, value)),
        "not" => !is(rule, value),
        "if" => is(&rules[if is(rule, value) { "then" } else { "else" }], value),
        "then" | "else" | "$schema" | "$defs" | "title" | "description" | "default" | "deprecated" => true,
        other => panic!("{other} is not known here"),
    })
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() < f64::EPSILON,
        _ => one == other,
    }
}
