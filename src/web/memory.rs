//! Memory of debates for JS: stored in this browser, signed, searched, and passed to later debates.
//! `crate::memory` decides what is stored; this module reads and writes it, each change atomically.

mod acts;
pub mod outbox;
mod remember;
mod rows;
mod verify;

use super::input::input;
use crate::memory::Row;
use acts::now;
use rows::open;
use wasm_bindgen::prelude::*;

/// The memory of debates in this browser.
#[wasm_bindgen]
pub struct Memory;

#[wasm_bindgen]
impl Memory {
    /// Stores the rows of a finished debate, once. Returns the report, or null if there is nothing to store.
    pub async fn remember(session: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        acts::remember(session, options).await
    }

    /// Does the same for every stored finished debate that is not remembered yet.
    #[wasm_bindgen(js_name = rememberAll)]
    pub async fn remember_all() -> Result<JsValue, JsValue> {
        acts::remember_all().await
    }

    /// Returns the standings, overall or in one domain, best first.
    pub async fn ratings(domain: Option<String>) -> Result<JsValue, JsValue> {
        acts::ratings(domain).await
    }

    /// Recomputes the ratings from all stored records and compares them with the stored ones.
    pub async fn recomputed() -> Result<JsValue, JsValue> {
        acts::recomputed().await
    }

    /// Returns all receipts, newest first.
    pub async fn receipts() -> Result<JsValue, JsValue> {
        acts::receipts().await
    }

    /// Returns the receipt of a debate, or null.
    pub async fn receipt(session: String) -> Result<JsValue, JsValue> {
        acts::receipt(session).await
    }

    /// Verifies any receipt; with a record, also that it belongs to that debate.
    #[wasm_bindgen(js_name = verifyReceipt)]
    pub async fn verify_receipt(receipt: JsValue, record: JsValue) -> Result<JsValue, JsValue> {
        acts::verify_receipt(receipt, record).await
    }

    /// Returns a receipt as a `json`, `md` or `html` file.
    #[wasm_bindgen(js_name = receiptFile)]
    pub fn receipt_file(receipt: JsValue, format: &str, of: Option<String>) -> Result<JsValue, JsValue> {
        acts::receipt_file(receipt, format, of)
    }

    /// Searches `knowledge`, `debate` and `receipt` rows, best matches first.
    pub async fn search(query: String, options: JsValue) -> Result<JsValue, JsValue> {
        acts::search(query, options).await
    }

    pub async fn items(kind: String) -> Result<JsValue, JsValue> {
        acts::items(kind).await
    }

    /// Stores an item of knowledge entered by a person, and returns its row. The same text is stored once.
    pub async fn add(item: JsValue) -> Result<JsValue, JsValue> {
        acts::add(item).await
    }

    /// Removes a row. Journal rows stay, otherwise the debate would be remembered again.
    pub async fn remove(kind: String, id: String) -> Result<(), JsValue> {
        acts::remove(kind, id).await
    }

    /// Exports all rows as a JSONL file, except pending deliveries.
    pub async fn export() -> Result<JsValue, JsValue> {
        acts::export().await
    }

    /// Imports rows of such a file. Existing rows are unchanged.
    pub async fn import(text: String) -> Result<JsValue, JsValue> {
        acts::import(text).await
    }

    /// Adds the participants' ratings to a debate's configuration, if it has none.
    pub async fn prepare(config: JsValue) -> Result<JsValue, JsValue> {
        acts::prepare(config).await
    }

    /// Returns pending deliveries, most urgent first.
    pub async fn outbox() -> Result<JsValue, JsValue> {
        acts::outbox().await
    }

    /// Queues the delivery of a debate's result, and returns its row. The same target is queued once.
    pub async fn queue(session: String, target: JsValue) -> Result<JsValue, JsValue> {
        acts::queue(session, target).await
    }

    /// Takes a delivery to be done now, with its row. Returns null if it is not due, delivered, expired, or
    /// taken by another tab.
    pub async fn take(id: String) -> Result<JsValue, JsValue> {
        acts::take(id).await
    }

    pub async fn done(id: String) -> Result<(), JsValue> {
        acts::done(id).await
    }

    /// Records a failed delivery, to be retried later.
    pub async fn failed(id: String, why: Option<String>) -> Result<(), JsValue> {
        acts::failed(id, why).await
    }
}

/// Returns all rows, for sources.
pub(super) async fn rows_for_sources() -> Result<Vec<Row>, JsValue> {
    open().await?.rows(None).await
}
