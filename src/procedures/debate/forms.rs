//! Parts of the forms of a debate's questions, and the material to decide on. Proposals are listed under the labels shown
//! to the participant.

use super::asks::QuestionContext;
use super::context::{DebateContext, Objection, Proposal};
use crate::core::form::{Choice, Field, Form, Input, MAX_TEXT, Material, MaterialContent, Statement};
use crate::language::in_each_language;
use crate::language::words::{Texts, Words};
use std::collections::BTreeMap;
use std::fmt::Display;

static TEXTS: Texts = Texts::new(in_each_language!("words/form"));

/// A question that needs a form.
pub(super) struct FormQuestion<'a> {
    words: Words,
    kind: &'static str,
    facts: &'a DebateContext,
}

impl<'a> FormQuestion<'a> {
    pub(super) fn new(kind: &'static str, context: &'a QuestionContext) -> Self {
        Self {
            words: Words::new(&TEXTS, context.language, &BTreeMap::new()),
            kind,
            facts: &context.facts,
        }
    }

    /// Returns the form with the debate's material.
    pub(super) fn form(&self, fields: Vec<Field>) -> Form {
        let question = self.of_kind("question", &[]);
        let mut form = Form::new(self.words.language(), question, fields);
        form.material = self.material();
        form
    }

    pub(super) fn say(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        self.words.text(&format!("debate.form.{key}"), values)
    }

    pub(super) fn of_kind(&self, part: &str, values: &[(&str, &dyn Display)]) -> String {
        self.say(&format!("{}.{part}", self.kind), values)
    }

    pub(super) fn text(&self, name: &'static str, lines: u32, least: u32) -> Field {
        let input = Input::Text {
            least,
            most: MAX_TEXT,
            lines,
        };
        let label = self.of_kind(name, &[]);
        Field::new(if name == "label" { "text" } else { name }, label, input)
    }

    pub(super) fn flag(&self, name: &'static str) -> Field {
        let input = Input::YesNo {
            yes: Choice::new("yes", self.say("yes", &[])),
            no: Choice::new("no", self.say("no", &[])),
            is_flag: true,
        };
        Field::new(name, self.of_kind(name, &[]), input)
    }

    pub(super) fn confidence(&self) -> Field {
        let ends = ["confidence.least", "confidence.most"].map(|key| self.say(key, &[]));
        let input = scale(1.0, 0.1, ends);
        Field::new("confidence", self.say("confidence", &[]), input).optional()
    }

    /// Returns the proposals as options; `None` if there are none.
    pub(super) fn options(&self) -> Option<Vec<Choice>> {
        let choice = |shown: &Proposal| Choice::new(shown.label.as_str(), shown.label.as_str());
        let proposals = &self.facts.proposals;
        (!proposals.is_empty()).then(|| proposals.iter().map(choice).collect())
    }

    fn material(&self) -> Vec<Material> {
        let facts = self.facts;
        let text = |title: String, text: &str| {
            let text = text.split("\n\n").map(str::to_owned).collect();
            Material::new(title, MaterialContent::Text { text })
        };
        let said = |title: &str, said: Vec<Statement>| {
            (!said.is_empty())
                .then(|| Material::new(self.say(title, &[]), MaterialContent::Statements { said }))
        };
        let mut all = vec![text(self.say("question", &[]), &facts.question)];
        let evidence = facts.context.iter().map(|item| Statement {
            who: format!("{} · {}", item.evidence, item.source),
            text: format!("{}\n{}", item.title, item.text).trim().to_owned(),
        });
        all.extend(said("evidence", evidence.collect()).map(Material::folded));
        if let Some(own) = &facts.own {
            all.push(text(self.say("own", &[]), own).folded());
        }
        all.extend(
            facts
                .challenge
                .as_deref()
                .map(|challenge| text(self.say("challenge", &[]), challenge)),
        );
        // A single proposal is shown in full, several are folded.
        let is_one = facts.proposals.len() == 1;
        all.extend(facts.proposals.iter().map(|shown| {
            let title = self.say("proposal_of", &[("label", &shown.label)]);
            let shown = text(title, &shown.text);
            if is_one { shown } else { shown.folded() }
        }));
        all.extend(facts.critiques.iter().map(|one| self.objection(one)));
        all
    }

    fn objection(&self, one: &Objection) -> Material {
        let title = match one.severity {
            Some(severity) => self.say(
                "critique_with",
                &[("critic", &one.critic), ("severity", &severity)],
            ),
            None => self.say("critique_of", &[("critic", &one.critic)]),
        };
        let point = |key: &'static str| move |text: &String| self.say(key, &[("text", text)]);
        let wrong = one.issues.iter().map(point("wrong"));
        let better = one.suggestions.iter().map(point("better"));
        let words = one.reasoning.split("\n\n").filter(|part| !part.is_empty());
        let text = wrong.chain(better).chain(words.map(str::to_owned)).collect();
        Material::new(title, MaterialContent::Text { text })
    }
}

pub(super) fn scale(most: f64, step: f64, ends: [String; 2]) -> Input {
    Input::Scale {
        least: 0.0,
        most,
        step,
        is_whole: false,
        ends,
    }
}

#[cfg(test)]
mod tests;
