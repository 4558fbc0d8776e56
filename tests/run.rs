//! Whole runs of the justice experiment with scripted participants, natively and with a virtual clock.
#![cfg(not(target_arch = "wasm32"))]

use quorate::protocol;
use quorate::seat::SeatKind;
use quorate::seat::scripted;
use quorate::session::ask::Reply;
use quorate::session::record::{Entry, What};
use quorate::session::{Effect, Input, Session, Status};
use serde_json::{Value, json};
use std::rc::Rc;

fn config(seed: u32, seats: usize, language: &str) -> Value {
    let names = ["Ana", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"];
    let agents: Vec<Value> = names[..seats]
        .iter()
        .map(|name| json!({ "name": name, "personality": "a student", "kind": "scripted" }))
        .collect();
    json!({ "language": language, "agents": agents, "seed": seed, "phase2_rounds": 10 })
}

/// Runs to the end; answers in the order asked.
fn run(config: &Value) -> (Session, usize) {
    let (mut session, mut outcome) = protocol::begin(config, "test", 1_000_000).unwrap();
    let seed = config["seed"].as_u64().unwrap() as u32;
    let mut now = 1_000_000;
    let mut calls = 0;
    let mut waiting = std::collections::VecDeque::new();
    loop {
        for effect in std::mem::take(&mut outcome.effects) {
            if let Effect::Ask { call, seat, .. } = effect {
                assert_eq!(seat.kind, SeatKind::Scripted);
                let text = scripted::answer(&seat, seed, &call.ask, &call.request, &call.facts);
                waiting.push_back((call.ask.id.clone(), call.attempt, text));
            }
        }
        let Some((ask, attempt, text)) = waiting.pop_front() else {
            break;
        };
        calls += 1;
        now += 5;
        let reply = Reply {
            text,
            ..Reply::default()
        };
        outcome = session.handle(now, Input::Answered { ask, attempt, reply });
    }
    assert_eq!(session.status(), Status::Ended);
    (session, calls)
}

fn result(session: &Session) -> Value {
    match &session.record().last().unwrap().what {
        What::Ended { result } => result.clone(),
        other => panic!("the record ends with {other:?}"),
    }
}

#[test]
fn look() {
    for (language, seed) in [("English", 7), ("Spanish", 7), ("Mandarin", 7)] {
        let (session, calls) = run(&config(seed, 5, language));
        let result = result(&session);
        println!(
            "{language}: {calls} calls, {} entries, consensus {} {} {} rounds {} warnings {}",
            session.len(),
            result["consensus_reached"],
            result["chosen_principle"],
            result["constraint_amount"],
            result["rounds_completed"],
            serde_json::to_string_pretty(&result["warnings"]).unwrap()
        );
    }
    let _: Vec<Rc<Entry>> = Vec::new();
    let started = std::time::Instant::now();
    let mut agreed = 0;
    for seed in 0..40 {
        let (session, _) = run(&config(seed, 5, "English"));
        let r = result(&session);
        agreed += u32::from(r["consensus_reached"] == true);
        print!(
            "{}{} ",
            if r["consensus_reached"] == true { "c" } else { "-" },
            r["rounds_completed"]
        );
    }
    println!("\n{agreed} of 40, {:?} a run", started.elapsed() / 40);
}
