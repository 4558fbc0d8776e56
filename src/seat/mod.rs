//! Who sits at the table, and whom its model is asked at (`provider`), and what
//! looks like a key (`secret`). A procedure cannot tell seats apart.

pub mod provider;
pub mod secret;

use crate::language::Language;
use provider::{Effort, Provider};
use serde::{Deserialize, Serialize};

/// One place at the table and who sits there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Unique name, as the others see it.
    pub name: String,
    /// Who answers.
    pub kind: SeatKind,
    /// Language of the prompts this seat gets and of its answers.
    pub language: Language,
    /// Who the participant is told to be, free text from the configuration.
    pub personality: String,
    /// Model name, for seats of kind `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Base URL of the endpoint, for seats of kind `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Sampling temperature, 0 to 2, where one is to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Whose format the endpoint speaks; `None`: told by the base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Seed of the sampling, where one is to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// How much the model is to think, where that is to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<Effort>,
    /// Models to ask, in this order, where the first one cannot be had; only ever by choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<Fallback>,
    /// Whose answers are played back, for seats of kind `recorded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<Plays>,
}

/// Another model for a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    /// Model name.
    pub model: String,
    /// Base URL of the endpoint.
    pub base_url: String,
    /// Whose format the endpoint speaks; `None`: told by the base URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
}

/// A seat of a saved session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plays {
    /// Id of the session.
    pub session: String,
    /// Name of the seat there; `None`: the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

/// Name of the seat whose model reads what the rules do not understand. It takes no part.
pub const READER: &str = "source:reader";

impl Seat {
    /// A seat with nothing but the address of a model, where it has one.
    #[must_use]
    pub fn new(
        name: &str,
        kind: SeatKind,
        language: Language,
        model: Option<String>,
        base_url: Option<String>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            language,
            personality: String::new(),
            model,
            base_url,
            temperature: None,
            provider: None,
            seed: None,
            reasoning_effort: None,
            fallback: Vec::new(),
            plays: None,
        }
    }

    /// The models that it asks, its own first, then those that it falls back on: provider as named, base
    /// URL and model. None for seats of other kinds.
    pub fn models(&self) -> impl Iterator<Item = (Option<Provider>, &str, &str)> {
        let own = self.base_url.as_deref().zip(self.model.as_deref());
        let own = own.map(|(base_url, model)| (self.provider, base_url, model));
        let others = self.fallback.iter();
        let others = others.map(|one| (one.provider, one.base_url.as_str(), one.model.as_str()));
        own.into_iter()
            .chain(others)
            .filter(|_| self.kind == SeatKind::Model)
    }
}

/// Who answers for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A built-in simulated participant.
    Scripted,
    /// A language model behind an endpoint.
    Model,
    /// A person at this page.
    Human,
    /// A callback of the embedding program.
    Custom,
    /// The answers of a seat of a saved session, played back.
    Recorded,
    /// No participant: where a protocol gets material from. It is asked once, and a run never stands
    /// still for it.
    Source,
}

impl SeatKind {
    /// The stored name, e.g. `scripted`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scripted => "scripted",
            Self::Model => "model",
            Self::Human => "human",
            Self::Custom => "custom",
            Self::Recorded => "recorded",
            Self::Source => "source",
        }
    }
}
