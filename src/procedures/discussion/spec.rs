//! The setting table of a discussion.

use super::settings::Role;
use crate::procedures::spec::common::{
    self, BASE_URL, LAST, LIMITS, LONG, MAX_SEATS, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST,
};
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, flag, line, list, maybe_one_of, names, of,
    one_of, seconds, text, whole,
};

/// Default texts that end a contribution (seed 002).
pub const STOPS: [&str; 3] = ["[", "\n\n", "Speaker:"];
/// When agents at the head of the order start.
pub const STARTS: [(&str, bool); 2] = [("message", false), ("at_once", true)];

pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("topic"),
        PARTICIPANTS,
        Group::folded("turns"),
        Group::folded("patience"),
        LIMITS,
        PROMPTS,
    ],
    settings: SettingTable(&[OWN, LAST]),
};

const OWN: &[Setting] = &[
    common::protocol(&["discussion"]),
    SCHEMA,
    text("topic", LONG).group("topic"),
    of("rules", SettingKind::Lines).group("topic"),
    common::title("topic"),
    common::language("topic"),
    one_of("start", &names(&STARTS)).group("topic"),
    common::condition("topic"),
    common::free_answers().more("topic"),
    common::seed().more("topic"),
    common::agents(&AGENT),
    list("participants", &PLACE, MAX_SEATS),
    whole("rounds", 1, 1_000)
        .also(&["max_discussion_rounds"])
        .default(Literal::Whole(3))
        .group("turns"),
    whole("turns_per_call", 1, 10_000)
        .also(&["max_turn_iterations"])
        .default(Literal::Whole(20))
        .group("turns"),
    flag("require_closing_message", false).group("turns"),
    whole("max_lines", 0, 10_000).group("turns"),
    whole("history_window", 0, 10_000)
        .default(Literal::Whole(10))
        .group("turns"),
    of("stop_sequences", SettingKind::Lines)
        .default(Literal::Texts(&STOPS))
        .more("turns"),
    seconds("turn_timeout")
        .default(Literal::Number(60.0))
        .group("patience"),
    whole("timeout_tries", 1, 10)
        .default(Literal::Whole(3))
        .group("patience"),
    common::backoff("retry_backoff_factor").group("patience"),
];

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    maybe_one_of("role", &names(&Role::ALL))
        .by(
            "kind",
            &[("human", Literal::Text("user"))],
            Literal::Text("specialist"),
        )
        .words("agent.role.discussion")
        .group("participants"),
    common::personality().also(&["system_prompt"]),
    PROVIDER,
    common::model("llama-3.1-8b-instant"),
    BASE_URL,
    common::temperature(0.2),
    of("ai_model_config", SettingKind::Free),
    whole("sequence_order", 0, 1_000_000),
];

const PLACE: SettingKind = SettingKind::Object {
    settings: SettingTable(&[OF_PLACE]),
    free: false,
};

const OF_PLACE: &[Setting] = &[
    maybe_one_of("role", &names(&Role::ALL))
        .required()
        .words("agent.role.discussion"),
    line("agent", 60).also(&["agent_id"]),
    whole("sequence_order", 0, 1_000_000),
];
