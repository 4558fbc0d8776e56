//! OpenAI's Responses: typed events, no stop sequences, no seed. Requests disable storage at the provider.

use super::{RequestParts, each, number_at, present, role_name, set, text_at};
use crate::core::ask::Role;
use crate::providers::address::{self, AddressError};
use crate::providers::refusal::Parameter;
use crate::providers::reply::PartialReply;
use serde_json::{Map, Value, json};

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/responses", "/chat/completions"], "", "/responses")
}

pub(super) fn body(parts: &mut RequestParts) -> Map<String, Value> {
    parts.omit(Parameter::Stop);
    parts.omit(Parameter::Seed);
    let input: Vec<Value> = parts
        .turns()
        .into_iter()
        .map(|(role, text)| {
            let kind = match role {
                Role::User => "input_text",
                Role::Assistant => "output_text",
            };
            json!({ "role": role_name(role), "content": [{ "type": kind, "text": text }] })
        })
        .collect();
    let mut body = Map::new();
    set(&mut body, "model", parts.request.model.as_deref());
    set(&mut body, "instructions", parts.separate_system());
    set(&mut body, "input", Some(input));
    set(&mut body, "max_output_tokens", Some(parts.tokens));
    set(&mut body, "temperature", parts.temperature);
    set(&mut body, "top_p", parts.top_p);
    let effort = parts.effort.map(|effort| json!({ "effort": effort.name() }));
    set(&mut body, "reasoning", effort);
    let format = |schema: &Value| json!({ "format": { "type": "json_schema", "name": "answer", "schema": schema, "strict": true } });
    set(&mut body, "text", parts.schema.map(format));
    set(&mut body, "store", Some(false));
    set(&mut body, "stream", Some(parts.is_streamed));
    body
}

pub(super) fn decode(partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    let Some(event) = text_at(value, "type") else {
        return read_response(partial, value);
    };
    let delta = text_at(value, "delta").unwrap_or_default();
    match event {
        "response.output_text.delta" => {
            partial.has_content = true;
            partial.text.push_str(delta);
        }
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
            partial.reasoning.push_str(delta);
        }
        "response.refusal.delta" => partial.refusal.push_str(delta),
        "response.completed" | "response.incomplete" | "response.failed" => {
            read_response(partial, value.get("response").unwrap_or(value))?;
            partial.has_ended = true;
        }
        // Other events carry no needed data.
        _ => {}
    }
    Ok(())
}

/// Reads a complete response. Its texts are used only if none was streamed before.
fn read_response(partial: &mut PartialReply, response: &Value) -> Result<(), Value> {
    let status = text_at(response, "status").unwrap_or_default();
    if status == "failed" || present(response.get("error")).is_some() {
        // The rest of the response repeats the request.
        return Err(json!({ "error": response.get("error") }));
    }
    let (needs_text, needs_reasoning) = (partial.text.is_empty(), partial.reasoning.is_empty());
    let needs_refusal = partial.refusal.is_empty();
    for item in each(response, "output") {
        partial.has_content = true;
        for part in each(item, "content").chain(each(item, "summary")) {
            let text = text_at(part, "text").unwrap_or_default();
            match text_at(part, "type") {
                Some("output_text") if needs_text => partial.text.push_str(text),
                Some("reasoning_text" | "summary_text") if needs_reasoning => {
                    partial.reasoning.push_str(text)
                }
                Some("refusal") if needs_refusal => {
                    partial
                        .refusal
                        .push_str(text_at(part, "refusal").unwrap_or_default());
                }
                _ => {}
            }
        }
    }
    if let Some(model) = text_at(response, "model") {
        partial.model = Some(model.to_owned());
    }
    let reason = response
        .get("incomplete_details")
        .and_then(|details| text_at(details, "reason"));
    // A token limit used up by reasoning leaves `output` empty.
    partial.has_content |= reason.is_some();
    partial.is_blocked |= reason == Some("content_filter");
    if !status.is_empty() {
        partial.finish = Some(reason.unwrap_or(status).to_owned());
    }
    if let Some(usage) = response.get("usage") {
        partial.input = number_at(usage, "input_tokens");
        partial.output = number_at(usage, "output_tokens");
        let detail = |of: &str, key: &str| usage.get(of).and_then(|details| number_at(details, key));
        partial.thought = detail("output_tokens_details", "reasoning_tokens");
        partial.cached = detail("input_tokens_details", "cached_tokens");
    }
    Ok(())
}
