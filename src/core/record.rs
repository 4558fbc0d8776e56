//! The record: an append-only list of entries, and the only state that is stored. External entries
//! (`answered`, `failed`, `timed_out`, `commanded`, `late`) record inputs. All others are derived: given
//! the external entries, they are the same on every machine.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::audience::Audience;
use super::data::Data;
use crate::seat::provider::Provider;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Index in the record, from 0.
    pub seq: u64,
    /// Time of handling, in milliseconds since the epoch.
    pub at: Millis,
    pub what: EntryKind,
}

/// The payload of an entry, with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryKind {
    /// The head of every record.
    Started(Started),
    /// A seat was asked (derived).
    Asked {
        ask: Rc<Ask>,
        request: Rc<Request>,
        /// Time limits of the attempts in milliseconds; empty for no limit.
        #[serde(default)]
        time_limits: Vec<Millis>,
    },
    /// The call for an ask was passed to the driver (derived).
    Sent {
        ask: String,
        /// From 1.
        attempt: u32,
    },
    /// An answer (external).
    Answered {
        ask: String,
        /// From 1.
        attempt: u32,
        reply: Reply,
    },
    /// A call failed (external).
    Failed {
        ask: String,
        /// From 1.
        attempt: u32,
        failure: Failure,
    },
    /// A call timed out (external: depends on the clock).
    TimedOut {
        ask: String,
        /// From 1.
        attempt: u32,
    },
    /// An answer to a settled ask (external). Kept, without effect.
    Late {
        ask: String,
        /// From 1.
        attempt: u32,
        reply: Reply,
    },
    /// A user command (external).
    Commanded { command: Command },
    /// A retry is scheduled (derived).
    Retrying {
        ask: String,
        /// The next attempt.
        attempt: u32,
        wait: Millis,
    },
    /// The seat's next model is asked (derived). [`super::requests`] shows for how long.
    FellBack {
        ask: String,
        /// Name of the seat.
        seat: String,
        /// The new model.
        model: String,
        /// API format of the endpoint; `None`: derived from the base URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Provider>,
        base_url: String,
        because: FallbackReason,
    },
    /// No answer in time after all attempts, or a source failed (derived).
    Unanswered { ask: String },
    /// The protocol withdrew its question (derived).
    Withdrawn { ask: String },
    /// The run halted (derived).
    Halted {
        /// The reason.
        halt: Halt,
    },
    /// The reading of an answer (derived): `{ value, how }` or `{ value: null, reason }`.
    Read { ask: String, reading: Data },
    /// A random draw (derived).
    Drew {
        stream: String,
        /// Purpose of the draw.
        purpose: String,
        /// Result of the draw.
        value: Data,
    },
    /// A protocol event (derived).
    Event {
        /// The event, with its own `type`.
        event: Data,
        /// Audience; absent: the owner alone.
        #[serde(default, skip_serializing_if = "Audience::is_owner")]
        to: Audience,
    },
    /// The protocol ended (derived).
    Ended { result: serde_json::Value },
}

impl Entry {
    /// Returns the number of the guest of a room who leaves for good with it.
    #[must_use]
    pub fn leaver(&self) -> Option<u32> {
        match &self.what {
            EntryKind::Commanded {
                command:
                    Command::Guest {
                        guest,
                        is: Presence::Left,
                        ..
                    },
            } => Some(*guest),
            _ => None,
        }
    }
}

impl EntryKind {
    /// Whether it is the head of a record.
    #[must_use]
    pub fn is_head(&self) -> bool {
        matches!(self, Self::Started(_))
    }
}

/// The head of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// Version of the engine that wrote it, e.g. `quorate 0.1.0`.
    pub engine: String,
    /// Id of the session.
    pub session: String,
    /// Name of the protocol.
    pub protocol: String,
    /// Seed of all random streams, 0 to 2³¹−1.
    pub seed: u32,
    /// The validated configuration.
    pub config: serde_json::Value,
    /// SHA-256 of the configuration as canonical JSON, in hex.
    pub config_hash: String,
    /// Origin of a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
}

/// Origin of a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkedFrom {
    pub session: String,
    /// The first entry that was not copied.
    pub seq: u64,
}

/// Why a seat's fallback model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FallbackReason {
    /// The call to the model before it failed permanently.
    Failed,
    /// The circuit breaker of the seat's first model is open after repeated failures.
    Resting,
}

/// A user command: a control of the run, or an input to its protocol. A protocol without use for such an
/// input ignores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Starts no further calls.
    Pause,
    /// Continues. Failed calls are retried.
    Resume,
    /// Lets one call through while paused.
    Step,
    /// Starts no further calls and cancels those in flight.
    Stop,
    /// Changes the caps of the run. An absent cap is removed.
    Limit {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_calls: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_tokens: Option<u64>,
        /// In the currency of the run's prices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_cost: Option<f64>,
    },
    /// To the protocol: an unprompted message.
    Say {
        /// Name of the seat.
        seat: String,
        text: String,
        /// Id set by the sender, for detecting duplicates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
    },
    /// To the protocol: changes the seats at the table.
    Reseat {
        /// The configuration keys that define the seats.
        table: serde_json::Value,
    },
    /// To the protocol: ends the procedure.
    Close,
    /// To the protocol: gives a talk that ends by the clock more time.
    Extend { seconds: u32 },
    /// The owner looked at a participant's private view. Has no effect.
    Look { seat: String },
    /// The presence of a guest in a person's seat. Has no effect.
    Guest {
        seat: String,
        /// Number of the guest in the room.
        guest: u32,
        is: Presence,
    },
    /// A simulated participant answers in a person's seat from now on.
    StandIn { seat: String },
    /// The person answers again.
    TakeBack { seat: String },
    /// Leaves a question without an answer.
    Skip { ask: String },
    /// The owner's reading of an answer that could not be read. It has no effect in the run.
    Annotate {
        ask: String,
        /// The values read; null removes the annotation.
        values: serde_json::Value,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// The guest took the seat.
    Seated,
    /// The guest's device disconnected.
    Away,
    /// The guest's device reconnected.
    Back,
    /// The guest was reminded of an open question.
    Reminded,
    /// The guest left or was removed.
    Left,
}

/// Why a run halted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Halt {
    /// A call failed permanently or too often. Resuming retries it.
    CallFailed { ask: String, failure: Failure },
    /// The next call would exceed the cap on calls.
    MaxCalls { limit: u64 },
    /// The next call could exceed the cap on tokens.
    MaxTokens {
        limit: u64,
        /// Tokens used so far.
        used: u64,
    },
    /// The next call could exceed the cap on cost, or its price is unknown.
    MaxCost {
        /// The cap, in the currency of the run's prices.
        limit: f64,
        /// Cost so far, counting known prices only.
        used: f64,
    },
    /// The protocol is suspended. It continues when resumed, or at the command it waits for.
    Rests {
        /// The protocol's name for the reason.
        reason: String,
    },
}

impl Halt {
    /// Whether the protocol waits for messages from people, as designed.
    #[must_use]
    pub fn is_for_people(&self) -> bool {
        matches!(self, Self::Rests { reason } if ["message", "turn_limit"].contains(&reason.as_str()))
    }
}
