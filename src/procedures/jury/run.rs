//! The course of a trial: opening statements, evidence and straw votes, then deliberation and ballots until one side has
//! the votes that a verdict needs, or the ballots are used up.

use super::asks::{QuestionContext, SpeechQuestion, VoteQuestion};
use super::context::{Ballot, Exhibit, JuryContext, Speech};
use super::event::Event;
use super::prompts;
use super::read::JurorVote;
use super::rules::{Counts, Opinion, has_changed};
use super::settings::Settings;
use crate::core::ask::{Ask, Request};
use crate::core::audience::Audience;
use crate::core::context::AskContext;
use crate::core::limits::time_limits;
use crate::core::table::{Question, Table};
use crate::language::words::Words;
use crate::procedures::answers::{Attempts, QuestionKind};
use crate::seat::{Seat, SeatKind};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Trial {
    table: Table,
    settings: Settings,
    /// What all jurors know.
    known: JuryContext,
    /// The votes of each juror so far, in the order of the seats.
    votes: Vec<Vec<Option<Opinion>>>,
    /// Counts of the straw votes so far.
    straw_votes: Vec<Counts>,
    ballots: Vec<Ballot>,
}

impl Trial {
    pub(super) fn new(table: Table, settings: Settings) -> Self {
        let jurors = settings.seats.len();
        let known = JuryContext {
            charge: settings.charge.clone(),
            prosecution: settings.prosecution.clone(),
            defence: settings.defence.clone(),
            jurors,
            needed: settings.needed.votes(jurors),
            ..JuryContext::default()
        };
        Self {
            table,
            settings,
            known,
            votes: vec![Vec::new(); jurors],
            straw_votes: Vec::new(),
            ballots: Vec::new(),
        }
    }

    pub(super) async fn run(mut self) -> Value {
        self.hear_case().await;
        for round in 1..=self.settings.rounds {
            self.deliberate(round).await;
        }
        let mut verdict = self.hold_ballot(1).await;
        for number in 2..=self.settings.ballots {
            if verdict.is_some() {
                break;
            }
            self.deliberate(self.settings.rounds + number - 1).await;
            verdict = self.hold_ballot(number).await;
        }
        json!({
            "verdict": verdict.map_or("hung", Opinion::name),
            "jurors": self.known.jurors,
            "needed": self.known.needed,
            "ballots": self.ballots,
            "counts_shown": self.settings.show_counts,
            "straw_votes": self.straw_votes,
            "changed": self.votes.iter().filter(|votes| has_changed(votes)).count(),
        })
    }

    /// Shows opening statements and evidence, each followed by a straw vote.
    async fn hear_case(&mut self) {
        let settings = &self.settings;
        let opening = Event::CaseOpened {
            charge: settings.charge.clone(),
            prosecution: settings.prosecution.clone(),
            defence: settings.defence.clone(),
            evidence: settings.evidence.len() as u32,
        };
        self.table.emit(Audience::Everybody, &opening);
        self.hold_straw_vote(1).await;
        for (number, exhibit) in (1..).zip(self.settings.evidence.clone()) {
            self.table.emit(
                Audience::Everybody,
                &Event::EvidenceShown {
                    number,
                    title: exhibit.title.clone(),
                    text: exhibit.text.clone(),
                },
            );
            self.known.evidence.push(Exhibit {
                title: exhibit.title,
                text: exhibit.text,
                leans: exhibit.leans,
            });
            self.hold_straw_vote(number + 1).await;
        }
    }

    async fn hold_straw_vote(&mut self, round: u32) {
        let votes = self
            .ask_all(VoteQuestion::Straw, round, prompts::straw_vote)
            .await;
        for (seat, vote) in self.settings.seats.iter().zip(&votes) {
            let event = Event::StrawVoted {
                round,
                seat: seat.name.clone(),
                opinion: vote.as_ref().map(|vote| vote.opinion),
                certainty: vote.as_ref().and_then(|vote| vote.certainty),
                reason: vote.as_ref().map_or(String::new(), |vote| vote.reason.clone()),
            };
            self.table.emit(Audience::seat(&seat.name), &event);
        }
        let counts = self.keep(&votes);
        let shown = self.settings.show_counts;
        let to = if shown {
            Audience::Everybody
        } else {
            Audience::Owner
        };
        self.table.emit(to, &Event::StrawCounted { round, counts });
        self.known.counts = shown.then_some(counts);
        self.straw_votes.push(counts);
    }

    /// Lets each juror speak in turn.
    async fn deliberate(&mut self, round: u32) {
        self.table
            .emit(Audience::Everybody, &Event::DeliberationBegan { round });
        for at in 0..self.settings.seats.len() {
            let text = self.ask(SpeechQuestion, at, round, prompts::speech).await;
            let seat = self.settings.seats[at].name.clone();
            let event = Event::Argued {
                round,
                seat: seat.clone(),
                text: text.clone(),
            };
            self.table.emit(Audience::Everybody, &event);
            let speech = text.map(|text| Speech { round, seat, text });
            self.known.speeches.extend(speech);
        }
    }

    /// Takes a ballot. Returns the verdict if it is reached.
    async fn hold_ballot(&mut self, round: u32) -> Option<Opinion> {
        self.table
            .emit(Audience::Everybody, &Event::BallotBegan { round });
        let votes = self.ask_all(VoteQuestion::Ballot, round, prompts::ballot).await;
        let votes_by_name = || {
            let names = self.settings.seats.iter().map(|seat| seat.name.clone());
            names.zip(votes.iter().map(|vote| vote.as_ref().map(|vote| vote.opinion)))
        };
        let is_open = self.settings.open_ballot;
        for (seat, opinion) in votes_by_name() {
            let to = if is_open {
                Audience::Everybody
            } else {
                Audience::seat(&seat)
            };
            self.table.emit(to, &Event::Balloted { round, seat, opinion });
        }
        let by_name = is_open.then(|| votes_by_name().collect());
        let counts = self.keep(&votes);
        self.table
            .emit(Audience::Everybody, &Event::BallotCounted { round, counts });
        let ballot = Ballot {
            counts,
            votes: by_name,
        };
        self.known.ballot = Some(ballot.clone());
        self.ballots.push(ballot);
        counts.verdict(self.known.needed)
    }

    /// Keeps the votes of all jurors and returns their counts.
    fn keep(&mut self, votes: &[Option<JurorVote>]) -> Counts {
        let opinions = || votes.iter().map(|vote| vote.as_ref().map(|vote| vote.opinion));
        self.votes
            .iter_mut()
            .zip(opinions())
            .for_each(|(own, opinion)| own.push(opinion));
        Counts::of(opinions())
    }

    /// Asks all jurors at once.
    async fn ask_all<K>(&self, kind: K, round: u32, prompt: Prompt) -> Vec<Option<K::Answer>>
    where
        K: QuestionKind<Context = QuestionContext>,
    {
        join_all((0..self.settings.seats.len()).map(|at| self.ask(kind, at, round, prompt))).await
    }

    /// Asks the juror at a place until its answer can be read.
    async fn ask<K>(&self, kind: K, at: usize, round: u32, prompt: Prompt) -> Option<K::Answer>
    where
        K: QuestionKind<Context = QuestionContext>,
    {
        let (settings, seat) = (&self.settings, &self.settings.seats[at]);
        let none = BTreeMap::new();
        let prompts = settings.prompts.get(seat.language.code()).unwrap_or(&none);
        let words = Rc::new(Words::new(&super::TEXTS, seat.language, prompts));
        let attempts = Attempts {
            table: &self.table,
            answers: settings.answers,
            reader: settings.reader.as_ref(),
            most: settings.attempts,
        };
        let own = self.votes[at].iter().rev().find_map(|vote| *vote);
        let outcome = attempts.ask(kind, |attempt, unread| {
            let facts = JuryContext {
                own,
                round,
                complaint: unread.map(|unread| unread.reason.code()),
                ..self.known.clone()
            };
            let context = QuestionContext {
                words: Rc::clone(&words),
                is_person: seat.kind == SeatKind::Human,
                facts: Rc::new(facts),
            };
            (self.question(kind, seat, attempt, &context, prompt), context)
        });
        outcome.await.value
    }

    fn question<K>(
        &self,
        kind: K,
        seat: &Seat,
        attempt: u32,
        context: &QuestionContext,
        prompt: Prompt,
    ) -> Question
    where
        K: QuestionKind<Context = QuestionContext>,
    {
        let settings = &self.settings;
        let QuestionContext {
            words,
            is_person,
            facts,
        } = context;
        let (form, schema) = settings.answers.asked(seat, kind, context);
        let system = prompts::system(words, &seat.name, &seat.personality, facts);
        Question {
            ask: Ask {
                id: format!("{}/{}/{}#{attempt}", kind.name(), facts.round, seat.name),
                seat: seat.name.clone(),
                kind: kind.name().into(),
                phase: 1,
                round: Some(facts.round),
                attempt,
                language: seat.language,
            },
            request: Request {
                schema,
                ..Request::to(
                    seat,
                    system.into(),
                    prompt(words, facts).into(),
                    settings.max_tokens,
                )
            },
            form,
            facts: AskContext::new(Rc::<JuryContext>::clone(facts)),
            time_limits: match is_person {
                true => Vec::new(),
                false => time_limits(settings.answer_timeout, 1.5, 3),
            },
            wait: 0,
        }
    }
}

/// Returns the question in words.
type Prompt = fn(&Words, &JuryContext) -> String;
