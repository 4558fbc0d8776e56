//! Verifies receipts: their content, signature, and the record of their debate. Needs no storage and no key,
//! so it works in a fresh page and for any receipt.

use super::input;
use crate::core::record::Entry;
use crate::memory::receipt::{signed_text, verify};
use crate::web::signing::{is_signed, thumbprint};
use crate::web::{from_js, to_js};
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::JsValue;

#[derive(Serialize)]
struct Problem {
    code: String,
    message: String,
}

fn problem(code: &str) -> Problem {
    Problem {
        code: code.to_owned(),
        message: message_of(code).to_owned(),
    }
}

/// Returns the message of a problem.
fn message_of(code: &str) -> &'static str {
    match code {
        "unknown_schema" => "This is not a receipt of a form that is known here.",
        "content_hash" => "The hash is not that of the content: something was changed after it was issued.",
        "text_hash" => "The question or the answer is not the one that was hashed.",
        "verdict" => "The verdict does not follow from the figures.",
        "chain" => "It does not follow the receipt before it.",
        "no_outcome" => "The record is not that of a debate that is over.",
        "other_debate" => "The record is that of another debate.",
        "config" => "The debate of the record had another configuration.",
        "outcome" => "The debate of the record had another question, answer or end.",
        "votes" => "The votes in the record are others.",
        "views" => "In the record, others agreed or did not.",
        "messages_root" => "The messages of the record are not those of the receipt.",
        "signature" => "The signature is not one of this content by the key in it.",
        "signature_unchecked" => "This browser cannot check such a signature.",
        _ => "Something is wrong with it.",
    }
}

pub(super) async fn receipt(receipt: &JsValue, record: &JsValue) -> Result<JsValue, JsValue> {
    let receipt = match receipt.as_string() {
        Some(text) => serde_json::from_str(&text).map_err(|_| input("receipt is not valid JSON"))?,
        None => from_js(receipt)?,
    };
    let record = read_record(record)?;
    let mut problems = Vec::new();
    for found in verify(&receipt, record.as_deref()) {
        let code = serde_json::to_value(found).unwrap_or_default();
        problems.push(problem(code.as_str().unwrap_or_default()));
    }
    let signature = &receipt["signature"];
    let (mut signed, mut key) = (false, None);
    if !signature.is_null() {
        let text = |name: &str| signature[name].as_str().unwrap_or_default();
        let public = to_js(&signature["public_key"]);
        match is_signed(&signed_text(&receipt), text("algorithm"), &public, text("value")).await {
            None => problems.push(problem("signature_unchecked")),
            Some(false) => problems.push(problem("signature")),
            Some(true) => {
                signed = true;
                key = thumbprint(&public).await;
            }
        }
    }
    Ok(to_js(&json!({
        "valid": problems.is_empty(), "signed": signed, "key": key, "problems": problems,
    })))
}

/// Parses the entries of a record; `None` if they are invalid.
pub(super) fn entries(record: &Value) -> Option<Vec<Entry>> {
    let entries = record.as_array()?.iter();
    entries
        .map(|entry| serde_json::from_value(entry.clone()).ok())
        .collect()
}

/// Reads a record as a list of entries or the text of an export; `None` if absent.
fn read_record(record: &JsValue) -> Result<Option<Vec<Rc<Entry>>>, JsValue> {
    if record.is_null() || record.is_undefined() {
        return Ok(None);
    }
    let entries: Option<Vec<Entry>> = match record.as_string() {
        Some(text) => crate::export::json::read(&text).ok(),
        None => entries(&from_js(record)?),
    };
    let entries =
        entries.ok_or_else(|| input("record must be a list of entries or the text of an export"))?;
    Ok(Some(entries.into_iter().map(Rc::new).collect()))
}
