//! The words of the justice experiment: every prompt, notice and note as a function of plain values.
//! Nothing here decides what happens or what an answer means; texts stand in `language/*.json`.
//!
//! What participants wrote (names, statements, answers) only ever appears as data: names on one
//! line, statements line by line after `>`, and a text is never searched for variables again.

pub mod discussion;
pub mod memory;
pub mod parts;
pub mod phase1;
pub mod results;
pub mod retry;
pub mod system;
pub mod voting;

#[cfg(test)]
mod tests;
