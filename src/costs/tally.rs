//! What a record has cost: per call, seat, round and run. Tokens that providers counted and tokens that
//! are an estimate are kept apart; so is money that a provider told, money worked out from counted
//! tokens, and money worked out from estimated ones. What nobody knows is counted as unknown, never as
//! nothing. People and sources of material are no calls.

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

/// What a record has cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Costs {
    /// Currency of all amounts; `None`: the record has no prices, so that what providers told is all
    /// there is, in US dollars.
    pub currency: Option<String>,
    /// The day of the prices.
    pub date: Option<String>,
    /// The asks that were sent, in their order.
    pub calls: Vec<CallCost>,
    /// By seat, in the order in which they were first asked.
    pub seats: Vec<SeatCost>,
    /// By phase and round, in their order.
    pub rounds: Vec<RoundCost>,
    /// All together.
    pub run: TokenSum,
}

/// An ask with all of its tries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallCost {
    /// Id of the ask.
    pub ask: String,
    /// Who was asked.
    pub seat: String,
    /// What sits there.
    pub seat_kind: SeatKind,
    /// What was wanted.
    pub kind: AskKind,
    /// Phase.
    pub phase: u8,
    /// Round within the phase.
    pub round: Option<u32>,
    /// Whose model, for models.
    pub provider: Option<String>,
    /// Model asked for.
    pub model_asked: Option<String>,
    /// Model that answered, as the provider names it.
    pub model_returned: Option<String>,
    /// What it took.
    #[serde(flatten)]
    pub sum: TokenSum,
}

/// What a seat has cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatCost {
    /// Name of the seat.
    pub seat: String,
    /// What it took.
    #[serde(flatten)]
    pub sum: TokenSum,
}

/// What a round has cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundCost {
    /// Phase.
    pub phase: u8,
    /// Round within the phase; `None` outside rounds.
    pub round: Option<u32>,
    /// What it took.
    #[serde(flatten)]
    pub sum: TokenSum,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Of questions.
    pub input: u64,
    /// Of answers, thoughts and all.
    pub output: u64,
    /// Those of answers that were thoughts, as far as it was told.
    pub reasoning: u64,
    /// Those of questions out of a cache, as far as it was told.
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

/// What calls took, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct TokenSum {
    /// Times that something was sent.
    pub tries: u64,
    /// Tokens that providers counted.
    pub reported: Tokens,
    /// Tokens where nobody counted them.
    pub estimated: Tokens,
    /// Money.
    #[serde(flatten)]
    pub money: Spend,
    /// Answers, or failed tries whose tokens were told, that cost nobody knows what.
    pub unknown: u64,
    /// Answers of programs of the page: what those cost is their own affair.
    pub own: u64,
    /// Tries that came to nothing and of which nobody told what they took.
    pub untold: u64,
}

/// Money in whole units of the currency, by how it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spend {
    /// Told by the provider.
    pub told: Money,
    /// Worked out from counted tokens.
    pub computed: Money,
    /// Worked out from estimated tokens.
    pub estimated: Money,
}

impl Spend {
    /// All three together.
    #[must_use]
    pub fn all(&self) -> Money {
        self.told.plus(self.computed).plus(self.estimated)
    }
}

impl Serialize for Spend {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Paid", 4)?;
        object.serialize_field("cost", &self.all().units())?;
        object.serialize_field("cost_told", &self.told.units())?;
        object.serialize_field("cost_computed", &self.computed.units())?;
        object.serialize_field("cost_estimated", &self.estimated.units())?;
        object.end()
    }
}

impl TokenSum {
    /// Adds the other to it.
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
        self.money.told = self.money.told.plus(other.money.told);
        self.money.computed = self.money.computed.plus(other.money.computed);
        self.money.estimated = self.money.estimated.plus(other.money.estimated);
        self.unknown += other.unknown;
        self.own += other.own;
        self.untold += other.untold;
    }

    /// Takes in what one try took: `told` where somebody counted, else an estimate.
    fn take(&mut self, prices: &Prices, rate: &Rate, told: Option<&Usage>, estimate: Usage) {
        let usage = told.unwrap_or(&estimate);
        match told {
            Some(usage) => self.reported.add(usage),
            None => self.estimated.add(&estimate),
        }
        if let Some(cost) = prices.told(usage) {
            self.money.told = self.money.told.plus(cost);
            return;
        }
        match (rate.cost(usage), rate) {
            (Some(cost), _) if told.is_some() => self.money.computed = self.money.computed.plus(cost),
            (Some(cost), _) => self.money.estimated = self.money.estimated.plus(cost),
            (None, Rate::Own) => self.own += 1,
            (None, _) => self.unknown += 1,
        }
    }
}

/// What a record has cost so far; empty for a record without its head.
#[must_use]
pub fn tally(record: &[Rc<Entry>]) -> Costs {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Costs::default();
    };
    let prices = head.config.get("prices").cloned();
    let prices: Option<Prices> = prices.and_then(|prices| serde_json::from_value(prices).ok());
    let mut fold = Tally {
        kinds: seats(head)
            .into_iter()
            .filter_map(|(name, kind)| Some((name, kind_of(kind)?)))
            .collect(),
        prices: prices.clone().unwrap_or_default(),
        calls: Vec::new(),
        rates: Vec::new(),
        questions: Vec::new(),
        places: BTreeMap::new(),
        requests: Requests::default(),
    };
    for entry in record {
        fold.take(&entry.what);
        fold.requests.take(&entry.what);
    }
    let calls = fold.calls;
    let calls: Vec<CallCost> = calls.into_iter().filter(|call| call.sum.tries > 0).collect();
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

fn kind_of(name: &str) -> Option<SeatKind> {
    serde_json::from_value(Value::from(name)).ok()
}

struct Tally {
    kinds: BTreeMap<String, SeatKind>,
    prices: Prices,
    calls: Vec<CallCost>,
    /// By call: its price, and the tokens of its question.
    rates: Vec<Rate>,
    questions: Vec<u64>,
    places: BTreeMap<String, usize>,
    /// What is asked of whom, where seats fall back on other models.
    requests: Requests,
}

impl Tally {
    fn take(&mut self, what: &EntryKind) {
        match what {
            EntryKind::Asked { ask, request, .. } => self.ask(ask, request),
            EntryKind::Sent { ask, .. } => self.sent(ask),
            EntryKind::Answered { ask, reply, .. } | EntryKind::Late { ask, reply, .. } => {
                self.answer(ask, reply)
            }
            EntryKind::Failed { ask, failure, .. } => {
                self.with(ask, |sum, prices, rate, _| match &failure.usage {
                    Some(usage) => sum.take(prices, rate, Some(usage), Usage::default()),
                    None => sum.untold += 1,
                })
            }
            EntryKind::TimedOut { ask, .. } => self.with(ask, |sum, _, _, _| sum.untold += 1),
            EntryKind::Commanded {
                command: Command::Reseat { table },
            } => self.reseat(table),
            _ => {}
        }
    }

    fn ask(&mut self, ask: &Ask, request: &Request) {
        // Sources are no participants; what they are paid is not known here.
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
        self.places.insert(ask.id.clone(), self.calls.len());
        self.rates.push(self.prices.rate(kind, request));
        self.questions.push(estimated_question(request));
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

    fn with(&mut self, ask: &str, change: impl FnOnce(&mut TokenSum, &Prices, &Rate, u64)) {
        let Some(place) = self.places.get(ask).copied() else {
            return;
        };
        let parts = self.calls.get_mut(place).zip(self.rates.get(place));
        if let Some(((call, rate), question)) = parts.zip(self.questions.get(place)) {
            change(&mut call.sum, &self.prices, rate, *question);
        }
    }

    fn sent(&mut self, ask: &str) {
        let Some(place) = self.places.get(ask).copied() else {
            return;
        };
        let Some(call) = self.calls.get_mut(place) else {
            return;
        };
        call.sum.tries += 1;
        if let Some(request) = self.requests.of(ask)
            && let Some(base_url) = &request.base_url
            && call.seat_kind == SeatKind::Model
        {
            call.provider = Some(provider(request.provider, base_url).id().to_owned());
            call.model_asked.clone_from(&request.model);
            if let Some(rate) = self.rates.get_mut(place) {
                *rate = self.prices.rate(call.seat_kind, request);
            }
        }
    }

    fn answer(&mut self, ask: &str, reply: &Reply) {
        if reply.is_free() {
            self.with(ask, |sum, _, _, _| sum.tries = sum.tries.saturating_sub(1));
            return;
        }
        self.with(ask, |sum, prices, rate, question| {
            let estimate = Usage::of(question, estimated_tokens(&reply.text));
            sum.take(prices, rate, reply.usage.as_ref(), estimate);
        });
        if let Some(call) = self.places.get(ask).and_then(|place| self.calls.get_mut(*place)) {
            call.model_returned.clone_from(&reply.model);
        }
    }

    /// Those who sit down during a discussion.
    fn reseat(&mut self, table: &Value) {
        let each = |key: &str| {
            table
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        for (one, otherwise) in each("agents").into_iter().map(|one| (one, None)).chain(
            each("participants")
                .into_iter()
                .map(|one| (one, Some(SeatKind::Human))),
        ) {
            let text = |key: &str| one.get(key).and_then(Value::as_str);
            let kind = text("kind").and_then(kind_of).or(otherwise);
            if let (Some(name), Some(kind)) = (text("name"), kind) {
                self.kinds.insert(name.to_owned(), kind);
            }
        }
    }
}

#[cfg(test)]
mod tests;
