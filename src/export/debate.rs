//! Report of a debate for people: outcome, participants, rounds, votes and the judge's points. Free text is escaped.
//! Prompts and raw answers are only in the JSON export.

use super::ExportError;
use super::escape::{inline, quote};
use super::markdown::Report;
use crate::core::record::{Entry, EntryKind};
use crate::procedures::debate;
use crate::procedures::debate::event::{Event, GatheredSource, View};
use crate::procedures::debate::rules::breaker::Circuit;
use crate::procedures::debate::settings;
use crate::procedures::debate::settings::Settings;
use crate::procedures::debate::settings::debaters::Role;
use crate::seat::SeatKind;
use serde_json::Value;
use std::rc::Rc;

/// Returns the report in the language of the debate.
pub(super) fn report(record: &[Rc<Entry>]) -> Result<String, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    let checked = settings::check(&head.config).map_err(|error| ExportError::Config(error.to_string()))?;
    let mut settings = checked.settings;
    let mut report = Report::new(
        [&debate::TEXTS, &debate::REPORT],
        settings.language,
        &settings.prompts,
    );
    let title = head.config["title"].as_str().unwrap_or_default().trim();
    let title = if title.is_empty() {
        report.label("report.untitled", &[])
    } else {
        inline(title)
    };
    report.heading(1, &title);
    let result = record.iter().rev().find_map(|entry| match &entry.what {
        EntryKind::Ended { result } => Some(result),
        _ => None,
    });
    write_outcome(&mut report, result);
    settings
        .debaters
        .retain(|debater| takes_part(record, &debater.seat.name, debater.role));
    write_simulated(&mut report, &settings);
    write_heading(&mut report, "report.question_title");
    report.block(&quote(&settings.question));
    if let Some(answer) = result.and_then(|result| result["final_answer"].as_str()) {
        write_heading(&mut report, "report.answer");
        report.block(&quote(answer));
    }
    write_participants(&mut report, &settings);
    for entry in record {
        if let EntryKind::Event { event, .. } = &entry.what
            && let Ok(event) = event.read()
        {
            write_event(&mut report, &event);
        }
    }
    super::costs::write(&mut report, record);
    write_heading(&mut report, "run");
    let columns = report.labels(&["field", "value"]);
    let rows = [
        ("session", head.session.clone()),
        ("engine", head.engine.clone()),
        ("seed", head.seed.to_string()),
        ("hash", head.config_hash.clone()),
    ];
    let mut rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(label, value)| vec![report.label(label, &[]), inline(value)])
        .collect();
    rows.extend(report.forms(record));
    report.table(&columns, &rows);
    Ok(report.finish())
}

/// Returns whether a seat takes part: if a team was selected, only its members and judges do.
fn takes_part(record: &[Rc<Entry>], name: &str, role: Role) -> bool {
    let team = record.iter().find_map(|entry| match &entry.what {
        EntryKind::Event { event, .. } => match event.read() {
            Ok(Event::TeamSelected { seats, .. }) => Some(seats),
            _ => None,
        },
        _ => None,
    });
    role == Role::Judge || team.is_none_or(|team| team.iter().any(|seat| seat == name))
}

fn write_heading(report: &mut Report, label: &str) {
    let label = report.label(label, &[]);
    report.heading(2, &label);
}

fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

fn write_outcome(report: &mut Report, result: Option<&Value>) {
    let text = match result {
        None => report.label("report.outcome.open", &[]),
        Some(result) => {
            let share = percent(result["confidence"].as_f64().unwrap_or(0.0));
            let round = result["rounds_used"].as_u64().unwrap_or(0);
            let name = result["winner"].as_str();
            let key = match (
                result["status"].as_str(),
                result["consensus_reached"] == true,
                name,
            ) {
                (Some("failed"), _, _) => "report.outcome.failed",
                (_, _, None) => "report.outcome.none",
                (Some("converged"), _, _) => "report.outcome.converged",
                _ if result["decided_by"] == "judge" => "report.outcome.judged",
                (_, true, _) => "report.outcome.reached",
                _ => "report.outcome.led",
            };
            let name = name.unwrap_or_default();
            report.label(key, &[("name", &name), ("percent", &share), ("round", &round)])
        }
    };
    report.block(&text);
}

fn write_simulated(report: &mut Report, settings: &Settings) {
    let seats = settings.debaters.iter().map(|debater| &debater.seat);
    let names: Vec<&str> = seats
        .filter(|seat| seat.kind == SeatKind::Scripted)
        .map(|seat| seat.name.as_str())
        .collect();
    if !names.is_empty() {
        let names = report.names(&names);
        let simulated = report.label("simulated", &[("names", &names)]);
        report.block(&format!("**{simulated}**"));
    }
}

fn write_participants(report: &mut Report, settings: &Settings) {
    write_heading(report, "participants");
    let columns = report.labels(&["participant", "report.role", "kind", "model"]);
    let rows: Vec<Vec<String>> = settings
        .debaters
        .iter()
        .map(|debater| {
            let role = match debater.role {
                Role::Proposer => "report.role.proposer",
                Role::Synthesizer => "report.role.synthesizer",
                Role::Critic => "report.role.critic",
                Role::Judge => "report.role.judge",
            };
            vec![
                inline(&debater.seat.name),
                report.label(role, &[]),
                report.label(&format!("kind.{}", debater.seat.kind.name()), &[]),
                inline(debater.seat.model.as_deref().unwrap_or_default()),
            ]
        })
        .collect();
    report.table(&columns, &rows);
}

/// Writes the numbered evidence and the failed sources.
fn write_sources(report: &mut Report, sources: &[GatheredSource]) {
    let mut lines = Vec::new();
    for source in sources {
        for item in &source.items {
            let title = if item.title.is_empty() {
                item.text.lines().next().unwrap_or_default()
            } else {
                &item.title
            };
            let mut line = format!("- \\[EVID-{}\\] {}", item.evidence, inline(title));
            if !item.tainted.is_empty() {
                let mark = report.label("report.tainted", &[]);
                line.push_str(&format!(" ({mark})"));
            }
            lines.push(line);
        }
        if let Some(note) = &source.note {
            let (name, reason) = (&source.kind, source.message.as_ref().unwrap_or(note));
            let values: [(&str, &dyn std::fmt::Display); 2] = [("name", name), ("reason", reason)];
            lines.push(format!("- {}", report.label("report.source_failed", &values)));
        }
    }
    if !lines.is_empty() {
        report.block(&lines.join("\n"));
    }
}

fn write_event(report: &mut Report, event: &Event) {
    match event {
        Event::RoundBegan { round, kind } => {
            let kind = report.plain(&format!("report.round.{kind}"));
            let title = report.label("report.round_title", &[("round", round), ("kind", &kind)]);
            report.heading(2, &title);
        }
        Event::TeamSelected { seats, .. } => {
            let names = report.names(seats);
            let text = report.label("report.team", &[("names", &names)]);
            report.block(&text);
        }
        Event::Gathered { sources } => write_sources(report, sources),
        // Proposals are reported where they were made, votes with their count.
        Event::Laid { .. } | Event::Voted { .. } => {}
        Event::Proposed {
            seat, version, text, ..
        } => {
            let who = report.label("report.proposed", &[("name", seat), ("version", version)]);
            report.block(&format!("**{who}**"));
            report.block(&quote(text));
        }
        Event::Criticised {
            seat,
            target,
            critique,
            ..
        } => {
            let severity = match critique.severity {
                Some(severity) => (severity.round() as u32).to_string(),
                None => report.plain("report.unrated"),
            };
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("name", seat), ("target", target), ("severity", &severity)];
            let who = report.label("report.criticised", &values);
            report.block(&format!("**{who}**"));
            let mut lines = Vec::new();
            for (label, texts) in [
                ("report.issue", &critique.issues),
                ("report.suggestion", &critique.suggestions),
            ] {
                let label = report.label(label, &[]);
                lines.extend(texts.iter().map(|text| format!("- {label}: {}", inline(text))));
            }
            report.block(&match critique.is_empty() {
                true => quote(&critique.reasoning),
                false => lines.join("\n"),
            });
        }
        Event::Compared(check) => {
            let (least, mean) = (percent(check.inter_agent.min), percent(check.inter_agent.mean));
            let text = report.label("report.likeness", &[("percent", &least), ("mean", &mean)]);
            report.block(&text);
        }
        Event::Challenged(challenge) => {
            let names = report.names(&challenge.targets);
            let text = report.label("report.challenged", &[("names", &names)]);
            report.block(&text);
        }
        Event::JudgeSelected { seat, .. } => {
            let text = report.label("report.judge_is", &[("name", seat)]);
            report.block(&text);
        }
        Event::Judged { points, .. } => {
            let columns = report.labels(&["participant", "report.points"]);
            let rows: Vec<Vec<String>> = points
                .iter()
                .map(|points| {
                    let score = tenths(points.score);
                    let shown = if points.given {
                        score
                    } else {
                        report.label("report.not_given", &[("score", &score)])
                    };
                    vec![inline(&points.proposer), shown]
                })
                .collect();
            report.table(&columns, &rows);
        }
        Event::Counted { decision, .. } => {
            let columns = report.labels(&["participant", "report.votes", "report.weight"]);
            let rows: Vec<Vec<String>> = decision
                .tally
                .rows
                .iter()
                .map(|row| vec![inline(&row.choice), row.votes.to_string(), tenths(row.weight)])
                .collect();
            report.table(&columns, &rows);
        }
        Event::SeatFailed { seat, .. } => {
            let text = report.label("report.failed", &[("name", seat)]);
            report.block(&text);
        }
        Event::EndedEarly { .. } => {
            let text = report.label("report.ended_early", &[]);
            report.block(&text);
        }
        Event::Ready { count, of, ends, .. } => {
            let text = report.label("report.ready", &[("count", count), ("of", of)]);
            write_check(report, text, *ends);
        }
        Event::Polled { answers, ends, .. } => {
            let stops = answers.iter().filter(|answer| answer.yes == Some(true)).count();
            let text = report.label("report.polled", &[("count", &stops), ("of", &answers.len())]);
            write_check(report, text, *ends);
        }
        Event::Settled { seat, said, ends, .. } => {
            let key = if said.conclusive {
                "report.settled"
            } else {
                "report.not_settled"
            };
            let text = report.label(key, &[("name", seat)]);
            write_check(report, text, *ends);
        }
        Event::Stable { stability, ends, .. } => {
            let text = report.label("report.stable", &[("percent", &percent(stability.score))]);
            write_check(report, text, *ends);
        }
        Event::Grouped { groups, .. } => {
            for group in groups {
                let names = report.names(&group.voters);
                let words = inline(&group.canonical);
                let text = match &group.choice {
                    Some(choice) => report.label(
                        "report.grouped",
                        &[("names", &names), ("words", &words), ("choice", choice)],
                    ),
                    None => report.label("report.not_grouped", &[("names", &names), ("words", &words)]),
                };
                report.block(&text);
            }
        }
        Event::Prepared(view) => write_agreement(report, "report.prepared", view),
        Event::Committed(view) => write_agreement(report, "report.committed", view),
        Event::Circuit { seat, state, .. } => {
            let key = match state {
                Circuit::Open => "report.rests",
                Circuit::HalfOpen => "report.tried",
                Circuit::Closed => "report.back",
            };
            let text = report.label(key, &[("name", seat)]);
            report.block(&text);
        }
        Event::Observed { .. } | Event::Novel { .. } => {}
    }
}

/// Writes the result of an end check, with a note if it ends the debate.
fn write_check(report: &mut Report, text: String, ends: bool) {
    let end = report.plain("report.ends");
    let text = if ends { format!("{text} {end}") } else { text };
    report.block(&text);
}

fn write_agreement(report: &mut Report, key: &str, view: &View) {
    let yes = view
        .answers
        .iter()
        .filter(|answer| answer.yes == Some(true))
        .count();
    let values: [(&str, &dyn std::fmt::Display); 4] = [
        ("name", &view.leader),
        ("count", &yes),
        ("of", &view.answers.len()),
        ("quorum", &view.quorum),
    ];
    let text = report.label(key, &values);
    report.block(&text);
}

/// Formats a number with one decimal, e.g. `7.5`.
fn tenths(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    format!("{}.{}", tenths / 10, (tenths % 10).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_rounded() {
        assert_eq!([7.0, 7.25, 0.04, 9.96].map(tenths), ["7.0", "7.3", "0.0", "10.0"]);
    }
}
