//! Which numbers of an answer are amounts: sorts out rounds, years, percentages, fractions, people,
//! negative and denied numbers, and sees where arithmetic or a range leaves the amount open.

use super::How;
use super::amount_number::Number;
use super::number_words::begins;
use super::tokens::{Kind, Token, counted, tokens};
use crate::language::Language;

/// Numbers below this without a word or letter for thousands are no amounts (payoffs, ballot numbers).
pub(super) const SMALL: u64 = 100;

/// What was found in a text.
#[derive(Default)]
pub(super) struct Found {
    /// Every distinct value.
    pub(super) amounts: Vec<(u64, How)>,
    /// Something that may change an amount, or be one, could not be made out.
    pub(super) open: bool,
}

/// Words for money.
pub(super) const CURRENCIES: &[&str] = &[
    "usd", "us", "dollar", "dollars", "dolar", "dolares", "euro", "euros", "eur", "pesos", "mxn", "ars",
    "cop", "clp", "pen", "rmb", "cny", "gbp", "jpy", "yuan", "bucks", "income",
];

/// Whether the sign stands for money.
pub(super) fn is_currency(sign: char) -> bool {
    matches!(sign, '$' | '€' | '¥' | '£' | '元' | '块')
}

/// What a number counts when such a word follows.
const THINGS: &[&str] = &[
    "people",
    "persons",
    "agents",
    "participants",
    "members",
    "households",
    "families",
    "rounds",
    "times",
    "words",
    "characters",
    "tokens",
    "percent",
    "pct",
    "points",
    "years",
    "personas",
    "agentes",
    "participantes",
    "miembros",
    "hogares",
    "familias",
    "rondas",
    "veces",
    "palabras",
    "caracteres",
    "puntos",
    "gracias",
    "anos",
    "thanks",
];

/// The amounts in a folded text.
pub(super) fn find(folded: &str, language: Language) -> Found {
    let all = tokens(folded);
    let mut reader = Reader {
        tokens: &all,
        language,
        found: Found::default(),
        denied: Vec::new(),
        before: None,
    };
    let mut at = 0;
    while at < all.len() {
        at = reader.step(at);
    }
    let mut found = reader.found;
    // What was only ever denied ("not 15,000") is no amount, and nothing else was named.
    if !reader.denied.is_empty() {
        let denied = reader.denied;
        if found.amounts.iter().all(|(value, _)| denied.contains(value)) {
            return Found {
                amounts: Vec::new(),
                open: found.open,
            };
        }
        for value in denied {
            found.add(value, How::Number);
        }
    }
    found
}

impl Found {
    fn add(&mut self, value: u64, how: How) {
        if !self.amounts.iter().any(|known| known.0 == value) {
            self.amounts.push((value, how));
        }
    }
}

/// The number before, for ranges and sums: `12 to 15k`, `12000 + 50`.
#[derive(Clone, Copy)]
struct Before {
    end: usize,
    small: bool,
    /// It counted something else.
    other: bool,
}

/// Goes through the tokens of an answer and collects the amounts.
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token<'a>],
    language: Language,
    found: Found,
    denied: Vec<u64>,
    before: Option<Before>,
}

impl Reader<'_> {
    /// What stands at a token.
    pub(super) fn kind(&self, at: usize) -> Option<Kind<'_>> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The word at a token.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match self.kind(at) {
            Some(Kind::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Whether that sign stands at a token.
    pub(super) fn is(&self, at: usize, sign: char) -> bool {
        self.kind(at) == Some(Kind::Sign(sign))
    }

    /// Bytes between a token and the one before it.
    pub(super) fn gap(&self, at: usize) -> Option<usize> {
        Some(self.tokens.get(at)?.start - self.tokens.get(at.checked_sub(1)?)?.end)
    }

    /// Reads what stands at a token; the token to go on with.
    fn step(&mut self, at: usize) -> usize {
        let number = match self.kind(at) {
            Some(Kind::Number { digits, .. }) => Some(self.digits(at, digits)),
            Some(Kind::Numerals(signs)) => self.numerals(at, signs),
            // English "once" is no eleven.
            Some(Kind::Word(word))
                if begins(word) && (word != "once" || self.language == Language::Spanish) =>
            {
                self.words(at)
            }
            _ => None,
        };
        let Some(number) = number else { return at + 1 };
        let other = self.counts_other(at, number);
        let small =
            number.value.is_some_and(|value| value < SMALL) || (number.value.is_none() && !number.scaled);
        if !other {
            self.judge(at, number, small);
        }
        self.before = Some(Before {
            end: number.next,
            small: small && !number.scaled,
            other,
        });
        number.next.max(at + 1)
    }

    /// Whether the number counts something else than money.
    fn counts_other(&self, first: usize, number: Number) -> bool {
        let next = number.next;
        let before = first.checked_sub(1);
        let word_before = before.and_then(|before| self.word(before));
        if word_before.is_some_and(|word| counted(word) && (word != "no" || self.gap(first) == Some(0))) {
            return true;
        }
        if before
            .is_some_and(|before| matches!(self.kind(before), Some(Kind::Sign('第' | '页' | '之' | '#'))))
        {
            return true;
        }
        if before.is_some_and(|before| self.is(before, '.'))
            && matches!(
                first.checked_sub(2).and_then(|at| self.word(at)),
                Some("no" | "num")
            )
        {
            return true;
        }
        let after = self.kind(next);
        if matches!(
            after,
            Some(Kind::Sign(
                '%' | '‰' | '人' | '轮' | '名' | '户' | '字' | '页' | '倍' | '分' | '°'
            ))
        ) {
            return true;
        }
        if self.word(next).is_some_and(|word| THINGS.contains(&word)) {
            return true;
        }
        if matches!(
            (self.word(next), self.word(next + 1)),
            (Some("per"), Some("cent")) | (Some("por"), Some("ciento" | "cien"))
        ) {
            return true;
        }
        let year = matches!(self.kind(first), Some(Kind::Number { bare: true, .. }))
            && number.value.is_some_and(|value| (1_900..=2_099).contains(&value));
        if year
            && (self.is(next, '年')
                || matches!(
                    word_before,
                    Some("in" | "year" | "since" | "en" | "ano" | "desde")
                )
                || (matches!(word_before, Some("is" | "es"))
                    && matches!(
                        first.checked_sub(2).and_then(|at| self.word(at)),
                        Some("year" | "ano")
                    )))
        {
            return true;
        }
        self.in_fraction(first, next)
    }

    /// Digits and a stroke on one side: a fraction or a date.
    fn in_fraction(&self, first: usize, next: usize) -> bool {
        let stroke = |at: usize| {
            matches!(self.kind(at), Some(Kind::Sign('/' | '\u{2044}'))) && self.gap(at) == Some(0)
        };
        let digits = |at: usize| matches!(self.kind(at), Some(Kind::Number { .. }));
        (stroke(next) && digits(next + 1) && self.gap(next + 1) == Some(0))
            || (first >= 2 && stroke(first - 1) && digits(first - 2) && self.gap(first) == Some(0))
    }

    fn judge(&mut self, first: usize, number: Number, small: bool) {
        let lead = self.lead(first);
        if self.computed(lead, number, small) {
            self.found.open = true;
            return;
        }
        if self.negative(lead, first) {
            return;
        }
        let vague = matches!(
            self.kind(number.next),
            Some(Kind::Sign('多' | '几' | '余' | '来' | '半'))
        );
        match number.value {
            _ if vague && (number.scaled || !small) => self.found.open = true,
            None => self.found.open |= number.scaled,
            Some(value) if value == 0 || value < SMALL => {}
            Some(value) if self.denied(lead) => self.denied.push(value),
            Some(value) => self.found.add(value, number.how),
        }
    }

    /// The first token of the number with its currency, quotes and sign of approximation.
    fn lead(&self, first: usize) -> usize {
        let mut at = first;
        while let Some(before) = at.checked_sub(1) {
            match self.kind(before) {
                Some(Kind::Sign(sign))
                    if is_currency(sign) || matches!(sign, '"' | '\'' | '~' | '(' | '“') =>
                {
                    at = before
                }
                Some(Kind::Word(word)) if CURRENCIES.contains(&word) && word != "income" => at = before,
                _ => break,
            }
        }
        at
    }

    /// Whether the amount takes arithmetic, or is the end of a range that a unit covers (`12 to 15k`).
    fn computed(&self, lead: usize, number: Number, small: bool) -> bool {
        let next = number.next;
        if (self.is(next, '的') && matches!(self.kind(next + 1), Some(Kind::Numerals(_))))
            || self.is(next, '倍')
        {
            return !small;
        }
        let before = |back: usize| lead.checked_sub(back).and_then(|at| self.word(at));
        let parts = [
            "half", "twice", "double", "triple", "mitad", "doble", "tercio", "quarter", "third",
        ];
        if !small
            && [before(1), before(2)]
                .into_iter()
                .flatten()
                .any(|word| parts.contains(&word))
        {
            return true;
        }
        let Some(previous) = self
            .before
            .filter(|previous| !previous.other && previous.end < lead && lead - previous.end <= 2)
        else {
            return false;
        };
        // Two numbers with nothing but a connection between them.
        let between = self.tokens.get(previous.end..lead).unwrap_or_default();
        let connection = between.iter().rev().find_map(|token| match token.kind {
            Kind::Sign(sign) if is_currency(sign) => None,
            Kind::Word(word) if CURRENCIES.contains(&word) => None,
            Kind::Sign(sign) => Some(Link::of_sign(sign)),
            Kind::Word(word) => Some(Link::of_word(word)),
            _ => Some(Link::None),
        });
        match connection {
            Some(Link::Range) if previous.small => number.scaled,
            Some(Link::Range) => {
                small
                    && between
                        .iter()
                        .any(|token| matches!(token.kind, Kind::Sign('-' | '–')))
            }
            Some(Link::Sum) => true,
            _ => false,
        }
    }

    fn negative(&self, lead: usize, first: usize) -> bool {
        let Some(before) = lead.checked_sub(1) else {
            return first > 0 && self.inner_minus(first);
        };
        if self.inner_minus(first) {
            return true;
        }
        let earlier = before.checked_sub(1);
        match self.kind(before) {
            Some(Kind::Word("minus" | "negative" | "negativo" | "less")) => true,
            Some(Kind::Word("menos")) => !matches!(
                earlier.and_then(|at| self.word(at)),
                Some("o" | "al" | "lo" | "no" | "ni" | "cuando")
            ),
            Some(Kind::Sign('负' | '負' | '减')) => true,
            Some(Kind::Sign('下')) => {
                matches!(earlier.and_then(|at| self.kind(at)), Some(Kind::Numerals("零")))
            }
            // Attached to the number but to nothing before it; a bullet has a blank after it.
            Some(Kind::Sign('-' | '–')) => {
                let attached = self.gap(lead) == Some(0);
                let free = match earlier {
                    None => true,
                    Some(earlier) => {
                        self.gap(before) != Some(0)
                            || !matches!(self.kind(earlier), Some(Kind::Word(_) | Kind::Number { .. }))
                    }
                };
                // "- 5000" alone is a bullet or a minus.
                let alone = lead == first
                    && matches!(earlier.map(|at| self.kind(at)), None | Some(Some(Kind::Line)))
                    && matches!(self.kind(first + 1), None | Some(Kind::Line));
                (attached && free) || alone
            }
            _ => false,
        }
    }

    /// A minus between the currency and the number: `$-5000`.
    fn inner_minus(&self, first: usize) -> bool {
        first
            .checked_sub(2)
            .is_some_and(|sign| matches!(self.kind(sign), Some(Kind::Sign(sign)) if is_currency(sign)))
            && first.checked_sub(1).is_some_and(|minus| self.is(minus, '-'))
            && self.gap(first) == Some(0)
    }

    /// Whether the amount is named to be turned down: "not 15,000", "en vez de 15.000", 不是15000.
    fn denied(&self, lead: usize) -> bool {
        let word = |back: usize| lead.checked_sub(back).and_then(|at| self.word(at));
        let sign = |back: usize| lead.checked_sub(back).and_then(|at| self.kind(at));
        match word(1) {
            Some(
                "not" | "no" | "never" | "nunca" | "want" | "quiero" | "than" | "of" | "de" | "but"
                | "except" | "excepto" | "salvo",
            ) => {}
            None if matches!(sign(1), Some(Kind::Sign('是' | '要' | '不'))) => {
                return matches!(sign(1), Some(Kind::Sign('不')))
                    || matches!(sign(2), Some(Kind::Sign('不')));
            }
            _ => return false,
        }
        matches!(
            (word(2), word(1)),
            (
                _,
                Some("not" | "never" | "nunca" | "no" | "except" | "excepto" | "salvo")
            ) | (Some("not" | "no"), Some("want" | "quiero"))
                | (Some("rather" | "other"), Some("than"))
                | (Some("instead"), Some("of"))
                | (Some("anything"), Some("but"))
                | (Some("vez" | "lugar"), Some("de"))
        )
    }
}

/// What connects two numbers.
enum Link {
    Range,
    Sum,
    None,
}

impl Link {
    fn of_sign(sign: char) -> Self {
        match sign {
            '-' | '–' | '—' | '~' | '到' | '至' | '或' | '和' => Self::Range,
            '+' | '×' | '÷' | '加' | '减' | '乘' => Self::Sum,
            _ => Self::None,
        }
    }

    fn of_word(word: &str) -> Self {
        match word {
            "to" | "or" | "and" | "a" | "o" | "y" | "hasta" | "through" => Self::Range,
            "plus" | "minus" | "mas" | "menos" | "times" | "por" | "x" => Self::Sum,
            _ => Self::None,
        }
    }
}
