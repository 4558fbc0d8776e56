//! A report for people of any procedure that has none of its own: its rows as tables, under the names of their columns.
//! Free text is escaped; prompts and answers as they came are left to JSON.

use super::escape::inline;
use super::markdown::Report;
use crate::core::record::{Entry, Started};
use crate::language::Language;
use crate::language::format::timestamp as iso;
use crate::procedures::Procedure;
use crate::procedures::asked::Asks;
use crate::procedures::report::{self, Cell, Rows};
use crate::sorted::SortedMap;
use std::rc::Rc;

/// The report, in the language of the configuration.
pub(super) fn report(procedure: &Procedure, head: &Started, record: &[Rc<Entry>]) -> String {
    let language = head.config["language"].as_str().and_then(Language::from_name);
    let texts = [procedure.texts, procedure.report.unwrap_or(procedure.texts)];
    let mut page = Report::new(texts, language.unwrap_or_default(), &SortedMap::new());
    let title = head.config["title"]
        .as_str()
        .filter(|title| !title.trim().is_empty());
    page.heading(1, &inline(title.unwrap_or(procedure.name)));
    let rows = report::report(head, record, &Asks::of(record));
    let heading = page.say("run", &[]);
    page.heading(2, &heading);
    let columns = page.labels(&["field", "value"]);
    let run = rows
        .run
        .columns
        .iter()
        .zip(rows.run.cells.first().into_iter().flatten());
    let run: Vec<_> = run
        .map(|(about, cell)| vec![about.name.to_owned(), shown(cell)])
        .collect();
    page.table(&columns, &run);
    let heading = page.say("participants", &[]);
    page.heading(2, &heading);
    let names = rows.seated.iter().map(|name| inline(name));
    let label = page.say("participant", &[]);
    table(&mut page, &rows.seats, Some((label, names.collect())));
    for (key, part) in [("decisions", &rows.decisions), ("utterances", &rows.utterances)] {
        let heading = page.say(key, &[]);
        page.heading(2, &heading);
        table(&mut page, part, None);
    }
    page.done()
}

fn table(page: &mut Report, rows: &Rows, first: Option<(String, Vec<String>)>) {
    let (label, names) = first.unzip();
    let columns = label
        .into_iter()
        .chain(rows.columns.iter().map(|about| about.name.to_owned()));
    let columns: Vec<String> = columns.collect();
    let cells = rows.cells.iter().enumerate().map(|(at, row)| {
        let name = names.as_ref().and_then(|names| names.get(at).cloned());
        name.into_iter().chain(row.iter().map(shown)).collect()
    });
    page.table(&columns, &cells.collect::<Vec<_>>());
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Text(text) => inline(text),
        Cell::Integer(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Time(moment) => iso(*moment),
    }
}
