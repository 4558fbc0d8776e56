//! The protocol's hold on the world: ask a seat, hear what people say unasked, rest, draw from a
//! stream, tell what happened. A protocol learns about the world in no other way.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::audience::Audience;
use super::data::Data;
use super::random::Random;
use super::record::{Command, Entry, EntryKind};
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

/// A question to a seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Where it stands in the protocol.
    pub ask: Ask,
    /// The question in words.
    pub request: Request,
    /// The question as data.
    pub facts: AskContext,
    /// What a person or a program fills in, where the question has that.
    pub form: Option<Formed>,
    /// Time limits of the tries; empty: none.
    pub time_limits: Vec<Millis>,
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub struct Answer(Rc<Entry>);

impl Answer {
    /// What values say, as if somebody had filled them in.
    #[must_use]
    pub fn by_values(values: serde_json::Value) -> Self {
        let reply = Reply {
            values: Some(values),
            ..Reply::default()
        };
        Self(Rc::new(Entry {
            seq: 0,
            at: 0,
            what: EntryKind::Answered {
                ask: String::new(),
                attempt: 1,
                reply,
            },
        }))
    }

    /// What was said.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.0.what {
            EntryKind::Answered {
                reply: Reply { text, .. },
                ..
            } => text,
            _ => "",
        }
    }

    /// The values of an answer by form.
    #[must_use]
    pub fn values(&self) -> Option<&serde_json::Value> {
        match &self.0.what {
            EntryKind::Answered { reply, .. } => reply.values.as_ref(),
            _ => None,
        }
    }

    /// Id that the sender gave.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &self.0.what {
            EntryKind::Answered { reply, .. } => reply.request_id.as_deref(),
            _ => None,
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum NoAnswer {
    /// Nobody answered in time, or the question was withdrawn.
    TimedOut,
    /// The call failed. Of sources only: with every other seat the run stands still for help.
    Failed(Failure),
}

/// The table that a protocol sits at.
#[derive(Clone)]
pub struct Table(Rc<RefCell<Core>>);

impl Table {
    pub(super) fn new(core: Rc<RefCell<Core>>) -> Self {
        Self(core)
    }

    /// Puts a question to a seat at once; the answer is awaited with the future that comes back.
    pub fn ask(&self, question: Question) -> PendingAnswer {
        let id = self.0.borrow_mut().ask(question);
        PendingAnswer {
            core: Rc::clone(&self.0),
            id,
        }
    }

    /// No longer wants the answer to an ask; one that comes yet has no effect.
    pub fn withdraw(&self, ask: &str) {
        self.0.borrow_mut().withdraw(ask);
    }

    /// Waits for the next thing that somebody tells the protocol unasked ([`Command::Say`],
    /// [`Command::Reseat`], [`Command::Close`]), in the order in which they came in.
    pub fn next_command(&self) -> NextCommand {
        NextCommand(Rc::clone(&self.0))
    }

    /// Stands still until the run is resumed, or as long as what comes back is kept: dropping it goes
    /// on. One rest at a time.
    pub fn suspend(&self, reason: &str) -> Suspension {
        self.0.borrow_mut().suspend(reason);
        Suspension(Rc::clone(&self.0))
    }

    /// These sit at the table from now on; asks under way stay with whom they were put to.
    pub fn reseat(&self, seats: Vec<Seat>) {
        self.0.borrow_mut().reseat(seats);
    }

    /// Draws from the random stream of that name, which begins with `seed`, and records what came out: for
    /// the owner alone. Whoever else is to know of it is told.
    pub fn draw<T: Serialize>(
        &self,
        stream: &str,
        seed: u32,
        purpose: &str,
        draw: impl FnOnce(&mut Random) -> T,
    ) -> T {
        self.0.borrow_mut().draw(stream, seed, purpose, draw)
    }

    /// Records how the answer to an ask was read: for its seat.
    pub fn read(&self, ask: &str, reading: Data) {
        self.0.borrow_mut().push(EntryKind::Read {
            ask: ask.to_owned(),
            reading,
        });
    }

    /// Records what happened and who may know of it; returns the moment, milliseconds since the epoch, for
    /// display only.
    pub fn emit(&self, to: Audience, event: &impl Serialize) -> Millis {
        let event = Data::of(event);
        self.0.borrow_mut().push(EntryKind::Event { event, to }).at
    }
}

/// An ask under way.
#[must_use = "nobody waits for the answer"]
pub struct PendingAnswer {
    core: Rc<RefCell<Core>>,
    id: String,
}

impl PendingAnswer {
    /// Id of the ask.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Future for PendingAnswer {
    type Output = Result<Answer, NoAnswer>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.core.borrow_mut().settled(&self.id, context.waker()) {
            None => Poll::Pending,
            Some(AskResult::Answered(entry)) => Poll::Ready(Ok(Answer(entry))),
            Some(AskResult::Unanswered) => Poll::Ready(Err(NoAnswer::TimedOut)),
            Some(AskResult::Failed(failure)) => Poll::Ready(Err(NoAnswer::Failed(failure))),
        }
    }
}

/// Something told to the protocol is awaited.
#[must_use = "nobody hears"]
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

/// A rest; over when the run is resumed or this is dropped.
#[must_use = "a rest that is dropped is over"]
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
        // Where a session is dropped as a whole, nobody needs to know.
        if let Ok(mut core) = self.0.try_borrow_mut() {
            core.end_suspension();
        }
    }
}
