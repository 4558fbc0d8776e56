//! Databases of the browser as tests make, change and remove them, beside the store.
#![allow(dead_code, reason = "each test file uses a part")]

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(inline_js = "
    const result = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    export const remove = (name) => result(indexedDB.deleteDatabase(name));
    export function create(name, version, stores) {
      const request = indexedDB.open(name, version);
      request.onupgradeneeded = () => stores.forEach((store) => request.result.createObjectStore(store));
      return result(request);
    }
    export async function call(name, store, method, given) {
      const database = await result(indexedDB.open(name));
      try {
        const transaction = database.transaction(store, 'readwrite');
        const complete = new Promise((resolve) => { transaction.oncomplete = resolve; });
        const value = await result(transaction.objectStore(store)[method](...given));
        await complete;
        return value;
      } finally {
        database.close();
      }
    }
")]
extern "C" {
    /// Removes a database, if there is one.
    #[wasm_bindgen(catch)]
    pub(super) async fn remove(name: &str) -> Result<JsValue, JsValue>;
    /// Creates a database of any version with empty stores and returns its open connection.
    #[wasm_bindgen(catch)]
    pub(super) async fn create(name: &str, version: u32, stores: Vec<String>) -> Result<JsValue, JsValue>;
    /// Calls a method of an object store in a transaction of its own.
    #[wasm_bindgen(catch)]
    pub(super) async fn call(
        name: &str,
        store: &str,
        method: &str,
        given: Vec<JsValue>,
    ) -> Result<JsValue, JsValue>;
}
