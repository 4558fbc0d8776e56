//! A discussion as rows for statistics: outcome, participants and contributions.

use super::event::{Event, Metadata};
use super::seating::Role;
use crate::procedures::report::{
    About, Column, ColumnKind, ROLE, ROUNDS, ReportRows, ReportSource, Rows, UTTERANCE, UtteranceColumns,
    WARNINGS, decisions,
};
use serde_json::Value;

const fn text(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Text, meaning)
}

const fn count(name: &'static str, meaning: &'static str) -> About {
    About::new(name, ColumnKind::Integer, meaning)
}

struct RunColumns {
    topic: Value,
    result: Value,
    rounds: u32,
    contributions: usize,
    notes: usize,
}

const RUN: &[Column<RunColumns>] = &[
    text("topic", "what was discussed").from(|row| (&row.topic).into()),
    text("completed_by", "what ended it; empty while it goes on")
        .values("rounds last_word closed")
        .from(|row| (&row.result["completed_by"]).into()),
    ROUNDS.from(|row| row.rounds.into()),
    count("contributions", "contributions that say something").from(|row| row.contributions.into()),
    WARNINGS.from(|row| row.notes.into()),
];

#[derive(Default)]
struct SeatColumns {
    name: String,
    role: Option<Role>,
    contributions: usize,
    characters: usize,
    passed: usize,
    empty: usize,
    out_of_turn: usize,
}

const SEATS: &[Column<SeatColumns>] = &[
    ROLE.from(|row| row.role.map(Role::name).into()),
    count("contributions", "contributions that say something").from(|row| row.contributions.into()),
    count("contribution_characters", "their length together")
        .unit("Unicode scalar values")
        .from(|row| row.characters.into()),
    count("passed", "turns that were let go by").from(|row| row.passed.into()),
    count("empty", "turns that brought nothing that could be used").from(|row| row.empty.into()),
    count("out_of_turn", "contributions out of turn").from(|row| row.out_of_turn.into()),
];

/// Metadata of a contribution.
struct Contribution {
    role: Option<Role>,
    turn: u32,
    metadata: Metadata,
    about: String,
}

const CONTRIBUTION: &[Column<Contribution>] = &[
    ROLE.from(|row| row.role.map(Role::name).into()),
    count("turn", "place in the speaking order, from 0").from(|row| row.turn.into()),
    About::new(
        "out_of_turn",
        ColumnKind::Flag,
        "whether it was somebody else's turn",
    )
    .from(|row| row.metadata.out_of_turn.into()),
    text(
        "answered_as",
        "other participant in whose name the answer was written",
    )
    .from(|row| row.metadata.answered_as.clone().into()),
    text("raw", "the answer as it came, where something was cut off")
        .from(|row| row.metadata.raw.clone().into()),
    text("request_id", "id that the sender gave").from(|row| row.metadata.request_id.clone().into()),
    text("about", "what a note is about").from(|row| row.about.as_str().into()),
];

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let mut members: Vec<SeatColumns> = source.seated().into_iter().map(new_member).collect();
    let mut run = RunColumns {
        topic: source.head.config["topic"].clone(),
        result: source.result(),
        rounds: 0,
        contributions: 0,
        notes: 0,
    };
    let (mut utterances, mut contributions) = (Vec::new(), Vec::new());
    let mut private = Metadata::default();
    for placed in source.events::<Event>() {
        match &placed.event {
            Event::Seated { order } => {
                for place in order.iter().filter(|place| place.known) {
                    member(&mut members, &place.name).role = Some(place.role);
                }
            }
            Event::Said {
                speaker,
                role,
                turn,
                round,
                content,
                metadata,
                ..
            } => {
                let metadata = join_metadata(metadata, std::mem::take(&mut private));
                let speaker_columns = member(&mut members, speaker);
                speaker_columns.role = Some(*role);
                speaker_columns.passed += usize::from(metadata.passed);
                speaker_columns.empty += usize::from(metadata.empty);
                speaker_columns.out_of_turn += usize::from(metadata.out_of_turn);
                let missing = match (metadata.passed, metadata.empty) {
                    (true, _) => Some("passed"),
                    (_, true) => Some("empty"),
                    _ => None,
                };
                if missing.is_none() {
                    speaker_columns.contributions += 1;
                    speaker_columns.characters += content.chars().count();
                    run.contributions += 1;
                    run.rounds = *round;
                }
                utterances.push(UtteranceColumns {
                    ask: metadata.ask.clone(),
                    missing: missing.map(str::to_owned),
                    ..source.utterance("contribution", speaker, *round, content, &placed)
                });
                contributions.push(Contribution {
                    role: Some(*role),
                    turn: *turn,
                    metadata,
                    about: String::new(),
                });
            }
            Event::Noted {
                code,
                turn,
                round,
                about,
            } => {
                run.notes += 1;
                utterances.push(source.utterance("note", "", *round, code, &placed));
                contributions.push(Contribution {
                    role: None,
                    turn: *turn,
                    metadata: Metadata::default(),
                    about: about.clone(),
                });
            }
            Event::Came(metadata) => private = metadata.clone(),
            Event::Moved { .. } | Event::Completed { .. } => {}
        }
    }
    ReportRows {
        run: Rows::of(RUN, &[run]),
        seats: Rows::of(SEATS, &members),
        seated: members.into_iter().map(|member| member.name).collect(),
        decisions: decisions(),
        utterances: Rows::of(UTTERANCE, &utterances).beside(Rows::of(CONTRIBUTION, &contributions)),
    }
}

/// Joins the public metadata with the speaker's own.
fn join_metadata(metadata: &Metadata, own: Metadata) -> Metadata {
    let metadata = metadata.clone();
    Metadata {
        answered_as: metadata.answered_as.or(own.answered_as),
        raw: metadata.raw.or(own.raw),
        request_id: metadata.request_id.or(own.request_id),
        ask: metadata.ask.or(own.ask),
        out_of_turn: metadata.out_of_turn || own.out_of_turn,
        passed: metadata.passed || own.passed,
        empty: metadata.empty || own.empty,
    }
}

fn new_member(name: String) -> SeatColumns {
    SeatColumns {
        name,
        ..SeatColumns::default()
    }
}

/// Returns the participant of that name, added if not in the configuration.
fn member<'a>(members: &'a mut Vec<SeatColumns>, name: &str) -> &'a mut SeatColumns {
    let at = members
        .iter()
        .position(|member| member.name == name)
        .unwrap_or_else(|| {
            members.push(new_member(name.to_owned()));
            members.len() - 1
        });
    &mut members[at]
}
