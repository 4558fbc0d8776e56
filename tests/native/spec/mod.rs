//! The tables of settings: everything that is made from them says the same. Files that are made from them are compared
//! here; `QUORATE_WRITE=1` writes them anew.

mod generate;
mod prompts;
mod reference;
mod schema;
mod types;

use generate::{Sample, invalid, samples, valid};
use quorate::language::Language;
use quorate::procedures::spec::config_reader::checked;
use quorate::procedures::spec::{DefaultValue, Setting, SettingKind, SettingTable};
use quorate::procedures::{self, ALL};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Faults that a table tells by itself, apart from what settings have to do with each other.
const OF_TABLES: [&str; 23] = [
    "must",
    "flag",
    "whole",
    "whole_from",
    "number",
    "number_from",
    "text",
    "long",
    "one_line",
    "address",
    "address_secret",
    "address_key",
    "one_of",
    "lines",
    "pair",
    "object",
    "list",
    "many",
    "missing",
    "empty",
    "same",
    "unknown",
    "unknown_near",
];

/// What a table finds wrong in a configuration, by path.
fn found(table: SettingTable, config: &Value) -> Vec<(String, &'static str)> {
    match checked(config, table, |_| ()) {
        Ok(_) => Vec::new(),
        Err(error) => error
            .0
            .into_iter()
            .map(|fault| (fault.path, fault.code))
            .collect(),
    }
}

/// A file that is made from the tables.
pub(super) fn is_made(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("QUORATE_WRITE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = stored
        .lines()
        .zip(text.lines())
        .position(|(is, should)| is != should);
    assert!(
        stored == text,
        "{} is not what the tables say, from line {differs:?} on: QUORATE_WRITE=1 cargo test --test native spec",
        path.display()
    );
}

/// The page's words of a language: its own, and those of the settings.
pub(super) fn page_words(code: &str) -> Map<String, Value> {
    let of_settings = ["spec", "justice", "discussion", "debate", "delphi", "jury"];
    let folders = of_settings.map(|name| format!("src/procedures/{name}/words/settings"));
    let read = |folder: &str| -> Map<String, Value> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{folder}/{code}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let tables = folders.iter().map(String::as_str).chain(["www/i18n"]).map(read);
    tables.flatten().collect()
}

/// Every setting with its path, lists and own keys left out: `agents.kind`, `limits.max_calls`.
pub(super) fn all(table: SettingTable) -> Vec<(String, &'static Setting)> {
    fn inside(kind: &SettingKind) -> Vec<SettingTable> {
        match kind {
            SettingKind::Object { settings, .. } => vec![*settings],
            SettingKind::List { of, .. } | SettingKind::Map { of } => inside(of),
            SettingKind::Either { of } => of.iter().flat_map(inside).collect(),
            _ => Vec::new(),
        }
    }
    let mut found = Vec::new();
    for setting in table.iter() {
        found.push((setting.name.to_owned(), setting));
        for table in inside(&setting.kind) {
            let below = all(table).into_iter();
            found.extend(below.map(|(path, inner)| (format!("{}.{path}", setting.name), inner)));
        }
    }
    found
}

/// The key of the words of a setting.
pub(super) fn words_of(path: &str, setting: &Setting) -> String {
    let own = || match path.strip_prefix("agents.") {
        Some(rest) => format!("agent.{rest}"),
        None => format!("field.{path}"),
    };
    setting.words.map_or_else(own, str::to_owned)
}

#[test]
fn every_setting_has_a_name_of_its_own_and_words_in_every_language() {
    let mut missing = BTreeSet::new();
    for code in Language::CODES {
        let words = page_words(code);
        let mut need = |key: String| {
            if !words.contains_key(&key) {
                missing.insert(format!("{code} {key}"));
            }
        };
        for procedure in ALL {
            for group in procedure.spec.groups {
                need(format!("group.{}", group.id));
                need(format!("group.{}.text", group.id));
            }
            for (path, setting) in all(procedure.spec.settings) {
                let key = words_of(&path, setting);
                if !key.starts_with("class.") {
                    need(format!("{key}.help"));
                }
                need(key);
                if let Some(unit) = setting.unit {
                    need(format!("unit.{unit}"));
                }
                if let (SettingKind::OneOf { words, .. }, Some(_)) = (setting.kind, setting.group)
                    && setting.name != "provider"
                {
                    for word in words {
                        need(format!("option.{}.{word}", setting.name));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    for procedure in ALL {
        let groups: BTreeSet<&str> = procedure.spec.groups.iter().map(|group| group.id).collect();
        let tables = [procedure.spec.settings];
        for table in tables {
            let names: Vec<&str> = table.iter().flat_map(Setting::names).collect();
            assert_eq!(
                names.iter().collect::<BTreeSet<_>>().len(),
                names.len(),
                "{names:?}"
            );
        }
        for (path, setting) in all(procedure.spec.settings) {
            assert!(setting.group.is_none_or(|group| groups.contains(group)), "{path}");
        }
    }
}

#[test]
fn what_holds_otherwise_is_what_may_be_given() {
    for procedure in ALL {
        for (path, setting) in all(procedure.spec.settings) {
            let plain: Vec<Value> = match setting.usual {
                DefaultValue::Nothing => vec![],
                DefaultValue::Is(plain) => vec![json!(plain)],
                DefaultValue::By { when, otherwise, .. } => {
                    let given = when.iter().map(|(_, plain)| json!(plain));
                    given.chain([json!(otherwise)]).collect()
                }
            };
            for value in plain {
                let schema = schema::of(&setting.kind, false);
                assert!(
                    schema::is_valid(&schema, &schema, &value),
                    "{} {path}: {value}",
                    procedure.name
                );
            }
        }
    }
}

#[test]
fn inside_its_bounds_a_setting_loads_and_outside_it_is_the_one_fault() {
    let mut tried = 0;
    for procedure in ALL {
        let table = procedure.spec.settings;
        for Sample {
            config,
            at,
            path,
            kind,
        } in samples(procedure.name, table)
        {
            for value in valid(&kind) {
                let config = at(&config, value.clone());
                let wrong: Vec<_> = found(table, &config);
                assert!(wrong.is_empty(), "{} {path}: {value}: {wrong:?}", procedure.name);
                // Settings may contradict each other, but that is told and never a panic.
                let _ = procedures::check(&config);
                tried += 1;
            }
            for value in invalid(&kind) {
                let config = at(&config, value.clone());
                let wrong = found(table, &config);
                assert!(
                    matches!(&wrong[..], [(where_, code)] if *where_ == path && OF_TABLES.contains(code)),
                    "{} {path}: {value}: {wrong:?}",
                    procedure.name
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
}

#[test]
fn the_schema_takes_what_the_check_takes() {
    let whole = schema::whole();
    let (mut taken, mut refused) = (0, 0);
    for procedure in ALL {
        let table = procedure.spec.settings;
        for config in generate::configurations(procedure.name, table, 1_500) {
            let wrong = found(table, &config);
            let by_schema = schema::is_valid(&whole, &whole, &config);
            // Whether a word in an address was made by chance is nothing that a pattern can tell.
            let is_beyond_schemas = |(_, code): &(String, &str)| *code == "address_key";
            let can_be_told = wrong.iter().all(is_beyond_schemas);
            assert_eq!(by_schema, can_be_told, "{config}\n{wrong:?}");
            *(if by_schema { &mut taken } else { &mut refused }) += 1;
        }
    }
    assert!(taken > 500 && refused > 500, "{taken} taken, {refused} refused");
    for preset in procedures::presets() {
        assert!(schema::is_valid(&whole, &whole, &preset.config), "{}", preset.id);
    }
}

#[test]
fn the_schema_knows_study_files() {
    let whole = schema::whole();
    let study: Value = serde_json::from_str(include_str!("../study_2x2.json")).unwrap();
    assert!(schema::is_valid(&whole, &whole, &study));
    let mut by_name = study.clone();
    by_name["base"] = "run.yaml".into();
    assert!(schema::is_valid(&whole, &whole, &by_name));
    for (key, value) in [
        ("n", json!(0)),
        ("seeds", json!("both")),
        ("reps", json!(1)),
        ("factors", json!([])),
    ] {
        let mut wrong = study.clone();
        wrong[key] = value;
        assert!(!schema::is_valid(&whole, &whole, &wrong), "{key}");
    }
}

#[test]
fn files_that_are_made_from_the_tables_are_as_they_say() {
    let schema = serde_json::to_string_pretty(&schema::whole()).unwrap() + "\n";
    is_made("src/web/quorate.schema.json", &schema);
    is_made("src/web/config.d.ts", &types::text());
    is_made("docs/settings.md", &reference::text());
    is_made("docs/prompts.md", &prompts::text());
    is_made("docs/study.md", &reference::study());
}
