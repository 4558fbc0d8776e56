//! Quorate: people and language models deliberate by a formal procedure.
//!
//! A procedure ([`procedures`]) asks seats questions through a [`core::table::Table`]. A [`core::Session`] runs it without
//! I/O or a clock and writes the record. Everything but `web` is pure and builds natively.
//!
//! The control loop, the record, visibility and the layers are described in `docs/architecture.md`.
#![deny(unsafe_code)]

pub mod core;
pub mod costs;
pub mod export;
pub mod feed;
pub mod language;
pub mod memory;
pub mod people;
pub mod principle;
pub mod procedures;
pub mod providers;
pub mod reading;
pub mod room;
pub mod seat;
pub mod study;
pub mod thought;

#[cfg(target_arch = "wasm32")]
pub mod web;
