//! The words that are looked for in a text whatever its language, from a file a language: for and against,
//! opposites, negations, what reads like an instruction. Phrases are written as [`super::scan`] tells.

use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::collections::BTreeMap;
use std::sync::OnceLock;

static LISTS: Files<Lists> = in_each_language!("../words/signs");

/// The words of a key in all languages, to be looked for.
pub(super) fn phrases(key: &str) -> &'static Phrases<'static> {
    static READ: OnceLock<BTreeMap<&str, Phrases>> = OnceLock::new();
    static NONE: Phrases = Phrases::none();
    let read = READ.get_or_init(|| {
        let keys = LISTS.of(Language::default()).keys();
        keys.map(|key| (*key, Phrases::new(signs(key)))).collect()
    });
    read.get(key).unwrap_or(&NONE)
}

/// The words of a key in all languages.
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
