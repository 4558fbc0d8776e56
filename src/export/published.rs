//! The result file of the published program, for scripts that were written for it. Same shape; what is
//! not known is null. Filled although the published program leaves them empty: who triggered a vote,
//! the vote counts, the confirmations, and the amount of a choice (`constraint_amount`, the one key
//! that is added). Values are the record's; texts about the run (`Yes`, names of principles) English.

use super::ExportError;
use super::run::{Happened, Run};
use super::time::iso;
use crate::language::format::named_money;
use crate::principle::{Principle, Ranking};
use crate::protocol::justice::event::{BallotVote, Event, MemoryChange, Moment, VoteStatus};
use crate::protocol::justice::settings::Participant;
use crate::session::ask::AskKind;
use crate::session::record::What;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Published<'a> {
    general_information: General,
    agents: Vec<Agent<'a>>,
    voting_history: Voting<'a>,
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
    post_group_discussion: Afterwards,
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
struct Afterwards {
    class_put_in: Option<String>,
    payoff_received: Option<f64>,
    final_ranking: Value,
    final_vote: Option<&'static str>,
    vote_timestamp: Option<String>,
    memory_coming_in_this_round: Option<String>,
    bank_balance: Option<f64>,
}

#[derive(Serialize)]
struct Voting<'a> {
    voting_system: &'static str,
    voting_detection_mode: &'static str,
    total_vote_attempts: usize,
    successful_votes: usize,
    vote_rounds: Vec<Value>,
    vote_initiation_requests: BTreeMap<u32, BTreeMap<&'a str, &'static str>>,
    vote_confirmation_attempts: Vec<Value>,
    vote_statistics: Value,
}

/// The file's text, indented by 2.
pub(super) fn result(run: &Run) -> Result<String, ExportError> {
    let states = States::of(run);
    let published = Published {
        general_information: general(run),
        agents: run.settings.participants.iter().map(|participant| agent(run, participant, &states)).collect(),
        voting_history: voting(run),
    };
    serde_json::to_string_pretty(&published).map_err(|error| ExportError::Json(error.to_string()))
}

fn general(run: &Run) -> General {
    let agreed = run.events().find_map(|event| match event {
        Event::Ballot { agreed, .. } => *agreed,
        _ => None,
    });
    let target = run.events().find_map(|event| match event {
        Event::TargetSet { seat, target, scores, tied, note } => {
            Some(manipulator(run, seat, *target, scores, tied, note.as_deref()))
        }
        _ => None,
    });
    let conversation: String = run.events().filter_map(public_line).map(|line| format!("\n{line}")).collect();
    General {
        consensus_reached: if agreed.is_some() { Some(true) } else { run.ended.map(|_| false) },
        consensus_principle: agreed,
        max_rounds_phase_2: run.settings.phase2_rounds,
        rounds_conducted_phase_2: rounds(run),
        public_conversation_phase_2: conversation,
        config_file_used: None,
        seed_randomness: run.head.seed,
        income_class_probabilities: run.settings.income_class_probabilities.map(
            |[high, medium_high, medium, medium_low, low]| Probabilities { high, medium_high, medium, medium_low, low },
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
    let begun = run.events().filter_map(|event| match event {
        Event::Ordered { round, .. } => Some(*round),
        _ => None,
    });
    begun.max().unwrap_or(0)
}

fn public_line(event: &Event) -> Option<String> {
    match event {
        Event::Spoke { seat, round, text, .. } if !text.is_empty() => {
            Some(format!("Round {round} / Speaker: {seat} Statement: {text}"))
        }
        Event::Announced { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Memory and bank balance of each participant when it was first asked something of a kind.
struct States<'a>(BTreeMap<(&'a str, AskKind, Option<u32>), (String, f64)>);

impl<'a> States<'a> {
    fn of(run: &'a Run) -> Self {
        let mut now: BTreeMap<&str, (String, f64)> = BTreeMap::new();
        let mut states = BTreeMap::new();
        let mut events = run.events.iter().peekable();
        for entry in run.record {
            while let Some(Happened { event, .. }) = events.next_if(|happened| happened.seq <= entry.seq) {
                match event {
                    Event::Remembered { seat, how: MemoryChange::Appended, text, .. } => {
                        let (memory, _) = now.entry(seat).or_default();
                        if !memory.is_empty() {
                            memory.push('\n');
                        }
                        memory.push_str(text);
                    }
                    Event::Remembered { seat, text, .. } => now.entry(seat).or_default().0.clone_from(text),
                    Event::Applied { seat, bank, .. } | Event::Paid { seat, bank, .. } => {
                        now.entry(seat).or_default().1 = *bank;
                    }
                    _ => {}
                }
            }
            if let What::Asked { ask, .. } = &entry.what {
                let place = (ask.seat.as_str(), ask.kind, ask.round);
                states.entry(place).or_insert_with(|| now.get(ask.seat.as_str()).cloned().unwrap_or_default());
            }
        }
        Self(states)
    }

    fn at(&self, seat: &str, kinds: &[AskKind], round: Option<u32>) -> (Option<String>, Option<f64>) {
        let state = kinds.iter().find_map(|kind| self.0.get(&(seat, *kind, round)));
        (state.map(|(memory, _)| memory.clone()), state.map(|(_, bank)| *bank))
    }

    /// The same for a kind that is asked in one phase only, whatever round it carries.
    fn first(&self, seat: &str, kind: AskKind) -> (Option<String>, Option<f64>) {
        let state = self.0.iter().find(|((name, of, _), _)| *name == seat && *of == kind);
        (state.map(|(_, (memory, _))| memory.clone()), state.map(|(_, (_, bank))| *bank))
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
            rounds: (1..=rounds(run)).map(|round| discussion_round(run, &seat.name, round, states)).collect(),
            post_group_discussion: afterwards(run, &seat.name, states),
        },
    }
}

fn phase1(run: &Run, name: &str, states: &States) -> Phase1 {
    let step = |moment, kind| {
        let (memory_coming_in_this_round, bank_balance) = states.first(name, kind);
        RankingStep { ranking_result: ranked(run, name, moment), memory_coming_in_this_round, bank_balance }
    };
    let demonstrations = run.events().filter_map(|event| match event {
        Event::Applied { seat, round, principle, amount, class, payoff, alternatives, bank, .. } if seat == name => {
            let names = (1..=alternatives.len()).map(|number| format!("distribution_{number}")).collect::<Vec<_>>();
            let paid = names.iter().map(String::as_str).zip(alternatives.iter().copied());
            Some(Demonstration {
                number_demonstration_round: *round,
                choice_principal: *principle,
                constraint_amount: *amount,
                class_put_in: class.clone(),
                payoff_received: *payoff,
                payoff_if_other_principles: (!alternatives.is_empty()).then(|| named_money(paid)),
                memory_coming_in_this_round: states.at(name, &[AskKind::Application], Some(*round)).0,
                bank_balance_after_round: *bank,
            })
        }
        _ => None,
    });
    Phase1 {
        initial_ranking: step(Moment::Initial, AskKind::InitialRanking),
        detailed_explanation: Explanation {
            response_to_demonstration: explanation(run, name),
            memory_coming_in_this_round: states.first(name, AskKind::Explanation).0,
        },
        ranking_2: step(Moment::PostExplanation, AskKind::PostExplanationRanking),
        demonstrations: demonstrations.collect(),
        ranking_3: step(Moment::AfterApplications, AskKind::FinalRanking),
    }
}

/// Question and answer of the worked examples, as the published program puts them into one text.
fn explanation(run: &Run, name: &str) -> Option<String> {
    let mut asked = None;
    run.record.iter().find_map(|entry| match &entry.what {
        What::Asked { ask, request, .. } if ask.seat == name && ask.kind == AskKind::Explanation => {
            asked = Some((&ask.id, request));
            None
        }
        What::Answered { ask, reply, .. } => {
            let (_, request) = asked.filter(|(id, _)| *id == ask)?;
            let prompt = request.messages.last().map_or("", |message| message.content.as_str());
            Some(format!("Prompt: {prompt}\nYour Response: {}", reply.text))
        }
        _ => None,
    })
}

fn ranked(run: &Run, name: &str, when: Moment) -> Value {
    let ranking = run.events().find_map(|event| match event {
        Event::Ranked { seat, moment, ranking } if seat == name && *moment == when => ranking.as_ref(),
        _ => None,
    });
    ranking.map_or(Value::Null, |Ranking { order, certainty }| {
        let places: Vec<Value> = order
            .iter()
            .zip(1..)
            .map(|(principle, rank)| json!({ "principle": principle, "rank": rank }))
            .collect();
        json!({ "rankings": places, "certainty": certainty })
    })
}

fn discussion_round<'a>(run: &'a Run, name: &str, number: u32, states: &States) -> Round<'a> {
    let kinds = [AskKind::InternalReasoning, AskKind::Statement];
    let (memory_coming_in_this_round, bank_balance) = states.at(name, &kinds, Some(number));
    let mut told = Round {
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
                told.speaking_order = seats.iter().position(|seat| seat == name).map(|place| place + 1);
            }
            Event::Reasoned { seat, round, text } if *round == number && seat == name => {
                told.internal_reasoning = Some(text);
            }
            Event::Spoke { seat, round, text, favored_principle, .. } if *round == number && seat == name => {
                told.public_message = Some(text);
                told.favored_principle = *favored_principle;
            }
            Event::Initiation { round, seat, answer } if *round == number && seat == name => {
                told.initiate_vote = yes_no(*answer);
            }
            _ => {}
        }
    }
    told
}

fn yes_no(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "Yes",
        Some(false) => "No",
        None => "Error",
    }
}

fn afterwards(run: &Run, name: &str, states: &States) -> Afterwards {
    let paid = run.events().find_map(|event| match event {
        Event::Paid { seat, class, payoff, .. } if seat == name => Some((class.clone(), *payoff)),
        _ => None,
    });
    let last = run.events.iter().rev().find_map(|happened| match &happened.event {
        Event::Ballot { votes, .. } => {
            votes.iter().find(|vote| vote.seat == name).map(|vote| (vote.principle, iso(happened.at)))
        }
        _ => None,
    });
    let (memory_coming_in_this_round, bank_balance) = states.first(name, AskKind::ResultsRanking);
    Afterwards {
        class_put_in: paid.as_ref().map(|(class, _)| class.clone()),
        payoff_received: paid.map(|(_, payoff)| payoff),
        final_ranking: ranked(run, name, Moment::AfterResults),
        final_vote: last.as_ref().map_or(Some("No vote"), |(principle, _)| principle.map(display_name)),
        vote_timestamp: last.map(|(_, at)| at),
        memory_coming_in_this_round,
        bank_balance,
    }
}

/// As the published files spell them.
fn display_name(principle: Principle) -> &'static str {
    match principle {
        Principle::Floor => "Maximizing Floor Income",
        Principle::Average => "Maximizing Average Income",
        Principle::FloorConstraint => "Maximizing Average with Floor Constraint",
        Principle::RangeConstraint => "Maximizing Average with Range Constraint",
    }
}

fn voting<'a>(run: &'a Run) -> Voting<'a> {
    let mut vote_rounds = Vec::new();
    let mut requests: BTreeMap<u32, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut confirmations = Vec::new();
    let mut agreed_in = Vec::new();
    let mut unreadable = 0;
    let mut warnings: Vec<&str> = Vec::new();
    let everybody = || run.settings.participants.iter().map(|participant| participant.seat.name.as_str());
    for Happened { at, event, .. } in &run.events {
        match event {
            Event::Initiation { round, seat, answer } => {
                let of_round = requests.entry(*round).or_insert_with(|| everybody().map(|name| (name, "N/A")).collect());
                of_round.insert(seat, yes_no(*answer));
            }
            Event::Confirmation { round, initiator, answers, confirmed } => {
                warnings.clear();
                confirmations.push(json!({
                    "round_number": round,
                    "initiator": initiator,
                    "confirmation_responses": confirmation_answers(answers),
                    "confirmation_succeeded": confirmed,
                    "timestamp": iso(*at),
                }));
            }
            Event::Warned { message, .. } => warnings.push(message),
            Event::Ballot { round, initiator, votes, agreed, amount, .. } => {
                unreadable += votes.iter().filter(|vote| vote.status == VoteStatus::Invalid).count();
                if agreed.is_some() {
                    agreed_in.push(*round);
                }
                let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
                for principle in votes.iter().filter_map(|vote| vote.principle) {
                    *counts.entry(principle.id()).or_default() += 1;
                }
                let confirmation = confirmations.last().filter(|last| last["round_number"] == *round);
                vote_rounds.push(json!({
                    "round_number": round,
                    "vote_type": "formal_vote",
                    "trigger_participant": initiator,
                    "trigger_statement": null,
                    "participant_votes": votes.iter().map(|vote| published_vote(vote, &iso(*at))).collect::<Vec<_>>(),
                    "consensus_reached": agreed.is_some(),
                    "agreed_principle": agreed,
                    "agreed_constraint": amount,
                    "vote_counts": counts,
                    "confirmation_phase_occurred": confirmation.is_some(),
                    "confirmation_results": confirmation.map(|last| last["confirmation_responses"].clone()),
                    "warnings": std::mem::take(&mut warnings),
                }));
            }
            _ => {}
        }
    }
    let (attempts, successes) = (vote_rounds.len(), agreed_in.len());
    let mean = |sum: u32, count: usize| (count > 0).then(|| f64::from(sum) / count as f64);
    Voting {
        voting_system: "formal_voting",
        voting_detection_mode: "complex",
        total_vote_attempts: attempts,
        successful_votes: successes,
        vote_rounds,
        vote_initiation_requests: requests,
        vote_confirmation_attempts: confirmations,
        vote_statistics: json!({
            "total_attempts": attempts,
            "successful_votes": successes,
            "success_rate": mean(successes as u32, attempts),
            "failed_parsing_attempts": unreadable,
            "average_consensus_round": mean(agreed_in.iter().sum(), successes),
        }),
    }
}

fn confirmation_answers(answers: &[(String, Option<bool>)]) -> Value {
    answers.iter().map(|(seat, answer)| (seat.clone(), Value::from(yes_no(*answer)))).collect()
}

fn published_vote(vote: &BallotVote, at: &str) -> Value {
    json!({
        "participant_name": vote.seat,
        "raw_response": vote.raw.join(" | "),
        "assessed_choice": vote.principle.map(display_name),
        "constraint_amount": vote.amount,
        "vote_timestamp": at,
        "parsing_success": vote.status == VoteStatus::Valid,
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn published(record: &[std::rc::Rc<crate::session::record::Entry>]) -> Value {
        serde_json::from_str(&result(&Run::of(record).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn a_whole_run_in_the_published_shape() {
        let told = published(&samples::whole_record());
        let ranking = json!({ "rankings": [
            { "principle": "maximizing_average_floor_constraint", "rank": 1 },
            { "principle": "maximizing_floor", "rank": 2 },
            { "principle": "maximizing_average", "rank": 3 },
            { "principle": "maximizing_average_range_constraint", "rank": 4 },
        ], "certainty": "sure" });
        assert_eq!(
            told["general_information"],
            json!({
                "consensus_reached": true,
                "consensus_principle": "maximizing_average_floor_constraint",
                "max_rounds_phase_2": 4,
                "rounds_conducted_phase_2": 1,
                "public_conversation_phase_2": "\nRound 1 / Speaker: Ana Statement: Let us guarantee a floor of $13,000.\nLet us guarantee a floor of $13,000.",
                "config_file_used": null,
                "seed_randomness": 42,
                "income_class_probabilities": { "high": 0.05, "medium_high": 0.1, "medium": 0.5, "medium_low": 0.25, "low": 0.1 },
                "original_values_mode_enabled": false,
                "manipulator_target_info": null,
            })
        );
        let ana = &told["agents"][0];
        assert_eq!(ana["model"], Value::Null);
        assert_eq!(told["agents"][1]["model"], "m-1");
        assert_eq!(told["agents"][1]["temperature"], 0.7);
        assert_eq!(
            ana["phase_1"]["initial_ranking"],
            json!({ "ranking_result": ranking, "memory_coming_in_this_round": "", "bank_balance": 0.0 })
        );
        assert_eq!(
            ana["phase_1"]["detailed_explanation"],
            json!({
                "response_to_demonstration": "Prompt: See how they choose.\nYour Response: I see.",
                "memory_coming_in_this_round": "I ranked.\nI wait.",
            })
        );
        assert_eq!(
            ana["phase_1"]["demonstrations"],
            json!([{
                "number_demonstration_round": 1,
                "choice_principal": "maximizing_average_floor_constraint",
                "constraint_amount": 14_000,
                "class_put_in": "medium",
                "payoff_received": 2.1,
                "payoff_if_other_principles": "distribution_1: $2.40; distribution_2: $2.00; distribution_3: $1.40; distribution_4: $1.90",
                "memory_coming_in_this_round": "I ranked.\nI wait.",
                "bank_balance_after_round": 2.1,
            }])
        );
        assert_eq!(
            ana["phase_1"]["ranking_2"],
            json!({ "ranking_result": null, "memory_coming_in_this_round": null, "bank_balance": null })
        );
        assert_eq!(
            ana["phase_2"]["rounds"],
            json!([{
                "number_discussion_round": 1,
                "speaking_order": 2,
                "bank_balance": 2.1,
                "memory_coming_in_this_round": "I ranked.\nI wait.",
                "internal_reasoning": "Let us guarantee a floor of $13,000.",
                "public_message": "Let us guarantee a floor of $13,000.",
                "initiate_vote": "Yes",
                "favored_principle": "maximizing_average_floor_constraint",
            }])
        );
        assert_eq!(told["agents"][1]["phase_2"]["rounds"][0]["initiate_vote"], "N/A");
        assert_eq!(
            ana["phase_2"]["post_group_discussion"],
            json!({
                "class_put_in": "medium_low",
                "payoff_received": 1.6,
                "final_ranking": ranking,
                "final_vote": "Maximizing Average with Floor Constraint",
                "vote_timestamp": "2026-01-01T00:00:10.000Z",
                "memory_coming_in_this_round": "I ranked.\nI wait.",
                "bank_balance": 3.7,
            })
        );
        let bo = &told["agents"][1];
        assert_eq!(bo["phase_2"]["post_group_discussion"]["final_ranking"], Value::Null);
        assert_eq!(bo["phase_1"]["demonstrations"][0]["choice_principal"], Value::Null);
        assert_eq!(bo["phase_1"]["demonstrations"][0]["payoff_if_other_principles"], Value::Null);
    }

    #[test]
    fn votes_name_who_triggered_them_and_how_they_were_counted() {
        let told = &published(&samples::whole_record())["voting_history"];
        let vote = &told["vote_rounds"][0];
        assert_eq!(vote["trigger_participant"], "Ana");
        assert_eq!(vote["vote_counts"], json!({ "maximizing_average_floor_constraint": 2 }));
        assert_eq!((&vote["agreed_constraint"], &vote["warnings"]), (&json!(13_000), &json!([])));
        assert_eq!(vote["confirmation_results"], json!({ "Ana": "Yes", "Bo": "Yes" }));
        assert_eq!(
            vote["participant_votes"][1],
            json!({
                "participant_name": "Bo",
                "raw_response": "3 | $13,000",
                "assessed_choice": "Maximizing Average with Floor Constraint",
                "constraint_amount": 13_000,
                "vote_timestamp": "2026-01-01T00:00:10.000Z",
                "parsing_success": true,
            })
        );
        assert_eq!(told["vote_initiation_requests"], json!({ "1": { "Ana": "Yes", "Bo": "N/A" } }));
        assert_eq!(
            told["vote_statistics"],
            json!({
                "total_attempts": 1, "successful_votes": 1, "success_rate": 1.0,
                "failed_parsing_attempts": 0, "average_consensus_round": 1.0,
            })
        );
    }

    #[test]
    fn what_has_not_come_yet_is_null() {
        let told = published(&samples::record());
        assert_eq!(told["general_information"]["consensus_reached"], Value::Null);
        assert_eq!(told["general_information"]["rounds_conducted_phase_2"], 0);
        assert_eq!(told["agents"][0]["phase_2"]["post_group_discussion"]["payoff_received"], Value::Null);
        assert_eq!(told["agents"][0]["phase_2"]["post_group_discussion"]["final_vote"], "No vote");
        assert_eq!(told["voting_history"]["vote_statistics"]["success_rate"], Value::Null);
    }

    #[test]
    fn keys_stand_in_the_published_order_and_texts_are_not_escaped() {
        let text = result(&Run::of(&samples::whole_record()).unwrap()).unwrap();
        let order = ["general_information", "consensus_reached", "agents", "phase_1", "phase_2", "voting_history"];
        let places: Vec<_> = order.iter().map(|key| text.find(&format!("\"{key}\"")).unwrap()).collect();
        assert!(places.is_sorted(), "{places:?}");
        assert!(text.starts_with("{\n  \"general_information\": {\n    \"consensus_reached\": true,"));
        let hostile = published(&samples::hostile_record());
        let said = hostile["agents"][0]["phase_2"]["rounds"][0]["public_message"].as_str();
        assert_eq!(said, Some(samples::HOSTILE.join("\n").as_str()));
        assert!(result(&Run::of(&samples::hostile_record()).unwrap()).unwrap().contains("我选择3"));
    }
}
