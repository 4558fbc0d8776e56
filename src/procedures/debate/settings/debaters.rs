//! The participants of a debate.

use crate::core::limits::origin;
use crate::language::Language;
use crate::procedures::names::Names;
use crate::procedures::shared;
use crate::procedures::spec::common::{
    BASE_URL, PROVIDER, SEAT, SEAT_REST, TEMPERATURE, model, personality, temperature,
};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::spec::declare::choices;
use crate::procedures::spec::{Setting, SettingKind, SettingTable, one_of};
use crate::seat::Seat;
use serde_json::Value;

pub(super) const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    one_of("role", Role::WORDS)
        .words("agent.role.debate")
        .group("participants"),
    one_of("stance", Stance::WORDS).group("participants"),
    personality(),
    PROVIDER,
    model("o3-mini"),
    BASE_URL,
    temperature(TEMPERATURE),
];

/// A participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Debater {
    pub seat: Seat,
    /// A company, a server, or the kind of the seat.
    pub provider: String,
    pub role: Role,
    pub stance: Stance,
}

choices! {
    /// Role of a seat. All but judges criticise and vote.
    #[derive(Default)]
    pub enum Role {
        #[default]
        Proposer = "proposer",
        /// Has a proposal, and is to combine the parts.
        Synthesizer = "synthesizer",
        /// Has no proposal.
        Critic = "critic",
        /// Only judges.
        Judge = "judge",
    }
}

choices! {
    /// Assigned stance of a seat.
    #[derive(Default)]
    pub enum Stance {
        #[default]
        Neutral = "neutral",
        Affirmative = "affirmative",
        Negative = "negative",
    }
}

/// Returns the vendor prefix of the model's name, else the server, else the kind of the seat.
fn provider(seat: &Seat) -> String {
    let vendor = seat
        .model
        .as_deref()
        .and_then(|model| Some(model.split_once('/')?.0));
    let server = seat.base_url.as_deref().map(origin);
    vendor.or(server).unwrap_or(seat.kind.name()).to_owned()
}

/// Reads `agents`.
pub(super) fn debaters<'a>(top: &ConfigReader<'a>, language: Language) -> Vec<Debater> {
    let mut names = Names::default();
    let debater = |agent: ConfigReader<'a>| {
        let seat = shared::seat(&agent, &mut names, language, None);
        Debater {
            provider: agent.given_text("provider").unwrap_or_else(|| provider(&seat)),
            seat,
            role: agent.one_of("role", Role::ALL),
            stance: agent.one_of("stance", Stance::ALL),
        }
    };
    let debaters: Vec<Debater> = top.list("agents").into_iter().map(debater).collect();
    let proposers = debaters
        .iter()
        .filter(|debater| matches!(debater.role, Role::Proposer | Role::Synthesizer));
    if top.value("agents").is_some_and(Value::is_array) && proposers.count() == 0 {
        top.fault("agents", "no_proposer", vec![]);
    }
    debaters
}
