//! A vote between proposals: which one, how sure, whether to go on, and why. Missing values are not filled in.
//!
//! Source: A10 of the debate's design.

use super::alias::{Alias, alias, exact, unquoted};
use super::decide::Decision;
use super::fields::{Fields, text_of};
use super::figure::share;
use super::free::decided;
use super::tag::{Kind, Tagged};
use super::text::LONGEST;
use super::{How, Reading, Reason};
use crate::language::Language;
use crate::thought;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A vote as its voter gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vote {
    /// One of the choices, as the list has it; `None` for an explicit abstention.
    pub choice: Option<String>,
    /// 0 to 1, if given and readable.
    pub confidence: Option<f64>,
    /// Whether the debate should go on, if given.
    #[serde(rename = "continue")]
    pub go_on: Option<bool>,
    /// In the voter's words; may be empty.
    #[serde(default)]
    pub reasoning: String,
    /// The words in place of a choice that name none, or two; only from [`vote_or_words`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

const FIELDS: [&str; 5] = ["choice", "answer", "confidence", "continue", "reason"];

/// Reads a vote. `choices` are the names that can be voted for, in the order in which the voter saw the proposals.
///
/// Unread: an answer without a choice, with a name that is none of the choices, or with two.
#[must_use]
pub fn vote(text: &str, language: Language, choices: &[&str]) -> Reading<Vote> {
    read(text, language, choices, false)
}

/// Reads a vote; a choice that names none of the choices, or two, becomes [`Vote::words`].
#[must_use]
pub fn vote_or_words(text: &str, language: Language, choices: &[&str]) -> Reading<Vote> {
    read(text, language, choices, true)
}

fn read(text: &str, language: Language, choices: &[&str], keeps_words: bool) -> Reading<Vote> {
    let text = thought::split(text).answer;
    if text.trim().is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if text.len() > LONGEST {
        return Reading::unread(Reason::NoChoiceFound);
    }
    let fields = match Fields::of(&text, &FIELDS) {
        Err(Reason::AnswerBrokenOff) => return Reading::unread(Reason::AnswerBrokenOff),
        Err(_) => return Reading::unread(Reason::NoChoiceFound),
        Ok(fields) => fields.unwrap_or_default(),
    };
    let kind = Kind::Name(choices);
    let mut named: Vec<&Value> = fields.values("choice");
    if named.is_empty() {
        named = fields.values("answer");
    }
    let (found, how, words) = match named[..] {
        [] if fields.is_json => return Reading::unread(Reason::NoChoiceFound),
        [] => {
            let found = match decided(&text, language, kind).0 {
                Decision::Value(value, _) => Alias::One(value as usize),
                Decision::Several => Alias::Several,
                // The whole answer may be a name.
                _ if text.trim().lines().count() == 1 => match exact(&text, choices) {
                    Alias::Unknown => return Reading::unread(Reason::NoChoiceFound),
                    found => found,
                },
                _ => return Reading::unread(Reason::NoChoiceFound),
            };
            (found, How::Word, None)
        }
        [first, ..] => {
            let mut all: Vec<Alias> = named.iter().map(|value| named_by(value, choices)).collect();
            all.dedup();
            let found = if all.len() == 1 { all[0] } else { Alias::Several };
            (
                if is_taken_back(&fields, language, kind, found) {
                    Alias::Several
                } else {
                    found
                },
                fields.how(),
                text_of(first),
            )
        }
    };
    let said = |name: &str| fields.values(name).last().and_then(|value| text_of(value));
    let mut vote = Vote {
        choice: None,
        confidence: said("confidence").and_then(|said| share(&said)),
        go_on: said("continue").and_then(|said| truth(&said, language)),
        reasoning: fields.text("reason"),
        words: None,
    };
    match (found, words) {
        (Alias::One(at), _) => vote.choice = choices.get(at).map(|name| (*name).to_owned()),
        (Alias::Abstains, _) => {}
        (_, Some(words)) if keeps_words && !words.is_empty() => {
            vote.words = Some(unquoted(&words).to_owned())
        }
        (Alias::Several, _) => return Reading::unread(Reason::AmbiguousChoice),
        _ => return Reading::unread(Reason::UnknownChoice),
    }
    Reading::read(vote, how)
}

/// What the value of the field means; a number is the place of its proposal.
fn named_by(value: &Value, choices: &[&str]) -> Alias {
    if value.is_null() {
        return Alias::Abstains;
    }
    let said = text_of(value).unwrap_or_default();
    match alias(&said, choices) {
        Alias::Unknown => match unquoted(&said).parse::<usize>() {
            Ok(place) if (1..=choices.len()).contains(&place) => Alias::One(place - 1),
            _ => Alias::Unknown,
        },
        found => found,
    }
}

/// Whether words outside the fields, or the reasons, say something else.
fn is_taken_back(fields: &Fields, language: Language, kind: Kind<'_>, found: Alias) -> bool {
    let differs = |text: &str| match decided(text, language, kind).0 {
        Decision::Value(value, _) => found != Alias::One(value as usize),
        _ => false,
    };
    if fields.is_json {
        return differs(&fields.text("reason"));
    }
    let other = differs(&fields.rest) || differs(&fields.text("reason"));
    let revokes = |text: &str| {
        let all = Tagged::of(text, language, kind);
        all.words.section("revoke").is_in(&all.tokens)
    };
    other || revokes(&fields.rest) || revokes(&fields.text("reason"))
}

/// Yes or no, where the value says nothing else.
pub(super) fn truth(text: &str, language: Language) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "y" => return Some(true),
        "false" | "n" => return Some(false),
        _ => {}
    }
    // In another language only where this one has no word of it.
    let mut languages = std::iter::once(language).chain(Language::ALL);
    let read = |language| decided(text, language, Kind::YesNo).0;
    match languages.find_map(|language| Some(read(language)).filter(|said| *said != Decision::Nothing)) {
        Some(Decision::Value(value, _)) => Some(value == 1.0),
        _ => None,
    }
}

/// Whether the answer to "do you agree to this proposal?" is yes: a line `PREPARE: YES` or `COMMIT: NO`, or what
/// [`super::agreement`] reads. Two lines that differ are unread.
#[must_use]
pub fn assent(text: &str, language: Language) -> Reading<bool> {
    let text = thought::split(text).answer;
    let fields = Fields::of(&text, &["assent", "reason"])
        .ok()
        .flatten()
        .unwrap_or_default();
    let mut said: Vec<Option<bool>> = fields
        .values("assent")
        .into_iter()
        .map(|value| truth(&text_of(value)?, language))
        .collect();
    said.dedup();
    match said[..] {
        [] => super::agreement(&text, language),
        [Some(yes)] => Reading::read(yes, How::Label),
        _ => Reading::unread(Reason::AgreementUnclear),
    }
}
