//! Ask, record, answer: a session runs a protocol against a record without doing any IO.

pub mod ask;
pub mod random;
pub mod record;
