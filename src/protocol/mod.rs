//! What is asked, in which order, and what follows. One folder a protocol.
pub mod justice;
