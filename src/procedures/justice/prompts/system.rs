//! System text of every call, and the task of a manipulator, which is part of its role.

use super::memory::{end_marker, remove_end_marker};
use super::parts::{cleaned, described_principles, inline, names, principle_name};
use super::{ExplanationText, SystemText};
use crate::language::format::money;
use crate::language::words::Words;
use crate::principle::Principle;
use crate::procedures::justice::event::Step;

/// Inputs of the system text.
#[derive(Debug, Clone, Copy)]
pub struct System<'a> {
    pub name: &'a str,
    /// Role, preceded by the task of a manipulator (see [`manipulated_role`]).
    pub role: &'a str,
    /// Bank balance in dollars.
    pub bank: f64,
    /// 1 or 2.
    pub phase: u8,
    pub step: Step,
    /// 0 outside rounds.
    pub round: u32,
    /// Maximum rounds of the phase.
    pub rounds: u32,
    /// Names in configuration order; shown in phase 2 only, and only if there are any.
    pub participants: &'a [String],
    /// With or without end marker.
    pub memory: &'a str,
    /// Latest private reasoning, without emphasis marks.
    pub reasoning: Option<&'a str>,
    pub explanation: Explanation,
    /// The public history as returned by [`super::discussion::history`]; `None` if another part of the
    /// request holds it. Voting calls always include it.
    pub history: Option<&'a str>,
}

/// Length of the explanation of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explanation {
    None,
    /// One or two sentences.
    Short,
    /// Principles, veil of ignorance, payment, phases.
    Long,
}

/// Builds the system text of a call, except for memory updates.
#[must_use]
pub fn system(words: &Words, of: &System<'_>) -> String {
    text(words, of).system(words)
}

/// Builds the shorter system text of a memory update: without memory (the prompt holds it), reasoning,
/// explanation and history.
#[must_use]
pub fn system_for_memory(words: &Words, of: &System<'_>) -> String {
    text(words, of).system_for_memory(words)
}

fn text<'a>(words: &'a Words, of: &System<'a>) -> SystemText<'a> {
    let group = of.phase == 2;
    SystemText {
        name: inline(of.name),
        role: of.role.trim(),
        bank: money(of.bank),
        group,
        step: step(words, of),
        members: if group {
            names(words, of.participants)
        } else {
            String::new()
        },
        memory: memory_text(words, of.memory),
        end: end_marker(words),
        reasoning: cleaned(of.reasoning.unwrap_or_default()),
        explanation: explanation(words, of.explanation),
        history: of.history.unwrap_or_default(),
    }
}

/// Returns the explanation of the experiment; empty if none is due.
#[must_use]
pub fn explanation(words: &Words, length: Explanation) -> String {
    match length {
        Explanation::None => String::new(),
        Explanation::Short => {
            let all = Principle::ALL.map(|principle| principle_name(words, principle));
            let principles = all.join(words.raw("justice.list.separator"));
            ExplanationText { principles }.explanation_short(words)
        }
        Explanation::Long => {
            let principles = described_principles(words);
            ExplanationText { principles }.explanation_long(words)
        }
    }
}

pub(super) fn memory_text(words: &Words, memory: &str) -> String {
    match cleaned(&remove_end_marker(words, memory)) {
        text if text.trim().is_empty() => words.text("justice.memory.empty", &[]),
        text => text,
    }
}

fn step(words: &Words, of: &System<'_>) -> String {
    let key = match of.step {
        Step::InitialRanking => "justice.system.stage.initial_ranking",
        Step::Explanation => "justice.system.stage.explanation",
        Step::PostExplanationRanking => "justice.system.stage.post_explanation_ranking",
        Step::Application => "justice.system.stage.application",
        Step::FinalRanking => "justice.system.stage.final_ranking",
        Step::Discussion => "justice.system.stage.discussion",
        Step::MemoryUpdate => "justice.system.stage.memory_update",
        Step::VoteInitiation => "justice.system.stage.vote_initiation",
        Step::VoteConfirmation => "justice.system.stage.vote_confirmation",
        Step::Ballot => "justice.system.stage.ballot",
        Step::Results => "justice.system.stage.results",
        Step::ResultsRanking => "justice.system.stage.results_ranking",
    };
    words.text(key, &[("round", &of.round), ("rounds", &of.rounds)])
}

/// Builds the confidential task of a manipulator: four lines and, after a tie, a blank line and a note with
/// the ids of `tied` and of the tie-break `order` (empty: alphabetical). `tied` is empty without a tie.
#[must_use]
pub fn manipulator_task(words: &Words, target: Principle, tied: &[Principle], order: &[Principle]) -> String {
    let ids = |of: &[Principle]| of.iter().map(|p| p.id()).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        words.text("justice.manipulator.header", &[]),
        words.text("justice.manipulator.target", &[("id", &target.id())]),
        words.text("justice.manipulator.method", &[]),
        words.text("justice.manipulator.instruction", &[]),
    ];
    if !tied.is_empty() {
        let key = match order {
            [] => "justice.manipulator.tie_alphabetical",
            _ => "justice.manipulator.tie",
        };
        lines.push(String::new());
        lines.push(words.text(key, &[("tied", &ids(tied)), ("order", &ids(order))]));
    }
    lines.join("\n")
}

/// Puts the task of a manipulator before its role, with a blank line between.
#[must_use]
pub fn manipulated_role(task: &str, role: &str) -> String {
    format!("{task}\n\n{role}")
}
