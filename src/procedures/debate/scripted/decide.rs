//! Answers of scripted debaters to yes/no questions: poll, termination check, Byzantine agreement.

use super::bank::Bank;
use super::persona::Persona;
use super::weigh::worth;
use crate::procedures::debate::context::DebateContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Speech;

/// Answers a poll in one word; pride makes stopping more likely.
pub(super) fn poll(mut speech: Speech, persona: &Persona, mut chance: Chance) -> String {
    let stops = chance.happens(0.6 + 0.5 * persona.pride);
    speech.phrase(if stops { "poll_stop" } else { "poll_go_on" }, &[])
}

/// Answers as a judge in three lines; more likely settled if all proposals take the same side.
pub(super) fn termination(
    mut speech: Speech,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    mut chance: Chance,
) -> String {
    let mut sides = facts
        .proposals
        .iter()
        .map(|proposal| worth(bank, proposal).1.map(|draft| draft.side(bank)));
    let first = sides.next().flatten();
    let is_one = first.is_some() && sides.all(|side| side == first);
    let is_settled = chance.happens(if is_one { 0.6 } else { 0.1 });
    let confidence = ((persona.confidence + 0.1) * 100.0).round() as u32;
    let answer = speech.phrase(if is_settled { "yes" } else { "no" }, &[]);
    let why = speech.phrase(if is_settled { "judge_settled" } else { "judge_open" }, &[]);
    [
        speech.labelled("conclusive", answer),
        speech.labelled("confidence", format!("0.{:02}", confidence.min(97))),
        speech.labelled("reason", why),
    ]
    .join("\n")
}

/// Answers yes or no with a reason. Commitment nearly always follows acceptance.
pub(super) fn assent(
    mut speech: Speech,
    key: &str,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    name: &str,
    mut chance: Chance,
) -> String {
    let shown = facts.proposals.first();
    let is_own = shown.is_some_and(|proposal| proposal.label == name);
    let likes = shown.map_or(0.0, |proposal| {
        let (worth, draft) = worth(bank, proposal);
        0.3 * worth + 0.3 * draft.map_or(0.5, |draft| persona.preference(draft.side(bank)))
    });
    let agrees = is_own || key == "commit" || chance.happens(0.35 + likes + 0.4 * persona.openness);
    let agrees = agrees && (is_own || chance.happens(0.94));
    let answer = speech.phrase(if agrees { "yes" } else { "no" }, &[]);
    let why = speech.phrase(if agrees { "assent_yes" } else { "assent_no" }, &[]);
    format!("{}\n{why}", speech.labelled(key, answer))
}
