//! Which of the choices a name means: "Claude", "proposal 2", "the plan by Ana". A name that could mean two means none.
//!
//! Source: A10 of the debate's design.

use super::decide::{Decision, decide};
use super::tag::{Kind, Tagged};
use super::text::{key, word_key};
use crate::language::Language;

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alias {
    /// The choice at this place of the list.
    One(usize),
    /// An explicit abstention.
    Abstains,
    /// None of the choices.
    Unknown,
    /// Two or more of the choices.
    Several,
}

/// Reads a name against the choices: the name itself, its place in the list (`Proposal 2`, counted from 1), its first or
/// last word if no other name has it, or words around one of these that change nothing.
#[must_use]
pub fn alias(said: &str, choices: &[&str]) -> Alias {
    match exact(said, choices) {
        Alias::Unknown => in_any_words(unquoted(said), choices),
        found => found,
    }
}

/// The choice that is written so, up to case, accents and marks.
pub(super) fn exact(said: &str, choices: &[&str]) -> Alias {
    let exact = unquoted(said);
    for form in [|text: &str| text.trim().to_owned(), word_key] {
        let said = form(exact);
        let mut same = choices
            .iter()
            .enumerate()
            .filter(|(_, choice)| form(choice) == said);
        match (said.is_empty(), same.next(), same.next()) {
            (true, ..) => return Alias::Unknown,
            (_, Some((at, _)), None) => return Alias::One(at),
            (_, Some(_), Some(_)) => return Alias::Several,
            _ => {}
        }
    }
    Alias::Unknown
}

fn in_any_words(exact: &str, choices: &[&str]) -> Alias {
    let found: Vec<Alias> = Language::ALL
        .into_iter()
        .map(|language| in_words(exact, language, choices))
        .collect();
    let first = |wanted: fn(&Alias) -> bool| found.iter().copied().find(wanted);
    first(|one| *one == Alias::Several)
        .or_else(|| first(|one| *one == Alias::Abstains))
        .or_else(|| first(|one| matches!(one, Alias::One(_))))
        .unwrap_or(Alias::Unknown)
}

fn in_words(said: &str, language: Language, choices: &[&str]) -> Alias {
    let kind = Kind::Name(choices);
    let all = Tagged::of(said, language, kind);
    let words: Vec<_> = all
        .tokens
        .iter()
        .copied()
        .filter(|token| token.is_word() || token.key == key::MENTION)
        .collect();
    if all.words.section("abstain").is_whole(&words) {
        return Alias::Abstains;
    }
    let mut named: Vec<f64> = words
        .iter()
        .filter(|token| token.key == key::MENTION)
        .map(|token| token.number)
        .collect();
    named.sort_by(f64::total_cmp);
    named.dedup();
    match decide(&all, kind) {
        Decision::Value(value, _) => Alias::One(value as usize),
        _ if named.len() > 1 => Alias::Several,
        _ => Alias::Unknown,
    }
}

/// The choice whose text holds the words that were said, for answers that copy a proposal. Short texts name nothing.
#[must_use]
pub fn alias_by_text(said: &str, texts: &[&str]) -> Alias {
    let said = word_key(said);
    if said.chars().count() < 8 {
        return Alias::Unknown;
    }
    let holds = |text: &&str| format!(" {} ", word_key(text)).contains(&format!(" {said} "));
    let mut found = texts.iter().enumerate().filter(|(_, text)| holds(text));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Alias::One(at),
        (Some(_), Some(_)) => Alias::Several,
        _ => Alias::Unknown,
    }
}

/// Without emphasis, quotes, brackets, commas and full stops at both ends.
pub(super) fn unquoted(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`\"'“”‘’«»「」『』[]<>(){},.;。，；".contains(c))
}
