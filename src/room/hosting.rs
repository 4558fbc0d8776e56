//! The host's view of a room, and host commands.

use super::state::{Guest, Notice, StandInReason, Table};
use super::{HostCommand, MAX_NOTICE, MAX_NOTICES, Room};
use crate::core::ask::Millis;
use crate::people::GuestEnd;
use crate::study::plan::{Cell, Run, is_of};
use serde_json::{Map, Value, json};

impl Room {
    pub(super) fn handle_host_command(&mut self, at: Millis, command: &HostCommand) -> bool {
        let index = |guest: u32| {
            (guest as usize)
                .checked_sub(1)
                .filter(|index| *index < self.state.guests.len())
        };
        match command {
            HostCommand::Start => return self.start_tables(at),
            HostCommand::Deal { guest, table, seat } => {
                let (guest, table) = (index(*guest), table.checked_sub(1));
                return guest
                    .zip(table)
                    .is_some_and(|(guest, table)| self.assign_seat(at, guest, table, seat));
            }
            HostCommand::StandIn { table, seat } => {
                let table = table.checked_sub(1);
                return table.is_some_and(|table| self.stand_in(at, table, seat, StandInReason::Host));
            }
            HostCommand::TakeBack { table, seat } => {
                let one = table
                    .checked_sub(1)
                    .and_then(|table| self.state.tables.get_mut(table));
                let guest = one.and_then(|table| table.chair(seat, None)?.guest);
                let Some(guest) = guest else { return false };
                self.take_seat_back(
                    at,
                    guest,
                    &[StandInReason::Host, StandInReason::Away, StandInReason::Late],
                );
            }
            HostCommand::Extend { seconds, table } => return self.extend(at, *seconds, *table),
            HostCommand::Skip { table } => return self.skip(*table),
            HostCommand::Tell { text } => return self.tell(at, text),
            HostCommand::Remind { guest } => {
                let Some(index) = index(*guest) else { return false };
                self.send_reminder(index);
            }
            HostCommand::Remove { guest } => {
                let Some(index) = index(*guest) else { return false };
                self.end_guest(at, index, GuestEnd::Dropped);
            }
            HostCommand::Admit { guest } => {
                let Some(index) = index(*guest) else { return false };
                self.state.guests[index].cut = None;
                self.devices[index].count = 0;
                self.mark_changed();
                // The device waits for it.
                self.greet(at, index, 0);
            }
            HostCommand::Clear => {
                for index in 0..self.state.guests.len() {
                    if self.state.guests[index].place.is_none() {
                        self.end_guest(at, index, GuestEnd::Dropped);
                    }
                }
            }
            HostCommand::Close => {
                self.state.is_closed = true;
                self.mark_changed();
                for index in 0..self.state.guests.len() {
                    let is_through = self.stage(index) == "after";
                    self.end_guest(
                        at,
                        index,
                        if is_through {
                            GuestEnd::Complete
                        } else {
                            GuestEnd::Trouble
                        },
                    );
                }
            }
            HostCommand::Forget => {
                let over = self.state.guests.iter_mut().filter(|guest| guest.way.is_some());
                over.for_each(Guest::forget);
                self.mark_changed();
            }
        }
        true
    }

    /// Shows all guests a message. Returns `false` if it is empty.
    fn tell(&mut self, at: Millis, text: &str) -> bool {
        let text: String = text.trim().chars().take(MAX_NOTICE).collect();
        if text.is_empty() {
            return false;
        }
        let notices = &mut self.state.notices;
        notices.push(Notice { at, text });
        let earlier = notices.len().saturating_sub(MAX_NOTICES);
        notices.drain(..earlier);
        self.mark_changed();
        (0..self.state.guests.len()).for_each(|index| self.request_view(at, index));
        true
    }

    /// Builds the view for the host's console.
    #[must_use]
    pub fn view(&self) -> Value {
        let guest = |index: usize| {
            let (guest, device) = (&self.state.guests[index], &self.devices[index]);
            let place = guest.place.as_ref();
            json!({
                "number": index + 1, "pseudonym": guest.pseudonym, "name": guest.name, "stage": self.stage(index),
                "here": !device.is_away, "elsewhere": device.is_elsewhere, "heard": device.last, "table": place.map(|(table, _)| table + 1),
                "seat": place.map(|(_, seat)| seat), "way": guest.way, "earned": guest.earned, "cut": guest.cut,
            })
        };
        let table = |number: usize| {
            let (table, session) = (&self.state.tables[number], &self.sessions[number]);
            let names = self.seat_names(number);
            let mut answered = session.status.step.clone();
            answered.retain(|(seat, _)| table.seats.iter().any(|chair| chair.name == *seat));
            let done = answered.iter().filter(|(_, is_done)| *is_done).count();
            let seats = table.seats.iter().map(|chair| {
                let guest = chair.guest.map_or(0, |index| index as u32 + 1);
                let name = names.of(&chair.name, guest, chair.stands_in.is_some());
                let open = session.status.open.iter().filter(|open| open.seat == chair.name);
                let asks = open.map(|open| json!({ "ask": open.id, "since": open.since, "deadline": self.deadline_of(number, open).map(|deadline| deadline.at) }));
                json!({
                    "seat": chair.name, "name": name, "guest": chair.guest.map(|index| index + 1), "standsIn": chair.stands_in,
                    "awaited": asks.collect::<Value>(),
                })
            });
            json!({
                "number": number + 1, "begun": table.is_begun, "over": table.is_over, "state": session.status.state,
                "seats": seats.collect::<Value>(), "answered": { "done": done, "of": answered.len() }, "about": session.status.about,
                "run": table.run.as_ref().map(|run| json!({ "id": run.id, "cell": run.cell, "left": table.left, "void": self.is_void(table) })),
            })
        };
        json!({
            "id": self.state.id, "title": self.plan.title, "language": self.plan.language, "closed": self.state.is_closed,
            "people": self.plan.people(), "mostTables": self.state.tables.len() + self.tables_left(), "seats": self.plan.seats,
            "waiting": self.waiting().len(), "study": self.study(),
            "guests": (0..self.state.guests.len()).map(guest).collect::<Value>(),
            "tables": (0..self.state.tables.len()).map(table).collect::<Value>(),
        })
    }

    /// Returns how far the host's part of the study is, for the host's console.
    fn study(&self) -> Value {
        let Some((study, shard)) = self.tables.study() else {
            return Value::Null;
        };
        let cell = |cell: &Cell| {
            let is_earlier = |run: &Run| {
                let mut earlier = self.state.earlier.iter();
                *run.cell == *cell.name && earlier.any(|table| table.counts && is_of(&run.id, &table.id))
            };
            let earlier = match self.state.earlier.is_empty() {
                true => 0,
                false => study.runs().filter(is_earlier).count(),
            };
            let is_its = |table: &&Table| table.run.as_ref().is_some_and(|run| run.cell == cell.name);
            let tables: Vec<&Table> = self.state.tables.iter().filter(is_its).collect();
            let count = |is_void: bool| {
                tables
                    .iter()
                    .filter(|table| self.is_void(table) == is_void)
                    .count()
            };
            let ended = tables
                .iter()
                .filter(|table| table.is_over && !self.is_void(table))
                .count();
            json!({ "name": cell.name, "tables": earlier + count(false), "ended": earlier + ended, "void": count(true) })
        };
        let cells = study.cells.iter().map(cell);
        json!({
            "id": study.id(), "shard": shard, "tables": self.tables.most, "leavers": self.tables.leavers(), "cells": cells.collect::<Value>(),
        })
    }

    /// Returns personal data, which is in no record.
    #[must_use]
    pub fn names(&self) -> Value {
        let one = |(index, guest): (usize, &Guest)| {
            let place = guest.place.as_ref();
            json!({
                "number": index + 1, "pseudonym": guest.pseudonym, "name": guest.name, "language": guest.language,
                "table": place.map(|(table, _)| table + 1), "seat": place.map(|(_, seat)| seat), "params": guest.params,
                "answers": guest.answers, "tries": guest.tries, "end": self.end_details(index),
            })
        };
        self.state.guests.iter().enumerate().map(one).collect()
    }

    /// Returns the started tables, from 1, the configurations of their sessions, and the ids of those of a study, for a
    /// reloaded host.
    #[must_use]
    pub fn begun(&self) -> Vec<(usize, &Value, Option<&str>)> {
        let tables = self.state.tables.iter().enumerate();
        tables
            .filter(|(_, table)| table.is_begun)
            .map(|(index, table)| {
                let id = table.run.as_ref().map(|run| run.id.as_str());
                (index + 1, &table.config, id)
            })
            .collect()
    }
}

impl Guest {
    fn forget(&mut self) {
        self.params = Map::new();
        self.answers = Map::new();
        self.name = self.name.take().map(|_| String::new());
    }
}
