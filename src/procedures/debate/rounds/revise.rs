//! Rounds 3 to 6: revisions and the final refinement.

use super::Debate;
use crate::procedures::debate::arena::{ProposalState, at_once};
use crate::procedures::debate::asks::ProposalQuestion;
use crate::procedures::debate::context::{DebateContext, Objection};
use crate::procedures::debate::prompts;
use crate::reading::signals::without_ready;

impl Debate {
    /// Rounds 3 to 5: authors of criticised proposals revise.
    pub(super) async fn revise(&mut self, round: u32) {
        let arena = &self.arena;
        let criticised: Vec<(&ProposalState, Vec<Objection>)> = self
            .proposals
            .iter()
            .map(|standing| (standing, self.objections(standing.seat)))
            .filter(|(_, objections)| !objections.is_empty())
            .collect();
        let kind = ProposalQuestion::Revision {
            may_be_ready: arena.settings.enable_ready_signals,
        };
        let asks = criticised.into_iter().map(|(standing, critiques)| {
            let seat = standing.seat;
            let facts = DebateContext {
                own: Some(standing.text.clone()),
                critiques,
                challenge: self.challenge_for(seat, round),
                ..arena.facts(seat, round)
            };
            async move {
                let answer = arena.ask(kind, seat, String::new(), facts).await;
                (seat, answer.map(|(_, text)| text))
            }
        });
        let texts = at_once(arena.settings.at_once.revisions, asks.collect()).await;
        self.store_versions(round, texts);
    }

    /// Round 6: authors adopt what is better in other proposals.
    pub(super) async fn refine(&mut self, round: u32) {
        let arena = &self.arena;
        let asks = self.proposals.iter().map(|standing| {
            let others = self.proposals.iter().filter(|other| other.seat != standing.seat);
            let seat = standing.seat;
            let facts = DebateContext {
                own: Some(standing.text.clone()),
                proposals: others.map(|other| self.shown_proposal(other)).collect(),
                critiques: self.objections(seat),
                challenge: self.challenge_for(seat, round),
                ..arena.facts(seat, round)
            };
            async move {
                let kind = ProposalQuestion::Refinement;
                let answer = arena.ask(kind, seat, String::new(), facts).await;
                (seat, answer.map(|(_, text)| text))
            }
        });
        let texts = at_once(arena.settings.at_once.revisions, asks.collect()).await;
        self.store_versions(round, texts);
    }

    /// Stores new versions; a failed revision keeps the previous one.
    pub(super) fn store_versions(&mut self, round: u32, texts: Vec<(usize, Option<String>)>) {
        for (seat, text) in texts {
            if let Some(text) = text {
                self.record_ready(seat, &text);
                self.store_version(round, seat, Some(without_ready(&text)));
            }
        }
    }

    /// Returns the challenge of the previous round, in the language of its target.
    pub(super) fn challenge_for(&self, seat: usize, round: u32) -> Option<String> {
        let challenge = self
            .challenges
            .last()
            .filter(|challenge| challenge.round + 1 == round)?;
        let name = self.arena.name(seat);
        let is_target = challenge.targets.iter().any(|target| target == name);
        is_target.then(|| prompts::challenge(self.arena.words(seat), challenge, name))
    }
}
