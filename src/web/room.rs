//! Rooms for `room.js`. The engine of a room holds the sessions of its tables: it answers, shows and seats there
//! itself, so that the page only stores, sends and opens tables.

use super::driver::Driver;
use super::error::lab_error;
use super::input::read;
use super::session::Session;
use super::{from_js, json_text, to_js};
use crate::core::Status;
use crate::core::ask::{Millis, Reply};
use crate::core::form::Formed;
use crate::core::record::{Command, EntryKind};
use crate::core::visibility::Role;
use crate::language::Language;
use crate::procedures::spec::fault::Fault;
use crate::room::plan;
use crate::room::step::Step;
use crate::room::{Effect, HostCommand, OpenQuestion, Room, TableStatus};
use crate::seat::SeatKind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The host's side of a room. Its methods return what the page must do, in order: `persist`, `send` and `open`.
#[wasm_bindgen]
pub struct RoomEngine {
    room: Room,
    /// Sessions by table, from 1.
    tables: BTreeMap<usize, HostedTable>,
    /// Commands for tables whose sessions are not open yet.
    early: BTreeMap<usize, Vec<Command>>,
    /// Effects that wait until the room is stored.
    held: VecDeque<Effect>,
    is_storing: bool,
}

/// The session of a table.
struct HostedTable {
    driver: Rc<Driver>,
    /// Number of entries whose settled questions were reported to the room.
    reported: u64,
    /// Time, number and type of the last event.
    last_event: Value,
    result: Value,
    step: Step,
}

#[wasm_bindgen]
impl RoomEngine {
    /// `earlier`: tables of the same part of the study, `{ id, counts }`.
    pub fn open(plan: &JsValue, id: &str, at: f64, earlier: &JsValue) -> Result<RoomEngine, JsValue> {
        let earlier = read("Room: earlier", earlier)?;
        Ok(Self::of(Room::open(
            &json_text(plan)?,
            id,
            at as Millis,
            earlier,
        )?))
    }

    pub fn restore(snapshot: &str, at: f64) -> Result<RoomEngine, JsValue> {
        Room::restore(snapshot, at as Millis)
            .map(Self::of)
            .map_err(|fault| lab_error("storage", &fault))
    }

    fn of(room: Room) -> Self {
        Self {
            room,
            tables: BTreeMap::new(),
            early: BTreeMap::new(),
            held: VecDeque::new(),
            is_storing: false,
        }
    }

    /// Handles a message from a guest.
    pub fn receive(
        &mut self,
        at: f64,
        guest: &str,
        bytes: f64,
        message: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let message = from_js(message)?;
        let effects = self.room.receive(at as Millis, guest, bytes as usize, &message);
        Ok(self.carry_out(at, effects))
    }

    /// Takes the session of a started table. `is_remade`: it was lost with an earlier page, so its guests are seated
    /// anew.
    #[wasm_bindgen(js_name = addSession)]
    pub fn add_session(&mut self, at: f64, table: usize, session: &Session, is_remade: bool) -> JsValue {
        let driver = Rc::clone(&session.0);
        let seated = if is_remade {
            self.room.seated(table)
        } else {
            Vec::new()
        };
        let early = self.early.remove(&table).unwrap_or_default();
        seated
            .into_iter()
            .chain(early)
            .for_each(|command| driver.command(command));
        let hosted = HostedTable {
            driver,
            reported: 0,
            last_event: Value::Null,
            result: Value::Null,
            step: Step::default(),
        };
        self.tables.insert(table, hosted);
        self.table_changed(at, table)
    }

    /// Shows the host why the session of a table could not be opened.
    #[wasm_bindgen(js_name = tableFailed)]
    pub fn table_failed(&mut self, table: usize, message: &str) {
        self.room.table_failed(table, message);
    }

    /// Reads the status of a table's session, and shows its guests what has changed.
    #[wasm_bindgen(js_name = tableChanged)]
    pub fn table_changed(&mut self, at: f64, table: usize) -> JsValue {
        let Some(hosted) = self.tables.get_mut(&table) else {
            return self.carry_out(at, Vec::new());
        };
        hosted
            .driver
            .names
            .replace(Rc::new(self.room.seat_names(table - 1)));
        let status = hosted.status();
        let effects = self.room.table_changed(at as Millis, table, status);
        self.carry_out(at, effects)
    }

    /// Runs a host command: `{ done, effects }`.
    #[wasm_bindgen(js_name = hostCommand)]
    pub fn host_command(&mut self, at: f64, command: &JsValue) -> Result<JsValue, JsValue> {
        let command: HostCommand = read("Room: command", command)?;
        let (done, effects) = self.room.host_command(at as Millis, &command);
        let effects = self.carry_out_until_stored(at, effects);
        Ok(to_js(&json!({ "done": done, "effects": effects })))
    }

    /// Advances the time; `heard`: guests could reach the host since the last call.
    pub fn tick(&mut self, at: f64, heard: bool) -> JsValue {
        let effects = self.room.tick(at as Millis, heard);
        self.carry_out(at, effects)
    }

    /// Asks for the room to be stored.
    pub fn persist(&mut self, at: f64) -> JsValue {
        self.carry_out(at, vec![Effect::Persist])
    }

    /// Continues once the last snapshot is stored.
    pub fn stored(&mut self, at: f64) -> JsValue {
        self.is_storing = false;
        self.carry_out(at, Vec::new())
    }

    /// Sets by how much the clock is ahead of the date.
    #[wasm_bindgen(js_name = setAhead)]
    pub fn set_ahead(&mut self, ahead: f64) {
        self.room.set_ahead(ahead as Millis);
    }

    /// Time of the next `tick`.
    #[wasm_bindgen(getter)]
    pub fn deadline(&self) -> f64 {
        self.room.deadline() as f64
    }

    /// Everything to be stored. It includes the changes of all effects that are held back.
    pub fn snapshot(&mut self) -> String {
        self.held.retain(|effect| *effect != Effect::Persist);
        self.room.snapshot()
    }

    /// The plan, as it was given.
    #[wasm_bindgen(getter)]
    pub fn plan(&self) -> JsValue {
        js_sys::JSON::parse(self.room.config()).unwrap_or_default()
    }

    pub fn view(&self) -> JsValue {
        to_js(&self.room.view())
    }

    /// Returns personal data of guests.
    pub fn names(&self) -> JsValue {
        to_js(&self.room.names())
    }

    /// The number of every started table, the configuration of its session, and its id for a run of a study.
    pub fn begun(&self) -> JsValue {
        to_js(&json!(self.room.begun()))
    }

    fn carry_out(&mut self, at: f64, effects: Vec<Effect>) -> JsValue {
        to_js(&json!(self.carry_out_until_stored(at, effects)))
    }

    /// Does what concerns the sessions. Returns what the page must do, up to the next time the room must be stored;
    /// the rest is held back until then.
    fn carry_out_until_stored(&mut self, at: f64, effects: Vec<Effect>) -> Vec<Effect> {
        self.held.extend(effects);
        let mut for_page = Vec::new();
        while !self.is_storing
            && let Some(effect) = self.held.pop_front()
        {
            let further = match effect {
                Effect::Show {
                    guest,
                    table,
                    seat,
                    since,
                } => self.show(at, &guest, table, seat, since),
                Effect::Answer {
                    table,
                    ask,
                    values,
                    id,
                    ..
                } => self.answer(table, &ask, &values, id),
                Effect::Note { table, command } => {
                    self.command(table, command);
                    Vec::new()
                }
                Effect::Persist | Effect::Send { .. } | Effect::Open { .. } => {
                    self.is_storing = effect == Effect::Persist;
                    for_page.push(effect);
                    Vec::new()
                }
            };
            self.held.extend(further);
        }
        for_page
    }

    /// Sends the view of a seat. While the table is not open yet nothing is sent: the whole view is when it is.
    fn show(&mut self, at: f64, guest: &str, table: usize, seat: String, since: u64) -> Vec<Effect> {
        let Some(hosted) = self.tables.get(&table) else {
            return Vec::new();
        };
        let since_view = (since > 0).then_some(since);
        let view = hosted
            .driver
            .look(Role::Seat(seat), |view| json!(view.json(since_view)));
        self.room.send_view(at as Millis, guest, since, view)
    }

    fn answer(&mut self, table: usize, ask: &str, values: &Value, id: String) -> Vec<Effect> {
        let driver = self.tables.get(&table).map(|hosted| Rc::clone(&hosted.driver));
        let form = driver.as_ref().and_then(|driver| driver.form_of(ask));
        let read = form.as_ref().and_then(Formed::get).map(|form| form.reply(values));
        match (driver, read) {
            (_, Some(Err(fault))) => return self.room.refused(ask, &fault.message, &fault.field),
            (Some(driver), Some(Ok(reply))) => {
                let request_id = Some(id);
                if driver.answer(ask, Reply { request_id, ..reply }) {
                    return Vec::new();
                }
            }
            _ => {}
        }
        self.room.drop_pending(ask);
        Vec::new()
    }

    fn command(&mut self, table: usize, command: Command) {
        match self.tables.get(&table) {
            Some(hosted) => hosted.driver.command(command),
            None => self.early.entry(table).or_default().push(command),
        }
    }
}

impl HostedTable {
    fn status(&mut self) -> TableStatus {
        let session = self.driver.session.borrow();
        let mut settled = Vec::new();
        for entry in session.entries_from(self.reported) {
            self.reported = entry.seq + 1;
            self.step.take(&entry);
            match &entry.what {
                EntryKind::Answered { ask, reply, .. } => {
                    settled.push((ask.clone(), reply.request_id.clone()))
                }
                EntryKind::Unanswered { ask } | EntryKind::Withdrawn { ask } => {
                    settled.push((ask.clone(), None))
                }
                EntryKind::Event { event, .. } => {
                    self.last_event =
                        json!({ "seq": entry.seq, "at": entry.at, "type": event.value()["type"] });
                }
                EntryKind::Ended { result } => self.result = result.clone(),
                _ => {}
            }
        }
        let (mut people, mut programs) = (Vec::new(), Vec::new());
        let mut round = None;
        for open in session.open_asks() {
            let ask = &open.call.ask;
            round = round.or(ask.round);
            if open.seat.kind != SeatKind::Human {
                programs.push(ask.seat.clone());
            } else if let Some(since) = open.since {
                let mut form = json!(open.call.form.as_ref().and_then(Formed::get));
                self.driver
                    .look(Role::Seat(ask.seat.clone()), |view| view.call_form(&mut form));
                people.push(OpenQuestion {
                    id: ask.id.clone(),
                    seat: ask.seat.clone(),
                    since,
                    ends: open.deadline,
                    form,
                });
            }
        }
        let status = session.status();
        let halt = if let Status::Halted(halt) = &status {
            Some(halt)
        } else {
            None
        };
        TableStatus {
            state: status.name().to_owned(),
            open: people,
            settled,
            step: self.step.seats(),
            left: self.step.left(),
            result: if status == Status::Ended {
                self.result.clone()
            } else {
                Value::Null
            },
            about: json!({
                "session": self.driver.id, "last": self.last_event, "halt": halt, "round": round,
                "asks": programs.first(),
            }),
        }
    }
}

/// Returns every fault of a room's plan, in a language.
#[wasm_bindgen(js_name = checkRoom)]
pub fn check_room(plan: &JsValue, language: Option<String>) -> Result<JsValue, JsValue> {
    let language = language
        .and_then(|name| Language::from_name(&name))
        .unwrap_or_default();
    let faults = plan::checked(&json_text(plan)?)
        .err()
        .map_or(Vec::new(), |error| error.0);
    Ok(to_js(
        &faults
            .iter()
            .map(|fault: &Fault| fault.message_in(language))
            .collect::<Value>(),
    ))
}
