//! Waiting, also in a hidden tab. The clock itself is not here.

use js_sys::{Array, Promise};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/web/timer.js")]
extern "C" {
    fn start(milliseconds: f64) -> Array;
    fn cancel(id: f64);
    #[wasm_bindgen(js_name = breathe)]
    fn turn_of_others() -> Option<Promise>;
}

/// Lets others have their turn (clicks, drawing, other sessions) where the page was kept busy for a while: to be
/// awaited between the steps of long work.
pub async fn yield_to_event_loop() {
    if let Some(turn) = turn_of_others() {
        let _ = JsFuture::from(turn).await;
    }
}

/// A timer that runs from the moment it is made; as a future it is ready when its time has come, at
/// once if something is odd. Dropped, it is cancelled.
#[derive(Debug)]
pub struct Timer {
    id: f64,
    done: JsFuture,
}

impl Timer {
    /// A timer of so many milliseconds. Beyond 24 days it comes too early: ask the clock.
    #[must_use]
    pub fn after(milliseconds: u64) -> Self {
        let pair = start(milliseconds as f64);
        let promise = pair
            .get(1)
            .dyn_into::<Promise>()
            .unwrap_or_else(|value| Promise::resolve(&value));
        Self {
            id: pair.get(0).as_f64().unwrap_or_default(),
            done: JsFuture::from(promise),
        }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.done).poll(context).map(|_| ())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        cancel(self.id);
    }
}
