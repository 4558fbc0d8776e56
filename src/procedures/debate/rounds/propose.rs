//! Round 1: proposals, and the events of new versions.

use super::Debate;
use crate::procedures::debate::arena::{ProposalState, at_once};
use crate::procedures::debate::asks::ProposalQuestion;
use crate::procedures::debate::event::Event;
use crate::procedures::debate::rules::rhetoric;
use crate::procedures::debate::settings::debaters::Role;

impl Debate {
    /// Round 1: each proposer answers the question independently.
    pub(super) async fn propose(&mut self, round: u32) {
        let arena = &self.arena;
        let proposers = arena.with_role(|role| matches!(role, Role::Proposer | Role::Synthesizer));
        let asks = proposers.iter().map(|&seat| {
            arena.ask(
                ProposalQuestion::First,
                seat,
                String::new(),
                arena.facts(seat, round),
            )
        });
        let texts = at_once(arena.settings.at_once.proposals, asks.collect()).await;
        for (seat, text) in proposers.into_iter().zip(texts) {
            if let Some((_, text)) = text {
                self.proposals.push(ProposalState {
                    seat,
                    text,
                    version: 0,
                });
                self.store_version(round, seat, None);
            }
        }
        match self.proposals.len() {
            0 => self.end_early(round, "no_proposals"),
            1 => self.end_early(round, "one_proposal"),
            _ => {}
        }
    }

    /// Stores a new version of a proposal and emits it.
    pub(super) fn store_version(&mut self, round: u32, seat: usize, text: Option<String>) {
        let Some(standing) = self.proposals.iter_mut().find(|standing| standing.seat == seat) else {
            return;
        };
        standing.version += 1;
        if let Some(text) = text {
            standing.text = text;
        }
        let name = self.arena.name(seat).to_owned();
        let to = self.arena.connected(seat);
        self.arena.emit(
            to.clone(),
            &Event::Proposed {
                round,
                seat: name.clone(),
                version: standing.version,
                text: standing.text.clone(),
            },
        );
        if !self.arena.settings.enable_rhetorical_observer {
            return;
        }
        let language = self.arena.settings.debaters[seat].seat.language;
        let patterns: Vec<_> = rhetoric::observe(&standing.text, language)
            .into_iter()
            .map(|observation| observation.pattern)
            .collect();
        if patterns.is_empty() {
            return;
        }
        self.arena.emit(
            to,
            &Event::Observed {
                round,
                seat: name.clone(),
                patterns: patterns.clone(),
            },
        );
        self.observed
            .extend(patterns.into_iter().map(|pattern| (name.clone(), pattern)));
    }
}
