//! Export files for JS, of open sessions, stored ones and several at once, and their import.

use super::error::lab_error;
use super::input::read_options;
use super::session::{LoadError, load, load_with_writer};
use super::store::Store;
use super::timer::yield_to_event_loop;
use super::{signature, to_js, view};
use crate::core::record::{Entry, EntryKind};
use crate::core::visibility::Role;
use crate::export;
use crate::export::csv::Formulas;
use crate::export::json::{ImportError, RecordReader, RecordWriter};
use crate::export::tables::{TABLES, Tables};
use js_sys::Reflect;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A stored session: store and id.
type StoredSession<'a> = Option<(&'a Store, &'a str)>;
/// A record with the signature stored beside it.
type ImportResult = Result<(Vec<Entry>, Option<Value>), JsValue>;

/// Reads a record and its signature, which is not verified, from the text of a file. Yields between steps.
pub(super) async fn read_file(text: &str) -> ImportResult {
    let faulty = |error: ImportError| lab_error("import", &error.to_string());
    yield_to_event_loop().await;
    let mut reading = RecordReader::begin(text).map_err(faulty)?;
    while reading.step().map_err(faulty)? {
        yield_to_event_loop().await;
    }
    reading.end().map_err(faulty)
}

/// The options of an export in JS.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ExportOptions {
    /// Whether cells that spreadsheets take for formulas stay unescaped.
    formulas: bool,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    role: JsValue,
}

impl ExportOptions {
    fn read(options: &JsValue) -> Result<Self, JsValue> {
        read_options("export: options", options)
    }

    fn role(&self) -> Result<Role, JsValue> {
        view::role(&self.role)
    }

    fn tables(&self) -> Result<Tables, JsValue> {
        let formulas = if self.formulas {
            Formulas::AsTheyAre
        } else {
            Formulas::Guarded
        };
        Ok(Tables::new(formulas, self.role()?))
    }
}

/// Exports a stored record. An altered record is exported as its raw lines, so that it is not lost; the
/// import reports the alteration.
pub(super) async fn export_stored(
    format: &str,
    store: &Store,
    id: &str,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    match load_with_writer(store, id).await {
        Ok((record, _)) => export_as(format, &record, Some((store, id)), options).await,
        Err(LoadError::Line(..))
            if format == "jsonl" && ExportOptions::read(options)?.role()? == Role::Owner =>
        {
            let lines = store.load(id).await?;
            let text = lines.join("\n") + "\n";
            Ok(file_for_js(&export::file(export::Format::JsonLines, id, text)))
        }
        Err(unread) => Err(unread.into()),
    }
}

/// Exports a record. The whole record of a stored session includes its signature, or one by this browser.
pub(super) async fn export_as(
    format: &str,
    record: &[Rc<Entry>],
    stored: StoredSession<'_>,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    let role = ExportOptions::read(options)?.role()?;
    if format == "view" {
        return Ok(file_for_js(&export::view(record, role)));
    }
    if format == "zip" || export::Format::is_table(format) {
        let mut tables = ExportOptions::read(options)?.tables()?;
        tables
            .add(record)
            .map_err(|error| export_error(&error.to_string()))?;
        return tables_as(format, &tables).await;
    }
    if role != Role::Owner {
        return Err(export_error(&format!(
            "format {format:?} requires role \"owner\": use \"view\" or a table for other roles"
        )));
    }
    let format = export::Format::from_name(format).ok_or_else(|| export_error(&unknown(format)))?;
    if matches!(format, export::Format::Json | export::Format::JsonLines) {
        return export_whole(format, record, stored).await;
    }
    let file = export::export(format, record).map_err(|error| export_error(&error.to_string()))?;
    Ok(file_for_js(&file))
}

/// Exports the whole record, for import.
async fn export_whole(
    format: export::Format,
    record: &[Rc<Entry>],
    stored: StoredSession<'_>,
) -> Result<JsValue, JsValue> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(export_error(&export::ExportError::NoHead.to_string()));
    };
    let mut writing = RecordWriter::begin(format == export::Format::Json);
    for entry in record {
        yield_to_event_loop().await;
        writing.add(entry);
    }
    let (mut text, hash) = writing.end();
    if let Some((store, id)) = stored {
        let beside = store.signature(id).await.ok().flatten();
        let signature = match beside.and_then(|beside| serde_json::from_str(&beside).ok()) {
            Some(beside) => Some(beside),
            None => {
                let own = signature::sign(store, record.len(), &hash).await;
                own.map(|own| json!(own))
            }
        };
        if let Some(signature) = signature {
            export::json::sign(&mut text, &signature);
        }
    }
    Ok(file_for_js(&export::file(format, &head.session, text)))
}

/// Exports the records of several sessions in one set of tables.
pub(super) async fn export_all(
    format: &str,
    ids: &[String],
    store: &Store,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    if format != "zip" && !export::Format::is_table(format) {
        return Err(export_error(
            "several sessions can only be exported as \"zip\" or as one table",
        ));
    }
    let mut tables = ExportOptions::read(options)?.tables()?;
    for id in ids {
        let record = load(store, id).await?;
        tables
            .add(&record)
            .map_err(|error| export_error(&format!("session {id:?}: {error}")))?;
    }
    tables_as(format, &tables).await
}

async fn tables_as(format: &str, tables: &Tables) -> Result<JsValue, JsValue> {
    if let Some(file) = export::Format::from_name(format).and_then(|format| tables.table(format)) {
        return Ok(file_for_js(&file));
    }
    let files: js_sys::Array = tables.files().iter().map(file_for_js).collect();
    let bytes = JsFuture::from(zipped(&files)).await?;
    let file = to_js(&json!({ "name": tables.name(".zip"), "type": "application/zip" }));
    Reflect::set(&file, &"bytes".into(), &bytes)?;
    Ok(file)
}

fn file_for_js(file: &export::File) -> JsValue {
    let object = to_js(&json!({ "name": file.name, "type": file.media_type }));
    let _ = Reflect::set(&object, &"text".into(), &file.text.as_str().into());
    object
}

fn unknown(format: &str) -> String {
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    format!(
        "{format:?} is not a format: json, jsonl, md, published, zip, {}",
        names.join(", ")
    )
}

fn export_error(message: &str) -> JsValue {
    lab_error("export", message)
}

#[wasm_bindgen(module = "/src/web/zip.js")]
extern "C" {
    fn zipped(files: &js_sys::Array) -> js_sys::Promise;
}
