//! Every export of whole scripted runs: all presets, each in every format.

use quorate::core::ask::Reply;
use quorate::core::record::{Entry, EntryKind};
use quorate::core::{Effect, Input, Status};
use quorate::export::{Format, export, json};
use quorate::procedures;
use quorate::procedures::justice::presets;
use quorate::procedures::summary::summary;
use serde_json::Value;
use std::collections::VecDeque;
use std::rc::Rc;

/// Runs to the end with scripted answers, also for the seats of people.
fn run(config: &Value) -> Vec<Rc<Entry>> {
    let mut now = 1_800_000_000_000;
    let (mut session, mut outcome) = procedures::begin(config, "whole-run", now).unwrap();
    let seed = config["seed"].as_u64().unwrap() as u32;
    let mut waiting = VecDeque::new();
    loop {
        for effect in std::mem::take(&mut outcome.effects) {
            if let Effect::Ask { call, seat, .. } = effect {
                let text = procedures::scripted_answer(&seat, seed, &call);
                waiting.push_back((call.ask.id.clone(), call.attempt, text));
            }
        }
        let Some((ask, attempt, text)) = waiting.pop_front() else {
            break;
        };
        now += 7;
        outcome = session.handle(
            now,
            Input::Answered {
                ask,
                attempt,
                reply: Reply {
                    text,
                    ..Reply::default()
                },
            },
        );
    }
    assert_eq!(session.status(), Status::Ended);
    session.record().to_vec()
}

fn result(record: &[Rc<Entry>]) -> &Value {
    match &record.last().unwrap().what {
        EntryKind::Ended { result } => result,
        other => panic!("the record ends with {other:?}"),
    }
}

fn text(name: &str, record: &[Rc<Entry>]) -> String {
    export(Format::from_name(name).unwrap(), record).unwrap().text
}

#[test]
fn presets_run_and_every_export_of_them_says_what_happened() {
    for preset in presets::all() {
        let id = &preset.id;
        let record = run(&preset.config);
        let result = result(&record);
        println!(
            "{id}: {} entries, consensus {}, {} {}, rounds {}, {} warnings",
            record.len(),
            result["consensus_reached"],
            result["chosen_principle"],
            result["constraint_amount"],
            result["rounds_completed"],
            result["warnings"].as_array().unwrap().len()
        );
        if let Some(folder) = std::env::var_os("QUORATE_EXPORTS") {
            for name in ["json", "jsonl", "md", "published"] {
                let file = export(Format::from_name(name).unwrap(), &record).unwrap();
                let path = std::path::Path::new(&folder).join(format!("{id}-{}", file.name));
                std::fs::write(path, file.text).unwrap();
            }
        }

        let lines = text("jsonl", &record);
        for exported in [&lines, &text("json", &record)] {
            let read: Vec<_> = json::read(exported).unwrap().into_iter().map(Rc::new).collect();
            assert_eq!(text("jsonl", &read), lines, "{id}");
            let (again, _) = procedures::replay(&read).unwrap_or_else(|found| panic!("{id}: {found:?}"));
            assert_eq!(again.len(), record.len(), "{id}");
        }

        check_published(id, &record, result);
        check_report(id, &record, &preset.config, result);

        let told = summary(&record, 5);
        assert_eq!(told["state"], "ended");
        assert_eq!(
            told["outcome"]["consensus_reached"], result["consensus_reached"],
            "{id}"
        );
        assert_eq!(
            told["outcome"]["chosen_principle"], result["chosen_principle"],
            "{id}"
        );
        assert_eq!(told["title"], preset.config["title"], "{id}");
    }
}

fn check_published(id: &str, record: &[Rc<Entry>], result: &Value) {
    let told: Value = serde_json::from_str(&text("published", record)).unwrap();
    let general = &told["general_information"];
    assert_eq!(general["consensus_reached"], result["consensus_reached"], "{id}");
    assert_eq!(general["consensus_principle"], result["chosen_principle"], "{id}");
    assert_eq!(
        general["rounds_conducted_phase_2"], result["rounds_completed"],
        "{id}"
    );
    let history = told["voting_history"].as_object().unwrap();
    assert_eq!(
        history["total_vote_attempts"],
        history["vote_rounds"].as_array().unwrap().len(),
        "{id}"
    );
    for agent in told["agents"].as_array().unwrap() {
        let name = agent["name"].as_str().unwrap();
        let payoff = &result["payoffs"][name];
        let afterwards = &agent["phase_2"]["post_group_discussion"];
        assert_eq!(afterwards["payoff_received"], payoff["payoff"], "{id} {name}");
        assert_eq!(afterwards["class_put_in"], payoff["class"], "{id} {name}");
        assert_eq!(afterwards["bank_balance"], payoff["total"], "{id} {name}");
        assert_eq!(
            agent["phase_1"]["demonstrations"].as_array().unwrap().len(),
            4,
            "{id} {name}"
        );
        let rounds = agent["phase_2"]["rounds"].as_array().unwrap();
        assert_eq!(result["rounds_completed"], rounds.len(), "{id} {name}");
        for round in rounds {
            assert!(round["speaking_order"].as_u64().unwrap() >= 1, "{id} {name}");
            assert!(round["memory_coming_in_this_round"].is_string(), "{id} {name}");
        }
        for step in ["initial_ranking", "ranking_2", "ranking_3"] {
            assert!(
                agent["phase_1"][step]["memory_coming_in_this_round"].is_string(),
                "{id} {name} {step}"
            );
        }
        assert_eq!(
            agent["phase_1"]["initial_ranking"]["bank_balance"], 0.0,
            "{id} {name}"
        );
        let earned = result["phase1"][name]["earnings"].as_f64().unwrap();
        let ranked_with = agent["phase_1"]["ranking_3"]["bank_balance"].as_f64().unwrap();
        assert!(
            (earned - ranked_with).abs() < 1e-9,
            "{id} {name}: {earned} {ranked_with}"
        );
    }
}

/// The memory that the published file tells is the one that the prompt showed.
#[test]
fn memories_are_those_of_the_prompts() {
    let preset = presets::all()
        .into_iter()
        .find(|preset| preset.id == "quick")
        .unwrap();
    let record = run(&preset.config);
    let told: Value = serde_json::from_str(&text("published", &record)).unwrap();
    let mut compared = 0;
    for entry in &record {
        let EntryKind::Asked { ask, request, .. } = &entry.what else {
            continue;
        };
        if ask.kind.name() != "final_ranking" || ask.attempt != 1 {
            continue;
        }
        let agents = told["agents"].as_array().unwrap();
        let agent = agents.iter().find(|agent| agent["name"] == ask.seat).unwrap();
        let memory = agent["phase_1"]["ranking_3"]["memory_coming_in_this_round"]
            .as_str()
            .unwrap();
        assert!(
            !memory.is_empty() && request.system.contains(memory),
            "{}\n---\n{}",
            request.system,
            memory
        );
        compared += 1;
    }
    assert_eq!(compared, 3);
}

fn check_report(id: &str, record: &[Rc<Entry>], config: &Value, result: &Value) {
    let report = text("md", record);
    assert!(
        report.starts_with(&format!("# {}\n", config["title"].as_str().unwrap())),
        "{id}"
    );
    for statement in result["discussion_history"].as_array().unwrap() {
        if statement["kind"] != "statement" {
            continue;
        }
        // A stretch without anything that is escaped.
        let said = statement["statement"].as_str().unwrap();
        let plain = |character: char| character.is_alphanumeric() || " ,，。".contains(character);
        let stretch = said
            .split(|character| !plain(character))
            .max_by_key(|stretch| stretch.len())
            .unwrap()
            .trim();
        assert!(report.contains(stretch), "{id}: {stretch:?}");
    }
    for (name, payoff) in result["payoffs"].as_object().unwrap() {
        let total = format!("${:.2}", payoff["total"].as_f64().unwrap());
        let escaped = name.replace('_', "\\_");
        let row = report
            .lines()
            .any(|line| line.starts_with(&format!("| {escaped} |")) && line.contains(&total));
        assert!(row, "{id}: {name} {total}");
    }
    for line in report.lines().filter(|line| line.starts_with('|')) {
        assert!(line.ends_with(" |"), "{id}: {line}");
    }
}
