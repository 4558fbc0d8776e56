//! Cuts an answer into numbers in digits, runs of Chinese numerals, words and signs, for the reading
//! of amounts. Knows how thousands are grouped; knows nothing about which number is meant.

use super::chinese_number::is_numeral;

/// A number in digits: `mantissa / 10^decimals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// All digits without the point.
    pub(crate) mantissa: u64,
    /// How many of them stand after the point.
    pub(crate) decimals: u32,
}

impl Decimal {
    /// A whole number.
    pub(crate) fn whole(mantissa: u64) -> Self {
        Self {
            mantissa,
            decimals: 0,
        }
    }

    /// The number times `factor`, the rest cut off; `None` when it is too large.
    pub(crate) fn times(self, factor: u64) -> Option<u64> {
        Some(self.mantissa.checked_mul(factor)? / 10_u64.checked_pow(self.decimals)?)
    }
}

/// A number in digits as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Digits {
    /// A number.
    Value(Decimal),
    /// Digits that are no amount: a date, a section number such as 2.1.3.
    Other,
    /// Grouped in a way that leaves the value open, such as `1,00,000`.
    Open,
}

/// A piece of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// A number in digits; `bare` when it is a single run of digits.
    Number { digits: Digits, bare: bool },
    /// A run of Chinese numeral signs.
    Numerals(&'a str),
    /// A word in letters, lower case, without accents.
    Word(&'a str),
    /// Any other sign, Chinese characters one by one.
    Sign(char),
    /// The end of a line.
    Line,
}

/// A piece with where it stands in the folded text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Lower case without the accents of Spanish.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|character| match character {
            'á' | 'à' => 'a',
            'é' | 'è' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' | 'ü' => 'u',
            'ñ' => 'n',
            '’' => '\'',
            '−' => '-',
            '，' => ',',
            other => other,
        })
        .collect()
}

/// Words after which a number counts something else than money.
const COUNTED: &[&str] = &[
    "round",
    "rounds",
    "page",
    "pages",
    "step",
    "steps",
    "principle",
    "principles",
    "phase",
    "stage",
    "option",
    "options",
    "agent",
    "agents",
    "participant",
    "chapter",
    "section",
    "distribution",
    "situation",
    "question",
    "number",
    "no",
    "ronda",
    "rondas",
    "pagina",
    "paso",
    "principio",
    "principios",
    "fase",
    "etapa",
    "opcion",
    "agente",
    "participante",
    "capitulo",
    "seccion",
    "distribucion",
    "situacion",
    "pregunta",
    "numero",
    "player",
    "seat",
    "item",
    "verse",
];

/// Codes of currencies that may touch a number without a space.
const CODES: &[&str] = &[
    "usd", "us", "eur", "mxn", "ars", "cop", "clp", "rmb", "cny", "gbp", "jpy", "pen", "dollars", "euros",
];

/// Whether a number after this word counts something else than money.
pub(crate) fn counted(word: &str) -> bool {
    COUNTED.contains(&word)
}

/// The pieces of a folded text.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4 + 2);
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        let rest = text.get(at..).unwrap_or_default();
        let kind = if first == '\n' {
            at += 1;
            Kind::Line
        } else if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            let spaced = !matches!(last_kind(&tokens), Some(Kind::Word(word)) if counted(word));
            let (digits, bare, length) = number(rest.as_bytes(), spaced);
            at += length;
            Kind::Number { digits, bare }
        } else if is_numeral(first) {
            at += run(rest, is_numeral);
            Kind::Numerals(text.get(start..at).unwrap_or_default())
        } else if is_letter(first) {
            let length = run(rest, is_letter);
            let word = rest.get(..length).unwrap_or_default();
            at += length;
            // Digits at the end of a word belong to a name (agent2), unless the word is a currency.
            if !CODES.contains(&word) {
                at += run(text.get(at..).unwrap_or_default(), |c| c.is_ascii_digit());
            }
            Kind::Word(word)
        } else {
            at += first.len_utf8();
            Kind::Sign(first)
        };
        tokens.push(Token { kind, start, end: at });
    }
    tokens
}

fn last_kind<'a>(tokens: &[Token<'a>]) -> Option<Kind<'a>> {
    tokens.last().map(|token| token.kind)
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
        || (!character.is_ascii() && character.is_alphabetic() && !is_chinese(character))
}

fn is_chinese(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// How many bytes at the start of `text` belong to the class.
fn run(text: &str, class: impl Fn(char) -> bool) -> usize {
    text.find(|character| !class(character)).unwrap_or(text.len())
}

fn digits_at(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number at the start of `bytes`, whether it is a single run of digits, and its length.
fn number(bytes: &[u8], spaced: bool) -> (Digits, bool, usize) {
    let lead = digits_at(bytes);
    let mut groups: [(u8, usize); 6] = [(0, 0); 6];
    let mut count = 0;
    let mut end = lead;
    while let Some(&sign) = bytes.get(end) {
        let length = bytes.get(end + 1..).map_or(0, digits_at);
        let only_spaces = groups.iter().take(count).all(|group| group.0 == b' ');
        let joins = match sign {
            b',' | b'.' | b'\'' => length > 0,
            b' ' => spaced && length == 3 && lead <= 3 && only_spaces,
            _ => false,
        };
        if !joins {
            break;
        }
        let Some(group) = groups.get_mut(count) else {
            return (Digits::Open, false, end);
        };
        *group = (sign, length);
        count += 1;
        end += 1 + length;
    }
    let groups = groups.get(..count).unwrap_or_default();
    let zero_led = bytes.first() == Some(&b'0');
    let value = |length: usize, decimals: usize| {
        let mantissa = bytes
            .iter()
            .take(length)
            .filter(|byte| byte.is_ascii_digit())
            .try_fold(0_u64, |sum, byte| {
                sum.checked_mul(10)?.checked_add(u64::from(byte - b'0'))
            });
        match (mantissa, u32::try_from(decimals)) {
            (Some(mantissa), Ok(decimals)) if decimals < 10 => Digits::Value(Decimal { mantissa, decimals }),
            _ => Digits::Open,
        }
    };
    match *groups {
        [] => (value(lead, 0), true, lead),
        [(sign, 3), ..] if lead <= 3 && !zero_led => {
            let thousands = groups.iter().take_while(|group| **group == (sign, 3)).count();
            match *groups.get(thousands..).unwrap_or_default() {
                [] => (value(end, 0), false, end),
                [(point @ (b',' | b'.'), decimals)] if point != sign => (value(end, decimals), false, end),
                _ => (Digits::Open, false, end),
            }
        }
        // Several whole amounts after one another: only the first belongs here.
        [(b',', length), ..] if lead > 3 && length > 3 => (value(lead, 0), true, lead),
        [(b',', length)] if length > 3 => (value(lead, 0), true, lead),
        [(b',' | b'.', decimals)] if decimals <= 2 || zero_led => (value(end, decimals), false, end),
        [(b',' | b'.', 3)] if bytes.get(lead + 1..end) == Some(b"000") => (value(end, 3), false, end),
        [(b'.', decimals)] if lead < 3 && decimals > 3 => (value(end, decimals), false, end),
        _ if lead <= 2 && groups.iter().all(|group| group.1 <= 2) => (Digits::Other, false, end),
        _ if lead <= 2
            && groups.iter().rev().skip(1).all(|group| group.1 <= 2)
            && groups.iter().all(|group| group.0 == b'.') =>
        {
            (Digits::Other, false, end)
        }
        _ => (Digits::Open, false, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> (Digits, usize) {
        let (digits, _, length) = number(text.as_bytes(), true);
        (digits, length)
    }

    fn is(text: &str, mantissa: u64, decimals: u32) {
        assert_eq!(
            only(text),
            (Digits::Value(Decimal { mantissa, decimals }), text.len()),
            "{text}"
        );
    }

    #[test]
    fn groups_of_three_are_thousands() {
        is("15000", 15_000, 0);
        is("15,000", 15_000, 0);
        is("15.000", 15_000, 0);
        is("15 000", 15_000, 0);
        is("15'000", 15_000, 0);
        is("1.234.567", 1_234_567, 0);
    }

    #[test]
    fn other_groups_are_decimals() {
        is("15,5", 155, 1);
        is("15.000,50", 1_500_050, 2);
        is("15,000.00", 1_500_000, 2);
        is("15000.99", 1_500_099, 2);
        is("0.500", 500, 3);
    }

    #[test]
    fn some_groupings_leave_the_value_open() {
        assert_eq!(only("1,00,000").0, Digits::Open);
        assert_eq!(only("15,000,50").0, Digits::Open);
        assert_eq!(only("15000.123").0, Digits::Open);
        assert_eq!(only("2.1.3").0, Digits::Other);
        assert_eq!(only("31.12.2024").0, Digits::Other);
    }

    #[test]
    fn a_number_ends_where_it_ends() {
        assert_eq!(only("15000.").1, 5);
        assert_eq!(only("12000,13000").1, 5);
        assert_eq!(only("12000 12000").1, 5);
        assert_eq!(only("3,15000").1, 1);
        assert_eq!(number(b"3 500", false).2, 1);
    }

    #[test]
    fn names_keep_their_digits() {
        let text = fold("Agent2 says MXN18000");
        let kinds: Vec<_> = tokens(&text).iter().map(|token| token.kind).collect();
        assert_eq!(kinds.len(), 4);
        assert_eq!(kinds[0], Kind::Word("agent"));
        assert_eq!(
            kinds[3],
            Kind::Number {
                digits: Digits::Value(Decimal::whole(18_000)),
                bare: true
            }
        );
    }
}
