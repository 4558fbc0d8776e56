//! Costs of a record per call, seat, round and run. Reported and estimated tokens are separate, and so are costs
//! reported by a provider, computed from reported tokens, and computed from estimated ones. Unknown costs are counted as
//! unknown, never as zero. People and material sources are no calls.

use crate::core::ask::{AskKind, Failure, Usage};
use crate::core::ask_log::{AskLog, AskLogs, CallOutcome};
use crate::core::limits::{estimated_question, estimated_tokens};
use crate::core::prices::{Money, Prices, Rate, provider};
use crate::core::record::{Command, Entry, EntryKind};
use crate::procedures::debate::asks;
use crate::procedures::summary::seats;
use crate::seat::SeatKind;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Costs {
    /// Currency of all amounts. `None` if the record has no prices; then all costs are reported ones, in US dollars.
    pub currency: Option<String>,
    /// Date of the prices.
    pub date: Option<String>,
    /// The sent asks, in order.
    pub calls: Vec<CallCost>,
    /// In the order of the first asks.
    pub seats: Vec<SeatCost>,
    /// In order of phase and round.
    pub rounds: Vec<RoundCost>,
    /// The total.
    pub run: TokenSum,
}

/// The costs of an ask with all attempts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallCost {
    /// Id of the ask.
    pub ask: String,
    /// Name of the seat.
    pub seat: String,
    pub seat_kind: SeatKind,
    pub kind: AskKind,
    pub phase: u8,
    /// Round within the phase.
    pub round: Option<u32>,
    /// `None` for seats without a model.
    pub provider: Option<String>,
    /// The requested model.
    pub model_asked: Option<String>,
    /// The model that answered, as the provider names it.
    pub model_returned: Option<String>,
    #[serde(flatten)]
    pub sum: TokenSum,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatCost {
    pub seat: String,
    #[serde(flatten)]
    pub sum: TokenSum,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundCost {
    pub phase: u8,
    /// Round within the phase; `None` outside rounds.
    pub round: Option<u32>,
    #[serde(flatten)]
    pub sum: TokenSum,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    pub input: u64,
    /// Including reasoning.
    pub output: u64,
    /// Output tokens used for reasoning, where reported.
    pub reasoning: u64,
    /// Input tokens read from a cache, where reported.
    pub cached: u64,
}

impl Tokens {
    fn add(&mut self, usage: &Usage) {
        self.input = self.input.saturating_add(usage.input);
        self.output = self.output.saturating_add(usage.output);
        self.reasoning = self.reasoning.saturating_add(usage.reasoning.unwrap_or(0));
        self.cached = self.cached.saturating_add(usage.cached.unwrap_or(0));
    }
}

/// Summed tokens and costs of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct TokenSum {
    /// Number of sent attempts.
    pub tries: u64,
    /// Tokens counted by providers.
    pub reported: Tokens,
    /// Estimated tokens of calls without a count.
    pub estimated: Tokens,
    #[serde(flatten)]
    pub money: Spend,
    /// Number of answers, and failed attempts with known tokens, whose cost is unknown.
    pub unknown: u64,
    /// Number of answers of page programs, whose costs are not tracked.
    pub own: u64,
    /// Number of failed attempts without reported usage.
    pub untold: u64,
}

/// Costs by their source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spend {
    /// Reported by the provider.
    pub reported: Money,
    /// Computed from reported tokens.
    pub computed: Money,
    /// Computed from estimated tokens.
    pub estimated: Money,
}

impl Spend {
    /// Returns the total.
    #[must_use]
    pub fn all(&self) -> Money {
        self.reported.plus(self.computed).plus(self.estimated)
    }
}

impl Serialize for Spend {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Spend", 4)?;
        object.serialize_field("cost", &self.all().units())?;
        object.serialize_field("cost_told", &self.reported.units())?;
        object.serialize_field("cost_computed", &self.computed.units())?;
        object.serialize_field("cost_estimated", &self.estimated.units())?;
        object.end()
    }
}

impl TokenSum {
    pub fn add(&mut self, other: &Self) {
        self.tries += other.tries;
        for (tokens, more) in [
            (&mut self.reported, other.reported),
            (&mut self.estimated, other.estimated),
        ] {
            tokens.input = tokens.input.saturating_add(more.input);
            tokens.output = tokens.output.saturating_add(more.output);
            tokens.reasoning = tokens.reasoning.saturating_add(more.reasoning);
            tokens.cached = tokens.cached.saturating_add(more.cached);
        }
        self.money.reported = self.money.reported.plus(other.money.reported);
        self.money.computed = self.money.computed.plus(other.money.computed);
        self.money.estimated = self.money.estimated.plus(other.money.estimated);
        self.unknown += other.unknown;
        self.own += other.own;
        self.untold += other.untold;
    }

    /// Adds the usage of one attempt, as reported or estimated.
    fn add_usage(&mut self, prices: &Prices, rate: &Rate, reported: Option<&Usage>, estimate: Usage) {
        let usage = reported.unwrap_or(&estimate);
        match reported {
            Some(usage) => self.reported.add(usage),
            None => self.estimated.add(&estimate),
        }
        if let Some(cost) = prices.reported_cost(usage) {
            self.money.reported = self.money.reported.plus(cost);
            return;
        }
        match (rate.cost(usage), rate) {
            (Some(cost), _) if reported.is_some() => self.money.computed = self.money.computed.plus(cost),
            (Some(cost), _) => self.money.estimated = self.money.estimated.plus(cost),
            (None, Rate::Own) => self.own += 1,
            (None, _) => self.unknown += 1,
        }
    }
}

/// Computes the costs of a record with its questions. The result is empty for a record without its head.
#[must_use]
pub fn tally(record: &[Rc<Entry>], asks: &AskLogs) -> Costs {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Costs::default();
    };
    let prices = head.config.get("prices").cloned();
    let prices: Option<Prices> = prices.and_then(|prices| serde_json::from_value(prices).ok());
    let own_prices = prices.clone().unwrap_or_default();
    let mut kinds: BTreeMap<String, SeatKind> = seats(head)
        .into_iter()
        .filter_map(|(name, kind)| Some((name, parse_kind(kind)?)))
        .collect();
    let mut calls = Vec::new();
    for entry in record {
        match &entry.what {
            EntryKind::Asked { ask, .. } => calls.extend(
                asks.find(&ask.id)
                    .and_then(|log| call_cost(log, &kinds, &own_prices)),
            ),
            EntryKind::Commanded {
                command: Command::Reseat { table },
            } => add_seats(&mut kinds, table),
            _ => {}
        }
    }
    let mut seats: Vec<SeatCost> = Vec::new();
    let mut rounds: BTreeMap<(u8, Option<u32>), TokenSum> = BTreeMap::new();
    let mut run = TokenSum::default();
    for call in &calls {
        match seats.iter_mut().find(|seat| seat.seat == call.seat) {
            Some(seat) => seat.sum.add(&call.sum),
            None => seats.push(SeatCost {
                seat: call.seat.clone(),
                sum: call.sum,
            }),
        }
        rounds.entry((call.phase, call.round)).or_default().add(&call.sum);
        run.add(&call.sum);
    }
    let round = |((phase, round), sum)| RoundCost { phase, round, sum };
    Costs {
        currency: prices.as_ref().map(|prices| prices.currency.clone()),
        date: prices.map(|prices| prices.date),
        calls,
        seats,
        rounds: rounds.into_iter().map(round).collect(),
        run,
    }
}

fn parse_kind(name: &str) -> Option<SeatKind> {
    serde_json::from_value(Value::from(name)).ok()
}

/// Returns the costs of a question. Returns `None` if it was not sent, or not to a participant other than a person.
fn call_cost(log: &AskLog, kinds: &BTreeMap<String, SeatKind>, prices: &Prices) -> Option<CallCost> {
    let (ask, request) = (&log.ask, &log.request);
    // Sources are no participants, and their costs are not known here.
    if matches!(ask.kind.name(), asks::CONTEXT | asks::SIMILARITY) {
        return None;
    }
    let kind = match kinds.get(&ask.seat).copied() {
        Some(kind) => kind,
        None if request.base_url.is_some() => SeatKind::Model,
        None => SeatKind::Custom,
    };
    let mut sum = TokenSum {
        tries: log.tries.into(),
        ..TokenSum::default()
    };
    let mut model_returned = None;
    let input = estimated_question(&log.first);
    for end in &log.ends {
        let rate = prices.rate(kind, &end.request);
        match end.outcome() {
            CallOutcome::Answered(reply) | CallOutcome::Late(reply) if reply.is_free() => {
                sum.tries = sum.tries.saturating_sub(1);
            }
            CallOutcome::Answered(reply) | CallOutcome::Late(reply) => {
                let estimate = Usage::of(input, estimated_tokens(&reply.text));
                sum.add_usage(prices, &rate, reply.usage.as_ref(), estimate);
                model_returned.clone_from(&reply.model);
            }
            CallOutcome::Failed(Failure {
                usage: Some(usage), ..
            }) => {
                sum.add_usage(prices, &rate, Some(usage), Usage::default());
            }
            CallOutcome::Failed(_) | CallOutcome::TimedOut => sum.untold += 1,
        }
    }
    let base_url = request.base_url.as_deref().filter(|_| kind != SeatKind::Custom);
    (kind != SeatKind::Human && sum.tries > 0).then(|| CallCost {
        ask: ask.id.clone(),
        seat: ask.seat.clone(),
        seat_kind: kind,
        kind: ask.kind.clone(),
        phase: ask.phase,
        round: ask.round,
        provider: base_url.map(|url| provider(request.provider, url).id().to_owned()),
        model_asked: request.model.clone(),
        model_returned,
        sum,
    })
}

/// Adds the seats of a changed table.
fn add_seats(kinds: &mut BTreeMap<String, SeatKind>, table: &Value) {
    let each = |key: &str| {
        table
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let people = each("participants");
    let people = people.into_iter().map(|seat| (seat, Some(SeatKind::Human)));
    let agents = each("agents").into_iter().map(|seat| (seat, None));
    for (seat, default_kind) in agents.chain(people) {
        let text = |key: &str| seat.get(key).and_then(Value::as_str);
        let kind = text("kind").and_then(parse_kind).or(default_kind);
        if let (Some(name), Some(kind)) = (text("name"), kind) {
            kinds.insert(name.to_owned(), kind);
        }
    }
}

#[cfg(test)]
mod tests;
