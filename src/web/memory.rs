//! What debates leave behind, as JS sees it: kept in this browser, signed, searched, and handed to later
//! debates. What is kept of a debate, and what follows from it, is the word of `crate::memory`; here it is
//! read and written, each change as a whole.

mod acts;
pub mod outbox;
mod remember;
mod rows;
mod verify;

use super::parts;
use crate::memory::Row;
use acts::{input, now};
use futures_util::future::LocalBoxFuture;
use rows::open;
use wasm_bindgen::prelude::*;

/// What debates have left behind in this browser.
#[wasm_bindgen]
pub struct Memory;

#[wasm_bindgen]
impl Memory {
    /// Keeps what a debate that is over leaves behind, once; what was kept, or null where there is nothing.
    pub async fn remember(session: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.remember)(session, options).await
    }

    /// The same for every stored debate that is over and was not remembered yet.
    #[wasm_bindgen(js_name = rememberAll)]
    pub async fn remember_all() -> Result<JsValue, JsValue> {
        (loaded().await?.remember_all)().await
    }

    /// How everybody stands, over all or in one field; the best first.
    pub async fn ratings(domain: Option<String>) -> Result<JsValue, JsValue> {
        (loaded().await?.ratings)(domain).await
    }

    /// Ratings made anew from all stored records, and whether they are the same as those that are kept.
    pub async fn recomputed() -> Result<JsValue, JsValue> {
        (loaded().await?.recomputed)().await
    }

    /// All receipts, the newest first.
    pub async fn receipts() -> Result<JsValue, JsValue> {
        (loaded().await?.receipts)().await
    }

    /// The receipt of a debate, or null.
    pub async fn receipt(session: String) -> Result<JsValue, JsValue> {
        (loaded().await?.receipt)(session).await
    }

    /// Checks a receipt from anywhere; with the record of its debate also that it is the account of that one.
    #[wasm_bindgen(js_name = verifyReceipt)]
    pub async fn verify_receipt(receipt: JsValue, record: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.verify_receipt)(receipt, record).await
    }

    /// A receipt as a file: `json`, or `md` and `html` for people.
    #[wasm_bindgen(js_name = receiptFile)]
    pub fn receipt_file(receipt: JsValue, format: &str, of: Option<String>) -> Result<JsValue, JsValue> {
        (parts::now(remembering::get(), "memory")?.receipt_file)(receipt, format, of)
    }

    /// What is known about a question, what fits best first: of these kinds, `knowledge`, `debate`, `receipt`.
    pub async fn search(query: String, options: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.search)(query, options).await
    }

    /// All rows of a kind.
    pub async fn items(kind: String) -> Result<JsValue, JsValue> {
        (loaded().await?.items)(kind).await
    }

    /// Takes in something that a person knows; its row. The same text is kept once.
    pub async fn add(item: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.add)(item).await
    }

    /// Removes a row. That a debate was remembered is not forgotten: it would be remembered again.
    pub async fn remove(kind: String, id: String) -> Result<(), JsValue> {
        (loaded().await?.remove)(kind, id).await
    }

    /// All rows as a file, one a line, but what waits to be delivered.
    pub async fn export() -> Result<JsValue, JsValue> {
        (loaded().await?.export)().await
    }

    /// Takes in rows of such a file. What is there already stays as it is.
    pub async fn import(text: String) -> Result<JsValue, JsValue> {
        (loaded().await?.import)(text).await
    }

    /// The configuration of a debate with the ratings of those who sit there, where it has none.
    pub async fn prepare(config: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.prepare)(config).await
    }

    /// What is still to be delivered, the most urgent first.
    pub async fn outbox() -> Result<JsValue, JsValue> {
        (loaded().await?.outbox)().await
    }

    /// Notes that a debate's result is to be delivered somewhere; its row. The same target is noted once.
    pub async fn queue(session: String, target: JsValue) -> Result<JsValue, JsValue> {
        (loaded().await?.queue)(session, target).await
    }

    /// The right to deliver it now, with its row; null where it is not due, delivered, too old, or another tab is at it.
    pub async fn take(id: String) -> Result<JsValue, JsValue> {
        (loaded().await?.take)(id).await
    }

    /// It was delivered.
    pub async fn done(id: String) -> Result<(), JsValue> {
        (loaded().await?.done)(id).await
    }

    /// It could not be delivered, and why; tried again later.
    pub async fn failed(id: String, why: Option<String>) -> Result<(), JsValue> {
        (loaded().await?.failed)(id, why).await
    }
}

type Made<T> = LocalBoxFuture<'static, Result<T, JsValue>>;

/// What can be done with it, a part that is loaded when it is needed.
pub(crate) struct Remembering {
    remember: fn(JsValue, JsValue) -> Made<JsValue>,
    remember_all: fn() -> Made<JsValue>,
    ratings: fn(Option<String>) -> Made<JsValue>,
    recomputed: fn() -> Made<JsValue>,
    receipts: fn() -> Made<JsValue>,
    receipt: fn(String) -> Made<JsValue>,
    verify_receipt: fn(JsValue, JsValue) -> Made<JsValue>,
    receipt_file: fn(JsValue, &str, Option<String>) -> Result<JsValue, JsValue>,
    search: fn(String, JsValue) -> Made<JsValue>,
    items: fn(String) -> Made<JsValue>,
    add: fn(JsValue) -> Made<JsValue>,
    remove: fn(String, String) -> Made<()>,
    export: fn() -> Made<JsValue>,
    import: fn(String) -> Made<JsValue>,
    prepare: fn(JsValue) -> Made<JsValue>,
    outbox: fn() -> Made<JsValue>,
    queue: fn(String, JsValue) -> Made<JsValue>,
    take: fn(String) -> Made<JsValue>,
    done: fn(String) -> Made<()>,
    failed: fn(String, Option<String>) -> Made<()>,
}

part!(remembering: Remembering = Remembering {
    remember: |session, options| Box::pin(acts::remember(session, options)),
    remember_all: || Box::pin(acts::remember_all()),
    ratings: |domain| Box::pin(acts::ratings(domain)),
    recomputed: || Box::pin(acts::recomputed()),
    receipts: || Box::pin(acts::receipts()),
    receipt: |session| Box::pin(acts::receipt(session)),
    verify_receipt: |receipt, record| Box::pin(acts::verify_receipt(receipt, record)),
    receipt_file: acts::receipt_file,
    search: |query, options| Box::pin(acts::search(query, options)),
    items: |kind| Box::pin(acts::items(kind)),
    add: |item| Box::pin(acts::add(item)),
    remove: |kind, id| Box::pin(acts::remove(kind, id)),
    export: || Box::pin(acts::export()),
    import: |text| Box::pin(acts::import(text)),
    prepare: |config| Box::pin(acts::prepare(config)),
    outbox: || Box::pin(acts::outbox()),
    queue: |session, target| Box::pin(acts::queue(session, target)),
    take: |id| Box::pin(acts::take(id)),
    done: |id| Box::pin(acts::done(id)),
    failed: |id, why| Box::pin(acts::failed(id, why)),
});

async fn loaded() -> Result<&'static Remembering, JsValue> {
    let _ = remembering::load().await;
    parts::now(remembering::get(), "memory")
}

/// All rows, for those who ask what is known.
pub(super) async fn rows_for_sources() -> Result<Vec<Row>, JsValue> {
    open().await?.rows(None).await
}
