//! The reading model: when it is asked, what of its word counts, and that it keeps nobody waiting.

use crate::support::hall;
use crate::support::world::{self, Call, Reaction, Run, says};
use quorate::core::ask::{Failure, FailureKind};
use quorate::core::record::EntryKind;
use quorate::language::Language;
use quorate::procedures;
use quorate::procedures::justice;
use serde_json::{Value, json};

const SEAT: &str = "source:reader";
const TEXT: &str = "Ben talked me round: what he picked this morning, and for the same sum.";

fn reader() -> Value {
    json!({ "model": "reads-well", "base_url": "http://127.0.0.1:9/v1", "temperature": 0.2 })
}

/// A run in which Ana's first application is [`TEXT`], and `reads` answers for the model.
fn run(changes: &Value, reads: impl Fn(&Call) -> Reaction) -> Run {
    let mut config = world::config(2, &json!({ "phase2_rounds": 1, "reader": reader() }));
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    world::run(&config, |call| match call.ask.seat.as_str() {
        SEAT => reads(call),
        "Ana" if call.ask.id == "phase1/round/1/application/Ana#1" => says(TEXT),
        _ => says(world::plain(call)),
    })
}

fn asked(run: &Run) -> Vec<&Call> {
    run.calls.iter().filter(|call| call.ask.seat == SEAT).collect()
}

/// How the application was read.
fn reading(run: &Run) -> Value {
    let of = |what: &EntryKind| match what {
        EntryKind::Read { ask, reading } if ask == "phase1/round/1/application/Ana#1" => {
            Some(reading.value())
        }
        _ => None,
    };
    run.record().iter().find_map(|entry| of(&entry.what)).unwrap()
}

fn floor(changes: Value) -> Reaction {
    let mut said = json!({
        "quote": "what he picked this morning", "says": true, "principle": "maximizing_floor", "amount": null,
        "certainty": null,
    });
    for (key, value) in changes.as_object().unwrap() {
        said[key] = value.clone();
    }
    says(said.to_string())
}

#[test]
fn it_is_asked_for_what_the_rules_do_not_read_and_answers_with_the_words_it_relies_on() {
    for language in Language::CODES {
        let run = run(&json!({ "language": language }), |_| floor(json!({})));
        let mut asked = asked(&run);
        asked.retain(|call| !call.ask.id.starts_with("phase2/round/1/statement/"));
        assert_eq!(asked.len(), 1);
        let call = asked[0];
        assert_eq!(call.ask.id, "phase1/round/1/application/Ana#1/reading");
        assert_eq!(call.ask.kind.name(), "reading");
        assert_eq!(call.request.model.as_deref(), Some("reads-well"));
        assert_eq!(call.request.temperature, Some(0.2));
        let schema = call.request.schema.as_ref().unwrap();
        assert_eq!(
            schema["required"],
            json!(["quote", "says", "principle", "amount", "certainty"])
        );
        let content = call.request.messages[0].content.get().into_owned();
        assert!(content.contains(&format!("> {TEXT}")), "{content}");
        assert!(!content.lines().any(|line| line.starts_with(TEXT)));
        assert_eq!(
            reading(&run),
            json!({
                "value": { "principle": "maximizing_floor", "amount": null, "certainty": null }, "how": "model",
                "span": [21, 48],
            })
        );
        assert_eq!(&TEXT[21..48], "what he picked this morning");
        let (session, _) = procedures::replay(&run.record()).unwrap();
        assert_eq!(session.record(), run.record());
    }
}

#[test]
fn what_it_says_counts_only_where_it_is_sure_fits_and_relies_on_words_of_the_answer() {
    let unread = json!({ "value": null, "reason": "principle_content_unclear" });
    let answers = [
        json!({ "says": false }),
        json!({ "says": "true" }),
        json!({ "quote": "what Ben picked this morning" }),
        json!({ "quote": "" }),
        json!({ "quote": "…" }),
        json!({ "quote": null }),
        json!({ "principle": null }),
        json!({ "principle": "the floor" }),
        json!({ "principle": 1 }),
        json!({ "principle": "maximizing_average_floor_constraint", "amount": "13,000" }),
        json!({ "principle": "maximizing_average_floor_constraint", "amount": 1 }),
        json!({ "certainty": "quite" }),
    ];
    for answer in answers {
        let run = run(&json!({}), |_| floor(answer.clone()));
        assert_eq!(reading(&run), unread, "{answer}");
        assert!(
            run.calls
                .iter()
                .any(|call| call.ask.id == "phase1/round/1/application/Ana#2")
        );
    }
    for text in ["", "{", "maximizing_floor", "I cannot tell.", "[]", "null"] {
        assert_eq!(reading(&run(&json!({}), |_| says(text))), unread, "{text}");
    }
}

#[test]
fn nothing_that_was_not_said_is_filled_in() {
    let third = json!({ "principle": "maximizing_average_floor_constraint" });
    let run = run(&json!({}), |_| floor(third.clone()));
    assert_eq!(
        reading(&run)["value"],
        json!({ "principle": "maximizing_average_floor_constraint", "amount": null, "certainty": null })
    );
    assert!(run.calls.iter().any(|call| call.ask.kind == "constraint_retry"));
}

#[test]
fn where_it_cannot_be_had_the_run_goes_on_without_it() {
    let refused = || Failure::new(FailureKind::Key, "no such key");
    let run = run(&json!({}), |_| Reaction::Fails(refused()));
    assert_eq!(reading(&run)["reason"], "principle_content_unclear");
    assert_eq!(run.result()["warnings"], json!([]));
}

/// Answers that a text does not say what is asked.
fn says_no() -> Reaction {
    says(json!({ "quote": "", "says": false }).to_string())
}

#[test]
fn it_is_asked_nothing_else_but_what_statements_in_plain_text_favour() {
    let config = world::config(2, &json!({ "phase2_rounds": 1, "reader": reader() }));
    let only_statements = |call: &Call| {
        assert!(
            call.ask.id.starts_with("phase2/round/1/statement/"),
            "{}",
            call.ask.id
        );
        says_no()
    };
    let plain = |call: &Call| match call.ask.seat.as_str() {
        SEAT => only_statements(call),
        _ => says(world::plain(call)),
    };
    assert_eq!(asked(&world::run(&config, plain)).len(), 2);
    let never = |_: &Call| -> Reaction { panic!("nobody asks it") };
    for silent in [json!({ "reader": null }), json!({ "profile": "compat" })] {
        run(&silent, never);
    }
    let far = |call: &Call| match call.ask.kind.name() {
        "ballot_amount" | "constraint_retry" => says("$1"),
        "application" => says("3, sure"),
        _ => plain(call),
    };
    world::run(&config, far);
}

#[test]
fn memories_hold_what_it_finds_that_a_statement_favours() {
    const SAID: &str =
        "Nobody should have less than 14 thousand, and beyond that let the average decide, as I see it.";
    let config = world::config(2, &json!({ "phase2_rounds": 1, "reader": reader() }));
    let run_with = |quote: &str| {
        world::run(&config, |call| {
            match (call.ask.seat.as_str(), call.ask.kind.name()) {
            (SEAT, _) if call.ask.id.contains("/statement/Ana") => says(
                json!({
                    "quote": quote, "says": true, "favored_principle": "maximizing_average_floor_constraint",
                    "favored_amount": 14_000,
                })
                .to_string(),
            ),
            (SEAT, _) => says_no(),
            ("Ana", "statement") => says(SAID),
            _ => says(world::plain(call)),
        }
        })
    };
    let run = run_with("less than 14 thousand");
    let favored = run.events_of("favored");
    assert_eq!(favored.len(), 1);
    assert_eq!(
        (&favored[0]["seat"], &favored[0]["how"]),
        (&json!("Ana"), &json!("model"))
    );
    let told: Vec<String> = run
        .events_of("remembered")
        .iter()
        .filter_map(|event| event["text"].as_str().map(str::to_owned))
        .filter(|text| text.contains(SAID))
        .collect();
    assert_eq!(told.len(), 2);
    for text in told {
        assert!(
            text.contains(
                "favours: Maximizing the average income with a floor constraint; amount named: $14,000"
            ),
            "{text}"
        );
    }
    let (session, _) = procedures::replay(&run.record()).unwrap();
    assert_eq!(session.record(), run.record());
    // Without words of the statement it says nothing.
    let remembered = run_with("at least fourteen").events_of("remembered");
    assert!(
        remembered
            .iter()
            .all(|event| !event["text"].as_str().unwrap().contains("favours"))
    );
}

#[test]
fn the_published_programs_name_for_it_means_the_same() {
    let looked_at = |changes: Value, kind: &str| {
        let mut config = world::config(2, &changes);
        config["agents"][0]["kind"] = kind.into();
        config["agents"][1]["kind"] = "human".into();
        let checked = justice::settings::check(&config).unwrap();
        let told = checked.warnings.iter().map(|fault| fault.path.clone());
        (told.collect::<Vec<_>>(), checked.settings.reader)
    };
    let named = json!({ "utility_agent_model": "gpt-4.1-mini", "utility_agent_temperature": 0.0 });
    let (told, seat) = looked_at(named.clone(), "custom");
    let seat = seat.unwrap();
    assert_eq!(told, [""; 0]);
    assert_eq!(seat.model.as_deref(), Some("gpt-4.1-mini"));
    assert_eq!(seat.base_url.as_deref(), Some("https://api.openai.com/v1"));
    assert_eq!(seat.temperature, Some(0.0));
    let both = ["utility_agent_model", "utility_agent_temperature"];
    for (changes, kind, idle) in [
        // Nobody answers in words of their own; it is not known whose model that is; a reader is named besides.
        (named.clone(), "scripted", &both[..]),
        (json!({ "utility_agent_model": "m" }), "custom", &both[..1]),
        (
            json!({ "utility_agent_model": ["m", "gpt-4.1"] }),
            "custom",
            &both[..1],
        ),
        (json!({ "reader": reader() }), "scripted", &["reader"][..]),
    ] {
        let (told, seat) = looked_at(changes, kind);
        assert_eq!(
            (told, seat),
            (idle.iter().map(|path| (*path).to_owned()).collect(), None)
        );
    }
    let mut all = named;
    all["reader"] = reader();
    let (told, seat) = looked_at(all, "custom");
    assert_eq!(told, both);
    assert_eq!(seat.unwrap().model.as_deref(), Some("reads-well"));
}

#[test]
fn it_reads_votes_and_estimates_too_but_no_lists_of_words() {
    let agents = ["Ana", "Ben", "Cleo"].map(|name| json!({ "name": name, "kind": "custom" }));
    let poll = json!({
        "protocol": "delphi", "question": "How many?", "minimum": 0, "maximum": 100, "agents": agents, "seed": 3,
        "rounds": 2, "reader": reader(),
    });
    let run = world::run(&poll, |call| {
        says(match (call.ask.seat.as_str(), call.ask.round) {
            (SEAT, _) => json!({ "quote": "a score and a bit", "says": true, "estimate": 21 }).to_string(),
            ("Ana", Some(1)) => "I'd put it at a score and a bit.".to_owned(),
            _ => "Estimate: 30".to_owned(),
        })
    });
    let estimated = run.events_of("estimated");
    assert_eq!(
        (&estimated[0]["seat"], &estimated[0]["estimate"]),
        (&json!("Ana"), &json!(21.0))
    );
    assert_eq!(asked(&run).len(), 1);

    let debate = hall::config(&["Ana", "Ben", "Cleo"], json!({ "reader": reader() }));
    let said = |call: &Call| -> Option<String> {
        Some(match (call.ask.seat.as_str(), call.ask.kind.name()) {
            (SEAT, _) => json!({
                "quote": "the one who spoke of the kettle", "says": true,
                "choice": call.request.schema.as_ref().unwrap()["properties"]["choice"]["anyOf"][0]["enum"][1],
                "confidence": 0.7, "continue": null,
            })
            .to_string(),
            ("Ana", "vote") => "I side with the one who spoke of the kettle.".to_owned(),
            (_, "vote") => "CHOICE: Ben\nCONFIDENCE: 0.9".to_owned(),
            (_, "critique") => "Quite so.".to_owned(),
            (seat, _) => format!("{seat} proposes tea, from a kettle, for everybody who is thirsty."),
        })
    };
    let hall = hall::Hall::hold(&debate, &said);
    let read: Vec<&str> = hall
        .calls
        .iter()
        .filter(|call| call.ask.seat == SEAT)
        .map(|call| call.ask.id.as_str())
        .collect();
    assert!(
        !read.is_empty() && read.iter().all(|id| id.contains("/vote/Ana")),
        "{read:?}"
    );
}
