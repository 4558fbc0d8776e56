//! Events of a discussion, as stored in records.

use super::seating::Role;
use crate::core::ask::Millis;
use crate::seat::SeatKind;
use serde::{Deserialize, Serialize};

/// An event, serialized with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The seating from now on.
    Seated {
        /// In speaking order.
        order: Vec<SpeakingSlot>,
    },
    /// The current turn, after every step.
    Moved {
        /// Index in the order, from 0.
        turn: u32,
        /// From 1; after the last round, one more.
        round: u32,
    },
    /// An open discussion begins.
    Opened {
        /// Time at which it ends, in milliseconds since the epoch.
        until: Millis,
    },
    /// The private part of the next contribution's metadata, for its speaker.
    Came(Metadata),
    Said {
        speaker: String,
        role: Role,
        /// Whether the speaker is a person.
        person: bool,
        /// Index in the order at that time, from 0.
        turn: u32,
        /// From 1.
        round: u32,
        /// Empty if the turn had no text.
        content: String,
        /// The public part.
        metadata: Metadata,
    },
    /// A notice by the lab.
    Noted {
        /// `unknown_agent`, `empty_message` or `table_refused`.
        code: String,
        /// Index in the order, from 0.
        turn: u32,
        /// From 1.
        round: u32,
        /// A name or the text of the faults, by `code`.
        about: String,
    },
    Completed {
        /// `rounds`: all rounds are over; `last_word`: only people's turns were left in the last round;
        /// `closed`: closed by command; `time`: the time is up.
        by: String,
    },
}

/// A place in the speaking order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeakingSlot {
    /// Stable across changes of the order.
    pub id: String,
    pub name: String,
    pub role: Role,
    /// Whether a seat of that name exists.
    pub known: bool,
    /// Whether the seat is a person.
    pub person: bool,
    /// Kind of the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<SeatKind>,
}

/// How a contribution came about; absent fields do not apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// Spoken outside of the speaker's turn.
    #[serde(skip_serializing_if = "is_false")]
    pub out_of_turn: bool,
    /// The turn was skipped by the speaker.
    #[serde(skip_serializing_if = "is_false")]
    pub passed: bool,
    /// Two answers had no usable text.
    #[serde(skip_serializing_if = "is_false")]
    pub empty: bool,
    /// The other participant in whose name the answer was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_as: Option<String>,
    /// The original answer, if it was shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The sender's id of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Id of the ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
}

impl Metadata {
    /// Splits the metadata into a public and a private part.
    #[must_use]
    pub fn divided(self) -> (Self, Self) {
        let public = Self {
            out_of_turn: self.out_of_turn,
            passed: self.passed,
            empty: self.empty,
            ..Self::default()
        };
        let private = Self {
            out_of_turn: false,
            passed: false,
            empty: false,
            ..self
        };
        (public, private)
    }

    /// Joins the public part with the private one.
    #[must_use]
    pub fn with(self, private: Option<Self>) -> Self {
        Self {
            out_of_turn: self.out_of_turn,
            passed: self.passed,
            empty: self.empty,
            ..private.unwrap_or_default()
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands a reference in
fn is_false(flag: &bool) -> bool {
    !flag
}
