//! Early end of revisions or further rounds, checked after each revision but the last in this order: final
//! proposals, judge, poll, stable votes. Convergence is checked before ([`super::convergence`]). Refinement,
//! votes and judge always follow.

use super::Debate;
use crate::core::audience::Audience;
use crate::procedures::debate::arena::at_once;
use crate::procedures::debate::asks::{PollQuestion, TerminationQuestion};
use crate::procedures::debate::context::{DebateContext, Proposal};
use crate::procedures::debate::event::{Answered, Event};
use crate::procedures::debate::prompts;
use crate::procedures::debate::rules::stopping::{counts, poll_stops, ready_quorum, stability};
use crate::procedures::debate::settings::schedule::{Round, RoundKind};
use crate::reading::signals::ready;

impl Debate {
    /// Returns whether to skip a round because revisions have ended.
    pub(in super::super) fn is_skipped(&self, round: Round) -> bool {
        let is_revising = matches!(round.kind, RoundKind::Critique | RoundKind::Revise);
        is_revising && self.revisions_ended.is_some_and(|last| round.number > last)
    }

    /// After a revision that is not the last: ends the revisions if a check is positive.
    pub(in super::super) async fn check_end_of_revisions(&mut self, round: u32) {
        let ends = self.is_ready(round) || self.ask_judge_to_stop(round).await || self.poll(round).await;
        if ends {
            self.revisions_ended = Some(round);
        }
    }

    /// Before a further round: returns whether to stop.
    pub(in super::super) async fn should_stop_extending(&mut self) -> bool {
        let stable = self.arena.settings.stable_votes();
        let is_stable = stable.is_some_and(|rule| self.unchanged >= rule.rounds);
        is_stable || self.poll(self.rounds).await
    }

    /// Records whether a new version declares itself final.
    pub(super) fn record_ready(&mut self, seat: usize, text: &str) {
        let signal = ready(text);
        match signal.value().filter(|signal| signal.ready) {
            Some(signal) => self.ready.insert(seat, signal.confidence),
            None => self.ready.remove(&seat),
        };
    }

    fn is_ready(&mut self, round: u32) -> bool {
        let arena = &self.arena;
        if !arena.settings.enable_ready_signals || self.ready.is_empty() {
            return false;
        }
        let count = self
            .ready
            .values()
            .filter(|confidence| counts(true, **confidence))
            .count();
        let ends = ready_quorum(count, self.proposals.len());
        let named = |(seat, confidence): (&usize, &Option<f64>)| (arena.name(*seat).to_owned(), *confidence);
        arena.emit(
            arena.all_but_judges(),
            &Event::Ready {
                round,
                seats: self.ready.iter().map(named).collect(),
                count,
                of: self.proposals.len(),
                ends,
            },
        );
        ends
    }

    /// Asks the judge, who sees the proposals without names, if this is enabled.
    async fn ask_judge_to_stop(&mut self, round: u32) -> bool {
        let settings = &self.arena.settings;
        if !settings.judge_termination || round < settings.min_rounds_before_judge_check {
            return false;
        }
        let Some(judge) = self.ensure_judge() else {
            return false;
        };
        let arena = &self.arena;
        let words = arena.words(judge);
        let shown = (1..).zip(&self.proposals).map(|(number, standing)| Proposal {
            label: prompts::blind_label(words, number),
            text: standing.text.clone(),
        });
        let facts = DebateContext {
            proposals: shown.collect(),
            ..arena.facts(judge, round)
        };
        let answer = arena.ask(TerminationQuestion, judge, String::new(), facts);
        let Some((verdict, _)) = answer.await else {
            return false;
        };
        let ends = counts(verdict.conclusive, verdict.confidence);
        arena.emit(
            Audience::Everybody,
            &Event::Settled {
                round,
                seat: arena.name(judge).to_owned(),
                said: verdict,
                ends,
            },
        );
        ends
    }

    /// Polls all but judges on whether to stop, from the configured round on.
    async fn poll(&self, round: u32) -> bool {
        let arena = &self.arena;
        let Some(rule) = arena.settings.poll().filter(|rule| round >= rule.from_round) else {
            return false;
        };
        let proposals: Vec<Proposal> = self
            .proposals
            .iter()
            .map(|standing| self.shown_proposal(standing))
            .collect();
        let asks = self.voters().into_iter().map(|seat| {
            let facts = DebateContext {
                proposals: proposals.clone(),
                ..arena.facts(seat, round)
            };
            async move {
                let answer = arena.ask(PollQuestion, seat, String::new(), facts).await;
                Answered {
                    seat: arena.name(seat).to_owned(),
                    yes: answer.map(|(stops, _)| stops),
                }
            }
        });
        self.reveal_proposals(round);
        let answers = at_once(arena.settings.at_once.proposals, asks.collect()).await;
        let read: Vec<bool> = answers.iter().filter_map(|answer| answer.yes).collect();
        let ends = poll_stops(&read, rule.threshold);
        arena.emit(arena.all_but_judges(), &Event::Polled { round, answers, ends });
        ends
    }

    /// Compares the votes of this round with those of earlier rounds, if this is enabled.
    pub(super) fn check_stability(&mut self, round: u32) {
        let Some(rule) = self.arena.settings.stable_votes() else {
            return;
        };
        let Some(decision) = &self.decision else { return };
        let rows = decision.tally.rows.iter();
        self.counts
            .push(rows.map(|row| (row.choice.clone(), row.weight)).collect());
        let all = stability(&self.counts, rule.threshold, rule.distance);
        let Some(last) = all.last().copied().filter(|_| all.len() > 1) else {
            return;
        };
        self.unchanged = if last.stable { self.unchanged + 1 } else { 0 };
        self.arena.emit(
            self.arena.all_but_judges(),
            &Event::Stable {
                round,
                stability: last,
                ends: self.unchanged >= rule.rounds,
            },
        );
    }
}
