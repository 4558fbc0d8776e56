//! Rooms over a simulated network: who is seated where, that nothing is lost or counted twice whatever the network does,
//! what is done about people who are away, and that nobody answers in another's place.

use crate::support::venue::{BEGINNING, CALM, Network, Venue, filled};
use quorate::core::form::MAX_TEXT;
use quorate::core::record::{Command, Entry, EntryKind, Presence};
use quorate::language::Language;
use quorate::procedures;
use quorate::room::{Effect, HostCommand, MAX_BYTES, Room, SMALLEST, STEP, plan};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::rc::Rc;

const BAD: Network = Network {
    loses: 30,
    doubles: 20,
    delay: 4_000,
};

/// The first message of a device, which has heard that session of the host.
fn hello(session: u64) -> Value {
    json!({ "type": "hello", "from": [1, 1], "to": session })
}

fn table(protocol: &str) -> Value {
    let agents = |more: Value| {
        let one = |name: &str| {
            let mut agent = json!({ "name": name, "personality": "A neighbour." });
            agent
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            agent
        };
        ["One", "Two", "Three"].map(one)
    };
    match protocol {
        "justice" => json!({ "agents": agents(json!({})), "phase2_rounds": 2, "seed": 4 }),
        "discussion" => json!({
            "protocol": "discussion", "topic": "Trees in our street", "rounds": 2, "start": "at_once", "seed": 4,
            "agents": agents(json!({ "role": "specialist" })),
        }),
        "debate" => {
            json!({ "protocol": "debate", "question": "Tea or coffee?", "seed": 4, "sources": [], "agents": agents(json!({})) })
        }
        "jury" => json!({
            "protocol": "jury", "charge": "Did she?", "prosecution": "Yes.", "defence": "No.", "rounds": 1, "seed": 4,
            "evidence": [{ "text": "A glove.", "leans": 0.5 }], "agents": agents(json!({})),
        }),
        _ => json!({
            "protocol": "delphi", "question": "How many?", "minimum": 0, "maximum": 100, "seed": 4, "agents": agents(json!({})),
        }),
    }
}

fn plan(protocol: &str, changes: Value) -> Value {
    let mut plan = json!({
        "title": "Class 4b", "session": table(protocol), "tables": 2, "people": 2, "start": "full", "seed": 9,
        "patience": { "after": 3_000, "then": "stand_in" },
    });
    for (key, value) in changes.as_object().unwrap() {
        plan[key] = value.clone();
    }
    plan
}

/// The entries but for when they came, in which order those at the same time did, and how often a device was silent.
fn told(record: &[Rc<Entry>]) -> Vec<String> {
    let line = |entry: &Rc<Entry>| {
        let mut what = serde_json::to_value(&entry.what).unwrap();
        if let EntryKind::Commanded {
            command: Command::Guest { is, .. },
        } = &entry.what
            && *is != Presence::Seated
        {
            return None;
        }
        without(&mut what, &["request_id", "timestamp"]);
        Some(what.to_string())
    };
    let mut lines: Vec<String> = record.iter().filter_map(line).collect();
    lines.sort();
    lines
}

fn without(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without(item, names)),
        _ => {}
    }
}

fn held(plan: &Value, network: Network, chance: u64) -> Venue {
    let mut venue = Venue::open(plan, 4, network, chance);
    for guest in 0..4 {
        // So far apart that the network does not change who came first.
        venue.joins(guest, 1 + 200_000 * guest as u64);
    }
    venue.passes(900_000);
    venue.ends();
    venue.passes(60_000);
    venue
}

#[test]
fn whatever_the_network_does_the_record_is_the_same() {
    for protocol in ["justice", "discussion", "debate", "delphi", "jury"] {
        let plan = plan(
            protocol,
            json!({ "before": [{ "label": "How old are you?", "kind": "number" }] }),
        );
        let calm = held(&plan, CALM, 1);
        for chance in 0..6 {
            let venue = held(&plan, BAD, chance);
            for (table, (one, other)) in calm.tables.iter().zip(&venue.tables).enumerate() {
                let record = other.session.record();
                assert_eq!(
                    told(&one.session.record()),
                    told(&record),
                    "{protocol} {table} {chance}"
                );
                assert!(procedures::replay(&record).unwrap().1.entries.is_empty());
            }
            assert_eq!(venue.stood_in, 0);
            assert_eq!(calm.tables.len(), 2);
            // What guests have in the end is what they would have been shown at once.
            for (one, other) in calm.guests.iter().zip(&venue.guests) {
                assert_eq!(
                    one.items.keys().collect::<Vec<_>>(),
                    other.items.keys().collect::<Vec<_>>()
                );
                assert_eq!(one.state["end"], other.state["end"]);
                assert!(other.unsent.is_empty());
            }
        }
    }
}

#[test]
fn a_host_and_guests_that_are_reloaded_go_on_where_they_were() {
    // Each page of the host has a session of its own.
    let kept = |snapshot: &str| {
        let mut kept: Value = serde_json::from_str(snapshot).unwrap();
        kept.as_object_mut().unwrap().remove("session");
        kept
    };
    for protocol in ["justice", "discussion"] {
        let plan = plan(protocol, json!({}));
        let calm = held(&plan, CALM, 1);
        let mut venue = Venue::open(&plan, 4, BAD, 3);
        for guest in 0..4 {
            venue.joins(guest, 1 + 200_000 * guest as u64);
        }
        for step in 0..60 {
            venue.passes(23_000);
            venue.reloads();
            assert_eq!(kept(&venue.room.snapshot()), kept(&venue.persisted));
            // A page that is loaded anew has nothing but its key and what it has not got rid of.
            let guest = &mut venue.guests[step % 4];
            guest.number = 0;
            guest.items.clear();
        }
        venue.ends();
        for (one, other) in calm.tables.iter().zip(&venue.tables) {
            let record = other.session.record();
            assert_eq!(told(&one.session.record()), told(&record), "{protocol}");
            assert!(procedures::replay(&record).is_ok());
        }
    }
}

#[test]
fn nobody_answers_in_another_seat_or_twice() {
    let mut venue = Venue::open(&plan("justice", json!({ "tables": 1 })), 3, CALM, 1);
    venue.thinks = None;
    (0..3).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(5_000);
    let question = |venue: &Venue, guest: usize| venue.guests[guest].state["questions"][0].clone();
    let (first, second) = (question(&venue, 0), question(&venue, 1));
    let ask = first["ask"].as_str().unwrap();
    let values = filled(&first["form"]["fields"], "one");
    let answers = |venue: &Venue| {
        let record = venue.tables[0].session.record();
        let answered = record
            .iter()
            .filter(|entry| matches!(&entry.what, EntryKind::Answered { ask: of, .. } if of == ask));
        answered.count()
    };
    let last = |venue: &Venue, guest: usize| {
        let told = venue.guests[guest].got.iter().rev();
        told.map(|message| message["type"].as_str().unwrap().to_owned())
            .find(|kind| kind != "here" && kind != "state")
    };
    // Another's question, by somebody at the table and by somebody in the lobby.
    for other in [1, 2] {
        venue.sends(other, ask, values.clone());
        venue.passes(1_000);
        assert_eq!(
            (last(&venue, other).as_deref(), answers(&venue)),
            (Some("late"), 0)
        );
    }
    // What the form does not take.
    venue.sends(0, ask, json!({ "first": "nonsense" }));
    venue.passes(1_000);
    assert_eq!(
        (last(&venue, 0).as_deref(), answers(&venue)),
        (Some("refused"), 0)
    );
    // The own one counts once: the same message again gets the same word, another answer is late.
    let n = venue.sends(0, ask, values.clone());
    venue.passes(1_000);
    assert_eq!((last(&venue, 0).as_deref(), answers(&venue)), (Some("kept"), 1));
    let again = json!({ "type": "answer", "n": n, "ask": ask, "values": values });
    venue.says(0, again);
    venue.passes(1_000);
    assert_eq!((last(&venue, 0).as_deref(), answers(&venue)), (Some("kept"), 1));
    venue.sends(0, ask, filled(&first["form"]["fields"], "two"));
    venue.passes(1_000);
    assert_eq!((last(&venue, 0).as_deref(), answers(&venue)), (Some("late"), 1));
    // Both see their own alone.
    assert_ne!(first["ask"], second["ask"]);
    assert!(!venue.guests[1].state.to_string().contains(ask));
}

fn kinds(commands: &[Command]) -> Vec<String> {
    let word = |command: &Command| match command {
        Command::Guest { seat, is, .. } => format!("{seat} {}", json!(is).as_str().unwrap()),
        other => {
            let json = json!(other);
            let what = json["seat"].as_str().or(json["ask"].as_str()).unwrap();
            format!("{what} {}", json["do"].as_str().unwrap())
        }
    };
    commands.iter().map(word).collect()
}

#[test]
fn a_simulated_participant_stands_in_for_who_is_away_until_they_are_back() {
    let absence = json!({ "tables": 1, "patience": null, "absence": { "after": 60, "then": "stand_in" } });
    let mut venue = Venue::open(&plan("justice", absence), 2, CALM, 1);
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(2_000);
    venue.leaves(0);
    venue.passes(59_000);
    assert_eq!(venue.stood_in, 0);
    venue.passes(5_000);
    assert!(venue.stood_in > 0);
    let seat = venue.guests[0].state["you"]["pseudonym"]
        .as_str()
        .unwrap()
        .to_owned();
    venue.joins(0, 1);
    venue.passes(100);
    assert_eq!(venue.guests[0].state["table"]["stoodIn"], false);
    venue.ends();
    let noted = kinds(&venue.commands(0))
        .into_iter()
        .filter(|line| line.starts_with(&seat));
    let wanted = ["seated", "away", "stand_in", "back", "take_back"].map(|word| format!("{seat} {word}"));
    assert_eq!(noted.collect::<Vec<_>>(), wanted);
    let record = venue.tables[0].session.record();
    let stood_in = record
        .iter()
        .filter(|entry| matches!(&entry.what, EntryKind::Answered { reply, .. } if reply.stood_in));
    assert_eq!(stood_in.count(), venue.stood_in);
    assert!(procedures::replay(&record).is_ok());
}

#[test]
fn while_the_host_hears_nobody_nobody_is_silent_or_late() {
    for (policy, then) in ["absence", "patience"]
        .into_iter()
        .flat_map(|policy| ["skip", "stand_in", "end"].map(|then| (policy, then)))
    {
        for time in [20_000, 40_000, 7_200_000] {
            let mut changes = json!({ "tables": 1, "patience": null });
            changes[policy] = json!({ "after": 30, "then": then });
            let mut venue = Venue::open(&plan("delphi", changes), 2, CALM, 1);
            venue.thinks = Some(12_000);
            (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
            venue.passes(9_000);
            // They answer while nobody hears it.
            venue.is_cut_off_for(time);
            assert!(venue.guests.iter().all(|guest| guest.unsent.len() == 1));
            venue.passes(2);
            let deadline = venue.guests[0].state["questions"][0]["deadline"].as_u64();
            let wanted = (policy == "patience").then_some(venue.now - 2 + 30_000);
            assert_eq!(deadline, wanted, "{policy} {then} {time}");
            venue.ends();
            assert_eq!(venue.stood_in, 0, "{policy} {then} {time}");
            let record = venue.tables[0].session.record();
            let is_missing = |entry: &Rc<Entry>| matches!(entry.what, EntryKind::Unanswered { .. });
            assert!(!record.iter().any(is_missing), "{policy} {then} {time}");
            let noted = kinds(&venue.commands(0));
            assert!(noted.iter().all(|line| line.ends_with("seated")), "{noted:?}");
            assert_eq!(venue.guests[0].state["end"]["way"], "complete");
        }
    }
    // Whoever left meanwhile is missed once the host has listened for as long as it takes.
    let absence = json!({ "tables": 1, "patience": null, "absence": { "after": 60, "then": "stand_in" } });
    let mut venue = Venue::open(&plan("delphi", absence), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(9_000);
    venue.leaves(0);
    venue.is_cut_off_for(600_000);
    venue.passes(34_900);
    assert!(venue.room.view()["guests"][0]["here"].as_bool().unwrap());
    venue.passes(200);
    assert!(!venue.room.view()["guests"][0]["here"].as_bool().unwrap());
    venue.passes(24_800);
    assert_eq!(venue.stood_in, 0);
    venue.passes(200);
    assert!(venue.stood_in > 0);
    assert!(venue.room.view()["guests"][1]["here"].as_bool().unwrap());
}

#[test]
fn with_everybody_away_each_policy_brings_a_table_to_its_end() {
    for protocol in ["justice", "discussion", "debate", "delphi", "jury"] {
        for (then, missing) in [("skip", true), ("stand_in", false), ("end", false)] {
            let absence = json!({ "tables": 1, "patience": null, "absence": { "after": 30, "then": then } });
            let mut venue = Venue::open(&plan(protocol, absence), 2, CALM, 1);
            (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
            venue.thinks = None;
            venue.passes(2_000);
            (0..2).for_each(|guest| venue.leaves(guest));
            venue.passes(600_000);
            let record = venue.tables[0].session.record();
            assert!(
                matches!(record.last().unwrap().what, EntryKind::Ended { .. }),
                "{protocol} {then}"
            );
            let unanswered = record
                .iter()
                .any(|entry| matches!(entry.what, EntryKind::Unanswered { .. }));
            assert_eq!(unanswered, missing, "{protocol} {then}");
            assert!(procedures::replay(&record).is_ok());
            // Who comes back after the end is told so.
            (0..2).for_each(|guest| venue.joins(guest, 1));
            venue.passes(5_000);
            let way = if then == "end" { "dropped" } else { "complete" };
            assert_eq!(venue.guests[0].state["end"]["way"], way, "{protocol} {then}");
        }
    }
}

#[test]
fn who_takes_too_long_is_reminded_and_told_until_when() {
    let late = |then: &str| json!({ "tables": 1, "patience": { "after": 20, "then": then } });
    let mut venue = Venue::open(&plan("delphi", late("remind")), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(100_000);
    for guest in &venue.guests {
        let reminded = guest.got.iter().filter(|message| message["type"] == "remind");
        assert_eq!(reminded.count(), 1);
        assert_eq!(guest.state["questions"][0]["deadline"], Value::Null);
    }
    let mut venue = Venue::open(&plan("delphi", late("stand_in")), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(5_000);
    assert!(
        venue.guests[0].state["questions"][0]["deadline"]
            .as_u64()
            .unwrap()
            > venue.now
    );
    venue.passes(20_000);
    assert_eq!(venue.guests[0].state["end"]["way"], "complete");
}

/// Words that people write here, and programs never do.
const BY_HAND: &str = "has to say about the matter";

/// All texts that are shown, but for the words of people and what pages do not show.
fn shown(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if text.contains(BY_HAND) => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(shown).collect(),
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.retain(|name, _| !["seat", "value", "values"].contains(&name.as_str()));
            if fields.get("hasSeats").is_some() {
                let rows = fields["rows"].as_array_mut().unwrap();
                rows.iter_mut()
                    .for_each(|row| drop(row.as_array_mut().unwrap().remove(0)));
            }
            fields.values().flat_map(shown).collect()
        }
        _ => Vec::new(),
    }
}

fn quotes(blocks: &Value) -> Vec<String> {
    let blocks = blocks.as_array().into_iter().flatten();
    let quoted = blocks.filter(|block| block["block"] == "quote");
    quoted
        .map(|block| block["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn everybody_is_called_by_name_and_nothing_of_a_program_stands_under_a_persons() {
    for protocol in ["justice", "discussion", "debate", "delphi", "jury"] {
        let changes = json!({
            "tables": 1, "names": "own", "patience": null, "absence": { "after": 5, "then": "stand_in" },
            "before": [{ "label": "How old are you?", "kind": "number" }],
        });
        let mut venue = Venue::open(&plan(protocol, changes), 2, CALM, 1);
        venue.thinks = None;
        let names = ["Ana", "Ben"];
        for (guest, name) in names.iter().enumerate() {
            venue.joins(guest, 10);
            venue.passes(100);
            venue.sends(guest, "room/name", json!({ "name": name }));
            venue.passes(100);
            venue.sends(guest, "room/before", json!({ "q1": 717_171 + guest }));
            venue.passes(100);
        }
        venue.thinks = Some(4_000);
        // Ana comes and goes.
        for guest in 0..2 {
            venue.leaves(guest);
            venue.joins(guest, 1);
        }
        for turn in 0..200 {
            venue.passes(9_000);
            if venue.guests[1].state["stage"] == "over" {
                break;
            }
            match turn % 2 {
                0 => {
                    let bye = json!({ "type": "bye" });
                    venue.says(0, bye);
                    venue.passes(10);
                    venue.leaves(0);
                }
                _ => venue.joins(0, 1),
            }
        }
        venue.joins(0, 1);
        venue.passes(20_000);
        venue.ends();
        assert!(venue.stood_in > 0, "{protocol}");
        let seats: Vec<String> = (0..2)
            .map(|guest| {
                venue.guests[guest].state["table"]["seat"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        let (mut by_people, mut by_programs) = (0, 0);
        for (number, guest) in venue.guests.iter().enumerate() {
            for item in guest.items.values() {
                let said = quotes(&item["blocks"]);
                if item["seat"] == *seats[0] && !said.is_empty() {
                    let is_person = said.iter().all(|text| text.contains(BY_HAND));
                    let is_program = !said.iter().any(|text| text.contains(BY_HAND));
                    assert!(is_person != is_program, "{item:#}");
                    let called = if is_person { "Ana" } else { "Computer (for Ana)" };
                    assert_eq!(item["called"], called, "{protocol} {number} {item:#}");
                    assert_eq!(item["standsIn"] == true, is_program);
                    (by_people, by_programs) = (
                        by_people + u32::from(is_person),
                        by_programs + u32::from(is_program),
                    );
                }
                if item["seat"] == *seats[1] {
                    assert_eq!(
                        (&item["called"], &item["standsIn"]),
                        (&json!("Ben"), &Value::Null)
                    );
                }
            }
            for message in &guest.got {
                let text = message.to_string();
                for (other, seat) in seats.iter().enumerate() {
                    if other != number {
                        for secret in ["key", "canary "] {
                            assert!(!text.contains(&format!("{secret}{other}")), "{protocol} {text}");
                        }
                        assert!(!text.contains(&(717_171 + other).to_string()), "{protocol}");
                    }
                    let view = &message["view"];
                    let sections = view["sections"].as_array().into_iter().flatten();
                    let mut seen: Vec<Value> = sections.map(|section| section["title"].clone()).collect();
                    for part in ["items", "people"] {
                        let all = view[part].as_array().into_iter().flatten();
                        seen.extend(all.map(|one| one["blocks"].clone()));
                    }
                    seen.extend([view["outcome"].clone(), view["results"].clone()]);
                    let questions = message["questions"].as_array().into_iter().flatten();
                    seen.extend(questions.map(|question| question["form"].clone()));
                    for text in seen.iter().flat_map(shown) {
                        assert!(!text.contains(seat.as_str()), "{protocol} {seat}: {text}");
                    }
                }
            }
        }
        println!("{protocol}: {by_people} items of a person, {by_programs} of a program for it");
        let record = serde_json::to_string(&venue.tables[0].session.record()).unwrap();
        assert!(
            !record.contains("Ana") && !record.contains("Computer"),
            "{protocol}"
        );
    }
}

/// Two guests with a question each that is left out after a minute.
fn impatient(more: Value) -> Venue {
    let mut changes = json!({ "tables": 1, "patience": { "after": 60 } });
    for (key, value) in more.as_object().unwrap() {
        changes[key] = value.clone();
    }
    let mut venue = Venue::open(&plan("delphi", changes), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(1_000);
    venue
}

fn skipped(venue: &Venue) -> Vec<String> {
    let skipped = kinds(&venue.commands(0)).into_iter();
    skipped.filter(|line| line.ends_with(" skip")).collect()
}

#[test]
fn nobody_is_skipped_before_a_warning_that_they_could_see_and_stop() {
    let mut venue = impatient(json!({}));
    let question = |venue: &Venue, guest: usize| venue.guests[guest].state["questions"][0].clone();
    let deadline = |venue: &Venue, guest: usize| question(venue, guest)["deadline"].as_u64().unwrap();
    let first = deadline(&venue, 0);
    let asked = question(&venue, 0);
    assert_eq!(
        (&asked["then"], &asked["warnsAt"]),
        (&json!("skip"), &json!(first - 20_000))
    );
    venue.passes(first - 20_000 - venue.now + 5_000);
    venue.says(0, json!({ "type": "awake" }));
    venue.passes(10);
    let second = deadline(&venue, 0);
    assert!(
        (venue.now + 59_000..venue.now + 60_000).contains(&second),
        "{second}"
    );
    assert_eq!(deadline(&venue, 1), first);
    venue.passes(first - venue.now + 100);
    assert_eq!(skipped(&venue).len(), 1);
    venue.passes(second - venue.now - 200);
    assert_eq!(skipped(&venue).len(), 1);
    venue.passes(300);
    assert_eq!(skipped(&venue).len(), 2);

    // A device that sleeps while it is warned is warned when it wakes, or counts as away first.
    let mut venue = impatient(json!({}));
    let first = deadline(&venue, 0);
    venue.passes(30_000);
    (0..2).for_each(|guest| venue.leaves(guest));
    venue.passes(first - venue.now - 3_000);
    venue.joins(0, 1);
    venue.passes(100);
    assert!(deadline(&venue, 0) >= venue.now + 19_000);
    venue.passes(first - venue.now + 1_000);
    assert_eq!(skipped(&venue), Vec::<String>::new());
    venue.passes(5_000);
    assert_eq!(skipped(&venue).len(), 1, "who did not come back");
    venue.passes(20_000);
    assert_eq!(skipped(&venue).len(), 2);
}

#[test]
fn the_host_gives_more_time_skips_for_all_and_tells_all() {
    let mut venue = impatient(json!({ "seats": [{ "seat": "Two", "patience": { "then": "wait" } }] }));
    let deadline = |venue: &Venue| venue.guests[0].state["questions"][0]["deadline"].as_u64();
    let first = deadline(&venue).unwrap();
    assert!(venue.wishes(&HostCommand::Extend {
        seconds: 30,
        table: None
    }));
    assert!(!venue.wishes(&HostCommand::Extend {
        seconds: 30,
        table: Some(2)
    }));
    venue.passes(10);
    assert_eq!(deadline(&venue), Some(first + 30_000));
    assert!(venue.wishes(&HostCommand::Extend {
        seconds: 30,
        table: Some(1)
    }));
    venue.passes(10);
    assert_eq!(deadline(&venue), Some(first + 60_000));

    let answered = |venue: &Venue| venue.room.view()["tables"][0]["answered"].clone();
    assert_eq!(answered(&venue), json!({ "done": 0, "of": 2 }));
    let question = venue.guests[0].state["questions"][0].clone();
    let ask = question["ask"].as_str().unwrap().to_owned();
    venue.sends(0, &ask, filled(&question["form"]["fields"], "one"));
    venue.passes(10);
    assert_eq!(answered(&venue), json!({ "done": 1, "of": 2 }));
    assert!(venue.wishes(&HostCommand::Skip { table: None }));
    assert_eq!(skipped(&venue).len(), 1, "who has answered is not skipped");
    venue.passes(10);
    // The next round has begun.
    assert_eq!(answered(&venue), json!({ "done": 0, "of": 2 }));
    assert!(!venue.wishes(&HostCommand::Skip { table: Some(2) }));

    assert!(!venue.wishes(&HostCommand::Tell {
        text: "  ".to_owned()
    }));
    for text in ["one", "two", "three", " four "] {
        let text = text.to_owned();
        assert!(venue.wishes(&HostCommand::Tell { text }));
        venue.passes(10);
    }
    venue.reloads();
    venue.passes(20_000);
    for guest in &venue.guests {
        let notices = guest.state["notices"].as_array().unwrap().iter();
        let texts: Vec<&Value> = notices.map(|notice| &notice["text"]).collect();
        assert_eq!(texts, ["two", "three", "four"]);
    }
}

#[test]
fn a_seat_may_have_policies_of_its_own() {
    let changes = json!({
        "tables": 1, "patience": { "after": 20, "then": "stand_in" },
        "seats": [{ "seat": "One", "patience": { "after": 60, "then": "remind" } }],
    });
    let mut venue = Venue::open(&plan("delphi", changes), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    let reminders = |venue: &Venue, guest: usize| {
        let got = &venue.guests[guest].got;
        got.iter().filter(|message| message["type"] == "remind").count()
    };
    let deadline =
        |venue: &Venue, guest: usize| venue.guests[guest].state["questions"][0]["deadline"].as_u64();
    venue.passes(5_000);
    assert_eq!(deadline(&venue, 0), None);
    assert!(deadline(&venue, 1).unwrap() > venue.now);
    venue.passes(50_000);
    assert_eq!((reminders(&venue, 0), reminders(&venue, 1)), (0, 0));
    let stood_in = |venue: &Venue, guest: usize| venue.guests[guest].state["table"]["stoodIn"].clone();
    assert_eq!(
        (stood_in(&venue, 0), stood_in(&venue, 1)),
        (json!(false), json!(true))
    );
    venue.passes(20_000);
    assert_eq!((reminders(&venue, 0), reminders(&venue, 1)), (1, 0));
    assert_eq!(stood_in(&venue, 0), json!(false));
}

#[test]
fn what_comes_before_and_after_stands_apart_from_the_record() {
    let changes = json!({
        "tables": 1, "names": "own", "consent": "We ask about money.\n\nNothing else is kept.",
        "comprehension": [{ "label": "Two and two?", "kind": "choice", "options": ["three", "four"], "right": "four" }],
        "tries": 2, "after": [{ "id": "fair", "label": "Was it fair?", "kind": "scale", "ends": ["not at all", "very"] }],
        "ways": {
            "complete": { "url": "https://study.example/done?cc={code}&pid={PROLIFIC_PID}&x={unknown}", "code": "C1 ß" },
            "declined": { "code": "D1" }, "dropped": { "url": "https://study.example/out" },
        },
        "earned": { "unit": "€", "rate": 0.5, "fixed": 2 },
    });
    let mut venue = Venue::open(&plan("justice", changes), 4, CALM, 1);
    venue.thinks = None;
    (0..4).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(2_000);
    let asked = |venue: &Venue, guest: usize| {
        venue.guests[guest].state["questions"][0]["ask"]
            .as_str()
            .map(str::to_owned)
    };
    let mut says = |guest: usize, ask: &str, values: Value| {
        assert_eq!(asked(&venue, guest).as_deref(), Some(ask));
        venue.sends(guest, ask, values);
        venue.passes(1_000);
        venue.guests[guest]
            .got
            .iter()
            .rev()
            .find(|message| message["n"].is_u64())
            .unwrap()["type"]
            .clone()
    };
    assert_eq!(says(3, "room/consent", json!({ "consent": "no" })), "kept");
    for guest in 0..3 {
        assert_eq!(
            says(guest, "room/consent", json!({ "consent": "maybe" })),
            "refused"
        );
        assert_eq!(says(guest, "room/consent", json!({ "consent": "yes" })), "kept");
        assert_eq!(
            says(
                guest,
                "room/name",
                json!({ "name": format!("canary name {guest}") })
            ),
            "kept"
        );
    }
    assert_eq!(says(2, "room/comprehension", json!({ "q1": "three" })), "refused");
    assert_eq!(says(2, "room/comprehension", json!({ "q1": "three" })), "kept");
    assert_eq!(says(0, "room/comprehension", json!({ "q1": "four" })), "kept");
    assert_eq!(says(1, "room/comprehension", json!({ "q1": "four" })), "kept");
    assert_eq!(
        venue.guests[3].state["end"],
        json!({ "way": "declined", "code": "D1", "earned": null, "url": null })
    );
    assert_eq!(venue.guests[2].state["end"]["url"], "https://study.example/out");
    assert_eq!(venue.guests[2].state["end"]["way"], "dropped");

    venue.thinks = Some(500);
    (0..2).for_each(|guest| venue.joins(guest, 1));
    venue.guests.iter_mut().take(2).for_each(|guest| guest.number = 0);
    venue.ends();
    let end = &venue.guests[0].state["end"];
    assert_eq!(
        end["url"],
        "https://study.example/done?cc=C1%20%C3%9F&pid=canary%200&x="
    );
    let record = venue.tables[0].session.record();
    let result = match &record.last().unwrap().what {
        EntryKind::Ended { result } => result.clone(),
        other => panic!("{other:?}"),
    };
    let seat = venue.guests[0].state["you"]["pseudonym"].as_str().unwrap();
    let total = result["payoffs"][seat]["total"].as_f64().unwrap();
    assert_eq!(end["earned"], format!("€{:.2}", 2.0 + 0.5 * total));
    assert!(
        venue.guests[1].state["table"]["participants"]
            .to_string()
            .contains("canary name 0")
    );

    let text = serde_json::to_string(&record).unwrap();
    assert!(!text.contains("canary"), "a name or an id is in the record");
    let names = venue.room.names();
    assert_eq!(names[0]["name"], "canary name 0");
    assert_eq!(names[0]["params"]["PROLIFIC_PID"], "canary 0");
    assert_eq!(names[0]["answers"]["fair"], Value::Null);
    assert_eq!(names[0]["answers"]["after"]["fair"], 1.0);
    assert_eq!(names[2]["tries"], 2);
    assert!(venue.wishes(&HostCommand::Forget));
    assert!(!venue.room.names().to_string().contains("canary"));
    assert!(!venue.room.snapshot().contains("canary"));
}

/// A table of people with names of their own, a simulated participant and a model.
fn with_programs(more: Value) -> Value {
    let mut plan = plan("delphi", json!({ "tables": 1, "names": "own", "patience": null }));
    let agents = plan["session"]["agents"].as_array_mut().unwrap();
    agents[0]["kind"] = "human".into();
    agents[1]["kind"] = "human".into();
    let model = json!({ "name": "Four", "kind": "model", "model": "maker/model", "base_url": "https://secret.example/v1" });
    agents.push(model);
    for (key, value) in more.as_object().unwrap() {
        plan[key] = value.clone();
    }
    plan
}

/// Everybody joins and gives a name.
fn named(plan: &Value, names: &[&str]) -> Venue {
    let mut venue = Venue::open(plan, names.len(), CALM, 1);
    venue.thinks = None;
    for (guest, name) in names.iter().enumerate() {
        venue.joins(guest, 10 + guest as u64 * 10);
        venue.passes(1_000);
        venue.sends(guest, "room/name", json!({ "name": name }));
        venue.passes(1_000);
    }
    venue.passes(2_000);
    venue
}

#[test]
fn guests_know_who_is_a_program_and_what_everybody_is_called() {
    let absence = json!({ "absence": { "after": 30, "then": "stand_in" } });
    let plan = with_programs(absence);
    let programs = json!([
        { "name": "Three", "kind": "scripted" },
        { "name": "Four", "kind": "model", "model": "maker/model" },
    ]);
    let mut arriving = Venue::open(&plan, 1, CALM, 1);
    arriving.thinks = None;
    arriving.joins(0, 10);
    arriving.passes(1_000);
    let state = &arriving.guests[0].state;
    assert_eq!(
        (&state["stage"], &state["room"]["programs"]),
        (&json!("arriving"), &programs)
    );

    let mut venue = named(&plan, &["Ana", "Ben"]);
    let seat = |venue: &Venue, guest: usize| venue.guests[guest].state["table"]["seat"].clone();
    let (ana, ben) = (seat(&venue, 0), seat(&venue, 1));
    let others = |mut all: Vec<Value>| {
        all.push(json!({ "seat": "Three", "name": "Three", "kind": "scripted" }));
        all.push(json!({ "seat": "Four", "name": "Four", "kind": "model", "model": "maker/model" }));
        Value::from(all)
    };
    let person = |seat: &Value, name| json!({ "seat": seat, "name": name, "kind": "human" });
    for guest in &venue.guests {
        let expected = others(vec![person(&ana, "Ana"), person(&ben, "Ben")]);
        assert_eq!(guest.state["table"]["participants"], expected);
    }
    // The others see at once that a program stands in, and that it no longer does.
    venue.leaves(0);
    venue.passes(70_000);
    let program = json!({ "seat": ana, "name": "Computer (for Ana)", "kind": "scripted", "standsIn": true });
    let expected = others(vec![program, person(&ben, "Ben")]);
    assert_eq!(venue.guests[1].state["table"]["participants"], expected);
    venue.joins(0, 1);
    venue.passes(100);
    assert_eq!(venue.guests[1].state["table"]["participants"][0]["name"], "Ana");
    assert!(!venue.guests[1].state.to_string().contains("secret.example"));
}

#[test]
fn what_somebody_said_stays_theirs_when_the_seat_is_given_to_another() {
    let mut venue = Venue::open(
        &plan(
            "discussion",
            json!({ "tables": 1, "names": "own", "patience": null }),
        ),
        3,
        CALM,
        1,
    );
    venue.thinks = None;
    for (guest, name) in ["Ana", "Ben", "Cleo"].iter().enumerate() {
        venue.joins(guest, 10);
        venue.passes(100);
        venue.sends(guest, "room/name", json!({ "name": name }));
        venue.passes(100);
    }
    let says = |venue: &mut Venue, guest: usize| {
        let question = venue.guests[guest].state["questions"][0].clone();
        let ask = question["ask"].as_str().unwrap().to_owned();
        let values = filled(&question["form"]["fields"], "one");
        venue.sends(guest, &ask, values);
        venue.passes(100);
    };
    says(&mut venue, 0);
    let seat = venue.guests[0].state["table"]["seat"]
        .as_str()
        .unwrap()
        .to_owned();
    venue.says(0, json!({ "type": "leave" }));
    venue.passes(100);
    let called = |venue: &Venue| venue.guests[1].state["table"]["participants"][0]["name"].clone();
    assert_eq!(called(&venue), "Computer (for Ana)");
    says(&mut venue, 1);
    venue.passes(100);
    assert!(venue.stood_in > 0);
    let deal = HostCommand::Deal {
        guest: 3,
        table: 1,
        seat: seat.clone(),
    };
    assert!(venue.wishes(&deal));
    venue.passes(100);
    assert_eq!(called(&venue), "Cleo");
    // A device that is loaded anew is shown the same as one that was there.
    for anew in [false, true] {
        if anew {
            venue.guests[1].number = 0;
            venue.joins(1, 1);
            venue.passes(100);
        }
        let items = venue.guests[1].items.values();
        let own = items.filter(|item| item["seat"] == *seat && item["done"] == true);
        let said = own.map(|item| {
            (
                item["blocks"].to_string().contains(BY_HAND),
                item["called"].clone(),
            )
        });
        let said: BTreeMap<bool, Value> = said.collect();
        assert_eq!(
            said,
            BTreeMap::from([(true, json!("Ana")), (false, json!("Computer (for Ana)"))])
        );
    }
}

/// All texts of the lab in a language, but for those of rooms.
fn texts_of(folder: &Path, file: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.flat_map(|path| match path.is_dir() {
        true if path.ends_with("src/room") => Vec::new(),
        true => texts_of(&path, file),
        false if path.ends_with(file) => vec![fs::read_to_string(&path).unwrap()],
        false => Vec::new(),
    });
    texts.collect()
}

#[test]
fn no_pseudonym_is_a_word_of_the_lab() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (language, file) in Language::ALL.into_iter().zip(["en.json", "es.json", "zh.json"]) {
        let listed = quorate::room::TEXTS.listed(language);
        let pseudonyms = listed.iter().find(|text| text.key == "pseudonyms").unwrap().text;
        let texts = texts_of(&source, file);
        assert!(texts.len() > 20);
        for text in texts {
            let words = text.split(|c: char| !c.is_alphanumeric());
            let words: BTreeSet<&str> = words.collect();
            for name in pseudonyms.split_whitespace() {
                let is_used = if file == "zh.json" {
                    text.contains(name)
                } else {
                    words.contains(name)
                };
                assert!(!is_used, "{file}: {name}");
            }
        }
    }
}

#[test]
fn tables_are_dealt_as_evenly_as_can_be() {
    let dealt = |guests: usize, changes: Value| {
        let mut changes = changes;
        changes["start"] = json!("hand");
        let mut venue = Venue::open(&plan("delphi", changes), guests, CALM, 1);
        venue.thinks = None;
        (0..guests).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
        venue.passes(60_000);
        let begins = venue.wishes(&HostCommand::Start);
        venue.passes(1_000);
        let tables: Vec<Vec<u64>> = venue.room.view()["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| {
                table["seats"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|seat| seat["guest"].as_u64().unwrap())
                    .collect()
            })
            .collect();
        (begins, tables)
    };
    let tables = |most: u32, people: u32, more: Value| {
        let mut changes = json!({ "tables": most, "people": people });
        changes
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        changes
    };
    assert_eq!(
        dealt(7, tables(5, 3, json!({}))).1,
        [vec![1, 2, 3], vec![4, 5], vec![6, 7]]
    );
    assert_eq!(
        dealt(7, tables(5, 3, json!({ "least": 3 }))).1,
        [[1, 2, 3], [4, 5, 6]]
    );
    assert_eq!(
        dealt(7, tables(5, 3, json!({ "fill": false }))).1,
        [[1, 2, 3], [4, 5, 6]]
    );
    assert_eq!(dealt(7, tables(1, 3, json!({}))).1, [[1, 2, 3]]);
    assert_eq!(dealt(2, tables(1, 3, json!({ "least": 3 }))), (false, vec![]));
    let (_, random) = dealt(6, tables(5, 3, json!({ "deal": "random" })));
    let mut all = random.concat();
    assert_ne!(all, [1, 2, 3, 4, 5, 6]);
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3, 4, 5, 6]);
    assert_eq!(dealt(6, tables(5, 3, json!({ "deal": "random" }))).1, random);

    let mut venue = Venue::open(
        &plan("delphi", json!({ "deal": "hand", "start": "hand" })),
        3,
        CALM,
        1,
    );
    (0..3).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(5_000);
    let mut deals = |guest, table, seat: &str| {
        let seat = seat.to_owned();
        venue.wishes(&HostCommand::Deal { guest, table, seat })
    };
    assert!(deals(3, 1, "One"));
    assert!(!deals(1, 1, "One"));
    assert!(!deals(1, 1, "Nobody"));
    assert!(!deals(9, 1, "Two"));
    assert!(!deals(1, 3, "Two"));
    assert!(deals(1, 1, "Two"));
    assert!(venue.wishes(&HostCommand::Start));
    assert_eq!(venue.room.view()["tables"][0]["seats"][0]["guest"], 3);
    assert_eq!(venue.room.view()["waiting"], 1);
}

#[test]
fn pseudonyms_follow_from_the_seed_and_nobody_shares_one_in_any_language() {
    let named = |language: &str, seed: u32| {
        let plan = plan("delphi", json!({ "language": language, "seed": seed }));
        let mut venue = Venue::open(&plan, 0, CALM, 1);
        for guest in 0..120 {
            let key = format!("key{guest}");
            venue.room.receive(venue.now, &key, 10, &hello(BEGINNING));
        }
        let guests = venue.room.view()["guests"].as_array().unwrap().clone();
        let names = guests
            .iter()
            .map(|guest| guest["pseudonym"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let mut first = BTreeSet::new();
    for language in Language::CODES {
        let names = named(language, 9);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 120, "{language}");
        assert_eq!(named(language, 9), names);
        assert_ne!(named(language, 10), names);
        first.insert(names[0].clone());
    }
    assert_eq!(first.len(), Language::ALL.len());
}

/// What the last messages to a guest were, but for states and beats.
fn outcomes(venue: &Venue, guest: usize) -> Vec<String> {
    let got = venue.guests[guest].got.iter();
    let kinds = got.map(|message| message["type"].as_str().unwrap().to_owned());
    kinds
        .filter(|kind| !["here", "state"].contains(&kind.as_str()))
        .collect()
}

#[test]
fn who_sends_too_much_is_cut_off_and_nobody_else_until_let_in_again() {
    let mut venue = Venue::open(
        &plan("delphi", json!({ "tables": 1, "start": "hand" })),
        3,
        CALM,
        1,
    );
    venue.joins(2, 1);
    venue.passes(100);
    (0..1_000).for_each(|_| venue.says(2, json!({ "type": "here" })));
    venue.passes(1_000);
    assert_eq!(outcomes(&venue, 2), ["cut"]);
    assert_eq!(venue.room.view()["guests"][0]["cut"], "messages");
    // A page that is loaded anew is told so too, and goes on once the host lets it in.
    venue.joins(2, 30_000);
    venue.passes(31_000);
    assert_eq!(outcomes(&venue, 2), ["cut", "cut"]);
    let states = venue.guests[2].number;
    venue.wishes(&HostCommand::Admit { guest: 1 });
    venue.passes(100);
    assert!(venue.guests[2].number > states);
    assert_eq!(venue.room.view()["guests"][0]["cut"], Value::Null);
    for message in [
        json!(7),
        json!({}),
        json!({ "type": "answer" }),
        json!({ "type": "answer", "from": [1, 2], "to": BEGINNING }),
        json!({ "type": "hello", "from": "x", "to": BEGINNING }),
        json!({ "type": "hello", "from": [1, 1], "to": BEGINNING, "params": [1] }),
    ] {
        let effects = venue.room.receive(venue.now, "key1", 10, &message);
        venue.does(effects);
    }
}

#[test]
fn a_recorded_message_said_again_does_nothing() {
    let changes = json!({
        "tables": 1, "start": "hand", "absence": { "after": 5, "then": "end" }, "patience": null,
        "comprehension": [{ "label": "Two and two?", "kind": "choice", "options": ["three", "four"], "right": "four" }],
        "tries": 2,
    });
    let mut venue = Venue::open(&plan("delphi", changes), 2, CALM, 1);
    venue.thinks = None;
    (0..2).for_each(|guest| venue.joins(guest, 10 + guest as u64 * 10));
    venue.passes(1_000);
    let mut recorded = Vec::new();
    let mut says = |venue: &mut Venue, guest: usize, message: Value| {
        let message = venue.numbered(guest, message);
        venue.replays(guest, &message);
        venue.passes(10);
        recorded.push((guest, message));
    };
    let answers = |n: u64, option: &str| json!({ "type": "answer", "n": n, "ask": "room/comprehension", "values": { "q1": option } });
    says(&mut venue, 0, json!({ "type": "hello", "since": 0 }));
    says(&mut venue, 0, answers(1, "three"));
    // A slow line: the same answer under new numbers is no other try.
    (0..20).for_each(|_| says(&mut venue, 0, answers(1, "three")));
    assert_eq!(venue.room.names()[0]["tries"], 1);
    assert_eq!(outcomes(&venue, 0), vec!["refused"; 21]);
    says(&mut venue, 0, answers(2, "four"));
    says(&mut venue, 1, answers(1, "four"));
    assert_eq!(outcomes(&venue, 0).last().unwrap(), "kept");
    assert!(venue.wishes(&HostCommand::Start));
    venue.passes(100);
    let states = venue.room.view()["guests"].clone();
    let replayed = |venue: &mut Venue, recorded: &[(usize, Value)]| {
        let count = venue.guests.iter().map(|guest| guest.got.len()).sum::<usize>();
        for _ in 0..61 {
            for (guest, message) in recorded {
                venue.replays(*guest, message);
            }
        }
        venue.passes(5);
        venue.guests.iter().map(|guest| guest.got.len()).sum::<usize>() - count
    };
    assert_eq!(replayed(&mut venue, &recorded), 0);
    assert_eq!(venue.room.view()["guests"], states);
    // A page is left, and loaded anew: neither its farewell nor its will works once more.
    let will = json!({ "type": "bye", "from": [venue.numbered(0, json!({}))["from"][0], 0], "to": 0 });
    venue.joins(0, 1);
    venue.passes(100);
    venue.replays(0, &will);
    venue.passes(100);
    let bye = venue.numbered(0, json!({ "type": "bye" }));
    venue.joins(0, 1);
    venue.passes(100);
    for message in [&bye, &will, &bye, &will] {
        venue.replays(0, message);
    }
    recorded.extend([(0, bye), (0, will)]);
    assert_eq!(venue.room.view()["guests"], states_now(&venue, true));
    assert_eq!(replayed(&mut venue, &recorded), 0);
    venue.passes(3_000);
    assert_eq!(venue.room.view()["guests"], states_now(&venue, true));
    // After the host is loaded anew as well, they are only asked to greet it, and at most a few times.
    venue.reloads();
    venue.passes(12_000);
    venue.guests.iter_mut().for_each(|guest| guest.got.clear());
    assert!(replayed(&mut venue, &recorded) <= 20);
    assert_eq!(venue.room.view()["guests"], states_now(&venue, true));
    assert!(
        venue
            .guests
            .iter()
            .all(|guest| guest.got.iter().all(|message| message["type"] == "here"))
    );
}

/// The guests as the host sees them, all here or all away, and none cut off.
fn states_now(venue: &Venue, here: bool) -> Value {
    let mut guests = venue.room.view()["guests"].clone();
    for guest in guests.as_array_mut().unwrap() {
        guest["here"] = here.into();
        guest["cut"] = Value::Null;
        guest["way"] = Value::Null;
    }
    guests
}

#[test]
fn a_device_has_several_pages_and_is_away_once_none_is_left() {
    let mut venue = Venue::open(&plan("delphi", json!({ "start": "hand" })), 1, CALM, 1);
    let mut says = |at: u64, from: [u64; 2], kind: &str| {
        let message = json!({ "type": kind, "from": from, "to": BEGINNING });
        let effects = venue.room.receive(BEGINNING + at, "key0", 10, &message);
        venue.does(effects);
        venue.room.view()["guests"][0]["here"].as_bool()
    };
    assert_eq!(says(1, [5, 1], "hello"), Some(true));
    assert_eq!(says(2, [6, 1], "hello"), Some(true));
    assert_eq!(says(3, [6, 2], "bye"), Some(true), "the other page is open");
    assert_eq!(
        says(4, [5, 0], "bye"),
        Some(false),
        "its broker says that it is lost"
    );
    assert_eq!(
        says(5, [5, 2], "here"),
        Some(false),
        "a connection that is lost does not come back"
    );
    assert_eq!(says(6, [7, 1], "hello"), Some(true));
}

#[test]
fn those_who_only_knock_take_no_place_and_those_who_left_free_theirs() {
    let mut venue = Venue::open(&plan("delphi", json!({ "tables": 9, "people": 2 })), 1, CALM, 1);
    let says = |venue: &mut Venue, key: &str, message: &Value| {
        let effects = venue.room.receive(venue.now, key, 10, message);
        serde_json::to_value(&effects).unwrap().to_string()
    };
    // Whoever does not hear the host is not let in, so no table begins.
    for guest in 0..1_000 {
        let answered = says(&mut venue, &format!("deaf{guest}"), &hello(0));
        assert!(
            answered.contains("\"here\"") && !answered.contains("persist"),
            "{answered}"
        );
    }
    assert_eq!(venue.room.view()["guests"], json!([]));
    // 500 who do are all there is room for.
    let mut venue = Venue::open(&plan("delphi", json!({ "start": "hand" })), 1, CALM, 1);
    for guest in 0..510 {
        let is_full = says(&mut venue, &format!("more{guest}"), &hello(BEGINNING)).contains("\"full\"");
        assert_eq!(is_full, guest >= 500, "{guest}");
    }
    venue.wishes(&HostCommand::Clear);
    assert_eq!(venue.room.view()["waiting"], 0);
    for round in 1..9 {
        for guest in 0..500 {
            let key = format!("round{round} {guest}");
            assert!(
                !says(&mut venue, &key, &hello(BEGINNING)).contains("\"full\""),
                "{key}"
            );
        }
        // Removed by the host, or silent.
        if round % 2 == 0 {
            venue.wishes(&HostCommand::Clear);
        } else {
            venue.passes(40_000);
        }
    }
    assert_eq!(venue.room.view()["guests"].as_array().unwrap().len(), 2_000);
    assert!(!says(&mut venue, "last", &hello(BEGINNING)).contains("\"full\""));
}

#[test]
fn the_limits_of_devices_are_those_of_the_engine() {
    let text = include_str!("../../src/web/room/limits.js");
    let stated = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(&format!("{name}: ")));
        line.and_then(|value| value.trim_end_matches(',').parse::<usize>().ok())
    };
    for (name, value) in [
        ("text", MAX_TEXT as usize),
        ("smallest", SMALLEST),
        ("step", STEP),
        ("message", MAX_BYTES),
    ] {
        assert_eq!(stated(name), Some(value), "{name}");
    }
}

#[test]
fn faults_of_a_plan_are_told_with_their_paths() {
    let faults = |changes: Value| {
        let error = plan::checked(&plan("delphi", changes).to_string()).err().unwrap();
        error
            .0
            .into_iter()
            .map(|fault| (fault.path, fault.code))
            .collect::<Vec<_>>()
    };
    let fault = |path: &str, code| vec![(path.to_owned(), code)];
    assert_eq!(faults(json!({ "people": 4 })), fault("people", "room_people"));
    assert_eq!(faults(json!({ "least": 3 })), fault("least", "room_least"));
    assert_eq!(faults(json!({ "start": "at" })), fault("start_at", "missing"));
    assert_eq!(faults(json!({ "peopel": 2 })), fault("peopel", "unknown_near"));
    assert_eq!(
        faults(json!({ "seats": [{ "seat": "Nobody" }] })),
        fault("seats[0].seat", "room_seat")
    );
    let one = json!([{ "label": "Which?", "kind": "choice", "options": ["one"] }]);
    assert_eq!(
        faults(json!({ "before": one })),
        fault("before[0].options", "room_options")
    );
    let session = json!({ "protocol": "delphi", "agents": [] });
    let found = faults(json!({ "session": session }));
    assert!(
        found.contains(&("session.question".to_owned(), "missing")),
        "{found:?}"
    );
    assert_eq!(faults(json!({ "session": null })).first().unwrap().0, "session");
}

/// A room of its own, with the messages that its guests get.
struct Lobby {
    room: Room,
    now: u64,
    /// The connection of each guest.
    connections: BTreeMap<String, u64>,
}

impl Lobby {
    fn open(changes: Value) -> Self {
        let plan = plan("delphi", changes);
        let room = Room::open(&plan.to_string(), "r", 1_000_000, Vec::new()).unwrap();
        Self {
            room,
            now: 1_000_000,
            connections: BTreeMap::new(),
        }
    }

    /// A message as the guest's device would send it a second later.
    fn numbered(&mut self, guest: &str, mut message: Value) -> Value {
        self.now += 1_000;
        let state: Value = serde_json::from_str(&self.room.snapshot()).unwrap();
        message["from"] = json!([self.connections[guest], self.now]);
        message["to"] = state["session"].clone();
        message
    }

    fn says(&mut self, guest: &str, message: Value) -> BTreeMap<String, Value> {
        let message = self.numbered(guest, message);
        self.passes_on(guest, &message)
    }

    /// Returns the last message to each guest.
    fn passes_on(&mut self, guest: &str, message: &Value) -> BTreeMap<String, Value> {
        let effects = self.room.receive(self.now, guest, 100, message);
        let sent = effects.into_iter().filter_map(|effect| match effect {
            Effect::Send { guest, message } => Some((guest, message)),
            _ => None,
        });
        sent.collect()
    }

    fn joins(&mut self, guest: &str, params: Value) -> BTreeMap<String, Value> {
        self.connections.insert(guest.to_owned(), self.now);
        self.says(
            guest,
            json!({ "type": "hello", "language": "en", "since": 0, "params": params }),
        )
    }

    fn leaves(&mut self, guest: &str) -> BTreeMap<String, Value> {
        self.says(guest, json!({ "type": "bye" }))
    }

    fn tables(&self) -> usize {
        self.room.view()["tables"].as_array().unwrap().len()
    }

    fn reloads(&mut self) {
        self.room = Room::restore(&self.room.snapshot(), self.now).unwrap();
    }
}

#[test]
fn who_is_gone_does_not_count_in_the_lobby() {
    for deal in ["arrival", "random"] {
        for fill in [true, false] {
            let mut lobby = Lobby::open(json!({ "tables": 1, "deal": deal, "fill": fill }));
            lobby.joins("a", json!({}));
            lobby.joins("b", json!({}));
            assert_eq!(lobby.tables(), 1);

            let mut lobby = Lobby::open(json!({ "tables": 1, "deal": deal, "fill": fill }));
            lobby.joins("a", json!({}));
            lobby.leaves("a");
            assert_eq!(lobby.joins("b", json!({}))["b"]["lobby"]["here"], 1);
            assert_eq!((lobby.tables(), &lobby.room.view()["waiting"]), (0, &json!(1)));
            // The one who comes back is the second.
            lobby.joins("a", json!({}));
            assert_eq!(lobby.tables(), 1);
        }
    }
    // Who waits is told that another has left, and after a silence as well.
    let mut lobby = Lobby::open(json!({ "tables": 1, "start": "hand" }));
    lobby.joins("a", json!({}));
    assert_eq!(lobby.joins("b", json!({}))["a"]["lobby"]["here"], 2);
    assert_eq!(lobby.leaves("b")["a"]["lobby"]["here"], 1);
    lobby.joins("c", json!({}));
    lobby.now += 40_000;
    lobby.room.tick(lobby.now, true);
    assert_eq!(lobby.room.view()["waiting"], 0);
    lobby.says("c", json!({ "type": "here" }));
    let (begins, _) = lobby.room.host_command(lobby.now, &HostCommand::Start);
    assert!(begins);
    let seats = &lobby.room.view()["tables"][0]["seats"];
    assert_eq!(
        (seats.as_array().unwrap().len(), &seats[0]["guest"]),
        (1, &json!(3))
    );
}

#[test]
fn a_reloaded_host_counts_who_is_heard_again() {
    let mut lobby = Lobby::open(json!({ "tables": 1 }));
    lobby.joins("a", json!({}));
    lobby.reloads();
    assert_eq!(lobby.joins("b", json!({}))["b"]["lobby"]["here"], 1);
    assert_eq!(lobby.tables(), 0);
    lobby.joins("a", json!({}));
    assert_eq!(lobby.tables(), 1);
}

#[test]
fn seats_dealt_by_hand_begin_when_all_are_here() {
    let mut lobby = Lobby::open(json!({ "tables": 1, "deal": "hand" }));
    lobby.joins("a", json!({}));
    lobby.joins("b", json!({}));
    for (guest, seat) in [(1, "One"), (2, "Two")] {
        if guest == 2 {
            lobby.leaves("a");
        }
        let seat = seat.to_owned();
        let deal = HostCommand::Deal {
            guest,
            table: 1,
            seat,
        };
        assert!(lobby.room.host_command(lobby.now, &deal).0);
    }
    assert_eq!(lobby.room.view()["tables"][0]["begun"], false);
    lobby.joins("a", json!({}));
    assert_eq!(lobby.room.view()["tables"][0]["begun"], true);
}

#[test]
fn one_id_is_one_person() {
    let id = || json!({ "PROLIFIC_PID": " abc", "STUDY_ID": "s1" });
    let again = || json!({ "prolific_pid": "abc", "SESSION_ID": "2" });
    let kind =
        |sent: &BTreeMap<String, Value>, guest: &str| sent.get(guest).map(|message| message["type"].clone());
    let guests = |lobby: &Lobby| lobby.room.view()["guests"].as_array().unwrap().clone();
    let mut lobby = Lobby::open(json!({ "tables": 2 }));
    lobby.joins("a", id());
    // While the first device is there, the second waits.
    let sent = lobby.joins("b", again());
    assert_eq!(kind(&sent, "b"), Some(json!("in_use")));
    assert_eq!((guests(&lobby).len(), lobby.tables()), (1, 0));
    assert_eq!(guests(&lobby)[0]["elsewhere"], true);
    // Once it is gone, the second takes over, and what the first sends counts no more.
    lobby.leaves("a");
    let sent = lobby.joins("b", again());
    assert_eq!(kind(&sent, "a"), Some(json!("moved")));
    assert_eq!(kind(&sent, "b"), Some(json!("state")));
    assert_eq!(
        (guests(&lobby).len(), &guests(&lobby)[0]["elsewhere"]),
        (1, &json!(false))
    );
    assert!(lobby.says("a", json!({ "type": "leave" })).is_empty());
    assert_eq!(kind(&lobby.joins("a", id()), "a"), Some(json!("in_use")));
    // The same holds at a table and after a reload of the host, and others have seats of their own.
    lobby.joins("c", json!({ "PROLIFIC_PID": "abd" }));
    assert_eq!(lobby.tables(), 1);
    lobby.reloads();
    assert_eq!(kind(&lobby.joins("d", again()), "d"), Some(json!("in_use")));
    lobby.leaves("b");
    lobby.joins("d", again());
    let all = guests(&lobby);
    assert_eq!(
        (all.len(), &all[0]["here"], &all[0]["table"]),
        (2, &json!(true), &json!(1))
    );

    // Ids that are empty or not the plan's tell nobody apart.
    for (params, plan) in [
        (json!({ "PROLIFIC_PID": "  " }), json!({})),
        (json!({ "group": "4b" }), json!({})),
        (json!({ "PROLIFIC_PID": "abc" }), json!({ "ids": ["sona"] })),
        (json!({ "PROLIFIC_PID": "abc" }), json!({ "ids": [] })),
    ] {
        let mut lobby = Lobby::open(plan);
        lobby.joins("a", params.clone());
        lobby.joins("b", params);
        assert_eq!(guests(&lobby).len(), 2);
    }
    let mut lobby = Lobby::open(json!({ "ids": ["sona"] }));
    lobby.joins("a", json!({ "sona": "7" }));
    lobby.joins("b", json!({ "sona": "7" }));
    assert_eq!(guests(&lobby).len(), 1);
}

#[test]
fn what_an_earlier_device_sent_does_not_move_the_seat_back() {
    let id = || json!({ "PROLIFIC_PID": "abc" });
    let mut lobby = Lobby::open(json!({}));
    lobby.joins("a", id());
    let hello = lobby.numbered("a", json!({ "type": "hello", "params": id() }));
    lobby.leaves("a");
    lobby.joins("b", id());
    lobby.leaves("b");
    assert_eq!(lobby.passes_on("a", &hello), BTreeMap::new());
    assert_eq!(lobby.room.view()["guests"][0]["here"], false);
    // A page of it that is loaded anew does.
    assert_eq!(lobby.joins("a", id())["a"]["type"], "state");
}

#[test]
fn tables_start_at_their_date_whatever_the_clock_does() {
    let mut lobby = Lobby::open(json!({ "tables": 1, "start": "at", "start_at": 1_600_000 }));
    lobby.joins("a", json!({}));
    // The date was set back by an hour; the room's clock goes on.
    lobby.room.set_ahead(3_600_000);
    lobby.room.tick(1_650_000, true);
    assert_eq!(lobby.tables(), 0);
    lobby.now = 5_190_000;
    lobby.says("a", json!({ "type": "here" }));
    lobby.room.tick(5_200_000, true);
    assert_eq!(lobby.tables(), 1);
}

#[test]
fn given_names_are_seen_and_told_apart() {
    let mut lobby = Lobby::open(json!({ "tables": 1, "names": "own" }));
    let mut gives = |guest: &str, name: &str| {
        lobby.joins(guest, json!({}));
        let answer =
            json!({ "type": "answer", "n": lobby.now, "ask": "room/name", "values": { "name": name } });
        let sent = lobby.says(guest, answer);
        sent.get(guest).map(|message| message["type"].clone())
    };
    assert_eq!(gives("a", "Ana"), Some(json!("state")));
    assert_eq!(gives("b", "\u{202e}\u{200b}"), Some(json!("refused")));
    assert_eq!(gives("b", "Ana\u{200b}\u{202e}"), Some(json!("state")));
    let record = lobby.room.snapshot();
    assert_eq!(record.matches(r#""name":"Ana""#).count(), 2, "{record}");
}
