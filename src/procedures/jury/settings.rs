//! Settings of a jury.

use super::rules::Majority;
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
use crate::procedures::spec::declare::{SettingObject, settings};
use crate::procedures::spec::fault::ConfigError;
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, flag, line, list, number, one_of, seconds,
    text, whole,
};
use crate::seat::Seat;
use serde_json::Value;

const JURORS: std::ops::RangeInclusive<usize> = 3..=12;

settings! {
    pub struct Settings(top) {
        + protocol(&["jury"]);
        + SCHEMA;
        /// The question of the trial.
        charge: String = text(LONG).required().group("case").since("0.2");
        /// Opening statement of the side that wants "guilty".
        prosecution: String = text(LONG).required().group("case").since("0.2");
        /// Opening statement of the other side.
        defence: String = text(LONG).required().group("case").since("0.2");
        /// In the order in which it is shown.
        evidence: Vec<Exhibit> = list(&Exhibit::KIND, 12).required().group("case").since("0.2");
        + title("title", "case");
        /// Default language; seats may differ.
        language: Language = language("case");
        + condition("case");
        + STUDY;
        answers: Answers = answers().more("case");
        /// 0 to 2³¹−1.
        seed: Option<u32> = seed().more("case");
        seats as "agents": Vec<Seat> = agents(&AGENT).required() => seats(top, language);
        /// The model that reads answers which the rules cannot read.
        reader: Option<Seat> = reader() => reader::reader(top, language, &seats, false);
        /// Whether all learn how many voted what after each straw vote.
        show_counts: bool = flag(true).group("schedule").since("0.2");
        /// Rounds of deliberation before the first ballot.
        rounds: u32 = whole(1, 10).default(Literal::Whole(2)).group("schedule").since("0.2");
        /// The share of the jurors that a verdict needs.
        needed: Majority = one_of(Majority::WORDS).group("schedule").since("0.2");
        /// Maximum number of ballots.
        ballots: u32 = whole(1, 10).default(Literal::Whole(2)).group("schedule").since("0.2");
        /// Whether all learn who voted what in a ballot.
        open_ballot: bool = flag(true).group("schedule").since("0.2");
        /// Maximum attempts at an unreadable answer.
        attempts: u32 = whole(1, 10).default(Literal::Whole(3)).more("patience").since("0.2");
        /// First time limit of a call, in seconds; people have none.
        answer_timeout: f64 = seconds().default(Literal::Number(120.0)).group("patience").since("0.2");
    }
    derived {
        limits: Limits => shared::limits(top, seats.iter().chain(&reader));
        /// Maximum length of an answer, in tokens.
        max_tokens: u32 => shared::max_answer_tokens(top);
        prompts: Prompts => shared::prompts(top, &super::TEXTS, &super::prompts::PROMPTS);
    }
}

settings! {
    /// An item of evidence.
    pub struct Exhibit(one) {
        /// May be empty.
        title: String = line(200).since("0.2");
        text: String = text(LONG).required().since("0.2");
        /// Where it points, from −1 (not guilty) to 1 (guilty). For scripted jurors alone.
        leans: Option<f64> = number(-1.0, 1.0).since("0.2");
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
        Group::open("case"),
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
        if top.has("evidence") && settings.evidence.is_empty() {
            top.fault("evidence", "empty", vec![]);
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
    let count = ("count", seats.len().into());
    if seats.len() < *JURORS.start() {
        top.fault("agents", "few", vec![count, ("needed", (*JURORS.start()).into())]);
    } else if seats.len() > *JURORS.end() {
        top.fault("agents", "many", vec![count, ("most", (*JURORS.end()).into())]);
    }
    seats
}
