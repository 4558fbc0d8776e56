//! What votes weigh, what choices in free words become, and what ends a debate before its time: as
//! events and results tell it, with exact expectations.

use crate::support::hall;
use crate::support::times;

use hall::{Hall, config, plain};
use quorate::core::ask::Call;
use quorate::procedures;
use quorate::procedures::debate::asks;
use serde_json::{Value, json};

/// Context, proposals, critiques, a revision, votes, the judge.
fn short(changes: Value) -> Value {
    let mut settings = json!({ "schedule": [
        { "kind": "context" }, { "kind": "propose" }, { "kind": "critique" }, { "kind": "revise" },
        { "kind": "vote" }, { "kind": "judge" },
    ], "max_extended_rounds": 0 });
    for (key, value) in changes.as_object().unwrap() {
        settings[key] = value.clone();
    }
    settings
}

/// Everybody votes as the pairs say.
fn votes<'a>(cast: &'a [(&'a str, &'a str)]) -> impl Fn(&Call) -> Option<String> + 'a {
    move |call| match call.ask.kind.name() {
        asks::VOTE => {
            let own = cast.iter().find(|(voter, _)| *voter == call.ask.seat);
            Some(format!(
                "CHOICE: {}\nCONFIDENCE: 0.8\nREASONING: so",
                own.unwrap().1
            ))
        }
        _ => plain("Ann")(call),
    }
}

fn tally(hall: &Hall) -> Value {
    hall.events("counted")[0]["decision"]["tally"].clone()
}

fn weight_of(tally: &Value, voter: &str) -> f64 {
    let rows = tally["weights"].as_array().unwrap();
    let own = rows.iter().find(|row| row[0] == voter);
    own.unwrap()[1].as_f64().unwrap()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn ratings_weigh_under_weighted_and_nowhere_else() {
    let ratings = json!({
        "Ann": { "elo": 2000, "brier": 0.1, "predictions": 50 },
        "Bob": { "elo": 2000, "brier": 0.1, "predictions": 9 },
        "Cy": 1000,
    });
    let cast = [("Ann", "Bob"), ("Bob", "Ann"), ("Cy", "Ann"), ("Dee", "Ann")];
    let hold = |mode: &str| {
        let settings = short(json!({ "consensus": mode, "ratings": ratings }));
        Hall::hold(&config(&["Ann", "Bob", "Cy", "Dee"], settings), &votes(&cast))
    };
    let weighed = tally(&hold("weighted"));
    // (0.5 + 0.9) · 1.3 · 0.8; fewer than ten predictions say nothing.
    near(weight_of(&weighed, "Ann"), 1.4 * 1.3 * 0.8);
    near(weight_of(&weighed, "Bob"), 1.3 * 0.8);
    near(weight_of(&weighed, "Cy"), 0.7 * 0.8);
    near(weight_of(&weighed, "Dee"), 0.8);
    let plain = tally(&hold("majority"));
    for voter in ["Ann", "Bob", "Cy", "Dee"] {
        near(weight_of(&plain, voter), 1.0);
    }
}

#[test]
fn votes_for_oneself_and_for_long_texts_lose_where_that_is_switched_on() {
    let cast = [("Ann", "Ann"), ("Bob", "Ann"), ("Cy", "Bob")];
    let hold = |changes: Value| {
        let mut settings = short(json!({ "consensus": "majority" }));
        for (key, value) in changes.as_object().unwrap() {
            settings[key] = value.clone();
        }
        tally(&Hall::hold(
            &config(&["Ann", "Bob", "Cy"], settings),
            &votes(&cast),
        ))
    };
    let off = hold(json!({}));
    near(weight_of(&off, "Ann"), 1.0);
    assert_eq!(off["self_votes"], json!(["Ann"]));
    let on = json!({ "enable_self_vote_mitigation": true, "self_vote_downweight": 0.25 });
    near(weight_of(&hold(on), "Ann"), 0.25);
    let out = hold(json!({ "enable_self_vote_mitigation": true, "self_vote_mode": "exclude" }));
    near(weight_of(&out, "Ann"), 0.0);
    near(out["total"].as_f64().unwrap(), 2.0);
    let logged = hold(json!({ "enable_self_vote_mitigation": true, "self_vote_mode": "log_only" }));
    near(weight_of(&logged, "Ann"), 1.0);
    let long = json!({ "enable_verbosity_normalization": true, "verbosity_target_length": 10 });
    near(weight_of(&hold(long), "Cy"), 0.7);
}

#[test]
fn evidence_that_was_shown_counts_for_the_proposal_and_in_the_total() {
    let cites = |call: &Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::VOTE, "Ann") => {
            Some("CHOICE: Bob\nREASONING: see EVID-1 and EVID-2, EVID-1 again, EVID-7 too".to_owned())
        }
        (asks::VOTE, _) => Some("CHOICE: Ann\nREASONING: so".to_owned()),
        _ => plain("Ann")(call),
    };
    let context = json!([{ "title": "a", "text": "One." }, { "title": "b", "text": "Two." }]);
    let settings =
        |on: bool| short(json!({ "consensus": "any", "context": context, "enable_evidence_weighting": on }));
    let hall = Hall::hold(&config(&["Ann", "Bob", "Cy"], settings(true)), &cites);
    let found = tally(&hall);
    let bonus = 0.15 * 2.0 * 0.5_f64.sqrt();
    assert_eq!(found["bonuses"][0][0], "Bob");
    near(found["bonuses"][0][1].as_f64().unwrap(), bonus);
    near(found["total"].as_f64().unwrap(), 3.0 + bonus);
    near(hall.result()["confidence"].as_f64().unwrap(), 2.0 / (3.0 + bonus));
    let off = Hall::hold(&config(&["Ann", "Bob", "Cy"], settings(false)), &cites);
    assert_eq!(tally(&off)["bonuses"], json!([]));
}

#[test]
fn choices_in_free_words_are_asked_again_then_grouped_and_never_guessed() {
    let said = |call: &Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        // Bob's own words, and nearly the same again; Dee means nobody.
        (asks::VOTE, "Ann") => Some("CHOICE: ideabob0 ideabob1 ideabob2 ideabob3".to_owned()),
        (asks::VOTE, "Cy") => Some("CHOICE: ideabob3 ideabob2 ideabob1 ideabob0".to_owned()),
        (asks::VOTE, "Dee") => Some("CHOICE: a third way".to_owned()),
        (asks::VOTE, _) => Some("CHOICE: Ann".to_owned()),
        _ => plain("Ann")(call),
    };
    let settings = short(json!({ "consensus": "majority" }));
    let hall = Hall::hold(&config(&["Ann", "Bob", "Cy", "Dee"], settings), &said);
    let asked = |name: &str| {
        hall.asks()
            .iter()
            .filter(|id| id.contains(&format!("/vote/{name}#")))
            .count()
    };
    assert_eq!((asked("Ann"), asked("Bob"), asked("Dee")), (2, 1, 2));
    let groups = hall.events("grouped")[0]["groups"].clone();
    assert_eq!(
        groups,
        json!([
            { "canonical": "ideabob0 ideabob1 ideabob2 ideabob3", "voters": ["Ann", "Cy"], "choice": "Bob" },
            { "canonical": "a third way", "voters": ["Dee"], "choice": null },
        ])
    );
    let found = tally(&hall);
    assert_eq!(
        (&found["abstained"], &found["failed"]),
        (&json!(["Dee"]), &json!([]))
    );
    assert_eq!(
        (&found["rows"][1]["choice"], &found["rows"][1]["votes"]),
        (&json!("Bob"), &json!(2))
    );
    assert_eq!(hall.result()["winner"], "Bob");
}

/// Revisions that end with a sign that they are final, from these seats.
fn ready_from<'a>(seats: &'a [&'a str]) -> impl Fn(&Call) -> Option<String> + 'a {
    move |call| {
        let text = plain("Bob")(call)?;
        let is_ready = call.ask.kind == asks::REVISION && seats.contains(&call.ask.seat.as_str());
        Some(if is_ready {
            format!("{text}\n[READY: confidence=0.85, ready=true]")
        } else {
            text
        })
    }
}

#[test]
fn three_of_four_final_proposals_end_the_revisions_and_not_the_debate() {
    let names = ["Ann", "Bob", "Cy", "Dee"];
    let hall = Hall::hold(&config(&names, json!({})), &ready_from(&["Ann", "Bob", "Cy"]));
    let ready = &hall.events("ready")[0];
    assert_eq!(
        (&ready["round"], &ready["count"], &ready["of"], &ready["ends"]),
        (&json!(3), &json!(3), &json!(4), &json!(true))
    );
    assert_eq!(ready["seats"][0], json!(["Ann", 0.85]));
    let rounds: Vec<u64> = hall
        .events("round_began")
        .iter()
        .map(|event| event["round"].as_u64().unwrap())
        .collect();
    assert_eq!(rounds, [0, 1, 2, 3, 6, 7, 8]);
    assert!(hall.events("ended_early").is_empty());
    // The sign is in the record as it came, and nobody is shown it.
    for event in hall.events("proposed") {
        assert!(!event["text"].as_str().unwrap().contains("READY"));
    }
    let few = Hall::hold(&config(&names, json!({})), &ready_from(&["Ann", "Bob"]));
    assert_eq!(few.events("ready")[0]["ends"], false);
    assert_eq!(few.events("round_began").len(), 9);
    let off = json!({ "enable_ready_signals": false });
    assert!(
        Hall::hold(&config(&names, off), &ready_from(&names))
            .events("ready")
            .is_empty()
    );
}

#[test]
fn a_poll_ends_revisions_where_it_is_let_and_further_rounds_by_default() {
    let says = |word: &'static str| {
        move |call: &Call| match call.ask.kind.name() {
            asks::POLL => Some(word.to_owned()),
            asks::VOTE => plain(if call.ask.seat == "Ann" { "Bob" } else { "Ann" })(call),
            asks::JUDGEMENT => {
                Some(plain("Ann")(call)?.replace("\"conclusive\":true", "\"conclusive\":false"))
            }
            _ => plain("Ann")(call),
        }
    };
    let early = json!({ "min_rounds_before_early_stop": 4, "max_extended_rounds": 0 });
    let hall = Hall::hold(&config(&["Ann", "Bob"], early.clone()), &says("STOP"));
    assert_eq!(hall.events("polled")[0]["round"], 4);
    assert_eq!(
        hall.events("polled")[0]["answers"],
        json!([{ "seat": "Ann", "yes": true }, { "seat": "Bob", "yes": true }])
    );
    let rounds: Vec<u64> = hall
        .events("round_began")
        .iter()
        .map(|event| event["round"].as_u64().unwrap())
        .collect();
    assert_eq!(rounds, [0, 1, 2, 3, 4, 6, 7, 8]);
    assert_eq!(
        Hall::hold(&config(&["Ann", "Bob"], early), &says("CONTINUE"))
            .events("round_began")
            .len(),
        9
    );
    // By default nobody is asked before the judge has found the matter open.
    let usual = json!({ "consensus": "unanimous" });
    let stopped = Hall::hold(&config(&["Ann", "Bob"], usual.clone()), &says("STOP"));
    assert_eq!(stopped.result()["rounds_used"], 8);
    assert_eq!(stopped.events("polled")[0]["ends"], true);
    let on = Hall::hold(&config(&["Ann", "Bob"], usual), &says("CONTINUE"));
    assert_eq!(on.result()["rounds_used"], 11);
    let polled: Vec<Value> = on
        .events("polled")
        .iter()
        .map(|event| event["round"].clone())
        .collect();
    assert_eq!(polled, [8, 9, 10]);
}

#[test]
fn the_judge_may_end_revisions_and_stable_votes_end_further_rounds() {
    let settled = |call: &Call| match call.ask.kind.name() {
        asks::TERMINATION => Some("CONCLUSIVE: yes\nCONFIDENCE: 0.9\nREASON: enough".to_owned()),
        _ => plain("Ann")(call),
    };
    let on = json!({ "judge_termination": true });
    let hall = Hall::hold(&config(&["Ann", "Bob"], on), &settled);
    let said = &hall.events("settled")[0];
    assert_eq!(
        (&said["round"], &said["ends"], &said["said"]["reason"]),
        (&json!(3), &json!(true), &json!("enough"))
    );
    let shown = hall
        .calls
        .iter()
        .find(|call| call.ask.kind == asks::TERMINATION)
        .unwrap();
    assert_eq!(hall::labels(shown), ["Proposal 1", "Proposal 2"]);
    assert_eq!(hall.events("round_began").len(), 7);

    let open = |call: &Call| match call.ask.kind.name() {
        asks::VOTE => plain(if call.ask.seat == "Ann" { "Bob" } else { "Ann" })(call),
        asks::JUDGEMENT => Some(plain("Ann")(call)?.replace("\"conclusive\":true", "\"conclusive\":false")),
        _ => plain("Ann")(call),
    };
    let stable =
        json!({ "consensus": "unanimous", "enable_stability_detection": true, "stability_threshold": 0.8 });
    let hall = Hall::hold(&config(&["Ann", "Bob"], stable), &open);
    // The same votes in rounds 7 and 9: .6 + .4 · .5.
    let found = &hall.events("stable")[0];
    assert_eq!((&found["round"], &found["ends"]), (&json!(9), &json!(true)));
    near(found["stability"]["score"].as_f64().unwrap(), 0.8);
    assert_eq!(hall.result()["rounds_used"], 9);
}

#[test]
fn byzantine_agreement_needs_five_of_seven_and_goes_over_to_the_next_best() {
    let names = ["A", "B", "C", "D", "E", "F", "G"];
    let hold = |accepts: &'static dyn Fn(&str, &str, bool) -> bool| {
        let said = move |call: &Call| {
            let commits = call.ask.kind == asks::COMMIT;
            if !commits && call.ask.kind != asks::PREPARE {
                return plain(if call.ask.seat.as_str() < "D" { "B" } else { "C" })(call);
            }
            let yes = accepts(&hall::labels(call)[0], &call.ask.seat, commits);
            Some(format!(
                "{}: {}",
                if commits { "COMMIT" } else { "PREPARE" },
                if yes { "YES" } else { "NO" }
            ))
        };
        Hall::hold(&config(&names, short(json!({ "consensus": "byzantine" }))), &said)
    };
    // Four votes for C, three for B: four would agree to C, six to B, five of whom commit.
    let hall = hold(&|leader, seat, commits| match (leader, commits) {
        ("C", _) => seat > "C",
        (_, false) => seat != "G",
        (_, true) => seat != "F",
    });
    let prepared = hall.events("prepared");
    assert_eq!(prepared.len(), 2);
    assert_eq!(
        (
            &prepared[0]["leader"],
            &prepared[0]["view"],
            &prepared[0]["quorum"]
        ),
        (&json!("C"), &json!(0), &json!(5))
    );
    assert_eq!(prepared[1]["leader"], "B");
    let committed = hall.events("committed");
    assert_eq!(committed.len(), 1);
    assert_eq!(
        committed[0]["answers"].as_array().unwrap().len(),
        6,
        "only who would agree is asked"
    );
    let result = hall.result();
    assert_eq!(
        (
            &result["winner"],
            &result["decided_by"],
            &result["consensus_reached"]
        ),
        (&json!("B"), &json!("byzantine"), &json!(true))
    );
    near(result["confidence"].as_f64().unwrap(), 5.0 / 7.0);
    assert!(result["decision"].get("note").is_none());

    let none = hold(&|_, _, _| false);
    assert_eq!(none.events("prepared").len(), 4, "three changes of view");
    let result = none.result();
    assert_eq!(
        (&result["decided_by"], &result["decision"]["note"]),
        (&json!("majority"), &json!("no_byzantine_agreement"))
    );
    assert_eq!(result["winner"], "C");
}

#[test]
fn fewer_than_four_are_not_asked_and_the_decision_says_so() {
    let settings = short(json!({ "consensus": "byzantine" }));
    let hall = Hall::hold(&config(&["Ann", "Bob", "Cy"], settings), &plain("Bob"));
    assert!(hall.events("prepared").is_empty());
    let result = hall.result();
    assert_eq!(
        (&result["decided_by"], &result["decision"]["note"]),
        (&json!("majority"), &json!("too_few_for_byzantine"))
    );
}

#[test]
fn a_byzantine_debate_stopped_at_every_entry_ends_the_same() {
    let settings = short(json!({ "consensus": "byzantine", "min_rounds_before_early_stop": 0 }));
    let config = config(&["Ann", "Bob", "Cy", "Dee"], settings);
    let said = |call: &Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::PREPARE, "Ann" | "Bob") if call.ask.id.contains("view 0") => Some("PREPARE: NO".to_owned()),
        _ => plain("Bob")(call),
    };
    let whole = Hall::hold(&config, &said);
    assert_eq!(whole.events("committed").len(), 1);
    let record = whole.session.record();
    for end in (1..record.len()).step_by(times(10, 1)) {
        let again = Hall::reopen(&record[..end], &said);
        assert_eq!(again.session.record(), record, "stopped before entry {end}");
    }
    assert!(procedures::replay(&record).unwrap().1.entries.is_empty());
}

#[test]
fn who_fails_three_times_in_a_row_is_left_alone_and_tried_again() {
    let silent = |call: &Call| match call.ask.kind.name() {
        asks::CRITIQUE if call.ask.seat == "Dee" => Some(String::new()),
        asks::REVISION if call.ask.seat == "Dee" && call.ask.round < Some(5) => Some(String::new()),
        _ => plain("Bob")(call),
    };
    let names = ["Ann", "Bob", "Cy", "Dee"];
    let hall = Hall::hold(&config(&names, json!({})), &silent);
    let states: Vec<Value> = hall
        .events("circuit")
        .iter()
        .map(|event| json!([event["round"], event["seat"], event["state"]]))
        .collect();
    assert_eq!(
        states,
        [
            json!([3, "Dee", "open"]),
            json!([4, "Dee", "half-open"]),
            json!([5, "Dee", "open"]),
            json!([6, "Dee", "half-open"]),
            json!([8, "Dee", "closed"]),
        ]
    );
    let asked = |round: u32| {
        hall.calls
            .iter()
            .filter(|call| call.ask.seat == "Dee" && call.ask.round == Some(round))
            .count()
    };
    assert_eq!((asked(3), asked(5)), (0, 0), "not asked while resting");
    assert!(asked(2) == 6 && asked(4) > 0 && asked(6) == 1 && asked(7) == 1);
    let off = json!({ "enable_circuit_breaker": false });
    assert!(
        Hall::hold(&config(&names, off), &silent)
            .events("circuit")
            .is_empty()
    );
}

#[test]
fn novelty_is_told_with_each_check_and_metrics_with_the_result() {
    let hall = Hall::hold(
        &config(&["Ann", "Bob"], json!({ "enable_trickster": false })),
        &plain("Bob"),
    );
    let rounds: Vec<Value> = hall
        .events("novel")
        .iter()
        .map(|event| event["round"].clone())
        .collect();
    assert_eq!(rounds, [3, 4, 5]);
    // In round 3 there is nothing of others that is alike, and the own text of the round before does not count.
    near(hall.events("novel")[0]["novelty"]["min"].as_f64().unwrap(), 1.0);
    let metrics = hall.result()["metrics"].clone();
    near(metrics["stability"].as_f64().unwrap(), 1.0);
    assert_eq!(metrics["shared_sources"]["whole"], 0);
    let one = config(&["Ann"], json!({}));
    assert_eq!(Hall::hold(&one, &plain("Ann")).result()["metrics"], Value::Null);
}

#[test]
fn likeness_is_measured_as_the_configuration_says() {
    let measure = |name: &str| {
        let settings = json!({ "similarity": name });
        Hall::hold(&config(&["Ann", "Bob"], settings), &plain("Bob")).events("compared")[0]["measure"].clone()
    };
    assert_eq!(
        (measure("auto"), measure("tfidf"), measure("jaccard")),
        (json!("tfidf"), json!("tfidf"), json!("jaccard"))
    );
    let error =
        procedures::check(&config(&["Ann", "Bob"], json!({ "similarity": "embedding" }))).unwrap_err();
    assert_eq!(error.0[0].path, "similarity");
}
