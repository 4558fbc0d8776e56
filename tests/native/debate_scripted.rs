//! Whole debates between scripted seats: every answer is read, the same seed gives the same record,
//! and outcomes differ by seed.

use crate::support::times;

use quorate::core::ask::Reply;
use quorate::core::record::EntryKind;
use quorate::core::{Effect, Input, Session, Status};
use quorate::export::{Format, export};
use quorate::memory::knowledge::LEAST;
use quorate::procedures;
use quorate::procedures::debate::asks;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};

const QUESTIONS: [(&str, &str, [&str; 4]); 3] = [
    (
        "English",
        "Should a city of 200,000 close its centre to private cars within five years?",
        ["Alice", "Ben", "Chloe", "David"],
    ),
    (
        "Spanish",
        "¿Deberían las escuelas dejar de poner notas antes de los catorce años?",
        ["Alicia", "Benito", "Íñigo", "Núria"],
    ),
    (
        "Mandarin",
        "城市应该在五年内禁止私家车进入市中心吗？",
        ["小王", "李娜", "陈明", "赵芳"],
    ),
];

/// Runs to the end by a clock that stands still; answers in the order of asking.
fn run(config: &Value, seed: u32) -> Session {
    run_with(config, seed, r#"{"items":[]}"#)
}

/// The same with what each source answers.
fn run_with(config: &Value, seed: u32, material: &str) -> Session {
    let mut config = config.clone();
    config["seed"] = json!(seed);
    let (mut session, mut outcome) = procedures::begin(&config, "test", 1_000).unwrap();
    let mut waiting = VecDeque::new();
    loop {
        for effect in outcome.effects {
            let Effect::Ask { call, seat, .. } = effect else {
                panic!("{effect:?}")
            };
            let text = match call.ask.kind.name() {
                asks::CONTEXT => material.to_owned(),
                _ => procedures::scripted_answer(&seat, seed, &call),
            };
            waiting.push_back(Input::Answered {
                ask: call.ask.id.clone(),
                attempt: call.attempt,
                reply: Reply {
                    text,
                    ..Reply::default()
                },
            });
        }
        let Some(input) = waiting.pop_front() else { break };
        outcome = session.handle(1_000, input);
    }
    assert_eq!(session.status(), Status::Ended);
    session
}

fn config(question: &(&str, &str, [&str; 4]), changes: &Value) -> Value {
    let (language, question, names) = question;
    let mut agents: Vec<Value> = names
        .map(|name| json!({ "name": name, "kind": "scripted" }))
        .into();
    agents[3]["role"] = json!("judge");
    let mut config = json!({
        "protocol": "debate", "language": language, "question": question, "agents": agents,
    });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

fn events(session: &Session) -> Vec<Value> {
    let event = |what: &EntryKind| match what {
        EntryKind::Event { event, .. } => Some(event.value()),
        _ => None,
    };
    session
        .record()
        .iter()
        .filter_map(|entry| event(&entry.what))
        .collect()
}

fn result(session: &Session) -> Value {
    let ended = session.record().iter().find_map(|entry| match &entry.what {
        EntryKind::Ended { result, .. } => Some(result.clone()),
        _ => None,
    });
    ended.unwrap()
}

fn text(session: &Session) -> String {
    export(Format::JsonLines, &session.record()).unwrap().text
}

/// What happened in a debate, in a few words; panics where an answer was not read in full.
fn looked_at(session: &Session) -> Value {
    let all = events(session);
    for event in &all {
        match event["type"].as_str().unwrap() {
            "seat_failed" => panic!("{event}"),
            "criticised" => {
                let critique = &event["critique"];
                assert!(critique["severity"].is_number(), "{event}");
                assert_eq!(
                    critique["issues"].as_array().unwrap().len(),
                    critique["suggestions"].as_array().unwrap().len(),
                    "{event}"
                );
                assert!(!critique["issues"].as_array().unwrap().is_empty(), "{event}");
            }
            "judged" => {
                let evaluation = &event["evaluation"];
                assert_eq!(evaluation["missing"], json!([]), "{event}");
                assert_eq!(
                    evaluation["ranking"].as_array().unwrap().len(),
                    evaluation["scores"].as_array().unwrap().len()
                );
                assert!(evaluation["confidence"].is_number() && evaluation["conclusive"].is_boolean());
                assert!(!evaluation["synthesis"].as_str().unwrap().is_empty());
                assert_eq!(
                    evaluation["scores"][0]["criteria"].as_array().unwrap().len(),
                    5,
                    "{event}"
                );
            }
            _ => {}
        }
    }
    let result = result(session);
    for vote in result["votes"].as_array().unwrap() {
        assert!(
            vote["confidence"].is_number() && vote["cast"]["for"].is_string(),
            "{vote}"
        );
    }
    let ended = all.iter().find(|event| event["type"] == "ended_early");
    let scores: Vec<String> = all
        .iter()
        .filter(|event| event["type"] == "compared")
        .map(|event| {
            format!(
                "{:.2}/{:.2}",
                event["score"].as_f64().unwrap(),
                event["inter_agent"]["mean"].as_f64().unwrap()
            )
        })
        .collect();
    json!({
        "status": result["status"], "winner": result["winner"], "rounds": result["rounds_used"],
        "early": ended.map_or(Value::Null, |event| event["round"].clone()), "alike": scores,
        "strength": result["consensus_strength"],
    })
}

#[test]
fn debates_end_with_every_answer_read_and_differ_by_seed() {
    let seeds = 30;
    for question in &QUESTIONS[..times(1, 3)] {
        for trickster in [true, false] {
            let config = config(question, &json!({ "enable_trickster": trickster }));
            let seen: Vec<Value> = (0..seeds).map(|seed| looked_at(&run(&config, seed))).collect();
            for one in &seen {
                eprintln!("{one}");
            }
            let count = |fits: &dyn Fn(&Value) -> bool| seen.iter().filter(|one| fits(one)).count();
            let early = count(&|one| one["early"].as_u64().is_some_and(|round| round <= 5));
            let late = count(&|one| one["early"].as_u64().is_some_and(|round| round > 8));
            let before_five = count(&|one| one["early"].as_u64().is_some_and(|round| round < 5));
            let agreed = count(&|one| one["status"] == "consensus_reached");
            let extended = count(&|one| one["rounds"].as_u64() > Some(8));
            eprintln!(
                "{} trickster {trickster}: {early} of {seeds} converge by round 5, {before_five} before it; \
                 {agreed} agree by judge; {extended} go into extended rounds, {late} of them converge there",
                question.0
            );
            assert!(
                early * 10 >= seen.len() && early * 10 <= 9 * seen.len(),
                "{early}"
            );
            assert!(extended * 3 <= seen.len(), "{extended}");
            let winners: BTreeSet<String> = seen.iter().map(|one| one["winner"].to_string()).collect();
            assert!(winners.len() >= 3, "{winners:?}");
        }
    }
}

/// Whose proposal more than half of those who voted for one voted for, in the last votes.
fn majority(result: &Value) -> Option<String> {
    let votes = result["votes"].as_array().unwrap().iter();
    let cast: Vec<&str> = votes.filter_map(|vote| vote["cast"]["for"].as_str()).collect();
    let most = |name: &&&str| cast.iter().filter(|other| other == name).count() * 2 > cast.len();
    cast.iter().find(most).map(|name| (*name).to_owned())
}

#[test]
fn no_result_is_against_its_majority_and_nothing_is_held_up() {
    let debates = 20;
    let (mut all_voted, mut all_stored) = (0, 0);
    for question in &QUESTIONS {
        for (count, settings) in [(3, json!({})), (5, json!({ "convergence_detection": false }))] {
            let config = table(question, count, &settings);
            let (mut voted, mut agreed, mut against, mut blocked, mut judge_differs) = (0, 0, 0, 0, 0);
            let mut sure = Vec::new();
            for seed in 0..debates {
                let session = run(&config, seed);
                let result = result(&session);
                blocked += events(&session)
                    .iter()
                    .filter(|event| event["blocks"] == true)
                    .count();
                if result["consensus_reached"] == true {
                    agreed += 1;
                    sure.push(result["confidence"].as_f64().unwrap());
                }
                let Some(majority) = majority(&result) else {
                    continue;
                };
                voted += 1;
                against += u32::from(result["winner"] != json!(majority));
                judge_differs += u32::from(result["points"][0]["proposer"] != json!(majority));
            }
            let stored = sure.iter().filter(|sure| **sure >= LEAST).count();
            eprintln!(
                "{} {count}: {voted} of {debates} with a majority, {against} against it, the judge ranks another first \
                 in {judge_differs}; {agreed} end in agreement, {stored} of them sure enough to be kept; {blocked} blocked",
                question.0
            );
            assert_eq!((against, blocked), (0, 0), "{}", question.0);
            all_voted += voted;
            all_stored += stored;
        }
    }
    assert!(
        all_voted > debates && all_stored * 5 > 4 * debates as usize,
        "{all_voted} {all_stored}"
    );
}

#[test]
fn proposals_are_whole_texts_about_the_question() {
    for question in &QUESTIONS {
        let (language, _, _) = question;
        let mut texts: BTreeSet<String> = BTreeSet::new();
        let seeds = times(6, 30);
        for seed in 0..seeds {
            let config = config(question, &json!({}));
            for event in events(&run(&config, seed)) {
                if event["type"] == "proposed" {
                    texts.insert(event["text"].as_str().unwrap().to_owned());
                }
            }
        }
        assert!(texts.len() * 30 > 100 * seeds as usize, "{}", texts.len());
        for text in &texts {
            assert!(!text.contains(['{', '|']), "{text}");
            let length = match *language {
                "Mandarin" => text.chars().count() / 2,
                _ => text.split_whitespace().count(),
            };
            assert!((80..=230).contains(&length), "{length}: {text}");
        }
        if std::env::var_os("QUORATE_SHOW").is_some() {
            texts.iter().take(3).for_each(|text| eprintln!("{text}\n"));
        }
    }
}

fn sentences(text: &str) -> BTreeSet<&str> {
    let parts = text.split_inclusive(['.', '。', '?', '？']).map(str::trim);
    parts.filter(|part| part.chars().count() > 3).collect()
}

#[test]
fn they_begin_apart_advise_each_differently_and_propose_what_all_could_say() {
    const OWN: (&str, &str, [&str; 4]) = ("English", "Where shall we meet?", ["Ann", "Bob", "Cleo", "Dan"]);
    for question in QUESTIONS.iter().chain([&OWN]) {
        for seed in 0..12 {
            let all = events(&run(&config(question, &json!({})), seed));
            let proposed: Vec<&str> = all
                .iter()
                .filter(|event| event["type"] == "proposed")
                .map(|event| event["text"].as_str().unwrap())
                .collect();
            for (at, first) in proposed[..3].iter().enumerate() {
                for other in &proposed[at + 1..3] {
                    let (first, other) = (sentences(first), sentences(other));
                    assert!(first.intersection(&other).count() <= 1, "{first:?} {other:?}");
                }
            }
            for text in &proposed {
                assert!(question.2.iter().all(|name| !text.contains(name)), "{text}");
            }
            let mut advice = BTreeSet::new();
            for event in all.iter().filter(|event| event["type"] == "criticised") {
                let all = event["critique"]["suggestions"].to_string();
                assert!(advice.insert((event["round"].as_u64(), all)), "{event}");
            }
        }
    }
}

#[test]
fn what_an_earlier_debate_left_is_quoted_only_where_it_was_asked_the_same() {
    let (_, own, _) = QUESTIONS[1];
    for (asked, cites) in [(QUESTIONS[0].1, false), (QUESTIONS[2].1, false), (own, true)] {
        let mut cited = 0;
        for seed in 0..8 {
            let config = config(&QUESTIONS[1], &json!({}));
            let item = json!({
                "id": "d", "title": asked, "text": "2026-01-02 · consensus_reached · 47 %\n- Uno.\nQue hablen.",
            });
            let texts = events(&run_with(&config, seed, &json!({ "items": [item] }).to_string()));
            let said: Vec<String> = texts
                .iter()
                .filter(|event| event["type"] != "gathered")
                .map(Value::to_string)
                .collect();
            let said = said.join("\n");
            assert!(!said.contains("consensus_reached ·"), "{said}");
            cited += u32::from(said.contains("EVID-"));
        }
        assert_eq!(cited > 0, cites, "{asked}");
    }
}

#[test]
fn a_grave_objection_is_one_to_the_text_that_won() {
    let mut grave = 0;
    for question in &QUESTIONS {
        for seed in 0..times(6, 30) {
            let session = run(&config(question, &json!({})), seed);
            let (result, all) = (result(&session), events(&session));
            for risk in result["disagreement"]["risks"].as_array().unwrap() {
                if risk["kind"] != "severe_critique" {
                    continue;
                }
                grave += 1;
                let mut text = Value::Null;
                let mut objected = Vec::new();
                for event in &all {
                    if event["type"] == "proposed" && event["seat"] == result["winner"] {
                        text = event["text"].clone();
                    }
                    if event["type"] == "criticised"
                        && event["target"] == result["winner"]
                        && event["critique"]["issues"][0] == risk["issue"]
                    {
                        objected.push(text.clone());
                    }
                }
                assert!(objected.contains(&text), "{risk}");
            }
        }
    }
    eprintln!("{grave} grave objections");
}

#[test]
fn presets_show_votes_for_others_and_a_judge_and_end_with_and_without_consensus() {
    let presets = procedures::presets();
    let debates: Vec<_> = presets
        .iter()
        .filter(|preset| preset.config["protocol"] == "debate")
        .collect();
    assert_eq!(debates.len(), 2);
    for preset in debates {
        let (mut voted, mut judged, mut agreed, mut for_others) = (0, 0, 0, 0);
        for seed in 0..40 {
            let session = run(&preset.config, seed);
            let has = |kind: &str| events(&session).iter().any(|event| event["type"] == kind);
            let result = result(&session);
            voted += u32::from(has("voted"));
            judged += u32::from(has("judged"));
            agreed += u32::from(result["consensus_reached"] == true);
            let votes = result["votes"].as_array().unwrap();
            for_others += u32::from(votes.iter().any(|vote| vote["cast"]["for"] != vote["voter"]));
        }
        eprintln!(
            "{}: {voted} of 40 come to votes, {judged} to the judge, {agreed} end in consensus, {for_others} have votes for others",
            preset.id
        );
        assert!(voted >= 36 && judged >= 36, "{}: {voted} {judged}", preset.id);
        assert!((8..=32).contains(&agreed), "{}: {agreed}", preset.id);
        assert!(for_others >= 16, "{}: {for_others}", preset.id);
    }
}

#[test]
fn the_same_seed_gives_the_same_record() {
    for question in &QUESTIONS {
        let config = config(question, &json!({}));
        let one = text(&run(&config, 5));
        assert_eq!(one, text(&run(&config, 5)));
        assert_ne!(one, text(&run(&config, 6)));
    }
}

/// So many debaters, and a judge.
fn table(question: &(&str, &str, [&str; 4]), count: usize, changes: &Value) -> Value {
    let (language, text, names) = question;
    let more = ["Hugo", "Iris", "Jan", "Kim", "Leo"];
    let names: Vec<&str> = names[..3].iter().chain(&more).copied().take(count).collect();
    let mut agents: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name, "kind": "scripted" }))
        .collect();
    agents.push(json!({ "name": "Zoe", "kind": "scripted", "role": "judge" }));
    let mut config =
        json!({ "protocol": "debate", "language": language, "question": text, "agents": agents });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// The last round of each of six debates of `count` debaters and a judge.
fn last_rounds(question: &(&str, &str, [&str; 4]), count: usize) -> [u64; 6] {
    let config = table(question, count, &json!({}));
    [0, 1, 2, 3, 4, 5].map(|seed| result(&run(&config, seed))["rounds_used"].as_u64().unwrap())
}

#[test]
fn debates_end_where_they_ended_before() {
    let expected: [[[u64; 6]; 3]; 2] = [
        [[5, 4, 5, 4, 4, 4], [5, 8, 4, 8, 5, 4], [8, 5, 8, 8, 8, 8]],
        [[8, 8, 8, 8, 8, 8], [8, 8, 4, 8, 4, 8], [8, 5, 8, 8, 8, 8]],
    ];
    let mut found = Vec::new();
    for count in [3, 5] {
        for question in &QUESTIONS {
            found.push(last_rounds(question, count));
        }
    }
    assert_eq!(found, expected.concat());
}
