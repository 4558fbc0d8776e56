//! What a participant of a turn-based discussion knows.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What the asked participant knows of the discussion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiscussionContext {
    /// What is discussed; empty where the configuration does not say.
    pub topic: String,
    /// The rules that everybody was given, in order.
    pub rules: Vec<String>,
    /// Who sits at the table, in speaking order.
    pub participants: Vec<Participant>,
    /// Place of the asked participant in that order, from 0.
    pub turn: u32,
    /// From 1.
    pub round: u32,
    /// Number of rounds.
    pub rounds: u32,
    /// What was said last, oldest first: as much as the prompt shows.
    pub heard: Rc<Vec<Contribution>>,
    /// Why the last answer to the same question could not be used.
    pub complaint: Option<String>,
}

impl DiscussionContext {
    /// Whether it is the last round of several.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.round >= self.rounds && self.rounds > 1
    }
}

/// One place in the speaking order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// Who sits there.
    pub name: String,
    /// `manager`, `leader`, `specialist` or `user`.
    pub role: String,
}

/// A contribution to the discussion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// Round that it was said in, from 1.
    pub round: u32,
    /// Who said it.
    pub speaker: String,
    /// The whole text.
    pub text: String,
}
