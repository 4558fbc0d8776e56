//! A debate: seats propose answers to one question, criticise each other's, revise in rounds and vote;
//! a judge scores what is left. This folder holds its rules: pure functions over texts and votes that
//! ask nobody anything.

pub mod contradiction;
pub mod convergence;
pub mod crosscheck;
pub mod disagreement;
pub mod evidence;
mod evidence_phrases;
pub mod markers;
pub mod rhetoric;
mod rhetoric_lexicon;
mod scan;
pub mod similarity;
pub mod stance;
pub mod trickster;
