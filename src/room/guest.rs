//! Messages from guests: presence, answers to the room's own questions, and answers to a table's.

use super::plan::{self, GuestEnd};
use super::state::{AnswerOutcome, DeviceState, Guest, PendingEntry, StandInReason};
use super::{Effect, MOST_BYTES, MOST_GUESTS, Room, SILENCE, words};
use crate::core::ask::Millis;
use crate::core::form::{Choice, Field, Form, Input, Material, MaterialContent};
use crate::core::record::{Command, Presence};
use serde_json::{Map, Value, json};

/// Messages that a guest may send in [`WINDOW`].
const MOST_MESSAGES: u32 = 60;
const WINDOW: Millis = 10_000;
/// Number of outcomes stored for repeated answers.
const MOST_SETTLED: usize = 32;
/// Limits on link parameters: count and length.
const MOST_PARAMS: usize = 20;
const LONGEST_PARAM: usize = 200;
const LONGEST_NAME: u32 = 40;

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
            if kind == "hello" && bytes <= MOST_BYTES {
                self.join(at, key, message);
            }
            return;
        };
        if self.kept.guests[index].cut.is_some() || self.is_too_much(at, index, bytes) {
            return;
        }
        self.hears[index].last = at;
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
            "bye" => self.mark_absent(at, index),
            "back" => self.take_seat_back(at, index, &[StandInReason::Away, StandInReason::Late]),
            "leave" => self.end_guest(at, index, GuestEnd::Dropped),
            _ => {}
        }
    }

    fn join(&mut self, at: Millis, key: &str, message: &Value) {
        let refused = match () {
            () if self.kept.is_closed => "ended",
            () if self.kept.guests.len() >= MOST_GUESTS => "full",
            () => "",
        };
        if !refused.is_empty() {
            self.effects.push(Effect::Send {
                guest: key.to_owned(),
                message: json!({ "v": 1, "type": refused }),
            });
            return;
        }
        let params = message["params"].as_object().into_iter().flatten();
        let short = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let param = |(name, value): (&String, &Value)| {
            let value = short(value.as_str()?, LONGEST_PARAM);
            Some((short(name, LONGEST_PARAM), value.into()))
        };
        self.kept.guests.push(Guest {
            key: key.to_owned(),
            language: short(message["language"].as_str().unwrap_or_default(), 10),
            params: params.filter_map(param).take(MOST_PARAMS).collect(),
            pseudonym: self.pseudonym(self.kept.guests.len()),
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
        self.hears.push(DeviceState::new(at));
        self.changed();
        let index = self.kept.guests.len() - 1;
        self.advance_guest(at, index);
        self.greet(at, index, 0);
    }

    fn is_too_much(&mut self, at: Millis, index: usize, bytes: usize) -> bool {
        let hears = &mut self.hears[index];
        if at >= hears.window + WINDOW {
            (hears.window, hears.count) = (at, 0);
        }
        hears.count += 1;
        let why = match () {
            () if bytes > MOST_BYTES => "bytes",
            () if hears.count > MOST_MESSAGES => "messages",
            () => return false,
        };
        self.kept.guests[index].cut = Some(why.to_owned());
        self.changed();
        self.send(index, json!({ "v": 1, "type": "cut", "why": why }));
        true
    }

    /// Handles a sign of life from the guest's device.
    fn mark_present(&mut self, at: Millis, index: usize) {
        if !std::mem::take(&mut self.hears[index].is_away) {
            return;
        }
        self.note_presence(index, Presence::Back);
        self.take_seat_back(at, index, &[StandInReason::Away]);
    }

    pub(super) fn mark_absent(&mut self, at: Millis, index: usize) {
        if !std::mem::replace(&mut self.hears[index].is_away, true) {
            // After an announced absence the policy applies at once.
            self.hears[index].last = self.hears[index].last.min(at);
            self.note_presence(index, Presence::Away);
        }
    }

    pub(super) fn check_absences(&mut self, at: Millis) {
        for index in 0..self.hears.len() {
            if at >= self.hears[index].last.max(self.hearing) + SILENCE {
                self.mark_absent(at, index);
            }
        }
    }

    pub(super) fn note_presence(&mut self, index: usize, is: Presence) {
        let Some((table, seat)) = self.kept.guests[index].place.clone() else {
            return;
        };
        if self.kept.tables[table].is_begun && !self.kept.tables[table].is_over {
            let guest = index as u32 + 1;
            self.note(table, Command::Guest { seat, guest, is });
        }
    }

    /// Returns the room's next own question, if any.
    pub(super) fn own_question(&self, index: usize) -> Option<(&'static str, Form)> {
        let guest = &self.kept.guests[index];
        if guest.way.is_some() || self.kept.is_closed {
            return None;
        }
        let (plan, words) = (&self.plan, words(self.plan.language));
        let text = |key: &str| words.raw(key).to_owned();
        let is_open = |name: &str| !guest.answers.contains_key(name);
        if guest
            .place
            .as_ref()
            .is_some_and(|(table, _)| self.kept.tables[*table].is_over)
        {
            let form = || plan::form(plan.language, text("after.question"), &plan.after);
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
                most: LONGEST_NAME,
                lines: 1,
            };
            let field = Field::new("name", text("name.label"), input);
            return Some((NAME, Form::new(plan.language, text("name.question"), vec![field])));
        }
        if !plan.before.is_empty() && is_open("before") {
            return Some((
                BEFORE,
                plan::form(plan.language, text("before.question"), &plan.before),
            ));
        }
        if !plan.comprehension.is_empty() && is_open("comprehension") {
            let form = plan::form(plan.language, text("comprehension.question"), &plan.comprehension);
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
        let Some((table, seat)) = self.kept.guests[index].place.clone() else {
            return self.settle(index, n, ask, false);
        };
        let watched = &mut self.watched[table];
        if !watched.is_known || watched.pending.iter().any(|pending| pending.ask == ask) {
            // The guest sends it again.
            return;
        }
        let is_open = watched
            .stands
            .open
            .iter()
            .any(|open| open.id == ask && open.seat == seat);
        if !is_open || self.kept.tables[table].has_stand_in(&seat) {
            return self.settle(index, n, ask, false);
        }
        watched.pending.push(PendingEntry {
            guest: index,
            n,
            ask: ask.to_owned(),
        });
        self.effects.push(Effect::Answer {
            guest: self.kept.guests[index].key.clone(),
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
        let guest = &mut self.kept.guests[index];
        let (part, answer) = match asked {
            CONSENT => {
                let agrees = given["consent"] == "yes";
                way = (!agrees).then_some(GuestEnd::Declined);
                ("consent", agrees.into())
            }
            NAME => {
                guest.name = Some(reply.text.trim().chars().filter(|c| !c.is_control()).collect());
                ("", Value::Null)
            }
            COMPREHENSION => {
                guest.tries += u32::from(plan::wrong(&self.plan.comprehension, values).is_some());
                let wrong = plan::wrong(&self.plan.comprehension, values);
                if let Some(field) = wrong.filter(|_| guest.tries < self.plan.tries) {
                    self.changed();
                    let message = words(self.plan.language).raw("comprehension.wrong").to_owned();
                    return self.send_refused(index, n, &message, field);
                }
                way = wrong.map(|_| GuestEnd::Dropped);
                ("comprehension", plan::named(&self.plan.comprehension, values))
            }
            BEFORE => ("before", plan::named(&self.plan.before, values)),
            _ => ("after", plan::named(&self.plan.after, values)),
        };
        if !part.is_empty() {
            guest.answers.insert(part.to_owned(), answer);
        }
        self.changed();
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
        let too_many = settled.len().saturating_sub(MOST_SETTLED);
        settled.drain(..too_many);
        true
    }

    /// Returns the stored outcomes. Those of a table's questions are in its record and need not be
    /// persisted.
    fn settled(&mut self, index: usize, ask: &str) -> &mut Vec<AnswerOutcome> {
        match ask.starts_with(OWN) {
            true => &mut self.kept.guests[index].settled,
            false => &mut self.hears[index].settled,
        }
    }

    fn send_settled(&mut self, index: usize, n: u64, kept: bool) {
        let kind = if kept { "kept" } else { "late" };
        self.send(index, json!({ "v": 1, "type": kind, "n": n }));
    }

    pub(super) fn refuse(&mut self, ask: &str, message: &str, field: &str) {
        let mut found = None;
        for table in &mut self.watched {
            if let Some(place) = table.pending.iter().position(|pending| pending.ask == ask) {
                found = Some(table.pending.remove(place));
            }
        }
        if let Some(PendingEntry { guest, n, .. }) = found {
            self.send_refused(guest, n, message, field);
        }
    }

    fn send_refused(&mut self, index: usize, n: u64, message: &str, field: &str) {
        let told = json!({ "v": 1, "type": "refused", "n": n, "message": message, "field": field });
        self.send(index, told);
    }
}
