//! What seats are asked in a Delphi poll, by the names that records keep.

/// A number with the reasons for it.
pub const ESTIMATE: &str = "estimate";
