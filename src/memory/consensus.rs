//! What debates agreed on, and who did not: one entry a debate, found again by its topic.
//!
//! Source: A23 of the debate's design.

use super::Row;
use super::words::cut;
use crate::core::ask::Millis;
use crate::procedures::canonical::sha256_hex;
use crate::procedures::debate::rules::similarity::jaccard;
use serde::{Deserialize, Serialize};

/// Topics have something in common above this.
const LEAST: f64 = 0.1;

/// How strong an agreement was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// Confidence 0.9 and more.
    Unanimous,
    /// 0.8 and more.
    Strong,
    /// 0.6 and more.
    Moderate,
    /// 0.5 and more.
    Weak,
    /// Less, or no consensus.
    Split,
}

impl Agreement {
    /// By confidence alone, 0 to 1.
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

/// In what a view differs that did not prevail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DissentKind {
    /// Nearly the same in other words.
    MinorQuibble,
    /// Another way.
    AlternativeApproach,
    /// It says the opposite.
    FundamentalDisagreement,
    /// It doubts a case at the edge.
    EdgeCaseConcern,
    /// It warns.
    RiskWarning,
    /// No view: did not choose.
    Abstention,
}

/// Who did not agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DissentEntry {
    /// Name.
    pub agent: String,
    /// In what.
    pub kind: DissentKind,
    /// The view that they held in the end; empty for an abstention.
    pub content: String,
    /// How sure they were, 0 to 1, if they said so.
    pub confidence: Option<f64>,
}

/// What one debate agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consensus {
    /// Which debate.
    pub debate: String,
    /// The question.
    pub topic: String,
    /// See [`topic_hash`].
    pub topic_hash: String,
    /// The answer, 2000 characters at most.
    pub conclusion: String,
    /// Whether there was a consensus.
    pub reached: bool,
    /// How strong it was.
    pub strength: Agreement,
    /// 0 to 1.
    pub confidence: f64,
    /// Who took part.
    pub participants: Vec<String>,
    /// Who agreed.
    pub agreeing: Vec<String>,
    /// Who did not.
    pub dissents: Vec<DissentEntry>,
    /// The field, where the configuration names one.
    pub domain: Option<String>,
    /// The number of the last round.
    pub rounds: u64,
    /// When the debate ended.
    pub ended_at: Millis,
}

/// Knows a question again whatever the order of its words: 16 hex digits of the hash of its words in
/// lower case, sorted, each once.
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

/// The places of the topics that are like another, with how much, the most alike first and at most
/// `limit`. Only the first `3 * limit` are looked at: hand them in the newest first.
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

/// The stored agreements on topics like this one, the most alike first.
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

/// The text of a conclusion or dissent as it is kept.
pub(super) fn kept(text: &str) -> String {
    cut(text, 2_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_known_again_in_any_order() {
        assert_eq!(topic_hash("Tea or  coffee"), topic_hash("coffee or tea or"));
        assert_ne!(topic_hash("tea"), topic_hash("coffee"));
        let topics = ["or coffee tea", "tea at noon", "bicycles"];
        let found = similar(&topics, "Tea or coffee", 5);
        assert_eq!(found, [(0, 1.0), (1, 0.2)]);
        assert_eq!(similar(&topics, "Tea or coffee", 0), []);
        assert_eq!(similar(&[], "", 3), []);
    }
}
