//! A finished debate, read from its record.

use super::words::cut;
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind, Started};
use crate::procedures::debate::asks;
use crate::procedures::debate::context::SourceItem;
use crate::procedures::debate::event::{Event, GatheredSource};
use crate::procedures::debate::outcome::DebateOutcome;
use crate::procedures::debate::rules::contradiction::is_contradictory;
use crate::procedures::debate::rules::similarity::lexical;
use crate::procedures::debate::rules::tally::{Ballot, Cast};
use crate::procedures::debate::rules::weight::cited;
use crate::procedures::debate::settings::material::SourceKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::consensus::{DissentEntry, DissentKind, shorten};

pub(super) struct FinishedDebate<'a> {
    pub(super) head: &'a Started,
    pub(super) outcome: DebateOutcome,
    pub(super) answer: String,
    pub(super) at: Millis,
}

impl<'a> FinishedDebate<'a> {
    /// Returns `None` if the record is not that of a finished debate with a proposal.
    pub(super) fn read(record: &'a [Rc<Entry>]) -> Option<Self> {
        let EntryKind::Started(head) = &record.first()?.what else {
            return None;
        };
        // Entries of the owner may follow the end.
        let ended = |entry: &&Rc<Entry>| matches!(entry.what, EntryKind::Ended { .. });
        let end = record.iter().rev().find(ended)?;
        let EntryKind::Ended { result } = &end.what else {
            return None;
        };
        if head.protocol != "debate" {
            return None;
        }
        let outcome: DebateOutcome = serde_json::from_value(result.clone()).ok()?;
        let answer = outcome.final_answer.clone()?;
        let is_complete = !outcome.proposals.is_empty() && (0.0..=1.0).contains(&outcome.confidence);
        is_complete.then_some(Self {
            head,
            outcome,
            answer,
            at: end.at,
        })
    }

    pub(super) fn id(&self) -> &'a str {
        &self.head.session
    }

    /// The subject area, if the configuration names one.
    pub(super) fn domain(&self) -> Option<String> {
        let domain = self.head.config.get("domain")?.as_str()?.trim();
        (!domain.is_empty()).then(|| domain.to_owned())
    }

    /// Returns `true` if the debate ended because the proposals converged.
    fn is_converged(&self) -> bool {
        self.outcome.status == "converged"
    }

    /// Returns voter, stated confidence and whether the chosen proposal won. Empty if there is no winner.
    pub(super) fn predictions(&self) -> Vec<(&str, f64, bool)> {
        let Some(winner) = &self.outcome.winner else {
            return Vec::new();
        };
        let of = |ballot: &'_ Ballot| match &ballot.cast {
            Cast::For(choice) => Some((share(ballot.confidence)?, choice == winner)),
            Cast::Abstained | Cast::Failed => None,
        };
        self.outcome
            .votes
            .iter()
            .filter_map(|ballot| of(ballot).map(|(sure, came_true)| (ballot.voter.as_str(), sure, came_true)))
            .collect()
    }

    /// Returns the voters' mean error, 0 to 1; `None` without predictions.
    pub(super) fn error(&self) -> Option<f64> {
        let predictions = self.predictions();
        let miss = |(_, sure, came_true): &(&str, f64, bool)| (sure - f64::from(u8::from(*came_true))).abs();
        let sum: f64 = predictions.iter().map(miss).sum();
        (!predictions.is_empty()).then(|| sum / predictions.len() as f64)
    }

    /// Counts the votes for the winner's proposal and all votes cast for a proposal.
    pub(super) fn votes(&self) -> Value {
        let cast = self.outcome.votes.iter().filter_map(|ballot| match &ballot.cast {
            Cast::For(choice) => Some(choice.as_str()),
            Cast::Abstained | Cast::Failed => None,
        });
        let cast: Vec<&str> = cast.collect();
        let won = cast
            .iter()
            .filter(|choice| Some(**choice) == self.outcome.winner.as_deref());
        serde_json::json!({ "for": won.count(), "cast": cast.len() })
    }

    /// Returns the participants who voted for the answer, in roster order. Without votes: the winner, or all
    /// proposers if the proposals converged.
    pub(super) fn agreeing(&self) -> Vec<String> {
        let winner = self.winner();
        let agrees = |name: &&String| {
            if self.is_converged() {
                return self.proposal(name).is_some();
            }
            if self.outcome.votes.is_empty() {
                return *name == winner;
            }
            let mut ballots = self.outcome.votes.iter();
            ballots.any(|ballot| ballot.voter == **name && ballot.cast == Cast::For(winner.to_owned()))
        };
        self.outcome.participants.iter().filter(agrees).cloned().collect()
    }

    /// Returns the participants who did not agree with the answer: voters for another proposal (with that
    /// proposal) and abstainers. Without votes: the other proposers, but none if a judge decided or the
    /// proposals converged.
    pub(super) fn dissents(&self) -> Vec<DissentEntry> {
        let by_judge = self.outcome.decided_by == "judge";
        if self.is_converged() || (by_judge && self.outcome.votes.is_empty()) {
            return Vec::new();
        }
        let winner = self.winner();
        if self.outcome.votes.is_empty() {
            let others = self.outcome.proposals.iter().filter(|other| other.seat != winner);
            return others
                .map(|other| self.dissent(&other.seat, Some(&other.text), None))
                .collect();
        }
        let mut found = Vec::new();
        for ballot in &self.outcome.votes {
            let view = match &ballot.cast {
                Cast::For(choice) if choice == winner => continue,
                Cast::For(choice) => self.proposal(choice),
                Cast::Abstained => None,
                Cast::Failed => continue,
            };
            found.push(self.dissent(&ballot.voter, view, ballot.confidence));
        }
        found
    }

    fn dissent(&self, agent: &str, view: Option<&str>, confidence: Option<f64>) -> DissentEntry {
        let kind = match view.map(|view| cut(view, 2_000)) {
            None => DissentKind::Abstention,
            Some(_) if self.outcome.winner.is_none() => DissentKind::AlternativeApproach,
            Some(view) if is_contradictory(&view, &shorten(&self.answer)) => {
                DissentKind::FundamentalDisagreement
            }
            Some(view) if lexical(&view, &shorten(&self.answer)).value >= 0.8 => DissentKind::MinorQuibble,
            Some(_) => DissentKind::AlternativeApproach,
        };
        DissentEntry {
            agent: agent.to_owned(),
            kind,
            content: cut(view.unwrap_or_default(), 500),
            confidence: share(confidence),
        }
    }

    /// Returns the author of the winning proposal; empty without one.
    fn winner(&self) -> &str {
        self.outcome.winner.as_deref().unwrap_or_default()
    }

    fn proposal(&self, name: &str) -> Option<&str> {
        let mut proposals = self.outcome.proposals.iter();
        proposals
            .find(|proposal| proposal.seat == name)
            .map(|proposal| proposal.text.as_str())
    }

    /// Returns at most five points for later debates: the critics' unanimous objections, the judge's reason
    /// and the dissents.
    pub(super) fn insights(&self) -> Vec<String> {
        let mut found = self.outcome.disagreement.unanimous.clone();
        found.extend(
            self.outcome
                .evaluation
                .iter()
                .map(|evaluation| evaluation.reason.clone()),
        );
        found.extend(self.dissents().into_iter().map(|dissent| dissent.content));
        found.retain(|insight| !insight.trim().is_empty());
        found.truncate(5);
        found.iter().map(|insight| cut(insight, 200)).collect()
    }
}

/// Returns the material cited as `[EVID-1]` etc. in the answer, the winning proposal or a vote for it.
pub(super) fn evidence(debate: &FinishedDebate<'_>, record: &[Rc<Entry>]) -> Vec<Value> {
    let winner = debate.winner();
    let voted_for = |voter: &str| {
        let cast = Cast::For(winner.to_owned());
        let mut votes = debate.outcome.votes.iter();
        votes.any(|ballot| ballot.voter == voter && ballot.cast == cast)
    };
    let mut voting: BTreeMap<&str, &str> = BTreeMap::new();
    // By voter: the last of several answers counts.
    let mut votes: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in record {
        match &entry.what {
            EntryKind::Asked { ask, .. } if ask.kind == asks::VOTE && voted_for(&ask.seat) => {
                voting.insert(&ask.id, &ask.seat);
            }
            EntryKind::Answered { ask, reply, .. } => {
                if let Some(voter) = voting.get(ask.as_str()) {
                    votes.insert(voter, &reply.text);
                }
            }
            _ => {}
        }
    }
    let mut passages = vec![
        debate.answer.as_str(),
        debate.proposal(winner).unwrap_or_default(),
    ];
    passages.extend(votes.values());
    let passages = passages.join("\n");
    let items: Vec<SourceItem> = gathered(record)
        .into_iter()
        .flat_map(|source| source.items)
        .collect();
    let known: Vec<&str> = items.iter().map(|item| item.evidence.as_str()).collect();
    let cited = cited(&passages, &known);
    let describe = |item: &SourceItem| serde_json::json!({ "evidence": item.evidence, "kind": item.kind, "id": item.id, "title": item.title });
    items
        .iter()
        .filter(|item| cited.contains(&item.evidence.as_str()))
        .map(describe)
        .collect()
}

/// Returns the material of the first round, source by source.
fn gathered(record: &[Rc<Entry>]) -> Vec<GatheredSource> {
    let sources = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Event { event, .. } => match event.read() {
            Ok(Event::Gathered { sources }) => Some(sources),
            _ => None,
        },
        _ => None,
    };
    record.iter().filter_map(sources).flatten().collect()
}

/// Returns the ids of the rows given to the debate in its first round. Items from a feed, a program or a
/// person have ids of their own and are skipped.
pub(super) fn used(record: &[Rc<Entry>]) -> Vec<String> {
    let own = [SourceKind::Knowledge, SourceKind::Debates].map(SourceKind::name);
    let sources = gathered(record)
        .into_iter()
        .filter(|source| own.contains(&source.kind.as_str()));
    let mut ids: Vec<String> = sources
        .flat_map(|source| source.items)
        .filter_map(|item| item.id)
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Returns all answers, as hashed into a receipt's messages root: id of the ask, attempt and text.
#[must_use]
pub(super) fn messages(record: &[Rc<Entry>]) -> Vec<Value> {
    let message = |entry: &Rc<Entry>| match &entry.what {
        EntryKind::Answered { ask, attempt, reply } => {
            Some(serde_json::json!({ "ask": ask, "attempt": attempt, "text": reply.text }))
        }
        _ => None,
    };
    record.iter().filter_map(message).collect()
}

/// Formats the proposals and critiques in at most `most` characters; texts that do not fit are cut to the
/// same length.
pub(super) fn transcript(record: &[Rc<Entry>], most: usize) -> String {
    let mut parts: Vec<(String, String)> = Vec::new();
    for entry in record {
        let EntryKind::Event { event, .. } = &entry.what else {
            continue;
        };
        let (round, seat, content) = match event.read() {
            Ok(Event::Proposed {
                round, seat, text, ..
            }) => (round, seat, text),
            Ok(Event::Criticised {
                round,
                seat,
                critique,
                ..
            }) => (round, seat, critique.reasoning),
            _ => continue,
        };
        if !content.trim().is_empty() {
            parts.push((format!("{round} {seat}: "), content));
        }
    }
    let each = most / parts.len().max(1);
    let lines: Vec<String> = parts
        .iter()
        .map(|(head, content)| {
            format!(
                "{head}{}",
                cut(content, each.saturating_sub(head.chars().count() + 1))
            )
        })
        .collect();
    cut(&lines.join("\n"), most)
}

/// Returns the number if it is from 0 to 1.
pub(super) fn share(value: Option<f64>) -> Option<f64> {
    value.filter(|share| (0.0..=1.0).contains(share))
}
