//! A record as rows for statistics. A [`Column`] defines its name, its codebook line and how its cell is
//! taken from a row. This file holds the common columns; each procedure adds its own in its `report`. Unknown
//! values stay [`Cell::Missing`], and a decision without a value gives the reason.

use super::Procedure;
use crate::core::ask::Millis;
use crate::core::ask_log::{AskLog, AskLogs};
use crate::core::record::{Entry, EntryKind, Started};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::rc::Rc;

/// Value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Unknown or not applicable.
    Missing,
    /// A non-empty text.
    Text(String),
    Integer(i64),
    /// A finite number.
    Number(f64),
    Flag(bool),
    /// Milliseconds since the epoch.
    Time(Millis),
}

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Text,
    Integer,
    Number,
    Flag,
    /// Points in time, ISO 8601 in UTC.
    Time,
    /// JSON texts.
    Json,
}

impl ColumnKind {
    /// Returns the name used in the codebook.
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
    pub name: &'static str,
    pub kind: ColumnKind,
    /// May be empty.
    pub unit: &'static str,
    /// Possible values if they are few; may be empty.
    pub values: &'static str,
    pub meaning: &'static str,
}

impl About {
    /// Creates a column description without unit and value list.
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

    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    #[must_use]
    pub const fn values(self, values: &'static str) -> Self {
        Self { values, ..self }
    }

    /// Adds the function that takes the cell from a row.
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

/// Rows with their columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    pub columns: Vec<&'static About>,
    /// One cell a column in each row.
    pub cells: Vec<Vec<Cell>>,
}

impl Rows {
    #[must_use]
    pub fn of<R>(columns: &'static [Column<R>], rows: &[R]) -> Self {
        Self::of_some(columns, rows, |_| true)
    }

    /// Returns rows with the columns for which `has` holds.
    #[must_use]
    pub fn of_some<R>(columns: &'static [Column<R>], rows: &[R], has: impl Fn(&About) -> bool) -> Self {
        let some: Vec<&Column<R>> = columns.iter().filter(|column| has(&column.about)).collect();
        let cells = |row| some.iter().map(|column| (column.cell)(row)).collect();
        Self {
            columns: some.iter().map(|column| &column.about).collect(),
            cells: rows.iter().map(cells).collect(),
        }
    }

    /// Joins two tables of equally many rows side by side.
    #[must_use]
    pub fn beside(mut self, others: Self) -> Self {
        self.columns.extend(others.columns);
        for (row, other) in self.cells.iter_mut().zip(others.cells) {
            row.extend(other);
        }
        self
    }
}

/// The rows of a record that are specific to its procedure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportRows {
    /// Exactly one row.
    pub run: Rows,
    /// Names of the participants, in configuration order.
    pub seated: Vec<String>,
    /// One row a participant.
    pub seats: Rows,
    /// One row a decision.
    pub decisions: Rows,
    /// One row a text.
    pub utterances: Rows,
}

/// Returns the rows of a record; without procedure columns if this version does not know its protocol.
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

/// Input of a report.
pub(crate) struct ReportSource<'a> {
    pub(super) head: &'a Started,
    pub(super) record: &'a [Rc<Entry>],
    pub(super) asks: &'a AskLogs,
}

/// An event of a procedure with its place in the record.
pub(super) struct PlacedEvent<E> {
    pub(super) seq: u64,
    pub(super) at: Millis,
    pub(super) event: E,
}

impl ReportSource<'_> {
    /// Returns the events that this version can read.
    pub(super) fn events<E: DeserializeOwned>(&self) -> Vec<PlacedEvent<E>> {
        let place_event = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, .. } => Some(PlacedEvent {
                seq: entry.seq,
                at: entry.at,
                event: event.read().ok()?,
            }),
            _ => None,
        };
        self.record.iter().filter_map(place_event).collect()
    }

    /// Returns the result of the procedure, or null if it has not ended.
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

    /// Creates the common columns of a decision at an event, with the ask that it was read from.
    pub(super) fn decision<E>(
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

    /// Creates the common columns of a text at an event.
    pub(super) fn utterance<E>(
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

/// Columns of all decisions.
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
    /// Returns the id of the ask that the decision was read from.
    pub(super) fn ask(&self) -> Option<&str> {
        self.ask.as_deref()
    }

    /// Returns why there is no decision.
    pub(super) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }
}

/// Id of the run, by which tables are joined.
pub const SESSION: About = About::new("session", ColumnKind::Text, "id of the run; joins the tables");
pub const SEQ: About = About::new("seq", ColumnKind::Integer, "place in the record, from 0");
pub const SEAT: About = About::new("seat", ColumnKind::Text, "name of the participant");
pub const ROUND: About = About::new(
    "round",
    ColumnKind::Integer,
    "round within the phase; empty outside rounds",
);
pub const PHASE: About = About::new(
    "phase",
    ColumnKind::Integer,
    "1 or 2; 1 where there are no phases",
);
pub(super) const ROLE: About = About::new("role", ColumnKind::Text, "what the participant is there for");
pub(super) const CONSENSUS: About = About::new(
    "consensus_reached",
    ColumnKind::Flag,
    "whether the group agreed; empty while it is open",
);
pub(super) const ROUNDS: About = About::new(
    "rounds_held",
    ColumnKind::Integer,
    "rounds of discussion that were held",
);
pub(super) const WARNINGS: About = About::new(
    "warnings",
    ColumnKind::Integer,
    "troubles that the run noted and went on after",
);
pub(super) const YES: About = About::new(
    "yes",
    ColumnKind::Flag,
    "answer to a question of yes or no: vote now, take part in the vote, stop, settled, ready, agree",
);
pub(super) const TARGET: About = About::new("target", ColumnKind::Text, "whom it is about: a participant");

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

pub(super) fn decisions() -> Rows {
    Rows::of(DECISION, &[])
}

/// Columns of all texts.
pub(super) struct UtteranceColumns {
    pub(super) session: String,
    pub(super) seq: u64,
    pub(super) at: Millis,
    pub(super) kind: &'static str,
    /// Empty for the lab.
    pub(super) seat: String,
    pub(super) round: Option<u32>,
    pub(super) text: String,
    pub(super) ask: Option<String>,
    pub(super) missing: Option<String>,
}

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
