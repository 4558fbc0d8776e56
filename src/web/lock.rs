//! Session locks across tabs, and the browser's storage persistence.

use super::store::{Folder, StoreError};
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/web/locks.js")]
extern "C" {
    fn lock(name: &str) -> Promise;
    fn turn(name: &str) -> Promise;
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "storage"])]
    fn persisted() -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["navigator", "storage"])]
    fn persist() -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["navigator", "storage"])]
    fn estimate() -> Result<Promise, JsValue>;
}

/// The exclusive right to run a session in this browser; released when dropped.
#[derive(Debug)]
pub struct Lock {
    release: Option<Function>,
}

impl Lock {
    /// Takes the lock of a session. In a browser without Web Locks only this page is checked.
    ///
    /// # Errors
    /// Returns who holds it: this page or another tab.
    pub async fn acquire(session: &str) -> Result<Self, String> {
        let answer = JsFuture::from(lock(&format!("quorate/{session}"))).await;
        Self::of(answer.unwrap_or_default())
    }

    /// Takes the lock of a session in a folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written; within, who holds the lock.
    pub async fn in_folder(folder: &Folder, session: &str) -> Result<Result<Self, String>, StoreError> {
        let answer = folder.lock(session).await;
        answer.map(Self::of).map_err(|error| StoreError::of_file(&error))
    }

    /// `answer`: a function that releases the lock, or who holds it.
    fn of(answer: JsValue) -> Result<Self, String> {
        answer.as_string().map_or_else(
            || {
                Ok(Self {
                    release: answer.dyn_into().ok(),
                })
            },
            Err,
        )
    }

    /// Waits for the lock of that name in this browser, then takes it.
    pub async fn turn(name: &str) -> Self {
        let release = JsFuture::from(turn(name)).await.ok();
        Self {
            release: release.and_then(|release| release.dyn_into().ok()),
        }
    }

    /// Releases the lock when the promise has settled. Returns a promise that it is released, as far as that takes time.
    pub fn give_back_after(mut self, settled: &Promise) -> Promise {
        let release = self.release.take();
        let released = release.and_then(|release| release.call1(&JsValue::UNDEFINED, settled).ok());
        released
            .and_then(|released| released.dyn_into().ok())
            .unwrap_or_else(|| settled.clone())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Asks the browser to persist the data. Returns `false` if it refuses or does not know.
pub async fn persist_storage() -> bool {
    answer(persisted()).await.is_truthy() || answer(persist()).await.is_truthy()
}

/// Returns the bytes used and the quota, if known.
pub async fn storage_estimate() -> (Option<f64>, Option<f64>) {
    let answer = answer(estimate()).await;
    let bytes = |name: &str| Reflect::get(&answer, &name.into()).ok()?.as_f64();
    (bytes("usage"), bytes("quota"))
}

/// Returns what the storage manager answers; undefined if there is none or it fails.
async fn answer(promise: Result<Promise, JsValue>) -> JsValue {
    match promise {
        Ok(promise) => JsFuture::from(promise).await.unwrap_or_default(),
        Err(_) => JsValue::UNDEFINED,
    }
}
