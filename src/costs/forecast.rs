//! What a run may come to, before it is begun: the protocol is rehearsed with scripted participants in
//! every seat, in a time of its own that honours how many calls may be on their way at once. Nothing of a
//! rehearsal is kept, and nothing in it is a finding: models talk longer or shorter, agree sooner or
//! later. People's time is not in it, nor is the material that sources bring.

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

/// Rehearsals of a short run; longer ones get fewer.
const REHEARSALS: u32 = 3;
/// Calls in all rehearsals together, beyond which there are no more of them.
const CALLS: u64 = 600;
/// Steps of one rehearsal at most.
const STEPS: usize = 50_000;
/// Rests in a row that are ended without any call between them.
const RESTS: u32 = 3;

/// How fast an endpoint is taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Speed {
    /// Seconds to the first token of a short question.
    pub latency: f64,
    /// Tokens of a question read in a second; `None`: within the latency.
    pub read_per_second: Option<f64>,
    /// Tokens of an answer in a second.
    pub tokens_per_second: f64,
}

/// Endpoints elsewhere: round numbers of what large providers show for small and middle models.
pub const CLOUD: Speed = Speed {
    latency: 1.0,
    read_per_second: None,
    tokens_per_second: 60.0,
};
/// Models on this machine: round numbers for a model of some billion parameters without a large card.
pub const LOCAL: Speed = Speed {
    latency: 0.5,
    read_per_second: Some(200.0),
    tokens_per_second: 15.0,
};

/// Tokens of a typical answer: medians of the 2,700 answers of models in the recorded runs of the
/// experiment, estimated by script like everything that nobody counted. Kinds that are not in them are as
/// long as the scripted answers.
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

/// From the least to the most of all rehearsals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Range<T> {
    /// The least.
    pub low: T,
    /// The most.
    pub high: T,
}

/// The same, and the most that there can be where every answer is as long as it may.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct UpperBound<T> {
    /// The least.
    pub low: T,
    /// The most of all rehearsals.
    pub high: T,
    /// Of the same calls, with answers as long as they may be.
    pub most: T,
}

/// What a run may come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// Calls to seats that are no people.
    pub calls: Range<u64>,
    /// Tokens of their questions.
    pub input: Range<u64>,
    /// Tokens of their answers.
    pub output: UpperBound<u64>,
    /// Money; `None` where a model has no price.
    pub cost: Option<UpperBound<f64>>,
    /// Currency of it; empty where there are no prices.
    pub currency: String,
    /// The day of the prices.
    pub date: String,
    /// Models without a price.
    pub unknown: Vec<String>,
    /// Minutes of calls, people's time not counted.
    pub minutes: Range<f64>,
    /// By seat, in the order of the table.
    pub seats: Vec<SeatForecast>,
    /// Whether every rehearsal came to its end.
    pub complete: bool,
    /// Rehearsals.
    pub rehearsals: u32,
    /// What it rests on.
    pub assumptions: Value,
}

/// What a seat may come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatForecast {
    /// Its name.
    pub seat: String,
    /// What sits there.
    pub kind: SeatKind,
    /// Model, for models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Calls.
    pub calls: Range<u64>,
    /// Tokens of questions.
    pub input: Range<u64>,
    /// Tokens of answers.
    pub output: UpperBound<u64>,
    /// Money; `None`: unknown, or a program's own affair.
    pub cost: Option<UpperBound<f64>>,
}

/// What a seat took in one rehearsal.
#[derive(Debug, Clone, Default)]
struct Duration {
    calls: u64,
    input: u64,
    output: u64,
    most: u64,
    /// Money, typical and at most; `None` once a price was missing.
    cost: Option<(Money, Money)>,
    /// Whether a program answers.
    is_own: bool,
}

struct Rehearsal {
    took: Vec<Duration>,
    millis: Millis,
    complete: bool,
}

/// What a run of a configuration may come to.
///
/// # Errors
/// All faults of the configuration.
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
    let mut runs: Vec<Rehearsal> = Vec::new();
    let mut calls = 0;
    for number in 0..REHEARSALS {
        if number > 0 && calls + calls / u64::from(number) > CALLS {
            break;
        }
        // The first is the run's own seed.
        let seed = seed.wrapping_add(number) & 0x7fff_ffff;
        if let Some(object) = config.as_object_mut() {
            object.insert("seed".to_owned(), json!(seed));
        }
        let run = rehearse(&config, seed, &prices, &table)?;
        calls += run.took.iter().map(|took| took.calls).sum::<u64>();
        runs.push(run);
    }
    Ok(summed(&runs, &table, &prices))
}

fn rehearse(config: &Value, seed: u32, prices: &Prices, table: &[Seat]) -> Result<Rehearsal, ConfigError> {
    let (mut session, mut outcome) = procedures::begin(config, "forecast", 0)?;
    let free = Duration {
        cost: Some(Default::default()),
        ..Duration::default()
    };
    let mut took = vec![free; table.len()];
    let mut open: Vec<(Millis, Call, Option<String>)> = Vec::new();
    let (mut now, mut rests) = (0, 0);
    for _ in 0..STEPS {
        for effect in std::mem::take(&mut outcome.effects) {
            match effect {
                Effect::Cancel { ask, .. } => open.retain(|(_, call, _)| call.ask.id != ask),
                Effect::Ask {
                    call,
                    seat,
                    not_before,
                    ..
                } => {
                    let text = (seat.kind != SeatKind::Source)
                        .then(|| procedures::scripted_answer(&seat, seed, &call));
                    let typical = typical(&call, &seat, text.as_deref().unwrap_or_default());
                    if let Some(took) = table
                        .iter()
                        .position(|known| known.name == seat.name)
                        .and_then(|place| took.get_mut(place))
                    {
                        count(took, &call, &seat, typical, prices);
                    }
                    let text = text.map(|text| at_length(text, &call, &seat, typical));
                    let done = not_before.max(now) + takes(&call, &seat, typical);
                    open.push((done, call, text));
                }
            }
        }
        let complete = outcome.status == Status::Ended;
        if complete {
            return Ok(Rehearsal {
                took,
                millis: now,
                complete,
            });
        }
        // Of those that are done first, the one asked first.
        let first = open.iter().map(|(done, ..)| *done).min();
        let next = open.iter().position(|(done, ..)| Some(*done) == first);
        let input = match next {
            Some(place) => {
                let (done, call, text) = open.remove(place);
                now = now.max(done);
                rests = 0;
                came(&call, text)
            }
            None if rests < RESTS && matches!(&outcome.status, Status::Halted(Halt::Rests { .. })) => {
                rests += 1;
                Input::Command(Command::Resume)
            }
            None => break,
        };
        outcome = session.handle(now, input);
    }
    Ok(Rehearsal {
        took,
        millis: now,
        complete: false,
    })
}

fn came(call: &Call, text: Option<String>) -> Input {
    let (ask, attempt) = (call.ask.id.clone(), call.attempt);
    match text {
        Some(text) => Input::Answered {
            ask,
            attempt,
            reply: Reply {
                text,
                ..Reply::default()
            },
        },
        None => Input::Failed {
            ask,
            attempt,
            failure: Failure::new(FailureKind::Unavailable, "Sources are not asked in a rehearsal."),
        },
    }
}

/// Tokens of a typical answer.
fn typical(call: &Call, seat: &Seat, scripted: &str) -> u64 {
    let known = TYPICAL.iter().find(|(kind, _)| call.ask.kind == *kind);
    let known = known.filter(|_| seat.kind != SeatKind::Scripted);
    let tokens = known.map_or_else(|| estimated_tokens(scripted), |(_, tokens)| *tokens);
    tokens.min(u64::from(call.max_tokens))
}

/// The scripted text, said over and over up to the typical length where others will read it: so that
/// questions grow as they would. Scripted participants say what they say.
fn at_length(text: String, call: &Call, seat: &Seat, tokens: u64) -> String {
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

fn takes(call: &Call, seat: &Seat, tokens: u64) -> Millis {
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

fn count(took: &mut Duration, call: &Call, seat: &Seat, typical: u64, prices: &Prices) {
    let most = u64::from(call.max_tokens);
    took.calls += 1;
    took.input += call.question_tokens;
    took.output += typical;
    took.most += most;
    let rate = prices.rate(seat.kind, &call.request);
    took.is_own |= rate == Rate::Own;
    let both = rate
        .cost(&Usage::of(call.question_tokens, typical))
        .zip(rate.cost(&Usage::of(call.question_tokens, most)));
    took.cost = took
        .cost
        .zip(both)
        .map(|((cost, at_most), (more, more_at_most))| (cost.plus(more), at_most.plus(more_at_most)));
}

fn summed(runs: &[Rehearsal], table: &[Seat], prices: &Prices) -> Forecast {
    let all = |of: &dyn Fn(&Rehearsal) -> u64| Range {
        low: runs.iter().map(of).min().unwrap_or(0),
        high: runs.iter().map(of).max().unwrap_or(0),
    };
    let with_most = |range: Range<u64>, most: Range<u64>| UpperBound {
        low: range.low,
        high: range.high,
        most: most.high,
    };
    let sum = |of: fn(&Duration) -> u64| all(&|run| run.took.iter().map(of).sum());
    let mut unknown: Vec<String> = Vec::new();
    let mut seats = Vec::new();
    for (place, seat) in table.iter().enumerate() {
        let of = |of: fn(&Duration) -> u64| all(&|run| run.took.get(place).map_or(0, of));
        let took: Vec<&Duration> = runs.iter().filter_map(|run| run.took.get(place)).collect();
        let cost = money(took.iter().map(|took| took.cost));
        let is_own = took.iter().any(|took| took.is_own);
        if let Some(model) = seat.model.as_ref().filter(|_| cost.is_none() && !is_own)
            && !unknown.contains(model)
        {
            unknown.push(model.clone());
        }
        seats.push(SeatForecast {
            seat: seat.name.clone(),
            kind: seat.kind,
            model: seat.model.clone(),
            calls: of(|took| took.calls),
            input: of(|took| took.input),
            output: with_most(of(|took| took.output), of(|took| took.most)),
            cost,
        });
    }
    // What programs of the page cost is no part of the whole.
    let whole = |run: &Rehearsal| {
        let paid = run.took.iter().filter(|took| !took.is_own);
        paid.map(|took| took.cost)
            .try_fold(Default::default(), |sum: (Money, Money), cost| {
                cost.map(|cost| (sum.0.plus(cost.0), sum.1.plus(cost.1)))
            })
    };
    let minutes = all(&|run| run.millis);
    Forecast {
        calls: sum(|took| took.calls),
        input: sum(|took| took.input),
        output: with_most(sum(|took| took.output), sum(|took| took.most)),
        cost: money(runs.iter().map(whole)),
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

fn money(costs: impl Iterator<Item = Option<(Money, Money)>>) -> Option<UpperBound<f64>> {
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
