//! What the results of a debate show: the answer, how it was decided and what spoke against it, from the result and the
//! items as the role may see them.

use super::super::outcome::DebateOutcome;
use super::super::rules::disagreement::{Risk, Split};
use super::super::rules::similarity::Measure;
use super::items::{
    Alike, Debater, Judge, Vote, chart, check_blocks, failure_text, joined, pattern_name, points,
    proposal_fold, status_text, table,
};
use crate::core::block::{Block, Table, Tone};
use crate::core::data::variant_name;
use crate::core::view::{Item, Transcript};
use crate::language::format::{participant_list, percent};
use crate::language::words::Words;
use serde::Deserialize;

/// Returns the blocks below the outcome; without a result, those that do not need it.
pub(super) fn results(question: &str, transcript: &Transcript, words: &Words) -> Vec<Block> {
    let outcome = transcript
        .result
        .as_ref()
        .and_then(|result| DebateOutcome::deserialize(result).ok());
    let config = transcript.config();
    let mut parts = vec![("view.question", vec![Block::text(question)])];
    let last = |is_it: fn(&&Item) -> bool| transcript.items().iter().rfind(is_it);
    if let Some(outcome) = &outcome {
        parts.push(("view.verdict", verdict(outcome, transcript, words)));
        parts.push(("view.dissent", dissent(outcome, words)));
    }
    parts.push(("view.people", roles(transcript, words)));
    let judge = last(|item| item.get::<Judge>().is_some_and(|judge| judge.judged.is_some()));
    if let Some(judge) = judge.and_then(|item| item.get::<Judge>()) {
        parts.push(("view.points", judge.scores(words)));
    }
    if let Some(outcome) = &outcome {
        parts.push(("view.scores", match_scores(outcome, words)));
    }
    let vote = last(|item| item.get::<Vote>().is_some_and(|vote| vote.decision.is_some()));
    if let Some(vote) = vote.and_then(|item| item.get::<Vote>()) {
        parts.push(("view.votes", vote.counted(words, config)));
    }
    let checks = transcript
        .items()
        .iter()
        .filter_map(|item| item.get::<Alike>()?.check.clone());
    let checks: Vec<_> = checks.collect();
    if let Some(check) = checks.last() {
        let mut blocks = check_blocks(check, config, words);
        blocks.extend((checks.len() > 1).then(|| chart(&checks, config, words)));
        parts.push(("view.likeness", blocks));
    }
    if let Some(outcome) = &outcome {
        let proposals = outcome.proposals.iter();
        let proposals = proposals.map(|one| proposal_fold(&one.seat, one.version, &one.text, words));
        parts.push(("view.proposals", proposals.collect()));
        parts.push(("view.rhetoric", rhetoric(outcome, words)));
        parts.push(("view.failures", failures(outcome, words)));
    }
    parts.retain(|(_, blocks)| !blocks.is_empty());
    let section = |(key, blocks)| Block::Section {
        title: words.text(key, &[]),
        blocks,
    };
    parts.into_iter().map(section).collect()
}

fn verdict(outcome: &DebateOutcome, transcript: &Transcript, words: &Words) -> Vec<Block> {
    let by_judge = outcome.decided_by == "judge";
    // A proposal that is only ahead is its author's answer, not a decision.
    let is_decided = outcome.consensus_reached || outcome.status == "converged" || by_judge;
    let mut facts = vec![(
        "view.result.status",
        status_text(&outcome.status, &outcome.decided_by, words),
    )];
    if let Some(winner) = &outcome.winner {
        let key = if is_decided {
            "view.result.winner"
        } else {
            "view.result.leads"
        };
        facts.push((key, winner.clone()));
    }
    if is_decided {
        let mode = words.text(&format!("decided_by.{}", outcome.decided_by), &[]);
        facts.push(("view.result.by", mode));
    }
    if outcome.decided_by != "none" {
        facts.push((figure_name(outcome, transcript), percent(outcome.confidence)));
    }
    if !by_judge || outcome.consensus_reached {
        let strength = variant_name(&outcome.consensus_strength);
        let strength = words.text(&format!("view.strength.{strength}"), &[]);
        facts.push(("view.result.strength", strength));
    }
    facts.push(("view.result.rounds", outcome.rounds_used.to_string()));
    let (columns, row) = facts
        .into_iter()
        .map(|(key, fact)| (words.text(key, &[]), fact))
        .unzip();
    let mut blocks = vec![Block::Table(Table {
        columns,
        rows: vec![row],
        ..Table::default()
    })];
    let answer = outcome.final_answer.as_deref().and_then(Block::quote);
    if let Some(answer) = answer {
        let title = match &outcome.winner {
            Some(name) if !is_decided => words.text("view.proposed_by", &[("name", name)]),
            _ => words.text("view.answer", &[]),
        };
        let blocks_of_answer = vec![answer];
        blocks.push(Block::Section {
            title,
            blocks: blocks_of_answer,
        });
    }
    blocks
}

/// Without a vote, the figure of a result says how alike the proposals are.
fn figure_name(outcome: &DebateOutcome, transcript: &Transcript) -> &'static str {
    let checks = transcript.items().iter().filter_map(|item| item.get::<Alike>());
    let measure = checks
        .filter_map(|item| item.check.as_ref())
        .map(|check| check.measure)
        .next_back();
    match measure {
        _ if outcome.decided_by != "convergence" => "view.result.confidence",
        Some(Measure::Embedding) => "view.likeness",
        _ => "view.result.likeness.words",
    }
}

/// Who did not vote for the winner, where votes and critics split, and the risks of the result.
fn dissent(outcome: &DebateOutcome, words: &Words) -> Vec<Block> {
    let names = participant_list(words.language(), &outcome.dissenting);
    let winner = outcome.winner.as_ref().filter(|_| !outcome.dissenting.is_empty());
    let others =
        winner.map(|winner| words.text("view.dissent.other", &[("winner", winner), ("names", &names)]));
    let disagreement = &outcome.disagreement;
    let unanimous = disagreement.unanimous.iter();
    let unanimous = unanimous.map(|issue| words.text("view.dissent.unanimous", &[("issue", issue)]));
    let splits = disagreement.splits.iter().map(|split| split_text(split, words));
    let risks = disagreement.risks.iter().map(|risk| risk_text(risk, words));
    let items: Vec<_> = others
        .into_iter()
        .chain(unanimous)
        .chain(splits)
        .chain(risks)
        .collect();
    let list = (!items.is_empty()).then_some(Block::List { items, quoted: false });
    list.into_iter().collect()
}

fn split_text(split: &Split, words: &Words) -> String {
    let count = split.minority.len();
    let key = match count {
        _ if split.majority.len() <= count => "view.dissent.tied",
        1 => "view.dissent.split.one",
        _ => "view.dissent.split.other",
    };
    let names = participant_list(words.language(), &split.minority);
    words.text(
        key,
        &[
            ("most", &split.majority_choice),
            ("some", &split.minority_choice),
            ("count", &count),
            ("names", &names),
        ],
    )
}

fn risk_text(risk: &Risk, words: &Words) -> String {
    match risk {
        Risk::LowConfidence {
            seat,
            choice,
            confidence,
        } => words.text(
            "view.risk.low_confidence",
            &[
                ("name", seat),
                ("choice", choice),
                ("value", &percent(*confidence)),
            ],
        ),
        Risk::SevereCritique {
            critic,
            issue,
            severity,
        } => {
            let severity = points(*severity, words);
            let risk = words.text(
                "view.risk.severe_critique",
                &[("name", critic), ("value", &severity)],
            );
            match issue {
                Some(issue) => words.text("view.sentences", &[("first", &risk), ("second", issue)]),
                None => risk,
            }
        }
    }
}

fn roles(transcript: &Transcript, words: &Words) -> Vec<Block> {
    let present = transcript.people.iter().filter(|person| !person.is_absent);
    let row = |person: &crate::core::view::Person| {
        let debater = person.get::<Debater>()?;
        let stance = format!("view.stance.{}", debater.stance);
        let has_stance = debater.role != "judge" && super::TEXTS.has(&stance);
        let role = words.text(&format!("view.role.{}", debater.role), &[]);
        let role = joined([Some(role), has_stance.then(|| words.text(&stance, &[]))]);
        Some(vec![person.name.clone(), role])
    };
    let rows: Vec<_> = present.filter_map(row).collect();
    vec![table(&["view.participant", "view.role"], rows, words)]
}

fn match_scores(outcome: &DebateOutcome, words: &Words) -> Vec<Block> {
    if outcome.match_scores.is_empty() {
        return Vec::new();
    }
    let row = |(seat, score): &(String, f64)| vec![seat.clone(), points(*score, words)];
    let rows = outcome.match_scores.iter().map(row).collect();
    vec![table(&["view.participant", "view.score"], rows, words)]
}

fn rhetoric(outcome: &DebateOutcome, words: &Words) -> Vec<Block> {
    let Some(dynamics) = outcome.rhetoric.as_ref().filter(|dynamics| dynamics.total > 0) else {
        return Vec::new();
    };
    let character = variant_name(&dynamics.character);
    let counts = dynamics.counts.iter();
    let items = counts
        .map(|(pattern, count)| format!("{}: {count}", pattern_name(*pattern, words)))
        .collect();
    vec![
        Block::text(words.text(&format!("view.character.{character}"), &[])),
        Block::List { items, quoted: false },
    ]
}

fn failures(outcome: &DebateOutcome, words: &Words) -> Vec<Block> {
    let note = |failure: &super::super::arena::SeatFailure| {
        let round = words.text("view.round", &[("round", &failure.round)]);
        let text = failure_text(&failure.seat, &failure.kind, words);
        Block::toned(Tone::Note, joined([Some(round), Some(text)]))
    };
    outcome.agent_failures.iter().map(note).collect()
}
