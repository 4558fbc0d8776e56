//! Seats and speaking order of a discussion, read from `agents` and `participants`.

use super::model_config;
use super::settings::warn_if_too_many;
use crate::language::Language;
use crate::procedures::names::Names;
use crate::procedures::shared::{self, ModelDefault};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::spec::declare::choices;
use crate::seat::{Seat, SeatKind};

/// Seats and speaking order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seating {
    /// All seats, including those outside the order.
    pub seats: Vec<Seat>,
    /// Never empty.
    pub order: Vec<Participant>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Participant {
    /// Stable across changes of the order: the name, followed by `#` and a number from the second place of
    /// that name on.
    pub id: String,
    /// Name as the others see it.
    pub name: String,
    pub role: Role,
    /// `None`: an unknown agent.
    pub seat: Option<Seat>,
    /// Sort key of the order.
    pub sequence_order: u32,
    /// Texts that end a contribution; none of them empty.
    pub stops: Vec<String>,
    /// Maximum length of an answer, in tokens.
    pub max_tokens: u32,
    /// Nucleus sampling: probability mass, if it is to be sent.
    pub top_p: Option<f64>,
}

impl Participant {
    /// Returns whether the place is a person's, whose messages are not cleaned.
    #[must_use]
    pub fn is_person(&self) -> bool {
        match &self.seat {
            Some(seat) if seat.kind == SeatKind::Human => true,
            Some(seat) => self.role == Role::User && seat.kind != SeatKind::Model,
            None => false,
        }
    }
}

choices! {
    pub enum Role {
        Manager = "manager",
        Leader = "leader",
        Specialist = "specialist",
        /// The person the discussion is for; agents stop here and wait.
        User = "user",
    }
}

/// Defaults for seats.
pub(super) struct Defaults {
    pub(super) language: Language,
    pub(super) stops: Vec<String>,
    pub(super) max_tokens: u32,
}

/// A configured agent without its place in the order.
struct Agent {
    seat: Seat,
    stops: Vec<String>,
    max_tokens: u32,
    top_p: Option<f64>,
}

/// Reads seats and order, and checks them.
pub(super) fn read_seating(top: &ConfigReader, defaults: &Defaults) -> Seating {
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
                .maybe_one_of("role", Role::ALL)
                .filter(|_| agent.has("role"));
            let place = place.unwrap_or(agents.len() as u32);
            order.push((place, role.unwrap_or(otherwise), Some(read.seat.name.clone())));
        } else if agent.has("role") || place.is_some() {
            agent.warn("role", "order_elsewhere", vec![]);
        }
        agents.push(read);
    }
    for participant in top.list("participants") {
        let role = participant.maybe_one_of("role", Role::ALL);
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
