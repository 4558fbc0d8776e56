//! State of a room: the persisted data of guests and tables, and the data rebuilt after a reload.

use super::connections::Connections;
use crate::core::ask::Millis;
use crate::people::GuestEnd;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The persisted state.
#[derive(Serialize, Deserialize)]
pub(super) struct RoomState {
    /// As it was given: the order of a study's factors counts.
    pub(super) config: Box<RawValue>,
    pub(super) id: String,
    pub(super) opened: Millis,
    /// Id of the host's current page. It only grows.
    #[serde(default)]
    pub(super) session: u64,
    pub(super) is_closed: bool,
    /// Whether the tables have started at the configured time.
    pub(super) is_begun: bool,
    pub(super) guests: Vec<Guest>,
    pub(super) tables: Vec<Table>,
    /// The last messages of the host to all.
    #[serde(default)]
    pub(super) notices: Vec<Notice>,
    /// Tables of the same part of the study that were held in rooms before.
    #[serde(default)]
    pub(super) earlier: Vec<EarlierTable>,
}

/// A table of a study that was held in another room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierTable {
    /// Id of its session.
    pub id: String,
    /// Whether it counts: it has ended and is not void.
    pub counts: bool,
}

/// A message of the host to all.
#[derive(Serialize, Deserialize)]
pub(super) struct Notice {
    pub(super) at: Millis,
    pub(super) text: String,
}

impl RoomState {
    pub(super) fn new(config: Box<RawValue>, id: &str, opened: Millis, earlier: Vec<EarlierTable>) -> Self {
        Self {
            config,
            id: id.to_owned(),
            opened,
            session: opened,
            is_closed: false,
            is_begun: false,
            guests: Vec::new(),
            tables: Vec::new(),
            notices: Vec::new(),
            earlier,
        }
    }
}

/// A guest with a device. The guest's number is its index in the list, plus one.
#[derive(Serialize, Deserialize)]
pub struct Guest {
    /// The public key of the device.
    pub(super) key: String,
    pub(super) language: String,
    /// Parameters from the link.
    pub(super) params: Map<String, Value>,
    /// Name in records.
    pub(super) pseudonym: String,
    /// Name chosen by the guest.
    pub(super) name: Option<String>,
    /// Answers to the room's own questions, by part.
    pub(super) answers: Map<String, Value>,
    /// Number of wrong attempts at the comprehension questions.
    pub(super) tries: u32,
    /// Start of the wait for a table.
    pub(super) waits: Option<Millis>,
    /// Table (from 0) and seat.
    pub(super) place: Option<(usize, String)>,
    pub(super) way: Option<GuestEnd>,
    pub(super) earned: Option<String>,
    /// Outcomes of the last answers to the room's own questions.
    pub(super) settled: Vec<AnswerOutcome>,
    pub(super) cut: Option<String>,
    /// Ids of the device's open connections.
    #[serde(default)]
    pub(super) connections: Vec<u64>,
}

/// Outcome of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerOutcome {
    /// Number of the answer.
    pub n: u64,
    /// Id of the question.
    pub ask: String,
    /// `false` if the answer came too late or was refused.
    pub kept: bool,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

impl AnswerOutcome {
    pub(super) fn new(n: u64, ask: &str, kept: bool) -> Self {
        Self {
            n,
            ask: ask.to_owned(),
            kept,
            refused: None,
        }
    }
}

/// Why an answer was refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    pub message: String,
    /// Name of the field, or empty.
    pub field: String,
}

#[derive(Serialize, Deserialize)]
pub struct Table {
    pub(super) seats: Vec<Chair>,
    /// The configuration of the session, once it has started.
    pub(super) config: Value,
    pub(super) is_begun: bool,
    pub(super) is_over: bool,
    /// The run of the study that it is, once it has begun.
    #[serde(default)]
    pub(super) run: Option<AssignedRun>,
    /// Guests who left before the end, by the record.
    #[serde(default)]
    pub(super) left: u32,
}

/// The run of a study that a table is.
#[derive(Serialize, Deserialize)]
pub(super) struct AssignedRun {
    pub(super) cell: String,
    /// Id of the session.
    pub(super) id: String,
}

/// A seat taken by a guest.
#[derive(Serialize, Deserialize)]
pub(super) struct Chair {
    pub(super) name: String,
    /// Index in the list of guests.
    pub(super) guest: Option<usize>,
    pub(super) stands_in: Option<StandInReason>,
}

/// Why a simulated participant stands in.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StandInReason {
    /// The guest is away and gets the seat back on return.
    Away,
    /// The guest was too slow and may ask for the seat back.
    Late,
    /// By a command of the host.
    Host,
    /// The guest has left.
    Left,
}

/// State of a guest's connection.
pub(super) struct DeviceState {
    /// Time of the last message.
    pub(super) last: Millis,
    /// Since when it has been heard without a gap in which a warning could have passed unseen.
    pub(super) heard_since: Millis,
    pub(super) is_away: bool,
    /// Whether the same person tried to join with a second device meanwhile.
    pub(super) is_elsewhere: bool,
    /// Number of the last state sent, and of the view in it. Numbers start at the opening time, so that
    /// those of a reloaded host are greater.
    pub(super) number: u64,
    pub(super) view: u64,
    /// The last state sent, without the view.
    pub(super) sent_state: Value,
    /// Outcomes of the last answers to a table's questions.
    pub(super) settled: Vec<AnswerOutcome>,
    /// Messages in the current window (a large one counts several times), and its start.
    pub(super) count: u32,
    pub(super) window: Millis,
    pub(super) connections: Connections,
    /// Requests for a new greeting in the current second, and its start.
    pub(super) requests: (Millis, u32),
}

impl DeviceState {
    pub(super) fn new(at: Millis, connections: &[u64]) -> Self {
        Self {
            last: at,
            heard_since: at,
            is_away: false,
            is_elsewhere: false,
            number: at,
            view: 0,
            sent_state: Value::Null,
            settled: Vec::new(),
            count: 0,
            window: at,
            connections: Connections::restore(connections),
            requests: (at, 0),
        }
    }
}

/// State of a table's session.
#[derive(Default)]
pub(super) struct TableSession {
    /// Whether a status was received.
    pub(super) is_known: bool,
    pub(super) status: TableStatus,
    pub(super) pending: Vec<PendingEntry>,
    /// Questions that were skipped, or whose guest was reminded.
    pub(super) handled: Vec<String>,
    /// Questions whose time was restarted by their guest, or extended by the host.
    pub(super) extensions: BTreeMap<String, Extension>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Extension {
    /// Start of the time to answer.
    pub(super) from: Millis,
    /// Milliseconds more than the plan allows.
    pub(super) more: Millis,
}

/// An answer that is not in the record yet.
pub(super) struct PendingEntry {
    pub(super) guest: usize,
    pub(super) n: u64,
    pub(super) ask: String,
}

/// Status of a session, as a room needs it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TableStatus {
    /// `running`, `paused`, `halted`, `stopped` or `ended`.
    pub state: String,
    /// Open questions of people.
    pub open: Vec<OpenQuestion>,
    /// Questions settled since the last status, with the id of the answer, if it has one.
    pub settled: Vec<(String, Option<String>)>,
    /// Seats that were asked in the current step, with whether they have answered ([`super::step::Step::seats`]).
    pub step: Vec<(String, bool)>,
    /// Guests who left before the end ([`super::step::Step::left`]).
    pub left: u32,
    pub result: Value,
    /// Data for the host's console: round, last event, errors.
    pub about: Value,
}

/// An open question of a person.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct OpenQuestion {
    pub id: String,
    pub seat: String,
    /// When it was asked.
    pub since: Millis,
    /// When the procedure itself ends it. Then the room sets no time of its own.
    pub ends: Option<Millis>,
    pub form: Value,
}
