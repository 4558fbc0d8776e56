//! A record as a role sees it: items in sections, participants, asks and the progress of the run. Entries
//! are applied one by one, so a live run, a reopened one and a replay up to any entry give the same view. A
//! view can be requested whole or as the changes since a number.
//!
//! Visibility is decided before, by [`super::visibility`]. A procedure defines its items with a
//! [`Reducer`]. This module holds what all procedures share: asks and their states, participants and the
//! status of the run.

pub mod naming;

use super::ask::{Ask, Millis, Reply};
use super::ask_log::AskLog;
use super::block::{Block, Tone};
use super::data::Data;
use super::record::{Command, Entry, EntryKind, FallbackReason, Halt, Started};
use super::visibility::{Publication, Role, RoleFilter};
use crate::language::Language;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use naming::{Author, Authors, Caller, Names};
use serde::Serialize;
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A procedure's part of the view. It gets only what the transcript's role may see.
pub trait Reducer {
    /// Returns a participant's data besides name and kind. `agent` is its entry in the configuration.
    fn person(&self, agent: &Value) -> Box<dyn ItemData>;
    /// Applies an event.
    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry);
    /// Applies a user command.
    fn command(&mut self, _transcript: &mut Transcript, _command: &Command) {}
    /// Applies a new ask: puts it on an item with [`Transcript::place`].
    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>);
    /// Applies the end of an ask, with or without an answer.
    fn ask_settled(&mut self, _transcript: &mut Transcript, _ask: &Rc<Ask>) {}
    /// Returns the stored name of a participant's current activity; by default `failed`, `queued` or `thinking`.
    fn activity(&self, transcript: &Transcript, name: &str) -> Option<&'static str> {
        let open = transcript.find_person(name)?.open.iter();
        let states: Vec<_> = open
            .filter_map(|id| Some(transcript.ask(id)?.log.state))
            .collect();
        let has_failed = states
            .iter()
            .any(|state| matches!(*state, "failed" | "timed_out"));
        match *states.first()? {
            _ if has_failed => Some("failed"),
            "waiting" => Some("queued"),
            _ => Some("thinking"),
        }
    }
    /// Returns the steps of the procedure with their states.
    fn steps(&self, transcript: &Transcript) -> Vec<Step>;
    /// Returns the names of the participants whose turn is next, in order.
    fn next_speakers(&self, _transcript: &Transcript) -> Vec<String> {
        Vec::new()
    }
    /// Returns the title of a section.
    fn section_title(&self, section: &Section, words: &Words) -> String {
        words.text("view.round", &[("round", &section.round)])
    }
    /// Returns what the results show below the outcome.
    fn results(&self, _transcript: &Transcript, _words: &Words) -> Vec<Block> {
        Vec::new()
    }
    /// Returns an object whose fields are added to the view. Keep it small: every update contains it whole.
    fn details(&self, transcript: &Transcript) -> Value;
}

/// A procedure's view: what it publishes, and its reducer.
#[derive(Clone, Copy)]
pub struct ViewSpec {
    pub public: Publication,
    /// Texts of what is shown.
    pub texts: &'static [&'static Texts],
    /// Returns texts that take the place of others, by the same keys, under a configuration as the role may see it.
    pub wording: fn(config: &Value) -> Option<&'static Texts>,
    /// Creates a reducer from a configuration as the role may see it.
    pub reducer: fn(config: &Value) -> Box<dyn Reducer>,
    /// Returns the outcome in a sentence, from the result or a summary of it.
    pub outcome: fn(result: &Value, words: &Words) -> String,
}

impl ViewSpec {
    /// Returns the texts of what is shown in a language, under a configuration as the role may see it.
    #[must_use]
    pub fn words(&self, language: Language, config: &Value) -> Words {
        let none = BTreeMap::new();
        let words = match (self.wording)(config) {
            Some(texts) => Words::new(texts, language, &none).and(&TEXTS),
            None => Words::new(&TEXTS, language, &none),
        };
        self.texts.iter().fold(words, |words, texts| words.and(texts))
    }
}

/// Texts of all views.
pub static TEXTS: Texts = Texts::new(in_each_language!("view/words"));

/// A typed value of an item or a participant.
pub trait TypedData: Any + Serialize + Default {
    /// The `type` field in JSON.
    const TYPE: &'static str;
    /// Returns the seat whose item it is.
    fn seat(&self) -> Option<&str> {
        None
    }
    /// Whether it is a speech to the table.
    fn is_speech(&self) -> bool {
        false
    }
    /// Whether a projector shows it to the room.
    fn is_projected(&self) -> bool {
        self.seat().is_none() || self.is_speech()
    }
    /// Whether its words come from outside the session, so that they are about nobody at the table.
    fn is_foreign(&self) -> bool {
        false
    }
    /// Returns what is shown of it. `config` is the configuration as the role may see it.
    fn blocks(&self, _words: &Words, _config: &Value) -> Vec<Block> {
        Vec::new()
    }
}

/// A boxed value of any [`TypedData`].
pub trait ItemData {
    /// Returns its fields.
    fn json(&self) -> Value;
    /// Returns the `type` field.
    fn kind(&self) -> &'static str;
    /// Returns the seat whose item it is.
    fn seat(&self) -> Option<&str>;
    /// Whether it is a speech to the table.
    fn is_speech(&self) -> bool;
    /// Whether a projector shows it to the room.
    fn is_projected(&self) -> bool;
    /// Whether its words come from outside the session.
    fn is_foreign(&self) -> bool;
    /// Returns what is shown of it.
    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block>;
    /// Returns the value for a downcast.
    fn any(&self) -> &dyn Any;
    /// Returns the value for a downcast.
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<T: TypedData> ItemData for T {
    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn kind(&self) -> &'static str {
        T::TYPE
    }

    fn seat(&self) -> Option<&str> {
        TypedData::seat(self)
    }

    fn is_speech(&self) -> bool {
        TypedData::is_speech(self)
    }

    fn is_projected(&self) -> bool {
        TypedData::is_projected(self)
    }

    fn is_foreign(&self) -> bool {
        TypedData::is_foreign(self)
    }

    fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        TypedData::blocks(self, words, config)
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// One displayed item.
pub struct Item {
    pub face: ItemMeta,
    data: Box<dyn ItemData>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct ItemMeta {
    /// Stable key.
    pub key: String,
    /// Key of its section.
    pub section: String,
    /// Number of its entry, in the role's numbering.
    pub seq: Option<u64>,
    /// Whether it is complete.
    pub done: bool,
    /// Ids of its asks, except those that belong to one of several seats.
    pub asks: Vec<String>,
    version: u64,
    /// Numbers of entries in the record: the first that may have led to it, the one that completed it, and the last.
    #[serde(skip)]
    began: u64,
    #[serde(skip)]
    completed: u64,
    #[serde(skip)]
    changed: u64,
}

impl ItemMeta {
    /// Marks the item as completed by `entry`.
    pub fn complete(&mut self, entry: &Entry) {
        self.seq = Some(entry.seq);
        self.done = true;
    }
}

impl Item {
    /// Returns its value if it has type `T`.
    #[must_use]
    pub fn get<T: TypedData>(&self) -> Option<&T> {
        self.data.any().downcast_ref()
    }

    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.data.kind()
    }

    #[must_use]
    pub fn seat(&self) -> Option<&str> {
        self.data.seat()
    }

    #[must_use]
    pub fn is_speech(&self) -> bool {
        self.data.is_speech()
    }

    /// Returns what is shown of it.
    #[must_use]
    pub fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        self.data.blocks(words, config)
    }

    fn json(&self, blocks: &[Block]) -> Value {
        let mut json = merge(json!(self.face), self.data.json());
        json["type"] = json!(self.data.kind());
        json["blocks"] = json!(blocks);
        json["seat"] = json!(self.seat());
        json["isSpeech"] = json!(self.is_speech());
        json["isProjected"] = json!(self.data.is_projected());
        json
    }
}

/// Merges the fields of `other` into `one`.
fn merge(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

/// A section of the transcript.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Section {
    pub key: String,
    /// Sort key among the sections.
    pub place: u64,
    pub phase: Option<u8>,
    pub step: &'static str,
    /// Round; 0 outside rounds.
    pub round: u32,
    /// Stored names of the current activity, if it changes within the section.
    pub kinds: Vec<String>,
    /// Keys of its items in order.
    pub items: Vec<String>,
    version: u64,
}

/// A participant.
pub struct Person {
    /// Name.
    pub name: String,
    /// Place at the table, from 0.
    pub index: usize,
    /// Stored name of the seat's kind.
    pub kind: String,
    /// Model, if the role may see it.
    pub model: Option<String>,
    /// Personality, if the role may see it.
    pub personality: String,
    /// Own language, if it differs from the run's.
    pub language: Option<String>,
    pub open: Vec<String>,
    /// Whether it takes no part, since others were chosen.
    pub is_absent: bool,
    /// The fallback model in use.
    fallback: Option<String>,
    version: u64,
    data: Box<dyn ItemData>,
}

impl Person {
    /// Returns its value if it has type `T`.
    #[must_use]
    pub fn get<T: TypedData>(&self) -> Option<&T> {
        self.data.any().downcast_ref()
    }

    /// Returns what is shown of it.
    #[must_use]
    pub fn blocks(&self, words: &Words, config: &Value) -> Vec<Block> {
        self.data.blocks(words, config)
    }

    fn json(&self, blocks: &[Block]) -> Value {
        let common = json!({
            "blocks": blocks, "name": self.name, "index": self.index, "kind": self.kind, "model": self.model,
            "personality": self.personality, "language": self.language, "version": self.version,
        });
        merge(self.data.json(), common)
    }
}

/// A switch to a fallback model.
#[derive(Debug, Clone, Default, Serialize)]
struct FellBack {
    seat: String,
    model: String,
    before: String,
    because: Option<FallbackReason>,
    /// Number of attempts before it.
    after: usize,
}

impl TypedData for FellBack {
    const TYPE: &'static str = "fellback";

    fn is_projected(&self) -> bool {
        false
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        vec![Block::toned(Tone::Note, self.text(words))]
    }
}

impl FellBack {
    fn text(&self, words: &Words) -> String {
        let key = match self.because {
            Some(FallbackReason::Resting) => "fellback.resting",
            _ => "fellback.failed",
        };
        let unnamed = words.text("fellback.before", &[]);
        let before = match self.before.as_str() {
            "" => &unnamed,
            before => before,
        };
        words.text(
            key,
            &[("name", &self.seat), ("model", &self.model), ("before", &before)],
        )
    }
}

/// An ask as shown.
pub struct ShownAsk {
    pub log: AskLog,
    /// Key of the item that contains it.
    pub item: Option<String>,
    /// Whether the answer is hidden from the owner for now.
    pub sealed: bool,
    fell_back: Vec<FellBack>,
    version: u64,
}

impl ShownAsk {
    fn json(&self, role: &Role, asks_person: bool, words: Option<&Words>) -> Value {
        let log = &self.log;
        let mut json = json!(log.ask);
        let is_hidden = self.sealed && *role == Role::Owner;
        json["seq"] = json!(log.seq);
        json["at"] = json!(log.queued_at);
        json["timeLimits"] = json!(log.time_limits);
        json["tries"] = json!(log.calls());
        let reply = log.reply().filter(|_| !is_hidden);
        json["reply"] = json!(reply.map(|(reply, _)| reply));
        json["repliedSeq"] = json!(log.answered.as_ref().map(|entry| entry.seq));
        json["repliedAt"] = json!(log.answered.as_ref().map(|entry| entry.at));
        json["reading"] = log.reading.clone().filter(|_| !is_hidden).unwrap_or_default();
        let fell_back = self.fell_back.iter().map(|one| {
            let text = words.map_or_else(String::new, |words| one.text(words));
            merge(json!(one), json!({ "text": text }))
        });
        json["fellBack"] = fell_back.collect();
        json["state"] = json!(log.state);
        json["wait"] = json!(log.wait);
        json["item"] = json!(self.item);
        json["sealed"] = json!(self.sealed);
        json["structured"] = json!(log.first.schema.is_some());
        json["version"] = json!(self.version);
        if log.is_open() && (asks_person || role.seat() == Some(&log.ask.seat)) {
            json["question"] = json!(log.first);
        }
        json
    }
}

/// A step of the procedure with its state.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Step {
    pub step: &'static str,
    /// Phase, if the procedure has phases.
    pub phase: Option<u8>,
    /// Round; 0 outside rounds.
    pub round: u32,
    /// `done`, `current`, `coming` or `skipped`.
    pub state: &'static str,
    /// Key of its section.
    pub key: String,
    /// Number of finished parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<usize>,
    /// Number of all parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// Stored names of the activities in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// Whether the round was added to those planned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extended: bool,
}

/// The part of a view that is the same for all procedures.
pub struct Transcript {
    pub role: Role,
    /// Participants in the order of the table.
    pub people: Vec<Person>,
    pub sections: Vec<Section>,
    /// `running`, `paused`, `halted`, `stopped` or `ended`.
    pub run: &'static str,
    pub result: Option<Value>,
    head: Option<Rc<Entry>>,
    items: Vec<Item>,
    item_indices: BTreeMap<String, usize>,
    /// In the order of asking.
    asks: Vec<ShownAsk>,
    ask_indices: BTreeMap<String, usize>,
    halt: Option<Halt>,
    ended_in: u64,
    calls: u64,
    settled: u64,
    tokens: [u64; 2],
    /// The current caps, named as in the configuration.
    caps: Value,
    last_at: Millis,
    now: u64,
    /// Number of the current entry in the record, and of the first that may have led to it.
    entry: u64,
    cause: u64,
}

impl Transcript {
    /// Returns the configuration as the role may see it.
    #[must_use]
    pub fn config(&self) -> &Value {
        match self.head.as_ref().map(|head| &head.what) {
            Some(EntryKind::Started(head)) => &head.config,
            _ => &Value::Null,
        }
    }

    /// Returns the number of entries visible to the role.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.now
    }

    /// Whether the role is the owner.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }

    /// Whether the run has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.run == "ended"
    }

    /// Returns the participant of that name.
    #[must_use]
    pub fn find_person(&self, name: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.name == name)
    }

    /// Returns the participant of that name and marks it as changed.
    pub fn person(&mut self, name: &str) -> Option<&mut Person> {
        let now = self.now;
        let person = self.people.iter_mut().find(|person| person.name == name)?;
        person.version = now;
        Some(person)
    }

    /// Returns the participant's value, if it has type `T`, and marks it as changed.
    pub fn person_as<T: TypedData>(&mut self, name: &str) -> Option<&mut T> {
        self.person(name)?.data.any_mut().downcast_mut()
    }

    /// Adds a participant.
    pub fn add_person(&mut self, name: &str, kind: &str, data: Box<dyn ItemData>) {
        self.people.push(Person {
            name: name.to_owned(),
            index: self.people.len(),
            kind: kind.to_owned(),
            model: None,
            personality: String::new(),
            language: None,
            open: Vec::new(),
            is_absent: false,
            fallback: None,
            version: self.now,
            data,
        });
    }

    /// Returns the ask of that id.
    #[must_use]
    pub fn ask(&self, id: &str) -> Option<&ShownAsk> {
        self.asks.get(*self.ask_indices.get(id)?)
    }

    /// Returns the ask of that id and marks it as changed.
    pub fn ask_mut(&mut self, id: &str) -> Option<&mut ShownAsk> {
        let now = self.now;
        let asked = self.asks.get_mut(*self.ask_indices.get(id)?)?;
        asked.version = now;
        Some(asked)
    }

    /// Returns the section of that key and marks it as changed. A new section is inserted by `place`.
    pub fn section(&mut self, key: &str, place: u64, step: &'static str, round: u32) -> &mut Section {
        let at = match self.sections.iter().position(|section| section.key == key) {
            Some(at) => at,
            None => {
                let at = self.sections.iter().position(|section| section.place > place);
                let at = at.unwrap_or(self.sections.len());
                let section = Section {
                    key: key.to_owned(),
                    place,
                    step,
                    round,
                    ..Section::default()
                };
                self.sections.insert(at, section);
                at
            }
        };
        self.sections[at].version = self.now;
        &mut self.sections[at]
    }

    /// Returns all items, oldest first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the item of that key.
    #[must_use]
    pub fn item(&self, key: &str) -> Option<&Item> {
        self.items.get(*self.item_indices.get(key)?)
    }

    /// Changes the item of that key. A new item is appended to the section.
    pub fn show<T: TypedData>(
        &mut self,
        section: &str,
        key: &str,
        change: impl FnOnce(&mut ItemMeta, &mut T),
    ) {
        if !self.item_indices.contains_key(key) {
            self.insert(section, key, Box::new(T::default()));
        }
        self.change(key, change);
    }

    fn insert(&mut self, section: &str, key: &str, data: Box<dyn ItemData>) {
        self.item_indices.insert(key.to_owned(), self.items.len());
        self.items.push(Item {
            face: ItemMeta {
                key: key.to_owned(),
                section: section.to_owned(),
                began: self.cause,
                ..ItemMeta::default()
            },
            data,
        });
        let now = self.now;
        if let Some(home) = self.sections.iter_mut().find(|home| home.key == section) {
            home.items.push(key.to_owned());
            home.version = now;
        }
    }

    /// Changes the item of that key, if it has type `T`, and returns the result of `change`.
    pub fn change<T: TypedData, R>(
        &mut self,
        key: &str,
        change: impl FnOnce(&mut ItemMeta, &mut T) -> R,
    ) -> Option<R> {
        let (now, entry) = (self.now, self.entry);
        let item = self.item_mut(key)?;
        let data = item.data.any_mut().downcast_mut()?;
        (item.face.version, item.face.changed) = (now, entry);
        let before = (item.face.seq, item.face.done);
        let changed = change(&mut item.face, data);
        if (item.face.seq, item.face.done) != before {
            item.face.completed = entry;
        }
        Some(changed)
    }

    fn item_mut(&mut self, key: &str) -> Option<&mut Item> {
        self.items.get_mut(*self.item_indices.get(key)?)
    }

    /// Puts an ask on an item, sealed or not.
    pub fn place(&mut self, id: &str, key: &str, sealed: bool) {
        if let Some(asked) = self.ask_mut(id) {
            asked.item = Some(key.to_owned());
            asked.sealed = sealed;
        }
        self.touch(key);
    }

    /// Unseals the asks of an item.
    pub fn unseal(&mut self, key: &str) {
        let now = self.now;
        for asked in &mut self.asks {
            if asked.sealed && asked.item.as_deref() == Some(key) {
                asked.sealed = false;
                asked.version = now;
            }
        }
    }

    fn touch(&mut self, key: &str) {
        let (now, entry) = (self.now, self.entry);
        if let Some(item) = self.item_mut(key) {
            (item.face.version, item.face.changed) = (now, entry);
        }
    }

    /// Counts a finished call and its tokens. Recorded answers cost nothing.
    fn count_tokens(&mut self, reply: &Reply) {
        self.settled += 1;
        if let Some(usage) = reply.usage.filter(|_| reply.recorded.is_none()) {
            self.tokens[0] += usage.input;
            self.tokens[1] += usage.output;
        }
    }

    fn start(
        &mut self,
        head: &Started,
        entry: &Rc<Entry>,
        seats: &[(String, String)],
        reducer: &dyn Reducer,
    ) {
        self.head = Some(Rc::clone(entry));
        let limits = &head.config["limits"];
        self.caps = caps(&limits["max_calls"], &limits["max_tokens"], &limits["max_cost"]);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        for agent in head.config["agents"].as_array().into_iter().flatten() {
            let name = text(&agent["name"]).unwrap_or_default();
            let kind = seats
                .iter()
                .find(|(seat, _)| *seat == name)
                .map(|(_, kind)| kind.clone());
            let kind = kind.or_else(|| text(&agent["kind"]));
            self.add_person(
                &name,
                kind.as_deref().unwrap_or("scripted"),
                reducer.person(agent),
            );
            if let Some(person) = self.people.last_mut() {
                person.model = text(&agent["model"]);
                person.personality = text(&agent["personality"]).unwrap_or_default();
                person.language = text(&agent["language"]).or_else(|| text(&head.config["language"]));
            }
        }
    }

    fn add_ask(&mut self, log: AskLog) {
        let (id, seat) = (log.ask.id.clone(), log.ask.seat.clone());
        self.ask_indices.insert(id.clone(), self.asks.len());
        self.asks.push(ShownAsk {
            log,
            item: None,
            sealed: false,
            fell_back: Vec::new(),
            version: self.now,
        });
        if let Some(person) = self.person(&seat) {
            person.open.push(id);
        }
    }

    /// Adds an entry to its ask and marks the ask's item as changed.
    fn update_ask(&mut self, id: &str, entry: &Rc<Entry>) -> Option<Rc<Ask>> {
        let asked = self.ask_mut(id)?;
        asked.log.take(entry);
        let (ask, is_open) = (Rc::clone(&asked.log.ask), asked.log.is_open());
        if let Some(key) = asked.item.clone() {
            self.touch(&key);
        }
        if !is_open && let Some(person) = self.person(&ask.seat) {
            person.open.retain(|open| open != id);
        }
        Some(ask)
    }

    fn record_fallback(
        &mut self,
        id: &str,
        seat: &str,
        model: &str,
        because: FallbackReason,
        entry: &Rc<Entry>,
    ) {
        self.update_ask(id, entry);
        let mut fallback = FellBack {
            seat: seat.to_owned(),
            model: model.to_owned(),
            because: Some(because),
            ..FellBack::default()
        };
        if let Some(asked) = self.ask_mut(id) {
            let before = asked.fell_back.last().map(|one| one.model.clone());
            fallback.before = before
                .or_else(|| asked.log.first.model.clone())
                .unwrap_or_default();
            fallback.after = asked.log.calls().len();
            asked.fell_back.push(fallback.clone());
        }
        // A seat that stays on a fallback model gets one notice. A sealed ask gets none.
        let Some(asked) = self.ask(id).filter(|asked| !asked.sealed) else {
            return;
        };
        let shown = asked.item.as_ref().and_then(|key| self.item(key));
        let last = self.sections.last().map(|section| section.key.clone());
        let section = shown.map(|item| item.face.section.clone()).or(last);
        let Some(person) = self
            .person(seat)
            .filter(|person| person.fallback.as_deref() != Some(model))
        else {
            return;
        };
        person.fallback = Some(model.to_owned());
        if let Some(section) = section {
            self.show(
                &section,
                &format!("fellback/{}", entry.seq),
                |face, data: &mut FellBack| {
                    face.complete(entry);
                    *data = fallback;
                },
            );
        }
    }
}

/// Returns caps as JSON; `null` for no cap.
fn caps(calls: &Value, tokens: &Value, cost: &Value) -> Value {
    json!({ "max_calls": calls, "max_tokens": tokens, "max_cost": cost })
}

/// A projection of a record for one role.
pub struct View {
    /// Language of what is shown. `None`: that of the seat or else of the run.
    pub language: Option<Language>,
    names: Rc<Names>,
    authors: Authors,
    /// Texts of the configuration in which a seat's name is just a word.
    kept: Vec<String>,
    role_filter: RoleFilter,
    spec: Option<ViewSpec>,
    open: fn(&Started) -> Option<ViewSpec>,
    seats: fn(&Value) -> Vec<(String, String)>,
    reducer: Option<Box<dyn Reducer>>,
    transcript: Transcript,
    taken: u64,
}

impl View {
    /// Creates an empty view. `open` returns a procedure's [`ViewSpec`], `seats` the names and kinds of a
    /// configuration's seats.
    #[must_use]
    pub fn new(
        role: Role,
        open: fn(&Started) -> Option<ViewSpec>,
        seats: fn(&Value) -> Vec<(String, String)>,
    ) -> Self {
        Self {
            language: None,
            role_filter: RoleFilter::new(role.clone()),
            spec: None,
            open,
            seats,
            reducer: None,
            transcript: Transcript {
                role,
                people: Vec::new(),
                sections: Vec::new(),
                run: "running",
                result: None,
                head: None,
                items: Vec::new(),
                item_indices: BTreeMap::new(),
                asks: Vec::new(),
                ask_indices: BTreeMap::new(),
                halt: None,
                ended_in: 0,
                calls: 0,
                settled: 0,
                tokens: [0, 0],
                caps: Value::Null,
                last_at: 0,
                now: 0,
                entry: 0,
                cause: 0,
            },
            names: Rc::default(),
            authors: Authors::default(),
            kept: Vec::new(),
            taken: 0,
        }
    }

    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Returns the number of record entries applied.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Applies an entry. Entries that were applied before are ignored.
    pub fn take(&mut self, entry: &Rc<Entry>) {
        if entry.seq < self.taken {
            return;
        }
        self.taken = entry.seq + 1;
        let is_event = matches!(entry.what, EntryKind::Event { .. });
        let transcript = &mut self.transcript;
        transcript.entry = entry.seq;
        transcript.cause = if is_event {
            self.authors.last_answer()
        } else {
            entry.seq
        };
        self.authors.take(entry);
        if let EntryKind::Started(_) = &entry.what {
            self.kept = self.authors.kept(&self.names);
        }
        let open = self.open;
        let Some(seen) = self.role_filter.filter(entry, |head| Some(open(head)?.public)) else {
            return;
        };
        self.transcript.now = seen.seq + 1;
        self.transcript.last_at = seen.at;
        self.apply(&seen);
    }

    fn apply(&mut self, entry: &Rc<Entry>) {
        let transcript = &mut self.transcript;
        let mut settled = None;
        match &entry.what {
            EntryKind::Started(head) => {
                self.spec = (self.open)(head);
                let reducer = self.spec.map(|spec| (spec.reducer)(&head.config));
                let seats = match transcript.role {
                    Role::Owner => (self.seats)(&head.config),
                    // The published configuration contains the kinds.
                    _ => Vec::new(),
                };
                if let Some(reducer) = &reducer {
                    transcript.start(head, entry, &seats, reducer.as_ref());
                }
                self.reducer = reducer;
            }
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } => {
                transcript.add_ask(AskLog::new(entry, ask, request, time_limits));
                if let Some(reducer) = &mut self.reducer {
                    reducer.ask_opened(transcript, ask);
                }
            }
            EntryKind::Sent { ask, .. } => {
                transcript.calls += 1;
                transcript.update_ask(ask, entry);
            }
            EntryKind::Answered { ask, reply, .. } => {
                transcript.count_tokens(reply);
                settled = transcript.update_ask(ask, entry);
                let has_fallen_back = transcript
                    .ask(ask)
                    .is_some_and(|asked| !asked.fell_back.is_empty());
                if let Some(person) = settled.as_ref().and_then(|ask| transcript.person(&ask.seat))
                    && !has_fallen_back
                {
                    person.fallback = None;
                }
            }
            EntryKind::Late { reply, .. } => transcript.count_tokens(reply),
            EntryKind::Failed { ask, .. } | EntryKind::TimedOut { ask, .. } => {
                transcript.settled += 1;
                transcript.update_ask(ask, entry);
            }
            EntryKind::FellBack {
                ask,
                seat,
                model,
                because,
                ..
            } => transcript.record_fallback(ask, seat, model, *because, entry),
            EntryKind::Retrying { ask, .. } | EntryKind::Read { ask, .. } => {
                transcript.update_ask(ask, entry);
            }
            EntryKind::Unanswered { ask } | EntryKind::Withdrawn { ask } => {
                settled = transcript.update_ask(ask, entry);
            }
            EntryKind::Commanded { command } => {
                if let Some(reducer) = &mut self.reducer {
                    reducer.command(transcript, command);
                }
                match command {
                    Command::Pause | Command::Step => transcript.run = "paused",
                    Command::Resume => (transcript.run, transcript.halt) = ("running", None),
                    Command::Stop => transcript.run = "stopped",
                    Command::Limit {
                        max_calls,
                        max_tokens,
                        max_cost,
                    } => transcript.caps = caps(&json!(max_calls), &json!(max_tokens), &json!(max_cost)),
                    _ => {}
                }
            }
            EntryKind::Halted { halt } => (transcript.run, transcript.halt) = ("halted", Some(halt.clone())),
            EntryKind::Event { event, .. } => {
                if let Some(reducer) = &mut self.reducer {
                    reducer.event(transcript, event, entry);
                }
            }
            EntryKind::Ended { result } => {
                (transcript.run, transcript.halt, transcript.ended_in) = ("ended", None, transcript.now);
                transcript.result = Some(result.clone());
                let sealed = transcript.asks.iter().filter(|asked| asked.sealed);
                let keys: Vec<String> = sealed.filter_map(|asked| asked.item.clone()).collect();
                keys.iter().for_each(|key| transcript.unseal(key));
            }
            EntryKind::Drew { .. } => {}
        }
        if let (Some(ask), Some(reducer)) = (settled, &mut self.reducer) {
            reducer.ask_settled(&mut self.transcript, &ask);
        }
    }

    /// Returns the texts in the language of the view.
    #[must_use]
    pub fn words(&self) -> Option<Words> {
        let transcript = &self.transcript;
        let seat = transcript
            .role
            .seat()
            .and_then(|name| transcript.find_person(name));
        let stated = seat.and_then(|person| person.language.as_deref());
        let stated = stated.or_else(|| transcript.config()["language"].as_str());
        let language = self.language.or_else(|| Language::from_name(stated?));
        Some(
            self.spec?
                .words(language.unwrap_or_default(), transcript.config()),
        )
    }

    /// Sets what the people are called, instead of by the names of their seats.
    pub fn set_names(&mut self, names: &Rc<Names>) {
        if self.names != *names {
            self.names = Rc::clone(names);
            self.kept = self.authors.kept(names);
        }
    }

    /// Returns a caller by who answered from one entry of the record to another.
    fn caller(&self, from: u64, to: u64) -> Caller<'_> {
        Caller::new(&self.names, &self.authors, &self.kept, from..=to)
    }

    /// Calls seats by name in a text about the whole run.
    fn called(&self, mut text: String) -> String {
        self.caller(0, self.taken).call(&mut text);
        text
    }

    /// Returns who is the author of an item of one seat.
    fn author(&self, item: &Item, seat: &str) -> Author {
        match item.face.done {
            true => self.authors.last(seat, item.face.completed),
            false => self.authors.now(seat),
        }
    }

    fn is_person(&self, seat: &str) -> bool {
        let person = self.transcript.find_person(seat);
        person.is_some_and(|person| person.kind == HUMAN)
    }

    fn item_json(&self, item: &Item, words: &Words) -> Value {
        let mut blocks = item.blocks(words, self.transcript.config());
        let person = item.seat().filter(|seat| self.is_person(seat));
        let author = person.map(|seat| (seat, self.author(item, seat)));
        let stands_in = author.is_some_and(|(_, author)| author.stands_in);
        let mut called = None;
        if !self.names.is_empty() {
            let mut caller = self.caller(item.face.began, item.face.changed);
            if let Some((seat, author)) = author {
                caller = caller.with(seat, &self.names, author);
                called = caller.name(seat).map(str::to_owned);
            }
            if !item.data.is_foreign() {
                caller.call_blocks(&mut blocks, person.is_none() || stands_in);
            }
        }
        let mut json = item.json(&blocks);
        if let Some(called) = called {
            json["called"] = called.into();
        }
        if stands_in {
            json["standsIn"] = true.into();
        }
        json
    }

    fn person_json(&self, person: &Person, words: &Words) -> Value {
        let mut blocks = person.blocks(words, self.transcript.config());
        let caller = self.caller(0, self.taken);
        let is_program = person.kind != HUMAN || self.authors.has_stand_in(&person.name);
        caller.call_blocks(&mut blocks, is_program);
        person.json(&blocks)
    }

    /// Calls seats by name in a form that was made for the role. Values stay as they are.
    pub fn call_form(&self, form: &mut Value) {
        if !self.names.is_empty() {
            self.call_json(form, &self.caller(0, self.taken));
        }
    }

    fn call_json(&self, json: &mut Value, caller: &Caller<'_>) {
        match json {
            Value::String(text) => caller.call(text),
            Value::Array(all) => all.iter_mut().for_each(|one| self.call_json(one, caller)),
            Value::Object(fields) => {
                if let (Some(who), Some(text)) = (
                    fields.get("who").and_then(Value::as_str),
                    fields.get("text").and_then(Value::as_str),
                ) {
                    let said = self.item_of(who, text);
                    let stands_in = said.map(|item| self.author(item, who));
                    let is_program = !self.is_person(who)
                        || stands_in
                            .map_or_else(|| self.authors.has_stand_in(who), |author| author.stands_in);
                    let called = stands_in.map(|author| self.names.called(who, author));
                    let called = called.or_else(|| caller.name(who)).map(str::to_owned);
                    if is_program {
                        fields
                            .get_mut("text")
                            .into_iter()
                            .for_each(|text| self.call_json(text, caller));
                    }
                    if let Some(called) = called {
                        fields.insert("who".to_owned(), called.into());
                    }
                    return;
                }
                let shown = fields
                    .iter_mut()
                    .filter(|(key, _)| !["value", "values", "places", "of", "by"].contains(&key.as_str()));
                shown.for_each(|(_, value)| self.call_json(value, caller));
            }
            _ => {}
        }
    }

    /// Returns the item in which a seat said a text.
    fn item_of(&self, seat: &str, text: &str) -> Option<&Item> {
        let words = self.words()?;
        let own = self
            .transcript
            .items
            .iter()
            .rev()
            .filter(|item| item.seat() == Some(seat));
        let mut own = own.filter(|item| {
            let blocks = item.blocks(&words, self.transcript.config());
            let is_it =
                |block: &Block| matches!(block, Block::Quote { text: quoted, .. } if quoted == text.trim());
            blocks.iter().any(is_it)
        });
        own.next()
    }

    /// Returns the outcome in a sentence, if the run has ended.
    #[must_use]
    pub fn outcome(&self) -> Option<String> {
        let result = self.transcript.result.as_ref()?;
        Some(self.called((self.spec?.outcome)(result, &self.words()?)))
    }

    /// Returns what the results show below the outcome.
    #[must_use]
    pub fn results(&self) -> Vec<Block> {
        let shown = self.reducer.as_ref().zip(self.words());
        let mut results = shown.map_or_else(Vec::new, |(reducer, words)| {
            reducer.results(&self.transcript, &words)
        });
        self.caller(0, self.taken).call_blocks(&mut results, false);
        results
    }

    /// Returns the title of a section.
    #[must_use]
    pub fn section_title(&self, section: &Section) -> String {
        let titled = self.reducer.as_ref().zip(self.words());
        titled.map_or_else(String::new, |(reducer, words)| {
            self.called(reducer.section_title(section, &words))
        })
    }

    /// Returns an ask with its exact question.
    #[must_use]
    pub fn ask(&self, id: &str) -> Option<Value> {
        let asked = self.transcript.ask(id)?;
        let mut json = asked.json(&self.transcript.role, false, self.words().as_ref());
        json["request"] = json!(asked.log.first);
        Some(json)
    }

    /// Returns the view as JSON: whole, or the changes since `number` of an earlier view.
    #[must_use]
    pub fn json(&self, since: Option<u64>) -> Value {
        let transcript = &self.transcript;
        let since = since.filter(|since| *since > 0 && *since <= transcript.now);
        let after = since.unwrap_or(0);
        let is_new = |version: u64| since.is_none() || version > after;
        let words = self.words();
        let head = transcript.head.as_ref();
        let started_at = head.map(|head| head.at);
        let steps = self
            .reducer
            .as_ref()
            .map(|reducer| reducer.steps(transcript))
            .unwrap_or_default();
        let mut json = json!({
            "role": transcript.role,
            "number": transcript.now,
            "whole": since.is_none(),
            "startedAt": started_at,
            "lastAt": head.map(|_| transcript.last_at),
            "run": transcript.run,
            "halt": transcript.halt,
            "people": to_json_if(&transcript.people, |person| is_new(person.version), |person| {
                words.as_ref().map_or(Value::Null, |words| self.person_json(person, words))
            }),
            "sections": to_json_if(&transcript.sections, |section| is_new(section.version), |section| {
                merge(json!(section), json!({ "title": self.section_title(section) }))
            }),
            "items": to_json_if(&transcript.items, |item| is_new(item.face.version), |item| {
                words.as_ref().map_or(Value::Null, |words| self.item_json(item, words))
            }),
            "asks": to_json_if(&transcript.asks, |asked| is_new(asked.version), |asked| {
                asked.json(&transcript.role, self.is_person(&asked.log.ask.seat), words.as_ref())
            }),
            "progress": progress(&steps),
            "steps": steps,
        });
        if let Some(reducer) = &self.reducer {
            json = merge(reducer.details(transcript), json);
            json["next"] = json!(reducer.next_speakers(transcript));
            let doing = transcript.people.iter().filter_map(|person| {
                let word = reducer.activity(transcript, &person.name)?;
                Some((person.name.clone(), json!(word)))
            });
            json["doing"] = Value::Object(doing.collect());
        }
        if since.is_none()
            && let Some(EntryKind::Started(head)) = head.map(|head| &head.what)
        {
            json["head"] = json!(head);
        }
        if transcript.ended_in > after {
            json["result"] = json!(transcript.result);
            json["outcome"] = json!(self.outcome());
            let results = self.results();
            if !results.is_empty() {
                json["results"] = json!(results);
            }
        }
        if transcript.role == Role::Owner {
            json["calls"] = json!(transcript.calls);
            json["settled"] = json!(transcript.settled);
            json["caps"] = transcript.caps.clone();
            json["tokens"] = json!({ "input": transcript.tokens[0], "output": transcript.tokens[1] });
        }
        json
    }
}

const HUMAN: &str = "human";

fn to_json_if<'a, T: 'a>(
    all: impl IntoIterator<Item = &'a T>,
    is_new: impl Fn(&T) -> bool,
    json: impl Fn(&T) -> Value,
) -> Vec<Value> {
    all.into_iter().filter(|one| is_new(one)).map(json).collect()
}

/// Returns the share of finished steps, 0 to 1.
fn progress(steps: &[Step]) -> f64 {
    let finished = steps
        .iter()
        .filter(|step| matches!(step.state, "done" | "skipped"));
    finished.count() as f64 / steps.len().max(1) as f64
}
