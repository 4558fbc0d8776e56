//! Replay of a record: to resume, verify or branch it. External entries are fed in; all derived entries
//! must be equal.

use super::ask::Millis;
use super::record::{Entry, EntryKind, Halt, Started};
use super::{Input, Outcome, Plan, Session};
use std::rc::Rc;

/// The first difference between a record and its replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index in the record.
    pub seq: u64,
    /// The recorded entry; `None` if the record has ended.
    pub recorded: Option<Rc<Entry>>,
    /// The replayed entry; `None` if the replay has none.
    pub replayed: Option<Rc<Entry>>,
}

/// A replay in steps, so that a long record does not block.
pub struct Replay<'a> {
    session: Session,
    record: &'a [Rc<Entry>],
    checked: usize,
}

impl<'a> Replay<'a> {
    /// Starts a replay.
    ///
    /// # Errors
    /// Returns a difference at 0 if the record is empty.
    pub fn begin(started: Started, plan: Plan, record: &'a [Rc<Entry>]) -> Result<Self, Box<Difference>> {
        let Some(head) = record.first() else {
            return Err(Box::new(Difference {
                seq: 0,
                recorded: None,
                replayed: None,
            }));
        };
        let seqs = |is: fn(&EntryKind) -> bool| {
            let found = record.iter().filter(|entry| is(&entry.what));
            found.map(|entry| entry.seq).collect()
        };
        let halts = seqs(|what| {
            matches!(
                what,
                EntryKind::Halted {
                    halt: Halt::MaxTokens { .. }
                }
            )
        });
        let retries = seqs(|what| matches!(what, EntryKind::Retrying { .. }));
        let (session, _) = Session::begin_as_recorded(started, plan, head.at, [halts, retries]);
        Ok(Self {
            session,
            record,
            checked: 0,
        })
    }

    /// Compares the derived entries, then feeds in the next external entry. Returns `false` at the end of
    /// the record.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn step(&mut self) -> Result<bool, Box<Difference>> {
        let differs = |seq: usize, replayed: Option<Rc<Entry>>| {
            Box::new(Difference {
                seq: seq as u64,
                recorded: self.record.get(seq).cloned(),
                replayed,
            })
        };
        let replayed = self.session.len();
        let core = self.session.core.borrow();
        for (seq, entry) in core.record.iter().enumerate().skip(self.checked) {
            match self.record.get(seq) {
                Some(recorded) if **recorded != **entry => {
                    return Err(differs(seq, Some(Rc::clone(entry))));
                }
                Some(_) => self.checked = seq + 1,
                None => break,
            }
        }
        drop(core);
        let Some(next) = self.record.get(replayed) else {
            return Ok(false);
        };
        if !self.session.take_in(next) || self.session.len() == replayed {
            return Err(differs(replayed, None));
        }
        Ok(true)
    }

    /// Returns the session at the end of the record. The outcome contains the derived entries that the
    /// record lacks, for example after a crash between two writes. Store them.
    pub fn end(self) -> (Session, Outcome) {
        self.session.core.borrow_mut().set_drained(self.checked);
        let outcome = self.session.outcome();
        (self.session, outcome)
    }

    /// Runs all steps.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn whole(mut self) -> Result<(Session, Outcome), Box<Difference>> {
        while self.step()? {}
        Ok(self.end())
    }
}

impl Session {
    /// Replays a record at once: see [`Replay`].
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn replay(
        started: Started,
        plan: Plan,
        record: &[Rc<Entry>],
    ) -> Result<(Self, Outcome), Box<Difference>> {
        Replay::begin(started, plan, record)?.whole()
    }

    /// Starts a new run with `started` and `plan` that takes over the external entries of `record`, up to
    /// the first that does not fit. Also returns the number of its entries up to there.
    pub fn branch(started: Started, plan: Plan, record: &[Rc<Entry>], now: Millis) -> (Self, Outcome, usize) {
        let at = record.first().map_or(now, |entry| entry.at);
        let (mut session, _) = Self::begin(started, plan, at);
        let mut taken = 1;
        for entry in record.iter().skip(1) {
            let before = session.len();
            if entry.what.is_from_outside() && (!session.take_in(entry) || session.len() == before) {
                break;
            }
            taken += 1;
        }
        session.core.borrow_mut().set_drained(0);
        let outcome = session.outcome();
        (session, outcome, taken)
    }

    /// Feeds in an external entry. Returns `false` for other entries.
    fn take_in(&mut self, entry: &Entry) -> bool {
        let input = match &entry.what {
            EntryKind::Answered { ask, attempt, reply } | EntryKind::Late { ask, attempt, reply } => {
                Input::Answered {
                    ask: ask.clone(),
                    attempt: *attempt,
                    reply: reply.clone(),
                }
            }
            EntryKind::Failed {
                ask,
                attempt,
                failure,
            } => Input::Failed {
                ask: ask.clone(),
                attempt: *attempt,
                failure: failure.clone(),
            },
            EntryKind::TimedOut { ask, attempt } => {
                self.set_clock(entry.at);
                self.time_out(ask, *attempt);
                return true;
            }
            EntryKind::Commanded { command } => Input::Command(command.clone()),
            _ => return false,
        };
        let _ = self.handle(entry.at, input);
        true
    }
}

impl EntryKind {
    /// Whether the entry is external. All others are derived.
    #[must_use]
    pub fn is_from_outside(&self) -> bool {
        matches!(
            self,
            Self::Answered { .. }
                | Self::Late { .. }
                | Self::Failed { .. }
                | Self::TimedOut { .. }
                | Self::Commanded { .. }
        )
    }
}
