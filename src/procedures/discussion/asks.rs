//! Kinds of asks in a discussion, as stored in records.

/// A contribution.
pub const TURN: &str = "turn";
