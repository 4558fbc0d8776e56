//! Retry texts after unusable answers. The readers provide the code of the reason.

use super::Again;
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
    let answer = cleaned(of.answer);
    let prompt = Again {
        attempt: of.attempt,
        attempts: of.attempts,
        problem: problem(words, of.reason, of.limits),
        quote: (!answer.is_empty()).then(|| quoted(&truncate(&answer, QUOTE_LENGTH))),
        prompt: of.prompt,
    };
    match of.detailed {
        true => prompt.retry_detailed(words),
        false => prompt.retry_concise(words),
    }
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
