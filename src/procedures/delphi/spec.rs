//! The setting table of a Delphi poll.

use crate::procedures::spec::common::{
    self, BASE_URL, LAST, LIMITS, LONG, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST, TEMPERATURE,
};
use crate::procedures::spec::{
    Group, Literal, Setting, SettingKind, SettingTable, Spec, flag, line, number, seconds, text, whole,
};

pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("question"),
        PARTICIPANTS,
        Group::folded("schedule"),
        Group::folded("patience"),
        LIMITS,
        PROMPTS,
    ],
    settings: SettingTable(&[OWN, LAST]),
};

const OWN: &[Setting] = &[
    common::protocol(&["delphi"]),
    SCHEMA,
    text("question", LONG).required().group("question"),
    line("unit", 60).group("question"),
    number("minimum", f64::NEG_INFINITY, f64::INFINITY).group("question"),
    number("maximum", f64::NEG_INFINITY, f64::INFINITY).group("question"),
    common::title("question"),
    common::language("question"),
    common::condition("question"),
    common::answers().more("question"),
    common::seed().more("question"),
    common::agents(&AGENT).required(),
    common::READER,
    whole("rounds", 2, 20)
        .default(Literal::Whole(3))
        .group("schedule"),
    number("close_enough", 0.0, f64::INFINITY).group("schedule"),
    flag("share_reasons", true).group("schedule"),
    whole("attempts", 1, 10)
        .default(Literal::Whole(3))
        .more("patience"),
    seconds("estimate_timeout")
        .default(Literal::Number(120.0))
        .group("patience"),
];

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    common::personality(),
    PROVIDER,
    common::model(""),
    BASE_URL,
    common::temperature(TEMPERATURE),
];
