//! Encodes entries once: as lines for the store and as data for the page.

use super::Driver;
use crate::core::codec::{self, Writer, hash_of};
use crate::core::record::{Entry, EntryKind};
use crate::web::to_js;
use js_sys::Array;
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Converts an entry for JS, with the hash at the end of its line.
pub(crate) fn entry_for_js(entry: &Entry, hash: &str) -> JsValue {
    #[derive(Serialize)]
    struct Hashed<'a> {
        seq: u64,
        at: u64,
        what: &'a EntryKind,
        hash: &'a str,
    }
    let Entry { seq, at, what } = entry;
    let (seq, at) = (*seq, *at);
    to_js(&Hashed { seq, at, what, hash })
}

/// Progress of encoding a record.
#[derive(Default)]
pub(super) struct RecordWriter {
    writer: Writer,
    /// Index of the next entry.
    next: usize,
    /// Hashes of the written entries. Empty for a stored session until the page reads entries.
    hashes: Vec<String>,
}

impl RecordWriter {
    /// `writer` has written `next` entries.
    pub(super) fn new(writer: Writer, next: usize) -> Self {
        Self {
            writer,
            next,
            hashes: Vec::new(),
        }
    }

    fn write(&mut self, entries: &[Rc<Entry>]) -> Vec<String> {
        let lines: Vec<String> = entries.iter().map(|entry| self.writer.line(entry)).collect();
        if self.hashes.len() == self.next {
            self.hashes
                .extend(lines.iter().map(|line| hash_of(line).to_owned()));
        }
        self.next += lines.len();
        lines
    }
}

impl Driver {
    /// Encodes the next entries for the store; returns none while they have no reader.
    pub(super) fn lines(&self, entries: &[Rc<Entry>]) -> Vec<String> {
        if self.store.borrow().is_none() && self.options.on_event.is_none() {
            return Vec::new();
        }
        let mut written = self.record_writer.borrow_mut();
        // The first entries of a session in memory were not encoded yet.
        let (next, first) = (
            written.next,
            entries.first().map_or(0, |entry| entry.seq as usize),
        );
        if next < first {
            let record = self.session.borrow().record();
            written.write(record.get(next..first).unwrap_or_default());
        }
        written.write(entries)
    }

    /// Returns the entries `from..to` for JS.
    pub(crate) fn data(&self, from: usize, to: usize) -> Array {
        let record = self.session.borrow().record();
        let written = &mut *self.record_writer.borrow_mut();
        if written.hashes.len() < written.next {
            // The session was opened from the store.
            let known = record.get(..written.next).unwrap_or(&record);
            written.hashes = codec::lines(known)
                .map(|line| hash_of(&line).to_owned())
                .collect();
        }
        if let Some(rest) = record.get(written.next..) {
            written.write(rest);
        }
        let hashed = record.iter().zip(&written.hashes);
        let wanted = hashed.skip(from).take(to.saturating_sub(from));
        wanted.map(|(entry, hash)| entry_for_js(entry, hash)).collect()
    }

    /// Returns the number of written entries and their hash in hex.
    pub(crate) fn hash(&self) -> (usize, String) {
        let written = self.record_writer.borrow();
        (written.next, written.writer.hash())
    }
}
