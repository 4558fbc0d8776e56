//! What became of each question of a record: its calls, its answer and the reading. The only fold of a question's entries:
//! views, costs, rows, exports and the index of recorded calls are made of it. The engine keeps its state with the open
//! questions.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::data::variant_name;
use super::record::{Command, Entry, EntryKind};
use crate::seat::Fallback;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A question with its calls, answer and reading.
#[derive(Debug, Clone)]
pub struct AskLog {
    /// Sequence number of the entry in the record.
    pub seq: u64,
    /// Time at which the procedure asked.
    pub queued_at: Millis,
    pub ask: Rc<Ask>,
    /// Time limits of the attempts; empty for no limit.
    pub time_limits: Vec<Millis>,
    /// `waiting`, `sent`, `answered`, `failed`, `timed_out`, `retrying`, `unanswered` or `withdrawn`.
    pub state: &'static str,
    /// The last wait before a retry.
    pub wait: Option<Millis>,
    /// The request to the seat's own model.
    pub first: Rc<Request>,
    /// The request as sent last.
    pub request: Rc<Request>,
    /// Number of switches to a fallback model of the seat.
    pub fallbacks: u32,
    /// Number of times that the request was sent.
    pub tries: u32,
    /// Send time of each attempt.
    pub sent: BTreeMap<u32, Millis>,
    /// The ends of calls, in order.
    pub ends: Vec<CallEnd>,
    /// Time of the answer, of giving up or of the withdrawal.
    pub done_at: Option<Millis>,
    /// The entry of the answer.
    pub answered: Option<Rc<Entry>>,
    /// The reading of the answer, as recorded.
    pub reading: Option<Value>,
    /// The owner's reading of an unread answer.
    pub annotation: Option<Value>,
    /// The request with the model in use, which may not be sent yet.
    current: Rc<Request>,
    /// The last attempt failed, and no retry follows unless the run is resumed.
    has_failed: bool,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallLog {
    /// From 1.
    pub attempt: u32,
    /// `None` if the role does not see it.
    pub sent_at: Option<Millis>,
    pub ended_at: Option<Millis>,
    /// `answered`, `failed` or `timed_out`.
    pub outcome: Option<&'static str>,
    pub failure: Option<Failure>,
}

impl CallLog {
    fn new(attempt: u32, sent_at: Option<Millis>) -> Self {
        Self {
            attempt,
            sent_at,
            ended_at: None,
            outcome: None,
            failure: None,
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct CallEnd {
    /// The request as sent last.
    pub request: Rc<Request>,
    entry: Rc<Entry>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy)]
pub enum CallOutcome<'a> {
    Answered(&'a Reply),
    /// Answered after the question was settled.
    Late(&'a Reply),
    Failed(&'a Failure),
    TimedOut,
}

impl CallEnd {
    #[must_use]
    pub fn outcome(&self) -> CallOutcome<'_> {
        match &self.entry.what {
            EntryKind::Answered { reply, .. } => CallOutcome::Answered(reply),
            EntryKind::Late { reply, .. } => CallOutcome::Late(reply),
            EntryKind::Failed { failure, .. } => CallOutcome::Failed(failure),
            _ => CallOutcome::TimedOut,
        }
    }
}

impl AskLog {
    /// Returns the log of a new question, from the entry that asks it.
    #[must_use]
    pub fn new(entry: &Entry, ask: &Rc<Ask>, request: &Rc<Request>, time_limits: &[Millis]) -> Self {
        Self {
            seq: entry.seq,
            queued_at: entry.at,
            ask: Rc::clone(ask),
            time_limits: time_limits.to_vec(),
            state: "waiting",
            wait: None,
            first: Rc::clone(request),
            request: Rc::clone(request),
            fallbacks: 0,
            tries: 0,
            sent: BTreeMap::new(),
            ends: Vec::new(),
            done_at: None,
            answered: None,
            reading: None,
            annotation: None,
            current: Rc::clone(request),
            has_failed: false,
        }
    }

    /// Returns the id of the question.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.ask.id
    }

    /// Returns the answer and the attempt that it belongs to.
    #[must_use]
    pub fn reply(&self) -> Option<(&Reply, u32)> {
        match &self.answered.as_ref()?.what {
            EntryKind::Answered { reply, attempt, .. } => Some((reply, *attempt)),
            _ => None,
        }
    }

    /// Returns the calls and how they ended, by attempt.
    #[must_use]
    pub fn calls(&self) -> Vec<CallLog> {
        let sent = self.sent.iter();
        let mut calls: Vec<CallLog> = sent
            .map(|(attempt, at)| CallLog::new(*attempt, Some(*at)))
            .collect();
        for CallEnd { entry, .. } in &self.ends {
            let (attempt, outcome, failure) = match &entry.what {
                EntryKind::Answered { attempt, .. } => (*attempt, "answered", None),
                EntryKind::Failed { attempt, failure, .. } => (*attempt, "failed", Some(failure.clone())),
                EntryKind::TimedOut { attempt, .. } => (*attempt, "timed_out", None),
                _ => continue,
            };
            if !calls.iter().any(|call| call.attempt == attempt) {
                calls.push(CallLog::new(attempt, None));
            }
            for call in calls.iter_mut().filter(|call| call.attempt == attempt) {
                call.ended_at = Some(entry.at);
                call.outcome = Some(outcome);
                call.failure.clone_from(&failure);
            }
        }
        calls
    }

    /// Returns the number of calls with such an outcome.
    #[must_use]
    pub fn count(&self, is_counted: impl Fn(CallOutcome<'_>) -> bool) -> usize {
        self.ends.iter().filter(|end| is_counted(end.outcome())).count()
    }

    /// Returns the kind of the last failure.
    #[must_use]
    pub fn last_failure(&self) -> Option<String> {
        self.ends.iter().rev().find_map(|end| match end.outcome() {
            CallOutcome::Failed(failure) => Some(variant_name(&failure.kind)),
            _ => None,
        })
    }

    /// Returns the fallback model in use; `None` if it is the seat's own.
    #[must_use]
    pub fn substitute(&self) -> Option<&str> {
        match Rc::ptr_eq(&self.current, &self.first) {
            true => None,
            false => self.current.model.as_deref(),
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
        match self.state {
            "answered" => "answered",
            "withdrawn" => "withdrawn",
            "unanswered" => "no_answer",
            _ => "open",
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

    #[must_use]
    pub fn is_open(&self) -> bool {
        self.done_at.is_none()
    }

    /// Takes the next entry of this question.
    pub fn take(&mut self, entry: &Rc<Entry>) {
        match &entry.what {
            EntryKind::Sent { attempt, .. } => {
                self.state = "sent";
                self.request = Rc::clone(&self.current);
                self.tries += 1;
                self.sent.insert(*attempt, entry.at);
            }
            EntryKind::Answered { .. } => {
                self.add_end(entry);
                self.answered = Some(Rc::clone(entry));
                self.settle("answered", entry);
            }
            EntryKind::Failed { .. } => {
                self.add_end(entry);
                self.state = "failed";
                self.has_failed = true;
            }
            EntryKind::TimedOut { .. } => {
                self.add_end(entry);
                self.state = "timed_out";
            }
            EntryKind::Late { .. } => self.add_end(entry),
            EntryKind::Retrying { wait, .. } => {
                self.state = "retrying";
                self.wait = Some(*wait);
                self.has_failed = false;
            }
            EntryKind::FellBack {
                model,
                base_url,
                provider,
                ..
            } => {
                self.state = "waiting";
                self.fallbacks += 1;
                self.current = Rc::new(self.first.with_model(&Fallback {
                    model: model.clone(),
                    base_url: base_url.clone(),
                    provider: *provider,
                }));
                self.has_failed = false;
            }
            EntryKind::Unanswered { .. } => self.settle("unanswered", entry),
            EntryKind::Withdrawn { .. } => self.settle("withdrawn", entry),
            EntryKind::Read { reading, .. } => self.reading = Some(reading.value()),
            EntryKind::Commanded {
                command: Command::Annotate { values, .. },
            } if self.is_unread() => {
                self.annotation = Some(values.clone()).filter(|values| !values.is_null());
            }
            _ => {}
        }
    }

    fn settle(&mut self, state: &'static str, entry: &Entry) {
        self.state = state;
        self.done_at = Some(entry.at);
    }

    fn add_end(&mut self, entry: &Rc<Entry>) {
        self.ends.push(CallEnd {
            request: Rc::clone(&self.request),
            entry: Rc::clone(entry),
        });
    }

    /// Returns to the seat's own model if the last attempt failed for good.
    fn resume(&mut self) {
        if self.is_open() && self.has_failed {
            self.current = Rc::clone(&self.first);
            self.has_failed = false;
        }
    }
}

/// The questions of a record in their order, by the entries taken so far.
#[derive(Debug, Clone, Default)]
pub struct AskLogs {
    pub all: Vec<AskLog>,
    /// Positions by id.
    positions: BTreeMap<String, usize>,
}

impl AskLogs {
    #[must_use]
    pub fn of(record: &[Rc<Entry>]) -> Self {
        let mut logs = Self::default();
        for entry in record {
            logs.take(entry);
        }
        logs
    }

    /// Takes the next entry.
    pub fn take(&mut self, entry: &Rc<Entry>) {
        match &entry.what {
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } => {
                self.positions.insert(ask.id.clone(), self.all.len());
                self.all.push(AskLog::new(entry, ask, request, time_limits));
            }
            EntryKind::Sent { ask, .. }
            | EntryKind::Answered { ask, .. }
            | EntryKind::Failed { ask, .. }
            | EntryKind::Retrying { ask, .. }
            | EntryKind::TimedOut { ask, .. }
            | EntryKind::Late { ask, .. }
            | EntryKind::Unanswered { ask }
            | EntryKind::Withdrawn { ask }
            | EntryKind::FellBack { ask, .. }
            | EntryKind::Read { ask, .. }
            | EntryKind::Commanded {
                command: Command::Annotate { ask, .. },
            } => {
                let position = self.positions.get(ask.as_str());
                if let Some(log) = position.and_then(|position| self.all.get_mut(*position)) {
                    log.take(entry);
                }
            }
            EntryKind::Commanded {
                command: Command::Resume | Command::Step,
            } => self.all.iter_mut().for_each(AskLog::resume),
            _ => {}
        }
    }

    #[must_use]
    pub fn find(&self, id: &str) -> Option<&AskLog> {
        self.all.get(*self.positions.get(id)?)
    }

    /// Returns the request of an open question, with the model in use.
    #[must_use]
    pub fn open_request(&self, id: &str) -> Option<&Rc<Request>> {
        let log = self.find(id).filter(|log| log.is_open())?;
        Some(&log.current)
    }

    /// Returns the last question of `kind` to `seat` before entry `before`, in `round` if given.
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
