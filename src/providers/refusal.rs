//! Settings that a provider or model rejects: finds the one an error body names, so that the request can be
//! repeated without it within the same attempt. Also detects answers whose token limit was used up by
//! reasoning; the session decides whether to retry those.

use super::cause;
use super::error_body::ErrorBody;
use super::error_pattern::Sign;
use super::wire::Sent;
use crate::core::ask::{Call, Failure, FailureKind, Reply};
use crate::language::blank::is_blank;

/// A request setting that can be rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    Temperature,
    TopP,
    /// Stop sequences.
    Stop,
    Seed,
    /// Reasoning effort.
    Effort,
    /// JSON Schema of the answer.
    Schema,
    /// A separate system message; without it, its text precedes the first turn.
    System,
    /// Usage at the end of a stream.
    StreamOptions,
    /// The usual one of the two names of the token limit.
    TokenField,
}

impl Parameter {
    /// Returns the name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::Stop => "stop",
            Self::Seed => "seed",
            Self::Effort => "reasoning_effort",
            Self::Schema => "json_schema",
            Self::System => "system_role",
            Self::StreamOptions => "stream_options",
            Self::TokenField => "max_tokens",
        }
    }

    /// Returns its names in bodies and error messages, in lower case and without underscores, for
    /// `reasoning_effort`, `reasoningEffort` and `reasoning.effort` alike.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Temperature => &["temperature"],
            Self::TopP => &["topp", "top-p"],
            Self::Stop => &["stop", "stopsequences", "stopsequence"],
            Self::Seed => &["seed", "randomseed"],
            Self::Effort => &[
                "reasoningeffort",
                "reasoning",
                "thinking",
                "think",
                "effort",
                "enablethinking",
                "thinkingconfig",
                "thinkinglevel",
                "thinkingbudget",
                "chattemplatekwargs",
            ],
            Self::Schema => &[
                "responseformat",
                "jsonschema",
                "responsejsonschema",
                "responsemimetype",
                "outputformat",
                "outputconfig",
                "jsonvalidatefailed",
                "output format",
                "json schema",
                "json mode",
                "structured output",
                "structured outputs",
                "grammar",
                "text.format",
            ],
            Self::System => &["system", "developer instruction", "systeminstruction"],
            Self::StreamOptions => &["streamoptions", "includeusage"],
            Self::TokenField => &["maxtokens", "maxcompletiontokens"],
        }
    }
}

/// In search order: of two settings that exclude each other, the first is omitted.
const ALL: [Parameter; 9] = [
    Parameter::TopP,
    Parameter::Temperature,
    Parameter::Seed,
    Parameter::StreamOptions,
    Parameter::TokenField,
    Parameter::Effort,
    Parameter::Schema,
    Parameter::Stop,
    Parameter::System,
];

/// Returns the rejected setting that an error body names, among those in the request.
#[must_use]
pub fn named(status: u16, body: &str, sent: &Sent) -> Option<Parameter> {
    find_rejected(status, &ErrorBody::parse(body), sent)
}

/// As [`named`], for an error within a response with status 200.
#[must_use]
pub(super) fn named_within(body: &str, sent: &Sent) -> Option<Parameter> {
    let error = ErrorBody::parse(body);
    find_rejected(cause::status(&error), &error, sent)
}

fn find_rejected(status: u16, error: &ErrorBody, sent: &Sent) -> Option<Parameter> {
    // A chat template without system messages fails with status 500.
    if !matches!(status, 400 | 422 | 500) {
        return None;
    }
    if cause::is_other_than_setting(status, error) || error.has(Sign::NotRefused) {
        return None;
    }
    let candidates = || ALL.into_iter().filter(|param| sent.has.contains(param));
    let by_field = |param: &Parameter| {
        error.fields.iter().any(|field| {
            let role = field.starts_with("messages") && field.ends_with("role");
            has_name(field, *param) || *param == Parameter::System && role
        })
    };
    let found = candidates().find(|param| status != 500 && by_field(param) && is_wrong_name(*param, error));
    let text = error.text();
    found.or_else(|| {
        candidates()
            .filter(|_| error.has(Sign::Refused))
            .find(|param| match param {
                // A message about optional system messages is no rejection.
                Parameter::System => error.has(Sign::NoSystem) && !error.has(Sign::Optional),
                _ => status != 500 && has_name(&text, *param) && is_wrong_name(*param, error),
            })
    })
}

/// The other token field helps only if the name is wrong, not the number.
fn is_wrong_name(param: Parameter, error: &ErrorBody) -> bool {
    let both = error.has(Sign::MaxTokens) && error.has(Sign::MaxCompletionTokens);
    param != Parameter::TokenField || both || error.has(Sign::UnknownName)
}

fn has_name(text: &str, param: Parameter) -> bool {
    let text = text.replace('_', "");
    param.aliases().iter().any(|name| has_word(&text, name))
}

fn has_word(text: &str, word: &str) -> bool {
    let is_in_word = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(word).any(|(at, found)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_in_word) && !after.is_some_and(is_in_word)
    })
}

/// Settings omitted from a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Omitted {
    pub without: Vec<Parameter>,
}

/// One attempt of a call: requests are repeated until no further setting is rejected.
#[derive(Debug, Default)]
pub struct ParameterFallback {
    omitted: Omitted,
    requests: u32,
}

impl ParameterFallback {
    /// Creates an attempt without the settings that are known to be rejected.
    #[must_use]
    pub fn new(without: Vec<Parameter>) -> Self {
        Self {
            omitted: Omitted { without },
            ..Self::default()
        }
    }

    /// Returns the settings to omit from the next request.
    #[must_use]
    pub fn adjust(&self) -> &Omitted {
        &self.omitted
    }

    #[must_use]
    pub fn without(&self) -> &[Parameter] {
        &self.omitted.without
    }

    /// Handles the result of a request, with the rejected setting if any. Returns `None` if the request has
    /// to be repeated.
    pub fn take(
        &mut self,
        sent: &Sent,
        result: Result<Reply, (Failure, Option<Parameter>)>,
    ) -> Option<Result<Reply, Failure>> {
        self.requests += 1;
        match result {
            Ok(reply) => Some(Ok(self.with_notes(reply, sent))),
            Err((_, Some(param))) if !self.omitted.without.contains(&param) => {
                self.omitted.without.push(param);
                None
            }
            Err((failure, _)) => Some(Err(failure)),
        }
    }

    fn with_notes(&self, mut reply: Reply, sent: &Sent) -> Reply {
        reply.left_out = sent
            .left_out
            .iter()
            .map(|param| param.name().to_owned())
            .collect();
        reply.requests = (self.requests > 1).then_some(self.requests);
        reply
    }
}

/// Converts an answer used up by reasoning to a failure the first time; the second time it is the answer. If
/// the larger token limit is rejected, the first, empty answer counts.
///
/// # Errors
/// Returns the failure of the call, or `Starved`.
pub fn starved(call: &Call, result: Result<Reply, Failure>) -> Result<Reply, Failure> {
    let Some(first) = &call.used_up else {
        let reply = result?;
        if !is_starved(&reply) {
            return Ok(reply);
        }
        return Err(Failure {
            kind: FailureKind::Starved,
            message: format!(
                "Thinking used up the {} tokens allowed before the first word of the answer. It is asked for once more, \
                 with more room.",
                call.max_tokens
            ),
            status: None,
            retry_after_ms: None,
            body: reply.finish,
            usage: reply.usage,
        });
    };
    match result {
        Ok(reply) => Ok(Reply {
            allowed_tokens: Some(call.max_tokens),
            ..reply
        }),
        Err(failure) if matches!(failure.kind, FailureKind::Request | FailureKind::Refused) => Ok(Reply {
            finish: first.body.clone(),
            usage: failure.usage,
            ..Reply::default()
        }),
        Err(failure) => Err(failure),
    }
}

/// Returns whether the token limit was reached before the first word of the answer.
fn is_starved(reply: &Reply) -> bool {
    let limit_reasons = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"];
    is_blank(&reply.text)
        && reply
            .finish
            .as_deref()
            .is_some_and(|finish| limit_reasons.contains(&finish))
}

/// Cuts the text before its first stop sequence, for providers without them. One at the very beginning is
/// ignored.
pub fn cut_at_stop(text: &mut String, stop: &[String]) {
    let start = text.len() - text.trim_start().len();
    let marks = stop.iter().filter(|mark| !mark.is_empty());
    if let Some(at) = marks
        .filter_map(|mark| text.find(mark.as_str()))
        .filter(|at| *at > start)
        .min()
    {
        text.truncate(at);
    }
}

#[cfg(test)]
mod tests;
