//! The audience of an event: a parameter of [`super::table::Table::emit`], stored with the entry. An
//! audience is permanent. An event that becomes public later is emitted again. Asks, answers and readings
//! are visible to the owner and their seat.

use serde::{Deserialize, Serialize};

/// Recipients of an event, besides the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    #[default]
    Owner,
    /// The named participants.
    Seats(Vec<String>),
    /// All participants and onlookers except the named participants.
    Others(Vec<String>),
    /// All participants and onlookers.
    Everybody,
}

impl Audience {
    /// Returns an audience of one participant.
    pub fn seat(name: impl Into<String>) -> Self {
        Self::Seats(vec![name.into()])
    }

    /// Whether it includes the participant of that name, or onlookers for `None`.
    #[must_use]
    pub fn has(&self, seat: Option<&str>) -> bool {
        let among = |names: &[String]| seat.is_some_and(|seat| names.iter().any(|name| name == seat));
        match self {
            Self::Owner => false,
            Self::Seats(names) => among(names),
            Self::Others(names) => !among(names),
            Self::Everybody => true,
        }
    }

    pub(super) fn is_owner(&self) -> bool {
        *self == Self::Owner
    }
}
