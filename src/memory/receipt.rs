//! The receipt of a debate: question, decision, supporters and dissents, with a hash over the content, a
//! root over all messages, and the hash of the previous receipt. The page signs [`signed_text`] and adds the
//! signature block.
//!
//! Source: A23 of the debate's design, receipt v1.

use super::finished_debate::{self, FinishedDebate};
use super::{Row, RowKind, list, text};
use crate::core::ask::Millis;
use crate::core::codec::hex;
use crate::core::record::Entry;
use crate::language::format::timestamp;
use crate::procedures::canonical::{canonical_json, sha256_hex};
use crate::procedures::debate::rules::tally::Ballot;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::rc::Rc;

/// Verdict of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptVerdict {
    /// Consensus, high confidence, no dissent.
    Approved,
    /// Consensus with dissent or lower confidence.
    ApprovedWithConditions,
    /// No consensus, confidence 0.4 or more.
    NeedsReview,
    Rejected,
}

#[must_use]
pub fn receipt_verdict(reached: bool, confidence: f64, dissents: usize) -> ReceiptVerdict {
    match (reached, confidence) {
        (false, confidence) if confidence >= 0.4 => ReceiptVerdict::NeedsReview,
        (false, _) => ReceiptVerdict::Rejected,
        (true, confidence) if dissents > 0 || confidence < 0.8 => ReceiptVerdict::ApprovedWithConditions,
        (true, _) => ReceiptVerdict::Approved,
    }
}

/// A dissenting view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dissent {
    /// Name of the participant.
    pub agent: String,
    /// In the participant's words.
    pub view: String,
}

/// Contents of a receipt; [`ReceiptInput::issue`] adds hashes and the verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptInput {
    /// Unique.
    pub receipt_id: String,
    pub debate_id: String,
    /// ISO 8601 with `Z`.
    pub issued_at: String,
    /// Program and version.
    pub engine: String,
    pub question: String,
    pub answer: String,
    pub reached: bool,
    /// 0 to 1.
    pub confidence: f64,
    /// A decision mode, or `convergence`.
    pub method: String,
    /// In roster order.
    pub participants: Vec<String>,
    /// Participants whose vote, or proposal, is for the answer.
    pub supporting: Vec<String>,
    pub dissents: Vec<Dissent>,
    /// In roster order.
    pub ballots: Vec<Ballot>,
    /// From [`messages_root`].
    pub messages_root: String,
    pub messages: usize,
    pub config_hash: String,
    /// The `content_hash` of the previous receipt in this profile; `None` for the first.
    pub prev_hash: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    schema: &'static str,
    #[serde(flatten)]
    input: &'a ReceiptInput,
    verdict: ReceiptVerdict,
    question_hash: String,
    answer_hash: String,
    dissenting: Vec<&'a String>,
}

/// Identifier of this receipt format.
pub const SCHEMA: &str = "quorate.receipt/1";

impl ReceiptInput {
    /// Builds the unsigned receipt. Dissenters who are not participants are listed in `dissents` only.
    #[must_use]
    pub fn issue(&self) -> Value {
        let dissents = |name: &&String| self.dissents.iter().any(|dissent| dissent.agent == **name);
        let body = Body {
            schema: SCHEMA,
            input: self,
            verdict: receipt_verdict(self.reached, self.confidence, self.dissents.len()),
            question_hash: sha256_hex(self.question.as_bytes()),
            answer_hash: sha256_hex(self.answer.as_bytes()),
            dissenting: self.participants.iter().filter(dissents).collect(),
        };
        let mut receipt = serde_json::to_value(&body).unwrap_or_default();
        let hash = content_hash(&receipt);
        if let Value::Object(fields) = &mut receipt {
            fields.insert("content_hash".to_owned(), Value::String(hash));
        }
        receipt
    }
}

/// Returns the receipt without the named fields.
fn without_fields(receipt: &Value, names: &[&str]) -> Value {
    let mut receipt = receipt.clone();
    if let Value::Object(fields) = &mut receipt {
        for name in names {
            fields.remove(*name);
        }
    }
    receipt
}

/// Hashes (SHA-256) everything except the hash itself and the signature.
#[must_use]
pub fn content_hash(receipt: &Value) -> String {
    sha256_hex(canonical_json(&without_fields(receipt, &["content_hash", "signature"])).as_bytes())
}

/// Returns the text to sign: everything except the signature.
#[must_use]
pub fn signed_text(receipt: &Value) -> String {
    canonical_json(&without_fields(receipt, &["signature"]))
}

/// Collects the contents of a receipt issued at `at`, following `previous`. Returns `None` if the record is
/// not that of a finished debate with an answer.
#[must_use]
pub fn read_input(record: &[Rc<Entry>], previous: Option<&Value>, at: Millis) -> Option<ReceiptInput> {
    Some(build_input(&FinishedDebate::read(record)?, record, previous, at))
}

pub(super) fn build_input(
    debate: &FinishedDebate<'_>,
    record: &[Rc<Entry>],
    previous: Option<&Value>,
    at: Millis,
) -> ReceiptInput {
    let messages = finished_debate::messages(record);
    let mut id =
        sha256_hex(format!("{}\n{}\n{}", debate.id(), debate.at, debate.head.config_hash).as_bytes());
    id.truncate(16);
    let views = debate.dissents().into_iter();
    ReceiptInput {
        receipt_id: format!("receipt-{id}"),
        debate_id: debate.id().to_owned(),
        issued_at: timestamp(at),
        engine: debate.head.engine.clone(),
        question: debate.outcome.question.clone(),
        answer: debate.answer.clone(),
        reached: debate.outcome.consensus_reached,
        confidence: debate.outcome.confidence,
        method: debate.outcome.decided_by.clone(),
        participants: debate.outcome.participants.clone(),
        supporting: debate.agreeing(),
        dissents: views
            .filter(|view| !view.content.is_empty())
            .map(|view| Dissent {
                agent: view.agent,
                view: view.content,
            })
            .collect(),
        ballots: debate.outcome.votes.clone(),
        messages_root: messages_root(&messages),
        messages: messages.len(),
        config_hash: debate.head.config_hash.clone(),
        prev_hash: previous
            .and_then(|previous| previous.get("content_hash")?.as_str())
            .map(str::to_owned),
    }
}

/// A problem found in a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// Unknown format.
    UnknownSchema,
    /// The content hash does not match.
    ContentHash,
    /// The hash of the question or answer does not match.
    TextHash,
    /// The verdict does not follow from the figures.
    Verdict,
    /// The hash of the previous receipt does not match.
    Chain,
    /// The record is not that of a finished debate.
    NoOutcome,
    /// The record belongs to another debate.
    OtherDebate,
    /// The configuration differs.
    Config,
    /// Question, answer or result differ.
    Outcome,
    /// The votes differ.
    Votes,
    /// Supporters or dissents differ.
    Views,
    /// The messages do not match the root.
    MessagesRoot,
}

/// Checks a receipt by itself and, if given, against the record of its debate. The signature is checked by
/// the caller.
#[must_use]
pub fn verify(receipt: &Value, record: Option<&[Rc<Entry>]>) -> Vec<Problem> {
    let text = |name: &str| text(receipt, name);
    if text("schema") != SCHEMA {
        return vec![Problem::UnknownSchema];
    }
    let mut found = Vec::new();
    if text("content_hash") != content_hash(receipt) {
        found.push(Problem::ContentHash);
    }
    let is_hashed = |name: &str, hash: &str| text(hash) == sha256_hex(text(name).as_bytes());
    if !is_hashed("question", "question_hash") || !is_hashed("answer", "answer_hash") {
        found.push(Problem::TextHash);
    }
    let reached = receipt.get("reached") == Some(&Value::Bool(true));
    let confidence = receipt.get("confidence").and_then(Value::as_f64);
    let dissents = list(receipt, "dissents").len();
    let wanted = confidence.map(|confidence| {
        serde_json::to_value(receipt_verdict(reached, confidence, dissents)).unwrap_or_default()
    });
    let is_verdict = wanted.is_some_and(|wanted| Some(&wanted) == receipt.get("verdict"));
    if !is_verdict {
        found.push(Problem::Verdict);
    }
    if let Some(record) = record {
        compare_with_record(receipt, record, &mut found);
    }
    found
}

/// Recomputes every part of a receipt that follows from the record, and compares it.
fn compare_with_record(receipt: &Value, record: &[Rc<Entry>], found: &mut Vec<Problem>) {
    let Some(input) = read_input(record, None, 0) else {
        found.push(Problem::NoOutcome);
        return;
    };
    let input = serde_json::to_value(&input).unwrap_or_default();
    let parts = [
        (Problem::OtherDebate, &["debate_id", "receipt_id"][..]),
        (Problem::Config, &["config_hash", "engine"]),
        (
            Problem::Outcome,
            &["question", "answer", "reached", "confidence", "method"],
        ),
        (Problem::Votes, &["ballots"]),
        (Problem::Views, &["participants", "supporting", "dissents"]),
        (Problem::MessagesRoot, &["messages_root", "messages"]),
    ];
    // Numbers may be written as 1 or 1.0; canonical JSON treats them alike.
    let part = |value: &Value, name: &str| canonical_json(value.get(name).unwrap_or(&Value::Null));
    for (problem, names) in parts {
        if names.iter().any(|name| part(receipt, name) != part(&input, name)) {
            found.push(problem);
        }
    }
}

/// Returns `true` if a receipt follows `previous`; the first of a profile follows none.
#[must_use]
pub fn follows(receipt: &Value, previous: Option<&Value>) -> bool {
    let hash = previous.and_then(|previous| previous.get("content_hash"));
    receipt.get("prev_hash").filter(|hash| !hash.is_null()) == hash
}

/// Checks receipts in order of issue; the chain may start anywhere. Returns the indices of receipts with
/// their problems.
#[must_use]
pub fn verify_chain(receipts: &[Value]) -> Vec<(usize, Problem)> {
    let mut found = Vec::new();
    for (at, receipt) in receipts.iter().enumerate() {
        found.extend(verify(receipt, None).into_iter().map(|problem| (at, problem)));
        let before = at.checked_sub(1).and_then(|before| receipts.get(before));
        if before.is_some() && !follows(receipt, before) {
            found.push((at, Problem::Chain));
        }
    }
    found
}

/// Returns the end of the receipt chain, which the next receipt follows; the newest if there are several
/// ends.
#[must_use]
pub fn last(receipts: &[Row]) -> Option<&Value> {
    let own: Vec<&Value> = receipts
        .iter()
        .filter(|row| row.kind == RowKind::Receipt)
        .map(|row| &row.value)
        .collect();
    let is_followed = |receipt: &Value| {
        let hash = text(receipt, "content_hash");
        own.iter().any(|other| text(other, "prev_hash") == hash)
    };
    let ends = own.iter().filter(|receipt| !is_followed(receipt));
    ends.max_by_key(|receipt| (text(receipt, "issued_at"), text(receipt, "receipt_id")))
        .copied()
}

/// Computes the Merkle root of messages as in RFC 6962: leaves are hashed as `00` and the canonical JSON,
/// nodes as `01` and both children. Without messages: the hash of the empty string.
#[must_use]
pub fn messages_root(messages: &[Value]) -> String {
    let mut level: Vec<[u8; 32]> = messages
        .iter()
        .map(|message| digest(0, &[canonical_json(message).as_bytes()]))
        .collect();
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            next.push(match pair {
                [left, right] => digest(1, &[left, right]),
                [alone, ..] => *alone,
                [] => continue,
            });
        }
        level = next;
    }
    level.first().map_or_else(|| sha256_hex(b""), |root| hex(root))
}

fn digest(kind: u8, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update([kind]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedures::debate::rules::tally::Cast;
    use proptest::prelude::*;
    use serde_json::json;

    fn receipt_input(id: &str, prev_hash: Option<String>) -> ReceiptInput {
        let messages = [json!({"round": 1, "agent": "ann", "content": "shard"})];
        ReceiptInput {
            receipt_id: id.to_owned(),
            debate_id: "d".to_owned(),
            issued_at: "2026-01-02T03:04:05Z".to_owned(),
            engine: "quorate".to_owned(),
            question: "Shard?".to_owned(),
            answer: "By user.".to_owned(),
            reached: true,
            confidence: 0.9,
            method: "majority".to_owned(),
            participants: vec!["ann".to_owned(), "bob".to_owned()],
            supporting: vec!["ann".to_owned()],
            dissents: vec![Dissent {
                agent: "bob".to_owned(),
                view: "too early".to_owned(),
            }],
            ballots: vec![Ballot {
                voter: "ann".to_owned(),
                cast: Cast::For("ann".to_owned()),
                confidence: Some(0.9),
            }],
            messages_root: messages_root(&messages),
            messages: 1,
            config_hash: String::new(),
            prev_hash,
        }
    }

    #[test]
    fn the_hash_covers_all_fields() {
        let receipt = receipt_input("r1", None).issue();
        assert_eq!(verify(&receipt, None), []);
        assert_eq!(receipt["verdict"], "approved_with_conditions");
        assert_eq!(receipt["supporting"], json!(["ann"]));
        assert_eq!(receipt["dissenting"], json!(["bob"]));
        let fields = receipt.as_object().unwrap();
        for name in fields.keys().filter(|name| *name != "content_hash") {
            let mut changed = receipt.clone();
            changed[name] = json!("something else");
            assert!(!verify(&changed, None).is_empty(), "{name}");
        }
        let mut signed = receipt.clone();
        signed["signature"] = json!({"value": "…"});
        assert_eq!(verify(&signed, None), []);
        assert_eq!(signed_text(&signed), signed_text(&receipt));
        assert_eq!(verify(&receipt, Some(&[])), [Problem::NoOutcome]);
    }

    #[test]
    fn receipts_are_chained() {
        let first = receipt_input("r1", None).issue();
        let hash = first["content_hash"].as_str().map(str::to_owned);
        let second = receipt_input("r2", hash).issue();
        let row = |receipt: &Value| Row::of(RowKind::Receipt, "r", receipt);
        assert_eq!(last(&[row(&second), row(&first)]), Some(&second));
        assert!(follows(&first, None) && follows(&second, Some(&first)));
        assert!(!follows(&second, None) && !follows(&first, Some(&second)));
        assert_eq!(verify_chain(&[first.clone(), second.clone()]), []);
        assert_eq!(verify_chain(&[second, first]), [(1, Problem::Chain)]);
    }

    #[test]
    fn a_forged_verdict_is_found_despite_a_new_hash() {
        let mut receipt = receipt_input("r1", None).issue();
        receipt["verdict"] = json!("approved");
        receipt["content_hash"] = json!(content_hash(&receipt));
        assert_eq!(verify(&receipt, None), [Problem::Verdict]);
    }

    proptest! {
        #[test]
        fn the_root_depends_on_every_message_and_its_index(count in 1..20usize, at in 0..20usize) {
            let mut messages: Vec<Value> = (0..count).map(|n| json!(n)).collect();
            let root = messages_root(&messages);
            let at = at % count;
            messages[at] = json!("changed");
            prop_assert_ne!(&messages_root(&messages), &root);
            messages[at] = json!(at);
            prop_assert_eq!(&messages_root(&messages), &root);
            messages.push(json!(count - 1));
            prop_assert_ne!(messages_root(&messages), root);
        }
    }
}
