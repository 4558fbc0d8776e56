//! The stores of the database and how older databases get them. A step is never changed once it was
//! released: data of that version exists somewhere.

use super::StoreError;
use super::requests::result_of;
use crate::web::timer::Timer;
use futures_util::future::{Either, select};
use js_sys::{Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbFactory, IdbVersionChangeEvent};

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
/// The index of that store, named as what it is made of.
pub(super) const CALLS_BY_HASH: &str = "hash";
/// `"key"` → the key pair that receipts and records are signed with; its private half never leaves the browser's keeping.
pub(super) const SIGNING: &str = "signing";
/// Session id → JSON: who vouches for its record, up to which entry.
pub(super) const SIGNATURES: &str = "signatures";

/// A store with the name of the index that it has.
type Added = (&'static str, Option<&'static str>);

/// The stores that come with the step from this version to the next.
fn added_after(version: u32) -> &'static [Added] {
    match version {
        0 => &[(SESSIONS, None), (ENTRIES, None)],
        1 => &[(DRAFTS, None)],
        3 => &[(KEPT, None), (SIGNING, None)],
        4 => &[(CALLS, Some(CALLS_BY_HASH))],
        5 => &[(SIGNATURES, None)],
        _ => &[],
    }
}

/// Milliseconds that the browser may take to open the database.
const PATIENCE: u64 = 5_000;

/// Opens a database. Where this fails in an upgrade, the browser undoes it.
pub(super) async fn open(name: &str, version: u32) -> Result<IdbDatabase, StoreError> {
    let factory = Reflect::get(&js_sys::global(), &"indexedDB".into())?;
    if !factory.is_object() {
        return Err(StoreError::missing());
    }
    let request = factory
        .unchecked_into::<IdbFactory>()
        .open_with_u32(name, version)?;
    let upgrade = Closure::<dyn Fn(IdbVersionChangeEvent) -> Result<(), JsValue>>::new({
        let request = request.clone();
        move |event: IdbVersionChangeEvent| {
            let database: IdbDatabase = request.result()?.unchecked_into();
            let added = (event.old_version() as u32..version).flat_map(added_after);
            for (store, index) in added {
                let store = database.create_object_store(store)?;
                if let Some(index) = index {
                    store.create_index_with_str(index, index)?;
                }
            }
            Ok(())
        }
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    let blocked = JsFuture::from(Promise::new(&mut |blocked, _| {
        request.set_onblocked(Some(&blocked))
    }));
    let opened = Box::pin(async move {
        let opened = result_of(&request).await;
        drop(upgrade);
        opened.map(JsCast::unchecked_into::<IdbDatabase>)
    });
    match select(opened, select(blocked, Timer::after(PATIENCE))).await {
        Either::Left((opened, _)) => Ok(opened?),
        Either::Right((reason, opened)) => {
            // It may still open, once other tabs have closed theirs.
            spawn_local(async move {
                if let Ok(database) = opened.await {
                    database.close();
                }
            });
            Err(match reason {
                Either::Left(_) => StoreError::blocked(),
                Either::Right(_) => StoreError::unopened(),
            })
        }
    }
}
