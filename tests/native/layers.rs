//! The layers of the crate, as docs/architecture.md lists them. Nothing outside
//! `src/web` knows a browser, no layer names one above it, and nothing looks at a clock, at chance or
//! at the order of a hash map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every part of the crate and the other parts that it may name. `web` may name all.
const LAYERS: [(&str, &[&str]); 13] = [
    ("principle.rs", &[]),
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
    ("room", BESIDE_PROCEDURES),
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

/// Names that follow `crate::` in a line.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let end = |rest: &str| {
        rest.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len())
    };
    line.split("crate::").skip(1).map(move |rest| &rest[..end(rest)])
}

fn is_word_in(line: &str, word: &str) -> bool {
    let parts = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.into_iter().any(|part| part == word)
}

#[test]
fn only_the_web_layer_knows_a_browser() {
    let browser = [
        "web_sys",
        "js_sys",
        "wasm_bindgen",
        "wasm_bindgen_futures",
        "serde_wasm_bindgen",
        "gloo_net",
        "gloo",
        "idb",
    ];
    let mut in_web = 0;
    for source in sources() {
        for (number, line) in source.lines.iter().enumerate() {
            let found = browser.iter().any(|name| is_word_in(line, name));
            if source.path.starts_with("web/") {
                in_web += u32::from(found);
            } else {
                assert!(!found, "src/{}:{}: {line}", source.path, number + 1);
            }
        }
    }
    assert!(in_web > 10, "this test has lost its eyes");
}

#[test]
fn no_layer_names_one_above_it() {
    let mut seen = BTreeSet::new();
    for source in sources() {
        if source.path.starts_with("web/") || source.path == "lib.rs" {
            continue;
        }
        let layer = LAYERS
            .iter()
            .filter(|(layer, _)| source.path == *layer || source.path.starts_with(&format!("{layer}/")))
            .max_by_key(|(layer, _)| layer.len());
        assert!(layer.is_some(), "src/{} belongs to no layer", source.path);
        let (layer, may_name) = layer.unwrap();
        seen.insert(*layer);
        let own = layer.split(['/', '.']).next().unwrap();
        for (number, line) in source.lines.iter().enumerate() {
            for name in named(line) {
                let is_allowed = name == own || may_name.contains(&name);
                assert!(
                    is_allowed,
                    "src/{}:{}: {layer} names {name}: {line}",
                    source.path,
                    number + 1
                );
            }
            // A folder's own file reaches its sibling layers by `crate::` only, where it is seen here.
            let is_top = source.path == format!("{layer}/mod.rs");
            assert!(
                !is_top || !line.contains("super::"),
                "src/{}: {line}",
                source.path
            );
        }
    }
    assert_eq!(seen.len(), LAYERS.len(), "{seen:?}");
}

#[test]
fn nothing_pure_looks_at_a_clock_or_at_the_order_of_a_hash_map() {
    for source in sources() {
        if source.path.starts_with("web/") {
            continue;
        }
        for (number, line) in source.lines.iter().enumerate() {
            for word in [
                "SystemTime",
                "Instant",
                "HashMap",
                "HashSet",
                "thread_rng",
                "getrandom",
                "static_mut",
                "unsafe",
            ] {
                assert!(
                    !is_word_in(line, word),
                    "src/{}:{}: {line}",
                    source.path,
                    number + 1
                );
            }
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
const LEFT: [usize; 3] = [21, 13, 0];
