//! Seats without an answer: a simulated participant answers until the person returns, or a question is
//! skipped. Both are commands, either the owner's or the run's own, where its configuration sets what to do
//! after permanent failures ([`OnFailure`]).

use super::{AskResult, AskState, Core, Gate, State};
use crate::core::limits::{LONGEST_PAUSE, OnFailure, TRIES};
use crate::core::record::{Command, EntryKind, Halt};
use crate::core::{Effect, Trouble};
use crate::seat::{READER, SeatKind};

impl Core {
    /// Handles a permanent failure after all fallback models.
    pub(super) fn give_up(&mut self, id: &str) {
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        asked.state = State::Held;
        let seat = asked.seat.name.clone();
        match self.on_failure(&seat) {
            OnFailure::Wait => {}
            OnFailure::Skip => self.handle_command(Command::Skip { ask: id.to_owned() }),
            OnFailure::StandIn => self.handle_command(Command::StandIn { seat }),
            OnFailure::End => {
                self.halt_for_held();
                self.handle_command(Command::Stop);
            }
        }
    }

    fn on_failure(&self, seat: &str) -> OnFailure {
        match seat {
            // The reader's answers are optional.
            READER => OnFailure::Skip,
            _ => self.limits.on_failure,
        }
    }

    /// Notes that the model of a question is down, if its questions are skipped then.
    pub(super) fn note_down(&mut self, id: &str) {
        if let Some(asked) = self
            .asks
            .get(id)
            .filter(|asked| self.on_failure(&asked.seat.name) == OnFailure::Skip)
        {
            self.down.insert(asked.endpoint());
        }
    }

    /// Returns whether the last model of a question is known to be down.
    pub(super) fn is_known_down(&self, id: &str) -> bool {
        self.asks.get(id).is_some_and(|asked| {
            let is_last = asked.model >= asked.seat.fallback.len() || !asked.has_fallback();
            is_last && self.down.contains(&asked.endpoint())
        })
    }

    /// Whether the replayed record tries a failed call again here.
    pub(super) fn is_recorded_retry(&self) -> bool {
        self.recorded_retries.contains(&(self.record.len() as u64))
    }

    /// Halts the run if no call is in flight and a failed call needs help.
    pub(in crate::core) fn halt_if_stalled(&mut self) {
        if !self
            .asks
            .values()
            .any(|asked| matches!(asked.state, State::Sent { .. }))
        {
            self.halt_for_held();
        }
    }

    /// Halts for the earliest permanently failed call.
    fn halt_for_held(&mut self) {
        let held = self.asks.values().filter(|asked| asked.is_held());
        let first = held.min_by_key(|asked| asked.seq);
        let halt = first.and_then(|asked| {
            let (_, failure) = asked.trouble.as_ref()?;
            Some(Halt::CallFailed {
                ask: asked.call.ask.id.clone(),
                failure: (**failure).clone(),
            })
        });
        if let Some(halt) = halt {
            self.halt(halt);
        }
    }

    /// Holds the asks that wait for a retry, so that a user command applies to them as to permanent
    /// failures.
    pub(super) fn hold_retries(&mut self) {
        let is_waiting = |asked: &AskState| self.trouble(asked).is_some() && asked.not_before > self.now;
        let waiting = self.asks.iter().filter(|(_, asked)| is_waiting(asked));
        let waiting: Vec<String> = waiting.map(|(id, _)| id.clone()).collect();
        for ask in waiting {
            let Some(attempt) = self.recall(&ask) else {
                continue;
            };
            if let Some(asked) = self.asks.get_mut(&ask) {
                asked.state = State::Held;
                asked.not_before = 0;
            }
            self.effects.push(Effect::Cancel { ask, attempt });
        }
    }

    /// Returns the seats with a permanently failed call. They are not asked until it is resolved.
    pub(super) fn held_seats(&self) -> Vec<String> {
        let held = self.asks.values().filter(|asked| asked.is_held());
        held.map(|asked| asked.seat.name.clone()).collect()
    }

    /// Returns the cause of a delay. Returns `None` if the next attempt comes soon.
    pub(super) fn trouble(&self, asked: &AskState) -> Option<Trouble> {
        let (since, failure) = asked.trouble.as_ref()?;
        let until = (!asked.is_held()).then_some(asked.not_before);
        let is_lasting = asked.failures >= TRIES || until.is_none_or(|until| until > since + LONGEST_PAUSE);
        is_lasting.then(|| Trouble {
            since: *since,
            until,
            failure: failure.clone(),
        })
    }

    /// Lets a simulated participant answer the seat's open and future asks, including those that failed
    /// permanently.
    pub(super) fn stand_in(&mut self, seat: &str) {
        if self.stood_in.iter().any(|one| one == seat) {
            return;
        }
        self.stood_in.push(seat.to_owned());
        self.resend(seat);
        let mut held = Vec::new();
        for (id, asked) in self.asks.iter_mut() {
            if asked.is_held() && asked.is_for(seat) {
                asked.reset();
                held.push(id.clone());
            }
        }
        held.iter().for_each(|id| self.retry(id, 0));
        self.resume_if_resolved();
    }

    pub(super) fn give_seat_back(&mut self, seat: &str) {
        let before = self.stood_in.len();
        self.stood_in.retain(|one| one != seat);
        if self.stood_in.len() < before {
            self.resend(seat);
        }
    }

    /// Sends the seat's calls in flight to the one who answers there now, as the same attempts.
    fn resend(&mut self, seat: &str) {
        for (id, attempt) in self.calls_in_flight().into_iter().rev() {
            let Some(asked) = self.asks.get(&id).filter(|asked| asked.is_for(seat)) else {
                continue;
            };
            let effect = asked.effect(&self.stood_in, self.now);
            self.effects.push(Effect::Cancel { ask: id, attempt });
            self.effects.push(effect);
        }
    }

    pub(super) fn skip(&mut self, id: &str) {
        let Some(asked) = self.asks.get(id) else { return };
        let is_skippable = asked.seat.kind != SeatKind::Source && !matches!(asked.state, State::Queued);
        if !is_skippable {
            return;
        }
        if let Some(attempt) = self.recall(id) {
            let ask = id.to_owned();
            self.effects.push(Effect::Cancel { ask, attempt });
        }
        self.queue.retain(|queued| queued != id);
        self.push(EntryKind::Unanswered { ask: id.to_owned() });
        self.settle(id, AskResult::Unanswered);
        self.resume_if_resolved();
    }

    /// Resumes a run that halted for failed calls once all of them are resolved.
    fn resume_if_resolved(&mut self) {
        let is_halted = matches!(self.gate, Gate::Halted(Halt::CallFailed { .. }));
        if is_halted && !self.asks.values().any(AskState::is_held) {
            self.handle_command(Command::Resume);
        }
    }
}

impl AskState {
    /// Returns the base URL and name of the current model.
    pub(super) fn endpoint(&self) -> (String, String) {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        (text(&self.call.request.base_url), text(&self.call.request.model))
    }

    pub(super) fn is_held(&self) -> bool {
        matches!(self.state, State::Held)
    }

    /// Queues the ask as if it had never failed.
    pub(super) fn reset(&mut self) {
        self.state = State::Queued;
        self.failures = 0;
        self.trouble = None;
    }

    /// Whether the ask goes to that seat and can be answered by a stand-in.
    fn is_for(&self, seat: &str) -> bool {
        !matches!(self.seat.kind, SeatKind::Source | SeatKind::Scripted) && self.seat.name == seat
    }

    pub(super) fn is_stood_in(&self, stood_in: &[String]) -> bool {
        stood_in.iter().any(|seat| self.is_for(seat))
    }
}
