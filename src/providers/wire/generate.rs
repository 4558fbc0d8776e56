//! Gemini's generateContent: every chunk is a partial response, and the end of the connection ends the answer.

use super::{RequestParts, each, number_at, set, text_at, thinking_tokens};
use crate::core::ask::Role;
use crate::providers::address::{self, AddressError};
use crate::providers::reply::PartialReply;
use crate::seat::provider::Effort;
use serde_json::{Map, Value, json};

/// Finish reasons of blocked answers.
const BLOCKED: [&str; 7] = [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "LANGUAGE",
];

/// Returns the address; the model is part of the path. The base URL of the OpenAI format is accepted too.
pub(super) fn url(base_url: &str, model: &str, is_streamed: bool) -> Result<String, AddressError> {
    let mut path = String::from("/");
    if !model.contains('/') {
        path.push_str("models/");
    }
    for byte in model.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._/".contains(&byte) {
            path.push(char::from(byte));
        } else {
            const HEX: &[u8; 16] = b"0123456789ABCDEF";
            path.push('%');
            path.push(char::from(HEX[usize::from(byte >> 4)]));
            path.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    path.push_str(if is_streamed {
        ":streamGenerateContent?alt=sse"
    } else {
        ":generateContent"
    });
    address::endpoint(base_url, &["/openai"], "/v1beta", &path)
}

pub(super) fn body(parts: &mut RequestParts) -> Map<String, Value> {
    let contents: Vec<Value> = parts
        .turns()
        .into_iter()
        .map(|(role, text)| {
            let role = match role {
                Role::User => "user",
                Role::Assistant => "model",
            };
            json!({ "role": role, "parts": [{ "text": text }] })
        })
        .collect();
    let mut settings = Map::new();
    set(&mut settings, "maxOutputTokens", Some(parts.tokens));
    set(&mut settings, "temperature", parts.temperature);
    set(&mut settings, "topP", parts.top_p);
    set(
        &mut settings,
        "stopSequences",
        Some(parts.stop).filter(|stop| !stop.is_empty()),
    );
    set(&mut settings, "seed", parts.seed);
    let is_old = parts
        .request
        .model
        .as_deref()
        .is_some_and(|model| model.contains("gemini-2"));
    let thinking = parts.effort.map(|effort| thinking(effort, is_old));
    set(&mut settings, "thinkingConfig", thinking);
    if let Some(schema) = parts.schema {
        set(&mut settings, "responseMimeType", Some("application/json"));
        set(&mut settings, "responseJsonSchema", Some(schema.clone()));
    }
    let mut body = Map::new();
    let system = parts
        .separate_system()
        .map(|text| json!({ "parts": [{ "text": text }] }));
    set(&mut body, "systemInstruction", system);
    set(&mut body, "contents", Some(contents));
    set(&mut body, "generationConfig", Some(settings));
    body
}

/// Returns the reasoning settings: a number of tokens for models of the second generation, a level for later ones.
fn thinking(effort: Effort, is_old: bool) -> Value {
    let is_shown = effort != Effort::None;
    if is_old {
        return json!({ "thinkingBudget": thinking_tokens(effort).min(24_576), "includeThoughts": is_shown });
    }
    let level = match effort {
        Effort::None => "minimal",
        Effort::XHigh | Effort::Max => "high",
        other => other.name(),
    };
    json!({ "thinkingLevel": level, "includeThoughts": is_shown })
}

pub(super) fn decode(partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    if let Some(model) = text_at(value, "modelVersion") {
        partial.model = Some(model.to_owned());
    }
    if let Some(usage) = value.get("usageMetadata") {
        if let Some(input) = number_at(usage, "promptTokenCount") {
            partial.input = Some(input);
        }
        let thought = number_at(usage, "thoughtsTokenCount");
        let answered = number_at(usage, "candidatesTokenCount");
        if answered.is_some() || thought.is_some() {
            partial.output = Some(answered.unwrap_or(0).saturating_add(thought.unwrap_or(0)));
        }
        partial.thought = thought.or(partial.thought);
        partial.cached = number_at(usage, "cachedContentTokenCount").or(partial.cached);
    }
    if let Some(reason) = value
        .get("promptFeedback")
        .and_then(|feedback| text_at(feedback, "blockReason"))
    {
        partial.has_content = true;
        partial.is_blocked = true;
        partial.finish = Some(reason.to_owned());
    }
    let Some(candidate) =
        each(value, "candidates").find(|candidate| number_at(candidate, "index").unwrap_or(0) == 0)
    else {
        return Ok(());
    };
    partial.has_content = true;
    for part in candidate
        .get("content")
        .into_iter()
        .flat_map(|content| each(content, "parts"))
    {
        let text = text_at(part, "text").unwrap_or_default();
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            partial.reasoning.push_str(text);
        } else {
            partial.text.push_str(text);
        }
    }
    if let Some(reason) = text_at(candidate, "finishReason") {
        partial.is_blocked |= BLOCKED.contains(&reason);
        partial.finish = Some(reason.to_owned());
    }
    Ok(())
}
