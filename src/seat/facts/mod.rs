//! What a participant knows when it is asked, as data. The prompt says the same in words; programs
//! that take a seat (scripted participants, `custom` callbacks) need not read prose. Never more than
//! the prompt tells. One file a protocol; in JSON the facts stand as they are, without a name around
//! them, since the ask says which protocol it is of.

pub mod debate;
pub mod discussion;
pub mod justice;

use serde::Serialize;

/// What the asked participant knows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Facts {
    /// Nothing.
    #[default]
    None,
    /// In the justice experiment.
    Justice(justice::Facts),
    /// In a debate.
    Debate(debate::Facts),
    /// In a discussion.
    Discussion(discussion::Facts),
}
