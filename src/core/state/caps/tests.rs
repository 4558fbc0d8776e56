//! Caps hold for answers in any order, and the record replays unchanged.

use crate::core::ask::{Failure, FailureKind, Reply, Usage};
use crate::core::limits::{ANSWER_GROWTH, Limits};
use crate::core::prices::{Price, Prices};
use crate::core::record::{Command, Entry, EntryKind, Halt};
use crate::core::tests::{NAMES, begin, failure, plan, reply, sent_calls, started};
use crate::core::{Effect, Input, Outcome, Session, Status};
use crate::seat::SeatKind;
use proptest::prelude::*;
use std::rc::Rc;

/// The toy's questions have 2 tokens, its answers at most 10.
const QUESTION: u64 = 2;
const ANSWER: u32 = 10;

fn prices(input: f64, output: f64) -> Prices {
    let price = Price {
        input,
        output,
        cached: None,
    };
    Prices {
        currency: "USD".to_owned(),
        date: "2026-11-22".to_owned(),
        models: [("compatible/".to_owned(), price)].into(),
    }
}

fn first(name: &str) -> String {
    format!("round/1/{name}#1")
}

fn starved(usage: Option<Usage>) -> Failure {
    Failure {
        usage,
        body: Some("length".to_owned()),
        ..failure(FailureKind::Starved)
    }
}

fn fail(session: &mut Session, ask: &str, attempt: u32, failure: Failure) -> Outcome {
    let ask = ask.to_owned();
    session.handle(
        2_000,
        Input::Failed {
            ask,
            attempt,
            failure,
        },
    )
}

fn answer(session: &mut Session, ask: &str, attempt: u32, usage: Option<Usage>) -> Outcome {
    let (ask, reply) = (
        ask.to_owned(),
        Reply {
            usage,
            ..reply("four")
        },
    );
    session.handle(2_000, Input::Answered { ask, attempt, reply })
}

fn assert_replays(session: &Session, kind: SeatKind, limits: &Limits) {
    let record = session.record();
    let text = serde_json::to_string(&record).unwrap();
    let stored: Vec<Rc<Entry>> = serde_json::from_str(&text).unwrap();
    let (again, rest) =
        Session::replay(started("a"), plan(kind, limits.clone(), Vec::new()), &stored).unwrap();
    assert_eq!(serde_json::to_string(&again.record()).unwrap(), text);
    assert_eq!((rest.entries.len(), again.usage()), (0, session.usage()));
    assert_eq!(again.status(), session.status());
}

#[test]
fn an_answer_used_up_by_reasoning_is_retried_at_once_with_a_larger_limit() {
    let (mut session, _) = begin(SeatKind::Custom, Limits::default(), Vec::new());
    let outcome = fail(&mut session, &first("Ana"), 1, starved(Some(Usage::of(3, 10))));
    assert_eq!(sent_calls(&outcome), [(first("Ana"), 2, 2_000)]);
    let Effect::Ask { call, .. } = &outcome.effects[0] else {
        panic!()
    };
    assert_eq!(
        (call.max_tokens, call.request.max_tokens),
        (ANSWER * ANSWER_GROWTH, ANSWER)
    );
    assert_eq!(call.used_up.as_deref().unwrap().body.as_deref(), Some("length"));
    assert!(matches!(
        outcome.entries[1].what,
        EntryKind::Retrying {
            attempt: 2,
            wait: 0,
            ..
        }
    ));
    assert_eq!(
        (session.usage().input_tokens, session.usage().output_tokens),
        (3, 10)
    );
    assert_eq!(session.usage().calls, 4);
    // A second such answer is a permanent failure.
    let outcome = fail(&mut session, &first("Ana"), 2, starved(None));
    assert_eq!(outcome.status, Status::Running);
    let troubled = session.open_asks().into_iter().filter_map(|open| open.trouble);
    assert_eq!(troubled.map(|trouble| trouble.until).collect::<Vec<_>>(), [None]);
    assert_replays(&session, SeatKind::Custom, &Limits::default());
}

#[test]
fn the_larger_attempt_reserves_its_maximum() {
    let limits = Limits {
        max_tokens: Some(75),
        ..Limits::default()
    };
    let (mut session, _) = begin(SeatKind::Custom, limits.clone(), Vec::new());
    // 12 used; 2 x 12 reserved by the others; the larger attempt would be 42.
    let outcome = fail(&mut session, &first("Ana"), 1, starved(Some(Usage::of(2, 10))));
    assert!(sent_calls(&outcome).is_empty());
    assert_eq!(outcome.status, Status::Running);
    let outcome = answer(&mut session, &first("Ben"), 1, Some(Usage::of(2, 7)));
    assert_eq!(sent_calls(&outcome), [(first("Ana"), 2, 2_000)]);
    assert_replays(&session, SeatKind::Custom, &limits);
    // The run halts under a cap that is too small for the call alone.
    let limits = Limits {
        max_tokens: Some(53),
        ..limits
    };
    let (mut session, _) = begin(SeatKind::Custom, limits, Vec::new());
    let outcome = fail(&mut session, &first("Ana"), 1, starved(Some(Usage::of(2, 10))));
    assert_eq!(
        outcome.status,
        Status::Halted(Halt::MaxTokens { limit: 53, used: 12 })
    );
}

#[test]
fn money_is_reserved_before_it_is_spent() {
    // A call costs at most 2 x 1 + 10 x 3 = 32 millionths.
    let limits = Limits {
        max_cost: Some(0.000_07),
        prices: prices(1.0, 3.0),
        ..Limits::default()
    };
    let (mut session, outcome) = begin(SeatKind::Model, limits.clone(), Vec::new());
    assert_eq!((sent_calls(&outcome).len(), outcome.status), (2, Status::Running));
    // 8 spent, 32 in flight: one more call fits.
    let outcome = answer(&mut session, &first("Ana"), 1, Some(Usage::of(2, 2)));
    assert_eq!(sent_calls(&outcome).len(), 0);
    let outcome = answer(&mut session, &first("Ben"), 1, Some(Usage::of(2, 2)));
    assert_eq!(sent_calls(&outcome), [(first("Cleo"), 1, 2_000)]);
    // The provider's reported cost counts, in dollars.
    let reported = Usage {
        cost: Some(0.000_03),
        ..Usage::of(2, 2)
    };
    let outcome = answer(&mut session, &first("Cleo"), 1, Some(reported));
    let halt = Halt::MaxCost {
        limit: 0.000_07,
        used: 0.000_046,
    };
    assert_eq!(outcome.status, Status::Halted(halt));
    assert_replays(&session, SeatKind::Model, &limits);
    let raise = Command::Limit {
        max_calls: None,
        max_tokens: None,
        max_cost: Some(0.001),
    };
    let _ = session.handle(3_000, Input::Command(raise));
    let outcome = session.handle(3_000, Input::Command(Command::Resume));
    assert_eq!(sent_calls(&outcome).len(), 3);
    assert_replays(&session, SeatKind::Model, &limits);
}

#[test]
fn a_call_without_a_price_is_not_sent_under_a_cost_cap() {
    let mut limits = Limits {
        max_cost: Some(100.0),
        ..Limits::default()
    };
    let (session, outcome) = begin(SeatKind::Model, limits.clone(), Vec::new());
    let halt = Halt::MaxCost {
        limit: 100.0,
        used: 0.0,
    };
    assert_eq!(
        (sent_calls(&outcome).len(), session.status()),
        (0, Status::Halted(halt))
    );
    // Scripted participants and programs of the page do not count towards the cap.
    for kind in [SeatKind::Scripted, SeatKind::Custom] {
        limits.max_cost = Some(1e-9);
        let (_, outcome) = begin(kind, limits.clone(), Vec::new());
        assert_eq!(sent_calls(&outcome).len(), 3);
    }
}

#[test]
fn a_record_with_an_earlier_versions_halt_replays_unchanged() {
    let limits = Limits {
        max_tokens: Some(25),
        ..Limits::default()
    };
    // As recorded: the third call halted the run, whose cap was raised and which was resumed.
    let (session, _) = begin(SeatKind::Custom, limits.clone(), Vec::new());
    let mut record = session.record();
    let halted = |seq| {
        let halt = Halt::MaxTokens { limit: 25, used: 0 };
        Rc::new(Entry {
            seq,
            at: 1_000,
            what: EntryKind::Halted { halt },
        })
    };
    record.push(halted(record.len() as u64));
    let replay = |record: &[Rc<Entry>]| {
        Session::replay(
            started("a"),
            plan(SeatKind::Custom, limits.clone(), Vec::new()),
            record,
        )
    };
    let (mut old, rest) = replay(&record).unwrap();
    assert_eq!((old.record(), rest.entries.len()), (record.clone(), 0));
    assert_eq!(
        old.status(),
        Status::Halted(Halt::MaxTokens { limit: 25, used: 0 })
    );
    let raise = Command::Limit {
        max_calls: None,
        max_tokens: Some(100),
        max_cost: None,
    };
    let _ = old.handle(2_000, Input::Command(raise));
    let outcome = old.handle(2_000, Input::Command(Command::Resume));
    assert_eq!(sent_calls(&outcome), [(first("Cleo"), 1, 2_000)]);
    assert_eq!(replay(&old.record()).unwrap().0.record(), old.record());
    // A halt without a cause is still a forgery.
    let mut forged = session.record();
    forged.truncate(5);
    forged.push(halted(5));
    assert_eq!(replay(&forged).err().unwrap().seq, 5);
}

/// The result of a call, within what was allowed.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Answers(u64),
    Uncounted(usize),
    Starves(u64),
    Fails(Option<u64>),
}

fn fates() -> impl Strategy<Value = Vec<(usize, Fate)>> {
    let fate = prop_oneof![
        4 => (0..=40_u64).prop_map(Fate::Answers),
        1 => (0..=40_usize).prop_map(Fate::Uncounted),
        2 => (0..=40_u64).prop_map(Fate::Starves),
        2 => proptest::option::of(0..=40_u64).prop_map(Fate::Fails),
    ];
    proptest::collection::vec((0..3_usize, fate), 60)
}

/// Runs the toy with the given results in the order of return. After each step `check` gets the maximum
/// usage of each call.
fn run(session: &mut Session, first: Outcome, fates: &[(usize, Fate)], check: impl Fn(&Session, &[u64])) {
    let mut open: Vec<(String, u32, u64, bool)> = Vec::new();
    let mut outcome = first;
    for (place, fate) in fates {
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Ask { call, .. } => {
                    let most = u64::from(call.max_tokens);
                    open.push((call.ask.id.clone(), call.attempt, most, call.used_up.is_some()));
                }
                Effect::Cancel { ask, .. } => open.retain(|(id, ..)| *id != ask),
            }
        }
        let most: Vec<u64> = open.iter().map(|(_, _, most, _)| *most).collect();
        check(session, &most);
        if matches!(outcome.status, Status::Halted(Halt::CallFailed { .. })) {
            outcome = session.handle(5_000, Input::Command(Command::Resume));
            continue;
        }
        if open.is_empty() {
            return;
        }
        let (ask, attempt, most, is_wide) = open.remove(place % open.len());
        let reported = |tokens: u64| Some(Usage::of(QUESTION, tokens.min(most)));
        outcome = match *fate {
            Fate::Starves(tokens) if !is_wide => fail(session, &ask, attempt, starved(reported(tokens))),
            Fate::Answers(tokens) | Fate::Starves(tokens) => answer(session, &ask, attempt, reported(tokens)),
            Fate::Uncounted(length) => {
                let text = "word".repeat(length.min(most as usize));
                let reply = reply(&text);
                session.handle(4_000, Input::Answered { ask, attempt, reply })
            }
            Fate::Fails(tokens) => {
                let usage = tokens.and_then(reported);
                let failure = Failure {
                    usage,
                    ..failure(FailureKind::Cut)
                };
                fail(session, &ask, attempt, failure)
            }
        };
    }
}

proptest! {
    #[test]
    fn caps_are_never_crossed(
        tokens in 0..400_u64,
        money in 0..600_u64,
        at_once in 1..4_u32,
        fates in fates(),
    ) {
        let limits = Limits {
            max_tokens: Some(tokens),
            max_cost: Some(money as f64 / 1e6 + 1e-9),
            prices: prices(1.0, 3.0),
            calls_at_once: [("https://models.example".to_owned(), at_once)].into(),
            ..Limits::default()
        };
        let (mut session, outcome) = begin(SeatKind::Model, limits.clone(), Vec::new());
        run(&mut session, outcome, &fates, |session, open| {
            let usage = session.usage();
            let reserved: u64 = open.iter().map(|most| QUESTION + most).sum();
            assert!(usage.input_tokens + usage.output_tokens + reserved <= tokens);
            let spent = usage.input_tokens + 3 * usage.output_tokens;
            let reserved: u64 = open.iter().map(|most| QUESTION + 3 * most).sum();
            assert!(spent + reserved <= money, "{spent} + {reserved} of {money}");
            assert!(open.len() <= at_once as usize);
        });
        // It halts only if the next call would not fit alone.
        if let Status::Halted(Halt::MaxTokens { limit, used }) = session.status() {
            prop_assert!(used + QUESTION + u64::from(ANSWER * ANSWER_GROWTH) > limit);
        }
        assert_replays(&session, SeatKind::Model, &limits);
        prop_assert!(NAMES.len() == 3);
    }
}
