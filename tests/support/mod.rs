//! Rows of the shared golden files and of the corpus of published runs. Where a folder is absent, its
//! tests say so and pass: the project's own cases stand without it.
#![allow(dead_code, clippy::panic)]

use serde_json::Value;
use std::path::PathBuf;

/// Rows of a golden file that are not debatable.
pub(crate) fn golden(file: &str) -> Vec<Value> {
    let mut rows = lines("QUORATE_GOLDEN", "../shared/golden", file);
    rows.retain(|row| row["verdict"] != "debatable");
    rows
}

/// Rows of a corpus file.
pub(crate) fn corpus(file: &str) -> Vec<Value> {
    lines("QUORATE_CORPUS", "../shared/corpus", file)
}

fn lines(variable: &str, default: &str, file: &str) -> Vec<Value> {
    let folder = std::env::var_os(variable).map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(default),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
        eprintln!(
            "{file} is not in {} ({variable}): nothing to compare with",
            folder.display()
        );
        return Vec::new();
    };
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{file}: {fault}")))
        .collect()
}
