//! What the people of a session are called by those who look at it. The record knows seats only. A room knows who sits
//! there, under which name, and what the program is called that stands in. What a person said stays under the person's
//! name, and nothing that a program said ever stands there.

use crate::core::block::{Block, Chart, Choice, Line, Table};
use crate::core::record::{Command, Entry, EntryKind, Presence};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Somebody who has a seat, or had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Number of the guest in the room.
    pub guest: u32,
    /// What the person is called.
    pub person: String,
    /// What a program is called that stands in for the person.
    pub program: String,
}

/// The names of a table, by seat. Seats of programs are called by their own names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<String, Vec<Holder>>);

impl FromIterator<(String, Holder)> for Names {
    fn from_iter<T: IntoIterator<Item = (String, Holder)>>(seats: T) -> Self {
        let mut names = Self::default();
        for (seat, holder) in seats {
            names.0.entry(seat).or_default().push(holder);
        }
        names
    }
}

impl Names {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn seats(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Returns what a seat is called while a guest has it, or a program stands in for that guest.
    #[must_use]
    pub fn of<'a>(&'a self, seat: &'a str, guest: u32, stands_in: bool) -> &'a str {
        let holders = self.0.get(seat).map_or(&[][..], Vec::as_slice);
        let holder = holders.iter().find(|holder| holder.guest == guest);
        match holder.or(holders.last()) {
            Some(holder) if stands_in => &holder.program,
            Some(holder) => &holder.person,
            None => seat,
        }
    }

    pub(super) fn called<'a>(&'a self, seat: &'a str, author: Author) -> &'a str {
        self.of(seat, author.guest, author.stands_in)
    }

    /// Returns what a seat is called for what several wrote.
    fn of_all(&self, seat: &str, authors: &[Author]) -> String {
        let mut names: Vec<&str> = Vec::new();
        for author in authors {
            let name = self.called(seat, *author);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" / ")
    }
}

/// Who answers in a seat: a guest, or a program that stands in for one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Author {
    guest: u32,
    pub(super) stands_in: bool,
}

/// Who answered in which seat, read from all entries of a record.
#[derive(Default)]
pub(super) struct Authors {
    seats: BTreeMap<String, SeatAuthors>,
    /// Seats and kinds of the asks.
    asked: BTreeMap<String, (String, String)>,
    /// Seat and entry number of the last answer.
    last: (String, u64),
    /// Texts of the configuration, in which a word that is also a seat's name is just a word.
    texts: Vec<String>,
}

#[derive(Default)]
struct SeatAuthors {
    now: Author,
    answers: Vec<GivenAnswer>,
}

struct GivenAnswer {
    /// Number of its entry.
    seq: u64,
    /// Kind of the question.
    kind: String,
    author: Author,
}

impl Authors {
    pub(super) fn take(&mut self, entry: &Entry) {
        match &entry.what {
            EntryKind::Started(head) => collect_texts(&head.config, &mut self.texts),
            EntryKind::Asked { ask, .. } => {
                let asked = (ask.seat.clone(), ask.kind.name().to_owned());
                self.asked.insert(ask.id.clone(), asked);
            }
            EntryKind::Answered { ask, reply, .. } => {
                let Some((seat, kind)) = self.asked.get(ask) else {
                    return;
                };
                let one = self.seats.entry(seat.clone()).or_default();
                let author = Author {
                    stands_in: reply.stood_in,
                    ..one.now
                };
                one.answers.push(GivenAnswer {
                    seq: entry.seq,
                    kind: kind.clone(),
                    author,
                });
                self.last = (seat.clone(), entry.seq);
            }
            EntryKind::Commanded { command } => match command {
                Command::Guest {
                    seat,
                    guest,
                    is: Presence::Seated,
                } => {
                    let guest = *guest;
                    self.seats.entry(seat.clone()).or_default().now = Author {
                        guest,
                        stands_in: false,
                    };
                }
                Command::StandIn { seat } => self.seats.entry(seat.clone()).or_default().now.stands_in = true,
                Command::TakeBack { seat } => {
                    self.seats.entry(seat.clone()).or_default().now.stands_in = false
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Returns the texts of the configuration that contain a seat's name beside other words.
    pub(super) fn kept(&self, names: &Names) -> Vec<String> {
        let is_kept = |text: &&String| names.seats().any(|seat| *text != seat && text.contains(seat));
        self.texts.iter().filter(is_kept).cloned().collect()
    }

    /// Returns the entry number of the last answer.
    pub(super) fn last_answer(&self) -> u64 {
        self.last.1
    }

    /// Returns who answers in a seat now.
    pub(super) fn now(&self, seat: &str) -> Author {
        self.seats.get(seat).map(|one| one.now).unwrap_or_default()
    }

    /// Returns who gave the last answer of a seat up to an entry.
    pub(super) fn last(&self, seat: &str, to: u64) -> Author {
        let last = self.answers(seat).rfind(|answer| answer.seq <= to);
        last.map_or_else(|| self.now(seat), |answer| answer.author)
    }

    fn answers(&self, seat: &str) -> impl DoubleEndedIterator<Item = &GivenAnswer> {
        self.seats.get(seat).into_iter().flat_map(|one| &one.answers)
    }

    /// Whether a program ever answered in a seat of a person.
    pub(super) fn has_stand_in(&self, seat: &str) -> bool {
        self.answers(seat).any(|answer| answer.author.stands_in)
    }

    /// Returns all who answered in a seat from one entry to another, or whose answer before them was the last.
    fn between(&self, seat: &str, entries: &RangeInclusive<u64>) -> Vec<Author> {
        let within = self.answers(seat).filter(|answer| entries.contains(&answer.seq));
        let authors: Vec<Author> = within.map(|answer| answer.author).collect();
        if authors.is_empty() {
            vec![self.last(seat, *entries.end())]
        } else {
            authors
        }
    }

    /// Returns who gave the last answer of a seat to a kind of question within these entries; without one, who gave its
    /// last answer up to them.
    fn answered(&self, seat: &str, kind: &str, entries: &RangeInclusive<u64>) -> Author {
        let is_it = |answer: &&GivenAnswer| answer.kind == kind && entries.contains(&answer.seq);
        let found = self.answers(seat).rfind(is_it);
        found.map_or_else(|| self.last(seat, *entries.end()), |answer| answer.author)
    }
}

fn collect_texts(config: &Value, texts: &mut Vec<String>) {
    match config {
        Value::String(text) if text.len() > 2 => texts.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|one| collect_texts(one, texts)),
        Value::Object(all) => all.values().for_each(|one| collect_texts(one, texts)),
        _ => {}
    }
}

/// Calls seats by name in what was put into words about them.
pub(super) struct Caller<'a> {
    /// Seats with what to call them, those with long names first.
    seats: Vec<(&'a str, String)>,
    /// Seats in which people alone answered. Their words stay as they are.
    people: Vec<&'a str>,
    /// Texts that stay as they are.
    kept: &'a [String],
    names: &'a Names,
    authors: &'a Authors,
    entries: RangeInclusive<u64>,
}

impl<'a> Caller<'a> {
    /// Calls each seat by who answered in it within these entries.
    pub(super) fn new(
        names: &'a Names,
        authors: &'a Authors,
        kept: &'a [String],
        entries: RangeInclusive<u64>,
    ) -> Self {
        let (mut seats, mut people) = (Vec::new(), Vec::new());
        for seat in names.seats() {
            let authors = authors.between(seat, &entries);
            if !authors.iter().any(|author| author.stands_in) {
                people.push(seat.as_str());
            }
            seats.push((seat.as_str(), names.of_all(seat, &authors)));
        }
        seats.sort_by_key(|(seat, _)| std::cmp::Reverse(seat.len()));
        Self {
            seats,
            people,
            kept,
            names,
            authors,
            entries,
        }
    }

    /// Calls one seat by its author.
    pub(super) fn with(mut self, seat: &str, names: &Names, author: Author) -> Self {
        for (_, called) in self.seats.iter_mut().filter(|(one, _)| *one == seat) {
            names.called(seat, author).clone_into(called);
        }
        self
    }

    pub(super) fn name(&self, seat: &str) -> Option<&str> {
        let found = self.seats.iter().find(|(one, _)| *one == seat);
        found.map(|(_, name)| name.as_str())
    }

    /// Returns what a seat is called for its answer to a kind of question.
    fn voter<'b>(&'b self, seat: &'b str, asked: Option<&str>) -> Option<&'b str> {
        let name = self.name(seat)?;
        let author = asked.map(|kind| self.authors.answered(seat, kind, &self.entries));
        Some(author.map_or(name, |author| self.names.called(seat, author)))
    }

    /// Replaces the names of seats in a text where they are words of their own.
    pub(super) fn call(&self, text: &mut String) {
        if !self.seats.iter().any(|(seat, _)| text.contains(seat)) {
            return;
        }
        let mut called = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut before = None;
        while let Some(next) = rest.chars().next() {
            let kept = self.kept.iter().find(|kept| rest.starts_with(kept.as_str()));
            let seat = self.seats.iter().find(|(seat, _)| {
                rest.strip_prefix(seat).is_some_and(|after| {
                    !joins(before, seat.chars().next()) && !joins(seat.chars().last(), after.chars().next())
                })
            });
            let (length, written) = match (kept, seat) {
                (Some(kept), _) => (kept.len(), kept.as_str()),
                (None, Some((seat, name))) => (seat.len(), name.as_str()),
                (None, None) => (next.len_utf8(), &rest[..next.len_utf8()]),
            };
            called.push_str(written);
            before = rest[..length].chars().last();
            rest = &rest[length..];
        }
        *text = called;
    }

    /// Calls seats by name in blocks. `quotes`: also in the words of participants, which are a program's.
    pub(super) fn call_blocks(&self, blocks: &mut [Block], quotes: bool) {
        for block in blocks {
            self.call_block(block, quotes);
        }
    }

    fn call_block(&self, block: &mut Block, quotes: bool) {
        match block {
            Block::Text { text, .. } | Block::Measure { text } => self.call(text),
            Block::Quote {
                text,
                seat,
                called,
                before,
            } => {
                *called = seat
                    .as_deref()
                    .and_then(|seat| self.name(seat))
                    .map(str::to_owned);
                let is_program = seat
                    .as_deref()
                    .map_or(quotes, |seat| !self.people.contains(&seat));
                if is_program {
                    self.call(text);
                    before.iter_mut().for_each(|before| self.call(before));
                }
            }
            Block::List { items, quoted } => {
                if quotes || !*quoted {
                    items.iter_mut().for_each(|item| self.call(item));
                }
            }
            Block::Choices { label, items } => {
                self.call(label);
                items.iter_mut().for_each(|choice| self.call_choice(choice));
            }
            Block::Votes { votes } => {
                for vote in votes {
                    vote.called = self.voter(&vote.seat, vote.asked).map(str::to_owned);
                    self.call_choice(&mut vote.choice);
                }
            }
            Block::Table(table) => self.call_table(table),
            Block::Section { title, blocks } | Block::Fold { title, blocks } => {
                self.call(title);
                self.call_blocks(blocks, quotes);
            }
            Block::Chart(chart) => self.call_chart(chart),
        }
    }

    fn call_choice(&self, choice: &mut Choice) {
        self.call(&mut choice.name);
        choice.short.iter_mut().for_each(|short| self.call(short));
        choice.about.iter_mut().for_each(|about| self.call(about));
    }

    fn call_table(&self, table: &mut Table) {
        self.call(&mut table.title);
        table.columns.iter_mut().for_each(|column| self.call(column));
        let heads = usize::from(table.has_seats);
        if table.has_seats {
            let called = |row: &Vec<String>| {
                let seat = row.first().map_or("", String::as_str);
                self.name(seat).unwrap_or(seat).to_owned()
            };
            table.called = table.rows.iter().map(called).collect();
        }
        let cells = table.rows.iter_mut().flat_map(|row| row.iter_mut().skip(heads));
        cells.for_each(|cell| self.call(cell));
    }

    fn call_chart(&self, chart: &mut Chart) {
        self.call(&mut chart.title);
        self.call(&mut chart.text);
        chart.x.iter_mut().for_each(|label| self.call(label));
        let line = |line: &mut Line| self.call(&mut line.label);
        chart.lines.iter_mut().for_each(line);
        if let Some(band) = &mut chart.band {
            [&mut band.lower, &mut band.upper].into_iter().for_each(line);
        }
    }
}

/// Whether two characters belong to one word. Scripts without blanks between words say nothing about it.
fn joins(one: Option<char>, other: Option<char>) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    is_part(one) && is_part(other)
}

fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
