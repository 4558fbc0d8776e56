//! The Frohlich-Oppenheimer experiment on distributive justice behind a veil of ignorance.

pub mod apply;
pub mod config;
pub mod consensus;
pub mod counterfactual;
pub mod distribution;
pub mod event;
pub mod history;
pub mod order;
pub mod popularity;
pub mod prompts;
pub mod settings;
