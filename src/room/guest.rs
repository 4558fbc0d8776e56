//! Messages from guests: presence, answers to the room's own questions, and answers to a table's.

use super::connections::Origin;
use super::plan;
use super::state::{AnswerOutcome, DeviceState, Guest, PendingEntry, Refusal, StandInReason};
use super::{Effect, MAX_GUESTS, MAX_STORED, Room, SILENCE, STEP, WARNING, words};
use crate::core::ask::Millis;
use crate::core::form::{Choice, Field, Form, Input, Material, MaterialContent};
use crate::core::record::{Command, Presence};
use crate::people::GuestEnd;
use crate::procedures::names;
use serde_json::{Map, Value, json};

/// Messages that a guest may send in [`WINDOW`].
const MAX_MESSAGES: u32 = 60;
const WINDOW: Millis = 10_000;
/// Requests for a new greeting that a guest gets in a second.
const MAX_REQUESTS: u32 = 10;
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
        let Some(origin) = Origin::read(message) else {
            return;
        };
        // A message that names this session was made after one from the host, so it is no earlier recording.
        let is_current = message["to"].as_u64() == Some(self.state.session);
        let Some(index) = self.index_of(key) else {
            match kind {
                "hello" if is_current => self.join(at, key, origin, message),
                "hello" => self.send_to(key.to_owned(), &[origin.connection], here(at, 0)),
                _ => {}
            }
            return;
        };
        if kind == "bye" && origin.number == 0 {
            return self.close_connection(at, index, origin.connection);
        }
        if !is_current {
            return self.request_greeting(at, index, origin.connection);
        }
        if !self.devices[index].connections.take(at, origin) {
            return;
        }
        self.store_connections(index);
        if let Some(why) = self.state.guests[index].cut.clone() {
            if kind == "hello" && at >= self.devices[index].window + WINDOW {
                self.devices[index].window = at;
                self.send(index, json!({ "type": "cut", "why": why }));
            }
            return;
        }
        if self.cut_if_flooding(at, index, bytes) {
            return;
        }
        let device = &mut self.devices[index];
        let was_silent = device.is_away || at >= device.last + WARNING;
        device.last = at;
        if was_silent {
            device.heard_since = at;
            self.request_view(at, index);
        }
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
            "bye" => self.close_connection(at, index, origin.connection),
            "back" => self.take_seat_back(at, index, &[StandInReason::Away, StandInReason::Late]),
            "awake" => self.restart_time(at, index),
            "leave" => self.end_guest(at, index, GuestEnd::Dropped),
            _ => {}
        }
    }

    /// Asks a device that does not name the host's session for a new greeting.
    fn request_greeting(&mut self, at: Millis, index: usize, connection: u64) {
        let device = &mut self.devices[index];
        if at >= device.requests.0 + 1_000 {
            device.requests = (at, 0);
        }
        device.requests.1 += 1;
        if device.requests.1 <= MAX_REQUESTS {
            let (key, number) = (self.state.guests[index].key.clone(), device.number);
            self.send_to(key, &[connection], here(at, number));
        }
    }

    /// Stores the open connections if they have changed.
    fn store_connections(&mut self, index: usize) {
        let mut ids = self.devices[index].connections.ids();
        ids.sort_unstable();
        if self.state.guests[index].connections != ids {
            self.state.guests[index].connections = ids;
            self.mark_changed();
        }
    }

    /// Handles the end of a connection. The guest is away unless another page of the device is open.
    fn close_connection(&mut self, at: Millis, index: usize, connection: u64) {
        if !self.devices[index].connections.close(connection) {
            return;
        }
        self.store_connections(index);
        if !self.devices[index].connections.is_in_use(at) {
            self.mark_absent(at, index);
            self.lobby_changed(at);
        }
    }

    fn join(&mut self, at: Millis, key: &str, origin: Origin, message: &Value) {
        if self.left.get(key).is_some_and(|last| origin.connection <= *last) {
            return;
        }
        let params = message["params"].as_object().into_iter().flatten();
        let short = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let param = |(name, value): (&String, &Value)| {
            let value = short(value.as_str()?, MAX_PARAM_LENGTH);
            Some((short(name, MAX_PARAM_LENGTH), value.into()))
        };
        let params: Map<String, Value> = params.filter_map(param).take(MAX_PARAMS).collect();
        let known = self.same_person(&params);
        let is_in_use = known.is_some_and(|index| !self.devices[index].is_away);
        let place = match known.or_else(|| self.free_place()) {
            _ if self.state.is_closed => Err("ended"),
            None => Err("full"),
            Some(index) if is_in_use => {
                self.devices[index].is_elsewhere = true;
                Err("in_use")
            }
            Some(index) => Ok(index),
        };
        let index = match place {
            Ok(index) => index,
            Err(refused) => {
                return self.send_to(key.to_owned(), &[origin.connection], json!({ "type": refused }));
            }
        };
        if known.is_some() {
            return self.move_guest(at, index, key, origin);
        }
        let guest = Guest {
            key: key.to_owned(),
            language: short(message["language"].as_str().unwrap_or_default(), 10),
            params,
            pseudonym: self.pseudonym(index),
            name: None,
            answers: Map::new(),
            tries: 0,
            waits: None,
            place: None,
            way: None,
            earned: None,
            settled: Vec::new(),
            cut: None,
            connections: Vec::new(),
        };
        let device = DeviceState::new(at, &[]);
        if index < self.state.guests.len() {
            (self.state.guests[index], self.devices[index]) = (guest, device);
        } else {
            self.state.guests.push(guest);
            self.devices.push(device);
        }
        self.devices[index].connections.take(at, origin);
        self.store_connections(index);
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
    fn move_guest(&mut self, at: Millis, index: usize, key: &str, origin: Origin) {
        let connections = std::mem::take(&mut self.devices[index].connections);
        let guest = &mut self.state.guests[index];
        let before = std::mem::replace(&mut guest.key, key.to_owned());
        self.left.insert(before.clone(), connections.last());
        // The new device numbers its answers from 1.
        guest.settled.clear();
        let is_cut = guest.cut.clone();
        self.devices[index] = DeviceState {
            is_away: true,
            number: self.devices[index].number,
            ..DeviceState::new(at, &[])
        };
        self.devices[index].connections.take(at, origin);
        self.store_connections(index);
        self.send_to(before, &connections.ids(), json!({ "type": "moved" }));
        if let Some(why) = is_cut {
            return self.send(index, json!({ "type": "cut", "why": why }));
        }
        self.mark_present(at, index);
        self.greet(at, index, 0);
    }

    /// Returns the index for another guest, or `None` if the room is full. When no more can be stored, it is that of
    /// the guest who was silent for longest of those who left or were removed without a seat or an answer.
    fn free_place(&self) -> Option<usize> {
        let all = 0..self.state.guests.len();
        let is_here = |index: &usize| {
            let guest = &self.state.guests[*index];
            guest.way.is_none() && (guest.place.is_some() || !self.devices[*index].is_away)
        };
        if all.clone().filter(is_here).count() >= MAX_GUESTS {
            return None;
        }
        if all.len() < MAX_STORED {
            return Some(all.len());
        }
        let is_forgettable = |index: &usize| {
            let guest = &self.state.guests[*index];
            let is_gone = match guest.way {
                None => self.devices[*index].is_away,
                Some(way) => way == GuestEnd::Dropped,
            };
            is_gone && guest.place.is_none() && guest.answers.is_empty() && guest.name.is_none()
        };
        all.filter(is_forgettable)
            .min_by_key(|index| self.devices[*index].last)
    }

    fn cut_if_flooding(&mut self, at: Millis, index: usize, bytes: usize) -> bool {
        let device = &mut self.devices[index];
        if at >= device.window + WINDOW {
            (device.window, device.count) = (at, 0);
        }
        device.count += 1 + (bytes / STEP) as u32;
        if device.count <= MAX_MESSAGES {
            return false;
        }
        device.window = at;
        let why = "messages";
        self.state.guests[index].cut = Some(why.to_owned());
        self.mark_changed();
        self.send(index, json!({ "type": "cut", "why": why }));
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
            let settled = settled.clone();
            return self.send_settled(index, &settled);
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
            Err(fault) => return self.refuse_answer(index, n, ask, &fault.message, &fault.field),
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
                    return self.refuse_answer(index, n, ask, &message, "name");
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
                    return self.refuse_answer(index, n, ask, &message, field);
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
        self.settle_with(index, AnswerOutcome::new(n, ask, kept));
    }

    /// Refuses an answer. Its repetitions are refused the same way, without being judged again.
    fn refuse_answer(&mut self, index: usize, n: u64, ask: &str, message: &str, field: &str) {
        let refusal = Refusal {
            message: message.to_owned(),
            field: field.to_owned(),
        };
        let outcome = AnswerOutcome {
            refused: Some(refusal),
            ..AnswerOutcome::new(n, ask, false)
        };
        self.settle_with(index, outcome);
    }

    fn settle_with(&mut self, index: usize, outcome: AnswerOutcome) {
        if self.note_outcome(index, outcome.clone()) {
            self.send_settled(index, &outcome);
        }
    }

    /// Stores the outcome of an answer. Returns `false` if it was stored before.
    pub(super) fn note_outcome(&mut self, index: usize, outcome: AnswerOutcome) -> bool {
        let is_own = outcome.ask.starts_with(OWN);
        let settled = self.settled(index, &outcome.ask);
        if settled
            .iter()
            .any(|one| one.n == outcome.n && one.ask == outcome.ask)
        {
            return false;
        }
        settled.push(outcome);
        let too_many = settled.len().saturating_sub(MAX_OUTCOMES);
        settled.drain(..too_many);
        if is_own {
            self.mark_changed();
        }
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

    fn send_settled(&mut self, index: usize, outcome: &AnswerOutcome) {
        let n = outcome.n;
        let message = match &outcome.refused {
            Some(Refusal { message, field }) => {
                json!({ "type": "refused", "n": n, "message": message, "field": field })
            }
            None if outcome.kept => json!({ "type": "kept", "n": n }),
            None => json!({ "type": "late", "n": n }),
        };
        self.send(index, message);
    }

    pub(super) fn refuse(&mut self, ask: &str, message: &str, field: &str) {
        let mut found = None;
        for table in &mut self.sessions {
            if let Some(place) = table.pending.iter().position(|pending| pending.ask == ask) {
                found = Some(table.pending.remove(place));
            }
        }
        if let Some(PendingEntry { guest, n, .. }) = found {
            self.refuse_answer(guest, n, ask, message, field);
        }
    }
}

/// The host's heartbeat, with the number of the guest's last state.
pub(super) fn here(at: Millis, number: u64) -> Value {
    json!({ "type": "here", "at": at, "number": number })
}
