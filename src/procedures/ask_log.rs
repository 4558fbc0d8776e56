//! History of each ask in a record: attempts, answer and reading.

use crate::core::ask::{Ask, Millis, Reply, Request};
use crate::core::record::{Command, Entry, EntryKind};
use crate::core::requests::Requests;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An ask with its attempts, answer and reading.
#[derive(Debug, Clone)]
pub struct AskLog {
    /// Sequence number of the entry in the record.
    pub seq: u64,
    /// Time at which the procedure asked.
    pub queued_at: Millis,
    pub ask: Rc<Ask>,
    /// Most recent version of the request.
    pub request: Rc<Request>,
    /// Number of switches to a fallback model of the seat.
    pub fallbacks: u32,
    /// Number of times that the request was sent.
    pub tries: u32,
    /// Number of failed calls.
    pub failures: u32,
    /// Number of calls that timed out.
    pub timeouts: u32,
    /// Number of answers that arrived too late.
    pub late: u32,
    pub last_failure: Option<String>,
    /// Send time of each attempt.
    pub sent: BTreeMap<u32, Millis>,
    /// Time of the answer, of giving up or of the withdrawal.
    pub done_at: Option<Millis>,
    pub withdrawn: bool,
    /// The owner's reading of an unread answer.
    pub annotation: Option<Value>,
    answered: Option<Rc<Entry>>,
    reading: Option<Value>,
}

impl AskLog {
    /// Returns the answer and the attempt that it belongs to.
    #[must_use]
    pub fn reply(&self) -> Option<(&Reply, u32)> {
        match &self.answered.as_ref()?.what {
            EntryKind::Answered { reply, attempt, .. } => Some((reply, *attempt)),
            _ => None,
        }
    }

    /// Returns the value read from the answer.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        self.reading
            .as_ref()?
            .get("value")
            .filter(|value| !value.is_null())
    }

    /// Returns the rule that read the answer.
    #[must_use]
    pub fn how(&self) -> Option<String> {
        self.text_field("how")
    }

    /// Returns why the answer could not be read.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        self.text_field("reason")
    }

    /// Returns whether an answer came without a readable value.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.answered.is_some() && self.reading.is_some() && self.value().is_none()
    }

    fn text_field(&self, key: &str) -> Option<String> {
        self.reading.as_ref()?.get(key)?.as_str().map(str::to_owned)
    }

    /// Returns `answered`, `no_answer`, `withdrawn` or `open`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match (&self.answered, self.done_at) {
            (Some(_), _) => "answered",
            (None, Some(_)) if self.withdrawn => "withdrawn",
            (None, Some(_)) => "no_answer",
            (None, None) => "open",
        }
    }

    /// Returns why there is no value: the reason of the reading, `not_said` or the status.
    #[must_use]
    pub fn missing(&self) -> String {
        match self.status() {
            "answered" => self.reason().unwrap_or_else(|| "not_said".to_owned()),
            status => status.to_owned(),
        }
    }
}

/// The asks of a record in their order.
#[derive(Debug, Clone, Default)]
pub struct AskLogs {
    pub all: Vec<AskLog>,
}

impl AskLogs {
    #[must_use]
    pub fn of(record: &[Rc<Entry>]) -> Self {
        let mut all: Vec<AskLog> = Vec::new();
        let mut positions: BTreeMap<String, usize> = BTreeMap::new();
        let mut requests = Requests::default();
        for entry in record {
            requests.take(&entry.what);
            let id = match &entry.what {
                EntryKind::Asked { ask, request, .. } => {
                    positions.insert(ask.id.clone(), all.len());
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
            let Some(asked) = positions
                .get(id.as_str())
                .and_then(|position| all.get_mut(*position))
            else {
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

    /// Returns the last ask of `kind` to `seat` before entry `before`, in `round` if given.
    #[must_use]
    pub fn last(&self, seat: &str, kind: &str, round: Option<u32>, before: u64) -> Option<&AskLog> {
        let is_match = |asked: &&AskLog| {
            asked.seq < before
                && asked.ask.seat == seat
                && asked.ask.kind.name() == kind
                && (round.is_none() || asked.ask.round == round)
        };
        self.all.iter().rev().find(is_match)
    }
}
