//! Whether the rest of an answer lets stand what was read in a part of it, and which part can be read for itself. The same
//! for all kinds of answers. Not for what was read.

use super::scope::Scoped;
use super::scope::flag::*;
use super::token::{Token, class, is_one};
use crate::language::Language;
use std::ops::Range;

/// Said by others, as a reason or before: what stands under it takes nothing back.
const ASIDE: u16 = OTHERS | QUOTED | PAST | REASON | ASKED;

/// Whether what comes after a place takes back what was said up to there: a correction with nothing new behind it, or, in
/// the same paragraph, a "but" or a doubt of who speaks. A later sentence does so with a word that chooses, and behind what
/// is said firmly, with such a word, a "but" only with a doubt; all else are reasons. What belongs to something that is
/// named is the reader's to judge, and how sure somebody is takes nothing back.
pub(super) fn taken_back(all: &Scoped, end: usize, firm: bool, named: &dyn Fn(Range<usize>) -> bool) -> bool {
    const DOUBTS: u64 = class::NEG | class::REJECT | class::MAYBE | class::MIGHT | class::IF;
    let Some(last) = end.checked_sub(1).filter(|last| *last < all.tokens.len()) else {
        return false;
    };
    let paragraph = paragraph_end(all, last);
    // "…, no to voting", "…, yo no", but not "…, no constraints", "no quiero que nadie quede atrás".
    let denies = |at: usize| {
        all.token(at + 1)
            .is_none_or(|next| next.sign().is_some() || next.is(class::TO))
    };
    // "I", and not "it asks us".
    let speaks = |from: usize, at: usize| {
        let beside = class::FILLER | class::AND | class::BUT | class::SO | class::NOW;
        let subject = |token: &&Token| token.is(class::FIRST) || token.sign().is_none() && !token.is(beside);
        all.tokens[from..at]
            .iter()
            .find(subject)
            .is_some_and(|token| token.is(class::FIRST))
    };
    (end..all.tokens.len()).any(|at| {
        let (token, clause) = (&all.tokens[at], all.clause_of(at));
        if all.has(at, ASIDE) || token.is(class::FILLER | class::SHIELD) {
            return false;
        }
        let here = at < paragraph;
        let (after, next) = (all.sentence[at] - all.sentence[last], clause.start >= end);
        let holds = |classes| all.any(clause.clone(), classes);
        let own = holds(class::FIRST);
        let begins = |from: usize| all.tokens[from..at].iter().all(|token| token.sign().is_some());
        let turns = token.is(class::CORRECT) && !all.has(at, IF) && (here && !firm || leads(all, at))
            || here
                && token.is(class::BUT)
                && !all.has(at - 1, REASON)
                && !holds(class::CERTAIN | class::CERTAINTY)
                && if after == 0 {
                    let turning = token.value == 0;
                    let concedes =
                        !turning && (firm || !holds(class::CHOOSE | class::ASSENT | class::DISSENT));
                    let doubts = DOUBTS
                        & if concedes {
                            !(class::NEG | class::REJECT)
                        } else {
                            !0
                        };
                    !firm && turning || holds(doubts) && (!firm || own || turning && all.is(at + 1, DOUBTS))
                } else {
                    own && holds(DOUBTS) && leads(all, at)
                }
            || here
                && after > 0
                && token.is(DOUBTS & !class::IF)
                && speaks(clause.start, at)
                && holds(class::CHOOSE)
            || here && token.is(class::NEG | class::NAY) && next && begins(clause.start) && denies(at);
        // "Range 20,000 … sorry, I meant 25,000."
        let anew = token.is(class::CORRECT) && named(at..all.sentence_of(at).end);
        turns && !anew && !named(clause)
    })
}

/// How yes and no are told to `conclusion`, beside principles and amounts.
pub(super) const NO: u32 = 0;
pub(super) const YES: u32 = u32::MAX;

/// Where the conclusion of an answer stands that can be read for itself: its last sentence, what stands in that behind a
/// colon, or its last clause. "3 has its merits, and Ana spoke well of 2. I vote for 1." It depends on nothing and is nobody
/// else's, and what stands before it says nothing else for itself (those are rows of a list), but for a yes in jest. `read`
/// gives the value of a part, which is a whole sentence or not.
pub(super) fn conclusion(
    all: &Scoped,
    language: Language,
    read: &dyn Fn(&Scoped, bool) -> Option<u32>,
) -> Option<Range<usize>> {
    const LABEL: usize = 5;
    let word = |range: Range<usize>| range.into_iter().rfind(|at| all.sign(*at).is_none());
    let last = word(0..all.tokens.len())?;
    let (sentence, clause) = (all.sentence_of(last), all.clause_of(last).start);
    if all.sign(sentence.start) == Some(';') {
        return None;
    }
    let colon = (sentence.start..last).rfind(|at| all.sign(*at) == Some(':'));
    let long =
        |colon: &usize| *colon > sentence.start + LABEL || all.any(sentence.start..*colon, class::CHOOSE);
    let turn = all.is(clause, class::BUT) && all.sign(clause.wrapping_sub(1)) == Some(',');
    let comma = turn && all.value(clause) == 0 || all.sign(clause) == Some(',');
    let from = [Some(sentence.start), colon.filter(long), comma.then_some(clause)];
    from.into_iter().flatten().find_map(|from| {
        let whole = from == sentence.start;
        let (own, before) = (from + usize::from(!whole)..sentence.end, word(0..from)?);
        let doubts = class::BUT | class::IF | class::MIGHT | if whole { 0 } else { class::OR | class::MAYBE };
        let unsettled = |at: usize| {
            all.has(at, IF | ASKED | OTHERS | QUOTED) || all.is(at, doubts) || all.sign(at) == Some(')')
        };
        let refused = class::REFUSE | class::IF | if whole { 0 } else { class::REJECT };
        let depends = |at: usize| all.has(at, IF) || all.is(at, refused);
        if own.clone().any(unsettled) || (sentence.start.min(before)..from).any(depends) {
            return None;
        }
        let part = |range: Range<usize>| read(&all.part(range, language), whole);
        let value = part(own.clone())?;
        // "Sure, and let's toss a coin for it. Seriously: no."
        const JEST: u64 = class::FILLER | class::YES | class::ASSENT | class::CHOOSE | class::BEST;
        let jest = value == NO
            && all.same_line(from, before)
            && !all.in_clause(0, class::FIRST)
            && all.holds_only(all.clause_of(0), JEST, &(0..0));
        let unit = [all.clause_of(before), all.sentence_of(before)][usize::from(whole)].clone();
        let differs = |range: Range<usize>| part(range).is_some_and(|other| other != value);
        // "Yes, of course. I will not repeat myself."
        let strange = (value == NO || value == YES) && own.clone().any(|at| all.is_unknown(at));
        let refuses = class::DISSENT | class::REJECT | class::NAY | class::CHOOSE | class::REFUSE;
        let firm = jest && (own.len() < 6 || all.any(own.clone(), refuses));
        let stands = firm || !strange && !jest;
        (stands && (jest || !differs(0..from) && !differs(unit))).then_some(own)
    })
}

/// Whether nothing but signs stands before it in its sentence.
pub(super) fn leads(all: &Scoped, at: usize) -> bool {
    all.tokens[all.sentence_of(at).start..at]
        .iter()
        .all(|token| token.sign().is_some())
}

/// Where the paragraph of a place ends: what stands below an empty line explains and takes nothing back.
pub(super) fn paragraph_end(all: &Scoped, at: usize) -> usize {
    let line = all.line.get(at).copied().unwrap_or_default();
    all.line.partition_point(|other| *other <= line + 1)
}

/// Whether the words around a place in its clause are known: those since the last word that chooses, and those behind,
/// which a verb leaves for reasons: "I choose 3 to keep the poor alive", but "a vote for 3 means nothing".
pub(super) fn in_known_words(all: &Scoped, span: &Range<usize>) -> bool {
    let clause = all.clause_of(span.start);
    let by_verb = (clause.start..span.start)
        .rev()
        .find(|at| all.is(*at, class::CHOOSE | class::CORRECT))
        .is_some_and(|at| {
            let word = all.word(at);
            let own = at > clause.start && all.is(at - 1, class::FIRST) && !all.is(at + 1, class::FILLER);
            let of_some = at == clause.start + 1 && all.is(clause.start, class::FILLER);
            own || !of_some && (word.contains(' ') || !word.is_ascii())
        });
    let mut behind = (span.end..clause.end).take_while(|at| !all.has(*at, REASON));
    after_known_words(all, span.start) && (by_verb || !behind.any(|at| is_strange(all, at)))
}

/// A word that no lexicon knows; a letter names an option.
fn is_strange(all: &Scoped, at: usize) -> bool {
    all.is_unknown(at) && all.word(at).len() > 1 && !is_one(all.word(at), "very")
}

/// Whether the words of the clause up to a place, since the last that chooses or concludes, are known and lead to it.
pub(super) fn after_known_words(all: &Scoped, at: usize) -> bool {
    let clause = all.clause_of(at);
    let from = (clause.start..at)
        .rev()
        .find(|at| all.is(*at, class::CHOOSE | class::CORRECT | class::SO))
        .unwrap_or(clause.start);
    let strange = |at: usize| is_strange(all, at) || all.is(at, class::DISSENT | class::IF | class::MIGHT);
    !(from..at).any(strange)
}
