//! The course of a discussion: turns, asks, unprompted messages, suspension and the end.

use super::clean::{Rules, clean};
use super::config;
use super::event::{Event, Metadata, SpeakingSlot};
use super::forms;
use super::prompts::{self, PromptContext};
use super::settings::{Participant, Role, Settings};
use super::state::State;
use crate::core::ask::{Ask, Message, Request, Role as Turn};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::limits::{OnFailure, time_limits};
use crate::core::record::Command;
use crate::core::table::{Answer, PendingAnswer, Question, Table};
use crate::language::words::Words;
use crate::procedures::answers::Answers;
use crate::procedures::discussion::asks;
use crate::procedures::discussion::context::{self as facts, Contribution};
use futures_util::future::{Either, select};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Discussion {
    table: Table,
    settings: Settings,
    /// Source of the settings, with the current seating.
    config: Value,
    state: State,
    /// Most recent contributions, up to the prompt's window.
    heard: Vec<Contribution>,
    contributions: u32,
    /// Agent turns since a person spoke or the run was resumed.
    in_a_row: u32,
    /// Places skipped since the last turn.
    passed_over: usize,
    /// Unknown agents that were noted.
    noted: Vec<String>,
    /// Number of asks by place and seat, so that ids stay unique when the order changes.
    asked: BTreeMap<String, u32>,
    closed: bool,
}

/// Outcome of an ask.
enum TurnOutcome {
    Answer(Answer, String),
    Nobody,
    /// Another participant has the turn now.
    Withdrawn,
}

impl Discussion {
    pub(super) fn new(table: Table, settings: Settings, config: Value) -> Self {
        Self {
            table,
            settings,
            config,
            state: State::START,
            heard: Vec::new(),
            contributions: 0,
            in_a_row: 0,
            passed_over: 0,
            noted: Vec::new(),
            asked: BTreeMap::new(),
            closed: false,
        }
    }

    pub(super) async fn run(mut self) -> Value {
        self.tell_order();
        self.tell_state();
        let opens = self.current().is_some_and(|place| place.role == Role::User);
        if !opens && !self.settings.starts_at_once {
            self.rest("message").await;
        }
        let by = loop {
            if self.closed {
                break "closed";
            }
            if self.state.round > self.settings.rounds {
                break "rounds";
            }
            if !self.settings.require_closing_message
                && self.state.is_last_word(self.order(), self.settings.rounds)
            {
                break "last_word";
            }
            self.step().await;
        };
        let rounds = self.state.round.min(self.settings.rounds);
        if by == "last_word" {
            self.state = State {
                turn: 0,
                round: rounds + 1,
            };
            self.tell_state();
        }
        self.table
            .emit(Audience::Everybody, &Event::Completed { by: by.to_owned() });
        json!({ "completed_by": by, "rounds": rounds, "contributions": self.contributions })
    }

    /// Takes the next turn, or suspends the run if the turn cannot be taken.
    async fn step(&mut self) {
        let Some(place) = self.current().cloned() else {
            self.move_on();
            return;
        };
        if place.role == Role::User {
            self.in_a_row = 0;
        } else if self.in_a_row >= self.settings.turns_per_call {
            self.rest("turn_limit").await;
            return;
        } else {
            self.in_a_row += 1;
        }
        if place.seat.is_some() {
            self.passed_over = 0;
            self.take_turn(&place).await;
            return;
        }
        if !self.noted.contains(&place.id) {
            self.noted.push(place.id.clone());
            self.note("unknown_agent", &place.name);
        }
        self.move_on();
        self.passed_over += 1;
        if self.passed_over >= self.order().len() {
            self.passed_over = 0;
            self.rest("no_speakers").await;
        }
    }

    /// Asks until the participant contributes, passes or answers twice without text.
    async fn take_turn(&mut self, place: &Participant) {
        let mut complaint = None;
        loop {
            let asking = self.ask(place, complaint.clone());
            let (answer, ask) = match self.wait(asking, place).await {
                TurnOutcome::Answer(answer, ask) => (answer, ask),
                TurnOutcome::Withdrawn => return,
                // People have no time limit, so only a command can skip their turn.
                TurnOutcome::Nobody
                    if place.is_person() || self.settings.limits.on_failure == OnFailure::Skip =>
                {
                    let metadata = Metadata {
                        empty: true,
                        ..Metadata::default()
                    };
                    self.say(
                        &place.name,
                        place.role,
                        place.is_person(),
                        String::new(),
                        metadata,
                    );
                    self.move_on();
                    return;
                }
                TurnOutcome::Nobody => {
                    self.rest("no_answer").await;
                    if self.closed || !self.is_turn_of(place) {
                        return;
                    }
                    continue;
                }
            };
            let (content, mut metadata) = self.read(place, answer.text());
            if content.is_empty() && !metadata.passed && complaint.is_none() {
                complaint = Some("empty".to_owned());
                continue;
            }
            metadata.empty = content.is_empty() && !metadata.passed;
            metadata.request_id = answer.request_id().map(str::to_owned);
            metadata.ask = Some(ask);
            self.say(&place.name, place.role, place.is_person(), content, metadata);
            self.move_on();
            return;
        }
    }

    /// Returns the contribution in an answer and its metadata.
    fn read(&self, place: &Participant, answer: &str) -> (String, Metadata) {
        let words = self.words(place);
        let mut metadata = Metadata::default();
        if place.is_person() {
            metadata.passed = prompts::passes(&words, answer);
            let content = if metadata.passed { "" } else { answer.trim() };
            return (content.to_owned(), metadata);
        }
        let roles: Vec<(Role, String)> = Role::ALL
            .into_iter()
            .map(|(_, role)| (role, prompts::role(&words, role)))
            .collect();
        let of = |own: bool| {
            let names = self
                .order()
                .iter()
                .filter(move |other| (other.name == place.name) == own);
            let names = names.map(|other| other.name.as_str());
            let roles = roles.iter().filter(move |(role, _)| (*role == place.role) == own);
            let roles = roles.flat_map(|(role, name)| [role.name(), name.as_str()]);
            names.chain(roles).collect::<Vec<&str>>()
        };
        let labels = prompts::labels(&words);
        let cleaned = clean(
            answer,
            &Rules {
                stops: &place.stops,
                own: &of(true),
                others: &of(false),
                anybody: &labels.iter().map(String::as_str).collect::<Vec<_>>(),
                max_lines: self.settings.max_lines as usize,
            },
        );
        metadata.answered_as = cleaned.answered_as;
        metadata.raw = (cleaned.text != answer.trim()).then(|| answer.to_owned());
        (cleaned.text, metadata)
    }

    fn ask(&mut self, place: &Participant, complaint: Option<String>) -> PendingAnswer {
        let State { turn, round } = self.state;
        let beginning = format!("round/{round}/turn/{turn}/{}", place.name);
        let count = self.asked.entry(beginning.clone()).or_insert(0);
        *count += 1;
        let attempt = *count;
        let facts = self.facts(complaint);
        let words = self.words(place);
        // A place without a seat is skipped before this.
        let seat = place.seat.as_ref();
        let told = PromptContext {
            name: &place.name,
            role: place.role,
            personality: seat.map_or("", |seat| &seat.personality),
            person: place.is_person(),
            max_lines: self.settings.max_lines,
            facts: &facts,
        };
        let content = prompts::turn(&words, &told);
        let request = Request {
            system: prompts::system(&words, &told).into(),
            messages: vec![Message {
                role: Turn::User,
                content: content.into(),
            }],
            stop: place.stops.iter().take(config::STOPS_SENT).cloned().collect(),
            max_tokens: place.max_tokens,
            temperature: seat.and_then(|seat| seat.temperature),
            top_p: place.top_p,
            model: seat.and_then(|seat| seat.model.clone()),
            base_url: seat.and_then(|seat| seat.base_url.clone()),
            provider: seat.and_then(|seat| seat.provider),
            seed: seat.and_then(|seat| seat.seed),
            reasoning_effort: seat.and_then(|seat| seat.reasoning_effort),
            schema: None,
        };
        let limits = || {
            let Settings {
                turn_timeout,
                backoff_factor,
                timeout_tries,
                ..
            } = self.settings;
            time_limits(turn_timeout, backoff_factor, timeout_tries)
        };
        let facts = AskContext::new(facts);
        let (known, language, name) = (facts.clone(), words.language(), place.name.clone());
        let make = move || Some(forms::form(language, &name, known.of()?));
        let (form, _) = match seat {
            // Contributions are free text: people get a form, models no schema.
            Some(seat) => Answers::Free.asked(seat, make),
            None => (None, None),
        };
        self.table.ask(Question {
            ask: Ask {
                id: format!("{beginning}#{attempt}"),
                seat: place.name.clone(),
                kind: asks::TURN.into(),
                phase: 1,
                round: Some(round),
                attempt,
                language: words.language(),
            },
            request,
            facts,
            form,
            time_limits: if place.is_person() { Vec::new() } else { limits() },
        })
    }

    /// Waits for an answer and handles commands meanwhile.
    async fn wait(&mut self, mut asking: PendingAnswer, place: &Participant) -> TurnOutcome {
        let id = asking.id().to_owned();
        loop {
            match select(asking, self.table.next_command()).await {
                Either::Left((Ok(answer), _)) => return TurnOutcome::Answer(answer, id),
                Either::Left((Err(_), _)) => return TurnOutcome::Nobody,
                Either::Right((command, still)) => {
                    asking = still;
                    self.take_up(command);
                }
            }
            if self.closed || !self.is_turn_of(place) {
                self.table.withdraw(&id);
                return TurnOutcome::Withdrawn;
            }
        }
    }

    /// Suspends the run until it is resumed or a message arrives.
    async fn rest(&mut self, reason: &str) {
        let mut resting = self.table.suspend(reason);
        loop {
            match select(resting, self.table.next_command()).await {
                Either::Left(_) => break,
                Either::Right((command, still)) => {
                    resting = still;
                    let goes_on = matches!(command, Command::Say { .. });
                    if self.take_up(command) && goes_on || self.closed {
                        break;
                    }
                }
            }
        }
        self.in_a_row = 0;
    }

    /// Handles a command; returns `false` if it had no effect.
    fn take_up(&mut self, command: Command) -> bool {
        match command {
            Command::Say {
                seat,
                text,
                request_id,
            } => {
                if text.trim().is_empty() {
                    self.note("empty_message", &seat);
                    return false;
                }
                let place = self.order().iter().find(|place| place.name == seat);
                let (role, person) =
                    place.map_or((Role::User, true), |place| (place.role, place.is_person()));
                let metadata = Metadata {
                    out_of_turn: true,
                    request_id,
                    ..Metadata::default()
                };
                self.say(&seat, role, person, text.trim().to_owned(), metadata);
                self.in_a_row = 0;
                true
            }
            Command::Reseat { table } => self.reseat(&table),
            Command::Close => {
                self.closed = true;
                true
            }
            _ => false,
        }
    }

    /// Changes the seating. The turn stays with the current participant if still seated, else moves to the
    /// next.
    fn reseat(&mut self, table: &Value) -> bool {
        let changed = config::reseated(&self.config, table)
            .and_then(|config| config::check(&config).map(|checked| (config, checked.settings.table)));
        let (config, seating) = match changed {
            Ok(changed) => changed,
            Err(error) => {
                self.note("table_refused", &error.to_string());
                return false;
            }
        };
        if let Some(current) = self.current() {
            self.state = self.state.moved(current, &seating.order);
        }
        self.table.reseat(seating.seats.clone());
        self.config = config;
        self.settings.table = seating;
        self.passed_over = 0;
        self.tell_order();
        self.tell_state();
        true
    }

    fn say(&mut self, speaker: &str, role: Role, person: bool, content: String, metadata: Metadata) {
        let State { turn, round } = self.state;
        if !content.is_empty() {
            self.contributions += 1;
            self.heard.push(Contribution {
                round,
                speaker: speaker.to_owned(),
                text: content.clone(),
            });
            let window = self.settings.history_window as usize;
            let too_many = self.heard.len().saturating_sub(window);
            self.heard.drain(..too_many);
        }
        let (metadata, private) = metadata.divided();
        if private != Metadata::default() {
            self.table.emit(Audience::seat(speaker), &Event::Came(private));
        }
        self.table.emit(
            Audience::Everybody,
            &Event::Said {
                speaker: speaker.to_owned(),
                role,
                person,
                turn: turn as u32,
                round,
                content,
                metadata,
            },
        );
    }

    fn note(&self, code: &str, about: &str) {
        let to = match code {
            "table_refused" => Audience::Owner,
            "empty_message" => Audience::seat(about),
            _ => Audience::Everybody,
        };
        self.table.emit(
            to,
            &Event::Noted {
                code: code.to_owned(),
                turn: self.state.turn as u32,
                round: self.state.round,
                about: about.to_owned(),
            },
        );
    }

    fn move_on(&mut self) {
        self.state = self.state.stepped(self.order().len());
        self.tell_state();
    }

    fn tell_state(&self) {
        self.table.emit(
            Audience::Everybody,
            &Event::Moved {
                turn: self.state.turn as u32,
                round: self.state.round,
            },
        );
    }

    fn tell_order(&self) {
        let place = |place: &Participant| SpeakingSlot {
            id: place.id.clone(),
            name: place.name.clone(),
            role: place.role,
            known: place.seat.is_some(),
            person: place.is_person(),
            kind: place.seat.as_ref().map(|seat| seat.kind),
        };
        let order = self.order().iter().map(place).collect();
        self.table.emit(Audience::Everybody, &Event::Seated { order });
    }

    fn facts(&self, complaint: Option<String>) -> facts::DiscussionContext {
        let participant = |place: &Participant| facts::Participant {
            name: place.name.clone(),
            role: place.role.name().to_owned(),
        };
        facts::DiscussionContext {
            topic: self.settings.topic.clone(),
            rules: self.settings.rules.clone(),
            participants: self.order().iter().map(participant).collect(),
            turn: self.state.turn as u32,
            round: self.state.round,
            rounds: self.settings.rounds,
            heard: Rc::new(self.heard.clone()),
            complaint,
        }
    }

    fn words(&self, place: &Participant) -> Words {
        let language = place
            .seat
            .as_ref()
            .map_or(self.settings.language, |seat| seat.language);
        let none = BTreeMap::new();
        Words::new(
            &super::TEXTS,
            language,
            self.settings.prompts.get(language.code()).unwrap_or(&none),
        )
    }

    fn order(&self) -> &[Participant] {
        &self.settings.table.order
    }

    fn is_turn_of(&self, place: &Participant) -> bool {
        let is_same =
            |now: &Participant| (&now.id, now.role, &now.seat) == (&place.id, place.role, &place.seat);
        self.current().is_some_and(is_same)
    }

    fn current(&self) -> Option<&Participant> {
        self.order().get(self.state.turn)
    }
}
