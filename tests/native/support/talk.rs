//! A discussion in a simulated world: agents answer by a function as soon as they are asked, people by
//! `advance`, time from a counter. What is tested stands in the tests.

use quorate::core::ask::{Call, Failure, FailureKind, Millis, Reply};
use quorate::core::record::{Command, Entry, EntryKind};
use quorate::core::{Effect, Input, Outcome, Session, Status};
use quorate::procedures;
use quorate::procedures::discussion::advance::{Message, Refusal, advance};
use quorate::procedures::discussion::status::view;
use quorate::seat::SeatKind;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) const BEGINNING: Millis = 1_700_000_000_000;

pub(crate) type Answer<'a> = &'a dyn Fn(&Call) -> Result<String, Failure>;

pub(crate) struct Talk {
    pub(crate) session: Session,
    /// Calls to agents in the order in which they were handed out, tries after failures too.
    pub(crate) calls: Vec<Call>,
    waiting: VecDeque<Call>,
    now: Millis,
}

/// A configuration from `role:name` (the name `-` for a place that nobody takes), with others on top.
pub(crate) fn config(places: &[&str], changes: &Value) -> Value {
    let pairs = || places.iter().map(|place| place.split_once(':').unwrap());
    let agents: Vec<Value> = pairs()
        .filter(|(role, name)| *role != "user" && *name != "-")
        .map(|(_, name)| json!({ "name": name, "kind": "custom" }))
        .collect();
    let participants: Vec<Value> = pairs()
        .map(|(role, name)| match name {
            "-" => json!({ "role": role }),
            name => json!({ "role": role, "agent": name }),
        })
        .collect();
    let mut config =
        json!({ "protocol": "discussion", "agents": agents, "participants": participants, "seed": 1 });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// Numbered answers, by the call that they answer.
pub(crate) fn says(call: &Call) -> Result<String, Failure> {
    Ok(format!("{} answers {}.", call.ask.seat, call.ask.id))
}

pub(crate) fn failure(kind: FailureKind) -> Failure {
    Failure::new(kind, "no luck")
}

impl Talk {
    pub(crate) fn begin(config: &Value, answer: Answer<'_>) -> Self {
        let (session, outcome) = procedures::begin(config, "talk", BEGINNING).unwrap();
        Self::go_on(session, outcome, answer)
    }

    pub(crate) fn go_on(session: Session, outcome: Outcome, answer: Answer<'_>) -> Self {
        let now = session.record().last().unwrap().at;
        let mut talk = Self {
            session,
            calls: Vec::new(),
            waiting: VecDeque::new(),
            now,
        };
        talk.take(outcome);
        talk.work(answer);
        talk
    }

    fn take(&mut self, outcome: Outcome) {
        for effect in outcome.effects {
            match effect {
                Effect::Ask { call, seat, .. } if seat.kind != SeatKind::Human => {
                    self.calls.push(call.clone());
                    self.waiting.push_back(call);
                }
                Effect::Ask { .. } => {}
                Effect::Cancel { ask, attempt } => {
                    self.waiting
                        .retain(|call| call.ask.id != ask || call.attempt != attempt);
                }
            }
        }
    }

    /// Lets agents answer until none of them is asked.
    pub(crate) fn work(&mut self, answer: Answer<'_>) {
        while let Some(call) = self.waiting.pop_front() {
            let (ask, attempt) = (call.ask.id.clone(), call.attempt);
            let input = match answer(&call) {
                Ok(text) => Input::Answered {
                    ask,
                    attempt,
                    reply: Reply {
                        text,
                        ..Reply::default()
                    },
                },
                Err(failure) => Input::Failed {
                    ask,
                    attempt,
                    failure,
                },
            };
            self.hand_in(input);
            assert!(self.calls.len() < 20_000, "the discussion does not end");
        }
    }

    pub(crate) fn hand_in(&mut self, input: Input) {
        self.now += 5;
        let outcome = self.session.handle(self.now, input);
        self.take(outcome);
    }

    pub(crate) fn command(&mut self, command: Command, answer: Answer<'_>) {
        self.hand_in(Input::Command(command));
        self.work(answer);
    }

    /// Answers an open ask of a person.
    pub(crate) fn answer(&mut self, seat: &str, text: &str, answer: Answer<'_>) {
        let open = self.session.open_asks();
        let open = open.iter().find(|open| open.seat.name == seat).unwrap();
        self.hand_in(Input::Answered {
            ask: open.call.ask.id.clone(),
            attempt: open.call.attempt,
            reply: Reply {
                text: text.to_owned(),
                ..Reply::default()
            },
        });
        self.work(answer);
    }

    pub(crate) fn advance(&mut self, user: &str, text: &str, answer: Answer<'_>) -> Result<(), Refusal> {
        let message = Message {
            user,
            text,
            request_id: None,
        };
        self.send(message, answer)
    }

    pub(crate) fn send(&mut self, message: Message<'_>, answer: Answer<'_>) -> Result<(), Refusal> {
        for input in advance(&self.session, message)? {
            self.hand_in(input);
        }
        self.work(answer);
        Ok(())
    }

    pub(crate) fn record(&self) -> Vec<Rc<Entry>> {
        self.session.record()
    }

    pub(crate) fn view(&self) -> Value {
        view(&self.record())
    }

    pub(crate) fn state(&self) -> Value {
        self.view()["state"].clone()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.status() == Status::Ended
    }

    /// What was said, as `round.turn speaker: text`, with what is unusual about it in brackets.
    pub(crate) fn log(&self) -> Vec<String> {
        let view = self.view();
        let entries = view["entries"].as_array().unwrap().iter();
        let line = |entry: &Value| {
            let mut metadata = entry["metadata"].clone();
            let metadata = metadata.as_object_mut().unwrap();
            metadata.retain(|key, value| {
                !["ask", "raw", "request_id"].contains(&key.as_str()) && *value != false
            });
            let mut line = format!("{}.{} ", entry["round"], entry["turn"]);
            match entry["type"].as_str().unwrap() {
                "discussion_note" => line += &format!("note {}", metadata["code"].as_str().unwrap()),
                _ => {
                    line += &format!(
                        "{}: {}",
                        entry["speakerName"].as_str().unwrap(),
                        entry["content"].as_str().unwrap()
                    );
                    let keys: Vec<&String> = metadata.keys().collect();
                    if !keys.is_empty() {
                        line += &format!(" {keys:?}");
                    }
                }
            }
            line
        };
        entries.map(line).collect()
    }

    /// Texts of the stored entries.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(&self.record()).unwrap()
    }

    pub(crate) fn result(&self) -> Value {
        super::opens_as_it_stands(&self.session);
        match &self.record().last().unwrap().what {
            EntryKind::Ended { result } => result.clone(),
            other => panic!("the record ends with {other:?}"),
        }
    }
}
