//! Sessions and their records, in IndexedDB with drafts and the memory of debates, or in a folder. Lines are
//! opaque here; their JSON is not parsed. Every change is atomic: once it has resolved, a crash of the page does
//! not undo it. The storage of records in IndexedDB is described in `record`.

mod calls;
mod changes;
mod error;
mod folder;
mod kept;
mod record;
mod requests;
mod schema;

pub use changes::Summarize;
pub use error::{StoreCode, StoreError};
pub use folder::{Files, Folder};
pub use kept::StoredRow;
pub use record::PIECE;
pub use requests::Durability;
pub use schema::VERSION;

use crate::procedures::recorded::RecordedCall;
use changes::{Change, Step};
use js_sys::Array;
use record::End;
use requests::{Connection, key, keys_of, result_of};
use schema::{CALLS, DRAFTS, ENTRIES, SESSIONS, SIGNATURES};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{IdbCursorDirection, IdbCursorWithValue, IdbObjectStore};

/// Name of the page's database.
pub const DATABASE: &str = "quorate";

/// Where records are stored.
#[derive(Debug)]
pub enum Store {
    Database(Database),
    Files(Files),
}

impl Store {
    /// Returns the summaries of all sessions.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Database(database) => database.summaries().await,
            Self::Files(files) => files.summaries().await,
        }
    }

    /// Returns whether there is a session with this id.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn has(&self, session: &str) -> Result<bool, StoreError> {
        match self {
            Self::Database(database) => Ok(database.summary(session).await?.is_some()),
            Self::Files(files) => Ok(!files.load(session).await?.is_empty()),
        }
    }

    /// Updates the stored summary of a session. A folder has none.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn summarize(&self, session: &str, summarize: Summarize) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => database.summarize(session, summarize).await,
            Self::Files(_) => Ok(()),
        }
    }

    /// Deletes a session with its record, if it exists.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written.
    pub async fn delete(&self, session: &str) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => database.delete(session).await,
            Self::Files(files) => files.delete(session).await,
        }
    }

    /// Appends lines `(seq, line)` to a session's record, with the rows of recorded calls among them (`None`
    /// leaves the index unchanged), and updates the summary, if given.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space; `Corrupt` if the lines do not continue the record.
    pub async fn append_calls(
        &self,
        session: &str,
        lines: &[(u64, String)],
        rows: Option<&[RecordedCall]>,
        summarize: Option<Summarize>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => {
                database
                    .append_calls(session, lines, rows, summarize, durability)
                    .await
            }
            Self::Files(files) => files.append(session, lines, rows).await,
        }
    }

    /// Returns all lines of a session in order; empty if there is no such session.
    ///
    /// # Errors
    /// Returns `Corrupt`, naming the entry, if a line is missing or duplicated.
    pub async fn load(&self, session: &str) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Database(database) => database.load(session).await,
            Self::Files(files) => files.load(session).await,
        }
    }

    /// Returns the entries of a session for JS, even if they were altered; empty if there is no such session.
    ///
    /// # Errors
    /// As [`Self::load`], and `Corrupt` if a line is not an entry.
    pub async fn data(&self, session: &str) -> Result<Array, StoreError> {
        match self {
            Self::Database(database) => database.data(session).await,
            Self::Files(files) => record::data_of(session, &files.load(session).await?).await,
        }
    }

    /// Stores the signature of a session's record. A folder keeps none.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn put_signature(&self, session: &str, signature: &str) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => database.put_signature(session, signature).await,
            Self::Files(_) => Ok(()),
        }
    }

    /// Returns the signature of a session's record, if any.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn signature(&self, session: &str) -> Result<Option<String>, StoreError> {
        match self {
            Self::Database(database) => database.signature(session).await,
            Self::Files(_) => Ok(None),
        }
    }

    /// Signs a text with the key of this browser profile; null if there is none.
    ///
    /// # Errors
    /// Returns an error if the connection is lost.
    pub async fn sign_if_able(&self, text: &str) -> Result<JsValue, StoreError> {
        match self {
            Self::Database(database) => database.sign_if_able(text).await,
            Self::Files(_) => Ok(JsValue::NULL),
        }
    }

    /// Returns the recorded calls with this hash, each with its session.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn calls(&self, hash: &str) -> Result<Vec<(String, RecordedCall)>, StoreError> {
        match self {
            Self::Database(database) => database.calls(hash).await,
            Self::Files(files) => Ok(files.calls(hash)),
        }
    }

    /// Returns one line of a session's record, if it exists.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn line(&self, session: &str, seq: u64) -> Result<Option<String>, StoreError> {
        match self {
            Self::Database(database) => database.line(session, seq).await,
            Self::Files(files) => files.line(session, seq).await,
        }
    }

    /// Indexes the recorded calls of sessions that are not indexed yet. Unreadable ones are skipped.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written.
    pub async fn index_all(&self) -> Result<(), StoreError> {
        match self {
            Self::Database(database) => database.index_all().await,
            Self::Files(files) => files.index_all().await,
        }
    }
}

/// An open connection. Closed when dropped, or when another tab upgrades the database.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    is_lost: Rc<Cell<bool>>,
    _on_lost: Closure<dyn Fn()>,
    /// End of the record last read or appended to; `None` after a failure.
    end: RefCell<Option<End>>,
}

impl Database {
    /// Opens the database and upgrades its schema.
    ///
    /// # Errors
    /// Returns `Unavailable` without IndexedDB or if a newer version wrote the data; `Blocked` if another
    /// tab keeps an old version open.
    pub async fn open(name: &str) -> Result<Self, StoreError> {
        Self::open_version(name, VERSION).await
    }

    /// Opens with an older schema, to test upgrades.
    #[doc(hidden)]
    pub async fn open_version(name: &str, version: u32) -> Result<Self, StoreError> {
        let database = schema::open(name, version).await?;
        let is_lost = Rc::new(Cell::new(false));
        let on_lost = Closure::<dyn Fn()>::new({
            let (database, is_lost) = (database.clone(), Rc::clone(&is_lost));
            move || {
                database.close();
                is_lost.set(true);
            }
        });
        let handler = Some(on_lost.as_ref().unchecked_ref());
        database.set_onversionchange(handler);
        database.set_onclose(handler);
        Ok(Self {
            connection: database.unchecked_into(),
            is_lost,
            _on_lost: on_lost,
            end: RefCell::default(),
        })
    }

    /// Returns the summaries of all sessions, ordered by session id.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        let found = self.all(SESSIONS, None).await?;
        Ok(found
            .iter()
            .filter_map(|(_, summary)| summary.as_string())
            .collect())
    }

    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn sessions(&self) -> Result<Vec<String>, StoreError> {
        let found = self.all(SESSIONS, None).await?;
        Ok(found.iter().filter_map(|(id, _)| id.as_string()).collect())
    }

    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn summary(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.text_at(SESSIONS, &session.into()).await
    }

    /// Sets or replaces the summary of a session.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn put_summary(&self, session: &str, summary: &str) -> Result<(), StoreError> {
        let put = Step::put(SESSIONS, session, summary);
        self.change(Durability::Relaxed, vec![put]).await
    }

    /// Updates the summary of a session.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn summarize(&self, session: &str, summarize: Summarize) -> Result<(), StoreError> {
        let change = Change {
            summary: Some((session.to_owned(), summarize)),
            ..Change::of(Durability::Relaxed, vec![])
        };
        self.store(change).await.map(drop)
    }

    /// Deletes a session with its record, recorded calls and drafts, if it exists.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written.
    pub async fn delete(&self, session: &str) -> Result<(), StoreError> {
        self.end.take();
        let keys = keys_of(session)?;
        let steps = [SESSIONS, SIGNATURES].map(|store| Step::delete(store, session));
        let ranges = [ENTRIES, DRAFTS, CALLS].map(|store| Step::delete(store, keys.clone()));
        let steps = steps.into_iter().chain(ranges).collect();
        self.change(Durability::Strict, steps).await
    }

    /// Stores the signature of a session's record.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn put_signature(&self, session: &str, signature: &str) -> Result<(), StoreError> {
        let put = Step::put(SIGNATURES, session, signature);
        self.change(Durability::Relaxed, vec![put]).await
    }

    /// Returns the signature of a session's record, if any.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn signature(&self, session: &str) -> Result<Option<String>, StoreError> {
        self.text_at(SIGNATURES, &session.into()).await
    }

    /// Stores a draft for an ask; an empty text removes it.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space.
    pub async fn save_draft(&self, session: &str, ask: &str, draft: &str) -> Result<(), StoreError> {
        let key = key(session, ask);
        let step = if draft.is_empty() {
            Step::delete(DRAFTS, key)
        } else {
            Step::put(DRAFTS, key, draft)
        };
        self.change(Durability::Relaxed, vec![step]).await
    }

    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn draft(&self, session: &str, ask: &str) -> Result<Option<String>, StoreError> {
        self.text_at(DRAFTS, &key(session, ask)).await
    }

    /// # Errors
    /// Returns an error if the store cannot be written.
    pub async fn delete_drafts(&self, session: &str) -> Result<(), StoreError> {
        let delete = Step::delete(DRAFTS, keys_of(session)?);
        self.change(Durability::Relaxed, vec![delete]).await
    }

    async fn value_at(&self, store: &str, key: &JsValue) -> Result<JsValue, StoreError> {
        let found = self.reading(store)?.get(key)?;
        Ok(result_of(&found).await?)
    }

    async fn text_at(&self, store: &str, key: &JsValue) -> Result<Option<String>, StoreError> {
        Ok(self.value_at(store, key).await?.as_string())
    }

    /// Returns all keys and values of a store, or those of keys `[first, …]`.
    async fn all(&self, store: &str, first: Option<&str>) -> Result<Vec<(JsValue, JsValue)>, StoreError> {
        let keys = first.map(keys_of).transpose()?.unwrap_or_default();
        let store = self.reading(store)?;
        let (all_keys, all_values) = (
            result_of(&store.get_all_keys_with_key(&keys)?),
            result_of(&store.get_all_with_key(&keys)?),
        );
        let (all_keys, all_values): (Array, Array) = (
            all_keys.await?.unchecked_into(),
            all_values.await?.unchecked_into(),
        );
        Ok(all_keys.iter().zip(all_values.iter()).collect())
    }

    /// Returns the last key of a range and its value.
    async fn last(&self, store: &str, keys: &JsValue) -> Result<Option<(JsValue, JsValue)>, StoreError> {
        let store = self.reading(store)?;
        let cursor = store.open_cursor_with_range_and_direction(keys, IdbCursorDirection::Prev)?;
        let cursor = result_of(&cursor).await?;
        if cursor.is_null() {
            return Ok(None);
        }
        let cursor: IdbCursorWithValue = cursor.unchecked_into();
        Ok(Some((cursor.key()?, cursor.value()?)))
    }

    async fn change(&self, durability: Durability, steps: Vec<Step>) -> Result<(), StoreError> {
        self.store(Change::of(durability, steps)).await.map(drop)
    }

    /// Returns `false` and stores nothing if the condition of the change does not hold.
    async fn store(&self, change: Change) -> Result<bool, StoreError> {
        changes::store(self.connection()?, change).await
    }

    fn reading(&self, store: &str) -> Result<IdbObjectStore, StoreError> {
        let transaction = self.connection()?.transaction_with_str(store)?;
        Ok(transaction.object_store(store)?)
    }

    fn connection(&self) -> Result<&Connection, StoreError> {
        if self.is_lost.get() {
            return Err(StoreError::lost());
        }
        Ok(&self.connection)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.connection.set_onversionchange(None);
        self.connection.set_onclose(None);
        self.connection.close();
    }
}
