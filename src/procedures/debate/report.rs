//! Rows for statistics about a debate: outcome, participants, critiques, votes, points and utterances.

use super::asks;
use super::event::{Answered, Event, Group, View};
use super::rules::tally::Tally;
use super::settings;
use super::settings::debaters::Debater;
use crate::core::ask_log::AskLog;
use crate::procedures::report::{
    self, About, Answer, CHARACTERS, CONSENSUS, Column, PlacedEvent, ROLE, ROUNDS, ReportRows, ReportSource,
    Rows, TARGET, WARNINGS, YES, columns, count, decisions, flag, mean, number, text, utterances,
};
use crate::reading::critique::Critique;
use crate::reading::vote::Vote;
use serde_json::Value;
use std::collections::BTreeMap;

type Decision<'a> = report::Decision<'a, Decided<'a>>;
type Utterance<'a> = report::Utterance<'a, Words<'a>>;

const fn share(name: &'static str, meaning: &'static str) -> About {
    number(name, meaning).unit("0 to 1")
}

const fn points(name: &'static str, meaning: &'static str) -> About {
    number(name, meaning).unit("0 to 10")
}

const VOTED: About = text(
    "vote",
    "what was voted; empty: see the reason. other_words: words that name none of the proposals",
)
.values("for abstained other_words");
const STATUSES: &str = "consensus_reached no_consensus insufficient_participation converged failed";

struct Run<'a> {
    config: &'a Value,
    result: &'a Value,
    sheet: &'a Sheet<'a>,
}

impl Run<'_> {
    /// Counts votes of the last round of votes.
    fn votes(&self, is_counted: impl Fn(Option<&Vote>) -> bool) -> usize {
        let votes = || self.sheet.decisions.iter().filter(|row| row.kind == "vote");
        let last = votes().next_back().map(|row| row.place.seq);
        votes()
            .filter(|row| Some(row.place.seq) == last && is_counted(row.value.vote.as_ref()))
            .count()
    }
}

fn run_columns<'a>() -> Vec<Column<Run<'a>>> {
    columns!(row: Run,
        text("question", "what was to be answered") => &row.config["question"],
        text("status", "what the debate came to").values(STATUSES) => &row.result["status"],
        CONSENSUS => &row.result["consensus_reached"],
        share("confidence", "confidence in the outcome; by convergence, the mean likeness of the proposals") => &row.result["confidence"],
        text("consensus_strength", "how strong the consensus is").values("unanimous strong medium weak none") => &row.result["consensus_strength"],
        text("decided_by", "mode of consensus that decided, or convergence") => &row.result["decided_by"],
        text("winner", "whose proposal won, or leads") => &row.result["winner"],
        text("judge", "who judged") => &row.result["judge"],
        ROUNDS => &row.result["rounds_used"],
        count("votes_cast", "votes for a proposal, of the last round of votes") => row.votes(|vote| vote.is_some_and(|vote| vote.choice.is_some())),
        count("votes_abstained", "abstentions in it") => row.votes(|vote| vote.is_some_and(|vote| vote.choice.is_none())),
        count("votes_missing", "votes in it that could not be read or did not come; they are no abstentions") => row.votes(|vote| vote.is_none()),
        share("likeness", "how alike the proposals were at the last check, mean of all pairs")
            => row.sheet.events().rev().find_map(|event| match event { Event::Compared(check) => Some(check.inter_agent.mean), _ => None }),
        text("final_answer", "the answer") => &row.result["final_answer"],
        WARNINGS => row.sheet.events().filter(|event| matches!(event, Event::SeatFailed { .. })).count(),
    )
}

/// A participant with what it did, and what others did about it.
struct Seat<'a> {
    name: &'a str,
    debater: Option<&'a Debater>,
    result: &'a Value,
    sheet: &'a Sheet<'a>,
}

impl<'a> Seat<'a> {
    /// Returns number and text of the last version of the own proposal.
    fn proposal(&self) -> Option<(u32, &'a str)> {
        self.sheet.events().rev().find_map(|event| match event {
            Event::Proposed {
                seat, version, text, ..
            } if seat == self.name => Some((*version, text.as_str())),
            _ => None,
        })
    }

    fn failures(&self) -> usize {
        let is_own = |event: &&Event| matches!(event, Event::SeatFailed { seat, .. } if seat == self.name);
        self.sheet.events().filter(is_own).count()
    }

    fn made(&self, kind: &'static str) -> impl DoubleEndedIterator<Item = &'a Decision<'a>> {
        let all = self.sheet.decisions.iter();
        all.filter(move |row| row.kind == kind && row.is_made && row.seat == self.name)
    }

    fn received(&self, kind: &'static str) -> impl DoubleEndedIterator<Item = &'a Decision<'a>> {
        let all = self.sheet.decisions.iter();
        all.filter(move |row| row.kind == kind && row.is_made && row.value.target == Some(self.name))
    }

    fn voted(&self) -> Option<&'a Decision<'a>> {
        let mut all = self.sheet.decisions.iter();
        all.rfind(|row| row.kind == "vote" && row.seat == self.name)
    }

    fn vote(&self) -> Option<&'a Vote> {
        self.voted()?.value.vote.as_ref()
    }
}

fn severity<'a>(critiques: impl Iterator<Item = &'a Decision<'a>>) -> Option<f64> {
    let known: Vec<f64> = critiques.filter_map(|row| row.value.critique?.severity).collect();
    mean(&known)
}

fn seat_columns<'a>() -> Vec<Column<Seat<'a>>> {
    columns!(row: Seat,
        ROLE => row.debater.map(|debater| debater.role.name()),
        text("stance", "where the participant was told to stand").values("affirmative negative neutral") => row.debater.map(|debater| debater.stance.name()),
        count("proposals", "versions of the own proposal") => row.proposal().map_or(0, |(version, _)| version),
        count("proposal_characters", "length of the last version").unit(CHARACTERS) => row.proposal().map(|(_, text)| text.chars().count()),
        count("critiques_made", "critiques of others' proposals") => row.made("critique").count(),
        points("severity_made", "their mean severity, of those that name one") => severity(row.made("critique")),
        count("critiques_received", "critiques of the own proposal") => row.received("critique").count(),
        points("severity_received", "their mean severity, of those that name one") => severity(row.received("critique")),
        VOTED => row.vote().map(kind_of_vote),
        text("vote_choice", "whose proposal") => row.vote().and_then(|vote| vote.choice.as_deref()),
        share("vote_confidence", "how sure, where it was said") => row.vote().and_then(|vote| vote.confidence),
        text("vote_missing", "why there is no vote, of those who were to vote") => row.voted().and_then(|row| row.missing()),
        count("votes_received", "votes for the own proposal") => row.sheet.received.get(row.name).copied(),
        points("points", "points of the judge") => row.received("judgement").next_back().and_then(|row| row.value.points),
        flag("won", "whether the own proposal won or leads") => (!row.result.is_null()).then(|| row.result["winner"] == row.name),
        count("failures", "questions that brought nothing that could be used") => row.failures(),
    )
}

/// What was decided; absent values do not belong to the kind of decision, or were not given.
#[derive(Default)]
struct Decided<'a> {
    target: Option<&'a str>,
    critique: Option<&'a Critique>,
    vote: Option<Vote>,
    yes: Option<bool>,
    confidence: Option<f64>,
    points: Option<f64>,
}

impl Decided<'_> {
    fn yes(yes: Option<bool>, confidence: Option<f64>) -> Self {
        Self {
            yes,
            confidence,
            ..Self::default()
        }
    }
}

fn kind_of_vote(vote: &Vote) -> &'static str {
    match (&vote.choice, &vote.words) {
        (Some(_), _) => "for",
        (None, Some(_)) => "other_words",
        (None, None) => "abstained",
    }
}

fn decision_columns<'a>() -> Vec<Column<Decision<'a>>> {
    columns!(row: Decision,
        TARGET => row.value.vote.as_ref().map_or(row.value.target, |vote| vote.choice.as_deref()),
        points("severity", "severity of a critique, where it was said") => row.value.critique.and_then(|critique| critique.severity),
        count("issues", "issues that a critique names, 5 at most") => row.value.critique.map(|critique| critique.issues.len()),
        count("suggestions", "suggestions that it makes, 5 at most") => row.value.critique.map(|critique| critique.suggestions.len()),
        VOTED => row.value.vote.as_ref().map(kind_of_vote),
        text("vote_words", "words that name none of the proposals") => row.value.vote.as_ref().and_then(|vote| vote.words.as_deref()),
        YES => row.value.yes,
        share("confidence", "how sure, where it was said") => row.value.confidence,
        points("points", "points of the judge for the target's proposal") => row.value.points,
    )
}

/// What belongs to a text.
#[derive(Default)]
struct Words<'a> {
    target: Option<String>,
    version: Option<u32>,
    critique: Option<&'a Critique>,
}

impl Words<'_> {
    fn about(target: Option<&String>) -> Self {
        Self {
            target: target.cloned(),
            ..Self::default()
        }
    }
}

fn utterance_columns<'a>() -> Vec<Column<Utterance<'a>>> {
    columns!(row: Utterance,
        TARGET => row.value.target.as_deref(),
        count("version", "which version of a proposal, from 1") => row.value.version,
        text("issues", "what is wrong, by a critique, one a line") => row.value.critique.map(|critique| critique.issues.join("\n")),
        text("suggestions", "what would help, by a critique, one a line") => row.value.critique.map(|critique| critique.suggestions.join("\n")),
    )
}

pub(in crate::procedures) fn report(source: &ReportSource) -> ReportRows {
    let events = source.events::<Event>();
    let seated = source.seated();
    let mut sheet = Sheet {
        source,
        events: &events,
        seated: &seated,
        order: &[],
        grouped: &[],
        counted: Vec::new(),
        received: BTreeMap::new(),
        decisions: Vec::new(),
        utterances: Vec::new(),
    };
    events.iter().for_each(|at| sheet.apply(at));
    sheet.add_unanswered();
    let (sheet, result) = (&sheet, &source.result());
    let debaters = settings::check(&source.head.config).map(|checked| checked.settings.debaters);
    let debaters = debaters.unwrap_or_default();
    let seat = |name| Seat {
        name,
        debater: debaters.iter().find(|debater| debater.seat.name == *name),
        result,
        sheet,
    };
    let seats: Vec<Seat> = seated.iter().map(String::as_str).map(seat).collect();
    let run = Run {
        config: &source.head.config,
        result,
        sheet,
    };
    ReportRows {
        run: Rows::of(&run_columns(), &[run]),
        seats: Rows::of(&seat_columns(), &seats),
        decisions: decisions(&sheet.decisions, decision_columns()),
        utterances: utterances(&sheet.utterances, utterance_columns()),
        seated: seated.clone(),
    }
}

struct Sheet<'a> {
    source: &'a ReportSource<'a>,
    events: &'a [PlacedEvent<'a, Event>],
    seated: &'a [String],
    /// Authors in the order of the judge's labels.
    order: &'a [String],
    /// Groups of free-text choices since the last count.
    grouped: &'a [Group],
    /// Rounds with recorded votes.
    counted: Vec<u32>,
    /// Votes for each author's proposal at the last count.
    received: BTreeMap<&'a str, u32>,
    decisions: Vec<Decision<'a>>,
    utterances: Vec<Utterance<'a>>,
}

impl<'a> Sheet<'a> {
    fn events(&self) -> impl DoubleEndedIterator<Item = &'a Event> {
        self.events.iter().map(|at| &at.event)
    }

    fn apply(&mut self, at: &'a PlacedEvent<Event>) {
        let source = self.source;
        let answer = |seat, kind, round: &u32| source.answer(at.place, seat, kind, 1, Some(*round));
        let polled = |kind, ask, round, target, answers: &'a [Answered]| {
            let row = move |answered: &'a Answered| {
                let decided = Decided {
                    target,
                    ..Decided::yes(answered.yes, None)
                };
                answer(&answered.seat, ask, round).decision(kind, answered.yes.is_some(), decided)
            };
            answers.iter().map(row)
        };
        match &at.event {
            Event::Proposed {
                round,
                seat,
                version,
                text,
            } => {
                let answers =
                    [asks::PROPOSAL, asks::REVISION, asks::REFINEMENT].map(|kind| answer(seat, kind, round));
                let found = answers.iter().find(|answer| answer.asked.is_some());
                let words = Words {
                    version: Some(*version),
                    ..Words::default()
                };
                self.add_words(found.unwrap_or(&answers[0]).utterance("proposal", text, words));
            }
            Event::Criticised {
                round,
                seat,
                target,
                critique,
            } => {
                // A critic answers one question per proposal and round; the id contains the author.
                let about = format!("/{target}/{seat}#");
                let of_target = |asked: &&AskLog| {
                    asked.ask.kind.name() == asks::CRITIQUE
                        && asked.seq < at.place.seq
                        && asked.ask.round == Some(*round)
                        && asked.ask.id.contains(&about)
                };
                let answer = Answer {
                    asked: source.asks.all.iter().rfind(of_target),
                    ..answer(seat, asks::CRITIQUE, round)
                };
                let decided = Decided {
                    target: Some(target),
                    critique: Some(critique),
                    ..Decided::default()
                };
                self.decisions.push(answer.decision("critique", true, decided));
                let words = Words {
                    critique: Some(critique),
                    ..Words::about(Some(target))
                };
                self.add_words(answer.utterance("critique", &critique.reasoning, words));
            }
            Event::JudgeSelected { order, .. } => self.order = order,
            Event::Judged {
                round,
                seat,
                evaluation,
                points,
                conclusive,
            } => {
                let answer = answer(seat, asks::JUDGEMENT, round);
                for points in points {
                    let mut decided = Decided::default();
                    if points.given {
                        decided = Decided::yes(Some(*conclusive), evaluation.confidence);
                        decided.points = Some(points.score);
                    }
                    decided.target = Some(&points.proposer);
                    self.decisions
                        .push(answer.decision("judgement", points.given, decided));
                }
                for score in &evaluation.scores {
                    let words = Words::about(self.proposer(&score.label));
                    self.add_words(answer.utterance("comment", &score.comment, words));
                }
                self.add_words(answer.utterance("synthesis", &evaluation.synthesis, Words::default()));
            }
            Event::Grouped { groups, .. } => self.grouped = groups,
            Event::Counted { round, decision } if !self.counted.contains(round) => {
                let answers = self
                    .seated
                    .iter()
                    .map(|name| answer(name, asks::VOTE, round))
                    .collect();
                self.add_votes(answers, *round, &decision.tally);
            }
            Event::Ready { round, seats, .. } => {
                self.decisions.extend(seats.iter().map(|(seat, confidence)| {
                    let decided = Decided::yes(Some(true), *confidence);
                    answer(seat, asks::REVISION, round).decision("readiness", true, decided)
                }))
            }
            Event::Polled { round, answers, .. } => {
                self.decisions
                    .extend(polled("poll", asks::POLL, round, None, answers));
            }
            Event::Settled {
                round, seat, said, ..
            } => {
                let decided = Decided::yes(Some(said.conclusive), said.confidence);
                let answer = answer(seat, asks::TERMINATION, round);
                self.decisions.push(answer.decision("termination", true, decided));
            }
            Event::Prepared(View {
                round,
                leader,
                answers,
                ..
            }) => {
                self.decisions.extend(polled(
                    "prepare",
                    asks::PREPARE,
                    round,
                    Some(leader.as_str()),
                    answers,
                ));
            }
            Event::Committed(View {
                round,
                leader,
                answers,
                ..
            }) => {
                self.decisions.extend(polled(
                    "commit",
                    asks::COMMIT,
                    round,
                    Some(leader.as_str()),
                    answers,
                ));
            }
            _ => {}
        }
    }

    /// Adds an utterance unless it says nothing.
    fn add_words(&mut self, row: Utterance<'a>) {
        if !row.text.is_empty() || row.value.critique.is_some_and(|critique| !critique.is_empty()) {
            self.utterances.push(row);
        }
    }

    /// Adds the votes of a round, including unreadable and missing ones, if anyone was asked for one.
    fn add_votes(&mut self, answers: Vec<Answer<'a>>, round: u32, tally: &'a Tally) {
        if answers.iter().all(|answer| answer.asked.is_none()) {
            return;
        }
        let grouped = std::mem::take(&mut self.grouped);
        let has_failed = |seat| tally.failed.iter().any(|name| name == seat);
        for answer in answers
            .into_iter()
            .filter(|answer| answer.asked.is_some() || has_failed(answer.seat))
        {
            let read = answer.asked.and_then(AskLog::value);
            let mut vote: Option<Vote> = read.and_then(|read| serde_json::from_value(read.clone()).ok());
            if let Some(vote) = &mut vote {
                if vote.choice.is_none() {
                    let group = grouped
                        .iter()
                        .find(|group| group.voters.iter().any(|name| name == answer.seat));
                    vote.choice = group.and_then(|group| group.choice.clone());
                }
                let reason = read
                    .and_then(|read| read["reasoning"].as_str())
                    .unwrap_or_default();
                self.add_words(answer.utterance("vote_reason", reason, Words::about(vote.choice.as_ref())));
            }
            let decided = Decided {
                confidence: vote.as_ref().and_then(|vote| vote.confidence),
                vote,
                ..Decided::default()
            };
            self.decisions
                .push(answer.decision("vote", decided.vote.is_some(), decided));
        }
        self.counted.push(round);
        let received = tally.rows.iter().map(|row| (row.choice.as_str(), row.votes));
        self.received.extend(received);
    }

    /// Adds rows for critiques, judgements and termination checks without a usable answer.
    fn add_unanswered(&mut self) {
        // An id without the number of the attempt.
        let place = |asked: &'a AskLog| asked.id().rsplit_once('#').map_or("", |(place, _)| place);
        let mut known: Vec<&str> = self
            .decisions
            .iter()
            .filter_map(|row| row.asked)
            .map(place)
            .collect();
        for asked in self.source.asks.all.iter().rev() {
            let kind = match asked.ask.kind.name() {
                asks::CRITIQUE => "critique",
                asks::JUDGEMENT => "judgement",
                asks::TERMINATION => "termination",
                _ => continue,
            };
            let Some(at) = asked.done_at.filter(|_| !known.contains(&place(asked))) else {
                continue;
            };
            known.push(place(asked));
            let target = asked.id().split('/').nth(3).filter(|_| kind == "critique");
            let answer = Answer {
                place: self.source.place(asked.seq, at),
                seat: &asked.ask.seat,
                phase: 1,
                round: asked.ask.round,
                asked: Some(asked),
            };
            let decided = Decided {
                target,
                ..Decided::default()
            };
            self.decisions.push(answer.decision(kind, false, decided));
        }
    }

    /// Returns the author behind a label shown to the judge, which ends with a number.
    fn proposer(&self, label: &str) -> Option<&'a String> {
        let digits = label.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number = digits.rsplit(|c: char| !c.is_ascii_digit()).next()?;
        self.order.get(number.parse::<usize>().ok()?.checked_sub(1)?)
    }
}
