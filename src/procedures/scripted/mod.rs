//! Common parts of the scripted participants: random numbers, speech and traits. They answer in free text as
//! a model does, so that the readers are exercised. Answers depend only on seed, seat and context; no state
//! is kept between them. They serve to try the lab out and for tests, and are no model of people. The
//! behaviour in a procedure is in its own folder.

pub(super) mod chance;
pub(super) mod speech;
pub(super) mod traits;
