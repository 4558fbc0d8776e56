//! The entries of a session as they are written: lines for the store, and data for the page. Each is written once.

use super::{Driver, report};
use crate::core::codec::{self, Writer};
use crate::core::record::Entry;
use js_sys::{Array, JsString};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/browser.js")]
extern "C" {
    pub(crate) type Pages;
    /// A reader of lines, one after the other from the first.
    #[wasm_bindgen(constructor)]
    pub(crate) fn new() -> Pages;
    /// Reads the next lines; tells how many entries there are now.
    #[wasm_bindgen(method, catch)]
    pub(crate) fn read(this: &Pages, lines: &JsString) -> Result<f64, JsValue>;
    /// The entries from one to before another.
    #[wasm_bindgen(method)]
    pub(crate) fn slice(this: &Pages, from: f64, to: f64) -> Array;
}

/// What is written of a record.
#[derive(Default)]
pub(super) struct Written {
    writer: Writer,
    /// The entry to be written next.
    next: usize,
    /// What the page has read, from the first time that it wants to, and the lines that it has not.
    pages: Option<(Pages, Vec<String>)>,
}

impl Written {
    /// `writer` has written so many entries.
    pub(super) fn new(writer: Writer, next: usize) -> Self {
        Self {
            writer,
            next,
            pages: None,
        }
    }

    fn write(&mut self, entries: &[Rc<Entry>]) -> Vec<String> {
        let lines: Vec<String> = entries.iter().map(|entry| self.writer.line(entry)).collect();
        self.next += lines.len();
        if let Some((_, unread)) = &mut self.pages {
            unread.extend_from_slice(&lines);
        }
        lines
    }
}

impl Driver {
    /// The next entries as they are stored; empty where nobody wants them yet.
    pub(super) fn lines(&self, entries: &[Rc<Entry>]) -> Vec<String> {
        if self.store.borrow().is_none() && self.options.on_event.is_none() {
            return Vec::new();
        }
        let mut written = self.written.borrow_mut();
        // What a session in memory began with, nobody has wanted until now.
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

    /// Entries of the record as data, from one to before another.
    pub(crate) fn data(&self, from: usize, to: usize) -> Array {
        let record = self.session.borrow().record();
        let written = &mut *self.written.borrow_mut();
        let known = record.get(..written.next).unwrap_or(&record);
        written
            .pages
            .get_or_insert_with(|| (Pages::new(), codec::lines(known).collect()));
        if let Some(rest) = record.get(written.next..) {
            written.write(rest);
        }
        let Some((pages, unread)) = &mut written.pages else {
            return Array::new();
        };
        if !unread.is_empty() {
            let lines = std::mem::take(unread).join("\n");
            if let Err(error) = pages.read(&lines.as_str().into()) {
                report(&error);
            }
        }
        pages.slice(from as f64, to.min(record.len()) as f64)
    }

    /// How many entries are written, and the hash of them all, in hex.
    pub(crate) fn hash(&self) -> (usize, String) {
        let written = self.written.borrow();
        (written.next, written.writer.hash())
    }
}
