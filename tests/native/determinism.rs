//! One record, one run: the order of answers decides nothing, a record cut anywhere goes on the same
//! way, and a branch takes over what still fits.

use crate::support::times;
use crate::support::world;

use quorate::core::data::Data;
use quorate::core::record::{Entry, EntryKind, ForkedFrom};
use quorate::core::{Outcome, Session, Status};
use quorate::procedures;
use quorate::procedures::justice::asks;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;
use world::{Call, Order, Reaction, Run, config, go_on, plain, run, run_in, says};

/// Three seats, four rounds: a vote that is not confirmed in round 2, a failed ballot in round 3, a
/// consensus in round 4; one answer each that has to be asked for again.
fn eventful(call: &Call) -> Reaction {
    let ask = &call.ask;
    let seat = ask.seat.as_str();
    match (ask.kind.name(), ask.round.unwrap_or(0), seat) {
        (asks::POST_EXPLANATION_RANKING, _, "Ben") if ask.attempt == 1 => says("no idea"),
        (asks::APPLICATION, 2, "Ana") => says("3, sure"),
        (asks::STATEMENT, 1, "Cleo") if ask.attempt == 1 => says("Hm."),
        (asks::VOTE_INITIATION, 2, "Ben") | (asks::VOTE_INITIATION, 3, "Ana") => says("1"),
        (asks::VOTE_INITIATION, 4, "Cleo") => says("1"),
        (asks::VOTE_CONFIRMATION, 2, "Cleo") => says("0"),
        (asks::BALLOT_PRINCIPLE, 3, "Ben") => says("1"),
        (asks::BALLOT_PRINCIPLE, 4, "Ana") if ask.attempt == 1 => says("3 or 4"),
        _ => says(plain(call)),
    }
}

fn answered(record: &[Rc<Entry>]) -> BTreeSet<String> {
    let id = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Answered { ask, .. } => Some(ask.clone()),
        _ => None,
    };
    record.iter().filter_map(id).collect()
}

fn outcome_of(run: &Run) -> (bool, u64) {
    let result = run.result();
    (
        result["consensus_reached"].as_bool().unwrap(),
        result["rounds_completed"].as_u64().unwrap(),
    )
}

#[test]
fn the_same_seed_and_answers_give_the_same_record_to_the_byte() {
    let config = config(3, &json!({}));
    let one = run(&config, eventful);
    assert_eq!(outcome_of(&one), (true, 4));
    assert_eq!(one.text(), run(&config, eventful).text());
}

#[test]
fn another_seed_gives_other_orders() {
    let orders = |seed: u32| {
        let run = run(&config(5, &json!({ "seed": seed })), |call| says(plain(call)));
        let orders = run.events_of("ordered");
        assert_eq!(orders.len(), 4);
        json!(orders)
    };
    let mut seen: Vec<Value> = (0..5).map(orders).collect();
    assert_eq!(seen[0], orders(0));
    seen.dedup();
    assert_eq!(seen.len(), 5);
}

/// Times of statements are those of their answers, so they go; all else stays.
fn timeless(run: &Run) -> Value {
    let mut result = run.result();
    for spoken in result["discussion_history"].as_array_mut().unwrap() {
        spoken.as_object_mut().unwrap().remove("timestamp").unwrap();
    }
    // Warnings stand in the order in which they came up.
    let warnings = result["warnings"].as_array_mut().unwrap();
    warnings.sort_by_key(Value::to_string);
    result
}

#[test]
fn the_order_in_which_open_calls_are_answered_decides_nothing() {
    let config = config(4, &json!({}));
    let expected = timeless(&run(&config, eventful));
    assert_eq!(expected["consensus_reached"], true);
    let mut records = BTreeSet::new();
    for seed in 0..10 {
        let run = run_in(Order::Shuffled(seed), &config, eventful);
        assert_eq!(timeless(&run), expected, "shuffle {seed}");
        records.insert(run.text());
    }
    assert_eq!(records.len(), 10, "the orders were the same");
}

/// The crash test: the record is cut after each of its entries in turn. The cuts are shared out among
/// the cores, since in a debug build the whole takes some thirty seconds on one.
#[test]
fn a_record_cut_anywhere_goes_on_to_the_same_end_and_asks_nothing_twice() {
    let mut config = config(3, &json!({ "include_experiment_explanation": false }));
    config["agents"][1]["reasoning_enabled"] = json!(false);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let config = &config;
            scope.spawn(move || {
                let whole = run(config, eventful);
                assert_eq!(outcome_of(&whole), (true, 4));
                let record = whole.record();
                assert!(record.len() > 600);
                for cut in (1 + core..=record.len()).step_by(times(10, 1) * cores) {
                    goes_on(&record, cut);
                }
            });
        }
    });
}

fn goes_on(record: &[Rc<Entry>], cut: usize) {
    let kept = &record[..cut];
    let (mut session, outcome) =
        procedures::replay(kept).unwrap_or_else(|difference| panic!("{difference:?}"));
    // What follows from the last entry is made up for, to be stored.
    let stored = cut + outcome.entries.len();
    assert_eq!(outcome.entries, record[cut..stored], "cut at {cut}");
    assert_eq!(session.record(), record[..stored]);
    let known = answered(kept);
    let open = session.open_asks();
    let outcome = session.reopen(record[stored - 1].at);
    assert_eq!(outcome.entries, []);
    assert_eq!(outcome.effects.len(), open.len());
    let is_new = |call: &Call| !known.contains(&call.ask.id);
    assert!(open.iter().all(|open| is_new(&open.call)), "cut at {cut}");
    // Cuts between the same two entries from outside come to the same session: the first and the
    // last of them go on to the end.
    let is_outside = |at: usize| record.get(at).is_none_or(|entry| entry.what.is_from_outside());
    if is_outside(cut) || is_outside(cut - 1) {
        let again = go_on(session, outcome, Order::Asked, eventful);
        assert_eq!(again.record(), record, "cut at {cut}");
        assert!(again.calls.iter().all(is_new), "cut at {cut}: asked again");
    }
}

#[test]
fn a_record_that_was_touched_is_found_out_at_that_entry() {
    let record = run(&config(2, &json!({ "phase2_rounds": 1 })), |call| {
        says(plain(call))
    })
    .record();
    let reads: Vec<usize> = (0..record.len())
        .filter(|index| {
            matches!(
                record[*index].what,
                EntryKind::Read { .. } | EntryKind::Drew { .. }
            )
        })
        .collect();
    assert!(reads.len() > 10);
    for &index in &reads {
        let mut touched = record.clone();
        let mut entry = (*touched[index]).clone();
        match &mut entry.what {
            EntryKind::Read { reading, .. } => *reading = Data::of(&json!({ "value": 1, "how": "wish" })),
            EntryKind::Drew { value, .. } => *value = Data::of(&"wish"),
            _ => continue,
        }
        touched[index] = Rc::new(entry);
        let difference = procedures::replay(&touched).map(|_| ()).unwrap_err();
        assert_eq!(difference.seq, index as u64);
    }
}

/// A branch of `record` before entry `seq`.
fn branch(config: &Value, record: &[Rc<Entry>], seq: usize) -> (Session, Outcome, usize) {
    let from = ForkedFrom {
        session: "test".to_owned(),
        seq: seq as u64,
    };
    let at = record[seq - 1].at;
    procedures::branch(config, "fork", from, &record[..seq], at).unwrap()
}

fn place_of_answer(record: &[Rc<Entry>], id: &str) -> usize {
    let is_it = |entry: &Rc<Entry>| matches!(&entry.what, EntryKind::Answered { ask, .. } if ask == id);
    record.iter().position(is_it).unwrap()
}

#[test]
fn a_branch_without_changes_comes_to_the_same_end() {
    let config = config(3, &json!({}));
    let whole = run(&config, eventful);
    let record = whole.record();
    for seq in [1, 2, record.len() / 3, record.len() / 2, record.len() - 1] {
        let (mut session, _, taken) = branch(&config, &record, seq);
        assert_eq!(taken, seq);
        let outcome = session.reopen(record[seq - 1].at);
        let fork = go_on(session, outcome, Order::Asked, eventful);
        assert_eq!(fork.result(), whole.result(), "branch at {seq}");
        assert_eq!(fork.record()[1..], record[1..]);
        let EntryKind::Started(head) = &fork.record()[0].what else {
            panic!()
        };
        let from = head.forked_from.clone().unwrap();
        assert_eq!((from.session.as_str(), from.seq), ("test", seq as u64));
        // And a branch replays like any record.
        assert!(procedures::replay(&fork.record()).is_ok());
    }
}

#[test]
fn a_changed_answer_changes_what_follows_and_nothing_before() {
    let config = config(3, &json!({}));
    let record = run(&config, eventful).record();
    for (id, text, end) in [
        ("phase2/round/3/ballot_principle/Ben#1", "3", (true, 3)),
        ("phase2/round/2/vote_confirmation/Cleo#1", "1", (true, 2)),
        ("phase2/round/4/ballot_principle/Cleo#1", "1", (false, 4)),
    ] {
        let seq = place_of_answer(&record, id);
        let (mut session, _, taken) = branch(&config, &record, seq);
        assert_eq!(taken, seq);
        let outcome = session.reopen(record[seq - 1].at);
        let fork = go_on(session, outcome, Order::Asked, |call| {
            if call.ask.id == id {
                says(text)
            } else {
                eventful(call)
            }
        });
        assert_eq!(outcome_of(&fork), end, "{id}");
        assert_eq!(fork.record()[1..seq], record[1..seq]);
        assert_ne!(fork.record()[seq], record[seq]);
        let known = answered(&record[..seq]);
        assert!(fork.calls.iter().all(|call| !known.contains(&call.ask.id)));
    }
}

#[test]
fn a_changed_configuration_takes_over_the_answers_that_still_fit() {
    let old = config(3, &json!({}));
    let record = run(&old, eventful).record();
    // Other prompts, same questions: every answer is taken over.
    let (session, _, taken) = branch(
        &config(3, &json!({ "memory_guidance_style": "structured" })),
        &record,
        record.len(),
    );
    assert_eq!(taken, record.len());
    assert_eq!(session.status(), Status::Ended);
    // No private reasoning: its answers fit nowhere, so the branch begins at the first.
    let mut changed = old.clone();
    changed["agents"][1]["reasoning_enabled"] = json!(false);
    let (mut session, _, taken) = branch(&changed, &record, record.len());
    let first = record
        .iter()
        .position(|entry| matches!(&entry.what, EntryKind::Answered { ask, .. } if ask.contains("internal_reasoning/Ben")))
        .unwrap();
    assert_eq!(taken, first);
    let kept = answered(&session.record());
    assert_eq!(kept, answered(&record[..first]));
    let outcome = session.reopen(record[first].at);
    let fork = go_on(session, outcome, Order::Asked, eventful);
    assert_eq!(outcome_of(&fork), (true, 4));
    assert!(
        fork.record()
            .iter()
            .all(|entry| !matches!(&entry.what, EntryKind::Asked { ask, .. }
        if ask.seat == "Ben" && ask.kind == asks::INTERNAL_REASONING))
    );
    assert!(fork.calls.iter().all(|call| !kept.contains(&call.ask.id)));
    // Fewer rounds: what was said in the rounds that are left stays.
    let (session, _, _) = branch(&config(3, &json!({ "phase2_rounds": 2 })), &record, record.len());
    let said = |record: &[Rc<Entry>]| {
        let is_said = |entry: &&Rc<Entry>| matches!(&entry.what, EntryKind::Event { event, .. } if event.value()["type"] == "spoke");
        record.iter().filter(is_said).count()
    };
    assert_eq!((said(&session.record()), said(&record)), (6, 12));
}
