//! Prompts of a debate. Text by others is always quoted, line by line, under a heading of the lab.

use super::material::TYPED;
use super::rules::topology::CognitiveRole;
use super::rules::trickster::{Challenge, Intervention, Lack};
use super::settings::debaters::{Role, Stance};
use crate::language::words::Words;
use crate::procedures::debate::context::{Objection, Proposal, SourceItem};
use crate::procedures::quote::{inline, quoted};
use std::fmt::Display;

/// Contents of a system prompt.
pub(super) struct System<'a> {
    pub(super) name: &'a str,
    pub(super) personality: &'a str,
    pub(super) role: Role,
    pub(super) stance: Stance,
    /// Thinking role of this round.
    pub(super) turn: Option<CognitiveRole>,
    /// 0 (contradict) to 10 (seek agreement).
    pub(super) intensity: u32,
}

/// Builds the system prompt of a request.
pub(super) fn system(words: &Words, of: &System<'_>) -> String {
    let mut blocks = vec![words.text("debate.system.name", &[("name", &inline(of.name))])];
    if !of.personality.trim().is_empty() {
        blocks.push(of.personality.trim().to_owned());
    }
    let is_judge = of.role == Role::Judge;
    let key = if is_judge {
        "debate.system.judge"
    } else {
        "debate.system.debater"
    };
    blocks.push(words.text(key, &[]));
    match of.stance {
        Stance::Neutral => {}
        Stance::Affirmative => blocks.push(words.text("debate.stance.affirmative", &[])),
        Stance::Negative => blocks.push(words.text("debate.stance.negative", &[])),
    }
    if !is_judge {
        let attitude = match of.intensity {
            0..=1 => "debate.attitude.oppose",
            2..=3 => "debate.attitude.doubt",
            4..=6 => "debate.attitude.weigh",
            7..=8 => "debate.attitude.common",
            _ => "debate.attitude.build",
        };
        blocks.push(words.text(attitude, &[]));
    }
    if let Some(turn) = of.turn {
        blocks.push(words.text(role_key(turn), &[]));
    }
    blocks.push(words.text("debate.system.untrusted", &[]));
    blocks.push(words.text("debate.system.language", &[]));
    blocks.join("\n\n")
}

fn role_key(turn: CognitiveRole) -> &'static str {
    match turn {
        CognitiveRole::Analyst => "debate.way.analyst",
        CognitiveRole::Skeptic | CognitiveRole::DevilAdvocate | CognitiveRole::QualityChallenger => {
            "debate.way.skeptic"
        }
        CognitiveRole::LateralThinker => "debate.way.lateral",
        CognitiveRole::Synthesizer | CognitiveRole::Advocate => "debate.way.synthesizer",
    }
}

/// Builds the beginning of each request: the question with the material.
fn opening(words: &Words, question: &str, context: &[SourceItem]) -> String {
    let mut blocks = vec![words.text("debate.request.question", &[("question", &quoted(question))])];
    for (is_given, tier) in [(true, "debate.context.given"), (false, "debate.context.outside")] {
        let of_tier = |item: &&SourceItem| (item.kind == TYPED) == is_given;
        if context.iter().any(|item| of_tier(&item)) {
            blocks.push(words.text(tier, &[]));
        }
        blocks.extend(context.iter().filter(of_tier).map(|item| evidence(words, item)));
    }
    if !context.is_empty() {
        blocks.push(words.text("debate.context.cite", &[("example", &cited("1"))]));
    }
    blocks.join("\n\n")
}

/// Formats a citation number, the same in all languages.
fn cited(number: &str) -> String {
    format!("[EVID-{number}]")
}

/// Formats a piece of material. Only its number and kind are the lab's words; title and origin are quoted.
fn evidence(words: &Words, item: &SourceItem) -> String {
    let kind = words.text(
        match item.kind.as_str() {
            TYPED => "debate.context.typed",
            "knowledge" => "debate.context.knowledge",
            "debates" => "debate.context.debates",
            "feed" => "debate.context.feed",
            _ => "debate.context.program",
        },
        &[],
    );
    let mut lines = vec![words.text(
        "debate.context.item",
        &[("number", &cited(&item.evidence)), ("kind", &kind)],
    )];
    if let Some(confidence) = item.confidence {
        let percent = (confidence * 100.0).round() as u32;
        lines.push(words.text("debate.context.confidence", &[("percent", &percent)]));
    }
    if !item.tainted.is_empty() {
        lines.push(words.text("debate.context.tainted", &[]));
    }
    let head = [Some(item.title.as_str()), item.origin.as_deref()];
    let mut quotation: Vec<String> = head.into_iter().flatten().map(inline).collect();
    quotation.retain(|line| !line.is_empty());
    quotation.push(item.text.clone());
    lines.push(format!("\n{}", quoted(&quotation.join("\n"))));
    lines.join("\n")
}

/// Contents that a request may show.
pub(super) struct PromptContext<'a> {
    pub(super) question: &'a str,
    pub(super) context: &'a [SourceItem],
    pub(super) own: Option<&'a str>,
    pub(super) proposals: &'a [Proposal],
    pub(super) critiques: &'a [Objection],
    pub(super) challenge: Option<&'a str>,
}

fn request(words: &Words, of: &PromptContext<'_>, task: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut blocks = vec![opening(words, of.question, of.context)];
    if let Some(own) = of.own {
        blocks.push(words.text("debate.request.own", &[("text", &quoted(own))]));
    }
    let key = if matches!(task, "debate.judge.task" | "debate.termination.task") {
        "debate.proposal.blind"
    } else {
        "debate.proposal.shown"
    };
    for proposal in of.proposals {
        let values: [(&str, &dyn Display); 2] = [
            ("label", &inline(&proposal.label)),
            ("text", &quoted(&proposal.text)),
        ];
        blocks.push(words.text(key, &values));
    }
    for critique in of.critiques {
        blocks.push(objection(words, critique));
    }
    if let Some(challenge) = of.challenge {
        blocks.push(challenge.to_owned());
    }
    blocks.push(words.text(task, values));
    blocks.join("\n\n")
}

fn objection(words: &Words, of: &Objection) -> String {
    let severity = match of.severity {
        Some(severity) => (severity.round() as u32).to_string(),
        None => words.text("debate.critique.unrated", &[]),
    };
    let mut lines = vec![words.text(
        "debate.critique.shown",
        &[("critic", &inline(&of.critic)), ("severity", &severity)],
    )];
    let mut add = |key: &str, texts: &[String]| {
        for text in texts {
            lines.push(format!("> {}: {}", words.text(key, &[]), inline(text)));
        }
    };
    add("debate.critique.issue", &of.issues);
    add("debate.critique.suggestion", &of.suggestions);
    if !of.reasoning.is_empty() {
        lines.push(quoted(&of.reasoning));
    }
    lines.join("\n")
}

pub(super) fn proposal(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.proposal.task", &[])
}

pub(super) fn critique(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.critique.task", &[])
}

pub(super) fn revision(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.revision.task", &[])
}

/// Marker for a final proposal, parsed by [`crate::reading::signals`]; the same in all languages.
const READY: &str = "[READY: confidence=0.9, ready=true]";

/// Asks for a revision, and explains how to mark the proposal as final.
pub(super) fn revision_or_ready(words: &Words, of: &PromptContext<'_>) -> String {
    let ready = words.text("debate.revision.ready", &[("mark", &READY)]);
    format!("{}\n\n{ready}", revision(words, of))
}

/// Asks whether to stop.
pub(super) fn poll(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.poll.task", &[])
}

/// Asks the judge whether the matter is settled.
pub(super) fn termination(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.termination.task", &[])
}

/// Asks whether the seat would accept the proposal shown.
pub(super) fn prepare(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.prepare.task", &[])
}

/// Asks whether the seat commits to the proposal.
pub(super) fn commit(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.commit.task", &[])
}

pub(super) fn refinement(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.refinement.task", &[])
}

pub(super) fn vote(words: &Words, of: &PromptContext<'_>) -> String {
    let labels: Vec<String> = of.proposals.iter().map(|shown| inline(&shown.label)).collect();
    request(words, of, "debate.vote.task", &[("choices", &labels.join(", "))])
}

pub(super) fn judge(words: &Words, of: &PromptContext<'_>) -> String {
    request(words, of, "debate.judge.task", &[])
}

/// Label of a proposal for a judge, in place of the author's name.
pub(super) fn blind_label(words: &Words, number: usize) -> String {
    words.text("debate.proposal.number", &[("number", &number)])
}

/// Repeats a question after an unusable answer.
pub(super) fn repeat_question(words: &Words, prompt: &str) -> String {
    words.text("debate.request.again", &[("prompt", &prompt)])
}

/// Formats a challenge for one of its targets.
pub(super) fn challenge(words: &Words, of: &Challenge, seat: &str) -> String {
    let found = match of.kind {
        Intervention::EvidenceGap => "debate.challenge.evidence_gap",
        Intervention::EchoChamber => "debate.challenge.echo_chamber",
        Intervention::NoveltyChallenge => "debate.challenge.novelty",
        _ => "debate.challenge.hollow",
    };
    let mut lines = vec![words.text(found, &[])];
    for gap in of
        .gaps
        .iter()
        .filter(|gap| gap.seats.iter().any(|name| name == seat))
    {
        lines.push(quoted(&gap.claim));
    }
    for lack in of
        .lacks
        .iter()
        .filter(|(name, _)| name == seat)
        .flat_map(|(_, lacks)| lacks)
    {
        let key = match lack {
            Lack::Citations => "debate.challenge.lacks_citations",
            Lack::Specificity => "debate.challenge.lacks_specificity",
            Lack::Reasoning => "debate.challenge.lacks_reasoning",
            Lack::EvidenceDiversity => "debate.challenge.lacks_diversity",
        };
        lines.push(format!("- {}", words.text(key, &[])));
    }
    lines.push(words.text("debate.challenge.demand", &[]));
    lines.join("\n")
}

/// Joins the proposals if there is no decision.
pub(super) fn side_by_side(words: &Words, proposals: &[(String, String)]) -> String {
    let one = |(name, text): &(String, String)| {
        words.text(
            "debate.request.side_by_side",
            &[("name", &inline(name)), ("text", text)],
        )
    };
    proposals.iter().map(one).collect::<Vec<_>>().join("\n\n")
}
