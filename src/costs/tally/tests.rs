//! Exact sums over small records.

use super::*;
use crate::core::ask::{Failure, FailureKind, Reply};
use serde_json::json;

fn tally(record: &[Rc<Entry>]) -> Costs {
    super::tally(record, &AskLogs::of(record))
}

fn config(prices: bool) -> Value {
    let mut config = json!({ "agents": [
        { "name": "Ana", "personality": "p", "model": "gpt-4o-mini" },
        { "name": "Ben", "personality": "p" },
        { "name": "Cleo", "personality": "p", "kind": "human" },
        { "name": "Dora", "personality": "p", "kind": "custom" },
        { "name": "Emil", "personality": "p", "provider": "ollama", "model": "m" },
    ]});
    if prices {
        config["prices"] = json!({ "currency": "USD", "date": "2026-11-22",
            "models": { "openai/gpt-4o-mini": { "input": 1, "output": 10, "cached": 0.5 } } });
    }
    config
}

fn record(prices: bool, inside: &[EntryKind]) -> Vec<Rc<Entry>> {
    let (session, _) = crate::procedures::begin(&config(prices), "s", 0).unwrap();
    let head = session.record()[0].what.clone();
    let entry = |(seq, what): (usize, EntryKind)| {
        Rc::new(Entry {
            seq: seq as u64,
            at: 0,
            what,
        })
    };
    let all = std::iter::once(head).chain(inside.iter().cloned());
    all.enumerate().map(entry).collect()
}

fn asked(id: &str, seat: &str, model: Option<(&str, &str)>) -> EntryKind {
    let ask = json!({ "id": id, "seat": seat, "kind": "statement", "phase": 2, "round": 1, "attempt": 1, "language": "en" });
    let mut request = json!({ "system": "12345678", "messages": [], "max_tokens": 100 });
    if let Some((model, base_url)) = model {
        request["model"] = model.into();
        request["base_url"] = base_url.into();
    }
    let what = json!({ "type": "asked", "ask": ask, "request": request, "time_limits": [] });
    serde_json::from_value(what).unwrap()
}

fn sent(ask: &str, attempt: u32) -> EntryKind {
    let ask = ask.to_owned();
    EntryKind::Sent { ask, attempt }
}

fn answered(ask: &str, attempt: u32, usage: Option<Usage>) -> EntryKind {
    let reply = Reply {
        text: "four".repeat(3),
        model: Some("m-1".to_owned()),
        usage,
        ..Reply::default()
    };
    let ask = ask.to_owned();
    EntryKind::Answered { ask, attempt, reply }
}

fn failed(ask: &str, usage: Option<Usage>) -> EntryKind {
    let failure = Failure {
        kind: FailureKind::Cut,
        message: String::new(),
        status: None,
        retry_after_ms: None,
        body: None,
        usage,
    };
    let ask = ask.to_owned();
    EntryKind::Failed {
        ask,
        attempt: 1,
        failure,
    }
}

const OPENAI: Option<(&str, &str)> = Some(("gpt-4o-mini-2024-07-18", "https://api.openai.com/v1"));

#[test]
fn reported_and_estimated_usage_is_separate() {
    let usage = Usage {
        reasoning: Some(3),
        cached: Some(4),
        ..Usage::of(10, 5)
    };
    let with_cost = Usage {
        cost: Some(0.25),
        ..Usage::of(1, 1)
    };
    let costs = tally(&record(
        true,
        &[
            asked("a", "Ana", OPENAI),
            sent("a", 1),
            failed("a", Some(Usage::of(7, 0))),
            sent("a", 2),
            answered("a", 2, Some(usage)),
            asked("b", "Ana", OPENAI),
            sent("b", 1),
            answered("b", 1, None),
            asked("c", "Ana", OPENAI),
            sent("c", 1),
            failed("c", None),
            sent("c", 2),
            answered("c", 2, Some(with_cost)),
            asked("not sent", "Ana", OPENAI),
        ],
    ));
    let (run, seat) = (costs.run, &costs.seats[0]);
    assert_eq!(
        (costs.calls.len(), costs.seats.len(), costs.rounds.len()),
        (3, 1, 1)
    );
    assert_eq!(seat.sum, run);
    assert_eq!(
        (costs.rounds[0].phase, costs.rounds[0].round, costs.rounds[0].sum),
        (2, Some(1), run)
    );
    assert_eq!(run.tries, 5);
    assert_eq!(
        run.reported,
        Tokens {
            input: 18,
            output: 6,
            reasoning: 3,
            cached: 4
        }
    );
    // The question is 8 characters, the answer 12.
    assert_eq!(
        run.estimated,
        Tokens {
            input: 2,
            output: 3,
            ..Tokens::default()
        }
    );
    // 7 x 1, and 6 x 1 + 4 x 0.5 + 5 x 10; 2 x 1 + 3 x 10 by estimate.
    let millionths = |cost: Money| cost.units() * 1e6;
    assert_eq!(millionths(run.money.computed).round(), 65.0);
    assert_eq!(millionths(run.money.estimated).round(), 32.0);
    assert_eq!(run.money.reported.units(), 0.25);
    assert_eq!((run.unknown, run.own, run.untold), (0, 0, 1));
    let call = &costs.calls[0];
    assert_eq!(
        (
            call.provider.as_deref(),
            call.model_returned.as_deref(),
            call.seat_kind
        ),
        (Some("openai"), Some("m-1"), SeatKind::Model)
    );
    let text = serde_json::to_value(&costs).unwrap();
    assert_eq!(text["currency"], "USD");
    assert_eq!(text["calls"][0]["cost_computed"], 0.000_065);
    assert_eq!(text["run"]["cost"], 0.250_097);
}

#[test]
fn unknown_costs_are_not_zero() {
    let entries = [
        asked("a", "Ana", OPENAI),
        sent("a", 1),
        answered("a", 1, Some(Usage::of(10, 5))),
        asked("b", "Ben", None),
        sent("b", 1),
        answered("b", 1, None),
        asked("c", "Cleo", None),
        sent("c", 1),
        answered("c", 1, None),
        asked("d", "Dora", None),
        sent("d", 1),
        answered("d", 1, None),
        asked("e", "Emil", Some(("m", "http://127.0.0.1:11434"))),
        sent("e", 1),
        answered("e", 1, Some(Usage::of(10, 5))),
    ];
    let costs = tally(&record(false, &entries));
    let counts: Vec<_> = costs
        .calls
        .iter()
        .map(|call| (call.ask.as_str(), call.sum.unknown, call.sum.own))
        .collect();
    assert_eq!(counts, [("a", 1, 0), ("b", 0, 0), ("d", 0, 1), ("e", 0, 0)]);
    assert_eq!(
        (costs.run.unknown, costs.run.own, costs.run.money.all()),
        (1, 1, Money::default())
    );
    assert_eq!((costs.currency, costs.date), (None, None));
    // The same record with prices.
    let costs = tally(&record(true, &entries));
    assert_eq!((costs.run.unknown, costs.run.money.all().units()), (0, 0.000_06));
    assert_eq!(tally(&[]), Costs::default());
}

#[test]
fn prices_depend_on_the_provider_of_a_fallback() {
    let elsewhere = |base_url: &str| {
        let fell = json!({ "type": "fell_back", "ask": "a", "seat": "Ana", "model": "gpt-4o-mini",
            "base_url": base_url, "because": "failed" });
        let entries = [
            asked("a", "Ana", Some(("gpt-4o-mini", "https://api.openai.com/v1"))),
            sent("a", 1),
            failed("a", Some(Usage::of(10, 0))),
            serde_json::from_value(fell).unwrap(),
            sent("a", 2),
            answered("a", 2, Some(Usage::of(100, 0))),
        ];
        let costs = tally(&record(true, &entries));
        let call = &costs.calls[0];
        let provider = call.provider.clone().unwrap();
        (provider, call.sum.money.computed.units(), call.sum.unknown)
    };
    assert_eq!(
        elsewhere("http://localhost:11434/v1"),
        ("ollama".to_owned(), 0.000_01, 0)
    );
    assert_eq!(
        elsewhere("https://x.example/v1"),
        ("compatible".to_owned(), 0.000_01, 1)
    );
}
