//! Topics for scripted participants: arguments for, against and between, known facts, open questions and
//! possible actions. One file a language, shared by discussions and debates. A topic is matched by its exact
//! question in any language; on other topics scripted participants state that they know nothing.

use super::scripted::speech::Texts;
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use serde::Serialize;
use std::collections::BTreeMap;

/// A position on a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    For,
    Against,
    Middle,
}

impl Side {
    pub(super) const ALL: [Self; 3] = [Self::For, Self::Against, Self::Middle];

    /// Returns the name at the end of text keys.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::For => "for",
            Self::Against => "against",
            Self::Middle => "middle",
        }
    }

    /// Returns the side that the texts of a key take.
    pub(super) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| key.ends_with(side.name()))
    }

    /// Returns the side that a topic's fact supports, by its index in `open`.
    pub(super) fn of_fact(at: usize) -> Self {
        [Self::For, Self::Middle, Self::Against, Self::For][at % 4]
    }
}

static TOPICS: Files<BTreeMap<String, Texts>> = in_each_language!("topics");

/// Listing of a prepared topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prepared {
    /// The same in all languages.
    pub id: &'static str,
    /// Name for use within a sentence.
    pub name: &'static str,
    /// Question for a debate.
    pub question: &'static str,
    /// Question for a discussion.
    pub open_question: &'static str,
}

#[must_use]
pub fn prepared(language: Language) -> Vec<Prepared> {
    let all = TOPICS.of(language).iter().map(|(id, texts)| {
        let text = |key, at| nth(texts, key, at);
        Prepared {
            id,
            name: text("name", 0),
            question: text("questions", 0),
            open_question: text("questions", 1),
        }
    });
    all.collect()
}

/// Returns the topic that a question matches.
pub(super) fn of(question: &str) -> Option<&'static str> {
    Language::ALL.into_iter().find_map(|language| {
        let asks = |(_, texts): &(_, &Texts)| {
            let questions = texts.get("questions").into_iter().flatten();
            questions
                .into_iter()
                .any(|known| normalize(known).eq(normalize(question)))
        };
        let (id, _) = TOPICS.of(language).iter().find(asks)?;
        Some(id.as_str())
    })
}

pub(super) fn texts(language: Language, id: &str) -> Option<&'static Texts> {
    TOPICS.of(language).get(id)
}

/// Returns the name for use within a sentence.
pub(super) fn name(language: Language, id: &str) -> &'static str {
    texts(language, id).map_or("", |texts| nth(texts, "name", 0))
}

/// Splits a text into its optional gist and the spoken sentence.
pub(super) fn spoken(text: &str) -> (Option<&str>, &str) {
    match text.split_once(" | ") {
        Some((gist, spoken)) => (Some(gist), spoken),
        None => (None, text),
    }
}

fn nth(texts: &'static Texts, key: &str, at: usize) -> &'static str {
    texts
        .get(key)
        .and_then(|all| all.get(at))
        .map_or("", String::as_str)
}

/// Yields the lower-case letters and digits of a question.
fn normalize(question: &str) -> impl Iterator<Item = char> {
    let letters = question.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_found_by_exact_question_in_any_language() {
        for language in Language::ALL {
            let all = prepared(language);
            assert!(all.len() >= 6);
            for topic in all {
                assert_eq!(of(topic.question), Some(topic.id));
                assert_eq!(
                    of(&format!("  {} ", topic.open_question.to_uppercase())),
                    Some(topic.id)
                );
                assert_eq!(of(topic.name), None);
            }
        }
        assert_eq!(of(""), None);
        assert_eq!(of("Should the canteen be closed?"), None);
    }

    #[test]
    fn topics_have_the_same_structure_in_every_language() {
        for (id, english) in TOPICS.of(Language::English).iter() {
            for (key, wordings) in english.iter() {
                let mut spoken_before = std::collections::BTreeSet::new();
                for language in Language::ALL {
                    let own = &texts(language, id).unwrap()[key];
                    assert_eq!(own.len(), wordings.len(), "{id}.{key} in {language:?}");
                    for (one, other) in wordings.iter().zip(own) {
                        assert_eq!(spoken(one).0.is_some(), spoken(other).0.is_some(), "{other}");
                        let sentence = spoken(other).1;
                        assert!(
                            !sentence.contains(['{', '|']) && spoken_before.insert(sentence),
                            "{sentence}"
                        );
                        let ends = ['.', '?', '。', '？'];
                        assert!(key == "name" || sentence.ends_with(ends), "{sentence}");
                    }
                }
            }
        }
    }
    /// Delphi polls have their own questions.
    fn is_estimated(question: &str) -> bool {
        crate::procedures::delphi::scripted::is_prepared(question)
    }

    #[test]
    fn preset_questions_are_prepared_in_every_language() {
        for preset in crate::procedures::presets() {
            let asked = ["topic", "question"].map(|key| preset.config[key].as_str());
            for question in asked.into_iter().flatten() {
                assert!(of(question).is_some() || is_estimated(question), "{question}");
            }
        }
        for page in [
            include_str!("../../www/i18n/en.json"),
            include_str!("../../www/i18n/es.json"),
            include_str!("../../www/i18n/zh.json"),
        ] {
            let texts: serde_json::Value = serde_json::from_str(page).unwrap();
            let asks = |key: &str| key.ends_with(".topic") || key.ends_with(".question");
            let own = texts.as_object().unwrap().iter();
            let asked: Vec<_> = own
                .filter(|(key, _)| key.starts_with("preset.") && asks(key))
                .collect();
            assert!(asked.len() >= 3);
            for (key, question) in asked {
                let question = question.as_str().unwrap();
                assert!(
                    of(question).is_some() || is_estimated(question),
                    "{key}: {question}"
                );
            }
        }
    }
}
