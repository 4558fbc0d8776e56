//! Typed values from JS. Errors are `LabError`s with code `input` that name the place and the value.

use super::error::lab_error;
use super::from_js;
use js_sys::{Function, Object, Reflect};
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_aux::serde_introspection::serde_introspect;
use std::fmt::Display;
use wasm_bindgen::{JsCast, JsValue};

pub(super) fn input(message: &str) -> JsValue {
    lab_error("input", message)
}

fn is_missing(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

/// Reads data by its JSON: undefined members count as missing, a `Date` as its text; values without JSON are
/// rejected. `name`: for messages, e.g. `Session.seating: command`.
pub(super) fn read<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<T, JsValue> {
    let fault = |fault: serde_path_to_error::Error<serde_json::Error>| fault_at(name, &fault);
    serde_path_to_error::deserialize(from_js(value)?).map_err(fault)
}

/// Like [`read`], for an optional value.
pub(super) fn read_if_given<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<Option<T>, JsValue> {
    if is_missing(value) {
        return Ok(None);
    }
    read(name, value).map(Some)
}

/// Reads an optional object of options, which may hold functions. Unknown names are rejected.
pub(super) fn read_options<T: DeserializeOwned + Default>(
    name: &str,
    options: &JsValue,
) -> Result<T, JsValue> {
    if is_missing(options) {
        return Ok(T::default());
    }
    if !options.is_object() || options.is_function() {
        return Err(input(&format!(
            "{name} must be an object, got {}",
            shown(options)
        )));
    }
    let known = serde_introspect::<T>();
    // Getters and proxies may throw, which `serde-wasm-bindgen` does not catch.
    let copy = Object::new();
    for key in Reflect::own_keys(options)? {
        let value = Reflect::get(options, &key)?;
        let named = key.as_string().unwrap_or_default();
        if is_missing(&value) {
            continue;
        }
        if !known.contains(&named.as_str()) {
            let known = known.join(", ");
            return Err(input(&format!("{name} has no {named:?}; there are {known}")));
        }
        Reflect::set(&copy, &key, &value)?;
    }
    let fault = |fault: serde_path_to_error::Error<serde_wasm_bindgen::Error>| fault_at(name, &fault);
    serde_path_to_error::deserialize(serde_wasm_bindgen::Deserializer::from(JsValue::from(copy)))
        .map_err(fault)
}

fn fault_at<E: Display>(name: &str, fault: &serde_path_to_error::Error<E>) -> JsValue {
    let path = fault.path().to_string();
    let place = match path.as_str() {
        "." => name.to_owned(),
        path => format!("{name}.{path}"),
    };
    let fault = fault.inner().to_string();
    // A fault of `serde-wasm-bindgen` is a JavaScript error.
    let fault = fault.strip_prefix("Error: ").unwrap_or(&fault);
    let separator = if fault.starts_with("must be ") { " " } else { ": " };
    input(&format!("{place}{separator}{fault}"))
}

/// Deserializes an optional function.
pub(super) fn function<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Function>, D::Error> {
    option(deserializer, "a function", |value| value.clone().dyn_into().ok())
}

/// Deserializes an optional finite number from 0 up.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    option(deserializer, "a number from 0 up", |value| {
        value
            .as_f64()
            .filter(|number| number.is_finite() && *number >= 0.0)
    })
}

fn option<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    read: impl FnOnce(&JsValue) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let value: JsValue = serde_wasm_bindgen::preserve::deserialize(deserializer)?;
    if is_missing(&value) {
        return Ok(None);
    }
    let unfit = || D::Error::custom(format!("must be {expected}, got {}", shown(&value)));
    read(&value).map(Some).ok_or_else(unfit)
}

/// Formats a value for an error: its JSON, or its type.
fn shown(value: &JsValue) -> String {
    if let Some(number) = value.as_f64() {
        return number.to_string();
    }
    let json = js_sys::JSON::stringify(value).ok();
    let json = json.and_then(|json| JsValue::from(json).as_string());
    json.filter(|json| json.len() <= 100).unwrap_or_else(|| {
        let kind = value.js_typeof().as_string().unwrap_or_default();
        format!("a value of type {kind}")
    })
}
