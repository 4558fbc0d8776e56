//! Settings of a debate.

pub mod after;
pub mod debaters;
pub mod material;
pub mod schedule;

use self::debaters::{Debater, Role};
use self::material::{Source, Typed};
use self::schedule::{NamedSchedule, Round};
use super::rules::after::After;
use super::rules::consensus::{Mode, Rules};
use super::rules::convergence::{self, Metric};
use super::rules::judging::Selection;
use super::rules::tally::Counting;
use super::rules::team::DomainPatterns;
use super::rules::topology::Topology;
use super::rules::{calibration, elo, trickster};
use super::voting::{Likeness, OwnVote};
use crate::core::limits::Limits;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::procedures::reader;
use crate::procedures::shared::{self, Prompts};
use crate::procedures::spec::common::{
    LAST, LIMITS, LONG, PARTICIPANTS, PROMPTS, SCHEMA, STUDY, agents, answers, backoff, condition, language,
    protocol, reader, seed, title,
};
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::declare::{SettingObject, settings};
use crate::procedures::spec::fault::ConfigError;
use crate::procedures::spec::{
    AddressContent, Group, Literal, Setting, SettingKind, SettingTable, Spec, When, flag, line, list, map,
    maybe_one_of, number, object, of, one_of, seconds, text, whole,
};
use crate::seat::Seat;
use serde_json::Value;
use std::collections::BTreeMap;

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
    settings: SettingTable(&[Settings::TABLE, LAST]),
};

settings! {
    /// All inputs of a debate besides the seed.
    pub struct Settings(top) {
        + protocol(&["debate"]);
        + SCHEMA;
        question: String = text(LONG).required().group("question");
        + title("title", "question");
        /// Default language; seats may differ.
        language: Language = language("question");
        /// Field of the question.
        domain: Option<String> = line(100).group("question");
        /// Material typed in or read from files. Untrusted input.
        context: Vec<Typed> = of(material::CONTEXT).group("question") => material::context(top);
        /// Maximum material per question, in tokens of four characters; 500 to 50,000.
        context_tokens: u32 = whole(500, 50_000).default(Literal::Whole(4_500)).counts("tokens").more("question");
        + list("sources", &Source::KIND, 20).group("question");
        + condition("question");
        + STUDY;
        /// Format in which models and programs are asked to answer.
        answers: Answers = answers().more("question");
        /// 0 to 2³¹−1; `None`: not configured.
        seed: Option<u32> = seed().more("question");
        /// In configuration order.
        debaters as "agents": Vec<Debater> = agents(&debaters::AGENT).required() => debaters::debaters(top, language);
        schedule: Vec<Round> = of(schedule::SCHEDULE).default(Literal::Text("nine_rounds")).group("schedule")
            => schedule::schedule(top);
        /// Maximum number of further rounds while the judge finds the matter open, 0 to 12.
        max_extended_rounds: u32 = whole(0, 12).default(Literal::Whole(3)).group("schedule");
        /// Whether each revision after the first is preceded by new critiques.
        recritique_each_revision: bool = flag(true).group("schedule");
        topology: Topology = one_of(Topology::WORDS).group("schedule");
        /// Fraction of the other seats that criticise under `sparse`.
        topology_sparsity: f64 = part(0.5).group("schedule").when(IN_PART);
        /// Hub of a star.
        topology_hub_agent: Option<String> = line(60).group("schedule").when(&[("topology", &["star"])])
            => hub(top, &debaters);
        /// Number of participants to select; `None`: all.
        team_size: Option<u32> = whole(2, 100).group("schedule") => team_size(top, &debaters);
        /// Names that fit a field.
        domain_patterns: Vec<DomainPatterns> = map(&PATTERNS) => domain_patterns(top);
        convergence_detection: bool = flag(true).group("convergence");
        /// Score from which proposals have converged.
        convergence_threshold: f64 = part(0.85).group("convergence").when(DETECTS);
        convergence_metric: Metric = maybe_one_of(Metric::WORDS)
            .by("schedule", &[("classic", Literal::Text("self_stability"))], Literal::Text("inter_agent"))
            .group("convergence")
            .when(DETECTS);
        /// Score below which proposals diverge.
        divergence_threshold: f64 = part(0.4).more("convergence").when(DETECTS);
        /// Measure of similarity.
        similarity: Likeness = one_of(Likeness::WORDS).more("convergence");
        early_stopping: bool = flag(true).group("convergence");
        /// Fraction of the answers to a poll required to stop.
        early_stop_threshold: f64 = part(0.85).more("convergence").when(STOPS_EARLY);
        /// First round after which a poll is taken; `None`: it depends on the schedule.
        min_rounds_before_early_stop: Option<u32> = whole(0, 1_000).more("convergence").when(STOPS_EARLY);
        /// Whether seats are asked to declare final proposals.
        enable_ready_signals: bool = flag(true).more("convergence");
        /// Model to compare proposals by meaning; `None`: their words are compared.
        embeddings: Option<Embeddings> = object(SettingTable(&[Embeddings::TABLE]));
        /// Model for answers that the rules cannot read.
        reader: Option<Seat> = reader() => reader::reader(top, language, seats_of(&debaters), false);
        consensus: Mode = one_of(Mode::WORDS).group("decision");
        /// Minimum share of the weight for a consensus.
        consensus_threshold: f64 = part(0.6).group("decision").when(COUNTS);
        /// Selection of a judge if no seat has that role.
        judge_selection: Selection = one_of(JUDGE_SELECTIONS).group("decision");
        /// Whether an unreadable vote counts as dissent, under `unanimous`.
        failed_is_dissent: bool = flag(true).more("decision");
        /// Minimum share of the voters for a quorum.
        min_participation_ratio: f64 = part(0.5).more("decision");
        /// Minimum number of voters for a quorum.
        min_participation_count: u32 = whole(0, 100).default(Literal::Whole(2)).more("decision");
        /// History of the participants, for team, judge, weights and ties.
        ratings: BTreeMap<String, Rated> = map(&RATING).more("decision") => ratings(top);
        /// 0: contradict; 10: seek agreement.
        agreement_intensity: u32 = whole(0, 10).default(Literal::Whole(5)).group("manner");
        /// Whether thinking roles rotate.
        role_rotation: bool = flag(true).group("manner");
        /// Whether agreement without evidence is challenged.
        enable_trickster: bool = flag(true).group("manner");
        trickster_sensitivity: f64 = part(0.7).group("manner").when(CHALLENGES);
        /// Whether challenges block convergence.
        trickster_veto: bool = flag(false).group("manner").when(CHALLENGES);
        /// Maximum number of consecutive rounds in which they do.
        trickster_max_blocked_rounds: u32 = whole(0, 12).default(Literal::Whole(1)).more("manner")
            .when(&[("trickster_veto", &["true"])]);
        /// Whether rhetorical patterns are recorded.
        enable_rhetorical_observer: bool = flag(true).group("manner");
        /// Rules for the result.
        after: Vec<After> = list(&after::AFTER, 100).group("after") => after::after(top);
        /// Time limit of the first attempt, in seconds.
        timeout_seconds: f64 = seconds().default(Literal::Number(120.0)).group("patience");
        /// Factor by which the time limit grows with each attempt.
        retry_backoff_factor: f64 = backoff().more("patience");
        /// Whether seats that fail repeatedly are suspended.
        enable_circuit_breaker: bool = flag(true).more("patience");
        /// Maximum numbers of concurrent questions.
        at_once: AtOnce = object(SettingTable(&[AtOnce::TABLE]));
        /// Weight of a person's vote under `weighted`.
        user_vote_weight: f64 = number(0.0, 5.0).default(Literal::Number(1.0)).more("decision")
            .when(&[("consensus", &["weighted"])]);
        enable_self_vote_mitigation: bool = flag(false).more("decision");
        self_vote_mode: OwnVote = one_of(OwnVote::WORDS).more("decision").when(SELF);
        self_vote_downweight: f64 = part(0.5).more("decision")
            .when(&[("enable_self_vote_mitigation", &["true"]), ("self_vote_mode", &["downweight"])]);
        enable_verbosity_normalization: bool = flag(false).more("decision");
        verbosity_target_length: u32 = whole(1, 1_000_000).default(Literal::Whole(1_000)).counts("characters")
            .more("decision")
            .when(VERBOSITY);
        verbosity_penalty_threshold: f64 = number(1.0, 100.0).default(Literal::Number(3.0)).more("decision")
            .when(VERBOSITY);
        verbosity_max_penalty: f64 = part(0.3).more("decision").when(VERBOSITY);
        enable_evidence_weighting: bool = flag(true).more("decision");
        /// Bonus of a proposal per piece of evidence cited in a vote for it.
        evidence_citation_bonus: f64 = part(0.15).more("decision").when(&[("enable_evidence_weighting", &["true"])]);
        /// Whether equivalent free-text choices are grouped.
        vote_grouping: bool = flag(true).more("decision");
        /// Minimum similarity of such choices.
        vote_grouping_threshold: f64 = part(0.85).more("decision").when(&[("vote_grouping", &["true"])]);
        /// Maximum number of view changes in Byzantine agreement.
        byzantine_max_view_changes: u32 = whole(0, 12).default(Literal::Whole(3)).more("decision")
            .when(&[("consensus", &["byzantine"])]);
        /// Whether the judge is asked whether the matter is settled.
        judge_termination: bool = flag(false).more("decision");
        /// First round after which the judge is asked.
        min_rounds_before_judge_check: u32 = whole(0, 1_000).default(Literal::Whole(2)).more("decision")
            .when(&[("judge_termination", &["true"])]);
        /// Whether further rounds end when votes are stable.
        enable_stability_detection: bool = flag(false).more("decision");
        stability_threshold: f64 = part(0.85).more("decision").when(STABILITY);
        stability_ks_threshold: f64 = part(0.1).more("decision").when(STABILITY);
        stability_min_stable_rounds: u32 = whole(1, 12).default(Literal::Whole(1)).more("decision").when(STABILITY);
    }
    derived {
        /// Sources of further material in round 0.
        sources: Vec<Source> => material::sources(top, &debaters, &schedule);
        /// Whether the schedule is that of the published program.
        is_classic: bool => top.maybe_one_of("schedule", NamedSchedule::ALL) == Some(NamedSchedule::Classic);
        limits: Limits => shared::limits(top, seats_of(&debaters).chain(&reader));
        /// Maximum length of an answer, in tokens.
        max_answer_tokens: u32 => shared::max_answer_tokens(top);
        prompts: Prompts => shared::prompts(top, &super::TEXTS, &super::prompts::PROMPTS);
    }
}

const DETECTS: &[When] = &[("convergence_detection", &["true"])];
const STOPS_EARLY: &[When] = &[("early_stopping", &["true"])];
const CHALLENGES: &[When] = &[("enable_trickster", &["true"])];
const IN_PART: &[When] = &[("topology", &["sparse", "random-graph", "adaptive"])];
const COUNTS: &[When] = &[(
    "consensus",
    &["judge", "majority", "supermajority", "weighted", "byzantine"],
)];
const SELF: &[When] = &[("enable_self_vote_mitigation", &["true"])];
const VERBOSITY: &[When] = &[("enable_verbosity_normalization", &["true"])];
const STABILITY: &[When] = &[("enable_stability_detection", &["true"])];

/// The ways of selecting a judge that need no further questions.
const JUDGE_SELECTIONS: &[&str] = &["random", "last", "elo_ranked", "calibrated"];

const PATTERNS: SettingKind = SettingKind::List {
    of: &SettingKind::Text {
        most: 1_000,
        lines: false,
    },
    most: 1_000,
};

/// Defines a fraction, 0 to 1.
const fn part(name: &'static str, default: f64) -> Setting {
    number(name, 0.0, 1.0).default(Literal::Number(default))
}

settings! {
    /// An embedding model, used to compare proposals.
    pub struct Embeddings(one) {
        model: String = line(1_000).required().more("convergence");
        /// Endpoint with OpenAI's `/embeddings`.
        base_url: String = of(SettingKind::Address { holds: AddressContent::NoKey }).required().more("convergence");
        /// In seconds, 1 to 600.
        timeout as "timeout_seconds": f64 = number(1.0, 600.0).default(Literal::Number(60.0)).counts("seconds");
    }
}

settings! {
    /// Maximum numbers of concurrent questions (seed 003: 5, 15, 5).
    #[derive(Copy)]
    pub struct AtOnce(one) {
        /// Applies to votes, too.
        proposals: u32 = at_once(5);
        critiques: u32 = at_once(15);
        /// Applies to refinements, too.
        revisions: u32 = at_once(5);
    }
}

const fn at_once(name: &'static str, usual: u32) -> Setting {
    whole(name, 1, 100)
        .default(Literal::Whole(usual))
        .more("patience")
}

// Ratings outside these bounds are typing errors.
const MIN_RATING: f64 = -1_000_000.0;
const MAX_RATING: f64 = 1_000_000.0;

/// A number, or an object with further data.
const RATING: SettingKind = SettingKind::Either {
    of: &[
        SettingKind::Number {
            min: MIN_RATING,
            max: MAX_RATING,
        },
        Rated::KIND,
    ],
};

settings! {
    /// History of a participant at the start of a debate.
    #[derive(Copy)]
    pub struct Rated(known) {
        /// [`elo::START`] for new participants.
        elo: f64 = number(MIN_RATING, MAX_RATING).default(Literal::Number(elo::START));
        /// Mean squared difference between confidence and outcome, 0 to 1.
        brier: Option<f64> = number(0.0, 1.0);
        /// Number of predictions behind `brier`.
        predictions: u32 = whole(0, u32::MAX).default(Literal::Whole(0));
        /// Number of earlier debates.
        debates: u32 = whole(0, u32::MAX).default(Literal::Whole(0));
    }
}

impl Default for Rated {
    fn default() -> Self {
        Self {
            elo: elo::START,
            brier: None,
            predictions: 0,
            debates: 0,
        }
    }
}

impl Rated {
    /// Returns how well confidence matches outcomes, 0 to 1; 0 with too few predictions.
    #[must_use]
    pub fn calibration(&self) -> f64 {
        let sum = |brier: f64| brier * f64::from(self.predictions);
        self.brier
            .map_or(0.0, |brier| calibration::score(self.predictions, sum(brier)))
    }
}

impl Settings {
    /// When proposals have converged; `None`: not checked.
    #[must_use]
    pub fn convergence(&self) -> Option<convergence::Settings> {
        self.convergence_detection.then(|| convergence::Settings {
            convergence: self.convergence_threshold,
            divergence: self.divergence_threshold,
            strict: !self.is_classic,
            metric: self.convergence_metric,
            ..convergence::Settings::default()
        })
    }

    /// When votes are a consensus.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            mode: self.consensus,
            threshold: self.consensus_threshold,
            failed_is_dissent: self.failed_is_dissent,
            counting: Counting {
                min_ratio: self.min_participation_ratio,
                min_count: self.min_participation_count as usize,
                ..Counting::default()
            },
        }
    }

    /// Challenges of agreement without evidence; `None`: off.
    #[must_use]
    pub fn trickster(&self) -> Option<trickster::Config> {
        self.enable_trickster.then(|| trickster::Config {
            sensitivity: self.trickster_sensitivity,
            // Seats have one round to answer a challenge; agreement after that is not challenged again.
            ask_once: true,
            most_blocked: if self.trickster_veto {
                self.trickster_max_blocked_rounds
            } else {
                0
            },
            ..trickster::Config::default()
        })
    }
}

/// Checked settings, and warnings about settings without effect.
pub type Checked = config_reader::CheckedSettings<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
/// Returns all faults, each with its path, if the configuration is invalid.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, |top| {
        let settings = Settings::read(top);
        if settings.question.contains('\0') {
            top.fault("question", "nul", vec![]);
        }
        settings
    })
}

fn seats_of(debaters: &[Debater]) -> impl Iterator<Item = &Seat> {
    debaters.iter().map(|debater| &debater.seat)
}

fn team_size(top: &ConfigReader, debaters: &[Debater]) -> Option<u32> {
    let size = top.maybe_whole("team_size")?;
    let candidates = debaters
        .iter()
        .filter(|debater| debater.role != Role::Judge)
        .count();
    if size as usize >= candidates {
        top.warn("team_size", "team_of_all", vec![]);
    }
    Some(size)
}

/// Reads the name patterns of participants and models by domain, best first.
fn domain_patterns(top: &ConfigReader) -> Vec<DomainPatterns> {
    let patterns = |(domain, list, _): (&str, &Value, ConfigReader)| DomainPatterns {
        domain: domain.to_owned(),
        patterns: list
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    };
    top.entries("domain_patterns").into_iter().map(patterns).collect()
}

fn hub(top: &ConfigReader, debaters: &[Debater]) -> Option<String> {
    let hub = top.maybe_text("topology_hub_agent")?;
    if !debaters.iter().any(|debater| debater.seat.name == hub) {
        top.fault(
            "topology_hub_agent",
            "not_here",
            vec![("name", format!("{hub:?}").into())],
        );
    }
    Some(hub.to_owned())
}

/// Reads ratings by name.
fn ratings(top: &ConfigReader) -> BTreeMap<String, Rated> {
    let rated = |(name, rating, known): (&str, &Value, ConfigReader)| {
        let rated = if known.is_given() {
            Rated::read(&known)
        } else {
            Rated {
                elo: rating.as_f64()?,
                ..Rated::default()
            }
        };
        Some((name.to_owned(), rated))
    };
    top.entries("ratings").into_iter().filter_map(rated).collect()
}
