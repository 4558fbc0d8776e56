//! What debates leave behind, as JS sees it: kept in this browser, signed, searched, and handed to later
//! debates. What is kept of a debate, and what follows from it, is the word of `crate::memory`; here it is
//! read and written, each change as a whole.

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

/// What debates have left behind in this browser.
#[wasm_bindgen]
pub struct Memory;

#[wasm_bindgen]
impl Memory {
    /// Keeps what a debate that is over leaves behind, once; what was kept, or null where there is nothing.
    pub async fn remember(session: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        acts::remember(session, options).await
    }

    /// The same for every stored debate that is over and was not remembered yet.
    #[wasm_bindgen(js_name = rememberAll)]
    pub async fn remember_all() -> Result<JsValue, JsValue> {
        acts::remember_all().await
    }

    /// How everybody stands, over all or in one field; the best first.
    pub async fn ratings(domain: Option<String>) -> Result<JsValue, JsValue> {
        acts::ratings(domain).await
    }

    /// Ratings made anew from all stored records, and whether they are the same as those that are kept.
    pub async fn recomputed() -> Result<JsValue, JsValue> {
        acts::recomputed().await
    }

    /// All receipts, the newest first.
    pub async fn receipts() -> Result<JsValue, JsValue> {
        acts::receipts().await
    }

    /// The receipt of a debate, or null.
    pub async fn receipt(session: String) -> Result<JsValue, JsValue> {
        acts::receipt(session).await
    }

    /// Checks a receipt from anywhere; with the record of its debate also that it is the account of that one.
    #[wasm_bindgen(js_name = verifyReceipt)]
    pub async fn verify_receipt(receipt: JsValue, record: JsValue) -> Result<JsValue, JsValue> {
        acts::verify_receipt(receipt, record).await
    }

    /// A receipt as a file: `json`, or `md` and `html` for people.
    #[wasm_bindgen(js_name = receiptFile)]
    pub fn receipt_file(receipt: JsValue, format: &str, of: Option<String>) -> Result<JsValue, JsValue> {
        acts::receipt_file(receipt, format, of)
    }

    /// What is known about a question, what fits best first: of these kinds, `knowledge`, `debate`, `receipt`.
    pub async fn search(query: String, options: JsValue) -> Result<JsValue, JsValue> {
        acts::search(query, options).await
    }

    /// All rows of a kind.
    pub async fn items(kind: String) -> Result<JsValue, JsValue> {
        acts::items(kind).await
    }

    /// Takes in something that a person knows; its row. The same text is kept once.
    pub async fn add(item: JsValue) -> Result<JsValue, JsValue> {
        acts::add(item).await
    }

    /// Removes a row. That a debate was remembered is not forgotten: it would be remembered again.
    pub async fn remove(kind: String, id: String) -> Result<(), JsValue> {
        acts::remove(kind, id).await
    }

    /// All rows as a file, one a line, but what waits to be delivered.
    pub async fn export() -> Result<JsValue, JsValue> {
        acts::export().await
    }

    /// Takes in rows of such a file. What is there already stays as it is.
    pub async fn import(text: String) -> Result<JsValue, JsValue> {
        acts::import(text).await
    }

    /// The configuration of a debate with the ratings of those who sit there, where it has none.
    pub async fn prepare(config: JsValue) -> Result<JsValue, JsValue> {
        acts::prepare(config).await
    }

    /// What is still to be delivered, the most urgent first.
    pub async fn outbox() -> Result<JsValue, JsValue> {
        acts::outbox().await
    }

    /// Notes that a debate's result is to be delivered somewhere; its row. The same target is noted once.
    pub async fn queue(session: String, target: JsValue) -> Result<JsValue, JsValue> {
        acts::queue(session, target).await
    }

    /// The right to deliver it now, with its row; null where it is not due, delivered, too old, or another tab is at it.
    pub async fn take(id: String) -> Result<JsValue, JsValue> {
        acts::take(id).await
    }

    /// It was delivered.
    pub async fn done(id: String) -> Result<(), JsValue> {
        acts::done(id).await
    }

    /// It could not be delivered, and why; tried again later.
    pub async fn failed(id: String, why: Option<String>) -> Result<(), JsValue> {
        acts::failed(id, why).await
    }
}

/// All rows, for those who ask what is known.
pub(super) async fn rows_for_sources() -> Result<Vec<Row>, JsValue> {
    open().await?.rows(None).await
}
