//! Payoffs and counterfactuals, their delivery, and the result of the run.

use super::apply::{Assignment, apply};
use super::counterfactual::{Alternative, constraint_sweep, fixed_class, median_constraint};
use super::distribution::DistributionSet;
use super::event::{Event, Moment, Payout, SweepRow, Validation};
use super::history::HistoryKind;
use super::lab::{Lab, Warning};
use super::member::Member;
use super::phase2::Group;
use super::prompts::phase1::RoundPayoff;
use super::prompts::results::{self as prompts, Applied, Results};
use super::settings::NoConsensus;
use super::voting::{Agreed, VotingRecord};
use crate::core::audience::Audience;
use crate::language::format::timestamp;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::context::Experience;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Result of a run: the seed documents' `Phase2Results`, plus phase 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JusticeResult {
    pub consensus_reached: bool,
    pub chosen_principle: Option<Principle>,
    /// In income dollars.
    pub constraint_amount: Option<u32>,
    /// All public statements and notices, in full.
    pub discussion_history: Vec<HistoryStatement>,
    /// Every vote that was started.
    pub voting_records: Vec<VotingRecord>,
    /// By participant.
    pub payoffs: BTreeMap<String, Payoff>,
    /// By participant; `None` if unreadable.
    pub final_rankings: BTreeMap<String, Option<Ranking>>,
    pub rounds_completed: u32,
    /// By participant.
    pub phase1: BTreeMap<String, Phase1Result>,
    pub seed: u32,
    pub warnings: Vec<Warning>,
}

/// An entry of the public history (discussion round sequence, statement metadata).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryStatement {
    pub round: u32,
    /// `None` for the lab's notices.
    pub speaker: Option<String>,
    pub statement: String,
    /// ISO 8601 in UTC.
    pub timestamp: String,
    /// Unicode scalar values in `statement`.
    pub character_count: u32,
    pub kind: HistoryKind,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub validation: Option<Validation>,
}

/// Pay of a participant in phase 2 and total earnings, in dollars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Payoff {
    pub class: String,
    /// 1 to 4.
    pub distribution: u8,
    pub income: u32,
    /// Payoff of phase 2.
    pub payoff: f64,
    /// Earnings of phase 1.
    pub phase1: f64,
    pub total: f64,
    /// Payoff of each principle for the same class, by id.
    pub counterfactuals: BTreeMap<String, f64>,
    /// The same for every amount that makes a difference.
    pub sweep: Vec<SweepRow>,
}

/// Results of a participant in phase 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase1Result {
    /// Rankings by moment: `initial`, `post_explanation`, `after_applications`.
    pub rankings: BTreeMap<String, Option<Ranking>>,
    pub applications: Vec<Experience>,
    /// In dollars.
    pub earnings: f64,
}

/// Draws and pays the incomes of phase 2. The agreed principle picks one distribution for all; without
/// agreement, the configured rule draws. Then each participant gets a class and a notice.
pub(super) async fn pay(lab: &Lab, members: &mut [Member], agreed: Option<&Agreed>) -> Vec<Payoff> {
    let (low, high) = lab.settings.distribution_range_phase2;
    let set = lab.draw("distributions", |random| {
        DistributionSet::drawn(low, high, random)
    });
    let distributions = set.distributions;
    let probabilities = lab.probabilities();
    let of_group = match agreed {
        Some(agreed) => Some(Applied::Agreed(agreed.principle, agreed.amount)),
        None => match lab.settings.phase2.no_consensus {
            NoConsensus::IndividualDistribution => None,
            NoConsensus::GroupDistribution => Some(Applied::GroupDistribution),
            NoConsensus::RandomPrinciple => {
                let index = lab.draw("principle", |random| random.choice(4));
                let principle = Principle::ALL[index % 4];
                Some(Applied::DrawnPrinciple(
                    principle,
                    median_constraint(&distributions, principle),
                ))
            }
        },
    };
    let picked = match of_group {
        Some(Applied::Agreed(principle, amount) | Applied::DrawnPrinciple(principle, amount)) => {
            apply(&distributions, principle, amount, probabilities.as_ref()).ok()
        }
        _ => None,
    };
    let shared = match of_group {
        Some(Applied::GroupDistribution) => {
            Some(lab.draw("distribution", |random| random.choice(distributions.len())))
        }
        _ => picked.map(|picked| picked.index),
    };
    lab.emit(
        Audience::Everybody,
        Event::Drawn {
            multiplier: set.multiplier,
            distributions: distributions.iter().map(|distribution| distribution.0).collect(),
            probabilities: probabilities.map(|probabilities| *probabilities.values()),
            distribution: shared.map(|index| index as u8 + 1),
            no_consensus: match agreed {
                Some(_) => None,
                None => Some(crate::core::data::variant_name(&lab.settings.phase2.no_consensus)),
            },
        },
    );
    let chosen = agreed.map(|agreed| (agreed.principle, agreed.amount));
    let mut payoffs = Vec::new();
    let mut notices = Vec::new();
    for member in members.iter_mut() {
        let name = member.name().to_owned();
        let index = shared.unwrap_or_else(|| {
            lab.draw(&format!("distribution of {name}"), |random| {
                random.choice(distributions.len())
            })
        });
        let class = lab.draw(&format!("class of {name}"), |random| {
            super::apply::draw_class(probabilities.as_ref(), random)
        });
        let assignment = Assignment::of(class, &distributions[index]);
        let phase1 = member.bank;
        member.bank += assignment.payoff;
        let sweep = constraint_sweep(&distributions, class, probabilities.as_ref(), chosen);
        let fixed = fixed_class(&distributions, class, probabilities.as_ref(), chosen);
        let payoff = Payoff {
            class: class.id().to_owned(),
            distribution: index as u8 + 1,
            income: assignment.income,
            payoff: assignment.payoff,
            phase1,
            total: member.bank,
            counterfactuals: by_principle(&fixed),
            sweep: sweep.iter().map(sweep_row).collect(),
        };
        lab.emit(
            member.audience(),
            Event::Paid(Payout {
                seat: name,
                distribution: payoff.distribution,
                class: payoff.class.clone(),
                income: payoff.income,
                payoff: payoff.payoff,
                counterfactuals: payoff.counterfactuals.clone(),
                sweep: payoff.sweep.clone(),
                bank: member.bank,
            }),
        );
        notices.push(prompts::results_notice(
            &member.words,
            &Results {
                applied: of_group.unwrap_or(Applied::OwnDistribution),
                paid: RoundPayoff {
                    distributions: &distributions,
                    probabilities: probabilities.as_ref(),
                    distribution: index,
                    constraint_met: picked.is_none_or(|picked| picked.constraint_met),
                    class,
                    income: assignment.income,
                    payoff: assignment.payoff,
                    sweep: &sweep,
                    bank: member.bank,
                },
            },
        ));
        payoffs.push(payoff);
    }
    for (member, notice) in members.iter_mut().zip(&notices) {
        member.rewrite_memory(2, 0, "results", notice, notice).await;
    }
    payoffs
}

fn by_principle(alternatives: &[Alternative]) -> BTreeMap<String, f64> {
    alternatives
        .iter()
        .map(|row| (row.principle.id().to_owned(), row.payoff))
        .collect()
}

fn sweep_row(row: &Alternative) -> SweepRow {
    SweepRow {
        principle: row.principle,
        amount: row.amount,
        distribution: row.distribution as u8 + 1,
        income: row.income,
        payoff: row.payoff,
    }
}

/// Builds the result of the run.
pub(super) fn build_result(lab: &Lab, members: &[Member], group: Group) -> JusticeResult {
    let by_name = |member: &Member| member.name().to_owned();
    let phase1 = |(member, payoff): (&Member, &Payoff)| {
        let moments = [
            ("initial", Moment::Initial),
            ("post_explanation", Moment::PostExplanation),
            ("after_applications", Moment::AfterApplications),
        ];
        let rankings = moments
            .map(|(name, moment)| (name.to_owned(), member.ranking(moment).cloned()))
            .into();
        let applications = member.applications.clone();
        (
            by_name(member),
            Phase1Result {
                rankings,
                applications,
                earnings: payoff.phase1,
            },
        )
    };
    JusticeResult {
        consensus_reached: group.agreed.is_some(),
        chosen_principle: group.agreed.as_ref().map(|agreed| agreed.principle),
        constraint_amount: group.agreed.as_ref().and_then(|agreed| agreed.amount),
        discussion_history: group
            .public
            .transcript
            .into_iter()
            .map(|utterance| HistoryStatement {
                round: utterance.entry.round,
                speaker: utterance.entry.speaker,
                character_count: utterance.entry.character_count as u32,
                statement: utterance.entry.statement,
                timestamp: timestamp(utterance.at),
                kind: utterance.entry.kind,
                validation: utterance.validation,
            })
            .collect(),
        voting_records: group.votes,
        final_rankings: members
            .iter()
            .map(|member| (by_name(member), member.ranking(Moment::AfterResults).cloned()))
            .collect(),
        phase1: members.iter().zip(&group.payoffs).map(phase1).collect(),
        payoffs: members
            .iter()
            .map(by_name)
            .zip(group.payoffs.iter().cloned())
            .collect(),
        rounds_completed: group.rounds,
        seed: lab.seed,
        warnings: lab.warnings(),
    }
}
