//! The number that begins at a token of an answer, in digits, words or Chinese numerals. Whether it is
//! an amount is decided by what stands around it, elsewhere.

use super::How;
use super::amount_context::{CURRENCIES, Reader, SMALL};
use super::chinese_number::{Part, evaluate, part};
use super::number_words::{Words, begins, number_words};
use super::tokens::{Decimal, Digits, Kind};

/// A number read at some tokens.
#[derive(Clone, Copy)]
pub(super) struct Number {
    /// `None`: there is a number whose value is open.
    pub(super) value: Option<u64>,
    /// Written with a word, letter or sign for hundreds or more.
    pub(super) scaled: bool,
    pub(super) how: How,
    pub(super) next: usize,
}

impl Reader<'_> {
    /// The number that begins with digits, with the letter or words for thousands after them.
    pub(super) fn digits(&self, at: usize, digits: Digits) -> Number {
        let value = match digits {
            Digits::Value(value) => value,
            Digits::Other => {
                return Number {
                    value: Some(0),
                    scaled: false,
                    how: How::Number,
                    next: at + 1,
                };
            }
            Digits::Open => {
                return Number {
                    value: None,
                    scaled: true,
                    how: How::Number,
                    next: at + 1,
                };
            }
        };
        let near = self.gap(at + 1).is_some_and(|gap| gap <= 1);
        let touching = self.gap(at + 1) == Some(0);
        match self.kind(at + 1) {
            Some(Kind::Numerals(signs)) if near => {
                let unit = signs.chars().next().and_then(part);
                if matches!(unit, Some(Part::Unit(unit)) if unit > 10) {
                    return self.chinese(at);
                }
            }
            Some(Kind::Sign('亿' | '億')) if near => {
                return Number {
                    value: None,
                    scaled: true,
                    how: How::Number,
                    next: at + 2,
                };
            }
            Some(Kind::Word("k")) if near => {
                let value = value
                    .times(1)
                    .filter(|value| *value < 100)
                    .and(value.times(1_000));
                return Number {
                    value,
                    scaled: true,
                    how: How::Number,
                    next: at + 2,
                };
            }
            Some(Kind::Word(word)) if touching && !begins(word) => {
                let next = at + 2;
                return match word {
                    "st" | "nd" | "rd" | "th" | "o" | "a" | "er" => Number {
                        value: Some(0),
                        scaled: false,
                        how: How::Number,
                        next,
                    },
                    _ if CURRENCIES.contains(&word) => Number {
                        value: value.times(1),
                        scaled: false,
                        how: How::Number,
                        next,
                    },
                    _ => Number {
                        value: None,
                        scaled: value.times(1).is_none_or(|value| value >= SMALL),
                        how: How::Number,
                        next,
                    },
                };
            }
            _ => {}
        }
        match number_words(self.tokens, at) {
            Some(Words::Value { value, scaled, next }) => Number {
                value: Some(value),
                scaled,
                how: How::Number,
                next,
            },
            Some(Words::Open { next }) => Number {
                value: None,
                scaled: true,
                how: How::Number,
                next,
            },
            None => Number {
                value: value.times(1),
                scaled: false,
                how: How::Number,
                next: at + 1,
            },
        }
    }

    /// The number in words that begins at a token.
    pub(super) fn words(&self, at: usize) -> Option<Number> {
        Some(match number_words(self.tokens, at)? {
            Words::Value { value, scaled, next } => Number {
                value: Some(value),
                scaled,
                how: How::Word,
                next,
            },
            Words::Open { next } => Number {
                value: None,
                scaled: true,
                how: How::Word,
                next,
            },
        })
    }

    /// The number that begins with Chinese numerals.
    pub(super) fn numerals(&self, at: usize, signs: &str) -> Option<Number> {
        // 万一, 千万, 百姓: a unit first is no number, unless it is vague (几万).
        match signs.chars().next().and_then(part) {
            Some(Part::Unit(unit)) if unit > 10 => {
                let vague = at
                    .checked_sub(1)
                    .is_some_and(|before| self.is(before, '几') || self.is(before, '数'));
                vague.then_some(Number {
                    value: None,
                    scaled: true,
                    how: How::Word,
                    next: at + 1,
                })
            }
            _ => self.pointed(at).or_else(|| Some(self.chinese(at))),
        }
    }

    /// 一点五万: a Chinese numeral with a point.
    fn pointed(&self, first: usize) -> Option<Number> {
        let (Some(Kind::Numerals(whole)), true, Some(Kind::Numerals(rest))) =
            (self.kind(first), self.is(first + 1, '点'), self.kind(first + 2))
        else {
            return None;
        };
        let number = |value| Number {
            value,
            scaled: true,
            how: How::Word,
            next: first + 3,
        };
        let whole: Vec<Part> = whole.chars().filter_map(part).collect();
        let rest: Vec<Part> = rest.chars().filter_map(part).collect();
        let digits = rest
            .iter()
            .take_while(|part| matches!(part, Part::Digit(_) | Part::Zero))
            .count();
        let value = rest.iter().take(digits).try_fold(evaluate(&whole)?, |sum, part| {
            let digit = if let Part::Digit(digit) = part {
                u64::from(*digit)
            } else {
                0
            };
            sum.checked_mul(10)?.checked_add(digit)
        });
        let (Some(mantissa), Ok(decimals)) = (value, u32::try_from(digits)) else {
            return Some(number(None));
        };
        let mut parts = vec![Part::Number(Decimal { mantissa, decimals }, false)];
        parts.extend(rest.into_iter().skip(digits));
        Some(number(evaluate(&parts)))
    }

    /// A numeral that begins at a token, with the digits within it.
    fn chinese(&self, first: usize) -> Number {
        let mut parts: Vec<Part> = Vec::new();
        let mut at = first;
        let mut how = How::Word;
        loop {
            let joined =
                at == first || self.gap(at) == Some(0) || (at == first + 1 && self.gap(at) == Some(1));
            match self.kind(at) {
                Some(Kind::Numerals(signs)) if joined => {
                    let digit_after_digit = matches!(parts.last(), Some(Part::Number(..) | Part::Digit(_)))
                        && !matches!(signs.chars().next().and_then(part), Some(Part::Unit(_)));
                    if digit_after_digit {
                        break;
                    }
                    parts.extend(signs.chars().filter_map(part));
                }
                Some(Kind::Number {
                    digits: Digits::Value(value),
                    ..
                }) if joined => {
                    if matches!(parts.last(), Some(Part::Number(..) | Part::Digit(_))) {
                        break;
                    }
                    how = How::Number;
                    parts.push(Part::Number(value, value.decimals == 0 && value.mantissa < 10));
                }
                _ => break,
            }
            at += 1;
        }
        let scaled = parts
            .iter()
            .any(|part| matches!(part, Part::Unit(unit) if *unit > 10));
        Number {
            value: evaluate(&parts),
            scaled,
            how,
            next: at,
        }
    }
}
