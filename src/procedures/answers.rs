//! Answer format per seat kind (form, JSON schema or free text) and the choice of the reader for an answer.

use crate::core::form::{Form, Formed};
use crate::core::table::Answer;
use crate::reading::{How, Reading, Reason};
use crate::seat::{Seat, SeatKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Answer format requested from models and custom programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// Free text, within the instructions of the question.
    Free,
    /// JSON that follows the question's schema, if it has one.
    Structured,
    /// Default: JSON for models, free choice for custom programs, which get the form.
    #[default]
    Usual,
}

impl Answers {
    /// Returns the form and the JSON schema to send to `seat`. Human and custom seats get the form; models
    /// and, under `Structured`, custom seats get the schema.
    pub(super) fn asked(
        self,
        seat: &Seat,
        form: impl FnOnce() -> Option<Form> + 'static,
    ) -> (Option<Formed>, Option<Value>) {
        match seat.kind {
            SeatKind::Human => (Some(Formed::new(form)), None),
            SeatKind::Custom => {
                let form = Formed::new(form);
                let schema = if self == Self::Structured {
                    form.get().and_then(Form::schema)
                } else {
                    None
                };
                (Some(form), schema)
            }
            SeatKind::Model if self != Self::Free => (None, form().and_then(|form| form.schema())),
            _ => (None, None),
        }
    }

    /// Reads an answer from its form `values` if it has any, else with `form` unless answers are free, else
    /// with `free`. Form values are never derived from text.
    pub(super) fn read<T>(
        self,
        answer: &Answer,
        values: impl FnOnce(&Value) -> Option<T>,
        form: impl FnOnce(&str) -> Option<Reading<T>>,
        free: impl FnOnce(&str) -> Reading<T>,
    ) -> Reading<T> {
        if let Some(form_values) = answer.values() {
            // Form values were validated on submission, so unreadable ones come from a modified record.
            return match values(form_values) {
                Some(value) => Reading::read(value, How::Form),
                None => Reading::unread(Reason::EmptyResponse),
            };
        }
        self.read_text(answer.text(), form, free)
    }

    pub(super) fn read_text<T>(
        self,
        text: &str,
        form: impl FnOnce(&str) -> Option<Reading<T>>,
        free: impl FnOnce(&str) -> Reading<T>,
    ) -> Reading<T> {
        let formed = if self != Self::Free { form(text) } else { None };
        formed.unwrap_or_else(|| free(text))
    }
}
