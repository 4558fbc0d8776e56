//! What a program hands in with a session: callbacks, keys, where to store, how fast to go.

use super::error::lab_error;
use super::origin;
use super::recorded::Recording;
use crate::core::ask::Millis;
use js_sys::{Function, Object, Reflect};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// An API key. Cannot be printed or serialised; leaves only with [`Secret::reveal`], which the call to
/// the key's own host uses.
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

pub(crate) struct Options {
    pub(crate) on_event: Option<Function>,
    pub(crate) answer: Option<Function>,
    pub(crate) keys: BTreeMap<String, Secret>,
    pub(crate) in_memory: bool,
    pub(crate) pace: u32,
    pub(crate) recorded: Recording,
    pub(crate) id: Option<String>,
    now: Option<Function>,
}

impl Options {
    pub(crate) fn read(options: &JsValue) -> Result<Self, JsValue> {
        let get = |key: &str| Reflect::get(options, &key.into()).unwrap_or(JsValue::UNDEFINED);
        let function = |key: &str| get(key).dyn_into::<Function>().ok();
        let has_indexeddb = Reflect::has(&js_sys::global(), &"indexedDB".into()).unwrap_or(false);
        let in_memory = match get("store").as_string().as_deref() {
            Some("memory") => true,
            Some("indexeddb") => false,
            None => !has_indexeddb,
            Some(other) => {
                let message = format!("store is {other:?}, must be \"indexeddb\" or \"memory\"");
                return Err(lab_error("input", &message));
            }
        };
        let recorded = match get("recorded").as_string().as_deref() {
            None | Some("off") => Recording::Off,
            Some("use") => Recording::Use,
            Some("only") => Recording::Only,
            Some(other) => {
                let message = format!("recorded is {other:?}, must be \"off\", \"use\" or \"only\"");
                return Err(lab_error("input", &message));
            }
        };
        Ok(Self {
            recorded,
            on_event: function("onEvent"),
            answer: function("answer"),
            keys: read_keys(&get("keys"))
                .into_iter()
                .filter_map(|(place, key)| Some((place, key?)))
                .collect(),
            in_memory,
            pace: get("pace").as_f64().unwrap_or(0.0).clamp(0.0, 60_000.0) as u32,
            id: get("id").as_string().filter(|id| !id.is_empty()),
            now: function("now"),
        })
    }

    pub(crate) fn now(&self) -> Millis {
        let told = self
            .now
            .as_ref()
            .and_then(|now| now.call0(&JsValue::UNDEFINED).ok()?.as_f64());
        told.unwrap_or_else(js_sys::Date::now) as Millis
    }
}

/// Keys by origin of the endpoint, or by `origin#seat` for that seat alone; `None` where one is to be
/// forgotten (`null`). What is neither a text nor `null` says nothing.
pub(crate) fn read_keys(keys: &JsValue) -> BTreeMap<String, Option<Secret>> {
    let Some(keys) = keys.dyn_ref::<Object>() else {
        return BTreeMap::new();
    };
    Object::entries(keys)
        .iter()
        .filter_map(|pair| {
            let pair = js_sys::Array::from(&pair);
            let place = pair.get(0).as_string()?;
            let place = match place.split_once('#') {
                Some((address, seat)) => for_seat(&origin(address), seat),
                None => origin(&place),
            };
            let key = pair.get(1);
            if key.is_null() {
                return Some((place, None));
            }
            let key = key.as_string()?.trim().to_owned();
            (!key.is_empty()).then_some((place, Some(Secret(key))))
        })
        .collect()
}

/// Under what name the key of one seat is kept.
pub(crate) fn for_seat(origin: &str, seat: &str) -> String {
    format!("{origin}#{seat}")
}
