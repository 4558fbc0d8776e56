//! The experiment as each role sees it: what is shown of a run, and that nobody's view depends on what others do in
//! private.

use crate::support::times;
use crate::support::world::{NAMES, Reaction, Run, config, plain, run, says, votes_from};
use quorate::core::ask::Call;
use quorate::core::audience::Audience;
use quorate::core::record::{Command, Entry, EntryKind};
use quorate::core::view::naming::{Holder, Names};
use quorate::core::visibility::Role;
use quorate::procedures::justice::asks;
use quorate::procedures::view::{view, view_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

fn seat(name: &str) -> Role {
    Role::Seat(name.to_owned())
}

fn item<'a>(view: &'a Value, key: &str) -> Option<&'a Value> {
    let items = view["items"].as_array().unwrap();
    items.iter().find(|item| item["key"] == key)
}

fn person<'a>(view: &'a Value, name: &str) -> &'a Value {
    let people = view["people"].as_array().unwrap();
    people.iter().find(|person| person["name"] == name).unwrap()
}

/// Whole views of a run at the entries that end with this kind of event.
fn at_events(run: &Run, role: &Role, kind: &str) -> Vec<Value> {
    let record = run.record();
    let mut view = view(role.clone());
    let mut found = Vec::new();
    for entry in &record {
        view.take(entry);
        if matches!(&entry.what, EntryKind::Event { event, .. } if event.value()["type"] == kind) {
            found.push(view.json(None));
        }
    }
    found
}

/// Two rounds, the second with a vote: Ana for one principle, all others for another.
fn disagreed(call: &Call) -> Reaction {
    match (call.ask.kind.name(), call.ask.round, call.ask.seat.as_str()) {
        (asks::VOTE_INITIATION, Some(2), "Ben") => says("1"),
        (asks::BALLOT_PRINCIPLE, _, "Ana") => says("1"),
        _ => says(plain(call)),
    }
}

#[test]
fn the_owner_sees_the_run_in_the_order_of_the_procedure() {
    let run = run(&config(3, &json!({ "phase2_rounds": 3 })), votes_from(2));
    let shown = view_of(&run.record(), Role::Owner).json(None);
    let sections: Vec<&str> = shown["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| section["key"].as_str().unwrap())
        .collect();
    assert_eq!(
        sections,
        [
            "1/initial_ranking",
            "1/explanation",
            "1/post_explanation_ranking",
            "1/application/1",
            "1/application/2",
            "1/application/3",
            "1/application/4",
            "1/final_ranking",
            "2/round/1",
            "2/round/2",
            "2/results"
        ]
    );
    let items = shown["items"].as_array().unwrap();
    assert!(
        items
            .iter()
            .all(|item| item["done"] == true || item["type"] == "initiation")
    );
    let said = item(&shown, "say/1/Ana").unwrap();
    assert_eq!(said["reasoning"], "Thoughts of Ana in round 1.");
    assert_eq!(said["asks"].as_array().unwrap().len(), 2);
    let ana = person(&shown, "Ana");
    assert_eq!(ana["rankings"].as_object().unwrap().len(), 4);
    assert!(ana["bank"].as_f64().unwrap() > 0.0 && ana["memory"].as_str().unwrap().contains("Ana"));
    let vote = item(&shown, "vote/2").unwrap();
    assert_eq!(vote["initiator"], "Ana");
    assert_eq!(vote["ballot"]["votes"].as_array().unwrap().len(), 3);
    assert_eq!(vote["ballot"]["amount"], 13_000);
    let states: Vec<_> = shown["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["state"])
        .collect();
    assert_eq!(&states[..7], vec!["done"; 7]);
    assert_eq!(&states[7..], ["skipped", "done"]);
    assert_eq!(shown["result"]["payoffs"].as_object().unwrap().len(), 3);
    assert_eq!(shown["calls"], run.calls.len());
}

#[test]
fn a_seat_sees_what_stands_in_the_public_history_and_its_own() {
    let run = run(&config(3, &json!({ "phase2_rounds": 2 })), disagreed);
    let shown = view_of(&run.record(), seat("Ben")).json(None);
    // The public history: orders, statements, notices, who takes part, how the vote came out, what was drawn.
    for key in ["order/1", "say/1/Ana", "say/2/Cleo", "vote/2", "drawn"] {
        assert!(item(&shown, key).is_some(), "{key}");
    }
    let vote = item(&shown, "vote/2").unwrap();
    assert_eq!(vote["initiator"], "Ben");
    assert_eq!(vote["ballot"]["disagreement"], "principle_disagreement");
    let votes = vote["ballot"]["votes"].as_array().unwrap();
    assert_eq!(votes.len(), 1, "nobody's vote but the own");
    assert_eq!(
        (&votes[0]["seat"], &votes[0]["amount"]),
        (&json!("Ben"), &json!(13_000))
    );
    let answers: Vec<_> = vote["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["answer"])
        .collect();
    assert_eq!(answers, [true, true, true]);
    // Of the others: no ranking, choice, income, memory, reasoning, reading.
    for item in shown["items"].as_array().unwrap() {
        if let Some(of) = item["seat"].as_str().filter(|of| *of != "Ben") {
            assert_eq!(item["type"], "statement", "{item}");
            assert_eq!(
                (&item["reasoning"], &item["favored"]),
                (&Value::Null, &Value::Null),
                "{of}"
            );
        }
    }
    assert!(
        shown["asks"]
            .as_array()
            .unwrap()
            .iter()
            .all(|ask| ask["seat"] == "Ben")
    );
    let (ben, ana) = (person(&shown, "Ben"), person(&shown, "Ana"));
    assert!(ben["bank"].as_f64().unwrap() > 0.0 && ben["rankings"]["after_results"].is_object());
    assert!(ana.get("bank").is_none() && ana.get("memory").is_none() && ana.get("rankings").is_none());
    // The result: what the group came to, and the own payoff.
    let result = &shown["result"];
    assert_eq!(
        (&result["consensus_reached"], &result["rounds_completed"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(
        result["payoffs"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["Ben"]
    );
    assert_eq!(
        result["final_rankings"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["Ben"]
    );
    assert!(result.get("voting_records").is_none() && result.get("seed").is_none());
    assert!(!shown["results"].to_string().contains("To look at"));
    assert_eq!(shown["head"]["seed"], 0);

    let audience = view_of(&run.record(), Role::Audience).json(None);
    assert_eq!(audience["asks"], json!([]));
    let vote = item(&audience, "vote/2").unwrap();
    assert_eq!(vote["ballot"]["votes"], json!([]));
    assert!(item(&audience, "say/1/Ana").is_some() && item(&audience, "rank/initial/Ana").is_none());
    assert_eq!(audience["result"]["payoffs"], json!({}));
}

#[test]
fn ballots_are_sealed_for_the_owner_too_until_they_are_counted() {
    let run = run(&config(3, &json!({ "phase2_rounds": 2 })), disagreed);
    let record = run.record();
    let mut owner = view(Role::Owner);
    let mut own = view(seat("Ana"));
    let mut seen = [0, 0];
    for entry in &record {
        owner.take(entry);
        own.take(entry);
        let (all, one) = (owner.json(None), own.json(None));
        let vote = item(&all, "vote/2");
        let counted = vote.is_some_and(|vote| !vote["ballot"].is_null());
        for ask in all["asks"].as_array().unwrap() {
            if !ask["kind"].as_str().unwrap().starts_with("ballot") {
                continue;
            }
            assert_eq!(ask["sealed"], !counted);
            assert!(counted || (ask["reply"].is_null() && ask["reading"].is_null()));
            seen[usize::from(counted)] += 1;
        }
        // Who is asked for an amount has voted for a constraint: that must not show.
        if vote.is_some_and(|vote| vote["balloting"] == true) && !counted {
            assert_eq!(
                all["doing"],
                json!({ "Ana": "voting", "Ben": "voting", "Cleo": "voting" })
            );
            assert_eq!(one["doing"], all["doing"]);
            let mine = one["asks"].as_array().unwrap();
            let answered = mine
                .iter()
                .filter(|ask| ask["kind"] == asks::BALLOT_PRINCIPLE && ask["state"] == "answered");
            assert!(
                answered.into_iter().all(|ask| ask["reply"]["text"] == "1"),
                "the own vote is no secret"
            );
        }
    }
    assert!(seen.iter().all(|count| *count > 0));
}

#[test]
fn a_manipulators_task_is_for_it_alone() {
    let settings = json!({
        "phase2_rounds": 1,
        "manipulator": { "name": "Ben", "target_strategy": "least_popular_after_round1" },
    });
    let run = run(&config(3, &settings), |call| says(plain(call)));
    let target = run.events_of("target_set")[0]["target"].clone();
    assert!(target.is_string());
    let of = |role| {
        let shown = view_of(&run.record(), role).json(None);
        let ben = person(&shown, "Ben");
        let task = item(&shown, "target/Ben").map_or(Value::Null, |item| item["target"].clone());
        (
            ben["manipulator"].clone(),
            ben["target"].clone(),
            task,
            shown.to_string().contains("scores"),
        )
    };
    assert_eq!(
        of(Role::Owner),
        (json!(true), target.clone(), target.clone(), false)
    );
    assert_eq!(of(seat("Ben")), (json!(true), target.clone(), target, false));
    for role in [seat("Ana"), seat("Cleo"), Role::Audience] {
        assert_eq!(of(role), (json!(false), Value::Null, Value::Null, false));
    }
}

#[test]
fn whose_turn_it_is_follows_from_the_order_and_what_was_said() {
    let run = run(&config(3, &json!({ "phase2_rounds": 1 })), |call| {
        says(plain(call))
    });
    let order = run.events_of("ordered")[0]["seats"].clone();
    let spoken = at_events(&run, &Role::Audience, "spoke");
    let speaking = |shown: &Value| {
        shown["doing"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(speaking(&spoken[0]), [order[1].as_str().unwrap()]);
    assert_eq!(speaking(&spoken[1]), [order[2].as_str().unwrap()]);
    assert_eq!(spoken[1]["next"], json!([order[2]]));
    assert_eq!(speaking(&spoken[2]), Vec::<String>::new());
}

#[test]
fn a_memory_is_added_to_or_replaced_and_answers_that_cannot_be_read_are_told_apart() {
    let run = run(&config(2, &json!({ "phase2_rounds": 1 })), |call| {
        match (call.ask.kind.name(), call.ask.seat.as_str()) {
            (asks::VOTE_INITIATION, "Ana") => says("1"),
            (asks::VOTE_CONFIRMATION, "Ben") => says("perhaps, who knows"),
            (asks::STATEMENT, "Ben") => says("too short"),
            _ => says(plain(call)),
        }
    });
    let owner = view_of(&run.record(), Role::Owner).json(None);
    let events = run.events_of("remembered");
    let mut memory = String::new();
    for event in events.iter().filter(|event| event["seat"] == "Ana") {
        let text = event["text"].as_str().unwrap();
        memory = match event["how"].as_str().unwrap() {
            "appended" if !memory.is_empty() => format!("{memory}\n{text}"),
            _ => text.to_owned(),
        };
    }
    assert_eq!(person(&owner, "Ana")["memory"], memory);
    let asked = person(&owner, "Ana")["memoryAsk"].as_str().unwrap();
    assert!(asked.contains("memory_update/"), "{asked}");
    let of = |role| view_of(&run.record(), role).json(None);
    let ben = |shown: &Value| {
        let members = item(shown, "vote/1").unwrap()["members"]
            .as_array()
            .unwrap()
            .clone();
        members.into_iter().find(|one| one["seat"] == "Ben").unwrap()["answer"].clone()
    };
    assert_eq!(
        ben(&owner),
        Value::Null,
        "the owner knows that it could not be read"
    );
    assert_eq!(ben(&of(seat("Ben"))), Value::Null);
    assert_eq!(
        ben(&of(seat("Ana"))),
        json!(false),
        "to the others it counts as no"
    );
    assert_eq!(item(&owner, "say/1/Ben").unwrap()["validation"], "best_effort");
    assert!(owner["results"].to_string().contains("To look at"));
}

#[test]
fn the_worked_examples_are_told_as_data_to_everybody_alike() {
    for settings in [
        json!({}),
        json!({ "original_values_mode": { "enabled": true } }),
        json!({ "income_class_probabilities": { "high": 0.2, "medium_high": 0.2, "medium": 0.2, "medium_low": 0.2, "low": 0.2 } }),
    ] {
        let run = run(&config(2, &settings), |call| says(plain(call)));
        let shown = |role| view_of(&run.record(), role).json(None);
        let (owner, ben) = (shown(Role::Owner), shown(seat("Ben")));
        let explained = &item(&owner, "explain/Ben").unwrap()["shown"];
        assert_eq!(explained["distributions"].as_array().unwrap().len(), 4);
        assert_eq!(explained["examples"].as_array().unwrap().len(), 6);
        assert_eq!(explained, &item(&ben, "explain/Ben").unwrap()["shown"]);
        assert!(item(&ben, "explain/Ana").is_none());
    }
}

#[test]
fn figures_are_those_of_the_payoffs_and_each_seat_has_its_own() {
    let changes = json!({ "wording": "class", "phase2_rounds": 2 });
    for answer in [|call: &Call| votes_from(2)(call), |call: &Call| says(plain(call))] {
        let run = run(&config(3, &changes), answer);
        let result = run.result();
        for role in [Role::Owner, seat("Ben"), Role::Audience] {
            let all = at_events(&run, &role, "counted");
            assert!(all.iter().all(|view| view["figures"].is_null()), "{role:?}");
            let shown = view_of(&run.record(), role.clone()).json(None);
            let figures = &shown["figures"];
            let worlds = figures["worlds"].as_array().unwrap();
            let rules: Vec<_> = worlds.iter().map(|world| world["rule"].clone()).collect();
            assert_eq!(rules, [1, 2, 3, 4]);
            let reached = result["consensus_reached"] == true;
            assert_eq!(figures["chosen"], if reached { json!(3) } else { Value::Null });
            if reached {
                assert_eq!(worlds[2]["amount"], 13_000);
            }
            let fates = figures["fates"].as_array().unwrap();
            let seats: Vec<_> = fates.iter().map(|fate| fate["seat"].as_str().unwrap()).collect();
            match &role {
                Role::Owner => assert_eq!(seats, NAMES[..3]),
                Role::Seat(name) => assert_eq!(seats, [name]),
                Role::Audience => assert!(seats.is_empty()),
            }
            for fate in fates {
                let at = fate["at"].as_u64().unwrap() as usize;
                let own = &result["payoffs"][fate["seat"].as_str().unwrap()];
                assert_eq!(
                    (&fate["income"], &fate["incomes"][at]),
                    (&own["income"], &own["income"])
                );
                let ids = [
                    "maximizing_floor",
                    "maximizing_average",
                    "maximizing_average_floor_constraint",
                    "maximizing_average_range_constraint",
                ];
                for (world, id) in worlds.iter().zip(ids) {
                    let rows = own["sweep"].as_array().unwrap();
                    let is_it = |row: &&Value| row["principle"] == id && row["amount"] == world["amount"];
                    assert_eq!(world["incomes"][at], rows.iter().find(is_it).unwrap()["income"]);
                }
            }
        }
    }
}

/// All rank principle 3 first, but Ana changes to 1 at the end.
fn turns(call: &Call) -> Reaction {
    match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::RESULTS_RANKING, "Ana") => says("1. 1\n2. 3\n3. 2\n4. 4\nCertainty: sure"),
        _ => says(plain(call)),
    }
}

#[test]
fn a_class_is_shown_how_many_changed_their_mind_and_a_study_nothing_of_others() {
    for wording in ["class", "study"] {
        let run = run(
            &config(3, &json!({ "wording": wording, "phase2_rounds": 1 })),
            turns,
        );
        let minds = |role| view_of(&run.record(), role).json(None)["figures"]["minds"].clone();
        let ana = json!({ "seat": "Ana", "from": 3, "to": 1 });
        let owner = minds(Role::Owner);
        assert_eq!(
            (&owner["changed"], &owner["ranked"], &owner["of"][0]),
            (&json!(1), &json!(3), &ana)
        );
        let counts = |of: Value| match wording {
            "class" => json!({ "changed": 1, "ranked": 3, "of": of }),
            _ => json!({ "of": of }),
        };
        assert_eq!(minds(seat("Ana")), counts(json!([ana])));
        assert_eq!(
            minds(seat("Ben")),
            counts(json!([{ "seat": "Ben", "from": 3, "to": 3 }]))
        );
        assert_eq!(minds(Role::Audience), counts(json!([])));
        let before = at_events(&run, &seat("Ben"), "paid");
        assert!(before.iter().all(|view| view["figures"]["minds"].is_null()));
    }
}

#[test]
fn a_class_is_shown_how_far_apart_a_failed_vote_was_without_names() {
    let votes = |call: &Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::BALLOT_PRINCIPLE, "Dora") => says("1"),
        (asks::BALLOT_AMOUNT, "Ana") => says("$14,000"),
        _ => votes_from(1)(call),
    };
    for wording in ["class", "study"] {
        let run = run(
            &config(4, &json!({ "wording": wording, "phase2_rounds": 1 })),
            votes,
        );
        for role in [Role::Owner, seat("Dora"), Role::Audience] {
            let shown = view_of(&run.record(), role.clone()).json(None);
            let vote = item(&shown, "vote/1").unwrap();
            if wording == "study" {
                assert!(vote["ballot"].get("tally").is_none());
                continue;
            }
            assert_eq!(
                vote["ballot"]["tally"],
                json!([
                    { "principle": "maximizing_average_floor_constraint", "votes": 3, "amounts": [13_000, 13_000, 14_000] },
                    { "principle": "maximizing_floor", "votes": 1, "amounts": [] },
                ])
            );
            let blocks = vote["blocks"].as_array().unwrap();
            let table = blocks.iter().find(|block| block["block"] == "table").unwrap();
            assert_eq!(
                table["rows"],
                json!([
                    ["Average with a floor", "3", "$13,000 · $13,000 · $14,000"],
                    ["Lift the lowest", "1", ""],
                ])
            );
            let votes = blocks.iter().filter(|block| block["block"] == "votes");
            let named: Vec<_> = votes
                .flat_map(|block| block["votes"].as_array().unwrap())
                .collect();
            let ballots = named
                .iter()
                .filter(|vote| !vote["choice"]["number"].is_null())
                .count();
            assert_eq!(
                ballots,
                match role {
                    Role::Owner => 4,
                    Role::Seat(_) => 1,
                    Role::Audience => 0,
                }
            );
        }
    }
    let agreed = run(
        &config(4, &json!({ "wording": "class", "phase2_rounds": 1 })),
        votes_from(1),
    );
    assert!(agreed.events_of("counted")[0].get("tally").is_none());
}

#[test]
fn a_ballot_of_a_class_shows_who_argued_for_what_in_public() {
    let argues = |call: &Call| match (call.ask.kind.name(), call.ask.seat.as_str(), call.ask.round) {
        (asks::STATEMENT, "Ana", Some(1)) => {
            says("I am in favor of maximizing the average income, as it is best for all of us.")
        }
        (asks::STATEMENT, "Ana", _) => {
            says("I am in favor of maximizing the floor income, as it is best for all of us.")
        }
        (asks::STATEMENT, "Ben", Some(1)) => {
            says("I support Average with a floor, as it protects all of us from the worst.")
        }
        (asks::STATEMENT, "Cleo", Some(1)) => {
            says("I do not support Lift the lowest, and I have no other opinion as yet.")
        }
        (asks::INTERNAL_REASONING, "Cleo", _) => {
            says("I am in favor of maximizing the average income, but in private.")
        }
        _ => votes_from(2)(call),
    };
    for wording in ["class", "study"] {
        let mut config = config(3, &json!({ "wording": wording, "phase2_rounds": 2 }));
        for agent in config["agents"].as_array_mut().unwrap() {
            agent["kind"] = json!("human");
        }
        let run = run(&config, argues);
        let ballots: Vec<_> = run
            .calls
            .iter()
            .filter(|call| call.ask.kind == asks::BALLOT_PRINCIPLE)
            .collect();
        assert_eq!(ballots.len(), 3);
        for call in ballots {
            let form = json!(call.form.as_ref().unwrap().get().unwrap());
            let options = form["fields"][0]["options"].as_array().unwrap();
            let by: Vec<_> = options.iter().map(|option| option["by"].clone()).collect();
            let expected = match wording {
                "class" => [json!(["Ana"]), Value::Null, json!(["Ben"]), Value::Null],
                _ => [const { Value::Null }; 4],
            };
            assert_eq!(by, expected);
            assert_eq!(form["fields"][0].get("help").is_some(), wording == "class");
        }
    }
}

// --- records by hand ---

/// A record from what its entries say, a second apart; its head comes first.
fn record(says: &[Value]) -> Vec<Rc<Entry>> {
    let config = json!({ "phase2_rounds": 3, "agents": [
        { "name": "Ann", "personality": "p" }, { "name": "Bo", "kind": "human", "personality": "p" },
    ] });
    let head = json!({
        "type": "started", "engine": "quorate 0.1.0", "session": "s1", "protocol": "justice", "seed": 7,
        "config_hash": "h", "config": config,
    });
    let all = std::iter::once(&head).chain(says);
    let entry = |(seq, what): (usize, &Value)| {
        let entry = json!({ "seq": seq, "at": 1_000 * seq, "what": what });
        Rc::new(serde_json::from_value(entry).unwrap())
    };
    all.enumerate().map(entry).collect()
}

fn event(fields: Value) -> Value {
    json!({ "type": "event", "event": fields, "to": "everybody" })
}

fn began(step: &str, round: u32) -> Value {
    event(json!({ "type": "step_began", "phase": 2, "step": step, "round": round }))
}

fn asked(id: &str, seat: &str, kind: &str, phase: u8, round: Option<u32>) -> Value {
    json!({
        "type": "asked", "time_limits": [],
        "ask": { "id": id, "seat": seat, "kind": kind, "phase": phase, "round": round, "attempt": 1, "language": "en" },
        "request": { "system": "s", "messages": [{ "role": "user", "content": "q" }], "max_tokens": 10, "model": "m-1" },
    })
}

fn sent(ask: &str) -> Value {
    json!({ "type": "sent", "ask": ask, "attempt": 1 })
}

fn answered(ask: &str, text: &str) -> Value {
    let reply = json!({ "text": text, "usage": { "input": 3, "output": 2 } });
    json!({ "type": "answered", "ask": ask, "attempt": 1, "reply": reply })
}

fn failed(ask: &str) -> Value {
    let failure = json!({ "kind": "request", "message": "No.", "status": 404 });
    json!({ "type": "failed", "ask": ask, "attempt": 1, "failure": failure })
}

fn fell_back(ask: &str) -> Value {
    json!({ "type": "fell_back", "ask": ask, "seat": "Ann", "model": "m-2", "base_url": "https://b.example", "because": "failed" })
}

fn owner(says: &[Value]) -> Value {
    view_of(&record(says), Role::Owner).json(None)
}

#[test]
fn a_statement_keeps_its_reasoning_and_all_attempts_in_one_item() {
    let shown = owner(&[
        began("discussion", 1),
        asked("r", "Ann", "internal_reasoning", 2, Some(1)),
        sent("r"),
        answered("r", "hm"),
        event(json!({ "type": "reasoned", "seat": "Ann", "round": 1, "text": "hm" })),
        asked("s#1", "Ann", "statement", 2, Some(1)),
        sent("s#1"),
        answered("s#1", "no"),
        asked("s#2", "Ann", "statement", 2, Some(1)),
        sent("s#2"),
        answered("s#2", "A longer one."),
        event(
            json!({ "type": "spoke", "seat": "Ann", "round": 1, "text": "A longer one.", "character_count": 13, "validation": "valid" }),
        ),
        event(json!({ "type": "favored", "seat": "Ann", "round": 1, "principle": "maximizing_floor" })),
    ]);
    assert_eq!(shown["sections"].as_array().unwrap().len(), 1);
    assert_eq!(shown["sections"][0]["items"], json!(["say/1/Ann"]));
    let said = item(&shown, "say/1/Ann").unwrap();
    assert_eq!(
        (&said["reasoning"], &said["text"], &said["done"]),
        (&json!("hm"), &json!("A longer one."), &json!(true))
    );
    assert_eq!(said["asks"], json!(["r", "s#1", "s#2"]));
    assert_eq!(
        (&said["favored"], &person(&shown, "Ann")["favored"]),
        (&json!("maximizing_floor"), &json!("maximizing_floor"))
    );
    assert_eq!(
        (&shown["calls"], &shown["tokens"]),
        (&json!(3), &json!({ "input": 9, "output": 6 }))
    );
}

#[test]
fn phase_1_stands_in_the_order_of_the_procedure_whoever_gets_there_first() {
    let shown = owner(&[
        asked("a", "Ann", "application", 1, Some(2)),
        asked("b", "Bo", "initial_ranking", 1, None),
        asked("c", "Ann", "application", 1, Some(1)),
        asked("d", "Bo", "explanation", 1, None),
    ]);
    let keys: Vec<_> = shown["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| &section["key"])
        .collect();
    assert_eq!(
        keys,
        [
            "1/initial_ranking",
            "1/explanation",
            "1/application/1",
            "1/application/2"
        ]
    );
}

#[test]
fn who_has_cast_a_ballot_is_shown_and_not_what_for() {
    let mut says = vec![
        began("ballot", 1),
        asked("p", "Ann", "ballot_principle", 2, Some(1)),
        sent("p"),
        asked("q", "Bo", "ballot_principle", 2, Some(1)),
        sent("q"),
        answered("p", "3"),
        asked("m", "Ann", "ballot_amount", 2, Some(1)),
        sent("m"),
        fell_back("m"),
    ];
    let open = owner(&says);
    let vote = item(&open, "vote/1").unwrap();
    let states: Vec<_> = vote["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["seat"], &one["voting"]))
        .collect();
    assert_eq!(
        states,
        [(&json!("Ann"), &json!("cast")), (&json!("Bo"), &json!("open"))]
    );
    assert_eq!(open["doing"], json!({ "Ann": "voting", "Bo": "voting" }));
    // That another model was turned to would tell who is asked for an amount.
    assert!(
        open["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["type"] != "fellback")
    );
    let cast = json!({ "seat": "Ann", "principle": "maximizing_floor", "amount": null, "status": "valid", "raw": ["1"] });
    says.push(event(json!({ "type": "voted", "round": 1, "vote": cast })));
    says.push(event(json!({ "type": "counted", "round": 1, "initiator": "Bo", "agreed": null, "amount": null, "disagreement": "voting_failed" })));
    let counted = owner(&says);
    assert!(
        counted["asks"]
            .as_array()
            .unwrap()
            .iter()
            .all(|ask| ask["sealed"] == false)
    );
    assert_eq!(
        item(&counted, "vote/1").unwrap()["ballot"]["votes"],
        json!([cast])
    );
}

#[test]
fn a_change_of_model_is_a_notice_where_the_question_stands_once_until_the_first_answers_again() {
    let again = |ask: &str| {
        vec![
            asked(ask, "Ann", "statement", 2, Some(1)),
            sent(ask),
            failed(ask),
            fell_back(ask),
            sent(ask),
            answered(ask, "x"),
        ]
    };
    let mut says = again("s#1");
    says.extend(again("s#2"));
    says.extend([
        asked("s#3", "Ann", "statement", 2, Some(2)),
        sent("s#3"),
        answered("s#3", "y"),
    ]);
    says.extend(again("s#4"));
    let shown = owner(&says);
    let items = shown["items"].as_array().unwrap().iter();
    let notices: Vec<_> = items
        .filter(|item| item["type"] == "fellback")
        .map(|item| (&item["section"], &item["model"], &item["before"]))
        .collect();
    let notice = (&json!("2/round/1"), &json!("m-2"), &json!("m-1"));
    assert_eq!(notices, [notice, notice]);
    assert_eq!(shown["settled"], 7);
}

#[test]
fn the_same_entries_twice_change_nothing() {
    let record = record(&[asked("a", "Ann", "statement", 2, Some(1)), sent("a")]);
    let mut view = view_of(&record, Role::Owner);
    let before = view.json(None);
    record.iter().for_each(|entry| view.take(entry));
    assert_eq!(view.json(None), before);
}

#[test]
fn who_does_what_follows_from_the_open_asks() {
    let mut says = vec![
        asked("a", "Ann", "statement", 2, Some(1)),
        sent("a"),
        asked("b", "Bo", "memory_update", 2, Some(1)),
    ];
    assert_eq!(
        owner(&says)["doing"],
        json!({ "Ann": "speaking", "Bo": "queued" })
    );
    says.extend([sent("b"), answered("a", "x")]);
    assert_eq!(owner(&says)["doing"], json!({ "Bo": "remembering" }));
    says.push(failed("b"));
    assert_eq!(owner(&says)["doing"], json!({ "Bo": "failed" }));
}

#[test]
fn the_stepper_goes_forward_and_leaves_out_rounds_that_were_not_needed() {
    let ranked =
        |seat: &str| event(json!({ "type": "ranked", "seat": seat, "moment": "initial", "ranking": null }));
    let states = |says: &[Value]| {
        let shown = owner(says);
        let steps = shown["steps"].as_array().unwrap().clone();
        steps
            .into_iter()
            .map(|step| step["state"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let mut says = vec![ranked("Ann")];
    assert_eq!(states(&says)[..2], ["current", "coming"]);
    says.push(ranked("Bo"));
    assert_eq!(states(&says)[..2], ["done", "current"]);
    says.extend([began("discussion", 1), began("results", 0)]);
    assert_eq!(states(&says)[5..], ["done", "skipped", "skipped", "current"]);
}

// --- noninterference ---

/// Draws of a case.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// The same for the same place in the procedure.
    fn of(seed: u64, place: &str) -> Self {
        let mixed = place.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut draws = Self(mixed);
        draws.below(2);
        draws
    }
}

/// What all do that becomes public: it is the same in both runs of a case.
#[derive(Debug)]
struct Open {
    seed: u64,
    /// Who asks for a vote, in which round.
    initiator: (usize, u32),
    /// Who takes no part.
    declines: Option<usize>,
    /// How the ballot comes out.
    outcome: Outcome,
    /// Who must not learn anything; none: onlookers.
    looks: Option<usize>,
    manipulator: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Outcome {
    Agreement,
    Principles,
    Amounts,
    Failed,
}

const SEATS: usize = 3;

/// In private, an answer that may be anything: sometimes it cannot be read, and is asked for again.
fn unread(draws: &mut Draws, call: &Call) -> Option<Reaction> {
    (call.ask.attempt == 1 && draws.below(5) == 0).then(|| says(secret(call, "hard to say")))
}

/// Words that nobody else may ever see.
fn secret(call: &Call, words: &str) -> String {
    format!("{words} canary{}", call.ask.seat)
}

fn answer(open: &Open, private: u64, call: &Call) -> Reaction {
    let ask = &call.ask;
    let at = NAMES.iter().position(|name| *name == ask.seat).unwrap();
    let looks = open.looks == Some(at);
    // What the one who looks does is the same in both runs, what becomes public too.
    let seed = if looks { open.seed } else { private };
    let draws = &mut Draws::of(seed, &ask.id);
    let amount = |draws: &mut Draws| 1_000 * (10 + draws.below(9));
    let round = ask.round.unwrap_or(0);
    match ask.kind.name() {
        asks::INITIAL_RANKING
        | asks::POST_EXPLANATION_RANKING
        | asks::FINAL_RANKING
        | asks::RESULTS_RANKING => {
            if let Some(again) = unread(draws, call) {
                return again;
            }
            let mut order = [1, 2, 3, 4];
            for last in (1..4).rev() {
                order.swap(last, draws.below(last as u64 + 1) as usize);
            }
            let sure = ["very sure", "sure", "unsure"][draws.below(3) as usize];
            let [a, b, c, d] = order[..] else { unreachable!() };
            says(format!("1. {a}\n2. {b}\n3. {c}\n4. {d}\nCertainty: {sure}"))
        }
        asks::APPLICATION => unread(draws, call).unwrap_or_else(|| match draws.below(4) {
            0 => says("3"),
            principle @ 1..=2 => says(format!("{principle}, sure")),
            _ => says(format!("4, ${}, sure", amount(draws))),
        }),
        asks::CONSTRAINT_RETRY => unread(draws, call).unwrap_or_else(|| says(format!("${}", amount(draws)))),
        asks::STATEMENT => {
            // Too short at first, in private.
            if call.ask.attempt == 1 && draws.below(3) == 0 {
                return says(secret(call, "Hm."));
            }
            says(format!(
                "In round {round} {} speaks openly, number {}, long enough.",
                ask.seat,
                open.seed % 1_000
            ))
        }
        asks::EXPLANATION | asks::INTERNAL_REASONING | asks::MEMORY_UPDATE => {
            let long = "and so on ".repeat(draws.below(4) as usize);
            says(secret(
                call,
                &format!("Between us: {} {long}", draws.below(1_000)),
            ))
        }
        asks::VOTE_INITIATION if open.initiator == (at, round) => says("1"),
        asks::VOTE_INITIATION => match draws.below(4) {
            0 => says(secret(call, "I could not say")),
            1 => Reaction::Nothing,
            _ => says("0"),
        },
        asks::VOTE_CONFIRMATION if open.declines == Some(at) => match draws.below(3) {
            0 => says(secret(call, "I could not say")),
            1 => Reaction::Nothing,
            _ => says("0"),
        },
        asks::VOTE_CONFIRMATION => unread(draws, call).unwrap_or_else(|| says("1")),
        asks::BALLOT_PRINCIPLE => match open.outcome {
            Outcome::Agreement => unread(draws, call).unwrap_or_else(|| says("3")),
            Outcome::Amounts => unread(draws, call).unwrap_or_else(|| says("4")),
            // Those who look have 1; of the others at least one has something else.
            Outcome::Principles if looks => says("1"),
            Outcome::Principles => unread(draws, call)
                .unwrap_or_else(|| says(format!("{}", if at == 0 { 2 } else { 3 + draws.below(2) }))),
            Outcome::Failed if looks => says("2"),
            Outcome::Failed => match draws.below(3) {
                0 => Reaction::Nothing,
                _ => says(secret(call, "neither nor")),
            },
        },
        asks::BALLOT_AMOUNT => unread(draws, call).unwrap_or_else(|| match open.outcome {
            Outcome::Agreement => says("$13,000"),
            // Three different ones, which of them is private.
            _ if looks => says("$11,000"),
            _ => says(format!(
                "${}",
                12_000 + 1_000 * (at as u64) + 10_000 * draws.below(5)
            )),
        }),
        other => panic!("{other:?} is no question of the experiment"),
    }
}

/// A view without moments: that somebody takes longer is heard of.
fn timeless(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(timeless),
        Value::Object(fields) => {
            for key in ["at", "lastAt", "startedAt", "sentAt", "endedAt", "repliedAt"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(timeless);
        }
        _ => {}
    }
}

/// All that somebody sees in the course of a run: what changes at each entry, and the whole at last.
fn seen(record: &[Rc<Entry>], role: &Role) -> Vec<String> {
    let mut view = view(role.clone());
    let mut all = Vec::new();
    let mut number = None;
    for entry in record {
        view.take(entry);
        let mut now = view.json(number);
        if number == now["number"].as_u64() {
            continue;
        }
        number = now["number"].as_u64();
        timeless(&mut now);
        all.push(now.to_string());
    }
    let mut whole = view.json(None);
    timeless(&mut whole);
    all.push(whole.to_string());
    all
}

/// A case, held twice: what becomes public is the same, what is private another.
fn twice(case: u64) -> (Open, [Run; 2]) {
    let draws = &mut Draws(case * 2 + 1);
    let looks = draws.below(SEATS as u64 + 1) as usize;
    let open = Open {
        seed: case,
        initiator: (draws.below(SEATS as u64) as usize, draws.below(3) as u32),
        declines: Some(draws.below(2 * SEATS as u64) as usize).filter(|at| *at < SEATS),
        outcome: [
            Outcome::Agreement,
            Outcome::Principles,
            Outcome::Amounts,
            Outcome::Failed,
        ][draws.below(4) as usize],
        looks: Some(looks).filter(|at| *at < SEATS),
        // Its target tells it what the others like least: that is its task.
        manipulator: Some(draws.below(2 * SEATS as u64) as usize).filter(|at| *at < SEATS && *at != looks),
    };
    let mut settings = json!({ "phase2_rounds": 1 + draws.below(2), "seed": case });
    if let Some(at) = open.manipulator {
        settings["manipulator"] =
            json!({ "name": NAMES[at], "target_strategy": "least_popular_after_round1" });
    }
    if draws.below(4) == 0 {
        settings["selective_memory_updates"] = json!(false);
    }
    let config = config(SEATS, &settings);
    let runs = [case + 1, case + 1_000_003].map(|private| run(&config, |call| answer(&open, private, call)));
    (open, runs)
}

#[test]
fn nobodys_view_depends_on_what_others_do_in_private() {
    let mut outcomes = [0; 4];
    for case in 0..times(100, 1_000) {
        let (open, runs) = twice(case);
        let role = open.looks.map_or(Role::Audience, |at| seat(NAMES[at]));
        let [one, other] = runs.each_ref().map(|run| seen(&run.record(), &role));
        assert_ne!(runs[0].text(), runs[1].text());
        // A warning names its participant, whatever it says.
        for entry in runs.iter().flat_map(Run::record) {
            if let EntryKind::Event { event, to } = &entry.what
                && event.value()["type"] == "warned"
            {
                assert_eq!(*to, Audience::Owner, "{event:?}");
            }
        }
        if let Some(at) = (0..one.len().min(other.len())).find(|at| one[*at] != other[*at]) {
            panic!("{open:?}, {role:?}, change {at}:\n{}\n{}", one[at], other[at]);
        }
        assert_eq!(one.len(), other.len(), "{open:?}");
        for (at, name) in NAMES[..SEATS].iter().enumerate() {
            let canary = format!("canary{name}");
            let is_seen = one.iter().any(|change| change.contains(&canary));
            assert_eq!(is_seen, open.looks == Some(at), "{open:?}: {canary}");
        }
        let kind = runs[0]
            .events_of("counted")
            .first()
            .map(|counted| counted["disagreement"].clone());
        if let Some(kind) = kind {
            let kinds = [
                Value::Null,
                json!("principle_disagreement"),
                json!("constraint_disagreement"),
                json!("voting_failed"),
            ];
            outcomes[kinds.iter().position(|one| *one == kind).unwrap()] += 1;
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

#[test]
fn a_private_note_that_everybody_heard_of_would_be_noticed() {
    let kinds = [
        "ranked",
        "applied",
        "remembered",
        "reasoned",
        "initiation",
        "confirmed",
        "voted",
        "paid",
    ];
    let mut noticed = BTreeSet::new();
    for case in 0..60 {
        let (_, runs) = twice(case);
        let records = runs.each_ref().map(Run::record);
        for kind in kinds
            .iter()
            .filter(|kind| !noticed.contains(*kind))
            .collect::<Vec<_>>()
        {
            let leaky = |record: &Vec<Rc<Entry>>| {
                let mut record = record.clone();
                for entry in &mut record {
                    if let EntryKind::Event { event, to } = &mut Rc::make_mut(entry).what
                        && event.value()["type"] == **kind
                    {
                        *to = Audience::Everybody;
                    }
                }
                seen(&record, &Role::Audience)
            };
            let [one, other] = records.each_ref().map(leaky);
            if one != other {
                noticed.insert(*kind);
            }
        }
        if noticed.len() == kinds.len() {
            return;
        }
    }
    panic!("noticed: {noticed:?}");
}

#[test]
fn the_owner_sees_the_caps_that_hold_and_nobody_else_does() {
    let settings = json!({ "phase2_rounds": 1, "limits": { "max_calls": 900 } });
    let run = run(&config(3, &settings), |call| says(plain(call)));
    let record = run.record();
    let mut raised = record.clone();
    raised.push(Rc::new(Entry {
        seq: record.len() as u64,
        at: 0,
        what: EntryKind::Commanded {
            command: Command::Limit {
                max_calls: Some(950),
                max_tokens: None,
                max_cost: Some(2.5),
            },
        },
    }));
    let caps = |record: &[Rc<Entry>], role| view_of(record, role).json(None)["caps"].clone();
    assert_eq!(
        caps(&record, Role::Owner),
        json!({ "max_calls": 900, "max_tokens": null, "max_cost": null })
    );
    assert_eq!(
        caps(&raised, Role::Owner),
        json!({ "max_calls": 950, "max_tokens": null, "max_cost": 2.5 })
    );
    assert_eq!(caps(&raised, seat("Ana")), Value::Null);
}

#[test]
fn each_line_of_a_vote_is_called_by_who_answered_it() {
    let command = |fields| json!({ "type": "commanded", "command": fields });
    let by_program = |ask: &str, text: &str| {
        let reply = json!({ "text": text, "stood_in": true });
        json!({ "type": "answered", "ask": ask, "attempt": 1, "reply": reply })
    };
    let says = [
        command(json!({ "do": "guest", "seat": "Bo", "guest": 1, "is": "seated" })),
        began("vote_initiation", 1),
        asked("i", "Bo", "vote_initiation", 2, Some(1)),
        answered("i", "1"),
        event(json!({ "type": "vote_started", "round": 1, "initiator": "Bo" })),
        asked("c", "Bo", "vote_confirmation", 2, Some(1)),
        answered("c", "1"),
        event(
            json!({ "type": "confirmation", "round": 1, "initiator": "Bo", "answers": [["Ann", true], ["Bo", true]], "confirmed": true }),
        ),
        command(json!({ "do": "stand_in", "seat": "Bo" })),
        began("ballot", 1),
        asked("b", "Bo", "ballot_principle", 2, Some(1)),
        by_program("b", "1"),
        event(json!({ "type": "voted", "round": 1,
            "vote": { "seat": "Bo", "principle": "maximizing_floor", "amount": null, "status": "valid", "raw": ["1"] } })),
        event(
            json!({ "type": "counted", "round": 1, "initiator": "Bo", "agreed": null, "amount": null, "disagreement": "voting_failed" }),
        ),
    ];
    let holder = Holder {
        guest: 1,
        person: "Mia".to_owned(),
        program: "Computer (for Mia)".to_owned(),
    };
    let names: Rc<Names> = Rc::new([("Bo".to_owned(), holder)].into_iter().collect());
    for role in [Role::Owner, seat("Ann")] {
        let mut view = view_of(&record(&says), role);
        view.set_names(&names);
        let shown = view.json(None);
        let blocks = item(&shown, "vote/1").unwrap()["blocks"].as_array().unwrap();
        let votes = blocks.iter().filter(|block| block["block"] == "votes");
        let called: Vec<_> = votes
            .flat_map(|block| block["votes"].as_array().unwrap())
            .filter(|vote| vote["seat"] == "Bo")
            .map(|vote| vote["called"].as_str().unwrap())
            .collect();
        assert_eq!(called, ["Mia", "Mia", "Computer (for Mia)"]);
        assert!(!shown["items"].to_string().contains("Mia /"));
    }
}
