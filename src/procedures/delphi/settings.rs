//! Settings of a Delphi poll with defaults filled in, and how they are read from a configuration.

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

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Default language; seats may differ.
    pub language: Language,
    /// What is to be estimated.
    pub question: String,
    /// May be empty.
    pub unit: String,
    /// Smallest allowed estimate.
    pub minimum: Option<f64>,
    /// Largest allowed estimate.
    pub maximum: Option<f64>,
    pub seats: Vec<Seat>,
    /// The model that reads answers which the rules cannot read.
    pub reader: Option<Seat>,
    /// 0 to 2³¹−1.
    pub seed: Option<u32>,
    /// Maximum number of rounds, at least two.
    pub rounds: u32,
    /// Interquartile range, in the unit, that ends the poll; `None`: all rounds are held.
    pub close_enough: Option<f64>,
    /// Whether anonymous reasons are shared.
    pub share_reasons: bool,
    /// Maximum attempts at an unreadable answer.
    pub attempts: u32,
    /// First time limit of a call, in seconds; people have none.
    pub estimate_timeout: f64,
    pub answers: Answers,
    /// Maximum length of an answer, in tokens.
    pub max_tokens: u32,
    /// Custom prompts by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    pub limits: Limits,
}

/// Reads and checks a configuration.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
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
    shared::check_limits(top, &limits, seats.iter().chain(&reader));
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
