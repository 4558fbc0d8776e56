//! What built-in simulated participants are made of: chance and speech. They answer in free text as a model
//! would, so that the readers work for real. Everything follows from seed, seat and facts; nothing is kept
//! between two answers. They are for trying the lab out and for tests, and stand for no finding about people
//! or models. Who plays a procedure stands in its own folder.

pub(super) mod chance;
pub(super) mod speech;

use super::{debate, discussion, justice};
use crate::core::ask::Call;
use crate::seat::Seat;

/// The answer of the scripted participant at that seat, as text. `seed` is the session's, 0 to 2³¹−1. The
/// same arguments give the same text on every machine; the request's own words are not read, since the call's
/// facts say the same as data.
#[must_use]
pub fn answer(seat: &Seat, seed: u32, call: &Call) -> String {
    let Call { ask, facts, .. } = call;
    if let Some(facts) = facts.of() {
        justice::scripted::answer(seat, seed, ask, facts)
    } else if let Some(facts) = facts.of() {
        discussion::scripted::answer(seat, seed, ask, facts)
    } else if let Some(facts) = facts.of() {
        debate::scripted::answer(seat, seed, ask, facts)
    } else {
        String::new()
    }
}
