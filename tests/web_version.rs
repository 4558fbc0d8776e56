//! The module loads in a browser and says which version it is.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn version_is_the_crates() {
    assert_eq!(
        quorate::web::version(),
        concat!("quorate ", env!("CARGO_PKG_VERSION"))
    );
}
