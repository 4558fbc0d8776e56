//! `js_sys` as the bindings of asynchronous functions are to see it: all their futures become promises by one function,
//! in place of a copy of it for each.
#![allow(missing_docs, unreachable_pub)]

pub use futures::*;

pub mod futures {
    use std::future::Future;
    use std::pin::Pin;
    use wasm_bindgen::JsValue;

    pub fn future_to_promise<F>(future: F) -> js_sys::Promise
    where
        F: Future<Output = Result<JsValue, JsValue>> + 'static,
    {
        boxed(Box::pin(future))
    }

    #[inline(never)]
    fn boxed(future: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>) -> js_sys::Promise {
        js_sys::futures::future_to_promise(future)
    }
}
