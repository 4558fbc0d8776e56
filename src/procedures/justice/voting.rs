//! The vote at the end of a round: one participant asks for it, all confirm, then a secret ballot in two
//! stages; agreement is a consensus (voting process, detailed sequence). The profile `compat` follows the
//! published program's order: one participant after another, and the initiator is confirmed without being
//! asked.

use super::asks::{AgreementQuestion, AmountQuestion, BallotQuestion, QuestionContext};
use super::consensus::{Vote, detect_consensus};
use super::discussion::Public;
use super::event::{BallotVote, Event, RuleCount, Step, VoteStatus};
use super::history::HistoryKind;
use super::lab::Lab;
use super::member::{Inquiry, Member, QuestionPlace};
use super::prompts::voting as prompts;
use super::settings::{InitiationOrder, Wording};
use crate::core::audience::Audience;
use crate::principle::Principle;
use crate::procedures::answers::{AskOutcome, QuestionKind};
use crate::procedures::justice::context::{BallotNews, JusticeContext};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

pub(super) use super::consensus::Agreement as Agreed;

/// Record of a vote, for the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VotingRecord {
    pub round: u32,
    /// Empty if a ballot follows each round.
    pub initiator: String,
    /// In configuration order; `None` without a readable answer. Empty if nobody was asked.
    pub confirmations: Vec<(String, Option<bool>)>,
    /// Empty if not all confirmed.
    pub votes: Vec<BallotVote>,
    pub consensus: bool,
    pub principle: Option<Principle>,
    /// In income dollars.
    pub amount: Option<u32>,
    /// `not_confirmed`, or how the votes differ.
    pub disagreement: Option<String>,
}

/// Runs the voting attempt of a round; there is at most one per round.
pub(super) async fn hold_vote(
    lab: &Lab,
    members: &mut [Member],
    public: &mut Public,
    votes: &mut Vec<VotingRecord>,
    round: u32,
) -> Option<Agreed> {
    let (mut initiator, mut confirmations) = (String::new(), Vec::new());
    if !lab.settings.phase2.vote_each_round {
        let index = initiate_voting(lab, members, public, round).await?;
        initiator = lab.names.get(index)?.clone();
        confirmations = coordinate_voting_confirmation(lab, members, public, round, index).await;
    }
    let mut record = VotingRecord {
        round,
        initiator,
        confirmations,
        votes: Vec::new(),
        consensus: false,
        principle: None,
        amount: None,
        disagreement: None,
    };
    let confirmed = record
        .confirmations
        .iter()
        .all(|(_, answer)| *answer == Some(true));
    if !confirmed {
        record.disagreement = Some("not_confirmed".to_owned());
        public.failed_votes.push(BallotNews {
            round,
            outcome: "not_confirmed".to_owned(),
        });
        votes.push(record);
        return None;
    }
    record.votes = coordinate_secret_ballot(lab, members, public, round).await;
    let agreed = count_votes(lab, members, public, &mut record).await;
    votes.push(record);
    agreed
}

/// Asks the participants in turn whether to start a vote; stops at the first yes.
async fn initiate_voting(lab: &Lab, members: &mut [Member], public: &Public, round: u32) -> Option<usize> {
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::VoteInitiation,
            round,
            seat: None,
        },
    );
    let order: Vec<usize> = if lab.settings.phase2.initiation_order == InitiationOrder::SpeakingOrder {
        public.order().to_vec()
    } else {
        (0..members.len()).collect()
    };
    for index in order {
        let Some(member) = members.get_mut(index) else {
            continue;
        };
        let name = member.name().to_owned();
        let own = public.statement_of(round, &name);
        let prompt = prompts::initiation_prompt(
            &member.words,
            &name,
            round,
            lab.settings.phase2_rounds,
            own,
            lab.settings.phase2.consensus_rule(),
        );
        let asks = VoteQuestion {
            lab,
            public,
            round,
            step: Step::VoteInitiation,
            initiator: None,
        };
        let attempts = lab.settings.phase2.voting_retry_limit;
        let kind = AgreementQuestion::Initiation;
        let outcome = asks.ask(kind, member, None, &prompt, attempts).await;
        lab.emit(
            member.audience(),
            Event::Initiation {
                round,
                seat: name.clone(),
                answer: outcome.value,
            },
        );
        let starts = outcome.value == Some(true);
        if starts {
            let started = Event::VoteStarted {
                round,
                initiator: name.clone(),
            };
            lab.emit(Audience::Everybody, started);
        }
        let note = prompts::initiation_note(&member.words, round, starts);
        member.record_note(round, "initiation", &note).await;
        if starts {
            if !lab.is_compat() {
                for other in members.iter_mut().filter(|other| other.name() != name) {
                    let note = prompts::initiated_note(&other.words, round, &name);
                    other.record_note(round, "initiated", &note).await;
                }
            }
            return Some(index);
        }
    }
    None
}

/// Asks all participants whether they take part; a ballot requires a yes from each.
async fn coordinate_voting_confirmation(
    lab: &Lab,
    members: &mut [Member],
    public: &mut Public,
    round: u32,
    initiator: usize,
) -> Vec<(String, Option<bool>)> {
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::VoteConfirmation,
            round,
            seat: None,
        },
    );
    let name = lab.names.get(initiator).cloned().unwrap_or_default();
    let rounds = lab.settings.phase2_rounds;
    let asks = VoteQuestion {
        lab,
        public,
        round,
        step: Step::VoteConfirmation,
        initiator: Some(&name),
    };
    let ask = async |member: &Member, attempts| {
        let prompt = prompts::confirmation_prompt(&member.words, member.name(), &name, round, rounds);
        let kind = AgreementQuestion::Confirmation;
        asks.ask(kind, member, None, &prompt, attempts).await.value
    };
    let mut answers = Vec::new();
    if lab.is_compat() {
        for member in members.iter() {
            let answer = if member.index == initiator {
                Some(true)
            } else {
                ask(member, 1).await
            };
            answers.push((member.name().to_owned(), answer));
        }
    } else {
        let attempts = lab.settings.phase2.voting_retry_limit;
        let replies = join_all(members.iter().map(|member| ask(member, attempts))).await;
        answers.extend(lab.names.iter().cloned().zip(replies));
    }
    let confirmed = answers.iter().all(|(_, answer)| *answer == Some(true));
    for (member, (_, answer)) in members.iter().zip(&answers) {
        let event = Event::Confirmed {
            round,
            seat: member.name().to_owned(),
            answer: *answer,
        };
        lab.emit(member.audience(), event);
    }
    lab.emit(
        Audience::Everybody,
        Event::Confirmation {
            round,
            initiator: name,
            answers: answers
                .iter()
                .map(|(seat, answer)| (seat.clone(), *answer == Some(true)))
                .collect(),
            confirmed,
        },
    );
    let line = |words: &_| prompts::confirmations(words, &answers);
    public.announce(lab, members, round, HistoryKind::Vote, "confirmations", line);
    for (member, (_, answer)) in members.iter_mut().zip(&answers) {
        let own = prompts::confirmation_note(&member.words, round, *answer == Some(true));
        let all = prompts::confirmed_note(&member.words, round, &answers);
        let note = if lab.is_compat() {
            own
        } else {
            format!("{own}\n{all}")
        };
        member.record_note(round, "confirmation", &note).await;
    }
    answers
}

/// Holds the ballot: all name a principle at once, then an amount if their principle needs one.
async fn coordinate_secret_ballot(
    lab: &Lab,
    members: &mut [Member],
    public: &Public,
    round: u32,
) -> Vec<BallotVote> {
    lab.emit(
        Audience::Everybody,
        Event::StepBegan {
            phase: 2,
            step: Step::Ballot,
            round,
            seat: None,
        },
    );
    let asks = VoteQuestion {
        lab,
        public,
        round,
        step: Step::Ballot,
        initiator: None,
    };
    let mut votes = Vec::new();
    if lab.is_compat() {
        for member in members.iter() {
            let principle = asks.principle(member).await;
            let amount = asks.amount_if_needed(member, &principle).await;
            votes.push(ballot_vote(member, &principle, amount));
        }
    } else {
        let principles = join_all(members.iter().map(|member| asks.principle(member))).await;
        let amounts = join_all(
            members
                .iter()
                .zip(&principles)
                .map(|(member, principle)| asks.amount_if_needed(member, principle)),
        )
        .await;
        for ((member, principle), amount) in members.iter().zip(&principles).zip(amounts) {
            votes.push(ballot_vote(member, principle, amount));
        }
    }
    for (member, vote) in members.iter_mut().zip(&votes) {
        if vote.status != VoteStatus::Valid {
            let message = match vote.status {
                VoteStatus::Timeout => "the ballot was not cast in time",
                _ => "the ballot could not be read",
            };
            lab.warn("vote_missing", Some(&vote.seat), Some(round), message.to_owned());
        }
        let mut notes = Vec::new();
        if let Some(principle) = vote.principle {
            notes.push(prompts::ballot_note(&member.words, round, principle));
        }
        if let Some(amount) = vote.amount {
            notes.push(prompts::amount_note(&member.words, round, amount));
        }
        member.record_note(round, "ballot", &notes.join("\n")).await;
    }
    votes
}

fn ballot_vote(
    member: &Member,
    principle: &AskOutcome<Principle>,
    amount: Option<AskOutcome<u32>>,
) -> BallotVote {
    let timed_out = principle.has_timed_out || amount.as_ref().is_some_and(|amount| amount.has_timed_out);
    let misses_amount = amount.as_ref().is_some_and(|amount| amount.value.is_none());
    let status = match (timed_out, principle.value.is_none() || misses_amount) {
        (true, _) => VoteStatus::Timeout,
        (false, true) => VoteStatus::Invalid,
        (false, false) => VoteStatus::Valid,
    };
    let mut raw = vec![principle.text().to_owned()];
    raw.extend(amount.as_ref().map(|amount| amount.text().to_owned()));
    BallotVote {
        seat: member.name().to_owned(),
        principle: principle.value,
        amount: amount.and_then(|amount| amount.value),
        status,
        raw,
    }
}

/// Counts the votes and publishes the result without the voters.
async fn count_votes(
    lab: &Lab,
    members: &mut [Member],
    public: &mut Public,
    record: &mut VotingRecord,
) -> Option<Agreed> {
    let round = record.round;
    let counted: Vec<Vote> = record.votes.iter().map(Vote::from).collect();
    let outcome = detect_consensus(&counted, lab.settings.phase2.consensus_rule());
    let disagreement = outcome
        .disagreement
        .as_ref()
        .map(super::consensus::Disagreement::summary);
    // The public result names the kind of disagreement and nothing else.
    let kind = disagreement
        .as_deref()
        .and_then(|summary| summary.split(':').next())
        .unwrap_or("")
        .to_owned();
    for (member, vote) in members.iter().zip(&record.votes) {
        let vote = vote.clone();
        lab.emit(member.audience(), Event::Voted { round, vote });
    }
    lab.emit(
        Audience::Everybody,
        Event::Counted {
            round,
            initiator: record.initiator.clone(),
            agreed: outcome.agreed.as_ref().map(|agreed| agreed.principle),
            amount: outcome.agreed.as_ref().and_then(|agreed| agreed.amount),
            disagreement: disagreement.is_some().then(|| kind.clone()),
            tally: match (&outcome.agreed, lab.settings.wording) {
                (None, Wording::Class) => tally(&record.votes),
                _ => Vec::new(),
            },
        },
    );
    let agreed = outcome.agreed.map(|agreed| (agreed.principle, agreed.amount));
    match agreed {
        Some((principle, amount)) => {
            let line = |words: &_| prompts::consensus(words, principle, amount);
            public.announce(lab, members, round, HistoryKind::Vote, "consensus", line);
        }
        None => {
            let line = |words: &_| prompts::failure(words, &kind);
            public.announce(lab, members, round, HistoryKind::Vote, "no_consensus", line);
            public.failed_votes.push(BallotNews {
                round,
                outcome: kind.clone(),
            });
        }
    }
    if !lab.is_compat() {
        let asks = members.iter_mut().zip(&record.votes).map(|(member, vote)| {
            let own = vote.principle.filter(|_| vote.status == VoteStatus::Valid);
            let own = own.map(|principle| (principle, vote.amount));
            let public_outcome = agreed.ok_or(kind.as_str());
            let note = prompts::completed_note(&member.words, round, own, public_outcome);
            async move {
                member
                    .rewrite_memory(2, round, "ballot_completed", &note, &note)
                    .await
            }
        });
        join_all(asks).await;
    }
    record.consensus = agreed.is_some();
    record.principle = agreed.map(|(principle, _)| principle);
    record.amount = agreed.and_then(|(_, amount)| amount);
    record.disagreement = disagreement;
    outcome.agreed
}

/// Counts the valid votes by rule, most votes first.
fn tally(votes: &[BallotVote]) -> Vec<RuleCount> {
    let count = |principle: Principle| {
        let is_it =
            |vote: &&BallotVote| vote.status == VoteStatus::Valid && vote.principle == Some(principle);
        let own: Vec<_> = votes.iter().filter(is_it).collect();
        let mut amounts: Vec<u32> = own.iter().filter_map(|vote| vote.amount).collect();
        amounts.sort_unstable();
        RuleCount {
            principle,
            votes: own.len() as u32,
            amounts,
        }
    };
    let mut counts: Vec<RuleCount> = Principle::ALL.into_iter().map(count).collect();
    counts.retain(|count| count.votes > 0);
    counts.sort_by_key(|count| std::cmp::Reverse(count.votes));
    counts
}

/// A question of the vote, as put to each participant.
#[derive(Clone, Copy)]
struct VoteQuestion<'a> {
    lab: &'a Lab,
    public: &'a Public,
    round: u32,
    step: Step,
    /// Name of the initiator, once there is one.
    initiator: Option<&'a str>,
}

impl VoteQuestion<'_> {
    async fn principle(&self, member: &Member) -> AskOutcome<Principle> {
        let prompt = prompts::ballot_principle_prompt(&member.words, member.name());
        let attempts = self.lab.settings.phase2.principle_extraction_retries;
        self.ask(BallotQuestion, member, None, &prompt, attempts).await
    }

    /// Asks for the amount, unless it is in the form of the principle.
    async fn amount_if_needed(
        &self,
        member: &Member,
        ballot: &AskOutcome<Principle>,
    ) -> Option<AskOutcome<u32>> {
        let principle = ballot.value.filter(|principle| principle.needs_amount())?;
        let values = ballot.replies.last().and_then(|reply| reply.values.as_ref());
        let context = member.context(JusticeContext::default());
        if let Some(amount) = values.and_then(|values| AmountQuestion::Ballot.read_values(values, &context)) {
            return Some(AskOutcome::of_form(amount, amount.to_string()));
        }
        let prompt = prompts::ballot_amount_prompt(
            &member.words,
            member.name(),
            principle,
            self.lab.amount_limits(),
            self.lab.settings.phase2.consensus_rule(),
        );
        let attempts = self.lab.settings.phase2.amount_extraction_retries;
        let kind = AmountQuestion::Ballot;
        Some(self.ask(kind, member, Some(principle), &prompt, attempts).await)
    }

    async fn ask<K: QuestionKind<Context = QuestionContext>>(
        &self,
        kind: K,
        member: &Member,
        principle: Option<Principle>,
        prompt: &str,
        attempts: u32,
    ) -> AskOutcome<K::Answer> {
        let settings = &self.lab.settings;
        let seconds = match self.step {
            Step::VoteInitiation => settings.phase2.initiation_timeout,
            Step::VoteConfirmation => settings.phase2.confirmation_timeout,
            _ => settings.phase2.ballot_timeout,
        };
        let place = QuestionPlace {
            phase: 2,
            step: self.step,
            round: self.round,
            about: "",
            seconds,
        };
        let history: Rc<str> = self.public.text(self.lab, &member.words);
        let facts = JusticeContext {
            principle,
            initiator: self.initiator.map(str::to_owned),
            ..self.public.facts(member, self.round)
        };
        let inquiry = Inquiry {
            place,
            attempts,
            prompt,
            history: Some(&history),
            facts: &facts,
        };
        member.ask_until_read(kind, inquiry).await
    }
}

impl Member {
    /// Records a note about the vote: an appended line, or a rewrite if the settings ask for one at every
    /// event.
    async fn record_note(&mut self, round: u32, about: &'static str, note: &str) {
        if note.is_empty() {
            return;
        }
        if self.lab.settings.selective_memory_updates {
            self.remember(2, note);
        } else {
            self.rewrite_memory(2, round, about, note, note).await;
        }
    }
}
