//! The course of a Delphi poll (Dalkey and Helmer 1963): independent estimates, then median, quartiles and
//! anonymous reasons for all, then new estimates, until these are close enough or the rounds are over.

use super::asks::{EstimateContext, EstimateQuestion};
use super::context::{DelphiContext, RoundReport};
use super::event::Event;
use super::prompts::{self, PromptContext};
use super::read::Estimate;
use super::rules::{Spread, is_close};
use super::settings::Settings;
use crate::core::ask::{Ask, Request};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::limits::time_limits;
use crate::core::table::{Question, Table};
use crate::language::words::Words;
use crate::procedures::answers::{Attempts, QuestionKind, UnreadAnswer};
use crate::seat::{Seat, SeatKind};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Random stream for the order of reasons.
const REASONS: &str = "reasons";

pub(super) struct Poll {
    table: Table,
    settings: Settings,
    seed: u32,
}

impl Poll {
    pub(super) fn new(table: Table, settings: Settings, seed: u32) -> Self {
        Self {
            table,
            settings,
            seed,
        }
    }

    pub(super) async fn run(self) -> Value {
        let mut estimates: Vec<Option<Estimate>> = vec![None; self.settings.seats.len()];
        let mut report = None;
        let mut round = 0;
        let ended_by = loop {
            round += 1;
            self.table.emit(Audience::Everybody, &Event::RoundBegan { round });
            estimates = self.ask_all(round, &estimates, report.as_ref()).await;
            self.emit_estimates(round, &estimates);
            let current = Rc::new(self.emit_report(round, &estimates));
            let ends = is_close(round, current.spread.as_ref(), self.settings.close_enough);
            report = Some(current);
            if ends {
                break "close_enough";
            }
            if round >= self.settings.rounds {
                break "rounds";
            }
        };
        let spread = report.and_then(|report| report.spread);
        let mut result =
            json!({ "ended_by": ended_by, "rounds": round, "unit": self.settings.unit, "spread": spread });
        if let Some(value) = self.settings.true_value {
            result["truth"] = json!({ "value": value, "source": self.settings.true_value_source });
        }
        result
    }

    /// Asks all participants at once; each knows only the public report.
    async fn ask_all(
        &self,
        round: u32,
        before: &[Option<Estimate>],
        report: Option<&Rc<RoundReport>>,
    ) -> Vec<Option<Estimate>> {
        let seats = self.settings.seats.iter().zip(before);
        join_all(seats.map(|(seat, before)| async move {
            let own = before.as_ref().map(|before| before.estimate);
            self.ask(seat, round, own, report).await
        }))
        .await
    }

    /// Emits each estimate to its own seat.
    fn emit_estimates(&self, round: u32, estimates: &[Option<Estimate>]) {
        for (seat, given) in self.settings.seats.iter().zip(estimates) {
            self.table.emit(
                Audience::seat(&seat.name),
                &Event::Estimated {
                    round,
                    seat: seat.name.clone(),
                    estimate: given.as_ref().map(|given| given.estimate),
                    reason: given.as_ref().map_or(String::new(), |given| given.reason.clone()),
                },
            );
        }
    }

    /// Asks one seat until its answer can be read.
    async fn ask(
        &self,
        seat: &Seat,
        round: u32,
        own: Option<f64>,
        report: Option<&Rc<RoundReport>>,
    ) -> Option<Estimate> {
        let settings = &self.settings;
        let none = BTreeMap::new();
        let words = Rc::new(Words::new(
            &super::TEXTS,
            seat.language,
            settings.prompts.get(seat.language.code()).unwrap_or(&none),
        ));
        let attempts = Attempts {
            table: &self.table,
            answers: settings.answers,
            reader: settings.reader.as_ref(),
            most: settings.attempts,
        };
        let question = |attempt, unread: Option<&UnreadAnswer>| {
            let context = EstimateContext {
                words: Rc::clone(&words),
                is_person: seat.kind == SeatKind::Human,
                facts: Rc::new(DelphiContext {
                    question: settings.question.clone(),
                    unit: settings.unit.clone(),
                    minimum: settings.minimum,
                    maximum: settings.maximum,
                    round,
                    rounds: settings.rounds,
                    own,
                    report: report.cloned(),
                    complaint: unread.map(|unread| unread.reason.code()),
                }),
            };
            (self.question(seat, attempt, &context), context)
        };
        attempts.ask(EstimateQuestion, question).await.value
    }

    fn question(&self, seat: &Seat, attempt: u32, context: &EstimateContext) -> Question {
        let settings = &self.settings;
        let EstimateContext {
            words,
            is_person,
            facts,
        } = context;
        let (form, schema) = settings.answers.asked(seat, EstimateQuestion, context);
        let prompt_context = PromptContext {
            name: &seat.name,
            personality: &seat.personality,
            facts,
        };
        let (system, prompt) = (
            prompts::system(words, &prompt_context),
            prompts::estimate(words, facts),
        );
        let request = Request {
            schema,
            ..Request::to(seat, system.into(), prompt.into(), settings.max_tokens)
        };
        Question {
            ask: Ask {
                id: format!("round/{}/estimate/{}#{attempt}", facts.round, seat.name),
                seat: seat.name.clone(),
                kind: EstimateQuestion.name().into(),
                phase: 1,
                round: Some(facts.round),
                attempt,
                language: seat.language,
            },
            request,
            form: form.filter(|_| *is_person),
            facts: AskContext::new(Rc::<DelphiContext>::clone(facts)),
            time_limits: match is_person {
                true => Vec::new(),
                false => time_limits(settings.estimate_timeout, 1.5, 3),
            },
            wait: 0,
        }
    }

    /// Emits the public report on a round.
    fn emit_report(&self, round: u32, estimates: &[Option<Estimate>]) -> RoundReport {
        let given: Vec<&Estimate> = estimates.iter().flatten().collect();
        let numbers: Vec<f64> = given.iter().map(|estimate| estimate.estimate).collect();
        let mut reasons: Vec<String> = given.iter().map(|estimate| estimate.reason.clone()).collect();
        reasons.retain(|reason| self.settings.share_reasons && !reason.is_empty());
        // Sorted before shuffling, so that the order depends on the reasons and not on their authors.
        reasons.sort();
        let order = self.table.draw(REASONS, self.seed, "order of reasons", |random| {
            let mut order: Vec<usize> = (0..reasons.len()).collect();
            random.shuffle(&mut order);
            order
        });
        let reasons: Vec<String> = order.into_iter().map(|place| reasons[place].clone()).collect();
        let spread = Spread::of(&numbers);
        self.table.emit(
            Audience::Everybody,
            &Event::Reported {
                round,
                asked: estimates.len(),
                spread,
                reasons: reasons.clone(),
            },
        );
        RoundReport { spread, reasons }
    }
}
