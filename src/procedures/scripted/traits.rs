//! Traits in a participant's description, found by word stems.

use crate::language::Language;
use crate::language::files::{Files, Lists};

/// Returns the list keys whose stems occur in a description, in any language.
pub(in crate::procedures) fn named(lists: &'static Files<Lists>, description: &str) -> Vec<&'static str> {
    let description = description.to_lowercase();
    let words = || description.split(|c: char| !c.is_alphanumeric() && c != '-');
    let has_stem = |stem: &str| {
        if stem.starts_with(|c: char| c >= '\u{3000}') {
            description.contains(stem)
        } else {
            words().any(|word| word.starts_with(stem))
        }
    };
    let traits = lists.of(Language::default()).keys().copied();
    traits
        .filter(|key| {
            let mut stems = Language::ALL
                .into_iter()
                .flat_map(|language| lists.list(language, key));
            stems.any(|stem| has_stem(stem))
        })
        .collect()
}
