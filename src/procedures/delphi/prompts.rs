//! Prompts of a Delphi poll. Text by others appears only as data, each line after `>`.

use super::context::DelphiContext;
use super::rules::Spread;
use crate::language::Language;
use crate::language::words::Words;
use crate::procedures::quote::{cleaned, inline, quoted};

/// Input of a prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct PromptContext<'a> {
    pub(super) name: &'a str,
    pub(super) personality: &'a str,
    pub(super) facts: &'a DelphiContext,
}

/// Returns the system text: participant, question and procedure.
pub(super) fn system(words: &Words, context: &PromptContext) -> String {
    let name = inline(context.name);
    let mut blocks = vec![words.text("delphi.system.you", &[("name", &name)])];
    if !context.personality.trim().is_empty() {
        blocks.push(cleaned(context.personality));
    }
    blocks.push(words.text("delphi.system.course", &[("rounds", &context.facts.rounds)]));
    blocks.push(words.text("delphi.system.form", &[]));
    blocks.join("\n\n")
}

/// Returns the question of a round, preceded by the report on the previous one.
pub(super) fn estimate(words: &Words, facts: &DelphiContext) -> String {
    let number = |number: f64| format_number(number, words.language());
    let mut blocks = vec![words.text("delphi.ask.question", &[("question", &inline(&facts.question))])];
    blocks.extend(
        (!facts.unit.is_empty()).then(|| words.text("delphi.ask.unit", &[("unit", &inline(&facts.unit))])),
    );
    blocks.extend(bounds(words, facts));
    if let Some(report) = &facts.report {
        match &report.spread {
            Some(spread) => blocks.push(summary(words, spread)),
            None => blocks.push(words.text("delphi.ask.nobody", &[])),
        }
        if !report.reasons.is_empty() {
            let reasons: Vec<String> = report.reasons.iter().map(|reason| quoted(reason)).collect();
            blocks.push(format!(
                "{}\n\n{}",
                words.text("delphi.ask.reasons", &[]),
                reasons.join("\n\n")
            ));
        }
    }
    blocks.extend(
        facts
            .own
            .map(|own| words.text("delphi.ask.own", &[("estimate", &number(own))])),
    );
    let key = if facts.complaint.is_some() {
        "delphi.ask.again"
    } else {
        "delphi.ask.now"
    };
    blocks.push(words.text(key, &[("round", &facts.round), ("rounds", &facts.rounds)]));
    blocks.join("\n\n")
}

fn bounds(words: &Words, facts: &DelphiContext) -> Option<String> {
    let number = |number: f64| format_number(number, words.language());
    match (facts.minimum, facts.maximum) {
        (Some(least), Some(most)) => Some(words.text(
            "delphi.ask.between",
            &[("minimum", &number(least)), ("maximum", &number(most))],
        )),
        (Some(least), None) => Some(words.text("delphi.ask.at_least", &[("minimum", &number(least))])),
        (None, Some(most)) => Some(words.text("delphi.ask.at_most", &[("maximum", &number(most))])),
        (None, None) => None,
    }
}

fn summary(words: &Words, spread: &Spread) -> String {
    let number = |number: f64| format_number(number, words.language());
    words.text(
        "delphi.ask.summary",
        &[
            ("count", &spread.count),
            ("median", &number(spread.median)),
            ("lower", &number(spread.lower)),
            ("upper", &number(spread.upper)),
            ("minimum", &number(spread.minimum)),
            ("maximum", &number(spread.maximum)),
        ],
    )
}

/// Formats a number with at most two decimals and the language's decimal separator.
pub(super) fn format_number(number: f64, language: Language) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if language == Language::Spanish {
        text.replace('.', ",")
    } else {
        text.to_owned()
    }
}

/// Returns the labels that may precede the number in an answer, in lower case.
pub(super) fn labels(words: &Words) -> Vec<String> {
    words
        .raw("delphi.label.words")
        .split(',')
        .map(|label| label.trim().to_lowercase())
        .collect()
}
