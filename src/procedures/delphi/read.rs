//! Parsing of Delphi answers into a number and the reasons around it. A number that is ambiguous or changed
//! by words beside it (a million, a range) is not read.

use crate::language::Language;
use crate::language::blank::is_blank;
use crate::reading::{How, Reading, Reason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A parsed answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// In the unit of the question.
    pub estimate: f64,
    /// The rest of the answer.
    pub reason: String,
}

/// Bounds and notation of estimates.
#[derive(Debug, Clone, Copy)]
pub struct Scale<'a> {
    /// Unit that may follow the number.
    pub unit: &'a str,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    /// Labels that may precede the number, in lower case.
    pub labels: &'a [&'a str],
    /// Language that determines the number format.
    pub language: Language,
}

/// Reads an answer: a JSON object with `estimate`, a line such as "Estimate: 12", or a bare number.
#[must_use]
pub fn read(answer: &str, scale: &Scale) -> Reading<Estimate> {
    let answer = answer.trim();
    if is_blank(answer) {
        return Reading::unread(Reason::EmptyResponse);
    }
    let found = find_json(answer)
        .or_else(|| find_labelled(answer, scale))
        .or_else(|| parse_number(answer, scale).map(|estimate| (estimate, String::new(), How::Digit)));
    let Some((estimate, reason, how)) = found else {
        return Reading::unread(Reason::NoAmountFound);
    };
    if scale.minimum.is_some_and(|least| estimate < least) {
        Reading::unread(Reason::AmountTooLow)
    } else if scale.maximum.is_some_and(|most| estimate > most) {
        Reading::unread(Reason::AmountTooHigh)
    } else {
        Reading::read(Estimate { estimate, reason }, how)
    }
}

/// Reads the values of a form.
#[must_use]
pub fn read_values(values: &Value) -> Option<Estimate> {
    Some(Estimate {
        estimate: values["estimate"].as_f64()?,
        reason: values["reason"].as_str().unwrap_or_default().trim().to_owned(),
    })
}

type Found = (f64, String, How);

fn find_json(answer: &str) -> Option<Found> {
    let (from, to) = (answer.find('{')?, answer.rfind('}')?);
    let object: Value = serde_json::from_str(answer.get(from..=to)?).ok()?;
    let Estimate { estimate, reason } = read_values(&object)?;
    Some((estimate, reason, How::Json))
}

/// Reads the last labelled line. Two lines with different numbers have no reading.
fn find_labelled(answer: &str, scale: &Scale) -> Option<Found> {
    fn labelled<'a>(line: &'a str, scale: &Scale) -> Option<&'a str> {
        let line = line.trim().trim_start_matches(['*', '#', '-', '_', ' ']);
        let (label, rest) = line.split_once([':', '：'])?;
        let label = label.trim_end_matches(['*', '_', ' ']).to_lowercase();
        scale.labels.contains(&label.as_str()).then_some(rest)
    }
    let labelled = |line| labelled(line, scale);
    let numbers: Vec<Option<f64>> = answer
        .lines()
        .filter_map(labelled)
        .map(|rest| parse_number(rest, scale))
        .collect();
    let last = (*numbers.last()?)?;
    if numbers.iter().any(|number| *number != Some(last)) {
        return None;
    }
    let reasons: Vec<&str> = answer.lines().filter(|line| labelled(line).is_none()).collect();
    Some((last, reasons.join("\n").trim().to_owned(), How::Label))
}

/// Parses a number with optional markup around it and an optional unit after it.
fn parse_number(text: &str, scale: &Scale) -> Option<f64> {
    let text = text
        .trim()
        .trim_matches(['*', '_', '`', '~', '≈', ' ', '.', '。']);
    let unit = scale.unit.trim();
    let end = text.find(|c: char| {
        !(c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{a0}' | '\u{202f}' | '+' | '-' | '−'))
    });
    let (digits, suffix) = text.split_at(end.unwrap_or(text.len()));
    let suffix = suffix.trim().trim_matches(['*', '_', '(', ')', ' ', '.', '。']);
    let is_unit = suffix.is_empty() || suffix.to_lowercase() == unit.to_lowercase();
    is_unit
        .then(|| parse_digits(digits.trim_end_matches(['.', ',']), scale.language))
        .flatten()
}

/// Parses digits with the language's separators. Returns `None` if two readings are possible and neither
/// follows the language.
fn parse_digits(digits: &str, language: Language) -> Option<f64> {
    let digits: String = digits.replace('−', "-").replace(['\'', '\u{a0}', '\u{202f}'], "");
    let (point, group) = if language == Language::Spanish {
        (',', '.')
    } else {
        ('.', ',')
    };
    let (whole, part) = digits.split_once(point).unwrap_or((&digits, ""));
    let mut groups = whole.trim_start_matches(['-', '+']).split(group);
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped =
        rest.is_empty() || (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3);
    if is_grouped && !part.contains(group) {
        return format!(
            "{}{}{part}",
            whole.replace(group, ""),
            if part.is_empty() { "" } else { "." }
        )
        .parse::<f64>()
        .ok();
    }
    // "3.5" in Spanish, "3,5" in English: a single separator that groups no thousands is a decimal point.
    let (whole, part) = digits.split_once(group)?;
    let is_point = !part.contains([point, group]) && !whole.contains(point) && part.len() != 3;
    is_point
        .then(|| format!("{whole}.{part}").parse::<f64>().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scale(language: Language) -> Scale<'static> {
        Scale {
            unit: "hours",
            minimum: Some(-10.0),
            maximum: Some(2e6),
            labels: &["estimate", "my estimate"],
            language,
        }
    }

    fn value(text: &str, language: Language) -> Option<f64> {
        read(text, &scale(language)).value().map(|read| read.estimate)
    }

    #[test]
    fn numbers_with_and_without_a_label() {
        let english = |text| value(text, Language::English);
        for (text, wanted) in [
            ("12", Some(12.0)),
            ("12.5 hours", Some(12.5)),
            ("**Estimate:** 1,250", Some(1250.0)),
            ("It depends.\nMy estimate: ~40 (hours).", Some(40.0)),
            ("Estimate: -3", Some(-3.0)),
            ("{\"reason\": \"long days\", \"estimate\": 7}", Some(7.0)),
            ("Sure: {\"estimate\": 7.25, \"reason\": \"\"}", Some(7.25)),
            ("3,5", Some(3.5)),
            ("", None),
            ("Estimate: 3 million", None),
            ("Estimate: 10-20", None),
            ("Estimate: 10 to 20", None),
            ("Estimate: about a dozen", None),
            ("Estimate: 4\nEstimate: 5", None),
            ("I think 12 of 30 would do it.", None),
            ("Estimate: 3000000", None),
            ("1,25,7", None),
        ] {
            assert_eq!(english(text), wanted, "{text:?}");
        }
        assert_eq!(value("1.250,5", Language::Spanish), Some(1250.5));
        assert_eq!(value("3.5", Language::Spanish), Some(3.5));
    }

    #[test]
    fn the_reason_is_the_text_around_the_number() {
        let read = read(
            "Long days in summer.\nEstimate: 9 hours\nShort in winter.",
            &scale(Language::English),
        );
        let Some(found) = read.value() else {
            panic!("{read:?}")
        };
        assert_eq!(found.reason, "Long days in summer.\nShort in winter.");
    }

    proptest! {
        #[test]
        fn plain_numbers_are_read_exactly(number in 0..2_000_000u32, cents in 0..100u32) {
            for language in Language::ALL {
                let point = if language == Language::Spanish { ',' } else { '.' };
                let text = format!("Reasons.\nEstimate: {number}{point}{cents:02}");
                prop_assert_eq!(value(&text, language), Some(f64::from(number) + f64::from(cents) / 100.0));
            }
        }

        #[test]
        fn nothing_is_read_outside_the_bounds_and_nothing_panics(text in "\\PC{0,40}") {
            if let Some(found) = value(&text, Language::English) {
                prop_assert!((-10.0..=2e6).contains(&found));
            }
        }
    }
}
