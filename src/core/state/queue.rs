//! The send queue: order of asking, parallel calls, caps and retries. Entries that follow from sending are
//! created here.

use super::caps::{Admission, Reserve};
use super::{AskState, Core, Gate, State};
use crate::core::ask::Millis;
use crate::core::record::{EntryKind, Halt};
use crate::core::{is_counted, limits};
use crate::seat::SeatKind;

impl Core {
    /// Sends queued calls in the order of asking, within the limits, while the gate is open.
    pub(in crate::core) fn send_queued(&mut self) {
        let mut index = 0;
        // Whether a call waits for others' reserves. Later calls do not overtake it.
        let mut is_waiting = false;
        let held = self.held_seats();
        while let Some(id) = self.queue.get(index).cloned() {
            if self.ended || (self.gate != Gate::Open && self.steps == 0) {
                return;
            }
            self.skip_open_breaker(&id);
            let Some(asked) = self.asks.get(&id) else { return };
            if held.contains(&asked.seat.name) || self.is_provider_busy(asked) {
                index += 1;
                continue;
            }
            if is_waiting && is_counted(asked.seat.kind) {
                index += 1;
                continue;
            }
            let reserved = match self.check_caps(asked) {
                Admission::Granted(reserved) => reserved,
                Admission::Later => {
                    is_waiting = true;
                    index += 1;
                    continue;
                }
                Admission::Denied(halt) => return self.halt(halt),
            };
            self.queue.remove(index);
            self.steps = self.steps.saturating_sub(1);
            self.send(&id, reserved);
        }
    }

    fn is_provider_busy(&self, asked: &AskState) -> bool {
        let Some(base_url) = asked.base_url() else {
            return false;
        };
        let busy = self.in_flight.get(limits::origin(base_url)).copied().unwrap_or(0);
        asked.seat.kind == SeatKind::Model
            && !asked.is_stood_in(&self.stood_in)
            && busy >= self.limits.at_once(base_url)
    }

    pub(super) fn halt(&mut self, halt: Halt) {
        self.steps = 0;
        if matches!(self.gate, Gate::Open | Gate::Paused) {
            self.push(EntryKind::Halted { halt: halt.clone() });
            self.gate = Gate::Halted(halt);
        }
    }

    /// Queues an ask first, to be sent after `wait`.
    pub(super) fn retry(&mut self, id: &str, wait: Millis) {
        let not_before = self.now + wait;
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        asked.not_before = not_before;
        let attempt = asked.call.attempt + 1;
        self.push(EntryKind::Retrying {
            ask: id.to_owned(),
            attempt,
            wait,
        });
        self.queue.push_front(id.to_owned());
    }

    /// Passes the next attempt of an ask to the driver.
    fn send(&mut self, id: &str, reserved: Reserve) {
        let now = self.now;
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        let since = asked.not_before.max(now);
        asked.call.attempt += 1;
        asked.call.time_limit = asked.time_limits.get(asked.timeouts as usize).copied();
        asked.state = State::Sent { since, reserved };
        asked.is_delayed = false;
        let (effect, attempt, origin) = (
            asked.effect(&self.stood_in, since),
            asked.call.attempt,
            asked.origin(),
        );
        self.usage.calls += u64::from(is_counted(asked.seat.kind));
        if let Some(origin) = origin {
            *self.in_flight.entry(origin).or_insert(0) += 1;
        }
        self.reserve(reserved);
        self.record_trial(id);
        self.push(EntryKind::Sent {
            ask: id.to_owned(),
            attempt,
        });
        self.effects.push(effect);
    }

    /// Takes a call out of flight. Returns its attempt.
    pub(super) fn recall(&mut self, id: &str) -> Option<u32> {
        let asked = self.asks.get_mut(id)?;
        let State::Sent { reserved, .. } = asked.state else {
            return None;
        };
        asked.state = State::Queued;
        let attempt = asked.call.attempt;
        let origin = asked.origin();
        self.release(reserved);
        if let Some(count) = origin.and_then(|origin| self.in_flight.get_mut(&origin)) {
            *count = count.saturating_sub(1);
        }
        Some(attempt)
    }
}
