//! Round 8: the judge.

use super::{Debate, Judgement};
use crate::procedures::debate::asks::JudgementQuestion;
use crate::procedures::debate::context::{DebateContext, Proposal};
use crate::procedures::debate::event::Event;
use crate::procedures::debate::prompts;
use crate::procedures::debate::rules::consensus::{Decision, Mode};
use crate::procedures::debate::rules::judging::{JudgeCandidate, is_conclusive, points, select, verdict};
use crate::procedures::debate::settings::Rated;
use crate::procedures::debate::settings::debaters::Role;

impl Debate {
    /// Round 8: one judge, who does not know the authors, scores, ranks and sums up.
    pub(super) async fn judge(&mut self, round: u32) {
        let Some(judge) = self.ensure_judge() else { return };
        let mut order: Vec<usize> = (0..self.proposals.len()).collect();
        let order = self
            .arena
            .draw(&format!("round {round}: order for the judge"), |random| {
                random.shuffle(&mut order);
                order
            });
        let arena = &self.arena;
        let words = arena.words(judge);
        let labels: Vec<(String, String)> = (1..)
            .zip(&order)
            .map(|(number, &place)| {
                let proposer = arena.name(self.proposals[place].seat).to_owned();
                (prompts::blind_label(words, number), proposer)
            })
            .collect();
        arena.emit(
            arena.all_but(judge),
            &Event::JudgeSelected {
                seat: arena.name(judge).to_owned(),
                order: labels.iter().map(|(_, proposer)| proposer.clone()).collect(),
            },
        );
        let shown = order.iter().zip(&labels).map(|(&place, (label, _))| Proposal {
            label: label.clone(),
            text: self.proposals[place].text.clone(),
        });
        let facts = DebateContext {
            proposals: shown.collect(),
            ..arena.facts(judge, round)
        };
        let evaluation = arena.ask(JudgementQuestion, judge, String::new(), facts).await;
        let Some((evaluation, _)) = evaluation else {
            self.evaluation = None;
            self.count(round, None);
            return;
        };
        let points = points(&[&evaluation], &labels);
        let agreed = self.decision.as_ref().is_some_and(Decision::reached);
        let conclusive = is_conclusive(&evaluation, &points, agreed, false);
        let verdict = verdict(&evaluation, &points, &labels);
        arena.emit(
            arena.all_but(judge),
            &Event::Judged {
                round,
                seat: arena.name(judge).to_owned(),
                evaluation: evaluation.clone(),
                points: points.clone(),
                conclusive,
            },
        );
        self.evaluation = Some(Judgement {
            evaluation,
            points,
            conclusive,
        });
        let decides = self.arena.settings.consensus == Mode::Judge;
        self.count(round, Some(&verdict).filter(|_| decides));
    }

    /// Returns the judge, who is selected once per debate.
    pub(super) fn ensure_judge(&mut self) -> Option<usize> {
        self.judge = self.judge.or_else(|| self.select_judge());
        self.judge
    }

    fn select_judge(&self) -> Option<usize> {
        let arena = &self.arena;
        let judges = arena.with_role(|role| role == Role::Judge);
        if let Some(judge) = judges.first() {
            return Some(*judge);
        }
        let candidates: Vec<JudgeCandidate> = arena
            .settings
            .debaters
            .iter()
            .enumerate()
            .map(|(seat, debater)| JudgeCandidate {
                name: debater.seat.name.clone(),
                is_proposer: self.proposals.iter().any(|standing| standing.seat == seat),
                is_synthesizer: debater.role == Role::Synthesizer,
                available: !arena.breakers.is_suspended(seat),
                elo: arena
                    .settings
                    .ratings
                    .get(&debater.seat.name)
                    .map(|rated| rated.elo),
                calibration: arena
                    .settings
                    .ratings
                    .get(&debater.seat.name)
                    .map_or(0.0, Rated::calibration),
            })
            .collect();
        let drawn = arena.draw("judge", |random| random.choice(candidates.len()));
        select(&candidates, arena.settings.judge_selection, drawn, &[])
    }
}
