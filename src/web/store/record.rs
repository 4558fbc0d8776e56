//! Storage of records. Lines appended together are one piece: a text under the number of its first line. A
//! long record is a few hundred values, and nothing is read or written twice.
//!
//! A record only grows at its end, and only by the holder of the session's lock, so the end is cached. The
//! appending transaction checks that the last piece still exists: if the data was removed meanwhile, the
//! append fails instead of leaving a gap.

use super::changes::{Change, Condition, Step, Summarize};
use super::requests::{key, keys_of};
use super::schema::ENTRIES;
use super::{Database, Durability, StoreError, calls};
use crate::core::codec::{Reader, hash_of};
use crate::procedures::recorded::RecordedCall;
use crate::web::driver::record_writer::entry_for_js;
use crate::web::timer::yield_to_event_loop;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// Maximum number of lines in a piece.
pub const PIECE: usize = 256;

/// The end of a record.
#[derive(Debug)]
pub(super) struct End {
    session: String,
    /// Number of the next line.
    next: u64,
    /// Number of the last piece; `None` without a record.
    last: Option<u64>,
}

impl End {
    fn before_all(session: &str) -> Self {
        Self {
            session: session.to_owned(),
            next: 0,
            last: None,
        }
    }
}

impl Database {
    /// Appends lines `(seq, line)` to a session's record and replaces its summary, if given, in one
    /// transaction. The numbers must continue those of the record.
    ///
    /// # Errors
    /// Returns `Quota` if there is no space; `Corrupt` if the lines do not continue the record.
    pub async fn append(
        &self,
        session: &str,
        lines: &[(u64, String)],
        summary: Option<&str>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        let summarize = summary.map(|summary| {
            let summary = summary.to_owned();
            Box::new(move |_| Some(summary.clone())) as Summarize
        });
        self.append_with(session, lines, summarize, durability).await
    }

    /// Like [`Self::append`]; `summarize` updates the stored summary. Without it the summary is unchanged,
    /// which is faster.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub async fn append_with(
        &self,
        session: &str,
        lines: &[(u64, String)],
        summarize: Option<Summarize>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        self.append_calls(session, lines, None, summarize, durability)
            .await
    }

    /// Like [`Self::append_with`], with the rows of recorded calls among these lines; `None` leaves the
    /// index unchanged.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub async fn append_calls(
        &self,
        session: &str,
        lines: &[(u64, String)],
        rows: Option<&[RecordedCall]>,
        summarize: Option<Summarize>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        check_lines(session, lines)?;
        let known = self.end.take().filter(|end| end.session == session);
        let mut end = match known {
            Some(end) => end,
            None => self.find_end(session).await?,
        };
        let first = lines.first().map_or(end.next, |(first, _)| *first);
        let misfit = || StoreError::corrupt(session, &format!("it does not end before entry {first}"));
        if end.next != first {
            return Err(misfit());
        }
        let condition = end.last.map(|number| Condition {
            store: ENTRIES,
            key: place(session, number),
            exists: true,
        });
        let mut steps = Vec::new();
        for piece in lines.chunks(PIECE) {
            let texts: Vec<&str> = piece.iter().map(|(_, line)| line.as_str()).collect();
            // Fails if a piece with this number exists.
            steps.push(Step::add(ENTRIES, place(session, end.next), texts.join("\n")));
            end.last = Some(end.next);
            end.next += piece.len() as u64;
        }
        if let Some(rows) = rows {
            steps.extend(calls::steps(session, rows, first == 0));
        }
        let change = Change {
            durability,
            condition,
            steps,
            summary: summarize.map(|summarize| (session.to_owned(), summarize)),
        };
        if self.store(change).await? {
            *self.end.borrow_mut() = Some(end);
            return Ok(());
        }
        Err(misfit())
    }

    /// Returns all lines of a session in order; empty if there is no such session.
    ///
    /// # Errors
    /// Returns `Corrupt`, naming the entry, if a line is missing or duplicated.
    pub async fn load(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let mut lines = Vec::new();
        let mut end = End::before_all(session);
        for (key, text) in self.all(ENTRIES, Some(session)).await? {
            let number = number_of(&key);
            if number != Some(end.next) {
                let what = format!("entry {} is missing", end.next);
                return Err(StoreError::corrupt(session, &what));
            }
            let text = text
                .as_string()
                .ok_or_else(|| StoreError::corrupt(session, &format!("entry {} is no text", end.next)))?;
            lines.extend(text.split('\n').map(str::to_owned));
            end.next = lines.len() as u64;
            end.last = number;
        }
        *self.end.borrow_mut() = Some(end);
        Ok(lines)
    }

    /// Returns the entries of a session for JS, even if they were altered; empty if there is no such
    /// session.
    ///
    /// # Errors
    /// As [`Self::load`], and `Corrupt` if a line is not an entry.
    pub async fn data(&self, session: &str) -> Result<Array, StoreError> {
        data_of(session, &self.load(session).await?).await
    }

    /// Looks up the end of a record.
    async fn find_end(&self, session: &str) -> Result<End, StoreError> {
        let found = self.last(ENTRIES, &keys_of(session)?).await?;
        let mut end = End::before_all(session);
        if let Some((key, text)) = found {
            let (Some(number), Some(text)) = (number_of(&key), text.as_string()) else {
                return Err(StoreError::corrupt(session, "its last entries are no text"));
            };
            end.next = number + text.split('\n').count() as u64;
            end.last = Some(number);
        }
        Ok(end)
    }
}

/// Returns the entries of lines for JS, even if they were altered.
pub(super) async fn data_of(session: &str, lines: &[String]) -> Result<Array, StoreError> {
    let mut reader = Reader::unchecked();
    let entries = Array::new();
    for line in lines {
        yield_to_event_loop().await;
        let entry = reader.entry(line).map_err(|fault| {
            let what = format!("entry {} cannot be read: {fault}", entries.length());
            StoreError::corrupt(session, &what)
        })?;
        entries.push(&entry_for_js(&entry, hash_of(line)));
    }
    Ok(entries)
}

pub(super) fn check_lines(session: &str, lines: &[(u64, String)]) -> Result<(), StoreError> {
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

fn place(session: &str, number: u64) -> JsValue {
    key(session, number as f64)
}

/// Returns the number in a stored key `[session, number]`.
pub(super) fn number_of(key: &JsValue) -> Option<u64> {
    let number = key.dyn_ref::<Array>()?.get(1).as_f64()?;
    (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
}
