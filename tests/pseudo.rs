//! Whole runs of every procedure with the English texts in other letters: a plain letter in a text that is shown did not
//! come from the files of words. Names, questions and answers are in Cyrillic, so that nothing of a configuration has
//! plain letters either. A program of its own, since the texts are rewritten for the whole process.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use quorate::core::ask::{Call, Reply};
use quorate::core::form::Formed;
use quorate::core::record::Entry;
use quorate::core::visibility::Role;
use quorate::export::{Format, export};
use quorate::language::Language;
use quorate::language::files::REWRITE;
use quorate::memory::{receipt, receipt_text};
use quorate::procedures;
use quorate::procedures::spec::fault::Fault;
use quorate::procedures::view::view_of;
use regex::{Captures, Regex};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::LazyLock;

#[path = "native/support/filled.rs"]
mod filled;
use filled::Draw;

const NAMES: [&str; 4] = ["Анна", "Борис", "Вера", "Глеб"];
const SAID: &str =
    "Я думаю, что так будет лучше для каждого из нас, и готов это подробно объяснить всем, кто сомневается.";

const LANGUAGE: Language = Language::English;
const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const OTHER: &str = "áƀćđéƒǵĥíĵķĺɱńóṕɋŕśţúṽŵẋýźÁƁĆĐÉƑǴĤÍĴĶĹṀŃÓṔɊŔŚŢÚṼŴẊÝŹ";

/// A text in the pseudo-language, between marks. Variables are kept.
fn pseudo(text: &str) -> String {
    static LETTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[A-Za-z0-9_]+\}|[A-Za-z]").unwrap());
    let other = LETTER.replace_all(text, |found: &Captures<'_>| match PLAIN.find(&found[0]) {
        Some(place) => OTHER.chars().nth(place).unwrap().to_string(),
        None => found[0].to_owned(),
    });
    format!("⟦{other}⟧")
}

/// A file of words or prompts in the pseudo-language. Lists and tables within it stay, and so does what readers look for in answers.
fn rewrite(file: &'static str) -> &'static str {
    if file.starts_with("# ") {
        let line = |line: &str| match line {
            "" => String::new(),
            name if name.starts_with("# ") => name.to_owned(),
            text => {
                let (conditions, text) = text.split_at(
                    text.rfind("{?")
                        .map_or(0, |at| at + text[at..].find('}').unwrap() + 1),
                );
                format!("{conditions}{}", pseudo(text))
            }
        };
        return String::leak(file.lines().map(line).collect::<Vec<_>>().join("\n"));
    }
    if file == include_str!("../src/reading/compat/words/en.json") {
        return file;
    }
    let mut words: Value = serde_json::from_str(file).unwrap();
    for word in words.as_object_mut().unwrap().values_mut() {
        if let Value::String(text) = word {
            *text = pseudo(text);
        }
    }
    String::leak(words.to_string())
}

fn use_pseudo() {
    REWRITE.get_or_init(|| rewrite);
}

/// Texts of a form or a view, by their keys, of which no word is meant for programs.
const TEXTS: [&str; 17] = [
    "question", "label", "help", "title", "text", "send", "skip", "none", "about", "ends", "columns", "rows",
    "notes", "who", "said", "message", "name",
];

/// What has plain letters in texts for good reason.
const ALLOWED: [&str; 10] = [
    // Fields of a receipt under which its hashes stand, for whoever computes them again.
    r"\*\*((receipt|debate|config|content|prev|messages)\\_(id|hash|root)|engine)\*\*|receipt\\-[0-9a-f]+",
    // The language, as the configuration names it.
    "^English$",
    // What was drawn by lot, as the record has it.
    r"^\| (phase[12]|debate|reasons)\b.* \|$",
    // The hash of a configuration; which engine; when.
    "[0-9a-f]{64}",
    "quorate [0-9.]+",
    "[0-9-]+T[0-9:.]+Z",
    // Names of principles as the published program tells them to manipulators.
    "maximizing_(floor|average)[a-z_]*",
    // A line that is found again by its form.
    r"\[READY: confidence=0.9, ready=true\]",
    // What a run warns of is English, with a code by which the page words it. Reports have it in English still.
    r"^- (choice\\_unreadable|ranking\\_missing) \(.*$",
    r"^the (choice of round [0-9]+|ranking) could not be read.*$",
];

/// Plain letters where there should be none.
struct Leaks {
    allowed: Regex,
    code: Regex,
    /// By where they were found, each line once.
    found: BTreeMap<String, BTreeSet<String>>,
    /// Texts that were looked at.
    looked: BTreeSet<String>,
}

impl Leaks {
    fn new(allowed: &[&str]) -> Self {
        Self {
            allowed: Regex::new(&format!("({})", allowed.join("|"))).unwrap(),
            // Names that programs read, and paths of them.
            code: Regex::new(r"^[a-z0-9_/#:\u{400}-\u{4ff}]+( [0-9][a-z0-9_/#:\u{400}-\u{4ff}]*)?$").unwrap(),
            found: BTreeMap::new(),
            looked: BTreeSet::new(),
        }
    }

    fn look(&mut self, place: &str, text: &str) {
        if !text.chars().any(char::is_alphabetic) {
            return;
        }
        self.looked.insert(text.to_owned());
        for line in text.lines() {
            let rest = self.allowed.replace_all(line, "");
            if rest.chars().any(|c| c.is_ascii_alphabetic()) {
                self.found
                    .entry(place.to_owned())
                    .or_default()
                    .insert(line.to_owned());
            }
        }
    }

    /// The texts of a value that is shown.
    fn look_in(&mut self, place: &str, key: &str, value: &Value) {
        match value {
            Value::String(text) if TEXTS.contains(&key) || !self.code.is_match(text) => {
                self.look(&format!("{place}, {key}"), text);
            }
            Value::Array(all) => all.iter().for_each(|one| self.look_in(place, key, one)),
            Value::Object(all) => {
                // The name of a field is for programs, that of a choice for people.
                let is_field = all.contains_key("input");
                let shown = all
                    .iter()
                    .filter(|(key, _)| !(is_field && *key == "name") && *key != "config");
                shown.for_each(|(key, one)| self.look_in(place, key, one));
            }
            _ => {}
        }
    }

    fn none(self) {
        println!("{} texts", self.looked.len());
        let told = |(place, found): (&String, &BTreeSet<String>)| {
            let some: Vec<&str> = found.iter().take(6).map(String::as_str).collect();
            format!("{place}\n    {}", some.join("\n    "))
        };
        let told: Vec<String> = self.found.iter().map(told).collect();
        assert!(told.is_empty(), "{}", told.join("\n"));
    }
}

/// Looks at what somebody is asked, and answers: by form, but for the first question of a kind and some others,
/// which get an answer that cannot be read.
fn answer(call: &Call, draw: &mut Draw, leaks: &mut Leaks, spoilt: &mut BTreeSet<String>) -> Reply {
    let place = format!("{} {{}}", call.ask.kind.name());
    let at = |what: &str| place.replace("{}", what);
    let mut prompt = call.request.system.get().into_owned();
    for message in &call.request.messages {
        prompt.push('\n');
        prompt.push_str(&message.content.get());
    }
    leaks.look(&at("prompt"), &prompt);
    let Some(form) = call.form.as_ref().and_then(Formed::get) else {
        return Reply {
            text: SAID.to_owned(),
            ..Reply::default()
        };
    };
    leaks.look_in(&at("form"), "", &json!(form));
    if let Err(fault) = form.reply(&json!({})) {
        leaks.look(&at("form fault"), &fault.message);
    }
    if spoilt.insert(call.ask.kind.name().to_owned()) || draw.below(4) == 0 {
        return Reply {
            text: "…".to_owned(),
            ..Reply::default()
        };
    }
    let values = filled::fill(&form.fields, draw);
    form.reply(&Value::Object(values))
        .unwrap_or_else(|fault| panic!("{}: {fault:?}", call.ask.id))
}

fn run(config: &Value, leaks: &mut Leaks) -> Vec<Rc<Entry>> {
    let mut draw = Draw::new(config["seed"].as_u64().unwrap(), &[SAID]);
    let mut spoilt = BTreeSet::new();
    let session = filled::run(config, |open| {
        let call = open.remove(0);
        let reply = answer(&call, &mut draw, leaks, &mut spoilt);
        (call, reply)
    });
    session.record().to_vec()
}

fn agents(kind: &str) -> Vec<Value> {
    NAMES
        .iter()
        .map(|name| json!({ "name": name, "personality": "умна", "kind": kind }))
        .collect()
}

/// A configuration of each procedure, and more than one where that leads to other texts.
fn configs() -> Vec<Value> {
    let mut all = Vec::new();
    for (seed, kind) in [(1, "human"), (2, "custom"), (3, "human")] {
        let agents = agents(kind);
        let with = |own: Value| {
            let mut config =
                json!({ "language": "English", "agents": agents, "seed": seed, "title": "Опыт" });
            config
                .as_object_mut()
                .unwrap()
                .extend(own.as_object().unwrap().clone());
            config
        };
        all.push(with(json!({ "phase2_rounds": 3 })));
        all.push(with(json!({ "phase2_rounds": 2, "answers": "free", "title": null, "manipulator": { "name": NAMES[1] } })));
        all.push(with(
            json!({ "protocol": "discussion", "title": null, "topic": "Чай или кофе?", "rounds": 2 }),
        ));
        all.push(with(json!({ "protocol": "delphi", "title": null, "question": "Сколько?", "unit": "штук", "minimum": 0, "maximum": 90 })));
        for consensus in ["majority", "judge", "byzantine"] {
            let mut debate = with(json!({
                "protocol": "debate", "question": "Чай или кофе?", "sources": [], "consensus": consensus,
                "min_rounds_before_early_stop": 1, "judge_termination": true,
            }));
            if consensus == "judge" {
                debate["agents"][3]["role"] = json!("judge");
            }
            all.push(debate);
        }
    }
    all
}

#[test]
fn what_is_shown_comes_from_the_files_of_words() {
    use_pseudo();
    let mut leaks = Leaks::new(&ALLOWED);
    for config in configs() {
        let name = config["protocol"].as_str().unwrap_or("justice");
        let mut own = Leaks::new(&ALLOWED);
        let record = run(&config, &mut own);
        let seats = NAMES.iter().map(|name| Role::Seat((*name).to_owned()));
        for role in seats.chain([Role::Audience, Role::Owner]) {
            own.look_in("view", "", &view_of(&record, role).json(None));
        }
        own.look("report", &export(Format::Markdown, &record).unwrap().text);
        if let Some(facts) = receipt::read_input(&record, None, 1_000) {
            own.look("receipt", &receipt_text::markdown(&facts.issue(), LANGUAGE));
        }
        for (place, found) in own.found {
            leaks
                .found
                .entry(format!("{name}: {place}"))
                .or_default()
                .extend(found);
        }
        leaks.looked.extend(own.looked);
    }
    leaks.none();
}

/// What is told of a configuration in which each setting in turn has a value of a wrong kind, or one out of bounds.
fn faults() -> Vec<Fault> {
    let wrong = [
        json!("ж"),
        json!(-1),
        json!(1e300),
        json!(0.5),
        json!([]),
        json!({}),
        json!(true),
        json!(["ж", 7]),
        json!({ "ж": 1 }),
        Value::Null,
    ];
    let mut all = Vec::new();
    for wording in ["ж {ж} {b}", "{text}", "ж {ж"] {
        for key in ["ж", "estimate", "delphi.form.reason"] {
            let prompts = json!({ "en": { key: wording } });
            let config = json!({ "protocol": "delphi", "question": "?", "agents": agents("custom"), "prompts": prompts });
            all.extend(procedures::check(&config).unwrap_err().0);
        }
    }
    for procedure in procedures::ALL {
        let schema: Value = json!(procedure.spec);
        let mut names = BTreeSet::new();
        settings(&schema, &mut names);
        for name in names {
            for value in &wrong {
                for inside in [false, true] {
                    let mut config = json!({ "protocol": procedure.name, "agents": agents("custom"), "language": "English" });
                    match inside {
                        false => config[&name] = value.clone(),
                        true => config["agents"][0][&name] = value.clone(),
                    }
                    match procedures::check(&config) {
                        Ok(warnings) => all.extend(warnings),
                        Err(error) => all.extend(error.0),
                    }
                }
            }
        }
    }
    all
}

/// Names of settings, wherever they stand in a specification.
fn settings(of: &Value, into: &mut BTreeSet<String>) {
    match of {
        Value::Array(all) => all.iter().for_each(|one| settings(one, into)),
        Value::Object(all) => {
            into.extend(all.get("name").and_then(Value::as_str).map(str::to_owned));
            all.values().for_each(|one| settings(one, into));
        }
        _ => {}
    }
}

#[test]
fn what_is_told_of_a_configuration_comes_from_the_files_of_words() {
    use_pseudo();
    let mut names = BTreeSet::new();
    for procedure in procedures::ALL {
        strings(&json!(procedure.spec), &mut names);
        for prompt in procedure.prompts.declared {
            names.insert(prompt.name.to_owned());
            names.extend(prompt.names().into_iter().map(str::to_owned));
        }
    }
    // Settings and what they may be, numbers, and the model that is asked where none is named.
    let token = Regex::new("[A-Za-z0-9_][A-Za-z0-9_.+-]*").unwrap();
    names.extend(["1e+300", "true", "false", "llama-3.1-8b-instant", "b"].map(str::to_owned));
    let mut leaks = Leaks::new(&["^$"]);
    for fault in faults() {
        let message = fault.message(LANGUAGE);
        let rest = token.replace_all(&message, |found: &Captures<'_>| match names.contains(&found[0]) {
            true => String::new(),
            false => found[0].to_owned(),
        });
        leaks.look(fault.code, &rest);
    }
    leaks.none();
}

fn strings(of: &Value, into: &mut BTreeSet<String>) {
    match of {
        Value::String(text) => into.extend([text.clone()]),
        Value::Array(all) => all.iter().for_each(|one| strings(one, into)),
        Value::Object(all) => all.values().for_each(|one| strings(one, into)),
        _ => {}
    }
}
