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
pub mod presets;
pub mod prompts;
pub mod settings;
pub mod summary;

use crate::session::Plan;
use settings::Settings;

/// The experiment as a plan that a session can run.
#[must_use]
pub fn plan(_settings: Settings, _seed: u32) -> Plan {
    Plan {
        seats: Vec::new(),
        limits: crate::session::limits::Limits::default(),
        run: Box::new(|_| Box::pin(async { serde_json::Value::Null })),
    }
}
