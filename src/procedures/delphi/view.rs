//! View of a Delphi poll: each participant's estimate and the public report, round by round. An estimate is
//! visible to its own seat and the owner, the report to all.

use super::event::Event;
use super::prompts::format_number;
use super::rules::{Spread, distance};
use super::settings::SPEC;
use crate::core::ask::Ask;
use crate::core::block::{Band, Block, Chart, Line, Tone};
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, Reducer, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::Publication;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::view::{agents, published};
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// Public fields of a configuration.
const PUBLISHED: [&str; 10] = [
    "title",
    "protocol",
    "language",
    "question",
    "unit",
    "minimum",
    "maximum",
    "rounds",
    "close_enough",
    "share_reasons",
];

static TEXTS: Texts = Texts::new(in_each_language!("words/view"));

pub(crate) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, _| {
            let mut public = published(config, &PUBLISHED);
            public["agents"] = agents(config, &["language"]);
            public
        },
        result: |result, _, _| result.clone(),
    },
    texts: &[&TEXTS],
    wording: |_| None,
    reducer: |config| Box::new(Poll::of(config)),
    outcome,
};

fn outcome(result: &Value, words: &Words) -> String {
    let spread: Option<Spread> = serde_json::from_value(result["spread"].clone()).unwrap_or_default();
    let Some(spread) = spread else {
        return words.text("outcome.none", &[]);
    };
    let median = with_unit(spread.median, result["unit"].as_str().unwrap_or_default(), words);
    let rounds = result["rounds"].as_u64().unwrap_or_default();
    let key = match result["ended_by"].as_str() {
        Some("close_enough") => "outcome.close_enough",
        _ => "outcome.rounds",
    };
    let sentence = words.text(key, &[("median", &median), ("rounds", &rounds)]);
    let unit = result["unit"].as_str().unwrap_or_default();
    match result["truth"]["value"].as_f64() {
        Some(value) => words.text(
            "outcome.truth",
            &[("outcome", &sentence), ("value", &with_unit(value, unit, words))],
        ),
        None => sentence,
    }
}

fn with_unit(number: f64, unit: &str, words: &Words) -> String {
    let number = format_number(number, words.language());
    format!("{number} {unit}").trim_end().to_owned()
}

/// An estimate, or a pending ask for one.
#[derive(Debug, Default, Serialize)]
struct Estimate {
    seat: String,
    round: u32,
    #[serde(skip)]
    is_given: bool,
    estimate: Option<f64>,
    reason: String,
}

impl TypedData for Estimate {
    const TYPE: &'static str = "estimate";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        if !self.is_given {
            return Vec::new();
        }
        let unit = config["unit"].as_str().unwrap_or_default();
        let text = match self.estimate {
            Some(estimate) => with_unit(estimate, unit, words),
            None => words.text("view.missing", &[]),
        };
        let reason = Block::quote(&self.reason);
        reason.into_iter().chain([Block::Measure { text }]).collect()
    }
}

/// The public report on a round.
#[derive(Debug, Default, Serialize)]
struct ReportItem {
    round: u32,
    asked: usize,
    spread: Option<Spread>,
    reasons: Vec<String>,
}

impl TypedData for ReportItem {
    const TYPE: &'static str = "report";

    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        let unit = config["unit"].as_str().unwrap_or_default();
        let mut blocks = vec![Block::toned(Tone::Strong, self.sentence(unit, words))];
        if !self.reasons.is_empty() {
            blocks.push(Block::Fold {
                title: words.text("view.reasons", &[("count", &self.reasons.len())]),
                blocks: vec![self.reason_list()],
            });
        }
        blocks
    }
}

impl ReportItem {
    fn sentence(&self, unit: &str, words: &Words) -> String {
        let Some(spread) = self.spread else {
            return words.text("view.report.none", &[("asked", &self.asked)]);
        };
        words.text(
            "view.report",
            &[
                ("count", &spread.count),
                ("asked", &self.asked),
                ("median", &with_unit(spread.median, unit, words)),
                ("lower", &format_number(spread.lower, words.language())),
                ("upper", &with_unit(spread.upper, unit, words)),
            ],
        )
    }

    fn reason_list(&self) -> Block {
        let (items, quoted) = (self.reasons.clone(), true);
        Block::List { items, quoted }
    }
}

/// A participant's last estimate, if the role may see it.
#[derive(Debug, Default, Serialize)]
struct Estimator {
    estimate: Option<f64>,
}

impl TypedData for Estimator {
    const TYPE: &'static str = "estimator";
}

#[derive(Debug, Serialize)]
struct Poll {
    question: String,
    unit: String,
    round: u32,
    rounds: u32,
    /// Public statistics by round.
    reports: Vec<Option<Spread>>,
}

impl Poll {
    fn of(config: &Value) -> Self {
        let text = |key: &str| config[key].as_str().unwrap_or_default().to_owned();
        Self {
            question: text("question"),
            unit: text("unit"),
            round: 0,
            rounds: ConfigReader::unchecked(config, SPEC.settings).whole("rounds"),
            reports: Vec::new(),
        }
    }
}

fn section_block(key: &str, blocks: Vec<Block>, words: &Words) -> Block {
    let title = words.text(key, &[]);
    Block::Section { title, blocks }
}

impl Poll {
    /// Returns the true value and how far the group was from it in the first and in the last round.
    fn truth(&self, transcript: &Transcript, words: &Words) -> Option<Block> {
        let truth = &transcript.result.as_ref()?["truth"];
        let value = truth["value"].as_f64()?;
        let mut blocks = vec![Block::toned(Tone::Strong, with_unit(value, &self.unit, words))];
        let source = truth["source"].as_str().filter(|source| !source.is_empty());
        blocks.extend(source.map(|source| {
            Block::toned(
                Tone::Quiet,
                words.text("view.truth.source", &[("source", &source)]),
            )
        }));
        let off = |spread: &Option<Spread>| {
            spread.map(|spread| with_unit(distance(spread.median, value), &self.unit, words))
        };
        let (first, last) = (
            self.reports.first().and_then(off),
            self.reports.last().and_then(off),
        );
        blocks.extend(first.zip(last).map(|(first, last)| {
            Block::text(words.text("view.truth.distance", &[("first", &first), ("last", &last)]))
        }));
        Some(section_block("view.truth", blocks, words))
    }

    /// Returns the estimates that the role may see, and the middle half of all, by round.
    fn chart(&self, transcript: &Transcript, words: &Words) -> Block {
        let label = |key| words.text(key, &[]);
        let of_reports = |key, value: fn(&Spread) -> f64| Line {
            label: label(key),
            values: self
                .reports
                .iter()
                .map(|spread| spread.as_ref().map(value))
                .collect(),
            ..Line::default()
        };
        let rounds = || 1..=self.reports.len() as u32;
        let estimate = |round, name: &str| {
            let item = transcript.item(&estimate_key(round, name))?;
            item.get::<Estimate>()?.estimate
        };
        let median = Line {
            strong: true,
            ..of_reports("view.median", |spread| spread.median)
        };
        let own = transcript.people.iter().map(|person| Line {
            label: person.name.clone(),
            seat: Some(person.name.clone()),
            values: rounds().map(|round| estimate(round, &person.name)).collect(),
            ..Line::default()
        });
        let own = own.filter(|line| line.values.iter().any(Option::is_some));
        Block::Chart(Box::new(Chart {
            title: label("view.chart"),
            text: label("view.chart.text"),
            unit: self.unit.clone(),
            x: rounds()
                .map(|round| words.text("view.round", &[("round", &round)]))
                .collect(),
            band: Some(Band {
                lower: of_reports("view.lower", |spread| spread.lower),
                upper: of_reports("view.upper", |spread| spread.upper),
            }),
            lines: std::iter::once(median).chain(own).collect(),
            ..Chart::default()
        }))
    }
}

fn section(transcript: &mut Transcript, round: u32) -> String {
    let key = format!("round/{round}");
    transcript.section(&key, u64::from(round), "round", round);
    key
}

fn estimate_key(round: u32, seat: &str) -> String {
    format!("estimate/{round}/{seat}")
}

impl Reducer for Poll {
    fn person(&self, _: &Value) -> Box<dyn ItemData> {
        Box::<Estimator>::default()
    }

    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(event) = event.read() else {
            return;
        };
        match event {
            Event::RoundBegan { round } => {
                self.round = round;
                section(transcript, round);
            }
            Event::Estimated {
                round,
                seat,
                estimate,
                reason,
            } => {
                let section_key = section(transcript, round);
                transcript.show(
                    &section_key,
                    &estimate_key(round, &seat),
                    |meta, item: &mut Estimate| {
                        meta.complete(entry);
                        *item = Estimate {
                            seat: seat.clone(),
                            round,
                            is_given: true,
                            estimate,
                            reason,
                        };
                    },
                );
                if let Some(person) = transcript.person_as::<Estimator>(&seat) {
                    person.estimate = estimate;
                }
            }
            Event::Reported {
                round,
                asked,
                spread,
                reasons,
            } => {
                let section_key = section(transcript, round);
                transcript.show(
                    &section_key,
                    &format!("report/{round}"),
                    |meta, item: &mut ReportItem| {
                        meta.complete(entry);
                        *item = ReportItem {
                            round,
                            asked,
                            spread,
                            reasons,
                        };
                    },
                );
                self.reports.push(spread);
            }
        }
    }

    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        let round = ask.round.unwrap_or(self.round);
        let section_key = section(transcript, round);
        let key = estimate_key(round, &ask.seat);
        transcript.show(&section_key, &key, |meta, item: &mut Estimate| {
            meta.asks.push(ask.id.clone());
            (item.seat, item.round) = (ask.seat.clone(), round);
        });
        transcript.place(&ask.id, &key, false);
    }

    fn steps(&self, transcript: &Transcript) -> Vec<Step> {
        let reached = self.reports.len() as u32;
        let state = |round: u32| match () {
            () if round <= reached => "done",
            () if transcript.has_ended() => "skipped",
            () if round == self.round => "current",
            () => "coming",
        };
        let step = |round| Step {
            step: "round",
            round,
            state: state(round),
            key: format!("round/{round}"),
            ..Step::default()
        };
        (1..=self.rounds).map(step).collect()
    }

    fn results(&self, transcript: &Transcript, words: &Words) -> Vec<Block> {
        let question = vec![Block::text(self.question.clone())];
        let rounds = transcript.items().iter().filter_map(|item| {
            let report = item.get::<ReportItem>()?;
            let mut blocks = vec![Block::text(report.sentence(&self.unit, words))];
            blocks.extend((!report.reasons.is_empty()).then(|| report.reason_list()));
            let title = words.text("view.round", &[("round", &report.round)]);
            Some(Block::Section { title, blocks })
        });
        let mut blocks = vec![section_block("view.question", question, words)];
        blocks.extend(self.truth(transcript, words));
        blocks.push(self.chart(transcript, words));
        blocks.push(section_block("view.rounds", rounds.collect(), words));
        blocks
    }

    fn details(&self, _: &Transcript) -> Value {
        json!(self)
    }
}
