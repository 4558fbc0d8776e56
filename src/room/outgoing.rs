//! Messages to guests: their state, and how the room ended for them.

use super::plan::{GuestEnd, WAYS};
use super::state::{PendingEntry, StandInReason, TableStatus};
use super::{Effect, Room};
use crate::core::ask::Millis;
use crate::core::record::{Command, Presence};
use serde_json::{Value, json};

/// Lobby size up to which every arrival is announced at once; larger lobbies are updated with the heartbeat.
const LIVELY: usize = 30;

impl Room {
    /// Takes the status of a session.
    pub(super) fn watch(&mut self, at: Millis, table: usize, stands: TableStatus) {
        let Some(table) = table.checked_sub(1).filter(|table| *table < self.watched.len()) else {
            return;
        };
        for (ask, id) in &stands.settled {
            let pending = &mut self.watched[table].pending;
            let waited = pending.iter().position(|pending| pending.ask == *ask);
            let waited = waited.map(|place| pending.remove(place));
            let named = id.as_deref().and_then(|id| id.split_once('/'));
            let answered = named.and_then(|(guest, n)| {
                let guest = guest.parse::<usize>().ok()?.checked_sub(1)?;
                Some((guest, n.parse().ok()?)).filter(|(guest, _)| *guest < self.kept.guests.len())
            });
            match answered {
                // After a reload the guest repeats answers that are not acknowledged.
                Some((guest, n)) if !self.watched[table].is_known => {
                    self.note_settled(guest, n, ask, true);
                }
                Some((guest, n)) => self.settle(guest, n, ask, true),
                None => {}
            }
            if let Some(PendingEntry { guest, n, .. }) =
                waited.filter(|one| answered != Some((one.guest, one.n)))
            {
                self.settle(guest, n, ask, false);
            }
        }
        let watched = &mut self.watched[table];
        watched.is_known = true;
        watched
            .handled
            .retain(|ask| stands.open.iter().any(|open| open.id == *ask));
        watched.stands = TableStatus {
            settled: Vec::new(),
            ..stands
        };
        let one = &mut self.kept.tables[table];
        let is_over = watched.stands.state == "ended" && !one.is_over;
        one.is_over |= is_over;
        let seated: Vec<usize> = one.seats.iter().filter_map(|chair| chair.guest).collect();
        for guest in seated {
            if is_over {
                self.kept.guests[guest].earned = self.earned(table, guest);
                self.changed();
                self.advance_guest(at, guest);
            }
            self.request_view(at, guest);
        }
    }

    /// Returns a guest's earnings at a finished table.
    fn earned(&self, table: usize, guest: usize) -> Option<String> {
        let (unit, rate, fixed, from) = self.plan.earned.as_ref()?;
        let (_, seat) = self.kept.guests[guest].place.as_ref()?;
        let payoff = &self.watched[table].stands.result[from][seat];
        let payoff = payoff
            .as_f64()
            .or_else(|| payoff["total"].as_f64())
            .unwrap_or_default();
        Some(format!("{unit}{:.2}", fixed + rate * payoff))
    }

    /// Moves a guest on who has finished the current stage.
    pub(super) fn advance_guest(&mut self, at: Millis, index: usize) {
        let guest = &self.kept.guests[index];
        if guest.way.is_some() || self.own_question(index).is_some() {
            return;
        }
        match &guest.place {
            Some((table, _)) if self.kept.tables[*table].is_over => {
                self.end_guest(at, index, GuestEnd::Complete)
            }
            Some(_) => {}
            None if guest.waits.is_none() => {
                self.kept.guests[index].waits = Some(at);
                self.changed();
                self.lobby_changed(at);
                self.start_when_full(at);
            }
            None => {}
        }
    }

    pub(super) fn lobby_changed(&mut self, at: Millis) {
        let waiting = self.waiting();
        if waiting.len() <= LIVELY {
            waiting.into_iter().for_each(|index| self.request_view(at, index));
        }
    }

    /// Ends the participation of a guest.
    pub(super) fn end_guest(&mut self, at: Millis, index: usize, way: GuestEnd) {
        let guest = &mut self.kept.guests[index];
        if guest.way.is_some() {
            return;
        }
        (guest.way, guest.waits) = (Some(way), None);
        self.changed();
        if let Some((table, seat)) = self.kept.guests[index].place.clone() {
            let one = &mut self.kept.tables[table];
            if !one.is_begun {
                one.seats
                    .iter_mut()
                    .filter(|chair| chair.guest == Some(index))
                    .for_each(|chair| chair.guest = None);
            } else if !one.is_over {
                self.note_presence(index, Presence::Left);
                self.stand_in(at, table, &seat, StandInReason::Left);
            }
        }
        self.request_view(at, index);
    }

    /// Handles a guest's greeting, which names the state it has.
    pub(super) fn greet(&mut self, at: Millis, index: usize, since: u64) {
        let hears = &mut self.hears[index];
        if since == 0 || since != hears.number {
            hears.view = 0;
        }
        hears.told = Value::Null;
        self.request_view(at, index);
    }

    /// Sends a guest the current state if it has changed.
    pub(super) fn request_view(&mut self, at: Millis, index: usize) {
        let place = self.kept.guests[index].place.clone();
        match place.filter(|(table, _)| self.kept.tables[*table].is_begun) {
            Some((table, seat)) => {
                let guest = self.kept.guests[index].key.clone();
                let is_same =
                    |effect: &Effect| matches!(effect, Effect::Show { guest: other, .. } if *other == guest);
                self.effects.retain(|effect| !is_same(effect));
                self.effects.push(Effect::Show {
                    guest,
                    table: table + 1,
                    seat,
                    since: self.hears[index].view,
                });
            }
            None => self.send_state(at, index, None),
        }
    }

    pub(super) fn send_state(&mut self, at: Millis, index: usize, view: Option<Value>) {
        let told = self.state_of(index);
        let hears = &mut self.hears[index];
        let number = view
            .as_ref()
            .and_then(|view| view["number"].as_u64())
            .unwrap_or_default();
        if told == hears.told && number == hears.view {
            return;
        }
        let since = if hears.view == 0 { 0 } else { hears.number };
        hears.number += 1;
        (hears.view, hears.told) = (number, told.clone());
        let mut message = told;
        message["at"] = at.into();
        message["since"] = since.into();
        message["number"] = hears.number.into();
        message["view"] = view.unwrap_or_default();
        self.send(index, message);
    }

    /// Returns the stage of a guest.
    pub(super) fn stage(&self, index: usize) -> &'static str {
        let guest = &self.kept.guests[index];
        match &guest.place {
            _ if guest.way.is_some() => "over",
            Some((table, _)) if self.kept.tables[*table].is_over => "after",
            Some((table, _)) if self.kept.tables[*table].is_begun => "table",
            None if self.own_question(index).is_some() => "arriving",
            _ => "lobby",
        }
    }

    /// Builds the state message without the view.
    fn state_of(&self, index: usize) -> Value {
        let guest = &self.kept.guests[index];
        let stage = self.stage(index);
        let own = self.own_question(index);
        let mut questions: Vec<Value> = own
            .iter()
            .map(|(ask, form)| json!({ "ask": ask, "form": form, "deadline": null, "decides": false }))
            .collect();
        let mut table = Value::Null;
        if let Some((number, seat)) = guest
            .place
            .as_ref()
            .filter(|(table, _)| self.kept.tables[*table].is_begun)
        {
            let one = &self.kept.tables[*number];
            let has_stand_in = one.has_stand_in(seat);
            if stage == "table" && !has_stand_in {
                let open = self.watched[*number]
                    .stands
                    .open
                    .iter()
                    .filter(|open| open.seat == *seat);
                questions.extend(open.map(|open| {
                    json!({
                        "ask": open.id, "form": open.form, "deadline": self.deadline_of(*number, open),
                        "decides": open.form["decides"],
                    })
                }));
            }
            let named = one.seats.iter().filter_map(|chair| {
                let name = self.kept.guests[chair.guest?].name.clone()?;
                Some((chair.name.clone(), name.into()))
            });
            let people = Value::Object(named.collect());
            table = json!({ "number": number + 1, "seat": seat, "stoodIn": has_stand_in, "people": people });
        }
        let lobby = (stage == "lobby").then(|| {
            let starts = (self.plan.start_at > 0).then_some(self.plan.start_at);
            let taken = self.tables_left() == 0 && self.kept.tables.iter().all(|table| table.is_begun);
            json!({
                "here": self.waiting().len(), "seats": self.plan.people(), "startsAt": starts, "taken": taken,
            })
        });
        json!({
            "v": 1, "type": "state", "stage": stage,
            "room": { "title": self.plan.title, "language": self.plan.language },
            "you": { "number": index + 1, "pseudonym": guest.pseudonym, "name": guest.name },
            "lobby": lobby, "table": table, "questions": questions, "end": self.end_of(index),
        })
    }

    /// Builds the end of a guest's participation: the way, a completion code and an address.
    pub(super) fn end_of(&self, index: usize) -> Value {
        let guest = &self.kept.guests[index];
        let Some(way) = guest.way else { return Value::Null };
        let place = WAYS
            .iter()
            .position(|(_, other)| *other == way)
            .unwrap_or_default();
        let (url, code) = &self.plan.ways[place];
        let own = |name: &str| match name {
            "code" => Some(code.clone()),
            "way" => Some(WAYS[place].0.to_owned()),
            "earned" => Some(guest.earned.clone().unwrap_or_default()),
            name => guest.params.get(name).and_then(Value::as_str).map(str::to_owned),
        };
        let url = (!url.is_empty()).then(|| filled(url, own));
        let code = (!code.is_empty()).then_some(code);
        json!({ "way": way, "code": code, "earned": guest.earned, "url": url })
    }

    /// Sends heartbeats with each guest's state number; after a break also the new deadlines.
    pub(super) fn send_heartbeats(&mut self, at: Millis) {
        for index in 0..self.hears.len() {
            if self.hears[index].is_away || self.kept.guests[index].cut.is_some() {
                continue;
            }
            if self.stage(index) == "lobby" || self.hearing == at {
                self.request_view(at, index);
            }
            let number = self.hears[index].number;
            self.send(
                index,
                json!({ "v": 1, "type": "here", "at": at, "number": number }),
            );
        }
    }

    /// Returns the seating commands for a started table whose session was recreated after a reload.
    #[must_use]
    pub fn seated(&self, table: usize) -> Vec<Command> {
        let one = table.checked_sub(1).and_then(|table| self.kept.tables.get(table));
        let chairs = one.into_iter().flat_map(|table| &table.seats);
        let seated = chairs.filter_map(|chair| {
            Some(Command::Guest {
                seat: chair.name.clone(),
                guest: chair.guest? as u32 + 1,
                is: Presence::Seated,
            })
        });
        seated.collect()
    }
}

/// Fills in the names in braces of an address, percent-encoded. Unknown names become empty.
fn filled(url: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = url;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        out.push_str(before);
        for byte in value(name).unwrap_or_default().bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    out.push(char::from(byte))
                }
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        rest = after;
    }
    out + rest
}
