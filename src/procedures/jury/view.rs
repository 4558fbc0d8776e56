//! View of a trial: the case, straw votes with their course, speeches, ballots. A straw vote and a secret ballot are
//! visible to their own seat and the owner, and to the owner only once all are in.

use super::event::Event;
use super::prompts::{counts, evidence_title, opinion_or_none};
use super::rules::{Counts, Opinion};
use super::settings::SPEC;
use crate::core::ask::Ask;
use crate::core::block::{self, Block, Chart, Choice, Line, Shape, Tone};
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, Reducer, Section, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::Publication;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::procedures::jury::asks;
use crate::procedures::jury::context::Ballot;
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::view::{agents, published};
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// Public fields of a configuration. The evidence becomes public item by item.
const PUBLISHED: [&str; 9] = [
    "title",
    "protocol",
    "language",
    "charge",
    "rounds",
    "needed",
    "ballots",
    "show_counts",
    "open_ballot",
];

static TEXTS: Texts = Texts::new(in_each_language!("words/view"));

pub(crate) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, _| {
            let mut public = published(config, &PUBLISHED);
            public["agents"] = agents(config, &["language"]);
            public
        },
        result: |result, _, _| {
            let mut public = result.clone();
            if public["counts_shown"] != true {
                public["straw_votes"] = Value::Null;
                public["changed"] = Value::Null;
            }
            public
        },
    },
    texts: &[&TEXTS, &super::TEXTS],
    wording: |_| None,
    reducer: |config| Box::new(Trial::of(config)),
    outcome,
};

fn outcome(result: &Value, words: &Words) -> String {
    let ballots: Vec<Ballot> = serde_json::from_value(result["ballots"].clone()).unwrap_or_default();
    let counts = ballots
        .last()
        .map_or(String::new(), |ballot| counts(words, &ballot.counts));
    let key = match result["verdict"].as_str() {
        Some("guilty") => "outcome.guilty",
        Some("not_guilty") => "outcome.not_guilty",
        _ => "outcome.hung",
    };
    words.text(key, &[("counts", &counts)])
}

#[derive(Debug, Default, Serialize)]
struct Opening {
    charge: String,
    prosecution: String,
    defence: String,
}

impl TypedData for Opening {
    const TYPE: &'static str = "case_opened";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let statement = |key, text: &String| {
            let title = Block::toned(Tone::Quiet, words.text(key, &[]));
            [title, Block::text(text)]
        };
        let statements = [
            statement("jury.form.prosecution", &self.prosecution),
            statement("jury.form.defence", &self.defence),
        ];
        let charge = Block::toned(Tone::Strong, &self.charge);
        [charge]
            .into_iter()
            .chain(statements.into_iter().flatten())
            .collect()
    }
}

#[derive(Debug, Default, Serialize)]
struct Evidence {
    number: u32,
    title: String,
    text: String,
}

impl TypedData for Evidence {
    const TYPE: &'static str = "evidence";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let title = evidence_title(words, self.number as usize, &self.title);
        vec![Block::toned(Tone::Strong, title), Block::text(&self.text)]
    }
}

/// A straw vote, a vote in a secret ballot, or a pending ask for one.
#[derive(Debug, Default, Serialize)]
struct PrivateVote {
    seat: String,
    round: u32,
    #[serde(skip)]
    is_given: bool,
    opinion: Option<Opinion>,
    certainty: Option<u32>,
    reason: String,
}

impl TypedData for PrivateVote {
    const TYPE: &'static str = "private_vote";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        if !self.is_given {
            return Vec::new();
        }
        let opinion = opinion_or_none(words, self.opinion);
        let text = match self.certainty {
            Some(certainty) => words.text("view.vote", &[("opinion", &opinion), ("certainty", &certainty)]),
            None => opinion,
        };
        let reason = Block::quote(&self.reason);
        reason.into_iter().chain([Block::Measure { text }]).collect()
    }
}

/// The counts of a straw vote, and of those before it.
#[derive(Debug, Default, Serialize)]
struct StrawCount {
    course: Vec<Counts>,
}

impl TypedData for StrawCount {
    const TYPE: &'static str = "straw_count";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Some(last) = self.course.last() else {
            return Vec::new();
        };
        let course = (self.course.len() > 1).then(|| chart(&self.course, words));
        let counts = Block::toned(Tone::Strong, counts(words, last));
        [counts].into_iter().chain(course).collect()
    }
}

/// A speech, or a pending ask for one.
#[derive(Debug, Default, Serialize)]
struct Speech {
    seat: String,
    round: u32,
    #[serde(skip)]
    is_given: bool,
    text: Option<String>,
}

impl TypedData for Speech {
    const TYPE: &'static str = "speech";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_speech(&self) -> bool {
        true
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let silent = || Block::toned(Tone::Quiet, words.text("view.silent", &[]));
        let text = self.text.as_deref().and_then(Block::quote);
        let shown = text.or_else(|| self.is_given.then(silent));
        shown.into_iter().collect()
    }
}

/// A ballot: its counts, and who voted what if it is open.
#[derive(Debug, Default, Serialize)]
struct BallotItem {
    round: u32,
    votes: Vec<(String, Option<Opinion>)>,
    counts: Option<Counts>,
}

impl TypedData for BallotItem {
    const TYPE: &'static str = "ballot";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Some(result) = &self.counts else {
            return Vec::new();
        };
        let vote = |(seat, vote): &(String, Option<Opinion>)| {
            let choice = Choice {
                name: opinion_or_none(words, *vote),
                is_missing: vote.is_none(),
                ..Choice::default()
            };
            block::Vote::new(seat, choice).to(asks::BALLOT)
        };
        let votes: Vec<block::Vote> = self.votes.iter().map(vote).collect();
        let votes = (!votes.is_empty()).then_some(Block::Votes { votes });
        let sentence = Block::toned(Tone::Strong, counts(words, result));
        [sentence].into_iter().chain(votes).collect()
    }
}

/// A juror has no data but name and kind.
#[derive(Debug, Default, Serialize)]
struct Juror {}

impl TypedData for Juror {
    const TYPE: &'static str = "juror";
}

/// Returns the straw votes so far as stacked bars.
fn chart(course: &[Counts], words: &Words) -> Block {
    let line = |number, key: &str, value: fn(&Counts) -> usize| Line {
        label: words.text(key, &[]),
        number,
        values: course.iter().map(|counts| Some(value(counts) as f64)).collect(),
        ..Line::default()
    };
    let x = (0..course.len()).map(|number| match number {
        0 => words.text("view.opening", &[]),
        _ => evidence_title(words, number, ""),
    });
    let jurors = course.first().map_or(0, Counts::total) as f64;
    Block::Chart(Box::new(Chart {
        shape: Shape::Stacked,
        title: words.text("view.chart", &[]),
        text: words.text("view.chart.text", &[]),
        x: x.collect(),
        range: Some([0.0, jurors]),
        lines: vec![
            line(Some(1), "jury.opinion.guilty", |counts| counts.guilty),
            line(Some(2), "jury.opinion.not_guilty", |counts| counts.not_guilty),
            line(Some(3), "jury.opinion.undecided", |counts| counts.undecided),
            line(None, "jury.opinion.missing", |counts| counts.missing),
        ],
        ..Chart::default()
    }))
}

#[derive(Debug, Serialize)]
struct Trial {
    charge: String,
    open_ballot: bool,
    /// Number of items of evidence; 0 before the case is opened.
    #[serde(skip)]
    evidence: u32,
    #[serde(skip)]
    rounds: u32,
    #[serde(skip)]
    ballots: u32,
    /// The key of the current section.
    #[serde(skip)]
    current: String,
    #[serde(skip)]
    straw_votes: Vec<Counts>,
}

/// The parts of a trial, as sections and steps.
const OPENING: &str = "opening";
const EVIDENCE: &str = "evidence";
const DELIBERATION: &str = "deliberation";
const BALLOT: &str = "verdict";

impl Trial {
    fn of(config: &Value) -> Self {
        let config_reader = ConfigReader::unchecked(config, SPEC.settings);
        Self {
            charge: config["charge"].as_str().unwrap_or_default().to_owned(),
            open_ballot: config_reader.flag("open_ballot"),
            evidence: 0,
            rounds: config_reader.whole("rounds"),
            ballots: config_reader.whole("ballots"),
            current: String::new(),
            straw_votes: Vec::new(),
        }
    }

    /// Begins a part of the trial and returns the key of its section.
    fn begin(&mut self, transcript: &mut Transcript, step: &'static str, round: u32) -> String {
        let key = section_key(step, round);
        // Sections stand in the order of their beginnings.
        transcript.section(&key, 0, step, round);
        self.current.clone_from(&key);
        key
    }

    /// Returns all parts in order; later ballots with their rounds of deliberation may not be needed.
    fn parts(&self) -> Vec<(&'static str, u32)> {
        let evidence = (1..=self.evidence).map(|number| (EVIDENCE, number));
        let deliberation = (1..=self.rounds).map(|round| (DELIBERATION, round));
        let further = (2..=self.ballots)
            .flat_map(|number| [(DELIBERATION, self.rounds + number - 1), (BALLOT, number)]);
        std::iter::once((OPENING, 0))
            .chain(evidence)
            .chain(deliberation)
            .chain([(BALLOT, 1)])
            .chain(further)
            .collect()
    }

    fn show_vote(&self, transcript: &mut Transcript, kind: &str, entry: &Entry, vote: PrivateVote) {
        let key = vote_key(kind, vote.round, &vote.seat);
        transcript.show(&self.current, &key, |meta, item: &mut PrivateVote| {
            meta.complete(entry);
            *item = vote;
        });
        transcript.unseal(&key);
    }
}

fn section_key(step: &str, round: u32) -> String {
    format!("{step}/{round}")
}

fn vote_key(kind: &str, round: u32, seat: &str) -> String {
    format!("{kind}/{round}/{seat}")
}

fn ballot_key(round: u32) -> String {
    format!("{}/{round}", asks::BALLOT)
}

impl Reducer for Trial {
    fn person(&self, _: &Value) -> Box<dyn ItemData> {
        Box::<Juror>::default()
    }

    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(event) = event.read() else {
            return;
        };
        match event {
            Event::CaseOpened {
                charge,
                prosecution,
                defence,
                evidence,
            } => {
                self.evidence = evidence;
                let section = self.begin(transcript, OPENING, 0);
                transcript.show(&section, "case", |meta, item: &mut Opening| {
                    meta.complete(entry);
                    *item = Opening {
                        charge,
                        prosecution,
                        defence,
                    };
                });
            }
            Event::EvidenceShown { number, title, text } => {
                let section = self.begin(transcript, EVIDENCE, number);
                transcript.show(
                    &section,
                    &format!("item/{number}"),
                    |meta, item: &mut Evidence| {
                        meta.complete(entry);
                        *item = Evidence { number, title, text };
                    },
                );
            }
            Event::StrawVoted {
                round,
                seat,
                opinion,
                certainty,
                reason,
            } => {
                let is_given = true;
                let vote = PrivateVote {
                    seat,
                    round,
                    is_given,
                    opinion,
                    certainty,
                    reason,
                };
                self.show_vote(transcript, asks::STRAW_VOTE, entry, vote);
            }
            Event::StrawCounted { round, counts } => {
                self.straw_votes.push(counts);
                let course = self.straw_votes.clone();
                let key = format!("straw_count/{round}");
                transcript.show(&self.current, &key, |meta, item: &mut StrawCount| {
                    meta.complete(entry);
                    item.course = course;
                });
            }
            Event::DeliberationBegan { round } => {
                self.begin(transcript, DELIBERATION, round);
            }
            Event::Argued { round, seat, text } => {
                let key = vote_key(asks::SPEECH, round, &seat);
                transcript.show(&self.current, &key, |meta, item: &mut Speech| {
                    meta.complete(entry);
                    let is_given = true;
                    *item = Speech {
                        seat,
                        round,
                        is_given,
                        text,
                    };
                });
            }
            Event::BallotBegan { round } => {
                let section = self.begin(transcript, BALLOT, round);
                let key = ballot_key(round);
                transcript.show(&section, &key, |_, item: &mut BallotItem| item.round = round);
            }
            Event::Balloted { round, seat, opinion } if self.open_ballot => {
                let vote = (seat, opinion);
                transcript.change(&ballot_key(round), |_, item: &mut BallotItem| {
                    item.votes.push(vote)
                });
            }
            Event::Balloted { round, seat, opinion } => {
                let is_given = true;
                let vote = PrivateVote {
                    seat,
                    round,
                    is_given,
                    opinion,
                    ..PrivateVote::default()
                };
                self.show_vote(transcript, asks::BALLOT, entry, vote);
            }
            Event::BallotCounted { round, counts } => {
                let key = ballot_key(round);
                transcript.change(&key, |meta, item: &mut BallotItem| {
                    meta.complete(entry);
                    item.counts = Some(counts);
                });
                transcript.unseal(&key);
            }
        }
    }

    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        let round = ask.round.unwrap_or_default();
        let kind = ask.kind.name();
        if kind == asks::BALLOT && self.open_ballot {
            return transcript.place(&ask.id, &ballot_key(round), true);
        }
        let key = vote_key(kind, round, &ask.seat);
        let is_speech = kind == asks::SPEECH;
        if is_speech {
            transcript.show(&self.current, &key, |meta, item: &mut Speech| {
                meta.asks.push(ask.id.clone());
                (item.seat, item.round) = (ask.seat.clone(), round);
            });
        } else {
            transcript.show(&self.current, &key, |meta, item: &mut PrivateVote| {
                meta.asks.push(ask.id.clone());
                (item.seat, item.round) = (ask.seat.clone(), round);
            });
        }
        transcript.place(&ask.id, &key, !is_speech);
    }

    fn steps(&self, transcript: &Transcript) -> Vec<Step> {
        let parts = self.parts();
        let key = |(step, round): &(&'static str, u32)| section_key(step, *round);
        let current = parts.iter().position(|part| key(part) == self.current);
        let state = |at: usize| match current {
            Some(current) if at < current => "done",
            Some(current) if at == current && transcript.has_ended() => "done",
            Some(current) if at == current => "current",
            _ if transcript.has_ended() => "skipped",
            _ => "coming",
        };
        let step = |(at, part): (usize, &(&'static str, u32))| Step {
            step: part.0,
            round: part.1,
            state: state(at),
            key: key(part),
            ..Step::default()
        };
        parts.iter().enumerate().map(step).collect()
    }

    fn section_title(&self, section: &Section, words: &Words) -> String {
        let text = |key| words.text(key, &[("round", &section.round)]);
        match section.step {
            EVIDENCE => evidence_title(words, section.round as usize, ""),
            DELIBERATION => text("view.deliberation"),
            BALLOT => text("view.verdict"),
            _ => text("view.opening"),
        }
    }

    fn results(&self, transcript: &Transcript, words: &Words) -> Vec<Block> {
        let section = |key, blocks| Block::Section {
            title: words.text(key, &[]),
            blocks,
        };
        let mut straw_votes = Vec::new();
        if !self.straw_votes.is_empty() {
            straw_votes.push(chart(&self.straw_votes, words));
        }
        let result = transcript.result.as_ref();
        let changed = result.and_then(|result| result["changed"].as_u64());
        straw_votes
            .extend(changed.map(|count| Block::text(words.text("view.changed", &[("count", &count)]))));
        let ballots = transcript.items().iter().filter_map(|item| {
            let ballot = item.get::<BallotItem>()?;
            Some(Block::Section {
                title: words.text("view.verdict", &[("round", &ballot.round)]),
                blocks: item.blocks(words, transcript.config()),
            })
        });
        let mut results = vec![section("view.charge", vec![Block::text(&self.charge)])];
        results.push(section("view.ballots", ballots.collect()));
        if !straw_votes.is_empty() {
            results.push(section("view.straw_votes", straw_votes));
        }
        results
    }

    fn details(&self, _: &Transcript) -> Value {
        json!(self)
    }
}
