//! The settings of the justice experiment, checked and with every default filled in. How they are
//! read from a configuration, and what is wrong with a faulty one, stands in `config.rs`.

use crate::core::limits::Limits;
use crate::language::Language;
use crate::principle::Principle;
use crate::procedures::answers::Answers;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that decides a run, next to the seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names are the seed documents' own; units stand with each block
pub struct Settings {
    /// Default: the seed documents' rules. Compat: the published program's.
    pub profile: Profile,
    /// Language of the experiment; seats may differ.
    pub language: Language,
    /// The table, in configuration order.
    pub participants: Vec<Participant>,
    /// Seed, 0 to 2³¹−1, where the configuration names one.
    pub seed: Option<u32>,

    // Phase 1 and distributions. Ranges are factors; probabilities high to low, None: equal.
    pub original_values_mode: bool,
    pub distribution_range_phase1: (f64, f64),
    pub distribution_range_phase2: (f64, f64),
    pub income_class_probabilities: Option<[f64; 5]>,
    /// Times an unreadable answer of phase 1 (and the last ranking) is asked again, 0 to 5.
    pub max_participant_retries: u32,
    pub retry_feedback_detailed: bool,
    pub memory_update_on_retry: bool,
    pub include_experiment_explanation: bool,
    pub include_experiment_explanation_each_turn: bool,

    // Phase 2.
    pub phase2_rounds: u32,
    pub order: OrderRule,
    pub statement_min_length: u32,
    pub statement_min_length_cjk: u32,
    /// Regenerated statements at most, after the first.
    pub statement_validation_retries: u32,
    /// Characters of statements in the public history at most.
    pub public_history_max_length: u32,
    /// Characters of one statement shown in prompts; 0: all.
    pub history_statement_max_chars: u32,
    pub history_full_last_round: bool,
    /// Asks of one answer on the ballot at most.
    pub principle_extraction_retries: u32,
    pub amount_extraction_retries: u32,
    /// Asks of one yes/no answer at most.
    pub voting_retry_limit: u32,
    pub initiation_in_speaking_order: bool,
    /// None: identical votes. Some: same principle and amounts within this share of their mean.
    pub constraint_tolerance: Option<f64>,
    pub amount_min: u32,
    pub amount_max: u32,
    pub no_consensus: NoConsensus,

    // Memory. Characters are Unicode scalar values.
    pub guidance_style: GuidanceStyle,
    pub statement_max_length: u32,
    pub reasoning_max_length: u32,
    pub enable_truncation: bool,
    /// Discussion rounds rewrite the memory by a call instead of appending lines.
    pub discussion_memory_by_model: bool,
    /// Memory is updated after each speaker instead of after each round.
    pub memory_update_per_speaker: bool,
    /// Simple events are appended without a call.
    pub selective_memory_updates: bool,
    pub include_internal_reasoning_in_memory: bool,

    // Time limits of the first try in seconds; each further try gets `backoff_factor` times more.
    pub statement_timeout: f64,
    pub reasoning_timeout: f64,
    pub initiation_timeout: f64,
    pub confirmation_timeout: f64,
    pub ballot_timeout: f64,
    pub backoff_factor: f64,

    pub manipulator: Option<Manipulator>,
    /// Own wordings, by language and key; checked against `language::Words`.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,

    /// Limits of the whole run.
    pub limits: Limits,
    /// Answer length at most, in tokens.
    pub max_answer_tokens: u32,
    /// In which form models and programs are asked to answer.
    #[serde(default)]
    pub answers: Answers,
    /// The model that reads what the rules do not understand.
    #[serde(default)]
    pub reader: Option<Seat>,
}

/// A participant: a seat and how it is treated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Participant {
    /// Who answers.
    pub seat: Seat,
    /// Characters of its memory at most.
    pub memory_character_limit: u32,
    /// Whether it reasons in private before it speaks.
    pub reasoning_enabled: bool,
    /// Whether it rewrites its own memory by a call (models, scripts) or lines are appended (people).
    pub writes_memory: bool,
}

/// Which rules apply where the seed documents and the published program differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The seed documents'.
    Default,
    /// The published program's, under which the published runs replay.
    Compat,
}

/// How the speaking order of a round comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderRule {
    /// Configuration order in each round.
    Fixed,
    /// Shuffled; nobody closes two rounds in a row (default).
    FinisherNotLast,
    /// Shuffled without restriction.
    Shuffled,
    /// Shuffled; who closed a round neither opens nor closes the next (3 seats and more).
    FinisherNeither,
    /// Published: shuffled; who closed a round does not open the next.
    CompatRandom,
    /// Published: configuration order, rotated by one each round.
    CompatFixed,
    /// Published: opener drawn among those who did not close, the rest shuffled.
    CompatConversational,
}

/// How incomes are assigned when the group does not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoConsensus {
    /// Each participant gets a distribution drawn for itself, then a class.
    IndividualDistribution,
    /// One distribution is drawn for all, then a class for each.
    GroupDistribution,
    /// One principle is drawn for all (upper median as constraint), then a class for each.
    RandomPrinciple,
}

/// Form of the lines that discussion leaves in memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuidanceStyle {
    /// A sentence.
    Narrative,
    /// Labelled fields.
    Structured,
}

/// The participant that works against the group's ranking, in secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manipulator {
    /// Name of a participant.
    pub name: String,
    /// `least_popular_after_round1`; any other gives no target.
    pub target_strategy: String,
    /// First of these wins a tie for least popular.
    pub tiebreak_order: Vec<Principle>,
}
