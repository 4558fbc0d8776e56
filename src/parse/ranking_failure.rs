//! Why an answer is no ranking or no choice, for the feedback before the next attempt (the classes
//! of the published program). Reads no value.

use super::Reason;
use super::tokens::fold;
use crate::sorted::sort_few;

/// First-person phrases of a choice.
const ENGLISH: &[&str] = &["i choose", "my choice is", "i select", "i prefer", "i support"];
const SPANISH: &[&str] = &["elijo", "mi eleccion es", "prefiero", "apoyo"];
const CHINESE: &[&str] = &[
    "我选择",
    "我選擇",
    "我的选择",
    "我的選擇",
    "我倾向",
    "我傾向",
    "我支持",
];

/// The class of an answer that should have been a ranking: empty, a choice, no numbered list, or one
/// with fewer than four numbers. `None` when it has four numbers or more.
#[must_use]
pub fn ranking_failure(text: &str) -> Option<Reason> {
    if is_short(text, 10) {
        return Some(Reason::EmptyResponse);
    }
    let folded = fold(text);
    let phrase = ENGLISH
        .iter()
        .chain(SPANISH)
        .any(|phrase| has_words(&folded, phrase))
        || CHINESE.iter().any(|phrase| folded.contains(phrase));
    if phrase {
        return Some(Reason::ChoiceFormatConfusion);
    }
    match count_numbered(text) {
        0 => Some(Reason::NoNumberedList),
        1..=3 => Some(Reason::IncompleteRanking),
        _ => None,
    }
}

/// The class of an answer that should have been a choice: empty below twenty characters, else `None`.
#[must_use]
pub fn choice_failure(text: &str) -> Option<Reason> {
    is_short(text, 20).then_some(Reason::EmptyResponse)
}

fn is_short(text: &str, least: usize) -> bool {
    let text = text.trim();
    text.chars().count() < least || !text.chars().any(char::is_alphanumeric)
}

fn has_words(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + phrase.len()..)
            .and_then(|after| after.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// How many different numbers begin a line as in a list: `1.` `1)` `1 -` `1:` `(1)`, each with a blank
/// after it.
#[must_use]
pub fn count_numbered(text: &str) -> usize {
    let mut numbers: Vec<&str> = text.lines().filter_map(list_number).collect();
    sort_few(&mut numbers, |a, b| a < b);
    numbers.dedup();
    numbers.len()
}

fn list_number(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (bracket, rest) = line.strip_prefix('(').map_or((false, line), |rest| (true, rest));
    let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at_checked(length)?;
    let after = if bracket {
        after.strip_prefix(')')?
    } else {
        after.trim_start().strip_prefix(['.', ')', '-', ':'])?
    };
    (!number.is_empty() && after.starts_with(char::is_whitespace)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        assert_eq!(ranking_failure(" ok "), Some(Reason::EmptyResponse));
        assert_eq!(ranking_failure("?!?!?!?!?!?!"), Some(Reason::EmptyResponse));
        assert_eq!(
            ranking_failure("Well, I CHOOSE the second one"),
            Some(Reason::ChoiceFormatConfusion)
        );
        assert_eq!(
            ranking_failure("Creo que elijo el piso"),
            Some(Reason::ChoiceFormatConfusion)
        );
        assert_eq!(
            ranking_failure("I preferred to wait a bit"),
            Some(Reason::NoNumberedList)
        );
        assert_eq!(
            ranking_failure("1. floor\n1. floor\n2) mean"),
            Some(Reason::IncompleteRanking)
        );
        assert_eq!(ranking_failure("1. a\n2. b\n3. c\n4. d"), None);
        assert_eq!(choice_failure("the floor"), Some(Reason::EmptyResponse));
        assert_eq!(choice_failure("the floor, please, if possible"), None);
    }

    #[test]
    fn counts() {
        assert_eq!(count_numbered("1. a\n  2) b\n(3) c\n4 - d\n5: e"), 5);
        assert_eq!(count_numbered("1.a\n2\n#3. c"), 0);
    }
}
