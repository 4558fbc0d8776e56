//! The current turn: pure rules of the speaking order.

use super::seating::{Participant, Role};

/// Current turn and round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Index in the order, from 0.
    pub turn: usize,
    /// From 1; after the last round, one more.
    pub round: u32,
}

impl State {
    pub const START: Self = Self { turn: 0, round: 1 };

    /// Advances to the next of `places`; after the last one, to the next round.
    #[must_use]
    pub fn next(self, places: usize) -> Self {
        if self.turn + 1 < places {
            Self {
                turn: self.turn + 1,
                ..self
            }
        } else {
            Self {
                turn: 0,
                round: self.round.saturating_add(1),
            }
        }
    }

    /// Transfers the turn to a changed order: to the same participant, else to the first one not before the
    /// old place, else to the beginning of the next round.
    #[must_use]
    pub fn transfer(self, current: &Participant, order: &[Participant]) -> Self {
        let same = order.iter().position(|place| place.id == current.id);
        let next = || {
            order
                .iter()
                .position(|place| place.sequence_order >= current.sequence_order)
        };
        match same.or_else(next) {
            Some(turn) => Self { turn, ..self },
            None => Self {
                turn: 0,
                round: self.round.saturating_add(1),
            },
        }
    }

    /// Returns whether agents have spoken and only people's turns are left in the last of `rounds`.
    #[must_use]
    pub fn is_last_word(self, order: &[Participant], rounds: u32) -> bool {
        let (before, left) = order.split_at(self.turn.min(order.len()));
        let is_user = |place: &Participant| place.role == Role::User;
        self.round == rounds
            && left.iter().all(is_user)
            && before.iter().any(|place| !is_user(place) && place.seat.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::order;
    use super::*;

    #[test]
    fn the_turn_wraps_into_the_next_round() {
        let mut state = State::START;
        for (turn, round) in [(1, 1), (2, 1), (0, 2), (1, 2)] {
            state = state.next(3);
            assert_eq!((state.turn, state.round), (turn, round));
        }
        assert_eq!(State::START.next(1), State { turn: 0, round: 2 });
    }

    #[test]
    fn a_turn_stays_with_its_participant_or_moves_to_the_next_place() {
        let old = order(&["manager:A", "specialist:B", "user:C"]);
        let state = State { turn: 1, round: 2 };
        let moved = |names: &[&str]| {
            let state = state.transfer(&old[1], &order(names));
            (state.turn, state.round)
        };
        assert_eq!(moved(&["specialist:B", "manager:A"]), (0, 2));
        assert_eq!(moved(&["manager:A", "specialist:D", "user:C"]), (1, 2));
        assert_eq!(moved(&["manager:A"]), (0, 3));
    }

    #[test]
    fn the_last_word_is_left_to_people_after_an_agent_in_the_last_round() {
        let is_last_word = |names: &[&str], turn, round| State { turn, round }.is_last_word(&order(names), 3);
        assert!(is_last_word(&["manager:A", "user:C"], 1, 3));
        assert!(is_last_word(&["manager:A", "user:C", "user:D"], 1, 3));
        assert!(!is_last_word(&["manager:A", "user:C"], 1, 2));
        assert!(!is_last_word(&["manager:A", "user:C", "specialist:B"], 1, 3));
        assert!(!is_last_word(&["user:C"], 0, 3));
        assert!(!is_last_word(&["user:C", "user:D"], 1, 3));
        assert!(!is_last_word(&["manager:-", "user:C"], 1, 3));
    }
}
