//! The stores of the database and its upgrades. A released step is never changed: data of that version
//! exists.

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
/// `[session, seq]` → lines from `seq` on that were appended together, joined by line feeds.
pub(super) const ENTRIES: &str = "entries";
/// `[session, ask]` → text.
pub(super) const DRAFTS: &str = "drafts";
/// `[kind, id]` → JSON: the memory of debates.
pub(super) const KEPT: &str = "kept";
/// `[session, seq]` → the location of a model's answer, indexed by request hash; see `calls`.
pub(super) const CALLS: &str = "calls";
/// The index of that store, by the field of its name.
pub(super) const CALLS_BY_HASH: &str = "hash";
/// `"key"` → the key pair that signs receipts and records; its private half cannot be extracted.
pub(super) const SIGNING: &str = "signing";
/// Session id → JSON: the signature of its record.
pub(super) const SIGNATURES: &str = "signatures";

/// A store with the name of its index.
type Added = (&'static str, Option<&'static str>);

/// Returns the stores added by the step from this version to the next.
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

/// Timeout for opening the database, in milliseconds.
const PATIENCE: u64 = 5_000;

/// Opens a database. The browser undoes a failed upgrade.
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
            // It may still open once other tabs have closed theirs.
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
