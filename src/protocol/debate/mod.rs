//! A debate: seats propose answers to one question, criticise each other's, revise in rounds and vote;
//! a judge who does not see whose proposal is whose scores what is left (seed 003).
//!
//! [`debate`] is its course and [`rounds`] has one function a round. The rules are pure functions over
//! texts, votes and points that ask nobody anything: all other files but `arena`, `prompts`, `config` and
//! `event`. What a critic, a voter or a judge said is read in [`crate::parse`].

pub mod breaker;
pub mod byzantine;
pub mod calibration;
pub mod canonical;
pub mod consensus;
pub mod contradiction;
pub mod convergence;
pub mod crosscheck;
pub mod disagreement;
pub mod elo;
pub mod evidence;
mod evidence_phrases;
pub mod exact;
pub mod judging;
pub mod markers;
pub mod receipt;
pub mod rhetoric;
mod rhetoric_lexicon;
mod scan;
pub mod similarity;
pub mod stance;
pub mod stopping;
pub mod tally;
pub mod team;
pub mod topology;
pub mod trickster;
pub mod weight;
