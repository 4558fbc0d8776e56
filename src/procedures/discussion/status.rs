//! Status of a discussion, derived from its record, as JSON in the format of the published program with
//! additions: contributions, counts by role, next speaker and state. Read-only.

use super::event::{Event, SpeakingSlot};
use super::prompts;
use super::seating::Role;
use super::settings::{self, Settings};
use crate::core::record::{Command, Entry, EntryKind, Halt, Started};
use crate::language::format::timestamp;
use crate::language::words::Words;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// State of a discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscussionState {
    /// Running, or waiting for the next speaker.
    Active,
    /// Suspended until it is resumed.
    Paused,
    Completed,
}

impl DiscussionState {
    /// Returns `active`, `paused` or `completed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
        }
    }
}

/// Status derived from a record.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscussionStatus {
    /// Current speaking order.
    pub order: Vec<SpeakingSlot>,
    /// Index of the current turn, from 0.
    pub turn: u32,
    /// From 1; after the last round, one more.
    pub round: u32,
    pub standing: DiscussionState,
    /// Whether the turn limit suspended the run, so that agents go on when it is resumed.
    pub pending: bool,
    /// Why it is suspended: `command`, `stopped`, `call_failed`, `max_calls`, `max_cost`, `max_tokens`,
    /// `message`, `turn_limit`, `no_answer` or `no_speakers`.
    pub reason: Option<String>,
    /// Seat of a failed call, and the message.
    pub error: Option<(String, String)>,
}

impl DiscussionStatus {
    /// Returns the current speaker while the discussion is active.
    #[must_use]
    pub fn next(&self) -> Option<&SpeakingSlot> {
        let is_active = self.standing == DiscussionState::Active;
        self.order.get(self.turn as usize).filter(|_| is_active)
    }
}

/// Derives the status from a record.
#[must_use]
pub fn status_of(record: &[Rc<Entry>]) -> DiscussionStatus {
    let mut status = DiscussionStatus {
        order: Vec::new(),
        turn: 0,
        round: 1,
        standing: DiscussionState::Active,
        pending: false,
        reason: None,
        error: None,
    };
    // Paused by a command or failure, and suspended by the procedure; each may hold alone.
    let (mut paused_by, mut suspended_by): (Option<String>, Option<String>) = (None, None);
    let mut asked: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in record {
        match &entry.what {
            EntryKind::Asked { ask, .. } => {
                asked.insert(&ask.id, &ask.seat);
                suspended_by = None;
            }
            EntryKind::Event { event, .. } => match event.read() {
                Ok(Event::Seated { order }) => status.order = order,
                Ok(Event::Moved { turn, round }) => (status.turn, status.round) = (turn, round),
                Ok(Event::Completed { .. }) => status.standing = DiscussionState::Completed,
                _ => {}
            },
            EntryKind::Commanded { command } => match command {
                Command::Pause => paused_by = Some("command".to_owned()),
                Command::Step => (paused_by, suspended_by) = (Some("command".to_owned()), None),
                Command::Stop => paused_by = Some("stopped".to_owned()),
                Command::Resume => (paused_by, suspended_by) = (None, None),
                _ => {}
            },
            EntryKind::Halted { halt } => match halt {
                Halt::Rests { reason } => suspended_by = Some(reason.clone()),
                Halt::CallFailed { ask, failure } => {
                    paused_by = Some("call_failed".to_owned());
                    let seat = asked.get(ask.as_str()).copied().unwrap_or_default();
                    status.error = Some((seat.to_owned(), failure.message.clone()));
                }
                Halt::MaxCalls { .. } => paused_by = Some("max_calls".to_owned()),
                Halt::MaxCost { .. } => paused_by = Some("max_cost".to_owned()),
                Halt::MaxTokens { .. } => paused_by = Some("max_tokens".to_owned()),
            },
            _ => {}
        }
    }
    if paused_by.as_deref() != Some("call_failed") {
        status.error = None;
    }
    if status.standing == DiscussionState::Completed {
        status.error = None;
        return status;
    }
    let is_waiting = matches!(suspended_by.as_deref(), None | Some("message" | "turn_limit"));
    status.pending = paused_by.is_none() && suspended_by.as_deref() == Some("turn_limit");
    if paused_by.is_some() || !is_waiting {
        status.standing = DiscussionState::Paused;
    }
    status.reason = paused_by.or(suspended_by);
    status
}

/// Returns the discussion as `getDiscussion` reports it; null for a record of another procedure.
#[must_use]
pub fn view(record: &[Rc<Entry>]) -> Value {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Value::Null;
    };
    if head.protocol != super::PROCEDURE.name {
        return Value::Null;
    }
    let settings = settings::check(&head.config).ok().map(|checked| checked.settings);
    let status = status_of(record);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut entries = Vec::new();
    for (entry, event) in log(record) {
        if let Event::Said { role, content, .. } = &event
            && !content.is_empty()
        {
            *counts.entry(role.name()).or_insert(0) += 1;
        }
        entries.extend(entry_of(head, settings.as_ref(), &entry, event));
    }
    let next = status.next();
    json!({
        "status": "success",
        "project": project(head, settings.as_ref(), status.standing),
        "entries": entries,
        "counts": counts,
        "speakerOrder": status.order.iter().map(|place| place.role.name()).collect::<Vec<_>>(),
        "nextSpeaker": next.map(|place| place.role.name()),
        "nextSpeakerId": next.map(|place| &place.id),
        "nextSpeakerName": next.map(|place| &place.name),
        "state": state(settings.as_ref(), &status),
    })
}

fn project(head: &Started, settings: Option<&Settings>, standing: DiscussionState) -> Value {
    json!({
        "id": head.session,
        "name": head.config["title"].as_str().unwrap_or_default(),
        "type": "discussion",
        "status": standing.name(),
        "metadata": {
            "topic": settings.map(|settings| &settings.topic),
            "rules": settings.map(|settings| &settings.rules),
        },
    })
}

fn state(settings: Option<&Settings>, status: &DiscussionStatus) -> Value {
    let mut state = json!({
        "status": status.standing.name(),
        "turn": status.turn,
        "round": status.round,
        "maxRounds": settings.map(|settings| settings.rounds),
        "pending": status.pending,
    });
    if let Some(reason) = &status.reason {
        state["reason"] = json!(reason);
    }
    if let Some((agent, message)) = &status.error {
        state["error"] = json!({ "agent": agent, "message": message });
    }
    state
}

/// Returns the log entry of an event if it has one.
fn entry_of(head: &Started, settings: Option<&Settings>, entry: &Entry, event: Event) -> Option<Value> {
    let id = format!("{}/{}", head.session, entry.seq);
    let at = timestamp(entry.at);
    Some(match event {
        Event::Said {
            speaker,
            role,
            person,
            turn,
            round,
            content,
            metadata,
        } => {
            let kind = match role {
                Role::Manager => "manager",
                Role::Leader | Role::Specialist => "expert",
                Role::User => "user",
            };
            json!({
                "id": id, "type": "discussion_turn", "speakerKey": role.name(), "speakerName": speaker,
                "speakerRole": kind, "content": content, "createdAt": at,
                "agentTemplateId": (!person).then_some(&speaker), "level": null, "keywords": [],
                "turn": turn, "round": round, "metadata": metadata,
            })
        }
        Event::Noted {
            code,
            turn,
            round,
            about,
        } => {
            let content = match settings {
                Some(settings) => {
                    let none = BTreeMap::new();
                    let own = settings.prompts.get(settings.language.code()).unwrap_or(&none);
                    prompts::note(&Words::new(&super::TEXTS, settings.language, own), &code, &about)
                }
                None => about,
            };
            json!({
                "id": id, "type": "discussion_note", "speakerKey": null, "speakerName": null,
                "speakerRole": null, "content": content, "createdAt": at, "agentTemplateId": null,
                "level": null, "keywords": [], "turn": turn, "round": round,
                "metadata": { "code": code, "skipped": code == "unknown_agent" },
            })
        }
        _ => return None,
    })
}

/// Returns contributions and notes in order, with public and private metadata joined.
pub(crate) fn log(record: &[Rc<Entry>]) -> Vec<(Rc<Entry>, Event)> {
    let mut private_metadata = None;
    let mut read_event = |entry: &Rc<Entry>| {
        let EntryKind::Event { event, .. } = &entry.what else {
            return None;
        };
        let mut event = event.read().ok()?;
        match &mut event {
            Event::Came(private) => {
                private_metadata = Some(std::mem::take(private));
                return None;
            }
            Event::Said { metadata, .. } => {
                *metadata = std::mem::take(metadata).with(private_metadata.take())
            }
            Event::Noted { .. } => {}
            _ => return None,
        }
        Some((Rc::clone(entry), event))
    };
    record.iter().filter_map(&mut read_event).collect()
}
