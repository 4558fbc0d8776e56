//! Phase 1: rankings, worked examples, application rounds and their results.

use super::parts::{
    certainty_name, choice, class_name, described_principles, inline, lines, numbered_principles,
    principle_name, quoted, ranking, shares, table,
};
use super::results::sweep;
use super::{Application, Constraint, Examples, News, RankingText, RoundResultText, RoundWithoutChoice};
use crate::language::format::{amount, average, money};
use crate::language::words::Words;
use crate::principle::{Certainty, Principle, Ranking};
use crate::procedures::justice::counterfactual::Alternative;
use crate::procedures::justice::distribution::{Distribution, IncomeClass, Probabilities};
use crate::procedures::justice::event::Moment;

/// An example amount that is unlikely to be taken as advice.
const EXAMPLE_AMOUNT: u32 = 12_345;

/// Builds the prompt for a ranking at one of the four moments (the last belongs to the end of phase 2).
#[must_use]
pub fn ranking_prompt(words: &Words, moment: Moment) -> String {
    let prompt = RankingText {
        principles: described_principles(words),
    };
    match moment {
        Moment::Initial => prompt.initial_ranking(words),
        Moment::PostExplanation => prompt.post_explanation_ranking(words),
        Moment::AfterApplications => prompt.final_ranking(words),
        Moment::AfterResults => prompt.results_ranking(words),
    }
}

/// The pick of a principle in the worked examples.
#[derive(Debug, Clone, Copy)]
pub struct Pick {
    pub principle: Principle,
    /// In income dollars.
    pub amount: Option<u32>,
    /// Zero-based index of the distribution picked.
    pub distribution: usize,
    /// `false` if no distribution met the constraint and the fallback picked one.
    pub constraint_met: bool,
}

/// Builds the prompt for the worked examples: the table and the pick of each principle. `shares_vary`: each
/// following round has class shares of its own (original values).
#[must_use]
pub fn explanation_prompt(
    words: &Words,
    distributions: &[Distribution],
    probabilities: Option<&Probabilities>,
    picks: &[Pick],
    shares_vary: bool,
) -> String {
    let lines: Vec<String> = picks
        .iter()
        .filter_map(|pick| pick_line(words, pick, distributions.get(pick.distribution)?, probabilities))
        .collect();
    let prompt = Examples {
        table: table(words, distributions, probabilities),
        shares: shares(words, probabilities),
        picks: lines.join("\n"),
        varying: shares_vary,
    };
    prompt.explanation(words)
}

fn pick_line(
    words: &Words,
    pick: &Pick,
    picked: &Distribution,
    probabilities: Option<&Probabilities>,
) -> Option<String> {
    let key = match (pick.principle, pick.constraint_met) {
        (Principle::Floor, _) => "justice.explanation.pick_floor",
        (Principle::Average, _) => "justice.explanation.pick_average",
        (_, true) => "justice.explanation.pick_met",
        (Principle::FloorConstraint, false) => "justice.explanation.pick_floor_unmet",
        (Principle::RangeConstraint, false) => "justice.explanation.pick_range_unmet",
    };
    let range = u32::try_from(picked.range()).ok()?;
    Some(words.text(
        key,
        &[
            ("principle", &choice(words, pick.principle, pick.amount)),
            ("distribution", &(pick.distribution + 1)),
            ("floor", &amount(picked.floor())),
            ("average", &average(picked.mean(probabilities))),
            ("range", &amount(range)),
        ],
    ))
}

/// Builds the prompt for the choice of an application round.
#[must_use]
pub fn application_prompt(
    words: &Words,
    round: u32,
    rounds: u32,
    distributions: &[Distribution],
    probabilities: Option<&Probabilities>,
) -> String {
    let prompt = Application {
        round,
        rounds,
        table: table(words, distributions, probabilities),
        shares: shares(words, probabilities),
        principles: numbered_principles(words),
    };
    prompt.application(words)
}

/// Returns an example answer for each principle, all alike, so that none is suggested.
pub(super) fn choice_examples(words: &Words) -> String {
    let certainty = certainty_name(words, Some(Certainty::Sure));
    lines(Principle::ALL.map(|principle| {
        let key = match principle.needs_amount() {
            true => "justice.answer.published.example_amount",
            false => "justice.answer.published.example",
        };
        words.text(
            key,
            &[
                ("principle", &principle_name(words, principle)),
                ("amount", &amount(EXAMPLE_AMOUNT)),
                ("certainty", &certainty),
            ],
        )
    }))
}

/// Builds the prompt for the missing amount of principle 3 or 4.
#[must_use]
pub fn constraint_prompt(words: &Words, name: &str, principle: Principle) -> String {
    let prompt = Constraint {
        name: inline(name),
        principle: principle_name(words, principle),
    };
    match principle {
        Principle::RangeConstraint => prompt.constraint_range(words),
        _ => prompt.constraint_floor(words),
    }
}

/// Result of an application round.
#[derive(Debug, Clone, Copy)]
pub struct RoundResult<'a> {
    /// 1 to 4.
    pub round: u32,
    pub principle: Principle,
    /// In income dollars.
    pub amount: Option<u32>,
    pub paid: RoundPayoff<'a>,
}

/// Distributions and the pay under one of them.
#[derive(Debug, Clone, Copy)]
pub struct RoundPayoff<'a> {
    pub distributions: &'a [Distribution],
    pub probabilities: Option<&'a Probabilities>,
    /// Zero-based index of the applied distribution.
    pub distribution: usize,
    /// Always `true` without a constraint.
    pub constraint_met: bool,
    pub class: IncomeClass,
    /// In dollars.
    pub income: u32,
    /// In dollars.
    pub payoff: f64,
    /// Counterfactuals for the same class. Rows marked `chosen` were applied (none if a distribution was
    /// drawn).
    pub sweep: &'a [Alternative],
    /// Bank balance with this pay, in dollars.
    pub bank: f64,
}

/// Builds the notice about an application round, for the participant's memory.
#[must_use]
pub fn result_notice(words: &Words, of: &RoundResult<'_>) -> String {
    let chosen = choice(words, of.principle, of.amount);
    let paid = &of.paid;
    let prompt = RoundResultText {
        round: of.round,
        class: class_name(words, paid.class),
        table: table(words, paid.distributions, paid.probabilities),
        shares: shares(words, paid.probabilities),
        cause: cause(words, &chosen, paid),
        choice: chosen,
        sweep: sweep(words, paid.sweep),
        bank: money(paid.bank),
    };
    prompt.round_result(words)
}

/// Describes the steps from choice to pay in one sentence.
pub(super) fn cause(words: &Words, chosen: &str, paid: &RoundPayoff<'_>) -> String {
    let key = match paid.constraint_met {
        true => "justice.result.cause",
        false => "justice.result.cause_unmet",
    };
    words.text(
        key,
        &[
            ("choice", &chosen),
            ("distribution", &(paid.distribution + 1)),
            ("class", &class_name(words, paid.class)),
            ("income", &amount(paid.income)),
            ("payoff", &money(paid.payoff)),
        ],
    )
}

/// Builds the notice about an application round without a complete choice, which pays nothing.
#[must_use]
pub fn no_choice_notice(words: &Words, round: u32, bank: f64) -> String {
    let bank = money(bank);
    RoundWithoutChoice { round, bank }.round_without_choice(words)
}

/// Describes the recorded ranking for the participant's memory; `None` if missing.
#[must_use]
pub fn ranking_outcome(words: &Words, given: Option<&Ranking>) -> String {
    let Some(given) = given else {
        return words.text("justice.news.ranking_missing", &[]);
    };
    let certainty = certainty_name(words, given.certainty);
    let values: [(&str, &dyn std::fmt::Display); 2] =
        [("ranking", &ranking(words, given)), ("certainty", &certainty)];
    words.text("justice.news.ranking", &values)
}

/// States that the worked examples were seen, for the participant's memory.
#[must_use]
pub fn explanation_outcome(words: &Words) -> String {
    words.text("justice.news.explanation", &[])
}

/// Combines question, answer and outcome into the news for a memory update of phase 1.
#[must_use]
pub fn news(words: &Words, prompt: &str, answer: &str, outcome: &str) -> String {
    let prompt = News {
        prompt,
        answer: quoted(answer),
        outcome,
    };
    prompt.news(words)
}
