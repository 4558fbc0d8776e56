//! Writes to a database. Changes that arrive during a transaction share the next one; otherwise many
//! sessions writing at once would wait for each other. If a shared transaction fails, each of its changes is
//! retried alone, so that none fails because of another.

use super::StoreError;
use super::requests::{Connection, Durability, end_of, result_of};
use super::schema::SESSIONS;
use futures_channel::oneshot::{Sender, channel};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{IdbRequest, IdbTransaction};

/// Requests made before one is awaited, so that large changes do not block the thread.
const PORTION: usize = 256;

/// Returns the new summary of a session for the stored one; `None` keeps it. May be called twice.
pub type Summarize = Box<dyn FnMut(Option<String>) -> Option<String>>;

/// An atomic change.
pub(super) struct Change {
    pub(super) durability: Durability,
    /// A key that must exist in a store, or must not.
    pub(super) condition: Option<Condition>,
    pub(super) steps: Vec<Step>,
    /// The session whose summary is updated.
    pub(super) summary: Option<(String, Summarize)>,
}

pub(super) struct Condition {
    pub(super) store: &'static str,
    pub(super) key: JsValue,
    pub(super) exists: bool,
}

pub(super) struct Step {
    pub(super) store: &'static str,
    pub(super) key: JsValue,
    pub(super) action: Action,
}

pub(super) enum Action {
    /// Fails if the key exists.
    Add(JsValue),
    Put(JsValue),
    /// The key may be a range.
    Delete,
}

impl Change {
    pub(super) fn of(durability: Durability, steps: Vec<Step>) -> Self {
        Self {
            durability,
            condition: None,
            steps,
            summary: None,
        }
    }

    fn stores(&self) -> impl Iterator<Item = &'static str> {
        let condition = self.condition.iter().map(|condition| condition.store);
        let summary = self.summary.iter().map(|_| SESSIONS);
        let steps = self.steps.iter().map(|step| step.store);
        condition.chain(summary).chain(steps)
    }
}

impl Step {
    pub(super) fn add(store: &'static str, key: JsValue, value: impl Into<JsValue>) -> Self {
        let action = Action::Add(value.into());
        Self { store, key, action }
    }

    pub(super) fn put(store: &'static str, key: impl Into<JsValue>, value: impl Into<JsValue>) -> Self {
        Self {
            store,
            key: key.into(),
            action: Action::Put(value.into()),
        }
    }

    pub(super) fn delete(store: &'static str, key: impl Into<JsValue>) -> Self {
        Self {
            store,
            key: key.into(),
            action: Action::Delete,
        }
    }

    fn request(&self, transaction: &IdbTransaction) -> Result<IdbRequest, JsValue> {
        let store = transaction.object_store(self.store)?;
        match &self.action {
            Action::Add(value) => store.add_with_key(value, &self.key),
            Action::Put(value) => store.put_with_key(value, &self.key),
            Action::Delete => store.delete(&self.key),
        }
    }
}

/// A change waiting for its transaction.
struct Pending {
    connection: Connection,
    change: Change,
    done: Sender<Result<bool, StoreError>>,
}

thread_local! {
    /// Waiting changes, by the name of a database that is being written to.
    static QUEUES: RefCell<BTreeMap<String, Vec<Pending>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Stores a change. Returns `false` and stores nothing if its condition does not hold.
pub(super) async fn store(connection: &Connection, change: Change) -> Result<bool, StoreError> {
    let (done, result) = channel();
    let connection = connection.clone();
    let name = connection.name();
    let pending = Pending {
        connection,
        change,
        done,
    };
    let is_idle = QUEUES.with_borrow_mut(|queues| {
        let is_idle = !queues.contains_key(&name);
        queues.entry(name.clone()).or_default().push(pending);
        is_idle
    });
    if is_idle {
        spawn_local(store_all(name));
    }
    result.await.unwrap_or_else(|_| Err(StoreError::undone()))
}

/// Stores waiting changes until none is left.
async fn store_all(name: String) {
    loop {
        let mut batch =
            QUEUES.with_borrow_mut(|queues| queues.get_mut(&name).map(std::mem::take).unwrap_or_default());
        if batch.is_empty() {
            break;
        }
        let is_stored = batch.len() > 1 && matches!(transact(&mut batch).await, Ok(true));
        for mut pending in batch {
            let result = if is_stored {
                Ok(true)
            } else {
                transact(std::slice::from_mut(&mut pending)).await
            };
            let _ = pending.done.send(result.map_err(StoreError::from));
        }
    }
    QUEUES.with_borrow_mut(|queues| queues.remove(&name));
}

/// Stores changes in one transaction, over the connection of the first. Returns `false` if a condition does
/// not hold.
async fn transact(batch: &mut [Pending]) -> Result<bool, JsValue> {
    let Some(first) = batch.first() else {
        return Ok(true);
    };
    let stores: BTreeSet<&str> = batch.iter().flat_map(|pending| pending.change.stores()).collect();
    let durability = batch.iter().map(|pending| pending.change.durability).max();
    let transaction = first
        .connection
        .write(stores, durability.unwrap_or(Durability::Relaxed))?;
    let end = end_of(&transaction);
    let requested = request(&transaction, batch).await;
    if !matches!(requested, Ok(true)) {
        // Throws if the browser has aborted it already.
        let _ = transaction.abort();
    }
    let end = end.await;
    match requested {
        Ok(true) => end.map(|()| true),
        Ok(false) => Ok(false),
        // Prefer the browser's reason: after its abort, requests fail without one.
        Err(cause) => Err(end.err().filter(JsValue::is_object).unwrap_or(cause)),
    }
}

/// Makes the requests of changes in order.
async fn request(transaction: &IdbTransaction, batch: &mut [Pending]) -> Result<bool, JsValue> {
    let mut checks = Vec::new();
    let mut count = 0;
    for Change {
        condition,
        steps,
        summary,
        ..
    } in batch.iter_mut().map(|pending| &mut pending.change)
    {
        if let Some(Condition { store, key, exists }) = condition {
            let found = transaction.object_store(store)?.get_key(key)?;
            checks.push((result_of(&found), *exists));
        }
        if let Some((session, summarize)) = summary {
            let sessions = transaction.object_store(SESSIONS)?;
            let key = session.as_str().into();
            let stored = result_of(&sessions.get(&key)?).await?;
            if let Some(summary) = summarize(stored.as_string()) {
                sessions.put_with_key(&summary.into(), &key)?;
            }
        }
        for step in steps {
            let request = step.request(transaction)?;
            count += 1;
            if count % PORTION == 0 {
                result_of(&request).await?;
            }
        }
    }
    for (found, exists) in checks {
        if found.await?.is_undefined() == exists {
            return Ok(false);
        }
    }
    Ok(true)
}
