//! Settings of a discussion with defaults filled in, and its seating. `config.rs` reads them from a
//! configuration.

use crate::core::limits::Limits;
use crate::language::Language;
use crate::seat::{Seat, SeatKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Default language; seats may differ.
    pub language: Language,
    pub title: String,
    /// May be empty.
    pub topic: String,
    /// Empty: the default rule of the prompts.
    pub rules: Vec<String>,
    pub table: Seating,
    /// 0 to 2³¹−1.
    pub seed: Option<u32>,
    /// Maximum number of rounds.
    pub rounds: u32,
    /// Consecutive agent turns before the discussion is suspended.
    pub turns_per_call: u32,
    /// Maximum number of recent contributions in a prompt.
    pub history_window: u32,
    /// Maximum number of lines of an agent's contribution; 0: no limit.
    pub max_lines: u32,
    /// Whether the discussion waits for a person to close it once only people's turns are left in the last
    /// round.
    pub require_closing_message: bool,
    /// Whether agents at the head of the order start without a message.
    pub starts_at_once: bool,
    /// First time limit of an agent's turn, in seconds.
    pub turn_timeout: f64,
    /// Factor by which each further attempt's time limit grows.
    pub backoff_factor: f64,
    /// Maximum attempts of a call that times out.
    pub timeout_tries: u32,
    /// Custom prompts by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    pub limits: Limits,
}

/// Seats and speaking order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seating {
    /// All seats, including those outside the order.
    pub seats: Vec<Seat>,
    /// Never empty.
    pub order: Vec<Participant>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    /// Stable across changes of the order: the name, followed by `#` and a number from the second place of
    /// that name on.
    pub id: String,
    /// Name as the others see it.
    pub name: String,
    pub role: Role,
    /// `None`: an unknown agent.
    pub seat: Option<Seat>,
    /// Sort key of the order.
    pub sequence_order: u32,
    /// Texts that end a contribution; none of them empty.
    pub stops: Vec<String>,
    /// Maximum length of an answer, in tokens.
    pub max_tokens: u32,
    /// Nucleus sampling: probability mass, if it is to be sent.
    pub top_p: Option<f64>,
}

impl Participant {
    /// Returns whether the place is a person's, whose messages are not cleaned.
    #[must_use]
    pub fn is_person(&self) -> bool {
        match &self.seat {
            Some(seat) if seat.kind == SeatKind::Human => true,
            Some(seat) => self.role == Role::User && seat.kind != SeatKind::Model,
            None => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Manager,
    Leader,
    Specialist,
    /// The person the discussion is for; agents stop here and wait.
    User,
}

impl Role {
    /// All roles with their names in configurations.
    pub const ALL: [(&'static str, Self); 4] = [
        ("manager", Self::Manager),
        ("leader", Self::Leader),
        ("specialist", Self::Specialist),
        ("user", Self::User),
    ];

    /// Returns the stored name, e.g. `manager`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::Leader => "leader",
            Self::Specialist => "specialist",
            Self::User => "user",
        }
    }
}
