//! Prompts in one text file per language, and the declaration of their variables.
//!
//! In a file, a line `# name` begins a prompt; the [template](super::template) below it is the whole text that is
//! sent, without the blank lines around it. A configuration can replace each prompt by its name.

use super::Language;
use super::files::Files;
use super::template;
use super::words::{Listed, Words};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The prompts of a procedure in every language.
pub struct Prompts {
    files: Files<BTreeMap<&'static str, &'static str>>,
    pub declared: &'static [Declared],
}

/// A prompt and its variables.
#[derive(Debug)]
pub struct Declared {
    pub name: &'static str,
    /// When it is sent.
    pub about: &'static str,
    pub variables: &'static [Variable],
}

/// A variable of a prompt, and what it holds.
#[derive(Debug)]
pub struct Variable {
    pub name: &'static str,
    pub about: &'static str,
}

impl Declared {
    pub fn names(&self) -> Vec<&'static str> {
        self.variables.iter().map(|variable| variable.name).collect()
    }
}

impl Prompts {
    #[must_use]
    pub const fn new(
        files: Files<BTreeMap<&'static str, &'static str>>,
        declared: &'static [Declared],
    ) -> Self {
        Self { files, declared }
    }

    /// Returns the declaration of a prompt, or `None` for an unknown name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'static Declared> {
        self.declared.iter().find(|prompt| prompt.name == name)
    }

    /// Returns the prompts of a language by name.
    pub fn texts(&self, language: Language) -> &BTreeMap<&'static str, &'static str> {
        self.files.parsed(language, sections)
    }

    /// Returns all prompts of a language unformatted, in the order of their declaration.
    #[must_use]
    pub fn listed(&self, language: Language) -> Vec<Listed> {
        let texts = self.texts(language);
        let listed = |prompt: &Declared| Listed {
            key: prompt.name,
            variables: prompt.names(),
            text: texts.get(prompt.name).copied().unwrap_or_default(),
        };
        self.declared.iter().map(listed).collect()
    }

    /// Returns a prompt in the language and wording of `words`.
    #[must_use]
    pub fn fill(&self, words: &Words, name: &str, values: &[(&str, Cow<str>)]) -> String {
        let built_in = || self.texts(words.language()).get(name).copied();
        let template = words.replacement(name).or_else(built_in).unwrap_or_default();
        template::fill(template, |variable| {
            let value = values.iter().find(|(known, _)| *known == variable);
            value.map_or(Cow::Borrowed(""), |(_, value)| Cow::Borrowed(value))
        })
    }
}

/// Splits a file into its prompts.
fn sections(file: &'static str) -> BTreeMap<&'static str, &'static str> {
    let parts = file
        .trim_start()
        .strip_prefix("# ")
        .unwrap_or_default()
        .split("\n# ");
    parts
        .filter_map(|part| part.split_once('\n'))
        .map(|(name, text)| (name.trim(), text.trim()))
        .collect()
}

/// The value of a variable. An empty text is no value.
pub trait Value {
    fn text(&self) -> Cow<'_, str>;
}

impl Value for String {
    fn text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

impl Value for &str {
    fn text(&self) -> Cow<'_, str> {
        (*self).into()
    }
}

impl Value for u32 {
    fn text(&self) -> Cow<'_, str> {
        self.to_string().into()
    }
}

impl Value for usize {
    fn text(&self) -> Cow<'_, str> {
        self.to_string().into()
    }
}

/// For conditions.
impl Value for bool {
    fn text(&self) -> Cow<'_, str> {
        if *self { "true" } else { "" }.into()
    }
}

impl<T: Value> Value for Option<T> {
    fn text(&self) -> Cow<'_, str> {
        self.as_ref().map_or("".into(), Value::text)
    }
}

/// Declares the prompts of a procedure: structs of variables, each with the prompts that take them as methods.
macro_rules! prompts {
    (
        $(#[$doc:meta])*
        $vis:vis static $all:ident in $folder:literal;
        $(
            struct $variables:ident $(<$life:lifetime>)? {
                $(#[doc = $about:literal] $field:ident: $of:ty,)*
            }
            $(#[doc = $when:literal] fn $name:ident;)+
        )+
    ) => {
        $(#[$doc])*
        $vis static $all: $crate::language::prompts::Prompts = $crate::language::prompts::Prompts::new(
            $crate::language::in_each_language!($folder, "txt"),
            &[$($($crate::language::prompts::Declared {
                name: stringify!($name),
                about: $when.trim_ascii(),
                variables: $variables::VARIABLES,
            }),+),+],
        );
        $(
            struct $variables $(<$life>)? {
                $($field: $of,)*
            }

            impl $(<$life>)? $variables $(<$life>)? {
                const VARIABLES: &'static [$crate::language::prompts::Variable] =
                    &[$($crate::language::prompts::Variable {
                        name: stringify!($field),
                        about: $about.trim_ascii(),
                    }),*];

                fn fill(&self, words: &$crate::language::words::Words, name: &str) -> String {
                    let values = [$((stringify!($field), $crate::language::prompts::Value::text(&self.$field))),*];
                    $all.fill(words, name, &values)
                }

                $(
                    #[doc = $when]
                    fn $name(&self, words: &$crate::language::words::Words) -> String {
                        self.fill(words, stringify!($name))
                    }
                )+
            }
        )+
    };
}
pub(crate) use prompts;
