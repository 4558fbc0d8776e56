//! The tables for statistics, of whole runs of every procedure: exact rows of small runs, and what holds of all.

use crate::support::csv_reader::{column, read};
use crate::support::hall::{self, Hall};
use crate::support::talk::{self, Talk};
use crate::support::world;
use quorate::core::ask::{Call, Reply};
use quorate::core::record::{Command, Entry, EntryKind};
use quorate::core::visibility::Role;
use quorate::core::{Effect, Input};
use quorate::export::csv::{CsvFormat, Formulas};
use quorate::export::tables::{Style, TABLES, Tables};
use quorate::language::Language;
use quorate::procedures;
use quorate::procedures::debate::asks as debate;
use quorate::procedures::justice::asks as justice;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command as Program;
use std::rc::Rc;

type Rows = Vec<Vec<String>>;

/// Runs to the end, or to where nobody is asked any more; `None`: the scripted answer.
fn run(config: &Value, session: &str, answer: impl Fn(&Call) -> Option<String>) -> Vec<Rc<Entry>> {
    run_by(config, session, |call, scripted| answer(call).unwrap_or(scripted))
}

/// The same, with answers made of the scripted ones.
fn run_by(config: &Value, session: &str, answer: impl Fn(&Call, String) -> String) -> Vec<Rc<Entry>> {
    let mut now = 1_800_000_000_000;
    let (mut session, mut outcome) = procedures::begin(config, session, now).unwrap();
    let seed = config["seed"].as_u64().unwrap() as u32;
    let mut waiting = VecDeque::new();
    loop {
        for effect in std::mem::take(&mut outcome.effects) {
            if let Effect::Ask { call, seat, .. } = effect {
                let text = answer(&call, procedures::scripted_answer(&seat, seed, &call));
                waiting.push_back((call.ask.id.clone(), call.attempt, text));
            }
        }
        let Some((ask, attempt, text)) = waiting.pop_front() else {
            break;
        };
        now += 7;
        let reply = Reply {
            text,
            ..Reply::default()
        };
        outcome = session.handle(now, Input::Answered { ask, attempt, reply });
    }
    session.record()
}

/// Empty tables with all columns, whose texts are as they are.
fn exact(role: Role) -> Tables {
    let format = CsvFormat {
        formulas: Formulas::AsTheyAre,
        ..CsvFormat::default()
    };
    Tables::new(Style {
        format,
        role,
        has_prompts: true,
    })
}

fn tables_of(records: &[&[Rc<Entry>]]) -> Tables {
    let mut tables = exact(Role::Owner);
    for record in records {
        tables.add(record).unwrap();
    }
    tables
}

fn read_all(tables: &Tables) -> BTreeMap<String, Rows> {
    let files = tables.files().into_iter();
    let tables =
        files.filter_map(|file| Some((file.name.strip_suffix(".csv")?.to_owned(), read(&file.text))));
    tables.collect()
}

fn of(record: &[Rc<Entry>]) -> BTreeMap<String, Rows> {
    read_all(&tables_of(&[record]))
}

/// The cells of rows that have these values, column by column.
fn chosen(rows: &Rows, where_: &[(&str, &str)], columns: &[&str]) -> Vec<Vec<String>> {
    let at = |name: &str| {
        rows[0]
            .iter()
            .position(|cell| cell == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    rows[1..]
        .iter()
        .filter(|row| where_.iter().all(|(name, value)| row[at(name)] == *value))
        .map(|row| columns.iter().map(|name| row[at(name)].clone()).collect())
        .collect()
}

fn events(record: &[Rc<Entry>], kind: &str) -> Vec<Value> {
    let event = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Event { event, .. } => Some(event.value()).filter(|event| event["type"] == kind),
        _ => None,
    };
    record.iter().filter_map(event).collect()
}

fn ended(record: &[Rc<Entry>]) -> Value {
    match &record.last().unwrap().what {
        EntryKind::Ended { result } => result.clone(),
        other => panic!("{other:?}"),
    }
}

/// All presets, run.
fn all() -> Vec<Vec<Rc<Entry>>> {
    let mut records = Vec::new();
    for (number, preset) in procedures::presets().into_iter().enumerate() {
        let mut config = preset.config.clone();
        if config.get("seed").is_none() {
            config["seed"] = 1.into();
        }
        for agent in config["agents"].as_array_mut().unwrap() {
            if agent["kind"] == "model" {
                agent["kind"] = "scripted".into();
                agent
                    .as_object_mut()
                    .unwrap()
                    .retain(|key, _| ["name", "kind", "personality"].contains(&key.as_str()));
            }
        }
        let id = format!("{number}-{}", preset.id);
        records.push(if config["protocol"] == "discussion" {
            let (session, outcome) = procedures::begin(&config, &id, talk::BEGINNING).unwrap();
            let mut talk = Talk::go_on(session, outcome, &talk::says);
            // Some are over before anybody speaks.
            let _ = talk.advance("User", "=1+1, said \"quietly\"\nand in two lines", &talk::says);
            talk.command(Command::Close, &talk::says);
            talk.record()
        } else {
            run(&config, &id, |_| None)
        });
    }
    records
}

#[test]
fn every_cell_is_what_its_column_says() {
    let records = all();
    let slices: Vec<&[Rc<Entry>]> = records.iter().map(Vec::as_slice).collect();
    let tables = read_all(&tables_of(&slices));
    let mut columns: BTreeMap<(String, String), (String, Vec<String>)> = BTreeMap::new();
    for row in &tables["codebook"][1..] {
        let [table, column, kind, _, values, meaning] = row.as_slice() else {
            panic!()
        };
        let values = values.split_whitespace().map(str::to_owned).collect();
        assert!(
            !meaning.is_empty() && meaning.trim() == meaning && !meaning.contains("  "),
            "{row:?}"
        );
        let known = columns.insert((table.clone(), column.clone()), (kind.clone(), values));
        assert!(known.is_none(), "{table}.{column} stands there twice");
    }
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for (name, _) in TABLES {
        let rows = &tables[name];
        assert!(rows.len() > 1, "{name}");
        let described: Vec<&String> = rows[0].iter().collect();
        let in_codebook = tables["codebook"][1..].iter().filter(|row| row[0] == name);
        assert_eq!(
            described,
            in_codebook.map(|row| &row[1]).collect::<Vec<_>>(),
            "{name}"
        );
        for row in &rows[1..] {
            assert_eq!(row.len(), rows[0].len(), "{name}");
            for (column, cell) in rows[0].iter().zip(row) {
                let place = (name.to_owned(), column.clone());
                if cell.is_empty() {
                    continue;
                }
                let (kind, values) = &columns[&place];
                let fits = match kind.as_str() {
                    "integer" => cell.parse::<i64>().is_ok(),
                    "number" => cell.parse::<f64>().is_ok_and(f64::is_finite),
                    "boolean" => ["true", "false"].contains(&cell.as_str()),
                    "time" => cell.len() == 24 && cell.ends_with('Z'),
                    "json" => serde_json::from_str::<Value>(cell).is_ok(),
                    "text" => true,
                    other => panic!("{other}"),
                };
                assert!(fits, "{name}.{column}: {cell:?} is no {kind}");
                let is_listed = column == "missing" || values.is_empty() || values.contains(cell);
                assert!(is_listed, "{name}.{column}: {cell:?} is none of {values:?}");
                assert!(
                    !["null", "NaN", "undefined", "None"].contains(&cell.as_str()),
                    "{name}.{column}"
                );
                seen.insert(place);
            }
        }
    }
    // A column that nothing ever stands in would be a mistake; these need what presets do not have.
    let never: Vec<&(String, String)> = columns.keys().filter(|place| !seen.contains(*place)).collect();
    println!("always empty: {never:?}");
    assert!(never.len() < columns.len() / 4, "{never:?}");
}

#[test]
fn rows_are_as_many_as_the_record_tells() {
    for record in all() {
        let tables = of(&record);
        let count = |name: &str| tables[name].len() - 1;
        let EntryKind::Started(head) = &record[0].what else {
            panic!()
        };
        let id = &head.session;
        assert_eq!(count("runs"), 1, "{id}");
        let asked = record
            .iter()
            .filter(|entry| matches!(entry.what, EntryKind::Asked { .. }))
            .count();
        assert_eq!(count("asks"), asked, "{id}");
        let names: BTreeSet<String> = column(&tables["seats"], "seat").into_iter().collect();
        assert_eq!(names.len(), count("seats"), "{id}");
        for agent in head.config["agents"].as_array().unwrap() {
            assert!(names.contains(agent["name"].as_str().unwrap()), "{id}");
        }
        let many = |kind: &str, key: &str| -> usize {
            let lists = events(&record, kind);
            lists
                .iter()
                .map(|event| event[key].as_array().unwrap().len())
                .sum()
        };
        let each = |kind: &str| events(&record, kind).len();
        let decided = match head.protocol.as_str() {
            "justice" => {
                let said = each("spoke") + each("reasoned") + each("announced");
                assert_eq!(count("utterances"), said, "{id}");
                each("ranked") + each("applied") + each("initiation") + each("confirmed") + each("voted")
            }
            "delphi" => {
                assert_eq!(count("utterances"), each("estimated"), "{id}");
                each("estimated")
            }
            "jury" => {
                let reasons = events(&record, "straw_voted");
                let reasons = reasons.iter().filter(|event| event["reason"] != "").count();
                assert_eq!(count("utterances"), reasons + each("argued"), "{id}");
                each("straw_voted") + each("balloted")
            }
            "discussion" => {
                assert_eq!(count("utterances"), each("said") + each("noted"), "{id}");
                0
            }
            _ => {
                let said = chosen(&tables["utterances"], &[("utterance", "proposal")], &[]);
                assert_eq!(said.len(), each("proposed"), "{id}");
                let votes = chosen(&tables["decisions"], &[("decision", "vote")], &[]);
                assert_eq!(votes.is_empty(), each("counted") == 0, "{id}");
                each("criticised")
                    + votes.len()
                    + many("judged", "points")
                    + each("settled")
                    + many("ready", "seats")
                    + many("polled", "answers")
                    + many("prepared", "answers")
                    + many("committed", "answers")
            }
        };
        assert_eq!(count("decisions"), decided, "{id}");
        // Every decision has a value or a reason, and leads to its question.
        let asks: BTreeSet<String> = column(&tables["asks"], "ask").into_iter().collect();
        for table in ["decisions", "utterances"] {
            for ask in column(&tables[table], "ask") {
                assert!(ask.is_empty() || asks.contains(&ask), "{id}: {ask}");
            }
        }
        assert_eq!(
            chosen(
                &tables["decisions"],
                &[("missing", ""), ("read_how", "")],
                &["decision", "seat", "round", "ask", "yes"]
            ),
            [] as [Vec<String>; 0],
            "{id}"
        );
    }
}

fn small() -> Value {
    json!({
        "title": "Small", "condition": "equal", "seed": 11, "phase2_rounds": 2,
        "agents": [
            { "name": "Ana", "personality": "A nurse.", "kind": "scripted" },
            { "name": "Bo", "personality": "=cmd()", "kind": "scripted" },
        ],
    })
}

#[test]
fn an_experiment_row_by_row() {
    // Ana's first ranking, and Bo's second choice, can never be read; both vote for the floor.
    let record = run(&small(), "j-1", |call| {
        let ask = &call.ask;
        let odd = match (ask.kind.name(), ask.seat.as_str(), ask.round) {
            (justice::INITIAL_RANKING, "Ana", _) | (justice::APPLICATION, "Bo", Some(2)) => "Hm.",
            (justice::VOTE_INITIATION | justice::VOTE_CONFIRMATION, ..) => "1",
            (justice::BALLOT_PRINCIPLE, ..) => "3",
            (justice::BALLOT_AMOUNT, ..) => "13000",
            _ => return None,
        };
        Some(odd.to_owned())
    });
    let result = ended(&record);
    let tables = of(&record);
    let EntryKind::Started(head) = &record[0].what else {
        panic!()
    };
    let run = &chosen(
        &tables["runs"],
        &[],
        &[
            "session",
            "title",
            "condition",
            "protocol",
            "language",
            "config_hash",
            "seed",
            "state",
            "began",
            "seats",
            "seats_scripted",
            "consensus_reached",
            "chosen_principle",
            "chosen_amount",
            "rounds_held",
            "ballots_held",
        ],
    )[0];
    let expected = [
        "j-1",
        "Small",
        "equal",
        "justice",
        "en",
        &head.config_hash,
        "11",
        "ended",
        "2027-01-15T08:00:00.000Z",
        "2",
        "2",
        "true",
        "maximizing_average_floor_constraint",
        "13000",
        "1",
        "1",
    ];
    assert_eq!(run, &expected);
    let seats = &tables["seats"];
    let of_seat = |columns: &[&str]| chosen(seats, &[], columns);
    assert_eq!(
        of_seat(&["seat", "place", "kind", "role", "personality"]),
        [
            ["Ana", "1", "scripted", "participant", "A nurse."],
            ["Bo", "2", "scripted", "participant", "=cmd()"],
        ]
    );
    let initial = of_seat(&["rank_initial_floor", "certainty_initial", "missing_initial"]);
    assert_eq!(initial[0], ["", "", "no_numbered_list"]);
    assert!(
        ["1", "2", "3", "4"].contains(&initial[1][0].as_str()),
        "{initial:?}"
    );
    assert_eq!(initial[1][2], "");
    let second = of_seat(&["choice_2_principle", "choice_2_payoff", "choice_2_missing"]);
    assert_eq!(second[0][2], "");
    assert_eq!(second[1], ["", "0", "principle_content_unclear"]);
    for (name, row) in ["Ana", "Bo"].iter().zip(of_seat(&[
        "payoff_phase1",
        "phase2_class",
        "phase2_income",
        "payoff_phase2",
        "payoff_total",
        "counterfactual_floor",
        "rank_results_average",
        "votes_wanted",
        "confirmations_yes",
        "ballots",
        "ballots_missing",
        "last_ballot_principle",
        "last_ballot_amount",
        "last_ballot_status",
    ])) {
        let paid = &result["payoffs"][name];
        let number = |value: &Value| value.as_f64().unwrap().to_string();
        let order = result["final_rankings"][name]["order"].as_array().unwrap();
        let average = order.iter().position(|one| one == "maximizing_average").unwrap() + 1;
        let wanted = if *name == "Ana" || row[7] == "1" { "1" } else { "0" };
        assert_eq!(
            row,
            [
                &number(&paid["phase1"]),
                paid["class"].as_str().unwrap(),
                &paid["income"].to_string(),
                &number(&paid["payoff"]),
                &number(&paid["total"]),
                &number(&paid["counterfactuals"]["maximizing_floor"]),
                &average.to_string(),
                wanted,
                "1",
                "1",
                "0",
                "maximizing_average_floor_constraint",
                "13000",
                "valid",
            ],
            "{name}"
        );
    }
    let decisions = &tables["decisions"];
    assert_eq!(
        chosen(
            decisions,
            &[("decision", "ranking"), ("seat", "Ana")],
            &["moment", "ask", "attempt", "missing", "rank_floor"]
        )[0],
        [
            "initial",
            "phase1/initial_ranking/Ana#3",
            "3",
            "no_numbered_list",
            ""
        ]
    );
    assert_eq!(
        chosen(
            decisions,
            &[("decision", "ballot")],
            &[
                "seat",
                "round",
                "principle",
                "amount",
                "ballot_status",
                "read_how",
                "missing"
            ]
        ),
        ["Ana", "Bo"].map(|name| [
            name,
            "1",
            "maximizing_average_floor_constraint",
            "13000",
            "valid",
            "word",
            ""
        ])
    );
    let confirmed = chosen(
        decisions,
        &[("decision", "vote_confirmation")],
        &["seat", "yes", "read_how"],
    );
    assert_eq!(confirmed, [["Ana", "true", "word"], ["Bo", "true", "word"]]);
}

#[test]
fn an_unreadable_ballot_is_missing_with_its_reason() {
    let record = run(&small(), "j-2", |call| {
        Some(match call.ask.kind.name() {
            justice::VOTE_INITIATION | justice::VOTE_CONFIRMATION => "1".to_owned(),
            justice::BALLOT_PRINCIPLE if call.ask.seat == "Bo" => "I would rather not say.".to_owned(),
            justice::BALLOT_PRINCIPLE => "1".to_owned(),
            _ => return None,
        })
    });
    let tables = of(&record);
    let ballots = chosen(
        &tables["decisions"],
        &[("decision", "ballot"), ("round", "1")],
        &["seat", "principle", "ballot_status", "missing"],
    );
    assert_eq!(
        ballots,
        [
            ["Ana", "maximizing_floor", "valid", ""],
            ["Bo", "", "invalid", "principle_content_unclear"],
        ]
    );
    let seats = chosen(
        &tables["seats"],
        &[],
        &[
            "ballots",
            "ballots_missing",
            "last_ballot_principle",
            "last_ballot_status",
        ],
    );
    assert_eq!(seats[1], ["2", "2", "", "invalid"]);
    assert_eq!(column(&tables["runs"], "consensus_reached"), ["false"]);
}

#[test]
fn a_debate_row_by_row() {
    let config = hall::config(
        &["Ann", "Bob", "Cy", "Di"],
        json!({ "condition": "c", "topology": "all-to-all", "consensus": "judge" }),
    );
    let plain = hall::plain("Bob");
    let hall = Hall::hold(&config, &|call| {
        Some(match (call.ask.kind.name(), call.ask.seat.as_str()) {
            (debate::VOTE, "Ann") => "CHOICE: abstain\nREASONING: none of them".to_owned(),
            (debate::VOTE, "Cy") => String::new(),
            (debate::VOTE, "Di") => "CHOICE: a walk in the park\nREASONING: better".to_owned(),
            (debate::CRITIQUE, "Cy") => String::new(),
            _ => return plain(call),
        })
    });
    let record = hall.session.record();
    let result = hall.result();
    let tables = of(&record);
    let run = chosen(
        &tables["runs"],
        &[],
        &[
            "condition",
            "protocol",
            "question",
            "winner",
            "votes_cast",
            "votes_abstained",
            "votes_missing",
        ],
    );
    assert_eq!(
        run,
        [[
            "c",
            "debate",
            "Tea or coffee?",
            result["winner"].as_str().unwrap(),
            "1",
            "2",
            "1"
        ]]
    );
    let votes = chosen(
        &tables["decisions"],
        &[("decision", "vote")],
        &["seat", "vote", "target", "vote_words", "confidence", "missing"],
    );
    assert_eq!(
        votes,
        [
            ["Ann", "abstained", "", "", "", ""],
            ["Bob", "for", "Bob", "", "0.8", ""],
            ["Cy", "", "", "", "", "empty_response"],
            ["Di", "other_words", "", "a walk in the park", "", ""],
        ]
    );
    let seats = chosen(
        &tables["seats"],
        &[],
        &[
            "seat",
            "kind",
            "vote",
            "vote_choice",
            "vote_missing",
            "votes_received",
            "severity_made",
        ],
    );
    assert_eq!(
        seats,
        [
            ["Ann", "custom", "abstained", "", "", "", "4"],
            ["Bob", "custom", "for", "Bob", "", "1", "4"],
            ["Cy", "custom", "", "", "empty_response", "", ""],
            ["Di", "custom", "other_words", "", "", "", "4"],
        ]
    );
    let made = chosen(
        &tables["decisions"],
        &[("decision", "critique"), ("seat", "Ann"), ("target", "Bob")],
        &["severity", "issues", "suggestions", "missing", "attempt"],
    );
    assert_eq!(made[0], ["4", "1", "1", "", "1"]);
    let failed = chosen(
        &tables["decisions"],
        &[("decision", "critique"), ("seat", "Cy"), ("target", "Bob")],
        &["missing", "severity", "attempt"],
    );
    assert_eq!(failed[0], ["empty_response", "", "2"]);
    let words = chosen(
        &tables["utterances"],
        &[("utterance", "critique"), ("seat", "Ann"), ("target", "Bob")],
        &["text", "issues", "suggestions"],
    );
    assert_eq!(words[0], ["it is thin", "too short", "say more"]);
    let reasons = chosen(
        &tables["utterances"],
        &[("utterance", "vote_reason")],
        &["seat", "text"],
    );
    assert_eq!(
        reasons,
        [["Ann", "none of them"], ["Bob", "it is best"], ["Di", "better"]]
    );
}

#[test]
fn a_discussion_row_by_row() {
    let config = talk::config(
        &["user:-", "manager:Mara", "specialist:Sol"],
        &json!({ "topic": "=tea", "rounds": 1 }),
    );
    let mut talk = Talk::begin(&config, &talk::says);
    talk.advance("User", "Hello, \"all\"", &talk::says).unwrap();
    talk.command(Command::Close, &talk::says);
    let tables = of(&talk.record());
    assert_eq!(
        chosen(
            &tables["runs"],
            &[],
            &["protocol", "topic", "state", "rounds_held", "contributions"]
        ),
        [["discussion", "=tea", "ended", "1", "3"]]
    );
    assert_eq!(tables["decisions"].len(), 1);
    let said = chosen(
        &tables["utterances"],
        &[],
        &[
            "utterance",
            "seat",
            "role",
            "round",
            "text",
            "characters",
            "missing",
        ],
    );
    assert_eq!(
        said[0],
        ["contribution", "User", "user", "1", "Hello, \"all\"", "12", ""]
    );
    assert_eq!(said[1][..3], ["contribution", "Mara", "manager"]);
    let seats = chosen(&tables["seats"], &[], &["seat", "contributions", "passed"]);
    assert!(
        seats.contains(&vec!["User".to_owned(), "1".to_owned(), "0".to_owned()]),
        "{seats:?}"
    );
}

#[test]
fn a_participant_gets_what_is_theirs_and_what_is_public() {
    let record = run(&small(), "j-4", |_| None);
    let mut tables = exact(Role::Seat("Ana".to_owned()));
    tables.add(&record).unwrap();
    let tables = read_all(&tables);
    let whole = of(&record);
    assert_eq!(column(&tables["seats"], "seat"), ["Ana"]);
    let own = [
        "payoff_total",
        "rank_results_floor",
        "choice_3_principle",
        "last_ballot_principle",
        "ballots",
    ];
    assert_eq!(
        chosen(&tables["seats"], &[], &own)[0],
        chosen(&whole["seats"], &[], &own)[0]
    );
    let run = [
        "session",
        "seed",
        "config_hash",
        "asks",
        "cost",
        "consensus_reached",
    ];
    let known = column(&whole["runs"], "consensus_reached").remove(0);
    assert_eq!(
        chosen(&tables["runs"], &[], &run),
        [["j-4", "", "", "", "", &known]]
    );
    assert!(column(&tables["asks"], "seat").iter().all(|seat| seat == "Ana"));
    assert_eq!(
        tables["asks"].len() - 1,
        chosen(&whole["asks"], &[("seat", "Ana")], &[]).len()
    );
    for seat in column(&tables["decisions"], "seat") {
        assert!(
            seat == "Ana"
                || chosen(
                    &tables["decisions"],
                    &[("decision", "ranking"), ("seat", &seat)],
                    &[]
                )
                .is_empty()
        );
    }
    for (table, seat) in [("decisions", "decision"), ("utterances", "utterance")] {
        for private in ["ranking", "application", "ballot", "reasoning"] {
            let others = chosen(&tables[table], &[(seat, private), ("seat", "Bo")], &[]);
            assert!(others.is_empty(), "{private}");
        }
    }
    let said = chosen(
        &whole["utterances"],
        &[("utterance", "statement")],
        &["seat", "text"],
    );
    assert_eq!(
        chosen(
            &tables["utterances"],
            &[("utterance", "statement")],
            &["seat", "text"]
        ),
        said
    );
    let all: String = tables.values().flatten().flatten().map(String::as_str).collect();
    assert!(!all.contains("=cmd()"), "what Bo is told about himself");
}

#[test]
fn a_run_under_way_has_rows_too() {
    let whole = run(&small(), "j-3", |_| None);
    for length in [1, whole.len() / 3, whole.len() / 2] {
        let tables = of(&whole[..length]);
        assert_eq!(
            chosen(
                &tables["runs"],
                &[],
                &["state", "ended", "seconds", "consensus_reached"]
            ),
            [["unfinished", "", "", ""]]
        );
        assert_eq!(column(&tables["seats"], "payoff_total"), ["", ""]);
    }
}

/// Texts that break what does not take care; R has no texts with NUL.
const NASTY: [&str; 6] = [
    "\"So\", she said, 'it''s' \"\"both\"\"; a\ttab, a \\n and\n\n\na blank line\r\nor\rtwo\n",
    "=HYPERLINK(\"http://x.invalid\",\"y\")",
    "'=1+1,\"",
    " NA ",
    "-我选择3，“下限”是 ¥13,000。\u{2028}👩‍👩‍👧 e\u{301} \u{85}\u{feff}",
    "# none\n\"",
];

/// Every procedure in every language, by people and others who write nasty texts wherever they may.
fn nasty() -> Vec<Vec<Rc<Entry>>> {
    let mut records = Vec::new();
    let protocols = ["justice", "discussion", "debate", "delphi", "jury"];
    for (protocol, language) in protocols
        .iter()
        .flat_map(|one| Language::CODES.map(|other| (*one, other)))
    {
        let preset = procedures::presets()
            .into_iter()
            .find(|preset| preset.config["protocol"] == protocol)
            .unwrap();
        let mut config = preset.config;
        config["language"] = language.into();
        config["seed"] = 5.into();
        config["title"] = NASTY[0].into();
        config["condition"] = NASTY[1].into();
        for (at, agent) in config["agents"].as_array_mut().unwrap().iter_mut().enumerate() {
            agent["kind"] = "scripted".into();
            agent["personality"] = NASTY[at % NASTY.len()].into();
            agent
                .as_object_mut()
                .unwrap()
                .retain(|key, _| ["name", "kind", "personality"].contains(&key.as_str()));
        }
        let id = format!("{protocol}-{language}");
        let count = Cell::new(0);
        let nasty = || {
            count.set(count.get() + 1);
            NASTY[count.get() % NASTY.len()]
        };
        records.push(if protocol == "discussion" {
            let (session, outcome) = procedures::begin(&config, &id, talk::BEGINNING).unwrap();
            let mut talk = Talk::go_on(session, outcome, &|_| Ok(nasty().to_owned()));
            let _ = talk.advance("User", NASTY[0], &|_| Ok(nasty().to_owned()));
            talk.command(Command::Close, &talk::says);
            talk.record()
        } else {
            run_by(&config, &id, |call, scripted| {
                if call.ask.kind == justice::STATEMENT {
                    nasty().to_owned()
                } else {
                    format!("{scripted}\n{}", nasty())
                }
            })
        });
    }
    records
}

/// A column as a program has to hold it: type in the codebook, cells that are not missing, and a sum of what they hold.
type Held = BTreeMap<(String, String), (String, usize, f64)>;

/// `ends`: what ends a line in texts once they are read.
fn held(tables: &BTreeMap<String, Rows>, ends: fn(&str) -> String) -> Held {
    let short = |number: u64| (number % 1_000_003) as f64;
    let kinds = tables["codebook"][1..].iter();
    kinds
        .map(|line| {
            let (table, name, kind) = (&line[0], &line[1], &line[2]);
            let cells = column(&tables[table], name);
            let there = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
            let of = |cell: &str| match kind.as_str() {
                "integer" | "number" => cell.parse().unwrap(),
                "boolean" => f64::from(u8::from(cell == "true")),
                "time" => of_day(cell) as f64,
                _ => short(
                    ends(cell)
                        .chars()
                        .zip(1..)
                        .map(|(point, at)| at * u64::from(u32::from(point)))
                        .sum(),
                ),
            };
            let sum = there.clone().map(|(row, cell)| (row + 1) as f64 * of(cell)).sum();
            ((table.clone(), name.clone()), (kind.clone(), there.count(), sum))
        })
        .collect()
}

/// Milliseconds since midnight.
fn of_day(time: &str) -> u64 {
    let part = |from: usize, to: usize| time[from..to].parse::<u64>().unwrap();
    ((part(11, 13) * 60 + part(14, 16)) * 60 + part(17, 19)) * 1_000 + part(20, 23)
}

/// What a program's lines tell, and how many rows and columns each table has.
fn told(lines: &str) -> (Held, BTreeMap<String, (usize, usize)>) {
    let (mut held, mut sizes) = (Held::new(), BTreeMap::new());
    for line in lines.lines() {
        let words: Vec<&str> = line.split(' ').map(str::trim).collect();
        match words[..] {
            [table, "", rows, columns, ..] => {
                sizes.insert(
                    table.to_owned(),
                    (rows.parse().unwrap(), columns.parse().unwrap()),
                );
            }
            [table, column, kind, count, sum, ..] => {
                let cells = (kind.to_owned(), count.parse().unwrap(), sum.parse().unwrap());
                held.insert((table.to_owned(), column.to_owned()), cells);
            }
            _ => panic!("{line}"),
        }
    }
    (held, sizes)
}

/// R and pandas load what was written, if they are here (`QUORATE_PYTHON` names another Python): rows, types and every
/// cell as the codebook tells them.
#[test]
fn r_and_pandas_load_the_tables() {
    let records = [all(), nasty()].concat();
    let write = |formulas| {
        let mut tables = exact(Role::Owner);
        if formulas == Formulas::Guarded {
            tables = Tables::new(Style {
                has_prompts: true,
                ..Style::default()
            });
        }
        records.iter().for_each(|record| tables.add(record).unwrap());
        tables
    };
    let tables = write(Formulas::Guarded);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    std::fs::create_dir_all(&folder).unwrap();
    assert_eq!(tables.files().len(), 9);
    for file in tables.files() {
        std::fs::write(folder.join(&file.name), file.text).unwrap();
    }
    let exact = read_all(&write(Formulas::AsTheyAre));
    let size = |(name, _)| (String::from(name), (exact[name].len() - 1, exact[name][0].len()));
    let sizes: BTreeMap<String, (usize, usize)> = TABLES.map(size).into();
    let python = std::env::var("QUORATE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let in_python = ["string", "Int64", "Float64", "boolean", "datetime64"];
    let in_r = ["character", "numeric", "numeric", "logical", "POSIXct"];
    // R takes every carriage return for the end of a line.
    let in_lines = |cell: &str| cell.replace("\r\n", "\n").replace('\r', "\n");
    for (program, check, end, types, expected) in [
        (
            python.as_str(),
            vec!["-c", "import pandas"],
            "py",
            in_python,
            held(&exact, str::to_owned),
        ),
        ("Rscript", vec!["--version"], "R", in_r, held(&exact, in_lines)),
    ] {
        let is_here = Program::new(program).args(check).output();
        if !is_here.is_ok_and(|output| output.status.success()) {
            println!("WARNING: load.{end} NOT TRIED, {program} cannot run it here");
            continue;
        }
        let lines = |script: &Path| {
            let output = Program::new(program).arg(script).arg(&folder).output().unwrap();
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8(output.stdout).unwrap()
        };
        let own: Vec<String> = lines(&folder.join(format!("load.{end}")))
            .lines()
            .map(|line| line.trim().to_owned())
            .collect();
        let known = TABLES.map(|(name, _)| format!("{name} {} {}", sizes[name].0, sizes[name].1));
        assert_eq!(own, known, "load.{end}");
        let asker = format!(
            "{}/tests/native/support/loaded/loaded.{end}",
            env!("CARGO_MANIFEST_DIR")
        );
        let (found, rows) = told(&lines(Path::new(&asker)));
        assert_eq!(rows, sizes, "load.{end}");
        assert_eq!(found.len(), expected.len(), "load.{end}");
        for (place, (kind, count, sum)) in &expected {
            let wanted = match kind.as_str() {
                "integer" => 1,
                "number" => 2,
                "boolean" => 3,
                "time" => 4,
                _ => 0,
            };
            let (is, cells, held) = &found[place];
            assert_eq!(
                (is.as_str(), cells),
                (types[wanted], count),
                "load.{end}: {place:?}"
            );
            assert!(
                (held - sum).abs() <= sum.abs() * 1e-9,
                "load.{end}: {place:?} holds {held} and not {sum}"
            );
        }
    }
}

#[test]
fn what_the_owner_reads_in_an_unread_answer_is_noted_beside_it_and_never_counts() {
    let config = world::config(2, &json!({ "phase2_rounds": 1 }));
    let mut run = world::run(&config, |call| {
        let is_unread = call.ask.kind == justice::INITIAL_RANKING && call.ask.seat == "Ana";
        if is_unread {
            world::says("Whatever the others think best.")
        } else {
            world::votes_from(1)(call)
        }
    });
    let events = run.events();
    let before = of(&run.record());
    let unread = chosen(
        &before["asks"],
        &[("seat", "Ana"), ("kind", justice::INITIAL_RANKING)],
        &["ask", "annotation"],
    );
    assert!(
        unread.iter().all(|row| row[1].is_empty()) && unread.len() > 1,
        "{unread:?}"
    );
    let (last, read) = (unread.last().unwrap()[0].clone(), "Ben".to_owned());
    let said = chosen(
        &before["asks"],
        &[("seat", &read), ("kind", justice::INITIAL_RANKING)],
        &["ask"],
    )[0][0]
        .clone();
    for ask in [&last, &said] {
        let values = json!({ "first": "maximizing_floor" });
        let _ = run.session.handle(
            run.now,
            Input::Command(Command::Annotate {
                ask: ask.clone(),
                values,
            }),
        );
    }
    let after = of(&run.record());
    let annotated = |ask: &str| chosen(&after["asks"], &[("ask", ask)], &["annotation", "read_value"]);
    assert_eq!(annotated(&last), [["{\"first\":\"maximizing_floor\"}", ""]]);
    assert_eq!(
        annotated(&said)[0][0],
        "",
        "an answer that was read has its meaning"
    );
    assert_eq!(run.events(), events);
    // But for how many entries the record has.
    for (table, rows) in before
        .iter()
        .filter(|(table, _)| !["asks", "runs"].contains(&table.as_str()))
    {
        assert_eq!(after[table], *rows, "{table}");
    }
    let columns = [
        "state",
        "ended",
        "asks_answered",
        "chosen_principle",
        "chosen_amount",
        "warnings",
    ];
    assert_eq!(
        chosen(&after["runs"], &[], &columns),
        chosen(&before["runs"], &[], &columns)
    );
    let (again, _) = procedures::replay(&run.record()).unwrap();
    assert_eq!(again.record(), run.record());
    // It is the owner's affair.
    let mut tables = exact(Role::Audience);
    tables.add(&run.record()).unwrap();
    let shown = read_all(&tables);
    if let Some(asks) = shown.get("asks") {
        let annotations = chosen(asks, &[], &["annotation"]);
        assert!(annotations.iter().all(|row| row[0].is_empty()), "{annotations:?}");
    }
}
