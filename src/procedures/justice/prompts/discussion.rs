//! Phase 2 before a vote: private reasoning, statements, and the public history.

use super::parts::{choice, inline, names, principle_name, quoted, ranking};
use super::voting::{failure, rule};
use super::{ReasoningText, Statement, StatementAgain, StatementCompat};
use crate::language::format::{amount, money};
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::consensus::ConsensusRule;
use crate::procedures::justice::context::Experience;
use crate::procedures::justice::settings::NoConsensus;

/// A participant's own results of phase 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnResults<'a> {
    pub initial: Option<&'a Ranking>,
    /// After the examples.
    pub post_explanation: Option<&'a Ranking>,
    /// After the application rounds.
    pub after_applications: Option<&'a Ranking>,
    pub applications: &'a [Experience],
    /// In dollars; `None` if not shown.
    pub earnings: Option<f64>,
}

/// A turn to speak.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    pub name: &'a str,
    /// From 1.
    pub round: u32,
    /// Maximum number of rounds.
    pub rounds: u32,
    /// In configuration order.
    pub participants: &'a [String],
    pub own: OwnResults<'a>,
    /// The public history as returned by [`history`].
    pub history: &'a str,
    /// Round and outcome code of the last failed vote (see [`failure`]).
    pub last_vote: Option<(u32, &'a str)>,
    /// Whether all may write at any time.
    pub is_open: bool,
}

/// Builds the prompt for a statement, with own results, history and instructions.
#[must_use]
pub fn statement_prompt(words: &Words, of: &Turn<'_>) -> String {
    let consensus = match of.last_vote {
        None => words.text("justice.discussion.no_consensus_yet", &[]),
        Some((round, outcome)) => {
            let outcome = failure(words, outcome);
            words.text(
                "justice.discussion.last_vote",
                &[("round", &round), ("outcome", &outcome)],
            )
        }
    };
    let prompt = Statement {
        name: inline(of.name),
        round: of.round,
        rounds: of.rounds,
        members: names(words, of.participants),
        own: own_results(words, &of.own),
        history: of.history,
        consensus,
        open: of.is_open,
    };
    prompt.statement(words)
}

/// Builds the one-line prompt of the published program; results and history are in the system text.
#[must_use]
pub fn statement_prompt_compat(words: &Words, name: &str, round: u32, rounds: u32) -> String {
    let prompt = StatementCompat {
        name: inline(name),
        round,
        rounds,
    };
    prompt.statement_compat(words)
}

fn own_results(words: &Words, of: &OwnResults<'_>) -> String {
    let mut lines = Vec::new();
    for (key, given) in [
        ("justice.discussion.own_initial", of.initial),
        ("justice.discussion.own_post_explanation", of.post_explanation),
        ("justice.discussion.own_final", of.after_applications),
    ] {
        if let Some(given) = given {
            lines.push(words.text(key, &[("ranking", &ranking(words, given))]));
        }
    }
    lines.extend(of.applications.iter().map(|round| experience(words, round)));
    if let Some(earnings) = of.earnings {
        lines.push(words.text(
            "justice.discussion.own_earnings",
            &[("earnings", &money(earnings))],
        ));
    }
    if lines.is_empty() {
        lines.push(words.text("justice.discussion.own_none", &[]));
    }
    lines.join("\n")
}

fn experience(words: &Words, of: &Experience) -> String {
    let (Some(principle), Some(income)) = (of.principle, of.income) else {
        return words.text("justice.discussion.own_round_missing", &[("round", &of.round)]);
    };
    words.text(
        "justice.discussion.own_round",
        &[
            ("round", &of.round),
            ("choice", &choice(words, principle, of.amount)),
            ("income", &amount(income)),
        ],
    )
}

/// A request for private reasoning: detailed in round 1, short afterwards.
#[derive(Debug, Clone, Copy)]
pub struct Reasoning<'a> {
    pub name: &'a str,
    /// From 1.
    pub round: u32,
    /// Maximum number of rounds.
    pub rounds: u32,
    /// Rule for incomes without a consensus.
    pub no_consensus: NoConsensus,
    pub agreement: ConsensusRule,
    /// Target of a manipulator; repeated in round 1.
    pub target: Option<Principle>,
}

/// Builds the prompt for private reasoning before a statement. The history is in the system text.
#[must_use]
pub fn reasoning_prompt(words: &Words, of: &Reasoning<'_>) -> String {
    let is_first = of.round <= 1;
    let target = of.target.filter(|_| is_first);
    let prompt = ReasoningText {
        name: inline(of.name),
        round: of.round,
        rounds: of.rounds,
        no_consensus: no_consensus_rule(words, of.no_consensus),
        rule: rule(words, of.agreement),
        target: target.map(|target| principle_name(words, target)),
    };
    match is_first {
        true => prompt.reasoning_long(words),
        false => prompt.reasoning_short(words),
    }
}

/// Returns the rule for incomes without a consensus, as stated before a vote.
#[must_use]
pub fn no_consensus_rule(words: &Words, rule: NoConsensus) -> String {
    let key = match rule {
        NoConsensus::IndividualDistribution => "justice.no_consensus.individual_distribution.rule",
        NoConsensus::GroupDistribution => "justice.no_consensus.group_distribution.rule",
        NoConsensus::RandomPrinciple => "justice.no_consensus.random_principle.rule",
    };
    words.text(key, &[])
}

/// A rejected statement.
#[derive(Debug, Clone, Copy)]
pub struct StatementRetry<'a> {
    /// The failed attempt, from 1.
    pub attempt: u32,
    /// Maximum number of attempts.
    pub attempts: u32,
    /// `empty_response`, `too_short` or `minimal_content`.
    pub reason: &'a str,
    /// Characters of the statement.
    pub length: usize,
    /// Minimum number of characters.
    pub minimum: u32,
    /// The original prompt, which is repeated.
    pub prompt: &'a str,
}

/// Builds the retry prompt for a statement.
#[must_use]
pub fn statement_retry(words: &Words, of: &StatementRetry<'_>) -> String {
    let key = match of.reason {
        "empty_response" => "justice.problem.empty_response",
        "too_short" => "justice.problem.too_short",
        _ => "justice.problem.minimal_content",
    };
    let problem = words.text(key, &[("length", &of.length), ("minimum", &of.minimum)]);
    let prompt = StatementAgain {
        attempt: of.attempt,
        attempts: of.attempts,
        problem,
        prompt: of.prompt,
    };
    prompt.statement_retry(words)
}

/// Returns the public notice about a missing statement.
#[must_use]
pub fn statement_unavailable(words: &Words, name: &str) -> String {
    words.text("justice.history.unavailable", &[("name", &inline(name))])
}

/// Returns the public notice when two rounds remain.
#[must_use]
pub fn countdown(words: &Words, remaining: u32) -> String {
    words.text("justice.history.countdown", &[("remaining", &remaining)])
}

/// Formats a statement as an entry of the history; `text` is already cut.
#[must_use]
pub fn history_statement(words: &Words, round: u32, speaker: &str, text: &str) -> String {
    words.text(
        "justice.history.statement",
        &[
            ("round", &round),
            ("name", &inline(speaker)),
            ("text", &quoted(text)),
        ],
    )
}

/// Formats a notice of the lab as an entry of the history; a single line stays a single line.
#[must_use]
pub fn history_notice(words: &Words, round: u32, text: &str) -> String {
    words.text("justice.history.notice", &[("round", &round), ("text", &text)])
}

/// Joins entries, oldest first, into the history; states if there are none.
#[must_use]
pub fn history<S: AsRef<str>>(words: &Words, entries: &[S]) -> String {
    if entries.is_empty() {
        return words.text("justice.history.empty", &[]);
    }
    let entries: Vec<&str> = entries.iter().map(AsRef::as_ref).collect();
    entries.join("\n\n")
}
