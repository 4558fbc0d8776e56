//! Texts in one file per language, parsed on first use.

use super::Language;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Lists of words by key. The files contain no `\\`, because the words are borrowed from them.
pub type Lists = BTreeMap<&'static str, Vec<&'static str>>;

/// Rewrites each English file before it is parsed: the pseudo-language of tests/pseudo.rs.
#[doc(hidden)]
pub static REWRITE: OnceLock<fn(&'static str) -> &'static str> = OnceLock::new();

/// The parsed files of all languages.
pub struct Files<T> {
    texts: [&'static str; Language::ALL.len()],
    parsed: [OnceLock<T>; Language::ALL.len()],
}

impl<T> Files<T> {
    /// Takes the texts in the order of [`Language::ALL`]: see
    /// [`in_each_language`](super::in_each_language).
    #[must_use]
    pub const fn new(texts: [&'static str; Language::ALL.len()]) -> Self {
        Self {
            texts,
            parsed: [const { OnceLock::new() }; Language::ALL.len()],
        }
    }

    /// Returns the texts unchanged.
    #[must_use]
    pub fn texts(&self) -> [&'static str; Language::ALL.len()] {
        self.texts
    }

    /// Returns the file of a language, parsed by `parse` on first use.
    pub fn parsed(&self, language: Language, parse: fn(&'static str) -> T) -> &T {
        let place = language as usize;
        self.parsed[place].get_or_init(|| {
            let text = self.texts[place];
            let rewrite = REWRITE.get().filter(|_| language == Language::English);
            parse(rewrite.map_or(text, |rewrite| rewrite(text)))
        })
    }
}

impl<T: Deserialize<'static> + Default> Files<T> {
    /// Returns the parsed JSON file of a language. An invalid file gives the default; tests of each user exclude
    /// this.
    pub fn of(&self, language: Language) -> &T {
        self.parsed(language, |text| serde_json::from_str(text).unwrap_or_default())
    }
}

impl Files<Lists> {
    /// Returns the words of a key in a language.
    pub fn list(&'static self, language: Language, key: &str) -> &'static [&'static str] {
        self.of(language).get(key).map_or(&[], Vec::as_slice)
    }
}
