//! Gemini's generateContent: every chunk is a whole partial response, and the end of the connection is
//! the end of the answer.

use super::{RequestParts, each, number_at, set, text_at, thinking_tokens};
use crate::core::ask::Role;
use crate::providers::address::{self, AddressError};
use crate::providers::reply::PartialReply;
use crate::seat::provider::Effort;
use serde_json::{Map, Value, json};

/// Reasons to end that mean that the answer was blocked.
const BLOCKED: [&str; 7] = [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "LANGUAGE",
];

/// The model is part of the path. The address of the OpenAI format at the same host is understood too.
pub(super) fn url(base_url: &str, model: &str) -> Result<String, AddressError> {
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
    path.push_str(":streamGenerateContent?alt=sse");
    address::endpoint(base_url, &["/openai"], "/v1beta", &path)
}

pub(super) fn body(put: &mut RequestParts) -> Map<String, Value> {
    let contents: Vec<Value> = put
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
    set(&mut settings, "maxOutputTokens", Some(put.tokens));
    set(&mut settings, "temperature", put.temperature);
    set(&mut settings, "topP", put.top_p);
    set(
        &mut settings,
        "stopSequences",
        Some(put.stop).filter(|stop| !stop.is_empty()),
    );
    set(&mut settings, "seed", put.seed);
    let old = put
        .request
        .model
        .as_deref()
        .is_some_and(|model| model.contains("gemini-2"));
    let thinking = put.effort.map(|effort| thinking(effort, old));
    set(&mut settings, "thinkingConfig", thinking);
    if let Some(schema) = put.schema {
        set(&mut settings, "responseMimeType", Some("application/json"));
        set(&mut settings, "responseJsonSchema", Some(schema.clone()));
    }
    let mut body = Map::new();
    let system = put
        .own_system()
        .map(|text| json!({ "parts": [{ "text": text }] }));
    set(&mut body, "systemInstruction", system);
    set(&mut body, "contents", Some(contents));
    set(&mut body, "generationConfig", Some(settings));
    body
}

/// Models of the second generation want a number of tokens, later ones a word.
fn thinking(effort: Effort, old: bool) -> Value {
    let shown = effort != Effort::None;
    if old {
        return json!({ "thinkingBudget": thinking_tokens(effort).min(24_576), "includeThoughts": shown });
    }
    let level = match effort {
        Effort::None => "minimal",
        Effort::XHigh | Effort::Max => "high",
        other => other.name(),
    };
    json!({ "thinkingLevel": level, "includeThoughts": shown })
}

pub(super) fn take(gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    if let Some(model) = text_at(value, "modelVersion") {
        gathered.model = Some(model.to_owned());
    }
    if let Some(usage) = value.get("usageMetadata") {
        if let Some(input) = number_at(usage, "promptTokenCount") {
            gathered.input = Some(input);
        }
        let thought = number_at(usage, "thoughtsTokenCount");
        let said = number_at(usage, "candidatesTokenCount");
        if said.is_some() || thought.is_some() {
            gathered.output = Some(said.unwrap_or(0).saturating_add(thought.unwrap_or(0)));
        }
        gathered.thought = thought.or(gathered.thought);
        gathered.cached = number_at(usage, "cachedContentTokenCount").or(gathered.cached);
    }
    if let Some(reason) = value
        .get("promptFeedback")
        .and_then(|told| text_at(told, "blockReason"))
    {
        gathered.any = true;
        gathered.blocked = true;
        gathered.finish = Some(reason.to_owned());
    }
    let Some(candidate) =
        each(value, "candidates").find(|candidate| number_at(candidate, "index").unwrap_or(0) == 0)
    else {
        return Ok(());
    };
    gathered.any = true;
    for part in candidate
        .get("content")
        .into_iter()
        .flat_map(|content| each(content, "parts"))
    {
        let text = text_at(part, "text").unwrap_or_default();
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            gathered.reasoning.push_str(text);
        } else {
            gathered.text.push_str(text);
        }
    }
    if let Some(reason) = text_at(candidate, "finishReason") {
        gathered.blocked |= BLOCKED.contains(&reason);
        gathered.finish = Some(reason.to_owned());
    }
    Ok(())
}
