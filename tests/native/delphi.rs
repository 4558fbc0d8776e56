//! Delphi polls over whole runs: who is asked what, what all are told, when a poll ends, and that nobody's
//! estimate is filled in.

use crate::support::world::{Call, Reaction, Run, run, says};
use quorate::core::audience::Audience;
use quorate::core::visibility::Role;
use quorate::export::{Format, export};
use quorate::language::Language;
use quorate::procedures::delphi::event::Event;
use quorate::procedures::view::view;
use quorate::procedures::{check, presets, scripted_answer, seats};
use serde_json::{Value, json};

fn config(changes: Value) -> Value {
    let agents: Vec<Value> = ["Ana", "Ben", "Cleo", "Dora"]
        .iter()
        .map(|name| json!({ "name": name, "kind": "custom" }))
        .collect();
    let mut config = json!({
        "protocol": "delphi", "question": "How many?", "unit": "pieces", "minimum": 0, "maximum": 100,
        "agents": agents, "seed": 3,
    });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// Estimates by seat in the first round, 5 nearer to 40 in each that follows.
fn nearing(call: &Call) -> Reaction {
    let first = [("Ana", 10), ("Ben", 30), ("Cleo", 50), ("Dora", 70)];
    let (_, first) = first.iter().find(|(name, _)| *name == call.ask.seat).unwrap();
    let moved = 5 * (call.ask.round.unwrap() as i32 - 1);
    let estimate = if *first < 40 { first + moved } else { first - moved };
    says(format!(
        "Because of {}.\nEstimate: {estimate} pieces",
        call.ask.seat
    ))
}

#[test]
fn all_are_told_quartiles_and_reasons_without_names_and_estimate_again() {
    let run = run(&config(json!({})), nearing);
    let reports: Vec<_> = run
        .typed_events::<Event>()
        .into_iter()
        .filter_map(|(event, to)| match event {
            Event::Reported {
                round,
                asked,
                spread,
                reasons,
            } => Some((round, asked, spread.unwrap(), reasons, to)),
            _ => None,
        })
        .collect();
    assert_eq!(reports.len(), 3);
    let (round, asked, spread, reasons, to) = &reports[0];
    assert_eq!((*round, *asked, to), (1, 4, &Audience::Everybody));
    assert_eq!((spread.lower, spread.median, spread.upper), (25.0, 40.0, 55.0));
    let mut sorted = reasons.clone();
    sorted.sort();
    assert_eq!(
        sorted,
        [
            "Because of Ana.",
            "Because of Ben.",
            "Because of Cleo.",
            "Because of Dora."
        ]
    );
    assert_eq!(
        run.result(),
        json!({ "ended_by": "rounds", "rounds": 3, "unit": "pieces",
            "spread": { "count": 4, "minimum": 20.0, "lower": 35.0, "median": 40.0, "upper": 45.0, "maximum": 60.0 } })
    );
    let second = run
        .calls
        .iter()
        .find(|call| call.ask.id == "round/2/estimate/Ben#1")
        .unwrap();
    let shown = &second.request.messages[0].content;
    for wanted in [
        "median 40",
        "between 25 and 55",
        "> Because of Ana.",
        "round before: 30.",
    ] {
        assert!(shown.contains(wanted), "{wanted:?} in\n{shown}");
    }
    let first = run
        .calls
        .iter()
        .find(|call| call.ask.id == "round/1/estimate/Ben#1")
        .unwrap();
    assert!(!first.request.messages[0].content.contains("median"));
}

#[test]
fn an_estimate_is_for_its_seat_alone() {
    let run = run(&config(json!({})), nearing);
    for (event, to) in run.typed_events::<Event>() {
        if let Event::Estimated { seat, .. } = event {
            assert_eq!(to, Audience::seat(seat));
        }
    }
}

#[test]
fn who_said_what_changes_nothing_of_what_all_are_told() {
    let told = |swap: bool| {
        let run = run(&config(json!({ "rounds": 2 })), |call| {
            let (low, high) = (says("Low.\nEstimate: 20"), says("High.\nEstimate: 80"));
            if (call.ask.seat == "Ana" || call.ask.seat == "Cleo") == swap {
                low
            } else {
                high
            }
        });
        let mut events = run.typed_events::<Event>();
        events.retain(|(_, to)| *to == Audience::Everybody);
        events
    };
    assert_eq!(told(true), told(false));
}

#[test]
fn it_ends_when_the_middle_half_is_narrow_but_not_in_the_first_round() {
    let close = run(&config(json!({ "close_enough": 20, "rounds": 9 })), nearing);
    assert_eq!(
        (
            close.result()["ended_by"].clone(),
            close.result()["rounds"].clone()
        ),
        (json!("close_enough"), json!(2))
    );
    let same = run(&config(json!({ "close_enough": 0 })), |_| says("Estimate: 5"));
    assert_eq!(same.result()["rounds"], 2);
}

#[test]
fn what_cannot_be_read_is_missing_and_never_filled_in() {
    let run = run(
        &config(json!({ "rounds": 2, "attempts": 2 })),
        |call| match call.ask.seat.as_str() {
            "Ana" => says("Somewhere between 10 and 20."),
            "Ben" => says("Estimate: 500"),
            "Cleo" => Reaction::Nothing,
            _ => says("Estimate: 7"),
        },
    );
    let missing: Vec<String> = run
        .typed_events::<Event>()
        .into_iter()
        .filter_map(|(event, _)| match event {
            Event::Estimated {
                round: 2,
                seat,
                estimate: None,
                ..
            } => Some(seat),
            _ => None,
        })
        .collect();
    assert_eq!(missing, ["Ana", "Ben", "Cleo"]);
    assert_eq!(run.result()["spread"]["count"], 1);
    let asked = |seat: &str| {
        run.calls
            .iter()
            .filter(|call| call.ask.seat == seat && call.attempt == 1)
            .count()
    };
    assert_eq!((asked("Ana"), asked("Ben"), asked("Dora")), (4, 4, 2));
    let again = run
        .calls
        .iter()
        .find(|call| call.ask.id == "round/1/estimate/Ben#2")
        .unwrap();
    assert!(
        again.request.messages[0]
            .content
            .contains("No single allowed number")
    );
}

#[test]
fn nobody_may_answer_at_all() {
    let run = run(&config(json!({ "rounds": 2, "attempts": 1 })), |_| {
        says("I do not know.")
    });
    assert_eq!(run.result()["spread"], Value::Null);
}

#[test]
fn scripted_polls_end_alike_and_are_read_whole_in_every_language() {
    let polls: Vec<Value> = presets()
        .into_iter()
        .map(|preset| preset.config)
        .filter(|config| config["protocol"] == "delphi")
        .collect();
    assert_eq!(polls.len(), 2);
    let cases = polls
        .iter()
        .flat_map(|poll| Language::ALL.map(|language| (poll, language)));
    for (poll, language) in cases {
        let mut config = poll.clone();
        config["language"] = json!(language.code());
        for agent in config["agents"].as_array_mut().unwrap() {
            agent["kind"] = json!("scripted");
        }
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
            if let Event::Estimated {
                estimate,
                reason,
                seat,
                ..
            } = event
            {
                assert!(
                    estimate.is_some() && reason.chars().count() > 12,
                    "{seat}: {reason}"
                );
            }
        }
    }
}

#[test]
fn a_configuration_replaces_a_prompt_and_a_text() {
    let run = run(
        &config(json!({ "prompts": { "en": {
            "estimate": "{question}\n\n{?own}You said {own}.\n\n{?!own}Round {round}: {\"a\": 1}",
            "delphi.label.words": "guess",
        } } })),
        |call| {
            let Reaction::Says(text) = nearing(call) else {
                unreachable!()
            };
            says(text.replace("Estimate", "Guess"))
        },
    );
    assert_eq!(run.result()["spread"]["count"], 4);
    let prompts: Vec<_> = run
        .calls
        .iter()
        .filter(|call| call.ask.seat == "Ana")
        .map(|call| call.request.messages[0].content.get().into_owned())
        .collect();
    assert_eq!(prompts[0], "How many?\n\nRound 1: {\"a\": 1}");
    assert_eq!(prompts[1], "How many?\n\nYou said 10.");
}

#[test]
fn all_faults_of_replaced_prompts_are_told_with_their_lines() {
    let config = config(json!({ "prompts": {
        "en": { "system": "You are {nam}.\nA {name", "ask": "?" },
        "zh": { "estimate": "{question}{?own}", "delphi.form.reason": "{unit}" },
    } }));
    let faults = check(&config).unwrap_err().0;
    let messages: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.message(Language::English)))
        .collect();
    let messages: Vec<_> = messages
        .iter()
        .map(|(path, message)| (*path, message.as_str()))
        .collect();
    assert_eq!(
        messages,
        [
            (
                "prompts.en.ask",
                "there is no prompt or text with this key; the prompts are: system, estimate"
            ),
            (
                "prompts.en.system",
                "line 1: the variable nam is unknown; those of this text are: name, personality, rounds"
            ),
            (
                "prompts.en.system",
                "line 2: {name is no complete variable, or a condition that does not begin its line"
            ),
            (
                "prompts.zh.delphi.form.reason",
                "line 1: the variable unit is unknown; those of this text are: nothing"
            ),
            (
                "prompts.zh.estimate",
                "line 1: {?own} is no complete variable, or a condition that does not begin its line"
            ),
        ]
    );
}

#[test]
fn the_true_value_is_known_after_the_end_and_nowhere_before() {
    let (value, source) = (77.25, "Almanac of Secrets");
    let hidden = |text: &str| !text.contains("77.25") && !text.contains(source);
    let with = run(
        &config(json!({ "true_value": value, "true_value_source": source })),
        nearing,
    );
    let without = run(&config(json!({})), nearing);
    let requests = |run: &Run| {
        run.calls
            .iter()
            .map(|call| format!("{:?}", call.request))
            .collect::<Vec<_>>()
    };
    assert_eq!(requests(&with), requests(&without));
    let record = with.record();
    for role in [Role::Audience, Role::Seat("Ana".to_owned())] {
        let mut view = view(role.clone());
        for entry in &record[..record.len() - 1] {
            view.take(entry);
            assert!(hidden(&view.json(None).to_string()), "{role:?}");
        }
        view.take(record.last().unwrap());
        let shown = view.json(None);
        assert_eq!(
            shown["result"]["truth"],
            json!({ "value": value, "source": source })
        );
        let outcome = shown["outcome"].as_str().unwrap();
        assert!(outcome.ends_with("The true value is 77.25 pieces."), "{outcome}");
        let results = shown["results"].to_string();
        assert!(results.contains(source), "{results}");
        assert!(
            results.contains("37.25 pieces off in the first round and 37.25 pieces off"),
            "{results}"
        );
    }
    assert_eq!(without.result().get("truth"), None);
}

#[test]
fn the_tables_say_how_far_the_medians_are_from_the_true_value() {
    let run = run(
        &config(json!({ "true_value": 31, "true_value_source": "Atlas", "rounds": 2 })),
        |call| {
            says(format!(
                "Estimate: {}",
                if call.ask.round == Some(1) { 40 } else { 33 }
            ))
        },
    );
    let table = export(Format::from_name("runs").unwrap(), &run.record())
        .unwrap()
        .text;
    let columns = ",true_value,true_value_source,first_distance,last_distance,";
    assert!(
        table.contains(columns) && table.contains(",31,Atlas,9,2,"),
        "{table}"
    );
}
