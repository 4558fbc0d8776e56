//! Lists of the models that a provider offers: their addresses and formats.

use super::address::{self, AddressError};
use super::wire;
use crate::seat::provider::Provider;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// The value for a seat's `model`.
    pub id: String,
    /// Display name, if the provider has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Maximum tokens of prompt and answer together, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
}

/// Returns the address of the list.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub fn url(provider: Provider, base_url: &str) -> Result<String, AddressError> {
    wire::models_url(provider, base_url)
}

/// Returns the address for checking a key with a provider whose list of models is public.
#[must_use]
pub fn key_url(provider: Provider, base_url: &str) -> Option<String> {
    let is_list_public = provider == Provider::OpenRouter;
    let url = is_list_public.then(|| address::endpoint(base_url, &["/chat/completions"], "", "/key"))?;
    url.ok()
}

/// Returns the models in a list, sorted by id, without those marked as unable to chat. Returns `None` if the
/// body is no list.
#[must_use]
pub fn read(body: &str) -> Option<Vec<Model>> {
    let value: Value = serde_json::from_str(body.trim()).ok()?;
    let list = [Some(&value), value.get("data"), value.get("models")];
    let list = list.into_iter().flatten().find_map(Value::as_array)?;
    let mut models: Vec<Model> = list
        .iter()
        .filter(|model| can_chat(model))
        .filter_map(parse_model)
        .collect();
    models.sort_by(|one, two| one.id.cmp(&two.id));
    models.dedup_by(|one, two| one.id == two.id);
    Some(models)
}

fn parse_model(value: &Value) -> Option<Model> {
    let text = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let id = text("id").or_else(|| text("name"))?;
    let id = id.strip_prefix("models/").unwrap_or(id);
    let name = ["display_name", "displayName", "name"]
        .iter()
        .find_map(|key| text(key));
    const CONTEXT: [&str; 6] = [
        "context_length",
        "context_window",
        "max_context_length",
        "max_model_len",
        "inputTokenLimit",
        "max_input_tokens",
    ];
    let number = |key: &&str| {
        value
            .get(*key)
            .and_then(Value::as_u64)
            .filter(|number| *number > 0)
    };
    Some(Model {
        id: id.to_owned(),
        name: name
            .filter(|name| *name != id && !name.starts_with("models/"))
            .map(str::to_owned),
        context: CONTEXT
            .iter()
            .find_map(number)
            .or_else(|| value.get("meta")?.get("n_ctx_train")?.as_u64()),
    })
}

/// Returns whether the entry does not exclude chat.
fn can_chat(value: &Value) -> bool {
    let methods = value.get("supportedGenerationMethods").and_then(Value::as_array);
    let generates = methods.is_none_or(|list| list.iter().any(|method| method == "generateContent"));
    let abilities = value
        .get("capabilities")
        .and_then(|abilities| abilities.get("completion_chat"));
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let other_kinds = [
        "embedding",
        "embeddings",
        "image",
        "audio",
        "moderation",
        "rerank",
        "transcribe",
        "video",
    ];
    generates && abilities.and_then(Value::as_bool) != Some(false) && !other_kinds.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(body: &str) -> Vec<(String, Option<String>, Option<u64>)> {
        let models = read(body).unwrap();
        models
            .into_iter()
            .map(|model| (model.id, model.name, model.context))
            .collect()
    }

    #[test]
    fn list_formats() {
        let model = |id: &str, name: Option<&str>, context| (id.to_owned(), name.map(str::to_owned), context);
        for (body, expected) in [
            (
                r#"{"object":"list","data":[{"id":"m-2","object":"model"},{"id":"m-1"},{"id":"m-1"}]}"#,
                vec![model("m-1", None, None), model("m-2", None, None)],
            ),
            (
                r#"{"data":[{"type":"model","id":"c-1","display_name":"C One"}],"has_more":false}"#,
                vec![model("c-1", Some("C One"), None)],
            ),
            (
                r#"{"models":[{"name":"models/g-1","displayName":"G One","inputTokenLimit":9,"supportedGenerationMethods":["generateContent"]},
                    {"name":"models/e-1","supportedGenerationMethods":["embedContent"]}]}"#,
                vec![model("g-1", Some("G One"), Some(9))],
            ),
            (
                r#"[{"id":"a/b","type":"chat","display_name":"B","context_length":7},{"id":"a/e","type":"embedding"}]"#,
                vec![model("a/b", Some("B"), Some(7))],
            ),
            (
                r#"{"data":[{"id":"x","name":"X","context_length":5},{"id":"o","capabilities":{"completion_chat":false}}]}"#,
                vec![model("x", Some("X"), Some(5))],
            ),
            (
                r#"{"models":[{"name":"l:1b","model":"l:1b","details":{}}]}"#,
                vec![model("l:1b", None, None)],
            ),
            (
                r#"{"object":"list","models":[{"name":"f.gguf"}],"data":[{"id":"f.gguf","meta":{"n_ctx_train":3}}]}"#,
                vec![model("f.gguf", None, Some(3))],
            ),
            (r#"{"data":[null,7,{}]}"#, vec![]),
        ] {
            assert_eq!(ids(body), expected, "{body}");
        }
        for body in ["", "{}", "<html>", "{\"data\":7}", "\"x\""] {
            assert_eq!(read(body), None, "{body}");
        }
    }

    #[test]
    fn list_addresses() {
        for (provider, base, expected) in [
            (Provider::OpenAi, "", "https://api.openai.com/v1/models"),
            (Provider::OpenAiResponses, "", "https://api.openai.com/v1/models"),
            (
                Provider::Anthropic,
                "",
                "https://api.anthropic.com/v1/models?limit=1000",
            ),
            (
                Provider::Gemini,
                "",
                "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
            ),
            (Provider::Groq, "", "https://api.groq.com/openai/v1/models"),
            (Provider::DeepSeek, "", "https://api.deepseek.com/models"),
            (
                Provider::Ollama,
                "http://localhost:11434/v1/",
                "http://localhost:11434/api/tags",
            ),
            (
                Provider::Compatible,
                "http://h.example/v1/chat/completions",
                "http://h.example/v1/models",
            ),
        ] {
            let base = if base.is_empty() {
                provider.base_url()
            } else {
                base
            };
            assert_eq!(url(provider, base).as_deref(), Ok(expected));
        }
    }
}
