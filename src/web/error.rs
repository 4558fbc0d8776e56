//! Errors as JS sees them: one class with `code`, `message`, `detail` and `retryable`. The class
//! itself is the package's own (`quorate.js`), so that it can be caught before the engine is loaded.

use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static CLASS: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Takes the class that errors are made of.
#[wasm_bindgen(js_name = useErrorClass)]
pub fn use_error_class(class: js_sys::Function) {
    CLASS.with(|slot| *slot.borrow_mut() = Some(class));
}

/// Makes an error. `code` is stable, `message` is for people.
pub(crate) fn lab_error(code: &str, message: &str) -> JsValue {
    detailed(code, message, JsValue::NULL)
}

/// The same with data.
pub(crate) fn detailed(code: &str, message: &str, detail: JsValue) -> JsValue {
    let arguments = js_sys::Array::of3(&code.into(), &message.into(), &detail);
    CLASS
        .with(|slot| slot.borrow().clone())
        .and_then(|class| js_sys::Reflect::construct(&class, &arguments).ok())
        .unwrap_or_else(|| js_sys::Error::new(message).into())
}
