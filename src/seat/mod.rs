//! Who can answer.
