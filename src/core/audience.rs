//! Who may know of something that happened. A parameter of [`super::table::Table::tell`], so that nothing
//! can be noted without it, and stored with the entry. Nothing is sealed for a while: what becomes known later is
//! noted again then. Questions have no audience of their own: what is asked, answered and read is for its seat.

use serde::{Deserialize, Serialize};

/// Who may know of an event; whoever runs the session always does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Nobody besides.
    #[default]
    Owner,
    /// The participants of these names.
    Seats(Vec<String>),
    /// All, onlookers too, but for the participants of these names.
    Others(Vec<String>),
    /// All, onlookers too.
    Everybody,
}

impl Audience {
    /// For one participant.
    pub fn seat(name: impl Into<String>) -> Self {
        Self::Seats(vec![name.into()])
    }

    /// Whether it is for the participant of that name, or for onlookers where there is none.
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
