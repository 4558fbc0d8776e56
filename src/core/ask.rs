//! A question to a seat and what comes back: the values that pass between protocol, session and
//! driver. No behaviour.

use super::text::{self, Text};
use crate::core::context::AskContext;
use crate::core::form::Formed;
use crate::language::Language;
use crate::seat::Seat;
use crate::seat::provider::{Effort, Provider};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::rc::Rc;

/// Milliseconds: since the epoch for moments, plain for durations.
pub type Millis = u64;

/// What is wanted of a seat: a name of the procedure's own (its `asks`). It is stored, so it is part of the data
/// format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AskKind(Cow<'static, str>);

impl AskKind {
    /// The stored name, e.g. `ballot_principle`.
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

/// Where an ask stands in the protocol and whom it is put to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// Stable id made from its place, e.g. `phase2/round/3/ballot_principle/Alice#2`.
    pub id: String,
    /// Name of the seat.
    pub seat: String,
    /// What is wanted.
    pub kind: AskKind,
    /// 1 or 2; 1 where the protocol has no phases.
    pub phase: u8,
    /// Round within the phase; `None` outside rounds.
    pub round: Option<u32>,
    /// 1 for the first time, 2 and more where the answer could not be used and it is asked again.
    pub attempt: u32,
    /// Language of question and answer.
    pub language: Language,
}

/// The exact question as a model gets it; never holds a key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// System text.
    pub system: Text,
    /// The turns after it.
    pub messages: Vec<Message>,
    /// Texts that end the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// Answer length at most, in tokens.
    #[serde(default)]
    pub max_tokens: u32,
    /// Sampling temperature, where one is to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Share of the likeliest tokens to sample from, where one is to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Model asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Base URL of the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whose format the endpoint speaks; `None`: told by the base URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Seed of the sampling, where one is to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// How much the model is to think, where that is to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<Effort>,
    /// JSON Schema that the answer is to match, where it is to have a form. In which order fields are
    /// to come is told by `required`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
}

impl Request {
    /// A question to whoever sits there, with the settings of its model.
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
}

/// One turn of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `user` or `assistant`.
    pub role: Role,
    /// Text.
    pub content: Text,
}

/// Who a turn is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The lab.
    User,
    /// The participant.
    Assistant,
}

/// What the driver needs to put an ask to its seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The ask.
    pub ask: Rc<Ask>,
    /// From 1; grows with each time the same ask is sent again after a failure.
    pub attempt: u32,
    /// The question.
    pub request: Rc<Request>,
    /// The same as data.
    pub facts: AskContext,
    /// What a person or a program fills in, where the question has that.
    pub form: Option<Formed>,
    /// How long it may take; `None`: as long as it wants.
    pub time_limit: Option<Millis>,
    /// Tokens of the question, estimated.
    pub question_tokens: u64,
    /// Answer length at most, in tokens: the request's, or more room after an answer that thinking used
    /// up.
    pub max_tokens: u32,
    /// That answer, while there is more room for another.
    pub used_up: Option<Rc<Failure>>,
}

/// An answer as it came back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// The whole text.
    #[serde(deserialize_with = "text::whole")]
    pub text: String,
    /// Reasoning that the provider gave apart from the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Model that answered, as the provider names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why it ended, as the provider names it (`stop`, `length`, ...).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens, where the provider told them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// When the first piece came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_piece_at: Option<Millis>,
    /// Id that the sender gave, by which the same answer sent twice is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// When it was sent (the entry's own time is when it was done).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<Millis>,
    /// Settings of the request that the provider does not know or the model refused, so that the answer
    /// came without them (`temperature`, `seed`, ...).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Tokens allowed, where it took more than the request says: an answer before it was used up by
    /// thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tokens: Option<u32>,
    /// Requests that this took, where more than one; `usage` is that of all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u32>,
    /// The values of an answer by form; its text then says the same in words, for reading alone. None where the
    /// form asks for a text and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<serde_json::Value>,
    /// How the schema of the request came to bear, where it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_as: Option<AnsweredAs>,
    /// Whether a simulated participant gave it in a person's place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stood_in: bool,
    /// Where it was taken from, when nobody was asked: it cost nothing, whatever `usage` tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
}

impl Reply {
    /// Whether nobody was asked who is paid: it came from a saved session or a simulated participant.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.recorded.is_some() || self.stood_in
    }
}

/// An answer in a saved session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Id of the session.
    pub session: String,
    /// The entry of its record.
    pub seq: u64,
}

/// How an answer came to the form that its request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredAs {
    /// The schema was handed over as such: to the provider, or to the program in the seat.
    Native,
    /// It was asked for in the text of the last turn.
    Text,
    /// The answer has no JSON object of this form, whatever was asked for: it is read as free text.
    Free,
    /// A form was filled in: [`Reply::values`].
    Form,
}

impl AnsweredAs {
    /// The stored name, e.g. `native`.
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

/// Tokens of a call as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the question.
    pub input: u64,
    /// Tokens of the answer, thoughts and all.
    pub output: u64,
    /// Those of the answer that were thoughts, where the provider told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Those of the question that came out of the provider's cache, where it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Money in US dollars, where the provider told (OpenRouter's `usage.cost`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Usage {
    /// Tokens of question and answer, and nothing more told.
    #[must_use]
    pub fn of(input: u64, output: u64) -> Self {
        Self {
            input,
            output,
            ..Self::default()
        }
    }
}

/// Why a call brought no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of trouble.
    pub kind: FailureKind,
    /// One sentence for people: what is wrong and what to do.
    pub message: String,
    /// HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the provider asks to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Millis>,
    /// Up to 500 characters of what came, with anything that looks like a key removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Tokens that it took all the same, where the provider told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl Failure {
    /// Trouble of which nothing more is known than its kind and the sentence.
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

/// Kinds of trouble with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// 401, 403: the key is missing, wrong or not allowed to do this.
    Key,
    /// 402 or an exhausted quota.
    Quota,
    /// 429: too many calls; wait.
    RateLimit,
    /// 400, 404, 413, 422 and the like: the request will not do.
    Request,
    /// 408, 5xx: the server is in trouble.
    Server,
    /// No connection, no CORS, blocked: the browser does not tell which.
    Unreachable,
    /// The stream broke off.
    Cut,
    /// Not what the format says: HTML, broken JSON, no choices.
    Format,
    /// The model refused or was blocked.
    Refused,
    /// Thinking used up the answer's length before its first word; `body` has the reason for the end as
    /// the provider names it.
    Starved,
    /// The callback of a custom seat threw.
    Callback,
    /// No callback, no key, nobody: the seat cannot be asked from here.
    Unavailable,
}

impl FailureKind {
    /// Whether the same call may do better after a wait.
    #[must_use]
    pub fn retryable(self) -> bool {
        matches!(
            self,
            Self::RateLimit | Self::Server | Self::Unreachable | Self::Cut | Self::Format
        )
    }

    /// Whether it is the kind of trouble that goes by in minutes without anybody's help.
    #[must_use]
    pub fn passes(self) -> bool {
        self.retryable() && self != Self::Format
    }
}
