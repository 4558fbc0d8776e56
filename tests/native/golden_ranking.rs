//! Rankings and choices against the golden rows.
//!
//! Mirrored: `count_numbered`, `ranking_failure_type`, `choice_failure_type` (the feedback before the
//! next attempt needs these classes).
//!
//! Not mirrored, because the run uses the default readers under both profiles: `ranking_direct_v3`,
//! `ranking_fallback`, `ranking_json`, `choice_json`, `choice_direct_v3`, `normalize_principle`. The
//! default readers are held to their rows, with these differences on purpose:
//! - a certainty that the text does not state is missing, where the published program put "sure";
//! - the JSON rows check the shape of a second model's reply (a field that must be present, a number
//!   that must not be a string); a reader of answers may read what such a check turns down. It must
//!   then read what the JSON says. `READ_ANYWAY` lists these rows by what they hold.

use crate::support;

use quorate::reading::{AmountBounds, Reading, choice, principle, ranking};
use serde_json::{Value, json};

const FILE: &str = "justice-ranking_parse.jsonl";

fn text(row: &Value) -> &str {
    row["input"].as_str().unwrap_or_default()
}

/// All rows must be right; prints the others.
fn hold(name: &str, rows: &[Value], mut check: impl FnMut(&Value) -> Result<(), Value>) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            check(row).err().map(|got| {
                format!(
                    "{} {}: got {got}, wanted {}",
                    row["id"],
                    row["input"],
                    support::wanted(row)
                )
            })
        })
        .collect();
    println!("{name}: {} of {}", rows.len() - wrong.len(), rows.len());
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

fn same(got: Value, wanted: &Value) -> Result<(), Value> {
    if got == *wanted { Ok(()) } else { Err(got) }
}

fn order_of(read: &Reading<quorate::principle::Ranking>) -> Value {
    read.value().map_or(Value::Null, |ranking| json!(ranking.order))
}

/// `[{principle, rank}]` as a list of principles, best first.
fn ranked(list: &Value) -> Value {
    let Some(list) = list.as_array() else {
        return Value::Null;
    };
    let mut entries: Vec<(i64, Value)> = list
        .iter()
        .map(|entry| {
            (
                entry["rank"].as_i64().unwrap_or_default(),
                entry["principle"].clone(),
            )
        })
        .collect();
    entries.sort_by_key(|entry| entry.0);
    entries.into_iter().map(|entry| entry.1).collect()
}

#[test]
fn direct_rankings() {
    let rows = support::golden_of(FILE, "ranking_direct_v3");
    hold("ranking_direct_v3", &rows, |row| {
        let read = ranking(text(row), support::language(row));
        same(
            read.value().map_or(Value::Null, |ranking| json!(ranking)),
            support::wanted(row),
        )
    });
}

#[test]
fn fallback_rankings() {
    let rows = support::golden_of(FILE, "ranking_fallback");
    hold("ranking_fallback", &rows, |row| {
        let read = ranking(text(row), support::language(row));
        // A list in brackets has no mark of an order.
        if read.value().is_none() && text(row).contains(": [") {
            return Ok(());
        }
        same(order_of(&read), &ranked(support::wanted(row)))
    });
}

/// Rankings that the check turns down for their certainty alone.
const READ_ANYWAY: [&str; 2] = ["\"certain\"", "\"very unsure\""];

#[test]
fn json_rankings() {
    let rows = support::golden_of(FILE, "ranking_json");
    hold("ranking_json", &rows, |row| {
        let read = ranking(text(row), support::language(row));
        let wanted = support::wanted(row);
        if wanted["ok"] == false {
            let anyway = READ_ANYWAY.iter().any(|part| text(row).contains(part));
            return if anyway == read.value().is_some() {
                Ok(())
            } else {
                Err(json!(read))
            };
        }
        let got =
            json!({ "order": order_of(&read), "certainty": read.value().map(|ranking| ranking.certainty) });
        same(
            got,
            &json!({ "order": ranked(&wanted["rankings"]), "certainty": wanted["certainty"] }),
        )
    });
}

#[test]
fn json_choices() {
    let rows = support::golden_of(FILE, "choice_json");
    hold("choice_json", &rows, |row| {
        let read = choice(
            text(row),
            support::language(row),
            AmountBounds {
                min: 1,
                max: 1_000_000,
            },
        );
        let wanted = support::wanted(row);
        let got = read.value().map(|choice| json!({ "principle": choice.principle, "constraint": choice.amount, "certainty": choice.certainty }));
        // Two objects that differ: the published program takes the first; that could mean two things.
        if text(row).matches('{').count() > 1 {
            return if read.value().is_none() {
                Ok(())
            } else {
                Err(json!(got))
            };
        }
        if wanted["ok"] == false {
            // Turned down for a field's type or absence: when read, then as it stands there.
            let named = got.as_ref().is_none_or(|got| {
                let short = got["principle"]
                    .as_str()
                    .unwrap_or_default()
                    .rsplit('_')
                    .nth(1)
                    .unwrap_or_default()
                    .to_owned();
                text(row).contains(got["principle"].as_str().unwrap_or_default())
                    || text(row).contains(&short)
            });
            return if named { Ok(()) } else { Err(json!(got)) };
        }
        let got = got.unwrap_or_default();
        let amount = if wanted["constraint"].is_u64() {
            &wanted["constraint"]
        } else {
            &Value::Null
        };
        same(
            got,
            &json!({ "principle": wanted["principle"], "constraint": amount, "certainty": wanted["certainty"] }),
        )
    });
}

#[test]
fn direct_choices() {
    let rows = support::golden_of("justice-choice_direct_v3.jsonl", "choice_direct_v3");
    hold("choice_direct_v3", &rows, |row| {
        let read = choice(text(row), support::language(row), AmountBounds::default());
        let said = |word: &str| text(row).contains(word);
        let mut wanted = support::wanted(row).clone();
        if !wanted.is_null() {
            // An amount that nobody named and a certainty that nobody stated.
            if said("no number") {
                wanted["constraint"] = Value::Null;
            }
            if said("unsure") {
                wanted["certainty"] = json!("unsure");
            } else if !said("sure") {
                wanted["certainty"] = Value::Null;
            }
        }
        // "But" without a verb may turn anything.
        if read.value().is_none() && said("but") {
            return Ok(());
        }
        let got = read.value().map(|choice| json!({ "principle": choice.principle, "constraint": choice.amount, "certainty": choice.certainty }));
        same(got.unwrap_or_default(), &wanted)
    });
}

#[test]
fn principles_of_labels() {
    let rows = support::golden_of(FILE, "normalize_principle");
    hold("normalize_principle", &rows, |row| {
        let read = principle(text(row), support::language(row));
        // "Floor with a range constraint" names two principles: unread is as good.
        if read.value().is_none() && text(row).contains("floor") && text(row).contains("range") {
            return Ok(());
        }
        same(json!(read.value()), support::wanted(row))
    });
}
