//! What tokens cost: a dated table of prices, the price of a call by it, and money as whole numbers, so
//! that sums come out the same in any order. Which models cost what by default stands in `costs`.

use super::ask::{Request, Usage};
use super::limits::{is_local, origin};
use crate::seat::SeatKind;
use crate::seat::provider::Provider;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An amount in millionths of a millionth of the table's currency, 0 to 18 million whole units; larger
/// ones stay at the largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u64);

/// Parts of a whole unit.
const PARTS: f64 = 1e12;

impl Money {
    /// From whole units; what is no amount (negative, not a number) is none.
    #[must_use]
    pub fn from_units(units: f64) -> Option<Self> {
        (units.is_finite() && units >= 0.0).then(|| Self((units * PARTS).round() as u64))
    }

    /// In whole units.
    #[must_use]
    pub fn units(self) -> f64 {
        self.0 as f64 / PARTS
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left without the other; nothing at least.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// What a million tokens of a model cost, in the currency of the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Of questions.
    pub input: f64,
    /// Of answers, thoughts and all.
    pub output: f64,
    /// Of questions out of the provider's cache; those of others where it is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
}

impl Price {
    /// What so many tokens cost.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Money {
        let cached = usage.cached.unwrap_or(0).min(usage.input);
        let parts = |tokens: u64, price: f64| {
            // A price for a million tokens, in units, is the price of one in millionths.
            let each = (price * 1e6).round().max(0.0) as u128;
            u128::from(tokens).saturating_mul(each)
        };
        let sum = parts(usage.input - cached, self.input)
            .saturating_add(parts(cached, self.cached.unwrap_or(self.input)))
            .saturating_add(parts(usage.output, self.output));
        Money(u64::try_from(sum).unwrap_or(u64::MAX))
    }
}

/// A table of prices, as the configuration key `prices` has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Currency, e.g. `USD`.
    pub currency: String,
    /// The day on which the prices were written down, `YYYY-MM-DD`.
    pub date: String,
    /// By `provider/model`, or by the model's name alone for whoever offers it.
    pub models: BTreeMap<String, Price>,
}

/// The currency in which providers tell what a call cost.
pub const TOLD_IN: &str = "USD";

/// What a call costs by the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// Nothing: people, scripted participants, models on this machine.
    Nothing,
    /// By the token.
    Priced(Price),
    /// A program of the page answers: what that costs is its own affair.
    Own,
    /// Nobody told.
    Unknown,
}

impl Rate {
    /// What so many tokens cost; `None`: unknown, or none of ours.
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
    /// What a question to a seat of this kind costs.
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

    /// The row of a model: by provider and model, else by the model alone; without one of exactly that
    /// name the longest of which it is a dated version (`gpt-4o-2024-08-06` of `gpt-4o`).
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

    /// What a call cost by what was told of it: the provider's own word, where it is in the currency of
    /// the table, else by the tokens.
    #[must_use]
    pub fn cost(&self, rate: &Rate, usage: &Usage) -> Option<Money> {
        self.told(usage).or_else(|| rate.cost(usage))
    }

    /// What the provider said that a call cost, where that can be added to the rest.
    #[must_use]
    pub fn told(&self, usage: &Usage) -> Option<Money> {
        let same = self.currency.is_empty() || self.currency == TOLD_IN;
        usage.cost.filter(|_| same).and_then(Money::from_units)
    }
}

/// The row of a provider's model.
#[must_use]
pub fn key(provider: Provider, model: &str) -> String {
    // Two formats of one house.
    let provider = match provider {
        Provider::OpenAiResponses | Provider::Azure => Provider::OpenAi,
        other => other,
    };
    format!("{}/{model}", provider.id())
}

/// Whose model is asked at an address.
#[must_use]
pub fn provider(named: Option<Provider>, base_url: &str) -> Provider {
    named.unwrap_or_else(|| Provider::by_origin(&origin(base_url).to_ascii_lowercase()))
}

/// Whether a model's name is that of another with a date or number of a version behind it.
#[must_use]
pub fn version_of(model: &str, name: &str) -> bool {
    !name.is_empty() && model.strip_prefix(name).is_some_and(is_version)
}

/// `-2024-08-06`, `-20250514`, `-08-2024`, `-0613`, `-001`, `-latest`: what sets apart versions of one model.
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
        // 600 x 0.15 + 400 x 0.075 + 100 x 0.6, for a million.
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
        // More out of the cache than was asked is the provider's slip, not money back.
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
    fn a_providers_word_counts_in_its_own_currency_only() {
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
