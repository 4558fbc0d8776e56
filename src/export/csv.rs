//! CSV by RFC 4180: UTF-8 without a byte order mark, CRLF between rows. An empty cell is a value that does not apply, was
//! not reported or does not exist yet.
//!
//! Text is preserved, including line breaks, commas and NUL, with one reversible change: spreadsheets interpret cells that
//! begin with `=`, `+`, `-` or `@` as formulas, and a model may answer with one. Such text cells (after any apostrophes)
//! get a leading apostrophe. Remove it from cells that match `^'+[=+@\t\r\n＝＋－＠-]` for the exact text, or write with
//! [`Formulas::AsTheyAre`]. Numbers and times are not changed.

use crate::language::format::timestamp as iso;
use crate::procedures::report::{About, Cell, Rows};

/// Handling of text that spreadsheets interpret as a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formulas {
    /// A leading apostrophe is added.
    Guarded,
    /// Text is unchanged, for programs that treat cells as data.
    AsTheyAre,
}

/// A table of rows with different columns. Each column appears once and is empty in rows without it.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) columns: Vec<&'static About>,
    /// Rows without trailing empty cells, and their numbers of cells.
    rows: Vec<(String, usize)>,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn add(&mut self, rows: &Rows, formulas: Formulas) {
        let index_of = |about: &&'static About| {
            let known = self.columns.iter().position(|column| column.name == about.name);
            known.unwrap_or_else(|| {
                self.columns.push(about);
                self.columns.len() - 1
            })
        };
        let indexes: Vec<usize> = rows.columns.iter().map(index_of).collect();
        for cells in &rows.cells {
            let mut row_cells: Vec<&Cell> = vec![&Cell::Missing; self.columns.len()];
            for (cell, index) in cells.iter().zip(&indexes) {
                row_cells[*index] = cell;
            }
            let mut row = String::new();
            for (at, cell) in row_cells.into_iter().enumerate() {
                if at > 0 {
                    row.push(',');
                }
                write(&mut row, cell, formulas);
            }
            self.rows.push((row, self.columns.len()));
        }
    }

    /// Returns the table with a header.
    pub(super) fn csv(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let mut text = names.join(",") + "\r\n";
        for (row, cells) in &self.rows {
            text.push_str(row);
            text.extend(std::iter::repeat_n(',', self.columns.len() - cells));
            text.push_str("\r\n");
        }
        text
    }
}

fn write(out: &mut String, cell: &Cell, formulas: Formulas) {
    match cell {
        Cell::Missing => {}
        Cell::Text(text) => write_text(out, text, formulas),
        Cell::Integer(number) => out.push_str(&number.to_string()),
        Cell::Number(number) => out.push_str(&number.to_string()),
        Cell::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Cell::Time(moment) => out.push_str(&iso(*moment)),
    }
}

fn write_text(out: &mut String, text: &str, formulas: Formulas) {
    let is_guarded = formulas == Formulas::Guarded && looks_like_formula(text);
    let is_quoted = text.contains([',', '"', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ');
    if is_quoted {
        out.push('"');
    }
    if is_guarded {
        out.push('\'');
    }
    if is_quoted {
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

/// Leading apostrophes are skipped, so that the guard can be removed again.
fn looks_like_formula(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::super::csv_reader::read;
    use super::super::samples;
    use super::*;
    use crate::procedures::report::{Column, ColumnKind};
    use proptest::prelude::*;

    fn unguarded(cell: &str) -> &str {
        if looks_like_formula(cell) {
            cell.strip_prefix('\'').expect("a guard")
        } else {
            cell
        }
    }

    const TEXT: &[Column<String>] = &[
        About::new("before", ColumnKind::Integer, "").from(|_| 1_u8.into()),
        About::new("text", ColumnKind::Text, "").from(|text: &String| text.as_str().into()),
    ];

    fn one(text: &str, formulas: Formulas) -> Vec<Vec<String>> {
        let mut table = Table::default();
        table.add(&Rows::of(TEXT, &[text.to_owned()]), formulas);
        read(&table.csv())
    }

    fn assert_round_trip(text: &str) {
        let exact = one(text, Formulas::AsTheyAre);
        assert_eq!(
            exact,
            [
                vec!["before".to_owned(), "text".to_owned()],
                vec!["1".to_owned(), text.to_owned()]
            ]
        );
        let guarded = &one(text, Formulas::Guarded)[1][1];
        assert_eq!(unguarded(guarded), text);
        assert!(!guarded.starts_with(['=', '+', '-', '@']), "{guarded:?}");
    }

    #[test]
    fn hostile_text_stays_in_its_cell() {
        samples::HOSTILE.iter().for_each(|text| assert_round_trip(text));
    }

    #[test]
    fn only_text_is_guarded_and_non_finite_numbers_are_missing() {
        let mut row = String::new();
        let cells = [
            (-5.5).into(),
            "-5".into(),
            "'=1".into(),
            "it's".into(),
            "=1,2".into(),
            f64::NAN.into(),
            f64::INFINITY.into(),
            "".into(),
            None::<f64>.into(),
            true.into(),
            1e-7.into(),
            Cell::Time(1),
        ];
        for cell in &cells {
            write(&mut row, cell, Formulas::Guarded);
            row.push('|');
        }
        assert_eq!(
            row,
            "-5.5|'-5|''=1|it's|\"'=1,2\"|||||true|0.0000001|1970-01-01T00:00:00.001Z|"
        );
    }

    #[test]
    fn rows_with_different_columns_share_a_table() {
        const OTHER: &[Column<u8>] = &[
            About::new("text", ColumnKind::Text, "").from(|_| "t".into()),
            About::new("own", ColumnKind::Integer, "").from(|own| (*own).into()),
        ];
        let mut table = Table::default();
        table.add(&Rows::of(TEXT, &["a".to_owned()]), Formulas::Guarded);
        table.add(&Rows::of(OTHER, &[7]), Formulas::Guarded);
        table.add(&Rows::of(TEXT, &["b".to_owned()]), Formulas::Guarded);
        assert_eq!(table.csv(), "before,text,own\r\n1,a,\r\n,t,7\r\n1,b,\r\n");
    }

    proptest! {
        #[test]
        fn any_text_round_trips(text in any::<String>()) {
            assert_round_trip(&text);
        }
    }
}
