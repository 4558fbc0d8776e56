//! Texts in every language, by key, with variables such as `{name}`: [templates](super::template). Each text can be
//! replaced in the configuration. The texts are stored with the procedures that use them.

use super::Language;
use super::files::Files;
use super::template::{self, variables};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;

pub type Table = BTreeMap<Key<'static>, String>;

/// A key ordered by its hash. Keys share long prefixes, so comparing them as text is slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key<'a>(u32, &'a str);

impl<'a> From<&'a str> for Key<'a> {
    fn from(key: &'a str) -> Self {
        // FNV-1a.
        let add_byte = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        Self(key.bytes().fold(0x811c_9dc5, add_byte), key)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(Self::from)
    }
}

/// The texts of a part of the lab in every language, by key.
pub struct Texts(Files<Table>);

impl Texts {
    #[must_use]
    pub const fn new(files: Files<Table>) -> Self {
        Self(files)
    }

    /// Returns the files in the order of [`Language::ALL`].
    #[must_use]
    pub fn files(&self) -> [&'static str; Language::ALL.len()] {
        self.0.texts()
    }

    fn get<'a>(&'a self, language: Language, key: &'a str) -> Option<&'a String> {
        let table: &BTreeMap<Key<'_>, String> = self.0.of(language);
        table.get(&Key::from(key))
    }

    /// Whether the key exists.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.get(Language::default(), key).is_some()
    }

    /// Returns all texts of a language unformatted, in alphabetical order of the keys.
    #[must_use]
    pub fn listed(&'static self, language: Language) -> Vec<Listed> {
        let entry = |(key, text): (&'static Key<'static>, &'static String)| {
            let variables = variables(text);
            let Key(_, key) = *key;
            (key, Listed { key, variables, text })
        };
        let listed: BTreeMap<_, _> = self.0.of(language).iter().map(entry).collect();
        listed.into_values().collect()
    }

    /// Returns the variables of a text, or `None` for an unknown key.
    #[must_use]
    pub fn variables<'a>(&'a self, key: &'a str) -> Option<Vec<&'a str>> {
        let text = self.get(Language::default(), key);
        text.map(|text| variables(text))
    }
}

/// Texts of one language, with the replacements of a configuration.
#[derive(Clone)]
pub struct Words {
    language: Language,
    texts: Vec<&'static Texts>,
    overrides: BTreeMap<String, String>,
}

impl Words {
    /// Takes replacements by key in `overrides`. Their variables must have been checked with
    /// [`Texts::variables`].
    #[must_use]
    pub fn new(texts: &'static Texts, language: Language, overrides: &BTreeMap<String, String>) -> Self {
        Self {
            language,
            texts: vec![texts],
            overrides: overrides.clone(),
        }
    }

    /// Adds further texts, used for keys that the first do not have.
    #[must_use]
    pub fn and(mut self, more: &'static Texts) -> Self {
        self.texts.push(more);
        self
    }

    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the text with its variables replaced. Values are not searched for variables. Values without
    /// a variable are ignored, and a variable without a value stays. An unknown key is returned itself;
    /// tests exclude such keys.
    #[must_use]
    pub fn text(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let template = self.raw(key);
        if values.is_empty() {
            return template.to_owned();
        }
        template::fill(template, |name| {
            let value = values.iter().find(|(known, _)| *known == name);
            Cow::Owned(value.map_or_else(|| format!("{{{name}}}"), |(_, value)| value.to_string()))
        })
    }

    /// Returns a text that depends on a count: `KEY.one` or `KEY.other`, with the variable `count`.
    #[must_use]
    pub fn counted(&self, key: &str, count: u64, values: &[(&str, &dyn Display)]) -> String {
        let form = if count == 1 { "one" } else { "other" };
        let values: Vec<_> = values
            .iter()
            .copied()
            .chain([("count", &count as &dyn Display)])
            .collect();
        self.text(&format!("{key}.{form}"), &values)
    }

    /// Returns the text that replaces a prompt or text in the configuration.
    pub(super) fn replacement(&self, key: &str) -> Option<&str> {
        self.overrides.get(key).map(String::as_str)
    }

    /// Returns the text of a key unformatted.
    #[must_use]
    pub fn raw<'a>(&'a self, key: &'a str) -> &'a str {
        let stored = || self.texts.iter().find_map(|texts| texts.get(self.language, key));
        self.overrides
            .get(key)
            .or_else(stored)
            .map_or(key, String::as_str)
    }
}

/// A replaceable text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    pub key: &'static str,
    /// Its variables, without braces, in the order of first use.
    pub variables: Vec<&'static str>,
    /// The unformatted text.
    pub text: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    static TEXTS: Texts = Texts::new(Files::new(
        [r#"{"system.name": "You are {name}.", "class.high": "High", "class.low": "Low"}"#;
            Language::ALL.len()],
    ));

    fn with(key: &str, text: &str) -> Words {
        Words::new(
            &TEXTS,
            Language::English,
            &BTreeMap::from([(key.to_owned(), text.to_owned())]),
        )
    }

    #[test]
    fn values_are_filled_in_once() {
        let hidden = "{bank} {name}";
        let words = with("system.name", "{name}, {bank} and {name}: {} {Name} {a b} {é");
        let text = words.text("system.name", &[("name", &hidden), ("bank", &7)]);
        assert_eq!(text, "{bank} {name}, 7 and {bank} {name}: {} {Name} {a b} {é");
    }

    #[test]
    fn a_variable_without_value_stays_and_a_spare_value_is_ignored() {
        let words = with("system.name", "{{name}} {other}{name}");
        let text = words.text("system.name", &[("name", &"Ann"), ("spare", &1)]);
        assert_eq!(text, "{Ann} {other}Ann");
    }

    #[test]
    fn overrides_come_first_then_the_texts_in_their_order() {
        static MORE: Texts = Texts::new(Files::new(
            [r#"{"class.low": "Lower", "more": "Further"}"#; Language::ALL.len()],
        ));
        let words = with("class.high", "Top").and(&MORE);
        assert_eq!(words.text("class.high", &[]), "Top");
        assert_eq!(words.text("class.low", &[]), "Low");
        assert_eq!(words.text("more", &[]), "Further");
        assert_eq!(words.text("nothing", &[]), "nothing");
    }

    #[test]
    fn variables_are_names_in_braces() {
        assert_eq!(TEXTS.variables("system.name"), Some(vec!["name"]));
        assert_eq!(TEXTS.variables("class.high"), Some(vec![]));
        assert_eq!(TEXTS.variables("system.nam"), None);
    }

    #[test]
    fn texts_are_listed_in_order_with_their_variables() {
        let listed = TEXTS.listed(Language::Spanish);
        let keys: Vec<&str> = listed.iter().map(|text| text.key).collect();
        assert_eq!(keys, ["class.high", "class.low", "system.name"]);
        assert_eq!(listed[2].variables, ["name"]);
    }
}
