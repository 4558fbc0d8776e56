//! Whole runs in which answers are to have a form: which questions carry a schema, that answers by it
//! are read, and that a run comes to the same as one in free words. What is read in single answers is
//! tested with the readers.

use crate::support::hall;
use crate::support::world;

use hall::Hall;
use quorate::core::ask::Call;
use quorate::core::record::{Entry, EntryKind};
use quorate::export::{Format, export};
use quorate::language::Language;
use quorate::procedures;
use quorate::procedures::{debate, justice};
use quorate::providers::structured::{ORDER, bound};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Readings without how they came about, event by event.
fn happened(record: &[Rc<Entry>]) -> Vec<Value> {
    let what = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Read { ask, reading } => {
            let reading = reading.value();
            Some(json!([ask, reading["value"], reading["reason"]]))
        }
        EntryKind::Event { event, .. } => Some(event.value()),
        _ => None,
    };
    record.iter().filter_map(what).collect()
}

fn schemas(calls: &[Call]) -> BTreeSet<&str> {
    let formed = calls.iter().filter(|call| call.request.schema.is_some());
    formed.map(|call| call.ask.kind.name()).collect()
}

/// What [`world::plain`] says, in the form that is asked for.
fn formed(call: &Call, votes: bool) -> String {
    let free = if votes && call.ask.kind == justice::asks::VOTE_INITIATION {
        "1".to_owned()
    } else {
        world::plain(call)
    };
    let answer = |yes| json!({ "answer": if yes { "yes" } else { "no" } });
    let third = "maximizing_average_floor_constraint";
    match call.ask.kind.name() {
        _ if call.request.schema.is_none() => free,
        justice::asks::APPLICATION => {
            json!({ "reason": "r", "principle": third, "amount": 13_000, "certainty": "sure" }).to_string()
        }
        justice::asks::BALLOT_AMOUNT | justice::asks::CONSTRAINT_RETRY => {
            json!({ "amount": 13_000 }).to_string()
        }
        justice::asks::VOTE_INITIATION | justice::asks::VOTE_CONFIRMATION => answer(free == "1").to_string(),
        justice::asks::BALLOT_PRINCIPLE => json!({ "principle": third }).to_string(),
        justice::asks::STATEMENT => {
            json!({ "text": free, "favored_principle": null, "favored_amount": null }).to_string()
        }
        _ => json!({
            "reason": "r", "first": third, "second": "maximizing_floor", "third": "maximizing_average",
            "fourth": "maximizing_average_range_constraint", "certainty": "sure",
        })
        .to_string(),
    }
}

/// Memories and ballots hold the answers as they came, so there they differ.
fn without_answers(mut events: Vec<Value>) -> Vec<Value> {
    events.retain(|event| event["type"] != "remembered");
    for vote in events.iter_mut().filter_map(|event| event.get_mut("vote")) {
        vote["raw"] = Value::Null;
    }
    events
}

#[test]
fn an_experiment_comes_to_the_same_in_either_form() {
    for language in Language::CODES {
        let config = |answers: &str| {
            world::config(
                3,
                &json!({ "answers": answers, "language": language, "phase2_rounds": 2 }),
            )
        };
        let free = world::run(&config("free"), world::votes_from(1));
        assert_eq!(schemas(&free.calls), BTreeSet::new());
        assert!(!free.text().contains("\"schema\""));
        let run = world::run(&config("structured"), |call| world::says(formed(call, true)));
        let kinds = [
            "application",
            "ballot_amount",
            "ballot_principle",
            "final_ranking",
            "initial_ranking",
            "post_explanation_ranking",
            "results_ranking",
            "statement",
            "vote_confirmation",
            "vote_initiation",
        ];
        assert_eq!(schemas(&run.calls), BTreeSet::from(kinds), "{language}");
        assert_eq!(
            without_answers(happened(&run.record())),
            without_answers(happened(&free.record())),
            "{language}"
        );
        for entry in run.record() {
            if let EntryKind::Read { ask, reading } = &entry.what {
                assert_eq!(reading.value()["how"], "schema", "{ask}: {reading}");
            }
        }
        // Models that are bound to the schema have one field for the whole order.
        let whole = world::run(&config("structured"), |call| {
            let said = formed(call, true);
            let places = ["first", "second", "third", "fourth"];
            let Ok(Value::Object(mut values)) = serde_json::from_str(&said) else {
                return world::says(said);
            };
            let order: Vec<Value> = places.iter().filter_map(|place| values.remove(*place)).collect();
            let is_ranking = call.ask.kind.name().ends_with("ranking");
            let schema = call.request.schema.as_ref().unwrap();
            assert_eq!(
                (order.len(), &bound(schema) != schema),
                if is_ranking { (4, true) } else { (0, false) }
            );
            if is_ranking {
                let order: Vec<&str> = order.iter().filter_map(Value::as_str).collect();
                values.insert(ORDER.to_owned(), order.join(" > ").into());
            }
            world::says(Value::Object(values).to_string())
        });
        let told = |record| without_answers(happened(record));
        assert_eq!(told(&whole.record()), told(&run.record()), "{language}");
        let (session, _) = procedures::replay(&whole.record()).unwrap();
        assert_eq!(session.record(), whole.record());
        let (session, _) = procedures::replay(&run.record()).unwrap();
        assert_eq!(session.record(), run.record());
    }
}

/// What was remembered of statements, told of them and printed, in a run of one round in which each speaker favours as
/// `favors` says.
fn stands(changes: &Value, favors: impl Fn(&Call) -> Value) -> (Vec<String>, Vec<Value>, Vec<[String; 3]>) {
    let config = world::config(2, &json!({ "answers": "structured", "phase2_rounds": 1 }));
    let mut config = config;
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    let run = world::run(&config, |call| {
        if call.ask.kind != justice::asks::STATEMENT {
            return world::says(formed(call, false));
        }
        let text = format!(
            "{} says: whoever reads this as principle 2 of $20,000 reads too much.",
            call.ask.seat
        );
        let said = favors(call);
        let Value::Object(mut values) = said else {
            return world::says(format!("{text}{}", said.as_str().unwrap()));
        };
        values.insert("text".to_owned(), text.into());
        world::says(Value::Object(values).to_string())
    });
    let record = run.record();
    let (session, _) = procedures::replay(&record).unwrap();
    assert_eq!(session.record(), record);
    let events: Vec<Value> = happened(&record);
    let is_said = |event: &&Value| event["type"] == "remembered" && event["phase"] == 2;
    let lines = events
        .iter()
        .filter(is_said)
        .filter_map(|event| event["text"].as_str());
    let lines = lines
        .filter(|text| text.contains("says: "))
        .map(str::to_owned)
        .collect();
    let favored = events
        .iter()
        .filter(|event| event["type"] == "favored")
        .cloned()
        .collect();
    (lines, favored, columns(&record))
}

/// Principle, amount and how they came, of each statement as the table of messages has them.
fn columns(record: &[Rc<Entry>]) -> Vec<[String; 3]> {
    let table = export(Format::from_name("utterances").unwrap(), record)
        .unwrap()
        .text;
    let mut rows = table
        .lines()
        .map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let places = ["favored_principle", "favored_amount", "favored_how"].map(at);
    // The text of a statement has a comma, and so is followed by as many cells more.
    let cells = |row: Vec<String>| {
        let more = row.len() - head.len();
        places.map(|place| row[place + more].clone())
    };
    rows.filter(|row| row.iter().any(|cell| cell == "statement"))
        .map(cells)
        .collect()
}

#[test]
fn what_a_speaker_favours_is_told_and_nothing_in_its_place() {
    let third = "maximizing_average_floor_constraint";
    let name = "Maximizing the average income with a floor constraint";
    let (lines, favored, rows) = stands(&json!({}), |call| match call.ask.seat.as_str() {
        "Ana" => json!({ "favored_principle": third, "favored_amount": 14_000 }),
        _ => json!({ "favored_principle": null, "favored_amount": 14_000 }),
    });
    assert_eq!(
        favored,
        [
            json!({ "type": "favored", "seat": "Ana", "round": 1, "principle": third, "amount": 14_000, "how": "schema" })
        ]
    );
    let both = |who: &str, gist: &str| {
        format!(
            "In round 1, {who} said: \"{who} says: whoever reads this as principle 2 of $20,000 reads too much.\"{gist}"
        )
    };
    let told = format!(
        "{}\n{}",
        both("Ana", &format!(" (favours: {name}; amount named: $14,000)")),
        both("Ben", "")
    );
    assert_eq!(lines, [told.clone(), told]);
    let row = |cells: [&str; 3]| cells.map(str::to_owned);
    let absent = row(["", "", ""]);
    assert_eq!(rows, [row([third, "14000", "schema"]), absent.clone()]);

    let (lines, favored, rows) = stands(&json!({}), |call| match call.ask.seat.as_str() {
        "Ana" => json!(format!(
            "\nDECISION: favored_principle = {third}; favored_amount = none"
        )),
        _ => json!(" I support principle 1."),
    });
    assert_eq!(
        favored,
        [
            json!({ "type": "favored", "seat": "Ana", "round": 1, "principle": third, "how": "line" }),
            json!({ "type": "favored", "seat": "Ben", "round": 1, "principle": "maximizing_floor" }),
        ]
    );
    assert_eq!(
        rows,
        [row([third, "", "line"]), row(["maximizing_floor", "", "text"])]
    );
    // What the lab reads in the words is for the owner, not for memories.
    for line in &lines {
        assert!(
            line.contains(&format!("(favours: {name})")) && line.matches("favours").count() == 1,
            "{line}"
        );
    }

    let (_, favored, rows) = stands(&json!({}), |_| json!(" Others support principle 1."));
    assert_eq!((favored, rows), (Vec::new(), vec![absent.clone(), absent]));
}

#[test]
fn labelled_memories_have_topic_key_point_and_theory_as_their_speakers_give_them() {
    let changes = json!({ "memory_guidance_style": "structured" });
    let (lines, ..) = stands(&changes, |call| match call.ask.seat.as_str() {
        "Ana" => json!({
            "favored_principle": "maximizing_floor", "favored_amount": null,
            "topic": "Floor maximization", "key_point": "Protecting vulnerable", "theory": "Rawlsian",
        }),
        _ => {
            json!({ "favored_principle": null, "favored_amount": null, "topic": "", "key_point": "Wait", "theory": "" })
        }
    });
    let said = |who: &str| {
        format!("Statement: \"{who} says: whoever reads this as principle 2 of $20,000 reads too much.\"")
    };
    let told = format!(
        "Round: 1 | Speaker: Ana | Favours: Maximizing the floor income | Topic: Floor maximization | \
         Key Point: Protecting vulnerable | Theory: Rawlsian | {}\nRound: 1 | Speaker: Ben | Key Point: Wait | {}",
        said("Ana"),
        said("Ben")
    );
    assert_eq!(lines, [told.clone(), told]);
}

#[test]
fn simulated_participants_give_topic_key_point_and_theory() {
    for (language, label) in [
        ("English", "Key Point: "),
        ("Spanish", "Punto clave: "),
        ("Mandarin", "要点："),
    ] {
        let mut config = world::config(3, &json!({ "language": language, "phase2_rounds": 2 }));
        config["memory_guidance_style"] = json!("structured");
        for agent in config["agents"].as_array_mut().unwrap() {
            agent["kind"] = json!("scripted");
        }
        let run = world::run(&config, |call| {
            let seat = procedures::seats(&config)
                .unwrap()
                .into_iter()
                .find(|seat| seat.name == call.ask.seat);
            world::says(procedures::scripted_answer(&seat.unwrap(), 7, call))
        });
        let events = happened(&run.record());
        let statements = events.iter().filter(|event| event["type"] == "spoke");
        let mut spoken = 0;
        for event in statements {
            let text = event["text"].as_str().unwrap();
            assert!(!text.contains('{') && text.chars().count() > 50, "{text}");
            spoken += 1;
        }
        let told = events
            .iter()
            .filter(|event| event["type"] == "remembered" && event["seat"] == "Ana");
        let told = told.filter_map(|event| event["text"].as_str());
        assert_eq!(
            told.map(|text| text.matches(label).count()).sum::<usize>(),
            spoken,
            "{language}"
        );
        assert!(spoken >= 3);
    }
}

#[test]
fn free_words_are_read_where_no_form_came() {
    let config = world::config(2, &json!({ "answers": "structured", "phase2_rounds": 1 }));
    let free = world::config(2, &json!({ "phase2_rounds": 1 }));
    let run = world::run(&config, world::votes_from(1));
    let other = world::run(&free, world::votes_from(1));
    assert_eq!(happened(&run.record()), happened(&other.record()));
}

#[test]
fn an_answer_that_breaks_off_is_asked_for_again() {
    let config = world::config(2, &json!({ "answers": "structured", "phase2_rounds": 1 }));
    let run = world::run(&config, |call| {
        let whole = formed(call, true);
        let breaks = call.ask.attempt == 1 && call.ask.kind == justice::asks::BALLOT_PRINCIPLE;
        world::says(if breaks {
            whole[..whole.len() - 2].to_owned()
        } else {
            whole
        })
    });
    let ballots: Vec<Value> = happened(&run.record())
        .into_iter()
        .filter(|read| {
            read[0]
                .as_str()
                .is_some_and(|ask| ask.contains("/ballot_principle/"))
        })
        .collect();
    assert_eq!(ballots.len(), 4);
    assert_eq!(ballots[0][2], "answer_broken_off");
    assert_eq!(run.result()["consensus_reached"], true);
}

#[test]
fn models_are_asked_by_a_form_unless_the_configuration_says_free() {
    let asked = |changes: Value| {
        let mut config = world::config(2, &json!({ "phase2_rounds": 1 }));
        let model = json!({ "name": "Ana", "personality": "a nurse", "kind": "model", "model": "m", "base_url": "http://127.0.0.1:1/v1" });
        config["agents"][0] = model;
        for (key, value) in changes.as_object().unwrap() {
            config[key] = value.clone();
        }
        let run = world::run(&config, |call| world::says(formed(call, true)));
        let formed = run.calls.iter().filter(|call| call.request.schema.is_some());
        formed.map(|call| call.ask.seat.clone()).collect::<BTreeSet<_>>()
    };
    let seats = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    // Programs have the form, and answer as they like.
    assert_eq!(asked(json!({})), seats(&["Ana"]));
    assert_eq!(asked(json!({ "answers": "structured" })), seats(&["Ana", "Ben"]));
    assert_eq!(asked(json!({ "answers": "free" })), seats(&[]));
    assert_eq!(asked(json!({ "profile": "compat" })), seats(&[]));
}

#[test]
fn only_models_and_programs_get_a_form() {
    let mut config = world::config(2, &json!({ "answers": "structured", "phase2_rounds": 1 }));
    config["agents"][0]["kind"] = json!("scripted");
    let run = world::run(&config, world::votes_from(1));
    for call in &run.calls {
        assert!(
            call.ask.seat != "Ana" || call.request.schema.is_none(),
            "{}",
            call.ask.id
        );
    }
    assert!(!schemas(&run.calls).is_empty());
}

/// A debater of few words, in the form that is asked for or in free words.
fn debater(call: &Call) -> Option<String> {
    let schema = call.request.schema.as_ref();
    let pick = |place: &str| {
        let labels = schema.unwrap().pointer(place).unwrap().as_array().unwrap();
        labels
            .iter()
            .map(|label| label.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let name = |number: usize| hall::labels(call)[number].clone();
    let form = schema.is_some();
    Some(match call.ask.kind.name() {
        debate::asks::CRITIQUE if form => {
            json!({ "issues": ["too dear"], "suggestions": ["measure"], "reasoning": "why", "severity": 6 })
                .to_string()
        }
        debate::asks::CRITIQUE => {
            "ISSUES:\n- too dear\nSUGGESTIONS:\n- measure\nSEVERITY: 6\nREASONING: why".to_owned()
        }
        debate::asks::VOTE if form => {
            let choice = &pick("/properties/choice/enum")[0];
            json!({ "reasoning": "why", "choice": choice, "confidence": 0.8, "continue": false }).to_string()
        }
        debate::asks::VOTE => format!(
            "CHOICE: {}\nCONFIDENCE: 0.8\nCONTINUE: no\nREASONING: why",
            name(0)
        ),
        debate::asks::JUDGEMENT => {
            let labels = if form {
                pick("/properties/ranking/items/enum")
            } else {
                hall::labels(call)
            };
            let scores: Vec<Value> = labels
                .iter()
                .map(|label| json!({ "proposal": label, "comment": "c", "criteria": {}, "score": 7 }))
                .collect();
            json!({ "scores": scores, "ranking": labels, "synthesis": "s", "reason": "why", "conclusive": true, "confidence": 0.9 }).to_string()
        }
        debate::asks::POLL if form => json!({ "answer": "continue" }).to_string(),
        debate::asks::POLL => "CONTINUE".to_owned(),
        debate::asks::TERMINATION if form => {
            json!({ "reason": "why", "conclusive": false, "confidence": 0.5 }).to_string()
        }
        debate::asks::TERMINATION => "CONCLUSIVE: no\nCONFIDENCE: 0.5\nREASON: why".to_owned(),
        debate::asks::PREPARE | debate::asks::COMMIT if form => {
            json!({ "reason": "No, but yes.", "answer": "yes" }).to_string()
        }
        debate::asks::PREPARE => "PREPARE: YES".to_owned(),
        debate::asks::COMMIT => "COMMIT: YES".to_owned(),
        _ => ["wood", "stone", "river", "field"]
            .map(|word| format!("{}{word}", call.ask.seat))
            .join(" "),
    })
}

#[test]
fn a_debate_comes_to_the_same_in_either_form() {
    for language in Language::CODES {
        let config = |answers: &str| {
            hall::config(
                &["Ana", "Berta", "Carolina", "Bo"],
                json!({
                    "answers": answers, "language": language, "consensus": "byzantine", "min_rounds_before_early_stop": 3,
                    "judge_termination": true,
                }),
            )
        };
        let free = Hall::hold(&config("free"), &debater);
        assert_eq!(schemas(&free.calls), BTreeSet::new());
        let run = Hall::hold(&config("structured"), &debater);
        let formed = schemas(&run.calls);
        let kinds = [
            "commit",
            "critique",
            "judgement",
            "poll",
            "prepare",
            "termination",
            "vote",
        ];
        assert_eq!(formed, BTreeSet::from(kinds), "{language}");
        assert_eq!(
            happened(&run.session.record()),
            happened(&free.session.record()),
            "{language}"
        );
        assert_eq!(run.result(), free.result());
        // What others are shown is the reading, never the JSON.
        for call in &run.calls {
            let shown = call.request.messages.iter().map(|message| message.content.get());
            assert!(
                !shown.collect::<String>().contains("\"suggestions\": ["),
                "{}",
                call.ask.id
            );
            assert!(
                !call.request.messages[0].content.contains("\"issues\":"),
                "{}",
                call.ask.id
            );
        }
    }
}

#[test]
fn the_setting_is_checked() {
    let faults = |config: &Value| {
        let error = procedures::begin(config, "test", 1).err();
        error.map(|error| error.0.into_iter().map(|fault| fault.path).collect::<Vec<_>>())
    };
    for config in [
        world::config(2, &json!({})),
        hall::config(&["Ana", "Bo"], json!({})),
    ] {
        let with = |answers: Value| {
            let mut config = config.clone();
            config["answers"] = answers;
            faults(&config)
        };
        assert_eq!(with(json!("free")), None);
        assert_eq!(with(json!("structured")), None);
        assert_eq!(with(json!("json")), Some(vec!["answers".to_owned()]));
        assert_eq!(with(json!(true)), Some(vec!["answers".to_owned()]));
    }
    let compat = json!({ "profile": "compat", "answers": "structured" });
    assert_eq!(
        faults(&world::config(2, &compat)),
        Some(vec!["answers".to_owned()])
    );
    let talk = json!({ "protocol": "discussion", "agents": [{ "name": "A" }, { "name": "B" }], "answers": "structured" });
    let checked = procedures::discussion::settings::check(&talk).unwrap();
    assert!(
        checked.warnings.iter().any(|warning| warning.path == "answers"),
        "{:?}",
        checked.warnings
    );
}
