//! What debates leave behind, and what the next one takes from it. All of it is **rows**: plain values
//! with a kind and an id, which somebody else stores and hands in again. Nothing here reads or writes
//! anything, and time comes in as data.
//!
//! | file | what it is |
//! |---|---|
//! | [`settle`] | from the record of a debate that is over to all rows it leaves, to be stored at once |
//! | [`gather`] | what is known about a question before a debate begins |
//! | [`ratings`] | how everybody stands, from all matches |
//! | [`recall`], [`tiers`], [`surprise`] | memories in four tiers, and how they move between them |
//! | [`knowledge`] | conclusions to rely on, with how sure they are; the search in them |
//! | [`consensus`], [`debates`] | what was agreed on and who did not; past debates in short |
//! | [`receipt`], [`receipt_text`] | the signed account of a debate, how to check it and how to show it |
//!
//! A debate is settled once: its rows carry its id, and its `journal` row says that it was done. Only
//! debates leave something here; the other protocols do not decide anything that a later run could use.

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

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a row is. The names are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A memory in one of four tiers: [`recall::Memory`].
    Memory,
    /// What a debate agreed on: [`consensus::Consensus`].
    Consensus,
    /// Something known: [`knowledge::Knowledge`].
    Knowledge,
    /// A past debate in short: [`debates::Past`].
    Debate,
    /// What a debate says about ratings: [`ratings::Match`].
    Match,
    /// A receipt: [`receipt`].
    Receipt,
    /// Something to deliver; whoever delivers knows its form.
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

    /// The stored name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// Something that is kept, under its kind and id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it is.
    pub kind: RowKind,
    /// Unique within its kind.
    pub id: String,
    /// The rest.
    pub value: Value,
}

impl Row {
    /// A row of a value.
    fn of(kind: RowKind, id: impl Into<String>, value: &impl Serialize) -> Self {
        Self {
            kind,
            id: id.into(),
            value: serde_json::to_value(value).unwrap_or_default(),
        }
    }

    /// The value in its own type; `None`: it is not of that form.
    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.value.clone()).ok()
    }

    /// The key it is stored under: `["kind","id"]`.
    #[must_use]
    pub fn key(&self) -> String {
        json!([self.kind.name(), self.id]).to_string()
    }
}

/// The values of all rows of a kind that can be read.
fn read_all<T: DeserializeOwned>(rows: &[Row], kind: RowKind) -> Vec<T> {
    rows.iter()
        .filter(|row| row.kind == kind)
        .filter_map(Row::read)
        .collect()
}

/// The places of items in the order of a number and, where it is the same, an id.
fn ordered(keys: impl Iterator<Item = (u64, String)>) -> Vec<usize> {
    let mut keys: Vec<(u64, String, usize)> = keys
        .enumerate()
        .map(|(at, (number, id))| (number, id, at))
        .collect();
    keys.sort();
    keys.into_iter().map(|(_, _, at)| at).collect()
}

/// A number for [`ordered`] by which higher scores come first. Scores that are no number come last.
fn falling(score: f64) -> u64 {
    u64::MAX - if score > 0.0 { score.to_bits() } else { 0 }
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
        let order = ordered(keys.map(|(at, score)| (falling(*score), format!("{}", 9 - at))));
        assert_eq!(order, [4, 2, 5, 0, 3, 1]);
    }
}
