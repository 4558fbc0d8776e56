//! The stores of the database and how older databases get them. A step is never changed once it was
//! released: data of that version exists somewhere.

use super::StoreError;
use futures_util::future::{Either, select};
use idb::event::VersionChangeEvent;
use idb::{DatabaseEvent, Factory, KeyPath, ObjectStoreParams};
use js_sys::Promise;
use std::future::IntoFuture;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::IdbDatabase;

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

/// The stores that come with the step from this version to the next.
fn added_after(version: u32) -> &'static [&'static str] {
    match version {
        0 => &[SESSIONS, ENTRIES],
        1 => &[DRAFTS],
        3 => &[KEPT, SIGNING],
        4 => &[CALLS],
        5 => &[SIGNATURES],
        _ => &[],
    }
}

pub(super) async fn open(name: &str, version: u32) -> Result<IdbDatabase, StoreError> {
    let factory = Factory::new().map_err(|_| StoreError::missing())?;
    let mut request = factory.open(name, Some(version))?;
    request.on_upgrade_needed(upgrade);
    let mut blocked = None;
    let promise = Promise::new(&mut |resolve, _| blocked = Some(resolve));
    request.on_blocked(move |_| {
        if let Some(resolve) = blocked {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    match select(request.into_future(), JsFuture::from(promise)).await {
        Either::Left((opened, _)) => Ok(opened?.into()),
        Either::Right((_, opening)) => {
            // It opens once the other tab lets go; nobody waits for it then.
            spawn_local(async move {
                if let Ok(database) = opening.await {
                    database.close();
                }
            });
            Err(StoreError::blocked())
        }
    }
}

/// Where this fails, the browser undoes the upgrade and the open request fails.
fn upgrade(event: VersionChangeEvent) {
    let versions = event
        .old_version()
        .and_then(|old| Ok((old, event.new_version()?.unwrap_or(VERSION))));
    let (Ok((old, new)), Ok(database)) = (versions, event.database()) else {
        return;
    };
    for name in (old..new).flat_map(added_after) {
        let store = database.create_object_store(name, ObjectStoreParams::new());
        if *name == CALLS
            && let Ok(store) = store
        {
            let _ = store.create_index("hash", KeyPath::new_single("hash"), None);
        }
    }
}
