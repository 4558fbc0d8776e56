//! The reference page of all settings, made from the tables.

use super::{all, page_words, words_of};
use quorate::procedures::ALL;
use quorate::procedures::spec::{DefaultValue, Literal, Setting, SettingKind, Spec};
use quorate::room::plan;
use quorate::study;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const HEAD: &str = "\
# Settings

Every setting of a configuration (YAML or JSON), by procedure, and of a [room](rooms.md). Required settings are bold.

- `agents.kind` means the key `kind` of each entry of the list `agents`.
- Null means that a setting is not given. An unknown key is a fault; `check` reports all faults with their paths.
- `quorate.schema.json` describes the same settings for editors.

Generated from `src/procedures/*/settings.rs`, `src/people.rs` and `src/room/plan.rs`; do not edit. See \"Add a setting\" in
[CONTRIBUTING.md](../CONTRIBUTING.md#add-a-setting).
";

/// Path of the settings that a study has of a room.
const PEOPLE: &str = "people.";

/// The page.
pub(super) fn text() -> String {
    let mut text = HEAD.to_owned();
    let tables: Vec<BTreeMap<String, String>> = ALL
        .into_iter()
        .map(|procedure| {
            all(procedure.spec.settings)
                .into_iter()
                .map(|(path, setting)| (path.clone(), row(&path, setting, &words(&path, setting))))
                .collect()
        })
        .collect();
    let mut part = |title: &str, rows: &mut dyn Iterator<Item = String>| {
        write!(
            text,
            "\n## {title}\n\n| Setting | Values | Default | Description |\n| --- | --- | --- | --- |\n"
        )
        .unwrap();
        rows.for_each(|row| text.push_str(&row));
    };
    let everywhere = |yes: bool, number: usize| {
        let tables = &tables;
        all(ALL[number].spec.settings)
            .into_iter()
            .filter_map(move |(path, setting)| {
                let row = row(&path, setting, &words(&path, setting));
                let is_everywhere = tables.iter().all(|table| table.get(&path) == Some(&row));
                (is_everywhere == yes).then_some(row)
            })
    };
    part("In every procedure", &mut everywhere(true, 0));
    for (number, procedure) in ALL.into_iter().enumerate() {
        part(procedure.name, &mut everywhere(false, number));
    }
    part("A room", &mut rows(plan::SPEC, room_words()).into_iter());
    text
}

/// The page about studies.
pub(super) fn study() -> String {
    let words = study_words();
    let settings = all(study::plan::SPEC.settings).into_iter();
    // The others are those of a room.
    let own = settings.filter(|(path, _)| !path.starts_with(PEOPLE) || path == "people.leavers");
    let rows: Vec<String> = own
        .map(|(path, setting)| row(&path, setting, words(&path)))
        .collect();
    let table = "| Setting | Values | Default | Description |\n| --- | --- | --- | --- |\n";
    include_str!("study.md").replace("{settings}\n", &(table.to_owned() + &rows.concat()))
}

fn rows(spec: Spec, words: impl Fn(&str) -> &'static str) -> Vec<String> {
    let settings = all(spec.settings);
    settings
        .into_iter()
        .map(|(path, setting)| row(&path, setting, words(&path)))
        .collect()
}

/// What is said of a room's setting at a path, in words of their own: the page has a form for the most of them and YAML for
/// the rest.
pub(super) fn room_words() -> impl Fn(&str) -> &'static str {
    words_in("room.json", include_str!("room.json"), plan::SPEC)
}

/// What is said of a study's setting at a path.
pub(super) fn study_words() -> impl Fn(&str) -> &'static str {
    let own = words_in("study.json", include_str!("study.json"), study::plan::SPEC);
    let room = room_words();
    move |path| match path.strip_prefix(PEOPLE) {
        Some(path) if path != "leavers" => room(path),
        _ => own(path),
    }
}

fn words_in(file: &'static str, words: &'static str, spec: Spec) -> impl Fn(&str) -> &'static str {
    let words: BTreeMap<&str, &str> = serde_json::from_str(words).unwrap();
    let count = words.len();
    let key = move |path: &str| {
        let common = format!("*.{}", path.rsplit('.').next().unwrap_or(path));
        let (key, what) = words
            .get_key_value(path)
            .or_else(|| words.get_key_value(&*common))?;
        Some((*key, *what))
    };
    let settings = all(spec.settings);
    let used: BTreeSet<_> = settings
        .iter()
        .filter_map(|(path, _)| Some(key(path)?.0))
        .collect();
    assert_eq!(used.len(), count, "words for nothing");
    move |path| {
        key(path)
            .unwrap_or_else(|| panic!("{file} has no words for {path}"))
            .1
    }
}

/// What the page says of a setting.
fn words(path: &str, setting: &Setting) -> String {
    let words = page_words_once();
    let key = words_of(path, setting);
    let word = |key: &str| {
        words
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let mut what = word(&key);
    let help = word(&format!("{key}.help"));
    if !help.is_empty() {
        what = format!("{what}. {help}");
    }
    what
}

fn row(path: &str, setting: &Setting, what: &str) -> String {
    let mut what = what.to_owned();
    for name in setting.also {
        write!(what, " Alias: `{name}`.").unwrap();
    }
    for (name, values) in setting.when {
        write!(what, " Applies if `{name}` is {}.", values.join(" or ")).unwrap();
    }
    if setting.since != "0.1" {
        write!(what, " Since {}.", setting.since).unwrap();
    }
    let name = if setting.required {
        format!("**`{path}`**")
    } else {
        format!("`{path}`")
    };
    let unit = setting.unit.map_or(String::new(), |unit| format!(" {unit}"));
    let cells = [name, of(&setting.kind) + &unit, usual(setting), what];
    format!(
        "| {} |\n",
        cells
            .map(|cell| cell.replace('|', "\\|").replace('\n', " "))
            .join(" | ")
    )
}

fn page_words_once() -> &'static serde_json::Map<String, Value> {
    static WORDS: std::sync::OnceLock<serde_json::Map<String, Value>> = std::sync::OnceLock::new();
    WORDS.get_or_init(|| page_words("en"))
}

fn of(kind: &SettingKind) -> String {
    match *kind {
        SettingKind::Flag => "true or false".to_owned(),
        SettingKind::Whole { min, max: u32::MAX } => format!("whole number ≥ {min}"),
        SettingKind::Whole { min, max } => format!("whole number {min} to {max}"),
        SettingKind::Number { min, .. } if min.is_infinite() => "number".to_owned(),
        SettingKind::Number { min, max } if max.is_infinite() => format!("number ≥ {min}"),
        SettingKind::Number { min, max } => format!("number {min} to {max}"),
        SettingKind::Text { most, lines: true } => format!("text of {most} characters"),
        SettingKind::Text { most, .. } => format!("line of {most} characters"),
        SettingKind::Address { .. } => "address".to_owned(),
        SettingKind::OneOf { words, also, .. } => {
            let all: Vec<String> = words
                .iter()
                .chain(also.iter().map(|(word, _)| word))
                .map(|word| format!("`{word}`"))
                .collect();
            all.join(", ")
        }
        SettingKind::Lines => "text of lines, or list of texts".to_owned(),
        SettingKind::Pair => "two numbers, the smaller first".to_owned(),
        SettingKind::Object { .. } => "object".to_owned(),
        SettingKind::List { of: inner, most } => format!("list of up to {most}: {}", of(inner)),
        SettingKind::Map { of: inner } => format!("object with free keys: {}", of(inner)),
        SettingKind::Either { of: any } => any.iter().map(of).collect::<Vec<_>>().join("; or "),
        SettingKind::Free => "anything".to_owned(),
    }
}

fn usual(setting: &Setting) -> String {
    match setting.usual {
        DefaultValue::Nothing if setting.required => "required".to_owned(),
        DefaultValue::Nothing => "–".to_owned(),
        DefaultValue::Is(plain) => shown(plain),
        DefaultValue::By {
            setting,
            when,
            otherwise,
        } => {
            let cases: Vec<String> = when
                .iter()
                .map(|(value, plain)| format!("{} if `{setting}` is {value}", shown(*plain)))
                .collect();
            format!("{}; {}", shown(otherwise), cases.join("; "))
        }
    }
}

fn shown(plain: Literal) -> String {
    format!("`{}`", serde_json::to_string(&plain).unwrap())
}
