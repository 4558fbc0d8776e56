//! The record as files: for programs that take a run in again (`json`), for statistics ([`tables`]), for
//! people (`markdown`), for scripts written for the published program (`published`). Views only:
//! nothing is decided, filled in or rounded here, and no record is changed.

mod costs;
pub mod csv;
#[cfg(test)]
mod csv_reader;
mod debate;
mod discussion;
mod escape;
mod forms;
pub mod json;
mod markdown;
pub use markdown::TEXTS;
mod plain;
mod published;
mod run;
mod stand_ins;
pub mod tables;
mod talk;

#[cfg(test)]
pub(crate) mod samples;

use crate::core::record::{Entry, EntryKind};
use crate::core::visibility::Role;
use crate::procedures::Procedure;
use crate::procedures::view::{seen, view_of};
use csv::Formulas;
use std::fmt::Display;
use std::rc::Rc;
use tables::Tables;

/// What a record can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The whole record as one JSON document; can be taken in again.
    Json,
    /// The whole record, an entry a line; can be taken in again.
    JsonLines,
    /// The table at that place of [`tables::TABLES`], as CSV.
    Table(usize),
    /// A report in the language of the run.
    Markdown,
    /// The published program's result file.
    Published,
}

impl Format {
    /// From `json`, `jsonl`, `md`, `published` or the name of a table.
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

    /// Whether that is the name of a table.
    #[must_use]
    pub fn is_table(name: &str) -> bool {
        matches!(Self::from_name(name), Some(Self::Table(_)))
    }

    /// How the file's name ends.
    fn ending(self) -> &'static str {
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

/// A file to be saved, in UTF-8 without a byte order mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Name without a folder, of letters, digits, `-`, `_` and `.` only.
    pub name: String,
    /// MIME type.
    pub media_type: &'static str,
    /// The text.
    pub text: String,
}

/// Why a record cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportError {
    /// The record does not begin with its head.
    NoHead,
    /// The configuration in its head cannot be read by this version; names the faults.
    Config(String),
    /// The format has no form for records of the protocol of that name.
    Protocol(String),
    /// An entry has no form in JSON.
    Json(String),
}

impl Display for ExportError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoHead => write!(formatter, "the record is empty or lacks its first entry"),
            Self::Config(faults) => write!(
                formatter,
                "this version cannot read the record's configuration, export it as JSON instead: {faults}"
            ),
            Self::Protocol(name) => write!(
                formatter,
                "this format is not for records of the protocol {name:?}, export it as JSON instead"
            ),
            Self::Json(fault) => write!(formatter, "the record cannot be written as JSON: {fault}"),
        }
    }
}

impl std::error::Error for ExportError {}

/// Writes a record, ended or not, in a format.
///
/// # Errors
/// A record without its first entry; for the report and the published file also a configuration that
/// this version cannot read.
pub fn export(format: Format, record: &[Rc<Entry>]) -> Result<File, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    let text = match format {
        Format::Json | Format::JsonLines => json::written(record, format == Format::Json),
        Format::Table(_) => {
            let mut tables = Tables::new(Formulas::Guarded, Role::Owner);
            tables.add(record)?;
            return tables.table(format).ok_or(ExportError::NoHead);
        }
        Format::Markdown => match head.protocol.as_str() {
            "justice" => markdown::report(&run::Run::of(record)?) + &stand_ins::section(head, record),
            "discussion" => talk::report(record)? + &stand_ins::section(head, record),
            "debate" => debate::report(record)? + &stand_ins::section(head, record),
            _ => match Procedure::of(head) {
                Some(procedure) => plain::report(procedure, head, record) + &stand_ins::section(head, record),
                None => return Err(ExportError::Protocol(head.protocol.clone())),
            },
        },
        Format::Published => match head.protocol.as_str() {
            "justice" => published::result(&run::Run::of(record)?)?,
            _ => return Err(ExportError::Protocol(head.protocol.clone())),
        },
    };
    Ok(file(format, &head.session, text))
}

/// A text of a session as a file of a format.
#[must_use]
pub fn file(format: Format, session: &str, text: String) -> File {
    File {
        name: format!("quorate-{}{}", safe(session), format.ending()),
        media_type: format.media_type(),
        text,
    }
}

/// What a role sees of a record, as JSON: a participant's own data, say.
#[must_use]
pub fn view(record: &[Rc<Entry>], role: Role) -> File {
    let session = match record.first().map(|entry| &entry.what) {
        Some(EntryKind::Started(head)) => head.session.as_str(),
        _ => "",
    };
    let whose = role
        .seat()
        .map_or_else(String::new, |name| format!("-{}", safe(name)));
    File {
        name: format!("quorate-{}{whose}-view.json", safe(session)),
        media_type: Format::Json.media_type(),
        text: view_of(record, role).json(None).to_string(),
    }
}

/// What a role may know of a record.
fn for_role(record: &[Rc<Entry>], role: &Role) -> Result<Vec<Rc<Entry>>, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    seen(record, role.clone()).ok_or_else(|| ExportError::Protocol(head.protocol.clone()))
}

/// An id as part of a file name: other characters become `-`, at most 80 of them.
fn safe(id: &str) -> String {
    let keep = |character: char| {
        if character.is_ascii_alphanumeric() || matches!(character, '-' | '_') {
            character
        } else {
            '-'
        }
    };
    let name: String = id.chars().take(80).map(keep).collect();
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
    fn names_are_safe_on_every_system() {
        assert_eq!(safe("0b1e-77"), "0b1e-77");
        assert_eq!(safe("../../etc/passwd\0:*?\"<>|é"), "------etc-passwd---------");
        assert_eq!(safe(""), "record");
        assert_eq!(safe(&"x".repeat(500)).len(), 80);
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
    fn a_configuration_of_another_version_still_leaves_the_data() {
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
        ] {
            assert!(
                export(Format::from_name(name).unwrap(), &record).is_ok(),
                "{name}"
            );
        }
        let error = export(Format::Markdown, &record).unwrap_err().to_string();
        assert!(error.contains("from_the_future: is not a setting"), "{error}");
    }
}
