//! Golden rows of `config_valid` (changes applied to a base of two agents), and whole configurations
//! of published runs.

use quorate::procedures::justice::config::check;
use serde_json::{Value, json};

use crate::support;

fn base() -> Value {
    json!({ "agents": [{ "name": "A", "personality": "p" }, { "name": "B", "personality": "p" }] })
}

fn with(changes: &Value) -> Value {
    let mut config = base();
    for (key, value) in changes.as_object().unwrap() {
        if key == "agents+" {
            for (key, value) in value.as_object().unwrap() {
                config["agents"][0][key] = value.clone();
            }
        } else {
            config[key] = value.clone();
        }
    }
    config
}

#[test]
fn golden_configurations_are_accepted_or_refused() {
    let mut wrong = Vec::new();
    let rows = support::golden("justice-config_validation.jsonl");
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let changes = &row["input"];
        // The one setting where the seed's value (a share) wins over the published type.
        let recommended = changes.pointer("/phase2_settings/constraint_tolerance") == Some(&json!(0.05));
        let expected = recommended || row["expected"]["valid"] == true;
        let found = check(&with(changes));
        if found.is_ok() != expected {
            wrong.push(format!("{id}: {changes} -> {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

#[test]
fn published_configurations_load_as_they_are() {
    for run in support::corpus("replays.jsonl") {
        let mut config = run["config"].clone();
        config["profile"] = json!("compat");
        let checked = check(&config).unwrap_or_else(|error| panic!("{}: {error}", run["id"]));
        assert_eq!(
            Some(u64::from(checked.settings.phase2_rounds)),
            run["config"]["phase2_rounds"].as_u64()
        );
        assert!(checked.settings.original_values_mode);
    }
}

#[test]
fn every_fault_of_a_bad_configuration_is_listed_with_its_path() {
    let config = json!({
        "agents": [
            { "name": "Ana", "personality": "p", "temperature": 3 },
            { "name": "Ana", "personality": "", "kind": "robot" },
            { "name": "Cleo", "personality": "p", "kind": "model", "model": "mystery" },
        ],
        "phase2_settings": { "statement_min_length": "long", "memory_management": { "style": 1 } },
        "income_class_probabilities": { "high": 0.5 },
        "phase2_round": 3,
        "prompts": { "en": { "no.such.key": "x" } },
    });
    let error = check(&config).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "agents[0].temperature",
            "agents[1].name",
            "agents[1].kind",
            "agents[1].personality",
            "agents[2].base_url",
            "income_class_probabilities",
            "phase2_settings.statement_min_length",
            "prompts.en.no.such.key",
            "phase2_settings.memory_management.style",
            "phase2_round",
        ]
    );
}

#[test]
fn an_empty_table_is_a_fault() {
    let error = check(&json!({ "agents": [] })).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["agents"]);
}

#[test]
fn seed_names_and_published_names_are_the_same_settings() {
    let named = |names: [&str; 3]| {
        let mut config = base();
        for (name, value) in names.iter().zip([77, 4, 120]) {
            config["phase2_settings"][*name] = json!(value);
        }
        check(&config).unwrap().settings
    };
    let seeds = named([
        "statement_min_length",
        "statement_validation_retries",
        "statement_timeout",
    ]);
    let published = named([
        "min_statement_length",
        "max_statement_retries",
        "statement_timeout_seconds",
    ]);
    assert_eq!(seeds, published);
    assert_eq!((seeds.statement_min_length, seeds.statement_timeout), (77, 120.0));
}
