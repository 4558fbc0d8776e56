//! One run's record is byte for byte the same natively as in browsers (`tests/session`) and in
//! Node.js (`tests/package/load.test.mjs`).

use quorate::core::ask::Reply;
use quorate::core::{Effect, Input, Session, Status};
use quorate::export::{Format, export};
use quorate::procedures;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;

/// Runs to the end by a clock that stands still; answers in the order of asking.
fn run(config: &Value, id: &str, now: u64) -> Session {
    let seed = config["seed"].as_u64().unwrap() as u32;
    let (mut session, mut outcome) = procedures::begin(config, id, now).unwrap();
    let mut waiting = VecDeque::new();
    loop {
        for effect in outcome.effects {
            let Effect::Ask { call, seat, .. } = effect else {
                panic!("{effect:?}")
            };
            let text = procedures::scripted_answer(&seat, seed, &call);
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
        outcome = session.handle(now, input);
    }
    assert_eq!(session.status(), Status::Ended);
    session
}

#[test]
fn natively() {
    let same: Value = serde_json::from_str(include_str!("../same_record.json")).unwrap();
    let session = run(
        &same["config"],
        same["id"].as_str().unwrap(),
        same["now"].as_u64().unwrap(),
    );
    let text = export(Format::JsonLines, &session.record()).unwrap().text;
    let hash: String = Sha256::digest(&text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(session.len() > 200, "{}", session.len());
    assert_eq!(
        hash,
        same["sha256"].as_str().unwrap(),
        "where the change is meant, this goes to same_record.json"
    );
}
