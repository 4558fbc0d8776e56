//! Notices about the outcome of phase 2, and the list of counterfactuals, which the notices of phase 1
//! include too.

use super::ResultsText;
use super::parts::{choice, class_name, principle_name, shares, table};
use super::phase1::{RoundPayoff, cause};
use crate::language::format::{amount, money};
use crate::language::words::Words;
use crate::principle::Principle;
use crate::procedures::justice::counterfactual::Alternative;

/// The way in which a participant's distribution was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The group agreed on a principle, with its amount in income dollars.
    Agreed(Principle, Option<u32>),
    /// No consensus; a distribution was drawn for this participant alone.
    OwnDistribution,
    /// No consensus; one distribution was drawn for all.
    GroupDistribution,
    /// No consensus; a principle was drawn for all, with its amount in income dollars.
    DrawnPrinciple(Principle, Option<u32>),
}

/// Result of phase 2 for a participant.
#[derive(Debug, Clone, Copy)]
pub struct Results<'a> {
    pub applied: Applied,
    pub paid: RoundPayoff<'a>,
}

/// Builds the notice about the results, for the participant's memory.
#[must_use]
pub fn results_notice(words: &Words, of: &Results<'_>) -> String {
    let paid = &of.paid;
    let number = paid.distribution + 1;
    let (applied, principle) = match of.applied {
        Applied::Agreed(principle, dollars) => {
            let agreed = choice(words, principle, dollars);
            (
                words.text("justice.results.agreed", &[("choice", &agreed)]),
                Some(agreed),
            )
        }
        Applied::OwnDistribution => (
            words.text(
                "justice.no_consensus.individual_distribution.result",
                &[("distribution", &number)],
            ),
            None,
        ),
        Applied::GroupDistribution => (
            words.text(
                "justice.no_consensus.group_distribution.result",
                &[("distribution", &number)],
            ),
            None,
        ),
        Applied::DrawnPrinciple(principle, dollars) => {
            let drawn = choice(words, principle, dollars);
            let text = words.text(
                "justice.no_consensus.random_principle.result",
                &[("principle", &drawn), ("distribution", &number)],
            );
            (text, Some(drawn))
        }
    };
    let cause = match principle {
        Some(chosen) => cause(words, &chosen, paid),
        None => words.text(
            "justice.results.cause_drawn",
            &[
                ("distribution", &number),
                ("class", &class_name(words, paid.class)),
                ("income", &amount(paid.income)),
                ("payoff", &money(paid.payoff)),
            ],
        ),
    };
    let prompt = ResultsText {
        applied,
        class: class_name(words, paid.class),
        table: table(words, paid.distributions, paid.probabilities),
        shares: shares(words, paid.probabilities),
        cause,
        sweep: sweep(words, paid.sweep),
        payoff: money(paid.payoff),
        bank: money(paid.bank),
    };
    prompt.results(words)
}

/// Lists the counterfactuals of the same class, grouped by principle, with a mark on every applied row.
#[must_use]
pub fn sweep(words: &Words, rows: &[Alternative]) -> String {
    let mut lines = Vec::with_capacity(rows.len() + 4);
    for principle in Principle::ALL {
        let mut of_principle = rows.iter().filter(|row| row.principle == principle).peekable();
        if of_principle.peek().is_some() {
            let name = principle_name(words, principle);
            lines.push(words.text("justice.result.sweep_group", &[("principle", &name)]));
        }
        lines.extend(of_principle.map(|row| sweep_row(words, row)));
    }
    lines.join("\n")
}

fn sweep_row(words: &Words, row: &Alternative) -> String {
    let key = match (row.principle, row.amount) {
        (Principle::FloorConstraint, Some(_)) => "justice.result.sweep_row_floor",
        (Principle::RangeConstraint, Some(_)) => "justice.result.sweep_row_range",
        _ => "justice.result.sweep_row",
    };
    let text = words.text(
        key,
        &[
            ("amount", &row.amount.map(amount).unwrap_or_default()),
            ("distribution", &(row.distribution + 1)),
            ("income", &amount(row.income)),
            ("payoff", &money(row.payoff)),
        ],
    );
    match row.chosen {
        true => words.text("justice.result.chosen", &[("row", &text)]),
        false => text,
    }
}
