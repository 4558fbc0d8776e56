//! Rhetorical patterns of texts, styles of seats, and the character of a debate. By words only, for an
//! audience; without effect on the debate. Comments are worded elsewhere, from the pattern.
//!
//! Source: the debate's rhetorical observer, with whole words, and with rhetorical questions reported
//! separately.

use serde::{Deserialize, Serialize};

use super::rhetoric_lexicon::{Signs, lexicon};
use super::scan::{Phrases, Scan, Span, is_word, width};
use crate::language::Language;

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
    /// .5 to 1.
    pub confidence: f64,
    /// The first sentence with the pattern, at most 150 characters.
    pub excerpt: String,
}

/// Minimum confidence of a reported pattern.
const MIN_CONFIDENCE: f64 = 0.5;

/// Returns the patterns of a text, in the order of [`Pattern`]. Texts below 20 characters (a Chinese one
/// counts as three) have none.
#[must_use]
pub fn observe(text: &str, language: Language) -> Vec<Observation> {
    let scan = Scan::new(text);
    if width(&scan.chars) < 20 {
        return Vec::new();
    }
    let seen = lexicon(language).signs.iter().filter_map(|signs| {
        let confidence = confidence(&scan, signs, language);
        (confidence >= MIN_CONFIDENCE).then(|| Observation {
            pattern: signs.pattern,
            confidence,
            excerpt: excerpt(&scan, signs, language),
        })
    });
    seen.collect()
}

/// Returns .15 per keyword, up to .5, plus .3 per phrase; for questions, .5 for one kind and .1 more for
/// both.
fn confidence(scan: &Scan, signs: &Signs, language: Language) -> f64 {
    let keywords = (scan.count_distinct(&signs.keywords) as f64 * 0.15).min(0.5);
    let mut score = keywords + scan.count_distinct(&signs.turns) as f64 * 0.3;
    match signs.pattern {
        Pattern::RhetoricalQuestion => {
            let questions = questions(scan, language);
            let kinds = [true, false].map(|tag| questions.iter().any(|(_, is_tag)| *is_tag == tag));
            score = match kinds {
                [true, true] => 0.6,
                [false, false] => 0.0,
                _ => 0.5,
            };
        }
        Pattern::TechnicalDepth if has_big_o(&scan.chars) => score += 0.3,
        _ => {}
    }
    score.min(1.0)
}

/// Returns rhetorical questions, and whether a tag makes them one.
fn questions(scan: &Scan, language: Language) -> Vec<(Span, bool)> {
    let mut found = Vec::new();
    let pieces = scan.pieces();
    for (at, piece) in pieces.iter().enumerate() {
        if !matches!(scan.chars.get(piece.end), Some('?' | '？')) {
            continue;
        }
        let sentence = Scan::new(&scan.text(*piece));
        if sentence.has_any(&lexicon(language).openers) {
            found.push((*piece, false));
        }
        // A tag is a separate sentence after a question, or follows a comma at the end.
        let last = at + 1 == pieces.len()
            || (at + 2 == pieces.len() && {
                let rest = scan.trimmed(pieces[at + 1]);
                rest.start == rest.end
            });
        if last && ends_in_tag(&sentence, &lexicon(language).tags) {
            found.push((*piece, true));
        }
    }
    found
}

fn ends_in_tag(sentence: &Scan, tags: &Phrases) -> bool {
    let end = sentence.trimmed(Span {
        start: 0,
        end: sentence.chars.len(),
    });
    tags.iter().any(|tag| {
        let mut from = 0;
        while let Some(span) = sentence.find(tag, from) {
            let before = sentence.lower[..span.start].iter().rev();
            let before = before.copied().find(|c| !c.is_whitespace() && *c != '¿');
            if span.end == end.end && before.is_none_or(|c| !is_word(c)) {
                return true;
            }
            from = span.end.max(from + 1);
        }
        false
    })
}

/// Returns whether the text has an order of running time, such as `O(n log n)`.
fn has_big_o(chars: &[char]) -> bool {
    chars.windows(2).enumerate().any(|(at, pair)| {
        let free = at == 0 || !is_word(chars[at - 1]);
        let fits = |c: &&char| {
            matches!(
                c,
                'n' | 'm' | 'k' | 'l' | 'o' | 'g' | '*' | '^' | '²' | ' ' | '0'..='9'
            )
        };
        let inside = chars[at + 2..].iter().take(40).take_while(fits).count();
        pair == ['O', '('] && free && inside > 0 && chars.get(at + 2 + inside) == Some(&')')
    })
}

fn excerpt(scan: &Scan, signs: &Signs, language: Language) -> String {
    let cut = |span: Span| -> String { scan.text(scan.trimmed(span)).chars().take(150).collect() };
    if signs.pattern == Pattern::RhetoricalQuestion {
        return questions(scan, language)
            .first()
            .map(|(span, _)| cut(*span))
            .unwrap_or_default();
    }
    let pieces = scan.pieces();
    let shows = |span: &&Span| {
        let sentence = Scan::new(&scan.text(**span));
        let technical = signs.pattern == Pattern::TechnicalDepth && has_big_o(&sentence.chars);
        technical || sentence.has_any(&signs.keywords) || sentence.has_any(&signs.turns)
    };
    let first = pieces.iter().find(shows).or(pieces.first());
    first.map(|span| cut(*span)).unwrap_or_default()
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
        assert!(has_big_o(&"is O(n log n) here".chars().collect::<Vec<_>>()));
        assert!(!has_big_o(
            &"is FOO(n) or O() or O(why)".chars().collect::<Vec<_>>()
        ));
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
