//! Persons who do not answer: a simulated participant does in their place until they take the seat back, or the
//! question is left without an answer. Decides nothing: all of it comes by command.

use super::{Asked, Core, Settled, State};
use crate::core::Effect;
use crate::core::record::What;
use crate::seat::SeatKind;

impl Core {
    /// From now on: those that are on their way to the person are put to the stand-in.
    pub(super) fn stand_in(&mut self, seat: &str) {
        if self.stood_in.iter().any(|one| one == seat) {
            return;
        }
        self.stood_in.push(seat.to_owned());
        self.put_again(seat);
    }

    pub(super) fn give_seat_back(&mut self, seat: &str) {
        let before = self.stood_in.len();
        self.stood_in.retain(|one| one != seat);
        if self.stood_in.len() < before {
            self.put_again(seat);
        }
    }

    /// What was asked of the seat and is on its way goes to whoever answers there now, as the same try.
    fn put_again(&mut self, seat: &str) {
        for (id, attempt) in self.sent().into_iter().rev() {
            let Some(asked) = self.asks.get(&id).filter(|asked| asked.is_persons(seat)) else {
                continue;
            };
            let effect = asked.effect(&self.stood_in, self.now);
            self.effects.push(Effect::Cancel { ask: id, attempt });
            self.effects.push(effect);
        }
    }

    pub(super) fn skip(&mut self, id: &str) {
        let Some(asked) = self.asks.get(id) else { return };
        if asked.seat.kind != SeatKind::Human || !matches!(asked.state, State::Sent { .. }) {
            return;
        }
        if let Some(attempt) = self.take_back(id) {
            let ask = id.to_owned();
            self.effects.push(Effect::Cancel { ask, attempt });
        }
        self.queue.retain(|queued| queued != id);
        self.push(What::Unanswered { ask: id.to_owned() });
        self.settle(id, Settled::Unanswered);
    }
}

impl Asked {
    fn is_persons(&self, seat: &str) -> bool {
        self.seat.kind == SeatKind::Human && self.seat.name == seat
    }

    pub(super) fn is_stood_in(&self, stood_in: &[String]) -> bool {
        stood_in.iter().any(|seat| self.is_persons(seat))
    }
}
