//! Storage, locks and timers in a real browser.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/indexed_db.rs"]
mod indexed_db;

use futures_util::future::{Either, join, join_all, join4, join5, select};
use indexed_db::{call, create, remove};
use js_sys::{Array, Date, eval};
use quorate::core::codec::{hash_of, lines as lines_of};
use quorate::core::record::{Command, Entry, EntryKind};
use quorate::web::lock::{Lock, persist_storage, storage_estimate};
use quorate::web::store::{
    Database, Durability, PIECE, StoreCode, StoreError, StoredRow, Summarize, VERSION,
};
use quorate::web::timer::Timer;
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{DomException, IdbDatabase};

wasm_bindgen_test_configure!(run_in_browser);

/// An empty database of this name.
async fn fresh(name: &str) -> Database {
    remove(name).await.unwrap();
    Database::open(name).await.unwrap()
}

fn line(seq: u64) -> String {
    format!("{{\"seq\":{seq},\"text\":\"é选\u{1f600}\"}}")
}

fn lines(range: std::ops::Range<u64>) -> Vec<(u64, String)> {
    range.map(|seq| (seq, line(seq))).collect()
}

fn texts(range: std::ops::Range<u64>) -> Vec<String> {
    range.map(line).collect()
}

async fn append(store: &Database, session: &str, range: std::ops::Range<u64>) -> Result<(), StoreError> {
    store
        .append(session, &lines(range), None, Durability::Relaxed)
        .await
}

fn row(kind: &str, id: &str, value: &str) -> StoredRow {
    StoredRow {
        kind: kind.to_owned(),
        id: id.to_owned(),
        value: value.to_owned(),
    }
}

/// How many records a store of the database has.
async fn count(name: &str, store: &str) -> u32 {
    let count = call(name, store, "count", Vec::new()).await.unwrap();
    count.as_f64().unwrap() as u32
}

/// Key of an entry of session `a`.
fn key(number: u64) -> JsValue {
    Array::of2(&"a".into(), &(number as f64).into()).into()
}

fn code(result: Result<impl std::fmt::Debug, StoreError>) -> StoreCode {
    result.unwrap_err().code
}

#[wasm_bindgen_test]
async fn lines_come_back_in_order() {
    let store = fresh("t-order").await;
    let mut next = 0;
    let mut pieces = 0;
    for size in [1_u64, 254, 1, 256, 257, 2, 700, 0, 68, 1] {
        pieces += size.div_ceil(PIECE as u64);
        append(&store, "a", next..next + size).await.unwrap();
        next += size;
        assert_eq!(store.load("a").await.unwrap(), texts(0..next), "after {next}");
    }
    append(&store, "b", 0..3).await.unwrap();
    append(&store, "a/b", 0..2).await.unwrap();
    assert_eq!(store.load("a").await.unwrap(), texts(0..next));
    assert_eq!(store.load("b").await.unwrap(), texts(0..3));
    assert_eq!(store.load("none").await.unwrap(), Vec::<String>::new());
    assert_eq!(count("t-order", "entries").await, pieces as u32 + 2);
}

#[wasm_bindgen_test]
async fn ten_thousand_entries() {
    let store = fresh("t-many").await;
    let begin = Date::now();
    for seq in 0..1000 {
        append(&store, "a", seq..seq + 1).await.unwrap();
    }
    let single = Date::now();
    for step in 0..1000 {
        append(&store, "a", 1000 + 9 * step..1009 + 9 * step)
            .await
            .unwrap();
    }
    let wrote = Date::now();
    let loaded = store.load("a").await.unwrap();
    let read = Date::now();
    assert_eq!(loaded, texts(0..10_000));
    assert_eq!(count("t-many", "entries").await, 2000);
    let rate = |count: f64, milliseconds: f64| count / milliseconds * 1000.0;
    console_log!(
        "entries per second: {:.0} one by one, {:.0} by nines; 10,000 read in {:.0} ms",
        rate(1000.0, single - begin),
        rate(9000.0, wrote - single),
        read - wrote
    );
    drop(store);
    let store = Database::open("t-many").await.unwrap();
    assert_eq!(store.load("a").await.unwrap().len(), 10_000, "after reopening");
    append(&store, "a", 10_000..10_300).await.unwrap();
    assert_eq!(store.load("a").await.unwrap(), texts(0..10_300));
}

#[wasm_bindgen_test]
async fn what_does_not_fit_the_end_is_refused() {
    let store = fresh("t-end").await;
    assert_eq!(code(append(&store, "a", 1..2).await), StoreCode::Corrupt);
    append(&store, "a", 0..300).await.unwrap();
    for range in [0..1, 100..101, 256..257, 299..300, 299..301, 301..302, 512..513] {
        assert_eq!(
            code(append(&store, "a", range.clone()).await),
            StoreCode::Corrupt,
            "{range:?}"
        );
    }
    let odd = [(300, "a".to_owned()), (302, "b".to_owned())];
    assert_eq!(
        code(store.append("a", &odd, None, Durability::Strict).await),
        StoreCode::Corrupt
    );
    let broken = [(300, "a\nb".to_owned())];
    assert_eq!(
        code(store.append("a", &broken, Some("lost"), Durability::Strict).await),
        StoreCode::Corrupt
    );
    assert_eq!(store.load("a").await.unwrap(), texts(0..300));
    assert_eq!(store.summary("a").await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn a_missing_entry_is_named() {
    let store = fresh("t-gap").await;
    append(&store, "a", 0..600).await.unwrap();
    call("t-gap", "entries", "delete", vec![key(256)]).await.unwrap();
    let error = store.load("a").await.unwrap_err();
    assert_eq!(error.code, StoreCode::Corrupt);
    assert_eq!(
        error.message,
        "The record of session a is damaged: entry 256 is missing."
    );
    call("t-gap", "entries", "delete", vec![key(0)]).await.unwrap();
    assert_eq!(
        store.load("a").await.unwrap_err().message,
        "The record of session a is damaged: entry 0 is missing."
    );
}

#[wasm_bindgen_test]
async fn summaries_and_deletion() {
    let store = fresh("t-summaries").await;
    store
        .append("b", &lines(0..1), Some("{\"b\":1}"), Durability::Strict)
        .await
        .unwrap();
    store
        .append("a", &lines(0..300), Some("{\"a\":1}"), Durability::Relaxed)
        .await
        .unwrap();
    store
        .append("b", &[], Some("{\"b\":2}"), Durability::Relaxed)
        .await
        .unwrap();
    assert_eq!(store.summaries().await.unwrap(), ["{\"a\":1}", "{\"b\":2}"]);
    store.put_summary("a", "{\"a\":2}").await.unwrap();
    assert_eq!(store.summary("a").await.unwrap().as_deref(), Some("{\"a\":2}"));
    store.save_draft("a", "x", "draft").await.unwrap();
    store.save_draft("b", "x", "other").await.unwrap();
    store.delete("a").await.unwrap();
    store.delete("none").await.unwrap();
    assert_eq!(store.summaries().await.unwrap(), ["{\"b\":2}"]);
    assert_eq!(store.load("a").await.unwrap(), Vec::<String>::new());
    assert_eq!(store.load("b").await.unwrap(), texts(0..1));
    assert_eq!(store.draft("a", "x").await.unwrap(), None);
    assert_eq!(store.draft("b", "x").await.unwrap().as_deref(), Some("other"));
    append(&store, "a", 0..1).await.unwrap();
}

#[wasm_bindgen_test]
async fn drafts() {
    let store = fresh("t-drafts").await;
    assert_eq!(store.draft("a", "x").await.unwrap(), None);
    store.save_draft("a", "x", "one").await.unwrap();
    store.save_draft("a", "x", "two").await.unwrap();
    store
        .save_draft("a", "phase2/round/3/statement/Ana#1", "选")
        .await
        .unwrap();
    store.save_draft("ab", "x", "kept").await.unwrap();
    assert_eq!(store.draft("a", "x").await.unwrap().as_deref(), Some("two"));
    store.save_draft("a", "x", "").await.unwrap();
    assert_eq!(store.draft("a", "x").await.unwrap(), None);
    assert_eq!(
        store
            .draft("a", "phase2/round/3/statement/Ana#1")
            .await
            .unwrap()
            .as_deref(),
        Some("选")
    );
    store.delete_drafts("a").await.unwrap();
    assert_eq!(
        store.draft("a", "phase2/round/3/statement/Ana#1").await.unwrap(),
        None
    );
    assert_eq!(store.draft("ab", "x").await.unwrap().as_deref(), Some("kept"));
}

#[wasm_bindgen_test]
async fn an_old_database_is_upgraded() {
    drop(fresh("t-upgrade").await);
    remove("t-upgrade").await.unwrap();
    let old = Database::open_version("t-upgrade", 1).await.unwrap();
    old.append("a", &lines(0..300), Some("s"), Durability::Strict)
        .await
        .unwrap();
    assert!(old.save_draft("a", "x", "y").await.is_err());
    // The old connection is still open: it lets go by itself.
    let new = Database::open("t-upgrade").await.unwrap();
    assert_eq!(new.load("a").await.unwrap(), texts(0..300));
    new.save_draft("a", "x", "y").await.unwrap();
    assert_eq!(new.draft("a", "x").await.unwrap().as_deref(), Some("y"));
    let error = old.load("a").await.unwrap_err();
    assert_eq!(error.code, StoreCode::Unavailable);
    assert!(
        error.message.contains("another tab has a newer version"),
        "{error}"
    );
}

/// Puts texts into a database that was made for the test, as older versions did.
async fn put(name: &str, store: &str, texts: &[(u64, String)]) {
    for (number, text) in texts {
        call(name, store, "put", vec![text.into(), key(*number)])
            .await
            .unwrap();
    }
}

#[wasm_bindgen_test]
async fn records_as_data() {
    let store = fresh("t-data").await;
    assert_eq!(store.data("a").await.unwrap().length(), 0);
    let entry = |seq| {
        let what = EntryKind::Commanded {
            command: Command::Look {
                seat: format!("é选\u{1f600}{seq}"),
            },
        };
        Rc::new(Entry { seq, at: 7, what })
    };
    let record: Vec<_> = (0..302).map(entry).collect();
    let lines: Vec<(u64, String)> = (0..).zip(lines_of(&record)).collect();
    for part in [&lines[..300], &lines[300..]] {
        store.append("a", part, None, Durability::Relaxed).await.unwrap();
    }
    let data = store.data("a").await.unwrap();
    let stringify = |value: &JsValue| String::from(js_sys::JSON::stringify(value).unwrap());
    let read: Vec<String> = data.iter().map(|entry| stringify(&entry)).collect();
    let expected = |(_, line): &(u64, String)| {
        let (seq, hash) = (line.split([':', ',']).nth(1).unwrap(), hash_of(line));
        format!(
            r#"{{"seq":{seq},"at":7,"what":{{"type":"commanded","command":{{"do":"look","seat":"é选😀{seq}"}}}},"hash":"{hash}"}}"#
        )
    };
    assert_eq!(read, lines.iter().map(expected).collect::<Vec<_>>());
    put(
        "t-data",
        "entries",
        &[(300, format!("{}\n{{\"seq\":3", lines[300].1))],
    )
    .await;
    let error = store.data("a").await.unwrap_err();
    assert_eq!(error.code, StoreCode::Corrupt);
    assert!(error.message.contains("entry 301 cannot be read"), "{error}");
}

#[wasm_bindgen_test]
async fn an_append_finds_out_that_the_record_was_removed() {
    let store = fresh("t-removed").await;
    append(&store, "a", 0..3).await.unwrap();
    let other = Database::open("t-removed").await.unwrap();
    other.delete("a").await.unwrap();
    assert_eq!(code(append(&store, "a", 3..4).await), StoreCode::Corrupt);
    assert_eq!(store.load("a").await.unwrap(), Vec::<String>::new());
    append(&store, "a", 0..2).await.unwrap();
    // Somebody else has gone on with it.
    append(&other, "a", 2..4).await.unwrap();
    assert_eq!(code(append(&store, "a", 2..3).await), StoreCode::Corrupt);
    append(&store, "a", 4..5).await.unwrap();
    assert_eq!(store.load("a").await.unwrap(), texts(0..5));
}

#[wasm_bindgen_test]
async fn a_newer_database_is_left_alone() {
    remove("t-newer").await.unwrap();
    let newer = create("t-newer", VERSION + 1, Vec::new()).await.unwrap();
    IdbDatabase::from(newer).close();
    assert_eq!(code(Database::open("t-newer").await), StoreCode::Unavailable);
}

#[wasm_bindgen_test]
async fn a_tab_that_does_not_let_go_is_told_of() {
    remove("t-blocked").await.unwrap();
    let stores = ["sessions", "entries"].map(str::to_owned).to_vec();
    let stubborn = IdbDatabase::from(create("t-blocked", 1, stores).await.unwrap());
    let error = Database::open("t-blocked").await.unwrap_err();
    assert_eq!(error.code, StoreCode::Blocked);
    assert!(error.message.contains("Another tab"), "{error}");
    stubborn.close();
    let store = Database::open("t-blocked").await.unwrap();
    store.save_draft("a", "x", "y").await.unwrap();
}

#[wasm_bindgen_test]
async fn without_room_nothing_is_half_written() {
    let store = fresh("t-quota").await;
    store
        .append("a", &lines(0..254), Some("before"), Durability::Relaxed)
        .await
        .unwrap();
    // The second piece finds no room, after the summary and the first.
    eval(
        "globalThis.realAdd = IDBObjectStore.prototype.add; let left = 1;
         IDBObjectStore.prototype.add = function (...given) {
           if (left-- === 0) throw new DOMException('full', 'QuotaExceededError');
           return realAdd.apply(this, given);
         }",
    )
    .unwrap();
    let result = store
        .append("a", &lines(254..600), Some("after"), Durability::Relaxed)
        .await;
    eval("IDBObjectStore.prototype.add = realAdd").unwrap();
    let error = result.unwrap_err();
    assert_eq!(error.code, StoreCode::Quota);
    assert!(error.message.contains("Delete sessions"), "{error}");
    assert_eq!(store.load("a").await.unwrap(), texts(0..254));
    assert_eq!(store.summary("a").await.unwrap().as_deref(), Some("before"));
    append(&store, "a", 254..260).await.unwrap();
    assert_eq!(store.load("a").await.unwrap(), texts(0..260));
}

#[wasm_bindgen_test]
async fn a_transaction_that_the_browser_undoes_tells_why() {
    let store = fresh("t-abort").await;
    append(&store, "a", 0..1).await.unwrap();
    eval(
        "globalThis.realPut = IDBObjectStore.prototype.put;
         IDBObjectStore.prototype.put = function (...given) {
           const request = realPut.apply(this, given);
           this.transaction.abort();
           return request;
         }",
    )
    .unwrap();
    let result = store.put_summary("a", "s").await;
    eval("IDBObjectStore.prototype.put = realPut").unwrap();
    assert_eq!(code(result), StoreCode::Other);
    assert_eq!(store.summary("a").await.unwrap(), None);
}

#[wasm_bindgen_test]
fn errors_of_the_browser_have_codes() {
    for (name, code) in [
        ("QuotaExceededError", StoreCode::Quota),
        ("InvalidStateError", StoreCode::Unavailable),
        ("SecurityError", StoreCode::Unavailable),
        ("VersionError", StoreCode::Unavailable),
        ("NotReadableError", StoreCode::Corrupt),
        ("ConstraintError", StoreCode::Corrupt),
        ("AbortError", StoreCode::Other),
        ("UnknownError", StoreCode::Other),
    ] {
        let error = StoreError::from_js(&DomException::new_with_message_and_name("why", name).unwrap());
        assert_eq!(error.code, code, "{name}");
        assert!(error.message.ends_with(&format!("({name}: why)")), "{error}");
    }
    for odd in [JsValue::NULL, JsValue::UNDEFINED, JsValue::from(7)] {
        assert_eq!(
            StoreError::from_js(&odd).message,
            "The browser could not store or read the data."
        );
    }
    assert_eq!(
        StoreError::from_js(&"text".into()).message,
        "The browser could not store or read the data. (text)"
    );
}

#[wasm_bindgen_test]
async fn one_lock_per_session() {
    let first = Lock::acquire("s1").await;
    assert!(first.is_ok());
    assert!(Lock::acquire("s1").await.unwrap_err().contains("in this page"));
    assert!(Lock::acquire("s2").await.is_ok());
    drop(first);
    // The browser passes a lock on in its own time.
    for _ in 0..100 {
        if Lock::acquire("s1").await.is_ok() {
            return;
        }
        Timer::after(10).await;
    }
    panic!("the lock was not given back");
}

#[wasm_bindgen_test]
async fn without_locks_a_page_gets_one() {
    eval("Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })").unwrap();
    let (one, two) = (Lock::acquire("s3").await, Lock::acquire("s3").await);
    assert!(one.is_ok() && two.is_err());
    drop(one);
    let again = Lock::acquire("s3").await;
    eval("delete navigator.locks").unwrap();
    assert!(again.is_ok());
}

#[wasm_bindgen_test]
async fn a_tab_that_has_the_lock_is_told_of_as_another() {
    // As another tab takes it: not by this module.
    eval(
        "globalThis.elsewhere = new Promise((held) => navigator.locks.request('quorate/s4', () => {
           held();
           return new Promise((free) => (globalThis.free = free));
         }))",
    )
    .unwrap();
    Timer::after(50).await;
    assert!(Lock::acquire("s4").await.unwrap_err().contains("another tab"));
    eval("free()").unwrap();
    Timer::after(50).await;
    assert!(Lock::acquire("s4").await.is_ok());
}

#[wasm_bindgen_test]
async fn a_browser_that_never_opens_the_database_is_told_of() {
    eval("globalThis.realOpen = IDBFactory.prototype.open; IDBFactory.prototype.open = () => ({})").unwrap();
    let begin = Date::now();
    let opened = Database::open("t-never").await;
    eval("IDBFactory.prototype.open = realOpen").unwrap();
    let error = opened.unwrap_err();
    assert_eq!(error.code, StoreCode::Silent);
    assert!(error.message.contains("does not answer"), "{error}");
    let took = Date::now() - begin;
    assert!(took >= 4_900.0, "{took}");
    Database::open("t-never").await.unwrap();
}

#[wasm_bindgen_test]
async fn room_and_its_keeping_can_be_asked_for() {
    // Some browsers ask the person, who is not there.
    let _whatever = select(pin!(persist_storage()), Timer::after(300)).await;
    let (usage, quota) = storage_estimate().await;
    assert!(usage.is_none_or(|bytes| bytes >= 0.0) && quota.is_none_or(|bytes| bytes > 0.0));
    eval("Object.defineProperty(navigator, 'storage', { value: undefined, configurable: true })").unwrap();
    let (kept, estimate) = (persist_storage().await, storage_estimate().await);
    eval("delete navigator.storage").unwrap();
    assert_eq!((kept, estimate), (false, (None, None)));
}

#[wasm_bindgen_test]
async fn timers() {
    for milliseconds in [0, 20, 120] {
        let begin = Date::now();
        Timer::after(milliseconds).await;
        let took = Date::now() - begin;
        assert!(took + 2.0 >= milliseconds as f64, "{milliseconds}: {took}");
    }
    let Either::Left(_) = select(Timer::after(30), Timer::after(60_000)).await else {
        panic!("the long timer came first");
    };
    let Either::Left(_) = select(Timer::after(60), Timer::after(u64::MAX)).await else {
        panic!("the endless timer came first");
    };
}

#[wasm_bindgen_test]
async fn a_timer_ticks_though_the_page_does_not() {
    Timer::after(100).await;
    eval("globalThis.realTimeout = setTimeout; globalThis.setTimeout = () => 0").unwrap();
    let begin = Date::now();
    Timer::after(200).await;
    eval("globalThis.setTimeout = realTimeout").unwrap();
    let took = Date::now() - begin;
    assert!((198.0..5000.0).contains(&took), "{took}");
}

/// Connections to one database, and a count of the transactions that write to it from now on.
async fn connections(name: &str, count: usize) -> Vec<Database> {
    let mut stores = vec![fresh(name).await];
    while stores.len() < count {
        stores.push(Database::open(name).await.unwrap());
    }
    eval(
        "globalThis.realTransaction ??= IDBDatabase.prototype.transaction;
         globalThis.writes = 0;
         IDBDatabase.prototype.transaction = function (stores, mode, options) {
           if (mode === 'readwrite') writes += 1;
           return realTransaction.call(this, stores, mode, options);
         }",
    )
    .unwrap();
    stores
}

fn writes() -> f64 {
    eval("IDBDatabase.prototype.transaction = realTransaction; writes")
        .unwrap()
        .as_f64()
        .unwrap()
}

#[wasm_bindgen_test]
async fn changes_that_wait_share_a_transaction() {
    let stores = connections("t-shared", 40).await;
    let all = stores.iter().enumerate();
    let stored =
        join_all(all.map(async |(at, store)| store.save_draft("a", &at.to_string(), "draft").await)).await;
    assert!(writes() <= 2.0);
    assert!(stored.iter().all(Result::is_ok));
    assert_eq!(count("t-shared", "drafts").await, 40);
}

#[wasm_bindgen_test]
async fn a_change_that_fails_does_so_alone() {
    let stores = connections("t-alone", 5).await;
    append(&stores[1], "removed", 0..1).await.unwrap();
    append(&stores[2], "kept", 0..1).await.unwrap();
    // The connections behind the second store and the last are not told.
    stores[0].delete("removed").await.unwrap();
    eval(
        "IDBDatabase.prototype.transaction = function (...given) { this.close(); return realTransaction.apply(this, given); }",
    )
    .unwrap();
    assert_eq!(code(stores[4].draft("a", "y").await), StoreCode::Unavailable);
    writes();
    let unfit = Some(("match", "a"));
    let rows = [row("match", "a", "1"), row("match", "b", "2")];
    stores[0].put_rows(&rows[..1], &[], None).await.unwrap();
    let (draft, removed, kept, exists, closed) = join5(
        stores[0].save_draft("a", "x", "draft"),
        append(&stores[1], "removed", 1..2),
        append(&stores[2], "kept", 1..2),
        stores[3].put_rows(&rows, &[], unfit),
        stores[4].save_draft("a", "y", "draft"),
    )
    .await;
    writes();
    assert!(draft.is_ok() && kept.is_ok());
    assert_eq!(code(removed), StoreCode::Corrupt);
    assert!(!exists.unwrap());
    assert_eq!(code(closed), StoreCode::Unavailable);
    assert_eq!(stores[0].load("kept").await.unwrap(), texts(0..2));
    assert_eq!(stores[0].list_rows(None).await.unwrap(), rows[..1]);
    assert_eq!(count("t-alone", "drafts").await, 1);
}

#[wasm_bindgen_test]
async fn changes_see_those_before_them() {
    let stores = connections("t-order-of-changes", 2).await;
    let adds =
        |what: &'static str| -> Summarize { Box::new(move |stored| Some(stored.unwrap_or_default() + what)) };
    let kept = [row("match", "a", "1")];
    let (first, second, third, fourth) = join4(
        stores[0].put_summary("a", "x"),
        stores[1].summarize("a", adds("y")),
        stores[0].put_rows(&kept, &[], None),
        stores[1].summarize("a", adds("z")),
    )
    .await;
    assert!(writes() <= 2.0);
    assert!(first.is_ok() && second.is_ok() && third.unwrap() && fourth.is_ok());
    assert_eq!(stores[0].summary("a").await.unwrap().as_deref(), Some("xyz"));
}

#[wasm_bindgen_test]
async fn very_many_steps_are_stored_as_a_whole() {
    let stores = connections("t-portions", 2).await;
    writes();
    let rows = |from: usize| -> Vec<StoredRow> {
        let ids = from..from + 1000;
        ids.map(|id| row("match", &id.to_string(), "{}")).collect()
    };
    let (first, second) = (rows(0), rows(1000));
    let (one, other) = join(
        stores[0].put_rows(&first, &[], None),
        stores[1].put_rows(&second, &[], None),
    )
    .await;
    assert!(one.unwrap() && other.unwrap());
    assert_eq!(count("t-portions", "kept").await, 2000);
    // The last of a thousand finds no room.
    eval(
        "globalThis.realPut = IDBObjectStore.prototype.put; let left = 999;
         IDBObjectStore.prototype.put = function (...given) {
           if (left-- === 0) throw new DOMException('full', 'QuotaExceededError');
           return realPut.apply(this, given);
         }",
    )
    .unwrap();
    let third = rows(2000);
    let full = stores[0].put_rows(&third, &[], None).await;
    eval("IDBObjectStore.prototype.put = realPut").unwrap();
    assert_eq!(code(full), StoreCode::Quota);
    assert_eq!(count("t-portions", "kept").await, 2000);
}
