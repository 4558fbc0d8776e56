//! Which of the four principles an answer chooses, by its number, its name or what it does. Not for rankings.

use super::scope::flag::*;
use super::scope::{LIMITS, Scoped, is_plain};
use super::token::{Kind, Token, begins_so, class, contains_one, ends_so, is_one};
use super::{How, Reading, Reason, rest};
use crate::principle::Principle;
use std::ops::Range;

/// A principle that is named.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    pub(super) number: u8,
    pub(super) span: Range<usize>,
    pub(super) flags: u16,
    pub(super) how: How,
}

/// Words beside a name that add nothing to it.
pub(super) const BESIDE: u64 = class::FILLER
    | class::SO
    | class::NOW
    | class::CERTAIN
    | class::CERTAINTY
    | class::THEN
    | class::NOUN
    | class::FIRST
    | class::CHOOSE
    | class::YES
    | class::ASSENT
    | class::BEST
    | class::MAX
    | class::ONLY
    | class::CORRECT
    | class::BUT
    | class::JOIN
    | class::MONEY
    | class::SIGN
    | class::AND;

/// Every principle that is named, in order.
pub(super) fn mentions(all: &Scoped) -> Vec<Mention> {
    named(all, true)
}

/// The same; where `then` is false, what is joined by "then" are two.
pub(super) fn named(all: &Scoped, then: bool) -> Vec<Mention> {
    let mut found = by_number(all);
    let numbers = found.len();
    by_words(all, then, &mut found);
    found.sort_by_key(|mention| mention.span.start);
    if numbers > 0 && found.len() > numbers {
        join(all, then, &mut found);
    }
    if then {
        in_turn(all, &mut found);
        bound(all, &mut found);
    }
    // "floor: $14,000", "the gap should not exceed 18k" tell the amount of what is chosen elsewhere.
    let third = found.iter().any(|other| other.number == 3);
    let fourth = found
        .iter()
        .any(|other| other.how != How::Keyword && other.number == 4);
    let near = |mention: &Mention| {
        let from = mention
            .span
            .start
            .saturating_sub(4)
            .max(all.clause_of(mention.span.start).start);
        (from..mention.span.start).any(|at| all.is_number(at) && all.tokens[at].is_other)
    };
    let of_number = |mention: &Mention| third && mention.number == 1 || fourth && mention.number == 4;
    let amount = |mention: &Mention| {
        mention.how == How::Keyword
            && !(all.sentence_of(mention.span.start).start + 1 >= mention.span.start
                && matches!(all.sign(mention.span.end), Some(',' | '.'))
                && !of_number(mention))
            && (mention.flags & CHOSEN == 0 || of_number(mention))
            && !all.any(mention.span.clone(), class::AVG)
            && (of_number(mention) && near(mention)
                || (mention.span.start..all.sentence_of(mention.span.start).end)
                    .take(12)
                    .any(|at| {
                        all.is_number(at)
                            && all.tokens[at].is_other
                            && all.tokens[at].number >= 100.0
                            && all.same_line(at, mention.span.start)
                    }))
    };
    if then && found.iter().any(|mention| !amount(mention)) {
        found.retain(|mention| !amount(mention));
    }
    let jest = all.jest();
    for mention in &mut found {
        if jest.contains(&mention.span.start) {
            mention.flags |= OTHERS;
        }
        // "I'd put 3 second."
        let place = mention.span.end;
        let ends = all.token(place + 1).is_none_or(|next| next.sign().is_some());
        if then && all.is(place, class::RANK) && all.value(place) > 1 && !all.is(place, class::THEN) && ends {
            mention.flags |= SECOND;
        }
    }
    found
}

/// Whether something is to be as high as it can be.
fn raised(all: &Scoped, mut range: Range<usize>) -> bool {
    range.any(|at| begins_so(all.word(at), "to the top"))
}

/// Whether something is said to build on what was said before: "on that basis".
fn built(all: &Scoped, mut range: Range<usize>) -> bool {
    range.any(|at| ends_so(all.word(at), "basis"))
}

/// A floor or a limit of the gap, and then the average: "set a floor, then make the average as high as you can". Where
/// the floor itself is to be as high as it can be, that is another principle.
fn in_turn(all: &Scoped, found: &mut Vec<Mention>) {
    const APART: u64 = class::BUT | class::OR | class::RATHER | class::NEG | class::REJECT | class::CHOOSE;
    for at in (1..found.len()).rev() {
        let (one, other) = (&found[at - 1], &found[at]);
        let between = one.span.end.min(other.span.start)..other.span.start;
        let from = all
            .clause_of(one.span.start)
            .start
            .max(one.span.start.saturating_sub(4));
        let limited = all.any(all.clause_of(other.span.start), class::MAX)
            && !between
                .clone()
                .any(|at| all.is(at, class::SO) || all.is_unknown(at));
        let fits = one.how == How::Keyword
            && other.how == How::Keyword
            && one.number != 2
            && other.number == 2
            && all.same_sentence(one.span.start, other.span.start)
            && (one.flags | other.flags) & (STRUCK & !UNCLEAR) == 0
            && (all.any(between.clone(), class::THEN) || built(all, between.clone()) || limited)
            && !all.any(between.clone(), APART)
            && !(one.number == 1 && raised(all, from..between.end));
        if fits {
            let end = other.span.end;
            let cap = (from..one.span.start).find(|at| all.is(*at, class::CAP));
            // "The gap between top and bottom at most 20,000, and then …"
            let before = (all.sentence_of(from).start..one.span.start).rev();
            let ranged = before
                .take_while(|at| !all.is(*at, class::BUT))
                .any(|at| all.is(at, class::RANGE) && !all.has(at, OTHERS));
            let one = &mut found[at - 1];
            one.number = if ranged { 4 } else { one.number.max(3) };
            one.span = cap.unwrap_or(one.span.start)..end;
            found.remove(at);
        }
    }
}

/// "The average as high as can be, but nobody gets less than 12,000."
fn bound(all: &Scoped, found: &mut Vec<Mention>) {
    const APART: u64 = class::OR | class::RATHER | class::NEG | class::REJECT | class::PRAISE | class::SAYS;
    let limits = |at: &usize| {
        all.is(*at, class::FLOOR)
            && all.is(*at, class::CAP)
            && (*at..at + 8).any(|at| all.is_number(at) && all.tokens[at].number >= 1000.0)
    };
    for one in &mut *found {
        let (own, end) = (one.span.end, all.sentence_of(one.span.start).end);
        let plain = one.how == How::Keyword && one.number == 2 && one.flags & (STRUCK & !UNCLEAR) == 0;
        if let Some(bound) = (own..end).find(|at| plain && limits(at) && !all.any(own..*at, APART)) {
            (one.number, one.span.end) = (3, bound + 1);
        }
    }
    found.dedup_by(|other, one| other.span.end <= one.span.end);
}

/// A number and the words after or before it that say the same are one mention; in a ranking, an ordinal is a place.
fn join(all: &Scoped, then: bool, found: &mut Vec<Mention>) {
    let mut kept: Vec<Mention> = Vec::with_capacity(found.len());
    for mention in found.drain(..) {
        if let Some(before) = kept.last_mut()
            && (before.how == How::Keyword) != (mention.how == How::Keyword)
        {
            let (number, words) = match before.how {
                How::Keyword => (mention.number, before.number),
                _ => (before.number, mention.number),
            };
            let fits = number == words || (number == 3 && words <= 2) || (number == 4 && words == 2);
            let between = before.span.end..mention.span.start;
            let near = between.len() <= 4
                && all.same_sentence(before.span.start, mention.span.start)
                && between.clone().all(|at| {
                    let beside =
                        class::FILLER | class::NOUN | class::JOIN | class::MAX | class::FIRST | class::SIGN;
                    let token = &all.tokens[at];
                    token.is(beside) || token.sign().is_some() || token.is_number() && token.is_other
                });
            let place = !then;
            if fits && near && !place {
                before.number = number;
                before.how = if before.how == How::Keyword {
                    mention.how
                } else {
                    before.how
                };
                before.flags |= mention.flags & (CHOSEN | BEST);
                before.span.end = mention.span.end;
                continue;
            }
        }
        kept.push(mention);
    }
    *found = kept;
}

fn by_number(all: &Scoped) -> Vec<Mention> {
    let mut found = Vec::new();
    for (at, token) in all.tokens.iter().enumerate() {
        let is_ordinal = token.is(class::ORD);
        if !(is_ordinal || is_plain(token)) || !(1.0..=4.0).contains(&token.number) {
            continue;
        }
        if let Some((how, span)) = names(all, at, is_ordinal) {
            found.push(Mention {
                number: token.number as u8,
                flags: all.flags[at],
                span,
                how,
            });
        }
    }
    found
}

/// Whether the number at this place names a principle, and how.
fn names(all: &Scoped, at: usize, is_ordinal: bool) -> Option<(How, Range<usize>)> {
    let token = all.token(at)?;
    let before = at.checked_sub(1).and_then(|at| all.token(at));
    let after = all.token(at + 1);
    let is_before = |classes| before.is_some_and(|before| before.is(classes));
    let is_after = |classes| after.is_some_and(|after| after.is(classes));
    let sign_after = after.and_then(super::token::Token::sign);
    let sign_before = before.and_then(super::token::Token::sign);
    // 第三种, but not 第三轮.
    let measured = is_ordinal && is_one(all.word(at + 1), "measure");
    let noun = is_before(class::NOUN) || sign_before == Some('#') || is_after(class::NOUN) || measured;
    // "Of the two", 两个.
    let of_all = is_before(class::COUNTED) && !is_before(class::FILLER)
        || is_one(all.word(at + 1), "count")
        || is_after(class::PART) && !all.has(at, CHOSEN)
        || (all.clause_of(at).start..at).any(|at| all.is(at, class::JOIN) && all.is(at + 1, class::FIRST));
    // "Me quedo con lo segundo" points to what was said.
    let said = is_ordinal && is_one(all.word(at.wrapping_sub(1)), "it");
    if said || token.kind == Kind::Spelt && of_all && !noun {
        return None;
    }
    // "First choice: principle 4."
    let heads = before.is_none_or(|before| before.sign().is_some());
    if is_ordinal && heads && is_after(class::NOUN) && all.sign(at + 2) == Some(':') {
        return None;
    }
    // "Principle 3", but not "vote three of them".
    let named = is_before(class::NOUN) && !(is_before(class::CHOOSE) && token.kind == Kind::Spelt);
    if is_after(class::CTX | class::COUNTED | class::MONEY | class::PERCENT | class::TIMES | class::SIGN)
        && !named
        && !(is_ordinal && (is_after(class::NOUN) || measured))
    {
        return None;
    }
    if is_before(class::CTX | class::SIGN | class::MONEY) {
        return None;
    }
    if sign_before == Some('-') && before.is_some_and(|sign| sign.span.1 == token.span.0) && !noun {
        // "-1" and "1-4"; a bullet has a blank after it.
        return None;
    }
    // 2号和3号参与者, 参与者1
    let row = all.tokens[at + 1..].iter().take(8).find(|next| {
        !(next.is(class::AND | class::OR | class::FILLER | class::ORD)
            || next.sign() == Some(',')
            || is_plain(next))
    });
    let person = row.is_some_and(|word| word.is(class::OTHER)) && is_after(class::NOUN)
        || is_before(class::OTHER) && !is_before(class::NOUN | class::COUNTED);
    // "3 of 5", "1/4".
    let part = |sign: usize| {
        all.token(at + sign)
            .is_some_and(|of| of.is_number() && of.number.fract() == 0.0 && of.number > 4.0)
    };
    // "A 1-in-20 risk."
    let odds = sign_after == Some('-') && all.is(at + 2, class::PART);
    if person
        || odds
        || (sign_after == Some('/') && part(2))
        || (is_after(class::PART | class::COUNTED | class::CTX) && part(2))
        || sign_after == Some('%')
    {
        return None;
    }
    let of =
        |word: usize, number: usize| all.is(word, class::PART) && all.token(number).is_some_and(is_plain);
    // "I choose 3 out of 4."
    let of_four = all.has(at, CHOSEN) && all.token(at + 2).is_some_and(|all| all.number == 4.0);
    if all.tokens.len() > 4 && (of(at + 1, at + 2) && !of_four || at >= 2 && of(at - 1, at - 2)) {
        return None;
    }
    let line = all.line_of(at);
    let begins_line = all.tokens[line.start..at]
        .iter()
        .all(|token| matches!(token.sign(), Some('\n' | '(')));
    let is_list = begins_line
        && !noun
        && matches!(sign_after, Some('.' | ')' | '、'))
        && all.token(at + 2).is_some_and(|next| next.sign() != Some('\n'))
        && all.line.last() > Some(&0);
    if is_list {
        return None;
    }
    let span = at..at + 1 + usize::from(measured);
    let clause = all.clause_of(at);
    // "The plain one", "that leaves exactly one", "you pick one".
    let chooses = |at: usize| all.is(at, class::FIRST) || begins_so(all.word(at), "own verb");
    let pronoun = token.number == 1.0
        && token.kind == Kind::Spelt
        && all.word(at).is_ascii()
        && !named
        && all.tokens.len() > 3
        && !is_one(all.word(at.saturating_sub(1)), "the")
        && !(all.has(at, CHOSEN) && (clause.start..at).any(chooses));
    if noun && !is_ordinal {
        return (!pronoun).then_some((How::Noun, span));
    }
    let alone = all.holds_only(
        clause.clone(),
        BESIDE
            | class::MAYBE
            | class::NEG
            | class::RATHER
            | class::REJECT
            | class::FROM
            | class::TO
            | class::PAST
            | class::BUT
            | class::OTHER
            | class::SAYS
            | class::SECOND
            | class::OR
            | class::AND,
        &span,
    );
    if is_ordinal {
        let rank = is_after(class::FILLER) && !alone;
        // "I pick the second one because …"
        let ends = |at: usize| {
            all.token(at)
                .is_none_or(|next| next.sign().is_some() || next.is(class::BECAUSE))
        };
        let one = usize::from(all.word(at + 1) == "one");
        let picked = all.has(at, CHOSEN) && is_before(class::FILLER) && ends(at + 1 + one);
        return (noun || picked || (alone && !rank)).then_some((How::Word, span));
    }

    if token.kind == Kind::Spelt {
        // "I'd go with three because …"
        let picked = all.has(at, CHOSEN)
            && token.number > 1.0
            && all.token(at + 1).is_none_or(|next| {
                next.sign().is_some() || next.is(class::BECAUSE | class::AND | class::JOIN)
            })
            && !all.token(at + 2).is_some_and(is_plain);
        return ((alone || picked) && !pronoun).then_some((How::Word, span));
    }
    if after.is_some_and(|after| after.is_unknown() && after.span.1 - after.span.0 > 3)
        && !all.has(at, CHOSEN)
        && !begins_line
    {
        return None;
    }
    Some((How::Digit, span))
}

/// Principles by what they do: "the average with a floor".
fn by_words(all: &Scoped, by_then: bool, found: &mut Vec<Mention>) {
    const CONCEPT: u64 = class::FLOOR | class::LOW | class::AVG | class::RANGE | class::HIGH | class::CAP;
    const WITHIN: u64 = CONCEPT
        | class::FILLER
        | class::MAX
        | class::ONLY
        | class::JOIN
        | class::THEN
        | class::AND
        | class::MONEY
        | class::SIGN
        | class::NOUN;
    let mut at = 0;
    while let Some(token) = all.token(at) {
        let denied = token.is(class::CAP) && at > 0 && all.is(at - 1, class::WITHOUT | class::NEG);
        // In a ranking "the worst" is a place.
        let place = token.is(class::RANK) && (!by_then || token.is(class::REJECT));
        // "Overall, …", "unsure overall".
        let adverb = token.is(class::NOW)
            && (all.sign(at + 1) == Some(',') || at > 0 && all.is(at - 1, class::CERTAIN));
        if !token.is(CONCEPT) || token.is(class::SHIELD) || denied || place || adverb {
            at += 1;
            continue;
        }
        let start = at;
        let (mut seen, mut negated, mut joined, mut end) = (0_u64, false, false, at);
        let mut turn = 0;
        while let Some(next) = all.token(at) {
            let joins = |token: &Token| {
                token.is(class::JOIN) || by_then && token.is(class::THEN) && seen & class::AVG == 0
            };
            let then = next.sign() == Some(',')
                && all.token(at + 1).is_some_and(joins)
                && all
                    .tokens
                    .iter()
                    .skip(at + 2)
                    .take(4)
                    .any(|after| after.is(class::AVG | class::FLOOR | class::RANGE | class::CAP));
            // "with a decent floor": what describes it says nothing of which it is.
            let described = seen != 0
                && !next.is(class::NEG | class::WITHOUT | class::CHOOSE)
                && (next.is_unknown() || next.is(class::OTHER | class::PRAISE | class::COUNTED))
                && (1..=3).any(|back| at >= back + start && all.is(at - back, class::JOIN | class::THEN));
            let amount = next.is_number() && next.is_other
                || matches!(next.sign(), Some('$' | '€' | '"' | '\'' | '/' | '+'));
            // "The floor one and the average with a floor" are two.
            let one = next.is(class::NUM) && all.is(at + 1, class::AND);
            // "…, maximizing the average with a range constraint and maximizing the floor income"
            let other = next.is(class::AND) && seen & class::AVG != 0 && seen & LIMITS != 0;
            let other = other && all.is(at + 1, class::MAX) && raised(all, at + 1..at + 2);
            if !by_then && (other || next.is(class::THEN))
                || next.is(class::RANK) && next.is(class::REJECT)
                || one
            {
                break;
            }
            negated &= !then;
            if next.is(CONCEPT) {
                if !negated {
                    seen |= next.classes & CONCEPT;
                    end = at;
                }
            } else if next.is(class::JOIN) || next.sign() == Some('+') {
                joined = true;
            } else if next.is(class::MORE) && all.is(at + 1, class::MAX) && seen & class::AVG != 0 {
                // "La media lo más alta posible."
                end = at + 1;
            } else if !(next.is(WITHIN) || described || then || amount) {
                break;
            } else if next.is(class::THEN) && seen & class::FLOOR != 0 {
                joined = true;
                turn = at;
            }
            // "between 1 and 3" and a plain number end the name.
            at += 1;
        }
        let begin = (0..start)
            .rev()
            .take_while(|at| {
                all.same_clause(*at, start)
                    && all.is(*at, class::MAX | class::FILLER | class::ONLY)
                    && !all.is(*at, class::THEN)
            })
            .last()
            .unwrap_or(start);
        let before = |at: usize| at.checked_sub(1).filter(|at| all.same_clause(*at, start));
        let bare = (begin..start).all(|at| all.is(at, class::FILLER) && !all.is(at, class::MAX));
        let with = before(begin).filter(|at| bare && all.is(*at, class::JOIN));
        // "The one with a floor."
        let of_one = with.is_some();
        let joined = joined || before(start).is_some_and(|at| all.is(at, class::JOIN));
        // "Between the richest and the poorest."
        if seen & class::HIGH != 0 && all.any(begin.saturating_sub(3)..begin, class::BETWEEN) {
            seen = seen & !(class::FLOOR | class::LOW) | class::RANGE;
        }
        // "A floor of 12,000", 一万二的底线: with an amount it is a constraint.
        let sizes = |at: usize| {
            let mut between = if at < start { at + 1..start } else { end + 1..at };
            all.same_clause(at, end)
                && all.is_number(at)
                && all.tokens[at].number >= 1000.0
                && !between.any(|at| all.is_unknown(at))
        };
        if seen == class::FLOOR && (of_one || (start.saturating_sub(3)..end + 5).any(sizes)) {
            seen |= class::CAP;
        }
        if let Some((number, unclear)) = principle(seen, joined) {
            let mut flags = all.flags[start];
            flags |= (start..=end).fold(0, |flags, at| flags | all.flags[at] & (BEST | SECOND));
            // "先保证每个人有一笔钱，在这个基础上平均尽量高", "a floor, and from there whatever they earn": one part of it
            // no lexicon knows.
            let own = |at: &usize| !all.is(*at, class::CHOOSE | class::FIRST);
            let sentence = all.sentence_of(start);
            // "A floor, definitely. But above that …"
            let after = end..sentence.end + 6;
            let before = sentence.start..start;
            let half = match number {
                1 => built(all, after.clone()) && !all.any(after, class::AVG),
                2 => {
                    let then = (sentence.start + 2..begin)
                        .rev()
                        .take(2)
                        .any(|at| all.is(at, class::THEN));
                    then || before
                        .clone()
                        .rev()
                        .take_while(own)
                        .any(|at| built(all, at..at + 1))
                        && !all.any(before, LIMITS)
                }
                _ => false,
            };
            let unclear = unclear || half;
            // "Make the floor as high as possible, then the average."
            if unclear || number == 3 && raised(all, begin..turn) {
                flags |= UNCLEAR;
            }
            found.push(Mention {
                number,
                span: begin..end + 1,
                flags,
                how: How::Keyword,
            });
        }
        at = at.max(start + 1);
    }
}

/// The principle of these concepts, and whether it could be another.
fn principle(seen: u64, joined: bool) -> Option<(u8, bool)> {
    let has = |classes| seen & classes != 0;
    let (average, cap) = (has(class::AVG), has(class::CAP));
    Some(match (has(class::FLOOR), average, has(class::RANGE)) {
        (true, _, true) => (4, !has(class::HIGH)),
        (false, _, true) => (4, false),
        (true, true, false) => (3, !(joined || cap)),
        (true, false, false) => (if cap { 3 } else { 1 }, false),
        (false, true, false) => (2, cap),
        (false, false, false) if has(class::LOW) && !has(class::HIGH) => (1, cap),
        _ => return None,
    })
}

/// How much an assertion weighs: declared as the choice, standing alone, or in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    Passing,
    Alone,
    Declared,
    /// A line at one end of the answer that is nothing but a label and this.
    Labelled,
}

/// Whether an "although" stands before it, with no comma between.
pub(super) fn concedes(all: &Scoped, at: usize) -> bool {
    (all.sentence_of(at).start..at)
        .rev()
        .take_while(|place| all.sign(*place) != Some(','))
        .chain((at + 1..at + 3).take_while(|place| all.word(*place) > "\u{3400}"))
        .any(|place| all.is(place, class::BUT) && all.value(place) > 0)
}

/// A text of one sentence that is nothing but what a principle does: "cap the gap between rich and poor".
fn imperative(all: &Scoped, mention: &Mention) -> bool {
    const APART: u64 =
        class::BUT | class::NEG | class::REJECT | class::PRAISE | class::MAYBE | class::IF | class::OR;
    mention.how == How::Keyword
        && all.sentence_of(0).end + 1 >= all.tokens.len()
        && !all
            .tokens
            .iter()
            .any(|token| token.is(APART) && !token.is(class::FILLER))
}

/// Whether a later clause of the sentence votes for it in a word that points back: "3, and that is my vote".
fn votes_for(all: &Scoped, mention: &Mention) -> bool {
    pointed_to(all, mention.span.start)
}

/// The same for whatever is named at a place.
pub(super) fn pointed_to(all: &Scoped, place: usize) -> bool {
    const BACK: u64 = class::FILLER
        | class::AND
        | class::SO
        | class::FIRST
        | class::CHOOSE
        | class::NOW
        | class::BEST
        | class::SHIELD;
    let own = all.clause_of(place).end;
    // "… That is my vote."
    let end = all.sentence_of(place).end;
    let next = all.clause_of(all.clause_of(end + 1).start);
    let end = if !next.is_empty() && all.holds_only(next.clone(), BACK, &(0..0)) {
        next.end
    } else {
        end
    };
    // What is named behind it is nearer.
    let nearer = (own..end).find(|at| all.is(*at, class::NOUN) && all.token(at + 1).is_some_and(is_plain));
    (own..nearer.map_or(end, |at| at + 1)).any(|at| {
        let clause = all.clause_of(at);
        (all.is(at, class::CHOOSE) || all.is(at, class::BEST) && contains_one(all.word(at), "own within"))
            && !all.has(at, STRUCK | MAYBE)
            && clause.len() > 2
            && !all.any(clause.clone(), class::CERTAIN)
            && !all.any(clause.clone(), class::NUM | class::FLOOR)
            && all.holds_only(clause, BACK, &(0..0))
    })
}

pub(super) fn weight(all: &Scoped, mention: &Mention) -> Weight {
    let clause = all.clause_of(mention.span.start);
    let after = mention.span.end..clause.end;
    // Those who choose it, and what is granted: "选3的人", "although I like fixing 1".
    let of_others = all.is(after.start, class::OF) && all.is(after.start + 1, class::COUNTED);
    if of_others || concedes(all, mention.span.start) {
        return Weight::Passing;
    }
    if votes_for(all, mention) {
        return Weight::Declared;
    }
    // "**Principle 2: maximizing the average income**" as a line of its own.
    let line = all.line_of(mention.span.start);
    let named = mention.how == How::Noun && (mention.span.len() > 2 || all.line[mention.span.start] == 0);
    let next = all.line_of(line.end + usize::from(all.line_of(line.end).len() < 2));
    let listed = next.len() > 1 && all.holds_only(next, BESIDE | class::NUM, &(0..0));
    if named && !listed && all.line.last() > Some(&0) && all.holds_only(line, BESIDE, &mention.span) {
        return Weight::Labelled;
    }
    // "Voting for 2 would be wrong" says what voting for it would be.
    let of_voting = all.tokens[clause.clone()]
        .iter()
        .find(|token| !token.is(class::FILLER))
        .is_some_and(|token| token.is(class::GERUND))
        && !all.holds_only(after.clone(), BESIDE, &(0..0));
    if mention.flags & CHOSEN != 0 && !of_voting {
        return Weight::Declared;
    }
    let big = |at: usize| all.is_number(at) && all.tokens[at].is_other;
    // "Principle 4 with a limit of $20,000."
    let own = match mention.number {
        3 => class::CAP | class::FLOOR | class::LOW,
        4 => class::CAP | class::RANGE | class::HIGH | class::LOW | class::BETWEEN,
        _ => 0,
    };
    // "I am broke, so 1."
    let from = (clause.start..mention.span.start)
        .rev()
        .find(|at| all.is(*at, class::SO) && !all.is(*at, class::FILLER))
        .unwrap_or(clause.start);
    let alone = (from..clause.end).all(|at| {
        mention.span.contains(&at)
            || at > mention.span.start && all.has(at, REASON) && mention.flags & REASON == 0
            || at + 1 == mention.span.start && all.is(at, class::SHIELD)
            || all.is(at, BESIDE | class::MAYBE)
            || all.sign(at).is_some()
            || big(at)
            || at > mention.span.start && all.is(at, own)
    });
    // A number in brackets after words that mean nothing here.
    let aside = clause.start > 0
        && all.sign(clause.start) == Some('(')
        && (all.is_unknown(clause.start - 1) || all.is(clause.start - 1, class::COUNTED));
    let alone = alone && !aside || imperative(all, mention);
    if alone && mention.how != How::Keyword && names_label(all, mention.span.start) {
        return Weight::Declared;
    }
    if alone || mention.flags & BEST != 0 {
        Weight::Alone
    } else {
        Weight::Passing
    }
}

/// Whether who answers votes for it in so many words: one's own verb that chooses, and the principle right behind it.
fn is_verdict(all: &Scoped, mention: &Mention) -> bool {
    const LED: u64 = BESIDE | class::AND | class::THEN | class::SHIELD;
    let at = mention.span.start;
    let clause = all.clause_of(at);
    let verb = (clause.start..at).rev().find(|at| all.is(*at, class::CHOOSE));
    let own = |verb: usize| all.any(clause.start..verb + 1, class::FIRST);
    let led = |verb: usize| {
        (own(verb) || !all.is(verb, class::GERUND | class::SAYS))
            && all.holds_only(clause.start..verb, LED, &(0..0))
            && all.holds_only(verb + 1..at, BESIDE, &(0..0))
    };
    mention.flags & (STRUCK | MAYBE) == 0
        && mention.flags & CHOSEN != 0
        && verb.is_some_and(led)
        && !concedes(all, at)
        && rest::in_known_words(all, &mention.span)
}

/// One's own vote for the only principle that is named, whoever named it: "Ana thinks little of 1. I don't, and I vote
/// for it."
fn by_pronoun(all: &Scoped, found: &[Mention]) -> Option<Mention> {
    let named = found.first()?;
    // "2? Let the poor starve? I vote for the one that lifts them": not for what was asked.
    if found
        .iter()
        .any(|one| one.number != named.number || one.flags & ASKED != 0)
    {
        return None;
    }
    const LEAD: u64 = class::FIRST
        | class::FILLER
        | class::AND
        | class::SO
        | class::BUT
        | class::NOW
        | class::CHOOSE
        | class::SHIELD;
    let own = |at: usize| all.is(at, class::FIRST) || begins_so(all.word(at), "own verb");
    let votes = |at: usize| {
        let clause = all.clause_of(at);
        let joint = (clause.start..at).rfind(|at| all.is(*at, class::AND));
        let lead = joint.unwrap_or(clause.start)..at;
        let verb = if all.is(at + 1, class::CHOOSE) { at + 1 } else { at };
        let told = all.has(verb, CHOSEN) && (lead.start..=verb).any(own)
            || super::vote::wins(all, &(at..clause.end), "wins");
        told && !all.has(verb, STRUCK & !REASON | MAYBE) && all.holds_only(lead, LEAD, &(0..0))
    };
    let at = (named.span.end..all.tokens.len()).rfind(|at| is_one(all.word(*at), "it") && votes(*at))?;
    Some(Mention {
        number: named.number,
        span: at..at + 1,
        flags: CHOSEN,
        how: How::Noun,
    })
}

/// Exactly one principle is asserted, and every other that is named is accounted for.
pub(super) fn decide(all: &Scoped) -> Reading<Principle> {
    let mut found = mentions(all);
    let pointed = by_pronoun(all, &found);
    let by_it = pointed.as_ref().map(|mention| mention.span.start);
    found.extend(pointed);
    let unclear = Reading::unread(Reason::PrincipleContentUnclear);

    let mut active: Vec<(&Mention, Weight)> = Vec::new();
    let mut doubtful: Vec<usize> = Vec::new();
    for (at, mention) in found.iter().enumerate() {
        let from = mention.span.start.checked_sub(1).is_some_and(|before| {
            let noun = usize::from(all.is(before, class::NOUN) && before > 0);
            all.is(before - noun, class::FROM)
                || (all.is(before - noun, class::FILLER)
                    && all.has(mention.span.start, CHOSEN)
                    && changes_to(all, &found, at))
        });
        let unsettled = mention.flags & UNCLEAR != 0 && mention.flags & (STRUCK & !UNCLEAR & !NEGATED) == 0;
        let refused = mention.how == How::Keyword
            && mention.number != 2
            && all.in_clause(mention.span.start, class::REFUSE);
        if refused {
            continue;
        }
        let voted = mention.flags & STRUCK == IF
            && votes_for(all, mention)
            && !all.in_clause(mention.span.start, class::IF);
        if unsettled {
            doubtful.push(mention.span.start);
        } else if (mention.flags & STRUCK == 0 || voted) && !from {
            active.push((mention, weight(all, mention)));
        }
    }
    // "I chose 2 in round 1. From now on it's principle 3."
    let now = |mention: &Mention| {
        let clause = all.clause_of(mention.span.start);
        let label = clause
            .start
            .checked_sub(1)
            .filter(|_| all.sign(clause.start) == Some(':'));
        all.any(clause.start..mention.span.start, class::NOW)
            || label.is_some_and(|label| all.in_clause(label, class::NOW))
    };
    if let Some(&(last, weight)) = active.last()
        && weight > Weight::Passing
        && now(last)
    {
        let sentence = all.sentence[last.span.start];
        active.retain(|(mention, _)| all.sentence[mention.span.start] == sentence || now(mention));
    }
    if let Some(last) = all.last_correction() {
        let after = active.iter().any(|(mention, _)| mention.span.start > last);
        if after {
            active.retain(|(mention, _)| mention.span.start > last);
            doubtful.retain(|at| *at > last);
        }
    }
    // "I vote for 1": where only one is voted for so, what else is named was weighed.
    let verdicts: Vec<(&Mention, Weight)> = active
        .iter()
        .copied()
        .filter(|(mention, weight)| {
            *weight > Weight::Passing && is_verdict(all, mention) || by_it == Some(mention.span.start)
        })
        .collect();
    let settled = verdicts.windows(2).all(|two| two[0].0.number == two[1].0.number);
    let verdict = verdicts.last().filter(|_| settled);
    // The last of those that weigh most.
    let Some(&(chosen, best)) = verdict.or_else(|| {
        active
            .iter()
            .filter(|(mention, weight)| {
                *weight > Weight::Passing
                    && (rest::in_known_words(all, &mention.span) || votes_for(all, mention))
            })
            .max_by_key(|(mention, weight)| (*weight, mention.how != How::Keyword))
    }) else {
        let several = !doubtful.is_empty() || active.len() > 1;
        return if several {
            Reading::unread(Reason::MultipleValidNumbers)
        } else {
            unclear
        };
    };
    let several = Reading::unread(Reason::MultipleValidNumbers);
    let at = chosen.span.start;
    for (other, weight) in &active {
        if other.number == chosen.number {
            continue;
        }
        let before = other.span.start < at;
        if verdict.is_some() && other.flags & CHOSEN == 0 && (before || other.flags & BEST == 0) {
            continue;
        }
        let turned = before && all.any(other.span.end..at, class::BUT | class::SO);
        let apart = !all.same_sentence(other.span.start, at) || turned;
        let explained = match (best, weight) {
            (Weight::Labelled, Weight::Declared) => {
                all.tokens.len() > 80 && !all.same_line(other.span.start, at)
            }
            (Weight::Declared | Weight::Labelled, Weight::Passing) => apart || explains(chosen, other),
            // The answer that all else explains.
            (Weight::Labelled, Weight::Alone)
                if other.flags & (CHOSEN | BEST) == 0
                    && chosen.how != How::Keyword
                    && all.line[at] == 0
                    && all.line[other.span.start] > 0
                    && !names_it(all, other.span.start) =>
            {
                true
            }
            (Weight::Declared | Weight::Labelled, Weight::Alone) => {
                let said = other.span.clone();
                let part = before && !all.holds_only(all.sentence_of(said.start), BESIDE, &said);
                other.flags & BEST == 0
                    && (!all.same_line(said.start, at)
                        && (other.how == How::Keyword && !names_it(all, said.start) || part)
                        || part && apart && !all.in_clause(said.start, class::FIRST | class::CHOOSE))
                    || turned && !all.same_sentence(said.start, at)
                    || chosen.how != How::Keyword && !apart && explains(chosen, other)
            }
            // "Principle 4. Although 3 is not bad either."
            (Weight::Alone, Weight::Passing) if concedes(all, other.span.start) => true,
            // A part of it may be spoken of.
            (Weight::Alone, Weight::Passing)
                if chosen.number > 2
                    && other.how == How::Keyword
                    && other.number < 3
                    && apart
                    && other.flags & BEST == 0
                    && !all.in_clause(other.span.start, class::CHOOSE | class::FIRST) =>
            {
                true
            }
            (Weight::Alone, Weight::Passing) => {
                let sentence = all.sentence_of(at);
                let without = [0, class::NEG | class::WITHOUT | LIMITS][usize::from(chosen.number == 2)];
                let whole = all.holds_only(sentence.clone(), BESIDE | without, &chosen.span);
                let own_clause = all.clause_of(at);
                let own = all.any(
                    sentence.clone(),
                    class::FIRST | class::SO | class::BEST | class::ONLY,
                );
                let last = sentence.end + 1 >= all.tokens.len();
                let reasons = whole
                    && !before
                    && other.how == How::Keyword
                    && !all.in_clause(other.span.start, class::FIRST);
                // "I find 3 the fairest. 1 would cost too much."
                let turns = |at: usize| all.is(at, class::BUT) && all.value(at) == 0;
                let of_some =
                    class::LOW | class::FLOOR | class::AVG | class::RANGE | class::HIGH | class::MORE;
                let rated = chosen.how != How::Keyword
                    && chosen.flags & BEST != 0
                    && other.flags & BEST == 0
                    && apart
                    && other.flags & CHOSEN == 0
                    && (before || !(chosen.span.end..other.span.start).any(turns))
                    && !all.any(chosen.span.end..all.clause_of(at).end, of_some);
                // "1 is nice too, but 3."
                let turns_to = turned && last && all.holds_only(own_clause.clone(), BESIDE, &chosen.span);
                rated
                    || turns_to
                    || apart && (sentence.start <= 1 && reasons || before && whole && last && own)
            }
            _ => false,
        };
        if !explained {
            return several;
        }
    }
    // What a principle does may be weighed in later sentences; a number is named for a reason.
    let weighed = |doubt: usize| {
        let apart = all.line[doubt] > all.line[at];
        apart || best >= Weight::Declared
    };
    if doubtful.iter().any(|doubt| *doubt > at && !weighed(*doubt)) {
        return several;
    }
    if found.iter().any(|other| {
        other.number == chosen.number
            && other.span.start > at
            && other.flags & (NEGATED | UNCLEAR) != 0
            && other.flags & (OTHERS | QUOTED | IF | REASON) == 0
            && (other.how != How::Keyword || negated_at(all, other.span.start))
    }) {
        return unclear;
    }
    // "3 from 15,000 on, otherwise 2."
    let otherwise = |at: usize| all.is(at, class::SECOND) && !all.is(at, class::RANK) && all.value(at) > 0;
    let apart =
        |other: &Mention| other.number != chosen.number && all.clause_of(other.span.start).any(otherwise);
    // 能到15000，我就投3；定不到，我就投1: the other outcome.
    let outcome = all.any(all.clause_of(at).start..at, class::SO);
    let apart = |other: &Mention| {
        apart(other)
            || outcome
                && other.number != chosen.number
                && other.flags & IF != 0
                && all.sentence[other.span.start] + 1 == all.sentence[at]
                && !(other.span.end..at).any(|at| all.is(at, class::BUT))
    };
    if found.iter().any(apart) || (all.sentence_of(at).start..at).any(otherwise) {
        return unclear;
    }
    // 原责三，底线12000: a number that names nothing here.
    let unnamed = |place: usize| {
        let ends = |sign: &Token| matches!(sign.sign(), Some(',' | '.' | ':' | '。' | '\n'));
        is_plain(&all.tokens[place])
            && (all.tokens[place].kind == Kind::Digits || !all.word(place).is_ascii())
            && (1.0..=4.0).contains(&all.tokens[place].number)
            && place > 0
            && all.is_unknown(place - 1)
            && all.token(place + 1).is_some_and(ends)
            && all.tokens[place].number != f64::from(chosen.number)
            && !found.iter().any(|one| one.span.contains(&place))
    };
    if chosen.how == How::Keyword && (leaves_out(all, &found, chosen) || (0..all.tokens.len()).any(unnamed)) {
        return unclear;
    }
    // "It lifts everybody, since we don't know where we land": behind such a line, only who says "I" refuses.
    // "Choice: 1. Principle 3 protects too, although it depends on a figure."
    let labelled = best == Weight::Labelled || best == Weight::Declared && names_label(all, at);
    let end = all.sentence_of(at).end;
    let own = |place: usize| {
        let clause = all.clause_of(place);
        all.is(place, class::REFUSE)
            && (best < Weight::Labelled && place < end
                || all.any(clause.clone(), class::FIRST)
                || all.holds_only(clause, class::FILLER | class::REFUSE, &(0..0)))
    };
    // "How much? Whatever the group says" leaves the principle as it is.
    let of_amount = |at: usize| all.names_amount(at);
    let of_figure = |place: usize| {
        let sentence = all.sentence_of(place);
        let asked = sentence
            .start
            .checked_sub(2)
            .filter(|before| all.has(*before, ASKED));
        let from = asked.map_or(sentence.start, |before| all.sentence_of(before).start);
        let of_certainty = all.any(sentence.clone(), class::CERTAINTY | class::CERTAIN);
        let clause = all.clause_of(place);
        let of_limit = chosen.number > 1 && !clause.contains(&at) && all.any(clause, LIMITS);
        of_limit && chosen.number == 2
            || place > at && (of_certainty || of_limit || (from..sentence.end).any(of_amount))
    };
    let refused = refuses_but(all, at, &of_figure) && (!labelled || (0..all.tokens.len()).any(own));
    if refused || all.has(at, IF) && !votes_for(all, chosen) || conditional(all, at) {
        return unclear;
    }
    // Another that somebody is for further on is a change of mind, unless it is put in the past.
    let turned_to = |other: &Mention| {
        let place = other.span.start;
        let doubted = best < Weight::Declared && other.flags & (IF | ASKED | UNCLEAR) != 0;
        place > at
            && other.number != chosen.number
            && other.flags & (NEGATED | SECOND) == 0
            && doubted
            && other.flags & REASON == 0
            && !all.in_sentence(place, class::PAST)
    };
    // "We all know how this ends: 3.", "My worry: principle 2."
    let heading = all
        .clause_of(at)
        .start
        .checked_sub(1)
        .map(|before| all.clause_of(before));
    // "There is one that I don't get, 4."
    let clause = all.clause_of(at).start;
    let described = best < Weight::Declared
        && all.sign(clause) == Some(',')
        && heading.as_ref().is_some_and(|clause| {
            let one = |at: usize| {
                all.is_number(at) && all.tokens[at].number == 1.0 && all.tokens[at].kind == Kind::Spelt
            };
            all.same_sentence(clause.start, at)
                && clause.clone().any(one)
                && !all.any(clause.clone(), class::CHOOSE | class::BEST)
        });
    // "The talk moved me: principle 3, very sure."
    let sure = |at: usize| {
        all.is(at, class::CERTAIN) && all.holds_only(all.clause_of(at), BESIDE | class::SHIELD, &(0..0))
    };
    let strange_label = best < Weight::Declared
        && !(at..all.tokens.len()).any(sure)
        && all.sign(all.clause_of(at).start) == Some(':')
        && heading.is_some_and(|label| {
            let own = all.any(label.clone(), class::FIRST);
            let strange = all.tokens[label.clone()]
                .iter()
                .filter(|token| token.is_unknown());
            let same = |one: &Mention| one.number == chosen.number && label.contains(&one.span.start);
            !found.iter().any(same)
                && !all.any(label.clone(), class::CHOOSE)
                && (strange.count() > usize::from(!own) || all.any(label.clone(), class::REJECT))
        });
    // "…, but I have no number yet" is of the amount.
    let named = |clause: Range<usize>| {
        found.iter().any(|mention| clause.contains(&mention.span.start))
            || clause
                .clone()
                .any(|at| of_amount(at) || all.is_number(at) && all.tokens[at].number >= 1000.0)
    };
    let firm = best >= Weight::Declared;
    // "A floor of 12,000 here, of 15,000 there … so I choose none for now."
    let declines = |place: usize| {
        all.is(place, class::CHOOSE)
            && !all.is(place, class::NOUN | class::SAYS | class::SO)
            && all.has(place, NEGATED)
            && !all.has(place, OTHERS | QUOTED | PAST | IF | REASON)
            && !named(all.clause_of(place))
    };
    if !firm && chosen.how == How::Keyword && (0..all.tokens.len()).any(declines) {
        return unclear;
    }
    // "Principle 4, hmm, I wonder whether to vote for it."
    let wondered =
        |at: usize| is_one(all.word(at), "it") && all.has(at, CHOSEN) && all.in_clause(at, class::FIRST);
    // "Principle 2 wins today. I'll be voting for what I believe in."
    let votes_on = |at: usize| {
        chosen.how != How::Keyword
            && all.is(at, class::CHOOSE)
            && !all.is(at, class::NOUN | class::SAYS | class::FILLER)
            && !all.same_sentence(at, chosen.span.start)
            && !all.has(at, STRUCK)
            && (all.in_clause(at, class::FIRST) || begins_so(all.word(at), "own verb"))
            && !all.sentence_of(at).any(|at| of_amount(at) || all.is_number(at))
    };
    let wonders =
        best < Weight::Declared && (chosen.span.end..all.tokens.len()).any(|at| wondered(at) || votes_on(at));
    if found.iter().any(turned_to)
        || strange_label
        || described
        || wonders
        || rest::taken_back(all, chosen.span.end, firm, &named)
    {
        return unclear;
    }
    // What was weighed in lines before, or up to a conclusion, is no other leaning.
    let concludes = all.any(all.sentence_of(at).start..at, class::SO);
    let beside = |other: &Mention| {
        let before = all.line[other.span.start] < all.line[at] || concludes && other.span.start < at;
        // "I lean to 2. 1 protects the weak, but at a price."
        let weighed = other.span.start > at
            && !all.same_sentence(other.span.start, at)
            && other.flags & (MAYBE | CHOSEN | BEST | IF | ASKED) == 0
            && !all.in_clause(other.span.start, class::PRAISE | class::FIRST);
        let struck = other.flags & (PAST | OTHERS | QUOTED | NEGATED | SECOND) != 0;
        other.number != chosen.number && !before && !weighed && !struck
    };
    if chosen.flags & MAYBE != 0 && found.iter().any(beside) {
        return unclear;
    }
    // The last that says so tells how.
    let said = active
        .iter()
        .rev()
        .find(|(mention, weight)| *weight == best && mention.number == chosen.number)
        .map_or(chosen, |(mention, _)| mention);
    match Principle::from_number(chosen.number) {
        Some(principle) => Reading::read(
            principle,
            if said.flags & CHOSEN != 0 && said.how == How::Digit {
                How::Label
            } else {
                said.how
            },
        )
        .by(all.span(all.clause_of(said.span.start))),
        None => unclear,
    }
}

/// Whether its sentence speaks of a floor or a range that the average alone does not have, or the same words were turned
/// down before.
fn leaves_out(all: &Scoped, found: &[Mention], chosen: &Mention) -> bool {
    let limits = class::FLOOR | class::RANGE | class::CAP;
    // "Although the floor matters, I vote for the average."
    let must = |at: usize| all.is_number(at) || begins_so(all.word(at), "must");
    let granted = |at: usize| at < chosen.span.start && concedes(all, at) && !all.clause_of(at).any(must);
    let limit =
        |at: usize| all.is(at, limits) && !chosen.span.contains(&at) && !all.has(at, STRUCK) && !granted(at);
    // "The average while nobody gets less than 12,000."
    let amount = |at: usize| {
        all.is_number(at)
            && all.tokens[at].number >= 1000.0
            && !all.has(at, OTHERS | PAST | QUOTED)
            && (!all.has(at, NEGATED) || all.in_clause(at, class::MORE))
    };
    // "Neither 1 nor 2. Of the two constraints I choose the floor."
    let constrained = chosen.number == 1
        && (found
            .iter()
            .any(|other| other.number == 1 && other.flags & (NEGATED | UNCLEAR) != 0)
            || (0..all.sentence_of(chosen.span.start).end).any(|at| {
                all.is(at, class::CAP)
                    && !all.has(at, NEGATED | OTHERS | QUOTED | REASON)
                    && !chosen.span.contains(&at)
            }));
    // "The average should rise, but nobody may fall below Deepa's figure."
    let sentence = all.sentence_of(chosen.span.start);
    let turn = (chosen.span.end..sentence.end).find(|at| all.is(*at, class::BUT));
    let bounded = turn.is_some_and(|turn| {
        (turn..sentence.end).any(|at| {
            all.is(at, class::CAP | class::BETWEEN | class::LOW | class::HIGH)
                || is_one(all.word(at), "bounds")
        })
    });
    // "Nobody far ahead of the rest; that done, the average as high as possible."
    let mut before = all.tokens.iter().take(chosen.span.start);
    let nobody = chosen.flags & CHOSEN == 0 && before.any(|token| begins_so(all.text_at(token), "nobody"));
    // "Without a guaranteed minimum I don't vote for the average. With it, yes."
    let word = (0..chosen.span.start).rfind(|at| !all.is(*at, class::FILLER) || all.is(*at, class::JOIN));
    let joined = chosen.number == 1
        && word.is_some_and(|at| all.is(at, class::JOIN))
        && found.iter().any(|other| other.number == 2);
    constrained
        || joined
        || chosen.number == 2 && (bounded || nobody)
        || chosen.number == 2 && sentence.clone().any(|at| limit(at) || amount(at))
}

/// Whether the number and words after it in the same sentence can be of one principle: "3, so that there is a floor and
/// the average grows".
fn explains(chosen: &Mention, other: &Mention) -> bool {
    other.how == How::Keyword && other.span.start > chosen.span.start && chosen.number > 2 && other.number < 3
}

/// Whether it stands behind the colon of a label that chooses, at the head of a line: "Chosen principle: 1. It …".
fn names_label(all: &Scoped, at: usize) -> bool {
    let clause = all.clause_of(at).start;
    let label = all.line_of(at).start..clause;
    all.sign(clause) == Some(':')
        && label.len() <= 5
        && all.any(label.clone(), class::CHOOSE | class::NOUN)
        && !all.tokens[label].iter().any(Token::is_number)
}

/// Whether a label that names the principle stands before it.
fn names_it(all: &Scoped, at: usize) -> bool {
    let from = all.clause_of(at).start;
    all.sign(from) == Some(':') && all.any(all.line_of(at).start..from, class::NOUN)
}

/// Whether the negation stands right before it.
fn negated_at(all: &Scoped, at: usize) -> bool {
    let before = all.clause_of(at).start.max(at.saturating_sub(4))..at;
    all.any(before, class::NEG | class::REJECT)
}

/// Whether this principle is declared as the choice, not only named.
pub(super) fn declares(all: &Scoped, principle: Principle) -> bool {
    let declared =
        |mention: &Mention| mention.flags & (STRUCK | MAYBE) == 0 && weight(all, mention) >= Weight::Declared;
    mentions(all)
        .iter()
        .any(|mention| mention.number == principle.number() && declared(mention))
}

/// "from 1 to 3": what stands before the new one is the old one.
fn changes_to(all: &Scoped, found: &[Mention], at: usize) -> bool {
    let Some((one, other)) = found.get(at).zip(found.get(at + 1)) else {
        return false;
    };
    let changed = all
        .corrections
        .iter()
        .any(|place| *place < one.span.start && all.same_sentence(*place, one.span.start));
    changed
        && all.same_sentence(one.span.start, other.span.start)
        && all.any(
            one.span.end.min(other.span.start)..other.span.start,
            class::TO | class::CORRECT,
        )
}

/// Whether nothing is chosen in so many words, and nothing after it takes that back.
pub(super) fn refuses(all: &Scoped, chosen: usize) -> bool {
    refuses_but(all, chosen, &|_| false)
}

/// The same without what is refused at some places.
fn refuses_but(all: &Scoped, chosen: usize, but: &dyn Fn(usize) -> bool) -> bool {
    all.tokens.iter().enumerate().any(|(at, token)| {
        token.is(class::REFUSE)
            && !but(at)
            && at != chosen
            && !all.has(at, OTHERS | QUOTED | PAST | IF | ASKED)
            && !(at > chosen && all.has(at, REASON))
            && !(at < chosen
                && (!all.same_sentence(at, chosen)
                    || all.any(
                        at + 1..chosen,
                        class::BUT | class::SO | class::NOW | class::CHOOSE | class::CORRECT,
                    )))
    })
}

/// Whether the sentence makes what it says depend on something.
pub(super) fn conditional(all: &Scoped, at: usize) -> bool {
    let even = |at: &usize| all.is(*at, class::BUT) && all.value(*at) > 0;
    let end = all.sentence_of(at).end;
    (at..end)
        .take_while(|at| !even(at))
        .any(|at| all.is(at, class::IF) && all.has(at, IF) && !all.has(at, REASON))
}
