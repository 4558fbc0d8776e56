//! The layers of the crate, as docs/architecture.md lists them. Modules of one crate can always name each other, so
//! their order is checked here. The rest is left to the compiler and clippy: crates of the browser are there for
//! WebAssembly alone, for which only `src/web` is compiled, and `clippy.toml` names clocks and hash maps.

use std::path::{Path, PathBuf};

/// Every part of the crate and the other parts that it may name. `web` may name all.
const LAYERS: [(&str, &[&str]); 15] = [
    ("principle", &[]),
    ("feed", &[]),
    ("language", &[]),
    ("thought", &["language"]),
    ("reading", &["language", "principle", "thought"]),
    ("seat", &["language", "principle"]),
    ("core", &["language", "seat"]),
    ("providers", &["language", "seat", "core"]),
    (
        "procedures",
        &["language", "reading", "principle", "seat", "core"],
    ),
    ("costs", &["language", "procedures", "providers", "seat", "core"]),
    (
        "export",
        &["costs", "language", "principle", "procedures", "seat", "core"],
    ),
    ("memory", BESIDE_PROCEDURES),
    ("people", BESIDE_PROCEDURES),
    ("study", &["language", "procedures", "core", "costs", "people"]),
    (
        "room",
        &["language", "procedures", "seat", "core", "people", "study"],
    ),
];

const BESIDE_PROCEDURES: &[&str] = &["language", "procedures", "seat", "core"];

struct Source {
    /// Below `src`, with slashes.
    path: String,
    /// Lines of code: no comments, no tests.
    lines: Vec<String>,
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn collect(folder: &Path, into: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, into);
            continue;
        }
        let name = path
            .strip_prefix(source_folder())
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let is_for_tests = name.ends_with("/tests.rs") || name == "export/samples.rs";
        if name.ends_with(".rs") && !is_for_tests {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap();
            let lines = code
                .lines()
                .map(|line| line.split("//").next().unwrap().to_owned());
            into.push(Source {
                path: name,
                lines: lines.collect(),
            });
        }
    }
}

fn sources() -> Vec<Source> {
    let mut all = Vec::new();
    collect(&source_folder(), &mut all);
    assert!(all.len() > 60, "{} files", all.len());
    all
}

#[test]
fn no_layer_names_one_above_it() {
    for source in sources() {
        let layer = source.path.split(['/', '.']).next().unwrap();
        if ["lib", "web"].contains(&layer) {
            continue;
        }
        let found = LAYERS.iter().find(|(name, _)| *name == layer);
        let (_, may_name) = found.unwrap_or_else(|| panic!("src/{} belongs to no layer", source.path));
        // A folder's own file reaches its sibling layers by `crate::` only, where it is seen here.
        let is_top = source.path == format!("{layer}/mod.rs");
        for (number, line) in source.lines.iter().enumerate() {
            let named = line.split("crate::").skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                &rest[..end.unwrap_or(rest.len())]
            });
            for name in named {
                let is_allowed = name == layer || may_name.contains(&name);
                assert!(
                    is_allowed,
                    "src/{}:{}: {layer} names {name}: {line}",
                    source.path,
                    number + 1
                );
            }
            assert!(
                !is_top || !line.contains("super::"),
                "src/{}: {line}",
                source.path
            );
        }
    }
}

/// Whether a literal holds words of another language than English.
fn is_foreign(literal: &str) -> bool {
    let spanish = "áéíóúñÁÉÍÓÚÑ¿¡";
    literal
        .chars()
        .any(|c| spanish.contains(c) || matches!(c, '\u{3040}'..='\u{9fff}'))
}

/// The string literals of a line of code.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

/// Words of people's languages stand in files. What is left in the code is labels and letters of the
/// readers and short lists of debates and scripted seats; each number may only fall.
#[test]
fn words_of_other_languages_stand_in_files() {
    let mut found: Vec<(&str, usize)> = vec![("reading/", 0), ("procedures/", 0), ("", 0)];
    let mut places = Vec::new();
    for source in &sources() {
        for (number, line) in source.lines.iter().enumerate() {
            for literal in literals(line).filter(|literal| is_foreign(literal)) {
                places.push(format!("src/{}:{}: {literal}", source.path, number + 1));
                if let Some(part) = found.iter_mut().find(|(part, _)| source.path.starts_with(part)) {
                    part.1 += 1;
                }
            }
        }
    }
    let limits = [("reading/", LEFT[0]), ("procedures/", LEFT[1]), ("", LEFT[2])];
    assert_eq!(found, limits, "{}", places.join("\n"));
}

/// Literals that are left in the code, by part.
const LEFT: [usize; 3] = [21, 4, 0];
