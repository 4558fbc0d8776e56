//! What is known of models by name: prices, context, levels of effort, what they take, and which of a
//! provider's a first try takes. Read from `catalogue.tsv`, which `scripts/catalogue.py` makes from
//! public data packages; nothing here is known by hand, and a model that is not in it may be as good.

use crate::core::prices::{Price, Prices, version_of};
use crate::seat::provider::{Effort, Provider};
use serde::Serialize;

const TABLE: &str = include_str!("catalogue.tsv");

/// A model of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModelInfo {
    /// What a seat's `model` says.
    pub model: &'static str,
    /// Of a million tokens, in US dollars.
    pub price: Price,
    /// Tokens of question and answer together at most, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    /// How it is told how much to think.
    #[serde(skip)]
    pub thinking: Thinking,
    /// It takes a JSON Schema of the answer.
    pub schema: bool,
    /// It takes temperature and `top_p`.
    pub sampled: bool,
}

/// How a model is told how much to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// Nothing is known.
    Unknown,
    /// By so many tokens at most.
    Budget,
    /// By one of these levels, as the table has them.
    Levels(&'static str),
}

impl Thinking {
    /// The levels of effort that it takes; of a budget all, of what is unknown none.
    #[must_use]
    pub fn levels(self) -> Vec<Effort> {
        let all = Effort::ALL.into_iter();
        let known = all.filter(|(name, effort)| match self {
            Self::Unknown => false,
            Self::Budget => *effort <= Effort::High,
            Self::Levels(levels) => levels.split(' ').any(|level| level == *name),
        });
        known.map(|(_, effort)| effort).collect()
    }
}

/// The lines of a provider: the models for a first try, and the rest.
fn section(provider: Provider) -> Option<(&'static str, &'static str)> {
    let head = format!("\n[{}]", house(provider).id());
    let (_, after) = TABLE.split_once(&head)?;
    let (first, rest) = after.split_once('\n')?;
    Some((first, rest.split("\n[").next().unwrap_or(rest)))
}

/// Of two formats of one house, the one under which its models stand.
fn house(provider: Provider) -> Provider {
    match provider {
        Provider::OpenAiResponses | Provider::Azure => Provider::OpenAi,
        other => other,
    }
}

/// The models of a provider for a first try, the one to be preferred first.
pub fn first(provider: Provider) -> impl Iterator<Item = &'static str> {
    let names = section(provider).map_or("", |(first, _)| first);
    names.split('\t').filter(|name| !name.is_empty())
}

/// All that is known of a provider's models.
pub fn of(provider: Provider) -> impl Iterator<Item = ModelInfo> {
    section(provider)
        .map_or("", |(_, rows)| rows)
        .lines()
        .filter_map(row)
}

/// What is known of a model, by its name or as a dated version of another.
#[must_use]
pub fn find(provider: Provider, model: &str) -> Option<ModelInfo> {
    let exact = of(provider).find(|known| known.model == model);
    exact.or_else(|| {
        let versions = of(provider).filter(|known| version_of(model, known.model));
        versions.max_by_key(|known| known.model.len())
    })
}

/// All prices by `provider/model`, dated.
#[must_use]
pub fn prices() -> Prices {
    let own = |provider| matches!(provider, Provider::OpenAiResponses | Provider::Azure);
    let providers = Provider::ALL.into_iter().filter(|(_, provider)| !own(*provider));
    let models = providers.flat_map(|(id, provider)| {
        of(provider).map(move |known| (format!("{id}/{}", known.model), known.price))
    });
    Prices {
        currency: "USD".to_owned(),
        date: date().to_owned(),
        models: models.collect(),
    }
}

/// The day on which the table was made, and what it was made of.
#[must_use]
pub fn source() -> &'static str {
    let head = TABLE.lines().next().unwrap_or_default();
    head.split_once(" from ").map_or("", |(_, rest)| rest)
}

fn date() -> &'static str {
    let head = TABLE.lines().next().unwrap_or_default();
    let after = head.split_once(" on ").map_or("", |(_, rest)| rest);
    after.split(' ').next().unwrap_or_default()
}

fn row(line: &'static str) -> Option<ModelInfo> {
    let mut cells = line.split('\t');
    let model = cells.next().filter(|model| !model.is_empty())?;
    let mut next = || cells.next().unwrap_or_default();
    let (input, output, cached) = (next(), next(), next());
    let (context, thinking, takes) = (next(), next(), next());
    Some(ModelInfo {
        model,
        price: Price {
            input: input.parse().ok()?,
            output: output.parse().ok()?,
            cached: cached.parse().ok(),
        },
        context: context.parse().ok(),
        thinking: match thinking {
            "" => Thinking::Unknown,
            "budget" => Thinking::Budget,
            levels => Thinking::Levels(levels),
        },
        schema: takes.split(' ').any(|word| word == "schema"),
        sampled: takes.split(' ').all(|word| word != "unsampled"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_dated() {
        let rows: usize = Provider::ALL
            .into_iter()
            .filter(|(_, provider)| *provider == house(*provider))
            .map(|(_, provider)| of(provider).count())
            .sum();
        let lines = TABLE.lines().filter(|line| !line.starts_with(['#', '[']));
        assert_eq!(rows, lines.count());
        assert_eq!((date().len(), source().starts_with("litellm ")), (10, true));
    }

    #[test]
    fn prices_are_prices_and_a_first_try_is_in_the_table() {
        for (id, provider) in Provider::ALL {
            for known in of(provider) {
                let Price {
                    input,
                    output,
                    cached,
                } = known.price;
                assert!(input > 0.0 && output > 0.0, "{id}/{}", known.model);
                assert!(cached.is_none_or(|cached| cached < input), "{id}/{}", known.model);
            }
            for model in first(provider) {
                assert!(of(provider).any(|known| known.model == model), "{id}/{model}");
            }
            assert_eq!(section(provider).is_some(), first(provider).count() > 0, "{id}");
        }
    }

    /// Neither retired ones, which the script leaves out by their day, nor what is made for something else.
    #[test]
    fn a_first_try_is_general_and_of_the_newest() {
        let special = [
            "embed", "guard", "moderat", "audio", "realtime", "tts", "transcri", "speech", "image", "search",
            "research", "code", "computer", "robot", "ocr", "math", "rerank", "whisper", "preview", "exp",
            "base",
        ];
        let old = [
            "gpt-3", "gpt-4", "davinci", "babbage", "claude-2", "claude-3", "gemini-1", "gemini-2", "grok-2",
            "grok-3", "llama-2", "mixtral", "palm",
        ];
        let mut tried = 0;
        for (id, provider) in Provider::ALL {
            for model in first(provider) {
                tried += 1;
                let name = model.to_lowercase();
                let words = || name.split(|c: char| !c.is_ascii_alphanumeric());
                assert!(
                    special
                        .iter()
                        .all(|word| words().all(|part| !part.starts_with(word))),
                    "{id}/{model}"
                );
                assert!(old.iter().all(|old| !name.contains(old)), "{id}/{model}");
            }
        }
        assert!(tried >= 40, "{tried}");
        let newest = |provider| first(provider).next();
        for provider in [
            Provider::OpenAi,
            Provider::Anthropic,
            Provider::Gemini,
            Provider::OpenRouter,
        ] {
            assert!(newest(provider).is_some(), "{}", provider.id());
        }
        // Nothing that only guards or embeds is in the table at all.
        let all = TABLE.lines().filter(|line| !line.starts_with(['#', '[']));
        let wrong: Vec<&str> = all
            .filter(|line| {
                ["embed", "guard", "moderation", "rerank"]
                    .iter()
                    .any(|word| line.contains(word))
            })
            .collect();
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn a_dated_version_is_what_it_is_a_version_of() {
        let known = find(Provider::Anthropic, "claude-haiku-4-5-20251001").unwrap();
        assert_eq!(
            (known.model, known.thinking),
            ("claude-haiku-4-5", Thinking::Budget)
        );
        assert_eq!(find(Provider::Anthropic, "claude-haiku-4"), None);
        assert_eq!(find(Provider::Compatible, "claude-haiku-4-5"), None);
        let known = find(Provider::OpenAiResponses, "gpt-5-2025-08-07").unwrap();
        assert_eq!(known.model, "gpt-5");
        let levels = [Effort::Minimal, Effort::Low, Effort::Medium, Effort::High];
        assert_eq!(known.thinking.levels(), levels);
    }
}
