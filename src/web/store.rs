//! Sessions, their records and drafts in IndexedDB. Lines are opaque here: nobody reads JSON in this
//! file. A record is kept as single lines at its end and as blocks of 256 lines before: appending
//! stays cheap, and so does loading a long record. Every change is one transaction.

mod error;
mod schema;

pub use error::{StoreCode, StoreError};
pub use schema::VERSION;

use idb::{KeyRange, ObjectStore, Query, Transaction};
use js_sys::{Array, Function, Promise};
use schema::{CHUNKS, DRAFTS, ENTRIES, SESSIONS};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbTransaction};

/// Name of the database that the page uses.
pub const DATABASE: &str = "quorate";
/// Lines of a block.
pub const BLOCK: u64 = 256;

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn begin(
        database: &IdbDatabase,
        stores: &Array,
        mode: &str,
        durability: &str,
    ) -> Result<IdbTransaction, JsValue>;
    fn finished(transaction: &IdbTransaction) -> Promise;
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

/// An open connection. Closed when dropped, and by itself when another tab upgrades the database.
#[derive(Debug)]
pub struct Store {
    database: IdbDatabase,
    lost: Rc<Cell<bool>>,
    _lost: Closure<dyn FnMut()>,
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
        })
    }

    /// Appends lines `(seq, line)` to a session's record, and replaces its summary where one is given:
    /// all of it or nothing. The numbers must go on where the record ends.
    ///
    /// # Errors
    /// `Quota` where there is no room; `Corrupt` where the lines do not fit the end of the record.
    pub async fn append(
        &self,
        session: &str,
        lines: &[(u64, String)],
        summary: Option<&str>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        self.append_with(session, lines, |_| summary.map(str::to_owned), durability)
            .await
    }

    /// Like [`Self::append`]; `summarize` makes the new summary from the stored one, or leaves that as
    /// it is.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub async fn append_with(
        &self,
        session: &str,
        lines: &[(u64, String)],
        summarize: impl FnOnce(Option<&str>) -> Option<String>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        check_lines(session, lines)?;
        let change = self.change(&[SESSIONS, ENTRIES, CHUNKS], durability)?;
        let done = append_lines(&change.transaction, session, lines, summarize).await;
        change.settle(done).await
    }

    /// All lines of a session in order; none if there is no such session.
    ///
    /// # Errors
    /// `Corrupt`, naming the place, where a line is missing or there twice.
    pub async fn load(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let view = self.view(&[ENTRIES, CHUNKS])?;
        let (chunks, entries) = (view.object_store(CHUNKS)?, view.object_store(ENTRIES)?);
        // All four are asked for before the first is awaited, so that they share the transaction.
        let range = || all_of(session);
        let chunk_keys = chunks.get_all_keys(Some(range()?), None)?;
        let chunk_values = chunks.get_all(Some(range()?), None)?;
        let entry_keys = entries.get_all_keys(Some(range()?), None)?;
        let entry_values = entries.get_all(Some(range()?), None)?;
        let (chunk_keys, chunk_values) = (chunk_keys.await?, chunk_values.await?);
        let (entry_keys, entry_values) = (entry_keys.await?, entry_values.await?);

        let mut lines = Vec::new();
        for (key, value) in chunk_keys.iter().zip(chunk_values) {
            expect_place(session, key, lines.len() as u64 / BLOCK, BLOCK)?;
            let block = text(&value, session, lines.len())?;
            lines.extend(block.split('\n').map(str::to_owned));
            if !(lines.len() as u64).is_multiple_of(BLOCK) {
                return Err(StoreError::corrupt(
                    session,
                    &format!("the block before entry {} is not complete", lines.len()),
                ));
            }
        }
        for (key, value) in entry_keys.iter().zip(entry_values) {
            expect_place(session, key, lines.len() as u64, 1)?;
            lines.push(text(&value, session, lines.len())?);
        }
        Ok(lines)
    }

    /// The summaries of all sessions, ordered by session id.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        let values = self
            .view(&[SESSIONS])?
            .object_store(SESSIONS)?
            .get_all(None, None)?
            .await?;
        Ok(values.iter().filter_map(JsValue::as_string).collect())
    }

    /// The summary of a session, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn summary(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.text_at(SESSIONS, &JsValue::from_str(session)).await
    }

    /// Sets or replaces the summary of a session.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn put_summary(&self, session: &str, summary: &str) -> Result<(), StoreError> {
        self.put(SESSIONS, &JsValue::from_str(session), summary).await
    }

    /// Removes a session with its record and drafts; nothing happens if there is none.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub async fn delete(&self, session: &str) -> Result<(), StoreError> {
        let change = self.change(&[SESSIONS, ENTRIES, CHUNKS, DRAFTS], Durability::Strict)?;
        let done = (|| {
            change
                .transaction
                .object_store(SESSIONS)?
                .delete(JsValue::from_str(session))?;
            for name in [ENTRIES, CHUNKS, DRAFTS] {
                change.transaction.object_store(name)?.delete(all_of(session)?)?;
            }
            Ok(())
        })();
        change.settle(done).await
    }

    /// Keeps what a person has typed so far for an ask; an empty text removes it.
    ///
    /// # Errors
    /// `Quota` where there is no room.
    pub async fn save_draft(&self, session: &str, ask: &str, draft: &str) -> Result<(), StoreError> {
        let key = key(session, &JsValue::from_str(ask));
        if !draft.is_empty() {
            return self.put(DRAFTS, &key, draft).await;
        }
        let change = self.change(&[DRAFTS], Durability::Relaxed)?;
        let done = change
            .transaction
            .object_store(DRAFTS)
            .and_then(|store| store.delete(key));
        change.settle(done.map(drop).map_err(Into::into)).await
    }

    /// The draft for an ask, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn draft(&self, session: &str, ask: &str) -> Result<Option<String>, StoreError> {
        self.text_at(DRAFTS, &key(session, &JsValue::from_str(ask))).await
    }

    /// Removes all drafts of a session.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub async fn delete_drafts(&self, session: &str) -> Result<(), StoreError> {
        let change = self.change(&[DRAFTS], Durability::Relaxed)?;
        let done =
            all_of(session).and_then(|range| Ok(change.transaction.object_store(DRAFTS)?.delete(range)?));
        change.settle(done.map(drop)).await
    }

    async fn text_at(&self, store: &str, key: &JsValue) -> Result<Option<String>, StoreError> {
        let value = self
            .view(&[store])?
            .object_store(store)?
            .get(key.clone())?
            .await?;
        Ok(value.and_then(|value| value.as_string()))
    }

    async fn put(&self, store: &str, key: &JsValue, value: &str) -> Result<(), StoreError> {
        let change = self.change(&[store], Durability::Relaxed)?;
        let done = change.transaction.object_store(store);
        let done = done.and_then(|store| store.put(&JsValue::from_str(value), Some(key)));
        change.settle(done.map(drop).map_err(Into::into)).await
    }

    fn view(&self, stores: &[&str]) -> Result<Transaction, StoreError> {
        self.transaction(stores, "readonly", "default").map(Into::into)
    }

    fn change(&self, stores: &[&str], durability: Durability) -> Result<Change, StoreError> {
        let durability = match durability {
            Durability::Relaxed => "relaxed",
            Durability::Strict => "strict",
        };
        let raw = self.transaction(stores, "readwrite", durability)?;
        let finished = JsFuture::from(finished(&raw));
        Ok(Change {
            transaction: raw.clone().into(),
            raw,
            finished,
        })
    }

    fn transaction(
        &self,
        stores: &[&str],
        mode: &str,
        durability: &str,
    ) -> Result<IdbTransaction, StoreError> {
        if self.lost.get() {
            return Err(StoreError::lost());
        }
        let names: Array = stores.iter().map(|name| JsValue::from_str(name)).collect();
        begin(&self.database, &names, mode, durability).map_err(|error| StoreError::from_js(&error))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        unwatch(&self.database);
        self.database.close();
    }
}

/// A transaction that changes something. (`idb`'s own future for its end loses the reason.)
struct Change {
    raw: IdbTransaction,
    transaction: Transaction,
    finished: JsFuture,
}

impl Change {
    /// Waits until the change is stored; where a step of it failed, undoes all of it.
    async fn settle(self, done: Result<(), StoreError>) -> Result<(), StoreError> {
        if done.is_err() {
            // Fails where the browser has undone it already.
            let _ = self.raw.abort();
        }
        match self.finished.await {
            Ok(_) => done,
            // The transaction knows the first cause; a null means that it was undone from here.
            Err(reason) if reason.is_null() || reason.is_undefined() => {
                Err(done.err().unwrap_or_else(StoreError::undone))
            }
            Err(reason) => Err(StoreError::from_js(&reason)),
        }
    }
}

fn check_lines(session: &str, lines: &[(u64, String)]) -> Result<(), StoreError> {
    let consecutive = lines
        .windows(2)
        .all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
    if !consecutive || lines.iter().any(|(_, line)| line.contains('\n')) {
        return Err(StoreError::corrupt(
            session,
            "the lines to append are not consecutive single lines",
        ));
    }
    Ok(())
}

async fn append_lines(
    transaction: &Transaction,
    session: &str,
    lines: &[(u64, String)],
    summarize: impl FnOnce(Option<&str>) -> Option<String>,
) -> Result<(), StoreError> {
    let (entries, chunks) = (
        transaction.object_store(ENTRIES)?,
        transaction.object_store(CHUNKS)?,
    );
    let sessions = transaction.object_store(SESSIONS)?;
    let key = JsValue::from_str(session);
    let old = sessions.get(key.clone())?.await?.and_then(|old| old.as_string());
    if let Some(summary) = summarize(old.as_deref()) {
        sessions.put(&JsValue::from_str(&summary), Some(&key))?;
    }
    if let Some((first, _)) = lines.first() {
        check_end(&entries, &chunks, session, *first).await?;
    }
    let mut rest = lines;
    while let Some((first, _)) = rest.first() {
        let begun = first % BLOCK;
        let room = usize::try_from(BLOCK - begun).unwrap_or(usize::MAX);
        let (now, later) = rest.split_at(room.min(rest.len()));
        if now.len() == room {
            let mut block = Vec::new();
            if begun > 0 {
                let range = block_of(session, first / BLOCK)?;
                block = entries
                    .get_all(Some(range.clone()), None)?
                    .await?
                    .iter()
                    .filter_map(JsValue::as_string)
                    .collect();
                entries.delete(range)?;
            }
            if block.len() as u64 != begun {
                return Err(StoreError::corrupt(
                    session,
                    &format!("entries before {first} are missing"),
                ));
            }
            block.extend(now.iter().map(|(_, line)| line.clone()));
            chunks.add(
                &JsValue::from_str(&block.join("\n")),
                Some(&place(session, first / BLOCK)),
            )?;
        } else {
            for (seq, line) in now {
                entries.add(&JsValue::from_str(line), Some(&place(session, *seq)))?;
            }
        }
        rest = later;
    }
    Ok(())
}

/// Whether the record ends right before `first`. A line that is there already is found by adding it.
async fn check_end(
    entries: &ObjectStore,
    chunks: &ObjectStore,
    session: &str,
    first: u64,
) -> Result<(), StoreError> {
    let before = match first.checked_sub(1) {
        None => chunks.get_key(place(session, 0))?.await?.is_none(),
        Some(last) if first.is_multiple_of(BLOCK) => {
            chunks.get_key(place(session, last / BLOCK))?.await?.is_some()
        }
        Some(last) => entries.get_key(place(session, last))?.await?.is_some(),
    };
    if before {
        Ok(())
    } else {
        Err(StoreError::corrupt(
            session,
            &format!("it does not end before entry {first}"),
        ))
    }
}

fn key(session: &str, part: &JsValue) -> JsValue {
    Array::of2(&JsValue::from_str(session), part).into()
}

fn place(session: &str, number: u64) -> JsValue {
    key(session, &JsValue::from_f64(number as f64))
}

/// Every key `[session, anything]`: an array sorts after numbers and texts.
fn all_of(session: &str) -> Result<Query, StoreError> {
    let lower = Array::of1(&JsValue::from_str(session));
    range(&lower, &key(session, &Array::new()))
}

fn block_of(session: &str, block: u64) -> Result<Query, StoreError> {
    range(
        &place(session, block * BLOCK),
        &place(session, (block + 1) * BLOCK - 1),
    )
}

fn range(lower: &JsValue, upper: &JsValue) -> Result<Query, StoreError> {
    Ok(KeyRange::bound(lower, upper, None, None)?.into())
}

fn text(value: &JsValue, session: &str, at: usize) -> Result<String, StoreError> {
    value
        .as_string()
        .ok_or_else(|| StoreError::corrupt(session, &format!("entry {at} is no text")))
}

/// Whether a stored key `[session, number]` has the number that comes next.
fn expect_place(session: &str, key: &JsValue, expected: u64, size: u64) -> Result<(), StoreError> {
    let found = key.dyn_ref::<Array>().and_then(|key| key.get(1).as_f64());
    if found == Some(expected as f64) {
        return Ok(());
    }
    Err(StoreError::corrupt(
        session,
        &format!("entry {} is missing", expected * size),
    ))
}
