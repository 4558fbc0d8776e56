//! Byzantine agreement after the votes: all seats are asked whether they would accept the leading proposal,
//! and those that would are asked to commit. If too few do, the next best proposal follows. The quorum is
//! defined in the rules.

use super::Debate;
use crate::language::words::Words;
use crate::procedures::debate::arena::{Inquiry, at_once};
use crate::procedures::debate::asks;
use crate::procedures::debate::context::Proposal;
use crate::procedures::debate::event::{Answered, Event, View};
use crate::procedures::debate::forms;
use crate::procedures::debate::prompts;
use crate::procedures::debate::rules::byzantine::{Byzantine, Stage, quorum};
use crate::procedures::debate::rules::consensus::standing;
use crate::reading::structured;
use crate::reading::vote::assent;

impl Debate {
    /// Puts proposals to the voters, best first, until one has enough commitments or no view is left. Does
    /// nothing with fewer than four voters.
    pub(super) async fn run_byzantine(&mut self, round: u32) {
        self.agreement = None;
        let voters = self.voters();
        let changes = self.arena.settings.byzantine_max_view_changes as usize;
        let Some(mut run) = Byzantine::begin(self.rank_proposers(), voters.len(), changes) else {
            return;
        };
        let mut willing: Vec<usize> = Vec::new();
        while matches!(run.stage, Stage::Prepare | Stage::Commit) {
            let Some(leader) = run.proposal().cloned() else {
                return;
            };
            let is_commit = run.stage == Stage::Commit;
            let asked = if is_commit { &willing } else { &voters };
            let answers = self.ask_assent(round, &run, &leader, asked).await;
            willing = answers
                .iter()
                .filter(|(_, yes)| *yes == Some(true))
                .map(|(seat, _)| *seat)
                .collect();
            let view = View {
                round,
                view: run.view,
                leader,
                answers: answers
                    .into_iter()
                    .map(|(seat, yes)| Answered {
                        seat: self.arena.name(seat).to_owned(),
                        yes,
                    })
                    .collect(),
                quorum: quorum(voters.len()).1,
            };
            self.arena.emit(
                self.arena.all_but_judges(),
                &if is_commit {
                    Event::Committed(view)
                } else {
                    Event::Prepared(view)
                },
            );
            run.answer(willing.len());
        }
        self.agreement = run.verdict();
    }

    /// Returns all proposers by votes, then in the order of the table.
    fn rank_proposers(&self) -> Vec<String> {
        let decision = self.compute_decision(None);
        let ties = self.ties();
        let ranked = standing(&decision.tally, &ties);
        let mut order: Vec<String> = ranked.into_iter().map(|row| row.choice.clone()).collect();
        for (name, _) in self.current() {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        order
    }

    async fn ask_assent(
        &self,
        round: u32,
        run: &Byzantine,
        leader: &str,
        asked: &[usize],
    ) -> Vec<(usize, Option<bool>)> {
        let arena = &self.arena;
        let shown: Vec<Proposal> = self
            .proposals
            .iter()
            .filter(|standing| arena.name(standing.seat) == leader)
            .map(|standing| self.shown_proposal(standing))
            .collect();
        type Task = fn(&Words, &prompts::PromptContext<'_>) -> String;
        let (kind, task): (&'static str, Task) = match run.stage {
            Stage::Commit => (asks::COMMIT, prompts::commit),
            _ => (asks::PREPARE, prompts::prepare),
        };
        let view = run.view;
        let asks = asked.iter().map(|&seat| {
            let language = arena.settings.debaters[seat].seat.language;
            let inquiry = Inquiry {
                seat,
                round,
                kind: Some(kind),
                about: format!("view {view}"),
                proposals: shown.clone(),
                ..Inquiry::default()
            };
            async move {
                let answer = arena.ask(inquiry, task, |answer| {
                    let form = |text: &str| structured::yes_no(text, &["reason", "answer"], language);
                    let free = |text: &str| assent(text, language);
                    arena
                        .settings
                        .answers
                        .read(answer, forms::read_yes_no, form, free)
                });
                let answer = answer.await;
                (seat, answer.map(|(yes, _)| yes))
            }
        });
        at_once(arena.settings.at_once.proposals, asks.collect()).await
    }
}
