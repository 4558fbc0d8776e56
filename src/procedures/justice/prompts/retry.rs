//! Retry texts after unusable answers. The readers provide the code of the reason.

use super::parts::{cleaned, quoted};
use crate::language::format::amount;
use crate::language::words::Words;
use crate::procedures::justice::TEXTS;
use crate::procedures::justice::history::truncate;

/// Maximum quoted characters of the unusable answer.
const QUOTE_LENGTH: usize = 100;

/// An unusable answer.
#[derive(Debug, Clone, Copy)]
pub struct Retry<'a> {
    /// The failed attempt, from 1.
    pub attempt: u32,
    /// Maximum number of attempts.
    pub attempts: u32,
    /// Reason code, e.g. `no_numbered_list`; an unknown one gives a general sentence.
    pub reason: &'a str,
    /// Least and greatest amount allowed, in income dollars.
    pub limits: (u32, u32),
    /// The answer as received.
    pub answer: &'a str,
    /// The original prompt, which is repeated.
    pub prompt: &'a str,
    /// Whether to use labelled sections instead of a few lines.
    pub detailed: bool,
}

/// Builds the question again, with the problem and the beginning of the answer.
#[must_use]
pub fn retry(words: &Words, of: &Retry<'_>) -> String {
    let headline = words.text(
        "justice.retry.headline",
        &[("attempt", &of.attempt), ("attempts", &of.attempts)],
    );
    let key = match of.detailed {
        true => "justice.retry.detailed",
        false => "justice.retry.concise",
    };
    words.text(
        key,
        &[
            ("headline", &headline),
            ("problem", &problem(words, of.reason, of.limits)),
            ("quote", &quote(words, of.answer)),
            ("prompt", &of.prompt),
        ],
    )
}

/// Describes the problem of an answer in a sentence, by reason code (`limits`: least and greatest amount in
/// income dollars). An unknown code gives a general sentence.
#[must_use]
pub fn problem(words: &Words, reason: &str, limits: (u32, u32)) -> String {
    let key = format!("justice.problem.{reason}");
    // Only `discussion::statement_retry` knows the length of a statement.
    let key = match TEXTS.has(&key) && reason != "too_short" {
        true => key.as_str(),
        false => "justice.problem.other",
    };
    let (minimum, maximum) = (amount(limits.0), amount(limits.1));
    words.text(key, &[("minimum", &minimum), ("maximum", &maximum)])
}

/// Formats the line for the participant's memory about an unusable answer.
#[must_use]
pub fn retry_note(words: &Words, attempt: u32, reason: &str, limits: (u32, u32)) -> String {
    let problem = problem(words, reason, limits);
    words.text(
        "justice.news.retry",
        &[("attempt", &attempt), ("problem", &problem)],
    )
}

fn quote(words: &Words, answer: &str) -> String {
    match cleaned(answer) {
        text if text.is_empty() => words.text("justice.retry.quote_empty", &[]),
        text => {
            let beginning = quoted(&truncate(&text, QUOTE_LENGTH));
            words.text("justice.retry.quote", &[("quote", &beginning)])
        }
    }
}
