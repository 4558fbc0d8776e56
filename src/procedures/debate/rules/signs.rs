//! Language-independent lookups of phrases, from one file per language: approval and rejection, opposites,
//! negations, instructions. For the syntax of phrases, see [`super::scan`].

use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::collections::BTreeMap;
use std::sync::OnceLock;

static LISTS: Files<Lists> = in_each_language!("../words/signs");

/// Returns the phrases of a key in all languages, parsed.
pub(super) fn phrases(key: &str) -> &'static Phrases<'static> {
    static READ: OnceLock<BTreeMap<&str, Phrases>> = OnceLock::new();
    static NONE: Phrases = Phrases::none();
    let read = READ.get_or_init(|| {
        let keys = LISTS.of(Language::default()).keys();
        keys.map(|key| (*key, Phrases::new(signs(key)))).collect()
    });
    read.get(key).unwrap_or(&NONE)
}

/// Returns the phrases of a key in all languages.
pub(super) fn signs(key: &str) -> Vec<&'static str> {
    let of = |language| LISTS.list(language, key).iter().copied();
    Language::ALL.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_words_for_each_key() {
        for language in Language::ALL {
            let keys = LISTS.of(language).keys();
            assert!(keys.eq(LISTS.of(Language::default()).keys()), "{language:?}");
            assert!(LISTS.of(language).values().all(|words| !words.is_empty()));
        }
    }
}
