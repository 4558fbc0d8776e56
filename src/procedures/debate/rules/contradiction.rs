//! Contradictions between choices, and groups of equivalent choices. By words only: opposites missing from
//! the lists are not recognised, and texts about different subjects may seem contradictory.

use super::tally::groups;
use serde::{Deserialize, Serialize};

use super::phrases::{Phrases, SpacedText};
use super::signs::{phrases, signs};
use super::similarity::jaccard;
use super::text::{is_han, word_count};
use std::sync::LazyLock;

/// Returns whether two choices contradict each other: differently labelled options ("Option A", "Option B"),
/// a word and its opposite, or a negation in only one. Words count only if the texts share a subject or one
/// has at most three words. Always `false` for a blank text.
///
/// Source: the debate's contradiction test, by whole words; the negations and the Spanish and Chinese words
/// were added.
#[must_use]
pub fn is_contradictory(a: &str, b: &str) -> bool {
    if let (Some(one), Some(other)) = (option_label(a), option_label(b)) {
        return one != other;
    }
    let (one, other) = (SpacedText::new(a), SpacedText::new(b));
    let is_negated = |text| phrases("negations").are_in(text);
    // Most words are equal, so that a negation in one text reverses the meaning.
    (is_negated(&one) != is_negated(&other) && jaccard(a, b) > 0.5)
        || (are_opposed(&one, &other) && share_a_subject((a, &one), (b, &other)))
}

/// Returns whether one text has a word and the other its opposite.
fn are_opposed(one: &SpacedText, other: &SpacedText) -> bool {
    static OPPOSITES: LazyLock<[Phrases; 2]> = LazyLock::new(|| {
        let pairs = signs("opposites").filter_map(|pair| pair.split_once(" / "));
        let (words, opposites): (Vec<_>, Vec<_>) = pairs
            .map(|(one, other)| (one.to_owned(), other.to_owned()))
            .unzip();
        [words, opposites].map(Phrases::from)
    });
    let [words, opposites] = &*OPPOSITES;
    let both = |one: &SpacedText, other: &SpacedText| {
        let opposites = opposites.matches(other);
        words.matches(one).iter().any(|word| opposites.matched(word))
    };
    both(one, other) || both(other, one)
}

/// Returns the option that makes up a text, in lower case without spaces.
fn option_label(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    let id = signs("option").find_map(|label| text.strip_prefix(label))?;
    let id: String = id.chars().filter(|c| !c.is_whitespace()).collect();
    (!id.is_empty() && id.len() <= 8 && id.chars().all(|c| c.is_alphanumeric()))
        .then(|| text.split_whitespace().collect())
}

fn share_a_subject((a, spaced_a): (&str, &SpacedText), (b, spaced_b): (&str, &SpacedText)) -> bool {
    let is_article = |word: &str| signs("articles").any(|article| article == word);
    let shared_word = |word: &str| !is_article(word) && spaced_b.words().any(|other| other == word);
    let pairs = |text: &str| -> Vec<[char; 2]> {
        let pairs = text.chars().zip(text.chars().skip(1));
        pairs
            .filter(|(c, next)| is_han(*c) && is_han(*next))
            .map(|(c, next)| [c, next])
            .collect()
    };
    let others = pairs(b);
    let is_short = |text: &str| word_count(text) <= 3;
    is_short(a)
        || is_short(b)
        || spaced_a.words().any(shared_word)
        || pairs(a).iter().any(|pair| others.contains(pair))
}

/// Equivalent choices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceGroup {
    /// The first, which represents all.
    pub canonical: String,
    /// Distinct choices, in the order of the votes.
    pub members: Vec<String>,
}

/// Groups choices, in the order of the votes, that are at least as similar to a group's first choice as
/// `threshold` and do not contradict it. Returns only groups of two or more. Choices equal to a seat's name
/// (`names`, in any case) are not grouped.
#[must_use]
pub fn group_choices(
    choices: &[&str],
    names: &[&str],
    threshold: f64,
    similarity: &dyn Fn(&str, &str) -> f64,
) -> Vec<ChoiceGroup> {
    let is_name = |choice: &str| {
        let lower = choice.trim().to_lowercase();
        names.iter().any(|name| name.to_lowercase() == lower)
    };
    let others: Vec<&str> = choices
        .iter()
        .copied()
        .filter(|choice| !is_name(choice))
        .collect();
    let own = |members: Vec<String>| ChoiceGroup {
        canonical: members.first().cloned().unwrap_or_default(),
        members,
    };
    let groups = groups(&others, threshold, similarity, is_contradictory);
    groups.into_iter().map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::super::similarity::{jaccard, tfidf};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn opposites_in_three_languages() {
        assert!(is_contradictory("We accepted the plan", "They rejected the plan"));
        assert!(is_contradictory(
            "Apoyamos la reforma fiscal",
            "Me opongo a la reforma fiscal"
        ));
        assert!(is_contradictory("我们应该提高税收", "我们应该降低税收"));
        assert!(is_contradictory("选项A", "选项 B"));
        assert!(!is_contradictory("选项A", "选项 a"));
        assert!(!is_contradictory(
            "Add caching to the address book",
            "Address the caching book"
        ));
        assert!(!is_contradictory("know it", "yes it"));
        assert!(is_contradictory(
            "We should deploy on Friday",
            "We should not deploy on Friday"
        ));
        assert!(is_contradictory("我们应该在周五部署", "我们不应该在周五部署"));
        assert!(!is_contradictory("", "no"));
    }

    #[test]
    fn groups_keep_the_order_of_the_votes_and_leave_names_alone() {
        let choices = [
            "Bob",
            "use a cache",
            "bob",
            "Use a CACHE",
            "Postgres",
            "use a cache",
        ];
        let groups = group_choices(&choices, &["Bob"], 0.85, &jaccard);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].canonical, "use a cache");
        assert_eq!(groups[0].members, ["use a cache", "Use a CACHE"]);
        let choices = [
            "We should deploy on Friday since the window is open",
            "We should not deploy on Friday since the window is open",
        ];
        assert!(tfidf(choices[0], choices[1]) > 0.85);
        assert!(group_choices(&choices, &[], 0.85, &tfidf).is_empty());
    }

    proptest! {
        #[test]
        fn symmetric(a in "(option|not|accept|reject|plan|no|yes|for|不|同意| ){0,6}", b in "\\PC{0,20}|(plan |no|同意|against ){0,4}") {
            prop_assert_eq!(is_contradictory(&a, &b), is_contradictory(&b, &a));
            let spaced = SpacedText::new(&a);
            let both = are_opposed(&spaced, &spaced);
            prop_assert!(both || !is_contradictory(&a, &a));
        }
    }
}
