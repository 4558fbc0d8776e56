//! One question in the format of its provider, and one chunk of the answer read: what all formats have
//! in common, and which provider speaks which. Keys do not pass through: a [`Sent`] says only which
//! header is to carry one.

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

/// The five formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Chat,
    Responses,
    Messages,
    Generate,
    Ollama,
}

/// Which header carries the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer …`.
    Bearer,
    /// The key alone under this name.
    Named(&'static str),
}

/// A request ready to be sent, but for the key.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Address.
    pub url: String,
    /// Headers beside `content-type` and the key. Some providers refuse any other.
    pub headers: &'static [(&'static str, &'static str)],
    /// Where the key goes.
    pub key: KeyHeader,
    /// JSON.
    pub body: String,
    /// Settings that it has.
    pub has: Vec<Parameter>,
    /// Settings that were asked for and are not in it.
    pub left_out: Vec<Parameter>,
    /// Answer length at most, in tokens.
    pub tokens: u32,
    /// How the form of the answer is asked for, where it is to have one.
    pub asked_as: Option<AnsweredAs>,
}

/// Whose format is spoken at an address.
#[must_use]
pub fn provider(named: Option<Provider>, base_url: &str) -> Provider {
    named.unwrap_or_else(|| {
        address::origin(base_url).map_or(Provider::Compatible, |origin| Provider::by_origin(&origin))
    })
}

/// The request in the format of its provider, streamed. A schema that cannot be handed over is asked
/// for at the end of the last turn, in `language`. The same question always gives the same bytes.
///
/// # Errors
/// Where the base URL is not plain http(s).
pub fn prepare(request: &Request, language: Language, adjust: &Omitted) -> Result<Sent, AddressError> {
    let base_url = request.base_url.as_deref().unwrap_or_default();
    let provider = provider(request.provider, base_url);
    let bound = request.schema.as_ref().map(structured::bound);
    let mut put = RequestParts::new(request, bound.as_ref(), language, adjust);
    put.shows_schema = GRAMMARS.contains(&provider);
    let known = catalogue::find(provider, request.model.as_deref().unwrap_or_default());
    if known.is_some_and(|known| !known.sampled) {
        put.without(Parameter::Temperature);
        put.without(Parameter::TopP);
    }
    put.thinks_by_tokens = known.is_some_and(|known| known.thinking == Thinking::Budget);
    if wire(provider) != Wire::Chat {
        put.without(Parameter::StreamOptions);
        put.without(Parameter::TokenField);
    }
    let (url, body) = match wire(provider) {
        Wire::Chat => (address::chat_url(base_url)?, chat::body(&mut put, provider)),
        Wire::Responses => (responses::url(base_url)?, responses::body(&mut put)),
        Wire::Messages => (messages::url(base_url)?, messages::body(&mut put)),
        Wire::Generate => (
            generate::url(base_url, request.model.as_deref().unwrap_or_default())?,
            generate::body(&mut put),
        ),
        Wire::Ollama => (ollama::url(base_url)?, ollama::body(&mut put)),
    };
    let (headers, key) = headers(provider);
    Ok(Sent {
        url,
        headers,
        key,
        body: structured::written(&Value::Object(body)),
        has: put.has(),
        asked_as: put.asked_as(),
        left_out: put.left_out,
        tokens: put.tokens,
    })
}

/// Servers that bind an answer to a schema by a grammar alone: the model never sees it, so it is shown
/// in the last turn too.
const GRAMMARS: [Provider; 4] = [
    Provider::Ollama,
    Provider::LmStudio,
    Provider::LlamaCpp,
    Provider::Vllm,
];

/// The headers of a provider's calls beside `content-type`, and which one carries the key.
#[must_use]
pub fn headers(provider: Provider) -> (&'static [(&'static str, &'static str)], KeyHeader) {
    match wire(provider) {
        Wire::Chat if provider == Provider::Azure => (&[], KeyHeader::Named("api-key")),
        Wire::Messages => (&messages::HEADERS, KeyHeader::Named("x-api-key")),
        Wire::Generate => (&[], KeyHeader::Named("x-goog-api-key")),
        _ => (&[], KeyHeader::Bearer),
    }
}

/// The address of the list of models, and of `known` endings those that a base URL may have.
pub(super) fn models_url(provider: Provider, base_url: &str) -> Result<String, AddressError> {
    match wire(provider) {
        Wire::Chat => address::endpoint(base_url, &["/chat/completions"], "", "/models"),
        Wire::Responses => address::endpoint(base_url, &["/responses", "/chat/completions"], "", "/models"),
        Wire::Messages => address::endpoint(base_url, &["/messages"], "/v1", "/models?limit=1000"),
        Wire::Generate => address::endpoint(base_url, &["/openai"], "/v1beta", "/models?pageSize=1000"),
        Wire::Ollama => address::endpoint(base_url, &ollama::ENDINGS, "", "/api/tags"),
    }
}

/// Whether the answer comes as a JSON value a line.
pub(super) fn is_lines(provider: Provider) -> bool {
    wire(provider) == Wire::Ollama
}

/// Takes a chunk of an answer, or a whole one.
///
/// # Errors
/// The error object in it, as the provider sent it.
pub(super) fn take(provider: Provider, gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    match wire(provider) {
        Wire::Chat => chat::take(gathered, value),
        Wire::Responses => responses::take(gathered, value),
        Wire::Messages => messages::take(gathered, value),
        Wire::Generate => generate::take(gathered, value),
        Wire::Ollama => ollama::take(gathered, value),
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

/// What is put into a body: a request less what is to be left out.
struct RequestParts<'a> {
    request: &'a Request,
    system: Option<Cow<'a, str>>,
    /// The system text goes before the first turn, for models that know none.
    folds_system: bool,
    tokens: u32,
    temperature: Option<f64>,
    top_p: Option<f64>,
    stop: &'a [String],
    seed: Option<u32>,
    effort: Option<Effort>,
    /// How much to think is told in tokens.
    thinks_by_tokens: bool,
    schema: Option<&'a Value>,
    /// The schema stands in the last turn though it is handed over.
    shows_schema: bool,
    /// The answer is to be JSON of any kind; the schema stands in the last turn.
    json_mode: bool,
    language: Language,
    stream_options: bool,
    other_token_field: bool,
    left_out: Vec<Parameter>,
}

impl<'a> RequestParts<'a> {
    fn new(request: &'a Request, schema: Option<&'a Value>, language: Language, adjust: &Omitted) -> Self {
        let mut put = Self {
            request,
            system: Some(request.system.get()).filter(|text| !text.is_empty()),
            folds_system: false,
            tokens: request.max_tokens,
            temperature: request.temperature.filter(|value| value.is_finite()),
            top_p: request.top_p.filter(|value| value.is_finite()),
            stop: &request.stop,
            seed: request.seed,
            effort: request.reasoning_effort,
            thinks_by_tokens: false,
            schema,
            shows_schema: false,
            json_mode: false,
            language,
            stream_options: true,
            other_token_field: false,
            left_out: Vec::new(),
        };
        for param in &adjust.without {
            put.without(*param);
        }
        put
    }

    /// Leaves a setting out, and notes that where it was asked for.
    fn without(&mut self, param: Parameter) {
        let had = match param {
            Parameter::Temperature => self.temperature.take().is_some(),
            Parameter::TopP => self.top_p.take().is_some(),
            Parameter::Stop => !std::mem::take(&mut self.stop).is_empty(),
            Parameter::Seed => self.seed.take().is_some(),
            Parameter::Effort => self.effort.take().is_some(),
            Parameter::Schema => self.schema.take().is_some(),
            Parameter::System => self.system.is_some() && !std::mem::replace(&mut self.folds_system, true),
            Parameter::StreamOptions => {
                self.stream_options = false;
                false
            }
            Parameter::TokenField => {
                self.other_token_field = true;
                false
            }
        };
        if had {
            self.left_out.push(param);
        }
    }

    /// The settings that are in it.
    fn has(&self) -> Vec<Parameter> {
        let all = [
            (Parameter::Temperature, self.temperature.is_some()),
            (Parameter::TopP, self.top_p.is_some()),
            (Parameter::Stop, !self.stop.is_empty()),
            (Parameter::Seed, self.seed.is_some()),
            (Parameter::Effort, self.effort.is_some()),
            (Parameter::Schema, self.schema.is_some() || self.json_mode),
            (Parameter::System, self.system.is_some() && !self.folds_system),
            (Parameter::StreamOptions, self.stream_options),
            (Parameter::TokenField, !self.other_token_field),
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

    /// The system text where it stands apart.
    fn own_system(&self) -> Option<&str> {
        self.system.as_deref().filter(|_| !self.folds_system)
    }

    /// The turns, with the system text before the first where it does not stand apart.
    fn turns(&self) -> Vec<(Role, Cow<'a, str>)> {
        let mut turns: Vec<(Role, Cow<'a, str>)> = self
            .request
            .messages
            .iter()
            .map(|message| (message.role, message.content.get()))
            .collect();
        let handed_over = self.schema.filter(|_| self.shows_schema).map(structured::shown);
        let asked = self.request.schema.as_ref().filter(|_| self.schema.is_none());
        if let Some(schema) = handed_over.as_ref().or(asked) {
            let is_free = self.schema.is_none() && !self.json_mode;
            let line = is_free
                .then(|| structured::in_line(schema, self.language))
                .flatten();
            let words = line.unwrap_or_else(|| structured::in_words(schema, self.language));
            match turns.last_mut() {
                Some((Role::User, text)) => *text = Cow::Owned(format!("{text}\n\n{words}")),
                _ => turns.push((Role::User, Cow::Owned(words))),
            }
        }
        if let Some(system) = self.system.clone().filter(|_| self.folds_system) {
            match turns.first_mut() {
                Some((Role::User, text)) => *text = Cow::Owned(format!("{system}\n\n{text}")),
                _ => turns.insert(0, (Role::User, system)),
            }
        }
        turns
    }

    /// The turns as `{role, content}`, the system text first.
    fn messages(&self) -> Value {
        let mut list: Vec<Value> = Vec::new();
        if let Some(system) = self.own_system() {
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

/// Tokens of thought for models that know no levels.
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

/// Sets a field where there is a value.
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

/// The elements of an array; none where there is no array.
fn each<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
