//! Reads settings from a configuration. `spec` lists the allowed fields, `settings` describes their effect;
//! this module checks how they depend on each other.

use super::distribution::IncomeClass;
use super::settings::{Manipulator, OrderRule, Participant, Profile, Settings};
use super::spec::{
    FEEDBACK, FINISHER, INITIATION, MEMORY_MODES, MEMORY_TIMES, NO_CONSENSUS, PROFILES, SPEC, STRATEGIES,
    STYLES, Strategy, TARGET,
};
use crate::language::Language;
use crate::principle::Principle;
use crate::procedures::answers::Answers;
use crate::procedures::names::Names;
use crate::procedures::reader;
use crate::procedures::shared;
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::fault::ConfigError;
use crate::seat::SeatKind;
use serde_json::Value;

/// Checked settings, with the fields that have no effect.
pub type Checked = config_reader::CheckedSettings<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
/// Returns all faults, each with its path.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, read)
}

fn read(top: &ConfigReader) -> Settings {
    let profile = top.one_of("profile", &PROFILES);
    let compat = profile == Profile::Compat;
    let language = shared::language(top);
    let participants = participants(top, language);
    let second = top.object("phase2_settings");
    let memory = second.object("memory_management");
    let (limits, max_answer_tokens) = shared::limits(top);
    let seats = || participants.iter().map(|participant| &participant.seat);
    // The published program has reading rules of its own.
    let reader = reader::reader(top, language, seats().filter(|_| !compat), true);
    shared::check_limits(top, &limits, seats().chain(&reader));
    if second.whole("amount_min") >= second.whole("amount_max") {
        second.fault(
            "amount_max",
            "amounts",
            vec![("other", "amount_min".to_owned().into())],
        );
    }
    let needed = second.whole("min_agents_for_experiment");
    if top.value("agents").is_some_and(Value::is_array) && (participants.len() as u64) < u64::from(needed) {
        let values = vec![("count", participants.len().into()), ("needed", needed.into())];
        top.fault("agents", "few", values);
    }
    if top
        .object("transcript_logging")
        .text("output_path")
        .contains("..")
    {
        top.fault("transcript_logging.output_path", "upwards", vec![]);
    }
    Settings {
        profile,
        language,
        seed: shared::seed(top),

        original_values_mode: top.object("original_values_mode").flag("enabled"),
        distribution_range_phase1: top.pair("distribution_range_phase1"),
        distribution_range_phase2: top.pair("distribution_range_phase2"),
        income_class_probabilities: probabilities(top),
        max_participant_retries: if top.flag("enable_intelligent_retries") {
            top.whole("max_participant_retries")
        } else {
            0
        },
        retry_feedback_detailed: top.one_of("retry_feedback_detail", &FEEDBACK),
        memory_update_on_retry: top.flag("memory_update_on_retry"),
        include_experiment_explanation: top.flag("include_experiment_explanation"),
        include_experiment_explanation_each_turn: top.flag("include_experiment_explanation_each_turn"),

        phase2_rounds: top.whole("phase2_rounds"),
        order: order_rule(top, &second, compat),
        statement_min_length: second.whole("statement_min_length"),
        statement_min_length_cjk: second.whole("statement_min_length_cjk"),
        statement_validation_retries: second.whole("statement_validation_retries"),
        public_history_max_length: second.whole("public_history_max_length"),
        history_statement_max_chars: second.whole("history_statement_max_chars"),
        history_full_last_round: second.flag("history_full_last_round"),
        principle_extraction_retries: second.whole("principle_extraction_retries"),
        amount_extraction_retries: amount_retries(&second),
        voting_retry_limit: second.whole("voting_retry_limit"),
        initiation_in_speaking_order: second.one_of("initiation_order", &INITIATION),
        constraint_tolerance: tolerance(&second),
        amount_min: second.whole("amount_min"),
        amount_max: second.whole("amount_max"),
        no_consensus: second.one_of("no_consensus", &NO_CONSENSUS),

        guidance_style: memory.one_of("guidance_style", &STYLES),
        statement_max_length: memory.whole("statement_max_length"),
        reasoning_max_length: memory.whole("reasoning_max_length"),
        enable_truncation: memory.flag("enable_truncation"),
        discussion_memory_by_model: second.one_of("discussion_memory_mode", &MEMORY_MODES),
        memory_update_per_speaker: second.one_of("memory_update_timing", &MEMORY_TIMES),
        selective_memory_updates: top.flag("selective_memory_updates"),
        include_internal_reasoning_in_memory: top.flag("phase2_include_internal_reasoning_in_memory"),

        statement_timeout: second.number("statement_timeout"),
        reasoning_timeout: second.number("reasoning_timeout"),
        initiation_timeout: second.number("voting_initiation_timeout"),
        confirmation_timeout: second.number("voting_confirmation_timeout"),
        ballot_timeout: second.number("voting_secret_ballot_timeout"),
        backoff_factor: second.number("voting_retry_backoff_factor"),

        manipulator: manipulator(top, &participants),
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
        max_answer_tokens,
        answers: answers(top, compat),
        reader,
        participants,
    }
}

/// Returns the answer formats. The published program reads free text only, and so do its readers here.
fn answers(top: &ConfigReader, compat: bool) -> Answers {
    let answers = shared::answers(top);
    if compat && answers == Answers::Structured {
        top.fault("answers", "compat_answers", vec![]);
    }
    answers
}

/// The published program has one count for principles and amounts.
fn amount_retries(second: &ConfigReader) -> u32 {
    if second.under("two_stage_max_retries").is_some() && !second.has("amount_extraction_retries") {
        second.whole("principle_extraction_retries")
    } else {
        second.whole("amount_extraction_retries")
    }
}

fn participants<'a>(top: &ConfigReader<'a>, language: Language) -> Vec<Participant> {
    let mut names = Names::default();
    let participant = |agent: ConfigReader<'a>| {
        let seat = shared::seat(&agent, &mut names, language, None);
        Participant {
            writes_memory: seat.kind != SeatKind::Human,
            seat,
            memory_character_limit: agent.whole("memory_character_limit"),
            reasoning_enabled: agent.flag("reasoning_enabled"),
        }
    };
    top.list("agents").into_iter().map(participant).collect()
}

fn probabilities(top: &ConfigReader) -> Option<[f64; 5]> {
    let object = top.object("income_class_probabilities");
    if !object.is_given() {
        return None;
    }
    let read = IncomeClass::ALL.map(|class| object.number(class.id()));
    let sum: f64 = read.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        top.fault("income_class_probabilities", "sum", vec![("sum", sum.into())]);
    }
    Some(read)
}

fn order_rule(top: &ConfigReader, second: &ConfigReader, compat: bool) -> OrderRule {
    let strategy = top.one_of("speaking_order_strategy", &STRATEGIES);
    let is_fixed = !top.flag("randomize_speaking_order")
        || second.flag("use_fixed_speaking_order")
        || strategy == Strategy::Fixed;
    let is_restricted = second
        .maybe_flag("finisher_restrictions_active")
        .unwrap_or(top.flag("randomize_finisher"));
    match (strategy, compat) {
        _ if is_fixed && compat => OrderRule::CompatFixed,
        _ if is_fixed => OrderRule::Fixed,
        (Strategy::Conversational, _) => OrderRule::CompatConversational,
        (_, true) => OrderRule::CompatRandom,
        (_, false) if is_restricted => second.one_of("finisher_rule", &FINISHER),
        (_, false) => OrderRule::Shuffled,
    }
}

fn tolerance(second: &ConfigReader) -> Option<f64> {
    let tolerance = second.number("constraint_tolerance");
    let strict = second.flag("strict");
    if strict && tolerance > 1.0 {
        second.warn("constraint_tolerance", "identical_votes", vec![]);
    }
    if !strict && tolerance > 1.0 {
        second.fault("constraint_tolerance", "share", vec![]);
    }
    (!strict).then_some(tolerance)
}

fn manipulator(top: &ConfigReader, participants: &[Participant]) -> Option<Manipulator> {
    let object = top.object("manipulator");
    if !object.is_given() {
        return None;
    }
    let name = object.text("name").to_owned();
    if !participants
        .iter()
        .any(|participant| participant.seat.name == name)
    {
        top.warn(
            "manipulator",
            "no_target",
            vec![("name", format!("{name:?}").into())],
        );
    }
    let order = object.value("tiebreak_order").and_then(Value::as_array);
    let ids = order.into_iter().flatten().filter_map(Value::as_str);
    Some(Manipulator {
        name,
        target_strategy: object.maybe_text("target_strategy").unwrap_or(TARGET).to_owned(),
        tiebreak_order: ids.filter_map(Principle::from_id).collect(),
    })
}
