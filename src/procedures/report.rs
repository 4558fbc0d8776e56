//! A record as rows for statistics. What a column is called, what stands in it and how it is taken from a row is
//! said in one place, a [`Column`]; header, codebook and cells come from that. Each procedure has a `report` with the
//! rows of its own; what all have in common stands here. Nothing is filled in: a cell is [`Cell::Missing`] where
//! nothing is known, and a decision says why.

use super::Procedure;
use super::ask_log::{AskLog, AskLogs};
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind, Started};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::rc::Rc;

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing is known, or it does not apply.
    Missing,
    /// Words, never empty.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A moment, milliseconds since the epoch.
    Time(Millis),
}

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Flag,
    /// Moments, ISO 8601 in UTC.
    Time,
    /// JSON texts.
    Json,
}

impl ColumnKind {
    /// The name in the codebook.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Flag => "boolean",
            Self::Time => "time",
            Self::Json => "json",
        }
    }
}

/// A line of the codebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Name of the column.
    pub name: &'static str,
    /// What stands in it.
    pub kind: ColumnKind,
    /// Unit; may be empty.
    pub unit: &'static str,
    /// The values there are, where they are few; may be empty.
    pub values: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

impl About {
    /// A column without a unit and with any values.
    #[must_use]
    pub const fn new(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Self {
        Self {
            name,
            kind,
            unit: "",
            values: "",
            meaning,
        }
    }

    /// In that unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// With those values only.
    #[must_use]
    pub const fn values(self, values: &'static str) -> Self {
        Self { values, ..self }
    }

    /// A column of rows `R`.
    #[must_use]
    pub const fn from<R>(self, cell: fn(&R) -> Cell) -> Column<R> {
        Column { about: self, cell }
    }
}

/// A column of rows `R`.
#[derive(Debug, Clone, Copy)]
pub struct Column<R> {
    about: About,
    cell: fn(&R) -> Cell,
}

/// Rows with the columns that they have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// The columns in their order.
    pub columns: Vec<&'static About>,
    /// As many cells each as there are columns.
    pub cells: Vec<Vec<Cell>>,
}

impl Rows {
    /// The cells of rows.
    #[must_use]
    pub fn of<R>(columns: &'static [Column<R>], rows: &[R]) -> Self {
        let cells = |row| columns.iter().map(|column| (column.cell)(row)).collect();
        Self {
            columns: columns.iter().map(|column| &column.about).collect(),
            cells: rows.iter().map(cells).collect(),
        }
    }

    /// These with as many others, row by row side by side.
    #[must_use]
    pub fn beside(mut self, others: Self) -> Self {
        self.columns.extend(others.columns);
        for (row, other) in self.cells.iter_mut().zip(others.cells) {
            row.extend(other);
        }
        self
    }
}

/// The rows of a record that are its procedure's own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportRows {
    /// One row.
    pub run: Rows,
    /// Names of those at the table, in configuration order.
    pub seated: Vec<String>,
    /// A row for each of them.
    pub seats: Rows,
    /// A row for each decision.
    pub decisions: Rows,
    /// A row for everything that was said.
    pub utterances: Rows,
}

/// The rows of a record; nothing but columns that all have where this version does not know its protocol.
#[must_use]
pub fn report(head: &Started, record: &[Rc<Entry>], asks: &AskLogs) -> ReportRows {
    let source = ReportSource { head, record, asks };
    match Procedure::of(head) {
        Some(procedure) => (procedure.tables)(&source),
        None => ReportRows {
            seated: source.seated(),
            ..ReportRows::default()
        },
    }
}

/// What reports are made of.
pub(crate) struct ReportSource<'a> {
    pub(super) head: &'a Started,
    pub(super) record: &'a [Rc<Entry>],
    pub(super) asks: &'a AskLogs,
}

/// An event of a procedure with its place.
pub(super) struct PlacedEvent<E> {
    pub(super) seq: u64,
    pub(super) at: Millis,
    pub(super) event: E,
}

impl ReportSource<'_> {
    /// The events that this version knows.
    pub(super) fn events<E: DeserializeOwned>(&self) -> Vec<PlacedEvent<E>> {
        let happened = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, .. } => Some(PlacedEvent {
                seq: entry.seq,
                at: entry.at,
                event: event.read().ok()?,
            }),
            _ => None,
        };
        self.record.iter().filter_map(happened).collect()
    }

    /// What the protocol ended with; null where it has not.
    pub(super) fn result(&self) -> Value {
        let ended = self.record.iter().rev().find_map(|entry| match &entry.what {
            EntryKind::Ended { result } => Some(result.clone()),
            _ => None,
        });
        ended.unwrap_or_default()
    }

    pub(super) fn seated(&self) -> Vec<String> {
        let seats = super::summary::seats(self.head);
        seats.into_iter().map(|(name, _)| name).collect()
    }

    /// A decision at an event, with the answer that it was read in.
    pub(super) fn made<E>(
        &self,
        kind: &'static str,
        seat: &str,
        place: (u8, Option<u32>),
        at: &PlacedEvent<E>,
        asked: Option<&AskLog>,
        is_there: bool,
    ) -> DecisionColumns {
        DecisionColumns {
            session: self.head.session.clone(),
            seq: at.seq,
            at: at.at,
            kind,
            seat: seat.to_owned(),
            phase: place.0,
            round: place.1,
            ask: asked.map(|asked| asked.ask.id.clone()),
            attempt: asked.map(|asked| asked.ask.attempt),
            read_how: match asked {
                Some(asked) => asked.how().filter(|_| is_there),
                None => is_there.then(|| "by_rule".to_owned()),
            },
            missing: (!is_there).then(|| asked.map_or("not_asked".to_owned(), AskLog::missing)),
        }
    }

    /// What was said at an event.
    pub(super) fn said<E>(
        &self,
        kind: &'static str,
        seat: &str,
        round: u32,
        text: &str,
        at: &PlacedEvent<E>,
    ) -> UtteranceColumns {
        UtteranceColumns {
            session: self.head.session.clone(),
            seq: at.seq,
            at: at.at,
            kind,
            seat: seat.to_owned(),
            round: Some(round),
            text: text.to_owned(),
            ask: None,
            missing: None,
        }
    }
}

/// What all decisions have.
pub(super) struct DecisionColumns {
    session: String,
    seq: u64,
    at: Millis,
    kind: &'static str,
    seat: String,
    phase: u8,
    round: Option<u32>,
    ask: Option<String>,
    attempt: Option<u32>,
    read_how: Option<String>,
    missing: Option<String>,
}

impl DecisionColumns {
    /// Id of the ask that it was read in.
    pub(super) fn ask(&self) -> Option<&str> {
        self.ask.as_deref()
    }

    /// Why there is no decision.
    pub(super) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }
}

/// The id of the run, by which tables are joined.
pub const SESSION: About = About::new("session", ColumnKind::Text, "id of the run; joins the tables");
/// Place in the record.
pub const SEQ: About = About::new("seq", ColumnKind::Integer, "place in the record, from 0");
/// Name of a participant.
pub const SEAT: About = About::new("seat", ColumnKind::Text, "name of the participant");
/// A round.
pub const ROUND: About = About::new(
    "round",
    ColumnKind::Integer,
    "round within the phase; empty outside rounds",
);
/// A phase.
pub const PHASE: About = About::new(
    "phase",
    ColumnKind::Integer,
    "1 or 2; 1 where there are no phases",
);
/// What somebody is there for.
pub(super) const ROLE: About = About::new("role", ColumnKind::Text, "what the participant is there for");
/// Whether the group agreed.
pub(super) const CONSENSUS: About = About::new(
    "consensus_reached",
    ColumnKind::Flag,
    "whether the group agreed; empty while it is open",
);
/// Rounds that were held.
pub(super) const ROUNDS: About = About::new(
    "rounds_held",
    ColumnKind::Integer,
    "rounds of discussion that were held",
);
/// What to look at.
pub(super) const WARNINGS: About = About::new(
    "warnings",
    ColumnKind::Integer,
    "troubles that the run noted and went on after",
);
/// An answer of yes or no.
pub(super) const YES: About = About::new(
    "yes",
    ColumnKind::Flag,
    "answer to a question of yes or no: vote now, take part in the vote, stop, settled, ready, agree",
);
/// Whom it is about.
pub(super) const TARGET: About = About::new("target", ColumnKind::Text, "whom it is about: a participant");

/// What all decisions have, as columns.
pub(super) const DECISION: &[Column<DecisionColumns>] = &[
    SESSION.from(|row| row.session.as_str().into()),
    SEQ.from(|row| row.seq.into()),
    About::new("at", ColumnKind::Time, "when it was taken or counted").from(|row| Cell::Time(row.at)),
    About::new("decision", ColumnKind::Text, "what was decided")
        .values(
            "ranking application vote_initiation vote_confirmation ballot critique vote readiness poll termination \
             judgement prepare commit estimate",
        )
        .from(|row| row.kind.into()),
    SEAT.from(|row| row.seat.as_str().into()),
    PHASE.from(|row| row.phase.into()),
    ROUND.from(|row| row.round.into()),
    About::new("ask", ColumnKind::Text, "id of the question whose answer counts; see the table asks")
        .from(|row| row.ask.as_deref().into()),
    About::new(
        "attempt",
        ColumnKind::Integer,
        "1; more where an answer could not be used and it was asked again",
    )
    .from(|row| row.attempt.into()),
    About::new(
        "read_how",
        ColumnKind::Text,
        "which rule read the answer; by_rule: nobody was asked, the procedure has it so",
    )
    .from(|row| row.read_how.as_deref().into()),
    About::new(
        "missing",
        ColumnKind::Text,
        "why there is no decision: the reason that the answer could not be read, or one of the values; empty where \
         there is one",
    )
    .values("no_answer withdrawn open not_asked not_said")
    .from(|row| row.missing.as_deref().into()),
];

/// The table of decisions where there are none.
pub(super) fn decisions() -> Rows {
    Rows::of(DECISION, &[])
}

/// Something that was said.
pub(super) struct UtteranceColumns {
    pub(super) session: String,
    pub(super) seq: u64,
    pub(super) at: Millis,
    pub(super) kind: &'static str,
    /// Empty: the lab.
    pub(super) seat: String,
    pub(super) round: Option<u32>,
    pub(super) text: String,
    pub(super) ask: Option<String>,
    pub(super) missing: Option<String>,
}

/// What everything that was said has, as columns.
pub(super) const UTTERANCE: &[Column<UtteranceColumns>] = &[
    SESSION.from(|row| row.session.as_str().into()),
    SEQ.from(|row| row.seq.into()),
    About::new("at", ColumnKind::Time, "when it was there").from(|row| Cell::Time(row.at)),
    About::new("utterance", ColumnKind::Text, "what it is; reasoning is private")
        .values(
            "reasoning statement announcement proposal critique vote_reason comment synthesis contribution note reason",
        )
        .from(|row| row.kind.into()),
    About::new("seat", ColumnKind::Text, "name of the speaker; empty: the lab").from(|row| row.seat.as_str().into()),
    ROUND.from(|row| row.round.into()),
    About::new("characters", ColumnKind::Integer, "length of the text")
        .unit("Unicode scalar values")
        .from(|row| row.text.chars().count().into()),
    About::new("text", ColumnKind::Text, "the words").from(|row| row.text.as_str().into()),
    About::new("ask", ColumnKind::Text, "id of the question that it answers; see the table asks")
        .from(|row| row.ask.as_deref().into()),
    About::new("missing", ColumnKind::Text, "why nothing was said; empty where something was")
        .from(|row| row.missing.as_deref().into()),
];

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        if text.is_empty() {
            Self::Missing
        } else {
            Self::Text(text)
        }
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        if number.is_finite() {
            Self::Number(number)
        } else {
            Self::Missing
        }
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl From<$type> for Cell {
            fn from(number: $type) -> Self {
                i64::try_from(number).map_or(Self::Missing, Self::Integer)
            }
        }
    )*};
}
whole!(u8, u32, u64, usize);

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl From<&Value> for Cell {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Missing,
            Value::Bool(flag) => (*flag).into(),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => Self::Integer(whole),
                None => number.as_f64().into(),
            },
            Value::String(text) => text.as_str().into(),
            other => other.to_string().into(),
        }
    }
}
