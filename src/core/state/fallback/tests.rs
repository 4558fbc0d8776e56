//! Failing models, answers used up by reasoning, recorded answers, caps, timeouts and user commands (pause,
//! step, stop, raise caps) in any combination: the record replays unchanged from every entry.

use crate::core::ask::{Ask, Failure, FailureKind, Recorded, Reply, Request, Usage};
use crate::core::context::AskContext;
use crate::core::limits::Limits;
use crate::core::prices::{Price, Prices};
use crate::core::record::{Command, Entry, EntryKind};
use crate::core::table::Question;
use crate::core::tests::{failure, reply, started};
use crate::core::{Effect, Input, Plan, Session, Status};
use crate::language::Language;
use crate::procedures::justice::asks;
use crate::seat::{Fallback, Seat, SeatKind};
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;

const TURNS: usize = 3;
const NAMES: [&str; 3] = ["Ana", "Ben", "Cleo"];

fn seat(name: &str) -> Seat {
    let another = |model: &str| Fallback {
        model: model.to_owned(),
        base_url: format!("https://{model}.example/v1"),
        provider: None,
    };
    // Cleo has no fallback.
    let others: &[&str] = if name == "Cleo" { &[] } else { &["second", "third"] };
    Seat {
        fallback: others.iter().map(|model| another(model)).collect(),
        ..Seat::new(
            name,
            SeatKind::Model,
            Language::English,
            Some("first".to_owned()),
            Some("https://first.example/v1".to_owned()),
        )
    }
}

fn question(turn: usize, name: &str) -> Question {
    Question {
        ask: Ask {
            id: format!("turn/{turn}/{name}#1"),
            seat: name.to_owned(),
            kind: asks::STATEMENT.into(),
            phase: 1,
            round: None,
            attempt: 1,
            language: Language::English,
        },
        request: Request {
            system: "system".into(),
            max_tokens: 10,
            model: Some("first".to_owned()),
            base_url: Some("https://first.example/v1".to_owned()),
            ..Request::default()
        },
        facts: AskContext::none(),
        form: None,
        time_limits: vec![90_000, 90_000],
        wait: 0,
    }
}

fn plan(limits: &Limits) -> Plan {
    Plan {
        seats: NAMES.map(seat).into(),
        limits: limits.clone(),
        run: Box::new(|table| {
            Box::pin(async move {
                for turn in 0..TURNS {
                    let asks = NAMES.map(|name| table.ask(question(turn, name)));
                    futures_util::future::join_all(asks).await;
                }
                json!(null)
            })
        }),
    }
}

fn limits(tokens: u64, cost: Option<u32>, at_once: u32) -> Limits {
    let price = |model: &str, price: f64| {
        let price = Price {
            input: price,
            output: price,
            cached: None,
        };
        (model.to_owned(), price)
    };
    Limits {
        max_calls: Some(30),
        max_tokens: Some(tokens),
        max_cost: cost.map(|cost| f64::from(cost) / 1e6),
        prices: Prices {
            currency: "USD".to_owned(),
            date: "2026-11-22".to_owned(),
            models: [price("first", 1.0), price("second", 2.0), price("third", 5.0)].into(),
        },
        calls_at_once: [("https://first.example".to_owned(), at_once)].into(),
        ..Limits::default()
    }
}

/// A call: ask, attempt, model, maximum tokens, and whether it follows an answer used up by reasoning.
type SentCall = (String, u32, Option<String>, u32, bool);

fn sent_calls(effects: &[Effect]) -> Vec<SentCall> {
    let put = |effect: &Effect| match effect {
        Effect::Ask { call, .. } => Some((
            call.ask.id.clone(),
            call.attempt,
            call.request.model.clone(),
            call.max_tokens,
            call.used_up.is_some(),
        )),
        Effect::Cancel { .. } => None,
    };
    effects.iter().filter_map(put).collect()
}

/// Returns the calls in flight.
fn calls_in_flight(session: &Session) -> Vec<SentCall> {
    let open = session.open_asks();
    let sent = open.iter().filter(|open| open.since.is_some());
    sent.map(|open| {
        let call = &open.call;
        let model = call.request.model.clone();
        let is_wide = call.used_up.is_some();
        (call.ask.id.clone(), call.attempt, model, call.max_tokens, is_wide)
    })
    .collect()
}

fn input(fate: u8, (ask, attempt, _, most, is_wide): SentCall) -> Input {
    let usage = Some(Usage::of(4, u64::from(most)));
    let fails = |kind, usage| Failure {
        usage,
        body: Some("length".to_owned()),
        ..failure(kind)
    };
    let failure = match fate {
        0 => fails(FailureKind::Key, None),
        1 => fails(FailureKind::Quota, usage),
        2 => fails(FailureKind::Server, None),
        3 if !is_wide => fails(FailureKind::Starved, usage),
        _ => {
            let recorded = fate.is_multiple_of(3).then(|| Recorded {
                session: "b".to_owned(),
                seq: 7,
            });
            let reply = Reply {
                usage: usage.filter(|_| fate.is_multiple_of(2)),
                recorded,
                ..reply("yes")
            };
            return Input::Answered { ask, attempt, reply };
        }
    };
    Input::Failed {
        ask,
        attempt,
        failure,
    }
}

fn command(fate: u8, tokens: u64) -> Command {
    match fate % 5 {
        0 => Command::Pause,
        1 => Command::Step,
        2 => Command::Stop,
        3 => Command::Limit {
            max_calls: None,
            max_tokens: Some(tokens * 2),
            max_cost: None,
        },
        _ => Command::Resume,
    }
}

fn text(record: &[Rc<Entry>]) -> String {
    serde_json::to_string(record).unwrap()
}

/// Returns the input that an entry records, or `None` for a derived entry.
fn input_of(entry: &Entry) -> Option<Input> {
    Some(match entry.what.clone() {
        EntryKind::Answered { ask, attempt, reply } | EntryKind::Late { ask, attempt, reply } => {
            Input::Answered { ask, attempt, reply }
        }
        EntryKind::Failed {
            ask,
            attempt,
            failure,
        } => Input::Failed {
            ask,
            attempt,
            failure,
        },
        EntryKind::TimedOut { .. } => Input::Tick,
        EntryKind::Commanded { command } => Input::Command(command),
        _ => return None,
    })
}

#[test]
fn after_a_resume_the_first_model_starts_with_its_own_limit() {
    let (mut session, _) = Session::begin(started("a"), plan(&limits(10_000, None, 3)), 1_000);
    let own = |session: &Session| calls_in_flight(session).remove(0);
    for fate in [0, 0, 3, 0] {
        let input = input(fate, own(&session));
        let _ = session.handle(2_000, input);
    }
    assert!(session.open_asks().iter().any(|open| {
        let trouble = open.trouble.as_ref();
        trouble.is_some_and(|trouble| trouble.until.is_none())
    }));
    let outcome = session.handle(3_000, Input::Command(Command::Resume));
    let again = sent_calls(&outcome.effects);
    let id = "turn/0/Ana#1".to_owned();
    assert!(
        again.contains(&(id, 5, Some("first".to_owned()), 10, false)),
        "{again:?}"
    );
}

proptest! {
    #[test]
    fn the_record_replays_unchanged_from_any_entry(
        tokens in 20..600_u64,
        cost in proptest::option::of(10..900_u32),
        at_once in 1..4_u32,
        fates in proptest::collection::vec((0..24_u8, 0..9_usize, 0..200_000_u64), 90),
    ) {
        let limits = limits(tokens, cost, at_once);
        let (mut session, _) = Session::begin(started("a"), plan(&limits), 1_000);
        let mut now = 1_000;
        // Calls in flight by length of the record.
        let mut known = vec![(session.len(), calls_in_flight(&session))];
        for (fate, place, wait) in fates {
            if session.status() == Status::Ended {
                break;
            }
            now += wait;
            let mut open = calls_in_flight(&session);
            let input = match fate {
                20..=21 => Input::Command(command(place as u8, tokens)),
                22..=23 => Input::Tick,
                _ if open.is_empty() => Input::Command(command(if place < 3 { 3 } else { 4 }, tokens)),
                19 => Input::Answered { ask: "turn/0/Ana#1".to_owned(), attempt: 1, reply: reply("late") },
                _ => input(fate, open.remove(place % open.len())),
            };
            let _ = session.handle(now, input);
            known.push((session.len(), calls_in_flight(&session)));
        }
        let whole = session.record();
        let stored: Vec<Rc<Entry>> = serde_json::from_str(&text(&whole)).unwrap();
        for cut in 1..=stored.len() {
            let Ok((mut again, _)) = Session::replay(started("a"), plan(&limits), &stored[..cut]) else {
                return Err(TestCaseError::fail(format!("cut at {cut}")));
            };
            if let Some((_, open)) = known.iter().rev().find(|(length, _)| *length == again.len()) {
                prop_assert_eq!(&calls_in_flight(&again), open, "cut at {}", cut);
            }
            while let Some(next) = stored.get(again.len()) {
                let Some(input) = input_of(next) else {
                    return Err(TestCaseError::fail(format!("cut at {cut}: {next:?} does not follow")));
                };
                let before = again.len();
                let _ = again.handle(next.at, input);
                prop_assert!(again.len() > before, "cut at {}", cut);
            }
            prop_assert_eq!(text(&again.record()), text(&whole), "cut at {}", cut);
            prop_assert_eq!(again.usage(), session.usage());
            let mut put = sent_calls(&again.reopen(now).effects);
            put.sort();
            let mut open = calls_in_flight(&session);
            open.sort();
            prop_assert_eq!(put, open);
        }
    }
}
