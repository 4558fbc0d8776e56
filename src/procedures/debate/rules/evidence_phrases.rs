//! Phrases that indicate claims, vagueness, evidence and reasoning, from one file per language. The English
//! lists are those of the published measure; the others were added. For the syntax of phrases, see
//! [`super::scan`].

use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::sync::OnceLock;

/// Phrases of one language.
pub(super) struct Words {
    /// Precede the name of a source.
    pub(super) according: &'static [&'static str],
    /// Precede a source, with a colon.
    pub(super) source: &'static [&'static str],
    /// Introduce an example; with a final ` *` a word must follow.
    pub(super) example: &'static [&'static str],
    /// Precede the number of a change.
    pub(super) changed: &'static [&'static str],
    /// Stand between such a word and its number.
    pub(super) by: &'static [&'static str],
    /// Units of time; the first match is used.
    pub(super) time: &'static [&'static str],
    /// Vague words.
    pub(super) vague: Phrases<'static>,
    /// Announce exact information.
    pub(super) specific: Phrases<'static>,
    /// Connect a reason with its consequence.
    pub(super) connectors: Phrases<'static>,
    /// First words of a question.
    pub(super) questions: Phrases<'static>,
    /// First words of a conjecture.
    pub(super) hedges: Phrases<'static>,
    /// Signs of a claim.
    pub(super) claims: Phrases<'static>,
}

static LISTS: Files<Lists> = in_each_language!("../words/evidence");

/// Returns the phrases of a language.
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

/// Language-independent signs of data.
pub(super) const CURRENCY: [char; 5] = ['$', '€', '£', '¥', '￥'];
pub(super) const SIZES: [&str; 4] = ["kb", "mb", "gb", "tb"];
