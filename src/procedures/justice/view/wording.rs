//! Principles, money and distributions in the words of the view.

use crate::core::block::{Block, Choice, Table};
use crate::language::format::{amount, average, decimal, money};
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::distribution::{Distribution, IncomeClass, Probabilities};
use crate::procedures::justice::prompts::parts;
use std::fmt::Display;

/// Points for a dollar of a payoff.
pub(super) const POINTS: f64 = 10.0;

/// A payoff or balance, given in dollars.
pub(super) fn payoff(dollars: f64, words: &Words) -> String {
    let points = decimal(dollars * POINTS, 1, words.language());
    let count = if points == "1" { 1 } else { 2 };
    let values: [(&str, &dyn Display); 2] = [("money", &money(dollars)), ("points", &points)];
    words.counted("view.payoff.value", count, &values)
}

/// A principle with its amount and its meaning.
pub(super) fn principle(principle: Principle, dollars: Option<u32>, words: &Words) -> Choice {
    let name = match dollars {
        Some(_) => parts::choice(words, principle, dollars),
        None => parts::principle_name(words, principle),
    };
    let short = parts::principle_short(words, principle);
    Choice {
        name,
        short: Some(match dollars {
            Some(dollars) => format!("{short} {}", amount(dollars)),
            None => short,
        }),
        about: Some(parts::principle_description(words, principle)),
        number: Some(principle.number().into()),
        is_missing: false,
    }
}

pub(super) fn missing(key: &str, words: &Words) -> Choice {
    Choice {
        name: words.text(key, &[]),
        is_missing: true,
        ..Choice::default()
    }
}

pub(super) fn ranking(ranking: Option<&Ranking>, words: &Words) -> Block {
    let items = match ranking {
        Some(ranking) => ranking
            .order
            .iter()
            .map(|one| principle(*one, None, words))
            .collect(),
        None => vec![missing("view.ranking.missing", words)],
    };
    let label = String::new();
    Block::Choices { label, items }
}

pub(super) fn class(id: &str, words: &Words) -> String {
    let class = IncomeClass::ALL.into_iter().find(|class| class.id() == id);
    class.map_or_else(|| id.to_owned(), |class| parts::class_name(words, class))
}

/// The meanings of the principles.
pub(super) fn principles(words: &Words) -> Block {
    let row = |principle: Principle| {
        vec![
            format!(
                "{}. {}",
                principle.number(),
                parts::principle_name(words, principle)
            ),
            parts::principle_description(words, principle),
        ]
    };
    Block::Table(Table {
        columns: ["view.principle", "view.meaning"]
            .map(|key| words.text(key, &[]))
            .to_vec(),
        rows: Principle::ALL.map(row).to_vec(),
        ..Table::default()
    })
}

/// Distributions with the chance of each class; the one that applies, from 1, and the class that was drawn stand out.
pub(super) fn distributions(
    distributions: &[[u32; 5]],
    probabilities: Option<[f64; 5]>,
    applied: Option<u8>,
    drawn: Option<&str>,
    words: &Words,
) -> Block {
    let number = |at: usize| words.text("view.distribution.short", &[("number", &(at + 1))]);
    let column = applied.map(usize::from);
    let head = |at: usize| match column == Some(at + 1) {
        true => format!("{} ✓", number(at)),
        false => number(at),
    };
    let label = |key| words.text(key, &[]);
    let columns = std::iter::once(label("justice.table.class"))
        .chain((0..distributions.len()).map(head))
        .chain([label("view.chance")]);
    let probabilities = probabilities.and_then(|shares| Probabilities::new(shares).ok());
    let share = |at: usize| probabilities.as_ref().map_or(0.2, |shares| shares.values()[at]);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, class) in IncomeClass::ALL.into_iter().enumerate() {
        let name = parts::class_name(words, class);
        let mark = if drawn == Some(class.id()) { " ●" } else { "" };
        let mut row = vec![format!("{name}{mark}")];
        row.extend(distributions.iter().map(|incomes| amount(incomes[at])));
        row.push(format!("{}%", (share(at) * 1000.0).round() / 10.0));
        rows.push(row);
    }
    let mean = |incomes: &[u32; 5]| average(Distribution(*incomes).mean(probabilities.as_ref()));
    let mut means = vec![label("justice.table.average")];
    means.extend(distributions.iter().map(mean));
    means.push(String::new());
    rows.push(means);
    Block::Table(Table {
        title: label("view.distributions"),
        columns: columns.collect(),
        rows,
        column,
        row: drawn.and_then(|drawn| IncomeClass::ALL.iter().position(|class| class.id() == drawn)),
        ..Table::default()
    })
}
