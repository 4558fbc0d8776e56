//! Requests and transactions of IndexedDB as futures. Handlers are set when a future is created, so it may
//! be awaited later.

use js_sys::{Array, Function, Promise, Reflect};
use std::future::Future;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbKeyRange, IdbRequest, IdbTransaction};

#[wasm_bindgen]
extern "C" {
    /// [`IdbDatabase`] with transaction options, which `web-sys` counts as unstable.
    #[wasm_bindgen(extends = IdbDatabase)]
    #[derive(Debug, Clone)]
    pub(super) type Connection;
    #[wasm_bindgen(method, catch)]
    fn transaction(
        this: &Connection,
        stores: &Array,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

/// When a write is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Passed to the operating system: a power failure may lose the last seconds, a crash of the page
    /// nothing.
    Relaxed,
    /// On disk.
    Strict,
}

impl Connection {
    /// Begins a write transaction.
    pub(super) fn write(
        &self,
        stores: impl IntoIterator<Item = &'static str>,
        durability: Durability,
    ) -> Result<IdbTransaction, JsValue> {
        let durability = match durability {
            Durability::Relaxed => "relaxed",
            Durability::Strict => "strict",
        };
        let options = js_sys::Object::new();
        Reflect::set(&options, &"durability".into(), &durability.into())?;
        let stores = stores.into_iter().map(JsValue::from).collect();
        self.transaction(&stores, "readwrite", &options)
    }
}

/// Returns the result of a request.
pub(super) fn result_of(request: &IdbRequest) -> impl Future<Output = Result<JsValue, JsValue>> + use<> {
    let request = request.clone();
    let done = first_of(|success, error| {
        request.set_onsuccess(Some(&success));
        request.set_onerror(Some(&error));
    });
    async move {
        match done.await {
            Ok(_) => request.result(),
            Err(_) => Err(request.error()?.into()),
        }
    }
}

/// Waits until a transaction is complete.
///
/// # Errors
/// Returns the reason of an abort, or `undefined` if the browser gives none.
pub(super) fn end_of(transaction: &IdbTransaction) -> impl Future<Output = Result<(), JsValue>> + use<> {
    let transaction = transaction.clone();
    let done = first_of(|complete, abort| {
        transaction.set_oncomplete(Some(&complete));
        transaction.set_onabort(Some(&abort));
    });
    async move {
        match done.await {
            Ok(_) => Ok(()),
            Err(_) => Err(transaction.error().into()),
        }
    }
}

/// Waits for the first of two events.
fn first_of(mut listen: impl FnMut(Function, Function)) -> JsFuture {
    JsFuture::from(Promise::new(&mut |good, bad| listen(good, bad)))
}

/// Returns the key `[session, part]`.
pub(super) fn key(session: &str, part: impl Into<JsValue>) -> JsValue {
    Array::of2(&session.into(), &part.into()).into()
}

/// Returns the range of all keys `[session, …]`: an array sorts after numbers and texts.
pub(super) fn keys_of(session: &str) -> Result<JsValue, JsValue> {
    keys_until(session, Array::new())
}

/// Returns the range of a session's keys up to `[session, last]`.
pub(super) fn keys_until(session: &str, last: impl Into<JsValue>) -> Result<JsValue, JsValue> {
    let first = Array::of1(&session.into());
    IdbKeyRange::bound(&first, &key(session, last)).map(Into::into)
}
