//! The course of a discussion: turns, asks, unprompted messages, suspension and the end.

use super::asks::{TurnContext, TurnQuestion};
use super::event::{Event, Metadata, SpeakingSlot};
use super::prompts::{self, PromptContext};
use super::seating::{Participant, Role};
use super::settings::{self, Settings, Start};
use super::state::State;
use crate::core::ask::{Ask, Message, Reply, Request, Role as Turn};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::limits::{OnFailure, time_limits};
use crate::core::record::Command;
use crate::core::table::{PendingAnswer, Question, Table};
use crate::language::blank::is_blank;
use crate::language::words::Words;
use crate::procedures::answers::{Answers, QuestionKind};
use crate::procedures::discussion::context::{self as facts, Contribution, DiscussionContext};
use crate::procedures::open_talk::Turns;
use crate::reading::Reading;
use futures_util::future::{Either, select};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Discussion {
    pub(super) table: Table,
    pub(super) settings: Settings,
    /// Source of the settings, with the current seating.
    config: Value,
    pub(super) state: State,
    /// Most recent contributions, up to the prompt's window.
    recent: Vec<Contribution>,
    pub(super) contributions: u32,
    /// Agent turns since a person spoke or the run was resumed.
    in_a_row: u32,
    /// Places skipped since the last turn.
    skipped: usize,
    /// Unknown agents that were noted.
    noted_agents: Vec<String>,
    /// Number of asks by place and seat, so that ids stay unique when the order changes.
    ask_counts: BTreeMap<String, u32>,
    pub(super) is_closed: bool,
}

/// Outcome of an ask.
enum TurnOutcome {
    Answer(Box<Reply>, String),
    NoAnswer,
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
            recent: Vec::new(),
            contributions: 0,
            in_a_row: 0,
            skipped: 0,
            noted_agents: Vec::new(),
            ask_counts: BTreeMap::new(),
            is_closed: false,
        }
    }

    pub(super) async fn run(mut self) -> Value {
        self.emit_seating();
        if self.settings.turns == Turns::Open {
            return self.talk_openly().await;
        }
        self.emit_turn();
        let starts_with_user = self.current().is_some_and(|place| place.role == Role::User);
        if !starts_with_user && self.settings.start != Start::AtOnce {
            self.suspend("message").await;
        }
        let by = loop {
            if self.is_closed {
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
            self.take_step().await;
        };
        let rounds = self.state.round.min(self.settings.rounds);
        if by == "last_word" {
            self.state = State {
                turn: 0,
                round: rounds + 1,
            };
            self.emit_turn();
        }
        self.table
            .emit(Audience::Everybody, &Event::Completed { by: by.to_owned() });
        json!({ "completed_by": by, "rounds": rounds, "contributions": self.contributions })
    }

    /// Takes the next turn, or suspends the run if the turn cannot be taken.
    async fn take_step(&mut self) {
        let Some(place) = self.current().cloned() else {
            self.advance_turn();
            return;
        };
        if place.role == Role::User {
            self.in_a_row = 0;
        } else if self.in_a_row >= self.settings.turns_per_call {
            self.suspend("turn_limit").await;
            return;
        } else {
            self.in_a_row += 1;
        }
        if place.seat.is_some() {
            self.skipped = 0;
            self.take_turn(&place).await;
            return;
        }
        if !self.noted_agents.contains(&place.id) {
            self.noted_agents.push(place.id.clone());
            self.emit_note("unknown_agent", &place.name);
        }
        self.advance_turn();
        self.skipped += 1;
        if self.skipped >= self.order().len() {
            self.skipped = 0;
            self.suspend("no_speakers").await;
        }
    }

    /// Asks until the participant contributes, passes or answers twice without text.
    async fn take_turn(&mut self, place: &Participant) {
        let mut complaint = None;
        loop {
            let context = self.context(place, complaint.clone());
            let asking = self.ask(place, &context);
            let (reply, ask) = match self.wait_for_answer(asking, place).await {
                TurnOutcome::Answer(reply, ask) => (reply, ask),
                TurnOutcome::Withdrawn => return,
                // People have no time limit, so only a command can skip their turn.
                TurnOutcome::NoAnswer
                    if place.is_person() || self.settings.limits.on_failure == OnFailure::Skip =>
                {
                    let metadata = Metadata {
                        empty: true,
                        ..Metadata::default()
                    };
                    self.emit_contribution(
                        &place.name,
                        place.role,
                        place.is_person(),
                        String::new(),
                        metadata,
                    );
                    self.advance_turn();
                    return;
                }
                TurnOutcome::NoAnswer => {
                    self.suspend("no_answer").await;
                    if self.is_closed || !self.is_turn_of(place) {
                        return;
                    }
                    continue;
                }
            };
            // The seating may have changed since the question.
            let context = self.context(place, complaint);
            let Reading::Read {
                value: (content, mut metadata),
                ..
            } = TurnQuestion.read_text(&reply.text, &context)
            else {
                complaint = Some("empty".to_owned());
                continue;
            };
            metadata.request_id = reply.request_id;
            metadata.ask = Some(ask);
            self.emit_contribution(&place.name, place.role, place.is_person(), content, metadata);
            self.advance_turn();
            return;
        }
    }

    fn ask(&mut self, place: &Participant, context: &TurnContext) -> PendingAnswer {
        let State { turn, round } = self.state;
        let question = self.question(
            TurnQuestion,
            &format!("round/{round}/turn/{turn}"),
            place,
            context,
        );
        self.table.ask(question)
    }

    pub(super) fn question<K: QuestionKind<Context = TurnContext>>(
        &mut self,
        kind: K,
        id_prefix: &str,
        place: &Participant,
        context: &TurnContext,
    ) -> Question {
        let id_prefix = format!("{id_prefix}/{}", place.name);
        let count = self.ask_counts.entry(id_prefix.clone()).or_insert(0);
        *count += 1;
        let attempt = *count;
        let TurnContext { words, facts, .. } = context;
        // A place without a seat is skipped before this.
        let seat = place.seat.as_ref();
        let prompt = PromptContext {
            name: &place.name,
            role: place.role,
            personality: seat.map_or("", |seat| &seat.personality),
            person: place.is_person(),
            max_lines: self.settings.max_lines,
            facts,
        };
        let content = prompts::turn(words, &prompt);
        let request = Request {
            system: prompts::system(words, &prompt).into(),
            messages: vec![Message {
                role: Turn::User,
                content: content.into(),
            }],
            stop: place.stops.iter().take(settings::STOPS_SENT).cloned().collect(),
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
                retry_backoff_factor,
                timeout_tries,
                ..
            } = self.settings;
            time_limits(turn_timeout, retry_backoff_factor, timeout_tries)
        };
        // Contributions are free text: people get a form, models no schema.
        let form = seat.and_then(|seat| Answers::Free.asked(seat, kind, context).0);
        Question {
            ask: Ask {
                id: format!("{id_prefix}#{attempt}"),
                seat: place.name.clone(),
                kind: kind.name().into(),
                phase: 1,
                round: Some(self.state.round),
                attempt,
                language: words.language(),
            },
            request,
            facts: AskContext::new(Rc::<DiscussionContext>::clone(facts)),
            form,
            time_limits: if place.is_person() { Vec::new() } else { limits() },
            wait: 0,
        }
    }

    /// Waits for an answer and handles commands meanwhile.
    async fn wait_for_answer(&mut self, mut asking: PendingAnswer, place: &Participant) -> TurnOutcome {
        let id = asking.id().to_owned();
        loop {
            match select(asking, self.table.next_command()).await {
                Either::Left((Ok(answer), _)) => return TurnOutcome::Answer(Box::new(answer), id),
                Either::Left((Err(_), _)) => return TurnOutcome::NoAnswer,
                Either::Right((command, pending)) => {
                    asking = pending;
                    self.handle_command(command);
                }
            }
            if self.is_closed || !self.is_turn_of(place) {
                self.table.withdraw(&id);
                return TurnOutcome::Withdrawn;
            }
        }
    }

    /// Suspends the run until it is resumed or a message arrives.
    async fn suspend(&mut self, reason: &str) {
        let mut suspension = self.table.suspend(reason);
        loop {
            match select(suspension, self.table.next_command()).await {
                Either::Left(_) => break,
                Either::Right((command, pending)) => {
                    suspension = pending;
                    let is_message = matches!(command, Command::Say { .. });
                    if self.handle_command(command) && is_message || self.is_closed {
                        break;
                    }
                }
            }
        }
        self.in_a_row = 0;
    }

    /// Handles a command; returns `false` if it had no effect.
    pub(super) fn handle_command(&mut self, command: Command) -> bool {
        match command {
            Command::Say {
                seat,
                text,
                request_id,
            } => {
                if is_blank(&text) {
                    self.emit_note("empty_message", &seat);
                    return false;
                }
                let place = self.order().iter().find(|place| place.name == seat);
                let (role, person) =
                    place.map_or((Role::User, true), |place| (place.role, place.is_person()));
                let metadata = Metadata {
                    out_of_turn: self.settings.turns == Turns::Order,
                    request_id,
                    ..Metadata::default()
                };
                self.emit_contribution(&seat, role, person, text.trim().to_owned(), metadata);
                self.in_a_row = 0;
                true
            }
            Command::Reseat { table } => self.reseat(&table),
            Command::Close => {
                self.is_closed = true;
                true
            }
            _ => false,
        }
    }

    /// Changes the seating. The turn stays with the current participant if still seated, else moves to the
    /// next.
    fn reseat(&mut self, table: &Value) -> bool {
        let changed = settings::reseated(&self.config, table)
            .and_then(|config| settings::check(&config).map(|checked| (config, checked.settings.seating)));
        let (config, seating) = match changed {
            Ok(changed) => changed,
            Err(error) => {
                self.emit_note("table_refused", &error.to_string());
                return false;
            }
        };
        if let Some(current) = self.current() {
            self.state = self.state.transfer(current, &seating.order);
        }
        self.table.reseat(seating.seats.clone());
        self.config = config;
        self.settings.seating = seating;
        self.skipped = 0;
        self.emit_seating();
        self.emit_turn();
        true
    }

    pub(super) fn emit_contribution(
        &mut self,
        speaker: &str,
        role: Role,
        person: bool,
        content: String,
        metadata: Metadata,
    ) {
        let State { turn, round } = self.state;
        if !content.is_empty() {
            self.contributions += 1;
            self.recent.push(Contribution {
                round,
                speaker: speaker.to_owned(),
                text: content.clone(),
            });
            let window = self.settings.history_window as usize;
            let too_many = self.recent.len().saturating_sub(window);
            self.recent.drain(..too_many);
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

    fn emit_note(&self, code: &str, about: &str) {
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

    fn advance_turn(&mut self) {
        self.state = self.state.next(self.order().len());
        self.emit_turn();
    }

    fn emit_turn(&self) {
        self.table.emit(
            Audience::Everybody,
            &Event::Moved {
                turn: self.state.turn as u32,
                round: self.state.round,
            },
        );
    }

    fn emit_seating(&self) {
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

    pub(super) fn context(&self, place: &Participant, complaint: Option<String>) -> TurnContext {
        let participant = |place: &Participant| facts::Participant {
            name: place.name.clone(),
            role: place.role.name().to_owned(),
        };
        TurnContext {
            words: Rc::new(self.words(place)),
            place: Rc::new(place.clone()),
            max_lines: self.settings.max_lines,
            facts: Rc::new(DiscussionContext {
                topic: self.settings.topic.clone(),
                rules: self.settings.rules.clone(),
                participants: self.order().iter().map(participant).collect(),
                turn: self.state.turn as u32,
                round: self.state.round,
                rounds: self.settings.rounds,
                open: false,
                heard: Rc::new(self.recent.clone()),
                complaint,
            }),
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

    pub(super) fn order(&self) -> &[Participant] {
        &self.settings.seating.order
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
