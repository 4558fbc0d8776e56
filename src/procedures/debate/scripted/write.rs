//! Proposals of scripted debaters as text: first version, revisions and refinement. They are written for all
//! readers and do not mention earlier versions.

use super::bank::{Bank, Place, cut};
use super::draft::Draft;
use super::persona::Persona;
use crate::procedures::debate::context::DebateContext;
use crate::procedures::scripted::chance::Chance;
use crate::procedures::scripted::speech::Speech;

/// Maximum characters of a quotation.
const MAX_QUOTATION: usize = 60;
/// Increase of patience per revision.
const PATIENCE_PER_ROUND: f64 = 0.5;

/// Writes the first proposal.
pub(super) fn proposal(mut speech: Speech, draft: &Draft, bank: &Bank) -> String {
    speak(&mut speech, draft, bank);
    speech.done()
}

/// Writes the proposal after critiques.
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
        draft.answer_challenge(bank, challenge);
    }
    speak(&mut speech, &draft, bank);
    let text = speech.done();
    // Without changes, the proposal is declared final, with some confidence.
    if is_settled && facts.challenge.is_none() {
        let confidence = ((persona.confidence + 0.1 + 0.2 * chance.unit()) * 100.0).round() as u32;
        return format!(
            "{text}\n\n[READY: confidence=0.{:02}, ready=true]",
            confidence.min(98)
        );
    }
    text
}

/// Returns the readiness to give in, which grows with each revision.
fn patience(facts: &DebateContext) -> f64 {
    1.3 + PATIENCE_PER_ROUND * f64::from(facts.round.saturating_sub(3).min(3))
}

/// Writes the final version, with better sentences from others.
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
        draft.answer_challenge(bank, challenge);
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
            speech.add(Bank::hedge(bank.language, *point));
        }
        // The citation follows the last reason.
        let is_last_reason = point.place == Place::Reason && draft.at(Place::Reason).last() == Some(point);
        if let Some(source) = draft.source.filter(|_| is_last_reason) {
            speech.add(&bank.cite_source(source));
        }
    }
}

/// Returns the beginning of a text for a quotation on one line: whole words, without a final stop or
/// characters that end the line or start a label.
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
    match cut(line, MAX_QUOTATION, &[' ', '，']) {
        Some(short) => format!("{}…", short.trim_end_matches([',', ' ', ';', '，'])),
        None => line.to_owned(),
    }
}
