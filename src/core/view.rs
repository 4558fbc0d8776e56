//! A record as a role sees it: what was said and done as items in sections, who takes part, what is asked and
//! how far the run has come. Entries are taken in one by one, so that a live run, a reopened one and a replay at
//! any entry look the same; what a call for the changes since a number gives is what changed since.
//!
//! What a role may know is decided before ([`super::sight`]); what items there are is for the procedure, which
//! hands in a [`Fold`]. Here is what all have in common: asks and their fates, people, where the run stands.

use super::ask::{Ask, Failure, Millis, Reply, Request};
use super::data::Data;
use super::record::{Command, Entry, EntryKind, FallbackReason, Halt, Started};
use super::visibility::{Publication, Role, RoleFilter};
use serde::Serialize;
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a procedure makes of what its entries tell. It sees what the role of the board may see.
pub trait Reducer {
    /// What there is to know of a participant besides name and kind, by its place in the configuration.
    fn person(&self, agent: &Value) -> Box<dyn ItemData>;
    /// Something happened.
    fn event(&mut self, board: &mut Transcript, event: &Data, entry: &Entry);
    /// Somebody used the controls.
    fn commanded(&mut self, _board: &mut Transcript, _command: &Command) {}
    /// Somebody is asked: the ask is put where it is shown, with [`Board::place`].
    fn asked(&mut self, board: &mut Transcript, ask: &Rc<Ask>);
    /// An ask got its answer, or will get none.
    fn settled(&mut self, _board: &mut Transcript, _ask: &Rc<Ask>) {}
    /// What a participant is doing, in a word of the procedure's.
    fn doing(&self, board: &Transcript, name: &str) -> Option<&'static str>;
    /// The steps of the procedure and how far each has come.
    fn steps(&self, board: &Transcript) -> Vec<Step>;
    /// Whose turn it is, and who comes after.
    fn next(&self, _board: &Transcript) -> Vec<String> {
        Vec::new()
    }
    /// What there is to tell besides: an object whose fields stand beside the common ones. Small, as every call
    /// tells it whole.
    fn rest(&self, board: &Transcript) -> Value;
}

/// How a procedure is looked at.
#[derive(Clone, Copy)]
pub struct ViewSpec {
    /// What it publishes.
    pub public: Publication,
    /// Begins a fold, from a configuration as the role may see it.
    pub fold: fn(config: &Value) -> Box<dyn Reducer>,
}

/// What an item, or a participant, is for its procedure: a type of its own.
pub trait TypedData: Any + Serialize + Default {
    /// The item's `type` in data.
    const TYPE: &'static str;
}

/// A value of any [`TypedData`].
pub trait ItemData {
    /// Its fields.
    fn json(&self) -> Value;
    /// The item's `type` in data.
    fn kind(&self) -> &'static str;
    /// The value itself.
    fn any(&self) -> &dyn Any;
    /// The value itself.
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<T: TypedData> ItemData for T {
    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn kind(&self) -> &'static str {
        T::TYPE
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Something shown.
pub struct Item {
    /// What all items have.
    pub face: ItemMeta,
    body: Box<dyn ItemData>,
}

/// What all items have in common.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ItemMeta {
    /// Stable key.
    pub key: String,
    /// Key of the section that it stands in.
    pub section: String,
    /// The entry that tells of it, as the role counts.
    pub seq: Option<u64>,
    /// Whether nothing more is waited for.
    pub done: bool,
    /// The asks behind it, but for those that belong to one of several seats.
    pub asks: Vec<String>,
    version: u64,
}

impl ItemMeta {
    /// An entry tells of it, and nothing more is waited for.
    pub fn told(&mut self, entry: &Entry) {
        self.seq = Some(entry.seq);
        self.done = true;
    }
}

impl Item {
    /// What it is, if it is such a thing.
    #[must_use]
    pub fn get<T: TypedData>(&self) -> Option<&T> {
        self.body.any().downcast_ref()
    }

    /// Its `type` in data.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.body.kind()
    }

    fn json(&self) -> Value {
        let mut json = joined(json!(self.face), self.body.json());
        json["type"] = json!(self.body.kind());
        json
    }
}

/// An object with the fields of another.
fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

/// A part of what is shown.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Section {
    /// Stable key.
    pub key: String,
    /// Sections stand in the order of their places.
    pub place: u64,
    /// Which phase, where there are any.
    pub phase: Option<u8>,
    /// Which step.
    pub step: &'static str,
    /// Round, 0 outside rounds.
    pub round: u32,
    /// What is done in it, where that changes.
    pub kinds: Vec<String>,
    /// Keys of its items, in order.
    pub items: Vec<String>,
    version: u64,
}

/// A participant.
pub struct Person {
    /// Name.
    pub name: String,
    /// Place at the table, from 0.
    pub index: usize,
    /// What sits there.
    pub kind: String,
    /// Model, where the role may know it.
    pub model: Option<String>,
    /// Personality, where the role may know it.
    pub personality: String,
    /// Language of its own.
    pub language: Option<String>,
    /// The asks without an answer.
    pub open: Vec<String>,
    /// The model of its fallbacks that it stays with.
    fallback: Option<String>,
    version: u64,
    body: Box<dyn ItemData>,
}

impl Person {
    /// What it is for its procedure.
    #[must_use]
    pub fn get<T: TypedData>(&self) -> Option<&T> {
        self.body.any().downcast_ref()
    }

    fn json(&self) -> Value {
        let common = json!({
            "name": self.name, "index": self.index, "kind": self.kind, "model": self.model,
            "personality": self.personality, "language": self.language, "version": self.version,
        });
        joined(self.body.json(), common)
    }
}

/// A try to get an answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Try {
    attempt: u32,
    sent_at: Option<Millis>,
    ended_at: Option<Millis>,
    outcome: Option<&'static str>,
    failure: Option<Failure>,
}

/// Another model was turned to.
#[derive(Debug, Clone, Default, Serialize)]
struct FellBack {
    seat: String,
    model: String,
    before: String,
    because: Option<FallbackReason>,
    /// Tries before it.
    after: usize,
}

impl TypedData for FellBack {
    const TYPE: &'static str = "fellback";
}

/// An ask and what became of it.
pub struct AskStatus {
    /// The ask.
    pub ask: Rc<Ask>,
    /// The question.
    pub request: Rc<Request>,
    /// Key of the item that shows it.
    pub item: Option<String>,
    /// Whether what was answered is kept from the screen of whoever runs the session, for now.
    pub sealed: bool,
    /// `waiting`, `sent`, `answered`, `failed`, `timed_out`, `retrying`, `unanswered` or `withdrawn`.
    pub state: &'static str,
    /// How the answer was read, as recorded.
    pub reading: Option<Value>,
    time_limits: Vec<Millis>,
    seq: u64,
    at: Millis,
    tries: Vec<Try>,
    answer: Option<Rc<Entry>>,
    fell_back: Vec<FellBack>,
    wait: Option<Millis>,
    version: u64,
}

impl AskStatus {
    fn json(&self, role: &Role, asks_person: bool) -> Value {
        let mut json = json!(self.ask);
        let is_hidden = self.sealed && *role == Role::Owner;
        let answer = self.answer.as_ref();
        json["seq"] = json!(self.seq);
        json["at"] = json!(self.at);
        json["timeLimits"] = json!(self.time_limits);
        json["tries"] = json!(self.tries);
        json["reply"] = match answer.filter(|_| !is_hidden).map(|entry| &entry.what) {
            Some(EntryKind::Answered { reply, .. }) => json!(reply),
            _ => Value::Null,
        };
        json["repliedSeq"] = json!(answer.map(|entry| entry.seq));
        json["repliedAt"] = json!(answer.map(|entry| entry.at));
        json["reading"] = self.reading.clone().filter(|_| !is_hidden).unwrap_or_default();
        json["fellBack"] = json!(self.fell_back);
        json["state"] = json!(self.state);
        json["wait"] = json!(self.wait);
        json["item"] = json!(self.item);
        json["sealed"] = json!(self.sealed);
        json["structured"] = json!(self.request.schema.is_some());
        json["version"] = json!(self.version);
        if self.is_open() && (asks_person || role.seat() == Some(&self.ask.seat)) {
            json["question"] = json!(self.request);
        }
        json
    }

    fn is_open(&self) -> bool {
        !matches!(self.state, "answered" | "unanswered" | "withdrawn")
    }
}

/// A step of the procedure, for a stepper.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Step {
    /// Which.
    pub step: &'static str,
    /// Which phase, where there are any.
    pub phase: Option<u8>,
    /// Round, 0 outside rounds.
    pub round: u32,
    /// `done`, `current`, `coming` or `skipped`.
    pub state: &'static str,
    /// Key of its section.
    pub key: String,
    /// How much of it is finished, of how much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<usize>,
    /// Of how much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// What is done in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// Whether it is a further round that nobody had planned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extended: bool,
}

/// What is shown, as far as all procedures have it in common.
pub struct Transcript {
    /// Who looks.
    pub role: Role,
    /// Who takes part, in the order of the table.
    pub people: Vec<Person>,
    /// The sections, in order.
    pub sections: Vec<Section>,
    /// `running`, `paused`, `halted`, `stopped` or `ended`.
    pub run: &'static str,
    /// What came of it.
    pub result: Option<Value>,
    head: Option<Rc<Entry>>,
    items: Vec<Item>,
    places: BTreeMap<String, usize>,
    /// In the order in which they were put.
    asks: Vec<AskStatus>,
    asked: BTreeMap<String, usize>,
    halt: Option<Halt>,
    ended_in: u64,
    calls: u64,
    settled: u64,
    tokens: [u64; 2],
    /// The caps that hold now, by the names of the configuration.
    caps: Value,
    last_at: Millis,
    now: u64,
}

impl Transcript {
    /// The configuration as the role may see it.
    #[must_use]
    pub fn config(&self) -> &Value {
        match self.head.as_ref().map(|head| &head.what) {
            Some(EntryKind::Started(head)) => &head.config,
            _ => &Value::Null,
        }
    }

    /// How many entries the role has heard of.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.now
    }

    /// Whether it is the owner who looks.
    #[must_use]
    pub fn sees_all(&self) -> bool {
        self.role == Role::Owner
    }

    /// Whether it has come to its end.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.run == "ended"
    }

    /// A participant.
    #[must_use]
    pub fn known(&self, name: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.name == name)
    }

    /// A participant, about to change.
    pub fn person(&mut self, name: &str) -> Option<&mut Person> {
        let now = self.now;
        let person = self.people.iter_mut().find(|person| person.name == name)?;
        person.version = now;
        Some(person)
    }

    /// What a participant is for its procedure, about to change.
    pub fn person_as<T: TypedData>(&mut self, name: &str) -> Option<&mut T> {
        self.person(name)?.body.any_mut().downcast_mut()
    }

    /// Somebody new sits down.
    pub fn add_person(&mut self, name: &str, kind: &str, body: Box<dyn ItemData>) {
        self.people.push(Person {
            name: name.to_owned(),
            index: self.people.len(),
            kind: kind.to_owned(),
            model: None,
            personality: String::new(),
            language: None,
            open: Vec::new(),
            fallback: None,
            version: self.now,
            body,
        });
    }

    /// An ask.
    #[must_use]
    pub fn ask(&self, id: &str) -> Option<&AskStatus> {
        self.asks.get(*self.asked.get(id)?)
    }

    /// An ask, about to change.
    pub fn ask_mut(&mut self, id: &str) -> Option<&mut AskStatus> {
        let now = self.now;
        let asked = self.asks.get_mut(*self.asked.get(id)?)?;
        asked.version = now;
        Some(asked)
    }

    /// The section of that key, about to change; made if there is none, where `place` puts it.
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

    /// All items, oldest first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The item of that key.
    #[must_use]
    pub fn shown(&self, key: &str) -> Option<&Item> {
        self.items.get(*self.places.get(key)?)
    }

    /// Shows something under that key: made if there is nothing yet, at the end of the section.
    pub fn show<T: TypedData>(
        &mut self,
        section: &str,
        key: &str,
        change: impl FnOnce(&mut ItemMeta, &mut T),
    ) {
        if !self.places.contains_key(key) {
            self.insert(section, key, Box::new(T::default()));
        }
        self.change(key, change);
    }

    fn insert(&mut self, section: &str, key: &str, body: Box<dyn ItemData>) {
        self.places.insert(key.to_owned(), self.items.len());
        self.items.push(Item {
            face: ItemMeta {
                key: key.to_owned(),
                section: section.to_owned(),
                ..ItemMeta::default()
            },
            body,
        });
        let now = self.now;
        if let Some(home) = self.sections.iter_mut().find(|home| home.key == section) {
            home.items.push(key.to_owned());
            home.version = now;
        }
    }

    /// Changes what is shown under that key, if such a thing is; comes out with what `change` does.
    pub fn change<T: TypedData, R>(
        &mut self,
        key: &str,
        change: impl FnOnce(&mut ItemMeta, &mut T) -> R,
    ) -> Option<R> {
        let now = self.now;
        let item = self.item_mut(key)?;
        let body = item.body.any_mut().downcast_mut()?;
        item.face.version = now;
        Some(change(&mut item.face, body))
    }

    fn item_mut(&mut self, key: &str) -> Option<&mut Item> {
        self.items.get_mut(*self.places.get(key)?)
    }

    /// Puts an ask where it is shown, and keeps it sealed or not.
    pub fn place(&mut self, id: &str, key: &str, sealed: bool) {
        if let Some(asked) = self.ask_mut(id) {
            asked.item = Some(key.to_owned());
            asked.sealed = sealed;
        }
        self.touch(key);
    }

    /// What the asks of an item brought may be shown.
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
        let now = self.now;
        if let Some(item) = self.item_mut(key) {
            item.face.version = now;
        }
    }

    // --- what is the same for all procedures ---

    /// A try came to its end with an answer. What was taken from a saved session cost nothing.
    fn count_tokens(&mut self, reply: &Reply) {
        self.settled += 1;
        if let Some(usage) = reply.usage.filter(|_| reply.recorded.is_none()) {
            self.tokens[0] += usage.input;
            self.tokens[1] += usage.output;
        }
    }

    fn start(&mut self, head: &Started, entry: &Rc<Entry>, seats: &[(String, String)], fold: &dyn Reducer) {
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
            self.add_person(&name, kind.as_deref().unwrap_or("scripted"), fold.person(agent));
            if let Some(person) = self.people.last_mut() {
                person.model = text(&agent["model"]);
                person.personality = text(&agent["personality"]).unwrap_or_default();
                person.language = text(&agent["language"]).or_else(|| text(&head.config["language"]));
            }
        }
    }

    fn add_ask(&mut self, ask: &Rc<Ask>, request: &Rc<Request>, time_limits: &[Millis], entry: &Entry) {
        let asked = AskStatus {
            ask: Rc::clone(ask),
            request: Rc::clone(request),
            item: None,
            sealed: false,
            state: "waiting",
            reading: None,
            time_limits: time_limits.to_vec(),
            seq: entry.seq,
            at: entry.at,
            tries: Vec::new(),
            answer: None,
            fell_back: Vec::new(),
            wait: None,
            version: self.now,
        };
        self.asked.insert(ask.id.clone(), self.asks.len());
        self.asks.push(asked);
        if let Some(person) = self.person(&ask.seat) {
            person.open.push(ask.id.clone());
        }
    }

    /// Something became of an ask, and of the item that shows it.
    fn set_state(
        &mut self,
        id: &str,
        state: Option<&'static str>,
        change: impl FnOnce(&mut AskStatus),
    ) -> Option<Rc<Ask>> {
        let asked = self.ask_mut(id)?;
        asked.state = state.unwrap_or(asked.state);
        change(asked);
        let ask = Rc::clone(&asked.ask);
        if let Some(key) = asked.item.clone() {
            self.touch(&key);
        }
        let is_open = self.ask(id).is_some_and(AskStatus::is_open);
        if !is_open && let Some(person) = self.person(&ask.seat) {
            person.open.retain(|open| open != id);
        }
        Some(ask)
    }

    fn record_fallback(&mut self, id: &str, seat: &str, model: &str, because: FallbackReason, entry: &Entry) {
        let mut told = FellBack {
            seat: seat.to_owned(),
            model: model.to_owned(),
            because: Some(because),
            ..FellBack::default()
        };
        let kept = &mut told;
        self.set_state(id, Some("waiting"), move |asked| {
            let before = asked.fell_back.last().map(|one| one.model.clone());
            kept.before = before.or_else(|| asked.request.model.clone()).unwrap_or_default();
            kept.after = asked.tries.len();
            asked.fell_back.push(kept.clone());
        });
        // A seat that stays with a model of its fallbacks says so once; what is sealed shows nothing of who is
        // asked for what.
        let Some(asked) = self.ask(id).filter(|asked| !asked.sealed) else {
            return;
        };
        let shown = asked.item.as_ref().and_then(|key| self.shown(key));
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
                |face, body: &mut FellBack| {
                    face.told(entry);
                    *body = told;
                },
            );
        }
    }
}

/// Caps on calls, tokens and money; `null` where there is none.
fn caps(calls: &Value, tokens: &Value, cost: &Value) -> Value {
    json!({ "max_calls": calls, "max_tokens": tokens, "max_cost": cost })
}

/// How a try came out.
fn over(asked: &mut AskStatus, attempt: u32, at: Millis, outcome: &'static str, failure: Option<Failure>) {
    if !asked.tries.iter().any(|one| one.attempt == attempt) {
        asked.tries.push(Try {
            attempt,
            sent_at: None,
            ended_at: None,
            outcome: None,
            failure: None,
        });
    }
    if let Some(last) = asked.tries.iter_mut().rev().find(|one| one.attempt == attempt) {
        last.ended_at = Some(at);
        last.outcome = Some(outcome);
        last.failure = failure;
    }
}

/// A record as a role sees it.
pub struct View {
    sight: RoleFilter,
    open: fn(&Started) -> Option<ViewSpec>,
    seats: fn(&Value) -> Vec<(String, String)>,
    fold: Option<Box<dyn Reducer>>,
    board: Transcript,
    taken: u64,
}

impl View {
    /// Of nothing yet. `open` tells how a procedure is looked at, `seats` who sits at its table: names, and
    /// what sits there.
    #[must_use]
    pub fn new(
        role: Role,
        open: fn(&Started) -> Option<ViewSpec>,
        seats: fn(&Value) -> Vec<(String, String)>,
    ) -> Self {
        Self {
            sight: RoleFilter::new(role.clone()),
            open,
            seats,
            fold: None,
            board: Transcript {
                role,
                people: Vec::new(),
                sections: Vec::new(),
                run: "running",
                result: None,
                head: None,
                items: Vec::new(),
                places: BTreeMap::new(),
                asks: Vec::new(),
                asked: BTreeMap::new(),
                halt: None,
                ended_in: 0,
                calls: 0,
                settled: 0,
                tokens: [0, 0],
                caps: Value::Null,
                last_at: 0,
                now: 0,
            },
            taken: 0,
        }
    }

    /// What is shown.
    #[must_use]
    pub fn board(&self) -> &Transcript {
        &self.board
    }

    /// How many entries of the record it has taken in.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes an entry in; one that it knows is passed over.
    pub fn take(&mut self, entry: &Rc<Entry>) {
        if entry.seq < self.taken {
            return;
        }
        self.taken = entry.seq + 1;
        let open = self.open;
        let Some(seen) = self.sight.filter(entry, |head| Some(open(head)?.public)) else {
            return;
        };
        self.board.now = seen.seq + 1;
        self.board.last_at = seen.at;
        self.apply(&seen);
    }

    fn apply(&mut self, entry: &Rc<Entry>) {
        let board = &mut self.board;
        let at = entry.at;
        let mut settled = None;
        match &entry.what {
            EntryKind::Started(head) => {
                let fold = (self.open)(head).map(|lens| (lens.fold)(&head.config));
                let seats = match board.role {
                    Role::Owner => (self.seats)(&head.config),
                    // What is published says it.
                    _ => Vec::new(),
                };
                if let Some(fold) = &fold {
                    board.start(head, entry, &seats, fold.as_ref());
                }
                self.fold = fold;
            }
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } => {
                board.add_ask(ask, request, time_limits, entry);
                if let Some(fold) = &mut self.fold {
                    fold.asked(board, ask);
                }
            }
            EntryKind::Sent { ask, attempt } => {
                board.calls += 1;
                board.set_state(ask, Some("sent"), |asked| {
                    asked.tries.push(Try {
                        attempt: *attempt,
                        sent_at: Some(at),
                        ended_at: None,
                        outcome: None,
                        failure: None,
                    });
                });
            }
            EntryKind::Answered { ask, attempt, reply } => {
                board.count_tokens(reply);
                settled = board.set_state(ask, Some("answered"), |asked| {
                    over(asked, *attempt, at, "answered", None);
                    asked.answer = Some(Rc::clone(entry));
                });
                let stays = board.ask(ask).is_some_and(|asked| !asked.fell_back.is_empty());
                if let Some(person) = settled.as_ref().and_then(|ask| board.person(&ask.seat))
                    && !stays
                {
                    person.fallback = None;
                }
            }
            EntryKind::Late { reply, .. } => board.count_tokens(reply),
            EntryKind::Failed {
                ask,
                attempt,
                failure,
            } => {
                board.settled += 1;
                board.set_state(ask, Some("failed"), |asked| {
                    over(asked, *attempt, at, "failed", Some(failure.clone()));
                });
            }
            EntryKind::TimedOut { ask, attempt } => {
                board.settled += 1;
                board.set_state(ask, Some("timed_out"), |asked| {
                    over(asked, *attempt, at, "timed_out", None);
                });
            }
            EntryKind::FellBack {
                ask,
                seat,
                model,
                because,
                ..
            } => board.record_fallback(ask, seat, model, *because, entry),
            EntryKind::Retrying { ask, wait, .. } => {
                board.set_state(ask, Some("retrying"), |asked| asked.wait = Some(*wait));
            }
            EntryKind::Unanswered { ask } => settled = board.set_state(ask, Some("unanswered"), |_| {}),
            EntryKind::Withdrawn { ask } => settled = board.set_state(ask, Some("withdrawn"), |_| {}),
            EntryKind::Read { ask, reading } => {
                board.set_state(ask, None, |asked| asked.reading = Some(reading.value()));
            }
            EntryKind::Commanded { command } => {
                if let Some(fold) = &mut self.fold {
                    fold.commanded(board, command);
                }
                match command {
                    Command::Pause | Command::Step => board.run = "paused",
                    Command::Resume => (board.run, board.halt) = ("running", None),
                    Command::Stop => board.run = "stopped",
                    Command::Limit {
                        max_calls,
                        max_tokens,
                        max_cost,
                    } => board.caps = caps(&json!(max_calls), &json!(max_tokens), &json!(max_cost)),
                    _ => {}
                }
            }
            EntryKind::Halted { halt } => (board.run, board.halt) = ("halted", Some(halt.clone())),
            EntryKind::Event { event, .. } => {
                if let Some(fold) = &mut self.fold {
                    fold.event(board, event, entry);
                }
            }
            EntryKind::Ended { result } => {
                (board.run, board.halt, board.ended_in) = ("ended", None, board.now);
                board.result = Some(result.clone());
                let sealed = board.asks.iter().filter(|asked| asked.sealed);
                let keys: Vec<String> = sealed.filter_map(|asked| asked.item.clone()).collect();
                keys.iter().for_each(|key| board.unseal(key));
            }
            EntryKind::Drew { .. } => {}
        }
        if let (Some(ask), Some(fold)) = (settled, &mut self.fold) {
            fold.settled(&mut self.board, &ask);
        }
    }

    /// An ask with its exact question.
    #[must_use]
    pub fn ask(&self, id: &str) -> Option<Value> {
        let asked = self.board.ask(id)?;
        let mut json = asked.json(&self.board.role, false);
        json["request"] = json!(asked.request);
        Some(json)
    }

    /// The view as data: all of it, or what changed since an earlier one's `number`.
    #[must_use]
    pub fn json(&self, since: Option<u64>) -> Value {
        let board = &self.board;
        let since = since.filter(|since| *since > 0 && *since <= board.now);
        let after = since.unwrap_or(0);
        let is_new = |version: u64| since.is_none() || version > after;
        let is_person = |name: &str| board.known(name).is_some_and(|person| person.kind == HUMAN);
        let head = board.head.as_ref();
        let started_at = head.map(|head| head.at);
        let steps = self
            .fold
            .as_ref()
            .map(|fold| fold.steps(board))
            .unwrap_or_default();
        let mut json = json!({
            "role": board.role,
            "number": board.now,
            "whole": since.is_none(),
            "startedAt": started_at,
            "lastAt": head.map(|_| board.last_at),
            "run": board.run,
            "halt": board.halt,
            "people": changed(&board.people, |person| is_new(person.version), Person::json),
            "sections": changed(&board.sections, |section| is_new(section.version), |section| json!(section)),
            "items": changed(&board.items, |item| is_new(item.face.version), Item::json),
            "asks": changed(&board.asks, |asked| is_new(asked.version), |asked| {
                asked.json(&board.role, is_person(&asked.ask.seat))
            }),
            "progress": progress(&steps),
            "steps": steps,
        });
        if let Some(fold) = &self.fold {
            json = joined(fold.rest(board), json);
            json["next"] = json!(fold.next(board));
            let doing = board.people.iter().filter_map(|person| {
                let word = fold.doing(board, &person.name)?;
                Some((person.name.clone(), json!(word)))
            });
            json["doing"] = Value::Object(doing.collect());
        }
        if since.is_none()
            && let Some(EntryKind::Started(head)) = head.map(|head| &head.what)
        {
            json["head"] = json!(head);
        }
        if board.ended_in > after {
            json["result"] = json!(board.result);
        }
        if board.role == Role::Owner {
            json["calls"] = json!(board.calls);
            json["settled"] = json!(board.settled);
            json["caps"] = board.caps.clone();
            json["tokens"] = json!({ "input": board.tokens[0], "output": board.tokens[1] });
        }
        json
    }
}

const HUMAN: &str = "human";

fn changed<'a, T: 'a>(
    all: impl IntoIterator<Item = &'a T>,
    is_new: impl Fn(&T) -> bool,
    json: impl Fn(&T) -> Value,
) -> Vec<Value> {
    all.into_iter().filter(|one| is_new(one)).map(json).collect()
}

/// How much of a run is behind it, 0 to 1, as its steps tell.
fn progress(steps: &[Step]) -> f64 {
    let behind = steps
        .iter()
        .filter(|step| matches!(step.state, "done" | "skipped"));
    behind.count() as f64 / steps.len().max(1) as f64
}
