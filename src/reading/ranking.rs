//! A ranking of the four principles with how sure it is. Not for why.

use super::certainty::certainty;
use super::choice::of_value;
use super::clean::clean;
use super::option::{Mention, conditional, named};
use super::scope::Scoped;
use super::scope::flag::*;
use super::token::{Kind, Token, begins_so, class, contains_one, ends_so, is_one};
use super::{How, Reading, Reason, json, letter, rest};
use crate::language::Language;
use crate::principle::{Certainty, Principle, Ranking};
use serde_json::Value;

/// The ranking that an answer gives: a numbered list or table, one line, or words that put each in its place.
#[must_use]
pub fn ranking(text: &str, language: Language) -> Reading<Ranking> {
    let clean = clean(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    if clean.contains('{') {
        let mut found: Vec<Ranking> = Vec::new();
        for object in json::objects(&clean) {
            found.extend(of_object(&object, language));
        }
        found.dedup();
        match found.as_slice() {
            [one] => return Reading::read(one.clone(), How::Json),
            [_, _, ..] => return Reading::unread(Reason::RankingUnclear),
            [] => {}
        }
    }
    let all = Scoped::of(text, &in_lines(letter::numbered(clean, language)), language);
    let unclear = || Reading::unread(Reason::RankingUnclear);
    let mut found: Vec<Found> = Vec::new();
    for read in [by_lines, unnumbered, in_rows] {
        if found.is_empty() {
            found = read(&all);
        }
    }
    if found.is_empty() {
        found.extend(
            told(&all, 0)
                .or_else(|| between_ends(&all))
                .or_else(|| in_pairs(&all))
                .or_else(|| in_sequence(&all, false))
                .or_else(|| in_sequence(&all, true))
                .or_else(|| in_digits(&all)),
        );
    }
    let anew = renewed(&all, &found);
    if anew {
        found.drain(..found.len() - 1);
    }
    // "No, the last two the other way: 3, 4, 1, 2" gives the order already.
    let is = |of| (0..all.tokens.len()).any(|at| all.is(at, of) && !(anew && all.is(at, class::REFUSE)));
    let (mut ascending, both) = (is(class::ASC), is(class::ASC) && is(class::DESC));
    if both {
        // "From worst to best 2, 4, 1, 3, so from best to worst 3, 1, 4, 2": each under its own.
        let mut from = 0;
        for one in &mut found {
            let under = |class| all.any(from..one.at, class);
            if one.fixed || under(class::ASC) == under(class::DESC) {
                return unclear();
            }
            if under(class::ASC) {
                one.order.reverse();
            }
            from = one.end;
        }
        if found.len() < 2 {
            return unclear();
        }
        ascending = false;
    }
    if found.len() > 1 {
        own_last(&all, &mut found);
        // "Not 1-2-3-4", but "to the worst 1-2-3-4".
        let denied = |one: &Found| one.flags & NEGATED != 0;
        found.retain(|one| one.flags & (PAST | OTHERS | QUOTED) == 0 && !denied(one));
    }
    let Some(last) = found.last() else {
        let any = !named(&all, false).is_empty();
        return Reading::unread(if any {
            Reason::IncompleteRanking
        } else {
            Reason::NoNumberedList
        });
    };
    // "1, 2, 3, 4 is how they were printed, no order of mine."
    let as_listed = last.how == How::Inline && last.order.iter().map(|one| one.number()).eq(1..=4) && {
        let outside = |at: &usize| !(last.at..last.end).contains(at);
        let denies =
            |at| all.is(at, class::NEG | class::NAY | class::REFUSE | class::TIE) && !all.has(at, REASON);
        (0..all.tokens.len()).filter(outside).any(denies)
    };
    if found.iter().any(|one| one.order != last.order)
        || as_listed
        || last.flags & (OTHERS | QUOTED | IF | ASKED | PAST) != 0
        || ties(&all, last)
        || turned(&all, last, anew)
        || of_another(&all)
        || by_another(&all, last.at)
        || last.how == How::Inline && contradicted(&all, last)
    {
        return unclear();
    }
    let up = |at| upwards(&all, last, at);
    if ascending && (last.fixed || last.how != How::Word && !(0..all.tokens.len()).any(up))
        || !ascending && !both && last.how == How::Inline && from_worst(&all, last)
    {
        return unclear();
    }
    let mut order = last.order;
    if ascending {
        order.reverse();
    }
    Reading::read(
        Ranking {
            order,
            certainty: certainty(&all),
        },
        last.how,
    )
    .by(all.span(last.at..last.end))
}

/// "Bruno: 3, 1, 4, 2. I agree with him": a name at the very beginning that is not who speaks.
fn of_another(all: &Scoped) -> bool {
    let spoken_of = |at: usize| {
        all.is(at, class::ASSENT | class::DISSENT | class::NAY) && !all.is(at, class::FILLER)
            || is_one(all.word(at), "pronouns")
    };
    let who = |at: usize| all.is_unknown(at) || all.is(at, class::OTHER);
    let colon = (1..=3).find(|at| all.sign(*at) == Some(':')).unwrap_or_default();
    (0..colon).any(who) && (colon..all.tokens.len()).any(spoken_of)
}

/// "According to Ana, 3 first, …".
fn by_another(all: &Scoped, found: usize) -> bool {
    // "Ana puts 3 first, then 1, …"

    let sentence = all.sentence_of(found).start..found;
    let first = sentence.into_iter().find(|at| all.sign(*at).is_none());
    first.is_some_and(|at| {
        let clause = at + 1..all.clause_of(at).end.min(found);
        is_one(all.word(at), "by whom") && !all.any(clause.clone(), class::FIRST)
    })
}

/// "My order: 1) floor, 2) average, 3) …, 4) …": each in a line of its own, where all four places stand in one.
fn in_lines(text: String) -> String {
    let mut places = Vec::new();
    let mut from = 0;
    for place in b'1'..=b'4' {
        let marks = |at: &usize| {
            let (before, rest) = text.as_bytes().split_at(*at);
            let apart = before
                .last()
                .is_some_and(|c| matches!(c, b' ' | b',' | b':' | b'('));
            // "Rank 1: floor. Rank 2: …", but "Principle 1: first".
            let named = || {
                let before = text.get(..*at).unwrap_or_default().trim_end();
                ends_so(before, "rankword")
            };
            apart
                && rest[0] == place
                && matches!(rest.get(1..3), Some([sign @ (b')' | b'.' | b':'), c])
                    if !c.is_ascii_digit() && (*sign != b':' || named()))
        };
        let Some(at) = (from..text.len()).find(marks) else {
            return text;
        };
        if place > b'1' && text.as_bytes()[from..at].contains(&b'\n') {
            return text;
        }
        places.push(at);
        from = at + 1;
    }
    let mut out = text;
    for at in places.into_iter().rev() {
        out.insert(at, '\n');
    }
    out
}

/// "2134, very unsure": the only number is the four of them.
fn in_digits(all: &Scoped) -> Option<Found> {
    let mut numbers = (0..all.tokens.len()).filter(|at| all.is_number(*at));
    let at = numbers.next().filter(|_| numbers.next().is_none())?;
    let of = |digit: u8| Principle::from_number(digit.checked_sub(b'0')?);
    let order: Vec<Principle> = all.word(at).bytes().filter_map(of).collect();
    let beside = |at: usize| matches!(all.sign(at), Some('$' | '€' | '%')) || all.is(at, class::MONEY);
    let plain = all.word(at).len() == 4 && !beside(at + 1) && (at == 0 || !beside(at - 1));
    let order = distinct(&order).filter(|_| plain)?;
    Some(Found::of(order, at..at + 1, all.flags[at], How::Inline, false))
}

/// "Ana's order is 1-2-3-4; mine, however, 3-4-1-2": where the last of several is one's own, those before it that are of
/// somebody else are not meant, unless they are compared.
fn own_last(all: &Scoped, found: &mut Vec<Found>) {
    let mut from = 0;
    let mut whose = Vec::new();
    for one in found.iter() {
        let before = from.max(all.sentence_of(one.at).start)..one.at;
        let compared =
            class::RATHER | class::BEATS | class::PAST | class::CORRECT | class::PRAISE | class::SAYS;
        let strange = before
            .clone()
            .any(|at| all.is_unknown(at) || all.is(at, class::OTHER));
        let own = all.any(before.clone(), class::FIRST) && !all.any(before, compared);
        whose.push((own, strange));
        from = one.end;
    }
    if let [others @ .., (true, _)] = &whose[..]
        && others.iter().all(|(own, strange)| !own && *strange)
    {
        found.drain(..others.len());
    }
}

/// "My list was 1-2-3-4. Now it's 1-3-2-4.", "2, 3, 1, 4, no, swap the last two: 2, 3, 4, 1": the last is what stands.
fn renewed(all: &Scoped, found: &[Found]) -> bool {
    let [.., before, last] = found else { return false };
    let struck = OTHERS | QUOTED | ASKED | IF;
    let strange = |at: usize| all.is_unknown(at) || all.is(at, class::OTHER | class::SAYS | class::CTX);
    let mut between = before.end..last.at;
    let start = all.clause_of(last.at).start;
    let label = usize::from(all.sign(start) == Some(':'));
    let lead = all.clause_of(start - label).start.max(before.end)..last.at;
    let is_past = |at: usize| all.is(at, class::PAST) || is_one(all.word(at), "was");
    let against = class::NEG | class::NAY | class::RATHER | class::REJECT | class::MIGHT | class::MAYBE;
    if last.how != How::Inline
        || (before.at..last.end).any(|at| all.has(at, struck))
        || lead.clone().any(|at| all.is(at, against) || is_past(at))
    {
        return false;
    }
    // Who speaks, or the order itself, is the subject.
    let subject = |at: &usize| {
        all.is(*at, class::FIRST) || begins_so(all.word(*at), "own verb") || is_one(all.word(*at), "it is")
    };
    let begins = |at: usize, but: u64| all.holds_only(all.clause_of(at).start..at, but, &(at..at));
    let turns = |at: usize| all.is(at, class::NOW | class::CORRECT);
    let from = lead.clone().rev().find(subject);
    let told = from.is_some() || lead.clone().any(|at| turns(at) && begins(at, 0));
    let new = between.clone().any(turns) || all.sentence_of(before.at).any(is_past);
    let undone = all.any(
        between.clone(),
        class::NEG | class::NAY | class::REFUSE | class::CORRECT,
    );
    let is_step = (0..4).filter(|at| before.order[*at] != last.order[*at]).count() == 2;
    told && new && !(from.unwrap_or(lead.start)..last.at).any(strange)
        || is_step && undone && !between.any(|at| strange(at) && begins(at, class::FILLER))
}

/// "I begin with the worst: …", "…, the first being the worst", where no word for its direction is known.
fn from_worst(all: &Scoped, found: &Found) -> bool {
    let outside = |at: &usize| !(found.at..found.end).contains(at);
    let mut sentence = all.sentence_of(found.at).start..all.sentence_of(found.end - 1).end;
    let is_end = |at| all.is(at, class::RANK) && !all.is(at, class::ORD | class::COUNTED | class::NOW);
    !all.any(sentence.clone(), class::DESC)
        && sentence.find(|at| outside(at) && is_end(*at)).is_some_and(|at| {
            let mut clause = all.clause_of(at);
            let apart = at < found.at || clause.start >= found.end;
            let names = clause.any(|at| outside(&at) && all.tokens[at].kind == Kind::Digits);
            all.value(at) == 4 && apart && !names
        })
}

/// Whether a word for a direction upwards is about this order, and not about people: "I want to lift them from the bottom."
fn upwards(all: &Scoped, found: &Found, at: usize) -> bool {
    let sentence = all.sentence_of(at);
    let strange = |at| all.is_unknown(at) || all.is(at, class::OTHER);
    let here = sentence.end > found.at || all.sign(sentence.end - 1) == Some(':');
    let about = here && sentence.start < found.end && !(all.clause_of(at).start..at).any(strange);
    all.is(at, class::ASC) && (about || sentence.len() <= 3 || all.any(at + 1..at + 3, class::RANK))
}

struct Found {
    order: [Principle; 4],
    at: usize,
    end: usize,
    flags: u16,
    how: How,
    /// Each has its place in words, which no direction turns round.
    fixed: bool,
}

impl Found {
    fn of(order: [Principle; 4], place: std::ops::Range<usize>, flags: u16, how: How, fixed: bool) -> Self {
        let (at, end) = (place.start, place.end);
        Self {
            order,
            at,
            end,
            flags,
            how,
            fixed,
        }
    }
}

/// The four principles, each once.
pub(super) fn distinct(all: &[Principle]) -> Option<[Principle; 4]> {
    let order: [Principle; 4] = all.try_into().ok()?;
    Principle::ALL
        .iter()
        .all(|one| order.contains(one))
        .then_some(order)
}

fn of_numbers(numbers: &[u8]) -> Option<[Principle; 4]> {
    let all: Vec<Principle> = numbers
        .iter()
        .filter_map(|number| Principle::from_number(*number))
        .collect();
    distinct(&all)
}

fn ties(all: &Scoped, found: &Found) -> bool {
    // "Nothing is above 2, except 3."
    let except = |at: usize| is_one(all.word(at), "except");
    if (found.at..found.end).any(except) {
        return true;
    }
    let told = found.how == How::Word;
    // "…, put both last", "…, though the last two are the same to me"
    let tied = |at: usize| {
        let placed = |near: usize| all.is(near, class::RANK);
        all.is(at, class::TIE) && !all.has(at, REASON | PAST | OTHERS) && all.clause_of(at).any(placed)
    };
    (found.at..found.end).any(|at| {
        all.is(at, class::TIE) && !(told && all.is(at, class::AND))
            || all.sign(at) == Some('=') && !all.is(at.wrapping_sub(1), class::RANK)
    }) || (found.end..rest::paragraph_end(all, found.end - 1)).any(tied)
}

/// Whether what stands around the ranking says that it is none, or not this one: "… is what most would say; I say the
/// reverse", "I'd not rank them 1, 2, 3, 4", "actually, switch the last two", "though 1 and 3 might be the other way".
fn turned(all: &Scoped, found: &Found, renewed: bool) -> bool {
    let first = if renewed {
        found.at
    } else {
        all.line_of(found.at).start
    };
    let from = all.clause_of(found.at).start.max(first);
    let speaks = |at: usize| begins_so(all.word(at), "own verb");
    let own = (from..found.at)
        .rev()
        .find(|at| all.is(*at, class::FIRST) || all.is(*at, class::CHOOSE | class::CORRECT) && speaks(*at));
    let label = all.sign(from) == Some(':');
    let before = own.unwrap_or(from)..found.at;
    let against =
        class::NEG | class::RATHER | class::REJECT | class::NAY | class::DISSENT | class::OTHER | class::CTX;
    let no_denial = class::FILLER | class::CERTAIN | class::RANK | class::CORRECT;
    let denied = |at: usize| {
        all.is(at, against) && !all.is(at, no_denial) || found.how == How::Inline && all.is_unknown(at)
    };
    let named = |clause: std::ops::Range<usize>| {
        clause.clone().any(|near| {
            super::scope::is_plain(&all.tokens[near])
                || all.is(near, class::FLOOR | class::AVG | class::RANGE)
        })
    };
    let turns = |at: usize| {
        all.is(at, class::MIGHT | class::MAYBE) && (named(all.clause_of(at)) || named(all.clause_of(at + 1)))
    };
    let heading = all
        .clause_of(from - usize::from(label && from > 0))
        .start
        .max(first)..from;
    // "I have swapped them: 1, 3, 2, 4."
    let anew = label && all.any(heading.clone(), class::FIRST);
    let about = heading.len() <= 6 || all.any(heading.clone(), class::RANKWORD);
    // "Having heard the nurse I change to: …"
    let mut changed = heading
        .clone()
        .rev()
        .find(|at| all.is(*at, class::CORRECT))
        .unwrap_or(heading.start)..heading.end;
    // "I was to leave 2 and 4 tied, but no: …"
    let not_so = heading.len() <= 2 && all.has(heading.start.wrapping_sub(1), PAST);
    // "No hesitation: 1, 3, 4, 2."
    const OF_IT: u64 = class::FIRST
        | class::CHOOSE
        | class::RANKWORD
        | class::RANK
        | class::OTHER
        | class::PAST
        | class::NUM
        | class::ASSENT
        | class::DISSENT;
    let aside = label && !all.any(heading.clone(), OF_IT);
    // "… and last 4, which is no use."
    let describes = matches!(all.word(found.end), "que" | "q" | "which" | "who");
    let until = rest::paragraph_end(all, found.end - 1);
    (first..all.tokens.len()).any(|at| {
        all.is(at, class::REFUSE)
            && !all.in_clause(at, class::CERTAIN | class::CERTAINTY)
            && !all.has(at, OTHERS | QUOTED | PAST | ASKED)
            && !(at < found.at
                && (all.any(at..found.at, class::SO | class::CORRECT) || anew && heading.contains(&at)))
            && (at < until
                || named(all.clause_of(at)) && all.clause_of(at).any(|near| all.is(near, class::FIRST)))
    }) || before.into_iter().any(denied)
        || found.how == How::Inline
            && (found.end..all.clause_of(found.end - 1).end).any(|at| {
                all.is_unknown(at) && !all.has(at, REASON) && !describes
                    || all.is(at, class::PAST | class::OTHER | class::SAYS | class::MORE)
                    || all.is(at, class::NEG | class::REJECT)
                        && !all.is(at, no_denial)
                        && !all.has(at, REASON)
            })
        || about && !not_so && !aside && changed.any(|at| all.is(at, against) && !all.is(at, no_denial))
        || conditional(all, found.end - 1)
        || rest::taken_back(all, found.end, false, &|clause| {
            // "Sure… no, I mean very sure."
            let sentence = clause.start..all.sentence_of(clause.start).end;
            all.any(sentence.clone(), class::CERTAIN) && !sentence.into_iter().any(|at| all.is_number(at))
        })
        || (found.end..until).any(|at| turns(at) && !all.has(at, OTHERS | QUOTED | PAST | REASON))
}

/// Lines that each have a place and one principle before any explanation.
fn by_lines(all: &Scoped) -> Vec<Found> {
    let (names, joined) = (named(all, false), named(all, true));
    let mut found = Vec::new();
    let mut rows: Vec<(u8, u8, usize, usize)> = Vec::new();
    let (mut by_principle, mut bare) = (None, false);
    let mut at = 0;
    while at < all.tokens.len() {
        let line = all.line_of(at);
        at = line.end.max(at + 1);
        let read = match by_principle.and_then(|column| of_row(all, &line, column)) {
            Some((number, place)) => Some((place, number)),
            None => {
                // "1. Third": is that a place or a principle?
                let mut words = line.clone().filter(|at| all.sign(*at).is_none());
                bare |= words.next().is_some_and(|at| all.is_number(at))
                    && words.next().is_some_and(|at| all.is(at, class::ORD))
                    && words.next().is_none();
                row(all, &line, &names).or_else(|| row(all, &line, &joined))
            }
        };
        if rows.is_empty() {
            by_principle = places_of(all, &line).or(by_principle);
        }
        if let Some((place, number)) = read {
            if rows.len() >= 4 && (place == 1 || rows.iter().any(|row| row.0 == place)) {
                found.extend(close(all, &rows));
                rows.clear();
            }
            rows.push((place, number, line.start, line.end));
        }
    }
    found.extend(close(all, &rows));
    found
        .iter_mut()
        .filter(|_| bare)
        .for_each(|one| one.flags |= ASKED);
    found
}

/// Four lines that each begin with one principle, under a heading that gives their direction.
fn unnumbered(all: &Scoped) -> Vec<Found> {
    let names = named(all, true);
    let mut found = Vec::new();
    let mut rows: Vec<&Mention> = Vec::new();
    let (mut under, mut at) = (false, 0);
    while at < all.tokens.len() {
        let line = all.line_of(at);
        at = line.end.max(at + 1);
        let words = line.start + usize::from(all.sign(line.start) == Some('\n'))..line.end;
        let near =
            |mention: &&Mention| words.contains(&mention.span.start) && mention.span.start <= words.start + 2;
        let place = names.partition_point(|mention| mention.span.start < words.start);
        if words.is_empty() {
            continue;
        } else if all.sign(words.end - 1) == Some(':') {
            under = all.any(words, class::ASC | class::DESC)
                && !all.any(line, class::PAST | class::NEG | class::OTHER);
            rows.clear();
        } else if let Some(mention) = names.get(place).filter(near).filter(|_| under) {
            rows.push(mention);
        } else {
            under = false;
        }
        let next = all.line_of(at + 1);
        let ends = at >= all.tokens.len() || next.len() < 2;
        let numbers: Vec<u8> = rows.iter().map(|row| row.number).collect();
        if let (true, Some(order), [first, .., last]) =
            (ends || rows.len() == 4, of_numbers(&numbers), &rows[..])
        {
            let place = first.span.start..last.span.end;
            found.push(Found::of(order, place, 0, How::List, false));
            rows.clear();
        }
    }
    found
}

fn close(all: &Scoped, rows: &[(u8, u8, usize, usize)]) -> Option<Found> {
    if rows.len() != 4 {
        return None;
    }
    let places: Vec<(u8, u8)> = rows.iter().map(|row| (row.0, row.1)).collect();
    let (at, end) = (rows.first()?.2, rows.last()?.3);
    // What stands before a list within its paragraph may say that it is an old one.
    let above = at.checked_sub(2).map(|before| all.line_of(before));
    // "The four principles are: …"
    let order = in_places(&places)?;
    let own = class::RANKWORD | class::RANK | class::FIRST | class::CHOOSE | class::ASC | class::DESC;
    let listed = order == Principle::ALL
        && above.is_some_and(|line| all.any(line.clone(), class::NOUN) && !all.any(line, own));
    (!listed).then_some(Found::of(order, at..end, 0, How::List, false))
}

/// The cells of a row of a table, without the empty ones at its ends.
fn cells<'a>(all: &'a Scoped, line: &std::ops::Range<usize>) -> impl Iterator<Item = &'a [Token]> {
    let row = all.tokens[line.clone()].split(|token| token.sign() == Some('|'));
    row.filter(|cell| cell.iter().any(|token| token.sign().is_none()))
}

/// The numbers of a row's first cell and of the one that has its place.
fn of_row(all: &Scoped, line: &std::ops::Range<usize>, place: usize) -> Option<(u8, u8)> {
    let number = |cell: &[Token]| {
        let first = cell
            .iter()
            .find(|token| token.is_number() || token.is(class::ORD))?;
        let fits = !first.is_other && (1.0..=4.0).contains(&first.number);
        fits.then_some(first.number as u8)
    };
    let mut cells = cells(all, line);
    Some((number(cells.next()?)?, number(cells.nth(place.checked_sub(1)?)?)?))
}

/// Which column of the table that this line heads holds the places of the principles in its first.
fn places_of(all: &Scoped, line: &std::ops::Range<usize>) -> Option<usize> {
    let is = |cell: &[Token], classes| cell.iter().any(|token| token.is(classes));
    let mut cells = cells(all, line);
    let first = cells.next()?;
    (is(first, class::NOUN) && !is(first, class::RANKWORD))
        .then(|| cells.position(|cell| is(cell, class::RANKWORD)))
        .flatten()
        .map(|column| column + 1)
}

/// The place and the principle of a line: "1. floor", "| 2 | average |", "third: range", "principle 1: second".
fn row(all: &Scoped, line: &std::ops::Range<usize>, named: &[Mention]) -> Option<(u8, u8)> {
    let content: Vec<usize> = line
        .clone()
        .filter(|at| !matches!(all.sign(*at), Some('\n' | '|' | '(' | '"' | '-' | '#' | '[')))
        .collect();
    // What announces a list is none of its rows.

    let first = *content.first()?;
    let token = all.token(first)?;
    // The head ends where an explanation begins.
    let is_table = line
        .clone()
        .find(|at| all.sign(*at) != Some('\n'))
        .is_some_and(|at| all.sign(at) == Some('|'));
    let head_end = line
        .clone()
        .skip_while(|at| *at <= first + 1)
        .find(|at| {
            let sign = all.sign(*at);
            matches!(sign, Some('—' | '–' | '.' | ';' | '。'))
                || sign == Some(':') && *at > first + 2
                || sign == Some('-') && all.tokens[*at].spaced
                || all.is(*at, class::BECAUSE)
                || sign == Some('|') && is_table && *at > first + 3
        })
        .unwrap_or(line.end);
    let principle = |from: usize| {
        let mut inside: Vec<u8> = named
            .iter()
            .filter(|mention| mention.span.start >= from && mention.span.end <= head_end)
            .map(|mention| mention.number)
            .collect();
        if inside.is_empty() {
            let plain = |at: &usize| {
                super::scope::is_plain(&all.tokens[*at]) && (1.0..=4.0).contains(&all.tokens[*at].number)
            };
            inside = (from..head_end)
                .filter(plain)
                .map(|at| all.tokens[at].number as u8)
                .collect();
        }
        inside.dedup();
        match inside.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    };
    let is_place = |token: &super::token::Token| {
        (super::scope::is_plain(token) || token.is(class::ORD)) && (1.0..=4.0).contains(&token.number)
    };
    if (is_place(token) || token.is(class::RANK))
        && let Some(number) = principle(first + 1)
    {
        return Some((token.number as u8, number));
    }
    // "Principle 1: second place", "principle 1: rank 2".
    let mention = named
        .iter()
        .find(|mention| mention.span.start >= line.start && mention.span.end <= line.end)?;
    let lead = mention.span.start - line.start <= 3;
    let colon = (mention.span.end..line.end).next()?;
    let mut places = (colon..line.end).filter(|at| {
        all.is(*at, class::RANK | class::ORD)
            || is_place(&all.tokens[*at])
                && (all
                    .token(at + 1)
                    .is_none_or(|next| next.is(class::RANKWORD) || next.sign() == Some('\n'))
                    || all.is(at - 1, class::RANKWORD))
    });
    let place = places.next().map(|at| {
        if all.value(at) > 0 {
            all.value(at) as u8
        } else {
            all.tokens[at].number as u8
        }
    })?;
    (lead && places.next().is_none()).then_some((place, mention.number))
}

/// Four in a row: "3 > 1 > 2 > 4", "1, 4, 3, 2", "4-3-1-2", "floor, then average, …".
fn in_rows(all: &Scoped) -> Vec<Found> {
    const LINKS: u64 = class::THEN
        | class::AND
        | class::FILLER
        | class::NOUN
        | class::MAX
        | class::SO
        | class::ONLY
        | class::JOIN
        | class::RANKWORD;
    let words: Vec<Mention> = named(all, false)
        .into_iter()
        .filter(|mention| mention.how == How::Keyword)
        .collect();
    let mut units: Vec<(u8, usize, usize)> = Vec::new();
    for (at, token) in all.tokens.iter().enumerate() {
        let fits = super::scope::is_plain(token) && (1.0..=4.0).contains(&token.number);
        if fits && !counts(all, at) {
            units.push((token.number as u8, at, at + 1));
        }
    }
    // "A low one 1, 3, 4, 2."
    let in_digits = |unit: &(u8, usize, usize)| all.tokens[unit.1].kind == Kind::Digits;
    if units.iter().filter(|unit| in_digits(unit)).count() >= 4 {
        units.retain(in_digits);
    }
    if units.len() < 4 {
        units = words
            .iter()
            .map(|mention| (mention.number, mention.span.start, mention.span.end))
            .collect();
    }
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let mut run = vec![units[at]];
        let mut sign = None;
        while let Some(next) = units.get(at + run.len()) {
            let before = run.last().copied().unwrap_or(units[at]);
            let link = before.2..next.1;
            let mut down = false;
            let (mut inside, mut apart) = (false, 0);
            let linked = link.clone().all(|place| {
                let token = &all.tokens[place];
                // "1 (floor income), 3 (…)".
                let aside = inside
                    && token.sign() != Some(')')
                    && !(token.is_number() && token.number < 1000.0)
                    && !token.is(class::PAST | class::NEG | class::OTHER | class::CORRECT);
                inside = token.sign() == Some('(') || aside;
                apart += usize::from(!aside);
                if aside {
                    return true;
                }
                match token.sign() {
                    Some('<') => {
                        down = true;
                        true
                    }
                    Some(sign) => matches!(
                        sign,
                        '>' | ',' | '、' | '-' | '–' | '→' | ';' | '≻' | '/' | '(' | ')' | ':' | '»'
                    ),
                    None => {
                        (token.is(LINKS)
                            || token.is(class::RANK)
                                && usize::try_from(token.value).is_ok_and(|value| value == run.len() + 1))
                            && !token.is(class::NEG
                                | class::OR
                                | class::CORRECT
                                | class::PAST
                                | class::TO
                                | class::TIE & !class::AND)
                    }
                }
            }) && apart <= 5
                && all.same_line(before.1, next.1);
            // One to a line, with nothing else, at the beginning or under a heading.
            let alone = |at: usize| all.line_of(at).len() == 1 + usize::from(all.line[at] > 0);
            let below =
                link.len() == 1 && all.sign(link.start) == Some('\n') && alone(before.1) && alone(next.1);
            // "2-3-1-4, it is 3-2-1-4": another order begins.
            let anew = || {
                let numbers = |units: &[(u8, usize, usize)]| {
                    of_numbers(&units.iter().map(|unit| unit.0).collect::<Vec<u8>>())
                };
                run.len() == 4 && numbers(&run).is_some() && link.clone().any(|at| all.sign(at).is_none())
            };
            let above = || run[0].1 < 2;
            if below && above() {
                run.push(*next);
                continue;
            }
            if anew() || !linked || sign.is_some_and(|before| before != down) {
                break;
            }
            sign = Some(down);
            run.push(*next);
        }
        let numbers: Vec<u8> = run.iter().map(|unit| unit.0).collect();
        let (from, to) = (run[0].1, run[run.len() - 1].2);
        if run.len() == 4
            && let Some(mut order) = of_numbers(&numbers)
        {
            // "From the worst to the best 2 < 4 < 1 < 3" says it twice.
            let down = sign == Some(true) && !all.any(all.sentence_of(from).start..from, class::ASC);
            if down {
                order.reverse();
            }
            found.push(Found::of(order, from..to, all.flags[from], How::Inline, down));
        }
        at += run.len();
    }
    found
}

/// Comparisons that make a chain: "2 beats 3, 3 beats 4, 4 beats 1", the verb in the first or in each.
fn in_pairs(all: &Scoped) -> Option<Found> {
    let units = units(all, false);
    let struck = QUOTED | ASKED | IF | OTHERS;
    let mut pairs: Vec<(u8, u8)> = Vec::new();
    for pair in units.windows(2) {
        let prefers = all.any(all.clause_of(pair[0].1).start..pair[0].1, class::CHOOSE);
        let verb = class::BEATS
            | if pairs.is_empty() && !prefers {
                0
            } else {
                class::TO
            };
        let between = pair[0].2.min(pair[1].1)..pair[1].1;
        if all.same_clause(pair[0].1, pair[1].1) && all.any(between, verb) {
            pairs.push((pair[0].0, pair[1].0));
        }
    }
    let [one, two, three] = pairs[..] else { return None };
    // What is said beside them may close a circle.
    let chain = one.1 == two.0 && two.1 == three.0 && units.len() <= 6;
    let order = of_numbers(&[one.0, two.0, three.0, three.1]).filter(|_| chain)?;
    let flags = units.iter().fold(0, |flags, unit| flags | all.flags[unit.1]) & struck;
    let (at, end) = (units.first()?.1, units.last()?.2);
    Some(Found::of(order, at..end, flags, How::Inline, true))
}

/// The principles that are named, and bare numbers that may be such: which, and where they begin and end.
fn units(all: &Scoped, joined: bool) -> Vec<(u8, usize, usize)> {
    let names: Vec<Mention> = named(all, joined)
        .into_iter()
        .filter(|mention| !all.is(mention.span.start, class::ORD))
        .collect();
    let mut units: Vec<(u8, usize, usize)> = names
        .iter()
        .map(|mention| (mention.number, mention.span.start, mention.span.end))
        .collect();
    for (at, token) in all.tokens.iter().enumerate() {
        // 其次是三，再次是四

        let spelt = !all.word(at).is_ascii();
        if super::scope::is_plain(token)
            && (token.kind == Kind::Digits || spelt)
            && (1.0..=4.0).contains(&token.number)
            && !units.iter().any(|unit| (unit.1..unit.2).contains(&at))
        {
            units.push((token.number as u8, at, at + 1));
        }
    }
    units.sort_by_key(|unit| unit.1);
    // Beside the floor alone, one that is guaranteed is the constraint.
    let set = |unit: &(u8, usize, usize)| {
        let said = |at| contains_one(all.word(at), "set floor");
        unit.0 == 1 && (unit.1..unit.2).any(said)
    };
    let floors = units.iter().filter(|unit| unit.0 == 1);
    if !units.iter().any(|unit| unit.0 == 3) && floors.clone().any(set) && !floors.clone().all(set) {
        let places: Vec<bool> = units.iter().map(set).collect();
        units
            .iter_mut()
            .zip(places)
            .for_each(|(unit, set)| unit.0 += if set { 2 } else { 0 });
    }
    units
}

/// Whether a number counts something else: "3 rounds", "round 3".
fn counts(all: &Scoped, at: usize) -> bool {
    let of = at > 0 && all.is(at - 1, class::CTX) && !all.is(at - 1, class::NOUN);
    all.is_number(at) && of
}

/// Each principle with its place where a sentence or a clause holds just one of both, from a place in the text on. `None`
/// where a clause holds more, unless what is said for reasons is asked for as well.
fn placed(all: &Scoped, from: usize, also_reasons: bool) -> Option<Vec<(u8, u8, usize)>> {
    let struck = OTHERS | QUOTED | PAST | ASKED | IF;

    let mut items = items(all, &units(all, false));
    items.retain(|(at, _, is_unit)| {
        let fits = if *is_unit {
            !counts(all, *at)
        } else {
            !all.is(*at, class::THEN | class::HIGH)
                && (all.is(at + 1, class::NOUN) || !all.is(at + 1, class::CTX))
        };
        fits && *at >= from && !all.has(*at, struck)
    });
    let mut found: Vec<(u8, u8, usize)> = Vec::new();
    let pair = |group: &[(usize, u8, bool)]| match group {
        [one, other] if one.2 != other.2 => {
            let (unit, place) = if one.2 { (one, other) } else { (other, one) };
            Some((place.1, unit.1, unit.0.max(place.0)))
        }
        _ => None,
    };
    for sentence in items.chunk_by(|one, other| all.same_sentence(one.0, other.0)) {
        if sentence.iter().all(|item| item.2) || sentence.iter().all(|item| !item.2) {
            continue;
        }
        // "3 is last." "3 is my favourite, followed by 1."
        let beside: Vec<(u8, u8, usize)> = sentence.chunks(2).filter_map(pair).collect();
        if beside.len() * 2 == sentence.len() {
            found.extend(beside);
            continue;
        }
        for clause in sentence.chunk_by(|one, other| all.same_clause(one.0, other.0)) {
            match pair(clause) {
                Some(both) => found.push(both),
                None if also_reasons || clause.iter().all(|item| item.2 == clause[0].2) => {}
                None => return None,
            }
        }
    }
    Some(found)
}

/// Item by item, each with its place, in whatever order: "1 is my second choice. 2 comes last. …".
fn told(all: &Scoped, from: usize) -> Option<Found> {
    let found = placed(all, from, false)?;
    let places: Vec<(u8, u8)> = found.iter().map(|one| (one.0, one.1)).collect();
    let order = in_places(&places)?;
    let (at, end) = (found.first()?.2, found.last()?.2 + 1);
    Some(Found::of(order, at..end, 0, How::Word, true))
}

/// The first and the last, and which of the other two goes before: "3 is best, 2 is worst, and of the others 1 beats 4."
fn between_ends(all: &Scoped) -> Option<Found> {
    let ends = placed(all, 0, false)?;
    let [one, other] = ends[..] else { return None };
    let (first, last) = if one.0 == 1 { (one, other) } else { (other, one) };
    let units = units(all, false);
    let is_end = |unit: &(u8, usize, usize)| unit.0 == first.1 || unit.0 == last.1;
    let middle: Vec<_> = units.iter().filter(|unit| !is_end(unit)).collect();
    let [higher, lower] = middle[..] else { return None };
    let clause = all.clause_of(higher.1);
    let order = of_numbers(&[first.1, higher.0, lower.0, last.1])?;
    let (link, before) = (higher.2..lower.1, all.sentence_of(higher.1).start..higher.1);
    let says = |range: &std::ops::Range<usize>, classes| all.any(range.clone(), classes);
    // "In the middle 3 and then 1", "of the two in between I prefer 3 to 1".
    let joined = says(
        &(higher.1.saturating_sub(1)..link.start + 1),
        class::AND | class::JOIN,
    );
    let between = joined && says(&link, class::THEN)
        || says(&before, class::CHOOSE) && !says(&before, class::FROM) && says(&link, class::TO);
    let between = between && says(&before, class::BETWEEN);
    let beats = (between || says(&link, class::BEATS)) && all.same_clause(higher.1, lower.1);
    // "Ana puts 1 ahead of 4."
    let strange = |from: usize, to: usize| (from..to).any(|at| all.is_unknown(at));
    let whose = all.any(clause.clone(), class::FIRST) || !strange(clause.start, higher.1);
    let against = class::NEG | class::WITHOUT | class::REJECT | class::PAST | class::MIGHT | class::MORE;
    let denied = |at| all.is(at, against) && !all.is(at, class::BEATS);
    let plain = whose
        && !strange(lower.2, clause.end)
        && !clause.into_iter().any(denied)
        && !all.has(higher.1, OTHERS | QUOTED | ASKED | IF | PAST | REASON);
    let at = first.2.min(last.2).min(higher.1);
    let end = first.2.max(last.2).max(lower.1) + 1;
    let fits = beats && plain && first.0 == 1 && last.0 == 4;
    fits.then_some(Found::of(order, at..end, 0, How::Word, true))
}

/// Whether its clause begins with a place, so that it is no reason: "because it is fair, then 4".
fn behind_place(all: &Scoped, at: usize) -> bool {
    let start = all.clause_of(at).start;
    all.any(start..start + 3, class::RANK) && at <= start + 6 && !all.any(start..at, class::BECAUSE)
}

/// One after the other from the best down, or from the worst up, in words that keep step with them: "3 wins easily, 2 is
/// the runner-up, then 1. Dead last is 4." What is said for reasons is none of them, unless its place stands before it.
fn in_sequence(all: &Scoped, joined: bool) -> Option<Found> {
    let mut items = items(all, &units(all, joined));
    items.retain(|(at, value, is_unit)| {
        let number = *is_unit && counts(all, *at);
        let struck = OTHERS | QUOTED | PAST | ASKED | IF | if behind_place(all, *at) { 0 } else { REASON };
        *value > 0 && !number && !all.has(*at, struck)
    });
    // What was placed before is named again for reasons, unless it has a place there as well.
    let (mut seen, mut last, mut moved) = (0, 0, false);
    items.retain(|(at, number, is_unit)| {
        let again = *is_unit && seen & 1 << number != 0;
        seen |= u32::from(*is_unit) << number;
        moved |= again && last != *number && all.in_sentence(*at, class::RANK);
        last = if *is_unit { *number } else { last };
        !again
    });
    if moved {
        return None;
    }
    let numbers: Vec<u8> = items.iter().filter(|item| item.2).map(|item| item.1).collect();
    let mut order = of_numbers(&numbers).filter(|_| numbers.len() == 4)?;
    let places: Vec<u8> = items.iter().filter(|item| !item.2).map(|item| item.1).collect();
    let mut units = 0;
    let from_first = places.first() != Some(&4) && places.last() != Some(&1);
    for item in &items {
        if item.2 {
            units += 1;
        } else {
            // "Gold for 4, bronze for 1", "the last is 1, … the first is 2, and 3 the other"
            let place = if from_first { item.1 } else { 5 - item.1 };
            if place != 2 && item.1 != 2 && !(units..=units + 1).contains(&place) {
                return None;
            }
        }
    }
    // "3 first, 1 second, 2 and 4 last."
    let tied = places == [1, 2, 4] && items[4].2 && items[5].2 && all.is(items[4].0 + 1, class::AND);
    let ascending = all.any(0..all.tokens.len(), class::ASC);
    let steps = |ends: [u8; 2]| {
        let (first, last) = (places.first() == Some(&ends[0]), places.last() == Some(&ends[1]));
        let between = places.get(1..places.len().saturating_sub(1)).unwrap_or_default();
        let inside = between.iter().all(|place| (2..=3).contains(place));
        // "3 it is; then 4, …"
        let implied = places.len() == 3 && items[0].2 && places[0] == 2 && (ends[0] == 1 || ascending);
        (first || implied) && last && inside && (3..=4).contains(&places.len())
    };
    let up = steps([4, 1]) && (ascending || places != [4, 2, 3, 1]);
    // "3 is best, followed by 1, followed by 4, followed by 2."
    let then = places == [1, 2, 2, 2];
    if tied || !(up || then || steps([1, 4]) && places.is_sorted()) {
        return None;
    }
    if up && !ascending {
        order.reverse();
    }
    let (at, end) = (items.first()?.0, items.last()?.0 + 1);
    Some(Found::of(order, at..end, 0, How::Word, !(up && ascending)))
}

/// Whether one's own words after the ranking give another place: "3, 1, 4, 2. … the average, which I place second".
fn contradicted(all: &Scoped, found: &Found) -> bool {
    // "…, though 2 should go before 4."
    let place = |number: u8| found.order.iter().position(|one| one.number() == number);
    let other_way = |pair: &[(u8, usize, usize)]| {
        let [(one, at, end), (other, to, _)] = *pair else {
            return false;
        };
        at >= found.end
            && all.same_clause(at, to)
            && all.any(end..to, class::BEATS)
            && !all.in_clause(at, class::NEG | class::OTHER)
            && !all.has(at, OTHERS | QUOTED | PAST | REASON)
            && place(one) > place(other)
    };
    if units(all, false).windows(2).any(other_way) {
        return true;
    }
    placed(all, found.end, true).is_some_and(|places| {
        places.iter().any(|(place, number, at)| {
            let clause = all.clause_of(*at);
            // "The teacher puts 1 first."
            !all.any(clause, class::NEG) && found.order[usize::from(*place) - 1].number() != *number
        })
    })
}

/// The four of which each has its place.
fn in_places(places: &[(u8, u8)]) -> Option<[Principle; 4]> {
    // From the worst on, "second" may count from below.
    if places.iter().map(|place| place.0).eq([4, 2, 3, 1]) {
        return None;
    }
    let mut numbers = [0; 4];
    for (place, number) in places {
        let slot = numbers.get_mut(usize::from(place.checked_sub(1)?))?;
        if *slot != 0 && *slot != *number {
            return None;
        }
        *slot = *number;
    }
    of_numbers(&numbers)
}

/// The principles and the words for places: where each stands, its number, and whether it is a principle.
fn items(all: &Scoped, units: &[(u8, usize, usize)]) -> Vec<(usize, u8, bool)> {
    let mut found = Vec::new();
    let (mut next, mut at) = (0, 0);
    while let Some(token) = all.token(at) {
        match units.get(next) {
            Some(unit) if unit.1 <= at => {
                found.push((unit.1, unit.0, true));
                at = unit.2.max(at);
                next += 1;
                continue;
            }
            _ if token.is(class::RANK) && (1..=4).contains(&token.value) => {
                found.push((at, token.value as u8, false))
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// A ranking as JSON: a list, objects with places, or places as keys.
fn of_object(object: &Value, language: Language) -> Option<Ranking> {
    let fields = object.as_object()?;
    let has = |key: &str, classes: u64| json::classes(key, language) & classes != 0;
    let stated = fields
        .iter()
        .find(|(key, _)| has(key, class::CERTAINTY))
        .and_then(|(_, value)| json_certainty(value));
    let list = fields.values().find_map(Value::as_array);
    let mut places: Vec<(u64, Principle)> = Vec::new();
    if let Some(list) = list {
        for (at, item) in list.iter().enumerate() {
            match item {
                Value::Object(parts) => {
                    let place = parts
                        .iter()
                        .find(|(key, _)| has(key, class::RANKWORD | class::RANK))
                        .and_then(|(_, value)| whole(value))?;
                    let principle = parts
                        .iter()
                        .find(|(key, _)| has(key, class::NOUN))
                        .and_then(|(_, value)| of_value(value, language))?;
                    places.push((place, principle));
                }
                value => places.push((at as u64 + 1, of_value(value, language)?)),
            }
        }
    } else {
        for (key, value) in fields {
            let place = match key.trim().parse::<u64>() {
                Ok(place) => place,
                Err(_) => match super::token::tokens(&key.to_lowercase(), language).first() {
                    Some(token) if token.is(class::RANK) && token.value > 0 => token.value as u64,
                    _ => continue,
                },
            };
            places.push((place, of_value(value, language)?));
        }
    }
    places.sort_by_key(|place| place.0);
    if !places.iter().map(|place| place.0).eq(1..=4) {
        return None;
    }
    let order: Vec<Principle> = places.into_iter().map(|place| place.1).collect();
    Some(Ranking {
        order: distinct(&order)?,
        certainty: stated,
    })
}

fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A certainty as a value of JSON.
pub(super) fn json_certainty(value: &Value) -> Option<Certainty> {
    let text = value.as_str()?.replace(['_', '-'], " ");
    certainty(&Scoped::of("", &clean(&text), Language::English))
}

/// A principle as a value of JSON, in any language.
pub(super) fn json_principle(value: &Value) -> Option<Principle> {
    of_value(value, Language::English)
}
