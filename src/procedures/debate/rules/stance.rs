//! Measures of arguments, sources and stances in a debate, for reports only. Stances are derived from words,
//! not from meaning.

use serde::{Deserialize, Serialize};

use super::convergence::{Proposal, self_stability};
use super::phrases::SpacedText;
use super::signs::{phrases, signs};
use super::similarity::mean;
use super::text::{pieces, word_count};
use crate::language::pattern::pattern;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Stance of a text on the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    Support,
    Oppose,
    /// Both for and against, with conditions.
    Mixed,
    /// Neither, or balanced.
    Neutral,
}

/// Derives the stance of a text from its words, in any of the three languages. Support or opposition needs
/// the most signs; `must not` counts as opposition only.
#[must_use]
pub fn detect_stance(text: &str) -> Stance {
    let text = SpacedText::new(text);
    let count = |key| phrases(key).count(&text);
    let (oppose, neutral) = (count("oppose"), count("neutral"));
    let support = count("support").saturating_sub(count("oppose_with_support"));
    if support > oppose && support > neutral {
        Stance::Support
    } else if oppose > support && oppose > neutral {
        Stance::Oppose
    } else if neutral > 0 && support > 0 && oppose > 0 {
        Stance::Mixed
    } else {
        Stance::Neutral
    }
}

/// A fraction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub part: usize,
    pub whole: usize,
    /// Ratio, 0 to 1; 0 if `whole` is 0.
    pub score: f64,
}

impl Share {
    fn of(part: usize, whole: usize) -> Self {
        let score = if whole == 0 {
            0.0
        } else {
            (part as f64 / whole as f64).min(1.0)
        };
        Self { part, whole, score }
    }
}

/// Advanced convergence measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advanced {
    /// Mean similarity of the proposals to the previous ones; 0 without any.
    pub stability: f64,
    /// Arguments without a similar one, of all.
    pub diversity: Share,
    /// Sources named by at least two seats, of all.
    pub shared_sources: Share,
    /// Changes of stance, of all possible changes; `None` without a history.
    pub volatility: Option<Share>,
    /// .4 stability + .2 (1 − diversity) + .2 shared sources + .2 (1 − volatility); the last only with a
    /// history.
    pub overall: f64,
}

/// Minimum similarity of equal arguments.
const SAME_ARGUMENT: f64 = 0.7;

/// Compares the proposals of a round by arguments (sentences of more than five words), sources and stances.
/// `history` has the proposals of all rounds, including this one.
///
/// Source: advanced metrics of the debate. Arguments beyond the first hundred are ignored.
#[must_use]
pub fn advanced(
    current: &[Proposal],
    previous: &[Proposal],
    history: &[Vec<Proposal>],
    similarity: &dyn Fn(&str, &str) -> f64,
) -> Advanced {
    let stability = self_stability(current, previous, similarity).map_or(0.0, |all| all.mean);
    let diversity = diversity(current, similarity);
    let shared_sources = shared_sources(current);
    let volatility = (!history.is_empty()).then(|| volatility(history));
    let calm = volatility.map_or(0.0, |share| 1.0 - share.score);
    let overall = stability * 0.4 + (1.0 - diversity.score) * 0.2 + shared_sources.score * 0.2 + calm * 0.2;
    Advanced {
        stability,
        diversity,
        shared_sources,
        volatility,
        overall: overall.clamp(0.0, 1.0),
    }
}

fn diversity(proposals: &[Proposal], similarity: &dyn Fn(&str, &str) -> f64) -> Share {
    let pieces = proposals.iter().flat_map(|(_, text)| pieces(text));
    let arguments: Vec<&str> = pieces.filter(|piece| word_count(piece) > 5).take(100).collect();
    let alone = arguments.iter().enumerate().filter(|(at, argument)| {
        let same = |(other, text): (usize, &&str)| other != *at && similarity(argument, text) > SAME_ARGUMENT;
        !arguments.iter().enumerate().any(same)
    });
    Share::of(alone.count(), arguments.len())
}

fn shared_sources(proposals: &[Proposal]) -> Share {
    let mut seats_of: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in proposals {
        for source in sources(text) {
            *seats_of.entry(source).or_default() += 1;
        }
    }
    if proposals.len() < 2 {
        return Share::of(0, 0);
    }
    Share::of(
        seats_of.values().filter(|seats| **seats > 1).count(),
        seats_of.len(),
    )
}

/// Returns the distinct sources in a text: addresses, `[3]`, `(Smith et al., 2020)` and capitalised names
/// after "according to", "per" or "from" (Spanish "según"; Chinese 根据, up to punctuation).
#[must_use]
pub fn sources(text: &str) -> Vec<String> {
    static SOURCES: LazyLock<Vec<Regex>> = LazyLock::new(|| signs("source").map(pattern).collect());
    let mut found: Vec<String> = Vec::new();
    for source in SOURCES.iter().flat_map(|pattern| pattern.captures_iter(text)) {
        let source = source[1].trim();
        if found.len() < 200 && !found.iter().any(|known| known == source) {
            found.push(source.to_owned());
        }
    }
    found
}

fn volatility(history: &[Vec<Proposal>]) -> Share {
    let mut last: BTreeMap<&str, Stance> = BTreeMap::new();
    let (mut changes, mut chances) = (0, 0);
    for (seat, text) in history.iter().flatten() {
        let stance = detect_stance(text);
        if let Some(before) = last.insert(seat, stance) {
            chances += 1;
            changes += usize::from(before != stance);
        }
    }
    Share::of(changes, chances)
}

/// Returns the mean pairwise similarity, as in the classic batch measure; 1 for fewer than two texts.
#[must_use]
pub fn batch_mean(texts: &[&str], similarity: &dyn Fn(&str, &str) -> f64) -> f64 {
    let pairs = super::similarity::Pairwise::of(texts, similarity);
    mean(&pairs.values).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::similarity::jaccard;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stances_in_three_languages() {
        assert_eq!(detect_stance("We must not do it"), Stance::Oppose);
        assert_eq!(
            detect_stance("Apoyo la propuesta; debemos actuar"),
            Stance::Support
        );
        assert_eq!(detect_stance("Me opongo, estoy en contra"), Stance::Oppose);
        assert_eq!(detect_stance("我支持这个方案，应该实施"), Stance::Support);
        assert_eq!(detect_stance("我不同意，也不支持"), Stance::Oppose);
        assert_eq!(detect_stance("这取决于预算"), Stance::Neutral);
    }

    #[test]
    fn sources_are_named_once() {
        let text =
            "According to World Bank, yes [1]; see https://a.org/x and (Smith et al., 2020) [1] from here.";
        assert_eq!(
            sources(text),
            ["[1]", "https://a.org/x", "(Smith et al., 2020)", "World Bank"]
        );
        assert_eq!(sources("根据世界银行报告，贫困减少。"), ["世界银行报告"]);
        assert_eq!(sources("(the year 2020) [x] ["), Vec::<String>::new());
    }

    #[test]
    fn sources_and_stances_come_together() {
        let first = vec![
            ("a", "I support it [1]."),
            ("b", "I oppose all of this plan here, see [2]."),
        ];
        let now = vec![
            ("a", "I support it [1]."),
            ("b", "I support all of this plan here, see [1]."),
        ];
        let found = advanced(&now, &first, &[first.clone(), now.clone()], &jaccard);
        assert_eq!(found.shared_sources, Share::of(1, 1));
        assert_eq!(found.volatility, Some(Share::of(1, 2)));
        assert_eq!(found.diversity, Share::of(1, 1));
        let expected = 0.4 * found.stability + 0.2 + 0.1;
        assert!((found.overall - expected).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn any_text_has_a_stance_and_sources(text in "\\PC{0,50}|[\\[\\]()0-9A-Ca-c ,.根据支持]{0,40}") {
            let _ = detect_stance(&text);
            for source in sources(&text) {
                prop_assert!(text.contains(&source));
            }
            let found = advanced(&[("a", &text)], &[], &[], &jaccard);
            prop_assert!((0.0..=1.0).contains(&found.overall));
        }
    }
}
