//! Errors for JS: one class with `code`, `message`, `detail` and `retryable`. The package defines the class
//! (`quorate.js`), so that it can be caught before the engine is loaded.

use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static CLASS: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
    static PANIC_HANDLER: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Sets the class of errors.
#[wasm_bindgen(js_name = useErrorClass)]
pub fn use_error_class(class: js_sys::Function) {
    CLASS.with(|slot| *slot.borrow_mut() = Some(class));
}

/// Sets the handler of a panic's message and location, called just before the module traps.
#[wasm_bindgen(js_name = setPanicHandler)]
pub fn set_panic_handler(handler: js_sys::Function) {
    PANIC_HANDLER.set(Some(handler));
    std::panic::set_hook(Box::new(|panic| {
        if let Some(handler) = PANIC_HANDLER.with_borrow(Clone::clone) {
            let _ = handler.call1(&JsValue::UNDEFINED, &panic.to_string().into());
        }
    }));
}

/// Creates an error. `code` is stable, `message` is for people.
pub(crate) fn lab_error(code: &str, message: &str) -> JsValue {
    detailed(code, message, JsValue::NULL)
}

/// Creates an error with data.
pub(crate) fn detailed(code: &str, message: &str, detail: JsValue) -> JsValue {
    let arguments = js_sys::Array::of3(&code.into(), &message.into(), &detail);
    CLASS
        .with(|slot| slot.borrow().clone())
        .and_then(|class| js_sys::Reflect::construct(&class, &arguments).ok())
        .unwrap_or_else(|| js_sys::Error::new(message).into())
}
