//! Byzantine agreement after the votes: all seats are asked whether they would accept the leading proposal,
//! and those that would are asked to commit. If too few do, the next best proposal follows. The quorum is
//! defined in the rules.

use super::Debate;
use crate::procedures::debate::arena::at_once;
use crate::procedures::debate::asks::AssentQuestion;
use crate::procedures::debate::context::{DebateContext, Proposal};
use crate::procedures::debate::event::{Answered, Event, View};
use crate::procedures::debate::rules::byzantine::{Byzantine, Stage, quorum};
use crate::procedures::debate::rules::consensus::standing;

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
        let kind = match run.stage {
            Stage::Commit => AssentQuestion::Commit,
            _ => AssentQuestion::Prepare,
        };
        let view = run.view;
        let asks = asked.iter().map(|&seat| {
            let facts = DebateContext {
                proposals: shown.clone(),
                ..arena.facts(seat, round)
            };
            async move {
                let answer = arena.ask(kind, seat, format!("view {view}"), facts).await;
                (seat, answer.map(|(yes, _)| yes))
            }
        });
        at_once(arena.settings.at_once.proposals, asks.collect()).await
    }
}
