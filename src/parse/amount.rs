//! Reads the amount of a constraint, in whole income dollars. Two different amounts, an amount
//! grouped in a doubtful way or one that takes arithmetic is unread. The bounds are the caller's.

use super::amount_context::{CURRENCIES, Found, SMALL, find, is_currency};
use super::declared::{after_corrections, amounts as declarations};
use super::normalize::normalize;
use super::number_words::begins;
use super::tokens::{Kind, fold, tokens};
use super::{How, Reading, Reason};
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

/// The amount that an answer names, within the bounds.
///
/// Digits in any grouping, "15k", number words in English and Spanish, Chinese numerals. Numbers that
/// count something else (rounds, years, percentages, fractions, people) and negative ones are no
/// amounts; neither is a plain number below 100. Among several amounts a last line that is nothing
/// but an amount decides, then a sentence that declares one ("I set it at …"), unless it is taken back.
#[must_use]
pub fn amount(text: &str, language: Language, bounds: AmountBounds) -> Reading<u32> {
    if let Some(value) = lone_number(text.trim()) {
        return bounds.check(value, How::Number);
    }
    let multiplied = multiplies(text);
    let folded = fold(&normalize(text));
    if folded.is_empty() {
        return Reading::unread(Reason::EmptyResponse);
    }
    in_folded(&folded, multiplied, language, bounds)
}

/// The same in a cleaned and folded answer; `multiplied`: see [`multiplies`].
pub(super) fn in_folded(
    folded: &str,
    multiplied: bool,
    language: Language,
    bounds: AmountBounds,
) -> Reading<u32> {
    let mut found = find(folded, language);
    found.open |= multiplied;
    if !multiplied
        && (found.open || found.amounts.len() > 1)
        && let Some(decided) = conclusion(folded, language).or_else(|| declared(folded, language))
    {
        found = decided;
    }
    match *found.amounts {
        _ if found.open && found.amounts.is_empty() => Reading::unread(Reason::NoAmountFound),
        [] => Reading::unread(Reason::NoAmountFound),
        [(value, how)] if !found.open => bounds.check(value, how),
        _ => Reading::unread(Reason::MultipleDifferentAmountsFound),
    }
}

/// The commonest answers: `15000`, `15,000`, `$15,000`.
fn lone_number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('$').unwrap_or(text);
    let (lead, rest) = digits
        .split_once(',')
        .map_or((digits, None), |(lead, rest)| (lead, Some(rest)));
    let plain = |part: &str| (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let value: u64 = match rest {
        None if plain(lead) => lead.parse().ok()?,
        Some(rest)
            if plain(lead) && lead.len() <= 3 && !lead.starts_with('0') && rest.len() == 3 && plain(rest) =>
        {
            lead.parse::<u64>().ok()? * 1_000 + rest.parse::<u64>().ok()?
        }
        _ => return None,
    };
    (value >= SMALL).then_some(value)
}

/// Whether a star stands between two numbers; mark-up is dropped before anything else is read.
pub(super) fn multiplies(text: &str) -> bool {
    text.match_indices('*').any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end_matches(' ');
        let after = text.get(at + 1..).unwrap_or_default().trim_start_matches(' ');
        before.ends_with(|c: char| c.is_ascii_digit())
            && after.starts_with(|c: char| c.is_ascii_digit() || c == '$')
    })
}

/// When the last line is an amount alone (perhaps after a label) and no line before it is: that one.
fn conclusion(folded: &str, language: Language) -> Option<Found> {
    let mut lines = folded
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .rev();
    let last = stands_alone(lines.next()?, language)?;
    let mut before = lines.peekable();
    before.peek()?;
    before
        .all(|line| stands_alone(line, language).is_none())
        .then_some(last)
}

/// When the sentences that declare an amount or a choice name one amount; what was taken back does not count.
fn declared(folded: &str, language: Language) -> Option<Found> {
    let standing = after_corrections(folded);
    let mut one: Option<Found> = None;
    for part in declarations(standing) {
        let found = find(&part, language);
        match (found.amounts.as_slice(), &one) {
            ([], _) if !found.open => {}
            ([value], Some(before))
                if !found.open && before.amounts.first().is_some_and(|known| known.0 == value.0) => {}
            ([_], None) if !found.open => one = Some(found),
            _ => return None,
        }
    }
    one
}

fn stands_alone(line: &str, language: Language) -> Option<Found> {
    let (label, rest) = line
        .rsplit_once([':', '：', '='])
        .map_or(("", line), |(label, rest)| (label, rest));
    let short = label.split_whitespace().count() <= 5 && !label.bytes().any(|byte| byte.is_ascii_digit());
    let bare = rest.trim().trim_end_matches(['.', '。', '!', ';']);
    if !short || bare.split_whitespace().count() > 5 || bare.len() > 40 {
        return None;
    }
    let pieces = tokens(bare);
    let alone = pieces.iter().all(|token| match token.kind {
        Kind::Number { .. } | Kind::Numerals(_) => true,
        Kind::Word(word) => begins(word) || CURRENCIES.contains(&word) || matches!(word, "k" | "and" | "y"),
        Kind::Sign(sign) => {
            is_currency(sign) || matches!(sign, '-' | ',' | '(' | ')' | '"' | '~' | '美' | '块')
        }
        Kind::Line => false,
    });
    let found = find(bare, language);
    (alone && !found.open && found.amounts.len() == 1).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language::{English, Mandarin, Spanish};
    use proptest::prelude::*;

    fn read(text: &str, language: Language) -> Option<u32> {
        amount(text, language, AmountBounds::default()).value().copied()
    }

    #[track_caller]
    fn all(language: Language, cases: &[(&str, u32)]) {
        for (text, value) in cases {
            assert_eq!(read(text, language), Some(*value), "{text}");
        }
    }

    #[track_caller]
    fn unread(language: Language, reason: Reason, cases: &[&str]) {
        for text in cases {
            let reading = amount(text, language, AmountBounds::default());
            assert_eq!(reading.reason(), Some(reason), "{text}: {reading:?}");
        }
    }

    #[test]
    fn english() {
        all(
            English,
            &[
                ("14000", 14_000),
                ("$14,000", 14_000),
                ("$14 000", 14_000),
                ("14\u{202f}000", 14_000),
                ("14k", 14_000),
                ("USD 14k", 14_000),
                ("14.25k please", 14_250),
                ("14-thousand", 14_000),
                ("10 thousand and 500", 10_500),
                ("Fourteen thousand dollars ($14,000)", 14_000),
                ("a minimum of twelve thousand seven hundred", 12_700),
                ("**Answer:** `$13,250`", 13_250),
                ("I propose a floor of $13,250 per year, as in round 3.", 13_250),
                ("In round 4 it paid me $2.40, so I say $11,500.", 11_500),
                ("at least 12,000", 12_000),
                ("no less than 12,000", 12_000),
                ("no. I would say 12,000", 12_000),
                ("- $12,000", 12_000),
                ("floor - 12,000", 12_000),
                ("{\"constraint_amount\": 12000}", 12_000),
                ("agent_2000 said 12,000 too", 12_000),
                ("100% sure: 12,000", 12_000),
                ("we are 500 people and I want 12,000", 12_000),
                ("I once earned it: 12,000", 12_000),
                ("<think>13000? or 14000?</think>12000", 12_000),
                (
                    "It could be 12,000 or 13,000. Let me think about it.\n\n13,000",
                    13_000,
                ),
                (
                    "Somewhere between 12,000 and 14,000 would do.\nFinal answer: $13,000.",
                    13_000,
                ),
                ("15,000/15,000 is the whole, ok: $15,000", 15_000),
            ],
        );
        unread(
            English,
            Reason::NoAmountFound,
            &[
                "-5000",
                "$-5,000",
                "-$5,000",
                "minus 5000",
                "less 5000",
                "- 5000",
                "anything but 15000",
                "minus five thousand",
                "negative $5,000",
                "none",
                "a million",
                "$2m",
                "150k",
                "15kk",
                "half of $30,000",
                "twice 7500",
                "thousands of dollars",
                "not 15,000",
                "I do not want 15,000",
                "1/2",
                "0",
                "twelve",
                "1,00,000",
                "12000abc",
                "a few thousand",
                "ten thousand and twelve thousand",
                "12 to 15k",
                "12-15k",
                "between twelve and fifteen thousand",
            ],
        );
        unread(
            English,
            Reason::MultipleDifferentAmountsFound,
            &[
                "12000 or 13000",
                "$12,000-$13,000",
                "12000,13000",
                "12,000\n13,000",
                "12000 + 500",
                "2*7500",
                "12000 plus 50",
                "15000 minus 50",
                "not 15,000 but 13,000",
                "Min: 12,000\nMax: 13,000",
                "15,000, or half a million",
            ],
        );
        unread(English, Reason::AmountTooLow, &["999", "$500", "nine hundred"]);
        unread(
            English,
            Reason::AmountTooHigh,
            &["1,000,001", "2.000.000", "99999999999"],
        );
        unread(English, Reason::EmptyResponse, &["", "  ", "**", "<think>15000"]);
    }

    #[test]
    fn spanish() {
        all(
            Spanish,
            &[
                ("14.000", 14_000),
                ("14.000,50 €", 14_000),
                ("catorce mil", 14_000),
                ("catorce mil quinientos", 14_500),
                ("veintidós mil trescientos cincuenta", 22_350),
                ("14 mil pesos", 14_000),
                ("12,25 mil", 12_250),
                ("once mil", 11_000),
                ("al menos 13.000 dólares", 13_000),
                ("por lo menos 13.000", 13_000),
                ("más o menos 13.000", 13_000),
                ("no menos de 13.000", 13_000),
                ("En la ronda 3 elegí 13.000.", 13_000),
                ("en 2024, 13.000", 13_000),
                ("el principio 3 con 13.000", 13_000),
                ("Respuesta final: **13.000 USD**", 13_000),
            ],
        );
        unread(
            Spanish,
            Reason::NoAmountFound,
            &[
                "menos 5000",
                "menos cinco mil",
                "la mitad de 30.000",
                "dos millones",
                "12 mil y medio",
                "de 12 a 15 mil",
            ],
        );
        unread(
            Spanish,
            Reason::MultipleDifferentAmountsFound,
            &[
                "entre 12.000 y 14.000",
                "doce mil o trece mil",
                "diez mil y doce mil",
            ],
        );
    }

    #[test]
    fn mandarin() {
        all(
            Mandarin,
            &[
                ("14000", 14_000),
                ("１４０００元", 14_000),
                ("1万4千", 14_000),
                ("1万4", 14_000),
                ("1万4500元", 14_500),
                ("1.45万", 14_500),
                ("一万四", 14_000),
                ("一万四千五百元", 14_500),
                ("两万两千", 22_000),
                ("壹万伍仟", 15_000),
                ("一三五〇〇", 13_500),
                ("第3轮我选了，原则三，金额是一万三", 13_000),
                ("我十分确定：13000", 13_000),
                ("2024年我选13000", 13_000),
                ("百分之百同意，13,000", 13_000),
                ("不低于13000元", 13_000),
                ("一点三五万", 13_500),
                ("十点五千", 10_500),
                ("大约13000左右", 13_000),
                ("我们5个人，每人至少一万三千", 13_000),
                ("万一不行，就13000", 13_000),
            ],
        );
        unread(
            Mandarin,
            Reason::NoAmountFound,
            &[
                "负5000",
                "减5000",
                "零下5000",
                "负五千",
                "-5000",
                "几万",
                "一万多",
                "十几万",
                "三四千",
                "30000的一半",
                "不要15000",
                "3亿",
            ],
        );
        unread(
            Mandarin,
            Reason::MultipleDifferentAmountsFound,
            &["一万到一万五", "12000或13000", "不是15000，是13000"],
        );
        unread(Mandarin, Reason::AmountTooHigh, &["三百万"]);
    }

    #[test]
    fn bounds_are_the_callers() {
        let bounds = AmountBounds { min: 100, max: 500 };
        assert_eq!(amount("200", English, bounds).value(), Some(&200));
        assert_eq!(
            amount("99", English, bounds).reason(),
            Some(Reason::NoAmountFound)
        );
        assert_eq!(
            amount("501", English, bounds).reason(),
            Some(Reason::AmountTooHigh)
        );
    }

    fn grouped(value: u32, sign: &str) -> String {
        if value < 1_000 {
            value.to_string()
        } else {
            format!("{}{sign}{:03}", value / 1_000, value % 1_000)
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*|([0-9.,$ kKmil一两万千百十零五负\\-/%*\n]|thousand|mil|and|y |not |five ){0,30}") {
            for language in Language::ALL {
                let _ = amount(&text, language, AmountBounds::default());
            }
        }

        #[test]
        fn what_was_written_is_read(value in 1_000_u32..=999_999, thousands in 1_u32..100) {
            for sign in [",", ".", " ", "\u{a0}", "\u{202f}", "_", "'"] {
                for text in [grouped(value, sign), format!("${}", grouped(value, sign)), format!("I say {} dollars.", grouped(value, sign))] {
                    prop_assert_eq!(read(&text, English), Some(value), "{}", text);
                }
            }
            prop_assert_eq!(read(&value.to_string(), Spanish), Some(value));
            for text in [format!("{thousands}k"), format!("${thousands} k"), format!("{thousands} mil"), format!("{thousands}千"), format!("{thousands} thousand")] {
                prop_assert_eq!(read(&text, Spanish), Some(thousands * 1_000), "{}", text);
            }
            let tenths = thousands * 1_000 + 15_000;
            prop_assert_eq!(read(&format!("{}.{}万", tenths / 10_000, tenths % 10_000 / 1_000), Mandarin), Some(tenths));
            prop_assert_eq!(read(&format!("{}万{}千", tenths / 10_000, tenths % 10_000 / 1_000), Mandarin), (tenths % 10_000 > 0).then_some(tenths).or(read(&format!("{}万0千", tenths / 10_000), Mandarin)));
        }
    }
}
