//! The index of recorded calls: rows of the answers of models, by the hash of their request. They are
//! written with the entries that they are about, and removed with their session. A session that was stored
//! before there was an index gets its rows when the first session is opened that wants recorded calls.

use super::super::timer::breathe;
use super::schema::{CALLS, ENTRIES};
use super::{Durability, Store, StoreError, key, step};
use crate::core::codec::Reader;
use crate::procedures::recorded::{Calls, Row};
use crate::web::to_js;
use js_sys::{Array, Promise, Reflect};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::IdbDatabase;

/// Stands among a session's rows once all of its answers have theirs; a row's number is that of its entry.
const ALL: f64 = -1.0;

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    #[wasm_bindgen(js_name = valuesAt)]
    fn values_at(database: &IdbDatabase, store: &str, index: &str, key: &str) -> Promise;
    fn before(database: &IdbDatabase, store: &str, session: &str, number: f64) -> Promise;
}

/// The steps of a change that puts these rows; `is_new`: the session begins with it.
pub(super) fn steps(session: &str, rows: &[Row], is_new: bool) -> Vec<JsValue> {
    let row = |row: &Row| {
        let value = to_js(&json!({
            "session": session, "hash": row.hash, "at": row.at, "asked": row.asked, "ask": row.ask, "seq": row.seq,
        }));
        step(
            CALLS,
            "put",
            &[value, key(session, &JsValue::from_f64(row.seq as f64))],
        )
    };
    let mut steps: Vec<JsValue> = rows.iter().map(row).collect();
    if is_new {
        let value = to_js(&json!({ "all": true }));
        steps.push(step(
            CALLS,
            "put",
            &[value, key(session, &JsValue::from_f64(ALL))],
        ));
    }
    steps
}

impl Store {
    /// The rows of all sessions with this hash, each with its session.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn calls(&self, hash: &str) -> Result<Vec<(String, Row)>, StoreError> {
        let found = self.settle(values_at(self.database()?, CALLS, "hash", hash));
        let found: Array = found.await?.unchecked_into();
        let row = |value: JsValue| {
            let session = Reflect::get(&value, &"session".into()).ok()?.as_string()?;
            let row = serde_json::from_value(crate::web::from_js(&value).ok()?).ok()?;
            Some((session, row))
        };
        Ok(found.iter().filter_map(row).collect())
    }

    /// One line of a session's record, if it is there.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn line(&self, session: &str, seq: u64) -> Result<Option<String>, StoreError> {
        let found = self.settle(before(self.database()?, ENTRIES, session, seq as f64));
        let found: Array = found.await?.unchecked_into();
        let (Some(first), Some(text)) = (found.get(0).as_f64(), found.get(1).as_string()) else {
            return Ok(None);
        };
        let place = usize::try_from(seq.saturating_sub(first as u64)).ok();
        let line = place.and_then(|place| text.split('\n').nth(place));
        Ok(line.map(str::to_owned))
    }

    /// Makes the rows of sessions that were stored before there was an index. What cannot be read is left
    /// out, to be looked at again another time.
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    pub async fn index_all(&self) -> Result<(), StoreError> {
        for session in self.sessions().await? {
            let mark = key(&session, &JsValue::from_f64(ALL));
            let known = self.settle(super::value(self.database()?, CALLS, &mark));
            if !known.await?.is_undefined() {
                continue;
            }
            let Ok(lines) = self.load(&session).await else {
                continue;
            };
            let mut reader = Reader::default();
            let (mut calls, mut rows) = (Calls::default(), Vec::<Row>::new());
            let mut is_whole = true;
            for line in &lines {
                breathe().await;
                let Ok(entry) = reader.entry(line) else {
                    is_whole = false;
                    break;
                };
                rows.extend(calls.take(&entry));
            }
            if !is_whole {
                continue;
            }
            let steps = steps(&session, &rows, true);
            self.change(&[CALLS], Durability::Relaxed, steps).await?;
        }
        Ok(())
    }
}
