//! What the native tests share: rows of the golden files and of the corpus of published runs, and simulated
//! worlds around a session. Where a folder is absent, its tests compare nothing and pass; `scripts/test.sh` warns of it.

#[path = "../../../src/export/csv_reader.rs"]
pub(crate) mod csv_reader;
pub(crate) mod filled;
pub(crate) mod hall;
pub(crate) mod talk;
pub(crate) mod venue;
pub(crate) mod world;

use quorate::core::record::{Command, Entry, EntryKind};
use quorate::core::{Input, Session, Status};
use quorate::language::Language;
use quorate::procedures;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The lines of a golden file; `None` where the folder is absent.
pub(crate) fn golden_lines(file: &str) -> Option<Vec<String>> {
    lines("QUORATE_GOLDEN", "../shared/golden", file)
}

/// The names of the golden files; none where the folder is absent.
pub(crate) fn golden_files() -> Vec<String> {
    let files = fs::read_dir(folder("QUORATE_GOLDEN", "../shared/golden"));
    let names = files.into_iter().flatten().flatten().map(|file| file.file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".jsonl"));
    names.sort_unstable();
    names
}

/// Rows of a golden file that are not debatable; none where the folder is absent.
pub(crate) fn golden(file: &str) -> Vec<Value> {
    let mut rows = parsed(golden_lines(file).unwrap_or_default(), file);
    rows.retain(|row| row["verdict"] != "debatable");
    rows
}

/// Those of one function.
pub(crate) fn golden_of(file: &str, function: &str) -> Vec<Value> {
    let mut rows = golden(file);
    rows.retain(|row| row["fn"] == function);
    rows
}

/// Rows of a corpus file; none where the folder is absent.
pub(crate) fn corpus(file: &str) -> Vec<Value> {
    parsed(
        lines("QUORATE_CORPUS", "../shared/corpus", file).unwrap_or_default(),
        file,
    )
}

/// What the default profile should give for a row.
pub(crate) fn wanted(row: &Value) -> &Value {
    row.get("recommended").unwrap_or(&row["expected"])
}

/// The language of a row.
pub(crate) fn language(row: &Value) -> Language {
    let named = row["lang"].as_str().and_then(Language::from_name);
    named.unwrap_or_default()
}

fn parsed(lines: Vec<String>, file: &str) -> Vec<Value> {
    let row = |line: &String| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{file}: {fault}"));
    lines.iter().map(row).collect()
}

fn folder(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join(default),
        PathBuf::from,
    )
}

fn lines(variable: &str, default: &str, file: &str) -> Option<Vec<String>> {
    let folder = folder(variable, default);
    let Ok(text) = fs::read_to_string(folder.join(file)) else {
        eprintln!(
            "{file} is not in {} ({variable}): nothing to compare with",
            folder.display()
        );
        return None;
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Some(lines.map(str::to_owned).collect())
}

/// Whether every row and seed is tested, as by `make test-all`.
fn is_all() -> bool {
    std::env::var("QUORATE_TESTS").is_ok_and(|tests| tests == "all")
}

/// `few` rounds of a test, or `all` by `make test-all`.
pub(crate) fn times<T>(few: T, all: T) -> T {
    if is_all() { all } else { few }
}

/// Every tenth item, or all of them by `make test-all`.
pub(crate) fn tenth<T>(items: Vec<T>) -> Vec<T> {
    items.into_iter().step_by(times(10, 1)).collect()
}

/// A run that has ended opens from its record alone as it stands, and a note can be added to it.
pub(crate) fn opens_as_it_stands(session: &Session) {
    let record = session.record();
    let Some(mut opened) = procedures::ended(&record) else {
        let is_reseating = |entry: &Rc<Entry>| matches!(&entry.what, EntryKind::Commanded { command } if matches!(command, Command::Reseat { .. }));
        assert!(record.iter().any(is_reseating), "{:?}", record.last());
        return;
    };
    assert_eq!(opened.record(), record);
    assert_eq!(
        (opened.status(), opened.usage(), opened.deadline()),
        (Status::Ended, session.usage(), None)
    );
    assert_eq!((opened.open_asks(), opened.only_for()), (Vec::new(), None));
    let note = Command::Annotate {
        ask: "1".to_owned(),
        values: Value::Null,
    };
    let added = opened.handle(0, Input::Command(note.clone())).entries;
    let told: Vec<&EntryKind> = added.iter().map(|entry| &entry.what).collect();
    assert_eq!(told, [&EntryKind::Commanded { command: note }]);
    assert_eq!(opened.handle(0, Input::Command(Command::Resume)).entries, []);
}

/// Seconds that this thread has computed, where the system tells them (Linux), so that what else the machine does makes no
/// test fail; else seconds on the clock.
#[allow(clippy::disallowed_types, reason = "measures tests")]
pub(crate) fn seconds_computed() -> f64 {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || BEGUN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64(),
        |nanoseconds| nanoseconds / 1e9,
    )
}
