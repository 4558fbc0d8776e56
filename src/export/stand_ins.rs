//! The section of a report about substitute answers: from a fallback model, a saved session or a simulated participant.
//! It is empty if there are none.

use super::escape::inline;
use super::markdown::Report;
use crate::core::record::{Entry, EntryKind, Started};
use crate::core::requests::Requests;
use crate::language::Language;
use crate::procedures::Procedure;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Returns the section in the language of the run.
pub(super) fn section(head: &Started, record: &[Rc<Entry>]) -> String {
    let counts = count_substitutes(record);
    if counts.is_empty() {
        return String::new();
    }
    let named = head.config.get("language").and_then(Value::as_str);
    let language = named.and_then(Language::from_name).unwrap_or(Language::English);
    let Some(procedure) = Procedure::of(head) else {
        return String::new();
    };
    let mut report = Report::new(
        [procedure.texts, procedure.report.unwrap_or(procedure.texts)],
        language,
        &BTreeMap::new(),
    );
    report.heading(2, &report.label("standins", &[]));
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|((seat, kind, who), answers)| {
            vec![
                inline(seat),
                report.label(kind, &[("who", who)]),
                answers.to_string(),
            ]
        })
        .collect();
    let columns = report.labels(&["participant", "standins.who", "standins.answers"]);
    report.table(&columns, &rows);
    format!("\n{}", report.finish())
}

/// Counts substitute answers by seat, kind and name of the substitute.
fn count_substitutes(record: &[Rc<Entry>]) -> BTreeMap<(String, &'static str, String), u32> {
    let mut requests = Requests::default();
    let mut asked = BTreeMap::new();
    let mut counts = BTreeMap::new();
    for entry in record {
        match &entry.what {
            EntryKind::Asked { ask, request, .. } => {
                asked.insert(ask.id.clone(), (ask.seat.clone(), Rc::clone(request)));
            }
            EntryKind::Answered { ask, reply, .. } => {
                let Some((seat, first)) = asked.get(ask) else {
                    continue;
                };
                let other = requests.of(ask).filter(|current| !Rc::ptr_eq(current, first));
                if let Some(model) = other.and_then(|request| request.model.clone()) {
                    *counts.entry((seat.clone(), "standins.model", model)).or_insert(0) += 1;
                }
                if reply.stood_in {
                    let key = (seat.clone(), "standins.simulated", String::new());
                    *counts.entry(key).or_insert(0) += 1;
                }
                if let Some(from) = &reply.recorded {
                    let key = (seat.clone(), "standins.recorded", from.session.clone());
                    *counts.entry(key).or_insert(0) += 1;
                }
            }
            _ => {}
        }
        requests.take(&entry.what);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn substitute_answers_are_counted_by_seat() {
        let ask = json!({ "id": "a", "seat": "A|na", "kind": "turn", "phase": 1, "round": 1, "attempt": 1, "language": "en" });
        let request = json!({ "system": "s", "messages": [], "max_tokens": 5, "model": "m" });
        let whats = [
            json!({ "type": "started", "engine": "e", "session": "s", "protocol": "discussion", "seed": 1,
                    "config": { "language": "Spanish" }, "config_hash": "" }),
            json!({ "type": "asked", "ask": ask, "request": request, "time_limits": [] }),
            json!({ "type": "fell_back", "ask": "a", "seat": "A|na", "model": "n*", "base_url": "https://c.d", "because": "failed" }),
            json!({ "type": "answered", "ask": "a", "attempt": 2,
                    "reply": { "text": "yes", "stood_in": true, "recorded": { "session": "old", "seq": 4 } } }),
        ];
        let entry = |(seq, what): (usize, &Value)| {
            Rc::new(serde_json::from_value(json!({ "seq": seq, "at": 0, "what": what })).unwrap())
        };
        let record: Vec<Rc<Entry>> = whats.iter().enumerate().map(entry).collect();
        let EntryKind::Started(head) = &record[0].what else {
            unreachable!()
        };
        let text = section(head, &record);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("| A")).collect();
        assert_eq!(
            lines,
            [
                "| A\\|na | modelo n\\* | 1 |",
                "| A\\|na | sesión guardada old | 1 |",
                "| A\\|na | participante simulado | 1 |"
            ]
        );
        assert_eq!(section(head, &record[..3]), "");
    }
}
