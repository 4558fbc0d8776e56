//! Errors as JS sees them: one class with `code`, `message`, `detail` and `retryable`. The class
//! itself is the package's own (`quorate.js`), so that it can be caught before the engine is loaded.

use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static CLASS: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
    static PANIC_HANDLER: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Takes the class that errors are made of.
#[wasm_bindgen(js_name = useErrorClass)]
pub fn use_error_class(class: js_sys::Function) {
    CLASS.with(|slot| *slot.borrow_mut() = Some(class));
}

/// Sets what is called with the message and the place of a panic, just before the module traps.
#[wasm_bindgen(js_name = setPanicHandler)]
pub fn set_panic_handler(handler: js_sys::Function) {
    PANIC_HANDLER.set(Some(handler));
    std::panic::set_hook(Box::new(|panic| {
        if let Some(handler) = PANIC_HANDLER.with_borrow(Clone::clone) {
            let _ = handler.call1(&JsValue::UNDEFINED, &panic.to_string().into());
        }
    }));
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
