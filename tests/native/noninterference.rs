//! The law of secrecy, over all procedures: whatever others do in private, as long as what becomes public stays
//! equal, the view of a seat, and of onlookers, is the same to the byte, after every entry that they hear of. And
//! nothing that was said in private to somebody else occurs in it.
//!
//! A run is held twice. The second time all say the same, but for what `private` lists, which is answered otherwise;
//! besides, calls to others fail and are tried again, take other numbers of tokens, come from other models that think
//! other thoughts, and are answered too late once more.

use crate::support::times;
use quorate::core::ask::{Call, Failure, FailureKind, Reply, Usage};
use quorate::core::record::{Command, Entry, Halt};
use quorate::core::visibility::Role;
use quorate::core::{Effect, Input, Status};
use quorate::procedures;
use quorate::procedures::view::view;
use quorate::seat::Seat;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// What nobody else may ever see.
const CANARY: &str = "canary7281";
const NAMES: [&str; 4] = ["Ana", "Ben", "Cleo", "Dan"];

/// A procedure, and what of its answers is for nobody but `viewer`'s others.
struct Case {
    config: Value,
    /// What is answered instead, where the answer is private to somebody other than the viewer.
    private: fn(&Other<'_>, call: &Call, text: &str) -> Option<String>,
}

/// Somebody other than the viewer, who is about to answer.
struct Other<'a> {
    config: &'a Value,
    viewer: Option<&'a str>,
    seat: &'a Seat,
    /// What all said the first time, by ask.
    said: &'a BTreeMap<String, String>,
}

impl Other<'_> {
    /// What a neighbour said to the same question, who in turn says what this one said: the first two that are
    /// not the viewer change places. What is counted and not attributed stays the same.
    fn changed_places(&self, call: &Call) -> Option<String> {
        let mut others = NAMES.iter().filter(|name| Some(**name) != self.viewer);
        let (one, two) = (others.next()?, others.next()?);
        let neighbour = match self.seat.name.as_str() {
            name if name == *one => two,
            name if name == *two => one,
            _ => return None,
        };
        self.said
            .get(&call.ask.id.replace(&self.seat.name, neighbour))
            .cloned()
    }
}

fn agents(role: impl Fn(usize) -> Value) -> Value {
    let agent = |(place, name): (usize, &&str)| {
        let mut agent = json!({ "name": name, "personality": format!("{CANARY} of {name}") });
        agent
            .as_object_mut()
            .unwrap()
            .extend(role(place).as_object().unwrap().clone());
        agent
    };
    NAMES.iter().enumerate().map(agent).collect()
}

fn discussion(seed: u32) -> Case {
    let participants = NAMES
        .iter()
        .zip(["manager", "leader", "specialist", "specialist"])
        .map(|(name, role)| json!({ "role": role, "agent": name }))
        .collect::<Vec<_>>();
    Case {
        config: json!({
            "protocol": "discussion", "seed": seed, "agents": agents(|_| json!({})), "participants": participants,
            "topic": "Bread", "rules": ["Be kind."], "rounds": 1 + seed % 2,
        }),
        // What is written in another's name is cut off.
        private: |who, _, text| {
            let other = NAMES.iter().find(|name| **name != who.seat.name)?;
            Some(format!("{text}\n{other}: {CANARY} is what I say."))
        },
    }
}

fn debate(seed: u32) -> Case {
    let topology = ["all-to-all", "ring", "sparse", "star", "round-robin"][seed as usize % 5];
    Case {
        config: json!({
            "protocol": "debate", "seed": seed, "question": "Should shops close on Sundays?", "topology": topology,
            "sources": [],
            "agents": agents(|place| json!({ "role": if place == 3 && seed.is_multiple_of(2) { "judge" } else { "proposer" } })),
            "schedule": [
                { "number": 0, "kind": "context" }, { "number": 1, "kind": "propose" },
                { "number": 2, "kind": "critique" }, { "number": 3, "kind": "revise" },
                { "number": 4, "kind": "vote" }, { "number": 5, "kind": "judge" },
            ],
        }),
        private: |who, call, text| {
            let kind = call.ask.kind.name();
            // A sparse critique is for who made it and whose proposal it is about; why somebody votes is for nobody.
            let about = who
                .viewer
                .is_some_and(|name| call.ask.id.contains(&format!("/{name}/")));
            let is_sparse = who.config["topology"] != "all-to-all";
            match kind {
                "critique" if is_sparse && !about => Some(format!("{text}\n- {CANARY} is missing.")),
                "vote" => Some(format!("{text}\n{CANARY}")),
                _ => None,
            }
        },
    }
}

/// A poll, where nobody learns who estimated what.
fn delphi(seed: u32) -> Case {
    Case {
        config: json!({
            "protocol": "delphi", "seed": seed, "agents": agents(|_| json!({})), "rounds": 2 + seed % 2,
            "question": "How many loaves does the village eat on a Sunday?", "minimum": 0, "maximum": 900,
        }),
        private: |who, call, _| who.changed_places(call),
    }
}

/// A trial, where nobody learns who thought what before the ballots, nor in them if they are secret.
fn jury(seed: u32) -> Case {
    Case {
        config: json!({
            "protocol": "jury", "seed": seed, "agents": agents(|_| json!({})), "rounds": 1, "ballots": 2,
            "charge": "Did she eat the loaf?", "prosecution": "She was hungry.", "defence": "She was not there.",
            "evidence": [{ "text": "Crumbs.", "leans": 0.8 }, { "text": "A ticket.", "leans": -0.5 }],
            "show_counts": seed.is_multiple_of(2), "open_ballot": false,
        }),
        private: |who, call, text| match call.ask.kind.name() {
            // Where counts are shown, so is the number of changes of mind: votes stay, reasons differ.
            "straw_vote" if who.config["show_counts"] == true => {
                Some(format!("{CANARY}\n{}", text.lines().nth(1).unwrap()))
            }
            "straw_vote" => Some(format!("{CANARY}\nVote: undecided")),
            "ballot" if who.config["show_counts"] == false => who.changed_places(call),
            _ => None,
        },
    }
}

/// The experiment, where thoughts and memories are nobody else's, and ballots are secret.
fn justice(seed: u32) -> Case {
    Case {
        config: json!({
            "protocol": "justice", "seed": seed, "agents": agents(|_| json!({})), "phase2_rounds": 1 + seed % 3,
        }),
        private: |who, call, text| match call.ask.kind.name() {
            "memory_update" | "internal_reasoning" | "explanation" => Some(format!("{text}\n{CANARY}")),
            "ballot_principle" | "ballot_amount" => who.changed_places(call),
            _ => None,
        },
    }
}

/// Holds a run. `said` has what was answered the first time, by ask; in a run that is disturbed what is private to
/// others than the viewer differs.
fn run(case: &Case, said: &mut BTreeMap<String, String>, disturbs: Option<Option<&str>>) -> Vec<Rc<Entry>> {
    let (mut session, outcome) = procedures::begin(&case.config, "s", 0).unwrap();
    let seed = case.config["seed"].as_u64().unwrap() as u32;
    let mut inputs: VecDeque<Input> = VecDeque::new();
    let (mut effects, mut entries) = (outcome.effects, outcome.entries);
    let mut is_again = false;
    loop {
        for effect in effects {
            let Effect::Ask { call, seat, .. } = effect else {
                continue;
            };
            let id = call.ask.id.clone();
            let disturbed = disturbs.filter(|viewer| *viewer != Some(&seat.name));
            let text = said
                .get(&id)
                .cloned()
                .unwrap_or_else(|| procedures::scripted_answer(&seat, seed, &call));
            said.entry(id.clone()).or_insert_with(|| text.clone());
            let noise = id.bytes().fold(seed, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(u32::from(byte))
            });
            if disturbed.is_some() && call.attempt == 1 && noise % 3 == 0 {
                inputs.push_back(Input::Failed {
                    ask: id,
                    attempt: call.attempt,
                    failure: Failure::new(FailureKind::Server, CANARY),
                });
                continue;
            }
            let mut reply = Reply {
                text,
                ..Reply::default()
            };
            if let Some(viewer) = disturbed {
                let who = Other {
                    config: &case.config,
                    viewer,
                    seat: &seat,
                    said,
                };
                if let Some(text) = (case.private)(&who, &call, &reply.text) {
                    reply.text = text;
                }
                reply.reasoning = Some(CANARY.to_owned());
                reply.model = Some(CANARY.to_owned());
                reply.usage = Some(Usage::of(u64::from(noise % 900), 77));
            }
            let answer = Input::Answered {
                ask: id,
                attempt: call.attempt,
                reply,
            };
            let times = if disturbed.is_some() && noise % 5 == 0 {
                2
            } else {
                1
            };
            for _ in 0..times {
                // Whoever is asked again answers before others do.
                match is_again {
                    true => inputs.push_front(answer.clone()),
                    false => inputs.push_back(answer.clone()),
                }
            }
        }
        let input = match inputs.pop_front() {
            Some(input) => input,
            None if matches!(session.status(), Status::Halted(Halt::Rests { .. })) => {
                Input::Command(Command::Resume)
            }
            None => break,
        };
        is_again = matches!(input, Input::Failed { .. });
        let outcome = session.handle(0, input);
        effects = outcome.effects;
        entries.extend(outcome.entries);
    }
    assert_eq!(session.status(), Status::Ended);
    entries
}

/// What a role sees, change by change; and all of it at the end.
fn seen(record: &[Rc<Entry>], role: &Role) -> Vec<String> {
    let mut view = view(role.clone());
    let mut number = 0;
    let mut changes = Vec::new();
    for entry in record {
        view.take(entry);
        let now = view.transcript().number();
        if now != number {
            changes.push(view.json(Some(number)).to_string());
            number = now;
        }
    }
    changes.push(view.json(None).to_string());
    changes
}

#[test]
fn whatever_others_do_in_private_a_view_stays_the_same() {
    let mut compared = 0;
    let mut differ = 0;
    let seeds = times(3, 30);
    for seed in 0..seeds {
        for case in [
            discussion(seed),
            debate(seed),
            delphi(seed),
            jury(seed),
            justice(seed),
        ] {
            let mut said = BTreeMap::new();
            let quiet = run(&case, &mut said, None);
            let seats = NAMES.iter().map(|name| Role::Seat((*name).to_owned()));
            for role in seats.chain([Role::Audience]) {
                let loud = run(&case, &mut said.clone(), Some(role.seat()));
                let (before, after) = (seen(&quiet, &role), seen(&loud, &role));
                let own = role.seat().map(|name| format!("{CANARY} of {name}"));
                for (place, (one, other)) in before.iter().zip(&after).enumerate() {
                    assert_eq!(one, other, "{role:?} {place} {}", case.config);
                    let told = own
                        .iter()
                        .fold(other.clone(), |told, own| told.replace(own.as_str(), ""));
                    assert!(!told.contains(CANARY), "{role:?} {place} {told} {}", case.config);
                }
                assert_eq!(before.len(), after.len());
                compared += after.len();
                differ += usize::from(seen(&quiet, &Role::Owner) != seen(&loud, &Role::Owner));
            }
        }
    }
    assert!(compared * 30 > 5_000 * seeds as usize, "{compared}");
    assert_eq!(differ, seeds as usize * 5 * 5, "the owner sees the difference");
}
