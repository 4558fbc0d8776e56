//! The caps of a run: what a call may come to is set aside before it is sent, so that calls at once
//! cannot cross a cap together. Where calls on their way hold the room, the next one waits for them; the
//! run halts only where it would not fit alone.

use super::{AskState, Core};
use crate::core::ask::{Call, Reply, Usage};
use crate::core::is_counted;
use crate::core::limits::{estimated_question, estimated_tokens};
use crate::core::prices::{Money, Rate};
use crate::core::record::{Entry, EntryKind, Halt};
use crate::seat::Seat;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is set aside for a call.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reserve {
    pub(super) tokens: u64,
    cost: Money,
}

/// Money of a run: spent, and set aside for calls on their way.
#[derive(Debug, Default)]
pub(super) struct Purse {
    spent: Money,
    reserved: Money,
}

/// Whether a call may be sent.
pub(super) enum Room {
    /// With so much set aside.
    Yes(Reserve),
    /// Once others are back.
    Later,
    No(Halt),
}

impl Core {
    /// Whether the caps let a call through now.
    pub(super) fn room(&self, asked: &AskState) -> Room {
        if !is_counted(asked.seat.kind) || asked.is_stood_in(&self.stood_in) {
            return Room::Yes(Reserve::default());
        }
        if let Some(limit) = self.limits.max_calls.filter(|limit| self.usage.calls >= *limit) {
            return Room::No(Halt::MaxCalls { limit });
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
            let waits = with <= limit && with.saturating_add(self.reserved) > limit;
            if with > limit || (waits && self.halted_here()) {
                return Room::No(Halt::MaxTokens { limit, used });
            }
            later = waits;
        }
        if let Some(limit) = self.limits.max_cost {
            let used = self.purse.spent;
            let most = Usage::of(call.question_tokens, u64::from(call.max_tokens));
            let cost = match self.limits.prices.rate(asked.seat.kind, &call.request) {
                Rate::Own => Some(Money::default()),
                rate => rate.cost(&most),
            };
            let with = cost.map(|cost| used.plus(cost));
            let cap = Money::from_units(limit).unwrap_or_default();
            // What nobody knows the price of fits under no cap.
            let Some(with) = with.filter(|with| *with <= cap) else {
                let used = used.units();
                return Room::No(Halt::MaxCost { limit, used });
            };
            reserve.cost = cost.unwrap_or_default();
            later |= with.plus(self.purse.reserved) > cap;
        }
        if later { Room::Later } else { Room::Yes(reserve) }
    }

    /// Whether the record that is run again halts here. Runs used to halt where they wait now, and theirs
    /// come out as they were.
    fn halted_here(&self) -> bool {
        self.recorded_halts.contains(&(self.record.len() as u64))
    }

    pub(super) fn set_aside(&mut self, reserve: Reserve) {
        self.reserved += reserve.tokens;
        self.purse.reserved = self.purse.reserved.plus(reserve.cost);
    }

    pub(super) fn give_back(&mut self, reserve: Reserve) {
        self.reserved = self.reserved.saturating_sub(reserve.tokens);
        self.purse.reserved = self.purse.reserved.less(reserve.cost);
    }

    /// Counts an answer; one that a saved session gave took nothing, nor did a simulated participant's.
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

    /// Counts what a record tells that calls took; `false` where somebody was asked who has no seat here.
    pub(in crate::core) fn count_again(&mut self, record: &[Rc<Entry>]) -> bool {
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

    /// Counts what a call took.
    pub(super) fn count_tokens(&mut self, call: &Call, seat: &Seat, usage: &Usage) {
        self.add_tokens(usage);
        let prices = &self.limits.prices;
        let rate = prices.rate(seat.kind, &call.request);
        if let Some(cost) = prices.cost(&rate, usage) {
            self.purse.spent = self.purse.spent.plus(cost);
        }
    }
}

#[cfg(test)]
mod tests;
