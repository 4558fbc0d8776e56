//! Proposals of scripted debaters in words: the first one, revisions and the last version. They stand
//! for all who could agree, so they speak to nobody and of no earlier version.

use super::bank::{Bank, Place};
use super::draft::Draft;
use super::persona::Persona;
use crate::procedures::debate::context::DebateContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Speech;

/// Characters of a quotation at most.
const QUOTED: usize = 60;
/// By how much a debater is readier to give in after each revision.
const PACE: f64 = 0.5;

/// The first proposal.
pub(super) fn proposal(mut speech: Speech, draft: &Draft, bank: &Bank) -> String {
    speak(&mut speech, draft, bank);
    speech.done()
}

/// The proposal after critiques.
pub(super) fn revision(
    mut speech: Speech,
    mut draft: Draft,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    mut chance: Chance,
) -> String {
    let is_settled = draft.revise(bank, persona, &facts.critiques, patience(facts), &mut chance);
    if let Some(challenge) = &facts.challenge {
        draft.answer(bank, challenge);
    }
    speak(&mut speech, &draft, bank);
    let text = speech.done();
    // Who has nothing left to change says so, more or less sure of it.
    if is_settled && facts.challenge.is_none() {
        let sure = ((persona.confidence + 0.1 + 0.2 * chance.unit()) * 100.0).round() as u32;
        return format!("{text}\n\n[READY: confidence=0.{:02}, ready=true]", sure.min(98));
    }
    text
}

/// The longer a debate takes, the readier its debaters are to give in.
fn patience(facts: &DebateContext) -> f64 {
    1.3 + PACE * f64::from(facts.round.saturating_sub(3).min(3))
}

/// The last version, with what others say better.
pub(super) fn refinement(
    mut speech: Speech,
    mut draft: Draft,
    bank: &Bank,
    persona: &Persona,
    facts: &DebateContext,
    mut chance: Chance,
) -> String {
    draft.revise(bank, persona, &facts.critiques, patience(facts), &mut chance);
    if let Some(challenge) = &facts.challenge {
        draft.answer(bank, challenge);
    }
    let others = facts.proposals.iter();
    let others: Vec<Draft> = others.filter_map(|other| Draft::of(bank, &other.text)).collect();
    draft.merge(bank, persona, &others, &mut chance);
    speak(&mut speech, &draft, bank);
    speech.done()
}

fn speak(speech: &mut Speech, draft: &Draft, bank: &Bank) {
    for point in &draft.points {
        speech.add(bank.text(*point));
        if draft.hedged.contains(point) {
            speech.add(Bank::hedge(speech.language, *point));
        }
        // After the reasons there is room for what was handed in.
        let is_last_reason = point.place == Place::Reason && draft.at(Place::Reason).last() == Some(point);
        if let Some(source) = draft.source.filter(|_| is_last_reason) {
            speech.add(&bank.named(source));
        }
    }
}

/// The beginning of a text as it can be quoted in a line: whole words, without the last stop, and with
/// no sign that would end the line or begin a label.
pub(super) fn quoted(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| match c {
            ':' | '：' => ',',
            '“' | '”' | '«' | '»' | '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    let line = line.trim().trim_end_matches(['.', '。', '?', '？']);
    let mut short: String = line.chars().take(QUOTED).collect();
    if short.len() < line.len() {
        if let Some(space) = short.rfind([' ', '，']) {
            short.truncate(space);
        }
        let kept = short.trim_end_matches([',', ' ', ';', '，']).len();
        short.truncate(kept);
        short.push('…');
    }
    short
}
