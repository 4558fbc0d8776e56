//! Parts of a configuration that every protocol has: who sits at the table, own wordings, limits of
//! the run. What a protocol adds stands in its own `config.rs`.

use super::config::Reader;
use crate::language::{Language, words};
use crate::seat::provider::{Effort, Provider};
use crate::seat::{Fallback, Plays, Seat, SeatKind};
use crate::session::limits::Limits;
use crate::sorted::SortedMap;
use std::collections::BTreeSet;

/// Models in a list `fallback` at most.
const MOST_FALLBACKS: usize = 5;

/// The language of the run.
pub(super) fn language(top: &Reader) -> Language {
    let languages = [
        ("English", Language::English),
        ("Spanish", Language::Spanish),
        ("Mandarin", Language::Mandarin),
    ];
    top.one_of("language", &languages, Language::English)
}

/// A seat from its entry in `agents`. `names` are those taken so far, `temperature` is a model's where
/// none is given.
pub(super) fn seat<'a>(
    agent: &Reader<'a>,
    names: &mut BTreeSet<&'a str>,
    language: Language,
    temperature: f64,
    personality: impl FnOnce(&Reader<'a>) -> &'a str,
) -> Seat {
    let name = agent.text("name");
    if name.chars().count() > 60 || name.chars().any(char::is_control) {
        agent.fault("name", "must have at most 60 characters, in one line");
    }
    if !names.insert(name) && !name.is_empty() {
        agent.fault("name", format!("{name:?} is taken by another participant"));
    }
    let model = agent.maybe_text("model");
    let kinds = [
        ("scripted", SeatKind::Scripted),
        ("model", SeatKind::Model),
        ("human", SeatKind::Human),
        ("custom", SeatKind::Custom),
        ("recorded", SeatKind::Recorded),
    ];
    let otherwise = if model.is_some() {
        SeatKind::Model
    } else {
        SeatKind::Scripted
    };
    let kind = agent.one_of("kind", &kinds, otherwise);
    let own_language = agent.maybe_text("language").and_then(|name| {
        let language = Language::from_name(name);
        if language.is_none() {
            agent.fault("language", "must be one of: english, spanish, mandarin");
        }
        language
    });
    let providers: Vec<(&str, Provider)> = Provider::all().collect();
    let provider = agent.maybe_one_of("provider", &providers);
    let seed = agent.maybe_whole(&["seed"], 0..=i32::MAX as u32);
    let reasoning_effort = agent.maybe_one_of("reasoning_effort", &Effort::ALL);
    let (model, base_url) = endpoint(agent, kind, model, provider);
    let is_model = kind == SeatKind::Model;
    let fallback = fallback(agent, &providers);
    let plays = plays(agent, kind);
    Seat {
        name: name.to_owned(),
        kind,
        language: own_language.unwrap_or(language),
        personality: personality(agent).to_owned(),
        model,
        base_url,
        temperature: agent
            .maybe_number(&["temperature"], 0.0..=2.0)
            .or_else(|| (kind == SeatKind::Model).then_some(temperature)),
        provider: provider.filter(|_| is_model),
        seed: seed.filter(|_| is_model),
        reasoning_effort: reasoning_effort.filter(|_| is_model),
        fallback,
        plays,
    }
}

/// Models to ask where the first one cannot be had, in this order. Each is told like a seat's own model.
fn fallback(agent: &Reader, providers: &[(&str, Provider)]) -> Vec<Fallback> {
    let mut models = Vec::new();
    for one in agent.list("fallback").unwrap_or_default() {
        let model = one.text("model");
        let provider = one.maybe_one_of("provider", providers);
        let (model, base_url) = endpoint(&one, SeatKind::Model, Some(model), provider);
        if let (Some(model), Some(base_url)) = (model, base_url) {
            models.push(Fallback {
                model,
                base_url,
                provider,
            });
        }
        one.finish();
    }
    if models.len() > MOST_FALLBACKS {
        agent.fault("fallback", format!("has more than {MOST_FALLBACKS} models"));
    }
    models
}

/// Whose answers a seat of kind `recorded` plays back.
fn plays(agent: &Reader, kind: SeatKind) -> Option<Plays> {
    let plays = agent.object("plays");
    if kind != SeatKind::Recorded {
        if plays.is_given() {
            agent.warn(
                "plays",
                "has no effect: the kind of this participant is not recorded",
            );
        }
        return None;
    }
    if !plays.is_given() {
        agent.fault("plays", "is missing: which saved session is played back?");
        return None;
    }
    let session = plays.text("session").to_owned();
    let seat = plays.maybe_text("seat").map(str::to_owned);
    plays.finish();
    Some(Plays { session, seat })
}

/// `limits`: those of the whole run, and the length of an answer at most in tokens.
pub(super) fn limits(top: &Reader) -> (Limits, u32) {
    let limits = top.object("limits");
    let whole = Limits {
        max_calls: limits.maybe_whole(&["max_calls"], 1..=u32::MAX).map(u64::from),
        max_tokens: limits.maybe_whole(&["max_tokens"], 1..=u32::MAX).map(u64::from),
        calls_at_once: by_origin(&limits, "calls_at_once"),
        calls_per_minute: by_origin(&limits, "calls_per_minute"),
    };
    let answer = limits.whole(&["max_answer_tokens"], 2_000, 1..=1_000_000);
    limits.finish();
    (whole, answer)
}

/// Own wordings by language and key.
pub(super) fn prompts(top: &Reader) -> SortedMap<String, SortedMap<String, String>> {
    let object = top.object("prompts");
    let mut prompts = SortedMap::new();
    for code in Language::ALL.map(Language::code) {
        let texts = object.object(code);
        let mut own = SortedMap::new();
        for (key, text) in texts.free().into_iter().flatten() {
            let Some(text) = text.as_str() else {
                texts.fault(key, "must be a text");
                continue;
            };
            match words::check_override(key, text) {
                Ok(()) => drop(own.insert(key.clone(), text.to_owned())),
                Err(message) => texts.fault(key, message),
            }
        }
        if !own.is_empty() {
            prompts.insert(code.to_owned(), own);
        }
    }
    object.finish();
    prompts
}

/// Counts of calls by origin of the endpoint.
fn by_origin(limits: &Reader, key: &'static str) -> SortedMap<String, u32> {
    let object = limits.object(key);
    let mut counts = SortedMap::new();
    for (origin, count) in object.free().into_iter().flatten() {
        match count
            .as_u64()
            .and_then(|count| u32::try_from(count).ok())
            .filter(|count| *count >= 1)
        {
            Some(count) => drop(counts.insert(crate::session::limits::origin(origin).to_owned(), count)),
            None => object.fault(origin, "must be a whole number of at least 1"),
        }
    }
    counts
}

/// Model name and base URL of a seat: those of the provider where one is named, else by the published
/// routing of names.
fn endpoint(
    agent: &Reader,
    kind: SeatKind,
    model: Option<&str>,
    provider: Option<Provider>,
) -> (Option<String>, Option<String>) {
    let given = agent.maybe_text("base_url");
    if let Some(url) = given.filter(|url| !is_http(url)) {
        agent.fault(
            "base_url",
            format!("is {url:?}, must begin with http:// or https:// and name a host"),
        );
    }
    if kind != SeatKind::Model {
        return (None, None);
    }
    if let Some(provider) = provider {
        if model.is_none() {
            agent.fault("model", format!("is missing: which model of {}?", provider.id()));
        }
        let url = given.unwrap_or(provider.base_url());
        if url.is_empty() {
            agent.fault(
                "base_url",
                "is missing: the provider \"compatible\" has no address of its own",
            );
        }
        return (model.map(str::to_owned), Some(url.to_owned()));
    }
    let model = model.unwrap_or("o3-mini");
    if let Some(url) = given {
        return (Some(model.to_owned()), Some(url.to_owned()));
    }
    let (name, url) = if let Some(local) = model.strip_prefix("ollama/") {
        (local.to_owned(), "http://127.0.0.1:11434/v1")
    } else if model.contains("gemini") {
        let name = model.rsplit('/').next().unwrap_or(model);
        (
            name.to_owned(),
            "https://generativelanguage.googleapis.com/v1beta/openai",
        )
    } else if model.contains('/') {
        (model.to_owned(), "https://openrouter.ai/api/v1")
    } else if model.starts_with("gemma") {
        (format!("google/{model}"), "https://openrouter.ai/api/v1")
    } else if ["gpt", "o1", "o3"].iter().any(|start| model.starts_with(start)) {
        (model.to_owned(), "https://api.openai.com/v1")
    } else {
        agent.fault(
            "base_url",
            format!("is missing, and the name {model:?} does not tell the provider"),
        );
        return (Some(model.to_owned()), None);
    };
    (Some(name), Some(url.to_owned()))
}

pub(super) fn is_http(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        url.strip_prefix(scheme)
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
    }) && !url
        .chars()
        .any(|character| character.is_whitespace() || character == '@')
}
