//! Exports of a record: JSON for import (`json`), tables for statistics ([`tables`]), a report for people (`markdown`)
//! and the result file of the published program (`published`). Exports are views: values are neither filled in nor
//! rounded, and the record is not changed.

mod costs;
pub mod csv;
#[cfg(test)]
mod csv_reader;
mod escape;
mod forms;
pub mod json;
mod markdown;
pub use markdown::TEXTS;
mod published;
mod run;
mod stand_ins;
pub mod tables;
mod transcript;

#[cfg(test)]
pub(crate) mod samples;

use crate::core::record::{Entry, EntryKind};
use crate::core::visibility::Role;
use crate::procedures::Procedure;
use crate::procedures::view::{seen, view_of};
use std::fmt::Display;
use std::rc::Rc;
use tables::Tables;

/// Export formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The whole record as one JSON document; can be imported.
    Json,
    /// The whole record, one entry per line; can be imported.
    JsonLines,
    /// The table at this index of [`tables::TABLES`], as CSV.
    Table(usize),
    /// A report in the language of the run.
    Markdown,
    /// The published program's result file.
    Published,
}

impl Format {
    /// Parses `json`, `jsonl`, `md`, `published` or the name of a table.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "json" => Some(Self::Json),
            "jsonl" => Some(Self::JsonLines),
            "md" => Some(Self::Markdown),
            "published" => Some(Self::Published),
            _ => tables::TABLES
                .iter()
                .position(|(table, _)| *table == name)
                .map(Self::Table),
        }
    }

    /// Returns whether this is the name of a table.
    #[must_use]
    pub fn is_table(name: &str) -> bool {
        matches!(Self::from_name(name), Some(Self::Table(_)))
    }

    fn file_suffix(self) -> &'static str {
        match self {
            Self::Json => ".json",
            Self::JsonLines => ".jsonl",
            Self::Table(_) => ".csv",
            Self::Markdown => ".md",
            Self::Published => "-published.json",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::Published => "application/json",
            Self::JsonLines => "application/x-ndjson",
            Self::Table(_) => tables::CSV,
            Self::Markdown => "text/markdown;charset=utf-8",
        }
    }
}

/// A text file in UTF-8 without a byte order mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Name without a folder, of letters, digits, `-`, `_` and `.` only.
    pub name: String,
    pub media_type: &'static str,
    pub text: String,
}

/// Why a record cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportError {
    /// The first entry is not the head of the record.
    NoHead,
    /// This version cannot read the configuration, with its faults.
    Config(String),
    /// The format does not support this protocol.
    Protocol(String),
    /// An entry cannot be serialized.
    Json(String),
}

impl Display for ExportError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoHead => write!(
                formatter,
                "the record does not begin with an entry of type started"
            ),
            Self::Config(faults) => write!(
                formatter,
                "this version cannot read the record's configuration, export it as JSON instead: {faults}"
            ),
            Self::Protocol(name) => write!(
                formatter,
                "this format does not support the protocol {name:?}, export it as JSON instead"
            ),
            Self::Json(fault) => write!(formatter, "the record cannot be written as JSON: {fault}"),
        }
    }
}

impl std::error::Error for ExportError {}

/// Exports a record, whether ended or not.
///
/// # Errors
/// Returns an error if the record lacks its first entry, or if a report or published file does not support its protocol or
/// configuration.
pub fn export(format: Format, record: &[Rc<Entry>]) -> Result<File, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    let text = match format {
        Format::Json | Format::JsonLines => json::to_text(record, format == Format::Json),
        Format::Table(_) => {
            let mut tables = Tables::new(tables::Style::default());
            tables.add(record)?;
            return tables.table(format).ok_or(ExportError::NoHead);
        }
        Format::Markdown => match Procedure::of(head) {
            Some(_) => transcript::report(head, record) + &stand_ins::section(head, record),
            None => return Err(ExportError::Protocol(head.protocol.clone())),
        },
        Format::Published => match head.protocol.as_str() {
            "justice" => published::result(&run::Run::of(record)?)?,
            _ => return Err(ExportError::Protocol(head.protocol.clone())),
        },
    };
    Ok(file(format, &head.session, text))
}

/// Creates the file of an exported session.
#[must_use]
pub fn file(format: Format, session: &str, text: String) -> File {
    File {
        name: format!("quorate-{}{}", safe_name(session), format.file_suffix()),
        media_type: format.media_type(),
        text,
    }
}

/// Exports the view of a role as JSON, e.g. a participant's own data.
#[must_use]
pub fn view(record: &[Rc<Entry>], role: Role) -> File {
    let session = match record.first().map(|entry| &entry.what) {
        Some(EntryKind::Started(head)) => head.session.as_str(),
        _ => "",
    };
    let suffix = role
        .seat()
        .map_or_else(String::new, |name| format!("-{}", safe_name(name)));
    File {
        name: format!("quorate-{}{suffix}-view.json", safe_name(session)),
        media_type: Format::Json.media_type(),
        text: view_of(record, role).json(None).to_string(),
    }
}

/// Returns the entries that a role may see.
fn for_role(record: &[Rc<Entry>], role: &Role) -> Result<Vec<Rc<Entry>>, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    seen(record, role.clone()).ok_or_else(|| ExportError::Protocol(head.protocol.clone()))
}

/// Converts an id to a part of a file name: at most 80 characters, all others than letters, digits, `-` and `_` replaced
/// by `-`.
fn safe_name(id: &str) -> String {
    let replace = |character: char| {
        if character.is_ascii_alphanumeric() || matches!(character, '-' | '_') {
            character
        } else {
            '-'
        }
    };
    let name: String = id.chars().take(80).map(replace).collect();
    if name.is_empty() {
        "record".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe() {
        assert_eq!(safe_name("0b1e-77"), "0b1e-77");
        assert_eq!(
            safe_name("../../etc/passwd\0:*?\"<>|é"),
            "------etc-passwd---------"
        );
        assert_eq!(safe_name(""), "record");
        assert_eq!(safe_name(&"x".repeat(500)).len(), 80);
    }

    #[test]
    fn every_format_has_a_name_and_a_file() {
        let record = samples::record();
        let file = |name| export(Format::from_name(name).unwrap(), &record).unwrap();
        assert_eq!(
            ["json", "jsonl", "runs", "asks", "md", "published"].map(|name| file(name).name),
            [
                "quorate-s-1.json",
                "quorate-s-1.jsonl",
                "quorate-s-1-runs.csv",
                "quorate-s-1-asks.csv",
                "quorate-s-1.md",
                "quorate-s-1-published.json"
            ]
        );
        assert_eq!(Format::from_name("xlsx"), None);
        assert_eq!(export(Format::Json, &[]), Err(ExportError::NoHead));
        assert_eq!(Format::from_name("csv"), None);
        assert_eq!(export(Format::Table(0), &record[1..]), Err(ExportError::NoHead));
    }

    #[test]
    fn tables_do_not_need_a_known_configuration() {
        let mut record = samples::record();
        let mut head = (*record[0]).clone();
        let EntryKind::Started(started) = &mut head.what else {
            unreachable!()
        };
        started.config["from_the_future"] = 1.into();
        record[0] = Rc::new(head);
        for name in [
            "json",
            "jsonl",
            "runs",
            "seats",
            "decisions",
            "utterances",
            "asks",
            "md",
        ] {
            assert!(
                export(Format::from_name(name).unwrap(), &record).is_ok(),
                "{name}"
            );
        }
        let error = export(Format::Published, &record).unwrap_err().to_string();
        assert!(error.contains("from_the_future: is not a setting"), "{error}");
    }
}
