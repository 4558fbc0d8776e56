//! Language-independent lookups of phrases, from one file per language: approval and rejection, opposites,
//! negations, instructions. For the syntax of phrases, see [`super::phrases`].

use super::phrases::Phrases;
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

static LISTS: Files<BTreeMap<String, Vec<String>>> = in_each_language!("../words/signs");

/// Returns the phrases of a key in all languages.
pub(super) fn phrases(key: &str) -> &'static Phrases {
    static ALL: LazyLock<BTreeMap<&str, Phrases>> = LazyLock::new(|| {
        let keys = LISTS.of(Language::default()).keys();
        keys.map(|key| {
            (
                key.as_str(),
                Phrases::from(signs(key).map(str::to_owned).collect::<Vec<_>>()),
            )
        })
        .collect()
    });
    static NONE: OnceLock<Phrases> = OnceLock::new();
    ALL.get(key).unwrap_or_else(|| NONE.get_or_init(Phrases::default))
}

/// Returns the words of a key in all languages.
pub(super) fn signs(key: &str) -> impl Iterator<Item = &'static str> {
    let of = move |language| LISTS.of(language).get(key).into_iter().flatten();
    Language::ALL.into_iter().flat_map(of).map(String::as_str)
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
