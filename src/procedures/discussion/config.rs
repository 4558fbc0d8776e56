//! Reads and checks the settings of a discussion; `spec.rs` defines them, and this file holds the checks
//! across settings. The seating is also read alone, for changes during a discussion.

use super::model_config;
use super::settings::{Participant, Role, Seating, Settings};
use super::spec::{SPEC, STARTS, STOPS};
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::procedures::names::Names;
use crate::procedures::shared::{self, ModelDefault};
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::fault::{ConfigError, Fault};
use crate::seat::{Seat, SeatKind};
use serde_json::{Map, Value};

/// Number of stop texts sent to providers; further ones are applied locally.
pub const STOPS_SENT: usize = 4;

pub type Checked = config_reader::CheckedSettings<Settings>;

/// Defaults for seats.
struct Defaults {
    language: Language,
    stops: Vec<String>,
    max_tokens: u32,
}

/// Reads and checks a configuration.
///
/// # Errors
///
/// Returns all faults with their paths if the configuration is invalid.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, read)
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

fn read(top: &ConfigReader) -> Settings {
    let language = shared::language(top);
    let (limits, max_tokens) = shared::limits(top);
    let rules = top.lines("rules");
    let stops = top.value("stop_sequences").map(|value| {
        model_config::stops(value).unwrap_or_else(|| {
            top.fault("stop_sequences", "stops", vec![]);
            Vec::new()
        })
    });
    if let Some(stops) = &stops {
        warn_if_too_many(top, "stop_sequences", stops);
    }
    let defaults = Defaults {
        language,
        stops: stops.unwrap_or_else(|| STOPS.map(str::to_owned).to_vec()),
        max_tokens,
    };
    if shared::answers(top) == Answers::Structured {
        top.warn("answers", "free_speech", vec![]);
    }
    let table = read_seating(top, &defaults);
    shared::check_limits(top, &limits, &table.seats);
    let lines = if rules.is_empty() { 3 } else { 0 };
    Settings {
        language,
        title: top.text("title").to_owned(),
        topic: top.text("topic").trim().to_owned(),
        rules,
        table,
        seed: shared::seed(top),
        rounds: top.whole("rounds"),
        turns_per_call: top.whole("turns_per_call"),
        history_window: top.whole("history_window"),
        max_lines: top.maybe_whole("max_lines").unwrap_or(lines),
        require_closing_message: top.flag("require_closing_message"),
        starts_at_once: top.one_of("start", &STARTS),
        turn_timeout: top.number("turn_timeout"),
        backoff_factor: top.number("retry_backoff_factor"),
        timeout_tries: top.whole("timeout_tries"),
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
    }
}

/// A configured agent without its place in the order.
struct Agent {
    seat: Seat,
    stops: Vec<String>,
    max_tokens: u32,
    top_p: Option<f64>,
}

fn read_seating(top: &ConfigReader, defaults: &Defaults) -> Seating {
    let is_listed = top.has("participants");
    let mut names = Names::default();
    let mut agents: Vec<Agent> = Vec::new();
    let mut order: Vec<(u32, Role, Option<String>)> = Vec::new();
    for agent in top.list("agents") {
        let read = read_agent(&agent, &mut names, defaults);
        let place = agent.maybe_whole("sequence_order");
        if !is_listed {
            let otherwise = match read.seat.kind {
                SeatKind::Human => Role::User,
                _ => Role::Specialist,
            };
            let role = agent
                .maybe_one_of("role", &Role::ALL)
                .filter(|_| agent.has("role"));
            let place = place.unwrap_or(agents.len() as u32);
            order.push((place, role.unwrap_or(otherwise), Some(read.seat.name.clone())));
        } else if agent.has("role") || place.is_some() {
            agent.warn("role", "order_elsewhere", vec![]);
        }
        agents.push(read);
    }
    for participant in top.list("participants") {
        let role = participant.maybe_one_of("role", &Role::ALL);
        let role = role.unwrap_or(Role::Specialist);
        let name = participant.maybe_text("agent");
        let place = participant.maybe_whole("sequence_order");
        let is_known = |name| agents.iter().any(|agent| agent.seat.name == name);
        match name {
            Some(name) if role != Role::User && !is_known(name) => {
                participant.warn("agent", "no_agent", vec![("name", format!("{name:?}").into())]);
            }
            None if role != Role::User => participant.warn("agent", "no_place", vec![]),
            _ => {}
        }
        order.push((place.unwrap_or(order.len() as u32), role, name.map(str::to_owned)));
    }
    if order.is_empty() {
        top.fault("agents", "nobody", vec![]);
    }
    for (index, (place, _, name)) in order.iter().enumerate() {
        let before = order.get(..index).unwrap_or_default();
        if before.iter().any(|(other, _, _)| other == place) {
            top.fault("participants", "place_twice", vec![("place", place.into())]);
        }
        // A missing name, and one of another type, is reported by itself.
        let is_named = name.as_ref().is_some_and(|name| !name.is_empty());
        let again = |(_, _, other): &(u32, Role, Option<String>)| is_named && other == name;
        if before.iter().any(again) {
            let name = name.as_deref().unwrap_or_default();
            top.fault(
                "participants",
                "name_twice",
                vec![("name", format!("{name:?}").into())],
            );
        }
    }
    order.sort_by_key(|place| place.0);
    build_seating(agents, order, defaults)
}

fn read_agent<'a>(agent: &ConfigReader<'a>, names: &mut Names, defaults: &Defaults) -> Agent {
    let config = model_config::read(agent);
    let own = ModelDefault {
        model: &config.model,
        base_url: config.base_url,
        is_configured: agent.has("ai_model_config"),
    };
    let mut seat = shared::seat(agent, names, defaults.language, Some(&own));
    if seat.kind == SeatKind::Model && !agent.has("temperature") {
        seat.temperature = Some(config.temperature);
    }
    if let Some(stops) = &config.stop {
        warn_if_too_many(agent, "ai_model_config", stops);
    }
    let stops = config.stop.unwrap_or_else(|| defaults.stops.clone());
    Agent {
        seat,
        stops,
        max_tokens: config.max_tokens.unwrap_or(defaults.max_tokens),
        top_p: config.top_p,
    }
}

fn warn_if_too_many(given: &ConfigReader, key: &str, stops: &[String]) {
    if stops.len() > STOPS_SENT {
        given.warn(key, "many_stops", vec![("most", STOPS_SENT.into())]);
    }
}

fn build_seating(
    agents: Vec<Agent>,
    order: Vec<(u32, Role, Option<String>)>,
    defaults: &Defaults,
) -> Seating {
    let mut seating = Seating {
        seats: agents.iter().map(|agent| agent.seat.clone()).collect(),
        order: Vec::new(),
    };
    for (sequence_order, role, name) in order {
        let agent = agents
            .iter()
            .find(|agent| Some(&agent.seat.name) == name.as_ref());
        let (seat, stops, max_tokens, top_p) = match agent {
            Some(agent) => (
                Some(agent.seat.clone()),
                agent.stops.clone(),
                agent.max_tokens,
                agent.top_p,
            ),
            None if role == Role::User => {
                let name = name
                    .clone()
                    .unwrap_or_else(|| user_name(defaults.language, &agents));
                let person = Seat::new(&name, SeatKind::Human, defaults.language, None, None);
                if !seating.seats.contains(&person) {
                    seating.seats.push(person.clone());
                }
                (Some(person), Vec::new(), defaults.max_tokens, None)
            }
            None => (None, Vec::new(), defaults.max_tokens, None),
        };
        let own = seat.as_ref().map(|seat| seat.name.clone());
        let name = own.or(name).unwrap_or_else(|| role.name().to_owned());
        let again = seating.order.iter().filter(|other| other.name == name).count();
        seating.order.push(Participant {
            id: if again == 0 {
                name.clone()
            } else {
                format!("{name}#{}", again + 1)
            },
            name,
            role,
            seat,
            sequence_order,
            stops,
            max_tokens,
            top_p,
        });
    }
    seating
}

/// Returns the default name of the person, made unique among the agents.
fn user_name(language: Language, agents: &[Agent]) -> String {
    let name = language.word("user");
    let is_taken = |name: &str| agents.iter().any(|agent| agent.seat.name == name);
    let mut names = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name} {number}")));
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
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
        check(&config).unwrap().settings.table.order
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
                settings.starts_at_once
            ),
            (3, false, false)
        );
        let order: Vec<_> = settings
            .table
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
            .table
            .order
            .iter()
            .map(|place| place.id.as_str())
            .collect();
        assert_eq!(ids, ["Mara", "Nobody", "User 2", "User 2#2", "Zoe"]);
        assert_eq!(settings.table.order[1].seat, None);
        let seats: Vec<_> = settings
            .table
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
        let asked = settings.table.seats[0].model.as_deref().unwrap();
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
