//! Prompts, notices and notes of the justice experiment as functions of plain values. The texts are in
//! `words/*.json`.
//!
//! Text by participants (names, statements, answers) is inserted as data only: names on one line, statements
//! line by line after `>`. Inserted text is never searched for variables.

pub mod answer_form;
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
