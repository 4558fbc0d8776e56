//! Prompts and lines for memories: requests to rewrite or shorten a memory, and the lines appended to it.

use super::parts::{inline, principle_name};
use super::system::{Explanation, explanation, memory_text};
use super::{MemoryCompress, MemoryUpdate};
use crate::language::format::amount;
use crate::language::words::Words;
use crate::principle::Principle;
use crate::procedures::justice::settings::GuidanceStyle;

/// A request to rewrite a memory.
#[derive(Debug, Clone, Copy)]
pub struct Update<'a> {
    pub style: GuidanceStyle,
    /// Whether this is the first update of phase 2.
    pub first_in_phase2: bool,
    /// Whether there were no public statements since the last update.
    pub quiet: bool,
    pub explanation: Explanation,
    /// Current memory, with or without end marker.
    pub memory: &'a str,
    /// New text for the memory.
    pub news: &'a str,
    /// Maximum number of characters.
    pub limit: u32,
}

/// Builds the prompt for the new memory.
#[must_use]
pub fn update_prompt(words: &Words, of: &Update<'_>) -> String {
    let instruction = match of.style {
        GuidanceStyle::Narrative => "justice.memory.update.narrative",
        GuidanceStyle::Structured => "justice.memory.update.structured",
    };
    let prompt = MemoryUpdate {
        instruction: words.text(instruction, &[]),
        first: of.first_in_phase2,
        quiet: of.quiet,
        explanation: explanation(words, of.explanation),
        memory: memory_text(words, of.memory),
        end: end_marker(words),
        news: of.news.trim(),
        limit: of.limit,
    };
    prompt.memory_update(words)
}

/// Builds the prompt for a shorter memory of at most `limit` characters.
#[must_use]
pub fn compress_prompt(words: &Words, memory: &str, limit: u32) -> String {
    let prompt = MemoryCompress {
        memory: memory_text(words, memory),
        end: end_marker(words),
        limit,
    };
    prompt.memory_compress(words)
}

/// A statement for memories.
#[derive(Debug, Clone, Copy)]
pub struct StatementFacts<'a> {
    pub round: u32,
    pub speaker: &'a str,
    /// Principle that the speaker, or the reading model, named as favored.
    pub favored: Option<Principle>,
    /// Its amount in income dollars.
    pub amount: Option<u32>,
    /// Topic, key point and theory, where the speaker gave them; shown in labelled entries.
    pub points: &'a [String; 3],
    /// The statement, already cut.
    pub text: &'a str,
}

/// Formats a statement as one line for memories; states if it is blank.
#[must_use]
pub fn statement_line(words: &Words, style: GuidanceStyle, of: &StatementFacts<'_>) -> String {
    let (speaker, text) = (inline(of.speaker), inline(of.text));
    if text.is_empty() {
        return words.text(
            "justice.memory.silent",
            &[("round", &of.round), ("speaker", &speaker)],
        );
    }
    let key = match style {
        GuidanceStyle::Narrative => "justice.memory.statement.narrative",
        GuidanceStyle::Structured => "justice.memory.statement.structured",
    };
    let mut gist = gist(words, style, of.favored, of.amount);
    let keys = [
        "justice.memory.gist.topic",
        "justice.memory.gist.key_point",
        "justice.memory.gist.theory",
    ];
    let labels = keys.into_iter().zip(of.points);
    for (label, point) in labels.filter(|_| style == GuidanceStyle::Structured) {
        // A speaker's text must not start another entry.
        let point = inline(point).replace('|', "/");
        if !point.is_empty() {
            gist.push_str(&words.text(label, &[("text", &point)]));
        }
    }
    words.text(
        key,
        &[
            ("round", &of.round),
            ("speaker", &speaker),
            ("gist", &gist),
            ("text", &text),
        ],
    )
}

fn gist(words: &Words, style: GuidanceStyle, favored: Option<Principle>, dollars: Option<u32>) -> String {
    let narrative = style == GuidanceStyle::Narrative;
    let key = match (favored, dollars) {
        (None, _) => return String::new(),
        (Some(_), None) if narrative => "justice.memory.gist.narrative_principle",
        (Some(_), Some(_)) if narrative => "justice.memory.gist.narrative_amount",
        (Some(_), None) => "justice.memory.gist.structured_principle",
        (Some(_), Some(_)) => "justice.memory.gist.structured_amount",
    };
    let principle = favored
        .map(|principle| principle_name(words, principle))
        .unwrap_or_default();
    let dollars = dollars.map(amount).unwrap_or_default();
    words.text(key, &[("principle", &principle), ("amount", &dollars)])
}

/// Formats the participant's reasoning as one line for its own memory; `text` is already cut.
#[must_use]
pub fn reasoning_line(words: &Words, round: u32, text: &str) -> String {
    words.text(
        "justice.memory.reasoning",
        &[("round", &round), ("text", &inline(text))],
    )
}

/// Returns the line that ends a memory in prompts. Stored memories need none.
#[must_use]
pub fn end_marker(words: &Words) -> &str {
    words.raw("justice.memory.end")
}

/// Removes end markers and trailing blanks from a memory.
#[must_use]
pub fn remove_end_marker(words: &Words, memory: &str) -> String {
    let marker = end_marker(words);
    if memory.contains(marker) {
        memory.replace(marker, "").trim_end().to_owned()
    } else {
        memory.trim_end().to_owned()
    }
}
