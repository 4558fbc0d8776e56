//! A panic is reported with its message and its place before the module traps.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::panic)]

use js_sys::Function;
use quorate::web::error::set_panic_handler;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn a_panic_is_reported_with_its_message_and_place() {
    let reports = Rc::new(RefCell::new(Vec::new()));
    let taken = Rc::clone(&reports);
    let handler = Closure::<dyn FnMut(String)>::new(move |report| taken.borrow_mut().push(report));
    set_panic_handler(handler.into_js_value().unchecked_into());
    let panics = Closure::<dyn FnMut()>::new(|| panic!("nothing holds"));
    let trap = panics
        .as_ref()
        .unchecked_ref::<Function>()
        .call0(&JsValue::UNDEFINED);

    assert!(trap.is_err());
    let [report] = &reports.borrow()[..] else {
        panic!("one report, not {reports:?}");
    };
    assert!(report.starts_with("panicked at tests/web_panic.rs:"), "{report}");
    assert!(report.ends_with("\nnothing holds"), "{report}");
}
