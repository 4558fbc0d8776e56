//! A room in a simulated world: sessions, guests with their devices, and a network that may lose, double, delay and
//! reorder what travels. What is tested stands in the tests.

use quorate::core::ask::{Millis, Reply};
use quorate::core::form::{Form, Formed};
use quorate::core::record::{Command, Entry, EntryKind};
use quorate::core::view::View;
use quorate::core::view::naming::Names;
use quorate::core::visibility::Role;
use quorate::core::{Effect as Does, Input, Outcome, Session, Status};
use quorate::procedures;
use quorate::room::step::Step;
use quorate::room::{Effect, HostCommand, Room, TableStatus};
use quorate::seat::SeatKind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) const BEGINNING: Millis = 1_700_000_000_000;

/// What the network does to messages: the share of a hundred that is lost, the share that comes twice, and how long one
/// takes at most.
#[derive(Clone, Copy)]
pub(crate) struct Network {
    pub(crate) loses: u64,
    pub(crate) doubles: u64,
    pub(crate) delay: Millis,
}

pub(crate) const CALM: Network = Network {
    loses: 0,
    doubles: 0,
    delay: 1,
};

#[derive(Clone)]
enum Event {
    ToHost(usize, Value),
    ToGuest(usize, Value),
    Joins(usize),
    Looks(usize),
    Answers(usize, String),
    Beats(usize),
}

/// A guest's device: what it shows and what it has not got rid of yet.
#[derive(Default)]
pub(crate) struct Device {
    pub(crate) key: String,
    pub(crate) number: u64,
    pub(crate) state: Value,
    pub(crate) items: BTreeMap<String, Value>,
    pub(crate) unsent: Vec<Value>,
    pub(crate) got: Vec<Value>,
    /// The connection, the messages sent over it, and the host's session.
    from: (u64, u64),
    host: u64,
    n: u64,
    taken_up: BTreeSet<String>,
    is_there: bool,
    hears_host: Millis,
}

pub(crate) struct Hosted {
    pub(crate) session: Session,
    views: BTreeMap<String, View>,
    told: usize,
    seed: u32,
    step: Step,
}

pub(crate) struct Venue {
    pub(crate) now: Millis,
    pub(crate) room: Room,
    pub(crate) tables: Vec<Hosted>,
    pub(crate) guests: Vec<Device>,
    pub(crate) network: Network,
    pub(crate) persisted: String,
    /// How long somebody thinks; `None`: nobody answers.
    pub(crate) thinks: Option<Millis>,
    /// Calls to simulated participants that stand in.
    pub(crate) stood_in: usize,
    /// Whether nothing reaches the host and nothing comes of it.
    is_cut_off: bool,
    events: Vec<(Millis, u64, Event)>,
    count: u64,
    chance: u64,
}

impl Venue {
    pub(crate) fn open(plan: &Value, guests: usize, network: Network, chance: u64) -> Self {
        Self::of_text(&plan.to_string(), guests, network, chance)
    }

    pub(crate) fn of_text(plan: &str, guests: usize, network: Network, chance: u64) -> Self {
        let room = Room::open(plan, "r", BEGINNING, Vec::new()).unwrap();
        let device = |index: usize| Device {
            key: format!("key{index}"),
            ..Device::default()
        };
        Self {
            now: BEGINNING,
            persisted: room.snapshot(),
            room,
            tables: Vec::new(),
            guests: (0..guests).map(device).collect(),
            network,
            thinks: Some(700),
            stood_in: 0,
            is_cut_off: false,
            events: Vec::new(),
            count: 0,
            chance: chance * 2 + 1,
        }
    }

    fn chance(&mut self, below: u64) -> u64 {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % below.max(1)
    }

    fn at(&mut self, after: Millis, event: Event) {
        self.count += 1;
        self.events.push((self.now + after, self.count, event));
    }

    fn travels(&mut self, event: &Event) {
        let copies = match self.chance(100) {
            draw if draw < self.network.loses => 0,
            draw if draw < self.network.loses + self.network.doubles => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let delay = 1 + self.chance(self.network.delay);
            self.at(delay, event.clone());
        }
    }

    pub(crate) fn joins(&mut self, guest: usize, after: Millis) {
        self.at(after, Event::Joins(guest));
    }

    /// A device is switched off: nothing comes of it and nothing reaches it.
    pub(crate) fn leaves(&mut self, guest: usize) {
        self.guests[guest].is_there = false;
    }

    pub(crate) fn says(&mut self, guest: usize, message: Value) {
        let message = self.numbered(guest, message);
        self.travels(&Event::ToHost(guest, message));
    }

    /// A message as a guest's device would send it now.
    pub(crate) fn numbered(&mut self, guest: usize, mut message: Value) -> Value {
        let device = &mut self.guests[guest];
        device.from.1 += 1;
        message["from"] = json!(device.from);
        message["to"] = device.host.into();
        message
    }

    /// The same message arrives at the host once more, as anybody can send it who has recorded it.
    pub(crate) fn replays(&mut self, guest: usize, message: &Value) {
        self.happens(Event::ToHost(guest, message.clone()));
    }

    fn hello(&mut self, guest: usize) {
        let since = self.guests[guest].number;
        let params = json!({ "PROLIFIC_PID": format!("canary {guest}") });
        self.says(
            guest,
            json!({ "type": "hello", "language": "en", "since": since, "params": params }),
        );
    }

    /// Lets so much time pass.
    pub(crate) fn passes(&mut self, time: Millis) {
        let end = self.now + time;
        loop {
            let next = self.events.iter().map(|(at, count, _)| (*at, *count)).min();
            let due = match self.is_cut_off {
                true => Millis::MAX,
                false => self.room.deadline().max(self.now),
            };
            match next {
                Some((at, _)) if at > due.min(end) => {}
                Some(place) => {
                    let index = self
                        .events
                        .iter()
                        .position(|(at, count, _)| (*at, *count) == place)
                        .unwrap();
                    let (at, _, event) = self.events.remove(index);
                    self.now = self.now.max(at);
                    self.happens(event);
                    continue;
                }
                None => {}
            }
            if due > end {
                self.now = end;
                return;
            }
            self.now = due;
            let effects = self.room.tick(self.now, true);
            self.does(effects);
        }
    }

    /// The host is without a network for so long.
    pub(crate) fn is_cut_off_for(&mut self, time: Millis) {
        self.is_cut_off = true;
        self.passes(time);
        self.is_cut_off = false;
        let effects = self.room.tick(self.now, false);
        self.does(effects);
    }

    /// Runs until every table has come to its end and every guest knows.
    pub(crate) fn ends(&mut self) {
        for _ in 0..20_000 {
            let is_over = |guest: &Device| guest.state["stage"] == "over";
            if self.guests.iter().all(is_over) {
                return;
            }
            self.passes(1_000);
        }
        let states: Vec<&Value> = self.guests.iter().map(|guest| &guest.state).collect();
        panic!("it does not end: {states:?} {:#}", self.room.view());
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::ToHost(..) | Event::ToGuest(..) if self.is_cut_off => {}
            Event::ToHost(guest, message) => {
                let key = self.guests[guest].key.clone();
                let bytes = message.to_string().len();
                let effects = self.room.receive(self.now, &key, bytes, &message);
                self.does(effects);
            }
            Event::ToGuest(guest, message) if self.guests[guest].is_there => self.hears(guest, message),
            Event::ToGuest(..) => {}
            Event::Joins(guest) => {
                self.guests[guest].is_there = true;
                self.guests[guest].from = (self.now * 16 + guest as u64, 0);
                self.hello(guest);
                self.at(3_000, Event::Looks(guest));
                self.at(10_000, Event::Beats(guest));
            }
            Event::Looks(guest) if self.guests[guest].is_there => {
                if self.guests[guest].number == 0 {
                    self.hello(guest);
                }
                for message in self.guests[guest].unsent.clone() {
                    self.says(guest, message);
                }
                self.at(3_000, Event::Looks(guest));
            }
            Event::Beats(guest) if self.guests[guest].is_there => {
                self.says(guest, json!({ "type": "here" }));
                self.at(10_000, Event::Beats(guest));
            }
            Event::Answers(guest, ask) if self.guests[guest].is_there => self.answers(guest, &ask),
            Event::Looks(_) | Event::Beats(_) | Event::Answers(..) => {}
        }
    }

    /// What a guest's page does with a message.
    fn hears(&mut self, guest: usize, message: Value) {
        let device = &mut self.guests[guest];
        device.hears_host = self.now;
        device.got.push(message.clone());
        let host = message["from"][0].as_u64().unwrap();
        let to = message["to"].as_array().unwrap();
        if !to.contains(&device.from.0.into()) {
            return;
        }
        if std::mem::replace(&mut device.host, host) != host && message["type"] != "state" {
            return self.hello(guest);
        }
        let device = &mut self.guests[guest];
        let number = message["number"].as_u64().unwrap_or_default();
        match message["type"].as_str().unwrap() {
            "kept" | "late" | "refused" => device.unsent.retain(|sent| sent["n"] != message["n"]),
            "here" if number != device.number => self.hello(guest),
            "state" if number > device.number => {
                let since = message["since"].as_u64().unwrap();
                if since != 0 && since != device.number {
                    return self.hello(guest);
                }
                if since == 0 {
                    device.items.clear();
                }
                for item in message["view"]["items"].as_array().into_iter().flatten() {
                    device
                        .items
                        .insert(item["key"].as_str().unwrap().to_owned(), item.clone());
                }
                device.number = number;
                device.state = message.clone();
                for question in message["questions"].as_array().unwrap() {
                    let ask = question["ask"].as_str().unwrap().to_owned();
                    if let Some(thinks) = self.thinks
                        && self.guests[guest].taken_up.insert(ask.clone())
                    {
                        self.at(thinks, Event::Answers(guest, ask));
                    }
                }
            }
            _ => {}
        }
    }

    fn answers(&mut self, guest: usize, ask: &str) {
        let device = &mut self.guests[guest];
        let questions = device.state["questions"].as_array().unwrap();
        let Some(question) = questions.iter().find(|question| question["ask"] == *ask) else {
            return;
        };
        let who = device.state["you"]["pseudonym"].as_str().unwrap();
        let values = filled(&question["form"]["fields"], &format!("{who} {ask}"));
        self.sends(guest, ask, values);
    }

    /// A guest's device sends an answer until it hears what became of it.
    pub(crate) fn sends(&mut self, guest: usize, ask: &str, values: Value) -> u64 {
        let device = &mut self.guests[guest];
        device.n += 1;
        let n = device.n;
        let message = json!({ "type": "answer", "n": n, "ask": ask, "values": values });
        device.unsent.push(message.clone());
        self.says(guest, message);
        n
    }

    pub(crate) fn wishes(&mut self, wish: &HostCommand) -> bool {
        let (is_had, effects) = self.room.host_command(self.now, wish);
        self.does(effects);
        is_had
    }

    pub(crate) fn does(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Persist => self.persisted = self.room.snapshot(),
                Effect::Send { guest, message } => {
                    // Tests send messages of other devices by hand.
                    if let Some(guest) = self.guests.iter().position(|one| one.key == guest) {
                        self.travels(&Event::ToGuest(guest, message));
                    }
                }
                Effect::Show {
                    guest,
                    table,
                    seat,
                    since,
                } => {
                    let names = Rc::new(self.room.seat_names(table - 1));
                    let view = self.tables[table - 1]
                        .view(&seat, &names)
                        .json((since > 0).then_some(since));
                    let effects = self.room.send_view(self.now, &guest, since, view);
                    self.does(effects);
                }
                Effect::Open { table, config, id } => {
                    let id = id.unwrap_or_else(|| format!("r-{table}"));
                    let (session, outcome) = procedures::begin(&config, &id, self.now).unwrap();
                    assert_eq!(table, self.tables.len() + 1);
                    let seed = config["seed"].as_u64().unwrap() as u32;
                    self.tables.push(Hosted {
                        session,
                        views: BTreeMap::new(),
                        told: 0,
                        seed,
                        step: Step::default(),
                    });
                    self.goes_on(table, outcome);
                }
                Effect::Answer {
                    table,
                    ask,
                    values,
                    id,
                    ..
                } => {
                    let hosted = &mut self.tables[table - 1];
                    let open = hosted.session.open_asks();
                    let Some(open) = open.iter().find(|open| open.call.ask.id == ask) else {
                        self.room.drop_pending(&ask);
                        continue;
                    };
                    let form: &Form = open.call.form.as_ref().unwrap().get().unwrap();
                    match form.reply(&values) {
                        Ok(reply) => {
                            let reply = Reply {
                                request_id: Some(id),
                                ..reply
                            };
                            let (attempt, now) = (open.call.attempt, self.now);
                            let input = Input::Answered { ask, attempt, reply };
                            let outcome = hosted.session.handle(now, input);
                            self.goes_on(table, outcome);
                        }
                        Err(fault) => {
                            let effects = self.room.refused(&ask, &fault.message, &fault.field);
                            self.does(effects);
                        }
                    }
                }
                Effect::Note { table, command } => {
                    let outcome = self.tables[table - 1]
                        .session
                        .handle(self.now, Input::Command(command));
                    self.goes_on(table, outcome);
                }
            }
        }
    }

    /// Simulated participants answer at once; then the room hears how the table stands.
    fn goes_on(&mut self, table: usize, mut outcome: Outcome) {
        let hosted = &mut self.tables[table - 1];
        loop {
            let mut inputs = Vec::new();
            for effect in outcome.effects {
                if let Does::Ask {
                    call, seat, stood_in, ..
                } = effect
                    && (stood_in || seat.kind == SeatKind::Scripted)
                {
                    self.stood_in += usize::from(stood_in);
                    let text = procedures::scripted_answer(&seat, hosted.seed, &call);
                    let reply = Reply {
                        text,
                        stood_in,
                        ..Reply::default()
                    };
                    inputs.push(Input::Answered {
                        ask: call.ask.id.clone(),
                        attempt: call.attempt,
                        reply,
                    });
                }
            }
            if inputs.is_empty() {
                break;
            }
            outcome.effects = Vec::new();
            for input in inputs {
                outcome
                    .effects
                    .extend(hosted.session.handle(self.now, input).effects);
            }
        }
        let stands = hosted.stands(&Rc::new(self.room.seat_names(table - 1)));
        let effects = self.room.table_changed(self.now, table, stands);
        self.does(effects);
    }

    /// The host's page is loaded anew: all that is left is what was stored.
    pub(crate) fn reloads(&mut self) {
        self.room = Room::restore(&self.persisted, self.now).unwrap();
        let seed = |(table, config, _): (usize, &Value, _)| (table, config["seed"].as_u64().unwrap() as u32);
        let begun: Vec<_> = self.room.begun().into_iter().map(seed).collect();
        for (table, seed) in begun {
            let hosted = &mut self.tables[table - 1];
            let (mut session, _) = procedures::replay(&hosted.session.record()).unwrap();
            assert_eq!(seed, hosted.seed);
            let outcome = session.reopen(self.now);
            hosted.session = session;
            hosted.told = 0;
            hosted.views.clear();
            self.goes_on(table, outcome);
        }
    }

    pub(crate) fn commands(&self, table: usize) -> Vec<Command> {
        let command = |entry: &Rc<Entry>| match &entry.what {
            EntryKind::Commanded { command } => Some(command.clone()),
            _ => None,
        };
        self.tables[table]
            .session
            .record()
            .iter()
            .filter_map(command)
            .collect()
    }
}

impl Hosted {
    pub(crate) fn view(&mut self, seat: &str, names: &Rc<Names>) -> &View {
        let new = || procedures::view::view(Role::Seat(seat.to_owned()));
        let view = self.views.entry(seat.to_owned()).or_insert_with(new);
        let entries = self.session.entries_from(view.taken());
        entries.iter().for_each(|entry| view.take(entry));
        view.set_names(names);
        view
    }

    fn stands(&mut self, names: &Rc<Names>) -> TableStatus {
        let record = self.session.record();
        record[self.told..].iter().for_each(|entry| self.step.take(entry));
        let settled: Vec<Value> = record[self.told..]
            .iter()
            .filter_map(|entry| match &entry.what {
                EntryKind::Answered { ask, reply, .. } => Some(json!([ask, reply.request_id])),
                EntryKind::Unanswered { ask } | EntryKind::Withdrawn { ask } => Some(json!([ask, null])),
                _ => None,
            })
            .collect();
        self.told = record.len();
        let open = self.session.open_asks();
        let open = open
            .iter()
            .filter(|open| open.seat.kind == SeatKind::Human && open.since.is_some());
        let mut open: Vec<Value> = open
            .map(|open| {
                json!({
                    "id": open.call.ask.id, "seat": open.seat.name, "since": open.since, "form": open.call.form.as_ref().and_then(Formed::get),
                })
            })
            .collect();
        for one in &mut open {
            let seat = one["seat"].as_str().unwrap().to_owned();
            self.view(&seat, names).call_form(&mut one["form"]);
        }
        let (state, result) = match (self.session.status(), &record.last().unwrap().what) {
            (Status::Ended, EntryKind::Ended { result }) => ("ended", result.clone()),
            (Status::Running, _) => ("running", Value::Null),
            (status, _) => panic!("{status:?}"),
        };
        serde_json::from_value(json!({ "state": state, "open": open, "settled": settled, "result": result, "step": self.step.seats(), "left": self.step.left() }))
            .unwrap()
    }
}

/// Values for the fields of a form, by a text that decides.
pub(crate) fn filled(fields: &Value, by: &str) -> Value {
    let mut values = serde_json::Map::new();
    for field in fields.as_array().unwrap() {
        let draw = |most: usize| {
            let name = field["name"].as_str().unwrap();
            let mixed = by.bytes().chain(name.bytes());
            let hash = mixed.fold(17_u64, |hash, byte| {
                hash.wrapping_mul(31).wrapping_add(u64::from(byte))
            });
            (hash >> 7) as usize % most.max(1)
        };
        let when = &field["when"];
        let is_asked = |values: &serde_json::Map<String, Value>| {
            let given = values
                .get(when["field"].as_str().unwrap_or_default())
                .cloned()
                .unwrap_or_default();
            let given = given.as_str().map_or(given.to_string(), str::to_owned);
            when.is_null()
                || when["values"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|value| *value == *given)
        };
        if !is_asked(&values) {
            continue;
        }
        let options: Vec<Value> = field["options"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|option| option["value"].clone())
            .collect();
        let least = field["least"].as_f64().unwrap_or_default();
        let value = match field["input"].as_str().unwrap() {
            "choice" | "certainty" => options[draw(options.len())].clone(),
            "order" => {
                let mut order = options.clone();
                order.rotate_left(draw(options.len()));
                let places = field["places"].as_array().unwrap();
                for (place, value) in places.iter().zip(&order) {
                    values.insert(place.as_str().unwrap().to_owned(), value.clone());
                }
                if !places.is_empty() {
                    continue;
                }
                order.into()
            }
            "amount" => json!(least + (draw(20) * 1_000) as f64),
            "yes_no" if field["isFlag"] == true => json!(draw(2) == 0),
            "yes_no" => field[if draw(2) == 0 { "yes" } else { "no" }]["value"].clone(),
            "scale" => json!(least),
            "text" => json!(format!(
                "This is what {by} has to say about the matter, and it is long enough."
            )),
            "texts" => json!([]),
            "each" => {
                let of = field["of"].as_str().unwrap();
                let one = |option: &Value| {
                    let mut inner = filled(&field["fields"], &format!("{by} {option}"));
                    inner[of] = option.clone();
                    inner
                };
                options.iter().map(one).collect()
            }
            "group" => filled(&field["fields"], by),
            other => panic!("{other}"),
        };
        values.insert(field["name"].as_str().unwrap().to_owned(), value);
    }
    values.into()
}
