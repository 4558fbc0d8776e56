//! Report for people of procedures without their own: tables with the columns that have a localized label. Free text is
//! escaped. Prompts and raw answers are only in the JSON export.

use super::escape::inline;
use super::markdown::Report;
use crate::core::ask_log::AskLogs;
use crate::core::record::{Entry, Started};
use crate::language::Language;
use crate::language::format::timestamp as iso;
use crate::procedures::Procedure;
use crate::procedures::report::{self, About, Cell, Rows};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Returns the report in the language of the configuration.
pub(super) fn report(procedure: &Procedure, head: &Started, record: &[Rc<Entry>]) -> String {
    let language = head.config["language"].as_str().and_then(Language::from_name);
    let texts = [procedure.texts, procedure.report.unwrap_or(procedure.texts)];
    let mut page = Report::new(texts, language.unwrap_or_default(), &BTreeMap::new());
    let title = head.config["title"]
        .as_str()
        .filter(|title| !title.trim().is_empty());
    page.heading(1, &inline(title.unwrap_or(&page.plain("title"))));
    let rows = report::report(head, record, &AskLogs::of(record));
    let heading = page.label("run", &[]);
    page.heading(2, &heading);
    let columns = page.labels(&["field", "value"]);
    let cells = rows.run.cells.first().into_iter().flatten();
    let run = rows.run.columns.iter().zip(cells);
    let run: Vec<_> = run
        .filter_map(|(about, cell)| Some(vec![label(&page, about)?, format_cell(&page, cell)]))
        .collect();
    page.table(&columns, &run);
    let heading = page.label("participants", &[]);
    page.heading(2, &heading);
    let names = rows.seated.iter().map(|name| inline(name));
    let first = page.label("participant", &[]);
    write_table(&mut page, &rows.seats, Some((first, names.collect())));
    for (key, part) in [("decisions", &rows.decisions), ("utterances", &rows.utterances)] {
        let heading = page.label(key, &[]);
        page.heading(2, &heading);
        write_table(&mut page, part, None);
    }
    page.finish()
}

fn write_table(page: &mut Report, rows: &Rows, first: Option<(String, Vec<String>)>) {
    let (first, names) = first.unzip();
    let labels: Vec<_> = rows.columns.iter().map(|about| label(page, about)).collect();
    let cells = rows.cells.iter().enumerate().map(|(at, row)| {
        let name = names.as_ref().and_then(|names| names.get(at).cloned());
        let named = row.iter().zip(&labels).filter(|(_, label)| label.is_some());
        name.into_iter()
            .chain(named.map(|(cell, _)| format_cell(page, cell)))
            .collect()
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let columns: Vec<String> = first.into_iter().chain(labels.into_iter().flatten()).collect();
    page.table(&columns, &cells);
}

/// Returns the localized label of a column, or `None` for columns that are for programs only.
fn label(page: &Report, about: &About) -> Option<String> {
    let key = "column.".to_owned() + about.name;
    let label = page.label(&key, &[]);
    (label != inline(&key)).then_some(label)
}

fn format_cell(page: &Report, cell: &Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Text(text) => {
            let key = "value.".to_owned() + text;
            let localized = page.plain(&key);
            inline(if localized == key { text } else { &localized })
        }
        Cell::Integer(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Time(moment) => iso(*moment),
    }
}
