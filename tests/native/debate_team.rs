//! Who takes part in a debate where not all may, and what ratings do there.

use crate::support::hall;

use hall::{Hall, config, plain};
use quorate::procedures::debate::asks;
use quorate::procedures::debate::settings::check;
use serde_json::{Value, json};

const SIX: [&str; 6] = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"];

fn ratings() -> Value {
    json!({
        "Ann": { "elo": 1400, "debates": 40 },
        "Bob": { "elo": 1900, "debates": 40 },
        "Cy": { "elo": 1600, "brier": 0.9, "predictions": 50, "debates": 40 },
        "Dee": { "elo": 1500, "brier": 0.1, "predictions": 50, "debates": 40 },
        "Eve": { "elo": 1450, "debates": 40 },
        "Flo": { "elo": 1300, "debates": 40 },
    })
}

fn names(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect()
}

#[test]
fn three_of_six_by_rating_and_calibration() {
    let config = config(
        &SIX,
        json!({ "team_size": 3, "ratings": ratings(), "domain": "drinks" }),
    );
    let hall = Hall::hold(&config, &plain("Bob"));
    let events = hall.events("team_selected");
    assert_eq!(names(&events[0]["seats"]), ["Bob", "Cy", "Dee"]);
    let scores: Vec<(&str, f64)> = events[0]["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| (score[0].as_str().unwrap(), score[1].as_f64().unwrap()))
        .collect();
    let order: Vec<&str> = scores.iter().map(|(name, _)| *name).collect();
    assert_eq!(order, ["Dee", "Bob", "Cy", "Eve", "Ann", "Flo"]);
    // 0.15 times √(ln 240 / 40), which all have, is 0.0555.
    assert!(
        (scores[0].1 - (1.0 + 0.15 + 0.18 + 0.0555)).abs() < 1e-3,
        "{scores:?}"
    );
    assert!(
        hall.calls
            .iter()
            .all(|call| ["Bob", "Cy", "Dee"].contains(&call.ask.seat.as_str()))
    );
    let result = hall.result();
    assert_eq!(names(&result["participants"]), ["Bob", "Cy", "Dee"]);
    assert_eq!(names(&result["team"]), ["Bob", "Cy", "Dee"]);
    assert_eq!(result["domain"], "drinks");
    let report = quorate::export::export(quorate::export::Format::Markdown, &hall.session.record());
    let report = format!("{report:?}");
    assert!(report.contains("Bob") && !report.contains("Flo"), "{report}");
}

#[test]
fn judges_are_not_of_the_team_and_critics_leave_room_for_proposers() {
    let mut config = config(&SIX, json!({ "team_size": 2, "ratings": ratings() }));
    config["agents"][0]["role"] = json!("judge");
    config["agents"][1]["role"] = json!("critic");
    config["agents"][3]["role"] = json!("critic");
    let hall = Hall::hold(&config, &plain("Cy"));
    assert_eq!(names(&hall.events("team_selected")[0]["seats"]), ["Cy", "Eve"]);
    let result = hall.result();
    assert_eq!(names(&result["team"]), ["Cy", "Eve"]);
    assert_eq!(result["judge"], "Ann");
}

#[test]
fn a_team_has_two_providers_where_there_are_two() {
    let mut config = config(&SIX, json!({ "team_size": 2, "ratings": ratings() }));
    config["agents"][5]["provider"] = json!("mistral");
    let hall = Hall::hold(&config, &plain("Bob"));
    assert_eq!(names(&hall.events("team_selected")[0]["seats"]), ["Dee", "Flo"]);
}

#[test]
fn names_that_fit_the_field_are_preferred() {
    let patterns = json!({ "drinks": ["flo", "ann"] });
    let changes = json!({ "team_size": 2, "domain": "drinks", "domain_patterns": patterns });
    let hall = Hall::hold(&config(&SIX, changes), &plain("Ann"));
    assert_eq!(names(&hall.events("team_selected")[0]["seats"]), ["Ann", "Flo"]);
}

#[test]
fn the_same_ratings_select_the_same_team_and_the_record_replays() {
    let config = config(&SIX, json!({ "team_size": 4, "ratings": ratings() }));
    let (one, other) = (
        Hall::hold(&config, &plain("Bob")),
        Hall::hold(&config, &plain("Bob")),
    );
    assert_eq!(one.session.record(), other.session.record());
    let record = one.session.record().to_vec();
    for kept in (1..record.len()).step_by(7) {
        let again = Hall::reopen(&record[..kept], &plain("Bob"));
        assert_eq!(again.session.record(), &record[..], "{kept}");
    }
}

#[test]
fn without_a_size_or_with_a_large_one_all_take_part() {
    for changes in [json!({}), json!({ "team_size": 6 }), json!({ "team_size": 9 })] {
        let config = config(&SIX, changes);
        let hall = Hall::hold(&config, &plain("Bob"));
        assert!(hall.events("team_selected").is_empty());
        assert_eq!(names(&hall.result()["team"]), SIX);
        let paths: Vec<String> = check(&config)
            .unwrap()
            .warnings
            .into_iter()
            .map(|one| one.path)
            .collect();
        assert_eq!(
            paths.contains(&"team_size".to_owned()),
            config.get("team_size").is_some()
        );
    }
}

#[test]
fn votes_are_predictions() {
    let votes = |call: &quorate::core::ask::Call| match (call.ask.kind.name(), call.ask.seat.as_str()) {
        (asks::VOTE, "Cy") => Some("CHOICE: Ann\nCONFIDENCE: 0.6".to_owned()),
        (asks::VOTE, "Dee") => Some("no idea".to_owned()),
        _ => plain("Bob")(call),
    };
    let config = config(&["Ann", "Bob", "Cy", "Dee"], json!({ "consensus": "majority" }));
    let result = Hall::hold(&config, &votes).result();
    assert_eq!(result["winner"], "Bob");
    assert_eq!(
        result["predictions"],
        json!([
            { "voter": "Ann", "choice": "Bob", "confidence": 0.8, "came_true": true },
            { "voter": "Bob", "choice": "Bob", "confidence": 0.8, "came_true": true },
            { "voter": "Cy", "choice": "Ann", "confidence": 0.6, "came_true": false },
        ])
    );
}

#[test]
fn the_judge_is_selected_by_rating_and_calibration() {
    let two = json!({ "Cy": { "elo": 1550 }, "Dee": { "elo": 1500, "brier": 0.1, "predictions": 60 } });
    for (selection, judge) in [("elo_ranked", "Cy"), ("calibrated", "Dee")] {
        let mut config = config(
            &["Ann", "Bob", "Cy", "Dee"],
            json!({ "ratings": two, "judge_selection": selection }),
        );
        for at in [2, 3] {
            config["agents"][at]["role"] = json!("critic");
        }
        assert_eq!(Hall::hold(&config, &plain("Bob")).result()["judge"], judge);
    }
}

#[test]
fn bad_ratings_say_what_is_wrong_and_where() {
    let ratings =
        json!({ "Ann": "good", "Bob": { "elo": 1500, "brier": 2 }, "Cy": { "rank": 1 }, "Dee": 1700 });
    let mut config = config(
        &SIX,
        json!({ "ratings": ratings, "team_size": 1, "domain_patterns": { "a": "b" } }),
    );
    let faults: Vec<String> = check(&config)
        .unwrap_err()
        .0
        .into_iter()
        .map(|fault| fault.path)
        .collect();
    assert_eq!(
        faults,
        [
            "team_size",
            "domain_patterns.a",
            "ratings.Ann",
            "ratings.Bob.brier",
            "ratings.Cy.rank"
        ]
    );
    config["ratings"] = json!({ "Dee": 1700, "Flo": {} });
    config["team_size"] = json!(null);
    config["domain_patterns"] = json!(null);
    let read = check(&config).unwrap().settings.ratings;
    assert_eq!(
        (read.get("Dee").unwrap().elo, read.get("Flo").unwrap().elo),
        (1700.0, 1500.0)
    );
}
