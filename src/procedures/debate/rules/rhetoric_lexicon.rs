//! The words by which patterns of speech are recognised, from a file a language. The English lists are
//! those of the published observer; the others are ours. Phrases are written as [`super::scan`] tells.

use super::rhetoric::Pattern;
use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::sync::OnceLock;

static LISTS: Files<Lists> = in_each_language!("../words/rhetoric");

/// The signs of one pattern.
pub(super) struct Signs {
    pub(super) pattern: Pattern,
    /// Words that hint at it.
    pub(super) keywords: Phrases<'static>,
    /// Turns of phrase that show it.
    pub(super) turns: Phrases<'static>,
}

/// The words of a language.
pub(super) struct Lexicon {
    /// Of all patterns, in the order of [`Pattern`].
    pub(super) signs: [Signs; 9],
    /// How a question begins that expects no answer.
    pub(super) openers: Phrases<'static>,
    /// What turns the end of a statement into a question.
    pub(super) tags: Phrases<'static>,
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

/// The words of a language.
pub(super) fn lexicon(language: Language) -> &'static Lexicon {
    static READ: [OnceLock<Lexicon>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    let list = |key| Phrases::new(LISTS.list(language, key).iter().copied());
    READ[language as usize].get_or_init(|| Lexicon {
        signs: PATTERNS.map(|(pattern, keywords, turns)| Signs {
            pattern,
            keywords: list(keywords),
            turns: list(turns),
        }),
        openers: list("openers"),
        tags: list("tags"),
    })
}
