//! The texts of the lab in three languages, by key, with variables such as `{name}` filled in. Each
//! text can be replaced from the configuration. Which text is used when stands in the protocols.

use super::Language;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::sync::LazyLock;

type Table = BTreeMap<String, String>;

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
    pub fn new(language: Language, overrides: &BTreeMap<String, String>) -> Self {
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
        let entry =
            |(key, text): (&'static String, &'static String)| (key.as_str(), variables(text));
        ENGLISH.iter().map(entry).collect()
    }
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
    let Some(unknown) = variables(text)
        .into_iter()
        .find(|name| !known.contains(name))
    else {
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
        let end = self.0[from..]
            .find('{')
            .map_or(self.0.len(), |at| from + at);
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
