//! A toy protocol against every rule of the engine, with a virtual clock.

use super::ask::{Ask, FailureKind, Request};
use super::audience::Audience;
use super::data::Data;
use super::limits::time_limits;
use super::table::Question;
use super::*;
use crate::core::context::AskContext;
use crate::language::Language;
use crate::procedures::justice::asks;
use serde_json::json;

pub(super) const NAMES: [&str; 3] = ["Ana", "Ben", "Cleo"];

pub(super) fn seat(name: &str, kind: SeatKind) -> Seat {
    Seat {
        base_url: (kind == SeatKind::Model).then(|| "https://models.example/v1".to_owned()),
        ..Seat::new(name, kind, Language::English, None, None)
    }
}

pub(super) fn question(id: &str, name: &str, limits: Vec<Millis>) -> Question {
    let ask = Ask {
        id: id.to_owned(),
        seat: name.to_owned(),
        kind: asks::STATEMENT.into(),
        phase: 2,
        round: Some(1),
        attempt: 1,
        language: Language::English,
    };
    let request = Request {
        system: "system".into(),
        max_tokens: 10,
        ..Request::default()
    };
    Question {
        ask,
        request,
        facts: AskContext::none(),
        form: None,
        time_limits: limits,
        wait: 0,
    }
}

/// Two rounds in which all seats are asked in parallel, with a draw after each.
pub(super) fn plan(kind: SeatKind, limits: Limits, time_limits: Vec<Millis>) -> Plan {
    Plan {
        seats: NAMES.iter().map(|name| seat(name, kind)).collect(),
        limits,
        run: Box::new(move |table| {
            Box::pin(async move {
                let mut answers = Vec::new();
                for round in 1..=2 {
                    let asks = NAMES.iter().map(|name| {
                        table.ask(question(
                            &format!("round/{round}/{name}#1"),
                            name,
                            time_limits.clone(),
                        ))
                    });
                    for answer in futures_util::future::join_all(asks).await {
                        answers.push(answer.map_or_else(|_| "-".to_owned(), |answer| answer.text));
                    }
                    let drawn = table.draw("order", 5, "round", |random| random.below(10));
                    table.emit(Audience::Everybody, &json!({ "type": "drawn", "value": drawn }));
                }
                json!(answers)
            })
        }),
    }
}

pub(super) fn started(session: &str) -> Started {
    Started {
        engine: "test".to_owned(),
        session: session.to_owned(),
        protocol: "toy".to_owned(),
        seed: 5,
        config: json!({}),
        config_hash: String::new(),
        forked_from: None,
    }
}

pub(super) fn begin(kind: SeatKind, limits: Limits, time_limits: Vec<Millis>) -> (Session, Outcome) {
    Session::begin(started("a"), plan(kind, limits, time_limits), 1_000)
}

pub(super) fn reply(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

pub(super) fn sent_calls(outcome: &Outcome) -> Vec<(String, u32, Millis)> {
    outcome
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask { call, not_before, .. } => Some((call.ask.id.clone(), call.attempt, *not_before)),
            Effect::Cancel { .. } => None,
        })
        .collect()
}

fn answer(session: &mut Session, now: Millis, ask: &str, attempt: u32) -> Outcome {
    let reply = reply(&format!("{ask} says"));
    session.handle(
        now,
        Input::Answered {
            ask: ask.to_owned(),
            attempt,
            reply,
        },
    )
}

/// Answers all open asks, the last first, until none is left.
fn run(session: &mut Session, outcome: Outcome) -> usize {
    let mut calls = 0;
    let mut waiting = sent_calls(&outcome);
    let mut now = 2_000;
    while let Some((ask, attempt, _)) = waiting.pop() {
        calls += 1;
        now += 10;
        let outcome = answer(session, now, &ask, attempt);
        waiting.extend(sent_calls(&outcome));
    }
    calls
}

pub(super) fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "no")
}

#[test]
fn parallel_asks_are_answered_in_any_order() {
    let (mut session, outcome) = begin(SeatKind::Custom, Limits::default(), Vec::new());
    assert_eq!(sent_calls(&outcome).len(), 3);
    assert_eq!(run(&mut session, outcome), 6);
    assert_eq!(session.status(), Status::Ended);
    let record = session.record();
    let EntryKind::Ended { result } = &record.last().unwrap().what else {
        panic!("no end")
    };
    assert_eq!(result[0], "round/1/Ana#1 says");
    assert_eq!(result[5], "round/2/Cleo#1 says");
    assert_eq!(session.usage().calls, 6);
}

#[test]
fn a_run_cut_at_any_entry_resumes_to_the_same_record() {
    let (mut whole, outcome) = begin(SeatKind::Custom, Limits::default(), vec![500, 750]);
    run(&mut whole, outcome);
    let whole = whole.record();
    for cut in 1..=whole.len() {
        let (mut session, outcome) = Session::replay(
            started("a"),
            plan(SeatKind::Custom, Limits::default(), vec![500, 750]),
            &whole[..cut],
        )
        .unwrap();
        let stored = cut + outcome.entries.len();
        assert_eq!(stored, session.len());
        assert_eq!(session.record()[..stored], whole[..stored]);
        // Live again: calls in flight are sent again, answered asks are not.
        let answered = whole[..cut]
            .iter()
            .filter(|e| matches!(e.what, EntryKind::Answered { .. }))
            .count();
        let reopened = session.reopen(9_000);
        let open = session
            .open_asks()
            .iter()
            .filter(|open| open.since.is_some())
            .count();
        assert_eq!(sent_calls(&reopened).len(), open);
        // The remaining inputs come in the recorded order.
        for entry in &whole[stored..] {
            if let EntryKind::Answered { ask, attempt, reply } = &entry.what {
                let _ = session.handle(
                    entry.at,
                    Input::Answered {
                        ask: ask.clone(),
                        attempt: *attempt,
                        reply: reply.clone(),
                    },
                );
            }
        }
        assert_eq!(session.record(), whole, "cut at {cut} with {answered} answers");
    }
}

#[test]
fn replay_finds_the_first_entry_that_differs() {
    let (mut session, outcome) = begin(SeatKind::Custom, Limits::default(), Vec::new());
    run(&mut session, outcome);
    let mut record = session.record();
    let place = record
        .iter()
        .position(|entry| matches!(entry.what, EntryKind::Drew { .. }))
        .unwrap();
    let mut forged = (*record[place]).clone();
    if let EntryKind::Drew { value, .. } = &mut forged.what {
        *value = Data::of(&99);
    }
    record[place] = Rc::new(forged);
    let Err(difference) = Session::replay(
        started("a"),
        plan(SeatKind::Custom, Limits::default(), Vec::new()),
        &record,
    ) else {
        panic!("forged record accepted")
    };
    assert_eq!(difference.seq, place as u64);
    assert_eq!(difference.recorded.as_ref(), Some(&record[place]));
}

#[test]
fn time_limits_follow_the_schedule_and_end_without_an_answer() {
    let (mut session, _) = begin(SeatKind::Custom, Limits::default(), time_limits(30.0, 1.5, 3));
    let mut deadlines = Vec::new();
    let mut now = 1_000;
    loop {
        let outcome = session.handle(now, Input::Tick);
        let Some(deadline) = outcome.deadline else { break };
        deadlines.push(deadline - now);
        now = deadline;
        if session.status() == Status::Ended {
            break;
        }
    }
    // Each round: 30 s; 1 s pause and 45 s; 1 s pause and 67.5 s.
    assert_eq!(deadlines, [30_000, 46_000, 68_500, 30_000, 46_000, 68_500]);
    let record = session.record();
    let EntryKind::Ended { result } = &record.last().unwrap().what else {
        panic!("no end")
    };
    assert_eq!(*result, json!(["-", "-", "-", "-", "-", "-"]));
    let (replayed, _) = Session::replay(
        started("a"),
        plan(SeatKind::Custom, Limits::default(), time_limits(30.0, 1.5, 3)),
        &record,
    )
    .unwrap();
    assert_eq!(replayed.record(), record);
}

#[test]
fn a_late_answer_is_kept_without_effect() {
    let (mut session, _) = begin(SeatKind::Custom, Limits::default(), vec![100]);
    let outcome = session.handle(1_100, Input::Tick);
    assert!(
        outcome
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Cancel { .. }))
    );
    let outcome = answer(&mut session, 1_200, "round/1/Ana#1", 1);
    assert_eq!(outcome.entries.len(), 1);
    assert!(matches!(&outcome.entries[0].what, EntryKind::Late { ask, .. } if ask == "round/1/Ana#1"));
    let outcome = answer(&mut session, 1_300, "nobody#1", 1);
    assert!(outcome.entries.is_empty());
}

#[test]
fn an_earlier_attempts_answer_is_accepted_while_the_ask_is_open() {
    let (mut session, _) = begin(SeatKind::Custom, Limits::default(), vec![100, 100]);
    let _ = session.handle(1_100, Input::Tick);
    let outcome = answer(&mut session, 1_150, "round/1/Ana#1", 1);
    assert!(outcome.effects.contains(&Effect::Cancel {
        ask: "round/1/Ana#1".to_owned(),
        attempt: 2
    }));
    assert!(matches!(
        &outcome.entries[0].what,
        EntryKind::Answered { attempt: 1, .. }
    ));
}

#[test]
fn failures_are_retried_with_growing_waits_then_halt_until_resumed() {
    let (mut session, _) = begin(SeatKind::Model, Limits::default(), Vec::new());
    let id = "round/1/Ana#1".to_owned();
    let mut now = 1_000;
    for attempt in 1..=3 {
        let failed = Input::Failed {
            ask: id.clone(),
            attempt,
            failure: failure(FailureKind::Server),
        };
        let outcome = session.handle(now, failed);
        let (ask, again, not_before) = sent_calls(&outcome)[0].clone();
        assert_eq!((ask, again), (id.clone(), attempt + 1));
        let wait = not_before - now;
        let base = 500 << (attempt - 1);
        assert!(wait <= base && wait >= base * 3 / 4);
        now = not_before;
    }
    let outcome = session.handle(
        now,
        Input::Failed {
            ask: id.clone(),
            attempt: 4,
            failure: failure(FailureKind::Server),
        },
    );
    // The others' answers are still accepted.
    assert_eq!(outcome.status, Status::Running);
    let others: Vec<_> = session
        .open_asks()
        .into_iter()
        .filter(|open| open.trouble.is_none())
        .collect();
    assert_eq!(others.len(), NAMES.len() - 1);
    let mut outcome = outcome;
    for open in others {
        assert_eq!(outcome.status, Status::Running);
        outcome = answer(&mut session, now, &open.call.ask.id, 1);
    }
    assert!(matches!(&outcome.status, Status::Halted(Halt::CallFailed { ask, .. }) if *ask == id));
    assert!(outcome.effects.is_empty());
    let outcome = session.handle(now, Input::Command(Command::Resume));
    assert_eq!(sent_calls(&outcome), [(id, 5, now)]);
    assert_eq!(outcome.status, Status::Running);
}

#[test]
fn a_wrong_key_halts_its_seat_at_once() {
    let (mut session, _) = begin(SeatKind::Model, Limits::default(), Vec::new());
    let input = Input::Failed {
        ask: "round/1/Ben#1".to_owned(),
        attempt: 1,
        failure: failure(FailureKind::Key),
    };
    assert_eq!(session.handle(1_000, input).status, Status::Running);
    let open = session.open_asks();
    let held: Vec<_> = open
        .iter()
        .filter_map(|open| {
            open.trouble
                .as_ref()
                .map(|trouble| (&*open.seat.name, trouble.until))
        })
        .collect();
    assert_eq!(held, [("Ben", None)]);
}

#[test]
fn pause_step_and_stop() {
    let (mut session, _) = begin(SeatKind::Custom, Limits::default(), Vec::new());
    let _ = session.handle(1_000, Input::Command(Command::Pause));
    for name in NAMES {
        let outcome = answer(&mut session, 1_010, &format!("round/1/{name}#1"), 1);
        assert!(outcome.effects.is_empty());
    }
    let outcome = session.handle(1_020, Input::Command(Command::Step));
    assert_eq!(sent_calls(&outcome), [("round/2/Ana#1".to_owned(), 1, 1_020)]);
    let outcome = session.handle(1_030, Input::Command(Command::Resume));
    assert_eq!(sent_calls(&outcome).len(), 2);
    let outcome = session.handle(1_040, Input::Command(Command::Stop));
    assert_eq!(outcome.effects.len(), 3);
    assert_eq!(outcome.status, Status::Stopped);
    let outcome = session.handle(1_050, Input::Command(Command::Resume));
    let again: Vec<_> = sent_calls(&outcome)
        .into_iter()
        .map(|(ask, attempt, _)| (ask, attempt))
        .collect();
    let expected = NAMES.map(|name| (format!("round/2/{name}#1"), 2));
    assert_eq!(again, expected);
}

#[test]
fn caps_stop_before_the_call_that_would_cross_them() {
    let limits = Limits {
        max_calls: Some(4),
        ..Limits::default()
    };
    let (mut session, outcome) = begin(SeatKind::Custom, limits, Vec::new());
    assert_eq!(run(&mut session, outcome), 4);
    assert_eq!(session.status(), Status::Halted(Halt::MaxCalls { limit: 4 }));
    let _ = session.handle(
        9_000,
        Input::Command(Command::Limit {
            max_calls: Some(6),
            max_tokens: None,
            max_cost: None,
        }),
    );
    let outcome = session.handle(9_000, Input::Command(Command::Resume));
    run(&mut session, outcome);
    assert_eq!((session.status(), session.usage().calls), (Status::Ended, 6));

    // Each question is 2 tokens and reserves 10 for its answer.
    let limits = Limits {
        max_tokens: Some(28),
        ..Limits::default()
    };
    let (mut session, outcome) = begin(SeatKind::Custom, limits, Vec::new());
    assert_eq!(sent_calls(&outcome).len(), 2);
    // The third call waits for what the first two leave: 28 - 2 x (2 + 5) = 14.
    assert_eq!(session.status(), Status::Running);
    for (name, sent) in [("Ana", 0), ("Ben", 1)] {
        let outcome = answer(&mut session, 1_010, &format!("round/1/{name}#1"), 1);
        assert_eq!(sent_calls(&outcome).len(), sent);
    }
    let _ = answer(&mut session, 1_020, "round/1/Cleo#1", 1);
    assert_eq!(
        session.status(),
        Status::Halted(Halt::MaxTokens { limit: 28, used: 21 })
    );
}

#[test]
fn parallel_calls_to_an_endpoint_are_limited() {
    let limits = Limits {
        calls_at_once: [("https://models.example".to_owned(), 2)].into(),
        ..Limits::default()
    };
    let (mut session, outcome) = begin(SeatKind::Model, limits, Vec::new());
    assert_eq!(sent_calls(&outcome).len(), 2);
    let outcome = answer(&mut session, 1_010, "round/1/Ben#1", 1);
    assert_eq!(sent_calls(&outcome), [("round/1/Cleo#1".to_owned(), 1, 1_010)]);
}

/// Lets all of Ana's calls fail and answers the others, until none is left.
fn run_without_ana(session: &mut Session, outcome: &Outcome) -> usize {
    let mut waiting = sent_calls(outcome);
    let mut tries = 0;
    let mut now = 1_000;
    while let Some(first) = (0..waiting.len()).min_by_key(|at| waiting[*at].2) {
        let (ask, attempt, not_before) = waiting.remove(first);
        now = now.max(not_before);
        let outcome = if ask.contains("Ana") {
            tries += 1;
            let failure = failure(FailureKind::Unreachable);
            session.handle(
                now,
                Input::Failed {
                    ask,
                    attempt,
                    failure,
                },
            )
        } else {
            answer(session, now, &ask, attempt)
        };
        waiting.extend(sent_calls(&outcome));
    }
    tries
}

#[test]
fn questions_to_a_server_that_is_down_are_skipped_after_one_failure() {
    let limits = Limits {
        retry_for: 60_000,
        on_failure: limits::OnFailure::Skip,
        ..Limits::default()
    };
    let new_plan = || plan(SeatKind::Model, limits.clone(), Vec::new());
    let mut tries = Vec::new();
    for is_old in [false, true] {
        let (mut session, outcome) = Session::begin(started("a"), new_plan(), 1_000);
        if is_old {
            // Earlier versions tried again for as long as for the first question.
            session.core.borrow_mut().recorded_retries = (0..1_000).collect();
        }
        tries.push(run_without_ana(&mut session, &outcome));
        assert_eq!(session.status(), Status::Ended);
        let record = session.record();
        let (replayed, _) = Session::replay(started("a"), new_plan(), &record).unwrap();
        assert_eq!(replayed.record(), record);
    }
    assert!(tries[1] > tries[0] + limits::TRIES as usize, "{tries:?}");
}

#[test]
fn a_branch_takes_over_external_entries() {
    let (mut session, outcome) = begin(SeatKind::Custom, Limits::default(), Vec::new());
    run(&mut session, outcome);
    let record = session.record();
    let mut changed: Vec<_> = record[..=record.len() / 2].to_vec();
    let place = changed
        .iter()
        .rposition(|entry| matches!(entry.what, EntryKind::Answered { .. }))
        .unwrap();
    let mut other = (*changed[place]).clone();
    if let EntryKind::Answered { reply, .. } = &mut other.what {
        reply.text = "something else".to_owned();
    }
    changed[place] = Rc::new(other);
    let (mut branch, outcome, taken) = Session::branch(
        started("b"),
        plan(SeatKind::Custom, Limits::default(), Vec::new()),
        &changed,
        5_000,
    );
    assert_eq!(taken, changed.len());
    assert_eq!(outcome.entries.len(), branch.len());
    let reopened = branch.reopen(5_000);
    run(&mut branch, reopened);
    let EntryKind::Ended { result } = &branch.record().last().unwrap().what.clone() else {
        panic!("no end")
    };
    assert!(result.as_array().unwrap().contains(&json!("something else")));
}

#[test]
fn a_record_goes_through_json_unchanged() {
    let (mut session, outcome) = begin(SeatKind::Custom, Limits::default(), vec![100]);
    run(&mut session, outcome);
    for entry in session.record() {
        let line = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), *entry);
    }
}

/// Asks Ana, collects messages until a close command, suspends, and asks Ben.
fn listening_plan() -> Plan {
    use futures_util::future::{Either, select};
    let run = |table: Table| -> Run {
        Box::pin(async move {
            let mut asking = table.ask(question("Ana#1", "Ana", Vec::new()));
            loop {
                match select(asking, table.next_command()).await {
                    Either::Left(_) => break,
                    Either::Right((Command::Close, _)) => {
                        table.withdraw("Ana#1");
                        break;
                    }
                    Either::Right((command, still)) => {
                        table.emit(Audience::Everybody, &command);
                        asking = still;
                    }
                }
            }
            table.suspend("coffee").await;
            let answer = table.ask(question("Ben#1", "Ben", Vec::new())).await;
            json!(answer.map_or_else(|_| "-".to_owned(), |answer| answer.text))
        })
    };
    Plan {
        seats: NAMES.iter().map(|name| seat(name, SeatKind::Custom)).collect(),
        limits: Limits::default(),
        run: Box::new(run),
    }
}

fn say(text: &str) -> Input {
    Input::Command(Command::Say {
        seat: "Cleo".to_owned(),
        text: text.to_owned(),
        request_id: None,
    })
}

fn suspended() -> Status {
    Status::Halted(Halt::Rests {
        reason: "coffee".to_owned(),
    })
}

#[test]
fn a_protocol_receives_commands_withdraws_and_suspends() {
    let (mut session, _) = Session::begin(started("s"), listening_plan(), 0);
    let outcome = session.handle(1, say("one"));
    assert!(
        matches!(&outcome.entries[1].what, EntryKind::Event { event, .. } if event.value()["text"] == "one")
    );
    let closed = session.handle(2, Input::Command(Command::Close));
    assert!(matches!(&closed.entries[1].what, EntryKind::Withdrawn { ask } if ask == "Ana#1"));
    let cancelled = Effect::Cancel {
        ask: "Ana#1".to_owned(),
        attempt: 1,
    };
    assert_eq!((closed.effects, closed.status), (vec![cancelled], suspended()));
    assert_eq!(session.open_asks(), []);
    // The answer to the withdrawn question is kept. Commands wait in the queue.
    let late = Input::Answered {
        ask: "Ana#1".to_owned(),
        attempt: 1,
        reply: Reply::default(),
    };
    assert!(matches!(
        session.handle(3, late).entries[0].what,
        EntryKind::Late { .. }
    ));
    assert_eq!(session.handle(4, say("two")).status, suspended());
    // A pause and a suspension are independent. Resuming ends both.
    assert_eq!(
        session.handle(5, Input::Command(Command::Pause)).status,
        Status::Paused
    );
    let resumed = session.handle(6, Input::Command(Command::Resume));
    assert_eq!((resumed.status, session.open_asks().len()), (Status::Running, 1));
    let (again, outcome) = Session::replay(started("s"), listening_plan(), &session.record()).unwrap();
    assert_eq!((again.record(), outcome.entries.len()), (session.record(), 0));
}

#[test]
fn a_step_ends_a_suspension_and_lets_one_call_through() {
    let (mut session, _) = Session::begin(started("s"), listening_plan(), 0);
    let _ = session.handle(1, Input::Command(Command::Close));
    let stepped = session.handle(2, Input::Command(Command::Step));
    assert_eq!((stepped.effects.len(), stepped.status), (1, Status::Paused));
}
