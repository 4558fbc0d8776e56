//! A debate: seats propose answers to one question, criticise each other's proposals, revise them in rounds
//! and vote; a judge who does not know the authors scores the final proposals (seed 003).
//!
//! [`debate`] runs the schedule, [`rounds`] has one function per round, [`rules`] has the decisions.

mod arena;
pub mod asks;
mod breakers;
pub mod context;
pub mod event;
mod forms;
mod material;
pub mod outcome;
pub mod presets;
mod prompts;
mod report;
mod rounds;
pub mod rules;
pub(super) mod scripted;
mod seating;
pub mod settings;
mod view;
pub mod voting;

use super::{CheckedConfig, Procedure};
use crate::core::Plan;
use crate::core::audience::Audience;
use crate::core::table::Table;
use crate::language::in_each_language;
use crate::language::words::Texts;
use arena::Arena;
use outcome::outcome;
use rounds::Debate;
use serde_json::Value;
use settings::Settings;
use settings::schedule::{Round, RoundKind};

pub(super) const PROCEDURE: Procedure = Procedure {
    name: "debate",
    spec: &settings::SPEC,
    check: |config| {
        let checked = settings::check(config)?;
        Ok(CheckedConfig::new(checked, |settings| settings.seed, plan))
    },
    answer: |seat, seed, ask, facts| Some(scripted::answer(seat, seed, ask, facts.of()?)),
    outcome: &[
        "consensus_reached",
        "winner",
        "confidence",
        "status",
        "decided_by",
    ],
    view: view::VIEW,
    tables: report::report,
    prompts: &prompts::PROMPTS,
    texts: &TEXTS,
};

/// Texts within prompts.
pub static TEXTS: Texts = Texts::new(in_each_language!("words"));

/// Returns the plan of a debate.
#[must_use]
pub fn plan(settings: Settings, seed: u32) -> Plan {
    Plan {
        seats: seating::seats(&settings),
        limits: settings.limits.clone(),
        run: Box::new(move |table| Box::pin(debate(table, settings, seed))),
    }
}

/// Runs a debate and returns its outcome.
async fn debate(table: Table, mut settings: Settings, seed: u32) -> Value {
    let team = seating::select_team(&mut settings);
    let schedule = settings.schedule.clone();
    let mut debate = Debate::new(Arena::new(table, settings, seed));
    if let Some(team) = team {
        debate.arena.emit(Audience::Owner, &team);
    }
    for (place, round) in schedule.iter().enumerate() {
        if debate.is_skipped(*round) {
            continue;
        }
        debate.run_step(*round).await;
        if debate.ended_early.is_some() {
            break;
        }
        let rest = schedule.get(place + 1..).unwrap_or_default();
        if round.kind == RoundKind::Revise && rest.iter().any(|later| later.kind == RoundKind::Revise) {
            debate.check_end_of_revisions(round.number).await;
        }
    }
    extend(&mut debate).await;
    outcome(&debate)
}

/// Runs further rounds while the judge finds the matter open: critique, revision, comparison, vote, judge.
async fn extend(debate: &mut Debate) {
    for _ in 0..debate.arena.settings.max_extended_rounds {
        let is_open = debate
            .evaluation
            .as_ref()
            .is_some_and(|judgement| !judgement.conclusive);
        if !is_open || debate.ended_early.is_some() || debate.should_stop_extending().await {
            return;
        }
        let number = debate.rounds + 1;
        let step = |kind| Round {
            number,
            kind,
            converge: kind == RoundKind::Revise,
        };
        for kind in [
            RoundKind::Critique,
            RoundKind::Revise,
            RoundKind::Vote,
            RoundKind::Judge,
        ] {
            debate.run_step(step(kind)).await;
            if debate.ended_early.is_some() {
                return;
            }
        }
    }
}
