//! Forecast of calls, tokens, costs and time before a run: simulations of the protocol with scripted participants, in
//! simulated time with the limits on concurrent calls. Simulations are discarded and are no findings: models may answer
//! at other lengths and agree sooner or later. The time of people and the material of sources are not included.

use super::prices::without_caps;
use crate::core::ask::{Call, Failure, FailureKind, Millis, Reply, Usage};
use crate::core::limits::{estimated_tokens, is_local};
use crate::core::prices::{Money, Prices, Rate};
use crate::core::record::{Command, EntryKind, Halt};
use crate::core::{Effect, Input, Status, is_counted};
use crate::procedures::justice::asks;
use crate::procedures::{self, spec::fault::ConfigError};
use crate::seat::{Seat, SeatKind};
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// Number of simulations of a short run; longer ones get fewer.
const MAX_SIMULATIONS: u32 = 3;
/// Number of calls in all simulations from which no further one is started.
const MAX_CALLS: u64 = 600;
/// Maximum steps of one simulation.
const MAX_STEPS: usize = 50_000;
/// Maximum number of consecutive resumes without a call in between.
const MAX_RESUMES: u32 = 3;

/// Assumed speed of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Speed {
    /// Seconds to the first token with a short prompt.
    pub latency: f64,
    /// Input tokens per second; `None` if included in the latency.
    pub read_per_second: Option<f64>,
    /// Output tokens per second.
    pub tokens_per_second: f64,
}

/// Remote endpoints: rounded figures of large providers for small and medium models.
pub const CLOUD: Speed = Speed {
    latency: 1.0,
    read_per_second: None,
    tokens_per_second: 60.0,
};
/// Local models: rounded figures for a model of a few billion parameters without a large graphics card.
pub const LOCAL: Speed = Speed {
    latency: 0.5,
    read_per_second: Some(200.0),
    tokens_per_second: 15.0,
};

/// Tokens of a typical answer: medians of the 2,700 model answers in the recorded runs of the experiment, estimated like
/// all unreported tokens. Other kinds are as long as the scripted answers.
pub const TYPICAL: [(&str, u64); 14] = [
    (asks::INITIAL_RANKING, 43),
    (asks::EXPLANATION, 383),
    (asks::POST_EXPLANATION_RANKING, 42),
    (asks::APPLICATION, 18),
    (asks::CONSTRAINT_RETRY, 17),
    (asks::FINAL_RANKING, 44),
    (asks::INTERNAL_REASONING, 1_394),
    (asks::STATEMENT, 428),
    (asks::MEMORY_UPDATE, 1_010),
    (asks::VOTE_INITIATION, 1),
    (asks::VOTE_CONFIRMATION, 1),
    (asks::BALLOT_PRINCIPLE, 1),
    (asks::BALLOT_AMOUNT, 1),
    (asks::RESULTS_RANKING, 44),
];

/// Minimum and maximum of all simulations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Range<T> {
    pub low: T,
    pub high: T,
}

/// Minimum and maximum of all simulations, and the maximum with every answer at its token limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct UpperBound<T> {
    pub low: T,
    pub high: T,
    /// For the same calls, with every answer at its token limit.
    pub most: T,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// Calls to all seats except people.
    pub calls: Range<u64>,
    /// Input tokens.
    pub input: Range<u64>,
    /// Output tokens.
    pub output: UpperBound<u64>,
    /// `None` if a model has no price.
    pub cost: Option<UpperBound<f64>>,
    /// Empty without prices.
    pub currency: String,
    /// Date of the prices.
    pub date: String,
    /// Models without a price.
    pub unknown: Vec<String>,
    /// Minutes of calls, without the time of people.
    pub minutes: Range<f64>,
    /// In the order of the table.
    pub seats: Vec<SeatForecast>,
    /// Every simulation reached the end of the protocol.
    pub complete: bool,
    /// Number of simulations.
    pub rehearsals: u32,
    pub assumptions: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatForecast {
    /// Name of the seat.
    pub seat: String,
    pub kind: SeatKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub calls: Range<u64>,
    /// Input tokens.
    pub input: Range<u64>,
    /// Output tokens.
    pub output: UpperBound<u64>,
    /// `None` if unknown, or if a page program answers.
    pub cost: Option<UpperBound<f64>>,
}

/// Usage of a seat in one simulation.
#[derive(Debug, Clone, Default)]
struct SeatUsage {
    calls: u64,
    input: u64,
    output: u64,
    most: u64,
    /// Typical and maximum cost; `None` if a price is missing.
    cost: Option<(Money, Money)>,
    /// A page program answers.
    is_own: bool,
}

/// A call in a simulation.
struct OpenCall {
    starts: Millis,
    ends: Millis,
    call: Call,
    seat: Rc<Seat>,
    /// Tokens of a typical answer.
    typical: u64,
    text: Option<String>,
}

impl OpenCall {
    /// Whether it stands for the end of an open talk and is never made.
    fn is_end(&self) -> bool {
        self.call.time_limit == Some(0)
    }
}

struct Simulation {
    seats: Vec<SeatUsage>,
    millis: Millis,
    complete: bool,
}

/// Forecasts a run of a configuration.
///
/// # Errors
/// Returns all faults of the configuration.
pub fn forecast(config: &Value) -> Result<Forecast, ConfigError> {
    let (session, _) = procedures::begin(config, "forecast", 0)?;
    let seed = match session.record().first().map(|entry| &entry.what) {
        Some(EntryKind::Started(started)) => started.seed,
        _ => 0,
    };
    drop(session);
    let mut config = without_caps(config);
    let prices = config.get("prices").cloned();
    let prices: Prices = prices
        .and_then(|prices| serde_json::from_value(prices).ok())
        .unwrap_or_default();
    let table: Vec<Seat> = procedures::seats(&config)?
        .into_iter()
        .filter(|seat| is_counted(seat.kind))
        .collect();
    let mut runs: Vec<Simulation> = Vec::new();
    let mut calls = 0;
    for number in 0..MAX_SIMULATIONS {
        if number > 0 && calls + calls / u64::from(number) > MAX_CALLS {
            break;
        }
        // The first simulation has the seed of the run.
        let seed = seed.wrapping_add(number) & 0x7fff_ffff;
        if let Some(object) = config.as_object_mut() {
            object.insert("seed".to_owned(), json!(seed));
        }
        let run = simulate(&config, seed, &prices, &table)?;
        calls += run.seats.iter().map(|usage| usage.calls).sum::<u64>();
        runs.push(run);
    }
    Ok(summarize(&runs, &table, &prices))
}

fn simulate(config: &Value, seed: u32, prices: &Prices, table: &[Seat]) -> Result<Simulation, ConfigError> {
    let (mut session, mut outcome) = procedures::begin(config, "forecast", 0)?;
    let unused = SeatUsage {
        cost: Some(Default::default()),
        ..SeatUsage::default()
    };
    let mut seats = vec![unused; table.len()];
    let mut open: Vec<OpenCall> = Vec::new();
    let (mut now, mut resumes) = (0, 0);
    let mut count = |of: &OpenCall| {
        let index = table.iter().position(|known| known.name == of.seat.name);
        if let Some(usage) = index.and_then(|index| seats.get_mut(index)) {
            add_call(usage, &of.call, &of.seat, of.typical, prices);
        }
    };
    for _ in 0..MAX_STEPS {
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Cancel { ask, .. } => {
                    let is_it = |of: &mut OpenCall| of.call.ask.id == ask;
                    let made = open
                        .extract_if(.., is_it)
                        .filter(|of| of.starts <= now && !of.is_end());
                    made.for_each(|of| count(&of));
                }
                Effect::Ask {
                    call,
                    seat,
                    not_before,
                    ..
                } => {
                    let text = (seat.kind != SeatKind::Source)
                        .then(|| procedures::scripted_answer(&seat, seed, &call));
                    let typical = typical(&call, &seat, text.as_deref().unwrap_or_default());
                    let text = text.map(|text| repeat_to_length(text, &call, &seat, typical));
                    let starts = not_before.max(now);
                    open.push(OpenCall {
                        starts,
                        ends: starts + call_duration(&call, &seat, typical),
                        call,
                        seat,
                        typical,
                        text,
                    });
                }
            }
        }
        let complete = outcome.status == Status::Ended;
        if complete {
            return Ok(Simulation {
                seats,
                millis: now,
                complete,
            });
        }
        // The earliest asked of the calls that finish next.
        let first = open.iter().map(|of| of.ends).min();
        let next = open.iter().position(|of| Some(of.ends) == first);
        let input = match next {
            Some(index) => {
                let of = open.remove(index);
                now = now.max(of.ends);
                resumes = 0;
                if of.is_end() {
                    Input::Tick
                } else {
                    count(&of);
                    call_result(&of.call, &of.seat, of.text)
                }
            }
            None if resumes < MAX_RESUMES
                && matches!(&outcome.status, Status::Halted(Halt::Rests { .. })) =>
            {
                resumes += 1;
                Input::Command(Command::Resume)
            }
            None => break,
        };
        outcome = session.handle(now, input);
    }
    Ok(Simulation {
        seats,
        millis: now,
        complete: false,
    })
}

fn call_result(call: &Call, seat: &Seat, text: Option<String>) -> Input {
    let (ask, attempt) = (call.ask.id.clone(), call.attempt);
    match text {
        Some(text) => Input::Answered {
            ask,
            attempt,
            reply: Reply {
                text,
                // People write as often as simulated participants in their place.
                stood_in: seat.kind == SeatKind::Human,
                ..Reply::default()
            },
        },
        None => Input::Failed {
            ask,
            attempt,
            failure: Failure::new(
                FailureKind::Unavailable,
                "Sources are not called in a simulation.",
            ),
        },
    }
}

/// Returns the tokens of a typical answer.
fn typical(call: &Call, seat: &Seat, scripted: &str) -> u64 {
    let known = TYPICAL.iter().find(|(kind, _)| call.ask.kind == *kind);
    let known = known.filter(|_| seat.kind != SeatKind::Scripted);
    let tokens = known.map_or_else(|| estimated_tokens(scripted), |(_, tokens)| *tokens);
    tokens.min(u64::from(call.max_tokens))
}

/// Repeats a scripted text up to the typical length if other seats read it, so that prompts grow as in a real run.
/// Texts of scripted participants are unchanged.
fn repeat_to_length(text: String, call: &Call, seat: &Seat, tokens: u64) -> String {
    let is_read = matches!(
        call.ask.kind.name(),
        asks::STATEMENT | asks::INTERNAL_REASONING | asks::EXPLANATION
    );
    let own = estimated_tokens(&text);
    if !is_read || matches!(seat.kind, SeatKind::Scripted | SeatKind::Human) || own == 0 || own >= tokens {
        return text;
    }
    vec![text; (tokens / own) as usize].join("\n")
}

fn call_duration(call: &Call, seat: &Seat, tokens: u64) -> Millis {
    let speed = match seat.kind {
        SeatKind::Scripted | SeatKind::Human | SeatKind::Source | SeatKind::Recorded => return 0,
        SeatKind::Model if !is_local(seat.base_url.as_deref().unwrap_or_default()) => CLOUD,
        SeatKind::Model | SeatKind::Custom => LOCAL,
    };
    let reading = speed
        .read_per_second
        .map_or(0.0, |rate| call.question_tokens as f64 / rate);
    let seconds = speed.latency + reading + tokens as f64 / speed.tokens_per_second;
    (seconds * 1_000.0).round() as Millis
}

fn add_call(usage: &mut SeatUsage, call: &Call, seat: &Seat, typical: u64, prices: &Prices) {
    let most = u64::from(call.max_tokens);
    usage.calls += 1;
    usage.input += call.question_tokens;
    usage.output += typical;
    usage.most += most;
    let rate = prices.rate(seat.kind, &call.request);
    usage.is_own |= rate == Rate::Own;
    let both = rate
        .cost(&Usage::of(call.question_tokens, typical))
        .zip(rate.cost(&Usage::of(call.question_tokens, most)));
    usage.cost = usage
        .cost
        .zip(both)
        .map(|((cost, at_most), (more, more_at_most))| (cost.plus(more), at_most.plus(more_at_most)));
}

fn summarize(runs: &[Simulation], table: &[Seat], prices: &Prices) -> Forecast {
    let range = |of: &dyn Fn(&Simulation) -> u64| Range {
        low: runs.iter().map(of).min().unwrap_or(0),
        high: runs.iter().map(of).max().unwrap_or(0),
    };
    let with_most = |range: Range<u64>, most: Range<u64>| UpperBound {
        low: range.low,
        high: range.high,
        most: most.high,
    };
    let sum = |of: fn(&SeatUsage) -> u64| range(&|run| run.seats.iter().map(of).sum());
    let mut unknown: Vec<String> = Vec::new();
    let mut seats = Vec::new();
    for (index, seat) in table.iter().enumerate() {
        let of = |of: fn(&SeatUsage) -> u64| range(&|run| run.seats.get(index).map_or(0, of));
        let usages: Vec<&SeatUsage> = runs.iter().filter_map(|run| run.seats.get(index)).collect();
        let cost = cost_bounds(usages.iter().map(|usage| usage.cost));
        let is_own = usages.iter().any(|usage| usage.is_own);
        if let Some(model) = seat.model.as_ref().filter(|_| cost.is_none() && !is_own)
            && !unknown.contains(model)
        {
            unknown.push(model.clone());
        }
        seats.push(SeatForecast {
            seat: seat.name.clone(),
            kind: seat.kind,
            model: seat.model.clone(),
            calls: of(|usage| usage.calls),
            input: of(|usage| usage.input),
            output: with_most(of(|usage| usage.output), of(|usage| usage.most)),
            cost,
        });
    }
    // The total excludes page programs.
    let total = |run: &Simulation| {
        let paid = run.seats.iter().filter(|usage| !usage.is_own);
        paid.map(|usage| usage.cost)
            .try_fold(Default::default(), |sum: (Money, Money), cost| {
                cost.map(|cost| (sum.0.plus(cost.0), sum.1.plus(cost.1)))
            })
    };
    let minutes = range(&|run| run.millis);
    Forecast {
        calls: sum(|usage| usage.calls),
        input: sum(|usage| usage.input),
        output: with_most(sum(|usage| usage.output), sum(|usage| usage.most)),
        cost: cost_bounds(runs.iter().map(total)),
        currency: prices.currency.clone(),
        date: prices.date.clone(),
        unknown,
        minutes: Range {
            low: minutes.low as f64 / 60_000.0,
            high: minutes.high as f64 / 60_000.0,
        },
        seats,
        complete: !runs.is_empty() && runs.iter().all(|run| run.complete),
        rehearsals: runs.len() as u32,
        assumptions: json!({
            "cloud": CLOUD, "local": LOCAL,
            "typical_answers": TYPICAL.iter().map(|(kind, tokens)| json!([kind, tokens])).collect::<Vec<_>>(),
            "peoples_time": false, "sources": false,
        }),
    }
}

fn cost_bounds(costs: impl Iterator<Item = Option<(Money, Money)>>) -> Option<UpperBound<f64>> {
    let costs: Vec<(Money, Money)> = costs.collect::<Option<_>>()?;
    let typical = || costs.iter().map(|(cost, _)| *cost);
    Some(UpperBound {
        low: typical().min().unwrap_or_default().units(),
        high: typical().max().unwrap_or_default().units(),
        most: costs
            .iter()
            .map(|(_, most)| *most)
            .max()
            .unwrap_or_default()
            .units(),
    })
}

#[cfg(test)]
mod tests;
