//! A room: guests join by a link from their own devices, are seated at tables, and answer there. This is the
//! host's side of `docs/rooms.md`: it takes messages and times, and returns messages, answers for sessions
//! and session commands. It has no clock, no transport and no encryption; the caller authenticates senders.
//!
//! Each table is a session of its own, run by the caller. A room affects a session only by recorded commands
//! ([`crate::core::record::Command`]), so that the session can be replayed without the room. Names, ids and
//! answers to the room's own questions are in the room's snapshot only; records hold pseudonyms.

mod absence;
mod connections;
mod deal;
mod guest;
mod hosting;
mod names;
mod outgoing;
pub mod plan;
mod state;
pub mod step;

use crate::core::ask::Millis;
use crate::core::form::MAX_TEXT;
use crate::core::record::Command;
use crate::language::words::{Texts, Words};
use crate::language::{Language, in_each_language};
use crate::people::Plan;
use crate::procedures::spec::fault::ConfigError;
use plan::Tables;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
pub use state::{AnswerOutcome, EarlierTable, Guest, OpenQuestion, Table, TableStatus};
use state::{DeviceState, RoomState, TableSession};
use std::collections::BTreeMap;

pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

fn words(language: Language) -> Words {
    Words::new(&TEXTS, language, &BTreeMap::new())
}

/// Version of the protocol between host and guests.
pub const VERSION: u32 = 2;
/// Maximum number of guests who are here or seated.
pub const MAX_GUESTS: usize = 500;
/// Maximum number of stored guests. Beyond it, those who left without an answer are forgotten.
pub const MAX_STORED: usize = 4 * MAX_GUESTS;
/// Sizes that messages are padded to: powers of two from the smallest to the step, then multiples of the step.
pub const SMALLEST: usize = 256;
pub const STEP: usize = 65_536;
/// Maximum size of a padded message, in both directions. Brokers accept it by default.
pub const MAX_BYTES: usize = 15 * STEP;
// An answer of eight texts of the greatest length fits, whatever their characters: JSON takes up to six bytes for one.
const _: () = assert!(8 * 6 * (MAX_TEXT as usize) + 1_000 < MAX_BYTES);
/// Interval of the host's heartbeat, in milliseconds.
pub const BEAT: Millis = 10_000;
/// Milliseconds of silence after which a guest counts as away.
pub const SILENCE: Millis = 35_000;
/// Milliseconds before a deadline from which a guest is warned. Nothing happens before the guest could see it.
pub const WARNING: Millis = 20_000;
/// Maximum characters of a message of the host to all, and how many of them guests see.
const MAX_NOTICE: usize = 500;
const MAX_NOTICES: usize = 3;

/// A room. `state` is persisted; everything else is rebuilt.
pub struct Room {
    plan: Plan,
    tables: Tables,
    state: RoomState,
    devices: Vec<DeviceState>,
    sessions: Vec<TableSession>,
    /// Devices that guests have left for another one, with the last connection of each.
    left: BTreeMap<String, u64>,
    next_heartbeat: Millis,
    /// Start of the current period in which guests can reach the host.
    connected_since: Millis,
    /// Milliseconds by which the caller's clock is ahead of the date.
    ahead: Millis,
    /// Number of messages sent since the room was opened or restored.
    sent: u64,
    effects: Vec<Effect>,
    is_changed: bool,
}

/// A task for the caller, in order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Effect {
    /// Store the snapshot before the effects that follow. Always the first.
    Persist,
    /// Send a message to a guest.
    Send { guest: String, message: Value },
    /// Pass the view of a seat since that number to [`Room::send_view`].
    Show {
        guest: String,
        /// The table, from 1.
        table: usize,
        seat: String,
        /// The number of the last view; 0 for the whole view.
        since: u64,
    },
    /// Start the session of a table and run it.
    Open {
        /// The table, from 1.
        table: usize,
        /// The configuration of the session.
        config: Value,
        /// Id of the session, for a run of a study.
        id: Option<String>,
    },
    /// Answer a question of a table. Errors in the values are reported to [`Room::refused`].
    Answer {
        guest: String,
        /// The table, from 1.
        table: usize,
        ask: String,
        /// The values of the question's form.
        values: Value,
        /// Id of the answer.
        id: String,
    },
    /// Send a command to the session of a table.
    Note {
        /// The table, from 1.
        table: usize,
        command: Command,
    },
}

/// A command of the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum HostCommand {
    /// Seat the waiting guests and start their tables.
    Start,
    /// Assign a seat.
    Deal {
        guest: u32,
        /// The table, from 1.
        table: usize,
        seat: String,
    },
    /// Let a simulated participant answer in a seat.
    StandIn {
        /// The table, from 1.
        table: usize,
        seat: String,
    },
    /// Give the seat back to its guest.
    TakeBack {
        /// The table, from 1.
        table: usize,
        seat: String,
    },
    /// Give more time for the open questions that have a deadline, at one table or all.
    Extend {
        seconds: u32,
        #[serde(default)]
        table: Option<usize>,
    },
    /// Leave the open questions of people without an answer, at one table or all.
    Skip {
        #[serde(default)]
        table: Option<usize>,
    },
    /// Show all guests a message.
    Tell {
        text: String,
    },
    /// Remind a guest of open questions.
    Remind {
        guest: u32,
    },
    /// Remove a guest.
    Remove {
        guest: u32,
    },
    /// Readmit a guest who was cut off.
    Admit {
        guest: u32,
    },
    /// Remove all guests who have no seat.
    Clear,
    Close,
    /// Delete names, ids and personal answers of guests who have finished.
    Forget,
}

impl Room {
    /// Opens a room with these settings, given as JSON. `earlier`: tables of the same part of the study that were held in
    /// other rooms.
    ///
    /// # Errors
    /// Returns all faults of the settings.
    pub fn open(config: &str, id: &str, at: Millis, earlier: Vec<EarlierTable>) -> Result<Self, ConfigError> {
        let plan = plan::checked(config)?;
        let config = RawValue::from_string(config.to_owned()).unwrap_or_default();
        Ok(Self::of(plan, RoomState::new(config, id, at, earlier), at))
    }

    /// Restores a room from a snapshot.
    ///
    /// # Errors
    /// Returns a message if the snapshot cannot be read.
    pub fn restore(snapshot: &str, at: Millis) -> Result<Self, String> {
        let mut state: RoomState = serde_json::from_str(snapshot).map_err(|fault| fault.to_string())?;
        // Guests name it in their messages, so messages to an earlier page of the host are recognized.
        state.session = at.max(state.session + 1);
        let plan = plan::checked(state.config.get()).map_err(|fault| fault.to_string())?;
        let mut room = Self::of(plan, state, at);
        // The session is stored before it is used.
        room.is_changed = true;
        Ok(room)
    }

    fn of((plan, tables): (Plan, Tables), state: RoomState, at: Millis) -> Self {
        // A guest without a seat counts as here once heard.
        let device = |guest: &Guest| DeviceState {
            is_away: !guest
                .place
                .as_ref()
                .is_some_and(|(table, _)| state.tables[*table].is_begun),
            ..DeviceState::new(at, &guest.connections)
        };
        let devices = state.guests.iter().map(device).collect();
        let sessions = state.tables.iter().map(|_| TableSession::default()).collect();
        Self {
            plan,
            tables,
            state,
            devices,
            sessions,
            left: BTreeMap::new(),
            next_heartbeat: at,
            connected_since: at,
            ahead: 0,
            sent: 0,
            effects: Vec::new(),
            is_changed: false,
        }
    }

    /// Returns the settings as they were given, as JSON.
    #[must_use]
    pub fn config(&self) -> &str {
        self.state.config.get()
    }

    /// Serializes everything to be persisted.
    #[must_use]
    pub fn snapshot(&self) -> String {
        serde_json::to_string(&self.state).unwrap_or_default()
    }

    /// Handles a message from a guest, of `bytes` bytes.
    pub fn receive(&mut self, at: Millis, guest: &str, bytes: usize, message: &Value) -> Vec<Effect> {
        self.handle_message(at, guest, bytes, message);
        self.take_effects()
    }

    /// Takes the status of a table's session.
    pub fn table_changed(&mut self, at: Millis, table: usize, status: TableStatus) -> Vec<Effect> {
        self.update_table(at, table, status);
        self.take_effects()
    }

    /// Notes for the host why the session of a table could not be opened.
    pub fn table_failed(&mut self, table: usize, message: &str) {
        if let Some(session) = table
            .checked_sub(1)
            .and_then(|table| self.sessions.get_mut(table))
        {
            session.status.about = json!({ "trouble": { "message": message } });
        }
    }

    /// Reports to the guest that the values of an answer were invalid.
    pub fn refused(&mut self, ask: &str, message: &str, field: &str) -> Vec<Effect> {
        self.refuse(ask, message, field);
        self.take_effects()
    }

    /// Drops an answer that the session did not take; the guest sends it again.
    pub fn drop_pending(&mut self, ask: &str) {
        for table in &mut self.sessions {
            table.pending.retain(|pending| pending.ask != ask);
        }
    }

    /// Sends the view of a guest's seat since view `since`.
    pub fn send_view(&mut self, at: Millis, guest: &str, since: u64, view: Value) -> Vec<Effect> {
        let index = self.index_of(guest);
        // If the number has changed, another view is in progress.
        if let Some(index) = index.filter(|index| self.devices[*index].view == since) {
            self.send_state(at, index, Some(view));
        }
        self.take_effects()
    }

    /// Runs a host command. Returns `false` with the effects if it is not possible.
    pub fn host_command(&mut self, at: Millis, command: &HostCommand) -> (bool, Vec<Effect>) {
        let is_done = self.handle_host_command(at, command);
        (is_done, self.take_effects())
    }

    /// Sets by how much the clock of all times given is ahead of the date, since it does not go back when the
    /// date is set back. Tables that start at a date need it.
    pub fn set_ahead(&mut self, ahead: Millis) {
        self.ahead = ahead;
    }

    /// Returns when the tables start, by the caller's clock.
    fn starts_at(&self) -> Millis {
        self.plan.start_at.saturating_add(self.ahead)
    }

    /// Advances the time. `heard`: guests could reach the host since the last call. If not, silences and
    /// answer times are counted from `at`.
    pub fn tick(&mut self, at: Millis, heard: bool) -> Vec<Effect> {
        if !heard {
            (self.connected_since, self.next_heartbeat) = (at, at);
        }
        self.check_absences(at);
        self.apply_policies(at);
        self.check_waiting(at);
        if at >= self.next_heartbeat {
            self.next_heartbeat = at + BEAT;
            self.send_heartbeats(at);
        }
        self.take_effects()
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.effects);
        if std::mem::take(&mut self.is_changed) {
            effects.insert(0, Effect::Persist);
        }
        effects
    }

    fn index_of(&self, key: &str) -> Option<usize> {
        self.state.guests.iter().position(|guest| guest.key == key)
    }

    fn mark_changed(&mut self) {
        self.is_changed = true;
    }

    fn send(&mut self, index: usize, message: Value) {
        let guest = self.state.guests[index].key.clone();
        let to = self.devices[index].connections.ids();
        self.send_to(guest, &to, message);
    }

    /// Numbers a message and sends it to connections of a device.
    fn send_to(&mut self, guest: String, to: &[u64], mut message: Value) {
        self.sent += 1;
        message["v"] = VERSION.into();
        message["from"] = json!([self.state.session, self.sent]);
        message["to"] = json!(to);
        self.effects.push(Effect::Send { guest, message });
    }

    fn send_command(&mut self, table: usize, command: Command) {
        self.effects.push(Effect::Note {
            table: table + 1,
            command,
        });
    }
}
