//! The votes in the published file: initiations, confirmations, ballots and counts.

use super::super::run::{LoggedEvent, Run};
use super::{display_name, yes_no};
use crate::language::format::timestamp as iso;
use crate::procedures::justice::event::{BallotVote, Event, VoteStatus};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct Voting<'a> {
    voting_system: &'static str,
    voting_detection_mode: &'static str,
    total_vote_attempts: usize,
    successful_votes: usize,
    vote_rounds: Vec<Value>,
    vote_initiation_requests: BTreeMap<u32, BTreeMap<&'a str, &'static str>>,
    vote_confirmation_attempts: Vec<Value>,
    vote_statistics: Value,
}

/// Returns all votes of a run.
pub(super) fn voting<'a>(run: &'a Run) -> Voting<'a> {
    let mut vote_rounds = Vec::new();
    let mut requests: BTreeMap<u32, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut confirmations = Vec::new();
    let mut answers = serde_json::Map::new();
    let mut agreed_in = Vec::new();
    let mut invalid = 0;
    let mut warnings: Vec<&str> = Vec::new();
    let names = || {
        run.settings
            .participants
            .iter()
            .map(|participant| participant.seat.name.as_str())
    };
    for LoggedEvent { at, event, .. } in &run.events {
        match event {
            Event::Initiation { round, seat, answer } => {
                let of_round = requests
                    .entry(*round)
                    .or_insert_with(|| names().map(|name| (name, "N/A")).collect());
                of_round.insert(seat, yes_no(*answer));
            }
            Event::Confirmed { seat, answer, .. } => {
                answers.insert(seat.clone(), Value::from(yes_no(*answer)));
            }
            Event::Confirmation {
                round,
                initiator,
                confirmed,
                ..
            } => {
                warnings.clear();
                confirmations.push(json!({
                    "round_number": round,
                    "initiator": initiator,
                    "confirmation_responses": std::mem::take(&mut answers),
                    "confirmation_succeeded": confirmed,
                    "timestamp": iso(*at),
                }));
            }
            Event::Warned { message, .. } => warnings.push(message),
            Event::Counted {
                round,
                initiator,
                agreed,
                amount,
                ..
            } => {
                let votes = run.votes(*round);
                invalid += votes
                    .iter()
                    .filter(|vote| vote.status == VoteStatus::Invalid)
                    .count();
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
            "failed_parsing_attempts": invalid,
            "average_consensus_round": mean(agreed_in.iter().sum(), successes),
        }),
    }
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
