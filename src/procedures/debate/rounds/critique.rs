//! Round 2, and before later revisions: critiques, and their selection for revisions.

use super::Debate;
use crate::core::audience::Audience;
use crate::procedures::debate::arena::{CritiqueEntry, at_once};
use crate::procedures::debate::asks::CritiqueQuestion;
use crate::procedures::debate::context::{DebateContext, Objection};
use crate::procedures::debate::event::Event;
use crate::procedures::debate::rules::convergence::ConvergenceStatus;
use crate::procedures::debate::rules::topology::{Topology, adapted};

impl Debate {
    pub(super) fn has_critiques_of(&self, round: u32) -> bool {
        self.critiques.iter().any(|entry| entry.round == round)
    }

    /// Round 2, and before later revisions: asks the critics of each proposal.
    pub(super) async fn critique(&mut self, round: u32) {
        let arena = &self.arena;
        let settings = &arena.settings;
        let topology = match settings.topology {
            Topology::Adaptive => match self.checks.last() {
                Some(check) => adapted(
                    check.inter_agent.mean,
                    check.status == ConvergenceStatus::Diverging,
                    check.status == ConvergenceStatus::Converged,
                ),
                None => Topology::AllToAll,
            },
            other => other,
        };
        let mut pairs = Vec::new();
        for standing in &self.proposals {
            let chosen = arena.critics(topology, standing.seat);
            let seats = chosen
                .iter()
                .filter_map(|name| arena.names.iter().position(|known| known == name));
            pairs.extend(seats.map(|critic| (critic, standing)));
        }
        let asks = pairs.iter().map(|&(critic, standing)| {
            let facts = DebateContext {
                proposals: vec![self.shown_proposal(standing)],
                ..arena.facts(critic, round)
            };
            let label = arena.name(standing.seat).to_owned();
            arena.ask(CritiqueQuestion, critic, label, facts)
        });
        let found = at_once(settings.at_once.critiques, asks.collect()).await;
        let entries: Vec<CritiqueEntry> = pairs
            .iter()
            .zip(found)
            .filter_map(|(&(critic, standing), critique)| {
                Some(CritiqueEntry {
                    round,
                    critic,
                    target: standing.seat,
                    text: standing.text.clone(),
                    critique: critique?.0,
                })
            })
            .collect();
        for entry in &entries {
            let (seat, target) = (arena.name(entry.critic), arena.name(entry.target));
            let to = match topology {
                Topology::AllToAll => arena.all_but_judges(),
                _ => Audience::Seats(vec![seat.to_owned(), target.to_owned()]),
            };
            arena.emit(
                to,
                &Event::Criticised {
                    round,
                    seat: seat.to_owned(),
                    target: target.to_owned(),
                    critique: entry.critique.clone(),
                },
            );
        }
        self.critiques.extend(entries);
    }

    /// Returns all critiques of a proposal, newest first, without those that say nothing.
    pub(super) fn objections(&self, target: usize) -> Vec<Objection> {
        let own = self.critiques.iter().rev().filter(|entry| entry.target == target);
        own.map(|entry| self.objection(entry))
            .filter(|one| !(one.issues.is_empty() && one.suggestions.is_empty() && one.reasoning.is_empty()))
            .collect()
    }

    fn objection(&self, entry: &CritiqueEntry) -> Objection {
        let critique = &entry.critique;
        let words = Some(&critique.reasoning).filter(|_| critique.is_empty());
        Objection {
            critic: self.arena.name(entry.critic).to_owned(),
            severity: critique.severity,
            issues: critique.issues.clone(),
            suggestions: critique.suggestions.clone(),
            reasoning: words.cloned().unwrap_or_default(),
        }
    }
}
