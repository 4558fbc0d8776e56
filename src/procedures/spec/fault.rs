//! Faults and warnings of a configuration, with a path and a sentence in each language. The sentences are in
//! `words/`.

use crate::language::words::{Texts, Words};
use crate::language::{Language, in_each_language};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Display;

static SENTENCES: Texts = Texts::new(in_each_language!("words"));

/// A fault or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path, e.g. `agents[1].temperature`; empty for the whole configuration.
    pub path: String,
    /// Key of the sentence, which states the fault and what is allowed.
    pub code: &'static str,
    /// Values for the placeholders of the sentence.
    pub values: Vec<(&'static str, FaultValue)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultValue {
    /// A text that is the same in every language.
    Text(String),
    /// Key of another sentence.
    Word(&'static str),
    /// Keys of several alternatives.
    Any(Vec<&'static str>),
}

impl FaultValue {
    fn render(&self, words: &Words) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Word(key) => words.raw(key).to_owned(),
            Self::Any(keys) => {
                let all: Vec<&str> = keys.iter().map(|key| words.raw(key)).collect();
                all.join(words.raw("or"))
            }
        }
    }
}

impl<T: Display> From<T> for FaultValue {
    fn from(value: T) -> Self {
        Self::Text(value.to_string())
    }
}

impl Fault {
    /// Returns the sentence in `language`.
    #[must_use]
    pub fn message(&self, language: Language) -> String {
        let words = Words::new(&SENTENCES, language, &BTreeMap::new());
        let rendered: Vec<(&str, String)> = self
            .values
            .iter()
            .map(|(name, value)| (*name, value.render(&words)))
            .collect();
        let values: Vec<(&str, &dyn Display)> = rendered
            .iter()
            .map(|(name, text)| (*name, text as &dyn Display))
            .collect();
        words.text(self.code, &values)
    }

    /// Returns the fault as JSON for the JavaScript API.
    #[must_use]
    pub fn message_in(&self, language: Language) -> serde_json::Value {
        serde_json::json!({ "path": self.path, "code": self.code, "message": self.message(language) })
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.message_in(Language::English).serialize(serializer)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConfigError(pub Vec<Fault>);

impl Display for ConfigError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the configuration has {} fault(s):", self.0.len())?;
        self.0.iter().try_for_each(|fault| {
            let path = if fault.path.is_empty() {
                "(whole)"
            } else {
                &fault.path
            };
            write!(formatter, "\n{path}: {}", fault.message(Language::English))
        })
    }
}

impl std::error::Error for ConfigError {}
