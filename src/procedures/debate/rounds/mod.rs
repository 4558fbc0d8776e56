//! State of a debate, and its rounds: one file per kind.

mod byzantine;
mod context;
mod convergence;
mod critique;
mod judge;
mod likeness;
mod propose;
mod revise;
mod stopping;
mod vote;
mod weighing;

pub(super) use convergence::pairs;
pub(super) use likeness::SEAT as EMBEDDINGS;

use super::arena::{Arena, CritiqueEntry, ProposalState};
use super::event::Event;
use super::rules::consensus::{Decision, Verdict};
use super::rules::convergence::{Check, Detector};
use super::rules::judging::Points;
use super::rules::rhetoric;
use super::rules::similarity::Texts;
use super::rules::tally::Ballot;
use super::rules::trickster::{Challenge, Trickster};
use super::settings::schedule::{Round, RoundKind};
use crate::core::audience::Audience;
use crate::procedures::debate::context::Proposal;
use crate::reading::judge::Evaluation;
use std::collections::BTreeMap;

/// State of a debate.
pub(super) struct Debate {
    pub(super) arena: Arena,
    /// By author, in configuration order.
    pub(super) proposals: Vec<ProposalState>,
    /// The proposals after the previous step.
    compared: Vec<(String, String)>,
    /// Cache of tokenized texts.
    pub(super) texts: Texts,
    pub(super) critiques: Vec<CritiqueEntry>,
    pub(super) ballots: Vec<Ballot>,
    pub(super) checks: Vec<Check>,
    pub(super) challenges: Vec<Challenge>,
    pub(super) observed: Vec<(String, rhetoric::Pattern)>,
    /// Known after the first selection.
    pub(super) judge: Option<usize>,
    pub(super) evaluation: Option<Judgement>,
    pub(super) decision: Option<Decision>,
    /// Round and reason of an early end.
    pub(super) ended_early: Option<(u32, &'static str)>,
    /// Number of the last round held.
    pub(super) rounds: u32,
    revisions: u32,
    has_gathered: bool,
    detector: Option<Detector>,
    pub(super) trickster: Option<Trickster>,
    /// The proposals after each step that changed them, oldest first.
    pub(super) history: Vec<Vec<(String, String)>>,
    /// Stated confidence of the seats that declare their proposal final.
    ready: BTreeMap<usize, Option<f64>>,
    /// Round after which revisions ended early.
    revisions_ended: Option<u32>,
    /// Bonuses of proposals for evidence cited in votes.
    bonuses: BTreeMap<String, f64>,
    /// Latest result of Byzantine agreement.
    agreement: Option<Verdict>,
    /// Weights of the proposals, by round of votes.
    counts: Vec<BTreeMap<String, f64>>,
    /// Consecutive rounds with stable votes.
    unchanged: u32,
}

/// The judge's evaluation and the resulting points.
#[derive(Debug, Clone)]
pub(super) struct Judgement {
    pub(super) evaluation: Evaluation,
    pub(super) points: Vec<Points>,
    pub(super) conclusive: bool,
}

impl Debate {
    pub(super) fn new(arena: Arena) -> Self {
        Self {
            detector: arena.settings.convergence().map(Detector::new),
            trickster: arena.settings.trickster().map(Trickster::new),
            arena,
            proposals: Vec::new(),
            compared: Vec::new(),
            texts: Texts::default(),
            critiques: Vec::new(),
            ballots: Vec::new(),
            checks: Vec::new(),
            challenges: Vec::new(),
            observed: Vec::new(),
            judge: None,
            evaluation: None,
            decision: None,
            ended_early: None,
            rounds: 0,
            revisions: 0,
            history: Vec::new(),
            ready: BTreeMap::new(),
            revisions_ended: None,
            bonuses: BTreeMap::new(),
            agreement: None,
            counts: Vec::new(),
            unchanged: 0,
            has_gathered: false,
        }
    }

    /// Runs a step of the schedule.
    pub(super) async fn run_step(&mut self, step: Round) {
        let Round {
            number,
            kind,
            converge,
        } = step;
        self.rounds = self.rounds.max(number);
        self.arena.emit(
            Audience::Everybody,
            &Event::RoundBegan {
                round: number,
                kind: kind.name().to_owned(),
            },
        );
        self.update_breakers(number);
        if matches!(kind, RoundKind::Refine | RoundKind::Vote) {
            self.reveal_proposals(number);
        }
        match kind {
            RoundKind::Context => self.gather_context(number).await,
            RoundKind::Propose => self.propose(number).await,
            RoundKind::Critique => self.critique(number).await,
            RoundKind::Revise => {
                if self.revisions > 0
                    && self.arena.settings.recritique_each_revision
                    && !self.has_critiques_of(number)
                {
                    self.critique(number).await;
                }
                self.revisions += 1;
                self.revise(number).await;
            }
            RoundKind::Refine => self.refine(number).await,
            RoundKind::Vote => self.vote(number).await,
            RoundKind::Judge => self.judge(number).await,
        }
        if converge {
            self.check_convergence(number).await;
        } else {
            self.compared = self.current();
        }
        if matches!(kind, RoundKind::Propose | RoundKind::Revise | RoundKind::Refine) {
            self.history.push(self.current());
        }
    }

    /// Updates the circuit breakers and emits their changes.
    fn update_breakers(&self, round: u32) {
        for (seat, state) in self.arena.breakers.advance_to(round) {
            self.arena.emit(
                Audience::Owner,
                &Event::Circuit {
                    round,
                    seat: self.arena.name(seat).to_owned(),
                    state,
                },
            );
        }
    }

    /// Reveals all proposals to all seats, in sparse topologies.
    fn reveal_proposals(&self, round: u32) {
        if !self.arena.is_sparse() {
            return;
        }
        let row = |standing: &ProposalState| {
            let name = self.arena.name(standing.seat).to_owned();
            (name, standing.version, standing.text.clone())
        };
        let proposals = self.proposals.iter().map(row).collect();
        self.arena
            .emit(self.arena.all_but_judges(), &Event::Laid { round, proposals });
    }

    fn shown_proposal(&self, standing: &ProposalState) -> Proposal {
        Proposal {
            label: self.arena.name(standing.seat).to_owned(),
            text: standing.text.clone(),
        }
    }

    fn current(&self) -> Vec<(String, String)> {
        let named =
            |standing: &ProposalState| (self.arena.name(standing.seat).to_owned(), standing.text.clone());
        self.proposals.iter().map(named).collect()
    }

    pub(super) fn end_early(&mut self, round: u32, reason: &'static str) {
        self.arena.emit(
            Audience::Everybody,
            &Event::EndedEarly {
                round,
                reason: reason.to_owned(),
            },
        );
        self.ended_early = Some((round, reason));
    }
}
