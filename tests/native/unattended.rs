//! Nobody looks after the run: servers that are down for a while, refusals that ask for a long wait, seats whose calls fail for
//! good, and what a configuration says is done about them. Time is a number.

use crate::support;
use crate::support::world::BEGINNING;
use quorate::core::ask::{Call, Failure, FailureKind, Millis, Reply};
use quorate::core::record::{Command, EntryKind, Halt};
use quorate::core::{Effect, Input, Session, Status};
use quorate::procedures;
use quorate::seat::Seat;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

const PROTOCOLS: [&str; 5] = ["justice", "discussion", "debate", "delphi", "jury"];
const MINUTE: Millis = 60_000;

/// Three models of one server, with these limits.
fn config(protocol: &str, limits: &Value) -> Value {
    let agent = |name: &str| json!({ "name": name, "personality": "a student", "kind": "model", "model": "m", "base_url": "https://a.example/v1" });
    let agents = ["Ana", "Ben", "Cleo"].map(agent);
    let mut config = json!({ "language": "English", "seed": 7, "agents": agents, "limits": limits });
    let own = match protocol {
        "justice" => json!({ "phase2_rounds": 2 }),
        "discussion" => json!({ "protocol": protocol, "topic": "Tea", "rounds": 2, "start": "at_once" }),
        "debate" => json!({ "protocol": protocol, "question": "Tea?", "sources": [] }),
        "jury" => json!({
            "protocol": protocol, "charge": "Did she?", "prosecution": "Yes.", "defence": "No.",
            "evidence": [{ "text": "A glove." }],
        }),
        _ => json!({ "protocol": protocol, "question": "How many?" }),
    };
    for (key, value) in own.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

fn failure(kind: FailureKind, retry_after_ms: Option<Millis>) -> Failure {
    Failure {
        retry_after_ms,
        ..Failure::new(kind, "It does not work.")
    }
}

struct World {
    session: Session,
    now: Millis,
    waiting: Vec<(Millis, Call, Rc<Seat>, bool)>,
    status: Status,
}

impl World {
    fn new(config: &Value) -> Self {
        let (session, outcome) = procedures::begin(config, "test", BEGINNING).unwrap();
        let mut world = Self {
            session,
            now: BEGINNING,
            waiting: Vec::new(),
            status: Status::Running,
        };
        world.take(outcome.effects, outcome.status);
        world
    }

    fn take(&mut self, effects: Vec<Effect>, status: Status) {
        for effect in effects {
            match effect {
                Effect::Ask {
                    call,
                    seat,
                    not_before,
                    stood_in,
                } => self.waiting.push((not_before, call, seat, stood_in)),
                Effect::Cancel { ask, attempt } => self
                    .waiting
                    .retain(|(_, call, ..)| call.ask.id != ask || call.attempt != attempt),
            }
        }
        self.status = status;
    }

    fn hand_in(&mut self, input: Input) {
        let outcome = self.session.handle(self.now, input);
        self.take(outcome.effects, outcome.status);
    }

    /// Goes on until it is over or stands still. Who is asked answers as simulated participants do, 5 ms later, unless the call
    /// fails; `fails` gets the milliseconds since the beginning.
    fn go_on(&mut self, fails: impl Fn(Millis, &Call) -> Option<Failure>) -> &mut Self {
        for step in 0.. {
            assert!(step < 20_000, "the run does not end");
            if self.status != Status::Running {
                break;
            }
            let next = (0..self.waiting.len())
                .min_by_key(|place| self.waiting[*place].0)
                .expect("a run that goes on waits for somebody");
            let (not_before, call, seat, stood_in) = self.waiting.remove(next);
            self.now = (self.now + 5).max(not_before);
            let (ask, attempt) = (call.ask.id.clone(), call.attempt);
            let failure = fails(self.now - BEGINNING, &call).filter(|_| !stood_in);
            self.hand_in(match failure {
                Some(failure) => Input::Failed {
                    ask,
                    attempt,
                    failure,
                },
                None => {
                    let text = procedures::scripted_answer(&seat, 7, &call);
                    Input::Answered {
                        ask,
                        attempt,
                        reply: Reply {
                            text,
                            stood_in,
                            ..Reply::default()
                        },
                    }
                }
            });
        }
        let record = self.session.record();
        let again = procedures::replay(&record).map(|(_, outcome)| outcome.entries);
        assert_eq!(again, Ok(Vec::new()));
        if self.status == Status::Ended {
            support::opens_as_it_stands(&self.session);
        }
        self
    }

    fn count(&self, is: impl Fn(&EntryKind) -> bool) -> usize {
        self.session
            .record()
            .iter()
            .filter(|entry| is(&entry.what))
            .count()
    }

    /// Seats of the answers, and whether somebody stood in.
    fn answers(&self, seat: &str) -> Vec<bool> {
        let mut own = Vec::new();
        let mut answers = Vec::new();
        for entry in self.session.record() {
            match &entry.what {
                EntryKind::Asked { ask, .. } if ask.seat == seat => own.push(ask.id.clone()),
                EntryKind::Answered { ask, reply, .. } if own.contains(ask) => answers.push(reply.stood_in),
                _ => {}
            }
        }
        answers
    }

    /// What was said and decided, without times.
    fn said(&self) -> Vec<String> {
        let said = |what: &EntryKind| match what {
            EntryKind::Answered { ask, reply, .. } => Some(format!("{ask}: {}", reply.text)),
            _ => None,
        };
        let mut said: Vec<String> = self
            .session
            .record()
            .iter()
            .filter_map(|entry| said(&entry.what))
            .collect();
        said.sort();
        said
    }
}

#[test]
fn trouble_that_passes_halts_nothing_and_changes_no_answer() {
    for protocol in PROTOCOLS {
        let config = config(protocol, &json!({}));
        let mut smooth = World::new(&config);
        assert_eq!(smooth.go_on(|_, _| None).status, Status::Ended, "{protocol}");
        for (kind, after, long) in [
            (FailureKind::Server, None, 5_000),
            (FailureKind::Unreachable, None, MINUTE),
            (FailureKind::Cut, None, 9 * MINUTE),
            (FailureKind::RateLimit, Some(90_000), 1_000),
        ] {
            let mut world = World::new(&config);
            let down = |now: Millis, _: &Call| (20..20 + long).contains(&now).then(|| failure(kind, after));
            assert_eq!(world.go_on(down).status, Status::Ended, "{protocol} {kind:?}");
            assert_eq!(world.said(), smooth.said(), "{protocol} {kind:?}");
            assert_eq!(
                world.count(|what| matches!(what, EntryKind::Halted { .. })),
                0,
                "{protocol} {kind:?}"
            );
            let tries = world.count(|what| matches!(what, EntryKind::Failed { .. }));
            assert!((1..=6 * 30).contains(&tries), "{protocol} {kind:?}: {tries}");
        }
    }
}

#[test]
fn it_is_waited_with_growing_pauses_for_as_long_as_is_said_and_what_for_is_told() {
    for (limits, most) in [
        (json!({}), 10 * MINUTE),
        (json!({ "retry_for": 60 }), MINUTE),
        (json!({ "retry_for": 0 }), 5_000),
    ] {
        let mut world = World::new(&config("delphi", &limits));
        world.go_on(|_, call| (call.ask.seat == "Ben").then(|| failure(FailureKind::Server, None)));
        let Status::Halted(Halt::CallFailed { ask, .. }) = &world.status else {
            panic!("{:?}", world.status)
        };
        assert!(ask.contains("Ben"), "{ask}");
        let record = world.session.record();
        let pauses: Vec<Millis> = record
            .iter()
            .filter_map(|entry| match entry.what {
                EntryKind::Retrying { wait, .. } => Some(wait),
                _ => None,
            })
            .collect();
        assert!(pauses.iter().all(|pause| *pause <= 30_000), "{pauses:?}");
        assert!(pauses.windows(2).take(5).all(|two| two[0] < two[1]), "{pauses:?}");
        let waited = world.now - BEGINNING;
        assert!(
            waited <= most + 100 && waited + 31_000 > most,
            "{waited} of {most}"
        );
        let open = world.session.open_asks();
        let trouble = open[0].trouble.as_ref().unwrap();
        assert_eq!((trouble.until, open.len()), (None, 1));
        assert!(trouble.since < BEGINNING + 100);
    }
    // While it is waited the next moment is told, and whoever helps does not wait for it.
    let mut world = World::new(&config("delphi", &json!({})));
    world.go_on(|now, call| {
        (call.ask.seat == "Ben" && now < MINUTE).then(|| failure(FailureKind::RateLimit, Some(MINUTE * 60)))
    });
    assert!(matches!(world.status, Status::Halted(_)), "an hour is too long");
    let mut world = World::new(&config("delphi", &json!({})));
    let ben = world
        .waiting
        .iter()
        .find(|(_, call, ..)| call.ask.seat == "Ben")
        .unwrap()
        .1
        .clone();
    world.hand_in(Input::Failed {
        ask: ben.ask.id.clone(),
        attempt: 1,
        failure: failure(FailureKind::RateLimit, Some(90_000)),
    });
    let trouble = |world: &World| {
        world
            .session
            .open_asks()
            .into_iter()
            .find(|open| open.seat.name == "Ben")
            .unwrap()
            .trouble
    };
    assert_eq!(trouble(&world).unwrap().until, Some(BEGINNING + 90_000));
    world.hand_in(Input::Command(Command::Resume));
    assert_eq!(trouble(&world), None);
    assert!(
        world
            .waiting
            .iter()
            .any(|(not_before, call, ..)| call.ask.seat == "Ben"
                && call.attempt == 3
                && *not_before == BEGINNING)
    );
    assert_eq!(world.go_on(|_, _| None).status, Status::Ended);
}

#[test]
fn what_fails_for_good_holds_its_seat_and_the_others_go_on() {
    let config = config("justice", &json!({}));
    for kind in [
        FailureKind::Key,
        FailureKind::Quota,
        FailureKind::Request,
        FailureKind::Refused,
    ] {
        let mut world = World::new(&config);
        world.go_on(|_, call| (call.ask.seat == "Ben").then(|| failure(kind, None)));
        assert!(matches!(world.status, Status::Halted(Halt::CallFailed { .. })));
        assert_eq!(world.answers("Ben"), [] as [bool; 0]);
        let (ana, cleo) = (world.answers("Ana").len(), world.answers("Cleo").len());
        assert!(
            ana == cleo && ana >= 7,
            "the first phase is each one's own: {ana} {cleo}"
        );
        assert_eq!(world.count(|what| matches!(what, EntryKind::Failed { .. })), 1);
        assert_eq!(world.count(|what| matches!(what, EntryKind::Halted { .. })), 1);
        world.hand_in(Input::Command(Command::Resume));
        assert_eq!(world.go_on(|_, _| None).status, Status::Ended);
        let mut smooth = World::new(&config);
        smooth.go_on(|_, _| None);
        assert_eq!(world.said(), smooth.said());
    }
}

#[test]
fn a_server_that_is_known_to_be_down_is_waited_for_once_and_each_further_question_probes_it() {
    for protocol in PROTOCOLS {
        let mut config = config(protocol, &json!({ "on_failure": "skip" }));
        config["agents"][1]["base_url"] = "https://b.example/v1".into();
        let is_ben = |call: &Call| call.ask.seat == "Ben";
        let mut world = World::new(&config);
        world.go_on(|now, call| (is_ben(call) && now > 5).then(|| failure(FailureKind::Unreachable, None)));
        assert_eq!(world.status, Status::Ended, "{protocol}");
        let waited = world.now - BEGINNING;
        assert!(
            (9 * MINUTE..11 * MINUTE).contains(&waited),
            "{protocol}: {waited}"
        );
        let unanswered = world.count(|what| matches!(what, EntryKind::Unanswered { .. }));
        assert!(unanswered > 1, "{protocol}");

        // It is there again for the third question.
        let asked = RefCell::new(BTreeSet::new());
        let mut world = World::new(&config);
        world.go_on(|now, call| {
            let is_down = is_ben(call) && now > 5 && {
                let mut asked = asked.borrow_mut();
                asked.insert(call.ask.id.clone());
                asked.len() <= 2
            };
            is_down.then(|| failure(FailureKind::Server, None))
        });
        assert_eq!(world.status, Status::Ended, "{protocol}");
        let said = world.said();
        let is_answered = |ask: &String| said.iter().any(|said| said.starts_with(&format!("{ask}: ")));
        let asked = asked.into_inner();
        assert_eq!(asked.iter().any(is_answered), asked.len() > 2, "{protocol}");
        assert!(world.now - BEGINNING < 11 * MINUTE, "{protocol}");
    }
}

#[test]
fn a_seat_that_fails_for_good_is_left_out_stood_in_for_or_ends_the_run_as_is_said() {
    for protocol in PROTOCOLS {
        for policy in ["skip", "stand_in", "end"] {
            let mut world = World::new(&config(protocol, &json!({ "on_failure": policy })));
            world.go_on(|now, call| {
                (call.ask.seat == "Ben" && now > 5).then(|| failure(FailureKind::Key, None))
            });
            let told = format!("{protocol} {policy}: {:?}", world.status);
            let ben = world.answers("Ben");
            match policy {
                "skip" => {
                    assert_eq!(world.status, Status::Ended, "{told}");
                    assert!(ben.iter().all(|stood_in| !stood_in), "{told}");
                    assert!(
                        world.count(|what| matches!(what, EntryKind::Unanswered { .. })) > 0,
                        "{told}"
                    );
                }
                "stand_in" => {
                    assert_eq!(world.status, Status::Ended, "{told}");
                    assert!(ben.contains(&true), "{told}");
                    assert!(
                        ben.windows(2).all(|two| two[0] <= two[1]),
                        "from then on: {ben:?}"
                    );
                    assert_eq!(
                        world.count(|what| matches!(what, EntryKind::Failed { .. })),
                        1,
                        "{told}"
                    );
                    assert_eq!(
                        world.answers("Ana").iter().filter(|stood_in| **stood_in).count(),
                        0,
                        "{told}"
                    );
                }
                _ => assert_eq!(world.status, Status::Stopped, "{told}"),
            }
            let halts = usize::from(policy == "end");
            assert_eq!(
                world.count(|what| matches!(what, EntryKind::Halted { .. })),
                halts,
                "{told}"
            );
        }
    }
}

#[test]
fn whoever_runs_the_session_may_decide_the_same_when_it_stands_still() {
    let fails = |_: Millis, call: &Call| (call.ask.seat == "Ben").then(|| failure(FailureKind::Key, None));
    for (command, stood_in) in [
        (
            Command::StandIn {
                seat: "Ben".to_owned(),
            },
            true,
        ),
        (Command::Skip { ask: String::new() }, false),
    ] {
        let mut world = World::new(&config("delphi", &json!({})));
        world.go_on(fails);
        let Status::Halted(Halt::CallFailed { ask, .. }) = world.status.clone() else {
            panic!("{:?}", world.status)
        };
        let usage = world.session.usage().calls;
        world.hand_in(Input::Command(if stood_in {
            command
        } else {
            Command::Skip { ask }
        }));
        assert_eq!(world.status, Status::Running);
        if !stood_in {
            continue;
        }
        world.go_on(fails);
        assert_eq!(world.status, Status::Ended);
        let ben = world.answers("Ben");
        assert!(!ben.is_empty() && ben.iter().all(|stood_in| *stood_in));
        // Nobody was paid for what the stand-in said.
        let others = world.answers("Ana").len() + world.answers("Cleo").len();
        assert!(world.session.usage().calls >= usage);
        assert_eq!(world.session.usage().calls as usize, others + 1);
    }
}
