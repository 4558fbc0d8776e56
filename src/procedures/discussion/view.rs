//! View of a discussion: rounds, contributions in and out of turn, the current turn and the seating.
//! Contributions are public; their origin and what was cut off are visible to the speaker and the owner.

use super::event::{Event, Metadata, SpeakingSlot};
use super::seating::Role;
use super::settings::SPEC;
use crate::core::ask::{Ask, Millis};
use crate::core::block::{Block, Table, Tone};
use crate::core::data::Data;
use crate::core::record::{Command, Entry};
use crate::core::view::{ItemData, Reducer, Section, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::Publication;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::procedures::open_talk::{MESSAGE, Turns};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::view::{agents, published};
use crate::seat::SeatKind;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

static TEXTS: Texts = Texts::new(in_each_language!("words/view"));

pub(crate) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, _| {
            let mut public = published(
                config,
                &[
                    "title", "protocol", "language", "topic", "rules", "turns", "minutes",
                ],
            );
            let talk = Talk::of(config);
            public["rounds"] = json!(talk.rounds);
            public["turns_per_call"] = json!(talk.turns_per_call);
            public["agents"] = agents(config, &["role", "language"]);
            public
        },
        result: |result, _, _| result.clone(),
    },
    texts: &[&TEXTS],
    wording: |_| None,
    reducer: |config| Box::new(Talk::of(config)),
    outcome,
};

fn outcome(result: &Value, words: &Words) -> String {
    let number = |key: &str| result[key].as_u64().unwrap_or_default();
    let rounds = words.counted("rounds", number("rounds"), &[]);
    let contributions = number("contributions");
    let mut sentence = match number("rounds") {
        0 => words.counted("outcome.messages", contributions, &[]),
        _ => words.counted("outcome.contributions", contributions, &[("rounds", &rounds)]),
    };
    if result["completed_by"] == "closed" {
        sentence = format!("{sentence} {}", words.text("outcome.closed", &[]));
    }
    sentence
}

/// A contribution, or a pending one.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    seat: String,
    role: Option<Role>,
    round: u32,
    text: String,
    is_person: bool,
    metadata: Metadata,
    /// Speaker without a place at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest: Option<Guest>,
}

#[derive(Debug, Serialize)]
struct Guest {
    name: String,
    index: usize,
    kind: SeatKind,
}

/// A notice by the lab.
#[derive(Debug, Default, Serialize)]
struct NoteItem {
    code: String,
    about: String,
}

#[derive(Debug, Default, Serialize)]
struct Completed {
    by: String,
}

/// View data of a participant.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Speaker {
    role: Option<Role>,
    said: u32,
    passed: u32,
    is_person: bool,
    known: bool,
    seated: bool,
}

impl TypedData for Message {
    const TYPE: &'static str = "message";

    fn seat(&self) -> Option<&str> {
        Some(&self.seat)
    }

    fn is_speech(&self) -> bool {
        !self.metadata.passed && !self.metadata.empty
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let Self { text, metadata, .. } = self;
        let toned = |tone, key, values| Block::toned(tone, words.text(key, values));
        let mut blocks = Vec::new();
        if metadata.passed || metadata.empty {
            let key = if metadata.passed {
                "view.passed"
            } else {
                "view.empty"
            };
            blocks.push(toned(Tone::Quiet, key, &[]));
            return blocks;
        }
        let Some(text) = Block::quote(text) else {
            return blocks;
        };
        blocks.extend(self.role.map(|role| role_tag(role, words)));
        if metadata.out_of_turn {
            blocks.push(toned(Tone::Tag, "view.out_of_turn", &[]));
        }
        blocks.push(text);
        if let Some(other) = &metadata.answered_as {
            blocks.push(toned(Tone::Note, "view.answered_as", &[("other", other)]));
        } else if metadata.raw.is_some() {
            blocks.push(toned(Tone::Note, "view.cut", &[]));
        }
        blocks
    }
}

impl TypedData for NoteItem {
    const TYPE: &'static str = "noted";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        vec![Block::toned(Tone::Note, self.text(words))]
    }
}

impl NoteItem {
    fn text(&self, words: &Words) -> String {
        let key = format!("view.note.{}", self.code);
        match TEXTS.has(&key) {
            true => words.text(&key, &[("about", &self.about)]),
            false => self.about.clone(),
        }
    }
}

impl TypedData for Completed {
    const TYPE: &'static str = "completed";

    fn is_projected(&self) -> bool {
        false
    }

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let text = words.text(&format!("view.completed.{}", self.by), &[]);
        vec![Block::toned(Tone::Good, text)]
    }
}

impl TypedData for Speaker {
    const TYPE: &'static str = "speaker";

    fn blocks(&self, words: &Words, _: &Value) -> Vec<Block> {
        let role = self.role.map(|role| role_tag(role, words));
        let contributions = words.counted("contributions", self.said.into(), &[]);
        role.into_iter().chain([Block::text(contributions)]).collect()
    }
}

fn role_name(role: Role, words: &Words) -> String {
    words.text(&format!("view.role.{}", role.name()), &[])
}

fn role_tag(role: Role, words: &Words) -> Block {
    Block::toned(Tone::Tag, role_name(role, words))
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Talk {
    order: Vec<SpeakingSlot>,
    turn: u32,
    round: u32,
    rounds: u32,
    turns_per_call: u32,
    topic: String,
    rules: Vec<String>,
    completed_by: Option<String>,
    /// Whether all may write at any time.
    is_open: bool,
    /// Time at which an open discussion ends, in milliseconds since the epoch.
    until: Option<Millis>,
    /// Private metadata of the next contribution.
    #[serde(skip)]
    private_metadata: Option<Metadata>,
    /// Seating of the last `reseat` command.
    #[serde(skip)]
    table: Value,
}

impl Talk {
    fn of(config: &Value) -> Self {
        let top = ConfigReader::unchecked(config, SPEC.settings);
        Self {
            round: 1,
            rounds: top.whole("rounds"),
            turns_per_call: top.whole("turns_per_call"),
            topic: top.text("topic").to_owned(),
            rules: top.lines("rules"),
            is_open: top.one_of("turns", Turns::ALL) == Turns::Open,
            ..Self::default()
        }
    }

    /// Yields the places from the current turn on; none at the end.
    fn up_next(&self, transcript: &Transcript) -> impl Iterator<Item = &SpeakingSlot> {
        let count = self.order.len();
        let is_over = self.is_open || transcript.has_ended() || self.completed_by.is_some() || count == 0;
        let steps = if is_over { 0 } else { count };
        let from = self.turn as usize;
        (from..from + steps)
            .take_while(move |at| self.round as usize + at / count <= self.rounds as usize)
            .filter_map(move |at| self.order.get(at % count))
            .filter(|place| place.known)
    }

    /// Adds new participants and marks those who left.
    fn update_seating(&mut self, transcript: &mut Transcript, order: Vec<SpeakingSlot>) {
        for place in &order {
            if transcript.find_person(&place.name).is_none() {
                transcript.add_person(&place.name, "scripted", Box::<Speaker>::default());
            }
            let agents = self.table["agents"].as_array().into_iter().flatten();
            let agent = agents
                .into_iter()
                .find(|agent| agent["name"] == *place.name)
                .cloned();
            if let Some(person) = transcript.person(&place.name) {
                if let Some(kind) = place.kind {
                    person.kind = kind.name().to_owned();
                }
                if let Some(agent) = agent {
                    person.model = agent["model"].as_str().map(str::to_owned);
                    person.personality = agent["personality"].as_str().unwrap_or_default().to_owned();
                }
            }
        }
        let names: Vec<String> = transcript
            .people
            .iter()
            .map(|person| person.name.clone())
            .collect();
        for name in names {
            let place = order.iter().find(|place| place.name == name);
            if let Some(speaker) = transcript.person_as::<Speaker>(&name) {
                speaker.seated = place.is_some();
                if let Some(place) = place {
                    speaker.role = Some(place.role);
                    speaker.is_person = place.person;
                    speaker.known = place.known;
                }
            }
        }
        let at = |name: &str| {
            order
                .iter()
                .position(|place| place.name == name)
                .unwrap_or(order.len())
        };
        transcript.people.sort_by_key(|person| at(&person.name));
        self.order = order;
    }

    fn show_message(&mut self, transcript: &mut Transcript, message: Message, entry: &Entry) {
        let section_key = section(transcript, message.round);
        let ask = message.metadata.ask.as_ref().and_then(|ask| transcript.ask(ask));
        let key = ask
            .and_then(|ask| ask.item.clone())
            .unwrap_or_else(|| format!("said/{}", entry.seq));
        let (seat, passed, has_text) = (
            message.seat.clone(),
            message.metadata.passed,
            !message.text.is_empty(),
        );
        let guest = transcript.find_person(&seat).is_none().then(|| Guest {
            name: seat.clone(),
            index: transcript.people.len(),
            kind: SeatKind::Human,
        });
        transcript.show(&section_key, &key, |meta, item: &mut Message| {
            meta.complete(entry);
            *item = message;
            item.guest = guest;
        });
        // A contribution during a pending ask is placed before its answer.
        let mut keys = transcript.section(&section_key, 0, "round", 0).items.clone();
        keys.retain(|other| *other != key);
        let is_done = |key: &String| transcript.item(key).is_some_and(|item| item.face.done);
        let open = keys.iter().position(|key| !is_done(key)).unwrap_or(keys.len());
        keys.insert(open, key);
        transcript.section(&section_key, 0, "round", 0).items = keys;
        if let Some(speaker) = transcript.person_as::<Speaker>(&seat) {
            speaker.said += u32::from(has_text);
            speaker.passed += u32::from(passed);
        }
    }
}

fn section(transcript: &mut Transcript, round: u32) -> String {
    let key = format!("round/{round}");
    transcript.section(&key, u64::from(round), "round", round);
    key
}

fn rounds_of(messages: &[&Message]) -> BTreeSet<u32> {
    messages.iter().map(|message| message.round).collect()
}

fn columns(keys: &[&str], messages: &[&Message], words: &Words) -> Vec<String> {
    let rounds = rounds_of(messages);
    let rounds = rounds
        .iter()
        .map(|round| words.text("view.round", &[("round", round)]));
    keys.iter()
        .map(|key| words.text(key, &[]))
        .chain(rounds)
        .collect()
}

/// Returns the number of those messages in all and in each round.
fn counts(messages: &[&Message], keep: impl Fn(&Message) -> bool) -> Vec<String> {
    let kept: Vec<u32> = messages
        .iter()
        .filter(|message| keep(message))
        .map(|message| message.round)
        .collect();
    let in_round = |round: u32| kept.iter().filter(|other| **other == round).count();
    let by_round = rounds_of(messages).into_iter().map(in_round);
    std::iter::once(kept.len())
        .chain(by_round)
        .map(|count| count.to_string())
        .collect()
}

fn by_participant(messages: &[&Message], transcript: &Transcript, words: &Words) -> Block {
    let mut names: Vec<&str> = transcript.people.iter().map(|person| &*person.name).collect();
    for message in messages {
        if !names.contains(&&*message.seat) {
            names.push(&message.seat);
        }
    }
    let row = |name: &str| {
        let own = messages.iter().filter(|message| message.seat == name);
        let characters: usize = own.map(|message| message.text.chars().count()).sum();
        let mut row = vec![name.to_owned()];
        row.extend(counts(messages, |message| message.seat == name));
        row.push(characters.to_string());
        row
    };
    let mut columns = columns(&["view.participant", "view.total"], messages, words);
    columns.push(words.text("view.characters", &[]));
    Block::Table(Table {
        columns,
        rows: names.into_iter().map(row).collect(),
        has_seats: true,
        ..Table::default()
    })
}

fn by_role(messages: &[&Message], words: &Words) -> Block {
    let row = |role: Role| {
        let is_held = messages.iter().any(|message| message.role == Some(role));
        is_held.then(|| {
            let mut row = vec![role_name(role, words)];
            row.extend(counts(messages, |message| message.role == Some(role)));
            row
        })
    };
    Block::Table(Table {
        columns: columns(&["view.role", "view.total"], messages, words),
        rows: Role::ALL.iter().filter_map(|(_, role)| row(*role)).collect(),
        ..Table::default()
    })
}

impl Reducer for Talk {
    fn person(&self, agent: &Value) -> Box<dyn ItemData> {
        Box::new(Speaker {
            role: serde_json::from_value(agent["role"].clone()).ok(),
            is_person: agent["kind"] == "human",
            seated: true,
            ..Speaker::default()
        })
    }

    fn command(&mut self, _transcript: &mut Transcript, command: &Command) {
        if let Command::Reseat { table } = command {
            self.table = table.clone();
        }
    }

    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(event) = event.read() else {
            return;
        };
        match event {
            Event::Seated { order } => self.update_seating(transcript, order),
            Event::Opened { until } => self.until = Some(until),
            Event::Moved { turn, round } => (self.turn, self.round) = (turn, round),
            Event::Came(metadata) => self.private_metadata = Some(metadata),
            Event::Said {
                speaker,
                role,
                person,
                round,
                content,
                metadata,
                ..
            } => {
                let message = Message {
                    seat: speaker,
                    role: Some(role),
                    round,
                    text: content,
                    is_person: person,
                    metadata: metadata.with(self.private_metadata.take()),
                    guest: None,
                };
                self.show_message(transcript, message, entry);
            }
            Event::Noted {
                code, round, about, ..
            } => {
                let section_key = section(transcript, round.min(self.rounds));
                transcript.show(
                    &section_key,
                    &format!("noted/{}", entry.seq),
                    |meta, item: &mut NoteItem| {
                        meta.complete(entry);
                        (item.code, item.about) = (code.clone(), about.clone());
                    },
                );
            }
            Event::Completed { by } => {
                self.completed_by = Some(by.clone());
                let last = transcript.sections.last().map(|section| section.key.clone());
                let section_key = last.unwrap_or_else(|| section(transcript, 1));
                transcript.show(
                    &section_key,
                    &format!("completed/{}", entry.seq),
                    |meta, item: &mut Completed| {
                        meta.complete(entry);
                        item.by = by;
                    },
                );
            }
        }
    }

    /// A pending ask takes the place of its answer; both attempts of a turn share it.
    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        // Messages stand in the order in which they are written, so a question for one has no place yet.
        if ask.kind.name() == MESSAGE {
            return;
        }
        let round = ask.round.unwrap_or(self.round);
        let section_key = section(transcript, round);
        let base = ask.id.rsplit_once('#').map_or(ask.id.as_str(), |(base, _)| base);
        let is_over = transcript.item(base).is_some_and(|item| item.face.done);
        let key = if is_over { &ask.id } else { base };
        let speaker = transcript
            .find_person(&ask.seat)
            .and_then(|person| person.get::<Speaker>());
        let (role, is_person) = speaker.map_or((None, false), |speaker| (speaker.role, speaker.is_person));
        transcript.show(&section_key, key, |meta, item: &mut Message| {
            meta.asks.push(ask.id.clone());
            *item = Message {
                seat: ask.seat.clone(),
                role,
                round,
                is_person,
                ..Message::default()
            };
        });
        transcript.place(&ask.id, key, false);
    }

    /// Returns `speaking`, `turn` (waiting for a person), `next`, `queued`, `failed` or `left`.
    fn activity(&self, transcript: &Transcript, name: &str) -> Option<&'static str> {
        let person = transcript.find_person(name)?;
        let speaker = person.get::<Speaker>()?;
        let speaks = if speaker.is_person { "turn" } else { "speaking" };
        if !speaker.seated {
            return Some("left");
        }
        if self.is_open {
            return None;
        }
        let is_next = self
            .up_next(transcript)
            .next()
            .is_some_and(|place| place.name == name);
        if !transcript.is_owner() {
            // Calls of other seats are not visible, so the current turn is all there is to show.
            return is_next.then_some(if transcript.run == "running" {
                speaks
            } else {
                "next"
            });
        }
        let state = person
            .open
            .first()
            .and_then(|id| transcript.ask(id))
            .map(|asked| asked.log.state);
        match state {
            Some("failed" | "timed_out") => Some("failed"),
            Some("waiting") => Some("queued"),
            Some("sent" | "retrying") => Some(speaks),
            _ => is_next.then_some("next"),
        }
    }

    fn steps(&self, transcript: &Transcript) -> Vec<Step> {
        let is_over = transcript.has_ended() || self.completed_by.is_some();
        if self.is_open {
            return vec![Step {
                step: "open",
                state: if is_over { "done" } else { "current" },
                key: "round/1".to_owned(),
                ..Step::default()
            }];
        }
        let last = transcript
            .sections
            .iter()
            .map(|section| section.round)
            .max()
            .unwrap_or(0);
        let step = |round: u32| Step {
            step: "round",
            round,
            state: match is_over {
                true if round <= last => "done",
                true => "skipped",
                false if round < self.round => "done",
                false if round == self.round => "current",
                false => "coming",
            },
            key: format!("round/{round}"),
            ..Step::default()
        };
        (1..=self.rounds).map(step).collect()
    }

    fn next_speakers(&self, transcript: &Transcript) -> Vec<String> {
        self.up_next(transcript)
            .take(3)
            .map(|place| place.name.clone())
            .collect()
    }

    fn section_title(&self, section: &Section, words: &Words) -> String {
        match self.is_open {
            true => words.text("view.open", &[]),
            false => words.text("view.round", &[("round", &section.round)]),
        }
    }

    fn results(&self, transcript: &Transcript, words: &Words) -> Vec<Block> {
        let mut topic = Vec::new();
        if !self.topic.is_empty() {
            topic.push(Block::text(self.topic.clone()));
        }
        if !self.rules.is_empty() {
            let (items, quoted) = (self.rules.clone(), false);
            topic.push(Block::List { items, quoted });
        }
        let messages: Vec<&Message> = transcript
            .items()
            .iter()
            .filter_map(|item| item.get::<Message>().filter(|message| !message.text.is_empty()))
            .collect();
        let section = |key, blocks: Vec<Block>| Block::Section {
            title: words.text(key, &[]),
            blocks,
        };
        let sections = [
            section("view.topic", topic),
            section(
                "view.contributions",
                vec![by_participant(&messages, transcript, words)],
            ),
            section("view.roles", vec![by_role(&messages, words)]),
        ];
        let is_filled =
            |section: &Block| !matches!(section, Block::Section { blocks, .. } if blocks.is_empty());
        sections.into_iter().filter(is_filled).collect()
    }

    fn details(&self, _transcript: &Transcript) -> Value {
        json!(self)
    }
}
