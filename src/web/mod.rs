//! The browser: JS API, driver, fetch, timers, IndexedDB, keys. The only module with browser crates and I/O.
//! It decides nothing: the session decides what happens next.

mod calls;
pub mod costs;
pub mod discussion;
mod driver;
pub mod error;
mod exports;
pub mod fetch;
mod input;
pub mod library;
pub mod lock;
pub mod memory;
pub mod models;
mod options;
mod queue;
pub mod readers;
mod recorded;
pub mod room;
pub mod session;
mod signature;
mod signing;
mod sources;
pub mod store;
pub mod study;
pub mod timer;
pub mod view;

use wasm_bindgen::prelude::*;

/// Returns the engine and its version, e.g. `quorate 0.1.0`.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    crate::procedures::ENGINE.to_owned()
}

/// Converts a value to plain JS data, by its JSON.
pub(crate) fn to_js(value: &impl serde::Serialize) -> JsValue {
    let json = serde_json::to_string(value).unwrap_or_default();
    js_sys::JSON::parse(&json).unwrap_or(JsValue::UNDEFINED)
}

fn data_error(fault: &str) -> JsValue {
    let message = format!("value is not JSON-serializable: {fault}");
    error::lab_error("input", &message)
}

/// Converts plain JS data to JSON, as `JSON.stringify` does.
pub(crate) fn from_js(value: &JsValue) -> Result<serde_json::Value, JsValue> {
    serde_json::from_str(&json_text(value)?).map_err(|fault| data_error(&fault.to_string()))
}

/// Returns the JSON text of plain JS data, with the keys in their order.
fn json_text(value: &JsValue) -> Result<String, JsValue> {
    let text = js_sys::JSON::stringify(value).map_err(|fault| {
        let message = js_sys::Reflect::get(&fault, &"message".into()).unwrap_or_default();
        data_error(&message.as_string().unwrap_or_default())
    })?;
    let text = JsValue::from(text).as_string();
    text.ok_or_else(|| data_error("it has no JSON form"))
}

/// Returns the origin of an address; the address itself if it is invalid.
fn origin(address: &str) -> String {
    web_sys::Url::new(address).map_or_else(|_| address.to_owned(), |url| url.origin())
}
