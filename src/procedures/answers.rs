//! Whether answers are to have a form, and which reader reads which answer: its values where it came by form, the
//! fields of a structured one, else the words.

use crate::core::form::{Form, Formed};
use crate::core::table::Answer;
use crate::reading::{How, Reading, Reason};
use crate::seat::{Seat, SeatKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// In which form models and programs are asked to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// As they like, within the words of the question.
    Free,
    /// As JSON of a given form, where the question has one.
    Structured,
    /// Nothing is said: models as JSON; programs as they like, since they have the form.
    #[default]
    Usual,
}

impl Answers {
    /// What a question to this seat carries of its form: people and programs get the form, models and programs
    /// its schema, where answers are to be structured.
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

    /// What an answer says: `values` where it came by form; else `form` where it was to have one and has it; else
    /// as free text. Values are never read from words.
    pub(super) fn read<T>(
        self,
        answer: &Answer,
        values: impl FnOnce(&Value) -> Option<T>,
        form: impl FnOnce(&str) -> Option<Reading<T>>,
        free: impl FnOnce(&str) -> Reading<T>,
    ) -> Reading<T> {
        if let Some(given) = answer.values() {
            // What does not hold the form's values was not checked by it: a record that was tampered with.
            return match values(given) {
                Some(value) => Reading::read(value, How::Form),
                None => Reading::unread(Reason::EmptyResponse),
            };
        }
        self.read_text(answer.text(), form, free)
    }

    /// What a text says.
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
