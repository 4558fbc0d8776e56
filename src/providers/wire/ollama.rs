//! Ollama's own chat format, a JSON value a line. Not its OpenAI format: there the length of the context
//! cannot be set, and by default it is so short that a deliberation loses its beginning without a word.

use super::{RequestParts, number_at, set, text_at};
use crate::core::limits::estimated_question;
use crate::providers::address::{self, AddressError};
use crate::providers::reply::PartialReply;
use crate::seat::provider::Effort;
use serde_json::{Map, Value};

/// Ends of a base URL that mean the same server.
pub(super) const ENDINGS: [&str; 4] = ["/chat/completions", "/v1", "/chat", "/api"];

/// The shortest context that is asked for. Another length makes Ollama load the model again, so
/// lengths go by doubling.
const CONTEXT: u64 = 8_192;
const LONGEST_CONTEXT: u64 = 131_072;

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &ENDINGS, "", "/api/chat")
}

pub(super) fn body(put: &mut RequestParts) -> Map<String, Value> {
    let mut options = Map::new();
    set(&mut options, "num_predict", Some(put.tokens));
    set(&mut options, "num_ctx", Some(context(put)));
    set(&mut options, "temperature", put.temperature);
    set(&mut options, "top_p", put.top_p);
    set(
        &mut options,
        "stop",
        Some(put.stop).filter(|stop| !stop.is_empty()),
    );
    set(&mut options, "seed", put.seed);
    let mut body = Map::new();
    let model = put.request.model.as_deref();
    set(&mut body, "model", model);
    set(&mut body, "messages", Some(put.messages()));
    // One family of models has levels, the others think or do not.
    let levels = model.is_some_and(|model| model.contains("gpt-oss"));
    let think = put.effort.map(|effort| match effort {
        Effort::None => Value::Bool(false),
        _ if !levels => Value::Bool(true),
        Effort::Minimal => "low".into(),
        Effort::XHigh | Effort::Max => "high".into(),
        other => other.name().into(),
    });
    set(&mut body, "think", think);
    set(&mut body, "format", put.schema.cloned());
    set(&mut body, "options", Some(options));
    set(&mut body, "stream", Some(true));
    body
}

/// Room for question and answer, with a quarter more for what the estimate misses.
fn context(put: &RequestParts) -> u64 {
    let needed = (estimated_question(put.request) * 5 / 4).saturating_add(u64::from(put.tokens));
    let mut length = CONTEXT;
    while length < needed.min(LONGEST_CONTEXT) {
        length *= 2;
    }
    length
}

pub(super) fn take(gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    if let Some(model) = text_at(value, "model") {
        gathered.model = Some(model.to_owned());
    }
    if let Some(message) = value.get("message") {
        gathered.any = true;
        gathered
            .text
            .push_str(text_at(message, "content").unwrap_or_default());
        gathered
            .reasoning
            .push_str(text_at(message, "thinking").unwrap_or_default());
    }
    if value.get("done").and_then(Value::as_bool) == Some(true) {
        gathered.ended = true;
        gathered.finish = text_at(value, "done_reason").map(str::to_owned);
        gathered.input = number_at(value, "prompt_eval_count");
        gathered.output = number_at(value, "eval_count");
    }
    Ok(())
}
