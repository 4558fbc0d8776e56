//! The questions of a trial: their names in records, their forms, and how answers are read.

use super::context::JuryContext;
use super::prompts;
use super::read::{JurorVote, read, read_values};
use super::rules::Opinion;
use crate::core::form::{Choice, Field, Form, Input, MAX_TEXT, Material, MaterialContent, Statement};
use crate::language::blank::is_blank;
use crate::language::words::Words;
use crate::procedures::answers::QuestionKind;
use crate::reading::{How, Reading, Reason};
use serde_json::Value;
use std::fmt::Display;
use std::rc::Rc;

/// An opinion so far, with certainty and reason.
pub const STRAW_VOTE: &str = "straw_vote";
/// A speech to all.
pub const SPEECH: &str = "speech";
/// A vote for a verdict.
pub const BALLOT: &str = "ballot";

#[derive(Clone)]
pub(super) struct QuestionContext {
    pub(super) words: Rc<Words>,
    pub(super) is_person: bool,
    pub(super) facts: Rc<JuryContext>,
}

impl QuestionContext {
    fn say(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        self.words.text(&format!("jury.form.{key}"), values)
    }
}

/// The questions for a vote.
#[derive(Debug, Clone, Copy)]
pub(super) enum VoteQuestion {
    Straw,
    Ballot,
}

impl VoteQuestion {
    fn allowed(self) -> &'static [Opinion] {
        match self {
            Self::Straw => &[Opinion::Guilty, Opinion::NotGuilty, Opinion::Undecided],
            Self::Ballot => &[Opinion::Guilty, Opinion::NotGuilty],
        }
    }
}

impl QuestionKind for VoteQuestion {
    type Context = QuestionContext;
    type Answer = JurorVote;

    fn name(self) -> &'static str {
        match self {
            Self::Straw => STRAW_VOTE,
            Self::Ballot => BALLOT,
        }
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let choice = |vote: &Opinion| Choice::new(vote.name(), prompts::opinion(&context.words, *vote));
        let options = self.allowed().iter().map(choice).collect();
        let opinion = Field::new(
            "opinion",
            context.say("opinion", &[]),
            Input::Choice { options, none: None },
        );
        let certainty = Input::Scale {
            least: 0.0,
            most: 100.0,
            step: 5.0,
            is_whole: true,
            ends: ["unsure", "sure"].map(|key| context.say(key, &[])),
        };
        let certainty = Field::new("certainty", context.say("certainty", &[]), certainty);
        let reason = Field::new("reason", context.say("reason", &[]), text_input(0, 3)).optional();
        let fields = match (self, context.is_person) {
            (Self::Straw, true) => vec![opinion, certainty, reason],
            // Models write the reason first.
            (Self::Straw, false) => vec![reason, opinion, certainty],
            (Self::Ballot, true) => vec![opinion],
            (Self::Ballot, false) => vec![reason, opinion],
        };
        Some(form(self.name(), fields, context))
    }

    fn read_values(self, values: &Value, context: &QuestionContext) -> Option<JurorVote> {
        read_values(values, &context.words)
    }

    fn read_text(self, text: &str, context: &QuestionContext) -> Reading<JurorVote> {
        read(text, &context.words, self.allowed())
    }
}

/// The request for a speech.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpeechQuestion;

impl QuestionKind for SpeechQuestion {
    type Context = QuestionContext;
    type Answer = String;

    fn name(self) -> &'static str {
        SPEECH
    }

    fn form(self, context: &QuestionContext) -> Option<Form> {
        let text = Field::new("text", context.say("text", &[]), text_input(1, 5));
        Some(form(SPEECH, vec![text], context))
    }

    fn read_text(self, text: &str, _: &QuestionContext) -> Reading<String> {
        match is_blank(text) {
            true => Reading::unread(Reason::EmptyResponse),
            false => Reading::read(text.trim().to_owned(), How::Length),
        }
    }
}

fn text_input(least: u32, lines: u32) -> Input {
    let most = MAX_TEXT;
    Input::Text { least, most, lines }
}

/// Returns the form of a question. People see the case as material: what is new unfolded, all else folded.
fn form(kind: &str, fields: Vec<Field>, context: &QuestionContext) -> Form {
    let facts = &context.facts;
    let question = context.say(&format!("{kind}.question"), &[("charge", &facts.charge)]);
    let mut form = Form::new(context.words.language(), question, fields);
    if context.is_person {
        form.material = material(kind == STRAW_VOTE, context);
    }
    form
}

fn material(is_trial: bool, context: &QuestionContext) -> Vec<Material> {
    let QuestionContext { words, facts, .. } = context;
    let text = |title: String, text: &str, is_new: bool| {
        let text = text.split("\n\n").map(str::to_owned).collect();
        let material = Material::new(title, MaterialContent::Text { text });
        if is_new { material } else { material.folded() }
    };
    let last = facts.evidence.len();
    let sides = [("prosecution", &facts.prosecution), ("defence", &facts.defence)];
    let statements = sides.map(|(key, said)| text(context.say(key, &[]), said, is_trial && last == 0));
    let evidence = (1..).zip(&facts.evidence).map(|(number, one)| {
        text(
            prompts::evidence_title(words, number, &one.title),
            &one.text,
            is_trial && number == last,
        )
    });
    let mut all: Vec<Material> = statements.into_iter().chain(evidence).collect();
    if let Some(counts) = &facts.counts {
        all.push(text(
            context.say("counts", &[]),
            &prompts::counts(words, counts),
            true,
        ));
    }
    if !facts.speeches.is_empty() {
        let said = facts.speeches.iter().map(|speech| Statement {
            who: speech.seat.clone(),
            text: speech.text.clone(),
        });
        let said = MaterialContent::Statements { said: said.collect() };
        all.push(Material::new(context.say("speeches", &[]), said));
    }
    if let Some(ballot) = &facts.ballot {
        all.push(text(
            context.say("ballot", &[]),
            &prompts::ballot_result(words, ballot),
            true,
        ));
    }
    all
}
