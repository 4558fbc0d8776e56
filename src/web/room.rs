//! Rooms as `room.js` drives them, a part of the module. Sends nothing and keeps nothing itself.

use super::error::lab_error;
use super::{from_js, parts, to_js};
use crate::core::ask::Millis;
use crate::language::Language;
use crate::procedures::spec::fault::Fault;
use crate::room::plan::Plan;
use crate::room::{Effect, Room, Stands, Wish};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

type Told = Result<JsValue, JsValue>;

/// A room as JS has it.
trait Acts {
    fn heard(&mut self, at: f64, guest: &str, bytes: f64, message: &JsValue) -> Told;
    fn changed(&mut self, at: f64, table: usize, stands: &JsValue) -> Told;
    fn refused(&mut self, ask: &str, message: &str, field: &str) -> JsValue;
    fn unheard(&mut self, ask: &str);
    fn shown(&mut self, at: f64, guest: &str, since: f64, view: &JsValue) -> Told;
    fn wishes(&mut self, at: f64, wish: &JsValue) -> Told;
    fn tick(&mut self, at: f64, heard: bool) -> JsValue;
    fn deadline(&self) -> f64;
    fn snapshot(&self) -> String;
    fn view(&self) -> JsValue;
    fn names(&self) -> JsValue;
    fn begun(&self) -> JsValue;
}

type Opened = Result<Box<dyn Acts>, JsValue>;

pub(crate) struct Rooms {
    open: fn(Value, &str, f64) -> Opened,
    restore: fn(&str, f64) -> Opened,
    check: fn(&JsValue, Option<String>) -> Told,
}

part!(rooms: Rooms = Rooms { open, restore, check });

fn open(config: Value, id: &str, at: f64) -> Opened {
    let plan = Plan::read(&config)?;
    Ok(Box::new(Room::open(plan, config, id, at as Millis)))
}

fn restore(snapshot: &str, at: f64) -> Opened {
    match Room::restore(snapshot, at as Millis) {
        Ok(room) => Ok(Box::new(room)),
        Err(fault) => Err(lab_error("storage", &fault)),
    }
}

/// With the procedure of a room's session.
async fn loaded(config: &Value) -> Result<&'static Rooms, JsValue> {
    parts::for_config(&config["session"]).await?;
    let _ = rooms::load().await;
    parts::now(rooms::get(), "rooms")
}

impl Acts for Room {
    fn heard(&mut self, at: f64, guest: &str, bytes: f64, message: &JsValue) -> Told {
        let message = from_js(message)?;
        Ok(told(&self.heard(at as Millis, guest, bytes as usize, &message)))
    }

    fn changed(&mut self, at: f64, table: usize, stands: &JsValue) -> Told {
        let stands: Stands = read(stands)?;
        Ok(told(&self.table_changed(at as Millis, table, stands)))
    }

    fn refused(&mut self, ask: &str, message: &str, field: &str) -> JsValue {
        told(&self.refused(ask, message, field))
    }

    fn unheard(&mut self, ask: &str) {
        self.unheard(ask);
    }

    fn shown(&mut self, at: f64, guest: &str, since: f64, view: &JsValue) -> Told {
        let view = from_js(view)?;
        Ok(told(&self.shown(at as Millis, guest, since as u64, view)))
    }

    fn wishes(&mut self, at: f64, wish: &JsValue) -> Told {
        let wish: Wish = read(wish)?;
        let (done, effects) = self.wishes(at as Millis, &wish);
        Ok(to_js(&json!({ "done": done, "effects": effects })))
    }

    fn tick(&mut self, at: f64, heard: bool) -> JsValue {
        told(&self.tick(at as Millis, heard))
    }

    fn deadline(&self) -> f64 {
        self.deadline() as f64
    }

    fn snapshot(&self) -> String {
        self.snapshot()
    }

    fn view(&self) -> JsValue {
        to_js(&self.view())
    }

    fn names(&self) -> JsValue {
        to_js(&self.names())
    }

    fn begun(&self) -> JsValue {
        to_js(&json!(self.begun()))
    }
}

/// The host's side of a room. Effects come as data, to be done in their order.
#[wasm_bindgen]
pub struct RoomEngine(Box<dyn Acts>);

#[wasm_bindgen]
impl RoomEngine {
    /// A new room by a plan.
    pub async fn open(plan: JsValue, id: String, at: f64) -> Result<RoomEngine, JsValue> {
        let config = from_js(&plan)?;
        let able = loaded(&config).await?;
        (able.open)(config, &id, at).map(Self)
    }

    /// The room of a snapshot.
    pub async fn restore(snapshot: String, at: f64) -> Result<RoomEngine, JsValue> {
        let kept: Value = serde_json::from_str(&snapshot).unwrap_or_default();
        let able = loaded(&kept["config"]).await?;
        (able.restore)(&snapshot, at).map(Self)
    }

    /// A guest said something.
    pub fn heard(&mut self, at: f64, guest: &str, bytes: f64, message: &JsValue) -> Result<JsValue, JsValue> {
        self.0.heard(at, guest, bytes, message)
    }

    /// How a table stands.
    pub fn changed(&mut self, at: f64, table: usize, stands: &JsValue) -> Result<JsValue, JsValue> {
        self.0.changed(at, table, stands)
    }

    /// What is wrong with the values of an answer.
    pub fn refused(&mut self, ask: &str, message: &str, field: &str) -> JsValue {
        self.0.refused(ask, message, field)
    }

    /// A session did not take an answer.
    pub fn unheard(&mut self, ask: &str) {
        self.0.unheard(ask);
    }

    /// The view of a guest's seat since that number.
    pub fn shown(&mut self, at: f64, guest: &str, since: f64, view: &JsValue) -> Result<JsValue, JsValue> {
        self.0.shown(at, guest, since, view)
    }

    /// What the host wants: `{ done, effects }`.
    pub fn wishes(&mut self, at: f64, wish: &JsValue) -> Result<JsValue, JsValue> {
        self.0.wishes(at, wish)
    }

    /// Time has passed; whether guests could be heard all the while.
    pub fn tick(&mut self, at: f64, heard: bool) -> JsValue {
        self.0.tick(at, heard)
    }

    /// When to tell the time again.
    #[wasm_bindgen(getter)]
    pub fn deadline(&self) -> f64 {
        self.0.deadline()
    }

    /// What is to be kept.
    pub fn snapshot(&self) -> String {
        self.0.snapshot()
    }

    /// What the console shows.
    pub fn view(&self) -> JsValue {
        self.0.view()
    }

    /// What is known of people.
    pub fn names(&self) -> JsValue {
        self.0.names()
    }

    /// Tables that have begun: number, configuration, what their sessions begin with.
    pub fn begun(&self) -> JsValue {
        self.0.begun()
    }
}

fn told(effects: &[Effect]) -> JsValue {
    to_js(&json!(effects))
}

fn read<T: serde::de::DeserializeOwned>(value: &JsValue) -> Result<T, JsValue> {
    serde_json::from_value(from_js(value)?).map_err(|fault| lab_error("input", &fault.to_string()))
}

/// Every fault of a plan for a room, told in a language.
#[wasm_bindgen(js_name = checkRoom)]
pub fn check_room(plan: &JsValue, language: Option<String>) -> Result<JsValue, JsValue> {
    (parts::now(rooms::get(), "rooms")?.check)(plan, language)
}

fn check(plan: &JsValue, language: Option<String>) -> Told {
    let language = language
        .and_then(|name| Language::from_name(&name))
        .unwrap_or_default();
    let faults = Plan::read(&from_js(plan)?)
        .err()
        .map_or(Vec::new(), |error| error.0);
    Ok(to_js(
        &faults
            .iter()
            .map(|fault: &Fault| fault.told(language))
            .collect::<Value>(),
    ))
}
