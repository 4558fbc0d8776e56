//! Messages to guests: their state, and how the room ended for them.

use super::guest::here;
use super::state::{AnswerOutcome, PendingEntry, StandInReason, TableStatus};
use super::{Effect, Room, SILENCE};
use crate::core::ask::Millis;
use crate::core::record::{Command, Presence};
use crate::people::{AbsenceAction, Earned, GuestEnd, Way};
use serde_json::{Value, json};

/// Lobby size up to which every arrival is announced at once; larger lobbies are updated with the heartbeat.
const SMALL_LOBBY: usize = 30;

impl Room {
    /// Takes the status of a session.
    pub(super) fn update_table(&mut self, at: Millis, table: usize, status: TableStatus) {
        let Some(table) = table.checked_sub(1).filter(|table| *table < self.sessions.len()) else {
            return;
        };
        for (ask, id) in &status.settled {
            let pending = &mut self.sessions[table].pending;
            let entry = pending.iter().position(|pending| pending.ask == *ask);
            let entry = entry.map(|place| pending.remove(place));
            let named = id.as_deref().and_then(|id| id.split_once('/'));
            let answer_id = named.and_then(|(guest, n)| {
                let guest = guest.parse::<usize>().ok()?.checked_sub(1)?;
                Some((guest, n.parse().ok()?)).filter(|(guest, _)| *guest < self.state.guests.len())
            });
            match answer_id {
                // After a reload the guest repeats answers that are not acknowledged.
                Some((guest, n)) if !self.sessions[table].is_known => {
                    self.note_outcome(guest, AnswerOutcome::new(n, ask, true));
                }
                Some((guest, n)) => self.settle(guest, n, ask, true),
                None => {}
            }
            if let Some(PendingEntry { guest, n, .. }) =
                entry.filter(|one| answer_id != Some((one.guest, one.n)))
            {
                self.settle(guest, n, ask, false);
            }
        }
        let session = &mut self.sessions[table];
        session.is_known = true;
        let is_open = |ask: &String| status.open.iter().any(|open| open.id == *ask);
        session.handled.retain(is_open);
        session.extensions.retain(|ask, _| is_open(ask));
        session.status = TableStatus {
            settled: Vec::new(),
            ..status
        };
        let one = &mut self.state.tables[table];
        let is_over = session.status.state == "ended" && !one.is_over;
        one.is_over |= is_over;
        // A session that was lost and made again does not know of them.
        let left = one.left.max(session.status.left);
        let has_left = std::mem::replace(&mut one.left, left) != left;
        if is_over {
            let seated: Vec<usize> = one.seats.iter().filter_map(|chair| chair.guest).collect();
            for guest in seated {
                self.state.guests[guest].earned = self.earnings(table, guest);
                self.mark_changed();
                self.advance_guest(at, guest);
            }
        }
        if has_left {
            // Its place in a study may be free again.
            self.mark_changed();
            self.start_when_full(at);
        }
        self.turn_away(at);
        self.request_views(at, table);
    }

    /// Returns a guest's earnings at a finished table.
    fn earnings(&self, table: usize, guest: usize) -> Option<String> {
        let Earned {
            unit,
            rate,
            fixed,
            from,
        } = self.plan.earned.as_ref()?;
        let (_, seat) = self.state.guests[guest].place.as_ref()?;
        let payoff = &self.sessions[table].status.result[from][seat];
        let payoff = payoff
            .as_f64()
            .or_else(|| payoff["total"].as_f64())
            .unwrap_or_default();
        Some(format!("{unit}{:.2}", fixed + rate * payoff))
    }

    /// Moves a guest on who has finished the current stage.
    pub(super) fn advance_guest(&mut self, at: Millis, index: usize) {
        if self.state.guests[index].place.is_none() && self.is_complete() {
            return self.end_guest(at, index, GuestEnd::Waited);
        }
        let guest = &self.state.guests[index];
        if guest.way.is_some() || self.own_question(index).is_some() {
            return;
        }
        match &guest.place {
            Some((table, _)) if self.state.tables[*table].is_over => {
                self.end_guest(at, index, GuestEnd::Complete)
            }
            Some(_) => {}
            None if guest.waits.is_none() => {
                self.state.guests[index].waits = Some(at);
                self.mark_changed();
                self.lobby_changed(at);
                self.start_when_full(at);
            }
            None => {}
        }
    }

    pub(super) fn lobby_changed(&mut self, at: Millis) {
        let waiting = self.waiting();
        if waiting.len() <= SMALL_LOBBY {
            waiting.into_iter().for_each(|index| self.request_view(at, index));
        }
    }

    /// Ends the participation of a guest.
    pub(super) fn end_guest(&mut self, at: Millis, index: usize, way: GuestEnd) {
        let guest = &mut self.state.guests[index];
        if guest.way.is_some() {
            return;
        }
        (guest.way, guest.waits) = (Some(way), None);
        self.mark_changed();
        if let Some((table, seat)) = self.state.guests[index].place.clone() {
            let one = &mut self.state.tables[table];
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
        let device = &mut self.devices[index];
        if since == 0 || since != device.number {
            device.view = 0;
        }
        device.sent_state = Value::Null;
        self.request_view(at, index);
    }

    /// Sends a guest the current state if it has changed.
    pub(super) fn request_view(&mut self, at: Millis, index: usize) {
        let place = self.state.guests[index].place.clone();
        match place.filter(|(table, _)| self.state.tables[*table].is_begun) {
            Some((table, seat)) => {
                let guest = self.state.guests[index].key.clone();
                let is_same =
                    |effect: &Effect| matches!(effect, Effect::Show { guest: other, .. } if *other == guest);
                self.effects.retain(|effect| !is_same(effect));
                self.effects.push(Effect::Show {
                    guest,
                    table: table + 1,
                    seat,
                    since: self.devices[index].view,
                });
            }
            None => self.send_state(at, index, None),
        }
    }

    /// Sends everybody at a table what has changed.
    pub(super) fn request_views(&mut self, at: Millis, table: usize) {
        let seats = self.state.tables[table].seats.iter();
        let seated: Vec<usize> = seats.filter_map(|chair| chair.guest).collect();
        seated.into_iter().for_each(|guest| self.request_view(at, guest));
    }

    pub(super) fn send_state(&mut self, at: Millis, index: usize, view: Option<Value>) {
        let state = self.state_of(index);
        let device = &mut self.devices[index];
        let number = view
            .as_ref()
            .and_then(|view| view["number"].as_u64())
            .unwrap_or_default();
        if state == device.sent_state && number == device.view {
            return;
        }
        let since = if device.view == 0 { 0 } else { device.number };
        device.number += 1;
        (device.view, device.sent_state) = (number, state.clone());
        let mut message = state;
        message["at"] = at.into();
        message["since"] = since.into();
        message["number"] = device.number.into();
        message["view"] = view.unwrap_or_default();
        self.send(index, message);
    }

    /// Returns the stage of a guest.
    pub(super) fn stage(&self, index: usize) -> &'static str {
        let guest = &self.state.guests[index];
        match &guest.place {
            _ if guest.way.is_some() => "over",
            Some((table, _)) if self.state.tables[*table].is_over => "after",
            Some((table, _)) if self.state.tables[*table].is_begun => "table",
            None if self.own_question(index).is_some() => "arriving",
            _ => "lobby",
        }
    }

    /// Builds the state message without the view.
    fn state_of(&self, index: usize) -> Value {
        let guest = &self.state.guests[index];
        let stage = self.stage(index);
        let own = self.own_question(index);
        let mut questions: Vec<Value> = own
            .iter()
            .map(|(ask, form)| json!({ "ask": ask, "form": form, "deadline": null, "then": null, "warnsAt": null, "decides": false }))
            .collect();
        let mut table = Value::Null;
        if let Some((number, seat)) = guest
            .place
            .as_ref()
            .filter(|(table, _)| self.state.tables[*table].is_begun)
        {
            let one = &self.state.tables[*number];
            let has_stand_in = one.has_stand_in(seat);
            if stage == "table" && !has_stand_in {
                let open = self.sessions[*number]
                    .status
                    .open
                    .iter()
                    .filter(|open| open.seat == *seat);
                questions.extend(open.map(|open| {
                    let deadline = self.deadline_of(*number, open);
                    let deadline = deadline.as_ref();
                    json!({
                        "ask": open.id, "form": open.form, "deadline": deadline.map(|deadline| deadline.at),
                        "then": deadline.and_then(|deadline| deadline.then).map(AbsenceAction::name),
                        "warnsAt": deadline.and_then(|deadline| deadline.warns_at), "decides": open.form["decides"],
                    })
                }));
            }
            table = json!({
                "number": number + 1, "seat": seat, "stoodIn": has_stand_in, "participants": self.participants(*number),
            });
        }
        let lobby = (stage == "lobby").then(|| {
            let starts = (self.plan.start_at > 0).then_some(self.starts_at());
            let taken = self.tables_left() == 0 && self.state.tables.iter().all(|table| table.is_begun);
            json!({
                "here": self.waiting().len(), "seats": self.plan.people(), "startsAt": starts, "taken": taken,
            })
        });
        json!({
            "type": "state", "stage": stage,
            "room": { "title": self.plan.title, "language": self.plan.language, "programs": self.programs() },
            "you": { "number": index + 1, "pseudonym": guest.pseudonym, "name": guest.name },
            "lobby": lobby, "table": table, "questions": questions, "end": self.end_details(index),
            "notices": self.state.notices,
        })
    }

    /// Builds the end of a guest's participation: the way, a completion code and an address.
    pub(super) fn end_details(&self, index: usize) -> Value {
        let guest = &self.state.guests[index];
        let Some(way) = guest.way else { return Value::Null };
        let Way { url, code } = &self.plan.ways[way as usize];
        let own = |name: &str| match name {
            "code" => Some(code.clone()),
            "way" => Some(way.name().to_owned()),
            "earned" => Some(guest.earned.clone().unwrap_or_default()),
            name => guest.params.get(name).and_then(Value::as_str).map(str::to_owned),
        };
        let url = (!url.is_empty()).then(|| fill_in(url, own));
        let code = (!code.is_empty()).then_some(code);
        json!({ "way": way, "code": code, "earned": guest.earned, "url": url })
    }

    /// Sends heartbeats with each guest's state number; after a break also the new deadlines.
    pub(super) fn send_heartbeats(&mut self, at: Millis) {
        // Guests who are there answer the first heartbeats of a host, which has another number for them.
        let is_roll_call = at < self.connected_since + SILENCE;
        for index in 0..self.devices.len() {
            let is_away = self.devices[index].is_away;
            if (is_away && !is_roll_call) || self.state.guests[index].cut.is_some() {
                continue;
            }
            if !is_away && (self.stage(index) == "lobby" || self.connected_since == at) {
                self.request_view(at, index);
            }
            let number = self.devices[index].number;
            self.send(index, here(at, number));
        }
    }

    /// Returns the seating commands for a started table whose session was recreated after a reload.
    #[must_use]
    pub fn seated(&self, table: usize) -> Vec<Command> {
        let one = table
            .checked_sub(1)
            .and_then(|table| self.state.tables.get(table));
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
fn fill_in(url: &str, value: impl Fn(&str) -> Option<String>) -> String {
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
