//! The driver of one session: stores entries, then emits them and runs effects, then sets one timer. Inputs
//! that arrive during a transaction share the next one. Effects and events of an answer follow only after
//! the answer is stored, so a crash of the page loses nothing that was shown.
//!
//! JS is called while no session state is borrowed, so callbacks may use the session.

mod open;
pub(crate) mod record_writer;
mod state;
mod summary_writer;

use super::error::lab_error;
use super::lock::Lock;
use super::options::{Options, Secret};
use super::recorded::RecordedCalls;
use super::store::{Durability, Store, StoreCode, StoreError, Summarize};
use super::timer::{Timer, yield_to_event_loop};
use super::{fetch, origin, queue, signature, to_js};
use crate::core::ask::{Call, Millis, Reply};
use crate::core::codec::{self, Writer};
use crate::core::form::Formed;
use crate::core::record::{Command, Entry, EntryKind, Halt};
use crate::core::view::View;
use crate::core::view::naming::Names;
use crate::core::{Effect, Input, Session, Status};
use crate::providers::pace::Wait;
use crate::seat::{Seat, SeatKind};
use crate::thought::Addition;
use futures_util::future::{AbortHandle, abortable};
use js_sys::{Function, Promise, Reflect};
use record_writer::RecordWriter;
use serde_json::{Value, json};
use state::{Change, State};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use summary_writer::{SummaryWriter, summarize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

pub(crate) struct Driver {
    pub(crate) id: String,
    pub(crate) session: RefCell<Session>,
    store: RefCell<Option<Rc<Store>>>,
    lock: RefCell<Option<Lock>>,
    pub(super) options: Options,
    pub(super) keys: RefCell<BTreeMap<String, Secret>>,
    pub(super) pace: Cell<u32>,
    /// No call is sent before this time of the session's clock.
    pub(super) held_until: Cell<Millis>,
    /// Calls, by ask and attempt, that are not made before.
    pub(super) held: RefCell<BTreeSet<(String, u32)>>,
    pub(super) seed: u32,
    summary_writer: SummaryWriter,
    /// Views of the run, one per role in use.
    pub(super) views: RefCell<Vec<View>>,
    /// What the people are called in all views.
    pub(super) names: RefCell<Rc<Names>>,
    pub(super) recorded_calls: RecordedCalls,
    record_writer: RefCell<RecordWriter>,
    pub(super) inbox: RefCell<VecDeque<Input>>,
    unstored: RefCell<PendingWrite>,
    /// Why the last entries are not stored yet.
    storage_failure: RefCell<Option<StorageFailure>>,
    state: Cell<State>,
    /// Whether [`Self::process_inbox`] runs. It does so in every state: a closed driver stores what is pending.
    is_working: Cell<bool>,
    /// Calls in progress by ask: attempt, and the controller that aborts it.
    pub(super) calls: RefCell<BTreeMap<String, (u32, AbortController)>>,
    /// Seats whose answers have begun within a thought, without a tag before it. Theirs are streamed from its end on.
    pub(super) thoughtful_seats: RefCell<BTreeSet<String>>,
    /// When the timer fires, and its handle.
    timer: RefCell<Option<(Millis, AbortHandle)>>,
    /// Promises for the end of the run.
    waiting: RefCell<Vec<Waiter>>,
    /// Promises for the next rest of the run: resolve and reject.
    settling: RefCell<Vec<(Function, Function)>>,
    /// Promises for the end of storing after `close`.
    closing: RefCell<Vec<Function>>,
}

/// A promise for the end of the run.
struct Waiter {
    resolve: Function,
    reject: Function,
    /// Whether a person attends the run and can help when it is suspended.
    attended: bool,
}

/// Entries to be stored, and the effects that follow.
#[derive(Default)]
struct PendingWrite {
    entries: Vec<Rc<Entry>>,
    /// The entries, encoded.
    lines: Vec<String>,
    effects: Vec<Effect>,
}

impl Driver {
    /// `writer` has written the given number of entries of the record.
    pub(crate) fn new(
        session: Session,
        (writer, written): (Writer, usize),
        id: String,
        mut options: Options,
        store: Option<Store>,
        lock: Option<Lock>,
    ) -> Rc<Self> {
        grow_memory();
        let record = session.record();
        let seed = match record.first().map(|entry| &entry.what) {
            Some(EntryKind::Started(started)) => started.seed,
            _ => 0,
        };
        // The record may come from a clock that was ahead.
        let now = options.now_after(record.last().map_or(0, |entry| entry.at));
        Rc::new(Self {
            id,
            session: RefCell::new(session),
            store: RefCell::new(store.map(Rc::new)),
            lock: RefCell::new(lock),
            keys: RefCell::new(std::mem::take(&mut options.keys)),
            pace: Cell::new(options.pace),
            held_until: Cell::default(),
            held: RefCell::default(),
            seed,
            summary_writer: SummaryWriter::new(&record, now),
            views: RefCell::default(),
            names: RefCell::default(),
            recorded_calls: RecordedCalls::default(),
            options,
            record_writer: RefCell::new(RecordWriter::new(writer, written)),
            inbox: RefCell::default(),
            unstored: RefCell::default(),
            storage_failure: RefCell::default(),
            state: Cell::new(State::Opened),
            is_working: Cell::new(false),
            calls: RefCell::default(),
            thoughtful_seats: RefCell::default(),
            timer: RefCell::default(),
            waiting: RefCell::default(),
            settling: RefCell::default(),
            closing: RefCell::default(),
        })
        .register()
    }

    /// Changes the state. Returns `false` if it stays the same.
    fn change(&self, change: Change) -> bool {
        let before = self.state.get();
        self.state.set(before.after(change));
        self.state.get() != before
    }

    fn is_closed(&self) -> bool {
        self.state.get() == State::Closed
    }

    pub(crate) fn now(&self) -> Millis {
        self.options.now()
    }

    pub(crate) fn set_pace(&self, pace: u32, held_until: Millis) {
        self.pace.set(pace);
        self.held_until.set(held_until);
    }

    /// Adds keys, and removes those that are `None`. A new key lifts the rate limit of its endpoint.
    pub(crate) fn set_keys(&self, keys: BTreeMap<String, Option<Secret>>) {
        for (place, key) in keys {
            let mut known = self.keys.borrow_mut();
            let Some(key) = key else {
                known.remove(&place);
                continue;
            };
            let is_other = known.get(&place).is_none_or(|old| old.reveal() != key.reveal());
            known.insert(place.clone(), key);
            drop(known);
            if is_other {
                queue::lift(place.split('#').next().unwrap_or_default());
            }
        }
    }

    /// Returns the store of the record; `None` for a session in memory.
    pub(crate) fn store(&self) -> Option<Rc<Store>> {
        self.store.borrow().clone()
    }

    /// Opens a new connection after the last one was closed, and stores what is missing there, as a write does.
    pub(crate) async fn reconnect(&self) -> Result<Rc<Store>, StoreError> {
        if self.is_closed() {
            return Ok(Rc::new(self.options.place.open().await?));
        }
        let last = self.session.borrow().record().last().cloned();
        self.rewrite(last.as_slice(), summarize(self.summary_with(last.as_slice())))
            .await?;
        self.store().ok_or_else(StoreError::lost)
    }

    /// Stores entries before any event or effect.
    pub(crate) async fn store_first(self: &Rc<Self>, entries: &[Rc<Entry>]) -> Result<(), JsValue> {
        let mut lines = Vec::with_capacity(entries.len());
        for entry in entries {
            yield_to_event_loop().await;
            lines.append(&mut self.lines(std::slice::from_ref(entry)));
            self.index_entries(entry.seq + 1);
        }
        Ok(self.write(entries, &lines).await?)
    }

    /// Starts or resumes the run, including calls in progress.
    pub(crate) fn start(self: &Rc<Self>) {
        if self.is_closed() {
            return;
        }
        if self.change(Change::Start) {
            let now = self.now();
            let outcome = self.session.borrow_mut().reopen(now);
            self.queue_outcome(outcome.entries, outcome.effects);
        }
        self.work();
    }

    /// Resolves with the result at the end. Rejects on stop, on close and, unless the run is attended, when
    /// it is suspended until someone helps.
    pub(crate) fn finished(self: &Rc<Self>, attended: bool) -> Promise {
        let promise = Promise::new(&mut |resolve, reject| {
            self.waiting.borrow_mut().push(Waiter {
                resolve,
                reject,
                attended,
            });
        });
        self.resolve_waiters();
        promise
    }

    pub(crate) fn command(self: &Rc<Self>, command: Command) {
        // The pause command may still be in the inbox.
        let is_paused = self.state.get() == State::Suspended
            && !matches!(self.session.borrow().status(), Status::Halted(_));
        if is_paused && command == Command::Step && queue::unpark_one(&self.id) {
            // This call was queued before the pause, and is the one to let through.
            return;
        }
        if command == Command::Pause {
            self.suspend(true);
        }
        if command == Command::Resume {
            // A resumed call does not wait for an earlier rate limit.
            for open in self.session.borrow().open_asks() {
                let troubled = open.trouble.and(open.call.request.base_url.as_deref());
                troubled.map(origin).iter().for_each(|host| queue::lift(host));
            }
        }
        self.take_in(Input::Command(command));
    }

    /// Returns the form of an open ask.
    pub(crate) fn form_of(&self, ask: &str) -> Option<Formed> {
        let open = self.session.borrow().open_asks();
        open.into_iter().find(|open| open.call.ask.id == ask)?.call.form
    }

    /// Submits an answer to an open ask of any seat. Returns `false` if the ask is not open.
    pub(crate) fn answer(self: &Rc<Self>, ask: &str, mut reply: Reply) -> bool {
        let is_answered = |input: &Input| matches!(input, Input::Answered { ask: other, .. } if other == ask);
        if self.is_closed() || self.inbox.borrow().iter().any(is_answered) {
            return false;
        }
        let open = self.session.borrow().open_asks();
        let open = open
            .iter()
            .find(|open| open.call.ask.id == ask && open.since.is_some());
        let Some(open) = open else { return false };
        // What a person writes is said as it is.
        if open.seat.kind != SeatKind::Human {
            fetch::take_out_thoughts(&mut reply);
        }
        let attempt = open.call.attempt;
        self.take_in(Input::Answered {
            ask: ask.to_owned(),
            attempt,
            reply,
        });
        self.cancel(ask, None);
        true
    }

    /// Aborts all calls, stores pending entries, then releases the lock. Resolves when done.
    pub(crate) fn close(self: &Rc<Self>) -> Promise {
        if !self.change(Change::Close) {
            return Promise::resolve(&JsValue::UNDEFINED);
        }
        self.stop_timer();
        self.cancel_all();
        // Revoking keys later does not reach a closed session.
        self.keys.take();
        queue::forget(&self.id);
        let stored = Promise::new(&mut |resolve, _| self.closing.borrow_mut().push(resolve));
        let closed = match self.lock.take() {
            Some(lock) => lock.give_back_after(&stored),
            None => stored,
        };
        self.work();
        closed
    }

    pub(super) fn take_in(self: &Rc<Self>, input: Input) {
        if self.is_closed() {
            return;
        }
        self.inbox.borrow_mut().push_back(input);
        self.work();
    }

    fn work(self: &Rc<Self>) {
        if !self.is_working.replace(true) {
            spawn_local(Rc::clone(self).process_inbox());
        }
    }

    /// Handles inputs, stores the entries, then runs the effects, until the inbox is empty.
    async fn process_inbox(self: Rc<Self>) {
        loop {
            yield_to_event_loop().await;
            self.handle_inbox();
            let PendingWrite {
                entries,
                lines,
                effects,
            } = self.unstored.take();
            if entries.is_empty() && (effects.is_empty() || self.is_closed()) {
                break;
            }
            if let Err(error) = self.report_slow_write(self.write(&entries, &lines)).await {
                // Later entries follow those that could not be stored.
                let mut later = self.unstored.take();
                later.entries.splice(..0, entries);
                later.lines.splice(..0, lines);
                let effects_later = std::mem::replace(&mut later.effects, effects);
                *self.unstored.borrow_mut() = later;
                self.queue_effects(effects_later);
                self.handle_store_error(error);
                break;
            }
            if self.is_closed() {
                continue;
            }
            self.storage_failure.take();
            if let Some(last) = entries.last() {
                let end = last.seq as usize + 1;
                let fields = || [("entries", self.data(end - entries.len(), end).into())];
                self.emit("entries", fields);
            }
            for effect in effects {
                self.do_effect(effect);
            }
            self.check_for_stall();
            self.emit("status", || [("status", self.status()), ("usage", self.usage())]);
        }
        if self.is_closed() {
            self.write_last().await;
        }
        self.is_working.set(false);
        self.set_timer();
        self.resolve_waiters();
        self.resolve_settling();
        for resolve in self.closing.take() {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    }

    fn handle_inbox(&self) {
        for input in self.inbox.take() {
            let now = self.now();
            let outcome = self.session.borrow_mut().handle(now, input);
            self.queue_outcome(outcome.entries, outcome.effects);
        }
    }

    /// Queues entries and effects. Before the start effects are dropped: `start` sends all open calls.
    fn queue_outcome(&self, entries: Vec<Rc<Entry>>, effects: Vec<Effect>) {
        let lines = self.lines(&entries);
        let mut unstored = self.unstored.borrow_mut();
        unstored.entries.extend(entries);
        unstored.lines.extend(lines);
        drop(unstored);
        if self.state.get().is_started() {
            self.queue_effects(effects);
        }
    }

    fn queue_effects(&self, effects: Vec<Effect>) {
        let mut unstored = self.unstored.borrow_mut();
        for effect in effects {
            let is_begun = |held: &Effect| match (held, &effect) {
                (Effect::Ask { call, .. }, Effect::Cancel { ask, attempt }) => {
                    call.ask.id == *ask && call.attempt == *attempt
                }
                _ => false,
            };
            match unstored.effects.iter().position(is_begun) {
                Some(place) => drop(unstored.effects.remove(place)),
                None => unstored.effects.push(effect),
            }
        }
    }

    async fn write(self: &Rc<Self>, entries: &[Rc<Entry>], lines: &[String]) -> Result<(), StoreError> {
        let Some(store) = self.store().filter(|_| !entries.is_empty()) else {
            return Ok(());
        };
        let is_turning_point = entries
            .iter()
            .any(|entry| matches!(entry.what, EntryKind::Started(_) | EntryKind::Ended { .. }));
        let durability = if is_turning_point {
            Durability::Strict
        } else {
            Durability::Relaxed
        };
        let updated = self.summary_with(entries);
        let mut has_summary = is_turning_point || self.summary_writer.is_due();
        let summary = has_summary.then(|| summarize(updated.clone()));
        let rows = self.rows_of(entries);
        let lines = (entries.first().map_or(0, |entry| entry.seq)..).zip(lines.iter().cloned());
        let mut stored = store
            .append_calls(
                &self.id,
                &lines.collect::<Vec<_>>(),
                Some(&rows),
                summary,
                durability,
            )
            .await;
        if let Err(error) = &stored
            && matches!(error.code, StoreCode::Unavailable | StoreCode::Corrupt)
        {
            has_summary = true;
            // This error is more specific than the lost connection.
            stored = self.rewrite(entries, summarize(updated.clone())).await;
        }
        if stored.is_ok() {
            self.drop_stored_rows(entries.last().map_or(0, |entry| entry.seq));
            self.note_stored(updated, has_summary);
            if entries
                .iter()
                .any(|entry| matches!(entry.what, EntryKind::Ended { .. }))
            {
                self.sign_record(store);
            }
        }
        stored
    }

    /// Reports a write that exceeds [`PATIENCE`].
    async fn report_slow_write(
        self: &Rc<Self>,
        write: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<(), StoreError> {
        if self.store.borrow().is_none() {
            return Ok(());
        }
        let driver = Rc::clone(self);
        let (patience, handle) = abortable(async move {
            Timer::after(PATIENCE).await;
            driver.set_storage_failure(StoreError::silent());
        });
        spawn_local(async move {
            let _ = patience.await;
        });
        let written = write.await;
        handle.abort();
        written
    }

    /// Keeps the entries in memory and retries with increasing delays.
    fn handle_store_error(self: &Rc<Self>, error: StoreError) {
        let tries = self
            .storage_failure
            .borrow()
            .as_ref()
            .map_or(0, |failure| failure.tries);
        self.set_storage_failure(error);
        let driver = Rc::clone(self);
        let (again, handle) = abortable(async move {
            Timer::after(RETRY_DELAY << tries.min(4)).await;
            if driver.storage_failure.borrow().is_some() && !driver.is_closed() {
                driver.work();
            }
        });
        if let Some(failure) = self.storage_failure.borrow_mut().as_mut() {
            failure.tries = tries + 1;
            if let Some(before) = failure.again.replace(handle) {
                before.abort();
            }
        }
        spawn_local(async move {
            let _ = again.await;
        });
    }

    fn set_storage_failure(&self, error: StoreError) {
        self.emit("storage", || [("error", error.clone().into())]);
        let (tries, again) = self
            .storage_failure
            .take()
            .map_or((0, None), |failure| (failure.tries, failure.again));
        *self.storage_failure.borrow_mut() = Some(StorageFailure { error, tries, again });
        self.emit("status", || [("status", self.status()), ("usage", self.usage())]);
    }

    /// Retries to store pending entries at once.
    pub(crate) fn store_again(self: &Rc<Self>) {
        self.work();
    }

    /// Signs the record written so far, and stores the signature.
    fn sign_record(self: &Rc<Self>, store: Rc<Store>) {
        let ((entries, hash), id) = (self.hash(), self.id.clone());
        spawn_local(async move {
            if let Some(signature) = signature::sign(&store, entries, &hash).await {
                let _ = store.put_signature(&id, &json!(signature).to_string()).await;
            }
        });
    }

    /// Stores missing entries up to the end of `entries` over a new connection, after the data was removed.
    async fn rewrite(&self, entries: &[Rc<Entry>], summarize: Summarize) -> Result<(), StoreError> {
        let store = self.options.place.open().await?;
        let stored = store.load(&self.id).await?;
        let until = entries
            .last()
            .map_or(0, |entry| entry.seq)
            .try_into()
            .unwrap_or(usize::MAX);
        let record = self.session.borrow().record();
        let ours: Vec<_> = (0..)
            .zip(codec::lines(record.get(..=until).unwrap_or(&record)))
            .collect();
        let is_ours = |(stored, (_, line)): (&String, &(u64, String))| stored == line;
        if stored.len() > ours.len() || !stored.iter().zip(&ours).all(is_ours) {
            return Err(StoreError::foreign(&self.id));
        }
        // A new record is indexed as a whole later.
        let rows = (!stored.is_empty()).then(|| self.rows_of(entries));
        store
            .append_calls(
                &self.id,
                &ours[stored.len()..],
                rows.as_deref(),
                Some(summarize),
                Durability::Strict,
            )
            .await?;
        *self.store.borrow_mut() = Some(Rc::new(store));
        Ok(())
    }

    fn do_effect(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Cancel { ask, attempt } => self.cancel(&ask, Some(attempt)),
            Effect::Ask { .. } if self.is_closed() => {}
            Effect::Ask {
                call,
                seat,
                not_before,
                stood_in,
            } => match seat.kind {
                _ if stood_in => self.perform_at_pace(
                    call,
                    Rc::new(Seat {
                        kind: SeatKind::Human,
                        ..(*seat).clone()
                    }),
                    not_before,
                ),
                SeatKind::Human => {}
                SeatKind::Scripted => self.perform_at_pace(call, seat, not_before),
                _ => self.start_call(call, seat, not_before),
            },
        }
    }

    /// Makes sure that the timer fires no later than the next deadline. Deadlines move with every answer: a
    /// timer that fires early finds nothing due and is set again.
    pub(super) fn set_timer(self: &Rc<Self>) {
        let deadline = self.session.borrow().deadline();
        let Some(deadline) = deadline.filter(|_| self.state.get().is_started()) else {
            self.stop_timer();
            return;
        };
        if self
            .timer
            .borrow()
            .as_ref()
            .is_some_and(|(rings, _)| *rings <= deadline)
        {
            return;
        }
        self.stop_timer();
        let driver = Rc::clone(self);
        let (tick, handle) = abortable(async move {
            Timer::after(deadline.saturating_sub(driver.now())).await;
            driver.timer.take();
            driver.take_in(Input::Tick);
        });
        *self.timer.borrow_mut() = Some((deadline, handle));
        spawn_local(async move {
            let _ = tick.await;
        });
    }

    fn stop_timer(&self) {
        if let Some((_, timer)) = self.timer.take() {
            timer.abort();
        }
    }

    fn resolve_waiters(&self) {
        if self.is_working.get() {
            return;
        }
        if self.waiting.borrow().is_empty() {
            return;
        }
        let only_for = self.session.borrow().only_for().map(other_engine);
        let status = self.session.borrow().status();
        let outcome = match &status {
            Status::Ended if self.unstored.borrow().entries.is_empty() => Ok(self.result()),
            _ if self.is_closed() => Err(("closed", "the session was closed; open it again to go on")),
            Status::Stopped if only_for.is_some() => Err(("engine", only_for.as_deref().unwrap_or_default())),
            Status::Stopped => Err(("stopped", "the run was stopped; resume() goes on")),
            Status::Halted(halt) if !halt.is_for_people() => Err(("waiting", "the run is suspended")),
            _ => return,
        };
        let is_kept = |one: &Waiter| one.attended && matches!(outcome, Err(("waiting", _)));
        let (later, now): (Vec<_>, Vec<_>) = self.waiting.take().into_iter().partition(is_kept);
        *self.waiting.borrow_mut() = later;
        for Waiter { resolve, reject, .. } in now {
            let _ = match &outcome {
                Ok(result) => resolve.call1(&JsValue::UNDEFINED, &to_js(result)),
                Err((code, message)) => reject.call1(&JsValue::UNDEFINED, &lab_error(code, message)),
            };
        }
    }

    fn result(&self) -> Value {
        let record = self.session.borrow().record();
        let ended = record.iter().rev().find_map(|entry| match &entry.what {
            EntryKind::Ended { result } => Some(result.clone()),
            _ => None,
        });
        ended.unwrap_or_default()
    }

    pub(super) fn emit_piece(&self, call: &Call, addition: &Addition) {
        self.emit("piece", || {
            [
                ("ask", call.ask.id.as_str().into()),
                ("seat", call.ask.seat.as_str().into()),
                ("kind", call.ask.kind.name().into()),
                ("text", addition.text.as_str().into()),
                ("startsOver", addition.starts_over.into()),
            ]
        });
    }

    /// Emits how a call waits for its turn; `None`: it no longer waits.
    pub(super) fn emit_waiting(&self, call: &Call, origin: &str, waits: Option<Wait>) {
        let number = |value: f64| JsValue::from_f64(value);
        self.emit("waiting", || {
            let until = waits.and_then(|waits| waits.until);
            [
                ("ask", call.ask.id.as_str().into()),
                ("seat", call.ask.seat.as_str().into()),
                ("origin", origin.into()),
                (
                    "until",
                    until.map_or(JsValue::UNDEFINED, |until| number(until as f64)),
                ),
                ("ahead", number(waits.map_or(0, |waits| waits.ahead) as f64)),
                (
                    "why",
                    waits.map_or(JsValue::NULL, |waits| waits.why.name().into()),
                ),
            ]
        });
    }

    /// Parks the waiting calls of a run that is paused or halted. A protocol that rests keeps its calls
    /// queued: it continues with them.
    fn check_for_stall(&self) {
        let status = self.session.borrow().status();
        let is_suspended = match status {
            Status::Paused => true,
            Status::Halted(halt) => !matches!(halt, Halt::Rests { .. }),
            Status::Running | Status::Stopped | Status::Ended => false,
        };
        self.suspend(is_suspended);
    }

    fn suspend(&self, is_suspended: bool) {
        let change = if is_suspended {
            Change::Suspend
        } else {
            Change::Continue
        };
        if self.change(change) {
            queue::park(&self.id, is_suspended);
        }
    }

    pub(crate) fn status(&self) -> JsValue {
        let waiting = queue::waiting_calls(self);
        let held = self.held.borrow();
        let session = self.session.borrow();
        let open: Vec<_> = session
            .open_asks()
            .iter()
            .map(|open| {
                let ask = &open.call.ask;
                let is_held = held.contains(&(ask.id.clone(), open.call.attempt));
                json!({
                    "id": ask.id, "seat": ask.seat, "seatKind": open.seat.kind, "kind": ask.kind,
                    "phase": ask.phase, "round": ask.round, "attempt": ask.attempt,
                    "since": open.since.filter(|_| !is_held), "deadline": open.deadline,
                    "form": open.call.form.as_ref().filter(|_| open.seat.kind == SeatKind::Human).and_then(Formed::get),
                    "trouble": open.trouble,
                    "waiting": waiting.get(&ask.id).map(|waits| json!({
                        "until": waits.until, "ahead": waits.ahead, "why": waits.why.name(),
                    })),
                })
            })
            .collect();
        let state = session.status();
        let mut status = json!({ "state": state.name(), "open": open });
        if let Status::Halted(halt) = state {
            status["halt"] = json!(halt);
        }
        if let Some(StorageFailure { error, .. }) = &*self.storage_failure.borrow() {
            status["storage"] = json!({ "state": error.code.state(), "message": error.message });
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

    /// Emits an event to the page. Exceptions of the callback are logged to the console.
    fn emit<const N: usize>(&self, kind: &str, fields: impl FnOnce() -> [(&'static str, JsValue); N]) {
        let Some(on_event) = self.options.on_event.as_ref().filter(|_| !self.is_closed()) else {
            return;
        };
        let event = js_sys::Object::new();
        let _ = Reflect::set(&event, &"type".into(), &kind.into());
        for (name, value) in fields() {
            let _ = Reflect::set(&event, &name.into(), &value);
        }
        if let Err(error) = on_event.call1(&JsValue::UNDEFINED, &event) {
            report(&error);
        }
    }
}

/// A storage error and its retries.
struct StorageFailure {
    error: StoreError,
    /// Consecutive failed attempts.
    tries: u32,
    /// The scheduled retry.
    again: Option<AbortHandle>,
}

/// Milliseconds after which a pending write is reported.
pub(super) const PATIENCE: u64 = 5_000;
/// Milliseconds before the first retry; doubled each time, up to sixteenfold.
const RETRY_DELAY: u64 = 1_000;

/// Grows the module's memory in one step instead of hundreds: each step costs the browser as much as ten
/// answers.
fn grow_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(16 << 20)));
}

/// Message for a record that only another engine can run.
pub(crate) fn other_engine(engine: &str) -> String {
    format!(
        "this record was written by {engine}: it can be read and exported here, but only that version can run it"
    )
}

/// Converts a storage error to a `LabError`.
impl From<StoreError> for JsValue {
    fn from(error: StoreError) -> Self {
        let code = match error.code {
            StoreCode::Quota => "quota",
            StoreCode::Name => "input",
            _ => "storage",
        };
        lab_error(code, &error.message)
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn report(error: &JsValue);
}
