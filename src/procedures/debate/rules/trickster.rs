//! The trickster of a debate: detects consensus without evidence and decides whether to challenge it.
//! Challenges are worded elsewhere. It works on forms of evidence ([`super::evidence`]), so it underrates
//! well-founded texts without figures or sources.

use serde::{Deserialize, Serialize};

use super::convergence::{Novelty, Proposal};
use super::crosscheck::{CrossCheck, Gap, cross_check};
use super::evidence::{Quality, evidence_quality};
use super::similarity::mean;
use crate::language::Language;
use std::collections::BTreeMap;

/// Formula for the severity of hollowness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeverityRule {
    /// .4 lack of quality + .3 uneven quality (full from a variance of .06) + .2 share of seats without
    /// citations + .1 share of vague ones.
    #[default]
    Recommended,
    /// As published: .4 lack of quality + .3 uneven quality beyond a variance of .3, which no texts reach, so
    /// only blank texts tend to be severe enough.
    Published,
}

/// Deficiency of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// Citations for less than a fifth of the claims.
    Citations,
    /// Mostly vague words.
    Specificity,
    /// Hardly any reasons.
    Reasoning,
    /// No kind of evidence.
    EvidenceDiversity,
}

/// Returns the deficiencies of a text, in the order of [`Lack`].
#[must_use]
pub fn lacks(quality: &Quality) -> Vec<Lack> {
    let scores = [
        (quality.citation_density < 0.2, Lack::Citations),
        (quality.specificity < 0.3, Lack::Specificity),
        (quality.logic < 0.3, Lack::Reasoning),
        (quality.diversity < 0.2, Lack::EvidenceDiversity),
    ];
    scores
        .into_iter()
        .filter(|(low, _)| *low)
        .map(|(_, lack)| lack)
        .collect()
}

/// Hollowness of an agreement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hollow {
    /// Severity above .3 at a similarity above .7.
    pub detected: bool,
    /// 0 to 1.
    pub severity: f64,
    /// Minimum quality.
    pub min: f64,
    /// Mean quality.
    pub mean: f64,
    /// Variance of the quality over all seats.
    pub variance: f64,
    /// Whether the mean is below the required quality.
    pub is_low: bool,
    /// Whether the quality is too uneven.
    pub is_uneven: bool,
    /// By text.
    pub lacks: Vec<Vec<Lack>>,
}

impl Hollow {
    /// Counts the deficiencies: overall ones, and citations and specificity of each text.
    #[must_use]
    pub fn faults(&self) -> usize {
        let graver = |lack: &&Lack| matches!(lack, Lack::Citations | Lack::Specificity);
        usize::from(self.is_low)
            + usize::from(self.is_uneven)
            + self.lacks.iter().flatten().filter(graver).count()
    }

    /// Returns the deficiencies of any text in citations, specificity or reasoning.
    #[must_use]
    pub fn challenges(&self) -> Vec<Lack> {
        let mut kinds = vec![Lack::Citations, Lack::Specificity, Lack::Reasoning];
        kinds.retain(|kind| self.lacks.iter().flatten().any(|lack| lack == kind));
        kinds
    }
}

/// Assesses texts by their quality and similarity; below a similarity of .5 the result is empty.
#[must_use]
pub fn hollow_consensus(
    qualities: &[Quality],
    similarity: f64,
    min_quality: f64,
    rule: SeverityRule,
) -> Hollow {
    let overall: Vec<f64> = qualities.iter().map(|quality| quality.overall).collect();
    let Some(mean) = mean(&overall).filter(|_| similarity >= 0.5) else {
        return Hollow::default();
    };
    let variance = overall.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>() / overall.len() as f64;
    let lacks: Vec<Vec<Lack>> = qualities.iter().map(lacks).collect();
    let share = |lack: Lack| {
        let with = lacks.iter().filter(|one| one.contains(&lack)).count();
        with as f64 / lacks.len() as f64
    };
    let is_low = mean < min_quality;
    let low = if is_low { 1.0 - mean / min_quality } else { 0.0 };
    let (is_uneven, severity) = match rule {
        SeverityRule::Published => {
            let is_uneven = variance > 0.3;
            let uneven = if is_uneven { 0.3 } else { 0.0 };
            (is_uneven, 0.4 * low + uneven)
        }
        SeverityRule::Recommended => {
            let uneven = (variance / 0.06).min(1.0);
            let forms = 0.2 * share(Lack::Citations) + 0.1 * share(Lack::Specificity);
            (uneven >= 1.0, 0.4 * low + 0.3 * uneven + forms)
        }
    };
    let severity = severity.min(1.0);
    Hollow {
        detected: severity > 0.3 && similarity > 0.7,
        severity,
        min: overall.iter().copied().fold(1.0, f64::min),
        mean,
        variance,
        is_low,
        is_uneven,
        lacks,
    }
}

/// Returns the minimum severity for an intervention: .8 for sensitivity 0 down to .2 for 1.
#[must_use]
pub fn hollow_threshold(sensitivity: f64) -> f64 {
    0.8 - 0.6 * sensitivity.clamp(0.0, 1.0)
}

/// Conditions of interventions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// 0 (hardly ever) to 1.
    pub sensitivity: f64,
    /// Required evidence quality.
    pub min_quality: f64,
    /// Minimum distance between challenges, in rounds; 1 allows one in every round.
    pub cooldown: u32,
    /// Maximum number of challenges in a debate.
    pub most: u32,
    /// Maximum number of seats in a quality challenge.
    pub most_targets: usize,
    /// Maximum number of consecutive rounds in which challenges block convergence; 0: challenges only advise.
    pub most_blocked: u32,
    pub severity: SeverityRule,
    /// Whether each claim is challenged only once.
    pub ask_once: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sensitivity: 0.7,
            min_quality: 0.65,
            cooldown: 1,
            most: 5,
            most_targets: 3,
            most_blocked: 2,
            severity: SeverityRule::default(),
            ask_once: false,
        }
    }
}

/// Kind of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intervention {
    /// Asks for evidence.
    ChallengePrompt,
    /// The first challenge: a seat takes the challenger's role.
    QualityRole,
    /// Adds a round.
    ExtendedRound,
    /// Requests a review by a person.
    Breakpoint,
    /// Asks for something new.
    NoveltyChallenge,
    /// Several seats make a claim without support.
    EvidenceGap,
    /// All repeat the same sources.
    EchoChamber,
}

impl Intervention {
    /// Returns the rating penalty of a target, to be multiplied by the priority.
    #[must_use]
    pub fn penalty(self) -> f64 {
        match self {
            Self::EvidenceGap => -0.3,
            Self::EchoChamber => -0.2,
            Self::ChallengePrompt => -0.15,
            Self::QualityRole | Self::NoveltyChallenge => -0.1,
            Self::ExtendedRound => -0.05,
            Self::Breakpoint => -0.4,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    pub kind: Intervention,
    pub round: u32,
    /// Seats.
    pub targets: Vec<String>,
    /// 0 to 1.
    pub priority: f64,
    /// Whether it blocks convergence in this round.
    pub blocks: bool,
    /// Deficiencies by seat, for quality challenges.
    pub lacks: Vec<(String, Vec<Lack>)>,
    /// Unsupported claims, for [`Intervention::EvidenceGap`].
    pub gaps: Vec<Gap>,
}

/// State of the trickster in a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trickster {
    pub config: Config,
    total: u32,
    last: Option<u32>,
    blocked: u32,
    penalties: BTreeMap<String, f64>,
    /// Challenged claims.
    asked: Vec<String>,
}

impl Trickster {
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            config,
            total: 0,
            last: None,
            blocked: 0,
            penalties: BTreeMap::new(),
            asked: Vec::new(),
        }
    }

    /// Returns the number of interventions.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Returns the rating penalties by seat, at least −1.
    #[must_use]
    pub fn penalties(&self) -> &BTreeMap<String, f64> {
        &self.penalties
    }

    /// Examines the proposals of a round, with their mean pairwise similarity; `year` is the current one.
    /// Returns at most one challenge, and none during the cooldown or beyond the maximum.
    pub fn look(
        &mut self,
        proposals: &[Proposal],
        similarity: f64,
        round: u32,
        language: Language,
        year: i32,
    ) -> Option<Challenge> {
        let challenge = if self.can_intervene(round) {
            self.decide(proposals, similarity, round, language, year)
        } else {
            None
        };
        match challenge {
            Some(challenge) => Some(self.record(challenge)),
            None => {
                self.blocked = 0;
                None
            }
        }
    }

    /// Challenges seats with low novelty, unless the round has converged, where repetition is expected.
    pub fn look_for_news(&mut self, novelty: &Novelty, converged: bool, round: u32) -> Option<Challenge> {
        if novelty.low.is_empty() || converged || !self.can_intervene(round) {
            return None;
        }
        let challenge = Challenge {
            kind: Intervention::NoveltyChallenge,
            round,
            targets: novelty.low.clone(),
            priority: 1.0 - novelty.min,
            blocks: false,
            lacks: Vec::new(),
            gaps: Vec::new(),
        };
        Some(self.record(challenge))
    }

    fn can_intervene(&self, round: u32) -> bool {
        let rested = |last: u32| round.saturating_sub(last) >= self.config.cooldown;
        self.total < self.config.most && self.last.is_none_or(rested)
    }

    fn decide(
        &self,
        proposals: &[Proposal],
        similarity: f64,
        round: u32,
        language: Language,
        year: i32,
    ) -> Option<Challenge> {
        if similarity > 0.6
            && let Some(challenge) =
                evidence_challenge(self.drop_challenged(cross_check(proposals, language)), round)
        {
            return Some(challenge);
        }
        let qualities: Vec<Quality> = proposals
            .iter()
            .map(|(_, text)| evidence_quality(text, language, year))
            .collect();
        let config = &self.config;
        let hollow = hollow_consensus(&qualities, similarity, config.min_quality, config.severity);
        if !hollow.detected || hollow.severity < hollow_threshold(config.sensitivity) {
            return None;
        }
        let mut worst: Vec<(&str, f64)> = proposals
            .iter()
            .zip(&qualities)
            .map(|((seat, _), quality)| (*seat, quality.overall))
            .collect();
        worst.sort_by(|a, b| a.1.total_cmp(&b.1));
        // If each text is good enough but all together are hollow, the worst is challenged.
        let poor = worst
            .iter()
            .filter(|(_, quality)| *quality < config.min_quality)
            .count();
        let named = |(seat, _): &(&str, f64)| (*seat).to_owned();
        let kind = if hollow.severity > 0.8 {
            Intervention::Breakpoint
        } else if self.total == 0 {
            Intervention::QualityRole
        } else {
            Intervention::ChallengePrompt
        };
        let lacks = proposals.iter().zip(&hollow.lacks);
        let lacks = lacks.filter(|(_, lacks)| !lacks.is_empty());
        Some(Challenge {
            kind,
            round,
            targets: worst
                .iter()
                .take(poor.clamp(1, config.most_targets.max(1)))
                .map(named)
                .collect(),
            priority: hollow.severity,
            blocks: false,
            lacks: lacks
                .map(|((seat, _), lacks)| ((*seat).to_owned(), lacks.clone()))
                .collect(),
            gaps: Vec::new(),
        })
    }

    /// Drops claims that were challenged before, if each is challenged only once.
    fn drop_challenged(&self, mut check: CrossCheck) -> CrossCheck {
        check
            .gaps
            .retain(|gap| !self.config.ask_once || !self.asked.contains(&gap.claim));
        check
    }

    fn record(&mut self, mut challenge: Challenge) -> Challenge {
        let urgent = challenge.priority > 0.5 && challenge.kind != Intervention::NoveltyChallenge;
        challenge.blocks = urgent && self.blocked < self.config.most_blocked;
        self.blocked = if challenge.blocks { self.blocked + 1 } else { 0 };
        self.total += 1;
        self.last = Some(challenge.round);
        self.asked
            .extend(challenge.gaps.iter().map(|gap| gap.claim.clone()));
        for seat in &challenge.targets {
            let penalty = self.penalties.entry(seat.clone()).or_default();
            *penalty = (*penalty + challenge.kind.penalty() * challenge.priority).max(-1.0);
        }
        challenge
    }
}

/// Returns the challenge from the combined evidence of all proposals.
fn evidence_challenge(check: CrossCheck, round: u32) -> Option<Challenge> {
    let challenge = |kind, targets, priority, gaps| Challenge {
        kind,
        round,
        targets,
        priority,
        blocks: false,
        lacks: Vec::new(),
        gaps,
    };
    if let Some(first) = check.gaps.first() {
        let (targets, severity) = (first.seats.clone(), first.severity);
        return Some(challenge(
            Intervention::EvidenceGap,
            targets,
            severity,
            check.gaps,
        ));
    }
    let all = check.coverage.into_iter().map(|(seat, _)| seat).collect();
    (check.redundancy > 0.7).then(|| challenge(Intervention::EchoChamber, all, check.redundancy, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VAGUE: &str = "It usually depends on various factors.";

    #[test]
    fn hollow_agreement_is_challenged_for_a_limited_time() {
        let mut trickster = Trickster::new(Config::default());
        let texts = [("a", VAGUE), ("b", "Generally, best practices might help.")];
        let mut blocks = Vec::new();
        for round in 3..12 {
            if let Some(challenge) = trickster.look(&texts, 0.9, round, Language::English, 2026) {
                assert_eq!(challenge.targets.len(), 2);
                assert!(challenge.lacks[0].1.contains(&Lack::Citations));
                blocks.push(challenge.blocks);
            }
        }
        assert_eq!(blocks, [true, true, false, true, true]);
        assert_eq!(trickster.total(), 5);
        assert!(
            trickster
                .penalties()
                .values()
                .all(|penalty| (-1.0..0.0).contains(penalty))
        );
    }

    #[test]
    fn disagreement_and_founded_texts_are_not_challenged() {
        let mut trickster = Trickster::new(Config::default());
        let look = |trickster: &mut Trickster, text, similarity| {
            trickster.look(
                &[("a", text), ("b", text)],
                similarity,
                3,
                Language::English,
                2026,
            )
        };
        assert_eq!(look(&mut trickster, VAGUE, 0.6), None);
        let good = "According to Acme 2025, latency fell by 40% [1]. For example, because reads were cached.";
        assert_eq!(look(&mut trickster, good, 0.9), None);
        assert_eq!(trickster.look(&[], 0.9, 3, Language::English, 2026), None);
    }

    #[test]
    fn converged_proposals_need_no_novelty() {
        let novelty = Novelty {
            per_seat: Vec::new(),
            mean: 0.1,
            min: 0.1,
            max: 0.1,
            low: vec!["a".to_owned()],
        };
        let mut trickster = Trickster::new(Config::default());
        assert_eq!(trickster.look_for_news(&novelty, true, 3), None);
        let challenge = trickster.look_for_news(&novelty, false, 3).unwrap();
        assert_eq!(challenge.kind, Intervention::NoveltyChallenge);
        assert!((challenge.priority - 0.9).abs() < 1e-12 && !challenge.blocks);
        assert_eq!(trickster.look_for_news(&novelty, false, 3), None, "one a round");
    }

    proptest! {
        #[test]
        fn severity_stays_in_range(
            texts in proptest::collection::vec("\\PC{0,30}|([a-z]{1,6} |\\[1\\] |because |[0-9]% ){0,20}", 0..5),
            similarity in any::<f64>(), min_quality in any::<f64>(), sensitivity in any::<f64>(), round in any::<u32>()
        ) {
            let qualities: Vec<Quality> =
                texts.iter().map(|text| evidence_quality(text, Language::English, 2026)).collect();
            for rule in [SeverityRule::Recommended, SeverityRule::Published] {
                let hollow = hollow_consensus(&qualities, similarity, 0.65, rule);
                prop_assert!((0.0..=1.0).contains(&hollow.severity));
            }
            let config = Config { sensitivity, min_quality, ..Config::default() };
            let seats: Vec<Proposal> = texts.iter().map(|text| ("a", text.as_str())).collect();
            let _ = Trickster::new(config).look(&seats, similarity, round, Language::English, 2026);
        }
    }
}
