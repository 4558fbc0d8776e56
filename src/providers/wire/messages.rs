//! Anthropic's Messages: named events, content in blocks, no seed. Pages may call it only with a header
//! that says so.

use super::{RequestParts, each, number_at, role_name, set, text_at, thinking_tokens};
use crate::providers::address::{self, AddressError};
use crate::providers::refusal::Parameter;
use crate::providers::reply::PartialReply;
use crate::seat::provider::Effort;
use serde_json::{Map, Value, json};

pub(super) const HEADERS: [(&str, &str); 2] = [
    ("anthropic-version", "2023-06-01"),
    ("anthropic-dangerous-direct-browser-access", "true"),
];

/// Tokens of thought at least, where they are told.
const LEAST_THOUGHT: u32 = 1_024;

/// Tokens of thought at most in an answer of so many: some are left to say something.
const fn thought(tokens: u32) -> u32 {
    tokens / 4 * 3
}

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/messages"], "/v1", "/messages")
}

pub(super) fn body(put: &mut RequestParts) -> Map<String, Value> {
    put.without(Parameter::Seed);
    if put.thinks_by_tokens && put.effort.is_some_and(|effort| effort != Effort::None) {
        if thought(put.tokens) < LEAST_THOUGHT {
            put.without(Parameter::Effort);
        } else {
            put.without(Parameter::Temperature);
            put.without(Parameter::TopP);
        }
    }
    // Its temperatures end at 1, and either of the two ways to sample is all it takes.
    if put.temperature.is_some_and(|value| value > 1.0) {
        put.without(Parameter::Temperature);
    }
    if put.temperature.is_some() {
        put.without(Parameter::TopP);
    }
    let messages: Vec<Value> = put
        .turns()
        .into_iter()
        .map(|(role, text)| json!({ "role": role_name(role), "content": text }))
        .collect();
    let mut body = Map::new();
    set(&mut body, "model", put.request.model.as_deref());
    set(&mut body, "max_tokens", Some(put.tokens));
    set(&mut body, "system", put.own_system());
    set(&mut body, "messages", Some(messages));
    set(&mut body, "temperature", put.temperature);
    set(&mut body, "top_p", put.top_p);
    set(
        &mut body,
        "stop_sequences",
        Some(put.stop).filter(|stop| !stop.is_empty()),
    );
    let mut output = Map::new();
    match put.effort {
        Some(Effort::None) => set(&mut body, "thinking", Some(json!({ "type": "disabled" }))),
        Some(effort) if put.thinks_by_tokens => {
            let tokens = thinking_tokens(effort).max(LEAST_THOUGHT);
            let tokens = tokens.min(thought(put.tokens));
            let thinking = json!({ "type": "enabled", "budget_tokens": tokens });
            set(&mut body, "thinking", Some(thinking));
        }
        Some(effort) => {
            let level = if effort == Effort::Minimal {
                "low"
            } else {
                effort.name()
            };
            set(&mut output, "effort", Some(level));
            set(&mut body, "thinking", Some(json!({ "type": "adaptive" })));
        }
        None => {}
    }
    let format = |schema: &Value| json!({ "type": "json_schema", "schema": schema });
    set(&mut output, "format", put.schema.map(format));
    set(
        &mut body,
        "output_config",
        Some(output).filter(|output| !output.is_empty()),
    );
    set(&mut body, "stream", Some(true));
    body
}

pub(super) fn take(gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    match text_at(value, "type") {
        Some("message") => {
            head(gathered, value);
            for block in each(value, "content") {
                add(gathered, block);
            }
            end(gathered, value);
            usage(gathered, value);
        }
        Some("message_start") => {
            let message = value.get("message").unwrap_or(value);
            head(gathered, message);
            usage(gathered, message);
        }
        Some("content_block_start") => add(gathered, value.get("content_block").unwrap_or(value)),
        Some("content_block_delta") => add(gathered, value.get("delta").unwrap_or(value)),
        Some("message_delta") => {
            end(gathered, value.get("delta").unwrap_or(value));
            usage(gathered, value);
        }
        Some("message_stop") => gathered.ended = true,
        // Pings, and whatever else may come.
        _ => {}
    }
    Ok(())
}

fn head(gathered: &mut PartialReply, message: &Value) {
    gathered.any = true;
    if let Some(model) = text_at(message, "model") {
        gathered.model = Some(model.to_owned());
    }
}

/// A block, or what is added to one: text and thoughts; all others are left out.
fn add(gathered: &mut PartialReply, part: &Value) {
    match text_at(part, "type") {
        Some("text" | "text_delta") => gathered.text.push_str(text_at(part, "text").unwrap_or_default()),
        Some("thinking" | "thinking_delta") => {
            gathered
                .reasoning
                .push_str(text_at(part, "thinking").unwrap_or_default());
        }
        _ => {}
    }
}

fn end(gathered: &mut PartialReply, value: &Value) {
    if let Some(reason) = text_at(value, "stop_reason") {
        gathered.blocked |= reason == "refusal";
        gathered.finish = Some(reason.to_owned());
    }
}

/// Counts so far: a later one takes the place of an earlier one. What came out of a cache or went into
/// one is part of the question.
fn usage(gathered: &mut PartialReply, value: &Value) {
    let Some(usage) = value.get("usage") else { return };
    if let Some(cached) = number_at(usage, "cache_read_input_tokens") {
        gathered.cached = Some(cached);
    }
    if let Some(input) = number_at(usage, "input_tokens") {
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
            .map(|key| number_at(usage, key).unwrap_or(0));
        gathered.input = Some(cached.iter().fold(input, |sum, more| sum.saturating_add(*more)));
    }
    if let Some(output) = number_at(usage, "output_tokens") {
        gathered.output = Some(output);
    }
}
