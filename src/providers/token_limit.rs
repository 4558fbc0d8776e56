//! The token limit that an error names, where an answer may not be as long as requested.

use crate::language::pattern::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// A limit with which the request can be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenLimit {
    pub most: u32,
    /// It is the model's own and applies to every question, rather than the room that this one leaves, or the credit.
    pub is_lasting: bool,
}

/// A shorter limit would leave no room for an answer.
const LEAST: u32 = 64;

static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"max_?(?:completion_?|output_?|new_?)?tokens|max(?:imum)?(?: output| completion| new)? tokens|(?:completion|output|new) tokens|in the completion|num_predict",
    )
});
static TOO_LARGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"too (?:large|high|big|many|long)|at most|less than|exceed|range|maximum|greater|larger|lower|fewer|smaller|between|limit|up to|afford|not be more|must be|[<>≤]|\[ ?[0-9]",
    )
});
/// The length of the context, and what the question takes of it.
static CONTEXT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:context (?:length|window|size|limit)[^0-9]{0,20}|max_model_len[^0-9]{0,4}|tokens`? must be <= ?)([0-9][0-9,]*)",
    )
});
static QUESTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"([0-9][0-9,]*) (?:tokens )?(?:input tokens|in the (?:messages|prompt|input)|prompt tokens|of text input|(?:tokens )?from the input|`?inputs`?)|(?:prompt|input)(?: tokens)?(?: contains| has| is|:)(?: at least)? ([0-9][0-9,]*)",
    )
});
static TOTAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"requested (?:about |a total of |up to )?([0-9][0-9,]*) (?:total )?tokens"));
/// The answer's part of that.
static ANSWER: LazyLock<Regex> = LazyLock::new(|| pattern(r"([0-9][0-9,]*) in the (?:completion|output)"));
/// `a + b > c`, and `b > c - a`.
static SUM: LazyLock<Regex> = LazyLock::new(|| pattern(r"([0-9]+) \+ [0-9]+ > ([0-9]+)"));
static DIFFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"> ?([0-9]+) ?- ?([0-9]+)"));
static CREDIT: LazyLock<Regex> = LazyLock::new(|| pattern(r"only afford ([0-9][0-9,]*)"));
/// A number that is itself too large.
static EXCLUSIVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"([0-9][0-9,]*) \(exclusive\)|(?:(?:lower|smaller|fewer|less) than|must be <) ?`?([0-9][0-9,]*)")
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9]{1,3}(?:,[0-9]{3})+\b|[0-9]+"));

/// Returns the largest limit below `requested` that a message in lower case allows.
#[must_use]
pub fn named(message: &str, requested: u32) -> Option<TokenLimit> {
    if let Some(most) = first(&CREDIT, message) {
        return limit(most, requested, false);
    }
    if !TOPIC.is_match(message) || !TOO_LARGE.is_match(message) {
        return None;
    }
    if let Some(room) = room_left(message, requested) {
        return limit(room?, requested, false);
    }
    if let Some(most) = first(&EXCLUSIVE, message) {
        return limit(most.saturating_sub(1), requested, true);
    }
    let named = NUMBER.find_iter(message).filter(|found| {
        let before = message[..found.start()].chars().next_back();
        let after = message[found.end()..].chars().next();
        // Part of a model's name or of a decimal number.
        let is_in_word = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        let ends_sentence = message[found.end()..].starts_with(". ") || message[found.end()..] == *".";
        !before.is_some_and(is_in_word) && (ends_sentence || !after.is_some_and(is_in_word))
    });
    let smaller = named
        .filter_map(|found| parse(found.as_str()))
        .filter(|most| *most < requested);
    limit(smaller.max()?, requested, true)
}

/// Returns what the question leaves of the context: `None` if the message is not about the context, and nothing
/// within it if it does not say.
fn room_left(message: &str, requested: u32) -> Option<Option<u32>> {
    let both = |found: regex::Captures<'_>, context: usize, question: usize| {
        parse(found.get(context)?.as_str())?.checked_sub(parse(found.get(question)?.as_str())?)
    };
    if let Some(found) = SUM.captures(message) {
        return Some(both(found, 2, 1));
    }
    if let Some(found) = DIFFERENCE.captures(message) {
        return Some(both(found, 1, 2));
    }
    let context = first(&CONTEXT, message)?;
    let total = first(&TOTAL, message)
        .and_then(|total| total.checked_sub(first(&ANSWER, message).unwrap_or(requested)));
    let question = total.or_else(|| first(&QUESTION, message));
    Some(question.and_then(|question| context.checked_sub(question)))
}

fn limit(most: u32, requested: u32, is_lasting: bool) -> Option<TokenLimit> {
    (LEAST..requested)
        .contains(&most)
        .then_some(TokenLimit { most, is_lasting })
}

/// Returns the number in the first group that matches.
fn first(pattern: &Regex, message: &str) -> Option<u32> {
    let found = pattern.captures(message)?;
    let group = found.iter().skip(1).flatten().next()?;
    parse(group.as_str())
}

fn parse(number: &str) -> Option<u32> {
    number.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_found() {
        for (message, most, is_lasting) in [
            (
                "max_tokens is too large: 5000. This model supports at most 1024 completion tokens, whereas you provided 5000.",
                1024,
                true,
            ),
            (
                "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]",
                4096,
                true,
            ),
            ("Range of max_tokens should be [1,2048]", 2048, true),
            (
                "`max_tokens` must be less than or equal to `4,096`, the maximum value for `max_tokens`",
                4096,
                true,
            ),
            (
                "max_tokens: 5000 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307",
                4096,
                true,
            ),
            (
                "maxOutputTokens value of 5000 but the supported max output tokens range is from 1 (inclusive) to 4097 (exclusive).",
                4096,
                true,
            ),
            (
                "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
                4095,
                true,
            ),
            ("max_new_tokens must be between 1 and 1500.", 1500, true),
            ("max_tokens 取值范围为[1, 4095]", 4095, true),
            (
                "This model's maximum context length is 4097 tokens. However, you requested 7500 tokens (2500 in the messages, 5000 in the completion).",
                1597,
                false,
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 300 input tokens (5000 > 4096 - 300).",
                3796,
                false,
            ),
            (
                "This model's maximum context length is 4096 tokens. However, you requested 5552 tokens; reduce max_tokens.",
                3544,
                false,
            ),
            (
                "input length and `max_tokens` exceed context limit: 3000 + 5000 > 6000, decrease input length or `max_tokens`",
                3000,
                false,
            ),
            (
                "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 3000 `inputs` tokens and 5000 `max_new_tokens`",
                1097,
                false,
            ),
            (
                "This request requires more credits, or fewer max_tokens. You requested up to 5000 tokens, but can only afford 2461.",
                2461,
                false,
            ),
        ] {
            assert_eq!(
                named(&message.to_lowercase(), 5000),
                Some(TokenLimit { most, is_lasting }),
                "{message}"
            );
        }
    }

    #[test]
    fn other_numbers_are_no_limits() {
        for message in [
            "max_tokens is too large: 5000",
            "max_tokens must be at least 16",
            "max_tokens is too large for gpt-3.5-turbo-0613",
            "This model's maximum context length is 8192 tokens. However, your messages and max_tokens came to 9000.",
            "This model's maximum context length is 4096 tokens. However, your request has 4090 input tokens; max_tokens",
            "temperature must be at most 1024",
            "Unsupported parameter: 'max_tokens' is not supported with this model.",
            "",
        ] {
            assert_eq!(named(&message.to_lowercase(), 5000), None, "{message}");
        }
    }
}
