//! Selection of a judge, and results of the scores: verdict, panels, points for ratings. Answers of judges
//! are parsed in [`crate::reading::judge`].
//!
//! Source: A14, A3.3 and A16.1 of the debate's design.

use super::consensus::Verdict;
use super::stopping::LEAST_CONFIDENCE;
use super::tally::{EPSILON, compare};
use crate::procedures::spec::declare::choices;
use crate::reading::alias::{Alias, alias};
use crate::reading::judge::Evaluation;
use serde::{Deserialize, Serialize};

/// Returns the suitability as a judge, from rating and [`super::calibration::score`].
#[must_use]
pub fn composite(elo: f64, calibration: f64) -> f64 {
    0.7 * ((elo - 1000.0) / 500.0).max(0.0) + 0.3 * calibration
}

choices! {
    /// Method of selecting a judge.
    #[derive(Default)]
    pub enum Selection {
        /// At random.
        #[default]
        Random = "random",
        /// The first synthesizer, else the last seat.
        Last = "last",
        /// The best rating.
        EloRanked = "elo_ranked",
        /// The best combination of rating and calibration.
        Calibrated = "calibrated",
        /// The candidate nominated by the others.
        Voted = "voted",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeCandidate {
    pub name: String,
    /// Whether the candidate has a proposal.
    pub is_proposer: bool,
    /// Whether the role is to combine the parts.
    pub is_synthesizer: bool,
    /// Whether the candidate can be asked now.
    pub available: bool,
    pub elo: Option<f64>,
    /// 0 to 1.
    pub calibration: f64,
}

impl JudgeCandidate {
    fn composite(&self) -> f64 {
        composite(self.elo.unwrap_or(super::elo::START), self.calibration)
    }
}

/// Returns the judge's index in the roster, or `None` if it is empty. Unavailable seats and proposers are
/// used only if there are no others. `drawn` (any number) decides a random choice; `nominations` are indices
/// nominated by the others.
#[must_use]
pub fn select(
    roster: &[JudgeCandidate],
    how: Selection,
    drawn: usize,
    nominations: &[usize],
) -> Option<usize> {
    let mut pool: Vec<usize> = (0..roster.len()).collect();
    let prefers: [fn(&JudgeCandidate) -> bool; 2] = [|judge| judge.available, |judge| !judge.is_proposer];
    for prefers in prefers {
        if pool.iter().any(|at| prefers(&roster[*at])) {
            pool.retain(|at| prefers(&roster[*at]));
        }
    }
    let by_chance = pool.get(drawn.checked_rem(pool.len())?).copied();
    let best = |points: &dyn Fn(usize) -> f64| {
        let mut ranked = pool.clone();
        ranked.sort_by(|a, b| points(*b).total_cmp(&points(*a)));
        ranked.first().copied()
    };
    let named = |at: usize| nominations.iter().filter(|named| **named == at).count() as f64;
    match how {
        Selection::Random => by_chance,
        Selection::Last => pool
            .iter()
            .find(|at| roster[**at].is_synthesizer)
            .or(pool.last())
            .copied(),
        Selection::EloRanked if pool.iter().all(|at| roster[*at].elo.is_none()) => by_chance,
        Selection::EloRanked => best(&|at| roster[at].elo.unwrap_or(f64::NEG_INFINITY)),
        Selection::Calibrated => best(&|at| roster[at].composite()),
        Selection::Voted if pool.iter().all(|at| named(*at) == 0.0) => by_chance,
        Selection::Voted => {
            let most = pool.iter().map(|at| named(*at)).fold(0.0, f64::max);
            pool.retain(|at| named(*at) >= most);
            let best = |points: &dyn Fn(usize) -> f64| {
                let mut ranked = pool.clone();
                ranked.sort_by(|a, b| points(*b).total_cmp(&points(*a)));
                ranked.first().copied()
            };
            best(&|at| roster[at].composite())
        }
    }
}

/// Returns the index of the only candidate named by a nomination, other than the nominator.
#[must_use]
pub fn nominated(text: &str, nominator: &str, roster: &[&str]) -> Option<usize> {
    match alias(text, roster) {
        Alias::One(at) if roster.get(at) != Some(&nominator) => Some(at),
        _ => None,
    }
}

/// Points of a proposer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Points {
    pub proposer: String,
    /// 0 to 10.
    pub score: f64,
    /// Whether the judge scored this proposer. Otherwise the score is the mean of the others less 1, used for
    /// ranking but not for ratings.
    pub given: bool,
}

/// Returns the points of all proposers, best first; ties keep roster order. Empty without scores. `labels`
/// are pairs of the label shown and the proposer; several evaluations (another order, a panel) are averaged.
#[must_use]
pub fn points(evaluations: &[&Evaluation], labels: &[(String, String)]) -> Vec<Points> {
    let mean = |given: &[f64]| given.iter().sum::<f64>() / given.len().max(1) as f64;
    let given: Vec<Option<f64>> = labels
        .iter()
        .map(|(label, _)| {
            let scores = evaluations.iter().flat_map(|evaluation| &evaluation.scores);
            let own: Vec<f64> = scores
                .filter(|score| score.label == *label)
                .map(|score| score.score)
                .collect();
            (!own.is_empty()).then(|| mean(&own).clamp(0.0, 10.0))
        })
        .collect();
    let known: Vec<f64> = given.iter().copied().flatten().collect();
    if known.is_empty() {
        return Vec::new();
    }
    let rest = (mean(&known) - 1.0).clamp(0.0, 10.0);
    let mut all: Vec<Points> = labels
        .iter()
        .zip(given)
        .map(|((_, proposer), given)| Points {
            proposer: proposer.clone(),
            score: given.unwrap_or(rest),
            given: given.is_some(),
        })
        .collect();
    all.sort_by(|a, b| compare(b.score, a.score));
    all
}

/// Returns whether the judge's ranking contradicts the scores; the scores take precedence.
#[must_use]
pub fn ranking_differs(evaluation: &Evaluation) -> bool {
    let score = |label: &String| {
        let found = evaluation.scores.iter().find(|score| score.label == *label);
        found.map(|score| score.score)
    };
    let ranked: Vec<f64> = evaluation.ranking.iter().filter_map(score).collect();
    ranked.windows(2).any(|pair| pair[0] + EPSILON < pair[1])
}

/// Returns the decision of a judge in mode `judge`, with the judge's confidence (0 if not stated). `ranked`
/// is from [`points`]; without scores the first of the judge's ranking wins. The design multiplies by the
/// winner's share of the points, which would rule out high confidence with many proposals.
#[must_use]
pub fn verdict(evaluation: &Evaluation, ranked: &[Points], labels: &[(String, String)]) -> Verdict {
    let first = evaluation.ranking.first();
    let by_ranking = labels
        .iter()
        .find(|(label, _)| Some(label) == first)
        .map(|(_, proposer)| proposer.clone());
    Verdict {
        winner: ranked
            .first()
            .map(|points| points.proposer.clone())
            .or(by_ranking),
        reached: evaluation.conclusive == Some(true),
        confidence: evaluation.confidence.unwrap_or(0.0).clamp(0.0, 1.0),
    }
}

/// Returns whether no further round is needed: the judge is confident that the matter is settled, or the
/// votes agree and the best proposal leads by a point, or the proposals have converged.
#[must_use]
pub fn is_conclusive(evaluation: &Evaluation, ranked: &[Points], consensus: bool, converged: bool) -> bool {
    let is_sure = evaluation
        .confidence
        .is_some_and(|confidence| confidence + EPSILON >= LEAST_CONFIDENCE);
    let is_ahead = match ranked {
        [first, second, ..] => first.score - second.score + EPSILON >= 1.0,
        [_] => true,
        [] => false,
    };
    (evaluation.conclusive == Some(true) && is_sure) || (consensus && is_ahead) || converged
}

/// Returns the points for the ratings: scores by the judge, without the judge's own.
#[must_use]
pub fn match_scores(points: &[Points], roster: &[String], judge: &str) -> Vec<(String, f64)> {
    let of = |name: &String| {
        points
            .iter()
            .find(|points| points.proposer == *name && points.given)
    };
    let rated = roster.iter().filter(|name| *name != judge);
    rated
        .filter_map(|name| Some((name.clone(), of(name)?.score)))
        .collect()
}

/// Vote of a member of a panel of judges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PanelVote {
    /// `None` abstains.
    pub approves: Option<bool>,
    /// 0 to 1.
    pub confidence: f64,
    /// Used under `weighted` only.
    pub weight: f64,
}

/// Condition for a panel's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelRule {
    /// More than half.
    Majority,
    /// Two thirds.
    Supermajority,
    /// At least one vote in favour and none against.
    Unanimous,
    /// More than half of the weight.
    Weighted,
}

/// Result of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PanelVerdict {
    pub approved: bool,
    /// Share of approvals among non-abstaining members, 0 to 1.
    pub ratio: f64,
    /// The same, by weight.
    pub weighted: f64,
    /// Mean confidence of the approving members; 0 without any.
    pub confidence: f64,
}

/// Counts the votes of a panel.
#[must_use]
pub fn panel(votes: &[PanelVote], rule: PanelRule) -> PanelVerdict {
    let (mut yes, mut all, mut yes_weight, mut all_weight, mut sure) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for vote in votes {
        let Some(approves) = vote.approves else { continue };
        all += 1.0;
        all_weight += vote.weight;
        if approves {
            yes += 1.0;
            yes_weight += vote.weight;
            sure += vote.confidence.clamp(0.0, 1.0);
        }
    }
    let part = |of: f64, all: f64| if all > 0.0 { of / all } else { 0.0 };
    let (ratio, weighted) = (part(yes, all), part(yes_weight, all_weight));
    let approved = match rule {
        PanelRule::Majority => ratio > 0.5 + EPSILON,
        PanelRule::Supermajority => ratio + EPSILON >= 2.0 / 3.0,
        PanelRule::Unanimous => all > 0.0 && yes >= all,
        PanelRule::Weighted => weighted > 0.5 + EPSILON,
    };
    PanelVerdict {
        approved,
        ratio,
        weighted,
        confidence: part(sure, yes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::reading;
    use proptest::prelude::*;

    fn labels() -> Vec<(String, String)> {
        let pairs = [("Proposal 1", "ann"), ("Proposal 2", "bob"), ("Proposal 3", "cy")];
        pairs
            .iter()
            .map(|(label, name)| ((*label).to_owned(), (*name).to_owned()))
            .collect()
    }

    fn evaluation(text: &str) -> Evaluation {
        let shown = ["Proposal 1", "Proposal 2", "Proposal 3"];
        reading::judge(text, Language::English, &shown)
            .value()
            .cloned()
            .unwrap()
    }

    #[test]
    fn missing_points_count_for_ranks_but_not_ratings() {
        let sample = evaluation(
            "Proposal 1: 4\nProposal 2: 8\nRanking: Proposal 1, Proposal 2\nConclusive: yes\nConfidence: 0.9",
        );
        let ranked = points(&[&sample], &labels());
        let found: Vec<(&str, f64, bool)> = ranked
            .iter()
            .map(|points| (points.proposer.as_str(), points.score, points.given))
            .collect();
        assert_eq!(
            found,
            [("bob", 8.0, true), ("cy", 5.0, false), ("ann", 4.0, true)]
        );
        assert!(ranking_differs(&sample));
        let verdict = verdict(&sample, &ranked, &labels());
        assert_eq!((verdict.winner.as_deref(), verdict.reached), (Some("bob"), true));
        assert_eq!(verdict.confidence, 0.9);
        assert!(is_conclusive(&sample, &ranked, false, false));
        let roster = ["ann".to_owned(), "bob".to_owned(), "cy".to_owned()];
        assert_eq!(match_scores(&ranked, &roster, "bob"), [("ann".to_owned(), 4.0)]);
    }

    #[test]
    fn proposers_judge_only_without_other_candidates() {
        let judge = |name: &str, is_proposer, available| JudgeCandidate {
            name: name.to_owned(),
            is_proposer,
            is_synthesizer: false,
            available,
            elo: Some(1500.0),
            calibration: 0.0,
        };
        let mut roster = [
            judge("a", true, true),
            judge("b", false, true),
            judge("c", false, false),
        ];
        for how in [
            Selection::Random,
            Selection::Last,
            Selection::EloRanked,
            Selection::Calibrated,
            Selection::Voted,
        ] {
            assert_eq!(select(&roster, how, 7, &[0, 0]), Some(1), "{how:?}");
        }
        roster[1].available = false;
        assert_eq!(select(&roster, Selection::Random, 7, &[]), Some(0));
        assert_eq!(select(&[], Selection::Random, 0, &[]), None);
        assert_eq!(nominated("Bob, surely", "ann", &["ann", "bob"]), Some(1));
        assert_eq!(nominated("ann", "ann", &["ann", "bob"]), None);
    }

    proptest! {
        #[test]
        fn a_verdict_is_sound(scores in proptest::collection::vec(proptest::option::of(0..=10u8), 3), sure in 0.0..1.0f64, roster in 1..6usize, drawn: usize) {
            let mut text = format!("Confidence: {sure}\nConclusive: no\n");
            for (n, score) in scores.iter().enumerate() {
                if let Some(score) = score {
                    text.push_str(&format!("Proposal {}: {score}\n", n + 1));
                }
            }
            let sample = evaluation(&text);
            let ranked = points(&[&sample, &sample], &labels());
            prop_assert_eq!(ranked.len(), if scores.iter().all(Option::is_none) { 0 } else { 3 });
            let verdict = verdict(&sample, &ranked, &labels());
            prop_assert!((0.0..=1.0).contains(&verdict.confidence) && !verdict.reached);
            let judges: Vec<JudgeCandidate> = (0..roster)
                .map(|n| JudgeCandidate { name: n.to_string(), is_proposer: n % 2 == 0, is_synthesizer: false, available: n % 3 == 0, elo: None, calibration: 0.5 })
                .collect();
            prop_assert!(select(&judges, Selection::Voted, drawn, &[drawn]).is_some_and(|at| at < roster));
        }
    }
}
