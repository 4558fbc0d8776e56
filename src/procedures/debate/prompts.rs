//! Prompts of a debate: `prompts/*.txt` with these variables. Text by others is always quoted, line by line,
//! under a heading of the lab.

use super::material::TYPED;
use super::rules::topology::CognitiveRole;
use super::rules::trickster::{Challenge, Intervention, Lack};
use super::settings::debaters::{Role, Stance};
use crate::language::prompts::prompts;
use crate::language::words::Words;
use crate::procedures::debate::context::{Objection, Proposal, SourceItem};
use crate::procedures::quote::{inline, quoted};

prompts! {
    pub(crate) static PROMPTS in "prompts";

    struct SystemText {
        /// Name of the participant.
        name: String,
        /// The participant's personality, if it has one.
        personality: String,
        /// Has a value if the participant judges.
        judge: bool,
        /// Has a value if the participant speaks for the position of the question.
        affirmative: bool,
        /// Has a value if the participant speaks against the position of the question.
        negative: bool,
        /// Has a value for debaters with `agreement_intensity` 0 or 1.
        oppose: bool,
        /// Has a value for debaters with `agreement_intensity` 2 or 3.
        doubt: bool,
        /// Has a value for debaters with `agreement_intensity` 4 to 6.
        weigh: bool,
        /// Has a value for debaters with `agreement_intensity` 7 or 8.
        common: bool,
        /// Has a value for debaters with `agreement_intensity` 9 or 10.
        build: bool,
        /// Has a value if the thinking role of the round is to analyse.
        analyst: bool,
        /// Has a value if the thinking role of the round is to doubt.
        skeptic: bool,
        /// Has a value if the thinking role of the round is to look for new ways.
        lateral: bool,
        /// Has a value if the thinking role of the round is to put the parts together.
        synthesizer: bool,
    }
    /// System text: participant, side, attitude and thinking role.
    fn system;

    struct OnQuestion {
        /// The question, quoted.
        question: String,
        /// The filled-in prompt `material`, if there is material.
        material: String,
    }
    /// Asks for a proposal.
    fn proposal;

    struct OnProposals {
        /// The question, quoted.
        question: String,
        /// The filled-in prompt `material`, if there is material.
        material: String,
        /// The proposal or proposals to look at, each quoted under its label.
        proposals: String,
        /// Labels of the proposals, separated by commas.
        choices: String,
    }
    /// Asks for a critique of a proposal.
    fn critique;
    /// Asks whether to stop.
    fn poll;
    /// Asks the judge, who does not know the authors, whether the question is settled.
    fn termination;
    /// Asks for a vote.
    fn vote;
    /// Asks whether the participant would accept the proposal shown (Byzantine agreement).
    fn prepare;
    /// Asks whether the participant commits to the proposal shown (Byzantine agreement).
    fn commit;
    /// Asks the judge, who does not know the authors, for a judgement.
    fn judge;

    struct OnOwn {
        /// The question, quoted.
        question: String,
        /// The filled-in prompt `material`, if there is material.
        material: String,
        /// The participant's own proposal, quoted.
        own: String,
        /// The other proposals, each quoted under its author's name; only before the vote.
        proposals: String,
        /// Critiques of the own proposal, quoted, if there are any.
        critiques: String,
        /// The filled-in prompt `challenge`, if there is a challenge.
        challenge: String,
        /// The line that marks a proposal as final, if such marks are read.
        mark: &'static str,
    }
    /// Asks for a revision of the own proposal.
    fn revision;
    /// Asks for the last version of the own proposal before the vote.
    fn refinement;

    struct Material {
        /// Material given by the organiser, quoted, if there is any.
        given: String,
        /// Material from outside, quoted, if there is any.
        outside: String,
        /// How a piece of material is cited.
        example: String,
    }
    /// Part of other prompts: the material.
    fn material;

    struct ChallengeText {
        /// What is wrong with the proposals.
        found: String,
        /// Claims without support, quoted, if there are any.
        claims: String,
        /// What the own proposal lacks, one on each line after `- `, if anything.
        lacks: String,
    }
    /// Part of other prompts: a challenge to agreement without evidence.
    fn challenge;

    struct Again<'a> {
        /// The whole prompt that was answered.
        prompt: &'a str,
    }
    /// Repeats a prompt after an unusable answer.
    fn again;
}

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
    use CognitiveRole as Turn;
    let judge = of.role == Role::Judge;
    let is_within = |least, most| !judge && (least..=most).contains(&of.intensity);
    let prompt = SystemText {
        name: inline(of.name),
        personality: of.personality.trim().to_owned(),
        judge,
        affirmative: of.stance == Stance::Affirmative,
        negative: of.stance == Stance::Negative,
        oppose: is_within(0, 1),
        doubt: is_within(2, 3),
        weigh: is_within(4, 6),
        common: is_within(7, 8),
        build: is_within(9, u32::MAX),
        analyst: matches!(of.turn, Some(Turn::Analyst)),
        skeptic: matches!(
            of.turn,
            Some(Turn::Skeptic | Turn::DevilAdvocate | Turn::QualityChallenger)
        ),
        lateral: matches!(of.turn, Some(Turn::LateralThinker)),
        synthesizer: matches!(of.turn, Some(Turn::Synthesizer | Turn::Advocate)),
    };
    prompt.system(words)
}

/// Builds the part about the material; empty if there is none.
fn material(words: &Words, items: &[SourceItem]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let of_tier = |is_given| {
        let items = items.iter().filter(|item| (item.kind == TYPED) == is_given);
        let items: Vec<String> = items.map(|item| evidence(words, item)).collect();
        items.join("\n\n")
    };
    let prompt = Material {
        given: of_tier(true),
        outside: of_tier(false),
        example: cited("1"),
    };
    prompt.material(words)
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

pub(super) fn proposal(words: &Words, of: &PromptContext<'_>) -> String {
    let prompt = OnQuestion {
        question: quoted(of.question),
        material: material(words, of.context),
    };
    prompt.proposal(words)
}

pub(super) fn critique(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, SHOWN).critique(words)
}

pub(super) fn poll(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, SHOWN).poll(words)
}

pub(super) fn vote(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, SHOWN).vote(words)
}

pub(super) fn prepare(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, SHOWN).prepare(words)
}

pub(super) fn commit(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, SHOWN).commit(words)
}

pub(super) fn termination(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, BLIND).termination(words)
}

pub(super) fn judge(words: &Words, of: &PromptContext<'_>) -> String {
    on_proposals(words, of, BLIND).judge(words)
}

/// Heading of a proposal whose label is its author's name.
const SHOWN: &str = "debate.proposal.shown";
/// Heading of a proposal with a [`blind_label`].
const BLIND: &str = "debate.proposal.blind";

fn on_proposals(words: &Words, of: &PromptContext<'_>, heading: &str) -> OnProposals {
    let labels: Vec<String> = of.proposals.iter().map(|shown| inline(&shown.label)).collect();
    OnProposals {
        question: quoted(of.question),
        material: material(words, of.context),
        proposals: proposals(words, of, heading),
        choices: labels.join(", "),
    }
}

fn proposals(words: &Words, of: &PromptContext<'_>, heading: &str) -> String {
    let one = |shown: &Proposal| {
        let (label, text) = (inline(&shown.label), quoted(&shown.text));
        words.text(heading, &[("label", &label), ("text", &text)])
    };
    of.proposals.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// Marker for a final proposal, parsed by [`crate::reading::signals`]; the same in all languages.
const READY: &str = "[READY: confidence=0.9, ready=true]";

pub(super) fn revision(words: &Words, of: &PromptContext<'_>) -> String {
    on_own(words, of, "").revision(words)
}

/// Asks for a revision, and explains how to mark the proposal as final.
pub(super) fn revision_or_ready(words: &Words, of: &PromptContext<'_>) -> String {
    on_own(words, of, READY).revision(words)
}

pub(super) fn refinement(words: &Words, of: &PromptContext<'_>) -> String {
    on_own(words, of, "").refinement(words)
}

fn on_own(words: &Words, of: &PromptContext<'_>, mark: &'static str) -> OnOwn {
    let critiques: Vec<String> = of
        .critiques
        .iter()
        .map(|critique| objection(words, critique))
        .collect();
    OnOwn {
        question: quoted(of.question),
        material: material(words, of.context),
        own: quoted(of.own.unwrap_or_default()),
        proposals: proposals(words, of, SHOWN),
        critiques: critiques.join("\n\n"),
        challenge: of.challenge.unwrap_or_default().to_owned(),
        mark,
    }
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

/// Label of a proposal for a judge, in place of the author's name.
pub(super) fn blind_label(words: &Words, number: usize) -> String {
    words.text("debate.proposal.number", &[("number", &number)])
}

/// Repeats a question after an unusable answer.
pub(super) fn repeat_question(words: &Words, prompt: &str) -> String {
    Again { prompt }.again(words)
}

/// Formats a challenge for one of its targets.
pub(super) fn challenge(words: &Words, of: &Challenge, seat: &str) -> String {
    let found = match of.kind {
        Intervention::EvidenceGap => "debate.challenge.evidence_gap",
        Intervention::EchoChamber => "debate.challenge.echo_chamber",
        Intervention::NoveltyChallenge => "debate.challenge.novelty",
        _ => "debate.challenge.hollow",
    };
    let gaps = of
        .gaps
        .iter()
        .filter(|gap| gap.seats.iter().any(|name| name == seat));
    let claims: Vec<String> = gaps.map(|gap| quoted(&gap.claim)).collect();
    let own = of.lacks.iter().filter(|(name, _)| name == seat);
    let lacks = own.flat_map(|(_, lacks)| lacks).map(|lack| {
        let key = match lack {
            Lack::Citations => "debate.challenge.lacks_citations",
            Lack::Specificity => "debate.challenge.lacks_specificity",
            Lack::Reasoning => "debate.challenge.lacks_reasoning",
            Lack::EvidenceDiversity => "debate.challenge.lacks_diversity",
        };
        format!("- {}", words.text(key, &[]))
    });
    let lacks: Vec<String> = lacks.collect();
    let prompt = ChallengeText {
        found: words.text(found, &[]),
        claims: claims.join("\n"),
        lacks: lacks.join("\n"),
    };
    prompt.challenge(words)
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
