//! The record: an append-only list of entries, the only state that is stored. Two kinds of entries:
//! what came from outside (`answered`, `failed`, `timed_out`, `commanded`, `late`) and what follows
//! from it. Given the outside entries, the rest comes out the same on every machine.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::audience::Audience;
use super::data::Data;
use crate::seat::provider::Provider;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// One entry of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Place in the record, from 0.
    pub seq: u64,
    /// When it was handled, milliseconds since the epoch.
    pub at: Millis,
    /// What it says.
    pub what: EntryKind,
}

/// What an entry says. Serialised with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryKind {
    /// The head of every record.
    Started(Started),
    /// A seat is asked (follows).
    Asked {
        /// The ask.
        ask: Rc<Ask>,
        /// The exact question.
        request: Rc<Request>,
        /// Time limits of the tries in milliseconds; empty: no limit.
        #[serde(default)]
        time_limits: Vec<Millis>,
    },
    /// The call for an ask was handed to the driver (follows).
    Sent {
        /// Id of the ask.
        ask: String,
        /// Which try, from 1.
        attempt: u32,
    },
    /// The answer (outside).
    Answered {
        /// Id of the ask.
        ask: String,
        /// Which try, from 1.
        attempt: u32,
        /// What came back.
        reply: Reply,
    },
    /// A call failed (outside).
    Failed {
        /// Id of the ask.
        ask: String,
        /// Which try, from 1.
        attempt: u32,
        /// Why.
        failure: Failure,
    },
    /// A call's time was up (outside: time is).
    TimedOut {
        /// Id of the ask.
        ask: String,
        /// Which try, from 1.
        attempt: u32,
    },
    /// An answer to an ask that had been settled without it (outside); kept, without effect.
    Late {
        /// Id of the ask.
        ask: String,
        /// Which try, from 1.
        attempt: u32,
        /// What came back.
        reply: Reply,
    },
    /// Somebody used the controls (outside).
    Commanded {
        /// What they wanted.
        command: Command,
    },
    /// The call will be tried again (follows).
    Retrying {
        /// Id of the ask.
        ask: String,
        /// The coming try.
        attempt: u32,
        /// Wait in milliseconds.
        wait: Millis,
    },
    /// The seat's next model is asked (follows). How long that is so, [`super::requests`] tells.
    FellBack {
        /// Id of the ask.
        ask: String,
        /// Name of the seat.
        seat: String,
        /// Model asked from now on.
        model: String,
        /// Whose format its endpoint speaks; `None`: told by the base URL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<Provider>,
        /// Its endpoint.
        base_url: String,
        /// Why.
        because: FallbackReason,
    },
    /// Nobody answered in time, after all tries, or a source could not (follows).
    Unanswered {
        /// Id of the ask.
        ask: String,
    },
    /// The protocol no longer wants an answer (follows).
    Withdrawn {
        /// Id of the ask.
        ask: String,
    },
    /// The run stands still and says what it waits for (follows).
    Halted {
        /// What for.
        halt: Halt,
    },
    /// How an answer was read (follows): `{ value, how }` or `{ value: null, reason }`.
    Read {
        /// Id of the ask.
        ask: String,
        /// The reading.
        reading: Data,
    },
    /// A number from a random stream (follows).
    Drew {
        /// Name of the stream.
        stream: String,
        /// What it was for.
        purpose: String,
        /// What came out.
        value: Data,
    },
    /// Something of the protocol's own happened (follows).
    Event {
        /// What, with its own `type`.
        event: Data,
        /// Who may know of it; absent: the owner alone.
        #[serde(default, skip_serializing_if = "Audience::is_owner")]
        to: Audience,
    },
    /// The protocol came to its end (follows).
    Ended {
        /// Its result.
        result: serde_json::Value,
    },
}

impl EntryKind {
    /// Whether a record begins with it.
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
    /// Which protocol.
    pub protocol: String,
    /// Seed of all random streams, 0 to 2³¹−1.
    pub seed: u32,
    /// The configuration as it was given, checked.
    pub config: serde_json::Value,
    /// SHA-256 of the configuration as canonical JSON, in hex.
    pub config_hash: String,
    /// Where a branch came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
}

/// Where a branch came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkedFrom {
    /// Id of the other session.
    pub session: String,
    /// The first entry that was not taken over.
    pub seq: u64,
}

/// Why another model of a seat is asked than its first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FallbackReason {
    /// The call to the model before it failed for good.
    Failed,
    /// Calls to the seat's first model failed for good so often in a row that it rests.
    Resting,
}

/// Controls of a run, and what people tell its protocol without being asked. What the protocol does
/// with the latter follows; one that does not listen lets them pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Start no further calls.
    Pause,
    /// Go on; failed calls are tried anew.
    Resume,
    /// While paused: let one call through.
    Step,
    /// Start no further calls and cancel those on their way.
    Stop,
    /// Change the caps of the run; absent means none.
    Limit {
        /// Calls at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_calls: Option<u64>,
        /// Tokens at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_tokens: Option<u64>,
        /// Money at most, in the currency of the run's prices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_cost: Option<f64>,
    },
    /// To the protocol: somebody says something without being asked.
    Say {
        /// Who.
        seat: String,
        /// What.
        text: String,
        /// Id that the sender gave, by which the same message sent twice is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
    },
    /// To the protocol: others sit at the table from now on.
    Reseat {
        /// Those keys of the configuration that say who sits there.
        table: serde_json::Value,
    },
    /// To the protocol: come to an end here.
    Close,
    /// Whoever runs the session looked at what only the participant of that name may see. Nothing follows from it.
    Look {
        /// Whose view.
        seat: String,
    },
    /// A room tells how it stands with whoever has a person's seat, by the number that they have in the room.
    /// Nothing follows from it.
    Guest {
        /// The seat.
        seat: String,
        /// Their number.
        guest: u32,
        /// How it stands with them.
        is: Presence,
    },
    /// A simulated participant answers in a person's seat from now on.
    StandIn {
        /// The seat.
        seat: String,
    },
    /// The person answers again.
    TakeBack {
        /// The seat.
        seat: String,
    },
    /// A question to a person is left without an answer.
    Skip {
        /// Id of the ask.
        ask: String,
    },
    /// Whoever runs the session says what an answer means that could not be read. It is never the answer: nothing
    /// in the run follows from it.
    Annotate {
        /// Id of the ask.
        ask: String,
        /// What it says, by their reading; null takes it back.
        values: serde_json::Value,
    },
}

/// How it stands with somebody who joined from a device of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// They have taken the seat.
    Seated,
    /// Nothing is heard of their device.
    Away,
    /// It is heard of again.
    Back,
    /// They were reminded of an open question.
    Reminded,
    /// They have left, or were made to leave.
    Left,
}

/// Why a run stands still by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Halt {
    /// A call failed for good, or too often; resume tries it again.
    CallFailed {
        /// Id of the ask.
        ask: String,
        /// Why.
        failure: Failure,
    },
    /// The next call would cross the cap on calls.
    MaxCalls {
        /// The cap.
        limit: u64,
    },
    /// The next call could cross the cap on tokens.
    MaxTokens {
        /// The cap.
        limit: u64,
        /// Tokens used so far.
        used: u64,
    },
    /// The next call could cross the cap on money, or nobody knows what it costs.
    MaxCost {
        /// The cap, in the currency of the run's prices.
        limit: f64,
        /// Money spent so far, as far as it is known.
        used: f64,
    },
    /// The protocol stands still of its own accord; it goes on when resumed, or when it hears what it
    /// waits for.
    Rests {
        /// What for, in a word of the protocol's.
        reason: String,
    },
}

impl Halt {
    /// Whether the protocol rests until people say something, as it is meant to.
    #[must_use]
    pub fn is_for_people(&self) -> bool {
        matches!(self, Self::Rests { reason } if ["message", "turn_limit"].contains(&reason.as_str()))
    }
}
