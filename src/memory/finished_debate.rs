//! The contents of a finished debate's record. Parsing is tolerant: records may come from files.

use super::words::cut;
use crate::core::ask::Millis;
use crate::core::record::{Entry, EntryKind, Started};
use crate::procedures::debate::asks;
use crate::procedures::debate::event::Event;
use crate::procedures::debate::rules::contradiction::is_contradictory;
use crate::procedures::debate::rules::similarity::lexical;
use crate::procedures::debate::rules::tally::{Ballot, Cast};
use crate::procedures::debate::rules::weight::cited;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::consensus::{DissentEntry, DissentKind, shorten};

pub(super) struct FinishedDebate<'a> {
    pub(super) head: &'a Started,
    pub(super) result: &'a Value,
    pub(super) question: String,
    pub(super) answer: String,
    pub(super) reached: bool,
    pub(super) confidence: f64,
    pub(super) winner: Option<&'a str>,
    pub(super) participants: Vec<String>,
    /// Final versions, by proposer.
    pub(super) proposals: Vec<(&'a str, &'a str)>,
    pub(super) ballots: Vec<Ballot>,
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
        let answer = result.get("final_answer")?.as_str()?;
        let pairs = list(result, "proposals").iter();
        let proposals: Vec<(&str, &str)> = pairs
            .filter_map(|proposal| Some((proposal.get("seat")?.as_str()?, proposal.get("text")?.as_str()?)))
            .collect();
        if head.protocol != "debate" || proposals.is_empty() {
            return None;
        }
        let ballots = list(result, "votes").iter();
        Some(Self {
            question: text(result, "question").to_owned(),
            answer: answer.to_owned(),
            reached: result.get("consensus_reached") == Some(&Value::Bool(true)),
            confidence: share(result.get("confidence")).unwrap_or(0.0),
            winner: result.get("winner").and_then(Value::as_str),
            participants: strings(list(result, "participants")),
            ballots: ballots
                .filter_map(|ballot| serde_json::from_value(ballot.clone()).ok())
                .collect(),
            proposals,
            at: end.at,
            head,
            result,
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
        text(self.result, "status") == "converged"
    }

    /// Returns voter, stated confidence and whether the chosen proposal won. Empty if there is no winner.
    pub(super) fn predictions(&self) -> Vec<(&str, f64, bool)> {
        let Some(winner) = self.winner else {
            return Vec::new();
        };
        let of = |ballot: &'_ Ballot| match &ballot.cast {
            Cast::For(choice) => Some((share_of(ballot.confidence)?, choice == winner)),
            Cast::Abstained | Cast::Failed => None,
        };
        self.ballots
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
        let cast = self.ballots.iter().filter_map(|ballot| match &ballot.cast {
            Cast::For(choice) => Some(choice.as_str()),
            Cast::Abstained | Cast::Failed => None,
        });
        let cast: Vec<&str> = cast.collect();
        let won = cast.iter().filter(|choice| Some(**choice) == self.winner);
        serde_json::json!({ "for": won.count(), "cast": cast.len() })
    }

    /// Returns the participants who voted for the answer, in roster order. Without votes: the winner, or all
    /// proposers if the proposals converged.
    pub(super) fn agreeing(&self) -> Vec<String> {
        let winner = self.winner.unwrap_or_default();
        let agrees = |name: &&String| {
            if self.is_converged() {
                return self.proposal(name).is_some();
            }
            if self.ballots.is_empty() {
                return *name == winner;
            }
            let mut ballots = self.ballots.iter();
            ballots.any(|ballot| ballot.voter == **name && ballot.cast == Cast::For(winner.to_owned()))
        };
        self.participants.iter().filter(agrees).cloned().collect()
    }

    /// Returns the participants who did not agree with the answer: voters for another proposal (with that
    /// proposal) and abstainers. Without votes: the other proposers, but none if a judge decided or the
    /// proposals converged.
    pub(super) fn dissents(&self) -> Vec<DissentEntry> {
        let by_judge = text(self.result, "decided_by") == "judge";
        if self.is_converged() || (by_judge && self.ballots.is_empty()) {
            return Vec::new();
        }
        let winner = self.winner.unwrap_or_default();
        if self.ballots.is_empty() {
            let others = self.proposals.iter().filter(|(name, _)| *name != winner);
            return others
                .map(|(name, text)| self.dissent(name, Some(text), None))
                .collect();
        }
        let mut found = Vec::new();
        for ballot in &self.ballots {
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
            Some(_) if self.winner.is_none() => DissentKind::AlternativeApproach,
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
            confidence: share_of(confidence),
        }
    }

    fn proposal(&self, name: &str) -> Option<&'a str> {
        let mut proposals = self.proposals.iter();
        proposals
            .find(|(proposer, _)| *proposer == name)
            .map(|(_, text)| *text)
    }

    /// Returns at most five points for later debates: the critics' unanimous objections, the judge's reason
    /// and the dissents.
    pub(super) fn insights(&self) -> Vec<String> {
        let mut found = strings(
            self.result
                .pointer("/disagreement/unanimous")
                .map_or(&[], |list| list.as_array().map_or(&[], Vec::as_slice)),
        );
        let reason = self.result.pointer("/evaluation/reason").and_then(Value::as_str);
        found.extend(reason.map(str::to_owned));
        found.extend(self.dissents().into_iter().map(|dissent| dissent.content));
        found.retain(|insight| !insight.trim().is_empty());
        found.truncate(5);
        found.iter().map(|insight| cut(insight, 200)).collect()
    }
}

/// Returns the material cited as `[EVID-1]` etc. in the answer, the winning proposal or a vote for it.
pub(super) fn evidence(debate: &FinishedDebate<'_>, record: &[Rc<Entry>]) -> Vec<Value> {
    let winner = debate.winner.unwrap_or_default();
    let voted_for = |voter: &str| {
        let cast = Cast::For(winner.to_owned());
        debate
            .ballots
            .iter()
            .any(|ballot| ballot.voter == voter && ballot.cast == cast)
    };
    let mut items: Vec<Value> = Vec::new();
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
            EntryKind::Event { event, .. } => {
                let event = &event.value();
                if text(event, "type") == "gathered" {
                    let sources = list(event, "sources").iter();
                    items.extend(sources.flat_map(|source| list(source, "items")).cloned());
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
    let known: Vec<&str> = items.iter().map(|item| text(item, "evidence")).collect();
    let cited = cited(&passages, &known);
    let is_cited = |item: &&Value| cited.contains(&text(item, "evidence"));
    let describe = |item: &Value| {
        serde_json::json!({
            "evidence": item.get("evidence"), "kind": item.get("kind"), "id": item.get("id"),
            "title": item.get("title"),
        })
    };
    items.iter().filter(is_cited).map(describe).collect()
}

/// Returns the ids of the rows given to the debate in its first round. Items from a feed, a program or a
/// person have ids of their own and are skipped.
pub(super) fn used(record: &[Rc<Entry>]) -> Vec<String> {
    const OWN: [&str; 6] = ["knowledge", "debates", "debate", "receipt", "consensus", "memory"];
    let mut ids: Vec<String> = Vec::new();
    let mut add = |items: &[Value]| {
        let of = |item: &Value| item.get("id").and_then(Value::as_str).map(str::to_owned);
        ids.extend(items.iter().filter_map(of));
    };
    for entry in record {
        let EntryKind::Event { event, .. } = &entry.what else {
            continue;
        };
        let event = &event.value();
        if text(event, "type") != "gathered" {
            continue;
        }
        for source in list(event, "sources") {
            if OWN.contains(&text(source, "kind")) {
                add(list(source, "items"));
            }
        }
        for item in list(event, "items") {
            if OWN.contains(&text(item, "source")) {
                add(std::slice::from_ref(item));
            }
        }
    }
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

pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn strings(values: &[Value]) -> Vec<String> {
    values
        .iter()
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

/// Reads a number from 0 to 1; other numbers are rejected.
pub(super) fn share(value: Option<&Value>) -> Option<f64> {
    share_of(value?.as_f64())
}

fn share_of(value: Option<f64>) -> Option<f64> {
    value.filter(|share| (0.0..=1.0).contains(share))
}
