//! Rooms for `room.js`. No I/O.

use super::error::lab_error;
use super::input::read;
use super::{from_js, to_js};
use crate::core::ask::Millis;
use crate::language::Language;
use crate::procedures::spec::fault::Fault;
use crate::room::plan::Plan;
use crate::room::{Effect, HostCommand, Room, TableStatus};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// The host's side of a room. Effects are returned as data, to be run in order.
#[wasm_bindgen]
pub struct RoomEngine(Room);

#[wasm_bindgen]
impl RoomEngine {
    pub fn open(plan: &JsValue, id: &str, at: f64) -> Result<RoomEngine, JsValue> {
        let config = from_js(plan)?;
        let plan = Plan::checked(&config)?;
        Ok(Self(Room::open(plan, config, id, at as Millis)))
    }

    pub fn restore(snapshot: &str, at: f64) -> Result<RoomEngine, JsValue> {
        Room::restore(snapshot, at as Millis)
            .map(Self)
            .map_err(|fault| lab_error("storage", &fault))
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
        Ok(effects_for_js(&self.0.receive(
            at as Millis,
            guest,
            bytes as usize,
            &message,
        )))
    }

    /// Takes the status of a table's session.
    #[wasm_bindgen(js_name = tableChanged)]
    pub fn table_changed(&mut self, at: f64, table: usize, status: &JsValue) -> Result<JsValue, JsValue> {
        let status: TableStatus = read("Room: status of a table", status)?;
        Ok(effects_for_js(&self.0.table_changed(at as Millis, table, status)))
    }

    /// Reports invalid values of an answer to the guest.
    pub fn refused(&mut self, ask: &str, message: &str, field: &str) -> JsValue {
        effects_for_js(&self.0.refused(ask, message, field))
    }

    /// Drops an answer that the session did not take.
    #[wasm_bindgen(js_name = dropPending)]
    pub fn drop_pending(&mut self, ask: &str) {
        self.0.drop_pending(ask);
    }

    /// Sends the view of a guest's seat since view `since`.
    #[wasm_bindgen(js_name = sendView)]
    pub fn send_view(
        &mut self,
        at: f64,
        guest: &str,
        since: f64,
        view: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let view = from_js(view)?;
        Ok(effects_for_js(&self.0.send_view(
            at as Millis,
            guest,
            since as u64,
            view,
        )))
    }

    /// Runs a host command: `{ done, effects }`.
    #[wasm_bindgen(js_name = hostCommand)]
    pub fn host_command(&mut self, at: f64, command: &JsValue) -> Result<JsValue, JsValue> {
        let command: HostCommand = read("Room: command", command)?;
        let (done, effects) = self.0.host_command(at as Millis, &command);
        Ok(to_js(&json!({ "done": done, "effects": effects })))
    }

    /// Advances the time; `heard`: guests could reach the host since the last call.
    pub fn tick(&mut self, at: f64, heard: bool) -> JsValue {
        effects_for_js(&self.0.tick(at as Millis, heard))
    }

    /// Sets by how much the clock is ahead of the date.
    #[wasm_bindgen(js_name = setAhead)]
    pub fn set_ahead(&mut self, ahead: f64) {
        self.0.set_ahead(ahead as Millis);
    }

    /// Time of the next `tick`.
    #[wasm_bindgen(getter)]
    pub fn deadline(&self) -> f64 {
        self.0.deadline() as f64
    }

    pub fn snapshot(&self) -> String {
        self.0.snapshot()
    }

    pub fn view(&self) -> JsValue {
        to_js(&self.0.view())
    }

    /// Returns personal data of guests.
    pub fn names(&self) -> JsValue {
        to_js(&self.0.names())
    }

    /// Returns the started tables: number, configuration, initial commands.
    pub fn begun(&self) -> JsValue {
        to_js(&json!(self.0.begun()))
    }
}

fn effects_for_js(effects: &[Effect]) -> JsValue {
    to_js(&json!(effects))
}

/// Returns every fault of a room's plan, in a language.
#[wasm_bindgen(js_name = checkRoom)]
pub fn check_room(plan: &JsValue, language: Option<String>) -> Result<JsValue, JsValue> {
    let language = language
        .and_then(|name| Language::from_name(&name))
        .unwrap_or_default();
    let faults = Plan::checked(&from_js(plan)?)
        .err()
        .map_or(Vec::new(), |error| error.0);
    Ok(to_js(
        &faults
            .iter()
            .map(|fault: &Fault| fault.message_in(language))
            .collect::<Value>(),
    ))
}
