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

fn atom(word: &str) -> Option<Atom> {
    let unit = |value| Some(Atom::Unit(value));
    let ten = |value| Some(Atom::Ten(value));
    let hundreds = |value| Some(Atom::Hundreds(value));
    match word {
        "zero" | "cero" => unit(0),
        "one" | "uno" | "un" | "una" => unit(1),
        "two" | "dos" => unit(2),
        "three" | "tres" => unit(3),
        "four" | "cuatro" => unit(4),
        "five" | "cinco" => unit(5),
        "six" | "seis" => unit(6),
        "seven" | "siete" => unit(7),
        "eight" | "ocho" => unit(8),
        "nine" | "nueve" => unit(9),
        "ten" | "diez" => unit(10),
        "eleven" | "once" => unit(11),
        "twelve" | "doce" => unit(12),
        "thirteen" | "trece" => unit(13),
        "fourteen" | "catorce" => unit(14),
        "fifteen" | "quince" => unit(15),
        "sixteen" | "dieciseis" => unit(16),
        "seventeen" | "diecisiete" => unit(17),
        "eighteen" | "dieciocho" => unit(18),
        "nineteen" | "diecinueve" => unit(19),
        "veintiun" | "veintiuno" | "veintiuna" => unit(21),
        "veintidos" => unit(22),
        "veintitres" => unit(23),
        "veinticuatro" => unit(24),
        "veinticinco" => unit(25),
        "veintiseis" => unit(26),
        "veintisiete" => unit(27),
        "veintiocho" => unit(28),
        "veintinueve" => unit(29),
        "twenty" | "veinte" => ten(20),
        "thirty" | "treinta" => ten(30),
        "forty" | "fourty" | "cuarenta" => ten(40),
        "fifty" | "cincuenta" => ten(50),
        "sixty" | "sesenta" => ten(60),
        "seventy" | "setenta" => ten(70),
        "eighty" | "ochenta" => ten(80),
        "ninety" | "noventa" => ten(90),
        "cien" | "ciento" => hundreds(100),
        "doscientos" | "doscientas" => hundreds(200),
        "trescientos" | "trescientas" => hundreds(300),
        "cuatrocientos" | "cuatrocientas" => hundreds(400),
        "quinientos" | "quinientas" => hundreds(500),
        "seiscientos" | "seiscientas" => hundreds(600),
        "setecientos" | "setecientas" => hundreds(700),
        "ochocientos" | "ochocientas" => hundreds(800),
        "novecientos" | "novecientas" => hundreds(900),
        "hundred" => Some(Atom::Hundred),
        "thousand" | "mil" | "grand" => Some(Atom::Thousand),
        "million" | "millions" | "millon" | "millones" | "billion" | "m" | "mm" | "mn" | "mio" => Some(Atom::Million),
        _ => None,
    }
}

fn at(tokens: &[Token], index: usize) -> Option<Atom> {
    match tokens.get(index)?.kind {
        Kind::Word(word) => atom(word),
        Kind::Number { digits: Digits::Value(number), .. } => Some(Atom::Digits(number)),
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
        if !matches!(at(tokens, first + 1), Some(Atom::Hundred | Atom::Thousand | Atom::Million)) {
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
        return matches!(at(tokens, next), Some(Atom::Million | Atom::Thousand)).then_some(Words::Open { next: next + 1 });
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
        if hyphen && number.begun && follows(tokens, index) && follows(tokens, index + 1) && number.may_join(at(tokens, index + 1)) {
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
                        let Some(tenfold) = number.section.mantissa.checked_mul(10) else { return Some(Words::Open { next: index + 4 }) };
                        number.section = Decimal { mantissa: tenfold + 5, decimals: 1 };
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
    Some(number.value().map_or(Words::Open { next: index }, |value| Words::Value { value, scaled, next: index }))
}

/// Whether the words from there on are a number of hundreds ("five hundred", "quinientos").
fn in_hundreds(tokens: &[Token], index: usize) -> bool {
    match at(tokens, index) {
        Some(Atom::Hundreds(_)) => true,
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
        Self { thousand_part: 0, section: Decimal::whole(0), begun: false, thousands: false, hundred: false, digits: false }
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
                let room = self.fresh() || (!self.digits && section % 100 == 0) || (!self.digits && value < 10 && section % 10 == 0 && section % 100 >= 20);
                if !room {
                    return Step::Ends;
                }
                self.section.mantissa += value;
            }
            Atom::Ten(value) if self.fresh() || (!self.digits && section % 100 == 0) => self.section.mantissa += value,
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
                let times = if self.begun { self.section } else { Decimal::whole(1) };
                let Some(thousands) = times.times(1_000) else { return Step::Open };
                self.thousand_part = thousands;
                self.section = Decimal::whole(0);
                self.thousands = true;
                self.digits = false;
            }
            Atom::Digits(number) if !self.begun => {
                self.section = number;
                self.digits = true;
            }
            Atom::Digits(number) if self.thousands && self.fresh() && number.decimals == 0 && (100..1_000).contains(&number.mantissa) => {
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
        let within_hundred = self.section.mantissa > 0 && !self.digits && !matches!(next, Atom::Digits(_) | Atom::Thousand | Atom::Million);
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
        for text in ["two million", "half a million", "medio millón", "ten thousand and twelve thousand", "12 mil y medio", "two million dollars"] {
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
