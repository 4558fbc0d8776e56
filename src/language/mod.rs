//! The languages of the lab, and how numbers, lists and texts are written in them.
//!
//! A language is a line in the list below and a file beside each of its sisters: every text stands in
//! files, none in the code.

pub mod files;
pub mod format;
pub mod words;

use serde::{Deserialize, Serialize};

/// Makes of the list of languages the type, and the macro that takes the files of all of them.
macro_rules! languages {
    ($dollar:tt $($(#[$doc:meta])+ $language:ident: $code:literal, $name:literal $(, $further:literal)*;)+) => {
        /// A language of prompts, notices and answers. Serialised by its code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
        pub enum Language {
            $($(#[$doc])+ #[serde(rename = $code)] $language,)+
        }

        /// Each language, its code, and its names in lower case.
        const LIST: &[(Language, &str, &[&str])] = &[$((Language::$language, $code, &[$name $(, $further)*])),+];

        impl Language {
            /// All of them.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$language),+];
            /// Their codes.
            pub const CODES: [&str; Self::ALL.len()] = [$($code),+];
            /// The same in a line.
            pub const CODES_IN_LINE: &str = concat!($($code, " "),+).trim_ascii_end();
            /// As the configuration of a run names them, and what else it may write.
            pub const NAMES: [(&str, Self); Self::ALL.len()] = [$((stringify!($language), Self::$language)),+];
            /// See [`Self::NAMES`].
            pub const SPELT: &[(&str, &str)] = &[$(($code, stringify!($language))),+];
            /// As the configuration of a seat names them, and what else it may write.
            pub const SEAT_NAMES: [(&str, Self); Self::ALL.len()] = [$(($name, Self::$language)),+];
            /// See [`Self::SEAT_NAMES`].
            pub const SEAT_SPELT: &[(&str, &str)] = &[$(($code, $name),)+ $($(($further, $name),)*)+];
        }

        /// The [`files::Files`] of a folder beside the file that names it: `en.json` and its sisters.
        macro_rules! in_each_language {
            ($dollar folder:literal) => {
                $crate::language::files::Files::new([
                    $(include_str!(concat!($dollar folder, "/", $code, ".json"))),+
                ])
            };
        }
        pub(crate) use in_each_language;
    };
}

languages! {$
    /// English.
    #[default]
    English: "en", "english";
    /// Spanish.
    Spanish: "es", "spanish";
    /// Mandarin, simplified characters.
    Mandarin: "zh", "mandarin", "chinese";
}

/// What every part of the lab says alike.
static WORDS: files::Files<std::collections::BTreeMap<&'static str, &'static str>> =
    in_each_language!("words");

impl Language {
    /// A word or sentence that every part of the lab says alike, by its key.
    pub(crate) fn word(self, key: &str) -> &'static str {
        WORDS.of(self).get(key).copied().unwrap_or_default()
    }

    /// Its code, such as `en`.
    #[must_use]
    pub fn code(self) -> &'static str {
        LIST.iter()
            .find(|(language, ..)| *language == self)
            .map_or("", |(_, code, _)| code)
    }

    /// From a code or an English name of the language, in any case (`en`, `English`, `chinese`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let is_it = |(_, code, names): &&(Self, &str, &[&str])| name == *code || names.contains(&&*name);
        LIST.iter().find(is_it).map(|(language, ..)| *language)
    }
}
