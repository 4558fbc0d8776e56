//! The reading model. If a configuration names one, it gets answers that the rules could not read, and
//! statements in plain text, with the form of their question. Its values count only if it quotes the words of the answer they are based on;
//! otherwise the answer stays unread. Its asks belong to a seat outside the table.

use super::answers::QuestionKind;
use super::quote::quoted;
use super::shared;
use super::spec::config_reader::ConfigReader;
use crate::core::ask::{Ask, Millis, Reply, Request};
use crate::core::context::AskContext;
use crate::core::data::Data;
use crate::core::form::Form;
use crate::core::table::{Question, Table};
use crate::language::Language;
use crate::reading::{How, Reading, Reason, Span, place, structured};
use crate::seat::{Seat, SeatKind};
use serde_json::Value;

/// Kind of its asks.
const READING: &str = "reading";

/// Returns the reading model from `reader` or, with `published`, from the published program's settings if
/// they can be used. Returns `None` if no seat answers in free text.
pub(super) fn reader<'s>(
    top: &ConfigReader,
    language: Language,
    seats: impl IntoIterator<Item = &'s Seat>,
    published: bool,
) -> Option<Seat> {
    let is_free = |seat: &Seat| matches!(seat.kind, SeatKind::Model | SeatKind::Custom);
    let is_needed = seats.into_iter().any(is_free);
    let own = top.object("reader");
    let found = match own.is_given() {
        true => Some(shared::reading_model(&own, language)),
        false if published => shared::utility_model(top, language),
        false => None,
    };
    let found = found.filter(|_| is_needed);
    let named: &[&str] = match published {
        true => &["reader", "utility_agent_model", "utility_agent_temperature"],
        false => &["reader"],
    };
    for name in named {
        let is_replaced = own.is_given() && *name != "reader";
        if top.value(name).is_some() && (found.is_none() || is_replaced) {
            top.warn(name, "without_effect", vec![]);
        }
    }
    found
}

/// The parts of a question that the reading model gets.
pub(super) struct ReaderQuestion<'a> {
    reader: &'a Seat,
    ask: Ask,
    content: String,
    time_limits: Vec<Millis>,
    max_tokens: u32,
}

impl<'a> ReaderQuestion<'a> {
    /// Returns `None` if there is no reading model.
    pub(super) fn of(reader: Option<&'a Seat>, question: &Question) -> Option<Self> {
        let last = question.request.messages.last();
        Some(Self {
            reader: reader?,
            ask: question.ask.clone(),
            content: last.map_or_else(String::new, |last| last.content.get().into_owned()),
            time_limits: question.time_limits.clone(),
            max_tokens: question.request.max_tokens,
        })
    }
}

/// Returns the reading of an answer: `first`, by the rules, or that of the reading model if there is one and the rules
/// did not understand the answer.
pub(super) async fn read<K: QuestionKind>(
    table: &Table,
    question: Option<ReaderQuestion<'_>>,
    (kind, context): (K, &K::Context),
    reply: &Reply,
    first: Reading<K::Answer>,
) -> Reading<K::Answer> {
    // An amount out of bounds was understood, so the reading model cannot help.
    let is_understood = matches!(
        first.reason(),
        None | Some(Reason::EmptyResponse | Reason::AmountTooLow | Reason::AmountTooHigh)
    );
    let Some(question) = question.filter(|_| !is_understood) else {
        return first;
    };
    let Some((values, span)) = ask_reading_model(table, question, kind.form(context), &reply.text).await
    else {
        return first;
    };
    match kind.read_values(&values, context) {
        Some(value) => Reading::read(value, How::Model).by(Some(span)),
        None => first,
    }
}

/// Returns the values of a form that the reading model, if there is one, finds in a text.
pub(super) async fn extract(
    table: &Table,
    question: Option<ReaderQuestion<'_>>,
    form: Option<Form>,
    text: &str,
) -> Option<Value> {
    let (values, _) = ask_reading_model(table, question?, form, text).await?;
    Some(values)
}

/// Returns the values that the reading model finds in `text`, and the words they are based on.
async fn ask_reading_model(
    table: &Table,
    question: ReaderQuestion<'_>,
    form: Option<Form>,
    text: &str,
) -> Option<(Value, Span)> {
    let form = form?;
    let schema = form.reading_schema()?;
    let word = |key| question.ask.language.word(key);
    let content = format!(
        "{}\n{}\n\n{}\n{}\n\n{}",
        word("reading_question"),
        quoted(&question.content),
        word("reading_answer"),
        quoted(text),
        word("reading_task"),
    );
    let request = Request {
        schema: Some(schema),
        ..Request::to(
            question.reader,
            word("reading_system").into(),
            content.into(),
            question.max_tokens,
        )
    };
    let ask = Ask {
        id: format!("{}/{READING}", question.ask.id),
        seat: question.reader.name.clone(),
        kind: READING.into(),
        ..question.ask
    };
    let asking = table.ask(Question {
        ask,
        request,
        facts: AskContext::none(),
        form: None,
        time_limits: question.time_limits,
        wait: 0,
    });
    let id = asking.id().to_owned();
    let answer = asking.await.ok()?;
    let found = || {
        let (quote, values) = structured::relied_on(&answer.text)?;
        let span = place(text, &quote)?;
        Some((form.extracted(&values)?, span))
    };
    let found = found();
    let reading = match &found {
        Some((values, span)) => Reading::read(values, How::Schema).by(Some(*span)),
        None => Reading::unread(Reason::NoSignalFound),
    };
    table.read(&id, Data::of(&reading));
    found
}
