//! From a configuration to the settings of a debate; every fault is told with its path.

mod after;

use super::rules::consensus::{Mode, Rules};
use super::rules::convergence::{self, Metric};
use super::rules::judging::Selection;
use super::rules::tally::Counting;
use super::rules::team::DomainPatterns;
use super::rules::topology::Topology;
use super::rules::trickster;
use super::settings::{
    AtOnce, Debater, Embeddings, Rated, Role, Round, RoundKind, Settings, Source, SourceKind, Stance, Typed,
    classic, nine_rounds,
};
use super::voting;
use crate::core::limits::origin;
use crate::language::Language;
use crate::procedures::config::{self, ConfigError, Reader, checked};
use crate::procedures::shared;
use crate::seat::Seat;
use crate::sorted::SortedMap;
use after::after;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters of a question at most.
const LONGEST_QUESTION: usize = 100_000;
/// Ratings beyond are slips of the pen.
const RATINGS: std::ops::RangeInclusive<f64> = -1_000_000.0..=1_000_000.0;

/// Checked settings, and what has no effect.
pub type Checked = config::Checked<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
/// All faults, each with its path.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, read)
}

fn read(top: &Reader) -> Settings {
    top.value("protocol");
    shared::labels(top);
    let language = shared::language(top);
    let debaters = debaters(top, language);
    let (limits, max_answer_tokens) = shared::limits(top);
    shared::priced(top, &limits, debaters.iter().map(|debater| &debater.seat));
    let (schedule, is_classic) = schedule(top);
    let voting = voting::read(top, &schedule);
    let settings = Settings {
        language,
        question: question(top),
        context: context(top),
        sources: sources(top, &debaters, &schedule),
        context_tokens: top.whole(&["context_tokens"], 4_500, 500..=50_000),
        team_size: team_size(top, &debaters),
        domain: domain(top),
        domain_patterns: domain_patterns(top),
        after: after(top),
        embeddings: embeddings(top),
        schedule,
        max_extended_rounds: top.whole(&["max_extended_rounds"], 3, 0..=12),
        recritique: top.flag(&["recritique_each_revision"], true),
        at_once: at_once(top),
        topology: top.one_of("topology", &TOPOLOGIES, Topology::AllToAll),
        sparsity: top.number(&["topology_sparsity"], 0.5, 0.0..=1.0),
        hub: hub(top, &debaters),
        convergence: convergence(top, is_classic),
        rules: rules(top),
        voting,
        judge_selection: top.one_of("judge_selection", &SELECTIONS, Selection::Random),
        trickster: trickster(top),
        observer: top.flag(&["enable_rhetorical_observer"], true),
        role_rotation: top.flag(&["role_rotation"], true),
        agreement_intensity: top.whole(&["agreement_intensity"], 5, 0..=10),
        ratings: ratings(top),
        timeout: top.number(&["timeout_seconds"], 120.0, 10.0..=600.0),
        backoff_factor: top.number(&["retry_backoff_factor"], 1.5, 1.0..=3.0),
        seed: top.maybe_whole(&["seed"], 0..=0x7fff_ffff),
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
        max_answer_tokens,
        answers: shared::answers(top),
        debaters,
    };
    if !settings
        .schedule
        .iter()
        .any(|round| round.kind == RoundKind::Propose)
    {
        top.fault("schedule", "has no round in which proposals are made");
    }
    settings
}

const TOPOLOGIES: [(&str, Topology); 7] = [
    ("all-to-all", Topology::AllToAll),
    ("sparse", Topology::Sparse),
    ("round-robin", Topology::RoundRobin),
    ("ring", Topology::Ring),
    ("star", Topology::Star),
    ("random-graph", Topology::RandomGraph),
    ("adaptive", Topology::Adaptive),
];

const SELECTIONS: [(&str, Selection); 4] = [
    ("random", Selection::Random),
    ("last", Selection::Last),
    ("elo_ranked", Selection::EloRanked),
    ("calibrated", Selection::Calibrated),
];

const MODES: [(&str, Mode); 8] = [
    ("judge", Mode::Judge),
    ("majority", Mode::Majority),
    ("supermajority", Mode::Supermajority),
    ("unanimous", Mode::Unanimous),
    ("weighted", Mode::Weighted),
    ("any", Mode::Any),
    ("none", Mode::None),
    ("byzantine", Mode::Byzantine),
];

fn question(top: &Reader) -> String {
    let question = top.text("question").trim();
    if question.chars().count() > LONGEST_QUESTION || question.contains('\0') {
        top.fault(
            "question",
            "must have at most 100000 characters, none of them NUL",
        );
    }
    question.to_owned()
}

/// Material: a text, or objects with a title and a text.
fn context(top: &Reader) -> Vec<Typed> {
    let mut given = Vec::new();
    match top.value("context") {
        None => {}
        Some(Value::String(text)) => given.push(Typed {
            title: String::new(),
            text: text.trim().to_owned(),
            origin: None,
        }),
        Some(_) => {
            for one in top.list("context").unwrap_or_default() {
                given.push(Typed {
                    title: one.maybe_text("title").unwrap_or_default().trim().to_owned(),
                    text: one.text("text").trim().to_owned(),
                    origin: said(&one, "origin"),
                });
                one.finish();
            }
        }
    }
    given.retain(|one| !one.text.is_empty());
    given
}

/// A text that is there and not blank.
fn said(reader: &Reader, key: &'static str) -> Option<String> {
    let text = reader.maybe_text(key)?.trim();
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn sources(top: &Reader, debaters: &[Debater], schedule: &[Round]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    if top
        .value("sources")
        .and_then(Value::as_array)
        .is_some_and(|list| list.len() > 20)
    {
        top.fault("sources", "must have at most 20 entries");
    }
    for one in top.list("sources").unwrap_or_default() {
        let Some(source) = source(&one) else {
            one.finish();
            continue;
        };
        let name = source.seat_name();
        if sources.iter().any(|known| known.seat_name() == name) {
            one.fault("kind", format!("{name:?} is listed twice"));
        } else if debaters.iter().any(|debater| debater.seat.name == name) {
            one.fault("kind", format!("{name:?} is the name of a participant"));
        }
        one.finish();
        sources.push(source);
    }
    if !sources.is_empty() && !schedule.iter().any(|round| round.kind == RoundKind::Context) {
        top.warn(
            "sources",
            "has no effect: no round of the schedule gathers context",
        );
    }
    sources
}

/// `{ model, base_url, timeout_seconds? }`.
fn embeddings(top: &Reader) -> Option<Embeddings> {
    top.value("embeddings")?;
    let one = top.object("embeddings");
    let read = Embeddings {
        model: one.text("model").trim().to_owned(),
        base_url: one.text("base_url").trim().to_owned(),
        timeout: one.number(&["timeout_seconds"], 60.0, 1.0..=600.0),
    };
    if !read.base_url.is_empty() && !shared::is_http(&read.base_url) {
        one.fault("base_url", "must begin with http:// or https:// and name a host");
    }
    one.finish();
    Some(read)
}

fn source(one: &Reader) -> Option<Source> {
    let kind = one.maybe_one_of("kind", &SourceKind::ALL);
    if one.value("kind").is_none() {
        one.fault("kind", "is missing");
    }
    let name = said(one, "name");
    if name
        .as_deref()
        .is_some_and(|name| name.chars().count() > 60 || name.chars().any(char::is_control))
    {
        one.fault("name", "must have at most 60 characters, in one line");
    }
    let url = one.maybe_text("url");
    match (kind, url) {
        (Some(SourceKind::Feed), None) => one.fault("url", "is missing: a feed is read from an address"),
        (Some(SourceKind::Feed), Some(url)) if shared::is_http(url) && url.len() <= 2_000 => {}
        (Some(SourceKind::Feed), Some(_)) => {
            one.fault("url", "must begin with http:// or https:// and name a host");
        }
        (Some(_), Some(_)) => one.fault("url", "is for feeds only"),
        _ => {}
    }
    let (limit, timeout) = match kind {
        Some(SourceKind::Debates) => (2, 10.0),
        Some(SourceKind::Feed) => (3, 5.0),
        _ => (10, 10.0),
    };
    let limit = one.whole(&["limit"], limit, 1..=20);
    let timeout = one.number(&["timeout_seconds"], timeout, 1.0..=60.0);
    kind.map(|kind| Source {
        kind,
        name,
        url: url.map(str::to_owned),
        limit,
        timeout,
    })
}

fn team_size(top: &Reader, debaters: &[Debater]) -> Option<u32> {
    let size = top.maybe_whole(&["team_size"], 2..=100)?;
    let candidates = debaters
        .iter()
        .filter(|debater| debater.role != Role::Judge)
        .count();
    if size as usize >= candidates {
        top.warn(
            "team_size",
            "has no effect: there are no more participants than that",
        );
    }
    Some(size)
}

fn domain(top: &Reader) -> Option<String> {
    let domain = said(top, "domain");
    if domain
        .as_deref()
        .is_some_and(|domain| domain.chars().count() > 100)
    {
        top.fault("domain", "must have at most 100 characters");
    }
    domain
}

/// By field: parts of names of participants and models that fit it, the best first.
fn domain_patterns(top: &Reader) -> Vec<DomainPatterns> {
    let object = top.object("domain_patterns");
    let mut all = Vec::new();
    for (domain, patterns) in object.free().into_iter().flatten() {
        let list = patterns.as_array().map(Vec::as_slice).unwrap_or_default();
        let words: Vec<String> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if !patterns.is_array() || words.len() < list.len() {
            object.fault(domain, "must be a list of texts");
        }
        all.push(DomainPatterns {
            domain: domain.clone(),
            patterns: words,
        });
    }
    all
}

/// Who is behind a seat: the vendor that a model's name begins with, else the server, else its kind.
fn provider(seat: &Seat) -> String {
    let vendor = seat
        .model
        .as_deref()
        .and_then(|model| Some(model.split_once('/')?.0));
    let server = seat.base_url.as_deref().map(origin);
    vendor.or(server).unwrap_or(seat.kind.name()).to_owned()
}

fn debaters(top: &Reader, language: Language) -> Vec<Debater> {
    let agents = top.list("agents");
    if top.value("agents").is_none() {
        top.fault("agents", "is missing: name at least two participants");
    }
    let mut names = BTreeSet::new();
    let mut debaters = Vec::new();
    for agent in agents.unwrap_or_default() {
        let seat = shared::seat(&agent, &mut names, language, 0.7, |agent| {
            agent.maybe_text("personality").unwrap_or_default()
        });
        debaters.push(Debater {
            provider: said(&agent, "provider").unwrap_or_else(|| provider(&seat)),
            seat,
            role: agent.one_of("role", &Role::ALL, Role::Proposer),
            stance: agent.one_of("stance", &Stance::ALL, Stance::Neutral),
        });
        agent.finish();
    }
    let proposers = debaters
        .iter()
        .filter(|debater| matches!(debater.role, Role::Proposer | Role::Synthesizer));
    if top.value("agents").is_some_and(Value::is_array) && proposers.count() == 0 {
        top.fault("agents", "must have at least one participant who proposes");
    }
    debaters
}

/// `nine_rounds`, `classic`, or a list of rounds; and whether it is `classic`.
fn schedule(top: &Reader) -> (Vec<Round>, bool) {
    match top.value("schedule") {
        None => (nine_rounds(), false),
        Some(Value::String(name)) => match name.as_str() {
            "nine_rounds" => (nine_rounds(), false),
            "classic" => (classic(), true),
            _ => {
                top.fault("schedule", "must be nine_rounds, classic or a list of rounds");
                (nine_rounds(), false)
            }
        },
        Some(_) => {
            let mut schedule = Vec::new();
            for (number, round) in (0..).zip(top.list("schedule").unwrap_or_default()) {
                let kind = round.maybe_one_of("kind", &RoundKind::ALL);
                if round.value("kind").is_none() {
                    round.fault("kind", "is missing");
                }
                schedule.push(Round {
                    number: round.whole(&["number"], number, 0..=1_000),
                    kind: kind.unwrap_or(RoundKind::Context),
                    converge: round.flag(&["converge"], kind == Some(RoundKind::Revise)),
                });
                round.finish();
            }
            (schedule, false)
        }
    }
}

fn at_once(top: &Reader) -> AtOnce {
    let object = top.object("at_once");
    let read = AtOnce {
        proposals: object.whole(&["proposals"], 5, 1..=100),
        critiques: object.whole(&["critiques"], 15, 1..=100),
        revisions: object.whole(&["revisions"], 5, 1..=100),
    };
    object.finish();
    read
}

fn hub(top: &Reader, debaters: &[Debater]) -> Option<String> {
    let hub = top.maybe_text("topology_hub_agent")?;
    if !debaters.iter().any(|debater| debater.seat.name == hub) {
        top.fault("topology_hub_agent", format!("{hub:?} does not sit at the table"));
    }
    Some(hub.to_owned())
}

fn convergence(top: &Reader, is_classic: bool) -> Option<convergence::Settings> {
    let metrics = [
        ("inter_agent", Metric::InterAgent),
        ("self_stability", Metric::SelfStability),
        ("both", Metric::Both),
    ];
    let usual = if is_classic {
        Metric::SelfStability
    } else {
        Metric::InterAgent
    };
    let settings = convergence::Settings {
        convergence: top.number(&["convergence_threshold"], 0.85, 0.0..=1.0),
        divergence: top.number(&["divergence_threshold"], 0.40, 0.0..=1.0),
        strict: !is_classic,
        metric: top.one_of("convergence_metric", &metrics, usual),
        ..convergence::Settings::default()
    };
    top.flag(&["convergence_detection"], true).then_some(settings)
}

fn rules(top: &Reader) -> Rules {
    Rules {
        mode: top.one_of("consensus", &MODES, Mode::Judge),
        threshold: top.number(&["consensus_threshold"], 0.6, 0.0..=1.0),
        failed_is_dissent: top.flag(&["failed_is_dissent"], true),
        counting: Counting {
            min_ratio: top.number(&["min_participation_ratio"], 0.5, 0.0..=1.0),
            min_count: top.whole(&["min_participation_count"], 2, 0..=100) as usize,
            ..Counting::default()
        },
    }
}

fn trickster(top: &Reader) -> Option<trickster::Config> {
    let config = trickster::Config {
        sensitivity: top.number(&["trickster_sensitivity"], 0.7, 0.0..=1.0),
        // One round to answer; who agrees after that may.
        ask_once: true,
        most_blocked: top.whole(&["trickster_max_blocked_rounds"], 1, 0..=12),
        ..trickster::Config::default()
    };
    top.flag(&["enable_trickster"], true).then_some(config)
}

/// By name: a rating alone, or what else is known with it.
fn ratings(top: &Reader) -> SortedMap<String, Rated> {
    let object = top.object("ratings");
    let mut ratings = SortedMap::new();
    for (name, rating) in object.free().into_iter().flatten() {
        let usual = Rated::default();
        let rated = match rating {
            Value::Number(elo) if elo.as_f64().is_some_and(|elo| RATINGS.contains(&elo)) => Rated {
                elo: elo.as_f64().unwrap_or(usual.elo),
                ..usual
            },
            Value::Object(_) => {
                let known = object.entry(name);
                let rated = Rated {
                    elo: known.number(&["elo"], usual.elo, RATINGS),
                    brier: known.maybe_number(&["brier"], 0.0..=1.0),
                    predictions: known.whole(&["predictions"], 0, 0..=u32::MAX),
                    debates: known.whole(&["debates"], 0, 0..=u32::MAX),
                };
                known.finish();
                rated
            }
            _ => {
                object.fault(
                    name,
                    "must be a number, or an object with elo, brier, predictions, debates",
                );
                continue;
            }
        };
        ratings.insert(name.clone(), rated);
    }
    ratings
}
