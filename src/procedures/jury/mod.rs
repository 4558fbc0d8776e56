//! A jury: two opening statements and evidence, each followed by a straw vote, then deliberation and ballots until a
//! verdict is reached or the jury is hung. `run.rs` holds the course of a trial, `rules` its arithmetic, `read` the
//! parsing of votes, `scripted` the jurors that need no network.

pub mod asks;
pub mod context;
pub mod event;
mod prompts;
pub mod read;
mod report;
pub mod rules;
mod run;
mod scripted;
pub mod settings;
mod view;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::language::in_each_language;
use crate::language::words::Texts;
use crate::procedures::Preset;
use settings::Settings;

pub(super) const PROCEDURE: Procedure = Procedure {
    name: "jury",
    spec: &settings::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        Ok(CheckedConfig::new(checked, |settings| settings.seed, plan))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &["verdict", "ballots"],
    tables: report::report,
    view: view::VIEW,
    prompts: &prompts::PROMPTS,
    texts: &TEXTS,
};

/// Texts of prompts, forms and answers.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Returns the plan of a trial for a session.
#[must_use]
pub fn plan(settings: Settings, _seed: u32) -> Plan {
    Plan {
        seats: settings.seats.iter().chain(&settings.reader).cloned().collect(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| Box::pin(run::Trial::new(table, settings).run())),
    }
}

/// Returns presets that run without an API key.
#[must_use]
pub fn presets() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}
