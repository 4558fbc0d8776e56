//! From a configuration to settings. Takes the seed documents' names, the published program's names
//! as their aliases, and this lab's own; every fault is told with its path. What the settings do
//! stands in `settings.rs`.

use super::settings::{GuidanceStyle, Manipulator, NoConsensus, OrderRule, Participant, Profile, Settings};
use crate::language::Language;
use crate::principle::Principle;
use crate::procedures::answers::Answers;
use crate::procedures::config::{self, ConfigError, Reader, checked};
use crate::procedures::shared;
use crate::seat::SeatKind;
use serde_json::Value;
use std::collections::BTreeSet;

/// Checked settings, and what has no effect.
pub type Checked = config::Checked<Settings>;

/// Settings of the published program that decide nothing there either; taken and left alone.
const WITHOUT_EFFECT: [&str; 17] = [
    "reasoning_enabled",
    "memory_validation_strict",
    "constraint_correction_enabled",
    "two_stage_voting_enabled",
    "prompt_based_voting",
    "amount_range_validation",
    "quarantine_failed_responses",
    "max_memory_retries",
    "reasoning_max_retries",
    "memory_compression_threshold",
    "constraint_correction_timeout_seconds",
    "max_constraint_correction_attempts",
    "log_statement_preview_length",
    "ballot_timeout_seconds",
    "memory_update_threshold",
    "batch_simple_events",
    "enable_progressive_guidance",
];

/// Reads and checks a configuration.
///
/// # Errors
/// All faults, each with its path.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, read)
}

fn read(top: &Reader) -> Settings {
    shared::labels(top);
    top.one_of("protocol", &[("justice", ())], ());
    let profile = top.one_of(
        "profile",
        &[("default", Profile::Default), ("compat", Profile::Compat)],
        Profile::Default,
    );
    let compat = profile == Profile::Compat;
    let language = shared::language(top);
    let participants = participants(top, language);
    let second = top.object("phase2_settings");
    let memory = second.object("memory_management");
    let (limits, max_answer_tokens) = shared::limits(top);
    shared::priced(
        top,
        &limits,
        participants.iter().map(|participant| &participant.seat),
    );
    let timeout = if compat { 600.0 } else { 30.0 };
    let ballot_timeout = if compat { 600.0 } else { 45.0 };
    let seconds = |names: &[&'static str], default| second.number(names, default, 10.0..=600.0);
    let statement_timeout = seconds(&["statement_timeout", "statement_timeout_seconds"], timeout);

    let styles = [
        ("narrative", GuidanceStyle::Narrative),
        ("structured", GuidanceStyle::Structured),
    ];
    let style = if compat {
        GuidanceStyle::Structured
    } else {
        GuidanceStyle::Narrative
    };
    let style = top.one_of("memory_guidance_style", &styles, style);

    let amount_max = if compat { 10_000_000 } else { 1_000_000 };
    let settings = Settings {
        profile,
        language,
        seed: top.maybe_whole(&["seed"], 0..=0x7fff_ffff),

        original_values_mode: original_values(top),
        distribution_range_phase1: top.range("distribution_range_phase1", (0.5, 2.0)),
        distribution_range_phase2: top.range("distribution_range_phase2", (0.5, 2.0)),
        income_class_probabilities: probabilities(top),
        max_participant_retries: phase1_retries(top),
        retry_feedback_detailed: top.one_of(
            "retry_feedback_detail",
            &[("concise", false), ("detailed", true)],
            false,
        ),
        memory_update_on_retry: top.flag(&["memory_update_on_retry"], true),
        include_experiment_explanation: top.flag(&["include_experiment_explanation"], true),
        include_experiment_explanation_each_turn: top
            .flag(&["include_experiment_explanation_each_turn"], false),

        phase2_rounds: top.whole(&["phase2_rounds"], 10, 1..=1000),
        order: order_rule(top, &second, compat),
        statement_min_length: second.whole(
            &["statement_min_length", "min_statement_length"],
            if compat { 10 } else { 50 },
            1..=10_000,
        ),
        // The published program means to halve it for Chinese, but never does.
        statement_min_length_cjk: second.whole(
            &["statement_min_length_cjk", "min_statement_length_cjk"],
            if compat { 10 } else { 25 },
            1..=10_000,
        ),
        statement_validation_retries: second.whole(
            &["statement_validation_retries", "max_statement_retries"],
            3,
            1..=10,
        ),
        public_history_max_length: second.whole(
            &["public_history_max_length"],
            if compat { 50_000 } else { 100_000 },
            10_000..=10_000_000,
        ),
        history_statement_max_chars: second.whole(
            &["history_statement_max_chars"],
            if compat { 0 } else { 300 },
            0..=1_000_000,
        ),
        history_full_last_round: second.flag(&["history_full_last_round"], false),
        principle_extraction_retries: second.whole(
            &["principle_extraction_retries", "two_stage_max_retries"],
            3,
            1..=10,
        ),
        amount_extraction_retries: 3,
        voting_retry_limit: second.whole(&["voting_retry_limit"], 3, 1..=10),
        initiation_in_speaking_order: second.one_of(
            "initiation_order",
            &[("configuration", false), ("speaking_order", true)],
            false,
        ),
        constraint_tolerance: tolerance(&second),
        amount_min: second.whole(&["amount_min", "amount_min_reasonable"], 1_000, 1..=u32::MAX),
        amount_max: second.whole(
            &["amount_max", "amount_max_reasonable"],
            amount_max,
            100..=u32::MAX,
        ),
        no_consensus: second.one_of(
            "no_consensus",
            &[
                ("individual_distribution", NoConsensus::IndividualDistribution),
                ("group_distribution", NoConsensus::GroupDistribution),
                ("random_principle", NoConsensus::RandomPrinciple),
            ],
            NoConsensus::IndividualDistribution,
        ),

        guidance_style: memory.one_of("guidance_style", &styles, style),
        statement_max_length: memory.whole(&["statement_max_length"], 300, 1..=1_000_000),
        reasoning_max_length: memory.whole(&["reasoning_max_length"], 200, 1..=1_000_000),
        enable_truncation: memory.flag(&["enable_truncation"], true),
        discussion_memory_by_model: second.one_of(
            "discussion_memory_mode",
            &[("append", false), ("llm", true)],
            compat,
        ),
        memory_update_per_speaker: second.one_of(
            "memory_update_timing",
            &[("per_round", false), ("per_speaker", true)],
            false,
        ),
        selective_memory_updates: top.flag(&["selective_memory_updates"], true),
        include_internal_reasoning_in_memory: top
            .flag(&["phase2_include_internal_reasoning_in_memory"], false),

        statement_timeout,
        reasoning_timeout: seconds(&["reasoning_timeout", "reasoning_timeout_seconds"], timeout),
        initiation_timeout: seconds(&["voting_initiation_timeout"], timeout),
        confirmation_timeout: seconds(
            &["voting_confirmation_timeout", "confirmation_timeout_seconds"],
            timeout,
        ),
        ballot_timeout: seconds(
            &["voting_secret_ballot_timeout", "two_stage_timeout_seconds"],
            ballot_timeout,
        ),
        backoff_factor: second.number(
            &["voting_retry_backoff_factor", "retry_backoff_factor"],
            1.5,
            1.0..=3.0,
        ),

        manipulator: manipulator(top, &participants),
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
        max_answer_tokens,
        answers: answers(top, compat),
        participants,
    };
    // The published program has one count for both.
    let settings = Settings {
        amount_extraction_retries: second.whole(
            &["amount_extraction_retries"],
            second
                .value("two_stage_max_retries")
                .map_or(3, |_| settings.principle_extraction_retries),
            1..=10,
        ),
        ..settings
    };
    if settings.amount_min >= settings.amount_max {
        second.fault("amount_max", "must be larger than amount_min");
    }
    let needed = second.whole(&["min_agents_for_experiment"], 2, 2..=1_000);
    if (settings.participants.len() as u64) < u64::from(needed) && !settings.participants.is_empty() {
        top.fault(
            "agents",
            format!(
                "has {} of at least {needed} participants",
                settings.participants.len()
            ),
        );
    }
    without_effect(top, &second);
    memory.finish();
    second.finish();
    settings
}

/// The published program reads free text alone, and so do its readers here.
fn answers(top: &Reader, compat: bool) -> Answers {
    let answers = shared::answers(top);
    if compat && answers == Answers::Structured {
        top.fault(
            "answers",
            "is \"structured\", which the profile \"compat\" cannot have: it reads as the published program did, \
             and that reads free text alone",
        );
    }
    answers
}

fn participants(top: &Reader, language: Language) -> Vec<Participant> {
    if top.value("agents").is_none() {
        top.fault(
            "agents",
            "is missing: a list of at least two participants with name and personality",
        );
    }
    let agents = top.list("agents");
    if agents.as_ref().is_some_and(Vec::is_empty) {
        top.fault("agents", "has no participant, a group needs two");
    }
    let mut names = BTreeSet::new();
    let mut participants = Vec::new();
    for agent in agents.unwrap_or_default() {
        let seat = shared::seat(&agent, &mut names, language, 0.7, |agent| {
            agent.text("personality")
        });
        let kind = seat.kind;
        participants.push(Participant {
            seat,
            memory_character_limit: agent.whole(&["memory_character_limit"], 50_000, 1..=10_000_000),
            reasoning_enabled: agent.flag(&["reasoning_enabled"], true),
            writes_memory: kind != SeatKind::Human,
        });
        agent.finish();
    }
    if participants.len() == 1 {
        top.fault("agents", "has one participant, a group needs two");
    }
    participants
}

fn original_values(top: &Reader) -> bool {
    let mode = top.object("original_values_mode");
    let enabled = mode.flag(&["enabled"], false);
    mode.finish();
    enabled
}

fn probabilities(top: &Reader) -> Option<[f64; 5]> {
    let object = top.object("income_class_probabilities");
    if !object.is_given() {
        return None;
    }
    let defaults = [
        ("high", 0.05),
        ("medium_high", 0.1),
        ("medium", 0.5),
        ("medium_low", 0.25),
        ("low", 0.1),
    ];
    let read = defaults.map(|(class, default)| object.number(&[class], default, 0.0..=1.0));
    let sum: f64 = read.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        top.fault(
            "income_class_probabilities",
            format!("add up to {sum}, must add up to 1"),
        );
    }
    object.finish();
    Some(read)
}

fn phase1_retries(top: &Reader) -> u32 {
    let retries = top.whole(&["max_participant_retries"], 2, 0..=5);
    if top.flag(&["enable_intelligent_retries"], true) {
        retries
    } else {
        0
    }
}

fn order_rule(top: &Reader, second: &Reader, compat: bool) -> OrderRule {
    #[derive(Clone, Copy, PartialEq)]
    enum Strategy {
        Random,
        Fixed,
        Conversational,
    }
    let strategies = [
        ("random", Strategy::Random),
        ("fixed", Strategy::Fixed),
        ("conversational", Strategy::Conversational),
    ];
    let strategy = top.one_of("speaking_order_strategy", &strategies, Strategy::Random);
    let shuffled = top.flag(&["randomize_speaking_order"], true);
    let fixed = second.flag(&["use_fixed_speaking_order"], false);
    let restricted = second.flag(&["finisher_restrictions_active"], true);
    let rule = second.one_of(
        "finisher_rule",
        &[
            ("not_last", OrderRule::FinisherNotLast),
            ("neither", OrderRule::FinisherNeither),
        ],
        OrderRule::FinisherNotLast,
    );
    match (strategy, compat) {
        _ if !shuffled || fixed || strategy == Strategy::Fixed => {
            if compat {
                OrderRule::CompatFixed
            } else {
                OrderRule::Fixed
            }
        }
        (Strategy::Conversational, _) => OrderRule::CompatConversational,
        (_, true) => OrderRule::CompatRandom,
        (_, false) if restricted => rule,
        (_, false) => OrderRule::Shuffled,
    }
}

fn tolerance(second: &Reader) -> Option<f64> {
    let tolerance = second.maybe_number(&["constraint_tolerance"], 0.0..=f64::INFINITY);
    let strict = second.flag(&["strict"], true);
    if strict && tolerance.is_some_and(|tolerance| tolerance > 1.0) {
        second.warn(
            "constraint_tolerance",
            "has no effect: votes have to be identical (strict)",
        );
    }
    if !strict && tolerance.is_some_and(|tolerance| tolerance > 1.0) {
        second.fault("constraint_tolerance", "is a share of the mean amount, 0 to 1");
    }
    (!strict).then_some(tolerance.unwrap_or(0.05))
}

fn manipulator(top: &Reader, participants: &[Participant]) -> Option<Manipulator> {
    let object = top.object("manipulator");
    let free = object.free()?;
    let name = object.text("name").to_owned();
    if !participants
        .iter()
        .any(|participant| participant.seat.name == name)
    {
        top.warn(
            "manipulator",
            format!("{name:?} is not a participant: nobody gets a target"),
        );
    }
    let ids = |order: &Value| -> Option<Vec<Principle>> {
        order
            .as_array()?
            .iter()
            .map(|id| Principle::from_id(id.as_str()?))
            .collect()
    };
    let tiebreak_order = match free.get("tiebreak_order").filter(|order| !order.is_null()) {
        None => Vec::new(),
        Some(order) => ids(order).unwrap_or_else(|| {
            let all = Principle::ALL.map(Principle::id).join(", ");
            object.fault("tiebreak_order", format!("must be a list of: {all}"));
            Vec::new()
        }),
    };
    let strategy = object
        .maybe_text("target_strategy")
        .unwrap_or("least_popular_after_round1");
    Some(Manipulator {
        name,
        target_strategy: strategy.to_owned(),
        tiebreak_order,
    })
}

/// Reads what is only checked: settings of the published program that decide nothing here.
fn without_effect(top: &Reader, second: &Reader) {
    top.maybe_text("utility_agent_model");
    top.maybe_number(&["utility_agent_temperature"], 0.0..=2.0);
    let logging = top.object("logging");
    let levels = ["minimal", "standard", "detailed", "debug"].map(|level| (level, ()));
    logging.maybe_one_of("verbosity_level", &levels);
    logging.flag(&["use_colors"], true);
    logging.flag(&["show_progress_bars"], true);
    logging.finish();
    let transcript = top.object("transcript_logging");
    for key in [
        "enabled",
        "include_memory_updates",
        "include_instructions",
        "include_input_prompts",
        "include_agent_responses",
    ] {
        transcript.flag(&[key], true);
    }
    if transcript
        .maybe_text("output_path")
        .is_some_and(|path| path.contains(".."))
    {
        transcript.fault("output_path", "must not lead upwards (..)");
    }
    transcript.finish();
    let transparency = top.object("phase2_enhanced_transparency");
    transparency.maybe_one_of(
        "detail_level",
        &["basic", "enhanced", "full"].map(|level| (level, ())),
    );
    for key in [
        "enabled",
        "include_counterfactuals",
        "include_class_assignment",
        "include_insights",
    ] {
        transparency.flag(&[key], true);
    }
    transparency.finish();
    top.maybe_one_of(
        "memory_update_threshold",
        &["minimal", "moderate", "comprehensive"].map(|word| (word, ())),
    );
    top.flag(&["batch_simple_events"], false);
    top.flag(&["enable_progressive_guidance"], true);
    for key in [
        "reasoning_enabled",
        "memory_validation_strict",
        "constraint_correction_enabled",
        "two_stage_voting_enabled",
        "prompt_based_voting",
        "amount_range_validation",
        "quarantine_failed_responses",
    ] {
        second.flag(&[key], true);
    }
    second.maybe_whole(&["max_memory_retries"], 1..=10);
    second.maybe_whole(&["reasoning_max_retries"], 1..=5);
    second.maybe_number(&["memory_compression_threshold"], 0.5..=0.95);
    second.maybe_number(&["constraint_correction_timeout_seconds"], 10.0..=600.0);
    second.maybe_whole(&["max_constraint_correction_attempts"], 1..=5);
    second.maybe_whole(&["log_statement_preview_length"], 50..=500);
    second.maybe_number(&["ballot_timeout_seconds"], 10.0..=600.0);
    for key in WITHOUT_EFFECT {
        for reader in [top, second] {
            if reader.free().is_some_and(|object| object.contains_key(key)) {
                reader.warn(key, "has no effect");
            }
        }
    }
}
