//! What seats are asked in a discussion, by the names that records keep.

/// A contribution.
pub const TURN: &str = "turn";
