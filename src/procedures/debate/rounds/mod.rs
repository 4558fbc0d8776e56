//! A debate under way and its rounds: a file each, as the schedule names them.

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
use super::settings::{Round, RoundKind};
use crate::core::audience::Audience;
use crate::core::table::Answer;
use crate::procedures::debate::context::Proposal;
use crate::reading::judge::Evaluation;
use crate::reading::signals::without_ready;
use crate::reading::{How, Reading, Reason};
use std::collections::BTreeMap;

/// A debate under way.
pub(super) struct Debate {
    pub(super) arena: Arena,
    /// By proposer, in configuration order.
    pub(super) proposals: Vec<ProposalState>,
    /// The proposals as the step before left them.
    compared: Vec<(String, String)>,
    /// What was compared, read.
    pub(super) texts: Texts,
    pub(super) critiques: Vec<CritiqueEntry>,
    pub(super) ballots: Vec<Ballot>,
    pub(super) checks: Vec<Check>,
    pub(super) challenges: Vec<Challenge>,
    pub(super) observed: Vec<(String, rhetoric::Pattern)>,
    /// Who judges, once that is known.
    pub(super) judge: Option<usize>,
    pub(super) evaluation: Option<Judgement>,
    pub(super) decision: Option<Decision>,
    /// After which round the debate ended early, and why.
    pub(super) ended_early: Option<(u32, &'static str)>,
    /// Rounds held.
    pub(super) rounds: u32,
    revisions: u32,
    has_gathered: bool,
    detector: Option<Detector>,
    pub(super) trickster: Option<Trickster>,
    /// The proposals after each step that changed them, oldest first.
    pub(super) history: Vec<Vec<(String, String)>>,
    /// By seat: how sure it is that its proposal is final, where it says so.
    ready: BTreeMap<usize, Option<f64>>,
    /// After which round revisions ended before their time.
    revised: Option<u32>,
    /// What evidence cited in votes adds to proposals.
    bonuses: BTreeMap<String, f64>,
    /// What Byzantine agreement came to last.
    agreement: Option<Verdict>,
    /// The weight of each proposal in each round of votes.
    counts: Vec<BTreeMap<String, f64>>,
    /// Rounds of votes in a row that changed nothing.
    unchanged: u32,
}

/// What the judge said, and what it means.
#[derive(Debug, Clone)]
pub(super) struct Judgement {
    pub(super) evaluation: Evaluation,
    pub(super) points: Vec<Points>,
    pub(super) conclusive: bool,
}

impl Debate {
    pub(super) fn new(arena: Arena) -> Self {
        Self {
            detector: arena.settings.convergence.map(Detector::new),
            trickster: arena.settings.trickster.map(Trickster::new),
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
            revised: None,
            bonuses: BTreeMap::new(),
            agreement: None,
            counts: Vec::new(),
            unchanged: 0,
            has_gathered: false,
        }
    }

    /// Holds a step of the schedule.
    pub(super) async fn hold(&mut self, step: Round) {
        let Round {
            number,
            kind,
            converge,
        } = step;
        self.rounds = self.rounds.max(number);
        self.arena.tell(
            Audience::Everybody,
            &Event::RoundBegan {
                round: number,
                kind: kind.name().to_owned(),
            },
        );
        self.see_who_rests(number);
        if matches!(kind, RoundKind::Refine | RoundKind::Vote) {
            self.lay(number);
        }
        match kind {
            RoundKind::Context => self.gather_context(number).await,
            RoundKind::Propose => self.propose(number).await,
            RoundKind::Critique => self.critique(number).await,
            RoundKind::Revise => {
                if self.revisions > 0 && self.arena.settings.recritique && !self.has_critiques_of(number) {
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
            self.compare(number).await;
        } else {
            self.compared = self.current();
        }
        if matches!(kind, RoundKind::Propose | RoundKind::Revise | RoundKind::Refine) {
            self.history.push(self.current());
        }
    }

    /// Who has failed too often is left alone for a while.
    fn see_who_rests(&self, round: u32) {
        for (seat, state) in self.arena.rests.turn_to(round) {
            self.arena.tell(
                Audience::Owner,
                &Event::Circuit {
                    round,
                    seat: self.arena.name(seat).to_owned(),
                    state,
                },
            );
        }
    }

    /// All are asked about all proposals: whoever had not seen them sees them now.
    fn lay(&self, round: u32) {
        if !self.arena.is_sparse() {
            return;
        }
        let laid = |standing: &ProposalState| {
            let name = self.arena.name(standing.seat).to_owned();
            (name, standing.version, standing.text.clone())
        };
        let proposals = self.proposals.iter().map(laid).collect();
        self.arena
            .tell(self.arena.all_but_judges(), &Event::Laid { round, proposals });
    }

    fn shown(&self, standing: &ProposalState) -> Proposal {
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
        self.arena.tell(
            Audience::Everybody,
            &Event::EndedEarly {
                round,
                reason: reason.to_owned(),
            },
        );
        self.ended_early = Some((round, reason));
    }
}

/// Any text that says something besides that it is ready.
fn new_version(answer: &Answer) -> Reading<usize> {
    length(&without_ready(answer.text()))
}

/// Any text that says something.
fn whole_text(answer: &Answer) -> Reading<usize> {
    length(answer.text())
}

fn length(text: &str) -> Reading<usize> {
    match text.trim() {
        "" => Reading::unread(Reason::EmptyResponse),
        text => Reading::read(text.chars().count(), How::Length),
    }
}
