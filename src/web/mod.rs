//! The browser: JS API, driver, fetch, timers, IndexedDB, keys. The only part that names a browser
//! crate, and the only one with IO. Decides nothing: what happens next is the session's word.

mod driver;
pub mod error;
pub mod fetch;
pub mod library;
pub mod lock;
mod options;
pub mod readers;
pub mod session;
pub mod store;
pub mod timer;

use wasm_bindgen::prelude::*;

/// The engine and its version, e.g. `quorate 0.1.0`.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    crate::protocol::ENGINE.to_owned()
}

/// A value as plain JS data.
pub(crate) fn to_js(value: &impl serde::Serialize) -> JsValue {
    serde_json::to_string(value)
        .ok()
        .and_then(|text| js_sys::JSON::parse(&text).ok())
        .unwrap_or(JsValue::UNDEFINED)
}

/// Plain JS data as JSON.
pub(crate) fn from_js(value: &JsValue) -> Result<serde_json::Value, JsValue> {
    serde_wasm_bindgen::from_value(value.clone()).map_err(|fault| {
        error::lab_error(
            "input",
            &format!("this is not plain data: {fault}"),
            JsValue::NULL,
        )
    })
}
