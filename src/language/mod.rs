//! The languages of the lab: English, Spanish, Mandarin.

pub mod format;
pub mod words;

use serde::{Deserialize, Serialize};

/// A language of prompts, notices and answers. Serialised as `en`, `es`, `zh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
    /// Mandarin, simplified characters.
    #[serde(rename = "zh")]
    Mandarin,
}

impl Language {
    /// All three.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::Mandarin];

    /// `en`, `es` or `zh`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::Mandarin => "zh",
        }
    }

    /// From a code or an English name of the language, in any case (`en`, `English`, `chinese`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "en" | "english" => Some(Self::English),
            "es" | "spanish" => Some(Self::Spanish),
            "zh" | "mandarin" | "chinese" => Some(Self::Mandarin),
            _ => None,
        }
    }
}
