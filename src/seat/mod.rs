//! Seats of the table, the providers of their models (`provider`) and detection of keys (`secret`).
//! Procedures do not depend on the kind of a seat.

pub mod provider;
pub mod secret;

use crate::language::Language;
use provider::{Effort, Provider};
use serde::{Deserialize, Serialize};

/// A place at the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Unique name, visible to the others.
    pub name: String,
    pub kind: SeatKind,
    /// Language of the seat's prompts and answers.
    pub language: Language,
    /// Personality in the prompt, free text from the configuration.
    pub personality: String,
    /// Model name, for seats of kind `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Base URL of the endpoint, for seats of kind `model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Sampling temperature, 0 to 2; `None`: not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// API format of the endpoint; `None`: derived from the base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Sampling seed; `None`: not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Reasoning effort; `None`: not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<Effort>,
    /// Models to ask, in this order, after the first one failed. Empty by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<Fallback>,
    /// The recorded seat to play back, for seats of kind `recorded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<ReplaySource>,
}

/// A fallback model of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    /// Model name.
    pub model: String,
    pub base_url: String,
    /// API format of the endpoint; `None`: derived from the base URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySource {
    pub session: String,
    /// Name of the seat there; `None`: the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

/// Name of the seat whose model reads answers that the rules cannot read. It is not a participant.
pub const READER: &str = "source:reader";

impl Seat {
    /// Returns a seat with default settings.
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

    /// Returns provider, base URL and model of the seat's models, its own first, then its fallbacks. Empty
    /// for other kinds of seats.
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

/// The kind of answerer in a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A built-in simulated participant.
    Scripted,
    /// A language model at an endpoint.
    Model,
    /// A person at this page.
    Human,
    /// A callback of the embedding program.
    Custom,
    /// Recorded answers of a seat in a saved session.
    Recorded,
    /// A source of material, not a participant. It is asked once, and its failure does not halt a run.
    Source,
}

impl SeatKind {
    /// Returns the stored name, e.g. `scripted`.
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
