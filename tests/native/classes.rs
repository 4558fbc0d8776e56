//! The presets for classes: four people each, played by scripted participants who need 30 to 45 seconds for an answer.

use quorate::core::ask::{Millis, Reply};
use quorate::core::form::Formed;
use quorate::core::record::{Entry, EntryKind};
use quorate::core::visibility::Role;
use quorate::core::{Effect, Input, Status};
use quorate::language::Language;
use quorate::procedures;
use quorate::seat::{Seat, SeatKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

const BEGINNING: Millis = 1_800_000_000_000;

/// A whole run and what it took.
struct Lesson {
    record: Vec<Rc<Entry>>,
    minutes: f64,
    /// Questions to each seat.
    questions: BTreeMap<String, usize>,
}

impl Lesson {
    fn result(&self) -> &Value {
        match &self.record.last().unwrap().what {
            EntryKind::Ended { result } => result,
            other => panic!("the record ends with {other:?}"),
        }
    }
}

fn preset(id: &str) -> Value {
    let all = procedures::class_presets();
    all.into_iter().find(|preset| preset.id == id).unwrap().config
}

/// Runs a configuration to its end. Every question is answered after 30 to 45 seconds.
fn run(config: &Value, seed: u32) -> Lesson {
    let mut config = config.clone();
    config["seed"] = seed.into();
    let (mut session, mut outcome) = procedures::begin(&config, "lesson", BEGINNING).unwrap();
    let mut waiting: BTreeMap<(Millis, usize), (String, u32, String)> = BTreeMap::new();
    let mut questions: BTreeMap<String, usize> = BTreeMap::new();
    let (mut now, mut asked) = (BEGINNING, 0);
    while session.status() != Status::Ended {
        for effect in std::mem::take(&mut outcome.effects) {
            let (call, seat) = match effect {
                Effect::Ask { call, seat, .. } => (call, seat),
                Effect::Cancel { ask, .. } => {
                    waiting.retain(|_, (other, ..)| *other != ask);
                    continue;
                }
            };
            *questions.entry(seat.name.clone()).or_default() += 1;
            asked += 1;
            let pupil = Seat {
                kind: SeatKind::Scripted,
                ..Seat::clone(&seat)
            };
            let text = procedures::scripted_answer(&pupil, seed, &call);
            let at = now + 30_000 + (u64::from(seed) * 7_919 + asked as u64 * 4_243) % 15_000;
            waiting.insert((at, asked), (call.ask.id.clone(), call.attempt, text));
        }
        let is_due = |at: &Millis| outcome.deadline.is_none_or(|deadline| *at < deadline);
        let next = waiting.keys().next().copied().filter(|(at, _)| is_due(at));
        let input = match next.and_then(|next| Some((next.0, waiting.remove(&next)?))) {
            Some((at, (ask, attempt, text))) => {
                now = at;
                let reply = Reply {
                    text,
                    ..Reply::default()
                };
                Input::Answered { ask, attempt, reply }
            }
            None => {
                now = outcome.deadline.expect("something is open");
                Input::Tick
            }
        };
        outcome = session.handle(now, input);
    }
    Lesson {
        record: session.record().to_vec(),
        minutes: (now - BEGINNING) as f64 / 60_000.0,
        questions,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn each_seats_four_people_and_is_valid_in_every_language() {
    let presets = procedures::class_presets();
    assert_eq!(presets.len(), 4);
    for preset in presets {
        for language in Language::ALL {
            let mut config = preset.config.clone();
            config["language"] = json!(language.code());
            assert_eq!(procedures::check(&config).unwrap(), [], "{}", preset.id);
            let seats = procedures::seats(&config).unwrap();
            assert!(preset.is_for_class && seats.iter().all(|seat| seat.kind == SeatKind::Human));
            assert_eq!(seats.len(), 4, "{}", preset.id);
        }
    }
}

#[test]
fn each_fits_a_lesson() {
    for preset in procedures::class_presets() {
        let lessons: Vec<Lesson> = (1..=50).map(|seed| run(&preset.config, seed)).collect();
        let minutes = median(lessons.iter().map(|lesson| lesson.minutes).collect());
        let longest = lessons.iter().map(|lesson| lesson.minutes).fold(0.0, f64::max);
        let questions = lessons.iter().flat_map(|lesson| lesson.questions.values());
        let questions = median(questions.map(|count| *count as f64).collect());
        let agreed = lessons
            .iter()
            .filter(|lesson| lesson.result()["consensus_reached"] == true);
        println!(
            "{}: {minutes:.1} minutes, at most {longest:.1}; {questions} questions a seat; {} of {} tables agree",
            preset.id,
            agreed.clone().count(),
            lessons.len()
        );
        assert!(longest < 25.0, "{}", preset.id);
        if preset.id == "class-justice" {
            assert!(2 * agreed.count() >= lessons.len());
        }
    }
}

/// Adds the texts within a value that are words and no ids.
fn add_words(value: &Value, text: &mut String) {
    match value {
        Value::String(own)
            if own.contains(' ') || !own.starts_with(|first: char| first.is_ascii_lowercase()) =>
        {
            text.push_str(own);
            text.push('\n');
        }
        Value::Array(all) => all.iter().for_each(|one| add_words(one, text)),
        Value::Object(fields) => fields.values().for_each(|one| add_words(one, text)),
        _ => {}
    }
}

#[test]
fn each_text_for_classes_takes_the_place_of_another() {
    let keys = |path: &str| {
        let path = format!(
            "{}/src/procedures/justice/words/{path}en.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let file: BTreeMap<String, String> =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        file.into_keys().collect::<Vec<_>>()
    };
    let all = ["", "form/", "view/"].map(keys).concat();
    assert!(keys("class/").iter().all(|key| all.contains(key)));
}

/// Everything that people see of a run: forms, and views of a seat, in each language.
fn shown(config: &Value, language: Language) -> String {
    let mut config = config.clone();
    config["language"] = json!(language.code());
    config["seed"] = 3.into();
    let (mut session, mut outcome) = procedures::begin(&config, "lesson", BEGINNING).unwrap();
    let (mut text, mut now) = (String::new(), BEGINNING);
    while session.status() != Status::Ended {
        let mut inputs = Vec::new();
        for effect in std::mem::take(&mut outcome.effects) {
            if let Effect::Ask { call, seat, .. } = effect {
                let mut form = json!(call.form.as_ref().and_then(Formed::get));
                // Statements are in the words of simulated participants.
                let material = form["material"].as_array_mut().into_iter().flatten();
                material.for_each(|one| one["said"] = Value::Null);
                add_words(&form, &mut text);
                let pupil = Seat {
                    kind: SeatKind::Scripted,
                    ..Seat::clone(&seat)
                };
                let reply = Reply {
                    text: procedures::scripted_answer(&pupil, 3, &call),
                    ..Reply::default()
                };
                // Everybody writes a few messages.
                if call.ask.kind != "message" || call.ask.attempt <= 3 {
                    inputs.push((call.ask.id.clone(), call.attempt, reply));
                }
            }
        }
        if inputs.is_empty() {
            // The end of a talk.
            now = outcome.deadline.expect("something is open");
            outcome = session.handle(now, Input::Tick);
        }
        for (ask, attempt, reply) in inputs {
            let more = session.handle(now, Input::Answered { ask, attempt, reply });
            outcome.effects.extend(more.effects);
            outcome.deadline = more.deadline;
        }
    }
    let record: Vec<Rc<Entry>> = session.record().to_vec();
    for role in [
        Role::Seat(config["agents"][0]["name"].as_str().unwrap().to_owned()),
        Role::Owner,
        Role::Audience,
    ] {
        let seen = procedures::view::seen(&record, role.clone()).unwrap();
        let mut view = procedures::view::view(role);
        seen.iter().for_each(|entry| view.take(entry));
        add_words(&json!([view.results(), view.outcome()]), &mut text);
        let whole = view.json(None);
        for item in whole["items"].as_array().unwrap() {
            if !["statement", "explanation"].contains(&item["type"].as_str().unwrap()) {
                add_words(&item["blocks"], &mut text);
            }
        }
    }
    text
}

/// The end of what stands before a word.
fn before(text: &str, word: &str) -> String {
    let before: Vec<char> = text.split(word).next().unwrap_or_default().chars().collect();
    before[before.len().saturating_sub(150)..].iter().collect()
}

#[test]
fn pupils_read_of_points_and_not_of_pay() {
    let config = preset("class-justice");
    let english = shown(&config, Language::English);
    assert!(english.contains("Lift the lowest") && english.contains(" points"));
    assert!(english.contains("$1,000 apart"));
    for word in [
        "paid",
        " pay",
        "Payoff",
        "rinciple",
        "istribution",
        "constraint",
        "floor income",
    ] {
        assert!(
            !english.contains(word),
            "{word} after {:?}",
            before(&english, word)
        );
    }
    let spanish = shown(&config, Language::Spanish);
    assert!(spanish.contains("Subir lo más bajo") && spanish.contains(" puntos"));
    for word in ["pag", "el principio", "principios", "istribuci"] {
        assert!(
            !spanish.contains(word),
            "{word} after {:?}",
            before(&spanish, word)
        );
    }
    let chinese = shown(&config, Language::Mandarin);
    for word in ["报酬", "原则", "分配方案"] {
        assert!(
            !chinese.contains(word),
            "{word} after {:?}",
            before(&chinese, word)
        );
    }
}
