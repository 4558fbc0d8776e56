//! Yes or no: to a vote, to an amount, to a proposal. Not for what is agreed to.

use super::clean::clean;
use super::option::{concedes, conditional, refuses};
use super::scope::flag::*;
use super::scope::{Scoped, is_plain};
use super::token::{Kind, Token, begins_so, class, ends_so, is_one};
use super::{How, Reading, Reason, json, rest};
use crate::language::Language;

/// What may stand beside a yes or no that says nothing else.
const AROUND: u64 = class::FILLER
    | class::FIRST
    | class::YES
    | class::ASSENT
    | class::CHOOSE
    | class::NOW
    | class::SO
    | class::CERTAIN;

#[derive(Clone, Copy)]
struct Word {
    at: usize,
    yes: bool,
    how: How,
    /// Yes, no, 1 or 0 and not what only amounts to it.
    plain: bool,
    /// Negated from afar, over words that no lexicon knows.
    doubtful: bool,
    flags: u16,
}

/// Whether an answer agrees: 1 or 0, yes or no, or a word that amounts to it.
#[must_use]
pub fn agreement(text: &str, language: Language) -> Reading<bool> {
    const VOTES: u64 = class::CHOOSE | class::ASSENT | class::DISSENT;
    let clean = clean(text);
    if clean.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    match json::decides(&clean, language, class::ASSENT | class::YES, |value| {
        truth(value, language)
    }) {
        json::Found::One(yes) => return Reading::read(yes, How::Json),
        json::Found::Several => return Reading::unread(Reason::AgreementUnclear),
        json::Found::None => {}
    }
    let all = Scoped::of(text, &clean, language);
    let mut read = decide(&all);
    // "Yes? No." answers oneself, "Vote now? I am against it" an offer.
    let truth = |part: &Scoped, whole: bool| {
        decide(part)
            .value()
            .filter(|_| whole)
            .map(|yes| if *yes { rest::YES } else { rest::NO })
    };
    if read.value().is_none()
        && let Some(place) = rest::conclusion(&all, language, &truth)
        && (!all.has(place.start - 1, ASKED)
            || all.in_sentence(place.start - 1, VOTES) && all.any(place.clone(), VOTES))
    {
        read = decide(&all.part(place.clone(), language)).by(all.span(place));
    }
    // "Y"
    match read.value() {
        None => super::labelled::truth(&clean, language).map_or(read, |yes| Reading::read(yes, How::Word)),
        _ => read,
    }
}

/// Yes or no as a value of JSON.
pub(super) fn truth(value: &serde_json::Value, language: Language) -> Option<bool> {
    use serde_json::Value;
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) => agreement(text, language).value().copied(),
        _ => None,
    }
}

fn words(all: &Scoped) -> Vec<Word> {
    const SAID: u64 = class::FILLER | class::SO | class::NOW | class::FIRST | class::BUT | class::CORRECT;
    let mut found: Vec<Word> = Vec::new();
    // "Not yet:\n1. It is vague.\n2. It is late."
    let marks = |at: usize| {
        let leads = at
            .checked_sub(1)
            .is_none_or(|before| all.sign(before) == Some('\n'));
        leads && matches!(all.sign(at + 1), Some('.' | ')' | '、'))
    };
    let listed = (0..all.tokens.len()).any(|at| all.tokens[at].number == 2.0 && marks(at));
    for (at, token) in all.tokens.iter().enumerate() {
        // "Can we hear Ana first?" asks for time.
        let asks = token.is(class::DISSENT) && token.value > 1;
        let flags = all.flags[at] & if asks { !ASKED } else { !0 };
        let clause = all.clause_of(at);
        let before = at.checked_sub(1).and_then(|at| all.token(at));
        let after = all.token(at + 1);
        let negation = (clause.start..at).rev().find(|at| all.is(*at, class::NEG));
        let doubtful =
            negation.is_some_and(|from| all.tokens[from..at].iter().any(|token| token.is_unknown()));
        let mut add = |yes: bool, how: How, plain: bool| {
            found.push(Word {
                at,
                yes,
                how,
                plain,
                doubtful: doubtful && !yes && !plain,
                flags,
            })
        };
        // 投还是不投, but not 我还是不投; where none can be said, 没法说同意还是不同意, it is both.
        let either = |at: usize| all.is(at, class::OR) && !all.holds_only(clause.start..at, SAID, &(at..at));
        if all.is(at + 1, class::OR) || at > 0 && either(at - 1) {
            continue;
        }
        // "One.", as the whole answer.
        let is_all = |other: usize| other == at || all.sign(other).is_some();
        let is_digit = token.kind == Kind::Digits || (0..all.tokens.len()).all(is_all);
        if is_plain(token) && token.number <= 1.0 && is_digit {
            let counts = before.is_some_and(|before| {
                before.is(class::CTX | class::NOUN | class::SIGN) && !before.is(class::CHOOSE)
            }) || matches!(
                before.and_then(super::token::Token::sign),
                Some('$' | '-' | '/' | '#')
            )
                || after.is_some_and(|after| {
                    after.is(class::CTX | class::COUNTED | class::MONEY | class::TIMES | class::PERCENT)
                        || after.is_unknown() && !after.is(class::CHOOSE)
                })
                || matches!(after.and_then(super::token::Token::sign), Some('/' | '%'))
                // "Between 1 and 3."
                || all.is(at + 1, class::AND | class::OR | class::TO)
                    && all.token(at + 2).is_some_and(|next| next.is_number() && next.number > 1.0);
            if !(counts || listed && marks(at)) {
                add(token.number == 1.0, How::Digit, true);
            }
            continue;
        }
        if all.is_yes(at) {
            add(true, How::Word, true);
            continue;
        }
        // "I would rather not wait", "I disagree with Ana that we should wait".
        let of_waiting = || {
            let end = if token.is(class::REJECT) {
                clause.end
            } else {
                clause.end.min(at + 2)
            };
            (at + 1..end)
                .take_while(|at| !all.is(*at, class::CHOOSE))
                .any(|at| all.is(at, class::DISSENT))
        };
        // "Ana was against, Chen was for."
        let of_another = at > 0
            && is_one(all.word(at - 1), "was")
            && all.is_unknown(clause.start + usize::from(all.sign(clause.start).is_some()))
            && !all.any(clause.clone(), class::FIRST);
        // 还没来得及读 denies what follows, and no more.
        let of_verb = token.is(class::NAY) && all.word(at).ends_with('没') && all.is_unknown(at + 1);
        if of_waiting() || of_another || of_verb {
            continue;
        }
        let useless = || token.value == 1 && is_useless(all, clause.clone());
        let dissents = token.is(class::DISSENT) && !token.is(class::SHIELD) && !all.is(at + 1, class::OF);
        if token.is(class::NAY) && is_denied(all, at) {
            continue;
        }
        if token.is(class::NAY) {
            // 不同意 may speak of a part of what is asked, but not where it is all that is said.
            let whole = all.holds_only(clause.clone(), SAID, &(at..at + 1))
                && !clause.clone().any(|at| all.names_amount(at));
            add(false, How::Word, !token.is(class::REJECT) || whole);
        } else if token.is(class::YES) && !token.is(class::NEG) {
            let alone = clause.clone().all(|at| {
                all.is(at, AROUND | class::DISSENT | class::BUT)
                    || all.sign(at).is_some()
                    || is_plain(&all.tokens[at])
            });
            let leads = at == clause.start && token.span.1 - token.span.0 > 1 && !token.is(class::CERTAIN);
            // "My answer is: no."
            let copula = token.is(class::FILLER) && matches!(all.sign(at + 1), Some(':' | '"' | '“' | '「'));
            let ends = !copula
                && (at + 1 == clause.end || all.token(at + 1).is_some_and(|next| next.sign().is_some()));
            // One Chinese character is yes at the head of a clause only.
            let short = all.word(at).chars().count() == 1 && !all.word(at).is_ascii();
            let alone = alone && (!short || at == clause.start);
            let long = !short || !leads || alone;
            // "I vote yes on starting."
            let says = alone
                || flags & CHOSEN != 0
                    && !token.is(class::FILLER)
                    && !after.is_some_and(Token::is_unknown)
                    && before.is_some_and(|before| before.is(class::CHOOSE))
                || (leads && long)
                || (ends && flags & CHOSEN != 0)
                || concludes(all, at) && after.is_some_and(|after| after.is(class::TO));
            if says && flags & (NEGATED | UNCLEAR) == 0 && !acknowledges(all, clause.end) {
                add(true, How::Word, true);
            }
        } else if token.is(class::ASSENT)
            && !token.is(class::DISSENT)
            && (at + 1..clause.end)
                .take_while(|at| !all.is(*at, class::NEG | class::AND | class::OR))
                .any(|at| all.is(at, class::DISSENT) && all.value(at) == 0)
        {
            // "Voting now is premature."
            continue;
        } else if token.is(class::ASSENT) && !token.is(class::NAY) && governed(all, at) {
            // "It is premature to vote now."
            continue;
        } else if token.is(class::ASSENT) {
            let negated = flags & NEGATED != 0 && !token.is(class::NEG | class::DOUBLE);
            // "I agree with Sam that the amount is too low.", 我认同小李的担心.
            if negated
                && all.any(clause.start..at, class::FIRST)
                && !all.any(clause.start..at, class::NEG | class::REJECT | class::RATHER)
            {
                continue;
            }
            if flags & UNCLEAR == 0 || token.is(class::DOUBLE) {
                // "Agreed. Nothing new is coming up."
                let alone = if leads_reasons(all, at) {
                    clause.clone()
                } else {
                    all.sentence_of(at)
                };
                let whole = !negated && all.holds_only(alone, AROUND, &(at..at + 1));
                add(!negated, How::Keyword, whole && !token.is(class::DOUBLE));
            }
        } else if dissents && !useless()
            || token.is(class::REJECT)
                && all.any(clause.start..at, class::GERUND)
                && !all.any(clause.clone(), class::NUM)
        {
            // "Too early.", "Voting now would be a mistake."
            let negations = all.tokens[clause.start..at]
                .iter()
                .filter(|token| token.is(class::NEG | class::NAY | class::REJECT) && !token.is(class::FILLER))
                .count();
            let denied = all.any(at + 1..clause.end, class::NEG);
            if negations == 0 && !denied {
                add(false, How::Keyword, false);
            }
        } else if token.is(class::NEG) && !token.is(class::SHIELD) {
            // "Thanks, but no."
            let turns = all.sign(at + 1) == Some(',')
                || !all.any(all.sentence_of(at).start..clause.start, class::FIRST);
            // "No because nobody has named an amount."
            let reasons =
                is_one(all.word(at), "plain no") && all.is(at + 1, class::BECAUSE) && all.value(at + 1) > 0;
            let clause = clause.start..if reasons { at + 1 } else { clause.end };
            let rest = all.holds_only(
                clause.clone(),
                class::NEG | class::AND | SAID & if turns { !0 } else { !class::BUT },
                &(at..at + 1),
            );
            // "I can't think of a reason to say no, so I won't."
            let refers = at > 0
                && all.is(at - 1, class::FIRST)
                && all.any(clause.start..at, class::SO)
                && all.any(all.sentence_of(at).start..clause.start, class::NEG);
            let alone = rest && clause.clone().filter(|at| all.is(*at, class::NEG)).count() <= 2;
            // "My answer is no", "I say no".
            let said = all.tokens[clause.start..at]
                .iter()
                .rev()
                .find(|token| !token.is(class::FILLER));
            let ends = flags & CHOSEN != 0
                && said.is_none_or(|token| token.is(class::CHOOSE) || token.sign().is_some())
                && after.is_none_or(|after| after.sign().is_some());
            // "I side with neither.", "Bruno needs more time, but we don't."
            let of_other = at > clause.start
                && all.is(at - 1, class::FIRST)
                && all.any(all.sentence_of(at).start..clause.start, class::DISSENT);
            if (alone || ends) && !refers && token.value == 0 {
                add(of_other, How::Word, !of_other);
            }
        }
    }
    found
}

/// "No way I'd say no", 不是否, "todavía no lo sé": a no that another meets, or with a last word that leaves it open.
fn is_denied(all: &Scoped, at: usize) -> bool {
    const SAID: u64 = class::FILLER | class::FIRST | class::MIGHT | class::CHOOSE;
    let (clause, word, said) = (all.clause_of(at), all.word(at), all.text_at(&all.tokens[at]));
    let open = |last: usize| begins_so(said.get(last + 1..).unwrap_or_default(), "refuse");
    let again = |next: usize| all.is(next, class::NEG | class::NAY | class::REJECT);
    let next = (at + 1..clause.end).find(|at| all.sign(*at).is_none() && !all.is(*at, SAID));
    all.value(at) == 0 && next.is_some_and(again)
        || word > "\u{3400}" && word.chars().count() == 1 && all.any(clause.start..at, class::NEG)
        || word.rfind(' ').is_some_and(open) && !all.any(at + 1..at + 3, class::CHOOSE)
}

/// 她同意我就同意, "cuando Ana diga que sí, yo digo que sí": a yes that waits for another's.
fn follows_another(all: &Scoped, at: usize) -> bool {
    let before = all.sentence_of(at).start..at;
    let waits = |mut tokens: std::ops::Range<usize>| tokens.any(|at| is_one(all.word(at), "as soon as"));
    let yes = |at: &usize| all.is(*at, class::ASSENT | class::YES) && !all.is(*at, class::FILLER);
    let other = before
        .clone()
        .find(yes)
        .filter(|other| !all.any(before.start..*other, class::FIRST));
    let so = concludes(all, at) && all.is(at.wrapping_sub(2), class::FIRST);
    so && (other.is_some() || waits(before))
        || other.is_some_and(|other| waits(all.clause_of(other).start..other))
}

/// Whether the sentence before asks something else, or for the opposite of what is asked: "Wait another hour? God, no."
fn answers_another(all: &Scoped, at: usize) -> bool {
    let Some(before) = all.sentence_of(at).start.checked_sub(1) else {
        return false;
    };
    // "Has everybody spoken? Yes."
    const VOTED: u64 = class::CHOOSE | class::ASSENT | class::DISSENT | class::NAY | class::NOW;
    let asked = all.sentence_of(before);
    let rhetorical = all.word(at).starts_with(|c| c > '\u{3400}');
    let alone = || !rhetorical && all.holds_only(all.sentence_of(at), class::FILLER, &(at..at + 1));
    all.has(before, ASKED)
        && (all.any(asked.clone(), class::DISSENT | class::RATHER)
            || !all.any(asked.clone(), VOTED) && asked.into_iter().any(|at| all.is_unknown(at)) && alone())
}

/// Whether it stands right behind a word such as "so".
fn concludes(all: &Scoped, at: usize) -> bool {
    at > 0 && all.is(at - 1, class::SO)
}

/// Whether a word of dissent stands before it with nothing but "to" between.
fn governed(all: &Scoped, at: usize) -> bool {
    at > 1 && all.is(at - 1, class::TO) && all.is(at - 2, class::DISSENT) && all.value(at - 2) == 0
}

/// Whether more talk is called of no use: 再讨论也是重复.
fn is_useless(all: &Scoped, mut clause: std::ops::Range<usize>) -> bool {
    clause.any(|at| {
        let said = all.tokens.get(at).map_or("", |token| all.text_at(token));
        begins_so(said, "useless")
    })
}

/// Whether its clause is the first of all and reasons follow: "Agreed, nobody has brought anything new", but neither
/// "Agreed, in part" nor "Go on, don't make me laugh".
fn leads_reasons(all: &Scoped, at: usize) -> bool {
    const TURNS: u64 = class::MAYBE | class::CORRECT | class::REFUSE | class::IF | class::MIGHT;
    let clause = all.clause_of(at);
    let rest = clause.end..all.sentence_of(at).end;
    let denies = |at: usize| {
        all.is(at, class::NEG)
            && all.value(at) == 0
            && at.checked_sub(1).is_some_and(|at| all.sign(at).is_some())
            || all.is(at, class::BUT) && all.value(at) == 0
    };
    clause.start == 0
        && rest.clone().filter(|at| all.sign(*at).is_none()).count() > 3
        && !all.any(rest.clone(), TURNS)
        && !rest.into_iter().any(denies)
}

/// Whether its clause is the first of its sentence, or begins with a "but".
fn opens(all: &Scoped, at: usize) -> bool {
    let start = all.clause_of(at).start;
    start == all.sentence_of(at).start || all.is(start, class::BUT)
}

/// Whether the clause behind a yes says that something was heard or well asked, and no more: "Yes, I got your message."
fn acknowledges(all: &Scoped, at: usize) -> bool {
    let mut clause = all.clause_of(at);
    // "Okay, okay, I see the question."
    while clause.len() <= 3
        && all.any(clause.clone(), class::YES)
        && all.holds_only(clause.clone(), class::YES | class::FILLER, &(0..0))
        && clause.end < all.tokens.len()
    {
        clause = all.clause_of(clause.end);
    }
    all.sign(at) == Some(',')
        && !all.any(clause.clone(), class::ASSENT | class::NAY)
        && clause.skip(1).take(6).any(|at| {
            let word = all.word(at);
            is_one(word, "heard") || !word.is_ascii() && begins_so(all.text_at(&all.tokens[at]), "heard")
        })
}

/// Whether the sentence is nothing but this word and the one before it asks about the vote: "But voting now? No."
fn replies(all: &Scoped, at: usize) -> bool {
    let sentence = all.sentence_of(at);
    let asked = sentence
        .start
        .checked_sub(1)
        .map(|before| all.sentence_of(before));
    asked.is_some_and(|asked| all.has(asked.end - 1, ASKED) && all.any(asked, class::CHOOSE))
        && all.holds_only(sentence, class::FILLER | class::SO, &(at..at + 1))
}

fn decide(all: &Scoped) -> Reading<bool> {
    const TURNED: u64 = class::CHOOSE | class::SO | class::NOW | class::CORRECT | class::ASSENT;
    let unclear = Reading::unread(Reason::AgreementUnclear);
    let found = words(all);
    let blocked = QUOTED | ASKED | IF | PAST | OTHERS | REASON | ECHO | SECOND;
    let mut active: Vec<Word> = found
        .iter()
        .copied()
        .filter(|word| word.flags & blocked == 0 && !concedes(all, word.at))
        .filter(|word| !word.plain || !answers_another(all, word.at))
        // A sentence that begins with its yes or no has said it, whatever the reason after it says.
        .collect();
    // "Yes. One can always talk more, but we have heard it all."
    let conceded = |word: &Word| {
        let sentence = all.sentence_of(word.at);
        !word.plain && (word.at + 1..sentence.end).any(|at| all.is(at, class::BUT) && all.value(at) == 0)
    };
    if active.iter().any(|word| word.plain) {
        active.retain(|word| !conceded(word));
    }
    if let Some(last) = all.last_correction()
        && active.iter().any(|word| word.at > last && word.plain)
    {
        active.retain(|word| word.at > last);
    }
    // 小陈不同意，我同意。
    let own = |at: usize| all.any(all.clause_of(at).start..at + 1, class::FIRST);
    if let Some(last) = active.last().map(|last| last.at).filter(|last| own(*last)) {
        active.retain(|word| {
            let subject = all.clause_of(word.at).find(|at| all.sign(*at).is_none());
            let named = subject.is_some_and(|at| at < word.at && all.is_unknown(at));
            word.at == last || own(word.at) || !named || !ends_so(all.word(word.at), "assent")
        });
    }
    // 小李同意，老张不同意，我嘛，还在看: who speaks has not said.
    let others = active.last().is_some_and(|last| {
        let clause = all.clause_of(last.at);
        let subject = clause.clone().find(|at| all.sign(*at).is_none());
        subject.is_some_and(|at| at < last.at && all.is_unknown(at))
            && !all.any(clause.clone(), class::FIRST)
            && clause.end < all.tokens.len()
            && all.same_sentence(last.at, clause.end + 1)
            && all.is(clause.end + 1, class::FIRST)
    });
    if others && active.iter().any(|word| word.yes != active[0].yes) {
        return unclear;
    }
    let declared: Vec<&Word> = active
        .iter()
        .filter(|word| {
            // "Conclusion: we can start the vote."
            let labelled = word.flags & CHOSEN != 0 && all.sign(all.clause_of(word.at).start) == Some(':');
            labelled
                || word.plain && concludes(all, word.at)
                || word.plain
                    && (word.flags & CHOSEN != 0 && all.in_clause(word.at, class::FIRST | class::CHOOSE)
                        || replies(all, word.at))
        })
        .collect();
    let plain: Vec<&Word> = active.iter().filter(|word| word.plain).collect();
    let of = |words: &[&Word]| -> Option<(bool, usize, How)> {
        let first = words.first()?;
        let known = |word: &&&Word| rest::in_known_words(all, &(word.at..word.at + 1));
        let last = words.iter().rev().find(known).or(words.last())?;
        let agree = words.iter().all(|word| word.yes == first.yes);
        agree.then_some((first.yes, last.at, last.how))
    };
    let any: Vec<&Word> = active.iter().collect();
    // "Answer: no.\nReasoning: I agree that growth matters, but …"
    let elsewhere = |word: &Word, said: &Word| !word.plain && all.line[word.at] > all.line[said.at];
    // "I object. Yes, the floor matters." grants something, and "Yes, let's vote." does not. 加就同意；不加，不同意。
    let means = |word: &Word| {
        let turned = all.in_sentence(word.at, TURNED) || all.has(word.at, CHOSEN);
        turned || !word.yes && !all.is(word.at, class::REJECT)
    };
    let decided = match (of(&declared), of(&plain), of(&any)) {
        (_, said, Some(all)) => (all.0, said.unwrap_or(all).1, all.2),
        // "Yes, I understand, but my answer is no."
        (Some(said), _, _)
            if declared.last().is_some_and(|last| {
                any.iter()
                    .all(|word| word.at <= last.at || word.yes == last.yes || elsewhere(word, last))
            }) =>
        {
            said
        }
        // What only amounts to the opposite stands before a plain word, or after it without a "but".
        (_, Some(said), _)
            if any.iter().all(|word| {
                word.plain
                    || word.yes == said.0
                    || word.at < said.1 && plain.iter().all(|plain| plain.at > word.at && means(plain))
            }) =>
        {
            said
        }
        // "Yes, we have come far, and I am grateful, but I do not want to vote yet.", "Yes... hm, actually no."
        _ => {
            let turn = any.iter().position(|word| word.yes != any[0].yes).unwrap_or(0);
            let (Some(first), Some(last)) = (any.first(), any.get(turn)) else {
                return unclear;
            };
            let (between, clause) = (first.at + 1..last.at, all.clause_of(last.at));
            let said = between.clone().filter(|at| all.sign(*at).is_none()).count();
            let turns = all.is(clause.start, class::BUT)
                && all.same_sentence(first.at, last.at)
                && said > 2
                && !all.any(clause.clone(), class::NUM);
            let mends = (first.yes && last.plain && said > 0)
                && !all.any(between.clone(), class::TO)
                && (all.any(between.clone(), class::CORRECT)
                    || all.holds_only(between, class::FILLER | class::YES | class::NOW, &(0..0)));
            let ends = || last.at + 1 >= clause.end && rest::after_known_words(all, last.at);
            if !first.plain
                || any[turn..].iter().any(|word| word.yes != last.yes)
                || !(last.plain || !all.is(last.at, class::DISSENT) && ends())
                || !(turns || mends)
            {
                return unclear;
            }
            (last.yes, last.at, last.how)
        }
    };
    let (yes, at, how) = decided;
    let word = any.iter().find(|word| word.at == at);
    let is_plain = word.is_some_and(|word| word.plain);
    // "If they name the amount, I agree; otherwise no." "No, no reason to wait: let's vote."
    let agrees_too = |word: &Word| {
        let reasons = || all.same_line(word.at, at) || all.last_correction() > Some(at);
        word.yes
            && (word.flags & blocked == IF
                || word.flags & blocked == REASON && all.clause_of(word.at).start + 1 >= word.at && reasons())
    };
    let denies = |word: &&Word| !word.yes && all.is(word.at, class::ASSENT | class::NAY);
    let conditional_yes = |word: &Word| {
        let (yes, no) = (all.sentence[word.at], all.sentence[at]);
        word.yes && (word.flags & IF != 0 || all.is(word.at + 1, class::SO)) && (yes == no || yes + 1 == no)
    };
    if !yes && found.iter().any(agrees_too) && is_plain && how != How::Digit
        || all.in_sentence(at, class::DOUBLE) && any.iter().any(denies)
        // "If they have spoken, then yes; if not, let's wait."
        || !yes
            && (!is_plain || all.any(at..all.clause_of(at).end + 2, class::SO))
            && found.iter().any(conditional_yes)
        || plain.is_empty() && any.iter().any(|word| word.doubtful)
        || yes && follows_another(all, at)
    {
        return unclear;
    }
    // "No. We are split between 2 and 3."
    let said_so = is_plain && (rest::leads(all, at) || all.has(at, CHOSEN) && !all.is(at, class::CORRECT));
    // "No era mío, yo aún no he abierto la boca."
    let unanswered =
        |at: usize| all.is(at, class::REFUSE) && all.is(at.wrapping_sub(1), class::NEG | class::NAY);
    let refused = (0..all.tokens.len()).any(unanswered) || (yes || !said_so) && refuses(all, at);
    if refused
        || !all.is(at, class::IF) && conditional(all, at)
        || all.has(at, MAYBE)
        || all.has(at, UNCLEAR) && !all.is(at, class::DOUBLE)
    {
        return unclear;
    }
    // "When all are ready I agree, otherwise let us wait."
    let otherwise = |at: usize| all.is(at, class::SECOND) && all.value(at) > 0 && !all.is(at, class::RANK);
    if (0..all.tokens.len()).any(otherwise) {
        return unclear;
    }
    let denied = |at: usize| all.any(all.clause_of(at).start..at, class::NEG | class::NAY);
    let doubts = |at: usize| {
        all.is(at, class::CERTAIN) && (all.value(at) < 0 || denied(at)) || all.is(at, class::MAYBE)
    };
    if (0..all.tokens.len()).any(|place| {
        doubts(place)
            && !all.has(
                place,
                OTHERS | PAST | QUOTED | if place > at { REASON } else { 0 },
            )
            && (!is_plain || all.same_clause(place, at))
    }) {
        return unclear;
    }
    // "…, I agree."
    let owned = yes || !all.is(at, class::ASSENT) && all.any(all.clause_of(at).start..at + 1, class::FIRST);
    // A negation that belongs to none of the words is something unsaid, unless yes or no was said plainly.
    let negated = |place: usize| {
        let clause = all.clause_of(place);
        all.is(place, class::NEG)
            && !all.has(place, PAST | OTHERS | QUOTED | REASON)
            // "Hold off. We still haven't settled the amount."
            && (yes || !is_one(all.word(place), "not done"))
            // "I do not agree: the figure is not there."
            && (yes
                || place < at
                || !opens(all, at)
                || (clause.start..=place).all(|at| all.sign(at).is_some() || all.is(at, class::NEG))
                || all.any(clause.clone(), class::ASSENT | class::DISSENT))
            && (all.same_sentence(place, at) && !(place < at && owned && clause.end <= at))
            && !any.iter().any(|word| clause.contains(&word.at))
    };
    // "What do you say? Let me hear you first."
    let asks_back = |place: usize| {
        all.sign(all.sentence_of(place).end) == Some('?')
            && begins_so(all.text_at(&all.tokens[place]), "asks back")
    };
    let ends = all.sentence_of(at).end + 1 >= all.tokens.len();
    let unsaid = |place| negated(place) || all.is(at, class::DISSENT) && asks_back(place);
    if !is_plain && ((0..all.tokens.len()).any(unsaid) || all.tokens.len() > 60 && !ends) {
        return unclear;
    }
    // "It would be premature to say yes", "I am struggling to agree", "I agree that we should hear Ana first".
    let clause = all.clause_of(at);
    let holds = |classes| all.any(clause.clone(), classes);
    if yes && !rest::in_known_words(all, &(at..if is_plain { clause.end } else { at + 1 }))
        || yes
            && !is_plain
            && (holds(class::WITHOUT | class::RATHER)
                || all.tokens[clause.clone()].iter().any(Token::is_number))
    {
        return unclear;
    }
    let named = |clause: std::ops::Range<usize>| any.iter().any(|word| clause.contains(&word.at));
    // "Yes, but let me speak first"; "yes, though it is not what I hoped for" stays a yes.
    let buts = (at..rest::paragraph_end(all, at)).filter(|place| {
        all.is(*place, class::BUT) && all.value(*place) == 0 && !named(all.clause_of(*place))
    });
    let (mut firm, mut turns) = (is_plain, false);
    for place in buts {
        firm &= !all.same_sentence(place, at);
        turns |= rest::leads(all, place);
    }
    if yes && turns {
        return unclear;
    }
    if yes && rest::taken_back(all, at + 1, firm, &named) {
        return unclear;
    }
    let sentence = all.sentence_of(at);
    // "I agree, although not in all", "I agree, although we should hear Ana first".
    let halves = class::NAY | class::DISSENT | class::ONLY | class::RATHER;
    let half = |place: usize| {
        (all.is(place, class::BUT) && all.value(place) == 1)
            && !all.in_clause(place, class::IF | class::PAST)
            && (all.is(place + 1, class::NEG)
                || all.in_clause(place, halves)
                || all.clause_of(place).any(|at| begins_so(all.word(at), "wished")))
    };
    // "Sure, and pigs will fly": nothing in what follows is known.
    const ASIDE: u64 = class::AND | class::FILLER | class::FIRST | class::COUNTED;
    let aside = (at + 1..sentence.end).any(|place| {
        let mut clause = all.clause_of(place);
        (all.is(place, class::AND) && all.sign(place - 1) == Some(','))
            && clause.len() > 3
            && clause.all(|at| all.is_unknown(at) || all.sign(at).is_some() || all.is(at, ASIDE))
    });
    // A later sentence that denies something, or denials all over: what is denied there is not understood well enough.
    let no = |place: usize| {
        all.is(place, class::NEG | class::NAY | class::DISSENT | class::REJECT)
            && !all.is(place, class::FILLER | class::SHIELD | class::BUT)
            && !all.has(place, OTHERS | QUOTED | PAST | REASON)
    };
    let denies = |place: &usize| {
        let clause = all.clause_of(*place).start;
        all.is(*place, class::NEG | class::NAY)
            && !all.is(*place, class::FILLER | class::SHIELD)
            && !all.any(clause..*place, class::NEG | class::NAY)
    };
    // "Yes.", "Answer: yes", "Yes, let's begin."
    let bare = all.holds_only(sentence.clone(), AROUND, &(at..at + 1))
        || declared.iter().any(|word| word.at == at)
        || any.iter().filter(|word| sentence.contains(&word.at)).count() > 1;
    let partial = |place: usize| begins_so(all.text_at(&all.tokens[place]), "partial");
    let doubtful = if yes {
        aside || (at..sentence.end).any(half) || !bare && (sentence.end..all.tokens.len()).any(no)
    } else {
        // "I disagree with most of it, but voting now is right."
        let turns =
            |place: usize| all.is(place, class::BUT) && all.value(place) == 0 && !named(all.clause_of(place));
        // "Can anybody deny it? I can't."
        let reasons = (at..sentence.end).find(|at| all.sign(*at) == Some(':'));
        let reasons = reasons.unwrap_or(sentence.end);
        let elliptic = !is_plain || all.in_clause(at, class::FIRST);
        let asked = sentence.start > 0 && all.has(sentence.start - 1, ASKED);
        is_plain && !bare && (0..all.tokens.len()).filter(denies).count() > 2
            || !is_plain && (at..reasons).any(turns)
            || asked && elliptic && all.is(at, class::NEG) && !all.is(at, class::ASSENT | class::NAY)
    };
    if doubtful || (0..all.tokens.len()).any(partial) {
        return unclear;
    }
    Reading::read(yes, how).by(all.span(all.clause_of(at)))
}
