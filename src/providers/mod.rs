//! What model endpoints speak: requests, the streams that come back, lists of models, and what errors
//! mean. Bytes and texts only: no network, no clock, no keys are kept here.
//!
//! Each format is a file in `wire`; everything beside it knows no format.

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
pub mod wire;
