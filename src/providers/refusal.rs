//! Settings that a provider does not know or a model refuses: which one an error body names, and what
//! is done about it within one try: the same question is put again without the setting. Also how an
//! answer that was used up by thinking is told; that it is asked for again is the session's word.

use super::failure;
use super::wire::Sent;
use crate::core::ask::{Call, Failure, FailureKind, Reply};
use serde_json::Value;

/// What a request may have and a model refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Param {
    /// Sampling temperature.
    Temperature,
    /// Share of the likeliest tokens.
    TopP,
    /// Texts that end the answer.
    Stop,
    /// Seed of the sampling.
    Seed,
    /// How much to think.
    Effort,
    /// What the answer has to match.
    Schema,
    /// A system text apart from the turns; without it, it stands before the first.
    System,
    /// Asking for usage at the end of a stream.
    StreamOptions,
    /// The usual name for the length of the answer, of two.
    TokenField,
}

impl Param {
    /// Its name where it is noted.
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

    /// Its names in bodies and error texts, in lower case.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Temperature => &["temperature"],
            Self::TopP => &["top_p", "topp"],
            Self::Stop => &["stop", "stop_sequences", "stopsequences", "stop_sequence"],
            Self::Seed => &["seed", "random_seed"],
            Self::Effort => &[
                "reasoning_effort",
                "reasoning",
                "thinking",
                "think",
                "effort",
                "thinking_config",
                "thinkingconfig",
                "thinking_level",
                "thinkinglevel",
                "thinking_budget",
                "thinkingbudget",
                "chat_template_kwargs",
            ],
            Self::Schema => &[
                "response_format",
                "json_schema",
                "responsejsonschema",
                "response_json_schema",
                "response_mime_type",
                "output_format",
                "output_config",
                "output format",
                "json schema",
                "json mode",
                "structured output",
                "structured outputs",
                "grammar",
                "format",
            ],
            Self::System => &[
                "system",
                "developer instruction",
                "systeminstruction",
                "system_instruction",
            ],
            Self::StreamOptions => &["stream_options", "include_usage"],
            Self::TokenField => &["max_tokens", "max_completion_tokens"],
        }
    }
}

/// In the order in which they are looked for: of two that may not go together, the first goes.
const ALL: [Param; 9] = [
    Param::TopP,
    Param::Temperature,
    Param::Seed,
    Param::StreamOptions,
    Param::TokenField,
    Param::Effort,
    Param::Schema,
    Param::Stop,
    Param::System,
];

/// Words that say that something is refused rather than talked about.
const REFUSING: [&str; 22] = [
    "support",
    "unknown",
    "unrecognized",
    "unexpected",
    "not allowed",
    "not permitted",
    "not accept",
    "not enabled",
    "not available",
    "deprecated",
    "extra inputs",
    "extra fields",
    "invalid",
    "incompatible",
    "cannot",
    "can't",
    "may only be",
    "must be",
    "only the default",
    "not have",
    "out of range",
    "less than or equal",
];

/// The setting that an error body says is refused, of those that the request had. A message about the
/// length of question and answer names none.
#[must_use]
pub fn named(status: u16, body: &str, sent: &Sent) -> Option<Param> {
    // Servers with a chat template that knows no system text fail in it.
    if !matches!(status, 400 | 422 | 500) {
        return None;
    }
    let value: Value = serde_json::from_str(body.trim()).unwrap_or_default();
    let value = value.get(0).unwrap_or(&value);
    let error = value
        .get("error")
        .filter(|error| error.is_object())
        .unwrap_or(value);
    let field = error
        .get("param")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .or_else(|| {
            let places = error.get("detail")?.as_array()?.iter();
            let mut fields = places.filter_map(|place| place.get("loc")?.as_array()?.last()?.as_str());
            fields.next().map(str::to_owned)
        });
    let message = failure::words_in(body).unwrap_or_default().to_lowercase();
    let message = if message.is_empty() {
        body.to_lowercase()
    } else {
        message
    };
    if failure::is_too_long(&message) || message.contains("too large") {
        return None;
    }
    let had = |param: &Param| sent.has.contains(param);
    let mut found = None;
    if let Some(field) = field.map(|field| field.to_lowercase()).filter(|_| status != 500) {
        let role = field.starts_with("messages") && field.ends_with("role");
        found = ALL.into_iter().filter(had).find(|param| {
            param.names().iter().any(|name| has_word(&field, name)) || *param == Param::System && role
        });
    }
    if found.is_none() && REFUSING.iter().any(|word| message.contains(word)) {
        found = ALL.into_iter().filter(had).find(|param| match param {
            Param::System => [
                "system role",
                "system message",
                "'system'",
                "\"system\"",
                "`system`",
                "developer instruction",
            ]
            .iter()
            .any(|name| message.contains(name)),
            _ => status != 500 && param.names().iter().any(|name| has_word(&message, name)),
        });
    }
    // The other field helps only where the name is what is wrong, not the number.
    found.filter(|param| {
        *param != Param::TokenField
            || message.contains("max_completion_tokens") && message.contains("max_tokens")
            || ["unsupported", "not supported", "unknown", "unrecognized", "extra"]
                .iter()
                .any(|word| message.contains(word))
    })
}

fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, found)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

/// How a request is changed before it is put again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Adjust {
    /// What is left out.
    pub without: Vec<Param>,
}

/// One try of a call: as many requests as it takes, each setting left out at most once.
#[derive(Debug, Default)]
pub struct Course {
    adjust: Adjust,
    requests: u32,
}

impl Course {
    /// `without`: what is known to be refused.
    #[must_use]
    pub fn new(without: Vec<Param>) -> Self {
        Self {
            adjust: Adjust { without },
            ..Self::default()
        }
    }

    /// How the next request is made.
    #[must_use]
    pub fn adjust(&self) -> &Adjust {
        &self.adjust
    }

    /// What is known to be refused now.
    #[must_use]
    pub fn without(&self) -> &[Param] {
        &self.adjust.without
    }

    /// Takes what came of a request, with the setting that was refused where one was. `None`: it is to
    /// be made again.
    pub fn take(
        &mut self,
        sent: &Sent,
        came: Result<Reply, (Failure, Option<Param>)>,
    ) -> Option<Result<Reply, Failure>> {
        self.requests += 1;
        match came {
            Ok(reply) => Some(Ok(self.settle(reply, sent))),
            Err((_, Some(param))) if !self.adjust.without.contains(&param) => {
                self.adjust.without.push(param);
                None
            }
            Err((failure, _)) => Some(Err(failure)),
        }
    }

    fn settle(&mut self, mut reply: Reply, sent: &Sent) -> Reply {
        reply.left_out = sent
            .left_out
            .iter()
            .map(|param| param.name().to_owned())
            .collect();
        reply.requests = (self.requests > 1).then_some(self.requests);
        reply
    }
}

/// What came of a call, as the session has to hear it: an answer that was used up by thinking is a
/// failure the first time, and an answer the second. Where more room is refused, the first one counts.
///
/// # Errors
/// What went wrong.
pub fn starved(call: &Call, came: Result<Reply, Failure>) -> Result<Reply, Failure> {
    let Some(before) = &call.used_up else {
        let reply = came?;
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
    match came {
        Ok(reply) => Ok(Reply {
            allowed_tokens: Some(call.max_tokens),
            ..reply
        }),
        Err(failure) if matches!(failure.kind, FailureKind::Request | FailureKind::Refused) => Ok(Reply {
            finish: before.body.clone(),
            usage: failure.usage,
            ..Reply::default()
        }),
        Err(failure) => Err(failure),
    }
}

/// Whether the answer's length was used up before its first word.
fn is_starved(reply: &Reply) -> bool {
    let length = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"];
    reply.text.trim().is_empty()
        && reply
            .finish
            .as_deref()
            .is_some_and(|finish| length.contains(&finish))
}

/// The text before the first of the texts that were to end it, for providers that know no such thing.
/// One at the very beginning does not count.
pub fn cut_at_stop(text: &mut String, stop: &[String]) {
    let start = text.len() - text.trim_start().len();
    let ends = stop.iter().filter(|mark| !mark.is_empty());
    if let Some(at) = ends
        .filter_map(|mark| text.find(mark.as_str()))
        .filter(|at| *at > start)
        .min()
    {
        text.truncate(at);
    }
}

#[cfg(test)]
mod tests;
