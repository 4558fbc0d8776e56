//! Stores the summary of a run for lists of sessions. It changes with every entry but is read seldom, so it
//! is stored with the head and the result of a record, with an append now and then, and a moment after the
//! last one. After a crash the stored summary may lag by a few entries; state and result of an ended run are
//! always current.

use super::super::store::Summarize;
use super::super::timer::Timer;
use super::Driver;
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind};
use crate::procedures::summary::{renewed, summary};
use futures_util::future::{AbortHandle, abortable};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;

/// Minimum interval between two writes of a summary, in milliseconds.
const REST: Millis = 1000;

/// The summary of the stored entries, and whether it is stored itself.
pub(super) struct SummaryWriter {
    summary: RefCell<Value>,
    is_stored: Cell<bool>,
    /// The interval until the next write.
    rest: RefCell<Option<AbortHandle>>,
}

impl SummaryWriter {
    pub(super) fn new(record: &[Rc<Entry>], now: Millis) -> Self {
        Self {
            summary: RefCell::new(summary(record, now)),
            is_stored: Cell::new(true),
            rest: RefCell::default(),
        }
    }

    /// Returns `true` if the summary is to be stored with the next append.
    pub(super) fn is_due(&self) -> bool {
        self.rest.borrow().is_none()
    }
}

/// Builds the update of the stored summary.
pub(super) fn summarize(summary: Value) -> Summarize {
    Box::new(move |stored| {
        let stored = stored.and_then(|stored| serde_json::from_str(&stored).ok());
        renewed(stored.as_ref(), summary.clone()).map(|summary| summary.to_string())
    })
}

impl Driver {
    /// Builds the summary as of these entries.
    pub(super) fn summary_with(&self, entries: &[Rc<Entry>]) -> Value {
        let now = self.now();
        let has_ended = entries
            .iter()
            .any(|entry| matches!(entry.what, EntryKind::Ended { .. }));
        let mut summary = if has_ended {
            summary(&self.session.borrow().record(), now)
        } else {
            self.summary_writer.summary.borrow().clone()
        };
        summary["updated"] = json!(now);
        summary["entries"] = json!(entries.last().map_or(0, |entry| entry.seq + 1));
        summary
    }

    /// Records that entries were stored, with the summary (`is_stored`) or without it.
    pub(super) fn note_stored(self: &Rc<Self>, summary: Value, is_stored: bool) {
        *self.summary_writer.summary.borrow_mut() = summary;
        self.summary_writer.is_stored.set(is_stored);
        if !is_stored || self.summary_writer.rest.borrow().is_some() {
            return;
        }
        let driver = Rc::clone(self);
        let (rest, handle) = abortable(async move {
            Timer::after(REST).await;
            driver.summary_writer.rest.take();
            driver.write_pending().await;
        });
        *self.summary_writer.rest.borrow_mut() = Some(handle);
        spawn_local(async move {
            let _ = rest.await;
        });
    }

    /// Stores a pending summary. After a failure the next append retries.
    async fn write_pending(&self) {
        let Some(store) = self
            .store()
            .filter(|_| !self.summary_writer.is_stored.replace(true))
        else {
            return;
        };
        let mut summarize = summarize(self.summary_writer.summary.borrow().clone());
        // A record that was removed meanwhile is not listed.
        let unless_removed: Summarize =
            Box::new(move |stored| stored.and_then(|stored| summarize(Some(stored))));
        if store.summarize(&self.id, unless_removed).await.is_err() {
            self.summary_writer.is_stored.set(false);
        }
    }

    /// Stores a pending summary at the end.
    pub(super) async fn write_last(&self) {
        if let Some(rest) = self.summary_writer.rest.take() {
            rest.abort();
        }
        self.write_pending().await;
    }
}
