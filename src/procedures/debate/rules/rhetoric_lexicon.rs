//! The words by which patterns of speech are recognised, from a file a language. The English lists are
//! those of the published observer; the others are ours. Phrases are written as [`super::scan`] tells.

use super::rhetoric::Pattern;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};

static LISTS: Files<Lists> = in_each_language!("../words/rhetoric");

/// The signs of one pattern.
pub(super) struct Signs {
    pub(super) pattern: Pattern,
    /// Words that hint at it.
    pub(super) keywords: &'static [&'static str],
    /// Turns of phrase that show it.
    pub(super) turns: &'static [&'static str],
}

/// The patterns in their order, with the keys of their lists.
const PATTERNS: [(Pattern, &str, &str); 9] = [
    (Pattern::Concession, "concession.keywords", "concession.turns"),
    (Pattern::Rebuttal, "rebuttal.keywords", "rebuttal.turns"),
    (Pattern::Synthesis, "synthesis.keywords", "synthesis.turns"),
    (
        Pattern::AppealToAuthority,
        "appeal_to_authority.keywords",
        "appeal_to_authority.turns",
    ),
    (
        Pattern::AppealToEvidence,
        "appeal_to_evidence.keywords",
        "appeal_to_evidence.turns",
    ),
    (
        Pattern::TechnicalDepth,
        "technical_depth.keywords",
        "technical_depth.turns",
    ),
    (
        Pattern::RhetoricalQuestion,
        "rhetorical_question.keywords",
        "rhetorical_question.turns",
    ),
    (Pattern::Analogy, "analogy.keywords", "analogy.turns"),
    (
        Pattern::Qualification,
        "qualification.keywords",
        "qualification.turns",
    ),
];

/// The signs of all patterns in a language, in the order of [`Pattern`].
pub(super) fn lexicon(language: Language) -> [Signs; 9] {
    PATTERNS.map(|(pattern, keywords, turns)| Signs {
        pattern,
        keywords: LISTS.list(language, keywords),
        turns: LISTS.list(language, turns),
    })
}

/// How a question begins that expects no answer.
pub(super) fn openers(language: Language) -> &'static [&'static str] {
    LISTS.list(language, "openers")
}

/// What turns the end of a statement into a question.
pub(super) fn tags(language: Language) -> &'static [&'static str] {
    LISTS.list(language, "tags")
}
