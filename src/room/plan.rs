//! Settings of a room and its questions to guests. Of a table's configuration it reads only the
//! participants; the rest belongs to the protocol.

use crate::core::ask::Millis;
use crate::core::form::{Choice, Field, Form, Input, MAX_TEXT};
use crate::core::random::participant_seed;
use crate::language::Language;
use crate::procedures::spec::common::{LARGEST_SEED, LONG, MAX_SEATS, language};
use crate::procedures::spec::config_reader::{self, ConfigReader};
use crate::procedures::spec::declare::{choices, settings};
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::procedures::spec::{
    AddressContent, Literal, SettingKind, SettingTable, Spec, flag, line, list, number, object, of, one_of,
    text, whole,
};
use crate::procedures::{self};
use crate::seat::{Seat, SeatKind};
use serde_json::{Value, json};

/// Maximum number of tables.
pub const MAX_TABLES: u32 = 100;
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

pub const SPEC: Spec = Spec {
    groups: &[],
    settings: SettingTable(&[Plan::TABLE]),
};

settings! {
    /// Checked settings of a room.
    pub struct Plan(top) {
        title: String = text(10_000) => top.text("title").to_owned();
        language: Language = language("room");
        /// The configuration of a table.
        session: Value = of(SettingKind::Free).required() => top.value("session").cloned().unwrap_or_default();
        /// Maximum number of tables.
        tables: usize = whole(1, MAX_TABLES).default(Literal::Whole(1)) => top.whole("tables") as usize;
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
        /// Seed of the random draws.
        seed: u32 = whole(0, LARGEST_SEED);
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
        + object("absence", POLICY);
        + object("patience", POLICY);
        + list("seats", &SEAT, MAX_SEATS);
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
        /// Indices of the guests' seats among the participants of the configuration.
        places: Vec<usize> => Vec::new();
        /// The other participants, which are programs at every table: their places, and `{ name, kind, model }`.
        programs: Vec<(usize, Value)> => Vec::new();
        /// By seat, in the order of [`Plan::seats`].
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
    field: Field,
    right: Option<Value>,
}

impl Plan {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns all faults, each with its path.
    pub fn checked(config: &Value) -> Result<Self, ConfigError> {
        let checked = config_reader::checked(config, SPEC.settings, |top| {
            let mut plan = Self::read(top);
            if plan.start == Start::At && !top.has("start_at") {
                top.fault("start_at", "missing", vec![]);
            }
            plan.choose_seats(top);
            plan
        });
        checked.map(|checked| checked.settings)
    }

    /// Selects the guests' seats and checks that a table of them can be run.
    fn choose_seats(&mut self, top: &ConfigReader) {
        let session = top.object("session");
        let add_faults = |error: ConfigError| {
            for Fault { path, code, values } in error.0 {
                session.fault(&path, code, values);
            }
        };
        let seats = match procedures::seats(&self.session) {
            Ok(seats) => seats,
            Err(error) => return add_faults(error),
        };
        let is_person = |place: &usize| seats[*place].kind == SeatKind::Human;
        let listed = self.session["agents"].as_array().map_or(0, Vec::len);
        let (people, others): (Vec<usize>, Vec<usize>) = (0..listed.min(seats.len())).partition(is_person);
        let count = self.guests.map_or(people.len(), |count| count as usize);
        if count == 0 || count > people.len() + others.len() {
            let most = people.len() + others.len();
            return top.fault("people", "room_people", vec![("most", most.into())]);
        }
        if self.least > count {
            top.fault("least", "room_least", vec![("most", count.into())]);
        }
        self.places = people.into_iter().chain(others).take(count).collect();
        self.places.sort();
        let programs = (0..listed.min(seats.len())).filter(|place| !self.places.contains(place));
        self.programs = programs.map(|place| (place, program(&seats[place]))).collect();
        let wait = Policy {
            after: 0,
            then: AbsenceAction::Wait,
        };
        let default = read_policies(top, [wait; 2]);
        self.policies = vec![default; count];
        let names = self.seats();
        for one in top.list("seats") {
            match names.iter().position(|name| name == one.text("seat")) {
                Some(place) => {
                    self.policies[place] = read_policies(&one, [default.absence, default.patience])
                }
                None => one.fault("seat", "room_seat", vec![]),
            }
        }
        let all = vec![None; count];
        if let Err(error) = procedures::check(&self.table(0, &all, SeatKind::Human)) {
            add_faults(error);
        }
    }

    /// Returns the number of guests at a table.
    #[must_use]
    pub fn people(&self) -> usize {
        self.places.len()
    }

    /// Returns the participant names in the configuration.
    #[must_use]
    pub fn taken(&self) -> Vec<&str> {
        let agents = self.session["agents"].as_array().into_iter().flatten();
        agents.filter_map(|agent| agent["name"].as_str()).collect()
    }

    /// Builds the configuration of a table with these guests in its seats. A seat without a guest keeps its
    /// name and gets the kind `empty`.
    #[must_use]
    pub fn table(&self, number: usize, names: &[Option<String>], empty: SeatKind) -> Value {
        let mut config = self.session.clone();
        let seed = config["seed"].as_u64().map_or(self.seed, |seed| seed as u32);
        config["seed"] = participant_seed(seed, number).into();
        // Human seats of the configuration that no guest takes.
        let agents = config["agents"].as_array_mut().into_iter().flatten();
        for (_, agent) in agents
            .enumerate()
            .filter(|(place, _)| !self.places.contains(place))
        {
            if agent["kind"] == SeatKind::Human.name() {
                agent["kind"] = SeatKind::Scripted.name().into();
            }
        }
        let mut renamed = Vec::new();
        for (place, name) in self.places.iter().zip(names) {
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

    /// Returns the names of the guests' seats, as configured.
    #[must_use]
    pub fn seats(&self) -> Vec<String> {
        let name = |place: &usize| {
            self.session["agents"][*place]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        self.places.iter().map(name).collect()
    }
}

/// Returns what people are told of a program at their table. One that is no model is a simulated participant.
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

/// Reads the policies, falling back to the given defaults.
fn read_policies(given: &ConfigReader, [absence, patience]: [Policy; 2]) -> Policies {
    let policy = |name: &str, default: Policy| {
        let policy = given.object(name);
        if !given.has(name) {
            return default;
        }
        Policy {
            after: Millis::from(policy.whole("after")) * 1_000,
            then: policy.one_of("then", AbsenceAction::ALL),
        }
    };
    Policies {
        absence: policy("absence", absence),
        patience: policy("patience", patience),
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
            yes: Choice::new("yes", super::words(Language::English).raw("yes")),
            no: Choice::new("no", super::words(Language::English).raw("no")),
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

/// Builds a form of questions.
#[must_use]
pub fn build_form(language: Language, title: String, questions: &[Question]) -> Form {
    let words = super::words(language);
    let fields = questions.iter().map(|question| {
        let mut field = question.field.clone();
        if let Input::YesNo { yes, no, .. } = &mut field.input {
            words.raw("yes").clone_into(&mut yes.name);
            words.raw("no").clone_into(&mut no.name);
        }
        field
    });
    Form::new(language, title, fields.collect())
}

/// Returns the answers by question id.
#[must_use]
pub fn answers_by_id(questions: &[Question], values: &Value) -> Value {
    let one = |question: &Question| Some((question.id.clone(), values.get(question.field.name)?.clone()));
    Value::Object(questions.iter().filter_map(one).collect())
}

/// Returns the field name of the first wrong answer, if any.
#[must_use]
pub fn first_wrong(questions: &[Question], values: &Value) -> Option<&'static str> {
    let is_wrong = |question: &&Question| {
        let given = values.get(question.field.name).unwrap_or(&Value::Null);
        question
            .right
            .as_ref()
            .is_some_and(|right| match (right.as_f64(), given.as_f64()) {
                (Some(right), Some(given)) => (right - given).abs() > f64::EPSILON,
                _ => right != given && json!(right.to_string()) != *given,
            })
    };
    questions
        .iter()
        .find(is_wrong)
        .map(|question| question.field.name)
}
