//! Messages from guests: presence, answers to the room's own questions, and answers to a table's.

use super::plan::{self, GuestEnd};
use super::state::{AnswerOutcome, DeviceState, Guest, PendingEntry, StandInReason};
use super::{Effect, MAX_BYTES, MAX_GUESTS, Room, SILENCE, words};
use crate::core::ask::Millis;
use crate::core::form::{Choice, Field, Form, Input, Material, MaterialContent};
use crate::core::record::{Command, Presence};
use crate::procedures::names;
use serde_json::{Map, Value, json};

/// Messages that a guest may send in [`WINDOW`].
const MAX_MESSAGES: u32 = 60;
const WINDOW: Millis = 10_000;
/// Number of outcomes stored for repeated answers.
const MAX_OUTCOMES: usize = 32;
/// Limits on link parameters: count and length.
const MAX_PARAMS: usize = 20;
const MAX_PARAM_LENGTH: usize = 200;
const MAX_NAME_LENGTH: u32 = 40;

/// Prefix of the room's own questions.
const OWN: &str = "room/";
const CONSENT: &str = "room/consent";
const NAME: &str = "room/name";
const BEFORE: &str = "room/before";
const COMPREHENSION: &str = "room/comprehension";
const AFTER: &str = "room/after";

impl Room {
    pub(super) fn handle_message(&mut self, at: Millis, key: &str, bytes: usize, message: &Value) {
        let kind = message["type"].as_str().unwrap_or_default();
        let Some(index) = self.index_of(key) else {
            if kind == "hello" && bytes <= MAX_BYTES {
                self.join(at, key, message);
            }
            return;
        };
        if self.state.guests[index].cut.is_some() || self.cut_if_flooding(at, index, bytes) {
            return;
        }
        self.devices[index].last = at;
        if kind != "bye" {
            self.mark_present(at, index);
        }
        match kind {
            "hello" => self.greet(at, index, message["since"].as_u64().unwrap_or_default()),
            "answer" => {
                let n = message["n"].as_u64().unwrap_or_default();
                let ask = message["ask"].as_str().unwrap_or_default();
                self.answer_table(at, index, n, ask, &message["values"]);
            }
            "bye" => {
                self.mark_absent(at, index);
                self.lobby_changed(at);
            }
            "back" => self.take_seat_back(at, index, &[StandInReason::Away, StandInReason::Late]),
            "leave" => self.end_guest(at, index, GuestEnd::Dropped),
            _ => {}
        }
    }

    fn join(&mut self, at: Millis, key: &str, message: &Value) {
        let params = message["params"].as_object().into_iter().flatten();
        let short = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let param = |(name, value): (&String, &Value)| {
            let value = short(value.as_str()?, MAX_PARAM_LENGTH);
            Some((short(name, MAX_PARAM_LENGTH), value.into()))
        };
        let params: Map<String, Value> = params.filter_map(param).take(MAX_PARAMS).collect();
        let known = self.same_person(&params);
        let refused = match known {
            _ if self.state.is_closed => "ended",
            Some(index) if !self.devices[index].is_away => "in_use",
            None if self.state.guests.len() >= MAX_GUESTS => "full",
            _ => "",
        };
        if !refused.is_empty() {
            if let Some(index) = known {
                self.devices[index].is_elsewhere = true;
            }
            return self.send_to(key, json!({ "v": 1, "type": refused }));
        }
        if let Some(index) = known {
            return self.move_guest(at, index, key);
        }
        self.state.guests.push(Guest {
            key: key.to_owned(),
            language: short(message["language"].as_str().unwrap_or_default(), 10),
            params,
            pseudonym: self.pseudonym(self.state.guests.len()),
            name: None,
            answers: Map::new(),
            tries: 0,
            waits: None,
            place: None,
            way: None,
            earned: None,
            settled: Vec::new(),
            cut: None,
        });
        self.devices.push(DeviceState::new(at));
        self.mark_changed();
        let index = self.state.guests.len() - 1;
        self.advance_guest(at, index);
        self.greet(at, index, 0);
    }

    /// Returns the guest with the same id in a parameter that identifies people.
    fn same_person(&self, params: &Map<String, Value>) -> Option<usize> {
        let id = |params: &Map<String, Value>, name: &str| {
            let mut params = params.iter();
            let (_, id) = params.find(|(given, _)| given.eq_ignore_ascii_case(name))?;
            let id = id.as_str()?.trim();
            (!id.is_empty()).then(|| id.to_owned())
        };
        let mut names = self.plan.ids.iter();
        names.find_map(|name| {
            let given = id(params, name)?;
            let mut guests = self.state.guests.iter();
            guests.position(|guest| id(&guest.params, name).as_ref() == Some(&given))
        })
    }

    /// Lets a guest who is away continue on another device.
    fn move_guest(&mut self, at: Millis, index: usize, key: &str) {
        let guest = &mut self.state.guests[index];
        let before = std::mem::replace(&mut guest.key, key.to_owned());
        // The new device numbers its answers from 1.
        guest.settled.clear();
        let is_cut = guest.cut.clone();
        self.devices[index] = DeviceState {
            is_away: true,
            number: self.devices[index].number,
            ..DeviceState::new(at)
        };
        self.mark_changed();
        self.send_to(&before, json!({ "v": 1, "type": "moved" }));
        if let Some(why) = is_cut {
            return self.send(index, json!({ "v": 1, "type": "cut", "why": why }));
        }
        self.mark_present(at, index);
        self.greet(at, index, 0);
    }

    fn cut_if_flooding(&mut self, at: Millis, index: usize, bytes: usize) -> bool {
        let device = &mut self.devices[index];
        if at >= device.window + WINDOW {
            (device.window, device.count) = (at, 0);
        }
        device.count += 1;
        let why = match () {
            () if bytes > MAX_BYTES => "bytes",
            () if device.count > MAX_MESSAGES => "messages",
            () => return false,
        };
        self.state.guests[index].cut = Some(why.to_owned());
        self.mark_changed();
        self.send(index, json!({ "v": 1, "type": "cut", "why": why }));
        true
    }

    /// Handles a sign of life from the guest's device.
    fn mark_present(&mut self, at: Millis, index: usize) {
        if !std::mem::take(&mut self.devices[index].is_away) {
            return;
        }
        self.note_presence(index, Presence::Back);
        self.take_seat_back(at, index, &[StandInReason::Away]);
        if self.stage(index) == "lobby" {
            self.lobby_changed(at);
            self.start_when_full(at);
        }
    }

    pub(super) fn mark_absent(&mut self, at: Millis, index: usize) {
        if !std::mem::replace(&mut self.devices[index].is_away, true) {
            // After an announced absence the policy applies at once.
            self.devices[index].last = self.devices[index].last.min(at);
            self.note_presence(index, Presence::Away);
        }
    }

    pub(super) fn check_absences(&mut self, at: Millis) {
        for index in 0..self.devices.len() {
            if at >= self.devices[index].last.max(self.connected_since) + SILENCE {
                self.mark_absent(at, index);
            }
        }
    }

    pub(super) fn note_presence(&mut self, index: usize, is: Presence) {
        let Some((table, seat)) = self.state.guests[index].place.clone() else {
            return;
        };
        if self.state.tables[table].is_begun && !self.state.tables[table].is_over {
            let guest = index as u32 + 1;
            self.send_command(table, Command::Guest { seat, guest, is });
        }
    }

    /// Returns the room's next own question, if any.
    pub(super) fn own_question(&self, index: usize) -> Option<(&'static str, Form)> {
        let guest = &self.state.guests[index];
        if guest.way.is_some() || self.state.is_closed {
            return None;
        }
        let (plan, words) = (&self.plan, words(self.plan.language));
        let text = |key: &str| words.raw(key).to_owned();
        let is_open = |name: &str| !guest.answers.contains_key(name);
        if guest
            .place
            .as_ref()
            .is_some_and(|(table, _)| self.state.tables[*table].is_over)
        {
            let form = || plan::build_form(plan.language, text("after.question"), &plan.after);
            return (!plan.after.is_empty() && is_open("after")).then(|| (AFTER, form()));
        }
        if guest.place.is_some() {
            return None;
        }
        if let Some(consent) = plan.consent.as_ref().filter(|_| is_open("consent")) {
            let input = Input::YesNo {
                yes: Choice::new("yes", text("yes")),
                no: Choice::new("no", text("no")),
                is_flag: false,
            };
            let field = Field::new("consent", text("consent.label"), input).sending();
            let mut form = Form::new(plan.language, text("consent.question"), vec![field]);
            let paragraphs = consent.lines().map(str::trim).filter(|line| !line.is_empty());
            let shown = MaterialContent::Text {
                text: paragraphs.map(str::to_owned).collect(),
            };
            form.material = vec![Material::new(text("consent.title"), shown)];
            return Some((CONSENT, form));
        }
        if plan.asks_names && guest.name.is_none() {
            let input = Input::Text {
                least: 1,
                most: MAX_NAME_LENGTH,
                lines: 1,
            };
            let field = Field::new("name", text("name.label"), input);
            return Some((NAME, Form::new(plan.language, text("name.question"), vec![field])));
        }
        if !plan.before.is_empty() && is_open("before") {
            return Some((
                BEFORE,
                plan::build_form(plan.language, text("before.question"), &plan.before),
            ));
        }
        if !plan.comprehension.is_empty() && is_open("comprehension") {
            let form = plan::build_form(plan.language, text("comprehension.question"), &plan.comprehension);
            return Some((COMPREHENSION, form));
        }
        None
    }

    fn answer_table(&mut self, at: Millis, index: usize, n: u64, ask: &str, values: &Value) {
        let before = self.settled(index, ask).iter();
        if let Some(settled) = before.rev().find(|settled| settled.n == n && settled.ask == ask) {
            let kept = settled.kept;
            return self.send_settled(index, n, kept);
        }
        if ask.starts_with(OWN) {
            return self.answer_room(at, index, n, ask, values);
        }
        let Some((table, seat)) = self.state.guests[index].place.clone() else {
            return self.settle(index, n, ask, false);
        };
        let session = &mut self.sessions[table];
        if !session.is_known || session.pending.iter().any(|pending| pending.ask == ask) {
            // The guest sends it again.
            return;
        }
        let is_open = session
            .status
            .open
            .iter()
            .any(|open| open.id == ask && open.seat == seat);
        if !is_open || self.state.tables[table].has_stand_in(&seat) {
            return self.settle(index, n, ask, false);
        }
        session.pending.push(PendingEntry {
            guest: index,
            n,
            ask: ask.to_owned(),
        });
        self.effects.push(Effect::Answer {
            guest: self.state.guests[index].key.clone(),
            table: table + 1,
            ask: ask.to_owned(),
            values: values.clone(),
            id: format!("{}/{n}", index + 1),
        });
    }

    fn answer_room(&mut self, at: Millis, index: usize, n: u64, ask: &str, values: &Value) {
        let Some((asked, form)) = self.own_question(index).filter(|(asked, _)| *asked == ask) else {
            return self.settle(index, n, ask, false);
        };
        let reply = match form.reply(values) {
            Ok(reply) => reply,
            Err(fault) => return self.send_refused(index, n, &fault.message, &fault.field),
        };
        let given = reply.values.unwrap_or_default();
        let mut way = None;
        let guest = &mut self.state.guests[index];
        let (part, answer) = match asked {
            CONSENT => {
                let agrees = given["consent"] == "yes";
                way = (!agrees).then_some(GuestEnd::Declined);
                ("consent", agrees.into())
            }
            NAME => {
                let name = names::clean(&reply.text);
                if name.is_empty() {
                    let message = words(self.plan.language).raw("name.empty").to_owned();
                    return self.send_refused(index, n, &message, "name");
                }
                guest.name = Some(name);
                ("", Value::Null)
            }
            COMPREHENSION => {
                guest.tries += u32::from(plan::first_wrong(&self.plan.comprehension, values).is_some());
                let wrong = plan::first_wrong(&self.plan.comprehension, values);
                if let Some(field) = wrong.filter(|_| guest.tries < self.plan.tries) {
                    self.mark_changed();
                    let message = words(self.plan.language).raw("comprehension.wrong").to_owned();
                    return self.send_refused(index, n, &message, field);
                }
                way = wrong.map(|_| GuestEnd::Dropped);
                (
                    "comprehension",
                    plan::answers_by_id(&self.plan.comprehension, values),
                )
            }
            BEFORE => ("before", plan::answers_by_id(&self.plan.before, values)),
            _ => ("after", plan::answers_by_id(&self.plan.after, values)),
        };
        if !part.is_empty() {
            guest.answers.insert(part.to_owned(), answer);
        }
        self.mark_changed();
        self.settle(index, n, ask, true);
        match way {
            Some(way) => self.end_guest(at, index, way),
            None => self.advance_guest(at, index),
        }
        self.request_view(at, index);
    }

    /// Stores and sends the outcome of an answer.
    pub(super) fn settle(&mut self, index: usize, n: u64, ask: &str, kept: bool) {
        if self.note_settled(index, n, ask, kept) {
            self.send_settled(index, n, kept);
        }
    }

    /// Stores the outcome of an answer. Returns `false` if it was stored before.
    pub(super) fn note_settled(&mut self, index: usize, n: u64, ask: &str, kept: bool) -> bool {
        let settled = self.settled(index, ask);
        if settled.iter().any(|one| one.n == n && one.ask == ask) {
            return false;
        }
        settled.push(AnswerOutcome {
            n,
            ask: ask.to_owned(),
            kept,
        });
        let too_many = settled.len().saturating_sub(MAX_OUTCOMES);
        settled.drain(..too_many);
        true
    }

    /// Returns the stored outcomes. Those of a table's questions are in its record and need not be
    /// persisted.
    fn settled(&mut self, index: usize, ask: &str) -> &mut Vec<AnswerOutcome> {
        match ask.starts_with(OWN) {
            true => &mut self.state.guests[index].settled,
            false => &mut self.devices[index].settled,
        }
    }

    fn send_settled(&mut self, index: usize, n: u64, kept: bool) {
        let kind = if kept { "kept" } else { "late" };
        self.send(index, json!({ "v": 1, "type": kind, "n": n }));
    }

    pub(super) fn refuse(&mut self, ask: &str, message: &str, field: &str) {
        let mut found = None;
        for table in &mut self.sessions {
            if let Some(place) = table.pending.iter().position(|pending| pending.ask == ask) {
                found = Some(table.pending.remove(place));
            }
        }
        if let Some(PendingEntry { guest, n, .. }) = found {
            self.send_refused(guest, n, message, field);
        }
    }

    fn send_refused(&mut self, index: usize, n: u64, message: &str, field: &str) {
        let message_body = json!({ "v": 1, "type": "refused", "n": n, "message": message, "field": field });
        self.send(index, message_body);
    }
}
