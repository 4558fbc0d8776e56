//! Calls to seats that are no people: scripted participants, models, programs of the page. What comes
//! of a call goes back to the driver; whether it is tried again is the session's word.

use super::driver::Driver;
use super::options::Secret;
use super::timer::Timer;
use super::{fetch, lazily, origin, to_js};
use crate::model::{address, refusal, scrub};
use crate::seat::{Seat, SeatKind, scripted};
use crate::session::Input;
use crate::session::ask::{Call, Failure, FailureKind, Message, Millis, Reply, Request};
use js_sys::{Array, Function, Reflect};
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, AbortSignal};

impl Driver {
    pub(super) fn scripted_answer(&self, call: &Call, seat: &Seat) -> Input {
        answered(call, spoken(self.scripted(seat, call)))
    }

    fn scripted(&self, seat: &Seat, call: &Call) -> String {
        scripted::answer(seat, self.seed, &call.ask, &call.request, &call.facts)
    }

    /// Makes a call in the background and takes in what comes of it.
    pub(super) fn put(self: &Rc<Self>, call: Call, seat: Rc<Seat>, not_before: Millis) {
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
            if signal.aborted() {
                return;
            }
            let sent_at = driver.now();
            let first = Cell::new(None);
            let piece = |text: &str| {
                if signal.aborted() {
                    return;
                }
                if first.get().is_none() {
                    first.set(Some(driver.now()));
                }
                driver.emit_piece(&call, text);
            };
            let came = match seat.kind {
                SeatKind::Scripted => Ok(driver.perform(&seat, &call, &signal, piece).await),
                SeatKind::Model => driver.ask_model(&call, &seat, &signal, piece).await,
                SeatKind::Custom | SeatKind::Human => driver.ask_program(&call, &signal, piece).await,
                SeatKind::Source => Ok(driver.ask_source(&call, &signal).await),
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

    /// Ends the call for an ask, if one is on its way (where `attempt` is told: that one only).
    pub(super) fn cancel(&self, ask: &str, attempt: Option<u32>) {
        let ended = {
            let mut calls = self.calls.borrow_mut();
            let is_meant =
                |(current, _): &(u32, AbortController)| attempt.is_none_or(|meant| meant == *current);
            if calls.get(ask).is_some_and(is_meant) {
                calls.remove(ask)
            } else {
                None
            }
        };
        // The page may listen to this, so nothing is borrowed any longer.
        if let Some((_, abort)) = ended {
            abort.abort();
        }
    }

    pub(super) fn cancel_all(&self) {
        let calls = self.calls.take();
        for (_, abort) in calls.into_values() {
            abort.abort();
        }
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
    async fn perform(&self, seat: &Seat, call: &Call, signal: &AbortSignal, piece: impl Fn(&str)) -> Reply {
        let text = self.scripted(seat, call);
        let characters: Vec<char> = text.chars().collect();
        let pieces = (characters.len() / 8).clamp(1, 40);
        let pause = Millis::from(self.pace.get()) / (pieces as u64 + 1);
        Timer::after(pause).await;
        for chunk in characters.chunks(characters.len().div_ceil(pieces).max(1)) {
            if signal.aborted() {
                break;
            }
            piece(&chunk.iter().collect::<String>());
            Timer::after(pause).await;
        }
        spoken(text)
    }

    async fn ask_model(
        &self,
        call: &Call,
        seat: &Seat,
        signal: &AbortSignal,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let key = self.key_for(seat.base_url.as_deref().unwrap_or(""))?;
        let request = if call.max_tokens == call.request.max_tokens {
            Rc::clone(&call.request)
        } else {
            Rc::new(Request {
                max_tokens: call.max_tokens,
                ..(*call.request).clone()
            })
        };
        let came = fetch::call(&request, key.as_deref(), signal, piece).await;
        refusal::starved(call, came)
    }

    /// The key that was entered for the origin of this address; `None` where none is needed.
    pub(super) fn key_for(&self, base_url: &str) -> Result<Option<String>, Failure> {
        let origin = origin(base_url);
        let keys = self.keys.borrow();
        let key = keys.get(&origin).map(|key| Secret::reveal(key).to_owned());
        if key.is_none() && origin.starts_with("https://") && !address::is_local(&origin) {
            let message = format!("No key for {origin} has been entered. Enter it, then resume the run.");
            return Err(failure(FailureKind::Key, message));
        }
        Ok(key)
    }

    pub(super) async fn ask_program(
        &self,
        call: &Call,
        signal: &AbortSignal,
        piece: impl Fn(&str),
    ) -> Result<Reply, Failure> {
        let Some(answer) = &self.options.answer else {
            let message = format!(
                "Nobody answers for {}: the page gave no answer callback.",
                call.ask.seat
            );
            return Err(failure(FailureKind::Unavailable, message));
        };
        let ask = self.told_program(call, signal);
        let threw = |error: JsValue| failure(FailureKind::Callback, self.complaint(&call.ask.seat, &error));
        let given = answer.call1(&JsValue::UNDEFINED, &ask).map_err(threw)?;
        let given = JsFuture::from(js_sys::Promise::resolve(&given))
            .await
            .map_err(threw)?;
        match given.as_string() {
            Some(text) => Ok(spoken(text)),
            None => gather(&given, signal, &piece).await.map(spoken).map_err(threw),
        }
    }

    /// The ask as a callback gets it. The facts, which grow with the discussion, are made when they are
    /// looked at.
    fn told_program(&self, call: &Call, signal: &AbortSignal) -> JsValue {
        let (ask, request) = (&call.ask, &call.request);
        let told = to_js(&json!({
            "id": ask.id, "session": self.id, "seat": ask.seat, "protocol": self.session.borrow().protocol(),
            "kind": ask.kind, "phase": ask.phase, "round": ask.round, "attempt": ask.attempt, "language": ask.language,
            "stop": request.stop, "maxTokens": call.max_tokens,
        }));
        let messages: Array = request.messages.iter().map(message).collect();
        let set = |name: &str, value: &JsValue| Reflect::set(&told, &name.into(), value);
        let _ = set("system", &request.system.as_str().into());
        let _ = set("messages", &messages);
        let _ = set("signal", signal);
        let facts = Rc::clone(&call.facts);
        let facts = Closure::<dyn FnMut() -> JsValue>::new(move || to_js(&*facts)).into_js_value();
        lazily(&told, "facts", &facts);
        told
    }

    /// What a callback threw, in a sentence without any key.
    fn complaint(&self, seat: &str, error: &JsValue) -> String {
        let told = Reflect::get(error, &"message".into())
            .ok()
            .and_then(|message| message.as_string())
            .or_else(|| error.as_string())
            .unwrap_or_else(|| "no reason given".to_owned());
        let keys = self.keys.borrow();
        let told = keys.values().fold(scrub::scrub(&told, None), |told, key| {
            scrub::scrub(&told, Some(key.reveal()))
        });
        format!(
            "The answer callback failed for {seat}: {}",
            scrub::shorten(&told, 500)
        )
    }
}

fn message(message: &Message) -> JsValue {
    let told = to_js(&json!({ "role": message.role }));
    let _ = Reflect::set(&told, &"content".into(), &message.content.as_str().into());
    told
}

fn spoken(text: String) -> Reply {
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

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure {
        kind,
        message,
        status: None,
        retry_after_ms: None,
        body: None,
        usage: None,
    }
}

/// The pieces of an async iterable, together; no more of them once the call is cancelled.
async fn gather(given: &JsValue, signal: &AbortSignal, piece: &impl Fn(&str)) -> Result<String, JsValue> {
    let refused = || JsValue::from_str("it gave neither a text nor pieces of text");
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
    loop {
        let next = call("next")?.await?;
        if Reflect::get(&next, &"done".into())?.is_truthy() {
            return Ok(text);
        }
        let part = Reflect::get(&next, &"value".into())?.as_string();
        let Some(part) = part.filter(|_| !signal.aborted()) else {
            // It may have something to tidy up, as after `break` in a loop over it.
            if let Ok(end) = call("return") {
                let _ = end.await;
            }
            return Err(refused());
        };
        piece(&part);
        text.push_str(&part);
    }
}
