//! Known models: prices, context, effort levels, accepted settings, and the models to try first with a
//! provider. Read from `catalogue.tsv`, which `scripts/catalogue.py` generates from public data packages.
//! Nothing is entered by hand. A model that is missing here can still be used.

use crate::core::prices::{Price, Prices, version_of};
use crate::seat::provider::{Effort, Provider};
use serde::Serialize;

const TABLE: &str = include_str!("catalogue.tsv");

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModelInfo {
    /// The value of a seat's `model`.
    pub model: &'static str,
    /// US dollars per million tokens.
    pub price: Price,
    /// Maximum tokens of prompt and answer together, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    #[serde(skip)]
    pub thinking: Thinking,
    /// It accepts a JSON Schema of the answer.
    pub schema: bool,
    /// It accepts temperature and `top_p`.
    pub sampled: bool,
}

/// How the amount of reasoning of a model is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    Unknown,
    /// By a maximum number of tokens.
    Budget,
    /// By one of these levels, separated by spaces.
    Levels(&'static str),
}

impl Thinking {
    /// Returns the accepted effort levels: up to high for a budget, none if unknown.
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

/// Returns a provider's section of the table: the line of models to try first, and the other lines.
fn section(provider: Provider) -> Option<(&'static str, &'static str)> {
    let head = format!("\n[{}]", section_owner(provider).id());
    let (_, after) = TABLE.split_once(&head)?;
    let (first, rest) = after.split_once('\n')?;
    Some((first, rest.split("\n[").next().unwrap_or(rest)))
}

/// Returns the provider under which the models of several formats are listed.
fn section_owner(provider: Provider) -> Provider {
    match provider {
        Provider::OpenAiResponses | Provider::Azure => Provider::OpenAi,
        other => other,
    }
}

/// Returns the models to try first with a provider, in order of preference.
pub fn first(provider: Provider) -> impl Iterator<Item = &'static str> {
    let names = section(provider).map_or("", |(first, _)| first);
    names.split('\t').filter(|name| !name.is_empty())
}

/// Returns all known models of a provider.
pub fn of(provider: Provider) -> impl Iterator<Item = ModelInfo> {
    section(provider)
        .map_or("", |(_, rows)| rows)
        .lines()
        .filter_map(row)
}

/// Finds a model by its name or as a dated version of another.
#[must_use]
pub fn find(provider: Provider, model: &str) -> Option<ModelInfo> {
    let exact = of(provider).find(|known| known.model == model);
    exact.or_else(|| {
        let versions = of(provider).filter(|known| version_of(model, known.model));
        versions.max_by_key(|known| known.model.len())
    })
}

/// Returns the dated prices by `provider/model`.
#[must_use]
pub fn prices() -> Prices {
    let is_alias = |provider| matches!(provider, Provider::OpenAiResponses | Provider::Azure);
    let providers = Provider::ALL
        .into_iter()
        .filter(|(_, provider)| !is_alias(*provider));
    let models = providers.flat_map(|(id, provider)| {
        of(provider).map(move |known| (format!("{id}/{}", known.model), known.price))
    });
    Prices {
        currency: "USD".to_owned(),
        date: date().to_owned(),
        models: models.collect(),
    }
}

/// Returns the sources and the date of the table.
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
    fn every_line_is_parsed() {
        let rows: usize = Provider::ALL
            .into_iter()
            .filter(|(_, provider)| *provider == section_owner(*provider))
            .map(|(_, provider)| of(provider).count())
            .sum();
        let lines = TABLE.lines().filter(|line| !line.starts_with(['#', '[']));
        assert_eq!(rows, lines.count());
        assert_eq!((date().len(), source().starts_with("litellm ")), (10, true));
    }

    #[test]
    fn prices_are_valid_and_first_models_are_listed() {
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

    /// Retired models are left out by the script, by their date.
    #[test]
    fn first_models_are_recent_and_general() {
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
        // The table has no models for moderation or embeddings only.
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
    fn a_dated_version_is_found() {
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
