//! What is shown of discussions and debates, and that changes since a number make up the whole.

use crate::support::talk::{self, Talk};
use quorate::core::ask::Reply;
use quorate::core::record::{Entry, EntryKind};
use quorate::core::visibility::Role;
use quorate::core::{Effect, Input, Status};
use quorate::procedures;
use quorate::procedures::view::{view, view_of};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

const NAMES: [&str; 4] = ["Ann", "B/o", "Cleo", "Dan"];

/// A debate of scripted seats with changes to its configuration; `says` answers what is to be answered otherwise.
fn debate(changes: &Value, says: impl Fn(&str) -> Option<&'static str>) -> Vec<Rc<Entry>> {
    let agents: Vec<Value> = NAMES.iter().map(|name| json!({ "name": name })).collect();
    let kinds = ["propose", "critique", "revise", "vote", "judge"];
    let schedule: Vec<Value> = kinds.iter().map(|kind| json!({ "kind": kind })).collect();
    let mut config = json!({
        "protocol": "debate", "seed": 3, "question": "Should shops close on Sundays?", "agents": agents,
        "schedule": schedule,
    });
    config
        .as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    let (mut session, mut outcome) = procedures::begin(&config, "s", 0).unwrap();
    let mut entries = Vec::new();
    let mut inputs = VecDeque::new();
    loop {
        entries.extend(outcome.entries);
        for effect in outcome.effects {
            let Effect::Ask { call, seat, .. } = effect else {
                continue;
            };
            let said = says(&call.ask.id).map(str::to_owned);
            inputs.push_back(Input::Answered {
                ask: call.ask.id.clone(),
                attempt: call.attempt,
                reply: Reply {
                    text: said.unwrap_or_else(|| procedures::scripted_answer(&seat, 3, &call)),
                    ..Reply::default()
                },
            });
        }
        let Some(input) = inputs.pop_front() else { break };
        outcome = session.handle(entries.len() as u64, input);
    }
    assert_eq!(session.status(), Status::Ended);
    entries
}

fn plain(changes: &Value) -> Vec<Rc<Entry>> {
    debate(changes, |_| None)
}

/// The record up to the first event of that type, and with it or without.
fn until<'a>(record: &'a [Rc<Entry>], kind: &str, with: bool) -> &'a [Rc<Entry>] {
    let is_it = |entry: &Rc<Entry>| matches!(&entry.what, EntryKind::Event { event, .. } if event.value()["type"] == kind);
    &record[..record.iter().position(is_it).unwrap() + usize::from(with)]
}

fn seen(record: &[Rc<Entry>], role: &str) -> Value {
    view_of(record, Role::named(role).unwrap()).json(None)
}

fn item<'a>(view: &'a Value, key: &str) -> &'a Value {
    let mut items = view["items"].as_array().unwrap().iter();
    items.find(|item| item["key"] == key).unwrap_or(&Value::Null)
}

fn keys(view: &Value, section: usize) -> Vec<&str> {
    let items = view["sections"][section]["items"].as_array().unwrap();
    items.iter().map(|key| key.as_str().unwrap()).collect()
}

/// What a page does with changes.
fn take(store: &mut Value, changes: Value) {
    let Value::Object(changes) = changes else { panic!() };
    for (name, told) in changes {
        let key = match name.as_str() {
            "people" => "name",
            "sections" | "items" => "key",
            "asks" => "id",
            _ => {
                store[name] = told;
                continue;
            }
        };
        let all = store[&name].as_array_mut().unwrap();
        for one in told.as_array().unwrap() {
            match all.iter_mut().find(|known| known[key] == one[key]) {
                Some(known) => *known = one.clone(),
                None => all.push(one.clone()),
            }
        }
    }
}

/// In an order that does not depend on when something came.
fn sorted(mut view: Value) -> Value {
    for name in ["people", "sections", "items", "asks"] {
        let all = view[name].as_array_mut().unwrap();
        all.sort_by_key(|one| one["key"].to_string() + &one["id"].to_string() + &one["name"].to_string());
    }
    view["whole"] = json!(true);
    view
}

#[test]
fn changes_make_up_the_whole_at_every_entry() {
    let record = plain(&json!({ "topology": "ring" }));
    for role in ["owner", "audience", "seat:Cleo"] {
        let role = Role::named(role).unwrap();
        let mut view = view(role);
        let mut store = json!({ "people": [], "sections": [], "items": [], "asks": [] });
        let mut number = 0;
        for entry in &record {
            view.take(entry);
            take(&mut store, view.json(Some(number)));
            number = view.transcript().number();
            assert_eq!(sorted(store.clone()), sorted(view.json(None)), "{}", entry.seq);
        }
    }
}

#[test]
fn a_proposal_has_a_card_a_round_with_its_critiques_in_the_order_of_the_table() {
    let record = plain(&json!({ "max_extended_rounds": 0 }));
    let shown = seen(&record, "owner");
    assert_eq!(keys(&shown, 0), NAMES.map(|name| format!("card/0/{name}")));
    assert_eq!(shown["sections"][1]["kinds"], json!(["critique"]));
    let card = item(&shown, "card/1/B/o");
    let below = keys(&shown, 1)
        .into_iter()
        .skip_while(|key| *key != "card/1/B/o")
        .skip(1);
    let critiques: Vec<&str> = below.take_while(|key| key.starts_with("critique/")).collect();
    assert_eq!(
        critiques,
        ["Ann", "Cleo", "Dan"].map(|critic| format!("critique/1/B/o/{critic}"))
    );
    assert_eq!(
        (&card["step"], &card["done"], &card["standing"]["version"]),
        (&json!("critique"), &json!(true), &json!(1))
    );
    let revised = item(&shown, "card/2/B/o");
    assert_eq!(
        (
            &revised["step"],
            &revised["edition"],
            &revised["before"]["version"]
        ),
        (&json!("revise"), &json!(2), &json!(1))
    );
    let person = shown["people"]
        .as_array()
        .unwrap()
        .iter()
        .find(|person| person["name"] == "B/o")
        .unwrap();
    assert_eq!(
        (&person["edition"], person["versions"].as_array().unwrap().len()),
        (&json!(2), 2)
    );
    let states: Vec<&str> = shown["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["done"; 5]);
    assert_eq!(seen(&record[..1], "owner")["steps"][0]["state"], "current");
}

#[test]
fn a_critique_that_came_to_nothing_says_so_where_it_was_waited_for() {
    let record = debate(&json!({}), |id| {
        id.starts_with("round/1/critique/Cleo/Ann#").then_some("")
    });
    let told = |role: &str| item(&seen(&record, role), "critique/1/Cleo/Ann").clone();
    assert_eq!(told("owner")["failed"], "empty_response");
    assert_eq!(told("seat:Ann")["failed"], "empty_response");
    assert_eq!(told("seat:Dan"), Value::Null);
    assert!(!seen(&record, "seat:Dan").to_string().contains("empty_response"));
}

/// Returns all words of a part of a view, with the names of its fields.
fn keys_left(value: &Value) -> Vec<String> {
    let text = value.to_string();
    let key = regex::Regex::new(r#"\b(view|kind|decided_by|outcome)\.[a-z_]+|\{[a-z]+\}"#).unwrap();
    key.find_iter(&text)
        .map(|found| found.as_str().to_owned())
        .collect()
}

#[test]
fn every_item_of_a_debate_and_its_results_are_words_in_each_language() {
    for language in ["English", "Spanish", "Mandarin"] {
        let record = plain(&json!({ "language": language, "enable_rhetorical_observer": true }));
        let shown = seen(&record, "owner");
        for item in shown["items"].as_array().unwrap() {
            assert_ne!(item["blocks"], json!([]), "{item}");
            assert_eq!(keys_left(&item["blocks"]), [""; 0], "{item}");
        }
        for part in ["results", "outcome", "sections"] {
            assert_eq!(keys_left(&shown[part]), [""; 0], "{}", shown[part]);
        }
        let parts: Vec<&str> = shown["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["block"].as_str().unwrap())
            .collect();
        assert!(
            parts.len() > 6 && parts.iter().all(|part| *part == "section"),
            "{parts:?}"
        );
        for part in seen(&record, "audience")["results"].as_array().unwrap() {
            assert_eq!(keys_left(part), [""; 0], "{part}");
        }
    }
}

#[test]
fn a_projector_shows_proposals_and_critiques() {
    let shown = seen(&plain(&json!({})), "owner");
    let of_participants = |item: &&Value| item["seat"].is_string() && item["isProjected"] == true;
    let items = shown["items"].as_array().unwrap();
    let types: BTreeSet<&str> = items
        .iter()
        .filter(of_participants)
        .map(|item| item["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, BTreeSet::from(["card", "critique"]));
}

#[test]
fn votes_are_kept_until_they_are_counted() {
    let record = plain(&json!({}));
    let open = seen(until(&record, "voted", false), "owner");
    let vote = item(&open, "vote/3");
    assert_eq!(
        (&vote["votes"], &vote["decision"], &vote["members"][0]["voting"]),
        (&json!([]), &json!(null), &json!("cast"))
    );
    for ask in open["asks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|ask| ask["kind"] == "vote")
    {
        assert_eq!(
            (&ask["sealed"], &ask["reply"], &ask["reading"]),
            (&json!(true), &json!(null), &json!(null))
        );
    }
    assert_eq!(open["doing"], json!({}));
    let closed = seen(until(&record, "counted", true), "owner");
    let rows = item(&closed, "vote/3")["votes"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert!(
        rows.iter()
            .all(|row| row["state"] == "cast" && row["reasoning"] != ""),
        "{rows:?}"
    );
    assert!(
        closed["asks"]
            .as_array()
            .unwrap()
            .iter()
            .all(|ask| ask["sealed"] == false)
    );
    // Why somebody voted so is for whoever did.
    let own = seen(until(&record, "counted", true), "seat:Ann");
    let rows = item(&own, "vote/3")["votes"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row["reasoning"] != "").count(), 1);
    assert_eq!(seen(&record, "audience")["asks"], json!([]));
}

#[test]
fn whoever_judges_does_not_see_whose_proposal_is_whose() {
    let agents: Vec<Value> = NAMES
        .iter()
        .map(|name| json!({ "name": name, "role": if *name == "Dan" { "judge" } else { "proposer" } }))
        .collect();
    let record = plain(&json!({ "agents": agents }));
    let judged = seen(until(&record, "judged", true), "seat:Dan");
    assert_eq!(item(&judged, "judge/4")["order"], Value::Null);
    assert_eq!(item(&judged, "judge/4")["judged"], Value::Null);
    assert!(
        judged["people"]
            .as_array()
            .unwrap()
            .iter()
            .all(|person| person["versions"] == json!([]))
    );
    assert_eq!(
        item(&seen(&record, "seat:Ann"), "judge/4")["order"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    // What came of it is for all.
    assert_eq!(
        seen(&record, "seat:Dan")["result"]["proposals"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn on_a_ring_neighbours_know_of_each_other_until_all_are_laid_before_all() {
    let record = plain(&json!({ "topology": "ring" }));
    let before = until(&record, "laid", false);
    let cards = |role: &str| {
        let shown = seen(before, role);
        NAMES.map(|name| item(&shown, &format!("card/0/{name}"))["text"].is_string())
    };
    assert_eq!(cards("seat:Ann"), [true, true, false, true]);
    assert_eq!(cards("audience"), [false; 4]);
    assert_eq!(cards("owner"), [true; 4]);
    let after = seen(until(&record, "laid", true), "audience");
    let laid = after["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["type"] == "laid")
        .unwrap();
    assert_eq!(laid["proposals"].as_array().unwrap().len(), 4);
    assert_eq!(item(&seen(&record, "seat:Ann"), "check/2"), &Value::Null);
}

#[test]
fn a_discussion_shows_who_speaks_and_keeps_what_was_cut_off_for_whoever_wrote_it() {
    let config = talk::config(
        &["manager:Ana", "leader:Ben", "user:Cleo"],
        &json!({ "rounds": 2, "topic": "Bread", "start": "at_once" }),
    );
    let talk = Talk::begin(&config, &|call| {
        Ok(format!(
            "{}: I am {}.\nCleo: and I say no.",
            call.ask.seat, call.ask.seat
        ))
    });
    let record = talk.session.record();
    let owner = seen(&record, "owner");
    assert_eq!(
        (&owner["next"][0], &owner["round"], &owner["rounds"]),
        (&json!("Cleo"), &json!(1), &json!(2))
    );
    let said = item(&owner, "round/1/turn/0/Ana");
    assert_eq!(
        (&said["text"], &said["done"]),
        (&json!("I am Ana."), &json!(true))
    );
    assert!(said["metadata"]["raw"].as_str().unwrap().contains("and I say no"));
    for role in ["audience", "seat:Ben"] {
        let view = seen(&record, role);
        let said = &view["items"][0];
        assert_eq!(
            (&said["text"], &said["metadata"]),
            (&json!("I am Ana."), &json!({})),
            "{role}"
        );
        assert_eq!(
            (&view["doing"]["Cleo"], &view["topic"]),
            (&json!("turn"), &json!("Bread")),
            "{role}"
        );
    }
    assert_eq!(
        seen(&record, "seat:Ana")["items"][0]["metadata"]["raw"],
        said["metadata"]["raw"]
    );
    let open = seen(&record, "seat:Cleo");
    let own: Vec<&Value> = open["asks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|ask| ask["state"] != "answered")
        .collect();
    assert_eq!(own.len(), 1);
    assert!(
        own[0]["question"]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("I am Ana.")
    );
}

#[test]
fn a_record_of_a_procedure_that_nobody_knows_is_shown_as_far_as_it_goes() {
    let mut record = plain(&json!({}));
    let mut head = (*record[0]).clone();
    if let EntryKind::Started(head) = &mut head.what {
        head.protocol = "auction".to_owned();
    }
    record[0] = Rc::new(head);
    let shown = seen(&record, "owner");
    assert_eq!(
        (&shown["run"], &shown["items"], &shown["steps"]),
        (&json!("ended"), &json!([]), &json!([]))
    );
    assert!(shown["asks"].as_array().unwrap().len() > 10);
    assert_eq!(seen(&record, "audience")["asks"], json!([]));
}
