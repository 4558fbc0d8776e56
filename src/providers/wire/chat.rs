//! OpenAI's Chat Completions, which most providers support with small differences; these are in a table. Responses
//! are decoded by their shape alone.

use super::{RequestParts, each, number_at, present, set, text_at};
use crate::providers::refusal::Parameter;
use crate::providers::reply::PartialReply;
use crate::seat::provider::{Effort, Provider};
use serde_json::{Map, Value, json};

/// The variant of a provider.
struct Dialect {
    /// Name of the token limit.
    tokens: &'static str,
    /// Name of the seed; `None` if there is none.
    seed: Option<&'static str>,
    /// Usage in a stream has to be requested; otherwise it is always sent and the option is rejected.
    stream_options: bool,
    thinking: Thinking,
    /// Schemas are supported; otherwise only JSON mode.
    schema: bool,
    /// Parts of the names of reasoning models that ignore sampling settings while reasoning.
    unsampled: &'static [&'static str],
}

/// The setting for reasoning effort.
#[derive(Clone, Copy)]
enum Thinking {
    /// `reasoning_effort`.
    Effort,
    /// `reasoning: {effort}`.
    Object,
    /// `thinking: {type}`, with `reasoning_effort` if enabled.
    Switch,
    /// Variables of the chat template.
    Template,
}

const USUAL: Dialect = Dialect {
    tokens: "max_tokens",
    seed: Some("seed"),
    stream_options: true,
    thinking: Thinking::Effort,
    schema: true,
    unsampled: &[],
};

fn dialect(provider: Provider) -> Dialect {
    match provider {
        // Newer models reject max_tokens, older ones accept both.
        Provider::OpenAi => Dialect {
            tokens: "max_completion_tokens",
            ..USUAL
        },
        Provider::Mistral => Dialect {
            seed: Some("random_seed"),
            stream_options: false,
            ..USUAL
        },
        Provider::DeepSeek => Dialect {
            seed: None,
            thinking: Thinking::Switch,
            schema: false,
            unsampled: &["reasoner", "v4"],
            ..USUAL
        },
        Provider::OpenRouter => Dialect {
            thinking: Thinking::Object,
            ..USUAL
        },
        Provider::LlamaCpp => Dialect {
            thinking: Thinking::Template,
            ..USUAL
        },
        _ => USUAL,
    }
}

pub(super) fn body(parts: &mut RequestParts, provider: Provider) -> Map<String, Value> {
    let dialect = dialect(provider);
    let model = parts.request.model.as_deref();
    let is_thinking = parts.effort != Some(Effort::None);
    if dialect.seed.is_none() {
        parts.omit(Parameter::Seed);
    }
    if !dialect.stream_options {
        parts.omit(Parameter::StreamOptions);
    }
    if !dialect.schema && parts.schema.is_some() {
        parts.omit(Parameter::Schema);
        parts.json_mode = true;
    }
    if is_thinking
        && dialect
            .unsampled
            .iter()
            .any(|part| model.is_some_and(|model| model.contains(part)))
    {
        parts.omit(Parameter::Temperature);
        parts.omit(Parameter::TopP);
    }
    let tokens = match (parts.other_token_field, dialect.tokens) {
        (false, field) => field,
        (true, "max_tokens") => "max_completion_tokens",
        (true, _) => "max_tokens",
    };
    let mut body = Map::new();
    set(&mut body, "model", model);
    body.insert("messages".to_owned(), parts.messages());
    set(&mut body, tokens, Some(parts.tokens));
    set(&mut body, "temperature", parts.temperature);
    set(&mut body, "top_p", parts.top_p);
    set(
        &mut body,
        "stop",
        Some(parts.stop).filter(|stop| !stop.is_empty()),
    );
    set(&mut body, dialect.seed.unwrap_or_default(), parts.seed);
    if let Some(effort) = parts.effort {
        set_effort(&mut body, dialect.thinking, effort);
    }
    let format = |schema: &Value| json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": schema, "strict": true } });
    let any = parts.json_mode.then(|| json!({ "type": "json_object" }));
    set(&mut body, "response_format", parts.schema.map(format).or(any));
    set(&mut body, "stream", Some(parts.is_streamed));
    let usage = parts.stream_options.then(|| json!({ "include_usage": true }));
    set(&mut body, "stream_options", usage);
    body
}

fn set_effort(body: &mut Map<String, Value>, setting: Thinking, effort: Effort) {
    let name = effort.name();
    let is_enabled = effort != Effort::None;
    match setting {
        Thinking::Effort => set(body, "reasoning_effort", Some(name)),
        Thinking::Object => set(body, "reasoning", Some(json!({ "effort": name }))),
        Thinking::Switch => {
            let switch = if is_enabled { "enabled" } else { "disabled" };
            set(body, "thinking", Some(json!({ "type": switch })));
            set(body, "reasoning_effort", is_enabled.then_some(name));
        }
        Thinking::Template => {
            let variables = json!({ "enable_thinking": is_enabled, "reasoning_effort": name });
            set(body, "chat_template_kwargs", Some(variables));
        }
    }
}

pub(super) fn decode(partial: &mut PartialReply, value: &Value) -> Result<(), Value> {
    let choice = each(value, "choices").find(|choice| number_at(choice, "index").unwrap_or(0) == 0);
    // An error in a choice is handled like one of the whole response.
    if let Some(choice) = choice.filter(|choice| present(choice.get("error")).is_some()) {
        return Err(choice.clone());
    }
    if let Some(model) = text_at(value, "model") {
        partial.model = Some(model.to_owned());
    }
    let usage =
        present(value.get("usage")).or_else(|| value.get("x_groq").and_then(|groq| groq.get("usage")));
    if let Some(usage) = usage {
        read_usage(partial, usage);
    }
    let Some(choice) = choice else { return Ok(()) };
    partial.has_content = true;
    if let Some(finish) = text_at(choice, "finish_reason") {
        // Sent by routers if the upstream provider failed.
        if matches!(finish, "error" | "network_error") {
            return Err(choice.clone());
        }
        partial.is_blocked |= finish == "content_filter";
        partial.finish = Some(finish.to_owned());
    }
    let Some(message) = present(choice.get("delta")).or_else(|| choice.get("message")) else {
        return Ok(());
    };
    let reasoning = ["reasoning_content", "reasoning"]
        .iter()
        .find_map(|key| text_at(message, key));
    match reasoning {
        Some(text) => partial.reasoning.push_str(text),
        None => add_parts(
            message.get("reasoning_details"),
            &mut String::new(),
            &mut partial.reasoning,
        ),
    }
    if let Some(refusal) = text_at(message, "refusal") {
        partial.refusal.push_str(refusal);
    }
    match message.get("content") {
        Some(Value::String(text)) => partial.text.push_str(text),
        parts => add_parts(parts, &mut partial.text, &mut partial.reasoning),
    }
    Ok(())
}

fn read_usage(partial: &mut PartialReply, usage: &Value) {
    let tokens = |key| number_at(usage, key);
    let (Some(input), Some(output)) = (tokens("prompt_tokens"), tokens("completion_tokens")) else {
        return;
    };
    let detail = |of: &str, key: &str| usage.get(of).and_then(|details| number_at(details, key));
    partial.thought = detail("completion_tokens_details", "reasoning_tokens");
    // DeepSeek has its own name for it.
    partial.cached =
        detail("prompt_tokens_details", "cached_tokens").or_else(|| tokens("prompt_cache_hit_tokens"));
    partial.cost = usage.get("cost").and_then(Value::as_f64);
    let thought = partial.thought.unwrap_or(0);
    // Some providers count reasoning in addition to the answer; then the total includes both.
    let is_separate = tokens("total_tokens") == Some(input.saturating_add(output).saturating_add(thought));
    partial.input = Some(input);
    partial.output = Some(if is_separate {
        output.saturating_add(thought)
    } else {
        output
    });
}

/// Adds a list of content parts to text and reasoning. Other parts (images, calls) are ignored.
fn add_parts(parts: Option<&Value>, text: &mut String, reasoning: &mut String) {
    for part in parts.and_then(Value::as_array).into_iter().flatten() {
        let kind = text_at(part, "type").unwrap_or("text");
        if kind.starts_with("thinking") || kind.starts_with("reasoning") {
            match ["thinking", "text", "summary"]
                .iter()
                .find_map(|key| present(part.get(*key)))
            {
                Some(Value::String(thought)) => reasoning.push_str(thought),
                inner => {
                    let mut thoughts = String::new();
                    add_parts(inner, &mut thoughts, &mut String::new());
                    reasoning.push_str(&thoughts);
                }
            }
        } else if matches!(kind, "text" | "output_text") {
            text.push_str(text_at(part, "text").unwrap_or_default());
        }
    }
}
