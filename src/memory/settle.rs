//! Turns the record of a finished debate into rows to be written in one transaction. A debate is settled
//! once; a second settlement returns `None`.
//!
//! The rows: a match for the ratings; outcome, transcript and decision as memories of the medium, fast and
//! slow tier; a pattern, which may become glacial, if several debates agree; the consensus; the summary; the
//! conclusion as knowledge if its confidence is high enough; and the receipt, which the caller signs.
//!
//! Source: A22, A23, A25 of the debate's design.

use super::consensus::{Agreement, Consensus, kept, topic_hash};
use super::debates::{Past, relevant};
use super::finished_debate::{FinishedDebate, evidence, list, strings, text, transcript, used};
use super::knowledge::{self, Knowledge, LEAST, Level};
use super::ratings::Match;
use super::recall::{self, Aspect, Lesson, Memory, ReceiptOf, SAME_TOPIC};
use super::receipt;
use super::surprise::Surprises;
use super::words::{cut, likeness, topic};
use super::{Row, RowKind, ordered};
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
const LATELY: usize = 20;

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
        let order = ordered(rows.iter().map(|row| (0, row.key())));
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
    let told = FinishedDebate::read(record)?;
    let was_settled =
        |row: &Row| matches!(row.kind, RowKind::Journal | RowKind::Debate) && row.id == told.id();
    if known.rows.iter().any(was_settled) {
        return None;
    }
    let receipt = receipt::facts_of(&told, record, known.last_receipt, at).issue();
    let pasts: Vec<Past> = super::read_all(known.rows, RowKind::Debate);
    let used = used(record);
    let mut rows = Vec::new();
    let mut report = SettlementReport {
        debate: told.id().to_owned(),
        parts: Vec::new(),
    };
    let mut add = |store: RowKind, made: Result<Vec<Row>, &str>| {
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
    let game = Match::told(&told);
    add(
        RowKind::Match,
        if game.counts() {
            Ok(vec![game.row()])
        } else {
            Err("no_scores")
        },
    );
    let lesson = Lesson {
        debate: told.id(),
        question: &told.question,
        answer: &told.answer,
        reached: told.reached,
        error: told.error(),
        used: &used,
    };
    let mut memories = new_memories(&told, record, &pasts, &receipt, at);
    memories.extend(recall::after(known.rows, &lesson, at));
    memories.extend(pattern(&told, known.rows, &pasts));
    add(RowKind::Memory, Ok(memories));
    add(RowKind::Consensus, Ok(vec![consensus(&told)]));
    add(RowKind::Debate, Ok(vec![past(&told, record).row()]));
    let mut items = knowledge::after(known.rows, &used, &told.answer, told.reached, at);
    let conclusion = conclusion(&told, record, known.rows);
    // Reinforced or weakened items are written even without a new conclusion.
    let made = match conclusion {
        Ok(row) => {
            items.push(row);
            Ok(items)
        }
        Err(reason) if items.is_empty() => Err(reason),
        Err(_) => Ok(items),
    };
    add(RowKind::Knowledge, made);
    report.parts.push(Part {
        store: RowKind::Receipt,
        status: SettlementStatus::Success,
        reason: None,
        rows: 1,
    });
    Some(Settlement {
        debate: told.id().to_owned(),
        at,
        rows,
        receipt,
        report,
    })
}

fn new_memories(
    told: &FinishedDebate<'_>,
    record: &[Rc<Entry>],
    pasts: &[Past],
    receipt: &Value,
    now: Millis,
) -> Vec<Row> {
    let status = text(told.result, "status");
    let surprise = surprise(told, pasts, now);
    let make = |aspect: Aspect, text: String| {
        let mut memory = Memory::new(aspect, told.id(), &told.question, text, told.at);
        memory.importance = told.confidence;
        memory.surprise = surprise;
        memory
    };
    let mut insights = told.insights();
    insights.insert(0, format!("{status}: {}", cut(&told.answer, 500)));
    let mut decision = make(Aspect::Decision, kept(&told.answer));
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
    .map(|memory| memory.row(told.id()))
    .collect()
}

/// Scores the surprise of the answer against recent debates and those on its topic.
fn surprise(told: &FinishedDebate<'_>, pasts: &[Past], now: Millis) -> f64 {
    let order = ordered(pasts.iter().map(|past| (past.ended_at, past.debate.clone())));
    let recent: Vec<&Past> = order
        .iter()
        .skip(order.len().saturating_sub(LATELY))
        .map(|at| &pasts[*at])
        .collect();
    let mut lately = Surprises::default();
    for (at, past) in recent.iter().enumerate() {
        let words = topic(&past.question);
        let before: Vec<&str> = recent[..at]
            .iter()
            .filter(|other| likeness(&topic(&other.question), &words) >= SAME_TOPIC)
            .map(|other| other.answer.as_str())
            .collect();
        lately.score(&past.answer, &before, past.confidence);
    }
    let related = relevant(pasts, &told.question, None, now);
    let before: Vec<&str> = related.iter().map(|past| past.answer.as_str()).collect();
    lately
        .score(&kept(&told.answer), &before, told.confidence)
        .combined
}

/// Starts a pattern if an earlier debate on the topic reached the same answer.
fn pattern(told: &FinishedDebate<'_>, rows: &[Row], pasts: &[Past]) -> Option<Row> {
    let words = topic(&told.question);
    let is_pattern = |row: &Row| {
        let memory: Option<Memory> = row.read();
        memory.is_some_and(|memory| memory.aspect == Aspect::Pattern && memory.is_about(&words))
    };
    if !told.reached
        || rows
            .iter()
            .any(|row| row.kind == RowKind::Memory && is_pattern(row))
    {
        return None;
    }
    let answer = kept(&told.answer);
    let agrees = |past: &&Past| {
        past.consensus
            && likeness(&topic(&past.question), &words) >= SAME_TOPIC
            && lexical(&past.answer, &answer).value >= SAME_TOPIC
            && !is_contradictory(&past.answer, &answer)
    };
    let before: Vec<&Past> = pasts.iter().filter(agrees).collect();
    if before.is_empty() {
        return None;
    }
    let mut memory = Memory::new(Aspect::Pattern, told.id(), &told.question, answer, told.at);
    memory.debates = before.iter().map(|past| past.debate.clone()).collect();
    memory.debates.sort();
    memory.debates.push(told.id().to_owned());
    memory.successes = u32::try_from(memory.debates.len()).unwrap_or(u32::MAX);
    memory.importance = told.confidence;
    Some(memory.row(&topic_hash(&words.join(" "))))
}

fn consensus(told: &FinishedDebate<'_>) -> Row {
    let entry = Consensus {
        debate: told.id().to_owned(),
        topic: told.question.clone(),
        topic_hash: topic_hash(&told.question),
        conclusion: kept(&told.answer),
        reached: told.reached,
        strength: if told.reached {
            Agreement::of(told.confidence)
        } else {
            Agreement::Split
        },
        confidence: told.confidence,
        participants: told.participants.clone(),
        agreeing: told.agreeing(),
        dissents: told.dissents(),
        domain: told.domain(),
        rounds: rounds(told),
        ended_at: told.at,
    };
    Row::of(RowKind::Consensus, told.id(), &entry)
}

fn rounds(told: &FinishedDebate<'_>) -> u64 {
    told.result
        .get("rounds_used")
        .and_then(Value::as_u64)
        .unwrap_or(0)
}

fn past(told: &FinishedDebate<'_>, record: &[Rc<Entry>]) -> Past {
    Past {
        debate: told.id().to_owned(),
        question: told.question.clone(),
        domain: told.domain(),
        ended_at: told.at,
        participants: told.participants.clone(),
        consensus: told.reached,
        status: text(told.result, "status").to_owned(),
        confidence: told.confidence,
        answer: kept(&told.answer),
        insights: told.insights(),
        context: transcript(record, 2_000),
    }
}

/// Builds the conclusion as knowledge, or returns the reason for skipping it.
fn conclusion(told: &FinishedDebate<'_>, record: &[Rc<Entry>], rows: &[Row]) -> Result<Row, &'static str> {
    if !told.reached {
        return Err("no_consensus");
    }
    if told.confidence < LEAST {
        return Err("not_sure_enough");
    }
    let cruxes = told.result.pointer("/disagreement/unanimous");
    let mut cruxes = strings(cruxes.and_then(Value::as_array).map_or(&[], Vec::as_slice));
    cruxes.truncate(5);
    let answer = kept(&told.answer);
    let item = Knowledge {
        title: cut(&told.question, 500),
        references: knowledge::references(rows, &told.question, &answer),
        text: answer,
        source: "debate".to_owned(),
        source_id: told.id().to_owned(),
        confidence: told.confidence,
        level: Level::of(told.confidence),
        domain: told.domain(),
        created_at: told.at,
        updated_at: told.at,
        reinforced: 0,
        weakened: 0,
        about: json!({
            "rounds": rounds(told),
            "participants": told.participants.iter().take(10).collect::<Vec<_>>(),
            "winner": told.winner,
            "decided_by": text(told.result, "decided_by"),
            "votes": told.votes(),
            "evidence": evidence(told, record),
            "proposals": list(told.result, "proposals").len(),
            "cruxes": cruxes,
        }),
    };
    Ok(item.row(format!("conclusion/{}", told.id())))
}
