//! The section of a report about substitute answers: from a fallback model, a saved session or a simulated participant.
//! It is empty if there are none.

use super::escape::inline;
use super::markdown::Report;
use crate::core::ask_log::AskLogs;
use crate::core::record::{Entry, Started};
use crate::language::Language;
use crate::language::words::Words;
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
    let words = Words::new(&super::TEXTS, language, &BTreeMap::new());
    let mut report = Report::new(words);
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
    let mut counts = BTreeMap::new();
    for log in AskLogs::of(record).all {
        let Some((reply, _)) = log.reply() else { continue };
        let mut count = |kind, who: &str| {
            let key = (log.ask.seat.clone(), kind, who.to_owned());
            *counts.entry(key).or_insert(0) += 1;
        };
        if let Some(model) = log.substitute() {
            count("standins.model", model);
        }
        if reply.stood_in {
            count("standins.simulated", "");
        }
        if let Some(from) = &reply.recorded {
            count("standins.recorded", &from.session);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::record::EntryKind;
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
