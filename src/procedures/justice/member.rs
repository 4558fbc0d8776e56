//! A participant's state, and the questions put to it: the ask's id from its place in the protocol, the
//! system text, and retries after unusable answers.

use super::asks::{self, QuestionContext, TextQuestion};
use super::event::{Moment, Step};
use super::lab::Lab;
use super::prompts::answer_form::{AnswerForm, answer_form};
use super::prompts::retry::{self, Retry};
use super::prompts::system::{Explanation, System, system, system_for_memory};
use super::settings::{FeedbackDetail, Participant};
use crate::core::ask::{Ask, Request};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::data::Data;
use crate::core::random::participant_seed;
use crate::core::table::Question;
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::answers::{AskOutcome, Attempts, QuestionKind, UnreadAnswer};
use crate::procedures::justice::context::{Experience, JusticeContext};
use crate::reading::{Reading, Reason};
use crate::seat::SeatKind;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Member {
    pub(super) lab: Rc<Lab>,
    pub(super) index: usize,
    pub(super) participant: Participant,
    pub(super) words: Rc<Words>,
    /// Role in the system text: the personality, preceded by the task of a manipulator.
    pub(super) role: String,
    pub(super) target: Option<Principle>,
    /// Bank balance in dollars.
    pub(super) bank: f64,
    pub(super) memory: String,
    /// Latest private reasoning, without emphasis marks.
    pub(super) reasoning: String,
    pub(super) rankings: Vec<(Moment, Option<Ranking>)>,
    pub(super) applications: Vec<Experience>,
    /// Whether its memory was already rewritten in phase 2.
    pub(super) has_group_memory: bool,
    /// Last phase in which the long explanation was given.
    explained: Cell<u8>,
}

/// Place of a question in the protocol.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuestionPlace {
    pub(super) phase: u8,
    pub(super) step: Step,
    /// 0 outside rounds.
    pub(super) round: u32,
    /// Subject of a memory update, where one place can have several.
    pub(super) about: &'static str,
    /// First time limit in seconds.
    pub(super) seconds: f64,
}

/// A question that is repeated until its answer can be read.
#[derive(Clone, Copy)]
pub(super) struct Inquiry<'a> {
    pub(super) place: QuestionPlace,
    /// Maximum number of attempts.
    pub(super) attempts: u32,
    pub(super) prompt: &'a str,
    /// The public history, if the system text includes it.
    pub(super) history: Option<&'a str>,
    pub(super) facts: &'a JusticeContext,
}

impl Member {
    pub(super) fn all(lab: &Rc<Lab>) -> Vec<Self> {
        let create = |(index, participant): (usize, &Participant)| {
            let language = participant.seat.language;
            let no_overrides = BTreeMap::new();
            let overrides = lab.settings.prompts.get(language.code()).unwrap_or(&no_overrides);
            Self {
                lab: Rc::clone(lab),
                index,
                participant: participant.clone(),
                words: Rc::new(super::words(lab.settings.wording, language, overrides)),
                role: participant.seat.personality.clone(),
                target: None,
                bank: 0.0,
                memory: String::new(),
                reasoning: String::new(),
                rankings: Vec::new(),
                applications: Vec::new(),
                has_group_memory: false,
                explained: Cell::new(0),
            }
        };
        lab.settings.participants.iter().enumerate().map(create).collect()
    }

    pub(super) fn name(&self) -> &str {
        &self.participant.seat.name
    }

    /// Returns the audience of this participant alone.
    pub(super) fn audience(&self) -> Audience {
        Audience::seat(self.name())
    }

    /// Returns name and seed of its own random stream.
    pub(super) fn stream(&self) -> (String, u32) {
        (
            format!("phase1/{}", self.name()),
            participant_seed(self.lab.seed, self.index),
        )
    }

    pub(super) fn ranking(&self, moment: Moment) -> Option<&Ranking> {
        self.rankings.iter().find(|(at, _)| *at == moment)?.1.as_ref()
    }

    /// Asks for a text once. Returns `None` without an answer. `history`: the public history, if the system text includes it.
    pub(super) async fn ask_for_text(
        &self,
        kind: TextQuestion,
        place: QuestionPlace,
        attempt: u32,
        prompt: String,
        history: Option<&str>,
        facts: JusticeContext,
    ) -> Option<String> {
        let context = self.context(facts);
        let question = self.question(kind, place, attempt, prompt, history, &context);
        let id = question.ask.id.clone();
        let reply = self.lab.table.ask(question).await.ok()?;
        if kind.name() == asks::INTERNAL_REASONING && reply.text.trim().is_empty() {
            let unread = Reading::<String>::unread(Reason::EmptyResponse);
            self.lab.table.read(&id, Data::of(&unread));
        }
        kind.read_text(&reply.text, &context).into_value()
    }

    /// Returns what form and readers know of a question.
    pub(super) fn context(&self, facts: JusticeContext) -> QuestionContext {
        QuestionContext {
            words: Rc::clone(&self.words),
            // The lab holds the questions and with them their forms, so these hold the settings alone.
            settings: Rc::clone(&self.lab.settings),
            index: self.index,
            facts: Rc::new(facts),
        }
    }

    pub(super) fn question<K: QuestionKind<Context = QuestionContext>>(
        &self,
        kind: K,
        place: QuestionPlace,
        attempt: u32,
        mut prompt: String,
        history: Option<&str>,
        context: &QuestionContext,
    ) -> Question {
        let seat = &self.participant.seat;
        let round = if place.round > 0 {
            format!("round/{}/", place.round)
        } else {
            String::new()
        };
        let about = if place.about.is_empty() {
            String::new()
        } else {
            format!("{}/", place.about)
        };
        let ask = Ask {
            id: format!(
                "phase{}/{round}{}/{about}{}#{attempt}",
                place.phase,
                kind.name(),
                seat.name
            ),
            seat: seat.name.clone(),
            kind: kind.name().into(),
            phase: place.phase,
            round: (place.round > 0).then_some(place.round),
            attempt,
            language: seat.language,
        };
        let is_memory = kind.name() == asks::MEMORY_UPDATE;
        let inputs = System {
            name: &seat.name,
            role: &self.role,
            bank: self.bank,
            phase: place.phase,
            step: place.step,
            round: place.round,
            rounds: self.rounds(place.phase),
            participants: &self.lab.names,
            memory: &self.memory,
            reasoning: Some(self.reasoning.as_str()).filter(|_| place.phase == 2),
            explanation: if is_memory {
                Explanation::None
            } else {
                self.explanation(place.phase)
            },
            history,
        };
        let (form, schema) = self.lab.settings.answers.asked(seat, kind, context);
        if let Some(form) = self.answer_form(kind.name(), attempt, schema.is_some()) {
            prompt.push_str("\n\n");
            prompt.push_str(&form);
        }
        if schema.is_some() && [asks::STATEMENT, asks::MESSAGE].contains(&kind.name()) {
            let keys = [
                ("justice.discussion.favored", true),
                ("justice.discussion.points", self.lab.has_statement_points()),
            ];
            for (key, _) in keys.into_iter().filter(|(_, is_asked)| *is_asked) {
                prompt.push_str("\n\n");
                prompt.push_str(&self.words.text(key, &[]));
            }
        }
        let system = if is_memory {
            system_for_memory(&self.words, &inputs)
        } else {
            system(&self.words, &inputs)
        };
        let request = Request {
            stop: if is_memory {
                vec![self.words.raw("justice.memory.end").to_owned()]
            } else {
                Vec::new()
            },
            schema,
            ..Request::to(
                seat,
                system.into(),
                prompt.into(),
                self.lab.settings.max_answer_tokens,
            )
        };
        let time_limits = match seat.kind {
            SeatKind::Human => Vec::new(),
            _ if kind.name() == asks::INTERNAL_REASONING => {
                self.lab.time_limits(place.seconds).into_iter().take(1).collect()
            }
            _ => self.lab.time_limits(place.seconds),
        };
        Question {
            ask,
            request,
            facts: AskContext::new(Rc::<JusticeContext>::clone(&context.facts)),
            form,
            time_limits,
            wait: 0,
        }
    }

    /// Returns what a free answer has to look like; `None` for people and schemas, which have their own form.
    fn answer_form(&self, kind: &'static str, attempt: u32, has_schema: bool) -> Option<String> {
        let form = match self.lab.is_compat() {
            true => AnswerForm::Published,
            false if has_schema || self.participant.seat.kind == SeatKind::Human => return None,
            false => AnswerForm::Line,
        };
        answer_form(&self.words, kind, form, attempt)
    }

    fn rounds(&self, phase: u8) -> u32 {
        if phase == 1 {
            4
        } else {
            self.lab.settings.phase2_rounds
        }
    }

    /// Chooses the long explanation for the first call of each phase, then follows the settings.
    fn explanation(&self, phase: u8) -> Explanation {
        let settings = &self.lab.settings;
        if !settings.include_experiment_explanation {
            Explanation::None
        } else if self.explained.get() < phase {
            self.explained.set(phase);
            Explanation::Long
        } else if settings.include_experiment_explanation_each_turn {
            Explanation::Short
        } else {
            Explanation::None
        }
    }

    /// Asks until an answer can be read; each retry names the problem of the last answer and quotes it.
    pub(super) async fn ask_until_read<K: QuestionKind<Context = QuestionContext>>(
        &self,
        kind: K,
        inquiry: Inquiry<'_>,
    ) -> AskOutcome<K::Answer> {
        let attempts = Attempts {
            table: &self.lab.table,
            answers: self.lab.settings.answers,
            reader: self.lab.settings.reader.as_ref(),
            most: inquiry.attempts,
        };
        let question = |attempt: u32, unread: Option<&UnreadAnswer>| {
            let complaint = unread.map(|unread| unread.reason.code());
            let prompt = match (unread, &complaint) {
                (Some(unread), Some(code)) => self.retry_text(&inquiry, attempt - 1, code, &unread.text),
                _ => inquiry.prompt.to_owned(),
            };
            let facts = inquiry.facts.clone();
            let context = self.context(match complaint {
                Some(_) => JusticeContext { complaint, ..facts },
                None => facts,
            });
            let question = self.question(kind, inquiry.place, attempt, prompt, inquiry.history, &context);
            (question, context)
        };
        attempts.ask(kind, question).await
    }

    fn retry_text(&self, inquiry: &Inquiry<'_>, attempt: u32, reason: &str, answer: &str) -> String {
        let retry = Retry {
            attempt,
            attempts: inquiry.attempts,
            reason,
            limits: self.lab.amount_limits(),
            answer,
            prompt: inquiry.prompt,
            detailed: self.lab.settings.retry_feedback_detail == FeedbackDetail::Detailed,
        };
        retry::retry(&self.words, &retry)
    }

    /// Returns the facts that the participant knows outside a discussion.
    pub(super) fn facts(&self, phase: u8, round: u32) -> JusticeContext {
        JusticeContext {
            participants: self.lab.names.clone(),
            round,
            rounds: self.rounds(phase),
            rankings: self
                .rankings
                .iter()
                .filter_map(|(_, ranking)| ranking.clone())
                .collect(),
            applications: self.applications.clone(),
            target: self.target,
            memory: self.memory.clone(),
            ..JusticeContext::default()
        }
    }
}
