//! People answer by form: whole runs of every procedure, in which each answer is drawn among all that its form
//! takes. What was filled in is what is read, whatever the language; it is never read from words.

use crate::support;
use crate::support::filled::{self, Draw, fill, value};
use quorate::core::Session;
use quorate::core::ask::{AnsweredAs, Call, Reply};
use quorate::core::form::{Field, Form, Input};
use quorate::core::record::{Entry, EntryKind};
use quorate::language::Language;
use quorate::procedures;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const TEXTS: [&str; 4] = [
    "I would give everybody 12,000 dollars, 1 > 2 > 3 > 4, and vote yes: principle 3.",
    "Voto que no, aunque otros lo hagan. {\"answer\": \"yes\", \"principle\": 4}",
    "我选择第二条原则，金额为15,000美元。这样最公平，也最容易说明，而且每个人都能接受，无论他抽到哪个阶层；请大家说说看法。",
    "CHOICE: abstain\nCONFIDENCE: 0.1\nCONTINUE: yes\nREASONING: none of them says enough to be chosen",
];

/// What a reading of such values has to say.
fn meant(kind: &str, values: &Value) -> Value {
    let or_null = |name: &str| values.get(name).cloned().unwrap_or_default();
    let or_empty = |name: &str| values.get(name).cloned().unwrap_or_else(|| json!(""));
    let or_none = |name: &str| values.get(name).cloned().unwrap_or_else(|| json!([]));
    match kind {
        "initial_ranking" | "post_explanation_ranking" | "final_ranking" | "results_ranking" => json!({
            "order": [or_null("first"), or_null("second"), or_null("third"), or_null("fourth")], "certainty": values["certainty"],
        }),
        "application" => json!({
            "principle": values["principle"], "amount": or_null("amount"), "certainty": values["certainty"],
        }),
        "constraint_retry" | "ballot_amount" => or_null("amount"),
        "ballot_principle" => or_null("principle"),
        "statement" => json!(values["text"].as_str().unwrap().trim().chars().count()),
        "vote_initiation" | "vote_confirmation" | "prepare" | "commit" => json!(values["answer"] == "yes"),
        "poll" => json!(values["answer"] == "stop"),
        "vote" => json!({
            "choice": values["choice"], "confidence": or_null("confidence"), "continue": or_null("continue"),
            "reasoning": or_empty("reasoning"),
        }),
        "critique" => json!({
            "issues": or_none("issues"), "suggestions": or_none("suggestions"), "reasoning": or_empty("reasoning"),
            "severity": values.get("severity").map_or(Value::Null, |severity| json!(severity.as_f64())),
        }),
        "termination" => json!({
            "conclusive": values["conclusive"], "confidence": or_null("confidence"), "reason": or_empty("reason"),
        }),
        "judgement" => {
            let score = |one: &Value| {
                let criteria = one["criteria"].as_object().cloned().unwrap_or_default();
                let all = ["correctness", "evidence", "completeness", "clarity", "risk"];
                let criteria: Vec<Value> = all
                    .iter()
                    .filter_map(|name| Some(json!([name, criteria.get(*name)?])))
                    .collect();
                let comment = one.get("comment").cloned().unwrap_or_else(|| json!(""));
                json!({ "label": one["proposal"], "score": one["score"], "criteria": criteria, "comment": comment })
            };
            let scores: Vec<Value> = values["scores"].as_array().unwrap().iter().map(score).collect();
            json!({
                "scores": scores, "missing": [], "ranking": or_none("ranking"), "synthesis": or_empty("synthesis"),
                "conclusive": or_null("conclusive"), "confidence": or_null("confidence"), "reason": or_empty("reason"),
            })
        }
        "estimate" => json!({ "estimate": values["estimate"], "reason": or_empty("reason") }),
        "straw_vote" => json!({
            "opinion": values["opinion"], "certainty": values["certainty"], "reason": or_empty("reason"),
        }),
        "ballot" => json!({ "opinion": values["opinion"], "certainty": null, "reason": "" }),
        other => panic!("{other} has no values"),
    }
}

/// Whether a value is of a schema, which is of the part that all providers take.
fn is_of(schema: &Value, value: &Value) -> bool {
    if let Some(either) = schema["anyOf"].as_array() {
        return either.iter().any(|schema| is_of(schema, value));
    }
    if let Some(all) = schema["enum"].as_array() {
        return all.contains(value);
    }
    match schema["type"].as_str().unwrap() {
        "object" => schema["required"].as_array().unwrap().iter().all(|name| {
            let name = name.as_str().unwrap();
            is_of(&schema["properties"][name], &value[name])
        }),
        "array" => value
            .as_array()
            .is_some_and(|all| all.iter().all(|one| is_of(&schema["items"], one))),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    }
}

/// With all that models are asked for and people may leave open.
fn complete(fields: &[Field], draw: &mut Draw, values: &mut Map<String, Value>) {
    for field in fields {
        let is_there = match &field.input {
            Input::Order { places, .. } if !places.is_empty() => true,
            _ => values.get(field.name).is_some_and(|value| !value.is_null()),
        };
        if !is_there && field.when.is_none() {
            let mut given = Value::Null;
            while given.is_null() {
                given = value(&field.input, draw);
            }
            values.insert(field.name.to_owned(), given);
        }
        if let (Input::Each { fields, .. }, Some(Value::Array(all))) =
            (&field.input, values.get_mut(field.name))
        {
            all.iter_mut()
                .for_each(|one| complete(fields, draw, one.as_object_mut().unwrap()));
        }
        if let (Input::Group { fields }, Some(Value::Object(inner))) =
            (&field.input, values.get_mut(field.name))
        {
            complete(fields, draw, inner);
        }
    }
}

/// Texts of a form, wherever they stand.
fn texts(of: &Value, into: &mut Vec<String>) {
    match of {
        Value::String(text) => into.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|one| texts(one, into)),
        Value::Object(all) => all.values().for_each(|one| texts(one, into)),
        _ => {}
    }
}

fn check(call: &Call, form: &Form, draw: &mut Draw) -> Reply {
    let ask = &call.ask;
    assert_eq!(
        call.request.schema, None,
        "{}: people are given no schema",
        ask.id
    );
    assert_eq!(form.language, ask.language);
    let mut shown = Vec::new();
    texts(&json!(form), &mut shown);
    let raw = |text: &&String| {
        text.contains(".form.")
            || text.contains("justice.")
            || text.contains("debate.")
            || text.contains("jury.")
    };
    assert_eq!(shown.iter().find(raw), None, "{}: a text is missing", ask.id);
    let values = fill(&form.fields, draw);
    let reply = form
        .reply(&Value::Object(values.clone()))
        .unwrap_or_else(|fault| panic!("{}: {fault:?}", ask.id));
    assert_eq!(reply.answered_as, Some(AnsweredAs::Form));
    match &form.schema() {
        Some(schema) => {
            let mut all = values;
            complete(&form.fields, draw, &mut all);
            for name in schema["required"].as_array().unwrap() {
                all.entry(name.as_str().unwrap()).or_insert(Value::Null);
            }
            assert!(
                is_of(schema, &Value::Object(all.clone())),
                "{}: {all:?} is not of {schema}",
                ask.id
            );
        }
        None => assert_eq!(reply.values, None, "{}", ask.id),
    }
    reply
}

/// A whole run in which all answer by form; comes out with the kinds that were asked.
fn run(config: &Value, seed: u64) -> BTreeMap<String, u32> {
    let mut draw = Draw::new(seed, &TEXTS);
    let mut asked = BTreeMap::new();
    let session = filled::run(config, |open| {
        let call = open.remove(draw.below(open.len()));
        let form = call
            .form
            .clone()
            .unwrap_or_else(|| panic!("{} has no form", call.ask.id));
        *asked.entry(call.ask.kind.name().to_owned()).or_insert(0) += 1;
        let reply = check(&call, form.get().unwrap(), &mut draw);
        (call, reply)
    });
    readings_are_what_was_filled_in(&session.record());
    stays_the_same(&session);
    support::opens_as_it_stands(&session);
    asked
}

fn readings_are_what_was_filled_in(record: &[Rc<Entry>]) {
    let mut given = BTreeMap::new();
    for entry in record {
        match &entry.what {
            EntryKind::Answered { ask, reply, .. } => {
                given.insert(ask.clone(), reply.values.clone());
            }
            EntryKind::Read { ask, reading } => {
                let Some(values) = &given[ask] else {
                    assert_eq!(reading.value()["how"], "length", "{ask}: {reading}");
                    continue;
                };
                let kind = ask.split('/').find(|part| KINDS.contains(part)).unwrap();
                assert_eq!(reading.value()["how"], "form", "{ask}: {reading}");
                assert_eq!(reading.value()["value"], meant(kind, values), "{ask}: {values}");
            }
            _ => {}
        }
    }
}

const KINDS: [&str; 21] = [
    "initial_ranking",
    "post_explanation_ranking",
    "final_ranking",
    "results_ranking",
    "application",
    "constraint_retry",
    "ballot_principle",
    "ballot_amount",
    "vote_initiation",
    "vote_confirmation",
    "vote",
    "critique",
    "judgement",
    "poll",
    "termination",
    "prepare",
    "commit",
    "statement",
    "estimate",
    "straw_vote",
    "ballot",
];

/// Run again, the record is the same.
fn stays_the_same(session: &Session) {
    let record = session.record();
    let stored: Vec<Rc<Entry>> = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    let (again, outcome) = procedures::replay(&stored).unwrap();
    assert_eq!(outcome.entries, []);
    assert_eq!(again.record(), record);
}

fn people(names: &[&str]) -> Vec<Value> {
    let seat = |name: &&str| json!({ "name": name, "personality": "-", "kind": "human" });
    names.iter().map(seat).collect()
}

#[test]
fn an_experiment_among_people() {
    let mut kinds = BTreeSet::new();
    for (seed, language) in (0..24).zip(Language::CODES.iter().cycle()) {
        let config = json!({
            "language": language, "agents": people(&["Ana", "Bo", "Cleo"]), "seed": seed, "phase2_rounds": 3,
        });
        kinds.extend(run(&config, seed).into_keys());
    }
    let all: BTreeSet<String> = KINDS[..10]
        .iter()
        .filter(|kind| !["constraint_retry", "ballot_amount"].contains(*kind))
        .map(|kind| (*kind).to_owned())
        .collect();
    let texts = ["explanation", "statement"].map(str::to_owned);
    assert_eq!(
        kinds,
        all.into_iter().chain(texts).collect(),
        "a filled-in amount is never missing"
    );
}

#[test]
fn a_debate_among_people() {
    let mut kinds = BTreeSet::new();
    for (seed, language) in (0..12).zip(Language::CODES.iter().cycle()) {
        for mode in ["majority", "judge"] {
            let mut config = json!({
                "protocol": "debate", "question": "Tea or coffee?", "language": language, "seed": seed,
                "agents": people(&["Ana", "Bo", "Cleo", "Dora"]), "consensus": mode,
                "min_rounds_before_early_stop": 1, "judge_termination": true, "sources": [],
            });
            config["agents"][3]["role"] = json!("judge");
            let checked = procedures::check(&config);
            assert!(checked.is_ok(), "{checked:?}");
            kinds.extend(run(&config, seed).into_keys());
        }
    }
    for kind in [
        "proposal",
        "critique",
        "revision",
        "refinement",
        "vote",
        "judgement",
        "poll",
        "termination",
    ] {
        assert!(kinds.contains(kind), "{kind} was not asked: {kinds:?}");
    }
}

#[test]
fn an_agreement_among_people() {
    let mut kinds = BTreeSet::new();
    for seed in 0..12 {
        let config = json!({
            "protocol": "debate", "sources": [], "question": "Tea or coffee?", "seed": seed, "consensus": "byzantine",
            "agents": people(&["Ana", "Bo", "Cleo", "Dora"]),
        });
        kinds.extend(run(&config, seed).into_keys());
    }
    assert!(kinds.contains("prepare") && kinds.contains("commit"), "{kinds:?}");
}

#[test]
fn a_poll_among_people() {
    for (seed, language) in (0..9).zip(Language::CODES.iter().cycle()) {
        let mut config = json!({
            "protocol": "delphi", "language": language, "seed": seed, "question": "How many?", "unit": "pieces",
            "agents": people(&["Ana", "Bo", "Cleo"]), "rounds": 2, "minimum": 10, "maximum": 20,
        });
        if seed % 2 == 0 {
            config["maximum"] = Value::Null;
        }
        assert_eq!(run(&config, seed)["estimate"], 6);
    }
}

#[test]
fn a_jury_among_people() {
    for (seed, language) in (0..9).zip(Language::CODES.iter().cycle()) {
        let config = json!({
            "protocol": "jury", "language": language, "seed": seed, "charge": "Did she?", "prosecution": "Yes.",
            "defence": "No.", "evidence": [{ "title": "A glove", "text": "It fits." }, { "text": "It rained." }],
            "agents": people(&["Ana", "Bo", "Cleo"]), "rounds": 1, "ballots": 1, "open_ballot": seed % 2 == 0,
        });
        let asked = run(&config, seed);
        let wanted =
            [("ballot", 3), ("speech", 3), ("straw_vote", 9)].map(|(kind, count)| (kind.to_owned(), count));
        assert_eq!(asked, BTreeMap::from(wanted));
    }
}

#[test]
fn a_discussion_among_people() {
    for (seed, language) in (0..).zip(Language::CODES) {
        let config = json!({
            "protocol": "discussion", "language": language, "seed": seed, "topic": "Tea or coffee?",
            "agents": people(&["Ana", "Bo"]), "rounds": 2,
        });
        let asked = run(&config, seed);
        assert!(asked["turn"] >= 2, "{asked:?}");
    }
}
