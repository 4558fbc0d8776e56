//! Settings that a provider does not know or a model refuses: which one an error body names, and what
//! is done about it within one try: the same question is put again without the setting. Also how an
//! answer that was used up by thinking is told; that it is asked for again is the session's word.

use super::cause;
use super::error_body::ErrorBody;
use super::error_pattern::Sign;
use super::wire::Sent;
use crate::core::ask::{Call, Failure, FailureKind, Reply};

/// What a request may have and a model refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
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

impl Parameter {
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

    /// Its names in bodies and error texts, in lower case and without underscores: `reasoning_effort`,
    /// `reasoningEffort` and `reasoning.effort` are all spoken.
    fn names(self) -> &'static [&'static str] {
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

/// In the order in which they are looked for: of two that may not go together, the first goes.
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

/// The setting that an error body says is refused, of those that the request had.
#[must_use]
pub fn named(status: u16, body: &str, sent: &Sent) -> Option<Parameter> {
    named_in(status, &ErrorBody::in_body(body), sent)
}

/// The same of an error within an answer that began with status 200.
#[must_use]
pub(super) fn named_within(body: &str, sent: &Sent) -> Option<Parameter> {
    let said = ErrorBody::in_body(body);
    named_in(cause::status(&said), &said, sent)
}

fn named_in(status: u16, said: &ErrorBody, sent: &Sent) -> Option<Parameter> {
    // Servers with a chat template that knows no system text fail in it.
    if !matches!(status, 400 | 422 | 500) {
        return None;
    }
    if cause::is_no_setting(status, said) || said.has(Sign::NotRefused) {
        return None;
    }
    let had = || ALL.into_iter().filter(|param| sent.has.contains(param));
    let by_field = |param: &Parameter| {
        said.fields.iter().any(|field| {
            let role = field.starts_with("messages") && field.ends_with("role");
            has_name(field, *param) || *param == Parameter::System && role
        })
    };
    let found = had().find(|param| status != 500 && by_field(param) && is_renamed(*param, said));
    let spoken = said.spoken();
    found.or_else(|| {
        had()
            .filter(|_| said.has(Sign::Refused))
            .find(|param| match param {
                // One that may be there is not refused.
                Parameter::System => said.has(Sign::NoSystem) && !said.has(Sign::Optional),
                _ => status != 500 && has_name(&spoken, *param) && is_renamed(*param, said),
            })
    })
}

/// The other field for the answer's length helps only where the name is what is wrong, not the number.
fn is_renamed(param: Parameter, said: &ErrorBody) -> bool {
    let both = said.has(Sign::MaxTokens) && said.has(Sign::MaxCompletionTokens);
    param != Parameter::TokenField || both || said.has(Sign::UnknownName)
}

fn has_name(text: &str, param: Parameter) -> bool {
    let text = text.replace('_', "");
    param.names().iter().any(|name| has_word(&text, name))
}

fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(word).any(|(at, found)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

/// How a request is changed before it is put again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Omitted {
    /// What is left out.
    pub without: Vec<Parameter>,
}

/// One try of a call: as many requests as it takes, each setting left out at most once.
#[derive(Debug, Default)]
pub struct ParameterFallback {
    adjust: Omitted,
    requests: u32,
}

impl ParameterFallback {
    /// `without`: what is known to be refused.
    #[must_use]
    pub fn new(without: Vec<Parameter>) -> Self {
        Self {
            adjust: Omitted { without },
            ..Self::default()
        }
    }

    /// How the next request is made.
    #[must_use]
    pub fn adjust(&self) -> &Omitted {
        &self.adjust
    }

    /// What is known to be refused now.
    #[must_use]
    pub fn without(&self) -> &[Parameter] {
        &self.adjust.without
    }

    /// Takes what came of a request, with the setting that was refused where one was. `None`: it is to
    /// be made again.
    pub fn take(
        &mut self,
        sent: &Sent,
        came: Result<Reply, (Failure, Option<Parameter>)>,
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
