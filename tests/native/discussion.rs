//! Discussions from the first word to the last: turns, people, rests, failures, changes of the table,
//! crashes at every entry, and any configuration ending.

use crate::support::talk;
use crate::support::times;

use proptest::prelude::*;
use quorate::core::ask::{Call, Failure, FailureKind};
use quorate::core::record::{Command, Entry, EntryKind, ForkedFrom, Halt};
use quorate::core::{Input, Status};
use quorate::procedures;
use quorate::procedures::discussion::advance::Message;
use quorate::seat::{Seat, SeatKind};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use talk::{Talk, config, failure, says};

/// Speakers and places, without what was said.
fn turns(talk: &Talk) -> Vec<String> {
    let log = talk.log();
    log.iter()
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect()
}

fn brief(call: &Call) -> Result<String, Failure> {
    Ok(format!("{}.", call.ask.seat.to_lowercase()))
}

fn standing(talk: &Talk) -> (String, Value, Value, Value) {
    let state = talk.state();
    (
        state["status"].as_str().unwrap().to_owned(),
        state["turn"].clone(),
        state["round"].clone(),
        talk.view()["nextSpeakerName"].clone(),
    )
}

fn at(status: &str, turn: u32, round: u32, next: Option<&str>) -> (String, Value, Value, Value) {
    (status.to_owned(), json!(turn), json!(round), json!(next))
}

const FIRST: [&str; 4] = ["user:-", "manager:Mara", "specialist:Ben", "specialist:Cleo"];
const LAST: [&str; 4] = ["manager:Mara", "specialist:Ben", "specialist:Cleo", "user:-"];

#[test]
fn the_seeds_checklist_holds() {
    let config = config(&FIRST, &json!({}));
    let mut talk = Talk::begin(&config, &brief);
    assert_eq!(standing(&talk), at("active", 0, 1, Some("User")));
    let seats = Cell::new(0);
    let answer = |call: &Call| {
        // The person's message stands in the record before anybody is asked, and each turn before the next.
        seats.set(seats.get() + 1);
        brief(call)
    };
    for round in 1..=3 {
        talk.advance("somebody", &format!("message {round}"), &answer)
            .unwrap();
        let next = if round < 3 {
            at("active", 0, round + 1, Some("User"))
        } else {
            at("completed", 0, 4, None)
        };
        assert_eq!(standing(&talk), next);
    }
    assert_eq!(seats.get(), 9);
    assert_eq!(
        talk.log(),
        [
            "1.0 User: message 1",
            "1.1 Mara: mara.",
            "1.2 Ben: ben.",
            "1.3 Cleo: cleo.",
            "2.0 User: message 2",
            "2.1 Mara: mara.",
            "2.2 Ben: ben.",
            "2.3 Cleo: cleo.",
            "3.0 User: message 3",
            "3.1 Mara: mara.",
            "3.2 Ben: ben.",
            "3.3 Cleo: cleo.",
        ]
    );
    let refusal = talk.advance("somebody", "message 4", &answer).unwrap_err();
    assert_eq!(refusal.code(), "conflict");
    assert_eq!(
        talk.result(),
        json!({ "completed_by": "rounds", "rounds": 3, "contributions": 12 })
    );
    let view = talk.view();
    assert_eq!(
        view["counts"],
        json!({ "user": 3, "manager": 3, "specialist": 6 })
    );
    assert_eq!(
        view["speakerOrder"],
        json!(["user", "manager", "specialist", "specialist"])
    );
}

#[test]
fn each_turn_is_recorded_before_the_next_is_asked_for() {
    let config = config(&FIRST, &json!({}));
    let mut talk = Talk::begin(&config, &brief);
    for round in 1..=3 {
        talk.advance("x", &format!("message {round}"), &brief).unwrap();
    }
    let mut said = 0;
    for entry in talk.record() {
        match &entry.what {
            EntryKind::Event { event, .. } if event.value()["type"] == "said" => said += 1,
            EntryKind::Asked { ask, .. } => {
                let turn: usize = ask.id.split('/').nth(3).unwrap().parse().unwrap();
                let round = ask.round.unwrap() as usize;
                assert_eq!(said, (round - 1) * 4 + turn, "{}", ask.id);
            }
            _ => {}
        }
    }
    assert_eq!(said, 12);
}

#[test]
fn whoever_is_spoken_to_out_of_turn_answers_and_keeps_the_turn() {
    let config = config(&LAST, &json!({}));
    let mut talk = Talk::begin(&config, &brief);
    // Nobody speaks before the person does.
    assert_eq!(standing(&talk), at("active", 0, 1, Some("Mara")));
    assert_eq!(talk.state()["reason"], "message");
    talk.advance("u-1", "a", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 3, 1, Some("User")));
    talk.advance("u-1", "b", &brief).unwrap();
    talk.advance("u-1", "c", &brief).unwrap();
    // Only the person is left in the last round.
    assert_eq!(standing(&talk), at("completed", 0, 4, None));
    assert_eq!(
        turns(&talk),
        [
            "1.0 User", "1.0 Mara", "1.1 Ben", "1.2 Cleo", "1.3 User", "2.0 Mara", "2.1 Ben", "2.2 Cleo",
            "2.3 User", "3.0 Mara", "3.1 Ben", "3.2 Cleo"
        ]
    );
    assert_eq!(talk.log()[0], "1.0 User: a [\"out_of_turn\"]");
    assert_eq!(talk.result()["completed_by"], "last_word");
}

#[test]
fn a_person_may_have_the_last_word() {
    let config = config(&LAST, &json!({ "require_closing_message": true, "rounds": 1 }));
    let mut talk = Talk::begin(&config, &brief);
    talk.advance("u", "a", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 3, 1, Some("User")));
    talk.advance("u", "b", &brief).unwrap();
    assert_eq!(standing(&talk), at("completed", 0, 2, None));
}

#[test]
fn agents_alone_go_through_all_rounds() {
    let places = ["manager:Mara", "specialist:Ben"];
    let mut talk = Talk::begin(&config(&places, &json!({})), &brief);
    assert_eq!(talk.log(), [] as [&str; 0]);
    talk.advance("u", "go", &brief).unwrap();
    assert_eq!(talk.log().len(), 7);
    assert!(talk.is_over());
    // Or without being spoken to.
    let talk = Talk::begin(&config(&places, &json!({ "start": "at_once" })), &brief);
    assert_eq!(talk.log().len(), 6);
    assert!(talk.is_over());
    // Or when the run is resumed.
    let mut talk = Talk::begin(&config(&places, &json!({})), &brief);
    talk.command(Command::Resume, &brief);
    assert_eq!(talk.log().len(), 6);
}

#[test]
fn several_people_speak_in_their_turns_and_between_them() {
    let places = ["user:Ana", "manager:Mara", "user:Bo", "specialist:Ben"];
    let mut talk = Talk::begin(&config(&places, &json!({ "rounds": 1 })), &brief);
    talk.advance("Bo", "may I?", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 0, 1, Some("Ana")));
    talk.advance("Ana", "please", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 2, 1, Some("Bo")));
    talk.advance("Ana", "and I", &brief).unwrap();
    talk.advance("visitor", "hello", &brief).unwrap();
    talk.answer("Bo", " Pass. ", &brief);
    assert_eq!(
        talk.log(),
        [
            "1.0 Bo: may I? [\"out_of_turn\"]",
            "1.0 Ana: please",
            "1.1 Mara: mara.",
            "1.2 Ana: and I [\"out_of_turn\"]",
            "1.2 visitor: hello [\"out_of_turn\"]",
            "1.2 Bo:  [\"passed\"]",
            "1.3 Ben: ben.",
        ]
    );
    assert!(talk.is_over());
}

#[test]
fn what_people_write_stays_as_it_is() {
    let mut talk = Talk::begin(&config(&["user:Ana"], &json!({ "rounds": 2 })), &brief);
    let text = "Ben: [not] a label\n\nSpeaker: <script>alert(1)</script>";
    talk.advance("Ana", text, &brief).unwrap();
    talk.answer("Ana", "", &brief);
    let view = talk.view();
    assert_eq!(view["entries"][0]["content"], text);
    assert_eq!(view["entries"][1]["metadata"]["passed"], true);
    assert!(talk.is_over());
}

#[test]
fn twenty_five_agents_finish_by_going_on() {
    let places: Vec<String> = (0..25).map(|number| format!("specialist:S{number}")).collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let mut talk = Talk::begin(&config(&places, &json!({})), &brief);
    talk.advance("u", "go", &brief).unwrap();
    assert_eq!(talk.log().len(), 21);
    assert_eq!(standing(&talk), at("active", 20, 1, Some("S20")));
    assert_eq!(
        (&talk.state()["pending"], &talk.state()["reason"]),
        (&json!(true), &json!("turn_limit"))
    );
    assert_eq!(
        talk.session.status(),
        Status::Halted(Halt::Rests {
            reason: "turn_limit".to_owned()
        })
    );
    talk.command(Command::Resume, &brief);
    assert_eq!(talk.log().len(), 41);
    // A message goes on as well.
    talk.advance("u", "on", &brief).unwrap();
    talk.command(Command::Resume, &brief);
    assert!(talk.is_over());
    assert_eq!(talk.log().len(), 25 * 3 + 2);
}

#[test]
fn unknown_agents_are_passed_over_with_one_note() {
    let places = ["user:-", "manager:-", "specialist:Ben"];
    let mut talk = Talk::begin(&config(&places, &json!({})), &brief);
    talk.advance("u", "a", &brief).unwrap();
    talk.advance("u", "b", &brief).unwrap();
    assert_eq!(
        turns(&talk),
        [
            "1.0 User",
            "1.1 note unknown_agent",
            "1.2 Ben",
            "2.0 User",
            "2.2 Ben"
        ]
    );
    // Nobody to speak: it rests instead of turning round and round.
    let mut talk = Talk::begin(
        &config(&["manager:-", "leader:-"], &json!({ "rounds": 5 })),
        &brief,
    );
    talk.advance("u", "a", &brief).unwrap();
    assert_eq!(standing(&talk), at("paused", 0, 2, None));
    assert_eq!(talk.state()["reason"], "no_speakers");
}

#[test]
fn a_failed_call_pauses_and_is_tried_again_without_saying_anything_twice() {
    let config = config(&FIRST, &json!({ "rounds": 1 }));
    let mut talk = Talk::begin(&config, &brief);
    let down = Cell::new(true);
    let answer = |call: &Call| match call.ask.seat.as_str() {
        "Ben" if down.get() => Err(failure(FailureKind::Key)),
        _ => brief(call),
    };
    let message = Message {
        user: "u",
        text: "a",
        request_id: Some("r-1"),
    };
    talk.send(message, &answer).unwrap();
    assert_eq!(standing(&talk), at("paused", 2, 1, None));
    assert_eq!(
        talk.state()["error"],
        json!({ "agent": "Ben", "message": "no luck" })
    );
    // The same request again only goes on.
    talk.send(message, &answer).unwrap();
    assert_eq!(talk.state()["status"], "paused");
    down.set(false);
    talk.send(message, &answer).unwrap();
    assert_eq!(turns(&talk), ["1.0 User", "1.1 Mara", "1.2 Ben", "1.3 Cleo"]);
    assert!(talk.is_over());
    assert_eq!(talk.view()["entries"][0]["metadata"]["request_id"], "r-1");
    // Even after the end it is known, while another message is refused.
    assert_eq!(talk.send(message, &answer), Ok(()));
    assert_eq!(talk.advance("u", "b", &answer).unwrap_err().code(), "conflict");
}

#[test]
fn messages_that_cannot_be_are_refused_before_anything_happens() {
    let mut talk = Talk::begin(&config(&FIRST, &json!({})), &brief);
    let before = talk.record();
    let long = "x".repeat(20_001);
    for (user, text) in [("u", " \n "), (" ", "a"), ("u", long.as_str())] {
        assert_eq!(
            talk.advance(user, text, &brief).unwrap_err().code(),
            "bad_request"
        );
    }
    // Nor can a message come from a seat where no person sits, or from what looks like its name.
    for user in [
        "Mara",
        "mara",
        " Mara",
        "M\u{200b}ara",
        "M\u{430}ra",
        "\u{ff2d}ara",
        "Ben",
    ] {
        let refusal = talk.advance(user, "I resign.", &brief).unwrap_err();
        assert_eq!(refusal.code(), "bad_request", "{user:?}");
        assert!(
            refusal
                .to_string()
                .contains("the name of a seat that is not a person"),
            "{refusal}"
        );
    }
    assert_eq!(talk.record(), before);
    // By itself the engine takes any text, and tells what it leaves.
    let say = |text: &str| Command::Say {
        seat: "Ana".to_owned(),
        text: text.to_owned(),
        request_id: None,
    };
    talk.command(say(" "), &brief);
    talk.command(say(&"y".repeat(100_000)), &brief);
    assert_eq!(turns(&talk), ["1.0 note empty_message", "1.0 Ana"]);
}

#[test]
fn a_paused_discussion_goes_on_with_the_next_message() {
    let mut talk = Talk::begin(&config(&FIRST, &json!({})), &brief);
    talk.command(Command::Pause, &brief);
    assert_eq!(talk.state()["reason"], "command");
    talk.advance("u", "a", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 0, 2, Some("User")));
    talk.command(Command::Stop, &brief);
    assert_eq!(talk.state()["status"], "paused");
    talk.advance("u", "b", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 0, 3, Some("User")));
    talk.command(Command::Close, &brief);
    assert_eq!(talk.state()["status"], "completed");
    assert_eq!(talk.result()["completed_by"], "closed");
}

#[test]
fn an_empty_answer_is_asked_for_once_more_and_then_shown_as_such() {
    let mut talk = Talk::begin(
        &config(&["user:-", "manager:Mara"], &json!({ "rounds": 2 })),
        &brief,
    );
    let answer = |call: &Call| match (call.ask.round, call.ask.attempt) {
        (Some(1), 1) | (Some(2), _) => Ok(" \n".to_owned()),
        _ => brief(call),
    };
    talk.advance("u", "a", &answer).unwrap();
    talk.advance("u", "b", &answer).unwrap();
    assert_eq!(
        talk.log(),
        [
            "1.0 User: a",
            "1.1 Mara: mara.",
            "2.0 User: b",
            "2.1 Mara:  [\"empty\"]"
        ]
    );
    assert_eq!(talk.calls.len(), 4);
    let again = &talk.calls[1].request.messages[0].content;
    assert!(again.contains("nothing that could be used"), "{again}");
}

#[test]
fn run_on_answers_are_cut_and_kept_whole_aside() {
    let raw = "[Mara]: Let us begin.\nBen: I agree.\nUser: me too";
    let mut talk = Talk::begin(&config(&FIRST, &json!({ "rounds": 1 })), &brief);
    let answer = |call: &Call| match call.ask.seat.as_str() {
        "Mara" => Ok(raw.to_owned()),
        "Ben" => Ok("Cleo: I speak for her.\n\nAnd more.".to_owned()),
        _ => Ok("One. [Two".to_owned()),
    };
    talk.advance("u", "a", &answer).unwrap();
    assert_eq!(
        talk.log()[1..],
        [
            "1.1 Mara: Let us begin.",
            "1.2 Ben: I speak for her. [\"answered_as\"]",
            "1.3 Cleo: One."
        ]
    );
    let view = talk.view();
    assert_eq!(view["entries"][1]["metadata"]["raw"], raw);
    assert_eq!(view["entries"][2]["metadata"]["answered_as"], "Cleo");
    assert_eq!(talk.calls[0].request.stop, ["[", "\n\n", "Speaker:"]);
}

#[test]
fn nobody_answering_in_time_is_a_rest_and_not_the_end() {
    let mut talk = Talk::begin(
        &config(
            &["user:-", "manager:Mara"],
            &json!({ "rounds": 1, "timeout_tries": 1 }),
        ),
        &brief,
    );
    let inputs = quorate::procedures::discussion::advance::advance(
        &talk.session,
        Message {
            user: "u",
            text: "a",
            request_id: None,
        },
    );
    for input in inputs.unwrap() {
        talk.hand_in(input);
    }
    let deadline = talk.session.deadline().unwrap();
    let outcome = talk.session.handle(deadline, Input::Tick);
    assert!(matches!(outcome.status, Status::Halted(Halt::Rests { reason }) if reason == "no_answer"));
    assert_eq!(talk.state()["status"], "paused");
    let (session, outcome) = procedures::replay(&talk.record()).unwrap();
    let mut talk = Talk::go_on(session, outcome, &brief);
    talk.command(Command::Resume, &brief);
    assert_eq!(turns(&talk), ["1.0 User", "1.1 Mara"]);
    assert!(talk.calls[0].ask.id.ends_with("#2"));
}

fn reseat(places: &[&str]) -> Command {
    let config = config(places, &json!({}));
    let table = json!({ "agents": config["agents"], "participants": config["participants"] });
    Command::Reseat { table }
}

#[test]
fn the_table_can_change_while_it_goes_on() {
    let mut talk = Talk::begin(
        &config(&["user:Ana", "manager:Mara", "user:Bo"], &json!({ "rounds": 2 })),
        &brief,
    );
    talk.advance("Ana", "a", &brief).unwrap();
    assert_eq!(standing(&talk), at("active", 2, 1, Some("Bo")));
    // Bo stays asked where only others come in, and the turn stays his.
    talk.command(
        reseat(&["specialist:Ben", "user:Ana", "manager:Mara", "user:Bo"]),
        &brief,
    );
    assert_eq!(standing(&talk), at("active", 3, 1, Some("Bo")));
    assert_eq!(talk.session.open_asks()[0].call.ask.id, "round/1/turn/2/Bo#1");
    // He leaves: his question is withdrawn, the next round begins.
    talk.command(reseat(&["specialist:Ben", "user:Ana", "manager:Mara"]), &brief);
    let is_withdrawn = |entry: &Rc<Entry>| matches!(&entry.what, EntryKind::Withdrawn { ask } if ask == "round/1/turn/2/Bo#1");
    assert!(talk.record().iter().any(is_withdrawn));
    assert_eq!(standing(&talk), at("active", 1, 2, Some("Ana")));
    // What cannot be is told, and nothing changes.
    talk.command(
        Command::Reseat {
            table: json!({ "agents": [] }),
        },
        &brief,
    );
    talk.command(Command::Reseat { table: json!(7) }, &brief);
    assert_eq!(
        talk.log()
            .iter()
            .filter(|line| line.ends_with("note table_refused"))
            .count(),
        2
    );
    talk.advance("Ana", "b", &brief).unwrap();
    assert!(talk.is_over());
    assert_eq!(
        turns(&talk)[..4],
        ["1.0 Ana", "1.1 Mara", "2.0 Ben", "2.1 note table_refused"]
    );
    assert!(procedures::replay(&talk.record()).is_ok());
}

/// Everything at once: messages in and out of turn, a pass, a failure, an empty answer, a change.
fn eventful(answer: talk::Answer<'_>) -> (Talk, Value) {
    let places = [
        "manager:Mara",
        "specialist:Ben",
        "user:Ana",
        "user:Bo",
        "leader:-",
    ];
    let config = config(&places, &json!({ "rounds": 2, "turns_per_call": 2 }));
    let mut talk = Talk::begin(&config, answer);
    talk.advance("Ana", "a", answer).unwrap();
    talk.advance("Bo", "b", answer).unwrap();
    talk.command(Command::Resume, answer);
    talk.answer("Ana", "pass", answer);
    talk.answer("Bo", "c", answer);
    talk.command(
        reseat(&["manager:Mara", "specialist:Cleo", "user:Ana", "user:Bo"]),
        answer,
    );
    talk.command(Command::Resume, answer);
    if !talk.is_over() {
        talk.advance("Ana", "d", answer).unwrap();
        talk.command(Command::Close, answer);
    }
    assert!(talk.is_over());
    (talk, config)
}

fn mixed(call: &Call) -> Result<String, Failure> {
    match (call.ask.seat.as_str(), call.attempt, call.ask.attempt) {
        ("Ben", 1, 1) => Err(failure(FailureKind::Server)),
        ("Mara", _, 1) => Ok("[Mara]:".to_owned()),
        _ => says(call),
    }
}

#[test]
fn the_same_messages_and_answers_give_the_same_record_to_the_byte() {
    let (one, _) = eventful(&mixed);
    let (other, _) = eventful(&mixed);
    assert_eq!(one.text(), other.text());
    let stored: Vec<Entry> = serde_json::from_str(&one.text()).unwrap();
    let stored: Vec<Rc<Entry>> = stored.into_iter().map(Rc::new).collect();
    assert_eq!(stored, one.record());
}

/// The crash test: the record is cut after each of its entries in turn, replayed, and fed with what
/// came from outside behind the cut.
#[test]
fn a_record_cut_anywhere_goes_on_to_the_same_end() {
    let (whole, config) = eventful(&mixed);
    let record = whole.record();
    assert!(record.len() > 50, "{}", record.len());
    for cut in (1..=record.len()).step_by(times(10, 1)) {
        let (mut session, outcome) = procedures::replay(&record[..cut]).unwrap();
        let stored = cut + outcome.entries.len();
        assert_eq!(outcome.entries, record[cut..stored], "cut at {cut}");
        for entry in &record[stored..] {
            let input = match entry.what.clone() {
                EntryKind::Answered { ask, attempt, reply } => Input::Answered { ask, attempt, reply },
                EntryKind::Failed {
                    ask,
                    attempt,
                    failure,
                } => Input::Failed {
                    ask,
                    attempt,
                    failure,
                },
                EntryKind::Commanded { command } => Input::Command(command),
                _ => continue,
            };
            let _ = session.handle(entry.at, input);
        }
        assert_eq!(session.record(), record, "cut at {cut}");
        // Whoever looks at the cut record sees a discussion that goes on, and changes nothing by it.
        let view = procedures::discussion::status::view(&record[..stored]);
        assert_eq!(view["status"], "success");
        // A branch takes over everything up to there.
        let from = ForkedFrom {
            session: "talk".to_owned(),
            seq: cut as u64,
        };
        let (branch, _, taken) =
            procedures::branch(&config, "fork", from, &record[..cut], record[cut - 1].at).unwrap();
        assert_eq!(taken, cut);
        assert_eq!(branch.record()[1..], record[1..stored]);
    }
}

/// Every preset that has no person runs by itself, the same each time, in its own language.
#[test]
fn presets_run_to_their_end_the_same_each_time() {
    use quorate::export::{Format, export};
    use quorate::procedures;
    for preset in procedures::discussion::presets::all() {
        let run = || {
            let seed = preset.config["seed"].as_u64().unwrap() as u32;
            let answer = |call: &Call| {
                let seat = Seat::new(&call.ask.seat, SeatKind::Scripted, call.ask.language, None, None);
                Ok(procedures::scripted_answer(&seat, seed, call))
            };
            let mut talk = Talk::begin(&preset.config, &answer);
            while !talk.is_over() {
                talk.advance("You", "I would like it simple.", &answer).unwrap();
            }
            talk
        };
        let talk = run();
        assert_eq!(talk.text(), run().text(), "{}", preset.id);
        assert!(talk.log().len() >= 9, "{}", preset.id);
        // Nothing that a script says is cut off or left empty.
        let view = talk.view();
        for entry in view["entries"].as_array().unwrap() {
            assert_eq!(entry["metadata"]["raw"], Value::Null, "{}: {entry}", preset.id);
            assert!(!entry["content"].as_str().unwrap().is_empty());
        }
        for name in ["json", "jsonl", "utterances", "md"] {
            let file = export(Format::from_name(name).unwrap(), &talk.record()).unwrap();
            let said = view["entries"][0]["content"].as_str().unwrap();
            assert!(
                file.text.contains(said.get(..12).unwrap_or(said)),
                "{}: {name}",
                preset.id
            );
        }
        assert!(export(Format::Published, &talk.record()).is_err());
        let summary = procedures::summary::summary(&talk.record(), 0);
        assert_eq!(
            (&summary["protocol"], &summary["state"]),
            (&json!("discussion"), &json!("ended"))
        );
        assert_eq!(summary["outcome"]["completed_by"], "rounds");
        assert_eq!(
            summary["seats"].as_array().unwrap().len(),
            preset.config["agents"].as_array().unwrap().len()
        );
    }
}

fn roster() -> impl Strategy<Value = Vec<String>> {
    let role = prop::sample::select(vec!["manager", "leader", "specialist", "user"]);
    let place = (role, 0..3_u8);
    prop::collection::vec(place, 1..7).prop_map(|places| {
        let name = |(number, (role, kind)): (usize, (&str, u8))| match kind {
            0 => format!("{role}:-"),
            _ => format!("{role}:N{number}"),
        };
        places.into_iter().enumerate().map(name).collect()
    })
}

proptest! {
    /// Any table and any settings come to an end when somebody keeps at it, and nobody else's label is
    /// ever left at the head of a line.
    #[test]
    fn every_discussion_ends(
        roster in roster(),
        rounds in 1..4_u32,
        limit in 1..6_u32,
        closing in any::<bool>(),
        at_once in any::<bool>(),
        messages in prop::collection::vec("[a-z \n:\\[\\]]{0,12}", 8),
    ) {
        let places: Vec<&str> = roster.iter().map(String::as_str).collect();
        let start = if at_once { "at_once" } else { "message" };
        let config = config(&places, &json!({
            "rounds": rounds, "turns_per_call": limit, "require_closing_message": closing, "start": start,
        }));
        let count = Cell::new(0_usize);
        let answer = |_: &Call| {
            count.set(count.get() + 1);
            Ok(messages[count.get() % messages.len()].clone())
        };
        let mut talk = Talk::begin(&config, &answer);
        for step in 0..600 {
            if talk.is_over() {
                break;
            }
            let open = talk.session.open_asks();
            match open.first() {
                Some(open) => {
                    let seat = open.seat.name.clone();
                    talk.answer(&seat, &messages[step % messages.len()], &answer);
                }
                None => talk.command(Command::Resume, &answer),
            }
        }
        prop_assert!(talk.is_over(), "{:?}", talk.state());
        prop_assert!(talk.state()["status"] == "completed");
        let (_, outcome) = procedures::replay(&talk.record()).unwrap();
        prop_assert!(outcome.entries.is_empty());
    }

    /// Any commands and messages in any order: no panic, and the record replays.
    #[test]
    fn any_input_is_legal(steps in prop::collection::vec((0..9_u8, "[ab\n]{0,3}"), 0..40)) {
        let config = config(&LAST, &json!({ "turns_per_call": 3, "limits": { "max_calls": 9 } }));
        let answer = |call: &Call| match call.ask.id.len() % 5 {
            0 => Err(failure(FailureKind::Refused)),
            1 => Ok(String::new()),
            _ => says(call),
        };
        let mut talk = Talk::begin(&config, &answer);
        for (kind, text) in steps {
            let command = match kind {
                0 => Command::Pause,
                1 => Command::Resume,
                2 => Command::Step,
                3 => Command::Stop,
                4 => Command::Limit { max_calls: None, max_tokens: None, max_cost: None },
                5 => Command::Say { seat: text.clone(), text, request_id: None },
                6 => reseat(&["specialist:Ben", "user:-"]),
                7 => reseat(&["manager:-"]),
                _ => {
                    let _ = talk.advance("u", &text, &answer);
                    continue;
                }
            };
            talk.command(command, &answer);
            prop_assert!(talk.view()["status"] == "success");
        }
        let (session, outcome) = procedures::replay(&talk.record()).unwrap();
        prop_assert!(outcome.entries.is_empty());
        prop_assert_eq!(session.record(), talk.record());
    }
}
