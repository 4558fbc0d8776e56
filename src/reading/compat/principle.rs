//! The ballot's principle as the published program read it: one character 1 to 4 anywhere, else the
//! keyword scores, else a class of error.

use super::keywords::keyword_match;
use crate::principle::Principle;
use crate::reading::{How, Reading, Reason};

/// Number words that the program recognised only to refuse them.
const NUMBER_WORDS: [&str; 12] = [
    "one", "two", "three", "four", "uno", "dos", "tres", "cuatro", "一", "二", "三", "四",
];

/// Words that made an unreadable answer one about a principle.
const CONTENT_WORDS: [&str; 12] = [
    "floor",
    "average",
    "constraint",
    "range",
    "principle",
    "principio",
    "最低",
    "平均",
    "约束",
    "范围",
    "原则",
    "收入",
];

/// The principle in an answer, or the program's class of error.
#[must_use]
pub fn principle(text: &str) -> Reading<Principle> {
    let mut digits = text.bytes().filter(|byte| (b'1'..=b'4').contains(byte));
    if let (Some(digit), None) = (digits.next(), digits.next())
        && let Some(principle) = Principle::from_number(digit - b'0')
    {
        return Reading::read(principle, How::Compat);
    }
    match keyword_match(text).principle {
        Some(principle) => Reading::read(principle, How::Compat),
        None => Reading::unread(error_class(text)),
    }
}

fn error_class(text: &str) -> Reason {
    let trimmed = text.trim();
    let lower = trimmed.to_lowercase();
    let only_digits = !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit());
    if text.is_empty() {
        Reason::EmptyResponse
    } else if trimmed == "0" {
        Reason::ZeroNotValid
    } else if only_digits && !trimmed.bytes().any(|byte| (b'1'..=b'4').contains(&byte)) {
        Reason::NumberOutOfRange
    } else if NUMBER_WORDS.contains(&lower.as_str()) {
        Reason::UseDigitsNotWords
    } else if trimmed.chars().count() > 100 {
        Reason::ResponseTooLong
    } else if lower.contains(['a', 'b', 'c', 'd']) {
        Reason::NoLetterChoices
    } else if CONTENT_WORDS.iter().any(|word| lower.contains(word)) {
        Reason::PrincipleContentUnclear
    } else {
        Reason::InvalidFormatGeneral
    }
}

#[cfg(test)]
mod tests {
    use super::principle;
    use crate::principle::Principle;
    use crate::reading::Reason;

    #[test]
    fn one_character_wins_over_the_words() {
        assert_eq!(
            principle("range within $30,000").value(),
            Some(&Principle::FloorConstraint)
        );
        assert_eq!(
            principle("in round 2, the floor constraint of $13,000").value(),
            Some(&Principle::FloorConstraint)
        );
    }

    #[test]
    fn classes_of_error() {
        assert_eq!(principle("").reason(), Some(Reason::EmptyResponse));
        assert_eq!(principle("0").reason(), Some(Reason::ZeroNotValid));
        assert_eq!(principle("9").reason(), Some(Reason::NumberOutOfRange));
        assert_eq!(principle("Tres").reason(), Some(Reason::UseDigitsNotWords));
        assert_eq!(principle("perhaps").reason(), Some(Reason::NoLetterChoices));
        assert_eq!(
            principle(&"x".repeat(101)).reason(),
            Some(Reason::ResponseTooLong)
        );
    }
}
