//! The browser's side: what JavaScript sees of this crate. Nothing of the procedure itself lives here.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of this package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
