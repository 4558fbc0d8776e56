//! Settings of the justice experiment, checked and with all defaults filled in. `config` reads and checks
//! them.

use crate::core::limits::Limits;
use crate::language::Language;
use crate::principle::Principle;
use crate::procedures::answers::Answers;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All settings of a run. The names are the seed documents' own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub profile: Profile,
    /// Default language; seats may have their own.
    pub language: Language,
    /// In configuration order.
    pub participants: Vec<Participant>,
    /// 0 to 2³¹−1; `None` if the configuration has none.
    pub seed: Option<u32>,

    // Phase 1 and distributions. Ranges are factors; probabilities are high to low, `None` if equal.
    pub original_values_mode: bool,
    pub distribution_range_phase1: (f64, f64),
    pub distribution_range_phase2: (f64, f64),
    pub income_class_probabilities: Option<[f64; 5]>,
    /// Maximum retries of an unreadable answer in phase 1 and to the last ranking, 0 to 5.
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
    /// Maximum regenerated statements, after the first.
    pub statement_validation_retries: u32,
    /// Maximum characters of statements in the public history.
    pub public_history_max_length: u32,
    /// Maximum characters of a statement in prompts; 0 means no limit.
    pub history_statement_max_chars: u32,
    pub history_full_last_round: bool,
    /// Maximum asks for one answer on the ballot.
    pub principle_extraction_retries: u32,
    pub amount_extraction_retries: u32,
    /// Maximum asks for one yes/no answer.
    pub voting_retry_limit: u32,
    pub initiation_in_speaking_order: bool,
    /// `None`: votes must be identical. `Some`: same principle, and amounts within this share of their mean.
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

    // First time limits in seconds; each retry multiplies the limit by `backoff_factor`.
    pub statement_timeout: f64,
    pub reasoning_timeout: f64,
    pub initiation_timeout: f64,
    pub confirmation_timeout: f64,
    pub ballot_timeout: f64,
    pub backoff_factor: f64,

    pub manipulator: Option<Manipulator>,
    /// Text overrides by language and key; checked against `language::Words`.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,

    /// Limits of the whole run.
    pub limits: Limits,
    /// Maximum answer length in tokens.
    pub max_answer_tokens: u32,
    /// Answer format for models and programs.
    #[serde(default)]
    pub answers: Answers,
    /// Model that reads answers which the rules cannot read.
    #[serde(default)]
    pub reader: Option<Seat>,
}

/// A participant: its seat and its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Participant {
    pub seat: Seat,
    /// Maximum characters of its memory.
    pub memory_character_limit: u32,
    /// Whether it reasons in private before it speaks.
    pub reasoning_enabled: bool,
    /// Whether it rewrites its memory by a call (models, scripts). Otherwise lines are appended (people).
    pub writes_memory: bool,
}

/// Rule set where the seed documents and the published program differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The seed documents' rules.
    Default,
    /// The published program's rules, under which the published runs replay.
    Compat,
}

/// Rule for the speaking order of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderRule {
    /// Configuration order in each round.
    Fixed,
    /// Shuffled; no seat closes two rounds in a row (default).
    FinisherNotLast,
    /// Shuffled without restriction.
    Shuffled,
    /// Shuffled; the seat that closed a round neither opens nor closes the next (3 seats and more).
    FinisherNeither,
    /// Published program: shuffled; the seat that closed a round does not open the next.
    CompatRandom,
    /// Published program: configuration order, rotated by one each round.
    CompatFixed,
    /// Published program: opener drawn among the seats that did not close, the rest shuffled.
    CompatConversational,
}

/// Rule for incomes without agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoConsensus {
    /// A distribution, then a class, is drawn for each participant.
    IndividualDistribution,
    /// One distribution is drawn for all, then a class for each.
    GroupDistribution,
    /// One principle is drawn for all (upper median as constraint), then a class for each.
    RandomPrinciple,
}

/// Format of the lines about the discussion in memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuidanceStyle {
    /// A sentence.
    Narrative,
    /// Labelled fields.
    Structured,
}

/// A participant that secretly works against the group's ranking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manipulator {
    /// Name of a participant.
    pub name: String,
    /// Only `least_popular_after_round1` gives a target.
    pub target_strategy: String,
    /// The first of these wins a tie for least popular.
    pub tiebreak_order: Vec<Principle>,
}
