//! Translates a program's message to a discussion into session inputs. A message answers the person's open
//! turn if there is one, and is out of turn otherwise. Computes inputs only; the caller submits them.

use super::event::SpeakingSlot;
use super::status::{DiscussionState, status_of};
use crate::core::ask::Reply;
use crate::core::record::{Command, Entry, EntryKind, Halt};
use crate::core::{Input, OpenAsk, Session, Status};
use crate::language::blank::is_blank;
use crate::procedures::names::is_confusable;
use crate::seat::SeatKind;
use std::fmt::Display;
use std::rc::Rc;

/// Maximum length of a message, in characters.
pub const LONGEST_MESSAGE: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    /// Name of a seat, or the sender's own id for the person at the table.
    pub user: &'a str,
    pub text: &'a str,
    /// Id by which a repeated message is recognized.
    pub request_id: Option<&'a str>,
}

/// Why a message is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Text or sender is missing, or the text is too long.
    BadRequest(String),
    Conflict(String),
}

impl Refusal {
    /// Returns `bad_request` or `conflict`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadRequest(_) => "bad_request",
            Self::Conflict(_) => "conflict",
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::BadRequest(message) | Self::Conflict(message)) = self;
        formatter.write_str(message)
    }
}

impl std::error::Error for Refusal {}

/// Returns the inputs for a message, to be submitted in this order. They resume a suspended discussion. A
/// repeated message is not submitted twice, but still resumes the run.
///
/// # Errors
///
/// Returns a bad request if text or sender is missing or the text exceeds [`LONGEST_MESSAGE`] characters, and
/// a conflict if the discussion is over.
pub fn advance(session: &Session, message: Message<'_>) -> Result<Vec<Input>, Refusal> {
    let text = message.text.trim();
    let bad_request = |message: &str| Err(Refusal::BadRequest(message.to_owned()));
    if is_blank(text) {
        return bad_request("the message is empty");
    }
    if is_blank(message.user) {
        return bad_request("the message has no sender: set userId");
    }
    if text.chars().count() > LONGEST_MESSAGE {
        return bad_request(&format!("the message has more than {LONGEST_MESSAGE} characters"));
    }
    let record = session.record();
    let status = status_of(&record);
    let is_known = message.request_id.is_some_and(|id| is_known(&record, id));
    if !is_known && (status.standing == DiscussionState::Completed || session.status() == Status::Ended) {
        return Err(Refusal::Conflict("the discussion is completed".to_owned()));
    }
    let mut inputs = Vec::new();
    if !is_known {
        let Some(speaker) = speaker(&status.order, message.user) else {
            return bad_request(
                "userId equals or resembles the name of a seat that is not a person; use another one",
            );
        };
        let open = session.open_asks();
        let own = open
            .iter()
            .find(|open| open.seat.name == speaker && open.seat.kind == SeatKind::Human);
        inputs.push(match own {
            Some(open) => answer(open, message),
            None => Input::Command(Command::Say {
                seat: speaker,
                text: text.to_owned(),
                request_id: message.request_id.map(str::to_owned),
            }),
        });
        // A queued question cannot be answered yet, so the run is resumed first.
        if own.is_some_and(|open| open.since.is_none()) {
            inputs.insert(0, Input::Command(Command::Resume));
            return Ok(inputs);
        }
    }
    if is_stalled(session) {
        inputs.push(Input::Command(Command::Resume));
    }
    Ok(inputs)
}

fn answer(open: &OpenAsk, message: Message<'_>) -> Input {
    let attempt = open.call.attempt + u32::from(open.since.is_none());
    let reply = Reply {
        text: message.text.to_owned(),
        request_id: message.request_id.map(str::to_owned),
        ..Reply::default()
    };
    Input::Answered {
        ask: open.call.ask.id.clone(),
        attempt,
        reply,
    }
}

/// Returns the speaker of a message: the named person, else the only person at the table, else a guest of
/// that name. Returns `None` if the name could be confused with a seat that is no person.
fn speaker(order: &[SpeakingSlot], user: &str) -> Option<String> {
    if order.iter().any(|place| place.person && place.name == user) {
        return Some(user.to_owned());
    }
    if order
        .iter()
        .any(|place| !place.person && is_confusable(user, &place.name))
    {
        return None;
    }
    let mut people: Vec<&str> = order
        .iter()
        .filter(|place| place.person)
        .map(|place| place.name.as_str())
        .collect();
    people.sort();
    people.dedup();
    Some(match people.as_slice() {
        [one] => (*one).to_owned(),
        _ => user.to_owned(),
    })
}

/// Returns whether a message of that id was submitted before.
fn is_known(record: &[Rc<Entry>], id: &str) -> bool {
    let has_id = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Answered { reply, .. } => reply.request_id.as_deref() == Some(id),
        EntryKind::Commanded {
            command: Command::Say { request_id, .. },
        } => request_id.as_deref() == Some(id),
        _ => false,
    };
    record.iter().any(has_id)
}

/// Returns whether a run is paused although its procedure could go on.
fn is_stalled(session: &Session) -> bool {
    match session.status() {
        Status::Paused | Status::Stopped => true,
        Status::Halted(halt) => !matches!(halt, Halt::Rests { .. }),
        Status::Running | Status::Ended => false,
    }
}
