//! Ollama's own chat format, one JSON value per line. In its OpenAI format the context length cannot be set, and the
//! default is so short that a deliberation silently loses its beginning.

use super::{RequestParts, number_at, set, text_at};
use crate::core::limits::estimated_question;
use crate::providers::address::{self, AddressError};
use crate::providers::reply::PartialReply;
use crate::seat::provider::Effort;
use serde_json::{Map, Value};

/// Suffixes of base URLs that are removed.
pub(super) const ENDINGS: [&str; 4] = ["/chat/completions", "/v1", "/chat", "/api"];

/// Minimum context length. A change makes Ollama reload the model, so lengths grow by doubling.
const MIN_CONTEXT: u64 = 8_192;
const MAX_CONTEXT: u64 = 131_072;

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &ENDINGS, "", "/api/chat")
}

pub(super) fn body(parts: &mut RequestParts) -> Map<String, Value> {
    let mut options = Map::new();
    set(&mut options, "num_predict", Some(parts.tokens));
    set(&mut options, "num_ctx", Some(context_length(parts)));
    set(&mut options, "temperature", parts.temperature);
    set(&mut options, "top_p", parts.top_p);
    set(
        &mut options,
        "stop",
        Some(parts.stop).filter(|stop| !stop.is_empty()),
    );
    set(&mut options, "seed", parts.seed);
    let mut body = Map::new();
    let model = parts.request.model.as_deref();
    set(&mut body, "model", model);
    set(&mut body, "messages", Some(parts.messages()));
    // Only this family has levels; for other models reasoning is on or off.
    let has_levels = model.is_some_and(|model| model.contains("gpt-oss"));
    let think = parts.effort.map(|effort| match effort {
        Effort::None => Value::Bool(false),
        _ if !has_levels => Value::Bool(true),
        Effort::Minimal => "low".into(),
        Effort::XHigh | Effort::Max => "high".into(),
        other => other.name().into(),
    });
    set(&mut body, "think", think);
    set(&mut body, "format", parts.schema.cloned());
    set(&mut body, "options", Some(options));
    set(&mut body, "stream", Some(parts.is_streamed));
    body
}

/// Returns the context length for prompt and answer, with a margin of a quarter for the estimate of the prompt.
fn context_length(parts: &RequestParts) -> u64 {
    let needed = (estimated_question(parts.request) * 5 / 4).saturating_add(u64::from(parts.tokens));
    let mut length = MIN_CONTEXT;
    while length < needed.min(MAX_CONTEXT) {
        length *= 2;
    }
    length
}

pub(super) fn decode(partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    if let Some(model) = text_at(value, "model") {
        partial.model = Some(model.to_owned());
    }
    if let Some(message) = value.get("message") {
        partial.has_content = true;
        partial
            .text
            .push_str(text_at(message, "content").unwrap_or_default());
        partial
            .reasoning
            .push_str(text_at(message, "thinking").unwrap_or_default());
    }
    if value.get("done").and_then(Value::as_bool) == Some(true) {
        partial.has_ended = true;
        partial.finish = text_at(value, "done_reason").map(str::to_owned);
        partial.input = number_at(value, "prompt_eval_count");
        partial.output = number_at(value, "eval_count");
    }
    Ok(())
}
