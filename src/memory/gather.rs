//! Items known about a question before a debate on it begins: knowledge, past debates and the conclusions of
//! receipts, in this order. Each debate appears once, in the first of these that refers to it.

use super::debates::{self, BUDGET, Past, relevant, within_budget};
use super::finished_debate::share;
use super::knowledge::{Filter, search};
use super::words::{cut, on_topic, tokens, topic_words};
use super::{Row, RowKind, descending_key, sorted_indices, text};
use crate::core::ask::Millis;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Origin of an item's text. The text is always data for its readers, never an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// From a debate held in this browser.
    Local,
    /// From an external source.
    Untrusted,
}

/// An item known before the debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceItem {
    pub source: RowKind,
    /// The id of its row, by which usage is traced.
    pub id: String,
    pub title: String,
    pub text: String,
    /// 0 to 1.
    pub confidence: f64,
    pub trust: Trust,
}

/// Limits on gathered items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum number of knowledge items.
    pub knowledge: usize,
    /// Minimum confidence of knowledge, 0 to 1.
    pub min_confidence: f64,
    pub debates: usize,
    /// Tokens of all past debates together.
    pub debate_tokens: usize,
    pub receipts: usize,
    /// Tokens of all receipt conclusions together.
    pub receipt_tokens: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            knowledge: 10,
            min_confidence: 0.5,
            debates: debates::BEST,
            debate_tokens: BUDGET,
            receipts: 3,
            receipt_tokens: 500,
        }
    }
}

/// Gathers the items known about a question. The order of `rows` does not matter.
#[must_use]
pub fn gather(question: &str, rows: &[Row], limits: &Limits, now: Millis) -> Vec<SourceItem> {
    let mut items = Vec::new();
    let mut debates: Vec<String> = Vec::new();
    let filter = Filter {
        min_confidence: limits.min_confidence,
        ..Filter::default()
    };
    for found in search(rows, question, &filter, limits.knowledge, now) {
        let is_local = found.item.source == "debate";
        if is_local {
            debates.push(found.item.source_id.clone());
        }
        items.push(SourceItem {
            source: RowKind::Knowledge,
            id: found.id,
            title: cut(&found.item.title, 300),
            text: cut(&found.item.text, 2_000),
            confidence: found.item.confidence.clamp(0.0, 1.0),
            trust: if is_local { Trust::Local } else { Trust::Untrusted },
        });
    }
    let mut pasts: Vec<Past> = super::read_all(rows, RowKind::Debate);
    pasts.retain(|past| !debates.contains(&past.debate));
    let pasts = within_budget(relevant(&pasts, question, None, now), limits.debate_tokens, now);
    for past in pasts.into_iter().take(limits.debates) {
        items.push(SourceItem {
            source: RowKind::Debate,
            id: past.debate.clone(),
            title: cut(&past.question, 100),
            text: past.text(),
            confidence: past.confidence.clamp(0.0, 1.0),
            trust: Trust::Local,
        });
        debates.push(past.debate);
    }
    items.extend(find_receipts(question, rows, limits, &debates));
    items
}

/// Returns the relevance of a receipt by its rank among `count` results, from 1 down to 0.4.
#[must_use]
pub fn receipt_relevance(place: usize, count: usize) -> f64 {
    let last = count.saturating_sub(1).max(1) as f64;
    (1.0 - 0.6 * place as f64 / last).max(0.4)
}

/// Returns the receipts whose questions share the most words with this one, newest first among equals.
fn find_receipts(question: &str, rows: &[Row], limits: &Limits, known: &[String]) -> Vec<SourceItem> {
    let words = topic_words(question);
    let mut found: Vec<(&Row, usize)> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == RowKind::Receipt) {
        let is_known = known.iter().any(|debate| debate == text(&row.value, "debate_id"));
        let shared = on_topic(&words, &topic_words(text(&row.value, "question")));
        if !is_known && shared > 0 && row.value.get("reached") == Some(&Value::Bool(true)) {
            found.push((row, shared));
        }
    }
    let issue_date = |row: &Row| text(&row.value, "issued_at").to_owned();
    let newest = {
        let mut places: Vec<(String, &str, usize)> = found
            .iter()
            .enumerate()
            .map(|(at, (row, _))| (issue_date(row), row.id.as_str(), at))
            .collect();
        places.sort();
        places.into_iter().rev().map(|(_, _, at)| at).collect::<Vec<_>>()
    };
    let by_similarity = sorted_indices(
        newest
            .iter()
            .enumerate()
            .map(|(place, at)| (descending_key(found[*at].1 as f64), format!("{place:09}"))),
    );
    let mut remaining = limits.receipt_tokens;
    let mut items = Vec::new();
    for place in by_similarity.into_iter().take(limits.receipts) {
        let row = found[newest[place]].0;
        let title = cut(text(&row.value, "question"), 100);
        let budget = remaining.saturating_sub(tokens(&title));
        let answer = cut(text(&row.value, "answer"), 500);
        if tokens(&answer) > budget {
            continue;
        }
        remaining = budget - tokens(&answer);
        items.push(SourceItem {
            source: RowKind::Receipt,
            id: row.id.clone(),
            title,
            text: answer,
            confidence: share(row.value.get("confidence").and_then(Value::as_f64)).unwrap_or(0.0),
            trust: Trust::Local,
        });
    }
    items
}

#[cfg(test)]
mod tests {
    use super::super::debates::tests::past;
    use super::super::tiers::HOUR;
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const NOW: Millis = 1_000_000 * HOUR;

    fn rows() -> Vec<Row> {
        let conclusion = |id: &str, source: &str, debate: &str| {
            let value = json!({
                "title": "Tea or coffee?", "text": "Tea.", "source": source, "source_id": debate,
                "confidence": 0.8, "level": "high", "created_at": 0, "updated_at": 0,
            });
            Row::of(RowKind::Knowledge, id, &value)
        };
        let receipt = |id: &str, debate: &str, issued_at: &str, reached: bool| {
            let value = json!({
                "debate_id": debate, "question": "Tea or coffee?", "answer": id, "reached": reached,
                "confidence": 0.9, "issued_at": issued_at,
            });
            Row::of(RowKind::Receipt, id, &value)
        };
        vec![
            conclusion("k1", "debate", "d1"),
            conclusion("k2", "document", ""),
            past("d1", "Tea or coffee?", 5).row(),
            past("d2", "Which tea?", 5).row(),
            receipt("r2", "d2", "2026-01-02", true),
            receipt("r3", "d3", "2026-01-02", true),
            receipt("r4", "d4", "2026-01-03", true),
            receipt("r5", "d5", "2026-01-03", false),
            Row::of(RowKind::Knowledge, "broken", &json!({"title": 1})),
        ]
    }

    #[test]
    fn gathers_each_debate_once() {
        let items = gather("Tea or coffee?", &rows(), &Limits::default(), NOW);
        let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["k1", "k2", "d2", "r4", "r3"]);
        assert_eq!((items[0].trust, items[1].trust), (Trust::Local, Trust::Untrusted));
        let value = serde_json::to_value(&items[0]).unwrap();
        assert_eq!(value["source"], "knowledge");
        let mut reversed = rows();
        reversed.reverse();
        assert_eq!(
            gather("Tea or coffee?", &reversed, &Limits::default(), NOW),
            items
        );
        assert_eq!(gather("Bicycles", &rows(), &Limits::default(), NOW), []);
        let few = Limits {
            knowledge: 1,
            debates: 0,
            receipts: 1,
            ..Limits::default()
        };
        assert_eq!(gather("Tea or coffee?", &rows(), &few, NOW).len(), 2);
    }

    proptest! {
        #[test]
        fn never_panics(question in "\\PC{0,40}", now in any::<u64>()) {
            let _ = gather(&question, &rows(), &Limits::default(), now);
        }
    }
}
