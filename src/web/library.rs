//! Stored sessions and drafts, for JS.

use super::exports::{export_all, export_stored};
use super::input::{read, read_options};
use super::lock;
use super::options::Place;
use super::store::{DATABASE, Database, StoreError};
use super::to_js;
use js_sys::{Object, Promise, Reflect};
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The stored sessions of this browser or of a folder.
#[wasm_bindgen]
pub struct Library;

#[wasm_bindgen]
impl Library {
    /// Returns summaries, newest first.
    pub async fn list(options: JsValue) -> Result<JsValue, JsValue> {
        let store = place_of("Library.list", &options)?.open().await?;
        let summaries = store.summaries().await?;
        let mut summaries: Vec<Value> = summaries
            .iter()
            .filter_map(|summary| serde_json::from_str(summary).ok())
            .collect();
        summaries.sort_by_key(|summary| std::cmp::Reverse(summary["updated"].as_u64()));
        Ok(to_js(&Value::Array(summaries)))
    }

    /// Deletes a session with its record and drafts; fails while it is open.
    pub async fn delete(id: String, options: JsValue) -> Result<(), JsValue> {
        let place = place_of("Library.delete", &options)?;
        let lock = place.lock(&id).await?;
        place.open().await?.delete(&id).await?;
        let released = lock.give_back_after(&Promise::resolve(&JsValue::UNDEFINED));
        JsFuture::from(released).await.map(drop)
    }

    /// Sets the title of a session.
    pub async fn rename(id: String, title: String) -> Result<(), JsValue> {
        let rename = move |stored: Option<String>| {
            let mut summary: Value = serde_json::from_str(&stored?).ok()?;
            *summary.get_mut("title")? = title.as_str().into();
            Some(summary.to_string())
        };
        Ok(database().await?.summarize(&id, Box::new(rename)).await?)
    }

    /// Returns the record of a session, even of another engine.
    pub async fn entries(id: String, options: JsValue) -> Result<JsValue, JsValue> {
        let store = place_of("Library.entries", &options)?.open().await?;
        Ok(store.data(&id).await?.into())
    }

    /// Exports the record of a session, even of another engine; for a list of ids, all in one set of tables.
    pub async fn export(which: JsValue, format: String, options: JsValue) -> Result<JsValue, JsValue> {
        let (place, options) = split_options(&options)?;
        let store = place.open().await?;
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
        Ok(database().await?.save_draft(&session, &ask, &text).await?)
    }

    /// Returns a draft, or null.
    pub async fn draft(session: String, ask: String) -> Result<JsValue, JsValue> {
        let draft = database().await?.draft(&session, &ask).await?;
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

async fn database() -> Result<Database, StoreError> {
    Database::open(DATABASE).await
}

/// The options of a list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LibraryOptions {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    store: JsValue,
}

fn place_of(name: &str, options: &JsValue) -> Result<Place, JsValue> {
    let name = format!("{name}: options");
    let LibraryOptions { store } = read_options(&name, options)?;
    Place::read(&name, &store)
}

/// Returns the place, and the other options.
fn split_options(options: &JsValue) -> Result<(Place, JsValue), JsValue> {
    if !options.is_object() {
        return Ok((Place::IndexedDb, options.clone()));
    }
    let (mut store, rest) = (JsValue::UNDEFINED, Object::new());
    for key in Reflect::own_keys(options)? {
        let value = Reflect::get(options, &key)?;
        if key == "store" {
            store = value;
        } else {
            Reflect::set(&rest, &key, &value)?;
        }
    }
    Ok((Place::read("Library.export: options", &store)?, rest.into()))
}
