//! The settings of a discussion, checked and with every default filled in, and who sits where. How
//! they are read from a configuration stands in `config.rs`.

use crate::core::limits::Limits;
use crate::language::Language;
use crate::seat::{Seat, SeatKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that decides a discussion.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Language of the discussion; seats may differ.
    pub language: Language,
    /// What people call it.
    pub title: String,
    /// What is discussed; may be empty.
    pub topic: String,
    /// Own rules in order; empty: the rule that stands in the prompts.
    pub rules: Vec<String>,
    /// Who sits at the table.
    pub table: Seating,
    /// Seed, 0 to 2³¹−1, where the configuration names one.
    pub seed: Option<u32>,
    /// Rounds at most.
    pub rounds: u32,
    /// Turns of agents in a row until the discussion rests.
    pub turns_per_call: u32,
    /// Contributions shown in a prompt at most, the latest.
    pub history_window: u32,
    /// Lines of an agent's contribution at most; 0: any number.
    pub max_lines: u32,
    /// Whether the discussion waits for a person to close it where only people are left in its last
    /// round.
    pub require_closing_message: bool,
    /// Whether agents at the head of the order begin without being spoken to.
    pub starts_at_once: bool,
    /// Seconds of the first time limit of a turn that no person takes.
    pub turn_timeout: f64,
    /// Each further try gets so many times more.
    pub backoff_factor: f64,
    /// Tries of a call whose time was up.
    pub timeout_tries: u32,
    /// Own wordings, by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    /// Limits of the whole run.
    pub limits: Limits,
}

/// Who sits at the table and in which order they speak.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seating {
    /// All seats, those without a place in the order too.
    pub seats: Vec<Seat>,
    /// The speaking order; never empty.
    pub order: Vec<Participant>,
}

/// A place in the speaking order.
#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    /// Who it is, the same after a change of the order: the name, and behind `#` which of several
    /// places of that name from the second on.
    pub id: String,
    /// Name as the others see it.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// Who answers; `None`: nobody of that name takes part.
    pub seat: Option<Seat>,
    /// What orders the places.
    pub sequence_order: u32,
    /// Texts that end a contribution; never empty texts.
    pub stops: Vec<String>,
    /// Length of an answer at most, in tokens.
    pub max_tokens: u32,
    /// Share of the likeliest tokens to sample from, where one is to be sent.
    pub top_p: Option<f64>,
}

impl Participant {
    /// Whether what is said here is taken as it is: a person's words, not an agent's.
    #[must_use]
    pub fn is_person(&self) -> bool {
        match &self.seat {
            Some(seat) if seat.kind == SeatKind::Human => true,
            Some(seat) => self.role == Role::User && seat.kind != SeatKind::Model,
            None => false,
        }
    }
}

/// What a participant is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Keeps the discussion together.
    Manager,
    /// Leads a field.
    Leader,
    /// Knows a field.
    Specialist,
    /// Whom the discussion is for; agents stop and wait here.
    User,
}

impl Role {
    /// All roles by the names that configurations use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("manager", Self::Manager),
        ("leader", Self::Leader),
        ("specialist", Self::Specialist),
        ("user", Self::User),
    ];

    /// The stored name, e.g. `manager`.
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
