//! Delphi polls: several people or models estimate a number independently, get median, quartiles and
//! anonymous reasons, and estimate again. `run.rs` holds the course of a poll, `rules` its arithmetic, `read`
//! the parsing of answers, `scripted` the participants that need no network.

pub mod asks;
pub mod context;
pub mod event;
mod prompts;
pub mod read;
mod report;
pub mod rules;
mod run;
pub(super) mod scripted;
pub mod settings;
mod view;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::language::in_each_language;
use crate::language::words::Texts;
use crate::procedures::Preset;
use settings::Settings;

pub(super) const PROCEDURE: Procedure = Procedure {
    name: "delphi",
    spec: &settings::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        Ok(CheckedConfig::new(checked, |settings| settings.seed, plan))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &["ended_by", "rounds", "unit", "spread", "truth"],
    tables: report::report,
    view: view::VIEW,
    prompts: &prompts::PROMPTS,
    texts: &TEXTS,
};

/// Labels of answers and forms.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Returns the plan of a poll for a session.
#[must_use]
pub fn plan(settings: Settings, seed: u32) -> Plan {
    Plan {
        seats: settings.seats.iter().chain(&settings.reader).cloned().collect(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| Box::pin(run::Poll::new(table, settings, seed).run())),
    }
}

/// Returns presets that run without an API key.
#[must_use]
pub fn presets() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}
