//! Recorded answers: calls found by their request, and seats of saved sessions played back. Nothing is sent
//! or invented: without a recorded answer the call fails.

use super::driver::Driver;
use super::session::read_record;
use super::store::{Store, StoreError};
use crate::core::ask::{Call, Failure, FailureKind, Recorded, Reply};
use crate::core::record::{Entry, EntryKind};
use crate::procedures::recorded::{Calls, RecordedCall, choose, same_ask_of};
use crate::seat::Seat;
use js_sys::Reflect;
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Use of recorded calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Recording {
    /// Models are called.
    #[default]
    Off,
    /// Recorded answers are used; otherwise the model is called.
    Use,
    /// Only recorded answers are used.
    Only,
}

/// A driver's data on recorded calls.
#[derive(Default)]
pub(super) struct RecordedCalls {
    calls: RefCell<Calls>,
    /// Rows of answers that are not stored yet.
    rows: RefCell<Vec<RecordedCall>>,
    /// Answers of sessions that are played back, by session.
    played: RefCell<BTreeMap<String, Rc<Answers>>>,
}

/// The entries that are answers.
type Answers = Vec<Rc<Entry>>;

impl Driver {
    /// Takes the record's entries up to `end`.
    pub(super) fn index_entries(&self, end: u64) {
        let mut calls = self.recorded_calls.calls.borrow_mut();
        let session = self.session.borrow();
        while let Some(entry) = session.entry(calls.next()).filter(|entry| entry.seq < end) {
            self.recorded_calls.rows.borrow_mut().extend(calls.take(&entry));
        }
    }

    /// Returns the rows to be stored with these entries.
    pub(super) fn rows_of(&self, entries: &[Rc<Entry>]) -> Vec<RecordedCall> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Vec::new();
        };
        self.index_entries(last.seq + 1);
        let rows = self.recorded_calls.rows.borrow();
        let is_of = |row: &&RecordedCall| (first.seq..=last.seq).contains(&row.seq);
        rows.iter().filter(is_of).cloned().collect()
    }

    /// Drops the rows of entries up to `last`, which are stored.
    pub(super) fn drop_stored_rows(&self, last: u64) {
        self.recorded_calls.rows.borrow_mut().retain(|row| row.seq > last);
    }

    /// Returns the recorded answer to a call, if it is to be used and exists.
    ///
    /// # Errors
    /// Returns `Unavailable` if it does not exist and models are not to be called.
    pub(super) async fn recorded_reply(&self, call: &Call) -> Result<Option<Reply>, Failure> {
        let recording = self.options.recorded;
        if recording == Recording::Off {
            return Ok(None);
        }
        self.index_entries(u64::MAX);
        let place = {
            let calls = self.recorded_calls.calls.borrow();
            calls
                .place(&call.ask.id)
                .map(|(hash, place)| (hash.to_owned(), place))
        };
        let found = match place {
            Some((hash, place)) => self.look_up(&hash, place).await,
            None => Ok(None),
        };
        match found {
            Ok(Some(reply)) => Ok(Some(reply)),
            _ if recording == Recording::Use => Ok(None),
            Ok(None) => Err(unavailable(format!(
                "No answer to this question ({}) is recorded in {}, and this run uses recorded answers only.",
                call.ask.id,
                self.options.place.name()
            ))),
            Err(error) => Err(unavailable(format!("Recorded answers cannot be used: {error}"))),
        }
    }

    async fn look_up(&self, hash: &str, place: usize) -> Result<Option<Reply>, StoreError> {
        let store = self.any_store().await?;
        let rows = store.calls(hash).await?;
        let Some((session, row)) = choose(rows, &self.id, place) else {
            return Ok(None);
        };
        let line = store.line(&session, row.seq).await?;
        let entry: Option<Entry> = line.and_then(|line| serde_json::from_str(&line).ok());
        Ok(match entry.map(|entry| entry.what) {
            Some(EntryKind::Answered { ask, reply, .. }) if ask == row.ask => {
                Some(mark_recorded(reply, session, row.seq))
            }
            _ => None,
        })
    }

    /// Returns the answer that the seat of a saved session gave to the same ask.
    ///
    /// # Errors
    /// Returns `Unavailable` if there is none.
    pub(super) async fn play_back(&self, call: &Call, seat: &Seat) -> Result<Reply, Failure> {
        let ask = &call.ask;
        let Some(plays) = &seat.plays else {
            let message = format!("No saved session is configured for seat {}.", ask.seat);
            return Err(unavailable(message));
        };
        let id = match plays.seat.as_deref() {
            Some(other) => same_ask_of(ask, other),
            None => Some(ask.id.clone()),
        };
        let answers = self.answers_of(&plays.session).await.map_err(|why| {
            unavailable(format!(
                "The saved session {} cannot be played back: {why}",
                plays.session
            ))
        })?;
        let answer = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Answered { ask, reply, .. } if id.as_ref() == Some(ask) => {
                Some((entry.seq, reply.clone()))
            }
            _ => None,
        };
        let found = answers.iter().rev().find_map(answer);
        match found {
            Some((seq, reply)) => Ok(mark_recorded(reply, plays.session.clone(), seq)),
            None => {
                // That session may continue later.
                self.recorded_calls.played.borrow_mut().remove(&plays.session);
                Err(unavailable(format!(
                    "The saved session {} has no answer to {} of {}. Branch off before it with another kind of seat, or end the run here.",
                    plays.session,
                    ask.id,
                    plays.seat.as_deref().unwrap_or(&ask.seat),
                )))
            }
        }
    }

    async fn answers_of(&self, session: &str) -> Result<Rc<Answers>, String> {
        if let Some(answers) = self.recorded_calls.played.borrow().get(session) {
            return Ok(Rc::clone(answers));
        }
        let store = self.any_store().await.map_err(|error| error.message)?;
        let lines = store.load(session).await.map_err(|error| error.message)?;
        let mut record = read_record(lines).await.map_err(|error| message_of(&error))?;
        if record.is_empty() {
            let place = self.options.place.name();
            return Err(format!("there is no session with this id in {place}."));
        }
        record.retain(|entry| matches!(entry.what, EntryKind::Answered { .. }));
        let answers: Rc<Answers> = Rc::new(record);
        let mut played = self.recorded_calls.played.borrow_mut();
        played.insert(session.to_owned(), Rc::clone(&answers));
        Ok(answers)
    }

    /// Returns the store, which is this browser's for a session in memory.
    async fn any_store(&self) -> Result<Rc<Store>, StoreError> {
        match self.store() {
            Some(store) => Ok(store),
            None => self.options.place.open().await.map(Rc::new),
        }
    }

    /// Indexes all stored sessions before the first call. If that fails, those already indexed are used.
    pub(super) async fn prepare_recorded(&self) {
        if self.options.recorded != Recording::Off
            && let Ok(store) = self.any_store().await
        {
            let _ = store.index_all().await;
        }
    }
}

/// Marks an answer as recorded, and drops the times of its original run.
fn mark_recorded(reply: Reply, session: String, seq: u64) -> Reply {
    Reply {
        sent_at: None,
        first_piece_at: None,
        request_id: None,
        recorded: Some(Recorded { session, seq }),
        ..reply
    }
}

fn unavailable(message: String) -> Failure {
    Failure::new(FailureKind::Unavailable, message)
}

fn message_of(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok();
    message
        .and_then(|message| message.as_string())
        .unwrap_or_default()
}
