//! Settings that all procedures share: title, seats, limits and prompts.

use super::{
    AddressContent, Group, Literal, Setting, SettingKind, SettingTable, line, list, map, maybe_one_of, names,
    number, object, of, one_of, spelt, text, whole,
};
use crate::core::limits::OnFailure;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::seat::SeatKind;
use crate::seat::provider::{Effort, Provider};

/// Maximum number of seats.
pub const MAX_SEATS: u32 = 200;
/// Maximum length of a descriptive text, in characters.
pub const LONG: u32 = 100_000;
/// Seeds are below 2³¹.
pub const LARGEST_SEED: u32 = i32::MAX as u32;
/// Default sampling temperature.
pub const TEMPERATURE: f64 = 0.7;

pub const ANSWERS: [(&str, Answers); 2] = [("free", Answers::Free), ("structured", Answers::Structured)];
pub const KINDS: [(&str, SeatKind); 5] = [
    ("scripted", SeatKind::Scripted),
    ("model", SeatKind::Model),
    ("human", SeatKind::Human),
    ("custom", SeatKind::Custom),
    ("recorded", SeatKind::Recorded),
];

pub const PARTICIPANTS: Group = Group::open("participants");
pub const LIMITS: Group = Group::folded("limits");
pub const PROMPTS: Group = Group::folded("prompts");

/// The `protocol` setting, with the procedure's name as its only value.
#[must_use]
pub const fn protocol(name: &'static [&'static str]) -> Setting {
    one_of("protocol", name)
}

/// Address of the JSON Schema, for editors.
pub const SCHEMA: Setting = line("$schema", 2_000).since("0.2").words("field.schema");

#[must_use]
pub const fn title(name: &'static str, group: &'static str) -> Setting {
    text(name, 10_000).group(group)
}

/// Condition of the study that the run belongs to.
#[must_use]
pub const fn condition(group: &'static str) -> Setting {
    text("condition", 10_000).since("0.2").more(group)
}

const LEVEL: SettingKind = SettingKind::Text {
    most: 200,
    lines: false,
};

/// Place in the plan of a study; the plan writes it.
pub const STUDY: Setting = object(
    "study",
    SettingTable(&[&[
        line("id", 60).required(),
        map("cell", &LEVEL).required(),
        whole("repetition", 1, u32::MAX).required(),
        whole("leavers", 0, MAX_SEATS),
    ]]),
)
.since("0.2");

#[must_use]
pub const fn language(name: &'static str, group: &'static str) -> Setting {
    const NAMES: [&str; Language::ALL.len()] = names(&Language::NAMES);
    spelt(name, &NAMES, Language::SPELT, false)
        .default(Literal::Text("English"))
        .group(group)
}

/// Seed of all random draws.
#[must_use]
pub const fn seed(name: &'static str) -> Setting {
    whole(name, 0, LARGEST_SEED)
}

/// Answer format of models, structured by default.
#[must_use]
pub const fn answers(name: &'static str) -> Setting {
    free_answers(name).default(Literal::Text("structured"))
}

/// Answer format of models for procedures without structured answers.
#[must_use]
pub const fn free_answers(name: &'static str) -> Setting {
    const NAMES: [&str; 2] = names(&ANSWERS);
    one_of(name, &NAMES)
}

/// Factor by which each further attempt's time limit grows.
#[must_use]
pub const fn backoff(name: &'static str) -> Setting {
    number(name, 1.0, 3.0).default(Literal::Number(1.5))
}

/// Limits, prices and prompts, at the end of every form.
pub const LAST: &[Setting] = &[
    object("limits", SettingTable(&[OF_LIMITS])),
    object("prices", SettingTable(&[OF_PRICES])),
    object("prompts", SettingTable(&[OF_PROMPTS])),
];

const OF_READER: &[Setting] = &[
    of("model", NAME).required().more("limits"),
    maybe_one_of("provider", &names(&Provider::ALL)).more("limits"),
    of(
        "base_url",
        SettingKind::Address {
            holds: AddressContent::NoKey,
        },
    )
    .more("limits"),
    number("temperature", 0.0, 2.0).more("limits"),
];

/// The model that reads answers which the rules cannot read.
#[must_use]
pub const fn reader(name: &'static str) -> Setting {
    object(name, SettingTable(&[OF_READER])).since("0.2")
}

const AT_LEAST_ONE: SettingKind = SettingKind::Whole {
    min: 1,
    max: u32::MAX,
};

/// Reaction to a seat whose calls fail permanently. The values match those that rooms use for absent people.
pub const ON_FAILURE: [(&str, OnFailure); 4] = [
    ("wait", OnFailure::Wait),
    ("skip", OnFailure::Skip),
    ("stand_in", OnFailure::StandIn),
    ("end", OnFailure::End),
];

const OF_LIMITS: &[Setting] = &[
    whole("max_calls", 1, u32::MAX).group("limits"),
    whole("max_tokens", 1, u32::MAX).group("limits"),
    number("max_cost", 1e-6, 1e6).group("limits"),
    whole("max_answer_tokens", 1, 1_000_000)
        .default(Literal::Whole(2_000))
        .group("limits"),
    map("calls_at_once", &AT_LEAST_ONE).group("limits"),
    map("calls_per_minute", &AT_LEAST_ONE).group("limits"),
    whole("retry_for", 0, 86_400)
        .default(Literal::Whole(600))
        .counts("seconds")
        .group("limits"),
    one_of("on_failure", &names(&ON_FAILURE)).group("limits"),
];

const OF_PRICES: &[Setting] = &[
    line("currency", 3).required(),
    line("date", 10).required(),
    text("note", LONG),
    map(
        "models",
        &SettingKind::Object {
            settings: SettingTable(&[OF_PRICE]),
            free: false,
        },
    ),
];

const OF_PRICE: &[Setting] = &[
    number("input", 0.0, 1e6).required(),
    number("output", 0.0, 1e6).required(),
    number("cached", 0.0, 1e6),
];

const WORDING: SettingKind = SettingKind::Text {
    most: LONG,
    lines: true,
};
const OF_PROMPTS: &[Setting] = &{
    let mut all = [map("", &WORDING).words("field.prompts.language"); Language::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at].name = Language::CODES[at];
        at += 1;
    }
    all
};

#[must_use]
pub const fn agents(name: &'static str, of: &'static SettingKind) -> Setting {
    list(name, of, MAX_SEATS)
}

/// Name and kind of a participant.
pub const SEAT: &[Setting] = &[
    line("name", 60).required().group("participants"),
    maybe_one_of("kind", &names(&KINDS)).group("participants"),
];

#[must_use]
pub const fn personality() -> Setting {
    text("personality", LONG).group("participants")
}

const IS_MODEL: &[super::When] = &[("kind", &["model"])];
const IS_CUSTOM: &[super::When] = &[("kind", &["custom"])];
const IS_RECORDED: &[super::When] = &[("kind", &["recorded"])];
/// A model, or a list of which the first is used and the others are fallbacks.
pub const MODELS: SettingKind = SettingKind::Either {
    of: &[
        NAME,
        SettingKind::List {
            of: &NAME,
            most: MAX_FALLBACKS + 1,
        },
    ],
};
const NAME: SettingKind = SettingKind::Text {
    most: 1_000,
    lines: false,
};
/// Maximum length of a `fallback` list.
const MAX_FALLBACKS: u32 = 5;

pub const PROVIDER: Setting = maybe_one_of("provider", &names(&Provider::ALL))
    .group("participants")
    .when(IS_MODEL);

/// The model of a seat; `usual` is its default.
#[must_use]
pub const fn model(usual: &'static str) -> Setting {
    of("model", MODELS)
        .default(Literal::Text(usual))
        .group("participants")
        .when(&[("kind", &["model", "custom"])])
}

#[must_use]
pub const fn temperature(usual: f64) -> Setting {
    number("temperature", 0.0, 2.0)
        .default(Literal::Number(usual))
        .group("participants")
        .when(IS_MODEL)
}

pub const BASE_URL: Setting = of(
    "base_url",
    SettingKind::Address {
        holds: AddressContent::NoKey,
    },
)
.group("participants")
.when(IS_MODEL);

/// The remaining settings of a participant.
pub const SEAT_REST: &[Setting] = &[
    list(
        "fallback",
        &SettingKind::Object {
            settings: SettingTable(&[OF_FALLBACK]),
            free: false,
        },
        MAX_FALLBACKS,
    )
    .more("participants")
    .when(IS_MODEL),
    object("plays", SettingTable(&[OF_PLAYS]))
        .group("participants")
        .when(IS_RECORDED),
    line("program", 200).group("participants").when(IS_CUSTOM),
    maybe_one_of("reasoning_effort", &names(&Effort::ALL))
        .more("participants")
        .when(IS_MODEL),
    whole("seed", 0, LARGEST_SEED)
        .words("agent.model_seed")
        .more("participants")
        .when(IS_MODEL),
    spelt(
        "language",
        &names(&Language::SEAT_NAMES),
        Language::SEAT_SPELT,
        true,
    )
    .more("participants"),
];

const OF_FALLBACK: &[Setting] = &[
    of("model", NAME).required(),
    maybe_one_of("provider", &names(&Provider::ALL)),
    of(
        "base_url",
        SettingKind::Address {
            holds: AddressContent::NoKey,
        },
    ),
];

const OF_PLAYS: &[Setting] = &[line("session", 1_000).required(), line("seat", 60)];
