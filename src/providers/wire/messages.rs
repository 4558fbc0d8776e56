//! Anthropic's Messages: named events, content in blocks, no seed. Calls from web pages need an extra header.

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

/// Minimum reasoning budget, in tokens.
const MIN_BUDGET: u32 = 1_024;

/// Returns the maximum reasoning budget for a token limit; the rest is left for the answer.
const fn max_budget(tokens: u32) -> u32 {
    tokens / 4 * 3
}

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/messages"], "/v1", "/messages")
}

pub(super) fn body(parts: &mut RequestParts) -> Map<String, Value> {
    parts.omit(Parameter::Seed);
    if parts.has_thinking_budget && parts.effort.is_some_and(|effort| effort != Effort::None) {
        if max_budget(parts.tokens) < MIN_BUDGET {
            parts.omit(Parameter::Effort);
        } else {
            parts.omit(Parameter::Temperature);
            parts.omit(Parameter::TopP);
        }
    }
    // The maximum temperature is 1, and temperature and top_p exclude each other.
    if parts.temperature.is_some_and(|value| value > 1.0) {
        parts.omit(Parameter::Temperature);
    }
    if parts.temperature.is_some() {
        parts.omit(Parameter::TopP);
    }
    let messages: Vec<Value> = parts
        .turns()
        .into_iter()
        .map(|(role, text)| json!({ "role": role_name(role), "content": text }))
        .collect();
    let mut body = Map::new();
    set(&mut body, "model", parts.request.model.as_deref());
    set(&mut body, "max_tokens", Some(parts.tokens));
    set(&mut body, "system", parts.separate_system());
    set(&mut body, "messages", Some(messages));
    set(&mut body, "temperature", parts.temperature);
    set(&mut body, "top_p", parts.top_p);
    set(
        &mut body,
        "stop_sequences",
        Some(parts.stop).filter(|stop| !stop.is_empty()),
    );
    let mut output = Map::new();
    match parts.effort {
        Some(Effort::None) => set(&mut body, "thinking", Some(json!({ "type": "disabled" }))),
        Some(effort) if parts.has_thinking_budget => {
            let tokens = thinking_tokens(effort).max(MIN_BUDGET);
            let tokens = tokens.min(max_budget(parts.tokens));
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
    set(&mut output, "format", parts.schema.map(format));
    set(
        &mut body,
        "output_config",
        Some(output).filter(|output| !output.is_empty()),
    );
    set(&mut body, "stream", Some(parts.is_streamed));
    body
}

pub(super) fn decode(partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    match text_at(value, "type") {
        Some("message") => {
            read_model(partial, value);
            for block in each(value, "content") {
                read_block(partial, block);
            }
            read_stop_reason(partial, value);
            read_usage(partial, value);
        }
        Some("message_start") => {
            let message = value.get("message").unwrap_or(value);
            read_model(partial, message);
            read_usage(partial, message);
        }
        Some("content_block_start") => read_block(partial, value.get("content_block").unwrap_or(value)),
        Some("content_block_delta") => read_block(partial, value.get("delta").unwrap_or(value)),
        Some("message_delta") => {
            read_stop_reason(partial, value.get("delta").unwrap_or(value));
            read_usage(partial, value);
        }
        Some("message_stop") => partial.has_ended = true,
        // Pings and unknown events.
        _ => {}
    }
    Ok(())
}

fn read_model(partial: &mut PartialReply, message: &Value) {
    partial.has_content = true;
    if let Some(model) = text_at(message, "model") {
        partial.model = Some(model.to_owned());
    }
}

/// Reads a block or its delta. Only text and reasoning are used.
fn read_block(partial: &mut PartialReply, part: &Value) {
    match text_at(part, "type") {
        Some("text" | "text_delta") => partial.text.push_str(text_at(part, "text").unwrap_or_default()),
        Some("thinking" | "thinking_delta") => {
            partial
                .reasoning
                .push_str(text_at(part, "thinking").unwrap_or_default());
        }
        _ => {}
    }
}

fn read_stop_reason(partial: &mut PartialReply, value: &Value) {
    if let Some(reason) = text_at(value, "stop_reason") {
        partial.is_blocked |= reason == "refusal";
        partial.finish = Some(reason.to_owned());
    }
}

/// Reads the cumulative token counts. Tokens read from or written to a cache are part of the input.
fn read_usage(partial: &mut PartialReply, value: &Value) {
    let Some(usage) = value.get("usage") else { return };
    if let Some(cached) = number_at(usage, "cache_read_input_tokens") {
        partial.cached = Some(cached);
    }
    if let Some(input) = number_at(usage, "input_tokens") {
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
            .map(|key| number_at(usage, key).unwrap_or(0));
        partial.input = Some(cached.iter().fold(input, |sum, more| sum.saturating_add(*more)));
    }
    if let Some(output) = number_at(usage, "output_tokens") {
        partial.output = Some(output);
    }
}
