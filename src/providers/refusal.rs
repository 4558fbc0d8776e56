//! Settings that a provider or model rejects: finds the one an error body names, so that the request can be
//! repeated without it within the same attempt. Also detects answers whose token limit was used up by
//! reasoning; the session decides whether to retry those. Answers that a stop sequence ended within a thought are
//! requested again without it.

use super::cause;
use super::error_body::ErrorBody;
use super::error_pattern::Sign;
use super::token_limit::{self, TokenLimit};
use super::wire::Sent;
use crate::core::ask::{Call, Failure, FailureKind, Reply, Usage};
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
    /// Streaming; without it, the answer comes in one piece.
    Stream,
    /// A token limit above this one.
    Tokens(TokenLimit),
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
            Self::TokenField | Self::Tokens(_) => "max_tokens",
            Self::Stream => "stream",
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
                "responseschema",
                "responsemimetype",
                "response format",
                "response schema",
                "response mime type",
                "jsonobject",
                "guidedjson",
                "schema",
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
            Self::StreamOptions => &["streamoptions", "stream options", "includeusage"],
            Self::TokenField => &["maxtokens", "maxcompletiontokens"],
            // Found by patterns, or by the field alone.
            Self::Stream => &["stream"],
            Self::Tokens(_) => &[],
        }
    }
}

/// In search order: of two settings that exclude each other, the first is omitted.
const ALL: [Parameter; 10] = [
    Parameter::TopP,
    Parameter::Temperature,
    Parameter::Seed,
    Parameter::StreamOptions,
    Parameter::TokenField,
    Parameter::Effort,
    Parameter::Schema,
    Parameter::Stop,
    Parameter::System,
    Parameter::Stream,
];

/// The order in which settings are omitted for a router that finds no provider for all of them.
const BY_RARITY: [Parameter; 6] = [
    Parameter::Schema,
    Parameter::Effort,
    Parameter::Seed,
    Parameter::TopP,
    Parameter::Stop,
    Parameter::Temperature,
];

/// Messages of routers and gateways that hide the reason.
const NO_REASONS: [&str; 5] = [
    "provider returned error",
    "bad request",
    "invalid request",
    "request failed",
    "error",
];

/// Requests of one attempt.
const MAX_REQUESTS: u32 = 12;

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
    if let Some(param) = find_described(status, error, sent) {
        return Some(param);
    }
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
    found
        .or_else(|| {
            candidates()
                .filter(|_| error.has(Sign::Refused))
                .find(|param| match param {
                    // A message about optional system messages is no rejection.
                    Parameter::System => error.has(Sign::NoSystem) && !error.has(Sign::Optional),
                    Parameter::Stream => false,
                    _ => status != 500 && has_name(&text, *param) && is_wrong_name(*param, error),
                })
        })
        .or_else(|| {
            // A schema is what most models lack.
            let is_hidden =
                status != 500 && NO_REASONS.contains(&error.message_in_lower_case().trim_end_matches('.'));
            (is_hidden && sent.has.contains(&Parameter::Schema)).then_some(Parameter::Schema)
        })
}

/// Returns a setting whose rejection is clear from the words, whatever the status and further causes are.
fn find_described(status: u16, error: &ErrorBody, sent: &Sent) -> Option<Parameter> {
    let is_sent = |param: &Parameter| sent.has.contains(param);
    if matches!(status, 400 | 402 | 413 | 422)
        && let Some(limit) = token_limit::named(error.message_in_lower_case(), sent.tokens)
    {
        return Some(Parameter::Tokens(limit));
    }
    if !matches!(status, 400 | 403 | 404 | 405 | 422 | 500 | 501) {
        return None;
    }
    let names_stream = error.fields.iter().any(|field| field == "stream");
    let described = [
        (Parameter::Stream, names_stream || error.has(Sign::NoStream)),
        (Parameter::Schema, error.has(Sign::NoSchema)),
    ];
    let described = described.into_iter().find(|(param, is)| *is && is_sent(param));
    described.map(|(param, _)| param).or_else(|| {
        let rarest = || BY_RARITY.into_iter().find(is_sent);
        (status < 500 && error.has(Sign::NoParameters)).then(rarest)?
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
    /// Of the requests before the last.
    usage: Option<Usage>,
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

    /// Returns the settings that later calls to the same model need not try again.
    #[must_use]
    pub fn lasting(&self) -> Vec<Parameter> {
        let is_lasting = |param: &&Parameter| !matches!(param, Parameter::Tokens(limit) if !limit.is_lasting);
        self.omitted.without.iter().filter(is_lasting).copied().collect()
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
            Err((failure, Some(param))) if self.requests < MAX_REQUESTS && self.may_help(param, sent) => {
                self.usage = sum(self.usage, failure.usage);
                self.omitted.without.push(param);
                None
            }
            Err((failure, _)) => Some(Err(failure)),
        }
    }

    fn may_help(&self, param: Parameter, sent: &Sent) -> bool {
        match param {
            Parameter::Tokens(limit) => limit.most < sent.tokens,
            other => !self.omitted.without.contains(&other),
        }
    }

    fn with_notes(&self, mut reply: Reply, sent: &Sent) -> Reply {
        reply.left_out = sent
            .left_out
            .iter()
            .map(|param| param.name().to_owned())
            .collect();
        reply.requests = (self.requests > 1).then_some(self.requests);
        let is_shorter = |param: &Parameter| matches!(param, Parameter::Tokens(_));
        if self.omitted.without.iter().any(is_shorter) {
            reply.allowed_tokens = Some(sent.tokens);
        }
        if reply.usage.is_some() {
            reply.usage = sum(reply.usage, self.usage);
        }
        reply
    }
}

fn sum(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    let (Some(one), Some(other)) = (one, other) else {
        return one.or(other);
    };
    let add = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
    Some(Usage {
        input: one.input.saturating_add(other.input),
        output: one.output.saturating_add(other.output),
        reasoning: add(one.reasoning, other.reasoning),
        cached: add(one.cached, other.cached),
        cost: one.cost.zip(other.cost).map(|(one, other)| one + other),
    })
}

/// Rejects an answer without a word that a stop sequence ended within a thought: the request is repeated without
/// it, and the text is cut afterwards.
///
/// # Errors
/// Returns a failure, with the stop sequences as the rejected setting.
pub fn stopped_in_thought(reply: Reply, sent: &Sent) -> Result<Reply, (Failure, Option<Parameter>)> {
    let is_thought = reply.text.trim().is_empty() && reply.reasoning.is_some() && !is_starved(&reply);
    if !is_thought || !sent.has.contains(&Parameter::Stop) {
        return Ok(reply);
    }
    let message =
        "The answer ended before its first word, at a stop text within the model's thoughts. Try again.";
    let failure = Failure {
        usage: reply.usage,
        ..Failure::new(FailureKind::Format, message)
    };
    Err((failure, Some(Parameter::Stop)))
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
            allowed_tokens: reply.allowed_tokens.or(Some(call.max_tokens)),
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
