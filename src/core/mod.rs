//! Ask, record, answer: a session runs a protocol against a record. It does no IO and has no clock:
//! what happened and when is handed in, what to store and to do comes out.
//!
//! The driver's contract, in this order, for every [`Outcome`]:
//! 1. store `entries`;
//! 2. then start `effects`;
//! 3. then set one timer to `deadline` and hand in [`Input::Tick`] when it rings.
//!
//! Not here: what is asked (`protocol`), what an answer means (`parse`), how a call is made (`web`).

pub mod ask;
pub mod audience;
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
pub mod requests;
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

/// A protocol under way; its output is the result.
pub type Run = Pin<Box<dyn Future<Output = serde_json::Value>>>;

/// What a session needs to know of a protocol: who sits at the table, the limits, the procedure.
pub struct Plan {
    /// The seats, in configuration order.
    pub seats: Vec<Seat>,
    /// Limits of the run.
    pub limits: Limits,
    /// Begins the procedure.
    pub run: Box<dyn FnOnce(Table) -> Run>,
}

/// A run of a protocol and its record.
pub struct Session {
    core: Rc<RefCell<Core>>,
    run: Option<Run>,
    woken: Arc<Flag>,
    /// The engine that wrote the record, where this one cannot run it.
    foreign: Option<String>,
}

/// Something that happened outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A seat answered.
    Answered {
        /// Id of the ask.
        ask: String,
        /// The try it answers.
        attempt: u32,
        /// The answer.
        reply: Reply,
    },
    /// A call came to nothing.
    Failed {
        /// Id of the ask.
        ask: String,
        /// The try that failed.
        attempt: u32,
        /// Why.
        failure: Failure,
    },
    /// Somebody used the controls.
    Command(Command),
    /// The time of the last [`Outcome::deadline`] may have come.
    Tick,
}

/// What follows from an input. Late or unknown input is legal and follows nothing.
#[must_use = "the entries are to be stored, then the effects started"]
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// New entries of the record, to be stored before anything else is done.
    pub entries: Vec<Rc<Entry>>,
    /// What to do, in order.
    pub effects: Vec<Effect>,
    /// When to hand in [`Input::Tick`], if nothing else happens before.
    pub deadline: Option<Millis>,
    /// Where the run stands.
    pub status: Status,
}

/// Something for the driver to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Put the call to its seat, not before `not_before`.
    Ask {
        /// The call.
        call: Call,
        /// Who answers.
        seat: Rc<Seat>,
        /// The moment to wait for after a failure.
        not_before: Millis,
        /// Whether the seat is a person's and a simulated participant answers in it.
        stood_in: bool,
    },
    /// The answer of this try is no longer wanted.
    Cancel {
        /// Id of the ask.
        ask: String,
        /// The try.
        attempt: u32,
    },
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// Going on, or waiting for answers.
    Running,
    /// Paused by command.
    Paused,
    /// Standing still by itself; [`Command::Resume`] goes on.
    Halted(Halt),
    /// Stopped by command; [`Command::Resume`] goes on.
    Stopped,
    /// At its end, with a result.
    Ended,
}

/// An ask that has no answer yet.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAsk {
    /// The ask.
    pub call: Call,
    /// Who is asked.
    pub seat: Rc<Seat>,
    /// When it was put to the seat; `None` while it waits for its turn.
    pub since: Option<Millis>,
    /// When its time is up.
    pub deadline: Option<Millis>,
    /// What is in the way of an answer, where a few tries were in vain.
    pub trouble: Option<Trouble>,
}

/// What is in the way of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trouble {
    /// When it was seen first.
    pub since: Millis,
    /// When it is tried again; `None`: not by itself.
    pub until: Option<Millis>,
    /// What came of the last try.
    pub failure: Rc<Failure>,
}

/// What a run has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls to seats that are not people.
    pub calls: u64,
    /// Tokens of their questions.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Whether some of the tokens are an estimate, because nobody counted them.
    pub estimated: bool,
}

impl Session {
    /// Begins a run.
    pub fn begin(started: Started, plan: Plan, now: Millis) -> (Self, Outcome) {
        Self::begin_again(started, plan, now, Vec::new())
    }

    /// Begins a run whose record, where there is one, halts at the cap on tokens at these places.
    fn begin_again(started: Started, plan: Plan, now: Millis, halts: Vec<u64>) -> (Self, Outcome) {
        let woken = Arc::new(Flag(AtomicBool::new(true)));
        let core = Rc::new(RefCell::new(Core::new(
            plan.seats,
            plan.limits,
            started.seed,
            now,
        )));
        core.borrow_mut().recorded_halts = halts;
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

    /// The record of another engine: it is shown and exported as it stands, and nothing more happens in it.
    #[must_use]
    pub fn foreign(engine: String, record: &[Rc<Entry>]) -> Self {
        let session = Self::stored(Vec::new(), Limits::default(), record);
        Self {
            foreign: Some(engine),
            ..session
        }
    }

    /// A run at its end, from its record alone: it is not run again, what it used is counted, and no more than notes can
    /// follow. `None` where it asked others than the seats of its plan.
    #[must_use]
    pub fn ended(plan: Plan, record: &[Rc<Entry>]) -> Option<Self> {
        let session = Self::stored(plan.seats, plan.limits, record);
        let is_counted = session.core.borrow_mut().count_again(record);
        is_counted.then_some(session)
    }

    fn stored(seats: Vec<Seat>, limits: Limits, record: &[Rc<Entry>]) -> Self {
        let now = record.last().map_or(0, |entry| entry.at);
        let mut core = Core::new(seats, limits, 0, now);
        core.record = record.to_vec();
        core.ended = record
            .iter()
            .any(|entry| matches!(entry.what, EntryKind::Ended { .. }));
        core.hand_out_from(record.len());
        Self {
            core: Rc::new(RefCell::new(core)),
            run: None,
            woken: Arc::new(Flag(AtomicBool::new(false))),
            foreign: None,
        }
    }

    /// The engine that wrote the record and alone can run it, where that is another one.
    #[must_use]
    pub fn only_for(&self) -> Option<&str> {
        self.foreign.as_deref()
    }

    /// Takes in what happened at `now` and tells what follows.
    pub fn handle(&mut self, now: Millis, input: Input) -> Outcome {
        if self.foreign.is_some() {
            return self.outcome();
        }
        self.set_clock(now);
        match input {
            Input::Answered { ask, attempt, reply } => self.core.borrow_mut().answered(&ask, attempt, reply),
            Input::Failed {
                ask,
                attempt,
                failure,
            } => self.core.borrow_mut().failed(&ask, attempt, failure),
            Input::Command(command) => self.core.borrow_mut().command(command),
            Input::Tick => loop {
                let due = self.core.borrow().due();
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
        self.core.borrow_mut().timed_out(ask, attempt);
        self.advance();
    }

    /// Takes the clock's word for when the calls on their way were put to their seats: after a
    /// reload their time begins anew. Returns them, to be put again.
    pub fn reopen(&mut self, now: Millis) -> Outcome {
        self.core.borrow_mut().reopen(now);
        self.advance();
        self.outcome()
    }

    /// A call waits for its turn somewhere between here and its seat: its time does not run until
    /// [`Self::begins`]. Nothing of it enters the record.
    pub fn mark_queued(&mut self, ask: &str, attempt: u32) {
        self.core.borrow_mut().waits(ask, attempt, true, 0);
    }

    /// A call that waited is put to its seat now.
    pub fn mark_started(&mut self, ask: &str, attempt: u32, now: Millis) {
        self.core.borrow_mut().waits(ask, attempt, false, now);
    }

    /// The limits of the run as they stand.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.core.borrow().limits.clone()
    }

    /// The record so far.
    #[must_use]
    pub fn record(&self) -> Vec<Rc<Entry>> {
        self.core.borrow().record.clone()
    }

    /// The entries from this one on.
    #[must_use]
    pub fn entries_from(&self, seq: u64) -> Vec<Rc<Entry>> {
        let core = self.core.borrow();
        let from = usize::try_from(seq).unwrap_or(usize::MAX);
        core.record.get(from..).unwrap_or_default().to_vec()
    }

    /// One of the entries.
    #[must_use]
    pub fn entry(&self, seq: u64) -> Option<Rc<Entry>> {
        let place = usize::try_from(seq).ok()?;
        self.core.borrow().record.get(place).cloned()
    }

    /// Name of the protocol, as the head of the record has it.
    #[must_use]
    pub fn protocol(&self) -> String {
        match self.core.borrow().record.first().map(|entry| &entry.what) {
            Some(EntryKind::Started(started)) => started.protocol.clone(),
            _ => String::new(),
        }
    }

    /// Entries of the record.
    #[must_use]
    pub fn len(&self) -> usize {
        self.core.borrow().record.len()
    }

    /// Never: every record has a head.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When to hand in [`Input::Tick`], if nothing else happens before.
    #[must_use]
    pub fn deadline(&self) -> Option<Millis> {
        self.core.borrow().deadline()
    }

    /// Where the run stands.
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

    /// The asks without an answer, in the order in which they were put.
    #[must_use]
    pub fn open_asks(&self) -> Vec<OpenAsk> {
        self.core.borrow().open_asks()
    }

    /// What the run has used so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.core.borrow().usage
    }

    /// Polls the protocol until it waits for answers, then starts what may start.
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
            self.core.borrow_mut().launch();
            if self.run.is_none() {
                return;
            }
            if !self.woken.0.load(Ordering::Relaxed) {
                return self.core.borrow_mut().stand_still();
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

/// Whether calls to the seat count against the caps of a run.
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
