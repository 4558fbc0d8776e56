//! Texts of the vote: initiation, confirmation, secret ballot, public result, and notes for memories.

use super::parts::{choice, inline, lines, names, numbered_principles, principle_name, quoted};
use super::{BallotAmount, BallotPrinciple, VoteConfirmation, VoteInitiation};
use crate::language::format::amount;
use crate::language::words::Words;
use crate::principle::Principle;
use crate::procedures::justice::consensus::ConsensusRule;

/// Returns the consensus rule in a sentence.
#[must_use]
pub fn rule(words: &Words, rule: ConsensusRule) -> String {
    match rule {
        ConsensusRule::Strict => words.text("justice.vote.rule.strict", &[]),
        ConsensusRule::Tolerance(share) => {
            let percent = format!("{}%", (share * 10_000.0).round() / 100.0);
            words.text("justice.vote.rule.tolerant", &[("percent", &percent)])
        }
        ConsensusRule::Within(most) => words.text("justice.vote.rule.within", &[("amount", &amount(most))]),
    }
}

/// Builds the prompt about starting a vote. It quotes the participant's statement of the round or, without
/// one, explains how a vote works.
#[must_use]
pub fn initiation_prompt(
    words: &Words,
    name: &str,
    round: u32,
    rounds: u32,
    own_statement: Option<&str>,
    agreement: ConsensusRule,
) -> String {
    let statement = own_statement.map(str::trim).filter(|text| !text.is_empty());
    let prompt = VoteInitiation {
        name: inline(name),
        round,
        rounds,
        statement: statement.map(quoted),
        rule: rule(words, agreement),
    };
    prompt.vote_initiation(words)
}

/// Builds the prompt about taking part in a vote.
#[must_use]
pub fn confirmation_prompt(words: &Words, name: &str, initiator: &str, round: u32, rounds: u32) -> String {
    let prompt = VoteConfirmation {
        name: inline(name),
        initiator: inline(initiator),
        round,
        rounds,
    };
    prompt.vote_confirmation(words)
}

/// Builds the prompt for the principle on the ballot.
#[must_use]
pub fn ballot_principle_prompt(words: &Words, name: &str) -> String {
    let prompt = BallotPrinciple {
        name: inline(name),
        principles: numbered_principles(words),
    };
    prompt.ballot_principle(words)
}

/// Builds the prompt for the amount on the ballot. `limits`: least and greatest amount in income dollars.
#[must_use]
pub fn ballot_amount_prompt(
    words: &Words,
    name: &str,
    principle: Principle,
    limits: (u32, u32),
    agreement: ConsensusRule,
) -> String {
    let prompt = BallotAmount {
        name: inline(name),
        principle: principle_name(words, principle),
        minimum: amount(limits.0),
        maximum: amount(limits.1),
        rule: rule(words, agreement),
    };
    match principle {
        Principle::RangeConstraint => prompt.ballot_range(words),
        _ => prompt.ballot_floor(words),
    }
}

/// Builds the public notice after the confirmation: a line for each member in the given order (`None` and
/// `Some(false)`: declined), then whether the vote takes place.
#[must_use]
pub fn confirmations(words: &Words, answers: &[(String, Option<bool>)]) -> String {
    let line = |(name, answer): &(String, Option<bool>)| {
        let key = match answer {
            Some(true) => "justice.vote.confirmed_line",
            _ => "justice.vote.declined_line",
        };
        words.text(key, &[("name", &inline(name))])
    };
    let last = match declined(answers).as_slice() {
        [] => words.text("justice.vote.all_confirmed", &[]),
        declined => words.text(
            "justice.vote.not_confirmed",
            &[("names", &names(words, declined))],
        ),
    };
    lines(answers.iter().map(line).chain([last]))
}

fn declined(answers: &[(String, Option<bool>)]) -> Vec<&str> {
    let no = answers.iter().filter(|(_, answer)| *answer != Some(true));
    no.map(|(name, _)| name.as_str()).collect()
}

/// Returns the public notice about a consensus.
#[must_use]
pub fn consensus(words: &Words, principle: Principle, dollars: Option<u32>) -> String {
    let agreed = choice(words, principle, dollars);
    words.text("justice.vote.consensus", &[("choice", &agreed)])
}

/// Explains publicly why a vote failed. `outcome` is `not_confirmed`, `principle_disagreement`,
/// `constraint_disagreement` (also with `:` and details, which are omitted) or `voting_failed`; any other
/// value gives a general sentence.
#[must_use]
pub fn failure(words: &Words, outcome: &str) -> String {
    let key = match outcome.split(':').next() {
        Some("not_confirmed") => "justice.vote.failed.not_confirmed",
        Some("principle_disagreement") => "justice.vote.failed.principle_disagreement",
        Some("constraint_disagreement") => "justice.vote.failed.constraint_disagreement",
        Some("voting_failed") => "justice.vote.failed.voting_failed",
        _ => "justice.vote.failed.other",
    };
    words.text(key, &[])
}

/// Note for the asked participant: whether it started a vote.
#[must_use]
pub fn initiation_note(words: &Words, round: u32, starts: bool) -> String {
    let key = match starts {
        true => "justice.note.initiation_yes",
        false => "justice.note.initiation_no",
    };
    words.text(key, &[("round", &round)])
}

/// Note for the others: a participant asked for a vote (`VOTING_INITIATED`).
#[must_use]
pub fn initiated_note(words: &Words, round: u32, initiator: &str) -> String {
    words.text(
        "justice.note.voting_initiated",
        &[("round", &round), ("initiator", &inline(initiator))],
    )
}

/// Note for the asked participant: whether it takes part.
#[must_use]
pub fn confirmation_note(words: &Words, round: u32, takes_part: bool) -> String {
    let key = match takes_part {
        true => "justice.note.confirmation_yes",
        false => "justice.note.confirmation_no",
    };
    words.text(key, &[("round", &round)])
}

/// Note for all after the confirmation: `VOTING_CONFIRMED`, or `CONFIRMATION_FAILED` with the names that did
/// not confirm. `answers` as in [`confirmations`].
#[must_use]
pub fn confirmed_note(words: &Words, round: u32, answers: &[(String, Option<bool>)]) -> String {
    match declined(answers).as_slice() {
        [] => words.text("justice.note.voting_confirmed", &[("round", &round)]),
        declined => words.text(
            "justice.note.confirmation_failed",
            &[("round", &round), ("names", &names(words, declined))],
        ),
    }
}

/// Note for the voter: the principle on its own ballot.
#[must_use]
pub fn ballot_note(words: &Words, round: u32, principle: Principle) -> String {
    let principle = principle_name(words, principle);
    words.text(
        "justice.note.ballot",
        &[("round", &round), ("principle", &principle)],
    )
}

/// Note for the voter: the amount on its own ballot, in income dollars.
#[must_use]
pub fn amount_note(words: &Words, round: u32, dollars: u32) -> String {
    words.text(
        "justice.note.amount",
        &[("round", &round), ("amount", &amount(dollars))],
    )
}

/// A principle with its amount in income dollars, if it has one.
pub type Vote = (Principle, Option<u32>);

/// Note for all after the count (`BALLOT_COMPLETED`): the own vote (`None`: invalid), and the agreement or
/// the code of the failure (as in [`failure`]).
#[must_use]
pub fn completed_note(words: &Words, round: u32, own: Option<Vote>, outcome: Result<Vote, &str>) -> String {
    let own = match own {
        Some((principle, dollars)) => choice(words, principle, dollars),
        None => words.text("justice.note.ballot_own_missing", &[]),
    };
    match outcome {
        Ok((principle, dollars)) => {
            let agreed = choice(words, principle, dollars);
            words.text(
                "justice.note.ballot_consensus",
                &[("round", &round), ("choice", &agreed), ("own", &own)],
            )
        }
        Err(reason) => {
            let outcome = failure(words, reason);
            words.text(
                "justice.note.ballot_failed",
                &[("round", &round), ("outcome", &outcome), ("own", &own)],
            )
        }
    }
}
