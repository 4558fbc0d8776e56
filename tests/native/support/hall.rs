//! A debate in a simulated world: everybody answers by a function as soon as they are asked, time stands
//! still. What is tested stands in the tests.

use quorate::core::ask::{Call, Failure, FailureKind, Reply};
use quorate::core::record::{Entry, EntryKind};
use quorate::core::{Effect, Input, Outcome, Session, Status};
use quorate::procedures;
use quorate::procedures::debate::asks;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::rc::Rc;

/// What a seat answers; `None`: the call fails for good, and the run halts.
pub(crate) type Answer<'a> = &'a dyn Fn(&Call) -> Option<String>;

pub(crate) struct Hall {
    pub(crate) session: Session,
    /// Calls in the order in which they were handed out.
    pub(crate) calls: Vec<Call>,
    /// Calls on their way at once, at most, by kind of ask.
    pub(crate) most_at_once: usize,
}

/// A configuration with custom seats of these names and others on top; looks nowhere for material.
pub(crate) fn config(names: &[&str], changes: Value) -> Value {
    let agents: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name, "kind": "custom" }))
        .collect();
    let mut config = json!({ "protocol": "debate", "question": "Tea or coffee?", "agents": agents, "seed": 1, "sources": [] });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

impl Hall {
    /// Holds a whole debate.
    pub(crate) fn hold(config: &Value, answer: Answer<'_>) -> Self {
        let (session, outcome) = procedures::begin(config, "d-1", 1_000).unwrap();
        let mut hall = Self {
            session,
            calls: Vec::new(),
            most_at_once: 0,
        };
        hall.go_on(outcome, answer);
        hall
    }

    /// Goes on with a record.
    pub(crate) fn reopen(record: &[Rc<Entry>], answer: Answer<'_>) -> Self {
        let (mut session, replayed) = procedures::replay(record).unwrap();
        let mut outcome = session.reopen(1_000);
        outcome.entries.splice(0..0, replayed.entries);
        let mut hall = Self {
            session,
            calls: Vec::new(),
            most_at_once: 0,
        };
        hall.go_on(outcome, answer);
        hall
    }

    fn go_on(&mut self, mut outcome: Outcome, answer: Answer<'_>) {
        let mut waiting: VecDeque<Call> = VecDeque::new();
        loop {
            for effect in outcome.effects {
                match effect {
                    Effect::Ask { call, .. } => {
                        self.calls.push(call.clone());
                        waiting.push_back(call);
                    }
                    Effect::Cancel { ask, attempt } => {
                        waiting.retain(|call| call.ask.id != ask || call.attempt != attempt);
                    }
                }
            }
            self.most_at_once = self.most_at_once.max(waiting.len());
            let Some(call) = waiting.pop_front() else { return };
            let (ask, attempt) = (call.ask.id.clone(), call.attempt);
            let input = match answer(&call) {
                Some(text) => Input::Answered {
                    ask,
                    attempt,
                    reply: Reply {
                        text,
                        ..Reply::default()
                    },
                },
                None => Input::Failed {
                    ask,
                    attempt,
                    failure: Failure::new(FailureKind::Refused, "no"),
                },
            };
            outcome = self.session.handle(1_000, input);
        }
    }

    /// The result of a debate that is over.
    pub(crate) fn result(&self) -> Value {
        assert_eq!(
            self.session.status(),
            Status::Ended,
            "{:?}",
            self.session.open_asks()
        );
        let record = self.session.record();
        match &record.last().unwrap().what {
            EntryKind::Ended { result } => result.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Ids of the asks in order.
    pub(crate) fn asks(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.ask.id.as_str()).collect()
    }

    /// The events of a type.
    pub(crate) fn events(&self, wanted: &str) -> Vec<Value> {
        let record = self.session.record();
        let event = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, .. } => Some(event.value()).filter(|event| event["type"] == wanted),
            _ => None,
        };
        record.iter().filter_map(event).collect()
    }
}

/// Answers in the forms that are asked for: proposals that share no words, a vote for `favourite`, and
/// points by which the first proposal shown is the best.
pub(crate) fn plain(favourite: &str) -> impl Fn(&Call) -> Option<String> {
    let favourite = favourite.to_owned();
    move |call| {
        let ask = &call.ask;
        let own = |word: &str| {
            let words: Vec<String> = (0..8)
                .map(|n| format!("{word}{}{n}", ask.seat.to_lowercase()))
                .collect();
            words.join(" ")
        };
        Some(match ask.kind.name() {
            asks::PROPOSAL => own("idea"),
            asks::REVISION | asks::REFINEMENT => format!("{} {}", own("idea"), own("more")),
            asks::CRITIQUE => {
                "ISSUES:\n- too short\nSUGGESTIONS:\n- say more\nSEVERITY: 4\nREASONING: it is thin"
                    .to_owned()
            }
            asks::VOTE => {
                format!("CHOICE: {favourite}\nCONFIDENCE: 0.8\nCONTINUE: no\nREASONING: it is best")
            }
            asks::JUDGEMENT => json!({
                "scores": labels(call).iter().enumerate().map(|(place, label)| {
                    json!({ "proposal": label, "score": 9.0 - 2.0 * place as f64, "comment": "" })
                }).collect::<Vec<_>>(),
                "ranking": labels(call), "synthesis": "Both, in turn.", "conclusive": true,
                "confidence": 0.9, "reason": "settled",
            })
            .to_string(),
            asks::POLL => "CONTINUE".to_owned(),
            asks::TERMINATION => "CONCLUSIVE: no\nCONFIDENCE: 0.9\nREASON: it is open".to_owned(),
            asks::PREPARE => "PREPARE: YES\nIt will do.".to_owned(),
            asks::COMMIT => "COMMIT: YES\nIt will do.".to_owned(),
            other => panic!("{other:?}"),
        })
    }
}

/// The labels of the proposals that a call shows.
pub(crate) fn labels(call: &Call) -> Vec<String> {
    let facts: &quorate::procedures::debate::context::DebateContext = call.facts.of().unwrap();
    facts
        .proposals
        .iter()
        .map(|proposal| proposal.label.clone())
        .collect()
}
