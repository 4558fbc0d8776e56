//! Numbers in English and Spanish words: "thirteen thousand five hundred", "veinticinco mil",
//! "15 thousand". Finds the number that begins at a token; which one is meant is decided elsewhere.

use super::tokens::{Decimal, Digits, Kind, Token};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Atom {
    /// 1 to 29, as one word.
    Unit(u64),
    /// 20, 30, … 90.
    Ten(u64),
    /// Spanish 100, 200, … 900.
    Hundreds(u64),
    /// "hundred".
    Hundred,
    /// "thousand", "mil".
    Thousand,
    /// "million" and its like.
    Million,
    /// A number in digits.
    Digits(Decimal),
}

/// What begins at a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// A number of this value; with `scaled` a word for hundred or thousand is part of it.
    Value { value: u64, scaled: bool, next: usize },
    /// Something about a number whose value stays open.
    Open { next: usize },
}

/// Number words, sorted.
const ATOMS: &[(&str, Atom)] = &[
    ("billion", Atom::Million),
    ("catorce", Atom::Unit(14)),
    ("cero", Atom::Unit(0)),
    ("cien", Atom::Hundreds(100)),
    ("ciento", Atom::Hundreds(100)),
    ("cinco", Atom::Unit(5)),
    ("cincuenta", Atom::Ten(50)),
    ("cuarenta", Atom::Ten(40)),
    ("cuatro", Atom::Unit(4)),
    ("cuatrocientas", Atom::Hundreds(400)),
    ("cuatrocientos", Atom::Hundreds(400)),
    ("diecinueve", Atom::Unit(19)),
    ("dieciocho", Atom::Unit(18)),
    ("dieciseis", Atom::Unit(16)),
    ("diecisiete", Atom::Unit(17)),
    ("diez", Atom::Unit(10)),
    ("doce", Atom::Unit(12)),
    ("dos", Atom::Unit(2)),
    ("doscientas", Atom::Hundreds(200)),
    ("doscientos", Atom::Hundreds(200)),
    ("eight", Atom::Unit(8)),
    ("eighteen", Atom::Unit(18)),
    ("eighty", Atom::Ten(80)),
    ("eleven", Atom::Unit(11)),
    ("fifteen", Atom::Unit(15)),
    ("fifty", Atom::Ten(50)),
    ("five", Atom::Unit(5)),
    ("forty", Atom::Ten(40)),
    ("four", Atom::Unit(4)),
    ("fourteen", Atom::Unit(14)),
    ("fourty", Atom::Ten(40)),
    ("grand", Atom::Thousand),
    ("hundred", Atom::Hundred),
    ("m", Atom::Million),
    ("mil", Atom::Thousand),
    ("million", Atom::Million),
    ("millions", Atom::Million),
    ("millon", Atom::Million),
    ("millones", Atom::Million),
    ("mio", Atom::Million),
    ("mm", Atom::Million),
    ("mn", Atom::Million),
    ("nine", Atom::Unit(9)),
    ("nineteen", Atom::Unit(19)),
    ("ninety", Atom::Ten(90)),
    ("novecientas", Atom::Hundreds(900)),
    ("novecientos", Atom::Hundreds(900)),
    ("noventa", Atom::Ten(90)),
    ("nueve", Atom::Unit(9)),
    ("ochenta", Atom::Ten(80)),
    ("ocho", Atom::Unit(8)),
    ("ochocientas", Atom::Hundreds(800)),
    ("ochocientos", Atom::Hundreds(800)),
    ("once", Atom::Unit(11)),
    ("one", Atom::Unit(1)),
    ("quince", Atom::Unit(15)),
    ("quinientas", Atom::Hundreds(500)),
    ("quinientos", Atom::Hundreds(500)),
    ("seis", Atom::Unit(6)),
    ("seiscientas", Atom::Hundreds(600)),
    ("seiscientos", Atom::Hundreds(600)),
    ("sesenta", Atom::Ten(60)),
    ("setecientas", Atom::Hundreds(700)),
    ("setecientos", Atom::Hundreds(700)),
    ("setenta", Atom::Ten(70)),
    ("seven", Atom::Unit(7)),
    ("seventeen", Atom::Unit(17)),
    ("seventy", Atom::Ten(70)),
    ("siete", Atom::Unit(7)),
    ("six", Atom::Unit(6)),
    ("sixteen", Atom::Unit(16)),
    ("sixty", Atom::Ten(60)),
    ("ten", Atom::Unit(10)),
    ("thirteen", Atom::Unit(13)),
    ("thirty", Atom::Ten(30)),
    ("thousand", Atom::Thousand),
    ("three", Atom::Unit(3)),
    ("trece", Atom::Unit(13)),
    ("treinta", Atom::Ten(30)),
    ("tres", Atom::Unit(3)),
    ("trescientas", Atom::Hundreds(300)),
    ("trescientos", Atom::Hundreds(300)),
    ("twelve", Atom::Unit(12)),
    ("twenty", Atom::Ten(20)),
    ("two", Atom::Unit(2)),
    ("un", Atom::Unit(1)),
    ("una", Atom::Unit(1)),
    ("uno", Atom::Unit(1)),
    ("veinte", Atom::Ten(20)),
    ("veinticinco", Atom::Unit(25)),
    ("veinticuatro", Atom::Unit(24)),
    ("veintidos", Atom::Unit(22)),
    ("veintinueve", Atom::Unit(29)),
    ("veintiocho", Atom::Unit(28)),
    ("veintiseis", Atom::Unit(26)),
    ("veintisiete", Atom::Unit(27)),
    ("veintitres", Atom::Unit(23)),
    ("veintiun", Atom::Unit(21)),
    ("veintiuna", Atom::Unit(21)),
    ("veintiuno", Atom::Unit(21)),
    ("zero", Atom::Unit(0)),
];

fn atom(word: &str) -> Option<Atom> {
    let at = ATOMS.binary_search_by_key(&word, |entry| entry.0).ok()?;
    ATOMS.get(at).map(|entry| entry.1)
}

fn at(tokens: &[Token], index: usize) -> Option<Atom> {
    match tokens.get(index)?.kind {
        Kind::Word(word) => atom(word),
        Kind::Number {
            digits: Digits::Value(number),
            ..
        } => Some(Atom::Digits(number)),
        _ => None,
    }
}

fn is_word(tokens: &[Token], index: usize, words: &[&str]) -> bool {
    matches!(tokens.get(index).map(|token| token.kind), Some(Kind::Word(word)) if words.contains(&word))
}

/// Whether token `index` follows the one before with at most one blank or hyphen between.
fn follows(tokens: &[Token], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    matches!((before, tokens.get(index)), (Some(before), Some(token)) if token.start <= before.end + 1)
}

/// Whether a number begins at the word.
pub(crate) fn begins(word: &str) -> bool {
    matches!(word, "a" | "half" | "medio") || atom(word).is_some()
}

/// The number that begins at token `first`, in words or in digits with words after them.
pub(crate) fn number_words(tokens: &[Token], first: usize) -> Option<Words> {
    let mut number = Number::default();
    let mut index = first;
    if is_word(tokens, first, &["a"]) {
        if !matches!(
            at(tokens, first + 1),
            Some(Atom::Hundred | Atom::Thousand | Atom::Million)
        ) {
            return None;
        }
        number.section = Decimal::whole(1);
        number.begun = true;
        index += 1;
    } else if is_word(tokens, first, &["thousand", "grand"]) {
        return None;
    } else if is_word(tokens, first, &["half", "medio"]) {
        // "half a million", "medio millón"; other halves are seen by the reader of amounts.
        let next = first + 1 + usize::from(is_word(tokens, first + 1, &["a"]));
        return matches!(at(tokens, next), Some(Atom::Million | Atom::Thousand))
            .then_some(Words::Open { next: next + 1 });
    }
    loop {
        let joined = index == first || follows(tokens, index);
        if joined && let Some(atom) = at(tokens, index) {
            match number.take(atom) {
                Step::Taken => index += 1,
                Step::Ends => break,
                Step::Open => return Some(Words::Open { next: index + 1 }),
            }
            continue;
        }
        // A hyphen within a number (twenty-five).
        let hyphen = matches!(tokens.get(index).map(|token| token.kind), Some(Kind::Sign('-')));
        if hyphen
            && number.begun
            && follows(tokens, index)
            && follows(tokens, index + 1)
            && number.may_join(at(tokens, index + 1))
        {
            index += 1;
            continue;
        }
        let comma = matches!(tokens.get(index).map(|token| token.kind), Some(Kind::Sign(',')));
        if comma && number.thousands && number.section.mantissa == 0 && in_hundreds(tokens, index + 1) {
            index += 1;
            continue;
        }
        if number.begun && is_word(tokens, index, &["and", "y", "con"]) {
            if is_word(tokens, index + 1, &["a"]) && is_word(tokens, index + 2, &["half"]) {
                match at(tokens, index + 3) {
                    Some(Atom::Thousand) if !number.thousands && number.section.decimals == 0 => {
                        let Some(tenfold) = number.section.mantissa.checked_mul(10) else {
                            return Some(Words::Open { next: index + 4 });
                        };
                        number.section = Decimal {
                            mantissa: tenfold + 5,
                            decimals: 1,
                        };
                        index += 3;
                        continue;
                    }
                    _ => return Some(Words::Open { next: index + 3 }),
                }
            }
            if is_word(tokens, index + 1, &["half", "medio", "media", "pico"]) {
                return Some(Words::Open { next: index + 2 });
            }
            match at(tokens, index + 1) {
                Some(next) if number.may_follow_and(next) => {
                    index += 1;
                    continue;
                }
                Some(_) if number.thousands && number.section.mantissa == 0 => {
                    if in_hundreds(tokens, index + 1) {
                        index += 1;
                        continue;
                    }
                    return Some(Words::Open { next: index + 2 });
                }
                _ => {}
            }
        }
        break;
    }
    if !number.begun {
        return None;
    }
    // "miles de" after a number, or a second thousand: two numbers in one.
    if matches!(at(tokens, index), Some(Atom::Thousand)) && follows(tokens, index) {
        return Some(Words::Open { next: index + 1 });
    }
    let scaled = number.thousands || number.hundred;
    Some(
        number
            .value()
            .map_or(Words::Open { next: index }, |value| Words::Value {
                value,
                scaled,
                next: index,
            }),
    )
}

/// Whether the words from there on are a number of hundreds ("five hundred", "quinientos").
fn in_hundreds(tokens: &[Token], index: usize) -> bool {
    match at(tokens, index) {
        Some(Atom::Hundreds(_)) => true,
        Some(Atom::Digits(number)) => number.decimals == 0 && (100..1_000).contains(&number.mantissa),
        Some(Atom::Unit(_)) => matches!(at(tokens, index + 1), Some(Atom::Hundred)),
        _ => false,
    }
}

enum Step {
    Taken,
    Ends,
    Open,
}

#[derive(Clone, Copy)]
struct Number {
    thousand_part: u64,
    section: Decimal,
    begun: bool,
    thousands: bool,
    hundred: bool,
    /// Digits have been taken since the last "thousand".
    digits: bool,
}

impl Default for Number {
    fn default() -> Self {
        Self {
            thousand_part: 0,
            section: Decimal::whole(0),
            begun: false,
            thousands: false,
            hundred: false,
            digits: false,
        }
    }
}

impl Number {
    fn fresh(&self) -> bool {
        !self.begun || (self.thousands && self.section.mantissa == 0 && !self.digits)
    }

    fn take(&mut self, atom: Atom) -> Step {
        let section = self.section.mantissa;
        match atom {
            Atom::Unit(value) => {
                let room = self.fresh()
                    || (!self.digits && section.is_multiple_of(100))
                    || (!self.digits && value < 10 && section.is_multiple_of(10) && section % 100 >= 20);
                if !room {
                    return Step::Ends;
                }
                self.section.mantissa += value;
            }
            Atom::Ten(value) if self.fresh() || (!self.digits && section.is_multiple_of(100)) => {
                self.section.mantissa += value
            }
            Atom::Hundreds(value) if self.fresh() => {
                self.section.mantissa = value;
                self.hundred = true;
            }
            Atom::Hundred if self.begun && (1..100).contains(&section) && self.section.decimals == 0 => {
                self.section.mantissa *= 100;
                self.hundred = true;
                self.digits = false;
            }
            Atom::Thousand if !self.thousands && (!self.begun || section > 0) => {
                let times = if self.begun {
                    self.section
                } else {
                    Decimal::whole(1)
                };
                let Some(thousands) = times.times(1_000) else {
                    return Step::Open;
                };
                self.thousand_part = thousands;
                self.section = Decimal::whole(0);
                self.thousands = true;
                self.digits = false;
            }
            Atom::Digits(number) if !self.begun => {
                self.section = number;
                self.digits = true;
            }
            Atom::Digits(number)
                if self.thousands
                    && self.fresh()
                    && number.decimals == 0
                    && (100..1_000).contains(&number.mantissa) =>
            {
                self.section = number;
                self.digits = true;
            }
            Atom::Million if self.begun => return Step::Open,
            _ => return Step::Ends,
        }
        self.begun = true;
        Step::Taken
    }

    fn may_join(self, next: Option<Atom>) -> bool {
        let mut trial = self;
        match next {
            Some(Atom::Digits(_)) | None => false,
            Some(atom) => matches!(trial.take(atom), Step::Taken | Step::Open),
        }
    }

    fn may_follow_and(self, next: Atom) -> bool {
        let mut trial = self;
        let within_hundred = self.section.mantissa > 0
            && !self.digits
            && !matches!(next, Atom::Digits(_) | Atom::Thousand | Atom::Million);
        within_hundred && matches!(trial.take(next), Step::Taken)
    }

    fn value(self) -> Option<u64> {
        self.thousand_part.checked_add(self.section.times(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{fold, tokens};
    use super::*;

    fn read(text: &str) -> Option<Words> {
        let folded = fold(text);
        number_words(&tokens(&folded), 0)
    }

    fn value(text: &str) -> Option<u64> {
        match read(text)? {
            Words::Value { value, .. } => Some(value),
            Words::Open { .. } => None,
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(ATOMS.is_sorted_by_key(|entry| entry.0));
    }

    #[test]
    fn english() {
        for (text, number) in [
            ("twelve", 12),
            ("forty-two", 42),
            ("a hundred", 100),
            ("one hundred and five", 105),
            ("fifteen hundred", 1_500),
            ("a thousand", 1_000),
            ("fourteen thousand", 14_000),
            ("fourteen thousand two hundred", 14_200),
            ("fourteen thousand, two hundred", 14_200),
            ("fourteen thousand and two hundred", 14_200),
            ("twenty-one thousand seven hundred and fifty", 21_750),
            ("twelve-thousand", 12_000),
            ("one hundred twenty thousand", 120_000),
            ("14 thousand", 14_000),
            ("14.5 thousand", 14_500),
            ("14 thousand 200", 14_200),
            ("fourteen and a half thousand", 14_500),
            ("14 grand", 14_000),
        ] {
            assert_eq!(value(text), Some(number), "{text}");
        }
    }

    #[test]
    fn spanish() {
        for (text, number) in [
            ("doce mil", 12_000),
            ("mil", 1_000),
            ("treinta y dos mil", 32_000),
            ("veintidós mil", 22_000),
            ("dieciséis mil cuatrocientos", 16_400),
            ("dieciséis mil cuatrocientos cincuenta y tres", 16_453),
            ("ciento veinte mil", 120_000),
            ("12,5 mil", 12_500),
            ("12 mil 300", 12_300),
        ] {
            assert_eq!(value(text), Some(number), "{text}");
        }
    }

    #[test]
    fn what_stays_open() {
        for text in [
            "two million",
            "half a million",
            "medio millón",
            "ten thousand and twelve thousand",
            "12 mil y medio",
            "two million dollars",
        ] {
            assert!(matches!(read(text), Some(Words::Open { .. })), "{text}");
        }
        assert_eq!(value("thousands"), None);
        assert_eq!(value("a floor"), None);
    }

    #[test]
    fn numbers_end_where_they_end() {
        assert_eq!(value("ten thousand or twelve thousand"), Some(10_000));
        assert_eq!(value("two three"), Some(2));
        assert_eq!(value("14 thousand 2"), Some(14_000));
    }
}
