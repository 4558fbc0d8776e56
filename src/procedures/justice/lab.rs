//! State shared by all steps of the experiment: the table, the settings, the seed, and the collected
//! warnings.

use super::distribution::Probabilities;
use super::event::Event;
use super::settings::{GuidanceStyle, Profile, Settings};
use crate::core::ask::Millis;
use crate::core::audience::Audience;
use crate::core::limits::time_limits;
use crate::core::random::Random;
use crate::core::table::Table;
use crate::procedures::answers::Answers;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// Stream of all draws for the group, seeded with the run's seed.
const GROUP_STREAM: &str = "phase2";

pub(super) struct Lab {
    pub(super) table: Table,
    pub(super) settings: Rc<Settings>,
    pub(super) seed: u32,
    /// Names of the participants in configuration order.
    pub(super) names: Vec<String>,
    warnings: RefCell<Vec<Warning>>,
}

/// A warning for review after the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable code, e.g. `choice_unreadable`.
    pub code: String,
    /// English sentence.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
}

impl Lab {
    pub(super) fn new(table: Table, settings: Settings, seed: u32) -> Self {
        let names = settings
            .participants
            .iter()
            .map(|participant| participant.seat.name.clone())
            .collect();
        Self {
            table,
            settings: Rc::new(settings),
            seed,
            names,
            warnings: RefCell::default(),
        }
    }

    pub(super) fn is_compat(&self) -> bool {
        self.settings.profile == Profile::Compat
    }

    /// Returns the least and greatest amount, as messages name them.
    pub(super) fn amount_limits(&self) -> (u32, u32) {
        (self.settings.phase2.amount_min, self.settings.phase2.amount_max)
    }

    /// Whether memories include topic, key point and theory of statements, as given by their speakers.
    pub(super) fn has_statement_points(&self) -> bool {
        let has_json = !self.is_compat() && self.settings.answers != Answers::Free;
        self.settings.phase2.memory.guidance_style == GuidanceStyle::Structured && has_json
    }

    /// Returns the configured class probabilities; `None` if all classes are equally likely.
    pub(super) fn probabilities(&self) -> Option<Probabilities> {
        self.settings
            .income_class_probabilities
            .and_then(|values| Probabilities::new(values).ok())
    }

    /// Returns the time limits of the attempts at a question, by the schedule of the seed documents.
    pub(super) fn time_limits(&self, base_seconds: f64) -> Vec<Millis> {
        time_limits(
            base_seconds,
            self.settings.phase2.backoff_factor,
            self.settings.phase2.voting_retry_limit,
        )
    }

    pub(super) fn emit(&self, to: Audience, event: Event) -> Millis {
        self.table.emit(to, &event)
    }

    pub(super) fn warn(&self, code: &str, seat: Option<&str>, round: Option<u32>, message: String) {
        let seat = seat.map(str::to_owned);
        self.emit(
            Audience::Owner,
            Event::Warned {
                code: code.to_owned(),
                seat: seat.clone(),
                round,
                message: message.clone(),
            },
        );
        self.warnings.borrow_mut().push(Warning {
            code: code.to_owned(),
            message,
            seat,
            round,
        });
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        self.warnings.borrow().clone()
    }

    /// Draws a value for the group.
    pub(super) fn draw<T: Serialize>(&self, purpose: &str, draw: impl FnOnce(&mut Random) -> T) -> T {
        self.table.draw(GROUP_STREAM, self.seed, purpose, draw)
    }
}
