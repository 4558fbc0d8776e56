//! Setting tables of the procedures: names, types and defaults. From them follow the configuration check and
//! its values ([`config_reader`]), the form on the page, JSON Schema, TypeScript types and the reference
//! page. Checks across settings are code beside the tables. Labels and help texts are among the page's words,
//! under the setting's key.

pub mod common;
pub mod config_reader;
pub mod declare;
pub mod fault;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// All settings of a procedure.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spec {
    /// The groups of the form, in order.
    pub groups: &'static [Group],
    pub settings: SettingTable,
}

/// A group of settings in a form.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Group {
    /// Key of its words.
    pub id: &'static str,
    /// Whether it is open initially.
    pub open: bool,
}

impl Group {
    #[must_use]
    pub const fn folded(id: &'static str) -> Self {
        Self { id, open: false }
    }

    #[must_use]
    pub const fn open(id: &'static str) -> Self {
        Self { id, open: true }
    }
}

/// Settings of one object, in the order of fault messages and of the form.
#[derive(Debug, Clone, Copy)]
pub struct SettingTable(pub &'static [&'static [Setting]]);

impl SettingTable {
    pub fn iter(self) -> impl Iterator<Item = &'static Setting> {
        self.0.iter().copied().flatten()
    }

    /// Finds a setting by its name or an alias.
    #[must_use]
    pub fn find(self, name: &str) -> Option<&'static Setting> {
        self.iter().find(|setting| setting.names().any(|own| own == name))
    }
}

impl Serialize for SettingTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.iter()
            .try_for_each(|setting| list.serialize_element(setting))?;
        list.end()
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Setting {
    pub name: &'static str,
    /// Aliases.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub also: &'static [&'static str],
    pub kind: SettingKind,
    /// Default.
    #[serde(skip_serializing_if = "DefaultValue::is_nothing")]
    pub usual: DefaultValue,
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    /// Key of its words, if it differs from its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<&'static str>,
    /// Version that introduced it.
    pub since: &'static str,
    /// Whether it has an effect.
    #[serde(skip_serializing_if = "is_true")]
    pub effect: bool,
    /// Group in the form; `None`: not in the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'static str>,
    /// Whether the form folds it away.
    #[serde(skip_serializing_if = "is_false")]
    pub more: bool,
    /// Key of the words for the unit of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Conditions on other settings, all of which must hold for this one to apply.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub when: &'static [When],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_true(flag: &bool) -> bool {
    *flag
}

/// The name of a setting in this object or at the top level, and the values, as texts, of which it must have
/// one.
pub type When = (&'static str, &'static [&'static str]);

/// Restriction on the content of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressContent {
    /// No restriction; everybody with the link sees it.
    Anything,
    /// Neither key nor password.
    NoKey,
    /// Nor anything that looks like a credential; [`KEY_HERE`] marks its place.
    NoSecret,
}

/// Placeholder in an address for the key entered for its host, filled in when a request is sent.
pub const KEY_HERE: &str = "{key}";

/// Type of a setting. Null counts as absent.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SettingKind {
    /// A boolean; also `yes`, `no`, `on`, `off`, 1 and 0.
    Flag,
    Whole {
        min: u32,
        /// The largest value of the type means no bound.
        max: u32,
    },
    Number {
        /// Infinite only if the maximum is too.
        min: f64,
        /// May be infinite.
        max: f64,
    },
    Text {
        /// In characters.
        most: u32,
        /// Whether line breaks are allowed.
        lines: bool,
    },
    /// An HTTP or HTTPS URL.
    Address { holds: AddressContent },
    OneOf {
        words: &'static [&'static str],
        /// Other spellings, each with the word it stands for.
        #[serde(skip)]
        also: &'static [(&'static str, &'static str)],
        /// Whether upper and lower case are equivalent.
        #[serde(skip)]
        any_case: bool,
    },
    /// A multi-line text, or a list of texts. Blank lines and items of other types are ignored.
    Lines,
    /// Two numbers above 0, in ascending order.
    Pair,
    Object {
        settings: SettingTable,
        /// Whether unknown keys are allowed.
        free: bool,
    },
    List {
        of: &'static SettingKind,
        /// Maximum number of items.
        most: u32,
    },
    /// An object with arbitrary keys.
    Map {
        /// Type of the values.
        of: &'static SettingKind,
    },
    /// One of several types, chosen by the JSON type of the value.
    Either { of: &'static [SettingKind] },
    /// Any value; checked by code.
    Free,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DefaultValue {
    /// No default, or one described in the help text.
    Nothing,
    Is(Literal),
    /// A default that depends on another setting, in this object or at the top level.
    By {
        setting: &'static str,
        /// Defaults by the value of that setting.
        when: &'static [(&'static str, Literal)],
        otherwise: Literal,
    },
}

impl DefaultValue {
    const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// A constant in a setting table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Literal {
    Whole(u32),
    Number(f64),
    Flag(bool),
    Text(&'static str),
    Pair(f64, f64),
    Texts(&'static [&'static str]),
}

/// Returns the names of a list of name–value pairs.
#[must_use]
pub const fn names<T: Copy, const N: usize>(all: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = all[at].0;
        at += 1;
    }
    names
}

const fn setting(name: &'static str, kind: SettingKind) -> Setting {
    Setting {
        name,
        also: &[],
        kind,
        usual: DefaultValue::Nothing,
        required: false,
        words: None,
        since: "0.1",
        effect: true,
        group: None,
        more: false,
        unit: None,
        when: &[],
    }
}

#[must_use]
pub const fn flag(name: &'static str, usual: bool) -> Setting {
    setting(name, SettingKind::Flag).default(Literal::Flag(usual))
}

#[must_use]
pub const fn whole(name: &'static str, min: u32, max: u32) -> Setting {
    setting(name, SettingKind::Whole { min, max })
}

#[must_use]
pub const fn number(name: &'static str, min: f64, max: f64) -> Setting {
    setting(name, SettingKind::Number { min, max })
}

/// Creates a time limit of 10 to 600 seconds.
#[must_use]
pub const fn seconds(name: &'static str) -> Setting {
    number(name, 10.0, 600.0).counts("seconds")
}

/// Creates a single-line text setting.
#[must_use]
pub const fn line(name: &'static str, most: u32) -> Setting {
    setting(name, SettingKind::Text { most, lines: false })
}

/// Creates a multi-line text setting.
#[must_use]
pub const fn text(name: &'static str, most: u32) -> Setting {
    setting(name, SettingKind::Text { most, lines: true })
}

/// Creates a choice that defaults to the first word.
#[must_use]
pub const fn one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
    maybe_one_of(name, words).default(Literal::Text(words[0]))
}

/// Creates a choice without a default.
#[must_use]
pub const fn maybe_one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
    spelt(name, words, &[], false)
}

/// Creates a choice whose words have other spellings.
#[must_use]
pub const fn spelt(
    name: &'static str,
    words: &'static [&'static str],
    also: &'static [(&'static str, &'static str)],
    any_case: bool,
) -> Setting {
    setting(
        name,
        SettingKind::OneOf {
            words,
            also,
            any_case,
        },
    )
}

#[must_use]
pub const fn object(name: &'static str, settings: SettingTable) -> Setting {
    setting(
        name,
        SettingKind::Object {
            settings,
            free: false,
        },
    )
}

#[must_use]
pub const fn list(name: &'static str, of: &'static SettingKind, most: u32) -> Setting {
    setting(name, SettingKind::List { of, most })
}

/// Creates an object setting with arbitrary keys.
#[must_use]
pub const fn map(name: &'static str, of: &'static SettingKind) -> Setting {
    setting(name, SettingKind::Map { of })
}

/// Creates a setting of any type.
#[must_use]
pub const fn of(name: &'static str, kind: SettingKind) -> Setting {
    setting(name, kind)
}

impl Setting {
    /// Yields the name and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    #[must_use]
    pub const fn also(mut self, names: &'static [&'static str]) -> Self {
        self.also = names;
        self
    }

    #[must_use]
    pub const fn default(mut self, value: Literal) -> Self {
        self.usual = DefaultValue::Is(value);
        self
    }

    /// Sets a default that depends on another setting.
    #[must_use]
    pub const fn by(
        mut self,
        setting: &'static str,
        when: &'static [(&'static str, Literal)],
        otherwise: Literal,
    ) -> Self {
        self.usual = DefaultValue::By {
            setting,
            when,
            otherwise,
        };
        self
    }

    /// Allows unknown keys.
    #[must_use]
    pub const fn free(mut self) -> Self {
        if let SettingKind::Object { settings, .. } = self.kind {
            self.kind = SettingKind::Object { settings, free: true };
        }
        self
    }

    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    #[must_use]
    pub const fn words(mut self, key: &'static str) -> Self {
        self.words = Some(key);
        self
    }

    #[must_use]
    pub const fn since(mut self, version: &'static str) -> Self {
        self.since = version;
        self
    }

    /// Marks a setting as accepted but without effect.
    #[must_use]
    pub const fn without_effect(mut self) -> Self {
        self.effect = false;
        self.words = Some("field.without_effect");
        self
    }

    #[must_use]
    pub const fn group(mut self, id: &'static str) -> Self {
        self.group = Some(id);
        self
    }

    /// Places the setting in the folded part of a group.
    #[must_use]
    pub const fn more(mut self, id: &'static str) -> Self {
        self.more = true;
        self.group(id)
    }

    #[must_use]
    pub const fn counts(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// Applies the setting only if others have these values.
    #[must_use]
    pub const fn when(mut self, when: &'static [When]) -> Self {
        self.when = when;
        self
    }
}
