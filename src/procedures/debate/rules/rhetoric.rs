//! Rhetorical patterns of texts, styles of seats, and the character of a debate. By words only, for an
//! audience; without effect on the debate. Comments are worded elsewhere, from the pattern.
//!
//! Source: the debate's rhetorical observer, with whole words, and with rhetorical questions reported
//! separately. Its phrases are the English ones; the others were added.

use serde::{Deserialize, Serialize};

use super::phrases::{Phrases, SpacedText};
use super::text::{is_stop, is_word, width};
use crate::language::files::Files;
use crate::language::pattern::pattern;
use crate::language::{Language, in_each_language};
use regex::{Regex, SetMatches};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Phrases of a language.
#[derive(Default, Deserialize)]
#[serde(from = "WordLists")]
struct Words {
    /// Of all patterns.
    phrases: Phrases,
    /// Pattern of each phrase, and whether it is a weak sign.
    signs: Vec<(Pattern, bool)>,
    /// Openings of rhetorical questions.
    openers: Phrases,
    /// Tags that turn a statement into a question.
    tags: Vec<String>,
}

#[derive(Deserialize)]
struct WordLists {
    openers: Phrases,
    tags: Vec<String>,
    patterns: BTreeMap<Pattern, Signs>,
}

#[derive(Deserialize)]
struct Signs {
    /// Weak signs.
    keywords: Vec<String>,
    /// Strong signs.
    turns: Vec<String>,
}

/// A rhetorical pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Grants a point.
    Concession,
    /// Speaks against a point.
    Rebuttal,
    /// Combines views.
    Synthesis,
    /// Names an authority.
    AppealToAuthority,
    /// Names cases and data.
    AppealToEvidence,
    /// Uses technical terms.
    TechnicalDepth,
    /// Asks without expecting an answer.
    RhetoricalQuestion,
    /// Makes a comparison.
    Analogy,
    /// Limits a statement.
    Qualification,
}

impl Pattern {
    const ALL: [Self; 9] = [
        Self::Concession,
        Self::Rebuttal,
        Self::Synthesis,
        Self::AppealToAuthority,
        Self::AppealToEvidence,
        Self::TechnicalDepth,
        Self::RhetoricalQuestion,
        Self::Analogy,
        Self::Qualification,
    ];

    /// Returns the style of a seat with mostly this pattern.
    #[must_use]
    pub fn style(self) -> Style {
        match self {
            Self::Concession => Style::Diplomatic,
            Self::Rebuttal => Style::Combative,
            Self::Synthesis => Style::Collaborative,
            Self::AppealToAuthority => Style::Scholarly,
            Self::AppealToEvidence => Style::Empirical,
            Self::TechnicalDepth => Style::Technical,
            Self::RhetoricalQuestion => Style::Socratic,
            Self::Analogy => Style::Illustrative,
            Self::Qualification => Style::Nuanced,
        }
    }
}

/// Style of a seat, named after its most frequent pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    Diplomatic,
    Combative,
    Collaborative,
    Scholarly,
    Empirical,
    Technical,
    Socratic,
    Illustrative,
    Nuanced,
}

/// Character of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Character {
    /// Concessions and syntheses exceed two fifths.
    Collaborative,
    /// Rebuttals exceed two fifths.
    Contentious,
    /// Technical depth exceeds three tenths.
    Technical,
    /// Evidence and authority exceed three tenths.
    EvidenceDriven,
    Balanced,
    /// No observations yet.
    Emerging,
}

/// A pattern in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    pub pattern: Pattern,
    /// .5 to 1: .15 per weak sign, up to .5, plus .3 per strong one; for questions, .5 for one kind and .1 more
    /// for both.
    pub confidence: f64,
    /// The first sentence with the pattern, at most 150 characters.
    pub excerpt: String,
}

/// Minimum confidence of a reported pattern.
const MIN_CONFIDENCE: f64 = 0.5;

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 150;

static WORDS: Files<Words> = in_each_language!("../words/rhetoric");

/// An order of running time, such as `O(n log n)`.
static BIG_O: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u:\b)O\([nmklog*^² 0-9]{1,40}\)"));

impl From<WordLists> for Words {
    fn from(lists: WordLists) -> Self {
        let all = lists.patterns.into_iter().flat_map(|(pattern, signs)| {
            let weak = signs
                .keywords
                .into_iter()
                .map(move |phrase| (phrase, (pattern, true)));
            weak.chain(
                signs
                    .turns
                    .into_iter()
                    .map(move |phrase| (phrase, (pattern, false))),
            )
        });
        let (phrases, signs): (Vec<String>, Vec<_>) = all.unzip();
        Self {
            phrases: Phrases::from(phrases),
            signs,
            openers: lists.openers,
            tags: lists.tags,
        }
    }
}

impl Words {
    /// Counts the weak and the strong signs of a pattern among matches.
    fn count(&self, pattern: Pattern, matches: &SetMatches) -> (usize, usize) {
        let found = matches.iter().map(|phrase| self.signs[phrase]);
        let weak: Vec<bool> = found
            .filter(|sign| sign.0 == pattern)
            .map(|sign| sign.1)
            .collect();
        let weaker = weak.iter().filter(|is_weak| **is_weak).count();
        (weaker, weak.len() - weaker)
    }
}

/// Returns the patterns of a text, in the order of [`Pattern`]. Texts below 20 characters (a Chinese one
/// counts as three) have none.
#[must_use]
pub fn observe(text: &str, language: Language) -> Vec<Observation> {
    if width(text) < 20 {
        return Vec::new();
    }
    let words = WORDS.of(language);
    let signs = words.phrases.matches(&SpacedText::new(text));
    let sentences = sentences(text);
    let questions = questions(&sentences, words);
    let has_big_o = BIG_O.is_match(text);
    let confidence = |pattern| {
        if pattern == Pattern::RhetoricalQuestion {
            let kinds = [true, false].map(|tag| questions.iter().any(|(_, is_tag)| *is_tag == tag));
            return match kinds {
                [true, true] => 0.6,
                [false, false] => 0.0,
                _ => 0.5,
            };
        }
        let (weak, strong) = words.count(pattern, &signs);
        let strong = strong + usize::from(pattern == Pattern::TechnicalDepth && has_big_o);
        ((weak as f64 * 0.15).min(0.5) + strong as f64 * 0.3).min(1.0)
    };
    let excerpt = |pattern| {
        let shows = |sentence: &&str| {
            (pattern == Pattern::TechnicalDepth && BIG_O.is_match(sentence))
                || words.count(pattern, &words.phrases.matches(&SpacedText::new(sentence))) != (0, 0)
        };
        let mut all = sentences.iter().map(|(sentence, _)| *sentence);
        let first = match pattern {
            Pattern::RhetoricalQuestion => questions.first().map(|(question, _)| *question),
            _ => all
                .find(shows)
                .or(sentences.first().map(|(sentence, _)| *sentence)),
        };
        first.unwrap_or_default().chars().take(MAX_EXCERPT).collect()
    };
    let confidences = Pattern::ALL
        .map(|pattern| (pattern, confidence(pattern)))
        .into_iter();
    let seen = confidences.filter(|(_, confidence)| *confidence >= MIN_CONFIDENCE);
    seen.map(|(pattern, confidence)| Observation {
        pattern,
        confidence,
        excerpt: excerpt(pattern),
    })
    .collect()
}

/// Returns the sentences without their stops, and whether each is a question.
fn sentences(text: &str) -> Vec<(&str, bool)> {
    let sentences = text.split_inclusive(is_stop).map(|sentence| {
        let is_question = sentence.ends_with(['?', '？']);
        (sentence.trim_end_matches(is_stop).trim(), is_question)
    });
    sentences.filter(|(sentence, _)| !sentence.is_empty()).collect()
}

/// Returns rhetorical questions, and whether a tag makes them one. A tag ends the last sentence.
fn questions<'t>(sentences: &[(&'t str, bool)], words: &Words) -> Vec<(&'t str, bool)> {
    let mut found = Vec::new();
    for (at, (sentence, is_question)) in sentences.iter().enumerate() {
        if !is_question {
            continue;
        }
        let spaced = SpacedText::new(sentence);
        if words.openers.are_in(&spaced) {
            found.push((*sentence, false));
        }
        if at + 1 == sentences.len() && ends_in_tag(sentence, &words.tags) {
            found.push((*sentence, true));
        }
    }
    found
}

/// Returns whether a sentence ends in a tag with no word directly before it.
fn ends_in_tag(sentence: &str, tags: &[String]) -> bool {
    let sentence = sentence.to_lowercase().replace('’', "'");
    let before = |tag: &String| sentence.strip_suffix(tag.as_str());
    let mut rests = tags.iter().filter_map(before);
    rests.any(|rest| !rest.trim_end_matches([' ', '¿']).ends_with(is_word))
}

/// Style of a seat in a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatStyle {
    pub seat: String,
    /// The first of the most frequent patterns.
    pub dominant: Pattern,
    pub style: Style,
    /// Number of distinct patterns.
    pub diversity: usize,
}

/// Rhetoric of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dynamics {
    /// Number of observations.
    pub total: usize,
    /// Frequencies, in the order of first occurrence.
    pub counts: Vec<(Pattern, usize)>,
    /// Seats with patterns, in the order of first occurrence.
    pub seats: Vec<SeatStyle>,
    /// The first of the most frequent patterns.
    pub dominant: Option<Pattern>,
    pub character: Character,
}

/// Summarises observations, given as seats and patterns in chronological order.
#[must_use]
pub fn dynamics(observed: &[(&str, Pattern)]) -> Dynamics {
    let counts = count(observed.iter().map(|(_, pattern)| *pattern));
    let mut seats: Vec<SeatStyle> = Vec::new();
    for (seat, _) in observed {
        if seats.iter().any(|known| known.seat == *seat) {
            continue;
        }
        let own = observed.iter().filter(|(other, _)| other == seat);
        let own = count(own.map(|(_, pattern)| *pattern));
        if let Some(dominant) = most_frequent(&own) {
            seats.push(SeatStyle {
                seat: (*seat).to_owned(),
                dominant,
                style: dominant.style(),
                diversity: own.len(),
            });
        }
    }
    Dynamics {
        total: observed.len(),
        dominant: most_frequent(&counts),
        character: character(&counts, observed.len()),
        counts,
        seats,
    }
}

fn count(patterns: impl Iterator<Item = Pattern>) -> Vec<(Pattern, usize)> {
    let mut counts: Vec<(Pattern, usize)> = Vec::new();
    for pattern in patterns {
        match counts.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, count)) => *count += 1,
            None => counts.push((pattern, 1)),
        }
    }
    counts
}

/// Returns the first of the most frequent patterns.
fn most_frequent(counts: &[(Pattern, usize)]) -> Option<Pattern> {
    let top = counts.iter().map(|(_, count)| *count).max()?;
    counts
        .iter()
        .find(|(_, count)| *count == top)
        .map(|(pattern, _)| *pattern)
}

fn character(counts: &[(Pattern, usize)], total: usize) -> Character {
    let more_than_tenths = |patterns: &[Pattern], tenths: usize| {
        let own = counts.iter().filter(|(pattern, _)| patterns.contains(pattern));
        own.map(|(_, count)| count * 10).sum::<usize>() > total * tenths
    };
    if total == 0 {
        Character::Emerging
    } else if more_than_tenths(&[Pattern::Concession, Pattern::Synthesis], 4) {
        Character::Collaborative
    } else if more_than_tenths(&[Pattern::Rebuttal], 4) {
        Character::Contentious
    } else if more_than_tenths(&[Pattern::TechnicalDepth], 3) {
        Character::Technical
    } else if more_than_tenths(&[Pattern::AppealToEvidence, Pattern::AppealToAuthority], 3) {
        Character::EvidenceDriven
    } else {
        Character::Balanced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patterns(text: &str, language: Language) -> Vec<Pattern> {
        observe(text, language).iter().map(|seen| seen.pattern).collect()
    }

    #[test]
    fn the_same_speech_shows_the_same_in_three_languages() {
        use Pattern::*;
        let cases = [
            (
                Concession,
                [
                    "You are right, that is a fair point.",
                    "Tienes razón, es un buen punto.",
                    "我承认你说得对，这很有道理。",
                ],
            ),
            (
                Rebuttal,
                [
                    "However, in fact the figures differ.",
                    "Sin embargo, de hecho las cifras difieren.",
                    "然而，事实上这些数字并不一样。",
                ],
            ),
            (
                Synthesis,
                [
                    "Let us find common ground and merge them.",
                    "Busquemos puntos en común para fusionar todo.",
                    "让我们结合双方的观点找到共同点。",
                ],
            ),
            (
                AppealToAuthority,
                [
                    "According to the ministry, studies show it.",
                    "Según el ministerio, los estudios muestran eso.",
                    "根据卫生部的报告，研究表明如此。",
                ],
            ),
            (
                AppealToEvidence,
                [
                    "For example, the data shows a clear rise.",
                    "Por ejemplo, los datos muestran un alza.",
                    "例如，数据显示今年明显上升了。",
                ],
            ),
            (
                TechnicalDepth,
                [
                    "The async database design is simple here.",
                    "La base de datos tiene un diseño asíncrono.",
                    "这个数据库的架构使用了异步线程。",
                ],
            ),
            (
                RhetoricalQuestion,
                [
                    "What if we simply left it as it was?",
                    "¿Y si lo dejamos todo tal y como está?",
                    "我们难道要把一切都推倒重来吗？",
                ],
            ),
            (
                Analogy,
                [
                    "Think of it as a river, similar to ours.",
                    "Piénsalo como un río, similar a este.",
                    "这就像一条河，类似于我们的母亲河。",
                ],
            ),
            (
                Qualification,
                [
                    "It depends on the case and often varies.",
                    "Depende de muchas cosas y a menudo cambia.",
                    "这取决于具体情况，有时会有变化。",
                ],
            ),
        ];
        for (expected, texts) in cases {
            for (language, text) in Language::ALL.into_iter().zip(texts) {
                assert_eq!(patterns(text, language), [expected], "{text}");
            }
        }
    }

    #[test]
    fn plain_speech_shows_nothing() {
        for (language, text) in [
            (Language::English, "Butter is dear in this apiary, unlike milk."),
            (Language::Spanish, "El lunes enviaremos el informe a la junta."),
            (Language::Mandarin, "我们星期一会把这份报告寄给董事会。"),
        ] {
            assert_eq!(patterns(text, language), [], "{text}");
        }
        assert_eq!(patterns("But in fact.", Language::English), []);
    }

    #[test]
    fn tags_and_running_times() {
        let question = |text| {
            observe(text, Language::English)
                .first()
                .map(|seen| seen.confidence)
        };
        assert_eq!(question("We could wait another year, right?"), Some(0.5));
        assert_eq!(question("What if we wait another year, right?"), Some(0.6));
        assert_eq!(question("We know that they were right?"), None);
        assert!(BIG_O.is_match("is O(n log n) here"));
        assert!(!BIG_O.is_match("is FOO(n) or O() or O(why)"));
        let seen = observe("It has O(n) async threading. Good.", Language::English);
        assert_eq!(seen[0].excerpt, "It has O(n) async threading");
    }

    #[test]
    fn the_first_of_equals_dominates() {
        let seen = dynamics(&[
            ("b", Pattern::Analogy),
            ("a", Pattern::Rebuttal),
            ("b", Pattern::Qualification),
        ]);
        assert_eq!(seen.dominant, Some(Pattern::Analogy));
        assert_eq!(
            seen.seats[0],
            SeatStyle {
                seat: "b".to_owned(),
                dominant: Pattern::Analogy,
                style: Style::Illustrative,
                diversity: 2
            }
        );
        assert_eq!(seen.character, Character::Balanced);
        assert_eq!(dynamics(&[]).character, Character::Emerging);
    }

    proptest! {
        #[test]
        fn any_text_is_observed(
            text in "\\PC{0,60}|(but |what if |, right|\\?|\\. |O\\(n\\)|难道|例如){0,20}",
            language in proptest::sample::select(&Language::ALL)
        ) {
            for seen in observe(&text, language) {
                prop_assert!((0.5..=1.0).contains(&seen.confidence));
                prop_assert!(text.contains(&seen.excerpt) && seen.excerpt.chars().count() <= 150);
            }
        }
    }
}
