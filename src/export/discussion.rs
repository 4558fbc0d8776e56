//! The section of a report about phase 2: statements and votes by round, in the order of the record.

use super::escape::{inline, quote};
use super::markdown::Report;
use super::run::Run;
use crate::procedures::justice::event::{BallotVote, Event, Validation, VoteStatus};

/// Notices to the group that repeat other parts of the report.
const REPEATED: [&str; 4] = [
    "confirmations",
    "consensus",
    "no_consensus",
    "statement_unavailable",
];

/// Writes the section, or nothing before the discussion.
pub(super) fn write(report: &mut Report, run: &Run) {
    if let Some(line) = manipulator(report, run) {
        report.heading(2, &report.label("manipulator", &[]));
        report.block(&line);
    }
    let has_begun = run.events().any(|event| matches!(event, Event::Ordered { .. }));
    if !has_begun {
        return;
    }
    report.heading(2, &report.label("discussion", &[]));
    for event in run.events() {
        write_event(report, run, event);
    }
}

fn manipulator(report: &Report, run: &Run) -> Option<String> {
    run.events().find_map(|event| match event {
        Event::TargetSet {
            seat, target, note, ..
        } => {
            let line = match target {
                Some(target) => report.label(
                    "manipulator.target",
                    &[("name", seat), ("principle", &report.principle(*target))],
                ),
                None => report.label("manipulator.none", &[("name", seat)]),
            };
            let note = note
                .as_deref()
                .map_or(String::new(), |note| format!(" {}", inline(note)));
            Some(line + &note)
        }
        _ => None,
    })
}

fn write_event(report: &mut Report, run: &Run, event: &Event) {
    match event {
        Event::Ordered { round, seats } => {
            report.heading(3, &report.label("round_number", &[("round", round)]));
            report.block(&report.label("order", &[("names", &report.names(seats))]));
        }
        Event::Spoke {
            seat,
            validation: Validation::Skipped,
            ..
        } => {
            report.block(&report.label("silent", &[("name", seat)]));
        }
        Event::Spoke {
            seat,
            round,
            text,
            validation,
            ..
        } => {
            let mut notes = Vec::new();
            if let Some(principle) = run.favored(seat, *round) {
                notes.push(report.label("favors", &[("principle", &report.principle(principle))]));
            }
            if *validation == Validation::BestEffort {
                notes.push(report.label("best_effort", &[]));
            }
            let notes = if notes.is_empty() {
                String::new()
            } else {
                format!(" ({})", notes.join("; "))
            };
            report.block(&format!("**{}**{notes}", inline(seat)));
            report.block(quote(text).trim_end());
        }
        // Other events contain the same with more detail.
        Event::Announced { notice, .. } if REPEATED.contains(&notice.as_str()) => {}
        Event::Announced { text, .. } => report.block(&quoted_notice(text)),
        Event::Initiation { seat, answer, .. } => {
            let key = match answer {
                Some(true) => "initiation.yes",
                Some(false) => "initiation.no",
                None => "initiation.unread",
            };
            report.block(&report.label(key, &[("name", seat)]));
        }
        Event::Confirmation { confirmed: true, .. } => report.block(&report.label("confirmation.yes", &[])),
        Event::Confirmation { answers, .. } => {
            let against: Vec<&str> = answers
                .iter()
                .filter(|(_, takes_part)| !takes_part)
                .map(|(seat, _)| seat.as_str())
                .collect();
            report.block(&report.label("confirmation.no", &[("names", &report.names(&against))]));
        }
        Event::Counted {
            round,
            agreed,
            amount,
            disagreement,
            ..
        } => {
            report.heading(4, &report.label("ballot", &[]));
            let votes = run.votes(*round);
            let rows: Vec<_> = votes.iter().map(|vote| ballot_row(report, vote)).collect();
            report.table(&report.labels(&["participant", "vote", "status"]), &rows);
            let outcome = match agreed {
                Some(principle) => report.label(
                    "ballot.agreed",
                    &[("choice", &report.choice(*principle, *amount))],
                ),
                None => report.label(
                    "ballot.failed",
                    &[("reason", &reason(report, disagreement.as_deref()))],
                ),
            };
            report.block(&outcome);
        }
        _ => {}
    }
}

/// Formats the lines of a notice, one paragraph each.
fn quoted_notice(text: &str) -> String {
    let lines = text.lines().map(inline).filter(|line| !line.is_empty());
    lines
        .map(|line| format!("*{line}*"))
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn ballot_row(report: &Report, vote: &BallotVote) -> Vec<String> {
    let status = match vote.status {
        VoteStatus::Valid => "status.valid",
        VoteStatus::Invalid => "status.invalid",
        VoteStatus::Timeout => "status.timeout",
    };
    let choice = vote.principle.map_or("—".to_owned(), |principle| {
        inline(&report.choice(principle, vote.amount))
    });
    vec![inline(&vote.seat), choice, report.label(status, &[])]
}

/// Returns the localized kind of a disagreement, not escaped. The table has the details.
fn reason(report: &Report, disagreement: Option<&str>) -> String {
    match disagreement.unwrap_or("voting_failed") {
        kind @ ("principle_disagreement" | "constraint_disagreement" | "voting_failed") => {
            report.plain(&format!("reason.{kind}"))
        }
        code => code.to_owned(),
    }
}
