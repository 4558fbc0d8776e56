//! Rows of the golden folder and the corpus folder for the tests of readers. When a folder is absent,
//! it says so and gives nothing.

#![allow(dead_code, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use std::path::PathBuf;

fn lines(variable: &str, default: &str, file: &str) -> Option<Vec<Value>> {
    let folder = std::env::var_os(variable).map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(default),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
        eprintln!("{} is absent: nothing tested", folder.join(file).display());
        return None;
    };
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a row is JSON"))
            .collect(),
    )
}

/// The rows of one function in a golden file, without the debatable ones.
pub(crate) fn golden(file: &str, function: &str) -> Option<Vec<Value>> {
    let mut rows = lines("QUORATE_GOLDEN", "../shared/golden", file)?;
    rows.retain(|row| row["fn"] == function && row["verdict"] != "debatable");
    Some(rows)
}

/// The rows of a corpus file.
pub(crate) fn corpus(file: &str) -> Option<Vec<Value>> {
    lines("QUORATE_CORPUS", "../shared/corpus", file)
}

/// What the default profile should give for a row.
pub(crate) fn wanted(row: &Value) -> &Value {
    row.get("recommended").unwrap_or(&row["expected"])
}

/// The language of a row.
pub(crate) fn language(row: &Value) -> quorate::language::Language {
    row["lang"]
        .as_str()
        .and_then(quorate::language::Language::from_name)
        .unwrap_or_default()
}
