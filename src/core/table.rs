//! The protocol's interface to the engine: asks, commands, suspensions, draws and events. A protocol has no
//! other input.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::audience::Audience;
use super::data::Data;
use super::random::Random;
use super::record::{Command, EntryKind};
use super::state::{AskResult, Core};
use crate::core::context::AskContext;
use crate::core::form::Formed;
use crate::seat::Seat;
use serde::Serialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The ask.
    pub ask: Ask,
    /// The question in words.
    pub request: Request,
    /// The question as data.
    pub facts: AskContext,
    /// The form for a person or a program, if the question has one.
    pub form: Option<Formed>,
    /// Time limits of the attempts; empty for no limit.
    pub time_limits: Vec<Millis>,
    /// Time before it is put to its seat. The time limit starts after it.
    pub wait: Millis,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum NoAnswer {
    /// No answer in time, or the question was withdrawn.
    TimedOut,
    /// The call failed. For sources only: other seats halt the run instead.
    Failed(Failure),
}

/// A protocol's handle of the engine.
#[derive(Clone)]
pub struct Table(Rc<RefCell<Core>>);

impl Table {
    pub(super) fn new(core: Rc<RefCell<Core>>) -> Self {
        Self(core)
    }

    /// Queues a question to a seat. The returned future resolves to the answer.
    pub fn ask(&self, question: Question) -> PendingAnswer {
        let id = self.0.borrow_mut().ask(question);
        PendingAnswer {
            core: Rc::clone(&self.0),
            id,
        }
    }

    /// Withdraws a question. A later answer has no effect.
    pub fn withdraw(&self, ask: &str) {
        self.0.borrow_mut().withdraw(ask);
    }

    /// Gives the present attempt at a question more time, if it has a limit.
    pub fn prolong(&self, ask: &str, more: Millis) {
        self.0.borrow_mut().prolong(ask, more);
    }

    /// Whether a simulated participant answers in the seat of a person or a model.
    #[must_use]
    pub fn has_stand_in(&self, seat: &str) -> bool {
        self.0.borrow().has_stand_in(seat)
    }

    /// Waits for the next unprompted command ([`Command::Say`], [`Command::Reseat`], [`Command::Close`],
    /// [`Command::Extend`]), in the order of arrival.
    pub fn next_command(&self) -> NextCommand {
        NextCommand(Rc::clone(&self.0))
    }

    /// Drops the commands that were not waited for.
    pub fn drop_commands(&self) {
        self.0.borrow_mut().drop_commands();
    }

    /// Returns the time of the entry that the protocol is reacting to, in milliseconds since the epoch. A replay gives the same.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.0.borrow().now
    }

    /// Suspends the run until it is resumed or the returned value is dropped. Only one suspension at a
    /// time.
    pub fn suspend(&self, reason: &str) -> Suspension {
        self.0.borrow_mut().suspend(reason);
        Suspension(Rc::clone(&self.0))
    }

    /// Replaces the seats. Asks in flight keep their seats.
    pub fn reseat(&self, seats: Vec<Seat>) {
        self.0.borrow_mut().reseat(seats);
    }

    /// Draws from the named random stream, which starts with `seed`, and records the result for the owner
    /// alone. Emit an event to publish it.
    pub fn draw<T: Serialize>(
        &self,
        stream: &str,
        seed: u32,
        purpose: &str,
        draw: impl FnOnce(&mut Random) -> T,
    ) -> T {
        self.0.borrow_mut().draw(stream, seed, purpose, draw)
    }

    /// Records the reading of an answer. It is visible to the asked seat.
    pub fn read(&self, ask: &str, reading: Data) {
        self.0.borrow_mut().push(EntryKind::Read {
            ask: ask.to_owned(),
            reading,
        });
    }

    /// Records an event for an audience. Returns its time in milliseconds since the epoch, for display
    /// only.
    pub fn emit(&self, to: Audience, event: &impl Serialize) -> Millis {
        let event = Data::of(event);
        self.0.borrow_mut().push(EntryKind::Event { event, to }).at
    }
}

/// A question without an answer so far.
#[must_use = "the answer is lost unless the future is awaited"]
pub struct PendingAnswer {
    core: Rc<RefCell<Core>>,
    id: String,
}

impl PendingAnswer {
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Future for PendingAnswer {
    type Output = Result<Reply, NoAnswer>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.core.borrow_mut().poll_answer(&self.id, context.waker()) {
            None => Poll::Pending,
            Some(AskResult::Answered(reply)) => Poll::Ready(Ok(reply)),
            Some(AskResult::Unanswered) => Poll::Ready(Err(NoAnswer::TimedOut)),
            Some(AskResult::Failed(failure)) => Poll::Ready(Err(NoAnswer::Failed(failure))),
        }
    }
}

/// The future of the next command.
#[must_use = "commands are received only by awaiting this"]
pub struct NextCommand(Rc<RefCell<Core>>);

impl Future for NextCommand {
    type Output = Command;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Command> {
        match self.0.borrow_mut().poll_command(context.waker()) {
            Some(command) => Poll::Ready(command),
            None => Poll::Pending,
        }
    }
}

/// A suspension. It ends when the run is resumed or this value is dropped.
#[must_use = "the suspension ends when this is dropped"]
pub struct Suspension(Rc<RefCell<Core>>);

impl Future for Suspension {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0.borrow_mut().poll_suspension(context.waker()) {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }
}

impl Drop for Suspension {
    fn drop(&mut self) {
        // The core is borrowed while a session is dropped. Nothing is left to resume then.
        if let Ok(mut core) = self.0.try_borrow_mut() {
            core.end_suspension();
        }
    }
}
