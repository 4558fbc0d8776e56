//! The items of a debate and what people see of each. An item is made of what its role may see, and its words of nothing
//! else.

use super::super::asks;
use super::super::event::{Event, GatheredSource, Group, View};
use super::super::rules::breaker::Circuit;
use super::super::rules::consensus::{Decision, DecisionStatus, Mode};
use super::super::rules::convergence::{Check, Novelty};
use super::super::rules::judging::Points;
use super::super::rules::rhetoric::Pattern;
use super::super::rules::similarity::Measure;
use super::super::rules::tally::Tally;
use super::super::rules::trickster::Challenge;
use super::super::settings::SPEC;
use crate::core::block::{self, Block, Chart, Choice, Line, Table, Tone};
use crate::core::data::variant_name;
use crate::core::view::TypedData;
use crate::language::format::{decimal, participant_list, percent};
use crate::language::words::Words;
use crate::procedures::debate::context::SourceItem;
use crate::procedures::spec::config_reader::ConfigReader;
use crate::reading::critique::Critique;
use crate::reading::judge::{Evaluation, Score};
use serde::Serialize;
use serde_json::Value;

/// Material handed out.
#[derive(Debug, Default, Serialize)]
pub(super) struct Material {
    pub sources: Vec<GatheredSource>,
}

/// A proposal in a round.
#[derive(Debug, Default, Serialize)]
pub(super) struct Card {
    pub round: u32,
    pub seat: String,
    /// `critique`, `propose`, `revise` or `refine`.
    pub step: &'static str,
    /// Version created in this round.
    pub edition: Option<u32>,
    pub text: String,
    /// The version before that one.
    pub before: Option<Version>,
    /// The version at the start of the round.
    pub standing: Option<Version>,
    pub challenged: bool,
    pub patterns: Vec<Pattern>,
    pub failures: Vec<FailureItem>,
    /// Whether pending answers are no longer expected.
    pub over: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Version {
    pub round: u32,
    pub version: u32,
    pub text: String,
}

/// A critique of a proposal.
#[derive(Debug, Default, Serialize)]
pub(super) struct CritiqueItem {
    pub round: u32,
    /// The critic.
    pub seat: String,
    /// Author of the proposal.
    pub target: String,
    pub critique: Option<Critique>,
    pub failed: Option<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Alike {
    pub check: Option<Check>,
    pub novelty: Option<Novelty>,
    /// All checks, in the latest item only.
    #[serde(skip)]
    pub checks: Vec<Check>,
}

/// A vote, open or counted.
#[derive(Debug, Default, Serialize)]
pub(super) struct Vote {
    pub round: u32,
    pub members: Vec<Voter>,
    pub groups: Vec<Group>,
    pub votes: Vec<VoteItem>,
    pub decision: Option<Decision>,
    pub failures: Vec<FailureItem>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Voter {
    pub seat: String,
    pub asks: Vec<String>,
    pub ballots: Vec<String>,
    /// `open` or `cast`.
    pub voting: &'static str,
}

/// A ballot, with its reason if the role may see it.
#[derive(Debug, Serialize)]
pub(super) struct VoteItem {
    pub seat: String,
    pub choice: Option<String>,
    pub confidence: Option<f64>,
    pub reasoning: String,
    pub words: Option<Value>,
    /// `cast`, `abstained` or `failed`.
    pub state: &'static str,
}

/// A question to several seats, a check that may end rounds, or the choice of the team.
#[derive(Debug, Default, Serialize)]
pub(super) struct Moment {
    pub round: u32,
    pub kind: Option<String>,
    pub event: Option<Event>,
    pub failures: Vec<FailureItem>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct ChallengeItem {
    pub challenge: Option<Challenge>,
    /// Whether the proposals would have ended the debate.
    #[serde(skip)]
    pub goes_on: bool,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Judge {
    pub round: u32,
    pub seat: String,
    /// Authors in the order in which the proposals are shown.
    pub order: Option<Vec<String>>,
    pub judged: Option<JudgementItem>,
    pub decision: Option<Decision>,
    pub failures: Vec<FailureItem>,
    /// Whether a person judges, who may sit at the owner's page and must not see the authors beforehand.
    #[serde(skip)]
    pub is_person: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct JudgementItem {
    pub round: u32,
    pub seat: String,
    pub evaluation: Evaluation,
    pub points: Vec<Points>,
    pub conclusive: bool,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct EarlyEnd {
    pub round: u32,
    pub reason: String,
}

/// All proposals, when they are revealed in a sparse topology.
#[derive(Debug, Default, Serialize)]
pub(super) struct ProposalsItem {
    pub round: u32,
    pub proposals: Vec<ProposalStanding>,
}

#[derive(Debug, Serialize)]
pub(super) struct ProposalStanding {
    pub seat: String,
    pub version: u32,
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct FailureItem {
    pub seat: String,
    pub kind: String,
    pub reason: String,
}

/// Data of a participant.
#[derive(Debug, Default, Serialize)]
pub(super) struct Debater {
    pub role: String,
    pub stance: String,
    /// The latest version of its proposal.
    pub edition: u32,
    pub versions: Vec<Version>,
}

impl TypedData for Debater {
    const TYPE: &'static str = "debater";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let role = known(&format!("view.role.{}", self.role), words);
        let stance = known(&format!("view.stance.{}", self.stance), words).filter(|_| self.role != "judge");
        let tags = role.into_iter().chain(stance);
        let mut blocks: Vec<_> = tags.map(|tag| Block::toned(Tone::Tag, tag)).collect();
        let title = |version: u32| words.text("view.version", &[("version", &version)]);
        if self.edition > 0 {
            blocks.push(Block::toned(Tone::Quiet, title(self.edition)));
        }
        let versions = self.versions.iter().map(|version| Block::Fold {
            title: title(version.version),
            blocks: Block::quote(&version.text).into_iter().collect(),
        });
        blocks.push(Block::Section {
            title: words.raw("view.proposals.own").to_owned(),
            blocks: versions.collect(),
        });
        blocks
    }
}

impl TypedData for Material {
    const TYPE: &'static str = "context";

    fn is_foreign(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let has_items = self.sources.iter().any(|source| !source.items.is_empty());
        let key = if has_items {
            "view.material"
        } else {
            "view.material.none"
        };
        let mut blocks = vec![Block::text(words.raw(key))];
        for source in &self.sources {
            for piece in &source.items {
                blocks.extend(piece_blocks(piece, source, words));
            }
            if source.items.is_empty() && source.kind != "typed" {
                blocks.push(Block::toned(Tone::Quiet, without_items(source, words)));
            }
        }
        blocks
    }
}

fn source_name(source: &GatheredSource, words: &Words) -> String {
    known(&format!("view.from.{}", source.kind), words).unwrap_or_else(|| source.kind.clone())
}

/// Returns the text of a key, if there is one.
fn known(key: &str, words: &Words) -> Option<String> {
    super::TEXTS.has(key).then(|| words.raw(key).to_owned())
}

fn piece_blocks(piece: &SourceItem, source: &GatheredSource, words: &Words) -> Vec<Block> {
    let number = match piece.evidence.as_str() {
        "" => String::new(),
        number => format!("EVID-{number} "),
    };
    let title = match piece.title.trim() {
        "" => piece.text.lines().next().unwrap_or_default(),
        title => title,
    };
    let origin = piece.origin.clone().filter(|origin| *origin != piece.title);
    let sure = piece
        .confidence
        .map(|share| words.text("view.sure", &[("share", &percent(share))]));
    let title = [
        Some(format!("{number}{title}")),
        Some(source_name(source, words)),
        origin,
        sure,
    ];
    let mut blocks = vec![Block::Fold {
        title: joined(title),
        blocks: vec![Block::text(piece.text.clone())],
    }];
    if !piece.tainted.is_empty() {
        blocks.push(Block::toned(Tone::Note, words.raw("view.tainted")));
    }
    blocks
}

fn without_items(source: &GatheredSource, words: &Words) -> String {
    let why = match (&source.message, &source.note) {
        (Some(message), _) => message.clone(),
        (None, Some(_)) => words.text("view.source_failed", &[]),
        (None, None) => words.text("view.nothing_fits", &[]),
    };
    joined([Some(source_name(source, words)), Some(why)])
}

/// Joins facts of one line.
pub(super) fn joined(facts: impl IntoIterator<Item = Option<String>>) -> String {
    facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

impl TypedData for Card {
    const TYPE: &'static str = "card";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_speech(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.step == "critique" {
            blocks.extend(self.standing.as_ref().map(|standing| Block::Fold {
                title: words.text("view.criticised", &[("version", &standing.version)]),
                blocks: Block::quote(&standing.text).into_iter().collect(),
            }));
        } else {
            blocks.extend(self.standing(words).map(|text| Block::toned(Tone::Tag, text)));
        }
        if self.challenged {
            blocks.push(Block::toned(Tone::Tag, words.raw("view.challenged")));
        }
        blocks.extend(failure_notes(&self.failures, words));
        if self.edition.is_some() {
            blocks.push(Block::Quote {
                text: self.text.trim().to_owned(),
                seat: None,
                called: None,
                before: self.before.as_ref().map(|before| before.text.trim().to_owned()),
            });
        }
        if !self.patterns.is_empty() {
            let names = self.patterns.iter().map(|pattern| pattern_name(*pattern, words));
            let list = names.collect::<Vec<_>>().join(" · ");
            blocks.push(Block::toned(
                Tone::Quiet,
                words.text("view.patterns", &[("list", &list)]),
            ));
        }
        blocks
    }
}

impl Card {
    /// Returns the state of the proposal.
    fn standing(&self, words: &Words) -> Option<String> {
        let is_over = self.over || !self.failures.is_empty();
        Some(match (self.edition, &self.standing) {
            (Some(version), _) => version_name(version, words),
            (None, Some(standing)) => {
                let key = if is_over {
                    "view.unchanged"
                } else {
                    "view.version.from"
                };
                words.text(key, &[("version", &standing.version)])
            }
            (None, None) if is_over => words.text("view.no_proposal", &[]),
            (None, None) => return None,
        })
    }
}

pub(super) fn version_name(version: u32, words: &Words) -> String {
    words.text("view.version", &[("version", &version)])
}

pub(super) fn pattern_name(pattern: Pattern, words: &Words) -> String {
    words.text(&format!("view.pattern.{}", variant_name(&pattern)), &[])
}

fn failure_notes<'a>(failures: &'a [FailureItem], words: &'a Words) -> impl Iterator<Item = Block> + 'a {
    failures
        .iter()
        .map(|failure| Block::toned(Tone::Note, failure_text(&failure.seat, &failure.kind, words)))
}

/// Returns who gave nothing that could be used, to a question of which kind.
pub(super) fn failure_text(seat: &str, kind: &str, words: &Words) -> String {
    let specific = format!("view.failed.{kind}");
    let key = if super::TEXTS.has(&specific) {
        &specific
    } else {
        "view.failed"
    };
    words.text(key, &[("name", &seat)])
}

impl TypedData for CritiqueItem {
    const TYPE: &'static str = "critique";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_projected(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let about = words.text("view.critique.of", &[("name", &self.target)]);
        let mut blocks = vec![Block::toned(Tone::Tag, about)];
        if self.failed.is_some() {
            blocks.push(Block::toned(Tone::Note, words.raw("view.critique.failed")));
        }
        let Some(critique) = &self.critique else {
            return blocks;
        };
        blocks.push(Block::Measure {
            text: severity(critique.severity, words),
        });
        for (key, points) in [
            ("view.issues", &critique.issues),
            ("view.suggestions", &critique.suggestions),
        ] {
            if !points.is_empty() {
                blocks.push(Block::toned(Tone::Quiet, words.raw(key)));
                let (items, quoted) = (points.clone(), true);
                blocks.push(Block::List { items, quoted });
            }
        }
        if critique.is_empty() {
            let nothing = || Block::toned(Tone::Note, words.raw("view.critique.nothing"));
            blocks.push(Block::quote(&critique.reasoning).unwrap_or_else(nothing));
        }
        blocks
    }
}

/// Returns the severity in a word, as critics are instructed, with its value.
fn severity(value: Option<f64>, words: &Words) -> String {
    let Some(value) = value else {
        return words.text("view.severity.none", &[]);
    };
    let word = match value {
        ..3.0 => "cosmetic",
        ..6.0 => "moderate",
        ..9.0 => "significant",
        _ => "critical",
    };
    let value = points(value, words);
    words.text(&format!("view.severity.{word}"), &[("value", &value)])
}

/// Formats points of 10 with at most one decimal.
pub(super) fn points(value: f64, words: &Words) -> String {
    decimal(value, 1, words.language())
}

impl TypedData for Alike {
    const TYPE: &'static str = "check";

    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        let Some(check) = &self.check else {
            return Vec::new();
        };
        let mut blocks = check_blocks(check, config, words);
        if let Some(novelty) = &self.novelty {
            let value = percent(novelty.min);
            blocks.push(Block::toned(
                Tone::Quiet,
                words.text("view.novelty", &[("value", &value)]),
            ));
        }
        if self.checks.len() > 1 {
            blocks.push(chart(&self.checks, config, words));
        }
        blocks
    }
}

fn threshold(config: &Value) -> f64 {
    ConfigReader::unchecked(config, SPEC.settings).number("convergence_threshold")
}

/// Returns score and finding of a check.
pub(super) fn check_blocks(check: &Check, config: &Value, words: &Words) -> Vec<Block> {
    let threshold = threshold(config);
    // As many decimals as tell the score from the threshold.
    let digits = (2..5)
        .find(|digits| threshold == check.score || round(check.score, *digits) != round(threshold, *digits))
        .unwrap_or(5);
    let figure = |value| decimal(value, digits, words.language());
    let (score, limit) = (figure(check.score), figure(threshold));
    let (least, mean) = (figure(check.inter_agent.min), figure(check.inter_agent.mean));
    let status = words.text(&format!("view.check.{}", variant_name(&check.status)), &[]);
    let measure = words.text(&format!("view.measure.{}", variant_name(&check.measure)), &[]);
    let mut blocks = vec![
        Block::toned(
            Tone::Strong,
            words.text("view.check", &[("score", &score), ("status", &status)]),
        ),
        Block::text(words.text(
            "view.check.scale",
            &[
                ("threshold", &limit),
                ("least", &least),
                ("mean", &mean),
                ("measure", &measure),
            ],
        )),
    ];
    if check.measure != Measure::Embedding {
        blocks.push(Block::toned(Tone::Quiet, words.raw("view.measure.words")));
    }
    blocks
}

fn round(value: f64, digits: usize) -> String {
    format!("{value:.digits$}")
}

/// Returns how alike the proposals were, check by check.
pub(super) fn chart(checks: &[Check], config: &Value, words: &Words) -> Block {
    let line = |key, number, value: &dyn Fn(&Check) -> Option<f64>| Line {
        label: words.text(key, &[]),
        number,
        values: checks
            .iter()
            .map(|check| value(check).map(|value| (value * 1_000.0).round() / 1_000.0))
            .collect(),
        ..Line::default()
    };
    let threshold = threshold(config);
    let mut lines = vec![Line {
        strong: true,
        ..line("view.chart.score", Some(1), &|check| Some(check.score))
    }];
    if checks.iter().any(|check| check.inter_agent.texts > 1) {
        lines.push(line("view.chart.mean", Some(2), &|check| {
            Some(check.inter_agent.mean)
        }));
    }
    lines.push(line("view.chart.stability", Some(3), &|check| {
        check.self_stability.as_ref().map(|stability| stability.mean)
    }));
    lines.push(line("view.chart.threshold", None, &|_| Some(threshold)));
    Block::Chart(Box::new(Chart {
        title: words.text("view.chart", &[]),
        text: words.text("view.chart.text", &[]),
        x: checks
            .iter()
            .map(|check| words.text("view.round", &[("round", &check.round)]))
            .collect(),
        range: Some([0.0, 1.0]),
        lines,
        ..Chart::default()
    }))
}

impl TypedData for Vote {
    const TYPE: &'static str = "vote";

    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        let mut blocks: Vec<_> = failure_notes(&self.failures, words).collect();
        match &self.decision {
            Some(_) => blocks.extend(self.counted(words, config)),
            None => {
                blocks.push(Block::toned(Tone::Private, words.raw("view.secret")));
                let state = |voter: &Voter| {
                    let choice = Choice {
                        name: words.text(&format!("view.voting.{}", voter.voting), &[]),
                        is_missing: voter.voting != "cast",
                        ..Choice::default()
                    };
                    block::Vote::new(&voter.seat, choice).to(asks::VOTE)
                };
                let votes = self.members.iter().map(state).collect();
                blocks.push(Block::Votes { votes });
            }
        }
        blocks
    }
}

impl Vote {
    /// Returns the tally, the ballots and what follows from them; nothing of an open vote.
    pub(super) fn counted(&self, words: &Words, config: &Value) -> Vec<Block> {
        let Some(decision) = &self.decision else {
            return Vec::new();
        };
        let mut blocks = tally_blocks(&decision.tally, words);
        blocks.extend(
            self.groups
                .iter()
                .map(|group| Block::toned(Tone::Quiet, group_text(group, words))),
        );
        blocks.push(self.ballots(words));
        if let Some(note) = &decision.note {
            blocks.push(Block::text(
                words.raw(&format!("view.note.{}", variant_name(note))),
            ));
        }
        let is_judged =
            config["consensus"] == "judge" && decision.status != DecisionStatus::InsufficientParticipation;
        blocks.push(match &decision.winner {
            _ if !is_judged => verdict(decision, words),
            Some(name) => Block::toned(Tone::Quiet, words.text("view.votes.judge", &[("name", name)])),
            None => Block::toned(Tone::Quiet, words.raw("view.votes.judge.none")),
        });
        blocks
    }

    fn ballots(&self, words: &Words) -> Block {
        let row = |vote: &VoteItem| {
            let choice = match &vote.choice {
                Some(choice) => choice.clone(),
                None => words.text(&format!("view.vote.{}", vote.state), &[]),
            };
            let own_words = vote.words.as_ref().and_then(Value::as_str);
            vec![
                vote.seat.clone(),
                own_words.map_or(choice.clone(), |own| format!("{choice} “{own}”")),
                vote.confidence.map_or("–".to_owned(), percent),
                vote.reasoning.clone(),
            ]
        };
        table(
            &[
                "view.participant",
                "view.vote.for",
                "view.vote.confidence",
                "view.vote.why",
            ],
            self.votes.iter().map(row).collect(),
            words,
        )
    }
}

/// Creates a table of participants without a title.
pub(super) fn table(columns: &[&str], rows: Vec<Vec<String>>, words: &Words) -> Block {
    Block::Table(Table {
        columns: columns.iter().map(|key| words.text(key, &[])).collect(),
        rows,
        has_seats: true,
        ..Table::default()
    })
}

/// Returns votes and weight by proposal.
fn tally_blocks(tally: &Tally, words: &Words) -> Vec<Block> {
    let rows = tally
        .rows
        .iter()
        .map(|row| {
            vec![
                row.choice.clone(),
                row.votes.to_string(),
                points(row.weight, words),
            ]
        })
        .collect();
    let quorum: [(&str, &dyn std::fmt::Display); 2] =
        [("took", &tally.took_part), ("required", &tally.required)];
    let mut blocks = vec![
        table(&["view.proposal_of", "view.votes", "view.weight"], rows, words),
        Block::toned(Tone::Quiet, words.text("view.quorum", &quorum)),
    ];
    let listed = |values: &[(String, f64)]| {
        let facts: Vec<_> = values
            .iter()
            .map(|(name, value)| format!("{name} {}", decimal(*value, 2, words.language())))
            .collect();
        participant_list(words.language(), &facts)
    };
    if tally.weights.iter().any(|(_, weight)| *weight != 1.0) {
        let list = listed(&tally.weights);
        blocks.push(Block::toned(
            Tone::Quiet,
            words.text("view.weights", &[("list", &list)]),
        ));
    }
    if !tally.bonuses.is_empty() {
        let list = listed(&tally.bonuses);
        blocks.push(Block::toned(
            Tone::Quiet,
            words.text("view.bonuses", &[("list", &list)]),
        ));
    }
    blocks
}

fn group_text(group: &Group, words: &Words) -> String {
    let names = participant_list(words.language(), &group.voters);
    let (voters, text) = (
        ("names", &names as &dyn std::fmt::Display),
        ("words", &group.canonical as _),
    );
    match &group.choice {
        Some(choice) => words.text("view.grouped", &[voters, text, ("choice", choice)]),
        None => words.text("view.not_grouped", &[voters, text]),
    }
}

/// Returns the status of a result or a decision: a judge's decision is not an agreement.
pub(super) fn status_text(status: &str, decided_by: &str, words: &Words) -> String {
    let status = if decided_by == "judge" { "judged" } else { status };
    words.text(&format!("view.status.{status}"), &[])
}

/// Returns the result of a count, in a line.
fn verdict(decision: &Decision, words: &Words) -> Block {
    let mode = variant_name(&decision.decided_by);
    let is_won = decision.status == DecisionStatus::ConsensusReached
        || (decision.decided_by == Mode::Judge && decision.winner.is_some());
    let mut sentence = status_text(&variant_name(&decision.status), &mode, words);
    if let Some(name) = &decision.winner {
        let key = if is_won { "view.won" } else { "view.leads" };
        sentence = words.text(
            "view.sentences",
            &[
                ("first", &sentence),
                ("second", &words.text(key, &[("name", name)])),
            ],
        );
    }
    let by = is_won.then(|| words.text(&format!("decided_by.{mode}"), &[]));
    let text = joined([
        Some(sentence),
        by,
        Some(confidence_text(decision.confidence, words)),
    ]);
    Block::toned(if is_won { Tone::Good } else { Tone::Bad }, text)
}

fn confidence_text(share: f64, words: &Words) -> String {
    words.text("view.confidence", &[("value", &percent(share))])
}

impl TypedData for Moment {
    const TYPE: &'static str = "moment";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let result = self.event.as_ref().and_then(|event| event_text(event, words));
        let question = || Some(words.text(&format!("view.asked.{}", self.kind.as_ref()?), &[]));
        let shown = match result {
            Some(text) => Some(Block::text(text)),
            None => question().map(|text| Block::toned(Tone::Quiet, text)),
        };
        shown
            .into_iter()
            .chain(failure_notes(&self.failures, words))
            .collect()
    }
}

fn event_text(event: &Event, words: &Words) -> Option<String> {
    let (text, ends) = match event {
        Event::TeamSelected { seats, .. } => {
            let names = participant_list(words.language(), seats);
            (words.text("view.team", &[("names", &names)]), false)
        }
        Event::Ready { count, of, ends, .. } => (
            words.text("view.moment.ready", &[("count", count), ("of", of)]),
            *ends,
        ),
        Event::Polled { answers, ends, .. } => {
            let count = answers.iter().filter(|answer| answer.yes == Some(true)).count();
            let values: [(&str, &dyn std::fmt::Display); 2] = [("count", &count), ("of", &answers.len())];
            (words.text("view.moment.polled", &values), *ends)
        }
        Event::Settled { seat, said, ends, .. } => {
            let key = if said.conclusive {
                "view.moment.settled"
            } else {
                "view.moment.unsettled"
            };
            (words.text(key, &[("name", seat)]), *ends)
        }
        Event::Stable { stability, ends, .. } => {
            let value = percent(stability.score);
            (words.text("view.moment.stable", &[("value", &value)]), *ends)
        }
        Event::Prepared(view) => (agreement_text("view.moment.prepared", view, words), false),
        Event::Committed(view) => (agreement_text("view.moment.committed", view, words), false),
        Event::Circuit { seat, state, .. } => {
            let key = match state {
                Circuit::Open => "view.circuit.open",
                Circuit::HalfOpen => "view.circuit.half_open",
                Circuit::Closed => "view.circuit.closed",
            };
            (words.text(key, &[("name", seat)]), false)
        }
        _ => return None,
    };
    Some(if ends {
        words.text(
            "view.sentences",
            &[("first", &text), ("second", &words.raw("view.moment.ends"))],
        )
    } else {
        text
    })
}

fn agreement_text(key: &str, view: &View, words: &Words) -> String {
    let count = view
        .answers
        .iter()
        .filter(|answer| answer.yes == Some(true))
        .count();
    words.text(
        key,
        &[
            ("name", &view.leader),
            ("count", &count),
            ("of", &view.answers.len()),
            ("quorum", &view.quorum),
        ],
    )
}

impl TypedData for ChallengeItem {
    const TYPE: &'static str = "challenge";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Some(challenge) = &self.challenge else {
            return Vec::new();
        };
        let kind = variant_name(&challenge.kind);
        let mut blocks = vec![Block::toned(
            Tone::Note,
            words.raw(&format!("view.challenge.{kind}")),
        )];
        if challenge.blocks && self.goes_on {
            blocks.push(Block::toned(Tone::Quiet, words.raw("view.challenge.blocks")));
        }
        let target = |name: &String| {
            let lacks = challenge.lacks.iter().find(|(seat, _)| seat == name);
            let lacks = lacks.map(|(_, lacks)| lacks.as_slice()).unwrap_or_default();
            let lacks: Vec<_> = lacks
                .iter()
                .map(|lack| words.text(&format!("view.lack.{}", variant_name(lack)), &[]))
                .collect();
            if lacks.is_empty() {
                return name.clone();
            }
            let list = participant_list(words.language(), &lacks);
            words.text("view.lacks", &[("name", name), ("list", &list)])
        };
        let items: Vec<_> = challenge.targets.iter().map(target).collect();
        let gap = |gap: &super::super::rules::crosscheck::Gap| {
            let seats = participant_list(words.language(), &gap.seats);
            format!("“{}” · {seats}", gap.claim)
        };
        let gaps: Vec<_> = challenge.gaps.iter().map(gap).collect();
        let lists = [items, gaps].into_iter().filter(|items| !items.is_empty());
        blocks.extend(lists.map(|items| Block::List { items, quoted: false }));
        blocks
    }
}

impl TypedData for Judge {
    const TYPE: &'static str = "judge";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let title = words.text("view.judge", &[("name", &self.seat)]);
        let mut blocks = vec![Block::toned(Tone::Strong, title)];
        blocks.extend(failure_notes(&self.failures, words));
        blocks.extend(self.scores(words));
        if let Some(judged) = &self.judged {
            let evaluation = &judged.evaluation;
            if !evaluation.missing.is_empty() {
                let list = evaluation.missing.join(", ");
                blocks.push(Block::toned(
                    Tone::Note,
                    words.text("view.judge.missing", &[("list", &list)]),
                ));
            }
            blocks.extend(Block::quote(&evaluation.synthesis).map(|quote| Block::Fold {
                title: words.text("view.judge.synthesis", &[]),
                blocks: vec![quote],
            }));
            let key = if judged.conclusive {
                "view.judge.conclusive"
            } else {
                "view.judge.open"
            };
            let confidence = evaluation.confidence.map(|share| confidence_text(share, words));
            let reason = evaluation.reason.trim();
            let found = match reason {
                "" => words.text(key, &[]),
                reason => words.text(
                    "view.sentences",
                    &[("first", &words.raw(key)), ("second", &reason)],
                ),
            };
            blocks.push(Block::text(joined([Some(found), confidence])));
        }
        blocks.extend(self.decision.as_ref().map(|decision| verdict(decision, words)));
        blocks
    }
}

impl Judge {
    /// Returns how the judge saw the proposals, and the points given.
    pub(super) fn scores(&self, words: &Words) -> Vec<Block> {
        let blind = words.text("view.judge.blind", &[("name", &self.seat)]);
        let order = self
            .order
            .as_ref()
            .filter(|_| self.judged.is_some() || !self.is_person);
        std::iter::once(Block::toned(Tone::Quiet, blind))
            .chain(order.map(|order| self.table(order, words)))
            .collect()
    }

    /// Returns the proposals in the order shown, with points and comments once they are given.
    fn table(&self, order: &[String], words: &Words) -> Block {
        let judged = self.judged.as_ref();
        let scores = judged.map_or(&[][..], |judged| &judged.evaluation.scores);
        let ranks = judged.map_or(&[][..], |judged| &judged.evaluation.ranking);
        let mut criteria: Vec<&str> = Vec::new();
        for (name, _) in scores.iter().flat_map(|score| &score.criteria) {
            if !criteria.contains(&name.as_str()) {
                criteria.push(name);
            }
        }
        let criterion = |name: &&str| {
            known(&format!("view.criterion.{name}"), words).unwrap_or_else(|| (*name).to_owned())
        };
        let label = |key: &str| words.text(key, &[]);
        let mut columns = vec![label("view.judge.whose"), label("view.judge.shown")];
        if judged.is_some() {
            columns.push(label("view.judge.points"));
        }
        columns.extend(criteria.iter().map(criterion));
        if !ranks.is_empty() {
            columns.push(label("view.judge.rank"));
        }
        if judged.is_some() {
            columns.push(label("view.judge.comment"));
        }
        let cell = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let row = |(place, proposer): (usize, &String)| {
            let score = scores.iter().find(|score| place_of(&score.label) == Some(place));
            let mut row = vec![proposer.clone(), place.to_string()];
            row.extend(judged.map(|judged| cell(given(score, proposer, &judged.points, words))));
            row.extend(criteria.iter().map(|name| {
                let given = score.and_then(|score| score.criteria.iter().find(|(one, _)| one == name));
                cell(given.map(|(_, value)| points(*value, words)))
            }));
            if !ranks.is_empty() {
                let rank = ranks.iter().position(|label| place_of(label) == Some(place));
                row.push(cell(rank.map(|rank| (rank + 1).to_string())));
            }
            row.extend(judged.map(|_| score.map(|score| score.comment.clone()).unwrap_or_default()));
            row
        };
        Block::Table(Table {
            columns,
            rows: (1..).zip(order).map(row).collect(),
            has_seats: true,
            ..Table::default()
        })
    }
}

/// Returns the points given to a proposal, or as what it is ranked without.
fn given(score: Option<&Score>, proposer: &str, all: &[Points], words: &Words) -> Option<String> {
    if let Some(score) = score {
        return Some(points(score.score, words));
    }
    let ranked = all.iter().find(|points| points.proposer == proposer)?;
    let score = points(ranked.score, words);
    Some(words.text("view.judge.not_given", &[("score", &score)]))
}

/// Returns the number in a label such as `Proposal 2`.
fn place_of(label: &str) -> Option<usize> {
    let digits = label.split(|character: char| !character.is_ascii_digit());
    digits.into_iter().find(|digits| !digits.is_empty())?.parse().ok()
}

impl TypedData for EarlyEnd {
    const TYPE: &'static str = "early";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let text = words.text(&format!("view.early.{}", self.reason), &[("round", &self.round)]);
        vec![Block::toned(Tone::Strong, text)]
    }
}

impl TypedData for ProposalsItem {
    const TYPE: &'static str = "laid";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let proposals = self
            .proposals
            .iter()
            .map(|one| proposal_fold(&one.seat, one.version, &one.text, words));
        let title = Block::toned(Tone::Strong, words.raw("view.proposals"));
        std::iter::once(title).chain(proposals).collect()
    }
}

pub(super) fn proposal_fold(seat: &str, version: u32, text: &str, words: &Words) -> Block {
    Block::Fold {
        title: joined([Some(seat.to_owned()), Some(version_name(version, words))]),
        blocks: Block::quote(text).into_iter().collect(),
    }
}

impl TypedData for FailureItem {
    const TYPE: &'static str = "failed";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        failure_notes(std::slice::from_ref(self), words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::rules::consensus::{Note, Strength};
    use super::super::super::rules::convergence::ConvergenceStatus;
    use super::super::super::rules::rhetoric::Character;
    use super::super::super::rules::trickster::{Intervention, Lack};
    use super::super::{TEXTS, VIEW};
    use super::*;
    use crate::language::Language;
    use serde_json::json;

    fn english() -> Words {
        VIEW.words(Language::English, &Value::Null)
    }

    fn texts(blocks: &[Block]) -> Vec<&str> {
        blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text { text, .. } | Block::Measure { text } | Block::Quote { text, .. } => {
                    Some(text.as_str())
                }
                _ => None,
            })
            .collect()
    }

    #[test]
    fn each_value_has_its_words() {
        use Intervention::{
            Breakpoint, ChallengePrompt, EchoChamber, EvidenceGap, ExtendedRound, NoveltyChallenge,
            QualityRole,
        };
        let mut keys = Vec::new();
        let mut add = |prefix: &str, names: Vec<String>| {
            keys.extend(names.into_iter().map(|name| format!("{prefix}.{name}")));
        };
        let kinds = [
            ChallengePrompt,
            QualityRole,
            ExtendedRound,
            Breakpoint,
            NoveltyChallenge,
            EvidenceGap,
            EchoChamber,
        ];
        add("view.challenge", kinds.iter().map(variant_name).collect());
        let lacks = [
            Lack::Citations,
            Lack::Specificity,
            Lack::Reasoning,
            Lack::EvidenceDiversity,
        ];
        add("view.lack", lacks.iter().map(variant_name).collect());
        use ConvergenceStatus::{Converged, Diverging, Refining};
        add(
            "view.check",
            [Converged, Refining, Diverging]
                .iter()
                .map(variant_name)
                .collect(),
        );
        use Measure::{Embedding, Jaccard, Tfidf};
        add(
            "view.measure",
            [Embedding, Tfidf, Jaccard].iter().map(variant_name).collect(),
        );
        use Strength::{Medium, Strong, Unanimous, Weak};
        let strengths = [Unanimous, Strong, Medium, Weak, Strength::None];
        add("view.strength", strengths.iter().map(variant_name).collect());
        let characters = [
            Character::Collaborative,
            Character::Contentious,
            Character::Technical,
            Character::EvidenceDriven,
            Character::Balanced,
            Character::Emerging,
        ];
        add("view.character", characters.iter().map(variant_name).collect());
        let notes = [Note::TooFewForByzantine, Note::NoByzantineAgreement];
        add("view.note", notes.iter().map(variant_name).collect());
        let missing: Vec<_> = keys.iter().filter(|key| !TEXTS.has(key)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_critique_is_shown_by_its_points_or_else_by_its_words() {
        let item = |critique: Critique| CritiqueItem {
            seat: "Cy".to_owned(),
            target: "Ben".to_owned(),
            critique: Some(critique),
            ..CritiqueItem::default()
        };
        let with_points = item(Critique {
            issues: vec!["No date.".to_owned()],
            severity: Some(9.0),
            reasoning: "Because.".to_owned(),
            ..Critique::default()
        });
        let blocks = with_points.blocks(&english(), &Value::Null);
        assert_eq!(
            texts(&blocks),
            ["on Ben's proposal", "critical (9 of 10)", "Objections"]
        );
        let (items, quoted) = (vec!["No date.".to_owned()], true);
        assert_eq!(blocks.last(), Some(&Block::List { items, quoted }));
        let in_words = item(Critique {
            reasoning: "It names nobody who pays.".to_owned(),
            ..Critique::default()
        });
        let blocks = in_words.blocks(&english(), &Value::Null);
        assert_eq!(blocks.last(), Block::quote("It names nobody who pays.").as_ref());
    }

    #[test]
    fn a_person_who_judges_sees_no_authors_beforehand() {
        let judge = |is_person| Judge {
            seat: "Dan".to_owned(),
            order: Some(vec!["Ann".to_owned()]),
            is_person,
            ..Judge::default()
        };
        let shown = |is_person| format!("{:?}", judge(is_person).blocks(&english(), &Value::Null));
        assert!(shown(false).contains("Ann") && !shown(true).contains("Ann"));
    }

    #[test]
    fn a_score_has_the_decimals_that_tell_it_from_the_threshold() {
        let check: Check = serde_json::from_value(json!({
            "round": 3, "status": "refining", "score": 0.8496, "measure": "tfidf",
            "inter_agent": { "texts": 2, "values": [0.8496], "min": 0.8496, "mean": 0.8496 },
            "self_stability": null, "stable": 0,
        }))
        .unwrap();
        let blocks = check_blocks(&check, &json!({ "convergence_threshold": 0.85 }), &english());
        let text = texts(&blocks)[0];
        assert_eq!(text, "How alike the proposals are: 0.8496. They are not one yet.");
    }

    #[test]
    fn labels_have_the_places_of_proposals() {
        let places = ["Proposal 2", "Propuesta 12", "Ann"].map(place_of);
        assert_eq!(places, [Some(2), Some(12), None]);
    }
}
