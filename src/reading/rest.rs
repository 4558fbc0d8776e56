//! Whether the rest of an answer lets stand what was read in a part of it. The same for all kinds of answers. Not for
//! what was read.

use super::scope::Scoped;
use super::scope::flag::*;
use super::token::{Token, class};
use std::ops::Range;

/// Said by others, as a reason or before: what stands under it takes nothing back.
const ASIDE: u16 = OTHERS | QUOTED | PAST | REASON | ASKED;

/// Whether what comes after a place takes back what was said up to there: a correction with nothing new behind it, or, in
/// the same paragraph, a "but", or a doubt, a condition or a refusal in the first person. What belongs to something that
/// is named is the reader's to judge, and how sure somebody is takes nothing back.
pub(super) fn taken_back(all: &Scoped, end: usize, named: &dyn Fn(Range<usize>) -> bool) -> bool {
    const TURNS: u64 = class::NEG | class::REJECT | class::MAYBE | class::MIGHT | class::IF | class::CHOOSE;
    let Some(last) = end.checked_sub(1).filter(|last| *last < all.tokens.len()) else {
        return false;
    };
    let paragraph = paragraph_end(all, last);
    // "…, no to voting", "…, yo no", but not "…, no constraints".
    let denies = |at: usize| {
        all.token(at + 1)
            .is_none_or(|next| next.sign().is_some() || next.is(class::TO | class::CHOOSE | class::ASSENT))
    };
    let leads = |from: usize, at: usize| all.tokens[from..at].iter().all(|token| token.sign().is_some());
    (end..all.tokens.len()).any(|at| {
        let (token, clause) = (&all.tokens[at], all.clause_of(at));
        if all.has(at, ASIDE) || token.is(class::FILLER | class::SHIELD) {
            return false;
        }
        let here = at < paragraph;
        let (after, next) = (all.sentence[at] - all.sentence[last], clause.start >= end);
        let holds = |classes| all.any(clause.clone(), classes);
        let turns = token.is(class::CORRECT) && (here || leads(all.sentence_of(at).start, at))
            || here
                && token.is(class::BUT)
                && !all.has(at - 1, REASON)
                && !holds(class::CERTAIN | class::CERTAINTY)
            || here && token.is(TURNS) && after > 0 && holds(class::FIRST)
            || here && token.is(class::NEG) && (after == 1 || next && leads(clause.start, at) && denies(at));
        turns && !named(clause)
    })
}

/// Where the paragraph of a place ends: what stands below an empty line explains and takes nothing back.
pub(super) fn paragraph_end(all: &Scoped, at: usize) -> usize {
    let line = all.line.get(at).copied().unwrap_or_default();
    all.line.partition_point(|other| *other <= line + 1)
}

/// Whether the words around a place in its clause are known: those since the last word that chooses, and those behind.
pub(super) fn in_known_words(all: &Scoped, span: &Range<usize>) -> bool {
    let behind = (span.end..all.clause_of(span.start).end).take_while(|at| !all.has(*at, REASON));
    after_known_words(all, span.start) && !behind.into_iter().any(|at| is_strange(&all.tokens[at]))
}

/// A word that no lexicon knows; a letter names an option.
fn is_strange(token: &Token) -> bool {
    token.is_unknown() && token.span.1 - token.span.0 > 1
}

/// Whether the words of the clause up to a place, since the last that chooses, are known and lead to it.
pub(super) fn after_known_words(all: &Scoped, at: usize) -> bool {
    let clause = all.clause_of(at);
    let from = (clause.start..at)
        .rev()
        .find(|at| all.is(*at, class::CHOOSE | class::CORRECT))
        .unwrap_or(clause.start);
    let strange = |token: &Token| is_strange(token) || token.is(class::DISSENT | class::IF | class::MIGHT);
    !all.tokens[from..at].iter().any(strange)
}

/// Whether a word of the past stands before this place in its sentence.
pub(super) fn after_past(all: &Scoped, at: usize) -> bool {
    let before = all.sentence_of(at).start..at;
    all.any(before, class::PAST)
}
