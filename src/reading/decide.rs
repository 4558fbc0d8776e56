//! The third and fourth pass: the status of each mention, and which of them is the answer. Everything that could
//! change the value is accounted for by a pattern, or the answer is declined.

use super::tag::{Kind, Tagged};
use super::text::{Token, key};
use super::words::Section;
use std::ops::Range;

/// Words of a sentence that may still revoke the answer, at most.
pub(super) const LONG: usize = 14;

/// What was decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// A value, and its mention among the tokens.
    Value(f64, usize),
    /// No value is mentioned.
    Nothing,
    /// Several values.
    Several,
    /// Something that no pattern accounts for, a refusal, a condition.
    Unclear,
}

/// Whether a mention is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Open,
    Asserted,
    Struck,
}

pub(super) struct Mention {
    pub(super) at: usize,
    pub(super) value: f64,
    pub(super) status: Status,
    pub(super) sentence: usize,
    /// It stands in a clause that concludes.
    pub(super) is_last_word: bool,
}

/// An answer while it is decided.
pub(super) struct Frames<'a> {
    pub(super) all: &'a Tagged,
    pub(super) kind: &'static str,
    pub(super) sentences: Vec<Range<usize>>,
    /// Tokens that a pattern accounts for.
    pub(super) known: Vec<bool>,
    pub(super) mentions: Vec<Mention>,
}

/// Decides on one value.
pub(super) fn decide(all: &Tagged, kind: Kind<'_>) -> Decision {
    let mut frames = Frames::of(all, kind.name());
    frames.account();
    frames.strike();
    frames.assert();
    frames.decide()
}

/// Sentences as ranges of tokens, without their ends.
pub(super) fn sentences(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in 0..=tokens.len() {
        if tokens.get(at).is_none_or(|token| token.is_end()) {
            if at > from {
                found.push(from..at);
            }
            from = at + 1;
        }
    }
    found
}

/// Twice the number of words; two Chinese characters count as a word.
pub(super) fn weight(tokens: &[Token]) -> usize {
    let words = tokens.iter().filter(|token| token.is_word());
    words.map(|token| token.number as usize).sum()
}

impl<'a> Frames<'a> {
    fn of(all: &'a Tagged, kind: &'static str) -> Self {
        let sentences = sentences(&all.tokens);
        let mut mentions = Vec::new();
        for (nth, sentence) in sentences.iter().enumerate() {
            for at in sentence.clone() {
                let token = all.tokens[at];
                if token.key == key::MENTION {
                    mentions.push(Mention {
                        at,
                        value: token.number,
                        status: Status::Open,
                        sentence: nth,
                        is_last_word: false,
                    });
                }
            }
        }
        let known = all
            .tokens
            .iter()
            .map(|token| !token.is_word() && token.key != key::PERSON)
            .collect();
        Self {
            all,
            kind,
            sentences,
            known,
            mentions,
        }
    }

    pub(super) fn tokens(&self, part: Range<usize>) -> &'a [Token] {
        &self.all.tokens[part]
    }

    /// The section for all kinds and the one for this kind.
    pub(super) fn named(&self, name: &str) -> [&'a Section; 2] {
        [
            self.all.words.section(name),
            self.all.words.section(&format!("{name}.{}", self.kind)),
        ]
    }

    /// Matches of a section: where each begins, ends, and its inner part. Their words are accounted for.
    fn matches(&mut self, name: &str) -> Vec<(usize, Range<usize>, usize)> {
        let mut found = Vec::new();
        for section in self.named(name) {
            for (at, one) in section.all(&self.all.tokens) {
                for token in at..one.end {
                    self.known[token] |= one.took(token - at);
                }
                found.push((at, one.part.0..one.part.1, one.end));
            }
        }
        found
    }

    pub(super) fn has(&self, name: &str, part: Range<usize>) -> bool {
        self.named(name)
            .iter()
            .any(|section| section.is_in(self.tokens(part.clone())))
    }

    /// Whether a section matches, from a token on, in a sentence with a mention or in a short one: long sentences without
    /// mentions give reasons. Mentions may have taken its words, so the tokens before them count as well.
    pub(super) fn is_near(&self, name: &str, from: usize) -> bool {
        let mut later = self.sentences.iter().filter(|sentence| sentence.end > from);
        later.any(|sentence| {
            let part = sentence.start.max(from)..sentence.end;
            let tokens = self.tokens(part.clone());
            let has_mention = tokens.iter().any(|token| token.key == key::MENTION);
            (has_mention || weight(tokens) <= 2 * LONG) && self.has_in_words(name, part)
        })
    }

    /// Whether a section matches the tokens of a part, or those before mentions were found: "si" is also a way to write yes.
    pub(super) fn has_in_words(&self, name: &str, part: Range<usize>) -> bool {
        let tokens = self.tokens(part.clone());
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return false;
        };
        let raw = &self.all.raw;
        let start = raw.partition_point(|token| token.from < first.from);
        let end = raw.partition_point(|token| token.to <= last.to).max(start);
        self.has(name, part)
            || self
                .named(name)
                .iter()
                .any(|section| section.is_in(&raw[start..end]))
    }

    /// The clause around a token.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        let ends = |at: usize| {
            let token = self.all.tokens[at];
            token.is_end()
                || self
                    .all
                    .words
                    .section("clause")
                    .at(&self.all.tokens, at)
                    .is_some()
        };
        let from = (0..=at).rev().find(|at| ends(*at)).unwrap_or(0);
        let to = (at + 1..self.all.tokens.len())
            .find(|at| ends(*at))
            .unwrap_or(self.all.tokens.len());
        from..to
    }

    fn account(&mut self) {
        for name in ["filler", "now"] {
            self.matches(name);
        }
        // What another question of the same answer is about changes nothing.
        let beside: &[&str] = match self.kind {
            "principle" => &["certainty."],
            "amount" => &[
                "certainty.",
                "option.",
                "floor",
                "average",
                "range",
                "max",
                "limit",
                "choose",
                "noun.principle",
                "with",
            ],
            _ => &[],
        };
        for name in beside {
            let sections: Vec<&Section> = self
                .all
                .words
                .sections(name)
                .map(|(_, section)| section)
                .collect();
            for section in sections {
                for (at, one) in section.all(&self.all.tokens) {
                    (at..one.end).for_each(|token| self.known[token] |= one.took(token - at));
                }
            }
        }
    }

    fn strike(&mut self) {
        let frames = self.matches("strike");
        let mut struck: Vec<bool> = vec![false; self.all.tokens.len()];
        for (_, part, _) in frames {
            struck[part].fill(true);
        }
        for (at, _, _) in self.matches("hearsay") {
            if let Some(sentence) = self.sentences.iter().find(|sentence| sentence.contains(&at)) {
                struck[sentence.clone()].fill(true);
            }
        }
        for name in ["others", "earlier", "concession", "second"] {
            let mut done = 0;
            for (at, _, end) in self.matches(name) {
                if end <= done {
                    continue;
                }
                let clause = self.clause(at);
                done = clause.end.max(end);
                // Its own words are not those of a claim.
                let to = clause.end.max(end);
                struck[at.min(clause.start)..to].fill(true);
                self.known[clause.start..to].fill(true);
            }
        }
        // A quoted yes or no may be the answer itself.
        let mut quoted = if self.kind == "yesno" {
            Vec::new()
        } else {
            self.quoted()
        };
        quoted.extend(self.sentences.clone().into_iter().filter(|sentence| {
            self.all
                .tokens
                .get(sentence.end)
                .is_some_and(|end| end.key == key::ASKS)
        }));
        for part in quoted {
            struck[part].fill(true);
        }
        // An amount within the reasons is not the one that is named.
        if self.kind == "amount" {
            for sentence in &self.sentences {
                let from = self.named("reason").into_iter().filter_map(|section| {
                    let (from, _) = section.all(self.tokens(sentence.clone())).next()?;
                    Some(sentence.start + from)
                });
                if let Some(from) = from.min() {
                    struck[from..sentence.end].fill(true);
                }
            }
        }
        for mention in self.mentions.iter_mut().filter(|mention| struck[mention.at]) {
            mention.status = Status::Struck;
        }
    }

    /// Quotations of more than a mention, within longer answers.
    fn quoted(&self) -> Vec<Range<usize>> {
        let quote = key::of_mark('"');
        let mut found = Vec::new();
        for sentence in &self.sentences {
            let marks: Vec<usize> = sentence
                .clone()
                .filter(|at| self.all.tokens[*at].key == quote)
                .collect();
            for pair in marks.chunks(2) {
                let [from, to] = *pair else { continue };
                let words = (from..to).filter(|at| self.all.tokens[*at].is_word()).count();
                if words > 0 && to - from + 1 < self.all.tokens.len() {
                    found.push(from..to);
                }
            }
        }
        found
    }

    fn assert(&mut self) {
        for (at, part, _) in self.matches("assert") {
            // A denial before the frame turns it.
            let is_first = |mention: &&mut Mention| {
                part.contains(&mention.at) && mention.at >= at && mention.status == Status::Open
            };
            self.mentions
                .iter_mut()
                .filter(is_first)
                .for_each(|mention| mention.status = Status::Asserted);
        }
        // "3, because …" at the beginning, and a line of its own at either end.
        let lines = [self.sentences.first().cloned(), self.sentences.last().cloned()];
        let heads: Vec<usize> = lines
            .into_iter()
            .flatten()
            .filter_map(|line| self.bare(line.clone()))
            .collect();
        let head = self.sentences.first().and_then(|first| self.head(first.clone()));
        for mention in &mut self.mentions {
            if mention.status == Status::Open && (heads.contains(&mention.at) || head == Some(mention.at)) {
                mention.status = Status::Asserted;
            }
        }
        let now: Vec<usize> = self.matches("now").into_iter().map(|(at, ..)| at).collect();
        let sentences = &self.sentences;
        for mention in &mut self.mentions {
            let start = sentences[mention.sentence].start;
            mention.is_last_word = now.iter().any(|at| (start..mention.at).contains(at));
        }
        let turned: Vec<bool> = self
            .mentions
            .iter()
            .map(|mention| self.turns(mention.at))
            .collect();
        for (mention, turned) in self.mentions.iter_mut().zip(turned) {
            mention.is_last_word |= turned;
        }
    }

    /// Whether the clause of a token begins with "but".
    fn turns(&self, at: usize) -> bool {
        if self.kind == "yesno" {
            return false;
        }
        let start = self.clause(at).start;
        let but = self.all.words.section("but");
        [start, start + 1]
            .iter()
            .any(|at| but.at(&self.all.tokens, *at).is_some())
    }

    /// The mention of a sentence that has no other words but known ones.
    fn bare(&self, sentence: Range<usize>) -> Option<usize> {
        // A sentence that ends with a colon or dash announces what is missing.
        let last = self.all.tokens[sentence.end - 1].key;
        if [':', '-', '='].iter().any(|mark| last == key::of_mark(*mark)) {
            return None;
        }
        let mut mentions = sentence
            .clone()
            .filter(|at| self.all.tokens[*at].key == key::MENTION);
        let one = mentions.next()?;
        let value = self.all.tokens[one].number;
        (sentence.clone().all(|at| self.known[at]) && mentions.all(|at| self.all.tokens[at].number == value))
            .then_some(one)
    }

    /// The mention that a sentence begins with, followed by a mark and more.
    fn head(&self, sentence: Range<usize>) -> Option<usize> {
        let one = sentence
            .clone()
            .find(|at| self.all.tokens[*at].key == key::MENTION)?;
        let next = self.all.tokens.get(one + 1)?;
        if one + 2 >= sentence.end && next.key == key::of_mark('-') {
            return None;
        }
        let is_apart = next.is_end() && next.key != key::ASKS
            || [',', ';', '-', '(', '|']
                .iter()
                .any(|mark| next.key == key::of_mark(*mark));
        let reason = self
            .named("reason")
            .iter()
            .any(|section| section.at(&self.all.tokens, one + 1).is_some());
        ((is_apart || reason) && (sentence.start..one).all(|at| self.known[at])).then_some(one)
    }

    fn decide(mut self) -> Decision {
        if self.mentions.is_empty() {
            return Decision::Nothing;
        }
        if ["refuse", "waver"].iter().any(|name| self.is_near(name, 0)) {
            return Decision::Unclear;
        }
        let asserted: Vec<usize> = (0..self.mentions.len())
            .filter(|nth| self.mentions[*nth].status == Status::Asserted)
            .collect();
        let chosen = match asserted.last() {
            None => self.only_bare(),
            Some(&last) => {
                let same = asserted
                    .iter()
                    .all(|nth| self.mentions[*nth].value == self.mentions[last].value);
                (same || self.mentions[last].is_last_word).then_some(last)
            }
        };
        let Some(chosen) = chosen else {
            let open = self
                .mentions
                .iter()
                .filter(|mention| mention.status != Status::Struck);
            let mut values: Vec<f64> = open.map(|mention| mention.value).collect();
            values.dedup();
            return if values.len() > 1 {
                Decision::Several
            } else {
                Decision::Unclear
            };
        };
        let value = self.mentions[chosen].value;
        // Of several assertions of the value, one that is accounted for suffices.
        let same = asserted
            .iter()
            .rev()
            .copied()
            .filter(|nth| *nth != chosen && self.mentions[*nth].value == value);
        let candidates: Vec<usize> = [chosen].into_iter().chain(same).collect();
        let is_firm = self.mentions[chosen].is_last_word;
        for nth in candidates {
            let (at, sentence) = (self.mentions[nth].at, self.mentions[nth].sentence);
            if self.others(value, at, sentence) {
                return Decision::Several;
            }
            if self.is_accounted(at, sentence) {
                return Decision::Value(value, at);
            }
            if is_firm {
                break;
            }
        }
        Decision::Unclear
    }

    /// The one value of answers that assert nothing.
    fn only_bare(&self) -> Option<usize> {
        let mut open = self
            .mentions
            .iter()
            .enumerate()
            .filter(|(_, mention)| mention.status == Status::Open);
        let (nth, first) = open.next()?;
        let is_bare = self.bare(self.sentences[first.sentence].clone()).is_some();
        (is_bare && open.all(|(_, mention)| mention.value == first.value)).then_some(nth)
    }
}
