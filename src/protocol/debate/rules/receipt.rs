//! The receipt of a debate: what was asked and decided, by whom, against whom, with a hash over all of
//! it, a root over all messages, and the hash of the receipt before it. Signing is the page's own: it
//! signs [`signed_text`] and puts a signature block in.
//!
//! Source: A23 of the debate's design, receipt v1.

use super::tally::Ballot;
use crate::protocol::canonical::{canonical_json, hex, sha256_hex};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What a debate came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptVerdict {
    /// Consensus, sure, nobody against.
    Approved,
    /// Consensus with somebody against, or less sure.
    ApprovedWithConditions,
    /// No consensus, but near.
    NeedsReview,
    /// No consensus.
    Rejected,
}

/// The verdict for a debate.
#[must_use]
pub fn receipt_verdict(reached: bool, confidence: f64, dissents: usize) -> ReceiptVerdict {
    match (reached, confidence) {
        (false, confidence) if confidence >= 0.4 => ReceiptVerdict::NeedsReview,
        (false, _) => ReceiptVerdict::Rejected,
        (true, confidence) if dissents > 0 || confidence < 0.8 => ReceiptVerdict::ApprovedWithConditions,
        (true, _) => ReceiptVerdict::Approved,
    }
}

/// A view that did not prevail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dissent {
    /// Whose.
    pub agent: String,
    /// In their words.
    pub view: String,
}

/// What a receipt is made of; [`Facts::issue`] adds hashes and the verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Unique.
    pub receipt_id: String,
    /// Of which debate.
    pub debate_id: String,
    /// When, ISO 8601 with `Z`.
    pub issued_at: String,
    /// The program and its version.
    pub engine: String,
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// Whether there is a consensus.
    pub reached: bool,
    /// 0 to 1.
    pub confidence: f64,
    /// How it was decided: a mode, or `convergence`.
    pub method: String,
    /// Who took part, in roster order.
    pub participants: Vec<String>,
    /// Views that did not prevail.
    pub dissents: Vec<Dissent>,
    /// All ballots, in roster order.
    pub ballots: Vec<Ballot>,
    /// From [`messages_root`].
    pub messages_root: String,
    /// How many messages there are.
    pub messages: usize,
    /// The hash of the configuration.
    pub config_hash: String,
    /// The `content_hash` of the receipt before it in this profile; `None` of the first.
    pub prev_hash: Option<String>,
}

#[derive(Serialize)]
struct Body<'a> {
    schema: &'static str,
    #[serde(flatten)]
    facts: &'a Facts,
    verdict: ReceiptVerdict,
    question_hash: String,
    answer_hash: String,
    supporting: Vec<&'a String>,
    dissenting: Vec<&'a String>,
}

/// The name of this form of receipts.
pub const SCHEMA: &str = "quorate.receipt/1";

impl Facts {
    /// The receipt, not signed yet. Dissenters who did not take part are in `dissents` only.
    #[must_use]
    pub fn issue(&self) -> Value {
        let dissents = |name: &&String| self.dissents.iter().any(|dissent| dissent.agent == **name);
        let body = Body {
            schema: SCHEMA,
            facts: self,
            verdict: receipt_verdict(self.reached, self.confidence, self.dissents.len()),
            question_hash: sha256_hex(self.question.as_bytes()),
            answer_hash: sha256_hex(self.answer.as_bytes()),
            supporting: self.participants.iter().filter(|name| !dissents(name)).collect(),
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

/// The receipt without these of its fields.
fn without(receipt: &Value, names: &[&str]) -> Value {
    let mut receipt = receipt.clone();
    if let Value::Object(fields) = &mut receipt {
        for name in names {
            fields.remove(*name);
        }
    }
    receipt
}

/// SHA-256 of everything but the hash itself and the signature.
#[must_use]
pub fn content_hash(receipt: &Value) -> String {
    sha256_hex(canonical_json(&without(receipt, &["content_hash", "signature"])).as_bytes())
}

/// The text that is signed: everything but the signature.
#[must_use]
pub fn signed_text(receipt: &Value) -> String {
    canonical_json(&without(receipt, &["signature"]))
}

/// What is wrong with receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptFault {
    /// Not a receipt of this form.
    UnknownSchema,
    /// The hash is not that of the content.
    ContentHash,
    /// The answer or the question is not the one hashed.
    TextHash,
    /// The verdict does not follow from the figures.
    Verdict,
    /// It does not follow the receipt before it.
    Chain,
    /// The messages are not those of the root.
    MessagesRoot,
}

/// Checks a receipt by itself. Its signature is checked where keys are.
///
/// # Errors
/// The first fault.
pub fn verify(receipt: &Value) -> Result<(), ReceiptFault> {
    let text = |name: &str| receipt.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("schema") != SCHEMA {
        return Err(ReceiptFault::UnknownSchema);
    }
    if text("content_hash") != content_hash(receipt) {
        return Err(ReceiptFault::ContentHash);
    }
    for (name, hash) in [("question", "question_hash"), ("answer", "answer_hash")] {
        if text(hash) != sha256_hex(text(name).as_bytes()) {
            return Err(ReceiptFault::TextHash);
        }
    }
    let reached = receipt
        .get("reached")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    let confidence = receipt
        .get("confidence")
        .and_then(Value::as_f64)
        .unwrap_or_default();
    let dissents = receipt
        .get("dissents")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    let wanted = serde_json::to_value(receipt_verdict(reached, confidence, dissents)).unwrap_or_default();
    if receipt.get("verdict") != Some(&wanted) {
        return Err(ReceiptFault::Verdict);
    }
    Ok(())
}

/// Checks receipts in the order in which they were issued; the chain may begin anywhere.
///
/// # Errors
/// The place of the first receipt with a fault, and the fault.
pub fn verify_chain(receipts: &[Value]) -> Result<(), (usize, ReceiptFault)> {
    let mut before: Option<&Value> = None;
    for (at, receipt) in receipts.iter().enumerate() {
        verify(receipt).map_err(|fault| (at, fault))?;
        if let Some(before) = before
            && receipt.get("prev_hash") != before.get("content_hash")
        {
            return Err((at, ReceiptFault::Chain));
        }
        before = Some(receipt);
    }
    Ok(())
}

/// Checks that these are all messages of the receipt, in order.
///
/// # Errors
/// [`ReceiptFault::MessagesRoot`].
pub fn verify_messages(receipt: &Value, messages: &[Value]) -> Result<(), ReceiptFault> {
    let root = receipt.get("messages_root").and_then(Value::as_str);
    let count = receipt.get("messages").and_then(Value::as_u64);
    let is_all = count == Some(messages.len() as u64) && root == Some(messages_root(messages).as_str());
    is_all.then_some(()).ok_or(ReceiptFault::MessagesRoot)
}

/// The Merkle root of messages, as RFC 6962 makes it: leaves are `00` and the canonical JSON, nodes
/// `01` and the two below; of none, the hash of nothing.
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
    use super::super::tally::Cast;
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn facts(id: &str, prev_hash: Option<String>) -> Facts {
        let messages = [json!({"round": 1, "agent": "ann", "content": "shard"})];
        Facts {
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
    fn a_receipt_covers_all_of_it() {
        let receipt = facts("r1", None).issue();
        assert_eq!(verify(&receipt), Ok(()));
        assert_eq!(receipt["verdict"], "approved_with_conditions");
        assert_eq!(receipt["supporting"], json!(["ann"]));
        assert_eq!(receipt["dissenting"], json!(["bob"]));
        let fields = receipt.as_object().unwrap();
        for name in fields.keys().filter(|name| *name != "content_hash") {
            let mut changed = receipt.clone();
            changed[name] = json!("something else");
            assert!(verify(&changed).is_err(), "{name}");
        }
        let mut signed = receipt.clone();
        signed["signature"] = json!({"value": "…"});
        assert_eq!(verify(&signed), Ok(()));
        assert_eq!(signed_text(&signed), signed_text(&receipt));
        assert_eq!(verify_messages(&receipt, &[]), Err(ReceiptFault::MessagesRoot));
    }

    #[test]
    fn receipts_are_chained() {
        let first = facts("r1", None).issue();
        let hash = first["content_hash"].as_str().map(str::to_owned);
        let second = facts("r2", hash).issue();
        assert_eq!(verify_chain(&[first.clone(), second.clone()]), Ok(()));
        assert_eq!(verify_chain(&[second, first]), Err((1, ReceiptFault::Chain)));
    }

    #[test]
    fn a_figure_that_was_made_up_is_seen_through_a_new_hash() {
        let mut receipt = facts("r1", None).issue();
        receipt["verdict"] = json!("approved");
        receipt["content_hash"] = json!(content_hash(&receipt));
        assert_eq!(verify(&receipt), Err(ReceiptFault::Verdict));
    }

    proptest! {
        #[test]
        fn the_root_knows_every_message_and_its_place(count in 1..20usize, at in 0..20usize) {
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
