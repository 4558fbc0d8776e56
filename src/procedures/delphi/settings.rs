//! The settings of a Delphi poll, checked and with every default filled in, and how they are read from a
//! configuration.

use super::spec::SPEC;
use crate::core::limits::Limits;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::procedures::names::Names;
use crate::procedures::reader;
use crate::procedures::shared;
use crate::procedures::spec::config_reader::{CheckedSettings, ConfigReader, checked};
use crate::procedures::spec::fault::ConfigError;
use crate::seat::Seat;
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that decides a poll.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Language of the poll; seats may differ.
    pub language: Language,
    /// What is to be estimated.
    pub question: String,
    /// Unit of the estimate; may be empty.
    pub unit: String,
    /// The least that is allowed.
    pub minimum: Option<f64>,
    /// The greatest that is allowed.
    pub maximum: Option<f64>,
    /// Who is asked.
    pub seats: Vec<Seat>,
    /// The model that reads what the rules do not understand.
    pub reader: Option<Seat>,
    /// Seed, 0 to 2³¹−1, where the configuration names one.
    pub seed: Option<u32>,
    /// Rounds at most, at least two.
    pub rounds: u32,
    /// The poll ends once the middle half of the estimates is no wider, in the unit; `None`: not before all
    /// rounds are over.
    pub close_enough: Option<f64>,
    /// Whether reasons are passed on, without names.
    pub share_reasons: bool,
    /// Times that an unreadable answer is asked for.
    pub attempts: u32,
    /// Seconds of the first time limit of a question that no person is asked.
    pub estimate_timeout: f64,
    /// In which form models and programs are asked to answer.
    pub answers: Answers,
    /// Length of an answer at most, in tokens.
    pub max_tokens: u32,
    /// Own wordings, by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    /// Limits of the whole run.
    pub limits: Limits,
}

/// Reads and checks a configuration.
///
/// # Errors
/// All faults, each with its path.
pub fn check(config: &Value) -> Result<CheckedSettings<Settings>, ConfigError> {
    checked(config, SPEC.settings, read)
}

fn read(top: &ConfigReader) -> Settings {
    let language = shared::language(top);
    let (limits, max_tokens) = shared::limits(top);
    let (minimum, maximum) = (top.maybe_number("minimum"), top.maybe_number("maximum"));
    if minimum.zip(maximum).is_some_and(|(least, most)| least >= most) {
        top.fault("maximum", "amounts", vec![("other", "minimum".to_owned().into())]);
    }
    let mut names = Names::default();
    let agents = top.list("agents");
    let seats: Vec<Seat> = agents
        .iter()
        .map(|agent| shared::seat(agent, &mut names, language, None))
        .collect();
    if seats.len() < 2 {
        top.fault(
            "agents",
            "few",
            vec![("count", seats.len().into()), ("needed", 2_u32.into())],
        );
    }
    let reader = reader::reader(top, language, &seats, false);
    shared::priced(top, &limits, seats.iter().chain(&reader));
    Settings {
        language,
        question: top.text("question").trim().to_owned(),
        unit: top.text("unit").trim().to_owned(),
        minimum,
        maximum,
        seats,
        reader,
        seed: shared::seed(top),
        rounds: top.whole("rounds"),
        close_enough: top.maybe_number("close_enough"),
        share_reasons: top.flag("share_reasons"),
        attempts: top.whole("attempts"),
        estimate_timeout: top.number("estimate_timeout"),
        answers: shared::answers(top),
        max_tokens,
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
    }
}
