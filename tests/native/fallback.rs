//! Other models of a seat, by choice: when they are asked, when the first one is asked again, what is
//! noted of it, and that a record of it runs again to the byte from any entry.

use crate::support::times;
use quorate::core::ask::{Ask, Failure, FailureKind, Millis, Recorded, Reply, Request};
use quorate::core::ask_log::AskLogs;
use quorate::core::context::AskContext;
use quorate::core::limits::Limits;
use quorate::core::record::{Command, Entry, EntryKind, FallbackReason, Halt, Started};
use quorate::core::table::Question;
use quorate::core::{Effect, Input, Outcome, Plan, Session, Status};
use quorate::language::Language;
use quorate::procedures::justice::asks;
use quorate::seat::provider::Provider;
use quorate::seat::{Fallback, Seat, SeatKind};
use serde_json::json;
use std::rc::Rc;

const FIRST: &str = "first";

fn seat(fallback: &[&str]) -> Seat {
    let another = |model: &&str| Fallback {
        model: (*model).to_owned(),
        base_url: format!("https://{model}.example/v1"),
        provider: Some(Provider::Anthropic),
    };
    Seat {
        fallback: fallback.iter().map(another).collect(),
        ..Seat::new(
            "Ana",
            SeatKind::Model,
            Language::English,
            Some(FIRST.to_owned()),
            Some("https://first.example/v1".to_owned()),
        )
    }
}

fn question(turn: usize, who: usize) -> Question {
    let ask = Ask {
        id: format!("turn/{turn}/{who}/Ana#1"),
        seat: "Ana".to_owned(),
        kind: asks::STATEMENT.into(),
        phase: 1,
        round: None,
        attempt: 1,
        language: Language::English,
    };
    let request = Request {
        system: "system".into(),
        max_tokens: 10,
        temperature: Some(0.5),
        model: Some(FIRST.to_owned()),
        base_url: Some("https://first.example/v1".to_owned()),
        seed: Some(3),
        ..Request::default()
    };
    Question {
        ask,
        request,
        facts: AskContext::none(),
        form: None,
        time_limits: Vec::new(),
        wait: 0,
    }
}

fn started() -> Started {
    Started {
        engine: "test".to_owned(),
        session: "a".to_owned(),
        protocol: "toy".to_owned(),
        seed: 5,
        config: json!({}),
        config_hash: String::new(),
        forked_from: None,
    }
}

/// So many turns, each of so many questions at once to one seat.
fn plan(turns: usize, at_once: usize, fallback: &[&str]) -> Plan {
    Plan {
        seats: vec![seat(fallback)],
        limits: Limits {
            max_calls: Some(100),
            ..Limits::default()
        },
        run: Box::new(move |table| {
            Box::pin(async move {
                for turn in 0..turns {
                    let asks = (0..at_once).map(|who| table.ask(question(turn, who)));
                    futures_util::future::join_all(asks).await;
                }
                json!(null)
            })
        }),
    }
}

fn begin(turns: usize, fallback: &[&str]) -> (Session, Outcome) {
    Session::begin(started(), plan(turns, 1, fallback), 1_000)
}

/// A call as the driver gets it: ask, try, model and endpoint.
type Sent = (String, u32, String, String);

fn sent(outcome: &Outcome) -> Vec<Sent> {
    let sent = |effect: &Effect| match effect {
        Effect::Ask { call, .. } => Some((
            call.ask.id.clone(),
            call.attempt,
            call.request.model.clone().unwrap(),
            call.request.base_url.clone().unwrap(),
        )),
        Effect::Cancel { .. } => None,
    };
    outcome.effects.iter().filter_map(sent).collect()
}

fn failed(ask: &str, attempt: u32, kind: FailureKind) -> Input {
    Input::Failed {
        ask: ask.to_owned(),
        attempt,
        failure: Failure::new(kind, "no"),
    }
}

fn answered(ask: &str, attempt: u32) -> Input {
    Input::Answered {
        ask: ask.to_owned(),
        attempt,
        reply: Reply {
            text: "yes".to_owned(),
            ..Reply::default()
        },
    }
}

fn fallen(record: &[Rc<Entry>]) -> Vec<(String, FallbackReason)> {
    let fallen = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::FellBack { model, because, .. } => Some((model.clone(), *because)),
        _ => None,
    };
    record.iter().filter_map(fallen).collect()
}

/// Runs a session to its end with models of which some refuse; each call takes `took`.
fn run(
    session: &mut Session,
    outcome: Outcome,
    now: &mut Millis,
    took: Millis,
    works: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut models = Vec::new();
    let mut calls = sent(&outcome);
    while !calls.is_empty() {
        let (ask, attempt, model, _) = calls.remove(0);
        *now += took;
        let input = if works(&model) {
            answered(&ask, attempt)
        } else {
            failed(&ask, attempt, FailureKind::Key)
        };
        models.push(model);
        calls.extend(sent(&session.handle(*now, input)));
    }
    models
}

#[test]
fn the_next_model_is_asked_when_a_call_failed_for_good_and_it_is_noted() {
    let (mut session, outcome) = begin(1, &["second", "third"]);
    let id = "turn/0/0/Ana#1";
    let call = |attempt, model: &str| {
        vec![(
            id.to_owned(),
            attempt,
            model.to_owned(),
            format!("https://{model}.example/v1"),
        )]
    };
    assert_eq!(sent(&outcome), call(1, FIRST));
    // Trouble that may pass is waited for as ever, with every model anew.
    for attempt in 1..=3 {
        let outcome = session.handle(1_000, failed(id, attempt, FailureKind::Server));
        assert_eq!(sent(&outcome), call(attempt + 1, FIRST));
    }
    let outcome = session.handle(2_000, failed(id, 4, FailureKind::Server));
    assert_eq!(sent(&outcome), call(5, "second"));
    let Effect::Ask { call: made, .. } = &outcome.effects[0] else {
        panic!()
    };
    assert_eq!(made.request.provider, Some(Provider::Anthropic));
    assert_eq!(
        (made.request.temperature, made.request.seed),
        (Some(0.5), Some(3))
    );
    let told: Vec<serde_json::Value> = outcome
        .entries
        .iter()
        .map(|entry| serde_json::to_value(&entry.what).unwrap())
        .collect();
    assert_eq!(
        told[1],
        json!({ "type": "fell_back", "ask": id, "seat": "Ana", "model": "second", "provider": "anthropic",
                "base_url": "https://second.example/v1", "because": "failed" })
    );
    let outcome = session.handle(2_000, failed(id, 5, FailureKind::Server));
    assert_eq!(sent(&outcome), call(6, "second"));
    let outcome = session.handle(3_000, failed(id, 6, FailureKind::Quota));
    assert_eq!(sent(&outcome), call(7, "third"));
    // All are used up: it stands still, and begins with the first one when it is resumed.
    let outcome = session.handle(3_000, failed(id, 7, FailureKind::Request));
    assert!(sent(&outcome).is_empty());
    assert!(matches!(outcome.status, Status::Halted(Halt::CallFailed { .. })));
    let outcome = session.handle(4_000, Input::Command(Command::Resume));
    assert_eq!(sent(&outcome), call(8, FIRST));
    let outcome = session.handle(4_000, failed(id, 8, FailureKind::Refused));
    assert_eq!(sent(&outcome), call(9, "second"));
    assert_eq!(session.handle(5_000, answered(id, 9)).status, Status::Ended);
}

#[test]
fn without_a_fallback_the_run_stands_still_as_ever() {
    let (mut session, _) = begin(1, &[]);
    let outcome = session.handle(1_000, failed("turn/0/0/Ana#1", 1, FailureKind::Key));
    assert!(matches!(outcome.status, Status::Halted(Halt::CallFailed { .. })));
    assert!(fallen(&session.record()).is_empty());
}

#[test]
fn a_first_model_that_keeps_failing_rests_for_five_minutes_then_is_tried_once() {
    let (mut session, outcome) = begin(12, &["second"]);
    let mut now = 1_000;
    // Each call takes a minute. Three asks fail at the first model; then it rests from minute 5 (its third
    // failure) to minute 10, is tried again, fails, and rests again.
    let models = run(&mut session, outcome, &mut now, 60_000, |model| model != FIRST);
    assert_eq!(
        models.join(" "),
        "first second first second first second second second second second first second second second second second"
    );
    let because: Vec<FallbackReason> = fallen(&session.record())
        .into_iter()
        .map(|(_, because)| because)
        .collect();
    use FallbackReason::{Failed, Resting};
    assert_eq!(
        because[..8],
        [Failed, Failed, Failed, Resting, Resting, Resting, Resting, Failed]
    );
    assert_eq!(session.status(), Status::Ended);
}

#[test]
fn one_answer_of_the_first_model_after_its_rest_ends_it() {
    let (mut session, outcome) = begin(10, &["second"]);
    let mut now = 1_000;
    let calls = std::cell::Cell::new(0);
    let works = |model: &str| {
        calls.set(calls.get() + u32::from(model == FIRST));
        model != FIRST || calls.get() > 3
    };
    let models = run(&mut session, outcome, &mut now, 100_000, works);
    assert_eq!(
        models.join(" "),
        "first second first second first second second second first first first first first"
    );
}

#[test]
fn one_ask_at_a_time_tries_a_first_model_that_has_rested() {
    let (mut session, outcome) = Session::begin(started(), plan(3, 3, &["second"]), 1_000);
    // All three fail at the first model at once, which opens the breaker.
    let mut calls = sent(&outcome);
    assert_eq!(calls.len(), 3);
    let mut seconds = Vec::new();
    for (ask, attempt, ..) in calls.drain(..) {
        seconds.extend(sent(
            &session.handle(2_000, failed(&ask, attempt, FailureKind::Key)),
        ));
    }
    assert!(seconds.iter().all(|(.., model, _)| model == "second"));
    let mut next = Vec::new();
    for (ask, attempt, ..) in seconds {
        next.extend(sent(&session.handle(400_000, answered(&ask, attempt))));
    }
    let models: Vec<&str> = next.iter().map(|(.., model, _)| model.as_str()).collect();
    assert_eq!(models, [FIRST, "second", "second"]);
}

/// A run in which everything happens: trouble that passes, falling back, rests, a halt and a resume.
fn eventful() -> (usize, Vec<Rc<Entry>>) {
    let turns = 9;
    let (mut session, outcome) = begin(turns, &["second", "third"]);
    let mut now = 1_000;
    let mut calls = sent(&outcome);
    let mut count = 0;
    loop {
        while !calls.is_empty() {
            let (ask, attempt, model, _) = calls.remove(0);
            now += 45_000;
            count += 1;
            let input = match (model.as_str(), count % 7) {
                (_, 6) => failed(&ask, attempt, FailureKind::Server),
                ("third", 1 | 3 | 5) | ("second", 0 | 4) | (FIRST, 0..=5) => {
                    failed(&ask, attempt, FailureKind::Quota)
                }
                _ => answered(&ask, attempt),
            };
            calls.extend(sent(&session.handle(now, input)));
        }
        if session.status() == Status::Ended {
            return (turns, session.record());
        }
        assert!(count < 200);
        calls = sent(&session.handle(now, Input::Command(Command::Resume)));
    }
}

#[test]
fn a_record_runs_again_to_the_byte_and_from_any_entry() {
    let (turns, whole) = eventful();
    let types =
        |wanted: &dyn Fn(&EntryKind) -> bool| whole.iter().filter(|entry| wanted(&entry.what)).count();
    assert!(types(&|what| matches!(what, EntryKind::Halted { .. })) > 0);
    assert!(
        types(&|what| matches!(
            what,
            EntryKind::FellBack {
                because: FallbackReason::Resting,
                ..
            }
        )) > 0
    );
    let text = |record: &[Rc<Entry>]| {
        serde_json::to_string(&record.iter().map(|entry| (**entry).clone()).collect::<Vec<_>>()).unwrap()
    };
    let read: Vec<Entry> = serde_json::from_str(&text(&whole)).unwrap();
    let read: Vec<Rc<Entry>> = read.into_iter().map(Rc::new).collect();
    for cut in (1..=read.len()).step_by(times(10, 1)) {
        let again = Session::replay(started(), plan(turns, 1, &["second", "third"]), &read[..cut]);
        let Ok((mut session, _)) = again else {
            panic!("cut at {cut}")
        };
        let asked = sent(&session.reopen(0));
        // What is put again is what was on its way, to the same model.
        let asks = AskLogs::of(&session.record());
        for (ask, _, model, base_url) in asked {
            let request = asks.open_request(&ask).unwrap();
            assert_eq!(
                (request.model.as_ref(), request.base_url.as_ref()),
                (Some(&model), Some(&base_url)),
                "cut at {cut}"
            );
        }
        for entry in &read[session.len()..] {
            let input = match &entry.what {
                EntryKind::Answered { ask, attempt, .. } => answered(ask, *attempt),
                EntryKind::Failed {
                    ask,
                    attempt,
                    failure,
                } => failed(ask, *attempt, failure.kind),
                EntryKind::Commanded { command } => Input::Command(command.clone()),
                _ => continue,
            };
            let _ = session.handle(entry.at, input);
        }
        assert_eq!(text(&session.record()), text(&whole), "cut at {cut}");
    }
}

#[test]
fn the_time_of_a_call_does_not_run_while_it_waits_for_its_turn() {
    let plan = Plan {
        run: Box::new(|table| {
            Box::pin(async move {
                let timed = Question {
                    time_limits: vec![1_000, 2_000],
                    ..question(0, 0)
                };
                let _ = table.ask(timed).await;
                json!(null)
            })
        }),
        ..plan(1, 1, &[])
    };
    let (mut session, outcome) = Session::begin(started(), plan, 1_000);
    let id = "turn/0/0/Ana#1";
    assert_eq!(outcome.deadline, Some(2_000));
    session.mark_queued(id, 2);
    assert_eq!(session.deadline(), Some(2_000), "another try");
    session.mark_queued(id, 1);
    assert_eq!(session.deadline(), None);
    let outcome = session.handle(90_000, Input::Tick);
    assert!(outcome.entries.is_empty());
    session.mark_started(id, 1, 91_000);
    assert_eq!(session.deadline(), Some(92_000));
    // The next try begins with a clock of its own, whatever the last one did.
    session.mark_queued(id, 1);
    let outcome = session.handle(93_000, failed(id, 1, FailureKind::RateLimit));
    assert!(outcome.deadline.is_some());
}

#[test]
fn a_recorded_answer_counts_for_nothing() {
    let (mut session, _) = begin(2, &[]);
    let recorded = Input::Answered {
        ask: "turn/0/0/Ana#1".to_owned(),
        attempt: 1,
        reply: Reply {
            text: "a long answer that somebody paid for".to_owned(),
            usage: Some(quorate::core::ask::Usage::of(70, 7)),
            recorded: Some(Recorded {
                session: "b".to_owned(),
                seq: 4,
            }),
            ..Reply::default()
        },
    };
    let _ = session.handle(1_000, recorded);
    let usage = session.usage();
    // One call: that of the second turn, which is on its way.
    assert_eq!((usage.calls, usage.input_tokens, usage.output_tokens), (1, 0, 0));
}
