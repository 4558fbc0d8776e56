//! Lossless export and import of records as JSON. Whether a record matches its engine is checked by
//! `procedures::replay`.

use crate::core::codec::{Fault, Reader, Writer};
use crate::core::record::Entry;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt::{Display, Write};
use std::rc::Rc;

/// Value of `format` in a document.
const FORMAT: &str = "quorate-record";
/// Version of the document format.
const VERSION: u64 = 2;

/// Most bytes of an entry: many times those of the largest that a run writes.
const LARGEST_ENTRY: usize = 16_000_000;
/// Most characters of a message: JSON errors repeat the value.
const LONGEST_MESSAGE: usize = 300;

/// Why a text cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

impl Display for ImportError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ImportError {}

/// Incremental writer of a record.
#[derive(Default)]
pub struct RecordWriter {
    writer: Writer,
    text: String,
    /// One document, `{ "format": "quorate-record", "version": 2, "entries": [...] }`, with one entry per line; otherwise
    /// the lines alone.
    is_document: bool,
}

impl RecordWriter {
    #[must_use]
    pub fn begin(is_document: bool) -> Self {
        Self {
            is_document,
            ..Self::default()
        }
    }

    pub fn add(&mut self, entry: &Entry) {
        let line = self.writer.line(entry);
        if self.is_document && !self.text.is_empty() {
            self.text.push_str(",\n");
        }
        self.text.push_str(&line);
        if !self.is_document {
            self.text.push('\n');
        }
    }

    /// Returns the text and the hash of the entries in hex.
    #[must_use]
    pub fn end(self) -> (String, String) {
        let (entries, hash) = (self.text, self.writer.hash());
        if !self.is_document {
            return (entries, hash);
        }
        let text = format!(
            "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"entries\":[\n{entries}\n],\"hash\":\"{hash}\"}}\n"
        );
        (text, hash)
    }
}

/// Writes a record as one document or as lines.
pub(super) fn to_text(record: &[Rc<Entry>], is_document: bool) -> String {
    let mut writing = RecordWriter::begin(is_document);
    record.iter().for_each(|entry| writing.add(entry));
    writing.end().0
}

/// Imports a record from a document or lines; the format is detected. A byte order mark and blank lines are ignored.
///
/// # Errors
/// Returns the first fault with its line: invalid JSON, an invalid entry, a first entry that is not the head, or an entry
/// that is missing, duplicated or out of order.
pub fn read(text: &str) -> Result<Vec<Entry>, ImportError> {
    let mut reading = RecordReader::begin(text)?;
    while reading.step()? {}
    reading.end().map(|(entries, _)| entries)
}

/// Incremental reader of a record.
pub struct RecordReader<'a> {
    /// Remaining entries, each with the number of lines before it.
    rest: std::vec::IntoIter<(usize, &'a str)>,
    reader: Reader,
    entries: Vec<Entry>,
    /// Hash in the document.
    hash: Option<String>,
    is_document: bool,
    signature: Option<Value>,
}

impl<'a> RecordReader<'a> {
    /// Starts reading a document or lines; the format is detected.
    ///
    /// # Errors
    /// Returns an error if the text is neither.
    pub fn begin(text: &'a str) -> Result<Self, ImportError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document_error = |message: String| ImportError { line: 1, message };
        let lines = text.lines().enumerate();
        let lines: Vec<_> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
        let Some((_, first)) = lines.first() else {
            return Err(document_error("the text is empty".to_owned()));
        };
        // A document may be one line. What is too long for an entry is not read.
        let is_document = first
            .bytes()
            .take(1000)
            .collect::<Vec<_>>()
            .windows(FORMAT.len())
            .any(|part| part == FORMAT.as_bytes());
        let too_large = lines.iter().find(|(_, line)| line.len() > LARGEST_ENTRY);
        if let Some((before, line)) = too_large.filter(|_| !is_document) {
            return Err(too_long(line, *before));
        }
        if serde_json::from_str::<EntryShape>(first).is_ok() {
            return Ok(Self::of(lines, None));
        }
        let document: Document = serde_json::from_str(text).map_err(|error| fault(&error, 0))?;
        if document.format.as_deref() != Some(FORMAT) {
            return Err(document_error(format!(
                "not a record of Quorate: \"format\" is not \"{FORMAT}\""
            )));
        }
        match document.version {
            Some(VERSION) => {}
            Some(version) => {
                return Err(document_error(format!(
                    "the record has version {version}, this Quorate reads version {VERSION}"
                )));
            }
            None => return Err(document_error("the record has no \"version\"".to_owned())),
        }
        let raw = document.entries.unwrap_or_default();
        if raw.is_empty() {
            return Err(document_error("the record has no entries".to_owned()));
        }
        let (mut entries, mut counted, mut lines_before) = (Vec::with_capacity(raw.len()), 0, 0);
        for raw in raw {
            let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let between = text.as_bytes().get(counted..start).unwrap_or_default();
            lines_before += between.iter().filter(|byte| **byte == b'\n').count();
            counted = start;
            if raw.get().len() > LARGEST_ENTRY {
                return Err(too_long(raw.get(), lines_before));
            }
            entries.push((lines_before, raw.get()));
        }
        Ok(Self::of(entries, Some((document.hash, document.signature))))
    }

    fn of(entries: Vec<(usize, &'a str)>, document: Option<(Option<String>, Option<Value>)>) -> Self {
        let is_document = document.is_some();
        let (hash, signature) = document.unwrap_or_default();
        Self {
            rest: entries.into_iter(),
            reader: Reader::default(),
            entries: Vec::new(),
            hash,
            is_document,
            signature,
        }
    }

    /// Reads the next entry. Returns `false` at the end.
    ///
    /// # Errors
    /// As [`read`].
    pub fn step(&mut self) -> Result<bool, ImportError> {
        let Some((lines_before, json)) = self.rest.next() else {
            return Ok(false);
        };
        if !self.is_document && self.signature.is_some() {
            return Err(ImportError {
                line: lines_before + 1,
                message: "text after the signature: the signature must be the last line".to_owned(),
            });
        }
        match read_entry(&mut self.reader, json, self.entries.len(), lines_before) {
            Ok(entry) => self.entries.push(entry),
            Err(fault) => match serde_json::from_str::<Signed>(json) {
                Ok(Signed { signature })
                    if signature.is_object() && !self.is_document && !self.entries.is_empty() =>
                {
                    self.signature = Some(signature);
                }
                _ => return Err(fault),
            },
        }
        Ok(true)
    }

    /// Returns the record and its signature, which is not verified.
    ///
    /// # Errors
    /// Returns an error if entries at the end of a document are missing.
    pub fn end(self) -> Result<(Vec<Entry>, Option<Value>), ImportError> {
        if self.is_document && self.hash != Some(self.reader.hash()) {
            return Err(ImportError {
                line: 1,
                message: "the hash of the document does not match its entries: some are missing".to_owned(),
            });
        }
        Ok((self.entries, self.signature))
    }
}

/// Adds a signature to a record written as one document or as lines.
pub fn sign(text: &mut String, signature: &Value) {
    if text.starts_with("{\"format\"") {
        text.truncate(text.len() - 2);
        let _ = writeln!(text, ",\"signature\":{signature}}}");
    } else {
        let _ = writeln!(text, "{{\"signature\":{signature}}}");
    }
}

/// The fields that distinguish an entry from a document.
#[derive(Deserialize)]
struct EntryShape {
    seq: u64,
    what: Kind,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Document<'a> {
    format: Option<String>,
    version: Option<u64>,
    #[serde(borrow)]
    entries: Option<Vec<&'a RawValue>>,
    hash: Option<String>,
    signature: Option<Value>,
}

#[derive(Deserialize)]
struct Signed {
    signature: Value,
}

/// Reads the entry with this index.
fn read_entry(
    reader: &mut Reader,
    json: &str,
    index: usize,
    lines_before: usize,
) -> Result<Entry, ImportError> {
    let error_here = |message| ImportError {
        line: lines_before + 1,
        message,
    };
    let read = reader.entry(&compact(json));
    if !read
        .as_ref()
        .is_ok_and(|entry| entry.seq == index as u64 && entry.what.is_head() == (index == 0))
    {
        let head = serde_json::from_str(json).map_err(|error| fault(&error, lines_before))?;
        check_position(&head, index).map_err(error_here)?;
    }
    read.map_err(|error| match error {
        Fault::Json(error) => fault(&error, lines_before),
        Fault::Missing | Fault::Altered => error_here(format!("entry {index}: {error}")),
    })
}

/// Removes the white space between the tokens of a JSON text.
fn compact(json: &str) -> String {
    let (mut is_string, mut is_escaped) = (false, false);
    let is_kept = |sign: &char| {
        let was_string = is_string;
        is_string ^= *sign == '"' && !is_escaped;
        is_escaped = was_string && *sign == '\\' && !is_escaped;
        was_string || !sign.is_ascii_whitespace()
    };
    json.chars().filter(is_kept).collect()
}

fn too_long(entry: &str, lines_before: usize) -> ImportError {
    let megabytes = entry.len() / 1_000_000;
    ImportError {
        line: lines_before + 1,
        message: format!(
            "{megabytes} MB in one entry, which has at most {} MB: this is no record of Quorate",
            LARGEST_ENTRY / 1_000_000
        ),
    }
}

/// Checks whether an entry may have this index.
fn check_position(entry: &EntryShape, index: usize) -> Result<(), String> {
    if entry.seq != index as u64 {
        return Err(format!("expected entry {index}, found entry {}", entry.seq));
    }
    match (entry.what.kind == "started", index) {
        (false, 0) => Err("the first entry must be of type started".to_owned()),
        (true, 1..) => Err("second entry of type started: the text contains two records".to_owned()),
        _ => Ok(()),
    }
}

/// Converts an error of serde_json, without the position that it appends to the message.
fn fault(error: &serde_json::Error, lines_before: usize) -> ImportError {
    let line = lines_before + error.line().max(1);
    let position = format!(" at line {} column {}", error.line(), error.column());
    let text = error.to_string();
    let message = text.strip_suffix(&position).unwrap_or(&text);
    let message: String = match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{} …", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    };
    let message = match error.classify() {
        serde_json::error::Category::Eof => format!("incomplete JSON: {message}"),
        serde_json::error::Category::Syntax => format!("invalid JSON: {message}"),
        _ => message,
    };
    ImportError { line, message }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::core::record::EntryKind;
    use proptest::prelude::*;

    #[test]
    fn what_is_far_too_large_is_refused_unread() {
        let line = format!(
            "{{\"seq\":0,\"what\":{{\"type\":\"started\",\"x\":\"{}\"}}}}",
            "y".repeat(LARGEST_ENTRY)
        );
        for text in [
            line.clone(),
            format!("[{line}]"),
            "[".repeat(LARGEST_ENTRY + 1),
            format!("{{}}\n{line}"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.message.starts_with("16 MB in one entry"), "{error}");
        }
        let error = read(&format!(
            "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"entries\":[{line}]}}"
        ))
        .unwrap_err();
        assert!(error.message.starts_with("16 MB in one entry"), "{error}");
        // A message does not repeat a long value.
        let error = read(&format!("\"{}\"", "x".repeat(100_000))).unwrap_err();
        assert!(error.message.len() < 400, "{}", error.message.len());
        // A long record in one line is read.
        let one_line = document(&samples::record()).replace('\n', "");
        assert_eq!(read(&one_line).unwrap().len(), samples::record().len());
    }

    fn document(record: &[Rc<Entry>]) -> String {
        to_text(record, true)
    }

    fn lines(record: &[Rc<Entry>]) -> String {
        to_text(record, false)
    }

    fn texts(record: &[Rc<Entry>]) -> [String; 2] {
        [document(record), lines(record)]
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn both_formats_round_trip() {
        for record in [samples::record(), samples::hostile_record()] {
            let expected = lines(&record);
            for text in texts(&record) {
                for text in [
                    text.clone(),
                    format!("\u{feff}{text}"),
                    text.replace('\n', "\r\n"),
                    format!("\n{text}\n\n"),
                ] {
                    let read: Vec<_> = read(&text).unwrap().into_iter().map(Rc::new).collect();
                    assert_eq!(read, record);
                    assert_eq!(lines(&read), expected);
                }
            }
        }
    }

    #[test]
    fn white_space_between_tokens_is_ignored() {
        let record = samples::record();
        let document = document(&record);
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(
            (&value["format"], &value["version"]),
            (&"quorate-record".into(), &2.into())
        );
        let laid_out = document.replace("\",\"", "\" ,\n\t \"").replace("{\"", "{ \"");
        assert_ne!(laid_out, document);
        let read = read(&laid_out).unwrap();
        assert_eq!(read.into_iter().map(Rc::new).collect::<Vec<_>>(), record);
    }

    #[test]
    fn faults_have_their_line() {
        let [document, lines] = texts(&samples::record());
        let without = |text: &str, at: usize| {
            let kept = text.lines().enumerate().filter(|(index, _)| *index != at);
            kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(message(""), "line 1: the text is empty");
        assert_eq!(message("\u{feff} \n"), "line 1: the text is empty");
        assert_eq!(
            message(&without(&lines, 2)),
            "line 3: expected entry 2, found entry 3"
        );
        assert_eq!(
            message(&without(&document, 3)),
            "line 4: expected entry 2, found entry 3"
        );
        assert_eq!(
            message(&without(&lines, 0)),
            "line 1: expected entry 0, found entry 1"
        );
        let doubled = lines.lines().next().unwrap().to_owned() + "\n" + &lines;
        assert_eq!(message(&doubled), "line 2: expected entry 1, found entry 0");
        let headless = r#"{"seq":0,"at":0,"what":{"type":"unanswered","ask":"a"}}"#;
        assert_eq!(
            message(headless),
            "line 1: the first entry must be of type started"
        );
        let head = lines.lines().next().unwrap();
        let second = head.replacen("\"seq\":0", "\"seq\":1", 1);
        assert_eq!(
            message(&format!("{head}\n{second}")),
            "line 2: second entry of type started: the text contains two records"
        );
        let odd = format!("{head}\n\n{{\"seq\":1,\"at\":0,\"what\":{{\"type\":\"danced\"}}}}");
        assert_eq!(
            message(&odd),
            "line 3: entry 1: its hash does not fit: it was altered, or what stands before it"
        );
        let cut: String = lines.chars().take(lines.chars().count() - 20).collect();
        let last = cut.lines().count();
        assert!(
            message(&cut).starts_with(&format!("line {last}: incomplete JSON: ")),
            "{}",
            message(&cut)
        );
        let cut: String = document.chars().take(document.chars().count() - 20).collect();
        assert!(message(&cut).contains("incomplete JSON: "), "{}", message(&cut));
        assert!(message("seat;round\n1;2").starts_with("line 1: invalid JSON: "));
        assert!(message(r#"{"general_information":{}}"#).contains("not a record of Quorate"));
        assert_eq!(
            message(r#"{"format":"quorate-record","version":1,"entries":[]}"#),
            "line 1: the record has version 1, this Quorate reads version 2"
        );
        assert_eq!(
            message(r#"{"format":"quorate-record","version":2,"entries":[]}"#),
            "line 1: the record has no entries"
        );
        assert!(message("[]").starts_with("line 1: "));
        assert!(message(&(document + "{}")).contains("invalid JSON: trailing characters"));
    }

    proptest! {
        #[test]
        fn any_text_and_number_round_trips(text in any::<String>(), number in any::<f64>(), at in any::<u64>()) {
            let mut record = samples::record();
            let value = serde_json::json!({ (&text): number, "text": text });
            record.push(Rc::new(Entry { seq: record.len() as u64, at, what: EntryKind::Ended { result: value } }));
            for text in texts(&record) {
                let read: Vec<_> = read(&text).unwrap().into_iter().map(Rc::new).collect();
                prop_assert_eq!(lines(&read), lines(&record));
            }
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let _ = read(&text);
            let _ = read(&format!("{{\"seq\":0{text}"));
        }
    }
}
