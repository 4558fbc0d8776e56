//! A trial as rows for statistics: outcome, jurors, all straw votes and ballot votes, reasons and speeches.

use super::asks;
use super::event::Event;
use super::rules::{Counts, Opinion, has_changed};
use crate::procedures::report::{
    Column, Decision, ROUNDS, ReportRows, ReportSource, Rows, Utterance, WARNINGS, columns, count, decisions,
    flag, text, utterances,
};
use serde_json::Value;

const OPINIONS: &str = "guilty not_guilty undecided";

struct Run<'a> {
    config: &'a Value,
    result: Value,
    rounds: u32,
    ballots: u32,
    /// Of the last ballot.
    counts: Option<Counts>,
    missing: usize,
}

/// The votes of a juror.
struct Seat(Vec<Option<Opinion>>);

/// What a juror voted.
struct Vote {
    opinion: Option<Opinion>,
    certainty: Option<u32>,
}

fn name(opinion: Option<Opinion>) -> Option<&'static str> {
    opinion.map(Opinion::name)
}

fn run_columns<'a>() -> Vec<Column<Run<'a>>> {
    columns!(row: Run,
        text("charge", "the question of the trial") => &row.config["charge"],
        text("verdict", "the verdict; hung: none was reached; empty while it goes on").values("guilty not_guilty hung") => &row.result["verdict"],
        count("votes_needed", "votes that a verdict needs") => &row.result["needed"],
        ROUNDS => row.rounds,
        count("ballots", "ballots that were held") => row.ballots,
        count("guilty", "votes for guilty in the last ballot") => row.counts.map(|counts| counts.guilty),
        count("not_guilty", "votes for not guilty in the last ballot") => row.counts.map(|counts| counts.not_guilty),
        count("changed", "jurors who were on both sides at some time") => &row.result["changed"],
        WARNINGS => row.missing,
    )
}

fn seat_columns() -> Vec<Column<Seat>> {
    columns!(row: Seat,
        text("first_opinion", "its first vote").values(OPINIONS) => name(row.0.iter().flatten().next().copied()),
        text("last_opinion", "its last vote").values(OPINIONS) => name(row.0.iter().flatten().last().copied()),
        flag("changed", "whether it was on both sides at some time") => has_changed(&row.0),
    )
}

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let events = source.events::<Event>();
    let (mut votes, mut texts) = (Vec::new(), Vec::new());
    let (mut rounds, mut ballots, mut counts) = (0, 0, None);
    for at in &events {
        match &at.event {
            Event::CaseOpened { .. }
            | Event::EvidenceShown { .. }
            | Event::StrawCounted { .. }
            | Event::BallotBegan { .. } => {}
            Event::DeliberationBegan { round } => rounds = *round,
            Event::BallotCounted {
                round,
                counts: counted,
            } => (ballots, counts) = (*round, Some(*counted)),
            Event::StrawVoted {
                round,
                seat,
                opinion,
                certainty,
                reason,
            } => {
                let answer = source.answer(at.place, seat, asks::STRAW_VOTE, 1, Some(*round));
                let (opinion, certainty) = (*opinion, *certainty);
                votes.push(answer.decision(asks::STRAW_VOTE, opinion.is_some(), Vote { opinion, certainty }));
                if !reason.is_empty() {
                    texts.push(answer.utterance("reason", reason, ()));
                }
            }
            Event::Balloted { round, seat, opinion } => {
                let answer = source.answer(at.place, seat, asks::BALLOT, 1, Some(*round));
                let (opinion, certainty) = (*opinion, None);
                votes.push(answer.decision(asks::BALLOT, opinion.is_some(), Vote { opinion, certainty }));
            }
            Event::Argued { round, seat, text } => {
                let answer = source.answer(at.place, seat, asks::SPEECH, 1, Some(*round));
                texts.push(Utterance {
                    missing: text.is_none().then(|| answer.missing()),
                    ..answer.utterance(asks::SPEECH, text.as_deref().unwrap_or_default(), ())
                });
            }
        }
    }
    let missing = votes.iter().filter(|row| !row.is_made).count()
        + texts.iter().filter(|row| row.missing.is_some()).count();
    let run = Run {
        config: &source.head.config,
        result: source.result(),
        rounds,
        ballots,
        counts,
        missing,
    };
    let seated = source.seated();
    let of_seat = |name: &String| {
        let own = votes.iter().filter(|row| row.seat == name);
        Seat(own.map(|row| row.value.opinion).collect())
    };
    let seats: Vec<Seat> = seated.iter().map(of_seat).collect();
    let vote = columns!(row: Decision<Vote>,
        text("opinion", "what the juror voted").values(OPINIONS) => name(row.value.opinion),
        count("certainty_percent", "how sure the juror was, 0 to 100") => row.value.certainty,
    );
    ReportRows {
        run: Rows::of(&run_columns(), &[run]),
        seats: Rows::of(&seat_columns(), &seats),
        seated,
        decisions: decisions(&votes, vote),
        utterances: utterances(&texts, Vec::new()),
    }
}
