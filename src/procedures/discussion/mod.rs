//! Turn-based discussions: people and agents speak one after the other in a fixed order, round by
//! round, until all rounds are over. `procedure.rs` reads like the state machine; `state` and `clean`
//! hold its rules, `told` and `advance` what programs see of it and hand in, `view` what is shown of it.

pub mod advance;
pub mod asks;
pub mod clean;
pub mod config;
pub mod context;
pub mod event;
mod forms;
pub mod model_config;
pub mod presets;
mod procedure;
pub mod prompts;
mod report;
pub(super) mod scripted;
pub mod settings;
pub mod spec;
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

/// What the lab knows of it.
pub(super) const PROCEDURE: Procedure = Procedure {
    name: "discussion",
    spec: &spec::SPEC,
    check: |config| {
        let checked = config::check(config)?;
        let config = config.clone();
        Ok(CheckedConfig::new(
            checked,
            |settings| settings.seed,
            move |settings, _| plan(settings, config),
        ))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &["completed_by", "rounds", "contributions"],
    lens: view::LENS,
    tables: report::report,
    texts: &TEXTS,
    report: Some(&REPORT),
};

/// What participants are asked and told.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// What reports about it say.
pub static REPORT: Texts = Texts::new(in_each_language!("words/report"));

/// A discussion as a plan that a session can run; `config` is what the settings were read from.
#[must_use]
pub fn plan(settings: Settings, config: Value) -> Plan {
    Plan {
        seats: settings.table.seats.clone(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| {
            Box::pin(async move { Discussion::new(table, settings, config).run().await })
        }),
    }
}
