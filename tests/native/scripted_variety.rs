//! Whether it is worth listening to scripted participants: how often a sentence comes back over a long
//! run, and how long the longest of these is.

use crate::support::times;
use quorate::core::ask::Reply;
use quorate::core::record::EntryKind;
use quorate::core::{Effect, Input};
use quorate::language::Language;
use quorate::procedures::{self, topics};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// What was said in public in a run of scripted seats, one text each.
fn said(config: &Value, kind: &str) -> Vec<String> {
    let seed = config["seed"].as_u64().unwrap() as u32;
    let (mut session, mut outcome) = procedures::begin(config, "test", 1_000).unwrap();
    let (mut waiting, mut kinds) = (VecDeque::new(), BTreeMap::new());
    loop {
        for effect in outcome.effects {
            let Effect::Ask { call, seat, .. } = effect else {
                continue;
            };
            kinds.insert(call.ask.id.clone(), call.ask.kind.name().to_owned());
            let text = procedures::scripted_answer(&seat, seed, &call);
            let reply = Reply {
                text,
                ..Reply::default()
            };
            waiting.push_back(Input::Answered {
                ask: call.ask.id.clone(),
                attempt: call.attempt,
                reply,
            });
        }
        let Some(input) = waiting.pop_front() else { break };
        outcome = session.handle(1_000, input);
    }
    let text = |entry: &EntryKind| match entry {
        EntryKind::Answered { ask, reply, .. } if kinds.get(ask).is_some_and(|own| own == kind) => {
            Some(reply.text.clone())
        }
        _ => None,
    };
    session
        .record()
        .iter()
        .filter_map(|entry| text(&entry.what))
        .collect()
}

fn sentences(text: &str) -> Vec<String> {
    let parted = text
        .replace("。", "。\n")
        .replace("？", "？\n")
        .replace(". ", ".\n")
        .replace("? ", "?\n");
    let lines = parted.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// The share of sentences that were said before in the run, in per mille, the longest of them, and how
/// many there are.
fn repeated(texts: &[String]) -> (usize, String, usize) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for sentence in texts.iter().flat_map(|text| sentences(text)) {
        *counts.entry(sentence).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let again: usize = counts.values().map(|count| count - 1).sum();
    let longest = counts
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(sentence, _)| sentence);
    let longest = longest
        .max_by_key(|sentence| sentence.chars().count())
        .unwrap_or_default();
    (again * 1_000 / all.max(1), longest, all)
}

fn names(language: Language) -> [&'static str; 5] {
    match language {
        Language::English => ["Mara", "Leon", "Ines", "Omar", "Ruth"],
        Language::Spanish => ["Marta", "Julián", "Nuria", "Óscar", "Inés"],
        Language::Mandarin => ["王敏", "陈刚", "林月", "赵亮", "孙静"],
    }
}

fn discussion(language: Language, topic: &str, seed: u32) -> Value {
    let roles = ["manager", "leader", "specialist", "specialist", "user"];
    let agent = |(name, role)| json!({ "name": name, "role": role, "kind": "scripted" });
    let agents: Vec<Value> = names(language).into_iter().zip(roles).map(agent).collect();
    json!({
        "protocol": "discussion", "language": format!("{language:?}"), "topic": topic, "agents": agents,
        "rounds": 10, "start": "at_once", "seed": seed,
    })
}

fn show(texts: &[String]) {
    if std::env::var_os("QUORATE_SHOW").is_some() {
        texts.iter().for_each(|text| eprintln!("- {text}"));
    }
}

#[test]
fn a_long_discussion_of_a_prepared_topic_hardly_repeats_a_sentence() {
    let mut worst = (0, String::new());
    for language in Language::ALL {
        for topic in topics::prepared(language) {
            for seed in 0..times(1, 4) {
                let texts = said(&discussion(language, topic.open_question, seed), "turn");
                assert!((49..=50).contains(&texts.len()), "{}", texts.len());
                if seed == 0 && topic.id == "canteen" {
                    show(&texts);
                }
                let (share, longest, all) = repeated(&texts);
                assert!(all >= 65, "{all} sentences");
                if share >= worst.0 {
                    worst = (share, format!("{} {}: {longest}", language.code(), topic.id));
                }
                // What they part with is nobody else's.
                let closing: Vec<_> = texts[texts.len() - 4..]
                    .iter()
                    .flat_map(|text| sentences(text))
                    .collect();
                let (again, longest, _) = repeated(&closing);
                assert_eq!(again, 0, "{longest}");
            }
        }
    }
    assert!(worst.0 <= 40, "{worst:?}");
}

#[test]
fn of_an_own_topic_they_say_that_they_know_nothing_and_repeat_little() {
    for (language, topic, openly) in [
        (
            Language::English,
            "Where should the club house stand?",
            ["simulated", "script"],
        ),
        (
            Language::Spanish,
            "¿Dónde debería estar la casa del club?",
            ["simulad", "guion"],
        ),
        (Language::Mandarin, "俱乐部的房子应该建在哪里？", ["模拟", "脚本"]),
    ] {
        for seed in 0..times(1, 4) {
            let texts = said(&discussion(language, topic, seed), "turn");
            if seed == 0 {
                show(&texts);
            }
            let open = |text: &&String| openly.iter().any(|word| text.contains(word));
            assert!(texts[..5].iter().filter(open).count() >= 2, "{:?}", &texts[..5]);
            let (share, longest, _) = repeated(&texts);
            assert!(share <= 220, "{share}: {longest}");
        }
    }
}

#[test]
fn statements_on_justice_vary_from_round_to_round() {
    let mut worst = (0, String::new());
    for language in Language::ALL {
        for seed in 0..times(1, 6) {
            let agents: Vec<Value> = names(language)
                .map(|name| json!({ "name": name, "kind": "scripted", "personality": "a person" }))
                .into();
            let texts = said(
                &json!({
                    "agents": agents, "language": format!("{language:?}"), "phase2_rounds": 10, "seed": seed,
                }),
                "statement",
            );
            if seed == 0 {
                show(&texts);
            }
            let (share, longest, all) = repeated(&texts);
            if std::env::var_os("QUORATE_SHOW").is_some() {
                eprintln!(
                    "{} {seed}: {share} of 1000, {all} sentences, {} texts; {longest}",
                    language.code(),
                    texts.len()
                );
            }
            if share >= worst.0 {
                worst = (share, longest);
            }
        }
    }
    // What comes back in ten rounds without an agreement: the rule that each names in each statement, and arguments
    // once all are used up, since a statement has a least length.
    assert!(worst.0 <= 350, "{worst:?}");
}
