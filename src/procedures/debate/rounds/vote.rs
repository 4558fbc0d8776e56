//! Round 7: votes and their result.

use super::Debate;
use crate::procedures::debate::arena::at_once;
use crate::procedures::debate::asks::VoteQuestion;
use crate::procedures::debate::context::{DebateContext, Proposal};
use crate::procedures::debate::event::Event;
use crate::procedures::debate::rules::consensus::{Decision, Mode, Note, Ties, Verdict, decide};
use crate::procedures::debate::rules::tally::{Ballot, Cast, Votes};
use crate::procedures::debate::settings::Rated;
use crate::procedures::debate::settings::debaters::Role;
use crate::reading::vote::Vote;
use std::collections::BTreeMap;

impl Debate {
    /// Round 7: all but judges vote for a proposal.
    pub(super) async fn vote(&mut self, round: u32) {
        let arena = &self.arena;
        let voters = self.voters();
        let proposals: Vec<Proposal> = self
            .proposals
            .iter()
            .map(|standing| self.shown_proposal(standing))
            .collect();
        let asks = voters.iter().map(|&seat| {
            let facts = DebateContext {
                proposals: proposals.clone(),
                ..arena.facts(seat, round)
            };
            arena.ask(VoteQuestion, seat, String::new(), facts)
        });
        let found = at_once(arena.settings.at_once.proposals, asks.collect()).await;
        let votes: Vec<(usize, Option<Vote>)> = voters
            .iter()
            .zip(found)
            .map(|(&seat, vote)| (seat, vote.map(|(vote, _)| vote)))
            .collect();
        let choices = self.interpret_words(round, &votes);
        self.ballots = votes
            .iter()
            .map(|(seat, vote)| Ballot {
                voter: self.arena.name(*seat).to_owned(),
                confidence: vote.as_ref().and_then(|vote| vote.confidence),
                cast: match vote {
                    None => Cast::Failed,
                    Some(vote) => match vote.choice.as_ref().or_else(|| choices.get(seat)) {
                        Some(choice) => Cast::For(choice.clone()),
                        None => Cast::Abstained,
                    },
                },
            })
            .collect();
        self.arena.emit(
            self.arena.all_but_judges(),
            &Event::Voted {
                round,
                ballots: self.ballots.clone(),
            },
        );
        self.bonuses = self.evidence_bonuses(&votes);
        if self.arena.settings.consensus == Mode::Byzantine {
            self.run_byzantine(round).await;
        }
        self.count(round, None);
        self.check_stability(round);
    }

    /// Returns all seats but judges.
    pub(super) fn voters(&self) -> Vec<usize> {
        self.arena.with_role(|role| role != Role::Judge)
    }

    /// Counts the votes, with the judge's verdict if there is one.
    pub(super) fn count(&mut self, round: u32, verdict: Option<&Verdict>) {
        let mode = self.arena.settings.consensus;
        let agreement = self.agreement.as_ref().filter(|_| mode == Mode::Byzantine);
        let mut decision = self.compute_decision(verdict.or(agreement));
        if mode == Mode::Byzantine && decision.decided_by == Mode::Majority {
            decision.note = Some(match self.ballots.len() {
                0..=3 => Note::TooFewForByzantine,
                _ => Note::NoByzantineAgreement,
            });
        }
        self.arena.emit(
            self.arena.all_but_judges(),
            &Event::Counted {
                round,
                decision: decision.clone(),
            },
        );
        self.decision = Some(decision);
    }

    /// Computes the decision without emitting it.
    pub(super) fn compute_decision(&self, verdict: Option<&Verdict>) -> Decision {
        let arena = &self.arena;
        let voters: Vec<String> = self.ballots.iter().map(|ballot| ballot.voter.clone()).collect();
        let proposers: Vec<String> = self.current().into_iter().map(|(name, _)| name).collect();
        let votes = Votes {
            voters: &voters,
            proposers: &proposers,
            ballots: &self.ballots,
            weights: self.weights(),
            bonuses: self.bonuses.clone(),
            ..Votes::default()
        };
        let ties = self.ties();
        decide(&votes, &arena.settings.rules(), &ties, verdict)
    }

    /// Returns the data for breaking ties.
    pub(super) fn ties(&self) -> Ties {
        let scores = self.evaluation.iter().flat_map(|judgement| &judgement.points);
        Ties {
            judge_scores: scores
                .map(|points| (points.proposer.clone(), points.score))
                .collect(),
            ratings: elo(&self.arena.settings.ratings),
        }
    }
}

fn elo(ratings: &BTreeMap<String, Rated>) -> BTreeMap<String, f64> {
    let known = ratings.iter().map(|(name, rated)| (name.clone(), rated.elo));
    known.collect()
}
