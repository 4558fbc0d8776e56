//! The schedule of a debate: a list of rounds.

use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::spec::declare::{SettingObject, SettingValue, choices, settings};
use crate::procedures::spec::{SettingKind, flag, maybe_one_of, whole};
use serde_json::Value;

choices! {
    /// Named schedules.
    pub enum NamedSchedule {
        NineRounds = "nine_rounds",
        Classic = "classic",
    }
}

/// A name, or a list of rounds.
pub(super) const SCHEDULE: SettingKind = SettingKind::Either {
    of: &[
        SettingKind::OneOf {
            words: NamedSchedule::WORDS,
            also: &[],
            any_case: false,
        },
        SettingKind::List {
            of: &GivenRound::KIND,
            most: 1_000,
        },
    ],
};

settings! {
    /// A round of an own schedule.
    pub struct GivenRound(round) {
        kind: RoundKind = maybe_one_of(RoundKind::WORDS).required();
        /// `None`: its place in the list.
        number: Option<u32> = whole(0, 1_000);
        /// `None`: only revisions.
        converge: Option<bool> = flag(false);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Several steps may have the same number.
    pub number: u32,
    pub kind: RoundKind,
    /// Whether the proposals are compared at its end.
    pub converge: bool,
}

choices! {
    pub enum RoundKind {
        /// Gathers material.
        Context = "context",
        Propose = "propose",
        Critique = "critique",
        /// Revises proposals after critiques.
        Revise = "revise",
        /// Refines proposals in the light of the whole debate.
        Refine = "refine",
        Vote = "vote",
        /// Scores, ranking and synthesis by the judge.
        Judge = "judge",
    }
}

/// Reads `nine_rounds`, `classic`, or a list of rounds.
pub(super) fn schedule(top: &ConfigReader) -> Vec<Round> {
    if top.maybe_one_of("schedule", NamedSchedule::ALL) == Some(NamedSchedule::Classic) {
        return classic();
    }
    if !top.value("schedule").is_some_and(Value::is_array) {
        return nine_rounds();
    }
    let round = |(place, given): (u32, GivenRound)| Round {
        number: given.number.unwrap_or(place),
        kind: given.kind,
        converge: given.converge.unwrap_or(given.kind == RoundKind::Revise),
    };
    let given: Vec<GivenRound> = SettingValue::read(top, "schedule");
    let rounds: Vec<Round> = (0..).zip(given).map(round).collect();
    if !rounds.iter().any(|round| round.kind == RoundKind::Propose) {
        top.fault("schedule", "no_proposals", vec![]);
    }
    rounds
}

/// Returns the nine rounds of the seed: context, proposals, critiques, three revisions with convergence
/// checks, refinement, votes, judge.
#[must_use]
pub fn nine_rounds() -> Vec<Round> {
    use RoundKind::{Context, Critique, Judge, Propose, Refine, Revise, Vote};
    let kinds = [
        Context, Propose, Critique, Revise, Revise, Revise, Refine, Vote, Judge,
    ];
    let round = |(number, kind)| Round {
        number,
        kind,
        converge: kind == Revise,
    };
    (0..).zip(kinds).map(round).collect()
}

/// Returns the loop of the published program: critique and revision in each of nine rounds, the seventh a
/// refinement; from the third on, proposals are compared with those of the previous round.
#[must_use]
fn classic() -> Vec<Round> {
    use RoundKind::{Context, Critique, Judge, Propose, Refine, Revise, Vote};
    let step = |number, kind| Round {
        number,
        kind,
        converge: false,
    };
    let mut schedule = vec![step(0, Context), step(0, Propose)];
    for number in 1..=9 {
        if number == 7 {
            schedule.push(step(number, Refine));
            continue;
        }
        schedule.push(step(number, Critique));
        schedule.push(Round {
            converge: number > 2,
            ..step(number, Revise)
        });
    }
    schedule.extend([step(10, Vote), step(10, Judge)]);
    schedule
}
