//! Whole conversations of the published discussion engine: rosters, messages, model configurations.
//! Rows with a `quirk` record what this lab does otherwise; `tests/discussion.rs` says how.

use crate::support;
use crate::support::talk;

use quorate::core::ask::Call;
use quorate::procedures;
use serde_json::{Value, json};
use std::cell::Cell;
use talk::Talk;

/// The manager answers the first message here, so the published counts are one short; what the row is
/// about, the window of ten lines, is compared by itself.
const WINDOW: &str = "history window is 10 lines";

fn config_of(input: &Value) -> Value {
    let name = |id: &Value| id.as_str().map(str::to_uppercase);
    let agents: Vec<Value> = input["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| {
            let config = &input["ai_model_config"][id.as_str().unwrap()];
            json!({ "name": name(id), "kind": "model", "ai_model_config": config })
        })
        .collect();
    let participants: Vec<Value> = input["roster"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| json!({ "role": place[0], "agent": name(&place[1]) }))
        .collect();
    json!({
        "protocol": "discussion", "agents": agents, "participants": participants,
        "rules": input["metadata"]["rules"], "seed": 1,
    })
}

/// The log and the step's state as the published program tells them.
fn told(talk: &Talk) -> Value {
    let view = talk.view();
    let turns = view["entries"].as_array().unwrap().iter();
    let turns = turns.filter(|entry| entry["type"] == "discussion_turn").count();
    let state = &view["state"];
    json!({
        "nextSpeaker": view["nextSpeaker"], "counts": view["counts"], "logs": turns,
        "state": { "turn": state["turn"], "round": state["round"], "active": state["status"] == "active" },
    })
}

fn called(call: &Call) -> Value {
    let request = &call.request;
    let provider = match request.base_url.as_deref().unwrap() {
        "https://api.groq.com/openai/v1" => "groq",
        "https://api.openai.com/v1" => "openai",
        other => panic!("{other}"),
    };
    let facts = call.facts.json();
    let lines = facts["heard"].as_array().unwrap().len();
    json!({
        "model": format!("{provider}:{}", request.model.as_deref().unwrap()),
        "temperature": request.temperature, "stop": request.stop, "historyLines": lines,
        "startsFresh": lines == 0,
    })
}

#[test]
fn conversations_go_as_published() {
    let (mut compared, mut left_out) = (0, 0);
    for row in support::golden("discussion-upstream.jsonl") {
        if row["quirk"].is_string() {
            left_out += 1;
            continue;
        }
        let (input, expected) = (&row["input"], &row["expected"]);
        let of = format!("{} {}", row["id"], input["name"]);
        let config = config_of(input);
        compared += 1;
        if expected["steps"][0]["ok"] == false {
            let faults = procedures::check(&config).unwrap_err().to_string();
            assert!(faults.contains("names nobody"), "{of}: {faults}");
            continue;
        }
        let replies = Cell::new(0);
        let answer = |_: &Call| {
            replies.set(replies.get() + 1);
            Ok(format!("reply {}", replies.get()))
        };
        let mut talk = Talk::begin(&config, &answer);
        let is_window = input["name"] == WINDOW;
        for (message, step) in input["messages"]
            .as_array()
            .unwrap()
            .iter()
            .zip(expected["steps"].as_array().unwrap())
        {
            let outcome = talk.advance("somebody", message.as_str().unwrap(), &answer);
            assert_eq!(outcome.is_ok(), step["ok"] == true, "{of}");
            let mut step = step.clone();
            let mut now = told(&talk);
            for side in [&mut step, &mut now] {
                let side = side.as_object_mut().unwrap();
                side.retain(|key, _| {
                    key != "ok" && key != "error" && (outcome.is_ok() || key == "state" || key == "logs")
                });
            }
            assert!(is_window || now == step, "{of}: {now} instead of {step}");
        }
        let mut calls = talk.calls.iter().map(called);
        if is_window {
            assert!(calls.len() > 11);
            for (number, call) in calls.enumerate() {
                assert!(call["historyLines"].as_u64().unwrap() <= 10, "{of}: {number}");
            }
            assert_eq!(called(talk.calls.last().unwrap())["historyLines"], 10);
            continue;
        }
        for call in expected["llmCalls"].as_array().unwrap() {
            let mut call = call.clone();
            let published = call.as_object_mut().unwrap();
            let tokens = published.remove("maxTokens");
            let top_p = published.remove("topP");
            let request = &talk.calls[talk.calls.len() - calls.len()].request;
            assert_eq!(json!(request.max_tokens), tokens.unwrap_or(json!(2_000)), "{of}");
            assert_eq!(request.top_p.map(|share| json!(share)), top_p, "{of}");
            assert_eq!(calls.next().unwrap(), call, "{of}");
        }
        assert!(calls.next().is_none(), "{of}");
        let view = talk.view();
        assert_eq!(view["speakerOrder"], expected["speakerOrder"], "{of}");
        let turns = view["entries"].as_array().unwrap().iter();
        let turns = turns.filter(|entry| entry["type"] == "discussion_turn");
        let log: Vec<Value> = turns
            .clone()
            .map(|entry| {
                let agent = entry["agentTemplateId"].as_str().map(str::to_lowercase);
                json!([
                    entry["round"],
                    entry["turn"],
                    entry["speakerKey"],
                    agent,
                    entry["content"]
                ])
            })
            .collect();
        assert_eq!(json!(log), expected["log"], "{of}");
        let speakers: Vec<Value> = turns
            .map(|entry| json!([entry["speakerRole"], entry["speakerName"]]))
            .collect();
        assert_eq!(json!(speakers), expected["entrySpeakers"], "{of}");
    }
    if compared > 0 {
        eprintln!("{compared} conversations compared, {left_out} with a mistake left out");
        assert!(compared >= 15);
    }
}
