//! A discussion as rows for statistics: outcome, participants and contributions.

use super::event::{Event, Metadata};
use super::seating::Role;
use crate::procedures::report::{
    CHARACTERS, Column, ROLE, ROUNDS, ReportRows, ReportSource, Rows, Utterance, WARNINGS, columns, count,
    decisions, flag, text, utterances,
};
use serde_json::Value;

struct Run<'a> {
    config: &'a Value,
    result: Value,
    utterances: &'a [Utterance<'a, Words<'a>>],
}

/// A participant with its turns.
struct Seat<'a> {
    role: Option<Role>,
    turns: Vec<&'a Utterance<'a, Words<'a>>>,
}

/// What belongs to a contribution or note.
#[derive(Default)]
struct Words<'a> {
    role: Option<Role>,
    turn: u32,
    /// The public part, then the speaker's own.
    metadata: Vec<&'a Metadata>,
    about: &'a str,
}

impl<'a> Words<'a> {
    fn has(&self, is_set: impl Fn(&Metadata) -> bool) -> bool {
        self.metadata.iter().any(|part| is_set(part))
    }

    fn text(&self, field: impl Fn(&'a Metadata) -> Option<&'a String>) -> Option<&'a str> {
        self.metadata
            .iter()
            .find_map(|part| field(part))
            .map(String::as_str)
    }
}

impl<'a> Run<'a> {
    fn contributions(&self) -> impl DoubleEndedIterator<Item = &'a Utterance<'a, Words<'a>>> {
        self.utterances.iter().filter(|row| says_something(row))
    }
}

impl Seat<'_> {
    fn count(&self, is_counted: impl Fn(&Metadata) -> bool) -> usize {
        self.turns.iter().filter(|row| row.value.has(&is_counted)).count()
    }
}

fn says_something(row: &Utterance<Words>) -> bool {
    row.kind == "contribution" && row.missing.is_none()
}

fn run_columns<'a>() -> Vec<Column<Run<'a>>> {
    columns!(row: Run,
        text("topic", "what was discussed") => &row.config["topic"],
        text("completed_by", "what ended it; empty while it goes on").values("rounds last_word closed time") => &row.result["completed_by"],
        ROUNDS => row.contributions().next_back().map_or(Some(0), |last| last.round),
        count("contributions", "contributions that say something") => row.contributions().count(),
        WARNINGS => row.utterances.iter().filter(|row| row.kind == "note").count(),
    )
}

fn seat_columns<'a>() -> Vec<Column<Seat<'a>>> {
    columns!(row: Seat,
        ROLE => row.role.map(Role::name),
        count("contributions", "contributions that say something") => row.turns.iter().filter(|row| says_something(row)).count(),
        count("contribution_characters", "their length together").unit(CHARACTERS)
            => row.turns.iter().filter(|row| says_something(row)).map(|row| row.text.chars().count()).sum::<usize>(),
        count("passed", "turns that were let go by") => row.count(|turn| turn.passed),
        count("empty", "turns that brought nothing that could be used") => row.count(|turn| turn.empty),
        count("out_of_turn", "contributions out of turn") => row.count(|turn| turn.out_of_turn),
    )
}

fn utterance_columns<'a>() -> Vec<Column<Utterance<'a, Words<'a>>>> {
    columns!(row: Utterance<Words>,
        ROLE => row.value.role.map(Role::name),
        count("turn", "place in the speaking order, from 0") => row.value.turn,
        flag("out_of_turn", "whether it was somebody else's turn") => row.value.has(|turn| turn.out_of_turn),
        text("answered_as", "other participant in whose name the answer was written") => row.value.text(|turn| turn.answered_as.as_ref()),
        text("raw", "the answer as it came, where something was cut off") => row.value.text(|turn| turn.raw.as_ref()),
        text("request_id", "id that the sender gave") => row.value.text(|turn| turn.request_id.as_ref()),
        text("about", "what a note is about") => row.value.about,
    )
}

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let events = source.events::<Event>();
    let mut roles: Vec<(String, Option<Role>)> =
        source.seated().into_iter().map(|name| (name, None)).collect();
    let mut rows = Vec::new();
    let mut private = None;
    for at in &events {
        match &at.event {
            Event::Seated { order } => {
                for place in order.iter().filter(|place| place.known) {
                    set_role(&mut roles, &place.name, place.role);
                }
            }
            Event::Came(metadata) => private = Some(metadata),
            Event::Said {
                speaker,
                role,
                turn,
                round,
                content,
                metadata,
                ..
            } => {
                set_role(&mut roles, speaker, *role);
                let value = Words {
                    role: Some(*role),
                    turn: *turn,
                    metadata: [metadata].into_iter().chain(private.take()).collect(),
                    about: "",
                };
                let missing = match (value.has(|turn| turn.passed), value.has(|turn| turn.empty)) {
                    (true, _) => Some("passed"),
                    (_, true) => Some("empty"),
                    _ => None,
                };
                rows.push(Utterance {
                    place: at.place,
                    kind: "contribution",
                    seat: speaker,
                    round: Some(*round),
                    text: content,
                    ask: value.text(|turn| turn.ask.as_ref()),
                    missing: missing.map(str::to_owned),
                    value,
                });
            }
            Event::Noted {
                code,
                turn,
                round,
                about,
            } => rows.push(Utterance {
                place: at.place,
                kind: "note",
                seat: "",
                round: Some(*round),
                text: code,
                ask: None,
                missing: None,
                value: Words {
                    turn: *turn,
                    about,
                    ..Words::default()
                },
            }),
            Event::Opened { .. } | Event::Moved { .. } | Event::Completed { .. } => {}
        }
    }
    let run = Run {
        config: &source.head.config,
        result: source.result(),
        utterances: &rows,
    };
    let of_seat = |(name, role): &(String, Option<Role>)| Seat {
        role: *role,
        turns: rows
            .iter()
            .filter(|row| row.kind == "contribution" && row.seat == name)
            .collect(),
    };
    let seats: Vec<Seat> = roles.iter().map(of_seat).collect();
    ReportRows {
        run: Rows::of(&run_columns(), &[run]),
        seats: Rows::of(&seat_columns(), &seats),
        seated: roles.iter().map(|(name, _)| name.clone()).collect(),
        decisions: decisions::<()>(&[], Vec::new()),
        utterances: utterances(&rows, utterance_columns()),
    }
}

/// Sets the role of a participant, who is added if not in the configuration.
fn set_role(roles: &mut Vec<(String, Option<Role>)>, name: &str, role: Role) {
    match roles.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = Some(role),
        None => roles.push((name.to_owned(), Some(role))),
    }
}
