//! What built-in simulated participants are made of: chance and speech. They answer in free text as a model
//! would, so that the readers work for real. Everything follows from seed, seat and facts; nothing is kept
//! between two answers. They are for trying the lab out and for tests, and stand for no finding about people
//! or models. Who plays a procedure stands in its own folder.

pub(super) mod chance;
pub(super) mod speech;
pub(super) mod traits;
