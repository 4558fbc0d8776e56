//! What an OpenAI-compatible chat endpoint speaks: the body that is sent, the stream that comes back,
//! and what its errors mean. Bytes and texts only: no network, no clock, no keys are kept here.

pub mod address;
pub mod failure;
pub mod reply;
pub mod request;
pub mod scrub;
pub mod stream;
