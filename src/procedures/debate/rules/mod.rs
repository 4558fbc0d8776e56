//! Rules of a debate: pure functions of texts, votes and points. Answers are parsed in [`crate::reading`];
//! the rounds determine when a rule applies.

pub mod after;
pub mod byzantine;
pub mod calibration;
pub mod consensus;
pub mod contradiction;
pub mod convergence;
pub mod crosscheck;
pub mod disagreement;
pub mod elo;
pub mod evidence;
pub mod exact;
pub mod judging;
pub mod markers;
mod phrases;
pub mod rhetoric;
mod signs;
pub mod similarity;
pub mod stance;
pub mod stopping;
pub mod taint;
pub mod tally;
pub mod team;
mod text;
pub mod topology;
pub mod trickster;
pub mod weight;

pub use crate::core::breaker;
