//! Settings of a debate, checked and with all defaults; read by `config.rs`.

use super::rules::after::After;
use super::rules::consensus::Rules;
use super::rules::judging::Selection;
use super::rules::team::DomainPatterns;
use super::rules::topology::Topology;
use super::rules::trickster;
use super::rules::{calibration, convergence, elo};
use super::voting::Voting;
use crate::core::limits::Limits;
use crate::language::Language;
use crate::procedures::answers::Answers;
use crate::seat::Seat;
use std::collections::BTreeMap;

/// All inputs of a debate besides the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Default language; seats may differ.
    pub language: Language,
    pub question: String,
    /// Material typed in or read from files. Untrusted input.
    pub context: Vec<Typed>,
    /// Sources of further material in round 0.
    pub sources: Vec<Source>,
    /// Maximum material per question, in tokens of four characters; 500 to 50,000.
    pub context_tokens: u32,
    /// Number of participants to select; `None`: all.
    pub team_size: Option<u32>,
    /// Field of the question.
    pub domain: Option<String>,
    /// Names that fit a field.
    pub domain_patterns: Vec<DomainPatterns>,
    /// Rules for the result.
    pub after: Vec<After>,
    /// Model to compare proposals by meaning; `None`: their words are compared.
    pub embeddings: Option<Embeddings>,
    /// Model for answers that the rules cannot read.
    pub reader: Option<Seat>,
    /// In configuration order.
    pub debaters: Vec<Debater>,
    pub schedule: Vec<Round>,
    /// Maximum number of further rounds while the judge finds the matter open, 0 to 12.
    pub max_extended_rounds: u32,
    /// Whether each revision after the first is preceded by new critiques.
    pub recritique: bool,
    /// Maximum numbers of concurrent questions.
    pub at_once: AtOnce,
    pub topology: Topology,
    /// Fraction of the other seats that criticise under `sparse`.
    pub sparsity: f64,
    /// Hub of a star.
    pub hub: Option<String>,
    /// When proposals have converged; `None`: not checked.
    pub convergence: Option<convergence::Settings>,
    /// When votes are a consensus.
    pub rules: Rules,
    /// Weights of votes, and early stopping.
    pub voting: Voting,
    /// Selection of a judge if no seat has that role.
    pub judge_selection: Selection,
    /// Challenges of agreement without evidence; `None`: off.
    pub trickster: Option<trickster::Config>,
    /// Whether rhetorical patterns are recorded.
    pub observer: bool,
    /// Whether thinking roles rotate.
    pub role_rotation: bool,
    /// 0: contradict; 10: seek agreement.
    pub agreement_intensity: u32,
    /// History of the participants, for team, judge, weights and ties.
    pub ratings: BTreeMap<String, Rated>,
    /// Time limit of the first attempt, in seconds.
    pub timeout: f64,
    /// Factor by which the time limit grows with each attempt.
    pub backoff_factor: f64,
    /// 0 to 2³¹−1; `None`: not configured.
    pub seed: Option<u32>,
    /// Custom wordings by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    pub limits: Limits,
    pub max_answer_tokens: u32,
    /// Format in which models and programs are asked to answer.
    pub answers: Answers,
}

/// Material from the owner of the debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// May be empty.
    pub title: String,
    pub text: String,
    /// Where it is from, e.g. the name of a file.
    pub origin: Option<String>,
}

/// An embedding model, used to compare proposals.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    pub model: String,
    /// Endpoint with OpenAI's `/embeddings`.
    pub base_url: String,
    /// In seconds, 1 to 600.
    pub timeout: f64,
}

/// A source of material.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub kind: SourceKind,
    pub name: Option<String>,
    /// Address of a feed.
    pub url: Option<String>,
    /// Maximum number of items, 1 to 20.
    pub limit: u32,
    /// In seconds, 1 to 60.
    pub timeout: f64,
}

impl Source {
    /// Returns the name of the source's seat, e.g. `source:knowledge`.
    #[must_use]
    pub fn seat_name(&self) -> String {
        let kind = self.kind.name();
        match self.url.as_deref().or(self.name.as_deref()) {
            Some(which) => format!("source:{kind} {which}"),
            None => format!("source:{kind}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// Insights from earlier debates.
    Knowledge,
    /// Earlier debates.
    Debates,
    /// RSS, Atom or JSON at an address.
    Feed,
    /// The embedding program.
    Program,
}

impl SourceKind {
    /// By the names used in configurations and records.
    pub const ALL: [(&'static str, Self); 4] = [
        ("knowledge", Self::Knowledge),
        ("debates", Self::Debates),
        ("feed", Self::Feed),
        ("program", Self::Program),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// History of a participant at the start of a debate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// [`elo::START`] for new participants.
    pub elo: f64,
    /// Mean squared difference between confidence and outcome, 0 to 1.
    pub brier: Option<f64>,
    /// Number of predictions behind `brier`.
    pub predictions: u32,
    /// Number of earlier debates.
    pub debates: u32,
}

impl Default for Rated {
    fn default() -> Self {
        Self {
            elo: elo::START,
            brier: None,
            predictions: 0,
            debates: 0,
        }
    }
}

impl Rated {
    /// Returns how well confidence matches outcomes, 0 to 1; 0 with too few predictions.
    #[must_use]
    pub fn calibration(&self) -> f64 {
        let sum = |brier: f64| brier * f64::from(self.predictions);
        self.brier
            .map_or(0.0, |brier| calibration::score(self.predictions, sum(brier)))
    }
}

/// A participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Debater {
    pub seat: Seat,
    /// A company, a server, or the kind of the seat.
    pub provider: String,
    pub role: Role,
    pub stance: Stance,
}

/// Role of a seat. All but judges criticise and vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Proposer,
    /// Has a proposal, and is to combine the parts.
    Synthesizer,
    /// Has no proposal.
    Critic,
    /// Only judges.
    Judge,
}

impl Role {
    /// By the names used in configurations.
    pub const ALL: [(&'static str, Self); 4] = [
        ("proposer", Self::Proposer),
        ("synthesizer", Self::Synthesizer),
        ("critic", Self::Critic),
        ("judge", Self::Judge),
    ];
}

/// Assigned stance of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stance {
    #[default]
    Neutral,
    Affirmative,
    Negative,
}

impl Stance {
    /// By the names used in configurations.
    pub const ALL: [(&'static str, Self); 3] = [
        ("neutral", Self::Neutral),
        ("affirmative", Self::Affirmative),
        ("negative", Self::Negative),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, stance)| *stance == self);
        own.map_or("", |(name, _)| name)
    }
}

/// Maximum numbers of concurrent questions (seed 003: 5, 15, 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtOnce {
    /// Applies to votes, too.
    pub proposals: u32,
    pub critiques: u32,
    /// Applies to refinements, too.
    pub revisions: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Several steps may have the same number.
    pub number: u32,
    pub kind: RoundKind,
    /// Whether the proposals are compared at its end.
    pub converge: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundKind {
    /// Gathers material.
    Context,
    Propose,
    Critique,
    /// Revises proposals after critiques.
    Revise,
    /// Refines proposals in the light of the whole debate.
    Refine,
    Vote,
    /// Scores, ranking and synthesis by the judge.
    Judge,
}

impl RoundKind {
    /// By the names used in configurations and records.
    pub const ALL: [(&'static str, Self); 7] = [
        ("context", Self::Context),
        ("propose", Self::Propose),
        ("critique", Self::Critique),
        ("revise", Self::Revise),
        ("refine", Self::Refine),
        ("vote", Self::Vote),
        ("judge", Self::Judge),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// Returns the nine rounds of the seed: context, proposals, critiques, three revisions with convergence
/// checks, refinement, votes, judge.
#[must_use]
pub fn nine_rounds() -> Vec<Round> {
    use RoundKind::{Context, Critique, Judge, Propose, Refine, Revise, Vote};
    let kinds = [
        Context, Propose, Critique, Revise, Revise, Revise, Refine, Vote, Judge,
    ];
    let round = |(number, kind)| Round {
        number,
        kind,
        converge: kind == Revise,
    };
    (0..).zip(kinds).map(round).collect()
}

/// Returns the loop of the published program: critique and revision in each of nine rounds, the seventh a
/// refinement; from the third on, proposals are compared with those of the previous round.
#[must_use]
pub fn classic() -> Vec<Round> {
    use RoundKind::{Context, Critique, Judge, Propose, Refine, Revise, Vote};
    let step = |number, kind| Round {
        number,
        kind,
        converge: false,
    };
    let mut schedule = vec![step(0, Context), step(0, Propose)];
    for number in 1..=9 {
        if number == 7 {
            schedule.push(step(number, Refine));
            continue;
        }
        schedule.push(step(number, Critique));
        schedule.push(Round {
            converge: number > 2,
            ..step(number, Revise)
        });
    }
    schedule.extend([step(10, Vote), step(10, Judge)]);
    schedule
}
