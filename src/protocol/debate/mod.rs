//! A debate: seats propose answers to one question, criticise each other's, revise in rounds and vote;
//! a judge scores what is left. This folder holds its rules: pure functions over texts and votes that
//! ask nobody anything.

pub mod contradiction;
pub mod convergence;
pub mod disagreement;
mod scan;
pub mod similarity;
pub mod stance;
