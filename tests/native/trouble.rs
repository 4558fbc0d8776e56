//! Runs in which answers fail to come, or come unreadable: the clock, what counts for a missing
//! answer, and that nothing is ever made up for it. Every run comes to its end.

use crate::support::world;

use quorate::core::ask::{Failure, FailureKind};
use quorate::core::record::EntryKind;
use quorate::procedures::justice::asks;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use world::{Call, NAMES, Reaction, Run, config, run, says, votes_from};

/// Moments at which an ask was sent and timed out, from its first try.
fn schedule(run: &Run, id: &str) -> Vec<u64> {
    let moments: Vec<u64> = run
        .record()
        .iter()
        .filter(|entry| match &entry.what {
            EntryKind::TimedOut { ask, .. } | EntryKind::Unanswered { ask } => ask == id,
            EntryKind::Asked { ask, .. } => ask.id == id,
            _ => false,
        })
        .map(|entry| entry.at)
        .collect();
    moments.iter().map(|moment| moment - moments[0]).collect()
}

/// Nothing in a value but nulls, falses, zeros, empty texts and lists, and what `keys` name.
fn is_blank(value: &Value, keys: &[&str]) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.iter().all(|value| is_blank(value, keys)),
        Value::Object(object) => object
            .iter()
            .all(|(key, value)| keys.contains(&key.as_str()) || is_blank(value, keys)),
        Value::Bool(true) => false,
    }
}

/// What everybody has to find where no answer could be used at all.
fn nothing_is_filled_in(run: &Run, seats: usize) {
    let result = run.result();
    assert_eq!(result["consensus_reached"], false);
    assert_eq!(result["chosen_principle"], Value::Null);
    assert_eq!(result["constraint_amount"], Value::Null);
    assert_eq!(result["voting_records"], json!([]));
    for name in &NAMES[..seats] {
        assert_eq!(result["final_rankings"][name], Value::Null);
        let phase1 = &result["phase1"][name];
        let nulls = json!({ "initial": null, "post_explanation": null, "after_applications": null });
        assert_eq!(phase1["rankings"], nulls);
        assert_eq!(phase1["earnings"], 0.0);
        assert_eq!(phase1["applications"].as_array().unwrap().len(), 4);
        assert!(is_blank(&phase1["applications"], &["round"]), "{phase1}");
        assert_eq!(result["payoffs"][name]["phase1"], 0.0);
        assert_eq!(
            result["payoffs"][name]["total"],
            result["payoffs"][name]["payoff"]
        );
    }
    for applied in run.events_of("applied") {
        let drawn = [
            "type",
            "seat",
            "round",
            "multiplier",
            "distributions",
            "alternatives",
            "same_class",
        ];
        assert!(is_blank(&applied, &drawn), "{applied}");
    }
    assert!(
        run.events_of("ranked")
            .iter()
            .all(|ranked| ranked["ranking"].is_null())
    );
    assert!(
        run.events_of("initiation")
            .iter()
            .all(|asked| asked["answer"].is_null())
    );
    for spoken in result["discussion_history"].as_array().unwrap() {
        if spoken["kind"] == "statement" {
            assert_eq!(spoken["validation"], "best_effort");
        }
    }
    let flagged = |code: &str| run.warnings().iter().filter(|warning| *warning == code).count();
    assert_eq!(flagged("ranking_missing"), 4 * seats);
    assert_eq!(flagged("choice_unreadable"), 4 * seats);
}

#[test]
fn a_world_in_which_nobody_ever_answers_comes_to_its_end_by_the_clock() {
    let run = run(&config(3, &json!({})), |_| Reaction::Nothing);
    nothing_is_filled_in(&run, 3);
    // 30, 45 and 67.5 s with a pause of 1 s between.
    let thirty = [0, 30_000, 76_000, 144_500, 144_500];
    for id in [
        "phase1/initial_ranking/Ana#1",
        "phase1/round/4/application/Cleo#1",
        "phase1/explanation/Ben#1",
        "phase1/explanation/memory_update/Ben#1",
        "phase2/round/1/statement/Ana#1",
        "phase2/round/4/vote_initiation/Cleo#1",
        "phase2/results_ranking/Ana#1",
    ] {
        let id = if id.contains("memory_update") {
            "phase1/memory_update/explanation/Ben#1"
        } else {
            id
        };
        assert_eq!(schedule(&run, id), thirty, "{id}");
    }
    // Private reasoning is asked for once.
    assert_eq!(
        schedule(&run, "phase2/round/1/internal_reasoning/Ana#1"),
        [0, 30_000, 30_000]
    );
    let result = run.result();
    assert_eq!(result["rounds_completed"], 4);
    for name in &NAMES[..3] {
        let line = |spoken: &&Value| spoken["statement"].as_str().unwrap().contains(name);
        let history = result["discussion_history"].as_array().unwrap();
        assert_eq!(
            history.iter().filter(line).count(),
            4,
            "a line for each statement that was not made"
        );
    }
    assert!(
        run.events_of("spoke")
            .iter()
            .all(|spoke| spoke["validation"] == "skipped" && spoke["text"] == "")
    );
    assert!(
        run.events_of("reasoned")
            .iter()
            .all(|reasoned| reasoned["text"] == "")
    );
    let flagged: Vec<String> = run.warnings();
    assert_eq!(
        flagged.iter().filter(|code| *code == "statement_skipped").count(),
        12
    );
    // 8 in phase 1 and the results, each.
    assert_eq!(
        flagged
            .iter()
            .filter(|code| *code == "memory_not_rewritten")
            .count(),
        3 * 9
    );
}

/// Rubbish of several sorts; deterministic.
fn rubbish(call: &Call) -> Reaction {
    const SORTS: [&str; 6] = [
        "qwxz",
        "???",
        "12 of 34, or 99; perhaps -7",
        "Ja zu allem, nein zu nichts. Oder umgekehrt.",
        "<html><body>502</body></html>",
        "🤖🤖🤖",
    ];
    says(SORTS[sort_of(call) % SORTS.len()])
}

/// A number that depends on the id of the ask alone.
fn sort_of(call: &Call) -> usize {
    let add = |hash: usize, byte: u8| hash.wrapping_mul(31).wrapping_add(byte.into());
    call.ask.id.bytes().fold(7, add) >> 3
}

#[test]
fn a_world_of_rubbish_comes_to_its_end_with_nothing_made_up() {
    for seats in [2, 5] {
        let run = run(&config(seats, &json!({})), rubbish);
        nothing_is_filled_in(&run, seats);
        // Each is asked as often as allowed, and says why.
        for entry in run.record() {
            let EntryKind::Read { ask, reading } = &entry.what else {
                continue;
            };
            if ask.contains("/statement/") {
                continue;
            }
            let reading = reading.value();
            assert_eq!(reading["value"], Value::Null, "{ask}: {reading}");
            assert!(reading["reason"].as_str().unwrap().len() > 3, "{ask}: {reading}");
        }
        let tries = |kind| run.count(kind) / seats;
        assert_eq!(tries(asks::INITIAL_RANKING), 3);
        assert_eq!(tries(asks::APPLICATION), 4 * 3);
        assert_eq!(tries(asks::VOTE_INITIATION), 4 * 3);
        assert_eq!(tries(asks::EXPLANATION), 1);
        assert_eq!(run.count(asks::VOTE_CONFIRMATION), 0);
    }
}

#[test]
fn a_world_of_empty_answers_comes_to_its_end_too() {
    for blank in ["", "  \n\t "] {
        let run = run(&config(3, &json!({})), |_| says(blank));
        nothing_is_filled_in(&run, 3);
        assert!(
            run.events_of("spoke")
                .iter()
                .all(|spoke| spoke["validation"] == "skipped")
        );
        // One question and three more for each statement, two for each memory.
        assert_eq!(run.count(asks::STATEMENT), 3 * 4 * 4);
        assert_eq!(run.count(asks::MEMORY_UPDATE), 3 * 9 * 2);
        let reasons: Vec<Value> = run
            .record()
            .iter()
            .filter_map(|entry| match &entry.what {
                EntryKind::Read { reading, .. } => Some(reading.value()["reason"].clone()),
                _ => None,
            })
            .collect();
        assert!(
            reasons.iter().all(|reason| reason == "empty_response"),
            "{reasons:?}"
        );
    }
}

#[test]
fn rankings_choices_and_amounts_that_cannot_be_read_are_missing_and_pay_nothing() {
    let run = run(&config(3, &json!({})), |call| {
        match (
            call.ask.kind.name(),
            call.ask.seat.as_str(),
            call.ask.round.unwrap_or(0),
        ) {
            (asks::POST_EXPLANATION_RANKING, "Ana", _) => says("They are all fine."),
            (asks::RESULTS_RANKING, "Ben", _) => says("1. floor\n2. floor\n3. floor\n4. average"),
            (asks::APPLICATION, "Ana", 2) => says("Let me think about it."),
            // A constraint without an amount, and never one when asked for it.
            (asks::APPLICATION, "Ben", 3) => says("3, sure"),
            (asks::CONSTRAINT_RETRY, "Ben", _) => says("a fair amount"),
            // No amount at first, one when asked.
            (asks::APPLICATION, "Cleo", 4) => says("3, sure"),
            (asks::CONSTRAINT_RETRY, "Cleo", _) => says("$14,000"),
            _ => votes_from(2)(call),
        }
    });
    let result = run.result();
    assert_eq!(result["consensus_reached"], true);
    assert_eq!(
        result["phase1"]["Ana"]["rankings"]["post_explanation"],
        Value::Null
    );
    assert!(result["phase1"]["Ana"]["rankings"]["initial"].is_object());
    assert_eq!(result["final_rankings"]["Ben"], Value::Null);
    assert!(result["final_rankings"]["Ana"].is_object());
    let applied = |seat: &str, round: u32| {
        let mut events = run.events_of("applied");
        events.retain(|event| event["seat"] == seat && event["round"] == round);
        events[0].clone()
    };
    for (seat, round) in [("Ana", 2), ("Ben", 3)] {
        let event = applied(seat, round);
        for key in [
            "principle",
            "amount",
            "certainty",
            "constraint_met",
            "distribution",
            "class",
            "income",
        ] {
            assert_eq!(event[key], Value::Null, "{seat} {key}");
        }
        assert_eq!(event["payoff"], 0.0);
        assert_eq!(event["bank"], applied(seat, round - 1)["bank"]);
        let kept = &result["phase1"][seat]["applications"][round as usize - 1];
        assert!(is_blank(kept, &["round"]), "{kept}");
    }
    assert_eq!(applied("Cleo", 4)["amount"], 14_000);
    assert!(applied("Cleo", 4)["payoff"].as_f64().unwrap() > 0.0);
    // The draws after a missing choice are those of a run without it.
    let other = world::run(&config(3, &json!({})), votes_from(2));
    let draws = |run: &Run| {
        let value = |entry: &std::rc::Rc<quorate::core::record::Entry>| match &entry.what {
            EntryKind::Drew {
                stream,
                purpose,
                value,
            } if purpose.contains("class") && stream.starts_with("phase1") => {
                Some((stream.clone(), purpose.clone(), value.to_string()))
            }
            _ => None,
        };
        let mut draws: Vec<_> = run.record().iter().filter_map(value).collect();
        draws.sort();
        draws
    };
    assert_eq!(draws(&run), draws(&other));
    assert_eq!(draws(&run).len(), 12);
    let mut warnings = run.warnings();
    warnings.sort();
    assert_eq!(
        warnings,
        [
            "choice_unreadable",
            "constraint_missing",
            "ranking_missing",
            "ranking_missing"
        ]
    );
}

/// A run in which `seat` never answers one kind of question.
fn silent(kind: &'static str, seat: &'static str, rounds: u32) -> Run {
    run(&config(3, &json!({ "phase2_rounds": rounds })), move |call| {
        if call.ask.kind == kind && call.ask.seat == seat {
            return Reaction::Nothing;
        }
        votes_from(1)(call)
    })
}

#[test]
fn who_does_not_speak_in_time_is_passed_over() {
    let run = silent(asks::STATEMENT, "Ben", 1);
    let result = run.result();
    let history = result["discussion_history"].as_array().unwrap();
    let speakers: Vec<&Value> = history
        .iter()
        .filter(|spoken| spoken["kind"] == "statement")
        .map(|spoken| &spoken["speaker"])
        .collect();
    assert_eq!(speakers.len(), 2);
    assert!(!speakers.contains(&&json!("Ben")));
    let notices: Vec<Value> = run.events_of("announced");
    assert_eq!(notices[0]["notice"], "statement_unavailable");
    assert_eq!(result["consensus_reached"], true);
    assert_eq!(run.warnings(), ["statement_skipped"]);
}

#[test]
fn who_does_not_say_whether_to_vote_wants_no_vote() {
    let run = silent(asks::VOTE_INITIATION, "Ana", 1);
    let asked = run.events_of("initiation");
    assert_eq!(
        (&asked[0]["seat"], &asked[0]["answer"]),
        (&json!("Ana"), &Value::Null)
    );
    assert_eq!(
        (&asked[1]["seat"], &asked[1]["answer"]),
        (&json!("Ben"), &json!(true))
    );
    assert_eq!(run.result()["voting_records"][0]["initiator"], "Ben");
    assert_eq!(
        schedule(&run, "phase2/round/1/vote_initiation/Ana#1"),
        [0, 30_000, 76_000, 144_500, 144_500]
    );
}

#[test]
fn who_does_not_confirm_in_time_has_not_confirmed() {
    let run = silent(asks::VOTE_CONFIRMATION, "Cleo", 2);
    let result = run.result();
    assert_eq!(run.count(asks::BALLOT_PRINCIPLE), 0);
    for record in result["voting_records"].as_array().unwrap() {
        assert_eq!(
            record["confirmations"],
            json!([["Ana", true], ["Ben", true], ["Cleo", null]])
        );
        assert_eq!(record["disagreement"], "not_confirmed");
        assert_eq!(record["votes"], json!([]));
    }
    assert_eq!(result["rounds_completed"], 2);
    assert_eq!(
        schedule(&run, "phase2/round/1/vote_confirmation/Cleo#1"),
        [0, 30_000, 76_000, 144_500, 144_500]
    );
}

#[test]
fn a_ballot_not_cast_in_time_is_no_agreement() {
    let forty_five = [0, 45_000, 113_500, 215_750, 215_750];
    for (kind, principle) in [
        (asks::BALLOT_PRINCIPLE, Value::Null),
        (asks::BALLOT_AMOUNT, json!("maximizing_average_floor_constraint")),
    ] {
        let run = silent(kind, "Ben", 1);
        let result = run.result();
        let record = &result["voting_records"][0];
        assert_eq!(record["consensus"], false);
        assert_eq!(record["disagreement"], "voting_failed");
        let votes = record["votes"].as_array().unwrap();
        let status: Vec<&Value> = votes.iter().map(|vote| &vote["status"]).collect();
        assert_eq!(status, [&json!("valid"), &json!("timeout"), &json!("valid")]);
        assert_eq!(votes[1]["principle"], principle);
        assert_eq!(votes[1]["amount"], Value::Null);
        assert_eq!(
            schedule(&run, &format!("phase2/round/1/{}/Ben#1", kind)),
            forty_five
        );
        assert_eq!(run.warnings(), ["vote_missing"]);
        assert_eq!(result["consensus_reached"], false);
    }
}

#[test]
fn a_ballot_that_cannot_be_read_is_invalid_after_three_tries() {
    let run = run(&config(3, &json!({ "phase2_rounds": 1 })), |call| {
        match (call.ask.kind.name(), call.ask.seat.as_str()) {
            (asks::BALLOT_PRINCIPLE, "Ana") => says("the fair one"),
            (asks::BALLOT_AMOUNT, "Ben") => says("enough"),
            _ => votes_from(1)(call),
        }
    });
    let record = run.result()["voting_records"][0].clone();
    let of = |seat: usize| {
        let vote = &record["votes"][seat];
        (
            vote["status"].clone(),
            vote["principle"].clone(),
            vote["amount"].clone(),
        )
    };
    let third = json!("maximizing_average_floor_constraint");
    assert_eq!(of(0), (json!("invalid"), Value::Null, Value::Null));
    assert_eq!(of(1), (json!("invalid"), third.clone(), Value::Null));
    assert_eq!(of(2), (json!("valid"), third, json!(13_000)));
    assert_eq!(record["disagreement"], "voting_failed");
    assert_eq!(run.count(asks::BALLOT_PRINCIPLE), 3 + 2);
    assert_eq!(run.count(asks::BALLOT_AMOUNT), 3 + 1);
    assert_eq!(run.warnings(), ["vote_missing", "vote_missing"]);
}

/// Connections that break are tried again without the experiment noticing.
#[test]
fn calls_that_fail_are_put_again_and_leave_no_trace_in_the_result() {
    let failing = run(&config(3, &json!({})), |call| {
        if call.attempt <= sort_of(call) as u32 % 4 {
            return Reaction::Fails(Failure {
                kind: FailureKind::Server,
                message: "The server is in trouble.".to_owned(),
                status: Some(503),
                retry_after_ms: None,
                body: None,
                usage: None,
            });
        }
        votes_from(3)(call)
    });
    let without_times = |run: &Run| {
        let mut result = run.result();
        for spoken in result["discussion_history"].as_array_mut().unwrap() {
            spoken["timestamp"] = Value::Null;
        }
        result
    };
    let smooth = run(&config(3, &json!({})), votes_from(3));
    assert_eq!(without_times(&failing), without_times(&smooth));
    let sent: BTreeMap<u32, usize> = failing.calls.iter().fold(BTreeMap::new(), |mut sent, call| {
        *sent.entry(call.attempt).or_default() += 1;
        sent
    });
    assert!(sent[&2] > 30, "{sent:?}");
    assert_eq!(
        failing.calls.len(),
        smooth.calls.len() + sent.range(2..).map(|(_, count)| count).sum::<usize>()
    );
}
