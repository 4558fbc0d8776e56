//! A report for people of any procedure that has none of its own: its rows as tables, of which it shows the
//! columns that its words have a name for. Free text is escaped; prompts and answers as they came are left to JSON.

use super::escape::inline;
use super::markdown::Report;
use crate::core::record::{Entry, Started};
use crate::language::Language;
use crate::language::format::timestamp as iso;
use crate::procedures::Procedure;
use crate::procedures::ask_log::AskLogs;
use crate::procedures::report::{self, About, Cell, Rows};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The report, in the language of the configuration.
pub(super) fn report(procedure: &Procedure, head: &Started, record: &[Rc<Entry>]) -> String {
    let language = head.config["language"].as_str().and_then(Language::from_name);
    let texts = [procedure.texts, procedure.report.unwrap_or(procedure.texts)];
    let mut page = Report::new(texts, language.unwrap_or_default(), &BTreeMap::new());
    let title = head.config["title"]
        .as_str()
        .filter(|title| !title.trim().is_empty());
    page.heading(1, &inline(title.unwrap_or(&page.plain("title"))));
    let rows = report::report(head, record, &AskLogs::of(record));
    let heading = page.say("run", &[]);
    page.heading(2, &heading);
    let columns = page.labels(&["field", "value"]);
    let cells = rows.run.cells.first().into_iter().flatten();
    let run = rows.run.columns.iter().zip(cells);
    let run: Vec<_> = run
        .filter_map(|(about, cell)| Some(vec![label(&page, about)?, shown(&page, cell)]))
        .collect();
    page.table(&columns, &run);
    let heading = page.say("participants", &[]);
    page.heading(2, &heading);
    let names = rows.seated.iter().map(|name| inline(name));
    let first = page.say("participant", &[]);
    table(&mut page, &rows.seats, Some((first, names.collect())));
    for (key, part) in [("decisions", &rows.decisions), ("utterances", &rows.utterances)] {
        let heading = page.say(key, &[]);
        page.heading(2, &heading);
        table(&mut page, part, None);
    }
    page.done()
}

fn table(page: &mut Report, rows: &Rows, first: Option<(String, Vec<String>)>) {
    let (first, names) = first.unzip();
    let labels: Vec<_> = rows.columns.iter().map(|about| label(page, about)).collect();
    let cells = rows.cells.iter().enumerate().map(|(at, row)| {
        let name = names.as_ref().and_then(|names| names.get(at).cloned());
        let named = row.iter().zip(&labels).filter(|(_, label)| label.is_some());
        name.into_iter()
            .chain(named.map(|(cell, _)| shown(page, cell)))
            .collect()
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let columns: Vec<String> = first.into_iter().chain(labels.into_iter().flatten()).collect();
    page.table(&columns, &cells);
}

/// What people call a column; `None`: it is for programs.
fn label(page: &Report, about: &About) -> Option<String> {
    let key = "column.".to_owned() + about.name;
    let label = page.say(&key, &[]);
    (label != inline(&key)).then_some(label)
}

fn shown(page: &Report, cell: &Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Text(text) => {
            let key = "value.".to_owned() + text;
            let said = page.plain(&key);
            inline(if said == key { text } else { &said })
        }
        Cell::Integer(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Time(moment) => iso(*moment),
    }
}
