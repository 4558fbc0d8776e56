//! Summaries of past debates for later ones on a similar topic: one entry per debate, in tiers by age.
//!
//! Source: A24 of the debate's design.

use super::words::{cut, hours, on_topic, tokens, topic_words};
use super::{Row, RowKind, descending_key, sorted_indices};
use crate::core::ask::Millis;
use crate::language::format::timestamp;
use serde::{Deserialize, Serialize};

/// Maximum number of entries that [`relevant`] returns.
pub const BEST: usize = 10;
/// Token budget for all entries together.
pub const BUDGET: usize = 2_000;

/// Age class of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Age {
    /// Less than a day.
    Hot,
    /// Less than a week.
    Warm,
    /// Less than 30 days.
    Cold,
    /// More; never retrieved.
    Archive,
}

impl Age {
    /// Newest first.
    pub const ALL: [Self; 4] = [Self::Hot, Self::Warm, Self::Cold, Self::Archive];

    /// Classifies an age in hours.
    #[must_use]
    pub fn of(hours: f64) -> Self {
        match hours {
            hours if hours < 24.0 => Self::Hot,
            hours if hours < 168.0 => Self::Warm,
            hours if hours < 720.0 => Self::Cold,
            _ => Self::Archive,
        }
    }

    /// Token budget for all entries of this age.
    #[must_use]
    pub fn budget(self) -> usize {
        match self {
            Self::Hot => 5_000,
            Self::Warm => 2_000,
            Self::Cold => 500,
            Self::Archive => 200,
        }
    }

    /// Maximum number of entries of this age that are considered, newest first.
    #[must_use]
    pub fn most(self) -> usize {
        match self {
            Self::Hot => 50,
            Self::Warm => 200,
            Self::Cold => 500,
            Self::Archive => 250,
        }
    }
}

/// The summary of a past debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Past {
    pub debate: String,
    pub question: String,
    /// The subject area, if the configuration names one.
    #[serde(default)]
    pub domain: Option<String>,
    pub ended_at: Millis,
    pub participants: Vec<String>,
    pub consensus: bool,
    /// The status in the debate's result.
    pub status: String,
    /// 0 to 1.
    pub confidence: f64,
    /// At most 2000 characters.
    pub answer: String,
    /// At most five.
    pub insights: Vec<String>,
    /// Excerpt of the transcript, at most 2000 characters.
    pub context: String,
}

impl Past {
    #[must_use]
    pub fn row(&self) -> Row {
        Row::of(RowKind::Debate, self.debate.clone(), self)
    }

    #[must_use]
    pub fn age(&self, now: Millis) -> Age {
        Age::of(hours(self.ended_at, now))
    }

    /// Formats the entry for a later debate: date, status, confidence, three insights and the answer.
    #[must_use]
    pub fn text(&self) -> String {
        let day = timestamp(self.ended_at);
        let day = day.split('T').next().unwrap_or_default();
        let sure = (self.confidence.clamp(0.0, 1.0) * 100.0).round() as u32;
        let mut text = format!("{day} · {} · {sure} %", self.status);
        for insight in self.insights.iter().take(3) {
            text.push_str("\n- ");
            text.push_str(insight);
        }
        text.push('\n');
        text.push_str(&cut(&self.answer, 500));
        text
    }
}

/// Returns the past debates that share words with a question (see `on_topic`), most similar first, newest
/// first among equals. Returns at most [`BEST`], none from the archive. With a `domain`, only debates of
/// that domain.
#[must_use]
pub fn relevant(pasts: &[Past], question: &str, domain: Option<&str>, now: Millis) -> Vec<Past> {
    let question = topic_words(question);
    let newest = sorted_indices(
        pasts
            .iter()
            .map(|past| (u64::MAX - past.ended_at, past.debate.clone())),
    );
    let mut seen = [0; Age::ALL.len()];
    let mut found: Vec<(&Past, usize)> = Vec::new();
    for past in newest.into_iter().map(|at| &pasts[at]) {
        let age = past.age(now);
        seen[age as usize] += 1;
        let is_recent = age != Age::Archive && seen[age as usize] <= age.most();
        let is_in_domain = domain.is_none() || past.domain.as_deref() == domain;
        if is_recent && is_in_domain {
            let shared = on_topic(&question, &topic_words(&past.question));
            found.push((past, shared));
        }
    }
    found.retain(|(_, shared)| *shared > 0);
    // Sorted newest first, so the index breaks ties.
    let places = found
        .iter()
        .enumerate()
        .map(|(at, (_, shared))| (descending_key(*shared as f64), format!("{at:09}")));
    let order = sorted_indices(places);
    order
        .into_iter()
        .take(BEST)
        .map(|at| found[at].0.clone())
        .collect()
}

/// Keeps the entries that fit both the total budget and that of their age, in order; entries that do not fit
/// are skipped.
#[must_use]
pub fn within_budget(pasts: Vec<Past>, budget: usize, now: Millis) -> Vec<Past> {
    let (mut all, mut by_age) = (0, [0; Age::ALL.len()]);
    let has_room = |past: &Past| {
        let age = past.age(now);
        let cost = tokens(&past.question) + tokens(&past.text());
        let own = &mut by_age[age as usize];
        if all + cost > budget || *own + cost > age.budget() {
            return false;
        }
        all += cost;
        *own += cost;
        true
    };
    let mut pasts = pasts;
    pasts.retain(has_room);
    pasts
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tiers::HOUR;
    use super::*;

    const NOW: Millis = 1_000_000 * HOUR;

    pub(in super::super) fn past(debate: &str, question: &str, hours: u64) -> Past {
        Past {
            debate: debate.to_owned(),
            question: question.to_owned(),
            domain: None,
            ended_at: NOW - hours * HOUR,
            participants: vec!["Ann".to_owned()],
            consensus: true,
            status: "consensus_reached".to_owned(),
            confidence: 0.82,
            answer: "Tea.".to_owned(),
            insights: ["one", "two", "three", "four"].map(str::to_owned).to_vec(),
            context: String::new(),
        }
    }

    #[test]
    fn sorts_by_similarity_then_age() {
        let pasts = [
            past("a", "Coffee or milk?", 2),
            past("b", "Which tea and which coffee?", 100),
            past("c", "Should we drink tea?", 1),
            past("d", "Should we go?", 1),
            past("e", "Tea and coffee", 800),
        ];
        let ids = |question, domain| -> Vec<String> {
            let found = relevant(&pasts, question, domain, NOW);
            found.into_iter().map(|past| past.debate).collect()
        };
        assert_eq!(ids("Should we have tea or coffee?", None), ["b", "c", "a"]);
        assert_eq!(ids("tea", Some("kitchen")), Vec::<String>::new());
    }

    #[test]
    fn formats_an_entry() {
        assert_eq!(
            past("a", "Tea?", 0).text(),
            "2084-01-29 · consensus_reached · 82 %\n- one\n- two\n- three\nTea."
        );
    }

    #[test]
    fn respects_budgets() {
        let many: Vec<Past> = (0..40)
            .map(|n| {
                let mut one = past(&n.to_string(), "Tea?", 200);
                one.answer = "x".repeat(300);
                one
            })
            .collect();
        let within = within_budget(many.clone(), BUDGET, NOW);
        let cost: usize = within
            .iter()
            .map(|past| tokens(&past.question) + tokens(&past.text()))
            .sum();
        assert!(cost <= Age::Cold.budget() && cost > 400, "{cost}");
        assert_eq!(within_budget(many, 10, NOW), []);
    }
}
