//! A room: people join by a link from their own devices, are seated at tables, and answer there. This is the host's
//! side of `docs/rooms.md`: messages and moments in; messages, answers to sessions and what is to be noted in them out.
//! No clock, no transport, no sealing; who a message is from, its caller has proved.
//!
//! Each table is a session of its own, which the caller runs. What of a room bears on a session goes through commands that
//! its record keeps ([`crate::core::record::Command`]), so that it runs again without the room. Names, ids and answers to
//! the room's own questions stand in the room's snapshot and nowhere else: a record knows pseudonyms.

mod absence;
mod deal;
mod guest;
mod hosting;
mod outgoing;
pub mod plan;
mod state;

use crate::core::ask::Millis;
use crate::core::record::Command;
use crate::language::words::{Texts, Words};
use crate::language::{Language, in_each_language};
use plan::Plan;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use state::{AnswerOutcome, Guest, Table, TableStatus};
use state::{DeviceState, RoomState, TableSession};
use std::collections::BTreeMap;

/// The words of rooms.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

fn words(language: Language) -> Words {
    Words::new(&TEXTS, language, &BTreeMap::new())
}

/// Guests at most.
pub const MOST_GUESTS: usize = 500;
/// Bytes of a message at most.
pub const MOST_BYTES: usize = 64 * 1024;
/// Between two beats of the host, in milliseconds.
pub const BEAT: Millis = 10_000;
/// Silence after which a guest counts as away.
pub const SILENCE: Millis = 35_000;

/// A room. What is to be kept stands in `kept`; all else is found out again.
pub struct Room {
    plan: Plan,
    kept: RoomState,
    hears: Vec<DeviceState>,
    watched: Vec<TableSession>,
    beat: Millis,
    /// Since when guests can be heard.
    hearing: Millis,
    effects: Vec<Effect>,
    is_changed: bool,
}

/// Something for the caller to do, after it has stored what [`Effect::Persist`] asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Effect {
    /// Store the snapshot before anything that follows. Always the first.
    Persist,
    /// Send a message to a guest.
    Send {
        /// Their key.
        guest: String,
        /// The message.
        message: Value,
    },
    /// Hand the view of a seat since that number to [`Room::shown`].
    Show {
        /// Their key.
        guest: String,
        /// The table, from 1.
        table: usize,
        /// The seat.
        seat: String,
        /// The number of the last view; 0: all of it.
        since: u64,
    },
    /// Begin the session of a table and run it.
    Open {
        /// The table, from 1.
        table: usize,
        /// Its configuration.
        config: Value,
    },
    /// Answer a question of a table. What is wrong with the values goes to [`Room::refused`].
    Answer {
        /// Whose answer.
        guest: String,
        /// The table, from 1.
        table: usize,
        /// The question.
        ask: String,
        /// The values of its form.
        values: Value,
        /// Id that the answer is known by.
        id: String,
    },
    /// Put a command to the session of a table.
    Note {
        /// The table, from 1.
        table: usize,
        /// The command.
        command: Command,
    },
}

/// What the host wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum HostCommand {
    /// Seat those who wait and begin.
    Start,
    /// Seat somebody.
    Deal {
        /// Number of the guest.
        guest: u32,
        /// The table, from 1.
        table: usize,
        /// The seat.
        seat: String,
    },
    /// Have a simulated participant answer in a seat.
    StandIn {
        /// The table, from 1.
        table: usize,
        /// The seat.
        seat: String,
    },
    /// Give the seat back to its person.
    TakeBack {
        /// The table, from 1.
        table: usize,
        /// The seat.
        seat: String,
    },
    /// Remind somebody.
    Remind {
        /// Number of the guest.
        guest: u32,
    },
    /// Put somebody out.
    Remove {
        /// Number of the guest.
        guest: u32,
    },
    /// Let in again who was cut off.
    Admit {
        /// Number of the guest.
        guest: u32,
    },
    /// End the room.
    Close,
    /// Forget names, ids and what was told about oneself.
    Forget,
}

impl Room {
    /// A new room.
    #[must_use]
    pub fn open(plan: Plan, config: Value, id: &str, at: Millis) -> Self {
        Self::of(plan, RoomState::new(config, id, at), at)
    }

    /// The room of a snapshot, as it was.
    ///
    /// # Errors
    /// What cannot be read of it.
    pub fn restore(snapshot: &str, at: Millis) -> Result<Self, String> {
        let kept: RoomState = serde_json::from_str(snapshot).map_err(|fault| fault.to_string())?;
        let plan = Plan::read(&kept.config).map_err(|fault| fault.to_string())?;
        Ok(Self::of(plan, kept, at))
    }

    fn of(plan: Plan, kept: RoomState, at: Millis) -> Self {
        let hears = kept.guests.iter().map(|_| DeviceState::new(at)).collect();
        let watched = kept.tables.iter().map(|_| TableSession::default()).collect();
        Self {
            plan,
            kept,
            hears,
            watched,
            beat: at,
            hearing: at,
            effects: Vec::new(),
            is_changed: false,
        }
    }

    /// All that is to be kept of it.
    #[must_use]
    pub fn snapshot(&self) -> String {
        serde_json::to_string(&self.kept).unwrap_or_default()
    }

    /// A guest said something.
    pub fn receive(&mut self, at: Millis, guest: &str, bytes: usize, message: &Value) -> Vec<Effect> {
        self.handle_message(at, guest, bytes, message);
        self.outcome()
    }

    /// How a table stands.
    pub fn table_changed(&mut self, at: Millis, table: usize, stands: TableStatus) -> Vec<Effect> {
        self.watch(at, table, stands);
        self.outcome()
    }

    /// The values of an answer were not as they must be.
    pub fn refused(&mut self, ask: &str, message: &str, field: &str) -> Vec<Effect> {
        self.refuse(ask, message, field);
        self.outcome()
    }

    /// A session did not take an answer: it is told again.
    pub fn drop_pending(&mut self, ask: &str) {
        for table in &mut self.watched {
            table.pending.retain(|pending| pending.ask != ask);
        }
    }

    /// The view of a guest's seat since that number.
    pub fn send_view(&mut self, at: Millis, guest: &str, since: u64, view: Value) -> Vec<Effect> {
        let index = self.index_of(guest);
        // Where it is another by now, another view is on its way.
        if let Some(index) = index.filter(|index| self.hears[*index].view == since) {
            self.send_state(at, index, Some(view));
        }
        self.outcome()
    }

    /// The host wants something. `false` beside what follows: it cannot be had.
    pub fn host_command(&mut self, at: Millis, wish: &HostCommand) -> (bool, Vec<Effect>) {
        let is_had = self.handle_host_command(at, wish);
        (is_had, self.outcome())
    }

    /// Time has passed. `heard`: all the while guests could be heard. Where not, their silence and the time that they take
    /// count from now on.
    pub fn tick(&mut self, at: Millis, heard: bool) -> Vec<Effect> {
        if !heard {
            (self.hearing, self.beat) = (at, at);
        }
        self.check_absences(at);
        self.apply_policies(at);
        self.check_waiting(at);
        if at >= self.beat {
            self.beat = at + BEAT;
            self.send_heartbeats(at);
        }
        self.outcome()
    }

    fn outcome(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.effects);
        if std::mem::take(&mut self.is_changed) {
            effects.insert(0, Effect::Persist);
        }
        effects
    }

    fn index_of(&self, key: &str) -> Option<usize> {
        self.kept.guests.iter().position(|guest| guest.key == key)
    }

    fn changed(&mut self) {
        self.is_changed = true;
    }

    fn send(&mut self, index: usize, message: Value) {
        let guest = self.kept.guests[index].key.clone();
        self.effects.push(Effect::Send { guest, message });
    }

    fn note(&mut self, table: usize, command: Command) {
        self.effects.push(Effect::Note {
            table: table + 1,
            command,
        });
    }
}
