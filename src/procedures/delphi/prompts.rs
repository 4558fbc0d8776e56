//! Prompts of a Delphi poll: `prompts/*.txt` with these variables. Text by others appears only as data, each
//! line after `>`.

use super::context::DelphiContext;
use super::rules::Spread;
use crate::language::Language;
use crate::language::format::decimal;
use crate::language::prompts::prompts;
use crate::language::words::Words;
use crate::procedures::quote::{cleaned, inline, quoted};

prompts! {
    pub(crate) static PROMPTS in "prompts";

    struct System {
        /// Name of the participant.
        name: String,
        /// The participant's personality, if it has one.
        personality: String,
        /// Maximum number of rounds.
        rounds: u32,
    }
    /// System text: who the participant is, and how the poll works.
    fn system;

    struct Estimate {
        /// What is to be estimated.
        question: String,
        /// Unit of the estimate, if there is one.
        unit: String,
        /// Smallest allowed estimate, if there is one.
        minimum: Option<String>,
        /// Largest allowed estimate, if there is one.
        maximum: Option<String>,
        /// Number of estimates in the round before; none in the first round and if there were none.
        count: Option<usize>,
        /// Their median.
        median: Option<String>,
        /// Their lower quartile.
        lower: Option<String>,
        /// Their upper quartile.
        upper: Option<String>,
        /// The lowest of them.
        lowest: Option<String>,
        /// The highest of them.
        highest: Option<String>,
        /// Has a value if the round before brought no estimate.
        nobody: bool,
        /// Anonymous reasons of the round before, quoted, if they are shared.
        reasons: String,
        /// The participant's own estimate of the round before, if it gave one.
        own: Option<String>,
        /// Number of the round, from 1.
        round: u32,
        /// Maximum number of rounds.
        rounds: u32,
        /// Has a value if the last answer could not be read.
        again: bool,
    }
    /// Question of a round. A form for a person shows its last paragraph as the question, the others as material.
    fn estimate;
}

/// Input of a prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct PromptContext<'a> {
    pub(super) name: &'a str,
    pub(super) personality: &'a str,
    pub(super) facts: &'a DelphiContext,
}

pub(super) fn system(words: &Words, context: &PromptContext) -> String {
    let prompt = System {
        name: inline(context.name),
        personality: cleaned(context.personality),
        rounds: context.facts.rounds,
    };
    prompt.system(words)
}

pub(super) fn estimate(words: &Words, facts: &DelphiContext) -> String {
    let report = facts.report.as_deref();
    let spread = report.and_then(|report| report.spread);
    let number = |number: f64| format_number(number, words.language());
    let of_spread = |value: fn(&Spread) -> f64| spread.as_ref().map(value).map(number);
    let reasons = report.map_or(&[][..], |report| &report.reasons);
    let reasons: Vec<String> = reasons.iter().map(|reason| quoted(reason)).collect();
    let prompt = Estimate {
        question: inline(&facts.question),
        unit: inline(&facts.unit),
        minimum: facts.minimum.map(number),
        maximum: facts.maximum.map(number),
        count: spread.map(|spread| spread.count),
        median: of_spread(|spread| spread.median),
        lower: of_spread(|spread| spread.lower),
        upper: of_spread(|spread| spread.upper),
        lowest: of_spread(|spread| spread.minimum),
        highest: of_spread(|spread| spread.maximum),
        nobody: report.is_some() && spread.is_none(),
        reasons: reasons.join("\n\n"),
        own: facts.own.map(number),
        round: facts.round,
        rounds: facts.rounds,
        again: facts.complaint.is_some(),
    };
    prompt.estimate(words)
}

/// Formats a number with at most two decimals.
pub(super) fn format_number(number: f64, language: Language) -> String {
    decimal(number, 2, language)
}

/// Returns the labels that may precede the number in an answer, in lower case.
pub(super) fn labels(words: &Words) -> Vec<String> {
    words
        .raw("delphi.label.words")
        .split(',')
        .map(|label| label.trim().to_lowercase())
        .collect()
}
