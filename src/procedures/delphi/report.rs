//! A Delphi poll as rows for statistics: outcome, participants, and all estimates with their reasons.

use super::asks;
use super::event::Event;
use super::rules::Spread;
use crate::procedures::report::{
    About, Column, ColumnKind, DECISION, DecisionColumns, ROUNDS, ReportRows, ReportSource, Rows, UTTERANCE,
    UtteranceColumns, WARNINGS,
};
use serde_json::Value;

const fn number(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Number, meaning).unit("the unit of the question")
}

const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

#[derive(Default)]
struct RunColumns {
    question: Value,
    unit: Value,
    ended_by: Value,
    rounds: u32,
    spread: Option<Spread>,
    missing: usize,
}

const RUN: &[Column<RunColumns>] = &[
    About::new("question", ColumnKind::Text, "what was estimated").from(|row| (&row.question).into()),
    About::new("unit", ColumnKind::Text, "unit of the estimates").from(|row| (&row.unit).into()),
    About::new(
        "ended_by",
        ColumnKind::Text,
        "what ended it; empty while it goes on",
    )
    .values("close_enough rounds")
    .from(|row| (&row.ended_by).into()),
    ROUNDS.from(|row| row.rounds.into()),
    count("estimates", "estimates in the last round that was reported")
        .from(|row| row.spread.map(|spread| spread.count).into()),
    number("median", "median of that round").from(|row| row.spread.map(|spread| spread.median).into()),
    number("lower_quartile", "a quarter of that round lies below (type 7)")
        .from(|row| row.spread.map(|spread| spread.lower).into()),
    number("upper_quartile", "a quarter of that round lies above (type 7)")
        .from(|row| row.spread.map(|spread| spread.upper).into()),
    WARNINGS.from(|row| row.missing.into()),
];

#[derive(Default)]
struct SeatColumns {
    first: Option<f64>,
    last: Option<f64>,
    given: usize,
}

const SEATS: &[Column<SeatColumns>] = &[
    number("first_estimate", "its first estimate").from(|row| row.first.into()),
    number("last_estimate", "its last estimate").from(|row| row.last.into()),
    count("estimates", "rounds in which it gave one").from(|row| row.given.into()),
];

struct DecisionRow {
    estimate: Option<f64>,
}

const DECIDED: &[Column<DecisionRow>] = &[number("estimate", "the estimate").from(|row| row.estimate.into())];

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let seated = source.seated();
    let config = &source.head.config;
    let mut run = RunColumns {
        question: config["question"].clone(),
        unit: config["unit"].clone(),
        ended_by: source.result()["ended_by"].clone(),
        ..RunColumns::default()
    };
    let mut members: Vec<SeatColumns> = seated.iter().map(|_| SeatColumns::default()).collect();
    let (mut decision_columns, mut decision_rows, mut utterances): (
        Vec<DecisionColumns>,
        Vec<DecisionRow>,
        Vec<UtteranceColumns>,
    ) = Default::default();
    for placed in source.events::<Event>() {
        match &placed.event {
            Event::RoundBegan { .. } => {}
            Event::Reported { round, spread, .. } => (run.rounds, run.spread) = (*round, *spread),
            Event::Estimated {
                round,
                seat,
                estimate,
                reason,
            } => {
                let asked = source.asks.last(seat, asks::ESTIMATE, Some(*round), placed.seq);
                let one = source.decision(
                    "estimate",
                    seat,
                    (1, Some(*round)),
                    &placed,
                    asked,
                    estimate.is_some(),
                );
                utterances.push(UtteranceColumns {
                    ask: one.ask().map(str::to_owned),
                    missing: one.missing().map(str::to_owned),
                    ..source.utterance("reason", seat, *round, reason, &placed)
                });
                decision_columns.push(one);
                decision_rows.push(DecisionRow { estimate: *estimate });
                run.missing += usize::from(estimate.is_none());
                let place = seated.iter().position(|name| name == seat);
                if let Some(member) = place.and_then(|place| members.get_mut(place))
                    && estimate.is_some()
                {
                    member.first = member.first.or(*estimate);
                    member.last = *estimate;
                    member.given += 1;
                }
            }
        }
    }
    ReportRows {
        run: Rows::of(RUN, &[run]),
        seats: Rows::of(SEATS, &members),
        seated,
        decisions: Rows::of(DECISION, &decision_columns).beside(Rows::of(DECIDED, &decision_rows)),
        utterances: Rows::of(UTTERANCE, &utterances),
    }
}
