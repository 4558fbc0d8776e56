//! Which of the choices a name means: "Claude", "proposal 2", "the plan by Ana". Before votes are
//! counted, so that "Bob" and "bob" are one choice. A name that could mean two of them means none.
//!
//! Source: A10 of the debate's design.

use super::labelled::{key, listed, unquoted};
use super::option::BESIDE;
use super::token::{class, tokens};
use crate::language::Language;

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alias {
    /// The choice at this place of the list.
    One(usize),
    /// The voter abstains in so many words.
    Abstains,
    /// None of them.
    Unknown,
    /// Two or more of them.
    Several,
}

/// Words before a number that make it the place of a proposal.
pub(super) const PROPOSAL: &str =
    "proposal|the proposal|propuesta|la propuesta|提案|方案|提议|option|opcion|个提案|个方案|号提案|号方案";

/// Words before a name.
const FROM: [&str; 14] = [
    "proposal from ",
    "proposal by ",
    "proposal of ",
    "the proposal from ",
    "the proposal by ",
    "the proposal of ",
    "propuesta de ",
    "la propuesta de ",
    "propuesta por ",
    "agent ",
    "agente ",
    "来自",
    "选择",
    "支持",
];

/// Words that say that nobody is chosen.
const ABSTAIN: &str = "\
    abstain|i abstain|abstention|none|none of them|none of the four|nobody|nobody yet|no one|\
    none of the above|no choice|abstencion|me abstengo|abstenerse|ninguno|ninguna|\
    nadie|todavia nadie|弃权|无|都不选|谁也不选|暂时谁也不选";

/// Words with which a longer text does not mean the name that it holds.
const TURNS: &str = "\
    not|no|but|except|than|rather|or|and|nor|versus|vs|against|without|salvo|excepto|ni|o|y|contra|\
    sin|never|nunca|neither|anyone|anybody|instead";

/// The same in Chinese, where words are not set apart.
const TURNS_ZH: [&str; 6] = ["不", "除", "或", "和", "非", "反对"];

/// Reads a name against the choices, in this order: the very name; one of the proposals by its place
/// (`Proposal 2`, counted from 1 in the order of the list); `proposal from X`; the beginning of one
/// choice (3 characters or more) or one choice at the beginning; one choice inside, or inside one
/// choice (4 or more).
#[must_use]
pub fn alias(said: &str, choices: &[&str]) -> Alias {
    let exact = unquoted(said);
    // "Ana?", "Ana, if she mends the cap".
    let depends = |text: &str| {
        let lower = text.to_lowercase();
        tokens(&lower, Language::English)
            .iter()
            .any(|token| token.is(class::IF))
    };
    if exact.ends_with(['?', '？']) || depends(exact) {
        return only(choices, |choice| choice.trim() == exact).unwrap_or(Alias::Unknown);
    }
    if let Some(at) = only(choices, |choice| choice.trim() == exact) {
        return at;
    }
    let words = exact;
    let said = key(said);
    if said.is_empty() {
        return Alias::Unknown;
    }
    let keys: Vec<String> = choices.iter().map(|choice| key(choice)).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    if let Some(found) = only(&keys, |name| name == said) {
        return found;
    }
    if listed(ABSTAIN, said.as_str()) {
        return Alias::Abstains;
    }
    // A text that names two choices means neither, even where it begins with one of them.
    let named: Vec<usize> = (0..keys.len()).filter(|at| is_named(&said, keys[*at])).collect();
    let aside = key(words.split(['(', '（']).next().unwrap_or(words));
    let lead = key(lead(words));
    if named.len() > 1 && !nested(&keys, &said) {
        // "Chen (though Ana tempted me)"; "Proposal 2 (by Ana)" may be two.
        return only(&keys, |name| name == aside).unwrap_or(Alias::Several);
    }
    for part in [&said, &lead] {
        let found = match place(part) {
            Some(place) => place
                .checked_sub(1)
                .filter(|at| *at < choices.len())
                .map(Alias::One),
            None => only(&keys, |choice| choice == *part || choice == after_from(part)),
        };
        match found {
            Some(Alias::One(at)) if named.iter().all(|named| keys[at].contains(keys[*named])) => {
                return Alias::One(at);
            }
            // "Proposal 2 (by Ana)", where the second is not Ana's.
            Some(_) => return Alias::Several,
            None if place(part).is_some() => return Alias::Unknown,
            None => {}
        }
    }
    let name = after_from(&said);
    let turns =
        name.split(' ').any(|word| listed(TURNS, word)) || TURNS_ZH.iter().any(|turn| name.contains(turn));
    let length = name.chars().count();
    let is_plain = |choice: &str| !turns && is_all_but(after_from(&lead), choice);
    let begins = |choice: &str| {
        let is_long = choice.chars().count() >= 3;
        (length >= 3 && choice.starts_with(name))
            || (is_long && begins_with_words(name, choice) && is_plain(choice))
    };
    let inside = |choice: &str| {
        let is_long = choice.chars().count() >= 4;
        (length >= 4 && choice.contains(name)) || (is_long && holds_words(name, choice) && is_plain(choice))
    };
    only(&keys, begins)
        .or_else(|| only(&keys, inside))
        .unwrap_or(Alias::Unknown)
}

/// Whether a text is a name and words that add nothing to it: "the plan of Ana", but not "whoever convinces Ana".
fn is_all_but(text: &str, name: &str) -> bool {
    let beside = BESIDE | class::CTX | class::ORD;
    text.split_once(name).is_some_and(|(before, after)| {
        let after = after
            .strip_prefix('s')
            .filter(|rest| !is_letter(rest.chars().next()))
            .unwrap_or(after);
        [before, after]
            .iter()
            .flat_map(|part| tokens(part, Language::English))
            .all(|token| token.is(beside) && !token.is(class::NEG))
    })
}

/// What stands before an explanation: "Ana (clear and cheap)", "Proposal 2: the queue".
fn lead(words: &str) -> &str {
    let ends = [
        "(", "（", ",", "，", ":", "：", ";", " - ", " – ", "—", "。", ". ", "\n",
    ];
    let end = ends.iter().filter_map(|end| words.find(end)).min();
    end.and_then(|end| words.get(..end)).unwrap_or(words)
}

/// What follows "proposal by".
fn after_from(said: &str) -> &str {
    let name = FROM.iter().find_map(|before| said.strip_prefix(before));
    name.map_or(said, str::trim)
}

fn is_named(text: &str, choice: &str) -> bool {
    choice.chars().count() >= 2 && holds_words(text, choice)
}

/// The choice whose proposal, alone of all, holds these words. For choices that [`alias`] does not
/// know; 8 characters at least.
#[must_use]
pub fn alias_by_text(said: &str, texts: &[&str]) -> Alias {
    let said = key(said);
    if said.chars().count() < 8 {
        return Alias::Unknown;
    }
    let keys: Vec<String> = texts.iter().map(|text| key(text)).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    only(&keys, |text| holds_words(text, &said)).unwrap_or(Alias::Unknown)
}

/// The one of which it holds; `None` where it holds of none.
fn only(choices: &[&str], holds: impl Fn(&str) -> bool) -> Option<Alias> {
    let mut found = choices.iter().enumerate().filter(|(_, choice)| holds(choice));
    let (at, _) = found.next()?;
    Some(match found.next() {
        None => Alias::One(at),
        Some(_) => Alias::Several,
    })
}

/// The number of `proposal 2`.
fn place(said: &str) -> Option<usize> {
    let digits = said.len() - said.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (before, number) = said.split_at(said.len() - digits);
    let number = number.get(..digits.min(4))?;
    listed(PROPOSAL, before.trim_end()).then(|| number.parse().ok())?
}

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(|c| c.is_alphanumeric() && (c as u32) < 0x2e80)
}

fn begins_with_words(text: &str, words: &str) -> bool {
    let Some(rest) = text.strip_prefix(words) else {
        return false;
    };
    // "anns plan": the apostrophe went with the other marks.
    let rest = rest.strip_prefix("s ").map_or(rest, |_| "");
    !is_letter(rest.chars().next())
}

fn holds_words(text: &str, words: &str) -> bool {
    let starts = text.match_indices(words);
    starts.into_iter().any(|(at, _)| {
        let (before, from) = text.split_at(at);
        !is_letter(before.chars().next_back()) && begins_with_words(from, words)
    })
}

/// Whether of the names that the text holds one contains all others: "gpt 5 mini" holds "gpt 5".
fn nested(keys: &[&str], text: &str) -> bool {
    let held: Vec<&&str> = keys.iter().filter(|key| holds_words(text, key)).collect();
    held.iter()
        .any(|longest| held.iter().all(|other| longest.contains(**other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CHOICES: [&str; 4] = ["claude-opus", "gpt-5", "Ana María", "bob"];

    #[test]
    fn reads_names() {
        for (said, at) in [
            ("claude-opus", 0),
            ("\"Claude Opus\"", 0),
            ("**GPT-5**", 1),
            ("claude", 0),
            ("opus", 0),
            ("gpt", 1),
            ("Proposal 3", 2),
            ("propuesta 2", 1),
            ("提案4", 3),
            ("Proposal from ana maría", 2),
            ("bob's plan", 3),
            ("the gpt 5 plan", 1),
            ("Ana", 2),
            ("Ana María (clear and cheap)", 2),
            ("Proposal 2: a queue and a cache", 1),
            ("Proposal 4 - bob", 3),
        ] {
            assert_eq!(alias(said, &CHOICES), Alias::One(at), "{said}");
        }
    }

    #[test]
    fn what_could_mean_two_means_none() {
        assert_eq!(alias("gpt", &["gpt-5", "gpt-4"]), Alias::Several);
        assert_eq!(alias("Bob", &["BOB", "bob "]), Alias::Several);
        assert_eq!(alias("bob", &["BOB", "bob"]), Alias::One(1));
        assert_eq!(alias("bob or gpt-5", &CHOICES), Alias::Several);
        assert_eq!(alias("Proposal 2 (by bob)", &CHOICES), Alias::Several);
        for said in [
            "anyone but gpt 5",
            "not bob",
            "g",
            "zed",
            "",
            "Proposal 9",
            "2",
            "bo",
        ] {
            assert_eq!(alias(said, &CHOICES), Alias::Unknown, "{said}");
        }
        assert_eq!(alias("none of them", &CHOICES), Alias::Abstains);
        assert_eq!(alias("none", &["none", "bob"]), Alias::One(0));
    }

    #[test]
    fn reads_by_the_text_of_a_proposal() {
        let texts = ["a queue for each region", "shard by user id"];
        assert_eq!(alias_by_text("Shard by user", &texts), Alias::One(1));
        assert_eq!(alias_by_text("something else", &texts), Alias::Unknown);
        assert_eq!(alias_by_text("region", &texts), Alias::Unknown);
    }

    proptest! {
        #[test]
        fn every_name_means_itself(names in proptest::collection::btree_set("[a-z]{1,6}", 1..6), other in "\\PC{0,12}") {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for (at, name) in names.iter().enumerate() {
                prop_assert_eq!(alias(name, &names), Alias::One(at));
            }
            if let Alias::One(at) = alias(&other, &names) {
                prop_assert!(at < names.len());
            }
        }
    }
}
