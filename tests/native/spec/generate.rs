//! Values that a kind takes and refuses, and configurations that hold them.

use quorate::core::random::Random;
use quorate::procedures::spec::{AddressContent, SettingKind, SettingTable};
use serde_json::{Map, Value, json};

/// A place in a configuration and what may stand there.
pub(super) struct Sample {
    /// A configuration without faults.
    pub(super) config: Value,
    /// Puts a value into that place.
    #[allow(clippy::type_complexity)]
    pub(super) at: Box<dyn Fn(&Value, Value) -> Value>,
    /// The place, as faults tell it.
    pub(super) path: String,
    /// What may stand there.
    pub(super) kind: SettingKind,
}

/// A configuration that nothing is wrong with.
pub(super) fn plain(protocol: &str) -> Value {
    let agents: Vec<Value> = ["A", "B", "C", "D"]
        .map(|name| json!({ "name": name, "personality": "-" }))
        .to_vec();
    let mut config = json!({ "protocol": protocol, "agents": agents });
    if matches!(protocol, "debate" | "delphi") {
        config["question"] = "-".into();
    }
    if protocol == "jury" {
        config["charge"] = "-".into();
        config["prosecution"] = "-".into();
        config["defence"] = "-".into();
        config["evidence"] = json!([{ "text": "-" }]);
    }
    config
}

/// Every place that the tables name, lists and own keys by one entry.
pub(super) fn samples(protocol: &str, table: SettingTable) -> Vec<Sample> {
    fn go(config: &Value, table: SettingTable, keys: &[String], path: &str, into: &mut Vec<Sample>) {
        for setting in table.iter().filter(|setting| setting.name != "protocol") {
            for name in setting.names() {
                let mut keys = keys.to_vec();
                keys.push(name.to_owned());
                let path = if path.is_empty() {
                    name.to_owned()
                } else {
                    format!("{path}.{name}")
                };
                // Two names of one setting at once would be a fault of its own.
                let mut own = keys.clone();
                *own.last_mut().unwrap() = setting.name.to_owned();
                let config = if name == setting.name {
                    config.clone()
                } else {
                    without(config, &own)
                };
                inside(&config, &setting.kind, &keys, &path, into);
            }
        }
    }
    fn inside(config: &Value, kind: &SettingKind, keys: &[String], path: &str, into: &mut Vec<Sample>) {
        let own = keys.to_vec();
        into.push(Sample {
            config: config.clone(),
            at: Box::new(move |config, value| put(config, &own, value)),
            path: path.to_owned(),
            kind: *kind,
        });
        let below = |key: &str, shown: String, kind: &SettingKind, into: &mut Vec<Sample>| {
            let mut keys = keys.to_vec();
            keys.push(key.to_owned());
            inside(config, kind, &keys, &shown, into);
        };
        match kind {
            SettingKind::Object { settings, .. } => {
                // The others that have to be there are.
                let has = at(config, keys).cloned().unwrap_or_default();
                let mut object = has.as_object().cloned().unwrap_or_default();
                for (name, value) in required(*settings) {
                    object.entry(name).or_insert(value);
                }
                let config = put(config, keys, object.into());
                go(&config, *settings, keys, path, into);
            }
            SettingKind::List { of, .. } => below("0", format!("{path}[0]"), of, into),
            SettingKind::Map { of } => below("own key", format!("{path}.own key"), of, into),
            SettingKind::Either { of } => {
                for kind in *of {
                    match kind {
                        SettingKind::List { of, .. } => below("0", format!("{path}[0]"), of, into),
                        SettingKind::Object { .. } => inside(config, kind, keys, path, into),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    go(&plain(protocol), table, &[], "", &mut all);
    all
}

fn at<'v>(config: &'v Value, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(config, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        _ => value.get(key),
    })
}

fn put(config: &Value, keys: &[String], value: Value) -> Value {
    let Some((key, rest)) = keys.split_first() else {
        return value;
    };
    if key == "0" {
        let mut items = config.as_array().cloned().unwrap_or_default();
        if items.is_empty() {
            items.push(Value::Null);
        }
        items[0] = put(&items[0], rest, value);
        return items.into();
    }
    let mut object = config.as_object().cloned().unwrap_or_default();
    let inner = object.get(key).cloned().unwrap_or_default();
    object.insert(key.clone(), put(&inner, rest, value));
    object.into()
}

fn without(config: &Value, keys: &[String]) -> Value {
    let (last, way) = keys.split_last().unwrap();
    let Some(Value::Object(object)) = at(config, way) else {
        return config.clone();
    };
    let mut object = object.clone();
    object.remove(last);
    put(config, way, object.into())
}

fn required(table: SettingTable) -> Map<String, Value> {
    let needed = table.iter().filter(|setting| setting.required);
    needed
        .filter_map(|setting| Some((setting.name.to_owned(), valid(&setting.kind).into_iter().next()?)))
        .collect()
}

/// Values that a kind takes, its bounds among them.
pub(super) fn valid(kind: &SettingKind) -> Vec<Value> {
    match *kind {
        SettingKind::Flag => vec![json!(true), json!(false), json!("no"), json!(1)],
        SettingKind::Whole { min, max } => vec![
            json!(min),
            json!(max),
            json!(f64::from(min)),
            json!(min / 2 + max / 2),
        ],
        SettingKind::Number { min, max } => {
            let min = if min.is_finite() { min } else { -1e9 };
            let top = if max.is_finite() { max } else { min + 1e9 };
            vec![json!(min), json!(top), json!(f64::midpoint(min, top))]
        }
        SettingKind::Text { most, lines } => {
            let mut texts = vec![
                json!("x"),
                json!("x".repeat(most as usize)),
                json!("é 文".chars().take(most as usize).collect::<String>()),
            ];
            if lines {
                texts.push(json!("a\nb"));
            }
            texts
        }
        SettingKind::Address { holds } => {
            let mut all = vec![json!("https://example.org"), json!("http://127.0.0.1:8080/v1")];
            if holds == AddressContent::NoSecret {
                all.extend([
                    json!("https://x.org/hooks/{key}"),
                    json!("https://x.org/in?key={key}&of=1"),
                    json!("https://x.org/results-of-the-spring-term-2026/class-7b"),
                ]);
            }
            all
        }
        SettingKind::OneOf { words, also, .. } => {
            let other = also.iter().map(|(spelling, _)| json!(spelling));
            words.iter().map(|word| json!(word)).chain(other).collect()
        }
        SettingKind::Lines => vec![json!("a\nb"), json!(["a", "b"]), json!([])],
        SettingKind::Pair => vec![json!([0.5, 2]), json!([1e-3, 1e6])],
        SettingKind::Object { settings, .. } => vec![required(settings).into()],
        SettingKind::List { of, most } => {
            let item = valid(of).swap_remove(0);
            vec![
                json!([]),
                vec![item.clone(); 2].into(),
                vec![item; most.min(300) as usize].into(),
            ]
        }
        SettingKind::Map { of } => vec![json!({}), json!({ "own key": valid(of).swap_remove(0) })],
        SettingKind::Either { of } => of.iter().flat_map(valid).collect(),
        SettingKind::Free => vec![json!(1), json!({ "x": [] })],
    }
}

/// Values that a kind refuses, each with one fault at its place.
pub(super) fn invalid(kind: &SettingKind) -> Vec<Value> {
    match *kind {
        SettingKind::Flag => vec![json!("perhaps"), json!(2), json!([])],
        SettingKind::Whole { min, max } => {
            let mut all = vec![
                json!("5"),
                json!(f64::from(min) + 0.5),
                json!(u64::from(max) + 1),
                json!({}),
                json!(-1),
            ];
            if min > 0 {
                all.push(json!(min - 1));
            }
            all
        }
        SettingKind::Number { min, max } => {
            let mut all = vec![json!("5"), json!([])];
            if min.is_finite() {
                all.push(json!(min - 0.001));
            }
            if max.is_finite() {
                all.push(json!(max + 0.001));
            }
            all
        }
        SettingKind::Text { most, lines } => {
            let mut all = vec![json!(5), json!("x".repeat(most as usize + 1))];
            if !lines {
                all.push(json!("a\nb"));
            }
            all
        }
        SettingKind::Address { holds } => {
            let mut all = vec![
                json!(5),
                json!("example.org"),
                json!("ftp://example.org"),
                json!("https:///x"),
                json!("https://a b"),
            ];
            if holds != AddressContent::Anything {
                all.extend([json!("https://x.org/?api_key=1"), json!("https://me:pw@x.org")]);
            }
            if holds == AddressContent::NoSecret {
                all.extend([
                    json!("https://x.org/in/9f1c2b7a-44d0-4e6b-9a7e-0b8f6f3c2d1e"),
                    json!("https://x.org/hooks/T0A1B2C3D/Zk3vQ9pLx7Tn2bWc8RfYh4Jm"),
                    json!("https://x.org/bot7812345678:AAHk3vQ9pLx7Tn2bWc8RfYh4JmA6dGsE1u/send"),
                ]);
            }
            all
        }
        SettingKind::OneOf { .. } => vec![json!("no such thing"), json!(5), json!([])],
        SettingKind::Lines => vec![json!(5), json!({}), json!(true)],
        SettingKind::Pair => vec![
            json!([1]),
            json!([1, "x"]),
            json!([0, 1]),
            json!("1 2"),
            json!([1, 2, 3]),
        ],
        SettingKind::Object { .. } | SettingKind::Map { .. } => vec![json!("x"), json!([]), json!(true)],
        SettingKind::List { of, most } => vec![
            json!(true),
            json!({}),
            vec![valid(of).swap_remove(0); most as usize + 1].into(),
        ],
        // What has the type of one of them is refused as that one.
        SettingKind::Either { .. } => vec![json!(true)],
        SettingKind::Free => vec![],
    }
}

/// Configurations with settings by chance, most of them right.
pub(super) fn configurations(protocol: &str, table: SettingTable, count: u32) -> Vec<Value> {
    let mut random = Random::new(u64::from(count).wrapping_add(protocol.len() as u64) as u32);
    let places = samples(protocol, table);
    let make = |_| {
        let mut config = plain(protocol);
        for _ in 0..1 + random.below(6) {
            let place = &places[random.below(places.len() as u32) as usize];
            let mut values = if random.below(8) == 0 {
                invalid(&place.kind)
            } else {
                valid(&place.kind)
            };
            values.retain(|value| value.to_string().len() < 3_000);
            if !values.is_empty() {
                let value = values[random.below(values.len() as u32) as usize].clone();
                config = (place.at)(&config, value);
            }
        }
        if random.below(12) == 0 {
            config["no_such_setting"] = 1.into();
        }
        config
    };
    (0..count).map(make).collect()
}
