//! No answer falls silently, in any procedure: each is used, or asked for again, or has failed with a reason that stands in
//! the record. Answers are what models say: well formed, prose, refusals, halves of JSON, nothing.

use crate::support::times;
use quorate::core::ask::{Ask, Call, Reply};
use quorate::core::record::{Entry, EntryKind};
use quorate::core::{Effect, Input, Session, Status};
use quorate::procedures;
use quorate::procedures::{debate, delphi, discussion, jury, justice};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::rc::Rc;

const ODD: [&str; 12] = [
    "",
    "  \n ",
    "I would rather not say.",
    "The plan is vague about who pays, and it never says what happens to people who live outside the city.",
    "I find nothing wrong with it.",
    "None.",
    r#"{"issues": [], "suggestions": [], "severity": 0, "reasoning": ""}"#,
    r#"{"issues": ["Who pays?"#,
    r#"{"answer": null}"#,
    "Yes. No. It depends on what the others say.",
    "ISSUES:\n- none\nSUGGESTIONS:\n- none\nSEVERITY: 0",
    "La propuesta no dice quién paga.",
];

fn config(procedure: &str, kind: &str, answers: &str) -> Value {
    let agents: Vec<Value> = ["Ana", "Ben", "Cleo", "Dora"]
        .iter()
        .map(|name| match kind {
            "model" => {
                json!({ "name": name, "personality": "Calm.", "kind": kind, "model": "m", "base_url": "http://127.0.0.1:9/v1" })
            }
            _ => json!({ "name": name, "personality": "Calm.", "kind": kind }),
        })
        .collect();
    let mut config = json!({ "language": "English", "agents": agents });
    let own = match procedure {
        "justice" => json!({
            "answers": answers, "phase2_rounds": 3, "selective_memory_updates": answers == "free",
            "phase2_settings": { "discussion_memory_mode": "llm" },
        }),
        "discussion" => json!({ "protocol": procedure, "topic": "Cars", "rounds": 2, "start": "at_once" }),
        "debate" => json!({
            "protocol": procedure, "question": "Should a city close its centre to cars?", "answers": answers,
            "consensus": "byzantine", "judge_termination": true, "early_stopping": true, "min_rounds_before_early_stop": 2,
            "sources": [{ "kind": "program", "name": "library" }],
        }),
        "jury" => json!({
            "protocol": procedure, "charge": "Did she?", "prosecution": "Yes.", "defence": "No.", "answers": answers,
            "evidence": [{ "text": "A glove." }],
        }),
        _ => json!({ "protocol": procedure, "question": "How many?", "answers": answers, "close_enough": 0 }),
    };
    for (key, value) in own.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// Runs to the end. Every second answer or so is an odd one, drawn from the seed and the id of the ask.
fn run(config: &Value, seed: u32) -> Session {
    let mut config = config.clone();
    config["seed"] = json!(seed);
    let (mut session, mut outcome) = procedures::begin(&config, "test", 1_000).unwrap();
    let mut waiting = VecDeque::new();
    loop {
        for effect in std::mem::take(&mut outcome.effects) {
            let Effect::Ask { call, seat, .. } = effect else {
                continue;
            };
            let text = match odd(&call, seed) {
                Some(text) => text.to_owned(),
                None if call.ask.kind == debate::asks::CONTEXT => {
                    json!({ "items": [{ "text": "Trams." }] }).to_string()
                }
                None => procedures::scripted_answer(&seat, seed, &call),
            };
            waiting.push_back((call, text));
        }
        let Some((call, text)) = waiting.pop_front() else {
            break;
        };
        outcome = session.handle(
            1_000,
            Input::Answered {
                ask: call.ask.id.clone(),
                attempt: call.attempt,
                reply: Reply {
                    text,
                    ..Reply::default()
                },
            },
        );
    }
    assert_eq!(session.status(), Status::Ended, "{:?}", session.open_asks());
    session
}

/// Of every tenth question, all answers are odd, so that some fail for good.
fn odd(call: &Call, seed: u32) -> Option<&'static str> {
    let draw = |text: &str| {
        let number = text.bytes().fold(u64::from(seed) + 7, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        (number >> 20) as usize
    };
    let id = &call.ask.id;
    let question = id.split_once('#').map_or(id.as_str(), |(question, _)| question);
    let number = draw(id);
    (draw(question) % 10 == 0 || number % 100 < 45).then(|| ODD[number / 100 % ODD.len()])
}

#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Used,
    AskedAgain,
    Failed,
}

/// What became of an answer, by all that the record says about it.
fn fates(record: &[Rc<Entry>], events: &[Value], ask: &Ask, text: &str) -> Vec<Fate> {
    let stem = |id: &str| id.rsplit_once('#').map(|(stem, _)| stem.to_owned());
    let next = |entry: &Rc<Entry>| {
        matches!(&entry.what, EntryKind::Asked { ask: other, .. }
        if stem(&other.id) == stem(&ask.id) && other.attempt == ask.attempt + 1)
    };
    let reason = record.iter().find_map(|entry| match &entry.what {
        EntryKind::Read { ask: id, reading } if *id == ask.id => reading.value().get("reason").cloned(),
        _ => None,
    });
    let is_own = |event: &Value, kind: &str| {
        let round = &event["round"];
        event["type"] == kind
            && event.get("seat").is_none_or(|seat| *seat == json!(ask.seat))
            && (round.is_null() || ask.round.is_none() || *round == json!(ask.round))
    };
    let find = |kind: &str, fits: &dyn Fn(&Value) -> bool| {
        events.iter().any(|event| is_own(event, kind) && fits(event))
    };
    let warned = |codes: &[&str]| find("warned", &|event| codes.iter().any(|code| event["code"] == *code));
    let row_of_seat = |rows: &Value, name: &str| -> Option<Value> {
        let mut rows = rows.as_array()?.iter();
        rows.find(|row| row[name] == json!(ask.seat)).cloned()
    };
    let any = |_: &Value| true;
    let kind = ask.kind.name();
    let (used, failed) = match kind {
        debate::asks::PROPOSAL | debate::asks::REVISION | debate::asks::REFINEMENT => (
            find("proposed", &|event| {
                text.contains(event["text"].as_str().unwrap())
            }),
            false,
        ),
        debate::asks::CRITIQUE => {
            let about = |event: &Value| {
                ask.id
                    .contains(&format!("/{}/", event["target"].as_str().unwrap()))
            };
            let says = |event: &Value| {
                let critique = &event["critique"];
                let has_points = critique["issues"] != json!([]) || critique["suggestions"] != json!([]);
                // Without points its words go on, unless it says in a form that there is nothing.
                has_points || critique["reasoning"] != "" || text.trim_start().starts_with('{')
            };
            (find("criticised", &|event| about(event) && says(event)), false)
        }
        debate::asks::VOTE => {
            let cast = |event: &Value| {
                row_of_seat(&event["ballots"], "voter").is_some_and(|row| row["cast"] != "failed")
            };
            (find("voted", &cast), false)
        }
        debate::asks::JUDGEMENT => (find("judged", &any), false),
        debate::asks::TERMINATION => (find("settled", &any), false),
        debate::asks::POLL | debate::asks::PREPARE | debate::asks::COMMIT => {
            let event_of = match kind {
                debate::asks::POLL => "polled",
                debate::asks::PREPARE => "prepared",
                _ => "committed",
            };
            let says = |event: &Value| {
                let is_view = event["view"].is_null() || ask.id.contains(&format!("view {}/", event["view"]));
                is_view && row_of_seat(&event["answers"], "seat").is_some_and(|row| !row["yes"].is_null())
            };
            (find(event_of, &says), false)
        }
        debate::asks::CONTEXT => {
            let sources = events.iter().filter(|event| event["type"] == "gathered");
            let row = sources
                .flat_map(|event| event["sources"].as_array().unwrap())
                .find(|row| ask.seat.ends_with(row["name"].as_str().unwrap()));
            let row = row.unwrap();
            (row["note"].is_null(), !row["note"].is_null())
        }
        delphi::asks::ESTIMATE => {
            let given = |event: &Value| !event["estimate"].is_null();
            (
                find("estimated", &given),
                find("estimated", &|event| !given(event)) && reason.is_some(),
            )
        }
        jury::asks::STRAW_VOTE | jury::asks::BALLOT | jury::asks::SPEECH => {
            let (event_of, field) = match kind {
                jury::asks::STRAW_VOTE => ("straw_voted", "opinion"),
                jury::asks::BALLOT => ("balloted", "opinion"),
                _ => ("argued", "text"),
            };
            let given = |event: &Value| !event[field].is_null();
            (
                reason.is_none() && find(event_of, &given),
                reason.is_some() && find(event_of, &|event| !given(event)),
            )
        }
        discussion::asks::TURN => {
            let own = |event: &Value| {
                ask.id
                    .starts_with(&format!("round/{}/turn/{}/", event["round"], event["turn"]))
            };
            let empty = |event: &Value| event["metadata"]["empty"] == true;
            (
                find("said", &|event| own(event) && !empty(event)),
                find("said", &|event| own(event) && empty(event)),
            )
        }
        justice::asks::EXPLANATION => (find("remembered", &any), false),
        justice::asks::INTERNAL_REASONING => (
            find("reasoned", &|event| {
                !event["text"].as_str().unwrap().trim().is_empty()
            }),
            reason.is_some(),
        ),
        justice::asks::STATEMENT => (
            find("spoke", &|event| event["text"] != "") && reason.is_none(),
            reason.is_some()
                && (find("spoke", &|event| event["text"] == "") || warned(&["statement_too_short"])),
        ),
        justice::asks::MEMORY_UPDATE => {
            let taken = events.iter().any(|event| {
                event["type"] == "remembered"
                    && event["seat"] == json!(ask.seat)
                    && event["text"] == text.trim()
                    && event["how"] == "rewritten"
            });
            (
                taken,
                !taken && warned(&["memory_not_rewritten", "memory_not_compressed"]),
            )
        }
        justice::asks::CONSTRAINT_RETRY => (
            reason.is_none() && find("applied", &|event| !event["amount"].is_null()),
            reason.is_some() && warned(&["constraint_missing"]),
        ),
        justice::asks::APPLICATION => {
            let given = |event: &Value| !event["principle"].is_null();
            // A choice whose amount is missing is asked for the amount, and fails by that.
            (
                reason.is_none() && (find("applied", &given) || warned(&["constraint_missing"])),
                reason.is_some() && warned(&["choice_unreadable"]),
            )
        }
        justice::asks::VOTE_INITIATION | justice::asks::VOTE_CONFIRMATION => {
            let event_of = if kind == justice::asks::VOTE_INITIATION {
                "initiation"
            } else {
                "confirmed"
            };
            (
                find(event_of, &|event| !event["answer"].is_null()),
                reason.is_some() && find(event_of, &|event| event["answer"].is_null()),
            )
        }
        justice::asks::BALLOT_PRINCIPLE | justice::asks::BALLOT_AMOUNT => {
            let field = if kind == justice::asks::BALLOT_AMOUNT {
                "amount"
            } else {
                "principle"
            };
            let own = |event: &Value| event["vote"]["seat"] == json!(ask.seat);
            (
                find("voted", &|event| own(event) && !event["vote"][field].is_null()),
                reason.is_some()
                    && find("voted", &|event| {
                        own(event) && event["vote"]["status"] == "invalid"
                    }),
            )
        }
        _ => {
            let given = |event: &Value| !event["ranking"].is_null();
            let moment = |event: &Value| {
                event["moment"]
                    == match kind {
                        justice::asks::INITIAL_RANKING => "initial",
                        justice::asks::POST_EXPLANATION_RANKING => "post_explanation",
                        justice::asks::FINAL_RANKING => "after_applications",
                        justice::asks::RESULTS_RANKING => "after_results",
                        other => {
                            panic!("{other} is asked, and nothing here says what becomes of its answers")
                        }
                    }
            };
            (
                find("ranked", &|event| moment(event) && given(event)),
                reason.is_some() && find("ranked", &|event| moment(event) && !given(event)),
            )
        }
    };
    let seat_failed = find("seat_failed", &|event| {
        let about = event["about"]
            .as_str()
            .is_none_or(|about| ask.id.contains(&format!("/{about}/")));
        event["kind"] == kind && about && event["reason"] != ""
    });
    let is_compression = kind == justice::asks::MEMORY_UPDATE && ask.attempt == 0;
    if !is_compression && record.iter().any(next) {
        return vec![Fate::AskedAgain];
    }
    let all = [(used, Fate::Used), (failed || seat_failed, Fate::Failed)];
    all.into_iter()
        .filter_map(|(is_so, fate)| is_so.then_some(fate))
        .collect()
}

#[test]
fn every_answer_is_used_or_asked_for_again_or_has_failed_with_a_reason() {
    let mut seen = [0, 0, 0];
    for procedure in ["justice", "discussion", "debate", "delphi", "jury"] {
        for (kind, answers) in [
            ("custom", "free"),
            ("custom", "structured"),
            ("model", "structured"),
        ] {
            if procedure == "discussion" && answers == "structured" {
                continue;
            }
            for seed in 0..times(3, 12) as u32 {
                let config = config(procedure, kind, answers);
                let record = run(&config, seed).record();
                let events: Vec<Value> = record
                    .iter()
                    .filter_map(|entry| match &entry.what {
                        EntryKind::Event { event, .. } => Some(event.value()),
                        _ => None,
                    })
                    .collect();
                let asked = |id: &str| {
                    record.iter().find_map(|entry| match &entry.what {
                        EntryKind::Asked { ask, .. } if ask.id == id => Some(Rc::clone(ask)),
                        _ => None,
                    })
                };
                for entry in &record {
                    let EntryKind::Answered { ask, reply, .. } = &entry.what else {
                        continue;
                    };
                    let asked = asked(ask).unwrap();
                    let fates = fates(&record, &events, &asked, &reply.text);
                    assert_eq!(
                        fates.len(),
                        1,
                        "{procedure} {answers} {seed} {ask} {:?}: {fates:?}",
                        reply.text
                    );
                    seen[match fates[0] {
                        Fate::Used => 0,
                        Fate::AskedAgain => 1,
                        Fate::Failed => 2,
                    }] += 1;
                }
            }
        }
    }
    assert!(
        seen.iter().all(|count| *count > 100),
        "used, asked again, failed: {seen:?}"
    );
}
