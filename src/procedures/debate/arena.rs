//! State shared by all rounds of a debate, and the questions to its seats.

use super::asks::{DebateQuestion, QuestionContext};
use super::breakers::Breakers;
use super::context::{DebateContext, SourceItem};
use super::event::Event;
use super::material::{evidence, lay_out, typed_material};
use super::prompts::{self, PromptContext, System};
use super::rules::topology::{Topology, critics, rotated};
use super::settings::Settings;
use super::settings::debaters::{Debater, Role};
use crate::core::ask::{Ask, Message, Request, Role as Turn};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::limits::time_limits;
use crate::core::random::Random;
use crate::core::table::{Question, Table};
use crate::core::text::Text;
use crate::language::Language;
use crate::language::words::Words;
use crate::procedures::answers::{Attempts, UnreadAnswer};
use crate::reading::critique::Critique;
use crate::seat::SeatKind;
use futures_util::StreamExt;
use futures_util::stream::iter;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Attempts at a question whose answer is unusable.
const ATTEMPTS: u32 = 2;
/// Name of the debate's random stream.
const STREAM: &str = "debate";

pub(super) struct Arena {
    pub(super) table: Table,
    pub(super) settings: Settings,
    pub(super) seed: u32,
    /// In configuration order.
    pub(super) names: Vec<String>,
    /// In the debate's language.
    table_words: Words,
    /// By seat, in its language.
    words: Vec<Words>,
    /// Material shown in questions.
    pub(super) evidence: Rc<Vec<SourceItem>>,
    /// Oldest first.
    pub(super) failures: RefCell<Vec<SeatFailure>>,
    /// Circuit breakers of the seats.
    pub(super) breakers: Breakers,
}

/// A question without a usable answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatFailure {
    pub seat: String,
    pub round: u32,
    /// Kind of the question, see [`super::asks`].
    pub kind: String,
    /// `timed_out`, `empty`, or the code of the reading failure.
    pub reason: String,
}

/// Current version of a proposal.
#[derive(Debug, Clone)]
pub(super) struct ProposalState {
    pub(super) seat: usize,
    pub(super) text: String,
    pub(super) version: u32,
}

#[derive(Debug, Clone)]
pub(super) struct CritiqueEntry {
    pub(super) round: u32,
    pub(super) critic: usize,
    pub(super) target: usize,
    /// The version of the proposal's text that was criticised.
    pub(super) text: String,
    pub(super) critique: Critique,
}

impl Arena {
    pub(super) fn new(table: Table, settings: Settings, seed: u32) -> Self {
        let in_language = |language: Language| {
            let none = BTreeMap::new();
            Words::new(
                &super::TEXTS,
                language,
                settings.prompts.get(language.code()).unwrap_or(&none),
            )
        };
        let of = |debater: &Debater| in_language(debater.seat.language);
        Self {
            names: settings
                .debaters
                .iter()
                .map(|debater| debater.seat.name.clone())
                .collect(),
            table_words: in_language(settings.language),
            words: settings.debaters.iter().map(of).collect(),
            evidence: Rc::new(evidence(&lay_out(
                vec![typed_material(&settings)],
                settings.context_tokens,
            ))),
            failures: RefCell::default(),
            breakers: Breakers::new(settings.debaters.len(), settings.enable_circuit_breaker),
            table,
            settings,
            seed,
        }
    }

    pub(super) fn emit(&self, to: Audience, event: &Event) {
        self.table.emit(to, event);
    }

    /// Audience of a proposal before all proposals are revealed: in sparse topologies its author and critics,
    /// otherwise everybody but judges.
    pub(super) fn connected(&self, seat: usize) -> Audience {
        if !self.is_sparse() {
            return self.all_but_judges();
        }
        let mut names = self.critics(self.settings.topology, seat);
        names.push(self.name(seat).to_owned());
        Audience::Seats(names)
    }

    /// Audience of comparisons between proposals: in sparse topologies the owner only.
    pub(super) fn overview(&self) -> Audience {
        if self.is_sparse() {
            Audience::Owner
        } else {
            self.all_but_judges()
        }
    }

    /// Returns whether some seats do not see all proposals from the start.
    pub(super) fn is_sparse(&self) -> bool {
        !matches!(self.settings.topology, Topology::AllToAll | Topology::Adaptive)
    }

    /// Returns the names of the critics of this seat's proposal.
    pub(super) fn critics(&self, topology: Topology, seat: usize) -> Vec<String> {
        let at_table: Vec<String> = self
            .with_role(|role| role != Role::Judge)
            .into_iter()
            .map(|seat| self.name(seat).to_owned())
            .collect();
        let Settings {
            topology_sparsity: sparsity,
            topology_hub_agent: hub,
            ..
        } = &self.settings;
        critics(topology, &at_table, self.name(seat), *sparsity, hub.as_deref())
    }

    /// Returns everybody but the seats of role judge; if there are none, everybody but this judge.
    pub(super) fn all_but(&self, judge: usize) -> Audience {
        match self.all_but_judges() {
            Audience::Others(judges) => Audience::Others(judges),
            _ => Audience::Others(vec![self.name(judge).to_owned()]),
        }
    }

    /// Returns everybody but the seats of role judge, which judge without knowing the authors.
    pub(super) fn all_but_judges(&self) -> Audience {
        let judges = self.with_role(|role| role == Role::Judge);
        let names: Vec<String> = judges
            .into_iter()
            .map(|seat| self.name(seat).to_owned())
            .collect();
        if names.is_empty() {
            Audience::Everybody
        } else {
            Audience::Others(names)
        }
    }

    pub(super) fn draw<T: Serialize>(&self, purpose: &str, draw: impl FnOnce(&mut Random) -> T) -> T {
        self.table.draw(STREAM, self.seed, purpose, draw)
    }

    pub(super) fn name(&self, seat: usize) -> &str {
        self.names.get(seat).map_or("", String::as_str)
    }

    pub(super) fn words(&self, seat: usize) -> &Words {
        &self.words[seat]
    }

    /// Returns the indices of the seats whose role satisfies the predicate.
    pub(super) fn with_role(&self, has_role: impl Fn(Role) -> bool) -> Vec<usize> {
        let debaters = self.settings.debaters.iter().enumerate();
        debaters
            .filter(|(_, debater)| has_role(debater.role))
            .map(|(seat, _)| seat)
            .collect()
    }

    /// Words of the debate's language; seats may differ.
    pub(super) fn table_words(&self) -> &Words {
        &self.table_words
    }

    /// Records a question without a usable answer and emits it to the seat. `about` is as in the question's id.
    fn record_failure(&self, seat: usize, round: u32, kind: &str, about: &str, reason: &str) {
        let failure = SeatFailure {
            seat: self.name(seat).to_owned(),
            round,
            kind: kind.to_owned(),
            reason: reason.to_owned(),
        };
        self.emit(
            Audience::seat(&failure.seat),
            &Event::SeatFailed {
                round: failure.round,
                seat: failure.seat.clone(),
                kind: failure.kind.clone(),
                reason: failure.reason.clone(),
                about: about.to_owned(),
            },
        );
        self.failures.borrow_mut().push(failure);
    }

    /// Returns what a seat knows in a round, without proposals and critiques.
    pub(super) fn facts(&self, seat: usize, round: u32) -> DebateContext {
        DebateContext {
            question: self.settings.question.clone(),
            context: Rc::clone(&self.evidence),
            participants: self.names.clone(),
            stance: self.settings.debaters[seat].stance.name().to_owned(),
            intensity: self.settings.agreement_intensity,
            round,
            ..DebateContext::default()
        }
    }

    /// Asks until the answer can be read, at most twice. Returns the value and the text, or `None` after recording a failure
    /// or if the seat is suspended. `about` distinguishes the ids of several questions of one kind.
    pub(super) async fn ask<K: DebateQuestion>(
        &self,
        kind: K,
        seat: usize,
        about: String,
        facts: DebateContext,
    ) -> Option<(K::Answer, String)> {
        if self.breakers.is_suspended(seat) {
            return None;
        }
        let words = self.words(seat);
        let prompt = kind.prompt(
            words,
            &PromptContext {
                question: &facts.question,
                context: &facts.context,
                own: facts.own.as_deref(),
                proposals: &facts.proposals,
                critiques: &facts.critiques,
                challenge: facts.challenge.as_deref(),
            },
        );
        let attempts = Attempts {
            table: &self.table,
            answers: self.settings.answers,
            reader: self.settings.reader.as_ref(),
            most: ATTEMPTS,
        };
        let question = |attempt, unread: Option<&UnreadAnswer>| {
            let context = QuestionContext {
                language: words.language(),
                facts: Rc::new(DebateContext {
                    complaint: unread.map(|unread| unread.reason.code()),
                    ..facts.clone()
                }),
            };
            let text = match attempt {
                1 => prompt.clone(),
                _ => prompts::repeat_question(words, &prompt),
            };
            (
                self.question(kind, seat, &about, attempt, text, &context),
                context,
            )
        };
        let outcome = attempts.ask(kind, question).await;
        self.breakers.record(seat, &outcome.ask, outcome.value.is_some());
        let text = outcome.text().trim().to_owned();
        if outcome.value.is_none() {
            let reason = match outcome.reason.filter(|_| !outcome.has_timed_out) {
                Some(reason) => reason.code(),
                None => "timed_out".to_owned(),
            };
            self.record_failure(seat, facts.round, kind.name(), &about, &reason);
        }
        Some((outcome.value?, text))
    }

    fn question<K: DebateQuestion>(
        &self,
        kind: K,
        seat: usize,
        about: &str,
        attempt: u32,
        prompt: String,
        context: &QuestionContext,
    ) -> Question {
        let round = context.facts.round;
        let last = self.settings.schedule.last().map_or(0, |round| round.number);
        let has_role = self.settings.role_rotation && !K::IS_DECISION;
        let turn = has_role.then(|| rotated(seat, round as usize, last as usize));
        let words = self.words(seat);
        let debater = &self.settings.debaters[seat];
        let seat = &debater.seat;
        let system = System {
            name: &seat.name,
            personality: &seat.personality,
            role: if K::IS_JUDGING { Role::Judge } else { debater.role },
            stance: debater.stance,
            turn,
            intensity: self.settings.agreement_intensity,
        };
        let place = if about.is_empty() {
            String::new()
        } else {
            format!("{about}/")
        };
        let (form, schema) = self.settings.answers.asked(seat, kind, context);
        Question {
            ask: Ask {
                id: format!("round/{round}/{}/{place}{}#{attempt}", kind.name(), seat.name),
                seat: seat.name.clone(),
                kind: kind.name().into(),
                phase: 1,
                round: Some(round),
                attempt,
                language: seat.language,
            },
            request: Request {
                schema,
                ..Request::to(
                    seat,
                    prompts::system(words, &system).into(),
                    prompt.into(),
                    self.settings.max_answer_tokens,
                )
            },
            facts: AskContext::new(Rc::<DebateContext>::clone(&context.facts)),
            form,
            time_limits: match seat.kind {
                SeatKind::Human => Vec::new(),
                _ => time_limits(
                    self.settings.timeout_seconds,
                    self.settings.retry_backoff_factor,
                    3,
                ),
            },
            wait: 0,
        }
    }
}

/// Runs at most `most` futures concurrently and returns their results in order.
pub(super) async fn at_once<F: Future>(most: u32, all: Vec<F>) -> Vec<F::Output> {
    iter(all).buffered(most.max(1) as usize).collect().await
}

/// Builds a question to a seat that is not a participant: one attempt, time limit in seconds.
pub(super) fn source_question(
    arena: &Arena,
    seat: &str,
    kind: &'static str,
    round: u32,
    content: String,
    timeout: f64,
) -> Question {
    Question {
        ask: Ask {
            id: format!("round/{round}/{}/{seat}#1", kind),
            seat: seat.to_owned(),
            kind: kind.into(),
            phase: 1,
            round: Some(round),
            attempt: 1,
            language: arena.settings.language,
        },
        request: Request {
            system: Text::default(),
            messages: vec![Message {
                role: Turn::User,
                content: content.into(),
            }],
            stop: Vec::new(),
            max_tokens: arena.settings.max_answer_tokens,
            temperature: None,
            top_p: None,
            model: None,
            base_url: None,
            provider: None,
            seed: None,
            reasoning_effort: None,
            schema: None,
        },
        facts: AskContext::none(),
        form: None,
        time_limits: time_limits(timeout, 1.0, 1),
        wait: 0,
    }
}
