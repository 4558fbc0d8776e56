//! Suspends seats that failed repeatedly. A debate has no clock, so the breaker ([`super::rules::breaker`])
//! counts rounds: a seat that failed three times in a row is suspended until the next round but one, then
//! tried again.
//!
//! Results are applied at the end of a step in the order of the questions' ids, so that the order of arrival
//! has no effect.

use super::rules::breaker::{Breaker, Circuit};
use std::cell::{Cell, RefCell};

/// Consecutive failures that open a breaker.
const FAILURES: u32 = 3;
/// Rounds until the seat is tried again.
const ROUNDS: u64 = 2;
/// Consecutive answers that close a breaker.
const ANSWERS: u32 = 2;

pub(super) struct Breakers {
    is_on: bool,
    round: Cell<u64>,
    breakers: RefCell<Vec<Breaker>>,
    /// Results of the current step: seat, id of the question, whether the answer was usable.
    results: RefCell<Vec<(usize, String, bool)>>,
}

impl Breakers {
    pub(super) fn new(seats: usize, is_on: bool) -> Self {
        Self {
            is_on,
            round: Cell::new(0),
            breakers: RefCell::new(vec![Breaker::new(FAILURES, ROUNDS, ANSWERS); seats]),
            results: RefCell::default(),
        }
    }

    fn circuit(&self, seat: usize) -> Circuit {
        let breakers = self.breakers.borrow();
        let own = breakers.get(seat).filter(|_| self.is_on);
        own.map_or(Circuit::Closed, |breaker| breaker.circuit(self.round.get()))
    }

    /// Returns whether the seat is suspended.
    pub(super) fn is_suspended(&self, seat: usize) -> bool {
        self.circuit(seat) == Circuit::Open
    }

    pub(super) fn record(&self, seat: usize, id: &str, usable: bool) {
        self.results.borrow_mut().push((seat, id.to_owned(), usable));
    }

    /// Applies the recorded results and moves on to a round. Returns the seats whose state changed.
    pub(super) fn advance_to(&self, round: u32) -> Vec<(usize, Circuit)> {
        let count = self.breakers.borrow().len();
        let before: Vec<Circuit> = (0..count).map(|seat| self.circuit(seat)).collect();
        let mut results = self.results.take();
        results.sort();
        for (seat, _, usable) in results {
            let now = self.round.get();
            if let Some(breaker) = self.breakers.borrow_mut().get_mut(seat) {
                if usable {
                    breaker.succeeded(now);
                } else {
                    breaker.failed(now);
                }
            }
        }
        self.round.set(u64::from(round));
        let after = (0..count).map(|seat| (seat, self.circuit(seat)));
        let differs = |(seat, state): &(usize, Circuit)| before.get(*seat) != Some(state);
        after.filter(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_seat_is_suspended_and_tried_again() {
        let breakers = Breakers::new(2, true);
        breakers.advance_to(2);
        for id in ["b", "a", "c"] {
            breakers.record(1, id, false);
        }
        assert!(!breakers.is_suspended(1), "only at the end of the step");
        assert_eq!(breakers.advance_to(2), [(1, Circuit::Open)]);
        assert!(breakers.is_suspended(1) && !breakers.is_suspended(0));
        assert_eq!(breakers.advance_to(3), []);
        assert!(breakers.is_suspended(1));
        assert_eq!(breakers.advance_to(4), [(1, Circuit::HalfOpen)]);
        breakers.record(1, "d", false);
        assert_eq!(breakers.advance_to(5), [(1, Circuit::Open)]);
        assert_eq!(breakers.advance_to(6), [(1, Circuit::HalfOpen)]);
        breakers.record(1, "e", true);
        breakers.record(1, "f", true);
        assert_eq!(breakers.advance_to(7), [(1, Circuit::Closed)]);
    }

    #[test]
    fn order_of_arrival_has_no_effect_and_off_is_off() {
        let after = |order: [(&str, bool); 4]| {
            let breakers = Breakers::new(1, true);
            order
                .iter()
                .for_each(|(id, usable)| breakers.record(0, id, *usable));
            breakers.advance_to(1);
            breakers.is_suspended(0)
        };
        let notes = [("a", true), ("b", false), ("c", false), ("d", false)];
        assert!(after(notes));
        assert!(after([notes[3], notes[1], notes[0], notes[2]]));
        let off = Breakers::new(1, false);
        notes.iter().for_each(|(id, _)| off.record(0, id, false));
        assert!(off.advance_to(1).is_empty() && !off.is_suspended(0));
    }
}
