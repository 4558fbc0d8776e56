//! An open discussion: all write when they like until the time is up. Each participant has one open question, which
//! is put again after its message, or a while after it was skipped. Agents wait between messages and write a few of them.

use super::asks::{MessageQuestion, TurnContext};
use super::context::DiscussionContext;
use super::event::{Event, Metadata};
use super::procedure::Discussion;
use super::seating::Participant;
use crate::core::ask::{Millis, Reply};
use crate::core::audience::Audience;
use crate::core::record::Command;
use crate::core::table::{NoAnswer, PendingAnswer, Question};
use crate::procedures::answers::QuestionKind;
use crate::reading::Reading;
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

/// Maximum number of messages of an agent.
const MOST_MESSAGES: u32 = 5;
/// Shortest mean time between the messages of an agent.
const SHORTEST_PAUSE: Millis = 20_000;
/// Pauses of an agent in turn, in percent of their mean.
const PAUSES: [Millis; 3] = [75, 100, 125];

/// A participant with its open question.
struct Writer {
    /// [`Participant::id`].
    place: String,
    /// Number of its answers.
    written: u32,
    is_person: bool,
    /// Whether its last question was skipped.
    is_skipped: bool,
    /// `None` if it is not asked any more.
    asking: Option<PendingAnswer>,
    /// Time at which the question is put.
    due: Millis,
}

/// What the discussion waits for.
enum Happened {
    Answered(usize, Box<Result<Reply, NoAnswer>>),
    Commanded(Command),
}

impl Discussion {
    /// Runs the discussion and returns its result.
    pub(super) async fn talk_openly(&mut self) -> Value {
        let until = self.table.now() + Millis::from(self.settings.minutes) * 60_000;
        self.table.emit(Audience::Everybody, &Event::Opened { until });
        let mut writers: Vec<Writer> = Vec::new();
        self.seat_writers(&mut writers, until);
        let by = loop {
            let happened = self.next_event(&mut writers).await;
            let before = self.contributions;
            match happened {
                Happened::Answered(at, answer) => self.take_answer(&mut writers, at, *answer, until),
                Happened::Commanded(command) => {
                    self.handle_command(command);
                    self.seat_writers(&mut writers, until);
                }
            }
            if self.is_closed || is_deserted(&writers) {
                break "closed";
            }
            if self.table.now() >= until {
                break "time";
            }
            if self.contributions > before {
                self.refresh(&mut writers, until);
            }
        };
        for asking in writers.into_iter().filter_map(|writer| writer.asking) {
            self.table.withdraw(asking.id());
        }
        let by_whom = by.to_owned();
        self.table
            .emit(Audience::Everybody, &Event::Completed { by: by_whom });
        json!({ "completed_by": by, "rounds": 0, "contributions": self.contributions })
    }

    /// Waits for an answer or a command.
    async fn next_event(&self, writers: &mut [Writer]) -> Happened {
        let mut command = self.table.next_command();
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

    /// Asks participants who are new and withdraws the questions of those who left.
    fn seat_writers(&mut self, writers: &mut Vec<Writer>, until: Millis) {
        let places: Vec<Participant> = self
            .order()
            .iter()
            .filter(|place| place.seat.is_some())
            .cloned()
            .collect();
        writers.retain(|writer| {
            let is_seated = places.iter().any(|place| place.id == writer.place);
            if let Some(asking) = writer.asking.as_ref().filter(|_| !is_seated) {
                self.table.withdraw(asking.id());
            }
            is_seated
        });
        for place in places {
            if writers.iter().any(|writer| writer.place == place.id) {
                continue;
            }
            let mut writer = Writer {
                place: place.id.clone(),
                written: 0,
                is_person: place.is_person(),
                is_skipped: false,
                asking: None,
                due: self.table.now(),
            };
            if !place.is_person() {
                writer.due = self.next_due(&writer, writers.len(), until);
            }
            self.put(&mut writer, &place, until);
            writers.push(writer);
        }
    }

    fn take_answer(
        &mut self,
        writers: &mut [Writer],
        at: usize,
        answer: Result<Reply, NoAnswer>,
        until: Millis,
    ) {
        let Some(writer) = writers.get_mut(at) else { return };
        let ask = writer.asking.take().map(|asking| asking.id().to_owned());
        let Some(place) = self.place_of(writer) else {
            return;
        };
        writer.is_skipped = answer.is_err() && place.is_person();
        let is_program = !place.is_person() || answer.as_ref().is_ok_and(|reply| reply.stood_in);
        if let Ok(reply) = answer {
            let context = self.context(&place, None);
            if let Reading::Read {
                value: (content, metadata),
                ..
            } = MessageQuestion.read_text(&reply.text, &context)
            {
                let metadata = Metadata {
                    request_id: reply.request_id,
                    ask,
                    ..metadata
                };
                let turn = self.order().iter().position(|other| other.id == place.id);
                self.state.turn = turn.unwrap_or_default();
                self.emit_contribution(&place.name, place.role, place.is_person(), content, metadata);
            }
        }
        let now = self.table.now();
        if now >= until {
            return;
        }
        if writer.is_skipped {
            writer.due = (now + SHORTEST_PAUSE).min(until);
            return self.put(writer, &place, until);
        }
        writer.written += 1;
        writer.due = now;
        if is_program {
            writer.due = self.next_due(writer, at, until);
        }
        self.put(writer, &place, until);
    }

    fn place_of(&self, writer: &Writer) -> Option<Participant> {
        let mut places = self.order().iter();
        places.find(|place| place.id == writer.place).cloned()
    }

    /// Returns the time of an agent's next message; after the last one, the end.
    fn next_due(&self, writer: &Writer, at: usize, until: Millis) -> Millis {
        if writer.written >= MOST_MESSAGES {
            return until;
        }
        let length = Millis::from(self.settings.minutes) * 60_000;
        let mean = (length / Millis::from(MOST_MESSAGES + 1)).max(SHORTEST_PAUSE);
        let share = PAUSES[(at + writer.written as usize) % PAUSES.len()];
        (self.table.now() + mean * share / 100).min(until)
    }

    /// Puts the questions of agents whose time has not come anew, so that these know what was said meanwhile.
    fn refresh(&mut self, writers: &mut [Writer], until: Millis) {
        for writer in writers.iter_mut() {
            let Some(place) = self.place_of(writer) else {
                continue;
            };
            let is_waiting = (self.table.now() + 1..until).contains(&writer.due);
            if place.is_person() || !is_waiting {
                continue;
            }
            if let Some(asking) = writer.asking.take() {
                self.table.withdraw(asking.id());
                self.put(writer, &place, until);
            }
        }
    }

    /// Puts the question to a participant, to be answered from `due` on.
    fn put(&mut self, writer: &mut Writer, place: &Participant, until: Millis) {
        let TurnContext {
            words,
            place: own,
            max_lines,
            facts,
        } = self.context(place, None);
        let facts = Rc::new(DiscussionContext {
            open: true,
            turn: self
                .order()
                .iter()
                .position(|other| other.id == place.id)
                .unwrap_or_default() as u32,
            round: writer.written + 1,
            rounds: MOST_MESSAGES,
            ..DiscussionContext::clone(&facts)
        });
        let context = TurnContext {
            words,
            place: own,
            max_lines,
            facts,
        };
        let question = self.question(MessageQuestion, "open", place, &context);
        let left = until.saturating_sub(writer.due);
        let limit = question.time_limits.first().copied().unwrap_or(left).min(left);
        writer.asking = Some(self.table.ask(Question {
            time_limits: vec![limit],
            wait: writer.due.saturating_sub(self.table.now()),
            ..question
        }));
    }
}

/// Whether nobody is left who could write: nobody is asked, or the last questions of all people were skipped.
fn is_deserted(writers: &[Writer]) -> bool {
    let mut people = writers.iter().filter(|writer| writer.is_person).peekable();
    let has_people = people.peek().is_some();
    let all_skipped = people.all(|writer| writer.is_skipped);
    (has_people && all_skipped) || writers.iter().all(|writer| writer.asking.is_none())
}
