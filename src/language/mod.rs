//! The languages of the lab, and their formats for numbers, lists and texts.
//!
//! A language is a line in the list below and one file in each folder of texts. The code contains no texts.

pub mod blank;
pub mod files;
pub mod format;
pub mod pattern;
pub mod prompts;
pub mod template;
pub mod words;

use serde::{Deserialize, Serialize};

/// Generates the type and the macro that includes the files of all languages.
macro_rules! languages {
    ($dollar:tt $($(#[$doc:meta])* $language:ident: $code:literal, $name:literal $(, $further:literal)*;)+) => {
        /// A language of prompts, notices and answers, serialized by its code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
        pub enum Language {
            $($(#[$doc])* #[serde(rename = $code)] $language,)+
        }

        /// Each language, its code and its names in lower case.
        const LIST: &[(Language, &str, &[&str])] = &[$((Language::$language, $code, &[$name $(, $further)*])),+];

        impl Language {
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$language),+];
            pub const CODES: [&str; Self::ALL.len()] = [$($code),+];
            /// The codes, separated by spaces.
            pub const CODES_IN_LINE: &str = concat!($($code, " "),+).trim_ascii_end();
            /// Names in the configuration of a run.
            pub const NAMES: [(&str, Self); Self::ALL.len()] = [$((stringify!($language), Self::$language)),+];
            /// Codes as alternatives to [`Self::NAMES`].
            pub const SPELT: &[(&str, &str)] = &[$(($code, stringify!($language))),+];
            /// Names in the configuration of a seat.
            pub const SEAT_NAMES: [(&str, Self); Self::ALL.len()] = [$(($name, Self::$language)),+];
            /// Alternatives to [`Self::SEAT_NAMES`].
            pub const SEAT_SPELT: &[(&str, &str)] = &[$(($code, $name),)+ $($(($further, $name),)*)+];
        }

        /// Includes the [`files::Files`] of a folder next to the calling file: `en.json` and the others, or
        /// those with another ending.
        macro_rules! in_each_language {
            ($dollar folder:literal) => {
                $crate::language::in_each_language!($dollar folder, "json")
            };
            ($dollar folder:literal, $dollar ending:literal) => {
                $crate::language::files::Files::new([
                    $(include_str!(concat!($dollar folder, "/", $code, ".", $dollar ending))),+
                ])
            };
        }
        pub(crate) use in_each_language;
    };
}

languages! {$
    #[default]
    English: "en", "english";
    Spanish: "es", "spanish";
    /// Simplified characters.
    Mandarin: "zh", "mandarin", "chinese";
}

/// Texts that all parts of the lab share.
static WORDS: files::Files<std::collections::BTreeMap<&'static str, &'static str>> =
    in_each_language!("words");

impl Language {
    /// Returns a shared text by its key.
    pub(crate) fn word(self, key: &str) -> &'static str {
        WORDS.of(self).get(key).copied().unwrap_or_default()
    }

    /// Returns the code, such as `en`.
    #[must_use]
    pub fn code(self) -> &'static str {
        LIST.iter()
            .find(|(language, ..)| *language == self)
            .map_or("", |(_, code, _)| code)
    }

    /// Parses a code or an English name of the language, case-insensitively (`en`, `English`, `chinese`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let matches_name =
            |(_, code, names): &&(Self, &str, &[&str])| name == *code || names.contains(&&*name);
        LIST.iter().find(matches_name).map(|(language, ..)| *language)
    }
}
