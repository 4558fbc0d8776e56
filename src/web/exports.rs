//! Export files for JS, of open sessions, stored ones and several at once, and their import.

use super::error::lab_error;
use super::input::read_options;
use super::session::{LoadError, load_with_writer, read_record};
use super::store::Store;
use super::timer::yield_to_event_loop;
use super::{signature, to_js, view};
use crate::core::codec::Reader;
use crate::core::record::{Entry, EntryKind};
use crate::core::visibility::Role;
use crate::export;
use crate::export::csv::{CsvFormat, Formulas, Layout};
use crate::export::json::{ImportError, RecordReader, RecordWriter};
use crate::export::tables::{Style, TABLES, Tables};
use js_sys::{Array, Reflect};
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
    /// Whether tables are for spreadsheets: true, or the locale of the spreadsheet.
    spreadsheet: Option<Spreadsheet>,
    /// Whether the table of questions has their texts.
    prompts: bool,
    /// Whether the content is a `Blob`.
    blob: bool,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    role: JsValue,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Spreadsheet {
    Is(bool),
    In(String),
}

impl ExportOptions {
    fn read(options: &JsValue) -> Result<Self, JsValue> {
        read_options("export: options", options)
    }

    fn role(&self) -> Result<Role, JsValue> {
        view::role(&self.role)
    }

    fn layout(&self) -> Result<Layout, JsValue> {
        match &self.spreadsheet {
            None | Some(Spreadsheet::Is(false)) => Ok(Layout::Plain),
            Some(Spreadsheet::Is(true)) => Ok(Layout::Spreadsheet),
            Some(Spreadsheet::In(locale)) => match decimal_sign(locale) {
                Ok(sign) if sign == "," => Ok(Layout::DecimalComma),
                Ok(_) => Ok(Layout::Spreadsheet),
                Err(_) => Err(export_error(&format!(
                    "options: spreadsheet is {locale:?}: use true or a locale such as \"es-ES\""
                ))),
            },
        }
    }

    fn writer(&self) -> Result<TableWriter, JsValue> {
        Ok(TableWriter {
            tables: self.tables()?,
            taken: Vec::new(),
            is_blob: self.blob,
        })
    }

    fn tables(&self) -> Result<Tables, JsValue> {
        let formulas = if self.formulas {
            Formulas::AsTheyAre
        } else {
            Formulas::Guarded
        };
        let layout = self.layout()?;
        Ok(Tables::new(Style {
            format: CsvFormat { formulas, layout },
            role: self.role()?,
            has_prompts: self.prompts,
        }))
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
        let mut tables = ExportOptions::read(options)?.writer()?;
        tables
            .add(record)
            .map_err(|error| export_error(&error.to_string()))?;
        return tables.file(format).await;
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
    let mut tables = ExportOptions::read(options)?.writer()?;
    for id in ids {
        let record = read_record(store.load(id).await?).await?;
        tables
            .add(&record)
            .map_err(|error| export_error(&format!("session {id:?}: {error}")))?;
    }
    tables.file(format).await
}

/// Tables of any number of records, whose rows are handed out as each record is added.
#[wasm_bindgen]
pub struct TableStream(Tables);

#[wasm_bindgen]
impl TableStream {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<TableStream, JsValue> {
        ExportOptions::read(options)?.tables().map(TableStream)
    }

    /// Adds the lines of a record. Returns its rows, each piece with its table and number of columns.
    pub fn add(&mut self, lines: &str) -> Result<JsValue, JsValue> {
        let mut reader = Reader::default();
        let mut record = Vec::new();
        for (at, line) in lines.lines().enumerate() {
            let entry = reader.entry(line).map_err(|fault| {
                export_error(&format!("entry {at} of the record cannot be read: {fault}"))
            })?;
            record.push(Rc::new(entry));
        }
        self.0
            .add(&record)
            .map_err(|error| export_error(&error.to_string()))?;
        let pieces = self.0.take_blocks(0).into_iter().map(|(at, block)| {
            let table = TABLES.get(at).map_or("", |(name, _)| *name);
            json!({ "table": table, "columns": block.cells(), "rows": block.text() })
        });
        Ok(to_js(&Value::Array(pieces.collect())))
    }

    /// Returns the first line of each table, by the columns of all records so far.
    pub fn headers(&self) -> JsValue {
        let headers = TABLES.iter().enumerate().filter_map(|(at, (name, _))| {
            let (header, _, columns) = self.0.rest(at)?;
            Some((
                (*name).to_owned(),
                json!({ "columns": columns, "header": header }),
            ))
        });
        to_js(&Value::Object(headers.collect()))
    }

    /// Returns rows of fewer columns with empty cells for those that later records added.
    pub fn filled(&self, table: &str, columns: usize, rows: &str) -> Result<String, JsValue> {
        match export::Format::from_name(table) {
            Some(export::Format::Table(at)) => Ok(self.0.filled(at, columns, rows)),
            _ => Err(export_error(&unknown(table))),
        }
    }

    /// Returns the files that go with the tables: codebook, readme and loaders.
    #[wasm_bindgen(js_name = filesBeside)]
    pub fn files_beside(&self) -> Vec<JsValue> {
        self.0.files_beside().iter().map(file_for_js).collect()
    }
}

/// Bytes of a table from which on its rows are handed to the browser, which may keep them on disk.
const BLOCK: usize = 4_000_000;
/// Bytes of the largest content returned as one text; engines allow half a billion characters.
const LARGEST_TEXT: f64 = 400_000_000.0;

/// Tables whose rows leave the engine's memory while they are written.
struct TableWriter {
    tables: Tables,
    /// Rows of a table, by its number, as a `Blob` with the number of cells in each row.
    taken: Vec<(usize, usize, JsValue)>,
    is_blob: bool,
}

impl TableWriter {
    fn add(&mut self, record: &[Rc<Entry>]) -> Result<(), export::ExportError> {
        self.tables.add(record)?;
        for (at, block) in self.tables.take_blocks(BLOCK) {
            let parts = Array::of1(&block.text().into());
            self.taken.push((at, block.cells(), blob_of(&parts)));
        }
        Ok(())
    }

    /// Returns the content of a table as a `Blob`.
    async fn content(&self, at: usize) -> Result<JsValue, JsValue> {
        let Some((header, rest, columns)) = self.tables.rest(at) else {
            return Ok(blob_of(&Array::new()));
        };
        let parts = Array::of1(&header.into());
        for (_, cells, rows) in self.taken.iter().filter(|(table, ..)| *table == at) {
            if *cells == columns {
                parts.push(rows);
                continue;
            }
            let text = JsFuture::from(text_of(rows))
                .await?
                .as_string()
                .unwrap_or_default();
            parts.push(&self.tables.filled(at, *cells, &text).into());
        }
        parts.push(&rest.into());
        Ok(blob_of(&parts))
    }

    /// Returns one table, or all as an archive.
    async fn file(&self, format: &str) -> Result<JsValue, JsValue> {
        if let Some(export::Format::Table(at)) = export::Format::from_name(format) {
            let name = TABLES.get(at).map_or("", |(name, _)| *name);
            let file = to_js(&json!({
                "name": self.tables.name(&format!("-{name}.csv")), "type": export::tables::CSV,
            }));
            let content = self.content(at).await?;
            if self.is_blob {
                Reflect::set(&file, &"blob".into(), &content)?;
                return Ok(file);
            }
            let size = Reflect::get(&content, &"size".into())?
                .as_f64()
                .unwrap_or_default();
            if size > LARGEST_TEXT {
                return Err(export_error(&format!(
                    "the table {name:?} has {size} bytes, too many for one text: pass {{ blob: true }}, or export as \"zip\""
                )));
            }
            Reflect::set(&file, &"text".into(), &JsFuture::from(text_of(&content)).await?)?;
            return Ok(file);
        }
        let files = Array::new();
        for file in self.tables.files_beside() {
            files.push(&file_for_js(&file));
        }
        for (at, (name, _)) in TABLES.iter().enumerate() {
            let file = to_js(&json!({ "name": format!("{name}.csv") }));
            Reflect::set(&file, &"blob".into(), &self.content(at).await?)?;
            files.push(&file);
        }
        let archive = JsFuture::from(zipped(&files)).await.map_err(|error| {
            let message = error
                .dyn_ref::<js_sys::Error>()
                .map(|error| String::from(error.message()));
            export_error(&message.unwrap_or_default())
        })?;
        let file = to_js(&json!({ "name": self.tables.name(".zip"), "type": "application/zip" }));
        if self.is_blob {
            Reflect::set(&file, &"blob".into(), &archive)?;
        } else {
            Reflect::set(&file, &"bytes".into(), &JsFuture::from(bytes_of(&archive)).await?)?;
        }
        Ok(file)
    }
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
    /// Resolves with a `Blob`.
    fn zipped(files: &Array) -> js_sys::Promise;
    #[wasm_bindgen(js_name = blobOf)]
    fn blob_of(parts: &Array) -> JsValue;
    #[wasm_bindgen(js_name = textOf)]
    fn text_of(blob: &JsValue) -> js_sys::Promise;
    #[wasm_bindgen(js_name = bytesOf)]
    fn bytes_of(blob: &JsValue) -> js_sys::Promise;
    #[wasm_bindgen(js_name = decimalSign, catch)]
    fn decimal_sign(locale: &str) -> Result<String, JsValue>;
}
