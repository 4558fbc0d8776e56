//! Report for people, of what the owner sees: outcome, participants, results and the transcript, in the language of the
//! run. All texts are escaped. Prompts and raw answers are only in the JSON export.

use super::costs;
use super::escape::{inline, quote};
use super::markdown::{NONE, Report};
use crate::core::ask::Millis;
use crate::core::block::{Block, Chart, Line, Tone, Vote};
use crate::core::record::{Entry, EntryKind, Started};
use crate::core::view::{Person, Transcript};
use crate::core::visibility::Role;
use crate::language::Language;
use crate::language::format::{participant_list, timestamp};
use crate::language::words::Words;
use crate::procedures::view::view_of;
use std::fmt::Display;
use std::rc::Rc;

pub(super) fn report(head: &Started, record: &[Rc<Entry>]) -> String {
    let view = view_of(record, Role::Owner);
    let Some(words) = view.words() else {
        return String::new();
    };
    let transcript = view.transcript();
    let mut page = Report::new(words.clone());
    let title = match head.config["title"].as_str().unwrap_or_default().trim() {
        "" => words.text("view.untitled", &[]),
        title => title.to_owned(),
    };
    page.heading(1, &inline(&title));
    let outcome = view
        .outcome()
        .unwrap_or_else(|| words.text("view.unfinished", &[]));
    page.block(&inline(&outcome));
    let scripted = |person: &&Person| person.kind == "scripted" && !person.is_absent;
    let simulated = transcript.people.iter().filter(scripted);
    let simulated: Vec<&str> = simulated.map(|person| &*person.name).collect();
    if !simulated.is_empty() {
        let names = participant_list(words.language(), &simulated);
        let note = page.label("simulated", &[("names", &names)]);
        page.block(&format!("**{note}**"));
    }
    write_run(&mut page, head, record, words.language());
    write_people(&mut page, transcript, &words);
    write_blocks(&mut page, &view.results(), 2);
    for section in &transcript.sections {
        page.heading(2, &inline(&view.section_title(section)));
        for item in section.items.iter().filter_map(|key| transcript.item(key)) {
            let blocks = item.blocks(&words, transcript.config());
            let completed = item.face.seq.and_then(|seq| record.get(seq as usize));
            let spoken_at = completed
                .filter(|_| item.is_speech())
                .map(|entry| timestamp(entry.at));
            if let Some(seat) = item.seat().filter(|_| !blocks.is_empty()) {
                let beside = blocks.iter().filter_map(beside_name).chain(spoken_at);
                let head: Vec<_> = std::iter::once(inline(seat)).chain(beside).collect();
                page.block(&format!("**{}**", head.join(" · ")));
            }
            write_blocks(&mut page, &blocks, 3);
        }
    }
    costs::write(&mut page, record);
    write_draws(&mut page, record);
    page.finish()
}

fn write_run(page: &mut Report, head: &Started, record: &[Rc<Entry>], language: Language) {
    page.heading(2, &page.label("run", &[]));
    let language = page.label(&format!("language.{}", language.code()), &[]);
    let began = record.first().map(|entry| entry.at);
    let is_end = |entry: &&Rc<Entry>| matches!(entry.what, EntryKind::Ended { .. });
    let ended = record.iter().rfind(is_end).map(|entry| entry.at);
    let time = |at: Option<Millis>| at.map_or_else(|| NONE.to_owned(), timestamp);
    let mut rows = vec![
        ("session", inline(&head.session)),
        ("engine", inline(&head.engine)),
        ("seed", head.seed.to_string()),
        ("hash", inline(&head.config_hash)),
        ("language", language),
        ("began", time(began)),
        ("ended", time(ended)),
    ];
    if let Some(from) = &head.forked_from {
        let values: [(&str, &dyn Display); 2] = [("session", &from.session), ("seq", &from.seq)];
        rows.push(("branch", page.label("branch.value", &values)));
    }
    let rows = rows
        .into_iter()
        .map(|(key, value)| vec![page.label(key, &[]), value]);
    let rows: Vec<_> = rows.chain(page.forms(record)).collect();
    page.table(&page.labels(&["field", "value"]), &rows);
}

fn write_draws(page: &mut Report, record: &[Rc<Entry>]) {
    let row = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Drew {
            stream,
            purpose,
            value,
        } => Some(vec![inline(stream), inline(purpose), inline(value.json())]),
        _ => None,
    };
    let rows: Vec<_> = record.iter().filter_map(row).collect();
    if !rows.is_empty() {
        page.heading(2, &page.label("draws", &[]));
        page.table(&page.labels(&["stream", "purpose", "value"]), &rows);
    }
}

fn write_people(page: &mut Report, transcript: &Transcript, words: &Words) {
    page.heading(2, &page.label("participants", &[]));
    let row = |person: &Person| {
        let kind = page.label(&format!("kind.{}", person.kind), &[]);
        let blocks = person.blocks(words, transcript.config());
        let kinds: Vec<_> = std::iter::once(kind)
            .chain(blocks.iter().filter_map(beside_name))
            .collect();
        vec![
            inline(&person.name),
            kinds.join(" · "),
            inline(person.model.as_deref().unwrap_or_default()),
        ]
    };
    let present = transcript.people.iter().filter(|person| !person.is_absent);
    let rows: Vec<_> = present.map(row).collect();
    page.table(&page.labels(&["participant", "kind", "model"]), &rows);
}

/// Returns what stands in the line of the participant's name.
fn beside_name(block: &Block) -> Option<String> {
    match block {
        Block::Measure { text }
        | Block::Text {
            tone: Tone::Tag,
            text,
        } => Some(inline(text)),
        _ => None,
    }
}

/// `level` is that of the headings.
fn write_blocks(page: &mut Report, blocks: &[Block], level: usize) {
    for block in blocks {
        match block {
            block if beside_name(block).is_some() => {}
            Block::Text { text, tone } => page.block(&match tone {
                Tone::Strong | Tone::Good | Tone::Bad => format!("**{}**", inline(text)),
                Tone::Note | Tone::Private => format!("*{}*", inline(text)),
                _ => inline(text),
            }),
            Block::Quote { text, seat, .. } => {
                if let Some(seat) = seat {
                    page.block(&format!("**{}**", inline(seat)));
                }
                page.block(quote(text).trim_end());
            }
            Block::List { items, .. } => {
                let lines: Vec<_> = items.iter().map(|item| format!("- {}", inline(item))).collect();
                page.block(&lines.join("\n"));
            }
            Block::Choices { label, items } => {
                let names: Vec<_> = items.iter().map(|choice| inline(&choice.name)).collect();
                let label = match label.as_str() {
                    "" => String::new(),
                    label => format!("{}: ", inline(label)),
                };
                page.block(&match &names[..] {
                    [name] => format!("{label}{name}"),
                    names => (1..)
                        .zip(names)
                        .map(|(place, name)| format!("{place}. {name}"))
                        .collect::<Vec<_>>()
                        .join("\n"),
                });
            }
            Block::Votes { votes } => {
                let line = |vote: &Vote| format!("- {}: {}", inline(&vote.seat), inline(&vote.choice.name));
                page.block(&votes.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
            Block::Table(table) => {
                let cells = |row: &Vec<String>| row.iter().map(|cell| inline(cell)).collect::<Vec<_>>();
                if !table.title.is_empty() {
                    page.block(&inline(&table.title));
                }
                let rows: Vec<_> = table.rows.iter().map(cells).collect();
                page.table(&cells(&table.columns), &rows);
            }
            Block::Section { title, blocks } | Block::Fold { title, blocks } => {
                page.heading(level, &inline(title));
                write_blocks(page, blocks, level + 1);
            }
            Block::Chart(chart) => write_chart(page, chart, level),
            Block::Measure { .. } => {}
        }
    }
}

fn write_chart(page: &mut Report, chart: &Chart, level: usize) {
    page.heading(level, &inline(&chart.title));
    page.block(&inline(&chart.text));
    let band = chart.band.iter().flat_map(|band| [&band.lower, &band.upper]);
    let row = |line: &Line| {
        let value = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        std::iter::once(inline(&line.label))
            .chain(line.values.iter().map(value))
            .collect::<Vec<_>>()
    };
    let rows: Vec<_> = band.chain(&chart.lines).map(row).collect();
    let columns = std::iter::once(inline(&chart.unit)).chain(chart.x.iter().map(|label| inline(label)));
    page.table(&columns.collect::<Vec<_>>(), &rows);
}

#[cfg(test)]
mod tests;
