//! Formal evidence in a text: citations, data, examples. Sources are not verified. Claims are linked with
//! evidence in [`super::evidence`].

use serde::{Deserialize, Serialize};

use super::evidence_phrases::{CURRENCY, SIZES, Words, words};
use super::scan::{Scan, Span, is_han, is_word};
use crate::language::Language;

/// Kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerKind {
    /// A source: `[1]`, `(Smith 2023)`, `according to …`, an address.
    Citation,
    /// A figure with its unit, or the size of a change.
    Data,
    /// A case.
    Example,
}

impl MarkerKind {
    /// Returns the confidence that a match is evidence of this kind.
    #[must_use]
    pub fn confidence(self) -> f64 {
        match self {
            Self::Citation => 0.9,
            Self::Data => 0.85,
            Self::Example => 0.8,
        }
    }

    /// Returns the relative support for a claim.
    #[must_use]
    pub fn boost(self) -> f64 {
        match self {
            Self::Citation => 0.3,
            Self::Data => 0.25,
            Self::Example => 0.2,
        }
    }
}

/// Evidence in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    pub kind: MarkerKind,
    /// As in the text.
    pub text: String,
    /// Index of its first character.
    pub position: usize,
}

/// Returns the evidence in a text: citations, then data, then examples, each pattern from front to back.
#[must_use]
pub fn markers(text: &str, language: Language) -> Vec<Marker> {
    find(&Scan::new(text), language)
}

pub(super) fn find(scan: &Scan, language: Language) -> Vec<Marker> {
    let words = words(language);
    let lower = &scan.lower;
    let mut found = Vec::new();
    let mut form = |kind: MarkerKind, end_of: &dyn Fn(usize) -> Option<usize>| {
        let mut at = 0;
        while at < lower.len() {
            let Some(end) = end_of(at).filter(|end| *end > at) else {
                at += 1;
                continue;
            };
            found.push(Marker {
                kind,
                text: scan.text(Span { start: at, end }),
                position: at,
            });
            at = end;
        }
    };
    form(MarkerKind::Citation, &|at| bracketed(lower, at));
    form(MarkerKind::Citation, &|at| author_and_year(lower, at));
    form(MarkerKind::Citation, &|at| according_to(lower, at, words));
    form(MarkerKind::Citation, &|at| address(lower, at));
    form(MarkerKind::Citation, &|at| named_source(lower, at, words));
    form(MarkerKind::Data, &|at| percentage(lower, at));
    form(MarkerKind::Data, &|at| money(lower, at));
    form(MarkerKind::Data, &|at| with_unit(lower, at, words.time));
    form(MarkerKind::Data, &|at| with_unit(lower, at, &SIZES));
    form(MarkerKind::Data, &|at| change(lower, at, words));
    for example in words.example {
        let example = match example.strip_suffix(" *") {
            Some(example) => (example, true),
            None => (*example, false),
        };
        form(MarkerKind::Example, &|at| case(lower, at, example));
    }
    found
}

/// Returns the end of the run of characters that fit.
fn run_end(text: &[char], from: usize, fits: impl Fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|c| fits(**c)).count()
}

/// Returns the end of a text at a position, if it is there.
fn text_end(text: &[char], at: usize, wanted: &str) -> Option<usize> {
    let mut end = at;
    for c in wanted.chars() {
        if text.get(end) != Some(&c) {
            return None;
        }
        end += 1;
    }
    Some(end)
}

/// The same, with any number of spaces for each space.
fn phrase_end(text: &[char], at: usize, wanted: &str) -> Option<usize> {
    let mut words = wanted.split(' ');
    let mut end = text_end(text, at, words.next()?)?;
    for word in words {
        let next = run_end(text, end, char::is_whitespace);
        if next == end {
            return None;
        }
        end = text_end(text, next, word)?;
    }
    Some(end)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn bracketed(text: &[char], at: usize) -> Option<usize> {
    let inside = text_end(text, at, "[")?;
    let end = run_end(text, inside, |c| is_digit(c) || c == ',' || c.is_whitespace());
    (end > inside).then(|| text_end(text, end, "]"))?
}

fn author_and_year(text: &[char], at: usize) -> Option<usize> {
    let inside = text_end(text, at, "(").or_else(|| text_end(text, at, "（"))?;
    let name_or_space = |c: char| is_word(c) || c.is_whitespace();
    let comma = run_end(text, inside, name_or_space);
    if comma == inside {
        return None;
    }
    let end = match text.get(comma) {
        Some(',' | '，') => run_end(text, run_end(text, comma + 1, char::is_whitespace), is_digit),
        _ => comma,
    };
    let year = text
        .get(inside..end)?
        .iter()
        .rev()
        .take_while(|c| is_digit(**c))
        .count();
    let before_year = end - inside > 4;
    let close = text_end(text, end, ")").or_else(|| text_end(text, end, "）"));
    // Without a comma, the digits of a longer number may belong to the name.
    let has_year = year == 4 || (year > 4 && end == comma);
    (has_year && before_year).then_some(close?)
}

fn according_to(text: &[char], at: usize, words: &Words) -> Option<usize> {
    let name = |c: char| is_word(c) || c.is_whitespace();
    words.according.iter().find_map(|phrase| {
        let from = phrase_end(text, at, phrase)?;
        let spaced = run_end(text, from, char::is_whitespace) > from;
        let end = run_end(text, from, name);
        let is_named = text.get(from..end)?.iter().any(|c| is_word(*c));
        (is_named && (spaced || phrase.chars().any(is_han))).then_some(end)
    })
}

fn address(text: &[char], at: usize) -> Option<usize> {
    let from = text_end(text, at, "https://").or_else(|| text_end(text, at, "http://"))?;
    let end = run_end(text, from, |c| !c.is_whitespace());
    (end > from).then_some(end)
}

fn named_source(text: &[char], at: usize, words: &Words) -> Option<usize> {
    words.source.iter().find_map(|word| {
        let colon = text_end(text, at, word)?;
        let from = text_end(text, colon, ":").or_else(|| text_end(text, colon, "："))?;
        let from = run_end(text, from, char::is_whitespace);
        let end = run_end(text, from, |c| !c.is_whitespace());
        (end > from).then_some(end)
    })
}

/// Returns the end of a number with optional decimals.
fn decimals_end(text: &[char], at: usize) -> usize {
    match text.get(at) {
        Some('.' | ',') => {
            let end = run_end(text, at + 1, is_digit);
            if end > at + 1 { end } else { at }
        }
        _ => at,
    }
}

/// Returns the end of a number that starts here; positions inside a number are not starts.
fn digits(text: &[char], at: usize) -> Option<usize> {
    let inside = at > 0 && text.get(at - 1).is_some_and(|c| is_digit(*c));
    let end = run_end(text, at, is_digit);
    (!inside && end > at).then_some(end)
}

fn percentage(text: &[char], at: usize) -> Option<usize> {
    let end = decimals_end(text, digits(text, at)?);
    let sign = run_end(text, end, |c| c == ' ' || c == '\u{a0}');
    let near = if sign <= end + 1 { sign } else { end };
    text_end(text, near, "%").or_else(|| text_end(text, near, "％"))
}

fn money(text: &[char], at: usize) -> Option<usize> {
    let sign = text.get(at).filter(|c| CURRENCY.contains(c));
    let from = sign.map(|_| at + 1)?;
    let end = run_end(text, from, |c| is_digit(c) || c == ',');
    (end > from).then(|| decimals_end(text, end))
}

fn with_unit(text: &[char], at: usize, units: &[&str]) -> Option<usize> {
    let mut end = digits(text, at)?;
    while text.get(end) == Some(&',') && run_end(text, end + 1, is_digit) >= end + 4 {
        end += 4;
    }
    let unit = run_end(text, decimals_end(text, end), char::is_whitespace);
    units.iter().find_map(|name| text_end(text, unit, name))
}

fn change(text: &[char], at: usize, words: &Words) -> Option<usize> {
    words.changed.iter().find_map(|word| {
        let from = text_end(text, at, word)?;
        let free = word.chars().any(is_han);
        let gap = |from: usize| {
            let next = run_end(text, from, char::is_whitespace);
            (free || next > from).then_some(next)
        };
        let number = |from: usize| {
            let next = gap(from)?;
            let end = run_end(text, next, is_digit);
            (end > next).then_some(end)
        };
        let by = |name: &&str| number(phrase_end(text, gap(from)?, name)?);
        words.by.iter().find_map(by).or_else(|| number(from))
    })
}

fn case(text: &[char], at: usize, (phrase, wants_word): (&str, bool)) -> Option<usize> {
    let end = phrase_end(text, at, phrase)?;
    if !wants_word {
        return Some(end);
    }
    let from = run_end(text, end, char::is_whitespace);
    let word = run_end(text, from, is_word);
    (from > end && word > from).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, language: Language) -> Vec<String> {
        markers(text, language)
            .into_iter()
            .map(|marker| marker.text)
            .collect()
    }

    #[test]
    fn forms_in_three_languages() {
        let text = "See [1, 2], (Lee, 2020), (12020) and (2020); it cost £3,000.5 and reduced by  7.";
        assert_eq!(
            found(text, Language::English),
            ["[1, 2]", "(Lee, 2020)", "(12020)", "£3,000.5", "reduced by  7"]
        );
        let text =
            "Según el Banco Mundial, por ejemplo, el gasto aumentó en un 12,5 % en 3 días. Fuente: BM.";
        assert_eq!(
            found(text, Language::Spanish),
            [
                "Según el Banco Mundial",
                "Fuente: BM.",
                "12,5 %",
                "3 días",
                "aumentó en un 12",
                "por ejemplo"
            ]
        );
        let text = "根据世界银行报告，贫困率下降了5%，例如在2个月内（李，2020）。";
        assert_eq!(
            found(text, Language::Mandarin),
            [
                "（李，2020）",
                "根据世界银行报告",
                "5%",
                "2个月",
                "下降了5",
                "例如"
            ]
        );
    }

    #[test]
    fn numbers_are_not_read_from_their_middle() {
        assert_eq!(
            found("1,234 ms and 12,34 GB", Language::English),
            ["1,234 ms", "12,34 GB"]
        );
        assert_eq!(found("1.5.5%", Language::English), ["5.5%"]);
        assert!(found("such as, according to", Language::English).is_empty());
    }

    proptest! {
        #[test]
        fn positions_are_true(
            text in "\\PC{0,40}|[\\[\\](){0-9,.%$smGB 根据第 -]{0,40}|(according to|such as|Source: |12 s|,){0,8}",
            language in proptest::sample::select(&Language::ALL)
        ) {
            let chars: Vec<char> = text.chars().collect();
            for marker in markers(&text, language) {
                let length = marker.text.chars().count();
                let part: String = chars[marker.position..marker.position + length].iter().collect();
                prop_assert!(length > 0);
                prop_assert_eq!(part, marker.text);
            }
        }
    }
}
