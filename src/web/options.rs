//! Options of a session: callbacks, keys, store, pace.

use super::error::lab_error;
use super::input::{function, input, number, read_if_given, read_options};
use super::lock::Lock;
use super::origin;
use super::recorded::Recording;
use super::store::{DATABASE, Database, Files, Folder, Store, StoreError};
use crate::core::ask::Millis;
use crate::core::limits::CallLimits;
use js_sys::{Function, Reflect};
use serde::Deserialize;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// An API key. Not printable or serializable; read with [`Secret::reveal`] only, for calls to the key's own
/// host.
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
    pub(crate) place: Place,
    pub(crate) pace: u32,
    pub(crate) recorded: Recording,
    pub(crate) call_limits: CallLimits,
    pub(crate) id: Option<String>,
    clock: Function,
}

#[wasm_bindgen(module = "/src/web/clock.js")]
extern "C" {
    #[wasm_bindgen(js_name = steadyClock)]
    pub(super) fn steady_clock(now: Option<&Function>) -> Function;
}

/// The options of a session in JS.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SessionOptions {
    #[serde(deserialize_with = "function")]
    on_event: Option<Function>,
    #[serde(deserialize_with = "function")]
    answer: Option<Function>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    keys: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    store: JsValue,
    /// Milliseconds.
    #[serde(deserialize_with = "number")]
    pace: Option<f64>,
    recorded: Recording,
    call_limits: CallLimits,
    id: Option<String>,
    #[serde(deserialize_with = "function")]
    now: Option<Function>,
}

/// Where a record is stored.
#[derive(Clone)]
pub(crate) enum Place {
    IndexedDb,
    Memory,
    Folder(Folder),
}

impl Place {
    /// Reads a place that is kept; IndexedDB if it is not given.
    pub(crate) fn read(name: &str, store: &JsValue) -> Result<Self, JsValue> {
        if store.is_undefined() || store.is_null() || store == "indexeddb" {
            return Ok(Self::IndexedDb);
        }
        if Reflect::get(store, &"append".into()).is_ok_and(|append| append.is_function()) {
            return Ok(Self::Folder(store.clone().unchecked_into()));
        }
        Err(input(&format!(
            "{name}.store must be \"indexeddb\" or folder(\"DIR\")"
        )))
    }

    /// Opens the store; that of this browser for a session in memory.
    pub(crate) async fn open(&self) -> Result<Store, StoreError> {
        Ok(match self {
            Self::Folder(folder) => Store::Files(Files::new(folder.clone())),
            Self::IndexedDb | Self::Memory => Store::Database(Database::open(DATABASE).await?),
        })
    }

    /// Takes the lock of a session.
    pub(crate) async fn lock(&self, session: &str) -> Result<Lock, JsValue> {
        let lock = match self {
            Self::Folder(folder) => Lock::in_folder(folder, session).await?,
            Self::IndexedDb | Self::Memory => Lock::acquire(session).await,
        };
        lock.map_err(|why| lab_error("locked", &why))
    }

    /// Returns what messages call the place.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Folder(_) => "this folder",
            Self::IndexedDb | Self::Memory => "this browser",
        }
    }
}

impl Options {
    /// `name`: for messages, e.g. `Session.create`.
    pub(crate) fn read(name: &str, options: &JsValue) -> Result<Self, JsValue> {
        let name = format!("{name}: options");
        let given: SessionOptions = read_options(&name, options)?;
        let has_indexeddb = || Reflect::has(&js_sys::global(), &"indexedDB".into()).unwrap_or(false);
        let place = if given.store == "memory" || given.store.is_undefined() && !has_indexeddb() {
            Place::Memory
        } else {
            Place::read(&name, &given.store)?
        };
        let keys = read_keys(&format!("{name}.keys"), &given.keys)?;
        Ok(Self {
            on_event: given.on_event,
            answer: given.answer,
            keys: keys
                .into_iter()
                .filter_map(|(place, key)| Some((place, key?)))
                .collect(),
            place,
            pace: given.pace.unwrap_or_default().min(60_000.0) as u32,
            recorded: given.recorded,
            call_limits: given.call_limits,
            id: given.id.filter(|id| !id.is_empty()),
            clock: steady_clock(given.now.as_ref()),
        })
    }

    /// Returns the time by the session's clock, which never goes back.
    pub(crate) fn now(&self) -> Millis {
        self.now_after(0)
    }

    /// Returns the time by the session's clock, set forward to `least` if it is behind.
    pub(crate) fn now_after(&self, least: Millis) -> Millis {
        let time = self
            .clock
            .call1(&JsValue::UNDEFINED, &JsValue::from_f64(least as f64));
        time.ok().and_then(|time| time.as_f64()).unwrap_or_default() as Millis
    }
}

/// Reads keys by endpoint origin, or by `origin#seat` for one seat; `None` for a key to be removed (`null`).
pub(crate) fn read_keys(name: &str, keys: &JsValue) -> Result<BTreeMap<String, Option<Secret>>, JsValue> {
    // The reader's error message would contain a key.
    let keys: Option<BTreeMap<String, Option<String>>> = read_if_given("keys", keys).map_err(|_| {
        input(&format!(
            "{name} must be an object: origins with keys as texts, or null"
        ))
    })?;
    let place = |place: &str| match place.split_once('#') {
        Some((address, seat)) => for_seat(&origin(address), seat),
        None => origin(place),
    };
    let key = |key: String| Some(key.trim().to_owned()).filter(|key| !key.is_empty());
    let keys = keys.unwrap_or_default().into_iter();
    Ok(keys
        .filter_map(|(address, given)| match given {
            None => Some((place(&address), None)),
            Some(given) => Some((place(&address), Some(Secret(key(given)?)))),
        })
        .collect())
}

/// Returns the name under which a seat's key is stored.
pub(crate) fn for_seat(origin: &str, seat: &str) -> String {
    format!("{origin}#{seat}")
}
