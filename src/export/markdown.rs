//! Writer of reports in Markdown.

use super::escape::inline;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use std::fmt::Display;

/// Texts of all reports. A configuration cannot replace them, since they are not part of any prompt.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Stands for a missing value.
pub(super) const NONE: &str = "—";

pub(super) struct Report {
    text: String,
    words: Words,
}

impl Report {
    /// Creates an empty report with the texts of all reports and those of `words`.
    pub(super) fn new(words: Words) -> Self {
        Self {
            text: String::new(),
            words: words.and(&TEXTS),
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Returns a label, escaped.
    pub(super) fn label(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        inline(&self.words.text(key, values))
    }

    pub(super) fn labels(&self, keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| self.label(key, &[])).collect()
    }

    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {text}", "#".repeat(level)));
    }

    /// Adds a block of escaped text.
    pub(super) fn block(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push_str("\n\n");
    }

    pub(super) fn table(&mut self, columns: &[String], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        self.text.push_str(&line(columns));
        self.text.push_str(&line(&vec!["---".to_owned(); columns.len()]));
        for row in rows {
            self.text.push_str(&line(row));
        }
        self.text.push('\n');
    }
}
