//! Knowledge: conclusions of debates and items entered by people, each with a confidence. Debates that use
//! an item raise or lower it. Search is by words (BM25).
//!
//! Source: A23 of the debate's design.

use super::words::{hours, likeness, topic_words};
use super::{Row, RowKind, descending_key, recall::SAME_TOPIC, sorted_indices};
use crate::core::ask::Millis;
use crate::procedures::debate::rules::contradiction::is_contradictory;
use crate::procedures::debate::rules::exact::ln;
use crate::procedures::debate::rules::similarity::{lexical, terms};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Minimum confidence of a stored conclusion, for all sources.
pub const LEAST: f64 = 0.7;
/// Step of one use towards 1 or 0.
pub const STEP: f64 = 0.1;
/// Maximum number of references of one item.
const REFERENCES: usize = 5;

/// Confidence class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Below 0.3.
    Unverified,
    /// 0.3 or more.
    Low,
    /// 0.5 or more.
    Medium,
    /// 0.7 or more.
    High,
    /// 0.9 or more.
    Verified,
}

impl Level {
    /// Classifies a confidence from 0 to 1.
    #[must_use]
    pub fn of(confidence: f64) -> Self {
        match confidence {
            sure if sure >= 0.9 => Self::Verified,
            sure if sure >= 0.7 => Self::High,
            sure if sure >= 0.5 => Self::Medium,
            sure if sure >= 0.3 => Self::Low,
            _ => Self::Unverified,
        }
    }

    /// Returns the confidence of an item that names only a level.
    #[must_use]
    pub fn confidence(self) -> f64 {
        match self {
            Self::Verified => 0.95,
            Self::High => 0.8,
            Self::Medium => 0.6,
            Self::Low => 0.3,
            Self::Unverified => 0.2,
        }
    }
}

/// Relation of one item to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Has the same content.
    Supports,
    /// Has the opposite content.
    Contradicts,
    /// Adds detail.
    Elaborates,
    /// Replaces it.
    Supersedes,
    /// Is derived from it.
    DerivedFrom,
    /// Has the same topic.
    RelatedTo,
    /// Cites it.
    Cites,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub relation: Relation,
    /// The kind of the other row.
    pub kind: RowKind,
    pub id: String,
}

/// An item of knowledge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// The topic; for a conclusion, the question.
    pub title: String,
    /// At most 2000 characters.
    pub text: String,
    /// `debate`, or an external source (`document`, `fact`, `user`, …).
    pub source: String,
    /// Id within the source, e.g. of the debate.
    #[serde(default)]
    pub source_id: String,
    /// 0 to 1.
    pub confidence: f64,
    /// The class of `confidence`.
    pub level: Level,
    #[serde(default)]
    pub domain: Option<String>,
    pub created_at: Millis,
    /// Time of the last change.
    pub updated_at: Millis,
    /// Number of debates that used and confirmed it.
    #[serde(default)]
    pub reinforced: u32,
    /// Number of debates that used it without confirming it.
    #[serde(default)]
    pub weakened: u32,
    /// Items on the same topic.
    #[serde(default)]
    pub references: Vec<Reference>,
    /// Further data on the origin.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub about: Value,
}

impl Knowledge {
    #[must_use]
    pub fn row(&self, id: impl Into<String>) -> Row {
        Row::of(RowKind::Knowledge, id, self)
    }

    /// Raises the confidence if a debate that used the item confirmed it (`holds`), else lowers it.
    pub fn weigh(&mut self, is_confirmed: bool, now: Millis) {
        let confidence = self.confidence.clamp(0.0, 1.0);
        let goal = f64::from(u8::from(is_confirmed));
        self.confidence = confidence + STEP * (goal - confidence);
        self.level = Level::of(self.confidence);
        match is_confirmed {
            true => self.reinforced = self.reinforced.saturating_add(1),
            false => self.weakened = self.weakened.saturating_add(1),
        }
        self.updated_at = self.updated_at.max(now);
    }
}

/// Returns the items used by a debate with their new confidence: raised by a consensus that does not
/// contradict them, else lowered.
#[must_use]
pub fn after(rows: &[Row], used: &[String], answer: &str, reached: bool, now: Millis) -> Vec<Row> {
    let mut changed = Vec::new();
    for row in rows
        .iter()
        .filter(|row| row.kind == RowKind::Knowledge && used.contains(&row.id))
    {
        let Some(mut item) = row.read::<Knowledge>() else {
            continue;
        };
        item.weigh(reached && !is_contradictory(&item.text, answer), now);
        changed.push(item.row(row.id.clone()));
    }
    changed
}

/// Returns references from a new text to items on the same topic: supporting and contradicting items first,
/// at most five.
#[must_use]
pub fn references(rows: &[Row], title: &str, text: &str) -> Vec<Reference> {
    let words = topic_words(title);
    let mut found: Vec<(u64, Reference)> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == RowKind::Knowledge) {
        let Some(item) = row.read::<Knowledge>() else {
            continue;
        };
        if likeness(&topic_words(&item.title), &words) < SAME_TOPIC {
            continue;
        }
        let relation = if is_contradictory(&item.text, text) {
            Relation::Contradicts
        } else if lexical(&item.text, text).value >= SAME_TOPIC {
            Relation::Supports
        } else {
            Relation::RelatedTo
        };
        let reference = Reference {
            relation,
            kind: RowKind::Knowledge,
            id: row.id.clone(),
        };
        found.push((u64::from(relation == Relation::RelatedTo), reference));
    }
    let order = sorted_indices(
        found
            .iter()
            .map(|(rank, reference)| (*rank, reference.id.clone())),
    );
    order
        .into_iter()
        .take(REFERENCES)
        .map(|at| found[at].1.clone())
        .collect()
}

/// Restrictions of a search.
#[derive(Debug, Clone, Default)]
pub struct Filter<'a> {
    /// Allowed sources; empty: all.
    pub sources: &'a [&'a str],
    /// Only this domain.
    pub domain: Option<&'a str>,
    /// Minimum confidence, 0 to 1.
    pub min_confidence: f64,
    /// Maximum hours since the last change.
    pub max_age_hours: Option<f64>,
}

impl Filter<'_> {
    fn is_match(&self, item: &Knowledge, now: Millis) -> bool {
        (self.sources.is_empty() || self.sources.contains(&item.source.as_str()))
            && (self.domain.is_none() || item.domain.as_deref() == self.domain)
            && item.confidence >= self.min_confidence
            && self
                .max_age_hours
                .is_none_or(|most| hours(item.updated_at, now) <= most)
    }
}

/// A search result.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    pub id: String,
    pub item: Knowledge,
    /// Relevance, above 0; comparable within one search only.
    pub score: f64,
}

/// Returns the items that match best, at most `limit`; ties are sorted by id.
#[must_use]
pub fn search(rows: &[Row], query: &str, filter: &Filter<'_>, limit: usize, now: Millis) -> Vec<SearchHit> {
    let items: Vec<(&Row, Knowledge)> = rows
        .iter()
        .filter(|row| row.kind == RowKind::Knowledge)
        .filter_map(|row| Some((row, row.read::<Knowledge>()?)))
        .filter(|(_, item)| filter.is_match(item, now))
        .collect();
    let texts: Vec<Vec<String>> = items
        .iter()
        .map(|(_, item)| terms(&format!("{} {}", item.title, item.text)))
        .collect();
    let scores = bm25(&texts, &topic_words(query));
    let keys = items.iter().zip(&scores);
    let order = sorted_indices(keys.map(|((row, _), score)| (descending_key(*score), row.id.clone())));
    order
        .into_iter()
        .filter(|at| scores[*at] > 0.0)
        .take(limit)
        .map(|at| SearchHit {
            id: items[at].0.id.clone(),
            item: items[at].1.clone(),
            score: scores[at],
        })
        .collect()
}

/// Scores texts by Okapi BM25, with the usual k₁ = 1.2 and b = 0.75.
fn bm25(texts: &[Vec<String>], query: &[String]) -> Vec<f64> {
    const K: f64 = 1.2;
    const B: f64 = 0.75;
    let count = texts.len() as f64;
    let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / count.max(1.0);
    let mut scores = vec![0.0; texts.len()];
    for word in query {
        let counts: Vec<usize> = texts
            .iter()
            .map(|text| text.iter().filter(|term| *term == word).count())
            .collect();
        let containing = counts.iter().filter(|count| **count > 0).count() as f64;
        let weight = ln(1.0 + (count - containing + 0.5) / (containing + 0.5));
        for ((score, text), frequency) in scores.iter_mut().zip(texts).zip(counts) {
            let frequency = frequency as f64;
            let length = 1.0 - B + B * text.len() as f64 / mean.max(1.0);
            *score += weight * frequency * (K + 1.0) / (frequency + K * length);
        }
    }
    scores
}

/// Counts the items of each level.
#[must_use]
pub fn levels(rows: &[Row]) -> BTreeMap<Level, usize> {
    let mut found = BTreeMap::new();
    for item in super::read_all::<Knowledge>(rows, RowKind::Knowledge) {
        *found.entry(item.level).or_insert(0) += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(title: &str, text: &str, confidence: f64) -> Knowledge {
        Knowledge {
            title: title.to_owned(),
            text: text.to_owned(),
            source: "debate".to_owned(),
            source_id: "d".to_owned(),
            confidence,
            level: Level::of(confidence),
            domain: None,
            created_at: 0,
            updated_at: 0,
            reinforced: 0,
            weakened: 0,
            references: Vec::new(),
            about: Value::Null,
        }
    }

    fn ids(found: &[SearchHit]) -> Vec<&str> {
        found.iter().map(|found| found.id.as_str()).collect()
    }

    #[test]
    fn rare_words_count_and_ties_are_sorted_by_id() {
        let rows = [
            item("Cars", "close the centre to cars", 0.9).row("c"),
            item("Cars", "close the centre to bicycles", 0.9).row("b"),
            item("Cars", "close the centre to cars", 0.9).row("a"),
            item("Cars", "close the centre to cars", 0.4).row("unsure"),
            item("城市", "五年内禁止私家车进入市中心", 0.9).row("zh"),
        ];
        let filter = Filter {
            min_confidence: 0.5,
            ..Filter::default()
        };
        assert_eq!(
            ids(&search(&rows, "bicycles and the centre", &filter, 10, 0)),
            ["b", "a", "c"]
        );
        assert_eq!(
            ids(&search(&rows, "我们应该禁止私家车吗", &filter, 10, 0)),
            ["zh"]
        );
        assert_eq!(ids(&search(&rows, "the", &filter, 1, 0)), ["a"]);
        assert_eq!(search(&rows, "?", &filter, 10, 0), []);
        let young = Filter {
            max_age_hours: Some(1.0),
            ..Filter::default()
        };
        assert_eq!(search(&rows, "cars", &young, 10, 3_600_001), []);
        let documents = Filter {
            sources: &["document"],
            ..Filter::default()
        };
        assert_eq!(search(&rows, "cars", &documents, 10, 0), []);
    }

    #[test]
    fn used_items_are_reinforced_or_weakened() {
        let rows = [
            item("Tea", "Tea is good.", 0.8).row("tea"),
            item("Tea", "Tea.", 0.8).row("other"),
        ];
        let used = ["tea".to_owned()];
        let better: Knowledge = after(&rows, &used, "Tea is good.", true, 5)[0].read().unwrap();
        assert!((better.confidence - 0.82).abs() < 1e-12);
        assert_eq!((better.reinforced, better.updated_at), (1, 5));
        let worse: Knowledge = after(&rows, &used, "Tea is good.", false, 5)[0].read().unwrap();
        assert!((worse.confidence - 0.72).abs() < 1e-12);
        let against: Knowledge = after(&rows, &used, "Tea is not good.", true, 5)[0]
            .read()
            .unwrap();
        assert_eq!(against.weakened, 1);
        assert_eq!(after(&rows, &used, "", true, 5).len(), 1);
    }

    #[test]
    fn items_on_one_topic_are_references() {
        let rows = [
            item("Close the centre to cars?", "Closing it is good.", 0.8).row("same"),
            item("Close the centre to cars?", "Closing it is not good.", 0.8).row("against"),
            item("Tea or coffee?", "Tea.", 0.8).row("tea"),
        ];
        let found = references(
            &rows,
            "Should we close the centre to cars?",
            "Closing it is good.",
        );
        let found: Vec<(&str, Relation)> = found
            .iter()
            .map(|found| (found.id.as_str(), found.relation))
            .collect();
        assert_eq!(
            found,
            [("against", Relation::Contradicts), ("same", Relation::Supports)]
        );
        assert_eq!(levels(&rows).get(&Level::High), Some(&3));
    }

    proptest! {
        #[test]
        fn results_are_sorted(texts in proptest::collection::vec("\\PC{0,20}", 0..10), query in "\\PC{0,20}") {
            let rows: Vec<Row> = (0..).zip(&texts).map(|(n, text)| item("", text, 0.5).row(format!("{n}"))).collect();
            let found = search(&rows, &query, &Filter::default(), 5, 0);
            let mut reversed = rows.clone();
            reversed.reverse();
            prop_assert_eq!(&search(&reversed, &query, &Filter::default(), 5, 0), &found);
            prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        }

        #[test]
        fn confidence_stays_a_share(confidence in any::<f64>(), is_confirmed in proptest::collection::vec(any::<bool>(), 0..50)) {
            let mut one = item("", "", if confidence.is_nan() { 0.5 } else { confidence });
            for is_confirmed in is_confirmed {
                one.weigh(is_confirmed, 0);
                prop_assert!((0.0..=1.0).contains(&one.confidence));
            }
        }
    }
}
