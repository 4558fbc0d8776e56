//! Text generation for scripted participants: wordings by language and key, filled with names, numbers and
//! amounts in the forms that people use.

use super::chance::Chance;
use crate::language::Language;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The wordings of one language by key, with placeholders as `{name}`.
pub(in crate::procedures) type Texts = BTreeMap<String, Vec<String>>;

/// Values of placeholders.
pub(in crate::procedures) type Places<'a> = [(&'a str, &'a str)];

/// A text under construction.
pub(in crate::procedures) struct Speech {
    pub(in crate::procedures) language: Language,
    texts: &'static Texts,
    /// Chooses among wordings.
    pub(in crate::procedures) chance: Chance,
    /// If set, wordings are taken in turn from this index, so that those of consecutive rounds differ.
    pub(in crate::procedures) turn: Option<usize>,
    /// Sorted hashes of the sentences already used in public.
    used_sentences: Vec<u64>,
    out: String,
}

impl Speech {
    pub(in crate::procedures) fn new(language: Language, texts: &'static Texts, chance: Chance) -> Self {
        Self {
            language,
            texts,
            chance,
            turn: None,
            used_sentences: Vec::new(),
            out: String::with_capacity(1_024),
        }
    }

    /// Returns one wording of a key, unfilled.
    fn wording(&mut self, key: &str) -> Option<&'static str> {
        let all = self.texts.get(key)?;
        let wording = match self.turn {
            Some(turn) => all.get(turn % all.len().max(1)),
            None => self.chance.pick(all),
        };
        wording.map(String::as_str)
    }

    /// Returns one wording of a key, filled.
    pub(in crate::procedures) fn phrase(&mut self, key: &str, places: &Places) -> String {
        let mut out = String::new();
        if let Some(wording) = self.wording(key) {
            fill(wording, places, &mut out);
        }
        out
    }

    /// Stores the public texts so far, so that [`Self::say_new`] does not repeat their sentences.
    pub(in crate::procedures) fn remember<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        self.used_sentences = texts.flat_map(sentences).map(hash_sentence).collect();
        self.used_sentences.sort();
    }

    /// Appends the first wording of a key, in turn, that is new. Returns `false` if there is none.
    pub(in crate::procedures) fn say_new(&mut self, key: &str, places: &Places) -> bool {
        let all = self.texts.get(key).map_or(&[][..], Vec::as_slice);
        // With an odd number of wordings, each round starts two further on.
        let step = if all.len().is_multiple_of(2) { 1 } else { 2 };
        let first = self.turn.unwrap_or(0) * step;
        for at in 0..all.len() {
            let Some(wording) = all.get((first + at) % all.len()) else {
                break;
            };
            let text = filled(wording, places);
            let is_known = sentences(&text).any(|sentence| {
                self.used_sentences
                    .binary_search(&hash_sentence(sentence))
                    .is_ok()
            });
            if !is_known && !self.out.contains(&text) {
                self.add(&text);
                return true;
            }
        }
        false
    }

    /// Appends the first wording of a key, in turn, that this text does not contain.
    pub(in crate::procedures) fn say_another(&mut self, key: &str) {
        let all = self.texts.get(key).map_or(&[][..], Vec::as_slice);
        let first = self.turn.unwrap_or(0);
        let mut in_turn = (0..all.len()).filter_map(|at| all.get((first + at) % all.len()));
        if let Some(wording) = in_turn.find(|wording| !self.out.contains(wording.as_str())) {
            self.add(wording);
        }
    }

    /// Appends a new wording as [`Self::say_new`] does, or else the one in turn.
    pub(in crate::procedures) fn say_rather_new(&mut self, key: &str, places: &Places) {
        if !self.say_new(key, places) {
            self.say(key, places);
        }
    }

    /// Returns the wording of a key at an index; empty if there is none.
    pub(in crate::procedures) fn nth(&self, key: &str, at: usize) -> &'static str {
        self.texts
            .get(key)
            .and_then(|all| all.get(at))
            .map_or("", String::as_str)
    }

    /// Appends the wording at an index, modulo the number of wordings.
    pub(in crate::procedures) fn say_nth(&mut self, key: &str, at: usize, places: &Places) {
        self.turn = Some(at);
        self.say(key, places);
    }

    /// Appends one wording of a key as a new sentence.
    pub(in crate::procedures) fn say(&mut self, key: &str, places: &Places) -> &mut Self {
        if let Some(wording) = self.wording(key) {
            self.add_separator();
            fill(wording, places, &mut self.out);
        }
        self
    }

    /// Appends a sentence with its separator.
    pub(in crate::procedures) fn add(&mut self, sentence: &str) -> &mut Self {
        self.add_separator();
        self.push(sentence)
    }

    fn add_separator(&mut self) {
        let is_within_line = !self.out.is_empty() && !self.out.ends_with('\n');
        if is_within_line && self.language != Language::Mandarin {
            self.out.push(' ');
        }
    }

    /// Appends a text without a separator.
    pub(in crate::procedures) fn push(&mut self, text: &str) -> &mut Self {
        self.out.push_str(text);
        self
    }

    /// Returns the length so far, in characters.
    pub(in crate::procedures) fn len(&self) -> usize {
        match self.language {
            Language::Mandarin => self.out.len() / 3,
            _ => self.out.len(),
        }
    }

    pub(in crate::procedures) fn done(self) -> String {
        self.out
    }

    /// Formats an amount in one of the forms that speakers of the language use.
    pub(in crate::procedures) fn money(&mut self, amount: u32) -> String {
        let form = self.chance.unit();
        let thousands = amount.is_multiple_of(1_000);
        match self.language {
            Language::Spanish if thousands && form < 0.1 => {
                format!("{} mil dólares", amount / 1_000)
            }
            Language::Spanish if form < 0.55 => format!("{} dólares", grouped(amount, '.')),
            Language::Spanish => format!("${}", grouped(amount, '.')),
            Language::Mandarin => mandarin_amount(amount, form),
            _ if thousands && form < 0.06 => format!("${}k", amount / 1_000),
            _ if form < 0.3 => format!("{} dollars", grouped(amount, ',')),
            _ => format!("${}", grouped(amount, ',')),
        }
    }
}

fn mandarin_amount(amount: u32, form: f64) -> String {
    let (tens, rest) = (amount / 10_000, amount % 10_000);
    match () {
        () if tens == 0 || form < 0.5 => format!("{amount}元"),
        () if rest == 0 => format!("{tens}万元"),
        () if rest.is_multiple_of(1_000) && form < 0.8 => format!("{tens}万{}千元", rest / 1_000),
        () if rest.is_multiple_of(1_000) => format!("{tens}.{}万元", rest / 1_000),
        () => format!("{amount}元"),
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

/// Returns the FNV-1a hash of a sentence.
fn hash_sentence(sentence: &str) -> u64 {
    sentence.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Formats a number with `mark` between groups of three digits.
pub(in crate::procedures) fn grouped(number: u32, mark: char) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(mark);
        }
        out.push(digit);
    }
    out
}

/// Returns a wording with its placeholders filled.
pub(in crate::procedures) fn filled(wording: &str, places: &Places) -> String {
    let mut out = String::with_capacity(wording.len() + 40);
    fill(wording, places, &mut out);
    out
}

/// Appends a wording with its placeholders filled; unknown placeholders stay.
fn fill(wording: &str, places: &Places, out: &mut String) {
    let mut rest = wording;
    while let Some((head, tail)) = rest.split_once('{') {
        out.push_str(head);
        let Some((name, after)) = tail.split_once('}') else {
            rest = tail;
            break;
        };
        match places.iter().find(|(place, _)| *place == name) {
            Some((_, value)) => out.push_str(value),
            None => {
                let _ = write!(out, "{{{name}}}");
            }
        }
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_are_filled_in_one_pass() {
        let mut out = String::new();
        fill("a {x}{y} {z", &[("x", "{y}"), ("y", "2")], &mut out);
        assert_eq!(out, "a {y}2 z");
    }

    #[test]
    fn amounts_have_the_forms_of_the_language() {
        assert_eq!(grouped(950, ','), "950");
        assert_eq!(grouped(14_000, '.'), "14.000");
        assert_eq!(grouped(1_234_567, ','), "1,234,567");
        let forms = [0.0, 0.6, 0.9];
        assert_eq!(
            forms.map(|f| mandarin_amount(14_000, f)),
            ["14000元", "1万4千元", "1.4万元"]
        );
        assert_eq!(forms.map(|f| mandarin_amount(13_500, f)), ["13500元"; 3]);
        assert_eq!(mandarin_amount(20_000, 0.9), "2万元");
        assert_eq!(mandarin_amount(9_000, 0.9), "9000元");
    }
}
