//! Recorded inputs and outputs for reading principles and yes/no, under both profiles. Native only.

use crate::support;
use quorate::language::Language;
use quorate::reading;
use serde_json::Value;

/// The rows of a golden file that count for the default profile; empty when the folder is absent.
fn rows(file: &str) -> Vec<Value> {
    support::golden_lines(file)
        .unwrap_or_default()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn language(row: &Value) -> Language {
    Language::from_name(text(row, "lang")).unwrap_or_default()
}

/// What the default profile should give under `key`.
fn wanted<'a>(row: &'a Value, key: &str) -> &'a Value {
    let recommended = row.get("recommended").and_then(|r| r.get(key));
    recommended
        .or_else(|| row.get("expected").and_then(|e| e.get(key)))
        .unwrap_or(&Value::Null)
}

#[test]
fn principles_as_recommended() {
    let (mut rows_read, mut right, mut missed, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for row in rows("justice-principle_extraction.jsonl")
        .iter()
        .filter(|row| text(row, "verdict") != "debatable")
    {
        rows_read += 1;
        let reading = reading::principle(text(row, "input"), language(row));
        let value = reading.value().map(|principle| u64::from(principle.number()));
        let want = wanted(row, "value").as_u64();
        match value {
            _ if value == want => right += 1,
            None => missed.push(text(row, "id").to_owned()),
            Some(_) => wrong.push(format!("{} {reading:?}", text(row, "id"))),
        }
    }
    eprintln!("principle, default: {right} of {rows_read} right, missed {missed:?}, wrong {wrong:?}");
    assert!(wrong.is_empty(), "wrong values: {wrong:?}");
    // Descriptions without a name are declined.
    assert!(missed.len() * 100 <= rows_read * 15, "missed: {missed:?}");
}

/// Rows that differ under the profile `compat`, all of them counting.
fn compat_differences(file: &str, differs: impl Fn(&Value) -> Option<String>) -> (usize, Vec<String>) {
    let rows = rows(file);
    let counted: Vec<&Value> = rows
        .iter()
        .filter(|row| text(row, "verdict") != "debatable")
        .collect();
    let differences = rows
        .iter()
        .filter_map(|row| Some(format!("{} {}", text(row, "id"), differs(row)?)))
        .collect();
    eprintln!(
        "{file}, compat: {} rows, {} of them not debatable",
        rows.len(),
        counted.len()
    );
    (rows.len(), differences)
}

#[test]
fn principles_as_published() {
    let (rows, differences) = compat_differences("justice-principle_extraction.jsonl", |row| {
        let reading = reading::compat::principle(text(row, "input"));
        let value = reading.value().map(|principle| u64::from(principle.number()));
        let reason = reading
            .reason()
            .map(|reason| serde_json::to_value(reason).unwrap());
        let expected = row.get("expected")?;
        let same = value == expected.get("value").and_then(Value::as_u64)
            && reason.as_ref().and_then(Value::as_str) == expected.get("error").and_then(Value::as_str);
        (!same).then(|| format!("{reading:?}"))
    });
    assert!(
        differences.is_empty(),
        "{} of {rows}: {differences:#?}",
        differences.len()
    );
}

#[test]
fn keyword_scores_as_published() {
    let (rows, differences) = compat_differences("justice-keyword_match.jsonl", |row| {
        let found = reading::compat::keyword_match(text(row, "input"));
        let expected = row.get("expected")?;
        let confidence = expected.get("confidence").and_then(Value::as_f64)?;
        let same = found.detected.code() == text(expected, "detected_language")
            && found.principle.map(|principle| u64::from(principle.number()))
                == expected.get("principle").and_then(Value::as_u64)
            && (found.confidence - confidence).abs() < 1e-6;
        (!same).then(|| format!("{found:?}"))
    });
    assert!(
        differences.is_empty(),
        "{} of {rows}: {differences:#?}",
        differences.len()
    );
}

#[test]
fn yes_and_no_as_published() {
    let (rows, differences) = compat_differences("justice-yes_no.jsonl", |row| {
        let input = text(row, "input");
        let expected = row.get("expected")?;
        let agrees = expected.get("agrees").and_then(Value::as_bool)?;
        let (same, found) = if text(row, "fn") == "agreement_keywords" {
            let found = reading::compat::agreement_keywords(input, language(row));
            (found == agrees, format!("{found}"))
        } else {
            let reading = reading::compat::agreement(input);
            let wanted = match text(expected, "error") {
                "" => Some(agrees),
                _ => None,
            };
            let reason = match text(expected, "error") {
                "none" => Some(reading::Reason::AgreementUnclear),
                "multiple" => Some(reading::Reason::MultipleValidNumbers),
                _ => None,
            };
            (
                reading.value().copied() == wanted && reading.reason() == reason,
                format!("{reading:?}"),
            )
        };
        (!same).then_some(found)
    });
    assert!(
        differences.is_empty(),
        "{} of {rows}: {differences:#?}",
        differences.len()
    );
}

#[test]
fn yes_and_no_as_recommended() {
    let (mut rows_read, mut right, mut missed, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for row in rows("justice-yes_no.jsonl").iter() {
        if text(row, "verdict") == "debatable" || text(row, "fn") != "yes_no_numeric" {
            continue;
        }
        rows_read += 1;
        let reading = reading::agreement(text(row, "input"), language(row));
        let recommended = row.get("recommended").and_then(|r| r.get("agrees"));
        let unread = recommended.is_none() && row.get("expected").is_some_and(|e| !e["error"].is_null());
        let want = if unread {
            None
        } else {
            wanted(row, "agrees").as_bool()
        };
        match reading.value().copied() {
            value if value == want => right += 1,
            None => missed.push(text(row, "id").to_owned()),
            Some(_) => wrong.push(format!("{} {reading:?}", text(row, "id"))),
        }
    }
    eprintln!("yes/no, default: {right} of {rows_read} right, missed {missed:?}, wrong {wrong:?}");
    assert!(wrong.is_empty(), "wrong values: {wrong:?}");
    assert!(missed.len() * 100 <= rows_read * 5, "missed: {missed:?}");
}
