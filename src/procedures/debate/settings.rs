//! The settings of a debate, checked and with every default filled in. How they are read from a
//! configuration stands in `config.rs`.

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

/// Everything that decides a debate, next to the seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Language of the debate; seats may differ.
    pub language: Language,
    /// What is to be answered.
    pub question: String,
    /// Material that was typed in or read from files, never to be trusted.
    pub context: Vec<Typed>,
    /// Where more material is got from in round 0.
    pub sources: Vec<Source>,
    /// Tokens of material in a question at most, by four characters each; 500 to 50,000.
    pub context_tokens: u32,
    /// How many of those who may take part do; `None`: all.
    pub team_size: Option<u32>,
    /// The field of the question.
    pub domain: Option<String>,
    /// Which names fit which field.
    pub domain_patterns: Vec<DomainPatterns>,
    /// What happens with the result.
    pub after: Vec<After>,
    /// Compares proposals by meaning; `None`: their words are compared.
    pub embeddings: Option<Embeddings>,
    /// The model that reads what the rules do not understand.
    pub reader: Option<Seat>,
    /// Who sits at the table, in configuration order.
    pub debaters: Vec<Debater>,
    /// The rounds, in order.
    pub schedule: Vec<Round>,
    /// Rounds that may follow where the judge finds the matter open, 0 to 12.
    pub max_extended_rounds: u32,
    /// Whether fresh critiques precede every revision after the first.
    pub recritique: bool,
    /// Questions at once.
    pub at_once: AtOnce,
    /// Who criticises whom.
    pub topology: Topology,
    /// The part of the others that criticise, under `sparse`.
    pub sparsity: f64,
    /// The hub of a star.
    pub hub: Option<String>,
    /// When proposals have become one; `None`: it is never looked for.
    pub convergence: Option<convergence::Settings>,
    /// When votes are a consensus.
    pub rules: Rules,
    /// What votes weigh, and when the debate may stop.
    pub voting: Voting,
    /// Who judges where no seat has that role.
    pub judge_selection: Selection,
    /// Steps in where agreement has no foundation; `None`: nobody does.
    pub trickster: Option<trickster::Config>,
    /// Whether patterns of speech are noted.
    pub observer: bool,
    /// Whether seats are told to think in turning ways.
    pub role_rotation: bool,
    /// 0: contradict; 10: seek agreement.
    pub agreement_intensity: u32,
    /// What participants have behind them, for the team, the judge, weights and ties.
    pub ratings: BTreeMap<String, Rated>,
    /// Time limit of a first try in seconds; the factor by which the next ones grow.
    pub timeout: f64,
    /// See `timeout`.
    pub backoff_factor: f64,
    /// Seed, 0 to 2³¹−1, where the configuration names one.
    pub seed: Option<u32>,
    /// Own wordings by language and key.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    /// Limits of the run.
    pub limits: Limits,
    /// Tokens of an answer at most.
    pub max_answer_tokens: u32,
    /// In which form models and programs are asked to answer.
    pub answers: Answers,
}

/// Material from the one who holds the debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// What it is; may be empty.
    pub title: String,
    /// What it says.
    pub text: String,
    /// Where it is from, e.g. the name of a file.
    pub origin: Option<String>,
}

/// A model that makes vectors of texts, by which proposals are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// Its name at the endpoint.
    pub model: String,
    /// The endpoint, which speaks OpenAI's `/embeddings`.
    pub base_url: String,
    /// Time limit in seconds, 1 to 600.
    pub timeout: f64,
}

/// Where material is got from.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Its name, where it needs one.
    pub name: Option<String>,
    /// Address of a feed.
    pub url: Option<String>,
    /// Items at most, 1 to 20.
    pub limit: u32,
    /// Time limit in seconds, 1 to 60.
    pub timeout: f64,
}

impl Source {
    /// The name of the seat that answers for it, e.g. `source:knowledge`.
    #[must_use]
    pub fn seat_name(&self) -> String {
        let kind = self.kind.name();
        match self.url.as_deref().or(self.name.as_deref()) {
            Some(which) => format!("source:{kind} {which}"),
            None => format!("source:{kind}"),
        }
    }
}

/// Kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// What was learnt before.
    Knowledge,
    /// Earlier debates.
    Debates,
    /// RSS, Atom or JSON at an address.
    Feed,
    /// The embedding program.
    Program,
}

impl SourceKind {
    /// By the names that configurations and records use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("knowledge", Self::Knowledge),
        ("debates", Self::Debates),
        ("feed", Self::Feed),
        ("program", Self::Program),
    ];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// What a participant has behind it when a debate begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// Rating; who never played has [`elo::START`].
    pub elo: f64,
    /// The mean squared difference of confidence and what came true, 0 to 1, where it is known.
    pub brier: Option<f64>,
    /// Predictions that `brier` is of.
    pub predictions: u32,
    /// Debates so far.
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
    /// How well confidence fits, 0 to 1; 0 while there are too few predictions to tell.
    #[must_use]
    pub fn calibration(&self) -> f64 {
        let sum = |brier: f64| brier * f64::from(self.predictions);
        self.brier
            .map_or(0.0, |brier| calibration::score(self.predictions, sum(brier)))
    }
}

/// A place at the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Debater {
    /// Who answers.
    pub seat: Seat,
    /// Who provides the answers: a company, a server, or the kind of the seat.
    pub provider: String,
    /// What for.
    pub role: Role,
    /// Where it is told to stand.
    pub stance: Stance,
}

/// What a seat is there for. All but judges criticise and vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Has a proposal.
    #[default]
    Proposer,
    /// Has a proposal, and is to put the parts together.
    Synthesizer,
    /// Has none.
    Critic,
    /// Judges, and nothing else.
    Judge,
}

impl Role {
    /// By the names that configurations use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("proposer", Self::Proposer),
        ("synthesizer", Self::Synthesizer),
        ("critic", Self::Critic),
        ("judge", Self::Judge),
    ];
}

/// Where a seat is told to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stance {
    /// Weighs.
    #[default]
    Neutral,
    /// Defends.
    Affirmative,
    /// Challenges.
    Negative,
}

impl Stance {
    /// By the names that configurations use.
    pub const ALL: [(&'static str, Self); 3] = [
        ("neutral", Self::Neutral),
        ("affirmative", Self::Affirmative),
        ("negative", Self::Negative),
    ];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, stance)| *stance == self);
        own.map_or("", |(name, _)| name)
    }
}

/// Questions at once (seed 003: 5, 15, 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtOnce {
    /// Proposals; votes too.
    pub proposals: u32,
    /// Critiques.
    pub critiques: u32,
    /// Revisions and refinements.
    pub revisions: u32,
}

/// A round of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number; several steps may share one.
    pub number: u32,
    /// What is done.
    pub kind: RoundKind,
    /// Whether the proposals are compared at its end.
    pub converge: bool,
}

/// What is done in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundKind {
    /// Gathers what there is to know.
    Context,
    /// All propose.
    Propose,
    /// All criticise.
    Critique,
    /// Proposals are revised by the critiques.
    Revise,
    /// Proposals are refined by all that was said.
    Refine,
    /// All vote.
    Vote,
    /// The judge scores, ranks and sums up.
    Judge,
}

impl RoundKind {
    /// By the names that configurations and records use.
    pub const ALL: [(&'static str, Self); 7] = [
        ("context", Self::Context),
        ("propose", Self::Propose),
        ("critique", Self::Critique),
        ("revise", Self::Revise),
        ("refine", Self::Refine),
        ("vote", Self::Vote),
        ("judge", Self::Judge),
    ];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let own = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        own.map_or("", |(name, _)| name)
    }
}

/// The nine rounds of the seed: context, proposals, critiques, three revisions that may converge,
/// refinement, votes, judge.
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

/// The loop of the published program: critique and revision in each of nine rounds, the seventh one a
/// refinement; proposals are compared with those of the round before from the third on.
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
