//! Round 7: votes, and what they come to.

use super::Debate;
use crate::parse::vote;
use crate::protocol::debate::arena::{Inquiry, at_once};
use crate::protocol::debate::event::Event;
use crate::protocol::debate::prompts;
use crate::protocol::debate::rules::consensus::{Ties, Verdict, decide};
use crate::protocol::debate::rules::tally::{Ballot, Cast, Votes};
use crate::protocol::debate::settings::{Rated, Role};
use crate::seat::facts::debate::Proposal;
use crate::session::ask::AskKind;
use crate::sorted::SortedMap;

impl Debate {
    /// Round 7: all but judges vote for a proposal.
    pub(super) async fn vote(&mut self, round: u32) {
        let arena = &self.arena;
        let voters = arena.with_role(|role| role != Role::Judge);
        let proposals: Vec<Proposal> = self
            .proposals
            .iter()
            .map(|standing| self.shown(standing))
            .collect();
        let labels: Vec<&str> = proposals.iter().map(|proposal| proposal.label.as_str()).collect();
        let labels = labels.as_slice();
        let asks = voters.iter().map(|&seat| {
            let language = arena.settings.debaters[seat].seat.language;
            let inquiry = Inquiry {
                seat,
                round,
                kind: Some(AskKind::Vote),
                proposals: proposals.clone(),
                ..Inquiry::default()
            };
            arena.ask(inquiry, prompts::vote, move |text| {
                vote::vote(text, language, labels)
            })
        });
        let votes = at_once(arena.settings.at_once.proposals, asks.collect()).await;
        self.ballots = voters
            .iter()
            .zip(votes)
            .map(|(&seat, vote)| Ballot {
                voter: arena.name(seat).to_owned(),
                confidence: vote.as_ref().and_then(|(vote, _)| vote.confidence),
                cast: match vote {
                    None => Cast::Failed,
                    Some((vote, _)) => vote.choice.map_or(Cast::Abstained, Cast::For),
                },
            })
            .collect();
        self.count(round, None);
    }

    /// Counts the votes as they are, with the judge's verdict where there is one.
    pub(super) fn count(&mut self, round: u32, verdict: Option<&Verdict>) {
        let arena = &self.arena;
        let voters: Vec<String> = self.ballots.iter().map(|ballot| ballot.voter.clone()).collect();
        let proposers: Vec<String> = self.current().into_iter().map(|(name, _)| name).collect();
        let votes = Votes {
            voters: &voters,
            proposers: &proposers,
            ballots: &self.ballots,
            ..Votes::default()
        };
        let scores = self.evaluation.iter().flat_map(|judgement| &judgement.points);
        let ties = Ties {
            judge_scores: scores
                .map(|points| (points.proposer.clone(), points.score))
                .collect(),
            ratings: elo(&arena.settings.ratings),
        };
        let decision = decide(&votes, &arena.settings.rules, &ties, verdict);
        arena.tell(&Event::Counted {
            round,
            decision: decision.clone(),
        });
        self.decision = Some(decision);
    }
}

fn elo(ratings: &SortedMap<String, Rated>) -> SortedMap<String, f64> {
    let known = ratings.iter().map(|(name, rated)| (name.clone(), rated.elo));
    known.collect()
}
