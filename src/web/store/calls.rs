//! The index of recorded calls: rows of models' answers, by request hash. They are written with their
//! entries and removed with their session. Sessions from before the index are indexed when a session first
//! uses recorded calls.

use super::super::timer::yield_to_event_loop;
use super::changes::Step;
use super::record::number_of;
use super::requests::{key, keys_until, result_of};
use super::schema::{CALLS, CALLS_BY_HASH, ENTRIES};
use super::{Database, Durability, StoreError};
use crate::core::codec::Reader;
use crate::procedures::recorded::{Calls, RecordedCall};
use crate::web::to_js;
use js_sys::Array;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use wasm_bindgen::JsCast;

/// Marks a session whose answers are all indexed; other rows are numbered by entry.
const ALL: f64 = -1.0;

/// A stored row.
#[derive(Serialize, Deserialize)]
struct Stored {
    session: String,
    #[serde(flatten)]
    row: RecordedCall,
}

/// Returns the steps that store these rows; `is_new`: the session starts with them.
pub(super) fn steps(session: &str, rows: &[RecordedCall], is_new: bool) -> Vec<Step> {
    let put = |row: &RecordedCall| {
        let stored = Stored {
            session: session.to_owned(),
            row: row.clone(),
        };
        Step::put(CALLS, key(session, row.seq as f64), to_js(&stored))
    };
    let all = is_new.then(|| Step::put(CALLS, key(session, ALL), true));
    rows.iter().map(put).chain(all).collect()
}

/// Returns the rows of a record; `None` if a line is unreadable.
pub(super) async fn rows_of(lines: &[String]) -> Option<Vec<RecordedCall>> {
    let mut reader = Reader::default();
    let (mut calls, mut rows) = (Calls::default(), Vec::new());
    for line in lines {
        yield_to_event_loop().await;
        let entry = reader.entry(line).ok()?;
        rows.extend(calls.take(&Rc::new(entry)));
    }
    Some(rows)
}

impl Database {
    /// Returns the rows with this hash, each with its session.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn calls(&self, hash: &str) -> Result<Vec<(String, RecordedCall)>, StoreError> {
        let index = self.reading(CALLS)?.index(CALLS_BY_HASH)?;
        let found: Array = result_of(&index.get_all_with_key(&hash.into())?)
            .await?
            .unchecked_into();
        let row = |value| {
            let Stored { session, row } = serde_wasm_bindgen::from_value(value).ok()?;
            Some((session, row))
        };
        Ok(found.iter().filter_map(row).collect())
    }

    /// Returns one line of a session's record, if it exists.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub async fn line(&self, session: &str, seq: u64) -> Result<Option<String>, StoreError> {
        let found = self.last(ENTRIES, &keys_until(session, seq as f64)?).await?;
        let piece = found.and_then(|(key, text)| Some((number_of(&key)?, text.as_string()?)));
        let Some((first, text)) = piece else {
            return Ok(None);
        };
        let place = usize::try_from(seq.saturating_sub(first)).ok();
        let line = place.and_then(|place| text.split('\n').nth(place));
        Ok(line.map(str::to_owned))
    }

    /// Indexes the sessions from before the index. Unreadable ones are skipped and tried again next time.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written.
    pub async fn index_all(&self) -> Result<(), StoreError> {
        for session in self.sessions().await? {
            let mark = self.value_at(CALLS, &key(&session, ALL)).await?;
            if !mark.is_undefined() {
                continue;
            }
            let Ok(lines) = self.load(&session).await else {
                continue;
            };
            let Some(rows) = rows_of(&lines).await else {
                continue;
            };
            let steps = steps(&session, &rows, true);
            self.change(Durability::Relaxed, steps).await?;
        }
        Ok(())
    }
}
