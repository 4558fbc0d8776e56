//! The reading model: where a configuration names one, answers that the rules did not understand are put to it with the
//! form of their question. What it says counts only with words that stand in the answer; else the answer stays unread,
//! and words that nobody said are taken from nowhere. It is asked as anybody is, on a seat that takes no part.

use super::quote::quoted;
use super::shared;
use super::spec::config_reader::ConfigReader;
use crate::core::ask::{Ask, Millis, Request};
use crate::core::context::AskContext;
use crate::core::data::Data;
use crate::core::form::Form;
use crate::core::table::{Answer, Question, Table};
use crate::language::Language;
use crate::reading::{How, Reading, Reason, Span, place, structured};
use crate::seat::{Seat, SeatKind};
use serde::Serialize;
use serde_json::Value;

/// What it is asked for.
const READING: &str = "reading";

/// The reading model that a configuration names: `reader`, or with `published` the published program's settings, which
/// are none where they cannot be followed. Only where somebody answers in words of their own.
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

/// A question, as the reading model is told of it.
pub(super) struct ReaderQuestion<'a> {
    reader: &'a Seat,
    ask: Ask,
    content: String,
    time_limits: Vec<Millis>,
    max_tokens: u32,
}

impl<'a> ReaderQuestion<'a> {
    /// `None`: there is no reading model.
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

/// What was found in an answer, as it is recorded, and why nothing was.
pub(super) struct ReaderResult {
    pub(super) reading: Data,
    pub(super) reason: Option<Reason>,
}

/// Looks for a value in an answer; with a span, in values that the reading model took from these words.
pub(super) type Rules<'a> = &'a mut dyn FnMut(&Answer, Option<Span>) -> ReaderResult;

/// Rules that keep what they find.
pub(super) fn keeping<T: Serialize>(
    value: &mut Option<T>,
    read: impl Fn(&Answer) -> Reading<T>,
) -> impl FnMut(&Answer, Option<Span>) -> ReaderResult {
    move |answer, words| {
        let reading = match read(answer) {
            Reading::Read { value, .. } if words.is_some() => Reading::read(value, How::Model).by(words),
            reading => reading,
        };
        let found = ReaderResult {
            reading: Data::of(&reading),
            reason: reading.reason(),
        };
        if let Reading::Read { value: read, .. } = reading {
            *value = Some(read);
        }
        found
    }
}

/// What an answer says: by the rules, else by the reading model, where there is one.
pub(super) async fn read(
    table: &Table,
    (put, form): (Option<ReaderQuestion<'_>>, &dyn Fn() -> Option<Form>),
    answer: &Answer,
    rules: Rules<'_>,
) -> ReaderResult {
    let first = rules(answer, None);
    // An amount that was read and is out of bounds is no matter of words.
    let is_read = matches!(
        first.reason,
        None | Some(Reason::EmptyResponse | Reason::AmountTooLow | Reason::AmountTooHigh)
    );
    let Some(put) = put.filter(|_| !is_read) else {
        return first;
    };
    let Some((values, span)) = told(table, put, form(), answer.text()).await else {
        return first;
    };
    let second = rules(&Answer::by_values(values), Some(span));
    if second.reason.is_none() { second } else { first }
}

/// The values that the reading model finds in a text, and the words that say so.
async fn told(
    table: &Table,
    put: ReaderQuestion<'_>,
    form: Option<Form>,
    text: &str,
) -> Option<(Value, Span)> {
    let form = form?;
    let schema = form.reading_schema()?;
    let word = |key| put.ask.language.word(key);
    let content = format!(
        "{}\n{}\n\n{}\n{}\n\n{}",
        word("reading_question"),
        quoted(&put.content),
        word("reading_answer"),
        quoted(text),
        word("reading_task"),
    );
    let request = Request {
        schema: Some(schema),
        ..Request::to(
            put.reader,
            word("reading_system").into(),
            content.into(),
            put.max_tokens,
        )
    };
    let ask = Ask {
        id: format!("{}/{READING}", put.ask.id),
        seat: put.reader.name.clone(),
        kind: READING.into(),
        ..put.ask
    };
    let asking = table.ask(Question {
        ask,
        request,
        facts: AskContext::none(),
        form: None,
        time_limits: put.time_limits,
    });
    let id = asking.id().to_owned();
    let answer = asking.await.ok()?;
    let found = || {
        let (quote, values) = structured::relied_on(answer.text())?;
        let span = place(text, &quote)?;
        Some((form.said(&values)?, span))
    };
    let found = found();
    let reading = match &found {
        Some((values, span)) => Reading::read(values, How::Schema).by(Some(*span)),
        None => Reading::unread(Reason::NoSignalFound),
    };
    table.read(&id, Data::of(&reading));
    found
}
