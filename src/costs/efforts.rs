//! Warnings about effort levels that the configured models do not accept, by the catalogue. Unknown models get none.

use crate::core::prices::provider;
use crate::procedures::{self, spec::fault::Fault};
use crate::providers::catalogue;
use serde_json::Value;

/// Returns a warning for each seat with an unsupported level, or none for an invalid configuration.
#[must_use]
pub fn efforts(config: &Value) -> Vec<Fault> {
    let seats = procedures::seats(config).unwrap_or_default();
    let agents = config.get("agents").and_then(Value::as_array);
    let warning = |(index, agent): (usize, &Value)| {
        let seat = seats
            .iter()
            .find(|seat| agent.get("name") == Some(&seat.name.as_str().into()))?;
        let effort = seat.reasoning_effort?;
        seat.models().find_map(|(named, base_url, model)| {
            let levels = catalogue::find(provider(named, base_url), model)?
                .thinking
                .levels();
            let words: Vec<&str> = levels.iter().map(|level| level.name()).collect();
            (!levels.is_empty() && !levels.contains(&effort)).then(|| Fault {
                path: format!("agents[{index}].reasoning_effort"),
                code: "effort",
                values: vec![
                    ("found", effort.name().into()),
                    ("model", model.into()),
                    ("words", words.join(", ").into()),
                ],
            })
        })
    };
    agents
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(warning)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use serde_json::json;

    #[test]
    fn unsupported_levels_are_reported() {
        let seat = |name: &str, provider: &str, model: &str, effort: &str| json!({ "name": name, "personality": "p", "provider": provider, "model": model, "reasoning_effort": effort });
        let warnings = |agents: Value| -> Vec<String> {
            let found = efforts(&json!({ "agents": agents }));
            let text = |fault: &Fault| format!("{} {}", fault.path, fault.message(Language::English));
            found.iter().map(text).collect()
        };
        assert_eq!(
            warnings(json!([
                seat("Ana", "openai", "gpt-5", "high"),
                seat("Ben", "openai", "gpt-5", "xhigh"),
                seat("Cleo", "openai_responses", "gpt-5-2025-08-07", "max"),
                seat("Dora", "anthropic", "claude-haiku-4-5-20251001", "xhigh"),
                seat("Eve", "openai", "nobody-knows-it", "max"),
                seat("Finn", "ollama", "gpt-5", "max"),
            ])),
            [
                "agents[1].reasoning_effort is xhigh, by the catalogue gpt-5 takes: minimal, low, medium, high",
                "agents[2].reasoning_effort is max, by the catalogue gpt-5-2025-08-07 takes: minimal, low, medium, high",
                "agents[3].reasoning_effort is xhigh, by the catalogue claude-haiku-4-5-20251001 takes: none, minimal, low, medium, high",
            ]
        );
        let mut falls_back = seat("Ana", "openai", "nobody-knows-it", "max");
        falls_back["fallback"] = json!([{ "provider": "openai", "model": "gpt-5" }]);
        assert_eq!(
            warnings(json!([falls_back, { "name": "Ben", "personality": "p" }])).len(),
            1
        );
        assert_eq!(warnings(json!([{ "name": 7 }])), [""; 0]);
        assert_eq!(efforts(&json!(7)), []);
    }
}
