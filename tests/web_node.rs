//! The module without a browser, by `wasm-pack test --node`: a whole run in memory, and the readers.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used)]

use js_sys::{Function, JSON, Object, Reflect};
use quorate::web::readers;
use quorate::web::session::Session;
use sha2::{Digest, Sha256};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap()
}

#[wasm_bindgen_test]
fn version_is_the_crates() {
    assert_eq!(
        quorate::web::version(),
        concat!("quorate ", env!("CARGO_PKG_VERSION"))
    );
}

#[wasm_bindgen_test]
async fn a_run_in_memory_makes_the_same_record_as_everywhere() {
    let same = JSON::parse(include_str!("same_record.json")).unwrap();
    let options = Object::new();
    let now = Function::new_no_args(&format!("return {}", field(&same, "now").as_f64().unwrap()));
    for (name, value) in [
        ("id", field(&same, "id")),
        ("now", now.into()),
        ("store", "memory".into()),
    ] {
        Reflect::set(&options, &name.into(), &value).unwrap();
    }
    let session = Session::create(field(&same, "config"), options.into())
        .await
        .unwrap();
    JsFuture::from(session.run(JsValue::UNDEFINED)).await.unwrap();
    let file = session.export("jsonl", JsValue::UNDEFINED).await.unwrap();
    let text = field(&file, "text").as_string().unwrap();
    let hash: String = Sha256::digest(text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(Some(hash), field(&same, "sha256").as_string());
    let verified = session.verify().await.unwrap();
    assert_eq!(field(&verified, "verified"), JsValue::TRUE);
    JsFuture::from(session.close()).await.unwrap();
}

#[wasm_bindgen_test]
fn principles_apply_to_whole_numbers_only() {
    let distributions = JSON::parse("[[5,4,3,2,1],[9,9,9,9,0]]").unwrap();
    let apply = |principle: f64, amount: &JsValue| {
        let applied =
            readers::apply_principle(&principle.into(), amount, &distributions, &JsValue::NULL).ok()?;
        field(&applied, "index").as_f64()
    };
    assert_eq!(apply(1.0, &JsValue::NULL), Some(0.0));
    assert_eq!(apply(2.0, &JsValue::UNDEFINED), Some(1.0));
    assert_eq!(apply(3.0, &1.into()), Some(0.0));
    for principle in [0.0, 5.0, 257.0, 1.5, -1.0, f64::NAN] {
        assert_eq!(apply(principle, &1.into()), None, "{principle}");
    }
    for amount in [JsValue::NULL, (-1).into(), 1.5.into(), "1".into(), 4e10.into()] {
        assert_eq!(apply(3.0, &amount), None, "{amount:?}");
    }
}
