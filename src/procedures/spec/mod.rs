//! The settings of a procedure, described once: names, what they may be, what holds where nothing is given. From such a
//! table come the check and the values with which a run is planned ([`given`]), the form of the page, JSON Schema, types
//! and the reference page. What several settings have to do with each other is code beside the tables; labels and help
//! stand with the page's words, under a setting's key.

pub mod common;
pub mod config_reader;
pub mod fault;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// The settings of a configuration of one procedure.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spec {
    /// The groups of its form, in order.
    pub groups: &'static [Group],
    /// The settings.
    pub settings: SettingTable,
}

/// Settings that stand together in a form.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Group {
    /// Its name, by which its words are found.
    pub id: &'static str,
    /// Whether the form shows it unfolded to begin with.
    pub open: bool,
}

impl Group {
    /// A group that is folded to begin with.
    #[must_use]
    pub const fn folded(id: &'static str) -> Self {
        Self { id, open: false }
    }

    /// A group that is shown at once.
    #[must_use]
    pub const fn open(id: &'static str) -> Self {
        Self { id, open: true }
    }
}

/// Settings of one object, in the order in which faults are told and forms are drawn.
#[derive(Debug, Clone, Copy)]
pub struct SettingTable(pub &'static [&'static [Setting]]);

impl SettingTable {
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = &'static Setting> {
        self.0.iter().copied().flatten()
    }

    /// The one of a name, its first or another.
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

/// A setting.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Setting {
    /// Its key.
    pub name: &'static str,
    /// Other names that are taken.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub also: &'static [&'static str],
    /// What it may be.
    pub kind: SettingKind,
    /// What holds where it is not given.
    #[serde(skip_serializing_if = "DefaultValue::is_nothing")]
    pub usual: DefaultValue,
    /// Whether it has to be given.
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    /// The key of its words, where they are not found under its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<&'static str>,
    /// The version that brought it.
    pub since: &'static str,
    /// Whether it changes anything.
    #[serde(skip_serializing_if = "is_true")]
    pub effect: bool,
    /// Where a form has it; `None`: nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'static str>,
    /// Whether a form folds it away.
    #[serde(skip_serializing_if = "is_false")]
    pub more: bool,
    /// What numbers count, by the key of the words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// When it counts: values that other settings must have, all of them.
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

/// A setting beside this one or at the top, and values of it as texts, one of which it must have.
pub type When = (&'static str, &'static [&'static str]);

/// What an address may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressContent {
    /// Anything: whoever follows the link sees it.
    Anything,
    /// No key and no password.
    NoKey,
    /// Nor anything that looks as if it let in whoever knows it; [`KEY_HERE`] stands in its place.
    NoSecret,
}

/// Where the key that was entered for its host goes into an address, when it is called and not before.
pub const KEY_HERE: &str = "{key}";

/// What a setting may be. Null counts as not given.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SettingKind {
    /// True or false; also as the words yes, no, on, off, or as 1 and 0.
    Flag,
    /// A whole number.
    Whole {
        /// The least.
        min: u32,
        /// The most; the largest there is: no bound worth telling.
        max: u32,
    },
    /// A number.
    Number {
        /// The least; may be infinite where the most is too.
        min: f64,
        /// The most; may be infinite.
        max: f64,
    },
    /// A text.
    Text {
        /// Characters at most.
        most: u32,
        /// Whether it may go over several lines.
        lines: bool,
    },
    /// An address that begins with `http://` or `https://`.
    Address {
        /// What may stand in it.
        holds: AddressContent,
    },
    /// One of a few words.
    OneOf {
        /// The words.
        words: &'static [&'static str],
        /// Other spellings and the word that each stands for.
        #[serde(skip)]
        also: &'static [(&'static str, &'static str)],
        /// Whether capital letters make no difference.
        #[serde(skip)]
        any_case: bool,
    },
    /// A text of lines, or a list of texts; blank ones, and what is no text, do not count.
    Lines,
    /// Two numbers above 0, the smaller first.
    Pair,
    /// An object.
    Object {
        /// Its settings.
        settings: SettingTable,
        /// Whether other keys are nobody's business.
        free: bool,
    },
    /// A list.
    List {
        /// What is in it.
        of: &'static SettingKind,
        /// Entries at most.
        most: u32,
    },
    /// An object whose keys are the configuration's own.
    Map {
        /// What each of them has.
        of: &'static SettingKind,
    },
    /// One or another, told apart by the type of the value.
    Either {
        /// What it may be.
        of: &'static [SettingKind],
    },
    /// Anything; code looks after it.
    Free,
}

/// What holds where a setting is not given.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DefaultValue {
    /// Nothing, or what the help says.
    Nothing,
    /// A value.
    Is(Literal),
    /// A value that goes by another setting, beside this one or at the top.
    By {
        /// The other setting.
        setting: &'static str,
        /// Values by what that one is.
        when: &'static [(&'static str, Literal)],
        /// The value for the rest.
        otherwise: Literal,
    },
}

impl DefaultValue {
    const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// A value that stands in a table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Literal {
    /// A whole number.
    Whole(u32),
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A text.
    Text(&'static str),
    /// Two numbers.
    Pair(f64, f64),
    /// Texts.
    Texts(&'static [&'static str]),
}

/// The names of a list of names and meanings.
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

/// True or false.
#[must_use]
pub const fn flag(name: &'static str, usual: bool) -> Setting {
    setting(name, SettingKind::Flag).usually(Literal::Flag(usual))
}

/// A whole number.
#[must_use]
pub const fn whole(name: &'static str, min: u32, max: u32) -> Setting {
    setting(name, SettingKind::Whole { min, max })
}

/// A number.
#[must_use]
pub const fn number(name: &'static str, min: f64, max: f64) -> Setting {
    setting(name, SettingKind::Number { min, max })
}

/// A time limit from 10 to 600 seconds.
#[must_use]
pub const fn seconds(name: &'static str) -> Setting {
    number(name, 10.0, 600.0).counts("seconds")
}

/// A text in one line.
#[must_use]
pub const fn line(name: &'static str, most: u32) -> Setting {
    setting(name, SettingKind::Text { most, lines: false })
}

/// A text of any number of lines.
#[must_use]
pub const fn text(name: &'static str, most: u32) -> Setting {
    setting(name, SettingKind::Text { most, lines: true })
}

/// One of a few words, the first of them where nothing is given.
#[must_use]
pub const fn one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
    maybe_one_of(name, words).usually(Literal::Text(words[0]))
}

/// One of a few words, or nothing.
#[must_use]
pub const fn maybe_one_of(name: &'static str, words: &'static [&'static str]) -> Setting {
    spelt(name, words, &[], false)
}

/// One of a few words that have other spellings too.
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

/// An object.
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

/// A list.
#[must_use]
pub const fn list(name: &'static str, of: &'static SettingKind, most: u32) -> Setting {
    setting(name, SettingKind::List { of, most })
}

/// An object whose keys are the configuration's own.
#[must_use]
pub const fn map(name: &'static str, of: &'static SettingKind) -> Setting {
    setting(name, SettingKind::Map { of })
}

/// A setting of some other kind.
#[must_use]
pub const fn of(name: &'static str, kind: SettingKind) -> Setting {
    setting(name, kind)
}

impl Setting {
    /// Its first name and the others.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    /// With other names.
    #[must_use]
    pub const fn also(mut self, names: &'static [&'static str]) -> Self {
        self.also = names;
        self
    }

    /// With a value for where nothing is given.
    #[must_use]
    pub const fn usually(mut self, value: Literal) -> Self {
        self.usual = DefaultValue::Is(value);
        self
    }

    /// With a value that goes by another setting.
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

    /// That may have keys that nobody knows.
    #[must_use]
    pub const fn free(mut self) -> Self {
        if let SettingKind::Object { settings, .. } = self.kind {
            self.kind = SettingKind::Object { settings, free: true };
        }
        self
    }

    /// That has to be given.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// That has its words under another key.
    #[must_use]
    pub const fn words(mut self, key: &'static str) -> Self {
        self.words = Some(key);
        self
    }

    /// That came with a later version than the first.
    #[must_use]
    pub const fn since(mut self, version: &'static str) -> Self {
        self.since = version;
        self
    }

    /// That is taken and changes nothing.
    #[must_use]
    pub const fn without_effect(mut self) -> Self {
        self.effect = false;
        self.words = Some("field.without_effect");
        self
    }

    /// That a form has in a group.
    #[must_use]
    pub const fn group(mut self, id: &'static str) -> Self {
        self.group = Some(id);
        self
    }

    /// That a form has in a group, folded away.
    #[must_use]
    pub const fn more(mut self, id: &'static str) -> Self {
        self.more = true;
        self.group(id)
    }

    /// That counts something.
    #[must_use]
    pub const fn counts(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// That counts only where others have these values.
    #[must_use]
    pub const fn when(mut self, when: &'static [When]) -> Self {
        self.when = when;
        self
    }
}
