//! Building blocks of prompts: names of principles, classes and certainties, choices, rankings, tables of
//! distributions, and sanitized texts of participants.

use crate::language::format::{amount, average, participant_list, percent};
use crate::language::words::Words;
use crate::principle::{Certainty, Principle, Ranking};
use crate::procedures::justice::distribution::{Distribution, IncomeClass, Probabilities};
pub use crate::procedures::quote::{cleaned, inline, quoted};
use std::fmt::Write;

#[must_use]
pub fn principle_name(words: &Words, principle: Principle) -> String {
    words.text(PRINCIPLES[principle as usize][0], &[])
}

/// Returns a name of one to three words, for tables and chips.
#[must_use]
pub fn principle_short(words: &Words, principle: Principle) -> String {
    words.text(PRINCIPLES[principle as usize][1], &[])
}

/// Returns one or two sentences about what the principle chooses.
#[must_use]
pub fn principle_description(words: &Words, principle: Principle) -> String {
    words.text(PRINCIPLES[principle as usize][2], &[])
}

/// Keys of name, short name and description, by principle number.
const PRINCIPLES: [[&str; 3]; 4] = [
    [
        "justice.principle.maximizing_floor.name",
        "justice.principle.maximizing_floor.short",
        "justice.principle.maximizing_floor.description",
    ],
    [
        "justice.principle.maximizing_average.name",
        "justice.principle.maximizing_average.short",
        "justice.principle.maximizing_average.description",
    ],
    [
        "justice.principle.maximizing_average_floor_constraint.name",
        "justice.principle.maximizing_average_floor_constraint.short",
        "justice.principle.maximizing_average_floor_constraint.description",
    ],
    [
        "justice.principle.maximizing_average_range_constraint.name",
        "justice.principle.maximizing_average_range_constraint.short",
        "justice.principle.maximizing_average_range_constraint.description",
    ],
];

/// Formats a principle with its amount in whole income dollars, e.g. `… (lowest income ≥ $14,000)`. States if
/// a constraint has no amount; omits an amount of principle 1 or 2.
#[must_use]
pub fn choice(words: &Words, principle: Principle, dollars: Option<u32>) -> String {
    let name = principle_name(words, principle);
    let key = match (principle, dollars) {
        (Principle::Floor | Principle::Average, _) => return name,
        (_, None) => "justice.principle.without_amount",
        (Principle::FloorConstraint, _) => "justice.principle.with_floor",
        (Principle::RangeConstraint, _) => "justice.principle.with_range",
    };
    let dollars = dollars.map(amount).unwrap_or_default();
    words.text(key, &[("principle", &name), ("amount", &dollars)])
}

/// Lists the four principles by number and name, one per line.
#[must_use]
pub fn numbered_principles(words: &Words) -> String {
    lines(Principle::ALL.map(|principle| numbered(words, principle.number(), principle)))
}

/// Lists the four principles by number, name and description, one per line.
#[must_use]
pub fn described_principles(words: &Words) -> String {
    lines(Principle::ALL.map(|principle| {
        let name = principle_name(words, principle);
        let description = principle_description(words, principle);
        let values: [(&str, &dyn std::fmt::Display); 3] = [
            ("number", &principle.number()),
            ("principle", &name),
            ("description", &description),
        ];
        words.text("justice.principle.described", &values)
    }))
}

/// Formats a ranking on one line, best first: `1. …; 2. …; 3. …; 4. …`.
#[must_use]
pub fn ranking(words: &Words, ranking: &Ranking) -> String {
    let place = |(place, &principle)| numbered(words, place, principle);
    let places: Vec<String> = (1u8..).zip(&ranking.order).map(place).collect();
    places.join(words.raw("justice.list.separator"))
}

fn numbered(words: &Words, number: u8, principle: Principle) -> String {
    let name = principle_name(words, principle);
    words.text(
        "justice.principle.numbered",
        &[("number", &number), ("principle", &name)],
    )
}

#[must_use]
pub fn class_name(words: &Words, class: IncomeClass) -> String {
    let key = match class {
        IncomeClass::High => "justice.class.high",
        IncomeClass::MediumHigh => "justice.class.medium_high",
        IncomeClass::Medium => "justice.class.medium",
        IncomeClass::MediumLow => "justice.class.medium_low",
        IncomeClass::Low => "justice.class.low",
    };
    words.text(key, &[])
}

/// Returns the name of a certainty; for `None`, the text for an unstated one.
#[must_use]
pub fn certainty_name(words: &Words, certainty: Option<Certainty>) -> String {
    let key = match certainty {
        None => "justice.certainty.unstated",
        Some(Certainty::VeryUnsure) => "justice.certainty.very_unsure",
        Some(Certainty::Unsure) => "justice.certainty.unsure",
        Some(Certainty::NoOpinion) => "justice.certainty.no_opinion",
        Some(Certainty::Sure) => "justice.certainty.sure",
        Some(Certainty::VerySure) => "justice.certainty.very_sure",
    };
    words.text(key, &[])
}

/// Lists the certainties to choose from, e.g. `very unsure / unsure / sure / very sure`: all five for
/// rankings, without "no opinion" for choices.
#[must_use]
pub fn certainties(words: &Words, with_no_opinion: bool) -> String {
    let all = [
        Certainty::VeryUnsure,
        Certainty::Unsure,
        Certainty::NoOpinion,
        Certainty::Sure,
        Certainty::VerySure,
    ];
    let fits = |certainty: &Certainty| with_no_opinion || *certainty != Certainty::NoOpinion;
    let names: Vec<String> = all
        .into_iter()
        .filter(fits)
        .map(|certainty| certainty_name(words, Some(certainty)))
        .collect();
    names.join(" / ")
}

/// Formats distributions as a Markdown table in aligned columns: a row for each class and one for the means
/// (weighted if there are probabilities), in whole dollars.
#[must_use]
pub fn table(words: &Words, distributions: &[Distribution], probabilities: Option<&Probabilities>) -> String {
    let mut rows = vec![vec![words.text("justice.table.class", &[])]];
    for number in 1..=distributions.len() {
        rows[0].push(words.text("justice.table.distribution", &[("number", &number)]));
    }
    for class in IncomeClass::ALL {
        let incomes = distributions.iter().map(|d| amount(d.income(class)));
        rows.push(std::iter::once(class_name(words, class)).chain(incomes).collect());
    }
    let label = match probabilities {
        None => "justice.table.average",
        Some(_) => "justice.table.average_weighted",
    };
    let means = distributions.iter().map(|d| average(d.mean(probabilities)));
    rows.push(std::iter::once(words.text(label, &[])).chain(means).collect());
    markdown(&rows)
}

/// Formats a Markdown table. The first row is the head; the first column is left-aligned, the others
/// right-aligned.
fn markdown(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (column, (cell, &columns)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(columns - width(cell));
            let (before, after) = if column == 0 {
                ("", pad.as_str())
            } else {
                (pad.as_str(), "")
            };
            let _ = write!(out, "| {before}{cell}{after} ");
        }
        out.push('|');
        if number == 0 {
            out.push('\n');
            for (column, &width) in widths.iter().enumerate() {
                let right = if column == 0 { "-" } else { ":" };
                let _ = write!(out, "|{}{right}", "-".repeat(width + 1));
            }
            out.push('|');
        }
        if number + 1 < rows.len() {
            out.push('\n');
        }
    }
    out
}

/// Returns the width of a text in columns; Chinese characters take two.
fn width(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

/// Formats the shares of the five classes in whole percent, or states that they are equal.
#[must_use]
pub fn shares(words: &Words, probabilities: Option<&Probabilities>) -> String {
    let Some(probabilities) = probabilities else {
        return words.text("justice.table.equal_shares", &[]);
    };
    let share = |(&class, &share): (&IncomeClass, &f64)| {
        let (class, percent) = (class_name(words, class), percent(share));
        words.text("justice.table.share", &[("class", &class), ("percent", &percent)])
    };
    let all: Vec<String> = IncomeClass::ALL
        .iter()
        .zip(probabilities.values())
        .map(share)
        .collect();
    words.text(
        "justice.table.shares",
        &[("shares", &all.join(words.raw("justice.list.separator")))],
    )
}

/// Formats names as a list in the language, each sanitized by [`inline`].
#[must_use]
pub fn names<S: AsRef<str>>(words: &Words, names: &[S]) -> String {
    let names: Vec<String> = names.iter().map(|name| inline(name.as_ref())).collect();
    participant_list(words.language(), &names)
}

pub(super) fn lines(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join("\n")
}
