//! Settings of a Delphi poll.

use crate::core::limits::Limits;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::procedures::names::Names;
use crate::procedures::reader;
use crate::procedures::shared::{self, Prompts};
use crate::procedures::spec::common::{
    BASE_URL, LAST, LIMITS, LONG, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST, STUDY,
    TEMPERATURE, agents, answers, condition, language, model, personality, protocol, reader, seed,
    temperature, title,
};
use crate::procedures::spec::config_reader::{CheckedSettings, ConfigReader, checked};
use crate::procedures::spec::declare::settings;
use crate::procedures::spec::fault::ConfigError;
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, flag, line, number, seconds, text, whole,
};
use crate::seat::Seat;
use serde_json::Value;

settings! {
    pub struct Settings(top) {
        + protocol(&["delphi"]);
        + SCHEMA;
        /// What is to be estimated.
        question: String = text(LONG).required().group("question");
        /// May be empty.
        unit: String = line(60).group("question");
        /// Smallest allowed estimate.
        minimum: Option<f64> = number(f64::NEG_INFINITY, f64::INFINITY).group("question");
        /// Largest allowed estimate.
        maximum: Option<f64> = number(f64::NEG_INFINITY, f64::INFINITY).group("question");
        /// Shown after the end only.
        true_value: Option<f64> = number(f64::NEG_INFINITY, f64::INFINITY).group("question").since("0.2");
        /// Where `true_value` comes from; may be empty.
        true_value_source: String = line(200).group("question").since("0.2");
        + title("title", "question");
        /// Default language; seats may differ.
        language: Language = language("question");
        + condition("question");
        + STUDY;
        answers: Answers = answers().more("question");
        /// 0 to 2³¹−1.
        seed: Option<u32> = seed().more("question");
        seats as "agents": Vec<Seat> = agents(&AGENT).required() => seats(top, language);
        /// The model that reads answers which the rules cannot read.
        reader: Option<Seat> = reader() => reader::reader(top, language, &seats, false);
        /// Maximum number of rounds.
        rounds: u32 = whole(2, 20).default(Literal::Whole(3)).group("schedule");
        /// Interquartile range, in the unit, that ends the poll; `None`: all rounds are held.
        close_enough: Option<f64> = number(0.0, f64::INFINITY).group("schedule");
        /// Whether anonymous reasons are shared.
        share_reasons: bool = flag(true).group("schedule");
        /// Maximum attempts at an unreadable answer.
        attempts: u32 = whole(1, 10).default(Literal::Whole(3)).more("patience");
        /// First time limit of a call, in seconds; people have none.
        estimate_timeout: f64 = seconds().default(Literal::Number(120.0)).group("patience");
    }
    derived {
        limits: Limits => shared::limits(top, seats.iter().chain(&reader));
        /// Maximum length of an answer, in tokens.
        max_tokens: u32 => shared::max_answer_tokens(top);
        prompts: Prompts => shared::prompts(top, &super::TEXTS, &super::prompts::PROMPTS);
    }
}

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    personality(),
    PROVIDER,
    model(""),
    BASE_URL,
    temperature(TEMPERATURE),
];

pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("question"),
        PARTICIPANTS,
        Group::folded("schedule"),
        Group::folded("patience"),
        LIMITS,
        PROMPTS,
    ],
    settings: SettingTable(&[Settings::TABLE, LAST]),
};

/// Reads and checks a configuration.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
pub fn check(config: &Value) -> Result<CheckedSettings<Settings>, ConfigError> {
    checked(config, SPEC.settings, |top| {
        let settings = Settings::read(top);
        if settings
            .minimum
            .zip(settings.maximum)
            .is_some_and(|(least, most)| least >= most)
        {
            top.fault("maximum", "amounts", vec![("other", "minimum".to_owned().into())]);
        }
        settings
    })
}

fn seats(top: &ConfigReader, language: Language) -> Vec<Seat> {
    let mut names = Names::default();
    let agents = top.list("agents");
    let seats: Vec<Seat> = agents
        .iter()
        .map(|agent| shared::seat(agent, &mut names, language, None))
        .collect();
    if seats.len() < 2 {
        let values = vec![("count", seats.len().into()), ("needed", 2_u32.into())];
        top.fault("agents", "few", values);
    }
    seats
}
