//! Whether everything around a decision is accounted for. What is left over may change the value.

use super::decide::{Frames, Mention, Status, weight};
use super::text::{Token, key};
use std::ops::Range;

/// Words that no pattern knows, at most, in a clause that asserts a value.
const UNKNOWN: usize = 6;
/// Words of a sentence that refers to the one before it, at most.
const SHORT: usize = 8;

impl Frames<'_> {
    /// Whether another value stands against the one at a token.
    pub(super) fn others(&self, value: f64, at: usize, sentence: usize) -> bool {
        let against = |mention: &&Mention| mention.value != value && mention.status == Status::Open;
        let mut against = self.mentions.iter().filter(against);
        let concludes = self
            .mentions
            .iter()
            .any(|mention| mention.at == at && mention.is_last_word);
        against.any(|mention| match mention.sentence.cmp(&sentence) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => !(concludes && mention.at < at),
            std::cmp::Ordering::Greater => {
                let beside = self.mentions.iter().any(|other| {
                    other.sentence == mention.sentence
                        && other.value == value
                        && other.status == Status::Asserted
                });
                !beside
            }
        })
    }

    /// Whether nothing around the decision could change it.
    pub(super) fn is_accounted(&mut self, at: usize, sentence: usize) -> bool {
        let range = self.sentences[sentence].clone();
        let from_value = at..self.all.tokens.len();
        if self.has("revoke", from_value) || self.is_near("turn", at) {
            return false;
        }
        // A struck value of the same kind elsewhere is no contradiction, but the same value struck later is.
        let value = self.all.tokens[at].number;
        let denied =
            |mention: &Mention| mention.status == Status::Struck && mention.value == value && mention.at > at;
        if self.mentions.iter().any(denied) && self.kind != "yesno" && self.is_denied_later(at, value) {
            return false;
        }
        if self.has_in_words("condition", range.clone()) {
            return false;
        }
        // "Yes, but …" and a next sentence with "but" may limit it.
        let but = self.all.words.section("but");
        let next = self.sentences.get(sentence + 1).map(|next| next.start);
        if (at..range.end)
            .chain(next)
            .any(|at| but.at(&self.all.tokens, at).is_some())
        {
            return false;
        }
        // A yes or no behind a question of one's own answers that.
        let asks = |part: &Range<usize>| {
            self.all
                .tokens
                .get(part.end)
                .is_some_and(|end| end.key == key::ASKS)
        };
        if self.kind == "yesno" && self.sentences[..sentence].iter().any(asks) {
            return false;
        }
        // "No estoy en contra" denies twice.
        let clause = self.clause(at);
        let denials = self
            .mentions
            .iter()
            .filter(|mention| mention.value == 0.0 && clause.contains(&mention.at))
            .count();
        if self.kind == "yesno" && denials > 1 {
            return false;
        }
        let words = |part: &Range<usize>| part.clone().filter(|at| self.all.tokens[*at].is_word()).count();
        // "Erase that."
        let points = |part: &Range<usize>| {
            self.all
                .words
                .section("that")
                .at(&self.all.tokens, part.end - 1)
                .is_some()
        };
        if self.sentences[sentence + 1..]
            .iter()
            .any(|part| words(part) <= SHORT && points(part) && part.clone().any(|at| !self.known[at]))
        {
            return false;
        }
        // The next sentence may begin with a condition.
        let later = self.sentences[sentence + 1..].iter();
        let begins = |part: &Range<usize>| {
            self.named("condition").iter().any(|section| {
                section
                    .at(&self.all.tokens, part.start)
                    .is_some_and(|one| one.end <= part.end)
            })
        };
        if later.clone().any(begins) {
            return false;
        }
        // Reasons run to the end of their sentence.
        let mut until = range.end;
        for section in self.named("reason") {
            if let Some((from, _)) = section
                .all(self.tokens(range.clone()))
                .find(|(from, _)| range.start + from > at)
            {
                until = until.min(range.start + from);
            }
        }
        // A conjunction before the clause turns towards it.
        let clause = self.clause(at);
        if clause.start > range.start {
            self.known[clause.start] = true;
        }
        let danger = self.named("danger");
        let left = |part: Range<usize>| part.filter(|at| !self.known[*at]);
        let is_danger = |at: usize| {
            danger
                .iter()
                .any(|section| section.at(&self.all.tokens, at).is_some())
        };
        if left(range.start..until).any(is_danger) {
            return false;
        }
        let clause = clause.start.max(range.start)..clause.end.min(until);
        // Words before the value may attribute it to another person, or deny it.
        if (clause.start..at).any(|at| !self.known[at]) {
            return false;
        }
        let left: Vec<Token> = left(clause).map(|at| self.all.tokens[at]).collect();
        weight(&left) <= 2 * UNKNOWN
    }

    fn is_denied_later(&self, at: usize, value: f64) -> bool {
        let strikes = self.named("strike");
        strikes.iter().any(|section| {
            section.all(&self.all.tokens).any(|(from, one)| {
                let part = one.part.0..one.part.1;
                from > at
                    && part.clone().any(|token| {
                        self.all.tokens[token].key == key::MENTION && self.all.tokens[token].number == value
                    })
            })
        })
    }
}
