//! Chinese numerals: 一万五千, 两万, 十五万, 一万零五百, and the colloquial 一万五 (15,000). Also with
//! digits in them (1万5千, 1.5万). Which number of an answer is meant is decided elsewhere.

use super::tokens::Decimal;

/// A part of a numeral.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A sign for 1 to 9.
    Digit(u8),
    /// A number in digits and whether it has a single one.
    Number(Decimal, bool),
    /// 零 or 〇.
    Zero,
    /// 十, 百, 千 or 万.
    Unit(u64),
}

/// Whether the character is a Chinese numeral sign (up to 万; formal and traditional forms as well).
pub(crate) fn is_numeral(character: char) -> bool {
    !character.is_ascii() && part(character).is_some()
}

/// The part that a numeral sign stands for.
pub(crate) fn part(character: char) -> Option<Part> {
    Some(match character {
        '零' | '〇' => Part::Zero,
        '一' | '壹' => Part::Digit(1),
        '二' | '两' | '兩' | '贰' | '貳' => Part::Digit(2),
        '三' | '叁' | '參' => Part::Digit(3),
        '四' | '肆' => Part::Digit(4),
        '五' | '伍' => Part::Digit(5),
        '六' | '陆' | '陸' => Part::Digit(6),
        '七' | '柒' => Part::Digit(7),
        '八' | '捌' => Part::Digit(8),
        '九' | '玖' => Part::Digit(9),
        '十' | '拾' => Part::Unit(10),
        '百' | '佰' => Part::Unit(100),
        '千' | '仟' => Part::Unit(1_000),
        '万' | '萬' => Part::Unit(10_000),
        _ => return None,
    })
}

/// The value of a Chinese numeral, blanks around it ignored.
///
/// `None` when the text is anything else or no number (三四千). A unit alone counts once (百 is 100).
#[must_use]
pub fn chinese_number(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.chars().count() > 24 {
        return None;
    }
    let parts: Vec<Part> = text.chars().map(part).collect::<Option<_>>()?;
    evaluate(&parts)
}

/// The value of a numeral.
pub(crate) fn evaluate(parts: &[Part]) -> Option<u64> {
    if parts.is_empty() {
        return None;
    }
    if !parts
        .iter()
        .any(|part| matches!(part, Part::Unit(_) | Part::Number(..)))
    {
        return sign_by_sign(parts);
    }
    let mut sum = Sum::default();
    for part in parts {
        match *part {
            Part::Digit(digit) => sum.digit(Decimal::whole(digit.into()), true)?,
            Part::Number(number, single) => sum.digit(number, single)?,
            Part::Zero => sum.zero()?,
            Part::Unit(10_000) => sum.ten_thousand()?,
            Part::Unit(unit) => sum.unit(unit)?,
        }
    }
    sum.end()
}

/// Signs read one by one (一五〇〇〇); two signs without a zero (三四) leave open what is meant.
fn sign_by_sign(parts: &[Part]) -> Option<u64> {
    if parts.len() == 2 && !parts.contains(&Part::Zero) {
        return None;
    }
    parts.iter().try_fold(0_u64, |sum, part| {
        let digit = if let Part::Digit(digit) = part {
            u64::from(*digit)
        } else {
            0
        };
        sum.checked_mul(10)?.checked_add(digit)
    })
}

#[derive(Default)]
struct Sum {
    /// The part before 万.
    total: u64,
    /// The part since.
    section: u64,
    /// The last unit, 0 before the first.
    last: u64,
    /// A digit that waits for its unit.
    waiting: Option<(Decimal, bool)>,
    /// A 零 since the last unit.
    zero: bool,
}

impl Sum {
    fn digit(&mut self, number: Decimal, single: bool) -> Option<()> {
        self.waiting.replace((number, single)).is_none().then_some(())
    }

    fn zero(&mut self) -> Option<()> {
        self.zero = true;
        self.waiting.is_none().then_some(())
    }

    fn unit(&mut self, unit: u64) -> Option<()> {
        let falls = self.last == 0 || unit < self.last;
        // Ten to nineteen before 百 or 千, as in 十五千.
        let teens = self.last == 10 && self.total == 0 && self.section < 100;
        match self.waiting.take() {
            Some((number, _)) if falls => self.section = self.section.checked_add(number.times(unit)?)?,
            Some((number, _)) if teens => {
                self.section = (self.section + number.times(1)?).checked_mul(unit)?
            }
            None if unit == 10 && falls => self.section += 10,
            None if teens => self.section = self.section.checked_mul(unit)?,
            None if self.last == 0 && !self.zero => self.section = unit,
            _ => return None,
        }
        self.last = unit;
        self.zero = false;
        Some(())
    }

    fn ten_thousand(&mut self) -> Option<()> {
        if self.total > 0 {
            return None;
        }
        let waiting = self.waiting.take();
        self.total = match waiting {
            Some((number, _)) if self.last == 0 => number.times(10_000)?,
            Some((number, _)) if self.last == 10 || self.zero => {
                self.section.checked_add(number.times(1)?)?.checked_mul(10_000)?
            }
            Some(_) => return None,
            None if self.last == 0 && !self.zero => 10_000,
            None => self.section.checked_mul(10_000)?,
        };
        self.section = 0;
        self.last = 10_000;
        self.zero = false;
        Some(())
    }

    fn end(mut self) -> Option<u64> {
        if let Some((number, single)) = self.waiting.take() {
            let rest = number.times(1)?;
            self.section += match self.last {
                _ if number.decimals > 0 && self.last > 0 => return None,
                0 => rest,
                last if self.zero || !single || last == 10 => (rest < last).then_some(rest)?,
                last => rest * (last / 10),
            };
        }
        self.total.checked_add(self.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numerals() {
        for (text, value) in [
            ("七", 7),
            ("十", 10),
            ("十八", 18),
            ("四十二", 42),
            ("百", 100),
            ("三百零六", 306),
            ("一百一十五", 115),
            ("六千", 6_000),
            ("两千三百", 2_300),
            ("一万六千", 16_000),
            ("两万两千二百", 22_200),
            ("十二万", 120_000),
            ("一百五十万", 1_500_000),
            ("壹万贰仟", 12_000),
        ] {
            assert_eq!(chinese_number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn colloquial_tails_and_zeros() {
        for (text, value) in [
            ("一万七", 17_000),
            ("六千四", 6_400),
            ("三百五", 350),
            ("一万零七", 10_007),
            ("一万零七百", 10_700),
            ("一万七百", 10_700),
            ("十六千", 16_000),
            ("一三〇〇〇", 13_000),
        ] {
            assert_eq!(chinese_number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "",
            "三四",
            "三四千",
            "一千五万",
            "一万两万",
            "万万",
            "一千千",
            "公平",
            "一 万",
            "零千",
            "百千",
        ] {
            assert_eq!(chinese_number(text), None, "{text}");
        }
    }
}
