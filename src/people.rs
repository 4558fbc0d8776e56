//! Settings for people at tables: of the guests of a room, and of studies with people. Of the configuration of a table only
//! the participants are read; the rest belongs to the protocol.

use crate::core::ask::Millis;
use crate::core::form::{Choice, Field, Input, MAX_TEXT};
use crate::language::Language;
use crate::procedures::spec::common::{LONG, MAX_SEATS, language};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::spec::declare::{choices, settings};
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::procedures::spec::{
    AddressContent, Literal, SettingKind, SettingTable, flag, line, list, number, object, of, one_of, text,
    whole,
};
use crate::procedures::{self};
use crate::seat::{Seat, SeatKind};
use serde_json::{Value, json};

/// Field names of questions, by index.
const FIELD_NAMES: [&str; 24] = [
    "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10", "q11", "q12", "q13", "q14", "q15", "q16",
    "q17", "q18", "q19", "q20", "q21", "q22", "q23", "q24",
];

/// Link parameters by which Prolific, Mechanical Turk and CloudResearch identify a person.
const IDS: [&str; 4] = ["PROLIFIC_PID", "workerId", "participantId", "participant_id"];

choices! {
    /// How guests are assigned to seats.
    pub enum SeatAssignment {
        /// By order of arrival.
        Arrival = "arrival",
        /// Randomly.
        Random = "random",
        /// By the host.
        Hand = "hand",
    }
}

choices! {
    /// When tables start.
    pub enum Start {
        /// On a command of the host.
        Hand = "hand",
        /// Each as soon as it is full.
        Full = "full",
        /// At a fixed time.
        At = "at",
    }
}

choices! {
    /// Action for a guest who is away or too slow.
    pub enum AbsenceAction {
        Wait = "wait",
        /// Remind the guest, once per question.
        Remind = "remind",
        /// Skip the question.
        Skip = "skip",
        /// Let a simulated participant answer until the guest is back.
        StandIn = "stand_in",
        /// Remove the guest; a simulated participant answers.
        End = "end",
    }
}

/// An action and its delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// In milliseconds.
    pub after: Millis,
    pub then: AbsenceAction,
}

/// Exceptions for a seat.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatPolicies {
    pub seat: String,
    pub absence: Option<Policy>,
    pub patience: Option<Policy>,
}

/// Policies for one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policies {
    /// For an absent guest.
    pub absence: Policy,
    /// For a slow guest.
    pub patience: Policy,
}

choices! {
    /// How a guest's participation ended.
    pub enum GuestEnd {
        /// Completed.
        Complete = "complete",
        /// Declined to take part.
        Declined = "declined",
        /// Found no table.
        Waited = "waited",
        /// Was away too long, left, or failed the comprehension questions.
        Dropped = "dropped",
        /// The room was closed early.
        Trouble = "trouble",
    }
}

settings! {
    /// Where a guest goes at the end.
    pub struct Way(way) {
        url: String = of(SettingKind::Address { holds: AddressContent::Anything }) => way.text("url").to_owned();
        /// Completion code.
        code: String = line(100) => way.text("code").to_owned();
    }
}

settings! {
    /// Conversion of payoffs to money.
    pub struct Earned(earned) {
        unit: String = line(10) => earned.text("unit").to_owned();
        rate: f64 = number(0.0, 1e6).default(Literal::Number(0.0));
        fixed: f64 = number(0.0, 1e6).default(Literal::Number(0.0));
        /// Key of the result.
        from: String = line(60) => earned.maybe_text("from").unwrap_or("payoffs").to_owned();
    }
}

const WAY: SettingTable = SettingTable(&[Way::TABLE]);
const POLICY: SettingTable = SettingTable(&[&[
    whole("after", 5, 86_400)
        .default(Literal::Whole(60))
        .counts("seconds"),
    one_of("then", AbsenceAction::WORDS).default(Literal::Text("skip")),
]]);
const SEAT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        line("seat", 60).required(),
        object("absence", POLICY),
        object("patience", POLICY),
    ]]),
    free: false,
};
const QUESTIONS: u32 = FIELD_NAMES.len() as u32;
const KINDS: [&str; 5] = ["text", "choice", "scale", "number", "yes_no"];
const QUESTION: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        line("id", 60),
        text("label", 2_000).required(),
        text("help", 2_000),
        one_of("kind", &KINDS),
        of("options", SettingKind::Lines).when(&[("kind", &["choice"])]),
        number("least", f64::NEG_INFINITY, f64::INFINITY),
        number("most", f64::NEG_INFINITY, f64::INFINITY),
        of("ends", SettingKind::Lines).when(&[("kind", &["scale"])]),
        flag("optional", false),
        of("right", SettingKind::Free),
    ]]),
    free: false,
};

settings! {
    /// Checked settings of a room, but for its tables.
    pub struct Plan(top) {
        title: String = text(10_000) => top.text("title").to_owned();
        language: Language = language("room");
        /// Number of guests at a table; `None`: one for each person of the configuration.
        guests as "people": Option<u32> = whole(1, MAX_SEATS);
        /// Minimum number of guests at a table.
        least: usize = whole(1, MAX_SEATS).default(Literal::Whole(1)) => top.whole("least") as usize;
        /// Whether empty seats are filled with simulated participants.
        fill: bool = flag(true);
        deal: SeatAssignment = one_of(SeatAssignment::WORDS);
        /// Whether guests are asked for a name.
        asks_names as "names": bool = one_of(&["pseudonyms", "own"]) => top.text("names") == "own";
        /// Link parameters that identify a person.
        ids: Vec<String> = of(SettingKind::Lines) => match top.has("ids") {
            true => top.lines("ids"),
            false => IDS.map(str::to_owned).to_vec(),
        };
        start: Start = one_of(Start::WORDS);
        start_at: Millis = number(0.0, 1e15) => top.maybe_number("start_at").unwrap_or_default() as Millis;
        /// Maximum wait for a table.
        wait: Option<Millis> = whole(5, 86_400).counts("seconds")
            => top.maybe_whole("wait").map(|seconds| Millis::from(seconds) * 1_000);
        /// Text of the consent form.
        consent: Option<String> = text(LONG);
        /// Questions before the session.
        before: Vec<Question> = list(&QUESTION, QUESTIONS) => read_questions(top, "before");
        /// Comprehension questions with their right answers.
        comprehension: Vec<Question> = list(&QUESTION, QUESTIONS) => read_questions(top, "comprehension");
        /// Attempts at the comprehension questions.
        tries: u32 = whole(1, 10).default(Literal::Whole(3));
        /// Questions after the session.
        after: Vec<Question> = list(&QUESTION, QUESTIONS) => read_questions(top, "after");
        absence: Option<Policy> = object(POLICY) => read_policy(top, "absence");
        patience: Option<Policy> = object(POLICY) => read_policy(top, "patience");
        exceptions as "seats": Vec<SeatPolicies> = list(&SEAT, MAX_SEATS)
            => top.list("seats").iter().map(read_seat).collect();
        /// In the order of [`GuestEnd`].
        ways: Vec<Way> = object(SettingTable(&[&[
                object("complete", WAY),
                object("declined", WAY),
                object("waited", WAY),
                object("dropped", WAY),
                object("trouble", WAY)
            ]]))
            => ways(&top.object("ways"));
        earned: Option<Earned> = object(SettingTable(&[Earned::TABLE]));
    }
    derived {
        /// Names of the guests' seats, as configured.
        seats: Vec<String> => Vec::new();
        /// Names of all participants, as configured.
        taken: Vec<String> => Vec::new();
        /// The programs that sit at every table: `{ name, kind, model }`.
        programs: Vec<Value> => Vec::new();
        /// By seat, in the order of `seats`.
        policies: Vec<Policies> => Vec::new();
    }
}

fn ways(top: &ConfigReader) -> Vec<Way> {
    GuestEnd::WORDS
        .iter()
        .map(|name| Way::read(&top.object(name)))
        .collect()
}

/// A question to guests.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Name under which the answer is stored.
    pub id: String,
    /// Without the words for yes and no.
    pub field: Field,
    pub right: Option<Value>,
}

impl Plan {
    /// Chooses the guests' seats in the configurations of tables, and checks that they are the same in all and that such
    /// tables can be run. Returns the faults, with the number of the configuration unless they are of the room's own settings.
    pub fn choose_seats(&mut self, configs: &[&Value]) -> Vec<(Option<usize>, Fault)> {
        let mut faults = Vec::new();
        let fault = |path: &str, code, values| Fault {
            path: path.to_owned(),
            code,
            values,
        };
        if self.start == Start::At && self.start_at == 0 {
            faults.push((None, fault("start_at", "missing", vec![])));
        }
        for (number, config) in configs.iter().enumerate() {
            let of_config = |error: ConfigError| error.0.into_iter().map(move |fault| (Some(number), fault));
            let seats = match procedures::seats(config) {
                Ok(seats) => seats,
                Err(error) => {
                    faults.extend(of_config(error));
                    continue;
                }
            };
            let listed = seats.len().min(config["agents"].as_array().map_or(0, Vec::len));
            let places = self.places(config, &seats);
            if places.is_empty() {
                faults.push((
                    None,
                    fault("people", "room_people", vec![("most", listed.into())]),
                ));
                return faults;
            }
            let names: Vec<String> = places.iter().map(|place| seats[*place].name.clone()).collect();
            self.taken.extend(seats.iter().map(|seat| seat.name.clone()));
            let programs = (0..listed).filter(|place| !places.contains(place));
            let programs: Vec<Value> = programs.map(|place| program(&seats[place])).collect();
            if number == 0 {
                (self.seats, self.programs) = (names, programs);
            } else {
                // What differs among cells is not shown to people.
                self.programs.retain_mut(|program| {
                    let other = programs.iter().find(|other| other["name"] == program["name"]);
                    let is_same = other == Some(program);
                    let has_kind = other.is_some_and(|other| other["kind"] == program["kind"]);
                    if let Some(program) = program.as_object_mut().filter(|_| !is_same) {
                        program.remove("model");
                    }
                    has_kind
                });
                if names != self.seats {
                    let values = vec![
                        ("found", names.join(", ").into()),
                        ("first", self.seats.join(", ").into()),
                    ];
                    faults.push((Some(number), fault("agents", "study_seats", values)));
                    continue;
                }
            }
            let empty = vec![None; places.len()];
            if let Err(error) = procedures::check(&self.seated(config, &empty, SeatKind::Human)) {
                faults.extend(of_config(error));
            }
        }
        if self.seats.is_empty() {
            return faults;
        }
        if self.least > self.seats.len() {
            faults.push((
                None,
                fault("least", "room_least", vec![("most", self.seats.len().into())]),
            ));
        }
        let wait = Policy {
            after: 0,
            then: AbsenceAction::Wait,
        };
        let default = Policies {
            absence: self.absence.unwrap_or(wait),
            patience: self.patience.unwrap_or(wait),
        };
        self.policies = vec![default; self.seats.len()];
        for (index, one) in self.exceptions.iter().enumerate() {
            match self.seats.iter().position(|name| *name == one.seat) {
                Some(place) => {
                    self.policies[place] = Policies {
                        absence: one.absence.unwrap_or(default.absence),
                        patience: one.patience.unwrap_or(default.patience),
                    }
                }
                None => faults.push((None, fault(&format!("seats[{index}].seat"), "room_seat", vec![]))),
            }
        }
        faults
    }

    /// Returns the indices of the guests' seats among the participants of a configuration; none if it has too few.
    fn places(&self, config: &Value, seats: &[Seat]) -> Vec<usize> {
        let listed = seats.len().min(config["agents"].as_array().map_or(0, Vec::len));
        let is_person = |place: &usize| seats[*place].kind == SeatKind::Human;
        let (people, others): (Vec<usize>, Vec<usize>) = (0..listed).partition(is_person);
        let count = self.guests.map_or(people.len(), |count| count as usize);
        if count > listed {
            return Vec::new();
        }
        let mut places: Vec<usize> = people.into_iter().chain(others).take(count).collect();
        places.sort();
        places
    }

    /// Returns the number of guests at a table.
    #[must_use]
    pub fn people(&self) -> usize {
        self.seats.len()
    }

    /// Builds the configuration of a table with these guests in its seats. A seat without a guest keeps its
    /// name and gets the kind `empty`.
    #[must_use]
    pub fn seated(&self, config: &Value, names: &[Option<String>], empty: SeatKind) -> Value {
        let places = self.places(config, &procedures::seats(config).unwrap_or_default());
        let mut config = config.clone();
        // Human seats of the configuration that no guest takes.
        let agents = config["agents"].as_array_mut().into_iter().flatten();
        for (_, agent) in agents.enumerate().filter(|(place, _)| !places.contains(place)) {
            if agent["kind"] == SeatKind::Human.name() {
                agent["kind"] = SeatKind::Scripted.name().into();
            }
        }
        let mut renamed = Vec::new();
        for (place, name) in places.iter().zip(names) {
            let Some(agent) = config["agents"].get_mut(*place).and_then(Value::as_object_mut) else {
                continue;
            };
            for key in MODEL_SETTINGS {
                agent.remove(key);
            }
            let kind = if name.is_some() { SeatKind::Human } else { empty };
            agent.insert("kind".to_owned(), kind.name().into());
            if let (Some(name), Some(old)) = (name, agent.get("name").and_then(Value::as_str)) {
                renamed.push((old.to_owned(), name.clone()));
            }
        }
        rename(&mut config, &renamed);
        config
    }

    /// Returns the configuration of a table whose participants are those of a record.
    #[must_use]
    pub fn seated_as(&self, config: &Value, agents: &Value) -> Value {
        let guest = |place: usize| {
            let agent = &agents[place];
            let is_guest = agent["kind"] == SeatKind::Human.name();
            is_guest.then(|| agent["name"].as_str().unwrap_or_default().to_owned())
        };
        let places = self.places(config, &procedures::seats(config).unwrap_or_default());
        let names: Vec<Option<String>> = places.into_iter().map(guest).collect();
        self.seated(config, &names, SeatKind::Scripted)
    }
}

/// Describes a program at a table for people. One that is no model is a simulated participant.
fn program(seat: &Seat) -> Value {
    if seat.kind == SeatKind::Model {
        return json!({ "name": seat.name, "kind": seat.kind, "model": seat.model });
    }
    json!({ "name": seat.name, "kind": SeatKind::Scripted })
}

/// Participant settings that do not apply to people.
const MODEL_SETTINGS: [&str; 10] = [
    "model",
    "provider",
    "base_url",
    "temperature",
    "fallback",
    "plays",
    "program",
    "reasoning_effort",
    "seed",
    "ai_model_config",
];

/// Replaces names wherever the configuration refers to a participant.
fn rename(value: &mut Value, names: &[(String, String)]) {
    match value {
        Value::String(text) => {
            if let Some((_, name)) = names.iter().find(|(old, _)| old == text) {
                text.clone_from(name);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(fields) => {
            let is_unaffected =
                |key: &str| ["kind", "role", "protocol", "language", "prompts"].contains(&key);
            let fields = fields.iter_mut().filter(|(key, _)| !is_unaffected(key));
            fields.for_each(|(_, value)| rename(value, names));
        }
        _ => {}
    }
}

fn read_policy(given: &ConfigReader, name: &str) -> Option<Policy> {
    let policy = given.object(name);
    given.has(name).then(|| Policy {
        after: Millis::from(policy.whole("after")) * 1_000,
        then: policy.one_of("then", AbsenceAction::ALL),
    })
}

fn read_seat(given: &ConfigReader) -> SeatPolicies {
    SeatPolicies {
        seat: given.text("seat").to_owned(),
        absence: read_policy(given, "absence"),
        patience: read_policy(given, "patience"),
    }
}

fn read_questions(top: &ConfigReader, name: &str) -> Vec<Question> {
    let asked = top.list(name);
    asked
        .iter()
        .zip(FIELD_NAMES)
        .map(|(one, place)| read_question(one, place))
        .collect()
}

fn read_question(given: &ConfigReader, place: &'static str) -> Question {
    let (least, most) = (given.maybe_number("least"), given.maybe_number("most"));
    let ends = given.lines("ends");
    let input = match given.text("kind") {
        "choice" => {
            let options: Vec<Choice> = given
                .lines("options")
                .into_iter()
                .map(|text| Choice::new(text.clone(), text))
                .collect();
            if options.len() < 2 {
                given.fault("options", "room_options", vec![]);
            }
            Input::Choice { options, none: None }
        }
        "yes_no" => Input::YesNo {
            yes: Choice::new("yes", ""),
            no: Choice::new("no", ""),
            is_flag: false,
        },
        kind @ ("scale" | "number") => {
            let is_scale = kind == "scale";
            let (least, most) = match is_scale {
                true => (least.unwrap_or(1.0), most.unwrap_or(7.0)),
                false => (least.unwrap_or(-1e9), most.unwrap_or(1e9)),
            };
            if least >= most {
                given.fault("most", "pair", vec![("found", most.into())]);
            }
            let mut ends = ends.into_iter();
            Input::Scale {
                least,
                most,
                step: 1.0,
                is_whole: is_scale,
                ends: [(); 2].map(|()| ends.next().unwrap_or_default()),
            }
        }
        _ => Input::Text {
            least: 0,
            most: most.map_or(2_000, |most| most.min(f64::from(MAX_TEXT)) as u32),
            lines: 2,
        },
    };
    let field = Field::new(place, given.text("label"), input).helped(given.text("help"));
    Question {
        id: given.given_text("id").unwrap_or_else(|| place.to_owned()),
        field: match given.flag("optional") {
            true => field.optional(),
            false => field,
        },
        right: given.value("right").cloned(),
    }
}
