//! Running a record again: to resume it, to verify it, to branch from it. What came from outside is
//! fed in as it came; all else must come out the same.

use super::ask::Millis;
use super::record::{Entry, EntryKind, Halt, Started};
use super::{Input, Outcome, Plan, Session};
use std::rc::Rc;

/// The first place where a record and its replay differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Place in the record.
    pub seq: u64,
    /// What the record says there; `None`: the record has ended.
    pub recorded: Option<Rc<Entry>>,
    /// What the replay says there; `None`: the replay has nothing there.
    pub replayed: Option<Rc<Entry>>,
}

/// A record that is being run again, step by step: a long one takes its time.
pub struct Replay<'a> {
    session: Session,
    record: &'a [Rc<Entry>],
    checked: usize,
}

impl<'a> Replay<'a> {
    /// Begins to run a record again.
    ///
    /// # Errors
    /// Where it is empty.
    pub fn begin(started: Started, plan: Plan, record: &'a [Rc<Entry>]) -> Result<Self, Box<Difference>> {
        let Some(head) = record.first() else {
            return Err(Box::new(Difference {
                seq: 0,
                recorded: None,
                replayed: None,
            }));
        };
        let is_cap = |entry: &&Rc<Entry>| {
            let EntryKind::Halted { halt } = &entry.what else {
                return false;
            };
            matches!(halt, Halt::MaxTokens { .. })
        };
        let halts = record.iter().filter(is_cap).map(|entry| entry.seq).collect();
        let (session, _) = Session::begin_again(started, plan, head.at, halts);
        Ok(Self {
            session,
            record,
            checked: 0,
        })
    }

    /// Compares what followed, and feeds in what came next; `false`: the record stops here.
    ///
    /// # Errors
    /// The first entry that differs.
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

    /// The session where the record stops, and what the record lacks of what follows from it (after a crash between
    /// two writes), to be stored.
    pub fn end(self) -> (Session, Outcome) {
        self.session.core.borrow_mut().hand_out_from(self.checked);
        let outcome = self.session.outcome();
        (self.session, outcome)
    }

    /// Takes all steps.
    ///
    /// # Errors
    /// The first entry that differs.
    pub fn whole(mut self) -> Result<(Session, Outcome), Box<Difference>> {
        while self.step()? {}
        Ok(self.end())
    }
}

impl Session {
    /// Runs a record again, at once: see [`Replay`].
    ///
    /// # Errors
    /// The first entry that differs.
    pub fn replay(
        started: Started,
        plan: Plan,
        record: &[Rc<Entry>],
    ) -> Result<(Self, Outcome), Box<Difference>> {
        Replay::begin(started, plan, record)?.whole()
    }

    /// Branches off: a new run with `started` and `plan` that takes over what came from outside in
    /// `record`, up to the first entry that no longer fits. Comes out with how many entries were
    /// looked at.
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
        session.core.borrow_mut().hand_out_from(0);
        let outcome = session.outcome();
        (session, outcome, taken)
    }

    /// Feeds in an entry from outside; `false`: it is none.
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
    /// Whether an entry says what came from outside; all others follow.
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
