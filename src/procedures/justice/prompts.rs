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

    struct SystemText<'a> {
        /// Name of the participant.
        name: String,
        /// The participant's personality, after the task of a manipulator.
        role: &'a str,
        /// Bank balance in dollars.
        bank: String,
        /// Has a value in the group phase.
        group: bool,
        /// The step of the experiment, in a sentence.
        step: String,
        /// Names of the group's members, in the group phase.
        members: String,
        /// The participant's notes.
        memory: String,
        /// The line that ends the notes.
        end: &'a str,
        /// The participant's latest private reasoning, if there is any.
        reasoning: String,
        /// The filled-in prompt `explanation_short` or `explanation_long`, if one is due.
        explanation: String,
        /// The public discussion, if no other part of the request holds it.
        history: &'a str,
    }
    /// System text.
    fn system;
    /// System text of `memory_update` and `memory_compress`.
    fn system_for_memory;

    struct ExplanationText {
        /// The four principles: their names, or in the long text a line for each.
        principles: String,
    }
    /// Part of other prompts: the experiment in one or two sentences.
    fn explanation_short;
    /// Part of other prompts: principles, veil of ignorance, payment and phases.
    fn explanation_long;

    struct RankingText {
        /// The four principles with their descriptions, one on each line.
        principles: String,
    }
    /// Asks for the first ranking.
    fn initial_ranking;
    /// Asks for the ranking after the worked examples.
    fn post_explanation_ranking;
    /// Asks for the ranking after the application rounds.
    fn final_ranking;
    /// Asks for the ranking after the group phase.
    fn results_ranking;

    struct Examples {
        /// Table of the distributions.
        table: String,
        /// Shares of the income classes, in a sentence.
        shares: String,
        /// What each principle chooses, one on each line.
        picks: String,
        /// Has a value if the shares of the classes change with the rounds.
        varying: bool,
    }
    /// Shows the worked examples.
    fn explanation;

    struct Application {
        /// Number of the round, from 1.
        round: u32,
        /// Number of rounds.
        rounds: u32,
        /// Table of the distributions.
        table: String,
        /// Shares of the income classes, in a sentence.
        shares: String,
        /// The four principles, numbered, one on each line.
        principles: String,
    }
    /// Asks for the choice of an application round.
    fn application;

    struct Constraint {
        /// Name of the participant.
        name: String,
        /// Name of the chosen principle.
        principle: String,
    }
    /// Asks for the missing lowest income.
    fn constraint_floor;
    /// Asks for the missing largest gap.
    fn constraint_range;

    struct Statement<'a> {
        /// Name of the participant.
        name: String,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
        /// Names of the group's members.
        members: String,
        /// The participant's results of phase 1, one on each line.
        own: String,
        /// The public discussion.
        history: &'a str,
        /// How the last vote ended, in a sentence.
        consensus: String,
        /// Has a value if all may write at any time, as in a chat.
        open: bool,
    }
    /// Asks for a statement, or for a message in an open talk.
    fn statement;

    struct StatementCompat {
        /// Name of the participant.
        name: String,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
    }
    /// Asks for a statement with profile `compat`.
    fn statement_compat;

    struct StatementAgain<'a> {
        /// Number of the failed attempt, from 1.
        attempt: u32,
        /// Maximum number of attempts.
        attempts: u32,
        /// What is wrong, in a sentence.
        problem: String,
        /// The whole prompt that was answered.
        prompt: &'a str,
    }
    /// Repeats the question after a rejected statement.
    fn statement_retry;

    struct ReasoningText {
        /// Name of the participant.
        name: String,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
        /// What happens without a consensus, in a sentence.
        no_consensus: String,
        /// When there is a consensus, in a sentence.
        rule: String,
        /// Name of a manipulator's target.
        target: Option<String>,
    }
    /// Asks for private reasoning in round 1.
    fn reasoning_long;
    /// Asks for private reasoning in later rounds.
    fn reasoning_short;

    struct VoteInitiation {
        /// Name of the participant.
        name: String,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
        /// The participant's statement of the round, quoted, if it made one.
        statement: Option<String>,
        /// When there is a consensus, in a sentence.
        rule: String,
    }
    /// Asks whether to start a vote.
    fn vote_initiation;

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

    struct BallotPrinciple {
        /// Name of the participant.
        name: String,
        /// The four principles, numbered, one on each line.
        principles: String,
    }
    /// Asks for the principle on the ballot.
    fn ballot_principle;

    struct BallotAmount {
        /// Name of the participant.
        name: String,
        /// Name of the chosen principle.
        principle: String,
        /// Least amount allowed.
        minimum: String,
        /// Greatest amount allowed.
        maximum: String,
        /// When there is a consensus, in a sentence.
        rule: String,
    }
    /// Asks for the lowest income on the ballot.
    fn ballot_floor;
    /// Asks for the largest gap on the ballot.
    fn ballot_range;

    struct Again<'a> {
        /// Number of the failed attempt, from 1.
        attempt: u32,
        /// Maximum number of attempts.
        attempts: u32,
        /// What is wrong, in a sentence.
        problem: String,
        /// The beginning of the answer, quoted, unless it was empty.
        quote: Option<String>,
        /// The whole prompt that was answered.
        prompt: &'a str,
    }
    /// Repeats a question after an unusable answer, in a few lines.
    fn retry_concise;
    /// Repeats a question after an unusable answer, in labelled sections.
    fn retry_detailed;

    struct MemoryUpdate<'a> {
        /// What notes to write.
        instruction: String,
        /// Has a value for the first update of the group phase.
        first: bool,
        /// Has a value if there were no public statements since the last update.
        quiet: bool,
        /// The filled-in prompt `explanation_short` or `explanation_long`, if one is due.
        explanation: String,
        /// The participant's notes.
        memory: String,
        /// The line that ends the notes.
        end: &'a str,
        /// What is new.
        news: &'a str,
        /// Maximum number of characters.
        limit: u32,
    }
    /// Asks for new notes.
    fn memory_update;

    struct MemoryCompress<'a> {
        /// The participant's notes.
        memory: String,
        /// The line that ends the notes.
        end: &'a str,
        /// Maximum number of characters.
        limit: u32,
    }
    /// Asks for shorter notes.
    fn memory_compress;

    struct News<'a> {
        /// The whole prompt that was answered.
        prompt: &'a str,
        /// The answer, quoted.
        answer: String,
        /// What came of it.
        outcome: &'a str,
    }
    /// News for the notes: a question of phase 1 and its answer.
    fn news;

    struct RoundResultText {
        /// Number of the round, from 1.
        round: u32,
        /// The chosen principle with its amount.
        choice: String,
        /// Income class drawn for the participant.
        class: String,
        /// Table of the distributions.
        table: String,
        /// Shares of the income classes, in a sentence.
        shares: String,
        /// From the principle to the pay, in a sentence.
        cause: String,
        /// What the same class would have brought under every principle.
        sweep: String,
        /// Bank balance in dollars.
        bank: String,
    }
    /// News for the notes: result of an application round.
    fn round_result;

    struct RoundWithoutChoice {
        /// Number of the round, from 1.
        round: u32,
        /// Bank balance in dollars.
        bank: String,
    }
    /// News for the notes: an application round without a complete choice.
    fn round_without_choice;

    struct ResultsText {
        /// How the distribution was determined, in a sentence.
        applied: String,
        /// Income class drawn for the participant.
        class: String,
        /// Table of the distributions.
        table: String,
        /// Shares of the income classes, in a sentence.
        shares: String,
        /// From the principle to the pay, in a sentence.
        cause: String,
        /// What the same class would have brought under every principle.
        sweep: String,
        /// Pay of the group phase in dollars.
        payoff: String,
        /// Bank balance in dollars.
        bank: String,
    }
    /// News for the notes: results of the group phase.
    fn results;
}
