//! The functions of [`super::Memory`].

use super::rows::{kind_of, open};
use super::{outbox, remember, rows, verify};
use crate::memory::gather::{Limits, gather};
use crate::memory::knowledge::{Knowledge, Level};
use crate::memory::ratings::{InDomain, RatingSummary, match_of, ratings_for, standings};
use crate::memory::receipt_text::{html, markdown};
use crate::memory::{Row, RowKind};
use crate::procedures::canonical::{canonical_json, sha256_hex};
use crate::web::input::{input, number, read_if_given, read_options};
use crate::web::readers::language;
use crate::web::{from_js, to_js};
use js_sys::{Date, Reflect};
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

pub(super) async fn remember(session: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    remember::one(&session, &options).await
}

pub(super) async fn remember_all() -> Result<JsValue, JsValue> {
    remember::all().await
}

pub(super) async fn ratings(domain: Option<String>) -> Result<JsValue, JsValue> {
    let rows = open().await?.rows(Some(RowKind::Match)).await?;
    Ok(to_js(&json!(table(&rows, domain.as_deref()))))
}

pub(super) async fn recomputed() -> Result<JsValue, JsValue> {
    let store = open().await?;
    let kept = store.rows(Some(RowKind::Match)).await?;
    let (mut anew, mut unreadable) = (Vec::new(), Vec::new());
    for id in store.ended_debates().await? {
        match store.record(&id).await {
            Ok(record) => anew.extend(match_of(&record)),
            Err(_) => unreadable.push(id),
        }
    }
    let ids_without = |rows: &[Row], others: &[Row]| -> Vec<String> {
        let is_missing = |row: &&Row| !others.iter().any(|other| other.id == row.id);
        rows.iter().filter(is_missing).map(|row| row.id.clone()).collect()
    };
    let table_anew = table(&anew, None);
    Ok(to_js(&json!({
        "same": table_anew == table(&kept, None),
        "ratings": table_anew,
        "withoutRecord": ids_without(&kept, &anew),
        "notRemembered": ids_without(&anew, &kept),
        "unreadable": unreadable,
    })))
}

pub(super) async fn receipts() -> Result<JsValue, JsValue> {
    let mut rows = open().await?.rows(Some(RowKind::Receipt)).await?;
    let issued = |row: &Row| (row.value["issued_at"].as_str().map(str::to_owned), row.id.clone());
    rows.sort_by_key(|row| std::cmp::Reverse(issued(row)));
    let receipts: Vec<Value> = rows.into_iter().map(|row| row.value).collect();
    Ok(to_js(&json!(receipts)))
}

pub(super) async fn receipt(session: String) -> Result<JsValue, JsValue> {
    let rows = open().await?.rows(Some(RowKind::Receipt)).await?;
    let own = rows
        .into_iter()
        .find(|row| row.value["debate_id"] == session.as_str());
    Ok(to_js(&json!(own.map(|row| row.value))))
}

pub(super) async fn verify_receipt(receipt: JsValue, record: JsValue) -> Result<JsValue, JsValue> {
    verify::receipt(&receipt, &record).await
}

pub(super) fn receipt_file(receipt: JsValue, format: &str, of: Option<String>) -> Result<JsValue, JsValue> {
    let receipt = from_js(&receipt)?;
    let language = language(of)?;
    let (kind, text) = match format {
        "json" => (
            "application/json",
            serde_json::to_string_pretty(&receipt).unwrap_or_default(),
        ),
        "md" => ("text/markdown", markdown(&receipt, language)),
        "html" => ("text/html", html(&receipt, language)),
        _ => return Err(input(&format!("{format:?} is not a format: json, md or html"))),
    };
    let id = receipt["receipt_id"].as_str().unwrap_or_default();
    let id: String = id
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .take(80)
        .collect();
    Ok(to_js(
        &json!({ "name": format!("receipt-{id}.{format}"), "type": kind, "text": text }),
    ))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SearchOptions {
    #[serde(deserialize_with = "number")]
    limit: Option<f64>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    kinds: JsValue,
}

pub(super) async fn search(query: String, options: JsValue) -> Result<JsValue, JsValue> {
    let options: SearchOptions = read_options("Memory.search: options", &options)?;
    let limit = options.limit.unwrap_or(10.0).min(1000.0) as usize;
    let kinds: Vec<String> =
        read_if_given("Memory.search: options.kinds", &options.kinds)?.unwrap_or_default();
    let limit_of = |kind: RowKind| {
        let is_wanted = kinds.is_empty() || kinds.iter().any(|name| name == kind.name());
        if is_wanted { limit } else { 0 }
    };
    let limits = Limits {
        knowledge: limit_of(RowKind::Knowledge),
        min_confidence: 0.0,
        debates: limit_of(RowKind::Debate),
        receipts: limit_of(RowKind::Receipt),
        receipt_tokens: usize::MAX,
        ..Limits::default()
    };
    let mut items = gather(&query, &open().await?.rows(None).await?, &limits, now());
    items.truncate(limit);
    Ok(to_js(&json!(items)))
}

pub(super) async fn items(kind: String) -> Result<JsValue, JsValue> {
    Ok(to_js(&json!(open().await?.rows(Some(kind_of(&kind)?)).await?)))
}

pub(super) async fn add(item: JsValue) -> Result<JsValue, JsValue> {
    let item = from_js(&item)?;
    let row = knowledge(&item)?;
    let store = open().await?;
    store.keep(std::slice::from_ref(&row), &[], None).await?;
    Ok(to_js(&json!(row)))
}

pub(super) async fn remove(kind: String, id: String) -> Result<(), JsValue> {
    let kind = kind_of(&kind)?;
    if kind == RowKind::Journal {
        return Err(input(
            "journal rows cannot be removed: the debate would be remembered again",
        ));
    }
    open().await?.keep(&[], &[(kind, &id)], None).await.map(drop)
}

pub(super) async fn export() -> Result<JsValue, JsValue> {
    rows::export().await
}

pub(super) async fn import(text: String) -> Result<JsValue, JsValue> {
    rows::import(&text).await
}

pub(super) async fn prepare(config: JsValue) -> Result<JsValue, JsValue> {
    let parsed = from_js(&config)?;
    if !parsed.is_object() {
        return Err(input("config must be an object"));
    }
    // A copy keeps the order of members.
    let copy = js_sys::JSON::parse(&String::from(js_sys::JSON::stringify(&config)?))?;
    let has_ratings = parsed.get("ratings").is_some_and(|ratings| !ratings.is_null());
    if parsed["protocol"] != "debate" || has_ratings {
        return Ok(copy);
    }
    let agents = parsed["agents"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names = agents
        .iter()
        .filter_map(|agent| agent["name"].as_str().map(str::trim));
    let names: Vec<&str> = names.collect();
    let domain = parsed["domain"].as_str().map(str::trim);
    let domain = domain.filter(|domain| !domain.is_empty());
    let ratings = ratings_for(&names, domain, &open().await?.rows(Some(RowKind::Match)).await?);
    if ratings.iter().next().is_some() {
        Reflect::set(&copy, &"ratings".into(), &to_js(&json!(ratings)))?;
    }
    Ok(copy)
}

pub(super) async fn outbox() -> Result<JsValue, JsValue> {
    outbox::list().await
}

pub(super) async fn queue(session: String, target: JsValue) -> Result<JsValue, JsValue> {
    outbox::queue(&session, &target).await
}

pub(super) async fn take(id: String) -> Result<JsValue, JsValue> {
    outbox::take(&id).await
}

pub(super) async fn done(id: String) -> Result<(), JsValue> {
    outbox::finish(&id, None).await
}

pub(super) async fn failed(id: String, why: Option<String>) -> Result<(), JsValue> {
    outbox::finish(&id, Some(why.unwrap_or_default())).await
}

pub(super) fn now() -> u64 {
    Date::now() as u64
}

/// Returns standings as table rows, best first.
pub(super) fn table(rows: &[Row], domain: Option<&str>) -> Vec<Value> {
    let line = |(name, standing): (String, RatingSummary)| {
        let field: Option<InDomain> = match domain {
            Some(domain) => Some(standing.domains.get(domain)?.clone()),
            None => None,
        };
        let mut line = json!(standing);
        line["name"] = name.into();
        if let Some(field) = field {
            line["elo"] = json!(field.elo);
            line["debates"] = json!(field.games);
            line["calibration"] = json!(field.calibration);
        }
        Some(line)
    };
    let mut lines: Vec<Value> = standings(rows).into_iter().filter_map(line).collect();
    let rating = |line: &Value| line["elo"].as_f64().unwrap_or_default();
    lines.sort_by(|one, other| rating(other).total_cmp(&rating(one)));
    lines
}

/// Builds the row of an item entered by a person.
pub(super) fn knowledge(item: &Value) -> Result<Row, JsValue> {
    let text = |name: &str| item[name].as_str().unwrap_or_default().trim();
    let (title, content) = (text("title"), text("text"));
    if content.is_empty() {
        return Err(input("text must not be empty"));
    }
    if title.chars().count() > 300 || content.chars().count() > 2000 {
        return Err(input(
            "title must have at most 300 characters, text at most 2,000",
        ));
    }
    let confidence = match &item["confidence"] {
        Value::Null => 0.8,
        given => given
            .as_f64()
            .filter(|share| (0.0..=1.0).contains(share))
            .ok_or_else(|| input("confidence must be a number from 0 to 1"))?,
    };
    let tags: Vec<&str> = item["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let at = now();
    let written = canonical_json(&json!([title, content]));
    let hash = sha256_hex(written.as_bytes());
    Ok(Knowledge {
        title: title.to_owned(),
        text: content.to_owned(),
        source: "user".to_owned(),
        source_id: String::new(),
        confidence,
        level: Level::of(confidence),
        domain: item["domain"].as_str().map(str::to_owned),
        created_at: at,
        updated_at: at,
        reinforced: 0,
        weakened: 0,
        references: Vec::new(),
        about: if tags.is_empty() {
            Value::Null
        } else {
            json!({ "tags": tags })
        },
    }
    .row(format!("user/{}", &hash[..16])))
}
