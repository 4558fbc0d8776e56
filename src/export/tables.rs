//! Five tables of any number of records for statistics, with a codebook: `runs` (one row per run), `seats` (one row per
//! participant), `decisions`, `utterances` and `asks`. This module has the columns of all runs and the asks with their
//! costs; the other columns come from the reports of the procedures.

mod rows;

use self::rows::{RunRow, SeatRow, ask_columns, run_columns, seat_columns, study_row};
use super::csv::{Block, CsvFormat, Layout, Table};
use super::{ExportError, File, Format, for_role, safe_name};
use crate::core::ask_log::AskLogs;
use crate::core::record::{Entry, EntryKind};
use crate::core::visibility::Role;
use crate::costs::tally::tally;
use crate::procedures::report::{About, Rows, columns, report, text};
use std::rc::Rc;

/// The tables in order, each with the meaning of a row.
pub const TABLES: [(&str, &str); 5] = [
    ("runs", "a run"),
    ("seats", "a participant of a run"),
    ("decisions", "a decision"),
    ("utterances", "a statement"),
    ("asks", "a question to a participant, with its answer"),
];

const README: &str = include_str!("tables/README.md");
const R_SCRIPT: &str = include_str!("tables/load.R");
const PYTHON_SCRIPT: &str = include_str!("tables/load.py");

/// What the tables hold, and how they are written.
#[derive(Debug, Clone)]
pub struct Style {
    pub format: CsvFormat,
    /// Whose data: that which this role may see.
    pub role: Role,
    /// Whether `asks` has the texts of the questions, which are most of all bytes.
    pub has_prompts: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            format: CsvFormat::default(),
            role: Role::Owner,
            has_prompts: false,
        }
    }
}

/// The tables of several records.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: [Table; 5],
    style: Style,
    /// Id of the first record.
    first: String,
}

impl Tables {
    /// Creates empty tables.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self {
            tables: std::array::from_fn(|_| Table::new(style.format)),
            style,
            first: String::new(),
        }
    }

    /// Adds a record, whether ended or not.
    ///
    /// # Errors
    /// Returns an error if the record lacks its first entry, or if its protocol is unknown, so that it cannot be filtered.
    pub fn add(&mut self, record: &[Rc<Entry>]) -> Result<(), ExportError> {
        let record = &for_role(record, &self.style.role)?;
        let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
            return Err(ExportError::NoHead);
        };
        if self.first.is_empty() {
            self.first.clone_from(&head.session);
        }
        let asks = AskLogs::of(record);
        let costs = tally(record, &asks);
        let report = report(head, record, &asks);
        let run = RunRow {
            head,
            record,
            asks: &asks,
            costs: &costs,
        };
        let mut seats = run.seats(&report.seated);
        let mut of_seats = report.seats;
        let role = &self.style.role;
        if *role != Role::Owner {
            // Hidden values of other seats would look like zero.
            let is_own = |seat: &SeatRow| role.seat() == Some(seat.name);
            let mut own = seats.iter().map(is_own);
            of_seats.cells.retain(|_| own.next().unwrap_or_default());
            seats.retain(is_own);
        }
        let asks = run.asks();
        let of_report = [
            Rows::of(&run_columns(), &[run])
                .beside(study_row(head, record))
                .beside(report.run),
            Rows::of(&seat_columns(), &seats).beside(of_seats),
            report.decisions,
            report.utterances,
            Rows::of(&ask_columns(self.style.has_prompts), &asks),
        ];
        for (table, rows) in self.tables.iter_mut().zip(&of_report) {
            table.add(rows);
        }
        Ok(())
    }

    /// Removes the rows of tables with more than so many bytes, each with the table's number, so that they can be stored
    /// elsewhere until [`Self::filled`].
    pub fn take_blocks(&mut self, most: usize) -> Vec<(usize, Block)> {
        let large = self
            .tables
            .iter_mut()
            .enumerate()
            .filter(|(_, table)| table.size() > most);
        let blocks =
            |(at, table): (usize, &mut Table)| table.take_blocks().into_iter().map(move |block| (at, block));
        large.flat_map(blocks).collect()
    }

    /// Returns the rest of a table: its header, the rows that were not taken, and the number of columns.
    #[must_use]
    pub fn rest(&self, at: usize) -> Option<(String, String, usize)> {
        let table = self.tables.get(at)?;
        Some((table.header(), table.rows(), table.columns.len()))
    }

    /// Returns rows taken before, with empty cells for the columns that were added since.
    #[must_use]
    pub fn filled(&self, at: usize, cells: usize, rows: &str) -> String {
        self.tables
            .get(at)
            .map_or_else(String::new, |table| table.filled(cells, rows))
    }

    /// Returns a file name with this suffix: with the id of a single record, or the number of records.
    #[must_use]
    pub fn name(&self, suffix: &str) -> String {
        match self.tables[0].len() {
            0 | 1 => format!("quorate-{}{suffix}", safe_name(&self.first)),
            several => format!("quorate-{several}-runs{suffix}"),
        }
    }

    /// Returns the table of a format, or `None` if the format is no table.
    #[must_use]
    pub fn table(&self, format: Format) -> Option<File> {
        let (at, name) = match format {
            Format::Table(at) => (at, TABLES.get(at)?.0),
            _ => return None,
        };
        Some(File {
            name: self.name(&format!("-{name}.csv")),
            media_type: CSV,
            text: self.tables.get(at)?.csv(),
        })
    }

    /// Returns all tables with the files beside them.
    #[must_use]
    pub fn files(&self) -> Vec<File> {
        let mut files = self.files_beside();
        let table = |((name, _), table): (&(&str, &str), &Table)| csv_file(name, table.csv());
        files.extend(TABLES.iter().zip(&self.tables).map(table));
        files
    }

    /// Returns a readme, the codebook and, for statistics programs, scripts for loading.
    #[must_use]
    pub fn files_beside(&self) -> Vec<File> {
        let file = |name: &str, media_type, text| File {
            name: name.to_owned(),
            media_type,
            text,
        };
        let script = "text/plain;charset=utf-8";
        let mut files = vec![
            file("README.md", "text/markdown;charset=utf-8", self.readme()),
            csv_file("codebook", self.codebook()),
        ];
        if self.style.format.layout == Layout::Plain {
            files.push(file("load.R", script, R_SCRIPT.to_owned()));
            files.push(file("load.py", script, PYTHON_SCRIPT.to_owned()));
        }
        files
    }

    fn codebook(&self) -> String {
        let named = TABLES.iter().zip(&self.tables);
        let lines =
            named.flat_map(|((name, _), table)| table.columns.iter().map(move |about| (*name, about)));
        let lines: Vec<(&str, &About)> = lines.collect();
        let columns = columns!(line: (&str, &About),
            text("table", "name of the table") => line.0,
            text("column", "name of the column") => &*line.1.name,
            text("type", "data type") => line.1.kind.name(),
            text("unit", "unit") => line.1.unit,
            text("values", "possible values, if there are few") => line.1.values,
            text("meaning", "meaning") => line.1.meaning,
        );
        let mut codebook = Table::new(self.style.format);
        codebook.add(&Rows::of(&columns, &lines));
        codebook.csv()
    }

    fn readme(&self) -> String {
        let mut rows = String::new();
        for ((name, what), table) in TABLES.iter().zip(&self.tables) {
            rows += &format!(
                "| {name}.csv | {what} | {} | {} |\n",
                table.len(),
                table.columns.len()
            );
        }
        // A spreadsheet needs no loaders.
        let end = (self.style.format.layout != Layout::Plain).then(|| README.find("Python, with"));
        let text = end.flatten().and_then(|end| README.get(..end)).unwrap_or(README);
        text.replace("{tables}", rows.trim_end())
    }
}

pub const CSV: &str = "text/csv;charset=utf-8;header=present";

fn csv_file(name: &str, text: String) -> File {
    File {
        name: format!("{name}.csv"),
        media_type: CSV,
        text,
    }
}

#[cfg(test)]
mod tests;
