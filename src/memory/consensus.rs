//! Agreements and dissents of debates: one entry per debate, found by its topic.
//!
//! Source: A23 of the debate's design.

use super::Row;
use super::words::cut;
use crate::core::ask::Millis;
use crate::procedures::canonical::sha256_hex;
use crate::procedures::debate::rules::similarity::jaccard;
use serde::{Deserialize, Serialize};

/// Topics count as similar above this likeness.
const LEAST: f64 = 0.1;

/// Strength of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// Confidence 0.9 or more.
    Unanimous,
    /// 0.8 or more.
    Strong,
    /// 0.6 or more.
    Moderate,
    /// 0.5 or more.
    Weak,
    /// Less, or no consensus.
    Split,
}

impl Agreement {
    /// Classifies a confidence from 0 to 1.
    #[must_use]
    pub fn of(confidence: f64) -> Self {
        match confidence {
            sure if sure >= 0.9 => Self::Unanimous,
            sure if sure >= 0.8 => Self::Strong,
            sure if sure >= 0.6 => Self::Moderate,
            sure if sure >= 0.5 => Self::Weak,
            _ => Self::Split,
        }
    }
}

/// How a dissenting view differs from the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DissentKind {
    /// Nearly the same in other words.
    MinorQuibble,
    /// A different solution.
    AlternativeApproach,
    /// The opposite of the answer.
    FundamentalDisagreement,
    /// A doubt about an edge case.
    EdgeCaseConcern,
    RiskWarning,
    /// No view: the voter abstained.
    Abstention,
}

/// A participant who did not agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DissentEntry {
    pub agent: String,
    pub kind: DissentKind,
    /// The participant's final view; empty for an abstention.
    pub content: String,
    /// 0 to 1, if stated.
    pub confidence: Option<f64>,
}

/// The outcome of one debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consensus {
    pub debate: String,
    /// The question of the debate.
    pub topic: String,
    /// See [`topic_hash`].
    pub topic_hash: String,
    /// The answer, at most 2000 characters.
    pub conclusion: String,
    pub reached: bool,
    pub strength: Agreement,
    /// 0 to 1.
    pub confidence: f64,
    pub participants: Vec<String>,
    pub agreeing: Vec<String>,
    pub dissents: Vec<DissentEntry>,
    /// The subject area, if the configuration names one.
    pub domain: Option<String>,
    /// The number of the last round.
    pub rounds: u64,
    pub ended_at: Millis,
}

/// Returns 16 hex digits of a hash over the question's words in lower case, sorted and deduplicated, so that
/// word order does not matter.
#[must_use]
pub fn topic_hash(topic: &str) -> String {
    let topic = topic.to_lowercase();
    let mut words: Vec<&str> = topic.split_whitespace().collect();
    words.sort();
    words.dedup();
    let mut hash = sha256_hex(words.join(" ").as_bytes());
    hash.truncate(16);
    hash
}

/// Returns the indices of similar topics with their likeness, most similar first, at most `limit`. Only the
/// first `3 * limit` topics are compared: pass the newest first.
#[must_use]
pub fn similar(topics: &[&str], query: &str, limit: usize) -> Vec<(usize, f64)> {
    let hash = topic_hash(query);
    let mut found: Vec<(usize, f64)> = topics
        .iter()
        .take(limit.saturating_mul(3))
        .map(|topic| match topic_hash(topic) == hash {
            true => 1.0,
            false => jaccard(topic, query),
        })
        .enumerate()
        .filter(|(_, likeness)| *likeness > LEAST)
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(limit);
    found
}

/// Returns the stored agreements on similar topics, most similar first.
#[must_use]
pub fn similar_debates(rows: &[Row], query: &str, limit: usize) -> Vec<(Consensus, f64)> {
    let mut entries: Vec<Consensus> = super::read_all(rows, super::RowKind::Consensus);
    entries.sort_by(|one, other| (other.ended_at, &other.debate).cmp(&(one.ended_at, &one.debate)));
    let topics: Vec<&str> = entries.iter().map(|entry| entry.topic.as_str()).collect();
    similar(&topics, query, limit)
        .into_iter()
        .filter_map(|(at, likeness)| Some((entries.get(at)?.clone(), likeness)))
        .collect()
}

/// Shortens the text of a conclusion or dissent for storage.
pub(super) fn shorten(text: &str) -> String {
    cut(text, 2_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_order_does_not_change_the_topic() {
        assert_eq!(topic_hash("Tea or  coffee"), topic_hash("coffee or tea or"));
        assert_ne!(topic_hash("tea"), topic_hash("coffee"));
        let topics = ["or coffee tea", "tea at noon", "bicycles"];
        let found = similar(&topics, "Tea or coffee", 5);
        assert_eq!(found, [(0, 1.0), (1, 0.2)]);
        assert_eq!(similar(&topics, "Tea or coffee", 0), []);
        assert_eq!(similar(&[], "", 3), []);
    }
}
