//! Kinds of questions: form, schema and readers of answers from one declaration, and asking until an answer can be read.

use super::reader::{self, ReaderQuestion};
use crate::core::ask::Reply;
use crate::core::data::Data;
use crate::core::form::{Form, Formed};
use crate::core::table::{Question, Table};
use crate::reading::{How, Reading, Reason};
use crate::seat::{Seat, SeatKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A kind of question. Form, schema and the readers of its answers are made of this declaration.
pub(super) trait QuestionKind: Copy + 'static {
    /// What form and readers know of a question. Cheap to clone.
    type Context: Clone + 'static;
    type Answer: Serialize + DeserializeOwned;

    /// Returns the name, as stored in records.
    fn name(self) -> &'static str;

    /// Returns the form, from which the schema follows. Returns `None` if there is nothing to decide on.
    fn form(self, context: &Self::Context) -> Option<Form>;

    /// Reads the values of a form, which [`Form::reply`] has validated.
    fn read_values(self, values: &Value, _: &Self::Context) -> Option<Self::Answer> {
        serde_json::from_value(values.clone()).ok()
    }

    /// Reads the JSON that a model was asked for. Returns `None` if the answer has none.
    fn read_json(self, _text: &str, _: &Self::Context) -> Option<Reading<Self::Answer>> {
        None
    }

    /// Reads an answer in words.
    fn read_text(self, text: &str, context: &Self::Context) -> Reading<Self::Answer>;

    /// Reads an answer: its form values if it has any, else its JSON unless answers are free, else its words.
    fn read(self, answers: Answers, reply: &Reply, context: &Self::Context) -> Reading<Self::Answer> {
        if let Some(values) = &reply.values {
            // Form values were validated on submission, so unreadable ones come from a modified record.
            return match self.read_values(values, context) {
                Some(value) => Reading::read(value, How::Form),
                None => Reading::unread(Reason::EmptyResponse),
            };
        }
        let json = match answers {
            Answers::Free => None,
            _ => self.read_json(&reply.text, context),
        };
        json.unwrap_or_else(|| self.read_text(&reply.text, context))
    }
}

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
    pub(super) fn asked<K: QuestionKind>(
        self,
        seat: &Seat,
        kind: K,
        context: &K::Context,
    ) -> (Option<Formed>, Option<Value>) {
        let formed = || {
            let context = context.clone();
            Formed::new(move || kind.form(&context))
        };
        match seat.kind {
            SeatKind::Human => (Some(formed()), None),
            SeatKind::Custom => {
                let form = formed();
                let schema = if self == Self::Structured {
                    form.get().and_then(Form::schema)
                } else {
                    None
                };
                (Some(form), schema)
            }
            SeatKind::Model if self != Self::Free => {
                (None, kind.form(context).and_then(|form| form.schema()))
            }
            _ => (None, None),
        }
    }
}

/// How often and by whom an answer is read.
pub(super) struct Attempts<'a> {
    pub(super) table: &'a Table,
    pub(super) answers: Answers,
    /// The reading model.
    pub(super) reader: Option<&'a Seat>,
    /// Maximum number of attempts.
    pub(super) most: u32,
}

/// An answer without a reading.
pub(super) struct UnreadAnswer {
    pub(super) text: String,
    pub(super) reason: Reason,
}

/// The outcome of a question.
pub(super) struct AskOutcome<T> {
    pub(super) value: Option<T>,
    /// All answers as received.
    pub(super) replies: Vec<Reply>,
    /// Id of the last ask.
    pub(super) ask: String,
    /// Why the last answer could not be read.
    pub(super) reason: Option<Reason>,
    /// Whether the last attempt ended without an answer.
    pub(super) has_timed_out: bool,
}

impl<T> AskOutcome<T> {
    /// Returns the outcome of a question whose value came in the form of another one.
    pub(super) fn of_form(value: T, text: String) -> Self {
        let reply = Reply {
            text,
            ..Reply::default()
        };
        Self {
            value: Some(value),
            replies: vec![reply],
            ask: String::new(),
            reason: None,
            has_timed_out: false,
        }
    }

    /// Returns the last answer as received; empty without an answer.
    pub(super) fn text(&self) -> &str {
        self.replies.last().map_or("", |reply| &reply.text)
    }
}

impl Attempts<'_> {
    /// Asks until an answer can be read. `question` returns the question of an attempt, from 1, with its context; it gets
    /// the previous answer.
    pub(super) async fn ask<K: QuestionKind>(
        &self,
        kind: K,
        question: impl Fn(u32, Option<&UnreadAnswer>) -> (Question, K::Context),
    ) -> AskOutcome<K::Answer> {
        let mut outcome = AskOutcome {
            value: None,
            replies: Vec::new(),
            ask: String::new(),
            reason: None,
            has_timed_out: false,
        };
        let mut unread = None;
        for attempt in 1..=self.most {
            let (question, context) = question(attempt, unread.as_ref());
            let reader_question = ReaderQuestion::of(self.reader, &question);
            outcome.ask.clone_from(&question.ask.id);
            let Ok(reply) = self.table.ask(question).await else {
                outcome.has_timed_out = true;
                break;
            };
            let by_rules = kind.read(self.answers, &reply, &context);
            let reading = reader::read(self.table, reader_question, (kind, &context), &reply, by_rules).await;
            self.table.read(&outcome.ask, Data::of(&reading));
            outcome.reason = reading.reason();
            unread = outcome.reason.map(|reason| UnreadAnswer {
                text: reply.text.clone(),
                reason,
            });
            outcome.replies.push(reply);
            if let Reading::Read { value, .. } = reading {
                outcome.value = Some(value);
                break;
            }
        }
        outcome
    }
}
