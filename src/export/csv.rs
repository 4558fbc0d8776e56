//! CSV by RFC 4180: UTF-8 without a byte order mark, CRLF between rows. An empty cell is a value that does not apply, was
//! not reported or does not exist yet. For spreadsheets there are two other layouts ([`Layout`]).
//!
//! Text is preserved, including line breaks, commas and NUL, with one reversible change: spreadsheets interpret cells that
//! begin with `=`, `+`, `-` or `@` as formulas, also in other widths and after blanks, and a model may answer with one. Such
//! text cells get a leading apostrophe, and so do those that have apostrophes before it. Remove one from cells that match
//! the pattern of `tables/load.py` for the exact text, or write with [`Formulas::AsTheyAre`]. Numbers and times are not
//! changed.

use crate::language::blank::is_unseen;
use crate::language::format::timestamp as iso;
use crate::procedures::report::{About, Cell, Rows};

/// Handling of text that spreadsheets interpret as a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulas {
    /// A leading apostrophe is added.
    #[default]
    Guarded,
    /// Text is unchanged, for programs that treat cells as data.
    AsTheyAre,
}

/// Whom a table is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// Statistics programs.
    #[default]
    Plain,
    /// Spreadsheets: a byte order mark, without which they read UTF-8 as another encoding.
    Spreadsheet,
    /// Spreadsheets of countries with a decimal comma: a byte order mark, semicolons between cells.
    DecimalComma,
}

impl Layout {
    fn separator(self) -> char {
        if self == Self::DecimalComma { ';' } else { ',' }
    }
}

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CsvFormat {
    pub formulas: Formulas,
    pub layout: Layout,
}

/// A table of rows with different columns. Each column appears once and is empty in rows without it.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    format: CsvFormat,
    pub(super) columns: Vec<About>,
    /// Number of rows.
    count: usize,
    blocks: Vec<Block>,
}

/// Rows, each with this number of cells.
#[derive(Debug, Clone)]
pub struct Block {
    cells: usize,
    text: String,
}

impl Block {
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Table {
    pub(super) fn new(format: CsvFormat) -> Self {
        Self {
            format,
            ..Self::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn add(&mut self, rows: &Rows) {
        let index_of = |about: &About| {
            let known = self.columns.iter().position(|column| column.name == about.name);
            known.unwrap_or_else(|| {
                self.columns.push(about.clone());
                self.columns.len() - 1
            })
        };
        let indexes: Vec<usize> = rows.columns.iter().map(index_of).collect();
        let cells = self.columns.len();
        if self.blocks.last().is_none_or(|block| block.cells != cells) {
            let text = String::new();
            self.blocks.push(Block { cells, text });
        }
        let Some(Block { text, .. }) = self.blocks.last_mut() else {
            return;
        };
        for row in &rows.cells {
            let mut row_cells: Vec<&Cell> = vec![&Cell::Missing; cells];
            for (cell, index) in row.iter().zip(&indexes) {
                row_cells[*index] = cell;
            }
            for (at, cell) in row_cells.into_iter().enumerate() {
                if at > 0 {
                    text.push(self.format.layout.separator());
                }
                write(text, cell, self.format);
            }
            text.push_str("\r\n");
        }
        self.count += rows.cells.len();
    }

    /// Removes the rows written so far, so that they can be stored elsewhere.
    pub(super) fn take_blocks(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.blocks)
    }

    /// Returns the size of the rows written so far in bytes.
    pub(super) fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.text.len()).sum()
    }

    /// Returns the first line.
    pub(super) fn header(&self) -> String {
        let mark = if self.format.layout == Layout::Plain {
            ""
        } else {
            "\u{feff}"
        };
        let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
        let separator = self.format.layout.separator().to_string();
        format!("{mark}{}\r\n", names.join(&separator))
    }

    /// Returns rows with empty cells for the columns that were added later.
    pub(super) fn filled(&self, cells: usize, rows: &str) -> String {
        let missing = self.columns.len().saturating_sub(cells);
        if missing == 0 {
            return rows.to_owned();
        }
        let end = self.format.layout.separator().to_string().repeat(missing) + "\r\n";
        let mut text = String::with_capacity(rows.len() * 2);
        let mut is_quoted = false;
        for line in rows.split_inclusive("\r\n") {
            // Quotes in a cell are doubled, so an odd number begins or ends one that goes over several lines.
            is_quoted ^= line.matches('"').count() % 2 == 1;
            match line.strip_suffix("\r\n").filter(|_| !is_quoted) {
                Some(row) => text.extend([row, &end]),
                None => text.push_str(line),
            }
        }
        text
    }

    /// Returns the rows that were not taken.
    pub(super) fn rows(&self) -> String {
        self.blocks
            .iter()
            .map(|block| self.filled(block.cells, &block.text))
            .collect()
    }

    /// Returns the table with a header.
    pub(super) fn csv(&self) -> String {
        self.header() + &self.rows()
    }
}

fn write(out: &mut String, cell: &Cell, format: CsvFormat) {
    match cell {
        Cell::Missing => {}
        Cell::Text(text) => write_text(out, text, format),
        Cell::Integer(number) => out.push_str(&number.to_string()),
        Cell::Number(number) if format.layout == Layout::DecimalComma => {
            out.push_str(&number.to_string().replace('.', ","));
        }
        Cell::Number(number) => out.push_str(&number.to_string()),
        Cell::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Cell::Time(moment) => out.push_str(&iso(*moment)),
    }
}

fn write_text(out: &mut String, text: &str, format: CsvFormat) {
    let is_guarded = format.formulas == Formulas::Guarded && looks_like_formula(text);
    let is_quoted = text.contains([format.layout.separator(), '"', '\r', '\n'])
        || text.starts_with(' ')
        || text.ends_with(' ');
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

/// Characters that begin a formula, in every width.
const BEGIN_FORMULA: [char; 16] = [
    '=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '−', '﬩', '⁼', '⁺',
];

/// Returns whether a text begins a formula after blanks, or with a tab or line break. Leading apostrophes are skipped, so
/// that the guard can be removed again.
fn looks_like_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(is_unseen).starts_with(BEGIN_FORMULA)
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

    fn columns() -> Vec<Column<String>> {
        vec![
            About::new("before", ColumnKind::Integer, "").from(|_| 1_u8.into()),
            About::new("text", ColumnKind::Text, "").from(|text: &String| text.as_str().into()),
        ]
    }

    fn one(text: &str, formulas: Formulas) -> Vec<Vec<String>> {
        let mut table = Table::new(CsvFormat {
            formulas,
            ..CsvFormat::default()
        });
        table.add(&Rows::of(&columns(), &[text.to_owned()]));
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
        assert!(
            !guarded.trim_start_matches(is_unseen).starts_with(BEGIN_FORMULA),
            "{guarded:?}"
        );
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
            write(&mut row, cell, CsvFormat::default());
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
        table.add(&Rows::of(&columns(), &["a".to_owned()]));
        table.add(&Rows::of(&columns(), &["of \"two\"\r\nlines".to_owned()]));
        table.add(&Rows::of(OTHER, &[7]));
        table.add(&Rows::of(&columns(), &["b".to_owned()]));
        assert_eq!(
            table.csv(),
            "before,text,own\r\n1,a,\r\n1,\"of \"\"two\"\"\r\nlines\",\r\n,t,7\r\n1,b,\r\n"
        );
        // Taken in pieces it is the same.
        let whole = table.csv();
        let blocks = table.take_blocks();
        let rows: String = blocks
            .iter()
            .map(|block| table.filled(block.cells(), block.text()))
            .collect();
        assert_eq!((table.header() + &rows, table.size(), table.len()), (whole, 0, 4));
    }

    #[test]
    fn formulas_after_blanks_and_in_other_widths_are_guarded() {
        for text in [
            "=1",
            " =1",
            "\u{a0}=1",
            "\u{3000}=1",
            "\u{200b}=1",
            "\u{feff}@SUM(A1)",
            "\u{fe66}1",
            "\u{fe62}1",
            "\u{fe63}1",
            "\u{fe6b}A",
            "\u{ff1d}1",
            "\u{2212}1",
            "\t=1",
            "\tx",
            "\r\n+1",
            "' =1",
            "  \u{ff0b}1",
        ] {
            assert_eq!(one(text, Formulas::Guarded)[1][1], format!("'{text}"), "{text:?}");
        }
        for text in ["a=1", "1-2", "'a", " a", "·=", "—1"] {
            assert_eq!(one(text, Formulas::Guarded)[1][1], text, "{text:?}");
        }
    }

    #[test]
    fn spreadsheets_get_a_mark_and_their_separator() {
        let half: [Column<String>; 2] = [
            About::new("number", ColumnKind::Number, "").from(|_| 1.5.into()),
            About::new("text", ColumnKind::Text, "").from(|text: &String| text.as_str().into()),
        ];
        let written = |layout| {
            let formulas = Formulas::Guarded;
            let mut table = Table::new(CsvFormat { formulas, layout });
            table.add(&Rows::of(&half, &["a;b,c".to_owned()]));
            table.csv()
        };
        assert_eq!(written(Layout::Plain), "number,text\r\n1.5,\"a;b,c\"\r\n");
        assert_eq!(
            written(Layout::Spreadsheet),
            "\u{feff}number,text\r\n1.5,\"a;b,c\"\r\n"
        );
        assert_eq!(
            written(Layout::DecimalComma),
            "\u{feff}number;text\r\n1,5;\"a;b,c\"\r\n"
        );
    }

    proptest! {
        #[test]
        fn any_text_round_trips(text in any::<String>()) {
            assert_round_trip(&text);
        }
    }
}
