//! Costs of a record per call, seat, round and run. Reported and estimated tokens are separate, and so are costs
//! reported by a provider, computed from reported tokens, and computed from estimated ones. Unknown costs are counted as
//! unknown, never as zero. People and material sources are no calls.

use crate::core::ask::{Ask, AskKind, Reply, Request, Usage};
use crate::core::limits::{estimated_question, estimated_tokens};
use crate::core::prices::{Money, Prices, Rate, provider};
use crate::core::record::{Command, Entry, EntryKind};
use crate::core::requests::Requests;
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

/// Computes the costs of a record. The result is empty for a record without its head.
#[must_use]
pub fn tally(record: &[Rc<Entry>]) -> Costs {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Costs::default();
    };
    let prices = head.config.get("prices").cloned();
    let prices: Option<Prices> = prices.and_then(|prices| serde_json::from_value(prices).ok());
    let mut tally = Tally {
        kinds: seats(head)
            .into_iter()
            .filter_map(|(name, kind)| Some((name, parse_kind(kind)?)))
            .collect(),
        prices: prices.clone().unwrap_or_default(),
        calls: Vec::new(),
        rates: Vec::new(),
        inputs: Vec::new(),
        indexes: BTreeMap::new(),
        requests: Requests::default(),
    };
    for entry in record {
        tally.add_entry(&entry.what);
        tally.requests.take(&entry.what);
    }
    let calls: Vec<CallCost> = tally
        .calls
        .into_iter()
        .filter(|call| call.sum.tries > 0)
        .collect();
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

struct Tally {
    kinds: BTreeMap<String, SeatKind>,
    prices: Prices,
    calls: Vec<CallCost>,
    /// Price of each call.
    rates: Vec<Rate>,
    /// Estimated input tokens of each call.
    inputs: Vec<u64>,
    /// Index of each call by the id of its ask.
    indexes: BTreeMap<String, usize>,
    /// Current requests, after fallbacks to other models.
    requests: Requests,
}

impl Tally {
    fn add_entry(&mut self, what: &EntryKind) {
        match what {
            EntryKind::Asked { ask, request, .. } => self.add_ask(ask, request),
            EntryKind::Sent { ask, .. } => self.add_attempt(ask),
            EntryKind::Answered { ask, reply, .. } | EntryKind::Late { ask, reply, .. } => {
                self.add_answer(ask, reply)
            }
            EntryKind::Failed { ask, failure, .. } => {
                self.update(ask, |sum, prices, rate, _| match &failure.usage {
                    Some(usage) => sum.add_usage(prices, rate, Some(usage), Usage::default()),
                    None => sum.untold += 1,
                })
            }
            EntryKind::TimedOut { ask, .. } => self.update(ask, |sum, _, _, _| sum.untold += 1),
            EntryKind::Commanded {
                command: Command::Reseat { table },
            } => self.add_seats(table),
            _ => {}
        }
    }

    fn add_ask(&mut self, ask: &Ask, request: &Request) {
        // Sources are no participants, and their costs are not known here.
        if matches!(ask.kind.name(), asks::CONTEXT | asks::SIMILARITY) {
            return;
        }
        let kind = match self.kinds.get(&ask.seat).copied() {
            Some(kind) => kind,
            None if request.base_url.is_some() => SeatKind::Model,
            None => SeatKind::Custom,
        };
        if kind == SeatKind::Human {
            return;
        }
        let base_url = request.base_url.as_deref().filter(|_| kind != SeatKind::Custom);
        self.indexes.insert(ask.id.clone(), self.calls.len());
        self.rates.push(self.prices.rate(kind, request));
        self.inputs.push(estimated_question(request));
        self.calls.push(CallCost {
            ask: ask.id.clone(),
            seat: ask.seat.clone(),
            seat_kind: kind,
            kind: ask.kind.clone(),
            phase: ask.phase,
            round: ask.round,
            provider: base_url.map(|url| provider(request.provider, url).id().to_owned()),
            model_asked: request.model.clone(),
            model_returned: None,
            sum: TokenSum::default(),
        });
    }

    fn update(&mut self, ask: &str, change: impl FnOnce(&mut TokenSum, &Prices, &Rate, u64)) {
        let Some(index) = self.indexes.get(ask).copied() else {
            return;
        };
        let parts = self.calls.get_mut(index).zip(self.rates.get(index));
        if let Some(((call, rate), input)) = parts.zip(self.inputs.get(index)) {
            change(&mut call.sum, &self.prices, rate, *input);
        }
    }

    fn add_attempt(&mut self, ask: &str) {
        let Some(index) = self.indexes.get(ask).copied() else {
            return;
        };
        let Some(call) = self.calls.get_mut(index) else {
            return;
        };
        call.sum.tries += 1;
        if let Some(request) = self.requests.of(ask)
            && let Some(base_url) = &request.base_url
            && call.seat_kind == SeatKind::Model
        {
            call.provider = Some(provider(request.provider, base_url).id().to_owned());
            call.model_asked.clone_from(&request.model);
            if let Some(rate) = self.rates.get_mut(index) {
                *rate = self.prices.rate(call.seat_kind, request);
            }
        }
    }

    fn add_answer(&mut self, ask: &str, reply: &Reply) {
        if reply.is_free() {
            self.update(ask, |sum, _, _, _| sum.tries = sum.tries.saturating_sub(1));
            return;
        }
        self.update(ask, |sum, prices, rate, input| {
            let estimate = Usage::of(input, estimated_tokens(&reply.text));
            sum.add_usage(prices, rate, reply.usage.as_ref(), estimate);
        });
        if let Some(call) = self.indexes.get(ask).and_then(|index| self.calls.get_mut(*index)) {
            call.model_returned.clone_from(&reply.model);
        }
    }

    /// Adds the seats of a changed table.
    fn add_seats(&mut self, table: &Value) {
        let each = |key: &str| {
            table
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        for (seat, default_kind) in each("agents").into_iter().map(|seat| (seat, None)).chain(
            each("participants")
                .into_iter()
                .map(|seat| (seat, Some(SeatKind::Human))),
        ) {
            let text = |key: &str| seat.get(key).and_then(Value::as_str);
            let kind = text("kind").and_then(parse_kind).or(default_kind);
            if let (Some(name), Some(kind)) = (text("name"), kind) {
                self.kinds.insert(name.to_owned(), kind);
            }
        }
    }
}

#[cfg(test)]
mod tests;
