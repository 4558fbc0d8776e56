//! Delphi polls: several people or models estimate a number, each alone, are told median, quartiles and
//! reasons without names, and estimate again. `run.rs` reads like the course of a poll, `rules` holds its
//! arithmetic, `read` what an answer means, `scripted` who plays it without a network.

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
pub mod spec;
mod view;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::language::in_each_language;
use crate::language::words::Texts;
use crate::procedures::Preset;
use settings::Settings;

/// What the lab knows of it.
pub(super) const PROCEDURE: Procedure = Procedure {
    name: "delphi",
    spec: &spec::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        Ok(CheckedConfig::new(checked, |settings| settings.seed, plan))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &["ended_by", "rounds", "unit", "spread"],
    tables: report::report,
    lens: view::LENS,
    texts: &TEXTS,
    report: Some(&REPORT),
};

/// What participants are asked and told.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// What reports say of it.
pub static REPORT: Texts = Texts::new(in_each_language!("words/report"));

/// A poll as a plan that a session can run.
#[must_use]
pub fn plan(settings: Settings, seed: u32) -> Plan {
    Plan {
        seats: settings.seats.iter().chain(&settings.reader).cloned().collect(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| Box::pin(run::Poll::new(table, settings, seed).run())),
    }
}

/// Polls to begin with; all of them run without a key.
#[must_use]
pub fn presets() -> Vec<Preset> {
    serde_json::from_str(include_str!("presets.json")).unwrap_or_default()
}
