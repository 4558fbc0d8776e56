//! Prompts, notices and notes of the justice experiment as functions of plain values. Whole prompts are in
//! `prompts/*.txt`, with the variables declared here; smaller texts are in `words/*.json`.
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

use crate::language::prompts::prompts;

prompts! {
    pub(crate) static PROMPTS in "prompts";

    struct VoteConfirmation {
        /// Name of the participant.
        name: String,
        /// Name of the participant who asks for the vote.
        initiator: String,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
    }
    /// Asks whether the participant takes part in a vote.
    fn vote_confirmation;
}
