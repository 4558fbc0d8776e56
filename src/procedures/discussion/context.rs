//! Context of an ask in a discussion.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What the asked participant knows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiscussionContext {
    /// May be empty.
    pub topic: String,
    pub rules: Vec<String>,
    /// In speaking order.
    pub participants: Vec<Participant>,
    /// Index of the asked participant in that order, from 0.
    pub turn: u32,
    /// From 1. In an open discussion the number of the participant's next message.
    pub round: u32,
    pub rounds: u32,
    /// Whether all may write at any time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Most recent contributions, oldest first, up to the prompt's window.
    pub heard: Rc<Vec<Contribution>>,
    /// Why the previous answer to the same question was rejected.
    pub complaint: Option<String>,
}

impl DiscussionContext {
    /// Returns whether this is the last of several rounds.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.round >= self.rounds && self.rounds > 1
    }
}

/// A place in the speaking order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    pub name: String,
    /// `manager`, `leader`, `specialist` or `user`.
    pub role: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// From 1.
    pub round: u32,
    pub speaker: String,
    pub text: String,
}
