//! Configuration fields of the justice experiment: the seed documents' names, the published program's names
//! as aliases, and this lab's own. Fields of the published program without effect are accepted and reported.

use super::settings::{GuidanceStyle, NoConsensus, OrderRule, Profile};
use crate::principle::Principle;
use crate::procedures::spec::common::{
    self, BASE_URL, LAST, LIMITS, LONG, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST,
};
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, When, flag, line, list, maybe_one_of, names,
    number, object, of, one_of, seconds, spelt, text, whole,
};

/// Rule sets.
pub const PROFILES: [(&str, Profile); 2] = [("default", Profile::Default), ("compat", Profile::Compat)];
/// Formats of memory lines.
pub const STYLES: [(&str, GuidanceStyle); 2] = [
    ("narrative", GuidanceStyle::Narrative),
    ("structured", GuidanceStyle::Structured),
];
/// Rules for incomes without agreement.
pub const NO_CONSENSUS: [(&str, NoConsensus); 3] = [
    ("individual_distribution", NoConsensus::IndividualDistribution),
    ("group_distribution", NoConsensus::GroupDistribution),
    ("random_principle", NoConsensus::RandomPrinciple),
];
/// Restrictions on the seat that closed a round.
pub const FINISHER: [(&str, OrderRule); 2] = [
    ("not_last", OrderRule::FinisherNotLast),
    ("neither", OrderRule::FinisherNeither),
];
/// Rules for the speaking order.
pub const STRATEGIES: [(&str, Strategy); 3] = [
    ("random", Strategy::Random),
    ("fixed", Strategy::Fixed),
    ("conversational", Strategy::Conversational),
];
/// Detail of the message about an unreadable answer.
pub const FEEDBACK: [(&str, bool); 2] = [("concise", false), ("detailed", true)];
/// Order in which the seats are asked whether to start a vote.
pub const INITIATION: [(&str, bool); 2] = [("configuration", false), ("speaking_order", true)];
/// Kinds of memory update after a round.
pub const MEMORY_MODES: [(&str, bool); 2] = [("append", false), ("llm", true)];
/// Times of memory updates.
pub const MEMORY_TIMES: [(&str, bool); 2] = [("per_round", false), ("per_speaker", true)];
/// The only supported target strategy.
pub const TARGET: &str = "least_popular_after_round1";

/// Rule for the speaking order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Drawn in each round.
    Random,
    /// Configuration order.
    Fixed,
    /// The third rule of the published program.
    Conversational,
}

/// All configuration fields.
pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("experiment"),
        PARTICIPANTS,
        Group::folded("phase1"),
        Group::folded("phase2"),
        Group::folded("memory"),
        Group::folded("voting"),
        Group::folded("time"),
        LIMITS,
        Group::folded("manipulator"),
        PROMPTS,
    ],
    settings: SettingTable(&[OWN, READS, LAST, WITHOUT_EFFECT]),
};

const COMPAT: &str = "profile";
const NOT_COMPAT: &[When] = &[("profile", &["default"])];

const OWN: &[Setting] = &[
    common::protocol(&["justice"]),
    SCHEMA,
    common::title("experiment"),
    common::language("experiment"),
    one_of("profile", &names(&PROFILES)).group("experiment"),
    common::seed().group("experiment"),
    flag("include_experiment_explanation", true).group("experiment"),
    flag("include_experiment_explanation_each_turn", false).group("experiment"),
    common::answers()
        .by(
            COMPAT,
            &[("compat", Literal::Text("free"))],
            Literal::Text("structured"),
        )
        .group("experiment")
        .when(NOT_COMPAT),
    common::condition("experiment"),
    common::agents(&AGENT).required(),
    object(
        "original_values_mode",
        SettingTable(&[&[flag("enabled", false).group("phase1")]]),
    ),
    of("distribution_range_phase1", SettingKind::Pair)
        .default(Literal::Pair(0.5, 2.0))
        .group("phase1"),
    object("income_class_probabilities", SettingTable(&[CLASSES])).group("phase1"),
    whole("max_participant_retries", 0, 5)
        .default(Literal::Whole(2))
        .group("phase1"),
    one_of("retry_feedback_detail", &names(&FEEDBACK)).group("phase1"),
    flag("enable_intelligent_retries", true).more("phase1"),
    flag("memory_update_on_retry", true).more("phase1"),
    whole("phase2_rounds", 1, 1_000)
        .default(Literal::Whole(10))
        .group("phase2"),
    of("distribution_range_phase2", SettingKind::Pair)
        .default(Literal::Pair(0.5, 2.0))
        .group("phase2"),
    object("phase2_settings", SettingTable(&[SECOND, SECOND_WITHOUT_EFFECT])),
    one_of("speaking_order_strategy", &names(&STRATEGIES)).more("phase2"),
    flag("randomize_speaking_order", true).more("phase2"),
    flag("randomize_finisher", true).since("0.2"),
    maybe_one_of("memory_guidance_style", &names(&STYLES)).by(
        COMPAT,
        &[("compat", Literal::Text("structured"))],
        Literal::Text("narrative"),
    ),
    flag("selective_memory_updates", true).group("memory"),
    flag("phase2_include_internal_reasoning_in_memory", false).group("memory"),
    object("manipulator", SettingTable(&[MANIPULATOR])).free(),
];

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST, REST_OF_AGENT]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    common::personality().required(),
    PROVIDER,
    common::model("o3-mini"),
    BASE_URL,
    common::temperature(common::TEMPERATURE),
];

const REST_OF_AGENT: &[Setting] = &[
    whole("memory_character_limit", 1, 10_000_000)
        .default(Literal::Whole(50_000))
        .more("participants"),
    flag("reasoning_enabled", true).more("participants"),
];

const fn share(class: &'static str, usual: f64) -> Setting {
    number(class, 0.0, 1.0).default(Literal::Number(usual))
}

const CLASSES: &[Setting] = &[
    share("high", 0.05).words("class.high"),
    share("medium_high", 0.1).words("class.medium_high"),
    share("medium", 0.5).words("class.medium"),
    share("medium_low", 0.25).words("class.medium_low"),
    share("low", 0.1).words("class.low"),
];

const fn patience(name: &'static str, usual: f64) -> Setting {
    const PUBLISHED: &[(&str, Literal)] = &[("compat", Literal::Number(600.0))];
    seconds(name)
        .by(COMPAT, PUBLISHED, Literal::Number(usual))
        .group("time")
}

const fn tries(name: &'static str) -> Setting {
    whole(name, 1, 10).default(Literal::Whole(3)).group("voting")
}

// The published program intends half this length for Chinese, but never applies it.
const PUBLISHED_LENGTH: &[(&str, Literal)] = &[("compat", Literal::Whole(10))];

const SECOND: &[Setting] = &[
    flag("use_fixed_speaking_order", false).group("phase2"),
    flag("finisher_restrictions_active", true)
        .also(&["randomize_finisher"])
        .group("phase2"),
    one_of("finisher_rule", &names(&FINISHER)).group("phase2"),
    whole("statement_min_length", 1, 10_000)
        .also(&["min_statement_length"])
        .by(COMPAT, PUBLISHED_LENGTH, Literal::Whole(50))
        .group("phase2"),
    whole("statement_min_length_cjk", 1, 10_000)
        .also(&["min_statement_length_cjk"])
        .by(COMPAT, PUBLISHED_LENGTH, Literal::Whole(25))
        .group("phase2"),
    whole("statement_validation_retries", 0, 10)
        .also(&["max_statement_retries"])
        .default(Literal::Whole(3))
        .group("phase2"),
    whole("public_history_max_length", 10_000, 10_000_000)
        .by(
            COMPAT,
            &[("compat", Literal::Whole(50_000))],
            Literal::Whole(100_000),
        )
        .group("phase2"),
    whole("history_statement_max_chars", 0, 1_000_000)
        .by(COMPAT, &[("compat", Literal::Whole(0))], Literal::Whole(300))
        .group("phase2"),
    flag("history_full_last_round", false).group("phase2"),
    one_of("no_consensus", &names(&NO_CONSENSUS)).group("phase2"),
    whole("min_agents_for_experiment", 2, 1_000)
        .default(Literal::Whole(2))
        .more("phase2"),
    object("memory_management", SettingTable(&[MEMORY])),
    maybe_one_of("discussion_memory_mode", &names(&MEMORY_MODES))
        .by(
            COMPAT,
            &[("compat", Literal::Text("llm"))],
            Literal::Text("append"),
        )
        .group("memory"),
    one_of("memory_update_timing", &names(&MEMORY_TIMES)).group("memory"),
    flag("strict", true).group("voting"),
    number("constraint_tolerance", 0.0, f64::INFINITY)
        .default(Literal::Number(0.05))
        .group("voting")
        .when(&[("strict", &["false"])]),
    one_of("initiation_order", &names(&INITIATION)).group("voting"),
    tries("voting_retry_limit"),
    tries("principle_extraction_retries").also(&["two_stage_max_retries"]),
    tries("amount_extraction_retries"),
    whole("amount_min", 1, u32::MAX)
        .also(&["amount_min_reasonable"])
        .default(Literal::Whole(1_000))
        .group("voting"),
    whole("amount_max", 100, u32::MAX)
        .also(&["amount_max_reasonable"])
        .by(
            COMPAT,
            &[("compat", Literal::Whole(10_000_000))],
            Literal::Whole(1_000_000),
        )
        .group("voting"),
    patience("statement_timeout", 30.0).also(&["statement_timeout_seconds"]),
    patience("reasoning_timeout", 30.0).also(&["reasoning_timeout_seconds"]),
    patience("voting_initiation_timeout", 30.0),
    patience("voting_confirmation_timeout", 30.0).also(&["confirmation_timeout_seconds"]),
    patience("voting_secret_ballot_timeout", 45.0).also(&["two_stage_timeout_seconds"]),
    common::backoff("voting_retry_backoff_factor")
        .also(&["retry_backoff_factor"])
        .group("time"),
];

const MEMORY: &[Setting] = &[
    maybe_one_of("guidance_style", &names(&STYLES))
        .by(
            "memory_guidance_style",
            &[("structured", Literal::Text("structured"))],
            Literal::Text("narrative"),
        )
        .group("memory"),
    whole("statement_max_length", 1, 1_000_000)
        .default(Literal::Whole(300))
        .group("memory"),
    flag("enable_truncation", true).group("memory"),
    whole("reasoning_max_length", 1, 1_000_000)
        .default(Literal::Whole(200))
        .group("memory"),
];

const PRINCIPLES: [&str; 4] = [
    Principle::ALL[0].id(),
    Principle::ALL[1].id(),
    Principle::ALL[2].id(),
    Principle::ALL[3].id(),
];

const A_PRINCIPLE: SettingKind = SettingKind::OneOf {
    words: &PRINCIPLES,
    also: &[],
    any_case: false,
};

const MANIPULATOR: &[Setting] = &[
    line("name", 60).required().group("manipulator"),
    line("target_strategy", 200).default(Literal::Text(TARGET)),
    list("tiebreak_order", &A_PRINCIPLE, 4).group("manipulator"),
];

/// The reading model of the published program is an alias of the reader if its provider is known.
const READS: &[Setting] = &[
    common::READER,
    of("utility_agent_model", common::MODELS).when(NOT_COMPAT),
    number("utility_agent_temperature", 0.0, 2.0).when(NOT_COMPAT),
];

const fn idle(name: &'static str) -> Setting {
    flag(name, true).without_effect()
}

const fn idle_whole(name: &'static str, min: u32, max: u32) -> Setting {
    whole(name, min, max).without_effect()
}

const WITHOUT_EFFECT: &[Setting] = &[
    object("logging", SettingTable(&[LOGGING])).without_effect(),
    object("transcript_logging", SettingTable(&[TRANSCRIPT])).without_effect(),
    object("phase2_enhanced_transparency", SettingTable(&[TRANSPARENCY])).without_effect(),
    maybe_one_of(
        "memory_update_threshold",
        &["minimal", "moderate", "comprehensive"],
    )
    .without_effect(),
    idle("batch_simple_events"),
    idle("enable_progressive_guidance"),
];

const fn part(mut setting: Setting) -> Setting {
    // The parent field reports once that it has no effect.
    setting.words = Some("field.without_effect");
    setting
}

const LOGGING: &[Setting] = &[
    part(spelt(
        "verbosity_level",
        &["minimal", "standard", "detailed", "debug"],
        &[],
        true,
    )),
    part(flag("use_colors", true)),
    part(flag("show_progress_bars", true)),
];

const TRANSCRIPT: &[Setting] = &[
    part(flag("enabled", false)),
    part(text("output_path", LONG)),
    part(flag("include_memory_updates", false)),
    part(flag("include_instructions", false)),
    part(flag("include_input_prompts", true)),
    part(flag("include_agent_responses", true)),
];

const TRANSPARENCY: &[Setting] = &[
    part(flag("enabled", true)),
    part(maybe_one_of("detail_level", &["basic", "enhanced", "full"])),
    part(flag("include_counterfactuals", true)),
    part(flag("include_class_assignment", true)),
    part(flag("include_insights", true)),
];

const SECOND_WITHOUT_EFFECT: &[Setting] = &[
    idle("reasoning_enabled"),
    idle("memory_validation_strict"),
    idle("constraint_correction_enabled"),
    idle("two_stage_voting_enabled"),
    idle("prompt_based_voting"),
    idle("amount_range_validation"),
    idle("quarantine_failed_responses"),
    idle_whole("max_memory_retries", 1, 10),
    idle_whole("reasoning_max_retries", 1, 5),
    number("memory_compression_threshold", 0.5, 0.95).without_effect(),
    seconds("constraint_correction_timeout_seconds").without_effect(),
    idle_whole("max_constraint_correction_attempts", 1, 5),
    idle_whole("log_statement_preview_length", 50, 500),
    seconds("ballot_timeout_seconds").without_effect(),
];
