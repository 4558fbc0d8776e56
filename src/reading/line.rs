//! The last line of an answer, where it gives the decision under a label that was asked for:
//! `DECISION: principle = maximizing_floor; certainty = sure`. Read exactly and alone: what is no such line is none.
//! What the values mean is found out in `structured`.

use super::labelled::{Line, key, unquoted};
use crate::language::Language;
use serde_json::{Map, Value};

/// The values of the last line, and what stands before it.
pub(super) fn last(text: &str) -> Option<(Map<String, Value>, &str)> {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '`');
    let start = text.rfind('\n').map_or(0, |end| end + 1);
    let (before, line) = text.split_at(start);
    let (label, said) = Line::of(line).label()?;
    if !Language::ALL
        .iter()
        .any(|language| key(language.word("decision")) == label)
    {
        return None;
    }
    let mut values = Map::new();
    for part in said.split([';', '；']).filter(|part| !part.trim().is_empty()) {
        let (name, value) = part.split_once(['=', '＝'])?;
        let named = values.insert(unquoted(name).to_owned(), value_of(value));
        if named.is_some() {
            return None;
        }
    }
    (!values.is_empty()).then_some((values, before.trim_end()))
}

fn value_of(said: &str) -> Value {
    let said = unquoted(said);
    if said.eq_ignore_ascii_case("none") {
        return Value::Null;
    }
    match serde_json::from_str(said) {
        Ok(value @ (Value::Null | Value::Bool(_) | Value::Number(_))) => value,
        _ => Value::from(said),
    }
}
