//! Kinds of questions in a debate: name in records, prompt, form, and how answers are read. Forms put reasons before the
//! decision.

use super::context::DebateContext;
use super::forms::{FormQuestion, scale};
use super::prompts::{self, PromptContext};
use crate::core::form::{Choice, Field, Form, Input};
use crate::language::Language;
use crate::language::blank::is_blank;
use crate::language::words::Words;
use crate::procedures::answers::QuestionKind;
use crate::reading::critique::{Critique, critique};
use crate::reading::judge::{Evaluation, Score, judge};
use crate::reading::signals::{self, Settled, without_ready};
use crate::reading::vote::{Vote, assent, vote, vote_or_words};
use crate::reading::{How, Reading, Reason, structured};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Material from a source.
pub const CONTEXT: &str = "context";
/// Similarity of texts, from an embedding model.
pub const SIMILARITY: &str = "similarity";
pub const PROPOSAL: &str = "proposal";
/// Critique of another seat's proposal.
pub const CRITIQUE: &str = "critique";
/// The seat's proposal, revised after critiques.
pub const REVISION: &str = "revision";
/// The seat's proposal in its final form.
pub const REFINEMENT: &str = "refinement";
pub const VOTE: &str = "vote";
/// The judge's scores, ranking and synthesis.
pub const JUDGEMENT: &str = "judgement";
/// Whether to stop revising.
pub const POLL: &str = "poll";
/// Whether the judge considers the matter settled.
pub const TERMINATION: &str = "termination";
/// Byzantine agreement: whether the seat would accept a proposal.
pub const PREPARE: &str = "prepare";
/// Byzantine agreement: whether the seat commits to a proposal.
pub const COMMIT: &str = "commit";

/// Maximum number of points in a critique.
const MAX_POINTS: u32 = 5;
const CRITERIA: [&str; 5] = ["correctness", "evidence", "completeness", "clarity", "risk"];

/// What form and readers know of a question.
#[derive(Clone)]
pub(super) struct QuestionContext {
    pub(super) language: Language,
    pub(super) facts: Rc<DebateContext>,
}

impl QuestionContext {
    fn labels(&self) -> Vec<&str> {
        let proposals = self.facts.proposals.iter();
        proposals.map(|proposal| proposal.label.as_str()).collect()
    }
}

/// A kind of question to the participants.
pub(super) trait DebateQuestion: QuestionKind<Context = QuestionContext> {
    /// Whether it calls for a decision. Rotated thinking roles do not apply to those.
    const IS_DECISION: bool = true;
    /// Whether the seat answers as the judge.
    const IS_JUDGING: bool = false;

    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String;
}

/// A new version of a proposal. The reading is its length in characters.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProposalQuestion {
    First,
    /// `may_be_ready`: the seat may declare its proposal final.
    Revision {
        may_be_ready: bool,
    },
    Refinement,
}

impl QuestionKind for ProposalQuestion {
    type Context = QuestionContext;
    type Answer = usize;

    fn name(self) -> &'static str {
        match self {
            Self::First => PROPOSAL,
            Self::Revision { .. } => REVISION,
            Self::Refinement => REFINEMENT,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        Some(question.form(vec![question.text("label", 9, 1)]))
    }

    /// Accepts any text with content; in later versions, besides a ready signal.
    fn read_text(self, text: &str, _: &QuestionContext) -> Reading<usize> {
        let text = match self {
            Self::First => text.to_owned(),
            Self::Revision { .. } | Self::Refinement => without_ready(text),
        };
        match text.trim() {
            text if is_blank(text) => Reading::unread(Reason::EmptyResponse),
            text => Reading::read(text.chars().count(), How::Length),
        }
    }
}

impl DebateQuestion for ProposalQuestion {
    const IS_DECISION: bool = false;

    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        match self {
            Self::First => prompts::proposal(words, context),
            Self::Revision { may_be_ready: true } => prompts::revision_or_ready(words, context),
            Self::Revision { may_be_ready: false } => prompts::revision(words, context),
            Self::Refinement => prompts::refinement(words, context),
        }
    }
}

/// A critique of another seat's proposal.
#[derive(Debug, Clone, Copy)]
pub(super) struct CritiqueQuestion;

impl QuestionKind for CritiqueQuestion {
    type Context = QuestionContext;
    type Answer = Critique;

    fn name(self) -> &'static str {
        CRITIQUE
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        let points = |name| {
            let input = Input::Texts { most: MAX_POINTS };
            Field::new(name, question.of_kind(name, &[]), input).optional()
        };
        let severity = Input::Scale {
            least: 0.0,
            most: 10.0,
            step: 1.0,
            is_whole: true,
            ends: ["least", "most"].map(|key| question.of_kind(key, &[])),
        };
        Some(question.form(vec![
            points("issues"),
            points("suggestions"),
            question.text("reasoning", 2, 0).optional(),
            Field::new("severity", question.of_kind("severity", &[]), severity).optional(),
        ]))
    }

    fn read_json(self, text: &str, _: &QuestionContext) -> Option<Reading<Critique>> {
        structured::critique(text)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Critique> {
        critique(text, context.language)
    }
}

impl DebateQuestion for CritiqueQuestion {
    const IS_DECISION: bool = false;

    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        prompts::critique(words, context)
    }
}

/// A vote for a proposal. A first answer that names none is unread; then its words count.
#[derive(Debug, Clone, Copy)]
pub(super) struct VoteQuestion;

impl VoteQuestion {
    fn read_words(text: &str, context: &QuestionContext) -> Reading<Vote> {
        let read = match context.facts.complaint {
            None => vote,
            Some(_) => vote_or_words,
        };
        read(text, context.language, &context.labels())
    }
}

impl QuestionKind for VoteQuestion {
    type Context = QuestionContext;
    type Answer = Vote;

    fn name(self) -> &'static str {
        VOTE
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        let choice = Input::Choice {
            options: question.options()?,
            none: Some(question.of_kind("abstain", &[])),
        };
        let mut form = question.form(vec![
            question.text("reasoning", 2, 0).optional(),
            Field::new("choice", question.of_kind("choice", &[]), choice),
            question.confidence(),
            question.flag("continue").optional(),
        ]);
        form.send = question.of_kind("send", &[]);
        Some(form)
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Vote>> {
        structured::vote(text, |object| Self::read_words(object, context))
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Vote> {
        Self::read_words(text, context)
    }
}

impl DebateQuestion for VoteQuestion {
    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        prompts::vote(words, context)
    }
}

/// The judge's scores, ranking and synthesis.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgementQuestion;

/// The values of an evaluation.
#[derive(Deserialize)]
struct EvaluationValues {
    scores: Vec<ScoreValues>,
    #[serde(default)]
    ranking: Vec<String>,
    #[serde(default)]
    synthesis: String,
    conclusive: Option<bool>,
    confidence: Option<f64>,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct ScoreValues {
    proposal: String,
    score: f64,
    #[serde(default)]
    criteria: BTreeMap<String, f64>,
    #[serde(default)]
    comment: String,
}

impl QuestionKind for JudgementQuestion {
    type Context = QuestionContext;
    type Answer = Evaluation;

    fn name(self) -> &'static str {
        JUDGEMENT
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        let options = question.options()?;
        let points = || {
            let ends = ["least", "most"].map(|key| question.of_kind(key, &[]));
            scale(10.0, 0.5, ends)
        };
        let criteria = Input::Group {
            fields: CRITERIA.map(|name| Field::new(name, "", points())).into(),
        };
        let criteria = Field {
            thought: true,
            ..Field::new("criteria", "", criteria).optional()
        };
        let each = Input::Each {
            of: "proposal",
            options: options.clone(),
            fields: vec![
                question.text("comment", 1, 0).optional(),
                criteria,
                Field::new("score", question.of_kind("score", &[]), points()),
            ],
        };
        let order = Input::Order {
            options,
            places: Vec::new(),
        };
        Some(question.form(vec![
                Field::new("scores", question.of_kind("scores", &[]), each),
                Field::new("ranking", question.of_kind("ranking", &[]), order)
                    .helped(question.of_kind("ranking.help", &[]))
                    .optional(),
                question.text("synthesis", 4, 0).optional(),
                question.text("reason", 2, 0).optional(),
                question.flag("conclusive").optional(),
                question.confidence(),
            ]))
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<Evaluation> {
        let values: EvaluationValues = serde_json::from_value(values.clone()).ok()?;
        let (mut scores, mut missing) = (Vec::new(), Vec::new());
        for label in context.labels().into_iter().map(str::to_owned) {
            let Some(one) = values.scores.iter().find(|one| one.proposal == label) else {
                missing.push(label);
                continue;
            };
            let criterion = |name: &str| Some((name.to_owned(), *one.criteria.get(name)?));
            scores.push(Score {
                label,
                score: one.score,
                criteria: CRITERIA.into_iter().filter_map(criterion).collect(),
                comment: one.comment.clone(),
            });
        }
        Some(Evaluation {
            scores,
            missing,
            ranking: values.ranking,
            synthesis: values.synthesis,
            conclusive: values.conclusive,
            confidence: values.confidence,
            reason: values.reason,
        })
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Evaluation>> {
        structured::judge(text, context.language, &context.labels())
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Evaluation> {
        judge(text, context.language, &context.labels())
    }
}

impl DebateQuestion for JudgementQuestion {
    const IS_JUDGING: bool = true;

    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        prompts::judge(words, context)
    }
}

/// Whether to stop revising; true is stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct PollQuestion;

impl QuestionKind for PollQuestion {
    type Context = QuestionContext;
    type Answer = bool;

    fn name(self) -> &'static str {
        POLL
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        let side = |value: &str| Choice::new(value, question.of_kind(value, &[]));
        let input = Input::YesNo {
            yes: side("continue"),
            no: side("stop"),
            is_flag: false,
        };
        let label = question.of_kind("label", &[]);
        Some(question.form(vec![Field::new("answer", label, input).sending()]))
    }

    fn read_values(self, values: &Value, _: &QuestionContext) -> Option<bool> {
        structured::poll_in(values.as_object()?).into_value()
    }

    fn read_json(self, text: &str, _: &QuestionContext) -> Option<Reading<bool>> {
        structured::poll(text)
    }

    fn read_text(self, text: &str, _: &QuestionContext) -> Reading<bool> {
        signals::poll(text)
    }
}

impl DebateQuestion for PollQuestion {
    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        prompts::poll(words, context)
    }
}

/// Whether the judge considers the matter settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct TerminationQuestion;

impl QuestionKind for TerminationQuestion {
    type Context = QuestionContext;
    type Answer = Settled;

    fn name(self) -> &'static str {
        TERMINATION
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        Some(question.form(vec![
            question.text("reason", 2, 0).optional(),
            question.flag("conclusive"),
            question.confidence(),
        ]))
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<Settled>> {
        structured::settled(text, context.language)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<Settled> {
        signals::settled(text, context.language)
    }
}

impl DebateQuestion for TerminationQuestion {
    const IS_JUDGING: bool = true;

    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        prompts::termination(words, context)
    }
}

/// Byzantine agreement: whether the seat would accept a proposal, then whether it commits to it.
#[derive(Debug, Clone, Copy)]
pub(super) enum AssentQuestion {
    Prepare,
    Commit,
}

impl QuestionKind for AssentQuestion {
    type Context = QuestionContext;
    type Answer = bool;

    fn name(self) -> &'static str {
        match self {
            Self::Prepare => PREPARE,
            Self::Commit => COMMIT,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let question = FormQuestion::new(self.name(), context);
        let input = Input::YesNo {
            yes: Choice::new("yes", question.say("yes", &[])),
            no: Choice::new("no", question.say("no", &[])),
            is_flag: false,
        };
        let reason = Field {
            label: question.say("assent.reason", &[]),
            ..Field::thought("reason")
        };
        Some(question.form(vec![
            reason,
            Field::new("answer", question.of_kind("label", &[]), input).sending(),
        ]))
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<bool> {
        structured::yes_no_in(values.as_object()?, context.language).into_value()
    }

    fn read_json(self, text: &str, context: &QuestionContext) -> Option<Reading<bool>> {
        structured::yes_no(text, &["reason", "answer"], context.language)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<bool> {
        assent(text, context.language)
    }
}

impl DebateQuestion for AssentQuestion {
    fn prompt(self, words: &Words, context: &PromptContext<'_>) -> String {
        match self {
            Self::Prepare => prompts::prepare(words, context),
            Self::Commit => prompts::commit(words, context),
        }
    }
}
