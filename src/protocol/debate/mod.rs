//! The nine-round debate: proposals, critiques, revisions, votes, a judge. The files here are its pure
//! rules; what a voter or a judge said is read in [`crate::parse`].

pub mod breaker;
pub mod byzantine;
pub mod calibration;
pub mod canonical;
pub mod consensus;
pub mod elo;
pub mod exact;
pub mod judging;
pub mod receipt;
pub mod stopping;
pub mod tally;
pub mod team;
pub mod topology;
pub mod weight;
