//! The browser's cryptography for signatures of records and receipts (`signing.js`).

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/web/signing.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeKey)]
    fn make_key_js() -> Promise;
    #[wasm_bindgen(js_name = sign)]
    fn sign_js(key: &JsValue, text: &str) -> Promise;
    #[wasm_bindgen(js_name = isSigned)]
    fn is_signed_js(text: &str, algorithm: &str, key: &JsValue, value: &str) -> Promise;
    #[wasm_bindgen(js_name = thumbprint)]
    fn thumbprint_js(key: &JsValue) -> Promise;
}

/// Creates a non-extractable key pair; null if this browser cannot.
pub(super) async fn make_key() -> JsValue {
    JsFuture::from(make_key_js()).await.unwrap_or(JsValue::NULL)
}

/// Signs a text with a stored key pair: `{ algorithm, public_key, value }`; null if this browser cannot.
pub(super) async fn sign(key: &JsValue, text: &str) -> JsValue {
    JsFuture::from(sign_js(key, text)).await.unwrap_or(JsValue::NULL)
}

/// Returns whether the key signed the text; `None` if this browser cannot verify it.
pub(super) async fn is_signed(text: &str, algorithm: &str, key: &JsValue, value: &str) -> Option<bool> {
    let checked = JsFuture::from(is_signed_js(text, algorithm, key, value)).await;
    checked.ok()?.as_bool()
}

/// Returns the thumbprint of a public key (RFC 7638); `None` for an invalid key.
pub(super) async fn thumbprint(key: &JsValue) -> Option<String> {
    JsFuture::from(thumbprint_js(key)).await.ok()?.as_string()
}
