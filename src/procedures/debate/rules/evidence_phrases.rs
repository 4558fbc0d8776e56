//! The words by which claims, vagueness, evidence and reasoning are recognised, from a file a
//! language. The English lists are those of the published measure; the others are ours. Phrases are
//! written as [`super::scan`] tells.

use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};

/// The words of one language.
pub(super) struct Phrases {
    /// Before the name of a source.
    pub(super) according: &'static [&'static str],
    /// Before a source, with a colon.
    pub(super) source: &'static [&'static str],
    /// An example; with ` *` at its end where a word has to follow.
    pub(super) example: &'static [&'static str],
    /// Before a number that says by how much something changed.
    pub(super) changed: &'static [&'static str],
    /// Between such a word and its number.
    pub(super) by: &'static [&'static str],
    /// Units of time; the first that fits is taken.
    pub(super) time: &'static [&'static str],
    /// Words that say little.
    pub(super) vague: &'static [&'static str],
    /// Words that announce something exact.
    pub(super) specific: &'static [&'static str],
    /// Words between a reason and what follows.
    pub(super) connectors: &'static [&'static str],
    /// First words of a question.
    pub(super) questions: &'static [&'static str],
    /// First words of what is only guessed.
    pub(super) hedges: &'static [&'static str],
    /// Signs of a claim.
    pub(super) claims: &'static [&'static str],
}

static LISTS: Files<Lists> = in_each_language!("../words/evidence");

/// The words of a language.
pub(super) fn phrases(language: Language) -> Phrases {
    let list = |key| LISTS.list(language, key);
    Phrases {
        according: list("according"),
        source: list("source"),
        example: list("example"),
        changed: list("changed"),
        by: list("by"),
        time: list("time"),
        vague: list("vague"),
        specific: list("specific"),
        connectors: list("connectors"),
        questions: list("questions"),
        hedges: list("hedges"),
        claims: list("claims"),
    }
}

/// Signs of data that need no language.
pub(super) const CURRENCY: [char; 5] = ['$', '€', '£', '¥', '￥'];
/// Units of size.
pub(super) const SIZES: [&str; 4] = ["kb", "mb", "gb", "tb"];
