//! The words by which claims, vagueness, evidence and reasoning are recognised, from a file a
//! language. The English lists are those of the published measure; the others are ours. Phrases are
//! written as [`super::scan`] tells.

use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::sync::OnceLock;

/// The words of one language.
pub(super) struct Words {
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
    pub(super) vague: Phrases<'static>,
    /// Words that announce something exact.
    pub(super) specific: Phrases<'static>,
    /// Words between a reason and what follows.
    pub(super) connectors: Phrases<'static>,
    /// First words of a question.
    pub(super) questions: Phrases<'static>,
    /// First words of what is only guessed.
    pub(super) hedges: Phrases<'static>,
    /// Signs of a claim.
    pub(super) claims: Phrases<'static>,
}

static LISTS: Files<Lists> = in_each_language!("../words/evidence");

/// The words of a language.
pub(super) fn words(language: Language) -> &'static Words {
    static READ: [OnceLock<Words>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    let list = |key| LISTS.list(language, key);
    let phrases = |key| Phrases::new(list(key).iter().copied());
    READ[language as usize].get_or_init(|| Words {
        according: list("according"),
        source: list("source"),
        example: list("example"),
        changed: list("changed"),
        by: list("by"),
        time: list("time"),
        vague: phrases("vague"),
        specific: phrases("specific"),
        connectors: phrases("connectors"),
        questions: phrases("questions"),
        hedges: phrases("hedges"),
        claims: phrases("claims"),
    })
}

/// Signs of data that need no language.
pub(super) const CURRENCY: [char; 5] = ['$', '€', '£', '¥', '￥'];
/// Units of size.
pub(super) const SIZES: [&str; 4] = ["kb", "mb", "gb", "tb"];
