//! Kinds of asks in a Delphi poll, as stored in records.

/// A number with reasons.
pub const ESTIMATE: &str = "estimate";
