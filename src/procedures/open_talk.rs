//! A talk in which all write when they like, until the time is up. Each participant has one open question, which is put
//! again after its message, or a while after it was skipped. Programs and models wait between messages and write a few of
//! them. Without people at the table there are no waits: they write one after the other, in the order of their times.

use super::spec::declare::choices;
use crate::core::ask::{Millis, Reply};
use crate::core::record::Command;
use crate::core::table::{NoAnswer, PendingAnswer, Question, Table};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Name of the question for a message.
pub const MESSAGE: &str = "message";
/// Maximum length of a person's message, in characters.
pub(super) const MAX_MESSAGE: u32 = 240;
/// Shortest mean time between the messages of a program or model.
const SHORTEST_PAUSE: Millis = 20_000;
/// Time after which one of the programs and models answers a person, if it has not written lately.
const REPLY: Millis = 8_000;
/// Pauses of programs and models in turn, in percent of their mean.
const PAUSES: [Millis; 3] = [75, 100, 125];

choices! {
    /// Who may speak when.
    pub enum Turns {
        /// One after the other, in rounds.
        Order = "order",
        /// Everybody at any time, until the time is up or the talk is closed.
        Open = "open",
    }
}

/// The procedure that holds a talk.
pub(super) trait Talk {
    /// Maximum number of messages of a program or model.
    const MOST_MESSAGES: u32;

    fn table(&self) -> &Table;
    /// The participants who are seated now.
    fn places(&self) -> Vec<Place>;
    /// Builds the question for the message `number` of a participant, from 1.
    fn question(&mut self, place: &str, number: u32) -> Option<Question>;
    /// Takes an answer. Returns whether it is a message.
    fn take(&mut self, place: &str, ask: String, reply: Reply) -> bool;
    /// Handles a command. Returns whether it is a message.
    fn handle(&mut self, command: Command) -> bool;
    fn is_closed(&self) -> bool;
    /// Publishes when the talk ends, at its beginning and at every change.
    fn set_end(&mut self, until: Millis);
}

/// A participant of a talk.
pub(super) struct Place {
    pub(super) id: String,
    /// Name of its seat.
    pub(super) seat: String,
    pub(super) is_person: bool,
}

/// A participant with its open question.
struct Writer {
    place: Place,
    /// Number of its answers.
    written: u32,
    /// Time of its last message.
    wrote: Option<Millis>,
    /// Whether its last question was skipped.
    is_skipped: bool,
    /// `None` if it is not asked now.
    asking: Option<PendingAnswer>,
    /// Time at which the question is put.
    due: Millis,
}

/// What the talk waits for.
enum Happened {
    Answered(usize, Box<Result<Reply, NoAnswer>>),
    Commanded(Command),
}

/// Holds a talk of so many minutes. Returns whether it ended by the clock (`time`) or earlier (`closed`).
pub(super) async fn hold<T: Talk>(talk: &mut T, minutes: u32) -> &'static str {
    let length = Millis::from(minutes) * 60_000;
    let until = talk.table().now() + length;
    talk.set_end(until);
    let mut held = OpenTalk {
        talk,
        writers: Vec::new(),
        length,
        until,
        ahead: 0,
    };
    held.run().await
}

struct OpenTalk<'t, T> {
    talk: &'t mut T,
    writers: Vec<Writer>,
    length: Millis,
    /// Time at which it ends.
    until: Millis,
    /// How far the time of the talk is ahead of the clock, because of waits that were left out.
    ahead: Millis,
}

impl<T: Talk> OpenTalk<'_, T> {
    async fn run(&mut self) -> &'static str {
        self.seat_writers();
        let by = loop {
            if self.talk.is_closed() {
                break "closed";
            }
            // The last questions of people run out of time at the end, as if they were skipped.
            if self.now() >= self.until {
                break "time";
            }
            if self.is_deserted() {
                break "closed";
            }
            if !self.put_next() {
                break "time";
            }
            let has_news = match self.next_event().await {
                Happened::Answered(at, answer) => self.take_answer(at, *answer),
                Happened::Commanded(Command::Extend { seconds }) => {
                    self.extend(Millis::from(seconds) * 1_000);
                    false
                }
                Happened::Commanded(command) => {
                    let is_message = self.talk.handle(command);
                    self.seat_writers();
                    is_message
                }
            };
            if has_news && !self.talk.is_closed() && !self.is_deserted() && self.now() < self.until {
                self.refresh();
            }
        };
        for asking in self.writers.drain(..).filter_map(|writer| writer.asking) {
            self.talk.table().withdraw(asking.id());
        }
        by
    }

    fn now(&self) -> Millis {
        self.talk.table().now() + self.ahead
    }

    fn has_people(&self) -> bool {
        self.writers.iter().any(|writer| writer.place.is_person)
    }

    /// Whether no writer is left: the table is empty, or the last questions of all people were skipped.
    fn is_deserted(&self) -> bool {
        let is_there =
            |writer: &&Writer| writer.place.is_person && !self.talk.table().has_stand_in(&writer.place.seat);
        let mut people = self.writers.iter().filter(is_there).peekable();
        let has_people = people.peek().is_some();
        self.writers.is_empty() || (has_people && people.all(|writer| writer.is_skipped))
    }

    /// Waits for an answer or a command.
    async fn next_event(&mut self) -> Happened {
        let mut command = self.talk.table().next_command();
        let writers = &mut self.writers;
        poll_fn(|context| {
            for (at, writer) in writers.iter_mut().enumerate() {
                let Some(asking) = &mut writer.asking else {
                    continue;
                };
                if let Poll::Ready(answer) = Pin::new(asking).poll(context) {
                    return Poll::Ready(Happened::Answered(at, Box::new(answer)));
                }
            }
            Pin::new(&mut command).poll(context).map(Happened::Commanded)
        })
        .await
    }

    /// Adds participants who are new and withdraws the questions of those who left.
    fn seat_writers(&mut self) {
        let places = self.talk.places();
        let had_people = self.writers.is_empty() || self.has_people();
        let table = self.talk.table();
        self.writers.retain(|writer| {
            let is_seated = places.iter().any(|place| place.id == writer.place.id);
            if let Some(asking) = writer.asking.as_ref().filter(|_| !is_seated) {
                table.withdraw(asking.id());
            }
            is_seated
        });
        let from = self.writers.len();
        for place in places {
            if !self.writers.iter().any(|writer| writer.place.id == place.id) {
                self.writers.push(Writer {
                    place,
                    written: 0,
                    wrote: None,
                    is_skipped: false,
                    asking: None,
                    due: self.now(),
                });
            }
        }
        if !self.has_people() {
            for at in from..self.writers.len() {
                self.writers[at].due = self.next_due(at);
            }
            return;
        }
        if !had_people {
            // From now on the time of the talk is that of the clock.
            self.talk.set_end(self.until - self.ahead);
        }
        let new = |writer: &Writer| writer.asking.is_none();
        for at in 0..self.writers.len() {
            if !new(&self.writers[at]) || self.now() >= self.until {
                continue;
            }
            if at >= from && !self.writers[at].place.is_person {
                self.writers[at].due = self.next_due(at);
            }
            self.put(at);
        }
    }

    /// Takes an answer. Returns whether it is a message.
    fn take_answer(&mut self, at: usize, answer: Result<Reply, NoAnswer>) -> bool {
        let writer = &mut self.writers[at];
        let ask = writer.asking.take().map(|asking| asking.id().to_owned());
        let is_person = writer.place.is_person;
        writer.is_skipped = answer.is_err() && is_person;
        let is_program = !is_person || answer.as_ref().is_ok_and(|reply| reply.stood_in);
        let mut is_message = false;
        if let (Ok(reply), Some(ask)) = (answer, ask) {
            is_message = self.talk.take(&writer.place.id, ask, reply);
        }
        let now = self.now();
        if now >= self.until {
            return is_message;
        }
        let writer = &mut self.writers[at];
        if writer.is_skipped {
            writer.due = (now + SHORTEST_PAUSE).min(self.until);
        } else {
            writer.written += 1;
            writer.wrote = Some(now);
            writer.due = now;
            if is_program {
                self.writers[at].due = self.next_due(at);
            } else {
                self.let_one_reply();
            }
        }
        if self.has_people() {
            self.put(at);
        }
        is_message
    }

    /// Brings the next message of a program or model forward, so that a person does not write to a silent table.
    fn let_one_reply(&mut self) {
        let (now, until, pause) = (self.now(), self.until, self.mean_pause() / 2);
        let programs = self
            .writers
            .iter_mut()
            .filter(|writer| !writer.place.is_person && writer.due < until);
        if let Some(next) = programs.min_by_key(|writer| writer.due) {
            let earliest = next.wrote.map_or(0, |wrote| wrote + pause);
            next.due = next.due.min(earliest.max(now + REPLY));
        }
    }

    /// Returns the mean time between the messages of a program or model.
    fn mean_pause(&self) -> Millis {
        (self.length / Millis::from(T::MOST_MESSAGES + 1)).max(SHORTEST_PAUSE)
    }

    /// Returns the time of the next message of a program or model; after the last one, the end.
    fn next_due(&self, at: usize) -> Millis {
        let written = self.writers[at].written;
        if written >= T::MOST_MESSAGES {
            return self.until;
        }
        let share = PAUSES[(at + written as usize) % PAUSES.len()];
        (self.now() + self.mean_pause() * share / 100).min(self.until)
    }

    /// Where no people take part, asks the participant whose time comes next. Returns `false` if there is none.
    fn put_next(&mut self) -> bool {
        if self.has_people() || self.writers.iter().any(|writer| writer.asking.is_some()) {
            return true;
        }
        let due = self.writers.iter().map(|writer| writer.due).min();
        let first = self.writers.iter().position(|writer| Some(writer.due) == due);
        let Some((at, due)) = first.zip(due).filter(|(_, due)| *due < self.until) else {
            return false;
        };
        self.ahead += due.saturating_sub(self.now());
        self.put(at);
        true
    }

    /// Puts the questions of programs and models whose time has not come anew, so that these know the messages since.
    fn refresh(&mut self) {
        for at in 0..self.writers.len() {
            let Writer { place, due, .. } = &self.writers[at];
            if !place.is_person && (self.now() + 1..self.until).contains(due) {
                self.put_again(at);
            }
        }
    }

    fn extend(&mut self, more: Millis) {
        let before = self.until;
        self.until += more;
        self.talk.set_end(self.until - self.ahead);
        for at in 0..self.writers.len() {
            let writer = &mut self.writers[at];
            if writer.due >= before {
                writer.due = self.until;
                self.put_again(at);
            } else if let Some(asking) = writer.asking.as_ref().filter(|_| writer.place.is_person) {
                self.talk.table().prolong(asking.id(), more);
            }
        }
    }

    fn put_again(&mut self, at: usize) {
        if let Some(asking) = self.writers[at].asking.take() {
            self.talk.table().withdraw(asking.id());
            self.put(at);
        }
    }

    /// Puts the question to a participant, to be answered from `due` on.
    fn put(&mut self, at: usize) {
        let now = self.now();
        let writer = &mut self.writers[at];
        let Some(question) = self.talk.question(&writer.place.id, writer.written + 1) else {
            return;
        };
        let left = self.until.saturating_sub(writer.due);
        let limit = question.time_limits.first().copied().unwrap_or(left).min(left);
        writer.asking = Some(self.talk.table().ask(Question {
            time_limits: vec![limit],
            wait: writer.due.saturating_sub(now),
            ..question
        }));
    }
}
