//! Memories: outcomes, transcripts and decisions of debates, and patterns confirmed by several. Each is in
//! one of four tiers and moves when a later debate on the same topic confirms or contradicts it, or with
//! time.

use super::tiers::{HYSTERESIS, Tier, Weights, consolidation, is_glacial, smoothed};
use super::words::{hours, likeness, topic_words};
use super::{Row, RowKind, descending_key, sorted_indices};
use crate::core::ask::Millis;
use crate::procedures::debate::rules::contradiction::is_contradictory;
use serde::{Deserialize, Serialize};

/// Minimum word overlap of two topics that count as the same.
pub const SAME_TOPIC: f64 = 0.5;
/// Confirmations that a pattern needs before it becomes permanent.
pub const CONFIRMATIONS: u32 = 3;
/// Half-lives without an update after which a memory is archived.
const EXPIRY: f64 = 2.0;

/// Maximum number of debates listed by a pattern.
const DEBATES: usize = 50;

/// Content type of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The result in short.
    Outcome,
    /// The course of the debate.
    Transcript,
    /// The decision, with its receipt.
    Decision,
    /// A finding of several debates.
    Pattern,
}

impl Aspect {
    fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Transcript => "transcript",
            Self::Decision => "decision",
            Self::Pattern => "pattern",
        }
    }

    /// The initial tier.
    #[must_use]
    pub fn tier(self) -> Tier {
        match self {
            Self::Outcome => Tier::Medium,
            Self::Transcript => Tier::Fast,
            Self::Decision | Self::Pattern => Tier::Slow,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub tier: Tier,
    pub aspect: Aspect,
    pub topic: String,
    pub text: String,
    pub debates: Vec<String>,
    /// The receipt that proves a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptOf>,
    /// 0 to 1.
    pub importance: f64,
    /// 0 to 1.
    pub surprise: f64,
    /// 0 to 1; see [`consolidation`].
    pub consolidation: f64,
    /// Number of updates by later debates.
    pub updates: u32,
    /// Number of confirmations.
    pub successes: u32,
    /// Number of contradictions.
    pub failures: u32,
    pub created_at: Millis,
    /// Time of the last update.
    pub updated_at: Millis,
    /// Time of the last move to a faster tier.
    #[serde(default)]
    pub promoted_at: Option<Millis>,
    #[serde(default)]
    pub archived_at: Option<Millis>,
    /// Exempt from moves and expiry.
    #[serde(default)]
    pub pinned: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptOf {
    pub id: String,
    pub content_hash: String,
}

impl Memory {
    /// Creates a memory of a debate that ended at `at`.
    #[must_use]
    pub fn new(aspect: Aspect, debate: &str, topic: &str, text: String, at: Millis) -> Self {
        Self {
            tier: aspect.tier(),
            aspect,
            topic: topic.to_owned(),
            text,
            debates: vec![debate.to_owned()],
            receipt: None,
            importance: 0.5,
            surprise: 0.0,
            consolidation: 0.0,
            updates: 0,
            successes: 0,
            failures: 0,
            created_at: at,
            updated_at: at,
            promoted_at: None,
            archived_at: None,
            pinned: false,
        }
    }

    /// Builds the row; `id` is the debate's id, or the topic hash of a pattern.
    #[must_use]
    pub fn row(&self, id: &str) -> Row {
        Row::of(RowKind::Memory, format!("{}/{id}", self.aspect.name()), self)
    }

    /// Returns the search weight, 0 or more.
    #[must_use]
    pub fn score(&self, now: Millis) -> f64 {
        let days = hours(self.updated_at, now) / 24.0;
        self.importance * (1.0 + self.surprise) / (1.0 + days * self.tier.figures().slope)
    }

    /// Records a confirmation (`success`) or contradiction by a later debate. `error`: mean error of its
    /// voters, 0 to 1.
    pub fn update(&mut self, success: bool, error: Option<f64>, now: Millis) {
        let tries = self.successes.saturating_add(self.failures);
        let expected = if tries == 0 {
            0.5
        } else {
            f64::from(self.successes) / f64::from(tries)
        };
        let rate = self.tier.learning_rate(self.updates);
        self.surprise = smoothed(
            self.surprise,
            Weights::default().surprise(expected, success, error),
        );
        self.importance += rate * (f64::from(u8::from(success)) - self.importance);
        self.updates = self.updates.saturating_add(1);
        match success {
            true => self.successes = self.successes.saturating_add(1),
            false => self.failures = self.failures.saturating_add(1),
        }
        self.consolidation = consolidation(self.updates);
        self.updated_at = self.updated_at.max(now);
        self.archived_at = None;
    }

    /// Returns the tier to move to, if a move is due.
    #[must_use]
    pub fn next_tier(&self, now: Millis) -> Option<Tier> {
        let confirmed = self.successes.saturating_sub(self.failures);
        if self.pinned || self.archived_at.is_some() {
            return None;
        }
        if self.aspect == Aspect::Pattern && confirmed >= CONFIRMATIONS && self.tier != Tier::Glacial {
            return Some(Tier::Glacial);
        }
        let since = self.promoted_at.map(|at| hours(at, now));
        // A confirmed pattern is no longer surprising and stays in the tier where it lasts.
        let is_settled = self.aspect == Aspect::Pattern && confirmed >= CONFIRMATIONS;
        if !is_settled && self.tier.promotes(self.surprise, since, HYSTERESIS) {
            return self.tier.faster();
        }
        if self.tier == Tier::Slow && is_glacial(self.consolidation, self.surprise, self.updates) {
            return Some(Tier::Glacial);
        }
        let demotes = self.tier.demotes(self.surprise, self.updates, HYSTERESIS);
        demotes.then(|| self.tier.slower()).flatten()
    }

    fn is_expired(&self, now: Millis) -> bool {
        let limit = EXPIRY * self.tier.figures().half_life;
        !self.pinned && self.archived_at.is_none() && hours(self.updated_at, now) > limit
    }

    pub(super) fn is_about(&self, question: &[String]) -> bool {
        likeness(&topic_words(&self.topic), question) >= SAME_TOPIC
    }
}

/// A debate's evidence about earlier memories.
#[derive(Debug, Clone, Copy)]
pub struct Lesson<'a> {
    pub debate: &'a str,
    pub question: &'a str,
    pub answer: &'a str,
    pub reached: bool,
    /// Mean error of its voters, 0 to 1.
    pub error: Option<f64>,
    /// Ids of the rows given to the debate; the id of a past debate stands for all its memories.
    pub used: &'a [String],
}

/// Returns the rows changed by a debate: memories on its topic or used by it are confirmed or contradicted;
/// any memory may move or be archived.
#[must_use]
pub fn after(rows: &[Row], lesson: &Lesson<'_>, now: Millis) -> Vec<Row> {
    let question = topic_words(lesson.question);
    let mut memories: Vec<(&Row, Memory, Memory)> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == RowKind::Memory) {
        let Some(before) = row.read::<Memory>() else {
            continue;
        };
        let mut memory = before.clone();
        let is_used = |id: &String| lesson.used.contains(id);
        if is_used(&row.id) || memory.debates.iter().any(is_used) || memory.is_about(&question) {
            let success = lesson.reached && !is_contradictory(&memory.text, lesson.answer);
            memory.update(success, lesson.error, now);
            if success && memory.aspect == Aspect::Pattern && memory.debates.len() < DEBATES {
                memory.debates.push(lesson.debate.to_owned());
            }
        }
        memories.push((row, before, memory));
    }
    for (_, _, memory) in &mut memories {
        if let Some(tier) = memory.next_tier(now) {
            if tier < memory.tier {
                memory.promoted_at = Some(now);
            }
            memory.tier = tier;
        } else if memory.is_expired(now) {
            memory.archived_at = Some(now);
        }
    }
    for tier in Tier::ALL {
        archive_excess(&mut memories, tier, now);
    }
    memories
        .into_iter()
        .filter(|(_, before, memory)| before != memory)
        .map(|(row, _, memory)| Row::of(RowKind::Memory, row.id.clone(), &memory))
        .collect()
}

/// Archives the lowest-scoring memories of a tier that is over its limit.
fn archive_excess(memories: &mut [(&Row, Memory, Memory)], tier: Tier, now: Millis) {
    let most = tier.figures().most;
    let active: Vec<usize> = (0..memories.len())
        .filter(|at| {
            let (_, _, memory) = &memories[*at];
            memory.tier == tier && memory.archived_at.is_none() && !memory.pinned
        })
        .collect();
    if active.len() <= most {
        return;
    }
    let keys = active.iter().map(|at| {
        let (row, _, memory) = &memories[*at];
        (descending_key(memory.score(now)), row.id.clone())
    });
    let order = sorted_indices(keys);
    for at in order.into_iter().skip(most) {
        memories[active[at]].2.archived_at = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiers::HOUR;
    use super::*;
    use proptest::prelude::*;

    const NOW: Millis = 1_000_000 * HOUR;

    fn memory(aspect: Aspect, at: Millis) -> Memory {
        Memory::new(aspect, "d", "Tea or coffee?", "Tea is best.".to_owned(), at)
    }

    fn lesson(reached: bool) -> Lesson<'static> {
        Lesson {
            debate: "e",
            question: "Coffee or tea?",
            answer: "Tea is best.",
            reached,
            error: None,
            used: &[],
        }
    }

    #[test]
    fn debates_confirm_memories_on_their_topic() {
        let rows = [memory(Aspect::Decision, NOW - HOUR).row("d")];
        let changed = after(&rows, &lesson(true), NOW);
        let found: Memory = changed[0].read().unwrap();
        assert_eq!((found.updates, found.successes, found.updated_at), (1, 1, NOW));
        assert!((found.surprise - 0.15).abs() < 1e-12);
        let lost: Memory = after(&rows, &lesson(false), NOW)[0].read().unwrap();
        assert_eq!((lost.successes, lost.failures), (0, 1));
        assert!(lost.importance < found.importance);
        let other = Lesson {
            question: "Which bicycle?",
            ..lesson(true)
        };
        assert_eq!(after(&rows, &other, NOW), []);
        let used = ["decision/d".to_owned()];
        let other = Lesson { used: &used, ..other };
        assert_eq!(after(&rows, &other, NOW).len(), 1);
    }

    #[test]
    fn memories_expire_and_updates_restore_them() {
        let old = [memory(Aspect::Transcript, NOW - 3 * HOUR).row("d")];
        let other = Lesson {
            question: "Which bicycle?",
            ..lesson(true)
        };
        let aside = after(&old, &other, NOW);
        assert_eq!(aside[0].read::<Memory>().unwrap().archived_at, Some(NOW));
        assert_eq!(after(&aside, &other, NOW + HOUR), []);
        let back: Memory = after(&aside, &lesson(true), NOW + HOUR)[0].read().unwrap();
        assert_eq!(back.archived_at, None);
        let mut pinned = memory(Aspect::Transcript, 0);
        pinned.pinned = true;
        assert_eq!(after(&[pinned.row("d")], &other, NOW), []);
    }

    #[test]
    fn three_confirmations_make_a_pattern_last() {
        let mut pattern = memory(Aspect::Pattern, NOW);
        for _ in 0..2 {
            pattern.update(true, None, NOW);
            assert_eq!(pattern.next_tier(NOW), None);
        }
        pattern.update(true, None, NOW);
        assert_eq!(pattern.next_tier(NOW), Some(Tier::Glacial));
    }

    #[test]
    fn surprise_promotes_once_a_day() {
        let mut found = memory(Aspect::Decision, NOW);
        found.surprise = 0.9;
        let rows = [found.row("d")];
        let other = Lesson {
            question: "Which bicycle?",
            ..lesson(true)
        };
        let changed = after(&rows, &other, NOW);
        let moved: Memory = changed[0].read().unwrap();
        assert_eq!((moved.tier, moved.promoted_at), (Tier::Medium, Some(NOW)));
        assert_eq!(after(&changed, &other, NOW + HOUR), []);
        let next: Memory = after(&changed, &other, NOW + 24 * HOUR)[0].read().unwrap();
        assert_eq!(next.tier, Tier::Fast);
    }

    #[test]
    fn full_tiers_archive_the_lowest_scores() {
        let rows: Vec<Row> = (0..1_002)
            .map(|n| {
                let mut one = memory(Aspect::Transcript, NOW);
                one.topic = "bicycles".to_owned();
                one.importance = if n < 2 { 0.1 } else { 0.5 };
                one.row(&n.to_string())
            })
            .collect();
        let changed = after(&rows, &lesson(true), NOW);
        let ids: Vec<&str> = changed.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["transcript/0", "transcript/1"]);
    }

    proptest! {
        #[test]
        fn changed_rows_are_readable(updates in any::<u32>(), surprise in 0.0..=1.0f64, at in any::<u64>(), now in any::<u64>(), reached in any::<bool>()) {
            let mut found = memory(Aspect::Outcome, at);
            found.updates = updates;
            found.successes = updates;
            found.surprise = surprise;
            for row in after(&[found.row("d")], &lesson(reached), now) {
                let read: Memory = row.read().unwrap();
                prop_assert!((0.0..=1.0).contains(&read.surprise) && (0.0..=1.0).contains(&read.importance));
            }
        }
    }
}
