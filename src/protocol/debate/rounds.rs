//! The rounds of a debate, one function each, as the schedule names them.

use super::arena::{Arena, Inquiry, Made, Standing, at_once};
use super::event::Event;
use super::prompts;
use super::rules::consensus::{Decision, Mode, Ties, Verdict, decide};
use super::rules::convergence::{Check, Detector, Status};
use super::rules::judging::{JudgeCandidate, Points, is_conclusive, points, select, verdict};
use super::rules::rhetoric;
use super::rules::similarity::{Measure, lexical};
use super::rules::tally::{Ballot, Cast, Votes};
use super::rules::topology::{Topology, adapted, critics};
use super::rules::trickster::{Challenge, Trickster};
use super::settings::{Role, Round, RoundKind};
use crate::parse::judge::Evaluation;
use crate::parse::{How, Reading, Reason, critique, judge, vote};
use crate::seat::facts::debate::{Objection, Proposal};
use crate::session::ask::AskKind;

/// Critiques that a revision is shown at most.
const MOST_CRITIQUES: usize = 6;
/// Proposals as alike as this, on average, are looked at by the trickster.
const ALIKE: f64 = 0.5;

/// A debate under way.
pub(super) struct Debate {
    pub(super) arena: Arena,
    /// By proposer, in configuration order.
    pub(super) proposals: Vec<Standing>,
    /// The proposals as the step before left them.
    compared: Vec<(String, String)>,
    pub(super) critiques: Vec<Made>,
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
    detector: Option<Detector>,
    pub(super) trickster: Option<Trickster>,
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
        self.arena.tell(&Event::RoundBegan {
            round: number,
            kind: kind.name().to_owned(),
        });
        match kind {
            RoundKind::Context => self.gather_context(),
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
            self.compare(number);
        } else {
            self.compared = self.current();
        }
    }

    fn gather_context(&self) {
        let sources = self.arena.settings.context.iter();
        self.arena.tell(&Event::Gathered {
            sources: sources.map(|source| source.title.clone()).collect(),
        });
    }

    /// Round 1: each proposer answers the question alone.
    async fn propose(&mut self, round: u32) {
        let arena = &self.arena;
        let proposers = arena.with_role(|role| matches!(role, Role::Proposer | Role::Synthesizer));
        let asks = proposers.iter().map(|&seat| {
            let inquiry = Inquiry {
                seat,
                round,
                kind: Some(AskKind::Proposal),
                ..Inquiry::default()
            };
            arena.ask(inquiry, prompts::proposal, whole_text)
        });
        let texts = at_once(arena.settings.at_once.proposals, asks.collect()).await;
        for (seat, text) in proposers.into_iter().zip(texts) {
            if let Some((_, text)) = text {
                self.proposals.push(Standing {
                    seat,
                    text,
                    version: 0,
                });
                self.proposed(round, seat, None);
            }
        }
        match self.proposals.len() {
            0 => self.end_early(round, "no_proposals"),
            1 => self.end_early(round, "one_proposal"),
            _ => {}
        }
    }

    /// Takes a new version of a proposal, or the first, and tells of it.
    fn proposed(&mut self, round: u32, seat: usize, text: Option<String>) {
        let Some(standing) = self.proposals.iter_mut().find(|standing| standing.seat == seat) else {
            return;
        };
        standing.version += 1;
        if let Some(text) = text {
            standing.text = text;
        }
        let name = self.arena.name(seat).to_owned();
        self.arena.tell(&Event::Proposed {
            round,
            seat: name.clone(),
            version: standing.version,
            text: standing.text.clone(),
        });
        if !self.arena.settings.observer {
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
        self.arena.tell(&Event::Observed {
            round,
            seat: name.clone(),
            patterns: patterns.clone(),
        });
        self.observed
            .extend(patterns.into_iter().map(|pattern| (name.clone(), pattern)));
    }

    fn has_critiques_of(&self, round: u32) -> bool {
        self.critiques.iter().any(|made| made.round == round)
    }

    /// Round 2, and before later revisions: the others criticise each proposal.
    async fn critique(&mut self, round: u32) {
        let arena = &self.arena;
        let settings = &arena.settings;
        let critics_at_table: Vec<String> = arena
            .with_role(|role| role != Role::Judge)
            .into_iter()
            .map(|seat| arena.name(seat).to_owned())
            .collect();
        let topology = match settings.topology {
            Topology::Adaptive => match self.checks.last() {
                Some(check) => adapted(
                    check.inter_agent.mean,
                    check.status == Status::Diverging,
                    check.status == Status::Converged,
                ),
                None => Topology::AllToAll,
            },
            other => other,
        };
        let mut pairs = Vec::new();
        for standing in &self.proposals {
            let target = arena.name(standing.seat);
            let chosen = critics(
                topology,
                &critics_at_table,
                target,
                settings.sparsity,
                settings.hub.as_deref(),
            );
            let seats = chosen
                .iter()
                .filter_map(|name| arena.names.iter().position(|known| known == name));
            pairs.extend(seats.map(|critic| (critic, standing)));
        }
        let asks = pairs.iter().map(|&(critic, standing)| {
            let language = settings.debaters[critic].seat.language;
            let label = arena.name(standing.seat).to_owned();
            let inquiry = Inquiry {
                seat: critic,
                round,
                kind: Some(AskKind::Critique),
                about: label.clone(),
                proposals: vec![Proposal {
                    label,
                    text: standing.text.clone(),
                }],
                ..Inquiry::default()
            };
            arena.ask(inquiry, prompts::critique, move |text| {
                critique::critique(text, language)
            })
        });
        let found = at_once(settings.at_once.critiques, asks.collect()).await;
        let made: Vec<Made> = pairs
            .iter()
            .zip(found)
            .filter_map(|(&(critic, standing), critique)| {
                let (critique, _) = critique.filter(|(critique, _)| !critique.is_empty())?;
                Some(Made {
                    round,
                    critic,
                    target: standing.seat,
                    critique,
                })
            })
            .collect();
        for made in &made {
            arena.tell(&Event::Criticised {
                round,
                seat: arena.name(made.critic).to_owned(),
                target: arena.name(made.target).to_owned(),
                critique: made.critique.clone(),
            });
        }
        self.critiques.extend(made);
    }

    /// The critiques that a revision is shown: of the latest round that has any first, then older ones.
    fn objections(&self, target: usize) -> Vec<Objection> {
        let own = self.critiques.iter().rev().filter(|made| made.target == target);
        let objection = |made: &Made| Objection {
            critic: self.arena.name(made.critic).to_owned(),
            severity: made.critique.severity,
            issues: made.critique.issues.clone(),
            suggestions: made.critique.suggestions.clone(),
        };
        own.take(MOST_CRITIQUES).map(objection).collect()
    }

    /// Rounds 3 to 5: who was criticised revises.
    async fn revise(&mut self, round: u32) {
        let arena = &self.arena;
        let criticised: Vec<(&Standing, Vec<Objection>)> = self
            .proposals
            .iter()
            .map(|standing| (standing, self.objections(standing.seat)))
            .filter(|(_, objections)| !objections.is_empty())
            .collect();
        let asks = criticised.into_iter().map(|(standing, critiques)| {
            let inquiry = Inquiry {
                seat: standing.seat,
                round,
                kind: Some(AskKind::Revision),
                own: Some(standing.text.clone()),
                critiques,
                challenge: self.challenge_for(standing.seat, round),
                ..Inquiry::default()
            };
            let seat = standing.seat;
            async move {
                let said = arena.ask(inquiry, prompts::revision, whole_text).await;
                (seat, said.map(|(_, text)| text))
            }
        });
        let texts = at_once(arena.settings.at_once.revisions, asks.collect()).await;
        self.take_versions(round, texts);
    }

    /// Round 6: each proposal takes up what the others have that is better.
    async fn refine(&mut self, round: u32) {
        let arena = &self.arena;
        let asks = self.proposals.iter().map(|standing| {
            let others = self.proposals.iter().filter(|other| other.seat != standing.seat);
            let inquiry = Inquiry {
                seat: standing.seat,
                round,
                kind: Some(AskKind::Refinement),
                own: Some(standing.text.clone()),
                proposals: others.map(|other| self.shown(other)).collect(),
                critiques: self.objections(standing.seat),
                challenge: self.challenge_for(standing.seat, round),
                ..Inquiry::default()
            };
            let seat = standing.seat;
            async move {
                let said = arena.ask(inquiry, prompts::refinement, whole_text).await;
                (seat, said.map(|(_, text)| text))
            }
        });
        let texts = at_once(arena.settings.at_once.revisions, asks.collect()).await;
        self.take_versions(round, texts);
    }

    /// A revision that failed leaves the proposal as it was.
    fn take_versions(&mut self, round: u32, texts: Vec<(usize, Option<String>)>) {
        for (seat, text) in texts {
            if text.is_some() {
                self.proposed(round, seat, text);
            }
        }
    }

    fn shown(&self, standing: &Standing) -> Proposal {
        Proposal {
            label: self.arena.name(standing.seat).to_owned(),
            text: standing.text.clone(),
        }
    }

    /// The challenge of the round before, in the words of its target.
    fn challenge_for(&self, seat: usize, round: u32) -> Option<String> {
        let challenge = self
            .challenges
            .last()
            .filter(|challenge| challenge.round + 1 == round)?;
        let name = self.arena.name(seat);
        let is_target = challenge.targets.iter().any(|target| target == name);
        is_target.then(|| prompts::challenge(self.arena.words(seat), challenge, name))
    }

    fn current(&self) -> Vec<(String, String)> {
        let named = |standing: &Standing| (self.arena.name(standing.seat).to_owned(), standing.text.clone());
        self.proposals.iter().map(named).collect()
    }

    /// After rounds 3 to 5: proposals that have become one end the debate, unless the trickster objects.
    fn compare(&mut self, round: u32) {
        let current = self.current();
        let before = std::mem::replace(&mut self.compared, current.clone());
        let Some(detector) = self.detector.as_mut() else {
            return;
        };
        let similarity = |a: &str, b: &str| lexical(a, b).value;
        let Some(check) = detector.check(
            round,
            &pairs(&current),
            &pairs(&before),
            Measure::Tfidf,
            &similarity,
        ) else {
            return;
        };
        self.arena.tell(&Event::Compared(check.clone()));
        let converged = check.status == Status::Converged;
        let mean = check.inter_agent.mean;
        self.checks.push(check);
        let year = self.newest_year();
        let language = self.arena.settings.language;
        let challenge = match self.trickster.as_mut() {
            Some(trickster) if mean > ALIKE => trickster.look(&pairs(&current), mean, round, language, year),
            _ => None,
        };
        let is_blocked = challenge.as_ref().is_some_and(|challenge| challenge.blocks);
        if let Some(challenge) = challenge {
            self.arena.tell(&Event::Challenged(challenge.clone()));
            self.challenges.push(challenge);
        }
        if converged && !is_blocked {
            self.end_early(round, "converged");
        }
    }

    /// What "recent" is measured from: the newest year that anybody names, since there is no clock.
    fn newest_year(&self) -> i32 {
        let texts = self.proposals.iter().map(|standing| standing.text.as_str());
        let sources = self
            .arena
            .settings
            .context
            .iter()
            .map(|source| source.text.as_str());
        let years = texts.chain(sources).flat_map(years);
        years.max().unwrap_or(2000)
    }

    /// Round 7: all but judges vote for a proposal.
    async fn vote(&mut self, round: u32) {
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
    fn count(&mut self, round: u32, verdict: Option<&Verdict>) {
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
            ratings: arena.settings.ratings.clone(),
        };
        let decision = decide(&votes, &arena.settings.rules, &ties, verdict);
        arena.tell(&Event::Counted {
            round,
            decision: decision.clone(),
        });
        self.decision = Some(decision);
    }

    /// Round 8: one judge, who does not see whose proposal is whose, scores, ranks and sums up.
    async fn judge(&mut self, round: u32) {
        let judge = match self.judge {
            Some(judge) => judge,
            None => match self.select_judge() {
                Some(judge) => judge,
                None => return,
            },
        };
        self.judge = Some(judge);
        let mut order: Vec<usize> = (0..self.proposals.len()).collect();
        let order = self
            .arena
            .draw(&format!("round {round}: order for the judge"), |random| {
                random.shuffle(&mut order);
                order
            });
        let arena = &self.arena;
        let words = arena.words(judge);
        let labels: Vec<(String, String)> = (1..)
            .zip(&order)
            .map(|(number, &place)| {
                let proposer = arena.name(self.proposals[place].seat).to_owned();
                (prompts::blind_label(words, number), proposer)
            })
            .collect();
        arena.tell(&Event::JudgeSelected {
            seat: arena.name(judge).to_owned(),
            order: labels.iter().map(|(_, proposer)| proposer.clone()).collect(),
        });
        let shown = order.iter().zip(&labels).map(|(&place, (label, _))| Proposal {
            label: label.clone(),
            text: self.proposals[place].text.clone(),
        });
        let language = arena.settings.debaters[judge].seat.language;
        let inquiry = Inquiry {
            seat: judge,
            round,
            kind: Some(AskKind::Judgement),
            proposals: shown.collect(),
            ..Inquiry::default()
        };
        let known: Vec<&str> = labels.iter().map(|(label, _)| label.as_str()).collect();
        let evaluation = arena
            .ask(inquiry, prompts::judge, |text| {
                judge::judge(text, language, &known)
            })
            .await;
        let Some((evaluation, _)) = evaluation else {
            self.evaluation = None;
            self.count(round, None);
            return;
        };
        let points = points(&[&evaluation], &labels);
        let agreed = self.decision.as_ref().is_some_and(Decision::reached);
        let conclusive = is_conclusive(&evaluation, &points, agreed, false);
        let verdict = verdict(&evaluation, &points, &labels);
        arena.tell(&Event::Judged {
            round,
            seat: arena.name(judge).to_owned(),
            evaluation: evaluation.clone(),
            points: points.clone(),
            conclusive,
        });
        self.evaluation = Some(Judgement {
            evaluation,
            points,
            conclusive,
        });
        let decides = self.arena.settings.rules.mode == Mode::Judge;
        self.count(round, Some(&verdict).filter(|_| decides));
    }

    fn select_judge(&self) -> Option<usize> {
        let arena = &self.arena;
        let judges = arena.with_role(|role| role == Role::Judge);
        if let Some(judge) = judges.first() {
            return Some(*judge);
        }
        let candidates: Vec<JudgeCandidate> = arena
            .settings
            .debaters
            .iter()
            .enumerate()
            .map(|(seat, debater)| JudgeCandidate {
                name: debater.seat.name.clone(),
                is_proposer: self.proposals.iter().any(|standing| standing.seat == seat),
                is_synthesizer: debater.role == Role::Synthesizer,
                available: true,
                elo: arena.settings.ratings.get(&debater.seat.name).copied(),
                calibration: 0.0,
            })
            .collect();
        let drawn = arena.draw("judge", |random| random.choice(candidates.len()));
        select(&candidates, arena.settings.judge_selection, drawn, &[])
    }

    pub(super) fn end_early(&mut self, round: u32, reason: &'static str) {
        self.arena.tell(&Event::EndedEarly {
            round,
            reason: reason.to_owned(),
        });
        self.ended_early = Some((round, reason));
    }
}

fn pairs(named: &[(String, String)]) -> Vec<(&str, &str)> {
    named
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

/// Any text that says something.
fn whole_text(text: &str) -> Reading<usize> {
    match text.trim() {
        "" => Reading::unread(Reason::EmptyResponse),
        text => Reading::read(text.chars().count(), How::Length),
    }
}

/// The years from 1900 to 2099 that a text names.
fn years(text: &str) -> impl Iterator<Item = i32> {
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    numbers.filter(|number| number.len() == 4).filter_map(|number| {
        let year = number.parse().ok()?;
        (1900..2100).contains(&year).then_some(year)
    })
}
