//! Fallback models of a seat. They are asked after a permanent failure of the model before, and at once
//! while the circuit breaker of the first model is open. The breaker opens after three asks in a row with a
//! permanent failure, for five minutes of recorded time; then one ask tries the first model. Seats without
//! fallbacks halt the run instead.
//!
//! A debate has a breaker of its own, which leaves out a seat by rounds.

use super::{AskState, Core, State};
use crate::core::ask::Millis;
use crate::core::breaker::{Breaker, Circuit};
use crate::core::record::{EntryKind, FallbackReason};
use crate::seat::{Fallback, SeatKind};
use std::rc::Rc;

/// Consecutive asks with a permanent failure that open the breaker.
const FAILURES: u32 = 3;
/// Duration of the open state.
const COOLDOWN: Millis = 300_000;

/// Health of a seat's first model.
#[derive(Debug)]
pub(super) struct Health {
    breaker: Breaker,
    /// The trial ask after a cooldown.
    trial: Option<String>,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            breaker: Breaker::new(FAILURES, COOLDOWN, 1),
            trial: None,
        }
    }
}

impl Core {
    /// Switches a permanently failed ask to the seat's next model. Returns `false` if there is none.
    pub(super) fn fall_back(&mut self, id: &str) -> bool {
        let now = self.now;
        let Some(asked) = self.asks.get(id).filter(|asked| asked.has_fallback()) else {
            return false;
        };
        if asked.model == 0 {
            let seat = asked.seat.name.clone();
            let health = self.health.entry(seat).or_default();
            health.breaker.failed(now);
            health.trial.take_if(|trial| trial == id);
        }
        if !self.switch_to_next_model(id, FallbackReason::Failed) {
            return false;
        }
        self.queue.push_front(id.to_owned());
        true
    }

    /// Switches an ask to the next model, before it is sent, if the breaker is open.
    pub(super) fn skip_open_breaker(&mut self, id: &str) {
        let now = self.now;
        let Some(asked) = self
            .asks
            .get(id)
            .filter(|asked| asked.has_fallback() && asked.model == 0)
        else {
            return;
        };
        let Some(health) = self.health.get(&asked.seat.name) else {
            return;
        };
        let is_skipped = match health.breaker.circuit(now) {
            Circuit::Closed => false,
            Circuit::Open => true,
            Circuit::HalfOpen => health.trial.as_deref().is_some_and(|trial| trial != id),
        };
        if is_skipped {
            self.switch_to_next_model(id, FallbackReason::Resting);
        }
    }

    /// Records an ask that is sent as a trial.
    pub(super) fn record_trial(&mut self, id: &str) {
        let now = self.now;
        let Some(asked) = self.asks.get(id).filter(|asked| asked.model == 0) else {
            return;
        };
        if let Some(health) = self.health.get_mut(&asked.seat.name)
            && health.breaker.circuit(now) == Circuit::HalfOpen
        {
            health.trial = Some(id.to_owned());
        }
    }

    /// Records the end of an ask in the breaker.
    pub(super) fn record_settled(&mut self, id: &str, is_answered: bool) {
        let now = self.now;
        let Some(asked) = self.asks.get(id) else { return };
        let Some(health) = self.health.get_mut(&asked.seat.name) else {
            return;
        };
        health.trial.take_if(|trial| trial == id);
        if is_answered && asked.model == 0 {
            health.breaker.succeeded(now);
        }
    }

    /// Resets an ask to the first model after a user command.
    pub(super) fn reset_model(&mut self, id: &str) {
        let Some(asked) = self.asks.get_mut(id).filter(|asked| asked.has_fallback()) else {
            return;
        };
        asked.model = 0;
        asked.call.request = Rc::clone(&asked.first);
        // The larger limit applied to another model.
        asked.call.max_tokens = asked.first.max_tokens;
        asked.call.used_up = None;
        let seat = asked.seat.name.clone();
        self.health.remove(&seat);
    }

    fn switch_to_next_model(&mut self, id: &str, because: FallbackReason) -> bool {
        let Some(asked) = self.asks.get_mut(id) else {
            return false;
        };
        let Some(fallback) = asked.seat.fallback.get(asked.model).cloned() else {
            return false;
        };
        asked.model += 1;
        asked.failures = 0;
        asked.trouble = None;
        asked.not_before = 0;
        asked.state = State::Queued;
        asked.call.request = Rc::new(asked.first.with_model(&fallback));
        asked.call.max_tokens = asked.first.max_tokens;
        asked.call.used_up = None;
        let seat = asked.seat.name.clone();
        let Fallback {
            model,
            base_url,
            provider,
        } = fallback;
        self.push(EntryKind::FellBack {
            ask: id.to_owned(),
            seat,
            model,
            provider,
            base_url,
            because,
        });
        true
    }
}

impl AskState {
    pub(super) fn has_fallback(&self) -> bool {
        self.seat.kind == SeatKind::Model && !self.seat.fallback.is_empty()
    }

    /// Returns the base URL of the current model's endpoint, for seats that have one.
    pub(super) fn base_url(&self) -> Option<&str> {
        match self.model.checked_sub(1) {
            None => self.seat.base_url.as_deref(),
            Some(place) => self.seat.fallback.get(place).map(|one| one.base_url.as_str()),
        }
    }
}

#[cfg(test)]
mod tests;
