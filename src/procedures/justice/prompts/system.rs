//! System text of every call, and the task of a manipulator, which is part of its role.

use super::memory::remove_end_marker;
use super::parts::{cleaned, described_principles, inline, names, principle_name};
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
    let mut blocks = head(words, of);
    let end = words.raw("justice.memory.end");
    let memory = memory_text(words, of.memory);
    blocks.push(words.text("justice.system.memory", &[("memory", &memory), ("end", &end)]));
    if let Some(reasoning) = of.reasoning.filter(|text| !text.trim().is_empty()) {
        let reasoning = cleaned(reasoning);
        blocks.push(words.text("justice.system.reasoning", &[("reasoning", &reasoning)]));
    }
    blocks.extend(explanation(words, of.explanation));
    if let Some(history) = of.history {
        blocks.push(words.text("justice.system.history", &[("history", &history)]));
    }
    if of.phase == 2 {
        blocks.push(words.text("justice.system.contributions", &[]));
    }
    blocks.push(words.text("justice.system.language", &[]));
    blocks.join("\n\n")
}

/// Builds the shorter system text of a memory update: without memory (the prompt holds it), reasoning,
/// explanation and history.
#[must_use]
pub fn system_for_memory(words: &Words, of: &System<'_>) -> String {
    let mut blocks = head(words, of);
    blocks.push(words.text("justice.system.memory_only", &[]));
    if of.phase == 2 {
        blocks.push(words.text("justice.system.contributions", &[]));
    }
    blocks.push(words.text("justice.system.language", &[]));
    blocks.join("\n\n")
}

/// Returns the explanation of the experiment.
#[must_use]
pub fn explanation(words: &Words, length: Explanation) -> Option<String> {
    match length {
        Explanation::None => None,
        Explanation::Short => {
            let all = Principle::ALL.map(|principle| principle_name(words, principle));
            let values: [(&str, &dyn std::fmt::Display); 1] =
                [("principles", &all.join(words.raw("justice.list.separator")))];
            Some(words.text("justice.system.explanation_short", &values))
        }
        Explanation::Long => {
            let principles = described_principles(words);
            Some(words.text("justice.system.explanation_long", &[("principles", &principles)]))
        }
    }
}

pub(super) fn memory_text(words: &Words, memory: &str) -> String {
    match cleaned(&remove_end_marker(words, memory)) {
        text if text.trim().is_empty() => words.text("justice.memory.empty", &[]),
        text => text,
    }
}

fn head(words: &Words, of: &System<'_>) -> Vec<String> {
    let name = words.text("justice.system.name", &[("name", &inline(of.name))]);
    let bank = words.text("justice.system.bank", &[("bank", &money(of.bank))]);
    let phase = if of.phase == 2 {
        "justice.system.phase2"
    } else {
        "justice.system.phase1"
    };
    let mut state = vec![bank, words.text(phase, &[]), stage(words, of)];
    if of.phase == 2 && !of.participants.is_empty() {
        let members = names(words, of.participants);
        state.push(words.text("justice.system.members", &[("names", &members)]));
    }
    let mut blocks = vec![name];
    if !of.role.trim().is_empty() {
        blocks.push(of.role.trim().to_owned());
    }
    blocks.push(state.join("\n"));
    blocks
}

fn stage(words: &Words, of: &System<'_>) -> String {
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
