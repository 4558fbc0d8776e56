//! Plain values that pass between protocol, session and driver: a question to a seat and its answer.

use super::text::Text;
use crate::core::context::AskContext;
use crate::core::form::Formed;
use crate::language::Language;
use crate::seat::provider::{Effort, Provider};
use crate::seat::{Fallback, Seat};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::rc::Rc;

/// Milliseconds: since the epoch for times, plain for durations.
pub type Millis = u64;

/// Kind of a question, named by the procedure (its `asks`). The name is stored and therefore part of the
/// data format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AskKind(Cow<'static, str>);

impl AskKind {
    /// Returns the stored name, e.g. `ballot_principle`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for AskKind {
    fn from(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }
}

impl PartialEq<&str> for AskKind {
    fn eq(&self, name: &&str) -> bool {
        self.0 == *name
    }
}

/// An ask: its place in the protocol and its seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Stable id made from its place, e.g. `phase2/round/3/ballot_principle/Alice#2`.
    pub id: String,
    /// Name of the seat.
    pub seat: String,
    pub kind: AskKind,
    /// 1 or 2; 1 if the protocol has no phases.
    pub phase: u8,
    /// Round within the phase; `None` outside rounds.
    pub round: Option<u32>,
    /// 1 at first; increases when an unusable answer is asked for again.
    pub attempt: u32,
    /// Language of question and answer.
    pub language: Language,
}

/// The exact question to a model. Never contains a key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub system: Text,
    /// The turns after the system text.
    pub messages: Vec<Message>,
    /// Stop sequences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// Maximum tokens of the answer.
    #[serde(default)]
    pub max_tokens: u32,
    /// Sampling temperature; `None`: not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling threshold; `None`: not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// API format of the endpoint; `None`: derived from the base URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Sampling seed; `None`: not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Reasoning effort; `None`: not sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<Effort>,
    /// JSON Schema of a structured answer. `required` lists the fields in the order of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
}

impl Request {
    /// Returns a question to the seat, with the settings of its model.
    #[must_use]
    pub fn to(seat: &Seat, system: Text, content: Text, max_tokens: u32) -> Self {
        Self {
            system,
            messages: vec![Message {
                role: Role::User,
                content,
            }],
            stop: Vec::new(),
            max_tokens,
            temperature: seat.temperature,
            top_p: None,
            model: seat.model.clone(),
            base_url: seat.base_url.clone(),
            provider: seat.provider,
            seed: seat.seed,
            reasoning_effort: seat.reasoning_effort,
            schema: None,
        }
    }

    /// Returns the same question for another model.
    #[must_use]
    pub fn with_model(&self, to: &Fallback) -> Self {
        Self {
            model: Some(to.model.clone()),
            base_url: Some(to.base_url.clone()),
            provider: to.provider,
            ..self.clone()
        }
    }
}

/// One turn of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `user` or `assistant`.
    pub role: Role,
    pub content: Text,
}

/// The author of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The lab.
    User,
    /// The participant.
    Assistant,
}

/// A call for the driver to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub ask: Rc<Ask>,
    /// From 1; increases with each retry.
    pub attempt: u32,
    pub request: Rc<Request>,
    /// The question as data.
    pub facts: AskContext,
    /// The form for a person or a program, if the question has one.
    pub form: Option<Formed>,
    /// Time limit; `None` for no limit.
    pub time_limit: Option<Millis>,
    /// Estimated tokens of the question.
    pub question_tokens: u64,
    /// Maximum tokens of the answer: the request's, or more after an answer whose reasoning used them up.
    pub max_tokens: u32,
    /// The failure of that answer, while a larger limit is in use.
    pub used_up: Option<Rc<Failure>>,
}

/// An answer as received.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    pub text: String,
    /// Reasoning, if the provider returned it apart from the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Model that answered, as reported by the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Finish reason, as reported by the provider (`stop`, `length`, ...).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens, if the provider reported them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Time of the first chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_piece_at: Option<Millis>,
    /// Id set by the sender, for detecting duplicates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Time of sending. The entry's own time is that of completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Millis>,
    /// Request settings that were omitted because the provider does not know them or the model rejected
    /// them (`temperature`, `seed`, ...).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Maximum tokens allowed, if other than in the request: more because reasoning used up an earlier answer, less because
    /// the model does not allow as many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tokens: Option<u32>,
    /// Number of requests, if more than one. `usage` is their sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u32>,
    /// Values of a form answer. `text` repeats them in words, for display. `None` if the form asks for one
    /// text alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<serde_json::Value>,
    /// How the request's schema was applied, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_as: Option<AnsweredAs>,
    /// Whether a simulated participant answered in a person's place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stood_in: bool,
    /// Source of a recorded answer. It cost nothing, whatever `usage` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
}

impl Reply {
    /// Whether it cost nothing: a recorded answer or a simulated participant's.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.recorded.is_some() || self.stood_in
    }
}

/// An answer in a saved session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    pub session: String,
    /// Sequence number in its record.
    pub seq: u64,
}

/// How an answer relates to the schema of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredAs {
    /// The schema was passed to the provider, or to the program in the seat.
    Native,
    /// The schema was requested in the text of the last turn.
    Text,
    /// The answer has no JSON object that matches. It is read as free text.
    Free,
    /// A form was filled in: [`Reply::values`].
    Form,
}

impl AnsweredAs {
    /// Returns the stored name, e.g. `native`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Text => "text",
            Self::Free => "free",
            Self::Form => "form",
        }
    }
}

/// Tokens of a call as counted by the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the question.
    pub input: u64,
    /// Tokens of the answer, including reasoning.
    pub output: u64,
    /// Reasoning tokens of the answer, if reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Tokens of the question read from the provider's cache, if reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Cost in US dollars, if reported (OpenRouter's `usage.cost`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Usage {
    /// Returns a usage of these tokens without further details.
    #[must_use]
    pub fn of(input: u64, output: u64) -> Self {
        Self {
            input,
            output,
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// One sentence for people: the problem and what to do.
    pub message: String,
    /// HTTP status, if there was a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Wait requested by the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Millis>,
    /// Up to 500 characters of the response. Anything that looks like a key is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Tokens used by the failed call, if reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl Failure {
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            body: None,
            usage: None,
        }
    }
}

/// Kinds of failed calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// 401, 403: the key is missing, wrong or lacks a permission.
    Key,
    /// 402, or an exhausted quota.
    Quota,
    /// 429: too many calls.
    RateLimit,
    /// 400, 404, 413, 422 and similar: the request is invalid.
    Request,
    /// 408, 5xx: server error.
    Server,
    /// No connection, no CORS, or blocked. Browsers do not distinguish these.
    Unreachable,
    /// The stream was cut off.
    Cut,
    /// Invalid format: HTML, broken JSON, no choices.
    Format,
    /// The model refused or was blocked.
    Refused,
    /// Reasoning used up the answer's length before its first word. `body` contains the provider's finish
    /// reason.
    Starved,
    /// The callback of a custom seat threw.
    Callback,
    /// The seat cannot be asked from here: no callback, key or person.
    Unavailable,
}

impl FailureKind {
    /// Whether a retry after a wait may succeed.
    #[must_use]
    pub fn retryable(self) -> bool {
        matches!(
            self,
            Self::RateLimit | Self::Server | Self::Unreachable | Self::Cut | Self::Format
        )
    }

    /// Whether the failure is likely to end within minutes without intervention.
    #[must_use]
    pub fn passes(self) -> bool {
        self.retryable() && self != Self::Format
    }
}
