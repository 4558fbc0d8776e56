//! View of a debate: a section per round with a card per proposal (critiques, revision), followed by
//! similarity, votes and the judge's evaluation. Visibility follows topology and blindness, as set when
//! events are emitted.

mod items;
mod results;

use super::asks;
use super::event::Event;
use super::rules::consensus::Decision;
use super::rules::convergence::ConvergenceStatus;
use super::rules::tally::{Ballot, Cast};
use super::settings;
use super::settings::SPEC;
use super::settings::schedule::{RoundKind, nine_rounds};
use crate::core::ask::Ask;
use crate::core::block::Block;
use crate::core::data::Data;
use crate::core::record::Entry;
use crate::core::view::{ItemData, ItemMeta, Reducer, Section, Step, Transcript, TypedData, ViewSpec};
use crate::core::visibility::Publication;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::procedures::spec::config_reader::ConfigReader;
use crate::procedures::view::{agents, published};
use crate::seat::SeatKind;
use items::{
    Alike, Card, ChallengeItem, CritiqueItem, Debater, EarlyEnd, FailureItem, Judge, JudgementItem, Material,
    Moment, ProposalStanding, ProposalsItem, Version, Vote, VoteItem, Voter,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;

static TEXTS: Texts = Texts::new(in_each_language!("words/view"));

pub(super) const VIEW: ViewSpec = ViewSpec {
    public: Publication {
        config: |config, _| {
            let mut public = published(
                config,
                &["title", "protocol", "language", "question", "consensus"],
            );
            let summary = DebateSummary::of(config);
            public["schedule"] = json!(summary.schedule);
            public["convergence_threshold"] = json!(summary.convergence_at);
            public["divergence_threshold"] = json!(summary.divergence_at);
            public["agents"] = agents(config, &["role", "language"]);
            public
        },
        result: |result, _, _| {
            // Failures are visible to the seats concerned only, and critiques to their audience.
            let keys = [
                "question",
                "status",
                "consensus_reached",
                "confidence",
                "consensus_strength",
                "decided_by",
                "winner",
                "final_answer",
                "rounds_used",
                "participants",
                "judge",
                "proposals",
                "dissenting",
                "votes",
                "decision",
                "evaluation",
                "points",
                "match_scores",
                "rhetoric",
            ];
            let mut public = published(result, &keys);
            let mut disagreement =
                published(&result["disagreement"], &["agreement", "with_winner", "splits"]);
            disagreement["unanimous"] = json!([]);
            disagreement["risks"] = json!([]);
            public["disagreement"] = disagreement;
            public["agent_failures"] = json!([]);
            public
        },
    },
    texts: &[&TEXTS],
    wording: |_| None,
    reducer: |config| Box::new(DebateSummary::of(config)),
    outcome,
};

fn outcome(result: &Value, words: &Words) -> String {
    let text = |key: &str| result[key].as_str().unwrap_or_default();
    let (name, decided_by) = (text("winner"), text("decided_by"));
    let has_won = result["consensus_reached"] == true || decided_by == "judge";
    let mode = words.text(&format!("decided_by.{decided_by}"), &[]);
    match text("status") {
        "converged" => words.text("outcome.converged", &[("name", &name)]),
        "failed" => words.text("outcome.failed", &[]),
        "insufficient_participation" => words.text("outcome.insufficient_participation", &[]),
        _ if name.is_empty() => words.text("outcome.none", &[]),
        _ if has_won => words.text("outcome.won", &[("name", &name), ("mode", &mode)]),
        _ => words.text("outcome.leads", &[("name", &name)]),
    }
}

/// A step of the schedule.
#[derive(Debug, Clone, Serialize)]
struct Planned {
    number: u32,
    kind: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DebateSummary {
    question: String,
    schedule: Vec<Planned>,
    /// Current round and its kind.
    round: Option<u32>,
    round_kind: Option<String>,
    convergence_at: f64,
    divergence_at: f64,
    judge: Option<String>,
    early: Option<EarlyEnd>,
}

impl DebateSummary {
    fn of(config: &Value) -> Self {
        let settings = settings::check(config).ok().map(|checked| checked.settings);
        let schedule = match config["schedule"].as_array() {
            // Published configurations contain the full schedule.
            Some(rounds) if settings.is_none() => {
                let planned = |round: &Value| {
                    let kind = round["kind"].as_str()?;
                    let (name, _) = RoundKind::ALL.iter().find(|(name, _)| *name == kind)?;
                    Some(Planned {
                        number: round["number"].as_u64()? as u32,
                        kind: name,
                    })
                };
                rounds.iter().filter_map(planned).collect()
            }
            _ => {
                let schedule = settings.map_or_else(nine_rounds, |settings| settings.schedule);
                let planned = |round: super::settings::schedule::Round| Planned {
                    number: round.number,
                    kind: round.kind.name(),
                };
                schedule.into_iter().map(planned).collect()
            }
        };
        let top = ConfigReader::unchecked(config, SPEC.settings);
        Self {
            question: top.text("question").to_owned(),
            schedule,
            round: None,
            round_kind: None,
            convergence_at: top.number("convergence_threshold"),
            divergence_at: top.number("divergence_threshold"),
            judge: None,
            early: None,
        }
    }

    fn current_round(&self) -> u32 {
        self.round.unwrap_or_default()
    }

    fn start_round(&mut self, transcript: &mut Transcript, round: u32, kind: String) {
        close_cards(transcript);
        let key = section(transcript, round);
        let kinds = &mut transcript.section(&key, 0, "round", 0).kinds;
        if !kinds.contains(&kind) {
            kinds.push(kind.clone());
        }
        if let Some(step) = ["revise", "refine"].into_iter().find(|step| *step == kind) {
            // Each proposal has a card, changed or not.
            let has_proposal = |debater: &Debater| !debater.versions.is_empty();
            let people = transcript.people.iter();
            let seats: Vec<String> = people
                .filter(|person| person.get::<Debater>().is_some_and(has_proposal))
                .map(|person| person.name.clone())
                .collect();
            for seat in seats {
                card(transcript, round, &seat, |_, card| card.step = step);
            }
        }
        (self.round, self.round_kind) = (Some(round), Some(kind));
    }

    fn record_count(&self, transcript: &mut Transcript, round: u32, decision: Decision, entry: &Entry) {
        if self.round_kind.as_deref() == Some(RoundKind::Judge.name()) {
            transcript.change(&format!("judge/{round}"), |meta, shown: &mut Judge| {
                shown.decision = Some(decision);
                meta.done = true;
            });
            return;
        }
        let key = format!("vote/{round}");
        vote(transcript, round, |meta, shown| {
            shown.decision = Some(decision);
            meta.complete(entry);
        });
        transcript.unseal(&key);
    }

    fn record_failure(
        &self,
        transcript: &mut Transcript,
        round: u32,
        failed: FailureItem,
        about: &str,
        entry: &Entry,
    ) {
        let (card_key, critique_key) = (
            format!("card/{round}/{}", failed.seat),
            critique_key(round, about, &failed.seat),
        );
        let (vote_key, judge_key) = (format!("vote/{round}"), format!("judge/{round}"));
        let failure = failed.clone();
        let found = match failed.kind.as_str() {
            asks::CRITIQUE => transcript.change(&critique_key, |meta, critique: &mut CritiqueItem| {
                critique.failed = Some(failure.reason);
                meta.done = true;
            }),
            asks::VOTE => transcript.change(&vote_key, |_, vote: &mut Vote| vote.failures.push(failure)),
            asks::JUDGEMENT => {
                transcript.change(&judge_key, |_, judge: &mut Judge| judge.failures.push(failure))
            }
            _ => transcript.change(&card_key, |meta, card: &mut Card| {
                card.failures.push(failure);
                meta.done = true;
            }),
        };
        if found.is_none() {
            let key = format!("failed/{}", entry.seq);
            show_item(transcript, round, &key, |meta, shown: &mut FailureItem| {
                meta.complete(entry);
                *shown = failed;
            });
        }
    }
}

/// Marks open cards as over: their pending answers are no longer expected when the next step starts.
fn close_cards(transcript: &mut Transcript) {
    let open = transcript.items().iter().filter(|item| !item.face.done);
    let open = open.filter(|item| item.get::<Card>().is_some_and(|card| !card.over));
    let keys: Vec<String> = open.map(|item| item.face.key.clone()).collect();
    for key in keys {
        transcript.change(&key, |_, card: &mut Card| card.over = true);
    }
}

fn section(transcript: &mut Transcript, round: u32) -> String {
    let key = format!("1/round/{round}");
    transcript.section(&key, u64::from(round), "round", round);
    key
}

/// Shows an item in a round, sorted: cards in the order of the table, then items about all proposals.
fn show_item<T: TypedData>(
    transcript: &mut Transcript,
    round: u32,
    key: &str,
    change: impl FnOnce(&mut ItemMeta, &mut T),
) {
    let home = section(transcript, round);
    let is_new = transcript.item(key).is_none();
    transcript.show(&home, key, change);
    if !is_new {
        return;
    }
    let mut keys = transcript.section(&home, 0, "round", 0).items.clone();
    keys.sort_by_key(|key| sort_key(transcript, key));
    transcript.section(&home, 0, "round", 0).items = keys;
}

/// Returns the place of an item, then of its author and of its critic.
fn sort_key(transcript: &Transcript, key: &str) -> (usize, usize, usize) {
    let Some(item) = transcript.item(key) else {
        return (0, 0, 0);
    };
    let index = |name: &str| {
        let person = transcript.find_person(name);
        person.map_or(usize::MAX, |person| person.index)
    };
    if let Some(card) = item.get::<Card>() {
        return (1, index(&card.seat), 0);
    }
    if let Some(critique) = item.get::<CritiqueItem>() {
        return (
            1,
            index(&critique.target),
            index(&critique.seat).saturating_add(1),
        );
    }
    let place = match item.kind() {
        "context" | "laid" => 0,
        "check" => 3,
        "challenge" => 4,
        "vote" => 5,
        "judge" => 6,
        "moment" => 7,
        "early" => 8,
        _ => 2,
    };
    (place, 0, 0)
}

/// Changes the card of a proposal in a round.
fn card(transcript: &mut Transcript, round: u32, seat: &str, change: impl FnOnce(&mut ItemMeta, &mut Card)) {
    let person = transcript
        .find_person(seat)
        .and_then(|person| person.get::<Debater>());
    let standing = person.and_then(|debater| debater.versions.last().cloned());
    show_item(
        transcript,
        round,
        &format!("card/{round}/{seat}"),
        |meta, card: &mut Card| {
            if card.seat.is_empty() {
                (card.round, card.seat, card.step) = (round, seat.to_owned(), "critique");
            }
            card.standing = card.standing.take().or(standing);
            change(meta, card);
        },
    );
}

fn vote(transcript: &mut Transcript, round: u32, change: impl FnOnce(&mut ItemMeta, &mut Vote)) {
    show_item(
        transcript,
        round,
        &format!("vote/{round}"),
        |meta, vote: &mut Vote| {
            vote.round = round;
            change(meta, vote);
        },
    );
}

/// Changes a line in a round; `place` distinguishes several of one kind.
fn moment(
    transcript: &mut Transcript,
    round: u32,
    kind: &str,
    place: u64,
    change: impl FnOnce(&mut ItemMeta, &mut Moment),
) -> String {
    let key = format!("moment/{round}/{kind}/{place}");
    show_item(transcript, round, &key, |meta, moment: &mut Moment| {
        moment.round = round;
        change(meta, moment);
    });
    key
}

fn critique_key(round: u32, target: &str, critic: &str) -> String {
    format!("critique/{round}/{target}/{critic}")
}

/// Changes a critique below the card of its proposal.
fn critique(
    transcript: &mut Transcript,
    round: u32,
    target: &str,
    critic: &str,
    change: impl FnOnce(&mut ItemMeta, &mut CritiqueItem),
) {
    card(transcript, round, target, |_, _| {});
    let key = critique_key(round, target, critic);
    show_item(transcript, round, &key, |meta, critique: &mut CritiqueItem| {
        (critique.round, critique.seat, critique.target) = (round, critic.to_owned(), target.to_owned());
        change(meta, critique);
    });
}

/// Returns the author of the criticised proposal, from the id between kind and critic.
fn target(ask: &Ask, round: u32) -> &str {
    let inner = ask.id.strip_prefix(&format!("round/{round}/critique/"));
    let inner = inner.and_then(|rest| rest.strip_suffix(&format!("/{}#{}", ask.seat, ask.attempt)));
    inner.unwrap_or_default()
}

/// Returns the event that reports the answers to a yes/no question.
fn answers_event(kind: &str) -> Option<&'static str> {
    Some(match kind {
        asks::POLL => "polled",
        asks::TERMINATION => "settled",
        asks::PREPARE => "prepared",
        asks::COMMIT => "committed",
        _ => return None,
    })
}

/// Lists the ballots with the reasons from the voters' answers.
fn list_votes(transcript: &Transcript, round: u32, ballots: Vec<Ballot>) -> Vec<VoteItem> {
    let shown = transcript
        .item(&format!("vote/{round}"))
        .and_then(|item| item.get::<Vote>());
    let read = |seat: &str| {
        let voter = shown?.members.iter().find(|voter| voter.seat == seat)?;
        let readings = voter
            .ballots
            .iter()
            .filter_map(|id| transcript.ask(id)?.log.reading.as_ref());
        readings
            .map(|reading| &reading["value"])
            .rfind(|value| !value.is_null())
    };
    let row = |ballot: Ballot| {
        let read = read(&ballot.voter).unwrap_or(&Value::Null);
        let (choice, state) = match ballot.cast {
            Cast::For(choice) => (Some(choice), "cast"),
            Cast::Abstained => (None, "abstained"),
            Cast::Failed => (None, "failed"),
        };
        VoteItem {
            choice,
            confidence: ballot.confidence,
            reasoning: read["reasoning"].as_str().unwrap_or_default().to_owned(),
            words: read.get("words").cloned(),
            seat: ballot.voter,
            state,
        }
    };
    ballots.into_iter().map(row).collect()
}

impl Reducer for DebateSummary {
    fn person(&self, agent: &Value) -> Box<dyn ItemData> {
        let text = |key: &str, or: &str| agent[key].as_str().unwrap_or(or).to_owned();
        Box::new(Debater {
            role: text("role", "proposer"),
            stance: text("stance", "neutral"),
            ..Debater::default()
        })
    }

    fn event(&mut self, transcript: &mut Transcript, event: &Data, entry: &Entry) {
        let Ok(event) = event.read() else {
            return;
        };
        match event {
            Event::RoundBegan { round, kind } => self.start_round(transcript, round, kind),
            Event::Gathered { sources } => {
                let round = self.current_round();
                show_item(
                    transcript,
                    round,
                    &format!("context/{round}"),
                    |meta, shown: &mut Material| {
                        meta.complete(entry);
                        shown.sources = sources;
                    },
                );
            }
            Event::Proposed {
                round,
                seat,
                version,
                text,
            } => {
                let before = transcript.person_as::<Debater>(&seat).and_then(|debater| {
                    debater.edition = version;
                    let new = Version {
                        round,
                        version,
                        text: text.clone(),
                    };
                    debater.versions.push(new);
                    let place = debater.versions.len().checked_sub(2)?;
                    debater.versions.get(place).cloned()
                });
                card(transcript, round, &seat, |meta, card| {
                    meta.complete(entry);
                    (card.edition, card.text, card.before) = (Some(version), text, before);
                });
            }
            Event::Criticised {
                round,
                seat,
                target,
                critique: given,
            } => {
                critique(transcript, round, &target, &seat, |meta, critique| {
                    meta.complete(entry);
                    critique.critique = Some(given);
                });
                card(transcript, round, &target, |meta, card| {
                    if card.step == "critique" {
                        meta.complete(entry);
                    }
                });
            }
            Event::Compared(check) => {
                let round = check.round;
                let before = transcript
                    .items()
                    .iter()
                    .rfind(|item| item.get::<Alike>().is_some());
                let before = before.map(|item| item.face.key.clone());
                let checks = before.and_then(|key| {
                    transcript.change(&key, |_, last: &mut Alike| std::mem::take(&mut last.checks))
                });
                show_item(
                    transcript,
                    round,
                    &format!("check/{round}"),
                    |meta, shown: &mut Alike| {
                        meta.complete(entry);
                        shown.checks = checks.unwrap_or_default();
                        shown.checks.push(check.clone());
                        shown.check = Some(check);
                    },
                );
            }
            Event::Novel { round, novelty } => {
                transcript.change(&format!("check/{round}"), |_, shown: &mut Alike| {
                    shown.novelty = Some(novelty)
                });
            }
            Event::Grouped { round, groups } => vote(transcript, round, |_, vote| vote.groups = groups),
            Event::Voted { round, ballots } => {
                let rows = list_votes(transcript, round, ballots);
                vote(transcript, round, |_, vote| vote.votes = rows);
            }
            Event::Counted { round, decision } => self.record_count(transcript, round, decision, entry),
            Event::Challenged(challenge) => {
                let round = challenge.round;
                for target in &challenge.targets {
                    let key = format!("card/{round}/{target}");
                    transcript.change(&key, |_, card: &mut Card| card.challenged = true);
                }
                let check = transcript.item(&format!("check/{round}"));
                let check = check.and_then(|item| item.get::<Alike>()?.check.as_ref());
                let goes_on = check.is_some_and(|check| check.status == ConvergenceStatus::Converged);
                let key = format!("challenge/{}", entry.seq);
                show_item(transcript, round, &key, |meta, shown: &mut ChallengeItem| {
                    meta.complete(entry);
                    (shown.challenge, shown.goes_on) = (Some(challenge), goes_on);
                });
            }
            Event::Observed {
                round,
                seat,
                patterns,
            } => {
                card(transcript, round, &seat, |_, card| card.patterns = patterns);
            }
            Event::JudgeSelected { seat, order } => {
                self.judge = Some(seat.clone());
                let round = self.current_round();
                let is_person = transcript
                    .find_person(&seat)
                    .is_some_and(|person| person.kind == SeatKind::Human.name());
                show_item(
                    transcript,
                    round,
                    &format!("judge/{round}"),
                    |_, judge: &mut Judge| {
                        (judge.round, judge.seat, judge.order) = (round, seat, Some(order));
                        judge.is_person = is_person;
                    },
                );
            }
            Event::Judged {
                round,
                seat,
                evaluation,
                points,
                conclusive,
            } => show_item(
                transcript,
                round,
                &format!("judge/{round}"),
                |meta, judge: &mut Judge| {
                    meta.complete(entry);
                    judge.judged = Some(JudgementItem {
                        round,
                        seat,
                        evaluation,
                        points,
                        conclusive,
                    });
                },
            ),
            Event::Laid { round, proposals } if !transcript.is_owner() => {
                show_item(
                    transcript,
                    round,
                    &format!("laid/{round}/{}", entry.seq),
                    |meta, shown: &mut ProposalsItem| {
                        meta.complete(entry);
                        shown.round = round;
                        let standing = |(seat, version, text)| ProposalStanding { seat, version, text };
                        shown.proposals = proposals.into_iter().map(standing).collect();
                    },
                );
            }
            Event::SeatFailed {
                round,
                seat,
                kind,
                reason,
                about,
            } => self.record_failure(
                transcript,
                round,
                FailureItem { seat, kind, reason },
                &about,
                entry,
            ),
            Event::EndedEarly { round, reason } => {
                let early = EarlyEnd { round, reason };
                close_cards(transcript);
                self.early = Some(early.clone());
                show_item(
                    transcript,
                    round,
                    &format!("early/{round}"),
                    |meta, shown: &mut EarlyEnd| {
                        meta.complete(entry);
                        *shown = early;
                    },
                );
            }
            Event::TeamSelected { ref seats, .. } => {
                for person in &mut transcript.people {
                    let is_judge = person
                        .get::<Debater>()
                        .is_some_and(|debater| debater.role == "judge");
                    person.is_absent = !is_judge && !seats.contains(&person.name);
                }
                let round = self.schedule.first().map_or(0, |planned| planned.number);
                show_moment(transcript, round, "team", 0, event.clone(), entry);
            }
            Event::Laid { .. } => {}
            Event::Ready { round, .. }
            | Event::Polled { round, .. }
            | Event::Settled { round, .. }
            | Event::Stable { round, .. }
            | Event::Circuit { round, .. } => {
                let (kind, place) = match &event {
                    Event::Ready { .. } => ("ready", 0),
                    Event::Polled { .. } => ("polled", 0),
                    Event::Settled { .. } => ("settled", 0),
                    Event::Stable { .. } => ("stable", 0),
                    _ => ("circuit", entry.seq),
                };
                show_moment(transcript, round, kind, place, event, entry);
            }
            Event::Prepared(ref view) => show_moment(
                transcript,
                view.round,
                "prepared",
                view.view as u64,
                event.clone(),
                entry,
            ),
            Event::Committed(ref view) => show_moment(
                transcript,
                view.round,
                "committed",
                view.view as u64,
                event.clone(),
                entry,
            ),
        }
    }

    /// All attempts at a step share one item.
    fn ask_opened(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        let id = ask.id.clone();
        let seat = ask.seat.as_str();
        let round = ask.round.unwrap_or_else(|| self.current_round());
        let key = match ask.kind.name() {
            asks::CRITIQUE => {
                let target = target(ask, round);
                critique(transcript, round, target, seat, |meta, _| meta.asks.push(id));
                critique_key(round, target, seat)
            }
            kind @ (asks::PROPOSAL | asks::REVISION | asks::REFINEMENT) => {
                card(transcript, round, seat, |meta, card| {
                    meta.asks.push(id);
                    card.step = match kind {
                        asks::PROPOSAL => "propose",
                        asks::REVISION => "revise",
                        _ => "refine",
                    };
                });
                format!("card/{round}/{seat}")
            }
            asks::VOTE => {
                vote(transcript, round, |_, vote| {
                    match vote.members.iter_mut().find(|voter| voter.seat == seat) {
                        Some(voter) => voter.ballots.push(id),
                        None => vote.members.push(Voter {
                            seat: seat.to_owned(),
                            ballots: vec![id],
                            asks: Vec::new(),
                            voting: "open",
                        }),
                    }
                });
                format!("vote/{round}")
            }
            asks::JUDGEMENT => {
                let key = format!("judge/{round}");
                show_item(transcript, round, &key, |meta, judge: &mut Judge| {
                    (judge.round, judge.seat) = (round, seat.to_owned());
                    meta.asks.push(id);
                });
                key
            }
            kind => {
                let Some(event) = answers_event(kind) else {
                    return;
                };
                let view = ask
                    .id
                    .split_once("/view ")
                    .and_then(|(_, rest)| rest.split_once('/'));
                let place = view.and_then(|(place, _)| place.parse().ok()).unwrap_or(0);
                moment(transcript, round, event, place, |meta, moment| {
                    moment.kind = Some(kind.to_owned());
                    meta.asks.push(id);
                })
            }
        };
        transcript.place(&ask.id, &key, ask.kind == asks::VOTE);
    }

    fn ask_settled(&mut self, transcript: &mut Transcript, ask: &Rc<Ask>) {
        if ask.kind == asks::VOTE {
            let key = format!("vote/{}", ask.round.unwrap_or_else(|| self.current_round()));
            transcript.change(&key, |_, vote: &mut Vote| {
                let own = vote.members.iter_mut().find(|voter| voter.seat == ask.seat);
                own.into_iter().for_each(|voter| voter.voting = "cast");
            });
        }
    }

    /// Returns `writing`, `criticising`, `voting`, `judging`, `queued` or `failed`.
    fn activity(&self, transcript: &Transcript, name: &str) -> Option<&'static str> {
        let person = transcript.find_person(name)?;
        let debater = person.get::<Debater>()?;
        if !transcript.is_owner() {
            // Calls of other seats are not visible here, so the activity follows from the round.
            let is_judge = debater.role == "judge";
            let is_open = |key: String| transcript.item(&key).is_none_or(|item| !item.face.done);
            let round = self.current_round();
            let is_writing = !is_judge
                && debater.role != "critic"
                && debater.versions.last().is_none_or(|one| one.round < round);
            return match self.round_kind.as_deref()? {
                _ if transcript.run != "running" => None,
                "propose" | "revise" | "refine" => is_writing.then_some("writing"),
                "critique" => (!is_judge).then_some("criticising"),
                "vote" => (!is_judge && is_open(format!("vote/{round}"))).then_some("voting"),
                "judge" => {
                    let is_judging = self.judge.as_deref().map_or(is_judge, |judge| judge == name);
                    (is_judging && is_open(format!("judge/{round}"))).then_some("judging")
                }
                _ => None,
            };
        }
        let mut found = None;
        for asked in person.open.iter().filter_map(|id| transcript.ask(id)) {
            let kind = asked.log.ask.kind.name();
            if matches!(asked.log.state, "failed" | "timed_out") {
                return Some("failed");
            }
            if matches!(kind, asks::VOTE | asks::POLL | asks::PREPARE | asks::COMMIT) {
                return Some("voting");
            }
            found = match (asked.log.state, kind) {
                ("waiting", _) => found.or(Some("queued")),
                (_, asks::CRITIQUE) => Some("criticising"),
                (_, asks::JUDGEMENT | asks::TERMINATION) => Some("judging"),
                _ => Some("writing"),
            };
        }
        found
    }

    fn steps(&self, transcript: &Transcript) -> Vec<Step> {
        let mut rounds: Vec<(u32, Vec<String>)> = Vec::new();
        let begun = transcript
            .sections
            .iter()
            .flat_map(|home| home.kinds.iter().map(|kind| (home.round, kind.as_str())));
        let planned = self.schedule.iter().map(|round| (round.number, round.kind));
        for (number, kind) in planned.chain(begun) {
            match rounds.iter_mut().find(|(known, _)| *known == number) {
                None => rounds.push((number, vec![kind.to_owned()])),
                Some((_, kinds)) if !kinds.iter().any(|known| known == kind) => kinds.push(kind.to_owned()),
                Some(_) => {}
            }
        }
        rounds.sort_by_key(|(number, _)| *number);
        let first = rounds.first().map(|(number, _)| *number);
        let step = |(round, kinds): (u32, Vec<String>)| {
            let sections = || transcript.sections.iter().filter(|home| home.round == round);
            let is_past = self.round.is_some_and(|now| round < now);
            Step {
                step: "round",
                round,
                state: match self.round {
                    Some(now) if now == round && !transcript.has_ended() => "current",
                    _ if sections().any(|home| !home.kinds.is_empty()) => "done",
                    _ if transcript.has_ended() || self.early.is_some() || is_past => "skipped",
                    None if first == Some(round) => "current",
                    _ => "coming",
                },
                key: format!("1/round/{round}"),
                extended: !self.schedule.iter().any(|planned| planned.number == round),
                kinds: Some(kinds),
                ..Step::default()
            }
        };
        rounds.into_iter().map(step).collect()
    }

    fn section_title(&self, section: &Section, words: &Words) -> String {
        let round = words.text("view.round", &[("round", &section.round)]);
        let kinds = section
            .kinds
            .iter()
            .map(|kind| words.text(&format!("kind.{kind}"), &[]));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        if kinds.is_empty() {
            round
        } else {
            format!("{round} · {kinds}")
        }
    }

    fn results(&self, transcript: &Transcript, words: &Words) -> Vec<Block> {
        results::results(&self.question, transcript, words)
    }

    fn details(&self, _transcript: &Transcript) -> Value {
        json!(self)
    }
}

fn show_moment(transcript: &mut Transcript, round: u32, kind: &str, place: u64, event: Event, entry: &Entry) {
    moment(transcript, round, kind, place, |meta, moment| {
        meta.complete(entry);
        moment.event = Some(event);
    });
}
