//! Kinds of questions in the experiment: name in records, form, and how answers are read. Under the profile `compat` ballots
//! are read as by the published program, under which the published runs replay; it knows no JSON.

use super::context::JusticeContext;
use super::event::Moment;
use super::forms::FormQuestion;
use super::history::strip_emphasis;
use super::prompts::memory::remove_end_marker;
use super::settings::{Participant, Profile, Settings};
use crate::core::form::Form;
use crate::language::Language;
use crate::language::words::Words;
use crate::principle::{Choice, Principle, Ranking};
use crate::procedures::answers::QuestionKind;
use crate::reading::structured::{self, Stated};
use crate::reading::{self, AmountBounds, How, Reading, compat};
use serde_json::Value;
use std::rc::Rc;

/// Phase 1: the first ranking.
pub const INITIAL_RANKING: &str = "initial_ranking";
/// Phase 1: the worked examples, to be acknowledged.
pub const EXPLANATION: &str = "explanation";
/// Phase 1: the ranking after the examples.
pub const POST_EXPLANATION_RANKING: &str = "post_explanation_ranking";
/// Phase 1: an application round.
pub const APPLICATION: &str = "application";
/// Phase 1: the amount missing from a choice.
pub const CONSTRAINT_RETRY: &str = "constraint_retry";
/// Phase 1: the ranking after the application rounds.
pub const FINAL_RANKING: &str = "final_ranking";
/// Phase 2: private reasoning before a statement.
pub const INTERNAL_REASONING: &str = "internal_reasoning";
/// Phase 2: a public statement.
pub const STATEMENT: &str = "statement";
/// Phase 2: a message in an open talk.
pub use crate::procedures::open_talk::MESSAGE;
/// Either phase: rewriting or compressing the own memory.
pub const MEMORY_UPDATE: &str = "memory_update";
/// Phase 2: whether to start a vote now.
pub const VOTE_INITIATION: &str = "vote_initiation";
/// Phase 2: whether to take part in the vote.
pub const VOTE_CONFIRMATION: &str = "vote_confirmation";
/// Phase 2: the principle on the ballot.
pub const BALLOT_PRINCIPLE: &str = "ballot_principle";
/// Phase 2: the amount on the ballot.
pub const BALLOT_AMOUNT: &str = "ballot_amount";
/// Phase 2: the ranking after the results.
pub const RESULTS_RANKING: &str = "results_ranking";

/// What form and readers know of a question.
#[derive(Clone)]
pub(super) struct QuestionContext {
    /// Texts of the experiment.
    pub(super) words: Rc<Words>,
    pub(super) settings: Rc<Settings>,
    /// Index of the asked participant.
    pub(super) index: usize,
    pub(super) facts: Rc<JusticeContext>,
}

impl QuestionContext {
    pub(super) fn participant(&self) -> &Participant {
        &self.settings.participants[self.index]
    }

    fn language(&self) -> Language {
        self.words.language()
    }

    fn is_compat(&self) -> bool {
        self.settings.profile == Profile::Compat
    }

    fn bounds(&self) -> AmountBounds {
        AmountBounds {
            min: self.settings.phase2.amount_min,
            max: self.settings.phase2.amount_max,
        }
    }
}

/// The ranking of the principles at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankingQuestion(pub(super) Moment);

impl QuestionKind for RankingQuestion {
    type Context = QuestionContext;
    type Answer = Ranking;

    fn name(self) -> &'static str {
        match self.0 {
            Moment::Initial => INITIAL_RANKING,
            Moment::PostExplanation => POST_EXPLANATION_RANKING,
            Moment::AfterApplications => FINAL_RANKING,
            Moment::AfterResults => RESULTS_RANKING,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        Some(FormQuestion::new(self.name(), context).ranking(self.0))
    }

    fn read_values(self, values: &Value, _: &QuestionContext) -> Option<Ranking> {
        structured::ranking_in(values.as_object()?).into_value()
    }

    fn read_json(self, text: &str, _: &QuestionContext) -> Option<Reading<Ranking>> {
        structured::ranking(text)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Ranking> {
        reading::ranking(text, context.language())
    }
}

/// The choice of an application round.
#[derive(Debug, Clone, Copy)]
pub(super) struct ApplicationQuestion;

impl QuestionKind for ApplicationQuestion {
    type Context = QuestionContext;
    type Answer = Choice;

    fn name(self) -> &'static str {
        APPLICATION
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        Some(FormQuestion::new(self.name(), context).application())
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<Choice> {
        structured::choice_in(values.as_object()?, context.language(), context.bounds()).into_value()
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Choice>> {
        structured::choice(text, context.language(), context.bounds())
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Choice> {
        reading::choice(text, context.language(), context.bounds())
    }
}

/// The amount that a principle needs.
#[derive(Debug, Clone, Copy)]
pub(super) enum AmountQuestion {
    /// It is missing from the choice of an application round.
    Missing,
    Ballot,
}

impl QuestionKind for AmountQuestion {
    type Context = QuestionContext;
    type Answer = u32;

    fn name(self) -> &'static str {
        match self {
            Self::Missing => CONSTRAINT_RETRY,
            Self::Ballot => BALLOT_AMOUNT,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        Some(match self {
            Self::Missing => question.missing_amount(),
            Self::Ballot => question.ballot_amount(),
        })
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<u32> {
        let (language, bounds) = (context.language(), context.bounds());
        structured::amount_in(values.as_object()?, "amount", language, bounds).into_value()
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<u32>> {
        match context.is_compat() {
            true => None,
            false => structured::amount(text, context.language(), context.bounds()),
        }
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<u32> {
        match context.is_compat() {
            true => compat::extract_amount(text),
            false => reading::amount(text, context.language(), context.bounds()),
        }
    }
}

/// Whether to start a vote, then whether to take part in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum AgreementQuestion {
    Initiation,
    Confirmation,
}

impl QuestionKind for AgreementQuestion {
    type Context = QuestionContext;
    type Answer = bool;

    fn name(self) -> &'static str {
        match self {
            Self::Initiation => VOTE_INITIATION,
            Self::Confirmation => VOTE_CONFIRMATION,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        Some(match self {
            Self::Initiation => question.initiation(),
            Self::Confirmation => question.confirmation(),
        })
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<bool> {
        structured::yes_no_in(values.as_object()?, context.language()).into_value()
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<bool>> {
        match context.is_compat() {
            true => None,
            false => structured::yes_no(text, &["answer"], context.language()),
        }
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<bool> {
        match context.is_compat() {
            true => compat::agreement(text),
            false => reading::agreement(text, context.language()),
        }
    }
}

/// The principle on the ballot. A person's form has its amount, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct BallotQuestion;

impl QuestionKind for BallotQuestion {
    type Context = QuestionContext;
    type Answer = Principle;

    fn name(self) -> &'static str {
        BALLOT_PRINCIPLE
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        Some(FormQuestion::new(self.name(), context).ballot())
    }

    fn read_values(self, values: &Value, _: &QuestionContext) -> Option<Principle> {
        structured::principle_in(values.as_object()?).into_value()
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Principle>> {
        match context.is_compat() {
            true => None,
            false => structured::principle(text),
        }
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Principle> {
        match context.is_compat() {
            true => compat::principle(text),
            false => reading::principle(text, context.language()),
        }
    }
}

/// A statement to the group, with what its speaker names beside it. Plain text names nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatementQuestion;

impl QuestionKind for StatementQuestion {
    type Context = QuestionContext;
    type Answer = Stated;

    fn name(self) -> &'static str {
        STATEMENT
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        Some(FormQuestion::new(self.name(), context).statement())
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<Stated> {
        structured::stated_in(values.as_object()?, context.language(), context.bounds())
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Stated>> {
        match context.is_compat() {
            true => None,
            false => structured::statement(text, context.language(), context.bounds()),
        }
    }

    fn read_text(self, text: &str, _: &QuestionContext) -> Reading<Stated> {
        let stated = Stated {
            text: text.to_owned(),
            ..Stated::default()
        };
        Reading::read(stated, How::Length)
    }
}

/// A message in an open talk, read as a statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageQuestion;

impl QuestionKind for MessageQuestion {
    type Context = QuestionContext;
    type Answer = Stated;

    fn name(self) -> &'static str {
        MESSAGE
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        Some(FormQuestion::new(self.name(), context).message())
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<Stated> {
        StatementQuestion.read_values(values, context)
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Stated>> {
        StatementQuestion.read_json(text, context)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Stated> {
        StatementQuestion.read_text(text, context)
    }
}

/// A text that is taken as it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextQuestion {
    Explanation,
    Reasoning,
    Memory,
}

impl QuestionKind for TextQuestion {
    type Context = QuestionContext;
    type Answer = String;

    fn name(self) -> &'static str {
        match self {
            Self::Explanation => EXPLANATION,
            Self::Reasoning => INTERNAL_REASONING,
            Self::Memory => MEMORY_UPDATE,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        Some(match self {
            Self::Explanation => question.explanation(),
            Self::Reasoning | Self::Memory => question.private_text(),
        })
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<String> {
        let text = match self {
            Self::Explanation => text.to_owned(),
            Self::Reasoning => strip_emphasis(text),
            Self::Memory => remove_end_marker(&context.words, text.trim()),
        };
        Reading::read(text, How::Length)
    }
}
