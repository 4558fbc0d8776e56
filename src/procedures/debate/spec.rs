//! The settings of a debate.

use super::config::after::ACTIONS;
use super::rules::consensus::Mode;
use super::rules::convergence::Metric;
use super::rules::elo;
use super::rules::judging::Selection;
use super::rules::topology::Topology;
use super::settings::{Role, RoundKind, SourceKind, Stance};
use super::voting::Likeness;
use crate::procedures::spec::common::{
    self, BASE_URL, LAST, LIMITS, LONG, PARTICIPANTS, PROMPTS, PROVIDER, SCHEMA, SEAT, SEAT_REST,
};
use crate::procedures::spec::{
    AddressContent, Group, Literal, Setting, SettingKind, SettingTable, Spec, When, flag, line, list, map,
    maybe_one_of, names, number, object, of, one_of, seconds, text, whole,
};

pub const TOPOLOGIES: [(&str, Topology); 7] = [
    ("all-to-all", Topology::AllToAll),
    ("sparse", Topology::Sparse),
    ("round-robin", Topology::RoundRobin),
    ("ring", Topology::Ring),
    ("star", Topology::Star),
    ("random-graph", Topology::RandomGraph),
    ("adaptive", Topology::Adaptive),
];
pub const SELECTIONS: [(&str, Selection); 4] = [
    ("random", Selection::Random),
    ("last", Selection::Last),
    ("elo_ranked", Selection::EloRanked),
    ("calibrated", Selection::Calibrated),
];
pub const MODES: [(&str, Mode); 8] = [
    ("majority", Mode::Majority),
    ("supermajority", Mode::Supermajority),
    ("unanimous", Mode::Unanimous),
    ("weighted", Mode::Weighted),
    ("judge", Mode::Judge),
    ("any", Mode::Any),
    ("none", Mode::None),
    ("byzantine", Mode::Byzantine),
];
pub const METRICS: [(&str, Metric); 3] = [
    ("inter_agent", Metric::InterAgent),
    ("self_stability", Metric::SelfStability),
    ("both", Metric::Both),
];
pub const LIKENESS: [(&str, Likeness); 3] = [
    ("auto", Likeness::Auto),
    ("tfidf", Likeness::Tfidf),
    ("jaccard", Likeness::Jaccard),
];
pub const SELF_VOTES: [(&str, OwnVote); 3] = [
    ("downweight", OwnVote::Part),
    ("exclude", OwnVote::Excluded),
    ("log_only", OwnVote::Full),
];
/// Named schedules, and whether they are the classic one.
pub const SCHEDULES: [(&str, bool); 2] = [("nine_rounds", false), ("classic", true)];

/// Treatment of votes for the voter's own proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnVote {
    /// Counts in part.
    Part,
    /// Does not count.
    Excluded,
    /// Counts fully.
    Full,
}

/// All settings of a debate.
pub const SPEC: Spec = Spec {
    groups: &[
        Group::open("question"),
        PARTICIPANTS,
        Group::folded("schedule"),
        Group::folded("convergence"),
        Group::folded("decision"),
        Group::folded("manner"),
        Group::folded("after"),
        Group::folded("patience"),
        LIMITS,
        PROMPTS,
    ],
    settings: SettingTable(&[OWN, VOTING, LAST]),
};

const DETECTS: &[When] = &[("convergence_detection", &["true"])];
const IN_PART: &[When] = &[("topology", &["sparse", "random-graph", "adaptive"])];
const COUNTS: &[When] = &[(
    "consensus",
    &["judge", "majority", "supermajority", "weighted", "byzantine"],
)];
const LINE: SettingKind = SettingKind::Text {
    most: 1_000,
    lines: false,
};

/// Defines a fraction, 0 to 1.
const fn part(name: &'static str, default: f64) -> Setting {
    number(name, 0.0, 1.0).default(Literal::Number(default))
}

const OWN: &[Setting] = &[
    common::protocol(&["debate"]),
    SCHEMA,
    text("question", LONG).required().group("question"),
    common::title("question"),
    common::language("question"),
    line("domain", 100).group("question"),
    of(
        "context",
        SettingKind::Either {
            of: &[
                SettingKind::Text {
                    most: 1_000_000,
                    lines: true,
                },
                SettingKind::List {
                    of: &MATERIAL,
                    most: 200,
                },
            ],
        },
    )
    .group("question"),
    whole("context_tokens", 500, 50_000)
        .default(Literal::Whole(4_500))
        .counts("tokens")
        .more("question"),
    list("sources", &SOURCE, 20).group("question"),
    common::condition("question"),
    common::answers().more("question"),
    common::seed().more("question"),
    common::agents(&AGENT).required(),
    of(
        "schedule",
        SettingKind::Either {
            of: &[
                SettingKind::OneOf {
                    words: &names(&SCHEDULES),
                    also: &[],
                    any_case: false,
                },
                SettingKind::List {
                    of: &ROUND,
                    most: 1_000,
                },
            ],
        },
    )
    .default(Literal::Text("nine_rounds"))
    .group("schedule"),
    whole("max_extended_rounds", 0, 12)
        .default(Literal::Whole(3))
        .group("schedule"),
    flag("recritique_each_revision", true).group("schedule"),
    one_of("topology", &names(&TOPOLOGIES)).group("schedule"),
    part("topology_sparsity", 0.5).group("schedule").when(IN_PART),
    line("topology_hub_agent", 60)
        .group("schedule")
        .when(&[("topology", &["star"])]),
    whole("team_size", 2, 100).group("schedule"),
    map(
        "domain_patterns",
        &SettingKind::List {
            of: &LINE,
            most: 1_000,
        },
    ),
    flag("convergence_detection", true).group("convergence"),
    part("convergence_threshold", 0.85)
        .group("convergence")
        .when(DETECTS),
    maybe_one_of("convergence_metric", &names(&METRICS))
        .by(
            "schedule",
            &[("classic", Literal::Text("self_stability"))],
            Literal::Text("inter_agent"),
        )
        .group("convergence")
        .when(DETECTS),
    part("divergence_threshold", 0.4)
        .more("convergence")
        .when(DETECTS),
    one_of("similarity", &names(&LIKENESS)).more("convergence"),
    flag("early_stopping", true).group("convergence"),
    part("early_stop_threshold", 0.85)
        .more("convergence")
        .when(&[("early_stopping", &["true"])]),
    whole("min_rounds_before_early_stop", 0, 1_000)
        .more("convergence")
        .when(&[("early_stopping", &["true"])]),
    flag("enable_ready_signals", true).more("convergence"),
    object("embeddings", SettingTable(&[EMBEDDINGS])),
    common::READER,
    one_of("consensus", &names(&MODES)).group("decision"),
    part("consensus_threshold", 0.6).group("decision").when(COUNTS),
    one_of("judge_selection", &names(&SELECTIONS)).group("decision"),
    flag("failed_is_dissent", true).more("decision"),
    part("min_participation_ratio", 0.5).more("decision"),
    whole("min_participation_count", 0, 100)
        .default(Literal::Whole(2))
        .more("decision"),
    map(
        "ratings",
        &SettingKind::Either {
            of: &[
                SettingKind::Number {
                    min: MIN_RATING,
                    max: MAX_RATING,
                },
                SettingKind::Object {
                    settings: SettingTable(&[RATING]),
                    free: false,
                },
            ],
        },
    )
    .more("decision"),
    whole("agreement_intensity", 0, 10)
        .default(Literal::Whole(5))
        .group("manner"),
    flag("role_rotation", true).group("manner"),
    flag("enable_trickster", true).group("manner"),
    part("trickster_sensitivity", 0.7)
        .group("manner")
        .when(&[("enable_trickster", &["true"])]),
    flag("trickster_veto", false)
        .group("manner")
        .when(&[("enable_trickster", &["true"])]),
    whole("trickster_max_blocked_rounds", 0, 12)
        .default(Literal::Whole(1))
        .more("manner")
        .when(&[("trickster_veto", &["true"])]),
    flag("enable_rhetorical_observer", true).group("manner"),
    list("after", &AFTER, 100).group("after"),
    seconds("timeout_seconds")
        .default(Literal::Number(120.0))
        .group("patience"),
    common::backoff("retry_backoff_factor").more("patience"),
    flag("enable_circuit_breaker", true).more("patience"),
    object("at_once", SettingTable(&[AT_ONCE])),
];

const VOTING: &[Setting] = &[
    number("user_vote_weight", 0.0, 5.0)
        .default(Literal::Number(1.0))
        .more("decision")
        .when(&[("consensus", &["weighted"])]),
    flag("enable_self_vote_mitigation", false).more("decision"),
    one_of("self_vote_mode", &names(&SELF_VOTES))
        .more("decision")
        .when(SELF),
    part("self_vote_downweight", 0.5).more("decision").when(&[
        ("enable_self_vote_mitigation", &["true"]),
        ("self_vote_mode", &["downweight"]),
    ]),
    flag("enable_verbosity_normalization", false).more("decision"),
    whole("verbosity_target_length", 1, 1_000_000)
        .default(Literal::Whole(1_000))
        .counts("characters")
        .more("decision")
        .when(VERBOSITY),
    number("verbosity_penalty_threshold", 1.0, 100.0)
        .default(Literal::Number(3.0))
        .more("decision")
        .when(VERBOSITY),
    part("verbosity_max_penalty", 0.3)
        .more("decision")
        .when(VERBOSITY),
    flag("enable_evidence_weighting", true).more("decision"),
    part("evidence_citation_bonus", 0.15)
        .more("decision")
        .when(&[("enable_evidence_weighting", &["true"])]),
    flag("vote_grouping", true).more("decision"),
    part("vote_grouping_threshold", 0.85)
        .more("decision")
        .when(&[("vote_grouping", &["true"])]),
    whole("byzantine_max_view_changes", 0, 12)
        .default(Literal::Whole(3))
        .more("decision")
        .when(&[("consensus", &["byzantine"])]),
    flag("judge_termination", false).more("decision"),
    whole("min_rounds_before_judge_check", 0, 1_000)
        .default(Literal::Whole(2))
        .more("decision")
        .when(&[("judge_termination", &["true"])]),
    flag("enable_stability_detection", false).more("decision"),
    part("stability_threshold", 0.85).more("decision").when(STABILITY),
    part("stability_ks_threshold", 0.1)
        .more("decision")
        .when(STABILITY),
    whole("stability_min_stable_rounds", 1, 12)
        .default(Literal::Whole(1))
        .more("decision")
        .when(STABILITY),
];

const SELF: &[When] = &[("enable_self_vote_mitigation", &["true"])];
const VERBOSITY: &[When] = &[("enable_verbosity_normalization", &["true"])];
const STABILITY: &[When] = &[("enable_stability_detection", &["true"])];

// Ratings outside these bounds are typing errors.
const MIN_RATING: f64 = -1_000_000.0;
const MAX_RATING: f64 = 1_000_000.0;

const RATING: &[Setting] = &[
    number("elo", MIN_RATING, MAX_RATING).default(Literal::Number(elo::START)),
    number("brier", 0.0, 1.0),
    whole("predictions", 0, u32::MAX).default(Literal::Whole(0)),
    whole("debates", 0, u32::MAX).default(Literal::Whole(0)),
];

const MATERIAL: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        line("title", 1_000),
        text("text", 1_000_000).required(),
        line("origin", 2_000),
    ]]),
    free: false,
};

const SOURCE: SettingKind = SettingKind::Object {
    settings: SOURCE_SETTINGS,
    free: false,
};

/// Settings of a source.
pub(super) const SOURCE_SETTINGS: SettingTable = SettingTable(&[&[
    maybe_one_of("kind", &names(&SourceKind::ALL)).required(),
    line("name", 60),
    of(
        "url",
        SettingKind::Address {
            holds: AddressContent::NoSecret,
        },
    ),
    whole("limit", 1, 20).by(
        "kind",
        &[("debates", Literal::Whole(2)), ("feed", Literal::Whole(3))],
        Literal::Whole(10),
    ),
    number("timeout_seconds", 1.0, 60.0)
        .by("kind", &[("feed", Literal::Number(5.0))], Literal::Number(10.0))
        .counts("seconds"),
]]);

const AGENT: SettingKind = SettingKind::Object {
    settings: SettingTable(&[SEAT, OF_AGENT, SEAT_REST]),
    free: false,
};

const OF_AGENT: &[Setting] = &[
    one_of("role", &names(&Role::ALL))
        .words("agent.role.debate")
        .group("participants"),
    one_of("stance", &names(&Stance::ALL)).group("participants"),
    common::personality(),
    PROVIDER,
    common::model("o3-mini"),
    BASE_URL,
    common::temperature(common::TEMPERATURE),
];

const ROUND: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        maybe_one_of("kind", &names(&RoundKind::ALL)).required(),
        whole("number", 0, 1_000),
        flag("converge", false),
    ]]),
    free: false,
};

const EMBEDDINGS: &[Setting] = &[
    line("model", 1_000).required().more("convergence"),
    of(
        "base_url",
        SettingKind::Address {
            holds: AddressContent::NoKey,
        },
    )
    .required()
    .more("convergence"),
    number("timeout_seconds", 1.0, 600.0)
        .default(Literal::Number(60.0))
        .counts("seconds"),
];

const AFTER: SettingKind = SettingKind::Object {
    settings: SettingTable(&[&[
        maybe_one_of("do", &names(&ACTIONS)).required(),
        of(
            "origin",
            SettingKind::Address {
                holds: AddressContent::NoSecret,
            },
        ),
        of(
            "url",
            SettingKind::Address {
                holds: AddressContent::NoSecret,
            },
        ),
        object(
            "when",
            SettingTable(&[&[of("consensus", SettingKind::Flag), part("min_confidence", 0.0)]]),
        ),
    ]]),
    free: false,
};

const AT_ONCE: &[Setting] = &[
    at_once("proposals", 5),
    at_once("critiques", 15),
    at_once("revisions", 5),
];

const fn at_once(name: &'static str, usual: u32) -> Setting {
    whole(name, 1, 100)
        .default(Literal::Whole(usual))
        .more("patience")
}
