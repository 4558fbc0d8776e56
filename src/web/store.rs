//! Sessions, their records and drafts in IndexedDB, and what debates leave behind. Lines are opaque here: nobody looks into the JSON
//! in these files. Every change is stored as a whole or not at all: once a change has resolved, no crash of the page
//! undoes it. How records are kept is told in `record`.

mod calls;
mod error;
mod kept;
mod record;
mod schema;

pub use error::{StoreCode, StoreError};
pub use kept::Kept;
pub use record::PIECE;
pub use schema::VERSION;

use js_sys::{Array, Function, JsString, Promise, Uint8Array};
use record::End;
use schema::{CALLS, DRAFTS, ENTRIES, SESSIONS, SIGNATURES};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::IdbDatabase;

/// Name of the database that the page uses.
pub const DATABASE: &str = "quorate";

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    fn change(
        database: &IdbDatabase,
        stores: &Array,
        durability: &str,
        after: &JsValue,
        steps: &Array,
        summary: &JsValue,
    ) -> Promise;
    fn value(database: &IdbDatabase, store: &str, key: &JsValue) -> Promise;
    fn all(database: &IdbDatabase, stores: &Array, session: Option<&str>) -> Promise;
    fn last(database: &IdbDatabase, stores: &Array, session: &str) -> Promise;
    #[wasm_bindgen(js_name = ofSession)]
    fn of_session(session: &str) -> JsValue;
    fn bytes(text: &JsString) -> Uint8Array;
    fn watch(database: &IdbDatabase, lost: &Function);
    fn unwatch(database: &IdbDatabase);
}

/// What a write waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Handed to the operating system: a power failure may cost the last seconds, a crash of the page nothing.
    Relaxed,
    /// On the disk.
    Strict,
}

/// What makes the summary of a session from the one that is stored, or leaves that as it is (`None`). It may be asked twice.
pub type Summarize = Box<dyn FnMut(Option<String>) -> Option<String>>;

/// An open connection. Closed when dropped, and by itself when another tab upgrades the database.
#[derive(Debug)]
pub struct Store {
    database: IdbDatabase,
    lost: Rc<Cell<bool>>,
    _lost: Closure<dyn FnMut()>,
    /// Where the record ends that was read or appended to last; none after a failure.
    end: RefCell<Option<End>>,
}

impl Store {
    /// Opens the database, bringing its schema up to date.
    ///
    /// # Errors
    /// `Unavailable` where there is no IndexedDB or a newer version wrote the data; `Blocked` where
    /// another tab keeps an old version open.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        Self::open_version(name, VERSION).await
    }

    /// Opens with an older schema, to test upgrades.
    #[doc(hidden)]
    pub async fn open_version(name: &str, version: u32) -> Result<Self, StoreError> {
        let database = schema::open(name, version).await?;
        let lost = Rc::new(Cell::new(false));
        let flag = Rc::clone(&lost);
        let closure = Closure::<dyn FnMut()>::new(move || flag.set(true));
        watch(&database, closure.as_ref().unchecked_ref());
        Ok(Self {
            database,
            lost,
            _lost: closure,
            end: RefCell::default(),
        })
    }

    /// The summaries of all sessions, ordered by session id.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        let found: Array = self
            .settle(all(self.database()?, &names(&[SESSIONS]), None))
            .await?
            .unchecked_into();
        let values: Array = found.get(1).unchecked_into();
        Ok(values.iter().filter_map(|value| value.as_string()).collect())
    }

    /// The ids of all sessions.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let found = self.settle(all(self.database()?, &names(&[SESSIONS]), None));
        let found: Array = found.await?.unchecked_into();
        let keys: Array = found.get(0).unchecked_into();
        Ok(keys.iter().filter_map(|key| key.as_string()).collect())
    }

    /// The summary of a session, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn summary(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.text_at(SESSIONS, &session.into()).await
    }

    /// Sets or replaces the summary of a session.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn put_summary(&self, session: &str, summary: &str) -> Result<(), StoreError> {
        let put = step(SESSIONS, "put", &[summary.into(), session.into()]);
        self.change(&[SESSIONS], Durability::Relaxed, vec![put]).await
    }

    /// Makes the summary of a session anew from the stored one.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn summarize(&self, session: &str, summarize: Summarize) -> Result<(), StoreError> {
        let summary = Some((session, summarize));
        self.change_after(&[SESSIONS], Durability::Relaxed, None, vec![], summary)
            .await
            .map(drop)
    }

    /// Removes a session with its record, its recorded calls and drafts; nothing happens if there is none.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub async fn delete(&self, session: &str) -> Result<(), StoreError> {
        self.end.take();
        let mut steps = vec![step(SESSIONS, "delete", &[session.into()])];
        steps.extend([ENTRIES, DRAFTS, CALLS].map(|store| step(store, "delete", &[of_session(session)])));
        steps.push(step(SIGNATURES, "delete", &[session.into()]));
        let stores = [SESSIONS, ENTRIES, DRAFTS, CALLS, SIGNATURES];
        self.change(&stores, Durability::Strict, steps).await
    }

    /// Puts a signature beside a session's record.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn put_signature(&self, session: &str, signature: &str) -> Result<(), StoreError> {
        let put = step(SIGNATURES, "put", &[signature.into(), session.into()]);
        self.change(&[SIGNATURES], Durability::Relaxed, vec![put]).await
    }

    /// The signature beside a session's record, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn signature(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.text_at(SIGNATURES, &session.into()).await
    }

    /// Keeps what a person has typed so far for an ask; an empty text removes it.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn save_draft(&self, session: &str, ask: &str, draft: &str) -> Result<(), StoreError> {
        let key = key(session, &ask.into());
        let step = if draft.is_empty() {
            step(DRAFTS, "delete", &[key])
        } else {
            step(DRAFTS, "put", &[draft.into(), key])
        };
        self.change(&[DRAFTS], Durability::Relaxed, vec![step]).await
    }

    /// The draft for an ask, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn draft(&self, session: &str, ask: &str) -> Result<Option<String>, StoreError> {
        self.text_at(DRAFTS, &key(session, &ask.into())).await
    }

    /// Removes all drafts of a session.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub async fn delete_drafts(&self, session: &str) -> Result<(), StoreError> {
        let step = step(DRAFTS, "delete", &[of_session(session)]);
        self.change(&[DRAFTS], Durability::Relaxed, vec![step]).await
    }

    async fn text_at(&self, store: &str, key: &JsValue) -> Result<Option<String>, StoreError> {
        let found = self.settle(value(self.database()?, store, key)).await?;
        Ok(found.as_string())
    }

    async fn change(
        &self,
        stores: &[&str],
        durability: Durability,
        steps: Vec<JsValue>,
    ) -> Result<(), StoreError> {
        self.change_after(stores, durability, None, steps, None)
            .await
            .map(drop)
    }

    /// Changes something where `after`, a store and a key in it, is there (or, with `false`, is not there);
    /// `false`: that is not so, and nothing was changed.
    async fn change_after(
        &self,
        stores: &[&str],
        durability: Durability,
        after: Option<(&str, JsValue, bool)>,
        steps: Vec<JsValue>,
        summary: Option<(&str, Summarize)>,
    ) -> Result<bool, StoreError> {
        let durability = match durability {
            Durability::Relaxed => "relaxed",
            Durability::Strict => "strict",
        };
        let after = after.map_or(JsValue::NULL, |(store, key, there)| {
            Array::of3(&store.into(), &key, &there.into()).into()
        });
        // It lives until the change is stored: it may be called or not.
        let summary = summary.map(|(session, mut summarize)| {
            let make = move |stored: JsValue| {
                summarize(stored.as_string()).map_or(JsValue::UNDEFINED, |summary| summary.as_str().into())
            };
            let make = Closure::<dyn FnMut(JsValue) -> JsValue>::new(make);
            (Array::of3(&SESSIONS.into(), &session.into(), make.as_ref()), make)
        });
        let told = summary
            .as_ref()
            .map_or(JsValue::NULL, |(step, _)| step.clone().into());
        let stored = change(
            self.database()?,
            &names(stores),
            durability,
            &after,
            &steps.into_iter().collect(),
            &told,
        );
        Ok(self.settle(stored).await?.is_truthy())
    }

    fn database(&self) -> Result<&IdbDatabase, StoreError> {
        if self.lost.get() {
            return Err(StoreError::lost());
        }
        Ok(&self.database)
    }

    async fn settle(&self, promise: Promise) -> Result<JsValue, StoreError> {
        JsFuture::from(promise).await.map_err(|reason| {
            if reason.is_null() || reason.is_undefined() {
                StoreError::undone()
            } else {
                StoreError::from_js(&reason)
            }
        })
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        unwatch(&self.database);
        self.database.close();
    }
}

fn names(stores: &[&str]) -> Array {
    stores.iter().map(|name| JsValue::from_str(name)).collect()
}

fn step(store: &str, method: &str, arguments: &[JsValue]) -> JsValue {
    let name = [store.into(), method.into()];
    name.iter().chain(arguments).collect::<Array>().into()
}

fn key(session: &str, part: &JsValue) -> JsValue {
    Array::of2(&session.into(), part).into()
}
