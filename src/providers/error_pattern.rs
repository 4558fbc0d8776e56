//! Patterns that classify error bodies: one regular expression per line of `error_patterns.tsv`. They are matched
//! against the codes of a body, its message, or either, in lower case.

use regex::RegexSet;
use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;

/// What a pattern indicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sign {
    Cors,
    Blocked,
    /// No credit, even where the answer has a delay.
    CreditCode,
    Credit,
    Key,
    Account,
    Garbled,
    TooLong,
    RequestTooLarge,
    /// A slow server, not a long question.
    TookTooLong,
    NoModel,
    /// The error mentions a model.
    Model,
    /// Something does not exist; it need not be the model.
    Missing,
    Unfit,
    Loading,
    Overloaded,
    #[serde(rename = "status_400")]
    Status400,
    #[serde(rename = "status_401")]
    Status401,
    #[serde(rename = "status_402")]
    Status402,
    #[serde(rename = "status_403")]
    Status403,
    #[serde(rename = "status_404")]
    Status404,
    #[serde(rename = "status_429")]
    Status429,
    /// A parameter is refused, not only mentioned.
    Refused,
    NotRefused,
    /// System messages are refused.
    NoSystem,
    NoStream,
    NoSchema,
    /// No provider of a router takes all parameters.
    NoParameters,
    /// The answer may not be as long as requested.
    AnswerLength,
    /// The model is offered by another interface than the one that was called.
    OtherApi,
    Optional,
    /// The name of a parameter is wrong, not its value.
    UnknownName,
    MaxTokens,
    MaxCompletionTokens,
}

struct Patterns {
    signs: Vec<Sign>,
    regexes: RegexSet,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let lines = include_str!("error_patterns.tsv").lines().skip(1);
    let (signs, regexes): (_, Vec<_>) = lines.filter_map(parse_line).unzip();
    #[allow(clippy::expect_used, reason = "compiled in; a test reads every line")]
    let regexes = RegexSet::new(regexes).expect("every pattern is a regular expression");
    Patterns { signs, regexes }
});

/// Parses a line. Codes are the first line of the text that is matched, the message is the rest.
fn parse_line(line: &str) -> Option<(Sign, String)> {
    let mut cells = line.splitn(3, '\t');
    let (sign, target, regex) = (cells.next()?, cells.next()?, cells.next()?);
    let regex = match target {
        "code" => format!("^.*(?:{regex})"),
        "message" => format!("(?s)\n.*(?:{regex})"),
        "either" => regex.to_owned(),
        _ => return None,
    };
    Some((serde_json::from_value(Value::from(sign)).ok()?, regex))
}

/// Returns what the codes and the message of an error indicate. Both are in lower case.
pub(super) fn signs(codes: &str, message: &str) -> Vec<Sign> {
    let text = format!("{}\n{message}", codes.replace('\n', " "));
    let found = PATTERNS.regexes.matches(&text);
    found.into_iter().map(|at| PATTERNS.signs[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_pattern() {
        for line in include_str!("error_patterns.tsv").lines().skip(1) {
            assert!(parse_line(line).is_some(), "{line}");
        }
        assert_eq!(signs("", ""), []);
    }

    #[test]
    fn codes_and_messages_are_distinguished() {
        assert_eq!(signs("content_filter", "")[0], Sign::Blocked);
        assert_eq!(signs("", "content_filter"), []);
        assert_eq!(signs("cannot", ""), []);
        assert_eq!(signs("a", "one\ntwo: cannot"), [Sign::Refused]);
    }
}
