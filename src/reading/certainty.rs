//! How sure somebody is, in words. Not for figures.

use super::scope::Scoped;
use super::scope::flag::*;
use super::token::class;
use crate::principle::Certainty;

/// The certainty that an answer states: that of the line that names it, else the last.
#[inline(never)]
pub(super) fn certainty(all: &Scoped) -> Option<Certainty> {
    let said = |at: &usize| {
        all.is(*at, class::CERTAIN)
            && !all.has(*at, OTHERS | IF | ASKED)
            // "I am not sure about 3."
            && !(all.tokens[*at].value < 0
                && !all.has(at + 2, REASON)
                && all.any(
                    at + 2..all.clause_of(*at).end.min(at + 6).max(at + 2),
                    class::NUM | class::FLOOR | class::AVG | class::RANGE,
                ))
            && (!all.has(*at, QUOTED) || all.any(all.sentence_of(*at), class::CERTAINTY))
            && !all
                .clause_of(*at)
                .any(|place| all.has(*at, PAST) && all.is(place, class::PAST))
            && !(at
                .saturating_sub(if all.tokens[*at].value > 0 { 2 } else { 1 })
                .max(all.clause_of(*at).start)..*at)
                .any(|before| all.is(before, class::NEG) || all.is(before, class::MORE))
    };
    let places: Vec<usize> = (0..all.tokens.len()).filter(said).collect();
    let named = |at: &&usize| all.any(all.sentence_of(**at), class::CERTAINTY);
    let at = places.iter().rev().find(named).or_else(|| places.last())?;
    let value = all.tokens[*at].value;
    // "Sure (was unsure)".
    let denied =
        |other: &usize| all.sentence[*other] == all.sentence[*at] && all.tokens[*other].value * value < 0;
    of_value(value).filter(|_| !places.iter().any(denied))
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
