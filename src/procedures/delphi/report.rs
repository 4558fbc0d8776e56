//! A Delphi poll as rows for statistics: outcome, participants, and all estimates with their reasons.

use super::asks;
use super::event::Event;
use super::rules::{Spread, distance};
use crate::procedures::report::{
    Column, Decision, ROUNDS, ReportRows, ReportSource, Rows, Utterance, WARNINGS, columns, count, decisions,
    number, text, utterances,
};
use serde_json::Value;

const UNIT: &str = "the unit of the question";

struct Run<'a> {
    config: &'a Value,
    result: Value,
    /// The last round that was reported.
    rounds: u32,
    spread: Option<Spread>,
    first_spread: Option<Spread>,
    missing: usize,
}

impl Run<'_> {
    /// Returns how far the median of a round is from the true value.
    fn distance(&self, spread: Option<Spread>) -> Option<f64> {
        Some(distance(spread?.median, self.config["true_value"].as_f64()?))
    }
}

/// The estimates of a participant.
struct Seat(Vec<f64>);

fn run_columns<'a>() -> Vec<Column<Run<'a>>> {
    columns!(row: Run,
        text("question", "what was estimated") => &row.config["question"],
        text("unit", "unit of the estimates") => &row.config["unit"],
        text("ended_by", "what ended it; empty while it goes on").values("close_enough rounds") => &row.result["ended_by"],
        ROUNDS => row.rounds,
        count("estimates", "estimates in the last round that was reported") => row.spread.map(|spread| spread.count),
        number("median", "median of that round").unit(UNIT) => row.spread.map(|spread| spread.median),
        number("lower_quartile", "a quarter of that round lies below (type 7)").unit(UNIT) => row.spread.map(|spread| spread.lower),
        number("upper_quartile", "a quarter of that round lies above (type 7)").unit(UNIT) => row.spread.map(|spread| spread.upper),
        number("true_value", "the true value, if one is configured").unit(UNIT) => row.config["true_value"].as_f64(),
        text("true_value_source", "where it comes from") => row.config["true_value_source"].as_str(),
        number("first_distance", "how far the median of the first round is from it").unit(UNIT) => row.distance(row.first_spread),
        number("last_distance", "how far the median of the last round is from it").unit(UNIT) => row.distance(row.spread),
        WARNINGS => row.missing,
    )
}

fn seat_columns() -> Vec<Column<Seat>> {
    columns!(row: Seat,
        number("first_estimate", "its first estimate").unit(UNIT) => row.0.first().copied(),
        number("last_estimate", "its last estimate").unit(UNIT) => row.0.last().copied(),
        count("estimates", "rounds in which it gave one") => row.0.len(),
    )
}

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let events = source.events::<Event>();
    let (mut estimates, mut reasons) = (Vec::new(), Vec::new());
    let (mut rounds, mut spread, mut first_spread) = (0, None, None);
    for at in &events {
        match &at.event {
            Event::RoundBegan { .. } => {}
            Event::Reported {
                round, spread: found, ..
            } => {
                (rounds, spread) = (*round, *found);
                first_spread = if *round == 1 { *found } else { first_spread };
            }
            Event::Estimated {
                round,
                seat,
                estimate,
                reason,
            } => {
                let answer = source.answer(at.place, seat, asks::ESTIMATE, 1, Some(*round));
                let decision = answer.decision("estimate", estimate.is_some(), *estimate);
                reasons.push(Utterance {
                    missing: decision.missing(),
                    ..answer.utterance("reason", reason, ())
                });
                estimates.push(decision);
            }
        }
    }
    let run = Run {
        config: &source.head.config,
        result: source.result(),
        rounds,
        spread,
        first_spread,
        missing: estimates.iter().filter(|row| !row.is_made).count(),
    };
    let seated = source.seated();
    let of_seat = |name: &String| {
        let own = estimates.iter().filter(|row| row.seat == name);
        Seat(own.filter_map(|row| row.value).collect())
    };
    let seats: Vec<Seat> = seated.iter().map(of_seat).collect();
    let estimate =
        columns!(row: Decision<Option<f64>>, number("estimate", "the estimate").unit(UNIT) => row.value);
    ReportRows {
        run: Rows::of(&run_columns(), &[run]),
        seats: Rows::of(&seat_columns(), &seats),
        seated,
        decisions: decisions(&estimates, estimate),
        utterances: utterances(&reasons, Vec::new()),
    }
}
