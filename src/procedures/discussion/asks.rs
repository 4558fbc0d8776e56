//! The question of a discussion: its name in records, a person's form, and how a contribution is read.

use super::clean::{Rules, clean};
use super::context::DiscussionContext;
use super::event::Metadata;
use super::prompts;
use super::seating::{Participant, Role};
use crate::core::form::{Field, Form, Input, MAX_TEXT, Material, MaterialContent, Statement};
use crate::language::blank::is_blank;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use crate::procedures::answers::QuestionKind;
use crate::procedures::open_talk::{MAX_MESSAGE, MESSAGE};
use crate::reading::{How, Reading, Reason};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A contribution.
pub const TURN: &str = "turn";

static TEXTS: Texts = Texts::new(in_each_language!("words/form"));

/// The request for a contribution.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnQuestion;

#[derive(Clone)]
pub(super) struct TurnContext {
    pub(super) words: Rc<Words>,
    pub(super) place: Rc<Participant>,
    /// Maximum lines of a contribution; 0: no limit.
    pub(super) max_lines: u32,
    pub(super) facts: Rc<DiscussionContext>,
}

impl QuestionKind for TurnQuestion {
    type Context = TurnContext;
    /// The contribution and how it came about.
    type Answer = (String, Metadata);

    fn name(self) -> &'static str {
        TURN
    }

    /// An empty answer skips the turn.
    fn form(self, context: &TurnContext) -> Option<Form> {
        let facts = &context.facts;
        let words = Words::new(&TEXTS, context.words.language(), &BTreeMap::new());
        let text_of = |key: &str| words.text(&format!("discussion.form.{key}"), &[]);
        let input = Input::Text {
            least: 0,
            most: MAX_TEXT,
            lines: 4,
        };
        let text = Field::new("text", text_of("label"), input).optional();
        let mut form = Form::new(words.language(), text_of("question"), vec![text]);
        let own = facts
            .heard
            .iter()
            .rposition(|heard| heard.speaker == context.place.name);
        if !facts.topic.is_empty() {
            let mut text = vec![facts.topic.clone()];
            text.extend(facts.rules.iter().cloned());
            let topic = Material::new(text_of("topic"), MaterialContent::Text { text });
            // Unfolded for a first contribution, since the speaker may not have seen the topic yet.
            form.material
                .push(if own.is_some() { topic.folded() } else { topic });
        }
        let since = facts.heard.iter().skip(own.map_or(0, |own| own + 1));
        let statements: Vec<Statement> = since
            .map(|heard| Statement {
                who: heard.speaker.clone(),
                text: heard.text.clone(),
            })
            .collect();
        if !statements.is_empty() {
            let content = MaterialContent::Statements { said: statements };
            form.material
                .push(Material::new(text_of("since"), content).folded());
        }
        form.send = text_of("send");
        form.skip = Some(text_of("skip"));
        Some(form)
    }

    /// A first answer without text is unread; the second one counts as empty.
    fn read_text(self, text: &str, context: &TurnContext) -> Reading<(String, Metadata)> {
        let (mut content, mut metadata) = match context.place.is_person() {
            true => person_turn(text, &context.words),
            false => agent_turn(text, context),
        };
        if is_blank(&content) {
            content.clear();
        }
        metadata.empty = content.is_empty() && !metadata.passed;
        if metadata.empty && context.facts.complaint.is_none() {
            return Reading::unread(Reason::EmptyResponse);
        }
        Reading::read((content, metadata), How::Length)
    }
}

/// The request for a message in an open discussion.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageQuestion;

impl QuestionKind for MessageQuestion {
    type Context = TurnContext;
    /// The message and how it came about.
    type Answer = (String, Metadata);

    fn name(self) -> &'static str {
        MESSAGE
    }

    fn form(self, context: &TurnContext) -> Option<Form> {
        let facts = &context.facts;
        let words = Words::new(&TEXTS, context.words.language(), &BTreeMap::new());
        let text_of = |key: &str| words.text(&format!("discussion.form.{key}"), &[]);
        let input = Input::Text {
            least: 1,
            most: MAX_MESSAGE,
            lines: 2,
        };
        let text = Field::new("text", text_of("message.label"), input);
        let mut form = Form::new(words.language(), text_of("message.question"), vec![text]);
        if !facts.topic.is_empty() {
            let text = [&facts.topic].into_iter().chain(&facts.rules).cloned().collect();
            let topic = Material::new(text_of("topic"), MaterialContent::Text { text });
            form.material.push(topic.folded());
        }
        form.send = text_of("message.send");
        Some(form)
    }

    fn read_text(self, text: &str, context: &TurnContext) -> Reading<(String, Metadata)> {
        let (content, metadata) = match context.place.is_person() {
            true => (text.trim().to_owned(), Metadata::default()),
            false => agent_turn(text, context),
        };
        match is_blank(&content) {
            true => Reading::unread(Reason::EmptyResponse),
            false => Reading::read((content, metadata), How::Length),
        }
    }
}

fn person_turn(text: &str, words: &Words) -> (String, Metadata) {
    let metadata = Metadata {
        passed: prompts::passes(words, text),
        ..Metadata::default()
    };
    let content = if metadata.passed { "" } else { text.trim() };
    (content.to_owned(), metadata)
}

fn agent_turn(text: &str, context: &TurnContext) -> (String, Metadata) {
    let TurnContext {
        words,
        place,
        max_lines,
        facts,
    } = context;
    let roles: Vec<(Role, String)> = Role::ALL
        .iter()
        .map(|(_, role)| (*role, prompts::role(words, *role)))
        .collect();
    let of = |own: bool| {
        let participants = facts.participants.iter();
        let names = participants.filter(move |other| (other.name == place.name) == own);
        let names = names.map(|other| other.name.as_str());
        let roles = roles.iter().filter(move |(role, _)| (*role == place.role) == own);
        let roles = roles.flat_map(|(role, name)| [role.name(), name.as_str()]);
        names.chain(roles).collect::<Vec<&str>>()
    };
    let labels = prompts::labels(words);
    let cleaned = clean(
        text,
        &Rules {
            stops: &place.stops,
            own: &of(true),
            others: &of(false),
            anybody: &labels.iter().map(String::as_str).collect::<Vec<_>>(),
            max_lines: *max_lines as usize,
        },
    );
    let metadata = Metadata {
        answered_as: cleaned.answered_as,
        raw: (cleaned.text != text.trim()).then(|| text.to_owned()),
        ..Metadata::default()
    };
    (cleaned.text, metadata)
}
