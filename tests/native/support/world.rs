//! A simulated world around a session: answers come from a function, time from a counter, and open
//! calls are answered in the order asked or in an order drawn from a seed. What is tested stands in
//! the tests.

pub(crate) use quorate::core::ask::Call;
use quorate::core::ask::{Failure, Millis, Reply};
use quorate::core::audience::Audience;
use quorate::core::record::{Entry, EntryKind};
use quorate::core::{Effect, Input, Outcome, Session, Status};
use quorate::procedures;
use quorate::procedures::justice::asks;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::rc::Rc;

pub(crate) const NAMES: [&str; 8] = ["Ana", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"];
pub(crate) const BEGINNING: Millis = 1_700_000_000_000;

/// What comes of a call.
pub(crate) enum Reaction {
    Says(String),
    Fails(Failure),
    Nothing,
}

pub(crate) fn says(text: impl Into<String>) -> Reaction {
    Reaction::Says(text.into())
}

/// A configuration for `seats` participants whose answers come from the test, with other settings on
/// top.
pub(crate) fn config(seats: usize, changes: &Value) -> Value {
    let agents: Vec<Value> = NAMES[..seats]
        .iter()
        .map(|name| json!({ "name": name, "personality": "a student", "kind": "custom" }))
        .collect();
    let mut config = json!({ "language": "English", "agents": agents, "seed": 7, "phase2_rounds": 4 });
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// A plain answer to any question: the floor constraint of 13,000 in all, no vote.
pub(crate) fn plain(call: &Call) -> String {
    let ask = &call.ask;
    let round = ask.round.unwrap_or(0);
    match ask.kind.name() {
        asks::INITIAL_RANKING
        | asks::POST_EXPLANATION_RANKING
        | asks::FINAL_RANKING
        | asks::RESULTS_RANKING => "1. 3\n2. 1\n3. 2\n4. 4\nCertainty: sure".to_owned(),
        asks::EXPLANATION => "I see.".to_owned(),
        asks::APPLICATION => "3, $13,000, sure".to_owned(),
        asks::CONSTRAINT_RETRY | asks::BALLOT_AMOUNT => "13000".to_owned(),
        asks::INTERNAL_REASONING => format!("Thoughts of {} in round {round}.", ask.seat),
        asks::STATEMENT => statement(&ask.seat, round),
        asks::MEMORY_UPDATE => format!("Notes of {}: {}.", ask.seat, ask.id),
        asks::VOTE_INITIATION => "0".to_owned(),
        asks::VOTE_CONFIRMATION => "1".to_owned(),
        asks::BALLOT_PRINCIPLE => "3".to_owned(),
        other => panic!("{other:?} is no question of the experiment"),
    }
}

pub(crate) fn statement(seat: &str, round: u32) -> String {
    format!("In round {round} it is {seat} who speaks, and says enough to be counted as a statement.")
}

/// Plain answers, and votes from `round` on.
pub(crate) fn votes_from(round: u32) -> impl Fn(&Call) -> Reaction {
    move |call| {
        if call.ask.kind == asks::VOTE_INITIATION && call.ask.round >= Some(round) {
            return says("1");
        }
        says(plain(call))
    }
}

/// A run and all that was asked in it.
pub(crate) struct Run {
    pub(crate) session: Session,
    /// Every call in the order in which it was handed out, tries after failures too.
    pub(crate) calls: Vec<Call>,
    pub(crate) now: Millis,
}

/// Which of the open calls is answered next.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Asked,
    Shuffled(u64),
}

/// Runs a configuration to its end.
pub(crate) fn run(config: &Value, answer: impl Fn(&Call) -> Reaction) -> Run {
    run_in(Order::Asked, config, answer)
}

pub(crate) fn run_in(order: Order, config: &Value, answer: impl Fn(&Call) -> Reaction) -> Run {
    let (session, outcome) = procedures::begin(config, "test", BEGINNING).unwrap();
    go_on(session, outcome, order, answer)
}

/// Goes on to the end. Every answer takes 5 ms; where nobody answers, time passes to the deadline.
pub(crate) fn go_on(
    session: Session,
    outcome: Outcome,
    order: Order,
    answer: impl Fn(&Call) -> Reaction,
) -> Run {
    let now = session.record().last().unwrap().at;
    let mut run = Run {
        session,
        calls: Vec::new(),
        now,
    };
    let mut outcome = outcome;
    let mut random = match order {
        Order::Asked => 0,
        Order::Shuffled(seed) => seed * 2 + 1,
    };
    let mut waiting: Vec<(Call, Millis)> = Vec::new();
    for step in 0.. {
        assert!(step < 200_000, "the run does not end");
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Ask { call, not_before, .. } => {
                    run.calls.push(call.clone());
                    waiting.push((call, not_before));
                }
                Effect::Cancel { ask, attempt } => {
                    waiting.retain(|(call, _)| call.ask.id != ask || call.attempt != attempt);
                }
            }
        }
        if outcome.status == Status::Ended {
            break;
        }
        if let Status::Halted(halt) = &outcome.status {
            panic!("{halt:?}");
        }
        let place = match order {
            Order::Shuffled(_) if !waiting.is_empty() => {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % waiting.len()
            }
            _ => 0,
        };
        let reactions = (0..waiting.len()).map(|index| (index + place) % waiting.len());
        let next = reactions
            .map(|index| (index, answer(&waiting[index].0)))
            .find(|(_, reaction)| !matches!(reaction, Reaction::Nothing));
        let Some((index, reaction)) = next else {
            let deadline = outcome.deadline.expect("somebody answers, or a time is set");
            run.now = run.now.max(deadline);
            outcome = run.session.handle(run.now, Input::Tick);
            continue;
        };
        let (call, not_before) = waiting.remove(index);
        run.now = (run.now + 5).max(not_before);
        let (ask, attempt) = (call.ask.id.clone(), call.attempt);
        let input = match reaction {
            Reaction::Says(text) => {
                let reply = Reply {
                    text,
                    ..Reply::default()
                };
                Input::Answered { ask, attempt, reply }
            }
            Reaction::Fails(failure) => Input::Failed {
                ask,
                attempt,
                failure,
            },
            Reaction::Nothing => continue,
        };
        outcome = run.session.handle(run.now, input);
    }
    assert!(run.session.open_asks().is_empty());
    super::opens_as_it_stands(&run.session);
    run.check_ids();
    run
}

impl Run {
    pub(crate) fn record(&self) -> Vec<Rc<Entry>> {
        self.session.record()
    }

    /// The record as it is stored.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(&self.record()).unwrap()
    }

    pub(crate) fn result(&self) -> Value {
        match &self.record().last().unwrap().what {
            EntryKind::Ended { result } => result.clone(),
            other => panic!("the record ends with {other:?}"),
        }
    }

    /// The protocol's own events, in order.
    pub(crate) fn events(&self) -> Vec<Value> {
        let event = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, .. } => Some(event.value()),
            _ => None,
        };
        self.record().iter().filter_map(event).collect()
    }

    /// The same, typed, with their audiences.
    pub(crate) fn typed_events<E: DeserializeOwned>(&self) -> Vec<(E, Audience)> {
        let event = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Event { event, to } => Some((event.read().unwrap(), to.clone())),
            _ => None,
        };
        self.record().iter().filter_map(event).collect()
    }

    pub(crate) fn events_of(&self, kind: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["type"] == kind);
        events
    }

    /// Codes of the warnings in the result.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let result = self.result();
        let list = result["warnings"].as_array().unwrap();
        list.iter()
            .map(|warning| warning["code"].as_str().unwrap().to_owned())
            .collect()
    }

    /// First tries of the calls of a kind.
    pub(crate) fn count(&self, kind: &'static str) -> usize {
        self.calls
            .iter()
            .filter(|call| call.attempt == 1 && call.ask.kind == kind)
            .count()
    }

    /// Every ask is put once: ids hold the place in the protocol.
    fn check_ids(&self) {
        let mut ids: Vec<String> = Vec::new();
        for entry in self.record() {
            if let EntryKind::Asked { ask, .. } = &entry.what {
                ids.push(ask.id.clone());
            }
        }
        let asked = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), asked, "an id was used twice");
    }
}

/// All that a call says in words.
pub(crate) fn words_of(call: &Call) -> String {
    let mut text = call.request.system.get().into_owned();
    for message in &call.request.messages {
        text.push('\n');
        text.push_str(&message.content.get());
    }
    text
}
