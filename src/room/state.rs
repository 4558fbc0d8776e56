//! What a room is made of: what is kept of guests and tables, and what is found out anew after a reload.

use super::plan::GuestEnd;
use crate::core::ask::Millis;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All that is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct RoomState {
    pub(super) config: Value,
    pub(super) id: String,
    pub(super) opened: Millis,
    pub(super) is_closed: bool,
    /// Whether tables have begun at the moment that was set.
    pub(super) is_begun: bool,
    pub(super) guests: Vec<Guest>,
    pub(super) tables: Vec<Table>,
}

impl RoomState {
    pub(super) fn new(config: Value, id: &str, opened: Millis) -> Self {
        Self {
            config,
            id: id.to_owned(),
            opened,
            is_closed: false,
            is_begun: false,
            guests: Vec::new(),
            tables: Vec::new(),
        }
    }
}

/// Somebody with a device of their own. Their number in the room is their place in its list, from 1.
#[derive(Serialize, Deserialize)]
pub struct Guest {
    /// The public key of the device.
    pub(super) key: String,
    pub(super) language: String,
    /// What the link brought.
    pub(super) params: Map<String, Value>,
    /// What others call them in the record.
    pub(super) pseudonym: String,
    /// What they want to be called.
    pub(super) name: Option<String>,
    /// Answers to the room's own questions, by the part that they belong to.
    pub(super) answers: Map<String, Value>,
    /// How often they have answered the comprehension questions wrong.
    pub(super) tries: u32,
    /// Since when they wait for a table.
    pub(super) waits: Option<Millis>,
    /// Table (from 0) and seat.
    pub(super) place: Option<(usize, String)>,
    pub(super) way: Option<GuestEnd>,
    pub(super) earned: Option<String>,
    /// What became of their last answers to the room's own questions.
    pub(super) settled: Vec<AnswerOutcome>,
    pub(super) cut: Option<String>,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerOutcome {
    /// The answer's number.
    pub n: u64,
    /// What it answers.
    pub ask: String,
    /// Whether it counts; if not, it came too late.
    pub kept: bool,
}

/// A table.
#[derive(Serialize, Deserialize)]
pub struct Table {
    pub(super) seats: Vec<Chair>,
    /// The configuration of its session, once it has begun.
    pub(super) config: Value,
    pub(super) is_begun: bool,
    pub(super) is_over: bool,
}

/// A seat that is a person's.
#[derive(Serialize, Deserialize)]
pub(super) struct Chair {
    pub(super) name: String,
    /// Who has it, by place in the list of guests.
    pub(super) guest: Option<usize>,
    pub(super) stands_in: Option<StandInReason>,
}

/// Why a simulated participant stands in.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StandInReason {
    /// The person is away: they have the seat again when they are back.
    Away,
    /// The person took too long, and may say that they are there.
    Late,
    /// The host says so.
    Host,
    /// The person has left.
    Left,
}

/// What is known of a guest's device.
pub(super) struct DeviceState {
    /// When something of it was heard last.
    pub(super) last: Millis,
    pub(super) is_away: bool,
    /// The number of what was told last, and of the view in it. Numbers begin at a moment, so that those of a host that
    /// was reloaded are greater.
    pub(super) number: u64,
    pub(super) view: u64,
    /// What was told last, but for the view.
    pub(super) told: Value,
    /// What became of the last answers to a table's questions.
    pub(super) settled: Vec<AnswerOutcome>,
    /// Messages in this window of time, and when it began.
    pub(super) count: u32,
    pub(super) window: Millis,
}

impl DeviceState {
    pub(super) fn new(at: Millis) -> Self {
        Self {
            last: at,
            is_away: false,
            number: at,
            view: 0,
            told: Value::Null,
            settled: Vec::new(),
            count: 0,
            window: at,
        }
    }
}

/// What is known of a table's session.
#[derive(Default)]
pub(super) struct TableSession {
    /// Whether anything is.
    pub(super) is_known: bool,
    pub(super) stands: TableStatus,
    pub(super) pending: Vec<PendingEntry>,
    /// Questions of which somebody was reminded, or which were left.
    pub(super) handled: Vec<String>,
}

/// An answer that is on its way into the record.
pub(super) struct PendingEntry {
    pub(super) guest: usize,
    pub(super) n: u64,
    pub(super) ask: String,
}

/// How a session stands, as far as a room needs to know.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TableStatus {
    /// `running`, `paused`, `halted`, `stopped` or `ended`.
    pub state: String,
    /// Questions that people have before them.
    pub open: Vec<OpenQuestion>,
    /// Questions that have been settled since: each with the id of its answer, where that had one.
    pub settled: Vec<(String, Option<String>)>,
    /// The result, at the end.
    pub result: Value,
    /// What the host is shown: round, last event, trouble.
    pub about: Value,
}

/// A question that a person has before them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct OpenQuestion {
    /// The question.
    pub id: String,
    /// The seat.
    pub seat: String,
    /// Since when.
    pub since: Millis,
    /// Its form.
    pub form: Value,
}
