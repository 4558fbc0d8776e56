//! Recorded inputs and outputs for reading principles and yes/no, under both profiles. Native only.

use quorate::language::Language;
use quorate::parse;
use serde_json::Value;
use std::path::PathBuf;

/// The rows of a golden file that count for the default profile; empty when the folder is absent.
fn rows(file: &str) -> Vec<Value> {
    let folder = std::env::var_os("QUORATE_GOLDEN")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/golden"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
        eprintln!("{file}: not found in {}, nothing compared", folder.display());
        return Vec::new();
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
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
    recommended.or_else(|| row.get("expected").and_then(|e| e.get(key))).unwrap_or(&Value::Null)
}

#[test]
fn principles_as_recommended() {
    let (mut rows_read, mut right, mut missed, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for row in rows("justice-principle_extraction.jsonl").iter().filter(|row| text(row, "verdict") != "debatable") {
        rows_read += 1;
        let reading = parse::principle(text(row, "input"), language(row), false);
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
    assert!(missed.is_empty(), "missed: {missed:?}");
}
