//! A dated price table, the cost of a call, and money as integers, so that sums do not depend on order.
//! Default prices are in `costs`.

use super::ask::{Request, Usage};
use super::limits::{is_local, origin};
use crate::seat::SeatKind;
use crate::seat::provider::Provider;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An amount in 10⁻¹² of the table's currency, 0 to 18 million whole units. Saturates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

/// Parts of a whole unit.
const PARTS: f64 = 1e12;

impl Money {
    /// Converts from whole units. Returns `None` for a negative or non-finite number.
    #[must_use]
    pub fn from_units(units: f64) -> Option<Self> {
        (units.is_finite() && units >= 0.0).then(|| Self((units * PARTS).round() as u64))
    }

    /// Converts to whole units.
    #[must_use]
    pub fn units(self) -> f64 {
        self.0 as f64 / PARTS
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Subtracts; returns zero if `other` is larger.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Price per million tokens, in the currency of the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Of questions.
    pub input: f64,
    /// Of answers, including reasoning.
    pub output: f64,
    /// Of questions read from the provider's cache. Default: `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

impl Price {
    /// Returns the cost of the tokens.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Money {
        let cached = usage.cached.unwrap_or(0).min(usage.input);
        let parts = |tokens: u64, price: f64| {
            // A price per million tokens in units is the price per token in millionths.
            let each = (price * 1e6).round().max(0.0) as u128;
            u128::from(tokens).saturating_mul(each)
        };
        let sum = parts(usage.input - cached, self.input)
            .saturating_add(parts(cached, self.cached.unwrap_or(self.input)))
            .saturating_add(parts(usage.output, self.output));
        Money(u64::try_from(sum).unwrap_or(u64::MAX))
    }
}

/// A price table, as in the configuration key `prices`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Currency, e.g. `USD`.
    pub currency: String,
    /// Date of the prices, `YYYY-MM-DD`.
    pub date: String,
    /// Keys are `provider/model`, or a model's name for all providers.
    pub models: BTreeMap<String, Price>,
}

/// Currency of the costs that providers report.
pub const REPORTED_CURRENCY: &str = "USD";

/// The price of a call by the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// Free: people, scripted participants, models on this machine.
    Nothing,
    /// Priced by tokens.
    Priced(Price),
    /// Answered by a program of the page, whose costs are not counted.
    Own,
    /// No price is known.
    Unknown,
}

impl Rate {
    /// Returns the cost of the tokens. Returns `None` if it is unknown or not counted.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<Money> {
        match self {
            Self::Nothing => Some(Money::default()),
            Self::Priced(price) => Some(price.cost(usage)),
            Self::Own | Self::Unknown => None,
        }
    }
}

impl Prices {
    /// Returns the price of a question to a seat of this kind.
    #[must_use]
    pub fn rate(&self, kind: SeatKind, request: &Request) -> Rate {
        let base_url = request.base_url.as_deref().unwrap_or_default();
        match kind {
            SeatKind::Scripted | SeatKind::Human | SeatKind::Recorded => Rate::Nothing,
            SeatKind::Custom => Rate::Own,
            SeatKind::Source if base_url.is_empty() => Rate::Nothing,
            _ if is_local(base_url) => Rate::Nothing,
            _ => {
                let provider = provider(request.provider, base_url);
                let model = request.model.as_deref().unwrap_or_default();
                self.find(provider, model)
                    .map_or(Rate::Unknown, |(_, price)| Rate::Priced(price))
            }
        }
    }

    /// Returns the row of a model: by provider and model, then by model alone. Without an exact match,
    /// returns the longest name of which the model is a dated version (`gpt-4o-2024-08-06` of `gpt-4o`).
    #[must_use]
    pub fn find(&self, provider: Provider, model: &str) -> Option<(&str, Price)> {
        let full = key(provider, model);
        let named = |name: &str| self.models.iter().find(|(known, _)| *known == name);
        let exact = named(&full).or_else(|| named(model));
        let dated = || {
            let names = self.models.iter();
            let fits = names.filter(|(name, _)| version_of(&full, name) || version_of(model, name));
            fits.max_by_key(|(name, _)| name.len())
        };
        exact.or_else(dated).map(|(name, price)| (name.as_str(), *price))
    }

    /// Returns the cost of a call: the provider's reported cost if it is in the table's currency, otherwise
    /// the cost by tokens.
    #[must_use]
    pub fn cost(&self, rate: &Rate, usage: &Usage) -> Option<Money> {
        self.reported_cost(usage).or_else(|| rate.cost(usage))
    }

    /// Returns the provider's reported cost if it is in the table's currency.
    #[must_use]
    pub fn reported_cost(&self, usage: &Usage) -> Option<Money> {
        let same = self.currency.is_empty() || self.currency == REPORTED_CURRENCY;
        usage.cost.filter(|_| same).and_then(Money::from_units)
    }
}

/// Returns the table key of a provider's model.
#[must_use]
pub fn key(provider: Provider, model: &str) -> String {
    // API formats of the same company.
    let provider = match provider {
        Provider::OpenAiResponses | Provider::Azure => Provider::OpenAi,
        other => other,
    };
    format!("{}/{model}", provider.id())
}

/// Returns the provider, by default that of the base URL.
#[must_use]
pub fn provider(named: Option<Provider>, base_url: &str) -> Provider {
    named.unwrap_or_else(|| Provider::by_origin(&origin(base_url).to_ascii_lowercase()))
}

/// Whether `model` is `name` with a version's date or number appended.
#[must_use]
pub fn version_of(model: &str, name: &str) -> bool {
    !name.is_empty() && model.strip_prefix(name).is_some_and(is_version)
}

/// Matches version suffixes: `-2024-08-06`, `-20250514`, `-08-2024`, `-0613`, `-001`, `-latest`.
fn is_version(rest: &str) -> bool {
    let Some(version) = rest.strip_prefix(['-', '@']) else {
        return false;
    };
    let digits = |text: &str, lengths: &[usize]| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts: Vec<&str> = version.split('-').collect();
    match parts.as_slice() {
        [one] => *one == "latest" || digits(one, &[3, 4, 6, 8]),
        [month, year_or_day] => digits(month, &[2]) && digits(year_or_day, &[2, 4]),
        [year, month, day] => digits(year, &[4]) && digits(month, &[2]) && digits(day, &[2]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str]) -> Prices {
        let row = |(place, name): (usize, &&str)| {
            let price = Price {
                input: place as f64,
                output: 0.0,
                cached: None,
            };
            ((*name).to_owned(), price)
        };
        Prices {
            currency: "USD".to_owned(),
            date: "2026-11-22".to_owned(),
            models: names.iter().enumerate().map(row).collect(),
        }
    }

    fn found(names: &[&str], provider: Provider, model: &str) -> Option<String> {
        table(names)
            .find(provider, model)
            .map(|(name, _)| name.to_owned())
    }

    #[test]
    fn money_is_exact() {
        let price = Price {
            input: 0.15,
            output: 0.6,
            cached: Some(0.075),
        };
        let usage = Usage {
            cached: Some(400),
            reasoning: Some(50),
            ..Usage::of(1_000, 100)
        };
        // 600 x 0.15 + 400 x 0.075 + 100 x 0.6, per million.
        assert_eq!(price.cost(&usage), Money(180_000_000));
        assert_eq!(price.cost(&usage).units(), 0.000_18);
        let tenth = Money::from_units(0.1).unwrap();
        let sum = (0..10).fold(Money::default(), |sum, _| sum.plus(tenth));
        assert_eq!(sum.units(), 1.0);
        assert_eq!(sum.less(tenth).units(), 0.9);
        assert_eq!(tenth.less(sum), Money::default());
        for wrong in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Money::from_units(wrong), None);
        }
        assert_eq!(Money::from_units(1e300), Some(Money(u64::MAX)));
        let dear = Price {
            input: 1e9,
            output: 1e300,
            cached: None,
        };
        assert_eq!(dear.cost(&Usage::of(u64::MAX, u64::MAX)), Money(u64::MAX));
        // More cached tokens than input tokens are the provider's mistake, not a refund.
        let odd = Usage {
            cached: Some(9),
            ..Usage::of(3, 0)
        };
        assert_eq!(price.cost(&odd).units(), 0.000_000_225);
    }

    #[test]
    fn rows_are_found_by_name_and_by_dated_version_only() {
        let names = ["openai/gpt-4o", "openai/gpt-4", "gpt-4o-mini", "groq/llama-3"];
        for (provider, model, expected) in [
            (Provider::OpenAi, "gpt-4o", Some("openai/gpt-4o")),
            (Provider::OpenAiResponses, "gpt-4o", Some("openai/gpt-4o")),
            (Provider::OpenAi, "gpt-4o-2024-08-06", Some("openai/gpt-4o")),
            (Provider::OpenAi, "gpt-4-0613", Some("openai/gpt-4")),
            (Provider::OpenAi, "gpt-4-08-2024", Some("openai/gpt-4")),
            (Provider::OpenAi, "gpt-4-05-20", Some("openai/gpt-4")),
            (Provider::OpenAi, "gpt-4-2024-1", None),
            (Provider::OpenAi, "gpt-4o-mini", Some("gpt-4o-mini")),
            (
                Provider::Compatible,
                "gpt-4o-mini-2024-07-18",
                Some("gpt-4o-mini"),
            ),
            (Provider::Compatible, "gpt-4o", None),
            (Provider::OpenAi, "gpt-4o-audio", None),
            (Provider::OpenAi, "gpt-4o-2024", Some("openai/gpt-4o")),
            (Provider::OpenAi, "gpt-4-1", None),
            (Provider::OpenAi, "gpt-4o-2024-08", None),
            (Provider::Groq, "llama-3-latest", Some("groq/llama-3")),
            (Provider::Groq, "llama-3.1", None),
            (Provider::OpenAi, "", None),
        ] {
            assert_eq!(found(&names, provider, model).as_deref(), expected, "{model}");
        }
        assert_eq!(
            found(&["openai/a", "openai/a-001"], Provider::OpenAi, "a-001-002").as_deref(),
            Some("openai/a-001")
        );
        assert_eq!(found(&[""], Provider::OpenAi, "-001"), None);
    }

    #[test]
    fn a_reported_cost_counts_only_in_its_own_currency() {
        let mut prices = table(&["m"]);
        let usage = Usage {
            cost: Some(0.5),
            ..Usage::of(1, 1)
        };
        let rate = Rate::Priced(Price {
            input: 1.0,
            output: 1.0,
            cached: None,
        });
        assert_eq!(prices.cost(&rate, &usage), Money::from_units(0.5));
        prices.currency = "EUR".to_owned();
        assert_eq!(prices.cost(&rate, &usage), Money::from_units(0.000_002));
        assert_eq!(prices.cost(&Rate::Unknown, &usage), None);
    }
}
