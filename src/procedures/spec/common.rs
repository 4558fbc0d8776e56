//! Settings that every procedure has: what a run is called, who sits at the table, limits, own wordings.

use super::{
    AddressContent, Group, Literal, Setting, SettingKind, SettingTable, line, list, map, maybe_one_of, names,
    number, object, of, one_of, spelt, text, whole,
};
use crate::core::limits::OnFailure;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::seat::SeatKind;
use crate::seat::provider::{Effort, Provider};

/// Seats at a table at most.
pub const MOST_SEATS: u32 = 200;
/// Characters of a text that describes something.
pub const LONG: u32 = 100_000;
/// Seeds are below 2³¹.
pub const LARGEST_SEED: u32 = i32::MAX as u32;
/// What a model is asked with where nothing is said.
pub const TEMPERATURE: f64 = 0.7;

/// Forms of answers.
pub const ANSWERS: [(&str, Answers); 2] = [("free", Answers::Free), ("structured", Answers::Structured)];
/// What kinds of participants there are.
pub const KINDS: [(&str, SeatKind); 5] = [
    ("scripted", SeatKind::Scripted),
    ("model", SeatKind::Model),
    ("human", SeatKind::Human),
    ("custom", SeatKind::Custom),
    ("recorded", SeatKind::Recorded),
];

/// The group of those who take part.
pub const PARTICIPANTS: Group = Group::open("participants");
/// The group of caps.
pub const LIMITS: Group = Group::folded("limits");
/// The group of own wordings.
pub const PROMPTS: Group = Group::folded("prompts");

/// The configuration's procedure, as the only word of a list.
#[must_use]
pub const fn protocol(name: &'static [&'static str]) -> Setting {
    one_of("protocol", name)
}

/// Where an editor finds what may stand in a configuration.
pub const SCHEMA: Setting = line("$schema", 2_000).since("0.2").words("field.schema");

/// What a run is called.
#[must_use]
pub const fn title(group: &'static str) -> Setting {
    text("title", 10_000).group(group)
}

/// Which condition of a study a run belongs to.
#[must_use]
pub const fn condition(group: &'static str) -> Setting {
    text("condition", 10_000).since("0.2").more(group)
}

/// The language of a run.
#[must_use]
pub const fn language(group: &'static str) -> Setting {
    const NAMES: [&str; Language::ALL.len()] = names(&Language::NAMES);
    spelt("language", &NAMES, Language::SPELT, false)
        .usually(Literal::Text("English"))
        .group(group)
}

/// From where all draws follow.
#[must_use]
pub const fn seed() -> Setting {
    whole("seed", 0, LARGEST_SEED)
}

/// In which form models answer: by a given one, where nothing is said.
#[must_use]
pub const fn answers() -> Setting {
    free_answers().usually(Literal::Text("structured"))
}

/// The same where there is nothing that could have a form.
#[must_use]
pub const fn free_answers() -> Setting {
    const NAMES: [&str; 2] = names(&ANSWERS);
    one_of("answers", &NAMES)
}

/// How much longer each further try may take.
#[must_use]
pub const fn backoff(name: &'static str) -> Setting {
    number(name, 1.0, 3.0).usually(Literal::Number(1.5))
}

/// Limits, prices and own wordings, at the end of every form.
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

/// Which model reads what the rules do not understand.
pub const READER: Setting = object("reader", SettingTable(&[OF_READER])).since("0.2");

const AT_LEAST_ONE: SettingKind = SettingKind::Whole {
    min: 1,
    max: u32::MAX,
};

/// What is done where a seat's calls fail for good, by the words that rooms have for people who are away.
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
        .usually(Literal::Whole(2_000))
        .group("limits"),
    map("calls_at_once", &AT_LEAST_ONE).group("limits"),
    map("calls_per_minute", &AT_LEAST_ONE).group("limits"),
    whole("retry_for", 0, 86_400)
        .usually(Literal::Whole(600))
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

/// Who sits at the table.
#[must_use]
pub const fn agents(of: &'static SettingKind) -> Setting {
    list("agents", of, MOST_SEATS)
}

/// A participant's name and who answers for it.
pub const SEAT: &[Setting] = &[
    line("name", 60).required().group("participants"),
    maybe_one_of("kind", &names(&KINDS)).group("participants"),
];

/// What a participant is like.
#[must_use]
pub const fn personality() -> Setting {
    text("personality", LONG).group("participants")
}

const IS_MODEL: &[super::When] = &[("kind", &["model"])];
const IS_CUSTOM: &[super::When] = &[("kind", &["custom"])];
const IS_RECORDED: &[super::When] = &[("kind", &["recorded"])];
/// A model, or several of which the first is asked and the others where it fails.
pub const MODELS: SettingKind = SettingKind::Either {
    of: &[
        NAME,
        SettingKind::List {
            of: &NAME,
            most: MOST_FALLBACKS + 1,
        },
    ],
};
const NAME: SettingKind = SettingKind::Text {
    most: 1_000,
    lines: false,
};
/// Models in a list `fallback` at most.
const MOST_FALLBACKS: u32 = 5;

/// Whose model answers for a participant.
pub const PROVIDER: Setting = maybe_one_of("provider", &names(&Provider::ALL))
    .group("participants")
    .when(IS_MODEL);

/// Which model answers, and what is asked where none is named.
#[must_use]
pub const fn model(usual: &'static str) -> Setting {
    of("model", MODELS)
        .usually(Literal::Text(usual))
        .group("participants")
        .when(&[("kind", &["model", "custom"])])
}

/// How freely a model answers.
#[must_use]
pub const fn temperature(usual: f64) -> Setting {
    number("temperature", 0.0, 2.0)
        .usually(Literal::Number(usual))
        .group("participants")
        .when(IS_MODEL)
}

/// Where a model is found.
pub const BASE_URL: Setting = of(
    "base_url",
    SettingKind::Address {
        holds: AddressContent::NoKey,
    },
)
.group("participants")
.when(IS_MODEL);

/// The rest of what can be said of a participant.
pub const SEAT_REST: &[Setting] = &[
    list(
        "fallback",
        &SettingKind::Object {
            settings: SettingTable(&[OF_FALLBACK]),
            free: false,
        },
        MOST_FALLBACKS,
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
