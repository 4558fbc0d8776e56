//! What a record tells of each question: how often it was put, what came back and how that was read.

use crate::core::ask::{Ask, Millis, Reply, Request};
use crate::core::record::{Command, Entry, EntryKind};
use crate::core::requests::Requests;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A question with everything that came of it.
#[derive(Debug, Clone)]
pub struct AskLog {
    /// Place in the record.
    pub seq: u64,
    /// When the protocol asked.
    pub queued_at: Millis,
    /// The ask.
    pub ask: Rc<Ask>,
    /// The question as it was put last.
    pub request: Rc<Request>,
    /// Times that it went on to another model of the seat.
    pub fallbacks: u32,
    /// Times that it was sent.
    pub tries: u32,
    /// Calls that failed.
    pub failures: u32,
    /// Calls whose time was up.
    pub timeouts: u32,
    /// Answers that came too late.
    pub late: u32,
    /// Kind of the last failure.
    pub last_failure: Option<String>,
    /// When each try was sent.
    pub sent: BTreeMap<u32, Millis>,
    /// When it was settled.
    pub done_at: Option<Millis>,
    /// Whether the protocol no longer wanted an answer.
    pub withdrawn: bool,
    /// What whoever runs the session reads in an answer that was not read.
    pub annotation: Option<Value>,
    answered: Option<Rc<Entry>>,
    reading: Option<Value>,
}

impl AskLog {
    /// The answer, and which try it answers.
    #[must_use]
    pub fn reply(&self) -> Option<(&Reply, u32)> {
        match &self.answered.as_ref()?.what {
            EntryKind::Answered { reply, attempt, .. } => Some((reply, *attempt)),
            _ => None,
        }
    }

    /// What the answer was read as.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.reading
            .as_ref()?
            .get("value")
            .filter(|value| !value.is_null())
    }

    /// Which rule read it.
    #[must_use]
    pub fn how(&self) -> Option<String> {
        self.word("how")
    }

    /// Why it could not be read.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        self.word("reason")
    }

    /// Whether an answer came and was not read.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.answered.is_some() && self.reading.is_some() && self.value().is_none()
    }

    fn word(&self, key: &str) -> Option<String> {
        self.reading.as_ref()?.get(key)?.as_str().map(str::to_owned)
    }

    /// `answered`, `no_answer`, `withdrawn` or `open`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match (&self.answered, self.done_at) {
            (Some(_), _) => "answered",
            (None, Some(_)) if self.withdrawn => "withdrawn",
            (None, Some(_)) => "no_answer",
            (None, None) => "open",
        }
    }

    /// Why nothing could be made of it.
    #[must_use]
    pub fn missing(&self) -> String {
        match self.status() {
            "answered" => self.reason().unwrap_or_else(|| "not_said".to_owned()),
            status => status.to_owned(),
        }
    }
}

/// The questions of a record in their order.
#[derive(Debug, Clone, Default)]
pub struct AskLogs {
    /// All of them.
    pub all: Vec<AskLog>,
}

impl AskLogs {
    /// Those of a record.
    #[must_use]
    pub fn of(record: &[Rc<Entry>]) -> Self {
        let mut all: Vec<AskLog> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut requests = Requests::default();
        for entry in record {
            requests.take(&entry.what);
            let id = match &entry.what {
                EntryKind::Asked { ask, request, .. } => {
                    places.insert(ask.id.clone(), all.len());
                    all.push(AskLog {
                        seq: entry.seq,
                        queued_at: entry.at,
                        ask: Rc::clone(ask),
                        request: Rc::clone(request),
                        fallbacks: 0,
                        tries: 0,
                        failures: 0,
                        timeouts: 0,
                        late: 0,
                        last_failure: None,
                        sent: BTreeMap::new(),
                        done_at: None,
                        withdrawn: false,
                        annotation: None,
                        answered: None,
                        reading: None,
                    });
                    continue;
                }
                EntryKind::Sent { ask, .. }
                | EntryKind::Answered { ask, .. }
                | EntryKind::Failed { ask, .. }
                | EntryKind::TimedOut { ask, .. }
                | EntryKind::Late { ask, .. }
                | EntryKind::Unanswered { ask }
                | EntryKind::Withdrawn { ask }
                | EntryKind::FellBack { ask, .. }
                | EntryKind::Read { ask, .. }
                | EntryKind::Commanded {
                    command: Command::Annotate { ask, .. },
                } => ask,
                _ => continue,
            };
            let Some(asked) = places.get(id.as_str()).and_then(|place| all.get_mut(*place)) else {
                continue;
            };
            match &entry.what {
                EntryKind::FellBack { .. } => asked.fallbacks += 1,
                EntryKind::Sent { attempt, .. } => {
                    if let Some(request) = requests.of(id) {
                        asked.request = Rc::clone(request);
                    }
                    asked.tries += 1;
                    asked.sent.insert(*attempt, entry.at);
                }
                EntryKind::Answered { .. } => {
                    asked.answered = Some(Rc::clone(entry));
                    asked.done_at = Some(entry.at);
                }
                EntryKind::Failed { failure, .. } => {
                    asked.failures += 1;
                    asked.last_failure = Some(crate::core::data::variant_name(&failure.kind));
                }
                EntryKind::TimedOut { .. } => asked.timeouts += 1,
                EntryKind::Late { .. } => asked.late += 1,
                EntryKind::Unanswered { .. } => asked.done_at = Some(entry.at),
                EntryKind::Withdrawn { .. } => {
                    asked.done_at = Some(entry.at);
                    asked.withdrawn = true;
                }
                EntryKind::Read { reading, .. } => asked.reading = Some(reading.value()),
                EntryKind::Commanded {
                    command: Command::Annotate { values, .. },
                } if asked.is_unread() => {
                    asked.annotation = Some(values.clone()).filter(|values| !values.is_null())
                }
                _ => {}
            }
        }
        Self { all }
    }

    /// The last question of a kind to a seat before an entry; of a round, where one is named.
    #[must_use]
    pub fn last(&self, seat: &str, kind: &str, round: Option<u32>, before: u64) -> Option<&AskLog> {
        let fits = |asked: &&AskLog| {
            asked.seq < before
                && asked.ask.seat == seat
                && asked.ask.kind.name() == kind
                && (round.is_none() || asked.ask.round == round)
        };
        self.all.iter().rev().find(fits)
    }
}
