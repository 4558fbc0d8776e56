//! Phase 1, for each participant alone: first ranking, worked examples, second ranking, four application
//! rounds, third ranking. The memory is updated after every step.

use super::apply::{Applied, Assignment, apply};
use super::asks::{
    self, AmountQuestion, ApplicationQuestion, QuestionContext, RankingQuestion, TextQuestion,
};
use super::counterfactual::{constraint_sweep, fixed_class, random_alternatives};
use super::distribution::{BASE, Distribution, DistributionSet, Probabilities, Situation};
use super::event::{AppliedRound, Event, Moment, Step};
use super::lab::Lab;
use super::member::{Inquiry, Member, QuestionPlace};
use super::prompts::phase1 as prompts;
use super::prompts::phase1::{Pick, RoundPayoff, RoundResult};
use super::prompts::retry::retry_note;
use super::settings::Rankings;
use crate::principle::{Choice, Principle};
use crate::procedures::answers::{AskOutcome, QuestionKind};
use crate::procedures::justice::context::{Experience, JusticeContext};
use crate::seat::SeatKind;
use futures_util::future::join_all;

/// Rounds in which a principle is chosen and applied.
const APPLICATION_ROUNDS: u32 = 4;
/// Maximum requests for a missing amount.
const CONSTRAINT_RETRIES: u32 = 2;
/// Principles and amounts of the worked examples, in income dollars.
pub(super) const EXAMPLES: [(Principle, Option<u32>); 6] = [
    (Principle::Floor, None),
    (Principle::Average, None),
    (Principle::FloorConstraint, Some(13_000)),
    (Principle::FloorConstraint, Some(14_000)),
    (Principle::RangeConstraint, Some(20_000)),
    (Principle::RangeConstraint, Some(15_000)),
];

/// Steps in order.
const STEPS: [PhaseStep; 8] = [
    PhaseStep::Rank(Step::InitialRanking, Moment::Initial),
    PhaseStep::Explain,
    PhaseStep::Rank(Step::PostExplanationRanking, Moment::PostExplanation),
    PhaseStep::Apply(1),
    PhaseStep::Apply(2),
    PhaseStep::Apply(3),
    PhaseStep::Apply(APPLICATION_ROUNDS),
    PhaseStep::Rank(Step::FinalRanking, Moment::AfterApplications),
];

/// A step of phase 1.
#[derive(Clone, Copy)]
enum PhaseStep {
    Rank(Step, Moment),
    Explain,
    Apply(u32),
}

/// Runs all participants concurrently: each at its own pace or, if people take part, step by step, so that
/// people keep up.
pub(super) async fn run(lab: &Lab, members: &mut [Member]) {
    let between = [Moment::PostExplanation, Moment::AfterApplications];
    let is_asked = |step: &PhaseStep| match step {
        PhaseStep::Rank(_, moment) => lab.settings.rankings == Rankings::All || !between.contains(moment),
        _ => true,
    };
    let asked: Vec<PhaseStep> = STEPS.into_iter().filter(is_asked).collect();
    let has_people = members
        .iter()
        .any(|member| member.participant.seat.kind == SeatKind::Human);
    let chunk_size = if has_people { 1 } else { asked.len() };
    for steps in asked.chunks(chunk_size) {
        join_all(members.iter_mut().map(|member| member.run_steps(steps))).await;
    }
}

/// Returns the distributions of the worked examples, the probabilities of their classes, and the pick of each
/// example. `varying`: uses those of the original experiment instead of `probabilities`.
pub(super) fn examples(
    varying: bool,
    probabilities: Option<Probabilities>,
) -> ([Distribution; 4], Option<Probabilities>, Vec<Pick>) {
    let (set, probabilities) = if varying {
        let sample = Situation::Sample;
        (sample.set().distributions, Some(sample.probabilities()))
    } else {
        (BASE, probabilities)
    };
    let pick = |(principle, amount)| {
        let Applied {
            index,
            constraint_met,
        } = apply(&set, principle, amount, probabilities.as_ref()).ok()?;
        Some(Pick {
            principle,
            amount,
            distribution: index,
            constraint_met,
        })
    };
    let picks = EXAMPLES.into_iter().filter_map(pick).collect();
    (set, probabilities, picks)
}

impl Member {
    async fn run_steps(&mut self, steps: &[PhaseStep]) {
        for step in steps {
            match *step {
                PhaseStep::Rank(step, moment) => self.rank(1, step, moment).await,
                PhaseStep::Explain => self.explain().await,
                PhaseStep::Apply(round) => self.apply_principle(round).await,
            }
        }
    }

    fn begin_step(&self, step: Step, round: u32) {
        self.lab.emit(
            self.audience(),
            Event::StepBegan {
                phase: 1,
                step,
                round,
                seat: Some(self.name().to_owned()),
            },
        );
    }

    /// Asks until an answer can be read; each retry explains what was wrong with the last answer.
    async fn ask_and_read<K: QuestionKind<Context = QuestionContext>>(
        &self,
        kind: K,
        place: QuestionPlace,
        attempts: u32,
        prompt: &str,
        facts: &JusticeContext,
    ) -> AskOutcome<K::Answer> {
        let inquiry = Inquiry {
            place,
            attempts,
            prompt,
            history: None,
            facts,
        };
        self.ask_until_read(kind, inquiry).await
    }

    fn attempts(&self) -> u32 {
        self.lab.settings.max_participant_retries + 1
    }

    fn place(&self, phase: u8, step: Step, round: u32) -> QuestionPlace {
        QuestionPlace {
            phase,
            step,
            round,
            about: "",
            seconds: self.lab.settings.phase2.statement_timeout,
        }
    }

    /// Asks for a ranking; an unreadable one is recorded as missing. In phase 1 the memory is updated.
    pub(super) async fn rank(&mut self, phase: u8, step: Step, moment: Moment) {
        if phase == 1 {
            self.begin_step(step, 0);
        }
        let prompt = prompts::ranking_prompt(&self.words, moment);
        let kind = RankingQuestion(moment);
        let (place, facts) = (self.place(phase, step, 0), self.facts(phase, 0));
        let outcome = self
            .ask_and_read(kind, place, self.attempts(), &prompt, &facts)
            .await;
        if outcome.value.is_none() {
            let message = "the ranking could not be read and is recorded as missing".to_owned();
            self.lab.warn("ranking_missing", Some(self.name()), None, message);
        }
        self.lab.emit(
            self.audience(),
            Event::Ranked {
                seat: self.name().to_owned(),
                moment,
                ranking: outcome.value.clone(),
            },
        );
        let notice = prompts::ranking_outcome(&self.words, outcome.value.as_ref());
        self.rankings.push((moment, outcome.value.clone()));
        if phase == 1 {
            self.note_retries(outcome.replies.len());
            let news = prompts::news(&self.words, &prompt, outcome.text(), &notice);
            self.rewrite_memory(1, 0, kind.name(), &news, &notice).await;
        }
    }

    /// Appends a line to the memory for each unusable answer, if the settings ask for it.
    fn note_retries(&mut self, answers: usize) {
        if !self.lab.settings.memory_update_on_retry {
            return;
        }
        for attempt in 1..answers {
            let limits = self.lab.amount_limits();
            let note = retry_note(&self.words, attempt as u32, "", limits);
            self.remember(1, &note);
        }
    }

    /// Shows the worked examples and adds the reply to the memory update.
    async fn explain(&mut self) {
        self.begin_step(Step::Explanation, 0);
        let varying = self.lab.settings.original_values_mode;
        let (set, probabilities, picks) = examples(varying, self.lab.probabilities());
        let prompt = prompts::explanation_prompt(&self.words, &set, probabilities.as_ref(), &picks, varying);
        let facts = self.facts_with(&set, probabilities.as_ref(), 0);
        let place = self.place(1, Step::Explanation, 0);
        let kind = TextQuestion::Explanation;
        let text = self
            .ask_for_text(kind, place, 1, prompt.clone(), None, facts)
            .await
            .unwrap_or_default();
        let notice = prompts::explanation_outcome(&self.words);
        let news = prompts::news(&self.words, &prompt, &text, &notice);
        self.rewrite_memory(1, 0, kind.name(), &news, &notice).await;
    }

    /// Runs one application round: choice, class and payoff.
    async fn apply_principle(&mut self, round: u32) {
        self.begin_step(Step::Application, round);
        let situation = Situation::of_round(round).filter(|_| self.lab.settings.original_values_mode);
        let (set, probabilities) = match situation {
            Some(situation) => (situation.set(), Some(situation.probabilities())),
            None => (self.draw_set(round), self.lab.probabilities()),
        };
        let distributions = set.distributions;
        let prompt = prompts::application_prompt(
            &self.words,
            round,
            APPLICATION_ROUNDS,
            &distributions,
            probabilities.as_ref(),
        );
        let (choice, answer, answers) = self
            .choose(round, &prompt, &distributions, probabilities.as_ref())
            .await;

        // Drawn in any case, so that an invalid choice does not shift later draws.
        let (stream, seed) = self.stream();
        let class = self
            .lab
            .table
            .draw(&stream, seed, &format!("round {round}: class"), |random| {
                super::apply::draw_class(probabilities.as_ref(), random)
            });
        let amount = choice.as_ref().and_then(|choice| choice.amount);
        let alternatives =
            self.lab
                .table
                .draw(&stream, seed, &format!("round {round}: alternatives"), |random| {
                    random_alternatives(&distributions, amount, probabilities.as_ref(), random)
                });

        let applied = choice.as_ref().and_then(|choice| {
            apply(
                &distributions,
                choice.principle,
                choice.amount,
                probabilities.as_ref(),
            )
            .ok()
        });
        let assignment = applied.map(|applied| Assignment::of(class, &distributions[applied.index]));
        let payoff = assignment.map_or(0.0, |assignment| assignment.payoff);
        self.bank += payoff;
        let chosen = choice.as_ref().map(|choice| (choice.principle, choice.amount));
        let same_class = fixed_class(&distributions, class, probabilities.as_ref(), None);
        self.lab.emit(
            self.audience(),
            Event::Applied(AppliedRound {
                seat: self.name().to_owned(),
                round,
                situation: situation.map(|_| ["A", "B", "C", "D"][(round - 1) as usize % 4].to_owned()),
                multiplier: situation.is_none().then_some(set.multiplier),
                distributions: distributions.iter().map(|distribution| distribution.0).collect(),
                probabilities: probabilities.map(|probabilities| *probabilities.values()),
                principle: choice.as_ref().map(|choice| choice.principle),
                amount,
                certainty: choice.as_ref().and_then(|choice| choice.certainty),
                constraint_met: applied.map(|applied| applied.constraint_met),
                distribution: applied.map(|applied| applied.index as u8 + 1),
                class: assignment.map(|assignment| assignment.class.id().to_owned()),
                income: assignment.map(|assignment| assignment.income),
                payoff,
                alternatives: alternatives.by_distribution.clone(),
                same_class: same_class
                    .iter()
                    .map(|alternative| (alternative.principle.id().to_owned(), alternative.payoff))
                    .collect(),
                bank: self.bank,
            }),
        );
        self.applications.push(Experience {
            round,
            principle: choice.as_ref().map(|choice| choice.principle),
            amount,
            income: assignment.map(|assignment| assignment.income),
        });
        let notice = match (&choice, applied, assignment) {
            (Some(choice), Some(applied), Some(assignment)) => prompts::result_notice(
                &self.words,
                &RoundResult {
                    round,
                    principle: choice.principle,
                    amount,
                    paid: RoundPayoff {
                        distributions: &distributions,
                        probabilities: probabilities.as_ref(),
                        distribution: applied.index,
                        constraint_met: applied.constraint_met,
                        class,
                        income: assignment.income,
                        payoff,
                        sweep: &constraint_sweep(&distributions, class, probabilities.as_ref(), chosen),
                        bank: self.bank,
                    },
                },
            ),
            _ => prompts::no_choice_notice(&self.words, round, self.bank),
        };
        self.note_retries(answers);
        let news = prompts::news(&self.words, &prompt, &answer, &notice);
        self.rewrite_memory(1, round, asks::APPLICATION, &news, &notice)
            .await;
    }

    fn draw_set(&self, round: u32) -> DistributionSet {
        let (low, high) = self.lab.settings.distribution_range_phase1;
        let (stream, seed) = self.stream();
        self.lab.table.draw(
            &stream,
            seed,
            &format!("round {round}: distributions"),
            |random| DistributionSet::drawn(low, high, random),
        )
    }

    /// Returns the choice of a round with its last answer and the number of answers. The choice is `None` if
    /// it could not be read or if its amount is missing.
    async fn choose(
        &self,
        round: u32,
        prompt: &str,
        distributions: &[Distribution],
        probabilities: Option<&Probabilities>,
    ) -> (Option<Choice>, String, usize) {
        let place = self.place(1, Step::Application, round);
        let facts = self.facts_with(distributions, probabilities, round);
        let outcome = self
            .ask_and_read(ApplicationQuestion, place, self.attempts(), prompt, &facts)
            .await;
        let (text, answers) = (outcome.text().to_owned(), outcome.replies.len());
        let Some(mut choice) = outcome.value else {
            let message = format!("the choice of round {round} could not be read: the round pays nothing");
            self.lab
                .warn("choice_unreadable", Some(self.name()), Some(round), message);
            return (None, text, answers);
        };
        if !choice.principle.needs_amount() {
            choice.amount = None;
        } else if choice.amount.is_none_or(|amount| amount == 0) {
            choice.amount = self.ask_for_amount(round, choice.principle, &facts).await;
            if choice.amount.is_none() {
                let message = format!("the choice of round {round} lacks its amount: the round pays nothing");
                self.lab
                    .warn("constraint_missing", Some(self.name()), Some(round), message);
                return (None, text, answers);
            }
        }
        (Some(choice), text, answers)
    }

    async fn ask_for_amount(&self, round: u32, principle: Principle, facts: &JusticeContext) -> Option<u32> {
        let prompt = prompts::constraint_prompt(&self.words, self.name(), principle);
        let facts = JusticeContext {
            principle: Some(principle),
            ..facts.clone()
        };
        let place = self.place(1, Step::Application, round);
        let kind = AmountQuestion::Missing;
        let outcome = self.ask_and_read(kind, place, CONSTRAINT_RETRIES, &prompt, &facts);
        outcome.await.value
    }

    fn facts_with(
        &self,
        distributions: &[Distribution],
        probabilities: Option<&Probabilities>,
        round: u32,
    ) -> JusticeContext {
        JusticeContext {
            distributions: distributions.iter().map(|distribution| distribution.0).collect(),
            probabilities: probabilities.map(|probabilities| *probabilities.values()),
            ..self.facts(1, round)
        }
    }
}
