//! The second pass: every mention of a value becomes one token that is the value. Not for whether it is asserted.

use super::text::{Token, key, plain, tokens};
use super::words::{Section, Words};
use crate::language::Language;

/// What an answer may be about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind<'a> {
    /// A principle, 1 to 4.
    Principle,
    /// Principles with places.
    Order,
    /// Yes, 1, or no, 0.
    YesNo,
    /// An amount.
    Amount,
    /// One of these names, by its place from 0.
    Name(&'a [&'a str]),
}

impl Kind<'_> {
    /// What the sections for it alone end with.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Principle | Self::Order => "principle",
            Self::YesNo => "yesno",
            Self::Amount => "amount",
            Self::Name(_) => "name",
        }
    }
}

/// An answer with its mentions.
pub(super) struct Tagged {
    pub(super) text: String,
    pub(super) words: &'static Words,
    pub(super) tokens: Vec<Token>,
    /// The tokens before mentions were found: "not sure" has no mention.
    pub(super) raw: Vec<Token>,
}

impl Tagged {
    pub(super) fn of(text: &str, language: Language, kind: Kind<'_>) -> Self {
        let (words, text) = (Words::of(language), plain(text));
        let raw = tokens(&text, words);
        let mut tokens = amounts(&text, &raw, words, language, matches!(kind, Kind::Amount));
        if matches!(kind, Kind::Order) {
            let place = words.section("place");
            tokens = replaced(&tokens, |at| {
                let end = place.at(&tokens, at)?.end;
                let digits = tokens[at..end]
                    .iter()
                    .find(|token| token.key == key::NUMBER)
                    .map(|token| token.number);
                let number = digits.or_else(|| {
                    (at..end)
                        .find_map(|at| words.number(&tokens, at))
                        .map(|(number, _)| number)
                });
                Some((end, key::PLACE, number?))
            });
        }
        let names = match kind {
            Kind::Name(names) => named(names, words),
            _ => Vec::new(),
        };
        // Patterns that count between marks alone: "si" is yes where no words follow.
        let alone: Vec<(f64, &Section)> = match kind {
            Kind::YesNo => vec![
                (1.0, words.section("yes.alone")),
                (0.0, words.section("no.alone")),
            ],
            _ => Vec::new(),
        };
        let values: Vec<(f64, &Section)> = match kind {
            Kind::Principle | Kind::Order => words
                .sections("option.")
                .filter_map(|(name, section)| Some((name.parse().ok()?, section)))
                .collect(),
            Kind::YesNo => vec![(1.0, words.section("yes")), (0.0, words.section("no"))],
            Kind::Amount | Kind::Name(_) => Vec::new(),
        };
        let nouns = Nouns::of(words, kind);
        let neutral = [
            (key::PERSON, words.section("person")),
            (key::NEUTRAL, words.section("neutral")),
            (
                key::NEUTRAL,
                words.section(&format!("neutral.{}", kind.name())[..]),
            ),
        ];
        tokens = replaced(&tokens, |at| {
            let longest = |section: &Section| section.at(&tokens, at).map(|one| one.end);
            let name = names
                .iter()
                .filter(|name| begins(&tokens[at..], &text, name))
                .map(|name| (at + name.tokens.len(), name.value));
            let value = values
                .iter()
                .filter_map(|(value, section)| Some((longest(section)?, *value)));
            let is_apart = |end: usize| {
                (at == 0 || !tokens[at - 1].is_word()) && tokens.get(end).is_none_or(|next| !next.is_word())
            };
            let apart = alone
                .iter()
                .filter_map(|(value, section)| Some((longest(section)?, *value)))
                .filter(|(end, _)| is_apart(*end));
            let number =
                numbered(&tokens, at, words, (kind, &nouns), false).filter(|_| tokens[at].key != key::NUMBER);
            let number = number.map(|(end, _, value)| (end, value));
            let value = value
                .chain(name)
                .chain(apart)
                .chain(number)
                .max_by_key(|(end, _)| *end);
            let other = neutral
                .iter()
                .filter_map(|(key, section)| Some((longest(section)?, *key)))
                .max();
            match (value, other) {
                (Some((end, value)), other) if other.is_none_or(|(other, _)| other <= end) => {
                    Some((end, key::MENTION, value))
                }
                (_, Some((other, key))) => Some((other, key, 0.0)),
                _ => None,
            }
        });
        let is_alone = tokens.iter().filter(|token| !token.is_end()).count() == 1;
        tokens = replaced(&tokens, |at| {
            numbered(&tokens, at, words, (kind, &nouns), is_alone)
        });
        let join = words.section("same");
        tokens = replaced(&tokens, |at| {
            let first = tokens.get(at).filter(|token| token.key == key::MENTION)?;
            let mut end = at + 1;
            loop {
                let next = join.at(&tokens, end).map_or(end, |one| one.end);
                match tokens.get(next) {
                    Some(token) if token.key == key::MENTION && token.number == first.number => {
                        end = next + 1
                    }
                    _ => break,
                }
            }
            (end > at + 1).then_some((end, key::MENTION, first.number))
        });
        Self {
            text,
            words,
            tokens,
            raw,
        }
    }
}

/// Words that stand with the numbers of a kind: "option", 号, "place".
struct Nouns<'a> {
    before: &'a Section,
    ordinal: &'a Section,
    after: &'a Section,
}

impl<'a> Nouns<'a> {
    fn of(words: &'a Words, kind: Kind<'_>) -> Self {
        let section = |end: &str| words.section(&format!("noun.{}{end}", kind.name()));
        Self {
            before: section(""),
            ordinal: section(".ordinal"),
            after: section(".after"),
        }
    }
}

/// A number that is a value, with its noun: "no. 3", "option three", 第三个. Without a noun it is written in digits, and names
/// no proposal. `may_be_word`: a word alone will do.
fn numbered(
    tokens: &[Token],
    at: usize,
    words: &Words,
    (kind, nouns): (Kind<'_>, &Nouns<'_>),
    may_be_word: bool,
) -> Option<(usize, u32, f64)> {
    let is_value = |number: f64| match kind {
        Kind::Principle | Kind::Order => (1.0..=4.0).contains(&number),
        Kind::YesNo => number == 0.0 || number == 1.0,
        Kind::Amount => false,
        Kind::Name(names) => (1..=names.len()).any(|place| number == place as f64),
    };
    let end_of = |section: &Section, at| section.at(tokens, at).map(|one| one.end);
    let noun = end_of(nouns.before, at);
    let start = noun.unwrap_or(at);
    let digits = tokens
        .get(start)
        .filter(|token| token.key == key::NUMBER)
        .map(|token| (token.number, start + 1));
    let is_minus = start > 0
        && tokens[start - 1].key == key::of_mark('-')
        && tokens[start - 1].to == tokens.get(start)?.from
        && start < 2;
    let (number, end) = digits.or_else(|| words.number(tokens, start))?;
    // 三号 is a name and 三个 is a count, if nothing stands before it.
    let ordinal = end_of(nouns.ordinal, end);
    let after = ordinal.or_else(|| end_of(nouns.after, end).filter(|_| noun.is_some()));
    let is_named = noun.is_some() || ordinal.is_some() || may_be_word && !matches!(kind, Kind::Name(_));
    let is_said = is_named || digits.is_some() && !matches!(kind, Kind::Name(_));
    let shift = if matches!(kind, Kind::Name(_)) { 1.0 } else { 0.0 };
    (is_said && is_value(number) && !is_minus).then_some((after.unwrap_or(end), key::MENTION, number - shift))
}

/// The tokens with some replaced by one: `find` gives the end, the key and the value.
fn replaced(tokens: &[Token], find: impl Fn(usize) -> Option<(usize, u32, f64)>) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        match find(at) {
            Some((end, key, number)) if end > at => {
                let to = tokens[end - 1].to;
                out.push(Token {
                    key,
                    number,
                    from: token.from,
                    to,
                });
                at = end;
            }
            _ => {
                out.push(token);
                at += 1;
            }
        }
    }
    out
}

/// A way to write a name.
struct Name {
    value: f64,
    tokens: Vec<String>,
}

/// The names, and their first and last words where they are of one name alone.
fn named(names: &[&str], words: &Words) -> Vec<Name> {
    let parts = |name: &str| -> Vec<String> {
        let name = plain(name);
        tokens(&name, words)
            .iter()
            .map(|token| name[token.from..token.to].to_owned())
            .collect()
    };
    let all: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
    let mut found = Vec::new();
    for (place, tokens) in all.iter().enumerate() {
        let value = place as f64;
        for word in [tokens.first(), tokens.last()]
            .into_iter()
            .flatten()
            .filter(|_| tokens.len() > 1)
        {
            let is_own = all
                .iter()
                .enumerate()
                .all(|(other, tokens)| other == place || !tokens.contains(word));
            if is_own
                && word.chars().count() >= 3
                && word.chars().all(char::is_alphabetic)
                && words.is_unknown(word)
            {
                found.push(Name {
                    value,
                    tokens: vec![word.clone()],
                });
            }
        }
        if !tokens.is_empty() {
            found.push(Name {
                value,
                tokens: tokens.clone(),
            });
        }
    }
    found
}

fn begins(tokens: &[Token], text: &str, name: &Name) -> bool {
    tokens.len() >= name.tokens.len()
        && tokens.iter().zip(&name.tokens).all(|(token, part)| {
            text.get(token.from..token.to)
                .is_some_and(|said| said.trim_end_matches("'s") == part)
        })
}

/// Amounts as one token: mentions where an amount is asked for.
fn amounts(text: &str, tokens: &[Token], words: &Words, language: Language, is_asked: bool) -> Vec<Token> {
    let (before, after) = (words.section("money.before"), words.section("money.after"));
    replaced(tokens, |at| {
        let start = before.at(tokens, at).map_or(at, |one| one.end);
        let is_minus = at > 0
            && tokens[at - 1].key == key::of_mark('-')
            && tokens[at - 1].to == tokens[at].from
            && (at < 2 || tokens[at - 2].to < tokens[at - 1].from);
        let (mut value, mut end, is_round) = number_at(text, tokens, start, words, language)?;
        let close = after.at(tokens, end).map_or(end, |one| one.end);
        let is_money = start > at || close > end;
        end = close;
        if let Some(one) = words.section("percent").at(tokens, end) {
            return Some((one.end, key::NEUTRAL, 0.0));
        }
        let is_year = !is_money
            && !is_round
            && (1900.0..2100.0).contains(&value)
            && text
                .get(tokens[start].from..tokens[start].to)
                .is_some_and(|year| year.len() == 4);
        if !(is_money || is_round || value >= 100.0) || is_year && !is_asked {
            return None;
        }
        if value.fract() != 0.0 {
            value = value.floor();
        }
        Some((
            end,
            if is_asked && !is_minus {
                key::MENTION
            } else {
                key::NEUTRAL
            },
            value,
        ))
    })
}

/// A number in digits, words or both: its value, its end, and whether it is given in thousands.
fn number_at(
    text: &str,
    tokens: &[Token],
    at: usize,
    words: &Words,
    language: Language,
) -> Option<(f64, usize, bool)> {
    let (mut total, mut group, mut digit, mut unit): (f64, f64, Option<f64>, f64) = (0.0, 0.0, None, 1.0);
    let (mut end, mut is_round, mut digits) = (at, false, false);
    let and = words.section("num.and");
    loop {
        let next = if end > at {
            and.at(tokens, end).map_or(end, |one| one.end)
        } else {
            end
        };
        let Some(token) = tokens.get(next) else { break };
        // "11k and 16000" are two numbers.
        if next > end && token.key == key::NUMBER {
            break;
        }
        let said = match token.key {
            key::NUMBER if !digits && digit.is_none() => {
                digits = true;
                Some((written(&text[token.from..token.to])?, next + 1))
            }
            _ => words.number(tokens, next),
        };
        let Some((value, after)) = said else { break };
        if value == 100.0
            || value == 1_000.0
            || value >= 10_000.0 && token.key != key::NUMBER
            || value == 10.0 && language == Language::Mandarin && token.key != key::NUMBER
        {
            let own = digit.take();
            if value < 1_000.0 || value == 1_000.0 && language == Language::Mandarin {
                // 十五千 is no number.
                if group > 0.0 && value > unit {
                    return None;
                }
                group += own.unwrap_or(1.0) * value;
            } else {
                let of = group + own.unwrap_or(0.0);
                total += if of == 0.0 { 1.0 } else { of } * value;
                group = 0.0;
            }
            is_round |= value >= 1_000.0;
            digits = false;
            unit = value;
        } else {
            if language == Language::Mandarin && digit.is_some() {
                break;
            }
            if value == 0.0 && end > at && language == Language::Mandarin {
                unit = 10.0;
            } else {
                digit = Some(digit.unwrap_or(0.0) + value);
            }
        }
        end = after;
    }
    // "1万3" may be 13,000 or 10,003.
    if language == Language::Mandarin && digits && unit >= 1_000.0 && digit.is_some_and(|own| own < 10.0) {
        return None;
    }
    if let Some(own) = digit {
        // 一万二 is twelve thousand.
        let is_cut = language == Language::Mandarin && unit >= 100.0 && own < 10.0 && !digits;
        group += if is_cut { own * unit / 10.0 } else { own };
    }
    (end > at).then_some((total + group, end, is_round))
}

/// A number in digits, with any separators.
fn written(text: &str) -> Option<f64> {
    let text = text.trim_end_matches(['.', ',']);
    let groups: Vec<&str> = text.split(['.', ',', '\'', ' ', '_']).collect();
    let (first, rest) = groups.split_first()?;
    let are_thousands = |rest: &[&str]| {
        rest.iter().all(|group| group.len() == 3) && (1..=3).contains(&first.len()) && *first != "0"
    };
    let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    if are_thousands(rest) && marks.windows(2).all(|pair| pair[0] == pair[1]) {
        return groups.concat().parse().ok();
    }
    let Some((last, rest)) = rest.split_last() else {
        return text.parse().ok();
    };
    let is_decimal = are_thousands(rest) || rest.is_empty();
    let is_decimal = is_decimal && marks.last().is_some_and(|mark| matches!(mark, '.' | ','));
    is_decimal.then(|| format!("{first}{}.{last}", rest.concat()).parse().ok())?
}
