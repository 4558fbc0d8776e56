//! Client protocols of model endpoints: requests, response streams, model lists and error classification.
//! Works on bytes and text only: no network, no clock, no stored keys.
//!
//! Each wire format is a file in `wire`; the other modules are independent of the format.

pub mod address;
pub mod allowance;
pub mod catalogue;
mod cause;
pub mod connection;
pub mod embeddings;
mod error_body;
mod error_pattern;
pub mod failure;
pub mod models;
pub mod pace;
pub mod refusal;
pub mod reply;
pub mod scrub;
pub mod stream;
pub mod structured;
pub mod token_limit;
pub mod wire;
