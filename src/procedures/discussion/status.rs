//! A discussion as its record tells it, in the JSON of the seed documents with what they lack added:
//! what was said, how often each role spoke, who is next and where it stands. A view only: asking for
//! it changes nothing.

use super::config;
use super::event::{Event, SpeakingSlot};
use super::prompts;
use super::settings::{Role, Settings};
use crate::core::record::{Command, Entry, EntryKind, Halt, Started};
use crate::language::format::timestamp;
use crate::language::words::Words;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a discussion stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscussionState {
    /// Going on, or waiting for whoever is next.
    Active,
    /// Standing still until it is resumed.
    Paused,
    /// Over.
    Completed,
}

impl DiscussionState {
    /// `active`, `paused` or `completed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Completed => "completed",
        }
    }
}

/// What a record tells of its discussion.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscussionStatus {
    /// The speaking order as it is now.
    pub order: Vec<SpeakingSlot>,
    /// Place of whose turn it is, from 0.
    pub turn: u32,
    /// Round, from 1; one more than the last at the end.
    pub round: u32,
    /// Where it stands.
    pub standing: DiscussionState,
    /// Whether agents go on speaking when told to: they stand still after many turns in a row.
    pub pending: bool,
    /// Why it stands still, in a word: `command`, `stopped`, `call_failed`, `max_calls`, `max_tokens`,
    /// `message`, `turn_limit`, `no_answer` or `no_speakers`.
    pub reason: Option<String>,
    /// Whose call failed, and how.
    pub error: Option<(String, String)>,
}

impl DiscussionStatus {
    /// Whose turn it is, unless nobody's.
    #[must_use]
    pub fn next(&self) -> Option<&SpeakingSlot> {
        let is_active = self.standing == DiscussionState::Active;
        self.order.get(self.turn as usize).filter(|_| is_active)
    }
}

/// Where the discussion of a record stands.
#[must_use]
pub fn told(record: &[Rc<Entry>]) -> DiscussionStatus {
    let mut told = DiscussionStatus {
        order: Vec::new(),
        turn: 0,
        round: 1,
        standing: DiscussionState::Active,
        pending: false,
        reason: None,
        error: None,
    };
    // Closed from outside or by a failure, and resting of its own accord: either may hold alone.
    let (mut closed, mut resting): (Option<String>, Option<String>) = (None, None);
    let mut asked: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in record {
        match &entry.what {
            EntryKind::Asked { ask, .. } => {
                asked.insert(&ask.id, &ask.seat);
                resting = None;
            }
            EntryKind::Event { event, .. } => match event.read() {
                Ok(Event::Seated { order }) => told.order = order,
                Ok(Event::Moved { turn, round }) => (told.turn, told.round) = (turn, round),
                Ok(Event::Completed { .. }) => told.standing = DiscussionState::Completed,
                _ => {}
            },
            EntryKind::Commanded { command } => match command {
                Command::Pause => closed = Some("command".to_owned()),
                Command::Step => (closed, resting) = (Some("command".to_owned()), None),
                Command::Stop => closed = Some("stopped".to_owned()),
                Command::Resume => (closed, resting) = (None, None),
                _ => {}
            },
            EntryKind::Halted { halt } => match halt {
                Halt::Rests { reason } => resting = Some(reason.clone()),
                Halt::CallFailed { ask, failure } => {
                    closed = Some("call_failed".to_owned());
                    let seat = asked.get(ask.as_str()).copied().unwrap_or_default();
                    told.error = Some((seat.to_owned(), failure.message.clone()));
                }
                Halt::MaxCalls { .. } => closed = Some("max_calls".to_owned()),
                Halt::MaxCost { .. } => closed = Some("max_cost".to_owned()),
                Halt::MaxTokens { .. } => closed = Some("max_tokens".to_owned()),
            },
            _ => {}
        }
    }
    if closed.as_deref() != Some("call_failed") {
        told.error = None;
    }
    if told.standing == DiscussionState::Completed {
        told.error = None;
        return told;
    }
    let waits = matches!(resting.as_deref(), None | Some("message" | "turn_limit"));
    told.pending = closed.is_none() && resting.as_deref() == Some("turn_limit");
    if closed.is_some() || !waits {
        told.standing = DiscussionState::Paused;
    }
    told.reason = closed.or(resting);
    told
}

/// The discussion of a record as `getDiscussion` answers; null where the record is of none.
#[must_use]
pub fn view(record: &[Rc<Entry>]) -> Value {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Value::Null;
    };
    if head.protocol != super::PROCEDURE.name {
        return Value::Null;
    }
    let settings = config::check(&head.config).ok().map(|checked| checked.settings);
    let told = told(record);
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
    let next = told.next();
    json!({
        "status": "success",
        "project": project(head, settings.as_ref(), told.standing),
        "entries": entries,
        "counts": counts,
        "speakerOrder": told.order.iter().map(|place| place.role.name()).collect::<Vec<_>>(),
        "nextSpeaker": next.map(|place| place.role.name()),
        "nextSpeakerId": next.map(|place| &place.id),
        "nextSpeakerName": next.map(|place| &place.name),
        "state": state(settings.as_ref(), &told),
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

fn state(settings: Option<&Settings>, told: &DiscussionStatus) -> Value {
    let mut state = json!({
        "status": told.standing.name(),
        "turn": told.turn,
        "round": told.round,
        "maxRounds": settings.map(|settings| settings.rounds),
        "pending": told.pending,
    });
    if let Some(reason) = &told.reason {
        state["reason"] = json!(reason);
    }
    if let Some((agent, message)) = &told.error {
        state["error"] = json!({ "agent": agent, "message": message });
    }
    state
}

/// An event as an entry of the log, if it is one.
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

/// What was said and noted, in the order of the record, with all that is known of how it came about.
pub(crate) fn log(record: &[Rc<Entry>]) -> Vec<(Rc<Entry>, Event)> {
    let mut came = None;
    let mut of = |entry: &Rc<Entry>| {
        let EntryKind::Event { event, .. } = &entry.what else {
            return None;
        };
        let mut event = event.read().ok()?;
        match &mut event {
            Event::Came(private) => {
                came = Some(std::mem::take(private));
                return None;
            }
            Event::Said { metadata, .. } => *metadata = std::mem::take(metadata).with(came.take()),
            Event::Noted { .. } => {}
            _ => return None,
        }
        Some((Rc::clone(entry), event))
    };
    record.iter().filter_map(&mut of).collect()
}
