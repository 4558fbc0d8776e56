//! A language is a file beside each of its sisters and a line in a list: whatever is missing is told in a sentence.

use quorate::language::Language;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where each language has words of its own, under keys of its own: what readers look for in answers.
const OWN: &str = "src/reading/words";

/// What languages lack of the words that English has in the folders below `root`.
fn lacking(root: &Path, codes: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    english(&root.join("src"), &mut files);
    english(&root.join("www"), &mut files);
    files.sort();
    let mut told = Vec::new();
    for file in &files {
        let words = read(file).unwrap();
        for code in codes {
            let other = file.with_file_name(format!("{code}.json"));
            let name = other
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            match read(&other) {
                Err(fault) => told.push(format!(
                    "{name}: {fault}; each language has the files that English has"
                )),
                Ok(_) if name.starts_with(OWN) => {}
                Ok(other) => compare(&words, &other, &mut |fault| told.push(format!("{name}: {fault}"))),
            }
        }
    }
    told
}

fn read(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|fault| fault.to_string())?;
    serde_json::from_str(&text).map_err(|fault| fault.to_string())
}

/// Files of English words, but for what is built.
fn english(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let is = |name: &str| path.file_name().is_some_and(|own| own == name);
        match path.is_dir() {
            true if !is("pkg") && !is("vendor") => english(&path, into),
            false if is("en.json") => into.push(path),
            _ => {}
        }
    }
}

fn compare(words: &Value, other: &Value, tell: &mut dyn FnMut(String)) {
    let (Some(words), Some(other)) = (words.as_object(), other.as_object()) else {
        return tell("has to be an object of keys and texts".to_owned());
    };
    for (key, text) in words {
        match other.get(key) {
            None => tell(format!("the text \"{key}\" is missing")),
            Some(own) if text.is_object() => compare(text, own, tell),
            Some(own) if variables(text) != variables(own) => tell(format!(
                "the text \"{key}\" has the variables {:?}, in English {:?}",
                variables(own),
                variables(text)
            )),
            Some(_) => {}
        }
    }
    let unknown = other.keys().filter(|key| !words.contains_key(*key));
    unknown.for_each(|key| tell(format!("there is no text \"{key}\" in English")));
}

/// Names in braces of a text, or of all wordings of one.
fn variables(of: &Value) -> BTreeSet<String> {
    let name = regex::Regex::new(r"\{([A-Za-z0-9_]+)\}").unwrap();
    let all: Vec<&str> = match of {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    all.iter()
        .flat_map(|text| name.captures_iter(text))
        .map(|found| found[1].to_owned())
        .collect()
}

#[test]
fn every_language_has_the_words_that_english_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lacking = lacking(root, &Language::CODES);
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

#[test]
fn what_a_language_lacks_is_told_in_sentences() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages");
    let _ = fs::remove_dir_all(&root);
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put(
        "src/a/en.json",
        r#"{ "b": "{name} speaks", "c": ["one", "two {n}"], "d": { "e": "f" } }"#,
    );
    put(
        "src/a/fr.json",
        r#"{ "b": "{nom} parle", "c": ["un"], "d": {}, "g": "" }"#,
    );
    put("src/reading/words/en.json", r#"{ "yes": "yes" }"#);
    put("src/reading/words/fr.json", r#"{ "oui": "oui" }"#);
    put("www/i18n/en.json", "{}");
    put("www/pkg/en.json", "{}");
    assert_eq!(
        lacking(&root, &["en", "fr"]),
        [
            "src/a/fr.json: the text \"b\" has the variables {\"nom\"}, in English {\"name\"}",
            "src/a/fr.json: the text \"c\" has the variables {}, in English {\"n\"}",
            "src/a/fr.json: the text \"e\" is missing",
            "src/a/fr.json: there is no text \"g\" in English",
            "www/i18n/fr.json: No such file or directory (os error 2); each language has the files that English has",
        ]
    );
}

/// Where languages are listed, or brought in one by one, besides the list of the engine.
#[test]
fn every_list_names_every_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for code in Language::CODES {
        for (file, line) in [
            ("www/languages.js", format!("\n  {code}: {{ name: ")),
            ("www/join/words.js", format!("\"./words/{code}.json\"")),
            ("www/join/words.js", format!("\"../i18n/{code}.json\"")),
            ("www/join/words.js", format!(" {code}: ")),
            ("src/web/quorate.d.ts", format!("\"{code}\"")),
            ("src/export/words/en.json", format!("\"language.{code}\": ")),
            ("www/i18n/en.json", format!("\"language.{code}\": ")),
        ] {
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(
                text.contains(&line),
                "{file} does not name the language {code}: {line}"
            );
        }
    }
}
