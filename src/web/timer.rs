//! Timers that also work in a hidden tab.

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

/// Lets other tasks run (clicks, drawing, other sessions) if the page was busy for a while. Await it between
/// the steps of long work.
pub async fn yield_to_event_loop() {
    if let Some(turn) = turn_of_others() {
        let _ = JsFuture::from(turn).await;
    }
}

/// A timer that runs from its creation. The future is ready when it fires, or at once if something fails.
/// Cancelled when dropped.
#[derive(Debug)]
pub struct Timer {
    id: f64,
    done: JsFuture,
}

impl Timer {
    /// Starts a timer. Beyond 24 days it fires early: check the clock.
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
