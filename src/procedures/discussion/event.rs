//! What happens in a discussion, as the record keeps it. No behaviour.

use super::settings::Role;
use crate::seat::SeatKind;
use serde::{Deserialize, Serialize};

/// Something that happened. Serialised with a `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Who sits at the table, from now on.
    Seated {
        /// The speaking order.
        order: Vec<SpeakingSlot>,
    },
    /// Whose turn it is, after every step.
    Moved {
        /// Place in the order, from 0.
        turn: u32,
        /// Round, from 1; one more than the last at the end.
        round: u32,
    },
    /// How the contribution after this one came about, as far as it is for whoever speaks.
    Came(Metadata),
    /// A contribution.
    Said {
        /// Who.
        speaker: String,
        /// What the speaker is there for.
        role: Role,
        /// Whether nobody answers there but whoever speaks: a person.
        person: bool,
        /// Place in the order, from 0, at which it was said.
        turn: u32,
        /// Round, from 1.
        round: u32,
        /// The text; empty where nothing was said.
        content: String,
        /// How it came about, as far as it is for all.
        metadata: Metadata,
    },
    /// Something to know that nobody said.
    Noted {
        /// `unknown_agent`, `empty_message` or `table_refused`.
        code: String,
        /// Place in the order, from 0.
        turn: u32,
        /// Round, from 1.
        round: u32,
        /// Whom or what it is about: a name, or faults.
        about: String,
    },
    /// The discussion is over.
    Completed {
        /// `rounds`: all rounds are over; `last_word`: only people were left in the last one; `closed`:
        /// somebody closed it.
        by: String,
    },
}

/// A place in the speaking order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeakingSlot {
    /// Stable id.
    pub id: String,
    /// Name.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// Whether anybody answers there.
    pub known: bool,
    /// Whether a person does.
    pub person: bool,
    /// What sits there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<SeatKind>,
}

/// How a contribution came about; what does not apply is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// It was not the speaker's turn.
    #[serde(skip_serializing_if = "is_false")]
    pub out_of_turn: bool,
    /// The speaker let the turn go by.
    #[serde(skip_serializing_if = "is_false")]
    pub passed: bool,
    /// The speaker was asked twice and gave nothing that could be used.
    #[serde(skip_serializing_if = "is_false")]
    pub empty: bool,
    /// The answer was written in the name of this other participant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_as: Option<String>,
    /// The answer as it came, where something was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// Id that the sender gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The ask that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
}

impl Metadata {
    /// What of it is for all, and what for whoever speaks.
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

    /// Both parts again.
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
