//! Which kinds of golden rows are compared with nothing: counted and named, with the reason. Not for the comparing.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// File, function, and why there is nothing to compare.
const NOT_COMPARED: [(&str, &str, &str); 11] = [
    (
        "debate-misc.jsonl",
        "budget_shares",
        "material is cut by its own limits, not by shares of a budget",
    ),
    (
        "debate-misc.jsonl",
        "domain_keywords",
        "domains of ratings are named by the configuration, not guessed from words",
    ),
    (
        "debate-misc.jsonl",
        "sanitize_agent_output",
        "what others wrote is quoted, not rewritten",
    ),
    (
        "justice-formatting.jsonl",
        "backoff",
        "pauses are the core's, with its own limits",
    ),
    (
        "justice-ranking_parse.jsonl",
        "choice_failure_type",
        "the reasons are the readers' own",
    ),
    (
        "justice-ranking_parse.jsonl",
        "count_numbered",
        "no step of the one reader",
    ),
    (
        "justice-ranking_parse.jsonl",
        "ranking_failure_type",
        "the reasons are the readers' own",
    ),
    (
        "justice-statistics.jsonl",
        "bias_corrected_cramers_v",
        "statistics are for the programs that load the tables",
    ),
    (
        "justice-statistics.jsonl",
        "cramers_v",
        "statistics are for the programs that load the tables",
    ),
    (
        "justice-statistics.jsonl",
        "fisher_freeman_halton_p",
        "statistics are for the programs that load the tables",
    ),
    (
        "justice-truncation.jsonl",
        "apply_content_truncation",
        "one cut for all texts, compared by itself",
    ),
];

fn sources() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    let files = fs::read_dir(folder).unwrap();
    let tests = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.file_name().unwrap() != "golden_kinds.rs");
    tests.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

#[test]
fn kinds_of_rows_that_nothing_is_compared_with_are_named() {
    let sources = sources();
    let mut unknown = Vec::new();
    for file in support::golden_files() {
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for row in support::golden(&file) {
            *kinds
                .entry(row["fn"].as_str().unwrap_or("-").to_owned())
                .or_default() += 1;
        }
        let quoted = |text: &str| format!("\"{text}\"");
        let users: Vec<&String> = sources
            .iter()
            .filter(|source| source.contains(&quoted(&file)))
            .collect();
        for (kind, rows) in &kinds {
            let is_named = users.iter().any(|source| source.contains(&quoted(kind)));
            // A file of one kind, and what is told apart by another field, is read whole.
            let is_whole = !users.is_empty()
                && (kinds.len() == 1
                    || file.starts_with("justice-keyword_match")
                    || file.starts_with("justice-principle_extraction"));
            let known = NOT_COMPARED
                .iter()
                .find(|(of, name, _)| *of == file && name == kind);
            match known {
                Some((.., why)) => println!("not compared: {rows} rows {file} {kind}: {why}"),
                None if is_named || is_whole => {}
                None => unknown.push(format!(
                    "not compared: {rows} rows {file} {kind}: nobody knows why"
                )),
            }
        }
    }
    unknown.iter().for_each(|line| println!("{line}"));
    // Kinds that other folders hold are named; those of the usual folder have their reason.
    assert!(
        std::env::var_os("QUORATE_GOLDEN").is_some() || unknown.is_empty(),
        "{}",
        unknown.join("\n")
    );
}
