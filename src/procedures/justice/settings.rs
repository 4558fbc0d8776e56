//! Settings of the justice experiment. Their names are those of the seed documents, with the published program's names as
//! aliases, and this lab's own. Settings of the published program without effect are accepted and reported.

use super::consensus::ConsensusRule;
use super::distribution::IncomeClass;
use crate::core::limits::Limits;
use crate::language::Language;
use crate::principle::Principle;
use crate::procedures::answers::Answers;
use crate::procedures::names::Names;
use crate::procedures::open_talk::Turns;
use crate::procedures::reader;
use crate::procedures::shared::{self, Prompts};
use crate::procedures::spec::common::{
    BASE_URL, LAST, LIMITS, LONG, MODELS, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST, STUDY,
    TEMPERATURE, agents, answers, backoff, condition, language, model, personality, protocol, reader, seed,
    temperature, title,
};
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::declare::{choices, settings};
use crate::procedures::spec::fault::ConfigError;
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, When, flag, line, list, maybe_one_of, names,
    number, object, of, one_of, seconds, spelt, text, whole,
};
use crate::seat::{Seat, SeatKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    settings: SettingTable(&[Settings::TABLE, LAST, WITHOUT_EFFECT]),
};

settings! {
    pub struct Settings(top) {
        + protocol(&["justice"]);
        + SCHEMA;
        + title("title", "experiment");
        /// Default language; seats may have their own.
        language: Language = language("experiment");
        profile: Profile = one_of(Profile::WORDS).group("experiment");
        /// 0 to 2³¹−1.
        seed: Option<u32> = seed().group("experiment");
        wording: Wording = one_of(Wording::WORDS).group("experiment").since("0.2");
        include_experiment_explanation: bool = flag(true).group("experiment");
        include_experiment_explanation_each_turn: bool = flag(false).group("experiment");
        /// Answer format for models and programs.
        answers: Answers = answers()
            .by("profile", &[("compat", Literal::Text("free"))], Literal::Text("structured"))
            .group("experiment")
            .when(NOT_COMPAT);
        + condition("experiment");
        + STUDY;
        /// In configuration order.
        participants as "agents": Vec<Participant> = agents(&AGENT).required() => participants(top, language);
        rankings: Rankings = one_of(Rankings::WORDS).group("phase1").since("0.2");
        original_values_mode: bool = object(SettingTable(&[&[flag("enabled", false).group("phase1")]]))
            => top.object("original_values_mode").flag("enabled");
        /// Range of the factor.
        distribution_range_phase1: (f64, f64) = of(SettingKind::Pair).default(Literal::Pair(0.5, 2.0)).group("phase1");
        /// High to low; `None` if equal.
        income_class_probabilities: Option<[f64; 5]> = object(SettingTable(&[CLASSES])).group("phase1")
            => probabilities(top);
        /// Maximum retries of an unreadable answer in phase 1 and to the last ranking, 0 to 5.
        max_participant_retries: u32 = whole(0, 5).default(Literal::Whole(2)).group("phase1")
            => if top.flag("enable_intelligent_retries") { top.whole("max_participant_retries") } else { 0 };
        retry_feedback_detail: FeedbackDetail = one_of(FeedbackDetail::WORDS).group("phase1");
        + flag("enable_intelligent_retries", true).more("phase1");
        memory_update_on_retry: bool = flag(true).more("phase1");
        phase2_rounds: u32 = whole(1, 1_000).default(Literal::Whole(10)).group("phase2");
        /// Range of the factor.
        distribution_range_phase2: (f64, f64) = of(SettingKind::Pair).default(Literal::Pair(0.5, 2.0)).group("phase2");
        phase2 as "phase2_settings": Phase2 = object(SettingTable(&[Phase2::TABLE, PHASE2_WITHOUT_EFFECT]));
        + one_of("speaking_order_strategy", Strategy::WORDS).more("phase2");
        + flag("randomize_speaking_order", true).more("phase2");
        + flag("randomize_finisher", true).since("0.2");
        + maybe_one_of("memory_guidance_style", GuidanceStyle::WORDS)
            .by("profile", &[("compat", Literal::Text("structured"))], Literal::Text("narrative"));
        /// Simple events are appended without a call.
        selective_memory_updates: bool = flag(true).group("memory");
        include_internal_reasoning_in_memory as "phase2_include_internal_reasoning_in_memory": bool
            = flag(false).group("memory");
        manipulator: Option<Manipulator> = object(SettingTable(&[Manipulator::TABLE])).free();
        /// Model that reads answers which the rules cannot read. The published program has reading rules of its own.
        reader: Option<Seat> = reader()
            => reader::reader(top, language, seats_of(&participants).filter(|_| profile != Profile::Compat), true);
        + of("utility_agent_model", MODELS).when(NOT_COMPAT);
        + number("utility_agent_temperature", 0.0, 2.0).when(NOT_COMPAT);
    }
    derived {
        order: OrderRule => order_rule(top, profile);
        limits: Limits => shared::limits(top, seats_of(&participants).chain(&reader));
        /// Maximum length of an answer, in tokens.
        max_answer_tokens: u32 => shared::max_answer_tokens(top);
        prompts: Prompts => shared::prompts(top, &super::TEXTS, &super::prompts::PROMPTS);
    }
}

settings! {
    /// The discussion and its votes.
    pub struct Phase2(second) {
        + flag("use_fixed_speaking_order", false).group("phase2");
        + flag("finisher_restrictions_active", true).also(&["randomize_finisher"]).group("phase2");
        + one_of("finisher_rule", &names(&FINISHER)).group("phase2");
        /// In characters.
        statement_min_length: u32 = whole(1, 10_000).also(&["min_statement_length"])
            .by("profile", PUBLISHED_LENGTH, Literal::Whole(50)).group("phase2");
        statement_min_length_cjk: u32 = whole(1, 10_000).also(&["min_statement_length_cjk"])
            .by("profile", PUBLISHED_LENGTH, Literal::Whole(25)).group("phase2");
        /// Maximum regenerated statements, after the first.
        statement_validation_retries: u32 = whole(0, 10).also(&["max_statement_retries"]).default(Literal::Whole(3))
            .group("phase2");
        /// Maximum characters of statements in the public history.
        public_history_max_length: u32 = whole(10_000, 10_000_000)
            .by("profile", &[("compat", Literal::Whole(50_000))], Literal::Whole(100_000)).group("phase2");
        /// Maximum characters of a statement in prompts; 0 means no limit.
        history_statement_max_chars: u32 = whole(0, 1_000_000)
            .by("profile", &[("compat", Literal::Whole(0))], Literal::Whole(300)).group("phase2");
        history_full_last_round: bool = flag(false).group("phase2");
        no_consensus: NoConsensus = one_of(NoConsensus::WORDS).group("phase2");
        turns: Turns = one_of(Turns::WORDS).group("phase2").since("0.2");
        /// Length of the open talk of a round.
        minutes: u32 = whole(1, 180).default(Literal::Whole(2)).group("phase2").when(OPEN).since("0.2");
        min_agents_for_experiment: u32 = whole(2, 1_000).default(Literal::Whole(2)).more("phase2");
        memory as "memory_management": Memory = object(SettingTable(&[Memory::TABLE]));
        discussion_memory_mode: MemoryMode = maybe_one_of(MemoryMode::WORDS)
            .by("profile", &[("compat", Literal::Text("llm"))], Literal::Text("append")).group("memory");
        memory_update_timing: MemoryTiming = one_of(MemoryTiming::WORDS).group("memory");
        /// Whether votes must be identical.
        strict: bool = flag(true).group("voting");
        /// `None`: votes must be identical. Otherwise: same principle, and amounts within this share of their mean.
        constraint_tolerance: Option<f64> = number(0.0, f64::INFINITY).default(Literal::Number(0.05)).group("voting")
            .when(&[("strict", &["false"])])
            => tolerance(second, strict);
        /// Amounts that differ by at most so many income dollars count as the same, instead of `constraint_tolerance`.
        amount_tolerance: Option<u32> = whole(0, 1_000_000).group("voting").when(&[("strict", &["false"])]).since("0.2")
            => second.maybe_whole("amount_tolerance").filter(|_| !strict);
        /// Whether a ballot follows each round, instead of a vote that a participant asks for and all confirm.
        vote_each_round: bool = flag(false).group("voting").since("0.2");
        initiation_order: InitiationOrder = one_of(InitiationOrder::WORDS).group("voting");
        /// Maximum asks for one yes/no answer.
        voting_retry_limit: u32 = tries();
        /// Maximum asks for one answer on the ballot.
        principle_extraction_retries: u32 = tries().also(&["two_stage_max_retries"]);
        amount_extraction_retries: u32 = tries() => amount_retries(second);
        amount_min: u32 = whole(1, u32::MAX).also(&["amount_min_reasonable"]).default(Literal::Whole(1_000))
            .group("voting");
        amount_max: u32 = whole(100, u32::MAX).also(&["amount_max_reasonable"])
            .by("profile", &[("compat", Literal::Whole(10_000_000))], Literal::Whole(1_000_000)).group("voting");
        /// Times are first time limits in seconds; each retry multiplies them by `backoff_factor`.
        statement_timeout: f64 = patience(30.0).also(&["statement_timeout_seconds"]);
        reasoning_timeout: f64 = patience(30.0).also(&["reasoning_timeout_seconds"]);
        initiation_timeout as "voting_initiation_timeout": f64 = patience(30.0);
        confirmation_timeout as "voting_confirmation_timeout": f64 = patience(30.0).also(&["confirmation_timeout_seconds"]);
        ballot_timeout as "voting_secret_ballot_timeout": f64 = patience(45.0).also(&["two_stage_timeout_seconds"]);
        backoff_factor as "voting_retry_backoff_factor": f64 = backoff().also(&["retry_backoff_factor"]).group("time");
    }
}

settings! {
    /// Memories of the discussion. Lengths are in characters.
    pub struct Memory(memory) {
        guidance_style: GuidanceStyle = maybe_one_of(GuidanceStyle::WORDS)
            .by(
                "memory_guidance_style",
                &[("structured", Literal::Text("structured"))],
                Literal::Text("narrative")
            )
            .group("memory");
        statement_max_length: u32 = whole(1, 1_000_000).default(Literal::Whole(300)).group("memory");
        enable_truncation: bool = flag(true).group("memory");
        reasoning_max_length: u32 = whole(1, 1_000_000).default(Literal::Whole(200)).group("memory");
    }
}

settings! {
    /// A participant that secretly works against the group's ranking.
    #[derive(Eq, Serialize, Deserialize)]
    pub struct Manipulator(object) {
        /// Name of a participant.
        name: String = line(60).required().group("manipulator") => object.text("name").to_owned();
        /// Only `least_popular_after_round1` gives a target.
        target_strategy: String = line(200).default(Literal::Text(TARGET))
            => object.maybe_text("target_strategy").unwrap_or(TARGET).to_owned();
        /// The first of these wins a tie for least popular.
        tiebreak_order: Vec<Principle> = list(&A_PRINCIPLE, 4).group("manipulator") => tiebreak_order(object);
    }
}

impl Phase2 {
    /// Returns what counts as agreement in a ballot.
    #[must_use]
    pub fn consensus_rule(&self) -> ConsensusRule {
        match self.amount_tolerance {
            Some(most) => ConsensusRule::Within(most),
            None => self.constraint_tolerance.into(),
        }
    }
}

const NOT_COMPAT: &[When] = &[("profile", &["default"])];

const OPEN: &[When] = &[("turns", &["open"])];

// The published program intends half this length for Chinese, but never applies it.
const PUBLISHED_LENGTH: &[(&str, Literal)] = &[("compat", Literal::Whole(10))];

/// The only supported target strategy.
pub const TARGET: &str = "least_popular_after_round1";

/// Restrictions on the seat that closed a round.
const FINISHER: [(&str, OrderRule); 2] = [
    ("not_last", OrderRule::FinisherNotLast),
    ("neither", OrderRule::FinisherNeither),
];

const fn patience(name: &'static str, usual: f64) -> Setting {
    const PUBLISHED: &[(&str, Literal)] = &[("compat", Literal::Number(600.0))];
    seconds(name)
        .by("profile", PUBLISHED, Literal::Number(usual))
        .group("time")
}

const fn tries(name: &'static str) -> Setting {
    whole(name, 1, 10).default(Literal::Whole(3)).group("voting")
}

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

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST, REST_OF_AGENT]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    personality().required(),
    PROVIDER,
    model("o3-mini"),
    BASE_URL,
    temperature(TEMPERATURE),
];

const REST_OF_AGENT: &[Setting] = &[
    whole("memory_character_limit", 1, 10_000_000)
        .default(Literal::Whole(50_000))
        .more("participants"),
    flag("reasoning_enabled", true).more("participants"),
];

choices! {
    /// Rule set where the seed documents and the published program differ.
    pub enum Profile {
        /// The seed documents' rules.
        Default = "default",
        /// The published program's rules, under which the published runs replay.
        Compat = "compat",
    }
}

choices! {
    /// Wording of forms and views.
    #[derive(Default)]
    pub enum Wording {
        /// The terms of the literature; payoffs in dollars.
        #[default]
        Study = "study",
        /// Short names and plain sentences; payoffs in points, ten for a dollar.
        Class = "class",
    }
}

choices! {
    /// Which rankings are asked for.
    #[derive(Default)]
    pub enum Rankings {
        /// At the start, after the examples, after the application rounds, and after the results.
        #[default]
        All = "all",
        /// At the start and after the results.
        FirstAndLast = "first_and_last",
    }
}

choices! {
    /// Format of the lines about the discussion in memories.
    pub enum GuidanceStyle {
        /// A sentence.
        Narrative = "narrative",
        /// Labelled fields.
        Structured = "structured",
    }
}

choices! {
    /// Rule for incomes without agreement.
    pub enum NoConsensus {
        /// A distribution, then a class, is drawn for each participant.
        IndividualDistribution = "individual_distribution",
        /// One distribution is drawn for all, then a class for each.
        GroupDistribution = "group_distribution",
        /// One principle is drawn for all (upper median as constraint), then a class for each.
        RandomPrinciple = "random_principle",
    }
}

choices! {
    /// Rule for the speaking order.
    pub enum Strategy {
        /// Drawn in each round.
        Random = "random",
        /// Configuration order.
        Fixed = "fixed",
        /// The third rule of the published program.
        Conversational = "conversational",
    }
}

choices! {
    /// Detail of the message about an unreadable answer.
    pub enum FeedbackDetail {
        Concise = "concise",
        Detailed = "detailed",
    }
}

choices! {
    /// Order in which the seats are asked whether to start a vote.
    pub enum InitiationOrder {
        Configuration = "configuration",
        SpeakingOrder = "speaking_order",
    }
}

choices! {
    /// How a memory is updated after a round.
    pub enum MemoryMode {
        /// Lines are appended.
        Append = "append",
        /// The participant rewrites it.
        Rewrite = "llm",
    }
}

choices! {
    /// When memories are updated.
    pub enum MemoryTiming {
        PerRound = "per_round",
        PerSpeaker = "per_speaker",
    }
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

/// Checked settings, with the fields that have no effect.
pub type Checked = config_reader::CheckedSettings<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
/// Returns all faults, each with its path.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, |top| {
        let settings = Settings::read(top);
        check_whole(top, &settings);
        settings
    })
}

/// Checks what settings have to do with each other.
fn check_whole(top: &ConfigReader, settings: &Settings) {
    let second = top.object("phase2_settings");
    if settings.phase2.amount_min >= settings.phase2.amount_max {
        let values = vec![("other", "amount_min".to_owned().into())];
        second.fault("amount_max", "amounts", values);
    }
    let (count, needed) = (
        settings.participants.len(),
        settings.phase2.min_agents_for_experiment,
    );
    if top.value("agents").is_some_and(Value::is_array) && count < needed as usize {
        top.fault(
            "agents",
            "few",
            vec![("count", count.into()), ("needed", needed.into())],
        );
    }
    if top
        .object("transcript_logging")
        .text("output_path")
        .contains("..")
    {
        top.fault("transcript_logging.output_path", "upwards", vec![]);
    }
    // The published program reads free text only, and so do its readers here.
    if settings.profile == Profile::Compat && settings.answers == Answers::Structured {
        top.fault("answers", "compat_answers", vec![]);
    }
    if let Some(Manipulator { name, .. }) = &settings.manipulator
        && !seats_of(&settings.participants).any(|seat| seat.name == *name)
    {
        top.warn(
            "manipulator",
            "no_target",
            vec![("name", format!("{name:?}").into())],
        );
    }
}

fn seats_of(participants: &[Participant]) -> impl Iterator<Item = &Seat> {
    participants.iter().map(|participant| &participant.seat)
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

fn order_rule(top: &ConfigReader, profile: Profile) -> OrderRule {
    let second = top.object("phase2_settings");
    let compat = profile == Profile::Compat;
    let strategy = top.one_of("speaking_order_strategy", Strategy::ALL);
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

fn tolerance(second: &ConfigReader, strict: bool) -> Option<f64> {
    let tolerance = second.number("constraint_tolerance");
    if strict && tolerance > 1.0 {
        second.warn("constraint_tolerance", "identical_votes", vec![]);
    }
    if !strict && tolerance > 1.0 {
        second.fault("constraint_tolerance", "share", vec![]);
    }
    (!strict).then_some(tolerance)
}

fn tiebreak_order(object: &ConfigReader) -> Vec<Principle> {
    let order = object.value("tiebreak_order").and_then(Value::as_array);
    let ids = order.into_iter().flatten().filter_map(Value::as_str);
    ids.filter_map(Principle::from_id).collect()
}

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

const PHASE2_WITHOUT_EFFECT: &[Setting] = &[
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
