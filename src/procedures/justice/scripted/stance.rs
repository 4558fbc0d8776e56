//! Detection of the stance in another participant's statement: the principle and amount of its speaker, by
//! simple signs in the three languages. This is not a reader of answers: if a stance is missed, the
//! participant does not react to it.

use crate::language::files::{Files, Lists};
use crate::language::{Language, in_each_language};
use crate::principle::Principle;

/// Position of a speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stance {
    pub(crate) principle: Principle,
    /// In income dollars, for principles 3 and 4 if one was named.
    pub(crate) amount: Option<u32>,
}

/// Word lists. Key `own`: words before "principle n" that mark it as the speaker's own choice.
static WORDS: Files<Lists> = in_each_language!("../words/heard");

/// Returns the words of a key in all languages.
fn words(key: &str) -> impl Iterator<Item = &'static str> {
    let of = move |language| WORDS.list(language, key).iter().copied();
    Language::ALL.into_iter().flat_map(of)
}

/// Returns the stance that a statement expresses.
pub(super) fn detect_stance(text: &str) -> Option<Stance> {
    find_declared(text).or_else(|| find_most_named(text))
}

/// Returns the last principle that the speaker calls its own.
fn find_declared(text: &str) -> Option<Stance> {
    let mut end = text.len();
    while let Some(mention) = last_mention(text.get(..end)?) {
        end = mention.start;
        let Some(principle) = mention.principle else {
            continue;
        };
        let before = sentence_before(text.get(..mention.start)?);
        if marks_own_choice(&before.to_lowercase()) {
            let after = sentence_after(text.get(mention.end..)?);
            let amount = principle
                .needs_amount()
                .then(|| first_amount(after).or_else(|| first_amount(text.get(mention.end..).unwrap_or(""))));
            return Some(Stance {
                principle,
                amount: amount.flatten(),
            });
        }
    }
    None
}

/// Whether the beginning of a sentence, in lower case, marks what follows as the speaker's own choice.
fn marks_own_choice(before: &str) -> bool {
    let mut last = ' ';
    for (at, c) in before.char_indices() {
        let within = c.is_ascii() && (last.is_alphabetic() || !c.is_ascii_lowercase());
        last = c;
        if within {
            continue;
        }
        let rest = before.get(at..).unwrap_or("");
        let sign = words("own").find(|sign| rest.starts_with(*sign));
        if let Some(tail) = sign.and_then(|sign| rest.get(sign.len()..)) {
            let denied = before.get(..at).is_some_and(|head| head.ends_with("no "));
            if !denied && !tail.contains(" not ") && !tail.contains('不') {
                return true;
            }
        }
    }
    false
}

/// Returns the principle that is named most often by number, or else the only one whose words occur.
fn find_most_named(text: &str) -> Option<Stance> {
    let mut counts = [0_u32; 4];
    let mut end = text.len();
    while let Some(mention) = last_mention(text.get(..end)?) {
        end = mention.start;
        let before = sentence_before(text.get(..mention.start)?).to_lowercase();
        let denied = words("denied").any(|no| before.contains(no));
        if let Some(principle) = mention.principle.filter(|_| !denied) {
            counts[usize::from(principle.number()) - 1] += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let principle = if most == 0 {
        if end < text.len() {
            return None;
        }
        find_by_words(&text.to_lowercase())?
    } else {
        let mut leaders = Principle::ALL
            .into_iter()
            .filter(|principle| counts[usize::from(principle.number()) - 1] == most);
        let leader = leaders.next()?;
        if leaders.next().is_some() {
            return None;
        }
        leader
    };
    let amount = principle.needs_amount().then(|| first_amount(text));
    Some(Stance {
        principle,
        amount: amount.flatten(),
    })
}

/// Returns the principle whose words alone occur in a lower-case text.
fn find_by_words(text: &str) -> Option<Principle> {
    let has = |key| words(key).any(|word| text.contains(word));
    let floor = has("floor");
    let average = has("average");
    let range = has("range");
    let bound = has("bound");
    match (floor, average, range, bound) {
        (false, _, true, _) => Some(Principle::RangeConstraint),
        (true, _, false, true) => Some(Principle::FloorConstraint),
        (true, false, false, false) => Some(Principle::Floor),
        (false, true, false, false) => Some(Principle::Average),
        _ => None,
    }
}

/// A mention of "principle", with the number beside it if there is exactly one.
struct Mention {
    start: usize,
    end: usize,
    principle: Option<Principle>,
}

fn last_mention(text: &str) -> Option<Mention> {
    let within = |text: &str, noun: &str| text.rfind(noun).map(|at| (at, at + noun.len()));
    // Only the text after the last match of one noun can contain a later match of the other.
    let (first, second) = if text.ends_with(|c: char| c.is_ascii()) {
        ("rincip", "原则")
    } else {
        ("原则", "rincip")
    };
    let found = within(text, first);
    let behind = found.map_or(0, |(_, end)| end);
    let later = within(text.get(behind..)?, second).map(|(at, end)| (behind + at, behind + end));
    let (start, mut end) = later.or(found)?;
    let mut rest = text.get(end..)?.chars().peekable();
    let mut noun = String::new();
    let mut skip = |rest: &mut std::iter::Peekable<std::str::Chars>, keep: fn(char) -> bool| {
        while let Some(c) = rest.next_if(|c| keep(*c)) {
            end += c.len_utf8();
            noun.push(c);
        }
    };
    skip(&mut rest, |c| c.is_ascii_alphabetic());
    skip(&mut rest, |c| matches!(c, ' ' | '#' | '*' | '(' | '第'));
    let number = rest.next().and_then(|c| match c {
        '1' | '一' => Some(1),
        '2' | '二' => Some(2),
        '3' | '三' => Some(3),
        '4' | '四' => Some(4),
        _ => None,
    });
    let alone = !rest.next().is_some_and(|c| c.is_ascii_digit());
    let plural = noun.starts_with("les") || noun.starts_with("ios");
    Some(Mention {
        start,
        end: end + usize::from(number.is_some()),
        principle: number
            .filter(|_| alone && !plural)
            .and_then(Principle::from_number),
    })
    .map(|mut mention| {
        while !text.is_char_boundary(mention.end) {
            mention.end += 1;
        }
        mention
    })
}

/// Whether a sentence ends at a character, given the next one.
fn is_sentence_end(c: char, next: Option<char>) -> bool {
    match c {
        '.' => next.is_none_or(char::is_whitespace),
        '!' | '?' | '\n' | '。' | '\u{ff01}' | '\u{ff1f}' => true,
        _ => false,
    }
}

/// Returns the text from the beginning of its last sentence.
fn sentence_before(text: &str) -> &str {
    let mut next = None;
    for (at, c) in text.char_indices().rev() {
        if is_sentence_end(c, next) && next.is_some() {
            return text.get(at + c.len_utf8()..).unwrap_or("");
        }
        next = Some(c);
    }
    text
}

/// Returns the text up to the end of its first sentence.
fn sentence_after(text: &str) -> &str {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_sentence_end(c, chars.peek().map(|(_, next)| *next)) {
            return text.get(..at).unwrap_or("");
        }
    }
    text
}

/// Returns the first amount of 1,000 to 1,000,000 in digits.
fn first_amount(text: &str) -> Option<u32> {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (amount, len) = parse_number(rest.get(at..)?);
        if (1_000..=1_000_000).contains(&amount) {
            return u32::try_from(amount).ok();
        }
        rest = rest.get(at + len..)?;
    }
    None
}

/// Parses the number at the start of a text; returns whole dollars and its length in bytes (at least 1).
fn parse_number(text: &str) -> (u64, usize) {
    let digits = |from: usize| -> &str {
        let tail = text.get(from..).unwrap_or("");
        let len = tail.bytes().take_while(u8::is_ascii_digit).count();
        tail.get(..len.min(12)).unwrap_or("")
    };
    let whole = digits(0);
    let mut value: u64 = whole.parse().unwrap_or(0);
    let mut at = whole.len();
    let mut hundredths = 0;
    while let Some(mark @ (',' | '.' | ' ' | '\u{a0}' | '\u{202f}')) =
        text.get(at..).and_then(|t| t.chars().next())
    {
        let group = digits(at + mark.len_utf8());
        match group.len() {
            3 if value < 1_000_000 => value = value * 1_000 + group.parse().unwrap_or(0),
            1 | 2 if mark == '.' => {
                let scale = if group.len() == 1 { 10 } else { 1 };
                hundredths = group.parse().unwrap_or(0) * scale;
            }
            _ => break,
        }
        at += mark.len_utf8() + group.len();
        if hundredths > 0 {
            break;
        }
    }
    let tail = text.get(at..).unwrap_or("");
    let scaled = |factor: u64| value.saturating_mul(factor) + hundredths * factor / 100;
    if let Some(after) = tail.strip_prefix('万') {
        at += '万'.len_utf8();
        let more = digits(at);
        let extra: u64 = more.parse().unwrap_or(0);
        at += more.len();
        let thousands = after.get(more.len()..).is_some_and(|t| t.starts_with('千'));
        let extra = extra * if thousands { 1_000 } else { 1 };
        return (scaled(10_000).saturating_add(extra), at);
    }
    let thousand = ["k", "K", "千", " thousand", " mil"].iter().any(|sign| {
        tail.strip_prefix(sign)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    (scaled(if thousand { 1_000 } else { 1 }), at.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &str) -> Option<(u8, Option<u32>)> {
        detect_stance(text).map(|stance| (stance.principle.number(), stance.amount))
    }

    #[test]
    fn own_declaration_beats_mentions_of_others() {
        let cases = [
            (
                "I see why Gigi favors principle 2. I support principle 3 with a floor of $14,000. What of it?",
                Some((3, Some(14_000))),
            ),
            (
                "Principle 1 is cold, principle 1 is bad. My vote goes to principle 2.",
                Some((2, None)),
            ),
            (
                "I support principle 4 with a gap of 12.5k, not principle 3.",
                Some((4, Some(12_500))),
            ),
            (
                "I do not support principle 2; we should not take principle 2 at all.",
                None,
            ),
            (
                "Entiendo el principio 1. Me inclino por el principio 3 con un mínimo de 13.500 dólares.",
                Some((3, Some(13_500))),
            ),
            (
                "No apoyo el principio 1. Propongo el principio 3 con 14 mil dólares.",
                Some((3, Some(14_000))),
            ),
            (
                "我明白原则2的好处。我倾向于原则3,底线定在1万4千元。",
                Some((3, Some(14_000))),
            ),
            ("我支持原则四,范围不超过1.35万元。", Some((4, Some(13_500)))),
            (
                "我不支持原则1。我建议原则3,最低1万3500元。",
                Some((3, Some(13_500))),
            ),
            (
                "The floor constraint at 14,000 dollars is best.",
                Some((3, Some(14_000))),
            ),
            ("Principle 1 or principle 2?", None),
            ("Hello there.", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(detected(text), expected, "{text}");
        }
    }

    #[test]
    fn never_panics_on_fragments() {
        let text = "Yo apoyo el principio 第3 con 1万4千 千 $14.000,50. 原则principle princip 99999999999999999999 万";
        for from in 0..text.len() {
            for to in from..=text.len() {
                if let Some(part) = text.get(from..to) {
                    let _ = detect_stance(part);
                }
            }
        }
    }
}
