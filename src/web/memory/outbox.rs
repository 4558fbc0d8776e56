//! Pending deliveries of debate results, with their attempts. The delivering page takes a row and reports
//! the outcome; meanwhile other tabs cannot take it. A row is delivered once, unless the browser ends
//! between the delivery and [`finish`]: then it is retried under the same id, by which the receiver can
//! detect the duplicate. This module itself delivers nothing.

use super::rows::open;
use super::{input, now};
use crate::core::ask::Millis;
use crate::memory::{Row, RowKind};
use crate::procedures::canonical::{canonical_json, sha256_hex};
use crate::providers::address::is_local;
use crate::providers::scrub::{scrub, shorten};
use crate::web::lock::Lock;
use crate::web::{from_js, origin, to_js};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

/// Kinds of targets.
pub const KINDS: [&str; 7] = [
    "opener",
    "embed",
    "broadcast",
    "webhook",
    "download",
    "notify",
    "share",
];
/// Milliseconds until a delivery expires.
const LIFE: Millis = 24 * 3_600_000;
/// Milliseconds before the first retry; quadrupled each time.
const PAUSE: Millis = 30_000;
const LONGEST_PAUSE: Millis = 6 * 3_600_000;

thread_local! {
    /// Deliveries in progress in this page.
    static TAKEN: RefCell<BTreeMap<String, Lock>> = const { RefCell::new(BTreeMap::new()) };
}

fn is_waiting(row: &Row, now: Millis) -> bool {
    let status = row.value["status"].as_str().unwrap_or_default();
    matches!(status, "pending" | "sending") && number(row, "expires") > now
}

fn number(row: &Row, name: &str) -> Millis {
    row.value[name].as_u64().unwrap_or_default()
}

/// Converts a row for JS.
fn row_for_js(row: &Row) -> Value {
    let mut value = row.value.clone();
    value["id"] = row.id.as_str().into();
    value
}

/// Builds the row of a delivery. The same target of the same debate has one row.
pub(super) fn row(session: &str, target: &Value, now: Millis) -> Result<Row, JsValue> {
    let kind = target["kind"].as_str().unwrap_or_default();
    if !KINDS.contains(&kind) {
        let message = format!(
            "the target's kind is {kind:?}, must be one of {}",
            KINDS.join(", ")
        );
        return Err(input(&message));
    }
    let address = |name: &str| target[name].as_str().filter(|text| is_address(text));
    if kind == "webhook" && address("url").is_none() {
        return Err(input("a webhook target needs a url that starts with https://"));
    }
    if matches!(kind, "opener" | "embed") && address("origin").is_none() {
        return Err(input(
            "opener and embed targets need an origin that starts with https://",
        ));
    }
    let hash = sha256_hex(canonical_json(target).as_bytes());
    Ok(Row {
        kind: RowKind::Outbox,
        id: format!("{session}/{kind}/{}", &hash[..16]),
        value: json!({
            "debate_id": session, "target": target, "status": "pending", "attempts": 0,
            "created": now, "next_at": now, "expires": now + LIFE,
        }),
    })
}

/// Returns `true` for addresses that may be called: encrypted, or on this machine.
pub(in crate::web) fn is_address(text: &str) -> bool {
    text.starts_with("https://") || (text.starts_with("http://") && is_local(&origin(text)))
}

pub(super) async fn list() -> Result<JsValue, JsValue> {
    let now = now();
    let mut rows = open().await?.rows(Some(RowKind::Outbox)).await?;
    rows.retain(|row| is_waiting(row, now));
    rows.sort_by_key(|row| number(row, "next_at"));
    Ok(to_js(&rows.iter().map(row_for_js).collect::<Vec<_>>()))
}

pub(super) async fn queue(session: &str, target: &JsValue) -> Result<JsValue, JsValue> {
    let now = now();
    let row = row(session, &from_js(target)?, now)?;
    let store = open().await?;
    let rows = store.rows(Some(RowKind::Outbox)).await?;
    // Rows that expired long ago are removed, delivered ones included.
    let old: Vec<(RowKind, &str)> = rows
        .iter()
        .filter(|row| number(row, "expires") + LIFE < now)
        .map(|row| (row.kind, row.id.as_str()))
        .collect();
    let kept = rows.iter().find(|kept| kept.id == row.id);
    let is_abandoned = |kept: &Row| kept.value["status"] != "delivered" && !is_waiting(kept, now);
    let is_renewal = kept.is_some_and(|kept| is_abandoned(kept) || number(kept, "expires") + LIFE < now);
    if is_renewal {
        store.keep(std::slice::from_ref(&row), &old, None).await?;
    } else {
        store
            .keep(std::slice::from_ref(&row), &old, Some((RowKind::Outbox, &row.id)))
            .await?;
    }
    let value = store.value(RowKind::Outbox, &row.id).await?;
    Ok(to_js(&row_for_js(&Row {
        value: value.unwrap_or_default(),
        ..row
    })))
}

pub(super) async fn take(id: &str) -> Result<JsValue, JsValue> {
    let Ok(lock) = Lock::acquire(&format!("outbox/{id}")).await else {
        return Ok(JsValue::NULL);
    };
    let is_taken = TAKEN.with_borrow(|taken| taken.contains_key(id));
    let store = open().await?;
    let now = now();
    let Some(value) = store.value(RowKind::Outbox, id).await? else {
        return Ok(JsValue::NULL);
    };
    let mut row = Row {
        kind: RowKind::Outbox,
        id: id.to_owned(),
        value,
    };
    if is_taken || !is_waiting(&row, now) || number(&row, "next_at") > now {
        return Ok(JsValue::NULL);
    }
    row.value["status"] = "sending".into();
    row.value["attempts"] = json!(number(&row, "attempts") + 1);
    store.keep(std::slice::from_ref(&row), &[], None).await?;
    TAKEN.with_borrow_mut(|taken| taken.insert(id.to_owned(), lock));
    Ok(to_js(&row_for_js(&row)))
}

/// Records the outcome of a delivery taken here; `why`: the reason of a failure.
pub(super) async fn finish(id: &str, why: Option<String>) -> Result<(), JsValue> {
    let Some(_lock) = TAKEN.with_borrow_mut(|taken| taken.remove(id)) else {
        return Err(input("this page has not taken the delivery: call take() first"));
    };
    let store = open().await?;
    let Some(value) = store.value(RowKind::Outbox, id).await? else {
        return Ok(());
    };
    let mut row = Row {
        kind: RowKind::Outbox,
        id: id.to_owned(),
        value,
    };
    match why {
        None => {
            row.value["status"] = "delivered".into();
            row.value["delivered_at"] = json!(now());
        }
        Some(why) => {
            let next = now() + pause(number(&row, "attempts"));
            let is_over = next >= number(&row, "expires");
            row.value["status"] = if is_over { "failed" } else { "pending" }.into();
            row.value["next_at"] = json!(next);
            row.value["error"] = shorten(&scrub(&why, None), 500).into();
        }
    }
    store.keep(&[row], &[], None).await.map(drop)
}

/// Returns the delay after this many attempts.
fn pause(attempts: u64) -> Millis {
    let times = attempts.saturating_sub(1).min(8) as u32;
    (PAUSE * 4_u64.pow(times)).min(LONGEST_PAUSE)
}
