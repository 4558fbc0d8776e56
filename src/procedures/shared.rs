//! Parts of a configuration that every protocol has: who sits at the table, own wordings, limits of
//! the run. What a protocol adds stands in its own `config.rs`.

use super::answers::Answers;
use super::config::Reader;
use crate::core::limits::{Limits, is_local};
use crate::core::prices::{self, Price, Prices};
use crate::language::Language;
use crate::language::words::Texts;
use crate::seat::provider::{Effort, Provider};
use crate::seat::{Fallback, Plays, Seat, SeatKind};
use crate::sorted::SortedMap;
use std::collections::BTreeSet;

/// Models in a list `fallback` at most.
const MOST_FALLBACKS: usize = 5;

/// What people call a run, and the condition of a study that it belongs to: labels, without effect on it.
pub(super) fn labels(top: &Reader) {
    top.maybe_text("title");
    top.maybe_text("condition");
}

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
        max_cost: max_cost(&limits),
        prices: prices(top),
        calls_at_once: by_origin(&limits, "calls_at_once"),
        calls_per_minute: by_origin(&limits, "calls_per_minute"),
    };
    let answer = limits.whole(&["max_answer_tokens"], 2_000, 1..=1_000_000);
    limits.finish();
    (whole, answer)
}

/// `answers`: in which form models and programs are asked to answer.
pub(super) fn answers(top: &Reader) -> Answers {
    let names = [("free", Answers::Free), ("structured", Answers::Structured)];
    top.one_of("answers", &names, Answers::Free)
}

/// Money at most, in the currency of the prices.
fn max_cost(limits: &Reader) -> Option<f64> {
    let cost = limits.maybe_number(&["max_cost"], 0.0..=1e6);
    if cost == Some(0.0) {
        limits.fault("max_cost", "is 0, must be more; leave it out for no cap");
    }
    cost
}

/// `prices`: what a million tokens of a model cost, with currency and date.
fn prices(top: &Reader) -> Prices {
    let table = top.object("prices");
    if !table.is_given() {
        return Prices::default();
    }
    let currency = table.text("currency");
    let is_code = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    if !(is_code || currency.is_empty()) {
        table.fault("currency", "must be three capital letters, such as USD");
    }
    let date = table.text("date");
    if !date.is_empty() && !is_date(date) {
        table.fault("date", "must be a day, such as 2026-11-22");
    }
    table.maybe_text("note");
    let models = table.object("models");
    let mut rows = SortedMap::new();
    for (name, value) in models.free().into_iter().flatten() {
        let row = models.entry(name);
        let known = |key: &'static str| {
            if row.is_given() && row.value(key).is_none() {
                row.fault(key, "is missing: what a million tokens cost");
            }
            row.maybe_number(&[key], 0.0..=1e6)
        };
        let (input, output) = (known("input"), known("output"));
        let cached = row.maybe_number(&["cached"], 0.0..=1e6);
        if let Some((input, output)) = input.zip(output) {
            let price = Price {
                input,
                output,
                cached,
            };
            rows.insert(name.clone(), price);
        } else if value.is_null() {
            models.fault(name, "must be an object with input and output");
        }
        row.finish();
    }
    table.finish();
    Prices {
        currency: currency.to_owned(),
        date: date.to_owned(),
        models: rows,
    }
}

/// Whether a text has the form of a day that there is.
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

/// A cap on money can only be kept where every model has a price.
pub(super) fn priced<'s>(top: &Reader, limits: &Limits, seats: impl IntoIterator<Item = &'s Seat>) {
    if limits.max_cost.is_none() {
        return;
    }
    let models = seats
        .into_iter()
        .flat_map(|seat| seat.models().map(move |model| (seat, model)));
    for (seat, (named, base_url, model)) in models {
        let provider = prices::provider(named, base_url);
        if is_local(base_url) || limits.prices.find(provider, model).is_some() {
            continue;
        }
        let key = prices::key(provider, model);
        top.object("limits").fault(
            "max_cost",
            format!(
                "needs a price for {model:?} of {}: add {key:?} to prices.models, or leave max_cost out",
                seat.name
            ),
        );
    }
}

/// Own wordings by language and key.
pub(super) fn prompts(top: &Reader, known: &Texts) -> SortedMap<String, SortedMap<String, String>> {
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
            match known.check_override(key, text) {
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
            Some(count) => drop(counts.insert(crate::core::limits::origin(origin).to_owned(), count)),
            None => object.fault(origin, "must be a whole number of at least 1"),
        }
    }
    counts
}

/// Model name and base URL of a seat: those of the provider where one is named, else by the published
/// routing of names. A custom seat that names its program has `program/model` for a model.
/// What is given for a base URL goes into the record, so no key may stand in it; a fault never repeats one.
fn check_base_url(of: &Reader, given: Option<&str>) {
    let Some(url) = given else { return };
    let lower = url.to_lowercase();
    if url.contains('@')
        || ["key=", "token=", "secret="]
            .iter()
            .any(|name| lower.contains(name))
    {
        of.fault(
            "base_url",
            "holds a key or a password, must be an address alone: keys are entered apart and never stored",
        );
    } else if !is_http(url) {
        of.fault(
            "base_url",
            format!("is {url:?}, must begin with http:// or https:// and name a host"),
        );
    }
}

fn endpoint(
    agent: &Reader,
    kind: SeatKind,
    model: Option<&str>,
    provider: Option<Provider>,
) -> (Option<String>, Option<String>) {
    let given = agent.maybe_text("base_url");
    check_base_url(agent, given);
    let program = agent.maybe_text("program");
    if kind == SeatKind::Custom {
        let named = program.map(|program| [Some(program), model].into_iter().flatten().collect::<Vec<_>>());
        return (named.map(|names| names.join("/")), None);
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

#[cfg(test)]
mod tests {
    use crate::procedures::check;
    use serde_json::json;

    #[test]
    fn a_key_in_an_address_is_a_fault_that_does_not_repeat_it() {
        for url in [
            "https://me:canary@api.example.org/v1",
            "https://api.example.org/v1?api_key=canary",
            "https://api.example.org/v1?KEY=canary",
        ] {
            let seat = |name: &str| json!({ "name": name, "personality": "-", "kind": "model", "model": "m", "base_url": url });
            let error = check(&json!({ "agents": [seat("Ann"), seat("Bob")] })).unwrap_err();
            let told = error.to_string();
            assert!(told.contains("holds a key or a password"), "{told}");
            assert!(!told.to_lowercase().contains("canary"), "{told}");
        }
        let seat = |name: &str| json!({ "name": name, "personality": "-", "kind": "model", "model": "m", "base_url": "ftp://x" });
        let error = check(&json!({ "agents": [seat("Ann"), seat("Bob")] })).unwrap_err();
        assert!(error.to_string().contains("\"ftp://x\""), "{error}");
    }
}
