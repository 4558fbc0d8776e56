//! Seat assignment and the start of tables.

use super::plan::MAX_TABLES;
use super::state::{AssignedRun, Chair, StandInReason, Table, TableSession};
use super::{Effect, Room, words};
use crate::core::ask::Millis;
use crate::core::random::Random;
use crate::core::record::{Command, Presence};
use crate::people::{SeatAssignment, Start};
use crate::seat::SeatKind;
use crate::study::plan::{Run, is_of, table_id};
use serde_json::Value;

impl Room {
    /// Returns the pseudonym of a guest in records.
    pub(super) fn pseudonym(&self, index: usize) -> String {
        let words = words(self.plan.language);
        let taken = &self.plan.taken;
        let names = words.raw("pseudonyms").split_whitespace();
        let mut names: Vec<&str> = names
            .filter(|name| !taken.iter().any(|taken| taken == name))
            .collect();
        Random::new(self.tables.seed).shuffle(&mut names);
        let count = names.len().max(1);
        let name = names.get(index % count).copied().unwrap_or_default();
        match index / count {
            0 => name.to_owned(),
            turn => words.text("another", &[("name", &name), ("number", &(turn + 1))]),
        }
    }

    /// Returns the guests who wait for a table and are here, by arrival.
    pub(super) fn waiting(&self) -> Vec<usize> {
        let guests = self.state.guests.iter().enumerate();
        let here = guests.filter(|(index, _)| !self.devices[*index].is_away);
        let waiting = here.filter_map(|(index, guest)| Some((guest.waits?, index)));
        let mut waiting: Vec<(Millis, usize)> = waiting.collect();
        waiting.sort();
        waiting.into_iter().map(|(_, index)| index).collect()
    }

    /// Starts tables that are full, if the plan starts them automatically.
    pub(super) fn start_when_full(&mut self, at: Millis) {
        if self.plan.start != Start::Full {
            return;
        }
        let (people, left) = (self.plan.people(), self.tables_left());
        match self.plan.deal {
            SeatAssignment::Arrival => {
                let waiting = self.waiting();
                for members in waiting.chunks_exact(people).take(left) {
                    self.seat_all(at, members);
                }
            }
            SeatAssignment::Random if self.waiting().len() >= people * left && left > 0 => {
                self.start_tables(at);
            }
            SeatAssignment::Random => {}
            SeatAssignment::Hand => {
                for table in 0..self.state.tables.len() {
                    let one = &self.state.tables[table];
                    let is_here = |guest: usize| !self.devices[guest].is_away;
                    if !one.is_begun && one.seats.iter().all(|chair| chair.guest.is_some_and(is_here)) {
                        self.begin_table(at, table);
                    }
                }
            }
        }
    }

    /// Returns how many more tables may be added. A void table of a study is held again.
    pub(super) fn tables_left(&self) -> usize {
        let tables = &self.state.tables;
        let earlier = self.state.earlier.iter().filter(|table| table.counts).count();
        let valid = tables.iter().filter(|table| !self.is_void(table)).count();
        let most = (MAX_TABLES as usize).saturating_sub(tables.len());
        self.tables.most.saturating_sub(earlier + valid).min(most)
    }

    /// Returns whether more guests left a table of a study than the study allows.
    pub(super) fn is_void(&self, table: &Table) -> bool {
        self.tables.leavers().is_some_and(|leavers| table.left > leavers)
    }

    /// Returns whether all tables of a study have been held, so that no guest is needed any more.
    pub(super) fn is_complete(&self) -> bool {
        let mut valid = self.state.tables.iter().filter(|table| !self.is_void(table));
        self.tables.study().is_some() && self.tables_left() == 0 && valid.all(|table| table.is_over)
    }

    /// Seats waiting guests and starts their tables. Returns `false` if there are too few for a table.
    pub(super) fn start_tables(&mut self, at: Millis) -> bool {
        let (people, least) = (self.plan.people(), self.plan.least);
        if self.plan.deal == SeatAssignment::Hand {
            let has_enough = |table: &Table| {
                let seated = table.seats.iter().filter(|chair| chair.guest.is_some()).count();
                !table.is_begun && seated >= if self.plan.fill { least } else { people }
            };
            let tables = 0..self.state.tables.len();
            let tables: Vec<usize> = tables
                .filter(|table| has_enough(&self.state.tables[*table]))
                .collect();
            tables.iter().for_each(|table| self.begin_table(at, *table));
            return !tables.is_empty();
        }
        let mut waiting = self.waiting();
        if self.plan.deal == SeatAssignment::Random {
            let seed = self.tables.seed.wrapping_add(self.state.tables.len() as u32);
            Random::new(seed).shuffle(&mut waiting);
        }
        let wanted = match self.plan.fill {
            true => waiting.len().div_ceil(people),
            false => waiting.len() / people,
        };
        let mut tables = wanted.min(self.tables_left());
        while tables > 0 && waiting.len().min(tables * people) / tables < least {
            tables -= 1;
        }
        waiting.truncate(tables * people);
        for table in 0..tables {
            // Distributed evenly: the remainder goes to the first tables.
            let (size, more) = (waiting.len() / (tables - table), waiting.len() % (tables - table));
            let members: Vec<usize> = waiting.drain(..size + usize::from(more > 0)).collect();
            self.seat_all(at, &members);
        }
        tables > 0
    }

    fn seat_all(&mut self, at: Millis, members: &[usize]) {
        let table = self.add_table();
        for (chair, guest) in members.iter().enumerate() {
            self.seat_guest(table, chair, *guest);
        }
        self.begin_table(at, table);
    }

    fn add_table(&mut self) -> usize {
        let chair = |name: String| Chair {
            name,
            guest: None,
            stands_in: None,
        };
        self.state.tables.push(Table {
            seats: self.plan.seats.iter().cloned().map(chair).collect(),
            config: Value::Null,
            is_begun: false,
            is_over: false,
            run: None,
            left: 0,
        });
        self.sessions.push(TableSession::default());
        self.mark_changed();
        self.state.tables.len() - 1
    }

    fn seat_guest(&mut self, table: usize, chair: usize, guest: usize) {
        let chair = &mut self.state.tables[table].seats[chair];
        chair.guest = Some(guest);
        self.state.guests[guest].place = Some((table, chair.name.clone()));
        self.state.guests[guest].waits = None;
        self.mark_changed();
    }

    /// Assigns a seat by hand: at a table that has not started, or one that a simulated participant took
    /// over. Returns `false` if the seat or guest is not available.
    pub(super) fn assign_seat(&mut self, at: Millis, guest: usize, table: usize, seat: &str) -> bool {
        let is_waiting = self
            .state
            .guests
            .get(guest)
            .is_some_and(|guest| guest.waits.is_some());
        if !is_waiting || table > self.state.tables.len() {
            return false;
        }
        if table == self.state.tables.len() {
            if self.tables_left() == 0 || !self.plan.seats.iter().any(|name| name == seat) {
                return false;
            }
            self.add_table();
        }
        let one = &mut self.state.tables[table];
        let is_free = |chair: &Chair| match one.is_begun {
            true => chair.stands_in == Some(StandInReason::Left),
            false => chair.guest.is_none(),
        };
        let Some(place) = one
            .seats
            .iter()
            .position(|chair| chair.name == seat && is_free(chair))
        else {
            return false;
        };
        if one.is_over {
            return false;
        }
        let is_begun = one.is_begun;
        one.seats[place].stands_in = None;
        self.seat_guest(table, place, guest);
        if is_begun {
            let seat = seat.to_owned();
            self.send_command(table, Command::TakeBack { seat });
            self.note_presence(guest, Presence::Seated);
            self.request_views(at, table);
        } else {
            self.start_when_full(at);
        }
        true
    }

    /// Returns the first run of the study that no valid table is, with its configuration; `None` without a study.
    fn assign_run(&self) -> Option<(Value, AssignedRun)> {
        let own = self.state.tables.iter().filter_map(|table| {
            let run = table.run.as_ref()?;
            Some((run.id.as_str(), !self.is_void(table)))
        });
        let earlier = self
            .state
            .earlier
            .iter()
            .map(|table| (table.id.as_str(), table.counts));
        let held: Vec<(&str, bool)> = own.chain(earlier).collect();
        let is_taken = |run: &Run| held.iter().any(|(id, counts)| *counts && is_of(&run.id, id));
        let run = self.tables.next_run(is_taken)?;
        let attempt = 1 + held.iter().filter(|(id, _)| is_of(&run.id, id)).count();
        let assigned = AssignedRun {
            cell: run.cell.to_string(),
            id: table_id(&run.id, attempt),
        };
        Some((run.config, assigned))
    }

    /// Starts the session of a table: its guests get their pseudonyms, empty seats are simulated.
    fn begin_table(&mut self, at: Millis, table: usize) {
        let name = |chair: &Chair| Some(self.state.guests[chair.guest?].pseudonym.clone());
        let names: Vec<Option<String>> = self.state.tables[table].seats.iter().map(name).collect();
        let (config, run) = match self.assign_run() {
            Some((config, run)) => (config, Some(run)),
            None => (self.tables.config(table), None),
        };
        let config = self.plan.seated(&config, &names, SeatKind::Scripted);
        let id = run.as_ref().map(|run| run.id.clone());
        let one = &mut self.state.tables[table];
        one.is_begun = true;
        one.run = run;
        one.config.clone_from(&config);
        one.seats.retain(|chair| chair.guest.is_some());
        for (chair, name) in one.seats.iter_mut().zip(names.into_iter().flatten()) {
            chair.name = name;
        }
        let guests: Vec<usize> = one.seats.iter().filter_map(|chair| chair.guest).collect();
        self.effects.push(Effect::Open {
            table: table + 1,
            config,
            id,
        });
        self.mark_changed();
        for guest in guests {
            let seat = self.state.guests[guest].pseudonym.clone();
            self.state.guests[guest].place = Some((table, seat));
            self.note_presence(guest, Presence::Seated);
            self.request_view(at, guest);
        }
        self.lobby_changed(at);
    }

    /// Gives a seat back to its guest if a simulated participant stands in for one of these reasons.
    pub(super) fn take_seat_back(&mut self, at: Millis, index: usize, why: &[StandInReason]) {
        let Some((table, seat)) = self.state.guests[index].place.clone() else {
            return;
        };
        let Some(chair) = self.state.tables[table].chair(&seat, Some(index)) else {
            return;
        };
        if chair.stands_in.is_none_or(|stands_in| !why.contains(&stands_in)) {
            return;
        }
        chair.stands_in = None;
        self.mark_changed();
        self.send_command(table, Command::TakeBack { seat });
        self.request_views(at, table);
    }

    pub(super) fn stand_in(&mut self, at: Millis, table: usize, seat: &str, why: StandInReason) -> bool {
        let is_running = |table: &&mut Table| table.is_begun && !table.is_over;
        let chair = self.state.tables.get_mut(table).filter(is_running);
        let Some(chair) = chair.and_then(|table| table.chair(seat, None)) else {
            return false;
        };
        let before = chair.stands_in.replace(why);
        self.mark_changed();
        if before.is_none() {
            let seat = seat.to_owned();
            self.send_command(table, Command::StandIn { seat });
        }
        self.request_views(at, table);
        true
    }
}

impl Table {
    /// Finds a chair by name and, if given, by guest.
    pub(super) fn chair(&mut self, name: &str, guest: Option<usize>) -> Option<&mut Chair> {
        let is_it = |chair: &&mut Chair| chair.name == name && (guest.is_none() || chair.guest == guest);
        self.seats.iter_mut().find(is_it)
    }

    pub(super) fn has_stand_in(&self, name: &str) -> bool {
        self.seats
            .iter()
            .any(|chair| chair.name == name && chair.stands_in.is_some())
    }
}
