//! Amounts against the golden rows. `extract_amount` and `chinese_number` are mirrored for the profile
//! `compat` (values and reasons as the published program gave them); the default reader is held to the
//! recommended values.

use crate::support;

use quorate::reading::{AmountBounds, Reading, amount, compat};
use serde_json::{Value, json};

/// Counts right rows, prints the others, and gives (right, wrong values, all).
fn score(
    name: &str,
    rows: &[Value],
    mut read: impl FnMut(&Value) -> (Value, Value),
) -> (usize, usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for row in rows {
        let (got, wanted) = read(row);
        if got == wanted {
            right += 1;
        } else {
            wrong += usize::from(!got["value"].is_null());
            println!(
                "{name} {} {}: got {got}, wanted {wanted}",
                row["id"], row["input"]
            );
        }
    }
    println!("{name}: {right} of {}, {wrong} wrong values", rows.len());
    (right, wrong, rows.len())
}

fn value<T: serde::Serialize>(value: Option<T>) -> Value {
    json!({ "value": value })
}

fn text(row: &Value) -> &str {
    row["input"].as_str().unwrap_or_default()
}

#[test]
fn default_amounts() {
    let rows = support::golden_of("justice-constraint_amount.jsonl", "extract_amount");
    let (right, wrong, all) = score("amount", &rows, |row| {
        let read = amount(text(row), support::language(row), AmountBounds::default());
        (
            value(read.value()),
            json!({ "value": support::wanted(row)["value"] }),
        )
    });
    assert_eq!(wrong, 0);
    assert!(right * 100 >= all * 94, "{right} of {all}");
}

#[test]
fn compat_amounts() {
    let rows = support::golden_of("justice-constraint_amount.jsonl", "extract_amount");
    let (right, _, all) = score("compat amount", &rows, |row| {
        let read = compat::extract_amount(text(row));
        let reason = match &read {
            Reading::Read { .. } => Value::Null,
            Reading::Unread { reason, .. } => json!(reason),
        };
        (
            json!({ "value": read.value(), "error": reason }),
            row["expected"].clone(),
        )
    });
    assert_eq!(right, all);
}

#[test]
fn compat_chinese_numbers() {
    let rows = support::golden_of("justice-chinese_numbers.jsonl", "chinese_number");
    let (right, _, all) = score("compat chinese_number", &rows, |row| {
        (value(compat::chinese_number(text(row))), row["expected"].clone())
    });
    assert_eq!(right, all);
}
