//! Formal evidence quality of a text: citations per claim, precision of words, kinds of evidence, recency,
//! and reasoning; and links between claims and evidence. Truth is not checked.
//!
//! Source: the debate's evidence quality and claim linking. Their English word lists are matched as whole
//! words.

use serde::{Deserialize, Deserializer, Serialize};

use super::markers::{Marker, MarkerKind, markers};
use super::phrases::{Phrases, SpacedText};
use super::signs::signs;
use super::similarity::overlap;
use super::text::{is_han, is_stop, is_wide_stop, is_word, pieces, width, word_count};
use crate::language::files::Files;
use crate::language::pattern::pattern;
use crate::language::{Language, in_each_language};
use regex::Regex;
use std::sync::LazyLock;

/// Patterns and phrases of a language.
#[derive(Default, Deserialize)]
pub(super) struct Words {
    /// Regular expressions for the text itself, in any case; a space is one or more.
    #[serde(deserialize_with = "read_patterns")]
    pub(super) citation: Vec<Regex>,
    #[serde(deserialize_with = "read_patterns")]
    pub(super) data: Vec<Regex>,
    #[serde(deserialize_with = "read_patterns")]
    pub(super) example: Vec<Regex>,
    vague: Phrases,
    /// Announce exact information.
    specific: Phrases,
    /// Connect a reason with its consequence.
    connectors: Phrases,
    /// First words of what is no claim: questions and conjectures.
    no_claim: Phrases,
    /// Signs of a claim.
    claims: Phrases,
}

static WORDS: Files<Words> = in_each_language!("../words/evidence");

pub(super) fn words(language: Language) -> &'static Words {
    WORDS.of(language)
}

fn read_patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Regex>, D::Error> {
    let patterns = Vec::<String>::deserialize(deserializer)?;
    let compile = |text: &String| pattern(&format!("(?i){}", text.replace(' ', r"(?-u:\s)+")));
    Ok(patterns.iter().map(compile).collect())
}

/// Evidence quality of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Citations per claim, 0 to 1.
    pub citation_density: f64,
    /// Share of exact terms and numbers among exact and vague ones; 0.5 without any.
    pub specificity: f64,
    /// Kinds of evidence as a share of five, three of which can be recognised in a text.
    pub diversity: f64,
    /// 1 if all years named are the current one, falling to 0 for ten years ago; .8 without a year, .3 if all
    /// are older.
    pub temporal: f64,
    /// Connectives; one per hundred words is full marks.
    pub logic: f64,
    /// .25 citations + .25 specificity + .2 diversity + .1 recency + .2 logic; 0 for a blank text.
    pub overall: f64,
    /// Number of assertions.
    pub claims: usize,
    /// Number of claims for which there are enough citations.
    pub backed: usize,
    /// Number of vague phrases.
    pub vague: usize,
    /// Number of exact terms and numbers.
    pub specific: usize,
    pub markers: Vec<Marker>,
}

/// Measures a text; `year` is the current one.
#[must_use]
pub fn evidence_quality(text: &str, language: Language, year: i32) -> Quality {
    let words = words(language);
    let markers = markers(text, language);
    let mut quality = Quality {
        citation_density: 0.0,
        specificity: 0.0,
        diversity: 0.0,
        temporal: 1.0,
        logic: 0.0,
        overall: 0.0,
        claims: 0,
        backed: 0,
        vague: 0,
        specific: 0,
        markers: Vec::new(),
    };
    if text.trim().is_empty() {
        return quality;
    }
    let spaced = SpacedText::new(text);
    let of = |kind: MarkerKind| markers.iter().filter(|marker| marker.kind == kind).count();
    quality.claims = assertions(text);
    quality.backed = of(MarkerKind::Citation).min(quality.claims);
    quality.citation_density = ratio(quality.backed, quality.claims).unwrap_or(0.0);
    quality.vague = words.vague.matches(&spaced).iter().count();
    quality.specific = NUMBER.find_iter(text).count() + words.specific.count(&spaced);
    quality.specificity = ratio(quality.specific, quality.specific + quality.vague).unwrap_or(0.5);
    let kinds = [MarkerKind::Citation, MarkerKind::Data, MarkerKind::Example];
    quality.diversity = kinds.iter().filter(|kind| of(**kind) > 0).count() as f64 / 5.0;
    let hundreds = (word_count(text) as f64 / 100.0).max(1.0);
    quality.logic = (words.connectors.count(&spaced) as f64 / hundreds).min(1.0);
    quality.temporal = recency(&spaced, year);
    quality.overall = 0.25 * quality.citation_density
        + 0.25 * quality.specificity
        + 0.20 * quality.diversity
        + 0.10 * quality.temporal
        + 0.20 * quality.logic;
    quality.markers = markers;
    quality
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A number with decimals, if it has any.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9]+(?:\.[0-9]+)?"));

/// Counts the sentences that are long enough and are not questions.
fn assertions(text: &str) -> usize {
    let asks: Vec<&str> = signs("asks").collect();
    let asserts = |piece: &&str| width(piece) > 20 && !asks.iter().any(|word| piece.starts_with(word));
    pieces(text).filter(asserts).count()
}

/// Returns the recency of the years from 1900 to 2099 in a text.
fn recency(text: &SpacedText, now: i32) -> f64 {
    const OLDEST: i32 = 10;
    let years = text
        .words()
        .filter(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")));
    let mut years: Vec<i32> = years.filter_map(|word| word.parse().ok()).collect();
    if years.is_empty() {
        return 0.8;
    }
    years.retain(|year| now.saturating_sub(*year) <= OLDEST);
    let Some(count) = (!years.is_empty()).then_some(years.len() as f64) else {
        return 0.3;
    };
    let ages: f64 = years
        .iter()
        .map(|year| f64::from(now.saturating_sub(*year)))
        .sum();
    (1.0 - ages / count / f64::from(OLDEST)).clamp(0.0, 1.0)
}

/// A claim with its best evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The sentence.
    pub claim: String,
    /// As in the text.
    pub evidence: String,
    pub kind: MarkerKind,
    /// Degree of support, 0 to 1.
    pub strength: f64,
}

/// Minimum strength of a strong link.
pub const STRONG_LINK: f64 = 0.6;

impl Link {
    #[must_use]
    pub fn is_strong(&self) -> bool {
        self.strength >= STRONG_LINK
    }
}

/// Support of the claims of a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Fraction of claims with a strong link; 0 without claims.
    pub coverage: f64,
    /// In the order of the text.
    pub claims: Vec<String>,
    /// Distinct claims with a strong link.
    pub linked: Vec<String>,
    /// Claims without a strong link.
    pub unlinked: Vec<String>,
    /// Best evidence of each claim with any nearby.
    pub links: Vec<Link>,
}

/// Maximum distance between evidence and claim, in characters.
const MAX_DISTANCE: usize = 300;

/// Maximum number of claims examined per text; no readable proposal has more.
const MAX_CLAIMS: usize = 300;

/// Links each claim of a text with its best evidence, by distance, kind, and shared words. Of more than 300
/// claims the first 300 count.
#[must_use]
pub fn evidence_coverage(text: &str, language: Language) -> Coverage {
    let markers: Vec<_> = markers(text, language)
        .into_iter()
        .map(|marker| (long_words(&marker.text), marker))
        .collect();
    let mut found = Coverage::default();
    let claims = sentences(text).filter(|(_, sentence)| is_claim(sentence, language));
    for (start, claim) in claims.take(MAX_CLAIMS) {
        let end = start + claim.chars().count();
        let claim_words = long_words(claim);
        let mut best: Option<Link> = None;
        for (marker_words, marker) in &markers {
            let distance = marker.position.abs_diff(start).min(marker.position.abs_diff(end));
            if distance > MAX_DISTANCE {
                continue;
            }
            let near = 1.0 - distance as f64 / MAX_DISTANCE as f64;
            let shared = overlap(&claim_words, marker_words).unwrap_or(0.3);
            let strength =
                0.3 * near + 0.3 * shared + 0.2 * marker.kind.boost() + 0.2 * marker.kind.confidence();
            if best.as_ref().is_none_or(|best| strength > best.strength) {
                best = Some(Link {
                    claim: claim.to_owned(),
                    evidence: marker.text.clone(),
                    kind: marker.kind,
                    strength: strength.min(1.0),
                });
            }
        }
        found.links.extend(best);
        found.claims.push(claim.to_owned());
    }
    let strong = |claim: &String| {
        let of_it = |link: &Link| link.is_strong() && link.claim == *claim;
        found.links.iter().any(of_it)
    };
    let (mut linked, unlinked): (Vec<_>, Vec<_>) = found.claims.iter().cloned().partition(strong);
    linked.sort();
    linked.dedup();
    found.coverage = ratio(linked.len(), found.claims.len()).unwrap_or(0.0);
    (found.linked, found.unlinked) = (linked, unlinked);
    found
}

/// Returns the sentences with their stops, trimmed, each with the index of its first character. A sentence ends
/// with a stop before a space, or with a Chinese stop.
fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut chars = text.char_indices().enumerate().peekable();
    let mut start = (0, 0);
    let ends = std::iter::from_fn(move || {
        loop {
            let (count, (at, c)) = chars.next()?;
            let ends = match chars.peek() {
                None => true,
                Some((_, (_, next))) if is_wide_stop(c) => !is_stop(*next),
                Some((_, (_, next))) => is_stop(c) && next.is_whitespace(),
            };
            if ends {
                let end = (count + 1, at + c.len_utf8());
                let (first, from) = std::mem::replace(&mut start, end);
                return Some((first, &text[from..end.1]));
            }
        }
    });
    let trimmed = ends.map(|(first, sentence)| {
        let blanks = sentence.chars().take_while(|c| c.is_whitespace()).count();
        (first + blanks, sentence.trim())
    });
    trimmed.filter(|(_, sentence)| !sentence.is_empty())
}

/// Returns the sorted distinct words of four letters and more (pairs of Chinese characters), in lower case.
pub(super) fn long_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut words: Vec<String> = Vec::new();
    for run in lower.split(|c| !is_word(c)) {
        let chars: Vec<char> = run.chars().collect();
        if run.contains(is_han) {
            words.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if chars.len() >= 4 {
            words.push(run.to_owned());
        }
    }
    words.sort();
    words.dedup();
    words
}

fn is_claim(sentence: &str, language: Language) -> bool {
    let words = words(language);
    let length = width(sentence);
    if length < 20 {
        return false;
    }
    let spaced = SpacedText::new(sentence);
    if words.no_claim.begin(&spaced) {
        return false;
    }
    words.claims.are_in(&spaced) || (length > 50 && !sentence.contains(['?', '？']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quality_in_three_languages() {
        let good = [
            (
                Language::English,
                "According to the World Bank, poverty fell by 5% in 2025. For example, Peru cut it, because work grew.",
            ),
            (
                Language::Spanish,
                "Según el Banco Mundial, la pobreza cayó un 5% en 2025. Por ejemplo, en Perú, porque creció el empleo.",
            ),
            (
                Language::Mandarin,
                "根据世界银行2025年的报告，贫困率下降了5%。例如，秘鲁的就业增长了3%，因此贫困减少。",
            ),
        ];
        for (language, text) in good {
            let quality = evidence_quality(text, language, 2026);
            assert!(quality.overall > 0.75, "{language:?} {quality:?}");
            assert_eq!(quality.temporal, 0.9, "{language:?}");
            assert_eq!(quality.vague, 0);
        }
        let poor = [
            (
                Language::English,
                "It depends; there are usually various factors.",
            ),
            (Language::Spanish, "Depende; normalmente hay varios factores."),
            (Language::Mandarin, "这要看情况，通常有各种因素。"),
        ];
        for (language, text) in poor {
            let quality = evidence_quality(text, language, 2026);
            assert!(
                quality.overall < 0.15 && quality.vague == 3,
                "{language:?} {quality:?}"
            );
        }
    }

    #[test]
    fn future_years_are_as_recent_as_the_current_one() {
        let temporal = |text: &str, year| evidence_quality(text, Language::English, year).temporal;
        assert_eq!(temporal("By 2050.", 2026), 1.0);
        assert_eq!(temporal("In 2020 and 2024.", 2024), 0.8);
        assert_eq!(temporal("In 1990.", 2026), 0.3);
        assert_eq!(temporal("In 19900 or x2020.", 2026), 0.8);
        assert_eq!(temporal("到2026年", 2026), 1.0);
    }

    #[test]
    fn sentences_end_with_stops() {
        let found: Vec<_> = sentences("It is 3.5 s. Why?  好。不好！ x").collect();
        assert_eq!(
            found,
            [
                (0, "It is 3.5 s."),
                (13, "Why?"),
                (19, "好。"),
                (21, "不好！"),
                (25, "x")
            ]
        );
    }

    #[test]
    fn claims_are_linked_to_nearby_evidence() {
        let text = "缓存可以提高性能，是最好的方案。根据测试报告，延迟下降了40%。什么时候部署比较合适呢？";
        let found = evidence_coverage(text, Language::Mandarin);
        assert_eq!(found.claims.len(), 1, "{found:?}");
        assert_eq!(found.links[0].evidence, "40%");
        let found = evidence_coverage(
            "Why is this so? Perhaps it is the cache that helps.",
            Language::English,
        );
        assert_eq!(found, Coverage::default());
    }

    proptest! {
        #[test]
        fn all_scores_stay_in_range(
            text in "\\PC{0,60}|([a-z]{1,5} |is |according to |20[0-9]{2} |[0-9]% |因此|。|\\. ){0,30}",
            language in proptest::sample::select(&Language::ALL), year in any::<i32>()
        ) {
            let quality = evidence_quality(&text, language, year);
            for value in [quality.citation_density, quality.specificity, quality.diversity, quality.temporal,
                quality.logic, quality.overall] {
                prop_assert!((0.0..=1.0).contains(&value), "{:?}", quality);
            }
            let found = evidence_coverage(&text, language);
            prop_assert!((0.0..=1.0).contains(&found.coverage));
            prop_assert!(found.linked.len() + found.unlinked.len() <= found.claims.len());
        }
    }
}
