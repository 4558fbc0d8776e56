//! The queue of model calls in this tab: one per endpoint origin, shared by all open sessions.
//! [`crate::providers::pace`] decides whose turn it is; this module lets calls wait, notifies the page and
//! sets a timer. A waiting call is not sent yet: its timeout does not run, and cancelling it leaves no
//! trace.

use super::driver::Driver;
use super::fetch::server_time;
use super::options::steady_clock;
use super::origin;
use super::timer::Timer;
use crate::core::ask::{Call, Failure, FailureKind, Millis};
use crate::providers::allowance::used_up;
use crate::providers::pace::{Pace, QueuedCall, Ticket, Wait};
use futures_util::future::{AbortHandle, abortable};
use gloo_net::http::Response;
use js_sys::{Date, Function, Promise};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::AbortSignal;

thread_local! {
    static QUEUE: RefCell<Queue> = RefCell::default();
}

#[derive(Default)]
struct Queue {
    pace: Pace,
    waiting: BTreeMap<Ticket, QueueEntry>,
    timer: Option<AbortHandle>,
}

/// A waiting call.
struct QueueEntry {
    driver: Weak<Driver>,
    call: Call,
    origin: String,
    signal: AbortSignal,
    /// Starts the call.
    resolve: Option<Function>,
    /// The last state sent to the page; `None` once the wait is over.
    notified: Option<Wait>,
    /// Whether the session has marked the call as queued.
    is_known: bool,
}

/// The turn of a call, until dropped.
pub(super) struct Turn(Ticket);

impl Drop for Turn {
    fn drop(&mut self) {
        QUEUE.with_borrow_mut(|queue| {
            queue.pace.leave(self.0);
            queue.waiting.remove(&self.0);
        });
        pump();
    }
}

/// A notification for the page.
struct Notice {
    driver: Rc<Driver>,
    call: Call,
    origin: String,
    waits: Option<Wait>,
}

thread_local! {
    static CLOCK: Function = steady_clock(None);
}

fn now() -> Millis {
    let time = CLOCK.with(|clock| clock.call0(&JsValue::UNDEFINED));
    time.ok().and_then(|time| time.as_f64()).unwrap_or_default() as Millis
}

/// Waits for the turn of a call, not before `not_before` by the session's clock. Returns `None` if the call
/// was cancelled.
pub(super) async fn turn(
    driver: &Rc<Driver>,
    call: &Call,
    base_url: &str,
    not_before: Millis,
    signal: &AbortSignal,
) -> Option<Turn> {
    let limits = driver.session.borrow().limits();
    let own = &driver.options.call_limits;
    let host = origin(base_url);
    let queued = QueuedCall {
        origin: host.clone(),
        session: driver.id.clone(),
        seat: call.ask.seat.clone(),
        at_once: own.at_once(base_url).unwrap_or_else(|| limits.at_once(base_url)),
        per_minute: own.per_minute(base_url).or_else(|| limits.per_minute(base_url)),
        not_before: now() + not_before.saturating_sub(driver.now()),
    };
    let mut resolve = None;
    let begins = Promise::new(&mut |start, _| resolve = Some(start));
    let place = QueueEntry {
        driver: Rc::downgrade(driver),
        call: call.clone(),
        origin: host,
        signal: signal.clone(),
        resolve,
        notified: None,
        is_known: false,
    };
    let turn = QUEUE.with_borrow_mut(|queue| {
        let ticket = queue.pace.join(queued);
        queue.waiting.insert(ticket, place);
        Turn(ticket)
    });
    pump();
    let _ = JsFuture::from(begins).await;
    (!signal.aborted()).then_some(turn)
}

/// Starts calls whose turn it is, notifies the page and sets the timer.
pub(super) fn pump() {
    let now = now();
    let (begun, notices) = QUEUE.with_borrow_mut(|queue| {
        let is_gone = |place: &QueueEntry| place.signal.aborted() || place.driver.strong_count() == 0;
        let cancelled: Vec<Ticket> = queue
            .waiting
            .iter()
            .filter(|(_, place)| is_gone(place))
            .map(|(ticket, _)| *ticket)
            .collect();
        cancelled.iter().for_each(|ticket| queue.pace.leave(*ticket));
        let begun = queue.pace.start(now);
        let over = cancelled.into_iter().chain(begun);
        let begun: Vec<QueueEntry> = over.filter_map(|ticket| queue.waiting.remove(&ticket)).collect();
        let mut notices = Vec::new();
        for (ticket, place) in queue.waiting.iter_mut() {
            let waits = queue.pace.waits(*ticket, now);
            let Some(driver) = place.driver.upgrade() else {
                continue;
            };
            if !place.is_known {
                place.is_known = true;
                let (ask, attempt) = (&place.call.ask.id, place.call.attempt);
                driver.session.borrow_mut().mark_queued(ask, attempt);
            }
            if waits != place.notified {
                place.notified = waits;
                notices.push(Notice {
                    driver,
                    call: place.call.clone(),
                    origin: place.origin.clone(),
                    waits,
                });
            }
        }
        (begun, notices)
    });
    for place in begun {
        end_wait(place);
    }
    for notice in notices {
        let Notice {
            driver,
            call,
            origin,
            waits,
        } = notice;
        driver.emit_waiting(&call, &origin, waits.map(|waits| to_session_time(&driver, waits)));
    }
    set_timer(now);
}

/// Ends the wait of a call, started or cancelled.
fn end_wait(place: QueueEntry) {
    if let Some(driver) = place.driver.upgrade() {
        if place.is_known && !place.signal.aborted() {
            let (ask, attempt) = (&place.call.ask.id, place.call.attempt);
            let now = driver.now();
            driver.session.borrow_mut().mark_started(ask, attempt, now);
            driver.set_timer();
        }
        if place.notified.is_some() {
            driver.emit_waiting(&place.call, &place.origin, None);
        }
    }
    if let Some(resolve) = place.resolve {
        let _ = resolve.call0(&JsValue::UNDEFINED);
    }
}

fn set_timer(now: Millis) {
    let timer = QUEUE.with_borrow_mut(|queue| {
        if let Some(timer) = queue.timer.take() {
            timer.abort();
        }
        let next = queue.pace.next(now)?;
        let (rings, handle) = abortable(async move {
            Timer::after(next.saturating_sub(now).max(1)).await;
        });
        queue.timer = Some(handle);
        Some(rings)
    });
    if let Some(rings) = timer {
        spawn_local(async move {
            if rings.await.is_ok() {
                pump();
            }
        });
    }
}

/// Converts a time to the session's clock, which a test may replace.
fn to_session_time(driver: &Driver, waits: Wait) -> Wait {
    let until = waits
        .until
        .map(|until| driver.now() + until.saturating_sub(now()));
    Wait { until, ..waits }
}

/// Returns the waiting calls of a session, by ask.
pub(super) fn waiting_calls(driver: &Driver) -> BTreeMap<String, Wait> {
    let now = now();
    QUEUE.with_borrow(|queue| {
        let own = queue
            .waiting
            .iter()
            .filter(|(_, place)| std::ptr::eq(place.driver.as_ptr(), driver));
        own.filter_map(|(ticket, place)| {
            let waits = queue.pace.waits(*ticket, now)?;
            Some((place.call.ask.id.clone(), to_session_time(driver, waits)))
        })
        .collect()
    })
}

/// Parks or unparks the waiting calls of a suspended session.
pub(super) fn park(session: &str, is_parked: bool) {
    QUEUE.with_borrow_mut(|queue| {
        if is_parked {
            queue.pace.park(session);
        } else {
            queue.pace.unpark(session);
        }
    });
    pump();
}

/// Unparks one call. Returns `false` if there is none.
pub(super) fn unpark_one(session: &str) -> bool {
    let is_one = QUEUE.with_borrow_mut(|queue| queue.pace.unpark_one(session));
    pump();
    is_one
}

/// Removes a closed session.
pub(super) fn forget(session: &str) {
    QUEUE.with_borrow_mut(|queue| queue.pace.forget(session));
    pump();
}

/// Lifts an origin's rate limit, after a change of key.
pub(super) fn lift(origin: &str) {
    QUEUE.with_borrow_mut(|queue| queue.pace.lift(origin));
}

/// Records an endpoint's response and failure.
pub(super) fn note_response(url: &str, response: &Response, failure: Option<&Failure>) {
    let host = origin(url);
    let now = now();
    let header = |name: &str| response.headers().get(name);
    let date = |text: &str| Some(Date::parse(text)).filter(|moment| moment.is_finite());
    let wait = used_up(header, date, server_time(response));
    QUEUE.with_borrow_mut(|queue| match failure {
        Some(failure) if failure.kind == FailureKind::RateLimit => {
            queue.pace.refused(&host, now, failure.retry_after_ms.or(wait));
        }
        Some(failure) if matches!(failure.status, Some(503 | 529)) && failure.retry_after_ms.is_some() => {
            queue.pace.refused(&host, now, failure.retry_after_ms);
        }
        Some(_) => {}
        None => queue.pace.answered(&host, now, wait),
    });
    pump();
}

/// Records another request of the same call.
pub(super) fn note_retry(url: &str) {
    let host = origin(url);
    QUEUE.with_borrow_mut(|queue| queue.pace.asks_again(&host, now()));
}
