//! Talks in which all write at any time, in discussions and in the experiment: they end by the clock or by hand, and replay.

use proptest::prelude::*;
use quorate::core::ask::{Millis, Reply};
use quorate::core::record::{Command, EntryKind};
use quorate::core::visibility::Role;
use quorate::core::{Effect, Input, OpenAsk, Outcome, Session, Status};
use quorate::procedures;
use quorate::procedures::discussion::event::Event;
use quorate::procedures::justice::event::Event as JusticeEvent;
use quorate::seat::{Seat, SeatKind};
use serde_json::{Value, json};
use std::rc::Rc;

const BEGINNING: Millis = 1_700_000_000_000;
const MINUTE: Millis = 60_000;

fn config(people: &[&str], programs: &[&str]) -> Value {
    let agent = |kind: &str, name: &&str| json!({ "name": name, "kind": kind });
    let agents = people.iter().map(|name| agent("human", name));
    let agents: Vec<Value> = agents
        .chain(programs.iter().map(|name| agent("scripted", name)))
        .collect();
    json!({
        "protocol": "discussion", "topic": "What should our school do about smartphones?", "turns": "open",
        "minutes": 4, "seed": 5, "agents": agents,
    })
}

/// The experiment as classes play it, with other participants.
fn experiment(people: &[&str], programs: &[&str]) -> Value {
    let presets = procedures::class_presets();
    let preset = presets.into_iter().find(|preset| preset.id == "class-justice");
    let mut config = preset.unwrap().config;
    let agent =
        |kind: &str, name: &&str| json!({ "name": name, "kind": kind, "personality": "One of the class." });
    let agents = people.iter().map(|name| agent("human", name));
    config["agents"] = agents
        .chain(programs.iter().map(|name| agent("scripted", name)))
        .collect();
    config["seed"] = 5.into();
    config
}

/// A session whose programs answer when their time has come.
struct World {
    session: Session,
    now: Millis,
    deadline: Option<Millis>,
    /// Calls to programs, with the time from which they answer.
    calls: Vec<(Millis, String, u32, String, bool)>,
}

impl World {
    fn new(config: &Value) -> Self {
        let (session, outcome) = procedures::begin(config, "open", BEGINNING).unwrap();
        let mut world = Self {
            session,
            now: BEGINNING,
            deadline: None,
            calls: Vec::new(),
        };
        world.take(outcome);
        world
    }

    fn take(&mut self, outcome: Outcome) {
        self.deadline = outcome.deadline;
        for effect in outcome.effects {
            match effect {
                Effect::Ask {
                    call,
                    seat,
                    not_before,
                    stood_in,
                } => {
                    if seat.kind != SeatKind::Human || stood_in {
                        let scripted = Seat {
                            kind: SeatKind::Scripted,
                            ..Seat::clone(&seat)
                        };
                        let text = procedures::scripted_answer(&scripted, 5, &call);
                        let call = (not_before, call.ask.id.clone(), call.attempt, text, stood_in);
                        self.calls.push(call);
                    }
                }
                Effect::Cancel { ask, attempt } => {
                    self.calls.retain(|(_, id, of, ..)| (id, *of) != (&ask, attempt));
                }
            }
        }
        let open = self.session.open_asks();
        let seats: Vec<&str> = open.iter().map(|open| open.seat.name.as_str()).collect();
        let mut distinct = seats.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(
            distinct.len(),
            seats.len(),
            "two open questions of a seat: {seats:?}"
        );
    }

    fn hand_in(&mut self, input: Input) {
        let outcome = self.session.handle(self.now, input);
        self.take(outcome);
    }

    /// Lets time pass, with answers of programs and deadlines on the way.
    fn wait_until(&mut self, time: Millis) {
        loop {
            let call = self.calls.iter().map(|(due, ..)| *due).min();
            let next = call.into_iter().chain(self.deadline).min();
            let Some(next) = next.filter(|next| *next <= time && !self.is_over()) else {
                break;
            };
            self.now = self.now.max(next);
            if call.is_some_and(|due| due <= next && self.deadline.is_none_or(|deadline| due < deadline)) {
                let at = self
                    .calls
                    .iter()
                    .position(|(due, ..)| Some(*due) == call)
                    .unwrap();
                let (_, ask, attempt, text, stood_in) = self.calls.remove(at);
                let reply = Reply {
                    text,
                    stood_in,
                    ..Reply::default()
                };
                self.hand_in(Input::Answered { ask, attempt, reply });
            } else {
                self.hand_in(Input::Tick);
            }
        }
        self.now = self.now.max(time);
    }

    /// Answers the open question of a person, if there is one.
    fn write(&mut self, seat: &str, text: &str) -> bool {
        let open = self.session.open_asks();
        let Some(open) = open
            .iter()
            .find(|open| open.seat.name == seat && open.since.is_some())
        else {
            return false;
        };
        let reply = Reply {
            text: text.to_owned(),
            ..Reply::default()
        };
        self.hand_in(Input::Answered {
            ask: open.call.ask.id.clone(),
            attempt: open.call.attempt,
            reply,
        });
        true
    }

    /// Answers the open questions of people as programs would, until a talk begins or the run ends.
    fn go_on_to_talk(&mut self) {
        loop {
            let open = self.session.open_asks();
            let is_asked = |open: &&OpenAsk| open.seat.kind == SeatKind::Human && open.since.is_some();
            let Some(first) = open
                .iter()
                .find(is_asked)
                .filter(|open| open.call.ask.kind != "message")
            else {
                let due = self.calls.iter().map(|(due, ..)| *due).min();
                match due.filter(|due| *due <= self.now) {
                    Some(due) => self.wait_until(due),
                    None => return,
                }
                continue;
            };
            let pupil = Seat {
                kind: SeatKind::Scripted,
                ..Seat::clone(&first.seat)
            };
            let text = procedures::scripted_answer(&pupil, 5, &first.call);
            let (name, call) = (first.seat.name.clone(), first.call.clone());
            assert!(self.write(&name, &text), "{call:?}");
        }
    }

    fn open_ask(&self, seat: &str) -> OpenAsk {
        let mut open = self.session.open_asks().into_iter();
        open.find(|open| open.seat.name == seat).unwrap()
    }

    fn skip(&mut self, seat: &str) {
        let ask = self.open_ask(seat).call.ask.id.clone();
        self.command(Command::Skip { ask });
    }

    fn command(&mut self, command: Command) {
        self.hand_in(Input::Command(command));
    }

    fn is_over(&self) -> bool {
        self.session.status() == Status::Ended
    }

    /// Returns time, speaker and text of the messages.
    fn messages(&self) -> Vec<(Millis, String, String)> {
        let said = |entry: &Rc<_>| {
            let entry: &quorate::core::record::Entry = entry;
            let EntryKind::Event { event, .. } = &entry.what else {
                return None;
            };
            let at = entry.at - BEGINNING;
            match event.read() {
                Ok(Event::Said { speaker, content, .. }) => Some((at, speaker, content)),
                _ => match event.read().ok()? {
                    JusticeEvent::Spoke { seat, text, .. } => Some((at, seat, text)),
                    _ => None,
                },
            }
        };
        self.session.record().iter().filter_map(said).collect()
    }

    fn of(&self, seat: &str) -> Vec<String> {
        let own = self
            .messages()
            .into_iter()
            .filter(|(_, speaker, _)| speaker == seat);
        own.map(|(_, _, text)| text).collect()
    }

    /// Returns the result. The record must replay, and nothing may be open.
    fn result(&self) -> Value {
        let record = self.session.record();
        let (again, _) = procedures::replay(&record).unwrap();
        assert_eq!(again.record(), record);
        assert_eq!(self.session.open_asks(), []);
        match &record.last().unwrap().what {
            EntryKind::Ended { result } => result.clone(),
            other => panic!("the record ends with {other:?}"),
        }
    }
}

#[test]
fn everybody_writes_at_any_time_until_the_time_is_up() {
    let mut world = World::new(&config(&["Mia", "Noor"], &["Pixel"]));
    let open = world.session.open_asks();
    let mia = open.iter().find(|open| open.seat.name == "Mia").unwrap();
    assert_eq!(mia.deadline, Some(BEGINNING + 4 * MINUTE));
    assert_eq!(mia.call.ask.kind, "message");
    for (at, seat, text) in [
        (5, "Noor", "Hi"),
        (6, "Noor", "Well?"),
        (7, "Mia", "I agree with you"),
        (8, "Noor", "Ok"),
    ] {
        world.wait_until(BEGINNING + at * 1_000);
        assert!(world.write(seat, text));
    }
    world.wait_until(BEGINNING + 10 * MINUTE);
    let result = world.result();
    assert_eq!(
        (&result["completed_by"], &result["rounds"]),
        (&json!("time"), &json!(0))
    );
    assert_eq!(world.session.record().last().unwrap().at, BEGINNING + 4 * MINUTE);
    assert_eq!(world.of("Noor"), ["Hi", "Well?", "Ok"]);
    assert_eq!(world.of("Mia"), ["I agree with you"]);
    let pixel = world.of("Pixel");
    assert!((3..=5).contains(&pixel.len()), "{pixel:?}");
    assert!(
        pixel.iter().all(|text| text.split_whitespace().count() <= 60),
        "{pixel:#?}"
    );
    let messages = world.messages();
    assert!(messages.is_sorted_by_key(|(at, ..)| *at));
    assert_eq!(result["contributions"], messages.len());

    let record = world.session.record();
    let view = procedures::view::view_of(&record, Role::Audience).json(None);
    let shown: Vec<&str> = view["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item["text"].as_str())
        .collect();
    let said: Vec<&str> = messages.iter().map(|(_, _, text)| text.as_str()).collect();
    assert_eq!(shown, said);
    assert_eq!(
        (&view["isOpen"], &view["until"]),
        (&json!(true), &json!(BEGINNING + 4 * MINUTE))
    );
    assert_eq!(view["sections"].as_array().unwrap().len(), 1);
}

#[test]
fn one_of_the_programs_answers_a_person_soon() {
    let mut config = config(&["Mia"], &["Pixel", "Bit", "Chip"]);
    config["minutes"] = 8.into();
    let mut world = World::new(&config);
    for (at, text) in [(10, "Hi"), (30, "What do you think?"), (50, "Why?")] {
        world.wait_until(BEGINNING + at * 1_000);
        assert!(world.write("Mia", text));
    }
    world.wait_until(BEGINNING + 60_000);
    let said: Vec<(Millis, bool)> = world
        .messages()
        .into_iter()
        .map(|(at, speaker, _)| (at / 1_000, speaker == "Mia"))
        .collect();
    assert_eq!(
        said,
        [
            (10, true),
            (18, false),
            (30, true),
            (38, false),
            (50, true),
            (58, false)
        ]
    );
    world.wait_until(BEGINNING + 10 * MINUTE);
    world.result();
    for program in ["Pixel", "Bit", "Chip"] {
        assert!(world.of(program).len() <= 5, "{program}");
    }
}

#[test]
fn it_ends_when_it_is_closed() {
    let mut world = World::new(&config(&["Mia", "Noor"], &["Pixel"]));
    world.write("Mia", "Hello");
    world.now += 1_000;
    world.command(Command::Close);
    assert_eq!(world.result()["completed_by"], "closed");
    assert!(!world.write("Mia", "Too late"));
}

#[test]
fn a_message_out_of_the_blue_is_one_of_them() {
    let mut world = World::new(&config(&["Mia"], &["Pixel"]));
    let (seat, text) = ("Guest".to_owned(), "Two more minutes".to_owned());
    world.command(Command::Say {
        seat,
        text,
        request_id: None,
    });
    assert_eq!(world.of("Guest"), ["Two more minutes"]);
}

#[test]
fn a_program_that_stands_in_writes_no_more_than_others() {
    let mut world = World::new(&config(&["Mia", "Noor"], &[]));
    world.now += 1_000;
    world.command(Command::StandIn {
        seat: "Noor".to_owned(),
    });
    world.wait_until(BEGINNING + 3 * MINUTE);
    let before = world.of("Noor").len();
    assert!((2..=5).contains(&before), "{before}");
    world.command(Command::TakeBack {
        seat: "Noor".to_owned(),
    });
    assert!(world.write("Noor", "I am back") && world.write("Noor", "and write again"));
    world.wait_until(BEGINNING + 4 * MINUTE);
    assert_eq!(world.result()["completed_by"], "time");
}

#[test]
fn who_is_skipped_may_write_again_and_it_ends_when_all_are() {
    let mut world = World::new(&config(&["Mia", "Noor"], &["Pixel"]));
    world.skip("Mia");
    assert!(!world.is_over() && world.write("Mia", "Here I am"));
    world.skip("Noor");
    assert!(!world.is_over());
    world.skip("Mia");
    assert_eq!(world.result()["completed_by"], "closed");
    assert_eq!(world.of("Mia"), ["Here I am"]);
}

#[test]
fn after_a_reload_programs_wait_as_before() {
    let mut world = World::new(&config(&["Mia"], &["Pixel"]));
    let due = world.calls[0].0;
    let outcome = world.session.reopen(BEGINNING + 1_000);
    world.calls.clear();
    world.take(outcome);
    assert_eq!(world.calls[0].0, due);
}

#[test]
fn a_reload_does_not_move_the_end() {
    let mut world = World::new(&config(&["Mia"], &["Pixel"]));
    world.wait_until(BEGINNING + MINUTE);
    world.now += 10_000;
    let outcome = world.session.reopen(world.now);
    world.calls.clear();
    world.take(outcome);
    assert_eq!(world.open_ask("Mia").deadline, Some(BEGINNING + 4 * MINUTE));
    world.wait_until(BEGINNING + 10 * MINUTE);
    world.result();
    assert_eq!(world.session.record().last().unwrap().at, BEGINNING + 4 * MINUTE);
}

#[test]
fn more_time_moves_the_end_for_all_and_keeps_what_people_write() {
    let mut world = World::new(&config(&["Mia", "Noor"], &["Pixel"]));
    world.command(Command::StandIn {
        seat: "Noor".to_owned(),
    });
    world.wait_until(BEGINNING + 3 * MINUTE + MINUTE / 2);
    let before = world.open_ask("Mia");
    world.command(Command::Extend { seconds: 60 });
    let after = world.open_ask("Mia");
    assert_eq!(after.call.ask.id, before.call.ask.id);
    for seat in ["Mia", "Noor"] {
        assert_eq!(
            world.open_ask(seat).deadline,
            Some(BEGINNING + 5 * MINUTE),
            "{seat}"
        );
    }
    let view = procedures::view::view_of(&world.session.record(), Role::Audience).json(None);
    assert_eq!(view["until"], json!(BEGINNING + 5 * MINUTE));
    world.wait_until(BEGINNING + 4 * MINUTE + MINUTE / 2);
    assert!(world.write("Mia", "Still time"));
    world.wait_until(BEGINNING + 10 * MINUTE);
    assert_eq!(world.result()["completed_by"], "time");
    assert_eq!(world.session.record().last().unwrap().at, BEGINNING + 5 * MINUTE);
}

#[test]
fn without_people_nobody_waits() {
    for config in [
        config(&[], &["Pixel", "Bit", "Chip"]),
        experiment(&[], &["Pixel", "Bit", "Chip"]),
    ] {
        let run = || {
            let mut world = World::new(&config);
            while !world.is_over() {
                assert!(world.calls.iter().all(|(due, ..)| *due == BEGINNING));
                world.wait_until(BEGINNING);
            }
            world.result();
            world
        };
        let world = run();
        assert_eq!(run().session.record(), world.session.record());
        let speakers: Vec<String> = world
            .messages()
            .into_iter()
            .map(|(_, speaker, _)| speaker)
            .collect();
        for name in ["Pixel", "Bit", "Chip"] {
            assert!(
                speakers.iter().filter(|speaker| *speaker == name).count() >= 2,
                "{speakers:?}"
            );
        }
        let in_a_row = speakers.windows(2).filter(|two| two[0] == two[1]).count();
        assert!(in_a_row * 3 < speakers.len(), "{speakers:?}");
    }
}

#[test]
fn who_joins_a_talk_without_people_has_the_rest_of_its_time() {
    let mut world = World::new(&config(&[], &["Pixel", "Bit"]));
    for _ in 0..3 {
        let (_, ask, attempt, text, _) = world.calls.remove(0);
        let reply = Reply {
            text,
            ..Reply::default()
        };
        world.hand_in(Input::Answered { ask, attempt, reply });
    }
    let seat = |kind: &str, name: &str| json!({ "name": name, "kind": kind });
    let agents = [
        seat("scripted", "Pixel"),
        seat("scripted", "Bit"),
        seat("human", "Mia"),
    ];
    world.command(Command::Reseat {
        table: json!({ "agents": agents }),
    });
    let ends = world.open_ask("Mia").deadline.unwrap();
    assert!(
        (BEGINNING + MINUTE..BEGINNING + 4 * MINUTE).contains(&ends),
        "{}",
        ends - BEGINNING
    );
    world.wait_until(BEGINNING + MINUTE / 2);
    assert!(world.write("Mia", "What is it about?"));
    world.wait_until(BEGINNING + 5 * MINUTE);
    assert_eq!(world.result()["completed_by"], "time");
    assert_eq!(world.session.record().last().unwrap().at, ends);
}

#[test]
fn in_the_experiment_a_ballot_follows_each_talk() {
    let mut world = World::new(&experiment(&["Mia", "Noor"], &["Pixel"]));
    let mut rounds = 0;
    loop {
        world.go_on_to_talk();
        if world.is_over() {
            break;
        }
        rounds += 1;
        let (begun, mia) = (world.now, world.open_ask("Mia"));
        assert_eq!(mia.call.ask.kind, "message");
        assert_eq!(
            (mia.call.ask.round, mia.deadline),
            (Some(rounds), Some(begun + 2 * MINUTE))
        );
        world.wait_until(begun + 50_000);
        assert!(world.write("Noor", "Nobody should be poor.") && world.write("Noor", "I am for the floor."));
        world.wait_until(begun + 70_000);
        assert!(world.write("Mia", &format!("Round {rounds}: it is fine as it is.")));
        world.wait_until(begun + 2 * MINUTE);
        let open = world.session.open_asks();
        assert!(open.iter().all(|open| open.call.ask.kind != "message"));
    }
    let record = world.session.record();
    let result = world.result();
    assert_eq!(result["rounds_completed"], rounds);
    let messages = world.messages();
    assert!(messages.is_sorted_by_key(|(at, ..)| *at));
    assert_eq!(world.of("Noor").len(), 2 * rounds as usize);
    let pixel = world.of("Pixel");
    assert!(
        (rounds as usize..=3 * rounds as usize).contains(&pixel.len()),
        "{pixel:?}"
    );
    assert!(
        pixel.iter().all(|text| text.split_whitespace().count() <= 40),
        "{pixel:#?}"
    );
    // The table sees the messages in the order of their writing, and all of them.
    for role in [Role::Seat("Mia".to_owned()), Role::Audience, Role::Owner] {
        let view = procedures::view::view_of(&record, role).json(None);
        let items = view["items"].as_array().unwrap().iter();
        let shown: Vec<&str> = items
            .filter(|item| item["type"] == "statement")
            .filter_map(|item| item["text"].as_str())
            .collect();
        let said: Vec<&str> = messages.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(shown, said);
    }
}

#[test]
fn in_the_experiment_a_talk_ends_when_all_people_are_skipped() {
    let mut world = World::new(&experiment(&["Mia", "Noor", "Lea"], &["Pixel"]));
    world.go_on_to_talk();
    world.command(Command::StandIn {
        seat: "Lea".to_owned(),
    });
    world.wait_until(world.now + 1_000);
    world.skip("Mia");
    assert_eq!(world.open_ask("Noor").call.ask.kind, "message");
    world.skip("Noor");
    assert_eq!(world.open_ask("Noor").call.ask.kind, "ballot_principle");
}

#[test]
fn the_experiment_goes_on_in_the_middle_of_a_talk() {
    let config = experiment(&["Mia", "Noor"], &["Pixel"]);
    let talk = |stops: bool| {
        let mut world = World::new(&config);
        world.go_on_to_talk();
        let begun = world.now;
        world.wait_until(begun + 40_000);
        assert!(world.write("Mia", "The floor should be high."));
        if stops {
            let (session, _) = procedures::replay(&world.session.record()).unwrap();
            let before = world.session.open_asks();
            assert_eq!(session.open_asks(), before);
            world.session = session;
            world.calls.clear();
            let outcome = world.session.reopen(world.now);
            world.take(outcome);
            assert_eq!(world.session.open_asks(), before);
        }
        world.command(Command::Extend { seconds: 60 });
        assert_eq!(world.open_ask("Noor").deadline, Some(begun + 3 * MINUTE));
        world.wait_until(begun + 3 * MINUTE);
        world.go_on_to_talk();
        world.session.record()
    };
    assert_eq!(talk(true), talk(false));
}

#[test]
fn more_time_is_for_the_present_talk_alone() {
    let mut world = World::new(&experiment(&["Mia", "Noor"], &["Pixel"]));
    world.command(Command::Extend { seconds: 60 });
    world.go_on_to_talk();
    assert_eq!(world.open_ask("Mia").deadline, Some(world.now + 2 * MINUTE));
}

proptest! {
    #[test]
    fn any_course_ends_in_time_and_replays(
        steps in prop::collection::vec((0_u64..20_000, 0..4_usize, 0..8_usize), 0..60),
        programs in 0..3_usize,
    ) {
        let people = ["Mia", "Noor", "Lea"];
        let mut world = World::new(&config(&people, &["Pixel", "Bit"][..programs.min(2)]));
        let mut written = 0;
        for (wait, who, what) in steps {
            world.wait_until(world.now + wait);
            if world.is_over() {
                break;
            }
            let seat = people[who % people.len()].to_owned();
            match what {
                0 => world.command(Command::StandIn { seat }),
                1 => world.command(Command::TakeBack { seat }),
                2 => world.command(Command::Pause),
                3 => world.command(Command::Resume),
                _ => written += usize::from(world.write(&seat, "Yes")),
            }
            let (again, _) = procedures::replay(&world.session.record()).unwrap();
            prop_assert_eq!(again.open_asks(), world.session.open_asks());
        }
        if !world.is_over() {
            world.command(Command::Resume);
        }
        world.wait_until(BEGINNING + 20 * MINUTE);
        prop_assert_eq!(&world.result()["completed_by"], "time");
        let messages = world.messages();
        prop_assert_eq!(messages.iter().filter(|(_, _, text)| text == "Yes").count(), written);
        prop_assert!(messages.is_sorted_by_key(|(at, ..)| *at));
    }
}
