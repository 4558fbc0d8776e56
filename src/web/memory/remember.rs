//! Remembers a debate: reads the known rows, signs the receipt, and writes all rows in one transaction, one
//! tab at a time. A debate is remembered once. A crash on the way leaves nothing, and the next attempt
//! starts over.

use super::rows::{Rows, lock_memory, open};
use super::{now, outbox, verify};
use crate::core::record::{Entry, EntryKind};
use crate::memory::RowKind;
use crate::memory::receipt::{self, signed_text};
use crate::memory::settle::{Settlement, StoredRows, settle};
use crate::web::driver::Driver;
use crate::web::error::lab_error;
use crate::web::input::{input, read_if_given, read_options};
use crate::web::{from_js, to_js};
use js_sys::{Function, Reflect};
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

#[derive(Default, Deserialize)]
#[serde(default)]
struct RememberOptions {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    targets: JsValue,
}

pub(super) async fn one(session: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let id = match session.as_string() {
        Some(id) => id,
        None => Reflect::get(session, &"id".into())
            .ok()
            .and_then(|id| id.as_string())
            .ok_or_else(|| input("session must be a Session or its id"))?,
    };
    let options: RememberOptions = read_options("Memory.remember: options", options)?;
    let targets: Option<Vec<Value>> = read_if_given("Memory.remember: options.targets", &options.targets)?;
    let store = open().await?;
    let record = record_of(&store, &id, session).await?;
    Ok(to_js(&json!(remember(&store, &id, &record, targets).await?)))
}

pub(super) async fn all() -> Result<JsValue, JsValue> {
    let store = open().await?;
    let (mut remembered, mut failed) = (Vec::new(), Vec::new());
    for id in store.ended_debates().await? {
        if store.value(RowKind::Journal, &id).await?.is_some() {
            continue;
        }
        let done = match store.record(&id).await {
            Ok(record) => remember(&store, &id, &record, None).await,
            Err(error) => Err(error),
        };
        match done {
            Ok(Some(report)) => remembered.push(report),
            Ok(None) => {}
            Err(error) => {
                let message = Reflect::get(&error, &"message".into()).unwrap_or_default();
                failed.push(json!({ "session": id, "message": message.as_string() }));
            }
        }
    }
    Ok(to_js(&json!({ "remembered": remembered, "failed": failed })))
}

/// Returns the record of a session: open in this page, else stored, else from the closed object.
async fn record_of(store: &Rows, id: &str, session: &JsValue) -> Result<Vec<Rc<Entry>>, JsValue> {
    if let Some(driver) = Driver::of(id) {
        return Ok(driver.session.borrow().record());
    }
    let stored = store.record(id).await?;
    if !stored.is_empty() {
        return Ok(stored);
    }
    let entries = Reflect::get(session, &"entries".into()).ok();
    let Some(entries) = entries.and_then(|entries| entries.dyn_into::<Function>().ok()) else {
        let message = "there is no session with this id in this browser";
        return Err(lab_error("unknown", message));
    };
    let entries = from_js(&entries.call0(session)?)?;
    let entries = verify::entries(&entries).ok_or_else(|| input("session must be a Session or its id"))?;
    Ok(entries.into_iter().map(Rc::new).collect())
}

/// Remembers a debate. Returns its report, also if it was remembered before; `None` if it leaves nothing.
/// Without `targets` the result is delivered to the debate's own targets.
async fn remember(
    store: &Rows,
    id: &str,
    record: &[Rc<Entry>],
    targets: Option<Vec<Value>>,
) -> Result<Option<Value>, JsValue> {
    let _turn = lock_memory().await;
    if let Some(journal) = store.value(RowKind::Journal, id).await? {
        return Ok(Some(report_of(&journal)));
    }
    let known = store.rows(None).await?;
    let now = now();
    let last = StoredRows {
        rows: &known,
        last_receipt: receipt::last(&known),
    };
    let Some(mut settlement) = settle(record, &last, now) else {
        return Ok(None);
    };
    let mut receipt = std::mem::take(&mut settlement.receipt);
    let signature = store.0.sign(&signed_text(&receipt)).await?;
    if !signature.is_null() {
        receipt["signature"] = from_js(&signature)?;
    }
    let mut rows = std::mem::take(&mut settlement.rows);
    rows.push(Settlement::receipt_row(receipt));
    match targets {
        Some(targets) => {
            for target in &targets {
                rows.push(outbox::row(id, target, now)?);
            }
        }
        // A record from elsewhere may name invalid targets.
        None => rows.extend(own_targets(record).filter_map(|target| outbox::row(id, target, now).ok())),
    }
    let journal = settlement.journal(&rows);
    rows.push(journal.clone());
    if store.keep(&rows, &[], Some((RowKind::Journal, id))).await? {
        return Ok(Some(report_of(&journal.value)));
    }
    // Another tab was faster, in a browser without locks.
    Ok(store.value(RowKind::Journal, id).await?.as_ref().map(report_of))
}

/// Returns the delivery targets in the debate's result.
fn own_targets(record: &[Rc<Entry>]) -> impl Iterator<Item = &Value> {
    let result = record.iter().rev().find_map(|entry| match &entry.what {
        EntryKind::Ended { result } => result["deliver"].as_array(),
        _ => None,
    });
    result.into_iter().flatten()
}

/// Converts a journal to a report.
fn report_of(journal: &Value) -> Value {
    json!({ "debate": journal["debate"], "settledAt": journal["settled_at"], "parts": journal["report"] })
}
