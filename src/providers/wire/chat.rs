//! OpenAI's Chat Completions, which most providers speak, each a little otherwise: what differs is a
//! table here. Answers are read by their shape alone.

use super::{RequestParts, each, number_at, present, set, text_at};
use crate::providers::refusal::Parameter;
use crate::providers::reply::PartialReply;
use crate::seat::provider::{Effort, Provider};
use serde_json::{Map, Value, json};

/// How a provider's dialect differs.
struct Dialect {
    /// The field of the answer's length.
    tokens: &'static str,
    /// The field of the seed.
    seed: Option<&'static str>,
    /// Whether usage in a stream has to be asked for; without it is always sent, and asking is refused.
    stream_options: bool,
    /// How thinking is set.
    thinking: Thinking,
    /// Whether it takes a schema; otherwise it takes that the answer is JSON.
    schema: bool,
    /// Parts of the names of models that think, and then take no notice of how to sample.
    unsampled: &'static [&'static str],
}

#[derive(Clone, Copy)]
enum Thinking {
    /// `reasoning_effort`.
    Effort,
    /// `reasoning: {effort}`.
    Object,
    /// `thinking: {type}`, and `reasoning_effort` where it is on.
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
        // Its newer models reject max_tokens, its older ones take both.
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

pub(super) fn body(put: &mut RequestParts, provider: Provider) -> Map<String, Value> {
    let dialect = dialect(provider);
    let model = put.request.model.as_deref();
    let thinks = put.effort != Some(Effort::None);
    if dialect.seed.is_none() {
        put.without(Parameter::Seed);
    }
    if !dialect.stream_options {
        put.without(Parameter::StreamOptions);
    }
    if !dialect.schema && put.schema.is_some() {
        put.without(Parameter::Schema);
        put.json_mode = true;
    }
    if thinks
        && dialect
            .unsampled
            .iter()
            .any(|part| model.is_some_and(|model| model.contains(part)))
    {
        put.without(Parameter::Temperature);
        put.without(Parameter::TopP);
    }
    let tokens = match (put.other_token_field, dialect.tokens) {
        (false, field) => field,
        (true, "max_tokens") => "max_completion_tokens",
        (true, _) => "max_tokens",
    };
    let mut body = Map::new();
    set(&mut body, "model", model);
    body.insert("messages".to_owned(), put.messages());
    set(&mut body, tokens, Some(put.tokens));
    set(&mut body, "temperature", put.temperature);
    set(&mut body, "top_p", put.top_p);
    set(&mut body, "stop", Some(put.stop).filter(|stop| !stop.is_empty()));
    set(&mut body, dialect.seed.unwrap_or_default(), put.seed);
    if let Some(effort) = put.effort {
        think(&mut body, dialect.thinking, effort);
    }
    let format = |schema: &Value| json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": schema, "strict": true } });
    let any = put.json_mode.then(|| json!({ "type": "json_object" }));
    set(&mut body, "response_format", put.schema.map(format).or(any));
    set(&mut body, "stream", Some(true));
    let usage = put.stream_options.then(|| json!({ "include_usage": true }));
    set(&mut body, "stream_options", usage);
    body
}

fn think(body: &mut Map<String, Value>, how: Thinking, effort: Effort) {
    let name = effort.name();
    let on = effort != Effort::None;
    match how {
        Thinking::Effort => set(body, "reasoning_effort", Some(name)),
        Thinking::Object => set(body, "reasoning", Some(json!({ "effort": name }))),
        Thinking::Switch => {
            let switch = if on { "enabled" } else { "disabled" };
            set(body, "thinking", Some(json!({ "type": switch })));
            set(body, "reasoning_effort", on.then_some(name));
        }
        Thinking::Template => {
            let variables = json!({ "enable_thinking": on, "reasoning_effort": name });
            set(body, "chat_template_kwargs", Some(variables));
        }
    }
}

pub(super) fn take(gathered: &mut PartialReply, value: &Value) -> Result<(), Value> {
    let choice = each(value, "choices").find(|choice| number_at(choice, "index").unwrap_or(0) == 0);
    // The error of a choice is told like one of the whole.
    if let Some(choice) = choice.filter(|choice| present(choice.get("error")).is_some()) {
        return Err(choice.clone());
    }
    if let Some(model) = text_at(value, "model") {
        gathered.model = Some(model.to_owned());
    }
    let usage =
        present(value.get("usage")).or_else(|| value.get("x_groq").and_then(|groq| groq.get("usage")));
    if let Some(usage) = usage {
        read_usage(gathered, usage);
    }
    let Some(choice) = choice else { return Ok(()) };
    gathered.any = true;
    if let Some(finish) = text_at(choice, "finish_reason") {
        // Routers end so where their own provider broke off.
        if matches!(finish, "error" | "network_error") {
            return Err(choice.clone());
        }
        gathered.blocked |= finish == "content_filter";
        gathered.finish = Some(finish.to_owned());
    }
    let Some(said) = present(choice.get("delta")).or_else(|| choice.get("message")) else {
        return Ok(());
    };
    let reasoning = ["reasoning_content", "reasoning"]
        .iter()
        .find_map(|key| text_at(said, key));
    match reasoning {
        Some(text) => gathered.reasoning.push_str(text),
        None => add_parts(
            said.get("reasoning_details"),
            &mut String::new(),
            &mut gathered.reasoning,
        ),
    }
    if let Some(refusal) = text_at(said, "refusal") {
        gathered.refusal.push_str(refusal);
    }
    match said.get("content") {
        Some(Value::String(text)) => gathered.text.push_str(text),
        parts => add_parts(parts, &mut gathered.text, &mut gathered.reasoning),
    }
    Ok(())
}

fn read_usage(gathered: &mut PartialReply, usage: &Value) {
    let tokens = |key| number_at(usage, key);
    let (Some(input), Some(output)) = (tokens("prompt_tokens"), tokens("completion_tokens")) else {
        return;
    };
    let detail = |of: &str, key: &str| usage.get(of).and_then(|details| number_at(details, key));
    gathered.thought = detail("completion_tokens_details", "reasoning_tokens");
    // DeepSeek tells it under a name of its own.
    gathered.cached =
        detail("prompt_tokens_details", "cached_tokens").or_else(|| tokens("prompt_cache_hit_tokens"));
    gathered.cost = usage.get("cost").and_then(Value::as_f64);
    let thought = gathered.thought.unwrap_or(0);
    // Some count the thoughts beside the answer; the total tells.
    let beside = tokens("total_tokens") == Some(input.saturating_add(output).saturating_add(thought));
    gathered.input = Some(input);
    gathered.output = Some(if beside {
        output.saturating_add(thought)
    } else {
        output
    });
}

/// Content as a list of parts: `text` parts to the text, `thinking` and `reasoning` parts aside,
/// all others (pictures, calls) left out.
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
