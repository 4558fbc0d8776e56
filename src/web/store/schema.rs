//! The stores of the database and how older databases get them. A step is never changed once it was
//! released: data of that version exists somewhere.

use super::{StoreError, names};
use js_sys::{Array, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::IdbDatabase;

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    #[wasm_bindgen(js_name = open)]
    fn opening(name: &str, added: &Array) -> Promise;
}

/// Version of the schema; every step adds one. The step to version 3 added no store.
pub const VERSION: u32 = 6;

/// Session id → summary.
pub(super) const SESSIONS: &str = "sessions";
/// `[session, seq]` → the lines from `seq` on that were appended at once, joined by line feeds.
pub(super) const ENTRIES: &str = "entries";
/// `[session, ask]` → text.
pub(super) const DRAFTS: &str = "drafts";
/// `[kind, id]` → JSON: what debates leave behind.
pub(super) const KEPT: &str = "kept";
/// `[session, seq]` → where an answer of a model stands, found by the hash of its request; see `calls`.
pub(super) const CALLS: &str = "calls";
/// `"key"` → the key pair that receipts and records are signed with; its private half never leaves the browser's keeping.
pub(super) const SIGNING: &str = "signing";
/// Session id → JSON: who vouches for its record, up to which entry.
pub(super) const SIGNATURES: &str = "signatures";

/// The stores that come with the step from this version to the next, as `open` in browser.js takes them.
fn added_after(version: u32) -> &'static [&'static str] {
    match version {
        0 => &[SESSIONS, ENTRIES],
        1 => &[DRAFTS],
        3 => &[KEPT, SIGNING],
        4 => &["calls:hash"],
        5 => &[SIGNATURES],
        _ => &[],
    }
}

/// Where this fails in an upgrade, the browser undoes it.
pub(super) async fn open(name: &str, version: u32) -> Result<IdbDatabase, StoreError> {
    let added = (0..version).map(|version| names(added_after(version))).collect();
    let opened = JsFuture::from(opening(name, &added)).await;
    opened
        .map(JsCast::unchecked_into)
        .map_err(|why| StoreError::unopened(&why))
}
