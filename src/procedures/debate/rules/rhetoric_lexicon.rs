//! Phrases that indicate rhetorical patterns, from one file per language. The English lists are those of the
//! published observer; the others were added. For the syntax of phrases, see [`super::scan`].

use super::rhetoric::Pattern;
use super::scan::Phrases;
use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use std::sync::OnceLock;

static LISTS: Files<Lists> = in_each_language!("../words/rhetoric");

/// Phrases of one pattern.
pub(super) struct Signs {
    pub(super) pattern: Pattern,
    /// Weak signs.
    pub(super) keywords: Phrases<'static>,
    /// Strong signs.
    pub(super) turns: Phrases<'static>,
}

/// Phrases of a language.
pub(super) struct Lexicon {
    /// By pattern, in the order of [`Pattern`].
    pub(super) signs: [Signs; 9],
    /// Openings of rhetorical questions.
    pub(super) openers: Phrases<'static>,
    /// Tags that turn a statement into a question.
    pub(super) tags: Phrases<'static>,
}

/// Patterns in order, with the keys of their lists.
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

/// Returns the phrases of a language.
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
