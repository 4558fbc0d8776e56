//! The state of a session: record, asks, queue and gate. All entries are created here. The protocol reaches
//! it through `table`, the driver through `Session`.

mod caps;
mod fallback;
mod queue;
mod stand_in;

use super::ask::{Call, Failure, FailureKind, Message, Millis, Reply, Request};
use super::context::AskContext;
use super::data::Data;
use super::limits::{self, Limits};
use super::random::Random;
use super::record::{Command, Entry, EntryKind, Halt};
use super::table::Question;
use super::text::{Text, Texts};
use super::{Effect, OpenAsk, Usage, is_counted};
use crate::seat::{Seat, SeatKind};
use caps::{Budget, Reserve};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::task::Waker;

/// Bytes of question texts below which no lines are shared. In a short run sharing costs more time than it
/// saves.
const SHARING_THRESHOLD: usize = 4 << 20;

pub(super) struct Core {
    pub(super) now: Millis,
    pub(super) record: Vec<Rc<Entry>>,
    /// Question texts after the first `SHARING_THRESHOLD` bytes.
    texts: Texts,
    /// Total bytes of question texts.
    text_bytes: usize,
    pub(super) gate: Gate,
    pub(super) ended: bool,
    pub(super) usage: Usage,
    pub(super) seats: BTreeMap<String, Rc<Seat>>,
    pub(super) limits: Limits,
    seed: u32,
    streams: BTreeMap<String, Random>,
    /// Asks without an answer.
    asks: BTreeMap<String, AskState>,
    /// Settled asks, with their results until the protocol takes them.
    settled: BTreeMap<String, (Option<AskResult>, Call, Rc<Seat>)>,
    queue: VecDeque<String>,
    /// People's seats in which a simulated participant answers.
    stood_in: Vec<String>,
    /// Health of the first models of seats with fallbacks, by seat name.
    health: BTreeMap<String, fallback::Health>,
    /// Models whose questions were skipped because their calls failed for the whole patience: base URL and name. Until an
    /// answer comes from there, one failure of a question is enough to skip it too, and its call is the probe.
    down: BTreeSet<(String, String)>,
    /// Calls that may pass the closed gate, one per step.
    steps: u32,
    /// Calls in flight by origin of the endpoint, and tokens reserved for them.
    in_flight: BTreeMap<String, u32>,
    reserved: u64,
    budget: Budget,
    /// Sequence numbers at which a replayed record halts at the token cap.
    pub(super) recorded_halts: Vec<u64>,
    /// Sequence numbers at which a replayed record tries a failed call again. Earlier versions did so where questions to a
    /// server that is down are skipped now.
    pub(super) recorded_retries: Vec<u64>,
    effects: Vec<Effect>,
    drained: usize,
    /// Commands that the protocol has not received yet.
    commands: VecDeque<Command>,
    /// The reason for which the protocol is suspended.
    suspension: Option<Halt>,
    /// Wakers of a pending command and of a suspension.
    command_waker: Option<Waker>,
    suspension_waker: Option<Waker>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Gate {
    Open,
    Paused,
    Halted(Halt),
    Stopped,
}

#[derive(Debug)]
pub(super) enum AskResult {
    Answered(Reply),
    Unanswered,
    /// A source's failure.
    Failed(Failure),
}

struct AskState {
    call: Call,
    seat: Rc<Seat>,
    time_limits: Vec<Millis>,
    timeouts: u32,
    failures: u32,
    /// Time of the first failure in a row, and the last failure.
    trouble: Option<(Millis, Rc<Failure>)>,
    /// Earliest time of the next attempt, after a failure.
    not_before: Millis,
    state: State,
    waker: Option<Waker>,
    seq: u64,
    /// The question with the seat's own model.
    first: Rc<Request>,
    /// The seat's model in use: 0 is its own, from 1 its fallbacks.
    model: usize,
    /// Sent, but queued in front of its seat. The time limit does not run.
    is_delayed: bool,
}

enum State {
    Queued,
    /// In flight since that time, with its reserve.
    Sent {
        since: Millis,
        reserved: Reserve,
    },
    /// Failed permanently. Waits for a user command.
    Held,
}

impl Core {
    pub(super) fn new(seats: Vec<Seat>, limits: Limits, seed: u32, now: Millis) -> Self {
        let seats = seats
            .into_iter()
            .map(|seat| (seat.name.clone(), Rc::new(seat)))
            .collect();
        Self {
            now,
            record: Vec::new(),
            texts: Texts::default(),
            text_bytes: 0,
            gate: Gate::Open,
            ended: false,
            usage: Usage::default(),
            seats,
            limits,
            seed,
            streams: BTreeMap::new(),
            asks: BTreeMap::new(),
            settled: BTreeMap::new(),
            queue: VecDeque::new(),
            stood_in: Vec::new(),
            health: BTreeMap::new(),
            down: BTreeSet::new(),
            steps: 0,
            in_flight: BTreeMap::new(),
            reserved: 0,
            budget: Budget::default(),
            recorded_halts: Vec::new(),
            recorded_retries: Vec::new(),
            effects: Vec::new(),
            drained: 0,
            commands: VecDeque::new(),
            suspension: None,
            command_waker: None,
            suspension_waker: None,
        }
    }

    pub(super) fn push(&mut self, what: EntryKind) -> Rc<Entry> {
        let entry = Rc::new(Entry {
            seq: self.record.len() as u64,
            at: self.now,
            what,
        });
        self.record.push(Rc::clone(&entry));
        entry
    }

    pub(super) fn drain(&mut self) -> (Vec<Rc<Entry>>, Vec<Effect>) {
        let entries = self.record[self.drained..].to_vec();
        self.drained = self.record.len();
        (entries, std::mem::take(&mut self.effects))
    }

    /// Sets the first entry of the next outcome.
    pub(super) fn set_drained(&mut self, seq: usize) {
        self.drained = seq.min(self.record.len());
    }

    /// Queues a question. Ids contain the place in the protocol, so a second question with the same id is a
    /// bug in the protocol.
    pub(super) fn ask(&mut self, question: Question) -> String {
        let Question {
            ask,
            request,
            facts,
            form,
            time_limits,
            wait,
        } = question;
        let id = ask.id.clone();
        let Some(seat) = self.seats.get(&ask.seat).cloned() else {
            return id;
        };
        let question_tokens = limits::estimated_question(&request);
        let (ask, request) = (Rc::new(ask), Rc::new(self.share_texts(request)));
        let seq = self.record.len() as u64;
        self.push(EntryKind::Asked {
            ask: Rc::clone(&ask),
            request: Rc::clone(&request),
            time_limits: time_limits.clone(),
        });
        let call = Call {
            ask,
            attempt: 0,
            max_tokens: request.max_tokens,
            request: Rc::clone(&request),
            facts,
            form,
            time_limit: None,
            question_tokens,
            used_up: None,
        };
        let asked = AskState {
            call,
            seat,
            time_limits,
            timeouts: 0,
            failures: 0,
            trouble: None,
            not_before: self.now + wait,
            state: State::Queued,
            waker: None,
            seq,
            first: request,
            model: 0,
            is_delayed: false,
        };
        self.asks.insert(id.clone(), asked);
        self.queue.push_back(id.clone());
        id
    }

    /// Returns the same question. From [`SHARING_THRESHOLD`] on its texts share lines with earlier texts.
    fn share_texts(&mut self, request: Request) -> Request {
        self.text_bytes += request.system.len();
        self.text_bytes += request
            .messages
            .iter()
            .map(|message| message.content.len())
            .sum::<usize>();
        if self.text_bytes < SHARING_THRESHOLD {
            return request;
        }
        let mut share = |text: &Text| self.texts.share(text);
        let messages = request.messages.into_iter().map(|message| Message {
            role: message.role,
            content: share(&message.content),
        });
        Request {
            messages: messages.collect(),
            system: share(&request.system),
            ..request
        }
    }

    /// Takes the result of an ask, or stores the waker.
    pub(super) fn poll_answer(&mut self, id: &str, waker: &Waker) -> Option<AskResult> {
        if let Some(asked) = self.asks.get_mut(id) {
            asked.waker = Some(waker.clone());
            return None;
        }
        self.settled.get_mut(id)?.0.take()
    }

    pub(super) fn withdraw(&mut self, id: &str) {
        if !self.asks.contains_key(id) {
            return;
        }
        if let Some(attempt) = self.recall(id) {
            self.effects.push(Effect::Cancel {
                ask: id.to_owned(),
                attempt,
            });
        }
        self.queue.retain(|queued| queued != id);
        self.push(EntryKind::Withdrawn { ask: id.to_owned() });
        self.settle(id, AskResult::Unanswered);
    }

    /// Gives the present attempt at an ask more time.
    pub(super) fn prolong(&mut self, id: &str, more: Millis) {
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        if let Some(limit) = asked.time_limits.get_mut(asked.timeouts as usize) {
            *limit += more;
        }
        if let Some(limit) = &mut asked.call.time_limit {
            *limit += more;
        }
    }

    pub(super) fn has_stand_in(&self, seat: &str) -> bool {
        self.stood_in.iter().any(|one| one == seat)
    }

    /// Returns the next command, or stores the waker.
    pub(super) fn poll_command(&mut self, waker: &Waker) -> Option<Command> {
        let command = self.commands.pop_front();
        if command.is_none() {
            self.command_waker = Some(waker.clone());
        }
        command
    }

    pub(super) fn drop_commands(&mut self) {
        self.commands.clear();
    }

    pub(super) fn suspend(&mut self, reason: &str) {
        let halt = Halt::Rests {
            reason: reason.to_owned(),
        };
        self.push(EntryKind::Halted { halt: halt.clone() });
        self.steps = 0;
        self.suspension = Some(halt);
    }

    /// Whether the protocol is suspended. Stores the waker.
    pub(super) fn poll_suspension(&mut self, waker: &Waker) -> bool {
        self.suspension_waker = Some(waker.clone());
        self.suspension.is_some()
    }

    pub(super) fn end_suspension(&mut self) {
        if self.suspension.take().is_some()
            && let Some(waker) = self.suspension_waker.take()
        {
            waker.wake();
        }
    }

    /// Returns the reason of a suspension.
    pub(super) fn suspension(&self) -> Option<&Halt> {
        self.suspension.as_ref()
    }

    pub(super) fn reseat(&mut self, seats: Vec<Seat>) {
        self.seats = seats
            .into_iter()
            .map(|seat| (seat.name.clone(), Rc::new(seat)))
            .collect();
    }

    pub(super) fn draw<T: serde::Serialize>(
        &mut self,
        stream: &str,
        seed: u32,
        purpose: &str,
        draw: impl FnOnce(&mut Random) -> T,
    ) -> T {
        let random = self
            .streams
            .entry(stream.to_owned())
            .or_insert_with(|| Random::new(seed));
        let value = draw(random);
        self.push(EntryKind::Drew {
            stream: stream.to_owned(),
            purpose: purpose.to_owned(),
            value: Data::of(&value),
        });
        value
    }

    pub(super) fn end(&mut self, result: serde_json::Value) {
        self.ended = true;
        self.push(EntryKind::Ended { result });
    }

    pub(super) fn handle_answer(&mut self, id: &str, attempt: u32, reply: Reply) {
        let open = self
            .asks
            .get(id)
            .map(|asked| (asked.call.clone(), Rc::clone(&asked.seat)));
        let is_late = open.is_none();
        let known = open.or_else(|| {
            self.settled
                .get(id)
                .map(|(_, call, seat)| (call.clone(), Rc::clone(seat)))
        });
        let Some((call, seat)) = known.filter(|(call, _)| (1..=call.attempt).contains(&attempt)) else {
            return;
        };
        if is_counted(seat.kind) {
            self.count(&call, &seat, &reply);
        }
        if is_late {
            self.push(EntryKind::Late {
                ask: id.to_owned(),
                attempt,
                reply,
            });
            return;
        }
        let current = self.recall(id);
        if let Some(current) = current.filter(|current| *current != attempt) {
            self.effects.push(Effect::Cancel {
                ask: id.to_owned(),
                attempt: current,
            });
        }
        self.queue.retain(|queued| queued != id);
        if let Some(asked) = self.asks.get(id) {
            self.down.remove(&asked.endpoint());
        }
        self.push(EntryKind::Answered {
            ask: id.to_owned(),
            attempt,
            reply: reply.clone(),
        });
        self.settle(id, AskResult::Answered(reply));
    }

    pub(super) fn handle_failure(&mut self, id: &str, attempt: u32, failure: Failure) {
        if !self.is_in_flight(id, attempt) {
            return;
        }
        self.recall(id);
        self.count_failure(id, &failure);
        self.push(EntryKind::Failed {
            ask: id.to_owned(),
            attempt,
            failure: failure.clone(),
        });
        let seed = self.seed;
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        if asked.seat.kind == SeatKind::Source {
            self.push(EntryKind::Unanswered { ask: id.to_owned() });
            self.settle(id, AskResult::Failed(failure));
            return;
        }
        if failure.kind == FailureKind::Starved && asked.call.used_up.is_none() {
            asked.call.max_tokens = asked.call.max_tokens.saturating_mul(limits::ANSWER_GROWTH);
            asked.call.used_up = Some(Rc::new(failure));
            self.retry(id, 0);
            return;
        }
        asked.failures += 1;
        let failures = asked.failures;
        let began = asked.trouble.as_ref().map_or(self.now, |(since, _)| *since);
        let failure = Rc::new(failure);
        asked.trouble = Some((began, Rc::clone(&failure)));
        if self.is_known_down(id) && failure.kind.passes() && !self.is_recorded_retry() {
            return self.give_up(id);
        }
        if let Some(wait) = limits::short_retry_wait(&failure, failures, seed, id, attempt) {
            return self.retry(id, wait);
        }
        if self.fall_back(id) {
            return;
        }
        let time = (self.now - began, self.limits.retry_for);
        match limits::long_retry_wait(&failure, failures, time, seed, id, attempt) {
            Some(wait) => self.retry(id, wait),
            None => {
                if failure.kind.passes() {
                    self.note_down(id);
                }
                self.give_up(id);
            }
        }
    }

    pub(super) fn handle_timeout(&mut self, id: &str, attempt: u32) {
        if !self.is_in_flight(id, attempt) {
            return;
        }
        self.recall(id);
        self.push(EntryKind::TimedOut {
            ask: id.to_owned(),
            attempt,
        });
        self.effects.push(Effect::Cancel {
            ask: id.to_owned(),
            attempt,
        });
        let Some(asked) = self.asks.get_mut(id) else {
            return;
        };
        asked.timeouts += 1;
        if (asked.timeouts as usize) < asked.time_limits.len() {
            self.retry(id, limits::PAUSE_AFTER_TIMEOUT);
        } else {
            self.push(EntryKind::Unanswered { ask: id.to_owned() });
            self.settle(id, AskResult::Unanswered);
        }
    }

    /// Returns a call whose time limit has passed.
    pub(super) fn overdue_call(&self) -> Option<(String, u32)> {
        let is_due = |asked: &AskState| asked.deadline().is_some_and(|deadline| deadline <= self.now);
        self.asks
            .iter()
            .find(|(_, asked)| is_due(asked))
            .map(|(id, asked)| (id.clone(), asked.call.attempt))
    }

    pub(super) fn handle_command(&mut self, command: Command) {
        if self.ended && !matches!(command, Command::Annotate { .. }) {
            return;
        }
        self.push(EntryKind::Commanded {
            command: command.clone(),
        });
        match command {
            Command::Pause => self.gate = Gate::Paused,
            Command::Resume => self.resume(),
            Command::Step => {
                self.end_suspension();
                self.release_held();
                self.gate = Gate::Paused;
                self.steps += 1;
            }
            Command::Stop => self.stop(),
            Command::Limit {
                max_calls,
                max_tokens,
                max_cost,
            } => {
                self.limits.max_calls = max_calls;
                self.limits.max_tokens = max_tokens;
                self.limits.max_cost = max_cost;
            }
            Command::Look { .. } | Command::Guest { .. } | Command::Annotate { .. } => {}
            Command::StandIn { seat } => self.stand_in(&seat),
            Command::TakeBack { seat } => self.give_seat_back(&seat),
            Command::Skip { ask } => self.skip(&ask),
            Command::Say { .. } | Command::Reseat { .. } | Command::Close | Command::Extend { .. } => {
                self.commands.push_back(command);
                if let Some(waker) = self.command_waker.take() {
                    waker.wake();
                }
            }
        }
    }

    fn resume(&mut self) {
        self.end_suspension();
        self.down.clear();
        self.release_held();
        self.steps = 0;
        self.gate = Gate::Open;
    }

    fn release_held(&mut self) {
        let mut held: Vec<(u64, String)> = Vec::new();
        self.hold_retries();
        for (id, asked) in self.asks.iter_mut() {
            if asked.is_held() {
                asked.reset();
                held.push((asked.seq, id.clone()));
            }
        }
        held.sort();
        for (_, id) in held.into_iter().rev() {
            self.reset_model(&id);
            self.queue.push_front(id);
        }
    }

    fn stop(&mut self) {
        self.gate = Gate::Stopped;
        self.steps = 0;
        for (id, attempt) in self.calls_in_flight() {
            self.recall(&id);
            self.effects.push(Effect::Cancel {
                ask: id.clone(),
                attempt,
            });
            self.queue.push_front(id);
        }
    }

    /// Returns ids and attempts of the calls in flight, the latest ask first.
    fn calls_in_flight(&self) -> Vec<(String, u32)> {
        let mut sent: Vec<_> = self
            .asks
            .iter()
            .filter(|(_, asked)| matches!(asked.state, State::Sent { .. }))
            .map(|(id, asked)| (asked.seq, id.clone(), asked.call.attempt))
            .collect();
        sent.sort();
        sent.into_iter()
            .rev()
            .map(|(_, id, attempt)| (id, attempt))
            .collect()
    }

    /// Sends the calls in flight again, unchanged, after a reload.
    pub(super) fn reopen(&mut self, now: Millis) {
        let now = self.now.max(now);
        self.effects.clear();
        for (id, _) in self.calls_in_flight().into_iter().rev() {
            let Some(asked) = self.asks.get_mut(&id) else {
                continue;
            };
            let mut not_before = now;
            if let State::Sent { since, .. } = &mut asked.state {
                // A question whose time has not come keeps it.
                not_before = now.max(*since);
                // People are asked by the clock, and nothing of theirs was lost.
                if asked.seat.kind != SeatKind::Human || asked.call.time_limit.is_none() {
                    *since = not_before;
                }
            }
            asked.is_delayed = false;
            let effect = asked.effect(&self.stood_in, not_before);
            self.effects.push(effect);
        }
    }

    fn settle(&mut self, id: &str, settled: AskResult) {
        self.record_settled(id, matches!(settled, AskResult::Answered(_)));
        let Some(mut asked) = self.asks.remove(id) else {
            return;
        };
        asked.call.facts = AskContext::none();
        asked.call.form = None;
        self.settled
            .insert(id.to_owned(), (Some(settled), asked.call, asked.seat));
        if let Some(waker) = asked.waker {
            waker.wake();
        }
    }

    /// Counts the tokens of a failed attempt if the provider reported them.
    fn count_failure(&mut self, id: &str, failure: &Failure) {
        let Some(usage) = &failure.usage else { return };
        let open = self
            .asks
            .get(id)
            .map(|asked| (asked.call.clone(), Rc::clone(&asked.seat)));
        if let Some((call, seat)) = open.filter(|(_, seat)| is_counted(seat.kind)) {
            self.count_tokens(&call, &seat, usage);
        }
    }

    /// Sets whether a call in flight is queued in front of its seat. Its time limit starts at `now` when it
    /// leaves the queue.
    pub(super) fn set_delayed(&mut self, id: &str, attempt: u32, is_delayed: bool, now: Millis) {
        if !self.is_in_flight(id, attempt) {
            return;
        }
        let now = self.now.max(now);
        if let Some(asked) = self.asks.get_mut(id) {
            if let State::Sent { since, .. } = &mut asked.state
                && !is_delayed
            {
                *since = now;
            }
            asked.is_delayed = is_delayed;
        }
    }

    fn is_in_flight(&self, id: &str, attempt: u32) -> bool {
        self.asks
            .get(id)
            .is_some_and(|asked| matches!(asked.state, State::Sent { .. }) && asked.call.attempt == attempt)
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        self.asks.values().filter_map(AskState::deadline).min()
    }

    pub(super) fn open_asks(&self) -> Vec<OpenAsk> {
        let mut open: Vec<&AskState> = self.asks.values().collect();
        open.sort_by_key(|asked| asked.seq);
        open.into_iter()
            .map(|asked| OpenAsk {
                call: asked.call.clone(),
                seat: Rc::clone(&asked.seat),
                since: match asked.state {
                    State::Sent { since, .. } => Some(since),
                    _ => None,
                },
                deadline: asked.deadline(),
                trouble: self.trouble(asked),
            })
            .collect()
    }
}

impl AskState {
    fn deadline(&self) -> Option<Millis> {
        match self.state {
            State::Sent { since, .. } if !self.is_delayed => self.call.time_limit.map(|limit| since + limit),
            _ => None,
        }
    }

    fn effect(&self, stood_in: &[String], not_before: Millis) -> Effect {
        Effect::Ask {
            call: self.call.clone(),
            seat: Rc::clone(&self.seat),
            not_before,
            stood_in: self.is_stood_in(stood_in),
        }
    }

    /// Returns the origin of the endpoint, for seats that have one.
    fn origin(&self) -> Option<String> {
        self.base_url().map(|url| limits::origin(url).to_owned())
    }
}
