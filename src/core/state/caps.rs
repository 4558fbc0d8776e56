//! The caps of a run. The maximum usage of a call is reserved before it is sent, so that parallel calls
//! cannot exceed a cap together. If reserves of calls in flight leave too little, the next call waits for
//! them. The run halts only if the call would not fit alone.

use super::{AskState, Core};
use crate::core::ask::{Call, Reply, Usage};
use crate::core::is_counted;
use crate::core::limits::{estimated_question, estimated_tokens};
use crate::core::prices::{Money, Rate};
use crate::core::record::{Entry, EntryKind, Halt};
use crate::seat::Seat;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The usage reserved for a call.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reserve {
    pub(super) tokens: u64,
    cost: Money,
}

/// Money of a run: spent, and reserved for calls in flight.
#[derive(Debug, Default)]
pub(super) struct Budget {
    spent: Money,
    reserved: Money,
}

/// Whether a call may be sent.
pub(super) enum Admission {
    /// It may, with this reserve.
    Granted(Reserve),
    /// After calls in flight have returned.
    Later,
    Denied(Halt),
}

impl Core {
    /// Checks a call against the caps.
    pub(super) fn check_caps(&self, asked: &AskState) -> Admission {
        if !is_counted(asked.seat.kind) || asked.is_stood_in(&self.stood_in) {
            return Admission::Granted(Reserve::default());
        }
        if let Some(limit) = self.limits.max_calls.filter(|limit| self.usage.calls >= *limit) {
            return Admission::Denied(Halt::MaxCalls { limit });
        }
        let call = &asked.call;
        let tokens = call.question_tokens + u64::from(call.max_tokens);
        let mut reserve = Reserve {
            tokens,
            cost: Money::default(),
        };
        let mut later = false;
        if let Some(limit) = self.limits.max_tokens {
            let used = self.usage.input_tokens + self.usage.output_tokens;
            let with = used.saturating_add(tokens);
            let must_wait = with <= limit && with.saturating_add(self.reserved) > limit;
            if with > limit || (must_wait && self.is_recorded_halt()) {
                return Admission::Denied(Halt::MaxTokens { limit, used });
            }
            later = must_wait;
        }
        if let Some(limit) = self.limits.max_cost {
            let used = self.budget.spent;
            let most = Usage::of(call.question_tokens, u64::from(call.max_tokens));
            let cost = match self.limits.prices.rate(asked.seat.kind, &call.request) {
                Rate::Own => Some(Money::default()),
                rate => rate.cost(&most),
            };
            let with = cost.map(|cost| used.plus(cost));
            let cap = Money::from_units(limit).unwrap_or_default();
            // A call without a known price fits under no cap.
            let Some(with) = with.filter(|with| *with <= cap) else {
                let used = used.units();
                return Admission::Denied(Halt::MaxCost { limit, used });
            };
            reserve.cost = cost.unwrap_or_default();
            later |= with.plus(self.budget.reserved) > cap;
        }
        if later {
            Admission::Later
        } else {
            Admission::Granted(reserve)
        }
    }

    /// Whether the replayed record halts here. Earlier versions halted where calls wait now, and their
    /// records must replay unchanged.
    fn is_recorded_halt(&self) -> bool {
        self.recorded_halts.contains(&(self.record.len() as u64))
    }

    pub(super) fn reserve(&mut self, reserve: Reserve) {
        self.reserved += reserve.tokens;
        self.budget.reserved = self.budget.reserved.plus(reserve.cost);
    }

    pub(super) fn release(&mut self, reserve: Reserve) {
        self.reserved = self.reserved.saturating_sub(reserve.tokens);
        self.budget.reserved = self.budget.reserved.less(reserve.cost);
    }

    /// Counts an answer. Recorded and simulated answers cost nothing.
    pub(super) fn count(&mut self, call: &Call, seat: &Seat, reply: &Reply) {
        if let Some(usage) = self.count_reply(call.question_tokens, reply) {
            self.count_tokens(call, seat, &usage);
        }
    }

    fn count_reply(&mut self, question_tokens: u64, reply: &Reply) -> Option<Usage> {
        if reply.is_free() {
            self.usage.calls = self.usage.calls.saturating_sub(1);
            return None;
        }
        self.usage.calls += u64::from(reply.requests.unwrap_or(1).saturating_sub(1));
        Some(reply.usage.unwrap_or_else(|| {
            self.usage.estimated = true;
            Usage::of(question_tokens, estimated_tokens(&reply.text))
        }))
    }

    /// Counts the usage of all calls in a record. Returns `false` if the record asks an unknown seat.
    pub(in crate::core) fn count_record(&mut self, record: &[Rc<Entry>]) -> bool {
        let mut asked = BTreeMap::new();
        for entry in record {
            let (ask, usage) = match &entry.what {
                EntryKind::Asked { ask, request, .. } => {
                    let Some(seat) = self.seats.get(&ask.seat) else {
                        return false;
                    };
                    if is_counted(seat.kind) {
                        asked.insert(ask.id.clone(), Rc::clone(request));
                    }
                    continue;
                }
                EntryKind::Sent { ask, .. } => {
                    self.usage.calls += u64::from(asked.contains_key(ask));
                    continue;
                }
                EntryKind::Answered { ask, reply, .. } | EntryKind::Late { ask, reply, .. } => {
                    let Some(request) = asked.get(ask) else { continue };
                    (ask, self.count_reply(estimated_question(request), reply))
                }
                EntryKind::Failed { ask, failure, .. } => (ask, failure.usage),
                _ => continue,
            };
            if let Some(usage) = usage.filter(|_| asked.contains_key(ask)) {
                self.add_tokens(&usage);
            }
        }
        true
    }

    fn add_tokens(&mut self, usage: &Usage) {
        self.usage.input_tokens = self.usage.input_tokens.saturating_add(usage.input);
        self.usage.output_tokens = self.usage.output_tokens.saturating_add(usage.output);
    }

    pub(super) fn count_tokens(&mut self, call: &Call, seat: &Seat, usage: &Usage) {
        self.add_tokens(usage);
        let prices = &self.limits.prices;
        let rate = prices.rate(seat.kind, &call.request);
        if let Some(cost) = prices.cost(&rate, usage) {
            self.budget.spent = self.budget.spent.plus(cost);
        }
    }
}

#[cfg(test)]
mod tests;
