//! Summaries of records for run lists. Recomputed for every stored entry, so it reads only the first and last
//! entries, and the configuration unchecked.

use super::Procedure;
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind, Started};
use crate::language::Language;
use serde_json::{Value, json};
use std::rc::Rc;

/// Returns the `SessionSummary` of a record, updated `now`; null for a record without a head.
#[must_use]
pub fn summary(record: &[Rc<Entry>], now: Millis) -> Value {
    let Some(first) = record.first() else {
        return Value::Null;
    };
    let EntryKind::Started(head) = &first.what else {
        return Value::Null;
    };
    let text = |key: &str| head.config.get(key).and_then(Value::as_str);
    let seats: Vec<Value> = seats(head)
        .into_iter()
        .map(|(name, kind)| json!({ "name": name, "kind": kind }))
        .collect();
    let result = result(record);
    let mut summary = json!({
        "id": head.session,
        "title": text("title").unwrap_or_default(),
        "condition": text("condition").unwrap_or_default(),
        "config_hash": head.config_hash,
        "engine": head.engine,
        "seed": head.seed,
        "protocol": head.protocol,
        "created": first.at,
        "updated": now,
        "entries": record.len(),
        "state": if result.is_some() { "ended" } else { "unfinished" },
        "seats": seats,
        "language": text("language").and_then(Language::from_name).unwrap_or_default(),
    });
    let keys = Procedure::of(head).map_or(&[][..], |procedure| procedure.outcome);
    let has_outcome = |result: &&Value| keys.first().is_some_and(|sign| result.get(sign).is_some());
    if let Some(result) = result.filter(has_outcome) {
        let outcome = keys.iter().map(|key| ((*key).to_owned(), result[*key].clone()));
        summary["outcome"] = Value::Object(outcome.collect());
    }
    summary
}

/// Merges a new summary with the stored one of the same run, keeping the stored title, which may have been
/// edited. Returns `None` if the stored one covers more entries, since writes may arrive out of order.
#[must_use]
pub fn renewed(stored: Option<&Value>, mut new: Value) -> Option<Value> {
    if let Some(stored) = stored {
        if stored["entries"].as_u64() > new["entries"].as_u64() {
            return None;
        }
        if let Some(title) = stored["title"].as_str() {
            new["title"] = title.into();
        }
    }
    Some(new)
}

/// Returns the result of the procedure. Late answers and commands may follow it.
pub(super) fn result(record: &[Rc<Entry>]) -> Option<&Value> {
    let is_trailing =
        |entry: &&Rc<Entry>| matches!(entry.what, EntryKind::Late { .. } | EntryKind::Commanded { .. });
    match &record.iter().rev().find(|entry| !is_trailing(entry))?.what {
        EntryKind::Ended { result } => Some(result),
        _ => None,
    }
}

/// Returns the name and kind of each seat of a checked configuration, in its order.
pub(crate) fn seats(head: &Started) -> Vec<(String, &str)> {
    if head.protocol == "discussion" {
        // A discussion may seat people whom the configuration does not name.
        let seats = super::seats(&head.config).unwrap_or_default();
        return seats
            .into_iter()
            .map(|seat| (seat.name, seat.kind.name()))
            .collect();
    }
    let agents = head.config.get("agents").and_then(Value::as_array);
    let seat = |agent| {
        let text = |key: &str| Value::get(agent, key).and_then(Value::as_str);
        let otherwise = if text("model").is_some() {
            "model"
        } else {
            "scripted"
        };
        Some((text("name")?.to_owned(), text("kind").unwrap_or(otherwise)))
    };
    agents.into_iter().flatten().filter_map(seat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::samples;

    #[test]
    fn a_summary_describes_the_run() {
        let record = samples::record();
        assert_eq!(
            summary(&record, 5_000),
            json!({
                "id": "s-1", "title": "A first run", "condition": "", "config_hash": "c0ffee", "engine": "quorate 0.1.0", "seed": 42, "protocol": "justice", "created": samples::BEGAN,
                "updated": 5_000, "entries": record.len(), "state": "unfinished",
                "seats": [{ "name": "Ana", "kind": "scripted" }, { "name": "Bo", "kind": "model" }],
                "language": "en",
            })
        );
        assert_eq!(summary(&[], 0), Value::Null);
        assert_eq!(summary(&record[1..], 0), Value::Null);
    }

    #[test]
    fn a_merged_summary_keeps_the_title_and_the_longer_record() {
        let under_way = json!({ "title": "As configured", "entries": 40, "state": "unfinished" });
        let ended = json!({ "title": "Given since", "entries": 41, "state": "ended" });
        let titled = json!({ "title": "Given since", "entries": 40, "state": "unfinished" });
        assert_eq!(renewed(None, under_way.clone()), Some(under_way.clone()));
        assert_eq!(renewed(Some(&titled), under_way.clone()), Some(titled.clone()));
        assert_eq!(renewed(Some(&ended), under_way), None);
        assert_eq!(renewed(Some(&titled), ended.clone()), Some(ended));
    }

    #[test]
    fn an_ended_run_has_an_outcome() {
        let ended = samples::whole_record();
        let found = summary(&ended, 0);
        assert_eq!(found["state"], "ended");
        let outcome = json!({
            "consensus_reached": true,
            "chosen_principle": "maximizing_average_floor_constraint",
            "constraint_amount": 13_000,
            "rounds_completed": 1,
        });
        assert_eq!(found["outcome"], outcome);
        let mut later = ended.clone();
        let what = EntryKind::Late {
            ask: "a".into(),
            attempt: 1,
            reply: Default::default(),
        };
        later.push(Rc::new(Entry {
            seq: later.len() as u64,
            at: 0,
            what,
        }));
        assert_eq!(summary(&later, 0)["state"], "ended");
    }

    #[test]
    fn seats_match_the_checked_configuration() {
        let config = json!({ "agents": [
            { "name": "A", "personality": "p" },
            { "name": "B", "personality": "p", "model": "gpt-4.1-mini" },
            { "name": "C", "personality": "p", "kind": "human" },
            { "name": "D", "personality": "p", "kind": "custom", "model": "x" },
        ]});
        let checked = super::super::justice::settings::check(&config)
            .unwrap()
            .settings
            .participants;
        let expected: Vec<_> = checked
            .iter()
            .map(|participant| (participant.seat.name.clone(), json!(participant.seat.kind)))
            .collect();
        let EntryKind::Started(mut head) = samples::record()[0].what.clone() else {
            panic!()
        };
        head.config = config;
        let found: Vec<_> = seats(&head)
            .into_iter()
            .map(|(name, kind)| (name, json!(kind)))
            .collect();
        assert_eq!(found, expected);
    }
}
