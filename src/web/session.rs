//! `Session` as JS sees it: created, opened, imported or branched off, then run.

use super::driver::{Driver, store_error};
use super::error::lab_error;
use super::lock::Lock;
use super::options::{Options, read_keys};
use super::store::{DATABASE, Store};
use super::{discussion, from_js, to_js, view};
use crate::core::ask::Reply;
use crate::core::form::Fault;
use crate::core::record::{Command, Entry, ForkedFrom, What};
use crate::core::replay::Difference;
use crate::core::sight::Role;
use crate::core::{Outcome, Session as Engine};
use crate::export;
use crate::export::csv::Formulas;
use crate::export::tables::{TABLES, Tables};
use crate::procedures;
use crate::procedures::discussion::config::reseated;
use crate::procedures::spec::fault::ConfigError;
use js_sys::Reflect;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// A run and its record.
#[wasm_bindgen]
pub struct Session(pub(super) Rc<Driver>);

#[wasm_bindgen]
impl Session {
    /// Checks a configuration and stores the head of its record.
    pub async fn create(config: JsValue, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read(&options)?;
        let id = match &options.id {
            Some(id) => id.clone(),
            None => new_id()?,
        };
        let begun = procedures::begin(&from_js(&config)?, &id, options.now());
        let (engine, outcome) = begun.map_err(|error| config_error(&error))?;
        Self::keep(engine, &outcome, id, options).await
    }

    /// Opens a stored session.
    pub async fn open(id: String, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read(&options)?;
        let lock = take_lock(&id).await?;
        let store = open_store().await?;
        let record = load(&store, &id).await?;
        if record.is_empty() {
            return Err(lab_error(
                "unknown",
                "there is no session with this id in this browser",
                JsValue::NULL,
            ));
        }
        let (engine, outcome) = procedures::replay(&record).map_err(|difference| differs(&difference))?;
        let driver = Driver::new(engine, id, options, Some(store), Some(lock));
        driver.store_first(&outcome.entries).await?;
        driver.prepares_recorded().await;
        Ok(Session(driver))
    }

    /// Takes in an exported record.
    pub async fn import(text: String, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read(&options)?;
        let record = export::json::read(&text)
            .map_err(|error| lab_error("import", &error.to_string(), JsValue::NULL))?;
        let record: Vec<Rc<Entry>> = record.into_iter().map(Rc::new).collect();
        let id = match record.first().map(|entry| &entry.what) {
            Some(What::Started(started)) => started.session.clone(),
            _ => String::new(),
        };
        let (engine, _) = procedures::replay(&record).map_err(|difference| differs(&difference))?;
        let entries = engine.record();
        Self::keep_entries(engine, &entries, id, options).await
    }

    pub(super) async fn keep(
        engine: Engine,
        outcome: &Outcome,
        id: String,
        options: Options,
    ) -> Result<Session, JsValue> {
        Self::keep_entries(engine, &outcome.entries, id, options).await
    }

    /// Stores the entries of a session that is not in the store yet.
    async fn keep_entries(
        engine: Engine,
        entries: &[Rc<Entry>],
        id: String,
        options: Options,
    ) -> Result<Session, JsValue> {
        if options.in_memory {
            let driver = Driver::new(engine, id, options, None, None);
            driver.prepares_recorded().await;
            return Ok(Session(driver));
        }
        let lock = take_lock(&id).await?;
        let store = open_store().await?;
        if store
            .summary(&id)
            .await
            .map_err(|error| store_error(&error))?
            .is_some()
        {
            let message = "this browser has a session with this id already: open it from the library";
            return Err(lab_error("exists", message, id.as_str().into()));
        }
        let driver = Driver::new(engine, id, options, Some(store), Some(lock));
        driver.store_first(entries).await?;
        driver.prepares_recorded().await;
        Ok(Session(driver))
    }

    /// Its id.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.0.id.clone()
    }

    /// Where it stands.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> JsValue {
        self.0.status()
    }

    /// What it has used.
    #[wasm_bindgen(getter)]
    pub fn usage(&self) -> JsValue {
        self.0.usage()
    }

    /// What it has cost so far.
    pub fn costs(&self) -> JsValue {
        to_js(&crate::costs::tally::tally(&self.record()))
    }

    /// Its configuration.
    #[wasm_bindgen(getter)]
    pub fn config(&self) -> JsValue {
        to_js(&self.config_value())
    }

    fn config_value(&self) -> Value {
        match self.record().first().map(|entry| &entry.what) {
            Some(What::Started(started)) => started.config.clone(),
            _ => Value::Null,
        }
    }

    fn record(&self) -> Vec<Rc<Entry>> {
        self.0.session.borrow().record()
    }

    /// The record from an entry on.
    pub fn entries(&self, from: Option<f64>) -> JsValue {
        let from = from.unwrap_or(0.0).max(0.0) as usize;
        to_js(&self.record().get(from..).unwrap_or_default())
    }

    /// The run as a role sees it: all of it, or what changed since an earlier view's `number`.
    pub fn view(&self, role: &JsValue, since: Option<f64>) -> Result<JsValue, JsValue> {
        self.0.view(role, since)
    }

    /// An ask with its exact question, if that role may know it; null where there is none.
    pub fn asked(&self, ask: &str, role: &JsValue) -> Result<JsValue, JsValue> {
        self.0.asked(ask, role)
    }

    /// Runs to the end.
    pub fn run(&self, options: JsValue) -> js_sys::Promise {
        let signal = Reflect::get(&options, &"signal".into()).ok();
        let signal = signal.and_then(|signal| signal.dyn_into::<web_sys::AbortSignal>().ok());
        if signal.as_ref().is_some_and(web_sys::AbortSignal::aborted) {
            self.0.command(Command::Stop);
        }
        self.0.start();
        let finished = self.0.finished();
        if let Some(signal) = signal {
            stop_on_abort(&self.0, signal, &finished);
        }
        finished
    }

    /// Starts no further calls.
    pub fn pause(&self) {
        self.0.command(Command::Pause);
    }

    /// Goes on; failed calls are tried anew.
    pub fn resume(&self) {
        self.0.command(Command::Resume);
    }

    /// Lets one call through.
    pub fn step(&self) {
        self.0.command(Command::Step);
    }

    /// Cancels what is on its way and starts nothing more.
    pub fn stop(&self) {
        self.0.command(Command::Stop);
    }

    /// Changes the caps.
    pub fn limit(&self, caps: &JsValue) -> Result<(), JsValue> {
        let cap = |name: &str| {
            let cap = Reflect::get(caps, &name.into()).ok().and_then(|cap| cap.as_f64());
            cap.filter(|cap| *cap >= 0.0).map(|cap| cap as u64)
        };
        let money = Reflect::get(caps, &"maxCost".into())
            .ok()
            .and_then(|cap| cap.as_f64());
        let money = money.filter(|cap| *cap >= 0.0 && cap.is_finite());
        if let Some(money) = money {
            // What has no price fits under no cap on money.
            let mut config = self.config_value();
            if let Some(object) = config.as_object_mut() {
                object.insert("limits".to_owned(), json!({ "max_cost": money }));
            }
            procedures::check(&config).map_err(|error| config_error(&error))?;
        }
        self.0.command(Command::Limit {
            max_calls: cap("maxCalls"),
            max_tokens: cap("maxTokens"),
            max_cost: money,
        });
        Ok(())
    }

    /// Answers an open ask: by the values of its form, or by a text.
    pub fn answer(&self, ask: &str, given: &JsValue) -> Result<bool, JsValue> {
        if let Some(text) = given.as_string() {
            let reply = Reply {
                text,
                ..Reply::default()
            };
            return Ok(self.0.answer(ask, reply));
        }
        let Some(form) = self.0.form_of(ask) else {
            return Ok(false);
        };
        let reply = form.reply(&from_js(given)?).map_err(|fault| form_error(&fault))?;
        Ok(self.0.answer(ask, reply))
    }

    /// What the answer to an open ask would say in words; nothing happens.
    pub fn told(&self, ask: &str, values: &JsValue) -> Result<Option<String>, JsValue> {
        let Some(form) = self.0.form_of(ask) else {
            return Ok(None);
        };
        let reply = form
            .reply(&from_js(values)?)
            .map_err(|fault| form_error(&fault))?;
        Ok(Some(reply.text))
    }

    /// Notes that whoever runs the session looked at what only that participant may see.
    pub fn look(&self, seat: String) {
        self.0.command(Command::Look { seat });
    }

    /// Says something in a discussion: the answer to that seat's turn where a person's is open, else out
    /// of turn.
    pub fn say(&self, seat: &str, text: &str, request_id: Option<String>) -> Result<(), JsValue> {
        discussion::say(&self.0, seat, text, request_id.as_deref())
    }

    /// Others sit at the table of a discussion from now on.
    pub fn reseat(&self, table: JsValue) -> Result<(), JsValue> {
        let table = from_js(&table)?;
        discussion::of(&self.record())?;
        reseated(&self.config_value(), &table).map_err(|error| config_error(&error))?;
        self.0.command(Command::Reseat { table });
        Ok(())
    }

    /// Brings a discussion to its end.
    #[wasm_bindgen(js_name = closeDiscussion)]
    pub fn close_discussion(&self) -> Result<(), JsValue> {
        discussion::of(&self.record())?;
        self.0.command(Command::Close);
        Ok(())
    }

    /// Adds keys, replaces them, and forgets those that are `null`.
    #[wasm_bindgen(js_name = setKeys)]
    pub fn set_keys(&self, keys: &JsValue) {
        self.0.set_keys(read_keys(keys));
    }

    /// Milliseconds that scripted participants take.
    #[wasm_bindgen(js_name = setPace)]
    pub fn set_pace(&self, milliseconds: f64) {
        self.0.set_pace(milliseconds.clamp(0.0, 60_000.0) as u32);
    }

    /// Runs the record again, as it is stored, and compares.
    pub async fn verify(&self) -> Result<JsValue, JsValue> {
        let record = match self.0.store() {
            Some(store) => load(&store, &self.0.id).await?,
            None => self.record(),
        };
        Ok(to_js(&match procedures::replay(&record) {
            Ok((_, outcome)) if outcome.entries.is_empty() => {
                json!({ "verified": true, "entries": record.len() })
            }
            Ok((_, outcome)) => json!({
                "verified": false, "seq": record.len(), "recorded": null,
                "replayed": outcome.entries.first(), "message": "the record ends before all that follows from it",
            }),
            Err(difference) => json!({
                "verified": false, "seq": difference.seq, "recorded": difference.recorded,
                "replayed": difference.replayed, "message": told(&difference),
            }),
        }))
    }

    /// Branches off before an entry.
    pub async fn fork(&self, seq: f64, changes: JsValue, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read(&options)?;
        let record = self.record();
        let seq = (seq.max(1.0) as usize).min(record.len());
        let mut taken: Vec<Rc<Entry>> = record.iter().take(seq).cloned().collect();
        let change = |name: &str| Reflect::get(&changes, &name.into()).unwrap_or(JsValue::UNDEFINED);
        if let Some(text) = change("answer").as_string() {
            let Some(What::Answered { ask, attempt, reply }) =
                record.get(seq).map(|entry| entry.what.clone())
            else {
                let message = "only an answer can be replaced: branch at an entry of type answered";
                return Err(lab_error("input", message, JsValue::NULL));
            };
            // Another text is no longer what was filled in.
            let reply = Reply {
                text,
                values: None,
                answered_as: None,
                ..reply
            };
            let at = record.get(seq).map_or(0, |entry| entry.at);
            let what = What::Answered { ask, attempt, reply };
            taken.push(Rc::new(Entry {
                seq: seq as u64,
                at,
                what,
            }));
        }
        let mut config = self.config_value();
        let changed = change("config");
        if changed.is_object()
            && let (Value::Object(config), Value::Object(changed)) = (&mut config, from_js(&changed)?)
        {
            config.extend(changed);
        }
        let id = match &options.id {
            Some(id) => id.clone(),
            None => new_id()?,
        };
        let from = ForkedFrom {
            session: self.0.id.clone(),
            seq: seq as u64,
        };
        let branched = procedures::branch(&config, &id, from, &taken, options.now());
        let (engine, outcome, _) = branched.map_err(|error| config_error(&error))?;
        Self::keep(engine, &outcome, id, options).await
    }

    /// The record as a file, or what a role sees of it.
    pub async fn export(&self, format: &str, options: JsValue) -> Result<JsValue, JsValue> {
        export_as(format, &self.record(), &options).await
    }

    /// Gives the session back; its record stays. Resolved when all is stored.
    pub fn close(&self) -> js_sys::Promise {
        self.0.close()
    }
}

/// Stops a run when the signal says so, until it is finished.
fn stop_on_abort(driver: &Rc<Driver>, signal: web_sys::AbortSignal, finished: &js_sys::Promise) {
    let stopped = Rc::clone(driver);
    let stop = Closure::<dyn FnMut()>::new(move || stopped.command(Command::Stop));
    let _ = signal.add_event_listener_with_callback("abort", stop.as_ref().unchecked_ref());
    let finished = JsFuture::from(finished.clone());
    spawn_local(async move {
        let _ = finished.await;
        let _ = signal.remove_event_listener_with_callback("abort", stop.as_ref().unchecked_ref());
    });
}

/// Tables as JS options want them.
fn wanted_tables(options: &JsValue) -> Result<Tables, JsValue> {
    Ok(Tables::new(formulas(options), role_of(options)?))
}

fn role_of(options: &JsValue) -> Result<Role, JsValue> {
    view::role(&Reflect::get(options, &"role".into()).unwrap_or_default())
}

/// What is done with text that a spreadsheet would take for a formula, by the `formulas` of JS options.
fn formulas(options: &JsValue) -> Formulas {
    let is_asked = Reflect::get(options, &"formulas".into()).is_ok_and(|value| value.is_truthy());
    if is_asked {
        Formulas::AsTheyAre
    } else {
        Formulas::Guarded
    }
}

/// The record as a file for JS.
pub(crate) async fn export_as(
    format: &str,
    record: &[Rc<Entry>],
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    let role = role_of(options)?;
    if format == "view" {
        return Ok(file_for_js(&export::view(record, role)));
    }
    if format == "zip" || export::Format::is_table(format) {
        let mut tables = wanted_tables(options)?;
        tables.add(record).map_err(|error| fails(&error.to_string()))?;
        return tables_as(format, &tables).await;
    }
    if role != Role::Owner {
        return Err(fails(&format!(
            "{format:?} is for whoever runs the session: others have \"view\" and tables"
        )));
    }
    let known = export::Format::from_name(format).ok_or_else(|| fails(&unknown(format)))?;
    let file = export::export(known, record).map_err(|error| fails(&error.to_string()))?;
    Ok(file_for_js(&file))
}

/// The records of many sessions in one set of tables, as a file for JS.
pub(crate) async fn export_all(
    format: &str,
    ids: &[String],
    store: &Store,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    if format != "zip" && !export::Format::is_table(format) {
        return Err(fails(
            "several sessions go into tables only: zip, or the name of a table",
        ));
    }
    let mut tables = wanted_tables(options)?;
    for id in ids {
        let record = load(store, id).await?;
        tables
            .add(&record)
            .map_err(|error| fails(&format!("session {id:?}: {error}")))?;
    }
    tables_as(format, &tables).await
}

async fn tables_as(format: &str, tables: &Tables) -> Result<JsValue, JsValue> {
    if let Some(file) = export::Format::from_name(format).and_then(|format| tables.table(format)) {
        return Ok(file_for_js(&file));
    }
    let files: js_sys::Array = tables.files().iter().map(file_for_js).collect();
    let bytes = JsFuture::from(zipped(&files)).await?;
    let file = to_js(&json!({ "name": tables.name(".zip"), "type": "application/zip" }));
    Reflect::set(&file, &"bytes".into(), &bytes)?;
    Ok(file)
}

fn file_for_js(file: &export::File) -> JsValue {
    to_js(&json!({ "name": file.name, "type": file.media_type, "text": file.text }))
}

fn unknown(format: &str) -> String {
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    format!(
        "{format:?} is not a format: json, jsonl, md, published, zip, {}",
        names.join(", ")
    )
}

fn fails(message: &str) -> JsValue {
    lab_error("export", message, JsValue::NULL)
}

#[wasm_bindgen(module = "/src/web/zip.js")]
extern "C" {
    fn zipped(files: &js_sys::Array) -> js_sys::Promise;
}

/// The stored record of a session; empty where there is none.
pub(crate) async fn load(store: &Store, id: &str) -> Result<Vec<Rc<Entry>>, JsValue> {
    let lines = store.load(id).await.map_err(|error| store_error(&error))?;
    let read = |(seq, line): (usize, &String)| {
        serde_json::from_str(line).map(Rc::new).map_err(|fault| {
            let message = format!("entry {seq} of the stored record cannot be read: {fault}");
            lab_error("storage", &message, JsValue::NULL)
        })
    };
    lines.iter().enumerate().map(read).collect()
}

pub(crate) async fn open_store() -> Result<Store, JsValue> {
    Store::open(DATABASE).await.map_err(|error| store_error(&error))
}

/// The right to run a session.
pub(crate) async fn take_lock(id: &str) -> Result<Lock, JsValue> {
    let message = "this session is open in another tab; close it there first";
    Lock::acquire(id)
        .await
        .ok_or_else(|| lab_error("locked", message, JsValue::NULL))
}

/// A random id of 128 bits in hex.
pub(super) fn new_id() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| {
        lab_error(
            "input",
            "this browser gives no random numbers; hand in an id",
            JsValue::NULL,
        )
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is wrong with the values of an answer.
fn form_error(fault: &Fault) -> JsValue {
    lab_error("form", &fault.message, to_js(fault))
}

pub(super) fn config_error(error: &ConfigError) -> JsValue {
    lab_error("config", &error.to_string(), to_js(&error.0))
}

fn differs(difference: &Difference) -> JsValue {
    let detail = json!({
        "seq": difference.seq, "recorded": difference.recorded, "replayed": difference.replayed,
    });
    lab_error("differs", &told(difference), to_js(&detail))
}

fn told(difference: &Difference) -> String {
    let wrote = difference.recorded.as_ref().and_then(|entry| match &entry.what {
        What::Started(started) if started.engine != procedures::ENGINE => Some(started.engine.clone()),
        _ => None,
    });
    let hint = wrote.map_or(String::new(), |wrote| format!(" (it was written by {wrote})"));
    format!(
        "entry {} of the record is not what follows from the entries before it, by {}{hint}",
        difference.seq,
        procedures::ENGINE
    )
}
