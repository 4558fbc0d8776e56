//! Calls to scripted, model and program seats. The result goes back to the driver; the session decides on
//! retries.

use super::driver::Driver;
use super::options::{Secret, for_seat};
use super::timer::Timer;
use super::{fetch, from_js, origin, queue, to_js};
use crate::core::Input;
use crate::core::ask::{AnsweredAs, Call, Failure, FailureKind, Millis, Reply, Request, Usage};
use crate::core::form::Formed;
use crate::procedures;
use crate::providers::{address, refusal, scrub, structured};
use crate::seat::{Seat, SeatKind};
use crate::thought::{Addition, StreamedAnswer};
use futures_util::future::{Either, select};
use js_sys::{Array, Function, Reflect};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen(module = "/src/web/question.js")]
extern "C" {
    /// Builds the ask for a callback; `make` builds its form or its facts on demand.
    fn question(
        head: &str,
        system: &str,
        contents: &Array,
        schema: Option<String>,
        abort: &AbortController,
        make: &JsValue,
    ) -> JsValue;
}

/// Milliseconds between checks of a held call.
const HOLD_CHECK: Millis = 250;

impl Driver {
    /// Lets a simulated participant answer, in its own seat or for a person.
    pub(super) fn perform_at_pace(self: &Rc<Self>, call: Call, seat: Rc<Seat>, not_before: Millis) {
        if self.pace.get() > 0 || not_before > self.now() {
            return self.start_call(call, seat, not_before);
        }
        let answer = answered(&call, self.scripted_reply(&seat, &call));
        self.inbox.borrow_mut().push_back(answer);
    }

    fn scripted_reply(&self, seat: &Seat, call: &Call) -> Reply {
        Reply {
            text: procedures::scripted_answer(seat, self.seed, call),
            stood_in: seat.kind == SeatKind::Human,
            ..Reply::default()
        }
    }

    /// Runs a call in the background and submits the result.
    pub(super) fn start_call(self: &Rc<Self>, call: Call, seat: Rc<Seat>, not_before: Millis) {
        let Ok(abort) = AbortController::new() else { return };
        self.calls
            .borrow_mut()
            .insert(call.ask.id.clone(), (call.attempt, abort.clone()));
        let driver = Rc::clone(self);
        spawn_local(async move {
            let wait = not_before.saturating_sub(driver.now());
            // A model's call waits in the queue.
            if wait > 0 && seat.kind != SeatKind::Model {
                Timer::after(wait).await;
            }
            let attempt = (call.ask.id.clone(), call.attempt);
            while driver.held_until.get() > driver.now() && driver.is_current(&call) {
                driver.held.borrow_mut().insert(attempt.clone());
                Timer::after(HOLD_CHECK).await;
            }
            driver.held.borrow_mut().remove(&attempt);
            if !driver.is_current(&call) {
                return;
            }
            let sent_at = Cell::new(driver.now());
            let first = Cell::new(None);
            let begins_in_thought = driver.thoughtful_seats.borrow().contains(&seat.name);
            let streamed = RefCell::new(StreamedAnswer::new(begins_in_thought));
            let piece = |text: &str| {
                if !driver.is_current(&call) {
                    return;
                }
                if first.get().is_none() {
                    first.set(Some(driver.now()));
                }
                let addition = match seat.kind {
                    SeatKind::Model | SeatKind::Custom => streamed.borrow_mut().push(text),
                    _ => Some(Addition::next(text)),
                };
                if let Some(addition) = addition {
                    driver.emit_piece(&call, &addition);
                }
            };
            let result = match seat.kind {
                SeatKind::Scripted | SeatKind::Human => Ok(driver.perform(&seat, &call, piece).await),
                SeatKind::Model => {
                    driver
                        .ask_model(&call, &seat, not_before, &abort.signal(), &sent_at, &piece)
                        .await
                }
                SeatKind::Custom => driver.ask_custom(&call, &abort, piece).await,
                SeatKind::Recorded => driver.play_back(&call, &seat).await,
                SeatKind::Source => Ok(driver.ask_source(&call, &abort).await),
            };
            if !driver.is_current(&call) {
                return;
            }
            driver.calls.borrow_mut().remove(&call.ask.id);
            if streamed.borrow().begins_in_thought() {
                driver.thoughtful_seats.borrow_mut().insert(seat.name.clone());
            }
            driver.take_in(match result {
                Ok(reply) if reply.recorded.is_some() => answered(&call, reply),
                Ok(reply) => answered(
                    &call,
                    Reply {
                        sent_at: Some(sent_at.get()),
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

    /// Aborts the call of an ask, if one is in progress; with `attempt`, only that one.
    pub(super) fn cancel(&self, ask: &str, attempt: Option<u32>) {
        let ended = {
            let mut calls = self.calls.borrow_mut();
            let is_match =
                |(current, _): &(u32, AbortController)| attempt.is_none_or(|meant| meant == *current);
            if calls.get(ask).is_some_and(is_match) {
                calls.remove(ask)
            } else {
                None
            }
        };
        // The page may listen to the abort, so nothing may be borrowed here.
        if let Some((_, abort)) = ended {
            abort.abort();
            queue::pump();
        }
    }

    pub(super) fn cancel_all(&self) {
        let calls = self.calls.take();
        for (_, abort) in calls.into_values() {
            abort.abort();
        }
        queue::pump();
    }

    /// Returns `true` if a call is in progress: neither aborted nor finished.
    fn is_current(&self, call: &Call) -> bool {
        let calls = self.calls.borrow();
        let current = calls.get(&call.ask.id);
        current.is_some_and(|(attempt, _)| *attempt == call.attempt)
    }

    /// Streams a scripted answer at the configured pace.
    async fn perform(&self, seat: &Seat, call: &Call, piece: impl Fn(&str)) -> Reply {
        let reply = self.scripted_reply(seat, call);
        let characters: Vec<char> = reply.text.chars().collect();
        let pieces = (characters.len() / 8).clamp(1, 40);
        let pause = Millis::from(self.pace.get()) / (pieces as u64 + 1);
        Timer::after(pause).await;
        for chunk in characters.chunks(characters.len().div_ceil(pieces).max(1)) {
            if !self.is_current(call) {
                break;
            }
            piece(&chunk.iter().collect::<String>());
            Timer::after(pause).await;
        }
        reply
    }

    /// Calls the model when its turn comes; sets `sent_at`.
    async fn ask_model(
        self: &Rc<Self>,
        call: &Call,
        seat: &Seat,
        not_before: Millis,
        signal: &AbortSignal,
        sent_at: &Cell<Millis>,
        piece: &dyn Fn(&str),
    ) -> Result<Reply, Failure> {
        if let Some(reply) = self.recorded_reply(call).await? {
            return Ok(reply);
        }
        let named = call.request.base_url.as_deref();
        let base_url = named.or(seat.base_url.as_deref()).unwrap_or("");
        self.key_for(base_url, &seat.name)?;
        let turn = queue::turn(self, call, base_url, not_before, signal).await;
        let Some(_turn) = turn else {
            return Err(fetch::cancelled());
        };
        sent_at.set(self.now());
        let request = if call.max_tokens == call.request.max_tokens {
            Rc::clone(&call.request)
        } else {
            Rc::new(Request {
                max_tokens: call.max_tokens,
                ..(*call.request).clone()
            })
        };
        // The key may have changed while the call waited.
        let key = self.key_for(base_url, &seat.name)?;
        let result = fetch::call(&request, call.ask.language, key.as_deref(), signal, piece);
        match unless_aborted(signal, result).await {
            Some(result) => refusal::starved(call, result),
            None => Err(fetch::cancelled()),
        }
    }

    /// Returns the key for this seat, else for the endpoint's origin; `None` if none is needed.
    pub(super) fn key_for(&self, base_url: &str, seat: &str) -> Result<Option<String>, Failure> {
        let origin = origin(base_url);
        let keys = self.keys.borrow();
        let key = keys.get(&for_seat(&origin, seat)).or_else(|| keys.get(&origin));
        let key = key.map(|key| Secret::reveal(key).to_owned());
        if key.is_none() && origin.starts_with("https://") && !address::is_local(&origin) {
            let message = format!("No key for {origin} has been entered. Enter it, then resume the run.");
            return Err(Failure::new(FailureKind::Key, message));
        }
        Ok(key)
    }

    /// Asks the program in a seat. What it writes may come from a model.
    async fn ask_custom(
        &self,
        call: &Call,
        abort: &AbortController,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let mut reply = self.ask_program(call, abort, piece).await?;
        fetch::take_out_thoughts(&mut reply);
        let schema = call.request.schema.as_ref();
        let as_asked = |schema| structured::answered_as(AnsweredAs::Native, &reply.text, schema);
        let answered_as = reply.answered_as.or_else(|| schema.map(as_asked));
        Ok(Reply { answered_as, ..reply })
    }

    pub(super) async fn ask_program(
        &self,
        call: &Call,
        abort: &AbortController,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let Some(answer) = &self.options.answer else {
            let message = format!("No `answer` callback was provided for seat {}.", call.ask.seat);
            return Err(Failure::new(FailureKind::Unavailable, message));
        };
        let ask = self.program_question(call, abort);
        let callback_failure =
            |error: JsValue| Failure::new(FailureKind::Callback, self.describe_error(&call.ask.seat, &error));
        let mut given = answer
            .call1(&JsValue::UNDEFINED, &ask)
            .map_err(callback_failure)?;
        if !given.is_string() {
            let promise = js_sys::Promise::resolve(&given);
            given = JsFuture::from(promise).await.map_err(callback_failure)?;
        }
        // Reading a property of a string would throw.
        if given.is_object()
            && let Ok(values) = Reflect::get(&given, &"values".into())
            && values.is_object()
            && let Some(form) = call.form.as_ref().and_then(Formed::get)
        {
            let values = from_js(&values).map_err(callback_failure)?;
            return form
                .reply(&values)
                .map_err(|fault| callback_failure(JsValue::from_str(&fault.message)));
        }
        match read_reply(&given) {
            Some(reply) => Ok(reply),
            None => read_pieces(&given, &abort.signal(), &piece)
                .await
                .map_err(callback_failure),
        }
    }

    /// Builds the ask for a callback. Facts, which grow with the discussion, and the form are built on
    /// demand.
    fn program_question(&self, call: &Call, abort: &AbortController) -> JsValue {
        let (ask, request) = (&call.ask, &call.request);
        let roles: Vec<_> = request.messages.iter().map(|message| message.role).collect();
        // In the order that `question.js` reads.
        let head = json!([
            ask.id,
            self.id,
            ask.seat,
            self.session.borrow().protocol(),
            ask.kind,
            ask.phase,
            ask.round,
            ask.attempt,
            ask.language,
            request.stop,
            call.max_tokens,
            request.model,
            request.temperature,
            request.top_p,
            roles
        ]);
        let contents: Array = request
            .messages
            .iter()
            .map(|message| JsValue::from_str(&message.content.get()))
            .collect();
        let (facts, form) = (call.facts.clone(), call.form.clone());
        let make = move |is_form| {
            if is_form {
                to_js(&json!(form.as_ref().and_then(Formed::get)))
            } else {
                to_js(&facts.json())
            }
        };
        question(
            &head.to_string(),
            &request.system.get(),
            &contents,
            request
                .schema
                .as_ref()
                .map(|schema| structured::written(&structured::bound(schema))),
            abort,
            &Closure::<dyn FnMut(bool) -> JsValue>::new(make).into_js_value(),
        )
    }

    /// Returns the error of a callback as a message, with keys removed.
    fn describe_error(&self, seat: &str, error: &JsValue) -> String {
        let message = Reflect::get(error, &"message".into())
            .ok()
            .and_then(|message| message.as_string())
            .or_else(|| error.as_string())
            .unwrap_or_else(|| "no reason given".to_owned());
        let keys = self.keys.borrow();
        let message = keys.values().fold(scrub::scrub(&message, None), |message, key| {
            scrub::scrub(&message, Some(key.reveal()))
        });
        format!(
            "The answer callback failed for {seat}: {}",
            scrub::shorten(&message, 500)
        )
    }
}

/// Runs work until the signal is aborted, then returns `None`. Needed because Node.js 20 loses the signal of
/// a long-pending fetch.
async fn unless_aborted<T>(signal: &AbortSignal, work: impl Future<Output = T>) -> Option<T> {
    let aborted = js_sys::Promise::new(&mut |resolve, _| {
        let _ = signal.add_event_listener_with_callback("abort", &resolve);
    });
    match select(pin!(work), pin!(JsFuture::from(aborted))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

fn text_reply(text: String) -> Reply {
    Reply {
        text,
        ..Reply::default()
    }
}

fn answered(call: &Call, reply: Reply) -> Input {
    Input::Answered {
        ask: call.ask.id.clone(),
        attempt: call.attempt,
        reply,
    }
}

/// Reads a text, or `{ text, model, finish, reasoning, usage: { input, output } }`; `None` for other values.
fn read_reply(given: &JsValue) -> Option<Reply> {
    if let Some(text) = given.as_string() {
        return Some(text_reply(text));
    }
    let get = |name: &str| Reflect::get(given, &name.into()).ok();
    let text = |name: &str| get(name)?.as_string();
    Some(Reply {
        model: text("model"),
        finish: text("finish"),
        reasoning: text("reasoning").filter(|reasoning| !reasoning.is_empty()),
        usage: get("usage").and_then(|usage| {
            let count = |name: &str| Reflect::get(&usage, &name.into()).ok()?.as_f64();
            Some(Usage::of(count("input")? as u64, count("output")? as u64))
        }),
        ..text_reply(text("text")?)
    })
}

/// Joins the pieces of an async iterable until the call is cancelled. The last value may be the whole reply.
async fn read_pieces(given: &JsValue, signal: &AbortSignal, piece: &impl Fn(&str)) -> Result<Reply, JsValue> {
    let refused = || JsValue::from_str("it returned neither a text nor an iterable of texts");
    let start = Reflect::get(given, &js_sys::Symbol::async_iterator()).ok();
    let start = start
        .and_then(|start| start.dyn_into::<Function>().ok())
        .ok_or_else(refused)?;
    let iterator = start.call0(given)?;
    let call = |name: &str| -> Result<JsFuture, JsValue> {
        let function = Reflect::get(&iterator, &name.into())?;
        let function = function.dyn_ref::<Function>().ok_or_else(refused)?;
        Ok(js_sys::Promise::resolve(&function.call0(&iterator)?).into())
    };
    let mut text = String::new();
    let mut reply = None;
    loop {
        let next = call("next")?.await?;
        if Reflect::get(&next, &"done".into())?.is_truthy() {
            return Ok(reply.unwrap_or_else(|| text_reply(text)));
        }
        let value = Reflect::get(&next, &"value".into())?;
        if value.is_object() && reply.is_none() && !signal.aborted() {
            reply = Some(read_reply(&value).ok_or_else(refused)?);
            continue;
        }
        let part = value.as_string().filter(|_| reply.is_none());
        let Some(part) = part.filter(|_| !signal.aborted()) else {
            // Lets the iterator clean up, as `break` does in a loop.
            if let Ok(end) = call("return") {
                let _ = end.await;
            }
            return Err(refused());
        };
        piece(&part);
        text.push_str(&part);
    }
}
