//! Records as files of a folder, which an object of JS reads and appends to (`folder.js` in Node.js). What only
//! the database has, such as edited titles, drafts and signatures, a folder does not keep.

use super::StoreError;
use super::calls::rows_of;
use super::record::check_lines;
use crate::core::codec::Reader;
use crate::core::record::EntryKind;
use crate::procedures::recorded::RecordedCall;
use crate::procedures::summary::summary;
use serde::Deserialize;
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A folder of files.
    #[derive(Debug, Clone, PartialEq)]
    pub type Folder;
    /// Resolves with the whole lines of a record, each with its end; empty if there is none.
    #[wasm_bindgen(method, catch)]
    async fn read(this: &Folder, id: &str) -> Result<JsValue, JsValue>;
    /// Writes lines to the disk, at this many bytes from the beginning; a torn line there is cut off.
    #[wasm_bindgen(method, catch)]
    async fn append(this: &Folder, id: &str, lines: &str, at: f64) -> Result<JsValue, JsValue>;
    /// Resolves with an array of [`FileSummary`].
    #[wasm_bindgen(method, catch)]
    async fn summaries(this: &Folder) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    async fn remove(this: &Folder, id: &str) -> Result<JsValue, JsValue>;
    /// Resolves with a function that releases the lock, or with who holds it.
    #[wasm_bindgen(method, catch)]
    pub(in crate::web) async fn lock(this: &Folder, id: &str) -> Result<JsValue, JsValue>;
}

/// What the first and the last line of a record say.
#[derive(Deserialize)]
struct FileSummary {
    id: String,
    /// The first line.
    head: String,
    entries: u64,
    ended: bool,
    /// When it was last written, in milliseconds since 1970.
    updated: f64,
}

/// The recorded calls of a folder, shared by its sessions.
#[derive(Debug, Default)]
struct Index {
    /// Number of indexed entries by session.
    entries: BTreeMap<String, u64>,
    /// Rows with their sessions, by hash.
    rows: BTreeMap<String, Vec<(String, RecordedCall)>>,
}

impl Index {
    /// Adds the rows of a session's entries up to `end`.
    fn add(&mut self, session: &str, end: u64, rows: impl IntoIterator<Item = RecordedCall>) {
        self.entries.insert(session.to_owned(), end);
        for row in rows {
            let of_hash = self.rows.entry(row.hash.clone()).or_default();
            of_hash.push((session.to_owned(), row));
        }
    }

    fn remove(&mut self, session: &str) {
        if self.entries.remove(session).is_some() {
            for rows in self.rows.values_mut() {
                rows.retain(|(of, _)| of != session);
            }
        }
    }
}

type SharedIndex = Rc<RefCell<Index>>;

thread_local! {
    /// The indexes of folders whose sessions use recorded calls.
    static INDEXES: RefCell<Vec<(Folder, SharedIndex)>> = const { RefCell::new(Vec::new()) };
}

/// The end of a record.
#[derive(Debug)]
struct End {
    session: String,
    /// Number of the next line.
    next: u64,
    bytes: usize,
}

/// The records of a folder.
#[derive(Debug)]
pub struct Files {
    folder: Folder,
    /// End of the record appended to; `None` after a failure.
    end: RefCell<Option<End>>,
}

impl Files {
    #[must_use]
    pub fn new(folder: Folder) -> Self {
        Self {
            folder,
            end: RefCell::default(),
        }
    }

    async fn found(&self) -> Result<Vec<FileSummary>, StoreError> {
        let found = self.folder.summaries().await.map_err(of_file)?;
        serde_wasm_bindgen::from_value(found).map_err(|error| of_file(error.into()))
    }

    pub(super) async fn summaries(&self) -> Result<Vec<String>, StoreError> {
        let found = self.found().await?;
        Ok(found.iter().filter_map(FileSummary::summary).collect())
    }

    pub(super) async fn load(&self, session: &str) -> Result<Vec<String>, StoreError> {
        let (lines, end) = self.read(session).await?;
        // Lines may be appended meanwhile.
        let mut known = self.end.borrow_mut();
        if known.is_none() {
            *known = Some(end);
        }
        Ok(lines)
    }

    async fn read(&self, session: &str) -> Result<(Vec<String>, End), StoreError> {
        let text = self.folder.read(session).await.map_err(of_file)?;
        let text = text.as_string().unwrap_or_default();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let end = End {
            session: session.to_owned(),
            next: lines.len() as u64,
            bytes: text.len(),
        };
        Ok((lines, end))
    }

    pub(super) async fn line(&self, session: &str, seq: u64) -> Result<Option<String>, StoreError> {
        let (mut lines, _) = self.read(session).await?;
        let place = usize::try_from(seq).ok().filter(|place| *place < lines.len());
        Ok(place.map(|place| lines.swap_remove(place)))
    }

    pub(super) async fn append(
        &self,
        session: &str,
        lines: &[(u64, String)],
        rows: Option<&[RecordedCall]>,
    ) -> Result<(), StoreError> {
        check_lines(session, lines)?;
        let known = self.end.take().filter(|end| end.session == session);
        let mut end = match known {
            Some(end) => end,
            None => self.read(session).await?.1,
        };
        let first = lines.first().map_or(end.next, |(first, _)| *first);
        if end.next != first {
            let what = format!("it does not end before entry {first}");
            return Err(StoreError::corrupt(session, &what));
        }
        let text: String = lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
        let at = end.bytes as f64;
        self.folder.append(session, &text, at).await.map_err(of_file)?;
        end.next += lines.len() as u64;
        end.bytes += text.len();
        if let (Some(rows), Some(index)) = (rows, self.index()) {
            let mut index = index.borrow_mut();
            let indexed = index.entries.get(session).copied().unwrap_or_default();
            if indexed == first {
                index.add(session, end.next, rows.iter().cloned());
            }
        }
        *self.end.borrow_mut() = Some(end);
        Ok(())
    }

    pub(super) async fn delete(&self, session: &str) -> Result<(), StoreError> {
        self.end.take();
        if let Some(index) = self.index() {
            index.borrow_mut().remove(session);
        }
        self.folder.remove(session).await.map_err(of_file).map(drop)
    }

    /// Returns the index of the folder, if one of its sessions uses recorded calls.
    fn index(&self) -> Option<SharedIndex> {
        let is_own = |(folder, _): &&(Folder, SharedIndex)| *folder == self.folder;
        INDEXES.with_borrow(|indexes| indexes.iter().find(is_own).map(|(_, index)| Rc::clone(index)))
    }

    pub(super) fn calls(&self, hash: &str) -> Vec<(String, RecordedCall)> {
        let index = self.index().unwrap_or_default();
        let found = index.borrow().rows.get(hash).cloned();
        found.unwrap_or_default()
    }

    /// Reads the records that have grown since they were indexed.
    pub(super) async fn index_all(&self) -> Result<(), StoreError> {
        let index = self.index().unwrap_or_else(|| {
            let index = SharedIndex::default();
            INDEXES.with_borrow_mut(|indexes| indexes.push((self.folder.clone(), Rc::clone(&index))));
            index
        });
        for FileSummary { id, entries, .. } in self.found().await? {
            let indexed = index.borrow().entries.get(&id).copied();
            if indexed.is_some_and(|indexed| indexed >= entries) {
                continue;
            }
            let Ok((lines, end)) = self.read(&id).await else {
                continue;
            };
            if let Some(rows) = rows_of(&lines).await {
                let mut index = index.borrow_mut();
                index.remove(&id);
                index.add(&id, end.next, rows);
            }
        }
        Ok(())
    }
}

impl FileSummary {
    /// Returns the `SessionSummary`, without the outcome; `None` if the first line is not the head of a record.
    fn summary(&self) -> Option<String> {
        let head = Rc::new(Reader::unchecked().entry(&self.head).ok()?);
        if !matches!(head.what, EntryKind::Started(_)) {
            return None;
        }
        let mut summary = summary(&[head], self.updated as u64);
        summary["id"] = json!(self.id);
        summary["entries"] = json!(self.entries);
        if self.ended {
            summary["state"] = json!("ended");
        }
        Some(summary.to_string())
    }
}

fn of_file(error: JsValue) -> StoreError {
    StoreError::of_file(&error)
}
