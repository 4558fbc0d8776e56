//! Settings of a discussion.

use super::model_config;
use super::seating::{Defaults, Role, Seating, read_seating};
use crate::core::limits::Limits;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::procedures::open_talk::Turns;
use crate::procedures::shared::{self, Prompts};
use crate::procedures::spec::common::{
    BASE_URL, LAST, LIMITS, LONG, MAX_SEATS, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST, STUDY,
    agents, backoff, condition, free_answers, language, model, personality, protocol, seed, temperature,
    title,
};
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::declare::{choices, settings};
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, When, flag, line, list, maybe_one_of, of,
    one_of, seconds, text, whole,
};
use serde_json::{Map, Value};

/// Default texts that end a contribution (seed 002).
const STOPS: [&str; 3] = ["[", "\n\n", "Speaker:"];
/// Number of stop texts sent to providers; further ones are applied locally.
pub const STOPS_SENT: usize = 4;

settings! {
    pub struct Settings(top) {
        + protocol(&["discussion"]);
        + SCHEMA;
        /// May be empty.
        topic: String = text(LONG).group("topic");
        /// Empty: the default rule of the prompts.
        rules: Vec<String> = of(SettingKind::Lines).group("topic") => top.lines("rules");
        title: String = title("topic") => top.text("title").to_owned();
        /// Default language; seats may differ.
        language: Language = language("topic");
        start: Start = one_of(Start::WORDS).group("topic");
        + condition("topic");
        + STUDY;
        answers: Answers = free_answers().more("topic");
        /// 0 to 2³¹−1.
        seed: Option<u32> = seed().more("topic");
        seating as "agents": Seating = agents(&AGENT)
            => read_seating(top, &Defaults { language, stops: stops(top), max_tokens: shared::max_answer_tokens(top) });
        + list("participants", &PLACE, MAX_SEATS);
        turns: Turns = one_of(Turns::WORDS).group("turns").since("0.2");
        /// Length of an open discussion.
        minutes: u32 = whole(1, 180).default(Literal::Whole(8)).group("turns").when(OPEN).since("0.2");
        /// Maximum number of rounds.
        rounds: u32 = whole(1, 1_000).also(&["max_discussion_rounds"]).default(Literal::Whole(3)).group("turns");
        /// Consecutive agent turns before the discussion is suspended.
        turns_per_call: u32 = whole(1, 10_000).also(&["max_turn_iterations"]).default(Literal::Whole(20)).group("turns");
        /// Whether the discussion waits for a person to close it once only people's turns are left in the last round.
        require_closing_message: bool = flag(false).group("turns");
        /// Maximum number of lines of an agent's contribution; 0: no limit.
        max_lines: u32 = whole(0, 10_000).group("turns")
            => top.maybe_whole("max_lines").unwrap_or(if rules.is_empty() { 3 } else { 0 });
        /// Maximum number of recent contributions in a prompt.
        history_window: u32 = whole(0, 10_000).default(Literal::Whole(10)).group("turns");
        + of("stop_sequences", SettingKind::Lines).default(Literal::Texts(&STOPS)).more("turns");
        /// First time limit of an agent's turn, in seconds.
        turn_timeout: f64 = seconds().default(Literal::Number(60.0)).group("patience");
        /// Maximum attempts of a call that times out.
        timeout_tries: u32 = whole(1, 10).default(Literal::Whole(3)).group("patience");
        /// Factor by which each further attempt's time limit grows.
        retry_backoff_factor: f64 = backoff().group("patience");
    }
    derived {
        limits: Limits => shared::limits(top, &seating.seats);
        prompts: Prompts => shared::prompts(top, &super::TEXTS, &super::prompts::PROMPTS);
    }
}

choices! {
    /// When agents at the head of the order start.
    pub enum Start {
        /// After a message.
        Message = "message",
        AtOnce = "at_once",
    }
}

const OPEN: &[When] = &[("turns", &["open"])];

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    maybe_one_of("role", Role::WORDS)
        .by(
            "kind",
            &[("human", Literal::Text("user"))],
            Literal::Text("specialist"),
        )
        .words("agent.role.discussion")
        .group("participants"),
    personality().also(&["system_prompt"]),
    PROVIDER,
    model("llama-3.1-8b-instant"),
    BASE_URL,
    temperature(0.2),
    of("ai_model_config", SettingKind::Free),
    whole("sequence_order", 0, 1_000_000),
];

const PLACE: SettingKind = SettingKind::Object {
    settings: SettingTable(&[OF_PLACE]),
    free: false,
};

const OF_PLACE: &[Setting] = &[
    maybe_one_of("role", Role::WORDS)
        .required()
        .words("agent.role.discussion"),
    line("agent", 60).also(&["agent_id"]),
    whole("sequence_order", 0, 1_000_000),
];

pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("topic"),
        PARTICIPANTS,
        Group::folded("turns"),
        Group::folded("patience"),
        LIMITS,
        PROMPTS,
    ],
    settings: SettingTable(&[Settings::TABLE, LAST]),
};

pub type Checked = config_reader::CheckedSettings<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, |top| {
        let settings = Settings::read(top);
        if settings.answers == Answers::Structured {
            top.warn("answers", "free_speech", vec![]);
        }
        settings
    })
}

/// Returns the configuration with the keys `agents` and `participants` of `table`.
///
/// # Errors
///
/// Returns all faults with their paths if `table` is invalid.
pub fn reseated(config: &Value, table: &Value) -> Result<Value, ConfigError> {
    let empty = Map::new();
    let mut config = config.as_object().unwrap_or(&empty).clone();
    config.remove("agents");
    config.remove("participants");
    let fault = |path: &str, code: &'static str| {
        let (path, values) = (path.to_owned(), Vec::new());
        ConfigError(vec![Fault { path, code, values }])
    };
    let Some(table) = table.as_object() else {
        return Err(fault("", "table"));
    };
    for (key, value) in table {
        if key != "agents" && key != "participants" {
            return Err(fault(key, "not_of_the_table"));
        }
        config.insert(key.clone(), value.clone());
    }
    let config = Value::Object(config);
    check(&config).map(|_| config)
}

/// Reads the texts that end a contribution.
fn stops(top: &ConfigReader) -> Vec<String> {
    let Some(value) = top.value("stop_sequences") else {
        return STOPS.map(str::to_owned).to_vec();
    };
    let stops = model_config::stops(value).unwrap_or_else(|| {
        top.fault("stop_sequences", "stops", vec![]);
        Vec::new()
    });
    warn_if_too_many(top, "stop_sequences", &stops);
    stops
}

/// Warns of stop texts that are not sent to providers.
pub(super) fn warn_if_too_many(given: &ConfigReader, key: &str, stops: &[String]) {
    if stops.len() > STOPS_SENT {
        given.warn(key, "many_stops", vec![("most", STOPS_SENT.into())]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::procedures::discussion::seating::Participant;
    use serde_json::json;

    /// Parses places from `role:name`. The name `-` is an unknown agent; a user is a person.
    pub(in crate::procedures::discussion) fn order(places: &[&str]) -> Vec<Participant> {
        let pairs = || places.iter().map(|place| place.split_once(':').unwrap());
        let agents: Vec<Value> = pairs()
            .filter(|(role, name)| *role != "user" && *name != "-")
            .map(|(_, name)| json!({ "name": name }))
            .collect();
        let participants: Vec<Value> = pairs()
            .map(|(role, name)| json!({ "role": role, "agent": if name == "-" { Value::Null } else { json!(name) } }))
            .collect();
        let config = json!({ "agents": agents, "participants": participants });
        check(&config).unwrap().settings.seating.order
    }

    fn faults(config: &Value) -> Vec<String> {
        let ConfigError(faults) = check(config).unwrap_err();
        faults
            .iter()
            .map(|fault| format!("{}: {}", fault.path, fault.message(Language::English)))
            .collect()
    }

    #[test]
    fn defaults_are_those_of_the_published_program() {
        let config =
            json!({ "agents": [{ "name": "Mara", "role": "manager" }, { "name": "Io", "kind": "human" }] });
        let Checked { settings, warnings } = check(&config).unwrap();
        assert_eq!(warnings, []);
        assert_eq!(
            (settings.rounds, settings.turns_per_call, settings.history_window),
            (3, 20, 10)
        );
        assert_eq!(
            (
                settings.max_lines,
                settings.require_closing_message,
                settings.start
            ),
            (3, false, Start::Message)
        );
        let order: Vec<_> = settings
            .seating
            .order
            .iter()
            .map(|place| {
                (
                    place.id.as_str(),
                    place.role,
                    place.stops.len(),
                    place.is_person(),
                )
            })
            .collect();
        assert_eq!(
            order,
            [("Mara", Role::Manager, 3, false), ("Io", Role::User, 3, true)]
        );
    }

    #[test]
    fn participants_refer_to_agents_or_to_people() {
        let config = json!({
            "agents": [{ "name": "User" }, { "name": "Mara" }],
            "participants": [
                { "role": "user", "sequence_order": 3 },
                { "role": "manager", "agent": "Mara", "sequence_order": 1 },
                { "role": "specialist", "agent_id": "Nobody", "sequence_order": 2 },
                { "role": "user", "sequence_order": 4 },
                { "role": "user", "agent": "Zoe", "sequence_order": 5 },
            ],
        });
        let Checked { settings, warnings } = check(&config).unwrap();
        let ids: Vec<_> = settings
            .seating
            .order
            .iter()
            .map(|place| place.id.as_str())
            .collect();
        assert_eq!(ids, ["Mara", "Nobody", "User 2", "User 2#2", "Zoe"]);
        assert_eq!(settings.seating.order[1].seat, None);
        let seats: Vec<_> = settings
            .seating
            .seats
            .iter()
            .map(|seat| seat.name.as_str())
            .collect();
        assert_eq!(seats, ["User", "Mara", "User 2", "Zoe"]);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].path, "participants[2].agent");
    }

    #[test]
    fn rules_are_a_text_or_a_list() {
        let rules = |rules: Value| {
            let config = json!({ "agents": [{ "name": "A" }], "rules": rules });
            let settings = check(&config).unwrap().settings;
            (settings.rules, settings.max_lines)
        };
        let two = vec!["one".to_owned(), "two".to_owned()];
        assert_eq!(rules(json!("one\n\n two ")), (two.clone(), 0));
        assert_eq!(rules(json!([" one", "", 3, "two"])), (two, 0));
        assert_eq!(rules(json!(" \n")), (Vec::new(), 3));
    }

    #[test]
    fn a_missing_model_causes_a_warning() {
        let config = json!({ "agents": [
            { "name": "A", "kind": "model" },
            { "name": "C", "kind": "model", "provider": "openai", "model": "gpt-4o" },
            { "name": "D" },
        ] });
        let Checked { settings, warnings } = check(&config).unwrap();
        let reported: Vec<_> = warnings.iter().map(|one| (one.path.as_str(), one.code)).collect();
        assert_eq!(reported, [("agents[0].model", "usual_model")]);
        let asked = settings.seating.seats[0].model.as_deref().unwrap();
        assert!(warnings[0].message(Language::English).contains(asked));
    }

    #[test]
    fn faults_have_paths() {
        assert_eq!(
            faults(&json!({ "agents": [] })),
            ["agents: names nobody: a discussion needs participants"]
        );
        let config = json!({
            "agents": [{ "name": "A", "role": "chair" }, { "name": "A", "sequence_order": 0 }],
            "rounds": 0, "round": 2, "rules": 3, "stop_sequences": [""],
        });
        assert_eq!(
            faults(&config),
            [
                "rules: is 3, must be a text of lines or a list of texts",
                "agents[0].role: is \"chair\", must be one of: manager, leader, specialist, user",
                "rounds: is 0, must be a whole number from 1 to 1000",
                "round: is not a setting; is rounds meant?",
                "stop_sequences: must be a list of texts, not all of them empty",
                "agents[1].name: \"A\" is taken by another participant",
                "participants: have the place 0 in the order twice",
                "participants: name \"A\" twice",
            ]
        );
    }

    #[test]
    fn a_new_seating_is_checked_as_a_whole() {
        let config = json!({ "topic": "t", "agents": [{ "name": "A" }] });
        let changed = reseated(&config, &json!({ "agents": [{ "name": "B" }] })).unwrap();
        assert_eq!(changed, json!({ "topic": "t", "agents": [{ "name": "B" }] }));
        assert!(reseated(&config, &json!({ "agents": [] })).is_err());
        assert!(reseated(&config, &json!({ "agents": [{ "name": "B" }], "rounds": 9 })).is_err());
        assert!(reseated(&config, &json!(3)).is_err());
    }
}
