//! Studies: the plan of a file, its faults, and that neither grows nor changes with what should not matter.

use crate::spec::is_made;
use proptest::prelude::*;
use quorate::core::visibility::Role;
use quorate::export::tables::{Style, Tables};
use quorate::export::{self, Format};
use quorate::language::Language;
use quorate::procedures;
use quorate::study::forecast::forecast_study;
use quorate::study::plan::{Plan, Study, StudyFile};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const TWO_BY_TWO: &str = include_str!("study_2x2.json");

fn base() -> Value {
    let agents = ["Ana", "Ben", "Cleo"].map(|name| json!({ "name": name, "personality": "A neighbour." }));
    json!({ "agents": agents, "phase2_rounds": 4 })
}

fn two_by_two() -> Value {
    serde_json::from_str(TWO_BY_TWO).unwrap()
}

fn checked(text: &str) -> Study {
    Study::checked(&StudyFile::parse(text).unwrap()).unwrap()
}

fn plan(file: &Value) -> Plan {
    checked(&file.to_string()).plan()
}

/// Faults as lines of cell, path and code.
fn faults(file: &Value) -> Vec<String> {
    let file = StudyFile::parse(&file.to_string()).unwrap();
    let faults = Study::checked(&file).map_or_else(|error| error.0, |_| Vec::new());
    let line = |one: &quorate::study::plan::StudyFault| {
        let cell = one.cell.as_ref().map_or(String::new(), |cell| format!("{cell} "));
        // Every fault is a sentence in every language.
        for language in Language::ALL {
            let message = one.message_in(language)["message"].as_str().unwrap().to_owned();
            assert!(!message.is_empty() && !message.contains('{'), "{message}");
        }
        format!("{cell}{} {}", one.fault.path, one.fault.code)
    };
    faults.iter().map(line).collect()
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut file = json!({ "study": 1, "id": "s", "base": base(), "n": 2 });
    for (key, value) in changes {
        file[*key] = value.clone();
    }
    file
}

#[test]
fn a_file_of_two_factors_has_this_plan() {
    let plan = checked(TWO_BY_TWO).plan();
    let ids: Vec<&str> = plan.runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "unanimity.strict.mixed.0001",
            "unanimity.strict.small.0001",
            "unanimity.tolerant.small.0001",
            "unanimity.tolerant.small.0002",
            "unanimity.strict.small.0002",
            "unanimity.strict.mixed.0002",
            "unanimity.strict.mixed.0003",
            "unanimity.strict.small.0003",
            "unanimity.tolerant.small.0003",
        ]
    );
    let names: Vec<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["strict.small", "strict.mixed", "tolerant.small"]);
    let run = plan
        .runs
        .iter()
        .find(|run| run.id == "unanimity.strict.mixed.0002")
        .unwrap();
    assert_eq!(
        run.config["study"],
        json!({ "id": "unanimity", "cell": { "rule": "strict", "model": "mixed" }, "repetition": 2 })
    );
    assert_eq!(run.config["condition"], "strict.mixed");
    assert_eq!(run.config["phase2_settings"], json!({ "strict": true }));
    let models: Vec<&Value> = run.config["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| &agent["model"])
        .collect();
    assert_eq!(models, ["gpt-5", "gpt-5-mini", "gpt-5-mini"]);
    // Whole: also what JavaScript is compared with.
    is_made(
        "tests/native/study_2x2.plan.json",
        &(serde_json::to_string_pretty(&plan).unwrap() + "\n"),
    );
}

#[test]
fn every_run_is_a_faultless_configuration_with_the_hash_of_its_cell() {
    let plan = checked(TWO_BY_TWO).plan();
    let mut hashes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for run in &plan.runs {
        assert_eq!(procedures::check(&run.config), Ok(vec![]), "{}", run.id);
        let (session, _) = procedures::begin(&run.config, &run.id, 0).unwrap();
        let head = serde_json::to_value(&session.record()[0]).unwrap();
        let hash = head["what"]["config_hash"]
            .as_str()
            .unwrap_or_else(|| panic!("{head}"));
        hashes.entry(&run.cell).or_default().insert(hash.to_owned());
    }
    assert!(hashes.values().all(|of_cell| of_cell.len() == 1), "{hashes:?}");
    assert_eq!(hashes.values().flatten().collect::<BTreeSet<_>>().len(), 3);
}

#[test]
fn a_study_without_factors_repeats_one_configuration() {
    let plan = plan(&with(&[]));
    let ids: Vec<&str> = plan.runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["s.all.0001", "s.all.0002"]);
    assert_eq!(plan.runs[0].config["condition"], Value::Null);
    assert_eq!(
        plan.runs[0].config["study"],
        json!({ "id": "s", "cell": {}, "repetition": 1 })
    );
    assert_ne!(plan.runs[0].config["seed"], plan.runs[1].config["seed"]);
}

#[test]
fn seeds_are_paired_unless_independent() {
    let seeds = |file: &Value| {
        let mut seeds: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
        for run in plan(file).runs {
            let seed = run.config["seed"].as_u64().unwrap();
            seeds.entry(run.repetition).or_default().insert(seed);
        }
        seeds.into_values().map(|seeds| seeds.len()).collect::<Vec<_>>()
    };
    let mut file = two_by_two();
    assert_eq!(seeds(&file), [1, 1, 1]);
    file["seeds"] = "independent".into();
    assert_eq!(seeds(&file), [3, 3, 3]);
}

#[test]
fn a_condition_of_the_base_stays_and_its_seed_does_not() {
    let mut file = two_by_two();
    file["base"]["condition"] = "pilot".into();
    file["base"]["seed"] = 5.into();
    file["base"]["study"] = json!({ "id": "old", "cell": {}, "repetition": 1 });
    let study = checked(&file.to_string());
    let warnings: Vec<&str> = study.warnings.iter().map(|one| one.fault.path.as_str()).collect();
    assert_eq!(warnings, ["base.seed", "base.study"]);
    let plan = study.plan();
    assert!(plan.runs.iter().all(|run| run.config["condition"] == "pilot"));
    let before = checked(TWO_BY_TWO).plan();
    assert_eq!(plan.runs[0].config["seed"], before.runs[0].config["seed"]);
    assert_eq!(plan.runs[0].config["study"], before.runs[0].config["study"]);
}

#[test]
fn limits_of_hosts_that_no_cell_calls_are_named_once() {
    let mut base = base();
    base["agents"][0]["model"] = "gpt-5-mini".into();
    let models =
        json!({ "open": { "agents[Ana].model": "gpt-5" }, "router": { "agents[Ana].model": "maker/model" } });
    let hosts = json!({ "api.openai.com": 2, "openrouter.ai": 2, "api.opanai.com": 2 });
    let file = with(&[
        ("base", base),
        ("factors", json!({ "model": models })),
        ("limits", json!({ "calls_at_once": hosts })),
    ]);
    let warnings = checked(&file.to_string()).warnings;
    let warnings: Vec<_> = warnings
        .iter()
        .map(|one| (&one.cell, one.fault.path.as_str()))
        .collect();
    assert_eq!(warnings, [(&None, "limits.calls_at_once.api.opanai.com")]);
}

#[test]
fn all_faults_are_reported_with_cell_and_path() {
    let strict = json!({ "phase2_settings.strict": true });
    for (changes, wanted) in [
        (vec![("study", json!(2))], vec!["study whole"]),
        (vec![("n", Value::Null)], vec!["n missing"]),
        (vec![("n", json!(10_000))], vec!["n whole"]),
        (vec![("id", json!("A b"))], vec!["id study_name"]),
        (vec![("seeds", json!("both"))], vec!["seeds one_of"]),
        (vec![("replications", json!(2))], vec!["replications unknown"]),
        (vec![("base", json!("run.yaml"))], vec!["base study_base"]),
        (vec![("base", json!([]))], vec!["base must"]),
        (
            vec![("budget", json!({ "cost": -1 }))],
            vec!["budget.cost number"],
        ),
        (
            vec![("limits", json!({ "calls_per_minute": { "api.openai.com": 0 } }))],
            vec!["limits.calls_per_minute.api.openai.com whole_from"],
        ),
        (
            vec![("factors", json!({ "rule": {} }))],
            vec!["factors.rule study_empty"],
        ),
        (
            vec![("factors", json!({ "rule": [] }))],
            vec!["factors.rule object"],
        ),
        (
            vec![("factors", json!({ "rule": { "a": 1 } }))],
            vec!["factors.rule.a object"],
        ),
        (
            vec![("factors", json!({ "Rule": { "a.b": {} } }))],
            vec!["factors.Rule study_name", "factors.Rule.a.b study_name"],
        ),
        (
            vec![(
                "factors",
                json!({ "rule": { "a": { "agents[Ana]": 1, "seed": 4, "study.id": "x" } } }),
            )],
            vec![
                "factors.rule.a.agents[Ana] study_path",
                "factors.rule.a.seed study_planned",
                "factors.rule.a.study.id study_planned",
            ],
        ),
        // Faults of the file and of cells together.
        (
            vec![
                ("n", json!(0)),
                (
                    "factors",
                    json!({ "rule": { "strict": strict, "odd": { "phase2_settings.strct": true } } }),
                ),
            ],
            vec!["n whole", "odd phase2_settings.strct unknown_near"],
        ),
        (
            vec![(
                "factors",
                json!({
                    "rounds": { "no": { "phase2_rounds": 0 }, "two": { "phase2_rounds": 2 } },
                    "who": { "none": { "agents[Dan].model": "m" }, "all": { "agents.temperature": 5 } },
                }),
            )],
            vec![
                "no.all phase2_rounds whole",
                "no.all agents[0].temperature number",
                "no.all agents[1].temperature number",
                "no.all agents[2].temperature number",
                "no.none agents[Dan].model study_nowhere",
                "no.none phase2_rounds whole",
                "two.all agents[0].temperature number",
                "two.all agents[1].temperature number",
                "two.all agents[2].temperature number",
                "two.none agents[Dan].model study_nowhere",
            ],
        ),
        // Two factors that set the same, in whole or in part.
        (
            vec![(
                "factors",
                json!({
                    "a": { "x": { "agents.model": "gpt-5" } }, "b": { "y": { "agents[Ana].model": "gpt-5-mini" }, "z": { "phase2_rounds": 2 } },
                }),
            )],
            vec!["factors.b.y.agents[Ana].model study_twice"],
        ),
        (
            vec![(
                "factors",
                json!({
                    "a": { "x": { "phase2_settings": {} } }, "b": { "y": strict, "z": { "phase2_settings.strict": false } },
                }),
            )],
            vec![
                "factors.b.y.phase2_settings.strict study_twice",
                "factors.b.z.phase2_settings.strict study_twice",
            ],
        ),
        (
            vec![(
                "factors",
                json!({ "a": { "x": { "agents.model": "gpt-5", "agents[Ana].model": "gpt-5-mini" } } }),
            )],
            vec!["factors.a.x.agents[Ana].model study_twice"],
        ),
        (
            vec![(
                "factors",
                json!({
                    "a": { "x": { "agents[Ana].temperature": 1 } }, "b": { "y": { "agents[Ben].temperature": 1 } },
                }),
            )],
            vec![],
        ),
        (
            vec![
                ("factors", json!({ "rule": { "strict": strict } })),
                ("exclude", json!([{ "rule": "lax" }, { "law": "x" }, {}])),
            ],
            vec![
                "exclude[0].rule one_of",
                "exclude[1].law study_no_factor",
                "exclude[2] study_empty",
            ],
        ),
        (
            vec![
                ("factors", json!({ "rule": { "strict": strict } })),
                ("exclude", json!([{ "rule": "strict" }])),
            ],
            vec!["exclude study_none"],
        ),
        (
            vec![("factors", json!({ "rule": { "x".repeat(200): strict } }))],
            vec!["factors study_long"],
        ),
    ] {
        let mut found = faults(&with(&changes));
        let mut wanted: Vec<String> = wanted.into_iter().map(str::to_owned).collect();
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{changes:?}");
    }
    let levels: Value = (0..11)
        .map(|level| (level.to_string(), json!({ "phase2_rounds": 2 })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let many = json!({ "a": levels, "b": levels, "c": levels });
    assert!(faults(&with(&[("factors", many)])).contains(&"factors study_cells".to_owned()));
    let levels: Value = (1..=20)
        .map(|level| (level.to_string(), json!({ "phase2_rounds": level })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let many = with(&[("factors", json!({ "rounds": levels })), ("n", json!(9_999))]);
    assert!(faults(&many).contains(&"n study_runs".to_owned()));
}

#[test]
fn numbers_are_levels_in_exclude_and_keys_come_as_in_javascript() {
    let text = with(&[
        ("factors", json!({ "rounds": { "b": { "phase2_rounds": 7 } } })),
        ("exclude", json!([{ "rounds": 3 }])),
    ])
    .to_string()
    .replace(
        r#""b":{"phase2_rounds":7}"#,
        r#""b":{"phase2_rounds":7},"10":{"phase2_rounds":10},"a":{"phase2_rounds":8},"3":{"phase2_rounds":3},"02":{"phase2_rounds":2}"#,
    );
    let cells: Vec<String> = checked(&text).cells.into_iter().map(|cell| cell.name).collect();
    assert_eq!(cells, ["10", "b", "a", "02"]);
}

#[test]
fn the_order_of_keys_decides_names_and_nothing_else() {
    let file = |factors: &str| {
        let text = with(&[
            ("factors", json!("HERE")),
            ("n", json!(5)),
            ("seeds", json!("independent")),
        ]);
        checked(&text.to_string().replace(r#""HERE""#, factors)).plan()
    };
    let [strict, lax] = [
        r#""strict":{"phase2_settings.strict":true}"#,
        r#""lax":{"phase2_settings.strict":false}"#,
    ];
    let [few, many] = [r#""few":{"phase2_rounds":2}"#, r#""many":{"phase2_rounds":9}"#];
    let first = file(&format!(
        r#"{{"rule":{{{strict},{lax}}},"length":{{{few},{many}}}}}"#
    ));
    let levels_changed = file(&format!(
        r#"{{"rule":{{{lax},{strict}}},"length":{{{many},{few}}}}}"#
    ));
    assert_eq!(first.runs, levels_changed.runs);
    assert_eq!(first.id, levels_changed.id);
    let factors_changed = file(&format!(
        r#"{{"length":{{{few},{many}}},"rule":{{{strict},{lax}}}}}"#
    ));
    assert_eq!(first.runs[0].id.matches('.').count(), 3);
    assert_ne!(first.runs, factors_changed.runs);
    assert_ne!(first.id, factors_changed.id);
    let bare = |plan: &Plan| {
        let mut configs: Vec<Value> = plan.runs.iter().map(|run| run.config.clone()).collect();
        configs
            .iter_mut()
            .for_each(|config| config["condition"] = Value::Null);
        configs
    };
    assert_eq!(bare(&first), bare(&factors_changed));
}

#[test]
fn the_registration_id_is_of_what_decides_runs() {
    let file = two_by_two();
    let id = plan(&file).id;
    let changed = |key: &str, value: Value| {
        let mut file = file.clone();
        file[key] = value;
        plan(&file).id
    };
    for (key, value) in [
        ("title", json!("Another")),
        ("n", json!(50)),
        ("budget", json!({ "cost": 3 })),
        ("limits", json!({ "calls_at_once": { "api.openai.com": 4 } })),
        ("outcomes", json!(["consensus_reached"])),
        ("seeds", json!("paired")),
        ("$schema", json!("https://example.org/quorate.schema.json")),
    ] {
        assert_eq!(changed(key, value), id, "{key}");
    }
    for (key, value) in [
        ("id", json!("other")),
        ("seed", json!(8)),
        ("seeds", json!("independent")),
        ("exclude", json!([])),
        ("base", {
            let mut base = file["base"].clone();
            base["phase2_rounds"] = 5.into();
            base
        }),
    ] {
        assert_ne!(changed(key, value), id, "{key}");
    }
}

#[test]
fn the_place_in_a_study_changes_nothing_in_a_run_and_stays_with_the_owner() {
    for preset in procedures::presets() {
        let mut config = preset.config.clone();
        config["study"] = json!({ "id": "secret-study", "cell": { "arm": "secret-arm" }, "repetition": 12 });
        assert_eq!(
            procedures::check(&config),
            procedures::check(&preset.config),
            "{}",
            preset.id
        );
        let (plain, of_plain) = procedures::begin(&preset.config, "s", 0).unwrap();
        let (session, outcome) = procedures::begin(&config, "s", 0).unwrap();
        assert_eq!(plain.record()[1..], session.record()[1..], "{}", preset.id);
        let effects = [&of_plain.effects, &outcome.effects].map(|effects| format!("{effects:?}"));
        assert!(effects[0] == effects[1], "{}", preset.id);
        let seat = procedures::seats(&config).unwrap()[0].name.clone();
        for role in [Role::Audience, Role::Seat(seat)] {
            let view = export::view(&session.record(), role).text;
            assert!(!view.contains("secret-"), "{view}");
        }
        let owner = export::view(&session.record(), Role::Owner).text;
        assert!(!owner.is_empty());
    }
}

#[test]
fn tables_have_columns_of_the_study_for_its_runs() {
    let plan = checked(TWO_BY_TWO).plan();
    let header = |configs: &[&Value]| {
        let mut tables = Tables::new(Style::default());
        for config in configs {
            let (session, _) = procedures::begin(config, "s", 0).unwrap();
            tables.add(&session.record()).unwrap();
        }
        let runs = tables.table(Format::Table(0)).unwrap().text;
        let codebook = tables
            .files()
            .into_iter()
            .find(|file| file.name == "codebook.csv")
            .unwrap()
            .text;
        (runs, codebook)
    };
    let mut other = plan.runs[0].config.clone();
    other.as_object_mut().unwrap().remove("study");
    let (runs, codebook) = header(&[&other]);
    assert!(
        !runs.contains("factor_") && !codebook.contains("runs,repetition"),
        "{codebook}"
    );
    let (runs, codebook) = header(&[&other, &plan.runs[0].config]);
    assert!(
        runs.lines()
            .next()
            .unwrap()
            .contains(",study,repetition,factor_model,factor_rule"),
        "{runs}"
    );
    assert_eq!(runs.matches(",unanimity,1,").count(), 1, "{runs}");
    assert!(codebook.contains("runs,factor_model,text"), "{codebook}");
    // A record from elsewhere cannot break the header.
    other["study"] = json!({ "id": "x", "cell": { "a,\"b\n": "y", "ok": "z" }, "repetition": 1 });
    let (runs, _) = header(&[&other]);
    let first = runs.lines().next().unwrap();
    assert!(first.contains(",factor_ok,") && !first.contains('"'), "{first}");
}

#[test]
fn a_forecast_sums_the_runs_of_all_cells() {
    let mut file = two_by_two();
    file["n"] = 10.into();
    let forecast = forecast_study(&checked(&file.to_string())).unwrap();
    assert_eq!((forecast.runs, forecast.cells.len()), (30, 3));
    let sum: u64 = forecast
        .cells
        .iter()
        .map(|cell| 10 * cell.forecast.calls.high)
        .sum();
    assert_eq!(forecast.calls.high, sum);
    let cost = forecast.cost.unwrap();
    let most: f64 = forecast
        .cells
        .iter()
        .map(|cell| 10.0 * cell.forecast.cost.unwrap().most)
        .sum();
    assert!(
        (cost.most - most).abs() < 1e-9 && cost.low > 0.0 && cost.high <= cost.most,
        "{cost:?}"
    );
    assert_eq!(forecast.currency, "USD");
    assert!(forecast.complete && forecast.unknown.is_empty());
    file["factors"]["model"]["small"]["agents.model"] = "openai/never-priced".into();
    file["base"]["agents"][0]["provider"] = "openai".into();
    let forecast = forecast_study(&checked(&file.to_string())).unwrap();
    assert_eq!((forecast.cost, forecast.unknown.len()), (None, 1));
}

prop_compose! {
    /// A study of up to three factors with up to three levels, on settings that do not overlap.
    fn studies()(
        levels in prop::collection::vec(1_usize..4, 0..4), n in 1_u32..12, seed in 0_u32..=i32::MAX as u32,
        independent: bool, excluded in prop::collection::vec((0_usize..3, 0_usize..3), 0..3),
    ) -> Value {
        let settings = ["phase2_rounds", "agents[Ana].temperature", "agents[Ben].personality"];
        let value = |factor: usize, level: usize| match factor {
            0 => json!(2 + level),
            1 => json!(0.5 + level as f64 / 4.0),
            _ => json!(format!("Neighbour {level}.")),
        };
        let mut file = with(&[("n", json!(n)), ("seed", json!(seed))]);
        for (factor, count) in levels.iter().enumerate().take(3) {
            for level in 0..*count {
                file["factors"][format!("f{factor}")][format!("l{level}")] = json!({ settings[factor]: value(factor, level) });
            }
        }
        if independent {
            file["seeds"] = "independent".into();
        }
        // The first level of each factor always stays.
        let excluded = excluded.into_iter().filter(|(factor, level)| *level > 0 && levels.get(*factor).is_some_and(|count| level < count));
        file["exclude"] = excluded.map(|(factor, level)| json!({ format!("f{factor}"): format!("l{level}") })).collect();
        file
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn plans_are_balanced_and_grow_at_their_end(file in studies(), more in 1_u32..5) {
        let plan = plan(&file);
        let n = file["n"].as_u64().unwrap() as u32;
        prop_assert_eq!(plan.runs.len(), plan.cells.len() * n as usize);
        let ids: BTreeSet<&str> = plan.runs.iter().map(|run| run.id.as_str()).collect();
        prop_assert_eq!(ids.len(), plan.runs.len());
        let names: BTreeSet<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
        for (number, repetition) in plan.runs.chunks(plan.cells.len()).enumerate() {
            prop_assert!(repetition.iter().all(|run| run.repetition as usize == number + 1));
            let cells: BTreeSet<&str> = repetition.iter().map(|run| &*run.cell).collect();
            prop_assert_eq!(&cells, &names);
        }
        let mut grown = file.clone();
        grown["n"] = (n + more).into();
        let grown = self::plan(&grown);
        prop_assert_eq!(&grown.runs[..plan.runs.len()], &plan.runs[..]);
        prop_assert_eq!(grown.id, plan.id);
    }
}
