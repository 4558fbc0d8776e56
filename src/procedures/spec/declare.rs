//! One declaration of settings: the struct, its table, and how its values are read.

use super::SettingKind;
use super::config_reader::ConfigReader;
use crate::language::Language;

/// A type that a setting may have in the struct.
pub trait SettingValue {
    /// Reads the setting, or its default.
    fn read(from: &ConfigReader, name: &str) -> Self;
}

macro_rules! values {
    ($($type:ty: $read:expr;)*) => {
        $(impl SettingValue for $type {
            fn read(from: &ConfigReader, name: &str) -> Self {
                let read: fn(&ConfigReader, &str) -> Self = $read;
                read(from, name)
            }
        })*
    };
}

values! {
    bool: |from, name| from.flag(name);
    Option<bool>: |from, name| from.maybe_flag(name);
    u32: |from, name| from.whole(name);
    Option<u32>: |from, name| from.maybe_whole(name);
    f64: |from, name| from.number(name);
    Option<f64>: |from, name| from.maybe_number(name);
    (f64, f64): |from, name| from.pair(name);
    String: |from, name| from.maybe_word(name).unwrap_or_default().trim().to_owned();
    Option<String>: |from, name| from.given_text(name);
    Language: |from, name| from.one_of(name, &Language::NAMES);
}

/// Settings of an object, declared by [`settings!`].
pub trait SettingObject: Sized {
    /// For the table that contains the object.
    const KIND: SettingKind;

    fn read_object(from: &ConfigReader) -> Self;
}

impl<T: SettingObject> SettingValue for T {
    fn read(from: &ConfigReader, name: &str) -> Self {
        T::read_object(&from.object(name))
    }
}

impl<T: SettingObject> SettingValue for Option<T> {
    fn read(from: &ConfigReader, name: &str) -> Self {
        let object = from.object(name);
        object.is_given().then(|| T::read_object(&object))
    }
}

impl<T: SettingObject> SettingValue for Vec<T> {
    fn read(from: &ConfigReader, name: &str) -> Self {
        from.list(name).iter().map(T::read_object).collect()
    }
}

/// Declares settings: a struct, and its `TABLE` of them in order. A line is one of
///
/// - `name: type = kind(bounds).options();` – `kind` is a function of [`super`] or [`super::common`] whose first argument is
///   the name,
/// - `name: type = kind(bounds).options() => value;` – read in an own way; the reader and the fields above may be used,
/// - `+ setting;` – a setting without a field.
///
/// `name as "key"` gives a field another name than the setting's. Fields that follow from settings stand last, in `derived`.
macro_rules! settings {
    ($(#[$meta:meta])* pub struct $name:ident($from:ident) {
        $(+ $first:expr;)*
        $(
            $(#[doc = $doc:literal])*
            $field:ident $(as $key:literal)?: $type:ty = $kind:ident($($bound:expr),*)
                $(.$option:ident($($value:expr),*))* $(=> $read:expr)?;
            $(+ $row:expr;)*
        )*
    } $(derived { $($(#[doc = $derived_doc:literal])* $derived:ident: $derived_type:ty => $derive:expr;)* })?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
            $($($(#[doc = $derived_doc])* pub $derived: $derived_type,)*)?
        }

        impl $name {
            pub const TABLE: &'static [$crate::procedures::spec::Setting] = &[
                $($first,)*
                $(
                    $kind(settings!(@name $field $($key)?) $(, $bound)*)$(.$option($($value),*))*,
                    $($row,)*
                )*
            ];

            fn read($from: &$crate::procedures::spec::config_reader::ConfigReader) -> Self {
                $(let $field: $type = settings!(@read $from, settings!(@name $field $($key)?) $(, $read)?);)*
                $($(let $derived: $derived_type = $derive;)*)?
                Self { $($field,)* $($($derived,)*)? }
            }
        }

        impl $crate::procedures::spec::declare::SettingObject for $name {
            const KIND: $crate::procedures::spec::SettingKind = $crate::procedures::spec::SettingKind::Object {
                settings: $crate::procedures::spec::SettingTable(&[Self::TABLE]),
                free: false,
            };

            fn read_object(from: &$crate::procedures::spec::config_reader::ConfigReader) -> Self {
                Self::read(from)
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $key:literal) => { $key };
    (@read $from:ident, $name:expr) => { $crate::procedures::spec::declare::SettingValue::read($from, $name) };
    (@read $from:ident, $name:expr, $read:expr) => { $read };
}

/// Declares an enum whose variants have names in configurations and records.
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word),*];
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),*];

            /// Returns its name in configurations and records.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::procedures::spec::declare::SettingValue for $name {
            fn read(from: &$crate::procedures::spec::config_reader::ConfigReader, name: &str) -> Self {
                from.one_of(name, Self::ALL)
            }
        }
    };
}

pub(crate) use {choices, settings};
