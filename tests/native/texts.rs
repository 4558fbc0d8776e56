//! What participants are shown over whole runs: every language without gaps, histories and memories
//! within their limits, and a manipulator's task in nobody else's prompts.

use crate::support::world;

use quorate::language::Language;
use quorate::language::template;
use quorate::language::words::{Listed, Texts, Words};
use quorate::procedures::justice::asks;
use quorate::procedures::{self, Procedure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use world::{Call, NAMES, Reaction, Run, config, plain, run, says, votes_from, words_of};

/// The built-in participants at the table.
fn scripted_run(config: &Value) -> Run {
    let seats = quorate::procedures::justice::settings::check(config)
        .unwrap()
        .settings
        .participants;
    let seed = config["seed"].as_u64().unwrap() as u32;
    run(config, |call| {
        let seat = &seats
            .iter()
            .find(|one| one.seat.name == call.ask.seat)
            .unwrap()
            .seat;
        says(procedures::scripted_answer(seat, seed, call))
    })
}

/// No variable left open, no key shown instead of a text, no text missing.
fn is_complete(call: &Call) {
    let text = words_of(call);
    for sign in ["{", "}", "MISSING", "None", "null"] {
        assert!(!text.contains(sign), "{sign} in {}:\n{text}", call.ask.id);
    }
    let is_key = |rest: &str| rest.starts_with(|next: char| next.is_ascii_lowercase());
    let keys = text.split("justice.").skip(1).filter(|rest| is_key(rest)).count();
    assert_eq!(keys, 0, "a key in {}:\n{text}", call.ask.id);
}

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

/// What the asked participant knows.
fn known(call: &Call) -> &quorate::procedures::justice::context::JusticeContext {
    call.facts.of().unwrap()
}

/// The last line of the system text: which language to answer in.
fn language_line(language: Language) -> &'static str {
    let justice = procedures::get("justice").unwrap();
    justice.prompts.texts(language)["system"].lines().last().unwrap()
}

#[test]
fn every_language_is_whole_from_beginning_to_end() {
    for (name, language) in Language::NAMES {
        let own = language_line(language);
        for seed in 0..4 {
            let run = scripted_run(&config(4, &json!({ "language": name, "seed": seed })));
            for call in &run.calls {
                is_complete(call);
                assert!(call.request.system.contains(own), "{}", call.ask.id);
                assert_eq!(call.ask.language, language);
            }
            assert_eq!(run.warnings(), [""; 0], "{name}, seed {seed}");
            let result = run.result();
            assert!(
                result["final_rankings"]
                    .as_object()
                    .unwrap()
                    .values()
                    .all(Value::is_object)
            );
            let history = result["discussion_history"].to_string();
            assert_eq!(history.chars().any(is_han), language == Language::Mandarin);
        }
    }
}

#[test]
fn each_at_a_mixed_table_is_asked_in_its_own_language() {
    let mut mixed = config(3, &json!({ "language": "Spanish" }));
    mixed["agents"][0]["language"] = json!("english");
    mixed["agents"][2]["language"] = json!("mandarin");
    let languages = [Language::English, Language::Spanish, Language::Mandarin];
    for run in [scripted_run(&mixed), run(&mixed, votes_from(3))] {
        for call in &run.calls {
            is_complete(call);
            let place = NAMES.iter().position(|name| *name == call.ask.seat).unwrap();
            for (other, language) in languages.into_iter().enumerate() {
                assert_eq!(
                    words_of(call).contains(language_line(language)),
                    other == place,
                    "{}",
                    call.ask.id
                );
            }
        }
        assert_eq!(run.warnings(), [""; 0]);
        // The lab's own lines stand in the record in the experiment's language, and in each prompt in
        // the seat's.
        let notice = |language| {
            let words = Words::new(
                &quorate::procedures::justice::TEXTS,
                language,
                &Default::default(),
            );
            words.text("justice.history.countdown", &[("remaining", &2)])
        };
        let announced = run.events_of("announced");
        let Some(countdown) = announced.iter().find(|event| event["notice"] == "countdown") else {
            continue;
        };
        assert_eq!(countdown["text"], notice(Language::Spanish));
        for call in run
            .calls
            .iter()
            .filter(|call| call.ask.kind == asks::VOTE_INITIATION)
        {
            let place = NAMES.iter().position(|name| *name == call.ask.seat).unwrap();
            for (other, language) in languages.into_iter().enumerate() {
                let is_shown = words_of(call).contains(&notice(language));
                assert_eq!(
                    is_shown,
                    other == place && call.ask.round >= Some(2),
                    "{}",
                    call.ask.id
                );
            }
        }
    }
}

/// Every text of the lab: by the file that holds it.
fn all_texts() -> Vec<(String, &'static Texts)> {
    let of = |procedure: &'static Procedure| {
        let view = (format!("{}, view", procedure.name), procedure.view.texts[0]);
        [(procedure.name.to_owned(), procedure.texts), view]
    };
    let mut all: Vec<_> = procedures::ALL.into_iter().flat_map(of).collect();
    all.push(("classes".to_owned(), &quorate::procedures::justice::CLASS_TEXTS));
    all.push(("reports".to_owned(), &quorate::export::TEXTS));
    all.push(("views".to_owned(), &quorate::core::view::TEXTS));
    all
}

/// All texts and prompts in a language: by the file that holds them.
fn all_listed(language: Language) -> Vec<(String, Vec<Listed>)> {
    let texts = all_texts()
        .into_iter()
        .map(|(name, texts)| (name, texts.listed(language)));
    let prompts = procedures::ALL.map(|procedure| {
        let name = format!("{}, prompts", procedure.name);
        (name, procedure.prompts.listed(language))
    });
    texts.chain(prompts).collect()
}

/// A text without its variables and conditions, and the names of these in order.
fn parts(listed: &Listed) -> (String, Vec<&str>) {
    let mut rest = listed.text.to_owned();
    for name in &listed.variables {
        for before in ["", "?", "?!"] {
            rest = rest.replace(&format!("{{{before}{name}}}"), "");
        }
    }
    let mut variables = listed.variables.clone();
    variables.sort_unstable();
    (rest, variables)
}

#[test]
fn every_text_is_translated_with_the_same_variables() {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let mut looked = 0;
    for language in Language::ALL {
        for ((name, english), (_, own)) in all_listed(Language::English)
            .into_iter()
            .zip(all_listed(language))
        {
            assert_eq!(own.len(), english.len(), "{name}");
            for (one, other) in english.iter().zip(&own) {
                looked += 1;
                let ((text, variables), (translated, same)) = (parts(one), parts(other));
                assert_eq!((one.key, variables), (other.key, same), "{name}, {language:?}");
                assert!(!translated.contains(['{', '}']), "{} in {language:?}", one.key);
                let (text, translated) = (letters(&text), letters(&translated));
                assert_eq!(text.is_empty(), translated.is_empty(), "{}", one.key);
                match language {
                    Language::Mandarin => assert!(
                        NAMES_OF_THINGS.contains(&one.key)
                            || !translated.chars().any(|c| c.is_ascii_alphabetic()),
                        "{}: {translated}",
                        one.key
                    ),
                    Language::English => {}
                    _ => assert!(
                        text.is_empty() || text != translated || SAME.contains(&one.key),
                        "{} is as in English: {translated}; translate it, or list it in SAME",
                        one.key
                    ),
                }
            }
        }
    }
    assert!(looked > 1_200, "{looked}");
}

#[test]
fn every_language_has_the_declared_prompts_with_the_same_variables() {
    for procedure in procedures::ALL {
        let english = procedure.prompts.texts(Language::English);
        for (language, code) in Language::ALL.into_iter().zip(Language::CODES) {
            let place = format!("{} in {code}", procedure.name);
            let texts = procedure.prompts.texts(language);
            let file = format!("src/procedures/{}/prompts/{code}.txt", procedure.name);
            let file = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
            let headings = file.lines().filter_map(|line| line.strip_prefix("# "));
            let declared = procedure.prompts.declared.iter().map(|prompt| prompt.name);
            assert_eq!(
                headings.collect::<Vec<_>>(),
                declared.collect::<Vec<_>>(),
                "{place}"
            );
            for prompt in procedure.prompts.declared {
                let text = texts[prompt.name];
                assert!(!text.is_empty());
                assert_eq!(
                    template::faults(text, &prompt.names()),
                    [],
                    "{} of {place}",
                    prompt.name
                );
                let used = |text| template::variables(text).into_iter().collect::<BTreeSet<_>>();
                assert_eq!(
                    used(text),
                    used(english[prompt.name]),
                    "{} of {place}",
                    prompt.name
                );
                for variable in prompt.variables {
                    let alike = procedure.prompts.declared.iter();
                    let mut alike = alike.filter(|other| other.names() == prompt.names());
                    let is_used = alike.any(|other| used(texts[other.name]).contains(variable.name));
                    assert!(is_used, "{} of {} in {place}", variable.name, prompt.name);
                }
            }
        }
    }
}

/// Texts that name a thing by its Latin name: a kind of hash, a value of the configuration.
const NAMES_OF_THINGS: [&str; 2] = ["hash", "profile.compat"];

/// Texts that are the same in English and another language.
const SAME: [&str; 3] = ["total", "view.answer.no", "view.total"];

/// A file with a key twice would silently lose one.
#[test]
fn no_key_stands_twice() {
    for (name, texts) in all_texts() {
        for (json, language) in texts.files().into_iter().zip(Language::ALL) {
            let key = |line: &str| Some(line.strip_prefix('"')?.split_once('"')?.1.starts_with(':'));
            let lines = json.lines().filter(|line| key(line) == Some(true)).count();
            assert_eq!(lines, texts.listed(language).len(), "{name}, {language:?}");
        }
    }
}

/// Keys that are put together in the code, by their beginnings.
const BUILT: [&str; 41] = [
    "contributions.",
    "decided_by.",
    "jury.form.",
    "jury.opinion.",
    "jury.words.",
    "justice.answer.line.",
    "justice.answer.published.",
    "justice.problem.",
    "kind.",
    "language.",
    "outcome.contributions.",
    "outcome.messages.",
    "outcome.none.",
    "rounds.",
    "step.",
    "view.asked.",
    "view.ballot.",
    "view.challenge.",
    "view.character.",
    "view.check.",
    "view.completed.",
    "view.criterion.",
    "view.early.",
    "view.failed.",
    "view.from.",
    "view.lack.",
    "view.measure.",
    "view.moment.",
    "view.no_consensus.",
    "view.note.",
    "view.pattern.",
    "view.payoff.value.",
    "view.role.",
    "view.severity.",
    "view.stance.",
    "view.status.",
    "view.strength.",
    "view.trimmed.",
    "view.vote.",
    "view.voting.",
    "view.warning.",
];

#[test]
fn the_code_uses_every_text_and_no_other() {
    let prompt = regex::Regex::new(r#""((?:debate|discussion|jury|justice)(?:\.[a-z0-9_]+){2,})""#).unwrap();
    let literal = regex::Regex::new(r#""([a-z0-9_.]+)""#).unwrap();
    let code = source("src");
    let used: BTreeSet<&str> = literal
        .captures_iter(&code)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    let all = all_texts();
    for found in prompt.captures_iter(&code) {
        let key = &found[1];
        assert!(
            all.iter().any(|(_, texts)| texts.has(key)),
            "there is no text {key}"
        );
    }
    // Texts for classes take the place of others by the same keys.
    for (name, texts) in all.iter().filter(|(name, _)| name != "classes") {
        for Listed { key, .. } in texts.listed(Language::English) {
            let built = BUILT.iter().any(|beginning| key.starts_with(beginning));
            assert!(built || used.contains(key), "{name}: {key} is never used");
        }
    }
}

/// All Rust below a folder in one text.
fn source(folder: &str) -> String {
    let mut code = String::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                code.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    code
}

/// A letter of its own for each statement.
fn letter(seat: &str, round: u32) -> char {
    let place = NAMES.iter().position(|name| *name == seat).unwrap() as u32;
    char::from_u32(0x0400 + round * 8 + place).unwrap()
}

fn long_statements(length: usize) -> impl Fn(&Call) -> Reaction {
    move |call| match call.ask.kind.name() {
        asks::STATEMENT => says(
            letter(&call.ask.seat, call.ask.round.unwrap())
                .to_string()
                .repeat(length),
        ),
        _ => says(plain(call)),
    }
}

/// Letters of each statement that a call shows where the public history stands. (The own statement is
/// quoted once more when a vote is asked for, and memories hold 300 of each.)
fn shown(call: &Call, seats: usize, rounds: u32) -> BTreeMap<(u32, usize), usize> {
    let begin = "--- PUBLIC DISCUSSION SO FAR ---";
    let text = words_of(call);
    let history = match text.split_once(begin) {
        Some((_, rest)) => rest
            .split("--- END OF PUBLIC DISCUSSION ---")
            .next()
            .unwrap()
            .to_owned(),
        None => String::new(),
    };
    let mut shown = BTreeMap::new();
    for round in 1..=rounds {
        for (place, name) in NAMES[..seats].iter().enumerate() {
            let letter = letter(name, round);
            let count = history.chars().filter(|character| *character == letter).count();
            if count > 0 {
                shown.insert((round, place), count);
            }
        }
    }
    shown
}

#[test]
fn histories_stay_within_their_limit_and_the_record_keeps_all() {
    const LIMIT: usize = 100_000;
    for (seats, length) in [(4, 30_000), (2, 120_000)] {
        let changes = json!({ "phase2_settings": { "history_statement_max_chars": 0 } });
        let run = run(&config(seats, &changes), long_statements(length));
        let mut fullest = 0;
        let votes = |call: &&Call| call.ask.kind == asks::VOTE_INITIATION;
        for call in run.calls.iter().filter(votes) {
            let round = call.ask.round.unwrap();
            let shown = shown(call, seats, 4);
            let all: usize = shown.values().sum();
            assert!(all <= LIMIT, "{}: {all}", call.ask.id);
            fullest = fullest.max(all);
            // The newest stands there, the oldest went first.
            let last = run.events_of("ordered")[round as usize - 1]["seats"]
                .as_array()
                .unwrap()
                .last()
                .unwrap()
                .clone();
            let place = NAMES.iter().position(|name| last == **name).unwrap();
            assert!(shown.contains_key(&(round, place)), "{}: {shown:?}", call.ask.id);
            let newest = shown.keys().map(|(round, _)| *round).max();
            assert_eq!(newest, Some(round));
        }
        assert!(fullest > LIMIT * 8 / 10);
        assert_eq!(run.events_of("trimmed").len(), 4);
        // The whole of it stays in the result.
        let result = run.result();
        let history = result["discussion_history"].as_array().unwrap();
        let said: Vec<&Value> = history
            .iter()
            .filter(|spoken| spoken["kind"] == "statement")
            .collect();
        assert_eq!(said.len(), seats * 4);
        for spoken in said {
            assert_eq!(spoken["character_count"], length);
            assert_eq!(spoken["statement"].as_str().unwrap().chars().count(), length);
        }
    }
}

#[test]
fn statements_are_shown_by_their_first_300_characters_unless_set_otherwise() {
    for (changes, expected, last) in [
        (json!({}), 297, 297),
        (json!({ "history_statement_max_chars": 0 }), 1_000, 1_000),
        (json!({ "history_full_last_round": true }), 297, 1_000),
    ] {
        let changes = json!({ "phase2_rounds": 2, "phase2_settings": changes });
        let run = run(&config(2, &changes), long_statements(1_000));
        let asked = |call: &&Call| call.ask.id == "phase2/round/2/vote_initiation/Ben#1";
        let shown = shown(run.calls.iter().find(asked).unwrap(), 2, 2);
        assert_eq!(shown[&(1, 0)], expected);
        assert_eq!(shown[&(2, 0)], last);
    }
}

/// Memories as they are given to every call, and what is appended in between.
#[test]
fn memories_stay_within_their_limit() {
    const LIMIT: usize = 2_000;
    for filling in ["界", "é", "😀", "a"] {
        for mode in ["append", "llm"] {
            for length in [LIMIT * 9 / 10, LIMIT * 11 / 10, LIMIT * 12 / 10, LIMIT * 3] {
                let changes = json!({ "phase2_settings": { "discussion_memory_mode": mode } });
                let mut config = config(3, &changes);
                for agent in config["agents"].as_array_mut().unwrap() {
                    agent["memory_character_limit"] = json!(LIMIT);
                }
                let end = Words::new(
                    &quorate::procedures::justice::TEXTS,
                    Language::English,
                    &Default::default(),
                )
                .text("justice.memory.end", &[]);
                let marked = format!("{}\n{end}", filling.repeat(length));
                let run = run(&config, |call| match call.ask.kind.name() {
                    asks::MEMORY_UPDATE => says(marked.clone()),
                    _ => votes_from(3)(call),
                });
                let mut longest = 0;
                for call in &run.calls {
                    let memory = known(call).memory.chars().count();
                    assert!(memory <= LIMIT * 115 / 100, "{}: {memory}", call.ask.id);
                    assert!(!known(call).memory.contains(&end));
                    assert!(words_of(call).matches(&end).count() <= 1, "{}", call.ask.id);
                    longest = longest.max(memory);
                }
                assert!(longest > LIMIT / 2);
                // What is appended fits without the margin that rewriting has.
                for pair in run.events_of("remembered").windows(2) {
                    if pair[0]["how"] == "appended"
                        && pair[1]["how"] == "shortened"
                        && pair[0]["seat"] == pair[1]["seat"]
                    {
                        assert!(pair[1]["text"].as_str().unwrap().chars().count() <= LIMIT);
                    }
                }
                let shortened = run.warnings().iter().any(|code| code == "memory_shortened");
                assert!(shortened || length < LIMIT, "{filling} {mode} {length}");
            }
        }
    }
}

/// A table with a manipulator, Cleo; the others rank as told.
fn manipulated(name: &str, order: &[&str], rankings: [&'static str; 2]) -> Run {
    let changes = json!({ "manipulator": { "name": name, "tiebreak_order": order } });
    let mut config = config(3, &changes);
    config["agents"][2]["personality"] = json!("a lawyer\nwith two lines");
    run(&config, move |call| {
        match (call.ask.kind.name(), call.ask.seat.as_str()) {
            (asks::FINAL_RANKING, "Ana") => says(rankings[0]),
            (asks::FINAL_RANKING, "Ben") => says(rankings[1]),
            (asks::FINAL_RANKING, "Cleo") => says("1. 2\n2. 1\n3. 3\n4. 4\nCertainty: sure"),
            _ => votes_from(2)(call),
        }
    })
}

const TASK: &str = "CONFIDENTIAL TASK";

/// Who is told of a task: in prompts, and in the data that programs get.
fn told(run: &Run, needle: &str) -> Vec<String> {
    let mut seats: Vec<String> = run
        .calls
        .iter()
        .filter(|call| words_of(call).contains(needle))
        .map(|call| call.ask.seat.clone())
        .collect();
    seats.sort();
    seats.dedup();
    seats
}

#[test]
fn a_manipulator_alone_learns_of_its_task() {
    let run = manipulated(
        "Cleo",
        &[],
        [
            "1. 3\n2. 1\n3. 2\n4. 4\nCertainty: sure",
            "1. 1\n2. 3\n3. 2\n4. 4\nCertainty: sure",
        ],
    );
    let target = &run.events_of("target_set")[0];
    assert_eq!(target["target"], "maximizing_average_range_constraint");
    assert_eq!(
        target["scores"],
        json!({
            "maximizing_floor": 5, "maximizing_average": 2,
            "maximizing_average_floor_constraint": 5, "maximizing_average_range_constraint": 0,
        })
    );
    assert_eq!(target["tied"], json!([]));
    assert_eq!(told(&run, TASK), ["Cleo"]);
    assert_eq!(told(&run, "maximizing_average_range_constraint"), ["Cleo"]);
    for call in &run.calls {
        let is_manipulator = call.ask.seat == "Cleo" && call.ask.phase == 2;
        assert_eq!(words_of(call).contains(TASK), is_manipulator, "{}", call.ask.id);
        assert_eq!(known(call).target.is_some(), is_manipulator, "{}", call.ask.id);
        if call.ask.seat == "Cleo" {
            // Who it is stays whole, after its task.
            let role = call
                .request
                .system
                .get()
                .find("a lawyer\nwith two lines")
                .unwrap();
            assert!(
                call.request
                    .system
                    .get()
                    .find(TASK)
                    .is_none_or(|task| task < role)
            );
        }
    }
    assert!(!run.result()["discussion_history"].to_string().contains(TASK));
}

#[test]
fn a_tie_is_broken_by_the_order_and_told() {
    let tied = [
        "1. 3\n2. 1\n3. 2\n4. 4\nCertainty: sure",
        "1. 3\n2. 1\n3. 4\n4. 2\nCertainty: sure",
    ];
    let second_and_fourth = json!(["maximizing_average", "maximizing_average_range_constraint"]);
    for (order, target) in [
        (
            vec![
                "maximizing_floor",
                "maximizing_average_range_constraint",
                "maximizing_average",
            ],
            "maximizing_average_range_constraint",
        ),
        (vec!["maximizing_average"], "maximizing_average"),
        (vec![], "maximizing_average"),
    ] {
        let run = manipulated("Cleo", &order, tied);
        let event = &run.events_of("target_set")[0];
        assert_eq!(
            (&event["target"], &event["tied"]),
            (&json!(target), &second_and_fourth)
        );
        assert_eq!(told(&run, "tied for the lowest score"), ["Cleo"]);
        assert_eq!(run.warnings(), [""; 0]);
    }
    // An order that names none of the tied: no target, and the run goes on.
    let run = manipulated("Cleo", &["maximizing_floor"], tied);
    assert_eq!(run.events_of("target_set")[0]["target"], Value::Null);
    assert_eq!(told(&run, TASK), [""; 0]);
    assert_eq!(run.warnings(), ["no_target"]);
    assert_eq!(run.result()["consensus_reached"], true);
}

#[test]
fn a_manipulator_who_is_not_there_changes_nothing() {
    let run = manipulated(
        "Zed",
        &[],
        ["1. 3\n2. 1\n3. 2\n4. 4\nsure", "1. 1\n2. 3\n3. 2\n4. 4\nsure"],
    );
    assert_eq!(run.events_of("target_set")[0]["target"], Value::Null);
    assert_eq!(told(&run, TASK), [""; 0]);
    assert_eq!(run.warnings(), ["no_target"]);
    assert_eq!(run.result()["consensus_reached"], true);
}

#[test]
fn rankings_that_cannot_be_read_are_left_out_of_the_target() {
    let one = manipulated(
        "Cleo",
        &[],
        ["none of them", "1. 2\n2. 1\n3. 4\n4. 3\nCertainty: sure"],
    );
    assert_eq!(
        one.events_of("target_set")[0]["target"],
        "maximizing_average_floor_constraint"
    );
    let none = manipulated("Cleo", &[], ["none of them", "all of them"]);
    assert_eq!(none.events_of("target_set")[0]["target"], Value::Null);
    assert_eq!(told(&none, TASK), [""; 0]);
}
