//! The driver of one session: stores entries, then starts effects, then sets one timer. Calls to JS
//! happen while nothing of the session is borrowed.

use super::error::lab_error;
use super::lock::Lock;
use super::options::{Options, Secret};
use super::store::{Durability, Store, StoreError};
use super::timer::Timer;
use super::{fetch, to_js};
use crate::model::address;
use crate::protocol::justice::summary::summary;
use crate::seat::{Seat, SeatKind, scripted};
use crate::session::ask::{Call, Failure, FailureKind, Millis, Reply};
use crate::session::record::{Command, Entry, What};
use crate::session::{Effect, Input, Session, Status};
use futures_util::future::{AbortHandle, abortable};
use js_sys::{Function, Reflect};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortController;

pub(crate) struct Driver {
    pub(crate) id: String,
    pub(crate) session: RefCell<Session>,
    pub(crate) store: Option<Store>,
    lock: RefCell<Option<Lock>>,
    options: Options,
    keys: RefCell<BTreeMap<String, Secret>>,
    pace: Cell<u32>,
    inbox: RefCell<VecDeque<Input>>,
    unstored: RefCell<Unstored>,
    is_working: Cell<bool>,
    is_started: Cell<bool>,
    is_closed: Cell<bool>,
    calls: RefCell<BTreeMap<String, (u32, AbortController)>>,
    timer: RefCell<Option<AbortHandle>>,
    waiting: RefCell<Vec<(Function, Function)>>,
}

/// What waits to be stored and then done.
#[derive(Default)]
struct Unstored {
    entries: Vec<Rc<Entry>>,
    effects: Vec<Effect>,
}

impl Driver {
    pub(crate) fn new(
        session: Session,
        id: String,
        options: Options,
        store: Option<Store>,
        lock: Option<Lock>,
    ) -> Rc<Self> {
        let mut options = options;
        Rc::new(Self {
            id,
            session: RefCell::new(session),
            store,
            lock: RefCell::new(lock),
            keys: RefCell::new(std::mem::take(&mut options.keys)),
            pace: Cell::new(options.pace),
            options,
            inbox: RefCell::default(),
            unstored: RefCell::default(),
            is_working: Cell::new(false),
            is_started: Cell::new(false),
            is_closed: Cell::new(false),
            calls: RefCell::default(),
            timer: RefCell::default(),
            waiting: RefCell::default(),
        })
    }

    pub(crate) fn now(&self) -> Millis {
        self.options.now()
    }

    pub(crate) fn set_pace(&self, pace: u32) {
        self.pace.set(pace);
    }

    pub(crate) fn add_keys(&self, keys: BTreeMap<String, Secret>) {
        self.keys.borrow_mut().extend(keys);
    }

    /// Stores entries that nobody has been told of yet, before anything else is done.
    pub(crate) async fn store_first(&self, entries: &[Rc<Entry>]) -> Result<(), JsValue> {
        self.write(entries).await
    }

    /// Begins, or goes on: puts the calls that are on their way.
    pub(crate) fn start(self: &Rc<Self>) {
        if !self.is_started.replace(true) {
            let outcome = self.session.borrow_mut().reopen(self.now());
            self.hold(outcome.entries, outcome.effects);
        }
        self.work();
    }

    /// Resolved with the result at the end, rejected on stop.
    pub(crate) fn finished(self: &Rc<Self>) -> js_sys::Promise {
        let promise = js_sys::Promise::new(&mut |resolve, reject| {
            self.waiting.borrow_mut().push((resolve, reject));
        });
        self.tell_finished();
        promise
    }

    pub(crate) fn command(self: &Rc<Self>, command: Command) {
        self.take_in(Input::Command(command));
    }

    pub(crate) fn answer(self: &Rc<Self>, ask: &str, text: String) -> bool {
        let attempt = self
            .session
            .borrow()
            .open_asks()
            .iter()
            .find(|open| open.call.ask.id == ask && open.since.is_some())
            .map(|open| open.call.attempt);
        let Some(attempt) = attempt else { return false };
        let reply = Reply {
            text,
            ..Reply::default()
        };
        self.take_in(Input::Answered {
            ask: ask.to_owned(),
            attempt,
            reply,
        });
        true
    }

    pub(crate) fn close(&self) {
        self.is_closed.set(true);
        for (_, abort) in std::mem::take(&mut *self.calls.borrow_mut()).into_values() {
            abort.abort();
        }
        self.stop_timer();
        *self.lock.borrow_mut() = None;
    }

    fn take_in(self: &Rc<Self>, input: Input) {
        if self.is_closed.get() {
            return;
        }
        self.inbox.borrow_mut().push_back(input);
        self.work();
    }

    fn work(self: &Rc<Self>) {
        if !self.is_working.replace(true) {
            spawn_local(Rc::clone(self).work_through());
        }
    }

    /// Takes in what came, stores what follows, then does it; until nothing is left.
    async fn work_through(self: Rc<Self>) {
        loop {
            self.handle_inbox();
            let Unstored { entries, effects } = self.unstored.take();
            if (entries.is_empty() && effects.is_empty()) || self.is_closed.get() {
                break;
            }
            if let Err(error) = self.write(&entries).await {
                // What came in meanwhile stands behind what could not be stored.
                let later = self.unstored.take();
                self.hold(entries, effects);
                self.hold(later.entries, later.effects);
                self.emit("storage", &[("error", error)]);
                break;
            }
            if !entries.is_empty() {
                self.emit("entries", &[("entries", to_js(&entries))]);
            }
            for effect in effects {
                self.do_effect(effect);
            }
            self.handle_inbox();
            self.emit_status();
        }
        self.is_working.set(false);
        self.set_timer();
        self.tell_finished();
    }

    fn handle_inbox(&self) {
        let inputs = std::mem::take(&mut *self.inbox.borrow_mut());
        for input in inputs {
            let now = self.now();
            let outcome = self.session.borrow_mut().handle(now, input);
            self.hold(outcome.entries, outcome.effects);
        }
    }

    fn hold(&self, entries: Vec<Rc<Entry>>, effects: Vec<Effect>) {
        let mut unstored = self.unstored.borrow_mut();
        unstored.entries.extend(entries);
        unstored.effects.extend(effects);
    }

    async fn write(&self, entries: &[Rc<Entry>]) -> Result<(), JsValue> {
        let Some(store) = self.store.as_ref().filter(|_| !entries.is_empty()) else {
            return Ok(());
        };
        let lines: Vec<(u64, String)> = entries
            .iter()
            .filter_map(|entry| Some((entry.seq, serde_json::to_string(entry).ok()?)))
            .collect();
        let told = summary(&self.session.borrow().record(), self.now()).to_string();
        let is_turning_point = entries
            .iter()
            .any(|entry| matches!(entry.what, What::Started(_) | What::Ended { .. }));
        let durability = if is_turning_point {
            Durability::Strict
        } else {
            Durability::Relaxed
        };
        store
            .append(&self.id, &lines, Some(&told), durability)
            .await
            .map_err(|error| store_error(&error))
    }

    fn do_effect(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Cancel { ask, attempt } => {
                let mut calls = self.calls.borrow_mut();
                if calls.get(&ask).is_some_and(|(current, _)| *current == attempt)
                    && let Some((_, abort)) = calls.remove(&ask)
                {
                    abort.abort();
                }
            }
            Effect::Ask {
                call,
                seat,
                not_before,
            } => match seat.kind {
                SeatKind::Human => {}
                SeatKind::Scripted if self.pace.get() == 0 => {
                    let reply = Reply {
                        text: self.scripted(&seat, &call),
                        ..Reply::default()
                    };
                    self.inbox.borrow_mut().push_back(answered(&call, reply));
                }
                _ => self.put(call, seat, not_before),
            },
        }
    }

    fn scripted(&self, seat: &Seat, call: &Call) -> String {
        let seed = match self
            .session
            .borrow()
            .record()
            .first()
            .map(|entry| entry.what.clone())
        {
            Some(What::Started(started)) => started.seed,
            _ => 0,
        };
        scripted::answer(seat, seed, &call.ask, &call.request, &call.facts)
    }

    /// Makes a call in the background and takes in what comes of it.
    fn put(self: &Rc<Self>, call: Call, seat: Rc<Seat>, not_before: Millis) {
        let Ok(abort) = AbortController::new() else { return };
        let signal = abort.signal();
        self.calls
            .borrow_mut()
            .insert(call.ask.id.clone(), (call.attempt, abort));
        let driver = Rc::clone(self);
        spawn_local(async move {
            let wait = not_before.saturating_sub(driver.now());
            if wait > 0 {
                Timer::after(wait).await;
            }
            if signal.aborted() || driver.is_closed.get() {
                return;
            }
            let sent_at = driver.now();
            let first = Cell::new(None);
            let piece = |text: &str| {
                if first.get().is_none() {
                    first.set(Some(driver.now()));
                }
                driver.emit_piece(&call, text);
            };
            let came = match seat.kind {
                SeatKind::Scripted => Ok(driver.perform(&seat, &call, piece).await),
                SeatKind::Model => driver.ask_model(&call, &seat, &signal, piece).await,
                SeatKind::Custom | SeatKind::Human => driver.ask_program(&call, &signal, piece).await,
            };
            if signal.aborted() {
                return;
            }
            driver.forget(&call);
            driver.take_in(match came {
                Ok(reply) => answered(
                    &call,
                    Reply {
                        sent_at: Some(sent_at),
                        first_piece_at: first.get(),
                        ..reply
                    },
                ),
                Err(failure) => Input::Failed {
                    ask: call.ask.id.clone(),
                    attempt: call.attempt,
                    failure,
                },
            });
        });
    }

    fn forget(&self, call: &Call) {
        let mut calls = self.calls.borrow_mut();
        if calls
            .get(&call.ask.id)
            .is_some_and(|(attempt, _)| *attempt == call.attempt)
        {
            calls.remove(&call.ask.id);
        }
    }

    /// A scripted participant at the pace of somebody who talks.
    async fn perform(&self, seat: &Seat, call: &Call, piece: impl Fn(&str)) -> Reply {
        let text = self.scripted(seat, call);
        let characters: Vec<char> = text.chars().collect();
        let pieces = (characters.len() / 8).clamp(1, 40);
        let pause = Millis::from(self.pace.get()) / (pieces as u64 + 1);
        Timer::after(pause).await;
        for chunk in characters.chunks(characters.len().div_ceil(pieces).max(1)) {
            piece(&chunk.iter().collect::<String>());
            Timer::after(pause).await;
        }
        Reply {
            text,
            ..Reply::default()
        }
    }

    async fn ask_model(
        &self,
        call: &Call,
        seat: &Seat,
        signal: &web_sys::AbortSignal,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let url = seat.base_url.as_deref().unwrap_or("");
        let origin = crate::session::limits::origin(url);
        let key = self
            .keys
            .borrow()
            .get(origin)
            .map(|key| Secret::reveal(key).to_owned());
        if key.is_none() && origin.starts_with("https://") && !address::is_local(origin) {
            let message = format!("No key for {origin} has been entered. Enter it, then resume the run.");
            return Err(failure(FailureKind::Key, message));
        }
        fetch::call(&call.request, key.as_deref(), signal, piece).await
    }

    async fn ask_program(
        &self,
        call: &Call,
        signal: &web_sys::AbortSignal,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let Some(answer) = &self.options.answer else {
            let message = format!(
                "Nobody answers for {}: the page gave no answer callback.",
                call.ask.seat
            );
            return Err(failure(FailureKind::Unavailable, message));
        };
        let ask = to_js(&json!({
            "id": call.ask.id, "session": self.id, "seat": call.ask.seat, "protocol": "justice",
            "kind": call.ask.kind, "phase": call.ask.phase, "round": call.ask.round,
            "attempt": call.ask.attempt, "language": call.ask.language, "system": call.request.system,
            "messages": call.request.messages, "stop": call.request.stop,
            "maxTokens": call.request.max_tokens, "facts": *call.facts,
        }));
        let _ = Reflect::set(&ask, &"signal".into(), signal);
        let threw = |error: JsValue| {
            let told = Reflect::get(&error, &"message".into())
                .ok()
                .and_then(|message| message.as_string());
            let told = told
                .or_else(|| error.as_string())
                .unwrap_or_else(|| "no reason given".to_owned());
            let message = format!("The answer callback failed for {}: {told}", call.ask.seat);
            failure(FailureKind::Callback, crate::model::scrub::scrub(&message, None))
        };
        let given = answer.call1(&JsValue::UNDEFINED, &ask).map_err(threw)?;
        let given = JsFuture::from(js_sys::Promise::resolve(&given))
            .await
            .map_err(threw)?;
        let text = match given.as_string() {
            Some(text) => text,
            None => gather(&given, &piece).await.map_err(threw)?,
        };
        Ok(Reply {
            text,
            ..Reply::default()
        })
    }

    fn set_timer(self: &Rc<Self>) {
        self.stop_timer();
        let deadline = self.session.borrow().deadline();
        let Some(deadline) = deadline.filter(|_| !self.is_closed.get()) else {
            return;
        };
        let driver = Rc::clone(self);
        let (tick, handle) = abortable(async move {
            Timer::after(deadline.saturating_sub(driver.now())).await;
            driver.take_in(Input::Tick);
        });
        *self.timer.borrow_mut() = Some(handle);
        spawn_local(async move {
            let _ = tick.await;
        });
    }

    fn stop_timer(&self) {
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
    }

    fn tell_finished(&self) {
        let is_stored = self.unstored.borrow().entries.is_empty();
        let status = self.session.borrow().status();
        let settle: Box<dyn Fn(&Function, &Function)> = match status {
            Status::Ended if is_stored => {
                let result = self
                    .session
                    .borrow()
                    .record()
                    .last()
                    .map(|entry| match &entry.what {
                        What::Ended { result } => to_js(result),
                        _ => JsValue::NULL,
                    });
                Box::new(move |resolve, _| {
                    let _ = resolve.call1(&JsValue::UNDEFINED, result.as_ref().unwrap_or(&JsValue::NULL));
                })
            }
            Status::Stopped if !self.is_working.get() => Box::new(|_, reject| {
                let error = lab_error("stopped", "the run was stopped; resume() goes on", JsValue::NULL);
                let _ = reject.call1(&JsValue::UNDEFINED, &error);
            }),
            _ => return,
        };
        for (resolve, reject) in self.waiting.take() {
            settle(&resolve, &reject);
        }
    }

    fn emit_piece(&self, call: &Call, text: &str) {
        self.emit(
            "piece",
            &[
                ("ask", call.ask.id.as_str().into()),
                ("seat", call.ask.seat.as_str().into()),
                ("kind", call.ask.kind.name().into()),
                ("text", text.into()),
            ],
        );
    }

    fn emit_status(&self) {
        self.emit("status", &[("status", self.status()), ("usage", self.usage())]);
    }

    pub(crate) fn status(&self) -> JsValue {
        let session = self.session.borrow();
        let open: Vec<_> = session
            .open_asks()
            .iter()
            .map(|open| {
                let ask = &open.call.ask;
                json!({
                    "id": ask.id, "seat": ask.seat, "seatKind": open.seat.kind, "kind": ask.kind,
                    "phase": ask.phase, "round": ask.round, "attempt": ask.attempt,
                    "since": open.since, "deadline": open.deadline,
                })
            })
            .collect();
        let (state, halt) = match session.status() {
            Status::Running => ("running", None),
            Status::Paused => ("paused", None),
            Status::Halted(halt) => ("halted", Some(halt)),
            Status::Stopped => ("stopped", None),
            Status::Ended => ("ended", None),
        };
        let mut status = json!({ "state": state, "open": open });
        if let Some(halt) = halt {
            status["halt"] = json!(halt);
        }
        to_js(&status)
    }

    pub(crate) fn usage(&self) -> JsValue {
        let usage = self.session.borrow().usage();
        to_js(&json!({
            "calls": usage.calls, "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens, "estimated": usage.estimated,
        }))
    }

    /// Tells the page. What its callback throws is its own affair and goes to the console.
    fn emit(&self, kind: &str, fields: &[(&str, JsValue)]) {
        let Some(on_event) = self.options.on_event.as_ref().filter(|_| !self.is_closed.get()) else {
            return;
        };
        let event = js_sys::Object::new();
        let _ = Reflect::set(&event, &"type".into(), &kind.into());
        for (name, value) in fields {
            let _ = Reflect::set(&event, &(*name).into(), value);
        }
        if let Err(error) = on_event.call1(&JsValue::UNDEFINED, &event) {
            report(&error);
        }
    }
}

/// Trouble with storage as JS sees it.
pub(crate) fn store_error(error: &StoreError) -> JsValue {
    let code = if error.code.name() == "quota" {
        "quota"
    } else {
        "storage"
    };
    lab_error(code, &error.message, JsValue::NULL)
}

fn answered(call: &Call, reply: Reply) -> Input {
    Input::Answered {
        ask: call.ask.id.clone(),
        attempt: call.attempt,
        reply,
    }
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure {
        kind,
        message,
        status: None,
        retry_after_ms: None,
        body: None,
    }
}

/// The pieces of an async iterable, together.
async fn gather(given: &JsValue, piece: &impl Fn(&str)) -> Result<String, JsValue> {
    let refused = || JsValue::from_str("it gave neither a text nor pieces of text");
    let start = Reflect::get(given, &js_sys::Symbol::async_iterator()).ok();
    let start = start
        .and_then(|start| start.dyn_into::<Function>().ok())
        .ok_or_else(refused)?;
    let iterator: js_sys::AsyncIterator = start.call0(given)?.unchecked_into();
    let mut text = String::new();
    loop {
        let next: js_sys::IteratorNext = JsFuture::from(iterator.next()?).await?.unchecked_into();
        if next.done() {
            return Ok(text);
        }
        let part = next.value().as_string().ok_or_else(refused)?;
        piece(&part);
        text.push_str(&part);
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn report(error: &JsValue);
}
