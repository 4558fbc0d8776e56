//! What is written once for each language: a file each, in one folder, read when it is first asked for.

use super::Language;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Lists of words by key. A file of them holds no `\\`: what they say is borrowed from it.
pub type Lists = BTreeMap<&'static str, Vec<&'static str>>;

/// Rewrites each English file before it is first read: the pseudo-language of tests/pseudo.rs.
#[doc(hidden)]
pub static REWRITE: OnceLock<fn(&'static str) -> &'static str> = OnceLock::new();

/// The contents of a file in every language.
pub struct Files<T> {
    texts: [&'static str; Language::ALL.len()],
    read: [OnceLock<T>; Language::ALL.len()],
}

impl<T> Files<T> {
    /// From the JSON texts, in the order of [`Language::ALL`]: see [`in_each_language`](super::in_each_language).
    #[must_use]
    pub const fn new(texts: [&'static str; Language::ALL.len()]) -> Self {
        Self {
            texts,
            read: [const { OnceLock::new() }; Language::ALL.len()],
        }
    }

    /// The JSON texts as they are.
    #[must_use]
    pub fn texts(&self) -> [&'static str; Language::ALL.len()] {
        self.texts
    }
}

impl<T: Deserialize<'static> + Default> Files<T> {
    /// What stands there in that language; nothing where its file cannot be read, which a test of each
    /// user rules out.
    pub fn of(&self, language: Language) -> &T {
        let place = language as usize;
        self.read[place].get_or_init(|| {
            let text = self.texts[place];
            let rewrite = REWRITE.get().filter(|_| language == Language::English);
            serde_json::from_str(rewrite.map_or(text, |rewrite| rewrite(text))).unwrap_or_default()
        })
    }
}

impl Files<Lists> {
    /// The words of a key in a language.
    pub fn list(&'static self, language: Language, key: &str) -> &'static [&'static str] {
        self.of(language).get(key).map_or(&[], Vec::as_slice)
    }
}
