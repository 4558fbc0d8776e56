//! Rooms whose tables are runs of a study: which run each table is, and that guests learn nothing of it.

use crate::support::venue::{BEGINNING, CALM, Venue};
use proptest::prelude::*;
use quorate::core::record::EntryKind;
use quorate::procedures;
use quorate::room::{EarlierTable, Effect, HostCommand, Room, TableStatus, plan};
use quorate::study::plan::{Plan, Study, StudyFile};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A study with two factors, given as text, since the order of factors counts.
fn file(n: u32, people: Value) -> String {
    let agents = ["One", "Two", "Three"].map(|name| json!({ "name": name, "personality": "A neighbour." }));
    let base = json!({ "protocol": "delphi", "question": "How many?", "minimum": 0, "maximum": 100, "agents": agents });
    let mut room =
        json!({ "people": 2, "start": "full", "patience": { "after": 3_000, "then": "stand_in" } });
    room.as_object_mut()
        .unwrap()
        .extend(people.as_object().unwrap().clone());
    let file = json!({ "study": 1, "id": "talk", "n": n, "seed": 5, "base": base, "people": room, "factors": "HERE" });
    file.to_string().replace(
        r#""HERE""#,
        r#"{"shown":{"yes-secret":{"rounds":2},"no-secret":{"rounds":3}},"about":{"trees-secret":{"question":"How many trees?"},"cars-secret":{"question":"How many cars?"}}}"#,
    )
}

fn study(text: &str) -> Study {
    Study::checked(&StudyFile::parse(text).unwrap()).unwrap()
}

fn room_of(text: &str, [part, of]: [usize; 2]) -> String {
    format!(r#"{{"study":{text},"shard":[{part},{of}]}}"#)
}

/// A room whose guests come, leave and stay to the end as a test has it.
struct Simulated {
    room: Room,
    now: u64,
    guests: u64,
    /// The ids of the tables in the order in which they began.
    begun: Vec<String>,
    sent: String,
}

impl Simulated {
    fn open(text: &str, shard: [usize; 2]) -> Self {
        Self::after(Vec::new(), text, shard)
    }

    /// A room for the tables that rooms before have left.
    fn after(earlier: Vec<EarlierTable>, text: &str, shard: [usize; 2]) -> Self {
        Self {
            room: Room::open(&room_of(text, shard), "r", 1_000, earlier).unwrap(),
            now: 1_000,
            guests: 0,
            begun: Vec::new(),
            sent: String::new(),
        }
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Open { id, table, .. } => {
                    self.begun.push(id.unwrap());
                    assert_eq!(self.begun.len(), table);
                }
                Effect::Send { message, .. } => self.sent += &message.to_string(),
                _ => {}
            }
        }
    }

    fn session(&self) -> Value {
        serde_json::from_str::<Value>(&self.room.snapshot()).unwrap()["session"].clone()
    }

    /// Another guest comes; as soon as there are two, a table begins.
    fn joins(&mut self) {
        self.now += 1;
        self.guests += 1;
        let hello = json!({ "type": "hello", "from": [self.now, 1], "to": self.session() });
        let effects = self
            .room
            .receive(self.now, &format!("g{}", self.guests), 100, &hello);
        self.take(effects);
    }

    fn changes(&mut self, table: usize, state: &str, left: u32) {
        let status = TableStatus {
            state: state.to_owned(),
            left,
            ..TableStatus::default()
        };
        let effects = self.room.table_changed(self.now, table, status);
        self.take(effects);
    }

    fn tables(&self) -> Vec<Value> {
        self.room.view()["tables"].as_array().unwrap().clone()
    }
}

/// The run that a table is, without the number of the attempt.
fn run_of(table: &Value) -> String {
    let id = table["run"]["id"].as_str().unwrap();
    id.split('.').take(4).collect::<Vec<_>>().join(".")
}

/// Checks that each open place of the plan is taken before those behind it.
fn check_order(plan: &Plan, [part, of]: [usize; 2], tables: &[Value]) {
    let order: Vec<&str> = plan.runs.iter().map(|run| run.id.as_str()).collect();
    let order: Vec<&str> = order.into_iter().skip(part).step_by(of).collect();
    let valid: Vec<String> = tables
        .iter()
        .filter(|table| table["run"]["void"] == false)
        .map(run_of)
        .collect();
    assert_eq!(
        valid.iter().collect::<BTreeSet<_>>().len(),
        valid.len(),
        "one valid table a run"
    );
    let newest = tables.last().map(run_of);
    if let Some(position) = newest
        .as_ref()
        .map(|newest| order.iter().position(|run| run == newest).unwrap())
    {
        // Those that were open when the newest began have become so since.
        let void: BTreeSet<String> = tables
            .iter()
            .filter(|table| table["run"]["void"] == true)
            .map(run_of)
            .collect();
        for run in &order[..position] {
            assert!(
                valid.iter().chain(&void).any(|taken| taken == run),
                "{run} was passed over for {newest:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tables_fill_the_plan_in_order_whatever_happens_to_them(
        steps in prop::collection::vec((0_u8..5, any::<prop::sample::Index>()), 0..60), shard in 0_usize..2, of in 1_usize..3, leavers in 0_u32..2,
    ) {
        let shard = [shard % of, of];
        let text = file(2, json!({ "leavers": leavers }));
        let plan = study(&text).plan();
        let mut simulated = Simulated::open(&text, shard);
        let mut restored = 0;
        for (step, index) in steps {
            let count = simulated.begun.len();
            match step {
                0 | 1 => simulated.joins(),
                2 if count > 0 => {
                    let table = 1 + index.index(count);
                    let left = simulated.tables()[table - 1]["run"]["left"].as_u64().unwrap() as u32;
                    let is_over = simulated.tables()[table - 1]["over"] == true;
                    simulated.changes(table, if is_over { "ended" } else { "running" }, left + u32::from(!is_over));
                }
                3 if count > 0 => {
                    let table = 1 + index.index(count);
                    let left = simulated.tables()[table - 1]["run"]["left"].as_u64().unwrap() as u32;
                    simulated.changes(table, "ended", left);
                }
                4 => {
                    let before: Vec<Value> = simulated.tables().into_iter().map(|table| table["run"].clone()).collect();
                    simulated.now += 1;
                    simulated.room = Room::restore(&simulated.room.snapshot(), simulated.now).unwrap();
                    let after: Vec<Value> = simulated.tables().into_iter().map(|table| table["run"].clone()).collect();
                    prop_assert_eq!(before, after);
                    restored += 1;
                }
                _ => {}
            }
            check_order(&plan, shard, &simulated.tables());
        }
        // Guests who join now fill what is left; then no more are seated.
        if restored == 0 {
            for _ in 0..60 {
                for table in 1..=simulated.begun.len() {
                    let left = simulated.tables()[table - 1]["run"]["left"].as_u64().unwrap() as u32;
                    simulated.changes(table, "ended", left);
                }
                simulated.joins();
            }
            let tables = simulated.tables();
            let mut cells: BTreeMap<&str, usize> = BTreeMap::new();
            for table in tables.iter().filter(|table| table["run"]["void"] == false) {
                *cells.entry(table["run"]["cell"].as_str().unwrap()).or_default() += 1;
            }
            let wanted: Vec<&str> = plan.runs.iter().skip(shard[0]).step_by(shard[1]).map(|run| &*run.cell).collect();
            for cell in &wanted {
                prop_assert_eq!(cells[cell], wanted.iter().filter(|other| *other == cell).count());
            }
            let guests = simulated.room.view();
            let last = guests["guests"].as_array().unwrap().last().unwrap();
            prop_assert_eq!(&last["way"], "waited");
        }
        prop_assert!(!simulated.sent.contains("secret"), "{}", simulated.sent);
    }
}

#[test]
fn shards_divide_the_runs_and_a_void_table_is_held_again_under_an_id_of_its_own() {
    let text = file(2, json!({}));
    let plan = study(&text).plan();
    let mut all = BTreeSet::new();
    for part in 0..3 {
        let mut simulated = Simulated::open(&text, [part, 3]);
        (0..40).for_each(|_| simulated.joins());
        assert_eq!(simulated.room.view()["study"]["tables"], simulated.begun.len());
        assert!(simulated.begun.iter().all(|id| all.insert(id.clone())));
        let first = simulated.begun[0].clone();
        simulated.changes(1, "running", 1);
        assert_eq!(simulated.begun.last().unwrap(), &format!("{first}.2"));
        let table = simulated.begun.len();
        simulated.changes(table, "running", 1);
        assert_eq!(simulated.begun.last().unwrap(), &format!("{first}.3"));
        let view = simulated.room.view();
        let cell = view["tables"][0]["run"]["cell"].as_str().unwrap();
        assert_eq!(
            view["tables"][0]["run"],
            json!({ "id": first, "cell": cell, "left": 1, "void": true })
        );
        let cells = view["study"]["cells"].as_array().unwrap();
        assert!(cells.iter().any(|one| one["name"] == cell && one["void"] == 2));
    }
    assert_eq!(all, plan.runs.iter().map(|run| run.id.clone()).collect());
}

#[test]
fn a_room_holds_what_rooms_before_have_left() {
    let text = file(1, json!({}));
    let mut first = Simulated::open(&text, [0, 1]);
    (0..4).for_each(|_| first.joins());
    first.changes(1, "ended", 0);
    first.changes(2, "ended", 1);
    let earlier = |counts: bool, id: &str| EarlierTable {
        id: id.to_owned(),
        counts,
    };
    let before = vec![earlier(true, &first.begun[0]), earlier(false, &first.begun[1])];
    let mut next = Simulated::after(before, &text, [0, 1]);
    (0..8).for_each(|_| next.joins());
    let plan = study(&text).plan();
    let left: Vec<&str> = plan.runs[2..].iter().map(|run| run.id.as_str()).collect();
    let again = format!("{}.2", plan.runs[1].id);
    assert_eq!(next.begun, [&[again.as_str()][..], &left].concat());
    next.room = Room::restore(&next.room.snapshot(), 2_000).unwrap();
    let view = next.room.view();
    let cells = view["study"]["cells"].as_array().unwrap();
    assert!(cells.iter().all(|cell| cell["tables"] == 1), "{cells:?}");
    assert_eq!(cells.iter().filter(|cell| cell["ended"] == 1).count(), 1);
    assert_eq!(view["mostTables"], 3);
}

#[test]
fn a_table_has_the_configuration_of_its_run_and_nothing_of_it_reaches_guests() {
    let text = file(
        1,
        json!({ "before": [{ "label": "How old are you?", "kind": "number" }] }),
    );
    let study = study(&text);
    let plan: Value = serde_json::from_str(&room_of(&text, [0, 1])).unwrap();
    assert_eq!(plan["shard"], json!([0, 1]));
    let mut venue = Venue::of_text(&room_of(&text, [0, 1]), 8, CALM, 1);
    assert_eq!(venue.now, BEGINNING);
    for guest in 0..8 {
        venue.joins(guest, 1 + 1_000 * guest as u64);
    }
    venue.passes(100_000);
    venue.reloads();
    venue.ends();
    assert_eq!(venue.tables.len(), 4);
    for (table, run) in venue.tables.iter().zip(study.runs()) {
        let record = table.session.record();
        let EntryKind::Started(head) = &record[0].what else {
            panic!()
        };
        assert_eq!(head.session, run.id);
        assert_eq!(
            head.config["study"],
            json!({ "id": "talk", "cell": run.config["study"]["cell"], "repetition": 1, "leavers": 0 })
        );
        assert_eq!(head.config["condition"], &*run.cell);
        assert_eq!(head.config["seed"], run.config["seed"]);
        // The head follows from the plan and its participants.
        let config = study.table(&run.id, &head.config["agents"]).unwrap();
        let (again, _) = procedures::begin(&config, &run.id, record[0].at).unwrap();
        assert_eq!(again.record()[0].what, record[0].what);
        assert_eq!(
            study.table(&format!("{}.2", run.id), &head.config["agents"]),
            Some(config)
        );
        assert_eq!(study.table(&format!("{}x", run.id), &head.config["agents"]), None);
    }
    for guest in &venue.guests {
        assert_eq!(guest.state["end"]["way"], "complete");
        let got = json!(guest.got).to_string();
        let place = got.find("secret");
        assert_eq!(place, None, "{}", &got[place.unwrap_or(200) - 200..][..300]);
    }
}

#[test]
fn programs_are_shown_to_guests_as_far_as_all_cells_have_the_same() {
    let agents = json!([
        { "name": "One", "kind": "human", "personality": "" }, { "name": "Two", "kind": "human", "personality": "" },
        { "name": "Three", "personality": "", "model": "gpt-5-mini" }, { "name": "Four", "personality": "", "model": "gpt-5-mini" },
    ]);
    let study = json!({
        "study": 1, "id": "s", "n": 1, "base": { "protocol": "delphi", "question": "How many?", "agents": agents }, "people": { "start": "full" },
        "factors": { "model": { "small": { "agents[Three].model": "gpt-5-mini" }, "large": { "agents[Three].model": "gpt-5" } } },
    });
    let (plan, _) = plan::checked(&json!({ "study": study }).to_string()).unwrap();
    assert_eq!(plan.seats, ["One", "Two"]);
    let shown = [
        json!({ "name": "Three", "kind": "model" }),
        json!({ "name": "Four", "kind": "model", "model": "gpt-5-mini" }),
    ];
    assert_eq!(plan.programs, shown);
}

#[test]
fn faults_of_a_room_of_a_study_are_told_with_their_paths() {
    let faults = |text: &str| {
        let error = plan::checked(text).err().unwrap();
        let faults = error.0.into_iter().map(|fault| (fault.path, fault.code));
        faults.collect::<Vec<_>>()
    };
    let fault = |path: &str, code| vec![(path.to_owned(), code)];
    let whole: Value = serde_json::from_str(&file(2, json!({}))).unwrap();
    let with = |key: &str, value: Value| {
        let mut study = whole.clone();
        study[key] = value;
        json!({ "study": study }).to_string()
    };
    assert_eq!(faults("{}"), fault("session", "room_source"));
    let both = json!({ "study": whole, "session": whole["base"] }).to_string();
    assert_eq!(faults(&both), fault("session", "room_source"));
    let beside = json!({ "study": whole, "consent": "Yes?", "tables": 3 }).to_string();
    assert_eq!(
        faults(&beside),
        [
            fault("tables", "room_in_study"),
            fault("consent", "room_in_study")
        ]
        .concat()
    );
    for shard in [json!([1]), json!([2, 2]), json!([0, 0])] {
        let text = json!({ "study": whole, "shard": shard }).to_string();
        assert_eq!(faults(&text), fault("shard", "room_shard"), "{shard}");
    }
    assert_eq!(
        faults(&with("people", Value::Null)),
        fault("study.people", "missing")
    );
    let people = json!({ "people": 4 });
    assert_eq!(
        faults(&with("people", people)),
        fault("study.people.people", "room_people")
    );
    let people = json!({ "seats": [{ "seat": "Nobody" }], "people": 2, "tables": 3 });
    assert_eq!(
        faults(&with("people", people)),
        fault("study.people.tables", "unknown")
    );
    let people = json!({ "seats": [{ "seat": "Nobody" }], "people": 2 });
    assert_eq!(
        faults(&with("people", people)),
        fault("study.people.seats[0].seat", "room_seat")
    );
    // A cell with other seats is named.
    let factors = json!({ "who": { "a": {}, "b": { "agents[Two].name": "Dan" } } });
    assert_eq!(
        faults(&with("factors", factors)),
        fault("study[b].agents", "study_seats")
    );
    let factors = json!({ "rounds": { "a": {}, "b": { "rounds": 0 } } });
    assert_eq!(
        faults(&with("factors", factors)),
        fault("study[b].rounds", "whole")
    );
}

#[test]
fn a_study_without_room_settings_has_the_registration_id_that_it_had() {
    let mut whole: Value = serde_json::from_str(&file(2, json!({}))).unwrap();
    let id = |file: &Value| study(&file.to_string()).plan().id;
    let with_people = id(&whole);
    whole["people"]["consent"] = "Do you agree?".into();
    let with_consent = id(&whole);
    whole["people"] = Value::Null;
    assert_eq!(BTreeSet::from([with_people, with_consent, id(&whole)]).len(), 3);
    assert!(
        study(&whole.to_string())
            .runs()
            .all(|run| run.config["study"].get("leavers").is_none())
    );
}

#[test]
fn tables_say_which_are_void() {
    use quorate::export::Format;
    use quorate::export::tables::{Style, Tables};
    let text = file(1, json!({ "start": "hand" }));
    let mut venue = Venue::of_text(&room_of(&text, [0, 1]), 4, CALM, 1);
    venue.thinks = None;
    (0..4).for_each(|guest| venue.joins(guest, 1));
    venue.passes(5_000);
    assert!(venue.wishes(&HostCommand::Start));
    assert!(venue.wishes(&HostCommand::Remove { guest: 1 }));
    let view = venue.room.view();
    let void: Vec<&Value> = view["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| &table["run"]["void"])
        .collect();
    assert_eq!(void.iter().filter(|is_void| ***is_void == true).count(), 1);
    let mut tables = Tables::new(Style::default());
    for table in &venue.tables {
        tables.add(&table.session.record()).unwrap();
    }
    let runs = tables.table(Format::Table(0)).unwrap().text;
    let header: Vec<&str> = runs.lines().next().unwrap().split(',').collect();
    assert!(header.contains(&"void"), "{header:?}");
    assert_eq!(
        header.iter().filter(|name| name.starts_with("factor_")).count(),
        2
    );
}
