//! The texts of the lab in three languages, by key, with variables such as `{name}` filled in. Each
//! text can be replaced from the configuration. Which text is used when stands in the protocols.

use super::Language;
use crate::sorted::SortedMap;
use serde::Serialize;
use std::fmt::{Display, Write};
use std::sync::LazyLock;

type Table = SortedMap<String, String>;

static ENGLISH: LazyLock<Table> = LazyLock::new(|| parse(include_str!("en.json")));
static SPANISH: LazyLock<Table> = LazyLock::new(|| parse(include_str!("es.json")));
static MANDARIN: LazyLock<Table> = LazyLock::new(|| parse(include_str!("zh.json")));

/// The texts of one language, with the replacements of a configuration.
#[derive(Debug, Clone)]
pub struct Words {
    language: Language,
    overrides: Table,
}

impl Words {
    /// The texts of a language; `overrides` (key to text) come first. They are taken as they are:
    /// check them with [`check_override`] before.
    #[must_use]
    pub fn new(language: Language, overrides: &SortedMap<String, String>) -> Self {
        Self {
            language,
            overrides: overrides.clone(),
        }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text with its variables filled in. Values are never looked through for variables again,
    /// values without a variable are ignored, a variable without a value stays. A key that does
    /// not exist gives the key; the tests keep such keys out of the code.
    #[must_use]
    pub fn text(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let template = self.raw(key);
        if values.is_empty() {
            return template.to_owned();
        }
        let mut out = String::with_capacity(template.len() * 2);
        for piece in Pieces(template) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Variable(name) => {
                    // Writing to a String fails only if the value's own Display does.
                    let _ = match values.iter().find(|(known, _)| *known == name) {
                        Some((_, value)) => write!(out, "{value}"),
                        None => write!(out, "{{{name}}}"),
                    };
                }
            }
        }
        out
    }

    /// The text of a key as it is stored, variables and all.
    #[must_use]
    pub fn raw<'a>(&'a self, key: &'a str) -> &'a str {
        let stored = || table(self.language).get(key);
        self.overrides
            .get(key)
            .or_else(stored)
            .map_or(key, String::as_str)
    }

    /// Whether there is such a text.
    #[must_use]
    pub fn has(key: &str) -> bool {
        ENGLISH.contains_key(key)
    }

    /// Every key in alphabetical order, with the variables that its text can use.
    #[must_use]
    pub fn keys() -> Vec<(&'static str, Vec<&'static str>)> {
        let all = Self::listed(Language::English).into_iter();
        all.map(|listed| (listed.key, listed.variables)).collect()
    }

    /// Every text of a language as it is stored, in alphabetical order of the keys.
    #[must_use]
    pub fn listed(language: Language) -> Vec<Listed> {
        let entry = |(key, text): (&'static String, &'static String)| Listed {
            key,
            variables: variables(text),
            text,
        };
        table(language).iter().map(entry).collect()
    }
}

/// A text that can be replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The key.
    pub key: &'static str,
    /// Its variables, without braces, in the order of their first use.
    pub variables: Vec<&'static str>,
    /// The text as it is stored.
    pub text: &'static str,
}

/// Whether a configuration may replace the text of `key` by `text`. Only `{name}` in lower-case
/// letters counts as a variable; other braces stand for themselves. Variables may be left out.
///
/// # Errors
/// A sentence that says which key or variable is unknown.
pub fn check_override(key: &str, text: &str) -> Result<(), String> {
    let Some(original) = ENGLISH.get(key) else {
        return Err(format!("there is no text with the key \"{key}\""));
    };
    let known = variables(original);
    let Some(unknown) = variables(text).into_iter().find(|name| !known.contains(name)) else {
        return Ok(());
    };
    let choice = match known.as_slice() {
        [] => "it has none".to_owned(),
        names => format!("it has {{{}}}", names.join("}, {")),
    };
    Err(format!(
        "the text \"{key}\" has no variable {{{unknown}}}; {choice}"
    ))
}

fn table(language: Language) -> &'static Table {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
        Language::Mandarin => &MANDARIN,
    }
}

fn parse(json: &str) -> Table {
    serde_json::from_str(json).unwrap_or_default()
}

/// The variables of a text, each once, in the order of their first use.
fn variables(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for piece in Pieces(text) {
        match piece {
            Piece::Variable(name) if !names.contains(&name) => names.push(name),
            _ => {}
        }
    }
    names
}

enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
}

/// A template from left to right.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.0.is_empty() {
            return None;
        }
        if let Some((name, rest)) = leading_variable(self.0) {
            self.0 = rest;
            return Some(Piece::Variable(name));
        }
        let mut from = 1.min(self.0.len());
        while !self.0.is_char_boundary(from) {
            from += 1;
        }
        let end = self.0[from..].find('{').map_or(self.0.len(), |at| from + at);
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(Piece::Text(text))
    }
}

/// `{name}` at the start of a text: the name, and what follows.
fn leading_variable(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('{')?.split_once('}')?;
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (!name.is_empty() && name.bytes().all(fits)).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(language: Language) -> Words {
        Words::new(language, &SortedMap::new())
    }

    fn with(key: &str, text: &str) -> Words {
        Words::new(
            Language::English,
            &SortedMap::from([(key.to_owned(), text.to_owned())]),
        )
    }

    #[test]
    fn values_are_filled_in_once() {
        let hidden = "{bank} {name}";
        let words = with(
            "justice.system.name",
            "{name}, {bank} and {name}: {} {Name} {a b} {é",
        );
        let text = words.text("justice.system.name", &[("name", &hidden), ("bank", &7)]);
        assert_eq!(text, "{bank} {name}, 7 and {bank} {name}: {} {Name} {a b} {é");
    }

    #[test]
    fn a_variable_without_value_stays_and_a_spare_value_is_ignored() {
        let words = with("justice.system.name", "{{name}} {other}{name}");
        let text = words.text("justice.system.name", &[("name", &"Ann"), ("spare", &1)]);
        assert_eq!(text, "{Ann} {other}Ann");
    }

    #[test]
    fn overrides_come_first_and_other_texts_stay() {
        let words = with("justice.class.high", "Top");
        assert_eq!(words.text("justice.class.high", &[]), "Top");
        assert_eq!(words.text("justice.class.low", &[]), "Low");
        assert_eq!(words.text("nothing", &[]), "nothing");
    }

    #[test]
    fn overrides_are_checked() {
        assert_eq!(
            check_override("justice.system.name", "I am {name}. {json: {}}"),
            Ok(())
        );
        assert_eq!(check_override("justice.system.name", "Nobody."), Ok(()));
        assert_eq!(
            check_override("justice.system.name", "{name} {role}"),
            Err("the text \"justice.system.name\" has no variable {role}; it has {name}".to_owned())
        );
        assert_eq!(
            check_override("justice.class.high", "{x}"),
            Err("the text \"justice.class.high\" has no variable {x}; it has none".to_owned())
        );
        assert_eq!(
            check_override("justice.system.nam", ""),
            Err("there is no text with the key \"justice.system.nam\"".to_owned())
        );
    }

    #[test]
    fn keys_name_their_variables() {
        let keys = Words::keys();
        assert!(keys.len() > 200 && keys.is_sorted());
        assert!(keys.contains(&("justice.table.share", vec!["class", "percent"])));
    }

    #[test]
    fn the_languages_have_the_same_keys_and_variables() {
        for language in [Language::Spanish, Language::Mandarin] {
            let other = table(language);
            assert!(!other.is_empty() && other.keys().eq(ENGLISH.keys()));
            for (key, text) in ENGLISH.iter() {
                let sorted = |text| {
                    let mut names = variables(text);
                    names.sort_unstable();
                    names
                };
                assert_eq!(sorted(text), sorted(&other[key]), "{key} in {language:?}");
            }
        }
    }

    /// A file with a key twice would silently lose one.
    #[test]
    fn no_key_stands_twice() {
        for json in [
            include_str!("en.json"),
            include_str!("es.json"),
            include_str!("zh.json"),
        ] {
            let lines = json.lines().filter(|line| line.starts_with("  \"")).count();
            assert_eq!(lines, ENGLISH.len());
        }
    }

    #[test]
    fn every_text_is_translated() {
        let letters = |text: &str| -> String {
            let texts = Pieces(text).filter_map(|piece| match piece {
                Piece::Text(text) => Some(text),
                Piece::Variable(_) => None,
            });
            texts.flat_map(str::chars).filter(|c| c.is_alphabetic()).collect()
        };
        for (key, text) in ENGLISH.iter() {
            let (english, spanish) = (letters(text), letters(&SPANISH[key]));
            assert!(english.is_empty() || english != spanish, "{key}: {spanish}");
            let chinese = letters(&MANDARIN[key]);
            assert!(
                !chinese.chars().any(|c| c.is_ascii_alphabetic()),
                "{key}: {chinese}"
            );
            assert_eq!(english.is_empty(), chinese.is_empty(), "{key}");
        }
    }

    #[test]
    fn no_text_has_braces_other_than_variables() {
        for language in Language::ALL {
            let words = words(language);
            for (key, text) in table(language) {
                let values: Vec<(&str, &dyn Display)> = variables(text)
                    .into_iter()
                    .map(|name| (name, &"x" as &dyn Display))
                    .collect();
                assert!(
                    !words.text(key, &values).contains(['{', '}']),
                    "{key} in {language:?}"
                );
            }
        }
    }

    /// Keys that are put together in the code, by their beginnings.
    const BUILT: [&str; 3] = ["justice.problem.", "justice.retry.fix.", "justice.retry.example."];

    #[test]
    fn the_code_uses_every_key_and_no_other() {
        let literal = regex::Regex::new(r#""((?:justice|discussion)(?:\.[a-z0-9_]+){2,})""#).unwrap();
        let mut used = std::collections::BTreeSet::new();
        let mut folders = vec![std::path::PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src"
        ))];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs")
                    && !path.ends_with("words.rs")
                {
                    let source = std::fs::read_to_string(path).unwrap();
                    used.extend(literal.captures_iter(&source).map(|found| found[1].to_owned()));
                }
            }
        }
        for key in &used {
            assert!(Words::has(key), "{key} is used, but there is no such text");
        }
        for (key, _) in Words::keys() {
            let built = BUILT.iter().any(|beginning| key.starts_with(beginning));
            assert!(built || used.contains(key), "{key} is never used");
        }
    }
}
