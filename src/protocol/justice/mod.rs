//! The Frohlich-Oppenheimer experiment on distributive justice behind a veil of ignorance.

pub mod event;
pub mod settings;
