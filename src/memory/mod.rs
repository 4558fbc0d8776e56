//! Knowledge carried from one debate to the next. All of it is **rows**: plain values with a kind and an id.
//! The caller stores them and passes them in again; this module does no I/O, and time is an argument.
//!
//! | file | what it is |
//! |---|---|
//! | [`settle`] | turns the record of a finished debate into the rows it leaves, stored in one transaction |
//! | [`gather`] | collects the items known about a question before a debate begins |
//! | [`ratings`] | ratings and calibration by participant, from all matches |
//! | [`recall`], [`tiers`], [`surprise`] | memories in four tiers, and the transitions between tiers |
//! | [`knowledge`] | conclusions with their confidence, and the search in them |
//! | [`consensus`], [`debates`] | agreements and dissents; summaries of past debates |
//! | [`receipt`], [`receipt_text`] | the signed receipt of a debate, its verification and rendering |
//!
//! A debate is settled once: its rows carry its id, and its `journal` row proves the settlement. Only
//! debates leave rows; the other protocols decide nothing that a later run could use.

pub mod consensus;
pub mod debates;
mod finished_debate;
pub mod gather;
pub mod knowledge;
pub mod ratings;
pub mod recall;
pub mod receipt;
pub mod receipt_text;
pub mod settle;
pub mod surprise;
pub mod tiers;
mod words;

pub use words::words_about;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Kind of a row. The names are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A memory in one of four tiers: [`recall::Memory`].
    Memory,
    /// What a debate agreed on: [`consensus::Consensus`].
    Consensus,
    Knowledge,
    /// A summary of a past debate: [`debates::Past`].
    Debate,
    /// A debate's contribution to ratings: [`ratings::Match`].
    Match,
    Receipt,
    /// A pending delivery; its form is defined by the delivering module.
    Outbox,
    /// Proof that a debate was settled: [`settle::Settlement::journal`].
    Journal,
}

impl RowKind {
    /// All kinds with their stored names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("memory", Self::Memory),
        ("consensus", Self::Consensus),
        ("knowledge", Self::Knowledge),
        ("debate", Self::Debate),
        ("match", Self::Match),
        ("receipt", Self::Receipt),
        ("outbox", Self::Outbox),
        ("journal", Self::Journal),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// A stored value under its kind and id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub kind: RowKind,
    /// Unique within its kind.
    pub id: String,
    pub value: Value,
}

impl Row {
    fn of(kind: RowKind, id: impl Into<String>, value: &impl Serialize) -> Self {
        Self {
            kind,
            id: id.into(),
            value: serde_json::to_value(value).unwrap_or_default(),
        }
    }

    /// Parses the value. Returns `None` if it does not have the form of `T`.
    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.value.clone()).ok()
    }

    /// Returns the storage key: `["kind","id"]`.
    #[must_use]
    pub fn key(&self) -> String {
        json!([self.kind.name(), self.id]).to_string()
    }
}

/// Parses the values of all rows of a kind; unreadable rows are skipped.
fn read_all<T: DeserializeOwned>(rows: &[Row], kind: RowKind) -> Vec<T> {
    rows.iter()
        .filter(|row| row.kind == kind)
        .filter_map(Row::read)
        .collect()
}

/// Returns the indices of items, sorted by number, then by id.
fn sorted_indices(keys: impl Iterator<Item = (u64, String)>) -> Vec<usize> {
    let mut keys: Vec<(u64, String, usize)> = keys
        .enumerate()
        .map(|(at, (number, id))| (number, id, at))
        .collect();
    keys.sort();
    keys.into_iter().map(|(_, _, at)| at).collect()
}

/// Returns a sort key for [`ordered`] that puts higher scores first. NaN comes last.
fn descending_key(score: f64) -> u64 {
    u64::MAX - if score > 0.0 { score.to_bits() } else { 0 }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn strings(values: &[Value]) -> Vec<String> {
    values
        .iter()
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_keys_of_kind_and_id() {
        let row = Row::of(RowKind::Match, "a \"b\"", &1);
        assert_eq!(row.key(), r#"["match","a \"b\""]"#);
        for (name, kind) in RowKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
            assert_eq!(kind.name(), name);
        }
    }

    #[test]
    fn higher_scores_come_first() {
        let scores = [0.5, f64::NAN, 2.0, 0.0, f64::INFINITY, 0.5];
        let keys = scores.iter().enumerate();
        let order = sorted_indices(keys.map(|(at, score)| (descending_key(*score), format!("{}", 9 - at))));
        assert_eq!(order, [4, 2, 5, 0, 3, 1]);
    }
}
