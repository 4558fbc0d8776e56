//! What debates leave behind, in a real browser: the rows of the store, and the JS API as a page uses it.
//! The cases of the latter are `web_memory.js`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

use futures_util::future::join;
use idb::{Factory, TransactionMode};
use js_sys::{Object, Promise, Reflect};
use quorate::web::library::Library;
use quorate::web::memory::Memory;
use quorate::web::session::Session;
use quorate::web::store::{Durability, Kept, Store, StoreCode};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

async fn fresh(name: &str) -> Store {
    Factory::new().unwrap().delete(name).unwrap().await.unwrap();
    Store::open(name).await.unwrap()
}

fn row(kind: &str, id: &str, value: &str) -> Kept {
    Kept {
        kind: kind.to_owned(),
        id: id.to_owned(),
        value: value.to_owned(),
    }
}

#[wasm_bindgen_test]
async fn a_database_of_version_3_gets_the_new_stores() {
    let name = "t-kept-upgrade";
    Factory::new().unwrap().delete(name).unwrap().await.unwrap();
    let old = Store::open_version(name, 3).await.unwrap();
    let line = [(0, "{}".to_owned())];
    old.append("a", &line, Some("s"), Durability::Strict)
        .await
        .unwrap();
    assert!(old.keep(&[row("match", "a", "{}")], &[], None).await.is_err());
    let new = Store::open(name).await.unwrap();
    assert_eq!(new.load("a").await.unwrap(), ["{}"]);
    assert_eq!(new.summary("a").await.unwrap().as_deref(), Some("s"));
    assert_eq!(new.kept(None).await.unwrap(), []);
    assert!(new.keep(&[row("match", "a", "{}")], &[], None).await.unwrap());
    assert!(!new.sign("text").await.unwrap().is_undefined());
    assert_eq!(old.kept(None).await.unwrap_err().code, StoreCode::Unavailable);
}

#[wasm_bindgen_test]
async fn rows_by_kind_and_id() {
    let store = fresh("t-kept").await;
    let rows = [
        row("match", "b", "2"),
        row("match", "a", "1"),
        row("matches", "a", "3"),
        row("journal", "a/b", "\"é选\u{1f600}\""),
    ];
    assert!(store.keep(&rows, &[], None).await.unwrap());
    let ids = |rows: Vec<Kept>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(store.kept(Some("match")).await.unwrap()), ["a", "b"]);
    assert_eq!(ids(store.kept(None).await.unwrap()), ["a/b", "a", "b", "a"]);
    assert_eq!(store.kept(Some("none")).await.unwrap(), []);
    assert_eq!(
        store.kept_at("journal", "a/b").await.unwrap().as_deref(),
        Some("\"é选\u{1f600}\"")
    );
    assert_eq!(store.kept_at("journal", "a").await.unwrap(), None);
    let changed = [row("match", "a", "4")];
    assert!(
        store
            .keep(&changed, &[("match", "b"), ("none", "x")], None)
            .await
            .unwrap()
    );
    assert_eq!(store.kept(Some("match")).await.unwrap(), changed);
}

#[wasm_bindgen_test]
async fn all_rows_or_none() {
    let store = fresh("t-kept-whole").await;
    let broken = Broken::new();
    let rows = [
        row("match", "a", "1"),
        row("journal", "a", "2"),
        row("receipt", "a", "3"),
    ];
    assert!(store.keep(&rows, &[], Some(("journal", "a"))).await.is_err());
    drop(broken);
    assert_eq!(store.kept(None).await.unwrap(), []);
    assert!(store.keep(&rows, &[], Some(("journal", "a"))).await.unwrap());
    // Once the journal is there nothing is written, nor removed.
    let others = [row("match", "a", "other"), row("match", "b", "other")];
    assert!(
        !store
            .keep(&others, &[("receipt", "a")], Some(("journal", "a")))
            .await
            .unwrap()
    );
    let mut kept = store.kept(None).await.unwrap();
    kept.sort_by(|a, b| a.value.cmp(&b.value));
    assert_eq!(kept, rows);
}

/// As long as it lives, the second value that is put into a store is refused.
struct Broken(js_sys::Function);

impl Broken {
    fn new() -> Self {
        let code = "const put = IDBObjectStore.prototype.put; let times = 0;
            IDBObjectStore.prototype.put = function (...given) {
              if ((times += 1) === 2) throw new DOMException('no room', 'QuotaExceededError');
              return put.apply(this, given);
            };
            return () => { IDBObjectStore.prototype.put = put; };";
        let make = js_sys::Function::new_no_args(code);
        Self(make.call0(&JsValue::NULL).unwrap().into())
    }
}

impl Drop for Broken {
    fn drop(&mut self) {
        self.0.call0(&JsValue::NULL).unwrap();
    }
}

#[wasm_bindgen_test]
async fn of_two_connections_one_is_first() {
    let one = fresh("t-kept-two").await;
    let two = Store::open("t-kept-two").await.unwrap();
    let of = |who: &str| [row("journal", "a", who), row("match", who, who)];
    let (first, second) = join(
        async { one.keep(&of("1"), &[], Some(("journal", "a"))).await.unwrap() },
        async { two.keep(&of("2"), &[], Some(("journal", "a"))).await.unwrap() },
    )
    .await;
    assert!(first != second);
    assert_eq!(two.kept(None).await.unwrap(), of(if first { "1" } else { "2" }));
}

#[wasm_bindgen_test]
async fn the_key_stays_in_the_browser() {
    let name = "t-signing";
    let store = fresh(name).await;
    let signed = store.sign("text").await.unwrap();
    let field = |value: &JsValue, name: &str| Reflect::get(value, &name.into()).unwrap();
    assert_eq!(field(&signed, "algorithm"), "Ed25519");
    let public = field(&signed, "public_key");
    assert_eq!(
        Reflect::own_keys(&public).unwrap().join(",").as_string().unwrap(),
        "crv,kty,x"
    );
    let database = Factory::new().unwrap().open(name, None).unwrap().await.unwrap();
    let transaction = database
        .transaction(&["signing"], TransactionMode::ReadOnly)
        .unwrap();
    let kept = transaction
        .object_store("signing")
        .unwrap()
        .get(JsValue::from("key"))
        .unwrap();
    let kept = kept.await.unwrap().unwrap();
    let private = field(&kept, "private");
    assert_eq!(field(&private, "extractable"), JsValue::FALSE);
    let refused = js_sys::Function::new_with_args("key", "return crypto.subtle.exportKey('jwk', key)");
    let refused: Promise = refused.call1(&JsValue::NULL, &private).unwrap().into();
    let refused = JsFuture::from(refused).await.unwrap_err();
    assert_eq!(field(&refused, "name"), "InvalidAccessError");
    database.close();
    // The same key signs the next time, and through another connection.
    let again = Store::open(name).await.unwrap().sign("other").await.unwrap();
    assert_eq!(field(&field(&again, "public_key"), "x"), field(&public, "x"));
    assert_ne!(field(&again, "value"), field(&signed, "value"));
}

#[wasm_bindgen(module = "/tests/web_memory.js")]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_name = LabError)]
    static CLASS: js_sys::Function;
    fn smallest() -> JsValue;
    fn case(name: &str, engine: &JsValue) -> Promise;
}

/// Runs a case; what it throws is what is wrong.
async fn run(name: &str) {
    CLASS.with(|class| quorate::web::error::use_error_class(class.clone()));
    let in_memory: JsValue = js_sys::JSON::parse(r#"{"store":"memory"}"#).unwrap();
    let session = Session::create(smallest(), in_memory).await.unwrap();
    let class = |instance: JsValue| Reflect::get(&instance, &"constructor".into()).unwrap();
    let engine = Object::new();
    for (name, class) in [
        ("Session", class(session.into())),
        ("Library", class(Library.into())),
        ("Memory", class(Memory.into())),
    ] {
        Reflect::set(&engine, &name.into(), &class).unwrap();
    }
    if let Err(error) = JsFuture::from(case(name, &engine)).await {
        let told = Reflect::get(&error, &"told".into()).unwrap_or_default();
        panic!("{name}: {}", told.as_string().unwrap_or_default());
    }
}

macro_rules! cases {
    ($($name:ident)*) => { $(#[wasm_bindgen_test] async fn $name() { run(stringify!($name)).await; })* };
}

cases! {
    a_debate_is_remembered_once
    many_ask_at_once
    what_was_missed_is_caught_up
    a_session_that_is_not_stored
    nothing_to_remember
    receipts_form_a_chain
    a_receipt_is_checked_field_by_field
    signatures
    without_a_store
    without_keys
    ratings_are_made_anew
    a_configuration_gets_its_ratings
    what_a_person_knows
    out_and_in_again
    results_are_delivered_once
    deliveries_are_tried_again
    sources_answer
    feeds_answer
}
