//! Ask, record, answer.
