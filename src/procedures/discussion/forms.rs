//! The form of a person's turn.

use super::context::DiscussionContext;
use crate::core::form::{Field, Form, Input, MAX_TEXT, Material, MaterialContent, Statement};
use crate::language::Language;
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use std::collections::BTreeMap;

pub(super) static TEXTS: Texts = Texts::new(in_each_language!("words/form"));

/// Returns the form of a participant's turn. An empty answer skips the turn.
pub(super) fn form(language: Language, name: &str, facts: &DiscussionContext) -> Form {
    let words = Words::new(&TEXTS, language, &BTreeMap::new());
    let text_of = |key: &str| words.text(&format!("discussion.form.{key}"), &[]);
    let input = Input::Text {
        least: 0,
        most: MAX_TEXT,
        lines: 4,
    };
    let text = Field::new("text", text_of("label"), input).optional();
    let mut form = Form::new(language, text_of("question"), vec![text]);
    let own = facts.heard.iter().rposition(|heard| heard.speaker == name);
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
    form
}
