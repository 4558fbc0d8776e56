//! Report of a discussion for people. Free text is escaped. Prompts and raw answers are only in the JSON export.

use super::ExportError;
use super::escape::{inline, quote};
use super::markdown::Report;
use crate::core::record::{Entry, EntryKind};
use crate::language::format::timestamp as iso;
use crate::procedures::discussion;
use crate::procedures::discussion::event::Event;
use crate::procedures::discussion::prompts;
use crate::procedures::discussion::seating::Role;
use crate::procedures::discussion::settings;
use crate::procedures::discussion::status::log;
use crate::seat::SeatKind;
use std::rc::Rc;

/// Returns the report in the language of the discussion.
pub(super) fn report(record: &[Rc<Entry>]) -> Result<String, ExportError> {
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(ExportError::NoHead);
    };
    let checked = settings::check(&head.config).map_err(|error| ExportError::Config(error.to_string()))?;
    let settings = checked.settings;
    let language = settings.language;
    let mut report = Report::new(
        [&discussion::TEXTS, &discussion::REPORT],
        language,
        &settings.prompts,
    );
    let title = match settings.title.trim() {
        "" => report.label("talk.untitled", &[]),
        title => inline(title),
    };
    report.heading(1, &title);
    let outcome = outcome(&report, record, settings.rounds);
    report.block(&outcome);
    let simulated: Vec<&str> = settings
        .seating
        .seats
        .iter()
        .filter(|seat| seat.kind == SeatKind::Scripted)
        .map(|seat| seat.name.as_str())
        .collect();
    if !simulated.is_empty() {
        let names = report.names(&simulated);
        let simulated = report.label("simulated", &[("names", &names)]);
        report.block(&format!("**{simulated}**"));
    }
    if !settings.topic.is_empty() {
        let topic = report.label("talk.topic", &[]);
        report.heading(2, &topic);
        report.block(&inline(&settings.topic));
    }
    if !settings.rules.is_empty() {
        let rules = report.label("talk.rules", &[]);
        report.heading(2, &rules);
        let rules: Vec<String> = settings
            .rules
            .iter()
            .map(|rule| format!("- {}", inline(rule)))
            .collect();
        report.block(&rules.join("\n"));
    }
    let heading = report.label("participants", &[]);
    report.heading(2, &heading);
    let columns = report.labels(&["participant", "talk.role", "kind", "model"]);
    let row = |participant: &crate::procedures::discussion::seating::Participant| {
        let kind = participant
            .seat
            .as_ref()
            .map(|seat| format!("kind.{}", seat.kind.name()));
        let model = participant.seat.as_ref().and_then(|seat| seat.model.as_deref());
        vec![
            inline(&participant.name),
            role(&report, participant.role),
            kind.map_or_else(String::new, |kind| report.label(&kind, &[])),
            inline(model.unwrap_or_default()),
        ]
    };
    let rows: Vec<Vec<String>> = settings.seating.order.iter().map(row).collect();
    report.table(&columns, &rows);
    write_entries(&mut report, record);
    super::costs::write(&mut report, record);
    Ok(report.finish())
}

fn role(report: &Report, role: Role) -> String {
    inline(&prompts::role(report.words(), role))
}

fn outcome(report: &Report, record: &[Rc<Entry>], limit: u32) -> String {
    let result = record.iter().rev().find_map(|entry| match &entry.what {
        EntryKind::Ended { result } => Some(result),
        _ => None,
    });
    let Some(result) = result else {
        return report.label("talk.outcome.open", &[]);
    };
    let rounds = result["rounds"].as_u64().unwrap_or(0);
    let key = match result["completed_by"].as_str() {
        Some("last_word") => "talk.outcome.last_word",
        Some("closed") => "talk.outcome.closed",
        _ => "talk.outcome.rounds",
    };
    report.label(key, &[("rounds", &rounds), ("limit", &limit)])
}

fn write_entries(report: &mut Report, record: &[Rc<Entry>]) {
    let mut current_round = 0;
    for (entry, event) in log(record) {
        let (Event::Said { round, .. } | Event::Noted { round, .. }) = event else {
            continue;
        };
        if round != current_round {
            current_round = round;
            let heading = report.label("talk.round", &[("round", &round)]);
            report.heading(2, &heading);
        }
        match event {
            Event::Said {
                speaker,
                role: speaker_role,
                content,
                metadata,
                ..
            } => {
                if metadata.passed || metadata.empty {
                    let key = if metadata.passed {
                        "talk.passed"
                    } else {
                        "talk.empty"
                    };
                    let line = report.label(key, &[("name", &speaker)]);
                    report.block(&format!("*{line}*"));
                    continue;
                }
                let role = prompts::role(report.words(), speaker_role);
                let mut line = report.label(
                    "talk.spoke",
                    &[("name", &speaker), ("role", &role), ("at", &iso(entry.at))],
                );
                if metadata.out_of_turn {
                    line += &format!(" · {}", report.label("talk.out_of_turn", &[]));
                }
                if let Some(other) = &metadata.answered_as {
                    line += &format!(" · {}", report.label("talk.answered_as", &[("name", other)]));
                }
                report.block(&format!("**{line}**"));
                report.block(quote(&content).trim_end());
            }
            Event::Noted { code, about, .. } => {
                let note = inline(&prompts::note(report.words(), &code, &about));
                report.block(&format!("*{note}*"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::HOSTILE;
    use super::*;
    use crate::core::Input;
    use crate::core::record::Command;
    use crate::procedures;
    use serde_json::json;

    /// Returns a discussion in which all hostile texts are said out of turn.
    fn record(language: &str) -> Vec<Rc<Entry>> {
        let config = json!({
            "protocol": "discussion", "language": language, "topic": "a *b* <c>", "rules": ["# no"],
            "agents": [{ "name": "Mara", "role": "manager" }, { "name": "Ana", "kind": "human" }],
        });
        let (mut session, _) = procedures::begin(&config, "s-1", 0).unwrap();
        for (text, at) in HOSTILE.iter().zip(1..) {
            let (seat, text) = ("Ana".to_owned(), (*text).to_owned());
            let request_id = None;
            let say = Command::Say {
                seat,
                text,
                request_id,
            };
            let _ = session.handle(at, Input::Command(say));
        }
        let _ = session.handle(99, Input::Command(Command::Close));
        session.record()
    }

    #[test]
    fn reports_are_localized_and_escaped() {
        for (language, outcome) in [
            ("English", "The discussion was closed in round 1 of 3."),
            ("Spanish", "El debate se cerró en la ronda 1 de 3."),
            ("Mandarin", "讨论在第1轮（共3轮）被结束。"),
        ] {
            let text = report(&record(language)).unwrap();
            assert!(text.contains(outcome), "{text}");
            assert!(
                text.contains("a \\*b\\* &lt;c&gt;") && text.contains("- \\# no"),
                "{text}"
            );
            assert!(!text.contains('<') && !text.contains('\0') && !text.contains("```"));
        }
    }
}
