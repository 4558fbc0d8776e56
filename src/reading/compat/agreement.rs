//! Yes and no as the published program read them: one character 0 or 1, anywhere.

use super::keywords::LISTS;
use crate::language::Language;
use crate::reading::{How, Reading, Reason};

/// The answer to a 1/0 question: yes or no when the text holds exactly one of the characters 0 and
/// 1, once; else `AgreementUnclear` (none) or `MultipleValidNumbers`.
#[must_use]
pub fn agreement(text: &str) -> Reading<bool> {
    let mut found = text.chars().filter(|c| matches!(c, '0' | '1'));
    match (found.next(), found.next()) {
        (Some(digit), None) => Reading::read(digit == '1', How::Compat),
        (None, _) => Reading::unread(Reason::AgreementUnclear),
        _ => Reading::unread(Reason::MultipleValidNumbers),
    }
}

/// Whether a text holds a word of agreement of its language, also inside other words.
#[must_use]
pub fn agreement_keywords(text: &str, language: Language) -> bool {
    let text = text.to_lowercase();
    let mut words = LISTS.list(language, "agreement").iter();
    words.any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{agreement, agreement_keywords};
    use crate::language::Language;
    use crate::reading::Reason;

    #[test]
    fn one_character_decides() {
        assert_eq!(agreement("let us: 1").value(), Some(&true));
        assert_eq!(agreement("round 7, 0").value(), Some(&false));
        assert_eq!(agreement("round 10").reason(), Some(Reason::MultipleValidNumbers));
        assert_eq!(agreement("yes").reason(), Some(Reason::AgreementUnclear));
    }

    #[test]
    fn words_inside_words_count() {
        assert!(agreement_keywords("We disagree", Language::English));
        assert!(agreement_keywords("Así no", Language::Spanish));
        assert!(!agreement_keywords("不行", Language::Mandarin));
    }
}
