//! Outcome of a debate: winner, decision, confidence and final proposals.

use super::arena::{CritiqueEntry, SeatFailure};
use super::prompts::side_by_side;
use super::rounds::{Debate, pairs};
use super::rules::after::{Target, due};
use super::rules::consensus::{Decision, DecisionStatus, Mode, Strength};
use super::rules::convergence::Check;
use super::rules::disagreement::{CritiqueMade, Disagreement, VoteCast, disagreement};
use super::rules::judging::{Points, match_scores};
use super::rules::rhetoric::{Dynamics, dynamics};
use super::rules::stance::{Advanced, advanced};
use super::rules::tally::{Ballot, Cast};
use super::rules::trickster::Challenge;
use super::settings::debaters::Role;
use crate::procedures::debate::context::SourceItem;
use crate::reading::judge::Evaluation;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DebateOutcome {
    pub question: String,
    /// `consensus_reached`, `no_consensus`, `insufficient_participation`, `converged` or `failed`.
    pub status: String,
    pub consensus_reached: bool,
    /// 0 to 1.
    pub confidence: f64,
    pub consensus_strength: Strength,
    /// A mode of consensus, or `convergence`.
    pub decided_by: String,
    /// Author of the winning or leading proposal.
    pub winner: Option<String>,
    /// The judge's synthesis, the winner's proposal, or all proposals side by side. `None` if there is no
    /// proposal.
    pub final_answer: Option<String>,
    /// Number of the last round held.
    pub rounds_used: u32,
    /// In configuration order.
    pub participants: Vec<String>,
    pub judge: Option<String>,
    /// Last versions, by proposer.
    pub proposals: Vec<Proposal>,
    /// Voters for other proposals, and abstentions.
    pub dissenting: Vec<String>,
    /// As cast.
    pub votes: Vec<Ballot>,
    pub decision: Option<Decision>,
    pub evaluation: Option<Evaluation>,
    /// By proposer, best first.
    pub points: Vec<Points>,
    /// Similarity of the proposals, check by check.
    #[serde(default)]
    pub convergence: Vec<Check>,
    #[serde(default)]
    pub challenges: Vec<Challenge>,
    /// `None` if the observer is off.
    pub rhetoric: Option<Dynamics>,
    pub disagreement: Disagreement,
    /// Points for the ratings: the judge's, else shares of the votes.
    pub match_scores: Vec<(String, f64)>,
    /// Measures of arguments, sources and stances; `None` with fewer than two proposals.
    pub metrics: Option<Advanced>,
    /// Questions without a usable answer.
    pub agent_failures: Vec<SeatFailure>,
    /// Targets of the result, by the `after` rules of the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deliver: Vec<Target>,
    /// Votes as predictions of the winner; empty if there is no winner.
    #[serde(default)]
    pub predictions: Vec<Prediction>,
    /// Field of the question.
    pub domain: Option<String>,
    /// Participants without seats of role judge, in configuration order.
    #[serde(default)]
    pub team: Vec<String>,
    /// Items shown that have an id.
    #[serde(default)]
    pub gathered: Vec<Used>,
    /// Items with instruction-like text.
    #[serde(default)]
    pub context_taint: Vec<Tainted>,
}

/// A vote as a prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    pub voter: String,
    /// Author of the chosen proposal.
    pub choice: String,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// Whether that proposal won.
    pub came_true: bool,
}

/// An item shown in questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Citation number.
    pub evidence: String,
    /// Name of its source.
    pub source: String,
    /// Id within its source.
    pub id: String,
}

/// An item with instruction-like text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tainted {
    /// Citation number.
    pub evidence: String,
    /// Name of its source.
    pub source: String,
    /// May be empty.
    pub title: String,
    /// Kinds of instruction-like text.
    pub tainted: Vec<String>,
}

/// A proposal in its last version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The author.
    pub seat: String,
    /// From 1.
    pub version: u32,
    pub text: String,
}

/// Builds the result of a finished debate.
pub(super) fn outcome(debate: &Debate) -> Value {
    let arena = &debate.arena;
    let proposals: Vec<Proposal> = debate
        .proposals
        .iter()
        .map(|standing| Proposal {
            seat: arena.name(standing.seat).to_owned(),
            version: standing.version,
            text: standing.text.clone(),
        })
        .collect();
    let found = find(debate, &proposals);
    let points = debate
        .evaluation
        .as_ref()
        .map_or(Vec::new(), |judgement| judgement.points.clone());
    let observed: Vec<_> = debate
        .observed
        .iter()
        .map(|(name, pattern)| (name.as_str(), *pattern))
        .collect();
    let outcome = DebateOutcome {
        deliver: due(&arena.settings.after, found.reached, found.confidence),
        question: arena.settings.question.clone(),
        status: found.status.to_owned(),
        consensus_reached: found.reached,
        confidence: found.confidence,
        consensus_strength: found.strength,
        decided_by: found.decided_by,
        final_answer: answer(debate, &proposals, found.winner.as_ref()),
        rounds_used: debate.rounds,
        participants: arena.names.clone(),
        judge: debate.judge.map(|judge| arena.name(judge).to_owned()),
        dissenting: dissenting(&debate.ballots, found.winner.as_ref()),
        votes: debate.ballots.clone(),
        decision: debate.decision.clone(),
        evaluation: debate
            .evaluation
            .as_ref()
            .map(|judgement| judgement.evaluation.clone()),
        match_scores: scores(debate, &points),
        points,
        convergence: debate.checks.clone(),
        challenges: debate.challenges.clone(),
        rhetoric: arena
            .settings
            .enable_rhetorical_observer
            .then(|| dynamics(&observed)),
        disagreement: disagreements(debate, found.winner.as_deref()),
        metrics: metrics(debate),
        agent_failures: arena.failures.borrow().clone(),
        predictions: predictions(debate, found.winner.as_deref()),
        domain: arena.settings.domain.clone(),
        team: arena
            .with_role(|role| role != Role::Judge)
            .into_iter()
            .map(|seat| arena.name(seat).to_owned())
            .collect(),
        gathered: used(&arena.evidence),
        context_taint: tainted(&arena.evidence),
        winner: found.winner,
        proposals,
    };
    serde_json::to_value(&outcome).unwrap_or_default()
}

fn dissenting(ballots: &[Ballot], winner: Option<&String>) -> Vec<String> {
    let dissents = |ballot: &&Ballot| match &ballot.cast {
        Cast::For(choice) => winner.is_some_and(|winner| choice != winner),
        Cast::Abstained => winner.is_some(),
        Cast::Failed => false,
    };
    let names = ballots.iter().filter(dissents);
    names.map(|ballot| ballot.voter.clone()).collect()
}

/// Compares the last version of each proposal with the one before, and measures the whole debate.
fn metrics(debate: &Debate) -> Option<Advanced> {
    let history: Vec<_> = debate.history.iter().map(|step| pairs(step)).collect();
    let (current, before) = history.split_last()?;
    if current.len() < 2 {
        return None;
    }
    let measure = debate.arena.settings.similarity;
    let previous = before.last().cloned().unwrap_or_default();
    Some(advanced(current, &previous, &history, &|a, b| {
        measure.of(&debate.texts, a, b)
    }))
}

fn predictions(debate: &Debate, winner: Option<&str>) -> Vec<Prediction> {
    let Some(winner) = winner else {
        return Vec::new();
    };
    let predicted = |ballot: &Ballot| match &ballot.cast {
        Cast::For(choice) => Some(Prediction {
            voter: ballot.voter.clone(),
            choice: choice.clone(),
            confidence: ballot.confidence,
            came_true: choice == winner,
        }),
        Cast::Abstained | Cast::Failed => None,
    };
    debate.ballots.iter().filter_map(predicted).collect()
}

fn used(evidence: &[SourceItem]) -> Vec<Used> {
    let used = |item: &SourceItem| {
        Some(Used {
            evidence: item.evidence.clone(),
            source: item.source.clone(),
            id: item.id.clone()?,
        })
    };
    evidence.iter().filter_map(used).collect()
}

fn tainted(evidence: &[SourceItem]) -> Vec<Tainted> {
    let marked = evidence.iter().filter(|item| !item.tainted.is_empty());
    let tainted = |item: &SourceItem| Tainted {
        evidence: item.evidence.clone(),
        source: item.source.clone(),
        title: item.title.clone(),
        tainted: item.tainted.clone(),
    };
    marked.map(tainted).collect()
}

struct SourceUse {
    status: &'static str,
    reached: bool,
    confidence: f64,
    strength: Strength,
    decided_by: String,
    winner: Option<String>,
}

fn find(debate: &Debate, proposals: &[Proposal]) -> SourceUse {
    let early = debate.ended_early.map(|(_, reason)| reason);
    if early == Some("converged")
        && let Some(check) = debate.checks.last()
    {
        let medoid = check.inter_agent.medoid().and_then(|place| proposals.get(place));
        let voted = debate
            .decision
            .as_ref()
            .and_then(|decision| decision.winner.clone());
        return SourceUse {
            status: "converged",
            reached: true,
            confidence: check.inter_agent.mean,
            strength: super::rules::consensus::strength(check.inter_agent.mean, check.inter_agent.mean),
            decided_by: "convergence".to_owned(),
            // Among converged texts, the winner of an earlier vote, if there was one.
            winner: voted.or_else(|| medoid.map(|proposal| proposal.seat.clone())),
        };
    }
    let Some(decision) = &debate.decision else {
        return SourceUse {
            status: if proposals.is_empty() {
                "failed"
            } else {
                "no_consensus"
            },
            reached: false,
            confidence: 0.0,
            strength: Strength::None,
            decided_by: "none".to_owned(),
            winner: None,
        };
    };
    SourceUse {
        status: match decision.status {
            DecisionStatus::ConsensusReached => "consensus_reached",
            DecisionStatus::NoConsensus => "no_consensus",
            DecisionStatus::InsufficientParticipation => "insufficient_participation",
        },
        reached: decision.reached(),
        confidence: decision.confidence,
        strength: decision.strength,
        decided_by: crate::core::data::variant_name(&decision.decided_by),
        winner: decision.winner.clone(),
    }
}

fn answer(debate: &Debate, proposals: &[Proposal], winner: Option<&String>) -> Option<String> {
    let synthesis = debate
        .evaluation
        .as_ref()
        .map(|judgement| judgement.evaluation.synthesis.trim());
    let by_judge = debate.arena.settings.consensus == Mode::Judge;
    if let Some(synthesis) = synthesis.filter(|synthesis| by_judge && !synthesis.is_empty()) {
        return Some(synthesis.to_owned());
    }
    let won = proposals.iter().find(|proposal| Some(&proposal.seat) == winner);
    match (won, proposals) {
        (Some(proposal), _) | (None, [proposal]) => Some(proposal.text.clone()),
        (None, []) => None,
        (None, several) => {
            let named: Vec<_> = several.iter().map(|p| (p.seat.clone(), p.text.clone())).collect();
            Some(side_by_side(debate.arena.table_words(), &named))
        }
    }
}

/// Returns the judge's points without the judge's own; without points, shares of the votes.
fn scores(debate: &Debate, points: &[Points]) -> Vec<(String, f64)> {
    let arena = &debate.arena;
    let judge = debate.judge.map_or("", |judge| arena.name(judge));
    let given = match_scores(points, &arena.names, judge);
    if !given.is_empty() {
        return given;
    }
    let Some(decision) = debate
        .decision
        .as_ref()
        .filter(|decision| decision.tally.total > 0.0)
    else {
        return Vec::new();
    };
    let tally = &decision.tally;
    let share = |standing: &super::arena::ProposalState| {
        let name = arena.name(standing.seat);
        let row = tally.rows.iter().find(|row| row.choice == name);
        (name.to_owned(), row.map_or(0.0, |row| tally.share(row)))
    };
    debate.proposals.iter().map(share).collect()
}

fn disagreements(debate: &Debate, winner: Option<&str>) -> Disagreement {
    let arena = &debate.arena;
    let votes: Vec<VoteCast> = debate
        .ballots
        .iter()
        .filter_map(|ballot| match &ballot.cast {
            Cast::For(choice) => Some(VoteCast {
                seat: &ballot.voter,
                choice,
                confidence: ballot.confidence,
            }),
            Cast::Abstained | Cast::Failed => None,
        })
        .collect();
    // An objection expires when the text it refers to changes.
    let is_current = |entry: &&CritiqueEntry| {
        let mut all = debate.proposals.iter();
        all.any(|standing| standing.seat == entry.target && standing.text == entry.text)
    };
    let standing: Vec<&CritiqueEntry> = debate.critiques.iter().filter(is_current).collect();
    let issues: Vec<Vec<&str>> = standing
        .iter()
        .map(|entry| entry.critique.issues.iter().map(String::as_str).collect())
        .collect();
    let critiques: Vec<CritiqueMade> = standing
        .iter()
        .zip(&issues)
        .map(|(entry, issues)| CritiqueMade {
            critic: arena.name(entry.critic),
            target: arena.name(entry.target),
            issues,
            severity: entry.critique.severity,
        })
        .collect();
    disagreement(&votes, &critiques, winner)
}
