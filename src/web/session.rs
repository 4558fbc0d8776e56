//! `Session` for JS: created, opened, imported or forked, then run.

use super::driver::{Driver, other_engine};
use super::error::{detailed, lab_error};
use super::exports::{export_as, read_file};
use super::input::{input, number, read, read_if_given, read_options};
use super::options::{Options, Place, read_keys};
use super::signature::{self, SignatureCheck};
use super::store::{Store, StoreCode, StoreError};
use super::timer::yield_to_event_loop;
use super::{discussion, from_js, to_js};
use crate::core::ask::{Millis, Reply};
use crate::core::ask_log::{AskLog, AskLogs};
use crate::core::codec::{Reader, Writer, hex};
use crate::core::form::{Fault, Formed};
use crate::core::record::{Command, Entry, EntryKind, ForkedFrom};
use crate::core::replay::Difference;
use crate::core::{Outcome, Session as Engine};
use crate::procedures;
use crate::procedures::spec::fault::ConfigError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[derive(Default, Deserialize)]
#[serde(default)]
struct RunOptions {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    signal: JsValue,
    attended: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Caps {
    #[serde(deserialize_with = "number")]
    max_calls: Option<f64>,
    #[serde(deserialize_with = "number")]
    max_tokens: Option<f64>,
    #[serde(deserialize_with = "number")]
    max_cost: Option<f64>,
}

/// Changes of a fork.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Changes {
    answer: Option<String>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    config: JsValue,
}

/// A run and its record.
#[wasm_bindgen]
pub struct Session(pub(super) Rc<Driver>);

#[wasm_bindgen]
impl Session {
    /// Checks a configuration and stores the head of its record.
    pub async fn create(config: JsValue, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read("Session.create", &options)?;
        let id = match &options.id {
            Some(id) => id.clone(),
            None => new_id()?,
        };
        let config = from_js(&config)?;
        yield_to_event_loop().await;
        let (engine, outcome) = procedures::begin(&config, &id, options.now())?;
        Self::store_new(engine, &outcome, id, options).await
    }

    /// Opens a stored session. An ended one is shown as stored; others are replayed to continue them.
    pub async fn open(id: String, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read("Session.open", &options)?;
        let lock = options.place.lock(&id).await?;
        let store = options.place.open().await?;
        let (record, writer) = load_with_writer(&store, &id).await?;
        if record.is_empty() {
            let place = options.place.name();
            let message = format!("there is no session with this id in {place}");
            return Err(lab_error("unknown", &message));
        }
        let (engine, outcome) = match procedures::ended(&record) {
            Some(engine) => (engine, None),
            None => replay(&record).await?,
        };
        let driver = Driver::new(
            engine,
            (writer, record.len()),
            id,
            options,
            Some(store),
            Some(lock),
        );
        if let Some(outcome) = outcome {
            driver.store_first(&outcome.entries).await?;
        }
        driver.prepare_recorded().await;
        Ok(Session(driver))
    }

    /// Imports an exported record.
    pub async fn import(text: String, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read("Session.import", &options)?;
        let (record, signature) = read_file(&text).await?;
        let record: Vec<Rc<Entry>> = record.into_iter().map(Rc::new).collect();
        let signature = signature.map(|signature| signature.to_string());
        if let Some(signature) = &signature
            && signature::check(signature, &record).await.is_wrong()
        {
            let message = "signature does not match this record: one of them was altered";
            return Err(lab_error("import", message));
        }
        let id = match record.first().map(|entry| &entry.what) {
            Some(EntryKind::Started(started)) => started.session.clone(),
            _ => String::new(),
        };
        let (engine, _) = replay(&record).await?;
        let entries = engine.record();
        let session = Self::store_entries(engine, &entries, id, options).await?;
        if let (Some(signature), Some(store)) = (signature, session.0.store()) {
            store.put_signature(&session.0.id, &signature).await?;
        }
        Ok(session)
    }

    pub(super) async fn store_new(
        engine: Engine,
        outcome: &Outcome,
        id: String,
        options: Options,
    ) -> Result<Session, JsValue> {
        Self::store_entries(engine, &outcome.entries, id, options).await
    }

    /// Stores the entries of a new session.
    async fn store_entries(
        engine: Engine,
        entries: &[Rc<Entry>],
        id: String,
        options: Options,
    ) -> Result<Session, JsValue> {
        if matches!(options.place, Place::Memory) {
            let driver = Driver::new(engine, Default::default(), id, options, None, None);
            driver.prepare_recorded().await;
            return Ok(Session(driver));
        }
        let lock = options.place.lock(&id).await?;
        let store = options.place.open().await?;
        if store.has(&id).await? {
            let place = options.place.name();
            let message = format!("a session with this id exists in {place}: open it, or choose another id");
            return Err(detailed("exists", &message, id.as_str().into()));
        }
        let driver = Driver::new(engine, Default::default(), id, options, Some(store), Some(lock));
        driver.store_first(entries).await?;
        driver.prepare_recorded().await;
        Ok(Session(driver))
    }

    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.0.id.clone()
    }

    /// The engine that wrote the record, if it is another one: then it cannot be run here.
    #[wasm_bindgen(getter, js_name = onlyFor)]
    pub fn only_for(&self) -> Option<String> {
        self.0.session.borrow().only_for().map(str::to_owned)
    }

    /// State, open asks and errors.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> JsValue {
        self.0.status()
    }

    /// Calls and tokens used.
    #[wasm_bindgen(getter)]
    pub fn usage(&self) -> JsValue {
        self.0.usage()
    }

    /// Returns the cost so far.
    pub fn costs(&self) -> JsValue {
        let record = self.record();
        to_js(&json!(crate::costs::tally::tally(&record, &AskLogs::of(&record))))
    }

    #[wasm_bindgen(getter)]
    pub fn config(&self) -> JsValue {
        to_js(&self.config_value())
    }

    /// Loads the record with its writer and signature; once more over a new connection if this one was closed.
    async fn load_signed(&self, store: &Store) -> Result<SignedRecord, LoadError> {
        match load_signed(store, &self.0.id).await {
            Err(LoadError::Store(error)) if error.code == StoreCode::Unavailable => {
                let again = self.0.reconnect().await.map_err(LoadError::Store)?;
                load_signed(&again, &self.0.id).await
            }
            loaded => loaded,
        }
    }

    fn config_value(&self) -> Value {
        match self.record().first().map(|entry| &entry.what) {
            Some(EntryKind::Started(started)) => started.config.clone(),
            _ => Value::Null,
        }
    }

    fn record(&self) -> Vec<Rc<Entry>> {
        self.0.session.borrow().record()
    }

    /// Returns the entries from an index on.
    pub fn entries(&self, from: Option<f64>) -> JsValue {
        let from = from.unwrap_or(0.0).max(0.0) as usize;
        self.0.data(from, usize::MAX).into()
    }

    /// Returns the view of a role: all of it, or the changes since an earlier view's `number`.
    pub fn view(
        &self,
        role: &JsValue,
        since: Option<f64>,
        language: Option<String>,
    ) -> Result<JsValue, JsValue> {
        self.0.view(role, since, language)
    }

    /// Returns an ask with its exact question, if it is visible to the role; otherwise null.
    pub fn asked(&self, ask: &str, role: &JsValue) -> Result<JsValue, JsValue> {
        self.0.asked(ask, role)
    }

    /// Runs to the end.
    pub fn run(&self, options: &JsValue) -> Result<js_sys::Promise, JsValue> {
        let RunOptions { signal, attended } = read_options("Session.run: options", options)?;
        let signal = match signal.dyn_into::<web_sys::AbortSignal>() {
            Ok(signal) => Some(signal),
            Err(missing) if missing.is_undefined() => None,
            Err(_) => return Err(input("Session.run: options.signal must be an AbortSignal")),
        };
        if signal.as_ref().is_some_and(web_sys::AbortSignal::aborted) {
            self.0.command(Command::Stop);
        }
        self.0.start();
        let finished = self.0.finished(attended);
        if let Some(signal) = signal {
            stop_on_abort(&self.0, signal, &finished);
        }
        Ok(finished)
    }

    /// Starts no further calls.
    pub fn pause(&self) {
        self.0.command(Command::Pause);
    }

    /// Continues; failed calls are retried.
    pub fn resume(&self) {
        self.0.command(Command::Resume);
    }

    /// Retries storing at once, beside the automatic retries.
    #[wasm_bindgen(js_name = storeAgain)]
    pub fn store_again(&self) {
        self.0.store_again();
    }

    /// Lets one call through.
    pub fn step(&self) {
        self.0.command(Command::Step);
    }

    /// Cancels calls in progress and starts no more.
    pub fn stop(&self) {
        self.0.command(Command::Stop);
    }

    /// Changes the caps.
    pub fn limit(&self, caps: &JsValue) -> Result<(), JsValue> {
        let Caps {
            max_calls,
            max_tokens,
            max_cost: money,
        } = read_options("Session.limit: caps", caps)?;
        if let Some(money) = money {
            // Models without a price are not allowed under a cap on cost.
            let mut config = self.config_value();
            if let Some(object) = config.as_object_mut() {
                object.insert("limits".to_owned(), json!({ "max_cost": money }));
            }
            procedures::check(&config)?;
        }
        self.0.command(Command::Limit {
            max_calls: max_calls.map(|cap| cap as u64),
            max_tokens: max_tokens.map(|cap| cap as u64),
            max_cost: money,
        });
        Ok(())
    }

    /// Answers an open ask with form values or a text, and an optional id of the sender.
    pub fn answer(&self, ask: &str, given: &JsValue, request_id: Option<String>) -> Result<bool, JsValue> {
        let form = self.0.form_of(ask);
        let reply = match (given.as_string(), form.as_ref().and_then(Formed::get)) {
            (Some(text), _) => Reply {
                text,
                ..Reply::default()
            },
            (None, Some(form)) => form.reply(&from_js(given)?).map_err(|fault| form_error(&fault))?,
            (None, None) => return Ok(false),
        };
        Ok(self.0.answer(ask, Reply { request_id, ..reply }))
    }

    /// Changes who answers in a person's seat, or skips a question.
    pub fn seating(&self, command: &JsValue) -> Result<(), JsValue> {
        let command = read("Session.seating: command", command);
        let is_seat_command = |command: &Command| {
            matches!(
                command,
                Command::Guest { .. }
                    | Command::StandIn { .. }
                    | Command::TakeBack { .. }
                    | Command::Skip { .. }
            )
        };
        let Some(command) = command.ok().filter(is_seat_command) else {
            let message = "invalid seat command: `do` must be guest, stand_in, take_back or skip";
            return Err(lab_error("input", message));
        };
        self.0.command(command);
        Ok(())
    }

    /// Returns the text of a form's values, without submitting them.
    #[wasm_bindgen(js_name = previewAnswer)]
    pub fn preview_answer(&self, ask: &str, values: &JsValue) -> Result<Option<String>, JsValue> {
        let form = self.0.form_of(ask);
        let Some(form) = form.as_ref().and_then(Formed::get) else {
            return Ok(None);
        };
        let reply = form
            .reply(&from_js(values)?)
            .map_err(|fault| form_error(&fault))?;
        Ok(Some(reply.text))
    }

    /// Records that the owner looked at a participant's private view.
    pub fn look(&self, seat: String) {
        self.0.command(Command::Look { seat });
    }

    /// Records the owner's reading of an unreadable answer. Returns `false` if there is no such answer.
    pub fn annotate(&self, ask: &str, values: JsValue) -> Result<bool, JsValue> {
        let asks = AskLogs::of(&self.record());
        let is_unread = asks.find(ask).is_some_and(AskLog::is_unread);
        if is_unread {
            self.0.command(Command::Annotate {
                ask: ask.to_owned(),
                values: from_js(&values)?,
            });
        }
        Ok(is_unread)
    }

    /// Sends a message to a discussion: as the answer to the seat's open turn, else out of turn.
    pub fn say(&self, seat: &str, text: &str, request_id: Option<String>) -> Result<(), JsValue> {
        discussion::say(&self.0, seat, text, request_id.as_deref())
    }

    /// Replaces the participants of a discussion.
    pub fn reseat(&self, table: JsValue) -> Result<(), JsValue> {
        let table = from_js(&table)?;
        discussion::view_of(&self.record())?;
        procedures::discussion::settings::reseated(&self.config_value(), &table)?;
        self.0.command(Command::Reseat { table });
        Ok(())
    }

    /// Ends a discussion.
    #[wasm_bindgen(js_name = closeDiscussion)]
    pub fn close_discussion(&self) -> Result<(), JsValue> {
        discussion::view_of(&self.record())?;
        self.0.command(Command::Close);
        Ok(())
    }

    /// Adds and replaces keys, and removes those that are `null`.
    #[wasm_bindgen(js_name = setKeys)]
    pub fn set_keys(&self, keys: &JsValue) -> Result<(), JsValue> {
        self.0.set_keys(read_keys("Session.setKeys: keys", keys)?);
        Ok(())
    }

    /// Returns the time by the session's clock, in milliseconds since 1970.
    pub fn now(&self) -> f64 {
        self.0.now() as f64
    }

    /// Sets the milliseconds per scripted answer, and the time before which no call is sent.
    #[wasm_bindgen(js_name = setPace)]
    pub fn set_pace(&self, milliseconds: f64, held_until: Option<f64>) {
        let held_for = (held_until.unwrap_or_default() - js_sys::Date::now()).max(0.0);
        let held_until = self.0.now() + held_for as Millis;
        self.0
            .set_pace(milliseconds.clamp(0.0, 60_000.0) as u32, held_until);
    }

    /// Replays the stored record and compares, and verifies its signature.
    pub async fn verify(&self) -> Result<JsValue, JsValue> {
        let (record, hash, signature) = match self.0.store() {
            Some(store) => match self.load_signed(&store).await {
                Ok((record, writer, signature)) => (record, writer.hash(), signature),
                Err(LoadError::Line(seq, message)) => {
                    return Ok(to_js(&json!({
                        "verified": false, "intact": false, "seq": seq, "recorded": null, "replayed": null,
                        "message": message, "signature": null,
                    })));
                }
                Err(LoadError::Store(error)) => return Err(error.into()),
            },
            None => {
                let record = self.record();
                let hash = signature::hash_of(&record).await;
                (record, hash, None)
            }
        };
        let signature = match signature {
            Some(signature) => Some(signature::check(&signature, &record).await),
            None => None,
        };
        let mut found = match replay(&record).await {
            Ok((_, Some(outcome))) if outcome.entries.is_empty() => json!({ "verified": true }),
            Ok((_, Some(outcome))) => json!({
                "verified": false, "seq": record.len(), "recorded": null,
                "replayed": outcome.entries.first(), "message": "the record ends before its replay",
            }),
            Ok((session, None)) => json!({
                "verified": false, "seq": 0, "recorded": null, "replayed": null,
                "message": session.only_for().map(other_engine),
            }),
            Err(difference) => json!({
                "verified": false, "seq": difference.seq, "recorded": difference.recorded,
                "replayed": difference.replayed, "message": describe_difference(&difference),
            }),
        };
        if signature.as_ref().is_some_and(SignatureCheck::is_wrong) {
            found["verified"] = false.into();
            found["seq"] = json!(record.len());
            found["message"] = json!("signature does not match this record: one of them was altered");
        }
        found["intact"] = true.into();
        found["entries"] = json!(record.len());
        found["hash"] = json!(hash);
        found["signature"] = json!(signature);
        Ok(to_js(&found))
    }

    /// Branches off before an entry.
    pub async fn fork(&self, seq: f64, changes: JsValue, options: JsValue) -> Result<Session, JsValue> {
        let options = Options::read("Session.fork", &options)?;
        let record = self.record();
        let seq = (seq.max(1.0) as usize).min(record.len());
        let mut entries: Vec<Rc<Entry>> = record.iter().take(seq).cloned().collect();
        let changes: Changes = read_options("Session.fork: changes", &changes)?;
        if let Some(text) = changes.answer {
            let Some(EntryKind::Answered { ask, attempt, reply }) =
                record.get(seq).map(|entry| entry.what.clone())
            else {
                let message = "only an answer can be replaced: branch at an entry of type answered";
                return Err(lab_error("input", message));
            };
            // The replaced text does not match the form values.
            let reply = Reply {
                text,
                values: None,
                answered_as: None,
                ..reply
            };
            let at = record.get(seq).map_or(0, |entry| entry.at);
            let what = EntryKind::Answered { ask, attempt, reply };
            entries.push(Rc::new(Entry {
                seq: seq as u64,
                at,
                what,
            }));
        }
        let mut config = self.config_value();
        let changed: Option<Value> = read_if_given("Session.fork: changes.config", &changes.config)?;
        if let (Value::Object(config), Some(Value::Object(changed))) = (&mut config, changed) {
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
        let (engine, outcome, _) = procedures::branch(&config, &id, from, &entries, options.now())?;
        Self::store_new(engine, &outcome, id, options).await
    }

    /// Exports the record, signed as JSON or JSONL; or the view of a role.
    pub async fn export(&self, format: &str, options: JsValue) -> Result<JsValue, JsValue> {
        let store = self.0.store();
        let kept = store.as_deref().map(|store| (store, self.0.id.as_str()));
        export_as(format, &self.record(), kept, &options).await
    }

    /// Closes the session and keeps its record. Resolves when everything is stored.
    pub fn close(&self) -> js_sys::Promise {
        self.0.close()
    }
}

/// Stops a run when the signal is aborted, until it is finished.
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

/// Why a stored record could not be loaded.
pub(crate) enum LoadError {
    Store(StoreError),
    /// The entry with this number was altered or is unreadable.
    Line(usize, String),
}

impl From<LoadError> for JsValue {
    fn from(unread: LoadError) -> Self {
        match unread {
            LoadError::Store(error) => error.into(),
            LoadError::Line(seq, message) => detailed("altered", &message, (seq as f64).into()),
        }
    }
}

/// Reads a stored record.
pub(crate) async fn read_record(lines: Vec<String>) -> Result<Vec<Rc<Entry>>, JsValue> {
    let read = read_lines(&lines).await;
    read.map(|(record, _)| record).map_err(Into::into)
}

/// A record, its writer and the signature beside it.
type SignedRecord = (Vec<Rc<Entry>>, Writer, Option<String>);

async fn load_signed(store: &Store, id: &str) -> Result<SignedRecord, LoadError> {
    let (record, writer) = load_with_writer(store, id).await?;
    let signature = store.signature(id).await.map_err(LoadError::Store)?;
    Ok((record, writer, signature))
}

/// Loads the record of a session, and the writer for further entries.
pub(crate) async fn load_with_writer(store: &Store, id: &str) -> Result<(Vec<Rc<Entry>>, Writer), LoadError> {
    let lines = store.load(id).await.map_err(LoadError::Store)?;
    read_lines(&lines).await
}

async fn read_lines(lines: &[String]) -> Result<(Vec<Rc<Entry>>, Writer), LoadError> {
    let mut reader = Reader::default();
    let mut record = Vec::with_capacity(lines.len());
    for (seq, line) in lines.iter().enumerate() {
        yield_to_event_loop().await;
        let entry = reader.entry(line).map_err(|fault| {
            let message = format!("entry {seq} of the stored record cannot be read: {fault}");
            LoadError::Line(seq, message)
        })?;
        record.push(Rc::new(entry));
    }
    Ok((record, reader.into_writer()))
}

/// Replays a record, yielding between steps. A record of another engine is shown only.
async fn replay(record: &[Rc<Entry>]) -> Result<(Engine, Option<Outcome>), Box<Difference>> {
    if let Some(session) = procedures::foreign(record) {
        return Ok((session, None));
    }
    let mut replay = procedures::begin_replay(record)?;
    while replay.step()? {
        yield_to_event_loop().await;
    }
    let (session, outcome) = replay.end();
    Ok((session, Some(outcome)))
}

/// Returns a random id of 128 bits in hex.
pub(super) fn new_id() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|_| {
        lab_error(
            "input",
            "no random numbers are available: pass an id in the options",
        )
    })?;
    Ok(hex(&bytes))
}

/// Converts a fault in the values of an answer.
fn form_error(fault: &Fault) -> JsValue {
    detailed("form", &fault.message, to_js(&json!(fault)))
}

impl From<ConfigError> for JsValue {
    fn from(error: ConfigError) -> Self {
        detailed("config", &error.to_string(), to_js(&json!(error.0)))
    }
}

impl From<Box<Difference>> for JsValue {
    fn from(difference: Box<Difference>) -> Self {
        let detail = json!({
            "seq": difference.seq, "recorded": difference.recorded, "replayed": difference.replayed,
        });
        detailed("differs", &describe_difference(&difference), to_js(&detail))
    }
}

fn describe_difference(difference: &Difference) -> String {
    let writer = difference.recorded.as_ref().and_then(|entry| match &entry.what {
        EntryKind::Started(started) if started.engine != procedures::ENGINE => Some(started.engine.clone()),
        _ => None,
    });
    let hint = writer.map_or(String::new(), |writer| format!(" (it was written by {writer})"));
    format!(
        "entry {} of the record differs from its replay by {}{hint}",
        difference.seq,
        procedures::ENGINE
    )
}
