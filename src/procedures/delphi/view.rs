//! View of a Delphi poll: each participant's estimate and the public report, round by round. An estimate is
//! visible to its own seat and the owner, the report to all.

use super::event::Event;
use super::rules::Spread;
use super::settings::SPEC;
use crate::core::ask::Ask;
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, Reducer, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::Publication;
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

pub(crate) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, _| {
            let mut public = published(config, &PUBLISHED);
            public["agents"] = agents(config, &["language"]);
            public
        },
        result: |result, _| result.clone(),
    },
    reducer: |config| Box::new(Poll::of(config)),
};

/// An estimate, or a pending ask for one.
#[derive(Debug, Default, Serialize)]
struct Estimate {
    seat: String,
    round: u32,
    estimate: Option<f64>,
    reason: String,
}

impl TypedData for Estimate {
    const TYPE: &'static str = "estimate";
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

    fn activity(&self, transcript: &Transcript, name: &str) -> Option<&'static str> {
        let open = &transcript.find_person(name)?.open;
        let states: Vec<&str> = open
            .iter()
            .filter_map(|id| Some(transcript.ask(id)?.log.state))
            .collect();
        match states.first()? {
            _ if states
                .iter()
                .any(|state| matches!(*state, "failed" | "timed_out")) =>
            {
                Some("failed")
            }
            &"waiting" => Some("queued"),
            _ => Some("thinking"),
        }
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

    fn details(&self, _: &Transcript) -> Value {
        json!(self)
    }
}
