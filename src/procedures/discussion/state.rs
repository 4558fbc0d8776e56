//! Whose turn it is: pure rules of the speaking order.

use super::settings::{Participant, Role};

/// Where a discussion stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Place in the order, from 0.
    pub turn: usize,
    /// From 1; one more than the last round at the end.
    pub round: u32,
}

impl State {
    /// The beginning.
    pub const START: Self = Self { turn: 0, round: 1 };

    /// On to the next of `places`; behind the last, the next round begins.
    #[must_use]
    pub fn stepped(self, places: usize) -> Self {
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

    /// The same turn in another order: that of the same participant, else of the first that stands no
    /// earlier than the old one did, else the beginning of the next round.
    #[must_use]
    pub fn moved(self, current: &Participant, order: &[Participant]) -> Self {
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

    /// Whether all that is left of the last of `rounds` is the word of people after agents have
    /// spoken.
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
    use super::super::config::tests::order;
    use super::*;

    #[test]
    fn steps_wrap_into_the_next_round() {
        let mut state = State::START;
        for (turn, round) in [(1, 1), (2, 1), (0, 2), (1, 2)] {
            state = state.stepped(3);
            assert_eq!((state.turn, state.round), (turn, round));
        }
        assert_eq!(State::START.stepped(1), State { turn: 0, round: 2 });
    }

    #[test]
    fn a_turn_stays_with_its_participant_else_with_the_next_place() {
        let old = order(&["manager:A", "specialist:B", "user:C"]);
        let state = State { turn: 1, round: 2 };
        let moved = |names: &[&str]| {
            let state = state.moved(&old[1], &order(names));
            (state.turn, state.round)
        };
        assert_eq!(moved(&["specialist:B", "manager:A"]), (0, 2));
        assert_eq!(moved(&["manager:A", "specialist:D", "user:C"]), (1, 2));
        assert_eq!(moved(&["manager:A"]), (0, 3));
    }

    #[test]
    fn the_last_word_is_left_to_people_only_behind_an_agent_in_the_last_round() {
        let is = |names: &[&str], turn, round| State { turn, round }.is_last_word(&order(names), 3);
        assert!(is(&["manager:A", "user:C"], 1, 3));
        assert!(is(&["manager:A", "user:C", "user:D"], 1, 3));
        assert!(!is(&["manager:A", "user:C"], 1, 2));
        assert!(!is(&["manager:A", "user:C", "specialist:B"], 1, 3));
        assert!(!is(&["user:C"], 0, 3));
        assert!(!is(&["user:C", "user:D"], 1, 3));
        assert!(!is(&["manager:-", "user:C"], 1, 3));
    }
}
