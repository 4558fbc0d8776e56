//! Golden rows of `config_valid` (changes applied to a base of two agents), and whole configurations
//! of published runs.

use quorate::language::Language;
use quorate::procedures::justice::settings::OrderRule;
use quorate::procedures::justice::settings::check;
use quorate::procedures::spec::fault::Fault;
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
        let idle = |path: &str| checked.warnings.iter().any(|warning| warning.path == path);
        for name in ["utility_agent_model", "logging", "transcript_logging"] {
            assert_eq!(
                idle(name),
                run["config"].get(name).is_some(),
                "{}: {name}",
                run["id"]
            );
        }
    }
}

/// What a configuration is warned of, by path and sentence.
fn warned(changes: &Value) -> Vec<String> {
    let warnings = check(&with(changes)).unwrap().warnings;
    let told = |warning: &Fault| format!("{}: {}", warning.path, warning.message(Language::English));
    warnings.iter().map(told).collect()
}

#[test]
fn what_published_files_hold_loads_and_what_of_it_does_nothing_is_told() {
    assert_eq!(
        warned(&json!({
            "utility_agent_model": "m", "utility_agent_temperature": 0, "logging": { "verbosity_level": "DEBUG" },
            "transcript_logging": { "enabled": true }, "phase2_enhanced_transparency": { "enabled": true },
            "phase2_settings": { "max_memory_retries": 2 },
        })),
        [
            "phase2_settings.max_memory_retries: has no effect",
            "logging: has no effect",
            "transcript_logging: has no effect",
            "phase2_enhanced_transparency: has no effect",
            "utility_agent_model: has no effect",
            "utility_agent_temperature: has no effect",
        ]
    );
    let several = json!({ "agents+": { "model": ["google/gemini-2.5-pro", "gpt-4.1", "x/y"] } });
    assert_eq!(
        warned(&several),
        ["agents[0].model: is a list: the first is asked, the others where it fails"]
    );
    let seat = &check(&with(&several)).unwrap().settings.participants[0].seat;
    let models: Vec<_> = seat.models().map(|(_, _, model)| model).collect();
    assert_eq!(models, ["gemini-2.5-pro", "gpt-4.1", "x/y"]);
    assert_eq!(warned(&json!({ "agents+": { "model": ["gpt-4.1"] } })), [""; 0]);
}

#[test]
fn names_of_the_seeds_and_codes_of_languages_are_taken() {
    let settings = |changes: &Value| check(&with(changes)).unwrap().settings;
    for (code, language) in [
        ("en", Language::English),
        ("es", Language::Spanish),
        ("zh", Language::Mandarin),
    ] {
        assert_eq!(settings(&json!({ "language": code })).language, language);
        let seat = settings(&json!({ "agents+": { "language": code } }));
        assert_eq!(seat.participants[0].seat.language, language);
    }
    for finisher in [
        json!({ "randomize_finisher": false }),
        json!({ "phase2_settings": { "randomize_finisher": false } }),
        json!({ "phase2_settings": { "finisher_restrictions_active": false } }),
    ] {
        assert_eq!(settings(&finisher).order, OrderRule::Shuffled, "{finisher}");
    }
    let none = settings(&json!({ "phase2_settings": { "statement_validation_retries": 0 } }));
    assert_eq!(none.phase2.statement_validation_retries, 0);
}

#[test]
fn a_fault_is_told_in_every_language() {
    let error = check(&with(&json!({ "phase2_rounds": 0, "phase2_round": 3 }))).unwrap_err();
    let told = |language| -> Vec<String> { error.0.iter().map(|fault| fault.message(language)).collect() };
    assert_eq!(
        told(Language::Spanish),
        [
            "es 0; debe ser un número entero de 1 a 1000",
            "no es un ajuste; ¿quería decir phase2_rounds?"
        ]
    );
    assert_eq!(
        told(Language::Mandarin),
        [
            "现在是 0，必须是 1 到 1000 的整数",
            "不是设置项；您是指 phase2_rounds 吗？"
        ]
    );
}

#[test]
fn what_is_too_large_is_refused_before_it_is_looked_at() {
    let mut config = base();
    config["agents"] = vec![json!({ "nonsense": 1 }); 60_000].into();
    config["prompts"] = json!({ "en": vec![1; 9] });
    for number in 0..5_000 {
        config[format!("key {number}")] = 1.into();
    }
    let error = check(&config).unwrap_err();
    assert_eq!(error.0.len(), 100);
    assert_eq!(error.0[0].path, "agents");
    assert_eq!(
        error.0[0].message(Language::English),
        "has 60000 entries, 200 are possible at most"
    );
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
            "agents[1].kind",
            "agents[1].personality",
            "phase2_settings.statement_min_length",
            "phase2_settings.memory_management.style",
            "phase2_round",
            "agents[1].name",
            "agents[2].base_url",
            "income_class_probabilities",
            "prompts.en.no.such.key",
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
    assert_eq!(
        (seeds.phase2.statement_min_length, seeds.phase2.statement_timeout),
        (77, 120.0)
    );
}
