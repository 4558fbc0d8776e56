//! Proposals of scripted debaters in words: the first one, revisions and the last version.

use super::bank::Bank;
use super::draft::{Change, Draft};
use super::persona::Persona;
use crate::seat::facts::debate::Facts;
use crate::seat::scripted::chance::Chance;
use crate::seat::scripted::speech::Speech;

/// Characters of a quotation at most.
const QUOTED: usize = 60;

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
    facts: &Facts,
    mut chance: Chance,
) -> String {
    let change = draft.revise(bank, persona, &facts.critiques, &mut chance);
    speak(&mut speech, &draft, bank);
    if facts.challenge.is_some() {
        speech.say("reply_challenge", &[]);
    } else {
        reply(&mut speech, &change, bank);
    }
    speech.done()
}

fn reply(speech: &mut Speech, change: &Change, bank: &Bank) {
    if let Some(critic) = &change.moved_by {
        speech.say("reply_moved", &[("critic", critic)]);
    } else if let Some(critic) = change.took_from.first() {
        speech.say("reply_took", &[("critic", critic)]);
    } else if let Some((critic, point)) = &change.kept {
        let quote = quoted(bank.text(*point));
        speech.say("reply_kept", &[("critic", critic), ("quote", &quote)]);
    } else {
        speech.say("reply_settled", &[]);
    }
}

/// The last version, with what others say better.
pub(super) fn refinement(
    mut speech: Speech,
    mut draft: Draft,
    bank: &Bank,
    persona: &Persona,
    facts: &Facts,
    mut chance: Chance,
) -> String {
    draft.revise(bank, persona, &facts.critiques, &mut chance);
    let others = facts.proposals.iter().filter_map(|other| {
        let draft = Draft::of(bank, &other.text)?;
        Some((other.label.as_str(), draft))
    });
    let others: Vec<(&str, Draft)> = others.collect();
    let from = draft.merge(bank, persona, &others, &mut chance);
    speak(&mut speech, &draft, bank);
    match from {
        Some(other) => speech.say("merged", &[("other", &other)]),
        None => speech.say("merged_none", &[]),
    };
    speech.done()
}

fn speak(speech: &mut Speech, draft: &Draft, bank: &Bank) {
    for point in &draft.points {
        speech.add(bank.text(*point));
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
