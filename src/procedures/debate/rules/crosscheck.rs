//! Evidence across the proposals of a round: claims by several seats without support, sources that all
//! repeat, similar claims with different evidence. Claims are linked with evidence in [`super::evidence`].

use serde::{Deserialize, Serialize};

use super::convergence::Proposal;
use super::evidence::{Coverage, Link, evidence_coverage, long_words};
use super::similarity::overlap;
use super::text::{is_word, width};
use crate::language::Language;

/// A claim of several seats that none supports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The sentence.
    pub claim: String,
    /// In roster order.
    pub seats: Vec<String>,
    /// Fraction of all seats with the claim, 0 to 1.
    pub severity: f64,
}

/// Similar claims of two seats with different evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    pub seats: (String, String),
    pub claims: (String, String),
    pub evidence: (String, String),
}

/// Evidence across the proposals of a round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CrossCheck {
    /// At most five, most severe first.
    pub gaps: Vec<Gap>,
    /// At most three.
    pub contradictions: Vec<Contradiction>,
    /// 1 − distinct pieces of evidence among all; 0 without evidence.
    pub redundancy: f64,
    /// Number of distinct pieces of evidence.
    pub unique: usize,
    /// Number of pieces of evidence.
    pub total: usize,
    /// Mean fraction of the seats per shared piece of evidence; 0 without shared evidence.
    pub corroboration: f64,
    /// By seat: fraction of its claims with a strong link.
    pub coverage: Vec<(String, f64)>,
    /// The first seat with minimum coverage.
    pub weakest: Option<String>,
}

/// Compares the proposals of a round. The result is empty for fewer than two.
#[must_use]
pub fn cross_check(proposals: &[Proposal], language: Language) -> CrossCheck {
    if proposals.len() < 2 {
        return CrossCheck::default();
    }
    let covered: Vec<(&str, Coverage)> = proposals
        .iter()
        .map(|(seat, text)| (*seat, evidence_coverage(text, language)))
        .collect();
    let mut check = CrossCheck {
        gaps: gaps(&covered),
        contradictions: contradictions(&covered),
        coverage: covered
            .iter()
            .map(|(seat, all)| ((*seat).to_owned(), all.coverage))
            .collect(),
        ..CrossCheck::default()
    };
    let mut weakest: Option<(&str, f64)> = None;
    for (seat, all) in &covered {
        if weakest.is_none_or(|(_, least)| all.coverage < least) {
            weakest = Some((seat, all.coverage));
        }
    }
    check.weakest = weakest.map(|(seat, _)| seat.to_owned());

    // Each piece of evidence with the seats that use it.
    let mut used: Vec<(String, Vec<&str>)> = Vec::new();
    for (seat, all) in &covered {
        for link in &all.links {
            let Some(evidence) = normalize(&link.evidence) else {
                continue;
            };
            check.total += 1;
            match used.iter_mut().find(|(known, _)| *known == evidence) {
                Some((_, seats)) if !seats.contains(seat) => seats.push(seat),
                Some(_) => {}
                None => used.push((evidence, vec![seat])),
            }
        }
    }
    check.unique = used.len();
    if check.total > 0 {
        check.redundancy = 1.0 - check.unique as f64 / check.total as f64;
    }
    let shared: Vec<usize> = used
        .iter()
        .map(|(_, seats)| seats.len())
        .filter(|seats| *seats > 1)
        .collect();
    if !shared.is_empty() {
        check.corroboration = shared.iter().sum::<usize>() as f64 / (shared.len() * proposals.len()) as f64;
    }
    check
}

/// Normalises evidence for comparison: lower case, without punctuation. Returns `None` if five characters or
/// fewer remain, where a Chinese character counts as three.
fn normalize(evidence: &str) -> Option<String> {
    let mut text = evidence
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    text.retain(|c| is_word(c) || c == ' ');
    (width(&text) > 5).then_some(text)
}

fn gaps(covered: &[(&str, Coverage)]) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    let supports = |claim: &String| covered.iter().any(|(_, all)| all.linked.contains(claim));
    for claim in covered.iter().flat_map(|(_, all)| &all.unlinked) {
        if gaps.iter().any(|gap| gap.claim == *claim) || supports(claim) {
            continue;
        }
        let makers = covered.iter().filter(|(_, all)| all.claims.contains(claim));
        let seats: Vec<String> = makers.map(|(seat, _)| (*seat).to_owned()).collect();
        if seats.len() > 1 {
            gaps.push(Gap {
                claim: claim.clone(),
                severity: seats.len() as f64 / covered.len() as f64,
                seats,
            });
        }
    }
    gaps.sort_by(|a, b| b.severity.total_cmp(&a.severity));
    gaps.truncate(5);
    gaps
}

fn contradictions(covered: &[(&str, Coverage)]) -> Vec<Contradiction> {
    let words = |link: &Link| [long_words(&link.claim), long_words(&link.evidence)];
    let with_words = |all: &Coverage| all.links.iter().take(MAX_LINKS).map(words).collect::<Vec<_>>();
    let all_words: Vec<_> = covered.iter().map(|(_, all)| with_words(all)).collect();
    let alike = |a: &[String], b: &[String]| overlap(a, b).unwrap_or(0.0);
    let mut found = Vec::new();
    for (at, (seat, all)) in covered.iter().enumerate() {
        for (next, (other, others)) in covered.iter().enumerate().skip(at + 1) {
            for (one, [claim, evidence]) in all.links.iter().zip(&all_words[at]) {
                for (two, [other_claim, other_evidence]) in others.links.iter().zip(&all_words[next]) {
                    if found.len() == 3 {
                        return found;
                    }
                    if alike(claim, other_claim) > 0.4 && alike(evidence, other_evidence) < 0.2 {
                        found.push(Contradiction {
                            seats: ((*seat).to_owned(), (*other).to_owned()),
                            claims: (one.claim.clone(), two.claim.clone()),
                            evidence: (one.evidence.clone(), two.evidence.clone()),
                        });
                    }
                }
            }
        }
    }
    found
}

/// Maximum number of claims per seat to compare with another seat's.
const MAX_LINKS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_sources_and_claims_without_any() {
        let a = "The new cache is faster than the old one, according to Acme Labs. Users should be happy with the plan.";
        let b = "The plan is cheap, according to Acme Labs. Users should be happy with the plan.";
        let check = cross_check(&[("a", a), ("b", b), ("c", "No.")], Language::English);
        assert_eq!(check.unique, 1);
        assert!(check.redundancy > 0.4, "{check:?}");
        assert!((check.corroboration - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(check.weakest.as_deref(), Some("c"));
        let text = "我们应该迁移到新的地区，因为它更便宜。";
        let check = cross_check(&[("甲", text), ("乙", text)], Language::Mandarin);
        assert_eq!(check.gaps.len(), 1);
        assert_eq!(check.gaps[0].seats, ["甲", "乙"]);
        assert_eq!(check.gaps[0].severity, 1.0);
    }

    #[test]
    fn like_claims_on_unlike_evidence() {
        let a = "The migration reduces yearly storage costs, according to Acme Research.";
        let b = "The migration reduces yearly storage costs, according to Bolt Institute.";
        let check = cross_check(&[("a", a), ("b", b)], Language::English);
        assert_eq!(
            check.contradictions.len(),
            0,
            "both name a source with 'according'"
        );
        let b = "The migration reduces yearly storage costs (Bolt 2020), we conclude.";
        let check = cross_check(&[("a", a), ("b", b)], Language::English);
        assert_eq!(check.contradictions.len(), 1, "{check:?}");
        assert_eq!(cross_check(&[("a", a)], Language::English), CrossCheck::default());
    }
}
