//! The Frohlich-Oppenheimer experiment on distributive justice behind a veil of ignorance: each participant
//! learns four principles alone (phase 1), then the group discusses and votes (phase 2).
//!
//! `phase1` and `phase2` follow the process flow of the seed documents. `discussion`, `voting` and `results`
//! hold the steps of phase 2; the other modules hold rules and texts.

pub mod apply;
pub mod asks;
pub mod consensus;
pub mod context;
pub mod counterfactual;
pub mod discussion;
pub mod distribution;
pub mod event;
mod forms;
pub mod history;
mod lab;
mod member;
mod memory;
pub mod order;
mod phase1;
mod phase2;
pub mod popularity;
pub mod presets;
pub mod prompts;
mod report;
pub mod results;
pub(super) mod scripted;
pub mod settings;
mod view;
mod voting;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::core::table::Table;
use crate::language::words::{Texts, Words};
use crate::language::{Language, in_each_language};
use lab::Lab;
use member::Member;
use settings::{Settings, Wording};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Entry in the registry of procedures.
pub(super) const PROCEDURE: Procedure = Procedure {
    name: "justice",
    spec: &settings::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        Ok(CheckedConfig::new(checked, |settings| settings.seed, plan))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &[
        "consensus_reached",
        "chosen_principle",
        "constraint_amount",
        "rounds_completed",
    ],
    view: view::VIEW,
    tables: report::report,
    prompts: &prompts::PROMPTS,
    texts: &TEXTS,
};

/// Texts within prompts.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Texts that take the place of others, by the same keys, in [`Wording::Class`].
pub static CLASS_TEXTS: Texts = Texts::new(in_each_language!("words/class"));

/// Returns the texts within prompts in a wording, with the replacements of a configuration.
fn words(wording: Wording, language: Language, overrides: &BTreeMap<String, String>) -> Words {
    match wording {
        Wording::Study => Words::new(&TEXTS, language, overrides),
        Wording::Class => Words::new(&CLASS_TEXTS, language, overrides).and(&TEXTS),
    }
}

/// Builds the experiment as a plan for a session.
#[must_use]
pub fn plan(settings: Settings, seed: u32) -> Plan {
    Plan {
        seats: settings
            .participants
            .iter()
            .map(|participant| participant.seat.clone())
            .chain(settings.reader.clone())
            .collect(),
        limits: settings.limits.clone(),
        run: Box::new(move |table| Box::pin(experiment(table, settings, seed))),
    }
}

async fn experiment(table: Table, settings: Settings, seed: u32) -> serde_json::Value {
    let lab = Rc::new(Lab::new(table, settings, seed));
    let mut members = Member::all(&lab);
    phase1::run(&lab, &mut members).await;
    let group = phase2::run(&lab, &mut members).await;
    let result = results::build_result(&lab, &members, group);
    serde_json::to_value(&result).unwrap_or_default()
}
