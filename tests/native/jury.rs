//! Trials over whole runs: who is asked what and knows what, when there is a verdict, and that nobody's vote is filled in.

use crate::support::world::{Call, Reaction, Run, run, says};
use quorate::core::audience::Audience;
use quorate::core::record::EntryKind;
use quorate::core::visibility::Role;
use quorate::procedures::jury::event::Event;
use quorate::procedures::jury::rules::Opinion::{self, Guilty, NotGuilty, Undecided};
use quorate::procedures::view::view_of;
use quorate::procedures::{check, presets, scripted_answer, seats};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const NAMES: [&str; 4] = ["Ana", "Ben", "Cleo", "Dora"];

fn config(changes: Value) -> Value {
    let agents: Vec<Value> = NAMES
        .iter()
        .map(|name| json!({ "name": name, "kind": "custom" }))
        .collect();
    let mut config = json!({
        "protocol": "jury", "charge": "Did she eat the cake?", "prosecution": "She was hungry.", "defence": "She was away.",
        "evidence": [
            { "title": "The plate", "text": "It was empty.", "leans": 0.625 },
            { "text": "A ticket for the zoo.", "leans": -0.625 },
        ],
        "agents": agents, "seed": 3,
    });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

fn prompt<'a>(run: &'a Run, id: &str) -> &'a str {
    let call = run
        .calls
        .iter()
        .find(|call| call.ask.id == id)
        .unwrap_or_else(|| panic!("{id}"));
    match call.request.messages[0].content.get() {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(_) => panic!("{id}"),
    }
}

/// Says what a juror of this place and opinion says, by kind of question.
fn voting(opinion: impl Fn(&Call) -> &'static str) -> impl Fn(&Call) -> Reaction {
    move |call| match call.ask.kind.name() {
        "speech" => says(format!(
            "I am {} of round {}.",
            call.ask.seat,
            call.ask.round.unwrap()
        )),
        _ => says(format!(
            "Because of {}.\nVote: {}\nCertainty: 60",
            call.ask.seat,
            opinion(call)
        )),
    }
}

#[test]
fn a_trial_shows_evidence_counts_speeches_and_ballots_in_turn() {
    let run = run(
        &config(json!({ "rounds": 1 })),
        voting(|call| match (call.ask.kind.name(), call.ask.round) {
            ("straw_vote", Some(1)) => "undecided",
            ("straw_vote", Some(2)) if call.ask.seat == "Ana" => "not guilty",
            ("ballot", Some(1)) if call.ask.seat == "Dora" => "not guilty",
            _ => "guilty",
        }),
    );
    assert_eq!(
        run.result(),
        json!({
            "verdict": "guilty", "jurors": 4, "needed": 4, "counts_shown": true, "changed": 2,
            "ballots": [
                { "guilty": 3, "not_guilty": 1, "undecided": 0, "missing": 0,
                    "votes": [["Ana", "guilty"], ["Ben", "guilty"], ["Cleo", "guilty"], ["Dora", "not_guilty"]] },
                { "guilty": 4, "not_guilty": 0, "undecided": 0, "missing": 0,
                    "votes": [["Ana", "guilty"], ["Ben", "guilty"], ["Cleo", "guilty"], ["Dora", "guilty"]] },
            ],
            "straw_votes": [
                { "guilty": 0, "not_guilty": 0, "undecided": 4, "missing": 0 },
                { "guilty": 3, "not_guilty": 1, "undecided": 0, "missing": 0 },
                { "guilty": 4, "not_guilty": 0, "undecided": 0, "missing": 0 },
            ],
        })
    );
    let first = prompt(&run, "straw_vote/1/Ben#1");
    assert!(first.contains("> She was hungry.") && !first.contains("plate") && !first.contains("own last"));
    let second = prompt(&run, "straw_vote/2/Ben#1");
    assert!(second.contains("Evidence 1: The plate\n> It was empty.") && !second.contains("zoo"));
    assert!(
        second.contains("0 guilty, 0 not guilty, 4 undecided.")
            && second.contains("own last vote: undecided")
    );
    let speech = prompt(&run, "speech/1/Ben#1");
    assert!(speech.contains("Ana:\n> I am Ana of round 1.") && !speech.contains("Because of"));
    let ballot = prompt(&run, "ballot/2/Ben#1");
    assert!(
        ballot.contains("3 guilty, 1 not guilty\nAna: guilty") && ballot.contains("I am Dora of round 2.")
    );
    assert!(
        run.calls
            .iter()
            .all(|call| !call.request.messages[0].content.get().contains("0.625"))
    );
    assert!(
        run.calls
            .iter()
            .all(|call| !call.facts.json().to_string().contains("0.625"))
    );
}

#[test]
fn ten_of_twelve_is_a_share_of_all_jurors_and_a_jury_may_be_hung() {
    let trial = |jurors: usize, guilty: usize, changes: Value| {
        let agents: Vec<Value> = (0..jurors)
            .map(|at| json!({ "name": format!("Juror {at}"), "kind": "custom" }))
            .collect();
        let mut config = config(changes);
        config["agents"] = json!(agents);
        run(&config, move |call| match call.ask.kind.name() {
            "speech" => says("Hm."),
            _ => {
                let at: usize = call.ask.seat.rsplit(' ').next().unwrap().parse().unwrap();
                says(if at < guilty { "Guilty." } else { "I cannot say." })
            }
        })
    };
    let share = json!({ "needed": "ten_of_twelve", "attempts": 1, "rounds": 1 });
    for (jurors, guilty, verdict) in [
        (12, 10, "guilty"),
        (12, 9, "hung"),
        (6, 5, "guilty"),
        (5, 4, "hung"),
        (3, 3, "guilty"),
    ] {
        let found = trial(jurors, guilty, share.clone()).result();
        assert_eq!(found["verdict"], verdict, "{guilty} of {jurors}");
        assert_eq!(found["ballots"][0]["missing"], jurors - guilty);
        assert_eq!(
            found["ballots"].as_array().unwrap().len(),
            if verdict == "hung" { 2 } else { 1 }
        );
    }
    let one = trial(4, 3, json!({ "ballots": 1, "attempts": 1, "rounds": 3 }));
    assert_eq!(one.result()["verdict"], "hung");
    let rounds: Vec<u32> = one
        .typed_events::<Event>()
        .into_iter()
        .filter_map(|(event, _)| match event {
            Event::DeliberationBegan { round } => Some(round),
            _ => None,
        })
        .collect();
    assert_eq!(rounds, [1, 2, 3]);
}

#[test]
fn votes_are_for_their_seats_and_counts_and_names_for_those_whom_the_settings_name() {
    for (shows, opens) in [(true, true), (true, false), (false, true), (false, false)] {
        let run = run(
            &config(json!({ "show_counts": shows, "open_ballot": opens, "rounds": 1 })),
            voting(|call| {
                if call.ask.seat == "Ana" {
                    "not guilty"
                } else {
                    "guilty"
                }
            }),
        );
        for (event, to) in run.typed_events::<Event>() {
            let wanted = match event {
                Event::StrawVoted { seat, .. } => Audience::seat(seat),
                Event::Balloted { seat, .. } if !opens => Audience::seat(seat),
                Event::StrawCounted { .. } if !shows => Audience::Owner,
                _ => Audience::Everybody,
            };
            assert_eq!(to, wanted);
        }
        let ballot = prompt(&run, "ballot/2/Ben#1");
        assert_eq!(ballot.contains("Ana: not guilty"), opens);
        assert_eq!(ballot.contains("last straw vote"), shows);
        let record = run.session.record();
        let seen = view_of(&record, Role::Seat("Ben".into())).json(None).to_string();
        assert!(!seen.contains("Because of Ana") && !seen.contains("0.625"));
        assert_eq!(seen.contains("\"straw_votes\":null"), !shows);
        assert_eq!(seen.contains("\"shape\":\"stacked\""), shows);
    }
}

#[test]
fn the_owner_sees_no_vote_while_it_is_open() {
    let run = run(
        &config(json!({ "rounds": 1, "ballots": 1 })),
        voting(|_| "guilty"),
    );
    let record = run.session.record();
    for place in 1..record.len() {
        let view = view_of(&record[..place], Role::Owner).json(None);
        for ask in view["asks"].as_array().unwrap() {
            let id = ask["id"].as_str().unwrap();
            let part = id.rsplit_once('/').unwrap().0;
            let is_over = record[..place].iter().any(|entry| match &entry.what {
                EntryKind::Event { event, .. } => match event.read().unwrap() {
                    Event::StrawVoted { round, .. } => part == format!("straw_vote/{round}"),
                    Event::BallotCounted { round, .. } => part == format!("ballot/{round}"),
                    _ => false,
                },
                _ => false,
            });
            if !id.starts_with("speech") && !is_over {
                assert_eq!(
                    (&ask["reply"], &ask["reading"]),
                    (&Value::Null, &Value::Null),
                    "{id} {place}"
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_missing_and_never_filled_in() {
    let run = run(&config(json!({ "attempts": 2, "rounds": 1 })), |call| {
        match (call.ask.seat.as_str(), call.ask.kind.name()) {
            ("Ana", _) => says(""),
            ("Ben", "straw_vote") => says("Guilty or not guilty, who knows."),
            ("Ben", "ballot") => says("Vote: undecided"),
            ("Cleo", _) => Reaction::Nothing,
            (_, "speech") => says("Hm."),
            _ => says("not guilty"),
        }
    });
    let found = run.result();
    let counted = json!({ "guilty": 0, "not_guilty": 1, "undecided": 0, "missing": 3 });
    assert_eq!(found["straw_votes"], json!([counted, counted, counted]));
    assert_eq!(
        (&found["verdict"], &found["changed"]),
        (&json!("hung"), &json!(0))
    );
    assert_eq!(found["ballots"][1]["votes"][1], json!(["Ben", null]));
    let silent: BTreeSet<String> = run
        .typed_events::<Event>()
        .into_iter()
        .filter_map(|(event, _)| match event {
            Event::Argued { seat, text: None, .. } => Some(seat),
            _ => None,
        })
        .collect();
    assert_eq!(silent, BTreeSet::from(["Ana".to_owned(), "Cleo".to_owned()]));
    assert!(prompt(&run, "ballot/1/Ben#2").contains("not possible now"));
}

#[test]
fn a_jury_has_three_to_twelve_jurors_and_one_to_twelve_items_of_evidence() {
    let faults = |changes: Value| -> Vec<String> {
        let faults = check(&config(changes))
            .err()
            .map(|error| error.0)
            .unwrap_or_default();
        faults
            .iter()
            .map(|fault| format!("{} {}", fault.path, fault.code))
            .collect()
    };
    let agents =
        |count: usize| -> Value { (0..count).map(|at| json!({ "name": format!("J{at}") })).collect() };
    let evidence = |count: usize| -> Value { (0..count).map(|_| json!({ "text": "-" })).collect() };
    for count in [3, 12] {
        assert_eq!(
            faults(json!({ "agents": agents(count), "evidence": evidence(count) })),
            [""; 0]
        );
    }
    assert_eq!(faults(json!({ "agents": agents(2) })), ["agents few"]);
    assert_eq!(faults(json!({ "agents": agents(13) })), ["agents many"]);
    assert_eq!(faults(json!({ "evidence": [] })), ["evidence empty"]);
    assert_eq!(faults(json!({ "evidence": evidence(13) })), ["evidence many"]);
}

#[test]
fn scripted_jurors_are_read_whole_and_move_with_the_evidence_in_every_language() {
    let trials = presets()
        .into_iter()
        .filter(|preset| preset.config["protocol"] == "jury");
    let (mut opinions, mut languages) = (BTreeSet::<Opinion>::new(), BTreeSet::new());
    for mut config in trials.map(|preset| preset.config) {
        for agent in config["agents"].as_array_mut().unwrap() {
            agent["kind"] = json!("scripted");
        }
        languages.insert(config["language"].to_string());
        let table = seats(&config).unwrap();
        let seed = config["seed"].as_u64().unwrap() as u32;
        let play = || {
            run(&config, |call| {
                let seat = table.iter().find(|seat| seat.name == call.ask.seat).unwrap();
                says(scripted_answer(seat, seed, call))
            })
        };
        let (one, other) = (play(), play());
        assert_eq!(one.session.record(), other.session.record());
        for (event, _) in one.typed_events::<Event>() {
            match event {
                Event::StrawVoted {
                    opinion,
                    certainty,
                    reason,
                    ..
                } => {
                    assert!(certainty.is_some() && reason.chars().count() > 6, "{reason}");
                    opinions.insert(opinion.unwrap());
                }
                Event::Argued { text, .. } => assert!(text.unwrap().chars().count() > 30),
                Event::Balloted { opinion, .. } => assert!(opinion.is_some()),
                _ => {}
            }
        }
        assert!(
            one.result()["changed"].as_u64().unwrap() > 0,
            "{}",
            config["title"]
        );
    }
    assert_eq!(opinions, BTreeSet::from([Guilty, NotGuilty, Undecided]));
    assert_eq!(languages.len(), 3);
}
