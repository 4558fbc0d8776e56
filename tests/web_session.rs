//! Whole sessions in a real browser, as a page uses them. The cases are `web_session.js`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

use js_sys::{Object, Promise, Reflect};
use quorate::web::library::Library;
use quorate::web::session::Session;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(module = "/tests/web_session.js")]
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
    Reflect::set(&engine, &"Session".into(), &class(session.into())).unwrap();
    Reflect::set(&engine, &"Library".into(), &class(Library.into())).unwrap();
    let same = js_sys::JSON::parse(include_str!("same_record.json")).unwrap();
    Reflect::set(&engine, &"same".into(), &same).unwrap();
    if let Err(error) = JsFuture::from(case(name, &engine)).await {
        let stack = Reflect::get(&error, &"told".into()).unwrap_or_default();
        panic!("{name}: {}", stack.as_string().unwrap_or_default());
    }
}

macro_rules! cases {
    ($($name:ident)*) => { $(#[wasm_bindgen_test] async fn $name() { run(stringify!($name)).await; })* };
}

cases! {
    the_same_record_as_everywhere
    a_run_that_is_closed_at_any_entry_and_opened_again_ends_the_same
    an_open_session_is_locked
    pause_and_step_and_resume
    stop_ends_the_calls_and_resume_goes_on
    commands_before_the_run_put_no_call_twice
    a_program_answers_with_text_or_promise_or_pieces
    a_program_that_fails_halts_the_run
    people_answer
    people_fill_in_forms
    caps_halt_the_run
    forks
    verification
    a_record_is_signed_where_there_is_a_key
    a_record_of_another_engine_is_shown_and_not_run
    out_and_in_again
    the_library
    drafts
    nothing_is_lost_without_room
    nothing_is_lost_with_the_database
    entries_in_memory_are_all_told
    a_browser_that_stores_nothing_for_a_while_is_told_of
    a_title_outlives_appends
    lists_catch_up_with_a_run_that_waits
    faults_of_a_configuration
    odd_input_is_refused
    no_key_anywhere
    the_run_is_started_twice
    signals
    close_during_a_call
    after_the_end
    events_that_throw_and_events_that_act
    many_at_once
    a_run_repeated_with_recorded_calls_asks_nobody
    equal_requests_of_a_run_get_one_answer_each
    an_old_library_is_indexed_when_recorded_calls_are_wanted
    a_seat_plays_back_a_saved_session
}
