//! OpenAI's Responses: typed events, no stop texts, no seed. Nothing is to be stored there.

use super::{RequestParts, each, number_at, present, role_name, set, text_at};
use crate::core::ask::Role;
use crate::providers::address::{self, AddressError};
use crate::providers::refusal::Parameter;
use crate::providers::reply::PartialReply;
use serde_json::{Map, Value, json};

pub(super) fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/responses", "/chat/completions"], "", "/responses")
}

pub(super) fn body(put: &mut RequestParts) -> Map<String, Value> {
    put.without(Parameter::Stop);
    put.without(Parameter::Seed);
    let input: Vec<Value> = put
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
    set(&mut body, "model", put.request.model.as_deref());
    set(&mut body, "instructions", put.own_system());
    set(&mut body, "input", Some(input));
    set(&mut body, "max_output_tokens", Some(put.tokens));
    set(&mut body, "temperature", put.temperature);
    set(&mut body, "top_p", put.top_p);
    let effort = put.effort.map(|effort| json!({ "effort": effort.name() }));
    set(&mut body, "reasoning", effort);
    let format = |schema: &Value| json!({ "format": { "type": "json_schema", "name": "answer", "schema": schema, "strict": true } });
    set(&mut body, "text", put.schema.map(format));
    set(&mut body, "store", Some(false));
    set(&mut body, "stream", Some(true));
    body
}

pub(super) fn take(gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    let Some(event) = text_at(value, "type") else {
        return whole(gathered, value);
    };
    let delta = text_at(value, "delta").unwrap_or_default();
    match event {
        "response.output_text.delta" => {
            gathered.any = true;
            gathered.text.push_str(delta);
        }
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
            gathered.reasoning.push_str(delta);
        }
        "response.refusal.delta" => gathered.refusal.push_str(delta),
        "response.completed" | "response.incomplete" | "response.failed" => {
            whole(gathered, value.get("response").unwrap_or(value))?;
            gathered.ended = true;
        }
        // Whatever else may come says nothing that is needed.
        _ => {}
    }
    Ok(())
}

/// A response as it is at the end. Texts count only where none came before it, piece by piece.
fn whole(gathered: &mut PartialReply, response: &Value) -> Result<(), Value> {
    let status = text_at(response, "status").unwrap_or_default();
    if status == "failed" || present(response.get("error")).is_some() {
        // Without the rest, which repeats the question.
        return Err(json!({ "error": response.get("error") }));
    }
    let (text, thought) = (gathered.text.is_empty(), gathered.reasoning.is_empty());
    let refusal = gathered.refusal.is_empty();
    for item in each(response, "output") {
        gathered.any = true;
        for part in each(item, "content").chain(each(item, "summary")) {
            let said = text_at(part, "text").unwrap_or_default();
            match text_at(part, "type") {
                Some("output_text") if text => gathered.text.push_str(said),
                Some("reasoning_text" | "summary_text") if thought => gathered.reasoning.push_str(said),
                Some("refusal") if refusal => {
                    gathered
                        .refusal
                        .push_str(text_at(part, "refusal").unwrap_or_default());
                }
                _ => {}
            }
        }
    }
    if let Some(model) = text_at(response, "model") {
        gathered.model = Some(model.to_owned());
    }
    let reason = response
        .get("incomplete_details")
        .and_then(|details| text_at(details, "reason"));
    // A budget that was used up by thinking leaves nothing in `output`.
    gathered.any |= reason.is_some();
    gathered.blocked |= reason == Some("content_filter");
    if !status.is_empty() {
        gathered.finish = Some(reason.unwrap_or(status).to_owned());
    }
    if let Some(usage) = response.get("usage") {
        gathered.input = number_at(usage, "input_tokens");
        gathered.output = number_at(usage, "output_tokens");
        let detail = |of: &str, key: &str| usage.get(of).and_then(|details| number_at(details, key));
        gathered.thought = detail("output_tokens_details", "reasoning_tokens");
        gathered.cached = detail("input_tokens_details", "cached_tokens");
    }
    Ok(())
}
