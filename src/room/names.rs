//! What guests may know of those at their table: what each is called, and which are programs.

use super::state::Table;
use super::{Room, words};
use crate::core::view::naming::{Holder, Names};
use crate::procedures::names;
use crate::seat::SeatKind;
use serde_json::{Value, json};

impl Room {
    /// Returns the programs that sit at every table.
    pub(super) fn programs(&self) -> Value {
        self.plan.programs.clone().into()
    }

    /// Returns the names of everybody who ever had a seat of a guest at a table: what a seat's guests are called, and
    /// what its program is called while it stands in for one of them.
    #[must_use]
    pub fn seat_names(&self, table: usize) -> Names {
        let one = &self.state.tables[table];
        let seated = self.state.guests.iter().enumerate().filter_map(|(index, guest)| {
            let (_, seat) = guest.place.as_ref().filter(|(at, _)| *at == table)?;
            Some((
                index,
                seat.as_str(),
                guest.name.as_deref().filter(|name| !name.is_empty()),
            ))
        });
        let seated: Vec<_> = seated.collect();
        let chosen: Vec<(&str, &str)> = seated
            .iter()
            .filter_map(|(_, seat, name)| Some((*seat, (*name)?)))
            .collect();
        let mut shown = names::distinguish(&chosen, &seats(one)).into_iter();
        let words = words(self.plan.language);
        let holder = |(index, seat, name): (usize, &str, Option<&str>)| {
            let chosen = name.and_then(|_| shown.next());
            let person = chosen.map_or_else(|| seat.to_owned(), |(_, name)| name);
            let program = words.text("stands_in", &[("name", &person)]);
            let guest = index as u32 + 1;
            (
                seat.to_owned(),
                Holder {
                    guest,
                    person,
                    program,
                },
            )
        };
        seated.into_iter().map(holder).collect()
    }

    /// Returns everybody at a started table, in the order of the table.
    pub(super) fn participants(&self, table: usize) -> Value {
        let one = &self.state.tables[table];
        let names = self.seat_names(table);
        let participant = |seat: &str| {
            let chair = one.seats.iter().find(|chair| chair.name == seat);
            if let Some(chair) = chair {
                let guest = chair.guest.map_or(0, |guest| guest as u32 + 1);
                let name = names.of(seat, guest, chair.stands_in.is_some());
                let kind = match chair.stands_in {
                    Some(_) => SeatKind::Scripted,
                    None => SeatKind::Human,
                };
                let mut participant = json!({ "seat": seat, "name": name, "kind": kind });
                if chair.stands_in.is_some() {
                    participant["standsIn"] = true.into();
                }
                return participant;
            }
            let program = self.plan.programs.iter().find(|program| program["name"] == seat);
            let mut participant = program.map_or_else(|| json!({ "kind": SeatKind::Scripted }), Value::clone);
            participant["seat"] = seat.into();
            participant["name"] = seat.into();
            participant
        };
        seats(one).into_iter().map(participant).collect()
    }
}

/// Returns the names of all participants of a started table.
fn seats(table: &Table) -> Vec<&str> {
    let agents = table.config["agents"].as_array().into_iter().flatten();
    agents.filter_map(|agent| agent["name"].as_str()).collect()
}
