//! The engine: a session runs a protocol and keeps its record. It does no IO and has no clock. Inputs carry
//! the time; entries to store and effects to start are returned.
//!
//! The driver's contract for every [`Outcome`], in this order:
//! 1. Store `entries`.
//! 2. Start `effects`.
//! 3. Set one timer to `deadline` and pass [`Input::Tick`] when it fires.
//!
//! Other modules define the questions (`procedures`), read the answers (`reading`) and make the calls
//! (`web`).

pub mod ask;
pub mod ask_log;
pub mod audience;
pub mod block;
pub mod breaker;
pub mod codec;
pub mod context;
pub mod data;
pub mod form;
pub mod limits;
pub mod prices;
pub mod random;
pub mod record;
pub mod replay;
pub(crate) mod schema;
mod state;
pub mod table;
pub mod text;
pub mod view;
pub mod visibility;

use self::state::{Core, Gate};
use crate::seat::{Seat, SeatKind};
use ask::{Call, Failure, Millis, Reply};
use limits::Limits;
use record::{Command, Entry, EntryKind, Halt, Started};
use serde::Serialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};
use table::Table;

/// A running protocol. Its output is the result.
pub type Run = Pin<Box<dyn Future<Output = serde_json::Value>>>;

/// A protocol's seats, limits and procedure, from which a session is started.
pub struct Plan {
    /// Seats in configuration order.
    pub seats: Vec<Seat>,
    pub limits: Limits,
    /// Starts the procedure.
    pub run: Box<dyn FnOnce(Table) -> Run>,
}

/// A run of a protocol and its record.
pub struct Session {
    core: Rc<RefCell<Core>>,
    run: Option<Run>,
    woken: Arc<Flag>,
    /// Engine that wrote the record, if this engine cannot run it.
    foreign: Option<String>,
}

/// An event from outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Answered {
        ask: String,
        /// Attempt that was answered.
        attempt: u32,
        reply: Reply,
    },
    /// A call failed.
    Failed {
        ask: String,
        /// Attempt that failed.
        attempt: u32,
        failure: Failure,
    },
    /// A user command.
    Command(Command),
    /// A timer event. The last [`Outcome::deadline`] may have passed.
    Tick,
}

/// Entries and effects that follow from an input. Late and unknown inputs are valid and have none.
#[must_use = "store the entries, then start the effects"]
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// New entries. Store them before anything else.
    pub entries: Vec<Rc<Entry>>,
    /// Effects in order.
    pub effects: Vec<Effect>,
    /// Time of the next [`Input::Tick`], unless another input comes first.
    pub deadline: Option<Millis>,
    pub status: Status,
}

/// A task for the driver.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Sends the call to its seat, not before `not_before`.
    Ask {
        call: Call,
        /// The seat that answers.
        seat: Rc<Seat>,
        /// Earliest time of the call, set after a failure.
        not_before: Millis,
        /// Whether the seat is a person's and a simulated participant answers in it.
        stood_in: bool,
    },
    /// Cancels the call. Its answer is no longer needed.
    Cancel { ask: String, attempt: u32 },
}

/// Status of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// Running, or waiting for answers.
    Running,
    /// Paused by command.
    Paused,
    /// Halted by the run itself. [`Command::Resume`] continues.
    Halted(Halt),
    /// Stopped by command. [`Command::Resume`] continues.
    Stopped,
    /// Ended, with a result.
    Ended,
}

impl Status {
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Halted(_) => "halted",
            Self::Stopped => "stopped",
            Self::Ended => "ended",
        }
    }
}

/// An ask without an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAsk {
    pub call: Call,
    pub seat: Rc<Seat>,
    /// Time of the call. `None` while it is queued.
    pub since: Option<Millis>,
    /// Time at which the call times out.
    pub deadline: Option<Millis>,
    /// The cause of the delay, after several failed attempts.
    pub trouble: Option<Trouble>,
}

/// Repeated failures of an ask.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trouble {
    /// Time of the first failure.
    pub since: Millis,
    /// Time of the next attempt. `None` if there is no automatic retry.
    pub until: Option<Millis>,
    /// Failure of the last attempt.
    pub failure: Rc<Failure>,
}

/// Usage of a run so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls to seats other than people's.
    pub calls: u64,
    /// Tokens of their questions.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Whether some of the tokens are estimated because the provider reported none.
    pub estimated: bool,
}

impl Session {
    /// Starts a run.
    pub fn begin(started: Started, plan: Plan, now: Millis) -> (Self, Outcome) {
        Self::begin_as_recorded(started, plan, now, [Vec::new(), Vec::new()])
    }

    /// Starts a run. The lists hold the sequence numbers at which a replayed record halts at the token cap, and at which it
    /// tries a failed call again.
    fn begin_as_recorded(
        started: Started,
        plan: Plan,
        now: Millis,
        [halts, retries]: [Vec<u64>; 2],
    ) -> (Self, Outcome) {
        let woken = Arc::new(Flag(AtomicBool::new(true)));
        let core = Rc::new(RefCell::new(Core::new(
            plan.seats,
            plan.limits,
            started.seed,
            now,
        )));
        core.borrow_mut().recorded_halts = halts;
        core.borrow_mut().recorded_retries = retries;
        core.borrow_mut().push(EntryKind::Started(started));
        let run = (plan.run)(Table::new(Rc::clone(&core)));
        let mut session = Self {
            core,
            run: Some(run),
            woken,
            foreign: None,
        };
        session.advance();
        let outcome = session.outcome();
        (session, outcome)
    }

    /// Opens another engine's record, which can be shown and exported but not continued.
    #[must_use]
    pub fn foreign(engine: String, record: &[Rc<Entry>]) -> Self {
        let session = Self::stored(Vec::new(), Limits::default(), record);
        Self {
            foreign: Some(engine),
            ..session
        }
    }

    /// Opens an ended run from its record without running it. Usage is counted; only annotations can
    /// follow. Returns `None` if the record asks a seat that the plan does not have.
    #[must_use]
    pub fn ended(plan: Plan, record: &[Rc<Entry>]) -> Option<Self> {
        let session = Self::stored(plan.seats, plan.limits, record);
        let is_counted = session.core.borrow_mut().count_record(record);
        is_counted.then_some(session)
    }

    fn stored(seats: Vec<Seat>, limits: Limits, record: &[Rc<Entry>]) -> Self {
        let now = record.last().map_or(0, |entry| entry.at);
        let mut core = Core::new(seats, limits, 0, now);
        core.record = record.to_vec();
        core.ended = record
            .iter()
            .any(|entry| matches!(entry.what, EntryKind::Ended { .. }));
        core.set_drained(record.len());
        Self {
            core: Rc::new(RefCell::new(core)),
            run: None,
            woken: Arc::new(Flag(AtomicBool::new(false))),
            foreign: None,
        }
    }

    /// Returns the engine that wrote the record if only that engine can run it.
    #[must_use]
    pub fn only_for(&self) -> Option<&str> {
        self.foreign.as_deref()
    }

    /// Processes an input at time `now`.
    pub fn handle(&mut self, now: Millis, input: Input) -> Outcome {
        if self.foreign.is_some() {
            return self.outcome();
        }
        self.set_clock(now);
        match input {
            Input::Answered { ask, attempt, reply } => {
                self.core.borrow_mut().handle_answer(&ask, attempt, reply)
            }
            Input::Failed {
                ask,
                attempt,
                failure,
            } => self.core.borrow_mut().handle_failure(&ask, attempt, failure),
            Input::Command(command) => self.core.borrow_mut().handle_command(command),
            Input::Tick => loop {
                let due = self.core.borrow().overdue_call();
                let Some((ask, attempt)) = due else { break };
                self.time_out(&ask, attempt);
            },
        }
        self.advance();
        self.outcome()
    }

    fn set_clock(&mut self, now: Millis) {
        let mut core = self.core.borrow_mut();
        core.now = core.now.max(now);
    }

    fn time_out(&mut self, ask: &str, attempt: u32) {
        self.core.borrow_mut().handle_timeout(ask, attempt);
        self.advance();
    }

    /// Restarts the time limits of the calls in flight at `now`, after a reload, and returns these calls as
    /// effects.
    pub fn reopen(&mut self, now: Millis) -> Outcome {
        self.core.borrow_mut().reopen(now);
        self.advance();
        self.outcome()
    }

    /// Marks a call as queued outside the engine. Its time limit does not run until [`Self::mark_started`].
    /// The record does not contain this.
    pub fn mark_queued(&mut self, ask: &str, attempt: u32) {
        self.core.borrow_mut().set_delayed(ask, attempt, true, 0);
    }

    /// Marks a queued call as sent to its seat at `now`.
    pub fn mark_started(&mut self, ask: &str, attempt: u32, now: Millis) {
        self.core.borrow_mut().set_delayed(ask, attempt, false, now);
    }

    /// Returns the current limits.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.core.borrow().limits.clone()
    }

    #[must_use]
    pub fn record(&self) -> Vec<Rc<Entry>> {
        self.core.borrow().record.clone()
    }

    /// Returns the entries from `seq` on.
    #[must_use]
    pub fn entries_from(&self, seq: u64) -> Vec<Rc<Entry>> {
        let core = self.core.borrow();
        let from = usize::try_from(seq).unwrap_or(usize::MAX);
        core.record.get(from..).unwrap_or_default().to_vec()
    }

    /// Returns the entry `seq`.
    #[must_use]
    pub fn entry(&self, seq: u64) -> Option<Rc<Entry>> {
        let place = usize::try_from(seq).ok()?;
        self.core.borrow().record.get(place).cloned()
    }

    /// Returns the protocol's name from the head of the record.
    #[must_use]
    pub fn protocol(&self) -> String {
        match self.core.borrow().record.first().map(|entry| &entry.what) {
            Some(EntryKind::Started(started)) => started.protocol.clone(),
            _ => String::new(),
        }
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.core.borrow().record.len()
    }

    /// Returns `false`: every record has a head.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        self.core.borrow().deadline()
    }

    #[must_use]
    pub fn status(&self) -> Status {
        let core = self.core.borrow();
        if core.ended {
            return Status::Ended;
        }
        if self.foreign.is_some() {
            return Status::Stopped;
        }
        match &core.gate {
            Gate::Open => core.suspension().cloned().map_or(Status::Running, Status::Halted),
            Gate::Paused => Status::Paused,
            Gate::Halted(halt) => Status::Halted(halt.clone()),
            Gate::Stopped => Status::Stopped,
        }
    }

    /// Returns the asks without an answer, in the order of asking.
    #[must_use]
    pub fn open_asks(&self) -> Vec<OpenAsk> {
        self.core.borrow().open_asks()
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        self.core.borrow().usage
    }

    /// Polls the protocol until it waits for answers, then sends queued calls.
    fn advance(&mut self) {
        let waker = Waker::from(Arc::clone(&self.woken));
        let mut context = Context::from_waker(&waker);
        loop {
            while self.woken.0.swap(false, Ordering::Relaxed) {
                let Some(run) = self.run.as_mut() else { break };
                if let std::task::Poll::Ready(result) = run.as_mut().poll(&mut context) {
                    self.run = None;
                    self.core.borrow_mut().end(result);
                }
            }
            self.core.borrow_mut().send_queued();
            if self.run.is_none() {
                return;
            }
            if !self.woken.0.load(Ordering::Relaxed) {
                return self.core.borrow_mut().halt_if_stalled();
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let mut core = self.core.borrow_mut();
        let (entries, effects) = core.drain();
        let deadline = core.deadline();
        drop(core);
        Outcome {
            entries,
            effects,
            deadline,
            status: self.status(),
        }
    }
}

/// Whether calls to the seat count towards the caps of a run.
pub(crate) fn is_counted(kind: SeatKind) -> bool {
    !matches!(kind, SeatKind::Human | SeatKind::Source | SeatKind::Recorded)
}

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
