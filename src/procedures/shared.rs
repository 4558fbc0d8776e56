//! Reads the parts of a configuration that all procedures share: seats, prompts, prices and limits. Their
//! settings are defined in [`super::spec::common`]; each procedure declares its own in its `settings.rs`.

use super::answers::Answers;
use super::names::Names;
use super::spec::common::{ANSWERS, KINDS, ON_FAILURE};
use super::spec::config_reader::ConfigReader;
use super::spec::declare::SettingValue;
use super::spec::fault::FaultValue;
use crate::core::ask::Millis;
use crate::core::limits::{Limits, is_at, is_local, origin};
use crate::core::prices::{self, Price, Prices};
use crate::language::prompts::Declared;
use crate::language::template::{self, FaultKind};
use crate::language::words::Texts;
use crate::language::{self, Language};
use crate::seat::provider::{Effort, Provider};
use crate::seat::{Fallback, READER, ReplaySource, Seat, SeatKind};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Custom prompts by language and key.
pub(super) type Prompts = BTreeMap<String, BTreeMap<String, String>>;

/// A procedure's default model and endpoint for seats without a model.
pub(super) struct ModelDefault<'a> {
    pub(super) model: &'a str,
    pub(super) base_url: &'a str,
    /// Whether the configuration names the default, so that such a seat is a model.
    pub(super) is_configured: bool,
}

/// Reads a seat from its entry in `agents`. `names` holds the names taken so far.
pub(super) fn seat(
    agent: &ConfigReader,
    names: &mut Names,
    language: Language,
    own: Option<&ModelDefault>,
) -> Seat {
    let name = agent.text("name");
    if let Err((code, values)) = names.take(name)
        && !name.is_empty()
    {
        agent.fault("name", code, values);
    }
    let (model, others) = models(agent);
    let otherwise = if model.is_some() || own.is_some_and(|own| own.is_configured) {
        SeatKind::Model
    } else {
        SeatKind::Scripted
    };
    let kind = agent.maybe_one_of("kind", &KINDS).unwrap_or(otherwise);
    let provider = agent.maybe_one_of("provider", &Provider::ALL);
    let is_model = kind == SeatKind::Model;
    let (model, base_url) = match own {
        Some(own) if is_model && model.is_none() && provider.is_none() => {
            if !own.is_configured {
                agent.warn("model", "usual_model", vec![("model", own.model.into())]);
            }
            let base_url = agent.maybe_text("base_url").unwrap_or(own.base_url);
            (Some(own.model.to_owned()), Some(base_url.to_owned()))
        }
        _ => endpoint(agent, kind, model, provider),
    };
    let mut fallback = fallback(agent);
    for other in others.into_iter().filter(|_| is_model) {
        let (other, base_url) = endpoint(agent, kind, Some(other), provider);
        if let (Some(model), Some(base_url)) = (other, base_url) {
            fallback.push(Fallback {
                model,
                base_url,
                provider,
            });
        }
    }
    let has_temperature = agent.has("temperature") || is_model;
    Seat {
        name: name.to_owned(),
        kind,
        language: agent
            .maybe_one_of("language", &Language::SEAT_NAMES)
            .unwrap_or(language),
        personality: agent.text("personality").to_owned(),
        model,
        base_url,
        temperature: agent.maybe_number("temperature").filter(|_| has_temperature),
        provider: provider.filter(|_| is_model),
        seed: agent.maybe_whole("seed").filter(|_| is_model),
        reasoning_effort: agent
            .maybe_one_of("reasoning_effort", &Effort::ALL)
            .filter(|_| is_model),
        fallback,
        plays: plays(agent, kind),
    }
}

/// Reads the reading model from the `reader` object.
pub(super) fn reading_model(named: &ConfigReader, language: Language) -> Seat {
    let provider = named.maybe_one_of("provider", &Provider::ALL);
    let (model, base_url) = endpoint(named, SeatKind::Model, named.maybe_text("model"), provider);
    Seat {
        provider,
        temperature: named.maybe_number("temperature"),
        ..Seat::new(READER, SeatKind::Model, language, model, base_url)
    }
}

/// Reads the reading model from the published program's settings. Returns `None` if the provider of the model
/// is unknown.
pub(super) fn utility_model(top: &ConfigReader, language: Language) -> Option<Seat> {
    let named = match top.value("utility_agent_model")? {
        Value::Array(list) => list.first()?,
        one => one,
    };
    let (model, base_url) = routed(named.as_str()?)?;
    Some(Seat {
        temperature: top.maybe_number("utility_agent_temperature"),
        ..Seat::new(
            READER,
            SeatKind::Model,
            language,
            Some(model),
            Some(base_url.to_owned()),
        )
    })
}

/// Returns the model of a seat and the further ones of a list, which some published files use.
fn models<'a>(agent: &ConfigReader<'a>) -> (Option<&'a str>, Vec<&'a str>) {
    let Some(list) = agent.value("model").and_then(Value::as_array) else {
        return (agent.maybe_text("model"), Vec::new());
    };
    let mut names = list.iter().filter_map(Value::as_str);
    let first = names.next();
    let others: Vec<&str> = names.collect();
    if first.is_none() {
        agent.fault("model", "empty", vec![]);
    } else if !others.is_empty() {
        agent.warn("model", "models", vec![]);
    }
    (first, others)
}

/// Reads the fallback models in order; each has the keys of a seat's own model.
fn fallback(agent: &ConfigReader) -> Vec<Fallback> {
    let mut models = Vec::new();
    for one in agent.list("fallback") {
        let provider = one.maybe_one_of("provider", &Provider::ALL);
        let (model, base_url) = endpoint(&one, SeatKind::Model, Some(one.text("model")), provider);
        if let (Some(model), Some(base_url)) = (model, base_url) {
            models.push(Fallback {
                model,
                base_url,
                provider,
            });
        }
    }
    models
}

/// Reads the session and seat that a `recorded` seat plays back.
fn plays(agent: &ConfigReader, kind: SeatKind) -> Option<ReplaySource> {
    let plays = agent.object("plays");
    if kind != SeatKind::Recorded {
        if agent.has("plays") {
            agent.warn("plays", "plays_nobody", vec![]);
        }
        return None;
    }
    if !agent.has("plays") {
        agent.fault("plays", "plays_what", vec![]);
        return None;
    }
    Some(ReplaySource {
        session: plays.text("session").to_owned(),
        seat: plays.maybe_text("seat").map(str::to_owned),
    })
}

/// Reads `limits`, and compares them with the models of the seats.
pub(super) fn limits<'s>(top: &ConfigReader, seats: impl IntoIterator<Item = &'s Seat>) -> Limits {
    let limits = top.object("limits");
    let by_place = |name: &str| {
        let count = |(place, value, _): (&str, &Value, ConfigReader)| {
            let count = value.as_f64().map(|count| count as u32)?;
            Some((place.to_owned(), count))
        };
        limits.entries(name).into_iter().filter_map(count).collect()
    };
    let limits = Limits {
        max_calls: limits.maybe_whole("max_calls").map(u64::from),
        max_tokens: limits.maybe_whole("max_tokens").map(u64::from),
        max_cost: limits.maybe_number("max_cost"),
        prices: prices(top),
        calls_at_once: by_place("calls_at_once"),
        calls_per_minute: by_place("calls_per_minute"),
        retry_for: Millis::from(limits.whole("retry_for")) * 1_000,
        on_failure: limits.one_of("on_failure", &ON_FAILURE),
    };
    check_limits(top, &limits, seats);
    limits
}

/// Returns the maximum length of an answer, in tokens.
pub(super) fn max_answer_tokens(top: &ConfigReader) -> u32 {
    top.object("limits").whole("max_answer_tokens")
}

impl SettingValue for Answers {
    fn read(from: &ConfigReader, name: &str) -> Self {
        match from.one_of(name, &ANSWERS) {
            Self::Structured if !from.has(name) => Self::Usual,
            answers => answers,
        }
    }
}

/// Reads `prices`: prices for a million tokens by model, with currency and date.
fn prices(top: &ConfigReader) -> Prices {
    let table = top.object("prices");
    if !table.is_given() {
        return Prices::default();
    }
    let (currency, date) = (table.text("currency"), table.text("date"));
    let is_code = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    if !(is_code || currency.is_empty()) {
        table.fault("currency", "currency", vec![]);
    }
    if !date.is_empty() && !is_date(date) {
        table.fault("date", "date", vec![]);
    }
    let price = |(name, _, row): (&str, &Value, ConfigReader)| {
        let price = Price {
            input: row.maybe_number("input")?,
            output: row.maybe_number("output")?,
            cached: row.maybe_number("cached"),
        };
        Some((name.to_owned(), price))
    };
    Prices {
        currency: currency.to_owned(),
        date: date.to_owned(),
        models: table.entries("models").into_iter().filter_map(price).collect(),
    }
}

/// Returns whether a text has the form `YYYY-MM-DD`, with month and day in range.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| digits)
    };
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}

/// Compares limits with the models: warns about limits of hosts that no model is at, and reports models without a
/// price if the run has a spending limit.
fn check_limits<'s>(top: &ConfigReader, limits: &Limits, seats: impl IntoIterator<Item = &'s Seat>) {
    let models: Vec<_> = seats
        .into_iter()
        .flat_map(|seat| seat.models().map(move |model| (seat, model)))
        .collect();
    let object = top.object("limits");
    for (name, places) in [
        ("calls_at_once", &limits.calls_at_once),
        ("calls_per_minute", &limits.calls_per_minute),
    ] {
        for place in places.keys() {
            if models.iter().any(|(_, (_, base_url, _))| is_at(place, base_url)) {
                continue;
            }
            let host = |url| origin(url).rsplit("://").next().unwrap_or_default();
            let hosts: BTreeSet<&str> = models
                .iter()
                .map(|(_, (_, base_url, _))| host(base_url))
                .collect();
            let hosts: Vec<&str> = hosts.into_iter().collect();
            let (code, values) = match hosts.as_slice() {
                [] => ("no_host", vec![]),
                hosts => ("other_host", vec![("hosts", hosts.join(", ").into())]),
            };
            object.warn(&format!("{name}.{place}"), code, values);
        }
    }
    if limits.max_cost.is_none() {
        return;
    }
    for (seat, (named, base_url, model)) in models {
        let provider = prices::provider(named, base_url);
        if is_local(base_url) || limits.prices.find(provider, model).is_some() {
            continue;
        }
        let key = prices::key(provider, model);
        let values = vec![
            ("model", format!("{model:?}").into()),
            ("name", (&seat.name).into()),
            ("key", format!("{key:?}").into()),
        ];
        top.object("limits").fault("max_cost", "price", values);
    }
}

/// Reads custom prompts and texts by language and key.
pub(super) fn prompts(top: &ConfigReader, texts: &Texts, prompts: &language::prompts::Prompts) -> Prompts {
    let object = top.object("prompts");
    let mut all = BTreeMap::new();
    for code in Language::CODES {
        let mut own = BTreeMap::new();
        for (key, text, _) in object.entries(code) {
            let Some(text) = text.as_str() else { continue };
            let path = format!("{code}.{key}");
            let declared = prompts.get(key).map(Declared::names);
            let Some(variables) = declared.or_else(|| texts.variables(key)) else {
                let names: Vec<_> = prompts.declared.iter().map(|prompt| prompt.name).collect();
                object.fault(&path, "wording_unknown", vec![("words", names.join(", ").into())]);
                continue;
            };
            let faults = template::faults(text, &variables);
            for fault in &faults {
                let mut values = vec![("line", fault.line.into()), ("found", fault.found.into())];
                let code = match fault.kind {
                    FaultKind::Malformed => "wording_brace",
                    FaultKind::UnknownVariable => {
                        let all = match variables.is_empty() {
                            true => FaultValue::Word("nothing"),
                            false => variables.join(", ").into(),
                        };
                        values.push(("words", all));
                        "wording"
                    }
                };
                object.fault(&path, code, values);
            }
            if faults.is_empty() {
                own.insert(key.to_owned(), text.to_owned());
            }
        }
        if !own.is_empty() {
            all.insert(code.to_owned(), own);
        }
    }
    all
}

/// Returns the model name and base URL of a seat: those of its provider if named, else by the published
/// routing of model names. A custom seat with a program has `program/model` as its model.
fn endpoint(
    agent: &ConfigReader,
    kind: SeatKind,
    model: Option<&str>,
    provider: Option<Provider>,
) -> (Option<String>, Option<String>) {
    if kind == SeatKind::Custom {
        let program = agent.maybe_text("program");
        let named = program.map(|program| [Some(program), model].into_iter().flatten().collect::<Vec<_>>());
        return (named.map(|names| names.join("/")), None);
    }
    if kind != SeatKind::Model {
        return (None, None);
    }
    let given = agent.maybe_text("base_url");
    if let Some(provider) = provider {
        if model.is_none() {
            agent.fault("model", "which_model", vec![("provider", provider.id().into())]);
        }
        let url = given.unwrap_or(provider.base_url());
        if url.is_empty() {
            agent.fault("base_url", "no_address", vec![("provider", provider.id().into())]);
        }
        return (model.map(str::to_owned), Some(url.to_owned()));
    }
    let model = model.or(agent.maybe_word("model")).unwrap_or_default();
    if let Some(url) = given {
        return (Some(model.to_owned()), Some(url.to_owned()));
    }
    let Some((name, url)) = routed(model) else {
        // An invalid provider is reported by itself.
        if !agent.has("provider") {
            let values = vec![("model", format!("{model:?}").into())];
            agent.fault("base_url", "whose_model", values);
        }
        return (Some(model.to_owned()), None);
    };
    (Some(name), Some(url.to_owned()))
}

/// Returns a model's name at its provider and the base URL, by the published routing of model names.
fn routed(model: &str) -> Option<(String, &'static str)> {
    Some(if let Some(local) = model.strip_prefix("ollama/") {
        (local.to_owned(), "http://127.0.0.1:11434/v1")
    } else if model.contains("gemini") {
        let name = model.rsplit('/').next().unwrap_or(model);
        let url = "https://generativelanguage.googleapis.com/v1beta/openai";
        (name.to_owned(), url)
    } else if model.contains('/') {
        (model.to_owned(), "https://openrouter.ai/api/v1")
    } else if model.starts_with("gemma") {
        (format!("google/{model}"), "https://openrouter.ai/api/v1")
    } else if ["gpt", "o1", "o3"].iter().any(|start| model.starts_with(start)) {
        (model.to_owned(), "https://api.openai.com/v1")
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use crate::procedures::check;
    use serde_json::json;

    #[test]
    fn a_misplaced_key_is_rejected_without_repeating_it() {
        let key = "sk-canary-0123456789abcdef";
        let seat = |name: &str| json!({ "name": name, "personality": "-", "kind": "model", "model": "m", "provider": "groq" });
        let plain = json!({ "title": "A run", "agents": [seat("Ann"), seat("Bob")] });
        assert!(check(&plain).is_ok());
        for path in [
            "/title",
            "/agents/0/name",
            "/agents/0/model",
            "/agents/0/base_url",
        ] {
            let mut config = plain.clone();
            config["agents"][0]["base_url"] = json!("https://api.example.org/v1");
            let value = if path.ends_with("url") {
                format!("https://api.example.org/{key}")
            } else {
                key.to_owned()
            };
            *config.pointer_mut(path).unwrap() = value.into();
            let message = check(&config).unwrap_err().to_string();
            assert!(message.contains("keys are entered apart"), "{path}: {message}");
            assert!(!message.contains("canary"), "{path}: {message}");
        }
    }

    #[test]
    fn a_key_in_an_address_is_rejected_without_repeating_it() {
        for url in [
            "https://me:canary@api.example.org/v1",
            "https://api.example.org/v1?api_key=canary",
            "https://api.example.org/v1?KEY=canary",
        ] {
            let seat = |name: &str| json!({ "name": name, "personality": "-", "kind": "model", "model": "m", "base_url": url });
            let error = check(&json!({ "agents": [seat("Ann"), seat("Bob")] })).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("holds a key or a password"), "{message}");
            assert!(!message.to_lowercase().contains("canary"), "{message}");
        }
        let seat = |name: &str| json!({ "name": name, "personality": "-", "kind": "model", "model": "m", "base_url": "ftp://x" });
        let error = check(&json!({ "agents": [seat("Ann"), seat("Bob")] })).unwrap_err();
        assert!(error.to_string().contains("\"ftp://x\""), "{error}");
    }

    #[test]
    fn a_value_of_another_type_is_one_fault() {
        let bases = [
            json!({ "agents": [{ "name": "A", "personality": "p" }, { "name": "B", "personality": "p" }] }),
            json!({ "protocol": "discussion", "topic": "x", "agents": [{ "name": "A" }, { "name": "B" }] }),
            json!({ "protocol": "debate", "question": "q", "agents": [{ "name": "A" }, { "name": "B" }] }),
            json!({ "protocol": "delphi", "question": "q", "agents": [{ "name": "A" }, { "name": "B" }] }),
        ];
        for base in bases {
            for (path, value) in [
                ("/agents/0/name", json!(1)),
                ("/agents/1/name", json!(true)),
                ("/agents", json!("x")),
                ("/agents/0", json!("x")),
            ] {
                let mut config = base.clone();
                *config.pointer_mut(path).unwrap() = value;
                let faults = check(&config).unwrap_err().0;
                assert_eq!(faults.len(), 1, "{path} of {base}: {faults:?}");
            }
            for name in ["provider", "model", "base_url"] {
                let mut config = base.clone();
                let seat = &mut config["agents"][0];
                seat["kind"] = json!("model");
                seat["model"] = json!("m");
                seat["provider"] = json!("groq");
                if name == "base_url" {
                    seat.as_object_mut().unwrap().remove("provider");
                }
                seat[name] = json!(1);
                let faults = check(&config).unwrap_err().0;
                assert_eq!(faults.len(), 1, "{name} of {base}: {faults:?}");
            }
            // Two mistakes are two faults.
            let mut config = base.clone();
            config["agents"][0]["name"] = json!(1);
            config["agents"][1]["name"] = json!(2);
            assert_eq!(check(&config).unwrap_err().0.len(), 2, "{base}");
        }
    }
}
