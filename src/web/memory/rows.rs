//! Memory rows in the store of this browser: read, written together, exported and imported.

use super::input;
use crate::core::record::Entry;
use crate::memory::{Row, RowKind};
use crate::web::error::detailed;
use crate::web::lock::Lock;
use crate::web::session::read_record;
use crate::web::store::{DATABASE, Database, StoredRow};
use crate::web::to_js;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Lock held while rows are read, signed and written.
const LOCK: &str = "quorate-memory";

/// The store of this browser, for rows.
pub(super) struct Rows(pub(super) Database);

pub(super) async fn open() -> Result<Rows, JsValue> {
    Ok(Rows(Database::open(DATABASE).await?))
}

/// Waits for the exclusive right to add rows, until dropped.
pub(super) async fn lock_memory() -> Lock {
    Lock::turn(LOCK).await
}

/// Parses a kind of row.
pub(super) fn kind_of(name: &str) -> Result<RowKind, JsValue> {
    let known = RowKind::ALL.into_iter().find(|(known, _)| *known == name);
    known.map(|(_, kind)| kind).ok_or_else(|| {
        let names: Vec<&str> = RowKind::ALL.iter().map(|(name, _)| *name).collect();
        input(&format!("{name:?} is not a kind of row: {}", names.join(", ")))
    })
}

impl Rows {
    /// Returns the record of a session; empty if there is none.
    pub(super) async fn record(&self, session: &str) -> Result<Vec<Rc<Entry>>, JsValue> {
        read_record(self.0.load(session).await?).await
    }

    /// Returns all rows of a kind, or of all kinds; rows of unknown kinds are skipped.
    pub(super) async fn rows(&self, kind: Option<RowKind>) -> Result<Vec<Row>, JsValue> {
        let kept = self.0.list_rows(kind.map(RowKind::name)).await?;
        let row = |kept: StoredRow| {
            Some(Row {
                kind: kind_of(&kept.kind).ok()?,
                id: kept.id,
                value: serde_json::from_str(&kept.value).ok()?,
            })
        };
        Ok(kept.into_iter().filter_map(row).collect())
    }

    /// Returns the value of a row, if it exists.
    pub(super) async fn value(&self, kind: RowKind, id: &str) -> Result<Option<Value>, JsValue> {
        let kept = self.0.kept_at(kind.name(), id).await?;
        Ok(kept.and_then(|kept| serde_json::from_str(&kept).ok()))
    }

    /// Writes and removes rows in one transaction. Returns `false` if the row `unless` exists.
    pub(super) async fn keep(
        &self,
        rows: &[Row],
        removed: &[(RowKind, &str)],
        unless: Option<(RowKind, &str)>,
    ) -> Result<bool, JsValue> {
        let kept = |row: &Row| StoredRow {
            kind: row.kind.name().to_owned(),
            id: row.id.clone(),
            value: row.value.to_string(),
        };
        let kept: Vec<StoredRow> = rows.iter().map(kept).collect();
        let removed: Vec<(&str, &str)> = removed.iter().map(|(kind, id)| (kind.name(), *id)).collect();
        let unless = unless.map(|(kind, id)| (kind.name(), id));
        Ok(self.0.put_rows(&kept, &removed, unless).await?)
    }

    /// Returns the ids of stored finished debates.
    pub(super) async fn ended_debates(&self) -> Result<Vec<String>, JsValue> {
        let summaries = self.0.summaries().await?;
        let id = |summary: &String| {
            let summary: Value = serde_json::from_str(summary).ok()?;
            let is_ended_debate = summary["protocol"] == "debate" && summary["state"] == "ended";
            summary["id"]
                .as_str()
                .filter(|_| is_ended_debate)
                .map(str::to_owned)
        };
        Ok(summaries.iter().filter_map(id).collect())
    }
}

/// Exports all rows as JSONL.
pub(super) async fn export() -> Result<JsValue, JsValue> {
    let rows = open().await?.rows(None).await?;
    let line = |row: &Row| serde_json::to_string(row).ok().map(|line| line + "\n");
    let is_exported = |row: &&Row| row.kind != RowKind::Outbox;
    let text: String = rows.iter().filter(is_exported).filter_map(line).collect();
    Ok(to_js(&json!({
        "name": "quorate-memory.jsonl", "type": "application/x-ndjson", "text": text,
    })))
}

/// Imports JSONL rows: all of them, or none if a line is invalid.
pub(super) async fn import(text: &str) -> Result<JsValue, JsValue> {
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let row = serde_json::from_str::<Row>(line).ok();
        let Some(row) = row.filter(|row| row.value.is_object() && !row.id.is_empty()) else {
            let message = format!("line {number} is not a memory row; nothing was imported");
            return Err(detailed("import", &message, json_line(number)));
        };
        rows.push(row);
    }
    // A file must not trigger deliveries.
    rows.retain(|row| row.kind != RowKind::Outbox);
    let _turn = lock_memory().await;
    let store = open().await?;
    let mut known: Vec<String> = store.rows(None).await?.iter().map(Row::key).collect();
    known.sort();
    let all = rows.len();
    let mut added: Vec<Row> = Vec::new();
    for row in rows {
        if let Err(place) = known.binary_search(&row.key()) {
            known.insert(place, row.key());
            added.push(row);
        }
    }
    if !added.is_empty() {
        store.keep(&added, &[], None).await?;
    }
    Ok(to_js(&json!({ "added": added.len(), "kept": all - added.len() })))
}

fn json_line(number: u32) -> JsValue {
    to_js(&json!({ "line": number }))
}
