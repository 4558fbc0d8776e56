//! Text generation for scripted participants: wordings by language and key, filled with names, numbers and
//! amounts in the forms that people use.

use super::chance::Chance;
use crate::language::files::Files;
use crate::language::{Language, format, in_each_language, template};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The wordings of one language by key, with placeholders as `{name}`.
pub(in crate::procedures) type Texts = BTreeMap<String, Vec<String>>;

/// Values of placeholders.
pub(in crate::procedures) type Places<'a> = [(&'a str, &'a str)];

/// How scripted participants write a language.
#[derive(Deserialize, Default)]
struct Format {
    /// Between sentences.
    gap: String,
    /// Between a label and its value.
    colon: String,
    /// Between groups of three digits.
    group: String,
    bytes_per_character: usize,
    statement: StatementLengths,
    /// An amount in notes and in sentences with two of them.
    amount: String,
    /// Other forms of an amount, of which the first that fits is used.
    amounts: Vec<AmountForm>,
}

/// Lengths of a statement, in characters.
#[derive(Deserialize, Default)]
pub(in crate::procedures) struct StatementLengths {
    /// Of the first statement of somebody quiet.
    pub(in crate::procedures) quiet: f64,
    /// Added by somebody talkative.
    pub(in crate::procedures) talkative: f64,
    /// Kept free for the end.
    pub(in crate::procedures) closing: f64,
    pub(in crate::procedures) least: usize,
}

/// A form of an amount, with `{amount}` in groups of digits, whole `{thousands}` and `{ten_thousands}`, and
/// `{more_thousands}` beside the latter.
#[derive(Deserialize)]
struct AmountForm {
    /// Fits random numbers below this.
    #[serde(default = "always")]
    below: f64,
    /// Fits amounts from this.
    #[serde(default)]
    least: u32,
    #[serde(default = "any")]
    multiple_of: u32,
    text: String,
}

fn always() -> f64 {
    1.0
}

fn any() -> u32 {
    1
}

static FORMATS: Files<Format> = in_each_language!("words");

impl Format {
    /// Fills a form of an amount.
    fn write_amount(&self, form: &str, amount: u32) -> String {
        let grouped = format::grouped(amount.into()).replace(',', &self.group);
        let [thousands, tens, more] = [amount / 1_000, amount / 10_000, amount % 10_000 / 1_000];
        let [thousands, tens, more] = [thousands, tens, more].map(|number| number.to_string());
        let places = [
            ("amount", grouped.as_str()),
            ("thousands", &thousands),
            ("ten_thousands", &tens),
            ("more_thousands", &more),
        ];
        filled(form, &places)
    }

    /// Writes an amount in the form that fits it and a random number from 0 to 1.
    fn varied_amount(&self, amount: u32, number: f64) -> String {
        let fits = |form: &&AmountForm| {
            number < form.below && amount >= form.least && amount.is_multiple_of(form.multiple_of)
        };
        let form = self.amounts.iter().find(fits);
        self.write_amount(form.map_or(&self.amount, |form| &form.text), amount)
    }
}

/// A text under construction.
pub(in crate::procedures) struct Speech<'t> {
    pub(in crate::procedures) language: Language,
    format: &'static Format,
    texts: &'static Texts,
    /// Chooses among wordings.
    pub(in crate::procedures) chance: Chance,
    /// If set, wordings are taken in turn from this index, so that those of consecutive rounds differ.
    pub(in crate::procedures) turn: Option<usize>,
    /// Sentences already used in public.
    used_sentences: BTreeSet<&'t str>,
    out: String,
}

impl<'t> Speech<'t> {
    pub(in crate::procedures) fn new(language: Language, texts: &'static Texts, chance: Chance) -> Self {
        Self {
            language,
            format: FORMATS.of(language),
            texts,
            chance,
            turn: None,
            used_sentences: BTreeSet::new(),
            out: String::with_capacity(1_024),
        }
    }

    /// Returns all wordings of a key.
    pub(in crate::procedures) fn wordings(&self, key: &str) -> &'static [String] {
        self.texts.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns one wording of a key, unfilled.
    fn wording(&mut self, key: &str) -> Option<&'static String> {
        let all = self.wordings(key);
        match self.turn {
            Some(turn) => all.get(turn % all.len().max(1)),
            None => self.chance.pick(all),
        }
    }

    /// Returns one wording of a key, filled.
    pub(in crate::procedures) fn phrase(&mut self, key: &str, places: &Places) -> String {
        self.wording(key)
            .map_or_else(String::new, |wording| filled(wording, places))
    }

    /// Returns the wording at an index, modulo the number of wordings, filled.
    pub(in crate::procedures) fn phrase_nth(&self, key: &str, at: usize, places: &Places) -> String {
        let all = self.wordings(key);
        let wording = all.get(at % all.len().max(1));
        wording.map_or_else(String::new, |wording| filled(wording, places))
    }

    /// Stores the public texts so far, so that [`Self::say_new`] does not repeat their sentences.
    pub(in crate::procedures) fn remember(&mut self, texts: impl Iterator<Item = &'t str>) {
        self.used_sentences = texts.flat_map(sentences).collect();
    }

    /// Appends the first wording of a key, in turn, that is new. Returns `false` if there is none.
    pub(in crate::procedures) fn say_new(&mut self, key: &str, places: &Places) -> bool {
        let all = self.wordings(key);
        // With an odd number of wordings, each round starts two further on.
        let step = if all.len().is_multiple_of(2) { 1 } else { 2 };
        let is_new = |text: &String| {
            sentences(text).all(|sentence| !self.used_sentences.contains(sentence))
                && !self.out.contains(text)
        };
        let new = self
            .in_turn(all, step)
            .map(|wording| filled(wording, places))
            .find(is_new);
        match new {
            Some(text) => {
                self.add(&text);
                true
            }
            None => false,
        }
    }

    /// Appends the first wording of a key, in turn, that this text does not contain.
    pub(in crate::procedures) fn say_another(&mut self, key: &str) {
        let mut in_turn = self.in_turn(self.wordings(key), 1);
        if let Some(wording) = in_turn.find(|wording| !self.out.contains(wording.as_str())) {
            self.add(wording);
        }
    }

    /// Yields wordings from the one whose turn it is, which is `step` further on each turn.
    fn in_turn(&self, all: &'static [String], step: usize) -> impl Iterator<Item = &'static String> + use<> {
        let (before, from) = all.split_at(self.turn.unwrap_or(0) * step % all.len().max(1));
        from.iter().chain(before)
    }

    /// Appends a new wording as [`Self::say_new`] does, or else the one in turn.
    pub(in crate::procedures) fn say_rather_new(&mut self, key: &str, places: &Places) {
        if !self.say_new(key, places) {
            self.say(key, places);
        }
    }

    /// Returns the wording of a key at an index; empty if there is none.
    pub(in crate::procedures) fn nth(&self, key: &str, at: usize) -> &'static str {
        self.wordings(key).get(at).map_or("", String::as_str)
    }

    /// Returns the only wording of a key as a label with its value.
    pub(in crate::procedures) fn labelled(&self, key: &str, value: impl Display) -> String {
        format!("{}{}{value}", self.nth(key, 0), self.format.colon)
    }

    /// Appends one wording of a key as a new sentence.
    pub(in crate::procedures) fn say(&mut self, key: &str, places: &Places) -> &mut Self {
        let text = self.phrase(key, places);
        self.add(&text)
    }

    /// Appends the wording at an index, modulo the number of wordings, as a new sentence.
    pub(in crate::procedures) fn say_nth(&mut self, key: &str, at: usize, places: &Places) {
        let text = self.phrase_nth(key, at, places);
        self.add(&text);
    }

    /// Appends a sentence with its separator.
    pub(in crate::procedures) fn add(&mut self, sentence: &str) -> &mut Self {
        if !sentence.is_empty() && !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push_str(&self.format.gap);
        }
        self.push(sentence)
    }

    /// Appends a text without a separator.
    pub(in crate::procedures) fn push(&mut self, text: &str) -> &mut Self {
        self.out.push_str(text);
        self
    }

    /// Joins sentences to one text.
    pub(in crate::procedures) fn join(&self, sentences: &[String]) -> String {
        sentences.join(&self.format.gap)
    }

    pub(in crate::procedures) fn statement_lengths(&self) -> &'static StatementLengths {
        &self.format.statement
    }

    /// Returns the approximate length so far, in characters.
    pub(in crate::procedures) fn len(&self) -> usize {
        self.out.len() / self.format.bytes_per_character.max(1)
    }

    pub(in crate::procedures) fn done(self) -> String {
        self.out
    }

    /// Writes an amount in one of the forms that speakers of the language use.
    pub(in crate::procedures) fn money(&mut self, amount: u32) -> String {
        let number = self.chance.unit();
        self.format.varied_amount(amount, number)
    }

    /// Writes an amount in the form used in notes and in sentences with two amounts.
    pub(in crate::procedures) fn plain_money(&self, amount: u32) -> String {
        self.format.write_amount(&self.format.amount, amount)
    }
}

/// Yields the sentences of a text, without their final punctuation.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(['。', '？', '！']).flat_map(|part| part.split(". "));
    let parts = parts.flat_map(|part| part.split("? "));
    parts
        .map(|part| part.trim_matches([' ', '.', '?', '¿', '!']))
        .filter(|part| !part.is_empty())
}

/// Returns a wording with its placeholders filled; unknown ones stay.
pub(in crate::procedures) fn filled(wording: &str, places: &Places) -> String {
    template::fill(wording, |name| {
        let value = places.iter().find(|(place, _)| *place == name);
        value.map_or_else(
            || format!("{{{name}}}").into(),
            |(_, value)| Cow::Borrowed(*value),
        )
    })
}

/// Checks that each language has the same keys, and each wording the same placeholders.
#[cfg(test)]
pub(in crate::procedures) fn assert_same_structure(texts: &'static Files<Texts>) {
    let variables =
        |wording: &'static String| -> BTreeSet<&str> { template::variables(wording).into_iter().collect() };
    let [english, others @ ..] = Language::ALL.map(|language| texts.of(language));
    assert!(!english.is_empty());
    for other in others {
        assert!(english.keys().eq(other.keys()));
        for (key, wordings) in english {
            let of_all = |wordings: &'static [String]| -> Vec<_> { wordings.iter().map(variables).collect() };
            assert_eq!(of_all(wordings), of_all(&other[key]), "{key}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_are_filled_in_one_pass() {
        assert_eq!(filled("a {x}{y} {z}", &[("x", "{y}"), ("y", "2")]), "a {y}2 {z}");
    }

    #[test]
    fn amounts_have_the_forms_of_the_language() {
        let varied = |language, amount| {
            [0.0, 0.2, 0.6, 0.9].map(|number| FORMATS.of(language).varied_amount(amount, number))
        };
        assert_eq!(
            varied(Language::English, 14_000),
            ["$14k", "14,000 dollars", "$14,000", "$14,000"]
        );
        assert_eq!(varied(Language::English, 950)[2..], ["$950", "$950"]);
        assert_eq!(varied(Language::English, 1_234_567)[3], "$1,234,567");
        let spanish = ["14 mil dólares", "14.000 dólares", "$14.000", "$14.000"];
        assert_eq!(varied(Language::Spanish, 14_000), spanish);
        assert_eq!(
            varied(Language::Mandarin, 14_000)[1..],
            ["14000元", "1万4千元", "1.4万元"]
        );
        assert_eq!(varied(Language::Mandarin, 13_500), ["13500元"; 4]);
        assert_eq!(varied(Language::Mandarin, 20_000)[3], "2万元");
        assert_eq!(varied(Language::Mandarin, 9_000)[3], "9000元");
    }
}
