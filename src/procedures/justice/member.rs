//! A participant's state, and the questions put to it: the ask's id from its place in the protocol, the
//! system text, and retries after unusable answers.

use super::event::{Moment, Step};
use super::forms::{self, FormQuestion};
use super::lab::Lab;
use super::prompts::answer_form::{AnswerForm, answer_form};
use super::prompts::retry::{self, Retry};
use super::prompts::system::{Explanation, System, system, system_for_memory};
use super::settings::{FeedbackDetail, Participant, Settings};
use crate::core::ask::{Ask, Request};
use crate::core::audience::Audience;
use crate::core::form::Form;
use crate::core::random::participant_seed;
use crate::core::table::{Answer, PendingAnswer, Question};
use crate::language::words::Words;
use crate::principle::{Principle, Ranking};
use crate::procedures::justice::asks;
use crate::procedures::justice::context::{Experience, JusticeContext};
use crate::procedures::reader::{self, ReaderQuestion, Rules};
use crate::reading::Reading;
use crate::seat::SeatKind;
use serde::Serialize;
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
    pub(super) kind: &'static str,
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

/// An answer and its reading.
pub(super) struct ReadAnswer<T> {
    /// The last answer as received; empty without an answer.
    pub(super) text: String,
    pub(super) value: Option<T>,
    /// Whether the last attempt ended without an answer.
    pub(super) timed_out: bool,
    /// All answers as received.
    pub(super) texts: Vec<String>,
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
                words: Rc::new(Words::new(&super::TEXTS, language, overrides)),
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

    /// Asks a question. `history`: the public history, if the system text includes it.
    pub(super) fn ask(
        &self,
        place: QuestionPlace,
        attempt: u32,
        prompt: String,
        history: Option<&str>,
        facts: JusticeContext,
    ) -> PendingAnswer {
        let question = self.question(place, attempt, prompt, history, facts);
        self.lab.table.ask(question)
    }

    pub(super) fn question(
        &self,
        place: QuestionPlace,
        attempt: u32,
        prompt: String,
        history: Option<&str>,
        facts: JusticeContext,
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
                place.phase, place.kind, seat.name
            ),
            seat: seat.name.clone(),
            kind: place.kind.into(),
            phase: place.phase,
            round: (place.round > 0).then_some(place.round),
            attempt,
            language: seat.language,
        };
        let is_memory = place.kind == asks::MEMORY_UPDATE;
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
        let facts = crate::core::context::AskContext::new(facts);
        // The lab holds the questions and with them their forms, so the form captures the settings alone.
        let (known, settings) = (facts.clone(), Rc::clone(&self.lab.settings));
        let (words, index) = (Rc::clone(&self.words), self.index);
        let form = move || Self::form(&words, &settings, index, place.kind, known.of()?);
        let (form, schema) = self.lab.settings.answers.asked(seat, form);
        let mut prompt = prompt;
        if let Some(form) = self.answer_form(place.kind, attempt, schema.is_some()) {
            prompt.push_str("\n\n");
            prompt.push_str(&form);
        }
        if schema.is_some() && place.kind == asks::STATEMENT {
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
            _ if place.kind == asks::INTERNAL_REASONING => {
                self.lab.time_limits(place.seconds).into_iter().take(1).collect()
            }
            _ => self.lab.time_limits(place.seconds),
        };
        Question {
            ask,
            request,
            facts,
            form,
            time_limits,
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

    pub(super) fn form(
        words: &Words,
        settings: &Settings,
        index: usize,
        kind: &'static str,
        facts: &JusticeContext,
    ) -> Option<Form> {
        forms::form(&FormQuestion {
            words,
            settings,
            facts,
            seat: &settings.participants[index].seat.name,
            is_person: settings.participants[index].seat.kind == SeatKind::Human,
            kind,
        })
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
    pub(super) async fn ask_until_read<T: Serialize>(
        &self,
        inquiry: Inquiry<'_>,
        read: impl Fn(&Answer) -> Reading<T>,
    ) -> ReadAnswer<T> {
        let mut value = None;
        let (texts, timed_out) = {
            let mut rules = reader::keeping(&mut value, read);
            self.ask_until(inquiry, &mut rules).await
        };
        ReadAnswer {
            text: texts.last().cloned().unwrap_or_default(),
            value,
            timed_out,
            texts,
        }
    }

    /// Returns the answers up to the first readable one, and whether the last attempt ended without an
    /// answer.
    async fn ask_until(&self, inquiry: Inquiry<'_>, rules: Rules<'_>) -> (Vec<String>, bool) {
        let Inquiry {
            place,
            attempts,
            prompt,
            history,
            facts,
        } = inquiry;
        let mut texts = Vec::new();
        let mut next_prompt = prompt.to_owned();
        let mut facts = facts.clone();
        for attempt in 1..=attempts {
            let question = self.question(place, attempt, next_prompt, history, facts.clone());
            let reader_question = ReaderQuestion::of(self.lab.settings.reader.as_ref(), &question);
            let pending = self.lab.table.ask(question);
            let id = pending.id().to_owned();
            let Ok(answer) = pending.await else {
                return (texts, true);
            };
            texts.push(answer.text().to_owned());
            let form = || Self::form(&self.words, &self.lab.settings, self.index, place.kind, &facts);
            let outcome = reader::read(&self.lab.table, (reader_question, &form), &answer, rules).await;
            self.lab.table.read(&id, outcome.reading);
            let Some(reason) = outcome.reason else { break };
            let code = reason.code();
            next_prompt = self.retry_text(&inquiry, attempt, &code, answer.text());
            facts.complaint = Some(code);
        }
        (texts, false)
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
