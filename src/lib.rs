//! Quorate: people and language models sit at one table and deliberate by a formal procedure.
#![deny(missing_docs)]

pub mod export;
pub mod language;
pub mod model;
mod number;
pub mod parse;
pub mod principle;
pub mod protocol;
pub mod seat;
pub mod session;
pub mod sorted;

#[cfg(target_arch = "wasm32")]
pub mod web;
