//! Turn-based discussions: people and agents speak in a fixed order, round by round. `procedure.rs` holds the
//! state machine, `state` and `clean` its rules, `status` and `advance` the interface for programs, `view`
//! the view on the page. `open` is the discussion without turns.

pub mod advance;
pub mod asks;
pub mod clean;
pub mod context;
pub mod event;
pub mod model_config;
mod open;
pub mod presets;
mod procedure;
pub mod prompts;
mod report;
pub(super) mod scripted;
pub mod seating;
pub mod settings;
pub mod state;
pub mod status;
pub mod view;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::language::in_each_language;
use crate::language::words::Texts;
use procedure::Discussion;
use serde_json::Value;
use settings::Settings;

pub(super) const PROCEDURE: Procedure = Procedure {
    name: "discussion",
    spec: &settings::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        let config = config.clone();
        Ok(CheckedConfig::new(
            checked,
            |settings| settings.seed,
            move |settings, _| plan(settings, config),
        ))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &["completed_by", "rounds", "contributions"],
    view: view::VIEW,
    tables: report::report,
    prompts: &prompts::PROMPTS,
    texts: &TEXTS,
};

/// Texts within prompts.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Returns the plan of a discussion for a session; `config` is the source of `settings`.
#[must_use]
pub fn plan(settings: Settings, config: Value) -> Plan {
    Plan {
        seats: settings.seating.seats.clone(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| {
            Box::pin(async move { Discussion::new(table, settings, config).run().await })
        }),
    }
}
