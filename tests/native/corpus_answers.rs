//! Every recorded answer of published runs to a question for a ranking or a choice, against what the
//! published program recorded (by a second model): never a wrong value, and hardly an unread
//! one.

use crate::support;

use quorate::language::Language;
use quorate::reading::{AmountBounds, amount, choice, ranking};
use serde_json::{Value, json};

/// Recorded orders that the text itself plainly contradicts (run, participant, moment).
const MISRECORDED: [(&str, &str, &str); 2] = [
    // A numbered list beginning with the floor constraint; the record begins with the floor.
    ("hypothesis_2_chinese_condition_21", "Agent_1", "post_explanation"),
    // A numbered list of ballot numbers; the same participant names the principles in that order later.
    ("hypothesis_2_chinese_condition_31", "Agent_3", "initial"),
];

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn moment(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "initial_ranking" => "initial",
        "post_explanation_ranking" => "post_explanation",
        "final_ranking" => "final_phase1",
        "final_ranking_phase2" => "final_phase2",
        _ => return None,
    })
}

#[test]
fn rankings() {
    let runs = support::corpus("replays.jsonl");
    let (mut read, mut unread, mut wrong, mut misrecorded) = (0, Vec::new(), Vec::new(), 0);
    for run in &runs {
        for response in run["responses"].as_array().into_iter().flatten() {
            let Some(moment) = moment(string(&response["kind"])) else {
                continue;
            };
            let name = string(&response["participant"]);
            let wanted = &run["expected"]["participants"][name][moment];
            let reading = ranking(string(&response["text"]), Language::English);
            let Some(value) = reading.value() else {
                unread.push(format!("{} {name} {moment}: {:?}", run["id"], response["text"]));
                continue;
            };
            let order: Vec<u8> = value.order.iter().map(|principle| principle.number()).collect();
            let certainty = json!(value.certainty);
            if MISRECORDED.contains(&(string(&run["id"]), name, moment)) {
                misrecorded += 1;
                assert_ne!(
                    json!(order),
                    wanted["order"],
                    "no longer misrecorded: {} {name}",
                    run["id"]
                );
            } else if json!(order) == wanted["order"] && certainty == wanted["certainty"] {
                read += 1;
            } else {
                wrong.push(format!(
                    "{} {name} {moment}: {order:?} {certainty}, recorded {wanted}",
                    run["id"]
                ));
            }
        }
    }
    println!(
        "rankings: {read} as recorded, {misrecorded} misrecorded, {} unread, {} wrong",
        unread.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unread.len() * 100 <= read * 3, "{}", unread.join("\n"));
}

#[test]
fn choices() {
    let runs = support::corpus("replays.jsonl");
    let (mut read, mut unread, mut wrong, mut without_amount) = (0, Vec::new(), Vec::new(), Vec::new());
    for run in &runs {
        for response in run["responses"].as_array().into_iter().flatten() {
            if !matches!(string(&response["kind"]), "application" | "constraint_retry") {
                continue;
            }
            let name = string(&response["participant"]);
            let round = response["round"].as_u64().unwrap_or_default();
            let applications = run["expected"]["participants"][name]["applications"].as_array();
            let wanted = applications.and_then(|list| list.get(usize::try_from(round).ok()?.checked_sub(1)?));
            let wanted = wanted.map_or(&Value::Null, |application| &application["principle"]);
            let text = string(&response["text"]);
            let reading = choice(text, Language::English, AmountBounds::default());
            let Some(value) = reading.value() else {
                unread.push(format!("{} {name} {round}: {text:?}", run["id"]));
                continue;
            };
            if json!(value.principle.number()) != *wanted {
                wrong.push(format!(
                    "{} {name} {round}: {value:?}, recorded {wanted}: {text:?}",
                    run["id"]
                ));
            } else if value.principle.needs_amount() && value.amount.is_none() {
                without_amount.push(format!("{} {name} {round}: {text:?}", run["id"]));
            } else {
                read += 1;
            }
            if value.certainty.is_none() && text.contains("sure about") {
                wrong.push(format!("certainty: {text:?}"));
            }
        }
    }
    println!(
        "choices: {read} as recorded, {} without an amount, {} unread, {} wrong",
        without_amount.len(),
        unread.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let not_read = [without_amount, unread].concat();
    assert!(not_read.len() * 100 <= read * 3, "{}", not_read.join("\n"));
}

/// Amounts of recorded ballots: `3 | 12000` and the like.
#[test]
fn ballot_amounts() {
    let rows = support::corpus("ballots.jsonl");
    let (mut read, mut other) = (0, Vec::new());
    for row in rows
        .iter()
        .filter(|row| row["ok"] == true && row["amount"].is_u64())
    {
        let language = row["lang"]
            .as_str()
            .and_then(Language::from_name)
            .unwrap_or_default();
        let reading = amount(string(&row["raw"]), language, AmountBounds::default());
        if json!(reading.value()) == row["amount"] {
            read += 1;
        } else {
            other.push(format!("{reading:?} for {row}"));
        }
    }
    println!("ballot amounts: {read} as recorded, {} other", other.len());
    assert!(other.len() * 100 <= read, "{}", other.join("\n"));
    assert!(
        !other.iter().any(|line| line.starts_with("Read")),
        "{}",
        other.join("\n")
    );
}
