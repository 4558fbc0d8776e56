//! The procedures, one folder each, and the entry points from a configuration to a running session.

pub mod answers;
pub mod canonical;
pub mod debate;
pub mod delphi;
pub mod discussion;
pub mod jury;
pub mod justice;
pub(crate) mod names;
mod open_talk;
mod quote;
mod reader;
pub mod recorded;
pub mod report;
mod scripted;
mod shared;
pub mod spec;
pub mod summary;
pub mod topics;
pub mod view;

use crate::core::ask::{Ask, Call, Millis};
use crate::core::context::AskContext;
use crate::core::record::{Command, Entry, EntryKind, ForkedFrom, Started};
use crate::core::replay::{Difference, Replay};
use crate::core::view::ViewSpec;
use crate::core::{Outcome, Plan, Session};
use crate::language::prompts::Prompts;
use crate::language::words::Texts;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use spec::Spec;
use spec::config_reader;
use spec::fault::{ConfigError, Fault};
use std::rc::Rc;

/// Engine name and version, as stored in records.
pub const ENGINE: &str = concat!("quorate ", env!("CARGO_PKG_VERSION"));

/// All procedures. The first is the default for a configuration without `protocol`.
pub static ALL: [&Procedure; 5] = [
    &justice::PROCEDURE,
    &discussion::PROCEDURE,
    &debate::PROCEDURE,
    &delphi::PROCEDURE,
    &jury::PROCEDURE,
];

#[must_use]
pub fn get(name: &str) -> Option<&'static Procedure> {
    ALL.into_iter().find(|procedure| procedure.name == name)
}

#[must_use]
pub fn names() -> [&'static str; 5] {
    ALL.map(|procedure| procedure.name)
}

/// Entry points and metadata of a procedure; each is defined in its own folder.
pub struct Procedure {
    /// Value of `protocol` in configurations and records.
    pub name: &'static str,
    pub spec: &'static Spec,
    check: fn(&Value) -> Result<CheckedConfig, ConfigError>,
    /// Returns the answer of a scripted participant, or `None` if the context belongs to another procedure.
    answer: fn(&Seat, u32, &Ask, &AskContext) -> Option<String>,
    /// Keys of the result that run lists show. The first must be present.
    outcome: &'static [&'static str],
    pub view: ViewSpec,
    /// Builds the rows for statistics.
    tables: fn(&report::ReportSource) -> report::ReportRows,
    pub prompts: &'static Prompts,
    /// Its texts within prompts.
    pub texts: &'static Texts,
}

impl Procedure {
    /// Returns the procedure of a record, or `None` if this version does not know it.
    #[must_use]
    pub fn of(head: &Started) -> Option<&'static Self> {
        get(&head.protocol)
    }
}

/// A ready-made configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// Stable id, e.g. `five-scripted`.
    pub id: String,
    /// Whether it is for a class: its seats are people's, and it fits a lesson.
    #[serde(rename = "class", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_for_class: bool,
    pub config: Value,
}

/// A checked configuration of any procedure.
struct CheckedConfig {
    seed: Option<u32>,
    warnings: Vec<Fault>,
    /// Builds the plan for a seed.
    plan: Box<dyn FnOnce(u32) -> Plan>,
}

impl CheckedConfig {
    fn new<S: 'static>(
        checked: config_reader::CheckedSettings<S>,
        seed: impl FnOnce(&S) -> Option<u32>,
        plan: impl FnOnce(S, u32) -> Plan + 'static,
    ) -> Self {
        let config_reader::CheckedSettings { settings, warnings } = checked;
        Self {
            seed: seed(&settings),
            warnings,
            plan: Box::new(|seed| plan(settings, seed)),
        }
    }
}

/// Checks a configuration and returns its warnings.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
pub fn check(config: &Value) -> Result<Vec<Fault>, ConfigError> {
    check_config(config).map(|(_, checked)| checked.warnings)
}

fn check_config(config: &Value) -> Result<(&'static Procedure, CheckedConfig), ConfigError> {
    let [default, ..] = ALL;
    let named = config.get("protocol").filter(|name| !name.is_null());
    let procedure = named.map_or(Some(default), |name| get(name.as_str()?));
    let Some(procedure) = procedure else {
        return Err(ConfigError(vec![Fault {
            path: "protocol".to_owned(),
            code: "one_of",
            values: vec![
                ("found", named.map(Value::to_string).unwrap_or_default().into()),
                ("words", names().join(", ").into()),
            ],
        }]));
    };
    Ok((procedure, (procedure.check)(config)?))
}

/// Returns the answer text of a scripted participant. `seed` is the session's, 0 to 2³¹−1. Equal arguments
/// give equal text on every machine. Reads the context of the call; the request text holds the same facts.
#[must_use]
pub fn scripted_answer(seat: &Seat, seed: u32, call: &Call) -> String {
    let answer = |procedure: &'static Procedure| (procedure.answer)(seat, seed, &call.ask, &call.facts);
    ALL.into_iter().find_map(answer).unwrap_or_default()
}

/// Returns the seats of a configuration in its order.
///
/// # Errors
///
/// Returns all faults if the configuration is invalid.
pub fn seats(config: &Value) -> Result<Vec<Seat>, ConfigError> {
    let (_, checked) = check_config(config)?;
    Ok((checked.plan)(checked.seed.unwrap_or_default()).seats)
}

/// Returns the presets of all procedures, those of the justice experiment first.
#[must_use]
pub fn presets() -> Vec<Preset> {
    let all = [
        justice::presets::all(),
        discussion::presets::all(),
        debate::presets::all(),
        delphi::presets(),
        jury::presets(),
    ];
    all.into_iter().flatten().collect()
}

/// Returns the presets for classes, one for each procedure that fits a lesson.
#[must_use]
pub fn class_presets() -> Vec<Preset> {
    serde_json::from_str(include_str!("classes.json")).unwrap_or_default()
}

/// Starts a run of `config` under the id `session`.
///
/// # Errors
///
/// Returns all faults if the configuration is invalid.
pub fn begin(config: &Value, session: &str, now: Millis) -> Result<(Session, Outcome), ConfigError> {
    let (started, plan) = prepare(config, session, None)?;
    Ok(Session::begin(started, plan, now))
}

/// Restores the session of a finished run of this engine without a replay. Returns `None` if a replay is
/// needed: the run is unfinished, or its seats were changed by a `reseat` command.
#[must_use]
pub fn ended(record: &[Rc<Entry>]) -> Option<Session> {
    summary::result(record)?;
    if foreign(record).is_some() {
        return None;
    }
    let is_reseating = |entry: &Rc<Entry>| {
        let EntryKind::Commanded { command } = &entry.what else {
            return false;
        };
        matches!(command, Command::Reseat { .. })
    };
    if record.iter().any(is_reseating) {
        return None;
    }
    let (_, plan) = prepare_replay(record)?;
    Session::ended(plan, record)
}

/// Returns a read-only session for a record of another engine, or `None` if this engine wrote it.
#[must_use]
pub fn foreign(record: &[Rc<Entry>]) -> Option<Session> {
    match record.first().map(|entry| &entry.what) {
        Some(EntryKind::Started(head)) if head.engine != ENGINE => {
            Some(Session::foreign(head.engine.clone(), record))
        }
        _ => None,
    }
}

/// Replays a record to its end.
///
/// # Errors
///
/// Returns the first entry that differs, or entry 0 if this engine cannot run the record at all.
pub fn replay(record: &[Rc<Entry>]) -> Result<(Session, Outcome), Box<Difference>> {
    begin_replay(record)?.whole()
}

/// Starts a stepwise replay of a record.
///
/// # Errors
///
/// Returns entry 0 if this engine cannot run the record at all.
pub fn begin_replay(record: &[Rc<Entry>]) -> Result<Replay<'_>, Box<Difference>> {
    let (started, plan) = prepare_replay(record).ok_or_else(|| {
        Box::new(Difference {
            seq: 0,
            recorded: record.first().cloned(),
            replayed: None,
        })
    })?;
    Replay::begin(started, plan, record)
}

/// Returns the head that this engine would write for a record, and its plan; `None` if the record has another
/// head.
fn prepare_replay(record: &[Rc<Entry>]) -> Option<(Started, Plan)> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return None;
    };
    let (started, plan) = prepare(&head.config, &head.session, head.forked_from.clone()).ok()?;
    let started = Started {
        engine: head.engine.clone(),
        ..started
    };
    (started == *head).then_some((started, plan))
}

/// Starts a run of `config` that reuses the external inputs of `record`.
///
/// # Errors
///
/// Returns all faults if the configuration is invalid.
pub fn branch(
    config: &Value,
    session: &str,
    from: ForkedFrom,
    record: &[Rc<Entry>],
    now: Millis,
) -> Result<(Session, Outcome, usize), ConfigError> {
    let (started, plan) = prepare(config, session, Some(from))?;
    Ok(Session::branch(started, plan, record, now))
}

fn prepare(
    config: &Value,
    session: &str,
    forked_from: Option<ForkedFrom>,
) -> Result<(Started, Plan), ConfigError> {
    let (procedure, checked) = check_config(config)?;
    let config = canonical(config);
    let config_hash = config_hash(&config);
    let seed = checked.seed.unwrap_or_else(|| default_seed(&config));
    let started = Started {
        engine: ENGINE.to_owned(),
        session: session.to_owned(),
        protocol: procedure.name.to_owned(),
        seed,
        config,
        config_hash,
        forked_from,
    };
    Ok((started, (checked.plan)(seed)))
}

/// Converts whole floats to integers, so that every platform hashes the value alike.
pub(crate) fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(object) => Value::Object(
            object
                .iter()
                .map(|(key, value)| (key.clone(), canonical(value)))
                .collect(),
        ),
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                Value::from(float as i64)
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Returns the SHA-256 digest of the canonical JSON without `seed`, `title` and `study`, in hex; repetitions share it.
fn config_hash(canonical: &Value) -> String {
    let mut config = canonical.clone();
    if let Some(config) = config.as_object_mut() {
        for label in ["seed", "title", "study"] {
            config.remove(label);
        }
    }
    canonical::sha256_hex(config.to_string().as_bytes())
}

/// Returns the seed of a configuration without one, from its hash. `condition` is a label and left out, so that it
/// changes nothing in the run.
fn default_seed(canonical: &Value) -> u32 {
    let mut config = canonical.clone();
    if let Some(config) = config.as_object_mut() {
        config.remove("condition");
    }
    derived_seed(&config_hash(&config))
}

/// Returns the first eight hex digits of a hash as a seed, below 2³¹.
pub(crate) fn derived_seed(hash: &str) -> u32 {
    u32::from_str_radix(hash.get(..8).unwrap_or("0"), 16).unwrap_or(0) & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_configurations_have_equal_hashes() {
        let one: Value = serde_json::from_str(r#"{"b": 2.0, "a": [1, 0.5]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a": [1.0, 0.5], "b": 2}"#).unwrap();
        assert_eq!(config_hash(&canonical(&one)), config_hash(&canonical(&other)));
        assert_eq!(canonical(&one).to_string(), r#"{"a":[1,0.5],"b":2}"#);
        assert_eq!(
            config_hash(&json!({ "seed": 5, "title": "of no matter" })),
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
        assert_eq!(derived_seed("44136fa3"), 0x4413_6fa3);
        assert_eq!(derived_seed("ffffffff"), 0x7fff_ffff);
    }

    #[test]
    fn a_condition_is_part_of_the_hash() {
        assert_ne!(
            config_hash(&json!({ "condition": "a" })),
            config_hash(&json!({ "condition": "b" }))
        );
    }

    #[test]
    fn a_seed_that_is_not_given_follows_from_all_but_labels() {
        let seed = |key: &str, value: Value| {
            let mut config = json!({ "agents": [
                { "name": "A", "personality": "p" }, { "name": "B", "personality": "p" } ] });
            config[key] = value;
            prepare(&config, "s", None).unwrap().0.seed
        };
        let plain = seed("condition", Value::Null);
        assert_eq!(
            seed("condition", json!("control")),
            seed("condition", json!("treatment"))
        );
        assert_eq!(seed("title", json!("A pilot")), seed("title", json!("The study")));
        assert_ne!(seed("phase2_rounds", json!(4)), plain);
    }
}
