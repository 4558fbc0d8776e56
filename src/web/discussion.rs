//! Discussions by id, as clients of the seed documents expect: get, advance, continue, pause, resume, reset.
//! A session open in this page is used; another is opened for the duration of the call. The protocol decides
//! on the effect of a message.

use super::driver::Driver;
use super::error::lab_error;
use super::input::read_options;
use super::options::{Options, Place};
use super::session::{Session, new_id, read_record};
use super::to_js;
use crate::core::record::{Command, Entry, EntryKind, ForkedFrom, Started};
use crate::procedures;
use crate::procedures::discussion::advance::{Message, Refusal};
use crate::procedures::discussion::status::{DiscussionState, DiscussionStatus, status_of, view};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Returns the state of a discussion, without changes.
#[wasm_bindgen(js_name = getDiscussion)]
pub async fn get(id: String) -> Result<JsValue, JsValue> {
    let record = match Driver::of(&id) {
        Some(driver) => driver.session.borrow().record(),
        None => read_record(Place::IndexedDb.open().await?.load(&id).await?).await?,
    };
    if record.is_empty() {
        return Err(unknown());
    }
    view_of(&record).map(|view| to_js(&view))
}

/// A message in JS.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct MessageOptions {
    user_id: Option<String>,
    message: Option<String>,
    request_id: Option<String>,
    /// Other programs that hold discussions name one; nothing here depends on it.
    #[serde(rename = "organizationId")]
    _organization: IgnoredAny,
}

/// Submits a person's message `{ message, userId, requestId? }` and runs until people are awaited.
#[wasm_bindgen(js_name = advanceDiscussion)]
pub async fn advance(id: String, message: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let given: MessageOptions = read_options("advanceDiscussion: message", &message)?;
    let message = Message {
        user: given.user_id.as_deref().unwrap_or_default(),
        text: given.message.as_deref().unwrap_or_default(),
        request_id: given.request_id.as_deref(),
    };
    let act = |driver: &Rc<Driver>, _: &DiscussionStatus| {
        let advanced = driver.advance(message);
        advanced.map_err(|refusal| refused(&refusal))
    };
    with_session(id, options, act).await
}

/// Lets agents continue after the limit of consecutive turns.
#[wasm_bindgen(js_name = continueDiscussion)]
pub async fn go_on(id: String, options: JsValue) -> Result<JsValue, JsValue> {
    let act = |driver: &Rc<Driver>, status: &DiscussionStatus| {
        if status.pending {
            driver.command(Command::Resume);
        }
        Ok(())
    };
    with_session(id, options, act).await
}

/// Pauses the discussion until it is resumed.
#[wasm_bindgen(js_name = pauseDiscussion)]
pub async fn pause(id: String) -> Result<JsValue, JsValue> {
    let act = |driver: &Rc<Driver>, status: &DiscussionStatus| {
        if status.standing == DiscussionState::Active {
            driver.command(Command::Pause);
        }
        Ok(())
    };
    with_session(id, JsValue::UNDEFINED, act).await
}

/// Continues after a pause or a failure.
#[wasm_bindgen(js_name = resumeDiscussion)]
pub async fn resume(id: String, options: JsValue) -> Result<JsValue, JsValue> {
    let act = |driver: &Rc<Driver>, status: &DiscussionStatus| {
        if status.standing == DiscussionState::Paused {
            driver.command(Command::Resume);
        }
        Ok(())
    };
    with_session(id, options, act).await
}

/// Starts anew under the same id and configuration. The old record is kept as a branch with its own id. A
/// session open in this page is closed first.
#[wasm_bindgen(js_name = resetDiscussion)]
pub async fn reset(id: String, options: JsValue) -> Result<JsValue, JsValue> {
    let (mut branch_options, mut options) = (
        Options::read("resetDiscussion", &options)?,
        Options::read("resetDiscussion", &options)?,
    );
    if matches!(options.place, Place::Memory) {
        branch_options.place = Place::IndexedDb;
        options.place = Place::IndexedDb;
    }
    if let Some(open) = Driver::of(&id).filter(|driver| driver.store().is_some()) {
        JsFuture::from(open.close()).await?;
    }
    let lock = options.place.lock(&id).await?;
    let store = options.place.open().await?;
    let record = read_record(store.load(&id).await?).await?;
    if record.is_empty() {
        return Err(unknown());
    }
    view_of(&record)?;
    let Some(EntryKind::Started(head)) = record.first().map(|entry| &entry.what) else {
        return Err(unknown());
    };
    let (engine, outcome) = procedures::begin(&head.config, &id, options.now())?;
    if record.len() > 1 {
        store_branch(head, &record, branch_options).await?;
    }
    store.delete(&id).await?;
    drop(lock);
    let session = Session::store_new(engine, &outcome, id, options).await?;
    let view = view_of(&session.0.session.borrow().record());
    JsFuture::from(session.close()).await?;
    view.map(|view| to_js(&view))
}

/// Stores a record as a branch of itself.
async fn store_branch(head: &Started, record: &[Rc<Entry>], options: Options) -> Result<(), JsValue> {
    let from = ForkedFrom {
        session: head.session.clone(),
        seq: record.len() as u64,
    };
    let id = new_id()?;
    let (engine, outcome, _) = procedures::branch(&head.config, &id, from, record, options.now())?;
    let session = Session::store_new(engine, &outcome, id, options).await?;
    JsFuture::from(session.close()).await.map(|_| ())
}

/// Returns the view of a discussion's record.
pub(super) fn view_of(record: &[Rc<Entry>]) -> Result<Value, JsValue> {
    match record.first().map(|entry| &entry.what) {
        Some(EntryKind::Started(head)) if head.protocol == "discussion" => Ok(view(record)),
        _ => {
            let message = "this session is not a discussion";
            Err(lab_error("input", message))
        }
    }
}

/// Submits a message to an open session.
pub(super) fn say(
    driver: &Rc<Driver>,
    user: &str,
    text: &str,
    request_id: Option<&str>,
) -> Result<(), JsValue> {
    view_of(&driver.session.borrow().record())?;
    let message = Message {
        user,
        text,
        request_id,
    };
    driver.advance(message).map_err(|refusal| refused(&refusal))
}

/// Acts on a session, and returns the discussion's state when it rests.
async fn with_session(
    id: String,
    options: JsValue,
    act: impl FnOnce(&Rc<Driver>, &DiscussionStatus) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let open = Driver::of(&id);
    let opened = match &open {
        Some(_) => None,
        None => Some(Session::open(id, options).await?),
    };
    let Some(driver) = open.as_ref().or(opened.as_ref().map(|session| &session.0)) else {
        return Err(unknown());
    };
    let answer = run_action(driver, act).await;
    if let Some(session) = &opened {
        JsFuture::from(session.close()).await?;
    }
    answer
}

async fn run_action(
    driver: &Rc<Driver>,
    act: impl FnOnce(&Rc<Driver>, &DiscussionStatus) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let record = driver.session.borrow().record();
    view_of(&record)?;
    act(driver, &status_of(&record))?;
    driver.start();
    JsFuture::from(driver.settled()).await?;
    view_of(&driver.session.borrow().record()).map(|view| to_js(&view))
}

fn unknown() -> JsValue {
    let message = "there is no session with this id in this browser";
    lab_error("unknown", message)
}

fn refused(refusal: &Refusal) -> JsValue {
    let code = match refusal {
        Refusal::BadRequest(_) => "input",
        Refusal::Conflict(_) => "conflict",
    };
    lab_error(code, &refusal.to_string())
}
