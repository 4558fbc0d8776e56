//! The amount of a constraint in whole income dollars. Not for other numbers.

use super::clean::clean;
use super::option::{conditional, pointed_to, refuses};
use super::scope::flag::*;
use super::scope::{LIMITS, Scoped};
use super::token::{Token, begins_so, class, is_one};
use super::{How, Reading, Reason, json, rest};
use crate::language::Language;
use serde::{Deserialize, Serialize};

/// The amounts that a constraint may have, both ends included, in income dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmountBounds {
    /// The least.
    pub min: u32,
    /// The most.
    pub max: u32,
}

impl Default for AmountBounds {
    fn default() -> Self {
        Self {
            min: 1_000,
            max: 1_000_000,
        }
    }
}

impl AmountBounds {
    pub(super) fn check(self, value: u64, how: How) -> Reading<u32> {
        match u32::try_from(value) {
            Ok(amount) if amount < self.min => Reading::unread(Reason::AmountTooLow),
            Ok(amount) if amount <= self.max => Reading::read(amount, how),
            _ => Reading::unread(Reason::AmountTooHigh),
        }
    }
}

/// The amount that an answer names, within the bounds: digits in any grouping, "15k", words, Chinese numerals.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Reading<u32> {
    let clean = clean(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    let read = |value: &serde_json::Value| match value {
        serde_json::Value::Number(number) => number.as_f64(),
        serde_json::Value::String(text) => amount(text, language, bounds)
            .value()
            .map(|amount| f64::from(*amount)),
        _ => None,
    };
    match json::amount(&clean, language, read) {
        json::Found::One(value) => return bounds.check(value as u64, How::Json),
        json::Found::Several => return Reading::unread(Reason::MultipleDifferentAmountsFound),
        json::Found::None => {}
    }
    let all = Scoped::of(text, &clean, language);
    let whole = decide(&all, bounds);
    // "…, and I mean thousands."
    let figure = |token: &Token| token.is_number() && !token.is(class::TIMES);
    let amount = |part: &Scoped, _: bool| {
        decide(part, bounds)
            .value()
            .copied()
            .filter(|_| part.tokens.iter().any(figure))
    };
    match whole
        .value()
        .is_none()
        .then(|| rest::conclusion(&all, language, &amount))
    {
        Some(Some(place)) => decide(&all.part(place.clone(), language), bounds).by(all.span(place)),
        _ => whole,
    }
}

struct Mention {
    at: usize,
    value: f64,
    flags: u16,
    in_range: bool,
}

fn mentions(all: &Scoped) -> Vec<Mention> {
    let mut found = Vec::new();
    let several = all.tokens.iter().filter(|token| token.is_number()).count() > 1;
    let jest = all.jest();
    for (at, token) in all.tokens.iter().enumerate() {
        if !token.is_number() {
            continue;
        }
        let (before, after) = (at.wrapping_sub(1), at + 1);
        let money =
            |at: usize| all.is(at, class::SIGN) || matches!(all.sign(at), Some('$' | '€' | '£' | '¥'));
        let is_money = money(before) || money(after) || all.is(after, class::MONEY);
        let is_share =
            all.sign(after) == Some('%') || all.is(after, class::PERCENT) || all.is(before, class::PERCENT);
        let counts = all.is(before, class::CTX) || all.is(after, class::CTX);
        let year = (1900.0..2100.0).contains(&token.number)
            && !token.is(class::TIMES)
            && !is_money
            && (all.is(before, class::FILLER | class::CTX));
        if is_share || year || (token.number < 100.0 && !is_money) || (counts && token.number < 1000.0) {
            continue;
        }
        let mut flags = all.flags[at];
        let minus = [before, before.wrapping_sub(usize::from(is_money))];
        let minus = minus
            .into_iter()
            .find(|at| matches!(all.sign(*at), Some('-' | '−')));
        // 比12000更有保障, 像16000那样, 支持1.4万的有两人.
        let compared = (at.saturating_sub(2)..at).any(|at| {
            all.is(at, class::BEATS) && !all.is(at, class::MORE | class::CHOOSE)
                || is_one(all.word(at), "alike")
        });
        let of_some = all.is(after, class::OF) && all.is(at + 2, class::COUNTED | class::JOIN);
        if (compared || of_some) && !all.has(at, IF | ASKED) || jest.contains(&at) {
            flags |= OTHERS;
        }
        // "In thousands of dollars" names no amount.
        let many = token.is(class::TIMES) && all.word(at).is_ascii() && all.word(at).ends_with('s');
        let is_negative = minus.is_some_and(|minus| all.token(minus + 1).is_some_and(|next| !next.spaced));
        // "50 % of 20,000".
        let share_of = at >= 2
            && all.is(before, class::PART)
            && (all.sign(at - 2) == Some('%') || all.is(at - 2, class::PERCENT));
        // "Sixteen. Thousand.", "add a thousand to hers": not of itself.
        let torn = token.is(class::TIMES) && several;
        // 加两千, but 3加12000.
        let added =
            all.is(before, class::JOIN) && all.is(before, class::AND) && !(at > 1 && is_number(all, at - 2));
        if is_negative || share_of || torn || added || many {
            flags |= UNCLEAR;
        }
        let clause = all.clause_of(at);
        // "The high class gets 27,000."
        if clause.clone().any(|at| is_one(all.word(at), "income class"))
            && !all.any(
                clause.clone(),
                class::CHOOSE | class::FIRST | class::BEST | LIMITS,
            )
        {
            flags |= OTHERS;
        }
        // "20,000 is too much", "9,000 is too stingy" or, over one word, "9,000 seemed too tight".
        let mut said =
            (at + 1..clause.end).filter(|at| !all.is(*at, class::FILLER | class::MONEY) || excess(all, *at));
        let bad = |at: usize| excess(all, at) || all.is(at, class::REJECT);
        let first = said.next();
        // "Ana's figure, 12,000, is too low."
        let named =
            first.is_none() && all.sign(clause.end) == Some(',') && all.sign(clause.start) == Some(',');
        let judged = named
            && (clause.end + 1..all.clause_of(clause.end).end)
                .find(|at| !all.is(*at, class::FILLER) || excess(all, *at))
                .is_some_and(bad);
        if first.is_some_and(bad) || judged {
            flags |= NEGATED;
        }
        // "1,300 a month, so 16,000" says it of another.
        let of_this = |place: usize| place.abs_diff(at) < 3 || !is_one(all.word(place), "monthly");
        let is_more = |place| all.is(place, class::MORE) && !all.is(place, class::FILLER | class::SHIELD);
        let here = |place| all.has(place, REASON) <= all.has(at, REASON);
        let more = |place: &usize| is_more(*place) && of_this(*place) && here(*place);
        let last = (clause.start..at).rev().find(more);
        if let Some(place) = last.or_else(|| clause.clone().find(more)) {
            // "The gap cannot be wider than 20,000."
            let denied = all.any(place.saturating_sub(6).max(clause.start)..place, class::NEG)
                && !all.any(clause.start..place, class::FIRST | class::CHOOSE)
                && !all.any(place..at.max(place), class::TO);
            // "As long as the gap stays under 25,000."
            let limits = all.any(clause.start..place, class::RANGE);
            // "I would raise it to 14,000.", "Let's lower it to 14,000."
            let own = class::FILLER | class::NOW | class::FIRST | class::CHOOSE | class::SO | class::BUT;
            let to = all.any((place + 1).max(at.saturating_sub(2))..at, class::TO)
                && (all.any(clause.start..at, class::CHOOSE)
                    || all.any(clause.start..place, own)
                        && all.holds_only(clause.start..place, own, &(at..at)));
            if (denied || limits || to) && place < at {
                flags = flags & !NEGATED | CHOSEN;
            } else {
                flags |= UNCLEAR;
            }
        }
        if all.is(after, class::TIMES) || matches!(all.sign(after), Some('/')) && is_number(all, at + 2) {
            flags |= UNCLEAR;
        }
        found.push(Mention {
            at,
            value: token.number,
            flags,
            in_range: false,
        });
    }
    // "13–15k", "between 10,000 and 15,000", "1万到1.5万".
    let wide = |from: usize, to: usize| {
        all.tokens[from + 1..to].iter().all(|token| {
            token.is(class::TO
                | class::AND
                | class::OR
                | class::SIGN
                | class::MONEY
                | class::BETWEEN
                | class::FILLER)
                && !token.is_number()
                || matches!(token.sign(), Some('-' | '–' | '—' | '~' | '$' | '€' | '/' | '−'))
        })
    };
    // "12,000–15,000", but not "13,000 – that is 1,000 more", 1.5万——1万太低.
    let dash = |at: usize| {
        matches!(all.sign(at), Some('-' | '–' | '—' | '~' | '−'))
            && (is_number(all, at + 1)
                || all.is(at + 1, class::SIGN)
                || matches!(all.sign(at + 1), Some('$' | '€')))
            && all.sign(at.wrapping_sub(1)) != all.sign(at)
    };
    let numbers: Vec<usize> = (0..all.tokens.len()).filter(|at| all.is_number(*at)).collect();
    for pair in numbers.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let between = all.same_sentence(from, to)
            && ((from + 1..to).any(|at| all.is(at, class::TO | class::OR | class::BETWEEN) || dash(at))
                && wide(from, to)
                || all.tokens[from].number >= 5.0
                    && all.tokens[all.sentence_of(from).start..from]
                        .iter()
                        .rev()
                        .take_while(|token| !token.is_number())
                        .any(|token| token.is(class::BETWEEN)));
        let changed = all
            .corrections
            .iter()
            .any(|at| all.same_sentence(*at, from) && *at < to);
        if between && all.tokens[to].number >= 1.0 {
            for mention in &mut found {
                let turns = changed && all.is(to - 1, class::TO | class::CORRECT | class::SIGN);
                mention.in_range |= mention.at == to && !changed || mention.at == from && !turns;
                // "I lower it from 18,000 to 15,000."
                match mention.at {
                    at if turns && at == from => mention.flags |= PAST,
                    _ => {}
                }
            }
        }
    }
    found
}

/// A word such as "too" before one that no lexicon knows, or that is of heights.
fn excess(all: &Scoped, at: usize) -> bool {
    const HEIGHT: u64 = class::HIGH | class::LOW | class::MAX;
    is_one(all.word(at), "excess") && (all.is_unknown(at + 1) || all.is(at + 1, HEIGHT))
}

fn is_number(all: &Scoped, at: usize) -> bool {
    all.token(at).is_some_and(Token::is_number)
}

fn decide(all: &Scoped, bounds: AmountBounds) -> Reading<u32> {
    let mut found = mentions(all);
    // What is too little for a constraint, or is told by the month, is spoken of beside one that is not.
    let beside = |mention: &Mention| {
        let next = mention.at + 1 + usize::from(all.is(mention.at + 1, class::MONEY | class::SIGN));
        let monthly = |at: usize| is_one(all.word(at), "monthly");
        // "…, though the average falls to 18,000."
        let clause = all.clause_of(mention.at);
        let of_average = all.any(clause.clone(), class::AVG) && !all.any(clause, LIMITS | class::CHOOSE);
        let adds = (mention.at.saturating_sub(2)..mention.at)
            .any(|at| is_number(all, at) || all.is(at, class::MORE) && !monthly(at));
        let apart = !is_number(all, mention.at + 1) && !adds;
        apart
            && (mention.value < f64::from(bounds.min)
                || of_average
                || monthly(next)
                || (mention.at.saturating_sub(2)..mention.at).any(monthly))
    };
    if found
        .iter()
        .any(|mention| !beside(mention) && mention.flags & STRUCK == 0 && !mention.in_range)
    {
        found.retain(|mention| !beside(mention));
    }
    let several = Reading::unread(Reason::MultipleDifferentAmountsFound);
    let none = Reading::unread(Reason::NoAmountFound);
    let mut active: Vec<&Mention> = found
        .iter()
        .filter(|mention| mention.flags & STRUCK == 0 && !mention.in_range)
        .collect();
    let mut doubtful: Vec<&Mention> = found
        .iter()
        .filter(|mention| {
            mention.in_range && mention.flags & (STRUCK & !UNCLEAR) == 0
                || mention.flags & UNCLEAR != 0 && mention.flags & (STRUCK & !UNCLEAR & !NEGATED) == 0
        })
        .collect();
    // Kept from before: "in round 3 I said $16,000 and I'm sticking with it".
    if active.is_empty() && doubtful.is_empty() {
        let past: Vec<&Mention> = found
            .iter()
            .filter(|mention| mention.flags & STRUCK == PAST)
            .collect();
        let keeps = |mention: &&Mention| {
            let keeps = |at: usize| all.is(at, class::CHOOSE) && all.value(at) > 0;
            all.sentence_of(mention.at).any(keeps)
        };
        if let Some(last) = past.last()
            && past.len() == found.len()
            && keeps(last)
            && past.iter().all(|mention| mention.value == last.value)
        {
            let read = bounds.check(last.value as u64, How::Number);
            return read.by(all.span(all.clause_of(last.at)));
        }
    }
    if let Some(last) = all.last_correction()
        && active.iter().any(|mention| mention.at > last)
    {
        active.retain(|mention| mention.at > last);
        doubtful.retain(|mention| mention.at > last);
    }
    let Some(any) = active.last() else {
        return if doubtful.is_empty() { none } else { several };
    };
    // "16,500. That is above the 12,000 of the banker."
    let named = class::NOUN | class::NUM | class::JOIN | class::AVG | class::MAX;
    let lead = all
        .tokens
        .iter()
        .take_while(|token| token.is(BESIDE | LIMITS | named) || token.sign().is_some())
        .count();
    let leads = |at: usize| {
        all.sentence[at] == 0
            && at <= lead
            && all.holds_only(all.clause_of(at), BESIDE | LIMITS, &(at..at + 1))
    };
    let declares = |mention: &&&Mention| {
        let before = all.sentence_of(mention.at).start..mention.at;
        let chosen = |at: usize| all.is(at, class::CHOOSE) && !all.is(at, class::SO);
        mention.flags & CHOSEN != 0
            || alone(all, mention.at)
            || leads(mention.at)
            || before.clone().any(chosen) && !all.any(before, class::REJECT)
    };
    let mut declared: Vec<&&Mention> = active.iter().filter(declares).collect();
    // Where none is chosen as it is named, one may be called the best, or by what it is, or a later sentence point back
    // to it.
    if declared.is_empty() {
        // "My considered figure is 22,000", but not "was".
        let was = |at: usize| is_one(all.word(at), "was");
        let told = |mention: &&&Mention| {
            let mut before = all.sentence_of(mention.at).start..mention.at;
            let own = all.any(before.clone(), class::FIRST) && !before.clone().any(was);
            mention.flags & BEST != 0 || own && before.any(|at| all.names_amount(at))
        };
        declared = active.iter().filter(told).collect();
    }
    if declared.is_empty() {
        let pointed = active.iter().filter(|mention| pointed_to(all, mention.at));
        declared = pointed.collect();
    }
    // "A floor of 15,000 would leave only one. I therefore propose 14,500."
    let concluded = |mention: &&&&Mention| {
        let before = all.clause_of(mention.at).start..mention.at;
        mention.flags & CHOSEN != 0
            && !before.clone().any(|at| all.is_unknown(at))
            && all.any(before.clone(), class::CHOOSE)
            && all.any(before, class::FIRST | class::SO)
    };
    if let Some(last) = declared.last().filter(concluded).map(|last| last.at) {
        let weighed = |mention: &&&Mention| {
            !concluded(&mention) && mention.at < last && !all.same_clause(mention.at, last)
        };
        declared.retain(|mention| !weighed(mention));
    }
    let (chosen, is_declared) = declared.last().map_or((any, false), |last| (*last, true));
    let agree = |mention: &&Mention| mention.value == chosen.value;
    if is_declared && !declared.iter().all(|mention| mention.value == chosen.value) {
        return several;
    }
    // "Ana proposed 10,000, but I would set 16,000."
    let clause = all.clause_of(chosen.at).start;
    let turned = |place: usize| {
        let from = clause.saturating_sub(1).max(place);
        let picked = all.any(place + 1..chosen.at.max(place + 1), class::CHOOSE);
        place < chosen.at && (picked || all.any(from..chosen.at, class::BUT | class::SO))
    };
    let chosen_leads = leads(chosen.at);
    // "I would set it at 13,500. This is above the 12,000 of today."
    let tells = |at: usize| {
        let mut words = all.tokens[all.sentence_of(at).start..at].iter();
        let first = words.find(|token| token.sign().is_none());
        at > chosen.at && first.is_some_and(|first| begins_so(all.text_at(first), "tells of it"))
    };
    let of_it = |at: usize| {
        let compared = all.any(all.clause_of(at).start..at, class::MORE | class::BEATS);
        chosen.flags & CHOSEN != 0 && tells(at) && compared
    };
    // "14,000. That is too low, 16,000."
    let bad = |at: usize| excess(all, at) && tells(at);
    if active.iter().any(|mention| !agree(mention)) && (0..all.tokens.len()).any(bad) {
        return several;
    }
    // "It is not enough though, so 15,000", "that is wrong, it should be 15,000".
    let turned_to = |mention: &Mention| {
        let before = all.clause_of(mention.at).start..mention.at;
        mention.at > chosen.at
            && (mention.flags & BEST != 0 || all.any(before, class::SO | class::NOW | class::CORRECT))
    };
    let later = |mention: &&Mention| {
        (chosen_leads || of_it(mention.at))
            && !all.same_sentence(mention.at, chosen.at)
            && mention.flags & (CHOSEN | BEST) == 0
            && !all.in_clause(mention.at, class::CORRECT | class::FIRST)
            && !turned_to(mention)
    };
    let beside = |mention: &&Mention| {
        later(mention)
            || is_declared && chosen.flags & CHOSEN != 0 && turned(mention.at)
            || is_declared
                && !all.same_sentence(mention.at, chosen.at)
                && chosen.flags & (CHOSEN | BEST) != 0
                && !turned_to(mention)
            || is_declared && !all.same_line(mention.at, chosen.at)
            // "Deepa's figure was 21,000. Mine is 17,500."
            || is_declared
                && all.sentence[mention.at] < all.sentence[chosen.at]
                && !all.in_sentence(mention.at, class::FIRST | class::CHOOSE)
    };
    if !active.iter().all(|mention| agree(mention) || beside(mention)) {
        return several;
    }
    doubtful.retain(|doubt| !later(doubt));
    if doubtful.iter().any(|doubt| {
        !is_declared
            || all.same_sentence(doubt.at, chosen.at) && !turned(doubt.at)
            || doubt.at > chosen.at && all.same_line(doubt.at, chosen.at)
    }) {
        return several;
    }
    // "13,000 … no, hang on, Maya is right: 12,000."
    let anew = |last: usize| {
        let other = |mention: &Mention| mention.at > last && mention.value != chosen.value;
        last > chosen.at
            && found
                .iter()
                .any(|mention| other(mention) && mention.flags & (NEGATED | PAST) == 0)
    };
    if all.last_correction().is_some_and(anew) {
        return several;
    }
    let span = chosen.at..chosen.at + 1;
    let named = |clause: std::ops::Range<usize>| {
        found.iter().any(|mention| clause.contains(&mention.at)) || all.any(clause.clone(), class::MORE)
    };
    let sentence = all.sentence_of(chosen.at);
    let firm = is_declared || all.any(sentence.start..chosen.at, class::CHOOSE);
    if rest::taken_back(all, span.end, firm, &named) {
        return none;
    }
    // "The average would be 21,600."
    let of = |classes| all.clause_of(chosen.at).any(|at| all.is(at, classes));
    if !is_declared && of(class::AVG) && !of(class::FLOOR | class::RANGE | class::CAP) {
        return none;
    }
    // "A carpenter has 24,000. Half of that."
    let relative = |at: usize| {
        all.same_line(at, chosen.at) && is_one(all.word(at), "relative") && !all.has(at, REASON | OTHERS)
    };
    // "One wants 10,000, one wants 20,000, I take the midpoint."
    let another = |at: usize| {
        chosen.flags & CHOSEN == 0
            || all.clause[at] > all.clause[chosen.at]
                && all.in_clause(at, class::FIRST)
                && !all.in_clause(chosen.at, class::FIRST)
    };
    if (chosen.at..all.tokens.len()).any(|at| relative(at) && another(at)) {
        return none;
    }
    if !is_declared && !rest::in_known_words(all, &span) {
        return none;
    }
    // "As it is, 13,000; should something change, 16,000."
    let outcome = |mention: &Mention| {
        let before = all.sentence_of(chosen.at).start.wrapping_sub(1);
        let here = mention.flags & IF != 0 && all.sentence[mention.at] + 1 == all.sentence[chosen.at];
        let said = class::CHOOSE | class::FIRST | class::BUT;
        here && mention.value != chosen.value
            && all.sign(before + 1) == Some(';')
            && !all.in_sentence(chosen.at, said)
    };
    if refuses(all, chosen.at) || conditional(all, chosen.at) || found.iter().any(outcome) {
        return none;
    }
    let read = bounds.check(chosen.value as u64, How::Number);
    read.by(all.span(all.clause_of(chosen.at)))
}

/// Words beside an amount that add nothing to it.
const BESIDE: u64 = class::FILLER
    | class::MONEY
    | class::SIGN
    | class::CERTAIN
    | class::SO
    | class::NOW
    | class::FIRST
    | class::BEST
    | class::CHOOSE;

/// Whether the sentence is nothing but this amount, or the line or the clause behind its label.
fn alone(all: &Scoped, at: usize) -> bool {
    let line = all.line_of(at);
    let label = (line.start..at).rfind(|place| all.sign(*place) == Some(':'));
    let labelled = label.is_some_and(|label| all.holds_only(label..line.end, BESIDE, &(at..at + 1)));
    labelled || all.holds_only(all.sentence_of(at), BESIDE, &(at..at + 1))
}
