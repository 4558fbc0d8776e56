//! Turns the record of a finished debate into rows to be written in one transaction. A debate is settled
//! once; a second settlement returns `None`.
//!
//! The rows: a match for the ratings; outcome, transcript and decision as memories of the medium, fast and
//! slow tier; a pattern, which may become glacial, if several debates agree; the consensus; the summary; the
//! conclusion as knowledge if its confidence is high enough; and the receipt, which the caller signs.
//!
//! Source: A22, A23, A25 of the debate's design.

use super::consensus::{Agreement, Consensus, shorten, topic_hash};
use super::debates::{Past, relevant};
use super::finished_debate::{FinishedDebate, evidence, transcript, used};
use super::knowledge::{self, Knowledge, LEAST, Level};
use super::ratings::Match;
use super::recall::{self, Aspect, Lesson, Memory, ReceiptOf, SAME_TOPIC};
use super::receipt;
use super::surprise::Surprises;
use super::words::{cut, likeness, topic_words};
use super::{Row, RowKind, sorted_indices, text};
use crate::core::ask::Millis;
use crate::core::record::Entry;
use crate::procedures::canonical::{canonical_json, sha256_hex};
use crate::procedures::debate::rules::contradiction::is_contradictory;
use crate::procedures::debate::rules::similarity::lexical;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::rc::Rc;

/// Maximum characters of a stored transcript; the record has all of it.
const TRANSCRIPT: usize = 4_000;
/// Number of past conclusions in the surprise history.
const HISTORY: usize = 20;

/// Rows stored before.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoredRows<'a> {
    /// All rows of the kinds `memory`, `knowledge` and `debate`, and the `journal` row of this debate if
    /// there is one. Other rows are ignored.
    pub rows: &'a [Row],
    /// The receipt before the new one; see [`receipt::last`].
    pub last_receipt: Option<&'a Value>,
}

/// Result of writing the rows of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettlementStatus {
    Success,
    /// Nothing to write.
    Skipped,
    /// Not written because the transaction failed.
    RolledBack,
}

/// Result for one kind of row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub store: RowKind,
    pub status: SettlementStatus,
    /// Reason for skipping: `no_scores`, `no_consensus` or `not_sure_enough`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub rows: usize,
}

/// Result of a settlement, assuming the transaction completes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementReport {
    pub debate: String,
    /// By kind, in order of creation.
    pub parts: Vec<Part>,
}

impl SettlementReport {
    /// Returns the report for a failed transaction.
    #[must_use]
    pub fn rolled_back(mut self) -> Self {
        for part in &mut self.parts {
            if part.status == SettlementStatus::Success {
                part.status = SettlementStatus::RolledBack;
            }
        }
        self
    }
}

/// The rows and receipt of a settled debate.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    pub debate: String,
    pub at: Millis,
    /// All rows except the receipt and the journal.
    pub rows: Vec<Row>,
    /// The unsigned receipt.
    pub receipt: Value,
    pub report: SettlementReport,
}

impl Settlement {
    /// Builds the row of a receipt, signed or not.
    #[must_use]
    pub fn receipt_row(receipt: Value) -> Row {
        Row {
            kind: RowKind::Receipt,
            id: text(&receipt, "receipt_id").to_owned(),
            value: receipt,
        }
    }

    /// Builds the proof of settlement over all `rows` (the receipt's included): their keys, and a hash over
    /// them in key order.
    #[must_use]
    pub fn journal(&self, rows: &[Row]) -> Row {
        let order = sorted_indices(rows.iter().map(|row| (0, row.key())));
        let sorted: Vec<&Row> = order.into_iter().filter_map(|at| rows.get(at)).collect();
        let keys: Vec<Value> = sorted
            .iter()
            .map(|row| json!([row.kind.name(), row.id]))
            .collect();
        let all = serde_json::to_value(&sorted).unwrap_or_default();
        let value = json!({
            "debate": self.debate,
            "settled_at": self.at,
            "rows": keys,
            "digest": sha256_hex(canonical_json(&all).as_bytes()),
            "report": self.report.parts,
        });
        Row {
            kind: RowKind::Journal,
            id: self.debate.clone(),
            value,
        }
    }
}

/// Settles a debate. Returns `None` if the record is not that of a finished debate with a proposal, or if
/// the debate was settled before. `at`: time of the settlement.
#[must_use]
pub fn settle(record: &[Rc<Entry>], known: &StoredRows<'_>, at: Millis) -> Option<Settlement> {
    let debate = FinishedDebate::read(record)?;
    let was_settled =
        |row: &Row| matches!(row.kind, RowKind::Journal | RowKind::Debate) && row.id == debate.id();
    if known.rows.iter().any(was_settled) {
        return None;
    }
    let receipt = receipt::build_input(&debate, record, known.last_receipt, at).issue();
    let pasts: Vec<Past> = super::read_all(known.rows, RowKind::Debate);
    let used = used(record);
    let mut rows = Vec::new();
    let mut report = SettlementReport {
        debate: debate.id().to_owned(),
        parts: Vec::new(),
    };
    let mut add_rows = |store: RowKind, made: Result<Vec<Row>, &str>| {
        let reason = made.as_ref().err().map(|reason| (*reason).to_owned());
        let made = made.unwrap_or_default();
        report.parts.push(Part {
            store,
            status: match reason {
                None => SettlementStatus::Success,
                Some(_) => SettlementStatus::Skipped,
            },
            reason,
            rows: made.len(),
        });
        rows.extend(made);
    };
    let game = Match::from_debate(&debate);
    add_rows(
        RowKind::Match,
        if game.has_results() {
            Ok(vec![game.row()])
        } else {
            Err("no_scores")
        },
    );
    let lesson = Lesson {
        debate: debate.id(),
        question: &debate.outcome.question,
        answer: &debate.answer,
        reached: debate.outcome.consensus_reached,
        error: debate.error(),
        used: &used,
    };
    let mut memories = build_memories(&debate, record, &pasts, &receipt, at);
    memories.extend(recall::after(known.rows, &lesson, at));
    memories.extend(build_pattern(&debate, known.rows, &pasts));
    add_rows(RowKind::Memory, Ok(memories));
    add_rows(RowKind::Consensus, Ok(vec![build_consensus(&debate)]));
    add_rows(RowKind::Debate, Ok(vec![build_summary(&debate, record).row()]));
    let mut items = knowledge::after(
        known.rows,
        &used,
        &debate.answer,
        debate.outcome.consensus_reached,
        at,
    );
    let conclusion = build_conclusion(&debate, record, known.rows);
    // Reinforced or weakened items are written even without a new conclusion.
    let made = match conclusion {
        Ok(row) => {
            items.push(row);
            Ok(items)
        }
        Err(reason) if items.is_empty() => Err(reason),
        Err(_) => Ok(items),
    };
    add_rows(RowKind::Knowledge, made);
    report.parts.push(Part {
        store: RowKind::Receipt,
        status: SettlementStatus::Success,
        reason: None,
        rows: 1,
    });
    Some(Settlement {
        debate: debate.id().to_owned(),
        at,
        rows,
        receipt,
        report,
    })
}

fn build_memories(
    debate: &FinishedDebate<'_>,
    record: &[Rc<Entry>],
    pasts: &[Past],
    receipt: &Value,
    now: Millis,
) -> Vec<Row> {
    let status = &debate.outcome.status;
    let surprise = score_surprise(debate, pasts, now);
    let make = |aspect: Aspect, text: String| {
        let mut memory = Memory::new(aspect, debate.id(), &debate.outcome.question, text, debate.at);
        memory.importance = debate.outcome.confidence;
        memory.surprise = surprise;
        memory
    };
    let mut insights = debate.insights();
    insights.insert(0, format!("{status}: {}", cut(&debate.answer, 500)));
    let mut decision = make(Aspect::Decision, shorten(&debate.answer));
    decision.receipt = Some(ReceiptOf {
        id: text(receipt, "receipt_id").to_owned(),
        content_hash: text(receipt, "content_hash").to_owned(),
    });
    [
        make(Aspect::Outcome, insights.join("\n")),
        make(Aspect::Transcript, transcript(record, TRANSCRIPT)),
        decision,
    ]
    .iter()
    .map(|memory| memory.row(debate.id()))
    .collect()
}

/// Scores the surprise of the answer against recent debates and those on its topic.
fn score_surprise(debate: &FinishedDebate<'_>, pasts: &[Past], now: Millis) -> f64 {
    let order = sorted_indices(pasts.iter().map(|past| (past.ended_at, past.debate.clone())));
    let recent: Vec<&Past> = order
        .iter()
        .skip(order.len().saturating_sub(HISTORY))
        .map(|at| &pasts[*at])
        .collect();
    let mut history = Surprises::default();
    for (at, past) in recent.iter().enumerate() {
        let words = topic_words(&past.question);
        let before: Vec<&str> = recent[..at]
            .iter()
            .filter(|other| likeness(&topic_words(&other.question), &words) >= SAME_TOPIC)
            .map(|other| other.answer.as_str())
            .collect();
        history.score(&past.answer, &before, past.confidence);
    }
    let related = relevant(pasts, &debate.outcome.question, None, now);
    let before: Vec<&str> = related.iter().map(|past| past.answer.as_str()).collect();
    history
        .score(&shorten(&debate.answer), &before, debate.outcome.confidence)
        .combined
}

/// Starts a pattern if an earlier debate on the topic reached the same answer.
fn build_pattern(debate: &FinishedDebate<'_>, rows: &[Row], pasts: &[Past]) -> Option<Row> {
    let words = topic_words(&debate.outcome.question);
    let is_pattern = |row: &Row| {
        let memory: Option<Memory> = row.read();
        memory.is_some_and(|memory| memory.aspect == Aspect::Pattern && memory.is_about(&words))
    };
    if !debate.outcome.consensus_reached
        || rows
            .iter()
            .any(|row| row.kind == RowKind::Memory && is_pattern(row))
    {
        return None;
    }
    let answer = shorten(&debate.answer);
    let agrees = |past: &&Past| {
        past.consensus
            && likeness(&topic_words(&past.question), &words) >= SAME_TOPIC
            && lexical(&past.answer, &answer).value >= SAME_TOPIC
            && !is_contradictory(&past.answer, &answer)
    };
    let before: Vec<&Past> = pasts.iter().filter(agrees).collect();
    if before.is_empty() {
        return None;
    }
    let mut memory = Memory::new(
        Aspect::Pattern,
        debate.id(),
        &debate.outcome.question,
        answer,
        debate.at,
    );
    memory.debates = before.iter().map(|past| past.debate.clone()).collect();
    memory.debates.sort();
    memory.debates.push(debate.id().to_owned());
    memory.successes = u32::try_from(memory.debates.len()).unwrap_or(u32::MAX);
    memory.importance = debate.outcome.confidence;
    Some(memory.row(&topic_hash(&words.join(" "))))
}

fn build_consensus(debate: &FinishedDebate<'_>) -> Row {
    let entry = Consensus {
        debate: debate.id().to_owned(),
        topic: debate.outcome.question.clone(),
        topic_hash: topic_hash(&debate.outcome.question),
        conclusion: shorten(&debate.answer),
        reached: debate.outcome.consensus_reached,
        strength: if debate.outcome.consensus_reached {
            Agreement::of(debate.outcome.confidence)
        } else {
            Agreement::Split
        },
        confidence: debate.outcome.confidence,
        participants: debate.outcome.participants.clone(),
        agreeing: debate.agreeing(),
        dissents: debate.dissents(),
        domain: debate.domain(),
        rounds: u64::from(debate.outcome.rounds_used),
        ended_at: debate.at,
    };
    Row::of(RowKind::Consensus, debate.id(), &entry)
}

fn build_summary(debate: &FinishedDebate<'_>, record: &[Rc<Entry>]) -> Past {
    Past {
        debate: debate.id().to_owned(),
        question: debate.outcome.question.clone(),
        domain: debate.domain(),
        ended_at: debate.at,
        participants: debate.outcome.participants.clone(),
        consensus: debate.outcome.consensus_reached,
        status: debate.outcome.status.clone(),
        confidence: debate.outcome.confidence,
        answer: shorten(&debate.answer),
        insights: debate.insights(),
        context: transcript(record, 2_000),
    }
}

/// Builds the conclusion as knowledge, or returns the reason for skipping it.
fn build_conclusion(
    debate: &FinishedDebate<'_>,
    record: &[Rc<Entry>],
    rows: &[Row],
) -> Result<Row, &'static str> {
    if !debate.outcome.consensus_reached {
        return Err("no_consensus");
    }
    if debate.outcome.confidence < LEAST {
        return Err("not_sure_enough");
    }
    let cruxes = debate.outcome.disagreement.unanimous.iter().take(5);
    let answer = shorten(&debate.answer);
    let item = Knowledge {
        title: cut(&debate.outcome.question, 500),
        references: knowledge::references(rows, &debate.outcome.question, &answer),
        text: answer,
        source: "debate".to_owned(),
        source_id: debate.id().to_owned(),
        confidence: debate.outcome.confidence,
        level: Level::of(debate.outcome.confidence),
        domain: debate.domain(),
        created_at: debate.at,
        updated_at: debate.at,
        reinforced: 0,
        weakened: 0,
        about: json!({
            "rounds": debate.outcome.rounds_used,
            "participants": debate.outcome.participants.iter().take(10).collect::<Vec<_>>(),
            "winner": debate.outcome.winner,
            "decided_by": debate.outcome.decided_by,
            "votes": debate.votes(),
            "evidence": evidence(debate, record),
            "proposals": debate.outcome.proposals.len(),
            "cruxes": cruxes.collect::<Vec<_>>(),
        }),
    };
    Ok(item.row(format!("conclusion/{}", debate.id())))
}
