//! The result file of the published program, for scripts written for it. The structure is the same and unknown values
//! are null. These fields are filled although the published program leaves them empty: the initiator of a vote, vote
//! counts, confirmations, and the amount of a choice (`constraint_amount`, the one added key). Values are those of the
//! record; generated texts (`Yes`, names of principles) are in English.

mod voting;

use self::voting::{Voting, voting};
use super::ExportError;
use super::run::Run;
use crate::core::ask_log::{AskLog, AskLogs};
use crate::language::format::named_money;
use crate::language::format::timestamp as iso;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::justice::event::{AppliedRound, Event, MemoryChange, Moment, Payout};
use crate::procedures::justice::settings::Participant;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Published<'a> {
    general_information: General,
    agents: Vec<Agent<'a>>,
    voting_history: Voting<'a>,
    /// Not in the published program's file; only for runs with models.
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<Value>,
}

#[derive(Serialize)]
struct General {
    consensus_reached: Option<bool>,
    consensus_principle: Option<Principle>,
    max_rounds_phase_2: u32,
    rounds_conducted_phase_2: u32,
    public_conversation_phase_2: String,
    config_file_used: Option<String>,
    seed_randomness: u32,
    income_class_probabilities: Option<Probabilities>,
    original_values_mode_enabled: bool,
    manipulator_target_info: Value,
}

#[derive(Serialize)]
struct Probabilities {
    high: f64,
    medium_high: f64,
    medium: f64,
    medium_low: f64,
    low: f64,
}

#[derive(Serialize)]
struct Agent<'a> {
    name: &'a str,
    model: Option<&'a str>,
    temperature: Option<f64>,
    personality: &'a str,
    reasoning_enabled: bool,
    phase_1: Phase1,
    phase_2: Phase2<'a>,
}

#[derive(Serialize)]
struct Phase1 {
    initial_ranking: RankingStep,
    detailed_explanation: Explanation,
    ranking_2: RankingStep,
    demonstrations: Vec<Demonstration>,
    ranking_3: RankingStep,
}

#[derive(Serialize)]
struct RankingStep {
    ranking_result: Value,
    memory_coming_in_this_round: Option<String>,
    bank_balance: Option<f64>,
}

#[derive(Serialize)]
struct Explanation {
    response_to_demonstration: Option<String>,
    memory_coming_in_this_round: Option<String>,
}

#[derive(Serialize)]
struct Demonstration {
    number_demonstration_round: u32,
    choice_principal: Option<Principle>,
    constraint_amount: Option<u32>,
    class_put_in: Option<String>,
    payoff_received: f64,
    payoff_if_other_principles: Option<String>,
    memory_coming_in_this_round: Option<String>,
    bank_balance_after_round: f64,
}

#[derive(Serialize)]
struct Phase2<'a> {
    rounds: Vec<Round<'a>>,
    post_group_discussion: PostDiscussion,
}

#[derive(Serialize)]
struct Round<'a> {
    number_discussion_round: u32,
    speaking_order: Option<usize>,
    bank_balance: Option<f64>,
    memory_coming_in_this_round: Option<String>,
    internal_reasoning: Option<&'a str>,
    public_message: Option<&'a str>,
    initiate_vote: &'static str,
    favored_principle: Option<Principle>,
}

#[derive(Serialize)]
struct PostDiscussion {
    class_put_in: Option<String>,
    payoff_received: Option<f64>,
    final_ranking: Value,
    final_vote: Option<&'static str>,
    vote_timestamp: Option<String>,
    memory_coming_in_this_round: Option<String>,
    bank_balance: Option<f64>,
}

/// Returns the text of the file, indented by 2.
pub(super) fn result(run: &Run) -> Result<String, ExportError> {
    let asks = AskLogs::of(run.record);
    let states = States { run, asks: &asks };
    let published = Published {
        general_information: general(run),
        agents: run
            .settings
            .participants
            .iter()
            .map(|participant| agent(run, participant, &states))
            .collect(),
        voting_history: voting(run),
        costs: super::costs::to_json(run.record, &asks),
    };
    serde_json::to_string_pretty(&published).map_err(|error| ExportError::Json(error.to_string()))
}

fn general(run: &Run) -> General {
    let agreed = run.events().find_map(|event| match event {
        Event::Counted { agreed, .. } => *agreed,
        _ => None,
    });
    let target = run.events().find_map(|event| match event {
        Event::TargetSet {
            seat,
            target,
            scores,
            tied,
            note,
        } => Some(manipulator(run, seat, *target, scores, tied, note.as_deref())),
        _ => None,
    });
    let conversation: String = run
        .events()
        .filter_map(public_line)
        .map(|line| format!("\n{line}"))
        .collect();
    General {
        consensus_reached: if agreed.is_some() {
            Some(true)
        } else {
            run.ended.map(|_| false)
        },
        consensus_principle: agreed,
        max_rounds_phase_2: run.settings.phase2_rounds,
        rounds_conducted_phase_2: rounds(run),
        public_conversation_phase_2: conversation,
        config_file_used: None,
        seed_randomness: run.head.seed,
        income_class_probabilities: run.settings.income_class_probabilities.map(
            |[high, medium_high, medium, medium_low, low]| Probabilities {
                high,
                medium_high,
                medium,
                medium_low,
                low,
            },
        ),
        original_values_mode_enabled: run.settings.original_values_mode,
        manipulator_target_info: target.unwrap_or(Value::Null),
    }
}

fn manipulator(
    run: &Run,
    seat: &str,
    target: Option<Principle>,
    scores: &BTreeMap<String, u32>,
    tied: &[Principle],
    note: Option<&str>,
) -> Value {
    let configured = run.settings.manipulator.as_ref();
    json!({
        "manipulator_name": seat,
        "target_principle": target,
        "target_strategy": configured.map(|manipulator| &manipulator.target_strategy),
        "principle_scores": scores,
        "aggregation_method": "borda_count",
        "tiebreak_applied": !tied.is_empty(),
        "tied_principles": tied,
        "tiebreak_order": configured.map(|manipulator| &manipulator.tiebreak_order),
        "delivered": target.is_some(),
        "delivery_channel": if target.is_some() { "role_description" } else { "none" },
        "error_message": note,
    })
}

fn rounds(run: &Run) -> u32 {
    let started = run.events().filter_map(|event| match event {
        Event::Ordered { round, .. } | Event::Opened { round, .. } => Some(*round),
        _ => None,
    });
    started.max().unwrap_or(0)
}

fn public_line(event: &Event) -> Option<String> {
    match event {
        Event::Spoke {
            seat, round, text, ..
        } if !text.is_empty() => Some(format!("Round {round} / Speaker: {seat} Statement: {text}")),
        Event::Announced { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// The questions of a run, and what participants had before them.
struct States<'a> {
    run: &'a Run<'a>,
    asks: &'a AskLogs,
}

impl States<'_> {
    /// Returns memory and bank balance of a participant before its first question of a kind, in `round` if given.
    fn before(&self, seat: &str, kind: &str, round: Option<u32>) -> Option<(String, f64)> {
        let is_it = |asked: &&AskLog| {
            asked.ask.seat == seat
                && asked.ask.kind.name() == kind
                && (round.is_none() || asked.ask.round == round)
        };
        let first = self.asks.all.iter().find(is_it)?;
        let (mut memory, mut balance) = (String::new(), 0.0);
        for logged in self.run.events.iter().take_while(|logged| logged.seq < first.seq) {
            match &logged.event {
                Event::Remembered {
                    seat: own, how, text, ..
                } if own == seat => {
                    if *how != MemoryChange::Appended {
                        memory.clear();
                    } else if !memory.is_empty() {
                        memory.push('\n');
                    }
                    memory.push_str(text);
                }
                Event::Applied(AppliedRound { seat: own, bank, .. })
                | Event::Paid(Payout { seat: own, bank, .. })
                    if own == seat =>
                {
                    balance = *bank;
                }
                _ => {}
            }
        }
        Some((memory, balance))
    }
}

fn agent<'a>(run: &'a Run, participant: &'a Participant, states: &States) -> Agent<'a> {
    let seat = &participant.seat;
    Agent {
        name: &seat.name,
        model: seat.model.as_deref(),
        temperature: seat.temperature,
        personality: &seat.personality,
        reasoning_enabled: participant.reasoning_enabled,
        phase_1: phase1(run, &seat.name, states),
        phase_2: Phase2 {
            rounds: (1..=rounds(run))
                .map(|round| discussion_round(run, &seat.name, round, states))
                .collect(),
            post_group_discussion: post_discussion(run, &seat.name, states),
        },
    }
}

fn phase1(run: &Run, name: &str, states: &States) -> Phase1 {
    let step = |moment, kind| {
        let (memory_coming_in_this_round, bank_balance) = states.before(name, kind, None).unzip();
        RankingStep {
            ranking_result: ranking_at(run, name, moment),
            memory_coming_in_this_round,
            bank_balance,
        }
    };
    let demonstrations = run.events().filter_map(|event| match event {
        Event::Applied(applied) if applied.seat == name => {
            let (round, alternatives) = (applied.round, &applied.alternatives);
            let names = (1..=alternatives.len())
                .map(|number| format!("distribution_{number}"))
                .collect::<Vec<_>>();
            let paid = names.iter().map(String::as_str).zip(alternatives.iter().copied());
            Some(Demonstration {
                number_demonstration_round: round,
                choice_principal: applied.principle,
                constraint_amount: applied.amount,
                class_put_in: applied.class.clone(),
                payoff_received: applied.payoff,
                payoff_if_other_principles: (!alternatives.is_empty()).then(|| named_money(paid)),
                memory_coming_in_this_round: states.before(name, asks::APPLICATION, Some(round)).unzip().0,
                bank_balance_after_round: applied.bank,
            })
        }
        _ => None,
    });
    Phase1 {
        initial_ranking: step(Moment::Initial, asks::INITIAL_RANKING),
        detailed_explanation: Explanation {
            response_to_demonstration: explanation(states.asks, name),
            memory_coming_in_this_round: states.before(name, asks::EXPLANATION, None).unzip().0,
        },
        ranking_2: step(Moment::PostExplanation, asks::POST_EXPLANATION_RANKING),
        demonstrations: demonstrations.collect(),
        ranking_3: step(Moment::AfterApplications, asks::FINAL_RANKING),
    }
}

/// Returns prompt and answer of the worked examples, joined as by the published program.
fn explanation(asked: &AskLogs, name: &str) -> Option<String> {
    let log = asked.last(name, asks::EXPLANATION, None, u64::MAX)?;
    let (reply, _) = log.reply()?;
    let prompt = log.first.messages.last().map(|message| message.content.get());
    let prompt = prompt.unwrap_or_default();
    Some(format!("Prompt: {prompt}\nYour Response: {}", reply.text))
}

fn ranking_at(run: &Run, name: &str, wanted: Moment) -> Value {
    let ranking = run.events().find_map(|event| match event {
        Event::Ranked {
            seat,
            moment,
            ranking,
        } if seat == name && *moment == wanted => ranking.as_ref(),
        _ => None,
    });
    ranking.map_or(Value::Null, |Ranking { order, certainty }| {
        let rankings: Vec<Value> = order
            .iter()
            .zip(1..)
            .map(|(principle, rank)| json!({ "principle": principle, "rank": rank }))
            .collect();
        json!({ "rankings": rankings, "certainty": certainty })
    })
}

fn discussion_round<'a>(run: &'a Run, name: &str, number: u32, states: &States) -> Round<'a> {
    let state = states.before(name, asks::INTERNAL_REASONING, Some(number));
    let state = state.or_else(|| states.before(name, asks::STATEMENT, Some(number)));
    let (memory_coming_in_this_round, bank_balance) = state.unzip();
    let mut result = Round {
        number_discussion_round: number,
        speaking_order: None,
        bank_balance,
        memory_coming_in_this_round,
        internal_reasoning: None,
        public_message: None,
        initiate_vote: "N/A",
        favored_principle: None,
    };
    for event in run.events() {
        match event {
            Event::Ordered { round, seats } if *round == number => {
                result.speaking_order = seats.iter().position(|seat| seat == name).map(|index| index + 1);
            }
            Event::Reasoned { seat, round, text } if *round == number && seat == name => {
                result.internal_reasoning = Some(text);
            }
            Event::Spoke {
                seat, round, text, ..
            } if *round == number && seat == name => {
                result.public_message = Some(text);
                result.favored_principle = run.favored(name, number);
            }
            Event::Initiation { round, seat, answer } if *round == number && seat == name => {
                result.initiate_vote = yes_no(*answer);
            }
            _ => {}
        }
    }
    result
}

fn yes_no(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "Yes",
        Some(false) => "No",
        None => "Error",
    }
}

fn post_discussion(run: &Run, name: &str, states: &States) -> PostDiscussion {
    let paid = run.events().find_map(|event| match event {
        Event::Paid(paid) if paid.seat == name => Some((paid.class.clone(), paid.payoff)),
        _ => None,
    });
    let last = run.events.iter().rev().find_map(|logged| match &logged.event {
        Event::Voted { vote, .. } if vote.seat == name => Some((vote.principle, iso(logged.at))),
        _ => None,
    });
    let (memory_coming_in_this_round, bank_balance) =
        states.before(name, asks::RESULTS_RANKING, None).unzip();
    PostDiscussion {
        class_put_in: paid.as_ref().map(|(class, _)| class.clone()),
        payoff_received: paid.map(|(_, payoff)| payoff),
        final_ranking: ranking_at(run, name, Moment::AfterResults),
        final_vote: last
            .as_ref()
            .map_or(Some("No vote"), |(principle, _)| principle.map(display_name)),
        vote_timestamp: last.map(|(_, at)| at),
        memory_coming_in_this_round,
        bank_balance,
    }
}

/// Returns the name in the published files.
fn display_name(principle: Principle) -> &'static str {
    match principle {
        Principle::Floor => "Maximizing Floor Income",
        Principle::Average => "Maximizing Average Income",
        Principle::FloorConstraint => "Maximizing Average with Floor Constraint",
        Principle::RangeConstraint => "Maximizing Average with Range Constraint",
    }
}

#[cfg(test)]
mod tests;
