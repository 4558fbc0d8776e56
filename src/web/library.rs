//! Stored sessions and drafts, for JS.

use super::exports::{export_all, export_stored};
use super::input::read;
use super::lock;
use super::session::{open_store, take_lock};
use super::to_js;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// The stored sessions of this browser.
#[wasm_bindgen]
pub struct Library;

#[wasm_bindgen]
impl Library {
    /// Returns summaries, newest first.
    pub async fn list() -> Result<JsValue, JsValue> {
        let store = open_store().await?;
        let summaries = store.summaries().await?;
        let mut summaries: Vec<Value> = summaries
            .iter()
            .filter_map(|summary| serde_json::from_str(summary).ok())
            .collect();
        summaries.sort_by_key(|summary| std::cmp::Reverse(summary["updated"].as_u64()));
        Ok(to_js(&Value::Array(summaries)))
    }

    /// Deletes a session with its record and drafts; fails while it is open.
    pub async fn delete(id: String) -> Result<(), JsValue> {
        let _lock = take_lock(&id).await?;
        Ok(open_store().await?.delete(&id).await?)
    }

    /// Sets the title of a session.
    pub async fn rename(id: String, title: String) -> Result<(), JsValue> {
        let rename = move |stored: Option<String>| {
            let mut summary: Value = serde_json::from_str(&stored?).ok()?;
            *summary.get_mut("title")? = title.as_str().into();
            Some(summary.to_string())
        };
        Ok(open_store().await?.summarize(&id, Box::new(rename)).await?)
    }

    /// Returns the record of a session, even of another engine.
    pub async fn entries(id: String) -> Result<JsValue, JsValue> {
        Ok(open_store().await?.data(&id).await?.into())
    }

    /// Exports the record of a session, even of another engine; for a list of ids, all in one set of tables.
    pub async fn export(which: JsValue, format: String, options: JsValue) -> Result<JsValue, JsValue> {
        let store = open_store().await?;
        match which.as_string() {
            Some(id) => export_stored(&format, &store, &id, &options).await,
            None => {
                let ids: Vec<String> = read("Library.export: ids", &which)?;
                export_all(&format, &ids, &store, &options).await
            }
        }
    }

    /// Stores a draft; an empty text removes it.
    #[wasm_bindgen(js_name = saveDraft)]
    pub async fn save_draft(session: String, ask: String, text: String) -> Result<(), JsValue> {
        let store = open_store().await?;
        Ok(store.save_draft(&session, &ask, &text).await?)
    }

    /// Returns a draft, or null.
    pub async fn draft(session: String, ask: String) -> Result<JsValue, JsValue> {
        let draft = open_store().await?.draft(&session, &ask).await?;
        Ok(draft.map_or(JsValue::NULL, |draft| draft.as_str().into()))
    }

    /// Asks the browser to persist the data.
    pub async fn persist() -> bool {
        lock::persist_storage().await
    }

    /// Returns the bytes used and the quota, if known.
    pub async fn estimate() -> JsValue {
        let (usage, quota) = lock::storage_estimate().await;
        to_js(&json!({ "usage": usage, "quota": quota }))
    }
}
