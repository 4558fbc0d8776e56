//! Rows of the store that hold the memory of debates, in a real browser. The API is tested in `tests/session`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/indexed_db.rs"]
mod indexed_db;

use futures_util::future::join;
use indexed_db::{call, remove};
use js_sys::{Promise, Reflect};
use quorate::web::store::{Database, Durability, StoreCode, StoredRow};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

async fn fresh(name: &str) -> Database {
    remove(name).await.unwrap();
    Database::open(name).await.unwrap()
}

fn row(kind: &str, id: &str, value: &str) -> StoredRow {
    StoredRow {
        kind: kind.to_owned(),
        id: id.to_owned(),
        value: value.to_owned(),
    }
}

#[wasm_bindgen_test]
async fn a_database_of_version_3_gets_the_new_stores() {
    let name = "t-kept-upgrade";
    remove(name).await.unwrap();
    let old = Database::open_version(name, 3).await.unwrap();
    let line = [(0, "{}".to_owned())];
    old.append("a", &line, Some("s"), Durability::Strict)
        .await
        .unwrap();
    assert!(old.put_rows(&[row("match", "a", "{}")], &[], None).await.is_err());
    let new = Database::open(name).await.unwrap();
    assert_eq!(new.load("a").await.unwrap(), ["{}"]);
    assert_eq!(new.summary("a").await.unwrap().as_deref(), Some("s"));
    assert_eq!(new.list_rows(None).await.unwrap(), []);
    assert!(new.put_rows(&[row("match", "a", "{}")], &[], None).await.unwrap());
    assert!(!new.sign("text").await.unwrap().is_undefined());
    assert_eq!(
        old.list_rows(None).await.unwrap_err().code,
        StoreCode::Unavailable
    );
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
    assert!(store.put_rows(&rows, &[], None).await.unwrap());
    let ids = |rows: Vec<StoredRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(store.list_rows(Some("match")).await.unwrap()), ["a", "b"]);
    assert_eq!(ids(store.list_rows(None).await.unwrap()), ["a/b", "a", "b", "a"]);
    assert_eq!(store.list_rows(Some("none")).await.unwrap(), []);
    assert_eq!(
        store.kept_at("journal", "a/b").await.unwrap().as_deref(),
        Some("\"é选\u{1f600}\"")
    );
    assert_eq!(store.kept_at("journal", "a").await.unwrap(), None);
    let changed = [row("match", "a", "4")];
    assert!(
        store
            .put_rows(&changed, &[("match", "b"), ("none", "x")], None)
            .await
            .unwrap()
    );
    assert_eq!(store.list_rows(Some("match")).await.unwrap(), changed);
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
    assert!(store.put_rows(&rows, &[], Some(("journal", "a"))).await.is_err());
    drop(broken);
    assert_eq!(store.list_rows(None).await.unwrap(), []);
    assert!(store.put_rows(&rows, &[], Some(("journal", "a"))).await.unwrap());
    // Once the journal is there nothing is written, nor removed.
    let others = [row("match", "a", "other"), row("match", "b", "other")];
    assert!(
        !store
            .put_rows(&others, &[("receipt", "a")], Some(("journal", "a")))
            .await
            .unwrap()
    );
    let mut kept = store.list_rows(None).await.unwrap();
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
    let two = Database::open("t-kept-two").await.unwrap();
    let of = |who: &str| [row("journal", "a", who), row("match", who, who)];
    let (first, second) = join(
        async { one.put_rows(&of("1"), &[], Some(("journal", "a"))).await.unwrap() },
        async { two.put_rows(&of("2"), &[], Some(("journal", "a"))).await.unwrap() },
    )
    .await;
    assert!(first != second);
    assert_eq!(
        two.list_rows(None).await.unwrap(),
        of(if first { "1" } else { "2" })
    );
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
    let kept = call(name, "signing", "get", vec!["key".into()]).await.unwrap();
    let private = field(&kept, "private");
    assert_eq!(field(&private, "extractable"), JsValue::FALSE);
    let refused = js_sys::Function::new_with_args("key", "return crypto.subtle.exportKey('jwk', key)");
    let refused: Promise = refused.call1(&JsValue::NULL, &private).unwrap().into();
    let refused = JsFuture::from(refused).await.unwrap_err();
    assert_eq!(field(&refused, "name"), "InvalidAccessError");
    // The same key signs the next time, and through another connection.
    let again = Database::open(name).await.unwrap().sign("other").await.unwrap();
    assert_eq!(field(&field(&again, "public_key"), "x"), field(&public, "x"));
    assert_ne!(field(&again, "value"), field(&signed, "value"));
}
