//! Reads the settings of a debate from a configuration. `spec.rs` lists the permitted keys and values; this
//! file checks how settings depend on each other.

pub mod after;

use super::rules::consensus::Rules;
use super::rules::convergence;
use super::rules::tally::Counting;
use super::rules::team::DomainPatterns;
use super::rules::trickster;
use super::settings::{
    AtOnce, Debater, Embeddings, Rated, Role, Round, RoundKind, Settings, Source, SourceKind, Stance, Typed,
    classic, nine_rounds,
};
use super::spec::{METRICS, MODES, SCHEDULES, SELECTIONS, SOURCE_SETTINGS, SPEC, TOPOLOGIES};
use super::voting;
use crate::core::limits::origin;
use crate::language::Language;
use crate::language::blank::is_blank;
use crate::procedures::names::Names;
use crate::procedures::reader;
use crate::procedures::shared;
use crate::procedures::spec::config_reader::{self, ConfigReader, checked};
use crate::procedures::spec::fault::ConfigError;
use crate::seat::Seat;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Checked settings, and warnings about settings without effect.
pub type Checked = config_reader::CheckedSettings<Settings>;

/// Reads and checks a configuration.
///
/// # Errors
/// Returns all faults, each with its path, if the configuration is invalid.
pub fn check(config: &Value) -> Result<Checked, ConfigError> {
    checked(config, SPEC.settings, read)
}

fn read(top: &ConfigReader) -> Settings {
    let language = shared::language(top);
    let debaters = debaters(top, language);
    let (limits, max_answer_tokens) = shared::limits(top);
    let seats = || debaters.iter().map(|debater| &debater.seat);
    let reader = reader::reader(top, language, seats(), false);
    shared::check_limits(top, &limits, seats().chain(&reader));
    let schedule = schedule(top);
    let is_classic = top.maybe_word("schedule") == Some("classic");
    if !schedule.iter().any(|round| round.kind == RoundKind::Propose) {
        top.fault("schedule", "no_proposals", vec![]);
    }
    if top.text("question").contains('\0') {
        top.fault("question", "nul", vec![]);
    }
    let at_once = top.object("at_once");
    Settings {
        language,
        question: top.text("question").trim().to_owned(),
        context: context(top),
        sources: sources(top, &debaters, &schedule),
        context_tokens: top.whole("context_tokens"),
        team_size: team_size(top, &debaters),
        domain: top.said_text("domain"),
        domain_patterns: domain_patterns(top),
        after: after::after(top),
        embeddings: embeddings(top),
        reader,
        max_extended_rounds: top.whole("max_extended_rounds"),
        recritique: top.flag("recritique_each_revision"),
        at_once: AtOnce {
            proposals: at_once.whole("proposals"),
            critiques: at_once.whole("critiques"),
            revisions: at_once.whole("revisions"),
        },
        topology: top.one_of("topology", &TOPOLOGIES),
        sparsity: top.number("topology_sparsity"),
        hub: hub(top, &debaters),
        convergence: top.flag("convergence_detection").then(|| convergence::Settings {
            convergence: top.number("convergence_threshold"),
            divergence: top.number("divergence_threshold"),
            strict: !is_classic,
            metric: top.one_of("convergence_metric", &METRICS),
            ..convergence::Settings::default()
        }),
        rules: Rules {
            mode: top.one_of("consensus", &MODES),
            threshold: top.number("consensus_threshold"),
            failed_is_dissent: top.flag("failed_is_dissent"),
            counting: Counting {
                min_ratio: top.number("min_participation_ratio"),
                min_count: top.whole("min_participation_count") as usize,
                ..Counting::default()
            },
        },
        voting: voting::read(top, &schedule),
        judge_selection: top.one_of("judge_selection", &SELECTIONS),
        trickster: top.flag("enable_trickster").then(|| trickster::Config {
            sensitivity: top.number("trickster_sensitivity"),
            // Seats have one round to answer a challenge; agreement after that is not challenged again.
            ask_once: true,
            most_blocked: if top.flag("trickster_veto") {
                top.whole("trickster_max_blocked_rounds")
            } else {
                0
            },
            ..trickster::Config::default()
        }),
        observer: top.flag("enable_rhetorical_observer"),
        role_rotation: top.flag("role_rotation"),
        agreement_intensity: top.whole("agreement_intensity"),
        ratings: ratings(top),
        timeout: top.number("timeout_seconds"),
        backoff_factor: top.number("retry_backoff_factor"),
        seed: shared::seed(top),
        prompts: shared::prompts(top, &super::TEXTS),
        limits,
        max_answer_tokens,
        answers: shared::answers(top),
        schedule,
        debaters,
    }
}

/// Reads `context`: a text, or objects with `title` and `text`.
fn context(top: &ConfigReader) -> Vec<Typed> {
    let mut items: Vec<Typed> = match top.value("context") {
        Some(Value::String(text)) => vec![Typed {
            title: String::new(),
            text: text.trim().to_owned(),
            origin: None,
        }],
        _ => top
            .list("context")
            .into_iter()
            .map(|one| Typed {
                title: one.text("title").trim().to_owned(),
                text: one.text("text").trim().to_owned(),
                origin: one.said_text("origin"),
            })
            .collect(),
    };
    items.retain(|one| !is_blank(&one.text));
    items
}

/// Default for a missing `sources`: the stores of this device. An empty list means no sources.
fn default_sources() -> Vec<Source> {
    let kinds = [SourceKind::Knowledge, SourceKind::Debates];
    let of = |kind: SourceKind| {
        let one = checked(&json!({ "kind": kind.name() }), SOURCE_SETTINGS, source);
        one.ok()?.settings
    };
    kinds.into_iter().filter_map(of).collect()
}

fn sources(top: &ConfigReader, debaters: &[Debater], schedule: &[Round]) -> Vec<Source> {
    let gathers = schedule.iter().any(|round| round.kind == RoundKind::Context);
    let is_free = |source: &Source| !debaters.iter().any(|one| one.seat.name == source.seat_name());
    if !top.has("sources") {
        let defaults = default_sources().into_iter();
        return defaults.filter(|source| gathers && is_free(source)).collect();
    }
    let mut sources: Vec<Source> = Vec::new();
    for one in top.list("sources") {
        let Some(source) = source(&one) else { continue };
        let name = source.seat_name();
        let name_value = || vec![("name", format!("{name:?}").into())];
        if sources.iter().any(|known| known.seat_name() == name) {
            one.fault("kind", "source_twice", name_value());
        } else if !is_free(&source) {
            one.fault("kind", "taken", name_value());
        }
        sources.push(source);
    }
    if !sources.is_empty() && !gathers {
        top.warn("sources", "no_context", vec![]);
    }
    sources
}

fn source(one: &ConfigReader) -> Option<Source> {
    let kind = one.maybe_one_of("kind", &SourceKind::ALL)?;
    let url = one.maybe_text("url");
    match (kind, url) {
        (SourceKind::Feed, None) => one.fault("url", "no_feed", vec![]),
        (SourceKind::Feed, Some(_)) | (_, None) => {}
        (_, Some(_)) => one.fault("url", "feeds_only", vec![]),
    }
    Some(Source {
        kind,
        name: one.said_text("name"),
        url: url.map(str::to_owned),
        limit: one.whole("limit"),
        timeout: one.number("timeout_seconds"),
    })
}

fn embeddings(top: &ConfigReader) -> Option<Embeddings> {
    let one = top.object("embeddings");
    one.is_given().then(|| Embeddings {
        model: one.text("model").trim().to_owned(),
        base_url: one.text("base_url").trim().to_owned(),
        timeout: one.number("timeout_seconds"),
    })
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

/// Returns the vendor prefix of the model's name, else the server, else the kind of the seat.
fn provider(seat: &Seat) -> String {
    let vendor = seat
        .model
        .as_deref()
        .and_then(|model| Some(model.split_once('/')?.0));
    let server = seat.base_url.as_deref().map(origin);
    vendor.or(server).unwrap_or(seat.kind.name()).to_owned()
}

fn debaters<'a>(top: &ConfigReader<'a>, language: Language) -> Vec<Debater> {
    let mut names = Names::default();
    let debater = |agent: ConfigReader<'a>| {
        let seat = shared::seat(&agent, &mut names, language, None);
        Debater {
            provider: agent.said_text("provider").unwrap_or_else(|| provider(&seat)),
            seat,
            role: agent.one_of("role", &Role::ALL),
            stance: agent.one_of("stance", &Stance::ALL),
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

/// Reads `nine_rounds`, `classic`, or a list of rounds.
fn schedule(top: &ConfigReader) -> Vec<Round> {
    let is_own = top.value("schedule").is_some_and(Value::is_array);
    match top.maybe_one_of("schedule", &SCHEDULES) {
        Some(true) => return classic(),
        _ if !is_own => return nine_rounds(),
        _ => {}
    }
    let round = |(number, round): (u32, ConfigReader)| {
        let kind = round.maybe_one_of("kind", &RoundKind::ALL);
        Round {
            number: round.maybe_whole("number").unwrap_or(number),
            kind: kind.unwrap_or(RoundKind::Context),
            converge: round
                .maybe_flag("converge")
                .unwrap_or(kind == Some(RoundKind::Revise)),
        }
    };
    (0..).zip(top.list("schedule")).map(round).collect()
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

/// Reads ratings by name: a number, or an object with further data.
fn ratings(top: &ConfigReader) -> BTreeMap<String, Rated> {
    let rated = |(name, rating, known): (&str, &Value, ConfigReader)| {
        let rated = if known.is_given() {
            Rated {
                elo: known.number("elo"),
                brier: known.maybe_number("brier"),
                predictions: known.whole("predictions"),
                debates: known.whole("debates"),
            }
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
