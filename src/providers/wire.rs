//! Wire formats: encodes a request in the format of its provider and decodes the chunks of the response. Keys do not
//! pass through here: a [`Sent`] names only the header for the key.

mod chat;
mod generate;
mod messages;
mod ollama;
mod responses;

use super::address::{self, AddressError};
use super::catalogue::{self, Thinking};
use super::refusal::{Omitted, Parameter};
use super::reply::PartialReply;
use super::structured;
use crate::core::ask::{AnsweredAs, Request, Role};
use crate::language::Language;
use crate::seat::provider::{Effort, Provider};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Chat,
    Responses,
    Messages,
    Generate,
    Ollama,
}

/// The header for the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer …`.
    Bearer,
    /// The key alone under this name.
    Named(&'static str),
}

/// A complete request, except for the key.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub url: String,
    /// Headers besides `content-type` and the key. Some providers reject any others.
    pub headers: &'static [(&'static str, &'static str)],
    pub key: KeyHeader,
    /// JSON.
    pub body: String,
    /// Settings in the body.
    pub has: Vec<Parameter>,
    /// Requested settings that were omitted.
    pub left_out: Vec<Parameter>,
    /// Maximum length of the answer, in tokens.
    pub tokens: u32,
    /// How a structured answer is requested; `None` for free text.
    pub asked_as: Option<AnsweredAs>,
}

/// Returns the named provider, or the one at the address.
#[must_use]
pub fn provider(named: Option<Provider>, base_url: &str) -> Provider {
    named.unwrap_or_else(|| {
        address::origin(base_url).map_or(Provider::Compatible, |origin| Provider::by_origin(&origin))
    })
}

/// Encodes a request in the format of its provider. Without schema support, the schema is described at the
/// end of the last turn, in `language`. The output is deterministic.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub fn prepare(request: &Request, language: Language, omitted: &Omitted) -> Result<Sent, AddressError> {
    let base_url = request.base_url.as_deref().unwrap_or_default();
    let provider = provider(request.provider, base_url);
    let bound = request.schema.as_ref().map(structured::bound);
    let mut parts = RequestParts::new(request, bound.as_ref(), language, omitted);
    parts.shows_schema = GRAMMARS.contains(&provider);
    let known = catalogue::find(provider, request.model.as_deref().unwrap_or_default());
    if known.is_some_and(|known| !known.sampled) {
        parts.omit(Parameter::Temperature);
        parts.omit(Parameter::TopP);
    }
    parts.has_thinking_budget = known.is_some_and(|known| known.thinking == Thinking::Budget);
    if wire(provider) != Wire::Chat {
        parts.omit(Parameter::StreamOptions);
        parts.omit(Parameter::TokenField);
    }
    let (url, body) = match wire(provider) {
        Wire::Chat => (address::chat_url(base_url)?, chat::body(&mut parts, provider)),
        Wire::Responses => (responses::url(base_url)?, responses::body(&mut parts)),
        Wire::Messages => (messages::url(base_url)?, messages::body(&mut parts)),
        Wire::Generate => (
            generate::url(
                base_url,
                request.model.as_deref().unwrap_or_default(),
                parts.is_streamed,
            )?,
            generate::body(&mut parts),
        ),
        Wire::Ollama => (ollama::url(base_url)?, ollama::body(&mut parts)),
    };
    let (headers, key) = headers(provider);
    Ok(Sent {
        url,
        headers,
        key,
        body: structured::written(&Value::Object(body)),
        has: parts.has(),
        asked_as: parts.asked_as(),
        left_out: parts.left_out,
        tokens: parts.tokens,
    })
}

/// Servers that enforce a schema by a grammar alone. The model never sees it, so it is also shown in the last turn.
const GRAMMARS: [Provider; 4] = [
    Provider::Ollama,
    Provider::LmStudio,
    Provider::LlamaCpp,
    Provider::Vllm,
];

/// Returns the headers of a provider's calls besides `content-type`, and the one for the key.
#[must_use]
pub fn headers(provider: Provider) -> (&'static [(&'static str, &'static str)], KeyHeader) {
    match wire(provider) {
        Wire::Chat if provider == Provider::Azure => (&[], KeyHeader::Named("api-key")),
        Wire::Messages => (&messages::HEADERS, KeyHeader::Named("x-api-key")),
        Wire::Generate => (&[], KeyHeader::Named("x-goog-api-key")),
        _ => (&[], KeyHeader::Bearer),
    }
}

/// Returns the address of the list of models.
pub(super) fn models_url(provider: Provider, base_url: &str) -> Result<String, AddressError> {
    match wire(provider) {
        Wire::Chat => address::endpoint(base_url, &["/chat/completions"], "", "/models"),
        Wire::Responses => address::endpoint(base_url, &["/responses", "/chat/completions"], "", "/models"),
        Wire::Messages => address::endpoint(base_url, &["/messages"], "/v1", "/models?limit=1000"),
        Wire::Generate => address::endpoint(base_url, &["/openai"], "/v1beta", "/models?pageSize=1000"),
        Wire::Ollama => address::endpoint(base_url, &ollama::ENDINGS, "", "/api/tags"),
    }
}

/// Returns whether responses have one JSON value per line.
pub(super) fn is_json_lines(provider: Provider) -> bool {
    wire(provider) == Wire::Ollama
}

/// Decodes a chunk of a response, or a whole one.
///
/// # Errors
/// Returns the error object in the chunk, as the provider sent it.
pub(super) fn decode(provider: Provider, partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    match wire(provider) {
        Wire::Chat => chat::decode(partial, value),
        Wire::Responses => responses::decode(partial, value),
        Wire::Messages => messages::decode(partial, value),
        Wire::Generate => generate::decode(partial, value),
        Wire::Ollama => ollama::decode(partial, value),
    }
}

fn wire(provider: Provider) -> Wire {
    match provider {
        Provider::OpenAiResponses => Wire::Responses,
        Provider::Anthropic => Wire::Messages,
        Provider::Gemini => Wire::Generate,
        Provider::Ollama => Wire::Ollama,
        _ => Wire::Chat,
    }
}

/// The parts of a body: a request without the omitted settings.
struct RequestParts<'a> {
    request: &'a Request,
    system: Option<Cow<'a, str>>,
    /// The system text precedes the first turn, for models without system messages.
    is_system_folded: bool,
    tokens: u32,
    temperature: Option<f64>,
    top_p: Option<f64>,
    stop: &'a [String],
    seed: Option<u32>,
    effort: Option<Effort>,
    /// Reasoning effort is set as a number of tokens.
    has_thinking_budget: bool,
    schema: Option<&'a Value>,
    /// The schema is passed as a setting and shown in the last turn.
    shows_schema: bool,
    /// JSON without a schema is requested; the schema is shown in the last turn.
    json_mode: bool,
    language: Language,
    is_streamed: bool,
    stream_options: bool,
    other_token_field: bool,
    left_out: Vec<Parameter>,
}

impl<'a> RequestParts<'a> {
    fn new(request: &'a Request, schema: Option<&'a Value>, language: Language, omitted: &Omitted) -> Self {
        let mut parts = Self {
            request,
            system: Some(request.system.get()).filter(|text| !text.is_empty()),
            is_system_folded: false,
            tokens: request.max_tokens,
            temperature: request.temperature.filter(|value| value.is_finite()),
            top_p: request.top_p.filter(|value| value.is_finite()),
            stop: &request.stop,
            seed: request.seed,
            effort: request.reasoning_effort,
            has_thinking_budget: false,
            schema,
            shows_schema: false,
            json_mode: false,
            language,
            is_streamed: true,
            stream_options: true,
            other_token_field: false,
            left_out: Vec::new(),
        };
        for param in &omitted.without {
            parts.omit(*param);
        }
        parts
    }

    /// Omits a setting and records it if it was requested.
    fn omit(&mut self, param: Parameter) {
        let is_removed = match param {
            Parameter::Temperature => self.temperature.take().is_some(),
            Parameter::TopP => self.top_p.take().is_some(),
            Parameter::Stop => !std::mem::take(&mut self.stop).is_empty(),
            Parameter::Seed => self.seed.take().is_some(),
            Parameter::Effort => self.effort.take().is_some(),
            Parameter::Schema => self.schema.take().is_some(),
            Parameter::System => {
                self.system.is_some() && !std::mem::replace(&mut self.is_system_folded, true)
            }
            Parameter::StreamOptions => {
                self.stream_options = false;
                false
            }
            Parameter::TokenField => {
                self.other_token_field = true;
                false
            }
            Parameter::Stream => {
                self.is_streamed = false;
                self.stream_options = false;
                false
            }
            Parameter::Tokens(limit) => {
                self.tokens = self.tokens.min(limit.most);
                false
            }
        };
        if is_removed {
            self.left_out.push(param);
        }
    }

    /// Returns the settings in the body.
    fn has(&self) -> Vec<Parameter> {
        let all = [
            (Parameter::Temperature, self.temperature.is_some()),
            (Parameter::TopP, self.top_p.is_some()),
            (Parameter::Stop, !self.stop.is_empty()),
            (Parameter::Seed, self.seed.is_some()),
            (Parameter::Effort, self.effort.is_some()),
            (Parameter::Schema, self.schema.is_some() || self.json_mode),
            (Parameter::System, self.system.is_some() && !self.is_system_folded),
            (Parameter::StreamOptions, self.stream_options),
            (Parameter::TokenField, !self.other_token_field),
            (Parameter::Stream, self.is_streamed),
        ];
        all.into_iter()
            .filter(|(_, has)| *has)
            .map(|(param, _)| param)
            .collect()
    }

    fn asked_as(&self) -> Option<AnsweredAs> {
        self.request.schema.as_ref()?;
        Some(match self.schema {
            Some(_) => AnsweredAs::Native,
            None => AnsweredAs::Text,
        })
    }

    /// Returns the system text if it is a separate message.
    fn separate_system(&self) -> Option<&str> {
        self.system.as_deref().filter(|_| !self.is_system_folded)
    }

    /// Returns the turns, with a folded system text before the first.
    fn turns(&self) -> Vec<(Role, Cow<'a, str>)> {
        let mut turns: Vec<(Role, Cow<'a, str>)> = self
            .request
            .messages
            .iter()
            .map(|message| (message.role, message.content.get()))
            .collect();
        let passed = self.schema.filter(|_| self.shows_schema).map(structured::shown);
        let omitted = self.request.schema.as_ref().filter(|_| self.schema.is_none());
        if let Some(schema) = passed.as_ref().or(omitted) {
            let is_free = self.schema.is_none() && !self.json_mode;
            let line = is_free
                .then(|| structured::in_line(schema, self.language))
                .flatten();
            let instruction = line.unwrap_or_else(|| structured::in_words(schema, self.language));
            match turns.last_mut() {
                Some((Role::User, text)) => *text = Cow::Owned(format!("{text}\n\n{instruction}")),
                _ => turns.push((Role::User, Cow::Owned(instruction))),
            }
        }
        if let Some(system) = self.system.clone().filter(|_| self.is_system_folded) {
            match turns.first_mut() {
                Some((Role::User, text)) => *text = Cow::Owned(format!("{system}\n\n{text}")),
                _ => turns.insert(0, (Role::User, system)),
            }
        }
        turns
    }

    /// Returns the turns as `{role, content}`, the system text first.
    fn messages(&self) -> Value {
        let mut list: Vec<Value> = Vec::new();
        if let Some(system) = self.separate_system() {
            list.push(json!({ "role": "system", "content": system }));
        }
        for (role, text) in self.turns() {
            list.push(json!({ "role": role_name(role), "content": text }));
        }
        Value::Array(list)
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// Returns the reasoning budget for models without effort levels.
fn thinking_tokens(effort: Effort) -> u32 {
    match effort {
        Effort::None => 0,
        Effort::Minimal => 512,
        Effort::Low => 1_024,
        Effort::Medium => 8_192,
        Effort::High => 24_576,
        Effort::XHigh | Effort::Max => 32_768,
    }
}

/// Inserts a field if there is a value.
fn set(object: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), value.into());
    }
}

pub(super) fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

pub(super) fn text_at<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

fn number_at(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

/// Returns the elements of an array, or none if there is no array.
fn each<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
