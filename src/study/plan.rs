//! Settings of a study, and the plan that follows from them.

use super::path::{Path, set};
use crate::core::random::Random;
use crate::language::Language;
use crate::people;
use crate::procedures::canonical::{canonical_json, sha256_hex};
use crate::procedures::spec::common::{LARGEST_SEED, MAX_SEATS, SCHEMA};
use crate::procedures::spec::config_reader::{CheckedSettings, ConfigReader, checked};
use crate::procedures::spec::declare::{SettingObject, choices, settings};
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::procedures::spec::{
    Literal, SettingKind, SettingTable, Spec, line, list, map, number, object, of, one_of, text, whole,
};
use crate::procedures::{self, ENGINE, canonical, derived_seed};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::rc::Rc;

/// Maximum number of repetitions, so that all run ids have four digits.
pub const MAX_REPETITIONS: u32 = 9_999;
/// Maximum number of cells, those left out included.
pub const MAX_CELLS: usize = 1_000;
/// Maximum number of runs.
pub const MAX_RUNS: usize = 50_000;
/// Maximum length of a run id, which is the name of a file.
const MAX_ID: usize = 200;
/// Name of the only cell of a study without factors.
const ONLY_CELL: &str = "all";
/// Settings that the plan itself sets.
const PLANNED: [&str; 2] = ["seed", "study"];

choices! {
    /// How the seeds of runs in different cells are related.
    pub enum Seeds {
        /// A repetition has the same seed in every cell.
        Paired = "paired",
        /// Every run has its own seed.
        Independent = "independent",
    }
}

const BASE: SettingKind = SettingKind::Either {
    of: &[
        SettingKind::Object {
            settings: SettingTable(&[]),
            free: true,
        },
        SettingKind::Text {
            most: 2_000,
            lines: false,
        },
    ],
};
const LEVELS: SettingKind = SettingKind::Map {
    of: &SettingKind::Map {
        of: &SettingKind::Free,
    },
};
const EXCLUDED: SettingKind = SettingKind::Map {
    of: &SettingKind::Free,
};
const AT_LEAST_ONE: SettingKind = SettingKind::Whole {
    min: 1,
    max: u32::MAX,
};

/// Settings of the tables of people.
#[derive(Debug, Clone, PartialEq)]
pub struct People {
    /// The room, with its seats once the cells are checked.
    pub plan: people::Plan,
    /// How many guests may leave a table before it is void.
    pub leavers: u32,
    /// As given.
    value: Value,
}

const PEOPLE: SettingTable = SettingTable(&[
    people::Plan::TABLE,
    &[whole("leavers", 0, MAX_SEATS).default(Literal::Whole(0))],
]);

fn people(top: &ConfigReader) -> Option<People> {
    let given = top.object("people");
    given.is_given().then(|| People {
        plan: people::Plan::read_object(&given),
        leavers: given.whole("leavers"),
        value: top.value("people").cloned().unwrap_or_default(),
    })
}

pub const SPEC: Spec = Spec {
    groups: &[],
    settings: SettingTable(&[Settings::TABLE]),
};

settings! {
    /// Checked settings of a study.
    pub struct Settings(top) {
        + whole("study", 1, 1).required();
        + SCHEMA;
        id: String = line(60).required() => top.text("id").to_owned();
        + text("title", 10_000);
        /// Without the settings that the plan sets.
        base: Value = of(BASE).required() => base(top);
        + map("factors", &LEVELS);
        /// Levels by factor.
        exclude: Vec<BTreeMap<String, String>> = list(&EXCLUDED, MAX_CELLS as u32) => excluded(top);
        /// Runs of a cell.
        n: u32 = whole(1, MAX_REPETITIONS).required();
        seed: u32 = whole(0, LARGEST_SEED).default(Literal::Whole(0));
        seeds: Seeds = one_of(Seeds::WORDS);
        + object("budget", SettingTable(&[&[number("cost", 1e-6, 1e9), whole("calls", 1, u32::MAX)]]));
        + object("limits", SettingTable(&[&[
            map("calls_at_once", &AT_LEAST_ONE),
            map("calls_per_minute", &AT_LEAST_ONE),
        ]]));
        /// `None`: no seat is of people.
        people: Option<People> = object(PEOPLE) => people(top);
        + of("outcomes", SettingKind::Lines);
    }
}

fn base(top: &ConfigReader) -> Value {
    let mut base = top.value("base").cloned().unwrap_or_default();
    if base.is_string() {
        top.fault("base", "study_base", vec![]);
    }
    if let Some(object) = base.as_object_mut() {
        for name in PLANNED {
            if object.remove(name).is_some_and(|value| !value.is_null()) {
                top.warn(&format!("base.{name}"), "without_effect", vec![]);
            }
        }
    }
    base
}

/// Reads levels by factor; numbers and truth values are levels that YAML reads so.
fn excluded(top: &ConfigReader) -> Vec<BTreeMap<String, String>> {
    let entries = top.value("exclude").and_then(Value::as_array);
    let level = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let cell = |entry: &Value| {
        let levels = entry.as_object().into_iter().flatten();
        levels
            .map(|(factor, value)| (factor.clone(), level(value)))
            .collect()
    };
    entries.into_iter().flatten().map(cell).collect()
}

/// Returns a warning for each limit of the study that concerns no model of a configuration.
fn unused_limits(config: &Value, limits: &Value) -> Vec<Fault> {
    let Some(limits) = limits.as_object() else {
        return Vec::new();
    };
    let mut config = config.clone();
    let mut paths = BTreeSet::new();
    for (name, hosts) in limits {
        config["limits"][name] = hosts.clone();
        let hosts = hosts.as_object().into_iter().flatten();
        paths.extend(hosts.map(|(host, _)| format!("limits.{name}.{host}")));
    }
    let found = procedures::check(&config).unwrap_or_default();
    found
        .into_iter()
        .filter(|fault| paths.contains(&fault.path))
        .collect()
}

/// A study file as JSON, with its factors and levels in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyFile {
    value: Value,
    order: Vec<(String, Vec<String>)>,
}

impl StudyFile {
    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Order {
            factors: Ordered<Ordered<IgnoredAny>>,
        }
        let value = canonical(&serde_json::from_str(text)?);
        let read = serde_json::from_str::<Order>(text);
        let factors = read.map_or_else(|_| Vec::new(), |order| order.factors.0);
        let names = |levels: Ordered<IgnoredAny>| levels.0.into_iter().map(|(name, _)| name).collect();
        let order = factors.into_iter().map(|(name, levels)| (name, names(levels)));
        Ok(Self {
            value,
            order: order.collect(),
        })
    }
}

/// Entries of an object in the order that JavaScript gives them: whole numbers ascending, then the rest as written.
struct Ordered<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Ordered<V>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Ordered<V>, A::Error> {
                let mut all: Vec<(String, V)> = Vec::new();
                while let Some((key, value)) = object.next_entry::<String, V>()? {
                    match all.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, known)) => *known = value,
                        None => all.push((key, value)),
                    }
                }
                let index = |key: &str| key.parse().ok().filter(|index: &u32| index.to_string() == key);
                all.sort_by_key(|(key, _)| index(key).map_or((1, 0), |index| (0, index)));
                Ok(Ordered(all))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A level of a factor: settings by path.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    name: String,
    settings: Vec<(String, Path, Value)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Factor {
    name: String,
    levels: Vec<Level>,
}

/// A combination of levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The levels in the order of the factors: `strict.small`.
    pub name: String,
    /// Level by factor.
    pub levels: BTreeMap<String, String>,
    /// Configuration of its runs, but for seed and repetition.
    pub config: Value,
}

/// A run of the plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Study, cell and repetition: `unanimity.strict.small.0007`.
    pub id: String,
    /// Name of its cell.
    pub cell: Rc<str>,
    /// From 1.
    pub repetition: u32,
    pub config: Value,
}

/// All runs of a study, in their order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Registration id.
    pub id: String,
    pub cells: Vec<Cell>,
    pub runs: Vec<Run>,
}

/// A fault or warning of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyFault {
    /// Cell whose configuration it concerns; the path is one of that configuration. `None`: it concerns the study file.
    pub cell: Option<String>,
    pub fault: Fault,
}

impl StudyFault {
    /// Returns the fault as JSON for the JavaScript API.
    #[must_use]
    pub fn message_in(&self, language: Language) -> Value {
        let mut message = self.fault.message_in(language);
        if let Some(cell) = &self.cell {
            message["cell"] = cell.as_str().into();
        }
        message
    }
}

impl Serialize for StudyFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.message_in(Language::English).serialize(serializer)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyError(pub Vec<StudyFault>);

impl Display for StudyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the study has {} fault(s):", self.0.len())?;
        self.0.iter().try_for_each(|StudyFault { cell, fault }| {
            let place = [cell.as_deref().unwrap_or_default(), &fault.path];
            let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
            let message = fault.message(Language::English);
            write!(formatter, "\n{}: {message}", place.join(" "))
        })
    }
}

impl std::error::Error for StudyError {}

/// A checked study.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    settings: Settings,
    factors: Vec<Factor>,
    pub cells: Vec<Cell>,
    pub people: Option<People>,
    pub warnings: Vec<StudyFault>,
}

impl Study {
    /// Checks a study and the configuration of each of its cells.
    ///
    /// # Errors
    /// Returns all faults.
    pub fn checked(file: &StudyFile) -> Result<Self, StudyError> {
        let of_file = |fault: Fault| StudyFault { cell: None, fault };
        let mut read = None;
        let result = checked(&file.value, SPEC.settings, |top| {
            let settings = Settings::read(top);
            if top.has("id") {
                check_name(top, "id", &settings.id, false);
            }
            let factors = read_factors(top, &file.order);
            let combinations = combine(top, &factors, &settings);
            read = Some((settings, factors, combinations));
        });
        let (warnings, faults) = match result {
            Ok(CheckedSettings { warnings, .. }) => (warnings, Vec::new()),
            Err(ConfigError(faults)) => (Vec::new(), faults),
        };
        let mut warnings: Vec<StudyFault> = warnings.into_iter().map(of_file).collect();
        let mut faults: Vec<StudyFault> = faults.into_iter().map(of_file).collect();
        let Some((settings, factors, combinations)) = read else {
            return Err(StudyError(faults));
        };
        let mut cells = Vec::new();
        let mut unused: Option<Vec<Fault>> = None;
        for combination in combinations {
            let levels = levels_of(&factors, &combination);
            let name = cell_name(&levels);
            let of_cell = |fault: Fault| StudyFault {
                cell: Some(name.clone()),
                fault,
            };
            let mut config = settings.base.clone();
            for (path, parsed, value) in levels.iter().flat_map(|(_, level)| &level.settings) {
                match parsed.places(&settings.base) {
                    Some(places) => {
                        for place in places {
                            set(&mut config, &place, value.clone());
                        }
                    }
                    None => faults.push(of_cell(Fault {
                        path: path.clone(),
                        code: "study_nowhere",
                        values: vec![],
                    })),
                }
            }
            match procedures::check(&config) {
                Ok(found) => {
                    warnings.extend(found.into_iter().map(of_cell));
                    let here = unused_limits(&config, &file.value["limits"]);
                    match &mut unused {
                        Some(unused) => {
                            unused.retain(|fault| here.iter().any(|other| other.path == fault.path))
                        }
                        None => unused = Some(here),
                    }
                }
                Err(error) => faults.extend(error.0.into_iter().map(of_cell)),
            }
            if !levels.is_empty() && config.get("condition").is_none_or(Value::is_null) {
                config["condition"] = name.as_str().into();
            }
            let levels = levels
                .iter()
                .map(|(factor, level)| (factor.name.clone(), level.name.clone()))
                .collect();
            cells.push(Cell { name, levels, config });
        }
        warnings.extend(unused.into_iter().flatten().map(of_file));
        let mut people = settings.people.clone();
        if let Some(people) = people.as_mut().filter(|_| faults.is_empty()) {
            let configs: Vec<&Value> = cells.iter().map(|cell| &cell.config).collect();
            let found = people.plan.choose_seats(&configs).into_iter();
            faults.extend(found.map(|(number, fault)| StudyFault {
                cell: number.map(|number| cells[number].name.clone()),
                fault: Fault {
                    path: match number {
                        Some(_) => fault.path,
                        None => format!("people.{}", fault.path),
                    },
                    ..fault
                },
            }));
        }
        if !faults.is_empty() {
            return Err(StudyError(faults));
        }
        Ok(Self {
            settings,
            factors,
            cells,
            people,
            warnings,
        })
    }

    /// Returns the number of runs of a cell.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        self.settings.n
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.settings.id
    }

    #[must_use]
    pub fn seed(&self) -> u32 {
        self.settings.seed
    }

    /// Returns the plan.
    #[must_use]
    pub fn plan(&self) -> Plan {
        Plan {
            id: self.registration(),
            cells: self.cells.clone(),
            runs: self.runs().collect(),
        }
    }

    /// Returns the runs: repetition by repetition, the cells of each in random order.
    pub fn runs(&self) -> impl Iterator<Item = Run> {
        let Settings { id, seed, seeds, .. } = &self.settings;
        let leavers = self.people.as_ref().map(|people| people.leavers);
        // Neither order nor seeds depend on how the file orders factors and levels.
        let mut cells: Vec<(&Cell, Rc<str>, String)> = self
            .cells
            .iter()
            .map(|cell| {
                (
                    cell,
                    cell.name.as_str().into(),
                    canonical_json(&json!(cell.levels)),
                )
            })
            .collect();
        cells.sort_by(|(one, ..), (other, ..)| one.levels.cmp(&other.levels));
        let draw = |of: &str| derived_seed(&sha256_hex(of.as_bytes()));
        (1..=self.settings.n).flat_map(move |repetition| {
            let mut order = cells.clone();
            Random::new(draw(&format!("{seed}/order/{repetition}"))).shuffle(&mut order);
            order.into_iter().map(move |(cell, name, levels)| {
                let mut config = cell.config.clone();
                config["seed"] = match seeds {
                    Seeds::Paired => draw(&format!("{seed}/{repetition}")),
                    Seeds::Independent => draw(&format!("{seed}/{repetition}/{levels}")),
                }
                .into();
                config["study"] = json!({ "id": id, "cell": cell.levels, "repetition": repetition });
                if let Some(leavers) = leavers {
                    config["study"]["leavers"] = leavers.into();
                }
                Run {
                    id: run_id(id, &name, repetition),
                    cell: name,
                    repetition,
                    config,
                }
            })
        })
    }

    /// Returns the configuration of a table of people, given its id and the participants in the head of its record; `None`
    /// if the plan has no such table.
    #[must_use]
    pub fn table(&self, id: &str, agents: &Value) -> Option<Value> {
        let people = self.people.as_ref()?;
        let run = self.runs().find(|run| is_of(&run.id, id))?;
        Some(people.plan.seated_as(&run.config, agents))
    }

    /// Returns the SHA-256 digest of what decides runs, in hex: the study without labels, the number of runs and what limits
    /// them, and the engine's version. The order of factors counts, since ids of runs have it.
    fn registration(&self) -> String {
        let settings = |level: &Level| {
            let settings = level.settings.iter();
            settings
                .map(|(path, _, value)| (path.clone(), value.clone()))
                .collect::<Map<String, Value>>()
        };
        let levels = |factor: &Factor| {
            let levels = factor.levels.iter();
            levels
                .map(|level| (level.name.clone(), settings(level).into()))
                .collect::<Map<String, Value>>()
        };
        let factors: Vec<(&str, Map<String, Value>)> = self
            .factors
            .iter()
            .map(|factor| (factor.name.as_str(), levels(factor)))
            .collect();
        let Settings {
            id,
            base,
            exclude,
            seed,
            seeds,
            ..
        } = &self.settings;
        let exclude: BTreeSet<_> = exclude.iter().collect();
        let mut study = json!({
            "study": 1, "id": id, "base": base, "factors": factors, "exclude": exclude, "seed": seed, "seeds": seeds,
        });
        if let Some(people) = &self.people {
            study["people"] = people.value.clone();
        }
        sha256_hex(canonical_json(&json!({ "engine": ENGINE, "study": study })).as_bytes())
    }
}

fn cell_name(levels: &[(&Factor, &Level)]) -> String {
    if levels.is_empty() {
        return ONLY_CELL.to_owned();
    }
    let names: Vec<&str> = levels.iter().map(|(_, level)| level.name.as_str()).collect();
    names.join(".")
}

fn run_id(study: &str, cell: &str, repetition: u32) -> String {
    format!("{study}.{cell}.{repetition:04}")
}

/// Returns the id of a table of people: that of its run, with the number of the attempt from the second on.
#[must_use]
pub fn table_id(run: &str, attempt: usize) -> String {
    match attempt {
        1 => run.to_owned(),
        attempt => format!("{run}.{attempt}"),
    }
}

/// Returns whether a table is of a run, by their ids.
#[must_use]
pub fn is_of(run: &str, table: &str) -> bool {
    let attempt = table
        .strip_prefix(run)
        .and_then(|rest| rest.strip_prefix('.')?.parse().ok());
    table == table_id(run, attempt.unwrap_or(1))
}

/// Checks the characters of a name. They are safe in file names and columns, and none is the point between names.
fn check_name(top: &ConfigReader, path: &str, name: &str, has_underscore: bool) {
    let is_allowed = |letter: char| {
        letter.is_ascii_lowercase()
            || letter.is_ascii_digit()
            || letter == '-'
            || (has_underscore && letter == '_')
    };
    if name.is_empty() || !name.chars().all(is_allowed) {
        let letters = if has_underscore {
            "a-z 0-9 - _"
        } else {
            "a-z 0-9 -"
        };
        top.fault(path, "study_name", vec![("letters", letters.into())]);
    }
}

/// Reads the factors in the order of the file.
fn read_factors(top: &ConfigReader, order: &[(String, Vec<String>)]) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    let factor_places = |name: &str| order.iter().position(|(known, _)| known == name);
    let mut given = top.entries("factors");
    given.sort_by_key(|(name, ..)| factor_places(name).unwrap_or(usize::MAX));
    for (factor, levels, _) in given {
        let path = format!("factors.{factor}");
        check_name(top, &path, factor, true);
        // Without levels there are no cells to check.
        let no_levels = Map::new();
        let levels = levels.as_object().unwrap_or(&no_levels);
        if levels.is_empty() {
            top.fault(&path, "study_empty", vec![]);
        }
        let level_order = factor_places(factor).map_or(&[][..], |place| &order[place].1);
        let mut levels: Vec<(&String, &Value)> = levels.iter().collect();
        levels.sort_by_key(|(name, _)| {
            let place = level_order.iter().position(|known| known == *name);
            place.unwrap_or(usize::MAX)
        });
        let levels = levels.into_iter().map(|(level, settings)| {
            let path = format!("{path}.{level}");
            check_name(top, &path, level, true);
            Level {
                name: level.clone(),
                settings: read_level(top, &path, settings),
            }
        });
        let levels = levels.collect();
        factors.push(Factor {
            name: factor.to_owned(),
            levels,
        });
    }
    check_overlaps(top, &factors);
    factors
}

fn read_level(top: &ConfigReader, level: &str, settings: &Value) -> Vec<(String, Path, Value)> {
    let mut read: Vec<(String, Path, Value)> = Vec::new();
    for (path, value) in settings.as_object().into_iter().flatten() {
        let own = format!("{level}.{path}");
        let Some(parsed) = Path::parse(path) else {
            top.fault(&own, "study_path", vec![]);
            continue;
        };
        if PLANNED.contains(&parsed.top()) {
            top.fault(&own, "study_planned", vec![]);
            continue;
        }
        if let Some((other, ..)) = read.iter().find(|(_, other, _)| other.overlaps(&parsed)) {
            top.fault(
                &own,
                "study_twice",
                vec![("other", format!("{level}.{other}").into())],
            );
        }
        read.push((path.clone(), parsed, value.clone()));
    }
    read
}

/// Two factors must not set the same setting: one of them would win.
fn check_overlaps(top: &ConfigReader, factors: &[Factor]) {
    let mut paths: Vec<(&str, String, &Path)> = Vec::new();
    for factor in factors {
        for level in &factor.levels {
            for (path, parsed, _) in &level.settings {
                let own = format!("factors.{}.{}.{path}", factor.name, level.name);
                let is_same = |(other, _, path): &&(&str, String, &Path)| {
                    *other != factor.name && path.overlaps(parsed)
                };
                if let Some((_, other, _)) = paths.iter().find(is_same) {
                    top.fault(&own, "study_twice", vec![("other", other.as_str().into())]);
                }
                paths.push((&factor.name, own, parsed));
            }
        }
    }
}

/// The place of a level of each factor.
type Combination = Vec<usize>;

fn levels_of<'a>(factors: &'a [Factor], combination: &[usize]) -> Vec<(&'a Factor, &'a Level)> {
    let levels = factors.iter().zip(combination);
    levels
        .map(|(factor, place)| (factor, &factor.levels[*place]))
        .collect()
}

/// Returns the combinations of levels that are not excluded, in file order, and checks their number.
fn combine(top: &ConfigReader, factors: &[Factor], settings: &Settings) -> Vec<Combination> {
    let counts = factors.iter().map(|factor| factor.levels.len());
    let count = counts.fold(1_usize, usize::saturating_mul);
    if count > MAX_CELLS {
        let values = vec![("count", count.into()), ("most", MAX_CELLS.into())];
        top.fault("factors", "study_cells", values);
        return Vec::new();
    }
    for (index, excluded) in settings.exclude.iter().enumerate() {
        let path = format!("exclude[{index}]");
        if excluded.is_empty() {
            top.fault(&path, "study_empty", vec![]);
        }
        for (factor, level) in excluded {
            let path = format!("{path}.{factor}");
            match factors.iter().find(|known| known.name == *factor) {
                None => top.fault(&path, "study_no_factor", vec![]),
                Some(known) if !known.levels.iter().any(|known| known.name == *level) => {
                    let names: Vec<&str> = known.levels.iter().map(|level| level.name.as_str()).collect();
                    let values = vec![("found", level.into()), ("words", names.join(", ").into())];
                    top.fault(&path, "one_of", values);
                }
                Some(_) => {}
            }
        }
    }
    if !settings.base.is_object() {
        return Vec::new();
    }
    let mut all: Vec<Combination> = vec![Vec::new()];
    for factor in factors {
        let with = |before: &Combination| {
            let before = before.clone();
            (0..factor.levels.len()).map(move |place| [before.as_slice(), &[place]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    let is_excluded = |combination: &Combination| {
        let levels = levels_of(factors, combination);
        let has = |(factor, level): (&String, &String)| {
            let mut levels = levels.iter();
            levels.any(|(known, own)| known.name == *factor && own.name == *level)
        };
        let mut all = settings.exclude.iter();
        all.any(|excluded| !excluded.is_empty() && excluded.iter().all(has))
    };
    all.retain(|combination| !is_excluded(combination));
    if all.is_empty() && count > 0 {
        top.fault("exclude", "study_none", vec![]);
    }
    let runs = all.len().saturating_mul(settings.n as usize);
    if runs > MAX_RUNS {
        top.fault(
            "n",
            "study_runs",
            vec![("count", runs.into()), ("most", MAX_RUNS.into())],
        );
    }
    let length = |combination: &Combination| {
        run_id(&settings.id, &cell_name(&levels_of(factors, combination)), 1).len()
    };
    let longest = all.iter().map(length).max().unwrap_or_default();
    if longest > MAX_ID {
        top.fault(
            "factors",
            "study_long",
            vec![("count", longest.into()), ("most", MAX_ID.into())],
        );
    }
    all
}
