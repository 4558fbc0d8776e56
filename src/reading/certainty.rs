//! How sure somebody is, in words. Not for figures.

use super::scope::Scoped;
use super::scope::flag::*;
use super::token::{begins_so, class, contains_one, heads, is_one};
use crate::principle::Certainty;

/// The certainty that an answer states: that of the line that names it, else the last.
pub(super) fn certainty(all: &Scoped) -> Option<Certainty> {
    // "Most put 1 on top, and even so I am sure" where the verb says who.
    let own = |at: usize| {
        let mut before = all.clause_of(at).start..at;
        !all.has(at, IF | ASKED) && before.any(|at| is_one(all.word(at), "i am"))
    };
    let says = |at: usize, key| is_one(all.word(at), key);
    // "Utterly sure", "not terribly sure", "don't feel sure", as the lexicon does not have them together; "I can't say sure"
    // and "Ana isn't sure" tell nothing.
    let value = |at: usize| {
        let value = all.token(at).filter(|token| token.is(class::CERTAIN))?.value;
        let start = all.clause_of(at).start;
        // "Sure? Sure no, rather unsure", "very sure I am not", "neither sure nor unsure"
        let ends = all.sign(at + 2).is_some() || says(at + 2, "i am");
        let denied = all.is(at + 1, class::NEG | class::REFUSE) && ends;
        if denied || all.is(at + 1, class::CERTAIN) || at > 0 && all.is(at - 1, class::CERTAIN) {
            return None;
        }
        let from = (start..at)
            .rev()
            .find(|at| all.is(*at, class::AND))
            .unwrap_or(start);
        let denies =
            |at: &usize| all.is(*at, class::NEG | class::NAY) && !all.is(*at, class::FILLER | class::SHIELD);
        let Some(no) = (from..at).rev().find(denies) else {
            let very = value.abs() == 1 && at > from && says(at - 1, "very");
            return Some(if very { 2 * value } else { value });
        };
        let plain = (no + 1..at).all(|at| says(at, "very") || says(at, "sure so"))
            && !all.any(at + 1..all.clause_of(at).end, class::CERTAIN);
        (value > 0 && plain && !(from..no).any(|at| all.is_unknown(at))).then_some(-1)
    };
    // "Deepa is very sure of her 4."
    let of_another = |at: usize| {
        let clause = all.clause_of(at).start..at;
        let is = clause.clone().rev().find(|at| says(*at, "they are"));
        let who = (clause.start..is.unwrap_or(clause.start)).rev();
        let own = |at: &usize| !all.is(*at, class::FIRST | class::CERTAINTY);
        who.take_while(own)
            .any(|at| all.is_unknown(at) || all.is(at, class::OTHER))
    };
    let said = |at: &usize| {
        (!all.has(*at, OTHERS | IF | ASKED) || all.has(*at, OTHERS) && own(*at))
            && !of_another(*at)
            && !(*at > 0 && says(at - 1, "was"))
            // "Sure, I can do that: …"
            && !(*at == 0 && all.value(0) == 1 && all.sign(1) == Some(','))
            // "I am sure that others will object", "I'm sure Bruno will object."
            && !begins_so(all.token(at + 1).map_or("", |next| all.text_at(next)), "sure that")
            && !(all.is_unknown(at + 1) && all.clause_of(*at).end > at + 2)
            && !all.is(at + 1, class::OTHER)
            // "I am not sure about 3."
            && !(all.value(*at) < 0
                && !all.has(at + 2, REASON)
                && all.any(
                    at + 2..all.clause_of(*at).end.min(at + 6).max(at + 2),
                    class::NUM | class::FLOOR | class::AVG | class::RANGE,
                ))
            && (!all.has(*at, QUOTED) || all.in_sentence(*at, class::CERTAINTY))
            && !all
                .clause_of(*at)
                .any(|place| all.has(*at, PAST) && all.is(place, class::PAST))
            // "The only thing I am very sure of is that I am hungry."
            && !contains_one(all.text_between(all.clause_of(*at).start, *at), "only thing")
            && !(at.saturating_sub(2).max(all.clause_of(*at).start)..*at).any(|at| all.is(at, class::MORE))
    };
    let mut places: Vec<(usize, i8)> = (0..all.tokens.len())
        .filter_map(|at| Some((at, value(at)?)))
        .filter(|(at, _)| said(at))
        .collect();
    // "I was with 2, dead sure. Now 3, and rather unsure."
    let now = |one: &(usize, i8)| !all.has(one.0, PAST);
    if places.iter().any(now) {
        places.retain(now);
    }
    let named = |one: &&(usize, i8)| all.in_sentence(one.0, class::CERTAINTY);
    // "Only sure, not very sure", "not very sure, but sure": as far as that.
    let very = |one: &(usize, i8)| {
        one.1 < 0
            && heads("very")
                .any(|very| all.word(one.0).contains(very) || all.word(one.0.saturating_sub(1)) == very)
    };
    let limits = |at: usize, from: usize| all.any(at.saturating_sub(from)..at, class::ONLY | class::BUT);
    let beside = |one: &(usize, i8), other: &(usize, i8)| all.same_sentence(one.0, other.0);
    let limited = |one: &&(usize, i8)| {
        let limit = |other| beside(one, other) && very(other) && (limits(one.0, 2) || limits(other.0, 1));
        let ends = all.token(one.0 + 1).is_none_or(|next| next.sign().is_some());
        one.1 == 1 && ends && places.iter().any(limit)
    };
    let so_far = places.iter().find(limited);
    let one = so_far
        .or_else(|| places.iter().rev().find(named))
        .or_else(|| places.last())?;
    // "Sure (was unsure)", "no opinion on being sure".
    let denied = |other: &(usize, i8)| {
        let unlike = other.1 * one.1 < 0 || other.1 == 0 && one.1 != 0;
        beside(one, other) && unlike && !(so_far.is_some() && very(other))
    };
    // "Between sure and very sure", "very sure of the first; of the rest, unsure".
    let unlike = |at: usize| value(at).is_some_and(|value| value != one.1);
    let between = all.in_clause(one.0, class::BETWEEN) && all.clause_of(one.0).any(unlike);
    let of_rest = |at: usize| {
        value(at).is_some_and(|value| value * one.1 < 0)
            && all.same_line(at, one.0)
            && !all.has(at, PAST | OTHERS | IF | ASKED | QUOTED | NEGATED | UNCLEAR)
            && !(at > 0 && says(at - 1, "was") || all.is(at + 1, class::OTHER) || of_another(at))
            && so_far.is_none()
    };
    // "How sure I am I would rather not say."
    let withheld = |at: usize| {
        let named = all
            .clause_of(at)
            .any(|near| near != one.0 && all.is(near, class::CERTAINTY));
        all.is(at, class::REFUSE)
            && !all.is(at, class::CERTAIN)
            && (named || all.same_clause(at, one.0) && at > one.0 + 1)
    };
    let several =
        between || places.iter().any(denied) || (0..all.tokens.len()).any(|at| of_rest(at) || withheld(at));
    of_value(one.1).filter(|_| !several)
}

pub(super) fn of_value(value: i8) -> Option<Certainty> {
    Some(match value {
        -2 => Certainty::VeryUnsure,
        -1 => Certainty::Unsure,
        0 => Certainty::NoOpinion,
        1 => Certainty::Sure,
        2 => Certainty::VerySure,
        _ => return None,
    })
}
