//! Settings of a room: those of its guests, and where the configurations of its tables come from.

use crate::core::form::{Form, Input};
use crate::core::random::participant_seed;
use crate::language::Language;
use crate::people::{Plan, Question};
use crate::procedures::spec::common::LARGEST_SEED;
use crate::procedures::spec::config_reader::{self, ConfigReader};
use crate::procedures::spec::declare::SettingObject;
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::procedures::spec::{Literal, SettingKind, SettingTable, Spec, list, of, whole};
use crate::study::plan::{Run, Study, StudyFile};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Maximum number of tables.
pub const MAX_TABLES: u32 = 100;
const PART: SettingKind = SettingKind::Whole { min: 0, max: 9_999 };

/// Settings of a room. Those of tables of a study have `study` and `shard` alone, and the rest in the study.
pub const SPEC: Spec = Spec {
    groups: &[],
    settings: SettingTable(&[
        &[
            of("session", SettingKind::Free),
            of("study", SettingKind::Free),
            list("shard", &PART, 2),
            whole("tables", 1, MAX_TABLES).default(Literal::Whole(1)),
            whole("seed", 0, LARGEST_SEED),
        ],
        Plan::TABLE,
    ]),
};
/// Settings of a room whose tables are of a study.
const OF_STUDY: [&str; 2] = ["study", "shard"];

/// Where the configurations of tables come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    source: Source,
    /// Seed of the random draws.
    pub seed: u32,
    /// Maximum number of tables; of a study those that count.
    pub most: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Source {
    /// Every table has the same.
    Session(Value),
    /// Tables are runs of part `.1[0]` of `.1[1]` of a study.
    Study(Box<Study>, [usize; 2]),
}

/// Checks the settings of a room, given as JSON: those of its guests, and where its tables come from.
///
/// # Errors
/// Returns all faults, each with its path.
pub fn checked(text: &str) -> Result<(Plan, Tables), ConfigError> {
    /// The study as it is written: the order of its factors counts.
    #[derive(Deserialize)]
    struct Written {
        study: Option<Box<RawValue>>,
    }
    let config: Value = serde_json::from_str(text).unwrap_or_default();
    let written = serde_json::from_str(text).map_or(None, |Written { study }| study);
    let checked = config_reader::checked(&config, SPEC.settings, |top| {
        match (top.value("session"), &written) {
            (Some(session), None) => Some(of_session(top, session)),
            (None, Some(study)) => of_study(top, study.get()),
            _ => {
                top.fault("session", "room_source", vec![]);
                None
            }
        }
    })?;
    checked.settings.ok_or_else(|| ConfigError(Vec::new()))
}

fn of_session(top: &ConfigReader, session: &Value) -> (Plan, Tables) {
    let mut plan = Plan::read_object(top);
    for (of_session, Fault { path, code, values }) in plan.choose_seats(&[session]) {
        match of_session {
            Some(_) => top.object("session").fault(&path, code, values),
            None => top.fault(&path, code, values),
        }
    }
    if top.has("shard") {
        top.warn("shard", "without_effect", vec![]);
    }
    let tables = Tables {
        source: Source::Session(session.clone()),
        seed: top.whole("seed"),
        most: top.whole("tables") as usize,
    };
    (plan, tables)
}

fn of_study(top: &ConfigReader, study: &str) -> Option<(Plan, Tables)> {
    for setting in SPEC.settings.iter() {
        if top.has(setting.name) && !OF_STUDY.contains(&setting.name) {
            top.fault(setting.name, "room_in_study", vec![]);
        }
    }
    let study = match Study::checked(&StudyFile::parse(study).ok()?) {
        Ok(study) => study,
        Err(error) => {
            for one in error.0 {
                let cell = one
                    .cell
                    .map_or_else(|| "study".to_owned(), |cell| format!("study[{cell}]"));
                let path = [cell, one.fault.path].into_iter().filter(|part| !part.is_empty());
                let path = path.collect::<Vec<_>>().join(".");
                top.fault(&path, one.fault.code, one.fault.values);
            }
            return None;
        }
    };
    let Some(people) = &study.people else {
        top.fault("study.people", "missing", vec![]);
        return None;
    };
    let plan = people.plan.clone();
    let shard = top
        .value("shard")
        .and_then(|shard| <[usize; 2]>::deserialize(shard).ok());
    let shard = shard.or((!top.has("shard")).then_some([0, 1]));
    let Some([part, of]) = shard.filter(|[part, of]| part < of) else {
        top.fault("shard", "room_shard", vec![]);
        return None;
    };
    let runs = study.cells.len() * study.repetitions() as usize;
    let tables = Tables {
        seed: study.seed(),
        most: runs.saturating_sub(part).div_ceil(of),
        source: Source::Study(Box::new(study), [part, of]),
    };
    Some((plan, tables))
}

impl Tables {
    /// Returns the configuration of a table that is no run of a study.
    #[must_use]
    pub fn config(&self, number: usize) -> Value {
        let Source::Session(session) = &self.source else {
            return Value::Null;
        };
        let mut config = session.clone();
        let seed = config["seed"].as_u64().map_or(self.seed, |seed| seed as u32);
        config["seed"] = participant_seed(seed, number).into();
        config
    }

    /// Returns the first run of the room's part of a study that is not taken.
    #[must_use]
    pub fn next_run(&self, is_taken: impl Fn(&Run) -> bool) -> Option<Run> {
        let (study, [part, of]) = self.study()?;
        study.runs().skip(part).step_by(of).find(|run| !is_taken(run))
    }

    /// Returns the study whose runs the tables are, and which part of it.
    #[must_use]
    pub fn study(&self) -> Option<(&Study, [usize; 2])> {
        match &self.source {
            Source::Session(_) => None,
            Source::Study(study, shard) => Some((study, *shard)),
        }
    }

    /// Returns how many guests may leave a table of a study before it is void.
    #[must_use]
    pub fn leavers(&self) -> Option<u32> {
        Some(self.study()?.0.people.as_ref()?.leavers)
    }
}

/// Builds a form of questions.
#[must_use]
pub fn build_form(language: Language, title: String, questions: &[Question]) -> Form {
    let words = super::words(language);
    let fields = questions.iter().map(|question| {
        let mut field = question.field.clone();
        if let Input::YesNo { yes, no, .. } = &mut field.input {
            words.raw("yes").clone_into(&mut yes.name);
            words.raw("no").clone_into(&mut no.name);
        }
        field
    });
    Form::new(language, title, fields.collect())
}

/// Returns the answers by question id.
#[must_use]
pub fn answers_by_id(questions: &[Question], values: &Value) -> Value {
    let one = |question: &Question| Some((question.id.clone(), values.get(question.field.name)?.clone()));
    Value::Object(questions.iter().filter_map(one).collect())
}

/// Returns the field name of the first wrong answer, if any.
#[must_use]
pub fn first_wrong(questions: &[Question], values: &Value) -> Option<&'static str> {
    let is_wrong = |question: &&Question| {
        let given = values.get(question.field.name).unwrap_or(&Value::Null);
        question
            .right
            .as_ref()
            .is_some_and(|right| match (right.as_f64(), given.as_f64()) {
                (Some(right), Some(given)) => (right - given).abs() > f64::EPSILON,
                _ => right != given && json!(right.to_string()) != *given,
            })
    };
    questions
        .iter()
        .find(is_wrong)
        .map(|question| question.field.name)
}
