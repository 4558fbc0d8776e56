//! Built-in simulated participants: they answer in free text as a model would, so that the readers
//! work for real. Everything follows from seed, seat and facts; nothing is kept between two answers.
//! They are for trying the lab out and for tests, and stand for no finding about people or models.
//! One folder a protocol.

mod chance;
mod debate;
mod discussion;
mod justice;
mod speech;

use super::Seat;
use super::facts::Facts;
use crate::session::ask::{Ask, Request};

/// The answer of the scripted participant at that seat, as text. `seed` is the session's, 0 to
/// 2³¹−1. The same arguments give the same text on every machine; the request's own words are not
/// read, since `facts` say the same as data.
#[must_use]
pub fn answer(seat: &Seat, seed: u32, ask: &Ask, request: &Request, facts: &Facts) -> String {
    let _ = request;
    match facts {
        Facts::Justice(facts) => justice::answer(seat, seed, ask, facts),
        Facts::Discussion(facts) => discussion::answer(seat, seed, ask, facts),
        Facts::Debate(facts) => debate::answer(seat, seed, ask, facts),
        Facts::None => String::new(),
    }
}
