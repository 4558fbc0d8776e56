//! `ai_model_config` of an agent, in the format of the published program: provider, model, sampling and stop
//! texts. As lenient as that program; values that it ignores silently cause a warning.

use crate::procedures::spec::config_reader::ConfigReader;
use serde_json::Value;

/// Default provider and model.
const FALLBACK: (&str, &str) = ("groq", "llama-3.1-8b-instant");
/// Default sampling temperature.
pub const TEMPERATURE: f64 = 0.2;

/// Model and sampling settings of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    pub model: String,
    pub base_url: &'static str,
    /// 0 to 2.
    pub temperature: f64,
    /// Maximum length of an answer, in tokens.
    pub max_tokens: Option<u32>,
    /// Nucleus sampling: probability mass, 0 to 1.
    pub top_p: Option<f64>,
    /// Texts that end a contribution; `None`: the discussion's.
    pub stop: Option<Vec<String>>,
}

/// Reads `ai_model_config` of an agent. An object without provider and model is ignored.
#[must_use]
pub fn read(agent: &ConfigReader) -> ModelConfig {
    const KEY: &str = "ai_model_config";
    let value = agent.value(KEY);
    let object = value.and_then(Value::as_object);
    let text = |key: &str| {
        let text = object?.get(key)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    };
    let own = text("provider").zip(text("model"));
    if value.is_some() && own.is_none() {
        let (provider, model) = FALLBACK;
        let values = vec![("model", model.into()), ("provider", provider.into())];
        agent.warn(KEY, "config_of_nobody", values);
    }
    let (provider, model) = own.unwrap_or(FALLBACK);
    let base_url = match provider.to_ascii_lowercase().as_str() {
        "groq" => "https://api.groq.com/openai/v1",
        "openai" => "https://api.openai.com/v1",
        _ => {
            let values = vec![("provider", format!("{provider:?}").into())];
            agent.fault(KEY, "config_of_others", values);
            ""
        }
    };
    let object = object.filter(|_| own.is_some());
    let number = |keys: &[&str]| {
        let value = keys.iter().find_map(|key| object?.get(*key))?;
        let number = match value {
            Value::String(text) => text.trim().parse::<f64>().ok(),
            other => other.as_f64(),
        };
        let number = number.filter(|number: &f64| number.is_finite());
        if number.is_none() {
            agent.warn(KEY, "config_no_number", vec![("key", keys[0].into())]);
        }
        number
    };
    let within = |keys: &[&str], low: f64, high: f64| {
        let number = number(keys)?;
        if !(low..=high).contains(&number) {
            let values = vec![("key", keys[0].into()), ("min", low.into()), ("max", high.into())];
            agent.fault(KEY, "config_number", values);
        }
        Some(number)
    };
    ModelConfig {
        model: model.to_owned(),
        base_url,
        temperature: within(&["temperature"], 0.0, 2.0).unwrap_or(TEMPERATURE),
        max_tokens: within(&["maxTokens", "max_tokens"], 1.0, 1_000_000.0).map(|tokens| tokens as u32),
        top_p: within(&["topP", "top_p"], 0.0, 1.0),
        stop: object.and_then(|object| stops(object.get("stop")?)),
    }
}

/// Returns stop texts from a text or a list without empty ones; `None` if none are left. Items of a list are
/// trimmed unless they consist of whitespace with a line break.
#[must_use]
pub fn stops(value: &Value) -> Option<Vec<String>> {
    let stops: Vec<String> = match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_str)
            .map(|text| match text.trim() {
                "" if text.contains('\n') => text.to_owned(),
                trimmed => trimmed.to_owned(),
            })
            .collect(),
        _ => Vec::new(),
    };
    let stops: Vec<String> = stops.into_iter().filter(|stop| !stop.is_empty()).collect();
    (!stops.is_empty()).then_some(stops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedures::discussion::settings::SPEC;
    use crate::procedures::spec::config_reader::checked;
    use serde_json::json;

    fn of(config: &Value) -> (ModelConfig, usize, usize) {
        let config = json!({ "agents": [{ "name": "A", "ai_model_config": config }] });
        let mut found = None;
        let result = checked(&config, SPEC.settings, |top| {
            found = top.list("agents").first().map(read);
        });
        let (faults, warnings) = match result {
            Ok(checked) => (0, checked.warnings.len()),
            Err(error) => (error.0.len(), 0),
        };
        (found.unwrap(), faults, warnings)
    }

    #[test]
    fn a_complete_configuration_is_read() {
        let (read, faults, warnings) = of(&json!({
            "provider": " Groq ", "model": " m ", "temperature": " 0.5 ", "max_tokens": 40, "topP": "0.9",
            "stop": ["\n\n", " END ", "", 7],
        }));
        let expected = ModelConfig {
            model: "m".to_owned(),
            base_url: "https://api.groq.com/openai/v1",
            temperature: 0.5,
            max_tokens: Some(40),
            top_p: Some(0.9),
            stop: Some(vec!["\n\n".to_owned(), "END".to_owned()]),
        };
        assert_eq!((read, faults, warnings), (expected, 0, 0));
    }

    #[test]
    fn invalid_values_are_reported() {
        let counts = |config: Value| {
            let (_, faults, warnings) = of(&config);
            (faults, warnings)
        };
        assert_eq!(counts(Value::Null), (0, 0));
        assert_eq!(counts(json!({ "model": "m" })), (0, 1));
        assert_eq!(counts(json!([1])), (0, 1));
        assert_eq!(counts(json!({ "provider": "mistral", "model": "m" })), (1, 0));
        let own = |key: &str, value: Value| json!({ "provider": "groq", "model": "m", key: value });
        assert_eq!(counts(own("temperature", json!("hot"))), (0, 1));
        assert_eq!(counts(own("temperature", json!(3))), (1, 0));
        assert_eq!(counts(own("maxTokens", json!(0))), (1, 0));
        assert_eq!(of(&own("stop", json!(""))).0.stop, None);
    }
}
