//! Ballots of published runs. The recorded choice is what the published program read, so `compat`
//! must give it; the default reader may differ only where that program is known to misread.
//! Native only.

use crate::support;
use quorate::language::Language;
use quorate::principle::Principle;
use quorate::reading;
use serde_json::Value;

fn ballots() -> Vec<Value> {
    support::corpus("ballots.jsonl")
}

/// The principle by the name under which it was recorded, in any of the three languages.
fn recorded(name: &str) -> Option<Principle> {
    let range = ["range", "rango", "范围"]
        .iter()
        .any(|word| name.to_lowercase().contains(word));
    let average = ["average", "promedio", "平均"]
        .iter()
        .any(|word| name.to_lowercase().contains(word));
    let floor = ["floor", "mínimo", "最低"]
        .iter()
        .any(|word| name.to_lowercase().contains(word));
    match (average, floor, range) {
        (true, _, true) => Some(Principle::RangeConstraint),
        (true, true, false) => Some(Principle::FloorConstraint),
        (true, false, false) => Some(Principle::Average),
        (false, true, false) => Some(Principle::Floor),
        _ => None,
    }
}

/// A reason why the published program may have recorded something else than was said: it reads a
/// digit only if it is the only character 1 to 4, and falls back on keywords that take "promedio"
/// and "mínimo" for principles of their own.
fn fell_back_on_keywords(stage_one: &str) -> bool {
    stage_one
        .bytes()
        .filter(|byte| (b'1'..=b'4').contains(byte))
        .count()
        > 1
}

#[test]
fn every_ballot() {
    let (mut same, mut unread, mut explained, mut wrong) = (0, Vec::new(), Vec::new(), Vec::new());
    let ballots = ballots();
    for (line, row) in ballots.iter().enumerate() {
        let field = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
        let stage_one = field("raw").split(" | ").next().unwrap_or_default();
        let was = recorded(field("choice"));
        let language = Language::from_name(field("lang")).unwrap_or_default();
        let reading = reading::principle(stage_one, language);
        match reading.value().copied() {
            Some(value) if Some(value) == was => same += 1,
            None => unread.push((line + 1, reading)),
            Some(value) if fell_back_on_keywords(stage_one) => {
                // What is left of the published reading must be its keyword fallback.
                assert_eq!(
                    reading::compat::keyword_match(stage_one).principle,
                    was,
                    "line {}",
                    line + 1
                );
                explained.push((line + 1, was, value));
            }
            Some(value) => wrong.push((line + 1, was, value)),
        }
        assert_eq!(
            reading::compat::principle(stage_one).value().copied(),
            was,
            "compat, line {}",
            line + 1
        );
    }
    eprintln!(
        "{} ballots: {same} as recorded, {} misread by the published program: {explained:?}",
        ballots.len(),
        explained.len()
    );
    eprintln!("unread: {unread:?}, wrong: {wrong:?}");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(unread.len() * 100 <= ballots.len(), "{unread:?}");
}
