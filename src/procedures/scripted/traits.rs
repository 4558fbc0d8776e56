//! Traits in a participant's description, found by word stems.

use crate::language::Language;
use crate::language::files::{Files, Lists};

/// A key of the lists of stems, and the effect of that trait on a persona.
pub(in crate::procedures) type Adjustment<P> = (&'static str, fn(&mut P));

/// Adjusts a persona by the traits whose stems occur in its description, in any language.
pub(in crate::procedures) fn adjust<P>(
    persona: &mut P,
    description: &str,
    stems: &'static Files<Lists>,
    adjustments: &[Adjustment<P>],
) {
    let description = description.to_lowercase();
    let words = || description.split(|c: char| !c.is_alphanumeric() && c != '-');
    let has_stem = |stem: &&str| {
        if stem.starts_with(|c: char| c >= '\u{3000}') {
            description.contains(stem)
        } else {
            words().any(|word| word.starts_with(stem))
        }
    };
    for (key, effect) in adjustments {
        let lists = Language::ALL.map(|language| stems.list(language, key));
        if lists.into_iter().flatten().any(has_stem) {
            effect(persona);
        }
    }
}
