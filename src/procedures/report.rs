//! A record as rows for statistics. A row is what a run already has, mostly an event with its place; a [`Column`] is one
//! line of a list: its line in the codebook, and the cell that it takes from a row. This file holds the common columns;
//! each procedure lists its own in its `report`. Unknown values stay [`Cell::Missing`], and a decision without a value
//! gives the reason.

use super::Procedure;
use crate::core::ask::Millis;
use crate::core::ask_log::{AskLog, AskLogs};
use crate::core::record::{Entry, EntryKind, Started};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    pub name: Cow<'static, str>,
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
            name: Cow::Borrowed(name),
            kind,
            unit: "",
            values: "",
            meaning,
        }
    }

    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    #[must_use]
    pub const fn values(mut self, values: &'static str) -> Self {
        self.values = values;
        self
    }

    /// Adds the function that takes the cell from a row.
    #[must_use]
    pub const fn from<R>(self, cell: fn(&R) -> Cell) -> Column<R> {
        Column { about: self, cell }
    }
}

/// Creates the description of a text.
#[must_use]
pub const fn text(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Text, meaning)
}

/// Creates the description of a whole number.
#[must_use]
pub const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

/// Creates the description of a number.
#[must_use]
pub const fn number(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning)
}

/// Creates the description of a truth value.
#[must_use]
pub const fn flag(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Flag, meaning)
}

/// Creates the description of a point in time.
#[must_use]
pub const fn time(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Time, meaning)
}

/// Creates the description of a JSON text.
#[must_use]
pub const fn json(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Json, meaning)
}

/// A column of rows `R`.
#[derive(Debug)]
pub struct Column<R> {
    pub about: About,
    cell: fn(&R) -> Cell,
}

/// Lists columns as `description => cell`, where the cell is an expression of the row, e.g.
/// `columns!(row: Run<'a>, ROUNDS => row.rounds)`.
macro_rules! columns {
    ($row:ident: $type:ty, $($about:expr => $cell:expr),* $(,)?) => {
        vec![$($about.from(|$row: &$type| $crate::procedures::report::Cell::from($cell))),*]
    };
}
pub(crate) use columns;

/// Rows with their columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    pub columns: Vec<About>,
    /// One cell a column in each row.
    pub cells: Vec<Vec<Cell>>,
}

impl Rows {
    #[must_use]
    pub fn of<R>(columns: &[Column<R>], rows: &[R]) -> Self {
        let cells = |row| columns.iter().map(|column| (column.cell)(row)).collect();
        Self {
            columns: columns.iter().map(|column| column.about.clone()).collect(),
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

/// The place of an event in its record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    session: &'a str,
    pub(super) seq: u64,
    at: Millis,
}

/// An event of a procedure with its place.
pub(super) struct PlacedEvent<'a, E> {
    pub(super) place: Place<'a>,
    pub(super) event: E,
}

impl<'a> ReportSource<'a> {
    /// Returns the events that this version can read.
    pub(super) fn events<E: DeserializeOwned>(&self) -> Vec<PlacedEvent<'a, E>> {
        let place_event = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, .. } => Some(PlacedEvent {
                place: self.place(entry.seq, entry.at),
                event: event.read().ok()?,
            }),
            _ => None,
        };
        self.record.iter().filter_map(place_event).collect()
    }

    pub(super) fn place(&self, seq: u64, at: Millis) -> Place<'a> {
        let session = &self.head.session;
        Place { session, seq, at }
    }

    /// Returns what `seat` answered to the last question of `kind` before an event.
    pub(super) fn answer<'b>(
        &self,
        at: Place<'b>,
        seat: &'b str,
        kind: &str,
        phase: u8,
        round: Option<u32>,
    ) -> Answer<'b>
    where
        'a: 'b,
    {
        Answer {
            place: at,
            seat,
            phase,
            round,
            asked: self.asked(seat, kind, round, at),
        }
    }

    /// Returns the last question of `kind` to `seat` in `round` before an entry.
    pub(super) fn asked(
        &self,
        seat: &str,
        kind: &str,
        round: Option<u32>,
        before: Place,
    ) -> Option<&'a AskLog> {
        self.asks.last(seat, kind, round, before.seq)
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
}

/// Id of the run, by which tables are joined.
pub const SESSION: About = text("session", "id of the run; joins the tables");
pub const SEQ: About = count("seq", "place in the record, from 0");
pub const SEAT: About = text("seat", "name of the participant");
pub const ROUND: About = count("round", "round within the phase; empty outside rounds");
pub const PHASE: About = count("phase", "1 or 2; 1 where there are no phases");
pub(super) const ROLE: About = text("role", "what the participant is there for");
pub(super) const CONSENSUS: About = flag(
    "consensus_reached",
    "whether the group agreed; empty while it is open",
);
pub(super) const ROUNDS: About = count("rounds_held", "rounds of discussion that were held");
pub(super) const WARNINGS: About = count("warnings", "troubles that the run noted and went on after");
pub(super) const YES: About = flag(
    "yes",
    "answer to a question of yes or no: vote now, take part in the vote, stop, settled, ready, agree",
);
pub(super) const TARGET: About = text("target", "whom it is about: a participant");

/// A participant's answer at an event, from which decisions and texts are read.
#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) place: Place<'a>,
    /// Empty for the lab.
    pub(super) seat: &'a str,
    pub(super) phase: u8,
    pub(super) round: Option<u32>,
    /// The question, if there was one.
    pub(super) asked: Option<&'a AskLog>,
}

impl<'a> Answer<'a> {
    pub(super) fn decision<T>(self, kind: &'static str, is_made: bool, value: T) -> Decision<'a, T> {
        Decision {
            place: self.place,
            kind,
            seat: self.seat,
            phase: self.phase,
            round: self.round,
            asked: self.asked,
            is_made,
            value,
        }
    }

    pub(super) fn utterance<T>(self, kind: &'static str, text: &'a str, value: T) -> Utterance<'a, T> {
        Utterance {
            place: self.place,
            kind,
            seat: self.seat,
            round: self.round,
            text,
            ask: self.asked.map(AskLog::id),
            missing: None,
            value,
        }
    }

    /// Returns why there is no answer.
    pub(super) fn missing(&self) -> String {
        missing(self.asked)
    }
}

/// A decision of a participant.
pub(super) struct Decision<'a, T> {
    pub(super) place: Place<'a>,
    pub(super) kind: &'static str,
    pub(super) seat: &'a str,
    pub(super) phase: u8,
    pub(super) round: Option<u32>,
    /// The question whose answer counts.
    pub(super) asked: Option<&'a AskLog>,
    /// Whether there is a value.
    pub(super) is_made: bool,
    /// What was decided.
    pub(super) value: T,
}

impl<T> Decision<'_, T> {
    /// Returns why there is no value.
    pub(super) fn missing(&self) -> Option<String> {
        (!self.is_made).then(|| missing(self.asked))
    }

    fn read_how(&self) -> Option<String> {
        match self.asked {
            Some(asked) => asked.how().filter(|_| self.is_made),
            None => self.is_made.then(|| "by_rule".to_owned()),
        }
    }
}

/// Returns why there is no answer to a question, or `not_asked`.
fn missing(asked: Option<&AskLog>) -> String {
    asked.map_or("not_asked".to_owned(), AskLog::missing)
}

const DECISIONS: &str = "ranking application vote_initiation vote_confirmation ballot critique vote readiness poll termination \
                         judgement prepare commit estimate straw_vote";
const UTTERANCES: &str = "reasoning statement announcement proposal critique vote_reason comment synthesis contribution note reason speech";

/// Returns decisions as rows of the common columns and a procedure's own.
pub(super) fn decisions<'a, T>(rows: &[Decision<'a, T>], own: Vec<Column<Decision<'a, T>>>) -> Rows {
    let mut columns = columns!(row: Decision<T>,
        SESSION => row.place.session,
        SEQ => row.place.seq,
        time("at", "when it was taken or counted") => Cell::Time(row.place.at),
        text("decision", "what was decided").values(DECISIONS) => row.kind,
        SEAT => row.seat,
        PHASE => row.phase,
        ROUND => row.round,
        text("ask", "id of the question whose answer counts; see the table asks") => row.asked.map(AskLog::id),
        count("attempt", "1; more where an answer could not be used and it was asked again") => row.asked.map(|asked| asked.ask.attempt),
        text("read_how", "which rule read the answer; by_rule: nobody was asked, the procedure has it so") => row.read_how(),
        text("missing", "why there is no decision: no_answer, withdrawn, open, not_asked, not_said, or why the answer could not be read; empty where there is one") => row.missing(),
    );
    columns.extend(own);
    Rows::of(&columns, rows)
}

/// A text.
pub(super) struct Utterance<'a, T> {
    pub(super) place: Place<'a>,
    pub(super) kind: &'static str,
    /// Empty for the lab.
    pub(super) seat: &'a str,
    pub(super) round: Option<u32>,
    pub(super) text: &'a str,
    /// Id of the question.
    pub(super) ask: Option<&'a str>,
    /// Why there is no text.
    pub(super) missing: Option<String>,
    /// What belongs to the text.
    pub(super) value: T,
}

/// Returns texts as rows of the common columns and a procedure's own.
pub(super) fn utterances<'a, T>(rows: &[Utterance<'a, T>], own: Vec<Column<Utterance<'a, T>>>) -> Rows {
    let mut columns = columns!(row: Utterance<T>,
        SESSION => row.place.session,
        SEQ => row.place.seq,
        time("at", "when it was there") => Cell::Time(row.place.at),
        text("utterance", "what it is; reasoning is private").values(UTTERANCES) => row.kind,
        text("seat", "name of the speaker; empty: the lab") => row.seat,
        ROUND => row.round,
        count("characters", "length of the text").unit(CHARACTERS) => row.text.chars().count(),
        text("text", "the words") => row.text,
        text("ask", "id of the question that it answers; see the table asks") => row.ask,
        text("missing", "why nothing was said; empty where something was") => row.missing.as_deref(),
    );
    columns.extend(own);
    Rows::of(&columns, rows)
}

/// Returns the mean of numbers, if there are any.
pub(super) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// Unit of lengths of texts.
pub const CHARACTERS: &str = "Unicode scalar values";

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
