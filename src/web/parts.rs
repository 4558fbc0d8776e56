//! Parts of the module as JS sees them, and what is loaded before a configuration or a record is looked at.

use super::error::detailed;
use crate::core::record::{Entry, What};
use crate::part::Missing;
use crate::procedures;
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Sees to it that a part is there: a procedure by its name, `presets`, `exports`, `models`, `memory`, `forecasts`, `readers` or `rooms`. In a module that is whole all of them are.
#[wasm_bindgen(js_name = loadPart)]
pub async fn load_part(name: String) -> Result<(), JsValue> {
    let came = match name.as_str() {
        "presets" => procedures::load_presets().await,
        "exports" => super::exports::exporting::load().await,
        "models" => super::calls::asking::load().await,
        "memory" => super::memory::remembering::load().await,
        "forecasts" => super::costs::forecasts::load().await,
        "rooms" => super::room::rooms::load().await,
        "readers" => super::readers::reading_part::load().await,
        name => procedures::load(name).await,
    };
    came.map_err(|_| not_there(&name))
}

/// What a configuration needs.
pub(super) async fn for_config(config: &Value) -> Result<(), JsValue> {
    let name = procedures::name_in(config).unwrap_or_default();
    procedures::load(name).await.map_err(|Missing| not_there(name))
}

/// What a record needs.
pub(super) async fn for_record(record: &[Rc<Entry>]) -> Result<(), JsValue> {
    match record.first().map(|entry| &entry.what) {
        Some(What::Started(head)) => {
            let name = head.protocol.as_str();
            procedures::load(name).await.map_err(|Missing| not_there(name))
        }
        _ => Ok(()),
    }
}

/// A part that is wanted at once.
pub(super) fn now<T>(part: Option<T>, name: &str) -> Result<T, JsValue> {
    part.ok_or_else(|| not_there(name))
}

pub(super) fn not_there(name: &str) -> JsValue {
    let message = format!(
        "the part {name:?} of the engine is not there: load it, or try again where its file did not come"
    );
    detailed("unloaded", &message, name.into())
}
